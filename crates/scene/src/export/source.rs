//! What is exported: chosen frames and bodies of a recording, one frame in memory at a time.

use super::ExportError;
use crate::recording::{RecordedBody, RecordedFrame, RecordingHeader, RecordingReader};
use crate::suggest::did_you_mean;
use pliant_linalg::Vec3;
use pliant_solid::contact::Pose;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Frames from `first` to before `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameRange {
    /// The first, counted from 0.
    pub first: usize,
    /// The one after the last; all the rest without it.
    pub end: Option<usize>,
}

/// Which part of a recording to take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Frames.
    pub frames: FrameRange,
    /// Only every so many of them.
    pub every: usize,
    /// Names of bodies; all if empty.
    pub bodies: Vec<String>,
}

impl Default for Choice {
    fn default() -> Self {
        Choice {
            frames: FrameRange::default(),
            every: 1,
            bodies: Vec::new(),
        }
    }
}

/// The chosen part of a recording.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    reader: RecordingReader<BufReader<File>>,
    frames: Vec<usize>,
    every: usize,
    bodies: Vec<usize>,
    skins: Vec<Skin>,
    fixtures: Vec<Fixture>,
}

/// An obstacle that is exported as a mesh of its own.
#[derive(Debug)]
pub struct Fixture {
    /// Its name.
    pub name: String,
    /// Number of the obstacle in the recording.
    pub obstacle: usize,
    /// Whether it moves.
    pub moves: bool,
    /// Vertices where it is without motion, m.
    pub vertices: Vec<Vec3>,
    /// Triangles, counter-clockwise from the free side.
    pub triangles: Vec<[u32; 3]>,
}

/// One frame with positions in full.
pub struct Moment {
    /// Its number in the recording.
    pub number: usize,
    /// Positions of all nodes, m.
    pub positions: Vec<Vec3>,
    /// The frame as recorded.
    pub frame: RecordedFrame,
}

/// The surface of a body that is drawn: its boundary, its triangles if it is planar, or the one carried along.
#[derive(Debug)]
pub struct Skin {
    /// Name of the body.
    pub name: String,
    /// Number of the body in the recording.
    pub body: usize,
    /// Whether the surface is a sheet that is seen from both sides.
    pub planar: bool,
    /// Triangles, counter-clockwise from outside, in vertices of the skin.
    pub triangles: Vec<[u32; 3]>,
    vertices: Vertices,
}

#[derive(Debug)]
enum Vertices {
    /// Nodes of the recording.
    Nodes(Vec<u32>),
    /// Combinations of the corners of elements.
    Carried {
        elements: Vec<u32>,
        corners: Vec<[u32; 4]>,
        weights: Vec<[f64; 4]>,
    },
}

impl Source {
    /// Opens a recording; a finished one or one that ends anywhere after its header.
    pub fn open(path: &Path, choice: &Choice) -> Result<Source, ExportError> {
        let reader = RecordingReader::open(path)?;
        let frames = chosen_frames(&reader, choice)?;
        let header = reader.header();
        let bodies = chosen_bodies(header, &choice.bodies)?;
        let skins = bodies.iter().map(|&b| Skin::new(header, b)).collect();
        // who names bodies wants these and nothing else
        let fixtures = match choice.bodies.is_empty() {
            true => fixtures(header),
            false => Vec::new(),
        };
        Ok(Source {
            path: path.to_path_buf(),
            frames,
            every: choice.every,
            bodies,
            skins,
            fixtures,
            reader,
        })
    }

    /// The recording's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The constant part of the recording.
    pub fn header(&self) -> &RecordingHeader {
        self.reader.header()
    }

    /// Whether the run that wrote the recording came to its end.
    pub fn is_complete(&self) -> bool {
        self.reader.is_complete()
    }

    /// Number of chosen frames, at least one.
    pub fn frame_count(&self) -> usize {
        self.frames.len()
    }

    /// Frames of the whole recording.
    pub fn recorded_count(&self) -> usize {
        self.reader.frame_count()
    }

    /// Times of the chosen frames, s, increasing.
    pub(super) fn times(&self) -> Vec<f64> {
        let entries = self.reader.entries();
        self.frames.iter().map(|&f| entries[f].time).collect()
    }

    /// Chosen frames per second.
    pub(super) fn rate(&self) -> f64 {
        let info = &self.header().info;
        let rate = 1.0 / (info.step * info.stride as f64 * self.every as f64);
        match rate.is_finite() && rate > 0.0 {
            true => rate,
            false => 24.0,
        }
    }

    /// The chosen bodies, by number and description.
    pub(super) fn bodies(&self) -> impl Iterator<Item = (usize, &RecordedBody)> {
        let all = &self.header().info.bodies;
        self.bodies.iter().map(|&b| (b, &all[b]))
    }

    /// Surfaces of the chosen bodies.
    pub(super) fn skins(&self) -> &[Skin] {
        &self.skins
    }

    /// Obstacles; none where bodies were chosen by name.
    pub(super) fn fixtures(&self) -> &[Fixture] {
        &self.fixtures
    }

    /// Where an obstacle is at a time.
    pub(super) fn pose(&self, fixture: &Fixture, time: f64) -> Pose {
        self.header().obstacles.list[fixture.obstacle].pose(time)
    }

    /// The `index`-th chosen frame.
    pub(super) fn moment(&mut self, index: usize) -> Result<Moment, ExportError> {
        let number = self.frames[index];
        let frame = self.reader.frame(number)?;
        let rest = &self.reader.header().rest;
        let positions = rest.iter().zip(&frame.displacements);
        Ok(Moment {
            number,
            positions: positions.map(|(&x, &d)| x + widened(d)).collect(),
            frame,
        })
    }
}

fn chosen_frames<R>(reader: &RecordingReader<R>, choice: &Choice) -> Result<Vec<usize>, ExportError>
where
    R: std::io::Read + std::io::Seek,
{
    let refuse = |what: String| Err(ExportError::Choice(what));
    let count = reader.frame_count();
    if count == 0 {
        return refuse(
            "the recording holds no frame: the run stopped before its first one".to_string(),
        );
    }
    let FrameRange { first, end } = choice.frames;
    let last = count - 1;
    let end = end.unwrap_or(count);
    if first >= count || end > count {
        return refuse(format!(
            "frames {first}..{end} are not all there: the recording has frames 0 to {last}, which is 0..{count}"
        ));
    }
    if first >= end {
        return refuse(format!(
            "the range {first}..{end} holds no frame: the second number must be larger, it is the frame after the last"
        ));
    }
    if choice.every == 0 {
        return refuse("--every 0 is not possible: use 1 or more".to_string());
    }
    let frames: Vec<usize> = (first..end).step_by(choice.every).collect();
    let times = frames.iter().map(|&f| reader.entries()[f].time);
    if !times.is_sorted_by(|a, b| a < b) || !reader.entries()[frames[0]].time.is_finite() {
        return refuse("the recording is damaged: its times do not increase".to_string());
    }
    Ok(frames)
}

fn chosen_bodies(header: &RecordingHeader, names: &[String]) -> Result<Vec<usize>, ExportError> {
    let all = &header.info.bodies;
    if all.is_empty() {
        let what = "the recording holds no body: there is nothing to export";
        return Err(ExportError::Choice(what.to_string()));
    }
    if names.is_empty() {
        return Ok((0..all.len()).collect());
    }
    let mut chosen = Vec::new();
    for name in names {
        let found = all.iter().position(|b| &b.name == name).ok_or_else(|| {
            let known: Vec<&str> = all.iter().map(|b| b.name.as_str()).collect();
            ExportError::Choice(format!(
                "the recording has no body `{name}`: {}",
                did_you_mean(name, &known)
            ))
        })?;
        chosen.push(found);
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

fn fixtures(header: &RecordingHeader) -> Vec<Fixture> {
    let obstacles = &header.obstacles;
    let each = obstacles.list.iter().enumerate();
    each.map(|(index, obstacle)| Fixture {
        name: obstacle.name.clone(),
        obstacle: index,
        moves: obstacle.motion.is_some(),
        vertices: obstacles.vertices[obstacle.vertices[0]..obstacle.vertices[1]].to_vec(),
        triangles: obstacles.triangles_of(index),
    })
    .collect()
}

impl Skin {
    /// The surface of body `index`.
    pub fn new(header: &RecordingHeader, index: usize) -> Skin {
        let body = &header.info.bodies[index];
        let (triangles, vertices) = if body.has_render_surface() {
            let [first, end] = body.render_vertices;
            let elements = header.render.elements[first..end].to_vec();
            let corners = elements.iter().map(|&e| header.elements[e as usize]);
            let carried = Vertices::Carried {
                corners: corners.collect(),
                elements,
                weights: header.render.weights[first..end].to_vec(),
            };
            let [from, to] = body.render_triangles;
            let own = header.render.triangles[from..to].iter();
            (own.map(|t| t.map(|v| v - first as u32)).collect(), carried)
        } else {
            let triangles: Vec<[u32; 3]> = if body.planar {
                let [first, end] = body.elements;
                let own = header.elements[first..end].iter();
                own.map(|&[a, b, c, _]| [a, b, c]).collect()
            } else {
                header.triangles[body.triangles[0]..body.triangles[1]].to_vec()
            };
            let mut nodes = triangles.as_flattened().to_vec();
            nodes.sort_unstable();
            nodes.dedup();
            // nodes are sorted, and every corner is one of them
            let vertex = |n: u32| nodes.partition_point(|&m| m < n) as u32;
            let triangles = triangles.iter().map(|t| t.map(vertex)).collect();
            (triangles, Vertices::Nodes(nodes))
        };
        Skin {
            name: body.name.clone(),
            body: index,
            planar: body.planar,
            triangles,
            vertices,
        }
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        match &self.vertices {
            Vertices::Nodes(nodes) => nodes.len(),
            Vertices::Carried { corners, .. } => corners.len(),
        }
    }

    /// What the nodes say, at the vertices.
    pub fn at_vertices(&self, nodal: impl Fn(usize) -> Vec3) -> Vec<Vec3> {
        match &self.vertices {
            Vertices::Nodes(nodes) => nodes.iter().map(|&n| nodal(n as usize)).collect(),
            Vertices::Carried {
                corners, weights, ..
            } => {
                let carried = corners.iter().zip(weights);
                carried
                    .map(|(corners, weights)| {
                        let parts = corners.iter().zip(weights);
                        parts.fold(Vec3::ZERO, |sum, (&n, &w)| sum + nodal(n as usize) * w)
                    })
                    .collect()
            }
        }
    }

    /// What the elements say, at the vertices: the mean around a node, or the element that carries the vertex.
    pub fn element_values(&self, header: &RecordingHeader, values: &[f32]) -> Vec<f32> {
        let nodes = match &self.vertices {
            Vertices::Carried { elements, .. } => {
                return elements.iter().map(|&e| values[e as usize]).collect();
            }
            Vertices::Nodes(nodes) => nodes,
        };
        let body = &header.info.bodies[self.body];
        let mut sums = vec![(0.0, 0.0); body.nodes[1] - body.nodes[0]];
        for e in body.elements[0]..body.elements[1] {
            let corners = if body.planar { 3 } else { 4 };
            for &n in &header.elements[e][..corners] {
                let (sum, count): &mut (f64, f64) = &mut sums[n as usize - body.nodes[0]];
                *sum += f64::from(values[e]);
                *count += 1.0;
            }
        }
        let mean = |&n: &u32| {
            let (sum, count) = sums[n as usize - body.nodes[0]];
            (sum / count.max(1.0)) as f32
        };
        nodes.iter().map(mean).collect()
    }
}

impl Moment {
    /// Vertices of a skin, m.
    pub fn place(&self, skin: &Skin) -> Vec<Vec3> {
        skin.at_vertices(|n| self.positions[n])
    }

    /// Displacements of its vertices, m.
    pub fn displacements(&self, skin: &Skin) -> Vec<Vec3> {
        skin.at_vertices(|n| widened(self.frame.displacements[n]))
    }

    /// Velocities of its vertices, m/s, if recorded.
    pub fn velocities(&self, skin: &Skin) -> Option<Vec<Vec3>> {
        let recorded = self.frame.velocities.as_ref()?;
        Some(skin.at_vertices(|n| widened(recorded[n])))
    }
}

fn widened(v: [f32; 3]) -> Vec3 {
    Vec3::from(v.map(f64::from))
}

/// Single precision, which all formats but VTU hold.
pub(super) fn narrowed(v: Vec3) -> [f32; 3] {
    v.to_array().map(|c| c as f32)
}
