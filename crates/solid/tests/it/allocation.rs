//! After the first steps a step allocates nothing.

use crate::common::*;
use pliant_solid::Simulation;
use pliant_solid::material::MaterialModel;
use pliant_solid::settings::{Integrator, Settings, SolverChoice};
use pliant_solid::strategy::Method;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the allocations of threads that ask for it.
struct Counting;

thread_local! {
    static COUNT: Cell<Option<u64>> = const { Cell::new(None) };
}

fn note() {
    // a thread that is being torn down has no counter and needs none
    let _ = COUNT.try_with(|c| c.set(c.get().map(|n| n + 1)));
}

// SAFETY: every call goes to the system allocator unchanged; counting does not allocate.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn steps_do_not_allocate() {
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        for integrator in [Integrator::LinearImplicit { beta: 1.0 }, Integrator::Bdf2] {
            for solver in [SolverChoice::Direct, pcg(1e-8)] {
                let mut material = soft(MaterialModel::StableNeoHookean);
                material.stiffness_damping = 1e-3;
                let settings = Settings {
                    integrator,
                    solver,
                    ..Settings::default()
                };
                let model = cantilever(bar([16, 4, 4]), material);
                let mut simulation = Simulation::new(model, settings, Method::Full).unwrap();
                pool.install(|| {
                    for _ in 0..4 {
                        simulation.step().unwrap();
                    }
                });
                let count_on = |_: rayon::BroadcastContext<'_>| COUNT.with(|c| c.set(Some(0)));
                let count_off =
                    |_: rayon::BroadcastContext<'_>| COUNT.with(|c| c.take().unwrap_or(0));
                pool.broadcast(count_on);
                pool.install(|| {
                    COUNT.with(|c| c.set(Some(0))); // entering the pool is not part of a step
                    for _ in 0..5 {
                        simulation.step().unwrap();
                    }
                });
                let counts = pool.broadcast(count_off);
                // handing the counters out and in costs an allocation or two in the pool itself
                assert!(
                    counts.iter().all(|&n| n <= 2),
                    "{threads} threads {integrator:?} {solver:?}: {counts:?}"
                );
            }
        }
    }
}
