//! What is wrong with a mesh: every finding names the elements or nodes, and says whether a simulation refuses it.

use super::coincident::coincident;
use super::folds::folded;
use super::{Inspection, Kind, SLIVER, State, state, unchecked};
use crate::adjacency::{self, NO_NEIGHBOUR};
use crate::components::Components;
use crate::file::RawMesh;
use crate::file::runs::Runs;
use crate::intersect::self_intersections;
use crate::mesh::{Elements, Mesh};
use crate::surface::Surface;
use crate::surface_mesh::SurfaceMesh;

/// Ids that a finding lists at most.
const LISTED: usize = 10;

/// Pairs of intersecting triangles that are counted at most.
const INTERSECTIONS: usize = 10_000;

/// A mesh may be this many times its own size away from the origin before edges lose digits that matter.
pub const FARTHEST: f64 = 1e6;

/// Bodies larger or smaller than this, m, are probably in another unit.
const PLAUSIBLE: [f64; 2] = [1e-3, 100.0];

/// What a finding means for a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It refuses the mesh.
    Blocks,
    /// It runs, but the result may be bad.
    Warns,
    /// It is put right whenever the mesh is read.
    Mended,
    /// Good to know.
    Notes,
}

impl Severity {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Blocks => "blocks",
            Severity::Warns => "warns",
            Severity::Mended => "mended",
            Severity::Notes => "notes",
        }
    }
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// Elements of other kinds than tetrahedra and triangles.
    UnsupportedElements,
    /// Nothing to simulate.
    Empty,
    /// A surface instead of a body.
    OnlyASurface,
    /// Elements that list a node twice.
    RepeatedNodes,
    /// Elements without volume.
    FlatElements,
    /// Elements with the nodes of another.
    DuplicateElements,
    /// Elements with negative orientation.
    InvertedElements,
    /// Elements that overlap a neighbour.
    FoldedElements,
    /// Elements with a very small angle.
    Slivers,
    /// Nodes in the same place.
    DuplicateNodes,
    /// Nodes in no element.
    UnreferencedNodes,
    /// Faces of three or more elements.
    OversharedFaces,
    /// Edges of the surface where more than two faces meet.
    NonManifoldEdges,
    /// Parts that hang together by edges or nodes only.
    Hinges,
    /// A surface with holes.
    OpenSurface,
    /// Neighbouring triangles that look to opposite sides.
    InconsistentOrientation,
    /// A surface that looks inwards.
    InsideOut,
    /// Triangles that cut through each other.
    SelfIntersections,
    /// More than one piece.
    Pieces,
    /// A size that suggests another unit.
    ImplausibleUnits,
    /// Too far from the origin for its size.
    FarFromOrigin,
}

impl FindingKind {
    /// The name in `--json`.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::UnsupportedElements => "unsupported-elements",
            FindingKind::Empty => "empty",
            FindingKind::OnlyASurface => "only-a-surface",
            FindingKind::RepeatedNodes => "repeated-nodes",
            FindingKind::FlatElements => "flat-elements",
            FindingKind::DuplicateElements => "duplicate-elements",
            FindingKind::InvertedElements => "inverted-elements",
            FindingKind::FoldedElements => "folded-elements",
            FindingKind::Slivers => "slivers",
            FindingKind::DuplicateNodes => "duplicate-nodes",
            FindingKind::UnreferencedNodes => "unreferenced-nodes",
            FindingKind::OversharedFaces => "overshared-faces",
            FindingKind::NonManifoldEdges => "non-manifold-edges",
            FindingKind::Hinges => "hinges",
            FindingKind::OpenSurface => "open-surface",
            FindingKind::InconsistentOrientation => "inconsistent-orientation",
            FindingKind::InsideOut => "inside-out",
            FindingKind::SelfIntersections => "self-intersections",
            FindingKind::Pieces => "pieces",
            FindingKind::ImplausibleUnits => "implausible-units",
            FindingKind::FarFromOrigin => "far-from-origin",
        }
    }
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// What it means.
    pub severity: Severity,
    /// How many there are.
    pub count: usize,
    /// The first of them, in the ids of the file: elements, or nodes where the finding is about nodes.
    pub ids: Vec<u64>,
    /// One sentence.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

