//! From velocities that know nothing of the constraints to those that obey them.
//!
//! Jacobian → compliance W → impulses λ with u = J v + bias + W λ obeying the laws → response v += A⁻¹Jᵀλ. Rigid bodies
//! add their own small compliance: W = Jₙ A⁻¹ Jₙᵀ + Jᵣ Mᵣ⁻¹ Jᵣᵀ. Velocities may already contain impulses (`included`), as
//! they do between passes of Newton's method; then only the difference is a response.
//!
//! Most contacts that are near stay open. Only those that the velocities would close take part, with those that pushed a step
//! ago; when the response closes others, they are added and everything is solved again. Constraints between things that cannot move, as
//! bodies that sleep do not, keep the impulses that they had.

use super::operator::Unbuilt;
use super::product::multiply;
use super::{
    Compliance, Constraint, ConstraintReport, ConstraintSet, ConstraintSettings, DelassusOperator,
    Identity, Islands, Law, Problem, solve_unbuilt,
};
use crate::reduction::ReducedSpace;
use crate::rigid::RigidStep;
use crate::settings::Variant;
use crate::solver::InverseOperator;
use pliant_linalg::{BlockRows, Mat3, Reuse, SolveError, SolveScratch, SparseColumns, Vec3, vec3};

/// What a constraint pushed with in a step: the first guess of the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Remembered {
    /// Which constraint.
    pub identity: Identity,
    /// Force, N: of a contact in world coordinates, of others by rows.
    pub force: Vec3,
}

impl Remembered {
    /// As an impulse in a frame, N·s.
    fn impulse(&self, frame: Mat3, h: f64) -> Vec3 {
        frame * self.force * h
    }
}

/// See the file header.
pub(crate) struct Resolver {
    /// What was remembered before the step.
    before: Vec<Remembered>,
    /// None where W is never built.
    compliance: Option<Box<dyn Compliance>>,
    /// Nodes that the constraints of the last compliance touched.
    pub isolated: Reuse,
    unbuilt: Unbuilt,
    /// The constraints that take part; columns, W, laws and rates are in their order.
    active: Vec<u32>,
    takes_part: Vec<bool>,
    /// Those between things that cannot move in this step: they keep their impulses.
    set_aside: Vec<bool>,
    columns: SparseColumns,
    rigid: RigidColumns,
    delassus: BlockRows,
    merged: BlockRows,
    laws: Vec<Law>,
    compliances: Vec<f64>,
    rates: Vec<Vec3>,
    active_impulses: Vec<Vec3>,
    active_included: Vec<Vec3>,
    /// γ λ along the tangents of contacts in the step before: slip is asked for by the change of λ only.
    gripped: Vec<Vec3>,
    /// J v + bias, which contains the impulses included.
    with_included: Vec<Vec3>,
    /// What they add to it.
    own: Vec<Vec3>,
    used: Vec<u32>,
    /// λ of all constraints, N·s.
    pub impulses: Vec<Vec3>,
    /// Whether the velocities contain the first guess.
    foreseen: bool,
    /// The impulses that the velocities contain.
    included: Vec<Vec3>,
    response: Vec<Vec3>,
    scratch: SolveScratch,
    islands: Islands,
    /// How the last solve ended.
    pub report: ConstraintReport,
}

/// The Jacobian of rigid bodies, sorted by system (a free body or a chain).
#[derive(Default)]
pub(super) struct RigidColumns {
    /// System, constraint, block within the rigid velocities, rows of the constraint by entries of the block.
    entries: Vec<(u32, u32, u32, Mat3)>,
}

impl Resolver {
    pub fn new(variant: Variant) -> Resolver {
        Resolver {
            before: Vec::new(),
            compliance: variant.compliance(),
            isolated: Reuse::default(),
            unbuilt: Unbuilt::default(),
            active: Vec::new(),
            takes_part: Vec::new(),
            set_aside: Vec::new(),
            columns: SparseColumns::default(),
            rigid: RigidColumns::default(),
            delassus: BlockRows::default(),
            merged: BlockRows::default(),
            laws: Vec::new(),
            compliances: Vec::new(),
            rates: Vec::new(),
            active_impulses: Vec::new(),
            active_included: Vec::new(),
            with_included: Vec::new(),
            own: Vec::new(),
            used: Vec::new(),
            impulses: Vec::new(),
            foreseen: false,
            included: Vec::new(),
            gripped: Vec::new(),
            response: Vec::new(),
            scratch: SolveScratch::new(),
            islands: Islands::default(),
            report: ConstraintReport::default(),
        }
    }

