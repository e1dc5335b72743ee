//! Skeletons, poses, weights and skinning against what is known.

use super::*;
use crate::generate::{Split, bar, capsule};
use crate::mesh::Mesh;
use pliant_linalg::{Mat3, Vec3, vec3};
use std::f64::consts::PI;

fn joint(name: &str, position: Vec3, parent: Option<usize>) -> Joint {
    Joint {
        name: name.to_string(),
        position,
        parent,
    }
}

/// A bar from −1 to 1 along x with two bones that meet in the middle, symmetric about x = 0.
fn symmetric_bar() -> (Mesh, Skeleton) {
    let mesh = bar(vec3(2.0, 0.4, 0.4), [20, 4, 4], Split::Five).unwrap();
    let mesh = mesh.translated(vec3(-1.0, -0.2, -0.2));
    let skeleton = Skeleton::new(vec![
        joint("middle", Vec3::ZERO, None),
        joint("left", vec3(-0.9, 0.0, 0.0), Some(0)),
        joint("right", vec3(0.9, 0.0, 0.0), Some(0)),
    ]);
    (mesh, skeleton.unwrap())
}

/// A capsule along z with two bones in a row.
fn finger() -> (Mesh, Skeleton) {
    let mesh = capsule(0.5, 2.0, 4, 16).unwrap();
    let skeleton = Skeleton::new(vec![
        joint("base", vec3(0.0, 0.0, -1.25), None),
        joint("knuckle", Vec3::ZERO, Some(0)),
        joint("tip", vec3(0.0, 0.0, 1.25), Some(1)),
    ]);
    (mesh, skeleton.unwrap())
}

fn bent(skeleton: &Skeleton, bone: usize, angle: f64) -> Pose {
    let mut pose = Pose::rest(skeleton);
    pose.rotations[bone] = Quaternion::turn(Vec3::AXES[0], angle);
    pose
}

fn is_rotation(r: &Mat3) -> bool {
    let defect = r.transpose() * *r - Mat3::IDENTITY;
    defect.max_abs() < 1e-14 && (r.determinant() - 1.0).abs() < 1e-14
}

#[test]
fn quaternions_are_rotations() {
    let axis = vec3(1.0, -2.0, 0.5).normalized().unwrap();
    let (a, b) = (
        Quaternion::turn(axis, 0.7),
        Quaternion::turn(vec3(0.0, 0.6, 0.8), 2.0),
    );
    let x = vec3(0.3, -1.0, 2.0);
    assert!((a.matrix() - Mat3::rotation(axis, 0.7)).max_abs() < 1e-15);
    assert!((a.rotate(x) - a.matrix() * x).norm() < 1e-15);
    assert!(((a * b).matrix() - a.matrix() * b.matrix()).max_abs() < 1e-15);
    assert!((a.conjugate().rotate(a.rotate(x)) - x).norm() < 1e-15);
    // slerp: ends, constant speed, the shortest way, either sign
    for other in [b, -b] {
        assert!((a.slerp(other, 0.0).matrix() - a.matrix()).max_abs() < 1e-15);
        assert!((a.slerp(other, 1.0).matrix() - b.matrix()).max_abs() < 1e-15);
    }
    for angle in [1e-12, 1e-6, 0.3, 3.0, PI] {
        let end = Quaternion::turn(axis, angle);
        let part = Quaternion::IDENTITY.slerp(end, 0.25);
        assert!((part.matrix() - Mat3::rotation(axis, 0.25 * angle)).max_abs() < 1e-9);
    }
    let long = Quaternion::IDENTITY.slerp(Quaternion::turn(axis, 1.5 * PI), 0.5);
    assert!((long.matrix() - Mat3::rotation(axis, -0.25 * PI)).max_abs() < 1e-15);
    assert_eq!(Quaternion::ZERO.normalized(), None);
}

