//! `pliant mesh tetrahedralize`: a surface becomes a body.

use super::args::{TetrahedralizeArgs, length};
use super::{open, save, say_written, scale, target_format};
use crate::args::Cli;
use crate::failure::Failure;
use pliant_mesh::file::RawMesh;
use pliant_mesh::inspect::Kind;
use pliant_mesh::stuffing::{
    Stuffed, StuffingError, StuffingOptions, StuffingReport, default_edge, tetrahedralize,
};
use pliant_mesh::{Components, Embedding, Quality, Surface, SurfaceMesh, cage};
use pliant_scene::units::Angle;
use serde_json::{Value, json};

/// Fills the surface in metres and writes the mesh in the unit of the surface.
pub fn run(args: &TetrahedralizeArgs, cli: &Cli) -> Result<Value, Failure> {
    target_format(&args.target, &args.out)?;
    let (mut raw, _) = open(&args.source)?;
    scale(&mut raw, args.source.unit.metres);
    let surface = surface_of(&raw)?;
    let edge = match &args.edge {
        Some(text) => length(text, "--edge")?,
        None if args.embed => 2.0 * default_edge(&surface),
        None => default_edge(&surface),
    };
    let features = match &args.features {
        None => None,
        Some(text) => {
            let angle = text.parse::<Angle>();
            let angle =
                angle.map_err(|e| Failure::usage(format!("--features {text}: {e}"), None))?;
            Some(angle.si)
        }
    };
    let mut options = StuffingOptions {
        grading: args.grading,
        features,
        ..StuffingOptions::with_edge(edge)
    };
    let refused = |e: StuffingError| Failure::usage(format!("{}: {e}", raw.name), None);
    let Stuffed { mesh, report } = match args.embed {
        // an edge that nobody chose may be smaller than the default
        false if args.edge.is_none() => fill(&surface, &mut options).map_err(refused)?,
        false => tetrahedralize(&surface, &options).map_err(refused)?,
        true => caged(&surface, edge).map_err(refused)?,
    };
    let embedding = match args.embed {
        false => Value::Null,
        true => embedding_json(&mesh, &surface)?,
    };
    let mut body = RawMesh::from(mesh);
    scale(&mut body, 1.0 / args.source.unit.metres);
    let written = save(body, &args.source.unit, &args.out, &args.target)?;
    let ratio = report.volume / report.surface_volume;
    if !cli.json && !cli.quiet {
        for warning in &report.warnings {
            println!("warning  {warning}");
        }
        say_written(&written, cli);
        println!(
            "edge {:.4} {}, dihedral angles {:.2}° to {:.2}°, volume {:.4} of the surface's, {} piece(s)",
            options.edge / args.source.unit.metres,
            args.source.unit.name,
            report.min_dihedral.to_degrees(),
            report.max_dihedral.to_degrees(),
            ratio,
            report.pieces
        );
        if let Some(f) = &report.features {
            println!(
                "sharp features: {} of {} corners, {} of {} nodes on edges",
                f.corners_met, f.corners, f.edge_nodes_met, f.edge_nodes
            );
        }
        if args.embed {
            println!(
                "to carry the surface along, write in the scene: file = {{ path = \"{}\", render = \"{}\" }}",
                args.out.display(),
                args.source.file.display()
            );
        }
    }
    Ok(json!({
        "written": written,
        "edge": options.edge,
        "min_dihedral_deg": report.min_dihedral.to_degrees(),
        "max_dihedral_deg": report.max_dihedral.to_degrees(),
        "volume": report.volume,
        "surface_volume": report.surface_volume,
        "volume_ratio": ratio,
        "pieces": report.pieces,
        "crumbs_removed": report.crumbs,
        "closed": report.closed,
        "self_intersections": report.self_intersections,
        "manifold_boundary": report.manifold,
        "features": report.features.map(|f| json!({
            "corners": f.corners,
            "corners_met": f.corners_met,
            "edge_nodes": f.edge_nodes,
            "edge_nodes_met": f.edge_nodes_met,
        })),
        "embedding": embedding,
        "warnings": report.warnings,
    }))
}

/// The triangles of a file, or the boundary of its tetrahedra.
fn surface_of(raw: &RawMesh) -> Result<SurfaceMesh, Failure> {
    let named = |e: String| Failure::usage(format!("{}: {e}", raw.name), None);
    match Kind::of(raw) {
        Kind::Surface => SurfaceMesh::new(raw.positions.clone(), raw.triangles.nodes.clone())
            .map_err(|e| named(e.to_string())),
        Kind::Solid => {
            let mesh = pliant_mesh::inspect::without_checks(raw);
            SurfaceMesh::of(&mesh).map_err(|e| named(e.to_string()))
        }
        Kind::Plane => Err(
            named("the triangles lie in a plane and enclose nothing".to_string())
                .help("a plane body needs no tetrahedra: use the file as it is"),
        ),
        Kind::Nothing => Err(named("the file has no triangles".to_string())),
    }
}

/// Fills a surface, with half the edge length again and again as long as nothing fits into it: thin plates.
fn fill(surface: &SurfaceMesh, options: &mut StuffingOptions) -> Result<Stuffed, StuffingError> {
    const HALVINGS: usize = 4;
    for _ in 0..HALVINGS {
        match tetrahedralize(surface, options) {
            Err(StuffingError::Nothing { .. }) => options.edge /= 2.0,
            result => return result,
        }
    }
    tetrahedralize(surface, options)
}

/// A cage with the part of a report that makes sense for it.
fn caged(surface: &SurfaceMesh, edge: f64) -> Result<Stuffed, StuffingError> {
    let mesh = cage(surface, edge)?;
    let quality = Quality::of(&mesh);
    let boundary = Surface::of(&mesh);
    let topology = surface.topology();
    let report = StuffingReport {
        min_dihedral: quality.min_angle,
        max_dihedral: quality.max_angle,
        volume: mesh.total_volume(),
        surface_volume: surface.enclosed_volume().abs(),
        pieces: Components::of(&mesh).count,
        manifold: boundary.is_closed_manifold(),
        closed: topology.is_closed(),
        ..StuffingReport::default()
    };
    Ok(Stuffed { mesh, report })
}

/// How well the cage holds the surface.
fn embedding_json(cage: &pliant_mesh::Mesh, surface: &SurfaceMesh) -> Result<Value, Failure> {
    let embedding =
        Embedding::new(cage, surface).map_err(|e| Failure::usage(e.to_string(), None))?;
    let outside = embedding
        .weights
        .iter()
        .filter(|w| w.iter().any(|&x| x < -1e-9))
        .count();
    Ok(json!({ "vertices": embedding.weights.len(), "outside_the_cage": outside }))
}
