//! The constant part of a simulation: bodies, masses, elements, drives.

use crate::contact::{ContactError, ContactModel, Response};
use crate::drive::{Action, Drive, Faces, WholeFaces};
use crate::element::{
    Element, ElementFibre, ElementOctet, ElementSet, tetrahedron_shape, triangle_shape,
};
use crate::joint::{Joint, JointError};
use crate::material::{MaterialError, MaterialSpecification};
use crate::octet::{self, Formulation};
use crate::profile::Profile;
use crate::rig::Rig;
use crate::rigid::{self, MassProperties, Mobility, RigidBody, RigidError, RigidModel, RigidState};
use crate::seam::Seams;
use crate::state::{Ledger, State};
use crate::subspace::Trained;
use pliant_linalg::Vec3;
use pliant_mesh::{Elements, Mesh, Surface};
use std::ops::Range;
use std::sync::Arc;
use thiserror::Error;

/// Stiffness of the nodes of rigid bodies, N/m: beside it any other is soft, and sums of both stay finite.
const RIGID_STIFFNESS: f64 = 1e30;

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

/// A model that cannot be built.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ModelError {
    /// No body.
    #[error("the model has no body: add at least one")]
    NoBodies,
    /// A parameter out of range.
    #[error("body `{body}`, material {material}: {source}")]
    Material {
        /// Body name.
        body: String,
        /// Index of the material.
        material: usize,
        /// What is wrong.
        source: MaterialError,
    },
    /// Lists of different length.
    #[error("body `{body}`: {what} has {found} entries for {expected} elements")]
    Length {
        /// Body name.
        body: String,
        /// Which list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// Number of elements.
        expected: usize,
    },
    /// An element without volume.
    #[error("body `{body}`: element {element} has no positive volume")]
    Degenerate {
        /// Body name.
        body: String,
        /// Element of the body.
        element: usize,
    },
    /// A mesh of other elements than the formulation needs.
    #[error(
        "body `{body}`: the element `{element}` needs a mesh of ten-node tetrahedra: make it one with Mesh::with_octets"
    )]
    NoOctets {
        /// Body name.
        body: String,
        /// Name of the formulation.
        element: &'static str,
    },
    /// A ten-node tetrahedron with several materials or fibres.
    #[error(
        "body `{body}`: the eight parts of ten-node tetrahedron {octet} differ in material or fibre"
    )]
    MixedOctet {
        /// Body name.
        body: String,
        /// Octet of the body.
        octet: usize,
    },
    /// A material whose resistance to volume cannot be averaged.
    #[error(
        "body `{body}`: the material `{material}` has no part of its own that resists changes of volume, which `tet4-averaged` needs: take linear, neo-hookean, stable-neo-hookean, stable-neo-hookean-log or mooney-rivlin, or the element tet10"
    )]
    NotAveraged {
        /// Body name.
        body: String,
        /// Name of the material.
        material: &'static str,
    },
    /// A fibre without direction.
    #[error("body `{body}`: the fibre direction of element {element} is not a unit vector")]
    Fibre {
        /// Body name.
        body: String,
        /// Element of the body.
        element: usize,
    },
    /// A representative that is no node of its body, or given twice.
    #[error(
        "body `{body}`: representative {node} is not one of its {count} nodes, or is given twice"
    )]
    Representative {
        /// Body name.
        body: String,
        /// Node of the body.
        node: u32,
        /// Number of its nodes.
        count: usize,
    },
    /// A drive that names a missing node or an impossible profile.
    #[error("drive `{drive}`: {reason}")]
    Drive {
        /// Drive name.
        drive: String,
        /// What is wrong.
        reason: String,
    },
    /// A rigid body of triangles.
    #[error("body `{body}` is planar: only solids (tetrahedra) can be rigid")]
    PlanarRigid {
        /// Body name.
        body: String,
    },
    /// A drive that acts on a rigid body.
    #[error(
        "drive `{drive}` acts on the rigid body `{body}`: give that body a motion or a joint instead"
    )]
    DrivenRigid {
        /// Drive name.
        drive: String,
        /// Body name.
        body: String,
    },
    /// A skeleton that does not fit its body.
    #[error("the skeleton of body `{body}`: {reason}")]
    Rig {
        /// Body name.
        body: String,
        /// What is wrong.
        reason: String,
    },
    /// An impossible rigid body or chain.
    #[error(transparent)]
    Rigid(#[from] RigidError),
    /// An impossible contact model.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// An impossible joint.
    #[error(transparent)]
    Joint(#[from] JointError),
    /// An impossible seam.
    #[error("cut `{seam}`: {reason}")]
    Seam {
        /// Its name.
        seam: String,
        /// What is wrong.
        reason: String,
    },
    /// Two drives that prescribe the same coordinate.
    #[error(
        "drives `{first}` and `{second}` both prescribe node {node}: let their selections differ"
    )]
    Conflict {
        /// Drive name.
        first: String,
        /// Drive name.
        second: String,
        /// Global node.
        node: usize,
    },
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

    fn add_body(
        &mut self,
        body: BodySpecification,
        elements: &mut Vec<Element>,
    ) -> Result<(), ModelError> {
        let name = body.name.clone();
        let mesh = &body.mesh;
        let expected = mesh.element_count();
        for (index, material) in body.materials.iter().enumerate() {
            material.check().map_err(|source| ModelError::Material {
                body: name.clone(),
                material: index,
                source,
            })?;
        }
        let has_fibres = body.materials.iter().any(|m| m.fibre.is_some());
        let length = |what, found| ModelError::Length {
            body: name.clone(),
            what,
            found,
            expected,
        };
        if body.material_of.len() != expected {
            return Err(length("the list of materials", body.material_of.len()));
        }
        if has_fibres && body.fibres.len() != expected {
            return Err(length("the fibre field", body.fibres.len()));
        }

        let (node_offset, element_offset) = (self.rest.len(), self.element_nodes.len());
        let channel_offset = self.activations.len();
        self.activations.extend(
            body.materials
                .iter()
                .filter_map(|m| m.fibre.as_ref())
                .map(|f| f.activation.clone()),
        );
        let channel_of = |material: usize| {
            channel_offset
                + body.materials[..material]
                    .iter()
                    .filter(|m| m.fibre.is_some())
                    .count()
        };
        self.rest.extend_from_slice(&mesh.positions);
        self.mass.resize(self.rest.len(), 0.0);
        self.mass_damping.resize(self.rest.len(), 0.0);
        self.node_stiffness.resize(self.rest.len(), 0.0);

        let planar = mesh.is_planar();
        let formulation = match body.rigid {
            Some(_) => Formulation::Linear,
            None => body.formulation,
        };
        let octets = self.octets(&body, formulation)?;
        let coefficients: Vec<_> = body.materials.iter().map(|m| m.coefficients()).collect();
        let degenerate = |element| ModelError::Degenerate {
            body: name.clone(),
            element,
        };
        for e in 0..expected {
            let corners = mesh.nodes_of(e);
            let x = |c: usize| mesh.positions[corners[c] as usize];
            let shape = match mesh.elements {
                Elements::Tetrahedra(_) => tetrahedron_shape([x(0), x(1), x(2), x(3)]),
                Elements::Triangles(_) => {
                    triangle_shape([x(0), x(1), x(2)]).map(|(g, area)| (g, area * body.thickness))
                }
            };
            let (gradients, volume) = shape
                .filter(|(_, volume)| *volume > 0.0)
                .ok_or_else(|| degenerate(e))?;
            let index = body.material_of[e] as usize;
            let material = body
                .materials
                .get(index)
                .ok_or_else(|| length("the table of materials", body.materials.len()))?;
            let nodes: [u32; 4] = std::array::from_fn(|c| {
                node_offset as u32 + corners.get(c).copied().unwrap_or(corners[0])
            });
            let number = self.element_nodes.len() as u32;
            self.element_nodes.push(nodes);
            self.element_volumes.push(volume);

            let lame = material.lame();
            let mean_modulus = if planar {
                (lame.lambda + 3.0 * lame.mu) / 2.0
            } else {
                (lame.lambda + 4.0 * lame.mu) / 3.0
            };
            let fibre = match &material.fibre {
                None => None,
                Some(fibre) => {
                    let direction = body.fibres[e];
                    if (direction.norm() - 1.0).abs() > 1e-6 || !direction.is_finite() {
                        return Err(ModelError::Fibre {
                            body: name.clone(),
                            element: e,
                        });
                    }
                    Some(ElementFibre {
                        kind: fibre.kind,
                        direction,
                        modulus: fibre.modulus,
                        exponent: fibre.exponent,
                        active: fibre.active_modulus,
                        active_length: fibre.active_length,
                        channel: channel_of(index),
                    })
                }
            };
            let element = Element {
                number,
                body: self.bodies.len() as u32,
                nodes,
                gradients,
                volume,
                planar,
                model: material.model,
                coefficients: coefficients[index],
                stiffness_damping: material.stiffness_damping,
                fibre,
                octet: octets.get(e).copied(),
            };
            let mut add_node = |node: u32, mass: f64| {
                self.mass[node as usize] += mass;
                self.mass_damping[node as usize] += mass * material.mass_damping;
            };
            if formulation == Formulation::Quadratic {
                // four points in place of eight parts, with the numbers of the parts at the corners
                let octet = octets[e];
                if octet.part > 0 {
                    continue;
                }
                let x = octet.nodes.map(|n| self.rest[n as usize]);
                let points = octet::quadratic_shape(&x).ok_or_else(|| degenerate(e))?;
                let volume: f64 = points.iter().map(|(_, volume)| volume).sum();
                for (k, &node) in octet.nodes.iter().enumerate() {
                    let share = match k < 4 {
                        true => octet::CORNER_SHARE,
                        false => octet::MIDDLE_SHARE,
                    };
                    add_node(node, material.density * volume * share);
                }
                for (point, (gradients, volume)) in points.into_iter().enumerate() {
                    if volume <= 0.0 {
                        return Err(degenerate(e + point));
                    }
                    let stencil = &formulation.stencils()[point];
                    let of_nodes = octet::node_gradients(stencil, &gradients);
                    for (&node, gradient) in octet.nodes.iter().zip(of_nodes) {
                        self.node_stiffness[node as usize] +=
                            volume * mean_modulus * gradient.norm_squared();
                    }
                    elements.push(Element {
                        number: number + point as u32,
                        gradients,
                        volume,
                        nodes: octet::part_nodes(&octet.nodes, point),
                        octet: Some(ElementOctet {
                            part: point,
                            ..octet
                        }),
                        ..element.clone()
                    });
                }
                continue;
            }
            let share = material.density * volume / corners.len() as f64;
            let [g1, g2, g3] = gradients;
            let of_corner = [-(g1 + g2 + g3), g1, g2, g3];
            for (&corner, gradient) in corners.iter().zip(of_corner) {
                let node = node_offset + corner as usize;
                add_node(node as u32, share);
                self.node_stiffness[node] += volume * mean_modulus * gradient.norm_squared();
            }
            if body.rigid.is_none() {
                elements.push(element);
            }
        }

        let nodes = node_offset..self.rest.len();
        let representatives = (body.representatives.as_deref())
            .map(|list| numbered(list, &nodes, &name))
            .transpose()?;
        if let Some(rig) = &body.rig {
            let reason = match &body.rigid {
                None => rig.problem(nodes.len()),
                Some(_) => Some("a rigid body has none".to_string()),
            };
            if let Some(reason) = reason {
                return Err(ModelError::Rig { body: name, reason });
            }
        }
        let rigid = match &body.rigid {
            None => None,
            Some(mobility) => Some(self.add_rigid_body(&body, mobility)?),
        };
        let total: f64 = self.mass[nodes.clone()].iter().sum();
        let centre = nodes
            .clone()
            .fold(Vec3::ZERO, |s, n| s + self.rest[n] * (self.mass[n] / total));
        if rigid.is_some() {
            self.mass[nodes.clone()].fill(0.0);
            self.mass_damping[nodes.clone()].fill(0.0);
            self.node_stiffness[nodes.clone()].fill(RIGID_STIFFNESS);
        }
        let velocity = |n: usize| body.velocity + body.spin.cross(self.rest[n] - centre);
        let velocities: Vec<Vec3> = nodes.clone().map(velocity).collect();
        self.initial_velocities.extend(velocities);
        self.bodies.push(Body {
            name,
            nodes,
            elements: element_offset..self.element_nodes.len(),
            surface: Surface::of(mesh),
            planar,
            rigid,
            representatives,
            may_rigidify: body.may_rigidify,
            rig: body.rig,
            formulation,
            six_node_faces: match formulation {
                Formulation::Quadratic => mesh.six_node_faces(),
                _ => Vec::new(),
            },
        });
        Ok(())
    }

    /// What each element of a body knows of its octet, in the numbers of the model; nothing for linear ones.
    fn octets(
        &self,
        body: &BodySpecification,
        formulation: Formulation,
    ) -> Result<Vec<ElementOctet>, ModelError> {
        if formulation == Formulation::Linear {
            return Ok(Vec::new());
        }
        let (mesh, first) = (
            &body.mesh,
            (self.rest.len() - body.mesh.node_count()) as u32,
        );
        let ten = mesh.ten_nodes().ok_or_else(|| ModelError::NoOctets {
            body: body.name.clone(),
            element: formulation.name(),
        })?;
        let shares = body.materials.iter().find(|m| !m.model.has_volume_part());
        if let (Formulation::Averaged, Some(material)) = (formulation, shares) {
            return Err(ModelError::NotAveraged {
                body: body.name.clone(),
                material: material.model.name(),
            });
        }
        let mut octets = Vec::with_capacity(mesh.element_count());
        for (index, nodes) in ten.iter().enumerate() {
            let parts = 8 * index..8 * index + 8;
            let same = |e: usize| {
                body.material_of[e] == body.material_of[parts.start]
                    && body.fibres.get(e) == body.fibres.get(parts.start)
            };
            if !parts.clone().all(same) {
                return Err(ModelError::MixedOctet {
                    body: body.name.clone(),
                    octet: index,
                });
            }
            let total: f64 = parts.clone().map(|e| mesh.volume(e)).sum();
            octets.extend(parts.map(|e| ElementOctet {
                formulation,
                nodes: nodes.map(|n| n + first),
                part: e % 8,
                share: mesh.volume(e) / total,
            }));
        }
        Ok(octets)
    }

    /// Adds the inertia of a body whose elements are the last ones; its place among the rigid bodies.
    fn add_rigid_body(
        &mut self,
        body: &BodySpecification,
        mobility: &Mobility,
    ) -> Result<usize, ModelError> {
        if body.mesh.is_planar() {
            return Err(ModelError::PlanarRigid {
                body: body.name.clone(),
            });
        }
        let first = self.element_nodes.len() - body.mesh.element_count();
        let mut inertia: Option<MassProperties> = None;
        for (index, material) in body.materials.iter().enumerate() {
            let elements = self.element_nodes[first..].iter().zip(&body.material_of);
            let own = elements.filter(|(_, m)| **m as usize == index);
            let corners = own.map(|(nodes, _)| nodes.map(|n| self.rest[n as usize]));
            if corners.clone().next().is_some() {
                let part = rigid::mass_properties(corners, material.density)?;
                inertia = Some(inertia.map_or(part, |all| all.with(part)));
            }
        }
        let Some(inertia) = inertia else {
            return Err(ModelError::NoBodies);
        };
        self.rigid.bodies.push(RigidBody {
            name: body.name.clone(),
            mass: inertia.mass,
            inertia: inertia.inertia,
            centre: inertia.centre,
            mobility: mobility.clone(),
            velocity: body.velocity,
            spin: body.spin,
        });
        Ok(self.rigid.bodies.len() - 1)
    }

    /// Loads on quadratic bodies act on six-node faces: those of which a drive names all four flat triangles.
    pub(crate) fn find_whole_faces(&mut self) {
        let of_body = |body: &Body| {
            let first = body.nodes.start as u32;
            let faces = body.six_node_faces.iter();
            faces
                .map(|face| face.map(|n| n + first))
                .collect::<Vec<_>>()
        };
        let all: Vec<[u32; 6]> = self.bodies.iter().flat_map(of_body).collect();
        let of_drive = |drive: &Drive| match &drive.action {
            Action::Traction {
                faces: Faces::Triangles(triangles),
                ..
            } if !all.is_empty() => Some(WholeFaces::among(triangles, &all)),
            _ => None,
        };
        self.whole_faces = self.drives.iter().map(of_drive).collect();
    }

    pub(crate) fn check_drives(&self) -> Result<(), ModelError> {
        let mut owner: Vec<[Option<usize>; 3]> = vec![[None; 3]; self.node_count()];
        for (index, drive) in self.drives.iter().enumerate() {
            let fail = |reason: String| {
                Err(ModelError::Drive {
                    drive: drive.name.clone(),
                    reason,
                })
            };
            let (nodes, profiles) = drive.action.parts();
            if nodes.is_empty() {
                return fail("selects no node".into());
            }
            let rigid = nodes.iter().find_map(|&n| {
                let body = self.body_of_node(n as usize)?;
                body.rigid.map(|_| body.name.clone())
            });
            if let Some(body) = rigid {
                return Err(ModelError::DrivenRigid {
                    drive: drive.name.clone(),
                    body,
                });
            }
            if let Some(node) = nodes.iter().find(|&&n| n as usize >= self.node_count()) {
                return fail(format!(
                    "names node {node}, but there are only {}",
                    self.node_count()
                ));
            }
            if profiles.iter().any(|p| !p.is_valid()) {
                return fail("keyframe times must increase and all values be finite".into());
            }
            if let Some((nodes, axes)) = drive.action.prescribed() {
                for &node in nodes {
                    for axis in (0..3).filter(|&a| axes[a]) {
                        let slot = &mut owner[node as usize][axis];
                        if let Some(first) = slot.filter(|&f| f != index) {
                            return Err(ModelError::Conflict {
                                first: self.drives[first].name.clone(),
                                second: drive.name.clone(),
                                node: node as usize,
                            });
                        }
                        *slot = Some(index);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Representatives of a body in the numbers of the model, whose nodes are given.
fn numbered(list: &[u32], nodes: &Range<usize>, body: &str) -> Result<Vec<u32>, ModelError> {
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    let twice = sorted.windows(2).find(|pair| pair[0] == pair[1]);
    let missing = sorted.last().filter(|&&n| n as usize >= nodes.len());
    match missing.or(twice.map(|pair| &pair[0])) {
        None => Ok(list.iter().map(|n| n + nodes.start as u32).collect()),
        Some(&node) => Err(ModelError::Representative {
            body: body.to_string(),
            node,
            count: nodes.len(),
        }),
    }
}
