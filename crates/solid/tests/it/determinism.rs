//! The same bytes for any number of threads and across resumes, with every method and contact.

use crate::similarity::{METHODS, block_on_beam};
use pliant_solid::Simulation;
use pliant_solid::settings::Settings;
use pliant_solid::state::State;
use pliant_solid::strategy::Method;

const STEPS: u64 = 60;

fn settings() -> Settings {
    Settings::default()
}

fn go_on(mut simulation: Simulation) -> State {
    while simulation.step_number() < STEPS {
        simulation.step().unwrap();
    }
    simulation.state().clone()
}

fn whole(method: Method) -> State {
    go_on(Simulation::new(block_on_beam(), settings(), method).unwrap())
}

#[test]
fn threads_change_no_byte() {
    for method in METHODS {
        let one = whole(method);
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let other = pool.unwrap().install(|| whole(method));
            assert!(other == one, "{} with {threads} threads", method.name());
        }
    }
}

/// At steps that a small generator chooses: before, during and after the impact, and more than once in a run.
#[test]
fn resumes_change_no_byte() {
    let mut seed = 12345u64;
    let mut next = |below: u64| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) % below
    };
    for method in METHODS {
        let one = whole(method);
        for _ in 0..4 {
            let mut simulation = Simulation::new(block_on_beam(), settings(), method).unwrap();
            let mut stop = 1 + next(STEPS / 2);
            while stop < STEPS {
                while simulation.step_number() < stop {
                    simulation.step().unwrap();
                }
                let state = simulation.state().clone();
                simulation =
                    Simulation::resume(block_on_beam(), settings(), method, state).unwrap();
                stop += 1 + next(STEPS / 2);
            }
            assert!(go_on(simulation) == one, "{} resumed", method.name());
        }
    }
}
