//! Where the time of a step goes while much touches: at least half as many contacts push as in the step with most.

use super::super::timing::Timing;
use super::{Row, row, scene};
use anyhow::{Result, bail};
use pliant_solid::Simulation;
use pliant_solid::constraint::ConstraintReport;
use pliant_solid::report::{Stage, StageTimes};
use serde_json::json;
use std::time::Instant;

/// A scene and how far to follow it.
pub struct StagePlan {
    pub scene: &'static str,
    pub steps: usize,
    /// No step is begun after so long.
    pub seconds: f64,
}

/// Contacts that push in a step with about 320 constraint rows.
const USUAL: std::ops::RangeInclusive<usize> = 80..=135;

/// The stages that contact adds to a step.
const CONTACT: [Stage; 5] = [
    Stage::Detect,
    Stage::Jacobian,
    Stage::Delassus,
    Stage::Constraints,
    Stage::Response,
];

struct Sample {
    times: StageTimes,
    contacts: usize,
    constraints: usize,
    solve: ConstraintReport,
    penetration: f64,
}

impl Sample {
    fn contact_seconds(&self) -> f64 {
        CONTACT.iter().map(|&s| self.times.seconds(s)).sum()
    }
}

/// The row of a scene, and the simulation at its end.
pub fn measured_row(plan: &StagePlan) -> Result<(Row, Simulation)> {
    let scene = scene(plan.scene)?;
    let nodes = scene.model.node_count();
    let mut simulation = Simulation::new(scene.model, scene.settings, scene.method)?;
    let start = Instant::now();
    let mut samples = Vec::new();
    while samples.len() < plan.steps && start.elapsed().as_secs_f64() < plan.seconds {
        let report = simulation.step()?;
        samples.push(Sample {
            times: report.times,
            contacts: report.contacts,
            constraints: report.constraints,
            solve: report.constraint_solve,
            penetration: report.max_penetration,
        });
    }
    let steps = samples.len();
    let most = samples.iter().map(|s| s.contacts).max().unwrap_or(0);
    let deepest = samples.iter().fold(0.0f64, |d, s| d.max(s.penetration));
    // as many rows as in the paper's scene of ten tori, about 320: three a contact
    let usual = samples.iter().filter(|s| USUAL.contains(&s.contacts));
    let usual: Vec<f64> = usual
        .map(|s| s.contact_seconds() / s.times.total())
        .collect();
    let usual_steps = usual.len();
    let usual_share = (usual_steps > 0).then(|| Timing::of(usual).median);
    samples.retain(|s| s.contacts > 0 && 2 * s.contacts >= most);
    if samples.is_empty() {
        bail!("nothing touched in {steps} steps");
    }
    let list = |of: &dyn Fn(&Sample) -> f64| samples.iter().map(of).collect::<Vec<_>>();
    let median = |of: &dyn Fn(&Sample) -> f64| Timing::of(list(of)).median;
    let step = Timing::of(list(&|s| s.times.total()));
    let unconverged = samples.iter().filter(|s| !s.solve.converged).count();
    let mut result = step.row(json!({
        "part": "stages",
        "scene": plan.scene,
        "nodes": nodes,
        "threads": rayon::current_num_threads(),
        "steps": steps,
        "contact_steps": samples.len(),
        "contacts_median": median(&|s| s.contacts as f64),
        "contacts_max": most,
        "usual_steps": usual_steps,
        "usual_contact_share": usual_share,
        "constraints_median": median(&|s| s.constraints as f64),
        "constraints_max": samples.iter().map(|s| s.constraints).max(),
        "iterations_median": median(&|s| s.solve.iterations as f64),
        "iterations_max": samples.iter().map(|s| s.solve.iterations).max(),
        "newton_steps_median": median(&|s| s.solve.newton_steps as f64),
        "residual_max": samples.iter().fold(0.0f64, |r, s| r.max(s.solve.residual)),
        "unconverged_steps": unconverged,
        "max_penetration": deepest,
        // median over the steps of each step's share
        "contact_share": median(&|s| s.contact_seconds() / s.times.total()),
        "contact_share_without_solver": median(&|s| {
            let solver = s.times.seconds(Stage::Constraints);
            (s.contact_seconds() - solver) / (s.times.total() - solver)
        }),
    }));
    let mut insert = |name: &str, seconds: &dyn Fn(&Sample) -> f64| {
        let timing = Timing::of(list(seconds));
        result.extend(row(json!({
            format!("{name}_seconds_min"): timing.minimum,
            format!("{name}_seconds_median"): timing.median,
            format!("{name}_share"): median(&|s| seconds(s) / s.times.total()),
        })));
    };
    for stage in Stage::ALL {
        let name = stage.name().replace('-', "_");
        insert(&name, &|s| s.times.seconds(stage));
    }
    insert("rest", &|s| s.times.total() - s.contact_seconds());
    Ok((result, simulation))
}
