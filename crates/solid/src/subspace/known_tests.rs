use super::*;
use crate::contact::{Contact, ContactModel, Moving};
use crate::drive::{Action, Drive, Motion};
use crate::material::{MaterialModel, MaterialSpecification};
use crate::model::BodySpecification;
use crate::profile::Profile;
use crate::settings::{Integrator, Settings};
use crate::simulation::Simulation;
use crate::state::State;
use crate::strategy::Method;
use crate::subspace::train::{Snapshot, Training, TrainingSettings, Unskinned, train};
use crate::subspace::{Oracle, SubspaceSettings, SubspaceStepper, TrainedModel, View};
use pliant_linalg::{CubatureSettings, Vec3};
use pliant_mesh::generate;
use std::collections::BTreeSet;
use std::sync::Arc;

const H: f64 = 0.01;
const STEPS: usize = 24;

/// A C that stands on its lower arm; an acceleration that grows bends the upper one down onto it.
fn mouth() -> Model {
    let picture: Vec<String> = ["############", "##..........", "############"]
        .map(String::from)
        .into();
    let drawing = generate::Extrusion::uniform(picture, [0.01, 0.01], 0.04, 4).unwrap();
    let mesh = generate::extrude(&drawing).unwrap();
    let low = mesh.positions.iter().fold(f64::INFINITY, |l, x| l.min(x.z));
    let held = (0..mesh.node_count() as u32).filter(|&n| mesh.positions[n as usize].z < low + 1e-9);
    let hold = Drive {
        name: "hold".into(),
        action: Action::Prescribe {
            nodes: held.collect(),
            axes: [true; 3],
            motion: Motion::default(),
            release: None,
        },
    };
    let ramp = |most: f64| Profile::Keyframes {
        keys: vec![(0.0, 0.0), (H * STEPS as f64, most)],
        smooth: false,
    };
    let press = Drive {
        name: "press".into(),
        action: Action::Accelerate {
            nodes: (0..mesh.node_count() as u32).collect(),
            acceleration: [ramp(0.0), ramp(0.0), ramp(-25.0)],
        },
    };
    let material = MaterialSpecification::new(MaterialModel::Corotated, 1e4, 0.3, 1000.0);
    let body = BodySpecification::uniform("c", mesh, material);
    let contact = ContactModel {
        itself: true,
        friction: 0.0,
        isotropy: 0.5,
        ..ContactModel::penalty()
    };
    let model = Model::build(vec![body], vec![hold, press], Vec3::ZERO).unwrap();
    model.with_contact(contact).unwrap()
}

fn settings(subspace: SubspaceSettings) -> Settings {
    Settings {
        h: H,
        integrator: Integrator::QuasiStatic,
        subspace,
        ..Settings::default()
    }
}

/// Solutions of all nodes.
fn solutions(model: &Model) -> Vec<Vec<Vec3>> {
    let own = settings(SubspaceSettings::default());
    let mut simulation = Simulation::new(model.clone(), own, Method::Full).unwrap();
    let step = |_| {
        simulation.step().unwrap();
        simulation.state().positions.clone()
    };
    (0..STEPS).map(step).collect()
}

/// A model that has learnt from some of them.
fn learnt(model: &Model, solutions: &[Vec<Vec3>]) -> TrainedModel {
    learnt_in(
        model,
        solutions,
        &[(0..model.element_count() as u32).collect()],
    )
}

/// The same with these domains.
fn learnt_in(model: &Model, solutions: &[Vec<Vec3>], domains: &[Vec<u32>]) -> TrainedModel {
    let snapshots: Vec<Snapshot> = (solutions.iter())
        .map(|positions| Snapshot {
            positions: positions.clone(),
            activations: Vec::new(),
        })
        .collect();
    let all: Vec<usize> = (0..snapshots.len()).collect();
    let held = model.drives[0].action.prescribed().unwrap().0.to_vec();
    let training = Training {
        model,
        body: 0,
        snapshots: &snapshots,
        skinned: &Unskinned,
        domains,
        held: &held,
        weights: None,
        touching: &all,
    };
    let settings = TrainingSettings {
        cubature: CubatureSettings {
            tolerance: 0.03,
            ..CubatureSettings::default()
        },
        ..TrainingSettings::default()
    };
    train(&training, &settings, |_, _| {}).unwrap().0
}

