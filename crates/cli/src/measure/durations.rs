//! The median of any number of durations in memory that does not grow: counts in bins one per cent wide.

const SHORTEST: f64 = 1e-9;
const RATIO: f64 = 1.01;
/// Up to a month.
const BINS: usize = 3600;

/// Durations so far.
#[derive(Clone, Debug)]
pub struct Durations {
    counts: Vec<u64>,
    total: u64,
}

impl Durations {
    pub fn new() -> Durations {
        Durations {
            counts: vec![0; BINS],
            total: 0,
        }
    }

    /// Takes a duration into account.
    pub fn note(&mut self, seconds: f64) {
        let place = (seconds / SHORTEST).max(1.0).ln() / RATIO.ln();
        self.counts[(place as usize).min(BINS - 1)] += 1;
        self.total += 1;
    }

    /// The median to half a per cent, s; of an even number the lower one. None of nothing.
    pub fn median(&self) -> Option<f64> {
        let half = self.total.div_ceil(2);
        let mut passed = 0;
        let bin = self.counts.iter().position(|&count| {
            passed += count;
            count > 0 && passed >= half
        })?;
        Some(SHORTEST * RATIO.powf(bin as f64 + 0.5))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_to_half_a_per_cent() {
        let mut durations = Durations::new();
        assert_eq!(durations.median(), None);
        let mut check = |seconds: f64, expected: f64| {
            durations.note(seconds);
            let median = durations.median().unwrap();
            assert!((median / expected - 1.0).abs() < 0.0051, "{median}");
        };
        check(3e-3, 3e-3);
        check(70.0, 3e-3);
        check(5e-3, 5e-3);
        check(6e-3, 5e-3);
        check(8e-7, 5e-3);
        // neither what a clock cannot resolve nor what never ends is out of range
        check(0.0, 3e-3);
        check(1e12, 5e-3);
    }
}
