//! Figures with a skeleton, made of tapered limbs that merge: a hand, a humanoid, a giant.
//!
//! Bones run inside the limbs, so that every one of them holds some of the body. They stand in for scanned characters, which have
//! no free licence, at the sizes of the papers' meshes.

mod giant;
mod hand;
mod humanoid;

use crate::mesh::Mesh;
use crate::rig::{Joint, RigError, Skeleton};
use crate::stuffing::{Ball, Blob, StuffingError, blob};
use pliant_linalg::{Vec3, vec3};

/// Which figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreatureKind {
    /// A right hand, 1.6 m long, fingers along y, its palm towards z; 19 bones. A turn about x bends a finger.
    Hand,
    /// A child with a large head and ears, 0.84 m tall along y, face towards z; 17 bones.
    Humanoid,
    /// A stout creature with a tail, 2 m tall along y, face towards z; 52 bones.
    Giant,
}

/// A figure without elements yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Creature {
    /// Chains of balls.
    pub limbs: Vec<Vec<Ball>>,
    /// Distance below which limbs merge, m.
    pub blend: f64,
    /// Joints and bones.
    pub skeleton: Skeleton,
}

impl CreatureKind {
    /// All of them.
    pub const ALL: [CreatureKind; 3] = [
        CreatureKind::Hand,
        CreatureKind::Humanoid,
        CreatureKind::Giant,
    ];

    /// Its name in scenes and commands.
    pub fn name(self) -> &'static str {
        match self {
            CreatureKind::Hand => "hand",
            CreatureKind::Humanoid => "humanoid",
            CreatureKind::Giant => "giant",
        }
    }

    /// Edge that gives about as many nodes as the mesh of the paper has, m.
    pub fn default_edge(self) -> f64 {
        match self {
            CreatureKind::Hand => 0.01602,
            CreatureKind::Humanoid => 0.01481,
            CreatureKind::Giant => 0.0212,
        }
    }

    /// The figure.
    pub fn figure(self) -> Result<Creature, RigError> {
        match self {
            CreatureKind::Hand => hand::figure(),
            CreatureKind::Humanoid => humanoid::figure(),
            CreatureKind::Giant => giant::figure(),
        }
    }

    /// The solid with tetrahedra of a mean edge at the boundary, m; see [`Blob::grading`].
    pub fn solid(self, edge: f64, grading: f64) -> Result<Blob, RigError> {
        let Creature { limbs, blend, .. } = self.figure()?;
        Ok(Blob {
            limbs,
            blend,
            edge,
            grading,
        })
    }
}

/// Fills a figure with at most `element_limit` tetrahedra.
pub fn creature(
    kind: CreatureKind,
    edge: f64,
    grading: f64,
    element_limit: usize,
) -> Result<Mesh, StuffingError> {
    let solid = kind.solid(edge, grading);
    // the figures are constants that a test builds
    let solid = solid.map_err(|e| StuffingError::BadLimb {
        limb: 1,
        problem: e.to_string(),
    })?;
    blob(&solid, element_limit)
}

/// Limbs and joints while a figure is drawn.
#[derive(Default)]
struct Drawing {
    limbs: Vec<Vec<Ball>>,
    joints: Vec<Joint>,
}

impl Drawing {
    /// A limb through points [x, y, z, radius], m.
    fn limb(&mut self, points: &[[f64; 4]]) {
        let ball = |&[x, y, z, radius]: &[f64; 4]| Ball {
            centre: vec3(x, y, z),
            radius,
        };
        self.limbs.push(points.iter().map(ball).collect());
    }

    /// A joint at a place, m, and its index.
    fn joint(&mut self, name: impl Into<String>, place: Vec3, parent: Option<usize>) -> usize {
        self.joints.push(Joint {
            name: name.into(),
            position: place,
            parent,
        });
        self.joints.len() - 1
    }

