//! Contacts of a body with itself that were seen in training: they push the coordinates, through few vertices with weights, and make no node
//! full [TOK14; TMDK15, §4.2].
//!
//! A contact is known if all of its nodes took part, or were next to such, when the same two domains touched in training. A pair of parts on which a full
//! or fading node lies is not trusted for that step: all of its contacts are new. So what cubature stands for and
//! what is exact never overlap, and nothing is pushed twice.

use super::choose::Chosen;
use super::domain::{Domains, Trained};
use super::memory::Reduced;
use crate::contact::{Contact, vertex_of};
use crate::model::Model;

/// Two parts of a surface; numbers are those of the model.
struct Pair {
    domains: [u32; 2],
    nodes: Vec<u32>,
    points: Vec<(u32, f64)>,
    trusted: bool,
}

/// All of them.
#[derive(Default)]
pub(super) struct KnownContacts {
    pairs: Vec<Pair>,
}

impl KnownContacts {
    pub fn new(model: &Model, trained: &[Trained], domains: &Domains) -> KnownContacts {
        let mut pairs = Vec::new();
        for (body, Trained { model: own, .. }) in trained.iter().enumerate() {
            let Some(place) = model.bodies.iter().find(|b| b.name == own.body) else {
                continue; // refused before
            };
            let node = place.nodes.start as u32;
            let first = domains.list.iter().take_while(|d| d.body < body).count() as u32;
            pairs.extend(own.contacts.iter().map(|contact| Pair {
                domains: contact.domains.map(|d| first + d),
                nodes: contact.nodes.iter().map(|n| node + n).collect(),
                points: contact.points.iter().map(|&(v, w)| (node + v, w)).collect(),
                trusted: true,
            }));
        }
        KnownContacts { pairs }
    }

    /// Trusts all pairs on which nothing is full or fades after the step before.
    pub fn begin(&mut self, memory: &Reduced) {
        let full = || memory.active.iter().map(|a| a.node);
        let fading = || memory.fading.iter().map(|f| f.node);
        for pair in &mut self.pairs {
            pair.trusted = !full().chain(fading()).any(|n| pair.has(n));
        }
    }

    /// Stops trusting pairs on which something will be full or fade; whether there were any.
    pub fn give_up(&mut self, chosen: &Chosen) -> bool {
        let mut any = false;
        for pair in self.pairs.iter_mut().filter(|p| p.trusted) {
            let full = chosen.active.iter().chain(&chosen.leaving).map(|a| a.node);
            pair.trusted = !full
                .chain(chosen.fading.iter().map(|f| f.node))
                .any(|n| pair.has(n));
            any |= !pair.trusted;
        }
        any
    }

    /// Contacts that act: first the new ones, whose number is returned, then those of the vertices that stand for known ones.
    pub fn sort(&self, domains: &Domains, found: &[Contact], into: &mut Vec<Contact>) -> usize {
        into.clear();
        let of = |contact: &Contact| {
            let key = domains.pair_of(contact)?;
            let nodes = &contact.nodes[..contact.count];
            let fits = |p: &&Pair| p.trusted && p.domains == key && nodes.iter().all(|&n| p.has(n));
            self.pairs.iter().find(fits)
        };
        into.extend(found.iter().filter(|c| of(c).is_none()));
        let new = into.len();
        into.extend(found.iter().filter_map(|contact| {
            let vertex = vertex_of(contact.identity)?;
            let points = &of(contact)?.points;
            let at = points.binary_search_by_key(&vertex, |p| p.0).ok()?;
            Some(Contact {
                stiffness: contact.stiffness * points[at].1,
                ..*contact
            })
        }));
        new
    }
}

impl Pair {
    fn has(&self, node: u32) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }
}

#[cfg(test)]
#[path = "known_tests.rs"]
mod tests;
