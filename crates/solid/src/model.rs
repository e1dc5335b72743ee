//! The constant part of a simulation: bodies, masses, elements, drives.

mod build;
mod error;

pub use error::ModelError;

use crate::contact::{ContactError, ContactModel, Response};
use crate::drive::{Drive, WholeFaces};
use crate::element::ElementSet;
use crate::joint::Joint;
use crate::material::MaterialSpecification;
use crate::octet::Formulation;
use crate::profile::Profile;
use crate::rig::Rig;
use crate::rigid::{self, Mobility, RigidModel, RigidState};
use crate::seam::Seams;
use crate::state::{Ledger, State};
use crate::subspace::Trained;
use pliant_linalg::Vec3;
use pliant_mesh::{Mesh, Surface};
use std::ops::Range;
use std::sync::Arc;

/// One body as given by the user; nodes and elements are those of its mesh.
#[derive(Clone, Debug)]
pub struct BodySpecification {
    /// Name for reports.
    pub name: String,
    /// Rest shape, m.
    pub mesh: Mesh,
    /// The materials used.
    pub materials: Vec<MaterialSpecification>,
    /// For each element an index into `materials`.
    pub material_of: Vec<u32>,
    /// Fibre direction of each element, unit length; may be empty when no material has fibres.
    pub fibres: Vec<Vec3>,
    /// Thickness of a planar body, m; not used for tetrahedra.
    pub thickness: f64,
    /// Initial velocity of the centre of mass, m/s.
    pub velocity: Vec3,
    /// Initial angular velocity about the centre of mass, rad/s.
    pub spin: Vec3,
    /// Makes the body rigid; of its materials only the density counts then.
    pub rigid: Option<Mobility>,
    /// Nodes of the mesh that may be dynamic in methods in which few are [WKS20, §3]; none given: the method chooses, an empty list:
    /// there are none.
    pub representatives: Option<Vec<u32>>,
    /// Whether methods that take quiet parts of bodies for rigid may do so here.
    pub may_rigidify: bool,
    /// Its skeleton; [`Rig::drive`] makes the drive that moves it.
    pub rig: Option<Arc<Rig>>,
    /// What its elements make of its nodes; all but linear ones need a mesh of octets ([`Mesh::with_octets`]). Rigid bodies do without.
    pub formulation: Formulation,
}

impl BodySpecification {
    /// A body of one material, at rest.
    pub fn uniform(name: impl Into<String>, mesh: Mesh, material: MaterialSpecification) -> Self {
        BodySpecification {
            name: name.into(),
            material_of: vec![0; mesh.element_count()],
            mesh,
            materials: vec![material],
            fibres: Vec::new(),
            thickness: 1.0,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            rigid: None,
            representatives: None,
            may_rigidify: true,
            rig: None,
            formulation: Formulation::Linear,
        }
    }
}

/// A body of a model: ranges of the model's nodes and elements.
#[derive(Clone, Debug)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Its nodes.
    pub nodes: Range<usize>,
    /// Its elements.
    pub elements: Range<usize>,
    /// Its boundary at present, in the body's own node numbers.
    pub surface: Surface,
    /// Whether it is planar (triangles).
    pub planar: bool,
    /// Its place among the rigid bodies, if it is one: its nodes follow its pose and have no mass of their own.
    pub rigid: Option<usize>,
    /// Nodes of the model that may be dynamic, see [`BodySpecification::representatives`]; each once, in the order given.
    pub representatives: Option<Vec<u32>>,
    /// Whether quiet parts may be taken for rigid, see [`BodySpecification::may_rigidify`].
    pub may_rigidify: bool,
    /// Its skeleton.
    pub rig: Option<Arc<Rig>>,
    /// What its elements make of its nodes.
    pub formulation: Formulation,
    /// The outward six-node faces of its boundary, in the body's own node numbers; only of quadratic bodies.
    pub six_node_faces: Vec<[u32; 6]>,
}

