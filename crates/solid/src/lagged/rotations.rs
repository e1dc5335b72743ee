//! How far the surroundings of each node have turned: what lets an old factor follow a body that rotates.
//!
//! The rotation of a node is that which carries the edges around it from rest to the present best, in the sense of least
//! squares: the polar factor of Σ (xⱼ − xᵢ)(Xⱼ − Xᵢ)ᵀ. Of a body that turns as a whole it is the body's own.

use crate::model::Model;
use crate::reduction::ReducedSpace;
use pliant_linalg::lanes::{LANES, LaneMat3, LaneVec3, Pack};
use pliant_linalg::polar::exact_rotation;
use pliant_linalg::{Mat3, Vec3, each, vectorize};
use rayon::prelude::*;

/// Packs of nodes that one thread handles.
const BATCH: usize = 32;

/// See the file header.
#[derive(Debug, Default)]
pub(super) struct NodeRotations {
    /// Neighbours of each row's node, as nodes.
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    /// What each row may do.
    turning: Vec<Turning>,
    /// One a row.
    pub rotations: Vec<Mat3>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Turning {
    Space,
    Plane,
    /// A roller: turning it would mix what is known with what is not.
    Never,
}

impl NodeRotations {
    /// For the rows of a space.
    pub fn new(model: &Model, space: &ReducedSpace) -> NodeRotations {
        let rows = space.row_count();
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(12 * model.element_count());
        for nodes in &model.element_nodes {
            for &a in nodes {
                let others = nodes.iter().filter(|&&b| b != a);
                pairs.extend(others.map(|&b| (a, b)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0u32];
        let mut neighbours = Vec::with_capacity(pairs.len());
        for &node in space.kept() {
            let first = pairs.partition_point(|&(a, _)| a < node);
            let of_node = pairs[first..].iter().take_while(|&&(a, _)| a == node);
            neighbours.extend(of_node.map(|&(_, b)| b));
            starts.push(neighbours.len() as u32);
        }
        let mut turning = vec![Turning::Space; rows];
        for &dof in space.masked() {
            turning[dof as usize / 3] = Turning::Never;
        }
        for (body, rows) in model.bodies.iter().zip(space.body_rows()) {
            if body.planar {
                for row in rows.clone() {
                    let masked = |axis: usize| {
                        let dof = (3 * row + axis) as u32;
                        space.masked().binary_search(&dof).is_ok()
                    };
                    if !masked(0) && !masked(1) {
                        turning[row] = Turning::Plane;
                    }
                }
            }
        }
        NodeRotations {
            starts,
            neighbours,
            turning,
            rotations: vec![Mat3::IDENTITY; rows],
        }
    }

    /// Finds all rotations at positions `x`.
    pub fn update(&mut self, model: &Model, space: &ReducedSpace, x: &[Vec3]) {
        let NodeRotations {
            starts,
            neighbours,
            turning,
            rotations,
        } = self;
        let rest = &model.rest;
        let covariance = |row: usize| {
            let node = space.kept()[row] as usize;
            let mut sum = match turning[row] {
                Turning::Never => return Mat3::IDENTITY,
                Turning::Space => Mat3::ZERO,
                Turning::Plane => Mat3::diagonal(Vec3::new(0.0, 0.0, 1.0)),
            };
            let range = starts[row] as usize..starts[row + 1] as usize;
            for &other in &neighbours[range] {
                let other = other as usize;
                let (now, before) = (x[other] - x[node], rest[other] - rest[node]);
                sum += Mat3::outer(now, before) * before.norm_squared().recip();
            }
            sum
        };
        let batches = rotations.par_chunks_mut(LANES * BATCH).enumerate();
        batches.for_each(|(batch, rotations)| {
            for (pack, rotations) in rotations.chunks_mut(LANES).enumerate() {
                let first = (batch * BATCH + pack) * LANES;
                let mut entries = [[Pack::default(); 3]; 3];
                for lane in 0..rotations.len() {
                    let sum = covariance(first + lane);
                    for (column, entries) in sum.columns.iter().zip(&mut entries) {
                        for (axis, entry) in entries.iter_mut().enumerate() {
                            entry.0[lane] = column[axis];
                        }
                    }
                }
                nearest_rotations(&entries, rotations);
            }
        });
    }
}

/// The polar rotations of up to eight matrices, given by columns.
fn nearest_rotations(entries: &[[Pack; 3]; 3], rotations: &mut [Mat3]) {
    vectorize!(simd => {
        let columns = each!(c in 3 => LaneVec3(each!(r in 3 => entries[c][r].load(simd))));
        let found = exact_rotation(simd, &LaneMat3(columns));
        for (lane, rotation) in rotations.iter_mut().enumerate() {
            *rotation = found.lane(lane);
        }
    })
}
