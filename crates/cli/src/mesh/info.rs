//! `pliant mesh info`: what a mesh is like, for people and as JSON (SI units, angles in degrees).

use super::args::{InfoArgs, Unit};
use super::{open, scale};
use crate::args::Cli;
use crate::failure::Failure;
use pliant_linalg::Vec3;
use pliant_mesh::file::{Format, RawMesh};
use pliant_mesh::inspect::coincident::coincident;
use pliant_mesh::inspect::{Histogram, Inspection, Kind};
use pliant_mesh::{Surface, SurfaceMesh};
use serde_json::{Value, json};

/// Width of the bars of a histogram.
const BAR: usize = 40;

/// Runs the command.
pub fn run(args: &InfoArgs, cli: &Cli) -> Result<Value, Failure> {
    let (mut raw, format) = open(&args.source)?;
    let unit = &args.source.unit;
    if unit.metres != 1.0 {
        scale(&mut raw, unit.metres);
    }
    let facts = Inspection::of(&raw);
    let angles = Histogram::new(
        facts.min_angles.iter().map(|a| a.to_degrees()),
        0.0,
        90.0,
        18,
    );
    let ratios = Histogram::new(facts.radius_ratios.iter().copied(), 0.0, 1.0, 10);
    let (regular, what) = match facts.kind {
        Kind::Solid => (70.53, "smallest dihedral angle"),
        _ => (60.0, "smallest corner angle"),
    };
    if !cli.json && !cli.quiet {
        print_facts(&raw, &facts, format, unit);
        if facts.kind != Kind::Nothing {
            println!("\n{what} of the elements, degrees (regular: {regular})");
            print_histogram(&angles, |a, b| format!("  {a:>3.0} –{b:>3.0}"));
            println!("\nradius ratio of the elements (regular: 1)");
            print_histogram(&ratios, |a, b| format!("  {a:.1} – {b:.1}"));
        }
    }
    Ok(json_of(&raw, &facts, format, unit, &angles, &ratios))
}

/// Prints the bins between the first and the last that hold something.
fn print_histogram(histogram: &Histogram, label: impl Fn(f64, f64) -> String) {
    let lines = histogram.lines(BAR, label);
    let first = histogram.counts.iter().position(|&c| c > 0).unwrap_or(0);
    let last = histogram.counts.iter().rposition(|&c| c > 0).unwrap_or(0);
    for line in &lines[first..=last] {
        println!("{line}");
    }
}

fn print_facts(raw: &RawMesh, facts: &Inspection, format: Format, unit: &Unit) {
    let name = &unit.name;
    let shown = |v: f64| v / unit.metres;
    let row = |label: &str, text: String| println!("{label:<14} {text}");
    row("file", format!("{} ({})", raw.name, format.title()));
    let elements = match facts.kind {
        Kind::Solid => format!("{} tetrahedra", facts.tetrahedra),
        Kind::Plane => format!("{} triangles in a plane", facts.triangles),
        Kind::Surface => format!("{} triangles of a surface", facts.triangles),
        Kind::Nothing => "no tetrahedra or triangles".to_string(),
    };
    row("mesh", format!("{} nodes, {elements}", facts.nodes));
    if facts.kind == Kind::Solid && facts.triangles > 0 {
        row("", format!("{} triangles beside them", facts.triangles));
    }
    for (kind, skipped) in &raw.skipped {
        row(
            "left out",
            format!("{} {} element(s)", skipped.count, kind.name()),
        );
    }
    let size = facts.high - facts.low;
    let [x, y, z] = size.to_array().map(shown);
    row("size", format!("{x:.6} × {y:.6} × {z:.6} {name}"));
    let corner = |p: Vec3| {
        let [x, y, z] = p.to_array().map(shown);
        format!("({x:.6}, {y:.6}, {z:.6})")
    };
    row(
        "from – to",
        format!("{} – {} {name}", corner(facts.low), corner(facts.high)),
    );
    let cube = unit.metres.powi(3);
    match facts.kind {
        Kind::Solid => row(
            "volume",
            format!(
                "{:.6e} {name}³, surface {:.6e} {name}²",
                facts.volume / cube,
                facts.area / unit.metres.powi(2)
            ),
        ),
        Kind::Plane => row(
            "area",
            format!("{:.6e} {name}²", facts.volume / unit.metres.powi(2)),
        ),
        Kind::Surface => row(
            "encloses",
            format!(
                "{:.6e} {name}³, area {:.6e} {name}²",
                facts.volume / cube,
                facts.area / unit.metres.powi(2)
            ),
        ),
        Kind::Nothing => return,
    }
    row("pieces", facts.pieces.to_string());
    let edges = facts.edges;
    row(
        "edges",
        format!(
            "{:.4e} to {:.4e} {name}, mean {:.4e} {name}",
            shown(edges.min),
            shown(edges.max),
            shown(edges.mean)
        ),
    );
    row("boundary", format!("{} facets", facts.boundary_facets));
    let regions: Vec<String> = facts
        .regions
        .iter()
        .map(|(n, c)| format!("{n} ({c})"))
        .collect();
    row("regions", regions.join(", "));
    row(
        "angles",
        format!(
            "{:.3}° to {:.3}°",
            facts.min_angle().to_degrees(),
            facts.max_angle.to_degrees()
        ),
    );
    for (count, what) in [
        (facts.inverted, "with negative orientation"),
        (facts.flat, "without volume"),
        (facts.slivers(), "with an angle below 5°"),
    ] {
        if count > 0 {
            row("", format!("{count} element(s) {what}"));
        }
    }
    if facts.unreferenced_nodes > 0 {
        row(
            "",
            format!("{} node(s) in no element", facts.unreferenced_nodes),
        );
    }
}

