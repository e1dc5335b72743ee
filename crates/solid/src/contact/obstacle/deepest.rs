//! Where a facet is deepest in an obstacle: what a thin rod or the corner of a box does between the nodes.
//!
//! Signed distances of convex shapes are convex, so that over a triangle nested descents along lines find the least
//! value; balls and rods have closed forms. Other shapes are sampled and the best sample is followed downhill, which
//! may miss the deepest of several hollows that are smaller than an eighth of the facet.

use super::{PosedObstacle, Shape};
use pliant_linalg::Vec3;
use pliant_mesh::triangle::{
    ClosestPoint, Feature, closest_on_segment, closest_on_triangle, segment_crossing,
};

/// Lines tried across a triangle at most.
const LINES: usize = 34;

/// Place of the deepest point, as a part of the facet: distances are off by its square only, as long as there is no crease.
const PLACE: f64 = 1e-6;

/// Points tried along a line at most; a few are enough, because tangents bound what is left.
const POINTS: usize = 40;

/// What may be gained yet, as a part of the length of a line, when its search ends.
const GAIN: f64 = 1e-12;

/// Samples along the sides of a triangle in a shape that is not convex.
const SAMPLES: i32 = 8;

/// How often a facet's sides are halved for tangents to show that nothing is deeper inside.
const HALVINGS: u32 = 3;

/// Probes on the way downhill.
const PROBES: usize = 400;

/// A point of a facet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeepestPoint {
    /// Barycentrics, in [0, 1], sum 1; on an edge the third is zero.
    pub weights: [f64; 3],
    /// Signed distance there, m: the least of the facet.
    pub distance: f64,
    /// Unit normal out of the obstacle. Where the obstacle has a crease there, the one across the facet.
    pub normal: Vec3,
}

impl DeepestPoint {
    /// Whether it is a corner of the facet, which is probed as a node already.
    pub fn is_corner(&self) -> bool {
        self.weights.contains(&1.0)
    }
}

/// The deepest point of a triangle where its distance is below `limit` (m, not negative; may be infinite). Nothing where tangents
/// show that no point is deeper than all corners by more than `clearly`, m; zero to look in any case.
pub fn deepest_on_triangle(
    posed: &PosedObstacle,
    corners: [Vec3; 3],
    limit: f64,
    clearly: f64,
) -> Option<DeepestPoint> {
    let pose = posed.pose();
    let corners = corners.map(|x| pose.to_rest(x));
    let shape = &posed.obstacle.shape;
    let (middle, radius) = around(corners);
    // distances change at most as fast as places
    if shape.is_clear_of(middle, limit + radius) {
        return None;
    }
    if clearly > 0.0 {
        let probes = corners.map(|x| shape.probe(x));
        let deepest = probes.iter().fold(f64::INFINITY, |m, p| m.min(p.0));
        let goal = limit.min(deepest - clearly);
        if stays_above(shape, corners, probes, goal, HALVINGS) {
            return None;
        }
    }
    let mut found = on_triangle(shape, corners);
    if found.distance >= limit {
        return None;
    }
    found.normal = pose.rotation * across_triangle(found, corners);
    Some(found)
}

