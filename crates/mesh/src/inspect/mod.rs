//! What a mesh is like, before anything is judged or mended: counts, extents, volume, edges, shape of the elements.

pub mod check;
pub mod coincident;
pub mod folds;
pub mod histogram;
pub mod reconnect;
pub mod relax;
pub mod repair;

pub use check::{Check, Finding, FindingKind, Severity, check};
pub use histogram::Histogram;
pub use repair::{Repaired, repair};

use crate::adjacency;
use crate::components::Components;
use crate::file::RawMesh;
use crate::mesh::{Elements, FLATNESS, Mesh};
use crate::quality::{
    corner_angles, dihedral_angles, tetrahedron_radius_ratio, triangle_radius_ratio,
};
use crate::surface::Surface;
use pliant_linalg::Vec3;

/// Triangle meshes that leave a plane z = constant by less than this fraction of their size are plane bodies.
const PLANE: f64 = 1e-9;

/// Dihedral angles (corner angles in 2D) below this make an element a sliver: 5°.
pub const SLIVER: f64 = 5.0 * std::f64::consts::PI / 180.0;

/// What the elements of a mesh make up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Tetrahedra.
    Solid,
    /// Triangles in a plane z = constant.
    Plane,
    /// Triangles in space.
    Surface,
    /// Neither tetrahedra nor triangles.
    Nothing,
}

impl Kind {
    /// The kind of a mesh.
    pub fn of(raw: &RawMesh) -> Kind {
        if !raw.tetrahedra.is_empty() {
            return Kind::Solid;
        }
        let Some(first) = raw.triangles.nodes.first() else {
            return Kind::Nothing;
        };
        let used = || {
            raw.triangles
                .nodes
                .as_flattened()
                .iter()
                .map(|&n| raw.positions[n as usize])
        };
        let start = raw.positions[first[0] as usize];
        let (low, high) = used().fold((start, start), |(l, h), p| (l.min(p), h.max(p)));
        if high.z - low.z <= PLANE * (high - low).norm() {
            Kind::Plane
        } else {
            Kind::Surface
        }
    }

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Solid => "solid",
            Kind::Plane => "plane",
            Kind::Surface => "surface",
            Kind::Nothing => "nothing",
        }
    }
}

/// Smallest, mean and largest of some lengths, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lengths {
    /// Smallest.
    pub min: f64,
    /// Mean.
    pub mean: f64,
    /// Largest.
    pub max: f64,
}

/// What a mesh is like. Angles in radians.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// What it makes up.
    pub kind: Kind,
    /// Nodes, also those that nothing uses.
    pub nodes: usize,
    /// Tetrahedra.
    pub tetrahedra: usize,
    /// Triangles: the body of a plane mesh or a surface, the marked boundary of a solid.
    pub triangles: usize,
    /// Smallest coordinates of all nodes.
    pub low: Vec3,
    /// Largest coordinates of all nodes.
    pub high: Vec3,
    /// Sum of the volumes of tetrahedra or areas of plane triangles, regardless of orientation; for a surface the
    /// volume that it encloses, negative if it is inside out.
    pub volume: f64,
    /// Area of the surface; of the boundary for a solid, zero for a plane body.
    pub area: f64,
    /// Pieces that share no node.
    pub pieces: usize,
    /// Elements of each piece.
    pub piece_sizes: Vec<usize>,
    /// Nodes in no element.
    pub unreferenced_nodes: usize,
    /// Faces of one element only.
    pub boundary_facets: usize,
    /// Faces of three or more elements.
    pub overshared_faces: usize,
    /// Lengths of the edges.
    pub edges: Lengths,
    /// Smallest angle of each element: dihedral of tetrahedra, corner of triangles.
    pub min_angles: Vec<f64>,
    /// Largest such angle of all.
    pub max_angle: f64,
    /// Radius ratio of each element, 0 (flat) to 1 (regular).
    pub radius_ratios: Vec<f64>,
    /// Elements with negative orientation.
    pub inverted: usize,
    /// Elements without volume or with a repeated node.
    pub flat: usize,
    /// Name and elements of each region.
    pub regions: Vec<(String, usize)>,
}

