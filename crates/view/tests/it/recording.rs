//! Recordings that are made, fetched and played.

use crate::common::{frame, get, page, raw, serve};
use pliant_view::{Listen, Player, Server};
use std::io::{Read, Write};
use std::net::TcpStream;

#[test]
fn a_session_is_recorded_fetched_and_played() {
    let server = serve("cantilever", false);
    let mut live = page(&server);
    live.send(r#"{"do":"record","on":true}"#).unwrap();
    live.status(|s| s["recording"] == true).unwrap();
    for _ in 0..20 {
        live.send(r#"{"do":"step"}"#).unwrap();
    }
    live.send(r#"{"do":"record","on":false}"#).unwrap();
    live.status(|s| s["recording"] == false && s["recorded"].as_u64() > Some(1))
        .unwrap();
    let last = frame(&mut live, |f| f.head["step"] == 20);
    let address = server.addresses()[0];
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET /recording.pliant HTTP/1.1\r\nHost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let body = answer.windows(4).position(|w| w == b"\r\n\r\n").unwrap() + 4;
    server.stop();

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fetched.pliant");
    std::fs::write(&path, &answer[body..]).unwrap();
    let player = Player::open(&path, false).unwrap();
    let server = Server::start(Listen::default(), Box::new(player), |work| work()).unwrap();
    let mut page = page(&server);
    let (scene, _) = page.packet("scene").unwrap();
    assert_eq!(scene.head["live"], false);
    let times = scene.f32("times").unwrap();
    assert!(times.len() > 2);
    page.send(&format!(r#"{{"do":"seek","frame":{}}}"#, times.len() - 1))
        .unwrap();
    let shown = frame(&mut page, |f| f.head["index"] == times.len() - 1);
    let (a, b) = (last.f32("x0").unwrap(), shown.f32("x0").unwrap());
    assert_eq!(a.len(), b.len());
    if shown.head["time"] == last.head["time"] {
        let far = a
            .iter()
            .zip(&b)
            .fold(0.0f32, |m, (a, b)| m.max((a - b).abs()));
        assert!(far < 1e-5, "{far}");
    }
    page.send(r#"{"do":"view","field":"stress"}"#).unwrap();
    frame(&mut page, |f| f.f32("s0").is_some());
    page.send(r#"{"do":"reset"}"#).unwrap();
    page.send(r#"{"do":"play"}"#).unwrap();
    frame(&mut page, |f| f.head["index"].as_u64() > Some(1));
    page.send(r#"{"do":"cut","point":[0,0,0],"normal":[1,0,0]}"#)
        .unwrap();
    page.status(|s| {
        s["notice"]["text"]
            .as_str()
            .is_some_and(|t| t.contains("recording"))
    })
    .unwrap();
    server.stop();
}

#[test]
fn there_is_nothing_to_fetch_before_one_was_made() {
    let server = serve("cantilever", false);
    assert!(get(&server, "/recording.pliant").starts_with("HTTP/1.1 404"));
    let address = server.addresses()[0];
    let answer = raw(
        address,
        format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes(),
    );
    assert!(answer.starts_with("HTTP/1.1 200"));
    server.stop();
}
