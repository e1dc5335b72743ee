//! What is stepped and how: bodies that are pulled and let go, scenes of the method, and the ways to step them.

use crate::bench::scene;
use anyhow::{Context, Result};
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::{EdgeGraph, farthest_nodes, generate};
use pliant_scene::Scene;
use pliant_scene::file::{MeshTable, SceneTable};
use pliant_solid::Simulation;
use pliant_solid::drive::{Action, Drive, Motion};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::profile::Profile;
use pliant_solid::settings::{ConjacSettings, Integrator, Settings};
use pliant_solid::state::State;
use pliant_solid::strategy::Method;
use serde_json::{Value, json};

/// Most dynamic nodes of Figure 2.
pub const MOST_NODES: usize = 10;

/// A body that can be built.
#[derive(Clone, Copy, Debug)]
pub enum Body {
    /// DRAGON: pulled by jaws and body, let go at half-time, γ = 1/5 as in the paper.
    Dragon,
    /// A bar of so many cells with the dragon's material, held at one end, pulled by the other and let go at half-time.
    Bar([usize; 3]),
    /// Any other scene of the method, by the last part of its name.
    Scene(&'static str),
    /// A bar of a scene with so many cells in place of its own.
    Coarse(&'static str, [usize; 3]),
}

/// A body with its settings.
#[derive(Clone)]
pub struct Case {
    /// Says so where the body is a stand-in for a mesh that is not there.
    pub name: String,
    pub model: Model,
    pub settings: Settings,
    /// Nodes that may be dynamic, the first ones first; [`MOST_NODES`] of bodies that are pulled.
    pub order: Vec<u32>,
    /// Simulated time, s.
    pub duration: f64,
}

/// One way to step a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    pub method: Method,
    /// Dynamic nodes, of those the case names; of no meaning to `full`.
    pub nodes: usize,
    pub h: f64,
    pub beta: f64,
    pub conjac: ConjacSettings,
}

impl Way {
    pub fn with_beta(self, beta: f64) -> Way {
        Way { beta, ..self }
    }

    pub fn with_step(self, h: f64) -> Way {
        Way { h, ..self }
    }

    /// For tables: `full`, `conjac 6`, `conjac 6 + 2` with corrections.
    pub fn name(&self) -> String {
        match (self.method, self.conjac.corrections) {
            (Method::Conjac, 0) => format!("conjac {}", self.nodes),
            (Method::Conjac, corrections) => format!("conjac {} + {corrections}", self.nodes),
            (method, _) => method.name().to_string(),
        }
    }

    /// What tells it from others, for rows.
    pub fn facts(&self) -> Value {
        let is_conjac = self.method == Method::Conjac;
        json!({
            "way": self.name(),
            "method": self.method.name(),
            "dynamic_nodes": is_conjac.then_some(self.nodes),
            "h": self.h,
            "beta": self.beta,
            "stabilisation": is_conjac.then_some(self.conjac.stabilisation),
            "corrections": is_conjac.then_some(self.conjac.corrections),
        })
    }
}

impl Case {
    pub fn new(body: Body) -> Result<Case> {
        let build = || match body {
            Body::Dragon => {
                let scene = scene::edited("conjac/dragon", |table| {
                    let dynamic = table.body.iter_mut().find_map(|b| b.dynamic.as_mut());
                    if let Some(dynamic) = dynamic {
                        dynamic.count = Some(MOST_NODES);
                    }
                })?;
                let mut case = Case::of(&scene, "dragon");
                case.settings.conjac.stabilisation = 0.2;
                Ok(case)
            }
            Body::Bar(cells) => pulled_bar(cells),
            Body::Scene(name) => Ok(Case::of(&scene::load(&format!("conjac/{name}"))?, name)),
            Body::Coarse(name, cells) => {
                let edit = |table: &mut SceneTable| {
                    let bars = table
                        .body
                        .iter_mut()
                        .filter_map(|body| match &mut body.mesh {
                            MeshTable::Bar(bar) => Some(bar),
                            _ => None,
                        });
                    bars.for_each(|bar| bar.cells = cells);
                };
                let scene = scene::edited(&format!("conjac/{name}"), edit)?;
                let mut case = Case::of(&scene, name);
                case.name = format!("{name} (coarse)");
                Ok(case)
            }
        };
        build().with_context(|| format!("{body:?}"))
    }

    fn of(scene: &Scene, name: &str) -> Case {
        let named = scene
            .model
            .bodies
            .iter()
            .filter_map(|b| b.representatives.as_ref());
        Case {
            name: scene::label(scene, name),
            order: named.flatten().copied().collect(),
            model: scene.model.clone(),
            settings: scene.settings.clone(),
            duration: scene.duration,
        }
    }

    /// The scene's own h, β and γ with another method.
    pub fn way(&self, method: Method, nodes: usize) -> Way {
        let beta = match self.settings.integrator {
            Integrator::LinearImplicit { beta } => beta,
            _ => 1.0,
        };
        Way {
            method,
            nodes,
            h: self.settings.h,
            beta,
            conjac: self.settings.conjac,
        }
    }

    /// A simulation from the start.
    pub fn simulation(&self, way: &Way) -> Result<Simulation> {
        self.resume(way, self.model.initial_state())
    }

