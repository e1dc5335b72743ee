//! What counts as hardly strained in each body.
//!
//! An error e, as a share of a body's size, becomes a strain rate by the time in which the body moves: one of e ω/2, with ω its
//! lowest natural frequency, but at most one that would make e/2 in a step. The same time says how far to look. A force that is out of
//! balance by the strain ε is predicted to strain at the rate h ω² ε in a step: 1/(hω) of them have to add up before it shows as ω ε. And at
//! the turning point of a swing by ε the rate is zero but changes by as much in a step, so that it shows if 1/(hω) steps are foreseen.

use crate::model::Model;
use crate::settings::{RigidifySettings, StrainLimits, StrainRates};
use crate::vibration::lowest_frequencies;
use pliant_linalg::SolveError;

/// Share of the error that a strain may come to in the time 1/ω unnoticed. Measured, see `benches/results/rigidify.md`: with a half
/// largest errors are about those asked for.
const SHARE: f64 = 0.5;

/// Most steps to look back or ahead unless the scene says otherwise, and those to look ahead where it gives rates.
const LONGEST: f64 = 50.0;
const AHEAD: u32 = 10;

/// See the file header.
pub(super) struct Limits {
    limits: StrainLimits,
    memory: Option<u32>,
    foresight: Option<u32>,
    /// Lowest natural frequencies of the bodies, rad/s; none where they are not asked for, and of what cannot deform.
    frequencies: Vec<Option<f64>>,
    rates: Vec<StrainRates>,
    memories: Vec<u32>,
    horizons: Vec<u32>,
}

impl Limits {
    /// For bodies as they are held at the start.
    pub fn new(
        model: &Model,
        settings: &RigidifySettings,
        prescribed: &[[bool; 3]],
    ) -> Result<Limits, SolveError> {
        let mut result = Limits {
            limits: settings.limits,
            memory: settings.memory,
            foresight: settings.foresight,
            frequencies: match settings.limits {
                StrainLimits::Rates(_) => vec![None; model.bodies.len()],
                StrainLimits::Error(_) => lowest_frequencies(model, prescribed)?,
            },
            rates: Vec::new(),
            memories: Vec::new(),
            horizons: Vec::new(),
        };
        result.begin(0.0);
        Ok(result)
    }

    /// For steps of length h, s.
    pub fn begin(&mut self, h: f64) {
        let each = self.frequencies.iter();
        self.rates.clear();
        self.rates.extend(each.map(|f| match self.limits {
            StrainLimits::Rates(rates) => rates,
            StrainLimits::Error(error) => {
                let rate = SHARE * error * f.unwrap_or(0.0).min(1.0 / h);
                StrainRates {
                    rigid_below: 0.1 * rate * rate,
                    elastic_above: rate * rate,
                }
            }
        }));
        // steps in which a body swings by a radian
        let swing = |f: &f64| (1.0 / (h * f)).round().clamp(1.0, LONGEST) as u32;
        let steps = |chosen: Option<u32>, default: u32| {
            let each = self.frequencies.iter();
            each.map(move |f| chosen.unwrap_or(f.as_ref().map_or(default, swing)))
        };
        self.memories.clear();
        self.memories.extend(steps(self.memory, 1));
        self.horizons.clear();
        self.horizons.extend(steps(self.foresight, AHEAD));
    }

    /// Strain rates of each body.
    pub fn rates(&self) -> &[StrainRates] {
        &self.rates
    }

    /// Steps over which predictions add up in each body.
    pub fn memories(&self) -> &[u32] {
        &self.memories
    }

    /// Steps that are foreseen in each body.
    pub fn horizons(&self) -> &[u32] {
        &self.horizons
    }

    /// Whether nothing can become rigid.
    pub fn are_never_met(&self) -> bool {
        self.rates.iter().all(|rates| rates.rigid_below <= 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(limits: StrainLimits, frequency: Option<f64>, h: f64) -> (StrainRates, u32) {
        let mut limits = Limits {
            limits,
            memory: None,
            foresight: None,
            frequencies: vec![frequency],
            rates: Vec::new(),
            memories: Vec::new(),
            horizons: Vec::new(),
        };
        limits.begin(h);
        (limits.rates[0], limits.memories[0])
    }

    #[test]
    fn an_error_becomes_rates_by_the_time_a_body_takes() {
        let error = StrainLimits::Error(0.02);
        let (slow, memory) = of(error, Some(4.0), 0.05);
        assert!((slow.elastic_above.sqrt() - 0.04).abs() < 1e-15);
        assert!((slow.rigid_below / slow.elastic_above - 0.1).abs() < 1e-15);
        assert_eq!(memory, 5);
        // a stiff body: half the error in a step
        let (stiff, memory) = of(error, Some(1e6), 0.05);
        assert!((stiff.elastic_above.sqrt() * 0.05 - 0.01).abs() < 1e-15);
        assert_eq!(memory, 1);
        let (none, _) = of(error, None, 0.05);
        assert_eq!(none.rigid_below, 0.0);
    }

    /// Steps twice as long in a world that is twice as slow have the same limits, in their units.
    #[test]
    fn limits_have_no_unit_of_their_own() {
        let error = StrainLimits::Error(0.01);
        let ((one, steps), (two, others)) =
            (of(error, Some(8.0), 0.01), of(error, Some(4.0), 0.02));
        assert!((one.elastic_above / two.elastic_above - 4.0).abs() < 1e-12);
        assert_eq!(steps, others);
    }
}
