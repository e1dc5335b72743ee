//! What acts on a model from outside: prescribed motion, forces, tractions, springs to moving targets.
//!
//! A drive names global nodes. Prescribed motion enters the step as known velocity (`b` in v = G z + b), loads as
//! forces at the end of the step, springs also as stiffness and damping.

use crate::model::Model;
use crate::profile::Profile;
use crate::rig::Rig;
use pliant_linalg::{Mat3, Vec3};
use pliant_mesh::octet::FACE_PARTS;
use std::sync::Arc;

/// A named action.
#[derive(Clone, Debug)]
pub struct Drive {
    /// Name, used for its reaction force in reports.
    pub name: String,
    /// What it does.
    pub action: Action,
}

impl Drive {
    /// One of the nodes it acts on.
    pub(crate) fn first_node(&self) -> Option<usize> {
        let node = match &self.action {
            Action::Prescribe { nodes, .. }
            | Action::Skin { nodes, .. }
            | Action::Force { nodes, .. }
            | Action::Accelerate { nodes, .. }
            | Action::Spring { nodes, .. } => nodes.first(),
            Action::Traction { faces, .. } => match faces {
                Faces::Triangles(triangles) => triangles.first().map(|t| &t[0]),
                Faces::Edges(edges, _) => edges.first().map(|e| &e[0]),
            },
        };
        node.map(|&n| n as usize)
    }

    /// The nodes that it leaves no motion of their own: all their coordinates are prescribed for ever.
    pub fn held(&self) -> &[u32] {
        match &self.action {
            Action::Prescribe {
                nodes,
                axes: [true, true, true],
                release: None,
                ..
            }
            | Action::Skin { nodes, .. } => nodes,
            _ => &[],
        }
    }
}

/// The kinds of drives.
#[derive(Clone, Debug)]
pub enum Action {
    /// Nodes follow a motion of their rest positions.
    Prescribe {
        /// Global nodes, sorted.
        nodes: Vec<u32>,
        /// Which coordinates follow; the others are free.
        axes: [bool; 3],
        /// The motion.
        motion: Motion,
        /// Time after which the nodes are free, s.
        release: Option<f64>,
    },
    /// Nodes are where the skeleton of their body has them.
    Skin {
        /// Global nodes, sorted.
        nodes: Vec<u32>,
        /// The skeleton.
        rig: Arc<Rig>,
        /// First node of its body.
        first_node: u32,
    },
    /// A total force shared equally by the nodes.
    Force {
        /// Global nodes.
        nodes: Vec<u32>,
        /// Total force, N.
        force: Vec3,
        /// Factor in time.
        profile: Profile,
    },
    /// Each node is pushed by its mass times an acceleration, as gravity does.
    Accelerate {
        /// Global nodes.
        nodes: Vec<u32>,
        /// Acceleration, m/s².
        acceleration: [Profile; 3],
    },
    /// Force per rest area (dead load), and pressure along the inward normal of the present shape.
    Traction {
        /// Loaded part of the surface.
        faces: Faces,
        /// Traction, Pa, fixed in direction.
        traction: Vec3,
        /// Pressure, Pa, follows the surface; positive pushes inwards.
        pressure: f64,
        /// Factor in time.
        profile: Profile,
    },
    /// Each node is tied to a moving target by a spring: what a mouse pull is.
    Spring {
        /// Global nodes.
        nodes: Vec<u32>,
        /// Motion of the targets, which start at the rest positions.
        motion: Motion,
        /// Stiffness of each node's spring, N/m.
        stiffness: f64,
        /// Damping of each node's spring against the target's motion, N·s/m.
        damping: f64,
        /// The spring acts from this time, s …
        from: f64,
        /// … until this time, s.
        until: f64,
    },
}

/// Faces of tetrahedra, or edges of triangles of unit thickness; oriented outwards.
#[derive(Clone, Debug)]
pub enum Faces {
    /// Outward triangles.
    Triangles(Vec<[u32; 3]>),
    /// Edges with the body on their left, and the thickness in m.
    Edges(Vec<[u32; 2]>, f64),
}

