//! When four moving points become coplanar: a cubic in time, for a vertex that meets a triangle or an edge that
//! meets an edge; a quadratic for a vertex that meets an edge in the plane.

use pliant_linalg::Vec3;

/// Steps of Newton's method, kept inside the bracket by bisection, for one root at most.
const ITERATIONS: usize = 80;

/// c0 + c1 t + c2 t² + c3 t³ for t from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cubic([f64; 4]);

/// A change of sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Crossing {
    pub time: f64,
    /// From positive to negative.
    pub falling: bool,
}

/// Volume spanned by b − a, c − a and x − a while each point moves straight: positive while x is in front of the
/// triangle a b c.
pub(super) fn volume(points: [Vec3; 4], shifts: [Vec3; 4]) -> Cubic {
    let [a, b, c, x] = points;
    let [da, db, dc, dx] = shifts;
    let (e, f, g) = (b - a, c - a, x - a);
    let (de, df, dg) = (db - da, dc - da, dx - da);
    let (e_f, de_f, e_df, de_df) = (e.cross(f), de.cross(f), e.cross(df), de.cross(df));
    Cubic([
        e_f.dot(g),
        (de_f + e_df).dot(g) + e_f.dot(dg),
        de_df.dot(g) + (de_f + e_df).dot(dg),
        de_df.dot(dg),
    ])
}

/// Twice the area between x and the edge a b in the plane: positive while x is on its right, outside the body.
pub(super) fn area(points: [Vec3; 3], shifts: [Vec3; 3]) -> Cubic {
    let [a, b, x] = points;
    let [da, db, dx] = shifts;
    let cross = |p: Vec3, q: Vec3| p.x * q.y - p.y * q.x;
    let (e, g) = (b - a, x - a);
    let (de, dg) = (db - da, dx - da);
    Cubic([cross(g, e), cross(dg, e) + cross(g, de), cross(dg, de), 0.0])
}

impl Cubic {
    fn value(&self, t: f64) -> f64 {
        let [c0, c1, c2, c3] = self.0;
        c0 + t * (c1 + t * (c2 + t * c3))
    }

    fn slope(&self, t: f64) -> f64 {
        let [_, c1, c2, c3] = self.0;
        c1 + t * (2.0 * c2 + t * 3.0 * c3)
    }

    /// Whether the sign cannot change: all Bernstein coefficients have the same.
    pub fn keeps_sign(&self) -> bool {
        let [c0, c1, c2, c3] = self.0;
        let b = [
            c0,
            c0 + c1 / 3.0,
            c0 + (2.0 * c1 + c2) / 3.0,
            c0 + c1 + c2 + c3,
        ];
        b.iter().all(|&v| v > 0.0) || b.iter().all(|&v| v < 0.0)
    }

    /// Changes of sign in order of time. Zero counts as the sign that follows a positive value, so that arriving
    /// exactly is a crossing; touching without crossing is not one.
    pub fn crossings(&self) -> impl Iterator<Item = Crossing> {
        let cubic = *self;
        let [_, c1, c2, c3] = self.0;
        // monotone between the zeros of the slope c1 + 2 c2 t + 3 c3 t²
        let mut stops = [0.0, 0.0, 0.0, 1.0];
        let discriminant = c2 * c2 - 3.0 * c3 * c1;
        if discriminant > 0.0 {
            let q = -(c2 + discriminant.sqrt().copysign(c2));
            let inside = |t: f64| if t > 0.0 && t < 1.0 { t } else { 0.0 };
            let (s, t) = (inside(q / (3.0 * c3)), inside(c1 / q));
            stops[1] = s.min(t);
            stops[2] = s.max(t);
        }
        (0..3).filter_map(move |i| cubic.crossing_between(stops[i], stops[i + 1]))
    }

    fn crossing_between(&self, start: f64, end: f64) -> Option<Crossing> {
        let falling = self.value(start) > 0.0;
        // `end >= start` is false for NaN as well
        if start.partial_cmp(&end) != Some(std::cmp::Ordering::Less)
            || (self.value(end) > 0.0) == falling
        {
            return None;
        }
        let (mut low, mut high) = (start, end);
        let mut t = 0.5 * (low + high);
        for _ in 0..ITERATIONS {
            let value = self.value(t);
            if (value > 0.0) == falling {
                low = t;
            } else {
                high = t;
            }
            let newton = t - value / self.slope(t);
            let middle = 0.5 * (low + high);
            let next = if newton > low && newton < high {
                newton
            } else {
                middle
            };
            if value == 0.0 || (next - t).abs() <= 1e-15 {
                break;
            }
            t = next;
        }
        Some(Crossing { time: t, falling })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_known_cubics() {
        let times = |c: [f64; 4]| -> Vec<f64> { Cubic(c).crossings().map(|c| c.time).collect() };
        let close = |found: Vec<f64>, expected: &[f64]| {
            assert_eq!(found.len(), expected.len(), "{found:?} {expected:?}");
            for (f, e) in found.iter().zip(expected) {
                assert!((f - e).abs() < 1e-12, "{f} {e}");
            }
        };
        // (t − 0.2)(t − 0.5)(t − 0.9)
        close(times([-0.09, 0.73, -1.6, 1.0]), &[0.2, 0.5, 0.9]);
        // (t − 0.25)(t − 0.75)
        close(times([0.1875, -1.0, 1.0, 0.0]), &[0.25, 0.75]);
        close(times([1.0, -4.0, 0.0, 0.0]), &[0.25]);
        // arriving exactly at the end
        close(times([1.0, -1.0, 0.0, 0.0]), &[1.0]);
        assert!(Cubic([1.0, 0.5, 0.0, 0.0]).keeps_sign());
        close(times([1.0, 0.5, 0.0, 0.0]), &[]);
        close(times([f64::NAN, 1.0, 1.0, 1.0]), &[]);
        let falling: Vec<bool> = Cubic([-0.09, 0.73, -1.6, 1.0])
            .crossings()
            .map(|c| c.falling)
            .collect();
        assert_eq!(falling, [false, true, false]);
    }

    #[test]
    fn volumes_follow_the_points() {
        let p = |k: u64| {
            let at = |i: u64| ((k * 3 + i) as f64 * 12.9898).sin();
            Vec3::new(at(0), at(1), at(2))
        };
        let points = [p(1), p(2), p(3), p(4)];
        let shifts = [p(5), p(6), p(7), p(8)];
        let cubic = volume(points, shifts);
        for t in [0.0, 0.3, 0.8, 1.0] {
            let [a, b, c, x] = [0, 1, 2, 3].map(|i| points[i] + shifts[i] * t);
            let direct = (b - a).cross(c - a).dot(x - a);
            assert!((cubic.value(t) - direct).abs() < 1e-14);
        }
    }
}
