//! Figure 10 of [WKS20]: stretching speeds of the representatives, and when they are dynamic. And what a step costs while they
//! all sleep.

use super::case::{Body, Case, Way};
use super::stages::take_turns;
use super::{Row, row};
use anyhow::{Context, Result};
use pliant_solid::drive::Action;
use pliant_solid::settings::LivelinessSettings;
use pliant_solid::strategy::Method;
use serde_json::json;

/// What is followed.
pub struct Plan {
    pub body: Body,
    /// Representatives, of those the body names.
    pub nodes: usize,
    /// Thresholds, 1/s.
    pub thresholds: Vec<f64>,
    /// Mass damping, 1/s, where the body has none and is to come to rest.
    pub damping: f64,
    /// Steps to rest before quiet steps are timed, and how many are.
    pub settling: usize,
    pub rounds: usize,
}

/// Rows of each threshold and representative, and one of quiet steps.
pub fn rows(plan: &Plan) -> Result<Vec<Row>> {
    let mut case = Case::new(plan.body)?;
    damp(&mut case, plan.damping);
    case.order.truncate(plan.nodes);
    let mut rows = Vec::new();
    for &threshold in &plan.thresholds {
        rows.extend(watch(&case, threshold)?);
    }
    only_gravity(&mut case);
    rows.push(quiet(&case, plan)?);
    Ok(rows)
}

/// Damps all masses of a case alike, 1/s.
pub fn damp(case: &mut Case, rate: f64) {
    let pairs = case.model.mass_damping.iter_mut().zip(&case.model.mass);
    pairs.for_each(|(damping, mass)| *damping += rate * mass);
}

/// Takes away all that pulls.
pub fn only_gravity(case: &mut Case) {
    let stays = |action: &Action| matches!(action, Action::Prescribe { .. });
    case.model.drives.retain(|drive| stays(&drive.action));
}

fn adaptive(case: &Case, threshold: f64) -> Way {
    let mut way = case.way(Method::Conjac, case.order.len());
    way.conjac.adaptive = Some(LivelinessSettings {
        threshold,
        ..LivelinessSettings::default()
    });
    way
}

/// What is noted of a representative.
#[derive(Clone, Default)]
struct Watched {
    /// Metric over the window after each step, 1/s.
    metric: Vec<f64>,
    dynamic: Vec<bool>,
    /// Steps above the threshold in a row while it sleeps.
    above: usize,
    /// The most of them that ended in waking.
    latency: usize,
}

/// A row for each representative.
fn watch(case: &Case, threshold: f64) -> Result<Vec<Row>> {
    let way = adaptive(case, threshold);
    let window = way.conjac.adaptive.map_or(0, |settings| settings.window);
    let mut simulation = case.simulation(&way)?;
    let mut watched = vec![Watched::default(); case.order.len()];
    let mut failed_at = None;
    for _ in 0..case.steps(way.h) {
        if simulation.step().is_err() {
            failed_at = Some(simulation.state().time);
            break;
        }
        let activity = &simulation.state().activity;
        let now = activity.metrics.last();
        for (k, watched) in watched.iter_mut().enumerate() {
            let was = watched.dynamic.last().copied().unwrap_or(false);
            watched.metric.push(activity.mean(k));
            watched.dynamic.push(activity.dynamic[k]);
            if was {
                continue;
            }
            watched.above = match now.is_some_and(|metrics| metrics[k] > threshold) {
                true => watched.above + 1,
                false => 0,
            };
            if activity.dynamic[k] {
                watched.latency = watched.latency.max(watched.above);
                watched.above = 0;
            }
        }
    }
    let last_wake = |w: &Watched| w.dynamic.iter().rposition(|&d| d);
    let rows = watched.iter().enumerate().map(|(k, w)| {
        let active = w.dynamic.iter().filter(|&&d| d).count();
        row(json!({
            "part": "adaptivity",
            "body": case.name,
            "threshold": threshold,
            "representative": k,
            "node": case.order[k],
            "h": way.h,
            "beta": way.beta,
            "window": window,
            "steps": w.dynamic.len(),
            "failed_at": failed_at,
            "active_seconds": active as f64 * way.h,
            "active_share": active as f64 / w.dynamic.len().max(1) as f64,
            "intervals": intervals(&w.dynamic, way.h),
            "last_active": last_wake(w).map(|step| (step + 1) as f64 * way.h),
            // steps above the threshold in a row until it was dynamic; those that were still going on count, too
            "latency_max": w.latency.max(w.above),
            "metric_max": w.metric.iter().copied().fold(0.0, f64::max),
            "metric": w.metric.iter().map(|&m| rounded(m)).collect::<Vec<f64>>(),
        }))
    });
    Ok(rows.collect())
}

/// Beginnings and ends of the time in which a flag is set, s.
fn intervals(flags: &[bool], h: f64) -> Vec<[f64; 2]> {
    let mut found: Vec<[f64; 2]> = Vec::new();
    let mut before = false;
    for (step, &flag) in flags.iter().enumerate() {
        // decided at the end of this step, for the next one
        let (from, to) = ((step + 1) as f64 * h, (step + 2) as f64 * h);
        match (before, flag, found.last_mut()) {
            (true, true, Some(last)) => last[1] = to,
            (_, true, _) => found.push([from, to]),
            _ => {}
        }
        before = flag;
    }
    found
}

/// Four digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// Steps at rest with all representatives asleep, beside those of a body that has none.
fn quiet(case: &Case, plan: &Plan) -> Result<Row> {
    let still = case.way(Method::Conjac, 0);
    let mut simulation = case.simulation(&still)?;
    for _ in 0..plan.settling {
        simulation.step().with_context(|| case.name.clone())?;
    }
    let state = simulation.state().clone();
    let asleep = adaptive(case, LivelinessSettings::default().threshold);
    let mut pair = [
        case.resume(&asleep, state.clone())?,
        case.resume(&still, state)?,
    ];
    let samples = take_turns(&mut pair, plan.rounds)?;
    let awake = pair[0]
        .state()
        .activity
        .dynamic
        .iter()
        .filter(|&&d| d)
        .count();
    let speeds = pair[0].state().activity.metrics.iter().flatten();
    let [own, reference] = [0, 1].map(|k| samples[k].timing());
    let mut row = row(json!({
        "part": "quiet",
        "body": case.name,
        "representatives": case.order.len(),
        "awake": awake,
        "metric_max": speeds.copied().fold(0.0, f64::max),
        "steps": plan.rounds,
        "seconds_asleep": own.minimum,
        "seconds_asleep_median": own.median,
        "seconds_quasi_static": reference.minimum,
        "seconds_quasi_static_median": reference.median,
        "ratio": own.minimum / reference.minimum,
        "ratio_median": own.median / reference.median,
    }));
    samples[0].add_to(&mut row);
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_begin_a_step_after_the_decision() {
        let flags = [false, true, true, false, true];
        assert_eq!(intervals(&flags, 0.5), [[1.0, 2.0], [2.5, 3.0]]);
        assert!(intervals(&[false; 3], 0.5).is_empty());
    }
}