    /// A simulation from a state. It never halves a step: what fails here has failed.
    pub fn resume(&self, way: &Way, state: State) -> Result<Simulation> {
        let settings = Settings {
            h: way.h,
            integrator: Integrator::LinearImplicit { beta: way.beta },
            conjac: way.conjac,
            max_halvings: 0,
            ..self.settings.clone()
        };
        let mut model = self.model.clone();
        let order = &self.order[..way.nodes.min(self.order.len())];
        for body in &mut model.bodies {
            let own = order
                .iter()
                .copied()
                .filter(|&n| body.nodes.contains(&(n as usize)));
            body.representatives = Some(own.collect());
        }
        Simulation::resume(model, settings, way.method, state).with_context(|| self.name.clone())
    }

    /// Makes the springs that pull stiffer.
    pub fn pull_by(&mut self, factor: f64) {
        if factor == 1.0 {
            return;
        }
        for drive in &mut self.model.drives {
            if let Action::Spring { stiffness, .. } = &mut drive.action {
                *stiffness *= factor;
            }
        }
        self.name = format!("{}, pull × {factor}", self.name);
    }

    /// When the last spring lets go, s; zero where none pulls.
    pub fn release(&self) -> f64 {
        let until = self
            .model
            .drives
            .iter()
            .filter_map(|drive| match drive.action {
                Action::Spring { until, .. } if until.is_finite() => Some(until),
                _ => None,
            });
        until.fold(0.0, f64::max)
    }

    /// Steps of a length that fill the duration.
    pub fn steps(&self, h: f64) -> usize {
        (self.duration / h).round().max(1.0) as usize
    }

    /// Whether each node moves on its own.
    pub fn free_nodes(&self) -> Vec<bool> {
        let mut free = vec![true; self.model.node_count()];
        for &node in self.model.drives.iter().flat_map(Drive::held) {
            free[node as usize] = false;
        }
        free
    }

    /// Largest edge of the bounding box at rest, m.
    pub fn length(&self) -> f64 {
        let (low, high) = extent(&self.model.rest);
        (high - low).to_array().into_iter().fold(0.0, f64::max)
    }

    /// The node nearest to a point of the rest shape, m.
    pub fn nearest(&self, point: Vec3) -> u32 {
        let distance = |n: &usize| (self.model.rest[*n] - point).norm_squared();
        let nodes = 0..self.model.node_count();
        let nearest = nodes.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.unwrap_or(0) as u32
    }
}

/// Corners of a bounding box, m.
pub fn extent(points: &[Vec3]) -> (Vec3, Vec3) {
    let low = points.iter().copied().reduce(Vec3::min);
    let high = points.iter().copied().reduce(Vec3::max);
    (low.unwrap_or_default(), high.unwrap_or_default())
}

/// Elastic forces and weight of the nodes that are `counted`, N: the largest and the root of the mean square. Loads of drives are
/// not among them.
pub fn unbalanced(simulation: &Simulation, counted: &[bool]) -> (f64, f64) {
    let model = simulation.model();
    let elastic = &simulation.forces().nodal;
    let (mut largest, mut squares, mut count) = (0.0f64, 0.0, 0usize);
    for node in (0..counted.len()).filter(|&n| counted[n]) {
        let force = elastic[node] + model.gravity * model.mass[node];
        largest = largest.max(force.norm());
        squares += force.norm_squared();
        count += 1;
    }
    (largest, (squares / count.max(1) as f64).sqrt())
}

/// Weight of all nodes, N.
pub fn weight(model: &Model) -> f64 {
    model.mass.iter().sum::<f64>() * model.gravity.norm()
}

/// 10 × 3 × 3 cm along x. Its free end is pulled by 3 cm and lifted by 5 cm in 0.3 s, held, and let go after 0.5 s.
fn pulled_bar(cells: [usize; 3]) -> Result<Case> {
    let mesh = generate::bar(vec3(0.10, 0.03, 0.03), cells, generate::Split::Six)?;
    let at = |x: f64| -> Vec<u32> {
        let near = |n: &usize| (mesh.positions[*n].x - x).abs() < 1e-9;
        let nodes = (0..mesh.node_count()).filter(near);
        nodes.map(|n| n as u32).collect()
    };
    let (held, pulled) = (at(0.0), at(0.10));
    let order = farthest_nodes(&EdgeGraph::of(&mesh), &[], &held, MOST_NODES);
    let ramp = |length: f64| Profile::Keyframes {
        keys: vec![(0.0, 0.0), (0.3, length)],
        smooth: false,
    };
    // together as stiff as the springs of the dragon's body
    let stiffness = 500.0 / pulled.len() as f64;
    let drives = vec![
        Drive {
            name: "fixed end".into(),
            action: Action::Prescribe {
                nodes: held,
                axes: [true; 3],
                motion: Motion::default(),
                release: None,
            },
        },
        Drive {
            name: "pulled end".into(),
            action: Action::Spring {
                nodes: pulled,
                motion: Motion {
                    translation: Some([ramp(0.03), ramp(0.0), ramp(0.05)]),
                    ..Motion::default()
                },
                stiffness,
                damping: 0.0,
                from: 0.0,
                until: 0.5,
            },
        },
    ];
    let material = MaterialSpecification::new(MaterialModel::StableNeoHookean, 3e4, 0.49, 1000.0);
    let body = BodySpecification::uniform("bar", mesh, material);
    Ok(Case {
        name: "bar".to_string(),
        model: Model::build(vec![body], drives, vec3(0.0, 0.0, -9.81))?,
        settings: Settings {
            integrator: Integrator::LinearImplicit { beta: 0.5 },
            ..Settings::default()
        },
        order,
        duration: 1.0,
    })
}
