//! From specifications of bodies to the nodes, masses, elements and checks of a model.

use super::{Body, BodySpecification, Model, ModelError};
use crate::drive::{Action, Drive, Faces, WholeFaces};
use crate::element::{Element, ElementFibre, ElementOctet, tetrahedron_shape, triangle_shape};
use crate::octet::{self, Formulation};
use crate::rigid::{self, MassProperties, Mobility, RigidBody};
use pliant_linalg::Vec3;
use pliant_mesh::{Elements, Surface};
use std::ops::Range;

/// Stiffness of the nodes of rigid bodies, N/m: beside it any other is soft, and sums of both stay finite.
const RIGID_STIFFNESS: f64 = 1e30;

impl Model {
    pub(super) fn add_body(
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
