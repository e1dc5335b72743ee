//! Method `conjac`: few dynamic unknowns carry the inertia of a body, all others follow them in equilibrium [WKS20].
//!
//! d: dynamic unknowns, q: quasi-static ones, k: prescribed ones. With H' = βh²H, the stiffness of the step,
//!   v = J v_d + c    J = [1; −H'_qq⁻¹ H'_qd]    c_q = −H'_qq⁻¹ H'_qk b_k        [WKS20, Eqs. 6 and 7]
//!   R v_d = Jᵀ(r − A c)    R = JᵀAJ, in which JᵀH'J = H'_dd + H'_dq J_qd         [WKS20, Eq. 11]
//!   x⁺ = x + h (v + γ b)   b_q = (1/h) H_qq⁻¹ f_q                                [WKS20, Eqs. 12 and 13]
//! c, the response to prescribed motion, is ours; the paper leaves it to b. (H'J)_q = 0, so no product with all of H' is made.
//!
//! J exists only when the matrix of the step does. So this is a [`LinearSolver`], not a reduction: the space keeps all nodes, and
//! J R⁻¹ Jᵀ takes the place of A⁻¹. Its solution z is what positions do, v + γb; [`LinearSolver::shift`] is γb. Constraints
//! act on z, too, which a force on a quasi-static node changes at once: see `inverse.rs`.

mod anchor;
mod columns;
mod inverse;
mod layout;
mod liveliness;
mod responses;
mod spin;
#[cfg(test)]
mod tests;
mod whole;
pub use liveliness::Activity;

use crate::assembly::{NO_ROW, TangentWeights};
use crate::model::Model;
use crate::reduction::ReducedSpace;
use crate::settings::ConjacSettings;
use crate::solver::{InverseOperator, LinearSolver, SolveReport, StepEnd, StepStart};
use crate::system::{Form, System};
use anchor::{Place, anchors};
use inverse::CondensedInverse;
use layout::{Layout, Pieces};
use liveliness::Liveliness;
use pliant_linalg::{
    BlockMatrix, DenseLlt, Llt, LltSymbolic, Mat3, SolveError, SolveScratch, SparseColumns, Vec3,
    flat, flat_mut,
};
use spin::Impulses;
use std::collections::BTreeMap;
use std::sync::Arc;
use whole::{free_pieces, take_rigid};

/// Light inertia that quasi-static unknowns get where H_qq alone is singular, as a share of their own; tried one after the other.
const LIGHT: [f64; 4] = [1e-6, 1e-5, 1e-4, 1e-3];

/// Nodes of a piece that are dynamic because joints hold them, at most.
const MOST_JOINED: usize = 16;

/// See the file header.
pub(crate) struct Condensed {
    settings: ConjacSettings,
    liveliness: Liveliness,
    /// Of the space with this revision.
    pieces: (Option<u64>, Pieces),
    /// Diagonal of the dynamic unknowns, which are taken out of H' [WKS20, Eq. 21].
    scale: f64,
    inverse: CondensedInverse,
    /// β H'_qq⁻¹ h f_q and c, by rows.
    balance: Vec<Vec3>,
    pulled: Vec<Vec3>,
    /// γ b, impulses of constraints included once they are known.
    shift: Vec<Vec3>,
    beta: f64,
    h: f64,
    /// Rows that constraints are near, or that springs and penalties act on.
    touched: Vec<bool>,
    /// Impulses that move free pieces as a whole.
    whole: Vec<Vec3>,
    impulses: Impulses,
    /// H'_qd, right-hand sides of J.
    columns: SparseColumns,
    /// Scalar unknowns that are not quasi-static.
    known: Vec<bool>,
    scratch: SolveScratch,
    nodal: [Vec<Vec3>; 2],
}

