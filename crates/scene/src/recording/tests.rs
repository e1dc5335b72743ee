use super::*;
use crate::build::build;
use crate::bytes::Put;
use crate::parse::parse;
use pliant_linalg::vec3;
use std::io::Cursor;
use std::path::Path;

const SCENE: &str = "title = \"t\"\ntime.duration = 1\nrecord.velocities = true\n\
    [[body]]\nname = \"bar\"\nmesh.bar = { size = [3, 1, 1], cells = [3, 1, 1] }\nmaterial = { young = 1e5, poisson = 0.4 }\n\
    region = [{ name = \"stiff\", where.above = { x = 2 }, young = 1e6 }, { where.below = { x = 1 }, young = 1e7 }]\n\
    [[body]]\nname = \"plate\"\nmesh.rectangle = { size = [2, 1], cells = [2, 1] }\nmaterial = { young = 1e5, poisson = 0.4 }\n";

fn scene() -> Scene {
    let mut scene = build(&parse(SCENE, "t").unwrap(), None).unwrap();
    // a triangle that rides on the bar
    scene.embeddings[0] = Some(Embedding {
        triangles: vec![[0, 1, 2]],
        elements: vec![0, 3, 5],
        weights: vec![
            [1.0, 0.0, 0.0, 0.0],
            [0.25; 4],
            [1.0 / 3.0, 2.0 / 3.0, 0.5, -0.5],
        ],
    });
    scene
}

fn header() -> RecordingHeader {
    RecordingHeader::new(&scene())
}

/// Positions, velocities and stresses of a made-up motion.
fn motion(header: &RecordingHeader, step: u64) -> (Vec<Vec3>, Vec<Vec3>, Vec<f64>) {
    let phase = |i: usize| (i as f64 + step as f64 * 0.1).sin();
    let positions = header
        .rest
        .iter()
        .enumerate()
        .map(|(i, &x)| x + vec3(phase(i), 0.01 * phase(2 * i), -0.0));
    let velocities = (0..header.rest.len()).map(|i| vec3(0.0, phase(i), 1.0 / 3.0));
    let stresses = (0..header.elements.len()).map(|e| 1e4 * phase(e).abs());
    (
        positions.collect(),
        velocities.collect(),
        stresses.collect(),
    )
}

/// Element states, in every second frame only.
fn states(header: &RecordingHeader, step: u64) -> Option<Vec<u8>> {
    let state = |e: usize| (e as u64 + step) as u8 % 3;
    (step % 2 == 1).then(|| (0..header.elements.len()).map(state).collect())
}

fn write_frames(writer: &mut RecordingWriter, steps: std::ops::Range<u64>) {
    let header = header();
    for step in steps {
        let (positions, velocities, von_mises) = motion(&header, step);
        let states = states(&header, step);
        writer
            .frame(Frame {
                states: states.as_deref(),
                step,
                time: step as f64 * 5e-3,
                positions: &positions,
                velocities: &velocities,
                von_mises: &von_mises,
            })
            .unwrap();
    }
}

fn recorded(path: &Path, frames: u64) -> Vec<u8> {
    let mut writer = RecordingWriter::create(path, &header()).unwrap();
    write_frames(&mut writer, 0..frames);
    assert_eq!(writer.finish().unwrap().frames, frames);
    std::fs::read(path).unwrap()
}

#[test]
fn frames_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.plr");
    recorded(&path, 7);
    let mut reader = RecordingReader::open(&path).unwrap();
    let header = header();
    assert_eq!(reader.header(), &header);
    assert_eq!((reader.frame_count(), reader.is_complete()), (7, true));
    assert_eq!(header.info.bodies[1].edges, [0, 6]);
    for step in [6, 0, 3] {
        let frame = reader.frame(step as usize).unwrap();
        let (positions, velocities, stresses) = motion(&header, step);
        assert_eq!((frame.step, frame.time), (step, step as f64 * 5e-3));
        for i in 0..positions.len() {
            let moved = positions[i] - header.rest[i];
            assert_eq!(frame.displacements[i], moved.to_array().map(|v| v as f32));
            assert_eq!(
                frame.velocities.as_ref().unwrap()[i],
                velocities[i].to_array().map(|v| v as f32)
            );
        }
        assert_eq!(frame.states, states(&header, step));
        assert_eq!(
            frame.von_mises.unwrap(),
            stresses.iter().map(|&s| s as f32).collect::<Vec<_>>()
        );
    }
    assert_eq!(reader.entries()[4].time, 0.02);
    assert!(matches!(
        reader.frame(7),
        Err(RecordingError::NoSuchFrame { frame: 7, count: 7 })
    ));
}

