//! How scenes end that cannot be compared node by node for long: the wheel topples, pills lie in a pile.

use super::case::Case;
use super::race::Race;
use pliant_linalg::Vec3;
use pliant_solid::Simulation;
use pliant_solid::model::Model;
use serde_json::{Value, json};

/// Sine of the angle between the axle and the ground at which a wheel has toppled.
const TOPPLED: f64 = 0.7;

/// When a wheel topples and to which side, of `full` and of `rigidify`.
pub struct Topple {
    /// Nodes on either side of the middle of the axle, which is y at rest.
    sides: [Vec<usize>; 2],
    /// (time, whether to the side of +y).
    pub times: [Option<(f64, bool)>; 2],
}

impl Topple {
    pub fn new(model: &Model) -> Topple {
        let middle = model.rest.iter().map(|x| x.y).sum::<f64>() / model.node_count() as f64;
        let nodes = 0..model.node_count();
        let (left, right) = nodes.partition(|&node| model.rest[node].y < middle);
        Topple {
            sides: [left, right],
            times: [None; 2],
        }
    }

    /// Looks at both after a step.
    pub fn note(&mut self, both: [&Simulation; 2]) {
        for (simulation, toppled) in both.into_iter().zip(&mut self.times) {
            let state = simulation.state();
            let [left, right] = self
                .sides
                .each_ref()
                .map(|side| mean(side.iter().map(|&n| state.positions[n])));
            let axle = right - left;
            if toppled.is_none() && axle.z.abs() > TOPPLED * axle.norm() {
                *toppled = Some((state.time, axle.z > 0.0));
            }
        }
    }

    pub fn facts(&self) -> Value {
        let [full, rigidify] = self.times;
        let both = full.zip(rigidify);
        json!({
            "topple_full": full.map(|t| t.0),
            "topple_rigidify": rigidify.map(|t| t.0),
            "topple_same_side": both.map(|(a, b)| a.1 == b.1),
            "topple_time_difference": both.map(|(a, b)| (b.0 / a.0 - 1.0).abs()),
        })
    }
}

/// Where the bodies are in the end and how they move: that of piles must agree in the mean only.
pub fn pile(case: &Case, race: &Race) -> Value {
    let ends = [&race.full, &race.rigidify].map(|simulation| {
        let state = simulation.state();
        let bodies = case.scene.model.bodies.iter();
        let centres: Vec<Vec3> = bodies
            .map(|body| mean(state.positions[body.nodes.clone()].iter().copied()))
            .collect();
        let heights: Vec<f64> = centres.iter().map(|c| c.z).collect();
        let kinetic = simulation.report().energies.kinetic;
        (mean(centres.into_iter()), spread(&heights), kinetic)
    });
    json!({
        "pile_height": ends.map(|end| end.0.z),
        "pile_height_spread": ends.map(|end| end.1),
        "pile_centre": ends.map(|end| end.0.to_array()),
        "pile_kinetic": ends.map(|end| end.2),
    })
}

fn mean(points: impl Iterator<Item = Vec3>) -> Vec3 {
    let (sum, count) = points.fold((Vec3::ZERO, 0u32), |(sum, count), x| (sum + x, count + 1));
    sum * (1.0 / f64::from(count.max(1)))
}

/// Root of the mean square about the mean.
fn spread(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt()
}
