//! Pliant in the browser: a server for this machine alone, with one page, which shows a simulation that runs or a recording.
//!
//! [`Server::start`] listens and simulates until [`Server::stop`]. Pages come over [`http`], then talk over a WebSocket;
//! [`hub`] stands between them and the one thread that simulates (`crates/view/src/engine.rs`).

pub mod assets;
pub mod client;
mod connection;
mod engine;
mod hand;
mod history;
pub mod http;
pub mod hub;
mod live;
pub mod message;
pub mod packet;
mod pane;
mod picture;
mod player;
mod section;
pub mod series;
mod server;
mod shape;
pub mod source;
mod tape;
pub mod transfer;
mod world;

pub use live::{Live, Loader};
pub use player::Player;
pub use server::{Listen, Server, ServerError};
