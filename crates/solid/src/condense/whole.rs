//! The acceleration of free pieces as a whole, which quasi-static nodes should feel (beyond [WKS20]).
//!
//! A quasi-static node has no inertia: in free fall it would hang from the dynamic nodes with its whole weight. For pieces that nothing
//! holds or touches, the forces that nodes must balance are those that are left when
//! each is accelerated with the piece, f − m (a + α × r + ω × (ω × r)): d'Alembert's. At rest that is f.

use super::layout::Pieces;
use crate::system::System;
use pliant_linalg::{Mat3, Vec3};

/// The impulses that move free pieces as a whole, of all `impulses` = h f, by rows. Pieces with a row in `touched` are left alone:
/// forces of contact at the end of the step, still unknown, move them too.
pub(super) fn whole_motion(
    pieces: &Pieces,
    system: &System,
    velocity: &[Vec3],
    touched: &[bool],
    h: f64,
    impulses: &[Vec3],
) -> Vec<Vec3> {
    let mut whole = vec![Vec3::ZERO; impulses.len()];
    for (rows, held) in pieces.rows.iter().zip(&pieces.held) {
        let is_masked = |&row: &u32| {
            let at = system.masked.partition_point(|&dof| dof < 3 * row);
            (system.masked.get(at)).is_some_and(|&dof| dof < 3 * row + 3)
        };
        let is_touched = |&row: &u32| touched[row as usize];
        if held.is_empty() && !rows.iter().any(|row| is_masked(row) || is_touched(row)) {
            move_piece(rows, system, velocity, h, impulses, &mut whole);
        }
    }
    whole
}

fn move_piece(
    rows: &[u32],
    system: &System,
    velocity: &[Vec3],
    h: f64,
    impulses: &[Vec3],
    whole: &mut [Vec3],
) {
    let rows = || rows.iter().map(|&row| row as usize);
    let total: f64 = rows().map(|i| system.mass[i]).sum();
    let mean = |field: &[Vec3]| {
        let sum = rows().fold(Vec3::ZERO, |sum, i| sum + field[i] * system.mass[i]);
        sum / total
    };
    let (centre, mean_velocity) = (mean(&system.positions), mean(velocity));
    let arm = |i: usize| system.positions[i] - centre;
    let push = rows().fold(Vec3::ZERO, |sum, i| sum + impulses[i]);
    let (mut moment, mut spin_moment, mut inertia) = (Vec3::ZERO, Vec3::ZERO, Mat3::ZERO);
    for i in rows() {
        let (r, m) = (arm(i), system.mass[i]);
        moment += r.cross(impulses[i]);
        spin_moment += r.cross(velocity[i] - mean_velocity) * m;
        inertia += (Mat3::IDENTITY * r.norm_squared() - Mat3::outer(r, r)) * m;
    }
    // a needle has no inertia about its own axis, and nothing to turn there
    let inverse = inertia.inverse().filter(Mat3::is_finite);
    let inverse = inverse.unwrap_or(Mat3::ZERO);
    let spin = inverse * spin_moment;
    let turn = inverse * (moment - spin.cross(inertia * spin) * h); // h α, by Euler's equation
    for i in rows() {
        let r = arm(i);
        let gained = push / total + turn.cross(r) + spin.cross(spin.cross(r)) * h;
        whole[i] = gained * system.mass[i];
    }
}
