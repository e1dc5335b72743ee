//! Pieces that spin: positions along circles instead of tangents, momentum kept (beyond [WKS20], which cannot spin fast).
//!
//! A piece has a frame: the rigid motion of what holds it, or of its own masses where nothing does (velocity v̄ of the centre c, spin Ω).
//! The velocities are split into those of the frame and the rest. With R = exp(hΩ) the piece goes along in its frame,
//!   x⁺ = c + h v̄ + R (r + h rest)    r = x − c
//! Then each region, the nodes nearest to one dynamic node d, turns about d by what it spins against the frame, ω:
//!   x⁺ += R (exp(hω) − 1 − hω×) (x − x_d)
//! Between regions the displacements are blended, by the fourth power of nearness, so that borders do not tear.
//!
//! Velocities are not turned: they are those of inertia, and turning them would take the centrifugal force away. But the spin of a free piece
//! is corrected so that the angular momentum about the centre is what it should be: I δω = L − L⁺. L is the moment of M v + h f and of the
//! impulses of constraints, since elastic forces have none. The linearised step itself does not keep it: in a stressed body H is not blind
//! to rotations, and its implicit part brakes them. Where springs or penalties act, L is the moment of the velocities found.

use super::layout::Pieces;
use crate::solver::StepEnd;
use pliant_linalg::svd::polar;
use pliant_linalg::{Mat3, Vec3};

/// Determinant of an inertia, relative to the cube of its mean, at and below which it is that of a needle.
const NEEDLE: f64 = 1e-9;

/// Impulses of a step by rows: M v + h f and what constraints added, N·s; what damps velocities beyond their masses, kg; where springs or
/// penalties act.
#[derive(Default)]
pub(super) struct Impulses {
    pub given: Vec<Vec3>,
    pub drag: Vec<f64>,
    pub coupled: Vec<bool>,
}

/// Turns all pieces and their regions. `x` holds start + h (v + what only moves positions).
pub(super) fn turn_pieces(
    pieces: &Pieces,
    dynamic: &[u32],
    step: &StepEnd,
    x: &mut [Vec3],
    v: &[Vec3],
) {
    let kept = step.space.kept();
    for (rows, held) in pieces.rows.iter().zip(&pieces.held) {
        let nodes: Vec<usize> = rows.iter().map(|&r| kept[r as usize] as usize).collect();
        let frame = if held.is_empty() {
            if has_masked(step, rows) {
                continue; // it slides along something, and no frame of ours does
            }
            Frame::of_masses(&nodes, step, v)
        } else {
            Frame::of_hold(held, step, x)
        };
        let of_piece = |&&dof: &&u32| rows.binary_search(&(dof / 3)).is_ok();
        let dynamic = dynamic.iter().filter(of_piece);
        let mut centres: Vec<usize> = dynamic.map(|&d| kept[d as usize / 3] as usize).collect();
        centres.dedup();
        let regions = Regions::new(centres, &nodes, &frame, step, v);
        for &node in &nodes {
            let arm = step.start[node] - frame.centre;
            let rest = x[node] - step.start[node] - frame.rate(arm) * step.h;
            let turned = arm + rest + regions.displacement(node, step);
            x[node] = frame.centre + frame.velocity * step.h + frame.rotation * turned;
        }
    }
}

/// Corrects the spin of every piece that nothing holds, at its positions `x`.
pub(super) fn keep_momentum(
    pieces: &Pieces,
    impulses: &Impulses,
    step: &StepEnd,
    x: &[Vec3],
    v: &mut [Vec3],
) {
    let (kept, mass) = (step.space.kept(), &step.model.mass);
    for (rows, held) in pieces.rows.iter().zip(&pieces.held) {
        if !held.is_empty() || has_masked(step, rows) {
            continue;
        }
        let nodes: Vec<usize> = rows.iter().map(|&r| kept[r as usize] as usize).collect();
        let (wanted, _) = spin_of(&nodes, |i| mass[i], step.start, v);
        let coupled = rows.iter().any(|&row| impulses.coupled[row as usize]);
        let wanted = if coupled {
            wanted
        } else {
            let given = rows.iter().zip(&nodes).map(|(&row, &node)| {
                let drag = v[node] * impulses.drag[row as usize];
                step.start[node].cross(impulses.given[row as usize] - drag)
            });
            let given = given.fold(Vec3::ZERO, |sum, moment| sum + moment);
            // about the origin; the piece as a whole has M v̄ at its centre
            let total: f64 = nodes.iter().map(|&i| mass[i]).sum();
            let [centre, velocity] = [step.start, v].map(|field| mean(&nodes, |i| mass[i], field));
            given - centre.cross(velocity * total)
        };
        let (found, inertia) = spin_of(&nodes, |i| mass[i], x, v);
        if let Some(inverse) = inverse(inertia) {
            let correction = inverse * (wanted - found);
            let centre = mean(&nodes, |i| mass[i], x);
            for &i in &nodes {
                v[i] += correction.cross(x[i] - centre);
            }
        }
    }
}

fn has_masked(step: &StepEnd, rows: &[u32]) -> bool {
    let masked = step.space.masked();
    rows.iter().any(|&row| {
        let at = masked.partition_point(|&dof| dof < 3 * row);
        masked.get(at).is_some_and(|&dof| dof < 3 * row + 3)
    })
}

/// The rigid motion of a step that a piece is seen from; at rest where no spin can be found (a needle, a single point).
struct Frame {
    centre: Vec3,
    velocity: Vec3,
    spin: Vec3,
    /// Over the step.
    rotation: Mat3,
}

