use super::*;
use crate::build::build;
use crate::parse::parse;
use crate::recording::{Frame, RecordingHeader, RecordingWriter};
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::embed::Embedding;
use std::fs;

/// A bar that carries a triangle if `carried`, and a plate; the plate's name is no file name.
const SCENE: &str = "title = \"t & t\"\ntime.duration = 1\ntime.step = \"10 ms\"\nrecord = { velocities = true, every = \"20 ms\" }\n\
    [[body]]\nname = \"bar\"\nmesh.bar = { size = [3, 1, 1], cells = [3, 1, 1] }\nmaterial = { young = 1e5, poisson = 0.4 }\n\
    [[body]]\nname = \"the/plate, 2\"\nmesh.rectangle = { size = [2, 1], cells = [2, 1] }\nmaterial = { young = 1e5, poisson = 0.4 }\n";

struct Fixture {
    folder: tempfile::TempDir,
    header: RecordingHeader,
}

impl Fixture {
    /// A recording of five frames.
    fn new(carried: bool) -> Fixture {
        Fixture::of(SCENE, carried)
    }

    fn of(text: &str, carried: bool) -> Fixture {
        let mut scene = build(&parse(text, "t").unwrap(), None).unwrap();
        if carried {
            scene.embeddings[0] = Some(Embedding {
                triangles: vec![[0, 1, 2]],
                elements: vec![0, 3, 5],
                weights: vec![[1.0, 0.0, 0.0, 0.0], [0.25; 4], [0.5, 0.5, 0.5, -0.5]],
            });
        }
        let header = RecordingHeader::new(&scene);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.pliant");
        let mut writer = RecordingWriter::create(&path, &header).unwrap();
        let still = vec![vec3(0.0, 0.5, 0.0); header.rest.len()];
        for step in 0..5_u64 {
            let positions = positions(&header, step);
            let von_mises: Vec<f64> = (0..header.elements.len()).map(|e| e as f64).collect();
            writer
                .frame(Frame {
                    step: 2 * step,
                    time: 0.02 * step as f64,
                    positions: &positions,
                    velocities: &still,
                    von_mises: &von_mises,
                    states: None,
                })
                .unwrap();
        }
        writer.finish().unwrap();
        Fixture { folder, header }
    }

    fn recording(&self) -> PathBuf {
        self.folder.path().join("run.pliant")
    }

    fn try_export(
        &self,
        format: Format,
        choice: &Choice,
        options: &Options,
        out: &str,
    ) -> Result<Exported, ExportError> {
        let mut source = Source::open(&self.recording(), choice)?;
        let out = self.folder.path().join(out);
        let mut frames = 0;
        let done = export(&mut source, format, Some(&out), options, &mut || {
            frames += 1
        })?;
        assert_eq!(frames, done.frames);
        let sizes = done.files.iter().map(|p| fs::metadata(p).unwrap().len());
        assert_eq!(sizes.sum::<u64>(), done.bytes);
        Ok(done)
    }

    fn export(&self, format: Format, options: &Options, out: &str) -> Exported {
        self.try_export(format, &Choice::default(), options, out)
            .unwrap()
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path().join(folder)).unwrap();
        let name = |e: io::Result<fs::DirEntry>| e.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }
}

fn positions(header: &RecordingHeader, step: u64) -> Vec<Vec3> {
    let bend = |&x: &Vec3| x + vec3(0.0, 0.25 * step as f64, 0.125 * x.x * step as f64);
    header.rest.iter().map(bend).collect()
}

fn words(bytes: &[u8]) -> Vec<[u8; 4]> {
    bytes.as_chunks::<4>().0.to_vec()
}

#[test]
fn formats_have_names() {
    for format in Format::ALL {
        assert_eq!(Format::from_name(format.name()), Some(format));
    }
    assert_eq!(Format::from_name("stl"), None);
}

