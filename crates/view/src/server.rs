//! Listening, and a thread for each connection.

use crate::connection;
use crate::engine::Engine;
use crate::hub::Hub;
use crate::source::Source;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use thiserror::Error;

/// Most connections at a time, those of files included.
const MOST_CONNECTIONS: usize = 128;

/// Where to listen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Listen {
    /// Another address than those of this machine alone; anybody who can reach it can watch and steer.
    pub address: Option<IpAddr>,
    /// Port; 0 for any that is free.
    pub port: u16,
}

/// Why the server does not start.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The address is not free.
    #[error("cannot listen at {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// No thread.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
}

/// A server that runs.
pub struct Server {
    hub: Arc<Hub>,
    addresses: Vec<SocketAddr>,
    engine: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens, and simulates on a thread that `run` may put into a pool of its own.
    pub fn start(
        listen: Listen,
        source: Box<dyn Source>,
        run: impl FnOnce(Box<dyn FnOnce() + Send>) + Send + 'static,
    ) -> Result<Server, ServerError> {
        let listeners = listeners(listen)?;
        let addresses = listeners.iter().map(TcpListener::local_addr);
        let addresses: Vec<SocketAddr> = addresses.collect::<Result<_, _>>()?;
        let hosts = Arc::new(hosts(&addresses));
        let hub = Arc::new(Hub::default());
        let count = Arc::new(AtomicUsize::new(0));
        for listener in listeners {
            let (hub, hosts, count) = (Arc::clone(&hub), Arc::clone(&hosts), Arc::clone(&count));
            thread::Builder::new()
                .name("listen".into())
                .spawn(move || accept(&listener, &hub, &hosts, &count))?;
        }
        let engine = Engine::new(source, Arc::clone(&hub));
        let engine = thread::Builder::new()
            .name("simulation".into())
            .spawn(move || run(Box::new(move || engine.run())))?;
        Ok(Server {
            hub,
            addresses,
            engine: Some(engine),
        })
    }

    /// Where it listens.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// The address for a browser.
    pub fn url(&self) -> String {
        let first = self.addresses.first();
        first.map_or_else(String::new, |address| format!("http://{address}/"))
    }

    /// Something that stops it from another thread.
    pub fn stopper(&self) -> impl Fn() + Send + 'static {
        let hub = Arc::clone(&self.hub);
        move || hub.stop()
    }

    /// Stops, says good-bye to the pages and waits for the simulation to end.
    pub fn stop(mut self) {
        self.hub.stop();
        self.join();
    }

    /// Waits until somebody stops it.
    pub fn wait(mut self) {
        self.join();
    }

    fn join(&mut self) {
        if let Some(engine) = self.engine.take() {
            let _ = engine.join();
        }
        self.hub.stop(); // where the simulation ended by itself
        for address in &self.addresses {
            // wakes the listener, which then ends
            let _ = TcpStream::connect_timeout(address, Duration::from_millis(200));
        }
        thread::sleep(Duration::from_millis(30)); // for the last words to the pages
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.engine.is_some() {
            self.hub.stop();
            self.join();
        }
    }
}

/// For both kinds of loopback addresses where there are both, on the same port.
fn listeners(listen: Listen) -> Result<Vec<TcpListener>, ServerError> {
    let bind = |address: IpAddr, port: u16| {
        let address = SocketAddr::new(address, port);
        TcpListener::bind(address).map_err(|source| ServerError::Listen { address, source })
    };
    if let Some(address) = listen.address {
        return Ok(vec![bind(address, listen.port)?]);
    }
    let first = bind(Ipv4Addr::LOCALHOST.into(), listen.port)?;
    let port = first.local_addr()?.port();
    let mut all = vec![first];
    // a machine without IPv6, or one where somebody else has that port, does without
    all.extend(bind(Ipv6Addr::LOCALHOST.into(), port).ok());
    Ok(all)
}

/// What browsers may call us.
fn hosts(addresses: &[SocketAddr]) -> Vec<String> {
    let mut hosts: Vec<String> = addresses.iter().map(SocketAddr::to_string).collect();
    for address in addresses {
        let port = address.port();
        hosts.push(format!("localhost:{port}"));
        if address.ip().is_unspecified() {
            hosts.push(format!("127.0.0.1:{port}"));
            hosts.push(format!("[::1]:{port}"));
        }
        if port == 80 {
            hosts.push(address.ip().to_string());
            hosts.push("localhost".into());
        }
    }
    hosts
}

fn accept(
    listener: &TcpListener,
    hub: &Arc<Hub>,
    hosts: &Arc<Vec<String>>,
    count: &Arc<AtomicUsize>,
) {
    for stream in listener.incoming() {
        if hub.is_stopped() {
            return;
        }
        let Ok(stream) = stream else {
            thread::sleep(Duration::from_millis(10)); // out of files, perhaps: others will close theirs
            continue;
        };
        if count.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
            count.fetch_sub(1, Ordering::Relaxed);
            continue; // dropped, which closes it
        }
        let (hub, hosts, own) = (Arc::clone(hub), Arc::clone(hosts), Arc::clone(count));
        let started = thread::Builder::new()
            .name("connection".into())
            .spawn(move || {
                connection::serve(stream, &hub, &hosts);
                own.fetch_sub(1, Ordering::Relaxed);
            });
        if started.is_err() {
            count.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