impl Frame {
    fn of_masses(nodes: &[usize], step: &StepEnd, v: &[Vec3]) -> Frame {
        let mass = |i: usize| step.model.mass[i];
        let (moment, inertia) = spin_of(nodes, mass, step.start, v);
        let spin = inverse(inertia).map_or(Vec3::ZERO, |inverse| inverse * moment);
        Frame {
            centre: mean(nodes, mass, step.start),
            velocity: mean(nodes, mass, v),
            spin,
            rotation: rotation(spin, step.h),
        }
    }

    /// Held nodes are where they should be already: the rotation is the one nearest to what they did.
    fn of_hold(held: &[u32], step: &StepEnd, x: &[Vec3]) -> Frame {
        let nodes: Vec<usize> = held.iter().map(|&node| node as usize).collect();
        let [start, end] = [step.start, x].map(|field| mean(&nodes, |_| 1.0, field));
        let (_, inertia) = spin_of(&nodes, |_| 1.0, step.start, x);
        let rotation = if inverse(inertia).is_some() {
            let pairs = nodes.iter().map(|&i| (x[i] - end, step.start[i] - start));
            let moments = pairs.map(|(x, arm)| Mat3::outer(x, arm));
            polar(&moments.fold(Mat3::ZERO, |sum, moment| sum + moment)).0
        } else {
            Mat3::IDENTITY
        };
        let r = |row: usize, column: usize| rotation.at(row, column);
        let double_sine = Vec3::new(r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1));
        let angle = double_sine.norm().atan2(rotation.trace() - 1.0);
        let axis = double_sine.normalized().unwrap_or(Vec3::ZERO);
        Frame {
            centre: start,
            velocity: (end - start) / step.h,
            spin: axis * (angle / step.h),
            rotation,
        }
    }

    /// Velocity of the frame at an arm from its centre, m/s.
    fn rate(&self, arm: Vec3) -> Vec3 {
        self.velocity + self.spin.cross(arm)
    }
}

/// The dynamic nodes of a piece and how their surroundings spin against its frame.
struct Regions {
    centres: Vec<usize>,
    /// exp(hω) − 1 − hω×.
    turns: Vec<Mat3>,
}

impl Regions {
    fn new(
        centres: Vec<usize>,
        nodes: &[usize],
        frame: &Frame,
        step: &StepEnd,
        v: &[Vec3],
    ) -> Regions {
        let rest = &step.model.rest;
        let mut owned = vec![Vec::new(); centres.len()];
        for &node in nodes {
            let distance = |k: usize| (rest[centres[k]] - rest[node]).norm_squared();
            let nearer = |a: usize, b: usize| if distance(b) < distance(a) { b } else { a };
            if let Some(nearest) = (0..centres.len()).reduce(nearer) {
                owned[nearest].push(node);
            }
        }
        let turn = |owned: Vec<usize>| {
            let (moment, inertia) = spin_of(&owned, |i| step.model.mass[i], step.start, v);
            let spin = inverse(inertia).map_or(Vec3::ZERO, |inverse| inverse * moment - frame.spin);
            rotation(spin, step.h) - Mat3::IDENTITY - Mat3::cross_matrix(spin * step.h)
        };
        Regions {
            turns: owned.into_iter().map(turn).collect(),
            centres,
        }
    }

    /// What turning adds to the displacement of a node, in the frame, m.
    fn displacement(&self, node: usize, step: &StepEnd) -> Vec3 {
        let rest = &step.model.rest;
        let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
        for (&centre, &turn) in self.centres.iter().zip(&self.turns) {
            if centre == node {
                return Vec3::ZERO;
            }
            let weight = (rest[centre] - rest[node]).norm_squared().powi(-2);
            sum += turn * (step.start[node] - step.start[centre]) * weight;
            weights += weight;
        }
        if weights > 0.0 {
            sum / weights
        } else {
            Vec3::ZERO
        }
    }
}

/// Of an inertia; none for needles and points, which have no spin about themselves.
fn inverse(inertia: Mat3) -> Option<Mat3> {
    let size = inertia.trace() / 3.0;
    let is_round = inertia.determinant() > NEEDLE * size * size * size;
    is_round.then(|| inertia.inverse()).flatten()
}

fn rotation(spin: Vec3, h: f64) -> Mat3 {
    let axis = spin.normalized();
    axis.map_or(Mat3::IDENTITY, |axis| Mat3::rotation(axis, spin.norm() * h))
}

fn mean(nodes: &[usize], weight: impl Fn(usize) -> f64, field: &[Vec3]) -> Vec3 {
    let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
    for &i in nodes {
        sum += field[i] * weight(i);
        weights += weight(i);
    }
    sum / weights
}

/// Moment of a weighted field about the centre, and inertia.
fn spin_of(
    nodes: &[usize],
    weight: impl Fn(usize) -> f64,
    x: &[Vec3],
    field: &[Vec3],
) -> (Vec3, Mat3) {
    let [centre, whole] = [x, field].map(|field| mean(nodes, &weight, field));
    let (mut moment, mut inertia) = (Vec3::ZERO, Mat3::ZERO);
    for &i in nodes {
        let arm = x[i] - centre;
        moment += arm.cross(field[i] - whole) * weight(i);
        inertia += (Mat3::IDENTITY * arm.norm_squared() - Mat3::outer(arm, arm)) * weight(i);
    }
    (moment, inertia)
}
