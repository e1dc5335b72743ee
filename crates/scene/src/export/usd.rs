//! USD as text: one stage, a mesh for each body, time-sampled points, velocities and extents.
//!
//! A stage lists all samples of one mesh before the next mesh, the recording all meshes of one frame before the next
//! frame. The text of the samples therefore goes to a file beside the result first and is put in order from there.

use super::source::{Source, narrowed};
use super::target::{OutFile, Target, plain_names};
use super::{ExportError, Options, Up, body_light};
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
    let names = plain_names(source.skins().iter().map(|s| s.name.as_str()), false);
    for ((skin, name), samples) in source.skins().iter().zip(&names).zip(samples) {
        writeln!(
            out,
            "    def Mesh \"{name}\" (\n        displayName = {}\n    )\n    {{",
            text(&skin.name)
        )?;
        writeln!(
            out,
            "        uniform bool doubleSided = {}",
            u8::from(skin.planar)
        )?;
        write!(out, "        int[] faceVertexCounts = [")?;
        list(out, skin.triangles.iter(), |out, _| write!(out, "3"))?;
        write!(out, "]\n        int[] faceVertexIndices = [")?;
        list(out, skin.triangles.as_flattened().iter(), |out, v| {
            write!(out, "{v}")
        })?;
        let [r, g, b] = body_light(skin.body);
        writeln!(
            out,
            "]\n        uniform token orientation = \"rightHanded\"\n        \
             color3f[] primvars:displayColor = [({r:?}, {g:?}, {b:?})] (\n            interpolation = \"constant\"\n        )\n        \
             uniform token subdivisionScheme = \"none\"",
        )?;
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
    writeln!(out, "}}")
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
