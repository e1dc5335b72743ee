//! As much of HTTP/1.1 as a page needs: one request a connection, bounded, `GET` only; strangers are refused.
//!
//! Other web sites must not steer a simulation or read it: their pages can reach this machine, but they cannot choose the
//! `Host` and `Origin` headers that a browser sends. So both must name an address that we listen at.

use std::io::{self, Read, Write};
use thiserror::Error;

/// Longest head of a request, bytes.
const LONGEST_HEAD: usize = 16 << 10;
/// Most header lines.
const MOST_HEADERS: usize = 100;

/// A request that has been read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Path without query.
    pub path: String,
    headers: Vec<(String, String)>,
}

/// Why a request is not answered with what it asks for.
#[derive(Debug, Error)]
pub enum RequestError {
    /// The connection broke.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An answer with this status.
    #[error("{0} {1}")]
    Refused(u16, &'static str),
}

fn refuse<T>(status: u16, reason: &'static str) -> Result<T, RequestError> {
    Err(RequestError::Refused(status, reason))
}

impl Request {
    /// Reads the head of a request.
    pub fn read(stream: &mut impl Read) -> Result<Request, RequestError> {
        let mut head = Vec::new();
        let mut byte = [0];
        // one by one from a buffered stream, so that nothing after the head is taken
        while !head.ends_with(b"\r\n\r\n") {
            if head.len() >= LONGEST_HEAD {
                return refuse(431, "Request Header Fields Too Large");
            }
            stream.read_exact(&mut byte)?;
            head.push(byte[0]);
        }
        Request::parse(&head)
    }

    /// From the bytes of a head, empty line included.
    pub fn parse(head: &[u8]) -> Result<Request, RequestError> {
        const BAD: (u16, &str) = (400, "Bad Request");
        let Ok(text) = std::str::from_utf8(head) else {
            return refuse(BAD.0, BAD.1);
        };
        let mut lines = text.split("\r\n");
        let words: Vec<&str> = lines.next().unwrap_or("").split(' ').collect();
        let [method, target, version] = words[..] else {
            return refuse(BAD.0, BAD.1);
        };
        if !version.starts_with("HTTP/1.") || !target.starts_with('/') {
            return refuse(BAD.0, BAD.1);
        }
        if method != "GET" {
            return refuse(405, "Method Not Allowed");
        }
        let mut headers = Vec::new();
        for line in lines.take_while(|line| !line.is_empty()) {
            let Some((name, value)) = line.split_once(':') else {
                return refuse(BAD.0, BAD.1);
            };
            let printable = |text: &str| {
                text.bytes()
                    .all(|b| (0x20..0x7f).contains(&b) || b == b'\t')
            };
            let token = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
            if name.is_empty() || !name.chars().all(token) || !printable(value) {
                return refuse(BAD.0, BAD.1);
            }
            headers.push((name.to_ascii_lowercase(), value.trim().to_string()));
            if headers.len() > MOST_HEADERS {
                return refuse(431, "Request Header Fields Too Large");
            }
        }
        let path = target.split(['?', '#']).next().unwrap_or("/");
        Ok(Request {
            path: path.to_string(),
            headers,
        })
    }

    /// The value of a header; none if it is absent or there twice.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(n, _)| n == name);
        let first = found.next()?;
        found.next().is_none().then_some(&first.1)
    }

    /// Whether the request comes from a page of ours, or from no page: see the file header.
    pub fn is_from_us(&self, hosts: &[String]) -> bool {
        let ours = |host: &str| hosts.iter().any(|h| h.eq_ignore_ascii_case(host));
        let host = self.header("host").is_some_and(ours);
        let named = self.headers.iter().any(|(name, _)| name == "origin");
        let origin = self
            .header("origin")
            .and_then(|o| o.strip_prefix("http://"));
        host && (!named || origin.is_some_and(ours))
    }

    /// The key of a WebSocket's handshake, if this is one.
    pub fn websocket_key(&self) -> Option<&str> {
        let lists = |name: &str, word: &str| {
            let value = self.header(name).unwrap_or("");
            value
                .split(',')
                .any(|v| v.trim().eq_ignore_ascii_case(word))
        };
        let asked = lists("connection", "upgrade") && lists("upgrade", "websocket");
        let version = self.header("sec-websocket-version") == Some("13");
        let key = self.header("sec-websocket-key")?;
        (asked && version && key.len() == 24).then_some(key)
    }
}

/// Headers of every answer: nothing but our own files may be loaded, and nobody may frame us.
const SAFETY: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n";

/// Writes an answer with a body, after which the connection ends.
pub fn respond(
    stream: &mut impl Write,
    status: u16,
    reason: &str,
    kind: &str,
    extra: &str,
    body: &[u8],
) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         Connection: close\r\n{SAFETY}{extra}\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    stream.flush()
}

/// Writes an answer without content.
pub fn respond_refused(stream: &mut impl Write, status: u16, reason: &str) -> io::Result<()> {
    let body = format!("{status} {reason}\n");
    respond(
        stream,
        status,
        reason,
        "text/plain; charset=utf-8",
        "",
        body.as_bytes(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Request, RequestError> {
        Request::parse(text.as_bytes())
    }

    fn status(text: &str) -> u16 {
        match parse(text) {
            Err(RequestError::Refused(status, _)) => status,
            _ => 200,
        }
    }

    #[test]
    fn heads() {
        let request = parse("GET /a?b#c HTTP/1.1\r\nHost: x\r\nOdd:  y \r\n\r\n").unwrap();
        assert_eq!(request.path, "/a");
        assert_eq!(request.header("odd"), Some("y"));
        assert_eq!(status("POST / HTTP/1.1\r\n\r\n"), 405);
        for bad in [
            "",
            "GET\r\n\r\n",
            "GET  / HTTP/1.1\r\n\r\n",
            "GET / SPDY\r\n\r\n",
            "GET http://evil/ HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "GET / HTTP/1.1\r\nbad name: x\r\n\r\n",
            "GET / HTTP/1.1\r\nx: \u{1}\r\n\r\n",
        ] {
            assert_eq!(status(bad), 400, "{bad:?}");
        }
        let many = "a: b\r\n".repeat(101);
        assert_eq!(status(&format!("GET / HTTP/1.1\r\n{many}\r\n")), 431);
    }

    #[test]
    fn strangers() {
        let hosts = ["127.0.0.1:80".to_string(), "localhost:80".to_string()];
        let from_us = |headers: &str| {
            let request = parse(&format!("GET / HTTP/1.1\r\n{headers}\r\n\r\n"));
            request.unwrap().is_from_us(&hosts)
        };
        assert!(from_us("Host: localhost:80"));
        assert!(from_us("Host: 127.0.0.1:80\r\nOrigin: http://localhost:80"));
        for bad in [
            "X: y",
            "Host: evil.example:80",
            "Host: localhost:81",
            "Host: localhost:80\r\nHost: localhost:80",
            "Host: localhost:80\r\nOrigin: http://evil.example",
            "Host: localhost:80\r\nOrigin: null",
            "Host: localhost:80\r\nOrigin: https://localhost:80",
            "Host: localhost:80\r\nOrigin: http://localhost:80\r\nOrigin: http://localhost:80",
        ] {
            assert!(!from_us(bad), "{bad}");
        }
    }
}
