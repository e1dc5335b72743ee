//! The browser viewer on a thread of this process.

use crate::error;
use pliant_scene::{Sources, parse};
use pliant_view::source::Source;
use pliant_view::{Listen, Live, Loader, Player, Server};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Mutex;

/// A server that shows a scene or a recording.
#[pyclass(frozen, module = "pliant._pliant")]
pub struct ViewServer {
    server: Mutex<Option<Server>>,
    /// Address for a browser on this machine.
    #[pyo3(get)]
    url: String,
}

#[pymethods]
impl ViewServer {
    /// Shows a scene given as text.
    #[staticmethod]
    #[pyo3(signature = (text, name, base, assets, method, port, threads, paused))]
    #[allow(clippy::too_many_arguments)] // keywords in Python
    fn of_scene(
        py: Python<'_>,
        text: String,
        name: String,
        base: Option<PathBuf>,
        assets: Option<PathBuf>,
        method: Option<&str>,
        port: u16,
        threads: Option<usize>,
        paused: bool,
    ) -> PyResult<ViewServer> {
        let method = crate::engine::method(py, method)?;
        let first = name.clone();
        let assets = crate::engine::asset_folders(py, assets)?;
        let loader: Loader = Box::new(move |wanted| {
            if wanted != first {
                let found = pliant_cli::find(wanted, None);
                return found.map_err(|failure| failure.message().to_string());
            }
            let file = parse(&text, &first).map_err(|e| e.to_string())?;
            let sources = Sources {
                base: base.clone(),
                assets: assets.clone(),
            };
            Ok((file, sources))
        });
        let live = Live::new(loader, &name, method, !paused);
        let live = live.map_err(|why| error::refused(py, "SceneError", why))?;
        ViewServer::start(py, Box::new(live), port, threads)
    }

    /// Shows a recording.
    #[staticmethod]
    fn of_recording(
        py: Python<'_>,
        path: PathBuf,
        port: u16,
        paused: bool,
    ) -> PyResult<ViewServer> {
        let player = Player::open(&path, !paused).map_err(|e| {
            let message = format!("cannot show `{}`: {e}", path.display());
            error::refused(py, "RecordingError", message)
        })?;
        ViewServer::start(py, Box::new(player), port, Some(1))
    }

    /// Stops the server and waits for its simulation; nothing happens the second time.
    fn stop(&self, py: Python<'_>) {
        let server = self.server.lock().ok().and_then(|mut server| server.take());
        if let Some(server) = server {
            py.detach(|| server.stop());
        }
    }
}

impl ViewServer {
    fn start(
        py: Python<'_>,
        source: Box<dyn Source>,
        port: u16,
        threads: Option<usize>,
    ) -> PyResult<ViewServer> {
        let pool = crate::engine::pool(py, threads)?;
        let listen = Listen {
            address: None,
            port,
        };
        let server = Server::start(listen, source, move |work| pool.install(work));
        let server = server.map_err(|e| error::refused(py, "Error", e.to_string()))?;
        Ok(ViewServer {
            url: server.url(),
            server: Mutex::new(Some(server)),
        })
    }
}