impl Condensed {
    pub fn new(model: &Model, settings: ConjacSettings) -> Condensed {
        Condensed {
            liveliness: Liveliness::new(model, &settings),
            settings,
            pieces: Default::default(),
            scale: 1.0,
            inverse: CondensedInverse::default(),
            balance: Vec::new(),
            pulled: Vec::new(),
            shift: Vec::new(),
            beta: 1.0,
            h: 0.0,
            touched: Vec::new(),
            whole: Vec::new(),
            impulses: Impulses::default(),
            columns: SparseColumns::default(),
            known: Vec::new(),
            scratch: SolveScratch::new(),
            nodal: Default::default(),
        }
    }

    /// Who is dynamic in the coming step: representatives that are lively, nodes that joints hold, and whatever else must be so that
    /// the others have an equilibrium.
    fn lay_out(&mut self, start: &StepStart) {
        let space = start.space;
        if self.pieces.0 != Some(space.revision()) {
            self.pieces = (Some(space.revision()), Pieces::new(start.model, space));
        }
        let pieces = &self.pieces.1;
        let masked = |dof: u32| space.masked().binary_search(&dof).is_ok();
        let row_of = |node: u32| space.row_of()[node as usize];
        let nodes = self.liveliness.dynamic().chain(self.joined(start));
        let rows = nodes.map(row_of).filter(|&row| row != NO_ROW);
        let dofs = rows.flat_map(|row| (0..3).map(move |axis| 3 * row + axis));
        let mut dofs: Vec<u32> = dofs.filter(|&dof| !masked(dof)).collect();
        let mut is_dynamic = vec![false; space.row_count()];
        for &dof in &dofs {
            is_dynamic[dof as usize / 3] = true;
        }
        for (rows, held) in pieces.rows.iter().zip(&pieces.held) {
            let place = |node: u32, axis: u32, dof: u32| Place {
                dof,
                position: start.positions[node as usize],
                axis: axis as usize,
            };
            let of_row = |&row: &u32| {
                let node = space.kept()[row as usize];
                (0..3).map(move |axis| place(node, axis, 3 * row + axis))
            };
            let outside = held.iter();
            let outside = outside.flat_map(|&node| (0..3).map(move |axis| place(node, axis, 0)));
            let known = |p: &Place| is_dynamic[p.dof as usize / 3] || masked(p.dof);
            let held = outside.chain(rows.iter().flat_map(of_row).filter(known));
            let held: Vec<Place> = held.collect();
            let free = rows.iter().flat_map(of_row).filter(|p| !known(p));
            let position = |&row: &u32| start.positions[space.kept()[row as usize] as usize];
            dofs.extend(anchors(&held, free, rows.iter().map(position)));
        }
        self.inverse.layout = Layout::new(dofs, pieces);
        self.inverse.island_of.clone_from(&pieces.island_of);
    }

    /// Nodes that joints hold, or some of them spread over all where a piece has many: their neighbours follow closely enough.
    fn joined(&self, start: &StepStart) -> Vec<u32> {
        let rest = &start.model.rest;
        let mut chosen = Vec::new();
        for rows in &self.pieces.1.rows {
            let of_piece = |&node: &u32| {
                let row = start.space.row_of()[node as usize];
                row != NO_ROW && rows.binary_search(&row).is_ok()
            };
            let joined: Vec<u32> = start.joined.iter().copied().filter(of_piece).collect();
            let mut distances = vec![f64::INFINITY; joined.len()];
            for _ in 0..MOST_JOINED.min(joined.len()) {
                let farther = |a: usize, b: usize| if distances[b] > distances[a] { b } else { a };
                let Some(next) = (0..joined.len()).reduce(farther) else {
                    break;
                };
                chosen.push(joined[next]);
                for (distance, &node) in distances.iter_mut().zip(&joined) {
                    let apart = (rest[node as usize] - rest[joined[next] as usize]).norm();
                    *distance = distance.min(apart);
                }
            }
        }
        chosen
    }

