//! Random damage to files of every format and encoding: no panic, no hang, no allocation sized by a header that lies,
//! and whatever is accepted is sound.

use crate::allocations::largest_allocation;
use crate::mutate::{Random, mutate};
use crate::seeds;
use pliant_mesh::file::{Cells, Format, Input, Place, RawMesh, ReadError, tetgen};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Inputs for each seed.
const ROUNDS: usize = 1000;
/// Inputs in all, at the least.
const LEAST: usize = 24_000;
/// Longest time for one input; a machine under load is forgiven the tenfold before it counts as a hang.
const LONGEST: Duration = Duration::from_secs(2);
/// Largest single allocation. The inputs are a few kilobytes: an honest reader needs less than a megabyte.
const LARGEST: usize = 8 << 20;

type Read = Box<dyn Fn(&[u8]) -> Result<RawMesh, ReadError> + Send>;

struct Seed {
    title: String,
    bytes: Vec<u8>,
    read: Read,
}

fn reader(format: Format) -> Read {
    Box::new(move |bytes| format.read(&Input::from_bytes(bytes, "damaged")))
}

fn all_seeds() -> Vec<Seed> {
    let mut list = Vec::new();
    for (title, mesh) in [
        ("solid", seeds::solid()),
        ("plane", seeds::plane()),
        ("plain", seeds::plain()),
    ] {
        for format in Format::writable().filter(|&f| f != Format::TetGen) {
            if format == Format::Vega && mesh.tetrahedra.is_empty() {
                continue;
            }
            list.push(Seed {
                title: format!("{} of a {title} mesh", format.title()),
                bytes: seeds::written(&mesh, format),
                read: reader(format),
            });
        }
        let parts = seeds::tetgen(&mesh);
        for damaged in 0..3 {
            let others = parts.clone();
            let read = move |bytes: &[u8]| {
                let part = |i: usize| {
                    let bytes = if i == damaged { bytes } else { &others[i] };
                    Input::from_bytes(bytes, "damaged")
                };
                tetgen::read_parts(Some(&part(0)), Some(&part(1)), Some(&part(2)))
            };
            list.push(Seed {
                title: format!("TetGen of a {title} mesh, file {damaged}"),
                bytes: parts[damaged].clone(),
                read: Box::new(read),
            });
        }
    }
    for (i, (format, text)) in seeds::BY_HAND.iter().enumerate() {
        list.push(Seed {
            title: format!("{} by hand ({i})", format.title()),
            bytes: text.as_bytes().to_vec(),
            read: reader(*format),
        });
    }
    list
}

fn check_cells<const N: usize>(cells: &Cells<N>, node_count: usize) {
    assert_eq!(cells.regions.len(), cells.len());
    assert_eq!(cells.ids.len(), cells.len());
    assert!(cells.lines.is_empty() || cells.lines.len() == cells.len());
    assert!(
        cells
            .nodes
            .iter()
            .flatten()
            .all(|&n| (n as usize) < node_count)
    );
    assert!(
        cells
            .regions
            .iter()
            .all(|&r| (r as usize) < cells.region_names.len())
    );
    let mut names = cells.region_names.clone();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), cells.region_names.len());
}

fn check(mesh: RawMesh) {
    assert!(mesh.positions.iter().all(|p| p.is_finite()));
    assert_eq!(mesh.node_ids.len(), mesh.positions.len());
    check_cells(&mesh.tetrahedra, mesh.positions.len());
    check_cells(&mesh.triangles, mesh.positions.len());
    // what is read can be written, and simulated or refused
    let mut text = Vec::new();
    Format::Medit.write(&mesh, &mut text).unwrap();
    Format::Abaqus.write(&mesh, &mut text).unwrap();
    let _ = mesh.into_mesh();
}

/// How many inputs were accepted. `progress` hears of every input before it is read.
fn attack(seed: &Seed, number: usize, progress: &mpsc::Sender<usize>) -> usize {
    let mut random = Random::new(0x9E37_79B9_7F4A_7C15 ^ ((number as u64) << 20));
    let mut accepted = 0;
    for round in 0..ROUNDS {
        let bytes = mutate(&seed.bytes, &mut random);
        progress.send(round).unwrap();
        let start = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let (read, largest) = largest_allocation(|| (seed.read)(&bytes));
            assert!(largest <= LARGEST, "an allocation of {largest} bytes");
            let through_table = !seed.title.starts_with("TetGen");
            match read {
                Ok(mesh) => {
                    check(mesh);
                    1
                }
                Err(error) => {
                    // what is wrong, and unless the whole file is meant, what to do
                    assert!(!error.message.is_empty());
                    let whole = error.place == Place::File;
                    assert!(whole || !through_table || error.help.is_some(), "{error}");
                    0
                }
            }
        }));
        let context = || {
            format!(
                "{}, round {round}: {:?}",
                seed.title,
                String::from_utf8_lossy(&bytes)
            )
        };
        match outcome {
            Ok(count) => accepted += count,
            Err(_) => panic!("{}", context()),
        }
        assert!(
            start.elapsed() < LONGEST,
            "{:?} for {}",
            start.elapsed(),
            context()
        );
    }
    accepted
}

#[test]
fn damaged_files_are_refused_or_sound() {
    let seeds = all_seeds();
    let total = ROUNDS * seeds.len();
    assert!(total >= LEAST, "{total} inputs");
    let titles: Vec<String> = seeds.iter().map(|s| s.title.clone()).collect();
    let (progress, watch) = mpsc::channel();
    let worker = std::thread::spawn(move || {
        let mut accepted = 0;
        for (number, seed) in seeds.iter().enumerate() {
            assert!(
                (seed.read)(&seed.bytes).is_ok(),
                "{}: {:?}",
                seed.title,
                (seed.read)(&seed.bytes)
            );
            accepted += attack(seed, number, &progress);
        }
        accepted
    });
    let mut seen = 0;
    loop {
        match watch.recv_timeout(10 * LONGEST) {
            Ok(_) => seen += 1,
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                panic!(
                    "a hang at {}, round {}",
                    titles[(seen - 1) / ROUNDS],
                    (seen - 1) % ROUNDS
                )
            }
        }
    }
    let accepted = worker.join().unwrap();
    println!("{accepted} of {total} damaged files are accepted");
    // the damage must be neither all fatal nor all harmless
    assert!(
        (total / 20..total * 4 / 5).contains(&accepted),
        "{accepted} of {total}"
    );
}

#[test]
fn every_format_is_damaged() {
    let seeds = all_seeds();
    for format in Format::all() {
        let title = if format == Format::TetGen {
            "TetGen"
        } else {
            format.title()
        };
        assert!(seeds.iter().any(|s| s.title.starts_with(title)), "{title}");
    }
}