impl Inspection {
    /// Measures a mesh.
    pub fn of(raw: &RawMesh) -> Inspection {
        let (mesh, _) = unchecked(raw);
        let kind = Kind::of(raw);
        let components = Components::of(&mesh);
        let mut piece_sizes = vec![0; components.count];
        for &piece in &components.of_element {
            piece_sizes[piece as usize] += 1;
        }
        let boundary = Surface::of(&mesh);
        let (volume, area) = match kind {
            Kind::Nothing => (0.0, 0.0),
            Kind::Plane => (
                (0..mesh.element_count())
                    .map(|e| mesh.volume(e).abs())
                    .sum(),
                0.0,
            ),
            Kind::Solid => {
                let volume = (0..mesh.element_count())
                    .map(|e| mesh.volume(e).abs())
                    .sum();
                (volume, boundary.total_area(&mesh.positions))
            }
            Kind::Surface => surface_measures(&mesh),
        };
        let shapes: Vec<Shape> = (0..mesh.element_count())
            .map(|e| Shape::of(&mesh, e))
            .collect();
        let (low, high) = bounds(&raw.positions);
        let (regions, names) = match kind {
            Kind::Solid => (&raw.tetrahedra.regions, &raw.tetrahedra.region_names),
            _ => (&raw.triangles.regions, &raw.triangles.region_names),
        };
        let mut region_sizes = vec![0; names.len()];
        for &r in regions {
            region_sizes[r as usize] += 1;
        }
        Inspection {
            kind,
            nodes: raw.positions.len(),
            tetrahedra: raw.tetrahedra.len(),
            triangles: raw.triangles.len(),
            low,
            high,
            volume,
            area,
            pieces: components.count,
            piece_sizes,
            unreferenced_nodes: raw.positions.len() - mesh.positions.len(),
            boundary_facets: boundary.facet_count(),
            overshared_faces: boundary.overshared_faces,
            edges: edge_lengths(&mesh),
            max_angle: shapes.iter().fold(0.0, |m, s| s.max_angle.max(m)),
            min_angles: shapes.iter().map(|s| s.min_angle).collect(),
            radius_ratios: shapes.iter().map(|s| s.radius_ratio).collect(),
            inverted: shapes
                .iter()
                .filter(|s| s.state == State::Inverted && kind != Kind::Surface)
                .count(),
            flat: shapes.iter().filter(|s| s.state == State::Flat).count(),
            regions: names.iter().cloned().zip(region_sizes).collect(),
        }
    }

    /// Smallest angle of all.
    pub fn min_angle(&self) -> f64 {
        self.min_angles
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min)
    }

    /// Elements with an angle below [`SLIVER`].
    pub fn slivers(&self) -> usize {
        self.min_angles.iter().filter(|&&a| a < SLIVER).count()
    }
}

/// Sign of an element's volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Positive,
    Inverted,
    Flat,
}

/// The shape of one element.
struct Shape {
    min_angle: f64,
    max_angle: f64,
    radius_ratio: f64,
    state: State,
}

impl Shape {
    fn of(mesh: &Mesh, e: usize) -> Shape {
        let at = |n: u32| mesh.positions[n as usize];
        let extremes = |angles: &[f64]| {
            let low = angles.iter().copied().fold(f64::INFINITY, f64::min);
            (low, angles.iter().copied().fold(0.0, f64::max))
        };
        let ((min_angle, max_angle), radius_ratio) = match &mesh.elements {
            Elements::Tetrahedra(list) => {
                let points = list[e].map(at);
                (
                    extremes(&dihedral_angles(points)),
                    tetrahedron_radius_ratio(points),
                )
            }
            Elements::Triangles(list) => {
                let points = list[e].map(at);
                (
                    extremes(&corner_angles(points)),
                    triangle_radius_ratio(points),
                )
            }
        };
        Shape {
            min_angle,
            max_angle,
            radius_ratio,
            state: state(mesh, e),
        }
    }
}