    /// First guess: the forces of the step before, by identity, as impulses of a step of length `h`.
    pub fn begin(&mut self, set: &ConstraintSet, remembered: &[Remembered], h: f64) {
        self.report = ConstraintReport::default();
        self.isolated = Reuse::default();
        self.foreseen = false;
        self.impulses.clear();
        self.impulses.extend(set.constraints().iter().map(|c| {
            let known = remembered.binary_search_by_key(&c.identity, |r| r.identity);
            known.map_or(Vec3::ZERO, |at| remembered[at].impulse(c.frame, h))
        }));
        self.gripped.clear();
        let pairs = set.constraints().iter().zip(&self.impulses);
        self.gripped.extend(pairs.map(|(c, impulse)| match c.law {
            Law::Contact {
                tangential_compliance: gamma,
                ..
            } => vec3(0.0, impulse.y, impulse.z) * gamma,
            _ => Vec3::ZERO,
        }));
        self.included.clear();
        self.included.resize(set.len(), Vec3::ZERO);
        self.takes_part.clear();
        let pushed = |&impulse: &Vec3| impulse != Vec3::ZERO;
        self.takes_part.extend(self.impulses.iter().map(pushed));
        self.active.clear();
    }

    /// Sets constraints aside that cannot change anything in a space.
    pub fn set_aside(&mut self, set: &ConstraintSet, space: &ReducedSpace) {
        self.set_aside.clear();
        let stands = |node: u32| space.terms(node as usize).next().is_none();
        self.set_aside.extend((0..set.len()).map(|index| {
            set.rigids_of(index).is_empty() && set.nodes_of(index).iter().all(|e| stands(e.node))
        }));
        let pairs = self.takes_part.iter_mut().zip(&self.set_aside);
        pairs.for_each(|(takes_part, &aside)| *takes_part &= !aside);
    }

    /// Lets the velocities contain the first guess: what it adds to the rows of the space, N·s; those of rigid bodies change here.
    pub fn foresee(
        &mut self,
        set: &ConstraintSet,
        space: &ReducedSpace,
        rigid: &mut RigidStep,
        rows: &mut Vec<Vec3>,
    ) {
        rows.clear();
        rows.resize(space.row_count(), Vec3::ZERO);
        let pushed = (0..set.len() as u32).filter(|&index| self.takes_part[index as usize]);
        self.active.extend(pushed);
        let impulses = self
            .active
            .iter()
            .map(|&index| self.impulses[index as usize]);
        self.active_impulses.clear();
        self.active_impulses.extend(impulses);
        self.active_included.clear();
        (self.active_included).resize(self.active.len(), Vec3::ZERO);
        self.fill_columns(set, space, rigid);
        self.add_reduced_impulses(rows);
        self.push_rigid(rigid);
        self.included.copy_from_slice(&self.impulses);
        self.active.clear(); // who takes part is yet to be chosen
        self.foreseen = true;
    }

    /// Adds the constraints that the velocities break, or all; whether there are any, or it is the first time and some pushed before.
    pub fn choose(
        &mut self,
        set: &ConstraintSet,
        v: &[Vec3],
        rigid: &RigidStep,
        all: bool,
    ) -> bool {
        let slack = match (self.active.is_empty(), self.foreseen) {
            (false, _) => set.slack,
            (true, false) => 0.0,
            (true, true) => -set.slack, // what is held open by impulses that may change
        };
        let before = self.active.len();
        for (index, constraint) in set.constraints().iter().enumerate() {
            let takes_part = &mut self.takes_part[index];
            if !*takes_part && !self.set_aside[index] {
                *takes_part = match constraint.law {
                    _ if all => true,
                    Law::Contact { .. } => rate(set, index, v, rigid).x < -slack,
                    Law::Equality { .. } | Law::Inequality => true,
                };
            }
        }
        let all = self.takes_part.iter().enumerate();
        self.active.clear();
        self.active
            .extend(all.filter(|(_, t)| **t).map(|(index, _)| index as u32));
        self.laws.clear();
        self.compliances.clear();
        for &index in &self.active {
            let constraint = &set.constraints()[index as usize];
            self.laws.push(constraint.law);
            self.compliances.push(constraint.compliance);
        }
        self.active.len() > before
    }

    /// How many constraints take part.
    pub fn active_count(&self) -> usize {
        self.active.len()
    }