#[test]
fn vtu_series_and_its_collection() {
    let fixture = Fixture::new(true);
    let options = Options {
        encoding: Encoding::Ascii,
        ..Options::default()
    };
    let done = fixture.export(Format::Vtu, &options, "v");
    assert_eq!(done.files.len(), 6);
    let collection = fs::read_to_string(&done.files[0]).unwrap();
    assert!(collection.contains("timestep=\"0.08\" group=\"\" part=\"0\" file=\"run_0004.vtu\""));
    let frame = fs::read_to_string(&done.files[3]).unwrap();
    // 16 nodes and 18 tetrahedra of the bar, 6 nodes and 4 triangles of the plate
    assert!(
        frame.contains("NumberOfPoints=\"22\" NumberOfCells=\"22\""),
        "{frame}"
    );
    for name in [
        "displacement",
        "velocity",
        "von_mises",
        "body",
        "region",
        "element_state",
    ] {
        assert!(frame.contains(&format!("Name=\"{name}\"")), "{name}");
    }
    let surface = Options {
        surface: true,
        ..options
    };
    let done = fixture.export(Format::Vtu, &surface, "s/surface.pvd");
    let frame = fs::read_to_string(&done.files[1]).unwrap();
    assert!(done.files[1].ends_with("s/surface_0000.vtu"));
    assert!(
        frame.contains("NumberOfPoints=\"9\" NumberOfCells=\"5\""),
        "{frame}"
    );
}

#[test]
fn point_caches_hold_every_frame_of_every_body() {
    let fixture = Fixture::new(false);
    let done = fixture.export(Format::Pc2, &Options::default(), "c");
    assert_eq!(
        fixture.names("c"),
        [
            "run_bar.obj",
            "run_bar.pc2",
            "run_the_plate__2.obj",
            "run_the_plate__2.pc2"
        ]
    );
    let bytes = fs::read(&done.files[0]).unwrap();
    assert_eq!(bytes.len(), 32 + 5 * 16 * 12);
    assert_eq!(bytes[..12], *b"POINTCACHE2\0");
    let header = words(&bytes[12..32]);
    assert_eq!([0, 1, 4].map(|i| i32::from_le_bytes(header[i])), [1, 16, 5]);
    assert_eq!([2, 3].map(|i| f32::from_le_bytes(header[i])), [0.0, 1.0]);
    // the last vertex of the bar, nodes being vertices here, in the last frame
    let expected = positions(&fixture.header, 4)[15];
    let last: Vec<f32> = words(&bytes[bytes.len() - 12..])
        .into_iter()
        .map(f32::from_le_bytes)
        .collect();
    assert_eq!(last, expected.to_array().map(|v| v as f32));

    let upright = Options {
        up: Up::Y,
        ..Options::default()
    };
    let done = fixture.export(Format::Mdd, &upright, "m");
    let bytes = fs::read(&done.files[0]).unwrap();
    assert_eq!(bytes.len(), 8 + 5 * 4 + 5 * 16 * 12);
    let all = words(&bytes);
    assert_eq!([0, 1].map(|i| i32::from_be_bytes(all[i])), [5, 16]);
    assert_eq!(f32::from_be_bytes(all[2 + 4]), 0.08_f32);
    let last = words(&bytes[bytes.len() - 12..]);
    let last: Vec<f32> = last.into_iter().map(f32::from_be_bytes).collect();
    assert_eq!(
        last,
        [expected.x, expected.z, -expected.y].map(|v| v as f32)
    );
    let rest = fs::read_to_string(&done.files[1]).unwrap();
    let vertices = rest.lines().filter(|l| l.starts_with("v ")).count();
    assert_eq!(vertices, 16);
    // all faces of the box, two triangles each: 2 × 1 + 4 × 3 squares
    assert_eq!(rest.lines().filter(|l| l.starts_with("f ")).count(), 28);
}

