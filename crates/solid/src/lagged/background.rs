//! Factorisations on a thread of their own.
//!
//! The worker has a pool of one thread, so that what it does in parallel elsewhere runs there and never on the threads of a
//! step, which would wait for it. It takes one body after the other.

use super::front::Prepared;
use super::memory::Snapshot;
use pliant_linalg::SolveError;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// What comes back from the worker: the buffers, and whether they hold the factor.
pub(super) type Finished = (Box<Prepared>, Result<(), SolveError>);

/// The worker.
#[derive(Default)]
pub(super) struct Worker(Option<rayon::ThreadPool>);

impl Worker {
    /// Starts a factorisation.
    pub fn start(
        &mut self,
        mut prepared: Box<Prepared>,
        snapshot: Arc<Snapshot>,
        prefetch: Arc<Vec<u32>>,
    ) -> Job {
        let (sender, receiver) = channel();
        let waiting = Arc::new(());
        let wanted = Arc::downgrade(&waiting);
        let work = move || {
            if wanted.strong_count() == 0 {
                return; // nobody waits any more
            }
            let result = prepared.fill(&snapshot.blocks, &prefetch);
            // nor, perhaps, now
            let _ = sender.send((prepared, result));
        };
        if self.0.is_none() {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(1);
            // a panic drops the sender, which whoever waits notices
            let builder = builder.panic_handler(|_| ());
            self.0 = builder.thread_name(|_| "factor".into()).build().ok();
        }
        match &self.0 {
            Some(pool) => pool.spawn_fifo(work),
            None => work(), // no thread to be had: later is now
        }
        Job(Some((receiver, waiting)))
    }

    /// Waits until nothing is under way.
    pub fn settle(&self) {
        if let Some(pool) = &self.0 {
            let (last, receiver) = channel::<()>();
            pool.spawn_fifo(move || drop(last));
            let _ = receiver.recv(); // ends when its turn has come, after all others
        }
    }
}

/// A factorisation under way, or none. What is dropped is not begun any more; what has begun goes on until it ends, for nobody.
#[derive(Default)]
pub(super) struct Job(Option<(Receiver<Finished>, Arc<()>)>);

impl Job {
    /// Whether something is under way.
    pub fn is_busy(&self) -> bool {
        self.0.is_some()
    }

    /// The result, waited for if need be.
    pub fn wait(&mut self) -> Option<Finished> {
        let (receiver, _waiting) = self.0.take()?;
        receiver.recv().ok()
    }

    /// The result if it is there.
    pub fn poll(&mut self) -> Option<Finished> {
        match self.0.as_ref()?.0.try_recv() {
            Ok(finished) => {
                self.0 = None;
                Some(finished)
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                self.0 = None;
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn settling_waits_for_all_that_was_begun() {
        Worker::default().settle(); // nothing to wait for, and no thread
        let builder = rayon::ThreadPoolBuilder::new().num_threads(1);
        let worker = Worker(builder.build().ok());
        let done = Arc::new(AtomicUsize::new(0));
        for _ in 0..3 {
            let done = done.clone();
            worker.0.as_ref().unwrap().spawn_fifo(move || {
                std::thread::sleep(Duration::from_millis(10));
                done.fetch_add(1, Ordering::SeqCst);
            });
        }
        worker.settle();
        assert_eq!(done.load(Ordering::SeqCst), 3);
    }
}
