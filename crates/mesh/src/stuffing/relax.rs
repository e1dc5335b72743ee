//! Moves nodes of a finished mesh without giving up its angles: each move is tried at full length, half and quarter
//! and kept only if no tetrahedron at the node becomes worse than it may.

use crate::adjacency::{Csr, TETRAHEDRON_EDGES, TETRAHEDRON_FACES};
use pliant_linalg::Vec3;

/// Smallest and largest dihedral angle of some tetrahedra, as cosines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Angles {
    /// Cosine of the smallest angle.
    pub(super) of_smallest: f64,
    /// Cosine of the largest angle.
    pub(super) of_largest: f64,
}

impl Angles {
    /// The limits given by two angles, rad.
    pub(super) fn new(smallest: f64, largest: f64) -> Angles {
        Angles {
            of_smallest: smallest.cos(),
            of_largest: largest.cos(),
        }
    }

    /// Whether no angle is beyond the limits.
    pub(super) fn within(&self, limits: &Angles) -> bool {
        self.of_smallest <= limits.of_smallest && self.of_largest >= limits.of_largest
    }

    /// The looser of two limits, angle by angle.
    pub(super) fn looser(&self, other: &Angles) -> Angles {
        Angles {
            of_smallest: self.of_smallest.max(other.of_smallest),
            of_largest: self.of_largest.min(other.of_largest),
        }
    }

    /// One number to compare by, smaller for better: how close the worse angle is to flat.
    pub(super) fn badness(&self) -> f64 {
        self.of_smallest.max(-self.of_largest)
    }
}

/// Nodes and tetrahedra (positive) with the tetrahedra at each node.
pub(super) struct Movable<'a> {
    pub(super) positions: Vec<Vec3>,
    pub(super) tetrahedra: &'a [[u32; 4]],
    pub(super) at_node: &'a Csr,
}

impl Movable<'_> {
    /// Extreme angles of tetrahedron `t`; flat or inverted ones have the worst there are.
    pub(super) fn angles_of(&self, t: u32) -> Angles {
        self.angles(self.tetrahedra[t as usize])
    }

    /// Extreme angles of the tetrahedron with these nodes.
    pub(super) fn angles(&self, nodes: [u32; 4]) -> Angles {
        let points = nodes.map(|n| self.positions[n as usize]);
        let [a, b, c, d] = points;
        let worst = Angles {
            of_smallest: 1.0,
            of_largest: -1.0,
        };
        if (b - a).dot((c - a).cross(d - a)) <= 0.0 {
            return worst;
        }
        let normals = TETRAHEDRON_FACES.map(|[i, j, k]| {
            let n = (points[j] - points[i]).cross(points[k] - points[i]);
            n.normalized().unwrap_or_default()
        });
        let mut angles = Angles {
            of_smallest: -1.0,
            of_largest: 1.0,
        };
        for edge in TETRAHEDRON_EDGES {
            let opposite = 6 - edge[0] - edge[1];
            let (i, j) = match opposite {
                // the two nodes that are not on the edge
                1 => (0, 1),
                2 => (0, 2),
                4 => (1, 3),
                5 => (2, 3),
                _ if edge.contains(&0) => (1, 2),
                _ => (0, 3),
            };
            let cosine = -normals[i].dot(normals[j]);
            angles.of_smallest = angles.of_smallest.max(cosine);
            angles.of_largest = angles.of_largest.min(cosine);
        }
        angles
    }

    /// Extreme angles round node `n`.
    pub(super) fn angles_at(&self, n: u32) -> Angles {
        let start = Angles {
            of_smallest: -1.0,
            of_largest: 1.0,
        };
        self.at_node
            .row(n as usize)
            .iter()
            .fold(start, |a, &t| a.looser(&self.angles_of(t)))
    }

    /// Moves node `n` to `target` or part of the way, staying within `limits` or what is there already; returns the
    /// fraction of the way.
    pub(super) fn step(&mut self, n: u32, target: Vec3, limits: &Angles) -> f64 {
        self.step_where(n, target, limits, |_| true)
    }

    /// The same, to positions that `accepts` agrees to.
    pub(super) fn step_where(
        &mut self,
        n: u32,
        target: Vec3,
        limits: &Angles,
        accepts: impl Fn(&[Vec3]) -> bool,
    ) -> f64 {
        let start = self.positions[n as usize];
        let allowed = self.angles_at(n).looser(limits);
        for fraction in [1.0, 0.5, 0.25] {
            self.positions[n as usize] = start + (target - start) * fraction;
            if self.angles_at(n).within(&allowed) && accepts(&self.positions) {
                return fraction;
            }
        }
        self.positions[n as usize] = start;
        0.0
    }
}
