//! USD as text: one stage, a mesh for each body with time-sampled points, velocities and extents, a still mesh for each
//! obstacle with a time-sampled transform if it moves.
//!
//! A stage lists all samples of one mesh before the next mesh, the recording all meshes of one frame before the next
//! frame. The text of the samples therefore goes to a file beside the result first and is put in order from there.

use super::source::{Fixture, Source, narrowed};
use super::target::{OutFile, Target, plain_names};
use super::{ExportError, Options, Up, body_light, light};
use crate::picture::OBSTACLE;
use pliant_linalg::Vec3;
use pliant_solid::contact::Pose;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Position in the spool and length.
type Place = (u64, u64);

/// Samples of one mesh, in the order of the frames.
#[derive(Default)]
struct Samples {
    points: Vec<Place>,
    velocities: Vec<Place>,
    extents: Vec<[[f32; 3]; 2]>,
}

pub fn write(
    source: &mut Source,
    target: &mut Target,
    options: &Options,
    progress: &mut dyn FnMut(),
) -> Result<(), ExportError> {
    let path = target.file("usda");
    target.prepare(std::slice::from_ref(&path), None)?;
    let rate = options.rate.unwrap_or_else(|| source.rate());
    let mut spool = Spool::create(&path)?;
    let mut samples: Vec<Samples> = source.skins().iter().map(|_| Samples::default()).collect();
    for i in 0..source.frame_count() {
        let moment = source.moment(i)?;
        for (skin, samples) in source.skins().iter().zip(&mut samples) {
            let turned = |list: Vec<_>| -> Vec<[f32; 3]> {
                let narrow = list.into_iter().map(narrowed);
                narrow.map(|v| options.up.turn(v)).collect()
            };
            let points = turned(moment.place(skin));
            samples.extents.push(extent(&points));
            samples.points.push(spool.put(&points)?);
            if let Some(velocities) = moment.velocities(skin) {
                samples.velocities.push(spool.put(&turned(velocities))?);
            }
        }
        progress();
    }
    let codes: Vec<String> = source
        .times()
        .iter()
        .map(|&t| time_code(t * rate))
        .collect();
    let mut file = OutFile::create(&path)?;
    let mut read = spool.read()?;
    file.put(|out| stage(out, source, &samples, &codes, rate, options.up, &mut read))?;
    target.add(file)
}

/// Without the last digits, which are rounding, where the code is meant to be a whole number.
fn time_code(code: f64) -> String {
    let whole = code.round();
    let code = match (code - whole).abs() < 1e-6 {
        true => whole,
        false => code,
    };
    format!("{code}")
}

fn extent(points: &[[f32; 3]]) -> [[f32; 3]; 2] {
    let fold = |f: fn(f32, f32) -> f32| {
        let start = points.first().copied().unwrap_or_default();
        points.iter().fold(start, |mut all, p| {
            (0..3).for_each(|a| all[a] = f(all[a], p[a]));
            all
        })
    };
    [fold(f32::min), fold(f32::max)]
}

fn stage(
    out: &mut impl Write,
    source: &Source,
    samples: &[Samples],
    codes: &[String],
    rate: f64,
    up: Up,
    spool: &mut File,
) -> io::Result<()> {
    let info = &source.header().info;
    let [first, last] = [codes.first(), codes.last()].map(|c| c.map_or("0", String::as_str));
    let axis = match up {
        Up::Y => "Y",
        Up::Z => "Z",
    };
    writeln!(
        out,
        "#usda 1.0\n(\n    defaultPrim = \"World\"\n    doc = {}\n    metersPerUnit = 1\n    upAxis = \"{axis}\"\n    \
         startTimeCode = {first}\n    endTimeCode = {last}\n    timeCodesPerSecond = {rate}\n    framesPerSecond = {rate}\n)\n",
        text(&info.title)
    )?;
    writeln!(
        out,
        "def Xform \"World\" (\n    kind = \"component\"\n)\n{{"
    )?;
    let fixtures = source.fixtures();
    let of_bodies = source.skins().iter().map(|s| s.name.as_str());
    let all = of_bodies.chain(fixtures.iter().map(|f| f.name.as_str()));
    let names = plain_names(all, false);
    let (of_bodies, of_obstacles) = names.split_at(source.skins().len());
    for ((skin, name), samples) in source.skins().iter().zip(of_bodies).zip(samples) {
        let colour = body_light(skin.body);
        open_mesh(out, name, &skin.name, skin.planar, &skin.triangles, colour)?;
        writeln!(out, "        float3[] extent.timeSamples = {{")?;
        for (code, extent) in codes.iter().zip(&samples.extents) {
            write!(out, "            {code}: [")?;
            list(out, extent.iter(), |out, v| vector(out, v))?;
            writeln!(out, "],")?;
        }
        writeln!(out, "        }}")?;
        for (attribute, places) in [
            ("point3f[] points", &samples.points),
            ("vector3f[] velocities", &samples.velocities),
        ] {
            if places.is_empty() {
                continue;
            }
            writeln!(out, "        {attribute}.timeSamples = {{")?;
            for (code, &(at, length)) in codes.iter().zip(places) {
                write!(out, "            {code}: [")?;
                spool.seek(SeekFrom::Start(at))?;
                io::copy(&mut Read::by_ref(spool).take(length), out)?;
                writeln!(out, "],")?;
            }
            writeln!(out, "        }}")?;
        }
        writeln!(out, "    }}")?;
    }
    let times = source.times();
    for (fixture, name) in fixtures.iter().zip(of_obstacles) {
        let poses = match fixture.moves {
            true => times.iter().map(|&t| source.pose(fixture, t)).collect(),
            false => Vec::new(),
        };
        still(out, fixture, name, codes, &poses, up)?;
    }
    writeln!(out, "}}")
}

