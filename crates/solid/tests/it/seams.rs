//! Bodies that are cut at known times (METHODS CJ-22): closed seams hold, opening changes nothing at once, pieces go their own ways.

use crate::common::*;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::{CutMesh, CutOptions, Mesh, Plane, Selection, generate};
use pliant_solid::Simulation;
use pliant_solid::contact::ContactModel;
use pliant_solid::drive::{Action, Drive, Faces, Motion};
use pliant_solid::joint::{Anchor, Joint, JointKind};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::profile::Profile;
use pliant_solid::report::StepReport;
use pliant_solid::seam::Seam;
use pliant_solid::settings::{Integrator, Settings};
use pliant_solid::strategy::Method;

const LINEAR: Integrator = Integrator::LinearImplicit { beta: 1.0 };
const X: Vec3 = Vec3::AXES[0];

/// Time, a point, the normal, and where.
type PlannedCut = (f64, Vec3, Vec3, Selection);

fn whole(time: f64, x: f64) -> PlannedCut {
    (time, vec3(x, 0.0, 0.0), X, Selection::All)
}

/// A mesh that is cut, in the order of times.
fn cut_mesh(mesh: Mesh, cuts: &[PlannedCut]) -> CutMesh {
    let mut cut = CutMesh::new(mesh);
    for (_, point, normal, within) in cuts {
        let plane = Plane {
            point: *point,
            normal: *normal,
        };
        let options = CutOptions {
            within: within.clone(),
            ..CutOptions::default()
        };
        cut.cut(&plane, &options).unwrap();
    }
    cut
}

/// Seams of the only body of a model.
fn seams(cut: &CutMesh, cuts: &[PlannedCut]) -> Vec<Seam> {
    let each = cuts.iter().enumerate();
    each.map(|(index, (time, ..))| Seam {
        name: format!("cut {index}"),
        time: *time,
        pairs: (cut.twins.iter())
            .filter(|t| t.cut as usize == index)
            .map(|t| [t.master, t.twin])
            .collect(),
    })
    .collect()
}

/// A bar stretched by a tenth between its ends, or flying if nothing holds it.
fn bar_model(cuts: &[PlannedCut], held: bool, material: MaterialSpecification) -> Model {
    let cut = cut_mesh(bar([8, 2, 2]), cuts);
    let mut body = BodySpecification::uniform("bar", cut.mesh.clone(), material);
    body.velocity = vec3(0.1, 0.2, 0.3);
    body.spin = vec3(0.5, 0.0, 1.0);
    let mut drives = Vec::new();
    if held {
        body.velocity = Vec3::ZERO;
        body.spin = Vec3::ZERO;
        drives.push(fix(left_end(&cut.mesh)));
        let along = Profile::Keyframes {
            keys: vec![(0.0, 0.0), (0.05, 0.04)],
            smooth: false,
        };
        let zero = || Profile::Constant(0.0);
        let motion = Motion {
            translation: Some([along, zero(), zero()]),
            ..Motion::default()
        };
        drives.push(prescribe(right_end(&cut.mesh), [true; 3], motion));
    }
    let model = Model::build(vec![body], drives, Vec3::ZERO).unwrap();
    model.with_seams(seams(&cut, cuts)).unwrap()
}

fn material() -> MaterialSpecification {
    soft(MaterialModel::StableNeoHookean)
}

fn run(model: &Model, method: Method, integrator: Integrator, steps: usize) -> Simulation {
    let mut simulation = Simulation::new(model.clone(), settings(integrator), method).unwrap();
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    simulation
}

/// The same mesh without twins, as if it had never been meant to be cut.
fn uncut(cuts: &[PlannedCut], held: bool, material: MaterialSpecification) -> Model {
    let cut = cut_mesh(bar([8, 2, 2]), cuts);
    let joined = cut.joined(0);
    let (mesh, _) = Mesh::new(
        joined.positions,
        joined.elements,
        joined.regions,
        joined.region_names,
    )
    .unwrap();
    let ends = [left_end(&mesh), right_end(&mesh)];
    let mut model = bar_model(&[], held, material.clone());
    let mut body = BodySpecification::uniform("bar", mesh, material);
    if !held {
        body.velocity = vec3(0.1, 0.2, 0.3);
        body.spin = vec3(0.5, 0.0, 1.0);
    }
    for (drive, end) in model.drives.iter_mut().zip(ends) {
        if let Action::Prescribe { nodes, .. } = &mut drive.action {
            *nodes = end;
        }
    }
    Model::build(vec![body], model.drives, Vec3::ZERO).unwrap()
}

