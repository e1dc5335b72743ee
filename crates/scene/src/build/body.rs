//! Bodies: shape, place, materials.

use super::asset::{self, Files};
use super::fibre::FibreField;
use super::profile::profile;
use super::{direction, mesh_file, region, rig, rigid, vector};
use crate::error::{KeyPath, Problem};
use crate::file::{
    BarTable, BlobTable, BodyTable, CreatureTable, ExtrudeTable, FibreTable, MaterialTable,
    MeshTable, PlaceTable, RegionTable, TriangleSplitName,
};
use crate::units::Length;
use pliant_linalg::{Mat3, Vec3};
use pliant_mesh::generate::{self, Extrusion, GenerateError, Split, TriangleSplit};
use pliant_mesh::mesh::ELEMENT_LIMIT;
use pliant_mesh::{Ball, Blob, CreatureKind, Embedding, Mesh, StuffingError};
use pliant_solid::material::{FibreSpecification, MaterialSpecification};
use pliant_solid::model::BodySpecification;
use pliant_solid::octet::Formulation;
use pliant_solid::profile::Profile;
use std::borrow::Cow;
use std::sync::Arc;

/// A body may be this many times its own size away from the origin before edges lose digits that matter.
const FARTHEST: f64 = 1e6;

/// The specification of one table.
pub fn body(
    table: &BodyTable,
    at: &KeyPath,
    files: &mut Files,
) -> Result<(BodySpecification, Option<Embedding>), Problem> {
    let owner = format!("body `{}`", table.name);
    let mesh = mesh(&table.mesh, &owner, &at.key("mesh"), files)?;
    let formulation = formulation(table, &mesh);
    let mesh = match formulation {
        Formulation::Linear => mesh,
        _ if mesh.is_planar() => {
            let problem = Problem::new(at.key("element"), "only solids have such elements");
            return Err(problem.help("remove `element` from the planar body"));
        }
        _ => (mesh.with_octets()).map_err(|e| Problem::new(at.key("mesh"), e.to_string()))?,
    };
    // weights within an element survive any placement
    let embedding = match &table.mesh {
        MeshTable::File(file) => {
            mesh_file::embedding(file, &mesh, &at.key("mesh").key("file"), files.base())?
        }
        _ => None,
    };
    let mesh = match &table.place {
        None => mesh,
        Some(place) => placed(mesh, place, &at.key("place"))?,
    };
    let (low, high) = mesh.bounds();
    let distance = low.max_abs().max(high.max_abs());
    if !distance.is_finite() || distance > FARTHEST * mesh.diagonal() {
        return Err(Problem::new(
            at.key("place"),
            format!("the body lies {distance:e} m away from the origin, too far for its size"),
        )
        .help("move the scene nearer to the origin"));
    }
    let thickness = match table.thickness {
        Some(_) if !mesh.is_planar() => {
            return Err(
                Problem::new(at.key("thickness"), "only planar bodies have a thickness")
                    .help("remove it"),
            );
        }
        Some(thickness) if thickness.si <= 0.0 => {
            return Err(Problem::new(
                at.key("thickness"),
                format!("the thickness must be positive, not {thickness}"),
            ));
        }
        thickness => thickness.map_or(1.0, |t| t.si),
    };

    let base_material = rigid::material(table, at)?;
    let mut materials = vec![material(&base_material, &at.key("material"))?];
    // ten-node tetrahedra are chosen as a whole
    let is_linear = formulation == Formulation::Linear;
    let parts = if is_linear { 1 } else { 8 };
    let whole = match is_linear {
        true => Cow::Borrowed(&mesh),
        false => Cow::Owned(mesh.without_octets()),
    };
    let mut material_of = vec![0; mesh.element_count()];
    for (index, override_) in table.region.iter().enumerate() {
        let at_region = at.key("region").index(index);
        for e in region::elements(&override_.elements, &whole, &at_region.key("where"))? {
            material_of[parts * e..parts * (e + 1)].fill(materials.len() as u32);
        }
        let merged = merge(&base_material, override_);
        // a bad value that the region does not set is found at the body's own material above
        materials.push(material(&merged, &at_region)?);
    }
    let fibres = if materials.iter().any(|p| p.field.is_some()) {
        let direction = |e: usize| match &materials[material_of[e] as usize].field {
            Some(field) => field.at(whole.centroid(e / parts)),
            None => Vec3::AXES[0],
        };
        (0..mesh.element_count()).map(direction).collect()
    } else {
        Vec::new()
    };
    let rig = match &table.rig {
        None => None,
        Some(own) => Some(Arc::new(rig::rig(
            own,
            table,
            &mesh,
            &at.key("rig"),
            files,
        )?)),
    };
    let specification = BodySpecification {
        rigid: rigid::mobility(table, &mesh, at)?,
        name: table.name.clone(),
        materials: materials.into_iter().map(|p| p.material).collect(),
        material_of,
        fibres,
        thickness,
        velocity: table.velocity.map_or(Vec3::ZERO, vector),
        spin: table.spin.map_or(Vec3::ZERO, vector),
        // found when all drives are known
        representatives: None,
        may_rigidify: table.rigidify,
        rig,
        formulation,
        mesh,
    };
    check_element(&specification, at)?;
    Ok((specification, embedding))
}

