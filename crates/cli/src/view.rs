//! `pliant view`: a scene or a recording in the browser.

use crate::args::{self, Cli, ViewArgs};
use crate::failure::Failure;
use crate::output::RECORDING;
use crate::stepping;
use pliant_view::source::Source;
use pliant_view::{Listen, Live, Loader, Player, Server};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Serves until Ctrl-C.
pub fn run(args: &ViewArgs, cli: &Cli) -> Result<Value, Failure> {
    let threads = args::threads(args.threads)?;
    let source = source(args)?;
    let listen = Listen {
        address: args.listen,
        port: args.port,
    };
    if let Some(address) = args.listen.filter(|a| !a.is_loopback()) {
        eprintln!(
            "warning: listening at {address}: everybody who can reach this address can watch and steer the simulation; \
             nothing is encrypted and nobody is asked for a password"
        );
    }
    let server = Server::start(listen, source, pool(threads))
        .map_err(|e| Failure::usage(e.to_string(), Some("choose another --port".into())))?;
    let (url, port) = (server.url(), server.addresses().first().map(|a| a.port()));
    let stop = server.stopper();
    ctrlc::set_handler(stop)
        .map_err(|e| Failure::usage(format!("cannot wait for Ctrl-C: {e}"), None))?;
    // a line for people, or the object for programs, which need the address before the end
    match cli.json {
        true => println!("{}", json!({ "url": url, "port": port })),
        false => println!("{url}"),
    }
    if !cli.quiet {
        eprintln!("Ctrl-C stops.");
    }
    if !args.no_open {
        open(&url);
    }
    server.wait();
    if !cli.quiet {
        eprintln!("stopped");
    }
    Ok(Value::Null)
}

/// Runs the simulation with its threads.
pub fn pool(threads: usize) -> impl FnOnce(Box<dyn FnOnce() + Send>) + Send + 'static {
    move |work| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        match pool {
            Ok(pool) => pool.install(work),
            Err(_) => work(),
        }
    }
}

/// What is asked for: a recording if it is a file or folder of one, else a scene.
fn source(args: &ViewArgs) -> Result<Box<dyn Source>, Failure> {
    let name = args.what.as_deref().unwrap_or("demo");
    if let Some(path) = recording(name) {
        let player = Player::open(&path, !args.paused);
        let player = player.map_err(|e| {
            Failure::usage(format!("cannot show `{}`: {e}", path.display()), None)
                .help("give a recording, the folder of a run, or a scene")
        })?;
        return Ok(Box::new(player));
    }
    let method = args.method.as_deref().map(stepping::method).transpose()?;
    // once here, so that mistakes in the scene are shown with their place
    stepping::load_from(name, args.assets.as_deref())?;
    let live = Live::new(loader(args.assets.clone()), name, method, !args.paused);
    Ok(Box::new(live.map_err(|e| Failure::usage(e, None))?))
}

/// Scenes by name or path, as other commands find them.
pub fn loader(assets: Option<PathBuf>) -> Loader {
    Box::new(move |name| {
        let found = stepping::find(name, assets.as_deref());
        found.map_err(|failure| failure.message().to_string())
    })
}

fn recording(name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    let inside = path.join(RECORDING);
    if path.is_dir() && inside.is_file() {
        return Some(inside);
    }
    let is_recording = path.extension().is_some_and(|e| e == "pliant");
    (is_recording && path.is_file()).then(|| path.to_path_buf())
}

/// Asks the system to show an address; where that does not work the address has been printed.
fn open(url: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(url);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let _ = command.spawn();
}
