//! What training leaves for the method `subspace`: a basis and cubature for each domain of one soft body.
//!
//! A node i of domain d that is not in the full-space region is at x_i = R_i (X_i + U_i q_d) + t_i [TMDK15, Eq. 13], with the
//! rotation R_i and shift t_i that the skinning gives it; without a rig both are the identity. The forces of a domain are
//! f̃ = Σ w_e U_eᵀ R_eᵀ f_e over its cubature [TMDK15, Eq. 12].
//! Numbers of nodes and elements are those of the body's own mesh.

use super::fingerprint::Fingerprint;
use crate::model::Model;
use pliant_linalg::Vec3;
use pliant_mesh::rig::SkinWeights;
use thiserror::Error;

/// Bases and cubature of one body.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainedModel {
    /// Name of the body.
    pub body: String,
    /// What it was trained for; a model with another fingerprint must not use it.
    pub fingerprint: Fingerprint,
    /// One for each bone, or a single one without a rig; a bone that no element belongs to has an empty one.
    pub domains: Vec<TrainedDomain>,
    /// Nodes in more than one domain, ascending; springs tie their copies [TMDK15, Eqs. 19–20].
    pub interface: Vec<InterfaceNode>,
    /// Skinning weights of all nodes, where there is a rig.
    pub weights: Option<SkinWeights>,
    /// Parts of the surface that touched each other in training, by ascending domains.
    pub contacts: Vec<TrainedContact>,
}

/// Two parts of the surface that touched each other in training, and the vertices that stand for all that they push [TOK14].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrainedContact {
    /// Their domains, the smaller number first: those of the vertex and of the last corner of the facet of a contact.
    pub domains: [u32; 2],
    /// Nodes that took part and their neighbours on the surface, ascending: contacts between others are new.
    pub nodes: Vec<u32>,
    /// Vertices and weights, ascending: a contact of the vertex pushes as many times as much as it would alone.
    pub points: Vec<(u32, f64)>,
    /// ‖Σ w_v f̃_v − f̃‖ over the snapshots in which the parts touch, relative to ‖f̃‖ as in [`TrainedDomain::error`].
    pub error: f64,
}

/// A domain: some elements of the body and the space in which their nodes move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrainedDomain {
    /// Its elements, ascending.
    pub elements: Vec<u32>,
    /// Its nodes, ascending.
    pub nodes: Vec<u32>,
    /// Columns of the basis.
    pub rank: usize,
    /// U, without rotations: the entry of axis a of the k-th node and mode m is `basis[(3 k + a) rank + m]`. Columns are orthonormal.
    pub basis: Vec<f64>,
    /// How many of the columns, the last ones, were added to carry rigid motions.
    pub rigid_modes: usize,
    /// Elements and weights that stand for the forces of all elements; ascending elements, positive weights.
    pub cubature: Vec<(u32, f64)>,
    /// ‖Σ w_e f̃_e − f̃‖ over the training samples, relative to ‖f̃‖ (each sample scaled to length one).
    pub error: f64,
}

/// A node that several domains share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterfaceNode {
    /// The node.
    pub node: u32,
    /// Its domains, ascending, and its place among the nodes of each.
    pub copies: Vec<(u32, u32)>,
}

/// A trained model that does not hold together or belongs to something else.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TrainedError {
    /// The body is not there.
    #[error(
        "the trained model is for the body `{body}`, which the scene does not have: train again with `pliant train`"
    )]
    NoSuchBody {
        /// Its name.
        body: String,
    },
    /// Another mesh, materials or rig.
    #[error(
        "the trained model of `{body}` was made for {what}: train again with `pliant train`, or use the scene it was trained with"
    )]
    Stale {
        /// The body.
        body: String,
        /// What differs.
        what: &'static str,
    },
    /// Parts do not fit each other.
    #[error(
        "the trained model of `{body}` is inconsistent ({what}): train again with `pliant train`"
    )]
    Inconsistent {
        /// The body.
        body: String,
        /// What does not fit.
        what: &'static str,
    },
}

/// Largest weight of a cubature element, in elements of its domain. One element can stand for all, and for some more where it is stressed
/// less than they are; early trainings gave weights of 1e28 to elements that do not deform.
const HEAVIEST: f64 = 1e3;

impl TrainedDomain {
    /// U_i of the k-th node: three rows of `rank` entries.
    pub fn block(&self, place: usize) -> &[f64] {
        let size = 3 * self.rank;
        &self.basis[place * size..(place + 1) * size]
    }

    /// U_i q of the k-th node, m.
    pub fn displacement(&self, place: usize, q: &[f64]) -> Vec3 {
        let block = self.block(place);
        let row = |axis: usize| {
            let row = &block[axis * self.rank..(axis + 1) * self.rank];
            row.iter().zip(q).map(|(u, q)| u * q).sum()
        };
        Vec3::new(row(0), row(1), row(2))
    }

    /// Adds scale · U_iᵀ f to `reduced`.
    pub fn add_transposed(&self, place: usize, scale: f64, f: Vec3, reduced: &mut [f64]) {
        let block = self.block(place);
        let f = f * scale;
        for (m, sum) in reduced.iter_mut().enumerate() {
            *sum += block[m] * f.x + block[self.rank + m] * f.y + block[2 * self.rank + m] * f.z;
        }
    }