#[test]
fn regions_masses_and_render_surfaces_are_recorded() {
    let header = header();
    assert_eq!(header.info.regions, ["default", "stiff", "region 2"]);
    let count = |region| header.regions.iter().filter(|&&r| r == region).count();
    // three cells of six tetrahedra, and the plate of four triangles
    assert_eq!([0, 1, 2].map(count), [6 + 4, 6, 6]);
    // 3 m³ of 1000 kg/m³, and 2 m² of the plate, 1 m thick
    assert!((header.masses.iter().sum::<f64>() - 5000.0).abs() < 1e-9);
    let [bar, plate] = &header.info.bodies[..] else {
        panic!("two bodies")
    };
    assert!(bar.has_render_surface() && !plate.has_render_surface());
    assert_eq!(
        (bar.render_vertices, plate.render_vertices),
        ([0, 3], [3, 3])
    );
}

#[test]
fn render_surfaces_must_stay_on_their_body() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.plr");
    let breaks: [fn(&mut RecordingHeader); 5] = [
        |h| h.render.elements[1] = 20,
        |h| h.render.elements[1] = 1000,
        |h| h.render.triangles[0][2] = 3,
        |h| h.info.bodies[0].render_triangles = [0, 2],
        |h| h.regions[0] = 3,
    ];
    for (index, break_it) in breaks.iter().enumerate() {
        let mut header = header();
        break_it(&mut header);
        assert!(RecordingWriter::create(&path, &header).is_err(), "{index}");
    }
}

#[test]
fn version_one_is_read_without_what_it_lacks() {
    let header = header();
    let mut info = serde_json::to_value(&header.info).unwrap();
    info.as_object_mut().unwrap().remove("regions");
    for body in info["bodies"].as_array_mut().unwrap() {
        body.as_object_mut().unwrap().remove("render_vertices");
        body.as_object_mut().unwrap().remove("render_triangles");
    }
    let mut bytes = chunk::start();
    bytes[8] = 1;
    let mut add = |tag, raw: &[u8]| bytes.extend(chunk::encode(tag, raw).unwrap());
    add(chunk::INFO, info.to_string().as_bytes());
    let mut raw = Vec::new();
    raw.put_vectors(&header.rest);
    add(chunk::REST, &raw);
    for (tag, list) in [
        (chunk::ELEMENTS, header.elements.as_flattened()),
        (chunk::TRIANGLES, header.triangles.as_flattened()),
        (chunk::EDGES, header.edges.as_flattened()),
    ] {
        raw.clear();
        list.iter().for_each(|&n| raw.put_u32(n));
        add(tag, &raw);
    }
    raw.clear();
    raw.put_u64(5);
    raw.put_f64(0.5);
    raw.resize(16 + 4 * header.info.floats_per_frame().unwrap(), 0);
    add(chunk::FRAME, &raw);
    let mut reader = RecordingReader::new(Cursor::new(&bytes)).unwrap();
    let old = reader.header();
    assert_eq!(old.info.regions, ["default"]);
    assert!(old.regions.len() == header.elements.len() && old.regions.iter().all(|&r| r == 0));
    assert!((old.masses.iter().sum::<f64>() - 5.0).abs() < 1e-12);
    assert_eq!(
        (reader.frame_count(), reader.frame(0).unwrap().step),
        (1, 5)
    );
}