    /// Factorises H'_qq: rows and columns of the dynamic unknowns are zero and get a diagonal, so that the pattern and
    /// its symbolic factor stand whoever is dynamic (CJ-17). The diagonal is that of the others in the mean, not one.
    fn factorise(&mut self, system: &System) -> Result<(), SolveError> {
        let pattern = system.matrix.pattern();
        let known = self.inverse.factor.take();
        let known = known.filter(|factor| Arc::ptr_eq(factor.symbolic().pattern(), pattern));
        let factor = self.inverse.factor.insert(match known {
            Some(factor) => factor,
            None => Llt::new(Arc::new(LltSymbolic::new(pattern)?)),
        });
        let diagonal = system.matrix.diagonal_blocks();
        let sum: f64 = diagonal.map(|block| block.trace()).sum();
        let mean = sum / (3 * system.matrix.row_count()).max(1) as f64;
        self.scale = if mean > 0.0 { mean } else { 1.0 };
        let dofs = &self.inverse.layout.dofs;
        let result = factor.factorize_masked(&system.matrix, dofs, self.scale);
        if !matches!(result, Err(SolveError::NotPositiveDefinite { .. })) {
            return result;
        }
        factorise_lightly(factor, system, dofs, self.scale)
    }

    /// R of each island, factorised; all of it but its factors is returned, row by row.
    fn reduce(&mut self, system: &System) -> Result<Vec<Vec<f64>>, SolveError> {
        let layout = &self.inverse.layout;
        let sizes: Vec<usize> = (0..layout.islands())
            .map(|i| layout.of_island(i).len())
            .collect();
        let mut reduced: Vec<Vec<f64>> = sizes.iter().map(|n| vec![0.0; n * n]).collect();
        let responses = &mut self.inverse.responses;
        responses.inertia(layout, &system.node_weights, |island, k, l, value| {
            reduced[island][k * sizes[island] + l] += value;
        });
        for (island, reduced) in reduced.iter_mut().enumerate() {
            let size = sizes[island];
            for (k, &dof) in layout.dofs[layout.of_island(island)].iter().enumerate() {
                let entries = &mut reduced[k * size..k * size + k + 1];
                for (other, factor) in row_entries(&system.matrix, dof) {
                    let row = responses.row(other);
                    for (entry, j) in entries.iter_mut().zip(row) {
                        *entry += factor * j;
                    }
                }
            }
        }
        if system.elements.has_stiffness_damping {
            let mut column = vec![Vec3::ZERO; system.rhs.len()];
            for slot in 0..layout.width {
                self.inverse.responses.bundle.column(slot, &mut column);
                let damped = damped(&mut self.nodal, system, flat(&column), None);
                let onto = self.inverse.restrict(flat(&damped));
                for (island, reduced) in reduced.iter_mut().enumerate() {
                    let (range, size) = (layout.of_island(island), sizes[island]);
                    if slot < size {
                        for k in slot..size {
                            reduced[k * size + slot] += onto[range.start + k];
                        }
                    }
                }
            }
        }
        self.inverse
            .reduced
            .resize_with(sizes.len(), DenseLlt::default);
        for (island, factor) in self.inverse.reduced.iter_mut().enumerate() {
            let (size, matrix) = (sizes[island], &reduced[island]);
            let good = factor.factor(size, |column, entries| {
                for (k, entry) in (column..).zip(entries) {
                    *entry = matrix[k * size + column];
                }
            });
            if !good {
                let dof = layout.dofs[layout.of_island(island).start] as usize;
                return Err(SolveError::NotPositiveDefinite {
                    node: dof / 3,
                    axis: dof % 3,
                    value: matrix[0],
                });
            }
        }
        Ok(reduced)
    }