    /// Place of a node among the domain's.
    pub fn place_of(&self, node: u32) -> Option<usize> {
        self.nodes.binary_search(&node).ok()
    }
}

impl TrainedModel {
    /// Whether it may drive a body of this model; the place of that body.
    pub fn check(&self, model: &Model) -> Result<usize, TrainedError> {
        let found = model.bodies.iter().position(|b| b.name == self.body);
        let body = found.ok_or_else(|| TrainedError::NoSuchBody {
            body: self.body.clone(),
        })?;
        let stale = |what| TrainedError::Stale {
            body: self.body.clone(),
            what,
        };
        let present = Fingerprint::of_body(model, body);
        if present.mesh != self.fingerprint.mesh {
            return Err(stale("another mesh"));
        }
        if present.materials != self.fingerprint.materials {
            return Err(stale("other materials"));
        }
        if present.rig != self.fingerprint.rig {
            return Err(stale("another rig"));
        }
        self.check_parts(
            model.bodies[body].nodes.len(),
            model.bodies[body].elements.len(),
        )?;
        Ok(body)
    }

    /// Whether lists fit each other and the body's numbers of nodes and elements.
    pub fn check_parts(&self, node_count: usize, element_count: usize) -> Result<(), TrainedError> {
        let wrong = |what| TrainedError::Inconsistent {
            body: self.body.clone(),
            what,
        };
        let ascending = |list: &[u32], count: usize| {
            list.windows(2).all(|w| w[0] < w[1])
                && list.last().is_none_or(|&n| (n as usize) < count)
        };
        for domain in &self.domains {
            if !ascending(&domain.nodes, node_count) || !ascending(&domain.elements, element_count)
            {
                return Err(wrong("its nodes or elements"));
            }
            if Some(domain.basis.len()) != (3 * domain.nodes.len()).checked_mul(domain.rank)
                || domain.rigid_modes > domain.rank
            {
                return Err(wrong("the size of a basis"));
            }
            if !domain.basis.iter().all(|u| u.is_finite()) {
                return Err(wrong("a basis that is not finite"));
            }
            let mut cubature = domain.cubature.iter();
            let elements: Vec<u32> = domain.cubature.iter().map(|&(e, _)| e).collect();
            let known = |&(e, w): &(u32, f64)| {
                w > 0.0 && w.is_finite() && domain.elements.binary_search(&e).is_ok()
            };
            if !ascending(&elements, element_count) || !cubature.all(known) {
                return Err(wrong("its cubature"));
            }
            let most = HEAVIEST * domain.elements.len() as f64;
            if domain.cubature.iter().any(|&(_, w)| w > most) {
                return Err(wrong("an element that would weigh more than the body"));
            }
        }
        let mut last = None;
        for InterfaceNode { node, copies } in &self.interface {
            let fits = |&(d, place): &(u32, u32)| {
                let domain = self.domains.get(d as usize);
                domain.and_then(|d| d.nodes.get(place as usize)) == Some(node)
            };
            let once = copies.windows(2).all(|w| w[0].0 < w[1].0);
            if last >= Some(*node) || copies.len() < 2 || !once || !copies.iter().all(fits) {
                return Err(wrong("its interface"));
            }
            last = Some(*node);
        }
        let mut last = None;
        for TrainedContact {
            domains,
            nodes,
            points,
            ..
        } in &self.contacts
        {
            let vertices: Vec<u32> = points.iter().map(|p| p.0).collect();
            let known =
                |&(v, w): &(u32, f64)| w > 0.0 && w <= HEAVIEST && nodes.binary_search(&v).is_ok();
            if last >= Some(*domains)
                || domains[0] > domains[1]
                || domains[1] as usize >= self.domains.len()
                || !ascending(nodes, node_count)
                || !ascending(&vertices, node_count)
                || !points.iter().all(known)
            {
                return Err(wrong("its contacts"));
            }
            last = Some(*domains);
        }
        if let Some(weights) = &self.weights {
            let starts = &weights.starts;
            let whole = starts.len() == node_count + 1
                && starts.first() == Some(&0)
                && starts.last().map(|&end| end as usize) == Some(weights.entries.len())
                && starts.windows(2).all(|w| w[0] <= w[1]);
            let known = |&(bone, w): &(u32, f64)| {
                (bone as usize) < self.domains.len() && (0.0..=1.0 + 1e-9).contains(&w)
            };
            if !whole || !weights.entries.iter().all(known) {
                return Err(wrong("its skinning weights"));
            }
        }
        Ok(())
    }
}

/// The interface of domains with these nodes, ascending in each.
pub fn interface_of(nodes_of_domains: &[&[u32]]) -> Vec<InterfaceNode> {
    let mut copies: Vec<(u32, u32, u32)> = Vec::new();
    for (domain, nodes) in nodes_of_domains.iter().enumerate() {
        let places = nodes.iter().enumerate();
        copies.extend(places.map(|(place, &node)| (node, domain as u32, place as u32)));
    }
    copies.sort_unstable();
    let shared = copies.chunk_by(|a, b| a.0 == b.0).filter(|c| c.len() > 1);
    shared
        .map(|c| InterfaceNode {
            node: c[0].0,
            copies: c
                .iter()
                .map(|&(_, domain, place)| (domain, place))
                .collect(),
        })
        .collect()
}

#[cfg(test)]
#[path = "trained_tests.rs"]
mod tests;
