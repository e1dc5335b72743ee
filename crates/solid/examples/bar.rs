//! Times the steps of a bar: `cargo run --release -p pliant-solid --example bar`.
use pliant_linalg::{PcgSettings, Vec3, vec3};
use pliant_mesh::{Selection, generate};
use pliant_solid::Simulation;
use pliant_solid::drive::{Action, Drive, Motion};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::report::Stage;
use pliant_solid::settings::{PreconditionerChoice, Settings, SolverChoice};
use pliant_solid::strategy::Method;

fn main() {
    for (solver, name) in [
        (SolverChoice::Direct, "direct"),
        (
            SolverChoice::Pcg {
                settings: PcgSettings {
                    relative_tolerance: 1e-6,
                    max_iterations: 2000,
                },
                preconditioner: PreconditionerChoice::BlockJacobi,
            },
            "pcg",
        ),
    ] {
        for model in [MaterialModel::StableNeoHookean, MaterialModel::Corotated] {
            let mesh =
                generate::bar(vec3(0.4, 0.1, 0.1), [40, 10, 10], generate::Split::Six).unwrap();
            let nodes = Selection::Plane {
                point: Vec3::ZERO,
                normal: vec3(1.0, 0.0, 0.0),
                tolerance: 1e-6,
            }
            .resolve(&mesh)
            .unwrap();
            let body = BodySpecification::uniform(
                "bar",
                mesh,
                MaterialSpecification::new(model, 1e5, 0.4, 1000.0),
            );
            let drive = Drive {
                name: "clamp".into(),
                action: Action::Prescribe {
                    nodes,
                    axes: [true; 3],
                    motion: Motion::default(),
                    release: None,
                },
            };
            let model = Model::build(vec![body], vec![drive], vec3(0.0, 0.0, -9.81)).unwrap();
            let mut sim = Simulation::new(
                model,
                Settings {
                    solver,
                    ..Settings::default()
                },
                Method::Full,
            )
            .unwrap();
            let mut best = [f64::INFINITY; 6];
            let mut its = 0;
            for _ in 0..40 {
                let r = sim.step().unwrap();
                its += r.linear_iterations;
                for s in Stage::ALL {
                    best[s as usize] = best[s as usize].min(r.times.seconds(s));
                }
            }
            let r = sim.report();
            println!("{name} {:?} iterations/step {} ", r.energies, its / 40);
            println!(
                "   colours {} reaction {:?} tip {:?}",
                sim.model().elements.colours.len(),
                r.reactions,
                sim.state().positions.last()
            );
            for s in Stage::ALL {
                print!("  {} {:.2} ms", s.name(), 1e3 * best[s as usize]);
            }
            println!();
        }
    }
}
