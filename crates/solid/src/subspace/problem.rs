//! The equations of one step: full positions x and coordinates q at which a potential is stationary.
//!
//!   Φ(x, q) = E_exact(x, q) + E_cubature(q) + interface springs − loads + contacts
//!           + ½ Σ m ‖x − y‖²/h² over full nodes and those that the basis moves + ½ (x − xₙ)ᵀ C (x − xₙ)/h
//!
//! with y = xₙ + h vₙ; the last line only with inertia. −∂Φ/∂q is f̃ of [TMDK15, Eq. 12] and ∂²Φ the matrix of Eq. 11. For h²Φ in
//! terms of velocities it is the potential of `newton.rs`, so that with all nodes full the equations are those of `full`.
//!
//! Inertia of a node that the basis moves: x⁺ = R⁺(X + U q⁺) + t⁺ with the pose at the end of the step, which is known. R⁺ is
//! orthogonal, so m‖x⁺ − y‖² = m‖X + U q⁺ − R⁺ᵀ(y − t⁺)‖², and with q* = qₙ + h q̇ₙ its gradient is
//!   Uᵀ m [U (q⁺ − q*) + e],   e = X + U q* − R⁺ᵀ(y − t⁺),
//! where e is what the change of pose alone does: the inertial forces of moving frames (Coriolis and centrifugal ones included, as y is
//! made from positions at two earlier poses). It does not depend on q⁺. Without a rig e = 0 and nothing is approximated; with one Σ m Uᵀe
//! is summed over clusters (`domain.rs`).

use super::domain::Domains;
use super::edge::Edge;
use super::patch::Patch;
use super::present::Present;
use super::reduce::{Slot, add_contacts, add_reduced};
use super::region::Region;
use crate::assembly::{ElementFault, TangentWeights};
use crate::contact::Coupling;
use crate::model::Model;
use pliant_linalg::{Mat3, Vec3};

/// Relative rounding error of an element's force, whose terms are stiffness times position.
const ROUNDING: f64 = 1e-15;

/// Positions of full nodes, m, and coordinates; or forces and changes of both.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mixed {
    pub x: Vec<Vec3>,
    pub q: Vec<f64>,
}

impl Mixed {
    pub fn resize(&mut self, nodes: usize, rank: usize) {
        self.x.resize(nodes, Vec3::ZERO);
        self.q.resize(rank, 0.0);
    }

    pub fn fill_zero(&mut self) {
        self.x.fill(Vec3::ZERO);
        self.q.fill(0.0);
    }

    pub fn copy_from(&mut self, other: &Mixed) {
        self.x.clone_from(&other.x);
        self.q.clone_from(&other.q);
    }

    pub fn dot(&self, other: &Mixed) -> f64 {
        let x = pliant_linalg::reduce::dot(&self.x, &other.x);
        x + self.q.iter().zip(&other.q).map(|(a, b)| a * b).sum::<f64>()
    }

    /// self += s other.
    pub fn add_scaled(&mut self, s: f64, other: &Mixed) {
        pliant_linalg::reduce::add_scaled(&mut self.x, s, &other.x);
        super::domain::add_scaled(&mut self.q, s, &other.q);
    }
}

/// What the step knows about a full node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FullNode {
    /// xₙ and y = xₙ + h vₙ, m.
    pub start: Vec3,
    pub predicted: Vec3,
    pub mass: f64,
    pub mass_damping: f64,
    pub stiffness: f64,
    /// Gravity, dead loads, and of springs what does not depend on x, N.
    pub load: Vec3,
    /// Stiffness of springs, N/m, and their damping, N·s/m.
    pub spring: f64,
    pub spring_damping: f64,
    /// Coordinates that are known, and how far they move in the step, m.
    pub held: [bool; 3],
    pub known: Vec3,
    /// xₙ carried along by the pose, m.
    pub carried: Vec3,
}

/// See the file header.
pub(crate) struct Problem {
    /// Elements that stand for all others, each with four nodes of its own, and the copies that those are.
    pub cubature: Patch,
    pub sampled: Vec<Slot>,
    /// Elements and weights of the cubature, all domains.
    pub points: Vec<(u32, f64)>,
    pub region: Region,
    pub slaves: Vec<Slot>,
    pub present: Present,
    pub full: Vec<FullNode>,
    /// Their coordinates that are prescribed, by place in the list and axis.
    pub held: Vec<(u32, usize)>,
    /// Length of the step, s; whether mass and damping act; factor of the stiffness in its matrix.
    pub h: f64,
    pub inertia: bool,
    pub beta: f64,
    /// qₙ and q*.
    pub start: Vec<f64>,
    pub predicted: Vec<f64>,
    /// Forces on the coordinates that are constant in the step.
    pub applied: Vec<f64>,
    /// Contacts, whose nodes are places in the region.
    pub couplings: Vec<Coupling>,
    pub activations: Vec<f64>,
    /// The trial, and the gradient there.
    pub at: Mixed,
    pub gradient: Mixed,
    /// Matrix of the coordinates without the part of the region, and that part; all coordinates, by rows.
    pub inner: Vec<f64>,
    pub border: Vec<f64>,
    /// How full nodes and coordinates act on each other.
    pub edge: Edge,
    velocities: Vec<Vec3>,
}

