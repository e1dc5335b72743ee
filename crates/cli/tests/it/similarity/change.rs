//! x ↦ s Q x + d of a whole scene, with all that has units, and other numbers for its nodes and elements.

use pliant_linalg::random::Random;
use pliant_linalg::{Mat3, Vec3};
use pliant_mesh::rig::{KeyedPose, Quaternion, SkinWeights};
use pliant_mesh::{Elements, Mesh, SurfaceMesh};
use pliant_solid::contact::{ContactModel, Obstacle, Shape, SolidSurface};
use pliant_solid::drive::{Action, Drive, Faces, Motion, Turn};
use pliant_solid::joint::{Anchor, CableControl, CavityControl, Frame, Joint, JointKind};
use pliant_solid::material::MaterialSpecification;
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::profile::Profile;
use pliant_solid::rig::{NamedPose, Rig};
use pliant_solid::rigid::{Chain, Link, Mobility};
use pliant_solid::seam::Seam;
use pliant_solid::settings::{Settings, StrainLimits};
use pliant_solid::specification::ModelSpecification;
use pliant_solid::subspace::{Fingerprint, InterfaceNode, TrainedDomain, TrainedModel};
use std::sync::Arc;

/// Density stays as it is: masses go with s³, and any factor of times can be chosen.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    pub name: &'static str,
    /// Q, a rotation or a reflection.
    pub turn: Mat3,
    pub scale: f64,
    pub time: f64,
    pub shift: Vec3,
    /// Seed of other numbers.
    pub renumbered: Option<u64>,
}

/// What of a scene has no image under a change.
pub type Unmapped = &'static str;

/// New numbers: of the nodes of each body, and which element comes where.
struct Numbers {
    nodes: Vec<u32>,
    elements: Vec<usize>,
}

/// The image of a scene's specification.
pub struct Image {
    change: Change,
    bodies: Vec<Numbers>,
    /// New global number of each node.
    nodes: Vec<u32>,
    pub specification: ModelSpecification,
}

impl Change {
    pub const NONE: Change = Change {
        name: "same",
        turn: Mat3::IDENTITY,
        scale: 1.0,
        time: 1.0,
        shift: Vec3::ZERO,
        renumbered: None,
    };

    fn point(&self, x: Vec3) -> Vec3 {
        self.turn * x * self.scale + self.shift
    }

    /// Factor of a quantity of this dimension: powers of mass, length, time.
    fn unit(&self, [mass, length, time]: [i32; 3]) -> f64 {
        self.scale.powi(3 * mass + length) * self.time.powi(time)
    }

    fn is_mirror(&self) -> bool {
        self.turn.determinant() < 0.0
    }

    fn vector(&self, v: Vec3, dimension: [i32; 3]) -> Vec3 {
        self.turn * v * self.unit(dimension)
    }

    /// An axis of rotation: it keeps its sense of turning in a mirror.
    fn axis(&self, axis: Vec3) -> Vec3 {
        self.turn * axis * self.turn.determinant().signum()
    }

    fn profile(&self, profile: &Profile, dimension: [i32; 3]) -> Profile {
        let mut changed = profile.clone().scaled(self.unit(dimension));
        match &mut changed {
            Profile::Constant(_) => {}
            Profile::Keyframes { keys, .. } => keys.iter_mut().for_each(|k| k.0 *= self.time),
            Profile::Sine { frequency, .. } => *frequency /= self.time,
        }
        changed
    }

    /// A vector that changes with time. Components with different keys turn only from axis to axis.
    fn path(&self, path: &[Profile; 3], dimension: [i32; 3]) -> Result<[Profile; 3], Unmapped> {
        let own = [0, 1, 2].map(|k| self.profile(&path[k], dimension));
        let rows = [0, 1, 2].map(|i| self.turn.row(i).to_array());
        let zero = |p: &Profile| matches!(p, Profile::Constant(0.0));
        let combine = |row: &[f64; 3]| -> Result<Profile, Unmapped> {
            let mut sum: Option<Profile> = None;
            for (&factor, part) in row.iter().zip(&own) {
                if factor == 0.0 || zero(part) {
                    continue;
                }
                let part = part.clone().scaled(factor);
                sum = Some(match sum {
                    None => part,
                    Some(sum) => added(sum, &part)?,
                });
            }
            Ok(sum.unwrap_or(Profile::Constant(0.0)))
        };
        Ok([combine(&rows[0])?, combine(&rows[1])?, combine(&rows[2])?])
    }

