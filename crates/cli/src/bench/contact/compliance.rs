//! Two ways to the same compliance W = C ᵀA⁻¹C: along paths of the elimination tree, and with whole solves.
//!
//! A is the matrix of the step after the last that was timed, C belongs to contacts that pushed in that one.

use super::super::timing::{Effort, interleave, time};
use super::Row;
use anyhow::Result;
use pliant_linalg::{BlockMatrix, BlockRows, Llt, LltSymbolic, Mat3, SparseColumns, Vec3};
use pliant_solid::Simulation;
use pliant_solid::assembly::{NO_ROW, TangentInput, TangentWeights, assemble_tangent};
use pliant_solid::constraint::{ByParts, Compliance, PathSolves, WholeSolves, contact_frame};
use pliant_solid::contact::{Contact, Detector, Moving};
use serde_json::json;
use std::sync::Arc;

/// How much is measured.
pub struct Plan {
    /// Of those whose stages are timed.
    pub scene: &'static str,
    /// Contacts that both ways are given; whole solves take too long for all.
    pub groups: usize,
    pub effort: Effort,
}

/// A row for each way, and one for all contacts along paths.
pub fn rows(plan: &Plan, simulation: &Simulation) -> Result<Vec<Row>> {
    let h = simulation.state().time / simulation.state().step.max(1) as f64;
    let factor = factor(simulation, h)?;
    let contacts = pushing(simulation, h);
    let all = columns(simulation, &contacts);
    let stride = contacts.len().div_ceil(plan.groups.max(1)).max(1);
    let some: Vec<Contact> = contacts.iter().step_by(stride).copied().collect();
    let some = columns(simulation, &some);

    let (mut paths, mut whole) = (ByParts::<PathSolves>::default(), WholeSolves::default());
    let mut w = [(); 3].map(|()| BlockRows::default());
    let timings = interleave(3, plan.effort, |way| {
        let (seconds, done) = time(|| match way {
            0 => paths.delassus(&some, &factor, &mut w[0]),
            1 => whole.delassus(&some, &factor, &mut w[1]),
            _ => paths.delassus(&all, &factor, &mut w[2]),
        });
        done?;
        Ok(seconds)
    })?;
    let ways = ["paths", "whole solves", "paths, all contacts"];
    let rows = timings
        .iter()
        .zip(ways)
        .enumerate()
        .map(|(way, (timing, name))| {
            let columns = if way == 2 { &all } else { &some };
            timing.row(json!({
                "part": "delassus",
                "way": name,
                "scene": plan.scene,
                "nodes": simulation.model().node_count(),
                "groups": columns.group_count(),
                // largest difference of an entry, as a share of the largest entry
                "difference": (way == 0).then(|| difference(&w[0], &w[1])),
            }))
        });
    Ok(rows.collect())
}

/// M + hC + h²H at the present positions, factorised.
pub fn factor(simulation: &Simulation, h: f64) -> Result<Llt> {
    let (model, space) = (simulation.model(), simulation.space());
    let mut matrix = BlockMatrix::new(space.pattern().clone());
    let activations: Vec<f64> = model.activations.iter().map(|a| a.at(0.0)).collect();
    let mut rhs = vec![Vec3::ZERO; space.row_count()];
    assemble_tangent(
        &model.elements,
        TangentInput {
            positions: &simulation.state().positions,
            activations: &activations,
            rotations: &[],
        },
        TangentWeights {
            stiffness: h * h,
            damping: h,
        },
        space.scatter(),
        space.row_of(),
        None,
        &mut matrix,
        &mut rhs,
    );
    for (row, &node) in space.kept().iter().enumerate() {
        matrix.add_diagonal(row, Mat3::IDENTITY * model.mass[node as usize]);
    }
    let mut factor = Llt::new(Arc::new(LltSymbolic::new(matrix.pattern())?));
    factor.factorize(&matrix)?;
    Ok(factor)
}

/// The contacts of the coming step that pushed in the last.
fn pushing(simulation: &Simulation, h: f64) -> Vec<Contact> {
    let (model, state) = (simulation.model(), simulation.state());
    let mut detector = Detector::new(model);
    let found = detector.detect(
        model,
        Moving {
            positions: &state.positions,
            velocities: &state.velocities,
            time: state.time,
            h,
        },
    );
    let pushed = |c: &&Contact| {
        let forces = &state.constraint_forces;
        forces
            .binary_search_by_key(&c.identity, |f| f.identity)
            .is_ok()
    };
    found.iter().filter(pushed).copied().collect()
}

/// Jᵀ of contacts; rigid bodies have no part in A.
pub fn columns(simulation: &Simulation, contacts: &[Contact]) -> SparseColumns {
    let row_of = simulation.space().row_of();
    let mut columns = SparseColumns {
        starts: vec![0],
        ..SparseColumns::default()
    };
    for contact in contacts {
        let frame = contact_frame(contact.normal);
        let nodes = &contact.nodes[..contact.count];
        for (&node, &weight) in nodes.iter().zip(&contact.weights) {
            let row = row_of[node as usize];
            if row != NO_ROW {
                columns.rows.push(row);
                columns.blocks.push((frame * weight).transpose());
            }
        }
        columns.starts.push(columns.rows.len());
    }
    columns
}

/// Both have the same groups; blocks that one leaves out are zero.
fn difference(a: &BlockRows, b: &BlockRows) -> f64 {
    let (mut largest, mut off) = (0.0f64, 0.0f64);
    for i in 0..a.row_count() {
        for j in 0..a.row_count() {
            let (a, b) = (a.block(i, j), b.block(i, j));
            largest = largest.max(b.max_abs());
            off = off.max((a - b).max_abs());
        }
    }
    off / largest
}
