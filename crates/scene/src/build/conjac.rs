//! `[solver.conjac]`.

use crate::error::{KeyPath, Problem};
use crate::file::ConjacTable;
use pliant_solid::settings::{ConjacSettings, LivelinessSettings};

/// Dynamic nodes of a body beyond which the full method is cheaper by far.
const MOST_NODES: usize = 1000;

/// Corrections beyond which a time step is simply too long.
const MOST_CORRECTIONS: u32 = 100;

pub(super) fn settings(table: &ConjacTable, at: &KeyPath) -> Result<ConjacSettings, Problem> {
    let default = ConjacSettings::default();
    let refuse = |key: &str, message: String| Err(Problem::new(at.key(key), message));
    let count = table.nodes.unwrap_or(default.count);
    if count > MOST_NODES {
        let message = format!("nodes must be at most {MOST_NODES}, not {count}");
        return refuse("nodes", message);
    }
    let stabilisation = (table.stabilisation).map_or(default.stabilisation, |s| s.si);
    if !(stabilisation > 0.0 && stabilisation <= 1.0) {
        let message = format!("stabilisation must lie between 0 and 1, not {stabilisation}");
        return refuse("stabilisation", message);
    }
    let corrections = table.corrections.unwrap_or(default.corrections);
    if corrections > MOST_CORRECTIONS {
        let message = format!("corrections must be at most {MOST_CORRECTIONS}, not {corrections}");
        return refuse("corrections", message);
    }
    let lively = LivelinessSettings::default();
    let adaptive = table.adaptive.unwrap_or(false);
    if !adaptive {
        let unused = [
            ("threshold", table.threshold.is_some()),
            ("release", table.release.is_some()),
            ("window", table.window.is_some()),
        ];
        if let Some((key, _)) = unused.iter().find(|(_, given)| *given) {
            let message = format!("{key} needs `adaptive = true`: else all nodes stay dynamic");
            return refuse(key, message);
        }
    }
    let threshold = table.threshold.map_or(lively.threshold, |t| t.si);
    if !(threshold > 0.0 && threshold.is_finite()) {
        return refuse(
            "threshold",
            format!("threshold must be positive, not {threshold}"),
        );
    }
    let release = table.release.map_or(lively.release, |r| r.si);
    if !(0.0..=1.0).contains(&release) {
        let message = format!("release must lie between 0 and 1, not {release}");
        return refuse("release", message);
    }
    let window = table.window.unwrap_or(lively.window);
    if window == 0 || window > 10_000 {
        let message = format!("window must lie between 1 and 10000 steps, not {window}");
        return refuse("window", message);
    }
    Ok(ConjacSettings {
        count,
        stabilisation,
        line_search: table.line_search.unwrap_or(default.line_search),
        adaptive: adaptive.then_some(LivelinessSettings {
            threshold,
            release,
            window,
        }),
        corrections,
        whole_motion: table.whole_motion.unwrap_or(default.whole_motion),
        corotate: table.corotate.unwrap_or(default.corotate),
    })
}
