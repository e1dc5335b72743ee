//! Cuts that are known beforehand: seams that open when their time comes.
//!
//! The model is built of meshes that are split along all cuts. Where a cut is still to come, its twins follow their masters: elements,
//! drives, joints and surfaces refer to the masters, whose masses include those of the twins, and the twins are carried along
//! without being unknowns. Opening a seam only takes such a reference back, so that numbers of nodes, elements and packs are
//! the same for the whole run, and a state needs no change.

use crate::drive::{Action, Drive, Faces};
use crate::element::ElementSet;
use crate::joint::{Anchor, Joint, JointKind};
use crate::model::{Body, Model, ModelError};
use crate::octet::Formulation;
use pliant_linalg::Vec3;
use pliant_mesh::Surface;
use pliant_mesh::surface::{led, unmatched};
use std::sync::Arc;

/// Share of a step by which a seam may open too early: what adding up times can miss.
const TIME_SLACK: f64 = 1e-6;

/// A cut that is to come.
#[derive(Clone, Debug, PartialEq)]
pub struct Seam {
    /// Name for reports.
    pub name: String,
    /// It opens before the first step that begins at this time or later, s.
    pub time: f64,
    /// Nodes, global, and the twins that it separates from them. A twin has the greater number, rests at the same place
    /// and is the twin of no other node.
    pub pairs: Vec<[u32; 2]>,
}

/// What depends on which seams are open, with all of them open.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    mass: Vec<f64>,
    mass_damping: Vec<f64>,
    node_stiffness: Vec<f64>,
    element_nodes: Vec<[u32; 4]>,
    elements: Arc<ElementSet>,
    surfaces: Vec<Surface>,
    drives: Vec<Drive>,
    pub joints: Vec<Joint>,
}

/// The seams of a model and which of them are open.
#[derive(Clone, Debug, Default)]
pub struct Seams {
    list: Vec<Seam>,
    open: usize,
    /// Twins of closed seams and the nodes that they follow, ascending.
    followers: Vec<[u32; 2]>,
    split: Option<Arc<Split>>,
}

impl Seams {
    /// All seams, in the order of their times.
    pub fn all(&self) -> &[Seam] {
        &self.list
    }

    /// How many of them are open: the first ones.
    pub fn open(&self) -> usize {
        self.open
    }

    /// How many are open in the step that begins at `time`, with steps of length `h`.
    pub fn due(&self, time: f64, h: f64) -> usize {
        let reached = |seam: &Seam| seam.time <= time + TIME_SLACK * h;
        self.list.partition_point(reached)
    }

    /// Twins of closed seams, each with the node that it follows; they are no unknowns and belong to no element.
    pub fn followers(&self) -> &[[u32; 2]] {
        &self.followers
    }

    /// The node that stands for `node` at present.
    pub fn leader(&self, node: u32) -> u32 {
        let place = self.followers.binary_search_by_key(&node, |f| f[0]);
        place.map_or(node, |place| self.followers[place][1])
    }
}

impl Model {
    /// The model with seams, in the order of their times, all of them closed. Its bodies are split along all of them: drives, joints
    /// and elements name twins as if the seams were open.
    pub fn with_seams(mut self, seams: Vec<Seam>) -> Result<Model, ModelError> {
        let mut is_twin = vec![false; self.node_count()];
        for (index, seam) in seams.iter().enumerate() {
            let before = index.checked_sub(1).map(|before| seams[before].time);
            check(&self, seam, before, &mut is_twin).map_err(|reason| ModelError::Seam {
                seam: seam.name.clone(),
                reason: reason.into(),
            })?;
        }
        if seams.is_empty() {
            return Ok(self);
        }
        let surfaces = self.bodies.iter().map(|body| body.surface.clone());
        self.seams = Seams {
            list: seams,
            open: 0,
            followers: Vec::new(),
            split: Some(Arc::new(Split {
                surfaces: surfaces.collect(),
                mass: self.mass.clone(),
                mass_damping: self.mass_damping.clone(),
                node_stiffness: self.node_stiffness.clone(),
                element_nodes: self.element_nodes.clone(),
                elements: self.elements.clone(),
                drives: self.drives.clone(),
                joints: self.joints.clone(),
            })),
        };
        self.open_seams(0);
        Ok(self)
    }