/// What a body's elements make of its nodes: what it says, or what its mesh has; rigid bodies need no more than linear elements.
fn formulation(table: &BodyTable, mesh: &Mesh) -> Formulation {
    match table.element {
        _ if table.rigid.is_some() => Formulation::Linear,
        Some(name) => name.into(),
        None if mesh.octets => Formulation::Quadratic,
        None => Formulation::Linear,
    }
}

/// Whether the element can do with the materials.
fn check_element(body: &BodySpecification, at: &KeyPath) -> Result<(), Problem> {
    let unfit = body.materials.iter().find(|m| !m.model.has_volume_part());
    match unfit {
        Some(material) if body.formulation == Formulation::Averaged => {
            let message = format!(
                "the material `{}` has no resistance to volume of its own that could be averaged",
                material.model.name()
            );
            Err(Problem::new(at.key("element"), message).help(
                "take the element \"tet10\", or linear, neo-hookean, stable-neo-hookean, stable-neo-hookean-log, mooney-rivlin or split-neo-hookean",
            ))
        }
        _ => Ok(()),
    }
}

/// The mesh of a table, before it is put anywhere; `owner` is the body or obstacle, for messages.
pub fn mesh(
    table: &MeshTable,
    owner: &str,
    at: &KeyPath,
    files: &mut Files,
) -> Result<Mesh, Problem> {
    let made = |key: &str, result: Result<Mesh, GenerateError>| {
        result.map_err(|e| {
            let key_at_fault = match &e {
                GenerateError::TooFew { what, .. }
                | GenerateError::BadLength { what, .. }
                | GenerateError::WrongCount { what, .. } => key_of(what),
                GenerateError::BadProfile { .. } => "profile",
                GenerateError::BadPicture { .. } => "picture",
                _ => "",
            };
            let shape = at.key(key);
            Problem::new(
                if key_at_fault.is_empty() {
                    shape
                } else {
                    shape.key(key_at_fault)
                },
                e.to_string(),
            )
        })
    };
    match table {
        MeshTable::Bar(bar) => made("bar", bar_mesh(bar, &at.key("bar"))?),
        MeshTable::Box(bar) => {
            let mesh = made("box", bar_mesh(bar, &at.key("box"))?)?;
            Ok(mesh.translated(vector(bar.size) * -0.5))
        }
        MeshTable::Ball(b) => made("ball", generate::ball(b.radius.si, b.divisions)),
        MeshTable::Capsule(c) => made(
            "capsule",
            generate::capsule(c.radius.si, c.length.si, c.divisions, c.layers),
        ),
        MeshTable::Cylinder(c) => made(
            "cylinder",
            generate::cylinder(c.radius.si, c.length.si, c.divisions, c.layers),
        ),
        MeshTable::Torus(t) => made(
            "torus",
            generate::torus(t.major.si, t.minor.si, t.divisions, t.segments),
        ),
        MeshTable::Tube(t) => made(
            "tube",
            generate::tube(t.inner.si, t.outer.si, t.length.si, t.cells),
        ),
        MeshTable::Ring(r) => made(
            "ring",
            generate::ring(r.major.si, r.inner.si, r.outer.si, r.cells),
        ),
        MeshTable::Lathe(l) => {
            let profile: Vec<[f64; 2]> = l.profile.iter().map(|p| p.map(|v| v.si)).collect();
            let mesh = generate::lathe(&profile, l.segments, l.rings.unwrap_or(1));
            made("lathe", mesh)
        }
        MeshTable::Extrude(x) => {
            let drawing = drawing(x, &at.key("extrude"))?;
            made("extrude", drawing.and_then(|d| generate::extrude(&d)))
        }
        MeshTable::Blob(table) => {
            let made = pliant_mesh::blob(&rounded(table), ELEMENT_LIMIT);
            made.map_err(|e| blob_problem(e, &at.key("blob")))
        }
        MeshTable::Hand(table) => figure(CreatureKind::Hand, table, at),
        MeshTable::Humanoid(table) => figure(CreatureKind::Humanoid, table, at),
        MeshTable::Giant(table) => figure(CreatureKind::Giant, table, at),
        MeshTable::Rectangle(r) => {
            let split = match r.split {
                TriangleSplitName::Parallel => TriangleSplit::Parallel,
                TriangleSplitName::Alternating => TriangleSplit::Alternating,
                TriangleSplitName::Crossed => TriangleSplit::Crossed,
            };
            made(
                "rectangle",
                generate::rectangle(r.size.map(|s| s.si), r.cells, split),
            )
        }
        MeshTable::Band(b) => {
            let profile: Vec<[f64; 2]> = b.profile.iter().map(|p| p.map(|v| v.si)).collect();
            made("band", generate::band(&profile, b.cells))
        }
        MeshTable::File(file) => mesh_file::read(file, owner, &at.key("file"), files),
        MeshTable::Asset(table) => asset::mesh(table, owner, &at.key("asset"), files),
    }
}

