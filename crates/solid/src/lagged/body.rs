//! The factors of one body: when the next is asked for, when it comes, and what the state remembers of them.

use super::FactorReport;
use super::background::{Finished, Job, Worker};
use super::front::{FrontPart, Prepared};
use super::memory::{Coming, FactorMemory, Snapshot, fingerprint};
use super::schedule::{IMPATIENT, adapt_lag, automatic_lag, work};
use crate::settings::LaggedSettings;
use crate::solver::StepStart;
use pliant_linalg::{LltSymbolic, Mat3, SolveError};
use std::ops::Range;
use std::sync::Arc;

/// See the file header. What is in use stands in its [`FrontPart`].
pub(super) struct BodyFactor {
    /// Of which rows and pattern.
    pub fingerprint: u64,
    symbolic: Arc<LltSymbolic>,
    /// Where its blocks are in the matrix of all bodies.
    blocks: Range<usize>,
    pub memory: FactorMemory,
    spare: Option<Box<Prepared>>,
    job: Job,
    /// Whether the matrix of this step will be factorised, at once or in the background.
    pub wanted: bool,
    /// Whether that must be at once.
    pub hopeless: bool,
    /// Its rows whose columns the next factorisation should solve.
    pub prefetch: Vec<u32>,
    pub report: FactorReport,
}

impl BodyFactor {
    pub fn new(start: &StepStart, rows: &Range<usize>) -> Result<BodyFactor, SolveError> {
        let own = Arc::new(start.space.pattern().part(rows.clone())?);
        Ok(BodyFactor {
            fingerprint: fingerprint(start.space, rows),
            symbolic: Arc::new(LltSymbolic::new(&own)?),
            blocks: blocks_of(start, rows),
            memory: FactorMemory::default(),
            spare: None,
            job: Job::default(),
            wanted: true,
            hopeless: false,
            prefetch: Vec::new(),
            report: FactorReport::default(),
        })
    }

    /// The same body in a space where it has other rows.
    pub fn moved(self, start: &StepStart, rows: &Range<usize>) -> BodyFactor {
        BodyFactor {
            blocks: blocks_of(start, rows),
            ..self
        }
    }

    /// A step begins: takes over what the state remembers, puts the factor that is due in front and decides whether the matrix of
    /// this step is to be factorised.
    pub fn begin(
        &mut self,
        start: &StepStart,
        remembered: FactorMemory,
        front: &mut FrontPart,
        worker: &mut Worker,
        settings: &LaggedSettings,
    ) -> Result<(), SolveError> {
        self.report = FactorReport::default();
        let most = self.longest_lag(start, settings);
        self.hopeless = most == 0;
        if most == 0 {
            self.retire(front); // every step its own factor
            self.memory = FactorMemory::default();
        } else {
            self.restore(start, remembered, front, worker, settings)?;
            // no iteration was enough, or newer factors come too late whatever is done: the present matrix, by all threads
            let useless = self.memory.iterations == u32::MAX;
            let late = self.memory.iterations >= IMPATIENT && self.memory.lag == 1 && most > 1;
            adapt_lag(&mut self.memory, most);
            self.memory.age = self.memory.age.saturating_add(1);
            self.swap(front, settings.free_running);
            self.hopeless = useless || (late && self.report.arrived == 0);
        }
        self.report.age = match front.prepared {
            Some(_) => self.memory.age,
            None => 0,
        };
        let FactorMemory {
            iterations, delay, ..
        } = self.memory;
        let stale = iterations >= settings.refresh_at || delay > settings.delay_tolerance;
        let missing = front.prepared.is_none();
        self.wanted = missing || self.hopeless || (self.memory.coming.is_none() && stale);
        self.memory.iterations = 0;
        self.memory.delay = 0.0;
        self.prefetch.clear();
        Ok(())
    }

    fn longest_lag(&self, start: &StepStart, settings: &LaggedSettings) -> u32 {
        let elements = start.model.element_count();
        let automatic = || automatic_lag(self.work(settings), elements);
        settings.lag.unwrap_or_else(automatic)
    }

    /// Work of making its factor, flops.
    pub fn work(&self, settings: &LaggedSettings) -> f64 {
        work(&self.symbolic, settings.prefetch)
    }

