//! The server over real sockets.

mod abuse;
mod common;
mod live;
mod recording;
mod security;
