//! glTF 2.0: surfaces with a morph target for every frame after the first, as `.gltf` + `.bin` or as one `.glb`.
//!
//! glTF knows no other way to move vertices freely. Weights are one-hot: at frame k only target k − 1 counts, so
//! blending between key times moves vertices linearly. The table of weights is sparse. Frames are read twice: the
//! markup, which stands first, needs the bounds of every list. Obstacles are meshes without targets, at the end of the
//! buffer; moving ones are carried by their node.

use super::source::{Fixture, Moment, Skin, Source, narrowed};
use super::target::{OutFile, Target};
use super::{ExportError, Options, body_light, light};
use crate::picture::OBSTACLE;
use pliant_linalg::{Mat3, Vec3};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;
/// z up to y up: −90° about x, as a quaternion (x, y, z, w).
const UPRIGHT: [f64; 4] = [
    -std::f64::consts::FRAC_1_SQRT_2,
    0.0,
    0.0,
    std::f64::consts::FRAC_1_SQRT_2,
];
const GLB_START: u64 = 12;
const GLB_CHUNK: u64 = 8;

/// Lists of one body at one frame: positions, and normals if wanted; differences from the first frame after it.
struct Lists {
    positions: Vec<[f32; 3]>,
    normals: Option<Vec<[f32; 3]>>,
}

impl Lists {
    fn all(&self) -> impl Iterator<Item = &Vec<[f32; 3]>> {
        std::iter::once(&self.positions).chain(&self.normals)
    }
}

/// Bytes of the buffer; the markup adds some hundred bytes for every frame and body.
pub fn expected_bytes(source: &Source, options: &Options) -> u64 {
    let vertices: usize = source.skins().iter().map(Skin::vertex_count).sum();
    let lists = 1 + u64::from(options.normals);
    let frames = source.frame_count() as u64;
    let fixed: usize = source.fixtures().iter().map(|f| f.vertices.len()).sum();
    let once = fixed as u64 * 12 * lists + source.paths().count() as u64 * PATH_BYTES * frames;
    vertices as u64 * 12 * lists * frames + once + plain_bytes(source)
}

/// Bytes before the lists of vertices: triangles, times, weights.
fn plain_bytes(source: &Source) -> u64 {
    let triangles: usize = lists_of_triangles(source).map(<[_]>::len).sum();
    let frames = source.frame_count();
    12 * triangles as u64 + 4 * frames as u64 + 8 * (frames as u64 - 1)
}

fn lists_of_triangles(source: &Source) -> impl Iterator<Item = &[[u32; 3]]> {
    let bodies = source.skins().iter().map(|s| &s.triangles[..]);
    bodies.chain(source.fixtures().iter().map(|f| &f.triangles[..]))
}

impl Source {
    /// Obstacles that move in what is exported.
    fn paths(&self) -> impl Iterator<Item = &Fixture> {
        let several = self.frame_count() > 1;
        self.fixtures().iter().filter(move |f| several && f.moves)
    }
}

