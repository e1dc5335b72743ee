//! Recordings of runs: versioned, compressed, seekable, readable up to the last whole frame after a crash.
//!
//! The format is described in `docs/recording.md`: a 16-byte start, then chunks (tag, crc32, lengths, zlib payload):
//! header, geometry, frames, index. Displacements are single precision; the geometry is double.

mod chunk;
mod obstacle;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use obstacle::{
    Look, RecordedMotion, RecordedObstacle, RecordedObstacles, RecordedProfile, RecordedTurn,
};
pub use reader::{FrameEntry, RecordedFrame, RecordingReader};
pub use writer::{Frame, RecordingPosition, RecordingWriter};

use crate::build::Scene;
use pliant_linalg::Vec3;
use pliant_mesh::embed::Embedding;
use serde::{Deserialize, Serialize};
use std::io;
use thiserror::Error;

/// Version of the format that is written; version 1, without masses, regions and render surfaces, is read too.
pub const VERSION: u32 = 2;

/// What a recording says of itself, as JSON in its first chunk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordingInfo {
    /// Title of the scene.
    pub title: String,
    /// One line about it.
    pub description: String,
    /// Name of the scene.
    pub scene: String,
    /// Name of the method.
    pub method: String,
    /// Time step, s.
    pub step: f64,
    /// Steps between frames.
    pub stride: u64,
    /// Nodes of all bodies.
    pub nodes: usize,
    /// Elements of all bodies.
    pub elements: usize,
    /// Whether frames hold velocities.
    pub velocities: bool,
    /// Whether frames hold von Mises stresses.
    pub stress: bool,
    /// Names of the regions that elements refer to, all different.
    #[serde(default)]
    pub regions: Vec<String>,
    /// The bodies.
    pub bodies: Vec<RecordedBody>,
}

/// A body of a recording: ranges [first, end) of its nodes, elements and surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedBody {
    /// Name.
    pub name: String,
    /// Whether it is planar.
    pub planar: bool,
    /// Its nodes.
    pub nodes: [usize; 2],
    /// Its elements.
    pub elements: [usize; 2],
    /// Its surface triangles.
    pub triangles: [usize; 2],
    /// Its boundary edges, if it is planar.
    pub edges: [usize; 2],
    /// Vertices of its render surface; an empty range if it has none.
    #[serde(default)]
    pub render_vertices: [usize; 2],
    /// Triangles of its render surface.
    #[serde(default)]
    pub render_triangles: [usize; 2],
}

impl RecordedBody {
    /// Whether a surface of its own is carried along for pictures.
    pub fn has_render_surface(&self) -> bool {
        self.render_triangles[0] < self.render_triangles[1]
    }
}

/// The constant part of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordingHeader {
    /// What the recording says of itself.
    pub info: RecordingInfo,
    /// Rest positions, m.
    pub rest: Vec<Vec3>,
    /// Corners of the elements; triangles repeat their first.
    pub elements: Vec<[u32; 4]>,
    /// Outward triangles of the surfaces of solids.
    pub triangles: Vec<[u32; 3]>,
    /// Boundary edges of planar bodies, the body on their left.
    pub edges: Vec<[u32; 2]>,
    /// Lumped masses of the nodes, kg; of version 1, which has none, rest volumes in m³.
    pub masses: Vec<f64>,
    /// For each element an index into the names of the regions.
    pub regions: Vec<u32>,
    /// Surfaces carried along for pictures.
    pub render: RenderSurfaces,
    /// Obstacles; recordings of earlier programs have none.
    pub obstacles: RecordedObstacles,
}

/// Triangles whose vertices ride on elements: vertex i is Σₖ wᵢₖ x(corner k of element i).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenderSurfaces {
    /// Outward triangles, vertices numbered through all bodies.
    pub triangles: Vec<[u32; 3]>,
    /// The element that each vertex rides on.
    pub elements: Vec<u32>,
    /// Barycentric weights of its corners; they sum to one.
    pub weights: Vec<[f64; 4]>,
}