    fn turning(&self, turn: &Turn, dimension: [i32; 3], sign: f64) -> Turn {
        Turn {
            axis: self.axis(turn.axis),
            centre: self.point(turn.centre),
            angle: self.profile(&turn.angle, dimension).scaled(sign),
        }
    }

    fn motion(&self, motion: &Motion) -> Result<Motion, Unmapped> {
        // a twist turns by an angle for each length along its axis, which changes its sense in a mirror
        let sense = self.turn.determinant().signum();
        Ok(Motion {
            translation: (motion.translation.as_ref())
                .map(|path| self.path(path, [0, 1, 0]))
                .transpose()?,
            rotation: (motion.rotation.as_ref()).map(|t| self.turning(t, [0, 0, 0], 1.0)),
            twist: (motion.twist.as_ref()).map(|t| self.turning(t, [0, -1, 0], sense)),
        })
    }

    fn material(&self, material: &MaterialSpecification) -> MaterialSpecification {
        let mut changed = material.clone();
        let pressure = self.unit([1, -1, -2]);
        changed.young *= pressure;
        changed.mass_damping /= self.time;
        changed.stiffness_damping *= self.time;
        if let Some(fibre) = &mut changed.fibre {
            fibre.modulus *= pressure;
            fibre.active_modulus *= pressure;
            fibre.activation = self.profile(&fibre.activation, [0, 0, 0]);
        }
        changed
    }

    fn numbers(&self, body: &BodySpecification, twins: &[bool]) -> Numbers {
        let mut nodes: Vec<u32> = (0..body.mesh.node_count() as u32).collect();
        let mut elements: Vec<usize> = (0..body.mesh.element_count()).collect();
        if let Some(seed) = self.renumbered {
            let mut random = Random::new(seed);
            // a twin must have a greater number than the node that it parts from: twins come last and stay where they are
            let free = twins.iter().position(|&twin| twin).unwrap_or(nodes.len());
            shuffle(&mut nodes[..free], &mut random);
            shuffle(&mut elements, &mut random);
        }
        Numbers { nodes, elements }
    }

    fn mesh(&self, mesh: &Mesh, numbers: &Numbers) -> Mesh {
        let mut changed = mesh.clone();
        for (old, &new) in numbers.nodes.iter().enumerate() {
            changed.positions[new as usize] = self.point(mesh.positions[old]);
            changed.original_ids[new as usize] = mesh.original_ids[old];
        }
        let corner = |n: u32| numbers.nodes[n as usize];
        changed.regions = numbers.elements.iter().map(|&e| mesh.regions[e]).collect();
        let order = numbers.elements.iter();
        changed.elements = match &mesh.elements {
            Elements::Tetrahedra(list) => Elements::Tetrahedra(
                order
                    .map(|&e| self.facing(list[e].map(corner), [1, 2, 0, 3]))
                    .collect(),
            ),
            Elements::Triangles(list) => Elements::Triangles(
                order
                    .map(|&e| self.facing(list[e].map(corner), [1, 2, 0]))
                    .collect(),
            ),
        };
        changed
    }

    /// Corners that run the right way round, from another one on where numbers change.
    fn facing<const N: usize>(&self, mut corners: [u32; N], cycle: [usize; N]) -> [u32; N] {
        if self.is_mirror() {
            corners.swap(0, 1);
        }
        match self.renumbered {
            Some(_) => cycle.map(|k| corners[k]),
            None => corners,
        }
    }