fn with(model: &Model, trained: TrainedModel) -> Model {
    model.clone().with_trained(vec![Trained {
        model: Arc::new(trained),
        rig: None,
    }])
}

fn stepper(model: &Model, trained_contacts: bool) -> SubspaceStepper {
    let own = SubspaceSettings {
        radius: 0.05,
        trained_contacts,
        ..SubspaceSettings::default()
    };
    SubspaceStepper::new(model, settings(own)).unwrap()
}

/// Reduced forces of contacts where a stepper has found them.
fn reduced(domains: &Domains, contacts: &[Contact]) -> Vec<f64> {
    let mut sum = vec![0.0; domains.rank];
    for contact in contacts {
        let force = contact.normal * (contact.stiffness * contact.depth);
        for (&node, &weight) in contact.nodes[..contact.count].iter().zip(&contact.weights) {
            let (domain, place) = domains.copies(node)[0];
            let domain = &domains.list[domain as usize];
            (domain.basis()).add_transposed(place as usize, weight, force, &mut sum);
        }
    }
    sum
}

fn length(f: &[f64]) -> f64 {
    f.iter().map(|f| f * f).sum::<f64>().sqrt()
}

fn distance(a: &[Vec3], b: &[Vec3]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (*a - *b).norm_squared());
    squares.sum::<f64>().sqrt()
}

/// SC-20: few vertices push as all contacts of the training do, within the error that is told.
#[test]
fn few_vertices_push_as_all_contacts_of_the_training() {
    let plain = mouth();
    let solutions = solutions(&plain);
    let trained = learnt(&plain, &solutions);
    let [contact] = &trained.contacts[..] else {
        panic!("{:?}", trained.contacts);
    };
    assert!(contact.error <= 0.03, "{}", contact.error);
    let model = with(&plain, trained.clone());
    let stepper = stepper(&model, true);
    let domains = &stepper.domains;
    let mut detector = crate::contact::Detector::new(&model);
    let still = vec![Vec3::ZERO; model.node_count()];
    let (mut missed, mut targets) = (Vec::new(), Vec::new());
    let mut vertices = BTreeSet::new();
    for x in &solutions {
        // where the modes put the surface
        let mut q = vec![0.0; domains.rank];
        for (node, (x, rest)) in x.iter().zip(&model.rest).enumerate() {
            let (_, place) = domains.copies(node as u32)[0];
            (domains.list[0].basis()).add_transposed(place as usize, 1.0, *x - *rest, &mut q);
        }
        let positions: Vec<Vec3> = (0..model.node_count() as u32)
            .map(|node| domains.shape(&model, node, &q))
            .collect();
        let at = Moving {
            positions: &positions,
            velocities: &still,
            time: 0.0,
            h: H,
        };
        let found = detector.detect(&model, at).to_vec();
        let mut acting = Vec::new();
        assert_eq!(
            stepper.known.sort(domains, &found, &mut acting),
            0,
            "all are known"
        );
        let (exact, own) = (reduced(domains, &found), reduced(domains, &acting));
        let difference: Vec<f64> = exact.iter().zip(&own).map(|(a, b)| a - b).collect();
        if !found.is_empty() {
            missed.push(length(&difference));
            targets.push(length(&exact));
        }
        vertices.extend(found.iter().filter_map(|c| vertex_of(c.identity)));
        assert!(acting.len() <= contact.points.len());
    }
    // each snapshot is divided by its length, small ones by a tenth of the usual one
    let least = 0.1 * length(&targets) / (targets.len() as f64).sqrt();
    let scaled = |of: &[f64]| {
        let parts = of.iter().zip(&targets).map(|(f, t)| f / t.max(least));
        length(&parts.collect::<Vec<f64>>())
    };
    let error = scaled(&missed) / scaled(&targets);
    assert!(
        (error - contact.error).abs() < 1e-6,
        "{error} {}",
        contact.error
    );
    // it is a test only if there is contact, and only its vertices have weights
    assert!(
        targets.len() > 5 && contact.points.len() <= vertices.len(),
        "{} {} {}",
        targets.len(),
        contact.points.len(),
        vertices.len()
    );
}