    /// Opens the first `open` seams and closes the others.
    pub(crate) fn open_seams(&mut self, open: usize) {
        let Some(split) = self.seams.split.clone() else {
            return;
        };
        let open = open.min(self.seams.list.len());
        let leaders = self.leaders(open);
        let pairs = (0u32..).zip(&leaders);
        let followers = pairs.filter(|(node, leader)| node != *leader);
        self.seams.followers = followers.map(|(node, &leader)| [node, leader]).collect();
        self.seams.open = open;

        let lumped = |of_nodes: &[f64]| {
            let mut sums = vec![0.0; of_nodes.len()];
            for (&leader, &own) in leaders.iter().zip(of_nodes) {
                sums[leader as usize] += own;
            }
            sums
        };
        self.mass = lumped(&split.mass);
        self.mass_damping = lumped(&split.mass_damping);
        self.node_stiffness = lumped(&split.node_stiffness);
        self.element_nodes = led(&split.element_nodes, &leaders);
        self.elements = match self.seams.followers.is_empty() {
            true => split.elements.clone(),
            false => Arc::new(split.elements.joined(&leaders)),
        };
        for (body, surface) in self.bodies.iter_mut().zip(&split.surfaces) {
            let first = body.nodes.start as u32;
            let own: Vec<u32> = leaders[body.nodes.clone()]
                .iter()
                .map(|leader| leader - first)
                .collect();
            body.surface = surface.joined(&own);
        }
        self.drives = (split.drives.iter())
            .map(|drive| joined_drive(drive, &leaders))
            .collect();
        self.joints = (split.joints.iter())
            .map(|joint| joined_joint(joint, &leaders))
            .collect();
    }

    /// The node that stands for each node while the first `open` seams are open.
    fn leaders(&self, open: usize) -> Vec<u32> {
        let closed = self.seams.list.iter().skip(open);
        let mut pairs: Vec<[u32; 2]> = closed.flat_map(|s| s.pairs.iter().copied()).collect();
        pairs.sort_unstable_by_key(|pair| pair[1]);
        let mut leaders: Vec<u32> = (0..self.node_count() as u32).collect();
        for [master, twin] in pairs {
            leaders[twin as usize] = leaders[master as usize];
        }
        leaders
    }

    /// Replaces the joints, which name nodes as if all seams were open.
    pub(crate) fn set_joints(&mut self, joints: Vec<Joint>) {
        match &mut self.seams.split {
            None => self.joints = joints,
            Some(split) => {
                Arc::make_mut(split).joints = joints;
                self.open_seams(self.seams.open);
            }
        }
    }

    /// The drives as if all seams were open.
    pub(crate) fn split_drives(&self) -> &[Drive] {
        let split = self.seams.split.as_deref();
        split.map_or(&self.drives, |split| &split.drives)
    }

    /// The joints as if all seams were open.
    pub(crate) fn split_joints(&self) -> &[Joint] {
        let split = self.seams.split.as_deref();
        split.map_or(&self.joints, |split| &split.joints)
    }

    /// Replaces the drives, which name nodes as if all seams were open.
    pub(crate) fn set_drives(&mut self, drives: Vec<Drive>) {
        let Some(split) = &mut self.seams.split else {
            self.drives = drives;
            self.find_whole_faces();
            return;
        };
        Arc::make_mut(split).drives = drives;
        let leaders = self.leaders(self.seams.open);
        let split = self.split_drives().iter();
        self.drives = split.map(|drive| joined_drive(drive, &leaders)).collect();
    }

    /// Puts the twins of closed seams where the nodes are that they follow.
    pub(crate) fn carry_twins(&self, x: &mut [Vec3], v: &mut [Vec3]) {
        for [twin, leader] in self.seams.followers.iter().map(|f| f.map(|n| n as usize)) {
            x[twin] = x[leader];
            v[twin] = v[leader];
        }
    }

    /// Nodes of a body that are no twins of closed seams.
    pub(crate) fn present_node_count(&self, body: &Body) -> usize {
        let followers = &self.seams.followers;
        let before = |node: usize| followers.partition_point(|f| (f[0] as usize) < node);
        body.nodes.len() - (before(body.nodes.end) - before(body.nodes.start))
    }

    /// Corners of each element as if all seams were open, so that every node belongs to an element.
    pub fn split_element_nodes(&self) -> &[[u32; 4]] {
        let split = self.seams.split.as_ref();
        split.map_or(&self.element_nodes, |split| &split.element_nodes)
    }

    /// Lumped masses as if all seams were open, kg.
    pub fn split_mass(&self) -> &[f64] {
        let split = self.seams.split.as_ref();
        split.map_or(&self.mass, |split| &split.mass)
    }

