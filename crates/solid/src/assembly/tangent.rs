//! The matrix Σₑ wₑ Hₑ, scattered straight into the rows that a reduced space keeps.
//!
//! Hₑ = V Bᵀ (∂²ψ/∂F²) B with the eigenvalues clamped at zero. Each 3×3 block is formed in the principal frame of F
//! (`Tangent::block_in_frame`) and turned once; blocks with corner 0 follow from Σₐ K_ab = 0.

use super::shared::SharedSlice;
use super::{ChunkKernel, deformation_gradient, for_each_chunk, gradients};
use crate::element::{ElementPack, ElementSet};
use crate::material::{self, Deformation, Hyperelastic};
use crate::model::Model;
use fearless_simd::Simd;
use pliant_linalg::lanes::{LANES, LaneMat3, LaneVec3, Lanes, Pack, splat};
use pliant_linalg::{BlockMatrix, BlockPattern, Vec3};

/// Row of a node that is not kept.
pub const NO_ROW: u32 = u32::MAX;

/// Factor of each element's stiffness: stiffness + damping · α₁.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TangentWeights {
    /// Factor of H, usually βh².
    pub stiffness: f64,
    /// Factor of C = Σ α₁ H, usually h.
    pub damping: f64,
}

impl TangentWeights {
    /// Weight times rest volume of a pack's elements.
    #[inline(always)]
    pub(super) fn of<S: Simd>(&self, simd: S, pack: &ElementPack) -> Lanes<S> {
        (pack.stiffness_damping.load(simd) * self.damping + self.stiffness) * pack.volume.load(simd)
    }
}

/// Where the 16 blocks of each element go in the value array of a matrix.
#[derive(Clone, Debug)]
pub struct ScatterMap {
    /// Per pack and lane: position of block (a, b) at 4a + b, or [`NO_ROW`].
    blocks: Vec<[[u32; 16]; LANES]>,
}

impl ScatterMap {
    /// For the rows given by `row_of` (node → row or [`NO_ROW`]) and a pattern that holds all element blocks.
    pub fn new(elements: &ElementSet, row_of: &[u32], pattern: &BlockPattern) -> ScatterMap {
        let position = |a: u32, b: u32| {
            let (row, column) = (row_of[a as usize], row_of[b as usize]);
            if row == NO_ROW || column == NO_ROW {
                return NO_ROW;
            }
            let found = pattern.position(row as usize, column as usize);
            found.map_or(NO_ROW, |p| p as u32)
        };
        let of_lane = |pack: &ElementPack, lane: usize| {
            std::array::from_fn(|k| position(pack.nodes[k / 4][lane], pack.nodes[k % 4][lane]))
        };
        let of_pack = |pack: &ElementPack| std::array::from_fn(|lane| of_lane(pack, lane));
        ScatterMap {
            blocks: elements.packs.iter().map(of_pack).collect(),
        }
    }
}

struct TangentKernel<'a> {
    positions: &'a [Vec3],
    activations: &'a [f64],
    weights: TangentWeights,
    map: &'a ScatterMap,
    values: SharedSlice<'a, f64>,
    row_of: &'a [u32],
    drift: Option<&'a [Vec3]>,
    rhs: SharedSlice<'a, Vec3>,
}

/// Adds Σ wₑ Hₑ to `matrix`; with a drift b (known nodal velocities) also subtracts its product from `rhs`:
/// rhs −= (Σ wₑ Hₑ) b on the kept rows.
#[allow(clippy::too_many_arguments)] // one call site; a struct would only repeat the names
pub fn assemble_tangent(
    model: &Model,
    positions: &[Vec3],
    activations: &[f64],
    weights: TangentWeights,
    map: &ScatterMap,
    row_of: &[u32],
    drift: Option<&[Vec3]>,
    matrix: &mut BlockMatrix,
    rhs: &mut [Vec3],
) {
    let kernel = TangentKernel {
        positions,
        activations,
        weights,
        map,
        values: SharedSlice::new(matrix.values_mut()),
        row_of,
        drift,
        rhs: SharedSlice::new(rhs),
    };
    let mut nothing = vec![(); model.elements.chunks.len()];
    for_each_chunk(&model.elements, &kernel, &mut nothing);
}

/// The 16 blocks of eight elements, each nine column-major entries.
type Blocks = [[[Pack; 9]; 4]; 4];

impl ChunkKernel for TangentKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd, M: Hyperelastic>(&self, simd: S, packs: &[ElementPack], first: usize) {
        let mut blocks: Blocks = [[[Pack::default(); 9]; 4]; 4];
        for (index, pack) in packs.iter().enumerate() {
            let g = gradients(simd, pack);
            let f = deformation_gradient(simd, pack, self.positions, &g);
            self.element_blocks::<S, M>(simd, pack, &f, &g, &mut blocks);
            self.scatter(pack, &self.map.blocks[first + index], &blocks);
        }
    }
}

