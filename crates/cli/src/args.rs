//! The command line's grammar.

use crate::failure::Failure;
use crate::mesh::args::MeshCommand;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Deformable solids that cost only what they are doing right now.
#[derive(Parser)]
#[command(name = "pliant", version, about, propagate_version = true)]
pub struct Cli {
    /// Print one JSON object on standard output and nothing else there
    #[arg(long, global = true)]
    pub json: bool,
    /// No progress, no summary, only errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Simulate a scene
    Run(RunArgs),
    /// Learn the spaces that the method "subspace" moves a scene's body in
    Train(TrainArgs),
    /// Step a scene with several methods side by side: speed-up, and error against a reference
    Compare(CompareArgs),
    /// Show a scene live, or a recording, in the browser
    View(ViewArgs),
    /// Write a recording in the format of another program
    Export(ExportArgs),
    /// Look at meshes, mend, convert, make and fill them
    Mesh {
        #[command(subcommand)]
        command: MeshCommand,
    },
    /// Measure: run a study, or list the studies
    Bench(BenchArgs),
    /// Compare with closed forms and published numbers
    Verify(VerifyArgs),
    /// Run a scene many times with other parameters, methods and seeds, here or on a Ray cluster
    Sweep(SweepArgs),
    /// List the scenes that are built in
    Scenes,
    /// Print the JSON Schema of scene files
    Schema,
}

#[derive(Args)]
pub struct RunArgs {
    /// Name of a built-in scene or path of a scene file [default: demo]
    pub scene: Option<String>,
    /// Method to solve with, instead of the scene's
    #[arg(long)]
    pub method: Option<String>,
    #[command(flatten)]
    pub stepping: SteppingArgs,
    /// Folder for the results [default: a new folder under runs/]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write a checkpoint every N steps
    #[arg(long, value_name = "N")]
    pub checkpoint_every: Option<u64>,
    /// Go on from a checkpoint of the same scene
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
}

#[derive(Args)]
pub struct TrainArgs {
    /// Name of a built-in scene or path of a scene file
    pub scene: String,
    /// File for the model [default: the scene's name with the ending .pliant-model]
    #[arg(long, value_name = "MODEL")]
    pub out: Option<PathBuf>,
    /// Threads to use [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Folder of the meshes that scenes name as assets [default: PLIANT_ASSETS]
    #[arg(long, value_name = "DIR")]
    pub assets: Option<PathBuf>,
    /// Keep the solutions of runs and poses beside the model, for another training
    #[arg(long)]
    pub keep_work: bool,
}