#[test]
fn closed_seams_hold_as_if_there_were_none() {
    let oblique = (
        9.0,
        vec3(0.21, 0.05, 0.05),
        vec3(1.0, 0.4, 0.2),
        Selection::All,
    );
    let cuts = [oblique, whole(9.0, 0.3)];
    for (held, integrator) in [(true, LINEAR), (false, LINEAR), (true, Integrator::Bdf2)] {
        for method in Method::ALL.into_iter().filter(|m| !m.needs_training()) {
            if matches!(method, Method::Conjac | Method::Rigidify) && integrator != LINEAR {
                continue; // it has no other
            }
            let (closed, plain) = (
                bar_model(&cuts, held, material()),
                uncut(&cuts, held, material()),
            );
            let [a, b] = [&closed, &plain].map(|model| run(model, method, integrator, 12));
            assert_eq!(a.report().active_dofs, b.report().active_dofs);
            let leaders: Vec<u32> = (0..closed.node_count() as u32)
                .filter(|&n| closed.seams.leader(n) == n)
                .collect();
            assert_eq!(leaders.len(), plain.node_count());
            let own = |field: &[Vec3]| {
                leaders
                    .iter()
                    .map(|&n| field[n as usize])
                    .collect::<Vec<_>>()
            };
            // to rounding, not to the bit: masses of twins are added last, and chunks of elements may differ
            let off = distance(&own(&a.state().positions), &b.state().positions);
            assert!(off < 1e-11, "{} {off}", method.name());
            let off = distance(&own(&a.state().velocities), &b.state().velocities);
            assert!(off < 1e-9, "{} {off}", method.name());
            let (a, b) = (a.report(), b.report());
            assert!(
                (a.energies.elastic - b.energies.elastic).abs() < 1e-9 * b.energies.mechanical()
            );
            assert!((a.force_balance - b.force_balance).abs() < 1e-9);
        }
    }
}

#[test]
fn twins_follow_exactly_and_then_part() {
    let cuts = [whole(0.06, 0.2)];
    let model = bar_model(&cuts, true, material());
    let pairs = model.seams.all()[0].pairs.clone();
    assert_eq!(pairs.len(), 9);
    let mut simulation = run(&model, Method::Full, LINEAR, 12);
    let apart = |simulation: &Simulation| {
        let x = &simulation.state().positions;
        let gap = |[a, b]: &[u32; 2]| (x[*b as usize] - x[*a as usize]).norm();
        pairs.iter().map(gap).fold(0.0, f64::max)
    };
    assert_eq!(
        (apart(&simulation), simulation.model().seams.open()),
        (0.0, 0)
    );
    assert_eq!(simulation.report().active_dofs, 3 * (81 - 18));
    let before = simulation.report().clone();
    simulation.step().unwrap();
    assert_eq!(simulation.model().seams.open(), 1);
    assert_eq!(simulation.report().active_dofs, 3 * (81 + 9 - 18));
    let first = apart(&simulation);
    assert!(first > 1e-3 && first < 0.02, "{first}");
    // every node belongs to an element that is on its side
    assert_eq!(
        simulation.model().element_nodes,
        model.split_element_nodes()
    );
    assert!(simulation.report().energies.mechanical() <= before.energies.mechanical() + 1e-12);
    for _ in 0..20 {
        simulation.step().unwrap();
    }
    // the bar was 4 cm longer than at rest
    assert!(apart(&simulation) > 0.03);
}

/// Momentum of all nodes, and energies, as a model with these masses sees a state.
fn totals(model: &Model, x: &[Vec3], v: &[Vec3]) -> (Vec3, Vec3, f64, f64) {
    (0..x.len()).fold((Vec3::ZERO, Vec3::ZERO, 0.0, 0.0), |sum, i| {
        let m = model.mass[i];
        let kinetic = 0.5 * m * v[i].norm_squared();
        (
            sum.0 + v[i] * m,
            sum.1 + x[i].cross(v[i]) * m,
            sum.2 + kinetic,
            sum.3 + m,
        )
    })
}