impl TangentKernel<'_> {
    #[inline(always)]
    fn element_blocks<S: Simd, M: Hyperelastic>(
        &self,
        simd: S,
        pack: &ElementPack,
        f: &LaneMat3<S>,
        g: &[LaneVec3<S>; 3],
        blocks: &mut Blocks,
    ) {
        let weight = self.weights.of(simd, pack);
        let d = Deformation::with_svd(simd, *f);
        let c = material::load(simd, &pack.coefficients);
        let mut tangent = M::tangent(&d, &c).projected(simd);
        tangent.scaling = tangent.scaling.map(|e| e * weight);
        tangent.twist = tangent.twist.map(|e| e * weight);
        tangent.flip = tangent.flip.map(|e| e * weight);
        let in_frame = g.map(|g| tangent.v.transpose_times_vector(g));
        let fibre = pack.fibre.as_ref().map(|fibre| {
            let mut t = fibre
                .respond(simd, f, self.activations[fibre.channel])
                .tangent
                .projected(simd);
            t.first *= weight;
            t.second *= weight;
            let along = g.map(|g| t.direction.dot(g));
            (t, along)
        });

        let block = |a: usize, b: usize| {
            let k = tangent.block_in_frame(in_frame[a], in_frame[b]);
            let k = tangent.u.times(&k).times_transpose(&tangent.u);
            match &fibre {
                Some((t, along)) => k.add_scaled(splat(simd, 1.0), &t.block(along[a], along[b])),
                None => k,
            }
        };
        // corners 1…3, then K_0b = −Σₐ K_ab and K_00 = −Σ_b K_0b
        let k11 = block(0, 0);
        let k12 = block(0, 1);
        let k13 = block(0, 2);
        let k22 = block(1, 1);
        let k23 = block(1, 2);
        let k33 = block(2, 2);
        let minus_sum = |a: &LaneMat3<S>, b: &LaneMat3<S>, c: &LaneMat3<S>| {
            let minus = splat(simd, -1.0);
            LaneMat3(std::array::from_fn(|i| {
                a.0[i].plus(b.0[i]).plus(c.0[i]).scaled(minus)
            }))
        };
        let (k21, k31, k32) = (k12.transpose(), k13.transpose(), k23.transpose());
        let k01 = minus_sum(&k11, &k21, &k31);
        let k02 = minus_sum(&k12, &k22, &k32);
        let k03 = minus_sum(&k13, &k23, &k33);
        let k00 = minus_sum(&k01, &k02, &k03);
        let mut store = |a: usize, b: usize, k: &LaneMat3<S>| {
            for column in 0..3 {
                for row in 0..3 {
                    blocks[a][b][3 * column + row].store(k.at(row, column));
                    blocks[b][a][3 * row + column].store(k.at(row, column));
                }
            }
        };
        for (a, b, k) in [
            (0, 0, &k00),
            (0, 1, &k01),
            (0, 2, &k02),
            (0, 3, &k03),
            (1, 1, &k11),
            (1, 2, &k12),
            (1, 3, &k13),
            (2, 2, &k22),
            (2, 3, &k23),
            (3, 3, &k33),
        ] {
            store(a, b, k);
        }
    }

    #[inline(always)]
    fn scatter(&self, pack: &ElementPack, map: &[[u32; 16]; LANES], blocks: &Blocks) {
        for lane in 0..pack.count {
            for a in 0..4 {
                for b in 0..4 {
                    let position = map[lane][4 * a + b];
                    if position == NO_ROW {
                        continue;
                    }
                    let target = self.values.nine(9 * position as usize);
                    for entry in 0..9 {
                        target[entry] += blocks[a][b][entry].0[lane];
                    }
                }
            }
        }
        if let Some(drift) = self.drift {
            for lane in 0..pack.count {
                self.subtract_drift(pack, lane, drift, blocks);
            }
        }
    }

    /// rhs_a −= K_ab b_b for the corners of one lane.
    #[inline(always)]
    fn subtract_drift(&self, pack: &ElementPack, lane: usize, drift: &[Vec3], blocks: &Blocks) {
        for b in 0..4 {
            let known = drift[pack.nodes[b][lane] as usize];
            if known == Vec3::ZERO {
                continue;
            }
            for a in 0..4 {
                let row = self.row_of[pack.nodes[a][lane] as usize];
                if row == NO_ROW {
                    continue;
                }
                let k = &blocks[a][b];
                let component =
                    |r: usize| -(0..3).map(|c| k[3 * c + r].0[lane] * known[c]).sum::<f64>();
                self.rhs.add(
                    row as usize,
                    Vec3::new(component(0), component(1), component(2)),
                );
            }
        }
    }
}