pub fn write(
    source: &mut Source,
    target: &mut Target,
    options: &Options,
    progress: &mut dyn FnMut(),
    binary: bool,
) -> Result<(), ExportError> {
    let length = expected_bytes(source, options);
    let frames = source.frame_count();
    if length > u64::from(u32::MAX) - (1 << 28) || frames * (frames - 1) > u32::MAX as usize {
        return Err(ExportError::Choice(format!(
            "{} MB and {frames} frames are too much for glTF: take fewer frames with --every or --frames, or export usd",
            length / 1_000_000
        )));
    }
    let (main, buffer) = match binary {
        true => (target.file("glb"), None),
        false => (target.file("gltf"), Some(target.file("bin"))),
    };
    let mut files = vec![main.clone()];
    files.extend(buffer.clone());
    target.prepare(&files, None)?;

    let first = Frame::first(source, options)?;
    let mut bounds = vec![bounds_of(&first.base)];
    for i in 1..frames {
        bounds.push(bounds_of(&first.differences(source, i, options)?));
    }
    bounds.push(bounds_of(&fixed_lists(source, options)));
    let uri = buffer.as_deref().and_then(Path::file_name);
    let uri = uri.map(|name| percent_encoded(&name.to_string_lossy()));
    let mut markup = document(source, options, &bounds, length, uri).to_string();

    let mut main_file = OutFile::create(&main)?;
    let mut buffer_file = None;
    if let Some(path) = &buffer {
        main_file.put(|out| out.write_all(markup.as_bytes()))?;
        buffer_file = Some(OutFile::create(path)?);
    } else {
        // chunks are multiples of four bytes, the markup filled up with spaces
        while !markup.len().is_multiple_of(4) {
            markup.push(' ');
        }
        let whole = GLB_START + 2 * GLB_CHUNK + markup.len() as u64 + length;
        main_file.put(|out| {
            out.write_all(b"glTF")?;
            for number in [2, whole as u32, markup.len() as u32] {
                out.write_all(&number.to_le_bytes())?;
            }
            out.write_all(b"JSON")?;
            out.write_all(markup.as_bytes())?;
            out.write_all(&(length as u32).to_le_bytes())?;
            out.write_all(b"BIN\0")
        })?;
    }
    let data = buffer_file.as_mut().unwrap_or(&mut main_file);
    data.put(|out| plain_lists(out, source))?;
    data.put(|out| vertex_lists(out, &first.base))?;
    progress();
    for i in 1..frames {
        let lists = first.differences(source, i, options)?;
        data.put(|out| vertex_lists(out, &lists))?;
        progress();
    }
    data.put(|out| vertex_lists(out, &fixed_lists(source, options)))?;
    data.put(|out| path_lists(out, source))?;
    target.add(main_file)?;
    buffer_file.map_or(Ok(()), |file| target.add(file))
}

/// The first frame, from which the others are counted.
struct Frame {
    base: Vec<Lists>,
}

impl Frame {
    fn first(source: &mut Source, options: &Options) -> Result<Frame, ExportError> {
        let moment = source.moment(0)?;
        let base = source
            .skins()
            .iter()
            .map(|skin| lists(&moment, skin, options));
        Ok(Frame {
            base: base.collect(),
        })
    }

    fn differences(
        &self,
        source: &mut Source,
        frame: usize,
        options: &Options,
    ) -> Result<Vec<Lists>, ExportError> {
        let moment = source.moment(frame)?;
        let skins = source.skins().iter().zip(&self.base);
        let differ = skins.map(|(skin, base)| {
            // from the base as stored, so that adding it back is right to one rounding
            let positions = moment.place(skin);
            let positions = positions.iter().zip(&base.positions);
            let normals = options
                .normals
                .then(|| normals(&skin.triangles, &moment.place(skin)));
            let minus = |x: Vec3, b: &[f32; 3]| narrowed(x - Vec3::from(b.map(f64::from)));
            Lists {
                positions: positions.map(|(&x, b)| minus(x, b)).collect(),
                normals: normals.zip(base.normals.as_ref()).map(|(new, old)| {
                    let pairs = new.into_iter().zip(old);
                    pairs.map(|(x, b)| minus(x, b)).collect()
                }),
            }
        });
        Ok(differ.collect())
    }
}

fn lists(moment: &Moment, skin: &Skin, options: &Options) -> Lists {
    whole_lists(&skin.triangles, &moment.place(skin), options)
}

fn whole_lists(triangles: &[[u32; 3]], positions: &[Vec3], options: &Options) -> Lists {
    let normals = options.normals.then(|| normals(triangles, positions));
    Lists {
        positions: positions.iter().map(|&x| narrowed(x)).collect(),
        normals: normals.map(|list| list.into_iter().map(narrowed).collect()),
    }
}

/// Lists of the obstacles.
fn fixed_lists(source: &Source, options: &Options) -> Vec<Lists> {
    let each = source.fixtures().iter();
    each.map(|f| whole_lists(&f.triangles, &f.vertices, options))
        .collect()
}

