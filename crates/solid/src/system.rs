//! The linear system of one step or Newton iteration, GᵀAG z = Gᵀ(r − A b), in the form that the solver asked for.

use crate::assembly::{ElementTangents, NO_ROW, RowMap, TangentWeights};
use crate::contact::Coupling;
use crate::drive::Loads;
use crate::element::ElementSet;
use crate::integrator::Scheme;
use crate::model::Model;
use crate::reduction::ReducedSpace;
use pliant_linalg::{BlockMatrix, LinearOperator, Mat3, Vec3};
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// How the matrix is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One matrix with everything in it.
    Matrix,
    /// A matrix without the couplings between bodies, so that each body's rows are a matrix of their own.
    Bodies,
    /// Element tangents, node blocks and couplings, nothing added up but the diagonal.
    Elements,
    /// One matrix with the stiffness βh²H alone, springs and couplings included; what acts on single nodes is kept apart, and so is
    /// what prescribed motion pulls with.
    Stiffness,
}

/// What a body may do as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// Move and turn in space.
    Space,
    /// Move and turn in the plane of x and y.
    Plane,
    /// Some of its nodes are prescribed.
    Held,
}

/// The part of the system that belongs to one body.
#[derive(Clone, Debug)]
pub struct BodyPart {
    /// Its rows.
    pub rows: Range<usize>,
    /// The smallest body that it is coupled with, directly or through others.
    pub island: u32,
    /// Whether a contact or load is new in this step.
    pub fresh: bool,
    /// What it may do as a whole.
    pub freedom: Freedom,
}

/// See the file header.
#[derive(Clone, Debug)]
pub struct System {
    /// How the matrix is given.
    pub form: Form,
    /// GᵀAG; with [`Form::Elements`] only where the solver wanted it, and without couplings.
    pub matrix: BlockMatrix,
    /// Element tangents of [`Form::Elements`].
    pub tangents: ElementTangents,
    /// Weights of stiffness and damping in A.
    pub weights: TangentWeights,
    /// The model's elements.
    pub elements: Arc<ElementSet>,
    /// Rows of the elements' corners.
    pub row_map: RowMap,
    /// Node of each row, and the number of nodes.
    pub kept: Vec<u32>,
    /// See above.
    pub node_count: usize,
    /// What acts on single nodes in all directions: mass, mass damping, springs, kg.
    pub node_weights: Vec<f64>,
    /// What acts on single nodes in one direction more than in others: contacts with obstacles, kg; rows ascend.
    pub node_blocks: Vec<(u32, Mat3)>,
    /// Diagonal blocks of A, couplings included, kg.
    pub diagonal: Vec<Mat3>,
    /// Terms that tie nodes of different bodies.
    pub couplings: Vec<RowCoupling>,
    /// Prescribed scalar unknowns, 3·row + axis.
    pub masked: Vec<u32>,
    /// Gᵀ(r − A b); Gᵀr with [`Form::Stiffness`].
    pub rhs: Vec<Vec3>,
    /// −βh² H b of known velocities, and those by nodes; empty without, and in all forms but [`Form::Stiffness`].
    pub pull: Vec<Vec3>,
    /// See above.
    pub drift: Vec<Vec3>,
    /// Factor β of H in the step, and that of C.
    pub beta: f64,
    /// See above.
    pub damping_weight: f64,
    /// Impulses of constraints that `rhs` contains, Gᵀ Jᵀλ: at rest they cancel the rest of it. Empty for none.
    pub foreseen: Vec<Vec3>,
    /// The part of `rhs` that comes neither from elements nor from contacts between bodies, which have no sum and no moment.
    pub external: Vec<Vec3>,
    /// Mass of each row, kg.
    pub mass: Vec<f64>,
    /// Position of each row's node, m.
    pub positions: Vec<Vec3>,
    /// Further blocks of the matrix, by row and column: clumps, and what acts on nodes that follow them; kg, kg·m and kg·m².
    pub clump_blocks: Vec<(u32, u32, Mat3)>,
    /// The elements' matrix and right-hand side before the nodes that follow clumps are folded into them; none without clumps.
    pub unfolded: Option<(BlockMatrix, Vec<Vec3>)>,
    /// An elimination order of the rows, new → old, where one is known.
    pub order: Option<Arc<Vec<u32>>>,
    /// Bodies.
    pub bodies: Vec<BodyPart>,
    /// Revision of the space, see `ReducedSpace::revision`.
    pub revision: u64,
}

/// A [`Coupling`] in rows; nodes without a row have weight zero and repeat a row that has one.
#[derive(Clone, Copy, Debug)]
pub struct RowCoupling {
    /// Rows.
    pub rows: [u32; 4],
    /// Their weights.
    pub weights: [f64; 4],
    /// B, kg.
    pub block: Mat3,
    /// Whether it is against something that is not part of the system.
    pub external: bool,
}

