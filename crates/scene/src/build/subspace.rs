//! `[solver.subspace]`.

use crate::error::{KeyPath, Problem};
use crate::file::{ActivationName, SubspaceLinearName, SubspaceTable};
use pliant_solid::subspace::{Activation, SubspaceLinear, SubspaceSettings};

/// Steps beyond which regions would never end.
const LONGEST: u32 = 10_000;

pub(super) fn settings(table: &SubspaceTable, at: &KeyPath) -> Result<SubspaceSettings, Problem> {
    let default = SubspaceSettings::default();
    let refuse = |key: &str, message: String| Err(Problem::new(at.key(key), message));
    let radius = table.radius.map_or(default.radius, |r| r.si);
    if !(radius >= 0.0 && radius.is_finite()) {
        let message =
            format!("radius must not be negative (1 is the size of the body), not {radius}");
        return refuse("radius", message);
    }
    let error = table.error.map(|e| e.si);
    if let Some(error) = error.filter(|e| !(*e > 0.0 && e.is_finite())) {
        let message = format!("error must be positive (0.1 is 10 %), not {error}");
        return refuse("error", message);
    }
    let tolerance = table.tolerance.map_or(default.tolerance, |t| t.si);
    if !(tolerance > 0.0 && tolerance < 1.0) {
        let message = format!("tolerance must lie between 0 and 1, not {tolerance}");
        return refuse("tolerance", message);
    }
    let calm_speed = table.calm_speed.map_or(default.calm_speed, |s| s.si);
    let calm_acceleration = (table.calm_acceleration).map_or(default.calm_acceleration, |a| a.si);
    for (key, value) in [
        ("calm_speed", calm_speed),
        ("calm_acceleration", calm_acceleration),
    ] {
        if !(value >= 0.0 && value.is_finite()) {
            return refuse(key, format!("{key} must not be negative, not {value}"));
        }
    }
    let interface_stiffness =
        (table.interface_stiffness).map_or(default.interface_stiffness, |k| k.si);
    if !(interface_stiffness > 0.0 && interface_stiffness.is_finite()) {
        let message = format!("interface_stiffness must be positive, not {interface_stiffness}");
        return refuse("interface_stiffness", message);
    }
    let steps =
        |key: &str, value: Option<u32>, default: u32, least: u32| match value.unwrap_or(default) {
            steps if (least..=LONGEST).contains(&steps) => Ok(steps),
            steps => {
                let message =
                    format!("{key} must lie between {least} and {LONGEST} steps, not {steps}");
                Err(Problem::new(at.key(key), message))
            }
        };
    let at_least_one =
        |key: &str, value: Option<usize>, default: usize| match value.unwrap_or(default) {
            0 => Err(Problem::new(
                at.key(key),
                format!("{key} must be at least 1"),
            )),
            count => Ok(count),
        };
    Ok(SubspaceSettings {
        activation: match table.activation.unwrap_or_default() {
            ActivationName::Oracles => Activation::Oracles,
            ActivationName::Nothing => Activation::Nothing,
            ActivationName::Everything => Activation::Everything,
        },
        radius,
        timeout: steps("timeout", table.timeout, default.timeout, 1)?,
        blend: steps("blend", table.blend, default.blend, 0)?,
        calm_speed,
        calm_acceleration,
        error,
        interface_stiffness,
        linear: match table.linear.unwrap_or_default() {
            SubspaceLinearName::Pcg => SubspaceLinear::Pcg,
            SubspaceLinearName::Direct => SubspaceLinear::Direct,
        },
        tolerance,
        max_iterations: at_least_one(
            "max_iterations",
            table.max_iterations,
            default.max_iterations,
        )?,
        mass_samples: at_least_one("mass_samples", table.mass_samples, default.mass_samples)?,
        trained_contacts: (table.trained_contacts).unwrap_or(default.trained_contacts),
    })
}
