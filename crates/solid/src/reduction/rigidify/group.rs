//! Which nodes form clumps: elements that may be rigid, connected through faces, without hinges [MWLK22, Algorithm 2].
//!
//! A node belongs to one clump at most. An element that shares a node or an edge with a clump but no face would be hinged to it,
//! and stays elastic. Clumps that nothing touches stay as they are; what an element that must be elastic was in is searched again,
//! and elements that may be rigid join the clumps whose faces they share, or tie them together.

use super::super::clump::NO_CLUMP;
use crate::model::Model;
use std::collections::VecDeque;

/// Nodes of a clump, at least: a smaller one saves nothing.
const LEAST_NODES: usize = 8;

/// The element across each face of each element, or none.
pub(super) struct Topology {
    neighbours: Vec<[u32; 4]>,
    /// Elements of each node: where they start, and they.
    starts: Vec<u32>,
    elements: Vec<u32>,
}

const NO_ELEMENT: u32 = u32::MAX;

impl Topology {
    pub fn new(model: &Model) -> Topology {
        let mut faces: Vec<([u32; 3], u32, u8)> = Vec::with_capacity(4 * model.element_count());
        let mut starts = vec![0u32; model.node_count() + 1];
        for body in model.bodies.iter().filter(|body| body.rigid.is_none()) {
            for element in body.elements.clone() {
                let nodes = corners(model, element);
                for (opposite, &node) in nodes.iter().enumerate() {
                    starts[node as usize + 1] += 1;
                    let mut face = [u32::MAX; 3]; // an edge of a triangle has two
                    let others = (0..nodes.len()).filter(|&k| k != opposite);
                    for (place, k) in face.iter_mut().zip(others) {
                        *place = nodes[k];
                    }
                    face.sort_unstable();
                    faces.push((face, element as u32, opposite as u8));
                }
            }
        }
        faces.sort_unstable();
        let mut neighbours = vec![[NO_ELEMENT; 4]; model.element_count()];
        for pair in faces.chunk_by(|a, b| a.0 == b.0) {
            if let [(_, a, i), (_, b, j)] = pair {
                neighbours[*a as usize][*i as usize] = *b;
                neighbours[*b as usize][*j as usize] = *a;
            }
        }
        for node in 0..model.node_count() {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut elements = vec![0; starts[model.node_count()] as usize];
        for body in model.bodies.iter().filter(|body| body.rigid.is_none()) {
            for element in body.elements.clone() {
                for &node in corners(model, element) {
                    elements[next[node as usize] as usize] = element as u32;
                    next[node as usize] += 1;
                }
            }
        }
        Topology {
            neighbours,
            starts,
            elements,
        }
    }

    /// Elements that have a node, ascending.
    pub fn elements_of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.elements[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    fn neighbours(&self, element: u32) -> impl Iterator<Item = u32> + use<> {
        let all = self.neighbours[element as usize];
        all.into_iter().filter(|&e| e != NO_ELEMENT)
    }
}

/// Different corners of an element: a triangle repeats its first.
pub(super) fn corners(model: &Model, element: usize) -> &[u32] {
    let nodes = &model.element_nodes[element];
    let count = if nodes[3] == nodes[0] { 3 } else { 4 };
    &nodes[..count]
}

/// The clump that an element is inside of: that of all its nodes, or [`NO_CLUMP`].
pub(super) fn clump_of_element(clump_of: &[u32], nodes: &[u32]) -> u32 {
    let clump = clump_of[nodes[0] as usize];
    match nodes.iter().all(|&n| clump_of[n as usize] == clump) {
        true => clump,
        false => NO_CLUMP,
    }
}

/// What a node allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// Everything.
    Free,
    /// To be part of a clump that does not move.
    Pinned,
    /// No clump.
    Loose,
}

/// What is asked for.
pub(super) struct Wish<'a> {
    pub model: &'a Model,
    pub topology: &'a Topology,
    /// Clump of each node at present.
    pub clump_of: &'a [u32],
    pub pinned: &'a [bool],
    /// What each node allows.
    pub holds: &'a [Hold],
    /// Elements that must be elastic: none of their nodes is in a clump afterwards.
    pub elastic: &'a [u32],
    /// Elements that may be rigid and are not, ascending.
    pub candidates: &'a [u32],
}