impl RowCoupling {
    /// In the rows of a space; `None` when it keeps none of the nodes.
    pub fn new(coupling: &Coupling, row_of: &[u32]) -> Option<RowCoupling> {
        let kept = |&(node, _): &(usize, f64)| row_of[node] != NO_ROW;
        let (node, _) = coupling.ends().find(kept)?;
        let mut result = RowCoupling {
            rows: [row_of[node]; 4],
            weights: [0.0; 4],
            block: coupling.block,
            external: coupling.external,
        };
        for (i, (node, w)) in coupling.ends().filter(kept).enumerate() {
            result.rows[i] = row_of[node];
            result.weights[i] = w;
        }
        Some(result)
    }

    /// y += w B Σ w x, rows counted as `place` says.
    pub fn add_product(&self, place: impl Fn(u32) -> usize, x: &[Vec3], y: &mut [Vec3]) {
        let rows = self.rows.map(place);
        let combined = rows.iter().zip(&self.weights);
        let combined = combined.fold(Vec3::ZERO, |sum, (&row, &w)| sum + x[row] * w);
        let push = self.block * combined;
        for (&row, &w) in rows.iter().zip(&self.weights) {
            y[row] += push * w;
        }
    }
}

impl System {
    /// For a space, with nothing filled in.
    pub fn new(model: &Model, space: &ReducedSpace, form: Form) -> System {
        let rows = space.row_count();
        let mass_of = |&node: &u32| model.mass.get(node as usize).copied().unwrap_or(0.0);
        let mut positions = vec![Vec3::ZERO; rows];
        let mut mass: Vec<f64> = space.kept().iter().map(mass_of).collect();
        if let Some(slaves) = space.slaves() {
            slaves.weights(&mut mass, &mut positions);
        }
        let unfolded = space.slaves().map(|slaves| {
            let matrix = slaves.unfolded();
            let rhs = vec![Vec3::ZERO; matrix.row_count()];
            (matrix, rhs)
        });
        let no_rows = vec![NO_ROW; model.node_count()];
        let row_of = match form {
            Form::Elements => space.row_of(),
            _ => &no_rows, // nothing else asks
        };
        System {
            form,
            matrix: BlockMatrix::new(space.pattern().clone()),
            tangents: ElementTangents::default(),
            weights: TangentWeights {
                stiffness: 0.0,
                damping: 0.0,
            },
            elements: model.elements.clone(),
            row_map: RowMap::new(&model.elements, row_of, space.body_rows()),
            kept: space.kept().to_vec(),
            node_count: model.node_count(),
            node_weights: vec![0.0; rows],
            node_blocks: Vec::new(),
            diagonal: vec![Mat3::ZERO; rows],
            couplings: Vec::new(),
            masked: space.masked().to_vec(),
            rhs: vec![Vec3::ZERO; rows],
            pull: Vec::new(),
            drift: Vec::new(),
            beta: 1.0,
            damping_weight: 0.0,
            foreseen: Vec::new(),
            external: vec![Vec3::ZERO; rows],
            mass,
            positions,
            clump_blocks: Vec::new(),
            unfolded,
            order: space.order().cloned(),
            bodies: (model.bodies.iter().zip(space.body_rows()).enumerate())
                .map(|(index, (body, rows))| BodyPart {
                    rows: rows.clone(),
                    island: index as u32,
                    fresh: false,
                    freedom: freedom(
                        body.planar,
                        model.present_node_count(body),
                        rows,
                        space.masked(),
                    ),
                })
                .collect(),
            revision: space.revision(),
        }
    }
}