impl Problem {
    pub fn new(
        cubature: Patch,
        sampled: Vec<Slot>,
        points: Vec<(u32, f64)>,
        region: Region,
        present: Present,
    ) -> Problem {
        Problem {
            cubature,
            sampled,
            points,
            region,
            slaves: Vec::new(),
            present,
            full: Vec::new(),
            held: Vec::new(),
            h: 0.0,
            inertia: false,
            beta: 1.0,
            start: Vec::new(),
            predicted: Vec::new(),
            applied: Vec::new(),
            couplings: Vec::new(),
            activations: Vec::new(),
            at: Mixed::default(),
            gradient: Mixed::default(),
            inner: Vec::new(),
            border: Vec::new(),
            edge: Edge::default(),
            velocities: Vec::new(),
        }
    }

    /// Full nodes where they were, carried along by the pose, with known coordinates at their ends.
    pub fn standing(&self) -> Vec<Vec3> {
        let end = |node: &FullNode| node.carried + node.known;
        self.full.iter().map(end).collect()
    }

    /// Puts every node of both patches where the trial says.
    pub fn place(&mut self, model: &Model, domains: &Domains) {
        let count = self.full.len();
        let (own, others) = self.region.patch.positions.split_at_mut(count);
        own.copy_from_slice(&self.at.x);
        for (x, slot) in others.iter_mut().zip(&self.slaves) {
            *x = slot.position(model, domains, &self.at.q);
        }
        for index in 0..self.points.len() {
            for corner in 4 * index..4 * index + 4 {
                self.cubature.positions[corner] = self.sample(model, domains, corner, &self.at.q);
            }
        }
    }

    /// Where coordinates put a corner of the cubature, in the frame of its slot. Those of elements that are exact in the region are at rest:
    /// what the coordinates of wholly full domains would make of them may be anything.
    pub fn sample(&self, model: &Model, domains: &Domains, corner: usize, q: &[f64]) -> Vec3 {
        let slot = &self.sampled[corner];
        match self.cubature.is_on(corner / 4) {
            true => slot.position(model, domains, q),
            false => model.rest[domains.list[slot.domain as usize].node(slot.place) as usize],
        }
    }

    /// Forces and energies at the trial.
    pub fn evaluate(&mut self, model: &Model, domains: &Domains) -> Result<(), ElementFault> {
        self.place(model, domains);
        let h = self.inertia.then_some(self.h);
        self.region.patch.evaluate(&self.activations, h)?;
        self.cubature.evaluate(&self.activations, h)
    }

    /// Φ at the trial, evaluated before; without a constant.
    pub fn value(&mut self, domains: &Domains) -> f64 {
        let mut value = self.energy();
        let h = self.h;
        for (node, &x) in self.full.iter().zip(&self.at.x) {
            value -= node.load.dot(x);
            value += 0.5 * node.spring * x.norm_squared();
            if self.inertia {
                value += 0.5 * node.mass / (h * h) * (x - node.predicted).norm_squared();
                let drag = node.mass_damping + node.spring_damping;
                value += 0.5 * drag / h * (x - node.start).norm_squared();
            }
        }
        value -= (self.applied.iter().zip(&self.at.q))
            .map(|(f, q)| f * q)
            .sum::<f64>();
        if self.inertia {
            for (index, domain) in domains.list.iter().enumerate() {
                let q = domain.own(&self.at.q);
                let change: Vec<f64> = (q.iter().zip(domain.own(&self.predicted)))
                    .map(|(a, b)| a - b)
                    .collect();
                value += 0.5 / (h * h) * Present::form(&self.present.mass[index], &change);
                if !self.present.damping[index].is_empty() {
                    let moved: Vec<f64> = (q.iter().zip(domain.own(&self.start)))
                        .map(|(a, b)| a - b)
                        .collect();
                    value += 0.5 / h * Present::form(&self.present.damping[index], &moved);
                }
            }
        }
        self.find_velocities();
        for coupling in &self.couplings {
            let u = coupling.combine(&self.velocities);
            value += 0.5 * u.dot(coupling.block * u) - coupling.impulse.dot(u);
        }
        value
    }

    /// Elastic energy with the damping of the step so far and the interface springs, J.
    fn energy(&self) -> f64 {
        let mut energy = 0.0;
        for patch in [&self.region.patch, &self.cubature] {
            if patch.count > 0 {
                energy += patch.energy;
            }
        }
        if !self.present.springs.is_empty() {
            energy += 0.5 * Present::form(&self.present.springs, &self.at.q);
        }
        energy
    }

