//! Steps without a region on ever finer capsules, with as many modes and points: they must not cost more.

use super::case::{Case, Full};
use super::{Row, row};
use crate::bench::scene;
use crate::bench::timing::time;
use anyhow::Result;
use pliant_linalg::Keep;
use pliant_scene::Scene;
use pliant_scene::file::{MeshTable, SceneTable};
use pliant_solid::rig::Rig;
use serde_json::json;
use std::sync::Arc;

/// What is measured.
pub struct Plan {
    /// Cells from the axis to the surface, and along it.
    pub cells: Vec<(usize, usize)>,
    /// Poses that are learnt.
    pub poses: usize,
    /// Modes and points of each of both domains.
    pub rank: usize,
    pub points: usize,
    /// Steps of a pass.
    pub steps: usize,
    pub passes: usize,
}

/// A row for each size: without a pipe, whose detection looks at the surface, and with it.
pub fn rows(plan: &Plan, threads: usize, pool: &rayon::ThreadPool) -> Result<Vec<Row>> {
    let mut cases = Vec::new();
    for &cells in &plan.cells {
        cases.push(case(plan, cells, threads)?);
    }
    // in turns, so that all see the same disturbances
    let mut least = vec![[f64::INFINITY; 2]; cases.len()];
    for _ in 0..plan.passes.max(1) {
        for (case, least) in cases.iter().zip(&mut least) {
            for (touching, least) in [false, true].into_iter().zip(least) {
                *least = least.min(pool.install(|| pass(case, plan.steps, touching))?);
            }
        }
    }
    let facts = cases.iter().zip(&least).map(|(case, [bare, detecting])| {
        row(json!({
            "part": "size",
            "nodes": case.scene.model.node_count(),
            "elements": case.scene.model.element_count(),
            "surface_nodes": case.scene.model.bodies[0].surface.nodes.len(),
            "rank": case.rank(),
            "points": points(case),
            "seconds": bare,
            "seconds_detecting": detecting,
        }))
    });
    Ok(facts.collect())
}

fn points(case: &Case) -> usize {
    let models = case.scene.model.trained.iter().map(|t| &t.model);
    let domains = models.flat_map(|model| &model.domains);
    domains.map(|domain| domain.cubature.len()).sum()
}

/// Median seconds of a step while the capsule bends freely.
fn pass(case: &Case, steps: usize, touching: bool) -> Result<f64> {
    let mut own = match touching {
        true => case.subspace(Full::Nothing)?,
        false => case.alone()?,
    };
    own.step()?; // the first fits the coordinates to all nodes
    let mut seconds = Vec::new();
    for _ in 0..steps.min(45) {
        let (taken, result) = time(|| own.step().map(|_| ()));
        result?;
        seconds.push(taken);
    }
    Ok(crate::bench::rows::median(seconds).unwrap_or(f64::NAN))
}

fn case(plan: &Plan, (divisions, layers): (usize, usize), threads: usize) -> Result<Case> {
    let edit = |table: &mut SceneTable| {
        for body in &mut table.body {
            if let MeshTable::Capsule(capsule) = &mut body.mesh {
                capsule.divisions = divisions;
                capsule.layers = layers;
            }
        }
    };
    let mut scene: Scene = scene::edited("subspace/capsule-small", edit)?;
    for body in &mut scene.model.bodies {
        if let Some(rig) = &body.rig {
            let every = (rig.training.len() / plan.poses.max(1)).max(1);
            let some = rig.training.iter().step_by(every).take(plan.poses);
            let training = Arc::new(some.cloned().collect());
            body.rig = Some(Arc::new(Rig {
                training,
                ..(**rig).clone()
            }));
        }
    }
    scene.training.settings.keep = Keep::Rank(plan.rank);
    let mut case = Case::of("capsule-small", scene, threads, None)?;
    for trained in &mut case.scene.model.trained {
        let mut model = (*trained.model).clone();
        for domain in &mut model.domains {
            // searches end with the points they need: here there are as many on all meshes, at even distances
            let every = (domain.elements.len() / plan.points.max(1)).max(1);
            let weight = domain.elements.len() as f64 / plan.points as f64;
            let some = domain.elements.iter().step_by(every).take(plan.points);
            domain.cubature = some.map(|&e| (e, weight)).collect();
        }
        trained.model = Arc::new(model);
    }
    Ok(case)
}