/// The loaded part of a surface of which some triangles are parts of six-node faces, see [`pliant_mesh::octet::FACE_PARTS`].
#[derive(Clone, Debug)]
pub struct WholeFaces {
    /// Faces all of whose parts are loaded.
    pub whole: Vec<[u32; 6]>,
    /// The other triangles.
    pub flat: Faces,
}

impl WholeFaces {
    /// Of loaded triangles, and all six-node faces that there are.
    pub(crate) fn among(triangles: &[[u32; 3]], faces: &[[u32; 6]]) -> WholeFaces {
        let mut loaded: Vec<[u32; 3]> = triangles.iter().map(|t| turned(*t)).collect();
        loaded.sort_unstable();
        let parts = |face: &[u32; 6]| FACE_PARTS.map(|part| turned(part.map(|k| face[k])));
        let is_loaded = |part: &[u32; 3]| loaded.binary_search(part).is_ok();
        let whole = faces
            .iter()
            .filter(|face| parts(face).iter().all(is_loaded));
        let whole: Vec<[u32; 6]> = whole.copied().collect();
        let mut taken: Vec<[u32; 3]> = whole.iter().flat_map(parts).collect();
        taken.sort_unstable();
        let is_flat = |t: &&[u32; 3]| taken.binary_search(&turned(**t)).is_err();
        WholeFaces {
            flat: Faces::Triangles(triangles.iter().filter(is_flat).copied().collect()),
            whole,
        }
    }
}

/// A triangle from its smallest node on.
fn turned([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// A motion of space: twist, then rotation, then translation, each a function of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Translation, m.
    pub translation: Option<[Profile; 3]>,
    /// Rotation by an angle in rad.
    pub rotation: Option<Turn>,
    /// Rotation by an angle per length along the axis, rad/m.
    pub twist: Option<Turn>,
}

/// An angle (or angle per length) about an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Unit axis.
    pub axis: Vec3,
    /// A point of the axis, m.
    pub centre: Vec3,
    /// The angle in time.
    pub angle: Profile,
}

impl Motion {
    /// Where the point with rest position `rest` is at time `t`.
    pub fn at(&self, rest: Vec3, t: f64) -> Vec3 {
        let mut x = rest;
        if let Some(twist) = &self.twist {
            let arm = x - twist.centre;
            x = twist.centre
                + Mat3::rotation(twist.axis, twist.angle.at(t) * arm.dot(twist.axis)) * arm;
        }
        if let Some(turn) = &self.rotation {
            x = turn.centre + Mat3::rotation(turn.axis, turn.angle.at(t)) * (x - turn.centre);
        }
        if let Some(path) = &self.translation {
            x += Vec3::new(path[0].at(t), path[1].at(t), path[2].at(t));
        }
        x
    }

    pub(crate) fn profiles(&self) -> Vec<&Profile> {
        let turns = [&self.rotation, &self.twist]
            .into_iter()
            .flatten()
            .map(|t| &t.angle);
        self.translation.iter().flatten().chain(turns).collect()
    }

    /// Whether nothing moves.
    pub fn is_rest(&self) -> bool {
        self.translation.is_none() && self.rotation.is_none() && self.twist.is_none()
    }
}

impl Action {
    /// The nodes it names and the profiles it reads, for checks.
    pub(crate) fn parts(&self) -> (Vec<u32>, Vec<&Profile>) {
        match self {
            Action::Prescribe { nodes, motion, .. } | Action::Spring { nodes, motion, .. } => {
                (nodes.clone(), motion.profiles())
            }
            Action::Skin { nodes, .. } => (nodes.clone(), Vec::new()),
            Action::Force { nodes, profile, .. } => (nodes.clone(), vec![profile]),
            Action::Accelerate {
                nodes,
                acceleration,
            } => (nodes.clone(), acceleration.iter().collect()),
            Action::Traction { faces, profile, .. } => {
                let nodes = match faces {
                    Faces::Triangles(triangles) => triangles.iter().flatten().copied().collect(),
                    Faces::Edges(edges, _) => edges.iter().flatten().copied().collect(),
                };
                (nodes, vec![profile])
            }
        }
    }