    /// Elastic energy, cubature and springs included, J.
    pub fn elastic_energy(&self) -> f64 {
        let patches = [&self.region.patch, &self.cubature];
        let own = patches.iter().filter(|p| p.count > 0).map(|p| p.elastic);
        let springs = match self.present.springs.is_empty() {
            true => 0.0,
            false => 0.5 * Present::form(&self.present.springs, &self.at.q),
        };
        own.sum::<f64>() + springs
    }

    fn find_velocities(&mut self) {
        self.velocities.clear();
        if !self.couplings.is_empty() {
            let patch = &self.region.patch;
            let (nodes, h) = (patch.positions.iter().zip(&patch.start), self.h);
            self.velocities
                .extend(nodes.map(|(&x, &start)| (x - start) / h));
        }
    }

    /// ∂Φ at the trial, evaluated before; returns its size relative to the largest of the forces involved.
    ///
    /// Forces on a coordinate are sums over many elements, and at equilibrium without loads there is nothing but their sum, zero. They
    /// are compared with Σ |w_e U_eᵀ f_e|, what elements contribute one by one; forces on full nodes with those on nodes, prescribed ones and
    /// those at the edge of the region included, as `newton.rs` does.
    pub fn find_gradient(&mut self, model: &Model, domains: &Domains) -> f64 {
        let (h, count) = (self.h, self.full.len());
        self.gradient.resize(count, domains.rank);
        self.gradient.fill_zero();
        // momentum, elastic forces, loads: in the full part, then in the coordinates
        let mut scale = [0.0f64; 3];
        let mut rounding = 0.0;
        self.find_velocities();
        let nodal = &self.region.patch.nodal;
        for (i, node) in self.full.iter().enumerate() {
            let x = self.at.x[i];
            let mut momentum = Vec3::ZERO;
            let mut drag = Vec3::ZERO;
            if self.inertia {
                momentum = (x - node.predicted) * (node.mass / (h * h));
                drag = (x - node.start) * ((node.mass_damping + node.spring_damping) / h);
                rounding += (ROUNDING * node.mass / h * (x - node.start).norm() / h).powi(2);
            }
            let external = node.load - x * node.spring;
            self.gradient.x[i] = momentum + drag - nodal[i] - external;
            scale[0] += momentum.norm_squared();
            scale[1] += nodal[i].norm_squared();
            scale[2] += external.norm_squared();
            rounding += (ROUNDING * node.stiffness * x.norm()).powi(2);
        }
        let mut elastic = vec![0.0; domains.rank];
        let mut sizes = vec![0.0; domains.rank];
        for coupling in &self.couplings {
            let impulse = coupling.impulse_at(&self.velocities);
            for (node, weight) in coupling.ends() {
                let push = impulse * (weight / h);
                match node.checked_sub(count) {
                    None => self.gradient.x[node] -= push,
                    Some(slave) => self.slaves[slave].add_force(domains, 1.0, push, &mut elastic),
                }
            }
        }
        for (g, node) in self.gradient.x.iter_mut().zip(&self.full) {
            for axis in (0..3).filter(|&axis| node.held[axis]) {
                g[axis] = 0.0;
            }
        }

        let exact = self.slaves.iter().zip(&nodal[count.min(nodal.len())..]);
        for (slot, &f) in exact.filter(|(_, f)| **f != Vec3::ZERO) {
            slot.add_force(domains, 1.0, f, &mut elastic);
            scale[1] += f.norm_squared();
        }
        let mut own = vec![0.0; domains.rank];
        let forces = self.cubature.nodal.chunks_exact(4);
        let corners = forces.zip(self.cubature.positions.chunks_exact(4));
        for (slots, (forces, positions)) in self.sampled.chunks_exact(4).zip(corners) {
            if forces.iter().all(|&f| f == Vec3::ZERO) {
                continue; // evaluated exactly, or at rest
            }
            let domain = &domains.list[slots[0].domain as usize];
            let modes = domain.offset..domain.offset + domain.rank;
            own[modes.clone()].fill(0.0);
            for ((slot, &f), x) in slots.iter().zip(forces).zip(positions) {
                slot.add_force(domains, 1.0, f, &mut own);
                let node = domain.node(slot.place) as usize;
                rounding += (ROUNDING * model.node_stiffness[node] * x.norm()).powi(2);
            }
            for m in modes {
                elastic[m] += own[m];
                sizes[m] += own[m].abs();
            }
        }
        if !self.present.springs.is_empty() {
            let rows = self.present.springs.chunks_exact(domains.rank);
            for ((f, size), row) in elastic.iter_mut().zip(&mut sizes).zip(rows) {
                let pull = row.iter().zip(&self.at.q).map(|(k, q)| k * q).sum::<f64>();
                *f -= pull;
                *size += pull.abs();
            }
        }
        let mut momentum = vec![0.0; domains.rank];
        if self.inertia {
            for (index, domain) in domains.list.iter().enumerate() {
                let own = domain.offset..domain.offset + domain.rank;
                let q = domain.own(&self.at.q);
                let terms = [
                    (
                        &self.present.mass[index],
                        domain.own(&self.predicted),
                        1.0 / (h * h),
                    ),
                    (
                        &self.present.damping[index],
                        domain.own(&self.start),
                        1.0 / h,
                    ),
                ];
                for (matrix, from, factor) in terms {
                    let rows = matrix.chunks_exact(domain.rank.max(1));
                    for (p, row) in momentum[own.clone()].iter_mut().zip(rows) {
                        let terms = row.iter().zip(q.iter().zip(from));
                        *p += factor * terms.map(|(m, (a, b))| m * (a - b)).sum::<f64>();
                    }
                }
            }
        }
        for m in 0..domains.rank {
            self.gradient.q[m] = momentum[m] - elastic[m] - self.applied[m];
            scale[0] += momentum[m] * momentum[m];
            scale[1] += sizes[m] * sizes[m];
            scale[2] += self.applied[m] * self.applied[m];
        }
        self.mask_dead(domains);
        let largest = scale.iter().copied().fold(0.0, f64::max).sqrt();
        let norm = self.gradient.dot(&self.gradient).sqrt();
        match norm <= rounding.sqrt() || largest == 0.0 {
            true => 0.0,
            false => norm / largest,
        }
    }

