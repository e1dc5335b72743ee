//! The contacts of a step, as a step needs them: terms of its equations or constraints, islands, pattern, what is new.

use super::{Contact, Coupling, Detector, Moving, Response, constrain, couple, islands};
use crate::constraint::ConstraintSet;
use crate::drive::Loads;
use crate::integrator::Scheme;
use crate::model::Model;
use crate::state::State;
use pliant_linalg::Vec3;

/// Share by which a load must change within a step to count as new.
const NEW_LOAD: f64 = 0.1;

/// See the file header.
pub(crate) struct Touch {
    /// None where nothing can ever touch.
    detector: Option<Detector>,
    /// Contacts as terms of the equations, where penalties are asked for.
    pub couplings: Vec<Coupling>,
    /// Friction impulses of the couplings where friction is a filter, N·s; else empty.
    pub friction: Vec<Vec3>,
    /// Constraints of the step, contacts first where they are constraints.
    pub set: ConstraintSet,
    /// For each body the smallest one it hangs together with.
    pub islands: Vec<u32>,
    /// Nodes tied by contacts between bodies.
    pub cliques: Vec<[u32; 4]>,
    /// Bodies with a new contact or load.
    pub fresh: Vec<bool>,
    /// Depth of the deepest contact, m.
    pub max_penetration: f64,
    loads_before: Loads,
}

impl Touch {
    pub fn new(model: &Model) -> Touch {
        let possible = model.contact.is_active(model.bodies.len());
        Touch {
            detector: possible.then(|| Detector::new(model)),
            couplings: Vec::new(),
            friction: Vec::new(),
            set: ConstraintSet::default(),
            islands: (0..model.bodies.len() as u32).collect(),
            cliques: Vec::new(),
            fresh: vec![false; model.bodies.len()],
            max_penetration: 0.0,
            loads_before: Loads::default(),
        }
    }

    /// Contacts at the start of a step with these loads at its end.
    pub fn find(&mut self, model: &Model, state: &State, scheme: &Scheme, loads: &Loads, h: f64) {
        self.fresh.fill(false);
        self.set.clear();
        self.note_new_loads(model, state, loads, h);
        self.note_new_cuts(model, state, h);
        let Some(detector) = &mut self.detector else {
            return;
        };
        let at = Moving {
            positions: &state.positions,
            velocities: &state.velocities,
            time: state.time,
            h,
        };
        detector.detect(model, at);
        let contacts = detector.contacts();
        let depth = |deepest: f64, c: &Contact| deepest.max(c.depth);
        self.max_penetration = contacts.iter().fold(0.0, depth);
        match model.contact.response {
            Response::Constraint => {
                let speed = detector.separation_speed(&model.contact);
                self.set.slack = detector.negligible() / scheme.h;
                constrain(model, state, scheme, contacts, speed, h, &mut self.set);
            }
            Response::Penalty => {
                let (x, v) = (&state.positions, &state.velocities);
                couple(model, x, v, scheme, contacts, &mut self.couplings);
                self.islands = islands(model, contacts);
                let between = contacts.iter().filter(|c| c.obstacle.is_none());
                self.cliques.clear();
                self.cliques.extend(between.map(|c| c.nodes));
            }
        }
        for contact in contacts.iter().filter(|c| c.fresh) {
            for &node in &contact.nodes[..contact.count] {
                if let Some(body) = model.body_index_of_node(node as usize) {
                    self.fresh[body] = true;
                }
            }
        }
    }

    /// The contacts of the step.
    pub fn contacts(&self) -> &[Contact] {
        self.detector.as_ref().map_or(&[], Detector::contacts)
    }

    /// Marks bodies with a seam that has opened since the step before: what it held is a new load.
    fn note_new_cuts(&mut self, model: &Model, state: &State, h: f64) {
        let seams = &model.seams;
        let before = seams.due(state.time - h, h).min(seams.open());
        for seam in &seams.all()[before..seams.open()] {
            let node = seam.pairs.first().map(|pair| pair[0] as usize);
            if let Some(body) = node.and_then(|node| model.body_index_of_node(node)) {
                self.fresh[body] = true;
            }
        }
    }

    /// Marks bodies whose load changes within the step by more than a tenth, or that a drive takes hold of or lets go.
    fn note_new_loads(&mut self, model: &Model, state: &State, loads: &Loads, h: f64) {
        if model.drives.is_empty() {
            return;
        }
        let t = state.time;
        self.loads_before.gather(model, &state.positions, t, h);
        for (index, drive) in model.drives.iter().enumerate() {
            let before = &self.loads_before;
            let change = (loads.totals[index] - before.totals[index]).norm();
            let new = change > NEW_LOAD * loads.totals[index].norm()
                || loads.has_spring_of(index) != before.has_spring_of(index)
                || drive.action.prescribes_at(t + h) != drive.action.prescribes_at(t);
            let body = drive
                .first_node()
                .and_then(|node| model.body_index_of_node(node));
            if let Some(body) = body.filter(|_| new) {
                self.fresh[body] = true;
            }
        }
    }
}