/// Translations, then rotations, of each moving obstacle at every frame.
fn path_lists(out: &mut impl Write, source: &Source) -> io::Result<()> {
    for fixture in source.paths() {
        let times = source.times();
        for &time in &times {
            for value in narrowed(source.pose(fixture, time).translation) {
                out.write_all(&value.to_le_bytes())?;
            }
        }
        let mut before = [0.0, 0.0, 0.0, 1.0];
        for &time in &times {
            let mut turn = quaternion(&source.pose(fixture, time).rotation);
            // both signs are the same rotation; blending takes the shorter way
            if (0..4).map(|k| turn[k] * before[k]).sum::<f64>() < 0.0 {
                turn = turn.map(|q| -q);
            }
            for value in turn {
                out.write_all(&(value as f32).to_le_bytes())?;
            }
            before = turn;
        }
    }
    Ok(())
}

/// Unit quaternion (x, y, z, w) of a rotation, from its largest component.
fn quaternion(r: &Mat3) -> [f64; 4] {
    let diagonal = [r.at(0, 0), r.at(1, 1), r.at(2, 2)];
    // 4 × the squares of the components
    let w = 1.0 + diagonal.iter().sum::<f64>();
    let part = |k: usize| 2.0 + 2.0 * diagonal[k] - w;
    let squares = [part(0), part(1), part(2), w];
    let largest = (1..4).fold(0, |m, k| if squares[k] > squares[m] { k } else { m });
    let half = 0.5 / squares[largest].sqrt();
    let minus = |a, b| r.at(a, b) - r.at(b, a);
    let plus = |a, b| r.at(a, b) + r.at(b, a);
    let products = match largest {
        0 => [squares[0], plus(0, 1), plus(0, 2), minus(2, 1)],
        1 => [plus(0, 1), squares[1], plus(1, 2), minus(0, 2)],
        2 => [plus(0, 2), plus(1, 2), squares[2], minus(1, 0)],
        _ => [minus(2, 1), minus(0, 2), minus(1, 0), squares[3]],
    };
    products.map(|p| p * half)
}

/// Unit normals, weighted by the areas around each vertex.
fn normals(triangles: &[[u32; 3]], positions: &[Vec3]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; positions.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        let area = (b - a).cross(c - a);
        triangle.iter().for_each(|&v| sums[v as usize] += area);
    }
    let unit = |v: Vec3| v.normalized().unwrap_or(Vec3::AXES[2]);
    sums.into_iter().map(unit).collect()
}

/// Smallest and largest components, for each list of each body.
fn bounds_of(lists: &[Lists]) -> Vec<[[f32; 3]; 2]> {
    let bounds = |list: &Vec<[f32; 3]>| {
        let start = list.first().copied().unwrap_or_default();
        list.iter().fold([start, start], |[low, high], v| {
            let each = |f: fn(f32, f32) -> f32, s: [f32; 3]| std::array::from_fn(|a| f(s[a], v[a]));
            [each(f32::min, low), each(f32::max, high)]
        })
    };
    lists.iter().flat_map(Lists::all).map(bounds).collect()
}

fn plain_lists(out: &mut impl Write, source: &Source) -> io::Result<()> {
    let frames = source.frame_count() as u32;
    for v in lists_of_triangles(source).flat_map(|t| t.as_flattened()) {
        out.write_all(&v.to_le_bytes())?;
    }
    for time in source.times() {
        out.write_all(&(time as f32).to_le_bytes())?;
    }
    // where the table of weights, a row a frame, is one: frame k has target k − 1
    let targets = frames - 1;
    for k in 1..frames {
        out.write_all(&(k * targets + k - 1).to_le_bytes())?;
    }
    (1..frames).try_for_each(|_| out.write_all(&1_f32.to_le_bytes()))
}

fn vertex_lists(out: &mut impl Write, lists: &[Lists]) -> io::Result<()> {
    for list in lists.iter().flat_map(Lists::all) {
        for value in list.as_flattened() {
            out.write_all(&value.to_le_bytes())?;
        }
    }
    Ok(())
}

