//! The frames of a WebSocket (RFC 6455), server side: no extensions, bounded lengths, anything else closes the connection.

use crate::sha1::{base64, sha1};
use std::io::{self, Read, Write};
use thiserror::Error;

/// Longest message that a page may send, bytes.
pub const LONGEST_MESSAGE: usize = 64 << 10;

/// What the answer to a handshake's key is.
pub fn accept_key(key: &str) -> String {
    const SUFFIX: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    base64(&sha1(format!("{key}{SUFFIX}").as_bytes()))
}

/// What a page sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming {
    /// A text.
    Text(String),
    /// It wants this back.
    Ping(Vec<u8>),
    /// An answer to a ping, which we do not send.
    Pong,
    /// It leaves.
    Close,
}

/// Why a connection ends.
#[derive(Debug, Error)]
pub enum WebSocketError {
    /// It broke.
    #[error("the connection broke: {0}")]
    Io(#[from] io::Error),
    /// The page does not follow the protocol, or not ours.
    #[error("the page broke the protocol: {0}")]
    Protocol(&'static str),
}

use WebSocketError::Protocol;

const CONTINUATION: u8 = 0;
const TEXT: u8 = 1;
const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// Reads frames until a message is complete; keeps the parts of a text between control frames.
#[derive(Debug, Default)]
pub struct Assembler {
    text: Option<Vec<u8>>,
}

impl Assembler {
    /// The next message or control frame.
    pub fn next(&mut self, stream: &mut impl Read) -> Result<Incoming, WebSocketError> {
        loop {
            let (last, code, payload) = read_frame(stream)?;
            match code {
                PING => return Ok(Incoming::Ping(payload)),
                PONG => return Ok(Incoming::Pong),
                CLOSE => return Ok(Incoming::Close),
                TEXT if self.text.is_none() => self.text = Some(payload),
                CONTINUATION => match &mut self.text {
                    None => return Err(Protocol("a continuation of nothing")),
                    Some(text) if text.len() + payload.len() > LONGEST_MESSAGE => {
                        return Err(Protocol("the message is too long"));
                    }
                    Some(text) => text.extend(payload),
                },
                BINARY => return Err(Protocol("binary messages are not understood")),
                _ => return Err(Protocol("a frame of an unknown kind or out of order")),
            }
            if last && let Some(text) = self.text.take() {
                let text = String::from_utf8(text);
                return text
                    .map(Incoming::Text)
                    .map_err(|_| Protocol("text that is not UTF-8"));
            }
        }
    }
}

/// A frame of a page: whether it ends its message, its kind, what it carries.
fn read_frame(stream: &mut impl Read) -> Result<(bool, u8, Vec<u8>), WebSocketError> {
    let mut start = [0; 2];
    stream.read_exact(&mut start)?;
    let (last, code) = (start[0] & 0x80 != 0, start[0] & 0x0f);
    if start[0] & 0x70 != 0 {
        return Err(Protocol("reserved bits are set"));
    }
    if start[1] & 0x80 == 0 {
        return Err(Protocol("the frame is not masked"));
    }
    let control = code >= 8;
    let length = match start[1] & 0x7f {
        126 => {
            let mut bytes = [0; 2];
            stream.read_exact(&mut bytes)?;
            u64::from(u16::from_be_bytes(bytes))
        }
        127 => {
            let mut bytes = [0; 8];
            stream.read_exact(&mut bytes)?;
            u64::from_be_bytes(bytes)
        }
        short => u64::from(short),
    };
    if control && (length > 125 || !last) {
        return Err(Protocol("a control frame that is long or in parts"));
    }
    if length > LONGEST_MESSAGE as u64 {
        return Err(Protocol("the message is too long"));
    }
    let mut mask = [0; 4];
    stream.read_exact(&mut mask)?;
    let mut payload = vec![0; length as usize];
    stream.read_exact(&mut payload)?;
    for (index, byte) in payload.iter_mut().enumerate() {
        *byte ^= mask[index % 4];
    }
    Ok((last, code, payload))
}

/// What we send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outgoing {
    /// A packet.
    Binary,
    /// A text.
    Text,
    /// The answer to a ping.
    Pong,
    /// The end.
    Close,
}

/// Writes a message in one frame.
pub fn write_frame(stream: &mut impl Write, kind: Outgoing, payload: &[u8]) -> io::Result<()> {
    let code = match kind {
        Outgoing::Binary => BINARY,
        Outgoing::Text => TEXT,
        Outgoing::Pong => PONG,
        Outgoing::Close => CLOSE,
    };
    let mut head = [0; 10];
    head[0] = 0x80 | code;
    let used = match payload.len() {
        length @ 0..=125 => {
            head[1] = length as u8;
            2
        }
        length @ 126..=0xffff => {
            head[1] = 126;
            head[2..4].copy_from_slice(&(length as u16).to_be_bytes());
            4
        }
        length => {
            head[1] = 127;
            head[2..10].copy_from_slice(&(length as u64).to_be_bytes());
            10
        }
    };
    stream.write_all(&head[..used])?;
    stream.write_all(payload)?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(first: u8, payload: &[u8]) -> Vec<u8> {
        let mut frame = vec![first, 0x80 | payload.len() as u8, 1, 2, 3, 4];
        frame.extend(
            payload
                .iter()
                .zip([1, 2, 3, 4].iter().cycle())
                .map(|(b, m)| b ^ m),
        );
        frame
    }

    #[test]
    fn parts_are_put_together_around_control_frames() {
        let mut bytes = masked(0x01, b"hal");
        bytes.extend(masked(0x89, b"are you there"));
        bytes.extend(masked(0x80, b"lo"));
        let mut stream = &bytes[..];
        let mut assembler = Assembler::default();
        let first = assembler.next(&mut stream).unwrap();
        assert_eq!(first, Incoming::Ping(b"are you there".to_vec()));
        let second = assembler.next(&mut stream).unwrap();
        assert_eq!(second, Incoming::Text("hallo".into()));
    }

    #[test]
    fn what_is_against_the_rules_is_refused() {
        let unmasked = vec![0x81, 2, b'h', b'i'];
        let long = [0x81, 0xff, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0].to_vec();
        let huge = [
            0x81, 0xff, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0,
        ]
        .to_vec();
        for bad in [
            unmasked,
            long,
            huge,
            masked(0x80, b"continues nothing"),
            masked(0x82, b"binary"),
            masked(0x83, b"unknown"),
            masked(0xc1, b"reserved"),
            masked(0x09, b"ping in parts"),
            masked(0x81, &[0xff, 0xfe]),
        ] {
            let refused = Assembler::default().next(&mut &bad[..]);
            assert!(matches!(refused, Err(Protocol(_))), "{bad:?}");
        }
    }

    #[test]
    fn lengths_are_written_in_the_shortest_way() {
        for (length, head) in [(5, 2), (125, 2), (126, 4), (65_535, 4), (65_536, 10)] {
            let mut out = Vec::new();
            write_frame(&mut out, Outgoing::Binary, &vec![7; length]).unwrap();
            assert_eq!(out.len(), head + length);
            assert_eq!(out[0], 0x82);
        }
    }
}
