//! A page without a browser: for tests and for measuring what arrives at a socket.

use crate::packet::Received;
use serde_json::Value;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;
use tungstenite::client::IntoClientRequest;
use tungstenite::http::{HeaderValue, header};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message as Frame, WebSocket, client::client_with_config};

/// What arrived.
#[derive(Clone, Debug)]
pub enum Message {
    /// A text: settings.
    Text(Value),
    /// A packet: a scene, rows or a frame, and its length in bytes.
    Packet(Received, usize),
}

/// An open socket.
#[derive(Debug)]
pub struct Client {
    socket: WebSocket<TcpStream>,
}

impl Client {
    /// Connects as a page of ours would.
    pub fn connect(address: SocketAddr) -> io::Result<Client> {
        let origin = format!("http://{address}");
        Client::connect_from(address, &address.to_string(), Some(&origin))
    }

    /// Connects with other headers `Host` and `Origin`.
    pub fn connect_from(
        address: SocketAddr,
        host: &str,
        origin: Option<&str>,
    ) -> io::Result<Client> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        let request = format!("ws://{address}/socket").into_client_request();
        let mut request = request.map_err(io::Error::other)?;
        let value = |text: &str| HeaderValue::from_str(text).map_err(io::Error::other);
        request.headers_mut().insert(header::HOST, value(host)?);
        if let Some(origin) = origin {
            request.headers_mut().insert(header::ORIGIN, value(origin)?);
        }
        let free = WebSocketConfig::default()
            .max_message_size(None)
            .max_frame_size(None);
        let opened = client_with_config(request, stream, Some(free));
        let (socket, _) = opened.map_err(|e| io::Error::other(e.to_string()))?;
        Ok(Client { socket })
    }

    /// Sends a request.
    pub fn send(&mut self, text: &str) -> io::Result<()> {
        self.socket
            .send(Frame::text(text))
            .map_err(io::Error::other)
    }

    /// Sends bytes as they are.
    pub fn send_raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.socket.get_mut().write_all(bytes)
    }

    /// Waits for the next message.
    pub fn receive(&mut self) -> io::Result<Message> {
        loop {
            match self.socket.read().map_err(io::Error::other)? {
                Frame::Text(text) => {
                    let value = serde_json::from_str(&text);
                    return value.map(Message::Text).map_err(io::Error::other);
                }
                Frame::Binary(bytes) => {
                    let packet = Received::read(&bytes);
                    let packet = packet.ok_or_else(|| io::Error::other("no packet"))?;
                    return Ok(Message::Packet(packet, bytes.len()));
                }
                Frame::Close(_) => return Err(io::ErrorKind::ConnectionAborted.into()),
                _ => {}
            }
        }
    }

    /// Waits for a packet of some kind; frames are acknowledged.
    pub fn packet(&mut self, kind: &str) -> io::Result<(Received, usize)> {
        loop {
            if let Message::Packet(packet, length) = self.receive()? {
                if packet.kind() == "frame" {
                    self.send(r#"{"do":"ready"}"#)?;
                }
                if packet.kind() == kind {
                    return Ok((packet, length));
                }
            }
        }
    }

    /// Waits for settings that fulfil a condition.
    pub fn status(&mut self, wanted: impl Fn(&Value) -> bool) -> io::Result<Value> {
        loop {
            match self.receive()? {
                Message::Text(value) if value["kind"] == "status" && wanted(&value) => {
                    return Ok(value);
                }
                Message::Packet(packet, _) if packet.kind() == "frame" => {
                    self.send(r#"{"do":"ready"}"#)?;
                }
                _ => {}
            }
        }
    }
}
