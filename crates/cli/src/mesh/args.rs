//! The grammar of `pliant mesh`.

use crate::failure::Failure;
use clap::{Args, Subcommand};
use pliant_scene::units::Length;
use std::path::PathBuf;

/// What to do with meshes.
#[derive(Subcommand)]
pub enum MeshCommand {
    /// Counts, size, volume, edges and quality of a mesh
    Info(InfoArgs),
    /// Everything that may be wrong with a mesh, and whether a simulation refuses it
    Check(CheckArgs),
    /// Mend what can be mended and say what was done
    Repair(RepairArgs),
    /// Write a mesh in another format
    Convert(ConvertArgs),
    /// Make a mesh of a simple shape
    Make(MakeArgs),
    /// Fill a surface with tetrahedra
    Tetrahedralize(TetrahedralizeArgs),
    /// List the formats
    Formats,
}

/// A mesh to read.
#[derive(Args)]
pub struct Source {
    /// The mesh file; its content tells the format
    pub file: PathBuf,
    /// Unit of length in the file, for example mm
    #[arg(long, value_name = "UNIT", default_value = "m")]
    pub unit: Unit,
}

/// Where a mesh goes.
#[derive(Args)]
pub struct Target {
    /// Format to write instead of the one that the extension tells (see `pliant mesh formats`)
    #[arg(long = "to", value_name = "FORMAT")]
    pub format: Option<String>,
    /// Unit of length to write, for example mm [default: the unit that was read]
    #[arg(long, value_name = "UNIT")]
    pub to_unit: Option<Unit>,
    /// Order of the elements: 2 puts a node in the middle of every edge of the tetrahedra, without their boundary triangles [default: that
    /// of the mesh]
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=2))]
    pub order: Option<u8>,
    /// Replace the file if it exists
    #[arg(long)]
    pub force: bool,
}

/// `pliant mesh info`.
#[derive(Args)]
pub struct InfoArgs {
    #[command(flatten)]
    pub source: Source,
}

/// `pliant mesh check`.
#[derive(Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub source: Source,
}

/// `pliant mesh repair`.
#[derive(Args)]
pub struct RepairArgs {
    #[command(flatten)]
    pub source: Source,
    /// The file to write
    pub out: PathBuf,
    /// Leave nodes in the same place apart, for parts that touch but are not connected
    #[arg(long)]
    pub keep_duplicates: bool,
    /// Leave slivers as they are: move no node and change no connection
    #[arg(long)]
    pub keep_elements: bool,
    #[command(flatten)]
    pub target: Target,
}

/// `pliant mesh convert`.
#[derive(Args)]
pub struct ConvertArgs {
    #[command(flatten)]
    pub source: Source,
    /// The file to write
    pub out: PathBuf,
    #[command(flatten)]
    pub target: Target,
}

/// `pliant mesh tetrahedralize`.
#[derive(Args)]
pub struct TetrahedralizeArgs {
    #[command(flatten)]
    pub source: Source,
    /// The file to write
    pub out: PathBuf,
    /// Edge length of the tetrahedra at the surface, for example 5mm [default: one that gives about 30 000]
    #[arg(long, value_name = "LENGTH")]
    pub edge: Option<String>,
    /// How many times longer edges deep inside may become: 1, 2, 4, …
    #[arg(long, value_name = "FACTOR", default_value_t = 4.0)]
    pub grading: f64,
    /// Keep sharp edges, at which the surface turns by more than this angle
    #[arg(long, value_name = "ANGLE", num_args = 0..=1, default_missing_value = "40deg")]
    pub features: Option<String>,
    /// Make a coarse cage that carries the surface along for rendering: the mesh encloses the whole surface
    #[arg(long, conflicts_with = "features")]
    pub embed: bool,
    #[command(flatten)]
    pub target: Target,
}

/// `pliant mesh make`.
#[derive(Args)]
pub struct MakeArgs {
    #[command(subcommand)]
    pub shape: ShapeArgs,
}