#[test]
fn opening_keeps_mass_momentum_and_energy() {
    let cuts = [
        whole(0.06, 0.21),
        (
            0.06,
            vec3(0.2, 0.04, 0.05),
            vec3(0.1, 1.0, 0.3),
            Selection::All,
        ),
    ];
    let model = bar_model(&cuts, false, material());
    let mut simulation = run(&model, Method::Full, LINEAR, 12);
    let state = simulation.state().clone();
    let closed = simulation.model().clone();
    let ledger = simulation.report().energies;
    simulation.step().unwrap();
    let open = simulation.model().clone();
    assert_eq!((closed.seams.open(), open.seams.open()), (0, 2));
    let a = totals(&closed, &state.positions, &state.velocities);
    let b = totals(&open, &state.positions, &state.velocities);
    assert!((a.0 - b.0).norm() < 1e-14 * a.0.norm());
    assert!((a.1 - b.1).norm() < 1e-14 * a.1.norm());
    assert!((a.2 - b.2).abs() < 1e-14 * a.2 && (a.3 - b.3).abs() < 1e-14 * a.3);
    // elements are the same ones in the same packs, so that their energy is the same to the last bit
    for pack in 0..closed.elements.packs.len() {
        let [a, b] = [&closed, &open].map(|m| m.elements.packs[pack].elements);
        assert_eq!(a, b);
    }
    let energy = |model: &Model| {
        let mut forces = pliant_solid::assembly::Forces::default();
        forces
            .evaluate(model, &state.positions, &[], false)
            .unwrap();
        forces.energy
    };
    assert_eq!(energy(&closed), energy(&open));
    // the balance goes on where it was
    let after = simulation.report().energies;
    let lost = after.integrator_loss - ledger.integrator_loss;
    assert!((after.mechanical() + lost - ledger.mechanical()).abs() < 1e-12 * ledger.mechanical());
}

#[test]
fn pieces_fly_apart_and_their_common_centre_goes_on() {
    // stretched by the spin and by hand, then cut while nothing holds it
    let cuts = [whole(0.0, 0.2)];
    for method in Method::ALL.into_iter().filter(|m| !m.needs_training()) {
        let model = bar_model(&cuts, false, material());
        let mut simulation = Simulation::new(model, settings(LINEAR), method).unwrap();
        for x in &mut simulation.state_mut().positions {
            x.x *= 1.1;
        }
        let start = simulation.state().clone();
        let mut centres: Vec<Vec3> = Vec::new();
        for _ in 0..40 {
            let report = simulation.step().unwrap();
            centres.push(report.momentum.centre);
        }
        let velocity = vec3(0.1, 0.2, 0.3);
        let h = Settings::default().h;
        let off = centres[39] - centres[0] - velocity * (39.0 * h);
        // early termination keeps the momentum of the whole, which it restores
        assert!(off.norm() < 1e-8, "{} {off:?}", method.name());
        // each half pulls back to its own middle: a gap opens that was not there
        let state = simulation.state();
        let pairs = &simulation.model().seams.all()[0].pairs;
        let gap = |[a, b]: &[u32; 2]| {
            (state.positions[*b as usize] - state.positions[*a as usize]).norm()
        };
        assert_eq!(
            pairs
                .iter()
                .map(|[a, b]| (start.positions[*a as usize] - start.positions[*b as usize]).norm())
                .fold(0.0, f64::max),
            0.0
        );
        assert!(
            pairs.iter().map(gap).fold(f64::INFINITY, f64::min) > 1e-3,
            "{}",
            method.name()
        );
    }
}