    pub fn settings(&self, settings: &Settings) -> Settings {
        let mut changed = settings.clone();
        let t = self.time;
        changed.h *= t;
        if let StrainLimits::Rates(rates) = &mut changed.rigidify.limits {
            rates.rigid_below /= t * t;
            rates.elastic_above /= t * t;
        }
        changed.subspace.calm_speed /= t;
        changed.subspace.calm_acceleration /= t * t;
        if let Some(lively) = &mut changed.conjac.adaptive {
            lively.threshold /= t;
        }
        changed
    }

    fn contact(&self, contact: &ContactModel) -> Result<ContactModel, Unmapped> {
        let mut changed = contact.clone();
        let softness = self.unit([-1, 0, 0]);
        changed.alarm = contact.alarm.map(|a| a * self.scale);
        changed.damping *= self.time;
        changed.constraint.compliance *= softness;
        changed.constraint.tangential_compliance *= softness;
        changed.constraint.separation_speed =
            (contact.constraint.separation_speed).map(|v| v * self.unit([0, 1, -1]));
        changed.obstacles = (contact.obstacles.iter())
            .map(|o| self.obstacle(o))
            .collect::<Result<_, _>>()?;
        Ok(changed)
    }

    fn obstacle(&self, obstacle: &Obstacle) -> Result<Obstacle, Unmapped> {
        Ok(Obstacle {
            shape: self.shape(&obstacle.shape)?,
            motion: (obstacle.motion.as_ref())
                .map(|m| self.motion(m))
                .transpose()?,
            ..obstacle.clone()
        })
    }

    fn shape(&self, shape: &Shape) -> Result<Shape, Unmapped> {
        let (s, point) = (self.scale, |x| self.point(x));
        Ok(match *shape {
            Shape::HalfSpace { point: p, normal } => Shape::HalfSpace {
                point: point(p),
                normal: self.turn * normal,
            },
            Shape::Sphere {
                centre,
                radius,
                hollow,
            } => Shape::Sphere {
                centre: point(centre),
                radius: radius * s,
                hollow,
            },
            Shape::Box {
                centre,
                half,
                rotation,
            } => {
                let [a, b, c] = Vec3::AXES.map(|axis| self.turn * (rotation * axis));
                // a box is its own mirror image
                let c = c * self.turn.determinant().signum();
                Shape::Box {
                    centre: point(centre),
                    half: half * s,
                    rotation: Mat3::from_columns(a, b, c),
                }
            }
            Shape::Capsule { a, b, radius } => Shape::Capsule {
                a: point(a),
                b: point(b),
                radius: radius * s,
            },
            Shape::Cylinder { a, b, radius } => Shape::Cylinder {
                a: point(a),
                b: point(b),
                radius: radius * s,
            },
            Shape::Torus {
                centre,
                axis,
                major,
                minor,
            } => Shape::Torus {
                centre: point(centre),
                axis: self.turn * axis,
                major: major * s,
                minor: minor * s,
            },
            Shape::Pipe { a, b, inner, outer } => Shape::Pipe {
                a: point(a),
                b: point(b),
                inner: inner * s,
                outer: outer * s,
            },
            Shape::HeightField(_) => return Err("a height field"),
            Shape::Mesh(ref solid) => {
                let SurfaceMesh {
                    positions,
                    triangles,
                } = solid.surface();
                let positions = positions.iter().map(|&x| point(x)).collect();
                let mut triangles = triangles.clone();
                if self.is_mirror() {
                    triangles.iter_mut().for_each(|t| t.swap(0, 1));
                }
                let surface = SurfaceMesh {
                    positions,
                    triangles,
                };
                Shape::Mesh(Arc::new(SolidSurface::new(&surface).unwrap()))
            }
        })
    }

    fn quaternion(&self, q: &Quaternion) -> Quaternion {
        Quaternion {
            w: q.w,
            v: self.axis(q.v),
        }
    }

    fn pose(&self, pose: &pliant_mesh::rig::Pose) -> pliant_mesh::rig::Pose {
        pliant_mesh::rig::Pose {
            root_rotation: self.quaternion(&pose.root_rotation),
            root_shift: self.vector(pose.root_shift, [0, 1, 0]),
            rotations: pose.rotations.iter().map(|q| self.quaternion(q)).collect(),
        }
    }

