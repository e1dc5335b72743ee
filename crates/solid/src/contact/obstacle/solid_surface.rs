//! Everything inside a closed triangle surface.
//!
//! The nearest point comes from a box tree; whether the point lies inside is the sign of its product with the normal of
//! the nearest face, edge or corner, where edges and corners take the angle-weighted normal of [BA05], which makes the
//! sign right for every closed surface that does not cross itself.

use pliant_linalg::Vec3;
use pliant_mesh::triangle::{Feature, closest_on_triangle};
use pliant_mesh::{Aabb, Bvh, SurfaceMesh, SurfaceTopology};
use thiserror::Error;

/// Distance, as a fraction of the diagonal, below which the direction to the nearest point is rounding.
const DIRECTION_SLACK: f64 = 1e-12;

/// A closed surface, outwards, ready to be probed.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidSurface {
    surface: SurfaceMesh,
    tree: Bvh,
    bounds: Aabb,
    /// Unit normals of the triangles; zero without area.
    faces: Vec<Vec3>,
    /// Sums of the normals on both sides of the edges of each triangle, from corner i to i+1.
    edges: Vec<[Vec3; 3]>,
    /// Normals of the corners, weighted by the angles of the triangles.
    corners: Vec<Vec3>,
}

/// Why a surface bounds no solid.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SolidSurfaceError {
    /// There are holes, or edges with more than two triangles, or triangles that face the wrong way.
    #[error(
        "the surface is not closed: {} edges at holes, {} with more than two triangles, {} between triangles that face opposite ways",
        .0.boundary_edges, .0.non_manifold_edges, .0.inconsistent_edges
    )]
    Open(SurfaceTopology),
    /// It is flat.
    #[error("the surface encloses no volume")]
    Flat,
}

impl SolidSurface {
    /// Welds equal vertices, drops triangles without three corners and turns the surface outwards.
    pub fn new(surface: &SurfaceMesh) -> Result<SolidSurface, SolidSurfaceError> {
        let mut surface = surface.welded();
        surface
            .triangles
            .retain(|[a, b, c]| a != b && b != c && c != a);
        let topology = surface.topology();
        if surface.triangles.is_empty() {
            return Err(SolidSurfaceError::Flat);
        }
        if !topology.is_closed_manifold() {
            return Err(SolidSurfaceError::Open(topology));
        }
        let volume = surface.enclosed_volume();
        if volume == 0.0 || !volume.is_finite() {
            return Err(SolidSurfaceError::Flat);
        }
        if volume < 0.0 {
            surface.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let faces: Vec<Vec3> = (0..surface.triangles.len())
            .map(|t| {
                let [a, b, c] = surface.corners(t);
                (b - a).cross(c - a).normalized().unwrap_or_default()
            })
            .collect();
        Ok(SolidSurface {
            tree: Bvh::new(&surface.triangle_boxes()),
            bounds: surface.bounds(),
            edges: edge_normals(&surface, &faces),
            corners: corner_normals(&surface, &faces),
            faces,
            surface,
        })
    }

    /// The surface, welded and outwards.
    pub fn surface(&self) -> &SurfaceMesh {
        &self.surface
    }

    /// The box around it.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// See [`super::Shape::probe`].
    pub fn probe(&self, x: Vec3) -> (f64, Vec3) {
        // a surface has triangles, so that there is a nearest one wherever numbers are finite
        self.search(x, f64::INFINITY)
            .unwrap_or((f64::INFINITY, Vec3::AXES[2]))
    }

    /// See [`super::Shape::probe_within`].
    pub fn probe_within(&self, x: Vec3, limit: f64) -> Option<(f64, Vec3)> {
        let away = self.bounds.distance_squared(x);
        if away >= limit * limit && away > 0.0 {
            return None;
        }
        // within the box the point may lie deep inside
        let farthest = if away > 0.0 {
            limit * limit
        } else {
            f64::INFINITY
        };
        self.search(x, farthest)
            .filter(|(distance, _)| *distance < limit)
    }

    fn search(&self, x: Vec3, limit_squared: f64) -> Option<(f64, Vec3)> {
        let closest = |t: u32| closest_on_triangle(self.surface.corners(t as usize), x);
        let (triangle, _) = self
            .tree
            .nearest(x, limit_squared, |t| closest(t).distance_squared)?;
        let found = closest(triangle);
        let t = triangle as usize;
        let normal = match found.feature {
            Feature::Face => self.faces[t],
            Feature::Edge(i) => self.edges[t][i as usize],
            Feature::Corner(i) => self.corners[self.surface.triangles[t][i as usize] as usize],
        };
        let away = x - found.point;
        let side = if away.dot(normal) < 0.0 { -1.0 } else { 1.0 };
        let distance = found.distance_squared.sqrt();
        let clear = distance > DIRECTION_SLACK * (x.max_abs() + self.bounds.diagonal());
        let direction = match found.feature {
            Feature::Face => normal.normalized(),
            _ if clear => (away * side).normalized(),
            _ => normal.normalized(),
        };
        Some((side * distance, direction.unwrap_or(Vec3::AXES[2])))
    }
}

/// For the edges of each triangle the sum of its normal and that of the neighbour.
fn edge_normals(surface: &SurfaceMesh, faces: &[Vec3]) -> Vec<[Vec3; 3]> {
    // (smaller corner, larger corner, triangle, edge), so that the two triangles of an edge are neighbours in the list
    let mut uses: Vec<[u32; 4]> = Vec::with_capacity(3 * faces.len());
    for (t, corners) in surface.triangles.iter().enumerate() {
        for i in 0..3 {
            let (a, b) = (corners[i], corners[(i + 1) % 3]);
            uses.push([a.min(b), a.max(b), t as u32, i as u32]);
        }
    }
    uses.sort_unstable();
    let mut normals = vec![[Vec3::ZERO; 3]; faces.len()];
    for pair in uses.chunk_by(|a, b| a[..2] == b[..2]) {
        let sum = pair
            .iter()
            .fold(Vec3::ZERO, |sum, u| sum + faces[u[2] as usize]);
        for &[_, _, t, i] in pair {
            normals[t as usize][i as usize] = sum;
        }
    }
    normals
}

fn corner_normals(surface: &SurfaceMesh, faces: &[Vec3]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; surface.positions.len()];
    for (t, corners) in surface.triangles.iter().enumerate() {
        let points = surface.corners(t);
        for i in 0..3 {
            let (u, v) = (
                points[(i + 1) % 3] - points[i],
                points[(i + 2) % 3] - points[i],
            );
            let angle = u.cross(v).norm().atan2(u.dot(v));
            normals[corners[i] as usize] += faces[t] * angle;
        }
    }
    normals
}
