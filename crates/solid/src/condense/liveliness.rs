//! Which representatives are dynamic: all of them, or those whose surroundings deform fast enough [WKS20, Section 3].
//!
//! Every representative owns the elements that are nearest to it. Its metric is the mean of the entries of |Ṡ| over them, weighted by
//! volume, in 1/s [WKS20, Eq. 20], averaged over a window of steps. Ṡ comes from how positions moved, (x⁺ − x)/h, not from velocities:
//! those of quasi-static nodes lack what stabilisation moves, and a body that is quasi-static everywhere would never wake
//! (METHODS 1.2). Where no node has moved far enough to stretch anything by [`NEGLIGIBLE`] of the threshold, the metric of the step is
//! zero and Ṡ is not measured. A representative becomes dynamic above the threshold and quasi-static again below a share of it.

use crate::assembly::stretch_rates;
use crate::model::Model;
use crate::settings::{ConjacSettings, LivelinessSettings};
use pliant_linalg::Vec3;
use pliant_mesh::sampling::{self, EdgeGraph, NO_OWNER, farthest_nodes};

/// Share of the threshold for becoming quasi-static that a step may stretch without being measured.
const NEGLIGIBLE: f64 = 1e-3;

/// What the state remembers of the representatives, body by body; empty where all are dynamic.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Activity {
    /// Whether each is dynamic in the coming step.
    pub dynamic: Vec<bool>,
    /// Metrics of the last steps, 1/s, oldest first, at most as many as the window has.
    pub metrics: Vec<Vec<f64>>,
}

impl Activity {
    /// The metric of a representative over the window, 1/s.
    pub fn mean(&self, representative: usize) -> f64 {
        let of_steps = self.metrics.iter().map(|step| step[representative]);
        of_steps.sum::<f64>() / self.metrics.len().max(1) as f64
    }
}

/// See the file header.
pub(super) struct Liveliness {
    representatives: Vec<u32>,
    settings: Option<LivelinessSettings>,
    /// Representative that owns each element, or [`NO_OWNER`].
    owners: Vec<u32>,
    /// Volume that each owns, m³.
    volumes: Vec<f64>,
    activity: Activity,
    /// Largest sum of lengths of the shape gradients of an element, 1/m.
    steepest: f64,
    rates: Vec<f64>,
}

impl Liveliness {
    pub fn new(model: &Model, settings: &ConjacSettings) -> Liveliness {
        let mut representatives = Vec::new();
        let mut owners = vec![NO_OWNER; model.element_count()];
        for body in model.bodies.iter().filter(|b| b.rigid.is_none()) {
            let elements = &model.element_nodes[body.elements.clone()];
            let first = body.nodes.start as u32;
            let own = || elements.iter().map(|nodes| nodes.map(|node| node - first));
            let graph = EdgeGraph::new(&model.rest[body.nodes.clone()], own());
            let chosen = match &body.representatives {
                Some(given) => given.iter().map(|node| node - first).collect(),
                None => {
                    let held = model.drives.iter().flat_map(|drive| drive.held());
                    let held = held.filter(|&&node| body.nodes.contains(&(node as usize)));
                    let mut held: Vec<u32> = held.map(|node| node - first).collect();
                    // twins of a cut that is still closed
                    let count = body.nodes.len() as u32;
                    held.extend((0..count).filter(|n| model.mass[(first + n) as usize] == 0.0));
                    farthest_nodes(&graph, &[], &held, settings.count)
                }
            };
            if settings.adaptive.is_some() {
                let before = representatives.len() as u32;
                let found = sampling::owners(&graph, own(), &chosen);
                for (owner, found) in owners[body.elements.clone()].iter_mut().zip(found) {
                    if found != NO_OWNER {
                        *owner = before + found;
                    }
                }
            }
            representatives.extend(chosen.iter().map(|node| node + first));
        }
        let mut volumes = vec![0.0; representatives.len()];
        for (&owner, &volume) in owners.iter().zip(&model.element_volumes) {
            if let Some(sum) = volumes.get_mut(owner as usize) {
                *sum += volume;
            }
        }
        Liveliness {
            representatives,
            settings: settings.adaptive,
            owners,
            volumes,
            activity: Activity::default(),
            steepest: match settings.adaptive {
                Some(_) => steepest(model),
                None => 0.0,
            },
            rates: Vec::new(),
        }
    }

