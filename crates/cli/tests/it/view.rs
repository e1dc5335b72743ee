//! `pliant view` as a process: its address, its page, its end.

use crate::common::*;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

fn start(shell: &Shell, arguments: &[&str]) -> (Child, String) {
    let mut command = shell.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    (child, line.trim().to_string())
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[cfg(unix)]
#[test]
fn it_serves_until_it_is_interrupted() {
    let shell = Shell::new();
    let (mut child, line) = start(&shell, &["view", "cantilever", "--no-open"]);
    let address = line.strip_prefix("http://").unwrap().trim_end_matches('/');
    assert!(address.starts_with("127.0.0.1:"), "{line}");
    let page = get(address, "/");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("/viewer.js"));
    let script = get(address, "/viewer.js");
    // the bundle is really in it, and below the limit of the repository
    assert!(
        (100_000..1_000_000).contains(&script.len()),
        "{}",
        script.len()
    );
    let interrupted = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupted.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn mistakes_are_explained() {
    let shell = Shell::new();
    for (arguments, told) in [
        (&["view", "nowhere", "--no-open"][..], "nowhere"),
        (&["view", "demo", "--method", "fulll", "--no-open"], "full"),
        (&["view", "demo", "--listen", "somewhere"], "somewhere"),
        // not an address of this machine
        (
            &["view", "demo", "--no-open", "--listen", "203.0.113.7"],
            "203.0.113.7",
        ),
    ] {
        let output = shell.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(told), "{arguments:?}: {text}");
    }
    shell.write("broken.pliant", "no recording");
    let output = shell.run(&["view", "broken.pliant", "--no-open"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("not a Pliant recording"));
}