#[test]
fn skeletons_that_are_none_are_refused() {
    let fails = |joints: Vec<Joint>| Skeleton::new(joints).unwrap_err().to_string();
    let origin = || joint("a", Vec3::ZERO, None);
    let up = vec3(0.0, 0.0, 1.0);
    assert!(fails(vec![]).contains("no bone"));
    assert!(fails(vec![origin()]).contains("no bone"));
    assert!(fails(vec![origin(), joint("b", Vec3::ZERO, Some(0))]).contains("`b`) has no length"));
    assert!(fails(vec![origin(), joint("b", up, Some(7))]).contains("only 2 joints"));
    assert!(fails(vec![origin(), joint("a", up, Some(0))]).contains("called `a`"));
    assert!(fails(vec![origin(), joint("b", up * f64::NAN, Some(0))]).contains("finite"));
    let circle = vec![
        origin(),
        joint("b", up, Some(2)),
        joint("c", up * 2.0, Some(1)),
        joint("d", up * 3.0, Some(2)),
    ];
    let message = fails(circle);
    assert!(message.contains("lead back"), "{message}");
    assert!(
        !message.contains("`d`"),
        "d is not on the circle: {message}"
    );
    assert!(fails(vec![joint("b", up, Some(0))]).contains("lead back"));
}

#[test]
fn joints_may_come_in_any_order() {
    let joints = vec![
        joint("tip", vec3(2.0, 0.0, 0.0), Some(1)),
        joint("elbow", vec3(1.0, 0.0, 0.0), Some(2)),
        joint("root", Vec3::ZERO, None),
    ];
    let skeleton = Skeleton::new(joints).unwrap();
    assert_eq!(skeleton.bone_named("elbow"), Some(1));
    assert_eq!(skeleton.bones()[0].parent, Some(1));
    let mut pose = Pose::rest(&skeleton);
    pose.rotations[0] = Quaternion::turn(Vec3::AXES[2], PI / 2.0);
    pose.rotations[1] = Quaternion::turn(Vec3::AXES[2], PI / 2.0);
    let placements = pose.placements(&skeleton);
    // the upper arm points along y, the lower one back along −x
    assert!((placements[1].apply(vec3(1.0, 0.0, 0.0)) - vec3(0.0, 1.0, 0.0)).norm() < 1e-15);
    assert!((placements[0].apply(vec3(1.0, 0.0, 0.0)) - vec3(0.0, 1.0, 0.0)).norm() < 1e-15);
    assert!((placements[0].apply(vec3(2.0, 0.0, 0.0)) - vec3(-1.0, 1.0, 0.0)).norm() < 1e-15);
}

#[test]
fn weights_are_shares_of_one() {
    let (mesh, skeleton) = finger();
    let all = WeightOptions {
        most: 100,
        least: 0.0,
        ..WeightOptions::default()
    };
    for options in [all, WeightOptions::default()] {
        let weights = heat_weights(&mesh, &skeleton, &options).unwrap();
        assert_eq!(weights.node_count(), mesh.node_count());
        for node in 0..mesh.node_count() {
            let list = weights.of(node);
            let sum: f64 = list.iter().map(|w| w.1).sum();
            assert!((sum - 1.0).abs() < 1e-14);
            assert!(list.iter().all(|w| (0.0..=1.0).contains(&w.1)));
            assert!(list.windows(2).all(|pair| pair[0].1 >= pair[1].1));
            // the half of the capsule decides
            let z = mesh.positions[node].z;
            if z.abs() > 1e-9 {
                assert_eq!(weights.bone_of(node), u32::from(z > 0.0));
            }
        }
        // far from the joint nearly all, on the bone too
        let at = |p: Vec3| {
            let near = (0..mesh.node_count()).min_by(|&a, &b| {
                let d = |n: usize| (mesh.positions[n] - p).norm();
                d(a).total_cmp(&d(b))
            });
            weights.of(near.unwrap())[0].1
        };
        assert!(at(vec3(0.0, 0.0, 1.5)) > 0.98);
        assert!(at(vec3(0.0, 0.0, 0.3)) > 0.999);
        assert!(
            at(vec3(0.5, 0.0, 0.15)) < 0.95,
            "{}",
            at(vec3(0.5, 0.0, 0.15))
        );
    }
    // before anything is renormalised, the solution itself sums to one: rounding only
    let unpruned = heat_weights(&mesh, &skeleton, &all).unwrap();
    assert!(unpruned.entries.len() > mesh.node_count() * 3 / 2);
}