    /// What the next step should know, sorted by identity. An impulse that has not changed leaves its force to the last bit, which going
    /// to impulses and back does not: what sleeps stays as it is however often it is looked at.
    pub fn remember(&mut self, set: &ConstraintSet, h: f64, remembered: &mut Vec<Remembered>) {
        std::mem::swap(&mut self.before, remembered);
        remembered.clear();
        let before = |c: &Constraint, impulse: Vec3| {
            let known = self
                .before
                .binary_search_by_key(&c.identity, |r| r.identity);
            let known = known.ok().map(|at| self.before[at]);
            known.filter(|known| known.impulse(c.frame, h) == impulse)
        };
        let pairs = set.constraints().iter().zip(&self.impulses);
        let pushed = pairs.filter(|(_, impulse)| **impulse != Vec3::ZERO);
        remembered.extend(pushed.map(|(c, &impulse)| {
            before(c, impulse).unwrap_or(Remembered {
                identity: c.identity,
                force: c.frame.transpose() * impulse / h,
            })
        }));
        remembered.sort_by_key(|r| r.identity);
        remembered.dedup_by_key(|r| r.identity);
    }

    /// Jᵀ in the rows of the space and in the blocks of the rigid velocities. Known velocities have no columns.
    pub fn fill_columns(&mut self, set: &ConstraintSet, space: &ReducedSpace, rigid: &RigidStep) {
        let columns = &mut self.columns;
        columns.starts.clear();
        columns.rows.clear();
        columns.blocks.clear();
        columns.starts.push(0);
        self.rigid.entries.clear();
        for (place, &index) in self.active.iter().enumerate() {
            let index = index as usize;
            for entry in set.nodes_of(index) {
                for (row, moves) in space.terms(entry.node as usize) {
                    let block = moves.transpose() * entry.block.transpose();
                    columns.rows.push(row);
                    columns.blocks.push(mask(block, space, row));
                }
            }
            columns.starts.push(columns.rows.len());
            for entry in set.rigids_of(index) {
                let entries = &mut self.rigid.entries;
                rigid.jacobian(
                    entry.body as usize,
                    entry.arm,
                    &entry.linear,
                    &entry.angular,
                    &mut |block, jacobian| {
                        let system = rigid.system_of_block(block) as u32;
                        entries.push((system, place as u32, block as u32, jacobian));
                    },
                );
            }
        }
        self.rigid
            .entries
            .sort_by_key(|&(system, constraint, block, _)| (system, constraint, block));
    }

    /// W.
    pub fn fill_delassus(
        &mut self,
        rigid: &RigidStep,
        inverse: &dyn InverseOperator,
    ) -> Result<(), SolveError> {
        let Some(compliance) = &mut self.compliance else {
            return self
                .unbuilt
                .prepare(&self.columns, &self.rigid, rigid, inverse, &self.laws);
        };
        let found = compliance.delassus(&self.columns, inverse, &mut self.delassus)?;
        self.isolated.touched += found.touched;
        self.isolated.solved += found.solved;
        if !self.rigid.entries.is_empty() {
            let added = self.rigid.compliance(rigid);
            merge(&self.delassus, &added, &mut self.merged);
            std::mem::swap(&mut self.delassus, &mut self.merged);
        }
        self.fill_dead_rows();
        Ok(())
    }

    fn fill_dead_rows(&mut self) {
        for (row, law) in self.laws.iter().enumerate() {
            let range = self.delassus.starts[row]..self.delassus.starts[row + 1];
            let diagonal = self.delassus.columns[range.clone()].binary_search(&(row as u32));
            if let Ok(at) = diagonal {
                enliven(&mut self.delassus.blocks[range.start + at], law);
            }
        }
    }

