//! When the next factor is asked for, and how many steps it may take. Decided by counts of iterations, never by a clock.

use super::memory::FactorMemory;
use pliant_linalg::LltSymbolic;

/// Flops of a factorisation on one thread in the time of a step for one element: 10 Gflop/s, 2.5 µs.
const FLOPS_PER_ELEMENT: f64 = 2.5e4;

/// The longest lag that is chosen automatically.
const LONGEST: u32 = 16;

/// Iterations from which the factor under way is waited for.
pub(super) const IMPATIENT: u32 = 8;

/// Work of the columns that are solved beforehand, as a share of the factorisation's.
const PREFETCH: f64 = 0.5;

/// Work of making a factor, flops.
pub(super) fn work(symbolic: &LltSymbolic, prefetch: bool) -> f64 {
    symbolic.factor_flops() * if prefetch { 1.0 + PREFETCH } else { 1.0 }
}

/// Steps of a model of some elements in which that much work is done without being waited for.
pub(super) fn steps_of(work: f64, elements: usize) -> f64 {
    let steps = work / (FLOPS_PER_ELEMENT * elements.max(1) as f64);
    steps.min(f64::from(LONGEST))
}

/// The lag of a factor that the worker begins at once.
pub(super) fn automatic_lag(work: f64, elements: usize) -> u32 {
    (steps_of(work, elements).ceil() as u32).max(1)
}

/// Adapts the lag to how well the last step went: many iterations halve it, and what is under way is waited for.
pub(super) fn adapt_lag(memory: &mut FactorMemory, most: u32) {
    if memory.lag == 0 {
        memory.lag = most;
    }
    memory.lag = memory.lag.min(most);
    if memory.iterations >= IMPATIENT {
        memory.lag = (memory.lag / 2).max(1);
        if let Some(coming) = &mut memory.coming {
            coming.due = coming.due.min(1);
        }
    } else {
        memory.lag = (memory.lag + 1).min(most);
    }
}