/// Shapes that can be made. Lengths are quantities such as 5cm.
#[derive(Subcommand)]
pub enum ShapeArgs {
    /// A block of cells, from the origin along the axes
    Bar {
        /// The file to write
        out: PathBuf,
        /// Lengths along x, y and z
        #[arg(
            long,
            value_name = "X,Y,Z",
            default_value = "10cm,2cm,2cm",
            value_delimiter = ','
        )]
        size: Vec<String>,
        /// Cells along x, y and z
        #[arg(
            long,
            value_name = "X,Y,Z",
            default_value = "20,4,4",
            value_delimiter = ','
        )]
        cells: Vec<usize>,
        /// Tetrahedra of a cell: 5 or 6
        #[arg(long, default_value_t = 6)]
        split: u8,
        #[command(flatten)]
        target: Target,
    },
    /// A ball about the origin
    Ball {
        /// The file to write
        out: PathBuf,
        /// Radius
        #[arg(long, default_value = "5cm")]
        radius: String,
        /// Cells across
        #[arg(long, default_value_t = 12)]
        divisions: usize,
        #[command(flatten)]
        target: Target,
    },
    /// A capsule
    Capsule {
        /// The file to write
        out: PathBuf,
        /// Radius
        #[arg(long, default_value = "2cm")]
        radius: String,
        /// Length between the two half balls
        #[arg(long, default_value = "6cm")]
        length: String,
        /// Cells across
        #[arg(long, default_value_t = 8)]
        divisions: usize,
        /// Cells between the two half balls
        #[arg(long, default_value_t = 12)]
        layers: usize,
        #[command(flatten)]
        target: Target,
    },
    /// A cylinder
    Cylinder {
        /// The file to write
        out: PathBuf,
        /// Radius
        #[arg(long, default_value = "2cm")]
        radius: String,
        /// Length
        #[arg(long, default_value = "10cm")]
        length: String,
        /// Cells across
        #[arg(long, default_value_t = 8)]
        divisions: usize,
        /// Cells along
        #[arg(long, default_value_t = 20)]
        layers: usize,
        #[command(flatten)]
        target: Target,
    },
    /// A torus about the origin
    Torus {
        /// The file to write
        out: PathBuf,
        /// Radius of the ring
        #[arg(long, default_value = "5cm")]
        major: String,
        /// Radius of the tube
        #[arg(long, default_value = "15mm")]
        minor: String,
        /// Cells across the tube
        #[arg(long, default_value_t = 6)]
        divisions: usize,
        /// Cells around the ring
        #[arg(long, default_value_t = 40)]
        segments: usize,
        #[command(flatten)]
        target: Target,
    },
    /// A straight tube
    Tube {
        /// The file to write
        out: PathBuf,
        /// Inner radius
        #[arg(long, default_value = "1cm")]
        inner: String,
        /// Outer radius
        #[arg(long, default_value = "2cm")]
        outer: String,
        /// Length
        #[arg(long, default_value = "10cm")]
        length: String,
        /// Cells through the wall, around, along
        #[arg(
            long,
            value_name = "R,A,L",
            default_value = "2,24,20",
            value_delimiter = ','
        )]
        cells: Vec<usize>,
        #[command(flatten)]
        target: Target,
    },
    /// A hollow torus
    Ring {
        /// The file to write
        out: PathBuf,
        /// Radius of the ring
        #[arg(long, default_value = "5cm")]
        major: String,
        /// Inner radius of the wall
        #[arg(long, default_value = "1cm")]
        inner: String,
        /// Outer radius of the wall
        #[arg(long, default_value = "15mm")]
        outer: String,
        /// Cells through the wall, around the tube, around the ring
        #[arg(
            long,
            value_name = "R,A,S",
            default_value = "1,16,48",
            value_delimiter = ','
        )]
        cells: Vec<usize>,
        #[command(flatten)]
        target: Target,
    },
    /// A solid of revolution about z, upright
    Lathe {
        /// The file to write
        out: PathBuf,
        /// Points radius:height upwards; a radius of 0 at an end makes a pole
        #[arg(
            long,
            value_name = "R:H,…",
            default_value = "3cm:0cm,36mm:2cm,4cm:4cm,4cm:6cm,36mm:8cm,3cm:10cm,24mm:12cm,2cm:14cm,25mm:16cm,2cm:18cm,0cm:19cm",
            value_delimiter = ','
        )]
        profile: Vec<String>,
        /// Nodes around
        #[arg(long, default_value_t = 12)]
        segments: usize,
        /// Rings of nodes between axis and surface
        #[arg(long, default_value_t = 2)]
        rings: usize,
        #[command(flatten)]
        target: Target,
    },
    /// A picture drawn with characters, extruded along y
    Extrude {
        /// The file to write
        out: PathBuf,
        /// Rows from top to bottom, with / between them; a dot is empty, each other character makes a region
        #[arg(
            long,
            value_name = "ROWS",
            default_value = "..####../########/.##..##.",
            value_delimiter = '/'
        )]
        picture: Vec<String>,
        /// Width and height of a cell
        #[arg(
            long,
            value_name = "X,Z",
            default_value = "1cm,1cm",
            value_delimiter = ','
        )]
        cell: Vec<String>,
        /// Depth along y
        #[arg(long, default_value = "4cm")]
        depth: String,
        /// Cells along y
        #[arg(long, default_value_t = 4)]
        layers: usize,
        /// Sweeps that round off the outline
        #[arg(long, default_value_t = 0)]
        smooth: usize,
        #[command(flatten)]
        target: Target,
    },
    /// A hand with fingers along y, 1.6 m long
    Hand {
        /// The file to write
        out: PathBuf,
        #[command(flatten)]
        figure: FigureArgs,
        #[command(flatten)]
        target: Target,
    },
    /// A child with a large head, 0.84 m tall along y
    Humanoid {
        /// The file to write
        out: PathBuf,
        #[command(flatten)]
        figure: FigureArgs,
        #[command(flatten)]
        target: Target,
    },
    /// A stout creature with a tail, 2 m tall along y
    Giant {
        /// The file to write
        out: PathBuf,
        #[command(flatten)]
        figure: FigureArgs,
        #[command(flatten)]
        target: Target,
    },
    /// A plane band of triangles along x
    Band {
        /// The file to write
        out: PathBuf,
        /// Points x:half-width from left to right
        #[arg(
            long,
            value_name = "X:W,…",
            default_value = "0cm:3mm,2cm:5mm,5cm:12mm,7cm:13mm,9cm:12mm,12cm:5mm,14cm:3mm",
            value_delimiter = ','
        )]
        profile: Vec<String>,
        /// Cells along x and across
        #[arg(
            long,
            value_name = "X,Y",
            default_value = "42,5",
            value_delimiter = ','
        )]
        cells: Vec<usize>,
        #[command(flatten)]
        target: Target,
    },
    /// A plane rectangle of triangles
    Rectangle {
        /// The file to write
        out: PathBuf,
        /// Lengths along x and y
        #[arg(
            long,
            value_name = "X,Y",
            default_value = "10cm,2cm",
            value_delimiter = ','
        )]
        size: Vec<String>,
        /// Cells along x and y
        #[arg(
            long,
            value_name = "X,Y",
            default_value = "20,4",
            value_delimiter = ','
        )]
        cells: Vec<usize>,
        #[command(flatten)]
        target: Target,
    },
}

