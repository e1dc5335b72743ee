//! Reduced masses, moments and springs less what full nodes have taken over.
//!
//! Always made from the constants by subtraction, full nodes in ascending order: the same region gives the same bits, whatever came
//! before it.

use super::domain::{Domain, Domains, add_gram, add_scaled};
use super::frame::Pose;
use crate::model::Model;
use pliant_linalg::Vec3;
use rayon::prelude::*;

/// See the file header.
pub(crate) struct Present {
    /// Of each domain: Σ m UᵀU, Σ α₀ m UᵀU, and moments of its clusters over the nodes that the basis moves.
    pub mass: Vec<Vec<f64>>,
    pub damping: Vec<Vec<f64>>,
    moments: Vec<Vec<Vec<f64>>>,
    damping_moments: Vec<Vec<Vec<f64>>>,
    cluster_masses: Vec<Vec<(f64, Vec3)>>,
    /// Stiffness of the interface springs, all coordinates, by rows; empty without an interface.
    pub springs: Vec<f64>,
    whole_springs: Vec<f64>,
    /// Stiffness of the springs of each interface node, N/m.
    stiffness: Vec<(u32, f64)>,
    /// Traces of the masses and of the springs before any node is taken out.
    pub whole_traces: [f64; 2],
    /// Domains that still move something.
    pub alive: Vec<bool>,
    full: Vec<u32>,
}

impl Present {
    /// Without full nodes; springs are this multiple of their nodes' stiffness.
    pub fn new(model: &Model, domains: &Domains, interface_stiffness: f64) -> Present {
        let rank = domains.rank;
        let mut stiffness = Vec::new();
        for node in 0..model.node_count() as u32 {
            if domains.copies(node).len() > 1 {
                stiffness.push((
                    node,
                    interface_stiffness * model.node_stiffness[node as usize],
                ));
            }
        }
        let mut whole = vec![0.0; if stiffness.is_empty() { 0 } else { rank * rank }];
        for &(node, k) in &stiffness {
            add_spring(domains, node, k, &mut whole);
        }
        let trace = |matrix: &[f64], rank: usize| -> f64 {
            matrix.iter().step_by(rank + 1).sum::<f64>() // the diagonal, by rows
        };
        let masses = domains.list.iter();
        let masses = masses.map(|d| trace(&d.reduced_mass, d.rank)).sum();
        let mut present = Present {
            whole_traces: [masses, trace(&whole, rank)],
            mass: Vec::new(),
            damping: Vec::new(),
            moments: Vec::new(),
            damping_moments: Vec::new(),
            cluster_masses: Vec::new(),
            springs: whole.clone(),
            whole_springs: whole,
            stiffness,
            alive: Vec::new(),
            full: vec![u32::MAX], // none, so that the first update makes everything
        };
        present.update(model, domains, &[]);
        present
    }

    /// Takes these full nodes out.
    pub fn update(&mut self, model: &Model, domains: &Domains, full: &[u32]) {
        if self.full == full {
            return;
        }
        self.full = full.to_vec();
        let list = &domains.list;
        let of = |f: &dyn Fn(&Domain) -> Vec<f64>| list.iter().map(f).collect::<Vec<_>>();
        self.mass = of(&|d| d.reduced_mass.clone());
        self.damping = of(&|d| d.reduced_damping.clone());
        let all = |d: &Domain, f: &dyn Fn(&super::domain::Cluster) -> Vec<f64>| {
            d.clusters.iter().map(f).collect::<Vec<_>>()
        };
        self.moments = list.iter().map(|d| all(d, &|c| c.moment.clone())).collect();
        let damped = list.iter().map(|d| all(d, &|c| c.damping_moment.clone()));
        self.damping_moments = damped.collect();
        let masses = |d: &Domain| d.clusters.iter().map(|c| (c.mass, c.first)).collect();
        self.cluster_masses = list.iter().map(masses).collect();
        self.springs.clone_from(&self.whole_springs);
        let mut left: Vec<usize> = list.iter().map(|d| d.mass.len()).collect();
        for &node in full {
            for &(index, place) in domains.copies(node) {
                let (index, place) = (index as usize, place as usize);
                let domain = &list[index];
                let (block, mass) = (domain.basis().block(place), domain.mass[place]);
                let cluster = domain.cluster_of[place] as usize;
                add_gram(&mut self.mass[index], domain.rank, -mass, block);
                add_scaled(&mut self.moments[index][cluster], -mass, block);
                let sums = &mut self.cluster_masses[index][cluster];
                sums.0 -= mass;
                sums.1 -= model.rest[node as usize] * mass;
                if !self.damping[index].is_empty() {
                    let c = domain.mass_damping[place];
                    add_gram(&mut self.damping[index], domain.rank, -c, block);
                    add_scaled(&mut self.damping_moments[index][cluster], -c, block);
                }
                left[index] -= 1;
            }
            if let Ok(at) = self.stiffness.binary_search_by_key(&node, |s| s.0) {
                add_spring(domains, node, -self.stiffness[at].1, &mut self.springs);
            }
        }
        let alive = list
            .iter()
            .zip(&left)
            .map(|(d, &left)| left > 0 && d.rank > 0);
        self.alive = alive.collect();
    }