#[test]
fn carried_surfaces_take_the_place_of_the_boundary() {
    let fixture = Fixture::new(true);
    let done = fixture.export(Format::Obj, &Options::default(), "o");
    assert_eq!(done.files.len(), 5);
    let text = fs::read_to_string(&done.files[2]).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "o bar");
    // the first vertex sits on a node, the second at the centre of element 3
    let x = positions(&fixture.header, 2);
    let corners = |e: usize| fixture.header.elements[e].map(|n| x[n as usize]);
    let shown = |v: Vec3| {
        let [x, y, z] = v.to_array().map(|c| c as f32);
        format!("v {x:?} {y:?} {z:?}")
    };
    assert_eq!(lines[2], shown(corners(0)[0]));
    let [a, b, c, d] = corners(3);
    assert_eq!(lines[3], shown((a + b + c + d) * 0.25));
    assert_eq!(lines[5], "f 1 2 3");
    assert_eq!(lines[6], "o the/plate,_2");
    assert_eq!(lines[13], "f 4 5 8");
}

#[test]
fn usd_samples_come_in_order() {
    let fixture = Fixture::new(false);
    let done = fixture.export(Format::Usd, &Options::default(), "x.usda");
    let text = fs::read_to_string(&done.files[0]).unwrap();
    for part in [
        "#usda 1.0\n",
        "upAxis = \"Z\"",
        "metersPerUnit = 1\n",
        "endTimeCode = 4\n",
        "timeCodesPerSecond = 50\n",
        "doc = \"t & t\"",
        "def Mesh \"bar\"",
        "def Mesh \"the_plate__2\"",
        "displayName = \"the/plate, 2\"",
        "(3.0, 2.0, 2.5)", // the far top edge in the last frame
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert_eq!(text.matches("points.timeSamples").count(), 2);
    assert_eq!(text.matches("velocities.timeSamples").count(), 2);
    assert_eq!(text.matches("\n            3: [").count(), 6);
    assert_eq!(fixture.names(""), ["run.pliant", "x.usda"]);
}

#[test]
fn glb_is_one_consistent_file() {
    let fixture = Fixture::new(false);
    for normals in [false, true] {
        let options = Options {
            normals,
            force: true,
            ..Options::default()
        };
        let done = fixture.export(Format::Glb, &options, "x.glb");
        let bytes = fs::read(&done.files[0]).unwrap();
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!(bytes[..4], *b"glTF");
        assert_eq!((number(4), number(8)), (2, bytes.len()));
        let markup = number(12);
        assert_eq!(number(20 + markup) + 28 + markup, bytes.len());
        let document: serde_json::Value = serde_json::from_slice(&bytes[20..20 + markup]).unwrap();
        let lists = 1 + usize::from(normals);
        // corners of two bodies, lists of two bodies in five frames, times, weights
        let accessors = document["accessors"].as_array().unwrap();
        assert_eq!(accessors.len(), 2 + 2 * 5 * lists + 2);
        let targets = &document["meshes"][1]["primitives"][0]["targets"];
        assert_eq!(targets.as_array().unwrap().len(), 4);
        assert_eq!(accessors.last().unwrap()["count"], 20);
        let views = document["bufferViews"].as_array().unwrap();
        let end = views
            .iter()
            .map(|v| v["byteOffset"].as_u64().unwrap() + v["byteLength"].as_u64().unwrap());
        assert_eq!(end.max(), document["buffers"][0]["byteLength"].as_u64());
        let source = Source::open(&fixture.recording(), &Choice::default()).unwrap();
        let expected = expected_bytes(&source, Format::Glb, &options);
        assert_eq!(expected, Some(number(20 + markup) as u64));
    }
}

#[test]
fn a_single_frame_makes_a_still_gltf() {
    let fixture = Fixture::new(false);
    let choice = Choice {
        frames: FrameRange {
            first: 2,
            end: Some(3),
        },
        ..Choice::default()
    };
    let done = fixture
        .try_export(Format::Gltf, &choice, &Options::default(), "a b.gltf")
        .unwrap();
    let document: serde_json::Value =
        serde_json::from_slice(&fs::read(&done.files[0]).unwrap()).unwrap();
    assert!(document["animations"].is_null());
    assert_eq!(document["buffers"][0]["uri"], "a%20b.bin");
    assert_eq!(fixture.names(""), ["a b.bin", "a b.gltf", "run.pliant"]);
}

#[test]
fn tables_of_bodies_and_of_nodes() {
    let fixture = Fixture::new(false);
    let done = fixture.export(Format::Csv, &Options::default(), "bodies.csv");
    let text = fs::read_to_string(&done.files[0]).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), 1 + 5 * 2);
    let columns = rows[0].split(',').count();
    let row: Vec<&str> = rows[9].split(',').collect();
    assert_eq!(row.len(), columns);
    assert_eq!(row[..4], ["4", "8", "0.08", "bar"]);
    let number = |i: usize| row[i].parse::<f64>().unwrap();
    // bent by 0.125 x a frame and moved by 0.25 in y
    for (i, expected) in [
        (4, 1.5),
        (5, 1.5),
        (6, 1.25),
        (9, 0.0),
        (12, 2.5),
        (13, 3.25_f64.sqrt()),
    ] {
        assert!((number(i) - expected).abs() < 1e-6, "{i}: {}", row[i]);
    }
    assert_eq!(row[15..], ["17.0", "17"]);
    assert!(rows[10].contains("\"the/plate, 2\""));

    let options = Options {
        nodes: vec![3, 0],
        ..Options::default()
    };
    let choice = Choice {
        bodies: vec!["bar".to_string()],
        every: 2,
        ..Choice::default()
    };
    let done = fixture
        .try_export(Format::Csv, &choice, &options, "nodes.csv")
        .unwrap();
    let text = fs::read_to_string(&done.files[0]).unwrap();
    let starts: Vec<String> = text
        .lines()
        .skip(1)
        .map(|l| l.split(',').take(5).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        starts,
        [
            "0 0 0.0 bar 3",
            "0 0 0.0 bar 0",
            "2 4 0.04 bar 3",
            "2 4 0.04 bar 0",
            "4 8 0.08 bar 3",
            "4 8 0.08 bar 0"
        ]
    );
    let refused = Options {
        nodes: vec![16],
        ..Options::default()
    };
    let error = fixture.try_export(Format::Csv, &choice, &refused, "c.csv");
    assert!(error.unwrap_err().to_string().contains("0 to 15"));
}

