//! Constraints that have nothing to do with each other are solved apart, in parallel: islands of the compliance.
//!
//! The sum of small problems costs far less than a large one, and each stops when it has converged.

use super::{ConstraintReport, ConstraintSettings, Law, Problem, Workspace, solve};
use pliant_linalg::{BlockRows, Vec3};
use pliant_mesh::components::root;
use rayon::prelude::*;

/// Islands and their memory.
#[derive(Debug, Default)]
pub(crate) struct Islands {
    parents: Vec<u32>,
    /// Place of each constraint in its island.
    places: Vec<u32>,
    islands: Vec<Island>,
}

#[derive(Debug, Default)]
struct Island {
    members: Vec<u32>,
    delassus: BlockRows,
    laws: Vec<Law>,
    rates: Vec<Vec3>,
    compliance: Vec<f64>,
    impulses: Vec<Vec3>,
    start: Vec<Vec3>,
    workspace: Workspace,
    report: ConstraintReport,
}

impl Islands {
    /// As [`solve`], island by island. The report has the most iterations and the worst residual of any.
    pub fn solve(
        &mut self,
        problem: &Problem,
        impulses: &mut [Vec3],
        settings: &ConstraintSettings,
    ) -> ConstraintReport {
        if is_one_island(problem.delassus) {
            // nothing to copy
            if self.islands.is_empty() {
                self.islands.push(Island::default());
            }
            return solve(problem, impulses, settings, &mut self.islands[0].workspace);
        }
        let count = self.arrange(problem.delassus);
        let places = &self.places;
        let islands = &mut self.islands[..count];
        islands.par_iter_mut().for_each(|island| {
            island.gather(problem, impulses, places);
            let problem = Problem {
                delassus: &island.delassus,
                laws: &island.laws,
                rates: &island.rates,
                compliance: &island.compliance,
                start: problem.start.map(|_| &island.start[..]),
            };
            let workspace = &mut island.workspace;
            island.report = solve(&problem, &mut island.impulses, settings, workspace);
        });
        let mut report = ConstraintReport {
            converged: true,
            ..ConstraintReport::default()
        };
        for island in islands {
            for (&member, &impulse) in island.members.iter().zip(&island.impulses) {
                impulses[member as usize] = impulse;
            }
            report.iterations = report.iterations.max(island.report.iterations);
            report.newton_steps = report.newton_steps.max(island.report.newton_steps);
            report.residual = report.residual.max(island.report.residual);
            report.converged &= island.report.converged;
        }
        report
    }

    /// Sorts the constraints into islands, by their first member; how many there are.
    fn arrange(&mut self, delassus: &BlockRows) -> usize {
        let rows = delassus.row_count();
        self.parents.clear();
        self.parents.extend(0..rows as u32);
        for row in 0..rows {
            for &column in delassus.row(row).0.iter().filter(|&&c| (c as usize) < row) {
                let [a, b] = [row as u32, column].map(|i| root(&mut self.parents, i));
                self.parents[a.max(b) as usize] = a.min(b);
            }
        }
        self.places.resize(rows, 0);
        let mut count = 0;
        for row in 0..rows as u32 {
            let head = root(&mut self.parents, row) as usize;
            if head == row as usize {
                if count == self.islands.len() {
                    self.islands.push(Island::default());
                }
                self.islands[count].members.clear();
                self.places[head] = count as u32; // of a head: its island, until the loop below
                count += 1;
            }
            let island = self.places[head] as usize;
            self.islands[island].members.push(row);
        }
        for island in &self.islands[..count] {
            for (place, &member) in island.members.iter().enumerate() {
                self.places[member as usize] = place as u32;
            }
        }
        count
    }
}

/// Whether the first constraint has to do with all others, as it has where one body touches.
fn is_one_island(delassus: &BlockRows) -> bool {
    let rows = delassus.row_count();
    rows > 0 && delassus.row(0).0.len() == rows
}

impl Island {
    fn gather(&mut self, problem: &Problem, impulses: &[Vec3], places: &[u32]) {
        self.laws.clear();
        self.rates.clear();
        self.compliance.clear();
        self.impulses.clear();
        self.start.clear();
        let w = &mut self.delassus;
        w.starts.clear();
        w.columns.clear();
        w.blocks.clear();
        w.starts.push(0);
        for &member in &self.members {
            let member = member as usize;
            self.laws.push(problem.laws[member]);
            self.rates.push(problem.rates[member]);
            self.compliance.push(problem.compliance[member]);
            self.impulses.push(impulses[member]);
            self.start.extend(problem.start.map(|start| start[member]));
            let (columns, blocks) = problem.delassus.row(member);
            w.columns
                .extend(columns.iter().map(|&c| places[c as usize]));
            w.blocks.extend_from_slice(blocks);
            w.starts.push(w.columns.len());
        }
    }
}
