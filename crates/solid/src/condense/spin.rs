//! Free pieces that spin: positions along circles instead of tangents, momentum kept (beyond [WKS20], which cannot spin fast).
//!
//! The velocities of a piece are split into those of a rigid motion, fitted by masses (v̄, ω about the centre c), and the rest. With
//! R = exp(hω) the piece turns as a whole: r ← R (r + h rest), v ← v̄ + R (v − v̄). Then the spin is corrected so that the
//! angular momentum about the centre is what it should be: I δω = L − L⁺. L is the moment of M v + h f and of the impulses of
//! constraints, since elastic forces have none. The linearised step itself does not keep it: in a stressed body H is not blind to
//! rotations, and its implicit part brakes them. Where springs or penalties act, L is the moment of the velocities found.

use super::layout::Pieces;
use crate::solver::StepEnd;
use pliant_linalg::{Mat3, Vec3};

/// Impulses of a step by rows: M v + h f and what constraints added, N·s; what damps velocities beyond their masses, kg; where springs or
/// penalties act.
#[derive(Default)]
pub(super) struct Impulses {
    pub given: Vec<Vec3>,
    pub drag: Vec<f64>,
    pub coupled: Vec<bool>,
}

/// Turns every piece that nothing holds. `x` holds start + h (v + what only moves positions).
pub(super) fn turn_free_pieces(
    pieces: &Pieces,
    impulses: &Impulses,
    step: &StepEnd,
    x: &mut [Vec3],
    v: &mut [Vec3],
) {
    let kept = step.space.kept();
    let masked = step.space.masked();
    for (rows, held) in pieces.rows.iter().zip(&pieces.held) {
        let is_masked = |&row: &u32| {
            let at = masked.partition_point(|&dof| dof < 3 * row);
            masked.get(at).is_some_and(|&dof| dof < 3 * row + 3)
        };
        if held.is_empty() && !rows.iter().any(is_masked) {
            let nodes = rows.iter().map(|&row| kept[row as usize] as usize);
            let coupled = rows.iter().any(|&row| impulses.coupled[row as usize]);
            let given = (!coupled).then(|| {
                let of_row = |&row: &u32| {
                    let node = kept[row as usize] as usize;
                    let drag = v[node] * impulses.drag[row as usize];
                    step.start[node].cross(impulses.given[row as usize] - drag)
                };
                rows.iter().map(of_row).fold(Vec3::ZERO, |sum, m| sum + m)
            });
            turn_piece(nodes, given, step, x, v);
        }
    }
}

fn turn_piece(
    nodes: impl Iterator<Item = usize> + Clone,
    given: Option<Vec3>,
    step: &StepEnd,
    x: &mut [Vec3],
    v: &mut [Vec3],
) {
    let (mass, start, h) = (&step.model.mass, step.start, step.h);
    let total: f64 = nodes.clone().map(|i| mass[i]).sum();
    let mean = |field: &[Vec3]| {
        let sum = nodes
            .clone()
            .fold(Vec3::ZERO, |sum, i| sum + field[i] * mass[i]);
        sum / total
    };
    let (centre, velocity) = (mean(start), mean(v));
    let (moment, inertia) = spin_of(nodes.clone(), mass, start, centre, v, velocity);
    let Some(inverse) = inertia.inverse().filter(Mat3::is_finite) else {
        return; // a needle has no spin about itself
    };
    let spin = inverse * moment;
    let angle = spin.norm() * h;
    let Some(axis) = spin.normalized() else {
        return;
    };
    let rotation = Mat3::rotation(axis, angle);
    for i in nodes.clone() {
        let arm = start[i] - centre;
        let rest = x[i] - start[i] - (velocity + spin.cross(arm)) * h;
        x[i] = centre + velocity * h + rotation * (arm + rest);
        v[i] = velocity + rotation * (v[i] - velocity);
    }
    // about the origin it is `given`; the piece as a whole has M v̄ at its centre
    let wanted = given.map_or(moment, |given| given - centre.cross(velocity * total));
    let end = mean(x);
    let (turned, inertia) = spin_of(nodes.clone(), mass, x, end, v, velocity);
    if let Some(inverse) = inertia.inverse().filter(Mat3::is_finite) {
        let correction = inverse * (wanted - turned);
        for i in nodes {
            v[i] += correction.cross(x[i] - end);
        }
    }
}

/// Angular momentum about a centre, and inertia.
fn spin_of(
    nodes: impl Iterator<Item = usize>,
    mass: &[f64],
    x: &[Vec3],
    centre: Vec3,
    v: &[Vec3],
    velocity: Vec3,
) -> (Vec3, Mat3) {
    let (mut moment, mut inertia) = (Vec3::ZERO, Mat3::ZERO);
    for i in nodes {
        let arm = x[i] - centre;
        moment += arm.cross(v[i] - velocity) * mass[i];
        inertia += (Mat3::IDENTITY * arm.norm_squared() - Mat3::outer(arm, arm)) * mass[i];
    }
    (moment, inertia)
}