/// Edge, m, and grading of a figure.
pub fn fineness(kind: CreatureKind, table: &CreatureTable) -> [f64; 2] {
    [
        table.edge.map_or(kind.default_edge(), |e| e.si),
        table.grading.map_or(1.0, |g| g.si),
    ]
}

fn figure(kind: CreatureKind, table: &CreatureTable, at: &KeyPath) -> Result<Mesh, Problem> {
    let [edge, grading] = fineness(kind, table);
    let made = pliant_mesh::creature(kind, edge, grading, ELEMENT_LIMIT);
    made.map_err(|e| blob_problem(e, &at.key(kind.name())))
}

/// The solid that a table describes.
pub fn rounded(table: &BlobTable) -> Blob {
    let ball = |[x, y, z, radius]: &[Length; 4]| Ball {
        centre: Vec3::new(x.si, y.si, z.si),
        radius: radius.si,
    };
    Blob {
        limbs: (table.limbs.iter())
            .map(|limb| limb.iter().map(ball).collect())
            .collect(),
        blend: table.blend.map_or(0.0, |b| b.si),
        edge: table.edge.si,
        grading: table.grading.map_or(1.0, |g| g.si),
    }
}

fn blob_problem(error: StuffingError, at: &KeyPath) -> Problem {
    let at = match &error {
        StuffingError::BadLimb { limb, .. } => at.key("limbs").index(limb - 1),
        StuffingError::BadBlend(_) => at.key("blend"),
        StuffingError::BadGrading(_) => at.key("grading"),
        StuffingError::BadEdge(_)
        | StuffingError::TooFine { .. }
        | StuffingError::Nothing { .. } => at.key("edge"),
        _ => at.clone(),
    };
    Problem::new(at, error.to_string())
}

/// The key of the scene file that a generator's parameter comes from.
fn key_of(what: &str) -> &'static str {
    match what {
        w if w.starts_with("size") => "size",
        w if w.starts_with("cells") => "cells",
        "radius" => "radius",
        "length" => "length",
        "divisions" => "divisions",
        "layers" => "layers",
        "segments" => "segments",
        "rings" => "rings",
        "points of the profile" => "profile",
        w if w.ends_with("of the picture") => "picture",
        w if w.starts_with("widths") => "widths",
        w if w.starts_with("heights") => "heights",
        "major radius" => "major",
        "minor radius" => "minor",
        w if w.starts_with("inner") => "inner",
        w if w.starts_with("outer") => "outer",
        _ => "",
    }
}

fn bar_mesh(bar: &BarTable, at: &KeyPath) -> Result<Result<Mesh, GenerateError>, Problem> {
    let split = match bar.split {
        None | Some(6) => Split::Six,
        Some(5) => Split::Five,
        Some(other) => {
            return Err(Problem::new(
                at.key("split"),
                format!("a cell cannot be cut into {other} tetrahedra"),
            )
            .help("write 5 or 6"));
        }
    };
    Ok(generate::bar(vector(bar.size), bar.cells, split))
}