#[test]
fn resumed_runs_and_threads_give_the_same_bytes() {
    // opened at the sixth step, one in the middle of a step, one that meets the first
    let cuts = [
        whole(0.03, 0.2),
        (0.041, vec3(0.3, 0.0, 0.0), X, Selection::All),
        (
            0.05,
            vec3(0.1, 0.05, 0.03),
            vec3(0.1, 0.0, 1.0),
            Selection::All,
        ),
    ];
    for (method, integrator, material) in [
        (Method::Full, LINEAR, material()),
        (Method::Full, Integrator::Bdf2, material()),
        (Method::EarlyCg, LINEAR, soft(MaterialModel::Corotated)),
        (Method::Isodof, LINEAR, material()),
    ] {
        let model = bar_model(&cuts, true, material);
        let pool = |threads| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap()
        };
        let states = |threads: usize| {
            pool(threads).install(|| {
                let mut simulation =
                    Simulation::new(model.clone(), settings(integrator), method).unwrap();
                let mut states = vec![simulation.state().clone()];
                for _ in 0..14 {
                    simulation.step().unwrap();
                    states.push(simulation.state().clone());
                }
                assert_eq!(simulation.model().seams.open(), 3);
                states
            })
        };
        let expected = states(1);
        assert!(expected == states(2), "{} with two threads", method.name());
        // before, right before and right after each opening
        for start in [3, 6, 7, 8, 9, 10, 11] {
            let state = expected[start].clone();
            let mut resumed =
                Simulation::resume(model.clone(), settings(integrator), method, state).unwrap();
            for state in &expected[start + 1..] {
                resumed.step().unwrap();
                assert!(
                    resumed.state() == state,
                    "{} from step {start}",
                    method.name()
                );
            }
        }
    }
}

#[test]
fn planar_bodies_are_cut_too() {
    let cuts = [(
        0.02,
        vec3(0.21, 0.0, 0.0),
        vec3(1.0, 0.2, 0.0),
        Selection::All,
    )];
    let cut = cut_mesh(rectangle(), &cuts);
    for method in Method::ALL.into_iter().filter(|m| !m.needs_training()) {
        let clamp = fix(left_end(&cut.mesh));
        let body = BodySpecification::uniform("plate", cut.mesh.clone(), material());
        let model = Model::build(vec![body], vec![clamp], vec3(0.0, -9.81, 0.0)).unwrap();
        let model = model.with_seams(seams(&cut, &cuts)).unwrap();
        let simulation = run(&model, method, LINEAR, 40);
        // the right part falls freely: 36 steps after the cut
        let end = right_end(&cut.mesh);
        let state = simulation.state();
        let fall = end
            .iter()
            .map(|&n| state.positions[n as usize].y - model.rest[n as usize].y);
        let fall = fall.fold(0.0, f64::min);
        assert!(fall < -0.12 && fall > -0.25, "{} {fall}", method.name());
        assert!(state.positions.iter().all(|x| x.z == 0.0));
    }
}

#[test]
fn cut_faces_touch_each_other() {
    // two halves pressed together after the cut
    let cuts = [whole(0.0, 0.2)];
    let cut = cut_mesh(bar([8, 2, 2]), &cuts);
    for touching in [true, false] {
        let push = |x: f64| {
            let path = Profile::Keyframes {
                keys: vec![(0.0, 0.0), (0.1, x)],
                smooth: true,
            };
            let zero = || Profile::Constant(0.0);
            Motion {
                translation: Some([path, zero(), zero()]),
                ..Motion::default()
            }
        };
        let drives = vec![
            prescribe(left_end(&cut.mesh), [true; 3], push(0.02)),
            prescribe(right_end(&cut.mesh), [true; 3], push(-0.02)),
        ];
        let body = BodySpecification::uniform("bar", cut.mesh.clone(), material());
        let contact = ContactModel {
            itself: touching,
            ..ContactModel::default()
        };
        let model = Model::build(vec![body], drives, Vec3::ZERO).unwrap();
        let model = model.with_contact(contact).unwrap();
        let model = model.with_seams(seams(&cut, &cuts)).unwrap();
        let mut simulation = Simulation::new(model, settings(LINEAR), Method::Full).unwrap();
        let mut most = 0;
        for _ in 0..30 {
            most = most.max(simulation.step().unwrap().contacts);
        }
        let state = simulation.state();
        let overlap =
            |[a, b]: &[u32; 2]| state.positions[*a as usize].x - state.positions[*b as usize].x;
        let pairs = &simulation.model().seams.all()[0].pairs;
        let overlap = pairs.iter().map(overlap).fold(f64::NEG_INFINITY, f64::max);
        let force = simulation.report().reactions[0].x;
        if touching {
            // a tenth of strain over an area of 1 dm²: 1e5 Pa · 0.1 · 0.01 m², and some for the sides that are held
            assert!(most >= 9 && overlap < 1e-4, "{most} {overlap}");
            assert!(force > 80.0 && force < 200.0, "{force}");
        } else {
            assert!(most == 0 && overlap > 0.03, "{overlap}");
            assert!(force.abs() < 20.0, "{force}");
        }
    }
}

