//! `[solver.rigidify]`.

use crate::error::{KeyPath, Problem};
use crate::file::RigidifyTable;
use pliant_solid::settings::{RigidifySettings, StrainLimits, StrainRates};

/// Steps of quiet that a byte can count, with some to spare.
const LONGEST_WINDOW: u32 = 200;

/// Steps beyond which nothing would ever be taken for rigid.
const LONGEST_MEMORY: u32 = 10_000;

/// Iterations beyond which a prediction costs more than the step.
const MOST_ITERATIONS: usize = 50;

pub(super) fn settings(table: &RigidifyTable, at: &KeyPath) -> Result<RigidifySettings, Problem> {
    let refuse = |key: &str, message: String| Err(Problem::new(at.key(key), message));
    let limits = limits(table, at)?;
    let default = RigidifySettings::with_limits(limits);
    let window = table.window.unwrap_or(default.window);
    if window == 0 || window > LONGEST_WINDOW {
        let message = format!("window must lie between 1 and {LONGEST_WINDOW} steps, not {window}");
        return refuse("window", message);
    }
    let iterations = table.iterations.unwrap_or(default.iterations);
    if iterations == 0 || iterations > MOST_ITERATIONS {
        let message =
            format!("iterations must lie between 1 and {MOST_ITERATIONS}, not {iterations}");
        return refuse("iterations", message);
    }
    if let Some(memory) = table.memory
        && (memory == 0 || memory > LONGEST_MEMORY)
    {
        let message = format!("memory must lie between 1 and {LONGEST_MEMORY} steps, not {memory}");
        return refuse("memory", message);
    }
    if let Some(foresight) = table.foresight
        && foresight > LONGEST_MEMORY
    {
        let message = format!("foresight must not exceed {LONGEST_MEMORY} steps: {foresight}");
        return refuse("foresight", message);
    }
    Ok(RigidifySettings {
        limits,
        window,
        iterations,
        memory: table.memory,
        foresight: table.foresight,
        early_cg: table.early_cg.unwrap_or(default.early_cg),
        sleep: table.sleep.unwrap_or(default.sleep),
    })
}

/// Either an error to aim at or strain rates.
fn limits(table: &RigidifyTable, at: &KeyPath) -> Result<StrainLimits, Problem> {
    let refuse = |key: &str, message: String| Err(Problem::new(at.key(key), message));
    let (below, above) = (table.rigid_below.as_ref(), table.elastic_above.as_ref());
    if table.error.is_some() && (below.is_some() || above.is_some()) {
        let message =
            "`error` stands for `rigid_below` and `elastic_above`: give either it or them";
        return refuse("error", message.into());
    }
    match &table.error {
        Some(error) if error.si > 0.0 && error.si < 1.0 => {
            return Ok(StrainLimits::Error(error.si));
        }
        Some(error) => {
            let message = format!(
                "error must lie between 0 and 1 (0 and 100 %), not {}",
                error.si
            );
            return refuse("error", message);
        }
        None => {}
    }
    let (rigid_below, elastic_above) = match (below, above) {
        (None, None) => return Ok(RigidifySettings::default().limits),
        (Some(below), Some(above)) => (below.si, above.si),
        (None, Some(above)) => (0.1 * above.si, above.si),
        (Some(below), None) if below.si == 0.0 => (0.0, 1.0), // nothing becomes rigid, so nothing wakes
        (Some(below), None) => (below.si, 10.0 * below.si),
    };
    if !(elastic_above > 0.0 && elastic_above.is_finite()) {
        let message = format!("elastic_above must be positive, not {elastic_above}");
        let key = if above.is_some() {
            "elastic_above"
        } else {
            "rigid_below"
        };
        return refuse(key, message);
    }
    if !(0.0..=elastic_above).contains(&rigid_below) {
        let message = format!(
            "rigid_below must lie between 0 (nothing becomes rigid) and elastic_above = {elastic_above}, not {rigid_below}"
        );
        return refuse("rigid_below", message);
    }
    Ok(StrainLimits::Rates(StrainRates {
        rigid_below,
        elastic_above,
    }))
}