    fn rig(&self, rig: &Rig, numbers: &Numbers) -> Rig {
        let mut joints = rig.skeleton.joints().to_vec();
        for joint in &mut joints {
            joint.position = self.point(joint.position);
        }
        let mut held: Vec<u32> = (rig.held.iter())
            .map(|&n| numbers.nodes[n as usize])
            .collect();
        held.sort_unstable();
        Rig {
            skeleton: Arc::new(pliant_mesh::rig::Skeleton::new(joints).unwrap()),
            weights: Arc::new(weights(&rig.weights, numbers)),
            held: Arc::new(held),
            motion: rig.motion.with_keys(|key| KeyedPose {
                time: key.time * self.time,
                pose: self.pose(&key.pose),
            }),
            training: Arc::new(
                (rig.training.iter())
                    .map(|t| NamedPose {
                        name: t.name.clone(),
                        pose: self.pose(&t.pose),
                    })
                    .collect(),
            ),
        }
    }

    fn chain(&self, chain: &Chain) -> Chain {
        let link = |link: &Link| Link {
            axis: self.axis(link.axis),
            point: self.point(link.point),
            rate: link.rate / self.time,
            damping: link.damping * self.unit([1, 2, -1]),
            stiffness: link.stiffness * self.unit([1, 2, -2]),
            torque: self.profile(&link.torque, [1, 2, -2]),
            ..link.clone()
        };
        Chain {
            name: chain.name.clone(),
            links: chain.links.iter().map(link).collect(),
        }
    }
}

fn shuffle<T>(list: &mut [T], random: &mut Random) {
    for last in (1..list.len()).rev() {
        list.swap(last, random.below(last + 1));
    }
}

fn weights(old: &SkinWeights, numbers: &Numbers) -> SkinWeights {
    let mut of_nodes = vec![Vec::new(); old.node_count()];
    for (node, &new) in numbers.nodes.iter().enumerate() {
        of_nodes[new as usize] = old.of(node).to_vec();
    }
    let mut starts = vec![0];
    for list in &of_nodes {
        starts.push(starts.last().unwrap() + list.len() as u32);
    }
    SkinWeights {
        starts,
        entries: of_nodes.concat(),
    }
}

/// The sum of two functions of time, where it is one that we have.
fn added(a: Profile, b: &Profile) -> Result<Profile, Unmapped> {
    match (a, b) {
        (Profile::Constant(a), Profile::Constant(b)) => Ok(Profile::Constant(a + b)),
        (
            Profile::Keyframes { mut keys, smooth },
            Profile::Keyframes {
                keys: others,
                smooth: also,
            },
        ) if smooth == *also
            && keys.len() == others.len()
            && keys.iter().zip(others).all(|(a, b)| a.0 == b.0) =>
        {
            keys.iter_mut().zip(others).for_each(|(a, b)| a.1 += b.1);
            Ok(Profile::Keyframes { keys, smooth })
        }
        _ => Err("components with keys of their own"),
    }
}

impl Image {
    pub fn of(plain: &ModelSpecification, change: Change) -> Result<Image, Unmapped> {
        let count: usize = plain.bodies.iter().map(|b| b.mesh.node_count()).sum();
        let mut twins = vec![false; count];
        for [_, twin] in plain.seams.iter().flat_map(|seam| &seam.pairs) {
            twins[*twin as usize] = true;
        }
        let (mut bodies, mut nodes) = (Vec::new(), Vec::new());
        for body in &plain.bodies {
            let first = nodes.len();
            let own = change.numbers(body, &twins[first..first + body.mesh.node_count()]);
            nodes.extend(own.nodes.iter().map(|n| n + first as u32));
            bodies.push(own);
        }
        let mut image = Image {
            change,
            bodies,
            nodes,
            specification: plain.clone(),
        };
        image.specification = image.specify(plain)?;
        Ok(image)
    }

