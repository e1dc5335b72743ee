//! How lively a body is after it was let go, each method with its own smallest stable β, and what the same liveliness costs
//! `full` [WKS20, Section 4, DRAGON].

use super::case::{Body, Case, Way};
use super::motion::{Motion, follow, race};
use super::stability::{Search, search};
use super::{Row, row};
use crate::bench::timing::Timing;
use anyhow::Result;
use pliant_solid::strategy::Method;
use serde_json::{Value, json};

/// What is searched for.
pub struct Plan {
    pub body: Body,
    /// Factor of the springs that pull.
    pub pull: f64,
    /// Dynamic nodes and corrections of `conjac`; the summary is about the first.
    pub variants: Vec<(usize, u32)>,
    /// Largest β that is tried.
    pub largest_beta: f64,
    /// Runs side by side.
    pub at_a_time: usize,
    /// Shorter steps of `full`, s, longest first.
    pub shorter: Vec<f64>,
    /// Longer steps of `conjac`, s.
    pub longer: Vec<f64>,
    /// Runs of which the time is taken.
    pub repeats: usize,
}

/// Rows of the searches and comparisons, and the runs that are compared.
pub fn rows(plan: &Plan) -> Result<(Vec<Row>, Vec<Motion>)> {
    let mut case = Case::new(plan.body)?;
    case.pull_by(plan.pull);
    let find = |way: &Way| search(&case, way, plan.largest_beta, plan.at_a_time);
    let full = case.way(Method::Full, 0);
    let by_full = find(&full)?;
    let mut rows = found_rows(&case, &full, &by_full);
    let mut compared = Vec::new();
    for &(nodes, corrections) in &plan.variants {
        let mut way = case.way(Method::Conjac, nodes);
        way.conjac.corrections = corrections;
        let found = find(&way)?;
        rows.extend(found_rows(&case, &way, &found));
        compared.extend(found.smallest().cloned());
    }
    let Some(plain) = by_full.smallest() else {
        return Ok((rows, Vec::new()));
    };
    let mut shorter = Shorter::default();
    for lively in &compared {
        rows.push(ratio_row(&case, "own smallest β", lively, plain));
        let conjac = match lively.way.beta == plain.way.beta {
            true => lively.clone(),
            false => follow(&case, &lively.way.with_beta(plain.way.beta))?,
        };
        rows.push(ratio_row(&case, "smallest β of full", &conjac, plain));
        rows.extend(equal_rows(plan, &case, lively, plain, &mut shorter)?);
    }
    let mut motions = vec![plain.clone()];
    motions.extend(compared);
    Ok((rows, motions))
}

/// The liveliest stable runs of `full` with shorter steps, as far as they were needed.
#[derive(Default)]
struct Shorter(Vec<(f64, Option<Motion>)>);

/// All that was tried, and what it amounts to.
fn found_rows(case: &Case, way: &Way, found: &Search) -> Vec<Row> {
    let mut rows = found.rows();
    let pattern = found.tried.iter().map(|motion| {
        let mark = match (motion.is_calm(), motion.is_stable()) {
            (true, _) => '+',
            (false, true) => '~',
            _ => '-',
        };
        format!("{mark}{:.1}", motion.way.beta)
    });
    let mut own = row(way.facts());
    own.remove("beta");
    own.extend(row(json!({
        "part": "smallest-beta",
        "body": case.name,
        "beta_min": found.smallest().map(|motion| motion.way.beta),
        "beta_first_stable": found.first_stable(),
        "beta_first_calm": found.first_calm(),
        "unstable_above": found.gaps_above(),
        "pattern": pattern.collect::<Vec<_>>().join(" "),
    })));
    rows.push(own);
    rows
}

/// Motion of `conjac` over that of `full`; null where one is not stable.
fn ratio_row(case: &Case, basis: &str, conjac: &Motion, full: &Motion) -> Row {
    let stable = conjac.is_stable() && full.is_stable();
    let ratio = |of: &dyn Fn(&Motion) -> f64| stable.then(|| of(conjac) / of(full));
    row(json!({
        "part": "liveliness",
        "body": case.name,
        "basis": basis,
        "way": conjac.way.name(),
        "dynamic_nodes": conjac.way.nodes,
        "corrections": conjac.way.conjac.corrections,
        "h": conjac.way.h,
        "beta_conjac": conjac.way.beta,
        "beta_full": full.way.beta,
        "stable_conjac": conjac.is_stable(),
        "stable_full": full.is_stable(),
        "swing_conjac": stable.then_some(conjac.late.marked),
        "swing_full": stable.then_some(full.late.marked),
        "ratio": ratio(&|m| m.late.marked),
        "ratio_whole": ratio(&|m| m.whole.marked),
        "ratio_body": ratio(&|m| m.late.body),
        "ratio_body_whole": ratio(&|m| m.whole.body),
        "ratio_kinetic": ratio(&|m| m.late.kinetic),
        "ratio_kinetic_mean": ratio(&|m| m.late.kinetic_mean),
    }))
}