#[test]
fn weights_do_not_depend_on_the_unit_of_length() {
    let (mesh, skeleton) = finger();
    let options = WeightOptions::default();
    let weights = heat_weights(&mesh, &skeleton, &options).unwrap();
    let factor = Vec3::AXES.iter().fold(Vec3::ZERO, |s, &a| s + a) * 1e-3;
    let small = mesh.clone().scaled(factor).unwrap();
    let short = skeleton
        .placed(factor, &Mat3::IDENTITY, Vec3::ZERO, Vec3::ZERO)
        .unwrap();
    let scaled = heat_weights(&small, &short, &options).unwrap();
    assert_eq!(weights.starts, scaled.starts);
    for (a, b) in weights.entries.iter().zip(&scaled.entries) {
        assert!(a.0 == b.0 && (a.1 - b.1).abs() < 1e-9);
    }
}

#[test]
fn a_symmetric_bar_has_symmetric_weights() {
    let (mesh, skeleton) = symmetric_bar();
    let weights = heat_weights(&mesh, &skeleton, &WeightOptions::default()).unwrap();
    let share = |node: usize, bone: u32| -> f64 {
        let own = weights.of(node).iter().filter(|w| w.0 == bone);
        own.map(|w| w.1).sum()
    };
    let mut compared = 0;
    for (node, p) in mesh.positions.iter().enumerate() {
        let mirrored = vec3(-p.x, p.y, p.z);
        let other = (mesh.positions.iter()).position(|q| (*q - mirrored).norm() < 1e-9);
        let Some(other) = other else { continue };
        assert!((share(node, 0) - share(other, 1)).abs() < 1e-9, "{p:?}");
        compared += 1;
        if p.x.abs() < 1e-9 {
            assert!((share(node, 0) - 0.5).abs() < 1e-9);
        }
    }
    assert_eq!(compared, mesh.node_count());
    // mirrored poses give mirrored shapes
    let mut pose = Pose::rest(&skeleton);
    pose.rotations[0] = Quaternion::turn(Vec3::AXES[2], 0.8);
    pose.rotations[1] = Quaternion::turn(Vec3::AXES[2], -0.8);
    let skinning = Skinning::of(&skeleton, &pose);
    let skinned = |n: usize| skinning.frame(weights.of(n)).push(mesh.positions[n]);
    for (node, p) in mesh.positions.iter().enumerate() {
        let mirrored = vec3(-p.x, p.y, p.z);
        let other = (mesh.positions.iter()).position(|q| (*q - mirrored).norm() < 1e-9);
        let (x, y) = (skinned(node), skinned(other.unwrap()));
        assert!((vec3(-x.x, x.y, x.z) - y).norm() < 1e-9);
    }
}

#[test]
fn a_rigid_motion_of_the_skeleton_moves_all_nodes_rigidly() {
    let (mesh, skeleton) = finger();
    let weights = heat_weights(&mesh, &skeleton, &WeightOptions::default()).unwrap();
    for angle in [0.0, 0.4, PI, 1.5 * PI, 7.0] {
        let axis = vec3(0.48, 0.6, 0.64);
        let mut pose = Pose::rest(&skeleton);
        pose.root_rotation = Quaternion::turn(axis, angle);
        pose.root_shift = vec3(3.0, -2.0, 1.0);
        let skinning = Skinning::of(&skeleton, &pose);
        let root = skeleton.joints()[0].position;
        for (node, &rest) in mesh.positions.iter().enumerate() {
            let expected = Mat3::rotation(axis, angle) * (rest - root) + root + pose.root_shift;
            let found = skinning.frame(weights.of(node)).push(rest);
            assert!((found - expected).norm() < 1e-13);
        }
    }
    // at rest not even a bit changes
    let still = Skinning::of(&skeleton, &Pose::rest(&skeleton));
    for (node, &rest) in mesh.positions.iter().enumerate() {
        assert_eq!(still.frame(weights.of(node)).push(rest), rest);
    }
}