    /// Trace of what masses and springs of whole domains add to the matrix of the coordinates.
    pub fn whole_trace(&self) -> f64 {
        let [masses, springs] = self.present.whole_traces;
        let masses = match self.inertia {
            true => masses / (self.h * self.h),
            false => 0.0,
        };
        masses + self.beta * springs
    }

    /// Domains without a node of their own have no equations.
    fn mask_dead(&mut self, domains: &Domains) {
        for (domain, _) in domains
            .list
            .iter()
            .zip(&self.present.alive)
            .filter(|(_, alive)| !**alive)
        {
            self.gradient.q[domain.offset..domain.offset + domain.rank].fill(0.0);
        }
    }

    /// The matrix of [TMDK15, Eq. 11] at the trial: blocks of the region's nodes in its patch, `inner` and `border`.
    pub fn assemble(&mut self, domains: &Domains) {
        let (h, count, rank) = (self.h, self.full.len(), domains.rank);
        let weights = TangentWeights {
            stiffness: self.beta,
            damping: if self.inertia { 1.0 / h } else { 0.0 },
        };
        self.inner.clear();
        self.inner.resize(rank * rank, 0.0);
        self.border.clear();
        self.border.resize(rank * rank, 0.0);
        self.cubature.assemble(&self.activations, weights);
        add_reduced(
            domains,
            &self.cubature.matrix,
            0,
            &self.sampled,
            &mut self.inner,
        );
        self.region.patch.assemble(&self.activations, weights);
        let matrix = &mut self.region.patch.matrix;
        for (i, node) in self.full.iter().enumerate() {
            let mut diagonal = node.spring;
            if self.inertia {
                diagonal += node.mass / (h * h) + (node.mass_damping + node.spring_damping) / h;
            }
            matrix.add_diagonal(i, Mat3::IDENTITY * diagonal);
        }
        for coupling in &self.couplings {
            for (a, weight_a) in coupling.ends() {
                for (b, weight_b) in coupling.ends() {
                    matrix.add_block(a, b, coupling.block * (weight_a * weight_b / (h * h)));
                }
            }
        }
        add_reduced(domains, matrix, count, &self.slaves, &mut self.border);
        let (couplings, border) = (&self.couplings, &mut self.border);
        add_contacts(
            domains,
            couplings,
            count,
            &self.slaves,
            1.0 / (h * h),
            border,
        );
        (self.edge).assemble(domains, matrix, &self.slaves, count);
        super::domain::add_scaled(&mut self.inner, self.beta, &self.present.springs);
        if self.inertia {
            for (index, domain) in domains.list.iter().enumerate() {
                let terms = [
                    (&self.present.mass[index], 1.0 / (h * h)),
                    (&self.present.damping[index], 1.0 / h),
                ];
                for (own, factor) in terms {
                    for (m, row) in own.chunks_exact(domain.rank.max(1)).enumerate() {
                        let at = (domain.offset + m) * rank + domain.offset;
                        super::domain::add_scaled(
                            &mut self.inner[at..at + domain.rank],
                            factor,
                            row,
                        );
                    }
                }
            }
        }
    }
}