/// The cell sizes that a table gives, by lists or by one number for all.
fn drawing(
    table: &ExtrudeTable,
    at: &KeyPath,
) -> Result<Result<Extrusion, GenerateError>, Problem> {
    let si = |list: &Vec<Length>| list.iter().map(|l| l.si).collect::<Vec<f64>>();
    let missing = |what: &str, help: &str| Problem::new(at.clone(), what.to_string()).help(help);
    if table.cell.is_none() && (table.widths.is_none() || table.heights.is_none()) {
        return Err(missing(
            "the cells of the picture have no size",
            "add cell = [\"5 cm\", \"5 cm\"], or both widths and heights",
        ));
    }
    if table.cell.is_some() && table.widths.is_some() && table.heights.is_some() {
        return Err(
            Problem::new(at.key("cell"), "widths and heights already give the sizes")
                .help("remove cell"),
        );
    }
    let (depth, layers) = match (&table.depths, table.depth, table.layers) {
        (Some(_), None, None) => (0.0, 1),
        (None, Some(depth), layers) => (depth.si, layers.unwrap_or(1)),
        (Some(_), ..) => {
            return Err(Problem::new(
                at.key("depths"),
                "depths stand in place of depth and layers",
            )
            .help("remove one or the other"));
        }
        (None, None, _) => {
            return Err(missing(
                "the drawing has no depth",
                "add depth = \"30 cm\" and layers = 5, or depths",
            ));
        }
    };
    let cell = table.cell.map_or([0.0; 2], |c| c.map(|l| l.si));
    let uniform = Extrusion::uniform(table.picture.clone(), cell, depth, layers);
    Ok(uniform.map(|uniform| Extrusion {
        widths: table.widths.as_ref().map_or(uniform.widths, si),
        heights: table.heights.as_ref().map_or(uniform.heights, si),
        depths: table.depths.as_ref().map_or(uniform.depths, si),
        smooth: table.smooth,
        picture: uniform.picture,
    }))
}

/// Scales, rotates and moves a mesh.
pub fn placed(mut mesh: Mesh, place: &PlaceTable, at: &KeyPath) -> Result<Mesh, Problem> {
    if let Some(scale) = place.scale {
        mesh = mesh
            .scaled(vector(scale))
            .map_err(|e| Problem::new(at.key("scale"), e.to_string()))?;
    }
    if let Some(rotate) = &place.rotate {
        let at = at.key("rotate");
        let axis = direction(rotate.axis, &at.key("axis"))?;
        let rotation = Mat3::rotation(axis, rotate.angle.si);
        let centre = rotate.centre.map_or(Vec3::ZERO, vector);
        mesh = mesh
            .rotated(&rotation, centre)
            .map_err(|e| Problem::new(at, e.to_string()))?;
    }
    if let Some(translate) = place.translate {
        mesh = mesh.translated(vector(translate));
    }
    Ok(mesh)
}

/// A checked material and its fibre field.
struct Part {
    material: MaterialSpecification,
    field: Option<FibreField>,
}

fn material(table: &MaterialTable, at: &KeyPath) -> Result<Part, Problem> {
    let fibre = table.fibre.as_ref();
    let specification = MaterialSpecification {
        model: table.model.into(),
        young: table.young.si,
        poisson: table.poisson.si,
        density: table.density.si,
        mass_damping: table.mass_damping.si,
        stiffness_damping: table.stiffness_damping.si,
        mooney_share: table.mooney_share.si,
        raw_lame: table.raw_lame,
        fibre: fibre
            .map(|f| fibre_specification(f, &at.key("fibre")))
            .transpose()?,
    };
    specification.check().map_err(|e| {
        let keys = e.parameter.replace("active_", "active.");
        let at = keys.split('.').fold(at.clone(), |at, key| at.key(key));
        Problem::new(at, e.to_string())
    })?;
    let field = fibre.map(|f| FibreField::new(&f.direction, &at.key("fibre").key("direction")));
    Ok(Part {
        material: specification,
        field: field.transpose()?,
    })
}

fn fibre_specification(table: &FibreTable, at: &KeyPath) -> Result<FibreSpecification, Problem> {
    let active = table.active.as_ref();
    Ok(FibreSpecification {
        kind: table.kind.into(),
        modulus: table.modulus.map_or(0.0, |m| m.si),
        exponent: table.exponent.map_or(1.0, |e| e.si),
        active_modulus: active.map_or(0.0, |a| a.modulus.si),
        active_length: active.and_then(|a| a.length).map_or(0.7, |l| l.si),
        activation: match active {
            None => Profile::Constant(0.0),
            Some(active) => profile(&active.activation, &at.key("active").key("activation"))?,
        },
    })
}

/// The body's material with the fields that the region sets.
fn merge(base: &MaterialTable, region: &RegionTable) -> MaterialTable {
    MaterialTable {
        model: region.model.unwrap_or(base.model),
        young: region.young.unwrap_or(base.young),
        poisson: region.poisson.unwrap_or(base.poisson),
        density: region.density.unwrap_or(base.density),
        mass_damping: region.mass_damping.unwrap_or(base.mass_damping),
        stiffness_damping: region.stiffness_damping.unwrap_or(base.stiffness_damping),
        mooney_share: region.mooney_share.unwrap_or(base.mooney_share),
        raw_lame: region.raw_lame.unwrap_or(base.raw_lame),
        fibre: region.fibre.clone().or_else(|| base.fibre.clone()),
    }
}
