//! Chunks that are evaluated in every step, and those that are *frozen*: evaluated once, in the frames of their clumps.

use super::super::clump::NO_CLUMP;
use super::Rigidify;
use super::group::clump_of_element;
use crate::assembly::Forces;
use crate::model::Model;

/// Chunks by what is done with them, each by colour.
#[derive(Default)]
pub(super) struct Parts {
    /// With an elastic element.
    pub active: Vec<Vec<u32>>,
    /// Those of them in bodies with clumps.
    pub watched: Vec<Vec<u32>>,
    /// All others.
    pub frozen: Vec<Vec<u32>>,
}

impl Parts {
    /// Those chunks of clumps' bodies that belong to some of them.
    pub fn of_bodies(&self, model: &Model, wanted: &[bool]) -> Parts {
        let chunks = &model.elements.chunks;
        let of = |colours: &[Vec<u32>]| -> Vec<Vec<u32>> {
            let own = |chunk: &&u32| wanted[chunks[**chunk as usize].body as usize];
            let colours = colours.iter();
            colours
                .map(|colour| colour.iter().filter(own).copied().collect())
                .collect()
        };
        Parts {
            active: Vec::new(),
            watched: of(&self.watched),
            frozen: of(&self.frozen),
        }
    }
}

impl Rigidify {
    /// Sorts chunks by whether they have an elastic element.
    pub(super) fn sort_chunks(&mut self, model: &Model) {
        let elements = &model.elements;
        self.bodies.fill(false);
        for clump in &self.clumps {
            self.bodies[clump.body as usize] = true;
        }
        let is_active = |index: u32| {
            let chunk = &elements.chunks[index as usize];
            !self.bodies[chunk.body as usize] || {
                let mut elastic = false;
                elements.for_each_clique([index], |nodes| {
                    elastic |= clump_of_element(&self.now.clump_of, nodes) == NO_CLUMP;
                });
                elastic
            }
        };
        let mut parts = Parts::default();
        for colour in &elements.colours {
            let (active, frozen): (Vec<u32>, Vec<u32>) =
                colour.iter().partition(|&&c| is_active(c));
            let watched = active.iter().copied();
            let watched =
                watched.filter(|&c| self.bodies[elements.chunks[c as usize].body as usize]);
            parts.watched.push(watched.collect());
            parts.active.push(active);
            parts.frozen.push(frozen);
        }
        self.parts = parts;
    }

    /// Evaluates frozen chunks in the frames of their clumps: those that were not frozen before or have another shape now, or all with
    /// fibres where activations have changed.
    pub(super) fn freeze(&mut self, model: &Model, forces: &mut Forces, activations: &[f64]) {
        let elements = &model.elements;
        let moved = self.activations != activations;
        let (known, shape) = (&mut self.frozen_shape, &self.now.shape);
        known.resize(elements.chunks.len(), Vec::new());
        for &index in self.parts.active.iter().flatten() {
            known[index as usize].clear(); // its energy is that of the present now
        }
        let mut stale = vec![Vec::new(); self.parts.frozen.len()];
        for (stale, colour) in stale.iter_mut().zip(&self.parts.frozen) {
            for &index in colour {
                let (chunk, known) = (&elements.chunks[index as usize], &mut known[index as usize]);
                let own = || chunk.nodes.iter().map(|&node| shape[node as usize]);
                if moved && chunk.has_fibres || !own().eq(known.iter().copied()) {
                    known.clear();
                    known.extend(own());
                    stale.push(index);
                }
            }
        }
        if moved {
            self.activations.clear();
            self.activations.extend_from_slice(activations);
        }
        forces.freeze(model, &stale, &self.parts.frozen, shape, activations);
        self.oracle.freeze(model, &stale, shape, activations);
    }
}
