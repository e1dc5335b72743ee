//! A scalar stand-in for the matrix of a step, factorised once: P ⊗ 1₃ ≈ A for any rotation of the body.
//!
//! P is the third of the trace of each block of A at rest, M + (βh² + hα₁) Σ V k ∇·∇ with k = (λ + 4μ)/3 for isotropic elements:
//! a Laplacian as in [LBK17] and [MWLK22, Section 3.5], with the stiffness damping that the paper leaves out (METHODS 3.2). Traces
//! do not change when a body turns. The paper drops entries of its factor; those below 1e-6, as it does, are none of ours.
//!
//! Our sparse factor works on 3×3 blocks, so nodes that follow each other in an elimination order are taken three at a time: the
//! matrix of a thousand nodes is one of 334 blocks, with three right-hand sides, one for each coordinate.

use crate::assembly::{ScatterMap, TangentInput, TangentWeights, assemble_tangent};
use crate::model::Model;
use pliant_linalg::{
    BlockMatrix, BlockPattern, Llt, LltSymbolic, Mat3, SolveError, SolveScratch, Vec3,
    elimination_order,
};
use std::ops::Range;
use std::sync::Arc;

/// Place of a node that is held.
const HELD: u32 = u32::MAX;

/// The scalar matrix of a model at rest, all bodies together, by nodes.
pub(super) struct ScalarMatrix {
    pattern: Arc<BlockPattern>,
    values: Vec<f64>,
}

impl ScalarMatrix {
    /// With the weights of a step.
    pub fn new(model: &Model, weights: TangentWeights) -> Result<ScalarMatrix, SolveError> {
        let pattern = Arc::new(model.elements.pattern(model.node_count(), &[])?);
        let rows: Vec<u32> = (0..model.node_count() as u32).collect();
        let map = ScatterMap::new(&model.elements, &rows, &pattern);
        let mut matrix = BlockMatrix::new(pattern.clone());
        let input = TangentInput {
            positions: &model.rest,
            activations: &vec![0.0; model.activations.len()],
            rotations: &[],
        };
        assemble_tangent(
            &model.elements,
            input,
            weights,
            &map,
            &rows,
            None,
            &mut matrix,
            &mut [],
        );
        let mut values = vec![0.0; pattern.block_count()];
        for body in &model.bodies {
            for node in body.nodes.clone() {
                let first = pattern.row_starts()[node] as usize;
                for k in first..first + pattern.row(node).len() {
                    let block = matrix.blocks()[k];
                    values[k] = match body.planar {
                        true => (block.at(0, 0) + block.at(1, 1)) / 2.0,
                        false => block.trace() / 3.0,
                    };
                }
                let damping = weights.damping * model.mass_damping[node];
                values[pattern.diagonal_position(node)] += model.mass[node] + damping;
            }
        }
        Ok(ScalarMatrix { pattern, values })
    }
}

/// The factor of one body; see the file header.
pub(super) struct Laplacian {
    factor: Llt,
    nodes: Range<usize>,
    /// Place of each node in the order, or [`HELD`].
    places: Vec<u32>,
    columns: Vec<f64>,
    scratch: SolveScratch,
    /// (P⁻¹)ᵢᵢ of the nodes that were asked for, 1/kg.
    compliances: Vec<Option<f64>>,
}

impl Laplacian {
    /// For the nodes of a body, of which some are held.
    pub fn new(
        matrix: &ScalarMatrix,
        nodes: Range<usize>,
        held: impl Fn(usize) -> bool,
    ) -> Result<Laplacian, SolveError> {
        let part = matrix.pattern.part(nodes.clone())?;
        let mut places = vec![HELD; nodes.len()];
        let mut count = 0u32;
        for &local in &elimination_order(&part)? {
            if !held(nodes.start + local as usize) {
                places[local as usize] = count;
                count += 1;
            }
        }
        let blocks = count.div_ceil(3) as usize;
        let mut edges = Vec::new();
        let place = |node: u32| places[node as usize - nodes.start];
        let pairs = |visit: &mut dyn FnMut(u32, u32, f64)| {
            for node in nodes.clone() {
                let (row, first) = (
                    place(node as u32),
                    matrix.pattern.row_starts()[node] as usize,
                );
                for (k, &other) in matrix.pattern.row(node).iter().enumerate() {
                    if row != HELD && place(other) != HELD {
                        visit(row, place(other), matrix.values[first + k]);
                    }
                }
            }
        };
        pairs(&mut |row, column, _| edges.push([row / 3, column / 3]));
        let pattern = Arc::new(BlockPattern::from_edges(blocks, &edges)?);
        let mut scalar = BlockMatrix::new(pattern.clone());
        pairs(&mut |row, column, value| {
            let mut block = Mat3::ZERO;
            block.set(row as usize % 3, column as usize % 3, value);
            scalar.add_block(row as usize / 3, column as usize / 3, block);
        });
        for rest in count..3 * blocks as u32 {
            let mut block = Mat3::ZERO;
            block.set(rest as usize % 3, rest as usize % 3, 1.0);
            scalar.add_diagonal(rest as usize / 3, block);
        }
        let order: Vec<u32> = (0..blocks as u32).collect();
        let mut factor = Llt::new(Arc::new(LltSymbolic::with_order(&pattern, &order)?));
        factor.factorize(&scalar)?;
        Ok(Laplacian {
            factor,
            compliances: vec![None; nodes.len()],
            nodes,
            places,
            columns: Vec::new(),
            scratch: SolveScratch::new(),
        })
    }

    /// y = P⁻¹ z, zero where nodes are held; z is given for all nodes of the model, y for those of the body.
    pub fn solve(&mut self, z: &[Vec3], y: &mut [Vec3]) -> Result<(), SolveError> {
        let length = 3 * self.factor.symbolic().row_count();
        self.columns.clear();
        self.columns.resize(3 * length, 0.0);
        let placed = |place: u32| (place != HELD).then_some(place as usize);
        for (&place, z) in self.places.iter().zip(&z[self.nodes.clone()]) {
            if let Some(place) = placed(place) {
                for (axis, z) in z.to_array().into_iter().enumerate() {
                    self.columns[axis * length + place] = z;
                }
            }
        }
        self.factor
            .solve_many(3, &mut self.columns, &mut self.scratch)?;
        for (&place, y) in self.places.iter().zip(y) {
            *y = placed(place).map_or(Vec3::ZERO, |place| {
                let [a, b, c] = [0, 1, 2].map(|axis| self.columns[axis * length + place]);
                Vec3::new(a, b, c)
            });
        }
        Ok(())
    }

    /// (P⁻¹)ᵢᵢ of a node: how far an impulse moves it, all else following; zero where it is held.
    pub fn compliance(&mut self, node: usize) -> Result<f64, SolveError> {
        let local = node - self.nodes.start;
        if let Some(known) = self.compliances[local] {
            return Ok(known);
        }
        let value = match self.places[local] {
            HELD => 0.0,
            place => {
                self.columns.clear();
                self.columns
                    .resize(3 * self.factor.symbolic().row_count(), 0.0);
                self.columns[place as usize] = 1.0;
                self.factor
                    .solve_many(1, &mut self.columns, &mut self.scratch)?;
                self.columns[place as usize]
            }
        };
        self.compliances[local] = Some(value);
        Ok(value)
    }
}
