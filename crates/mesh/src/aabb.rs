//! Axis-aligned boxes.

use pliant_linalg::{Vec3, vec3};

/// A box from its low to its high corner, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Smallest coordinates, m.
    pub low: Vec3,
    /// Largest coordinates, m.
    pub high: Vec3,
}

impl Aabb {
    /// The box that holds nothing and that every union ignores.
    pub const EMPTY: Aabb = Aabb {
        low: vec3(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        high: vec3(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// Smallest box around the points.
    pub fn of(points: &[Vec3]) -> Aabb {
        points.iter().fold(Aabb::EMPTY, |b, &p| b.with(p))
    }

    /// Smallest box around this one and a point.
    #[inline]
    pub fn with(self, p: Vec3) -> Aabb {
        Aabb {
            low: self.low.min(p),
            high: self.high.max(p),
        }
    }

    /// Smallest box around both.
    #[inline]
    pub fn union(self, o: &Aabb) -> Aabb {
        Aabb {
            low: self.low.min(o.low),
            high: self.high.max(o.high),
        }
    }

    /// The box grown by `margin` on every side.
    #[inline]
    pub fn grown(self, margin: f64) -> Aabb {
        let m = vec3(margin, margin, margin);
        Aabb {
            low: self.low - m,
            high: self.high + m,
        }
    }

    /// Whether the two boxes touch.
    #[inline]
    pub fn overlaps(&self, o: &Aabb) -> bool {
        self.low.x <= o.high.x
            && o.low.x <= self.high.x
            && self.low.y <= o.high.y
            && o.low.y <= self.high.y
            && self.low.z <= o.high.z
            && o.low.z <= self.high.z
    }

    /// Whether the point lies in the box.
    #[inline]
    pub fn contains(&self, p: Vec3) -> bool {
        self.overlaps(&Aabb { low: p, high: p })
    }

    /// Squared distance from a point, zero inside.
    #[inline]
    pub fn distance_squared(&self, p: Vec3) -> f64 {
        (self.low - p)
            .max(p - self.high)
            .max(Vec3::ZERO)
            .norm_squared()
    }

    /// Whether the segment from `start` along `direction` (parameter 0 to 1) touches the box.
    /// `inverse` holds the reciprocals of the direction's components, infinite where it is zero.
    #[inline]
    pub fn meets_segment(&self, start: Vec3, inverse: Vec3) -> bool {
        let (mut near, mut far) = (0.0f64, 1.0f64);
        for k in 0..3 {
            // a start on a slab of a parallel direction gives 0·∞ = NaN, which min and max pass over
            let a = (self.low[k] - start[k]) * inverse[k];
            let b = (self.high[k] - start[k]) * inverse[k];
            near = near.max(a.min(b));
            far = far.min(a.max(b));
        }
        near <= far
    }

    /// Midpoint.
    #[inline]
    pub fn centre(&self) -> Vec3 {
        (self.low + self.high) * 0.5
    }

    /// Length of the diagonal, m; zero for the empty box.
    pub fn diagonal(&self) -> f64 {
        (self.high - self.low).max(Vec3::ZERO).norm()
    }
}
