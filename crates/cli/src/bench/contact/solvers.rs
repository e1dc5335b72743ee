//! The solvers of constraints: on the problems of the same states, and each on its own trajectory of an ill-conditioned stack.

use super::super::timing::Timing;
use super::{Row, row, scene};
use anyhow::{Context, Result};
use pliant_scene::Scene;
use pliant_solid::Simulation;
use pliant_solid::constraint::ConstraintSolver;
use pliant_solid::report::Stage;
use pliant_solid::state::State;
use serde_json::json;
use std::time::Instant;

/// Problems of a scene, from the default solver's trajectory.
pub struct SolverPlan {
    pub scene: &'static str,
    /// Steps to the first state, and from one to the next.
    pub first: usize,
    pub stride: usize,
    pub problems: usize,
}

/// How long the stack is watched.
pub struct SettlePlan {
    pub steps: usize,
    /// For each solver; no step is begun after so long.
    pub seconds: f64,
}

const SOLVERS: [(&str, ConstraintSolver); 3] = [
    ("gauss-seidel", ConstraintSolver::ProjectedGaussSeidel),
    ("conjugate-gradients", ConstraintSolver::ConjugateGradients),
    ("newton", ConstraintSolver::Newton),
];

/// Slower than this and sunk by less than the second is settled, m/s and m; the scene starts with gaps of 7 mm in all.
const SETTLED: [f64; 2] = [1e-3, 1e-2];

fn simulation(scene: &Scene, solver: ConstraintSolver) -> Result<Simulation> {
    let mut model = scene.model.clone();
    model.contact.constraint.solver.solver = solver;
    let settings = scene.settings.clone();
    Ok(Simulation::new(model, settings, scene.method)?)
}

/// A row for each solver, with impulses of the step before as first guess and without.
pub fn rows(plan: &SolverPlan) -> Result<Vec<Row>> {
    let scene = scene(plan.scene)?;
    let states = states(plan, &scene)?;
    let mut result = Vec::new();
    for (name, solver) in SOLVERS {
        let mut simulation = simulation(&scene, solver)?;
        for start in ["warm", "cold"] {
            let mut seconds = Vec::new();
            let mut reports = Vec::new();
            let mut constraints = 0;
            for state in &states {
                simulation.state_mut().clone_from(state);
                if start == "cold" {
                    simulation.state_mut().constraint_forces.clear();
                }
                let report = simulation.step().context(name)?;
                seconds.push(report.times.seconds(Stage::Constraints));
                reports.push(report.constraint_solve);
                constraints += report.constraints;
            }
            let count = states.len().max(1) as f64;
            let iterations: usize = reports.iter().map(|r| r.iterations).sum();
            result.push(Timing::of(seconds).row(json!({
                "part": "solver",
                "scene": plan.scene,
                "solver": name,
                "start": start,
                "problems": states.len(),
                "constraints_mean": constraints as f64 / count,
                "iterations_mean": iterations as f64 / count,
                "iterations_max": reports.iter().map(|r| r.iterations).max(),
                "newton_steps_max": reports.iter().map(|r| r.newton_steps).max(),
                "residual_max": reports.iter().fold(0.0f64, |m, r| m.max(r.residual)),
                "unconverged": reports.iter().filter(|r| !r.converged).count(),
            })));
        }
    }
    Ok(result)
}

fn states(plan: &SolverPlan, scene: &Scene) -> Result<Vec<State>> {
    let mut simulation = simulation(scene, ConstraintSolver::default())?;
    let mut states = Vec::new();
    for problem in 0..plan.problems.max(1) {
        let steps = if problem == 0 {
            plan.first
        } else {
            plan.stride
        };
        for _ in 0..steps {
            simulation.step()?;
        }
        states.push(simulation.state().clone());
    }
    Ok(states)
}

/// contact/stack-4096 with each solver.
pub fn settle_rows(plan: &SettlePlan) -> Result<Vec<Row>> {
    let scene = scene("stack-4096")?;
    SOLVERS
        .iter()
        .map(|(name, solver)| {
            let mut simulation = simulation(&scene, *solver)?;
            let top = height_of_last_body(&simulation);
            let start = Instant::now();
            let (mut seconds, mut iterations, mut unconverged) = (Vec::new(), 0, 0);
            let (mut residual, mut deepest) = (0.0f64, 0.0f64);
            while seconds.len() < plan.steps && start.elapsed().as_secs_f64() < plan.seconds {
                let report = simulation.step().context(*name)?;
                seconds.push(report.times.seconds(Stage::Constraints));
                iterations += report.constraint_solve.iterations;
                unconverged += usize::from(!report.constraint_solve.converged);
                residual = residual.max(report.constraint_solve.residual);
                deepest = deepest.max(report.max_penetration);
            }
            let steps = seconds.len();
            let velocities = simulation.state().velocities.iter();
            let speed = velocities.fold(0.0f64, |m, v| m.max(v.norm()));
            let sank = top - height_of_last_body(&simulation);
            let facts = json!({
                "part": "settle",
                "scene": "stack-4096",
                "solver": name,
                "steps": steps,
                "time": simulation.state().time,
                "speed": speed,
                "sank": sank,
                "settled": speed < SETTLED[0] && sank.abs() < SETTLED[1],
                "iterations_mean": iterations as f64 / steps.max(1) as f64,
                "unconverged_steps": unconverged,
                "residual_max": residual,
                "max_penetration": deepest,
            });
            Ok(match steps {
                0 => row(facts),
                _ => Timing::of(seconds).row(facts),
            })
        })
        .collect()
}

/// Mean height of the nodes of the body on top, m.
fn height_of_last_body(simulation: &Simulation) -> f64 {
    let nodes = simulation.model().bodies.last().map(|b| b.nodes.clone());
    let nodes = nodes.unwrap_or_default();
    let count = nodes.len().max(1) as f64;
    let positions = &simulation.state().positions[nodes];
    positions.iter().map(|x| x.z).sum::<f64>() / count
}
