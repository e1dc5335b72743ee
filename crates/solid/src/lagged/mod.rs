//! Conjugate gradients preconditioned by factors that are a few steps old [CADC10], one for each body; those of newer matrices are
//! made on another thread meanwhile.
//!
//! A factor in use changes once, at the start of a step, and stays for the whole step: velocities without constraints,
//! compliance and response see the same one. It arrives after a number of steps that the schedule fixes beforehand and is waited
//! for if late, so that results do not depend on the clock; running free, it is used as soon as it is there. A factor follows
//! rotations: with R the turn of each node's surroundings since its assembly, P = R (L Lᵀ)⁻¹ Rᵀ. Bodies that nothing happens to
//! keep their factors while others get new ones.

mod background;
mod body;
mod front;
mod memory;
mod rotations;
mod schedule;

pub use memory::{Coming, FactorMemory, Snapshot};

use crate::settings::LaggedSettings;
use crate::solver::{InverseOperator, LinearSolver, SolveReport, StepStart};
use crate::system::{Form, System, SystemOperator};
use background::Worker;
use body::BodyFactor;
use front::{Front, FrontPart};
use memory::fingerprint;
use pliant_linalg::reduce::norm_squared;
use pliant_linalg::{Mat3, PartPcg, PartReport, PartSystem, SolveError, Vec3};
use rayon::prelude::*;
use rotations::NodeRotations;
use schedule::steps_of;
use std::collections::BTreeMap;
use std::ops::Range;

/// What the factors of a step were like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FactorReport {
    /// Steps since the matrix of the oldest factor in use was assembled.
    pub age: u32,
    /// How many are in use for the first time.
    pub arrived: u32,
    /// How many newer ones could not be made.
    pub failed: u32,
}

/// See the file header.
pub(crate) struct Lagged {
    settings: LaggedSettings,
    /// Of which space the bodies are.
    revision: Option<u64>,
    bodies: Vec<BodyFactor>,
    front: Front,
    /// Where the rows of each body end, and those of each group of bodies that couplings make one system of.
    ends: Vec<usize>,
    group_ends: Vec<usize>,
    rotations: NodeRotations,
    worker: Worker,
    pcg: PartPcg,
    /// First guess of a solve, and what its tolerance is relative to.
    guess: Vec<Vec3>,
    scale: Vec<Vec3>,
    h: f64,
    elements: usize,
}

impl Lagged {
    pub fn new(settings: LaggedSettings) -> Lagged {
        Lagged {
            settings,
            revision: None,
            bodies: Vec::new(),
            front: Front::default(),
            ends: Vec::new(),
            group_ends: Vec::new(),
            rotations: NodeRotations::default(),
            worker: Worker::default(),
            pcg: PartPcg::new(),
            guess: Vec::new(),
            scale: Vec::new(),
            h: 0.0,
            elements: 0,
        }
    }

    /// Analyses the bodies of a new space; those that were there before keep what they have.
    fn follow_space(&mut self, start: &StepStart) -> Result<(), SolveError> {
        let revision = start.space.revision();
        if self.revision == Some(revision) {
            return Ok(());
        }
        let rows = start.space.body_rows().iter();
        let rows: Vec<Range<usize>> = rows.filter(|rows| !rows.is_empty()).cloned().collect();
        let before = std::mem::take(&mut self.bodies).into_iter();
        let before = before.zip(self.front.parts.drain(..));
        let mut before: BTreeMap<u64, (BodyFactor, FrontPart)> =
            before.map(|pair| (pair.0.fingerprint, pair)).collect();
        let known = |rows: &Range<usize>| before.remove(&fingerprint(start.space, rows));
        let known: Vec<_> = rows.iter().map(known).collect();
        let bodies = known.into_par_iter().zip(&rows).map(|(known, rows)| {
            Ok(match known {
                Some((body, part)) => (body.moved(start, rows), part.moved(rows)),
                None => (BodyFactor::new(start, rows)?, FrontPart::new(rows.clone())),
            })
        });
        let bodies = bodies.collect::<Result<Vec<_>, SolveError>>()?;
        (self.bodies, self.front.parts) = bodies.into_iter().unzip();
        self.ends = rows.iter().map(|rows| rows.end).collect();
        if self.settings.warp {
            self.rotations = NodeRotations::new(start.model, start.space);
        }
        self.revision = Some(revision);
        Ok(())
    }

