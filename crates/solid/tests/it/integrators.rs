//! Orders of accuracy, agreement between solvers, statics.

use crate::common::*;
use pliant_linalg::Vec3;
use pliant_solid::material::MaterialModel;
use pliant_solid::settings::{Integrator, PreconditionerChoice, Settings, SolverChoice};

fn tip_after(integrator: Integrator, h: f64, time: f64) -> Vec<Vec3> {
    let model = cantilever(bar([8, 2, 2]), soft(MaterialModel::StableNeoHookean));
    let mut settings = Settings {
        h,
        ..settings(integrator)
    };
    settings.newton.relative_tolerance = 1e-11;
    simulate(model, settings, (time / h).round() as usize)
        .state()
        .positions
        .clone()
}

#[test]
fn backward_euler_is_first_and_bdf2_second_order() {
    let reference = tip_after(Integrator::Bdf2, 1.25e-4, 0.08);
    let order = |integrator| {
        let error = |h| distance(&tip_after(integrator, h, 0.08), &reference);
        (error(4e-3) / error(2e-3)).log2()
    };
    for first in [
        Integrator::ImplicitEuler,
        Integrator::LinearImplicit { beta: 1.0 },
    ] {
        let order = order(first);
        assert!((0.7..1.4).contains(&order), "{first:?} {order}");
    }
    let order = order(Integrator::Bdf2);
    assert!((1.7..2.4).contains(&order), "BDF2 {order}");
}

#[test]
fn direct_and_iterative_solvers_agree() {
    let run = |solver| {
        let model = cantilever(bar([8, 3, 2]), soft(MaterialModel::Corotated));
        simulate(
            model,
            Settings {
                solver,
                ..Settings::default()
            },
            20,
        )
        .state()
        .positions
        .clone()
    };
    let direct = run(SolverChoice::Direct);
    for preconditioner in [
        PreconditionerChoice::Identity,
        PreconditionerChoice::Mass,
        PreconditionerChoice::Jacobi,
        PreconditionerChoice::BlockJacobi,
        PreconditionerChoice::GaussSeidel,
    ] {
        let SolverChoice::Pcg { settings, .. } = pcg(1e-12) else {
            panic!()
        };
        let iterative = run(SolverChoice::Pcg {
            settings,
            preconditioner,
        });
        assert!(distance(&direct, &iterative) < 1e-9, "{preconditioner:?}");
    }
}

#[test]
fn a_damped_bar_settles_at_the_static_solution() {
    let material = || soft(MaterialModel::StableNeoHookean);
    let still = simulate(
        cantilever(bar([8, 2, 2]), material()),
        settings(Integrator::QuasiStatic),
        1,
    );
    // large steps of backward Euler damp everything
    let settings = Settings {
        h: 0.1,
        ..settings(Integrator::ImplicitEuler)
    };
    let settled = simulate(cantilever(bar([8, 2, 2]), material()), settings, 150);
    let difference = distance(&still.state().positions, &settled.state().positions);
    assert!(difference < 1e-6 * 0.4, "{difference}");

    // and the clamp carries the weight
    let weight = still.model().mass.iter().sum::<f64>() * 9.81;
    for simulation in [&still, &settled] {
        let reaction = simulation.report().reactions[0];
        assert!(
            (reaction - Vec3::new(0.0, 0.0, weight)).norm() < 1e-6 * weight,
            "{reaction:?}"
        );
    }
}

#[test]
fn a_small_load_bends_the_beam_like_timoshenko_says() {
    // linear tetrahedra are too stiff; the error must fall as the mesh is refined
    let (length, side, young): (f64, f64, f64) = (0.4, 0.1, 1e7);
    let tip = |cells| {
        let mut material = soft(MaterialModel::StableNeoHookean);
        (material.young, material.poisson) = (young, 0.0);
        let simulation = simulate(
            cantilever(bar(cells), material),
            settings(Integrator::QuasiStatic),
            1,
        );
        let model = simulation.model();
        let end: Vec<usize> = (0..model.node_count())
            .filter(|&n| model.rest[n].x > 0.4 - 1e-9)
            .collect();
        let sum: f64 = end
            .iter()
            .map(|&n| simulation.state().positions[n].z - model.rest[n].z)
            .sum();
        -sum / end.len() as f64
    };
    let load = 1000.0 * 9.81 * side * side; // N/m
    let inertia = side.powi(4) / 12.0;
    let shear = 5.0 / 6.0 * young / 2.0 * side * side;
    let exact =
        load * length.powi(4) / (8.0 * young * inertia) + load * length * length / (2.0 * shear);
    let errors: Vec<f64> = [[8, 2, 2], [16, 4, 4], [32, 8, 8]]
        .map(|c| 1.0 - tip(c) / exact)
        .to_vec();
    assert!(
        errors[0] > errors[1] && errors[1] > errors[2] && errors[2].abs() < 0.08,
        "{errors:?}"
    );
}