/// Views of the buffer.
const TRIANGLE_VIEW: u32 = 0;
const VERTEX_VIEW: u32 = 1;
const TIME_VIEW: u32 = 2;
const PLACE_VIEW: u32 = 3;
const ONE_VIEW: u32 = 4;
const PATH_VIEW: u32 = 5;
/// A translation and a rotation.
const PATH_BYTES: u64 = 12 + 16;

fn document(
    source: &Source,
    options: &Options,
    bounds: &[Vec<[[f32; 3]; 2]>],
    length: u64,
    uri: Option<String>,
) -> Value {
    let skins = source.skins();
    let frames = source.frame_count() as u64;
    let mut accessors = Vec::new();
    let mut add = |accessor: Value| {
        accessors.push(accessor);
        accessors.len() - 1
    };

    let mut triangle_bytes = 0;
    let mut corners = Vec::new();
    for triangles in lists_of_triangles(source) {
        let count = 3 * triangles.len();
        corners.push(add(json!({
            "bufferView": TRIANGLE_VIEW, "byteOffset": triangle_bytes, "componentType": UNSIGNED_INT,
            "count": count, "type": "SCALAR",
        })));
        triangle_bytes += 4 * count as u64;
    }
    // attributes[frame][body], and [obstacle] after the last frame
    let of_bodies: Vec<usize> = skins.iter().map(Skin::vertex_count).collect();
    let fixtures = source.fixtures();
    let of_obstacles: Vec<usize> = fixtures.iter().map(|f| f.vertices.len()).collect();
    let mut vertex_bytes = 0;
    let mut attributes: Vec<Vec<Value>> = Vec::new();
    for (frame, bounds) in bounds.iter().enumerate() {
        let mut bounds = bounds.iter();
        let mut of_frame = Vec::new();
        let counts = match frame as u64 == frames {
            true => &of_obstacles,
            false => &of_bodies,
        };
        for &count in counts {
            let mut attribute = json!({});
            for name in ["POSITION", "NORMAL"] {
                if name == "NORMAL" && !options.normals {
                    continue;
                }
                let [low, high] = bounds.next().copied().unwrap_or_default();
                attribute[name] = json!(add(json!({
                    "bufferView": VERTEX_VIEW, "byteOffset": vertex_bytes, "componentType": FLOAT,
                    "count": count, "type": "VEC3", "min": low, "max": high,
                })));
                vertex_bytes += 12 * count as u64;
            }
            of_frame.push(attribute);
        }
        attributes.push(of_frame);
    }

    let mut meshes = Vec::new();
    let mut materials = Vec::new();
    let mut nodes = vec![json!({
        "name": source.header().info.title, "rotation": UPRIGHT,
        "children": (1..=skins.len() + fixtures.len()).collect::<Vec<_>>(),
    })];
    for (i, skin) in skins.iter().enumerate() {
        let [r, g, b] = body_light(skin.body);
        materials.push(json!({
            "name": skin.name, "doubleSided": skin.planar,
            "pbrMetallicRoughness": {
                "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.6,
            },
        }));
        let mut primitive = json!({
            "attributes": attributes[0][i], "indices": corners[i], "material": i,
        });
        let mut mesh = json!({ "name": skin.name });
        if frames > 1 {
            let targets: Vec<&Value> = attributes[1..frames as usize]
                .iter()
                .map(|frame| &frame[i])
                .collect();
            primitive["targets"] = json!(targets);
            let names: Vec<String> = (1..frames).map(|k| format!("frame {k}")).collect();
            mesh["extras"] = json!({ "targetNames": names });
            mesh["weights"] = json!(vec![0; frames as usize - 1]);
        }
        mesh["primitives"] = json!([primitive]);
        meshes.push(mesh);
        nodes.push(json!({ "name": skin.name, "mesh": i }));
    }

    if !fixtures.is_empty() {
        let [r, g, b] = light(OBSTACLE);
        materials.push(json!({
            "name": "obstacles", "doubleSided": false,
            "pbrMetallicRoughness": {
                "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.9,
            },
        }));
    }
    for (i, fixture) in fixtures.iter().enumerate() {
        let number = skins.len() + i;
        meshes.push(json!({
            "name": fixture.name,
            "primitives": [{
                "attributes": attributes[frames as usize][i], "indices": corners[number],
                "material": skins.len(),
            }],
        }));
        let mut node = json!({ "name": fixture.name, "mesh": number });
        if fixture.moves {
            let pose = source.pose(fixture, source.times().first().copied().unwrap_or(0.0));
            node["translation"] = json!(narrowed(pose.translation));
            node["rotation"] = json!(quaternion(&pose.rotation));
        }
        nodes.push(node);
    }

    let view = |offset: u64, length: u64| json!({ "buffer": 0, "byteOffset": offset, "byteLength": length });
    let times_at = triangle_bytes;
    let places_at = times_at + 4 * frames;
    let ones_at = places_at + 4 * (frames - 1);
    let vertices_at = ones_at + 4 * (frames - 1);
    let mut views = vec![view(0, triangle_bytes), view(vertices_at, vertex_bytes)];
    views[TRIANGLE_VIEW as usize]["target"] = json!(INDICES);
    views[VERTEX_VIEW as usize]["target"] = json!(VERTICES);
    views[VERTEX_VIEW as usize]["byteStride"] = json!(12);
    let mut animations = Vec::new();
    if frames > 1 {
        views.push(view(times_at, 4 * frames));
        views.push(view(places_at, 4 * (frames - 1)));
        views.push(view(ones_at, 4 * (frames - 1)));
        let times = source.times();
        let [start, end] = [times.first(), times.last()].map(|t| t.map_or(0.0, |&t| t as f32));
        let input = add(json!({
            "bufferView": TIME_VIEW, "componentType": FLOAT, "count": frames, "type": "SCALAR",
            "min": [start], "max": [end],
        }));
        let output = add(json!({
            "componentType": FLOAT, "count": frames * (frames - 1), "type": "SCALAR",
            "sparse": {
                "count": frames - 1,
                "indices": { "bufferView": PLACE_VIEW, "byteOffset": 0, "componentType": UNSIGNED_INT },
                "values": { "bufferView": ONE_VIEW, "byteOffset": 0 },
            },
        }));
        let interpolation = if options.stepped { "STEP" } else { "LINEAR" };
        let sampler =
            |output| json!({ "input": input, "output": output, "interpolation": interpolation });
        let channel = |sampler: usize, node: usize, path: &str| json!({ "sampler": sampler, "target": { "node": node, "path": path } });
        let mut samplers = vec![sampler(output)];
        let mut channels: Vec<Value> = (1..=skins.len())
            .map(|n| channel(0, n, "weights"))
            .collect();
        let mut at = 0;
        for (i, _) in fixtures.iter().enumerate().filter(|(_, f)| f.moves) {
            for (path, kind, bytes) in [("translation", "VEC3", 12), ("rotation", "VEC4", 16)] {
                let output = add(json!({
                    "bufferView": PATH_VIEW, "byteOffset": at, "componentType": FLOAT,
                    "count": frames, "type": kind,
                }));
                at += bytes * frames;
                channels.push(channel(samplers.len(), 1 + skins.len() + i, path));
                samplers.push(sampler(output));
            }
        }
        if at > 0 {
            views.push(view(vertices_at + vertex_bytes, at));
        }
        animations.push(json!({ "name": "motion", "samplers": samplers, "channels": channels }));
    }
    let mut buffer = json!({ "byteLength": length });
    if let Some(uri) = uri {
        buffer["uri"] = json!(uri);
    }
    let mut document = json!({
        "asset": { "version": "2.0", "generator": concat!("pliant ", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": nodes,
        "meshes": meshes,
        "materials": materials,
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [buffer],
    });
    if !animations.is_empty() {
        document["animations"] = json!(animations);
    }
    document
}

/// A file name as a relative URI.
fn percent_encoded(name: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    let mut uri = String::new();
    for b in name.bytes() {
        match plain(b) {
            true => uri.push(b.into()),
            false => uri += &format!("%{b:02X}"),
        }
    }
    uri
}
