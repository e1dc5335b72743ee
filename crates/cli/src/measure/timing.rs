//! Timings of several candidates in one run, taken in turn so that all see the same disturbances.

use anyhow::Result;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::{Map, Value, json};
use std::time::Instant;

/// Rounds without which a minimum and a median mean little.
const LEAST_ROUNDS: usize = 3;

/// How long to measure: so many rounds, fewer when they take longer than the time allowed.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Rounds over all candidates.
    pub rounds: usize,
    /// No new round is begun after this many seconds, once there are three.
    pub seconds: f64,
}

/// Minimum and median of repeated measurements, s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// The least disturbed measurement; rates and ratios are computed from it.
    pub minimum: f64,
    /// The usual one.
    pub median: f64,
}

impl Timing {
    /// Of a list that is not empty.
    pub fn of(mut seconds: Vec<f64>) -> Timing {
        seconds.sort_by(f64::total_cmp);
        let count = seconds.len();
        Timing {
            minimum: seconds[0],
            median: 0.5 * (seconds[(count - 1) / 2] + seconds[count / 2]),
        }
    }

    /// A row with the given facts and both numbers.
    pub fn row(self, facts: Value) -> Map<String, Value> {
        let mut row = match facts {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        row.insert("seconds_min".into(), json!(self.minimum));
        row.insert("seconds_median".into(), json!(self.median));
        row
    }
}

/// Measures candidates 0 … `candidates` − 1 in turn, round after round; `measure` returns the seconds of one
/// measurement, so that it can leave its own preparation out. The first round warms up and is not counted.
pub fn interleave(
    candidates: usize,
    effort: Effort,
    mut measure: impl FnMut(usize) -> Result<f64>,
) -> Result<Vec<Timing>> {
    let mut seconds = vec![Vec::with_capacity(effort.rounds); candidates];
    for candidate in 0..candidates {
        measure(candidate)?;
    }
    let start = Instant::now();
    for round in 0..effort.rounds.max(LEAST_ROUNDS) {
        if round >= LEAST_ROUNDS && start.elapsed().as_secs_f64() > effort.seconds {
            break;
        }
        for (candidate, list) in seconds.iter_mut().enumerate() {
            list.push(measure(candidate)?);
        }
    }
    Ok(seconds.into_iter().map(Timing::of).collect())
}

/// Seconds that `work` takes.
pub fn time<R>(work: impl FnOnce() -> R) -> (f64, R) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

/// One thread, and all of them where there are more.
pub fn thread_pools(threads: usize) -> Result<Vec<ThreadPool>> {
    let mut counts = vec![1, threads.max(1)];
    counts.dedup();
    let build = |&count: &usize| ThreadPoolBuilder::new().num_threads(count).build();
    Ok(counts.iter().map(build).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_take_turns_and_the_first_round_is_dropped() {
        let mut order = Vec::new();
        let effort = Effort {
            rounds: 4,
            seconds: 60.0,
        };
        let timings = interleave(2, effort, |candidate| {
            order.push(candidate);
            // the first round is slow, then 1 + round or 10 + round
            let round = (order.len() - 1) / 2;
            let base = [1.0, 10.0][candidate];
            Ok(if round == 0 { 0.5 } else { base + round as f64 })
        })
        .unwrap();
        assert_eq!(order, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
        let expected = |minimum: f64| Timing {
            minimum,
            median: minimum + 1.5,
        };
        assert_eq!(timings, [expected(2.0), expected(11.0)]);
    }

    #[test]
    fn out_of_time_means_three_rounds() {
        let mut calls = 0;
        let effort = Effort {
            rounds: 1000,
            seconds: 0.0,
        };
        interleave(1, effort, |_| {
            calls += 1;
            Ok(0.0)
        })
        .unwrap();
        assert_eq!(calls, 1 + LEAST_ROUNDS);
    }
}
