//! Fills a closed surface with well-shaped tetrahedra: isosurface stuffing [LS07].
//!
//! A body-centred cubic lattice, fine at the surface and coarser inside (`octree`, `lattice`), is cut by the surface
//! (`cut`) and filled from a few stencils (`stencil`). Whatever the surface looks like, all dihedral angles lie
//! between [`MIN_DIHEDRAL`] and [`MAX_DIHEDRAL`], because only tetrahedra of the finest lattice are ever cut. What is
//! thinner than the lattice may be lost; the report says how much volume the mesh has of the surface's.
//!
//! Inside is where the winding number exceeds ½, so open, self-intersecting and doubled surfaces have an inside too.

mod blob;
mod creases;
mod cut;
mod features;
mod fit;
mod lattice;
mod octree;
mod pinch;
mod prepare;
mod relax;
mod rims;
mod solid;
mod stencil;
#[cfg(test)]
mod tests;

use crate::adjacency::node_elements;
use crate::components::Components;
use crate::error::MeshError;
use crate::intersect::self_intersections;
use crate::mesh::{Elements, Mesh};
use crate::quality::Quality;
use crate::surface::Surface;
use crate::surface_mesh::SurfaceMesh;
pub use blob::{Ball, Blob, blob};
use creases::Creases;
use cut::Side;
use lattice::{Lattice, half_cells};
use octree::{Octree, Place, TooLarge};
use pliant_linalg::{Vec3, vec3};
use relax::Movable;
use solid::{Solid, SurfaceSolid};
use thiserror::Error;

/// No dihedral angle of a stuffed mesh is smaller, rad: 10.78° (10.7° in [LS07]).
pub const MIN_DIHEDRAL: f64 = 10.78 * std::f64::consts::PI / 180.0;
/// No dihedral angle of a stuffed mesh is larger, rad: 164.75° (164.8° in [LS07]).
pub const MAX_DIHEDRAL: f64 = 164.75 * std::f64::consts::PI / 180.0;

/// Mean edge of the lattice over the width of its cubes: 8 short edges of √3/2 and 6 long ones meet at a vertex.
const MEAN_EDGE: f64 = 0.923;

/// Tetrahedra that [`default_edge`] aims at.
const DEFAULT_ELEMENTS: f64 = 30_000.0;

/// Rounds of refining where a dirty surface's boundary turned up unexpectedly.
const ROUNDS: usize = 60;

/// A separate piece smaller than this many lattice cubes is a crumb, if the largest has a hundred times more.
const CRUMB: f64 = 1.0;

/// A piece smaller than this fraction of the largest of its component of the surface is a crumb too.
const SPLINTER: f64 = 0.01;

/// Offsets of the lattice in cells: when features are missed, another position of the lattice often meets them.
const SHIFTS: [Vec3; 4] = [
    Vec3::ZERO,
    vec3(0.31, 0.17, 0.43),
    vec3(0.13, 0.41, 0.27),
    vec3(0.47, 0.29, 0.11),
];

/// Larger meshes are not tried at other offsets.
const RETRY_LIMIT: usize = 400_000;

/// Self-intersections are counted up to this number.
const INTERSECTION_LIMIT: usize = 100;

/// What to make of a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct StuffingOptions {
    /// Mean edge length of the tetrahedra at the boundary, m.
    pub edge: f64,
    /// How many times longer edges deep inside may become: 1 for a uniform lattice, 2, 4, ….
    pub grading: f64,
    /// Keep edges of the surface at which it turns by more than this angle, rad.
    pub features: Option<f64>,
    /// Refuse to make more tetrahedra than this.
    pub element_limit: usize,
}

impl StuffingOptions {
    /// Edge length with grading 4, no features and at most five million tetrahedra.
    pub fn with_edge(edge: f64) -> StuffingOptions {
        StuffingOptions {
            edge,
            grading: 4.0,
            features: None,
            element_limit: 5_000_000,
        }
    }
}

/// A filled surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Stuffed {
    /// The tetrahedra.
    pub mesh: Mesh,
    /// How it went.
    pub report: StuffingReport,
}

