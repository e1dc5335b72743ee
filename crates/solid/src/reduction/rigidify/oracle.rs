//! Which elements of clumps would be strained in the coming step: an approximate solve of the whole system [MWLK22, Section 3.5].
//!
//! A Δv = z with z = h f − (hC + βh²H) v + impulses, by a few preconditioned iterations (one in the paper), each body with a step
//! length of its own. Impulses are those of the step before for contacts that were there; new ones get an estimate from the
//! stand-in's diagonal. Nothing is assembled: chunks with elastic elements have tangents at the present positions, all others those
//! of their shape, which do not change while it does not.
//!
//! Ours: a clump cannot move as it is urged to, so that what is out of balance would be predicted anew in every step, each time from
//! rest. So predicted velocities add up over some steps until they strain the element or go away: a body that
//! is taken for rigid at the turning point of a swing wakes again, and one that is in balance does not.
//!
//! What moves a free body as a whole is solved for exactly beforehand, and the forces that keep clumps turning are taken off,
//! so that neither a fall nor a spin looks like strain; the iteration has only deformation to find.

use super::super::StepContext;
use super::super::clump::{Clump, ClumpMotion, NO_CLUMP};
use super::Parts;
use super::laplacian::{Laplacian, ScalarMatrix};
use crate::assembly::{ElementTangents, TangentInput, TangentWeights, Visited, strain_rates};
use crate::constraint::{Law, rate};
use crate::model::{Body, Model};
use crate::readout::external_forces;
use pliant_linalg::{Mat3, SolveError, Vec3};
use rayon::prelude::*;

/// Sweeps over the contacts that are new.
const SWEEPS: usize = 8;

/// See the file header.
#[derive(Default)]
pub(super) struct Oracle {
    /// Weights that the stand-ins belong to, and they, one a body.
    weights: Option<TangentWeights>,
    scalar: Option<ScalarMatrix>,
    laplacians: Vec<Option<Laplacian>>,
    /// Of frozen chunks, in the frames of their clumps.
    tangents: ElementTangents,
    z: Vec<Vec3>,
    /// Correction, direction, A times direction.
    y: Vec<Vec3>,
    p: Vec<Vec3>,
    ap: Vec<Vec3>,
    /// What is predicted: velocities relative to a rigid motion.
    u: Vec<Vec3>,
    /// Fields in the frames of clumps.
    framed: [Vec<Vec3>; 2],
    rates: Vec<f64>,
    /// zᵀP⁻¹z of each body.
    products: Vec<f64>,
}

/// What the prediction stands on.
pub(super) struct Grounds<'a> {
    pub clumps: &'a [Clump],
    pub motions: &'a [ClumpMotion],
    pub clump_of: &'a [u32],
    pub shape: &'a [Vec3],
    pub parts: &'a Parts,
    /// Tangents of the active chunks.
    pub tangents: &'a ElementTangents,
    /// Whether each body has clumps and is looked at.
    pub bodies: &'a [bool],
    /// Coordinates that are prescribed, per node and axis.
    pub prescribed: &'a [[bool; 3]],
}

impl Grounds<'_> {
    /// Whether a body may move as a whole.
    fn is_free(&self, body: &Body) -> bool {
        let free = if body.planar {
            [false, false, true]
        } else {
            [false; 3]
        };
        self.prescribed[body.nodes.clone()]
            .iter()
            .all(|axes| *axes == free)
    }

    /// Zeroes the prescribed entries of a field.
    fn mask(&self, field: &mut [Vec3]) {
        for (v, axes) in field.iter_mut().zip(self.prescribed) {
            for axis in (0..3).filter(|&axis| axes[axis]) {
                v[axis] = 0.0;
            }
        }
    }
}

impl Oracle {
    /// Forgets stand-ins, because other nodes are held.
    pub fn forget(&mut self) {
        self.laplacians.clear();
    }

    /// Prepares the tangents of chunks that are frozen now.
    pub fn freeze(&mut self, model: &Model, chunks: &Visited, shape: &[Vec3], activations: &[f64]) {
        let input = TangentInput {
            positions: shape,
            activations,
            rotations: &[],
        };
        self.tangents.prepare(&model.elements, chunks, input);
    }