/// The constant part of a simulation; constant but for seams that open, see [`crate::seam`].
#[derive(Clone, Debug)]
pub struct Model {
    /// Bodies, in the order given.
    pub bodies: Vec<Body>,
    /// Rest positions of all nodes, m.
    pub rest: Vec<Vec3>,
    /// Lumped mass of all nodes, kg; zero for those of rigid bodies and for twins of closed seams.
    pub mass: Vec<f64>,
    /// α₀-weighted lumped mass, kg/s: Σ ¼ α₀ρV over the incident elements (METHODS 0.6).
    pub mass_damping: Vec<f64>,
    /// Elastic stiffness of all nodes at rest, N/m: Σ V (λ+4μ)/3 |g|² over the incident elements, the mean of the
    /// diagonal of the node's block of K; in the plane V (λ+3μ)/2 |g|². Scales contact.
    pub node_stiffness: Vec<f64>,
    /// Corners of each element at present, global nodes; triangles repeat their first.
    pub element_nodes: Vec<[u32; 4]>,
    /// Rest volume of each element, m³.
    pub element_volumes: Vec<f64>,
    /// The elements for the kernels.
    pub elements: Arc<ElementSet>,
    /// Activation of each fibre channel in time.
    pub activations: Vec<Profile>,
    /// Gravitational acceleration, m/s².
    pub gravity: Vec3,
    /// Drives.
    pub drives: Vec<Drive>,
    /// For each drive the six-node faces that it loads, if there are quadratic bodies.
    pub whole_faces: Vec<Option<WholeFaces>>,
    /// What the bodies may touch.
    pub contact: ContactModel,
    /// Rigid bodies, in the order of their bodies, and chains of them.
    pub rigid: RigidModel,
    /// What ties bodies to each other and to the world.
    pub joints: Vec<Joint>,
    /// Cuts to come; elements, surfaces, masses, drives and joints are those between the ones that are open.
    pub seams: Seams,
    /// Trained spaces of bodies, for the method `subspace`.
    pub trained: Vec<Trained>,
    initial_velocities: Vec<Vec3>,
}

impl Model {
    /// Checks and assembles the specifications; drives name nodes as if the bodies were concatenated.
    pub fn build(
        bodies: Vec<BodySpecification>,
        drives: Vec<Drive>,
        gravity: Vec3,
    ) -> Result<Model, ModelError> {
        Model::build_articulated(bodies, Vec::new(), drives, gravity)
    }

    /// [`Self::build`] with chains of rigid bodies; links are bodies whose mobility says so.
    pub fn build_articulated(
        bodies: Vec<BodySpecification>,
        chains: Vec<rigid::Chain>,
        drives: Vec<Drive>,
        gravity: Vec3,
    ) -> Result<Model, ModelError> {
        if bodies.is_empty() {
            return Err(ModelError::NoBodies);
        }
        let mut model = Model {
            bodies: Vec::new(),
            rest: Vec::new(),
            mass: Vec::new(),
            mass_damping: Vec::new(),
            node_stiffness: Vec::new(),
            element_nodes: Vec::new(),
            element_volumes: Vec::new(),
            elements: Arc::new(ElementSet::build(&[], &[], 0)),
            activations: Vec::new(),
            gravity,
            drives,
            whole_faces: Vec::new(),
            contact: ContactModel::default(),
            rigid: RigidModel::default(),
            joints: Vec::new(),
            seams: Seams::default(),
            trained: Vec::new(),
            initial_velocities: Vec::new(),
        };
        let mut elements = Vec::new();
        for body in bodies {
            model.add_body(body, &mut elements)?;
        }
        model.elements = Arc::new(ElementSet::build(
            &elements,
            &model.rest,
            model.bodies.len(),
        ));
        model.find_whole_faces();
        model.rigid.chains = chains;
        model.rigid.check()?;
        model.check_drives()?;
        Ok(model)
    }

