//! Whether a run can be trusted: one line at its end, and advice about scenes that look like a mistake.

use pliant_linalg::{Mat3, Vec3};
use pliant_mesh::quality::{tetrahedron_radius_ratio, triangle_radius_ratio};
use pliant_solid::Simulation;
use pliant_solid::element::Element;
use pliant_solid::model::{Body, Model};
use pliant_solid::octet::Formulation;
use pliant_solid::settings::{Integrator, Settings};
use serde_json::{Value, json};

/// Poisson's ratio from which linear elements are visibly too stiff.
const LOCKING: f64 = 0.45;
/// Bodies larger than this, m, are rarely meant.
const HUGE: f64 = 200.0;
/// Radius ratio below which an element is a sliver.
const SLIVER: f64 = 0.01;

/// Gathers what the line says.
#[derive(Default)]
pub struct Health {
    /// Smallest radius ratio of an element at rest, 1 for the regular one.
    quality: f64,
    inverted: usize,
    residual: f64,
    /// Largest sum of kinetic and elastic energy and of what the integrator has taken, J; and that alone.
    energy: f64,
    loss: f64,
    retries: u64,
    advice: Vec<String>,
}

impl Health {
    pub fn new(model: &Model, settings: &Settings) -> Health {
        let worst = worst_quality(model);
        let mut advice = advice(model, settings);
        if worst < SLIVER {
            advice.push(format!(
                "the mesh has slivers (radius ratio {worst:.1e}, 1 is best): `pliant mesh repair` or a new mesh would make steps more accurate"
            ));
        }
        Health {
            quality: worst,
            advice,
            ..Health::default()
        }
    }

    /// Takes the last step into account.
    pub fn note(&mut self, simulation: &Simulation) {
        let report = simulation.report();
        let energies = &report.energies;
        self.inverted = self.inverted.max(report.inverted_elements);
        let residual = report.newton_residual.max(report.constraint_solve.residual);
        self.residual = self.residual.max(residual);
        self.loss = energies.integrator_loss;
        let present = energies.kinetic + energies.elastic + self.loss.abs();
        self.energy = self.energy.max(present);
        self.retries += u64::from(report.halvings > 0);
    }

    /// What the integrator has taken (positive) or added, as a share of the largest energy.
    fn energy_error(&self) -> f64 {
        if self.energy > 0.0 {
            self.loss / self.energy
        } else {
            0.0
        }
    }

    /// What looks like a mistake, with what to do.
    pub fn advice(&self) -> &[String] {
        &self.advice
    }

    pub fn line(&self) -> String {
        format!(
            "worst element {:.2} (1 is best), {} inside out, residual ≤ {:.1e}, integrator took {:.1} % of the largest energy, {} retried",
            self.quality,
            self.inverted,
            self.residual,
            100.0 * self.energy_error(),
            match self.retries {
                1 => "1 step".to_string(),
                n => format!("{n} steps"),
            }
        )
    }

    pub fn to_json(&self) -> Value {
        json!({
            "worst_element_quality": self.quality,
            "inverted_elements": self.inverted,
            "largest_residual": self.residual,
            "energy_error": self.energy_error(),
            "retried_steps": self.retries,
            "advice": self.advice,
        })
    }
}

fn worst_quality(model: &Model) -> f64 {
    let ratio = |nodes: &[u32; 4]| {
        let x = nodes.map(|node| model.rest[node as usize]);
        match nodes[3] == nodes[0] {
            true => triangle_radius_ratio([x[0], x[1], x[2]]),
            false => tetrahedron_radius_ratio(x),
        }
    };
    model.element_nodes.iter().map(ratio).fold(1.0, f64::min)
}

fn advice(model: &Model, settings: &Settings) -> Vec<String> {
    let mut advice = Vec::new();
    let elements = model.elements.unpacked();
    for (index, body) in model.bodies.iter().enumerate() {
        let name = &body.name;
        let size = diagonal(&model.rest[body.nodes.clone()]);
        if size > HUGE {
            advice.push(format!(
                "body `{name}` is {size:.0} m large: lengths are in metres; if its mesh is in millimetres, scale it by 0.001 (`place = {{ scale = 0.001 }}`)"
            ));
        }
        if body.rigid.is_some() {
            continue;
        }
        let own = || elements.iter().filter(|e| e.body as usize == index);
        let poisson = own().map(|e| lame(e).poisson()).fold(0.0, f64::max);
        if poisson > LOCKING && body.formulation == Formulation::Linear {
            let remedy = match body.planar {
                true => "0.45 moves more truly, or refine the mesh",
                false => "give it `element = \"tet4-averaged\"` or \"tet10\"",
            };
            advice.push(format!(
                "body `{name}` has Poisson's ratio {poisson:.3}: linear elements lock towards 0.5 and are too stiff; {remedy}"
            ));
        }
        if let Some(line) = step_advice(model, body, own(), size, settings) {
            advice.push(line);
        }
    }
    advice
}