/// `full` with ever shorter steps, each with its own smallest stable β, until it moves as much as `conjac`; then both race. So do longer
/// steps of `conjac` that still move as much.
fn equal_rows(
    plan: &Plan,
    case: &Case,
    lively: &Motion,
    plain: &Motion,
    shorter: &mut Shorter,
) -> Result<Vec<Row>> {
    let wanted = lively.late.marked;
    let enough = |motion: &Motion| motion.late.marked >= wanted;
    let find = |way: Way| search(case, &way, plan.largest_beta, plan.at_a_time);
    let mut rows = Vec::new();
    let mut equal = enough(plain).then(|| plain.clone());
    let mut best = plain.clone();
    for &h in &plan.shorter {
        if equal.is_some() {
            break;
        }
        if !shorter.0.iter().any(|(known, _)| *known == h) {
            let found = find(plain.way.with_step(h))?;
            rows.extend(found_rows(case, &plain.way.with_step(h), &found));
            shorter.0.push((h, found.smallest().cloned()));
        }
        let found = shorter.0.iter().find(|(known, _)| *known == h);
        let Some(motion) = found.and_then(|(_, motion)| motion.as_ref()) else {
            continue;
        };
        if motion.late.marked > best.late.marked {
            best = motion.clone();
        }
        equal = enough(motion).then(|| motion.clone());
    }
    let mut cheapest = lively.clone();
    for &h in &plan.longer {
        let found = find(lively.way.with_step(h))?;
        rows.extend(found_rows(case, &lively.way.with_step(h), &found));
        let lively_enough = found.smallest().filter(|motion| enough(motion));
        if let Some(motion) = lively_enough.filter(|motion| motion.steps < cheapest.steps) {
            cheapest = motion.clone();
        }
    }
    // where `full` never gets there, its liveliest run is raced, and the row says so
    let reached = equal.is_some();
    let slow = equal.unwrap_or(best);
    let mut ways = vec![lively.way, slow.way];
    if cheapest.way != lively.way {
        ways.push(cheapest.way);
    }
    let mut seconds = vec![Vec::new(); ways.len()];
    for _ in 0..plan.repeats.max(1) {
        for (list, motion) in seconds.iter_mut().zip(race(case, &ways)?) {
            list.push(motion.seconds);
        }
    }
    let timings: Vec<Timing> = seconds.into_iter().map(Timing::of).collect();
    let chosen = if ways.len() > 2 { 2 } else { 0 };
    let over = |place: usize| timings[place].minimum / timings[1].minimum;
    let note = match (reached, slow.steps == plain.steps) {
        (true, true) => "full is as lively with the same step",
        (true, false) => "full is as lively with the shorter step",
        (false, _) => "full does not get as lively: its liveliest run is compared",
    };
    let seconds = |place: usize| -> Value { json!(timings[place].minimum) };
    rows.push(row(json!({
        "part": "equal-liveliness",
        "body": case.name,
        "way": lively.way.name(),
        "dynamic_nodes": lively.way.nodes,
        "corrections": lively.way.conjac.corrections,
        "reached": reached,
        "note": note,
        "swing_wanted": wanted,
        "swing_full": slow.late.marked,
        "h_conjac": lively.way.h,
        "beta_conjac": lively.way.beta,
        "h_full": slow.way.h,
        "beta_full": slow.way.beta,
        "seconds_conjac": seconds(0),
        "seconds_full": seconds(1),
        "time_ratio": over(0),
        "time_ratio_median": timings[0].median / timings[1].median,
        "h_conjac_best": ways[chosen].h,
        "beta_conjac_best": ways[chosen].beta,
        "seconds_conjac_best": seconds(chosen),
        "time_ratio_best": over(chosen),
    })));
    Ok(rows)
}
