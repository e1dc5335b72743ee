//! How far the forces of the variants are apart when each step has its own factor and everything is solved tightly.

use super::case::{Body, Case};
use super::{Row, row};
use anyhow::{Context, Result};
use pliant_linalg::Vec3;
use pliant_solid::constraint::{Identity, Remembered};
use pliant_solid::settings::{IsodofSettings, LaggedSettings, Variant};
use pliant_solid::state::State;
use serde_json::json;

/// A body, and the steps whose forces are compared.
pub struct Plan {
    pub body: Body,
    pub steps: Vec<usize>,
}

/// A row for each variant, against `reuse`.
pub fn rows(plan: &Plan) -> Result<Vec<Row>> {
    let case = Case::new(plan.body)?.exact();
    let factor = LaggedSettings {
        lag: Some(0),
        refresh_at: 0,
        tolerance: 1e-13,
        ..LaggedSettings::default()
    };
    let with = |variant: Variant| IsodofSettings {
        variant,
        factor,
        ..IsodofSettings::default()
    };
    let mut reference = case.resume(with(Variant::Reuse), case.model.initial_state())?;
    let mut worst = Variant::ALL.map(|_| 0.0f64);
    let (mut contacts, mut residual) = (0, 0.0f64);
    for step in 0..=plan.steps.iter().copied().max().unwrap_or(0) {
        let before = reference.state().clone();
        let report = reference.step()?;
        if !plan.steps.contains(&step) {
            continue;
        }
        contacts = contacts.max(report.contacts);
        for (&variant, worst) in Variant::ALL.iter().zip(&mut worst) {
            let mut other = case.resume(with(variant), before.clone())?;
            let report = other.step().with_context(|| variant.name())?;
            residual = residual.max(report.constraint_solve.residual);
            *worst = worst.max(difference(reference.state(), other.state()));
        }
    }
    let rows = Variant::ALL.iter().zip(worst);
    Ok(rows
        .map(|(variant, worst)| {
            row(json!({
                "part": "equality",
                "body": case.name,
                "nodes": case.model.node_count(),
                "contacts": contacts,
                "steps": plan.steps.len(),
                "variant": variant.name(),
                "force_difference": worst,
                "solver_residual_max": residual,
            }))
        })
        .collect())
}

/// Largest difference of constraint forces, as a share of the largest force.
fn difference(a: &State, b: &State) -> f64 {
    let (a, b) = (&a.constraint_forces, &b.constraint_forces);
    let size = a.iter().map(|r| r.force.norm()).fold(0.0, f64::max);
    let of = |list: &[Remembered], identity: &Identity| {
        let found = list.binary_search_by_key(identity, |r| r.identity);
        found.map_or(Vec3::ZERO, |at| list[at].force)
    };
    let identities = a.iter().chain(b).map(|r| &r.identity);
    let apart = identities.map(|i| (of(a, i) - of(b, i)).norm());
    apart.fold(0.0, f64::max) / size.max(f64::MIN_POSITIVE)
}