/// Where a wave crosses a body several times within a step, implicit integrators damp its vibrations away.
fn step_advice<'a>(
    model: &Model,
    body: &Body,
    elements: impl Iterator<Item = &'a Element>,
    size: f64,
    settings: &Settings,
) -> Option<String> {
    const CROSSINGS: f64 = 10.0;
    if matches!(settings.integrator, Integrator::QuasiStatic) {
        return None;
    }
    let (mut modulus, mut volume) = (0.0, 0.0);
    for element in elements {
        modulus += lame(element).young() * element.volume;
        volume += element.volume;
    }
    let mass: f64 = model.mass[body.nodes.clone()].iter().sum();
    let crossing = size / (modulus / mass.max(f64::MIN_POSITIVE)).sqrt(); // E/ρ of the whole
    (volume > 0.0 && settings.h > CROSSINGS * crossing).then(|| {
        format!(
            "a step of {} s is {:.0} times what a wave needs to cross body `{}`: its vibrations are damped away; for those use steps below {:.1e} s",
            settings.h,
            settings.h / crossing,
            body.name,
            crossing
        )
    })
}

fn diagonal(points: &[Vec3]) -> f64 {
    let around = |pick: fn(Vec3, Vec3) -> Vec3| points.iter().copied().reduce(pick);
    match (around(Vec3::min), around(Vec3::max)) {
        (Some(low), Some(high)) => (high - low).norm(),
        _ => 0.0,
    }
}

/// Small-strain constants, Pa.
struct Constants {
    mu: f64,
    lambda: f64,
}

impl Constants {
    fn poisson(&self) -> f64 {
        0.5 * self.lambda / (self.lambda + self.mu)
    }

    fn young(&self) -> f64 {
        self.mu * (3.0 * self.lambda + 2.0 * self.mu) / (self.lambda + self.mu)
    }
}

/// From the tangent at rest: whatever the energy is, λ = ∂P₁₁/∂F₂₂ and 2μ = ∂P₁₁/∂F₁₁ − λ.
fn lame(element: &Element) -> Constants {
    let tangent = element
        .model
        .respond(&Mat3::IDENTITY, element.coefficients)
        .tangent;
    let lambda = tangent[0][4];
    Constants {
        lambda,
        mu: 0.5 * (tangent[0][0] - lambda),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vec3;
    use pliant_mesh::generate;
    use pliant_solid::material::{MaterialModel, MaterialSpecification};
    use pliant_solid::model::BodySpecification;
    use pliant_solid::strategy::Method;

    fn model(side: f64, young: f64, poisson: f64) -> Model {
        model_of(Formulation::Linear, side, young, poisson)
    }

    fn model_of(formulation: Formulation, side: f64, young: f64, poisson: f64) -> Model {
        let size = vec3(side, side, side);
        let mesh = generate::bar(size, [2; 3], generate::Split::Six).unwrap();
        let mesh = mesh.with_octets().unwrap();
        let material =
            MaterialSpecification::new(MaterialModel::NeoHookean, young, poisson, 1000.0);
        let body = BodySpecification {
            formulation,
            ..BodySpecification::uniform("cube", mesh, material)
        };
        Model::build(vec![body], vec![], Vec3::ZERO).unwrap()
    }

    fn advice_for(side: f64, young: f64, poisson: f64) -> String {
        let health = Health::new(&model(side, young, poisson), &Settings::default());
        health.advice().join("\n")
    }

    #[test]
    fn mistakes_are_answered_with_advice_and_others_are_not() {
        assert_eq!(advice_for(0.1, 1e5, 0.3), "");
        assert!(advice_for(0.1, 1e5, 0.49).contains("Poisson's ratio 0.490"));
        for formulation in [Formulation::Averaged, Formulation::Quadratic] {
            let model = model_of(formulation, 0.1, 1e5, 0.49);
            let health = Health::new(&model, &Settings::default());
            assert!(health.advice().is_empty());
        }
        assert!(advice_for(150.0, 1e9, 0.3).contains("millimetres"));
        assert!(advice_for(0.01, 1e11, 0.3).contains("damped away"));
    }

    #[test]
    fn the_line_tells_what_happened() {
        let model = model(0.1, 1e5, 0.3);
        let settings = Settings::default();
        let mut health = Health::new(&model, &settings);
        let mut simulation = Simulation::new(model, settings, Method::Full).unwrap();
        simulation.state_mut().velocities[0] = vec3(0.5, 0.0, 0.0);
        for _ in 0..5 {
            simulation.step().unwrap();
            health.note(&simulation);
        }
        let error = health.energy_error();
        assert!(error > 0.0 && error <= 1.0, "{error}");
        assert!(
            health.line().contains("0 inside out") && health.line().contains("0 steps retried")
        );
        assert!(health.to_json()["worst_element_quality"].as_f64().unwrap() > 0.3);
    }
}
