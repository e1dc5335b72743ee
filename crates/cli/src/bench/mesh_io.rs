//! `pliant bench mesh-io`: reading large mesh files, beside meshio in the same run.
//!
//! What is timed is the way from a file (in the page cache) to coordinates, connectivity and regions in memory, with
//! every node number checked; `seconds_checked` adds what a simulation wants on top: orientation, flat and duplicate
//! elements, unused nodes. meshio runs in a Python process of its own that is started once; it checks nothing.
//! Memory is the largest resident set while reading, over the bytes of the finished mesh.

use super::table::{self, plain, scaled};
use super::timing::{Effort, Timing, interleave, time};
use super::{Options, machine, study};
use anyhow::{Context, Result, anyhow, bail};
use pliant_linalg::vec3;
use pliant_mesh::file::{Format, RawMesh, read_file, write_file};
use pliant_mesh::generate::{Split, bar};
use pliant_mesh::{Elements, Mesh};
use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Cells along an edge of the cube of six tetrahedra each: 998 250 tetrahedra.
const CELLS: usize = 55;

/// Reads the files that are named on its input; what meshio prints itself is not in the way of its answers.
const MESHIO: &str = r#"
import sys, time
import meshio
for line in sys.stdin:
    command, *paths = line.rstrip("\n").split("\t")
    if command == "write":
        meshio.write(paths[1], meshio.read(paths[0]))
        print("ANSWER", 0.0, 0, 0, flush=True)
        continue
    start = time.perf_counter()
    mesh = meshio.read(paths[0])
    seconds = time.perf_counter() - start
    cells = sum(len(c.data) for c in mesh.cells if c.type == "tetra")
    print("ANSWER", seconds, len(mesh.points), cells, flush=True)
    del mesh
"#;

/// The file that a process started by this study reads, to tell its memory.
const CHILD: &str = "PLIANT_MESH_IO_CHILD";

