//! What is constant about the domains of all trained bodies: places of nodes, masses, reduced masses, samples of inertia.
//!
//! A node that several domains share has a copy in each of them, with the share of its mass that the domain's elements give it.
//!
//! Inertia and gravity of the nodes that the basis moves must not cost a pass over them. Σ m UᵀU is constant, since rotations are
//! orthogonal and masses scalars (METHODS 2.2). Fields a that pose and gravity make, in un-skinned frames, vary slowly over the body:
//! Σ m_i U_iᵀ a_i ≈ Σ_c (Σ_{i∈c} m_i U_i)ᵀ a_c over clusters c of neighbouring nodes, with a at the node nearest to the middle. Without
//! a rig a is constant and this is exact; with as many clusters as nodes it is exact too.

use super::frame::{Frame, Pose, Posing};
use super::trained::{TrainedDomain, TrainedModel};
use crate::contact::Contact;
use crate::model::Model;
use pliant_linalg::Vec3;
use pliant_mesh::adjacency::Csr;
use std::sync::Arc;

/// Of an element that no domain has.
pub(crate) const NO_DOMAIN: u32 = u32::MAX;

/// A trained model with the rig of its body.
#[derive(Clone, Debug)]
pub struct Trained {
    /// Bases and cubature.
    pub model: Arc<TrainedModel>,
    /// What poses the body; none: its own rig, if it has one.
    pub rig: Option<Arc<dyn Posing>>,
}

/// One domain.
pub(crate) struct Domain {
    trained: Arc<TrainedModel>,
    /// Its place there.
    index: usize,
    /// Its body among the trained ones.
    pub body: usize,
    /// First node of that body.
    pub first_node: u32,
    /// First of its coordinates.
    pub offset: usize,
    /// Number of them.
    pub rank: usize,
    /// Mass of each node, kg, and α₀-weighted mass, kg/s.
    pub mass: Vec<f64>,
    pub mass_damping: Vec<f64>,
    /// Σ m UᵀU and the same with α₀ m, by rows; the second empty without such damping.
    pub reduced_mass: Vec<f64>,
    pub reduced_damping: Vec<f64>,
    /// Cluster of each node.
    pub cluster_of: Vec<u32>,
    pub clusters: Vec<Cluster>,
}

/// Neighbouring nodes that take part in inertia together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cluster {
    /// The node in the middle, a place of the domain.
    pub place: u32,
    /// Σ m, kg, and Σ m X, kg·m.
    pub mass: f64,
    pub first: Vec3,
    /// Σ m U and Σ α₀ m U: three rows each.
    pub moment: Vec<f64>,
    pub damping_moment: Vec<f64>,
}

impl Domain {
    pub fn basis(&self) -> &TrainedDomain {
        &self.trained.domains[self.index]
    }

    /// The node in a place, in the numbers of the model.
    pub fn node(&self, place: u32) -> u32 {
        self.first_node + self.basis().nodes[place as usize]
    }

    /// Its coordinates in those of all domains.
    pub fn own<'a>(&self, q: &'a [f64]) -> &'a [f64] {
        &q[self.offset..self.offset + self.rank]
    }

    /// X + U q of a node.
    pub fn shape(&self, model: &Model, place: u32, q: &[f64]) -> Vec3 {
        let moved = self.basis().displacement(place as usize, self.own(q));
        model.rest[self.node(place) as usize] + moved
    }

    pub fn frame(&self, pose: &Pose, place: u32) -> Frame {
        pose.frame(self.body, self.basis().nodes[place as usize])
    }
}

/// See the file header.
pub(crate) struct Domains {
    pub list: Vec<Domain>,
    /// (domain, place) of the copies of each node of the model.
    copies: (Vec<u32>, Vec<(u32, u32)>),
    /// Domain of each element of the model.
    pub domain_of: Vec<u32>,
    /// Elements and neighbours of each node of the model.
    pub elements_of: Csr,
    pub neighbours: Csr,
    /// Number of coordinates.
    pub rank: usize,
    /// Largest extent of each body of the model, m: the unit of radii.
    pub sizes: Vec<f64>,
    rigs: Vec<Option<Arc<dyn Posing>>>,
}