/// What all meshes begin with.
fn open_mesh(
    out: &mut impl Write,
    name: &str,
    shown: &str,
    double_sided: bool,
    triangles: &[[u32; 3]],
    [r, g, b]: [f32; 3],
) -> io::Result<()> {
    writeln!(
        out,
        "    def Mesh \"{name}\" (\n        displayName = {}\n    )\n    {{",
        text(shown)
    )?;
    writeln!(
        out,
        "        uniform bool doubleSided = {}",
        u8::from(double_sided)
    )?;
    write!(out, "        int[] faceVertexCounts = [")?;
    list(out, triangles.iter(), |out, _| write!(out, "3"))?;
    write!(out, "]\n        int[] faceVertexIndices = [")?;
    list(out, triangles.as_flattened().iter(), |out, v| {
        write!(out, "{v}")
    })?;
    writeln!(
        out,
        "]\n        uniform token orientation = \"rightHanded\"\n        \
         color3f[] primvars:displayColor = [({r:?}, {g:?}, {b:?})] (\n            interpolation = \"constant\"\n        )\n        \
         uniform token subdivisionScheme = \"none\"",
    )
}

/// An obstacle: points that do not change, and a transform that does.
fn still(
    out: &mut impl Write,
    fixture: &Fixture,
    name: &str,
    codes: &[String],
    poses: &[Pose],
    up: Up,
) -> io::Result<()> {
    open_mesh(
        out,
        name,
        &fixture.name,
        false,
        &fixture.triangles,
        light(OBSTACLE),
    )?;
    let points: Vec<[f32; 3]> = fixture
        .vertices
        .iter()
        .map(|&x| up.turn(narrowed(x)))
        .collect();
    write!(out, "        float3[] extent = [")?;
    list(out, extent(&points).iter(), |out, v| vector(out, v))?;
    write!(out, "]\n        point3f[] points = [")?;
    list(out, points.iter(), |out, v| vector(out, v))?;
    writeln!(out, "]")?;
    if !poses.is_empty() {
        writeln!(out, "        matrix4d xformOp:transform.timeSamples = {{")?;
        for (code, pose) in codes.iter().zip(poses) {
            write!(out, "            {code}: (")?;
            // points are rows there: p M, with the images of the axes and the translation as rows of M
            for axis in Vec3::AXES {
                let image = turned(up, pose.rotation * turned_back(up, axis));
                write!(out, "({:?}, {:?}, {:?}, 0), ", image.x, image.y, image.z)?;
            }
            let d = turned(up, pose.translation);
            writeln!(out, "({:?}, {:?}, {:?}, 1)),", d.x, d.y, d.z)?;
        }
        writeln!(
            out,
            "        }}\n        uniform token[] xformOpOrder = [\"xformOp:transform\"]"
        )?;
    }
    writeln!(out, "    }}")
}

/// [`Up::turn`] in double precision.
fn turned(up: Up, v: Vec3) -> Vec3 {
    match up {
        Up::Z => v,
        Up::Y => Vec3::new(v.x, v.z, -v.y),
    }
}

fn turned_back(up: Up, v: Vec3) -> Vec3 {
    match up {
        Up::Z => v,
        Up::Y => Vec3::new(v.x, -v.z, v.y),
    }
}

fn text(raw: &str) -> String {
    let mut quoted = String::from("\"");
    for c in raw.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

fn vector(out: &mut impl Write, [x, y, z]: &[f32; 3]) -> io::Result<()> {
    write!(out, "({x:?}, {y:?}, {z:?})")
}

/// Items with commas between them.
fn list<W: Write, T>(
    out: &mut W,
    items: impl Iterator<Item = T>,
    mut item: impl FnMut(&mut W, T) -> io::Result<()>,
) -> io::Result<()> {
    for (i, next) in items.enumerate() {
        if i > 0 {
            write!(out, ", ")?;
        }
        item(out, next)?;
    }
    Ok(())
}

/// Text of samples in the order in which they come; removed in the end.
struct Spool {
    path: PathBuf,
    out: BufWriter<File>,
    length: u64,
    text: Vec<u8>,
}

impl Spool {
    fn create(beside: &Path) -> Result<Spool, ExportError> {
        let name = beside.file_name().unwrap_or_default().to_string_lossy();
        let path = beside.with_file_name(format!(".{name}.samples"));
        match File::create(&path) {
            Ok(file) => Ok(Spool {
                out: BufWriter::with_capacity(1 << 18, file),
                path,
                length: 0,
                text: Vec::new(),
            }),
            Err(source) => Err(ExportError::Write { path, source }),
        }
    }

    fn put(&mut self, points: &[[f32; 3]]) -> Result<Place, ExportError> {
        self.text.clear();
        let written = list(&mut self.text, points.iter(), vector);
        let written = written.and_then(|()| self.out.write_all(&self.text));
        written.map_err(|source| self.failed(source))?;
        let place = (self.length, self.text.len() as u64);
        self.length += place.1;
        Ok(place)
    }

    fn read(&mut self) -> Result<File, ExportError> {
        let flushed = self.out.flush();
        let opened = flushed.and_then(|()| File::open(&self.path));
        opened.map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> ExportError {
        ExportError::Write {
            path: self.path.clone(),
            source,
        }
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // a leftover of this name harms nothing
        let _ = fs::remove_file(&self.path);
    }
}
