//! More than ten thousand requests and messages that are wrong in every way we could think of; the simulation goes on.

use crate::common::{frame, page, raw, serve, steps};
use pliant_linalg::random::Random;
use pliant_view::client::Client;
use std::io::Write;
use std::net::TcpStream;

const HTTP: usize = 3000;
const MESSAGES: usize = 9000;

#[test]
fn nonsense_closes_connections_and_nothing_else() {
    let server = serve("cantilever", true);
    let address = server.addresses()[0];
    let mut watching = page(&server);
    watching.send(r#"{"do":"speed","ratio":0}"#).unwrap();
    let before = frame(&mut watching, |_| true);
    let mut random = Random::new(10);
    for round in 0..HTTP {
        let request = bad_request(&mut random, round);
        let mut stream = TcpStream::connect(address).unwrap();
        let _ = stream.write_all(&request);
    }
    let mut sent = 0;
    let mut refused = 0;
    while sent < MESSAGES {
        let mut client = Client::connect(address).unwrap();
        // some connections carry harmless nonsense before what ends them
        for _ in 0..1 + random.below(4) {
            sent += 1;
            if bad_message(&mut random, sent, &mut client).is_err() {
                break;
            }
        }
        refused += 1;
        if refused % 50 == 0 {
            // the page that steers keeps up, so that what it gets is fresh
            frame(&mut watching, |_| true);
        }
    }
    let after = frame(&mut watching, |f| steps(f) > steps(&before));
    let later = frame(&mut watching, |f| steps(f) > steps(&after) + 20);
    assert!(later.f32("x0").unwrap().iter().all(|x| x.is_finite()));
    let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n");
    assert!(raw(address, request.as_bytes()).starts_with("HTTP/1.1 200"));
    server.stop();
}

/// Sends a frame whose first byte is given; masked, as the standard asks of pages.
fn send_frame(client: &mut Client, first: u8, payload: &[u8]) -> std::io::Result<()> {
    let mask = [0x12, 0x34, 0x56, 0x78u8];
    let mut frame = vec![first, 0x80 | payload.len() as u8];
    assert!(payload.len() < 126);
    frame.extend(mask);
    frame.extend(payload.iter().zip(mask.iter().cycle()).map(|(b, m)| b ^ m));
    client.send_raw(&frame)
}

fn noise(random: &mut Random, most: usize) -> Vec<u8> {
    (0..random.below(most))
        .map(|_| random.below(256) as u8)
        .collect()
}

fn bad_request(random: &mut Random, round: usize) -> Vec<u8> {
    let mut good =
        b"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:1\r\nUpgrade: websocket\r\n\r\n".to_vec();
    match round % 8 {
        0 => noise(random, 400),
        1 => vec![b'A'; 20_000],
        2 => format!("GET /{} HTTP/1.1\r\n\r\n", "../".repeat(random.below(60))).into_bytes(),
        3 => {
            good.truncate(random.below(good.len()));
            good
        }
        4 => {
            for _ in 0..1 + random.below(8) {
                let at = random.below(good.len());
                good[at] = random.below(256) as u8;
            }
            good
        }
        5 => format!("POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n", u64::MAX).into_bytes(),
        6 => ["GET / HTTP/1.1\r\n", &"x: y\r\n".repeat(300), "\r\n"]
            .concat()
            .into_bytes(),
        _ => Vec::new(),
    }
}

fn bad_message(random: &mut Random, round: usize, client: &mut Client) -> std::io::Result<()> {
    match round % 14 {
        0 => client.send_raw(&noise(random, 300)),
        1 => client.send("{"),
        2 => client.send(r#"{"do":"destroy"}"#),
        3 => client.send(&format!(r#"{{"do":"seek","frame":{}}}"#, -1)),
        4 => client.send(&"[".repeat(20_000)),
        5 => client.send(&"x".repeat(70_000)),
        6 => send_frame(client, 0x82, &noise(random, 100)),
        7 => send_frame(client, 0x83, b"reserved"),
        8 => send_frame(client, 0x89, &noise(random, 120)), // a ping: allowed
        9 => send_frame(client, 0x80, b"a continuation of nothing"),
        10 => client.send_raw(&[
            0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0,
        ]),
        11 => client.send(r#"{"do":"pull","point":[1e999,0,0]}"#),
        12 => client.send(r#"{"do":"grab","vertex":4294967295,"embedded":true,"point":[0,0,0]}"#),
        _ => send_frame(client, 0x81, &[0xff, 0xfe, 0xfd]),
    }
}