/// Clumps that were found, numbered from zero.
pub(super) struct Groups {
    pub clump_of: Vec<u32>,
    pub pinned: Vec<bool>,
}

/// A search under way. Labels below the number of clumps at the start are theirs.
struct Search<'a> {
    wish: &'a Wish<'a>,
    /// Label of each node before merging, or [`NO_CLUMP`].
    labels: Vec<u32>,
    /// Label that each was merged into, itself for most.
    merged: Vec<u32>,
    pinned: Vec<bool>,
    loose: Vec<bool>,
    /// Elements that may join.
    open: Vec<bool>,
    queue: VecDeque<u32>,
}

impl Search<'_> {
    fn root(&self, mut label: u32) -> u32 {
        while label != NO_CLUMP && self.merged[label as usize] != label {
            label = self.merged[label as usize];
        }
        label
    }

    fn label(&self, node: u32) -> u32 {
        self.root(self.labels[node as usize])
    }

    /// The label that all corners of an element have, or [`NO_CLUMP`].
    fn inside(&self, element: u32) -> u32 {
        let nodes = corners(self.wish.model, element as usize);
        let label = self.label(nodes[0]);
        match nodes.iter().all(|&node| self.label(node) == label) {
            true => label,
            false => NO_CLUMP,
        }
    }

    /// Whether enough corners of an element are pinned for it to stand by itself.
    fn stands(&self, element: u32) -> bool {
        let nodes = corners(self.wish.model, element as usize);
        let pinned = nodes
            .iter()
            .filter(|&&n| self.wish.holds[n as usize] == Hold::Pinned);
        pinned.count() >= nodes.len() - 1
    }

    /// Lets an element join the clumps of its corners, merging them, or begin a new one if it has none and that is asked for.
    /// False where that would make a hinge.
    fn join(&mut self, element: u32, seed: bool) -> bool {
        let wish = self.wish;
        let nodes = corners(wish.model, element as usize);
        let mut found = [NO_CLUMP; 4];
        let mut count = 0;
        for &node in nodes {
            let label = self.label(node);
            if label != NO_CLUMP && !found[..count].contains(&label) {
                found[count] = label;
                count += 1;
            }
        }
        let labels = &found[..count];
        for &label in labels {
            let mut across = wish.topology.neighbours(element);
            if !across.any(|other| self.inside(other) == label) {
                return false; // a hinge
            }
        }
        let holds_on = nodes
            .iter()
            .any(|&n| wish.holds[n as usize] == Hold::Pinned);
        let stands = self.stands(element);
        let pinned = stands || labels.iter().any(|&label| self.pinned[label as usize]);
        if holds_on && !pinned {
            return false; // it would turn about its pins
        }
        let label = match labels.first() {
            Some(&first) => first,
            None if seed => {
                self.merged.push(self.merged.len() as u32);
                self.pinned.push(false);
                self.merged.len() as u32 - 1
            }
            None => return false,
        };
        for &other in labels {
            self.merged[other as usize] = label;
        }
        self.pinned[label as usize] |= pinned;
        for &node in nodes {
            self.labels[node as usize] = label;
        }
        true
    }

    /// Grows from an element that has joined.
    fn spread(&mut self, from: u32) {
        let wish = self.wish;
        self.queue.push_back(from);
        while let Some(element) = self.queue.pop_front() {
            for next in wish.topology.neighbours(element) {
                let joins = self.open[next as usize]
                    && (self.joins_next(element, next) || self.join(next, false));
                if joins {
                    self.open[next as usize] = false;
                    self.queue.push_back(next);
                }
            }
        }
    }

    /// [`Self::join`] in the common case: the element across a face has no corner in another clump.
    fn joins_next(&mut self, from: u32, next: u32) -> bool {
        let wish = self.wish;
        let label = self.label(wish.model.element_nodes[from as usize][0]);
        let nodes = corners(wish.model, next as usize);
        let pinned = self.pinned[label as usize];
        let simple = nodes.iter().all(|&node| {
            let other = self.labels[node as usize];
            let held = wish.holds[node as usize] == Hold::Pinned;
            (other == NO_CLUMP || self.root(other) == label) && (pinned || !held)
        });
        if simple {
            nodes
                .iter()
                .for_each(|&node| self.labels[node as usize] = label);
        }
        simple
    }

    fn try_all(&mut self, elements: &[u32], seed: impl Fn(&Self, u32) -> bool) {
        for &element in elements {
            if self.open[element as usize] {
                let seed = seed(self, element);
                if self.join(element, seed) {
                    self.open[element as usize] = false;
                    self.spread(element);
                }
            }
        }
    }
}