impl Domains {
    /// Of all trained bodies, with so many clusters a domain that has a rig.
    pub fn new(model: &Model, trained: &[Trained], clusters: usize) -> Domains {
        let node_count = model.node_count();
        let mut list = Vec::new();
        let mut domain_of = vec![NO_DOMAIN; model.element_count()];
        let mut pairs = Vec::new();
        let mut offset = 0;
        let mut rigs: Vec<Option<Arc<dyn Posing>>> = Vec::new();
        for (body, Trained { model: own, rig }) in trained.iter().enumerate() {
            let Some(place) = model.bodies.iter().position(|b| b.name == own.body) else {
                continue; // refused before
            };
            let of_body = (model.bodies[place].rig.clone()).map(|rig| rig as Arc<dyn Posing>);
            let rig = rig.clone().or(of_body);
            let (nodes, elements) = (&model.bodies[place].nodes, &model.bodies[place].elements);
            for (index, domain) in own.domains.iter().enumerate() {
                let number = list.len() as u32;
                for &e in &domain.elements {
                    domain_of[elements.start + e as usize] = number;
                }
                let places = domain.nodes.iter().zip(0..);
                pairs.extend(places.map(|(&n, place)| (nodes.start as u32 + n, (number, place))));
                list.push(Domain {
                    trained: own.clone(),
                    index,
                    body,
                    first_node: nodes.start as u32,
                    offset,
                    rank: domain.rank,
                    mass: vec![0.0; domain.nodes.len()],
                    mass_damping: vec![0.0; domain.nodes.len()],
                    reduced_mass: Vec::new(),
                    reduced_damping: Vec::new(),
                    cluster_of: Vec::new(),
                    clusters: vec![Cluster::default(); if rig.is_some() { clusters } else { 1 }],
                });
                offset += domain.rank;
            }
            rigs.push(rig);
        }
        pairs.sort_unstable();
        let mut starts = vec![0u32; node_count + 1];
        for &(node, _) in &pairs {
            starts[node as usize + 1] += 1;
        }
        for node in 0..node_count {
            starts[node + 1] += starts[node];
        }
        let copies = (starts, pairs.into_iter().map(|(_, copy)| copy).collect());
        let (elements_of, neighbours) = surroundings(model);
        let sizes = model.bodies.iter().map(|body| {
            let rest = &model.rest[body.nodes.clone()];
            let low = rest.iter().copied().reduce(Vec3::min).unwrap_or_default();
            let high = rest.iter().copied().reduce(Vec3::max).unwrap_or_default();
            (high - low).max_abs()
        });
        let mut domains = Domains {
            list,
            copies,
            domain_of,
            elements_of,
            neighbours,
            rank: offset,
            sizes: sizes.collect(),
            rigs,
        };
        domains.share_masses(model);
        domains
            .list
            .iter_mut()
            .for_each(|domain| domain.reduce(model));
        domains
    }

    /// (domain, place) of a node's copies; none where no basis moves it.
    pub fn copies(&self, node: u32) -> &[(u32, u32)] {
        let (starts, items) = &self.copies;
        let node = node as usize;
        &items[starts[node] as usize..starts[node + 1] as usize]
    }

    /// The copy of a node in a domain.
    pub fn copy_in(&self, node: u32, domain: u32) -> Option<u32> {
        let copies = self.copies(node).iter();
        copies.copied().find(|c| c.0 == domain).map(|c| c.1)
    }

    /// The domains between which a contact of a body with itself is, the smaller number first: those of its first and last node. None of
    /// other contacts.
    pub fn pair_of(&self, contact: &Contact) -> Option<[u32; 2]> {
        if contact.obstacle.is_some() || contact.count < 4 {
            return None;
        }
        let of = |node: u32| self.copies(node).first().map(|c| c.0);
        let [a, b] = [of(contact.nodes[0])?, of(contact.nodes[3])?];
        let body = |d: u32| self.list[d as usize].body;
        (body(a) == body(b)).then_some([a.min(b), a.max(b)])
    }

    /// Number of trained bodies.
    pub fn body_count(&self) -> usize {
        self.rigs.len()
    }

    /// The pose of all trained bodies at a time, s.
    pub fn pose(&self, time: f64) -> Pose {
        Pose::at(self.rigs.iter().map(Option::as_deref), time)
    }

    /// The frame of a node in a pose; the identity where nothing poses it.
    pub fn frame(&self, pose: &Pose, node: u32) -> Frame {
        match self.copies(node).first() {
            Some(&(domain, place)) => self.list[domain as usize].frame(pose, place),
            None => Frame::IDENTITY,
        }
    }

    /// X + U q of a node: of its copies the mean by mass.
    pub fn shape(&self, model: &Model, node: u32, q: &[f64]) -> Vec3 {
        let copies = self.copies(node);
        if let &[(domain, place)] = copies {
            return self.list[domain as usize].shape(model, place, q);
        }
        let (mut sum, mut total) = (Vec3::ZERO, 0.0);
        for &(domain, place) in copies {
            let domain = &self.list[domain as usize];
            let mass = domain.mass[place as usize];
            sum += domain.shape(model, place, q) * mass;
            total += mass;
        }
        match total > 0.0 {
            true => sum / total,
            false => model.rest[node as usize],
        }
    }

    /// Shares the masses of nodes among their copies, by the volumes of the elements around them.
    fn share_masses(&mut self, model: &Model) {
        let mut shares: Vec<f64> = Vec::new();
        for node in 0..model.node_count() {
            let (starts, items) = &self.copies;
            let copies = &items[starts[node] as usize..starts[node + 1] as usize];
            if copies.is_empty() {
                continue;
            }
            shares.clear();
            shares.resize(copies.len(), 0.0);
            for &e in self.elements_of.row(node) {
                let domain = self.domain_of[e as usize];
                if let Some(copy) = copies.iter().position(|c| c.0 == domain) {
                    shares[copy] += model.element_volumes[e as usize];
                }
            }
            let total: f64 = shares.iter().sum();
            for (&(domain, place), share) in copies.iter().zip(&shares) {
                let (domain, place) = (&mut self.list[domain as usize], place as usize);
                let share = if total > 0.0 { share / total } else { 0.0 };
                domain.mass[place] = share * model.mass[node];
                domain.mass_damping[place] = share * model.mass_damping[node];
            }
        }
    }
}