/// The study.
pub fn run(options: &Options) -> Result<Value> {
    if let Some(path) = std::env::var_os(CHILD) {
        return memory_of(Path::new(&path));
    }
    let folder = std::env::temp_dir().join(format!("pliant-mesh-io-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let result = measure_in(&folder, options);
    // the result matters more than the rubbish
    let _ = std::fs::remove_dir_all(&folder);
    result
}

fn measure_in(folder: &Path, options: &Options) -> Result<Value> {
    let mut meshio = Meshio::start()?;
    let cube = bar(vec3(1.0, 1.0, 1.0), [CELLS; 3], Split::Six)?;
    let (nodes, elements) = (cube.node_count(), cube.element_count());
    let raw = RawMesh::from(cube);
    let mut files: Vec<(&str, PathBuf)> = Vec::new();
    for (name, format, file) in [
        ("Gmsh 4.1 binary", Format::Gmsh41Binary, "cube.msh"),
        ("VTU appended", Format::Vtu, "appended.vtu"),
        (
            "VTU appended, zlib",
            Format::VtuCompressed,
            "compressed.vtu",
        ),
    ] {
        let path = folder.join(file);
        write_file(&raw, format, &path)?;
        files.push((name, path));
    }
    drop(raw);
    let theirs = folder.join("theirs.vtu");
    meshio.ask(&format!(
        "write\t{}\t{}",
        files[0].1.display(),
        theirs.display()
    ))?;
    files.push(("VTU base64, zlib, by meshio", theirs));

    let effort = Effort {
        rounds: if options.quick { 7 } else { 21 },
        seconds: if options.quick { 5.0 } else { 40.0 },
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()?;
    let mut rows = Vec::new();
    for (name, path) in &files {
        let read = || pool.install(|| read_file(path)).map_err(|e| anyhow!("{e}"));
        let timings = interleave(3, effort, |candidate| match candidate {
            0 => {
                let (seconds, result) = time(read);
                let (mesh, _) = result?;
                same(nodes, elements, mesh.positions.len(), mesh.tetrahedra.len())?;
                Ok(seconds)
            }
            1 => {
                let (seconds, result) = time(|| -> Result<Mesh> {
                    let (mesh, _) = read()?;
                    Ok(mesh.into_mesh().map_err(|e| anyhow!("{e}"))?.0)
                });
                let mesh = result?;
                same(nodes, elements, mesh.node_count(), mesh.element_count())?;
                Ok(seconds)
            }
            _ => {
                let (seconds, found_nodes, found) =
                    meshio.ask(&format!("read\t{}", path.display()))?;
                same(nodes, elements, found_nodes, found)?;
                Ok(seconds)
            }
        })?;
        let memory = memory_ratio(path, options.threads)?;
        rows.push(row(name, path, &timings, memory)?);
    }
    let columns = [
        plain("file", "file"),
        scaled("MB", "bytes", 1e-6),
        scaled("read ms", "seconds_min", 1e3),
        scaled("checked ms", "seconds_checked_min", 1e3),
        scaled("meshio ms", "seconds_meshio_min", 1e3),
        plain("speed-up", "speedup_min"),
        plain("median", "speedup_median"),
        plain("memory", "memory_ratio"),
    ];
    table::print(
        &format!("reading {elements} tetrahedra, {} threads", options.threads),
        &columns,
        &rows,
    );
    let least = |key: &str, compressed: bool| {
        let wanted = rows.iter().filter(|r| r["compressed"] == compressed);
        wanted
            .filter_map(|r| r[key].as_f64())
            .fold(f64::INFINITY, f64::min)
    };
    let most_memory = rows
        .iter()
        .filter_map(|r| r["memory_ratio"].as_f64())
        .fold(0.0, f64::max);
    let by_file: Map<String, Value> = rows
        .iter()
        .map(|r| {
            (
                r["file"].as_str().unwrap_or_default().to_string(),
                r["speedup_median"].clone(),
            )
        })
        .collect();
    // inflating takes most of the time of compressed files, and zlib is the same for everybody
    let summary = json!({
        "elements": elements,
        "speedup_vs_meshio": least("speedup_median", false),
        "speedup_vs_meshio_min": least("speedup_min", false),
        "speedup_vs_meshio_compressed": least("speedup_median", true),
        "speedup_by_file": by_file,
        "memory_ratio": if most_memory > 0.0 { json!(most_memory) } else { Value::Null },
    });
    Ok(study("mesh-io", machine::describe(options), rows, summary))
}

fn same(nodes: usize, elements: usize, found_nodes: usize, found_elements: usize) -> Result<()> {
    if (nodes, elements) == (found_nodes, found_elements) {
        return Ok(());
    }
    bail!(
        "read {found_nodes} nodes and {found_elements} tetrahedra instead of {nodes} and {elements}"
    )
}

fn row(
    name: &str,
    path: &Path,
    timings: &[Timing],
    memory: Option<f64>,
) -> Result<Map<String, Value>> {
    let [read, checked, theirs] = timings else {
        bail!("three candidates were measured");
    };
    Ok(read.row(json!({
        "file": name,
        "compressed": name.contains("zlib"),
        "bytes": std::fs::metadata(path)?.len(),
        "seconds_checked_min": checked.minimum,
        "seconds_checked_median": checked.median,
        "seconds_meshio_min": theirs.minimum,
        "seconds_meshio_median": theirs.median,
        "speedup_min": theirs.minimum / read.minimum,
        "speedup_median": theirs.median / read.median,
        "memory_ratio": memory,
    })))
}

/// A Python process that reads with meshio.
struct Meshio {
    process: Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl Meshio {
    fn start() -> Result<Meshio> {
        let python = python()?;
        let mut process = Command::new(&python)
            .args(["-c", MESHIO])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} cannot be started", python.display()))?;
        let answers = BufReader::new(process.stdout.take().context("the process has no output")?);
        Ok(Meshio { process, answers })
    }

    /// Seconds, nodes and tetrahedra.
    fn ask(&mut self, command: &str) -> Result<(f64, usize, usize)> {
        let input = self
            .process
            .stdin
            .as_mut()
            .context("the process has no input")?;
        writeln!(input, "{command}").context("the meshio process has ended")?;
        input.flush()?;
        let mut line = String::new();
        loop {
            line.clear();
            if self.answers.read_line(&mut line)? == 0 {
                bail!("the meshio process ended without an answer to {command:?}");
            }
            let mut words = line.split_whitespace();
            if words.next() != Some("ANSWER") {
                continue;
            }
            let mut next = || words.next().context("the answer is too short");
            return Ok((next()?.parse()?, next()?.parse()?, next()?.parse()?));
        }
    }
}

impl Drop for Meshio {
    fn drop(&mut self) {
        // its input closes with it; a process that is gone already is fine
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A Python with meshio: the one that PLIANT_PYTHON names, that of the readers' environment, which is made if this is
/// a checkout, or python3.
fn python() -> Result<PathBuf> {
    let has_meshio = |python: &Path| {
        let import = Command::new(python)
            .args(["-c", "import meshio"])
            .stderr(Stdio::null())
            .status();
        import.is_ok_and(|s| s.success())
    };
    if let Some(path) = std::env::var_os("PLIANT_PYTHON") {
        let path = PathBuf::from(path);
        if has_meshio(&path) {
            return Ok(path);
        }
        bail!(
            "PLIANT_PYTHON ({}) has no meshio: pip install meshio",
            path.display()
        );
    }
    let script = Path::new("tests/readers/environment");
    if script.is_file() {
        let output = Command::new(script).stderr(Stdio::inherit()).output();
        let output = output.context("tests/readers/environment cannot be run")?;
        let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        if output.status.success() && has_meshio(&path) {
            return Ok(path);
        }
    }
    let path = PathBuf::from("python3");
    if has_meshio(&path) {
        return Ok(path);
    }
    bail!(
        "this study needs Python with meshio to compare with: run it in a checkout, or install meshio and set PLIANT_PYTHON to its interpreter"
    )
}

/// Largest growth of the resident set while a process of its own reads and checks a file, over the bytes of the mesh;
/// none where the system does not tell. Memory that an earlier file left behind would hide in this process.
fn memory_ratio(path: &Path, threads: usize) -> Result<Option<f64>> {
    let output = Command::new(std::env::current_exe()?)
        .args([
            "bench",
            "mesh-io",
            "--json",
            "--threads",
            &threads.to_string(),
        ])
        .env(CHILD, path)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        bail!("the process that measures memory failed");
    }
    let answer: Value = serde_json::from_slice(&output.stdout)?;
    Ok(answer["memory_ratio"].as_f64())
}

/// What the process answers.
fn memory_of(path: &Path) -> Result<Value> {
    let before = resident("VmRSS:");
    let (raw, _) = read_file(path).map_err(|e| anyhow!("{e}"))?;
    let (mesh, _) = raw.into_mesh().map_err(|e| anyhow!("{e}"))?;
    let peak = resident("VmHWM:");
    let corners = match &mesh.elements {
        Elements::Tetrahedra(list) => size_of_val(&list[..]),
        Elements::Triangles(list) => size_of_val(&list[..]),
    };
    let of_nodes = size_of_val(&mesh.positions[..]) + size_of_val(&mesh.original_ids[..]);
    let bytes = of_nodes + corners + size_of_val(&mesh.regions[..]);
    let ratio = match (before, peak) {
        (Some(before), Some(peak)) => json!(peak.saturating_sub(before) as f64 / bytes as f64),
        _ => Value::Null,
    };
    Ok(json!({ "memory_ratio": ratio }))
}

/// A line of /proc/self/status, bytes.
fn resident(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with(key))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