impl System {
    /// What acts on single nodes, and the couplings between several.
    pub(crate) fn fill_nodes(
        &mut self,
        model: &Model,
        space: &ReducedSpace,
        x: &[Vec3],
        loads: &Loads,
        couplings: &[Coupling],
        scheme: &Scheme,
    ) {
        let Scheme {
            h, beta, inertia, ..
        } = *scheme;
        for (row, &node) in space.kept().iter().enumerate() {
            let node = node as usize;
            let weight = match model.mass.get(node) {
                Some(mass) if inertia => mass + h * model.mass_damping[node],
                _ => 0.0, // clumps have theirs apart
            };
            self.node_weights[row] = weight;
            if let Some(&x) = x.get(node) {
                self.positions[row] = x;
            }
        }
        self.clump_blocks.clear();
        if let Some(slaves) = space.slaves() {
            slaves.inertia(h, inertia, &mut self.clump_blocks);
            slaves.weights(&mut self.mass, &mut self.positions);
        }
        let row_of = space.row_of();
        self.node_blocks.clear();
        for spring in &loads.springs {
            let row = row_of[spring.node as usize];
            let damping = if inertia { h * spring.damping } else { 0.0 };
            let stiffness = beta * h * h * spring.stiffness;
            if row == NO_ROW {
                let block = Mat3::IDENTITY * (stiffness + damping);
                self.add_following(space, &[(spring.node as usize, 1.0)], block);
            } else {
                if self.form == Form::Stiffness {
                    (self.node_blocks).push((row, Mat3::IDENTITY * stiffness));
                    self.node_weights[row as usize] += damping;
                } else {
                    self.node_weights[row as usize] += stiffness + damping;
                }
            }
        }
        self.couplings.clear();
        for coupling in couplings {
            let followers = space.slaves().is_some_and(|slaves| {
                let mut ends = coupling.ends();
                ends.any(|(node, _)| slaves.follows(node).is_some())
            });
            match (coupling.count, row_of[coupling.nodes[0] as usize]) {
                _ if followers => {
                    let ends: Vec<(usize, f64)> = coupling.ends().collect();
                    self.add_following(space, &ends, coupling.block);
                }
                (1, NO_ROW) => {}
                (1, row) => self.node_blocks.push((row, coupling.block)),
                _ => self.couplings.extend(RowCoupling::new(coupling, row_of)),
            }
        }
    }

    /// Adds w w' Gᵀ B G' for nodes with weights of which some follow clumps.
    fn add_following(&mut self, space: &ReducedSpace, ends: &[(usize, f64)], block: Mat3) {
        if space.slaves().is_none() {
            return;
        }
        for &(node, w) in ends {
            for &(other, v) in ends {
                for (row, left) in space.terms(node) {
                    for (column, right) in space.terms(other) {
                        let added = left.transpose() * block * right * (w * v);
                        self.clump_blocks.push((row, column, added));
                    }
                }
            }
        }
    }

    /// Adds the node blocks to the elements' matrix, the couplings too where one matrix holds everything, and turns prescribed
    /// unknowns into identity rows.
    pub(crate) fn complete_matrix(&mut self, space: &ReducedSpace) {
        if let (Some((unfolded, rhs)), Some(slaves)) = (&self.unfolded, space.slaves()) {
            slaves.fold(unfolded, &mut self.matrix);
            slaves.fold_rhs(rhs, &mut self.rhs);
        }
        for &(row, column, block) in &self.clump_blocks {
            let held = self.matrix.add_block(row as usize, column as usize, block);
            debug_assert!(held, "the pattern holds all pairs that couplings tie");
        }
        if self.form != Form::Stiffness {
            for (row, &weight) in self.node_weights.iter().enumerate() {
                self.matrix.add_diagonal(row, Mat3::IDENTITY * weight);
            }
        }
        for &(row, block) in &self.node_blocks {
            self.matrix.add_diagonal(row as usize, block);
        }
        if matches!(self.form, Form::Matrix | Form::Stiffness) {
            for coupling in &self.couplings {
                for (&i, &wi) in coupling.rows.iter().zip(&coupling.weights) {
                    for (&j, &wj) in coupling.rows.iter().zip(&coupling.weights) {
                        let block = coupling.block * (wi * wj);
                        let held = self.matrix.add_block(i as usize, j as usize, block);
                        debug_assert!(held, "the pattern holds the cliques of all couplings");
                    }
                }
            }
        }
        if !self.masked.is_empty() {
            let scale = self.mask_scale();
            // the masked unknowns exist in this matrix by construction of the space
            let masked = self.matrix.mask_dofs(&self.masked, scale);
            debug_assert!(masked.is_ok());
        }
        if self.form == Form::Bodies {
            self.diagonal.clear();
            self.diagonal.extend(self.matrix.diagonal_blocks());
            self.add_coupling_diagonals();
        }
    }

    /// The diagonal blocks without a matrix.
    pub(crate) fn fill_diagonal(&mut self, space: &ReducedSpace, work: &mut Vec<[f64; 8]>) {
        let nodes = space.row_of().len();
        (self.tangents).diagonal(&self.elements, self.weights, work, nodes);
        for (row, &node) in space.kept().iter().enumerate() {
            let elements = ElementTangents::diagonal_block(&work[node as usize]);
            self.diagonal[row] = Mat3::IDENTITY * self.node_weights[row] + elements;
        }
        for &(row, block) in &self.node_blocks {
            self.diagonal[row as usize] += block;
        }
        let scale = self.mask_scale();
        for &dof in &self.masked {
            let (block, axis) = (&mut self.diagonal[dof as usize / 3], dof as usize % 3);
            for other in 0..3 {
                block.set(axis, other, 0.0);
                block.set(other, axis, 0.0);
            }
            block.set(axis, axis, scale);
        }
        self.add_coupling_diagonals();
    }