#[test]
fn known_contacts_make_nothing_full_and_hold_as_those_of_all_nodes_do() {
    let plain = mouth();
    let solutions = solutions(&plain);
    let model = with(&plain, learnt(&plain, &solutions));
    let mut without = plain.clone();
    without.contact = ContactModel::default();
    let without = with(&without, model.trained[0].model.as_ref().clone());
    let mut known = stepper(&model, true);
    let mut through = stepper(&without, true);
    let mut states = [model.initial_state(), model.initial_state()];
    let mut pushed = 0;
    for _ in 0..STEPS {
        pushed += known.step(&model, &mut states[0], H).unwrap().contacts;
        assert!(known.report.subspace.full_nodes == 0 && known.new_contacts == 0);
        through.step(&without, &mut states[1], H).unwrap();
    }
    assert!(pushed > 10);
    known.fill(&model, &mut states[0]);
    through.fill(&without, &mut states[1]);
    let exact = &solutions[STEPS - 1];
    let [held, fallen] = [0, 1].map(|i| distance(&states[i].positions, exact));
    let moved = distance(exact, &model.rest);
    assert!(
        held < 0.05 * moved && held < 0.2 * fallen,
        "{held} {fallen} {moved}"
    );
}

struct Named(Vec<u32>);

impl Oracle for Named {
    fn name_nodes(&mut self, _: &View<'_>, starts: &mut Vec<u32>) {
        starts.extend_from_slice(&self.0);
    }
}

/// SC-20: where the full region lies on them, trained contacts are new, and nothing is pushed twice.
#[test]
fn contacts_on_a_full_region_are_new() {
    let plain = mouth();
    let trained = learnt(&plain, &solutions(&plain));
    let named = trained.contacts[0].nodes[0];
    let model = with(&plain, trained);
    let mut trusting = stepper(&model, true);
    let mut exact = stepper(&model, false);
    for stepper in [&mut trusting, &mut exact] {
        stepper.add_oracle(Box::new(Named(vec![named])));
    }
    let mut states = [model.initial_state(), model.initial_state()];
    let mut found = 0;
    for _ in 0..STEPS {
        trusting.step(&model, &mut states[0], H).unwrap();
        exact.step(&model, &mut states[1], H).unwrap();
        assert_eq!(
            trusting.contacts,
            trusting.detector.as_ref().unwrap().contacts()
        );
        found += trusting.contacts.len();
        assert_eq!(states[0], states[1]);
    }
    assert!(found > 10);
}

/// Contacts beside those of the training are found, make nodes full, and take the known ones with them.
#[test]
fn contacts_beside_the_known_ones_are_new() {
    let plain = mouth();
    let mut trained = learnt(&plain, &solutions(&plain));
    // of what was seen, forget one side in y
    let keep = |n: &u32| plain.rest[*n as usize].y < 1e-3;
    let contact = &mut trained.contacts[0];
    contact.nodes.retain(keep);
    contact.points.retain(|p| keep(&p.0));
    let model = with(&plain, trained);
    let mut stepper = stepper(&model, true);
    let mut state = model.initial_state();
    let mut met = 0;
    for _ in 0..STEPS {
        stepper.step(&model, &mut state, H).unwrap();
        let found = stepper.detector.as_ref().unwrap().contacts();
        if found.iter().any(|c| !c.nodes.iter().all(keep)) {
            met += 1;
            assert!(stepper.report.subspace.full_nodes > 0);
            // every contact acts once: it is new, or a vertex stands for it that no full node touches
            let [new, rest] = [0, 1].map(|i| match i {
                0 => &stepper.contacts[..stepper.new_contacts],
                _ => &stepper.contacts[stepper.new_contacts..],
            });
            let full = &stepper.problem.region.full;
            let is_full = |n: &u32| full.binary_search(n).is_ok();
            assert!(rest.iter().all(|c| !c.nodes.iter().any(is_full)));
            let takes_part = |c: &Contact| {
                let ends = c.nodes.iter().zip(c.weights).take(c.count);
                ends.filter(|end| end.1 != 0.0).all(|end| is_full(end.0))
            };
            assert!(new.iter().all(takes_part));
        }
    }
    assert!(met > 3, "{met}");
}

