//! The part of a mesh that is evaluated exactly: full nodes, which are unknowns, and nodes around them that the basis moves.
//!
//! Nodes that have left a full region fade: they move with the basis again, displaced by what it cannot show, and that shrinks to
//! nothing over some steps. Their elements stay exact meanwhile. So nothing jumps when a region ends: at first all positions and
//! forces are those before, at last only the cubature takes over.

use super::domain::{Domains, NO_DOMAIN};
use super::memory::Fading;
use super::patch::Patch;
use crate::model::Model;
use pliant_linalg::{BlockPattern, SolveError, Vec3};

/// A node of the region that the basis moves, in one of its domains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slave {
    pub domain: u32,
    pub place: u32,
}

impl Slave {
    fn node(self, domains: &Domains) -> u32 {
        domains.list[self.domain as usize].node(self.place)
    }
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
            patch: Patch::new(model, &[], &[], &[], |_, _| 0)?,
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
        let moved = fading.iter().map(|f| f.node);
        let nodes = full.iter().copied().chain(moved);
        let (elements, taken) = exact_elements(model, domains, nodes);
        for (index, &node) in full.iter().enumerate() {
            mark[node as usize] = index as u32 + 1;
        }
        let slaves = slaves(model, domains, &elements, touched, mark);
        let count = full.len();
        // nodes with one copy are found by their mark, too
        for (slave, number) in slaves.iter().zip(count as u32..) {
            let node = domains.list[slave.domain as usize].node(slave.place);
            if domains.copies(node).len() == 1 {
                mark[node as usize] = number + 1;
            }
        }
        let numbers = Numbers {
            domains,
            slaves: &slaves,
            count,
            mark,
        };
        let rest: Vec<Vec3> = (full.iter().copied())
            .chain(slaves.iter().map(|s| s.node(domains)))
            .map(|n| model.rest[n as usize])
            .collect();
        let is_taken = |e: u32| taken[e as usize];
        let chunks = chunks_of(&elements, places);
        let (set, pattern) = rayon::join(
            || {
                let number = |e: u32, node: u32| numbers.corner(e, node);
                (model.elements).part(&chunks, is_taken, number, rest.len())
            },
            || numbers.pattern(model, full, cliques, is_taken),
        );
        let patch = pattern.map(|pattern| Patch::of(set, pattern, &rest));
        for node in (full.iter().copied()).chain(slaves.iter().map(|s| s.node(domains))) {
            mark[node as usize] = 0;
        }
        Ok(Region {
            full: full.to_vec(),
            patch: patch?,
            slaves,
            cliques: cliques.to_vec(),
            touched: touched.to_vec(),
            fading: fading.iter().map(|f| (f.node, f.domain)).collect(),
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

/// Elements around these nodes, ascending, and whether each one of the model is among them.
fn exact_elements(
    model: &Model,
    domains: &Domains,
    nodes: impl Iterator<Item = u32>,
) -> (Vec<u32>, Vec<bool>) {
    let mut taken = vec![false; model.element_count()];
    let mut elements: Vec<u32> = Vec::new();
    for node in nodes {
        for &e in domains.elements_of.row(node as usize) {
            if !std::mem::replace(&mut taken[e as usize], true) {
                elements.push(e);
            }
        }
    }
    elements.sort_unstable();
    (elements, taken)
}

/// Copies of nodes that are not full, of these elements and of nodes that are touched. `mark` is not zero where nodes are full.
fn slaves(
    model: &Model,
    domains: &Domains,
    elements: &[u32],
    touched: &[u32],
    mark: &mut [u32],
) -> Vec<Slave> {
    const SEEN: u32 = u32::MAX;
    let mut keys: Vec<(u32, u32)> = Vec::new();
    let mut add = |node: u32, domain: u32| {
        if mark[node as usize] == 0 {
            let copies = domains.copies(node);
            keys.extend(copies.iter().filter(|copy| copy.0 == domain));
            if copies.len() == 1 {
                mark[node as usize] = SEEN;
            }
        }
    };
    for &e in elements {
        let domain = domains.domain_of[e as usize];
        model.element_nodes[e as usize]
            .iter()
            .for_each(|&node| add(node, domain));
    }
    for &node in touched {
        if let Some(first) = domains.copies(node).first() {
            add(node, first.0);
        }
    }
    keys.sort_unstable();
    keys.dedup();
    let slaves: Vec<Slave> = keys
        .iter()
        .map(|&(domain, place)| Slave { domain, place })
        .collect();
    for slave in &slaves {
        mark[slave.node(domains) as usize] = 0;
    }
    slaves
}

/// The chunks of elements, ascending.
fn chunks_of(elements: &[u32], places: &[Option<[u32; 3]>]) -> Vec<u32> {
    let chunk = |&e: &u32| places[e as usize].map(|[chunk, ..]| chunk);
    let mut chunks: Vec<u32> = elements.iter().filter_map(chunk).collect();
    chunks.dedup();
    chunks.sort_unstable();
    chunks.dedup();
    chunks
}

/// Numbers of nodes in a region's patch.
struct Numbers<'a> {
    domains: &'a Domains,
    slaves: &'a [Slave],
    /// Full nodes, which come first.
    count: usize,
    /// By nodes of the model, counted from one: of full nodes, and of those that are in one domain only.
    mark: &'a [u32],
}

impl Numbers<'_> {
    /// The node of an element.
    fn corner(&self, e: u32, node: u32) -> u32 {
        match self.mark[node as usize] {
            0 => {
                let domain = self.domains.domain_of[e as usize];
                debug_assert_ne!(domain, NO_DOMAIN, "nodes of no domain are full");
                let place = self.domains.copy_in(node, domain).unwrap_or(0);
                self.copy((domain, place))
            }
            index => index - 1,
        }
    }

    /// A node that contacts touch.
    fn touched(&self, node: u32) -> u32 {
        match (self.mark[node as usize], self.domains.copies(node).first()) {
            (0, first) => self.copy(first.copied().unwrap_or((0, 0))),
            (index, _) => index - 1,
        }
    }

    fn copy(&self, key: (u32, u32)) -> u32 {
        let before = |slave: &Slave| (slave.domain, slave.place) < key;
        (self.count + self.slaves.partition_point(before)) as u32
    }

    /// Which nodes elements and contacts tie to each other.
    fn pattern(
        &self,
        model: &Model,
        full: &[u32],
        cliques: &[[u32; 4]],
        taken: impl Fn(u32) -> bool,
    ) -> Result<BlockPattern, SolveError> {
        let domains = self.domains;
        let mut tied: Vec<(u32, u32)> = Vec::new();
        for nodes in cliques {
            let own = nodes.map(|node| self.touched(node));
            tied.extend(own.iter().flat_map(|&a| own.map(|b| (a, b))));
        }
        tied.sort_unstable();
        let is_full = |number: u32| number > 0 && number as usize <= self.count;
        let mut seen = vec![u32::MAX; self.count + self.slaves.len()];
        BlockPattern::from_rows(self.count + self.slaves.len(), |i, row| {
            let first = tied.partition_point(|&(a, _)| a < i as u32);
            let own = tied[first..].iter().take_while(|t| t.0 == i as u32);
            row.extend(own.map(|t| t.1));
            let slave = i.checked_sub(self.count).map(|s| self.slaves[s]);
            let node = slave.map_or_else(|| full[i], |s| s.node(domains)) as usize;
            let neighbours = domains.neighbours.row(node);
            let inner = || (neighbours.iter()).all(|&n| is_full(self.mark[n as usize]));
            if slave.is_none() && inner() {
                // all elements around are there, and so is everything that they tie
                row.extend(neighbours.iter().map(|&n| self.mark[n as usize] - 1));
                return;
            }
            let own = |&&e: &&u32| {
                let domain = domains.domain_of[e as usize];
                taken(e) && slave.is_none_or(|s| s.domain == domain)
            };
            for &e in domains.elements_of.row(node).iter().filter(own) {
                for node in model.element_nodes[e as usize] {
                    let j = self.corner(e, node);
                    if std::mem::replace(&mut seen[j as usize], i as u32) != i as u32 {
                        row.push(j);
                    }
                }
            }
        })
    }
}