#[test]
fn closed_seams_have_no_contacts() {
    let cuts = [whole(9.0, 0.2)];
    let model = bar_model(&cuts, true, material());
    let contact = ContactModel {
        itself: true,
        ..ContactModel::default()
    };
    let model = model.with_contact(contact).unwrap();
    let mut simulation = Simulation::new(model, settings(LINEAR), Method::Full).unwrap();
    for _ in 0..5 {
        let report = simulation.step().unwrap();
        assert_eq!((report.contacts, report.constraints), (0, 0));
    }
}

#[test]
fn an_incision_gapes() {
    let upper = Selection::HalfSpace {
        point: vec3(0.0, 0.0, 0.05),
        normal: vec3(0.0, 0.0, 1.0),
    };
    let mesh = generate::bar(vec3(0.4, 0.1, 0.1), [8, 4, 4], generate::Split::Six).unwrap();
    let cuts = [(0.05, vec3(0.2, 0.0, 0.0), X, upper)];
    let cut = cut_mesh(mesh, &cuts);
    let body = BodySpecification::uniform("bar", cut.mesh.clone(), material());
    let zero = || Profile::Constant(0.0);
    let pull = Profile::Keyframes {
        keys: vec![(0.0, 0.0), (0.05, 0.08)],
        smooth: false,
    };
    let motion = Motion {
        translation: Some([pull, zero(), zero()]),
        ..Motion::default()
    };
    let drives = vec![
        fix(left_end(&cut.mesh)),
        prescribe(right_end(&cut.mesh), [true; 3], motion),
    ];
    let model = Model::build(vec![body], drives, Vec3::ZERO).unwrap();
    let later = (9.0, cuts[0].1, cuts[0].2, cuts[0].3.clone());
    let sound = model.clone().with_seams(seams(&cut, &[later])).unwrap();
    let model = model.with_seams(seams(&cut, &cuts)).unwrap();
    let simulation = run(&model, Method::Full, LINEAR, 200);
    let x = &simulation.state().positions;
    let pairs = &model.seams.all()[0].pairs;
    // nodes at the lower border have no twin; the higher the wider
    let gap = |z: f64| {
        let row = pairs
            .iter()
            .filter(|[a, _]| (model.rest[*a as usize].z - z).abs() < 1e-9);
        let gaps: Vec<f64> = row
            .map(|[a, b]| (x[*b as usize] - x[*a as usize]).x)
            .collect();
        gaps.iter().sum::<f64>() / gaps.len() as f64
    };
    assert!(pairs.iter().all(|[a, _]| model.rest[*a as usize].z > 0.051));
    assert!(
        gap(0.1) > gap(0.075) && gap(0.075) > 1e-3,
        "{} {}",
        gap(0.1),
        gap(0.075)
    );
    // what is left holds less than the whole, and more than half of the rows would
    let sound = run(&sound, Method::Full, LINEAR, 200).report().reactions[1].x;
    let share = simulation.report().reactions[1].x / sound;
    assert!(share > 0.5 && share < 0.9, "{share}");
}