/// Contacts are springs: what they add to the matrix is the derivative of their forces, between domains too.
#[test]
fn known_contacts_between_domains_are_in_the_matrix() {
    let plain = mouth();
    let middle = plain.rest.iter().map(|x| x.z).sum::<f64>() / plain.node_count() as f64;
    let upper = |e: &u32| {
        let corners = plain.element_nodes[*e as usize];
        corners
            .iter()
            .map(|&n| plain.rest[n as usize].z)
            .sum::<f64>()
            > 4.0 * middle
    };
    let (above, below) = (0..plain.element_count() as u32).partition(upper);
    let trained = learnt_in(&plain, &solutions(&plain), &[above, below]);
    let model = with(&plain, trained);
    let mut stepper = stepper(&model, true);
    let mut state = model.initial_state();
    for _ in 0..STEPS {
        stepper.step(&model, &mut state, H).unwrap();
    }
    let (problem, domains) = (&mut stepper.problem, &stepper.domains);
    assert!(problem.full.is_empty() && !problem.couplings.is_empty());
    let mut random = pliant_linalg::testing::Random::new(4);
    let direction: Vec<f64> = (0..domains.rank).map(|_| 1e-4 * random.signed()).collect();
    let start = problem.at.q.clone();
    let contacts = std::mem::take(&mut problem.couplings);
    // with and without contacts: matrix times direction, and the change of forces along it
    let [with, without] = [contacts, Vec::new()].map(|couplings| {
        problem.couplings = couplings;
        let mut gradient = |scale: f64| {
            problem.at.q.clone_from(&start);
            crate::subspace::domain::add_scaled(&mut problem.at.q, scale, &direction);
            problem.evaluate(&model, domains).unwrap();
            problem.find_gradient(&model, domains);
            problem.gradient.q.clone()
        };
        let (there, here) = (gradient(1.0), gradient(0.0));
        problem.assemble(domains);
        let rows = problem.border.chunks_exact(domains.rank);
        let product: Vec<f64> = rows
            .map(|row| row.iter().zip(&direction).map(|(k, d)| k * d).sum())
            .collect();
        let change: Vec<f64> = there.iter().zip(&here).map(|(a, b)| a - b).collect();
        (product, change)
    });
    let less = |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a - b).collect() };
    let (product, change) = (less(&with.0, &without.0), less(&with.1, &without.1));
    let size = length(&change);
    assert!(
        size > 0.0 && length(&less(&product, &change)) < 1e-7 * size,
        "{product:?} {change:?}"
    );
    // both domains take part
    for domain in &domains.list {
        assert!(length(domain.own(&change)) > 1e-3 * size);
    }
}

/// What is trusted follows from the state: a stepper made in the middle of a run goes on with the same bytes.
#[test]
fn a_run_goes_on_after_its_middle() {
    let plain = mouth();
    let model = with(&plain, learnt(&plain, &solutions(&plain)));
    let mut whole = stepper(&model, true);
    let mut state = model.initial_state();
    let mut halves: Option<(SubspaceStepper, State)> = None;
    for step in 0..STEPS {
        if step == STEPS - 4 {
            halves = Some((stepper(&model, true), state.clone()));
        }
        whole.step(&model, &mut state, H).unwrap();
        if let Some((stepper, other)) = &mut halves {
            stepper.step(&model, other, H).unwrap();
            assert_eq!(*other, state);
        }
    }
    assert!(!whole.contacts.is_empty());
}