/// The deepest point of an edge of a planar body where its distance is below `limit`.
pub fn deepest_on_edge(posed: &PosedObstacle, ends: [Vec3; 2], limit: f64) -> Option<DeepestPoint> {
    let pose = posed.pose();
    let [a, b] = ends.map(|x| pose.to_rest(x));
    let shape = &posed.obstacle.shape;
    if shape.is_clear_of((a + b) * 0.5, limit + 0.5 * (b - a).norm()) {
        return None;
    }
    let mut found = on_line(shape, a, b).weighted([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    if found.distance >= limit {
        return None;
    }
    if !found.is_corner() {
        found.normal = across_line(found.normal, b - a);
    }
    found.normal = pose.rotation * found.normal;
    Some(found)
}

/// Whether tangents leave no room for a point below `goal`: f(x) ≥ f(c) + n·(x − c) − ½κ(x − c)² at each corner c with the concavity κ
/// of the distance, and so is every mean of such bounds. Where those of the corners leave some, the four parts between halved sides are tried.
fn stays_above(
    shape: &Shape,
    corners: [Vec3; 3],
    probes: [(f64, Vec3); 3],
    goal: f64,
    halvings: u32,
) -> bool {
    const WEIGHTS: [[f64; 3]; 7] = [
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.5, 0.5, 0.0],
        [0.0, 0.5, 0.5],
        [0.5, 0.0, 0.5],
        [1.0 / 3.0; 3],
    ];
    let [a, b, c] = corners;
    let (middle, radius) = around(corners);
    let concavity = shape.concavity(middle, radius);
    if concavity.is_infinite() || probes.iter().any(|probe| probe.0 < goal) {
        return false;
    }
    let squares = [b - a, c - b, a - c].map(Vec3::norm_squared);
    let bend = 0.5 * concavity * squares.into_iter().fold(0.0, f64::max);
    let bounded = WEIGHTS.iter().any(|weights| {
        // a plane is least at a corner
        let at = |x: Vec3| {
            let planes = probes.iter().zip(&corners).zip(weights);
            let terms = planes.map(|((&(f, n), &from), w)| w * (f + n.dot(x - from)));
            terms.sum::<f64>()
        };
        at(a).min(at(b)).min(at(c)) - bend >= goal
    });
    if bounded || halvings == 0 {
        return bounded;
    }
    let halves = [a + b, b + c, c + a].map(|sum| sum * 0.5);
    let between = halves.map(|x| shape.probe(x));
    let ([ab, bc, ca], [at_ab, at_bc, at_ca], [at_a, at_b, at_c]) = (halves, between, probes);
    let parts = [
        ([ab, bc, ca], [at_ab, at_bc, at_ca]),
        ([a, ab, ca], [at_a, at_ab, at_ca]),
        ([ab, b, bc], [at_ab, at_b, at_bc]),
        ([ca, bc, c], [at_ca, at_bc, at_c]),
    ];
    let mut parts = parts.into_iter();
    parts.all(|(corners, probes)| stays_above(shape, corners, probes, goal, halvings - 1))
}

/// Middle of a triangle, and how far its corners are from it.
fn around(corners: [Vec3; 3]) -> (Vec3, f64) {
    let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
    let away = corners.iter().map(|&x| (x - middle).norm());
    (middle, away.fold(0.0, f64::max))
}

/// The least of a function over an inner point has a (sub)gradient without a part along the facet.
fn across_triangle(found: DeepestPoint, corners: [Vec3; 3]) -> Vec3 {
    let [a, b, c] = corners;
    match found.weights.map(|w| w == 0.0) {
        [false, false, false] => {
            let Some(facet) = (b - a).cross(c - a).normalized() else {
                return found.normal;
            };
            // facets face outwards and obstacles push inwards where nothing else decides
            if found.normal.dot(facet) > 0.0 {
                facet
            } else {
                -facet
            }
        }
        [true, false, false] => across_line(found.normal, c - b),
        [false, true, false] => across_line(found.normal, a - c),
        [false, false, true] => across_line(found.normal, b - a),
        _ => found.normal,
    }
}

fn across_line(normal: Vec3, along: Vec3) -> Vec3 {
    let Some(along) = along.normalized() else {
        return normal;
    };
    let across = normal - along * normal.dot(along);
    across.normalized().unwrap_or(normal)
}

fn on_triangle(shape: &Shape, corners: [Vec3; 3]) -> DeepestPoint {
    let at = |weights: [f64; 3]| {
        let (distance, normal) = shape.probe(combined(corners, weights));
        DeepestPoint {
            weights,
            distance,
            normal,
        }
    };
    let unit = |i: usize| std::array::from_fn(|k| if k == i { 1.0 } else { 0.0 });
    let size = (corners[1] - corners[0])
        .norm()
        .max((corners[2] - corners[0]).norm());
    let corner = (0..3)
        .map(|i| at(unit(i)))
        .reduce(|m, x| if x.distance < m.distance { x } else { m });
    let best = match *shape {
        // a plane is nearest to a corner, and the outside of a ball too
        Shape::HalfSpace { .. } | Shape::Sphere { hollow: true, .. } => corner,
        Shape::Sphere { centre, .. } => {
            let closest = closest_on_triangle(corners, centre);
            Some(at(weights_of(corners, &closest)))
        }
        Shape::Capsule { a, b, .. } => Some(at(nearest_to_segment(corners, a, b))),
        _ => {
            let edges = (0..3).map(|i| {
                let j = (i + 1) % 3;
                on_line(shape, corners[i], corners[j]).weighted(unit(i), unit(j))
            });
            let inner = if shape.is_convex() {
                within_convex(shape, corners)
            } else {
                downhill(at)
            };
            // an edge as deep as the inside is enough: its other facet finds the same
            let edge = edges.reduce(|m, x| if x.distance < m.distance { x } else { m });
            edge.map(|edge| match inner.distance < edge.distance - 1e-9 * size {
                true => inner,
                false => edge,
            })
        }
    };
    // and so is a corner
    match (best, corner) {
        (Some(best), Some(corner)) if best.distance < corner.distance - 1e-9 * size => best,
        (_, Some(corner)) => corner,
        (best, None) => best.unwrap_or_else(|| at([1.0, 0.0, 0.0])),
    }
}

fn combined(corners: [Vec3; 3], weights: [f64; 3]) -> Vec3 {
    corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2]
}

