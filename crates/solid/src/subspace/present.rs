//! Reduced masses, moments and springs less what full nodes have taken over.
//!
//! Made from the constants by subtraction or, where most nodes of a domain are full, from those that are left: the same region gives the
//! same bits, whatever came before it.

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
        let mut is_full: Vec<Vec<bool>> = list.iter().map(|d| vec![false; d.mass.len()]).collect();
        for &(domain, place) in full.iter().flat_map(|&node| domains.copies(node)) {
            is_full[domain as usize][place as usize] = true;
        }
        let parts: Vec<Part> = (list.par_iter().zip(&is_full))
            .map(|(domain, is_full)| Part::of(model, domain, is_full))
            .collect();
        let of = |f: &dyn Fn(&Part) -> Vec<f64>| parts.iter().map(f).collect();
        self.mass = of(&|p| p.mass.clone());
        self.damping = of(&|p| p.damping.clone());
        self.moments = parts.iter().map(|p| p.moments.clone()).collect();
        self.damping_moments = parts.iter().map(|p| p.damping_moments.clone()).collect();
        self.alive = parts.iter().map(|p| p.alive).collect();
        self.cluster_masses = parts.into_iter().map(|p| p.cluster_masses).collect();
        self.springs.clone_from(&self.whole_springs);
        let full_ones = |(node, _): &&(u32, f64)| full.binary_search(node).is_ok();
        let taken: Vec<_> = self.stiffness.iter().filter(full_ones).collect();
        if 2 * taken.len() < self.stiffness.len() {
            for &&(node, k) in &taken {
                add_spring(domains, node, -k, &mut self.springs);
            }
        } else {
            self.springs.fill(0.0);
            for &(node, k) in self.stiffness.iter().filter(|s| !full_ones(s)) {
                add_spring(domains, node, k, &mut self.springs);
            }
        }
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

/// Sums over the nodes of a domain that the basis moves.
struct Part {
    mass: Vec<f64>,
    damping: Vec<f64>,
    moments: Vec<Vec<f64>>,
    damping_moments: Vec<Vec<f64>>,
    cluster_masses: Vec<(f64, Vec3)>,
    alive: bool,
}

impl Part {
    /// All nodes less the full ones, or those that are left where they are fewer.
    fn of(model: &Model, domain: &Domain, is_full: &[bool]) -> Part {
        let left = is_full.iter().filter(|&&full| !full).count();
        let subtracts = 2 * left >= is_full.len();
        let of = |matrix: &Vec<f64>| match subtracts {
            true => matrix.clone(),
            false => vec![0.0; matrix.len()],
        };
        let clusters = &domain.clusters;
        let mut part = Part {
            mass: of(&domain.reduced_mass),
            damping: of(&domain.reduced_damping),
            moments: clusters.iter().map(|c| of(&c.moment)).collect(),
            damping_moments: clusters.iter().map(|c| of(&c.damping_moment)).collect(),
            cluster_masses: match subtracts {
                true => clusters.iter().map(|c| (c.mass, c.first)).collect(),
                false => vec![(0.0, Vec3::ZERO); clusters.len()],
            },
            alive: left > 0 && domain.rank > 0,
        };
        let sign = if subtracts { -1.0 } else { 1.0 };
        for place in (0..is_full.len()).filter(|&place| is_full[place] == subtracts) {
            let (block, mass) = (domain.basis().block(place), sign * domain.mass[place]);
            let cluster = domain.cluster_of[place] as usize;
            add_gram(&mut part.mass, domain.rank, mass, block);
            add_scaled(&mut part.moments[cluster], mass, block);
            let sums = &mut part.cluster_masses[cluster];
            sums.0 += mass;
            sums.1 += model.rest[domain.node(place as u32) as usize] * mass;
            if !part.damping.is_empty() {
                let c = sign * domain.mass_damping[place];
                add_gram(&mut part.damping, domain.rank, c, block);
                add_scaled(&mut part.damping_moments[cluster], c, block);
            }
        }
        part
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
