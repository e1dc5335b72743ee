//! J, b and c: right-hand sides of one solve.

use super::Condensed;
use super::inverse::CondensedInverse;
use super::whole::{free_pieces, whole_motion};
use crate::system::System;
use pliant_linalg::{Mat3, SolveError, Vec3, flat_mut};

impl Condensed {
    /// Solves for J, b and c together; `velocity` is that at the start of the step.
    pub(super) fn solve_columns(
        &mut self,
        system: &System,
        velocity: &[Vec3],
    ) -> Result<(), SolveError> {
        let rows = system.rhs.len();
        self.known.clear();
        self.known.resize(3 * rows, false);
        for &dof in self.inverse.layout.dofs.iter().chain(&system.masked) {
            self.known[dof as usize] = true;
        }
        self.gather_responses(system);
        self.gather_forces(system, velocity);
        self.pulled.clear();
        if !system.pull.is_empty() {
            self.pulled.extend_from_slice(&system.pull);
            mask(&self.known, &mut self.pulled);
        }

        let CondensedInverse {
            factor,
            responses,
            island_of,
            ..
        } = &mut self.inverse;
        let factor = factor.as_ref().ok_or(SolveError::NotFactorized)?;
        let dense = [self.balance.as_slice(), &self.pulled];
        let dense = &dense[..1 + usize::from(!self.pulled.is_empty())];
        let first = 3 * self.columns.group_count();
        if first > 0 {
            factor.solve_bundle(&self.columns, dense, &mut responses.bundle)?;
            responses.cut(island_of);
            responses.bundle.column(first, &mut self.balance);
            if !self.pulled.is_empty() {
                responses.bundle.column(first + 1, &mut self.pulled);
            }
        } else {
            responses.clear();
            factor.solve(&mut self.balance, &mut self.scratch)?;
            if !self.pulled.is_empty() {
                factor.solve(&mut self.pulled, &mut self.scratch)?;
            }
        }
        self.pulled.resize(rows, Vec3::ZERO);
        Ok(())
    }

    /// Right-hand sides of J: −H'_qd, and on dynamic unknowns what their own diagonal makes one.
    fn gather_responses(&mut self, system: &System) {
        let (layout, columns) = (&self.inverse.layout, &mut self.columns);
        let pattern = system.matrix.pattern();
        columns.rows.clear();
        columns.blocks.clear();
        columns.starts.clear();
        columns.starts.push(0);
        for slot in 0..layout.width {
            let mut add = |node: u32, column: Vec3| {
                let mut block = Mat3::ZERO;
                block.columns[slot % 3] = column;
                columns.rows.push(node);
                columns.blocks.push(block);
            };
            for dof in layout.of_slot(slot) {
                let (row, axis) = (dof as usize / 3, dof as usize % 3);
                let first = pattern.row_starts()[row] as usize;
                for (k, &other) in pattern.row(row).iter().enumerate() {
                    let mut coupled = -system.matrix.blocks()[first + k].row(axis);
                    for c in 0..3 {
                        if self.known[3 * other as usize + c] {
                            coupled[c] = 0.0;
                        }
                    }
                    if coupled != Vec3::ZERO {
                        add(other, coupled);
                    }
                }
                add(row as u32, Vec3::AXES[axis] * self.scale);
            }
            if slot % 3 == 2 || slot + 1 == layout.width {
                columns.starts.push(columns.rows.len());
            }
        }
    }

    /// Right-hand side of b: β h f on quasi-static unknowns.
    fn gather_forces(&mut self, system: &System, velocity: &[Vec3]) {
        let impulses = &mut self.balance;
        impulses.clone_from(&system.rhs);
        for (i, impulse) in impulses.iter_mut().enumerate() {
            *impulse -= velocity[i] * system.mass[i]; // h f
        }
        self.whole.clear();
        if self.settings.whole_motion {
            let free = free_pieces(&self.pieces.1, system, &self.touched);
            if !free.is_empty() {
                self.whole = whole_motion(&free, system, velocity, self.h, impulses);
                let pairs = impulses.iter_mut().zip(&self.whole);
                pairs.for_each(|(impulse, &whole)| *impulse -= whole);
            }
        }
        impulses.iter_mut().for_each(|f| *f = *f * self.beta);
        mask(&self.known, impulses);
    }
}

/// Zeroes the scalar rows that are marked.
fn mask(marked: &[bool], field: &mut [Vec3]) {
    for (x, &marked) in flat_mut(field).iter_mut().zip(marked) {
        if marked {
            *x = 0.0;
        }
    }
}