/// The least distance on a line from `p` at 0 to `q` at 1.
struct OnLine {
    t: f64,
    distance: f64,
    normal: Vec3,
}

impl OnLine {
    fn weighted(self, start: [f64; 3], end: [f64; 3]) -> DeepestPoint {
        DeepestPoint {
            weights: std::array::from_fn(|k| start[k] * (1.0 - self.t) + end[k] * self.t),
            distance: self.distance,
            normal: self.normal,
        }
    }
}

fn on_line(shape: &Shape, p: Vec3, q: Vec3) -> OnLine {
    if shape.is_convex() {
        return on_line_convex(shape, p, q);
    }
    // the best of some samples, then between its neighbours
    let at = |t: f64| shape.probe(p + (q - p) * t).0;
    let samples = 2 * SAMPLES;
    let place = |k: i32| f64::from(k) / f64::from(samples);
    let lowest = (0..=samples)
        .map(|k| (k, at(place(k))))
        .reduce(|m, x| if x.1 < m.1 { x } else { m })
        .map_or(0, |(k, _)| k);
    let (from, to) = (place((lowest - 1).max(0)), place((lowest + 1).min(samples)));
    let (between, distance) = golden(from, to, at);
    let t = [place(lowest), between][usize::from(distance < at(place(lowest)))];
    let (distance, normal) = shape.probe(p + (q - p) * t);
    OnLine {
        t,
        distance,
        normal,
    }
}

/// Least of a convex distance: the tangents at both sides of it cross below it, and the next point is there, or in
/// the middle when that gains nothing.
fn on_line_convex(shape: &Shape, p: Vec3, q: Vec3) -> OnLine {
    let d = q - p;
    let at = |t: f64| {
        let (distance, normal) = shape.probe(p + d * t);
        (t, distance, normal, normal.dot(d))
    };
    let done = |(t, distance, normal, _): (f64, f64, Vec3, f64)| OnLine {
        t,
        distance,
        normal,
    };
    let (mut low, mut high) = (at(0.0), at(1.0));
    if low.3 >= 0.0 {
        return done(low);
    }
    if high.3 <= 0.0 {
        return done(high);
    }
    let enough = GAIN * d.norm();
    for step in 0..POINTS {
        // low falls and high rises, so that the tangents cross between them
        let crossing = (high.1 - low.1 + low.3 * low.0 - high.3 * high.0) / (low.3 - high.3);
        let bound = low.1 + low.3 * (crossing - low.0);
        let best = low.1.min(high.1);
        if bound.is_nan() || best - bound <= enough {
            break;
        }
        let inside = crossing > low.0 && crossing < high.0;
        let t = if inside && step % 3 != 2 {
            crossing
        } else {
            0.5 * (low.0 + high.0)
        };
        let next = at(t);
        if next.3 == 0.0 {
            return done(next);
        }
        if next.3 < 0.0 {
            low = next;
        } else {
            high = next;
        }
    }
    let mut least = if low.1 <= high.1 { low } else { high };
    // on a crease the slopes of both sides make up for each other, and so do their normals
    let share = high.3 / (high.3 - low.3);
    least.2 = (low.2 * share + high.2 * (1.0 - share))
        .normalized()
        .unwrap_or(least.2);
    done(least)
}

/// Least of a convex distance over a triangle: the least along lines parallel to one side is a convex function of the
/// line.
fn within_convex(shape: &Shape, [a, b, c]: [Vec3; 3]) -> DeepestPoint {
    let line = |u: f64| {
        let p = a + (b - a) * u;
        (on_line(shape, p, p + (c - a) * (1.0 - u)), u)
    };
    let (u, _) = golden(0.0, 1.0, |u| line(u).0.distance);
    let (found, u) = line(u);
    let v = (1.0 - u) * found.t;
    DeepestPoint {
        weights: [1.0 - u - v, u, v],
        distance: found.distance,
        normal: found.normal,
    }
}

/// Golden section: place and value of the least of a function with one valley.
fn golden(from: f64, to: f64, f: impl Fn(f64) -> f64) -> (f64, f64) {
    let ratio = 0.5 * (5f64.sqrt() - 1.0);
    let (mut low, mut high) = (from, to);
    let mut left = high - ratio * (high - low);
    let mut right = low + ratio * (high - low);
    let (mut at_left, mut at_right) = (f(left), f(right));
    for _ in 0..LINES {
        if high - low < PLACE {
            break;
        }
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - ratio * (high - low);
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + ratio * (high - low);
            at_right = f(right);
        }
    }
    if at_left <= at_right {
        (left, at_left)
    } else {
        (right, at_right)
    }
}

