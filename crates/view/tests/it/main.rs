//! The server over real sockets.

#![allow(clippy::unwrap_used)] // in tests a panic is the message

mod abuse;
mod common;
mod live;
mod recording;
mod security;
