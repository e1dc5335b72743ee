//! Conjugate gradients preconditioned by a factor that is a few steps old [CADC10]; the factor of newer matrices is made on
//! another thread meanwhile.
//!
//! The factor in use changes once, at the start of a step, and stays for the whole step: velocities without constraints,
//! compliance and response see the same one. It arrives after a number of steps that the schedule fixes beforehand and is waited
//! for if late, so that results do not depend on the clock; running free, it is used as soon as it is there. A factor follows
//! rotations: with R the turn of each node's surroundings since its assembly, P = R (L Lᵀ)⁻¹ Rᵀ.

mod background;
mod memory;
mod rotations;
mod schedule;

pub use memory::{Coming, FactorMemory, Snapshot};

use crate::settings::LaggedSettings;
use crate::solver::{InverseOperator, LinearSolver, SolveReport, StepStart};
use crate::system::{Form, System, SystemOperator};
use background::{Background, Finished};
use memory::fingerprint;
use pliant_linalg::{
    ApproximateInverse, Llt, LltSymbolic, Mat3, NodeCompliance, Pcg, PcgSettings, SingleFactor,
    SolveError, SolveScratch, Vec3,
};
use rotations::NodeRotations;
use schedule::{IMPATIENT, adapt_lag, automatic_lag};
use std::sync::{Arc, Mutex, PoisonError};

/// What the factor of a step was like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FactorReport {
    /// Steps since the matrix of the factor in use was assembled.
    pub age: u32,
    /// Whether it is in use for the first time.
    pub arrived: bool,
    /// Whether a newer one could not be made.
    pub failed: bool,
}

/// Everything made of one matrix.
pub(crate) struct Prepared {
    llt: Llt,
    /// For conjugate gradients, where half the memory traffic counts more than the last digits.
    single: SingleFactor,
    /// Columns of its inverse that constraints have asked for.
    kept: Mutex<NodeCompliance>,
}

impl Prepared {
    fn new(symbolic: Arc<LltSymbolic>, kept_nodes: usize) -> Prepared {
        Prepared {
            llt: Llt::new(symbolic),
            single: SingleFactor::new(),
            kept: Mutex::new(NodeCompliance::with_limit(kept_nodes)),
        }
    }

    /// Factorises the matrix with these blocks and solves the columns of some rows.
    fn fill(&mut self, blocks: &[Mat3], prefetch: &[u32]) -> Result<(), SolveError> {
        self.llt.factorize_blocks(blocks)?;
        self.single.copy_from(&self.llt)?;
        let kept = self.kept.get_mut();
        let kept = kept.unwrap_or_else(PoisonError::into_inner); // it is cleared here
        kept.clear();
        kept.couple(&self.llt, prefetch).map(|_| ())
    }
}

/// The factor in use, turned.
struct Front {
    prepared: Box<Prepared>,
    /// R of each row; empty where the factor does not turn.
    turns: Vec<Mat3>,
    /// Whether conjugate gradients use the factor itself, not its copy in single precision.
    exact: bool,
    scratch: SolveScratch,
}

impl InverseOperator for Front {
    fn row_count(&self) -> usize {
        self.prepared.llt.symbolic().row_count()
    }

    fn apply(&self, x: &mut [Vec3], scratch: &mut SolveScratch) -> Result<(), SolveError> {
        turn_back(&self.turns, x);
        self.prepared.llt.solve(x, scratch)?;
        turn(&self.turns, x);
        Ok(())
    }

    fn factor(&self) -> Option<&Llt> {
        Some(&self.prepared.llt)
    }

    fn turns(&self) -> &[Mat3] {
        &self.turns
    }

    fn kept(&self) -> Option<&Mutex<NodeCompliance>> {
        Some(&self.prepared.kept)
    }
}

impl ApproximateInverse for Front {
    fn row_count(&self) -> usize {
        InverseOperator::row_count(self)
    }