#[test]
fn pulling_back_undoes_pushing() {
    let (mesh, skeleton) = finger();
    let weights = heat_weights(&mesh, &skeleton, &WeightOptions::default()).unwrap();
    // far beyond half a turn as well
    for angle in [0.3, PI / 2.0, PI - 1e-9, PI, 4.0, 1.5 * PI, 20.0] {
        let skinning = Skinning::of(&skeleton, &bent(&skeleton, 1, angle));
        for (node, &rest) in mesh.positions.iter().enumerate() {
            let frame = skinning.frame(weights.of(node));
            assert!(is_rotation(&frame.rotation), "{angle} {node}");
            let u = vec3(0.01, -0.02, 0.03) * (node as f64).sin();
            let back = frame.pull_back(frame.push(rest + u)) - rest;
            assert!(
                (back - u).norm() < 1e-14,
                "{angle} {node} {:e}",
                (back - u).norm()
            );
        }
    }
}

#[test]
fn antipodal_quaternions_are_one_pose() {
    let (mesh, skeleton) = finger();
    let weights = heat_weights(&mesh, &skeleton, &WeightOptions::default()).unwrap();
    let pose = bent(&skeleton, 1, 1.0);
    for signs in [[-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]] {
        let mut other = pose.clone();
        for (rotation, sign) in other.rotations.iter_mut().zip(signs) {
            *rotation = *rotation * sign;
        }
        let [a, b] = [&pose, &other].map(|p| Skinning::of(&skeleton, p));
        for node in 0..mesh.node_count() {
            let (a, b) = (a.frame(weights.of(node)), b.frame(weights.of(node)));
            assert!((a.rotation - b.rotation).max_abs() < 1e-14);
            assert!((a.shift - b.shift).norm() < 1e-14);
        }
    }
}

#[test]
fn blends_turn_by_part_of_the_angle() {
    // two equal weights: half the angle, about the joint
    let (_, skeleton) = finger();
    let skinning = Skinning::of(&skeleton, &bent(&skeleton, 1, 1.2));
    let frame = skinning.frame(&[(0, 0.5), (1, 0.5)]);
    let half = Mat3::rotation(Vec3::AXES[0], 0.6);
    assert!((frame.rotation - half).max_abs() < 1e-15);
    assert!(frame.push(Vec3::ZERO).norm() < 1e-15, "the joint stays");
}

#[test]
fn a_body_on_one_bone_moves_with_it() {
    let mesh = bar(vec3(1.0, 0.2, 0.2), [5, 2, 2], Split::Six).unwrap();
    let skeleton = Skeleton::new(vec![
        joint("a", vec3(0.0, 0.1, 0.1), None),
        joint("b", vec3(1.0, 0.1, 0.1), Some(0)),
    ]);
    let skeleton = skeleton.unwrap();
    let weights = heat_weights(&mesh, &skeleton, &WeightOptions::default()).unwrap();
    assert_eq!(weights, SkinWeights::single(mesh.node_count(), 0));
    let pose = bent(&skeleton, 0, 2.0);
    let placement = pose.placements(&skeleton)[0];
    let skinning = Skinning::of(&skeleton, &pose);
    for (node, &rest) in mesh.positions.iter().enumerate() {
        let found = skinning.frame(weights.of(node)).push(rest);
        assert!((found - placement.apply(rest)).norm() < 1e-15);
    }
    let domains = split_into_domains(mesh.elements.iter(), &weights, 1);
    assert_eq!(domains.elements[0].len(), mesh.element_count());
    assert_eq!(domains.nodes[0].len(), mesh.node_count());
    assert!(domains.interface.is_empty());
}

