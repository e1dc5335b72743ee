use super::*;
use crate::material::{MaterialModel, MaterialSpecification};
use crate::model::BodySpecification;
use pliant_linalg::vec3;
use pliant_mesh::generate::{self, Split};

fn model(young: f64, name: &str) -> Model {
    let mesh = generate::bar(vec3(2.0, 1.0, 1.0), [2, 1, 1], Split::Five).unwrap();
    let material = MaterialSpecification::new(MaterialModel::StableNeoHookean, young, 0.3, 1e3);
    let body = BodySpecification::uniform(name, mesh, material);
    Model::build(vec![body], Vec::new(), Vec3::ZERO).unwrap()
}

fn trained(model: &Model) -> TrainedModel {
    let domain = TrainedDomain {
        elements: (0..model.element_count() as u32).collect(),
        nodes: (0..model.node_count() as u32).collect(),
        rank: 2,
        basis: (0..6 * model.node_count()).map(|i| i as f64).collect(),
        cubature: vec![(1, 2.0), (4, 0.5)],
        ..TrainedDomain::default()
    };
    TrainedModel {
        body: "bar".into(),
        fingerprint: Fingerprint::of_body(model, 0),
        domains: vec![domain],
        interface: Vec::new(),
        weights: None,
        contacts: vec![TrainedContact {
            domains: [0, 0],
            nodes: vec![1, 2, 4],
            points: vec![(2, 1.5)],
            error: 0.1,
        }],
    }
}

#[test]
fn another_body_mesh_or_material_is_refused() {
    let soft = model(1e4, "bar");
    let good = trained(&soft);
    assert_eq!(good.check(&soft), Ok(0));
    let message = |e: TrainedError| e.to_string();
    assert!(message(good.check(&model(2e4, "bar")).unwrap_err()).contains("other materials"));
    assert!(message(good.check(&model(1e4, "rod")).unwrap_err()).contains("`bar`"));
    let mut moved = soft.clone();
    moved.rest[3].x += 1e-12;
    assert!(message(good.check(&moved).unwrap_err()).contains("another mesh"));
}

#[test]
fn lists_that_do_not_fit_are_refused() {
    let soft = model(1e4, "bar");
    let good = trained(&soft);
    type Damage = fn(&mut TrainedModel);
    let damages: [Damage; 12] = [
        |m| m.domains[0].nodes[0] = 5,
        |m| m.domains[0].elements[2] = 1000,
        |m| m.domains[0].rank = 3,
        |m| m.domains[0].basis[7] = f64::NAN,
        |m| m.domains[0].cubature[1].1 = -1.0,
        |m| m.domains[0].cubature[1].1 = 1e28,
        |m| m.domains[0].cubature[1].0 = 0,
        |m| m.weights = Some(SkinWeights::default()),
        |m| m.contacts[0].domains[1] = 1,
        |m| m.contacts[0].nodes[0] = 5,
        |m| m.contacts[0].points[0].0 = 0,
        |m| m.contacts[0].points[0].1 = f64::NAN,
    ];
    for (index, damage) in damages.into_iter().enumerate() {
        let mut bad = good.clone();
        damage(&mut bad);
        let refused = matches!(bad.check(&soft), Err(TrainedError::Inconsistent { .. }));
        assert!(refused, "{index}");
    }
}

#[test]
fn copies_of_shared_nodes_are_found() {
    let interface = interface_of(&[&[0, 1, 4], &[1, 2, 4], &[4, 7]]);
    let expected = [(1, vec![(0, 1), (1, 0)]), (4, vec![(0, 2), (1, 2), (2, 0)])];
    assert_eq!(interface.len(), 2);
    for (found, (node, copies)) in interface.iter().zip(expected) {
        assert_eq!((found.node, &found.copies), (node, &copies));
    }
}

#[test]
fn blocks_and_their_transposes_agree() {
    let domain = &trained(&model(1e4, "bar")).domains[0];
    let (q, f) = ([0.3, -1.1], vec3(0.2, 5.0, -3.0));
    let mut reduced = [0.0; 2];
    domain.add_transposed(3, 2.0, f, &mut reduced);
    let work = reduced[0] * q[0] + reduced[1] * q[1];
    assert!((work - 2.0 * f.dot(domain.displacement(3, &q))).abs() < 1e-12 * work.abs());
}