    fn apply(&mut self, r: &[Vec3], z: &mut [Vec3]) {
        z.copy_from_slice(r);
        turn_back(&self.turns, z);
        let Prepared { llt, single, .. } = &*self.prepared;
        let solved = match self.exact {
            true => llt.solve(z, &mut self.scratch),
            false => single.solve(z, &mut self.scratch),
        };
        debug_assert!(
            solved.is_ok(),
            "both are filled before they are put in front"
        );
        turn(&self.turns, z);
    }
}

/// x ← R x.
fn turn(turns: &[Mat3], x: &mut [Vec3]) {
    for (x, turn) in x.iter_mut().zip(turns) {
        *x = *turn * *x;
    }
}

/// x ← Rᵀ x.
fn turn_back(turns: &[Mat3], x: &mut [Vec3]) {
    for (x, turn) in x.iter_mut().zip(turns) {
        *x = turn.transpose() * *x;
    }
}

/// See the file header.
pub(crate) struct Lagged {
    settings: LaggedSettings,
    /// Of which pattern, by revision of the space, and its fingerprint.
    symbolic: Option<(u64, u64, Arc<LltSymbolic>)>,
    rotations: NodeRotations,
    memory: FactorMemory,
    front: Option<Front>,
    spare: Option<Box<Prepared>>,
    background: Background,
    pcg: Pcg,
    /// First guess of a solve.
    guess: Vec<Vec3>,
    /// Whether the matrix of this step will be factorised, at once or in the background.
    wanted: bool,
    /// Whether that must be at once.
    hopeless: bool,
    /// Rows whose columns the next factorisation should solve.
    prefetch: Vec<u32>,
    h: f64,
    report: FactorReport,
}

impl Lagged {
    pub fn new(settings: LaggedSettings) -> Lagged {
        Lagged {
            settings,
            symbolic: None,
            rotations: NodeRotations::default(),
            memory: FactorMemory::default(),
            front: None,
            spare: None,
            background: Background::default(),
            pcg: Pcg::new(),
            guess: Vec::new(),
            wanted: true,
            hopeless: false,
            prefetch: Vec::new(),
            h: 0.0,
            report: FactorReport::default(),
        }
    }

    /// Makes the symbolic factor of a new pattern.
    fn follow_pattern(&mut self, start: &StepStart) -> Result<(), SolveError> {
        let revision = start.space.revision();
        if (self.symbolic.as_ref()).is_some_and(|(known, _, _)| *known == revision) {
            return Ok(());
        }
        let symbolic = Arc::new(LltSymbolic::new(start.space.pattern())?);
        self.symbolic = Some((revision, fingerprint(start.space), symbolic));
        if self.settings.warp {
            self.rotations = NodeRotations::new(start.model, start.space);
        }
        self.front = None;
        self.spare = None;
        self.background.forget();
        Ok(())
    }

    /// Takes over what a state remembers, unless it is what this solver itself has left there.
    fn restore(&mut self, start: &StepStart) -> Result<(), SolveError> {
        let mine = self.front.is_some() || self.memory.current.is_none();
        if !(mine && self.memory.is_of(start.memory)) {
            self.retire_front();
            self.background.forget();
        }
        self.memory = start.memory.clone();
        let Some((_, pattern, symbolic)) = &self.symbolic else {
            return Ok(());
        };
        let turning = if self.settings.warp {
            symbolic.row_count()
        } else {
            0
        };
        let usable = |snapshot: &Snapshot| {
            snapshot.pattern == *pattern
                && snapshot.blocks.len() == symbolic.pattern().block_count()
                && snapshot.h == start.h
                && snapshot.rotations.len() == turning
        };
        let current = self.memory.current.take().filter(|s| usable(s));
        let coming = self.memory.coming.take().filter(|c| usable(&c.snapshot));
        let Some(current) = current else {
            // another space or step length: nothing known is of use
            self.retire_front();
            self.background.forget();
            return Ok(());
        };
        if self.front.is_none() {
            let mut prepared = self.buffers()?;
            prepared.fill(&current.blocks, &[])?;
            self.put_in_front(prepared);
        }
        self.memory.current = Some(current);
        if let Some(coming) = coming {
            if !self.background.is_busy() {
                let buffers = self.buffers()?;
                let (snapshot, rows) = (coming.snapshot.clone(), coming.prefetch.clone());
                self.background.start(buffers, snapshot, rows);
            }
            self.memory.coming = Some(coming);
        }
        Ok(())
    }

