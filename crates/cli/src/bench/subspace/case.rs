//! What is stepped: the scenes of the method, trained here.

use super::{Row, row};
use crate::bench::scene;
use crate::train;
use anyhow::{Context, Result, anyhow};
use pliant_linalg::PcgSettings;
use pliant_scene::Scene;
use pliant_solid::Simulation;
use pliant_solid::contact::ContactModel;
use pliant_solid::settings::{PreconditionerChoice, SolverChoice};
use pliant_solid::strategy::Method;
use pliant_solid::subspace::train::DomainReport;
use pliant_solid::subspace::{Activation, Trained};
use serde_json::json;
use std::sync::Arc;

/// Relative residual at which the full solver of the paper stops, as the mixed one does.
const TOLERANCE: f64 = 0.01;

/// Which nodes are full.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Full {
    /// None.
    Nothing,
    /// Those within a radius around contacts, in sizes of the body.
    Radius(f64),
    /// All.
    Everything,
}

impl Full {
    pub fn name(self) -> String {
        match self {
            Full::Nothing => "nothing".to_string(),
            Full::Radius(radius) => format!("ρ {radius}"),
            Full::Everything => "everything".to_string(),
        }
    }
}

/// A scene with a trained body.
pub struct Case {
    pub name: &'static str,
    pub label: String,
    pub scene: Scene,
    reports: Vec<DomainReport>,
    /// Of solutions, and of learning from them.
    seconds: [f64; 2],
}

impl Case {
    /// Trains a scene by the last part of its name, after changes.
    pub fn new(name: &'static str, threads: usize, edit: impl FnOnce(&mut Scene)) -> Result<Case> {
        let mut scene = scene::load(&format!("subspace/{name}"))?;
        edit(&mut scene);
        Case::of(name, scene, threads)
    }

    /// Trains a scene.
    pub fn of(name: &'static str, mut scene: Scene, threads: usize) -> Result<Case> {
        let body = scene.training.body.context("which body to train")?;
        // solutions are kept until the model is there
        let folder = std::env::temp_dir().join(format!("pliant-study-{}", std::process::id()));
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let trained = train::for_study(&scene, body, threads, &folder);
        let _ = std::fs::remove_dir_all(&folder);
        let (model, reports, seconds) = trained.map_err(|f| anyhow!("{}", f.message()))?;
        scene.model.trained = vec![Trained {
            model: Arc::new(model),
            rig: None,
        }];
        Ok(Case {
            name,
            label: scene::label(&scene, name),
            scene,
            reports,
            seconds,
        })
    }

    /// The method, from the start.
    pub fn subspace(&self, full: Full) -> Result<Simulation> {
        let mut settings = self.scene.settings.clone();
        let own = &mut settings.subspace;
        match full {
            Full::Nothing => own.activation = Activation::Nothing,
            Full::Everything => own.activation = Activation::Everything,
            Full::Radius(radius) => {
                own.activation = Activation::Oracles;
                own.radius = radius;
            }
        }
        let model = self.scene.model.clone();
        Simulation::new(model, settings, Method::Subspace).with_context(|| self.label.clone())
    }

    /// The method without a region, and nothing to touch.
    pub fn alone(&self) -> Result<Simulation> {
        let mut settings = self.scene.settings.clone();
        settings.subspace.activation = Activation::Nothing;
        let mut model = self.scene.model.clone();
        model.contact = ContactModel::default();
        Simulation::new(model, settings, Method::Subspace).with_context(|| self.label.clone())
    }

    /// All nodes by our direct solver, or as in the paper.
    pub fn full(&self, direct: bool) -> Result<Simulation> {
        let mut settings = self.scene.settings.clone();
        settings.solver = match direct {
            true => SolverChoice::Direct,
            false => SolverChoice::Pcg {
                settings: PcgSettings {
                    relative_tolerance: TOLERANCE,
                    max_iterations: 10_000,
                    ..PcgSettings::default()
                },
                preconditioner: PreconditionerChoice::Jacobi,
            },
        };
        let model = self.scene.model.clone();
        Simulation::new(model, settings, Method::Full).with_context(|| self.label.clone())
    }

    pub fn rank(&self) -> usize {
        self.reports.iter().map(|r| r.rank).sum()
    }

    pub fn points(&self) -> usize {
        self.reports.iter().map(|r| r.points).sum()
    }

    pub fn training_row(&self) -> Row {
        let worst = |of: fn(&DomainReport) -> f64| self.reports.iter().map(of).fold(0.0, f64::max);
        row(json!({
            "part": "training",
            "scene": self.name,
            "label": self.label,
            "nodes": self.scene.model.node_count(),
            "elements": self.scene.model.element_count(),
            "domains": self.reports.len(),
            "rank": self.rank(),
            "points": self.points(),
            "projection_error": worst(|r| r.projection_error),
            "force_error": worst(|r| r.error),
            "solve_seconds": self.seconds[0],
            "learn_seconds": self.seconds[1],
        }))
    }
}
