//! What a budget costs in accuracy: every variant beside the converged run, over the whole scene.
//!
//! Distances are fractions of the diagonal of the body's rest bounding box, the worst body counts. Frames of 1/30 s.
//! Errors of a run that becomes unstable are those before. Collisions may amplify any difference: the row with the
//! tighter tolerance tells how far two converged runs come apart.

use super::candidate::Candidate;
use crate::measure::deviation::{Deviation, diagonals};
use anyhow::{Context, Result};
use pliant_linalg::Vec3;
use pliant_scene::Scene;
use pliant_solid::report::StepReport;
use pliant_solid::settings::EarlyCgSettings;
use rayon::prelude::*;
use serde_json::{Map, Value, json};

type Row = Map<String, Value>;

/// Steps between compared frames.
const STRIDE: usize = 5;

/// Growth of kinetic and elastic energy over the largest of the converged run that counts as an explosion.
const EXPLOSION: f64 = 100.0;

/// The converged run.
pub struct Reference<'a> {
    scene: &'a Scene,
    steps: usize,
    /// Positions at the frames.
    frames: Vec<Vec<Vec3>>,
    /// Kinetic energy after each step, J.
    kinetic: Vec<f64>,
    /// Largest kinetic energy, and largest sum with the elastic one, J.
    largest: [f64; 2],
    /// For each node the diagonal of its body's rest bounding box, m.
    diagonals: Vec<f64>,
}

impl<'a> Reference<'a> {
    /// Runs `reference` for so many steps.
    pub fn run(scene: &'a Scene, reference: Candidate, steps: usize) -> Result<Reference<'a>> {
        let mut simulation = reference.simulation(scene)?;
        let mut this = Reference {
            scene,
            steps,
            frames: Vec::new(),
            kinetic: Vec::new(),
            largest: [0.0; 2],
            diagonals: diagonals(&scene.model),
        };
        for step in 1..=steps {
            let report = simulation.step().with_context(|| scene.name.clone())?;
            let energies = [report.energies.kinetic, moving_energy(report)];
            this.kinetic.push(energies[0]);
            this.largest = [0, 1].map(|k| this.largest[k].max(energies[k]));
            if step % STRIDE == 0 {
                this.frames.push(simulation.state().positions.clone());
            }
        }
        Ok(this)
    }

    /// One row for each candidate.
    pub fn rows(&self, candidates: &[Candidate]) -> Result<Vec<Row>> {
        candidates.par_iter().map(|c| self.compare(c)).collect()
    }

    fn compare(&self, candidate: &Candidate) -> Result<Row> {
        let mut simulation = candidate.simulation(self.scene)?;
        let mut deviation = Deviation::default();
        let (mut kinetic_error, mut energy_left) = (0.0_f64, 0.0_f64);
        let (mut iterations, mut taken) = (0, 0);
        let mut failed_at = None;
        for step in 1..=self.steps {
            let stepped = simulation.step();
            let sound = |r: &&StepReport| moving_energy(r) <= EXPLOSION * self.largest[1];
            let Some(report) = stepped.ok().filter(sound) else {
                failed_at = Some(simulation.state().time);
                break;
            };
            taken += 1;
            iterations += report.solve.iterations;
            energy_left = energy_left.max(report.solve.energy_left);
            let difference = report.energies.kinetic - self.kinetic[step - 1];
            kinetic_error = kinetic_error.max(difference.abs());
            if step % STRIDE == 0 {
                let frame = &self.frames[step / STRIDE - 1];
                deviation.note(&simulation.state().positions, frame, &self.diagonals);
            }
        }
        let mut row = Row::new();
        row.insert("part".into(), json!("error"));
        row.insert("scene".into(), json!(self.scene.name));
        row.insert("contact".into(), json!(self.touches()));
        row.extend(candidate.facts().as_object().cloned().unwrap_or_default());
        let facts = json!({
            "seconds": self.steps as f64 * EarlyCgSettings::STEP,
            "stable": failed_at.is_none(),
            "unstable_at": failed_at,
            "max_vertex_error": deviation.largest().unwrap_or(0.0),
            "rms_vertex_error": deviation.root_mean_square().unwrap_or(0.0),
            "max_kinetic_error": kinetic_error / self.largest[0].max(f64::MIN_POSITIVE),
            "iterations_mean": iterations as f64 / f64::from(taken.max(1)),
            "energy_left_max": energy_left,
        });
        row.extend(facts.as_object().cloned().unwrap_or_default());
        Ok(row)
    }

    fn touches(&self) -> bool {
        let model = &self.scene.model;
        model.contact.is_active(model.bodies.len())
    }
}

/// Kinetic and elastic energy, J; NaN where they are not finite.
fn moving_energy(report: &StepReport) -> f64 {
    report.energies.kinetic + report.energies.elastic
}
