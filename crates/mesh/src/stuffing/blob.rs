//! Rounded solids without a surface mesh: tapered limbs that merge smoothly, filled by stuffing.
//!
//! A limb is a chain of balls, each pair of neighbours with the tapered rod that envelops all balls between them. Its
//! distance function is exact, and the smooth union changes no faster than distance does, so the boundary of the
//! lattice is found without missing any.

use super::solid::Solid;
use super::{MEAN_EDGE, SHIFTS};
use super::{
    Raw, StuffError, StuffingError, coarsest_level, compact, estimated_elements, fitting_edge,
    pinch, stuff, without_crumbs,
};
use crate::aabb::Aabb;
use crate::mesh::Mesh;
use pliant_linalg::Vec3;

/// Most balls of a blob: every one is asked at every point of the lattice.
const BALL_LIMIT: usize = 1000;

/// A ball of a limb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Centre, m.
    pub centre: Vec3,
    /// Radius, m.
    pub radius: f64,
}

/// A rounded solid and how finely it is filled.
#[derive(Clone, Debug, PartialEq)]
pub struct Blob {
    /// Chains of balls, in the order in which they are merged.
    pub limbs: Vec<Vec<Ball>>,
    /// Distance between the surfaces of two limbs below which they merge, m.
    pub blend: f64,
    /// Mean edge of the tetrahedra at the boundary, m.
    pub edge: f64,
    /// How many times longer edges deep inside may become.
    pub grading: f64,
}

impl Blob {
    fn check(&self) -> Result<(), StuffingError> {
        if !(self.edge > 0.0 && self.edge.is_finite()) {
            return Err(StuffingError::BadEdge(self.edge));
        }
        if !(self.grading >= 1.0 && self.grading.is_finite()) {
            return Err(StuffingError::BadGrading(self.grading));
        }
        let refuse = |limb: usize, problem: String| Err(StuffingError::BadLimb { limb, problem });
        if !(self.blend >= 0.0 && self.blend.is_finite()) {
            return Err(StuffingError::BadBlend(self.blend));
        }
        let balls: usize = self.limbs.iter().map(Vec::len).sum();
        if self.limbs.is_empty() {
            return refuse(1, "is missing: a blob has at least one".to_string());
        }
        if balls > BALL_LIMIT {
            let limb = self.limbs.len();
            return refuse(
                limb,
                format!("is one too many: {balls} points in all, and the limit is {BALL_LIMIT}"),
            );
        }
        for (index, limb) in self.limbs.iter().enumerate() {
            if limb.is_empty() {
                return refuse(index + 1, "has no point".to_string());
            }
            let bad = |b: &&Ball| !(b.radius > 0.0 && b.radius < 1e30 && b.centre.max_abs() < 1e30);
            if let Some(ball) = limb.iter().find(bad) {
                return refuse(
                    index + 1,
                    format!(
                        "has a point with the radius {} m: it must be a positive number",
                        ball.radius
                    ),
                );
            }
        }
        Ok(())
    }

    /// Volume, m³, and area, m², of all rods by themselves: more than those of the blob.
    fn extent(&self) -> (f64, f64) {
        use std::f64::consts::PI;
        let (mut volume, mut area) = (0.0, 0.0);
        for limb in &self.limbs {
            for ball in limb.iter().take(1).chain(limb.last()) {
                volume += 2.0 / 3.0 * PI * ball.radius.powi(3);
                area += 2.0 * PI * ball.radius.powi(2);
            }
            for pair in limb.windows(2) {
                let (a, b) = (pair[0].radius, pair[1].radius);
                let length = (pair[1].centre - pair[0].centre).norm();
                volume += PI / 3.0 * length * (a * a + a * b + b * b);
                area += PI * length * (a + b);
            }
        }
        (volume, area)
    }

