//! Uniaxial and biaxial stress and simple shear against closed forms in principal stretches, at a point and on a mesh.

use super::case::{Check, Findings};
use super::setup::{equilibrium, hold, model, nodes_where};
use anyhow::{Context, Result};
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::generate;
use pliant_solid::material::{Lame, MaterialModel, MaterialSpecification};

const YOUNG: f64 = 1e5;
const POISSON: f64 = 0.3;
const STRETCH: f64 = 1.3;
const SHEAR: f64 = 0.4;
const SOURCE: &str = "closed form in principal stretches, derived by hand from the energy";

pub fn points(_: bool) -> Result<Findings> {
    let mut found = Findings::default();
    for material in MaterialModel::ALL {
        let specification = MaterialSpecification::new(material, YOUNG, POISSON, 1000.0);
        let ours = |f: &Mat3| {
            material
                .respond(f, specification.coefficients())
                .first_piola
        };
        let form = Form::new(&specification);
        let mut add = |what: &str, value: f64, reference: f64, tolerance: f64| {
            let name = format!("{what}, {}", material.name());
            let check = Check::new(name, value, reference, tolerance, SOURCE).unit("Pa");
            found.checks.push(check);
        };

        let lateral = root(|s| form.principal([STRETCH, s, s])[1]).context("no lateral stretch")?;
        let axial = form.principal([STRETCH, lateral, lateral])[0];
        let stretched = Mat3::diagonal(vec3(STRETCH, lateral, lateral));
        add("uniaxial stress", ours(&stretched).at(0, 0), axial, 1e-8);

        let thickness = root(|s| form.principal([1.2, 1.2, s])[2]).context("no thickness")?;
        let stretched = Mat3::diagonal(vec3(1.2, 1.2, thickness));
        let expected = form.principal([1.2, 1.2, thickness])[0];
        add("biaxial stress", ours(&stretched).at(1, 1), expected, 1e-8);

        let sheared = Mat3::from_rows([[1.0, SHEAR, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        add(
            "simple shear",
            ours(&sheared).at(0, 1),
            form.sheared(SHEAR),
            1e-8,
        );

        add(
            "uniaxial stress on a mesh",
            pulled(specification)?,
            axial,
            1e-4,
        );
    }
    Ok(found)
}

/// Force over area of a bar that is stretched between sliding ends.
fn pulled(material: MaterialSpecification) -> Result<f64> {
    let mesh = generate::bar(vec3(0.4, 0.1, 0.1), [4, 2, 2], generate::Split::Six)?;
    let on = |axis: usize, at: f64| nodes_where(&mesh, |x| (x[axis] - at).abs() < 1e-9);
    let drives = vec![
        hold(on(0, 0.0), [true, false, false], Vec3::ZERO),
        hold(on(1, 0.0), [false, true, false], Vec3::ZERO),
        hold(on(2, 0.0), [false, false, true], Vec3::ZERO),
        hold(
            on(0, 0.4),
            [true, false, false],
            vec3(0.4 * (STRETCH - 1.0), 0.0, 0.0),
        ),
    ];
    let simulation = equilibrium(model(mesh, material, drives, Vec3::ZERO)?)?;
    Ok(simulation.report().reactions[3].x / 0.01)
}

/// Where a function that rises changes its sign, in the stretches that matter here.
fn root(f: impl Fn(f64) -> f64) -> Option<f64> {
    let (mut low, mut high) = (0.3, 1.5);
    if f(low) > 0.0 || f(high) < 0.0 {
        return None;
    }
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        match f(middle) < 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    Some(0.5 * (low + high))
}

/// An energy as a function of principal stretches; its derivatives are written out here once more, without the engine's kernels.
struct Form {
    model: MaterialModel,
    mu: f64,
    lambda: f64,
    /// Share of the second invariant in Mooney–Rivlin.
    share: f64,
}

impl Form {
    fn new(specification: &MaterialSpecification) -> Form {
        let Lame { mu, lambda, .. } = Lame::from_young(YOUNG, POISSON);
        Form {
            model: specification.model,
            mu,
            lambda,
            share: specification.mooney_share,
        }
    }

    /// ∂ψ/∂λᵢ.
    fn principal(&self, stretch: [f64; 3]) -> [f64; 3] {
        use MaterialModel::*;
        let (mu, lambda) = (self.mu, self.lambda);
        let [a, b, c] = stretch;
        let (volume, squares) = (a * b * c, a * a + b * b + c * c);
        [0, 1, 2].map(|i| {
            let s = stretch[i];
            let area = volume / s;
            match self.model {
                // ψ = μ Σ(λ−1)² + ½ λ (Σ(λ−1))²: linear elasticity without rotation is the same
                Linear | Corotated | CorotatedFrozen => {
                    2.0 * mu * (s - 1.0) + lambda * (a + b + c - 3.0)
                }
                // ψ = μ ΣE² + ½ λ (ΣE)², E = ½(λ² − 1)
                StVenantKirchhoff => s * (mu * (s * s - 1.0) + 0.5 * lambda * (squares - 3.0)),
                // ψ = ½μ(Σλ² − 3) − μ ln J + ½λ ln²J
                NeoHookean => mu * (s - 1.0 / s) + lambda * volume.ln() / s,
                // ψ = ½μ(Σλ² − 3) + ½(λ+μ)(J − 1 − μ/(λ+μ))²
                StableNeoHookean => mu * s + ((lambda + mu) * (volume - 1.0) - mu) * area,
                // ψ = ½m(Σλ² − 3) − ½m ln(Σλ² + 1) + ½l(J − α)², m = 4μ/3, l = λ + 5μ/6, α = 1 + ¾ m/l
                StableNeoHookeanLog => {
                    let (m, l) = (4.0 / 3.0 * mu, lambda + 5.0 / 6.0 * mu);
                    m * s * (1.0 - 1.0 / (squares + 1.0)) + (l * (volume - 1.0) - 0.75 * m) * area
                }
                // ψ = ¼κ(J² − 1 − 2 ln J) + ½μ(J^(−2/3) Σλ² − 3)
                SplitNeoHookean => {
                    let bulk = lambda + 2.0 / 3.0 * mu;
                    let shape = mu * volume.powf(-2.0 / 3.0);
                    0.5 * bulk * (volume * volume - 1.0) / s + shape * (s - squares / (3.0 * s))
                }
                // ψ = ½μ₁(I − 3) + ½μ₂(II − 3) − (μ₁ + 2μ₂) ln J + ½λ' ln²J
                MooneyRivlin => {
                    let (first, second) = ((1.0 - self.share) * mu, self.share * mu);
                    let rest = lambda - 2.0 * second;
                    first * s
                        + second * s * (squares - s * s)
                        + (rest * volume.ln() - first - 2.0 * second) / s
                }
            }
        })
    }

    /// P₁₂ of F = 1 + γ e₁e₂ᵀ, whose J is 1.
    fn sheared(&self, gamma: f64) -> f64 {
        use MaterialModel::*;
        let (mu, lambda) = (self.mu, self.lambda);
        match self.model {
            // F⁻ᵀ has no such component, and II adds what I does
            Linear | NeoHookean | StableNeoHookean | MooneyRivlin | SplitNeoHookean => mu * gamma,
            StableNeoHookeanLog => 4.0 / 3.0 * mu * gamma * (1.0 - 1.0 / (4.0 + gamma * gamma)),
            // S₁₂ + γ S₂₂
            StVenantKirchhoff => mu * gamma + gamma.powi(3) * (mu + 0.5 * lambda),
            // the rotation of the polar decomposition turns by atan(γ/2)
            Corotated | CorotatedFrozen => {
                let half = (1.0 + 0.25 * gamma * gamma).sqrt();
                let sine = 0.5 * gamma / half;
                2.0 * mu * (gamma - sine) + lambda * (2.0 * half - 2.0) * sine
            }
        }
    }
}
