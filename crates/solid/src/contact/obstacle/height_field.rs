//! A relief: heights over a grid of points, two triangles a cell, solid below.
//!
//! Beyond its rectangle the ground goes on level from the rim, so that nothing falls off an edge that is not seen.
//! Distances are exact up to [`REACH`] cells from the surface; farther away they are those to the triangles above and
//! below, never too small, and their sign is right everywhere.

use super::shape::is_rotation;
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::triangle::{Feature, closest_on_triangle};

/// Cells searched on each side of the point.
const REACH: i64 = 6;

/// Most heights that are taken.
pub const HEIGHT_LIMIT: usize = 1 << 24;

/// Heights h(i, j) over the points origin + i·spacing₀ e₀ + j·spacing₁ e₁, along e₂; eₖ are columns of the rotation.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    origin: Vec3,
    rotation: Mat3,
    spacing: [f64; 2],
    counts: [usize; 2],
    /// Row j holds the heights of all i.
    heights: Vec<f64>,
    highest: f64,
    /// Cosine of the steepest slope: the distance is at least this part of the height above ground.
    steepest: f64,
}

impl HeightField {
    /// Checks and takes over heights, m, row by row: `heights[j·counts₀ + i]`.
    pub fn new(
        origin: Vec3,
        rotation: Mat3,
        spacing: [f64; 2],
        counts: [usize; 2],
        heights: Vec<f64>,
    ) -> Result<HeightField, &'static str> {
        if !origin.is_finite() {
            return Err("the origin must be finite");
        }
        if !is_rotation(&rotation) {
            return Err("the rotation must be a proper rotation");
        }
        if !spacing.iter().all(|&s| s > 0.0 && s.is_finite()) {
            return Err("the distance between heights must be positive");
        }
        if counts.iter().any(|&n| n < 2) {
            return Err("there must be at least two heights along both sides");
        }
        if counts[0].checked_mul(counts[1]) != Some(heights.len()) {
            return Err("the number of heights does not fit the grid");
        }
        if heights.len() > HEIGHT_LIMIT {
            return Err("there are too many heights: the limit is 16 777 216");
        }
        if !heights.iter().all(|h| h.is_finite()) {
            return Err("the heights must be finite");
        }
        let mut field = HeightField {
            origin,
            rotation,
            spacing,
            counts,
            highest: heights.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            heights,
            steepest: 1.0,
        };
        for j in 0..counts[1] as i64 - 1 {
            for i in 0..counts[0] as i64 - 1 {
                for [a, b, c] in field.triangles(i, j) {
                    let normal = (b - a).cross(c - a).normalized();
                    let cosine = normal.map_or(0.0, |n| n.z);
                    field.steepest = field.steepest.min(cosine);
                }
            }
        }
        Ok(field)
    }

    /// Points along both sides of the rectangle.
    pub fn counts(&self) -> [usize; 2] {
        self.counts
    }

    /// The grid point (i, j) of the relief in space.
    pub fn point(&self, i: usize, j: usize) -> Vec3 {
        self.to_world(self.vertex(i as i64, j as i64))
    }

    /// Unit vector that points up.
    pub fn up(&self) -> Vec3 {
        self.rotation.columns[2]
    }

    fn to_world(&self, local: Vec3) -> Vec3 {
        self.origin + self.rotation * local
    }

    /// A grid point in local coordinates; beyond the rectangle the heights of the rim go on.
    fn vertex(&self, i: i64, j: i64) -> Vec3 {
        let held = |k: i64, count: usize| k.clamp(0, count as i64 - 1) as usize;
        let row = held(j, self.counts[1]) * self.counts[0];
        let height = self.heights[row + held(i, self.counts[0])];
        vec3(
            i as f64 * self.spacing[0],
            j as f64 * self.spacing[1],
            height,
        )
    }

    /// The two triangles of a cell, seen from above counter-clockwise; the diagonal runs from (i, j) to (i+1, j+1).
    fn triangles(&self, i: i64, j: i64) -> [[Vec3; 3]; 2] {
        let [a, b] = [self.vertex(i, j), self.vertex(i + 1, j)];
        let [c, d] = [self.vertex(i, j + 1), self.vertex(i + 1, j + 1)];
        [[a, b, d], [a, d, c]]
    }

    /// The cell over which a point lies, and its height above the ground there.
    fn above_ground(&self, x: Vec3) -> (i64, i64, f64) {
        let (u, v) = (x.x / self.spacing[0], x.y / self.spacing[1]);
        let (i, j) = (u.floor(), v.floor());
        let (s, t) = (u - i, v - j);
        let (i, j) = (i as i64, j as i64);
        let height = |i, j| self.vertex(i, j).z;
        let (a, d) = (height(i, j), height(i + 1, j + 1));
        let ground = if s >= t {
            let b = height(i + 1, j);
            a + s * (b - a) + t * (d - b)
        } else {
            let c = height(i, j + 1);
            a + t * (c - a) + s * (d - c)
        };
        (i, j, x.z - ground)
    }

    /// Local coordinates. Far outside the ground is the same all the way, so that the point may be moved nearer, where
    /// numbers of cells stay small.
    fn to_local(&self, x: Vec3) -> Vec3 {
        let mut local = self.rotation.transpose() * (x - self.origin);
        let margin = (2 * REACH + 2) as f64;
        let end = |k: usize| (self.counts[k] as f64 + margin) * self.spacing[k];
        local.x = local.x.clamp(-margin * self.spacing[0], end(0));
        local.y = local.y.clamp(-margin * self.spacing[1], end(1));
        local
    }

    /// See [`super::Shape::probe`].
    pub fn probe(&self, x: Vec3) -> (f64, Vec3) {
        let local = self.to_local(x);
        let (i, j, gap) = self.above_ground(local);
        self.nearest(local, [i, j], gap, gap.abs())
    }

    /// See [`super::Shape::probe_within`].
    pub fn probe_within(&self, x: Vec3, limit: f64) -> Option<(f64, Vec3)> {
        let local = self.to_local(x);
        if local.z - self.highest >= limit {
            return None;
        }
        let (i, j, gap) = self.above_ground(local);
        if gap * self.steepest >= limit && gap > 0.0 {
            return None;
        }
        let within = if gap > 0.0 { gap.min(limit) } else { -gap };
        Some(self.nearest(local, [i, j], gap, within)).filter(|(distance, _)| *distance < limit)
    }

    /// See [`super::Shape::is_clear_of`].
    pub fn is_clear_of(&self, centre: Vec3, radius: f64) -> bool {
        let local = self.to_local(centre);
        let (_, _, gap) = self.above_ground(local);
        local.z - self.highest >= radius || gap * self.steepest >= radius && gap > 0.0
    }

    /// Distance and normal of the nearest triangle, looked for `within` a distance of the cell below or above the point.
    fn nearest(&self, x: Vec3, [i, j]: [i64; 2], gap: f64, within: f64) -> (f64, Vec3) {
        let reach = |k: usize| ((within / self.spacing[k]).ceil() as i64).min(REACH);
        let (across, along) = (reach(0), reach(1));
        let mut best = f64::INFINITY;
        let mut normal = Vec3::AXES[2];
        let side = if gap < 0.0 { -1.0 } else { 1.0 };
        for row in j - along..=j + along {
            for column in i - across..=i + across {
                for corners in self.triangles(column, row) {
                    let found = closest_on_triangle(corners, x);
                    if found.distance_squared < best {
                        best = found.distance_squared;
                        let [a, b, c] = corners;
                        let face = (b - a).cross(c - a).normalized();
                        let away = ((x - found.point) * side).normalized();
                        let direction = match found.feature {
                            Feature::Face => face.or(away),
                            _ => away.or(face),
                        };
                        normal = direction.unwrap_or(Vec3::AXES[2]);
                    }
                }
            }
        }
        (side * best.sqrt(), self.rotation * normal)
    }
}
