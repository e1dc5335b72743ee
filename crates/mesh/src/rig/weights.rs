//! How much of each bone a node belongs to: heat that flows through the volume [BP07, Section 4; TMDK15, Section 4.1].
//!
//! Each bone in turn is warm and the others cold. A node takes heat from the nearest bone, the more the nearer it is, and gives
//! it to its neighbours: (L + Δ) w = Δ p with Δ = c/d², p = 1 where the warm bone is the nearest one, and the graph Laplacian L
//! with 1/|e|² for each edge. L + Δ is an M-matrix with row sums Δ, so that weights are in [0, 1] and sum to 1. Both terms scale
//! alike with the size of the mesh. One factorisation serves all bones.

use super::error::RigError;
use super::skeleton::Skeleton;
use crate::adjacency::edges;
use crate::mesh::Mesh;
use pliant_linalg::ScalarFactor;

/// Distances from bones below this share of the diagonal count as this, so that Δ stays finite on bones.
const NEAREST: f64 = 1e-4;

/// Distances from bones that differ by less than this share are equal: a node in a plane of symmetry belongs to both sides.
const SAME_DISTANCE: f64 = 1e-9;

/// Bones that are solved for together: two vectors of eight.
const COLUMNS: usize = 16;

/// How weights are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightOptions {
    /// c: the larger, the sharper the change from bone to bone.
    pub conductance: f64,
    /// Most bones a node; the least ones are dropped.
    pub most: usize,
    /// Weights below this are dropped.
    pub least: f64,
}

impl Default for WeightOptions {
    fn default() -> WeightOptions {
        WeightOptions {
            // that of the authors' hand (METHODS 2.5)
            conductance: 20.0,
            most: 4,
            least: 1e-3,
        }
    }
}

/// For each node some bones and how much it belongs to each, largest first; they sum to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinWeights {
    /// Where the entries of a node start, one more than there are nodes.
    pub starts: Vec<u32>,
    /// (bone, weight).
    pub entries: Vec<(u32, f64)>,
}

impl SkinWeights {
    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Bones and weights of a node, the largest weight first.
    #[inline]
    pub fn of(&self, node: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// The bone to which a node belongs most.
    #[inline]
    pub fn bone_of(&self, node: usize) -> u32 {
        self.of(node)[0].0
    }

    /// Every node belongs to one bone alone.
    pub fn single(node_count: usize, bone: u32) -> SkinWeights {
        SkinWeights {
            starts: (0..=node_count as u32).collect(),
            entries: vec![(bone, 1.0); node_count],
        }
    }

    /// Adds a node with these weights: keeps the largest, drops the least, makes the rest sum to 1.
    fn push(&mut self, mut weights: Vec<(u32, f64)>, options: &WeightOptions) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        // equal ones by number, so that the order does not depend on anything else
        weights.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        weights.truncate(options.most);
        // the largest stays whatever it is
        let small = weights.iter().skip(1).position(|w| w.1 < options.least);
        if let Some(small) = small {
            weights.truncate(small + 1);
        }
        let sum: f64 = weights.iter().map(|w| w.1).sum();
        self.entries
            .extend(weights.iter().map(|&(bone, weight)| (bone, weight / sum)));
        self.starts.push(self.entries.len() as u32);
    }
}

/// Weights of all nodes by the diffusion of heat.
pub fn heat_weights(
    mesh: &Mesh,
    skeleton: &Skeleton,
    options: &WeightOptions,
) -> Result<SkinWeights, RigError> {
    let WeightOptions {
        conductance, most, ..
    } = *options;
    if mesh.is_planar() {
        return Err(RigError::Planar);
    }
    if !(conductance > 0.0 && conductance.is_finite()) {
        return Err(RigError::BadConductance(conductance));
    }
    if most == 0 {
        return Err(RigError::NoWeights);
    }
    let (nodes, bones) = (mesh.node_count(), skeleton.bone_count());
    let smallest = NEAREST * mesh.diagonal();
    let near = nearest_bones(mesh, skeleton, smallest);
    let sources: Vec<f64> = (near.iter()).map(|(d, _)| conductance / (d * d)).collect();
    let mut diagonal = sources.clone();
    let edges: Vec<([u32; 2], f64)> = (edges(mesh).iter())
        .map(|&[a, b]| {
            let length = mesh.positions[a as usize] - mesh.positions[b as usize];
            let flow = 1.0 / length.norm_squared();
            diagonal[a as usize] += flow;
            diagonal[b as usize] += flow;
            ([a, b], -flow)
        })
        .collect();
    let mut factor = ScalarFactor::new(&diagonal, &edges)?;

    let mut found: Vec<Vec<(u32, f64)>> = vec![Vec::new(); nodes];
    let all: Vec<usize> = (0..bones).collect();
    for group in all.chunks(COLUMNS) {
        let mut columns = vec![0.0; nodes * group.len()];
        for (node, (_, owners)) in near.iter().enumerate() {
            for &owner in owners {
                if let Some(lane) = group.iter().position(|&bone| bone == owner as usize) {
                    columns[lane * nodes + node] = sources[node] / owners.len() as f64;
                }
            }
        }
        factor.solve_many(group.len(), &mut columns)?;
        for (lane, &bone) in group.iter().enumerate() {
            for (node, weights) in found.iter_mut().enumerate() {
                // rounding may leave −1e-17
                let weight = columns[lane * nodes + node].clamp(0.0, 1.0);
                if weight > 0.0 {
                    weights.push((bone as u32, weight));
                }
            }
        }
    }
    let mut weights = SkinWeights::default();
    for list in found {
        weights.push(list, options);
    }
    Ok(weights)
}

/// For each node the distance to the nearest bone, m, at least `smallest`, and the bones at that distance.
fn nearest_bones(mesh: &Mesh, skeleton: &Skeleton, smallest: f64) -> Vec<(f64, Vec<u32>)> {
    let near = |&point: &pliant_linalg::Vec3| {
        let distances: Vec<f64> = (0..skeleton.bone_count())
            .map(|bone| skeleton.distance(bone, point))
            .collect();
        let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
        // a joint is an end of several bones
        let limit = least * (1.0 + SAME_DISTANCE) + SAME_DISTANCE * smallest;
        let owners = (0..distances.len() as u32).filter(|&b| distances[b as usize] <= limit);
        (least.max(smallest), owners.collect())
    };
    mesh.positions.iter().map(near).collect()
}