    /// Jᵀ(r − A c).
    fn reduced_rhs(&mut self, system: &System) -> Vec<f64> {
        let mut rest = system.rhs.clone();
        for (i, rest) in rest.iter_mut().enumerate() {
            *rest -= self.pulled[i] * system.node_weights[i];
        }
        if system.pull.is_empty() {
            return self.inverse.restrict(flat(&rest));
        }
        if system.elements.has_stiffness_damping {
            let known = system.drift.as_slice();
            let damped = damped(&mut self.nodal, system, flat(&self.pulled), Some(known));
            rest.iter_mut().zip(damped).for_each(|(rest, d)| *rest -= d);
        }
        let mut rhs = self.inverse.restrict(flat(&rest));
        // on quasi-static rows c balances what pulls
        for (rhs, &dof) in rhs.iter_mut().zip(&self.inverse.layout.dofs) {
            let pull = system.pull[dof as usize / 3][dof as usize % 3];
            *rhs += pull - row_product(&system.matrix, dof, flat(&self.pulled));
        }
        rhs
    }
}

/// Factorises H'_qq with light inertia, more and more.
fn factorise_lightly(
    factor: &mut Llt,
    system: &System,
    dofs: &[u32],
    scale: f64,
) -> Result<(), SolveError> {
    let mut matrix = system.matrix.clone();
    matrix.mask_dofs(dofs, scale)?;
    let mut added = 0.0;
    let mut result = Err(SolveError::NotFactorized);
    for light in LIGHT {
        for (row, &weight) in system.node_weights.iter().enumerate() {
            matrix.add_diagonal(row, Mat3::IDENTITY * ((light - added) * weight));
        }
        added = light;
        result = factor.factorize(&matrix);
        if !matches!(result, Err(SolveError::NotPositiveDefinite { .. })) {
            break;
        }
    }
    result
}

/// One row of the matrix: scalar columns and numbers.
fn row_entries(matrix: &BlockMatrix, dof: u32) -> impl Iterator<Item = (usize, f64)> + '_ {
    let (row, axis) = (dof as usize / 3, dof as usize % 3);
    let blocks = &matrix.blocks()[matrix.pattern().row_starts()[row] as usize..];
    let nodes = matrix.pattern().row(row).iter().zip(blocks);
    nodes.flat_map(move |(&node, block)| {
        (0..3).map(move |c| (3 * node as usize + c, block.at(axis, c)))
    })
}

/// One row of the matrix times a field.
fn row_product(matrix: &BlockMatrix, dof: u32, field: &[f64]) -> f64 {
    row_entries(matrix, dof).map(|(at, h)| h * field[at]).sum()
}

/// h C of stiffness damping times a field of rows, and known velocities of nodes without rows; by rows.
fn damped(
    nodal: &mut [Vec<Vec3>; 2],
    system: &System,
    field: &[f64],
    known: Option<&[Vec3]>,
) -> Vec<Vec3> {
    let [from, to] = nodal;
    from.clear();
    match known {
        Some(known) => from.extend_from_slice(known),
        None => from.resize(system.node_count, Vec3::ZERO),
    }
    to.clear();
    to.resize(system.node_count, Vec3::ZERO);
    for (&node, &[x, y, z]) in system.kept.iter().zip(field.as_chunks::<3>().0) {
        from[node as usize] += Vec3::new(x, y, z);
    }
    let weights = TangentWeights {
        stiffness: 0.0,
        damping: system.damping_weight,
    };
    let (elements, all) = (&system.elements, &system.elements.colours);
    (system.tangents).add_product(elements, all, weights, from, to);
    system.kept.iter().map(|&node| to[node as usize]).collect()
}

impl LinearSolver for Condensed {
    fn form(&self) -> Form {
        Form::Stiffness
    }

    fn wants_near(&self) -> bool {
        self.settings.whole_motion
    }

    fn begin(&mut self, start: &StepStart) -> Result<(), SolveError> {
        if !start.linear {
            return Err(SolveError::Unsupported {
                what: "condensing inertia onto a few nodes in Newton's method",
                instead: "use `integrator = \"linear-implicit\"` with the method `conjac`",
            });
        }
        self.h = start.h;
        self.touched.clear();
        self.touched.resize(start.space.row_count(), false);
        (start.near.iter()).for_each(|&row| self.touched[row as usize] = true);
        self.liveliness.begin(start.activity);
        self.lay_out(start);
        Ok(())
    }

