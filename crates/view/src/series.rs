//! What plots show of a step: one row of numbers a step and simulation.

use crate::pane::Pane;
use pliant_solid::Simulation;
use pliant_solid::report::Stage;
use pliant_solid::settings::{Settings, StrainRates};
use pliant_solid::strategy::Method;

/// Names of the columns, in order; stages come last.
pub const COLUMNS: [&str; 18] = [
    "pane",
    "step",
    "time",
    "wall",
    "dofs",
    "kinetic",
    "elastic",
    "gravitational",
    "work",
    "loss",
    "residual",
    "newton",
    "iterations",
    "contacts",
    "penetration",
    "stress",
    "metric",
    "error",
];

/// All columns.
pub fn columns() -> Vec<&'static str> {
    let stages = Stage::ALL.map(Stage::name);
    COLUMNS.into_iter().chain(stages).collect()
}

/// The row of the last step of simulation number `index`; `error` is the largest distance of a node from where the first simulation has it, m.
pub fn row(index: usize, pane: &Pane, error: f64) -> Vec<f32> {
    let simulation = &pane.simulation;
    let report = simulation.report();
    let energies = &report.energies;
    let mut row = vec![
        index as f64,
        pane.steps as f64,
        simulation.time(),
        pane.last,
        report.active_dofs as f64,
        energies.kinetic,
        energies.elastic,
        energies.gravitational,
        energies.external_work + energies.contact_work,
        energies.damping_loss + energies.integrator_loss,
        report.solve.relative_residual.max(report.delay_residual),
        report.newton_residual,
        report.linear_iterations as f64,
        report.contacts as f64,
        report.max_penetration,
        report.max_von_mises.0,
        metric(simulation, pane.method),
        error,
    ];
    row.extend(Stage::ALL.map(|stage| report.times.seconds(stage)));
    row.into_iter().map(|v| v as f32).collect()
}

/// What decides whether a method works on something: the largest predicted strain rate (`rigidify`) or mean stretching speed
/// (`conjac`), 1/s; 0 elsewhere.
fn metric(simulation: &Simulation, method: Method) -> f64 {
    if let Some(predicted) = simulation.predictions() {
        return predicted.iter().fold(0.0f64, |m, &v| m.max(v)).sqrt();
    }
    if method != Method::Conjac {
        return 0.0;
    }
    let activity = &simulation.state().activity;
    let each = (0..activity.dynamic.len()).map(|i| activity.mean(i));
    each.fold(0.0, f64::max)
}

/// The thresholds of that, 1/s, lower first; those of the most sensitive body.
pub fn thresholds(method: Method, simulation: &Simulation, settings: &Settings) -> Vec<f64> {
    match method {
        Method::Rigidify => {
            let least = |pick: fn(&StrainRates) -> f64| {
                let rates = simulation.strain_limits().iter().map(pick);
                rates.filter(|&r| r > 0.0).fold(f64::INFINITY, f64::min)
            };
            let both = [least(|r| r.rigid_below), least(|r| r.elastic_above)];
            both.map(f64::sqrt)
                .into_iter()
                .filter(|r| r.is_finite())
                .collect()
        }
        Method::Conjac => settings.conjac.adaptive.map_or(Vec::new(), |own| {
            vec![own.release * own.threshold, own.threshold]
        }),
        _ => Vec::new(),
    }
}