#[test]
fn a_resumed_recording_is_identical() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, path) = (
        folder.path().join("whole.plr"),
        folder.path().join("resumed.plr"),
    );
    let expected = recorded(&whole, 9);
    for finished_before in [false, true] {
        let mut writer = RecordingWriter::create(&path, &header()).unwrap();
        write_frames(&mut writer, 0..4);
        let position = writer.sync().unwrap();
        assert_eq!(position, writer.position());
        write_frames(&mut writer, 4..6);
        if finished_before {
            writer.finish().unwrap();
        } else {
            // killed in the middle of a frame
            drop(writer);
            let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
            let length = file.metadata().unwrap().len();
            file.set_len(length - 11).unwrap();
        }
        let mut writer = RecordingWriter::resume(&path, position).unwrap();
        assert_eq!(writer.position(), position);
        write_frames(&mut writer, 4..9);
        writer.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), expected);
    }
    let wrong = RecordingPosition {
        bytes: 1 << 30,
        frames: 4,
    };
    assert!(matches!(
        RecordingWriter::resume(&path, wrong),
        Err(RecordingError::CannotResume { .. })
    ));
    let length = std::fs::metadata(&path).unwrap().len();
    let wrong = RecordingPosition {
        bytes: length - 40,
        frames: 9,
    };
    assert!(RecordingWriter::resume(&path, wrong).is_err());
    assert_eq!(
        std::fs::read(&path).unwrap(),
        expected,
        "a refused resume changes nothing"
    );
}

#[test]
fn truncated_files_keep_their_whole_frames() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = recorded(&folder.path().join("a.plr"), 5);
    let ends: Vec<u64> = {
        let reader = RecordingReader::new(Cursor::new(&bytes)).unwrap();
        reader.entries().iter().map(|e| e.offset).collect()
    };
    let mut last = 0;
    for length in 0..bytes.len() {
        match RecordingReader::new(Cursor::new(&bytes[..length])) {
            Err(_) => assert!((length as u64) < ends[0]),
            Ok(mut reader) => {
                assert!(!reader.is_complete());
                let count = reader.frame_count();
                assert!(count >= last);
                last = count;
                if count > 0 {
                    assert_eq!(reader.frame(count - 1).unwrap().step, count as u64 - 1);
                }
                let whole = ends.iter().skip(1).filter(|&&e| e <= length as u64).count();
                assert!(count >= whole, "{count} of {whole} at {length}");
            }
        }
    }
    assert_eq!(last, 5);
}

#[test]
fn damaged_files_never_panic() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = recorded(&folder.path().join("a.plr"), 3);
    let whole = RecordingReader::new(Cursor::new(&bytes))
        .and_then(|mut r| r.frame(1))
        .unwrap();
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |n: usize| {
        seed = seed
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (seed >> 33) as usize % n
    };
    for round in 0..3000 {
        let mut damaged = bytes.clone();
        if round % 3 == 0 {
            // a length or count of the wrong size
            let at = random(damaged.len() - 8);
            let huge = [u64::MAX, 1 << 40, 10_000_000_000, 0][random(4)];
            damaged[at..at + 8].copy_from_slice(&huge.to_le_bytes());
        } else {
            for _ in 0..1 + random(3) {
                let at = random(damaged.len());
                damaged[at] ^= 1 << random(8);
            }
        }
        damaged.truncate(damaged.len() - random(2) * random(200));
        let Ok(mut reader) = RecordingReader::new(Cursor::new(&damaged)) else {
            continue;
        };
        for frame in 0..reader.frame_count() {
            // what passes the checksum is what was written
            if let Ok(frame) = reader.frame(frame)
                && frame.step == 1
            {
                assert_eq!(frame, whole);
            }
        }
    }
}

#[test]
fn other_files_and_versions_are_named() {
    let error = RecordingReader::new(Cursor::new(b"title = 'x'")).unwrap_err();
    assert_eq!(error.to_string(), "this is not a Pliant recording");
    let mut bytes = chunk::start();
    bytes[8] = 200;
    let error = RecordingReader::new(Cursor::new(&bytes))
        .unwrap_err()
        .to_string();
    assert!(error.contains("version 200"), "{error}");
    assert!(matches!(
        RecordingReader::new(Cursor::new(&chunk::start())),
        Err(RecordingError::Truncated)
    ));
}