    fn specify(&self, plain: &ModelSpecification) -> Result<ModelSpecification, Unmapped> {
        let change = &self.change;
        let bodies = plain.bodies.iter().zip(&self.bodies);
        let drives = plain.drives.iter();
        let seams = plain.seams.iter().map(|seam| Seam {
            name: seam.name.clone(),
            time: seam.time * change.time,
            pairs: (seam.pairs.iter())
                .map(|pair| pair.map(|n| self.node(n)))
                .collect(),
        });
        Ok(ModelSpecification {
            bodies: bodies
                .map(|(b, numbers)| self.body(b, numbers))
                .collect::<Result<_, _>>()?,
            chains: plain.chains.iter().map(|c| change.chain(c)).collect(),
            drives: drives
                .map(|d| self.drive(d, plain))
                .collect::<Result<_, _>>()?,
            gravity: change.vector(plain.gravity, [0, 1, -2]),
            contact: change.contact(&plain.contact)?,
            joints: (plain.joints.iter())
                .map(|j| self.joint(j))
                .collect::<Result<_, _>>()?,
            seams: seams.collect(),
        })
    }

    fn node(&self, old: u32) -> u32 {
        self.nodes[old as usize]
    }

    fn sorted(&self, nodes: &[u32]) -> Vec<u32> {
        let mut new: Vec<u32> = nodes.iter().map(|&n| self.node(n)).collect();
        new.sort_unstable();
        new
    }

    fn body(
        &self,
        body: &BodySpecification,
        numbers: &Numbers,
    ) -> Result<BodySpecification, Unmapped> {
        let change = &self.change;
        let order = || numbers.elements.iter();
        Ok(BodySpecification {
            mesh: change.mesh(&body.mesh, numbers),
            materials: body.materials.iter().map(|m| change.material(m)).collect(),
            material_of: order().map(|&e| body.material_of[e]).collect(),
            fibres: match body.fibres.is_empty() {
                true => Vec::new(),
                false => order().map(|&e| change.turn * body.fibres[e]).collect(),
            },
            thickness: body.thickness * change.scale,
            velocity: change.vector(body.velocity, [0, 1, -1]),
            spin: change.axis(body.spin) / change.time,
            rigid: match &body.rigid {
                Some(Mobility::Kinematic(motion)) => {
                    Some(Mobility::Kinematic(change.motion(motion)?))
                }
                other => other.clone(),
            },
            representatives: (body.representatives.as_ref())
                .map(|list| list.iter().map(|&n| numbers.nodes[n as usize]).collect()),
            rig: (body.rig.as_ref()).map(|rig| Arc::new(change.rig(rig, numbers))),
            ..body.clone()
        })
    }

    fn faces(&self, faces: &Faces) -> Faces {
        let mirror = self.change.is_mirror();
        match faces {
            Faces::Triangles(list) => {
                let triangle = |t: &[u32; 3]| {
                    let [a, b, c] = t.map(|n| self.node(n));
                    if mirror { [b, a, c] } else { [a, b, c] }
                };
                Faces::Triangles(list.iter().map(triangle).collect())
            }
            Faces::Edges(list, thickness) => {
                let edge = |e: &[u32; 2]| {
                    let [a, b] = e.map(|n| self.node(n));
                    if mirror { [b, a] } else { [a, b] }
                };
                Faces::Edges(
                    list.iter().map(edge).collect(),
                    thickness * self.change.scale,
                )
            }
        }
    }

