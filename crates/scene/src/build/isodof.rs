//! `[solver.isodof]`.

use crate::error::{KeyPath, Problem};
use crate::file::{IsodofTable, VariantName};
use pliant_solid::settings::{IsodofSettings, LaggedSettings, Variant};

/// Corrections beyond which a time step is simply too long.
const MOST_CORRECTIONS: u32 = 100;

/// The longest lag, steps.
const LONGEST_LAG: u32 = 1000;

pub(super) fn settings(
    table: &IsodofTable,
    linear: bool,
    at: &KeyPath,
) -> Result<IsodofSettings, Problem> {
    let default = LaggedSettings::default();
    let refuse = |key: &str, message: String| Err(Problem::new(at.key(key), message));
    let tolerance = table.tolerance.map_or(default.tolerance, |t| t.si);
    if !(tolerance > 0.0 && tolerance < 1.0) {
        let message = format!("tolerance must lie between 0 and 1, not {tolerance}");
        return refuse("tolerance", message);
    }
    if table.max_iterations == Some(0) {
        return refuse(
            "max_iterations",
            "max_iterations must be at least 1".to_string(),
        );
    }
    if let Some(lag) = table.lag.filter(|&lag| lag > LONGEST_LAG) {
        return refuse(
            "lag",
            format!("lag must be at most {LONGEST_LAG}, not {lag}"),
        );
    }
    let delay_tolerance = table
        .delay_tolerance
        .map_or(default.delay_tolerance, |d| d.si);
    if delay_tolerance.is_nan() || delay_tolerance < 0.0 {
        let message = format!("delay_tolerance must not be negative, and is {delay_tolerance}");
        return refuse("delay_tolerance", message);
    }
    if table.variant == Some(VariantName::Direct) {
        let unused = [
            ("lag", table.lag.is_some()),
            ("free_running", table.free_running.is_some()),
            ("refresh_at", table.refresh_at.is_some()),
            ("delay_tolerance", table.delay_tolerance.is_some()),
            ("warp", table.warp.is_some()),
            ("tolerance", table.tolerance.is_some()),
            ("max_iterations", table.max_iterations.is_some()),
            ("prefetch", table.prefetch.is_some()),
            ("kept_nodes", table.kept_nodes.is_some()),
            ("corrections", table.corrections.is_some()),
        ];
        if let Some((key, _)) = unused.iter().find(|(_, given)| *given) {
            let message = format!("{key} says nothing about the variant \"direct\"");
            return refuse(key, message);
        }
    }
    if table.corrections.is_some_and(|c| c > 0) && !linear {
        let message = "corrections are for the integrator \"linear-implicit\": Newton's method corrects by itself";
        return refuse("corrections", message.to_string());
    }
    if table.foresee == Some(true) && !linear {
        let message = "foresee is for the integrator \"linear-implicit\": Newton's method keeps impulses by itself";
        return refuse("foresee", message.to_string());
    }
    let corrections = table
        .corrections
        .unwrap_or(IsodofSettings::default().corrections);
    if corrections > MOST_CORRECTIONS {
        let message = format!("corrections must be at most {MOST_CORRECTIONS}, not {corrections}");
        return refuse("corrections", message);
    }
    Ok(IsodofSettings {
        variant: match table.variant {
            None | Some(VariantName::Reuse) => Variant::Reuse,
            Some(VariantName::Isodof) => Variant::Isolated,
            Some(VariantName::DenseSts) => Variant::DenseSts,
            Some(VariantName::Unbuilt) => Variant::Unbuilt,
            Some(VariantName::Direct) => Variant::Direct,
        },
        factor: LaggedSettings {
            lag: table.lag,
            free_running: table.free_running.unwrap_or(default.free_running),
            refresh_at: table.refresh_at.unwrap_or(default.refresh_at),
            delay_tolerance,
            warp: table.warp.unwrap_or(default.warp),
            tolerance,
            max_iterations: table.max_iterations.unwrap_or(default.max_iterations),
            prefetch: table.prefetch.unwrap_or(default.prefetch),
            kept_nodes: table.kept_nodes.unwrap_or(default.kept_nodes),
        },
        foresee: table.foresee.unwrap_or(IsodofSettings::default().foresee),
        corrections,
    })
}
