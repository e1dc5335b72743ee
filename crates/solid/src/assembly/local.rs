//! The tangents of the eight elements of a pack, in the form that products and blocks are made from.
//!
//! Linear elasticity in a rotated frame (linear, corotated with frozen rotation) needs only the rotated shape gradients
//! h = Q g: K_ab = V [λ h_a h_bᵀ + µ h_b h_aᵀ + µ (h_a·h_b) 1], which is [DB19, Eq. 8] with its constant corrected (METHODS
//! 4.2). Everything else keeps the principal frame of F.

use super::field::LocalField;
use super::rotations::RotationPack;
use super::{deformation_gradient, gradients};
use crate::element::ElementPack;
use crate::material::{self, FibreTangent, MaterialModel, Tangent, VolumeResponse};
use fearless_simd::Simd;
use pliant_linalg::lanes::{LaneMat3, LaneVec3, Lanes, splat};
use pliant_linalg::polar::exact_rotation;
use pliant_linalg::{Vec3, each};

/// Where tangents are evaluated.
#[derive(Clone, Copy, Debug)]
pub struct TangentInput<'a> {
    /// Node positions, m.
    pub positions: &'a [Vec3],
    /// Activation of each fibre channel.
    pub activations: &'a [f64],
    /// Rotations at these positions, one a pack; may be empty, then they are decomposed.
    pub rotations: &'a [RotationPack],
}

/// ∂P/∂F of a pack, times whatever it was scaled by.
pub(super) struct LocalTangent<S: Simd> {
    pub form: Form<S>,
    /// Fibre tangent and aᵀg.
    pub fibre: Option<(FibreTangent<S>, [Lanes<S>; 3])>,
}

pub(super) enum Form<S: Simd> {
    /// Linear elasticity with rotated gradients h.
    Rotated {
        h: [LaneVec3<S>; 3],
        mu: Lanes<S>,
        lambda: Lanes<S>,
    },
    /// A tangent in the principal frame, and the gradients in its right frame, Vᵀg.
    Framed {
        tangent: Tangent<S>,
        in_frame: [LaneVec3<S>; 3],
    },
}

impl<S: Simd> LocalTangent<S> {
    /// The projected tangent of pack number `index`, per unit volume; `positions` are those of `input` at the chunk's nodes. Where parts
    /// of an octet share their volume, `shared` is the response to it; what couples them is not in here.
    #[inline(always)]
    pub fn at(
        simd: S,
        model: MaterialModel,
        pack: &ElementPack,
        index: usize,
        positions: &LocalField,
        input: &TangentInput<'_>,
        shared: Option<&VolumeResponse<S>>,
    ) -> Self {
        let g = gradients(simd, pack);
        let f = deformation_gradient(simd, pack, positions, &g);
        let c = material::load(simd, &pack.coefficients);
        let form = if model.is_rotated_linear() {
            let h = match (model, input.rotations.get(index)) {
                (MaterialModel::Linear, _) => g,
                (_, Some(rotation)) => rotated(&rotation.load(simd), &g),
                (_, None) => rotated(&exact_rotation(simd, &f), &g),
            };
            let [mu, lambda, _] = c;
            let lambda = match shared {
                Some(_) => splat(simd, 0.0), // all of it is shared
                None => lambda,
            };
            Form::Rotated { h, mu, lambda }
        } else {
            let tangent = match shared {
                Some(mean) => model.tangent_sharing_volume(simd, f, &c, mean),
                None => model.tangent(simd, f, &c),
            };
            let tangent = tangent.projected(simd);
            let in_frame = each!(a in 3 => tangent.v.transpose_times_vector(g[a]));
            Form::Framed { tangent, in_frame }
        };
        let fibre = match &pack.fibre {
            None => None,
            Some(fibre) => {
                let response = fibre.respond(simd, &f, input.activations[fibre.channel]);
                let t = response.tangent.projected(simd);
                Some((t, each!(a in 3 => t.direction.dot(g[a]))))
            }
        };
        LocalTangent { form, fibre }
    }

    /// Times a weight, and another for the modes in which stress resists turning: they have no part in damping.
    #[inline(always)]
    pub fn scale(&mut self, weight: Lanes<S>, turning: Lanes<S>) {
        match &mut self.form {
            Form::Rotated { mu, lambda, .. } => {
                *mu *= weight;
                *lambda *= weight;
            }
            Form::Framed { tangent, .. } => {
                tangent.scaling = each!(i in 6 => tangent.scaling[i] * weight);
                tangent.twist = each!(i in 3 => tangent.twist[i] * turning);
                tangent.flip = each!(i in 3 => tangent.flip[i] * weight);
            }
        }
        if let Some((t, _)) = &mut self.fibre {
            t.first *= turning;
            t.second *= weight;
        }
    }

    /// Block of corners a + 1, b + 1.
    #[inline(always)]
    pub fn block(&self, simd: S, a: usize, b: usize) -> LaneMat3<S> {
        let k = match &self.form {
            Form::Rotated { h, mu, lambda } => rotated_block(h[a], h[b], *mu, *lambda),
            Form::Framed { tangent, in_frame } => {
                let k = tangent.block_in_frame(in_frame[a], in_frame[b]);
                tangent.u.times(&k).times_transpose(&tangent.u)
            }
        };
        match &self.fibre {
            Some((t, along)) => k.add_scaled(splat(simd, 1.0), &t.block(along[a], along[b])),
            None => k,
        }
    }
}

impl<S: Simd> LocalTangent<S> {
    /// Block of a node with itself whose shape gradient is Σ factorsᵢ gᵢ.
    #[inline(always)]
    pub fn node_block(&self, simd: S, factors: &[Lanes<S>; 3]) -> LaneMat3<S> {
        let [a, b, c] = *factors;
        let of = |g: &[LaneVec3<S>; 3]| g[0].scaled(a).add_scaled(b, g[1]).add_scaled(c, g[2]);
        let k = match &self.form {
            Form::Rotated { h, mu, lambda } => {
                let h = of(h);
                rotated_block(h, h, *mu, *lambda)
            }
            Form::Framed { tangent, in_frame } => {
                let g = of(in_frame);
                let k = tangent.block_in_frame(g, g);
                tangent.u.times(&k).times_transpose(&tangent.u)
            }
        };
        match &self.fibre {
            None => k,
            Some((t, s)) => {
                let along = a * s[0] + b * s[1] + c * s[2];
                k.add_scaled(splat(simd, 1.0), &t.block(along, along))
            }
        }
    }
}

#[inline(always)]
fn rotated<S: Simd>(q: &LaneMat3<S>, g: &[LaneVec3<S>; 3]) -> [LaneVec3<S>; 3] {
    each!(a in 3 => q.times_vector(g[a]))
}

/// λ h_a h_bᵀ + µ h_b h_aᵀ + µ (h_a·h_b) 1.
#[inline(always)]
fn rotated_block<S: Simd>(
    a: LaneVec3<S>,
    b: LaneVec3<S>,
    mu: Lanes<S>,
    lambda: Lanes<S>,
) -> LaneMat3<S> {
    let (scaled_a, scaled_b) = (a.scaled(lambda), b.scaled(mu));
    let product = a.dot(scaled_b);
    let mut k = LaneMat3(each!(c in 3 => {
        scaled_a.scaled(b.0[c]).add_scaled(a.0[c], scaled_b)
    }));
    for i in 0..3 {
        k.0[i].0[i] += product;
    }
    k
}
