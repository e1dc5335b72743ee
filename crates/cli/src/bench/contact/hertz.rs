//! An elastic ball pressed on a plane against Hertz: F = 4/3 E* √R δ^{3/2} with the approach δ = a²/R of a far point.
//!
//! A quarter of the ball's lower part, between symmetry planes: all points of the ball within `REACH` of the pole. Its cells are shells
//! around the pole, of one thickness up to 2a and then growing, so that the contact radius a can be small beside R (Hertz wants that)
//! and still span many cells. The outermost shell is what approaches. Linear elasticity without friction, as Hertz has it.

use super::problem::{self, half_space, moved};
use super::{Row, row};
use anyhow::Result;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::{Mesh, generate};
use pliant_solid::contact::ContactModel;
use pliant_solid::drive::{Action, Drive, Motion};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::BodySpecification;
use pliant_solid::profile::Profile;
use pliant_solid::settings::Settings;
use serde_json::json;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

/// R, m.
const RADIUS: f64 = 0.1;

/// Distance of the shell that moves from the pole, over R.
const REACH: f64 = 1.4;

/// Contact radius over R.
const RATIO: f64 = 0.03;

const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.3;

/// One resolution and load.
pub struct HertzPlan {
    /// Cells along the contact radius.
    cells: usize,
    /// a/R.
    ratio: f64,
}

impl HertzPlan {
    /// The usual load.
    pub fn new(cells: usize) -> HertzPlan {
        HertzPlan {
            cells,
            ratio: RATIO,
        }
    }

    /// Another contact radius, as a multiple of the usual one.
    pub fn scaled(self, factor: f64) -> HertzPlan {
        HertzPlan {
            ratio: factor * RATIO,
            ..self
        }
    }

    /// Shells of one thickness, and all.
    fn shells(&self) -> [usize; 2] {
        [2 * self.cells, 4 * self.cells]
    }

    /// Distance of a shell from the pole, m.
    fn shell(&self, index: f64) -> f64 {
        let [inner, all] = self.shells().map(|n| n as f64);
        let even = 2.0 * self.ratio * RADIUS;
        if index <= inner {
            return even * index / inner;
        }
        let growth = REACH * RADIUS / even;
        even * growth.powf((index - inner) / (all - inner))
    }

    /// The unit cube to a quarter of the ball's lower part; its corner at the origin to the pole.
    fn place(&self, p: Vec3) -> Vec3 {
        let largest = p.max_abs();
        if largest == 0.0 {
            return Vec3::ZERO;
        }
        let distance = self.shell((largest * self.shells()[1] as f64).round());
        let warp = |x: f64| (FRAC_PI_4 * x / largest).tan();
        let (x, y, z) = (warp(p.x), warp(p.y), warp(p.z));
        // a shell spans the angles from the axis to the ball's surface, cos ψ = distance/2R
        let span = (0.5 * distance / RADIUS).acos() / FRAC_PI_2;
        let (sin, cos) = (x.hypot(y).atan2(z) * span).sin_cos();
        let around = y.atan2(x);
        vec3(
            if p.x == 0.0 { 0.0 } else { sin * around.cos() },
            sin * around.sin(),
            cos,
        ) * distance
    }
}

/// The row of one resolution.
pub fn measured_row(plan: &HertzPlan) -> Result<Row> {
    let all = plan.shells()[1];
    let cube = generate::bar(vec3(1.0, 1.0, 1.0), [all; 3], generate::Split::Six)?;
    let drives = drives(plan, &cube);
    let mesh = moved(cube, |p| plan.place(p));
    let contact_radius = plan.ratio * RADIUS;
    let approach = contact_radius * contact_radius / RADIUS;
    let material = MaterialSpecification::new(MaterialModel::Linear, YOUNG, POISSON, 1000.0);
    let contact = ContactModel {
        friction: 0.0,
        alarm: Some(3.0 * approach),
        obstacles: vec![half_space(vec3(0.0, 0.0, 1.0))],
        ..ContactModel::default()
    };
    // so long that inertia is nothing: the second step is at rest
    let settings = Settings {
        h: 1.0,
        ..Settings::default()
    };
    let body = BodySpecification::uniform("ball", mesh, material);
    let mut simulation = problem::simulation(vec![body], drives, Vec3::ZERO, contact, settings)?;
    for _ in 0..3 {
        simulation.step()?;
    }
    let contacts = simulation.contacts();
    let force = 4.0 * problem::force_of_obstacles(&simulation).z;
    let modulus = YOUNG / (1.0 - POISSON * POISSON);
    let theory = 4.0 / 3.0 * modulus * RADIUS.sqrt() * approach.powf(1.5);
    let pushing = contacts.contacts.iter().filter(|c| c.normal_force > 0.0);
    let reach = pushing.fold(0.0f64, |m, c| m.max(c.point.x.hypot(c.point.y)));
    let report = simulation.report();
    Ok(row(json!({
        "part": "hertz",
        "cells_in_radius": plan.cells,
        "radius_ratio": plan.ratio,
        "nodes": simulation.model().node_count(),
        "elements": simulation.model().element_count(),
        "contacts": report.contacts,
        "iterations": report.constraint_solve.iterations,
        "residual": report.constraint_solve.residual,
        "force": force,
        "theory": theory,
        "error": force / theory - 1.0,
        // of the node farthest out that pushes
        "radius_over_theory": reach / contact_radius,
    })))
}

/// Symmetry planes, and the outermost shell that comes down; `cube` is the mesh before it is bent.
fn drives(plan: &HertzPlan, cube: &Mesh) -> Vec<Drive> {
    let contact_radius = plan.ratio * RADIUS;
    let approach = contact_radius * contact_radius / RADIUS;
    let prescribe = |name: &str, chosen: &dyn Fn(&Vec3) -> bool, axes, motion| {
        let nodes = cube.positions.iter().enumerate();
        let nodes = nodes.filter(|(_, p)| chosen(p)).map(|(n, _)| n as u32);
        Drive {
            name: name.into(),
            action: Action::Prescribe {
                nodes: nodes.collect(),
                axes,
                motion,
                release: None,
            },
        }
    };
    let down = [0.0, 0.0, -approach].map(Profile::Constant);
    let down = Motion {
        translation: Some(down),
        ..Motion::default()
    };
    // no two of them name the same node
    let shell = |p: &Vec3| p.max_abs() > 1.0 - 1e-9;
    let (x, y) = (|p: &Vec3| p.x == 0.0, |p: &Vec3| p.y == 0.0);
    let still = Motion::default;
    vec![
        prescribe("shell", &shell, [true; 3], down),
        prescribe(
            "axis",
            &|p| !shell(p) && x(p) && y(p),
            [true, true, false],
            still(),
        ),
        prescribe(
            "x = 0",
            &|p| !shell(p) && x(p) && !y(p),
            [true, false, false],
            still(),
        ),
        prescribe(
            "y = 0",
            &|p| !shell(p) && y(p) && !x(p),
            [false, true, false],
            still(),
        ),
    ]
}