impl RecordingHeader {
    /// The header for a run of `scene`.
    pub fn new(scene: &Scene) -> Self {
        let model = &scene.model;
        let (mut triangles, mut edges) = (Vec::new(), Vec::new());
        let mut render = RenderSurfaces::default();
        let mut bodies = Vec::new();
        for (index, body) in model.bodies.iter().enumerate() {
            let (first_vertex, first_face) = (render.elements.len(), render.triangles.len());
            if let Some(Some(embedding)) = scene.embeddings.get(index) {
                render.add(embedding, body.elements.start);
            }
            let offset = body.nodes.start as u32;
            let (first_triangle, first_edge) = (triangles.len(), edges.len());
            // with the faces of cuts to come, which lie upon each other inside
            let surface = model.split_surface(index);
            triangles.extend(surface.triangles.iter().map(|t| t.map(|n| n + offset)));
            edges.extend(surface.edges.iter().map(|e| e.map(|n| n + offset)));
            bodies.push(RecordedBody {
                name: body.name.clone(),
                planar: body.planar,
                nodes: [body.nodes.start, body.nodes.end],
                elements: [body.elements.start, body.elements.end],
                triangles: [first_triangle, triangles.len()],
                edges: [first_edge, edges.len()],
                render_vertices: [first_vertex, render.elements.len()],
                render_triangles: [first_face, render.triangles.len()],
            });
        }
        RecordingHeader {
            info: RecordingInfo {
                title: scene.title.clone(),
                description: scene.description.clone(),
                scene: scene.name.clone(),
                method: scene.method.name().to_string(),
                step: scene.settings.h,
                stride: scene.record.stride(scene.settings.h),
                nodes: model.node_count(),
                elements: model.element_count(),
                velocities: scene.record.velocities,
                stress: scene.record.stress,
                regions: scene.region_names.clone(),
                bodies,
            },
            rest: model.rest.clone(),
            elements: model.split_element_nodes().to_vec(),
            triangles,
            edges,
            masses: model.split_mass().to_vec(),
            regions: scene.regions.clone(),
            render,
            obstacles: RecordedObstacles::new(scene),
        }
    }

    /// Whether counts, ranges and node numbers fit together.
    fn is_consistent(&self) -> bool {
        let info = &self.info;
        let render = &self.render;
        let counts = info.nodes == self.rest.len()
            && info.nodes == self.masses.len()
            && info.elements == self.elements.len()
            && info.elements == self.regions.len();
        let within = |[first, end]: [usize; 2], count: usize| first <= end && end <= count;
        let ranges = info.bodies.iter().all(|b| {
            within(b.nodes, info.nodes)
                && within(b.elements, info.elements)
                && within(b.triangles, self.triangles.len())
                && within(b.edges, self.edges.len())
                && within(b.render_vertices, render.elements.len())
                && within(b.render_triangles, render.triangles.len())
        });
        if !(counts && ranges) {
            return false;
        }
        let below = |list: &[u32], count: usize| list.iter().all(|&n| (n as usize) < count);
        let carried = render.elements.len() == render.weights.len()
            && below(&render.elements, info.elements)
            && below(render.triangles.as_flattened(), render.elements.len())
            && info.bodies.iter().all(|b| render.stays_within(b));
        let known = |nodes: &[u32]| below(nodes, info.nodes);
        let own = |b: &RecordedBody| {
            let own_nodes = (b.nodes[0] as u32)..(b.nodes[1] as u32);
            let inside = |nodes: &[u32]| nodes.iter().all(|n| own_nodes.contains(n));
            inside(self.elements[b.elements[0]..b.elements[1]].as_flattened())
                && inside(self.triangles[b.triangles[0]..b.triangles[1]].as_flattened())
                && inside(self.edges[b.edges[0]..b.edges[1]].as_flattened())
        };
        carried
            && self.obstacles.is_consistent()
            && info.bodies.iter().all(own)
            && below(&self.regions, info.regions.len())
            && known(self.elements.as_flattened())
            && known(self.triangles.as_flattened())
            && known(self.edges.as_flattened())
    }
}