    /// Roughly how many tetrahedra it takes, seldom too few; without bound for lengths that make no sense.
    pub fn estimated_elements(&self) -> f64 {
        if self.check().is_err() {
            return 0.0;
        }
        let (volume, area) = self.extent();
        estimated_elements(volume, area, self.edge, coarsest_level(self.grading))
    }

    /// Distance to the boundary near it, m, negative inside.
    fn value(&self, p: Vec3) -> f64 {
        let limbs = self.limbs.iter().map(|limb| limb_distance(limb, p));
        limbs.fold(f64::INFINITY, |a, b| smooth_union(a, b, self.blend))
    }
}

/// Distance to a chain of tapered rods.
fn limb_distance(limb: &[Ball], p: Vec3) -> f64 {
    match limb {
        [only] => (p - only.centre).norm() - only.radius,
        _ => limb
            .windows(2)
            .map(|pair| rod_distance(pair[0], pair[1], p))
            .fold(f64::INFINITY, f64::min),
    }
}

/// Distance to the balls between `a` and `b`, whose radius changes in proportion: the least of the distances to each,
/// a convex function of the place t along the axis.
fn rod_distance(a: Ball, b: Ball, p: Vec3) -> f64 {
    let axis = b.centre - a.centre;
    let length = axis.norm();
    let Some(direction) = axis.normalized() else {
        return (p - a.centre).norm() - a.radius.max(b.radius);
    };
    let along = (p - a.centre).dot(direction);
    let across = (p - a.centre - direction * along).norm();
    let taper = (a.radius - b.radius) / length;
    let t = if taper >= 1.0 {
        0.0
    } else if taper <= -1.0 {
        length
    } else {
        (along - across * taper / (1.0 - taper * taper).sqrt()).clamp(0.0, length)
    };
    (across * across + (along - t) * (along - t)).sqrt() - (a.radius - taper * t)
}

/// The smaller of two distances, rounded off where they differ by less than `blend`; its gradient is a mean of both.
fn smooth_union(a: f64, b: f64, blend: f64) -> f64 {
    let near = (blend - (a - b).abs()).max(0.0);
    if near > 0.0 {
        a.min(b) - near * near / (4.0 * blend)
    } else {
        a.min(b)
    }
}

impl Solid for Blob {
    fn bounds(&self) -> Aabb {
        let mut bounds = Aabb::EMPTY;
        for ball in self.limbs.iter().flatten() {
            bounds = bounds.union(&Aabb::of(&[ball.centre]).grown(ball.radius));
        }
        // each of the unions adds a quarter of the blend at most
        bounds.grown(0.25 * self.blend * (self.limbs.len() - 1) as f64)
    }

    fn inside(&self, p: Vec3) -> bool {
        self.value(p) < 0.0
    }

    fn boundary_near(&self, bounds: &Aabb) -> bool {
        self.value(bounds.centre()).abs() <= 0.5 * bounds.diagonal()
    }
}