    fn buffers(&mut self) -> Result<Box<Prepared>, SolveError> {
        let (_, _, symbolic) = self.symbolic.as_ref().ok_or(SolveError::NotFactorized)?;
        let fresh = || Box::new(Prepared::new(symbolic.clone(), self.settings.kept_nodes));
        Ok(self.spare.take().unwrap_or_else(fresh))
    }

    fn put_in_front(&mut self, prepared: Box<Prepared>) {
        let scratch = self.front.take().map(|front| {
            self.spare = Some(front.prepared);
            front.scratch
        });
        self.front = Some(Front {
            prepared,
            turns: Vec::new(),
            exact: false,
            scratch: scratch.unwrap_or_default(),
        });
    }

    /// Nothing is in use any more; the buffers stay.
    fn retire_front(&mut self) {
        if let Some(front) = self.front.take() {
            self.spare = Some(front.prepared);
        }
        self.memory.current = None;
    }

    /// Puts the factor that is due, or there, in front.
    fn swap(&mut self) {
        let Some(coming) = &mut self.memory.coming else {
            return;
        };
        coming.age = coming.age.saturating_add(1);
        coming.due = coming.due.saturating_sub(1);
        let finished: Option<Finished> = match self.settings.free_running {
            true => self.background.poll(),
            false if coming.due == 0 => self.background.wait(),
            false => None,
        };
        let lost = !self.background.is_busy() && finished.is_none();
        let Some((prepared, result)) = finished else {
            if lost {
                self.memory.coming = None; // the worker died with it
                self.report.failed = true;
            }
            return;
        };
        let coming = self.memory.coming.take();
        match (result, coming) {
            (Ok(()), Some(coming)) => {
                self.put_in_front(prepared);
                self.memory.current = Some(coming.snapshot);
                self.memory.age = coming.age;
                self.report.arrived = true;
            }
            // a matrix that cannot be factorised: the old factor stays, the next one is tried
            _ => {
                self.spare = Some(prepared);
                self.report.failed = true;
            }
        }
    }

    /// R = R_now R_thenᵀ.
    fn turn_front(&mut self) {
        let (Some(front), Some(current)) = (&mut self.front, &self.memory.current) else {
            return;
        };
        let pairs = self.rotations.rotations.iter().zip(&current.rotations);
        front.turns.clear();
        front
            .turns
            .extend(pairs.map(|(now, then)| *now * then.transpose()));
    }

    fn snapshot(&self, system: &System) -> Result<Arc<Snapshot>, SolveError> {
        let (_, pattern, _) = self.symbolic.as_ref().ok_or(SolveError::NotFactorized)?;
        Ok(Arc::new(Snapshot {
            blocks: system.matrix.blocks().to_vec(),
            rotations: self.rotations.rotations.clone(),
            pattern: *pattern,
            h: self.h,
        }))
    }
}

impl LinearSolver for Lagged {
    fn form(&self) -> Form {
        Form::Elements
    }

