//! What the report of a comparison shows of one method: shapes at chosen moments, curves, time in stages. Of the first repetition.

use pliant_linalg::Vec3;
use pliant_solid::Simulation;
use pliant_solid::report::StageTimes;

/// Moments that are drawn, as shares of the run.
const MOMENTS: [f64; 3] = [1.0 / 3.0, 2.0 / 3.0, 1.0];
/// Most points of a curve.
const POINTS: u64 = 600;

/// See the file header.
#[derive(Default)]
pub struct Record {
    steps: u64,
    over: bool,
    /// Time, s, and positions of all nodes.
    pub shapes: Vec<(f64, Vec<Vec3>)>,
    /// Time, s, and largest vertex error then.
    pub errors: Vec<(f64, f64)>,
    /// Time, s, and that which all steps took until then, s.
    pub seconds: Vec<(f64, f64)>,
    /// Sum over all steps.
    pub stages: StageTimes,
}

impl Record {
    /// Of a run of so many steps; what was noted before stays, and nothing more is.
    pub fn begin(&mut self, steps: u64) {
        self.over = self.steps > 0;
        self.steps = steps.max(1);
    }

    /// After a step, with the time of all so far and the error, where there is one.
    pub fn note(&mut self, simulation: &Simulation, seconds: f64, error: Option<f64>) {
        if self.over {
            return;
        }
        let step = simulation.step_number();
        self.stages.merge(&simulation.report().times);
        let is_moment = |share: &f64| (share * self.steps as f64).round().max(1.0) as u64 == step;
        if MOMENTS.iter().any(is_moment) {
            let positions = simulation.state().positions.clone();
            self.shapes.push((simulation.time(), positions));
        }
        let stride = self.steps.div_ceil(POINTS);
        if step.is_multiple_of(stride) || step == self.steps {
            self.seconds.push((simulation.time(), seconds));
            self.errors.extend(error.map(|e| (simulation.time(), e)));
        }
    }
}