    fn dynamic_nodes(&self, space: &ReducedSpace) -> Option<Vec<(u32, bool)>> {
        let dofs = &self.inverse.layout.dofs;
        let kept = |dof: &u32| space.kept().get(*dof as usize / 3).copied();
        let mut nodes: BTreeMap<u32, bool> = BTreeMap::new();
        // before the first step all are, or none where that may change
        let at_first = dofs.is_empty() && self.settings.adaptive.is_none();
        nodes.extend(self.liveliness.all().iter().map(|&node| (node, at_first)));
        nodes.extend(dofs.iter().filter_map(kept).map(|node| (node, true)));
        Some(nodes.into_iter().collect())
    }

    fn prepare(&mut self, system: &System) -> Result<(), SolveError> {
        self.beta = system.beta;
        self.factorise(system)?;
        let strength = (self.settings.stabilisation * self.beta).sqrt();
        let maps = &mut self.inverse.maps;
        maps.clear();
        maps.resize(system.rhs.len(), Mat3::IDENTITY * strength);
        for &dof in self.inverse.layout.dofs.iter().chain(&system.masked) {
            maps[dof as usize / 3].set(dof as usize % 3, dof as usize % 3, 0.0);
        }
        Ok(())
    }

    fn solve(&mut self, system: &System, x: &mut [Vec3]) -> Result<SolveReport, SolveError> {
        self.note_impulses(system);
        self.solve_columns(system, x)?;
        let reduced = self.reduce(system)?;
        let rhs = self.reduced_rhs(system);
        let mut solution = rhs.clone();
        self.inverse.solve_reduced(&mut solution);
        let gamma = self.settings.stabilisation;
        self.shift.clear();
        self.shift.extend(self.balance.iter().map(|&b| b * gamma));
        if self.settings.whole_motion {
            let free = free_pieces(&self.pieces.1, system, &self.touched);
            take_rigid(&free, system, &mut self.shift);
        }
        for ((x, &pulled), &shift) in x.iter_mut().zip(&self.pulled).zip(&self.shift) {
            *x = pulled + shift;
        }
        self.inverse.add_expanded(&solution, flat_mut(x));
        Ok(SolveReport {
            relative_residual: self.residual(&reduced, &solution, &rhs),
            converged: true,
            ..SolveReport::default()
        })
    }

    fn inverse(&mut self, _: &System) -> Result<&dyn InverseOperator, SolveError> {
        Ok(&self.inverse)
    }

    fn shift(&mut self, impulses: &[Vec3]) -> Result<&[Vec3], SolveError> {
        if !impulses.is_empty() {
            let mut more = impulses.to_vec();
            self.inverse.follow(&mut more, &mut self.scratch)?;
            let given = self.impulses.given.iter_mut().zip(impulses);
            given.for_each(|(given, &impulse)| *given += impulse);
            let pairs = self.shift.iter_mut().zip(more);
            pairs.for_each(|(shift, more)| *shift += more);
        }
        Ok(&self.shift)
    }

    /// v* = argmin ‖z − (J v_d + c)‖ in the norm of A: R v_d = JᵀA(z − c) [WKS20, Section 4, BUNNY]. JᵀH' is zero on
    /// quasi-static unknowns, so no product with all of H' is made.
    fn project(&mut self, system: &System, z: &mut [Vec3]) {
        let mut rest: Vec<Vec3> = z.iter().zip(&self.pulled).map(|(&z, &c)| z - c).collect();
        let of_dynamic: Vec<f64> = (self.inverse.layout.dofs.iter())
            .map(|&dof| rest[dof as usize / 3][dof as usize % 3])
            .collect();
        let damped = match system.elements.has_stiffness_damping {
            true => damped(&mut self.nodal, system, flat(&rest), None),
            false => Vec::new(),
        };
        for (rest, &weight) in rest.iter_mut().zip(&system.node_weights) {
            *rest = *rest * weight;
        }
        rest.iter_mut().zip(damped).for_each(|(rest, d)| *rest += d);
        let mut rates = self.inverse.restrict(flat(&rest));
        rest.fill(Vec3::ZERO);
        self.inverse.add_expanded(&of_dynamic, flat_mut(&mut rest));
        for (rate, &dof) in rates.iter_mut().zip(&self.inverse.layout.dofs) {
            *rate += row_product(&system.matrix, dof, flat(&rest));
        }
        self.inverse.solve_reduced(&mut rates);
        z.copy_from_slice(&self.pulled);
        self.inverse.add_expanded(&rates, flat_mut(z));
    }