    /// own += Σ m U_iᵀ a_i of one domain, a given at the middles of its clusters.
    pub fn project(
        &self,
        domains: &Domains,
        domain: usize,
        damping: bool,
        a: &[Vec3],
        own: &mut [f64],
    ) {
        let moments = match damping {
            true => &self.damping_moments[domain],
            false => &self.moments[domain],
        };
        let rank = domains.list[domain].rank;
        for (moment, a) in moments.iter().zip(a) {
            if moment.is_empty() || rank == 0 {
                continue;
            }
            for (axis, row) in moment.chunks_exact(rank).enumerate() {
                add_scaled(own, a[axis], row);
            }
        }
    }

    /// Mass of what the basis moves and Σ m x of it in a pose, kg and kg·m; exact without a rig.
    pub fn first_moment(&self, domains: &Domains, pose: &Pose, q: &[f64]) -> (f64, Vec3) {
        let of_domain = |(index, domain): (usize, &Domain)| {
            let (mut total, mut sum) = (0.0, Vec3::ZERO);
            let parts = self.cluster_masses[index].iter().zip(&self.moments[index]);
            for (cluster, (&(mass, first), moment)) in domain.clusters.iter().zip(parts) {
                let frame = domain.frame(pose, cluster.place);
                let row = |axis: usize| {
                    let row = moment.iter().skip(axis * domain.rank).take(domain.rank);
                    row.zip(domain.own(q)).map(|(m, q)| m * q).sum::<f64>()
                };
                let moved = Vec3::new(row(0), row(1), row(2));
                sum += frame.rotation * (first + moved) + frame.shift * mass;
                total += mass;
            }
            (total, sum)
        };
        // a thread for each domain, and one order of the sum
        let parts: Vec<(f64, Vec3)> = domains.list.par_iter().enumerate().map(of_domain).collect();
        let add = |(total, sum): (f64, Vec3), part: (f64, Vec3)| (total + part.0, sum + part.1);
        parts.into_iter().fold((0.0, Vec3::ZERO), add)
    }

    /// ½ q̇ᵀ M q̇ of one domain, and the like.
    pub fn form(matrix: &[f64], v: &[f64]) -> f64 {
        let rows = matrix.chunks_exact(v.len().max(1)).zip(v);
        rows.map(|(row, v_i)| v_i * row.iter().zip(v).map(|(m, v)| m * v).sum::<f64>())
            .sum()
    }
}

/// Springs between all copies of a node: ½ k ‖U_a q_a − U_b q_b‖² [TMDK15, Eqs. 19–20].
fn add_spring(domains: &Domains, node: u32, k: f64, matrix: &mut [f64]) {
    let rank = domains.rank;
    let copies = domains.copies(node);
    for (i, &(a, place_a)) in copies.iter().enumerate() {
        let a = &domains.list[a as usize];
        for (j, &(b, place_b)) in copies.iter().enumerate() {
            let b = &domains.list[b as usize];
            // each copy is tied to all others: once for each on the diagonal
            let factor = if i == j {
                k * (copies.len() - 1) as f64
            } else {
                -k
            };
            let (rows_a, rows_b) = (
                a.basis().block(place_a as usize),
                b.basis().block(place_b as usize),
            );
            for axis in 0..3 {
                let row_b = &rows_b[axis * b.rank..(axis + 1) * b.rank];
                for (m, &u) in rows_a[axis * a.rank..(axis + 1) * a.rank]
                    .iter()
                    .enumerate()
                {
                    let start = (a.offset + m) * rank + b.offset;
                    add_scaled(&mut matrix[start..start + b.rank], factor * u, row_b);
                }
            }
        }
    }
}