/// How filling a surface went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StuffingReport {
    /// Sentences for the user about everything that was not as it should be.
    pub warnings: Vec<String>,
    /// Smallest dihedral angle, rad.
    pub min_dihedral: f64,
    /// Largest dihedral angle, rad.
    pub max_dihedral: f64,
    /// Volume of the mesh, m³.
    pub volume: f64,
    /// Volume that the surface encloses, m³; only a guide if it is not closed.
    pub surface_volume: f64,
    /// Separate pieces of the mesh.
    pub pieces: usize,
    /// Small pieces that came loose where the surface is thinner than the lattice resolves, removed.
    pub crumbs: usize,
    /// Tetrahedra removed because they touched others at an edge only.
    pub pinches: usize,
    /// Whether the boundary of the mesh is a closed manifold.
    pub manifold: bool,
    /// Whether the surface was closed and could be oriented.
    pub closed: bool,
    /// Pairs of triangles of the surface that cross, counted up to a hundred.
    pub self_intersections: usize,
    /// Sharp features, if asked for.
    pub features: Option<FeatureReport>,
}

/// How many samples of sharp edges and corners the mesh meets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FeatureReport {
    /// Corners of the surface.
    pub corners: usize,
    /// Corners with a node of the mesh on them.
    pub corners_met: usize,
    /// Nodes that should be on sharp edges.
    pub edge_nodes: usize,
    /// Nodes that are.
    pub edge_nodes_met: usize,
}

impl FeatureReport {
    /// Corners and nodes that were not met.
    pub fn missed(&self) -> usize {
        self.corners - self.corners_met + self.edge_nodes - self.edge_nodes_met
    }
}

/// A mesh from one position of the lattice.
struct Attempt {
    mesh: Mesh,
    features: Option<FeatureReport>,
    /// Features not met.
    missed: usize,
    pinches: usize,
    crumbs: usize,
    /// m³.
    crumb_volume: f64,
}

/// Why a surface cannot be filled.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StuffingError {
    /// The edge length is not a positive number.
    #[error("the edge length must be a positive number of metres, not {0}")]
    BadEdge(f64),
    /// The grading is not at least one.
    #[error("the grading must be a number from 1 (uniform) upwards, not {0}")]
    BadGrading(f64),
    /// A part of a blob that is none.
    #[error("limb {limb} {problem}")]
    BadLimb {
        /// Which, from 1.
        limb: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// The blend is not a length.
    #[error("the blend must be a length from 0 upwards, not {0} m")]
    BadBlend(f64),
    /// The crease angle is not between 0 and π.
    #[error("the angle of sharp edges must lie between 0° and 180°, not {0}°")]
    BadFeatureAngle(f64),
    /// All points are one.
    #[error("all vertices of the surface are at one point: it encloses nothing")]
    NoExtent,
    /// Coordinates beyond what squares of lengths can hold.
    #[error("the surface is {0:e} m large: scale it to metres")]
    Extreme(f64),
    /// Too fine a lattice.
    #[error(
        "an edge length of {edge:.3e} m would make more than {limit} tetrahedra: use at least {fitting:.3e} m"
    )]
    TooFine {
        /// Edge length asked for, m.
        edge: f64,
        /// The limit.
        limit: usize,
        /// Edge length that would fit, m.
        fitting: f64,
    },
    /// No vertex of the lattice is inside.
    #[error(
        "no tetrahedron fits: the surface encloses nothing that is thicker than the edge length of {edge:.3e} m{hint}"
    )]
    Nothing {
        /// Edge length asked for, m.
        edge: f64,
        /// What to try.
        hint: String,
    },
    /// The boundary of an open surface could not be followed.
    #[error(
        "the holes of the surface are too large to tell inside from outside: close it first, or use a larger edge length"
    )]
    Undecided,
    /// The tetrahedra do not make a mesh.
    #[error("the tetrahedra are not a usable mesh: {0}")]
    Mesh(#[from] MeshError),
}

/// Rough number of tetrahedra for an edge length: a fine layer of about two cells under the surface, the rest coarser.
fn estimated_elements(volume: f64, area: f64, edge: f64, coarsest: u32) -> f64 {
    let cell = edge / MEAN_EDGE;
    let mut rest = volume.max(0.0);
    let mut elements = 1.5 * area / (cell * cell);
    let mut width = cell;
    for level in 0..=coarsest {
        let layers = if level == 0 { 2.3 } else { 2.0 };
        let layer = if level == coarsest {
            rest
        } else {
            rest.min(area * layers * width)
        };
        elements += 12.0 * layer / width.powi(3);
        rest -= layer;
        width *= 2.0;
    }
    elements
}