    /// Takes over what a state remembers, unless it is what this solver itself has left there.
    fn restore(
        &mut self,
        start: &StepStart,
        remembered: FactorMemory,
        front: &mut FrontPart,
        worker: &mut Worker,
        settings: &LaggedSettings,
    ) -> Result<(), SolveError> {
        let mine = front.prepared.is_some() || self.memory.current.is_none();
        if !(mine && self.memory.is_of(&remembered)) {
            self.retire(front);
            self.job = Job::default();
        }
        self.memory = remembered;
        let turning = if settings.warp { front.rows.len() } else { 0 };
        let usable = |snapshot: &Snapshot| {
            snapshot.pattern == self.fingerprint
                && snapshot.blocks.len() == self.blocks.len()
                && snapshot.h == start.h
                && snapshot.rotations.len() == turning
        };
        let current = self.memory.current.take().filter(|s| usable(s));
        let coming = self.memory.coming.take().filter(|c| usable(&c.snapshot));
        let Some(current) = current else {
            // another space or step length: nothing known is of use
            self.retire(front);
            self.job = Job::default();
            return Ok(());
        };
        if front.prepared.is_none() {
            let mut prepared = self.buffers(settings);
            let filled = prepared.fill(&current.blocks, &[]);
            filled.map_err(|error| error.in_part(front.rows.start))?;
            self.put_in_front(front, prepared);
        }
        self.memory.current = Some(current);
        if let Some(coming) = coming {
            if !self.job.is_busy() {
                let buffers = self.buffers(settings);
                let (snapshot, rows) = (coming.snapshot.clone(), coming.prefetch.clone());
                self.job = worker.start(buffers, snapshot, rows);
            }
            self.memory.coming = Some(coming);
        }
        Ok(())
    }

    fn buffers(&mut self, settings: &LaggedSettings) -> Box<Prepared> {
        let fresh = || Box::new(Prepared::new(self.symbolic.clone(), settings.kept_nodes));
        self.spare.take().unwrap_or_else(fresh)
    }

    fn put_in_front(&mut self, front: &mut FrontPart, prepared: Box<Prepared>) {
        self.spare = front.prepared.replace(prepared).or(self.spare.take());
    }

    /// Nothing is in use any more; the buffers stay.
    fn retire(&mut self, front: &mut FrontPart) {
        self.spare = front.prepared.take().or(self.spare.take());
        self.memory.current = None;
    }

    /// Puts the factor that is due, or there, in front.
    fn swap(&mut self, front: &mut FrontPart, free_running: bool) {
        let Some(coming) = &mut self.memory.coming else {
            return;
        };
        coming.age = coming.age.saturating_add(1);
        coming.due = coming.due.saturating_sub(1);
        let finished: Option<Finished> = match free_running {
            true => self.job.poll(),
            false if coming.due == 0 => self.job.wait(),
            false => None,
        };
        let lost = !self.job.is_busy() && finished.is_none();
        let Some((prepared, result)) = finished else {
            if lost {
                self.memory.coming = None; // the worker died with it
                self.report.failed += 1;
            }
            return;
        };
        let coming = self.memory.coming.take();
        match (result, coming) {
            (Ok(()), Some(coming)) => {
                self.put_in_front(front, prepared);
                self.memory.current = Some(coming.snapshot);
                self.memory.age = coming.age;
                self.report.arrived += 1;
            }
            // a matrix that cannot be factorised: the old factor stays, the next one is tried
            _ => {
                self.spare = Some(prepared);
                self.report.failed += 1;
            }
        }
    }

    /// The matrix of this step; `blocks` are those of all bodies, `rotations` its own.
    fn snapshot(&self, blocks: &[Mat3], rotations: &[Mat3], h: f64) -> Arc<Snapshot> {
        Arc::new(Snapshot {
            blocks: blocks[self.blocks.clone()].to_vec(),
            rotations: rotations.to_vec(),
            pattern: self.fingerprint,
            h,
        })
    }

    /// Factorises the matrix of this step at once.
    pub fn factorize(
        &mut self,
        blocks: &[Mat3],
        rotations: &[Mat3],
        h: f64,
        front: &mut FrontPart,
        settings: &LaggedSettings,
    ) -> Result<(), SolveError> {
        // what is under way is older than this
        self.job = Job::default();
        self.memory.coming = None;
        let mut prepared = self.buffers(settings);
        let filled = prepared.fill(&blocks[self.blocks.clone()], &[]);
        filled.map_err(|error| error.in_part(front.rows.start))?;
        self.put_in_front(front, prepared);
        self.memory.current = match settings.lag {
            Some(0) => None,
            _ => Some(self.snapshot(blocks, rotations, h)),
        };
        self.memory.age = 0;
        self.report.age = 0;
        self.report.arrived += 1;
        Ok(())
    }

    /// Lets the worker factorise the matrix of this step, once it has finished what takes it `ahead` steps.
    pub fn start(
        &mut self,
        blocks: &[Mat3],
        rotations: &[Mat3],
        h: f64,
        ahead: u32,
        worker: &mut Worker,
        settings: &LaggedSettings,
    ) {
        let snapshot = self.snapshot(blocks, rotations, h);
        let prefetch = Arc::new(std::mem::take(&mut self.prefetch));
        let buffers = self.buffers(settings);
        self.job = worker.start(buffers, snapshot.clone(), prefetch.clone());
        self.memory.coming = Some(Coming {
            snapshot,
            age: 0,
            due: self.memory.lag + ahead,
            prefetch,
        });
    }
}

/// Where the blocks of some rows are in the matrix.
fn blocks_of(start: &StepStart, rows: &Range<usize>) -> Range<usize> {
    let place = |row: usize| start.space.pattern().row_starts()[row] as usize;
    place(rows.start)..place(rows.end)
}
