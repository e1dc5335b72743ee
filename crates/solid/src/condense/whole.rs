//! The acceleration of free pieces as a whole, which quasi-static nodes should feel (beyond [WKS20]).
//!
//! A quasi-static node has no inertia: in free fall it would hang from the dynamic nodes with its whole weight. For pieces that nothing
//! holds or touches, the forces that nodes must balance are those that are left when
//! each is accelerated with the piece, f − m (a + α × r + ω × (ω × r)): d'Alembert's. At rest that is f. And what stabilisation moves must
//! not move such a piece as a whole.

use super::layout::Pieces;
use crate::system::System;
use pliant_linalg::{Mat3, Vec3};

/// The pieces that nothing holds and that have no row in `touched`: forces of contact at the end of the step, still unknown, move
/// those too.
pub(super) fn free_pieces<'a>(
    pieces: &'a Pieces,
    system: &System,
    touched: &[bool],
) -> Vec<&'a [u32]> {
    let is_masked = |&row: &u32| {
        let at = system.masked.partition_point(|&dof| dof < 3 * row);
        (system.masked.get(at)).is_some_and(|&dof| dof < 3 * row + 3)
    };
    let is_free = |rows: &Vec<u32>| {
        let mut rows = rows.iter();
        !rows.any(|row| is_masked(row) || touched[*row as usize])
    };
    let all = pieces.rows.iter().zip(&pieces.held);
    let free = all.filter(|(rows, held)| held.is_empty() && is_free(rows));
    free.map(|(rows, _)| rows.as_slice()).collect()
}

/// The impulses that move pieces as a whole, of all `impulses` = h f, by rows.
pub(super) fn whole_motion(
    pieces: &[&[u32]],
    system: &System,
    velocity: &[Vec3],
    h: f64,
    impulses: &[Vec3],
) -> Vec<Vec3> {
    let mut whole = vec![Vec3::ZERO; impulses.len()];
    for rows in pieces {
        move_piece(rows, system, velocity, h, impulses, &mut whole);
    }
    whole
}

/// Takes rigid motions out of a shift of positions, so that it moves neither the centre of a piece nor turns it.
pub(super) fn take_rigid(pieces: &[&[u32]], system: &System, shift: &mut [Vec3]) {
    for rows in pieces {
        let rows = || rows.iter().map(|&row| row as usize);
        let total: f64 = rows().map(|i| system.mass[i]).sum();
        let mean = |field: &[Vec3]| {
            let sum = rows().fold(Vec3::ZERO, |sum, i| sum + field[i] * system.mass[i]);
            sum / total
        };
        let (centre, mean_shift) = (mean(&system.positions), mean(shift));
        let (mut moment, mut inertia) = (Vec3::ZERO, Mat3::ZERO);
        for i in rows() {
            let (r, m) = (system.positions[i] - centre, system.mass[i]);
            moment += r.cross(shift[i] - mean_shift) * m;
            inertia += (Mat3::IDENTITY * r.norm_squared() - Mat3::outer(r, r)) * m;
        }
        let inverse = inertia.inverse().filter(Mat3::is_finite);
        let turn = inverse.unwrap_or(Mat3::ZERO) * moment;
        for i in rows() {
            shift[i] -= mean_shift + turn.cross(system.positions[i] - centre);
        }
    }
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
