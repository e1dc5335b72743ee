//! A page without a browser: for tests and for measuring what arrives at a socket.

use crate::packet::Received;
use crate::sha1::base64;
use serde_json::Value;
use std::io::{self, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

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
    reader: BufReader<TcpStream>,
    out: TcpStream,
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_string())
}

impl Client {
    /// Connects and shakes hands; `headers` are added to those that are needed, each with its line end.
    pub fn connect_with(address: SocketAddr, headers: &str) -> io::Result<Client> {
        let mut out = TcpStream::connect(address)?;
        out.set_nodelay(true)?;
        out.set_read_timeout(Some(Duration::from_secs(20)))?;
        let key = base64(&[7; 16]);
        let head = format!(
            "GET /socket HTTP/1.1\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: {key}\r\n{headers}\r\n"
        );
        out.write_all(head.as_bytes())?;
        let mut reader = BufReader::new(out.try_clone()?);
        let (mut answer, mut byte) = (Vec::new(), [0]);
        while !answer.ends_with(b"\r\n\r\n") {
            reader.read_exact(&mut byte)?;
            answer.push(byte[0]);
            if answer.len() > 1 << 14 {
                return Err(broken("the answer has no end"));
            }
        }
        match answer.starts_with(b"HTTP/1.1 101 ") {
            true => Ok(Client { reader, out }),
            false => {
                let line = answer.split(|&b| b == b'\r').next().unwrap_or(&[]);
                Err(broken(&String::from_utf8_lossy(line)))
            }
        }
    }

    /// Connects as a page of ours would.
    pub fn connect(address: SocketAddr) -> io::Result<Client> {
        Client::connect_with(
            address,
            &format!("Host: {address}\r\nOrigin: http://{address}\r\n"),
        )
    }

    /// Sends a request.
    pub fn send(&mut self, text: &str) -> io::Result<()> {
        self.send_frame(0x81, text.as_bytes())
    }

    /// Sends a frame whose first byte is given; masked, as the standard asks of pages.
    pub fn send_frame(&mut self, first: u8, payload: &[u8]) -> io::Result<()> {
        let mut frame = vec![first];
        match payload.len() {
            length @ 0..=125 => frame.push(0x80 | length as u8),
            length @ 126..=0xffff => {
                frame.push(0x80 | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            length => {
                frame.push(0x80 | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        let mask = [0x12, 0x34, 0x56, 0x78u8];
        frame.extend(mask);
        frame.extend(payload.iter().zip(mask.iter().cycle()).map(|(b, m)| b ^ m));
        self.out.write_all(&frame)
    }

    /// Sends bytes as they are.
    pub fn send_raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    /// Waits for the next message.
    pub fn receive(&mut self) -> io::Result<Message> {
        loop {
            let mut start = [0; 2];
            self.reader.read_exact(&mut start)?;
            let length = match start[1] & 0x7f {
                126 => {
                    let mut bytes = [0; 2];
                    self.reader.read_exact(&mut bytes)?;
                    usize::from(u16::from_be_bytes(bytes))
                }
                127 => {
                    let mut bytes = [0; 8];
                    self.reader.read_exact(&mut bytes)?;
                    usize::try_from(u64::from_be_bytes(bytes)).map_err(|_| broken("too long"))?
                }
                short => usize::from(short),
            };
            let mut payload = vec![0; length];
            self.reader.read_exact(&mut payload)?;
            match start[0] & 0x0f {
                1 => {
                    let value = serde_json::from_slice(&payload);
                    return value.map(Message::Text).map_err(io::Error::other);
                }
                2 => {
                    let packet = Received::read(&payload).ok_or_else(|| broken("no packet"))?;
                    return Ok(Message::Packet(packet, length));
                }
                8 => return Err(io::ErrorKind::ConnectionAborted.into()),
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
