//! Factorisations on a thread of their own, with two sets of buffers.
//!
//! The worker has a pool of one thread, so that what it does in parallel elsewhere runs there and never on the threads of a
//! step, which would wait for it.

use super::Prepared;
use super::memory::Snapshot;
use pliant_linalg::SolveError;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// What comes back from the worker: the buffers, and whether they hold the factor.
pub(super) type Finished = (Box<Prepared>, Result<(), SolveError>);

/// The worker and what it works on.
#[derive(Default)]
pub(super) struct Background {
    pool: Option<rayon::ThreadPool>,
    job: Option<Receiver<Finished>>,
}

impl Background {
    /// Whether something is under way.
    pub fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    /// Starts a factorisation; what was under way before is dropped when it ends.
    pub fn start(
        &mut self,
        mut prepared: Box<Prepared>,
        snapshot: Arc<Snapshot>,
        prefetch: Arc<Vec<u32>>,
    ) {
        let (sender, receiver) = channel();
        let work = move || {
            let result = prepared.fill(&snapshot.blocks, &prefetch);
            // nobody waits any more when the receiver is gone
            let _ = sender.send((prepared, result));
        };
        if self.pool.is_none() {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(1);
            // a panic drops the sender, which whoever waits notices
            let builder = builder.panic_handler(|_| ());
            self.pool = builder.thread_name(|_| "factor".into()).build().ok();
        }
        match &self.pool {
            Some(pool) => pool.spawn(work),
            None => work(), // no thread to be had: later is now
        }
        self.job = Some(receiver);
    }

    /// Nobody wants the result any more.
    pub fn forget(&mut self) {
        self.job = None;
    }

    /// The result, waited for if need be.
    pub fn wait(&mut self) -> Option<Finished> {
        self.job.take()?.recv().ok()
    }

    /// The result if it is there.
    pub fn poll(&mut self) -> Option<Finished> {
        match self.job.as_ref()?.try_recv() {
            Ok(finished) => {
                self.job = None;
                Some(finished)
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                self.job = None;
                None
            }
        }
    }
}
