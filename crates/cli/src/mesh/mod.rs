//! `pliant mesh`: look at meshes, mend, convert, make and fill them.

pub mod args;
mod check;
mod info;
mod make;
mod tetrahedralize;

use crate::args::Cli;
use crate::failure::Failure;
use args::{ConvertArgs, MeshCommand, Source, Target, Unit};
use pliant_linalg::Vec3;
use pliant_mesh::file::{Format, Input, RawMesh, ReadError, read, write_file};
use pliant_scene::suggest::did_you_mean;
use serde_json::{Value, json};
use std::path::Path;

/// Runs a command.
pub fn run(command: &MeshCommand, cli: &Cli) -> Result<Value, Failure> {
    match command {
        MeshCommand::Info(args) => info::run(args, cli),
        MeshCommand::Check(args) => check::check(args, cli),
        MeshCommand::Repair(args) => check::repair(args, cli),
        MeshCommand::Convert(args) => convert(args, cli),
        MeshCommand::Make(args) => make::run(&args.shape, cli),
        MeshCommand::Tetrahedralize(args) => tetrahedralize::run(args, cli),
        MeshCommand::Formats => Ok(formats(cli)),
    }
}

/// Reads a mesh; its coordinates stay in the unit of the file.
fn open(source: &Source) -> Result<(RawMesh, Format), Failure> {
    let input = Input::open(&source.file).map_err(|e| refused(e, &source.file))?;
    read(&input).map_err(|e| refused(e, &source.file))
}

fn refused(error: ReadError, path: &Path) -> Failure {
    let missing = !path.exists();
    let help = error.help.clone();
    let failure = Failure::usage(error.to_string(), help);
    match missing {
        true => failure.help("is the path right? It is taken from the current folder"),
        false => failure,
    }
}

/// The format that a mesh is written in.
fn target_format(target: &Target, out: &Path) -> Result<Format, Failure> {
    let names = || Format::writable().map(Format::name).collect::<Vec<_>>();
    let format = match &target.format {
        Some(name) => Format::by_name(name).ok_or_else(|| {
            let help = did_you_mean(name, &names());
            Failure::usage(format!("there is no mesh format `{name}`"), Some(help))
        })?,
        None => Format::by_extension(out).ok_or_else(|| {
            Failure::usage(
                format!("the extension of {} tells no mesh format", out.display()),
                Some(format!(
                    "use .msh, .vtu, .mesh, .obj …, or --to {}",
                    names().join(", ")
                )),
            )
        })?,
    };
    if !Format::writable().any(|f| f == format) {
        return Err(Failure::usage(
            format!("{} files are read but not written", format.title()),
            Some(format!(
                "the formats that are written are {}",
                names().join(", ")
            )),
        ));
    }
    Ok(format)
}

/// Writes a mesh whose coordinates are in `unit`; returns what `--json` says about the file.
fn save(mut mesh: RawMesh, unit: &Unit, out: &Path, target: &Target) -> Result<Value, Failure> {
    let format = target_format(target, out)?;
    if out.exists() && !target.force {
        return Err(Failure::usage(
            format!("{} exists already", out.display()),
            Some("choose another name, or --force to replace it".to_string()),
        ));
    }
    if target.order.is_some() && !mesh.octets {
        mesh = of_second_order(mesh, format)?;
    }
    let to = target.to_unit.as_ref().unwrap_or(unit);
    if to.metres != unit.metres {
        scale(&mut mesh, unit.metres / to.metres);
    }
    let counts = json!({
        "file": out.display().to_string(),
        "format": format.name(),
        "unit": to.name,
        "nodes": mesh.positions.len(),
        "tetrahedra": mesh.tetrahedra.len(),
        "triangles": mesh.triangles.len(),
    });
    write_file(&mesh, format, out)
        .map_err(|e| Failure::usage(format!("{}: {e}", out.display()), None))?;
    Ok(counts)
}

/// The tetrahedra of a mesh with nodes in the middle of their edges.
fn of_second_order(mesh: RawMesh, format: Format) -> Result<RawMesh, Failure> {
    let refused = |message: String, help: &str| {
        Failure::usage(format!("--order 2: {message}"), Some(help.to_string()))
    };
    let holds = matches!(
        format,
        Format::Gmsh41
            | Format::Gmsh41Binary
            | Format::Gmsh22
            | Format::Gmsh22Binary
            | Format::Vtu
            | Format::VtuCompressed
            | Format::VtuText
            | Format::Abaqus
    );
    if !holds {
        let message = format!("{} has no elements of ten nodes here", format.title());
        return Err(refused(message, "write Gmsh, VTU or Abaqus"));
    }
    let repair = "see `pliant mesh check` and `pliant mesh repair`";
    let (mesh, _) = mesh
        .into_mesh()
        .map_err(|e| refused(e.to_string(), repair))?;
    let mesh = mesh
        .with_octets()
        .map_err(|e| refused(e.to_string(), "only solids have them"))?;
    Ok(RawMesh::from(mesh))
}

fn scale(mesh: &mut RawMesh, factor: f64) {
    let scaled = |p: &Vec3| *p * factor;
    mesh.positions = mesh.positions.iter().map(scaled).collect();
}

/// One line about a written file.
fn say_written(written: &Value, cli: &Cli) {
    if cli.json || cli.quiet {
        return;
    }
    let text = |key: &str| written[key].as_str().unwrap_or_default().to_string();
    println!(
        "wrote {} ({}): {} nodes, {} tetrahedra, {} triangles, in {}",
        text("file"),
        text("format"),
        written["nodes"],
        written["tetrahedra"],
        written["triangles"],
        text("unit")
    );
}

fn convert(args: &ConvertArgs, cli: &Cli) -> Result<Value, Failure> {
    let (mesh, from) = open(&args.source)?;
    let lost: Vec<Value> = mesh
        .skipped
        .iter()
        .map(|(kind, s)| json!({ "kind": kind.name(), "count": s.count }))
        .collect();
    if !cli.quiet {
        for (kind, skipped) in &mesh.skipped {
            eprintln!(
                "note: {} {} element(s) are left out",
                skipped.count,
                kind.name()
            );
        }
    }
    let mut written = save(mesh, &args.source.unit, &args.out, &args.target)?;
    say_written(&written, cli);
    written["from"] = json!(from.name());
    written["left_out"] = json!(lost);
    Ok(written)
}

fn formats(cli: &Cli) -> Value {
    let mut rows = Vec::new();
    for format in Format::all() {
        let written = Format::writable().any(|f| f == format);
        let extensions = format.extensions();
        if !cli.json {
            let shown: Vec<String> = extensions.iter().map(|e| format!(".{e}")).collect();
            let access = if written { "read, write" } else { "read" };
            println!(
                "{:<16} {:<22} {access:<12} {}",
                format.name(),
                format.title(),
                shown.join(" ")
            );
        }
        rows.push(json!({
            "name": format.name(),
            "title": format.title(),
            "extensions": extensions,
            "written": written,
        }));
    }
    json!({ "formats": rows })
}
