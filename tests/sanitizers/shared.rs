//! The one file with `unsafe`, as it is, under a sanitizer: threads add into nodes by chunks of elements, colour by colour, as
//! `crates/solid/src/assembly` does. Run by tests/sanitizers/run; with the argument `race` chunks of one colour share nodes, which the
//! thread sanitizer must find, else it would find nothing.

#[path = "../../crates/solid/src/assembly/shared.rs"]
mod shared;

use shared::SharedSlice;
use std::sync::atomic::{AtomicUsize, Ordering};

const CHUNKS: usize = 64;
/// Elements of a chunk, each with its own node and the next one: the last shares a node with the next chunk.
const SIZE: usize = 32;
const THREADS: usize = 4;
const PASSES: usize = 50;

/// Of atomics that the sanitizer sees; those of the standard library are not instrumented.
struct Barrier(AtomicUsize);

static BARRIER: Barrier = Barrier(AtomicUsize::new(0));

impl Barrier {
    fn wait(&self) {
        let arrived = self.0.fetch_add(1, Ordering::AcqRel);
        let all = (arrived / THREADS + 1) * THREADS;
        while self.0.load(Ordering::Acquire) < all {
            std::thread::yield_now();
        }
    }
}

fn main() {
    let race = std::env::args().nth(1).as_deref() == Some("race");
    let colours = if race { 1 } else { 2 };
    let mut forces = vec![0.0f64; CHUNKS * SIZE + 1];
    let mut blocks = vec![0.0f64; 9 * CHUNKS];
    let mut seen = vec![0usize; CHUNKS];
    for _ in 0..PASSES {
        let (nodal, matrix, outputs) = (
            SharedSlice::new(&mut forces),
            SharedSlice::new(&mut blocks),
            SharedSlice::new(&mut seen),
        );
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let (nodal, matrix, outputs) = (&nodal, &matrix, &outputs);
                scope.spawn(move || {
                    for colour in 0..colours {
                        for chunk in (colour..CHUNKS).step_by(colours) {
                            if (chunk / colours) % THREADS != thread {
                                continue;
                            }
                            for element in chunk * SIZE..(chunk + 1) * SIZE {
                                nodal.add(element, 1.0);
                                nodal.add(element + 1, 1.0);
                            }
                            matrix.nine(9 * chunk).iter_mut().for_each(|x| *x += 1.0);
                            *outputs.entry(chunk) += 1;
                        }
                        BARRIER.wait();
                    }
                });
            }
        });
        // as the others: after all of them, which the last wait has shown to this thread too
        BARRIER.0.load(Ordering::Acquire);
        nodal.set(nodal.len() - 1, 0.0);
    }
    // every node between two elements got two, in every pass
    assert!(
        race || forces[1..CHUNKS * SIZE]
            .iter()
            .all(|&f| f == 2.0 * PASSES as f64)
    );
    assert!(blocks.iter().all(|&b| b == PASSES as f64));
    assert!(seen.iter().all(|&s| s == PASSES));
    // beyond the end is refused, also for the last block
    for start in [9 * CHUNKS - 8, usize::MAX] {
        let slice = SharedSlice::new(&mut blocks);
        let beyond = std::panic::AssertUnwindSafe(|| slice.nine(start)[0]);
        assert!(std::panic::catch_unwind(beyond).is_err());
    }
}