#[test]
fn wrong_choices_are_explained() {
    let fixture = Fixture::new(false);
    let range = |first, end| Choice {
        frames: FrameRange { first, end },
        ..Choice::default()
    };
    let bodies = Choice {
        bodies: vec!["bra".to_string()],
        ..Choice::default()
    };
    let never = Choice {
        every: 0,
        ..Choice::default()
    };
    for (choice, expected) in [
        (range(3, Some(9)), "0 to 4"),
        (range(5, None), "0 to 4"),
        (range(3, Some(3)), "no frame"),
        (bodies, "did you mean `bar`"),
        (never, "1 or more"),
    ] {
        let error = Source::open(&fixture.recording(), &choice).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    let error = fixture.try_export(
        Format::Glb,
        &Choice::default(),
        &Options::default(),
        "x.usda",
    );
    assert!(error.unwrap_err().to_string().contains("end in .glb"));
    assert_eq!(fixture.names(""), ["run.pliant"]);
}

#[test]
fn only_an_export_of_the_same_name_is_replaced_and_only_when_forced() {
    let fixture = Fixture::new(false);
    let plain = Options::default();
    let forced = Options {
        force: true,
        ..Options::default()
    };
    fixture.export(Format::Obj, &plain, "o");
    let foreign = fixture.folder.path().join("o/other_0004.obj");
    fs::write(&foreign, "mine").unwrap();
    let short = Choice {
        every: 2,
        ..Choice::default()
    };
    let refused = fixture
        .try_export(Format::Obj, &short, &plain, "o")
        .unwrap_err();
    assert!(matches!(refused, ExportError::Exists { .. }), "{refused}");
    assert_eq!(fixture.names("o").len(), 6);
    fixture
        .try_export(Format::Obj, &short, &forced, "o")
        .unwrap();
    // what the longer series left is gone
    assert_eq!(
        fixture.names("o"),
        [
            "other_0004.obj",
            "run_0000.obj",
            "run_0001.obj",
            "run_0002.obj"
        ]
    );
    fixture.export(Format::Csv, &plain, "t.csv");
    assert!(
        fixture
            .try_export(Format::Csv, &short, &plain, "t.csv")
            .is_err()
    );
    fixture
        .try_export(Format::Csv, &short, &forced, "t.csv")
        .unwrap();
}

#[test]
fn a_cut_recording_exports_what_it_holds_and_a_second_export_is_the_same() {
    let fixture = Fixture::new(true);
    let whole = fs::read(fixture.recording()).unwrap();
    let source = Source::open(&fixture.recording(), &Choice::default()).unwrap();
    assert!(source.is_complete());
    drop(source);
    // the index and a part of the last frame are lost
    fs::write(fixture.recording(), &whole[..whole.len() - 320]).unwrap();
    let source = Source::open(&fixture.recording(), &Choice::default()).unwrap();
    let left = source.frame_count();
    assert!(!source.is_complete() && (2..5).contains(&left), "{left}");
    for format in Format::ALL {
        let mut runs = Vec::new();
        for run in ["a", "b"] {
            let folder = fixture.folder.path().join(run).join(format.name());
            fs::create_dir_all(&folder).unwrap();
            let out = format!("{run}/{}", format.name());
            let done = fixture.export(format, &Options::default(), &out);
            assert_eq!(done.frames, left);
            runs.push(
                done.files
                    .iter()
                    .map(|p| fs::read(p).unwrap())
                    .collect::<Vec<_>>(),
            );
        }
        assert_eq!(runs[0], runs[1], "{}", format.name());
    }
}

#[test]
fn files_go_beside_the_recording_by_default() {
    let fixture = Fixture::new(false);
    let folder = fixture.folder.path().join("demo-full");
    fs::create_dir(&folder).unwrap();
    let path = folder.join("recording.pliant");
    fs::copy(fixture.recording(), &path).unwrap();
    let mut source = Source::open(&path, &Choice::default()).unwrap();
    for (format, first) in [
        (Format::Usd, "demo-full.usda"),
        (Format::Vtu, "vtu/demo-full.pvd"),
    ] {
        let done = export(&mut source, format, None, &Options::default(), &mut || {}).unwrap();
        assert_eq!(done.files[0], folder.join(first));
    }
}

/// A floor, and a ring that rises and turns.
const OBSTACLES: &str = "[[obstacle]]\nname = \"bar\"\nhalf_space = { point = [0, 0, -1], normal = [0, 0, 1] }\n\
    [[obstacle]]\nname = \"ring\"\ntorus = { centre = [0, 0, 3], axis = [1, 0, 0], major = 1, minor = 0.25 }\n\
    move.translate = { keys = [[0, [0, 0, 0]], [0.08, [0, 0, 8]]] }\n\
    move.rotate = { axis = [0, 0, 1], angle = { keys = [[0, 0], [0.08, \"180 deg\"]] } }\n";

#[test]
fn obstacles_are_meshes_of_their_own() {
    let fixture = Fixture::of(&format!("{SCENE}{OBSTACLES}"), false);
    let obstacles = &fixture.header.obstacles;
    let vertices = obstacles.vertices.len();

    let done = fixture.export(Format::Obj, &Options::default(), "o");
    let text = fs::read_to_string(&done.files[4]).unwrap();
    let lines = |start: &str| text.lines().filter(|l| l.starts_with(start)).count();
    assert_eq!((lines("o "), lines("o ring")), (4, 1));
    let own: usize = fixture.header.rest.len();
    assert_eq!(lines("v "), own + vertices);
    let largest = text.lines().filter(|l| l.starts_with("f ")).flat_map(|l| {
        let corners = l[2..].split(' ');
        corners.map(|v| v.parse::<usize>().unwrap())
    });
    assert_eq!(largest.max(), Some(own + vertices));
    // half a turn about z and 8 m up
    let x = obstacles.vertices[obstacles.list[1].vertices[0]];
    let moved = [-x.x as f32, -x.y as f32, x.z as f32 + 8.0];
    let found = text.lines().filter_map(|l| l.strip_prefix("v ")).any(|l| {
        let v: Vec<f32> = l.split(' ').map(|v| v.parse().unwrap()).collect();
        (0..3).all(|k| (v[k] - moved[k]).abs() < 1e-5)
    });
    assert!(found, "{moved:?}");

    let options = Options {
        up: Up::Y,
        ..Options::default()
    };
    let done = fixture.export(Format::Usd, &options, "x.usda");
    let text = fs::read_to_string(&done.files[0]).unwrap();
    assert_eq!(text.matches("def Mesh").count(), 4);
    assert_eq!(text.matches("point3f[] points = [").count(), 2);
    assert_eq!(text.matches("xformOp:transform.timeSamples").count(), 1);
    // z is y there: up by 8, half a turn about y
    let last = text.split("xformOp:transform.timeSamples").nth(1).unwrap();
    let last = last.split("4: (").nth(1).unwrap();
    assert!(
        last.contains("8.0, -0.0, 1)") || last.contains("8.0, 0.0, 1)"),
        "{last}"
    );

    for normals in [false, true] {
        let options = Options {
            normals,
            force: true,
            ..Options::default()
        };
        let done = fixture.export(Format::Gltf, &options, "g.gltf");
        let document: serde_json::Value =
            serde_json::from_slice(&fs::read(&done.files[0]).unwrap()).unwrap();
        let data = fs::read(&done.files[1]).unwrap();
        assert_eq!(document["buffers"][0]["byteLength"], data.len());
        let views = document["bufferViews"].as_array().unwrap();
        let number = |v: &serde_json::Value| v.as_u64().unwrap() as usize;
        for accessor in document["accessors"].as_array().unwrap() {
            if accessor["sparse"].is_object() {
                continue;
            }
            let view = &views[number(&accessor["bufferView"])];
            let parts = match accessor["type"].as_str().unwrap() {
                "VEC3" => 3,
                "VEC4" => 4,
                _ => 1,
            };
            let start = accessor["byteOffset"].as_u64().unwrap_or(0) as usize;
            let end = start + 4 * parts * number(&accessor["count"]);
            assert!(end <= number(&view["byteLength"]), "{accessor}");
            let first = number(&view["byteOffset"]) + start;
            let float = |k: usize| {
                f32::from_le_bytes(data[first + 4 * k..first + 4 * k + 4].try_into().unwrap())
            };
            // rotations are unit quaternions, ending with half a turn about z
            if parts == 4 {
                for q in 0..5 {
                    let square: f32 = (0..4).map(|k| float(4 * q + k).powi(2)).sum();
                    assert!((square - 1.0).abs() < 1e-6);
                }
                assert!(float(18).abs() > 0.99999);
            }
            if accessor["min"].is_array() && parts == 3 {
                let low = accessor["min"][0].as_f64().unwrap() as f32;
                let least = (0..number(&accessor["count"])).map(|i| float(3 * i));
                assert_eq!(least.fold(f32::INFINITY, f32::min), low);
            }
        }
        let nodes = document["nodes"].as_array().unwrap();
        assert_eq!(nodes.len(), 5);
        assert_eq!(nodes[4]["name"], "ring");
        let channels = document["animations"][0]["channels"].as_array().unwrap();
        assert_eq!(channels.len(), 2 + 2);
    }

    // only bodies where bodies are named
    let choice = Choice {
        bodies: vec!["bar".to_string()],
        ..Choice::default()
    };
    let done = fixture.try_export(Format::Usd, &choice, &Options::default(), "y.usda");
    let text = fs::read_to_string(&done.unwrap().files[0]).unwrap();
    assert_eq!(text.matches("def Mesh").count(), 1);
}