#[test]
fn bad_options_are_refused() {
    let (mesh, skeleton) = finger();
    let with = |conductance: f64, most: usize| WeightOptions {
        conductance,
        most,
        least: 0.0,
    };
    let fails = |mesh: &Mesh, options| heat_weights(mesh, &skeleton, &options).unwrap_err();
    assert_eq!(fails(&mesh, with(0.0, 4)), RigError::BadConductance(0.0));
    assert!(matches!(
        fails(&mesh, with(f64::NAN, 4)),
        RigError::BadConductance(_)
    ));
    assert_eq!(fails(&mesh, with(1.0, 0)), RigError::NoWeights);
    let flat = crate::generate::rectangle([1.0, 1.0], [2, 2], Default::default()).unwrap();
    assert_eq!(fails(&flat, with(1.0, 4)), RigError::Planar);
    assert_eq!(nodes_at_bones(&flat, &skeleton), Err(RigError::Planar));
    let far = mesh.translated(vec3(10.0, 0.0, 0.0));
    assert_eq!(nodes_at_bones(&far, &skeleton), Err(RigError::Outside));
}

#[test]
fn domains_partition_the_elements() {
    let (mesh, skeleton) = finger();
    let weights = heat_weights(&mesh, &skeleton, &WeightOptions::default()).unwrap();
    let domains = split_into_domains(mesh.elements.iter(), &weights, 2);
    let total: usize = domains.elements.iter().map(Vec::len).sum();
    assert_eq!(total, mesh.element_count());
    for (bone, list) in domains.elements.iter().enumerate() {
        assert!(
            list.iter()
                .all(|&e| domains.of_element[e as usize] as usize == bone)
        );
        // each domain is one half of the capsule
        let volume: f64 = list.iter().map(|&e| mesh.volume(e as usize)).sum();
        assert!((volume / mesh.total_volume() - 0.5).abs() < 0.06);
        for &e in list {
            let nodes = mesh.nodes_of(e as usize);
            assert!(
                nodes
                    .iter()
                    .all(|n| domains.nodes[bone].binary_search(n).is_ok())
            );
        }
    }
    let shared = domains.nodes.iter().map(Vec::len).sum::<usize>() - mesh.node_count();
    assert_eq!(domains.interface.len(), shared);
    assert!(shared > 0);
    for node in &domains.interface {
        assert_eq!(node.domains, [0, 1]);
        assert!(mesh.positions[node.node as usize].z.abs() < 0.2);
    }
}

#[test]
fn bones_hold_the_nodes_beside_them() {
    let (mesh, skeleton) = finger();
    let held = nodes_at_bones(&mesh, &skeleton).unwrap();
    let longest = 0.25;
    for &node in &held {
        let p = mesh.positions[node as usize];
        assert!((p.x * p.x + p.y * p.y).sqrt() < longest && p.z.abs() < 1.25 + longest);
    }
    // all nodes on the axis but those at the poles
    for (node, p) in mesh.positions.iter().enumerate() {
        if p.x == 0.0 && p.y == 0.0 && p.z.abs() < 1.2 {
            assert!(held.binary_search(&(node as u32)).is_ok(), "{p:?}");
        }
    }
    assert!(held.len() < mesh.node_count() / 4);
}

