//! From what shall be elastic and what may become rigid to new clumps, with the shapes and momenta of what they are made of.

use super::super::StepContext;
use super::super::clump::{ClumpMotion, NO_CLUMP, Rigidity, Tested};
use super::Rigidify;
use super::group::{Groups, Wish, regroup};
use crate::model::Model;
use pliant_linalg::{Mat3, Vec3};
use std::sync::Arc;

/// Share of a body's nodes that may stay elastic for clumps to pay, when there are none and when there are.
const WORTH_BEGINNING: f64 = 0.6;
const WORTH_KEEPING: f64 = 0.8;

impl Rigidify {
    /// New clumps where elements change sides; whether there are any changes.
    pub(super) fn change_clumps(&mut self, context: &StepContext<'_>) -> bool {
        let model = context.model;
        for &element in &self.elastic {
            self.now.quiet[element as usize] = 0;
        }
        if self.elastic.is_empty() && self.candidates.is_empty() {
            return false;
        }
        let wish = Wish {
            model,
            topology: &self.topology,
            clump_of: &self.now.clump_of,
            pinned: &self.now.pinned,
            holds: &self.holds,
            elastic: &self.elastic,
            candidates: &self.candidates,
        };
        let Some(mut groups) = regroup(&wish) else {
            return false;
        };
        self.drop_what_does_not_pay(model, &mut groups);
        if groups.clump_of == *self.now.clump_of {
            return false;
        }
        self.form(
            model,
            groups,
            &context.scheme.base,
            &context.scheme.velocity,
        );
        true
    }

    /// Leaves bodies elastic of which clumps would hold too little: a space of its own for every change costs more than it saves.
    fn drop_what_does_not_pay(&self, model: &Model, groups: &mut Groups) {
        for (body, &had) in model.bodies.iter().zip(&self.bodies) {
            let nodes = body.nodes.clone();
            let rigid = groups.clump_of[nodes.clone()]
                .iter()
                .filter(|&&c| c != NO_CLUMP);
            let elastic = (nodes.len() - rigid.count()) as f64;
            let most = if had { WORTH_KEEPING } else { WORTH_BEGINNING };
            if elastic > most * nodes.len() as f64 {
                groups.clump_of[nodes].fill(NO_CLUMP);
            }
        }
        // clumps that are gone leave their numbers
        let mut numbers = vec![NO_CLUMP; groups.pinned.len()];
        let mut pinned = Vec::new();
        for clump in groups.clump_of.iter_mut().filter(|c| **c != NO_CLUMP) {
            let old = *clump as usize;
            if numbers[old] == NO_CLUMP {
                numbers[old] = pinned.len() as u32;
                pinned.push(groups.pinned[old]);
            }
            *clump = numbers[old];
        }
        groups.pinned = pinned;
    }

    /// Takes over new clumps: the shape and frame of the old clump that has most of their nodes, the momenta of their nodes; those
    /// that have the same nodes as before stay as they are.
    pub(super) fn form(&mut self, model: &Model, groups: Groups, x: &[Vec3], v: &[Vec3]) {
        let Groups { clump_of, pinned } = groups;
        let old = std::mem::take(&mut self.now);
        let mut votes: Vec<Vec<(u32, usize)>> = vec![Vec::new(); pinned.len()];
        let mut sizes = vec![0; pinned.len()];
        for (node, &clump) in clump_of.iter().enumerate().filter(|(_, c)| **c != NO_CLUMP) {
            sizes[clump as usize] += 1;
            let before = old.clump_of[node];
            let votes = &mut votes[clump as usize];
            match votes.iter_mut().find(|(from, _)| *from == before) {
                Some((_, count)) => *count += 1,
                None => votes.push((before, 1)),
            }
        }
        let mut shape = vec![Vec3::ZERO; clump_of.len()];
        let mut frames: Vec<Option<(Vec3, Mat3)>> = vec![None; pinned.len()];
        let source = |clump: usize| {
            let from = votes[clump].iter().filter(|(from, _)| *from != NO_CLUMP);
            from.max_by_key(|(from, count)| (*count, std::cmp::Reverse(*from)))
        };
        for (node, &clump) in clump_of.iter().enumerate().filter(|(_, c)| **c != NO_CLUMP) {
            let clump = clump as usize;
            let from = source(clump).map(|(from, _)| *from);
            let (origin, rotation) = *frames[clump].get_or_insert_with(|| match from {
                Some(from) => {
                    let motion = &old.motions[from as usize];
                    (motion.origin, motion.rotation)
                }
                None => (x[node], Mat3::IDENTITY),
            });
            shape[node] = match from {
                Some(from) if old.clump_of[node] == from => old.shape[node],
                _ => rotation.transpose() * (x[node] - origin),
            };
        }
        self.now = Rigidity {
            clump_of: Arc::new(clump_of),
            shape: Arc::new(shape),
            pinned,
            motions: Vec::new(),
            quiet: old.quiet,
            tested: Arc::new(vec![Tested::default(); model.bodies.len()]),
            urge: old.urge,
            calm: old.calm,
            anchors: old.anchors,
        };
        self.forget_urges(&old.clump_of);
        let still = ClumpMotion {
            origin: Vec3::ZERO,
            rotation: Mat3::IDENTITY,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
        };
        self.now.motions = vec![still; frames.len()];
        self.clumps = self.now.clumps(model);
        for (index, frame) in frames.iter().enumerate() {
            let Some((origin, rotation)) = *frame else {
                continue; // every clump has a node
            };
            let kept = match source(index) {
                Some(&(from, count)) if count == sizes[index] => {
                    let same = self.clumps[index].pinned == old.pinned[from as usize];
                    let whole = old.clump_of.iter().filter(|&&c| c == from).count() == count;
                    (same && whole).then(|| old.motions[from as usize])
                }
                _ => None,
            };
            let shape = &self.now.shape;
            self.now.motions[index] = kept
                .unwrap_or_else(|| self.clumps[index].motion(model, origin, rotation, shape, v));
        }
    }

    /// Forgets what has added up at nodes that have come to another clump, or left theirs.
    fn forget_urges(&mut self, before: &[u32]) {
        let urge = Arc::make_mut(&mut self.now.urge);
        let pairs = self.now.clump_of.iter().zip(before);
        for (urge, (now, before)) in urge.iter_mut().zip(pairs) {
            if *now == NO_CLUMP || *before == NO_CLUMP {
                *urge = Vec3::ZERO;
            }
        }
    }
}