/// All findings about a mesh, the worst first.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The findings.
    pub findings: Vec<Finding>,
}

impl Check {
    /// Whether a simulation refuses the mesh.
    pub fn blocks(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Blocks)
    }

    /// The finding of a kind.
    pub fn find(&self, kind: FindingKind) -> Option<&Finding> {
        self.findings.iter().find(|f| f.kind == kind)
    }
}

const REPAIR: &str = "`pliant mesh repair` mends this";

/// Looks for everything that may be wrong. `metres` is the length of the file's unit.
pub fn check(raw: &RawMesh, metres: f64) -> Check {
    let mut found = Findings {
        list: Vec::new(),
        raw,
        kind: Kind::of(raw),
    };
    found.kinds_of_elements();
    if found.kind != Kind::Nothing {
        let (mesh, kept) = unchecked(raw);
        found.elements(&mesh);
        found.nodes(&kept);
        found.topology(&mesh);
        found.size(metres);
    }
    found.list.sort_by_key(|f| f.severity);
    Check {
        findings: found.list,
    }
}

struct Findings<'a> {
    list: Vec<Finding>,
    raw: &'a RawMesh,
    kind: Kind,
}

impl Findings<'_> {
    fn add(
        &mut self,
        kind: FindingKind,
        severity: Severity,
        count: usize,
        ids: Vec<u64>,
        message: String,
        help: &str,
    ) {
        self.list.push(Finding {
            kind,
            severity,
            count,
            ids,
            message,
            help: help.to_string(),
        });
    }

    /// Adds a finding about elements given by index, if there are any.
    fn add_elements(
        &mut self,
        kind: FindingKind,
        severity: Severity,
        elements: &[usize],
        what: &str,
        help: &str,
    ) {
        if elements.is_empty() {
            return;
        }
        let of_elements = if self.kind == Kind::Solid {
            &self.raw.tetrahedra.ids
        } else {
            &self.raw.triangles.ids
        };
        let ids = listed(elements.iter().copied(), of_elements);
        let message = format!("{} element(s) {what}", elements.len());
        self.add(kind, severity, elements.len(), ids, message, help);
    }

    fn kinds_of_elements(&mut self) {
        let needed = match self.kind {
            Kind::Solid => 3,
            _ => 2,
        };
        let refused: Vec<_> = self
            .raw
            .skipped
            .iter()
            .filter(|(k, _)| k.dimension() >= needed)
            .collect();
        if !refused.is_empty() {
            let count = refused.iter().map(|r| r.1.count).sum();
            let kinds: Vec<String> = refused
                .iter()
                .map(|(kind, s)| format!("{} {}", s.count, kind.name()))
                .collect();
            let message = format!("elements that are not supported: {}", kinds.join(", "));
            let help =
                "export the mesh with linear tetrahedra, or linear triangles for a plane body";
            self.add(
                FindingKind::UnsupportedElements,
                Severity::Blocks,
                count,
                Vec::new(),
                message,
                help,
            );
        }
        match self.kind {
            Kind::Nothing => {
                let message = "neither tetrahedra nor triangles".to_string();
                let help = "export the volume mesh, not only its points or edges";
                self.add(
                    FindingKind::Empty,
                    Severity::Blocks,
                    0,
                    Vec::new(),
                    message,
                    help,
                );
            }
            Kind::Surface => {
                let message = "a surface: there is nothing inside it to deform".to_string();
                let help = "fill it with `pliant mesh tetrahedralize`";
                self.add(
                    FindingKind::OnlyASurface,
                    Severity::Blocks,
                    1,
                    Vec::new(),
                    message,
                    help,
                );
            }
            _ => {}
        }
    }

    fn elements(&mut self, mesh: &Mesh) {
        let count = mesh.element_count();
        let repeats = |e: usize| {
            let nodes = mesh.nodes_of(e);
            (1..nodes.len()).any(|i| nodes[..i].contains(&nodes[i]))
        };
        let repeated: Vec<usize> = (0..count).filter(|&e| repeats(e)).collect();
        let is_repeated = |e: &usize| repeated.binary_search(e).is_ok();
        let of_state = |wanted: State| -> Vec<usize> {
            (0..count)
                .filter(|e| !is_repeated(e) && state(mesh, *e) == wanted)
                .collect()
        };
        let flat = of_state(State::Flat);
        self.add_elements(
            FindingKind::RepeatedNodes,
            Severity::Blocks,
            &repeated,
            "list a node twice",
            "`pliant mesh repair` removes them",
        );
        self.add_elements(
            FindingKind::FlatElements,
            Severity::Blocks,
            &flat,
            "have no volume",
            "`pliant mesh repair` moves nodes, changes connections and removes what stays flat",
        );
        let duplicates = duplicates(&mesh.elements);
        self.add_elements(
            FindingKind::DuplicateElements,
            Severity::Blocks,
            &duplicates,
            "have the same nodes as another one",
            "`pliant mesh repair` removes them",
        );
        if self.kind != Kind::Surface {
            self.add_elements(
                FindingKind::InvertedElements,
                Severity::Mended,
                &of_state(State::Inverted),
                "have negative orientation",
                "they are turned round when the mesh is read",
            );
            self.add_elements(
                FindingKind::FoldedElements,
                Severity::Warns,
                &folded(mesh),
                "overlap the element across one of their faces",
                "the mesh is folded there, and the volume counts twice: move the node that lies outside its neighbours, or mesh the part again",
            );
        }
        let inspection = Inspection::of(self.raw);
        let slivers: Vec<usize> = (0..count)
            .filter(|e| inspection.min_angles[*e] < SLIVER && !is_repeated(e))
            .filter(|e| flat.binary_search(e).is_err())
            .collect();
        let what = match self.kind {
            Kind::Solid => "are slivers: a dihedral angle is below 5°",
            _ => "are slivers: a corner angle is below 5°",
        };
        self.add_elements(
            FindingKind::Slivers,
            Severity::Warns,
            &slivers,
            what,
            "they make solvers slow and results stiff: `pliant mesh repair` moves nodes inside the body and changes connections",
        );
    }

    fn nodes(&mut self, kept: &[u32]) {
        let unused = self.raw.positions.len() - kept.len();
        if unused > 0 {
            let mut next = 0;
            let is_unused = |n: &usize| {
                if kept.get(next) == Some(&(*n as u32)) {
                    next += 1;
                    return false;
                }
                true
            };
            let unused_nodes = (0..self.raw.positions.len()).filter(is_unused);
            let ids = listed(unused_nodes, &self.raw.node_ids);
            let message = format!("{unused} node(s) are used by no element");
            let help = "they are removed when the mesh is read";
            self.add(
                FindingKind::UnreferencedNodes,
                Severity::Mended,
                unused,
                ids,
                message,
                help,
            );
        }
        let first = coincident(&self.raw.positions);
        let same = || (0..first.len()).filter(|&n| first[n] != n as u32);
        let count = same().count();
        if count > 0 {
            let ids = listed(same(), &self.raw.node_ids);
            let message = format!("{count} node(s) are in the same place as another one");
            let help = "the parts are not connected there: `pliant mesh repair` joins them";
            self.add(
                FindingKind::DuplicateNodes,
                Severity::Warns,
                count,
                ids,
                message,
                help,
            );
        }
    }

    fn topology(&mut self, mesh: &Mesh) {
        let components = Components::of(mesh);
        if components.count > 1 {
            let mut sizes = vec![0; components.count];
            components
                .of_element
                .iter()
                .for_each(|&c| sizes[c as usize] += 1);
            let shown: Vec<String> = sizes.iter().take(LISTED).map(usize::to_string).collect();
            let dots = if sizes.len() > LISTED { ", …" } else { "" };
            let message = format!(
                "{} pieces that share no node, of {}{dots} elements",
                components.count,
                shown.join(", ")
            );
            let help = "pieces move independently of each other";
            self.add(
                FindingKind::Pieces,
                Severity::Notes,
                components.count,
                Vec::new(),
                message,
                help,
            );
        }
        let boundary = Surface::of(mesh);
        let parts = face_parts(mesh);
        let conforming = boundary.overshared_faces == 0;
        if parts > components.count && conforming && self.kind != Kind::Surface {
            let message = format!(
                "{} part(s) hang on the rest by an edge or a node only",
                parts - components.count
            );
            let help = "such a hinge turns freely: join the parts, or make them separate bodies";
            let count = parts - components.count;
            self.add(
                FindingKind::Hinges,
                Severity::Warns,
                count,
                Vec::new(),
                message,
                help,
            );
        }
        if boundary.overshared_faces > 0 && self.kind != Kind::Surface {
            let count = boundary.overshared_faces;
            let message = format!("{count} face(s) belong to three or more elements");
            let help = "elements overlap there: remove the wrong ones and mesh the part again";
            self.add(
                FindingKind::OversharedFaces,
                Severity::Warns,
                count,
                Vec::new(),
                message,
                help,
            );
        }
        let surface = match &mesh.elements {
            Elements::Tetrahedra(_) => SurfaceMesh::of(mesh).ok(),
            Elements::Triangles(list) if self.kind == Kind::Surface => {
                SurfaceMesh::new(mesh.positions.clone(), list.clone()).ok()
            }
            Elements::Triangles(_) => None,
        };
        if let Some(surface) = surface {
            self.surface(&surface);
        }
    }

    /// Findings about the surface, or about the boundary of a solid.
    fn surface(&mut self, surface: &SurfaceMesh) {
        let topology = surface.topology();
        let is_surface = self.kind == Kind::Surface;
        if topology.non_manifold_edges > 0 {
            let count = topology.non_manifold_edges;
            let message =
                format!("{count} edge(s) of the surface where more than two triangles meet");
            let help = "parts touch along edges there, which contact detection treats as one";
            self.add(
                FindingKind::NonManifoldEdges,
                Severity::Warns,
                count,
                Vec::new(),
                message,
                help,
            );
        }
        if is_surface && topology.boundary_edges > 0 {
            let count = topology.boundary_edges;
            let message =
                format!("the surface is open: {count} edge(s) belong to one triangle only");
            let help = "`pliant mesh tetrahedralize` closes holes by winding numbers; close them in a modeller for an exact shape";
            self.add(
                FindingKind::OpenSurface,
                Severity::Warns,
                count,
                Vec::new(),
                message,
                help,
            );
        }
        if is_surface && topology.inconsistent_edges > 0 {
            let count = topology.inconsistent_edges;
            let message =
                format!("neighbouring triangles look to opposite sides at {count} edge(s)");
            self.add(
                FindingKind::InconsistentOrientation,
                Severity::Warns,
                count,
                Vec::new(),
                message,
                REPAIR,
            );
        }
        if is_surface && topology.is_closed() && surface.enclosed_volume() < 0.0 {
            let message = "the surface is inside out: it encloses a negative volume".to_string();
            self.add(
                FindingKind::InsideOut,
                Severity::Warns,
                1,
                Vec::new(),
                message,
                REPAIR,
            );
        }
        let pairs = self_intersections(surface, INTERSECTIONS);
        if !pairs.is_empty() {
            let count = pairs.len();
            let more = if count >= INTERSECTIONS {
                " or more"
            } else {
                ""
            };
            let ids = if is_surface {
                let triangles = pairs.iter().flatten().map(|&t| t as usize);
                listed(triangles, &self.raw.triangles.ids)
            } else {
                Vec::new()
            };
            let message =
                format!("{count}{more} pair(s) of triangles of the surface cut through each other");
            let help = match is_surface {
                true => "`pliant mesh tetrahedralize` fills what the surface winds around",
                false => "the body overlaps itself at rest: self-contact would push it apart",
            };
            self.add(
                FindingKind::SelfIntersections,
                Severity::Warns,
                count,
                ids,
                message,
                help,
            );
        }
    }

    fn size(&mut self, metres: f64) {
        let (low, high) = super::bounds(&self.raw.positions);
        let extent = (high - low).max_abs() * metres;
        let [least, most] = PLAUSIBLE;
        if extent > most || extent < least {
            let guess = [("mm", 1e-3), ("cm", 1e-2), ("µm", 1e-6), ("in", 0.0254)]
                .into_iter()
                .find(|(_, m)| {
                    let size = extent / metres * m;
                    (least..=most / 10.0).contains(&size)
                });
            let message = format!("the mesh is {} across", length(extent));
            let help = match guess {
                Some((unit, m)) => format!(
                    "if the file is in {unit} it is {}: say unit = \"{unit}\" in the scene, or `--unit {unit}` here",
                    length(extent / metres * m)
                ),
                None => "if that is not meant, scale it in the scene".to_string(),
            };
            self.add(
                FindingKind::ImplausibleUnits,
                Severity::Warns,
                1,
                Vec::new(),
                message,
                &help,
            );
        }
        let distance = low.max_abs().max(high.max_abs());
        let size = (high - low).norm();
        if distance > FARTHEST * size {
            let message = format!(
                "the mesh lies {} away from the origin, {:.1e} times its size: too far for its coordinates",
                length(distance * metres),
                distance / size
            );
            self.add(
                FindingKind::FarFromOrigin,
                Severity::Blocks,
                1,
                Vec::new(),
                message,
                "`pliant mesh repair` moves it to the origin",
            );
        }
    }
}