#[test]
fn motions_go_from_key_to_key() {
    let (_, skeleton) = finger();
    let key = |time: f64, angle: f64| KeyedPose {
        time,
        pose: bent(&skeleton, 1, angle),
    };
    let angle = |pose: &Pose| 2.0 * pose.rotations[1].v.x.atan2(pose.rotations[1].w);
    let keys = vec![key(1.0, 0.0), key(2.0, 1.0), key(4.0, 0.0)];
    let motion = SkeletonMotion::new(&skeleton, keys.clone(), false, false).unwrap();
    for (t, expected) in [(0.0, 0.0), (1.5, 0.5), (2.0, 1.0), (3.5, 0.25), (9.0, 0.0)] {
        assert!((angle(&motion.at(t)) - expected).abs() < 1e-14, "{t}");
    }
    let smooth = SkeletonMotion::new(&skeleton, keys.clone(), true, false).unwrap();
    assert!((angle(&smooth.at(1.25)) - 0.15625).abs() < 1e-14);
    let round = SkeletonMotion::new(&skeleton, keys, false, true).unwrap();
    assert!((angle(&round.at(4.5)) - 0.5).abs() < 1e-14);
    assert!((angle(&round.at(1.5 + 30.0)) - 0.5).abs() < 1e-13);
    let pose = Pose::rest(&skeleton);
    assert!(SkeletonMotion::at_rest(&skeleton).is_rest() && !motion.is_rest());
    let fails = |keys: Vec<KeyedPose>| SkeletonMotion::new(&skeleton, keys, false, false);
    assert_eq!(fails(vec![]), Err(RigError::BadKeys { key: 0 }));
    assert_eq!(
        fails(vec![key(1.0, 0.0), key(1.0, 0.0)]),
        Err(RigError::BadKeys { key: 1 })
    );
    let mut short = pose.clone();
    short.rotations.pop();
    let keyed = |pose: Pose| vec![KeyedPose { time: 0.0, pose }];
    assert!(matches!(
        fails(keyed(short)),
        Err(RigError::BoneCount { .. })
    ));
    let mut zero = pose;
    zero.rotations[1] = Quaternion::ZERO;
    assert_eq!(fails(keyed(zero)), Err(RigError::BadRotation { bone: 1 }));
}

#[test]
fn skeleton_files_are_read() {
    let text = "# a comment\n0 0.5 0.25 1 -1\n1 0.5 1.25 1 0 elbow # named\n\n2 1.5 1.25 1e0 1\n";
    let skeleton = read_skeleton(text).unwrap();
    assert_eq!(skeleton.bone_count(), 2);
    assert_eq!(skeleton.bone_name(0), "elbow");
    assert_eq!(skeleton.bone_name(1), "joint 2");
    assert_eq!(
        skeleton.segment(1),
        [vec3(0.5, 1.25, 1.0), vec3(1.5, 1.25, 1.0)]
    );
    let fails = |text: &str| read_skeleton(text).unwrap_err().to_string();
    assert!(fails("0 0 0 0 -1\n2 1 1 1 0").contains("line 2"));
    assert!(fails("0 0 0").contains("z is missing"));
    assert!(fails("0 0 zero 0 -1").contains("y must be a finite number, not `zero`"));
    assert!(fails("0 0 0 0 -2").contains("−1 for none"));
    assert!(fails("0 0 0 0 -1\n1 0 0 0 0").contains("no length"));
    assert!(fails("").contains("no bone"));

    // joints with columns that mean nothing, bones in any order and direction
    let text = "1 0 0 0 nan x\n2 0 0 1\n3 0 1 2\n 4 0 -1 2\n#\n 2 3\n1 2\n4 2\n#\n9 9\n";
    let skeleton = read_tgf(text).unwrap();
    let parents: Vec<Option<usize>> = skeleton.joints().iter().map(|j| j.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(1)]);
    let fails = |text: &str| read_tgf(text).unwrap_err().to_string();
    assert!(fails("1 0 0 0\n2 0 0 1\n#\n1 3\n").contains("there is no joint 3"));
    assert!(fails("1 0 0 0\n2 0 0 1\n3 0 1 1\n#\n1 2\n2 3\n3 1\n").contains("circle"));
    assert!(fails("1 0 0 0\n2 0 0 1\n#\n1 1\n").contains("one joint"));
    assert!(fails("1 0 0 0\n2 0 0 1\n#\n1 2\n1 2\n").contains("circle"));
    assert!(fails("1 0 0 0\n2 0 0 1\n#\n").contains("no bone"));
}