/// Fills a blob with at most `element_limit` tetrahedra.
pub fn blob(blob: &Blob, element_limit: usize) -> Result<Mesh, StuffingError> {
    blob.check()?;
    let coarsest = coarsest_level(blob.grading);
    let (volume, area) = blob.extent();
    let diagonal = blob.bounds().diagonal();
    let too_fine = || StuffingError::TooFine {
        edge: blob.edge,
        limit: element_limit,
        fitting: 1.15 * fitting_edge(volume, area, element_limit as f64, coarsest, diagonal),
    };
    if blob.estimated_elements() > 4.0 * element_limit as f64 {
        return Err(too_fine());
    }
    let cell = blob.edge / MEAN_EDGE;
    let raw = stuff(blob, cell, SHIFTS[1] * cell, coarsest, element_limit);
    let mut raw: Raw = raw.map_err(|e| match e {
        StuffError::TooLarge => too_fine(),
        StuffError::Undecided => StuffingError::Undecided,
    })?;
    pinch::open_pinches(&mut raw);
    let (kept, _, _) = without_crumbs(raw, cell, |_| 0);
    if kept.tetrahedra.len() > element_limit {
        return Err(too_fine());
    }
    if kept.tetrahedra.is_empty() {
        return Err(StuffingError::Nothing {
            edge: blob.edge,
            hint: "; use a smaller one".to_string(),
        });
    }
    Ok(compact(kept)?)
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_bounds;
    use super::*;
    use crate::components::Components;
    use pliant_linalg::vec3;

    fn at(x: f64, y: f64, z: f64, radius: f64) -> Ball {
        Ball {
            centre: vec3(x, y, z),
            radius,
        }
    }

    fn figure(edge: f64) -> Blob {
        Blob {
            limbs: vec![
                vec![
                    at(0.0, 0.0, 0.0, 0.3),
                    at(1.0, 0.1, 0.0, 0.2),
                    at(1.6, 0.5, 0.0, 0.05),
                ],
                vec![at(0.2, 0.0, -0.8, 0.1), at(0.1, 0.0, 0.0, 0.15)],
                vec![at(-0.4, 0.0, 0.2, 0.2)],
            ],
            blend: 0.1,
            edge,
            grading: 2.0,
        }
    }

    #[test]
    fn distances_are_those_to_the_envelope() {
        let (a, b) = (at(0.0, 0.0, 0.0, 0.5), at(2.0, 0.0, 0.0, 0.2));
        for p in [
            vec3(-1.0, 0.3, 0.0),
            vec3(1.0, 1.0, 0.2),
            vec3(2.5, 0.1, 0.1),
            vec3(0.7, 0.01, 0.0),
        ] {
            let least = (0..=20_000)
                .map(|k| {
                    let t = f64::from(k) / 20_000.0;
                    let centre = a.centre + (b.centre - a.centre) * t;
                    (p - centre).norm() - (a.radius + (b.radius - a.radius) * t)
                })
                .fold(f64::INFINITY, f64::min);
            assert!((rod_distance(a, b, p) - least).abs() < 1e-7, "{p:?}");
        }
        // a ball within the other
        let inner = at(0.1, 0.0, 0.0, 0.2);
        assert!((rod_distance(a, inner, vec3(0.0, 2.0, 0.0)) - 1.5).abs() < 1e-12);
    }

    #[test]
    fn a_figure_is_one_sound_piece_of_about_the_estimated_size() {
        let shape = figure(0.05);
        let mesh = blob(&shape, 1_000_000).unwrap();
        check_bounds(&mesh, "figure");
        assert_eq!(Components::of(&mesh).count, 1);
        let ratio = shape.estimated_elements() / mesh.element_count() as f64;
        assert!((0.9..2.0).contains(&ratio), "{ratio}");
        let finer = blob(&figure(0.025), 1_000_000).unwrap();
        assert!((mesh.total_volume() / finer.total_volume() - 1.0).abs() < 0.02);
        assert_eq!(mesh, blob(&shape, 1_000_000).unwrap());
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let fails = |change: fn(&mut Blob)| {
            let mut shape = figure(0.1);
            change(&mut shape);
            blob(&shape, 100_000).unwrap_err().to_string()
        };
        assert!(fails(|b| b.limbs.clear()).contains("limb 1"));
        assert!(fails(|b| b.limbs[1].clear()).contains("limb 2 has no point"));
        assert!(fails(|b| b.limbs[2][0].radius = f64::NAN).contains("limb 3"));
        assert!(fails(|b| b.blend = -1.0).contains("blend"));
        assert!(fails(|b| b.edge = 1e-9).contains("use at least"));
        assert!(fails(|b| b.edge = 3.0).contains("no tetrahedron fits"));
        assert!(fails(|b| b.grading = 0.0).contains("grading"));
        assert!(fails(|b| b.limbs = vec![vec![b.limbs[2][0]; 2000]]).contains("limit"));
    }
}