/// Whether element `e` is positive, inverted or flat, as [`Mesh::new`] sees it; triangles in space are never inverted.
fn state(mesh: &Mesh, e: usize) -> State {
    let (det, reference) = match &mesh.elements {
        Elements::Tetrahedra(_) => {
            let (det, longest) = mesh.determinant(e);
            (det, longest * longest.sqrt())
        }
        Elements::Triangles(list) => {
            let [a, b, c] = list[e].map(|n| mesh.positions[n as usize]);
            let (u, v) = (b - a, c - a);
            let longest = [u, v, c - b]
                .iter()
                .fold(0.0, |m: f64, x| m.max(x.norm_squared()));
            let normal = u.cross(v);
            // in a plane the sign is that of z; in space there is none
            let sign = if normal.z < 0.0 { -1.0 } else { 1.0 };
            (sign * normal.norm(), longest)
        }
    };
    if det.abs() <= FLATNESS * reference {
        State::Flat
    } else if det < 0.0 {
        State::Inverted
    } else {
        State::Positive
    }
}

/// The mesh without its unreferenced nodes and without any check; with the index that each node had.
fn unchecked(raw: &RawMesh) -> (Mesh, Vec<u32>) {
    let elements = if raw.tetrahedra.is_empty() {
        Elements::Triangles(raw.triangles.nodes.clone())
    } else {
        Elements::Tetrahedra(raw.tetrahedra.nodes.clone())
    };
    let mut mesh = Mesh {
        positions: raw.positions.clone(),
        regions: vec![0; elements.element_count()],
        elements,
        region_names: vec![String::new()],
        original_ids: (0..raw.positions.len() as u32).collect(),
        octets: false,
    };
    mesh.remove_unreferenced();
    let kept = std::mem::take(&mut mesh.original_ids);
    (mesh, kept)
}

/// The tetrahedra of a mesh, or its triangles, without unreferenced nodes and without any check.
pub fn without_checks(raw: &RawMesh) -> Mesh {
    unchecked(raw).0
}

fn bounds(positions: &[Vec3]) -> (Vec3, Vec3) {
    let first = positions.first().copied().unwrap_or_default();
    positions
        .iter()
        .fold((first, first), |(low, high), &p| (low.min(p), high.max(p)))
}

fn edge_lengths(mesh: &Mesh) -> Lengths {
    let edges = adjacency::edges(mesh);
    let mut lengths = Lengths {
        min: f64::INFINITY,
        ..Lengths::default()
    };
    for &[a, b] in &edges {
        let length = (mesh.positions[a as usize] - mesh.positions[b as usize]).norm();
        lengths.min = lengths.min.min(length);
        lengths.max = lengths.max.max(length);
        lengths.mean += length;
    }
    if edges.is_empty() {
        return Lengths::default();
    }
    lengths.mean /= edges.len() as f64;
    lengths
}

/// Signed enclosed volume and area of triangles in space.
fn surface_measures(mesh: &Mesh) -> (f64, f64) {
    let Elements::Triangles(list) = &mesh.elements else {
        return (0.0, 0.0);
    };
    // cones to the coordinate origin (only a closed surface encloses the same from everywhere), or to a point nearby
    // where a surface far away would lose digits
    let (low, high) = mesh.bounds();
    let far = low.max_abs().max(high.max_abs()) > 100.0 * (high - low).norm();
    let origin = if far { low } else { Vec3::ZERO };
    let (mut volume, mut area) = (0.0, 0.0);
    for nodes in list {
        let [a, b, c] = nodes.map(|n| mesh.positions[n as usize] - origin);
        volume += a.dot(b.cross(c)) / 6.0;
        area += (b - a).cross(c - a).norm() / 2.0;
    }
    (volume, area)
}

#[cfg(test)]
mod tests;