fn json_of(
    raw: &RawMesh,
    facts: &Inspection,
    format: Format,
    unit: &Unit,
    angles: &Histogram,
    ratios: &Histogram,
) -> Value {
    let first = coincident(&raw.positions);
    let duplicates = (0..first.len()).filter(|&n| first[n] != n as u32).count();
    let left_out: Vec<Value> = raw
        .skipped
        .iter()
        .map(|(kind, s)| json!({ "kind": kind.name(), "count": s.count }))
        .collect();
    let regions: Vec<Value> = facts
        .regions
        .iter()
        .map(|(name, n)| json!({ "name": name, "elements": n }))
        .collect();
    let histogram = |h: &Histogram| json!({ "from": h.low, "to": h.high, "counts": h.counts });
    let finite = |v: f64| if v.is_finite() { json!(v) } else { Value::Null };
    let mean_ratio =
        facts.radius_ratios.iter().sum::<f64>() / facts.radius_ratios.len().max(1) as f64;
    json!({
        "file": raw.name,
        "format": format.name(),
        "unit": unit.name,
        "kind": facts.kind.name(),
        "nodes": facts.nodes,
        "tetrahedra": facts.tetrahedra,
        "triangles": facts.triangles,
        "left_out": left_out,
        "bounds": { "min": facts.low.to_array(), "max": facts.high.to_array() },
        "size": (facts.high - facts.low).to_array(),
        "volume": facts.volume,
        "area": facts.area,
        "pieces": facts.pieces,
        "piece_elements": facts.piece_sizes.iter().take(100).collect::<Vec<_>>(),
        "regions": regions,
        "unreferenced_nodes": facts.unreferenced_nodes,
        "duplicate_nodes": duplicates,
        "boundary_facets": facts.boundary_facets,
        "overshared_faces": facts.overshared_faces,
        "surface": surface_json(raw, facts),
        "edges": { "min": facts.edges.min, "mean": facts.edges.mean, "max": facts.edges.max },
        "quality": {
            "min_angle_deg": finite(facts.min_angle().to_degrees()),
            "max_angle_deg": facts.max_angle.to_degrees(),
            "mean_radius_ratio": mean_ratio,
            "below_5deg": facts.slivers(),
            "inverted": facts.inverted,
            "flat": facts.flat,
            "angle_histogram_deg": histogram(angles),
            "radius_ratio_histogram": histogram(ratios),
        },
    })
}

/// Open and non-manifold edges of the surface, or of the boundary of a solid.
fn surface_json(raw: &RawMesh, facts: &Inspection) -> Value {
    let surface = match facts.kind {
        Kind::Solid => {
            let mesh = pliant_mesh::inspect::without_checks(raw);
            let triangles = Surface::of(&mesh).triangles;
            SurfaceMesh::new(mesh.positions, triangles).ok()
        }
        Kind::Surface => SurfaceMesh::new(raw.positions.clone(), raw.triangles.nodes.clone()).ok(),
        _ => None,
    };
    match surface {
        None => Value::Null,
        Some(surface) => {
            let topology = surface.topology();
            json!({
                "open_edges": topology.boundary_edges,
                "non_manifold_edges": topology.non_manifold_edges,
                "closed": topology.is_closed(),
            })
        }
    }
}
