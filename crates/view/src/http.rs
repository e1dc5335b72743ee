//! What is asked for before a connection becomes a socket: one bounded request, `GET` only; strangers are refused.
//!
//! Other web sites must not steer a simulation or read it: their pages can reach this machine, but they cannot choose the
//! `Host` and `Origin` headers that a browser sends. So both must name an address that we listen at.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use thiserror::Error;
use tungstenite::error::{CapacityError, ProtocolError};
use tungstenite::handshake::machine::TryParse;
use tungstenite::handshake::server::{Request, write_response};
use tungstenite::http::{HeaderMap, Response, StatusCode, header};

/// Longest head of a request, bytes.
const LONGEST_HEAD: usize = 16 << 10;
/// How long it may take to come.
const HEAD_TIME: Duration = Duration::from_secs(5);

/// Why a request is not answered with what it asks for.
#[derive(Debug, Error)]
pub enum RequestError {
    /// The connection broke.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An answer with this status.
    #[error("{0}")]
    Refused(StatusCode),
}

/// Reads the head of a request; with it come the bytes that followed.
pub fn read(stream: &mut TcpStream) -> Result<(Request, Vec<u8>), RequestError> {
    let until = Instant::now() + HEAD_TIME;
    let (mut head, mut part) = (Vec::new(), [0; 2048]);
    loop {
        let left = until.saturating_duration_since(Instant::now());
        stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        let count = stream.read(&mut part)?;
        if count == 0 || left.is_zero() {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        head.extend_from_slice(&part[..count]);
        if let Some((request, length)) = parse(&head)? {
            return Ok((request, head.split_off(length)));
        }
    }
}

/// A request from the bytes of its head, and its length; none while there is more to come.
fn parse(head: &[u8]) -> Result<Option<(Request, usize)>, RequestError> {
    use tungstenite::Error::{Capacity, Protocol};
    let refused = |status| Err(RequestError::Refused(status));
    match Request::try_parse(head) {
        Ok(Some((length, _))) if length > LONGEST_HEAD => {
            refused(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE)
        }
        // a proxy's request names another server
        Ok(Some((_, request))) if request.uri().authority().is_some() => {
            refused(StatusCode::BAD_REQUEST)
        }
        Ok(Some((length, request))) => Ok(Some((request, length))),
        Ok(None) if head.len() > LONGEST_HEAD => {
            refused(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE)
        }
        Ok(None) => Ok(None),
        Err(Capacity(CapacityError::TooManyHeaders)) => {
            refused(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE)
        }
        Err(Protocol(ProtocolError::WrongHttpMethod)) => refused(StatusCode::METHOD_NOT_ALLOWED),
        Err(_) => refused(StatusCode::BAD_REQUEST),
    }
}

/// Whether a request comes from a page of ours, or from no page: see the file header.
pub fn is_from_us(headers: &HeaderMap, hosts: &[String]) -> bool {
    let ours = |host: &str| hosts.iter().any(|h| h.eq_ignore_ascii_case(host));
    let once = |name| {
        let mut values = headers.get_all(name).iter();
        let first = values.next()?.to_str().ok()?;
        values.next().is_none().then_some(first)
    };
    let origin = once(header::ORIGIN).and_then(|o| o.strip_prefix("http://"));
    let host = once(header::HOST).is_some_and(ours);
    host && (!headers.contains_key(header::ORIGIN) || origin.is_some_and(ours))
}

/// Headers of every answer: nothing but our own files may be loaded, and nobody may frame us.
const SAFETY: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; \
         img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-store"),
    ("connection", "close"),
];

/// Writes an answer with a body, after which the connection ends.
pub fn respond(
    out: &mut impl Write,
    status: StatusCode,
    headers: &[(&str, &str)],
    body: &[u8],
) -> tungstenite::Result<()> {
    let mut answer = Response::builder()
        .status(status)
        .header(header::CONTENT_LENGTH, body.len());
    for &(name, value) in SAFETY.iter().chain(headers) {
        answer = answer.header(name, value);
    }
    let mut head = Vec::new();
    write_response(&mut head, &answer.body(())?)?;
    out.write_all(&head)?;
    out.write_all(body)?;
    Ok(out.flush()?)
}

/// Writes an answer without content.
pub fn refuse(out: &mut impl Write, status: StatusCode) -> tungstenite::Result<()> {
    let kind = [("content-type", "text/plain; charset=utf-8")];
    respond(out, status, &kind, format!("{status}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(text: &str) -> u16 {
        match parse(text.as_bytes()) {
            Err(RequestError::Refused(status)) => status.as_u16(),
            Ok(Some(_)) => 200,
            _ => 0,
        }
    }

    #[test]
    fn heads() {
        let text = "GET /a?b#c HTTP/1.1\r\nHost: x\r\nOdd:  y \r\n\r\nmore";
        let (request, length) = parse(text.as_bytes()).unwrap().unwrap();
        assert_eq!(request.uri().path(), "/a");
        assert_eq!(request.headers()["odd"], "y");
        assert_eq!(&text[length..], "more");
        assert_eq!(status("GET / HTTP/1.1\r\nHost: x\r\n"), 0);
        assert_eq!(status("POST / HTTP/1.1\r\n\r\n"), 405);
        for bad in [
            "\u{1}\r\n\r\n",
            "GET\r\n\r\n",
            "GET / SPDY\r\n\r\n",
            "GET / HTTP/1.0\r\n\r\n",
            "GET http://evil/ HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "GET / HTTP/1.1\r\nbad name: x\r\n\r\n",
            "GET / HTTP/1.1\r\nx: \u{1}\r\n\r\n",
        ] {
            assert_eq!(status(bad), 400, "{bad:?}");
        }
        let many = "a: b\r\n".repeat(130);
        assert_eq!(status(&format!("GET / HTTP/1.1\r\n{many}\r\n")), 431);
        let long = "y".repeat(LONGEST_HEAD);
        assert_eq!(status(&format!("GET / HTTP/1.1\r\nx: {long}")), 431);
        assert_eq!(status(&format!("GET / HTTP/1.1\r\nx: {long}\r\n\r\n")), 431);
    }

    #[test]
    fn strangers() {
        let hosts = ["127.0.0.1:80".to_string(), "localhost:80".to_string()];
        let from_us = |headers: &str| {
            let head = format!("GET / HTTP/1.1\r\n{headers}\r\n\r\n");
            let (request, _) = parse(head.as_bytes()).unwrap().unwrap();
            is_from_us(request.headers(), &hosts)
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
