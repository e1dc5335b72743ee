//! One connection: a file of the page, the recording, or a socket with a thread for each direction.

use crate::assets;
use crate::http::{Request, RequestError, respond, respond_refused};
use crate::hub::{Delivery, Hub, Received};
use crate::message::Command;
use crate::packet::Packet;
use crate::series;
use crate::websocket::{Assembler, Incoming, Outgoing, accept_key, write_frame};
use pliant_scene::EMBEDDED;
use pliant_solid::strategy::Method;
use serde_json::json;
use std::io::{self, BufReader, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// How long the head of a request may take.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// How long a page may take to accept a message.
const WRITE_TIME: Duration = Duration::from_secs(20);

/// Answers one connection until its end. Errors end it and nothing else.
pub fn serve(stream: TcpStream, hub: &Arc<Hub>, hosts: &[String]) {
    let _ = stream.set_nodelay(true);
    let _ = stream.set_read_timeout(Some(HEAD_TIME));
    let _ = stream.set_write_timeout(Some(WRITE_TIME));
    let Ok(mut out) = stream.try_clone() else {
        return;
    };
    let mut reader = BufReader::new(stream);
    let _ = match Request::read(&mut reader) {
        Ok(request) => answer(&request, reader, &mut out, hub, hosts),
        Err(RequestError::Refused(status, reason)) => respond_refused(&mut out, status, reason),
        Err(RequestError::Io(error)) => Err(error),
    };
    let _ = out.shutdown(Shutdown::Both);
}

fn answer(
    request: &Request,
    reader: BufReader<TcpStream>,
    out: &mut TcpStream,
    hub: &Arc<Hub>,
    hosts: &[String],
) -> io::Result<()> {
    if !request.is_from_us(hosts) {
        return respond_refused(out, 403, "Forbidden");
    }
    if request.path == "/socket" {
        let Some(key) = request.websocket_key() else {
            return respond_refused(out, 426, "Upgrade Required");
        };
        let Some(id) = hub.enter() else {
            return respond_refused(out, 503, "Service Unavailable");
        };
        let result = open(accept_key(key), out).and_then(|()| converse(id, reader, out, hub));
        hub.leave(id);
        return result;
    }
    if request.path == "/recording.pliant" {
        let kind = "application/octet-stream";
        let extra = "Content-Disposition: attachment; filename=\"recording.pliant\"\r\n";
        return match hub.recording() {
            Some(bytes) => respond(out, 200, "OK", kind, extra, &bytes),
            None => respond_refused(out, 404, "Not Found"),
        };
    }
    match assets::find(&request.path) {
        Some(asset) => respond(out, 200, "OK", asset.kind, "", asset.content),
        None => respond_refused(out, 404, "Not Found"),
    }
}

fn open(accept: String, out: &mut TcpStream) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    out.write_all(head.as_bytes())
}

/// Reads requests here and sends on another thread, until either ends.
fn converse(
    id: u64,
    mut reader: BufReader<TcpStream>,
    out: &mut TcpStream,
    hub: &Arc<Hub>,
) -> io::Result<()> {
    reader.get_ref().set_read_timeout(None)?;
    let mut sender = out.try_clone()?;
    let of_sender = Arc::clone(hub);
    let thread = std::thread::Builder::new()
        .name(format!("page {id}"))
        .spawn(move || {
            let _ = send_all(id, &mut sender, &of_sender);
            // wakes the reader
            let _ = sender.shutdown(Shutdown::Both);
        })?;
    let mut assembler = Assembler::default();
    // anything that is no request of ours ends the connection
    while let Ok(incoming) = assembler.next(&mut reader) {
        match incoming {
            Incoming::Text(text) => match serde_json::from_str::<Command>(&text) {
                Ok(command) if command.is_finite() && hub.ask(id, command.clone()) => {}
                _ => break,
            },
            Incoming::Ping(payload) => hub.pong(id, payload),
            Incoming::Pong => {}
            Incoming::Close => break,
        }
    }
    hub.close(id);
    let _ = thread.join();
    Ok(())
}

fn send_all(id: u64, out: &mut TcpStream, hub: &Hub) -> io::Result<()> {
    write_frame(out, Outgoing::Text, hello().as_bytes())?;
    let mut got = Received::default();
    while let Some(delivery) = hub.deliver(id, &mut got) {
        send(delivery, out)?;
    }
    write_frame(out, Outgoing::Close, &1000u16.to_be_bytes())
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

fn send(delivery: Delivery, out: &mut TcpStream) -> io::Result<()> {
    for payload in delivery.pongs {
        write_frame(out, Outgoing::Pong, &payload)?;
    }
    if let Some((mut status, steers, looking)) = delivery.status {
        status["kind"] = "status".into();
        status["steers"] = steers.into();
        status["pages"] = looking.into();
        write_frame(out, Outgoing::Text, status.to_string().as_bytes())?;
    }
    if let Some((_, scene)) = delivery.scene {
        // the number of the scene is in the frames; a page takes the last description for that of all that follow
        write_frame(out, Outgoing::Binary, &scene)?;
    }
    if !delivery.rows.is_empty() {
        let mut packet = Packet::new("rows");
        let numbers: Vec<f32> = delivery
            .rows
            .iter()
            .flat_map(|row| row.iter().copied())
            .collect();
        packet.f32("rows", &numbers);
        write_frame(out, Outgoing::Binary, &packet.finish())?;
    }
    if let Some((_, frame)) = delivery.frame {
        write_frame(out, Outgoing::Binary, &frame)?;
    }
    Ok(())
}
