//! `[solver.rigidify]`.

use crate::error::{KeyPath, Problem};
use crate::file::RigidifyTable;
use pliant_solid::settings::RigidifySettings;

/// Steps of quiet that a byte can count, with some to spare.
const LONGEST_WINDOW: u32 = 200;

/// Steps beyond which nothing would ever be taken for rigid.
const LONGEST_MEMORY: u32 = 10_000;

/// Iterations beyond which a prediction costs more than the step.
const MOST_ITERATIONS: usize = 50;

pub(super) fn settings(table: &RigidifyTable, at: &KeyPath) -> Result<RigidifySettings, Problem> {
    let refuse = |key: &str, message: String| Err(Problem::new(at.key(key), message));
    if table.error.is_some() && table.elastic_above.is_some() {
        let message = "`error` and `elastic_above` say the same thing: give one of them";
        return refuse("error", message.into());
    }
    let default = match table.error {
        Some(error) if error.si > 0.0 && error.si < 1.0 => RigidifySettings::for_error(error.si),
        Some(error) => {
            let message = format!(
                "error must lie between 0 and 1 (0 and 100 %), not {}",
                error.si
            );
            return refuse("error", message);
        }
        None => RigidifySettings::default(),
    };
    let elastic_above = table.elastic_above.map_or(default.elastic_above, |t| t.si);
    if !(elastic_above > 0.0 && elastic_above.is_finite()) {
        let message = format!("elastic_above must be positive, not {elastic_above}");
        return refuse("elastic_above", message);
    }
    let rigid_below = table.rigid_below.map_or(0.1 * elastic_above, |t| t.si);
    if !(0.0..=elastic_above).contains(&rigid_below) {
        let message = format!(
            "rigid_below must lie between 0 (nothing becomes rigid) and elastic_above = {elastic_above}, not {rigid_below}"
        );
        return refuse("rigid_below", message);
    }
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
    let memory = table.memory.unwrap_or(default.memory);
    if memory == 0 || memory > LONGEST_MEMORY {
        let message = format!("memory must lie between 1 and {LONGEST_MEMORY} steps, not {memory}");
        return refuse("memory", message);
    }
    let foresight = table.foresight.unwrap_or(default.foresight);
    if foresight > LONGEST_MEMORY {
        let message = format!("foresight must not exceed {LONGEST_MEMORY} steps: {foresight}");
        return refuse("foresight", message);
    }
    Ok(RigidifySettings {
        rigid_below,
        elastic_above,
        window,
        iterations,
        memory,
        foresight,
        early_cg: table.early_cg.unwrap_or(default.early_cg),
        sleep: table.sleep.unwrap_or(default.sleep),
    })
}
