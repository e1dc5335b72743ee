//! Time integrators as one form: find v with M(v − ṽ) + ĥ C v = ĥ f(x̃ + ĥ v), then x⁺ = x̃ + ĥ v.
//!
//! Backward Euler: x̃ = x, ṽ = v, ĥ = h. BDF2 with step ratio ω = h/h₋ [HNW93, III.5]:
//! x̃ = a x − b x₋, ṽ = a v − b v₋, ĥ = h(1+ω)/(1+2ω), a = (1+ω)²/(1+2ω), b = ω²/(1+2ω).
//! Quasi-static: backward Euler without the inertia and damping terms.

use crate::settings::Integrator;
use crate::state::State;
use pliant_linalg::Vec3;

/// Base of one step; see the file header.
#[derive(Clone, Debug, Default)]
pub struct Scheme {
    /// x̃, m.
    pub base: Vec<Vec3>,
    /// ṽ, m/s.
    pub velocity: Vec<Vec3>,
    /// ĥ, s.
    pub h: f64,
    /// Factor of H in a linearised step.
    pub beta: f64,
    /// Whether mass and damping act.
    pub inertia: bool,
    /// Whether the step is one linear solve.
    pub linear: bool,
}

impl Scheme {
    /// Prepares the step of length `h` from `state`.
    pub fn begin(&mut self, integrator: Integrator, state: &State, h: f64) {
        self.h = h;
        self.beta = 1.0;
        self.inertia = integrator != Integrator::QuasiStatic;
        self.linear = false;
        self.base.clone_from(&state.positions);
        self.velocity.clone_from(&state.velocities);
        match (integrator, &state.previous) {
            (Integrator::LinearImplicit { beta }, _) => {
                self.beta = beta;
                self.linear = true;
            }
            (Integrator::Bdf2, Some(previous)) => {
                let ratio = h / previous.h;
                let a = (1.0 + ratio) * (1.0 + ratio) / (1.0 + 2.0 * ratio);
                let b = ratio * ratio / (1.0 + 2.0 * ratio);
                self.h = h * (1.0 + ratio) / (1.0 + 2.0 * ratio);
                for (base, &old) in self.base.iter_mut().zip(&previous.positions) {
                    *base = *base * a - old * b;
                }
                for (velocity, &old) in self.velocity.iter_mut().zip(&previous.velocities) {
                    *velocity = *velocity * a - old * b;
                }
            }
            (Integrator::QuasiStatic, _) => self.velocity.fill(Vec3::ZERO),
            _ => {}
        }
    }

    /// x = x̃ + ĥ v.
    pub fn positions(&self, v: &[Vec3], x: &mut [Vec3]) {
        for ((x, &base), &v) in x.iter_mut().zip(&self.base).zip(v) {
            *x = base + v * self.h;
        }
    }
}