    fn begin(&mut self, start: &StepStart) -> Result<(), SolveError> {
        self.h = start.h;
        self.report = FactorReport::default();
        self.follow_pattern(start)?;
        let Some((_, _, symbolic)) = &self.symbolic else {
            return Ok(());
        };
        let elements = start.model.element_count();
        let LaggedSettings { lag, prefetch, .. } = self.settings;
        let most = lag.unwrap_or_else(|| automatic_lag(symbolic, elements, prefetch));
        self.hopeless = most == 0;
        if most == 0 {
            self.retire_front(); // every step its own factor
            self.memory = FactorMemory::default();
        } else {
            self.restore(start)?;
            // no iteration was enough, or newer factors come too late whatever is done: the present matrix, by all threads
            self.hopeless = self.memory.iterations == u32::MAX
                || (self.memory.iterations >= IMPATIENT && self.memory.lag == 1 && most > 1);
            adapt_lag(&mut self.memory, most);
            self.memory.age = self.memory.age.saturating_add(1);
            self.swap();
        }
        self.report.age = match self.front {
            Some(_) => self.memory.age,
            None => 0,
        };
        if self.settings.warp {
            (self.rotations).update(start.model, start.space, start.positions);
            self.turn_front();
        }
        let FactorMemory {
            iterations, delay, ..
        } = self.memory;
        let stale = iterations >= self.settings.refresh_at || delay > self.settings.refresh_delay;
        self.hopeless &= !self.report.arrived;
        self.wanted =
            self.front.is_none() || self.hopeless || (self.memory.coming.is_none() && stale);
        self.memory.iterations = 0;
        self.memory.delay = 0.0;
        self.prefetch.clear();
        if self.wanted && self.settings.prefetch {
            let most = start.near.len().min(self.settings.kept_nodes);
            self.prefetch.extend_from_slice(&start.near[..most]);
        }
        Ok(())
    }

    fn wants_matrix(&self) -> bool {
        self.wanted
    }

    fn prepare(&mut self, system: &System) -> Result<(), SolveError> {
        if !self.wanted {
            return Ok(());
        }
        self.wanted = false; // once a step
        if self.front.is_none() || self.hopeless {
            // what is under way is older than this
            self.background.forget();
            self.memory.coming = None;
            let mut prepared = self.buffers()?;
            prepared.fill(system.matrix.blocks(), &[])?;
            self.put_in_front(prepared);
            self.memory.current = match self.settings.lag {
                Some(0) => None,
                _ => Some(self.snapshot(system)?),
            };
            self.memory.age = 0;
            self.report.age = 0;
            self.report.arrived = true;
            if let Some(front) = &mut self.front {
                front.turns.clear(); // R = 1
            }
            return Ok(());
        }
        let snapshot = self.snapshot(system)?;
        let prepared = self.buffers()?;
        let prefetch = Arc::new(std::mem::take(&mut self.prefetch));
        (self.background).start(prepared, snapshot.clone(), prefetch.clone());
        self.memory.coming = Some(Coming {
            snapshot,
            age: 0,
            due: self.memory.lag,
            prefetch,
        });
        Ok(())
    }

    fn solve(&mut self, system: &System, x: &mut [Vec3]) -> Result<SolveReport, SolveError> {
        let front = self.front.as_mut().ok_or(SolveError::NotFactorized)?;
        let limits = PcgSettings {
            relative_tolerance: self.settings.tolerance,
            max_iterations: self.settings.max_iterations,
            ..PcgSettings::default()
        };
        let operator = SystemOperator::new(system);
        self.guess.clear();
        self.guess.extend_from_slice(x);
        let mut solved = (self.pcg).solve_with(&operator, front, &system.rhs, x, &limits);
        if !matches!(&solved, Ok(report) if report.converged) {
            // perhaps single precision was not enough
            front.exact = true;
            x.copy_from_slice(&self.guess);
            solved = (self.pcg).solve_with(&operator, front, &system.rhs, x, &limits);
            front.exact = false;
        }
        let report = solved?;
        let iterations = match report.converged {
            true => report.iterations as u32,
            false => u32::MAX, // the next step does not rely on this factor
        };
        self.memory.iterations = self.memory.iterations.max(iterations);
        Ok(report.into())
    }

    fn inverse(&mut self, _: &System) -> Result<&dyn InverseOperator, SolveError> {
        let front = self.front.as_ref().ok_or(SolveError::NotFactorized)?;
        Ok(front)
    }

    fn is_lagged(&self) -> bool {
        true
    }

    fn note_delay(&mut self, residual: f64) {
        self.memory.delay = residual;
    }

    fn memory(&self) -> FactorMemory {
        self.memory.clone()
    }

    fn factor_report(&self) -> FactorReport {
        self.report
    }
}
