//! One method on its way through the scene, and what is noted of it.

use super::energy::EnergyBalance;
use super::record::Record;
use crate::measure::deviation::Deviation;
use crate::measure::durations::Durations;
use crate::measure::timing::{Timing, time};
use pliant_scene::Scene;
use pliant_solid::Simulation;
use pliant_solid::strategy::Method;
use serde_json::{Map, Value, json};

/// See the file header. Results repeat, so means and maxima may run over all repetitions.
pub struct Entrant {
    pub method: Method,
    simulation: Option<Simulation>,
    /// Steps and their time in the present repetition, s.
    steps: u64,
    seconds: f64,
    /// Time of each repetition that came to its end, s.
    totals: Vec<f64>,
    step_seconds: Durations,
    deviation: Deviation,
    /// Errors of the frames of the present turn.
    pub turn_errors: Vec<f64>,
    pub balance: EnergyBalance,
    /// Sum over all steps, and their number.
    unknowns: (f64, u64),
    /// Why it could not go on.
    pub error: Option<String>,
    /// For the report.
    pub record: Record,
}

impl Entrant {
    pub fn new(method: Method) -> Entrant {
        Entrant {
            method,
            simulation: None,
            steps: 0,
            seconds: 0.0,
            totals: Vec::new(),
            step_seconds: Durations::new(),
            deviation: Deviation::default(),
            turn_errors: Vec::new(),
            balance: EnergyBalance::default(),
            unknowns: (0.0, 0),
            error: None,
            record: Record::default(),
        }
    }

    /// Goes to the start of the scene; who has failed before stays away.
    pub fn begin(&mut self, scene: &Scene) {
        if self.error.is_some() {
            return;
        }
        (self.steps, self.seconds) = (0, 0.0);
        self.record.begin(scene.step_count());
        match Simulation::new(scene.model.clone(), scene.settings.clone(), self.method) {
            Ok(simulation) => self.simulation = Some(simulation),
            Err(error) => {
                let name = self.method.name();
                self.error = Some(format!("the method `{name}` cannot start: {error}"));
            }
        }
    }

    /// Whether it goes on.
    pub fn is_running(&self) -> bool {
        self.simulation.is_some()
    }

    /// Whether its work may reach into the turns of others.
    pub fn works_in_background(&self) -> bool {
        let simulation = self.simulation.as_ref();
        simulation.is_some_and(Simulation::works_in_background)
    }

    /// Takes up to `count` steps. After each, in time that is not counted, `compare` notes the distance to the reference in
    /// the given step of the turn.
    pub fn take_turn(
        &mut self,
        count: u64,
        mut compare: impl FnMut(usize, &Simulation, &mut Deviation) -> Option<f64>,
    ) {
        self.turn_errors.clear();
        let Some(simulation) = &mut self.simulation else {
            return;
        };
        for step in 0..count {
            let (seconds, stepped) = time(|| simulation.step().map(|_| ()));
            self.seconds += seconds;
            if let Err(error) = stepped {
                self.error = Some(error.to_string());
                break;
            }
            self.steps += 1;
            self.step_seconds.note(seconds);
            let report = simulation.report();
            self.balance.note(&report.energies);
            self.unknowns.0 += report.active_dofs as f64;
            self.unknowns.1 += 1;
            let error = compare(step as usize, simulation, &mut self.deviation);
            self.record.note(simulation, self.seconds, error);
            self.turn_errors.extend(error);
        }
        // what it has left to do in the background is its own time, not that of the next
        let (seconds, ()) = time(|| simulation.settle());
        self.seconds += seconds;
        if self.error.is_some() {
            self.simulation = None;
        }
    }

    /// The repetition has come to its end.
    pub fn end(&mut self) {
        if self.simulation.take().is_some() {
            self.totals.push(self.seconds);
        }
    }

    /// Minimum and median of the repetitions; none for who has failed.
    fn timing(&self) -> Option<Timing> {
        let complete = self.error.is_none() && !self.totals.is_empty();
        complete.then(|| Timing::of(self.totals.clone()))
    }

    /// Its row beside the reference.
    pub fn row(&self, reference: &Entrant) -> Map<String, Value> {
        let timing = self.timing();
        let compared = timing.zip(reference.timing());
        let (sum, steps) = self.unknowns;
        let row = json!({
            "method": self.method.name(),
            "steps": self.steps,
            "failed": self.error.is_some(),
            "error": self.error,
            // of who has failed: until then
            "wall_seconds": timing.map_or(self.seconds, |t| t.minimum),
            "wall_seconds_median": timing.map(|t| t.median),
            "step_seconds_median": self.step_seconds.median(),
            "speedup": compared.map(|(own, reference)| reference.minimum / own.minimum),
            "max_vertex_error": self.deviation.largest(),
            "rms_vertex_error": self.deviation.root_mean_square(),
            "final_vertex_error": compared.and(self.deviation.last()),
            "mean_active_dofs": (steps > 0).then(|| sum / steps as f64),
            "energy_drift": self.balance.drift(reference.balance.scale),
        });
        match row {
            Value::Object(row) => row,
            _ => Map::new(),
        }
    }
}
