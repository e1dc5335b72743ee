//! The constraints of a step: what each asks of the velocities at its end, and how it pulls at nodes and rigid bodies.
//!
//! A constraint has up to three rows. Its rate is u = J v + bias, where `bias` turns positions into velocities (a gap φ
//! that must not close within the step gives φ/h); its [`Law`] relates u to the impulse λ, and Jᵀλ acts on the velocities.
//! Contact has the rows normal, tangent, tangent.

use super::Law;
use pliant_linalg::{Mat3, Vec3};
use std::ops::Range;

/// Names a constraint from step to step: the kind of thing that found it, then what it is between.
pub type Identity = [u32; 5];

/// One to three rows; see the file header.
#[derive(Clone, Copy, Debug)]
pub struct Constraint {
    /// Its name.
    pub identity: Identity,
    /// What is required.
    pub law: Law,
    /// Added to J v, m/s (or the unit of the rows per second).
    pub bias: Vec3,
    /// γ, velocity per impulse.
    pub compliance: f64,
    /// World directions of the rows of a contact, normal first; the identity for others.
    pub frame: Mat3,
}

/// The part of a Jacobian that belongs to a node: rate += block · v.
#[derive(Clone, Copy, Debug)]
pub struct NodeEntry {
    /// Global node.
    pub node: u32,
    /// Rows of the constraint by coordinates of the node.
    pub block: Mat3,
}

/// The part that belongs to a rigid body: rate += linear · (velocity of the point at centre + arm) + angular · ω.
#[derive(Clone, Copy, Debug)]
pub struct RigidEntry {
    /// Rigid body.
    pub body: u32,
    /// From the centre of mass to the point, m.
    pub arm: Vec3,
    /// Acts on the point's velocity.
    pub linear: Mat3,
    /// Acts on the spin.
    pub angular: Mat3,
}

/// Nodes that an attachment to a point has at most; cables and cavities have more.
const FEW: usize = 4;

/// All constraints of a step.
#[derive(Clone, Debug, Default)]
pub struct ConstraintSet {
    constraints: Vec<Constraint>,
    nodes: Vec<NodeEntry>,
    rigids: Vec<RigidEntry>,
    /// Normal rate, m/s, by which contacts that do not take part may be broken.
    pub slack: f64,
    /// Ends of each constraint's entries in `nodes` and `rigids`.
    ends: Vec<(usize, usize)>,
}

impl ConstraintSet {
    /// Forgets all, keeps the memory.
    pub fn clear(&mut self) {
        self.constraints.clear();
        self.nodes.clear();
        self.rigids.clear();
        self.ends.clear();
    }

    /// Number of constraints.
    pub fn len(&self) -> usize {
        self.constraints.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.constraints.is_empty()
    }

    /// The constraints.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Adds a constraint; entries follow by [`Self::pull_node`] and [`Self::pull_rigid`].
    pub fn push(&mut self, constraint: Constraint) {
        self.constraints.push(constraint);
        self.ends.push((self.nodes.len(), self.rigids.len()));
    }

    /// The last constraint acts on a node.
    pub fn pull_node(&mut self, node: u32, block: Mat3) {
        self.nodes.push(NodeEntry { node, block });
        if let Some(end) = self.ends.last_mut() {
            end.0 = self.nodes.len();
        }
    }

    /// The last constraint acts on a rigid body.
    pub fn pull_rigid(&mut self, entry: RigidEntry) {
        self.rigids.push(entry);
        if let Some(end) = self.ends.last_mut() {
            end.1 = self.rigids.len();
        }
    }

    /// Nodes that joints between few of them hold, ascending.
    pub fn joined_nodes(&self, nodes: &mut Vec<u32>) {
        nodes.clear();
        for (index, constraint) in self.constraints.iter().enumerate() {
            let entries = self.nodes_of(index);
            if matches!(constraint.law, Law::Equality { .. }) && entries.len() <= FEW {
                nodes.extend(entries.iter().map(|entry| entry.node));
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
    }

    /// Changes what is added to J v of a constraint.
    pub fn shift_bias(&mut self, index: usize, by: Vec3) {
        self.constraints[index].bias += by;
    }

    /// Gives the first row of the last constraint a bias and a compliance.
    pub fn set_softness(&mut self, bias: f64, compliance: f64) {
        if let Some(last) = self.constraints.last_mut() {
            last.bias.x = bias;
            last.compliance = compliance;
        }
    }

    /// Node entries of a constraint.
    pub fn nodes_of(&self, index: usize) -> &[NodeEntry] {
        &self.nodes[self.range(index, |end| end.0)]
    }

    /// Rigid entries of a constraint.
    pub fn rigids_of(&self, index: usize) -> &[RigidEntry] {
        &self.rigids[self.range(index, |end| end.1)]
    }

    fn range(&self, index: usize, of: impl Fn(&(usize, usize)) -> usize) -> Range<usize> {
        let start = index
            .checked_sub(1)
            .map_or(0, |before| of(&self.ends[before]));
        start..of(&self.ends[index])
    }
}

/// Rows normal, tangent, tangent of a right-handed frame. The first tangent comes from the coordinate axis that is farthest
/// from the normal, so it is the same in every step as long as the normal is.
pub fn contact_frame(normal: Vec3) -> Mat3 {
    let [x, y, z] = normal.to_array().map(f64::abs);
    // planar bodies have normals in x and y; their second tangent is then z
    let axis = if z <= x.min(y) || z < 1e-9 {
        Vec3::AXES[2]
    } else if y <= x {
        Vec3::AXES[1]
    } else {
        Vec3::AXES[0]
    };
    let first = axis.cross(normal).normalized().unwrap_or(Vec3::AXES[0]);
    let second = normal.cross(first);
    Mat3::from_columns(normal, first, second).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vec3;

    #[test]
    fn frames_are_rotations_with_the_normal_first() {
        for n in [
            vec3(0.0, 0.0, 1.0),
            vec3(0.6, -0.8, 0.0),
            vec3(1.0, 0.0, 0.0),
            vec3(1.0, 2.0, 3.0),
            vec3(-1.0, 1.0, 1.0),
        ] {
            let n = n / n.norm();
            let frame = contact_frame(n);
            assert!((frame.row(0) - n).norm() < 1e-15);
            assert!((frame * frame.transpose() - Mat3::IDENTITY).max_abs() < 1e-14);
            assert!((frame.determinant() - 1.0).abs() < 1e-14);
        }
        // in the plane the second tangent leaves it
        let planar = contact_frame(vec3(0.6, -0.8, 0.0));
        assert!(planar.row(1).z.abs() < 1e-15 && planar.row(2).z.abs() > 0.999);
    }
}
