//! Some elements of a model with node numbers of their own, for the kernels: the cubature, and what is evaluated exactly.
//!
//! A cubature element of weight w is an element of w times its volume: energy, forces and stiffness are all linear in it. So one
//! kernel serves both parts of [TMDK15, Eq. 12], and the reduced forces are the gradient of a potential.

use crate::assembly::{
    ElementFault, ElementTangents, FollowedRotations, Forces, ScatterMap, TangentInput,
    TangentWeights, assemble_tangent,
};
use crate::element::{Element, ElementSet};
use crate::model::Model;
use pliant_linalg::{BlockMatrix, BlockPattern, SolveError, Vec3};
use std::sync::Arc;

/// See the file header.
pub(crate) struct Patch {
    elements: ElementSet,
    /// Number of elements.
    pub count: usize,
    /// Places of the elements that were given with weights, in their order, and their volumes.
    places: Vec<([u32; 2], f64)>,
    /// Present positions of the nodes, and those at the start of the step, m.
    pub positions: Vec<Vec3>,
    pub start: Vec<Vec3>,
    forces: Forces,
    /// Elastic forces less the damping forces, N, and the elastic energy with half the damping power times h, J.
    pub nodal: Vec<Vec3>,
    pub energy: f64,
    /// Elastic energy alone, J.
    pub elastic: f64,
    /// Tangents at the start of the step, for the damping.
    tangents: ElementTangents,
    work: [Vec<Vec3>; 2],
    /// Rows are nodes.
    pub matrix: BlockMatrix,
    scatter: ScatterMap,
    rows: Vec<u32>,
    /// Element evaluations since the count was taken, by forces and by tangents.
    pub evaluations: usize,
}

impl Patch {
    /// Of elements with weights; `number` gives a corner its number in the patch.
    pub fn new(
        model: &Model,
        places: &[Option<[u32; 3]>],
        list: &[(u32, f64)],
        rest: &[Vec3],
        number: impl Fn(u32, u32) -> u32,
    ) -> Result<Patch, SolveError> {
        let elements: Vec<Element> = list
            .iter()
            .filter_map(|&(e, weight)| {
                let mut element = model.elements.element(places[e as usize]?);
                element.nodes = element.nodes.map(|node| number(e, node));
                element.volume *= weight;
                Some(element)
            })
            .collect();
        let set = ElementSet::build(&elements, rest, model.bodies.len());
        let corners = elements.iter().map(|e| &e.nodes[..]);
        let pattern = BlockPattern::from_cliques(rest.len(), corners)?;
        let mut found = Vec::with_capacity(elements.len());
        for (index, pack) in set.packs.iter().enumerate() {
            let lanes = 0..pack.count;
            found.extend(lanes.map(|lane| (pack.elements[lane], [index as u32, lane as u32])));
        }
        found.sort_unstable();
        let place_of = |e: u32| {
            let at = found.binary_search_by_key(&e, |f| f.0).ok()?;
            let [pack, lane] = found[at].1;
            let volume = set.packs[pack as usize].volume.0[lane as usize];
            Some((found[at].1, volume))
        };
        let own = list.iter().filter_map(|&(e, _)| place_of(e)).collect();
        Ok(Patch {
            places: own,
            ..Patch::of(set, pattern, rest)
        })
    }

    /// Of these elements, whose blocks the pattern has.
    pub fn of(elements: ElementSet, pattern: BlockPattern, rest: &[Vec3]) -> Patch {
        let rows: Vec<u32> = (0..rest.len() as u32).collect();
        let nodes = vec![Vec3::ZERO; rest.len()];
        Patch {
            count: elements.element_count,
            places: Vec::new(),
            positions: rest.to_vec(),
            start: rest.to_vec(),
            forces: Forces::default(),
            nodal: nodes.clone(),
            energy: 0.0,
            elastic: 0.0,
            tangents: ElementTangents::default(),
            work: [nodes.clone(), nodes],
            scatter: ScatterMap::new(&elements, &rows, &pattern),
            matrix: BlockMatrix::new(Arc::new(pattern)),
            rows,
            elements,
            evaluations: 0,
        }
    }

    /// Lets an element of the list count, or not.
    pub fn switch(&mut self, index: usize, on: bool) {
        let ([pack, lane], volume) = self.places[index];
        let volumes = &mut self.elements.packs[pack as usize].volume.0;
        volumes[lane as usize] = if on { volume } else { 0.0 };
    }

    /// Whether an element of the list counts.
    pub fn is_on(&self, index: usize) -> bool {
        let ([pack, lane], _) = self.places[index];
        self.elements.packs[pack as usize].volume.0[lane as usize] > 0.0
    }

    /// Whether deforming it takes damping forces.
    pub fn is_damped(&self) -> bool {
        self.elements.has_stiffness_damping && self.count > 0
    }

    /// Keeps the tangents at `start`, which damping during the step is made from.
    pub fn begin_damping(&mut self, activations: &[f64]) {
        if self.is_damped() {
            let input = TangentInput {
                positions: &self.start,
                activations,
                rotations: &[],
            };
            let all = &self.elements.colours;
            self.tangents.prepare(&self.elements, all, input);
            self.evaluations += self.count;
        }
    }

    /// Forces and energies at `positions`; with damping over a step of length `h` so far, where one is given.
    pub fn evaluate(&mut self, activations: &[f64], h: Option<f64>) -> Result<(), ElementFault> {
        if self.count == 0 {
            return Ok(());
        }
        let (set, nodes) = (&self.elements, self.positions.len());
        let (x, nothing) = (&self.positions, FollowedRotations::default());
        self.evaluations += self.count;
        let all = &set.colours;
        (self.forces).evaluate_set(set, nodes, all, x, activations, None, nothing)?;
        self.nodal.copy_from_slice(&self.forces.nodal);
        self.elastic = self.forces.energy;
        self.energy = self.elastic;
        if let Some(h) = h.filter(|_| set.has_stiffness_damping) {
            let [v, drag] = &mut self.work;
            for ((v, &x), &start) in v.iter_mut().zip(x).zip(&self.start) {
                *v = (x - start) / h;
            }
            drag.fill(Vec3::ZERO);
            let weights = TangentWeights {
                stiffness: 0.0,
                damping: 1.0,
            };
            self.tangents.add_product(set, all, weights, v, drag);
            for ((f, &drag), &v) in self.nodal.iter_mut().zip(drag.iter()).zip(v.iter()) {
                *f -= drag;
                self.energy += 0.5 * h * v.dot(drag);
            }
        }
        Ok(())
    }

    /// The matrix Σ (stiffness + damping α₁) H at `positions`.
    pub fn assemble(&mut self, activations: &[f64], weights: TangentWeights) {
        self.matrix.set_zero();
        if self.count == 0 {
            return;
        }
        self.evaluations += self.count;
        let input = TangentInput {
            positions: &self.positions,
            activations,
            rotations: &[],
        };
        assemble_tangent(
            &self.elements,
            input,
            weights,
            &self.scatter,
            &self.rows,
            None,
            &mut self.matrix,
            &mut self.work[0],
        );
    }
}