/// How far a scene is stepped, and with what.
#[derive(Args)]
pub struct SteppingArgs {
    /// Simulated time, for example "2 s", instead of the scene's
    #[arg(long, value_name = "TIME", conflicts_with = "steps")]
    pub duration: Option<String>,
    /// Number of steps instead of a duration
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Threads to use [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Folder of the meshes that scenes name as assets [default: PLIANT_ASSETS]; where one is absent a generated body
    /// stands in for it
    #[arg(long, value_name = "DIR")]
    pub assets: Option<PathBuf>,
}

#[derive(Args)]
pub struct CompareArgs {
    /// Name of a built-in scene or path of a scene file
    pub scene: String,
    /// Methods to compare, such as full,early-cg,isodof [default: the reference and the scene's own]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// Method that errors and speed-ups refer to
    #[arg(long, value_name = "METHOD", default_value = "full")]
    pub reference: String,
    #[command(flatten)]
    pub stepping: SteppingArgs,
    /// Repeat everything K times and keep minimum and median of the times
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub repeat: u32,
    /// Folder for report.html, compare.json and errors.csv [default: a new folder under runs/]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

#[derive(Args)]
pub struct ViewArgs {
    /// Name of a built-in scene, path of a scene file, recording or folder of a run [default: demo]
    pub what: Option<String>,
    /// Method to start with, instead of the scene's
    #[arg(long)]
    pub method: Option<String>,
    /// Port to listen at [default: any that is free]
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
    /// Do not open the browser
    #[arg(long)]
    pub no_open: bool,
    /// Wait for a page to press play
    #[arg(long)]
    pub paused: bool,
    /// Listen at this address instead of this machine's own: anybody who reaches it can watch and steer
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<std::net::IpAddr>,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Folder of the meshes that scenes name as assets [default: PLIANT_ASSETS]
    #[arg(long, value_name = "DIR")]
    pub assets: Option<PathBuf>,
}

#[derive(Args)]
pub struct ExportArgs {
    /// A recording, or the folder of a run
    pub recording: PathBuf,
    /// Format: vtu, usd, gltf, glb, pc2, mdd, obj or csv
    #[arg(long, value_name = "FORMAT")]
    pub to: String,
    /// File, or folder for a format of several files [default: beside the recording]
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// Frames from A to before B, counted from 0 [default: all]
    #[arg(long, value_name = "A..B")]
    pub frames: Option<String>,
    /// Only every N-th of these frames
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub every: usize,
    /// Only this body; may be repeated
    #[arg(long, value_name = "NAME")]
    pub body: Vec<String>,
    /// Replace the files of an earlier export
    #[arg(long)]
    pub force: bool,
    /// Axis that points up, y or z: usd, obj, pc2, mdd [default: z]
    #[arg(long, value_name = "AXIS")]
    pub up: Option<String>,
    /// Time codes a second: usd [default: the rate of the frames]
    #[arg(long, value_name = "N")]
    pub fps: Option<f64>,
    /// Surfaces instead of elements: vtu
    #[arg(long)]
    pub surface: bool,
    /// Compress with zlib: vtu
    #[arg(long)]
    pub compress: bool,
    /// How numbers are stored, appended, base64 or ascii: vtu [default: appended]
    #[arg(long, value_name = "ENCODING")]
    pub encoding: Option<String>,
    /// Add smooth normals: gltf, glb
    #[arg(long)]
    pub normals: bool,
    /// Hold each frame instead of blending to the next: gltf, glb
    #[arg(long)]
    pub stepped: bool,
    /// A row for each node instead of each body: csv
    #[arg(long)]
    pub per_node: bool,
    /// A row for each of these nodes of a body, such as 3,7,10..20: csv
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub nodes: Vec<String>,
}

#[derive(Args)]
pub struct BenchArgs {
    /// Name of the study; without it the studies are listed
    pub name: Option<String>,
    /// Smaller sizes and fewer repetitions, under 45 s
    #[arg(long)]
    pub quick: bool,
    /// Measure only these parts, separated by commas; what an earlier run left in the folder for results stays
    #[arg(long, value_name = "PARTS", value_delimiter = ',', requires = "name")]
    pub only: Vec<String>,
    /// List the studies
    #[arg(long, conflicts_with = "name")]
    pub list: bool,
    /// Folder for report.html and study.json, with the figures of a study that draws some [default: a new folder under runs/]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

#[derive(Args)]
pub struct VerifyArgs {
    /// Only this family of cases
    pub name: Option<String>,
    /// Finer meshes: minutes instead of seconds
    #[arg(long)]
    pub full: bool,
    /// Folder for verification.html: all values with their sources, and how errors fall
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

#[derive(Args)]
pub struct SweepArgs {
    /// Description of the study, such as scenes/studies/cantilever.toml
    pub study: PathBuf,
    /// What runs it: local, processes on this machine, or ray
    #[arg(long, default_value = "local")]
    pub engine: String,
    /// Address of a Ray cluster; without one a cluster is started on this machine
    #[arg(long, value_name = "HOST:PORT")]
    pub address: Option<String>,
    /// Runs at a time [default: one for each core, or what the cluster has]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Folder for the results, of an earlier start of the same study to go on with it [default: the study's name under runs/]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// The number of threads asked for, or all cores.
pub fn threads(wanted: Option<usize>) -> Result<usize, Failure> {
    const LIMIT: usize = 1024;
    match wanted {
        Some(n) if n == 0 || n > LIMIT => Err(Failure::usage(
            format!("--threads {n} is not possible"),
            Some(format!("use 1 to {LIMIT}")),
        )),
        Some(n) => Ok(n),
        None => Ok(std::thread::available_parallelism().map_or(1, |n| n.get())),
    }
}