    /// ‖Ė‖² of each element inside a clump, 1/s², from what has added up in `urge`; entries of others mean nothing.
    pub fn predict(
        &mut self,
        context: &StepContext<'_>,
        grounds: &Grounds<'_>,
        urge: &mut [Vec3],
        iterations: usize,
        memories: &[u32],
    ) -> Result<&[f64], SolveError> {
        let StepContext { model, scheme, .. } = *context;
        let weights = TangentWeights {
            stiffness: scheme.beta * scheme.h * scheme.h,
            damping: scheme.h,
        };
        self.prepare(model, weights, grounds.bodies, grounds.prescribed)?;
        for field in [&mut self.y, &mut self.p, &mut self.ap, &mut self.u] {
            field.clear();
            field.resize(model.node_count(), Vec3::ZERO);
        }
        self.gather(context, grounds, weights)?;
        self.products.clear();
        self.products.resize(model.bodies.len(), 0.0);
        for _ in 0..iterations {
            self.iterate(model, grounds, weights)?;
        }
        self.strain(context, grounds, urge, memories);
        Ok(&self.rates)
    }

    /// ‖Ė‖² of this step's prediction alone.
    pub fn rates_of_step(&mut self, context: &StepContext<'_>, grounds: &Grounds<'_>) -> &[f64] {
        let u = std::mem::take(&mut self.u);
        self.fill_rates(context, grounds, &u);
        self.u = u;
        &self.rates
    }

    /// Stand-ins for the bodies that have clumps.
    pub fn prepare(
        &mut self,
        model: &Model,
        weights: TangentWeights,
        bodies: &[bool],
        prescribed: &[[bool; 3]],
    ) -> Result<(), SolveError> {
        if self.weights != Some(weights) {
            self.weights = Some(weights);
            self.scalar = Some(ScalarMatrix::new(model, weights)?);
            self.laplacians.clear();
        }
        self.laplacians.resize_with(model.bodies.len(), || None);
        let Some(scalar) = &self.scalar else {
            return Ok(());
        };
        for (index, body) in model.bodies.iter().enumerate() {
            if bodies[index] && self.laplacians[index].is_none() {
                let (nodes, held) = (body.nodes.clone(), |node: usize| {
                    prescribed[node] == [true; 3]
                });
                self.laplacians[index] = Some(Laplacian::new(scalar, nodes, held)?);
            }
        }
        Ok(())
    }

    /// z, without what moves bodies as a whole and what keeps clumps turning.
    fn gather(
        &mut self,
        context: &StepContext<'_>,
        grounds: &Grounds<'_>,
        weights: TangentWeights,
    ) -> Result<(), SolveError> {
        let StepContext { model, scheme, .. } = *context;
        let (h, x, v) = (scheme.h, &scheme.base, &scheme.velocity);
        let z = &mut self.z;
        z.resize(model.node_count(), Vec3::ZERO);
        external_forces(model, context.loads, x, z);
        for (node, z) in z.iter_mut().enumerate() {
            let elastic = context.forces.nodal[node];
            *z = (*z + elastic - v[node] * model.mass_damping[node]) * h;
        }
        for spring in &context.loads.springs {
            let node = spring.node as usize;
            z[node] -= v[node] * (weights.stiffness * spring.stiffness + h * spring.damping);
        }
        // elastic elements resist the present velocities
        let resisted = &mut self.ap;
        let (elements, watched) = (&model.elements, &grounds.parts.watched);
        (grounds.tangents).add_product(elements, watched, weights, v, resisted);
        for (z, resisted) in z.iter_mut().zip(resisted) {
            *z -= std::mem::take(resisted);
        }
        for (clump, motion) in grounds.clumps.iter().zip(grounds.motions) {
            let spin = motion.spin;
            for &node in &clump.nodes {
                let node = node as usize;
                z[node] += motion.rotation * context.forces.frozen[node] * h;
                if !clump.pinned {
                    let arm = motion.rotation * (grounds.shape[node] - clump.centre);
                    z[node] -= spin.cross(spin.cross(arm)) * (h * model.mass[node]);
                }
            }
        }
        for coupling in context.couplings {
            let impulse = coupling.impulse_at(v);
            for (node, w) in coupling.ends() {
                z[node] += impulse * w;
            }
        }
        for (index, &impulse) in context.impulses.iter().enumerate() {
            for entry in context.set.nodes_of(index) {
                z[entry.node as usize] += entry.block.transpose() * impulse;
            }
        }
        self.estimate_new(context, grounds)?;
        grounds.mask(&mut self.z);
        for (index, body) in model.bodies.iter().enumerate() {
            if grounds.bodies[index] && grounds.is_free(body) {
                take_whole_motion(model, body, x, &mut self.z, None);
            }
        }
        Ok(())
    }