    /// The model with what its bodies may touch, checked.
    pub fn with_contact(mut self, contact: ContactModel) -> Result<Model, ModelError> {
        contact.check()?;
        let moves = |m: &Mobility| matches!(m, Mobility::Free | Mobility::Link { .. });
        let mut bodies = self.rigid.bodies.iter();
        if contact.response == Response::Penalty
            && contact.is_active(self.bodies.len())
            && let Some(body) = bodies.find(|b| moves(&b.mobility))
        {
            let body = body.name.clone();
            return Err(ContactError::PenaltyRigid { body }.into());
        }
        self.contact = contact;
        Ok(self)
    }

    /// The model with trained spaces for bodies; the method `subspace` checks whether they fit.
    pub fn with_trained(mut self, trained: Vec<Trained>) -> Model {
        self.trained = trained;
        self
    }

    /// The model with other drives, checked.
    pub fn with_drives(mut self, drives: Vec<Drive>) -> Result<Model, ModelError> {
        self.drives = drives;
        self.find_whole_faces();
        self.check_drives()?;
        Ok(self)
    }

    /// Whether steps may have constraints.
    pub fn has_constraints(&self) -> bool {
        let touches = self.contact.is_active(self.bodies.len());
        let contacts = touches && self.contact.response == Response::Constraint;
        contacts || !self.joints.is_empty() || !self.rigid.chains.is_empty()
    }

    /// The rigid body that a node belongs to.
    pub fn rigid_of_node(&self, node: usize) -> Option<usize> {
        if self.rigid.bodies.is_empty() {
            return None;
        }
        self.body_of_node(node)?.rigid
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.rest.len()
    }

    /// Number of elements.
    pub fn element_count(&self) -> usize {
        self.element_nodes.len()
    }

    /// The body that owns an element.
    pub fn body_of_element(&self, element: usize) -> Option<&Body> {
        self.bodies.iter().find(|b| b.elements.contains(&element))
    }

    /// The body that owns a node.
    pub fn body_of_node(&self, node: usize) -> Option<&Body> {
        self.bodies.get(self.body_index_of_node(node)?)
    }

    /// Place of the body that owns a node.
    pub fn body_index_of_node(&self, node: usize) -> Option<usize> {
        let index = self.bodies.partition_point(|b| b.nodes.end <= node);
        (index < self.bodies.len()).then_some(index)
    }

    /// Length of the diagonal of the rest shape's bounding box, m.
    pub fn diagonal(&self) -> f64 {
        let low = self
            .rest
            .iter()
            .copied()
            .reduce(Vec3::min)
            .unwrap_or_default();
        let high = self
            .rest
            .iter()
            .copied()
            .reduce(Vec3::max)
            .unwrap_or_default();
        (high - low).norm()
    }

    /// The state at time zero.
    pub fn initial_state(&self) -> State {
        let rigid = RigidState::initial(&self.rigid);
        let mut positions = self.rest.clone();
        let mut velocities = self.initial_velocities.clone();
        self.pose_bodies(&mut positions);
        self.carry(&rigid, &mut positions, &mut velocities);
        State {
            step: 0,
            time: 0.0,
            positions,
            velocities,
            previous: None,
            rotations: Vec::new(),
            rigid,
            constraint_forces: Vec::new(),
            factors: Default::default(),
            activity: Default::default(),
            rigidity: Default::default(),
            subspace: Default::default(),
            halvings: 0,
            ledger: Ledger::default(),
        }
    }

    /// Puts the nodes of rigid bodies where their poses carry them, and twins of closed seams where their masters are.
    pub(crate) fn carry(&self, rigid: &RigidState, x: &mut [Vec3], v: &mut [Vec3]) {
        self.carry_twins(x, v);
        for (body, index) in (self.bodies.iter()).filter_map(|b| Some((b, b.rigid?))) {
            let (pose, twist) = (rigid.poses[index], rigid.twists[index]);
            let rest = self.rigid.bodies[index].centre;
            for node in body.nodes.clone() {
                let arm = pose.rotation * (self.rest[node] - rest);
                x[node] = pose.centre + arm;
                v[node] = twist.at(arm);
            }
        }
    }
}
