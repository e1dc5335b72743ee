//! The scenes of the study and the variants of the method that it compares.

use anyhow::{Context, Result};
use pliant_linalg::Vec3;
use pliant_scene::Scene;
use pliant_solid::Simulation;
use pliant_solid::contact::ContactModel;
use pliant_solid::settings::{EarlyCgSettings, Guess, PreconditionerChoice, Product, Settings};
use pliant_solid::state::State;
use pliant_solid::strategy::Method;
use serde_json::{Value, json};

/// Budget that no solve of these scenes exhausts: the iteration ends at the tolerance.
pub const CONVERGED: usize = 5000;

/// r·r ≤ 1e-10 b·b [DB19].
const TOLERANCE: f64 = 1e-5;

/// One variant of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub budget: usize,
    pub tolerance: f64,
    pub guess: Guess,
    /// Whether the guess turns with bodies that spin, which is ours.
    pub turn_guess: bool,
    pub preconditioner: PreconditionerChoice,
    pub product: Product,
    /// 1: a budget is a budget.
    pub fresh_factor: f64,
    pub energy_tolerance: f64,
    pub restore_momentum: bool,
}

impl Candidate {
    /// The method's defaults with this budget, which new contacts do not raise.
    pub fn new(budget: usize) -> Candidate {
        let defaults = EarlyCgSettings::default();
        Candidate {
            budget,
            tolerance: TOLERANCE,
            guess: defaults.guess,
            turn_guess: defaults.turn_guess,
            preconditioner: defaults.preconditioner,
            product: defaults.product,
            fresh_factor: 1.0,
            energy_tolerance: 0.0,
            restore_momentum: defaults.restore_momentum,
        }
    }

    /// The same with a first guess as in the paper, which does not turn.
    pub fn paper(budget: usize) -> Candidate {
        Candidate {
            turn_guess: false,
            ..Candidate::new(budget)
        }
    }

    pub fn guess(self, guess: Guess) -> Candidate {
        Candidate { guess, ..self }
    }

    pub fn preconditioner(self, preconditioner: PreconditionerChoice) -> Candidate {
        Candidate {
            preconditioner,
            ..self
        }
    }

    pub fn product(self, product: Product) -> Candidate {
        Candidate { product, ..self }
    }

    /// Settings that never halve a step: what fails here has failed.
    fn settings(&self, scene: &Scene) -> Settings {
        Settings {
            h: EarlyCgSettings::STEP,
            max_halvings: 0,
            early_cg: EarlyCgSettings {
                budget: self.budget,
                tolerance: self.tolerance,
                energy_tolerance: self.energy_tolerance,
                fresh_factor: self.fresh_factor,
                guess: self.guess,
                turn_guess: self.turn_guess,
                preconditioner: self.preconditioner,
                product: self.product,
                restore_momentum: self.restore_momentum,
                ..EarlyCgSettings::default()
            },
            ..scene.settings.clone()
        }
    }

    /// A simulation of the scene from its start.
    pub fn simulation(&self, scene: &Scene) -> Result<Simulation> {
        self.resume(scene, scene.model.initial_state())
    }

    /// A simulation of the scene from a state.
    pub fn resume(&self, scene: &Scene, state: State) -> Result<Simulation> {
        let settings = self.settings(scene);
        Simulation::resume(scene.model.clone(), settings, Method::EarlyCg, state)
            .with_context(|| scene.name.clone())
    }

    /// What tells it from others, for rows.
    pub fn facts(&self) -> Value {
        json!({
            "budget": budget_label(self.budget),
            "guess": guess_name(self.guess),
            "turned": self.turn_guess,
            "preconditioner": preconditioner_name(self.preconditioner),
            "product": match self.product {
                Product::Automatic => "automatic",
                Product::Assembled => "assembled",
                Product::MatrixFree => "matrix-free",
            },
            "tolerance": self.tolerance,
            "fresh_factor": self.fresh_factor,
            "energy_tolerance": self.energy_tolerance,
            "restore_momentum": self.restore_momentum,
        })
    }
}

/// The number, or that there is no limit.
fn budget_label(budget: usize) -> Value {
    match budget {
        CONVERGED => json!("converged"),
        budget => json!(budget),
    }
}

/// The first guesses compared, a blend half-way between the last two among them.
pub fn guesses() -> [Guess; 4] {
    [
        Guess::ZERO,
        Guess::VELOCITY,
        Guess::blend(0.5),
        Guess::VELOCITY_AND_FORCE,
    ]
}

/// As scenes name it.
pub fn guess_name(guess: Guess) -> &'static str {
    match guess {
        Guess::ZERO => "zero",
        Guess::VELOCITY => "velocity",
        Guess::VELOCITY_AND_FORCE => "velocity+force",
        _ => "blend",
    }
}

/// The preconditioners compared.
pub const PRECONDITIONERS: [PreconditionerChoice; 4] = [
    PreconditionerChoice::Identity,
    PreconditionerChoice::Mass,
    PreconditionerChoice::Jacobi,
    PreconditionerChoice::BlockJacobi,
];

/// As scenes name it.
pub fn preconditioner_name(preconditioner: PreconditionerChoice) -> &'static str {
    match preconditioner {
        PreconditionerChoice::Identity => "identity",
        PreconditionerChoice::Mass => "mass",
        PreconditionerChoice::Jacobi => "jacobi",
        PreconditionerChoice::BlockJacobi => "block-jacobi",
        PreconditionerChoice::GaussSeidel => "gauss-seidel",
    }
}

/// A scene of the method by the last part of its name.
pub fn scene(name: &str) -> Result<Scene> {
    let file = pliant_scene::embedded(&format!("early-cg/{name}"))?.parse()?;
    let mut scene = pliant_scene::build(&file, None)?;
    scene.name = name.to_owned();
    Ok(scene)
}

/// One of the spinning cars without gravity and without anything to touch.
pub fn free_car() -> Result<Scene> {
    let mut file = pliant_scene::embedded("early-cg/cars-spin")?.parse()?;
    file.table.body.truncate(1);
    let mut scene = pliant_scene::build(&file, None)?;
    scene.name = "car, free".to_owned();
    scene.model.gravity = Vec3::ZERO;
    scene.model.contact = ContactModel::default();
    Ok(scene)
}
