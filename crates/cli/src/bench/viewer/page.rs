//! What a browser does with a frame, without a browser: it unpacks it, puts the corners of all triangles in their places, finds
//! normals, and says at the next refresh of the screen that it has shown it. The graphics card's part is not there.

use anyhow::{Context, Result};
use pliant_view::client::{Client, Message};
use pliant_view::packet::Received;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Time between refreshes of the screen.
const REFRESH: Duration = Duration::from_micros(16_667);

/// A page that watches.
pub struct Page {
    /// Its socket.
    pub client: Client,
    triangles: Vec<u32>,
    /// Whether they are of a surface that is carried along.
    carried: bool,
    /// Places and normals of all corners.
    corners: [Vec<f32>; 2],
    began: Instant,
}

impl Page {
    /// Opens a page and waits for the first scene.
    pub fn open(address: SocketAddr) -> Result<Page> {
        let mut client = Client::connect(address)?;
        let (scene, _) = client.packet("scene")?;
        let carried = scene.head["carried"] == true;
        let name = if carried {
            "carriedTriangles"
        } else {
            "triangles"
        };
        let triangles = scene.u32(name).context("a scene without triangles")?;
        client.send(r#"{"do":"view","embedded":true}"#)?;
        Ok(Page {
            client,
            corners: [0, 1].map(|_| vec![0.0; 3 * triangles.len()]),
            triangles,
            carried,
            began: Instant::now(),
        })
    }

    /// How many triangles it shows.
    pub fn triangles(&self) -> usize {
        self.triangles.len() / 3
    }

    /// Shows the next frame, and returns it with its length in bytes. Recordings that end are played again.
    pub fn show(&mut self) -> Result<(Received, usize)> {
        loop {
            match self.client.receive()? {
                Message::Packet(packet, length) if packet.kind() == "frame" => {
                    // what was on the way before it said what it wants to see is not drawn
                    let wanted = packet.head["carried"] == self.carried;
                    if wanted {
                        self.draw(&packet.f32("x0").context("a frame without places")?);
                        self.refresh();
                    }
                    self.client.send(r#"{"do":"ready"}"#)?;
                    if wanted {
                        return Ok((packet, length));
                    }
                }
                Message::Text(status) if status["live"] == false && status["playing"] == false => {
                    self.client.send(r#"{"do":"play"}"#)?;
                }
                _ => {}
            }
        }
    }

    /// As `move` in viewer/src/body.js does.
    fn draw(&mut self, x: &[f32]) {
        let [places, normals] = &mut self.corners;
        for (triangle, at) in self.triangles.chunks_exact(3).zip((0..).step_by(9)) {
            let corner = |k: usize| {
                let v = 3 * triangle[k] as usize;
                [x[v], x[v + 1], x[v + 2]]
            };
            let [a, b, c] = [corner(0), corner(1), corner(2)];
            let [u, v] = [b, c].map(|p| [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
            let normal = [
                u[1] * v[2] - u[2] * v[1],
                u[2] * v[0] - u[0] * v[2],
                u[0] * v[1] - u[1] * v[0],
            ];
            let length = normal.iter().map(|n| n * n).sum::<f32>().sqrt().max(1e-30);
            for (k, place) in [a, b, c].into_iter().enumerate() {
                places[at + 3 * k..][..3].copy_from_slice(&place);
                normals[at + 3 * k..][..3].copy_from_slice(&normal.map(|n| n / length));
            }
        }
        std::hint::black_box(&self.corners);
    }

    /// Waits for the next refresh.
    fn refresh(&self) {
        let past = self.began.elapsed().as_nanos() % REFRESH.as_nanos();
        std::thread::sleep(REFRESH - Duration::from_nanos(past as u64));
    }
}
