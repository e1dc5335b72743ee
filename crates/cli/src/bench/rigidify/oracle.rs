//! Figure 6: what the oracle misses. Now and then the exact step, with nothing rigid, is taken from the same state as the step of
//! the method; elements that it strains by more than τ_E should not have been rigid.

use super::case::Case;
use anyhow::{Context, Result};
use pliant_linalg::Vec3;
use pliant_solid::Simulation;
use pliant_solid::assembly::strain_rates;
use pliant_solid::reduction::NO_CLUMP;
use pliant_solid::state::State;
use pliant_solid::strategy::Method;
use serde_json::{Value, json};

/// Bins of log₁₀ ‖Ė‖², half a decade each; the first and the last take what lies beyond.
const BINS: usize = 32;
const LOWEST: f64 = -12.0;
const WIDTH: f64 = 0.5;

/// A single step from rest strains little, however far from equilibrium a body was taken for rigid: so every few looks the exact
/// simulation goes on for some steps.
const AHEAD: usize = 9;
const LOOKS_AHEAD: u64 = 5;

/// Whether an element moves as part of a rigid body.
pub fn is_rigid(clump_of: &[u32], nodes: &[u32; 4]) -> bool {
    let clump = |node: u32| clump_of.get(node as usize).copied().unwrap_or(NO_CLUMP);
    let first = clump(nodes[0]);
    first != NO_CLUMP && nodes.iter().all(|&node| clump(node) == first)
}

/// Counts over all steps that were looked at.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub steps: u64,
    /// Elements that the exact step strains by more than τ_E.
    pub strained: u64,
    /// Those of them that were rigid all the same.
    pub missed: u64,
    /// Strained elements that were rigid in the step before: those that only the oracle can save.
    pub asked: u64,
    /// Those of them that stayed rigid.
    pub missed_asked: u64,
    /// Elements that the oracle made elastic, and those of them that the exact step strains by less than τ_E.
    pub woken: u64,
    pub needless: u64,
    /// Rigid elements when the exact simulation went on, and those of them that it then strained by more than τ_E.
    pub rigid_ahead: u64,
    pub strained_ahead: u64,
    /// Rates of the exact step, of elements that were elastic and of those that were rigid.
    histograms: [[u64; BINS]; 2],
    /// Of elements that were rigid before the step and that the oracle was asked about: rates of the exact step, and predicted ones.
    asked_histograms: [[u64; BINS]; 2],
    /// Those whose exact rate is above τ_E/100, and those of them that were predicted to have less than it.
    compared: u64,
    below: u64,
}

impl Counts {
    /// Missed elements as a share of all that are strained; zero where none is.
    pub fn rate(&self) -> f64 {
        self.missed as f64 / self.strained.max(1) as f64
    }

    pub fn facts(&self) -> Value {
        let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        let [elastic, rigid] = self.histograms.map(|h| h.to_vec());
        let [exact, predicted] = self.asked_histograms.map(|h| h.to_vec());
        json!({
            "sampled_steps": self.steps,
            "strained": self.strained,
            "missed": self.missed,
            "false_negative_rate": (self.steps > 0).then(|| self.rate()),
            "asked": self.asked,
            "false_negative_rate_of_rigid": share(self.missed_asked, self.asked),
            "woken": self.woken,
            "needless_share": share(self.needless, self.woken),
            "rigid_strained_later": share(self.strained_ahead, self.rigid_ahead),
            "histogram_lowest": LOWEST,
            "histogram_width": WIDTH,
            "histogram_elastic": elastic,
            "histogram_rigid": rigid,
            "histogram_asked_exact": exact,
            "histogram_asked_predicted": predicted,
            "predicted_below_exact": share(self.below, self.compared),
        })
    }
}

/// The exact simulation beside the method's.
pub struct Judge {
    exact: Simulation,
    h: f64,
    rates: Vec<f64>,
    /// Squared strain rates above which elements count as strained, 1/s².
    limits: Vec<f64>,
    /// Positions before the last exact step, and how far it moved the nodes, m.
    start: Vec<Vec3>,
    moved: Vec<Vec3>,
    pub counts: Counts,
}