impl RenderSurfaces {
    /// Adds the surface of a body whose elements begin at `first_element`.
    fn add(&mut self, surface: &Embedding, first_element: usize) {
        let offset = self.elements.len() as u32;
        let moved = surface.triangles.iter().map(|t| t.map(|v| v + offset));
        self.triangles.extend(moved);
        let moved = surface.elements.iter().map(|e| e + first_element as u32);
        self.elements.extend(moved);
        self.weights.extend_from_slice(&surface.weights);
    }

    /// Whether the surface of `body`, whose ranges exist, uses no vertex and no element of another body.
    fn stays_within(&self, body: &RecordedBody) -> bool {
        let inside = |[first, end]: [usize; 2], n: u32| (first..end).contains(&(n as usize));
        let [first, end] = body.render_vertices;
        let own = &self.elements[first..end];
        let [first, end] = body.render_triangles;
        let faces = self.triangles[first..end].as_flattened();
        own.iter().all(|&e| inside(body.elements, e))
            && faces.iter().all(|&v| inside(body.render_vertices, v))
    }
}

/// Rest volumes shared equally among the corners of each element, m³ (m² of planar bodies).
fn lumped_volumes(rest: &[Vec3], elements: &[[u32; 4]]) -> Vec<f64> {
    let mut volumes = vec![0.0; rest.len()];
    for &nodes in elements {
        let [a, b, c, d] = nodes.map(|n| rest[n as usize]);
        let cross = (b - a).cross(c - a);
        let (corners, volume) = match nodes[3] == nodes[0] {
            true => (&nodes[..3], cross.norm() / 2.0),
            false => (&nodes[..], cross.dot(d - a).abs() / 6.0),
        };
        for &n in corners {
            volumes[n as usize] += volume / corners.len() as f64;
        }
    }
    volumes
}

impl RecordingInfo {
    /// Single-precision numbers in a frame, if the count can be represented.
    fn floats_per_frame(&self) -> Option<usize> {
        let vectors = 1 + usize::from(self.velocities);
        let stresses = if self.stress { self.elements } else { 0 };
        self.nodes.checked_mul(3 * vectors)?.checked_add(stresses)
    }
}

/// Why a recording cannot be written or read.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// The file system refuses.
    #[error("recording: {0}")]
    Io(#[from] io::Error),
    /// Some other file.
    #[error("this is not a Pliant recording")]
    NotARecording,
    /// From another version of the program.
    #[error(
        "this recording has format version {found}, but this program reads versions 1 to {VERSION}: open it with the program that wrote it"
    )]
    Version {
        /// The file's version.
        found: u32,
    },
    /// The file ends before its first frame could begin.
    #[error("the recording ends within its header: the run stopped before anything was recorded")]
    Truncated,
    /// A checksum or a field is wrong.
    #[error("the recording is damaged at byte {offset}: {what}")]
    Corrupt {
        /// Where the damaged chunk begins.
        offset: u64,
        /// What is wrong.
        what: &'static str,
    },
    /// A frame that does not exist.
    #[error("there is no frame {frame}: the recording has {count}")]
    NoSuchFrame {
        /// The frame asked for.
        frame: usize,
        /// How many there are.
        count: usize,
    },
    /// Data of the wrong length was given to the writer.
    #[error("a frame with {what} of length {found} does not fit a recording that needs {expected}")]
    FrameSize {
        /// Which data.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The right length.
        expected: usize,
    },
    /// The file to be continued does not hold what the checkpoint says.
    #[error("the recording cannot be continued: {what}")]
    CannotResume {
        /// What differs.
        what: &'static str,
    },
}