    /// Whether prescribed motion is in force during the step that ends at time `t`.
    pub fn prescribes_at(&self, t: f64) -> bool {
        match self {
            Action::Prescribe {
                release: Some(release),
                ..
            } => t <= *release,
            Action::Prescribe { release: None, .. } | Action::Skin { .. } => true,
            _ => false,
        }
    }

    /// The nodes whose motion it prescribes, and along which axes.
    pub fn prescribed(&self) -> Option<(&[u32], [bool; 3])> {
        match self {
            Action::Prescribe { nodes, axes, .. } => Some((nodes, *axes)),
            Action::Skin { nodes, .. } => Some((nodes, [true; 3])),
            _ => None,
        }
    }

    /// Calls `visit` with each node of prescribed motion and where it is at time `t`.
    pub fn targets(&self, rest: &[Vec3], t: f64, mut visit: impl FnMut(usize, Vec3)) {
        match self {
            Action::Prescribe { nodes, motion, .. } => {
                for &node in nodes {
                    visit(node as usize, motion.at(rest[node as usize], t));
                }
            }
            Action::Skin {
                nodes,
                rig,
                first_node,
            } => {
                let skinning = rig.skinning_at(t);
                for &node in nodes {
                    let weights = rig.weights.of((node - first_node) as usize);
                    let place = skinning.frame(weights).push(rest[node as usize]);
                    visit(node as usize, place);
                }
            }
            _ => {}
        }
    }

    /// Whether it prescribes that nothing moves.
    pub fn holds_still(&self) -> bool {
        match self {
            Action::Prescribe { motion, .. } => motion.is_rest(),
            Action::Skin { rig, .. } => rig.motion.is_rest(),
            _ => false,
        }
    }
}

/// Loads other than gravity at one moment, gathered per node.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    /// Dead forces, N.
    pub force: Vec<Vec3>,
    /// Springs in force.
    pub springs: Vec<SpringLoad>,
    /// Sum of the dead forces of each drive, N.
    pub totals: Vec<Vec3>,
}

/// One node's spring at one moment.
#[derive(Clone, Copy, Debug)]
pub struct SpringLoad {
    /// Its drive.
    pub drive: usize,
    /// Global node.
    pub node: u32,
    /// Where it is pulled to, m.
    pub target: Vec3,
    /// Stiffness, N/m.
    pub stiffness: f64,
    /// Damping, N·s/m.
    pub damping: f64,
    /// Velocity of the target, m/s.
    pub target_velocity: Vec3,
}

impl Loads {
    /// Whether a drive's springs are in force.
    pub(crate) fn has_spring_of(&self, drive: usize) -> bool {
        self.springs.iter().any(|s| s.drive == drive)
    }

    /// Evaluates all drives for the step of length `h` that ends at time `t`; pressures act on `positions`.
    pub fn gather(&mut self, model: &Model, positions: &[Vec3], t: f64, h: f64) {
        self.force.clear();
        self.force.resize(model.rest.len(), Vec3::ZERO);
        self.add(model, positions, t, h);
    }

