use super::*;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::generate::{self, Split};
use pliant_mesh::rig::SkinWeights;
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::BodySpecification;
use pliant_solid::subspace::train::Snapshot;

fn sample() -> TrainedFile {
    let domain = TrainedDomain {
        elements: vec![0, 2, 7],
        nodes: vec![1, 5],
        rank: 2,
        basis: vec![
            0.1, -0.0, 1e-310, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0,
        ],
        rigid_modes: 1,
        cubature: vec![(2, 3.5), (7, 1.25)],
        error: 0.03,
    };
    TrainedFile {
        model: TrainedModel {
            body: "bär".into(),
            fingerprint: Fingerprint {
                mesh: 1,
                materials: u64::MAX,
                rig: 77,
            },
            domains: vec![domain, TrainedDomain::default()],
            interface: vec![InterfaceNode {
                node: 5,
                copies: vec![(0, 1), (1, 0)],
            }],
            weights: Some(SkinWeights {
                starts: vec![0, 1, 3],
                entries: vec![(0, 1.0), (0, 0.25), (1, 0.75)],
            }),
            contacts: vec![TrainedContact {
                domains: [0, 1],
                nodes: vec![1, 5],
                points: vec![(1, 2.5)],
                error: 0.07,
            }],
        },
        scene: "subspace/capsule".into(),
        digest: 0x0123_4567_89ab_cdef,
        settings: "variance 0.99998".into(),
    }
}

#[test]
fn round_trip_keeps_every_bit() {
    for weights in [true, false] {
        let mut file = sample();
        if !weights {
            file.model.weights = None;
        }
        let back = TrainedFile::from_bytes(&file.to_bytes()).unwrap();
        assert_eq!(back, file);
        assert_eq!(back.to_bytes(), file.to_bytes());
        assert!(back.model.domains[0].basis[1].is_sign_negative());
    }
}

#[test]
fn every_truncation_and_every_flipped_bit_is_noticed() {
    let bytes = sample().to_bytes();
    for length in 0..bytes.len() {
        assert!(TrainedFile::from_bytes(&bytes[..length]).is_err());
    }
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(TrainedFile::from_bytes(&damaged).is_err(), "byte {at}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    let message = TrainedFile::from_bytes(&longer).unwrap_err().to_string();
    assert!(
        message.contains("damaged") && message.contains("pliant train"),
        "{message}"
    );
    // one from before contacts were trained, whose fields would be read as others
    let mut older = bytes.clone();
    older[8] = 1;
    let message = TrainedFile::from_bytes(&older).unwrap_err().to_string();
    assert!(
        message.contains("version 1") && message.contains("train again"),
        "{message}"
    );
    let mut newer = bytes;
    newer[8] = 9;
    let message = TrainedFile::from_bytes(&newer).unwrap_err().to_string();
    assert!(
        message.contains("version 9") && message.contains("train again"),
        "{message}"
    );
    let other = TrainedFile::from_bytes(b"title = \"x\"  ").unwrap_err();
    assert!(matches!(other, TrainedFileError::NotAModel));
}

#[test]
fn huge_counts_with_a_right_checksum_are_refused() {
    let content = sample().to_bytes()[24..].to_vec();
    // wherever a count stands, a huge one must not be allocated
    for at in 0..content.len() - 8 {
        let mut damaged = content.clone();
        damaged[at..at + 8].copy_from_slice(&(u64::MAX >> 4).to_le_bytes());
        let _ = TrainedFile::from_bytes(&sealed(MAGIC, VERSION, damaged));
    }
}

fn model(young: f64) -> Model {
    let mesh = generate::bar(vec3(2.0, 1.0, 1.0), [2, 1, 1], Split::Five).unwrap();
    let material = MaterialSpecification::new(MaterialModel::Corotated, young, 0.3, 1e3);
    let body = BodySpecification::uniform("bar", mesh, material);
    Model::build(vec![body], Vec::new(), Vec3::ZERO).unwrap()
}

#[test]
fn a_model_of_another_scene_is_refused_with_advice() {
    let soft = model(1e4);
    let mut file = sample();
    file.model = TrainedModel {
        body: "bar".into(),
        fingerprint: Fingerprint::of_body(&soft, 0),
        domains: vec![TrainedDomain {
            elements: vec![0, 1, 2],
            ..TrainedDomain::default()
        }],
        interface: Vec::new(),
        weights: None,
        contacts: Vec::new(),
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bar.pliant-model");
    file.write(&path).unwrap();
    assert_eq!(
        TrainedFile::read_for(&path, &soft).unwrap(),
        (file.clone(), 0)
    );
    let rigged = folder.path().join("rigged.pliant-model");
    file.model.fingerprint.rig = 5;
    file.write(&rigged).unwrap();
    for (refused, what) in [
        (TrainedFile::read_for(&path, &model(2e4)), "other materials"),
        (TrainedFile::read_for(&rigged, &soft), "another rig"),
        (
            TrainedFile::read_for(&path.join("none"), &soft),
            "bar.pliant-model",
        ),
    ] {
        let message = refused.unwrap_err().to_string();
        assert!(message.contains(what), "{message}");
    }
}

#[test]
fn solved_poses_are_used_again_only_with_their_key() {
    let folder = tempfile::tempdir().unwrap();
    let poses = SolvedPoses::beside(&folder.path().join("bar.pliant-model"));
    let pose = SolvedPose {
        key: 42,
        snapshots: vec![Snapshot {
            positions: vec![vec3(1.0, -0.0, 3.0)],
            activations: vec![0.5],
        }],
        steps: 7,
        residual: 1e-7,
    };
    assert_eq!(poses.read(3, 42), None);
    poses.write(3, &pose).unwrap();
    assert_eq!(poses.read(3, 42), Some(pose.clone()));
    assert_eq!(poses.read(3, 43), None);
    assert_eq!(poses.read(2, 42), None);
    // one that was damaged is solved again
    let path = poses.folder().join("pose-0003");
    let mut bytes = fs::read(&path).unwrap();
    bytes[40] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert_eq!(poses.read(3, 42), None);
    poses.remove().unwrap();
    poses.remove().unwrap();
    assert!(!poses.folder().exists());
}