/// The best of a grid of samples, then steps in twelve directions that are halved where none leads down.
fn downhill(at: impl Fn([f64; 3]) -> DeepestPoint) -> DeepestPoint {
    const DIRECTIONS: [[f64; 3]; 12] = [
        [1.0, -1.0, 0.0],
        [-1.0, 1.0, 0.0],
        [0.0, 1.0, -1.0],
        [0.0, -1.0, 1.0],
        [1.0, 0.0, -1.0],
        [-1.0, 0.0, 1.0],
        [1.0, -0.5, -0.5],
        [-1.0, 0.5, 0.5],
        [-0.5, 1.0, -0.5],
        [0.5, -1.0, 0.5],
        [-0.5, -0.5, 1.0],
        [0.5, 0.5, -1.0],
    ];
    let part = 1.0 / f64::from(SAMPLES);
    let third = 1.0 / 3.0;
    let mut best = at([third; 3]);
    for i in 0..=SAMPLES {
        for j in 0..=SAMPLES - i {
            let (u, v) = (f64::from(i) * part, f64::from(j) * part);
            let found = at([1.0 - u - v, u, v]);
            if found.distance < best.distance {
                best = found;
            }
        }
    }
    let mut step = 0.5 * part;
    let mut probes = 0;
    while step > PLACE && probes < PROBES {
        let mut next = best;
        for direction in DIRECTIONS {
            let moved: [f64; 3] = std::array::from_fn(|k| best.weights[k] + step * direction[k]);
            if moved.iter().all(|&w| w >= 0.0) {
                probes += 1;
                let found = at(moved);
                if found.distance < next.distance {
                    next = found;
                }
            }
        }
        if next.distance < best.distance {
            best = next;
        } else {
            step *= 0.5;
        }
    }
    best
}

/// Barycentrics of a closest point.
fn weights_of(corners: [Vec3; 3], closest: &ClosestPoint) -> [f64; 3] {
    let mut weights = [0.0; 3];
    match closest.feature {
        Feature::Corner(i) => weights[i as usize] = 1.0,
        Feature::Edge(i) => {
            let (start, end) = (i as usize, (i as usize + 1) % 3);
            let t = closest_on_segment(corners[start], corners[end], closest.point);
            weights[start] = 1.0 - t;
            weights[end] = t;
        }
        Feature::Face => weights = barycentrics(corners, closest.point),
    }
    weights
}

/// Barycentrics of a point of the triangle's plane, held within the triangle.
fn barycentrics([a, b, c]: [Vec3; 3], x: Vec3) -> [f64; 3] {
    let normal = (b - a).cross(c - a);
    let area = normal.norm_squared();
    if area == 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let v = (x - a).cross(c - a).dot(normal) / area;
    let w = (b - a).cross(x - a).dot(normal) / area;
    let (v, w) = (v.clamp(0.0, 1.0), w.clamp(0.0, 1.0));
    [(1.0 - v - w).max(0.0), v, w]
}

/// Barycentrics of the point of a triangle nearest to the segment `a b`: where it crosses, or the best of ends against
/// the face and the segment against the edges.
fn nearest_to_segment(corners: [Vec3; 3], a: Vec3, b: Vec3) -> [f64; 3] {
    if let Some(t) = segment_crossing(corners, a, b) {
        return barycentrics(corners, a + (b - a) * t);
    }
    let mut best = (f64::INFINITY, [1.0, 0.0, 0.0]);
    let mut offer = |distance: f64, weights: [f64; 3]| {
        if distance < best.0 {
            best = (distance, weights);
        }
    };
    for end in [a, b] {
        let closest = closest_on_triangle(corners, end);
        offer(closest.distance_squared, weights_of(corners, &closest));
    }
    for i in 0..3 {
        let j = (i + 1) % 3;
        let (t, distance) = between_segments(corners[i], corners[j], a, b);
        let mut weights = [0.0; 3];
        weights[i] = 1.0 - t;
        weights[j] = t;
        offer(distance, weights);
    }
    best.1
}

/// Parameter on the segment `p q` of its point nearest to the segment `a b`, and the squared distance [ERI05, 5.1.9].
fn between_segments(p: Vec3, q: Vec3, a: Vec3, b: Vec3) -> (f64, f64) {
    let (u, v, r) = (q - p, b - a, p - a);
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let denominator = uu * vv - uv * uv;
    let mut s = if denominator > 0.0 {
        ((uv * v.dot(r) - vv * u.dot(r)) / denominator).clamp(0.0, 1.0)
    } else {
        0.0
    };
    // one more turn puts right what clamping changed
    for _ in 0..2 {
        let on_other = closest_on_segment(a, b, p + u * s);
        s = closest_on_segment(p, q, a + v * on_other);
    }
    let on_other = closest_on_segment(a, b, p + u * s);
    (s, (p + u * s - (a + v * on_other)).norm_squared())
}