/// Edge length at which the estimate reaches `elements`.
fn fitting_edge(volume: f64, area: f64, elements: f64, coarsest: u32, diagonal: f64) -> f64 {
    let (mut low, mut high) = (diagonal * 1e-7, diagonal);
    for _ in 0..60 {
        let middle = (low * high).sqrt();
        if estimated_elements(volume, area, middle, coarsest) > elements {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// An edge length that gives about 30 000 tetrahedra, m.
pub fn default_edge(surface: &SurfaceMesh) -> f64 {
    let options = StuffingOptions::with_edge(1.0);
    let coarsest = coarsest_level(options.grading);
    fitting_edge(
        surface.enclosed_volume().abs(),
        surface.area(),
        DEFAULT_ELEMENTS,
        coarsest,
        surface.diagonal(),
    )
}

/// The surface with its vertices joined and its triangles turned outwards.
pub(crate) fn oriented(surface: &SurfaceMesh) -> SurfaceMesh {
    prepare::prepare(surface).surface
}

fn coarsest_level(grading: f64) -> u32 {
    // a grading of 2.9 allows one doubling
    (grading.log2() + 1e-9).floor().clamp(0.0, 16.0) as u32
}

/// Fills `surface` with tetrahedra.
pub fn tetrahedralize(
    surface: &SurfaceMesh,
    options: &StuffingOptions,
) -> Result<Stuffed, StuffingError> {
    check(surface, options)?;
    let prepared = prepare::prepare(surface);
    let mut report = StuffingReport {
        closed: prepared.closed,
        surface_volume: prepared.surface.enclosed_volume(),
        ..StuffingReport::default()
    };
    let nothing = |hint: &str| StuffingError::Nothing {
        edge: options.edge,
        hint: hint.to_string(),
    };
    if prepared.surface.triangles.is_empty() {
        return Err(nothing("; every triangle of it is degenerate"));
    }
    report.self_intersections = self_intersections(&prepared.surface, INTERSECTION_LIMIT).len();
    let limit = options.element_limit;
    let coarsest = coarsest_level(options.grading);
    let (volume, area) = (report.surface_volume.abs(), prepared.surface.area());
    let too_fine = || StuffingError::TooFine {
        edge: options.edge,
        limit,
        fitting: 1.15
            * fitting_edge(
                volume,
                area,
                limit as f64,
                coarsest,
                prepared.surface.diagonal(),
            ),
    };
    if estimated_elements(volume, area, options.edge, coarsest) > 4.0 * limit as f64 {
        return Err(too_fine());
    }
    let solid = SurfaceSolid::new(&prepared.surface, prepared.closed);
    let cell = options.edge / MEAN_EDGE;
    let components = prepared.surface.components().1;
    let mut best: Option<Attempt> = None;
    for shift in SHIFTS {
        let raw = match stuff(&solid, cell, shift * cell, coarsest, limit) {
            Ok(raw) => raw,
            Err(StuffError::TooLarge) => return Err(too_fine()),
            Err(StuffError::Undecided) => return Err(StuffingError::Undecided),
        };
        if raw.tetrahedra.len() > limit {
            return Err(too_fine());
        }
        if raw.tetrahedra.is_empty() {
            continue;
        }
        let mut raw = raw;
        let pinches = pinch::open_pinches(&mut raw);
        let component = |p: Vec3| {
            let nearest = solid.closest(p, f64::INFINITY);
            nearest.map_or(0, |(_, t)| components[t as usize])
        };
        let (kept, crumbs, crumb_volume) = without_crumbs(raw, cell, component);
        let mut mesh = compact(kept)?;
        let features = improve(&mut mesh, &prepared.surface, &solid, cell, options.features);
        let attempt = Attempt {
            missed: features.map_or(0, |f| f.missed()),
            mesh,
            features,
            pinches,
            crumbs,
            crumb_volume,
        };
        let enough = attempt.missed == 0 || attempt.mesh.element_count() > RETRY_LIMIT;
        if best.as_ref().is_none_or(|b| attempt.missed < b.missed) {
            best = Some(attempt);
        }
        if enough {
            break;
        }
    }
    let Some(attempt) = best else {
        let hint = if prepared.closed {
            let thickness = 2.0 * volume / area.max(f64::MIN_POSITIVE);
            if thickness > 1e-6 * prepared.surface.diagonal() {
                format!("; try {:.1e} m", 0.5 * thickness)
            } else {
                "; its volume is zero".to_string()
            }
        } else {
            "; it is not closed, so perhaps nothing is inside at all".to_string()
        };
        return Err(nothing(&hint));
    };
    let mesh = attempt.mesh;
    report.pinches = attempt.pinches;
    report.crumbs = attempt.crumbs;
    report.features = attempt.features;
    let quality = Quality::of(&mesh);
    report.min_dihedral = quality.min_angle;
    report.max_dihedral = quality.max_angle;
    report.volume = mesh.total_volume();
    report.pieces = Components::of(&mesh).count;
    report.manifold = Surface::of(&mesh).is_closed_manifold();
    warn(&mut report, &prepared, options, attempt.crumb_volume);
    Ok(Stuffed { mesh, report })
}

/// Snaps nodes of the finished mesh to sharp features, if asked to, smooths jagged rims and fits its boundary to the
/// surface.
fn improve(
    mesh: &mut Mesh,
    surface: &SurfaceMesh,
    solid: &SurfaceSolid,
    cell: f64,
    feature_angle: Option<f64>,
) -> Option<FeatureReport> {
    let snapped =
        feature_angle.map(|angle| features::snap(mesh, &Creases::of(surface, angle), solid, cell));
    let boundary = Surface::of(mesh);
    let at_node = node_elements(mesh);
    let Elements::Tetrahedra(tetrahedra) = &mesh.elements else {
        return None;
    };
    let mut movable = Movable {
        positions: mesh.positions.clone(),
        tetrahedra,
        at_node: &at_node,
    };
    let (kept, fixed, cutting) = match snapped {
        Some(snapped) => (Some(snapped.report), snapped.fixed, snapped.cutting),
        None => {
            let (nodes, facets) = (mesh.positions.len(), boundary.triangles.len());
            (None, vec![false; nodes], vec![false; facets])
        }
    };
    rims::smooth(&mut movable, &boundary, surface, solid, cell, &fixed);
    fit::fit(
        &mut movable,
        &boundary,
        surface,
        solid,
        cell,
        &fixed,
        &cutting,
    );
    mesh.positions = movable.positions;
    kept
}

fn check(surface: &SurfaceMesh, options: &StuffingOptions) -> Result<(), StuffingError> {
    if !(options.edge > 0.0 && options.edge.is_finite()) {
        return Err(StuffingError::BadEdge(options.edge));
    }
    if !(options.grading >= 1.0 && options.grading.is_finite()) {
        return Err(StuffingError::BadGrading(options.grading));
    }
    if let Some(angle) = options.features
        && !(angle > 0.0 && angle < std::f64::consts::PI)
    {
        return Err(StuffingError::BadFeatureAngle(angle.to_degrees()));
    }
    let diagonal = surface.diagonal();
    if diagonal == 0.0 {
        return Err(StuffingError::NoExtent);
    }
    // sixth powers of lengths occur in the solid angles
    if !(diagonal > 1e-30 && diagonal < 1e30) {
        return Err(StuffingError::Extreme(diagonal));
    }
    Ok(())
}

fn warn(
    report: &mut StuffingReport,
    prepared: &prepare::Prepared,
    options: &StuffingOptions,
    crumb_volume: f64,
) {
    let mut warnings = Vec::new();
    if prepared.dropped_triangles > 0 {
        warnings.push(format!(
            "{} triangle(s) of the surface were degenerate or repeated and were left out",
            prepared.dropped_triangles
        ));
    }
    if prepared.turned_triangles > 0 {
        warnings.push(format!(
            "{} triangle(s) of the surface faced the wrong way and were turned round",
            prepared.turned_triangles
        ));
    }
    if !report.closed {
        warnings.push(format!(
            "the surface is not closed ({} edge(s) lack a partner): inside is where the winding number exceeds 1/2",
            prepared.open_edges
        ));
    }
    if report.self_intersections > 0 {
        let count = report.self_intersections;
        let at_least = if count == INTERSECTION_LIMIT {
            "at least "
        } else {
            ""
        };
        warnings.push(format!(
            "the surface crosses itself ({at_least}{count} pair(s) of triangles): overlapping parts were joined"
        ));
    }
    if report.crumbs > 0 {
        warnings.push(format!(
            "{} small piece(s) that came loose because the part between is thinner than the edge length were left out \
             ({:.2} % of the volume)",
            report.crumbs,
            100.0 * crumb_volume / report.volume
        ));
    }
    if let Some(features) = &report.features
        && features.missed() > 0
    {
        warnings.push(format!(
            "{} of {} corner(s) and {} of {} node(s) on sharp edges could be kept within the angle bounds",
            features.corners_met, features.corners, features.edge_nodes_met, features.edge_nodes
        ));
    }
    let ratio = report.volume / report.surface_volume;
    if report.closed && report.self_intersections == 0 && (ratio - 1.0).abs() > 0.02 {
        warnings.push(format!(
            "the mesh has {:.1} % of the surface's volume: parts thinner than the edge length of {:.2e} m are \
             missing or rough; use a smaller edge length",
            100.0 * ratio,
            options.edge
        ));
    }
    let components = prepared.surface.components().0;
    if report.pieces > components {
        warnings.push(format!(
            "the mesh has {} separate pieces, but the surface only {components}: parts thinner than the edge length \
             broke; use a smaller one",
            report.pieces
        ));
    }
    if !report.manifold {
        warnings.push(
            "the boundary of the mesh touches itself at edges; a smaller edge length may separate the parts"
                .to_string(),
        );
    }
    report.warnings.extend(warnings);
}

/// Tetrahedra before cleaning.
struct Raw {
    positions: Vec<Vec3>,
    tetrahedra: Vec<[u32; 4]>,
}

#[derive(Debug)]
enum StuffError {
    TooLarge,
    Undecided,
}

impl From<TooLarge> for StuffError {
    fn from(_: TooLarge) -> StuffError {
        StuffError::TooLarge
    }
}

/// The algorithm for any solid, with the lattice moved by `shift` (m, less than a cell).
fn stuff(
    solid: &impl Solid,
    cell: f64,
    shift: Vec3,
    coarsest: u32,
    element_limit: usize,
) -> Result<Raw, StuffError> {
    // a cube inside has 12 tetrahedra; those near the boundary but outside have none
    let node_limit = element_limit.saturating_add(4096);
    let mut tree = Octree::new(solid, cell, shift, coarsest, node_limit)?;
    for _ in 0..ROUNDS {
        tree.balance()?;
        let lattice = Lattice::of(&tree);
        let places: Vec<Option<bool>> = lattice
            .vertices
            .iter()
            .map(|&k| place_of(&tree, half_cells(k)))
            .collect();
        let mut again = false;
        let sides = if solid.is_exact() {
            cut::sides(&tree, &lattice, solid, &places)
        } else {
            let sides = cut::sides(&tree, &lattice, solid, &vec![None; places.len()]);
            for (v, place) in places.iter().enumerate() {
                if place.is_some_and(|inside| inside != (sides[v] == Side::Inside)) {
                    again |= refine_around(&mut tree, half_cells(lattice.vertices[v]))?;
                }
            }
            if again {
                continue;
            }
            sides
        };
        let cut = cut::cut_and_warp(&tree, &lattice, solid, sides);
        for (t, _) in lattice.plain.iter().enumerate().filter(|(_, p)| !**p) {
            let nodes = lattice.tetrahedra[t];
            let side = |k: usize| cut.sides[nodes[k] as usize];
            if (0..4).any(|k| side(k) == Side::On || side(k) != side(0)) {
                for v in nodes {
                    again |= refine_around(&mut tree, half_cells(lattice.vertices[v as usize]))?;
                }
            }
        }
        if !again {
            let tetrahedra = stencil::fill(&lattice, &cut);
            return Ok(Raw {
                positions: cut.positions,
                tetrahedra,
            });
        }
    }
    Err(StuffError::Undecided)
}

/// Cells that touch the lattice vertex.
fn cells_around(at: [i32; 3]) -> impl Iterator<Item = [i32; 3]> {
    (0..8)
        .map(move |k| [0, 1, 2].map(|axis| (at[axis] - (k >> axis & 1)) >> 1))
        // an odd coordinate is in the middle of its cell
        .filter(move |c| (0..3).all(|axis| at[axis] % 2 == 0 || c[axis] == at[axis] >> 1))
}

/// Whether a leaf away from the boundary touches the vertex, and on which side it is.
fn place_of(tree: &Octree, at: [i32; 3]) -> Option<bool> {
    cells_around(at).find_map(|c| match tree.leaf_at(c)?.place {
        Place::Near => None,
        Place::Inside => Some(true),
        Place::Outside => Some(false),
    })
}

fn refine_around(tree: &mut Octree, at: [i32; 3]) -> Result<bool, TooLarge> {
    let mut changed = false;
    for c in cells_around(at) {
        changed |= tree.refine_fully(c)?;
    }
    Ok(changed)
}

/// Removes separate pieces smaller than a cube of the lattice, and small ones broken off a larger one of the same
/// component of the surface; returns how many and their volume, m³.
fn without_crumbs(
    mut raw: Raw,
    cell: f64,
    component_near: impl Fn(Vec3) -> u32,
) -> (Raw, usize, f64) {
    let mut parent: Vec<u32> = (0..raw.positions.len() as u32).collect();
    let root = |parent: &mut Vec<u32>, mut n: u32| {
        while parent[n as usize] != n {
            parent[n as usize] = parent[parent[n as usize] as usize];
            n = parent[n as usize];
        }
        n
    };
    for t in &raw.tetrahedra {
        for &n in &t[1..] {
            let (a, b) = (root(&mut parent, t[0]), root(&mut parent, n));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    let mut volumes = vec![0.0; raw.positions.len()];
    for t in &raw.tetrahedra {
        let [a, b, c, d] = t.map(|n| raw.positions[n as usize]);
        let top = root(&mut parent, t[0]) as usize;
        volumes[top] += (b - a).dot((c - a).cross(d - a)).abs() / 6.0;
    }
    // pieces as (component, volume, root), the largest of each component first
    let mut pieces: Vec<(u32, f64, usize)> = (0..volumes.len())
        .filter(|&n| volumes[n] > 0.0)
        .map(|n| (component_near(raw.positions[n]), volumes[n], n))
        .collect();
    pieces.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    let largest = pieces.iter().fold(0.0, |m: f64, p| m.max(p.1));
    let cube = cell.powi(3);
    let mut is_crumb = vec![false; volumes.len()];
    let (mut crumbs, mut crumb_volume) = (0, 0.0);
    for group in pieces.chunk_by(|a, b| a.0 == b.0) {
        for &(_, volume, n) in group {
            let speck = volume < CRUMB * cube && 100.0 * volume < largest;
            let splinter = volume < SPLINTER * group[0].1;
            if speck || splinter {
                is_crumb[n] = true;
                crumbs += 1;
                crumb_volume += volume;
            }
        }
    }
    if crumbs > 0 {
        raw.tetrahedra
            .retain(|t| !is_crumb[root(&mut parent, t[0]) as usize]);
    }
    (raw, crumbs, crumb_volume)
}

/// A mesh of the nodes in use, in their order.
fn compact(raw: Raw) -> Result<Mesh, MeshError> {
    let mut used = vec![false; raw.positions.len()];
    for &n in raw.tetrahedra.as_flattened() {
        used[n as usize] = true;
    }
    let mut new_index = vec![0; used.len()];
    let mut positions = Vec::new();
    for n in 0..used.len() {
        if used[n] {
            new_index[n] = positions.len() as u32;
            positions.push(raw.positions[n]);
        }
    }
    let tetrahedra = raw
        .tetrahedra
        .iter()
        .map(|t| t.map(|n| new_index[n as usize]))
        .collect();
    Ok(Mesh::single_region(positions, Elements::Tetrahedra(tetrahedra))?.0)
}
