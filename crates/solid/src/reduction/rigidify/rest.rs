//! Bodies that rest: rigid throughout, hardly moving, with the loads and contacts that were found harmless when they were last looked at.
//! A prediction for them would say the same again. What it stood on is part of the state, so that a resumed run leaves out the same ones.

use super::super::StepContext;
use super::super::clump::{Clump, ClumpMotion, Tested};
use crate::constraint::{Law, Remembered, rate};
use crate::model::{Body, Model};
use pliant_linalg::Vec3;

/// Share of the threshold that the last prediction may have reached.
const CALM: f64 = 0.25;

/// Change of a load or contact force, as a share of the largest, that needs no new prediction.
const SAME: f64 = 1e-3;

/// What predictions stand on in this step: constraints by body, each with its force, and loads.
#[derive(Default)]
pub(super) struct Standing {
    forces: Vec<Vec<Remembered>>,
    /// Bodies that something new is about to touch.
    touched: Vec<bool>,
    totals: Vec<Vec3>,
}

impl Standing {
    pub fn find(&mut self, context: &StepContext<'_>) {
        let StepContext {
            model, scheme, set, ..
        } = *context;
        self.forces.resize_with(model.bodies.len(), Vec::new);
        self.forces.iter_mut().for_each(Vec::clear);
        self.touched.clear();
        self.touched.resize(model.bodies.len(), false);
        for (index, constraint) in set.constraints().iter().enumerate() {
            let impulse = context.impulses[index];
            let closing = || rate(set, index, &scheme.velocity, context.rigid).x < 0.0;
            let is_new = impulse == Vec3::ZERO
                && (!matches!(constraint.law, Law::Contact { .. }) || closing());
            for entry in set.nodes_of(index) {
                let Some(body) = model.body_index_of_node(entry.node as usize) else {
                    continue;
                };
                self.touched[body] |= is_new;
                if impulse != Vec3::ZERO {
                    let remembered = Remembered {
                        identity: constraint.identity,
                        force: constraint.frame.transpose() * impulse / scheme.h,
                    };
                    if self.forces[body].last() != Some(&remembered) {
                        self.forces[body].push(remembered);
                    }
                }
            }
        }
        for coupling in context.couplings {
            for (node, _) in coupling.ends() {
                if let Some(body) = model.body_index_of_node(node) {
                    self.touched[body] = true; // penalties are looked at in every step
                }
            }
        }
        self.totals.clear();
        self.totals.extend_from_slice(&context.loads.totals);
    }

    /// Whether a body rests as it did when it was last looked at.
    pub fn rests(&self, body: usize, tested: &Tested, limit: f64) -> bool {
        let same = |a: &[Vec3], b: &[Vec3]| {
            let largest = a.iter().map(|f| f.norm()).fold(0.0, f64::max);
            let change = a
                .iter()
                .zip(b)
                .map(|(a, b)| (*a - *b).norm())
                .fold(0.0, f64::max);
            a.len() == b.len() && change <= SAME * largest
        };
        let forces = |list: &[Remembered]| list.iter().map(|r| r.force).collect::<Vec<Vec3>>();
        let identities = self.forces[body].iter().map(|r| r.identity);
        !self.touched[body]
            && tested.largest < CALM * limit
            && identities.eq(tested.forces.iter().map(|r| r.identity))
            && same(&forces(&tested.forces), &forces(&self.forces[body]))
            && same(&tested.totals, &self.totals)
    }

    /// What a prediction with this outcome stood on.
    pub fn tested(&self, body: usize, largest: f64) -> Tested {
        Tested {
            largest,
            forces: self.forces[body].clone(),
            totals: self.totals.clone(),
        }
    }
}

/// Whether a body is rigid throughout and hardly moves: by less than `strain_rate` would make of its size.
pub(super) fn is_still(
    model: &Model,
    index: usize,
    body: &Body,
    clumps: &[Clump],
    motions: &[ClumpMotion],
    strain_rate: f64,
) -> bool {
    let own = || {
        clumps
            .iter()
            .zip(motions)
            .filter(|(c, _)| c.body as usize == index)
    };
    let held: usize = own().map(|(clump, _)| clump.nodes.len()).sum();
    let size = |clump: &Clump| (clump.inertia.trace() / clump.mass.max(f64::MIN_POSITIVE)).sqrt();
    held == model.present_node_count(body)
        && own().all(|(clump, motion)| {
            let size = size(clump);
            motion.velocity.norm() + motion.spin.norm() * size < strain_rate * size
        })
}