    fn drive(&self, drive: &Drive, plain: &ModelSpecification) -> Result<Drive, Unmapped> {
        let change = &self.change;
        let action = match &drive.action {
            Action::Prescribe {
                nodes,
                axes,
                motion,
                release,
            } => {
                let partly = axes.iter().any(|&a| a) && !axes.iter().all(|&a| a);
                let of_axis = |row: usize| {
                    let row = change.turn.row(row).to_array();
                    let one = (0..3).find(|&k| row[k].abs() == 1.0);
                    one.filter(|_| row.iter().filter(|v| **v != 0.0).count() == 1)
                };
                let axes = match partly {
                    false => *axes,
                    true => {
                        let mut turned = [false; 3];
                        for (row, slot) in turned.iter_mut().enumerate() {
                            *slot = axes[of_axis(row).ok_or("prescribed axes of the world")?];
                        }
                        turned
                    }
                };
                Action::Prescribe {
                    nodes: self.sorted(nodes),
                    axes,
                    motion: change.motion(motion)?,
                    release: release.map(|t| t * change.time),
                }
            }
            Action::Skin {
                nodes, first_node, ..
            } => {
                let mut first = 0;
                let body = plain.bodies.iter().position(|b| {
                    let found = first == *first_node;
                    first += b.mesh.node_count() as u32;
                    found
                });
                let body = body.unwrap();
                let rig = plain.bodies[body].rig.as_ref().unwrap();
                Action::Skin {
                    nodes: self.sorted(nodes),
                    rig: Arc::new(change.rig(rig, &self.bodies[body])),
                    first_node: *first_node,
                }
            }
            Action::Force {
                nodes,
                force,
                profile,
            } => Action::Force {
                nodes: self.sorted(nodes),
                force: change.vector(*force, [1, 1, -2]),
                profile: change.profile(profile, [0, 0, 0]),
            },
            Action::Accelerate {
                nodes,
                acceleration,
            } => Action::Accelerate {
                nodes: self.sorted(nodes),
                acceleration: change.path(acceleration, [0, 1, -2])?,
            },
            Action::Traction {
                faces,
                traction,
                pressure,
                profile,
            } => Action::Traction {
                faces: self.faces(faces),
                traction: change.vector(*traction, [1, -1, -2]),
                pressure: pressure * change.unit([1, -1, -2]),
                profile: change.profile(profile, [0, 0, 0]),
            },
            Action::Spring {
                nodes,
                motion,
                stiffness,
                damping,
                from,
                until,
            } => Action::Spring {
                nodes: self.sorted(nodes),
                motion: change.motion(motion)?,
                stiffness: stiffness * change.unit([1, 0, -2]),
                damping: damping * change.unit([1, 0, -1]),
                from: from * change.time,
                until: until * change.time,
            },
        };
        Ok(Drive {
            name: drive.name.clone(),
            action,
        })
    }

    fn anchor(&self, anchor: &Anchor) -> Result<Anchor, Unmapped> {
        Ok(match anchor {
            Anchor::Node(node) => Anchor::Node(self.node(*node)),
            Anchor::Element { nodes, weights } => Anchor::Element {
                nodes: nodes.map(|n| self.node(n)),
                weights: *weights,
            },
            Anchor::Rigid { body, point } => Anchor::Rigid {
                body: *body,
                point: self.change.point(*point),
            },
            Anchor::World { point, motion } => Anchor::World {
                point: self.change.point(*point),
                motion: Box::new(self.change.motion(motion)?),
            },
        })
    }

    fn anchors(&self, list: &[Anchor]) -> Result<Vec<Anchor>, Unmapped> {
        list.iter().map(|a| self.anchor(a)).collect()
    }

    fn joint(&self, joint: &Joint) -> Result<Joint, Unmapped> {
        let change = &self.change;
        let kind = match &joint.kind {
            JointKind::Attachment { pairs } => JointKind::Attachment {
                pairs: pairs
                    .iter()
                    .map(|[a, b]| Ok([self.anchor(a)?, self.anchor(b)?]))
                    .collect::<Result<_, Unmapped>>()?,
            },
            JointKind::Distance {
                ends: [a, b],
                length,
                bound,
            } => JointKind::Distance {
                ends: [self.anchor(a)?, self.anchor(b)?],
                length: change.profile(length, [0, 1, 0]),
                bound: *bound,
            },
            JointKind::Slide {
                points,
                curve,
                stops,
                drag,
            } => {
                let mut curve = curve.clone();
                for point in &mut curve.points {
                    *point = change.point(*point);
                }
                if let Frame::World(motion) = &mut curve.frame {
                    **motion = change.motion(motion)?;
                }
                JointKind::Slide {
                    points: self.anchors(points)?,
                    curve,
                    stops: *stops,
                    drag: drag * change.unit([1, 0, -1]),
                }
            }
            JointKind::Hinge {
                first,
                second,
                point,
                axis,
            } => JointKind::Hinge {
                first: *first,
                second: *second,
                point: change.point(*point),
                axis: change.axis(*axis),
            },
            JointKind::Cable { points, control } => JointKind::Cable {
                points: self.anchors(points)?,
                control: match control {
                    CableControl::Length(p) => CableControl::Length(change.profile(p, [0, 1, 0])),
                    CableControl::Tension(p) => {
                        CableControl::Tension(change.profile(p, [1, 1, -2]))
                    }
                },
            },
            JointKind::Cavity { walls, control } => JointKind::Cavity {
                walls: self.faces(walls),
                control: match control {
                    CavityControl::Volume(p) => CavityControl::Volume(change.profile(p, [0, 0, 0])),
                    CavityControl::Pressure(p) => {
                        CavityControl::Pressure(change.profile(p, [1, -1, -2]))
                    }
                },
            },
        };
        Ok(Joint {
            name: joint.name.clone(),
            kind,
            compliance: joint.compliance * change.unit([-1, 0, 2]),
            correction: joint.correction,
        })
    }