    /// The same where `force` is zero already; forces and positions of other nodes than those of the drives are not touched.
    pub(crate) fn add(&mut self, model: &Model, positions: &[Vec3], t: f64, h: f64) {
        let (drives, rest) = (&model.drives, &model.rest);
        self.springs.clear();
        self.totals.clear();
        self.totals.resize(drives.len(), Vec3::ZERO);
        for (index, drive) in drives.iter().enumerate() {
            match &drive.action {
                Action::Prescribe { .. } | Action::Skin { .. } => {}
                Action::Force {
                    nodes,
                    force,
                    profile,
                } => {
                    let share = *force * (profile.at(t) / nodes.len() as f64);
                    for &node in nodes {
                        self.force[node as usize] += share;
                    }
                    self.totals[index] = *force * profile.at(t);
                }
                Action::Accelerate {
                    nodes,
                    acceleration: [x, y, z],
                } => {
                    let acceleration = Vec3::new(x.at(t), y.at(t), z.at(t));
                    for &node in nodes {
                        let push = acceleration * model.mass[node as usize];
                        self.force[node as usize] += push;
                        self.totals[index] += push;
                    }
                }
                Action::Traction {
                    faces,
                    traction,
                    pressure,
                    profile,
                } => {
                    let factor = profile.at(t);
                    let (traction, pressure) = (*traction * factor, *pressure * factor);
                    let (force, mut total) = (&mut self.force, Vec3::ZERO);
                    let flat = match model.whole_faces.get(index) {
                        Some(Some(faces)) => {
                            total = add_six_nodes(
                                force,
                                &faces.whole,
                                traction,
                                pressure,
                                rest,
                                positions,
                            );
                            &faces.flat
                        }
                        _ => faces,
                    };
                    total += add_traction(force, flat, traction, pressure, rest, positions);
                    self.totals[index] = total;
                }
                Action::Spring {
                    nodes,
                    motion,
                    stiffness,
                    damping,
                    from,
                    until,
                } => {
                    if t < *from || t > *until {
                        continue;
                    }
                    for &node in nodes {
                        let x = rest[node as usize];
                        let target = motion.at(x, t);
                        let target_velocity = (target - motion.at(x, t - h)) / h;
                        self.springs.push(SpringLoad {
                            drive: index,
                            node,
                            target,
                            stiffness: *stiffness,
                            damping: *damping,
                            target_velocity,
                        });
                    }
                }
            }
        }
    }
}

/// Adds the nodal forces of a loaded surface and returns their sum.
fn add_traction(
    force: &mut [Vec3],
    faces: &Faces,
    traction: Vec3,
    pressure: f64,
    rest: &[Vec3],
    x: &[Vec3],
) -> Vec3 {
    let mut total = Vec3::ZERO;
    let mut share = |nodes: &[u32], load: Vec3| {
        for &node in nodes {
            force[node as usize] += load / nodes.len() as f64;
        }
        total += load;
    };
    match faces {
        Faces::Triangles(triangles) => {
            let area = |p: &[Vec3], t: &[u32; 3]| {
                let [a, b, c] = t.map(|n| p[n as usize]);
                (b - a).cross(c - a) * 0.5
            };
            for triangle in triangles {
                share(
                    triangle,
                    traction * area(rest, triangle).norm() - area(x, triangle) * pressure,
                );
            }
        }
        Faces::Edges(edges, thickness) => {
            for edge in edges {
                let along = |p: &[Vec3]| p[edge[1] as usize] - p[edge[0] as usize];
                let d = along(x);
                let outwards = Vec3::new(d.y, -d.x, 0.0); // the body lies on the left
                share(
                    edge,
                    (traction * along(rest).norm() - outwards * pressure) * *thickness,
                );
            }
        }
    }
    total
}

/// The same for six-node faces, ∫ N (t dA₀ − p n da), by three points of each: exact where the face is flat, and its resultant always.
fn add_six_nodes(
    force: &mut [Vec3],
    faces: &[[u32; 6]],
    traction: Vec3,
    pressure: f64,
    rest: &[Vec3],
    x: &[Vec3],
) -> Vec3 {
    let mut total = Vec3::ZERO;
    for face in faces {
        for point in 0..3 {
            let mut at = [1.0 / 6.0; 3];
            at[point] = 2.0 / 3.0;
            let (shape, slopes) = six_node_shape(at);
            let normal = |p: &[Vec3]| {
                let along = |i: usize| {
                    let terms = face.iter().zip(&slopes);
                    terms.fold(Vec3::ZERO, |s, (&n, slope)| s + p[n as usize] * slope[i])
                };
                along(0).cross(along(1)) / 6.0
            };
            let load = traction * normal(rest).norm() - normal(x) * pressure;
            for (&node, share) in face.iter().zip(shape) {
                force[node as usize] += load * share;
            }
            total += load;
        }
    }
    total
}