    /// The boundary of a body, given by its place, as if all seams were open: the faces of closed ones lie upon each other inside.
    pub fn split_surface(&self, body: usize) -> &Surface {
        let split = self.seams.split.as_ref();
        split.map_or(&self.bodies[body].surface, |split| &split.surfaces[body])
    }
}

/// What is wrong with a seam, if anything is.
fn check(
    model: &Model,
    seam: &Seam,
    before: Option<f64>,
    is_twin: &mut [bool],
) -> Result<(), &'static str> {
    let require = |ok: bool, reason| if ok { Ok(()) } else { Err(reason) };
    let possible = seam.time >= 0.0 && seam.time.is_finite();
    require(possible, "its time must be finite and not negative")?;
    let in_order = before.is_none_or(|before| before <= seam.time);
    require(
        in_order,
        "it opens before the one in front of it: sort them by time",
    )?;
    require(!seam.pairs.is_empty(), "it separates no nodes")?;
    for &[master, twin] in &seam.pairs {
        let [a, b] = [master as usize, twin as usize];
        require(
            a < b && b < model.node_count(),
            "a twin must be a node of the model with a greater number than its master",
        )?;
        let body = model.body_index_of_node(a);
        require(
            body.is_some_and(|body| model.bodies[body].formulation == Formulation::Linear),
            "only bodies of linear elements can be cut: give the body the element tet4",
        )?;
        require(
            body == model.body_index_of_node(b),
            "a node and its twin must belong to one body",
        )?;
        require(
            body.is_some_and(|body| model.bodies[body].rigid.is_none()),
            "rigid bodies cannot be cut",
        )?;
        require(
            model.rest[a] == model.rest[b],
            "a twin must rest where its master does",
        )?;
        let first = !std::mem::replace(&mut is_twin[b], true);
        require(first, "a node is the twin of two others")?;
    }
    Ok(())
}

/// Leaders of nodes, sorted, each once.
fn joined_nodes(nodes: &[u32], leaders: &[u32]) -> Vec<u32> {
    let mut joined: Vec<u32> = nodes.iter().map(|&n| leaders[n as usize]).collect();
    joined.sort_unstable();
    joined.dedup();
    joined
}

/// A drive on the nodes that are there: a force is shared by those, and facets that lie inside are not loaded.
fn joined_drive(drive: &Drive, leaders: &[u32]) -> Drive {
    let mut drive = drive.clone();
    match &mut drive.action {
        Action::Prescribe { nodes, .. }
        | Action::Skin { nodes, .. }
        | Action::Force { nodes, .. }
        | Action::Accelerate { nodes, .. }
        | Action::Spring { nodes, .. } => *nodes = joined_nodes(nodes, leaders),
        Action::Traction { faces, .. } => match faces {
            Faces::Triangles(list) => *list = outer(list, leaders),
            Faces::Edges(list, _) => *list = outer(list, leaders),
        },
    }
    drive
}

fn outer<const N: usize>(facets: &[[u32; N]], leaders: &[u32]) -> Vec<[u32; N]> {
    let facets = led(facets, leaders);
    unmatched(&facets).into_iter().map(|f| facets[f]).collect()
}

/// A joint on the nodes that are there; what it would tie twice it ties once.
fn joined_joint(joint: &Joint, leaders: &[u32]) -> Joint {
    let mut joint = joint.clone();
    let lead = |anchor: &mut Anchor| match anchor {
        Anchor::Node(node) => *node = leaders[*node as usize],
        Anchor::Element { nodes, .. } => *nodes = nodes.map(|n| leaders[n as usize]),
        Anchor::Rigid { .. } | Anchor::World { .. } => {}
    };
    match &mut joint.kind {
        JointKind::Attachment { pairs } => {
            pairs.as_flattened_mut().iter_mut().for_each(lead);
            once(pairs);
        }
        JointKind::Slide { points, .. } => {
            points.iter_mut().for_each(lead);
            once(points);
        }
        JointKind::Distance { ends, .. } => ends.iter_mut().for_each(lead),
        JointKind::Cable { points, .. } => points.iter_mut().for_each(lead),
        JointKind::Cavity { walls, .. } => match walls {
            Faces::Triangles(list) => *list = led(list, leaders),
            Faces::Edges(list, _) => *list = led(list, leaders),
        },
        JointKind::Hinge { .. } => {}
    }
    joint
}

/// Leaves the first of equal entries.
fn once<T: PartialEq>(list: &mut Vec<T>) {
    let mut kept: Vec<T> = Vec::with_capacity(list.len());
    for entry in list.drain(..) {
        if !kept.contains(&entry) {
            kept.push(entry);
        }
    }
    *list = kept;
}
