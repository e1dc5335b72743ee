//! Table 3: the scenes of the method, a limited time each.

use super::case::{Case, scene};
use super::stages::{Sample, block_jacobi_iterations};
use super::{Row, median, row};
use anyhow::{Context, Result};
use pliant_solid::Simulation;
use pliant_solid::report::Stage;
use pliant_solid::settings::{Settings, Variant};
use pliant_solid::strategy::Method;
use serde_json::json;
use std::time::Instant;

/// A scene and how far to follow it.
pub struct ScenePlan {
    pub name: &'static str,
    pub steps: usize,
    /// No step is begun after so long.
    pub seconds: f64,
    /// Steps whose W is also built the earlier way.
    pub compared: usize,
}

/// The row of a scene; medians over steps with constraints.
pub fn measured_row(plan: &ScenePlan) -> Result<Row> {
    let scene = scene(plan.name)?;
    let with = |variant: Variant| {
        let mut settings: Settings = scene.settings.clone();
        settings.isodof.variant = variant;
        Simulation::new(scene.model.clone(), settings, Method::Isodof)
    };
    let (mut simulation, mut dense) = (with(Variant::Reuse)?, with(Variant::DenseSts)?);
    let case = Case::of(&scene);
    let start = Instant::now();
    let (mut samples, mut dense_seconds, mut gains, mut jacobi) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    // compared steps are spread over the time allowed, with a quarter of it for the way to the first contact
    let share = 0.75 / plan.compared.max(1) as f64;
    let mut compared_seconds = 0.0;
    for step in 0..plan.steps {
        let elapsed = start.elapsed().as_secs_f64() - compared_seconds;
        if elapsed > plan.seconds {
            break;
        }
        let done = (step as f64 / plan.steps as f64).max(elapsed / plan.seconds);
        let compare = done >= 0.25 + share * gains.len() as f64 && gains.len() < plan.compared;
        let before = compare.then(|| simulation.state().clone());
        let sample = Sample::take(&mut simulation).with_context(|| plan.name)?;
        if sample.report.constraints == 0 {
            continue;
        }
        if let Some(before) = before {
            let paused = Instant::now();
            if gains.is_empty() {
                // memory is new to the first
                dense.state_mut().clone_from(&before);
                dense.step()?;
            }
            dense.state_mut().clone_from(&before);
            let other = Sample::take(&mut dense)?.compliance_seconds();
            dense_seconds.push(other);
            gains.push(other / sample.compliance_seconds());
            jacobi.extend(block_jacobi_iterations(&case, &before).ok());
            compared_seconds += paused.elapsed().as_secs_f64();
        }
        samples.push(sample);
    }
    let of = |number: &dyn Fn(&Sample) -> f64| median(samples.iter().map(number));
    let mean = |number: &dyn Fn(&Sample) -> f64| {
        samples.iter().map(number).sum::<f64>() / samples.len().max(1) as f64
    };
    let share = |stage: Stage| {
        let part = mean(&|s| s.report.times.seconds(stage));
        part / mean(&|s| s.seconds).max(f64::MIN_POSITIVE)
    };
    let reused = |s: &Sample| {
        let isolated = s.report.isolated;
        1.0 - isolated.solved as f64 / isolated.touched.max(1) as f64
    };
    Ok(row(json!({
        "part": "scene",
        "scene": plan.name,
        "dofs": simulation.report().active_dofs,
        "stand_ins": scene.assets.iter().filter(|used| used.file.is_none()).count(),
        "nodes": scene.model.node_count(),
        "steps": samples.len(),
        "constraints_mean": mean(&|s| 3.0 * s.report.constraints as f64),
        "step_seconds_mean": mean(&|s| s.seconds),
        "step_seconds_median": of(&|s| s.seconds),
        "w_seconds_mean": mean(&Sample::compliance_seconds),
        "w_seconds_median": of(&Sample::compliance_seconds),
        "w_seconds_dense_sts": median(dense_seconds),
        "w_share": share(Stage::Delassus),
        "solver_share": share(Stage::Constraints),
        "w_speedup": median(gains),
        "reused_mean": mean(&reused),
        "pcg_iterations_median": of(&|s| s.report.solve.iterations as f64),
        "all_iterations_median": of(&|s| s.report.linear_iterations as f64),
        "block_jacobi_iterations_median": median(jacobi.iter().map(|&n| n as f64)),
        "delay_residual_median": of(&|s| s.report.delay_residual),
        "unconverged_steps": samples.iter().filter(|s| !s.report.constraint_solve.converged).count(),
    })))
}
