//! How fast bodies swing: the lowest natural frequency of each as it is held at the start, K u = ω² M u.
//!
//! Inverse iteration with a few vectors at once and Rayleigh's quotients in their span [GV13, §8.2], on K + s M, which is definite for free
//! bodies too. Rigid motions that the prescribed coordinates allow, which have ω = 0, are taken out of all vectors. A scale of
//! time to a few per cent, not a modal analysis. Contacts, joints and springs are left out.

use crate::assembly::{ScatterMap, TangentInput, TangentWeights, assemble_tangent};
use crate::model::{Body, Model};
use pliant_linalg::symmetric_eigen::symmetric_eigen;
use pliant_linalg::{
    BlockMatrix, Llt, LltSymbolic, Mat3, SolveError, SolveScratch, Vec3, orthonormalize,
};
use pliant_mesh::components::root;
use std::sync::Arc;

/// Vectors that are iterated together, at most.
const VECTORS: usize = 6;

/// Iterations, at most, and the relative change of ω² that ends them.
const ITERATIONS: usize = 40;
const SETTLED: f64 = 1e-9;

/// The shift s, as a share of the largest eigenvalue that single nodes suggest: far below all that is elastic, far above rounding.
const SHIFT: f64 = 1e-10;

/// Share of a motion's square below which it counts as allowed, or as none.
const NOTHING: f64 = 1e-10;

/// ω of each body, rad/s; none for rigid bodies and those that cannot deform. Of pieces that hang together by nothing the lowest counts.
pub(crate) fn lowest_frequencies(
    model: &Model,
    prescribed: &[[bool; 3]],
) -> Result<Vec<Option<f64>>, SolveError> {
    let pattern = Arc::new(model.elements.pattern(model.node_count(), &[])?);
    let rows: Vec<u32> = (0..model.node_count() as u32).collect();
    let map = ScatterMap::new(&model.elements, &rows, &pattern);
    let mut stiffness = BlockMatrix::new(pattern);
    let input = TangentInput {
        positions: &model.rest,
        activations: &vec![0.0; model.activations.len()],
        rotations: &[],
    };
    let weights = TangentWeights {
        stiffness: 1.0,
        damping: 0.0,
    };
    let elements = &model.elements;
    assemble_tangent(
        elements,
        input,
        weights,
        &map,
        &rows,
        None,
        &mut stiffness,
        &mut [],
    );
    let bodies = model.bodies.iter().map(|body| match body.rigid {
        Some(_) => Ok(None),
        None => Problem::new(model, body, &stiffness, prescribed)?.lowest(),
    });
    bodies.collect()
}

/// One body.
struct Problem {
    stiffness: BlockMatrix,
    /// Of K + s M; without values where there is none.
    factor: Llt,
    /// Square roots of the masses, zero at coordinates that do not move.
    roots: Vec<Vec3>,
    /// Rigid motions that are allowed, orthonormal after multiplication by the roots.
    rigid: Vec<Vec<f64>>,
    /// Coordinates that move.
    free: usize,
}