    /// R = R_now R_thenᵀ for all rows.
    fn turn_front(&mut self) {
        let turns = &mut self.front.turns;
        turns.clear();
        for (body, part) in self.bodies.iter().zip(&self.front.parts) {
            let now = &self.rotations.rotations[part.rows.clone()];
            match &body.memory.current {
                Some(current) => {
                    let pairs = now.iter().zip(&current.rotations);
                    turns.extend(pairs.map(|(now, then)| *now * then.transpose()));
                }
                None => turns.extend(now.iter().map(|_| Mat3::IDENTITY)),
            }
        }
    }

    /// Bodies that couplings tie together, and those between them in the order of rows, are one system to conjugate gradients.
    fn group(&mut self, system: &System) {
        let bodies = self.ends.len();
        // how far the group that begins with a body, or goes through it, reaches
        let mut reach: Vec<usize> = (0..bodies).collect();
        for coupling in &system.couplings {
            let of = |row: usize| self.ends.partition_point(|&end| end <= row);
            let touched = coupling.rows.map(|row| of(row as usize));
            let first = touched.into_iter().fold(bodies, usize::min);
            let last = touched.into_iter().fold(0, usize::max);
            reach[first] = reach[first].max(last);
        }
        self.group_ends.clear();
        self.front.groups.clear();
        let mut last = 0;
        for (body, &own) in reach.iter().enumerate() {
            last = last.max(own);
            self.front.groups.push(self.group_ends.len());
            if last == body {
                self.group_ends.push(self.ends[body]);
                last = body + 1;
            }
        }
    }

    /// The rotations of a part; none where factors do not turn.
    fn rotations_of<'a>(rotations: &'a NodeRotations, rows: &Range<usize>) -> &'a [Mat3] {
        rotations.rotations.get(rows.clone()).unwrap_or(&[])
    }
}

impl LinearSolver for Lagged {
    fn form(&self) -> Form {
        Form::Elements
    }

    fn begin(&mut self, start: &StepStart) -> Result<(), SolveError> {
        self.h = start.h;
        self.elements = start.model.element_count();
        self.follow_space(start)?;
        for (index, (body, part)) in (self.bodies.iter_mut().zip(&mut self.front.parts)).enumerate()
        {
            // bodies that had no rows before shift the others
            let own = |memory: &&FactorMemory| memory.is_of_body(body.fingerprint);
            let known = start.memory.get(index).filter(own);
            let known = known.or_else(|| start.memory.iter().find(own));
            let remembered = known.cloned().unwrap_or_default();
            body.begin(start, remembered, part, &mut self.worker, &self.settings)?;
        }
        if self.settings.prefetch && self.wants_matrix() {
            for &row in start.near {
                let index = self.ends.partition_point(|&end| end <= row as usize);
                let (body, rows) = (&mut self.bodies[index], &self.front.parts[index].rows);
                if body.wanted && body.prefetch.len() < self.settings.kept_nodes {
                    body.prefetch.push(row - rows.start as u32);
                }
            }
        }
        if self.settings.warp {
            (self.rotations).update(start.model, start.space, start.positions);
            self.turn_front();
        }
        Ok(())
    }

    fn wants_matrix(&self) -> bool {
        self.bodies.iter().any(|body| body.wanted)
    }

