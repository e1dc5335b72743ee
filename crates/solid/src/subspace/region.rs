//! The part of a mesh that is evaluated exactly: full nodes, which are unknowns, and nodes around them that the basis moves.
//!
//! Nodes that have left a full region fade: they move with the basis again, displaced by what it cannot show, and that shrinks to
//! nothing over some steps. Their elements stay exact meanwhile. So nothing jumps when a region ends: at first all positions and
//! forces are those before, at last only the cubature takes over.

use super::domain::{Domains, NO_DOMAIN};
use super::memory::Fading;
use super::patch::Patch;
use crate::model::Model;
use pliant_linalg::{SolveError, Vec3};

/// A node of the region that the basis moves, in one of its domains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slave {
    pub domain: u32,
    pub place: u32,
}

/// See the file header.
pub(crate) struct Region {
    /// Full nodes, ascending.
    pub full: Vec<u32>,
    /// By domain and place.
    pub slaves: Vec<Slave>,
    /// Contacts between several nodes, which the pattern holds.
    cliques: Vec<[u32; 4]>,
    /// Nodes that contacts touch though they are not full.
    touched: Vec<u32>,
    /// Nodes that fade, in the order of the state.
    fading: Vec<(u32, u32)>,
    /// The elements; full nodes come first, then slaves.
    pub patch: Patch,
    /// Elements in it, ascending.
    pub elements: Vec<u32>,
}

impl Region {
    /// No region.
    pub fn empty(model: &Model) -> Result<Region, SolveError> {
        Ok(Region {
            full: Vec::new(),
            slaves: Vec::new(),
            cliques: Vec::new(),
            touched: Vec::new(),
            fading: Vec::new(),
            patch: Patch::new(model, &[], &[], &[], |_, _| 0, &[])?,
            elements: Vec::new(),
        })
    }

    /// Whether this is the region of these nodes; offsets may differ.
    pub fn is_of(
        &self,
        full: &[u32],
        fading: &[Fading],
        cliques: &[[u32; 4]],
        touched: &[u32],
    ) -> bool {
        let same = |(a, b): (&(u32, u32), &Fading)| *a == (b.node, b.domain);
        self.full == full
            && self.touched == touched
            && self.cliques == cliques
            && self.fading.len() == fading.len()
            && self.fading.iter().zip(fading).all(same)
    }

    /// The region of these nodes, and of nodes that contacts touch though they are not full. `mark` has a zero for every node of the model, and again at the end.
    #[allow(clippy::too_many_arguments)] // one call site; a struct would only repeat the names
    pub fn new(
        model: &Model,
        domains: &Domains,
        places: &[Option<[u32; 3]>],
        full: &[u32],
        fading: &[Fading],
        cliques: &[[u32; 4]],
        touched: &[u32],
        mark: &mut [u32],
    ) -> Result<Region, SolveError> {
        let mut elements: Vec<u32> = Vec::new();
        let moved = fading.iter().map(|f| f.node);
        for node in full.iter().copied().chain(moved) {
            elements.extend_from_slice(domains.elements_of.row(node as usize));
        }
        elements.sort_unstable();
        elements.dedup();
        for (index, &node) in full.iter().enumerate() {
            mark[node as usize] = index as u32 + 1;
        }
        let mut keys: Vec<(u32, u32)> = Vec::new();
        for &e in &elements {
            let domain = domains.domain_of[e as usize];
            let corners = model.element_nodes[e as usize];
            let slaved = corners.iter().filter(|&&n| mark[n as usize] == 0);
            let copy = |&n: &u32| Some((domain, domains.copy_in(n, domain)?));
            keys.extend(slaved.filter_map(copy));
        }
        let pushed = touched.iter().filter(|&&n| mark[n as usize] == 0);
        keys.extend(pushed.filter_map(|&n| domains.copies(n).first().copied()));
        keys.sort_unstable();
        keys.dedup();
        let slaves: Vec<Slave> = keys
            .iter()
            .map(|&(domain, place)| Slave { domain, place })
            .collect();
        let nodes = full.iter().copied();
        let slaved = slaves
            .iter()
            .map(|s| domains.list[s.domain as usize].node(s.place));
        let rest: Vec<Vec3> = (nodes.chain(slaved))
            .map(|n| model.rest[n as usize])
            .collect();
        let count = full.len() as u32;
        let number = |e: u32, node: u32| match mark[node as usize] {
            0 => {
                let domain = domains.domain_of[e as usize];
                debug_assert_ne!(domain, NO_DOMAIN, "nodes of no domain are full");
                let place = domains.copy_in(node, domain).unwrap_or(0);
                let at = keys.partition_point(|&key| key < (domain, place));
                count + at as u32
            }
            index => index - 1,
        };
        let local = |node: u32, mark: &[u32]| match mark[node as usize] {
            0 => {
                let key = domains.copies(node).first().copied().unwrap_or((0, 0));
                count + keys.partition_point(|&k| k < key) as u32
            }
            index => index - 1,
        };
        let list: Vec<(u32, f64)> = elements.iter().map(|&e| (e, 1.0)).collect();
        let tied: Vec<[u32; 4]> = (cliques.iter())
            .map(|nodes| nodes.map(|n| local(n, mark)))
            .collect();
        let patch = Patch::new(model, places, &list, &rest, number, &tied);
        for &node in full {
            mark[node as usize] = 0;
        }
        Ok(Region {
            full: full.to_vec(),
            slaves,
            cliques: cliques.to_vec(),
            touched: touched.to_vec(),
            fading: fading.iter().map(|f| (f.node, f.domain)).collect(),
            patch: patch?,
            elements,
        })
    }

    /// Place of a node in the patch: of a full one, or of one that contacts touch.
    pub fn place_of(&self, domains: &Domains, node: u32) -> Option<usize> {
        if let Ok(place) = self.full.binary_search(&node) {
            return Some(place);
        }
        let key = domains.copies(node).first()?;
        let found = (self.slaves).binary_search_by_key(key, |s| (s.domain, s.place));
        Some(self.full.len() + found.ok()?)
    }
}