    /// λ for the velocities `v` and those of rigid bodies; returns how far it is from the impulses that they contain, as a
    /// share of the largest.
    pub fn solve(
        &mut self,
        set: &ConstraintSet,
        v: &[Vec3],
        rigid: &RigidStep,
        inverse: &dyn InverseOperator,
        settings: &ConstraintSettings,
    ) -> Result<f64, SolveError> {
        let gather = |from: &[Vec3], to: &mut Vec<Vec3>| {
            to.clear();
            to.extend(self.active.iter().map(|&index| from[index as usize]));
        };
        gather(&self.impulses, &mut self.active_impulses);
        gather(&self.included, &mut self.active_included);
        self.rates.clear();
        let gripped = &self.gripped;
        let rates = (self.active.iter()).map(|&index| {
            let index = index as usize;
            rate(set, index, v, rigid) - gripped[index]
        });
        self.rates.extend(rates);
        let contain = self.active_included.iter().any(|i| *i != Vec3::ZERO);
        let impulses = &mut self.active_impulses;
        if self.compliance.is_some() {
            self.with_included.clone_from(&self.rates);
            if contain {
                self.own.resize(self.rates.len(), Vec3::ZERO); // every entry is written
                let included = &self.active_included;
                multiply(&self.delassus, included, &mut self.used, &mut self.own);
                for (rate, &own) in self.rates.iter_mut().zip(&self.own) {
                    *rate -= own;
                }
            }
            let problem = Problem {
                delassus: &self.delassus,
                laws: &self.laws,
                rates: &self.rates,
                compliance: &self.compliances,
                start: (*impulses == self.active_included).then_some(&self.with_included[..]),
            };
            self.report = self.islands.solve(&problem, impulses, settings);
        } else {
            let (mut operator, workspace) =
                (self.unbuilt).operator(&self.columns, &self.rigid, rigid, inverse);
            if contain {
                let mut own = vec![Vec3::ZERO; self.rates.len()];
                operator.apply(&self.active_included, &mut own);
                for (rate, own) in self.rates.iter_mut().zip(own) {
                    *rate -= own;
                }
            }
            self.report = solve_unbuilt(
                &mut operator,
                &self.laws,
                &self.rates,
                &self.compliances,
                impulses,
                settings,
                workspace,
            );
            if let Some(error) = operator.failed {
                return Err(error);
            }
        }
        for (&index, &impulse) in self.active.iter().zip(impulses.iter()) {
            self.impulses[index as usize] = impulse;
        }
        let (mut change, mut largest) = (0.0f64, 0.0f64);
        for (&new, &old) in self.impulses.iter().zip(&self.included) {
            change = change.max((new - old).norm());
            largest = largest.max(new.norm());
        }
        Ok(if largest > 0.0 {
            change / largest
        } else {
            change
        })
    }

    /// z += A⁻¹ Jᵀ(λ − included), and the same for rigid bodies.
    pub fn respond(
        &mut self,
        space: &ReducedSpace,
        rigid: &mut RigidStep,
        inverse: &dyn InverseOperator,
        z: &mut [Vec3],
    ) -> Result<(), SolveError> {
        self.response.clear();
        self.response.resize(z.len(), Vec3::ZERO);
        for (index, starts) in self.columns.starts.windows(2).enumerate() {
            let impulse = self.active_impulses[index] - self.active_included[index];
            for at in starts[0]..starts[1] {
                let row = self.columns.rows[at] as usize;
                self.response[row] += self.columns.blocks[at] * impulse;
            }
        }
        inverse.apply(&mut self.response, &mut self.scratch)?;
        space.mask(&mut self.response);
        for (z, &change) in z.iter_mut().zip(&self.response) {
            *z += change;
        }
        self.push_rigid(rigid);
        self.included.copy_from_slice(&self.impulses);
        Ok(())
    }

    /// Mᵣ⁻¹ Jᵣᵀ(λ − included) of rigid bodies.
    fn push_rigid(&self, rigid: &mut RigidStep) {
        if self.rigid.entries.is_empty() {
            return;
        }
        let mut response = vec![Vec3::ZERO; rigid.block_count()];
        for &(_, constraint, block, jacobian) in &self.rigid.entries {
            let constraint = constraint as usize;
            let impulse = self.active_impulses[constraint] - self.active_included[constraint];
            response[block as usize] += jacobian.transpose() * impulse;
        }
        for system in 0..rigid.system_count() {
            let blocks = rigid.blocks_of(system);
            rigid.apply_inverse(system, &mut response[blocks]);
        }
        for (velocity, &change) in rigid.velocity_mut().iter_mut().zip(&response) {
            *velocity += change;
        }
    }

    /// Adds Jᵀλ of the constraints that take part to the rows of the space, N·s.
    pub fn add_reduced_impulses(&self, rows: &mut [Vec3]) {
        for (starts, &impulse) in self.columns.starts.windows(2).zip(&self.active_impulses) {
            for at in starts[0]..starts[1] {
                rows[self.columns.rows[at] as usize] += self.columns.blocks[at] * impulse;
            }
        }
    }

    /// Adds Jᵀλ to nodal impulses, N·s.
    pub fn add_nodal_impulses(&self, set: &ConstraintSet, nodal: &mut [Vec3]) {
        for (index, &impulse) in self.impulses.iter().enumerate() {
            for entry in set.nodes_of(index) {
                nodal[entry.node as usize] += entry.block.transpose() * impulse;
            }
        }
    }
}

/// Tangents along which nothing can move (out of the plane of planar bodies) get some compliance: no rate, no impulse.
pub(super) fn enliven(block: &mut Mat3, law: &Law) {
    let Law::Contact { .. } = law else {
        return;
    };
    let normal = block.at(0, 0);
    for axis in 1..3 {
        if block.at(axis, axis) <= f64::EPSILON * normal {
            block.set(axis, axis, normal);
        }
    }
}

