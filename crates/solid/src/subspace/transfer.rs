//! Moves between full nodes and coordinates when regions change.
//!
//! Coordinates are fitted by least squares with masses as weights: q = (U_sᵀ W U_s)⁻¹ U_sᵀ W ū_s over the nodes that the basis moves from now on
//! (METHODS 2.2; U_sᵀ alone is no projector once rows are gone). The nodes that it has moved before are met exactly by the old q, so only
//! those that arrive have a residual: q += (U_sᵀ W U_s)⁻¹ Σ_arriving m U_iᵀ (ū_i − U_i q), and nothing of the size of the mesh is
//! visited.

use super::domain::Domains;
use super::present::Present;
use pliant_linalg::{DenseLlt, Vec3};

/// Relative to the mean of the diagonal of U_sᵀ W U_s.
const RIDGE: f64 = 1e-8;

/// A node that the basis is to move, with its displacement before skinning, m.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub node: u32,
    pub displacement: Vec3,
}

/// Fits the coordinates to what arrives; `present` is without the nodes that stay full.
pub(crate) fn fit(domains: &Domains, present: &Present, arrivals: &[Arrival], q: &mut [f64]) {
    let mut residual = vec![0.0; domains.rank];
    let mut touched = vec![false; domains.list.len()];
    for arrival in arrivals {
        for &(index, place) in domains.copies(arrival.node) {
            let domain = &domains.list[index as usize];
            let place = place as usize;
            touched[index as usize] = true;
            let missing = arrival.displacement - domain.basis().displacement(place, domain.own(q));
            let own = &mut residual[domain.offset..domain.offset + domain.rank];
            (domain.basis()).add_transposed(place, domain.mass[place], missing, own);
        }
    }
    let mut llt = DenseLlt::default();
    for (index, domain) in domains
        .list
        .iter()
        .enumerate()
        .filter(|(index, _)| touched[*index])
    {
        let (rank, mass) = (domain.rank, &present.mass[index]);
        let trace: f64 = (0..rank).map(|i| mass[i * rank + i]).sum();
        let ridge = RIDGE * trace / rank.max(1) as f64;
        let good = trace > 0.0
            && llt.factor(rank, |j, column| {
                for (i, value) in (j..rank).zip(column) {
                    *value = mass[i * rank + j] + if i == j { ridge } else { 0.0 };
                }
            });
        if good {
            let own = &mut residual[domain.offset..domain.offset + rank];
            llt.solve(own);
            super::domain::add_scaled(&mut q[domain.offset..domain.offset + rank], 1.0, own);
        }
    }
}
