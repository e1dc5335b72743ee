//! What is stepped: the scenes of the method, trained here.

use super::{Row, row};
use crate::bench::scene;
use crate::train;
use anyhow::{Context, Result, anyhow};
use pliant_linalg::PcgSettings;
use pliant_scene::Scene;
use pliant_scene::trained::{EXTENSION, TrainedFile};
use pliant_solid::Simulation;
use pliant_solid::contact::ContactModel;
use pliant_solid::settings::{PreconditionerChoice, SolverChoice};
use pliant_solid::strategy::Method;
use pliant_solid::subspace::train::DomainReport;
use pliant_solid::subspace::{Activation, Trained, TrainedDomain};
use serde_json::json;
use std::path::Path;
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

/// How all nodes are solved for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solver {
    /// Sparse factors.
    Factors,
    /// Conjugate gradients with the 3×3 diagonal blocks as preconditioner.
    Blocks,
    /// The same with the diagonal, as in the paper.
    Jacobi,
}

/// A scene with a trained body.
pub struct Case {
    pub name: &'static str,
    pub label: String,
    pub scene: Scene,
    /// Of a training now; a model that was there before has none.
    training: Option<Learnt>,
}

struct Learnt {
    reports: Vec<DomainReport>,
    /// Of solutions, and of learning from them.
    seconds: [f64; 2],
}

impl Case {
    /// Trains a scene by the last part of its name; a folder keeps the model, and what has been solved of it, for another time.
    pub fn new(name: &'static str, threads: usize, folder: Option<&Path>) -> Result<Case> {
        let scene = scene::load(&format!("subspace/{name}"))?;
        Case::of(name, scene, threads, folder)
    }

    /// Trains a scene, unless there is a model of it.
    pub fn of(
        name: &'static str,
        mut scene: Scene,
        threads: usize,
        folder: Option<&Path>,
    ) -> Result<Case> {
        let body = scene.training.body.context("which body to train")?;
        let passing = std::env::temp_dir().join(format!("pliant-study-{}", std::process::id()));
        let models = folder.map_or(passing.clone(), |folder| folder.join("models"));
        std::fs::create_dir_all(&models).with_context(|| models.display().to_string())?;
        let path = models.join(name).with_extension(EXTENSION);
        let known = TrainedFile::read(&path).ok();
        let known = known.filter(|file| file.model.check(&scene.model).is_ok());
        let (file, training) = match known {
            Some(file) => (file, None),
            None => {
                let trained = train::for_study(&scene, body, threads, &path);
                let (file, reports, seconds) = trained.map_err(|f| anyhow!("{}", f.message()))?;
                if folder.is_some() {
                    file.write(&path)?;
                }
                (file, Some(Learnt { reports, seconds }))
            }
        };
        if folder.is_none() {
            let _ = std::fs::remove_dir_all(&passing);
        }
        scene.model.trained = vec![Trained {
            model: Arc::new(file.model),
            rig: None,
        }];
        Ok(Case {
            name,
            label: scene::label(&scene, name),
            scene,
            training,
        })
    }

    fn domains(&self) -> impl Iterator<Item = &TrainedDomain> {
        let trained = self.scene.model.trained.iter();
        trained.flat_map(|trained| &trained.model.domains)
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

    /// All nodes.
    pub fn full(&self, solver: Solver) -> Result<Simulation> {
        let mut settings = self.scene.settings.clone();
        let iterated = |preconditioner| SolverChoice::Pcg {
            settings: PcgSettings {
                relative_tolerance: TOLERANCE,
                max_iterations: 10_000,
                ..PcgSettings::default()
            },
            preconditioner,
        };
        settings.solver = match solver {
            Solver::Factors => SolverChoice::Direct,
            Solver::Blocks => iterated(PreconditionerChoice::BlockJacobi),
            Solver::Jacobi => iterated(PreconditionerChoice::Jacobi),
        };
        let model = self.scene.model.clone();
        Simulation::new(model, settings, Method::Full).with_context(|| self.label.clone())
    }

    pub fn rank(&self) -> usize {
        self.domains().map(|d| d.rank).sum()
    }

    pub fn points(&self) -> usize {
        self.domains().map(|d| d.cubature.len()).sum()
    }

    pub fn training_row(&self) -> Row {
        let missed = |learnt: &Learnt| {
            let all = learnt.reports.iter().map(|r| r.projection_error);
            all.fold(0.0, f64::max)
        };
        let training = self.training.as_ref();
        row(json!({
            "part": "training",
            "scene": self.name,
            "label": self.label,
            "nodes": self.scene.model.node_count(),
            "elements": self.scene.model.element_count(),
            "domains": self.domains().count(),
            "rank": self.rank(),
            "points": self.points(),
            "projection_error": training.map(missed),
            "force_error": self.domains().map(|d| d.error).fold(0.0, f64::max),
            "solve_seconds": training.map(|t| t.seconds[0]),
            "learn_seconds": training.map(|t| t.seconds[1]),
        }))
    }
}