#[test]
fn drives_and_joints_take_hold_of_both_sides() {
    let cuts = [whole(0.02, 0.2)];
    let cut = cut_mesh(bar([8, 2, 2]), &cuts);
    let middle = Selection::Plane {
        point: vec3(0.2, 0.0, 0.0),
        normal: X,
        tolerance: 1e-9,
    };
    let nodes = middle.resolve(&cut.mesh).unwrap();
    assert_eq!(nodes.len(), 18);
    let build = |drives: Vec<Drive>, joints: Vec<Joint>| {
        let body = BodySpecification::uniform("bar", cut.mesh.clone(), material());
        let model = Model::build(vec![body], drives, Vec3::ZERO).unwrap();
        let model = model.with_joints(joints).unwrap();
        model.with_seams(seams(&cut, &cuts)).unwrap()
    };
    let steps = |model: &Model| -> Vec<StepReport> {
        let mut simulation =
            Simulation::new(model.clone(), settings(LINEAR), Method::Full).unwrap();
        (0..8).map(|_| simulation.step().unwrap().clone()).collect()
    };
    // held in the middle by a drive or by a joint
    let held = build(vec![fix(nodes.clone())], vec![]);
    let tied = nodes
        .iter()
        .map(|&n| [Anchor::Node(n), Anchor::fixed(held.rest[n as usize])]);
    let tie = JointKind::Attachment {
        pairs: tied.collect(),
    };
    let attached = build(vec![], vec![Joint::new("tie", tie)]);
    for model in [&held, &attached] {
        let mut simulation =
            Simulation::new(model.clone(), settings(LINEAR), Method::Full).unwrap();
        let free = right_end(&cut.mesh)[0] as usize;
        simulation.state_mut().velocities[free] = vec3(5.0, 3.0, 0.0);
        for _ in 0..10 {
            simulation.step().unwrap();
            let x = &simulation.state().positions;
            let off = nodes
                .iter()
                .map(|&n| (x[n as usize] - model.rest[n as usize]).norm());
            assert!(off.fold(0.0, f64::max) < 1e-12);
        }
        assert!(distance(&simulation.state().positions, &model.rest) > 1e-4);
    }
    // a force is the same sum before and after
    let force = Drive {
        name: "pull".into(),
        action: Action::Force {
            nodes: nodes.clone(),
            force: vec3(0.0, 0.0, 2.0),
            profile: Profile::Constant(1.0),
        },
    };
    let surface = cut_mesh(bar([8, 2, 2]), &cuts).mesh;
    let surface = pliant_mesh::Surface::of(&surface);
    let pressure = Drive {
        name: "water".into(),
        action: Action::Traction {
            faces: Faces::Triangles(surface.triangles.clone()),
            traction: Vec3::ZERO,
            pressure: 100.0,
            profile: Profile::Constant(1.0),
        },
    };
    let model = build(vec![force, pressure], vec![]);
    let Action::Traction {
        faces: Faces::Triangles(loaded),
        ..
    } = &model.drives[1].action
    else {
        panic!("a traction");
    };
    // while the seam is closed its faces are inside
    assert_eq!(loaded.len() + 16, surface.triangles.len());
    for report in steps(&model) {
        assert!((report.reactions[0] - vec3(0.0, 0.0, 2.0)).norm() < 1e-12);
        assert!(report.reactions[1].norm() < 1e-10);
    }
    let mass: f64 = model.mass.iter().sum();
    let last = steps(&model)[7].momentum.linear.z;
    assert!((last - 2.0 * 0.04).abs() < 1e-9, "{last} {mass}");
}

#[test]
fn impossible_seams_are_refused() {
    let cuts = [whole(0.5, 0.2), whole(1.0, 0.3)];
    let cut = cut_mesh(bar([8, 2, 2]), &cuts);
    let good = seams(&cut, &cuts);
    let refused = |change: &dyn Fn(&mut Vec<Seam>), words: &str| {
        let body = BodySpecification::uniform("bar", cut.mesh.clone(), material());
        let model = Model::build(vec![body], vec![], Vec3::ZERO).unwrap();
        let mut list = good.clone();
        change(&mut list);
        let text = model.with_seams(list).unwrap_err().to_string();
        assert!(text.contains(words), "{text}");
    };
    refused(&|s| s[0].time = -1.0, "cut `cut 0`: its time");
    refused(&|s| s[0].time = f64::NAN, "its time");
    refused(&|s| s[0].time = 2.0, "sort them by time");
    refused(&|s| s[1].pairs.clear(), "separates no nodes");
    refused(&|s| s[1].pairs[0].swap(0, 1), "greater number");
    refused(&|s| s[1].pairs[0][1] = 9999, "greater number");
    refused(&|s| s[1].pairs[0][0] += 1, "rest where");
    refused(
        &|s| {
            s[1] = Seam {
                time: 1.0,
                ..s[0].clone()
            }
        },
        "twin of two",
    );
}
