//! Who is let in.

use crate::common::{get, page, raw, serve};
use pliant_view::client::Client;

#[test]
fn only_this_machine_is_listened_to() {
    let server = serve("cantilever", false);
    assert!(server.addresses().iter().all(|a| a.ip().is_loopback()));
    let other = server.addresses().iter().find(|a| a.is_ipv6());
    if let Some(address) = other {
        let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n");
        assert!(raw(*address, request.as_bytes()).starts_with("HTTP/1.1 200"));
    }
    server.stop();
}

#[test]
fn other_sites_are_refused() {
    let server = serve("cantilever", false);
    let address = server.addresses()[0];
    for (host, origin) in [
        ("evil.example".to_string(), None),
        (format!("evil.example:{}", address.port()), None),
        (address.to_string(), Some("http://evil.example".to_string())),
        (address.to_string(), Some("null".to_string())),
        (address.to_string(), Some(format!("https://{address}"))),
    ] {
        let refused = Client::connect_from(address, &host, origin.as_deref());
        let refused = refused.unwrap_err().to_string();
        let origin = origin.map_or_else(String::new, |o| format!("Origin: {o}\r\n"));
        let headers = format!("Host: {host}\r\n{origin}");
        assert!(refused.contains("403"), "{headers}: {refused}");
        let answer = raw(
            address,
            format!("GET / HTTP/1.1\r\n{headers}\r\n").as_bytes(),
        );
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    }
    let local = format!("localhost:{}", address.port());
    Client::connect_from(address, &local, Some(&format!("http://{local}"))).unwrap();
    server.stop();
}

#[test]
fn no_path_leads_out() {
    let server = serve("cantilever", false);
    for path in [
        "/../../etc/passwd",
        "/..%2f..%2fetc/passwd",
        "//etc/passwd",
        "/viewer.js/../../Cargo.toml",
        "/%00",
        "/viewer",
        "/socket/",
    ] {
        assert!(get(&server, path).starts_with("HTTP/1.1 404"), "{path}");
    }
    let answer = get(&server, "/viewer.js?x=/../..");
    assert!(answer.starts_with("HTTP/1.1 200"));
    assert!(answer.contains("default-src 'none'"));
    server.stop();
}

#[test]
fn pages_cannot_name_files() {
    let server = serve("cantilever", false);
    let mut page = page(&server);
    page.send(r#"{"do":"scene","name":"../../etc/passwd"}"#)
        .unwrap();
    page.status(|s| {
        s["notice"]["text"]
            .as_str()
            .is_some_and(|t| t.contains("no scene"))
    })
    .unwrap();
    server.stop();
}

#[test]
fn there_is_a_limit_to_pages() {
    let server = serve("cantilever", false);
    let pages: Vec<_> = (0..pliant_view::hub::MOST_PAGES)
        .map(|_| page(&server))
        .collect();
    let refused = Client::connect(server.addresses()[0]).unwrap_err();
    assert!(refused.to_string().contains("503"), "{refused}");
    drop(pages);
    server.stop();
}
