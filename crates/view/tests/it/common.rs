//! Servers and pages.

use pliant_scene::{Sources, embedded};
use pliant_view::client::Client;
use pliant_view::packet::Received;
use pliant_view::{Listen, Live, Loader, Server};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

pub fn loader() -> Loader {
    Box::new(|name| {
        let file = embedded(name).and_then(|scene| scene.parse());
        Ok((file.map_err(|e| e.to_string())?, Sources::default()))
    })
}

pub fn serve(scene: &str, playing: bool) -> Server {
    let live = Live::new(loader(), scene, None, playing).unwrap();
    Server::start(Listen::default(), Box::new(live), |work| work()).unwrap()
}

pub fn page(server: &Server) -> Client {
    Client::connect(server.addresses()[0]).unwrap()
}

/// Sends a request as it is and reads the answer, if there is one.
pub fn raw(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    let _ = stream.write_all(request);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

pub fn get(server: &Server, path: &str) -> String {
    let address = server.addresses()[0];
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    raw(address, request.as_bytes())
}

/// Frames until one fulfils a condition.
pub fn frame(client: &mut Client, wanted: impl Fn(&Received) -> bool) -> Received {
    for _ in 0..5000 {
        let (frame, _) = client.packet("frame").unwrap();
        if wanted(&frame) {
            return frame;
        }
    }
    panic!("no such frame came");
}

pub fn steps(frame: &Received) -> u64 {
    frame.head["step"].as_u64().unwrap()
}
