//! Balls contain what they should, and no contact is missed.

use super::*;
use crate::contact::{ContactModel, Obstacle, Shape};
use crate::drive::Motion;
use crate::material::MaterialModel;
use crate::profile::Profile;
use crate::settings::{Integrator, Settings};
use crate::subspace::two_bones::{bar_of, with_modes};
use crate::subspace::{SubspaceSettings, SubspaceStepper};
use pliant_linalg::testing::Random;
use pliant_linalg::vec3;

/// A bar with two bones and a few obstacles: a floor, a rod that stands still, and a ball that comes and goes.
fn scene() -> Model {
    let mut model = bar_of(MaterialModel::Corotated, [24, 6, 6]);
    model.gravity = Vec3::ZERO;
    let obstacle = |name: &str, shape: Shape, motion: Option<Motion>| Obstacle {
        name: name.into(),
        shape,
        friction: None,
        motion,
    };
    let way = |size: f64| Profile::Keyframes {
        keys: vec![(0.0, 0.0), (0.06, size), (0.12, 0.0)],
        smooth: true,
    };
    let contact = ContactModel {
        obstacles: vec![
            obstacle(
                "floor",
                Shape::HalfSpace {
                    point: vec3(0.0, 0.0, -0.06),
                    normal: Vec3::AXES[2],
                },
                None,
            ),
            obstacle(
                "rod",
                Shape::Cylinder {
                    a: vec3(0.3, -0.2, -0.03),
                    b: vec3(0.3, 0.3, -0.03),
                    radius: 0.012,
                },
                None,
            ),
            obstacle(
                "ball",
                Shape::Sphere {
                    centre: vec3(0.1, 0.05, 0.17),
                    radius: 0.04,
                    hollow: false,
                },
                Some(Motion {
                    translation: Some([way(0.02), way(0.0), way(-0.05)]),
                    ..Motion::default()
                }),
            ),
        ],
        ..ContactModel::penalty()
    };
    with_modes(model.with_contact(contact).unwrap(), 3)
}

fn stepper(model: &Model, integrator: Integrator) -> SubspaceStepper {
    let settings = Settings {
        h: 0.004,
        integrator,
        subspace: SubspaceSettings {
            radius: 0.08,
            ..SubspaceSettings::default()
        },
        ..Settings::default()
    };
    SubspaceStepper::new(model, settings).unwrap()
}

#[test]
fn no_contact_is_missed_along_a_run() {
    for integrator in [Integrator::QuasiStatic, Integrator::ImplicitEuler] {
        let model = scene();
        let mut watching = stepper(&model, integrator);
        let mut exhaustive = stepper(&model, integrator);
        assert!(watching.watch.is_some());
        exhaustive.watch = None;
        let mut states = [model.initial_state(), model.initial_state()];
        let surface = model.bodies[0].surface.nodes.len();
        let (mut touched, mut fewest, mut seen) = (0, usize::MAX, [0; 3]);
        for _ in 0..35 {
            watching.step(&model, &mut states[0], 0.004).unwrap();
            exhaustive.step(&model, &mut states[1], 0.004).unwrap();
            let [own, all] =
                [&watching, &exhaustive].map(|s| s.detector.as_ref().unwrap().contacts());
            assert_eq!(own, all);
            assert_eq!(states[0], states[1]);
            for contact in all {
                seen[contact.obstacle.unwrap() as usize] += 1;
            }
            touched += all.len();
            let candidates = &watching.watch.as_ref().unwrap().found;
            fewest = fewest.min(candidates.nodes.len());
        }
        // it is a test only if all obstacles are met, and most of the surface is not looked at
        assert!(touched > 100 && seen.iter().all(|&n| n > 0), "{seen:?}");
        assert!(fewest < surface / 2, "{fewest} of {surface}");
    }
}

#[test]
fn balls_contain_their_nodes_in_any_pose() {
    let model = scene();
    let stepper = stepper(&model, Integrator::QuasiStatic);
    let domains = &stepper.domains;
    let mut watch = Watch::new(&model, domains, &domains.pose(0.0));
    let mut random = Random::new(5);
    // everything is in the way, so that all balls are visited
    let everywhere = Obstacle {
        name: "all".into(),
        shape: Shape::HalfSpace {
            point: vec3(0.0, 0.0, 100.0),
            normal: Vec3::AXES[2],
        },
        friction: None,
        motion: None,
    };
    let obstacles = [PosedObstacle::new(&everywhere, 0.0, 0.01)];
    let (mut checked, mut tightest) = (0, f64::INFINITY);
    for _ in 0..40 {
        let time = 0.05 + 0.05 * random.signed();
        let size = [0.0, 0.1, 1.0][checked % 3];
        let memory = Reduced {
            coordinates: (0..domains.rank).map(|_| size * random.signed()).collect(),
            ..Reduced::default()
        };
        let pose = domains.pose(time);
        let bones = Bone::of_pose(domains, &pose);
        let now = Now {
            model: &model,
            domains,
            pose: &pose,
            memory: &memory,
            obstacles: &obstacles,
        };
        for index in 0..watch.balls.len() {
            let ball = &watch.balls[index];
            let q = &memory.coordinates;
            let Some(slack) = ball.slack(&bones[0], q, &mut watch.relative) else {
                continue;
            };
            let seen = ball.seen(&bones[0], slack.all, slack.shape);
            let mut points = Vec::new();
            watch.points_of(index as u32, &mut points);
            let mut farthest = 0.0f64;
            for &node in &points {
                let shape = domains.shape(&model, node, q);
                let x = domains.frame(&pose, node).place(shape);
                farthest = farthest.max((x - seen.centre).norm());
                assert!((shape - ball.middle).norm() <= seen.extent * (1.0 + 1e-9));
            }
            assert!(
                farthest <= seen.radius * (1.0 + 1e-9),
                "{farthest} {}",
                seen.radius
            );
            tightest = tightest.min(seen.radius / farthest);
            checked += 1;
        }
        watch.search(&now);
    }
    assert!(checked > 1000 && tightest < 1.05, "{checked} {tightest}");
}