    /// A step begins from a state that remembers this; everything is quasi-static at first where that may change.
    pub fn begin(&mut self, remembered: &Activity) {
        if self.settings.is_none() {
            return;
        }
        self.activity.clone_from(remembered);
        if self.activity.dynamic.len() != self.representatives.len() {
            self.activity = Activity {
                dynamic: vec![false; self.representatives.len()],
                metrics: Vec::new(),
            };
        }
    }

    /// The nodes that may be dynamic.
    pub fn all(&self) -> &[u32] {
        &self.representatives
    }

    /// Those that are.
    pub fn dynamic(&self) -> impl Iterator<Item = u32> + '_ {
        let is_dynamic = |k: usize| self.activity.dynamic.get(k).copied().unwrap_or(true);
        let all = self.representatives.iter().enumerate();
        all.filter(move |(k, _)| is_dynamic(*k))
            .map(|(_, &node)| node)
    }

    /// What the state should remember.
    pub fn activity(&self) -> &Activity {
        &self.activity
    }

    /// A step of length `h` has moved the nodes: measures, and decides about the next.
    pub fn observe(&mut self, model: &Model, before: &[Vec3], after: &[Vec3], h: f64) {
        let Some(settings) = self.settings else {
            return;
        };
        let mut metrics = vec![0.0; self.representatives.len()];
        if self.is_still(settings, before, after, h) {
            self.rates.clear();
        } else {
            stretch_rates(model, before, after, h, &mut self.rates);
        }
        let rates = self.rates.iter().zip(&model.element_volumes);
        for ((rate, volume), &owner) in rates.zip(&self.owners) {
            if let Some(sum) = metrics.get_mut(owner as usize) {
                *sum += rate * volume;
            }
        }
        for (metric, &volume) in metrics.iter_mut().zip(&self.volumes) {
            *metric /= volume.max(f64::MIN_POSITIVE);
        }
        let Activity {
            dynamic,
            metrics: past,
        } = &mut self.activity;
        past.push(metrics);
        if past.len() > settings.window {
            past.remove(0);
        }
        let count = past.len() as f64;
        for (k, dynamic) in dynamic.iter_mut().enumerate() {
            let mean = past.iter().map(|step| step[k]).sum::<f64>() / count;
            let least = if *dynamic { settings.release } else { 1.0 };
            *dynamic = mean > settings.threshold * least;
        }
    }

    /// Whether every metric of a step is below [`NEGLIGIBLE`]. Of nodes that move by at most d, ‖Ḟ‖ h = ‖Σ (dₐ − d₀) gₐᵀ‖ ≤ 2 d Σ ‖gₐ‖,
    /// ‖Ṡ‖ ≤ ‖Ḟ‖ unless the element is inside out, and the mean of nine entries is at most a third of their norm, of four a half.
    fn is_still(
        &self,
        settings: LivelinessSettings,
        before: &[Vec3],
        after: &[Vec3],
        h: f64,
    ) -> bool {
        let squares = before
            .iter()
            .zip(after)
            .map(|(&a, &b)| (b - a).norm_squared());
        let farthest = squares.fold(0.0, f64::max).sqrt();
        farthest * self.steepest <= NEGLIGIBLE * settings.threshold * settings.release * h
    }
}

/// Largest sum of lengths of the shape gradients of an element, 1/m.
fn steepest(model: &Model) -> f64 {
    // the edges of a quadrature point weigh ten nodes with 5.8 in all, those of a linear element two with 1 each
    const QUADRATIC: f64 = 3.0;
    let sums = model.elements.packs.iter().flat_map(|pack| {
        let factor = pack.point().map_or(1.0, |_| QUADRATIC);
        (0..pack.count).map(move |lane| {
            let lengths = pack.gradients.iter().map(|g| {
                let squares = g.iter().map(|c| c.0[lane] * c.0[lane]);
                squares.sum::<f64>().sqrt()
            });
            factor * lengths.sum::<f64>()
        })
    });
    sums.fold(0.0, f64::max)
}
