//! Bodies that have come to rest *sleep*: they do not move at all, and what acts between them is what acted when they fell asleep.
//!
//! A body may sleep when none of its nodes has gone anywhere for a while; it is then rigid throughout. Bodies that touch fall asleep
//! together, and wake together when one that moves comes near them, a load on them changes or an obstacle that they touch moves. A pile
//! trembles a little for a long time, as single contacts come and go: what counts is how far it has come, not how fast it is.
//! Beyond the paper, whose bodies cost their contacts as long as they lie on each other.

use super::super::StepContext;
use super::super::clump::{ClumpMotion, Rigidity};
use crate::constraint::Law;
use crate::contact::obstacle_of;
use crate::model::{Body, Model};
use crate::settings::StrainRates;
use pliant_linalg::Vec3;
use pliant_mesh::components::root;
use std::sync::Arc;

/// Steps for which a body must have gone nowhere.
const WHILE: u16 = 100;

/// Mean speed that leads nowhere, in sizes of the body, as a share of the strain rate below which elements are quiet.
const NOWHERE: f64 = 0.01;
/// That strain rate at most, 1/s: thresholds may be infinite.
const QUIET: f64 = 0.1;

/// What counting steps looks at.
pub(super) struct Watch<'a> {
    pub model: &'a Model,
    /// Lengths of the bodies' diagonals at rest, m.
    pub sizes: &'a [f64],
    pub asleep: &'a [bool],
    /// What counts as hardly strained in each body.
    pub limits: &'a [StrainRates],
    /// Length of the step, s.
    pub h: f64,
}

/// Counts the steps that bodies have gone nowhere in.
pub(super) fn count(watch: &Watch<'_>, x: &[Vec3], now: &mut Rigidity) {
    for (index, body) in watch.model.bodies.iter().enumerate() {
        let nodes = body.nodes.clone();
        let quiet = watch.limits[index].rigid_below.sqrt().min(QUIET);
        let far = NOWHERE * quiet * f64::from(WHILE) * watch.h * watch.sizes[index];
        let went = |(&x, &anchor): (&Vec3, &Vec3)| (x - anchor).norm_squared() > far * far;
        let mut pairs = x[nodes.clone()].iter().zip(&now.anchors[nodes.clone()]);
        if !watch.asleep[index] && pairs.any(went) {
            now.calm[index] = 0;
            Arc::make_mut(&mut now.anchors)[nodes.clone()].copy_from_slice(&x[nodes]);
        } else {
            now.calm[index] = now.calm[index].saturating_add(1).min(WHILE); // then nothing changes any more
        }
    }
}

/// Which bodies of those that may sleep through the coming step: they have been calm, and so has all that they touch.
pub(super) fn asleep(context: &StepContext<'_>, calm: &[u16], may: &[bool]) -> Vec<bool> {
    let model = context.model;
    let pairs = calm.iter().zip(may);
    let mut asleep: Vec<bool> = pairs.map(|(&calm, &may)| may && calm >= WHILE).collect();
    if !model.joints.is_empty() {
        asleep.fill(false); // loads that joints bring are not compared
    }
    if !asleep.contains(&true) {
        return asleep;
    }
    let mut wake = |node: usize| {
        if let Some(body) = model.body_index_of_node(node) {
            asleep[body] = false;
        }
    };
    for coupling in context.couplings {
        coupling.ends().for_each(|(node, _)| wake(node)); // penalties are looked at in every step
    }
    for spring in &context.loads.springs {
        wake(spring.node as usize);
    }
    let moves = moving_obstacles(context);
    let set = context.set;
    let mut parents: Vec<u32> = (0..model.bodies.len() as u32).collect();
    for (index, constraint) in set.constraints().iter().enumerate() {
        let moved = obstacle_of(constraint.identity).is_some_and(|obstacle| moves[obstacle]);
        let free = !matches!(constraint.law, Law::Contact { .. });
        if moved || free || !set.rigids_of(index).is_empty() {
            set.nodes_of(index)
                .iter()
                .for_each(|entry| wake(entry.node as usize));
        }
        let entries = set.nodes_of(index).iter();
        let mut bodies = entries.filter_map(|e| model.body_index_of_node(e.node as usize));
        if let Some(first) = bodies.next() {
            for other in bodies {
                let [a, b] = [first, other].map(|body| root(&mut parents, body as u32));
                parents[a.max(b) as usize] = a.min(b);
            }
        }
    }
    // an island sleeps when all of it does
    let islands: Vec<u32> = (0..parents.len() as u32)
        .map(|body| root(&mut parents, body))
        .collect();
    let mut calm = vec![true; islands.len()];
    for (&island, &asleep) in islands.iter().zip(&asleep) {
        calm[island as usize] &= asleep;
    }
    islands
        .iter()
        .map(|&island| calm[island as usize])
        .collect()
}

/// Which obstacles move in the coming step.
fn moving_obstacles(context: &StepContext<'_>) -> Vec<bool> {
    let (start, end) = (context.end_time - context.scheme.h, context.end_time);
    let obstacles = context.model.contact.obstacles.iter();
    obstacles
        .map(|o| o.motion.is_some() && o.pose(start) != o.pose(end))
        .collect()
}

/// Lengths of the diagonals of boxes around the bodies at rest, m.
pub(super) fn sizes(model: &Model) -> Vec<f64> {
    let size = |body: &Body| {
        let around = |pick: fn(Vec3, Vec3) -> Vec3| {
            let points = model.rest[body.nodes.clone()].iter().copied();
            points.reduce(pick)
        };
        match (around(Vec3::min), around(Vec3::max)) {
            (Some(low), Some(high)) => (high - low).norm(),
            _ => 0.0,
        }
    };
    model.bodies.iter().map(size).collect()
}

/// A clump that sleeps.
pub(super) fn at_rest(motion: &ClumpMotion) -> ClumpMotion {
    ClumpMotion {
        velocity: Vec3::ZERO,
        spin: Vec3::ZERO,
        ..*motion
    }
}