/// The clumps after what is wished; none where nothing changes.
pub(super) fn regroup(wish: &Wish<'_>) -> Option<Groups> {
    let Wish {
        model,
        topology,
        clump_of,
        ..
    } = *wish;
    let count = wish.pinned.len();
    let mut loose = vec![false; clump_of.len()];
    let mut dissolved = vec![false; count];
    for &element in wish.elastic {
        for &node in corners(model, element as usize) {
            loose[node as usize] = true;
            if let Some(dissolved) = dissolved.get_mut(clump_of[node as usize] as usize) {
                *dissolved = true;
            }
        }
    }
    // clumps that elements lie between, or between them and pins, are searched again: all nodes of those elements may be taken, so
    // that none of them has a clump across a face
    for &element in wish.candidates {
        let nodes = corners(model, element as usize);
        let clumps = nodes.iter().map(|&n| clump_of[n as usize]);
        let mut clumps = clumps.filter(|&clump| clump != NO_CLUMP);
        let Some(first) = clumps.next() else {
            continue;
        };
        let held = nodes
            .iter()
            .any(|&n| wish.holds[n as usize] == Hold::Pinned);
        let between = held && !wish.pinned[first as usize];
        if between || clumps.any(|clump| clump != first) {
            for &node in nodes {
                if let Some(dissolved) = dissolved.get_mut(clump_of[node as usize] as usize) {
                    *dissolved = true;
                }
            }
        }
    }
    let mut labels = clump_of.to_vec();
    let mut pinned = wish.pinned.to_vec();
    let mut pieces = Vec::new();
    if dissolved.contains(&true) {
        let gone = |clump: u32| dissolved.get(clump as usize) == Some(&true);
        for (node, label) in labels.iter_mut().enumerate() {
            if gone(*label) {
                *label = NO_CLUMP;
                for &element in topology.elements_of(node as u32) {
                    let nodes = &model.element_nodes[element as usize];
                    if nodes[0] as usize == node && gone(clump_of_element(clump_of, nodes)) {
                        pieces.push(element);
                    }
                }
            }
        }
        pieces.sort_unstable();
        pinned
            .iter_mut()
            .zip(&dissolved)
            .for_each(|(p, &gone)| *p &= !gone);
    }
    let mut search = Search {
        wish,
        labels,
        merged: (0..count as u32).collect(),
        pinned,
        loose,
        open: vec![false; model.element_count()],
        queue: VecDeque::new(),
    };
    let mut all = pieces;
    all.extend_from_slice(wish.candidates);
    all.sort_unstable();
    all.dedup();
    all.retain(|&element| {
        let nodes = corners(model, element as usize);
        let held = |&n: &u32| search.loose[n as usize] || wish.holds[n as usize] == Hold::Loose;
        !nodes.iter().any(held)
    });
    for &element in &all {
        search.open[element as usize] = true;
    }
    // what stands by itself, what clumps can grow by, and the rest
    search.try_all(&all, |search, element| search.stands(element));
    search.try_all(&all, |_, _| false);
    search.try_all(&all, |_, _| true);

    // numbers in the order of their first nodes
    let mut sizes = vec![0usize; search.merged.len()];
    let roots: Vec<u32> = (0..clump_of.len() as u32)
        .map(|node| search.label(node))
        .collect();
    for &root in roots.iter().filter(|&&root| root != NO_CLUMP) {
        sizes[root as usize] += 1;
    }
    let mut numbers = vec![NO_CLUMP; search.merged.len()];
    let mut groups = Groups {
        clump_of: vec![NO_CLUMP; clump_of.len()],
        pinned: Vec::new(),
    };
    for (node, &root) in roots.iter().enumerate() {
        if root == NO_CLUMP || sizes[root as usize] < LEAST_NODES {
            continue;
        }
        let number = &mut numbers[root as usize];
        if *number == NO_CLUMP {
            *number = groups.pinned.len() as u32;
            groups.pinned.push(search.pinned[root as usize]);
        }
        groups.clump_of[node] = *number;
    }
    (groups.clump_of != clump_of).then_some(groups)
}