    /// Adds impulses for contacts that were not there a step ago: those that stop their nodes, which follow single impulses as the
    /// stand-in does [MWLK22, Eqs. 18 and 19]; they only push.
    fn estimate_new(
        &mut self,
        context: &StepContext<'_>,
        grounds: &Grounds<'_>,
    ) -> Result<(), SolveError> {
        let StepContext {
            model, scheme, set, ..
        } = *context;
        let mut fresh = Vec::new();
        for (index, constraint) in set.constraints().iter().enumerate() {
            let known = context.impulses[index] != Vec3::ZERO;
            if !known && matches!(constraint.law, Law::Contact { .. }) {
                fresh.push((index, 0.0f64));
            }
        }
        if fresh.is_empty() {
            return Ok(());
        }
        // velocities with what moves bodies as a whole
        let free = &mut self.y;
        free.copy_from_slice(&scheme.velocity);
        for (index, body) in model.bodies.iter().enumerate() {
            if grounds.bodies[index] && grounds.is_free(body) {
                take_whole_motion(model, body, &scheme.base, &mut self.z.clone(), Some(free));
            }
        }
        fresh.retain(|&(index, _)| rate(set, index, free, context.rigid).x < 0.0);
        let mut compliances = Vec::new();
        for &(index, _) in &fresh {
            let (mut sum, mut of_nodes) = (0.0, Vec::new());
            for entry in set.nodes_of(index) {
                let node = entry.node as usize;
                let body = model.body_index_of_node(node).unwrap_or(0);
                let compliance = match self.laplacians.get_mut(body) {
                    Some(Some(laplacian)) => laplacian.compliance(node)?,
                    _ => 0.0,
                };
                sum += entry.block.row(0).norm_squared() * compliance;
                of_nodes.push(compliance);
            }
            compliances.push((sum, of_nodes));
        }
        let moved = &mut self.u; // what the impulses add to the velocities
        for _ in 0..SWEEPS {
            for ((index, impulse), (sum, of_nodes)) in fresh.iter_mut().zip(&compliances) {
                if *sum <= 0.0 {
                    continue;
                }
                let mut closing = rate(set, *index, free, context.rigid).x;
                for entry in set.nodes_of(*index) {
                    closing += entry.block.row(0).dot(moved[entry.node as usize]);
                }
                let more = (*impulse - closing / sum).max(0.0) - *impulse;
                *impulse += more;
                for (entry, compliance) in set.nodes_of(*index).iter().zip(of_nodes) {
                    moved[entry.node as usize] += entry.block.row(0) * (more * compliance);
                }
            }
        }
        moved.fill(Vec3::ZERO);
        for (index, impulse) in fresh {
            for entry in set.nodes_of(index) {
                self.z[entry.node as usize] += entry.block.row(0) * impulse;
            }
        }
        Ok(())
    }

    /// One iteration of conjugate gradients for each body.
    fn iterate(
        &mut self,
        model: &Model,
        grounds: &Grounds<'_>,
        weights: TangentWeights,
    ) -> Result<(), SolveError> {
        let (z, y) = (&self.z, &mut self.y);
        // bodies have ranges of nodes one after the other
        let mut rest = &mut y[..];
        let mut shares = Vec::new();
        for body in &model.bodies {
            let (own, after) = rest.split_at_mut(body.nodes.len());
            shares.push(own);
            rest = after;
        }
        let solves = self
            .laplacians
            .par_iter_mut()
            .zip(shares)
            .zip(grounds.bodies);
        let solves = solves.map(|((laplacian, own), &wanted)| match laplacian {
            Some(laplacian) if wanted => laplacian.solve(z, own),
            _ => Ok(()),
        });
        solves.collect::<Result<Vec<()>, SolveError>>()?;
        grounds.mask(&mut self.y);
        let bodies = || {
            model
                .bodies
                .iter()
                .enumerate()
                .filter(|(b, _)| grounds.bodies[*b])
        };
        for (index, body) in bodies() {
            let nodes = body.nodes.clone();
            let product = dot(&self.z[nodes.clone()], &self.y[nodes.clone()]);
            let before = std::mem::replace(&mut self.products[index], product);
            let again = if before > 0.0 { product / before } else { 0.0 };
            for node in nodes {
                self.p[node] = self.y[node] + self.p[node] * again;
            }
        }
        self.multiply(model, grounds, weights);
        for (index, body) in bodies() {
            let nodes = body.nodes.clone();
            let stiffness = dot(&self.p[nodes.clone()], &self.ap[nodes.clone()]);
            if stiffness > 0.0 {
                let length = self.products[index] / stiffness;
                for node in nodes {
                    self.u[node] += self.p[node] * length;
                    self.z[node] -= self.ap[node] * length;
                }
            }
        }
        Ok(())
    }

