//! The stepper as others see it.

use super::Stepper;
use crate::assembly::Forces;
use crate::contact::ContactReadout;
use crate::model::Model;
use crate::reduction::{NO_CLUMP, ReducedSpace};
use crate::report::{StepError, StepReport};
use crate::settings::{Settings, StrainRates};
use crate::state::State;
use crate::stepping::Stepping;

impl Stepping for Stepper {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<&StepReport, StepError> {
        Stepper::step(self, model, state, h)
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn report(&self) -> &StepReport {
        &self.report
    }

    fn report_mut(&mut self) -> &mut StepReport {
        &mut self.report
    }

    fn forces(&self) -> Option<&Forces> {
        Some(&self.forces)
    }

    fn contacts(&self, model: &Model, state: &State) -> ContactReadout {
        ContactReadout::new(self, model, &state.positions, &state.velocities)
    }

    fn element_states(&self, model: &Model, state: &State) -> Option<Vec<u8>> {
        let clump_of = &state.rigidity.clump_of;
        let inside = |nodes: &[u32; 4]| {
            let clump = clump_of[nodes[0] as usize];
            let same = nodes.iter().all(|&node| clump_of[node as usize] == clump);
            match same && clump != NO_CLUMP {
                true => (clump % 255) as u8 + 1,
                false => 0,
            }
        };
        let elements = model.element_nodes.iter();
        (!clump_of.is_empty()).then(|| elements.map(inside).collect())
    }

    fn space(&self) -> &ReducedSpace {
        self.reduction.space()
    }

    fn limits(&self) -> &[StrainRates] {
        self.reduction.limits()
    }

    fn predictions(&self) -> Option<&[f64]> {
        self.reduction.predictions()
    }

    fn dynamic_nodes(&self) -> Option<Vec<(u32, bool)>> {
        self.solver.dynamic_nodes(self.reduction.space())
    }

    fn works_in_background(&self) -> bool {
        self.solver.is_lagged()
    }

    fn settle(&self) {
        self.solver.settle();
    }
}
