//! One connection: a file of the page, the recording, or a socket with a thread for each direction.

use crate::assets;
use crate::http::{self, RequestError, refuse, respond};
use crate::hub::{Delivery, Hub, Received};
use crate::message::Command;
use crate::packet::Packet;
use crate::series;
use pliant_scene::EMBEDDED;
use pliant_solid::strategy::Method;
use serde_json::json;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;
use tungstenite::handshake::server::{Request, create_response, write_response};
use tungstenite::http::StatusCode;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, Result, WebSocket};

/// How long a page may take to accept a message.
const WRITE_TIME: Duration = Duration::from_secs(20);
/// Longest message that a page may send, bytes.
const LONGEST_MESSAGE: usize = 64 << 10;

/// Answers one connection until its end. Errors end it and nothing else.
pub fn serve(mut stream: TcpStream, hub: &Arc<Hub>, hosts: &[String]) {
    let _ = stream.set_nodelay(true);
    let _ = stream.set_write_timeout(Some(WRITE_TIME));
    let _ = match http::read(&mut stream) {
        Ok((request, rest)) => answer(&request, rest, &mut stream, hub, hosts),
        Err(RequestError::Refused(status)) => refuse(&mut stream, status),
        Err(RequestError::Io(error)) => Err(error.into()),
    };
    let _ = stream.shutdown(Shutdown::Both);
}

fn answer(
    request: &Request,
    rest: Vec<u8>,
    stream: &mut TcpStream,
    hub: &Arc<Hub>,
    hosts: &[String],
) -> Result<()> {
    if !http::is_from_us(request.headers(), hosts) {
        return refuse(stream, StatusCode::FORBIDDEN);
    }
    match request.uri().path() {
        "/socket" => {
            let Ok(accepted) = create_response(request) else {
                return refuse(stream, StatusCode::UPGRADE_REQUIRED);
            };
            let Some(id) = hub.enter() else {
                return refuse(stream, StatusCode::SERVICE_UNAVAILABLE);
            };
            let opened = write_response(&mut *stream, &accepted);
            let result = opened.and_then(|()| converse(id, stream, rest, hub));
            hub.leave(id);
            result
        }
        "/recording.pliant" => match hub.recording() {
            Some(bytes) => {
                let headers = [
                    ("content-type", "application/octet-stream"),
                    (
                        "content-disposition",
                        "attachment; filename=\"recording.pliant\"",
                    ),
                ];
                respond(stream, StatusCode::OK, &headers, &bytes)
            }
            None => refuse(stream, StatusCode::NOT_FOUND),
        },
        path => match assets::find(path) {
            Some(asset) => {
                let kind = [("content-type", asset.kind)];
                respond(stream, StatusCode::OK, &kind, asset.content)
            }
            None => refuse(stream, StatusCode::NOT_FOUND),
        },
    }
}

/// The half of a socket that reads. What the library would answer by itself (to a ping, to a close) is dropped here: only the
/// thread that sends may write, or messages would be torn.
struct ReadHalf(TcpStream);

impl Read for ReadHalf {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes)
    }
}

impl Write for ReadHalf {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads requests here and sends on another thread, until either ends.
fn converse(id: u64, stream: &TcpStream, rest: Vec<u8>, hub: &Arc<Hub>) -> Result<()> {
    stream.set_read_timeout(None)?;
    let limits = WebSocketConfig::default()
        .read_buffer_size(LONGEST_MESSAGE)
        .max_message_size(Some(LONGEST_MESSAGE))
        .max_frame_size(Some(LONGEST_MESSAGE));
    let half = ReadHalf(stream.try_clone()?);
    let mut incoming = WebSocket::from_partially_read(half, rest, Role::Server, Some(limits));
    let free = WebSocketConfig::default().max_message_size(None);
    let mut out = WebSocket::from_raw_socket(stream.try_clone()?, Role::Server, Some(free));
    let of_sender = Arc::clone(hub);
    let sender = std::thread::Builder::new()
        .name(format!("page {id}"))
        .spawn(move || {
            let _ = send_all(id, &mut out, &of_sender);
            // wakes the reader
            let _ = out.get_ref().shutdown(Shutdown::Both);
        })?;
    // anything that is no request of ours ends the connection
    while let Ok(message) = incoming.read() {
        match message {
            Message::Text(text) => {
                let command = serde_json::from_str::<Command>(&text).ok();
                let command = command.filter(Command::is_finite);
                if !command.is_some_and(|command| hub.ask(id, command)) {
                    break;
                }
            }
            Message::Ping(payload) => hub.pong(id, payload),
            Message::Pong(_) => {}
            _ => break,
        }
    }
    hub.close(id);
    let _ = sender.join();
    Ok(())
}

type Out = WebSocket<TcpStream>;

fn send_all(id: u64, out: &mut Out, hub: &Hub) -> Result<()> {
    out.send(Message::text(hello()))?;
    let mut got = Received::default();
    while let Some(delivery) = hub.deliver(id, &mut got) {
        send(delivery, out)?;
    }
    out.send(Message::Close(None))
}

/// What a page must know before anything else.
fn hello() -> String {
    let scenes = EMBEDDED.iter().map(|scene| scene.name);
    let methods = Method::ALL.map(|m| json!({ "name": m.name(), "description": m.description() }));
    json!({
        "kind": "hello",
        "version": env!("CARGO_PKG_VERSION"),
        "scenes": scenes.collect::<Vec<_>>(),
        "methods": methods,
        "columns": series::columns(),
    })
    .to_string()
}

fn send(delivery: Delivery, out: &mut Out) -> Result<()> {
    for payload in delivery.pongs {
        out.send(Message::Pong(payload))?;
    }
    if let Some((mut status, steers, looking)) = delivery.status {
        status["kind"] = "status".into();
        status["steers"] = steers.into();
        status["pages"] = looking.into();
        out.send(Message::text(status.to_string()))?;
    }
    if let Some((_, scene)) = delivery.scene {
        // the number of the scene is in the frames; a page takes the last description for that of all that follow
        out.send(Message::Binary(scene))?;
    }
    if !delivery.rows.is_empty() {
        let mut packet = Packet::new("rows");
        let rows = delivery.rows.iter().flat_map(|row| row.iter().copied());
        packet.f32("rows", &rows.collect::<Vec<f32>>());
        out.send(Message::binary(packet.finish()))?;
    }
    if let Some((_, frame)) = delivery.frame {
        out.send(Message::Binary(frame))?;
    }
    Ok(())
}