    /// A trained space of the first body: what it spans turns, coordinates are lengths.
    pub fn trained(&self, plain: &TrainedModel, model: &Model) -> TrainedModel {
        let (change, numbers) = (&self.change, &self.bodies[0]);
        let mut place_of = vec![0u32; numbers.elements.len()];
        for (new, &old) in numbers.elements.iter().enumerate() {
            place_of[old] = new as u32;
        }
        let domain = |domain: &TrainedDomain| {
            let mut order: Vec<usize> = (0..domain.nodes.len()).collect();
            order.sort_by_key(|&k| numbers.nodes[domain.nodes[k] as usize]);
            let rank = domain.rank;
            let mut basis = vec![0.0; domain.basis.len()];
            for (new, &old) in order.iter().enumerate() {
                for m in 0..rank {
                    let entry = |axis: usize| domain.basis[(3 * old + axis) * rank + m];
                    let turned = change.turn * Vec3::new(entry(0), entry(1), entry(2));
                    for (axis, value) in turned.to_array().into_iter().enumerate() {
                        basis[(3 * new + axis) * rank + m] = value;
                    }
                }
            }
            let mut elements: Vec<u32> = (domain.elements.iter())
                .map(|&e| place_of[e as usize])
                .collect();
            elements.sort_unstable();
            let cubature = domain.cubature.iter();
            let mut cubature: Vec<(u32, f64)> = cubature
                .map(|&(e, weight)| (place_of[e as usize], weight))
                .collect();
            cubature.sort_unstable_by_key(|point| point.0);
            TrainedDomain {
                elements,
                nodes: (order.iter())
                    .map(|&k| numbers.nodes[domain.nodes[k] as usize])
                    .collect(),
                basis,
                cubature,
                ..domain.clone()
            }
        };
        let domains: Vec<TrainedDomain> = plain.domains.iter().map(domain).collect();
        let mut interface: Vec<InterfaceNode> = (plain.interface.iter())
            .map(|shared| {
                let node = numbers.nodes[shared.node as usize];
                let place = |d: u32| domains[d as usize].place_of(node).unwrap() as u32;
                InterfaceNode {
                    node,
                    copies: (shared.copies.iter()).map(|c| (c.0, place(c.0))).collect(),
                }
            })
            .collect();
        interface.sort_by_key(|shared| shared.node);
        TrainedModel {
            body: plain.body.clone(),
            fingerprint: Fingerprint::of_body(model, 0),
            domains,
            interface,
            weights: (plain.weights.as_ref()).map(|w| weights(w, numbers)),
            contacts: plain.contacts.clone(), // of these scenes there are none
        }
    }

    /// Positions of the image as they would be in the original.
    pub fn undo(&self, positions: &[Vec3]) -> Vec<Vec3> {
        let Change {
            turn, scale, shift, ..
        } = self.change;
        let back = |&new: &u32| turn.transpose() * (positions[new as usize] - shift) / scale;
        self.nodes.iter().map(back).collect()
    }
}
