//! What the lattice must know about the shape it fills: inside or outside, where an edge leaves it, and whether
//! its boundary comes near a box.

use crate::aabb::Aabb;
use crate::bvh::Bvh;
use crate::surface_mesh::SurfaceMesh;
use crate::triangle::{closest_on_triangle, segment_crossing, touches_box};
use crate::winding::Winding;
use pliant_linalg::Vec3;

/// Winding numbers above this are inside.
const INSIDE: f64 = 0.5;

/// Halvings of an edge in search of the boundary: 1e-9 of its length.
const HALVINGS: usize = 30;

/// A shape to fill.
pub(super) trait Solid: Sync {
    /// A box around the shape.
    fn bounds(&self) -> Aabb;
    /// Whether the point is inside.
    fn inside(&self, p: Vec3) -> bool;
    /// A point of the boundary between a point inside and one outside.
    fn crossing(&self, inside: Vec3, outside: Vec3) -> Vec3 {
        halved(self, inside, outside)
    }
    /// Whether the boundary touches the box; may say yes too often.
    fn boundary_near(&self, bounds: &Aabb) -> bool;
    /// Whether [`Solid::boundary_near`] never misses the boundary between inside and outside points.
    fn is_exact(&self) -> bool {
        true
    }
}

/// The crossing by halving the segment.
fn halved(solid: &(impl Solid + ?Sized), mut inside: Vec3, mut outside: Vec3) -> Vec3 {
    for _ in 0..HALVINGS {
        let middle = (inside + outside) * 0.5;
        if solid.inside(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    (inside + outside) * 0.5
}

/// The shape that a triangle surface encloses: where the winding number exceeds ½.
pub(super) struct SurfaceSolid<'a> {
    surface: &'a SurfaceMesh,
    tree: Bvh,
    winding: Winding,
    /// Closed and consistently oriented: winding numbers are whole and change only at triangles.
    closed: bool,
}

impl<'a> SurfaceSolid<'a> {
    pub(super) fn new(surface: &'a SurfaceMesh, closed: bool) -> SurfaceSolid<'a> {
        let tree = Bvh::new(&surface.triangle_boxes());
        SurfaceSolid {
            surface,
            winding: Winding::with_tree(surface, tree.clone()),
            tree,
            closed,
        }
    }

    /// Point of the surface closest to `p` within `limit`.
    pub(super) fn closest(&self, p: Vec3, limit: f64) -> Option<(Vec3, u32)> {
        let corners = |t: u32| self.surface.corners(t as usize);
        let nearest = self.tree.nearest(p, limit * limit, |t| {
            closest_on_triangle(corners(t), p).distance_squared
        });
        nearest.map(|(t, _)| (closest_on_triangle(corners(t), p).point, t))
    }

    /// Appends the triangles whose boxes touch `bounds`.
    pub(super) fn near_box(&self, bounds: &Aabb, out: &mut Vec<u32>) {
        self.tree.near_box(bounds, out);
    }

    /// Point closest to `p` within `limit` on the triangles that `wanted` accepts.
    pub(super) fn closest_where(
        &self,
        p: Vec3,
        limit: f64,
        wanted: impl Fn(u32) -> bool,
    ) -> Option<Vec3> {
        let on = |t: u32| closest_on_triangle(self.surface.corners(t as usize), p);
        let nearest = self.tree.nearest(p, limit * limit, |t| {
            if wanted(t) {
                on(t).distance_squared
            } else {
                f64::INFINITY
            }
        });
        nearest.map(|(t, _)| on(t).point)
    }

    /// Parameters at which the segment crosses triangles, ascending, without repetitions at shared edges.
    fn crossings(&self, start: Vec3, end: Vec3) -> Vec<f64> {
        let mut near = Vec::new();
        self.tree.near_segment(start, end, &mut near);
        let mut found: Vec<f64> = near
            .iter()
            .filter_map(|&t| segment_crossing(self.surface.corners(t as usize), start, end))
            .collect();
        found.sort_unstable_by(f64::total_cmp);
        found.dedup_by(|a, b| *a - *b < 1e-12);
        found
    }
}

impl Solid for SurfaceSolid<'_> {
    fn bounds(&self) -> Aabb {
        self.tree.bounds()
    }

    fn inside(&self, p: Vec3) -> bool {
        self.winding.fast(p) > INSIDE
    }

    fn crossing(&self, inside: Vec3, outside: Vec3) -> Vec3 {
        let along = |t: f64| inside + (outside - inside) * t;
        let crossings = self.crossings(inside, outside);
        if self.closed && crossings.len() == 1 {
            return along(crossings[0]);
        }
        // the first crossing with inside before it and outside behind it
        for (k, &t) in crossings.iter().enumerate() {
            let before = if k == 0 { 0.0 } else { crossings[k - 1] };
            let behind = crossings.get(k + 1).copied().unwrap_or(1.0);
            if self.inside(along((before + t) * 0.5)) && !self.inside(along((t + behind) * 0.5)) {
                return along(t);
            }
        }
        halved(self, inside, outside)
    }

    fn boundary_near(&self, bounds: &Aabb) -> bool {
        let touches = |t: u32| touches_box(self.surface.corners(t as usize), bounds);
        if self.tree.any_near_box(bounds, touches) {
            return true;
        }
        if self.closed {
            return false;
        }
        // across a hole the boundary is in the air: look for a change of sign
        let first = self.inside(bounds.centre());
        (0..8).any(|k| {
            let pick = |axis: usize| {
                if k >> axis & 1 == 0 {
                    bounds.low[axis]
                } else {
                    bounds.high[axis]
                }
            };
            self.inside(Vec3::new(pick(0), pick(1), pick(2))) != first
        })
    }

    fn is_exact(&self) -> bool {
        self.closed
    }
}