impl Judge {
    pub fn new(case: &Case) -> Result<Judge> {
        Ok(Judge {
            exact: case.simulation(Method::Full)?,
            h: case.scene.settings.h,
            rates: vec![0.0; case.scene.model.element_count()],
            limits: vec![0.0; case.scene.model.element_count()],
            start: Vec::new(),
            moved: Vec::new(),
            counts: Counts::default(),
        })
    }

    /// Takes a step of the method, which began at `before`, into account.
    pub fn note(&mut self, before: &State, method: &Simulation) -> Result<()> {
        self.exact.state_mut().clone_from(before);
        self.step()?;
        let (after, predicted) = (method.state(), method.predictions());
        self.set_limits(method);
        let (was, is) = (&before.rigidity.clump_of, &after.rigidity.clump_of);
        let counts = &mut self.counts;
        let elements = self.exact.model().element_nodes.iter().zip(&self.rates);
        for (element, (nodes, &rate)) in elements.enumerate() {
            let (was, is) = (is_rigid(was, nodes), is_rigid(is, nodes));
            let strained = rate > self.limits[element];
            counts.strained += u64::from(strained);
            counts.missed += u64::from(strained && is);
            counts.asked += u64::from(strained && was);
            counts.missed_asked += u64::from(strained && was && is);
            counts.woken += u64::from(was && !is);
            counts.needless += u64::from(was && !is && !strained);
            counts.histograms[usize::from(is)][bin(rate)] += 1;
            let named = predicted.map_or(f64::NAN, |rates| rates[element]);
            if was && !named.is_nan() {
                counts.asked_histograms[0][bin(rate)] += 1;
                counts.asked_histograms[1][bin(named)] += 1;
                let counts_here = rate > 0.01 * self.limits[element];
                counts.compared += u64::from(counts_here);
                counts.below += u64::from(counts_here && named < rate);
            }
        }
        counts.steps += 1;
        if counts.steps.is_multiple_of(LOOKS_AHEAD) {
            self.look_ahead(is)?;
        }
        Ok(())
    }

    fn set_limits(&mut self, method: &Simulation) {
        let bodies = method.model().bodies.iter();
        for (body, rates) in bodies.zip(method.strain_limits()) {
            self.limits[body.elements.clone()].fill(rates.elastic_above);
        }
    }

    fn look_ahead(&mut self, clump_of: &[u32]) -> Result<()> {
        for _ in 0..AHEAD {
            self.step()?;
        }
        let counts = &mut self.counts;
        let elements = self.exact.model().element_nodes.iter().zip(&self.rates);
        for ((nodes, &rate), &limit) in elements.zip(&self.limits) {
            let rigid = is_rigid(clump_of, nodes);
            counts.rigid_ahead += u64::from(rigid);
            counts.strained_ahead += u64::from(rigid && rate > limit);
        }
        Ok(())
    }

    /// An exact step and its strain rates.
    fn step(&mut self) -> Result<()> {
        self.start.clone_from(&self.exact.state().positions);
        self.exact.step().context("exact step")?;
        let (model, end) = (self.exact.model(), &self.exact.state().positions);
        self.moved.clear();
        (self.moved).extend(end.iter().zip(&self.start).map(|(&to, &from)| to - from));
        let chunks = &model.elements.colours;
        strain_rates(
            model,
            chunks,
            &self.start,
            &self.moved,
            None,
            self.h,
            &mut self.rates,
        );
        Ok(())
    }
}

fn bin(rate: f64) -> usize {
    let place = (rate.max(f64::MIN_POSITIVE).log10() - LOWEST) / WIDTH;
    (place.max(0.0) as usize).min(BINS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_half_decades() {
        assert_eq!(bin(0.0), 0);
        assert_eq!(bin(2e-12), 0);
        assert_eq!(bin(4e-12), 1);
        assert_eq!(bin(1.5), 24);
        assert_eq!(bin(1e9), BINS - 1);
    }

    #[test]
    fn an_element_is_rigid_in_one_clump_only() {
        let clump_of = [0, 0, 0, 0, 1, NO_CLUMP];
        assert!(is_rigid(&clump_of, &[0, 1, 2, 3]));
        assert!(!is_rigid(&clump_of, &[1, 2, 3, 4]));
        assert!(!is_rigid(&clump_of, &[5, 5, 5, 5]));
        // nothing has been rigid yet
        assert!(!is_rigid(&[], &[0, 1, 2, 3]));
    }
}