/// How a figure is filled.
#[derive(Args)]
pub struct FigureArgs {
    /// Edge length of the tetrahedra at the surface, for example 3cm [default: that of the paper's mesh]
    #[arg(long, value_name = "LENGTH")]
    pub edge: Option<String>,
    /// How many times longer edges deep inside may become: 1, 2, 4, …
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    pub grading: f64,
    /// Write the joints of its skeleton, lines of `index x y z parent name` in metres
    #[arg(long, value_name = "FILE")]
    pub skeleton: Option<PathBuf>,
}

/// A unit of length.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// As it was written.
    pub name: String,
    /// Its length.
    pub metres: f64,
}

impl std::str::FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Unit, String> {
        let name = text.trim();
        let known = !name.is_empty() && name.chars().all(|c| c.is_alphabetic());
        let length = format!("1 {name}").parse::<Length>().ok().filter(|_| known);
        match length {
            Some(length) => Ok(Unit {
                name: name.to_string(),
                metres: length.si,
            }),
            None => Err("write a unit of length such as m, cm, mm or in".to_string()),
        }
    }
}

/// A length such as 5mm.
pub fn length(text: &str, option: &str) -> Result<f64, Failure> {
    let value = text.parse::<Length>();
    value.map(|l| l.si).map_err(|e| {
        Failure::usage(
            format!("{option} {text}: {e}"),
            Some("write a length such as 5mm".to_string()),
        )
    })
}
