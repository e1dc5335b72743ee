//! Grouping under random flags, momentum of new clumps, folding against products with G, the oracle against exact solves.

use super::super::clump::ClumpMotion;
use super::group::{Groups, Wish, clump_of_element, corners, regroup};
use super::*;
use crate::assembly::NO_ROW;
use crate::drive::{Action, Drive};
use crate::material::{MaterialModel, MaterialSpecification};
use crate::model::BodySpecification;
use crate::settings::{RigidifySettings, Settings, StrainLimits, StrainRates};
use crate::simulation::Simulation;
use crate::strategy::Method;
use pliant_linalg::Mat3;
use pliant_linalg::testing::Random;
use pliant_linalg::vec3;
use pliant_mesh::generate;
use proptest::prelude::*;

fn model(planar: bool, pins: bool) -> Model {
    let mesh = match planar {
        true => generate::rectangle([0.4, 0.2], [8, 4], Default::default()).unwrap(),
        false => generate::bar(vec3(0.4, 0.2, 0.2), [6, 3, 3], generate::Split::Six).unwrap(),
    };
    let nodes = (0..mesh.node_count() as u32).filter(|&n| mesh.positions[n as usize].x < 1e-9);
    let clamp = Drive {
        name: "clamp".into(),
        action: Action::Prescribe {
            nodes: nodes.collect(),
            axes: [true; 3],
            motion: Default::default(),
            release: None,
        },
    };
    let material = MaterialSpecification {
        stiffness_damping: 0.01,
        mass_damping: 0.5,
        ..MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e5, 0.35, 1000.0)
    };
    let drives = if pins { vec![clamp] } else { Vec::new() };
    let body = BodySpecification::uniform("body", mesh, material);
    Model::build(vec![body], drives, vec3(0.0, -9.81, 0.0)).unwrap()
}

fn rigidify(model: &Model) -> Rigidify {
    Rigidify::new(model, RigidifySettings::default()).unwrap()
}