impl Problem {
    fn new(
        model: &Model,
        body: &Body,
        stiffness: &BlockMatrix,
        prescribed: &[[bool; 3]],
    ) -> Result<Problem, SolveError> {
        let nodes = body.nodes.clone();
        let mut own = BlockMatrix::new(Arc::new(stiffness.pattern().part(nodes.clone())?));
        let starts = stiffness.pattern().row_starts();
        let blocks = starts[nodes.start] as usize..starts[nodes.end] as usize;
        own.blocks_mut()
            .copy_from_slice(&stiffness.blocks()[blocks]);
        let moves = |node: usize, axis: usize| {
            model.mass[nodes.start + node] > 0.0 && !prescribed[nodes.start + node][axis]
        };
        let mut roots = vec![Vec3::ZERO; nodes.len()];
        let (mut held, mut largest) = (Vec::new(), 0.0f64);
        for (node, root) in roots.iter_mut().enumerate() {
            let mass = model.mass[nodes.start + node];
            for axis in 0..3 {
                match moves(node, axis) {
                    true => {
                        root[axis] = mass.sqrt();
                        largest = largest.max(own.diagonal_block(node).at(axis, axis) / mass);
                    }
                    false => held.push((3 * node + axis) as u32),
                }
            }
        }
        let rigid = (pieces(model, body).iter())
            .flat_map(|piece| allowed_motions(&model.rest[nodes.clone()], &roots, piece))
            .collect();
        own.mask_dofs(&held, 0.0)?;
        let mut shifted = own.clone();
        for (node, root) in roots.iter().enumerate() {
            // coordinates that do not move need a pivot
            let pivot = |r: f64| {
                if r > 0.0 {
                    SHIFT * largest * r * r
                } else {
                    1.0
                }
            };
            let [x, y, z] = root.to_array().map(pivot);
            shifted.add_diagonal(node, Mat3::diagonal(Vec3::new(x, y, z)));
        }
        let mut factor = Llt::new(Arc::new(LltSymbolic::new(shifted.pattern())?));
        if largest > 0.0 && largest.is_finite() {
            match factor.factorize(&shifted) {
                // slivers and stiffnesses far apart: a step tells with its own matrix whether that is too much
                Ok(())
                | Err(SolveError::NotPositiveDefinite { .. } | SolveError::NonFinite { .. }) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(Problem {
            free: 3 * nodes.len() - held.len(),
            stiffness: own,
            factor,
            roots,
            rigid,
        })
    }

    /// ω by inverse iteration; vectors are kept as M^½ u, in which the scalar product of masses is the usual one.
    fn lowest(&self) -> Result<Option<f64>, SolveError> {
        let count = VECTORS.min(self.free.saturating_sub(self.rigid.len()));
        if count == 0 || !self.factor.is_factorized() {
            return Ok(None);
        }
        let mut vectors: Vec<Vec<f64>> = (0..count).map(|k| self.start(k)).collect();
        let mut scratch = SolveScratch::new();
        let mut known = f64::INFINITY;
        for _ in 0..ITERATIONS {
            for vector in &mut vectors {
                let mut u = self.scaled(vector);
                self.factor.solve(&mut u, &mut scratch)?;
                *vector = self.weighted(&u);
                self.take_rigid(vector);
            }
            if orthonormalize(&mut vectors).is_err() {
                return Ok(None); // fewer ways to deform than coordinates
            }
            let squared = self.lowest_quotient(&vectors);
            if !(squared > 0.0 && squared.is_finite()) {
                return Ok(None);
            }
            if (known - squared).abs() <= SETTLED * squared {
                return Ok(Some(rounded(squared.sqrt())));
            }
            known = squared;
        }
        Ok(Some(rounded(known.sqrt())))
    }

    /// Lowest Rayleigh quotient in the span, ω².
    fn lowest_quotient(&self, vectors: &[Vec<f64>]) -> f64 {
        let n = vectors.len();
        let mut pushed = vec![Vec3::ZERO; self.roots.len()];
        let mut quotients = vec![0.0; n * n];
        let fields: Vec<Vec<Vec3>> = vectors.iter().map(|v| self.unweighted(v)).collect();
        for (column, field) in fields.iter().enumerate() {
            self.stiffness.multiply(field, &mut pushed);
            for (row, other) in fields.iter().enumerate() {
                let pairs = other.iter().zip(&pushed);
                quotients[row * n + column] = pairs.map(|(a, b)| a.dot(*b)).sum();
            }
        }
        let eigen = symmetric_eigen(&quotients, n);
        eigen.map_or(f64::NAN, |eigen| eigen.values[n - 1])
    }

    /// A start that no symmetry of the body has: well-spread phases, different for each vector.
    fn start(&self, k: usize) -> Vec<f64> {
        let golden = 0.618_033_988_749_894_9;
        let phase = |i: usize| ((i + 1) as f64 * golden * (k + 1) as f64).fract() - 0.5;
        let entries = self.roots.iter().flat_map(|root| root.to_array());
        let mut start: Vec<f64> = entries.enumerate().map(|(i, r)| r * phase(i)).collect();
        self.take_rigid(&mut start);
        start
    }

    fn take_rigid(&self, vector: &mut [f64]) {
        for motion in &self.rigid {
            let share: f64 = motion.iter().zip(&*vector).map(|(a, b)| a * b).sum();
            vector
                .iter_mut()
                .zip(motion)
                .for_each(|(v, m)| *v -= share * m);
        }
    }

    /// M u of M^½ u.
    fn scaled(&self, vector: &[f64]) -> Vec<Vec3> {
        self.each(vector, |v, root| v * root)
    }

    /// u of M^½ u.
    fn unweighted(&self, vector: &[f64]) -> Vec<Vec3> {
        self.each(vector, |v, root| if root > 0.0 { v / root } else { 0.0 })
    }

    fn each(&self, vector: &[f64], with: impl Fn(f64, f64) -> f64) -> Vec<Vec3> {
        let parts = vector.chunks_exact(3).zip(&self.roots);
        parts
            .map(|(v, r)| Vec3::new(with(v[0], r.x), with(v[1], r.y), with(v[2], r.z)))
            .collect()
    }

    fn weighted(&self, u: &[Vec3]) -> Vec<f64> {
        let pairs = u.iter().zip(&self.roots);
        pairs
            .flat_map(|(u, r)| [u.x * r.x, u.y * r.y, u.z * r.z])
            .collect()
    }
}

/// In single precision: further digits depend on how nodes are numbered.
fn rounded(frequency: f64) -> f64 {
    f64::from(frequency as f32)
}

/// Nodes of a body, in its own numbers, that hang together by elements.
fn pieces(model: &Model, body: &Body) -> Vec<Vec<usize>> {
    let first = body.nodes.start;
    let mut parents: Vec<u32> = (0..body.nodes.len() as u32).collect();
    let mut there = vec![false; body.nodes.len()];
    for nodes in &model.element_nodes[body.elements.clone()] {
        let [a, others @ ..] = nodes.map(|n| n - first as u32);
        there[a as usize] = true;
        for b in others {
            there[b as usize] = true;
            let (a, b) = (root(&mut parents, a), root(&mut parents, b));
            parents[a.max(b) as usize] = a.min(b);
        }
    }
    let mut pieces: Vec<(u32, Vec<usize>)> = Vec::new();
    for node in (0..there.len()).filter(|&node| there[node]) {
        let top = root(&mut parents, node as u32);
        match pieces.binary_search_by_key(&top, |(top, _)| *top) {
            Ok(at) => pieces[at].1.push(node),
            Err(at) => pieces.insert(at, (top, vec![node])),
        }
    }
    pieces.into_iter().map(|(_, nodes)| nodes).collect()
}

/// Rigid motions of a piece that leave alone what does not move, times the roots of masses, orthonormal.
fn allowed_motions(rest: &[Vec3], roots: &[Vec3], piece: &[usize]) -> Vec<Vec<f64>> {
    let own = || piece.iter().map(|&node| (rest[node], &roots[node]));
    let centre = own().fold(Vec3::ZERO, |sum, (x, _)| sum + x) / piece.len().max(1) as f64;
    let size = own().map(|(x, _)| (x - centre).norm());
    let size = size.fold(f64::MIN_POSITIVE, f64::max);
    let motion = |k: usize, x: Vec3| match k {
        0..3 => Vec3::AXES[k],
        _ => Vec3::AXES[k - 3].cross(x - centre) / size,
    };
    // what the six motions do to coordinates that do not move, by pairs; allowed are combinations that do nothing
    let (mut hindered, mut whole) = ([0.0; 36], [0.0; 36]);
    for (x, root) in own() {
        for (i, j) in (0..6).flat_map(|i| (0..6).map(move |j| (i, j))) {
            let (a, b) = (motion(i, x), motion(j, x));
            for axis in 0..3 {
                whole[6 * i + j] += a[axis] * b[axis];
                if root[axis] == 0.0 {
                    hindered[6 * i + j] += a[axis] * b[axis];
                }
            }
        }
    }
    let Some(eigen) = symmetric_eigen(&hindered, 6) else {
        return Vec::new();
    };
    let most = (0..6).map(|i| whole[7 * i]).fold(0.0, f64::max);
    let allowed = eigen.values.iter().zip(&eigen.vectors);
    let allowed = allowed.filter(|(value, _)| **value <= NOTHING * most);
    let fields = allowed.map(|(_, c)| -> Vec<f64> {
        let mut field = vec![0.0; 3 * rest.len()];
        for (&node, (x, r)) in piece.iter().zip(own()) {
            let u = (0..6).fold(Vec3::ZERO, |u, k| u + motion(k, x) * c[k]);
            field[3 * node..3 * node + 3].copy_from_slice(&[u.x * r.x, u.y * r.y, u.z * r.z]);
        }
        field
    });
    let mut fields: Vec<Vec<f64>> = fields
        .filter(|field| field.iter().any(|&v| v != 0.0))
        .collect();
    match orthonormalize(&mut fields) {
        Ok(()) => fields,
        Err(_) => Vec::new(), // a body of so few nodes that motions coincide
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{MaterialModel, MaterialSpecification};
    use crate::model::BodySpecification;
    use pliant_linalg::vec3;
    use pliant_mesh::generate::{Split, TriangleSplit, bar, rectangle};
    use pliant_mesh::mesh::{Elements, Mesh};
    use std::f64::consts::PI;

    fn model(mesh: Mesh) -> Model {
        let material =
            MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e5, 0.0, 1000.0);
        let body = BodySpecification::uniform("bar", mesh, material);
        Model::build(vec![body], Vec::new(), Vec3::ZERO).unwrap()
    }

    fn lowest(model: &Model, held: impl Fn(Vec3) -> bool) -> f64 {
        let planar = model.bodies[0].planar;
        let hold = |&x: &Vec3| match held(x) {
            true => [true; 3],
            false => [false, false, planar],
        };
        let prescribed: Vec<[bool; 3]> = model.rest.iter().map(hold).collect();
        lowest_frequencies(model, &prescribed).unwrap()[0].unwrap()
    }

    fn near(found: f64, wanted: f64, tolerance: f64) {
        assert!((found / wanted - 1.0).abs() < tolerance, "{found} {wanted}");
    }

    /// Bending of a cantilever, ω = 1.875² √(EI/ρA)/L²: a little above it, as coarse linear elements are.
    #[test]
    fn a_cantilever_bends() {
        let plane = model(rectangle([2.0, 0.2], [60, 6], TriangleSplit::Alternating).unwrap());
        let wanted = 1.8751f64.powi(2) * (1e5 * 0.04 / 12.0 / 1000.0f64).sqrt() / 4.0;
        near(lowest(&plane, |x| x.x < 1e-9), wanted, 0.08);
    }

    /// A free bar bends as ω = 4.7300² √(EI/ρA)/L², in the plane and in space; its six, or three, rigid motions do not count.
    #[test]
    fn a_free_bar_bends() {
        let wanted = 4.73f64.powi(2) * (1e5 * 0.04 / 12.0 / 1000.0f64).sqrt() / 4.0;
        let plane = model(rectangle([2.0, 0.2], [60, 6], TriangleSplit::Alternating).unwrap());
        near(lowest(&plane, |_| false), wanted, 0.08);
        let solid = model(bar(vec3(2.0, 0.2, 0.2), [40, 4, 4], Split::Five).unwrap());
        near(lowest(&solid, |_| false), wanted, 0.25);
    }

    /// A bar held at its sides in the other directions only stretches, ω = π/2 c/L with one end held.
    #[test]
    fn a_guided_bar_stretches() {
        let solid = model(bar(vec3(1.0, 0.1, 0.1), [20, 2, 2], Split::Five).unwrap());
        let guided = |&x: &Vec3| [x.x < 1e-9, true, true];
        let prescribed: Vec<[bool; 3]> = solid.rest.iter().map(guided).collect();
        let found = lowest_frequencies(&solid, &prescribed).unwrap()[0].unwrap();
        near(found, PI / 2.0 * 10.0, 0.01);
    }

    /// A bar that turns about an edge swings freely: the lowest frequency is that of its bending.
    #[test]
    fn a_hinge_is_no_stiffness() {
        let plane = model(rectangle([2.0, 0.2], [40, 4], TriangleSplit::Alternating).unwrap());
        // 3.9266² of a beam that is pinned at one end and free at the other
        let wanted = 3.9266f64.powi(2) * (1e5 * 0.04 / 12.0 / 1000.0f64).sqrt() / 4.0;
        let corner = |x: Vec3| x.x < 1e-9 && x.y < 1e-9;
        near(lowest(&plane, corner), wanted, 0.1);
    }

    /// Times scale as lengths do at the same material: half the size, twice as fast; and turned bodies are as fast.
    #[test]
    fn frequencies_scale() {
        let mesh = || bar(vec3(1.0, 0.2, 0.1), [10, 2, 1], Split::Five).unwrap();
        let one = lowest(&model(mesh()), |_| false);
        let mut other = mesh();
        let turn = Mat3::rotation(vec3(0.36, -0.48, 0.8), 0.8);
        other
            .positions
            .iter_mut()
            .for_each(|x| *x = turn * *x * 0.5);
        near(lowest(&model(other), |_| false), 2.0 * one, 0.03);
    }

    /// Two pieces of a body that do not hang together move apart at no cost; what counts is how the slower one swings.
    #[test]
    fn pieces_swing_on_their_own() {
        let piece = |length: f64, at: f64| {
            let mut mesh = bar(vec3(length, 0.2, 0.2), [10, 2, 2], Split::Five).unwrap();
            mesh.positions.iter_mut().for_each(|x| x.z += at);
            mesh
        };
        let alone = lowest(&model(piece(2.0, 0.0)), |_| false);
        let [long, short] = [piece(2.0, 0.0), piece(1.0, 1.0)];
        let first = long.node_count() as u32;
        let (Elements::Tetrahedra(mut all), Elements::Tetrahedra(others)) =
            (long.elements, short.elements)
        else {
            panic!("bars are solid");
        };
        all.extend(others.into_iter().map(|nodes| nodes.map(|n| n + first)));
        let positions = [long.positions, short.positions].concat();
        let (both, _) = Mesh::single_region(positions, Elements::Tetrahedra(all)).unwrap();
        near(lowest(&model(both), |_| false), alone, 1e-3);
    }

    #[test]
    fn what_cannot_deform_has_none() {
        let solid = model(bar(vec3(1.0, 0.1, 0.1), [2, 1, 1], Split::Five).unwrap());
        let all = vec![[true; 3]; solid.node_count()];
        assert_eq!(lowest_frequencies(&solid, &all).unwrap(), [None]);
    }
}