/// J v + bias of one constraint.
pub(crate) fn rate(set: &ConstraintSet, index: usize, v: &[Vec3], rigid: &RigidStep) -> Vec3 {
    let mut rate = set.constraints()[index].bias;
    for entry in set.nodes_of(index) {
        rate += entry.block * v[entry.node as usize];
    }
    for entry in set.rigids_of(index) {
        let body = entry.body as usize;
        rate += entry.linear * rigid.point_velocity(body, entry.arm);
        rate += entry.angular * rigid.twist(body).spin;
    }
    rate
}

/// Zeroes the rows of prescribed coordinates of a column block.
fn mask(mut block: Mat3, space: &ReducedSpace, row: u32) -> Mat3 {
    let masked = space.masked();
    let start = masked.partition_point(|&dof| dof < 3 * row);
    for &dof in masked[start..].iter().take_while(|&&dof| dof < 3 * row + 3) {
        for column in 0..3 {
            block.set(dof as usize % 3, column, 0.0);
        }
    }
    block
}

impl RigidColumns {
    /// y += Jᵣ Mᵣ⁻¹ Jᵣᵀ x.
    pub fn add_product(
        &self,
        rigid: &RigidStep,
        x: &[Vec3],
        y: &mut [Vec3],
        blocks: &mut Vec<Vec3>,
    ) {
        if self.entries.is_empty() {
            return;
        }
        blocks.clear();
        blocks.resize(rigid.block_count(), Vec3::ZERO);
        for &(_, constraint, block, jacobian) in &self.entries {
            blocks[block as usize] += jacobian.transpose() * x[constraint as usize];
        }
        for system in 0..rigid.system_count() {
            rigid.apply_inverse(system, &mut blocks[rigid.blocks_of(system)]);
        }
        for &(_, constraint, block, jacobian) in &self.entries {
            y[constraint as usize] += jacobian * blocks[block as usize];
        }
    }

    /// Jᵣ Mᵣ⁻¹ Jᵣᵀ as blocks by constraint pairs, sorted, each pair once.
    pub fn compliance(&self, rigid: &RigidStep) -> Vec<(u32, u32, Mat3)> {
        let mut found: Vec<(u32, u32, Mat3)> = Vec::new();
        let mut work = vec![Vec3::ZERO; rigid.block_count()];
        for system in self.entries.chunk_by(|a, b| a.0 == b.0) {
            let number = system[0].0 as usize;
            let blocks = rigid.blocks_of(number);
            for column in system.chunk_by(|a, b| a.1 == b.1) {
                // three columns of Mᵣ⁻¹ Jᵣᵀ, then its products with all rows of the system
                let mut solved = [Vec::new(), Vec::new(), Vec::new()];
                for (axis, solved) in solved.iter_mut().enumerate() {
                    work.fill(Vec3::ZERO);
                    for &(_, _, block, jacobian) in column {
                        work[block as usize] += jacobian.row(axis);
                    }
                    rigid.apply_inverse(number, &mut work[blocks.clone()]);
                    solved.clone_from(&work);
                }
                for row in system.chunk_by(|a, b| a.1 == b.1) {
                    let mut sum = Mat3::ZERO;
                    for &(_, _, block, jacobian) in row {
                        let [a, b, c] = [0, 1, 2].map(|axis| solved[axis][block as usize]);
                        sum += jacobian * Mat3::from_columns(a, b, c);
                    }
                    found.push((row[0].1, column[0].1, sum));
                }
            }
        }
        found.sort_by_key(|&(row, column, _)| (row, column));
        found.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
            }
            same
        });
        found
    }
}

/// `w` = `a` + the sorted blocks `added`.
fn merge(a: &BlockRows, added: &[(u32, u32, Mat3)], w: &mut BlockRows) {
    w.starts.clear();
    w.columns.clear();
    w.blocks.clear();
    w.starts.push(0);
    let mut next = added.iter().copied().peekable();
    for row in 0..a.row_count() {
        let (columns, blocks) = a.row(row);
        for (&column, &block) in columns.iter().zip(blocks) {
            while let Some((_, before, more)) =
                next.next_if(|&(r, c, _)| r as usize == row && c < column)
            {
                w.columns.push(before);
                w.blocks.push(more);
            }
            let same = next.next_if(|&(r, c, _)| r as usize == row && c == column);
            w.columns.push(column);
            w.blocks
                .push(same.map_or(block, |(_, _, more)| block + more));
        }
        while let Some((_, after, more)) = next.next_if(|&(r, _, _)| r as usize == row) {
            w.columns.push(after);
            w.blocks.push(more);
        }
        w.starts.push(w.columns.len());
    }
}
