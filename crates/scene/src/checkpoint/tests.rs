//! Round trips, damage and interrupted writes.

use super::atomic::temporary_path;
use super::*;
use pliant_linalg::{Vec3, vec3};
use pliant_solid::constraint::Remembered;
use pliant_solid::lagged::{Coming, FactorMemory, Snapshot};
use pliant_solid::reduction::{ClumpMotion, NO_CLUMP, Rigidity, Tested};
use pliant_solid::subspace::{Active, Fading, Reduced};
use std::sync::Arc;

fn sample(with_previous: bool) -> Checkpoint {
    let list = vec![
        vec3(-0.0, f64::MIN_POSITIVE / 8.0, 1.0 / 3.0),
        vec3(f64::MAX, -5e-324, 0.1 + 0.2),
    ];
    let snapshot = |count: usize| {
        Arc::new(Snapshot {
            blocks: vec![Mat3::from_columns(list[0], list[1], list[0]); count],
            rotations: vec![Mat3::IDENTITY],
            pattern: 0xfeed,
            h: 5e-3,
        })
    };
    Checkpoint {
        state: State {
            step: u64::MAX - 3,
            time: 0.1 + 0.2,
            positions: list.clone(),
            velocities: list.iter().map(|&v| -v).collect(),
            previous: with_previous.then(|| Previous {
                h: 5e-3,
                positions: list.clone(),
                velocities: list.clone(),
            }),
            rotations: vec![RotationPack::IDENTITY; 3],
            rigid: RigidState {
                poses: vec![Pose {
                    rotation: Mat3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]),
                    centre: list[0],
                }],
                twists: vec![Twist {
                    velocity: list[1],
                    spin: list[0],
                }],
                angles: vec![0.1, -0.0],
                rates: vec![3.0],
            },
            constraint_forces: vec![Remembered {
                identity: [3, 1, 4, 1, u32::MAX],
                force: list[1],
            }],
            factors: vec![
                FactorMemory {
                    current: Some(snapshot(2)),
                    age: 3,
                    coming: with_previous.then(|| Coming {
                        snapshot: snapshot(1),
                        age: 1,
                        due: 2,
                        prefetch: Arc::new(vec![7, 9]),
                    }),
                    lag: 4,
                    iterations: 5,
                    delay: 0.125,
                },
                FactorMemory::default(),
            ],
            activity: Activity {
                dynamic: vec![true, false],
                metrics: vec![vec![0.02, -0.0]; 3],
            },
            rigidity: Rigidity {
                clump_of: Arc::new(vec![1, NO_CLUMP]),
                shape: Arc::new(list.clone()),
                urge: Arc::new(list.clone()),
                pinned: vec![true, false],
                motions: vec![
                    ClumpMotion {
                        origin: list[0],
                        rotation: Mat3::from_columns(list[1], list[0], list[1]),
                        velocity: list[1],
                        spin: list[0],
                    };
                    2
                ],
                quiet: vec![0, 5, 255],
                tested: Arc::new(vec![
                    Tested {
                        largest: 0.25,
                        forces: vec![Remembered {
                            identity: [2, 7, 1, 8, 0],
                            force: list[0],
                        }],
                        totals: list.clone(),
                        spin: list[1],
                    },
                    Tested::default(),
                ]),
                calm: vec![300],
                anchors: Arc::new(list.clone()),
            },
            subspace: Reduced {
                coordinates: vec![0.5, -0.0],
                rates: vec![1e-310, 2.0],
                last_step: 5e-3,
                active: vec![Active {
                    node: 1,
                    idle: 2,
                    speed: 0.25,
                    acceleration: 3.0,
                }],
                fading: vec![Fading {
                    node: 0,
                    domain: 1,
                    left: 2,
                    offset: list[1],
                }],
                failing: vec![1],
                behind: with_previous,
            },
            halvings: 2,
            ledger: Ledger {
                external_work: -0.0,
                damping_loss: 1e-310,
                contact_work: 0.25,
                integrator_loss: -1.5,
                initial_energy: with_previous.then_some(-0.0),
            },
        },
        scene: "conjac/twist".into(),
        digest: 0x0123_4567_89ab_cdef,
        method: "full".into(),
        settings: "steps = 40; ü".into(),
        changes: "what was done".into(),
        outputs: vec![OutputPosition {
            name: "recording.plr".into(),
            bytes: 1 << 40,
            records: 77,
        }],
    }
}

fn bits(list: &[Vec3]) -> Vec<u64> {
    pliant_linalg::flat(list)
        .iter()
        .map(|v| v.to_bits())
        .collect()
}

#[test]
fn round_trip_keeps_every_bit() {
    for with_previous in [false, true] {
        let checkpoint = sample(with_previous);
        let back = Checkpoint::from_bytes(&checkpoint.to_bytes()).unwrap();
        assert_eq!(back, checkpoint);
        // equality of floats ignores the sign of zero
        assert_eq!(
            bits(&back.state.positions),
            bits(&checkpoint.state.positions)
        );
        assert_eq!(
            bits(&back.state.velocities),
            bits(&checkpoint.state.velocities)
        );
        assert!(back.state.ledger.external_work.is_sign_negative());
        assert_eq!(back.to_bytes(), checkpoint.to_bytes());
    }
}

#[test]
fn every_truncation_and_every_flipped_bit_is_noticed() {
    let bytes = sample(true).to_bytes();
    for length in 0..bytes.len() {
        assert!(Checkpoint::from_bytes(&bytes[..length]).is_err());
    }
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(Checkpoint::from_bytes(&damaged).is_err(), "byte {at}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(Checkpoint::from_bytes(&longer).is_err());
    let mut newer = bytes;
    newer[8] = VERSION as u8 + 1;
    let message = Checkpoint::from_bytes(&newer).unwrap_err().to_string();
    let version = format!("version {}", VERSION + 1);
    assert!(message.contains(&version), "{message}");
}

#[test]
fn huge_counts_with_a_right_checksum_are_refused() {
    let good = sample(false);
    let bytes = good.to_bytes();
    let body = &bytes[24..];
    // wherever a count stands, a huge one must not be allocated
    for at in 0..body.len() - 8 {
        let mut damaged = body.to_vec();
        damaged[at..at + 8].copy_from_slice(&(u64::MAX >> 4).to_le_bytes());
        let mut file = bytes[..12].to_vec();
        file.put_u32(crc32fast::hash(&damaged));
        file.put_u64(damaged.len() as u64);
        file.extend_from_slice(&damaged);
        let _ = Checkpoint::from_bytes(&file);
    }
}

#[test]
fn an_interrupted_write_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.plc");
    let old = sample(false);
    old.write(&path).unwrap();
    // a process killed while writing leaves part of the temporary file
    fs::write(
        temporary_path(&path).unwrap(),
        &sample(true).to_bytes()[..40],
    )
    .unwrap();
    assert_eq!(Checkpoint::read(&path).unwrap(), old);
    let new = sample(true);
    new.write(&path).unwrap();
    assert_eq!(Checkpoint::read(&path).unwrap(), new);
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        1,
        "no temporary file stays"
    );
}

#[test]
fn missing_folders_and_other_files_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none/run.plc");
    let message = sample(false).write(&path).unwrap_err().to_string();
    assert!(message.contains("run.plc"), "{message}");
    assert!(Checkpoint::read(&path).is_err());
    assert!(matches!(
        Checkpoint::from_bytes(b"title = \"x\"  "),
        Err(CheckpointError::NotACheckpoint)
    ));
}
