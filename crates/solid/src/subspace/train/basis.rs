//! The modes of a domain: principal components of pulled-back snapshots, and rigid modes.

use super::{DomainReport, Training, TrainingSettings};
use crate::element::Element;
use crate::subspace::trained::TrainedDomain;
use pliant_linalg::{PrincipalError, Vec3, flat, flat_mut, orthonormalize, principal_components};
use rayon::prelude::*;

/// Share of a rigid mode that must be new for it to be appended.
const NEW_SHARE: f64 = 1e-3;

/// A domain without cubature yet.
pub(super) fn build(
    training: &Training<'_>,
    own: Vec<u32>,
    elements: &[&Element],
    settings: &TrainingSettings,
) -> Result<(TrainedDomain, DomainReport), PrincipalError> {
    let body = &training.model.bodies[training.body];
    let start = body.nodes.start as u32;
    let mut nodes: Vec<u32> = (elements.iter().flat_map(|e| e.nodes))
        .map(|node| node - start)
        .collect();
    nodes.sort_unstable();
    nodes.dedup();
    let snapshots: Vec<Vec<Vec3>> = (0..training.snapshots.len())
        .into_par_iter()
        .map(|s| pull_back(training, s, &nodes))
        .collect();
    let flat_snapshots: Vec<&[f64]> = snapshots.iter().map(|s| flat(s)).collect();
    let found = principal_components(&flat_snapshots, None, settings.keep)?;
    let mut columns = found.columns;
    let before = columns.len();
    if settings.rigid_modes && !nodes.is_empty() {
        for mode in rigid_modes(training, &nodes, body.planar) {
            append(&mut columns, mode);
        }
        orthonormalize(&mut columns)?;
    }
    let rank = columns.len();
    let mut basis = vec![0.0; 3 * nodes.len() * rank];
    for (m, column) in columns.iter().enumerate() {
        for (row, value) in column.iter().enumerate() {
            basis[row * rank + m] = *value;
        }
    }
    let report = DomainReport {
        nodes: nodes.len(),
        elements: own.len(),
        rank,
        rigid_modes: rank - before,
        variance: found.variance,
        projection_error: projection_error(&columns, &flat_snapshots),
        ..DomainReport::default()
    };
    let domain = TrainedDomain {
        elements: own,
        nodes,
        rank,
        basis,
        rigid_modes: rank - before,
        ..TrainedDomain::default()
    };
    Ok((domain, report))
}

/// ū = Rᵀ(x − t) − X of some nodes in a snapshot.
pub(super) fn pull_back(training: &Training<'_>, snapshot: usize, nodes: &[u32]) -> Vec<Vec3> {
    let first = training.model.bodies[training.body].nodes.start;
    let positions = &training.snapshots[snapshot].positions;
    let still = training.skinned.is_identity();
    let of_node = |&node: &u32| {
        let node = node as usize;
        let rest = training.model.rest[first + node];
        if still {
            return positions[node] - rest;
        }
        let frame = training.skinned.frame(snapshot, node);
        frame.pull_back(positions[node]) - rest
    };
    nodes.iter().map(of_node).collect()
}

/// Translations and rotations about the middle, zero at held nodes; of a planar body those in its plane.
fn rigid_modes(training: &Training<'_>, nodes: &[u32], planar: bool) -> Vec<Vec<f64>> {
    let first = training.model.bodies[training.body].nodes.start;
    let rest = |node: u32| training.model.rest[first + node as usize];
    let sum = nodes.iter().fold(Vec3::ZERO, |s, &n| s + rest(n));
    let middle = sum / nodes.len() as f64;
    let mut is_held = vec![false; training.model.bodies[training.body].nodes.len()];
    training
        .held
        .iter()
        .for_each(|&n| is_held[n as usize] = true);
    let field = |of: &dyn Fn(Vec3) -> Vec3| {
        let mut mode = vec![Vec3::ZERO; nodes.len()];
        for (value, &node) in mode.iter_mut().zip(nodes) {
            if !is_held[node as usize] {
                *value = of(rest(node) - middle);
            }
        }
        flat_mut(&mut mode).to_vec()
    };
    let [x, y, z] = Vec3::AXES;
    let (shifts, turns): (&[Vec3], &[Vec3]) = match planar {
        true => (&[x, y], &[z]),
        false => (&[x, y, z], &[x, y, z]),
    };
    let shifts = shifts.iter().map(|&axis| field(&|_| axis));
    let turns = turns.iter().map(|&axis| field(&|arm| axis.cross(arm)));
    shifts.chain(turns).collect()
}

/// Appends what a mode has beside the columns, which are orthonormal, unless that is next to nothing.
fn append(columns: &mut Vec<Vec<f64>>, mut mode: Vec<f64>) {
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let length = norm(&mode);
    for _ in 0..2 {
        remove_span(columns, &mut mode);
    }
    let rest = norm(&mode);
    if rest > NEW_SHARE * length {
        mode.iter_mut().for_each(|m| *m /= rest);
        columns.push(mode);
    }
}

/// y ← y − U Uᵀ y.
fn remove_span(columns: &[Vec<f64>], y: &mut [f64]) {
    for u in columns {
        let share: f64 = u.iter().zip(&*y).map(|(u, y)| u * y).sum();
        y.iter_mut().zip(u).for_each(|(y, u)| *y -= share * u);
    }
}

fn projection_error(columns: &[Vec<f64>], snapshots: &[&[f64]]) -> f64 {
    let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
    let missed = |y: &&[f64]| {
        let mut rest = y.to_vec();
        remove_span(columns, &mut rest);
        (square(&rest), square(y))
    };
    let all: Vec<(f64, f64)> = snapshots.par_iter().map(missed).collect();
    let (rest, size) = (all.iter()).fold((0.0_f64, 0.0_f64), |m, v| (m.0.max(v.0), m.1.max(v.1)));
    if size > 0.0 {
        (rest / size).sqrt()
    } else {
        0.0
    }
}