/// Shape functions of a six-node face at a point given by three coordinates, and their derivatives by the second and the third.
fn six_node_shape(at: [f64; 3]) -> ([f64; 6], [[f64; 2]; 6]) {
    const SLOPES: [[f64; 2]; 3] = [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]];
    let (mut shape, mut slopes) = ([0.0; 6], [[0.0; 2]; 6]);
    for k in 0..3 {
        let (a, b) = (at[k], at[(k + 1) % 3]);
        shape[k] = a * (2.0 * a - 1.0);
        shape[3 + k] = 4.0 * a * b;
        for i in 0..2 {
            slopes[k][i] = (4.0 * a - 1.0) * SLOPES[k][i];
            slopes[3 + k][i] = 4.0 * (a * SLOPES[(k + 1) % 3][i] + b * SLOPES[k][i]);
        }
    }
    (shape, slopes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vec3;

    #[test]
    fn six_node_faces_carry_a_uniform_traction_by_their_middles() {
        let corners = [Vec3::ZERO, vec3(2.0, 0.0, 0.0), vec3(0.3, 1.5, 0.0)];
        let middle = |k: usize| (corners[k] + corners[(k + 1) % 3]) * 0.5;
        let x: Vec<Vec3> = corners.into_iter().chain((0..3).map(middle)).collect();
        let triangles = FACE_PARTS.map(|part| part.map(|k| k as u32));
        let face = [0, 1, 2, 3, 4, 5];
        let found = WholeFaces::among(&triangles, &[face]);
        let count = |faces: &WholeFaces| match &faces.flat {
            Faces::Triangles(list) => (faces.whole.len(), list.len()),
            Faces::Edges(..) => (0, 0),
        };
        assert_eq!(count(&found), (1, 0));
        assert_eq!(count(&WholeFaces::among(&triangles[..3], &[face])), (0, 3));

        let mut f = vec![Vec3::ZERO; 6];
        let traction = vec3(1.0, 2.0, 3.0);
        let total = add_six_nodes(&mut f, &[face], traction, 4.0, &x, &x);
        let expected = (traction - vec3(0.0, 0.0, 4.0)) * 1.5;
        assert!((total - expected).norm() < 1e-14);
        for (k, f) in f.into_iter().enumerate() {
            let share = if k < 3 { 0.0 } else { 1.0 / 3.0 };
            assert!((f - expected * share).norm() < 1e-14, "{k}: {f:?}");
        }
    }

    #[test]
    fn pressure_on_a_closed_surface_has_no_resultant() {
        let x = [
            Vec3::ZERO,
            vec3(1.0, 0.1, 0.0),
            vec3(0.2, 1.3, 0.1),
            vec3(0.1, 0.2, 0.9),
        ];
        let faces = Faces::Triangles(vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]);
        let mut f = vec![Vec3::ZERO; 4];
        add_traction(&mut f, &faces, Vec3::ZERO, 5.0, &x, &x);
        let total = f.iter().fold(Vec3::ZERO, |s, &f| s + f);
        assert!(total.norm() < 1e-14);
        let centre = x.iter().fold(Vec3::ZERO, |s, &p| s + p / 4.0);
        for (f, x) in f.iter().zip(x) {
            assert!(f.dot(centre - x) > 0.0, "positive pressure pushes inwards");
        }
    }

    #[test]
    fn motion_composes_twist_rotation_translation() {
        let half_turn = Turn {
            axis: Vec3::AXES[2],
            centre: vec3(1.0, 0.0, 0.0),
            angle: Profile::Constant(std::f64::consts::PI),
        };
        let move_up = [
            Profile::Constant(0.0),
            Profile::Constant(0.0),
            Profile::Constant(2.0),
        ];
        let motion = Motion {
            translation: Some(move_up),
            rotation: Some(half_turn),
            twist: None,
        };
        assert!((motion.at(Vec3::ZERO, 0.0) - vec3(2.0, 0.0, 2.0)).norm() < 1e-15);
        let twist = Turn {
            axis: Vec3::AXES[0],
            centre: Vec3::ZERO,
            angle: Profile::Constant(std::f64::consts::PI),
        };
        let motion = Motion {
            twist: Some(twist),
            ..Motion::default()
        };
        assert!((motion.at(vec3(0.5, 1.0, 0.0), 0.0) - vec3(0.5, 0.0, 1.0)).norm() < 1e-15);
        assert_eq!(motion.at(vec3(0.0, 1.0, 0.0), 0.0), vec3(0.0, 1.0, 0.0));
    }
}