    fn add_coupling_diagonals(&mut self) {
        for coupling in &self.couplings {
            for (&row, &w) in coupling.rows.iter().zip(&coupling.weights) {
                self.diagonal[row as usize] += coupling.block * (w * w);
            }
        }
    }

    /// Diagonal of prescribed unknowns: of the size of the others, kg.
    fn mask_scale(&self) -> f64 {
        self.mass.iter().sum::<f64>() / self.mass.len() as f64
    }

    /// rhs −= w B Σ w b for the known velocities b.
    pub(crate) fn subtract_coupled_drift(
        &mut self,
        space: &ReducedSpace,
        couplings: &[Coupling],
        drift: &[Vec3],
    ) {
        let pulled = match self.form {
            Form::Stiffness => &mut self.pull,
            _ => &mut self.rhs,
        };
        for coupling in couplings {
            let known = coupling.block * coupling.combine(drift);
            for (node, w) in coupling.ends() {
                for (row, block) in space.terms(node) {
                    let pull = block.transpose() * known * w;
                    pulled[row as usize] -= pull;
                    if coupling.external {
                        self.external[row as usize] -= pull;
                    }
                }
            }
        }
    }
}

impl System {
    /// Keeps known velocities, and room for what they pull with.
    pub(crate) fn keep_drift(&mut self, drift: Option<&[Vec3]>) {
        self.drift.clear();
        self.pull.clear();
        if let Some(drift) = drift {
            self.drift.extend_from_slice(drift);
            self.pull.resize(self.rhs.len(), Vec3::ZERO);
        }
    }

    /// The node blocks of a run of rows.
    pub fn node_blocks_of(&self, rows: &Range<usize>) -> &[(u32, Mat3)] {
        let before = |row: usize| {
            let blocks = &self.node_blocks;
            blocks.partition_point(|(r, _)| (*r as usize) < row)
        };
        &self.node_blocks[before(rows.start)..before(rows.end)]
    }
}

/// The matrix of a whole system of [`Form::Elements`].
pub struct SystemOperator<'a> {
    system: &'a System,
    /// Work space of products, nodal; one at a time needs it.
    nodal: Mutex<[Vec<Vec3>; 2]>,
}

impl SystemOperator<'_> {
    /// Of a filled system.
    pub fn new(system: &System) -> SystemOperator<'_> {
        SystemOperator {
            system,
            nodal: Mutex::default(),
        }
    }
}

impl LinearOperator for SystemOperator<'_> {
    fn row_count(&self) -> usize {
        self.system.kept.len()
    }

    fn apply(&self, x: &[Vec3], y: &mut [Vec3]) {
        let system = self.system;
        for ((y, &x), &weight) in y.iter_mut().zip(x).zip(&system.node_weights) {
            *y = x * weight;
        }
        let (tangents, elements) = (&system.tangents, &system.elements);
        let all = &elements.colours;
        if system.kept.len() == system.node_count {
            tangents.add_product(elements, all, system.weights, x, y);
        } else {
            let mut nodal = match self.nodal.lock() {
                Ok(nodal) => nodal,
                Err(poisoned) => poisoned.into_inner(), // every product overwrites it
            };
            let [from, to] = &mut *nodal;
            for vector in [&mut *from, &mut *to] {
                vector.clear();
                vector.resize(system.node_count, Vec3::ZERO);
            }
            for (&node, &x) in system.kept.iter().zip(x) {
                from[node as usize] = x;
            }
            tangents.add_product(elements, all, system.weights, from, to);
            for (&node, y) in system.kept.iter().zip(y.iter_mut()) {
                *y += to[node as usize];
            }
        }
        for &(row, block) in &system.node_blocks {
            y[row as usize] += block * x[row as usize];
        }
        for coupling in &system.couplings {
            coupling.add_product(|row| row as usize, x, y);
        }
        // directions never leave the unknowns that are free
        for &dof in &system.masked {
            y[dof as usize / 3][dof as usize % 3] = 0.0;
        }
    }
}

fn freedom(planar: bool, nodes: usize, rows: &Range<usize>, masked: &[u32]) -> Freedom {
    let before = |row: usize| masked.partition_point(|&dof| (dof as usize) < 3 * row);
    let masked = &masked[before(rows.start)..before(rows.end)];
    if rows.len() != nodes {
        Freedom::Held
    } else if masked.is_empty() {
        Freedom::Space
    } else if planar && masked.len() == nodes && masked.iter().all(|dof| dof % 3 == 2) {
        Freedom::Plane
    } else {
        Freedom::Held
    }
}
