use pliant_linalg::vec3;
use pliant_scene::{Scene, build, parse};
use pliant_solid::drive::{Action, Faces};
use pliant_solid::profile::Profile;
use pliant_solid::settings::{Integrator, PreconditionerChoice, SolverChoice};

pub const EVERYTHING: &str = include_str!("everything.toml");

fn everything() -> Scene {
    let file = parse(EVERYTHING, "everything.toml").unwrap_or_else(|e| panic!("{e}"));
    build(&file, None).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn settings_are_taken_over() {
    let scene = everything();
    let settings = &scene.settings;
    assert_eq!(
        (settings.h, scene.duration, scene.step_count()),
        (2e-3, 1.0, 500)
    );
    assert_eq!(settings.integrator, Integrator::ImplicitEuler);
    let SolverChoice::Pcg {
        settings: pcg,
        preconditioner,
    } = settings.solver
    else {
        panic!("not PCG");
    };
    assert_eq!((pcg.relative_tolerance, pcg.max_iterations), (1e-6, 500));
    assert_eq!(preconditioner, PreconditionerChoice::Jacobi);
    assert_eq!(
        (
            settings.newton.relative_tolerance,
            settings.newton.max_iterations
        ),
        (1e-5, 9)
    );
    assert_eq!(settings.max_halvings, 3);
    assert_eq!(
        (
            scene.record.every,
            scene.record.stress,
            scene.record.velocities
        ),
        (1.0 / 30.0, false, true)
    );
    assert_eq!(scene.record.stride(settings.h), 17);
    assert_eq!(
        scene.notices[1],
        "gravity has a z component, which planar bodies cannot follow"
    );
    assert!(scene.notices[0].contains("stand-in") && scene.notices.len() == 2);
}

#[test]
fn bodies_stand_where_they_are_placed() {
    let scene = everything();
    let bar = &scene.model.bodies[0];
    let nodes = &scene.model.rest[bar.nodes.clone()];
    let low = nodes.iter().copied().reduce(|a, b| a.min(b)).unwrap();
    let high = nodes.iter().copied().reduce(|a, b| a.max(b)).unwrap();
    // x became y by the quarter turn about z
    assert!(
        (low - vec3(-0.1, 0.0, 1.0)).norm() < 1e-12 && (high - vec3(0.0, 0.4, 1.1)).norm() < 1e-12
    );
    let boxed = &scene.model.bodies[2];
    assert_eq!(scene.model.rest[boxed.nodes.start], vec3(-0.5, -0.5, -0.5));
    assert_eq!(scene.model.bodies.len(), 14);
    // lathe: a pole and two layers of five; extrudes: 11 and 8 silhouette nodes in three layers
    let count = |body: usize| scene.model.bodies[body].nodes.len();
    assert_eq!((count(9), count(10), count(11)), (11, 33, 24));
    let mean = nodes.iter().fold(vec3(0.0, 0.0, 0.0), |s, &x| s + x) / nodes.len() as f64;
    let state = scene.model.initial_state();
    let velocity = state.velocities[bar.nodes.start];
    assert!((velocity.x - 0.01).abs() < 0.2 * 30f64.to_radians() && mean.is_finite());
}

#[test]
fn drives_act_on_their_body() {
    let scene = everything();
    let drives = &scene.model.drives;
    assert_eq!(drives[2].name, "drive 3");
    let Action::Prescribe {
        nodes,
        axes,
        motion,
        release,
    } = &drives[0].action
    else {
        panic!()
    };
    assert_eq!(
        (nodes.len(), *axes, *release),
        (9, [true, false, true], Some(0.5))
    );
    assert!(motion.is_rest());
    let Action::Prescribe { nodes, motion, .. } = &drives[1].action else {
        panic!()
    };
    assert_eq!(nodes.len(), 9);
    let [x, _, z] = motion.translation.as_ref().unwrap();
    assert_eq!((x.at(0.0), z.at(0.3)), (0.01, 0.001));
    assert!(matches!(
        motion.rotation.as_ref().unwrap().angle,
        Profile::Keyframes { smooth: true, .. }
    ));
    let Action::Traction {
        faces: Faces::Triangles(triangles),
        pressure,
        ..
    } = &drives[3].action
    else {
        panic!()
    };
    assert_eq!((triangles.len(), *pressure), (48, 100.0));
    let ball = &scene.model.bodies[3].nodes;
    assert!(
        triangles
            .iter()
            .flatten()
            .all(|&n| ball.contains(&(n as usize)))
    );
    let Action::Traction {
        faces: Faces::Edges(edges, thickness),
        ..
    } = &drives[4].action
    else {
        panic!()
    };
    assert_eq!((edges.len(), *thickness), (2, 0.01));
    let Action::Spring {
        nodes, from, until, ..
    } = &drives[5].action
    else {
        panic!()
    };
    assert_eq!((nodes.len(), *from, *until), (1, 0.1, 0.6));
    let Action::Prescribe { nodes, .. } = &drives[6].action else {
        panic!()
    };
    assert_eq!(nodes.len(), 2);
    let Action::Accelerate {
        nodes,
        acceleration: [x, _, z],
    } = &drives[10].action
    else {
        panic!()
    };
    assert_eq!((nodes.len(), x.at(0.5), z.at(0.0)), (33, 0.5, 9.81));
}

#[test]
fn bodies_may_be_kept_from_becoming_rigid() {
    let scene = everything();
    let elastic = scene.model.bodies.iter().filter(|b| !b.may_rigidify);
    let names: Vec<&str> = elastic.map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["blob"]);
}

#[test]
fn later_regions_win() {
    let text = |regions: &str| {
        format!(
            "title = \"t\"\ntime.duration = 1\n[[body]]\nname = \"b\"\nmesh.bar = {{ size = [5, 1, 1], cells = [5, 1, 1] }}\n\
             material = {{ young = 1, poisson = 0, density = 1, model = \"linear\" }}\n{regions}"
        )
    };
    let masses = |regions: &str| {
        let scene =
            build(&parse(&text(regions), "t").unwrap(), None).unwrap_or_else(|e| panic!("{e}"));
        scene.model.mass.iter().sum::<f64>()
    };
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
    close(masses(""), 5.0);
    let layers = "[[body.region]]\nwhere.layers = { axis = \"x\", count = 5, take = [2, 4] }\ndensity = 10\n";
    close(masses(layers), 23.0);
    let end = "[[body.region]]\nwhere.above = { x = 3 }\ndensity = 100\n";
    close(masses(&format!("{layers}{end}")), 1.0 + 10.0 + 1.0 + 200.0);
    close(
        masses(&format!("{end}{layers}")),
        1.0 + 10.0 + 1.0 + 10.0 + 100.0,
    );
    // centroids of the six tetrahedra of a cell lie within 0.75 of one of its upright edges, those of other cells do not
    let edge = "[[body.region]]\nwhere.around = { point = [0, 0, 7], axis = [0, 0, -2], radius = 1 }\ndensity = 2\n";
    close(masses(edge), 6.0);
}