#[test]
fn frames_of_the_wrong_size_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = RecordingWriter::create(&folder.path().join("a.plr"), &header()).unwrap();
    let before = writer.position();
    let empty = Frame {
        step: 0,
        time: 0.0,
        positions: &[],
        velocities: &[],
        von_mises: &[],
        states: None,
    };
    assert!(matches!(
        writer.frame(empty),
        Err(RecordingError::FrameSize { .. })
    ));
    assert_eq!(writer.position(), before);
}

const OBSTACLES: &str = "\n[[obstacle]]\nname = \"floor\"\nhalf_space = { point = [0, 0, -1], normal = [0, 0, 2] }\n\
    [[obstacle]]\ntorus = { centre = [0, 0, 3], axis = [1, 0, 0], major = 1, minor = 0.25 }\n\
    move.translate = { keys = [[0, [0, 0, 0]], [1, [0, 0, 2]]], smooth = true }\n\
    move.rotate = { axis = [0, 0, 1], angle = { sine = { amplitude = 0.5, frequency = 2 } } }\n\
    [[obstacle]]\nname = \"bowl\"\nsphere = { centre = [0, 0, 0], radius = 9, hollow = true }\n";

#[test]
fn obstacles_are_recorded_and_older_files_have_none() {
    let folder = tempfile::tempdir().unwrap();
    let scene = build(&parse(&format!("{SCENE}{OBSTACLES}"), "t").unwrap(), None).unwrap();
    let written = RecordingHeader::new(&scene);
    let path = folder.path().join("r");
    let mut writer = RecordingWriter::create(&path, &written).unwrap();
    write_frames(&mut writer, 0..3);
    let position = writer.sync().unwrap();
    writer.finish().unwrap();
    let mut reader = RecordingReader::open(&path).unwrap();
    assert_eq!(*reader.header(), written);
    assert!(reader.is_complete() && reader.frame_count() == 3);
    assert_eq!(reader.frame(2).unwrap().step, 2);
    // the frames are found without the index, and the run can go on
    let bytes = std::fs::read(&path).unwrap();
    let cut = &bytes[..position.bytes as usize];
    let unfinished = RecordingReader::new(Cursor::new(cut)).unwrap();
    assert_eq!(
        (unfinished.frame_count(), unfinished.is_complete()),
        (3, false)
    );
    let mut writer = RecordingWriter::resume(&path, position).unwrap();
    write_frames(&mut writer, 3..4);
    writer.finish().unwrap();
    assert_eq!(RecordingReader::open(&path).unwrap().frame_count(), 4);

    let obstacles = &written.obstacles;
    let [floor, ring, bowl] = &obstacles.list[..] else {
        panic!("{}", obstacles.list.len());
    };
    assert_eq!((floor.look, bowl.look), (Look::Plane, Look::Hollow));
    assert_eq!(floor.plane, Some([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]));
    assert_eq!((ring.name.as_str(), ring.look), ("obstacle 2", Look::Solid));
    let motion = scene.model.contact.obstacles[1].motion.as_ref().unwrap();
    assert_eq!(ring.motion.as_ref().unwrap().to_motion(), *motion);
    let (first, time) = (ring.vertices[0], 0.3);
    let moved = obstacles.vertices_at(1, time)[5];
    assert!((moved - motion.at(obstacles.vertices[first + 5], time)).norm() < 1e-12);
    assert!(obstacles.triangles_of(1).as_flattened().contains(&0));

    // without obstacles the file is as it always was
    let plain = folder.path().join("plain");
    let bytes = recorded(&plain, 1);
    assert!(!bytes.windows(4).any(|w| w == chunk::OBSTACLES));
    assert_eq!(header().obstacles, RecordedObstacles::default());
    // a range beyond the lists is refused
    let mut broken = written.clone();
    broken.obstacles.list[1].vertices[1] += 100_000;
    assert!(RecordingWriter::create(&plain, &broken).is_err());
    broken = written;
    broken.obstacles.list[1].vertices[0] += 1;
    assert!(RecordingWriter::create(&plain, &broken).is_err());
}
