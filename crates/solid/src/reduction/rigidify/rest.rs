//! Bodies that rest, rigid throughout and hardly moving, with the loads and contacts that were found harmless when they were last looked
//! at; and those in free flight with the spin that they had then. A prediction for them would say the same again. What it stood on is
//! part of the state, so that a resumed run leaves out the same ones.

use super::super::StepContext;
use super::super::clump::{Clump, ClumpMotion, Tested};
use crate::constraint::{Law, Remembered, rate};
use crate::model::{Body, Model};
use pliant_linalg::Vec3;

/// Change of a load or contact force, as a share of the largest, that needs no new prediction; the same for spins. Less where the last
/// prediction came within `NEAR` of the threshold for strain rates, as a share of it: what has changed since may not make up for the rest.
const SAME: f64 = 1e-3;
const NEAR: f64 = 0.05;

/// What predictions stand on in this step: constraints by body, each with its force, and loads.
#[derive(Default)]
pub(super) struct Standing {
    forces: Vec<Vec<Remembered>>,
    /// Bodies that something new is about to touch.
    touched: Vec<bool>,
    totals: Vec<Vec3>,
    /// Length of the step, s.
    h: f64,
}

impl Standing {
    pub fn find(&mut self, context: &StepContext<'_>) {
        let StepContext {
            model, scheme, set, ..
        } = *context;
        self.forces.resize_with(model.bodies.len(), Vec::new);
        self.forces.iter_mut().for_each(Vec::clear);
        self.h = scheme.h;
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

    /// Whether a body rests or flies as it did when it was last looked at and found calm.
    pub fn repeats(&self, body: usize, motion: &Motion, tested: &Tested, limit: f64) -> bool {
        let room = 1.0 - (tested.largest / limit).sqrt(); // rates are squared
        let change = SAME * (room / NEAR).min(1.0);
        let flies = |spin| self.flies(body, tested, spin, change, limit);
        let flies = || motion.spin.is_some_and(flies);
        !self.touched[body]
            && room > 0.0
            && (motion.still && self.rests(body, tested, change) || flies())
    }

    fn rests(&self, body: usize, tested: &Tested, change: f64) -> bool {
        let (now, then) = (&self.forces[body], &tested.forces);
        let forces = now.iter().zip(then).map(|(a, b)| (a.force, b.force));
        now.len() == then.len()
            && now.iter().zip(then).all(|(a, b)| a.identity == b.identity)
            && are_same(forces, change)
            && self.has_loads_of(tested, change)
    }

    /// Whether loads have not changed since a body was last looked at, but for noise.
    pub fn has_same_loads(&self, tested: &Tested) -> bool {
        self.has_loads_of(tested, SAME)
    }

    fn has_loads_of(&self, tested: &Tested, change: f64) -> bool {
        let loads = self.totals.iter().zip(&tested.totals);
        self.totals.len() == tested.totals.len() && are_same(loads.map(|(&a, &b)| (a, b)), change)
    }

    /// Whether nothing but gravity acts on a body, and it spins as it did, or so little that it makes no difference: the centrifugal
    /// acceleration ω² r of a step strains at a rate of h ω².
    fn flies(&self, body: usize, tested: &Tested, spin: Vec3, most: f64, limit: f64) -> bool {
        let change = (spin - tested.spin).norm();
        let strains = |spin: Vec3| self.h * spin.norm_squared() > most * limit.sqrt();
        self.forces[body].is_empty()
            && self.totals.is_empty()
            && (change <= most * spin.norm() || !strains(spin) && !strains(tested.spin))
    }

    /// What a prediction with this outcome stood on.
    pub fn tested(&self, body: usize, largest: f64, spin: Vec3) -> Tested {
        Tested {
            largest,
            forces: self.forces[body].clone(),
            totals: self.totals.clone(),
            spin,
        }
    }
}

/// Whether vectors have changed by no more than a share of the largest of them.
fn are_same(pairs: impl Iterator<Item = (Vec3, Vec3)>, most: f64) -> bool {
    let (mut largest, mut change) = (0.0f64, 0.0f64);
    for (now, then) in pairs {
        largest = largest.max(now.norm());
        change = change.max((now - then).norm());
    }
    change <= most * largest
}

/// How a body moves that is rigid throughout.
pub(super) struct Motion {
    /// Whether it hardly does: by less than a strain rate would make of its size.
    pub still: bool,
    /// Its spin in the frame of its clump, if it is one that nothing pins.
    pub spin: Option<Vec3>,
}

/// How a body moves; none where it is not rigid throughout.
pub(super) fn motion(
    model: &Model,
    index: usize,
    body: &Body,
    clumps: &[Clump],
    motions: &[ClumpMotion],
    strain_rate: f64,
) -> Option<Motion> {
    let pairs = clumps.iter().zip(motions);
    let own: Vec<_> = pairs.filter(|(c, _)| c.body as usize == index).collect();
    let held: usize = own.iter().map(|(clump, _)| clump.nodes.len()).sum();
    if held != model.present_node_count(body) {
        return None;
    }
    let still = own.iter().all(|(clump, motion)| {
        let size = clump.size();
        motion.velocity.norm() + motion.spin.norm() * size < strain_rate * size
    });
    let spin = match own[..] {
        [(clump, motion)] if !clump.pinned => Some(motion.rotation.transpose() * motion.spin),
        _ => None,
    };
    Some(Motion { still, spin })
}