/// A length with a fitting unit.
fn length(metres: f64) -> String {
    match metres {
        m if m >= 1000.0 => format!("{:.4} km", m / 1000.0),
        m if m >= 1.0 => format!("{m:.4} m"),
        m if m >= 1e-3 => format!("{:.4} mm", m * 1e3),
        m => format!("{:.4} µm", m * 1e6),
    }
}

/// The first few as ids of the file.
fn listed(indices: impl Iterator<Item = usize>, ids: &Runs) -> Vec<u64> {
    indices
        .take(LISTED)
        .map(|i| ids.get(i).unwrap_or(i as u64))
        .collect()
}

/// Elements with the same nodes as an earlier one, ascending.
pub fn duplicates(elements: &Elements) -> Vec<usize> {
    let key = |(e, nodes): (usize, &[u32])| {
        let mut key = [u32::MAX; 4];
        key[..nodes.len()].copy_from_slice(nodes);
        key.sort_unstable();
        (key, e)
    };
    let mut keys: Vec<([u32; 4], usize)> = elements.iter().enumerate().map(key).collect();
    keys.sort_unstable();
    let mut list: Vec<usize> = keys
        .windows(2)
        .filter(|w| w[0].0 == w[1].0)
        .map(|w| w[1].1)
        .collect();
    list.sort_unstable();
    list
}

/// Number of parts whose elements share faces (edges in 2D).
fn face_parts(mesh: &Mesh) -> usize {
    let neighbours = adjacency::element_neighbours(mesh);
    let mut seen = vec![false; neighbours.len()];
    let mut parts = 0;
    let mut stack = Vec::new();
    for start in 0..neighbours.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        parts += 1;
        stack.push(start);
        while let Some(e) = stack.pop() {
            for &n in neighbours[e].iter().filter(|&&n| n != NO_NEIGHBOUR) {
                if !std::mem::replace(&mut seen[n as usize], true) {
                    stack.push(n as usize);
                }
            }
        }
    }
    parts
}