    /// A times the direction.
    fn multiply(&mut self, model: &Model, grounds: &Grounds<'_>, weights: TangentWeights) {
        let (p, ap) = (&self.p, &mut self.ap);
        for (node, ap) in ap.iter_mut().enumerate() {
            *ap = p[node] * (model.mass[node] + weights.damping * model.mass_damping[node]);
        }
        let (elements, parts) = (&model.elements, grounds.parts);
        (grounds.tangents).add_product(elements, &parts.watched, weights, p, ap);
        let [from, to] = &mut self.framed;
        into_frames(grounds, p, from);
        to.clear();
        to.resize(p.len(), Vec3::ZERO);
        (self.tangents).add_product(elements, &parts.frozen, weights, from, to);
        for (clump, motion) in grounds.clumps.iter().zip(grounds.motions) {
            for &node in &clump.nodes {
                ap[node as usize] += motion.rotation * to[node as usize];
            }
        }
        grounds.mask(ap);
    }

    /// Adds the predicted velocities to what has come together, and finds the strain rates of that.
    fn strain(
        &mut self,
        context: &StepContext<'_>,
        grounds: &Grounds<'_>,
        urge: &mut [Vec3],
        memories: &[u32],
    ) {
        let model = context.model;
        let mut total = std::mem::take(&mut self.y);
        for (index, body) in (model.bodies.iter().enumerate()).filter(|(b, _)| grounds.bodies[*b]) {
            let keep = 1.0 - 1.0 / f64::from(memories[index].max(1));
            for node in body.nodes.clone() {
                total[node] = match grounds.motions.get(grounds.clump_of[node] as usize) {
                    Some(motion) => {
                        let urge = &mut urge[node];
                        *urge = *urge * keep + motion.rotation.transpose() * self.u[node];
                        motion.rotation * *urge
                    }
                    None => self.u[node],
                };
            }
        }
        self.fill_rates(context, grounds, &total);
        self.y = total;
    }

    fn fill_rates(&mut self, context: &StepContext<'_>, grounds: &Grounds<'_>, v: &[Vec3]) {
        let StepContext { model, scheme, .. } = *context;
        let (h, parts) = (scheme.h, grounds.parts);
        let [framed, moved] = &mut self.framed;
        moved.clear();
        moved.extend(v.iter().map(|&v| v * h));
        self.rates.resize(model.element_count(), 0.0);
        strain_rates(
            model,
            &parts.watched,
            &scheme.base,
            moved,
            None,
            h,
            &mut self.rates,
        );
        into_frames(grounds, moved, framed);
        strain_rates(
            model,
            &parts.frozen,
            grounds.shape,
            framed,
            None,
            h,
            &mut self.rates,
        );
    }
}

/// A field in the frames of the clumps; zero at other nodes.
fn into_frames(grounds: &Grounds<'_>, field: &[Vec3], framed: &mut Vec<Vec3>) {
    framed.clear();
    let inverse: Vec<Mat3> = grounds
        .motions
        .iter()
        .map(|m| m.rotation.transpose())
        .collect();
    framed.extend(
        grounds
            .clump_of
            .iter()
            .zip(field)
            .map(|(&clump, &f)| match clump {
                NO_CLUMP => Vec3::ZERO,
                clump => inverse[clump as usize] * f,
            }),
    );
}

/// Takes the impulses that move a body as a whole off `z`, or adds the velocities that they cause to `v`.
fn take_whole_motion(
    model: &Model,
    body: &Body,
    x: &[Vec3],
    z: &mut [Vec3],
    v: Option<&mut Vec<Vec3>>,
) {
    let (mut mass, mut centre) = (0.0, Vec3::ZERO);
    for node in body.nodes.clone() {
        mass += model.mass[node];
        centre += x[node] * model.mass[node];
    }
    centre = centre / mass;
    let (mut linear, mut angular, mut inertia) = (Vec3::ZERO, Vec3::ZERO, Mat3::ZERO);
    for node in body.nodes.clone() {
        let arm = x[node] - centre;
        linear += z[node];
        angular += arm.cross(z[node]);
        inertia += (Mat3::IDENTITY * arm.norm_squared() - Mat3::outer(arm, arm)) * model.mass[node];
    }
    if body.planar {
        (linear.z, angular.x, angular.y) = (0.0, 0.0, 0.0);
    }
    let (velocity, spin) = (
        linear / mass,
        inertia.inverse().unwrap_or(Mat3::ZERO) * angular,
    );
    let rigid = |node: usize| velocity + spin.cross(x[node] - centre);
    match v {
        Some(v) => body.nodes.clone().for_each(|node| v[node] += rigid(node)),
        None => body
            .nodes
            .clone()
            .for_each(|node| z[node] -= rigid(node) * model.mass[node]),
    }
}

fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