impl Domain {
    /// Clusters and reduced masses, once masses are known.
    fn reduce(&mut self, model: &Model) {
        let (rank, count) = (self.rank, self.mass.len());
        let rest = |place: usize| model.rest[self.node(place as u32) as usize];
        // clusters are runs along the longest axes: halves of halves, until there are enough
        let mut groups = vec![(0..count as u32).collect::<Vec<u32>>()];
        let wanted = self.clusters.len().min(count).max(1);
        while groups.len() < wanted {
            let largest = (0..groups.len()).max_by_key(|&g| (groups[g].len(), usize::MAX - g));
            let Some(largest) = largest.filter(|&g| groups[g].len() > 1) else {
                break;
            };
            let mut group = std::mem::take(&mut groups[largest]);
            let points = group.iter().map(|&p| rest(p as usize));
            let low = points.clone().reduce(Vec3::min).unwrap_or_default();
            let high = points.reduce(Vec3::max).unwrap_or_default();
            let extent = high - low;
            let axis = (0..3).fold(0, |best, a| if extent[a] > extent[best] { a } else { best });
            group.sort_by(|&a, &b| {
                let [x, y] = [a, b].map(|p| rest(p as usize)[axis]);
                x.total_cmp(&y).then(a.cmp(&b))
            });
            let upper = group.split_off(group.len() / 2);
            groups[largest] = group;
            groups.push(upper);
        }
        groups.retain(|group| !group.is_empty());
        let damped = self.mass_damping.iter().any(|&c| c > 0.0);
        let mut cluster_of = vec![0; count];
        let mut clusters = Vec::with_capacity(groups.len());
        for (index, group) in groups.iter().enumerate() {
            let mut cluster = Cluster {
                moment: vec![0.0; 3 * rank],
                damping_moment: vec![0.0; if damped { 3 * rank } else { 0 }],
                ..Cluster::default()
            };
            for &place in group {
                let place = place as usize;
                cluster_of[place] = index as u32;
                cluster.mass += self.mass[place];
                cluster.first += rest(place) * self.mass[place];
                let block = self.basis().block(place);
                add_scaled(&mut cluster.moment, self.mass[place], block);
                if damped {
                    add_scaled(&mut cluster.damping_moment, self.mass_damping[place], block);
                }
            }
            let middle = cluster.first / cluster.mass.max(f64::MIN_POSITIVE);
            let near = |&&p: &&u32| ((rest(p as usize) - middle).norm_squared(), p);
            let nearest = group.iter().min_by(|a, b| {
                let ((x, p), (y, r)) = (near(a), near(b));
                x.total_cmp(&y).then(p.cmp(&r))
            });
            cluster.place = nearest.copied().unwrap_or(0);
            clusters.push(cluster);
        }
        let mut reduced_mass = vec![0.0; rank * rank];
        let mut reduced_damping = vec![0.0; if damped { rank * rank } else { 0 }];
        for place in 0..count {
            let block = self.basis().block(place);
            add_gram(&mut reduced_mass, rank, self.mass[place], block);
            if damped {
                add_gram(&mut reduced_damping, rank, self.mass_damping[place], block);
            }
        }
        self.reduced_mass = reduced_mass;
        self.reduced_damping = reduced_damping;
        self.cluster_of = cluster_of;
        self.clusters = clusters;
    }
}

/// y += s x.
pub(crate) fn add_scaled(y: &mut [f64], s: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += s * x;
    }
}

/// matrix += s BᵀB for three rows B of `rank` numbers.
pub(crate) fn add_gram(matrix: &mut [f64], rank: usize, s: f64, block: &[f64]) {
    if rank == 0 || s == 0.0 {
        return;
    }
    for row in block.chunks_exact(rank) {
        for (into, &u) in matrix.chunks_exact_mut(rank).zip(row) {
            if u != 0.0 {
                add_scaled(into, s * u, row);
            }
        }
    }
}

/// Elements and neighbours of every node.
fn surroundings(model: &Model) -> (Csr, Csr) {
    let count = model.node_count();
    let elements = model.element_nodes.iter().zip(0u32..);
    let pairs = elements.flat_map(|(nodes, e)| nodes.map(|n| (n, e)));
    let elements_of = Csr::from_pairs(count, pairs);
    let mut offsets = vec![0];
    let mut items: Vec<u32> = Vec::new();
    let mut row = Vec::new();
    for node in 0..count {
        row.clear();
        let around = elements_of.row(node).iter();
        row.extend(around.flat_map(|&e| model.element_nodes[e as usize]));
        row.sort_unstable();
        row.dedup();
        items.extend(row.iter().filter(|&&n| n as usize != node));
        offsets.push(items.len() as u32);
    }
    (elements_of, Csr { offsets, items })
}
