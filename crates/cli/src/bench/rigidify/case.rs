//! What is stepped: the scenes of the method, with the thresholds of the paper.

use crate::bench::scene;
use anyhow::{Context, Result};
use pliant_scene::Scene;
use pliant_scene::file::SceneTable;
use pliant_solid::Simulation;
use pliant_solid::settings::{RigidifySettings, StrainLimits, StrainRates};
use pliant_solid::strategy::Method;
use serde_json::{Value, json};

/// τ_R and τ_E of [MWLK22], Table 1 and Figures 4 and 5, 1/s².
const THRESHOLDS: [(&str, f64, f64); 7] = [
    ("wheel", 5e-4, 5e-3),
    ("octopus", 1e-5, 1e-4),
    ("blob", 1e-5, 1e-4),
    ("forest", 5e-3, 5e-2),
    ("pachinko", 7e-3, 7e-2),
    ("cantilever-2d", 1e-6, 1e-5),
    ("beam", 1e-7, 1e-5),
];

/// Scenes where the smallest difference decides where things go: no node can be compared with that of another run.
const CHAOTIC: [&str; 1] = ["pachinko"];

/// A scene and the settings of the method.
pub struct Case {
    /// The last part of the scene's name.
    pub name: &'static str,
    /// Says so where a mesh is a stand-in for one that is not there.
    pub label: String,
    pub scene: Scene,
    /// Whether piles are compared in place of nodes.
    pub chaotic: bool,
}

impl Case {
    /// A scene by the last part of its name.
    pub fn new(name: &'static str) -> Result<Case> {
        Case::edited(name, |_| {})
    }

    /// A scene after changes to its file.
    pub fn edited(name: &'static str, edit: impl FnOnce(&mut SceneTable)) -> Result<Case> {
        let mut scene =
            scene::edited(&format!("rigidify/{name}"), edit).with_context(|| name.to_string())?;
        let known = THRESHOLDS.iter().find(|(scene, _, _)| *scene == name);
        if let Some(&(_, rigid_below, elastic_above)) = known {
            scene.settings.rigidify.limits = StrainLimits::Rates(StrainRates {
                rigid_below,
                elastic_above,
            });
        }
        Ok(Case {
            name,
            label: scene::label(&scene, name),
            chaotic: CHAOTIC.contains(&name),
            scene,
        })
    }

    /// With another τ_E, and τ_R a share of it.
    pub fn with_thresholds(mut self, elastic_above: f64, share: f64) -> Case {
        self.scene.settings.rigidify.limits = StrainLimits::Rates(StrainRates {
            rigid_below: share * elastic_above,
            elastic_above,
        });
        self
    }

    /// With an error to aim at in place of thresholds.
    pub fn with_error(mut self, error: f64) -> Case {
        self.scene.settings.rigidify.limits = StrainLimits::Error(error);
        self
    }

    pub fn settings(&self) -> &RigidifySettings {
        &self.scene.settings.rigidify
    }

    /// From the start.
    pub fn simulation(&self, method: Method) -> Result<Simulation> {
        let (model, settings) = (self.scene.model.clone(), self.scene.settings.clone());
        Simulation::new(model, settings, method).with_context(|| self.label.clone())
    }

    /// What tells it from others, for rows.
    pub fn facts(&self) -> Value {
        let settings = self.settings();
        let (error, rates) = match settings.limits {
            StrainLimits::Error(error) => (Some(error), None),
            StrainLimits::Rates(rates) => (None, Some(rates)),
        };
        json!({
            "scene": self.name,
            "label": self.label,
            "nodes": self.scene.model.node_count(),
            "elements": self.scene.model.element_count(),
            "error": error,
            "rigid_below": rates.map(|r| r.rigid_below),
            "elastic_above": rates.map(|r| r.elastic_above),
            "window": settings.window,
            "h": self.scene.settings.h,
            "steps_of_scene": self.scene.step_count(),
        })
    }
}
