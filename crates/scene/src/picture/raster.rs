//! Which triangle each sample sees.
//!
//! A camera-space corner in sample coordinates is P = (X·w, Y·w, w), w the depth along the view. Over a triangle the
//! functions e_i(X, Y) = (P_j × P_k)·(X, Y, 1) / det[P₀ P₁ P₂] are linear, Σ e_i = 1/w, and e_i·w are its
//! (perspective-correct) barycentric coordinates. All three positive means inside; nothing needs clipping.

use super::Camera;
use pliant_linalg::{Vec3, vec3};

/// Samples a pixel along each side.
pub const SAMPLES: usize = 2;
/// What a sample sees when no triangle is there.
pub const NOTHING: u32 = u32::MAX;
/// Nearest visible depth, as a part of the distance to the target.
const NEAR: f64 = 1e-4;

/// The camera with a sample grid.
pub struct View {
    pub eye: Vec3,
    pub right: Vec3,
    pub up: Vec3,
    pub forward: Vec3,
    /// Samples per unit of slope, the same along both sides.
    pub scale: f64,
    /// The principal point, in samples.
    pub centre: [f64; 2],
    nearest: f64,
}

impl View {
    pub fn new(camera: &Camera, width: usize, height: usize) -> View {
        let [right, up, forward] = camera.frame();
        let samples = [width, height].map(|side| (side * SAMPLES) as f64);
        let angle = camera.field_of_view.clamp(1e-3, 3.0);
        View {
            eye: camera.eye,
            right,
            up,
            forward,
            scale: 0.5 * samples[1] / (0.5 * angle).tan(),
            centre: samples.map(|side| 0.5 * side),
            nearest: NEAR * (camera.target - camera.eye).norm(),
        }
    }

    /// (X·w, Y·w, w); y runs down the picture.
    fn project(&self, point: Vec3) -> Vec3 {
        let q = point - self.eye;
        let w = q.dot(self.forward);
        vec3(
            self.centre[0] * w + self.scale * q.dot(self.right),
            self.centre[1] * w - self.scale * q.dot(self.up),
            w,
        )
    }

    /// The ray through sample coordinates, with unit depth: point = eye + w · ray.
    pub fn ray(&self, x: f64, y: f64) -> Vec3 {
        self.forward + self.right * ((x - self.centre[0]) / self.scale)
            - self.up * ((y - self.centre[1]) / self.scale)
    }
}

/// A triangle set up for drawing.
pub struct Face {
    pub shape: u32,
    pub triangle: u32,
    /// Rows e_i as coefficients of (X, Y, 1).
    pub edges: [Vec3; 3],
    /// The eye sees the side from which the corners run clockwise.
    pub backwards: bool,
    /// Samples to visit: [first, end) along x and y.
    x: [usize; 2],
    pub y: [usize; 2],
}

impl Face {
    /// `None` when nothing of the triangle can be seen.
    pub fn new(
        view: &View,
        size: [usize; 2],
        shape: u32,
        triangle: u32,
        corners: [Vec3; 3],
    ) -> Option<Face> {
        let p = corners.map(|c| view.project(c));
        let products = [p[1].cross(p[2]), p[2].cross(p[0]), p[0].cross(p[1])];
        let det = p[0].dot(products[0]);
        let edges = products.map(|e| e / det);
        if p.iter().all(|p| p.z < view.nearest) || !edges.iter().all(|e| e.is_finite()) {
            return None;
        }
        let limits = [(size[0] * SAMPLES) as f64, (size[1] * SAMPLES) as f64];
        let mut spans = [[0.0, limits[0]], [0.0, limits[1]]];
        // with a corner behind the eye, its projection bounds nothing
        if p.iter().all(|p| p.z >= view.nearest) {
            for k in 0..2 {
                let ends = p.map(|p| p[k] / p.z);
                spans[k][0] = ends.iter().copied().fold(f64::INFINITY, f64::min);
                spans[k][1] = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            }
        }
        // a sample's centre lies half a unit past its index
        let [x, y] = [0, 1].map(|k| {
            [
                (spans[k][0] - 0.5).ceil().clamp(0.0, limits[k]) as usize,
                ((spans[k][1] - 0.5).floor() + 1.0).clamp(0.0, limits[k]) as usize,
            ]
        });
        (x[0] < x[1] && y[0] < y[1]).then_some(Face {
            shape,
            triangle,
            edges,
            // (X, Y, w) is right-handed with Y down, where counter-clockwise on the picture is negative
            backwards: det > 0.0,
            x,
            y,
        })
    }

    /// e₀, e₁, e₂ at sample coordinates.
    pub fn weights(&self, x: f64, y: f64) -> [f64; 3] {
        self.edges.map(|e| e.x * x + e.y * y + e.z)
    }
}

/// Nearest faces of some rows of samples.
pub struct Band {
    /// Index of the face each sample sees, or [`NOTHING`].
    pub seen: Vec<u32>,
    /// 1/w of what is seen, 0 for nothing.
    nearness: Vec<f32>,
    width: usize,
    first_row: usize,
    rows: usize,
}

impl Band {
    /// Room for `rows` rows of `width` samples.
    pub fn new(width: usize, rows: usize) -> Band {
        Band {
            seen: vec![NOTHING; width * rows],
            nearness: vec![0.0; width * rows],
            width,
            first_row: 0,
            rows,
        }
    }

    /// Starts again at another row.
    pub fn clear(&mut self, first_row: usize) {
        self.first_row = first_row;
        self.seen.fill(NOTHING);
        self.nearness.fill(0.0);
    }

    /// Draws a face; among equals the first one drawn stays.
    pub fn draw(&mut self, view: &View, index: u32, face: &Face) {
        let most = (1.0 / view.nearest) as f32;
        let [e0, e1, e2] = face.edges;
        for row in face.y[0].max(self.first_row)..face.y[1].min(self.first_row + self.rows) {
            let y = row as f64 + 0.5;
            let at = |e: Vec3| e.y * y + e.z;
            let starts = [at(e0), at(e1), at(e2)];
            let from = (row - self.first_row) * self.width;
            let nearness = &mut self.nearness[from + face.x[0]..from + face.x[1]];
            let seen = &mut self.seen[from + face.x[0]..from + face.x[1]];
            for (i, (nearness, seen)) in nearness.iter_mut().zip(seen).enumerate() {
                let x = (face.x[0] + i) as f64 + 0.5;
                let a = e0.x * x + starts[0];
                let b = e1.x * x + starts[1];
                let c = e2.x * x + starts[2];
                let inverse = (a + b + c) as f32;
                if a >= 0.0 && b >= 0.0 && c >= 0.0 && inverse > *nearness && inverse < most {
                    *nearness = inverse;
                    *seen = index;
                }
            }
        }
    }
}