    fn whole_motion(&self) -> &[Vec3] {
        &self.whole
    }

    fn limits_shift(&self) -> bool {
        self.settings.line_search
    }

    fn corrections(&self) -> u32 {
        self.settings.corrections
    }

    fn balance(&mut self, forces: &mut [Vec3]) -> Result<(), SolveError> {
        self.inverse.follow(forces, &mut self.scratch)?;
        // that was γβ H'_qq⁻¹ h² f = γ H_qq⁻¹ f
        let whole = 1.0 / self.settings.stabilisation;
        forces.iter_mut().for_each(|d| *d = *d * whole);
        Ok(())
    }

    fn turn(&self, step: &StepEnd, x: &mut [Vec3], v: &[Vec3]) {
        if self.settings.corotate {
            spin::turn_pieces(&self.pieces.1, &self.inverse.layout.dofs, step, x, v);
        }
    }

    fn keep_momentum(&self, step: &StepEnd, x: &[Vec3], v: &mut [Vec3]) {
        if self.settings.corotate {
            spin::keep_momentum(&self.pieces.1, &self.impulses, step, x, v);
        }
    }

    fn unknown_count(&self, _: usize) -> usize {
        self.inverse.layout.dofs.len()
    }

    fn observe(&mut self, model: &Model, before: &[Vec3], after: &[Vec3], h: f64) {
        self.liveliness.observe(model, before, after, h);
    }

    fn activity(&self) -> Activity {
        self.liveliness.activity().clone()
    }
}

impl Condensed {
    /// What turning pieces must know of the step.
    fn note_impulses(&mut self, system: &System) {
        let Impulses {
            given,
            drag,
            coupled,
        } = &mut self.impulses;
        given.clone_from(&system.rhs);
        drag.clear();
        let weights = system.node_weights.iter().zip(&system.mass);
        drag.extend(weights.map(|(weight, mass)| weight - mass));
        coupled.clear();
        coupled.resize(system.rhs.len(), false);
        for &(row, _) in &system.node_blocks {
            coupled[row as usize] = true;
        }
        for coupling in &system.couplings {
            coupling
                .rows
                .iter()
                .for_each(|&row| coupled[row as usize] = true);
        }
        let pairs = self.touched.iter_mut().zip(coupled.iter());
        pairs.for_each(|(touched, &coupled)| *touched |= coupled);
    }

    /// ‖R v_d − rhs‖ / ‖rhs‖.
    fn residual(&self, reduced: &[Vec<f64>], solution: &[f64], rhs: &[f64]) -> f64 {
        let mut missed = 0.0;
        for (island, matrix) in reduced.iter().enumerate() {
            let range = self.inverse.layout.of_island(island);
            let (x, b, n) = (&solution[range.clone()], &rhs[range.clone()], range.len());
            for k in 0..n {
                let entry = |l: usize| matrix[k.max(l) * n + k.min(l)];
                let product: f64 = (0..n).map(|l| entry(l) * x[l]).sum();
                missed += (b[k] - product) * (b[k] - product);
            }
        }
        let norm: f64 = rhs.iter().map(|r| r * r).sum();
        if norm > 0.0 {
            (missed / norm).sqrt()
        } else {
            0.0
        }
    }
}