/// Checks that clumps are connected through faces, do not touch at nodes (by construction) nor through hinges, and avoid loose nodes.
fn check(model: &Model, groups: &Groups, loose: &[bool], holds: &[Hold]) {
    let count = groups.pinned.len() as u32;
    for (node, &clump) in groups.clump_of.iter().enumerate() {
        assert!(clump == NO_CLUMP || (clump < count && !loose[node] && holds[node] != Hold::Loose));
        if clump != NO_CLUMP && holds[node] == Hold::Pinned {
            assert!(groups.pinned[clump as usize]);
        }
    }
    for clump in 0..count {
        let inside: Vec<usize> = (0..model.element_count())
            .filter(|&e| clump_of_element(&groups.clump_of, &model.element_nodes[e]) == clump)
            .collect();
        // elements inside that are one piece through faces hold all nodes; another one may have all its corners from that piece
        let nodes = groups.clump_of.iter().filter(|&&c| c == clump).count();
        let mut rest: std::collections::BTreeSet<usize> = inside.iter().copied().collect();
        let mut most = 0;
        while let Some(first) = rest.pop_first() {
            let mut reached = vec![first];
            let mut covered = std::collections::BTreeSet::new();
            while let Some(element) = reached.pop() {
                let own = corners(model, element);
                covered.extend(own.iter().copied());
                let across = |&other: &usize| {
                    let shared = corners(model, other).iter().filter(|n| own.contains(n));
                    shared.count() == own.len() - 1
                };
                let next: Vec<usize> = rest.iter().copied().filter(across).collect();
                for other in next {
                    rest.remove(&other);
                    reached.push(other);
                }
            }
            most = most.max(covered.len());
        }
        assert_eq!(
            most, nodes,
            "a clump in two pieces, or a node that hangs on a hinge"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn groups_are_connected_and_free_of_hinges(seed in 0u64..1_000_000, planar: bool, pins: bool, share in 0.3f64..1.0) {
        let model = model(planar, pins);
        let rigidify = rigidify(&model); let mut random = Random::new(seed);
        let mut flag = |share: f64| 0.5 * (random.signed() + 1.0) < share;
        let (mut clump_of, mut pinned) = (vec![NO_CLUMP; model.node_count()], Vec::new());
        // several rounds: what was found is the start of the next search
        for _ in 0..4 {
            let all = 0..model.element_count() as u32;
            let candidates: Vec<u32> = all.clone().filter(|_| flag(share)).collect();
            let elastic: Vec<u32> = all.filter(|_| flag(0.03)).collect();
            let mut loose = vec![false; model.node_count()];
            for &element in &elastic {
                corners(&model, element as usize).iter().for_each(|&n| loose[n as usize] = true);
            }
            let wish = Wish {
                model: &model,
                topology: &rigidify.topology,
                clump_of: &clump_of,
                pinned: &pinned,
                holds: &rigidify.holds,
                elastic: &elastic,
                candidates: &candidates,
            };
            if let Some(groups) = regroup(&wish) {
                check(&model, &groups, &loose, &rigidify.holds);
                (clump_of, pinned) = (groups.clump_of, groups.pinned);
            }
        }

    }
}

/// Groups of the two halves of a body.
fn halves(model: &Model) -> Groups {
    let side = |x: f64| match x {
        x if x < 0.14 => 0,
        x if x > 0.26 => 1,
        _ => NO_CLUMP,
    };
    Groups {
        clump_of: model.rest.iter().map(|x| side(x.x)).collect(),
        pinned: vec![false; 2],
    }
}

fn random_field(model: &Model, seed: u64, planar: bool) -> Vec<Vec3> {
    let mut random = Random::new(seed);
    let mut entry = |_: &Vec3| {
        let v = vec3(random.signed(), random.signed(), random.signed());
        if planar { vec3(v.x, v.y, 0.0) } else { v }
    };
    model.rest.iter().map(&mut entry).collect()
}

#[test]
fn new_clumps_keep_both_momenta() {
    for planar in [false, true] {
        let model = model(planar, false);
        let mut rigidify = rigidify(&model);
        let v = random_field(&model, 5, planar);
        rigidify.form(&model, halves(&model), &model.rest, &v);
        assert_eq!(rigidify.clumps.len(), 2);
        for (clump, motion) in rigidify.clumps.iter().zip(&rigidify.now.motions) {
            let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
            for &node in &clump.nodes {
                let node = node as usize;
                let arm = motion.rotation * (rigidify.now.shape[node] - clump.centre);
                let now = motion.velocity + motion.spin.cross(arm);
                let change = (now - v[node]) * model.mass[node];
                linear += change;
                angular += model.rest[node].cross(change);
                let x = motion.origin + motion.rotation * rigidify.now.shape[node];
                assert!((x - model.rest[node]).norm() < 1e-15);
            }
            assert!(
                linear.norm() < 1e-13 && angular.norm() < 1e-13,
                "{linear:?} {angular:?}"
            );
        }
    }
}

/// ⟨G z, f⟩ = ⟨z, Gᵀf⟩, and the folded matrix is GᵀAG.
#[test]
fn folding_is_the_product_with_g() {
    for planar in [false, true] {
        let model = model(planar, false);
        let mut rigidify = rigidify(&model);
        let v = random_field(&model, 9, planar);
        rigidify.form(&model, halves(&model), &model.rest, &v);
        rigidify.sort_chunks(&model);
        rigidify.make_space(&model).unwrap();
        let motions: Vec<ClumpMotion> = rigidify.now.motions.clone();
        rigidify
            .space
            .place(&rigidify.now.shape, motions.into_iter());
        let space = &rigidify.space;
        let rows = space.row_count();
        assert_eq!(space.slaves().unwrap().clumps().len(), 2);
        // G by columns
        let mut g: Vec<Vec<Vec3>> = Vec::new();
        for dof in 0..3 * rows {
            let mut z = vec![Vec3::ZERO; rows];
            z[dof / 3][dof % 3] = 1.0;
            let mut column = vec![Vec3::ZERO; model.node_count()];
            space.prolong(&z, &mut column);
            g.push(column);
        }
        let f = random_field(&model, 11, planar);
        let mut r = vec![Vec3::ZERO; rows];
        space.restrict(&f, &mut r);
        for (dof, column) in g.iter().enumerate() {
            let product: f64 = column.iter().zip(&f).map(|(a, b)| a.dot(*b)).sum();
            if !space.masked().contains(&(dof as u32)) {
                assert!((product - r[dof / 3][dof % 3]).abs() < 1e-12);
            }
        }
        // elements by the unfolded matrix; those inside clumps have no part
        let slaves = space.slaves().unwrap();
        let weights = crate::assembly::TangentWeights {
            stiffness: 2e-5,
            damping: 5e-3,
        };
        let input = crate::assembly::TangentInput {
            positions: &model.rest,
            activations: &[],
            rotations: &[],
        };
        let mut unfolded = slaves.unfolded();
        crate::assembly::assemble_tangent(
            &model.elements,
            input,
            weights,
            space.scatter(),
            slaves.row_of(),
            None,
            &mut unfolded,
            &mut [],
        );
        let mut matrix = pliant_linalg::BlockMatrix::new(space.pattern().clone());
        slaves.fold(&unfolded, &mut matrix);
        let mut added = Vec::new();
        slaves.inertia(5e-3, true, &mut added);
        for (row, column, block) in added {
            assert!(matrix.add_block(row as usize, column as usize, block));
        }
        for (row, &node) in space.kept().iter().enumerate() {
            if let Some(&mass) = model.mass.get(node as usize) {
                let weight = mass + 5e-3 * model.mass_damping[node as usize];
                matrix.add_diagonal(row, Mat3::IDENTITY * weight);
            }
        }
        let dense = matrix.to_dense();
        // the same with all nodes, then multiplied
        let nodes: Vec<u32> = (0..model.node_count() as u32).collect();
        let cliques = model.element_nodes.iter().map(|n| &n[..]);
        let pattern = Arc::new(
            pliant_linalg::BlockPattern::from_cliques(model.node_count(), cliques).unwrap(),
        );
        let map = crate::assembly::ScatterMap::of_chunks(
            &model.elements,
            &model.elements.colours,
            &nodes,
            &pattern,
            |n| clump_of_element(&rigidify.now.clump_of, n) == NO_CLUMP,
        );
        let mut whole = pliant_linalg::BlockMatrix::new(pattern);
        crate::assembly::assemble_tangent(
            &model.elements,
            input,
            weights,
            &map,
            &nodes,
            None,
            &mut whole,
            &mut [],
        );
        for node in 0..model.node_count() {
            let weight = model.mass[node] + 5e-3 * model.mass_damping[node];
            whole.add_diagonal(node, Mat3::IDENTITY * weight);
        }
        let mut image = vec![Vec3::ZERO; model.node_count()];
        for (i, column) in g.iter().enumerate() {
            whole.multiply(column, &mut image);
            for (j, other) in g.iter().enumerate() {
                let expected: f64 = other.iter().zip(&image).map(|(a, b)| a.dot(*b)).sum();
                let error = (dense[j][i] - expected).abs();
                assert!(error < 1e-12, "{i} {j}: {} for {expected}", dense[j][i]);
            }
        }
        assert!(
            space
                .row_of()
                .iter()
                .all(|&row| row == NO_ROW || (row as usize) < rows)
        );
    }
}

/// Elements that an exact solve would strain above the threshold are found, nearly all of them: a resting cantilever, one clump, is
/// pushed at its tip, at one corner, and along its side.
#[test]
fn the_oracle_misses_few_elements() {
    let model = model(false, true);
    let rates = StrainRates {
        rigid_below: 1e-5,
        elastic_above: 1e-4,
    };
    let settings = Settings {
        h: 5e-3,
        rigidify: RigidifySettings::with_limits(StrainLimits::Rates(rates)),
        ..Settings::default()
    };
    let mut full = Simulation::new(model.clone(), settings.clone(), Method::Full).unwrap();
    for _ in 0..1200 {
        full.step().unwrap();
    }
    for (number, chosen) in [0.39, 0.3, 0.2].into_iter().enumerate() {
        let mut pushed = model.clone();
        let top: Vec<u32> = (0..model.node_count() as u32)
            .filter(|&n| {
                model.rest[n as usize].x > chosen
                    && (number != 1 || model.rest[n as usize].y > 0.19)
            })
            .collect();
        pushed.drives.push(Drive {
            name: "push".into(),
            action: Action::Force {
                nodes: top,
                force: vec3(0.0, -2.0, 1.0) * (1.0 + 4.0 * number as f64),
                profile: crate::profile::Profile::Constant(1.0),
            },
        });
        // one step of the full method, and what the oracle says of it when everything is one clump
        let start = full.state().clone();
        let mut exact = Simulation::resume(
            pushed.clone(),
            settings.clone(),
            Method::Full,
            start.clone(),
        )
        .unwrap();
        exact.step().unwrap();
        let moved: Vec<Vec3> = (exact.state().positions.iter().zip(&start.positions))
            .map(|(a, b)| *a - *b)
            .collect();
        let mut truth = vec![0.0; model.element_count()];
        strain_rates(
            &model,
            &model.elements.colours,
            &start.positions,
            &moved,
            None,
            settings.h,
            &mut truth,
        );

        let mut state = start;
        let mut rigid = Rigidify::new(&pushed, settings.rigidify).unwrap();
        let groups = Groups {
            clump_of: vec![0; model.node_count()],
            pinned: vec![true],
        };
        rigid.form(&pushed, groups, &state.positions, &state.velocities);
        state.rigidity = rigid.now.clone();
        let mut simulation =
            Simulation::resume(pushed, settings.clone(), Method::Rigidify, state).unwrap();
        simulation.step().unwrap();
        let after = &simulation.state().rigidity;
        let limit = rates.elastic_above;
        let strained = (0..model.element_count()).filter(|&e| truth[e] > limit);
        let missed = strained
            .clone()
            .filter(|&e| clump_of_element(&after.clump_of, &model.element_nodes[e]) != NO_CLUMP);
        let (strained, missed) = (strained.count(), missed.count());
        assert!(
            strained > 20 && missed * 20 <= strained,
            "push {number}: {missed} of {strained} missed"
        );
    }
}