    /// Joints in a row, each carried by the one before.
    fn chain(&mut self, from: usize, links: &[(String, Vec3)]) -> usize {
        let mut parent = from;
        for (name, place) in links {
            parent = self.joint(name.clone(), *place, Some(parent));
        }
        parent
    }

    fn figure(self, blend: f64) -> Result<Creature, RigError> {
        Ok(Creature {
            limbs: self.limbs,
            blend,
            skeleton: Skeleton::new(self.joints)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::Components;
    use crate::quality::Quality;
    use crate::rig::{WeightOptions, heat_weights, nodes_at_bones, split_into_domains};
    use crate::stuffing::MIN_DIHEDRAL;
    use crate::surface::Surface;

    /// Coarse figures: sound, and every bone has nodes to hold and elements of its own.
    #[test]
    fn figures_are_sound_and_every_bone_has_its_part() {
        for (kind, bones, edge) in [
            (CreatureKind::Hand, 19, 0.03),
            (CreatureKind::Humanoid, 17, 0.021),
            (CreatureKind::Giant, 52, 0.04),
        ] {
            let name = kind.name();
            let figure = kind.figure().unwrap();
            assert_eq!(figure.skeleton.bone_count(), bones, "{name}");
            let mesh = creature(kind, edge, 1.0, 1_000_000).unwrap();
            assert_eq!(Components::of(&mesh).count, 1, "{name}");
            let surface = Surface::of(&mesh);
            assert!(surface.is_closed_manifold(), "{name}");
            // one surface: no bubble inside, no limb that touches another
            let faces = surface.triangles.len();
            let euler = surface.nodes.len() as i64 - faces as i64 / 2;
            assert_eq!(euler, 2, "{name} has a handle or a bubble");
            let least = Quality::of(&mesh).min_angle;
            assert!(least >= MIN_DIHEDRAL, "{name} {}°", least.to_degrees());
            let held = nodes_at_bones(&mesh, &figure.skeleton).unwrap();
            let weights = heat_weights(&mesh, &figure.skeleton, &WeightOptions::default()).unwrap();
            let domains = split_into_domains(mesh.elements.iter(), &weights, bones);
            for bone in 0..bones {
                let bone_name = figure.skeleton.bone_name(bone);
                let own = held
                    .iter()
                    .filter(|&&n| weights.bone_of(n as usize) == bone as u32);
                assert!(own.count() > 0, "{name}: {bone_name} holds no node");
                let elements = domains.elements[bone].len();
                assert!(elements > 20, "{name}: {bone_name} has {elements} elements");
            }
            assert_eq!(kind.figure().unwrap(), figure);
        }
        assert!(creature(CreatureKind::Hand, 1e-9, 1.0, 1000).is_err());
        assert!(creature(CreatureKind::Hand, -1.0, 1.0, 1000).is_err());
    }

    /// Counts of the papers' meshes [TMDK15, Table 2], within a few per cent.
    #[test]
    fn default_edges_give_the_sizes_of_the_papers() {
        let mut wrong = Vec::new();
        for (kind, nodes) in [
            (CreatureKind::Hand, 95_746),
            (CreatureKind::Humanoid, 26_652),
            (CreatureKind::Giant, 117_212),
        ] {
            let mesh = creature(kind, kind.default_edge(), 1.0, 2_000_000).unwrap();
            let ratio = mesh.node_count() as f64 / f64::from(nodes);
            let (n, e) = (mesh.node_count(), mesh.element_count());
            let least = Quality::of(&mesh).min_angle.to_degrees();
            println!(
                "{}: {n} nodes, {e} tetrahedra, smallest dihedral angle {least:.2}°",
                kind.name()
            );
            wrong.extend(((ratio - 1.0).abs() > 0.04).then_some((kind.name(), n)));
            assert!(Surface::of(&mesh).is_closed_manifold());
            assert_eq!(Components::of(&mesh).count, 1);
        }
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