    fn prepare(&mut self, system: &System) -> Result<(), SolveError> {
        let (blocks, h, settings) = (system.matrix.blocks(), self.h, &self.settings);
        let rotations = &self.rotations;
        // without a factor, or with one that is of no use: by all threads
        let now = self.bodies.par_iter_mut().zip(&mut self.front.parts);
        now.try_for_each(|(body, part)| {
            if !(body.wanted && (part.prepared.is_none() || body.hopeless)) {
                return Ok(());
            }
            body.wanted = false; // once a step
            let own = Self::rotations_of(rotations, &part.rows);
            body.factorize(blocks, own, h, part, settings)
        })?;
        for (body, part) in self.bodies.iter().zip(&self.front.parts) {
            if body.memory.age == 0 && body.report.arrived > 0 && !self.front.turns.is_empty() {
                self.front.turns[part.rows.clone()].fill(Mat3::IDENTITY);
            }
        }
        // the others by the worker, one after the other
        let waiting = self
            .bodies
            .iter()
            .filter(|body| body.memory.coming.is_some());
        let mut ahead: f64 = waiting.map(|body| body.work(settings)).sum();
        for (body, part) in self.bodies.iter_mut().zip(&self.front.parts) {
            if std::mem::take(&mut body.wanted) {
                let steps = match settings.lag {
                    Some(_) => 0,
                    None => steps_of(ahead, self.elements) as u32,
                };
                ahead += body.work(settings);
                let own = Self::rotations_of(rotations, &part.rows);
                body.start(blocks, own, h, steps, &mut self.worker, settings);
            }
        }
        Ok(())
    }

    fn solve(&mut self, system: &System, x: &mut [Vec3]) -> Result<SolveReport, SolveError> {
        if self.front.parts.iter().any(|part| part.prepared.is_none()) {
            return Err(SolveError::NotFactorized);
        }
        let limits = (self.settings.tolerance, self.settings.max_iterations);
        let operator = SystemOperator::new(system);
        self.group(system);
        self.guess.clear();
        self.guess.extend_from_slice(x);
        self.scale.clone_from(&system.rhs);
        for (scale, &foreseen) in self.scale.iter_mut().zip(&system.foreseen) {
            *scale -= foreseen;
        }
        let parts = PartSystem {
            operator: &operator,
            ends: &self.group_ends,
            rhs: &system.rhs,
            scale: &self.scale,
        };
        let (pcg, front) = (&mut self.pcg, &mut self.front);
        let solved = pcg.solve(&parts, front, x, limits);
        if solved.is_err() || !pcg.reports().all(|report| report.converged) {
            // perhaps single precision was not enough
            front.exact = true;
            x.copy_from_slice(&self.guess);
            let solved = pcg.solve(&parts, front, x, limits);
            front.exact = false;
            solved?;
        }
        let mut sum = SolveReport {
            converged: true,
            energy_left: f64::INFINITY,
            ..SolveReport::default()
        };
        let mut squared = 0.0;
        let mut members = self.bodies.iter_mut().zip(&front.groups).peekable();
        for (group, report) in pcg.reports().enumerate() {
            let iterations = match report.converged {
                true => report.iterations as u32,
                false => u32::MAX, // the next step does not rely on these factors
            };
            while let Some((body, _)) = members.next_if(|(_, own)| **own == group) {
                body.memory.iterations = body.memory.iterations.max(iterations);
            }
        }
        for PartReport {
            iterations,
            residual,
            converged,
            energy_decrease,
        } in pcg.reports()
        {
            sum.iterations = sum.iterations.max(iterations);
            sum.converged &= converged;
            sum.energy_decrease += energy_decrease;
            squared += residual * residual;
        }
        let whole = norm_squared(&self.scale);
        if whole > 0.0 {
            sum.relative_residual = (squared / whole).sqrt();
        }
        Ok(sum)
    }

    fn inverse(&mut self, _: &System) -> Result<&dyn InverseOperator, SolveError> {
        Ok(&self.front)
    }

    fn is_lagged(&self) -> bool {
        true
    }

    fn settle(&self) {
        self.worker.settle();
    }

    fn note_delay(&mut self, residuals: &[f64]) {
        let bodies = self.bodies.iter_mut().zip(residuals);
        bodies.for_each(|(body, &residual)| body.memory.delay = residual);
    }

    fn memory(&self) -> Vec<FactorMemory> {
        self.bodies.iter().map(|body| body.memory.clone()).collect()
    }

    fn factor_report(&self) -> FactorReport {
        let reports = self.bodies.iter().map(|body| body.report);
        reports.fold(FactorReport::default(), |sum, report| FactorReport {
            age: sum.age.max(report.age),
            arrived: sum.arrived + report.arrived,
            failed: sum.failed + report.failed,
        })
    }
}
