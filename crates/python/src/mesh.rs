//! Meshes as their files have them, for `pliant.Mesh`.

use crate::error;
use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pliant_mesh::file::raw::Cells;
use pliant_mesh::file::runs::Runs;
use pliant_mesh::file::{Format, RawMesh as Raw, read_file, write_file};
use pliant_mesh::inspect::repair::RepairOptions;
use pliant_mesh::inspect::{Check, Inspection, Kind, check, repair, without_checks};
use pliant_mesh::stuffing::{StuffingOptions, default_edge, tetrahedralize};
use pliant_mesh::{Elements, Mesh, SurfaceMesh};
use pliant_scene::{Sources, build_from, parse};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Nodes with tetrahedra, triangles or both; coordinates in m.
#[pyclass(frozen, module = "pliant._pliant")]
pub struct RawMesh(Raw);

fn refused(py: Python<'_>, message: impl AsRef<str>) -> PyErr {
    error::refused(py, "MeshError", message)
}

/// Elements from rows of N numbers.
fn cells<const N: usize>(
    py: Python<'_>,
    rows: &PyReadonlyArray2<'_, i64>,
    points: usize,
    (regions, names): (Option<&PyReadonlyArray1<'_, i64>>, &[String]),
) -> PyResult<Cells<N>> {
    let count = rows.shape()[0];
    if count == 0 {
        return Ok(Cells::default());
    }
    if rows.shape()[1] != N {
        let message = format!("elements need {N} nodes each, not {}", rows.shape()[1]);
        return Err(error::refused(py, "ShapeError", message));
    }
    let mut nodes = Vec::with_capacity(count);
    for (e, row) in rows.as_array().rows().into_iter().enumerate() {
        let mut element = [0; N];
        for (to, &node) in element.iter_mut().zip(row) {
            let good = u32::try_from(node).ok().filter(|&n| (n as usize) < points);
            *to = good.ok_or_else(|| {
                refused(
                    py,
                    format!("element {e} names node {node}, but there are {points}"),
                )
            })?;
        }
        nodes.push(element);
    }
    let mut cells = Cells::counted(nodes, Vec::new(), Vec::new());
    match regions {
        None => cells.single_region(),
        Some(regions) => {
            let regions = regions.as_array();
            let known = |&r: &i64| {
                u32::try_from(r)
                    .ok()
                    .filter(|&r| (r as usize) < names.len())
            };
            let list: Option<Vec<u32>> = regions.iter().map(known).collect();
            let list = list.filter(|list| list.len() == count);
            cells.regions = list.ok_or_else(|| {
                let message = format!("regions must be {count} indices into {} names", names.len());
                error::refused(py, "ShapeError", message)
            })?;
            cells.region_names = names.to_vec();
        }
    }
    Ok(cells)
}

fn findings(check: &Check) -> Value {
    let finding = |f: &pliant_mesh::inspect::Finding| {
        json!({
            "kind": f.kind.name(),
            "severity": f.severity.name(),
            "count": f.count,
            "ids": f.ids,
            "message": f.message,
            "help": f.help,
        })
    };
    json!({
        "usable": !check.blocks(),
        "findings": check.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}

fn of_mesh(mesh: Mesh) -> RawMesh {
    RawMesh(Raw::from(mesh))
}

#[pymethods]
impl RawMesh {
    #[new]
    #[pyo3(signature = (points, tetrahedra, triangles, regions, region_names))]
    fn new(
        py: Python<'_>,
        points: PyReadonlyArray2<'_, f64>,
        tetrahedra: PyReadonlyArray2<'_, i64>,
        triangles: PyReadonlyArray2<'_, i64>,
        regions: Option<PyReadonlyArray1<'_, i64>>,
        region_names: Vec<String>,
    ) -> PyResult<RawMesh> {
        let points = crate::engine::vectors(py, &points, points.shape()[0])?;
        let mut raw = Raw::new("mesh");
        let solid = tetrahedra.shape()[0] > 0;
        let named = (regions.as_ref(), &region_names[..]);
        let (of_solid, of_surface) = if solid {
            (named, (None, &[][..]))
        } else {
            ((None, &[][..]), named)
        };
        raw.tetrahedra = cells(py, &tetrahedra, points.len(), of_solid)?;
        raw.triangles = cells(py, &triangles, points.len(), of_surface)?;
        raw.node_ids = Runs::counting(1, points.len());
        raw.positions = points;
        Ok(RawMesh(raw))
    }

    /// Reads a file whose unit is so many metres; its format.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf, metres: f64) -> PyResult<(RawMesh, &'static str)> {
        let read = py.detach(|| read_file(&path));
        let (mut raw, format) = read.map_err(|e| {
            let details = json!({ "help": e.help });
            error::exception(py, "MeshError", &e.to_string(), &details)
        })?;
        raw.positions.iter_mut().for_each(|p| *p = *p * metres);
        Ok((RawMesh(raw), format.name()))
    }

    /// Writes a file whose unit is so many metres.
    #[pyo3(signature = (path, format, metres))]
    fn write(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        metres: f64,
    ) -> PyResult<()> {
        let found = match format {
            Some(name) => Format::by_name(name),
            None => Format::by_extension(&path),
        };
        let writable = found.filter(|f| Format::writable().any(|w| w == *f));
        let format = writable.ok_or_else(|| {
            let names: Vec<&str> = Format::writable().map(Format::name).collect();
            refused(
                py,
                format!(
                    "no format to write `{}` in: known are {}",
                    path.display(),
                    names.join(", ")
                ),
            )
        })?;
        let mut raw = self.0.clone();
        raw.positions.iter_mut().for_each(|p| *p = *p / metres);
        let written = py.detach(|| write_file(&raw, format, &path));
        written.map_err(|e| refused(py, format!("{}: {e}", path.display())))
    }

    /// The first body of a scene before anything happens.
    #[staticmethod]
    #[pyo3(signature = (text, base, assets))]
    fn of_scene(
        py: Python<'_>,
        text: &str,
        base: Option<PathBuf>,
        assets: Option<PathBuf>,
    ) -> PyResult<RawMesh> {
        let assets = crate::engine::asset_folders(py, assets)?;
        let sources = Sources { base, assets };
        let built = py.detach(|| parse(text, "mesh").and_then(|file| build_from(&file, &sources)));
        let scene = built.map_err(|e| error::scene(py, &e))?;
        let (model, regions) = (&scene.model, &scene.regions);
        let body = &model.bodies[0];
        let nodes = &model.element_nodes[body.elements.clone()];
        let elements = match body.planar {
            true => Elements::Triangles(nodes.iter().map(|&[a, b, c, _]| [a, b, c]).collect()),
            false => Elements::Tetrahedra(nodes.to_vec()),
        };
        let rest = model.rest[body.nodes.clone()].to_vec();
        let regions = regions[body.elements.clone()].to_vec();
        let mesh = Mesh::new(rest, elements, regions, scene.region_names);
        let (mesh, _) = mesh.map_err(|e| refused(py, e.to_string()))?;
        Ok(of_mesh(mesh))
    }

    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let points = PyArray2::<f64>::zeros(py, [self.0.positions.len(), 3], false);
        let mut rows = points.readwrite();
        for (row, p) in rows
            .as_slice_mut()?
            .chunks_exact_mut(3)
            .zip(&self.0.positions)
        {
            row.copy_from_slice(&p.to_array());
        }
        drop(rows);
        Ok(points)
    }

    fn tetrahedra<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        rows(py, &self.0.tetrahedra.nodes)
    }

    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        rows(py, &self.0.triangles.nodes)
    }

    /// Region of each element: of tetrahedra, or of triangles where there are none; and the names.
    fn regions<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<i64>>, Vec<String>) {
        let (regions, names) = match self.0.tetrahedra.is_empty() {
            true => (&self.0.triangles.regions, &self.0.triangles.region_names),
            false => (&self.0.tetrahedra.regions, &self.0.tetrahedra.region_names),
        };
        let regions = PyArray1::from_iter(py, regions.iter().map(|&r| i64::from(r)));
        (regions, names.clone())
    }

    /// Measures it, as JSON.
    fn info(&self, py: Python<'_>) -> String {
        let i = py.detach(|| Inspection::of(&self.0));
        json!({
            "kind": i.kind.name(),
            "nodes": i.nodes,
            "tetrahedra": i.tetrahedra,
            "triangles": i.triangles,
            "low": i.low.to_array(),
            "high": i.high.to_array(),
            "volume": i.volume,
            "area": i.area,
            "pieces": i.pieces,
            "edge_min": i.edges.min,
            "edge_mean": i.edges.mean,
            "edge_max": i.edges.max,
            "min_angle_deg": i.min_angle().to_degrees(),
            "max_angle_deg": i.max_angle.to_degrees(),
            "inverted": i.inverted,
            "flat": i.flat,
            "regions": i.regions,
        })
        .to_string()
    }

    /// What is wrong with it, as JSON.
    fn check(&self, py: Python<'_>) -> String {
        findings(&py.detach(|| check(&self.0, 1.0))).to_string()
    }

    /// Mended, and what was done.
    fn repair(&self, py: Python<'_>, join: bool, relax: bool) -> (RawMesh, Vec<String>) {
        let repaired = py.detach(|| repair(&self.0, RepairOptions { join, relax }));
        (RawMesh(repaired.mesh), repaired.done)
    }

    /// Fills the surface with tetrahedra; the report as JSON.
    #[pyo3(signature = (edge, grading, features))]
    fn tetrahedralize(
        &self,
        py: Python<'_>,
        edge: Option<f64>,
        grading: f64,
        features: Option<f64>,
    ) -> PyResult<(RawMesh, String)> {
        let surface = self.surface().map_err(|why| refused(py, why))?;
        let options = StuffingOptions {
            grading,
            features,
            ..StuffingOptions::with_edge(edge.unwrap_or_else(|| default_edge(&surface)))
        };
        let filled = py.detach(|| tetrahedralize(&surface, &options));
        let filled = filled.map_err(|e| refused(py, e.to_string()))?;
        let report = &filled.report;
        let report = json!({
            "edge": options.edge,
            "warnings": report.warnings,
            "min_dihedral_deg": report.min_dihedral.to_degrees(),
            "max_dihedral_deg": report.max_dihedral.to_degrees(),
            "volume": report.volume,
            "surface_volume": report.surface_volume,
            "pieces": report.pieces,
            "closed": report.closed,
            "manifold_boundary": report.manifold,
        });
        Ok((of_mesh(filled.mesh), report.to_string()))
    }
}

impl RawMesh {
    /// The triangles, or the boundary of the tetrahedra.
    fn surface(&self) -> Result<SurfaceMesh, String> {
        let raw = &self.0;
        match Kind::of(raw) {
            Kind::Surface => {
                let nodes = raw.triangles.nodes.clone();
                SurfaceMesh::new(raw.positions.clone(), nodes).map_err(|e| e.to_string())
            }
            Kind::Solid => SurfaceMesh::of(&without_checks(raw)).map_err(|e| e.to_string()),
            Kind::Plane => Err("the triangles lie in a plane and enclose nothing".into()),
            Kind::Nothing => Err("there are no triangles to fill".into()),
        }
    }
}

fn rows<'py, const N: usize>(
    py: Python<'py>,
    nodes: &[[u32; N]],
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let array = PyArray2::<i64>::zeros(py, [nodes.len(), N], false);
    let mut to = array.readwrite();
    for (to, &n) in to.as_slice_mut()?.iter_mut().zip(nodes.as_flattened()) {
        *to = i64::from(n);
    }
    drop(to);
    Ok(array)
}
