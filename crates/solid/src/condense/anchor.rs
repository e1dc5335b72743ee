//! Rigid motions that nothing prevents, and unknowns that must be dynamic for them.
//!
//! H_qq is singular unless prescribed and dynamic unknowns take away all rigid motions of each piece: 6, 3, 1 or 0 are left by no,
//! one, two or three dynamic nodes (METHODS 1.2). For each motion that is left one scalar unknown is made dynamic. Such a support is
//! statically determinate, so the response to it is that rigid motion itself: the piece moves as a rigid body there, with all
//! of its inertia.

use pliant_linalg::Vec3;

/// Share of a unit motion below which an unknown does not prevent it: the sine of an angle.
const WEAK: f64 = 0.02;

/// A scalar unknown of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The unknown, or whatever the caller wants to know it by.
    pub dof: u32,
    /// Where the node is, m.
    pub position: Vec3,
    /// Its direction.
    pub axis: usize,
}

/// The places among `free` that must be dynamic so that no rigid motion is left, where those in `held` do not move by themselves.
/// `positions` are those of all nodes of the piece.
pub(super) fn anchors(
    held: &[Place],
    free: impl Iterator<Item = Place> + Clone,
    positions: impl ExactSizeIterator<Item = Vec3> + Clone,
) -> Vec<u32> {
    if free.clone().next().is_none() {
        return Vec::new();
    }
    let count = positions.len() as f64;
    let centre = positions.clone().fold(Vec3::ZERO, |sum, x| sum + x) / count;
    let squares = positions.map(|x| (x - centre).norm_squared());
    let size = squares.fold(0.0, f64::max).sqrt().max(f64::MIN_POSITIVE);
    let motion = |place: &Place| rigid_row(place, centre, size);
    let mut prevented = Prevented::default();
    while let Some((_, row)) = prevented.farthest(held.iter().copied(), motion, WEAK) {
        prevented.add(row);
    }
    let mut anchors = Vec::new();
    while let Some((place, row)) = prevented.farthest(free.clone(), motion, 1e-9) {
        prevented.add(row);
        anchors.push(place.dof);
    }
    anchors
}

/// What the six rigid motions (translations, and rotations about the centre that move its surroundings as far) do to a place.
fn rigid_row(place: &Place, centre: Vec3, size: f64) -> [f64; 6] {
    let axis = Vec3::AXES[place.axis];
    let turned = (place.position - centre).cross(axis) / size; // (ω × r)·e = ω·(r × e)
    [axis.x, axis.y, axis.z, turned.x, turned.y, turned.z]
}

/// An orthonormal basis of the motions that are prevented.
#[derive(Default)]
struct Prevented(Vec<[f64; 6]>);

impl Prevented {
    /// The place that prevents most of a motion that is still free, if more than `least`, and the share of its row that is new.
    fn farthest(
        &self,
        places: impl Iterator<Item = Place>,
        motion: impl Fn(&Place) -> [f64; 6],
        least: f64,
    ) -> Option<(Place, [f64; 6])> {
        if self.0.len() == 6 {
            return None;
        }
        let mut best = None;
        let mut most = least;
        for place in places {
            let row = self.rest(self.rest(motion(&place))); // twice is enough
            let size = dot(&row, &row).sqrt();
            if size > most * (1.0 + 1e-12) {
                most = size;
                best = Some((place, row.map(|r| r / size)));
            }
        }
        best
    }

    fn rest(&self, mut row: [f64; 6]) -> [f64; 6] {
        for known in &self.0 {
            let along = dot(&row, known);
            row.iter_mut().zip(known).for_each(|(r, k)| *r -= along * k);
        }
        row
    }

    fn add(&mut self, row: [f64; 6]) {
        self.0.push(row);
    }
}

fn dot(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vec3;

    fn places(points: &[Vec3]) -> Vec<Place> {
        let axes = points.iter().enumerate().flat_map(|(i, &position)| {
            (0..3).map(move |axis| Place {
                dof: 3 * i as u32 + axis as u32,
                position,
                axis,
            })
        });
        axes.collect()
    }

    /// METHODS 1.2: 6, 3, 1, 0 motions are left by 0, 1, 2, 3 nodes, and 1 by any number in a line.
    #[test]
    fn as_many_anchors_as_motions_are_left() {
        let cube: Vec<Vec3> = (0..8)
            .map(|i| vec3((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64))
            .collect();
        let count = |held: &[Vec3]| {
            let (held, free) = (places(held), places(&cube));
            anchors(&held, free.iter().copied(), cube.iter().copied()).len()
        };
        let line: Vec<Vec3> = (0..5).map(|i| vec3(0.2 * i as f64, 0.1, 0.0)).collect();
        assert_eq!(count(&[]), 6);
        assert_eq!(count(&cube[..1]), 3);
        assert_eq!(count(&cube[..2]), 1);
        assert_eq!(count(&line), 1);
        assert_eq!(count(&cube[..3]), 0);
    }

    /// In the plane z is prescribed everywhere, and three motions are left.
    #[test]
    fn planar_pieces_have_three_motions() {
        let square = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)];
        let points: Vec<Vec3> = square.iter().map(|&(x, y)| vec3(x, y, 0.0)).collect();
        let all = places(&points);
        let held: Vec<Place> = all.iter().copied().filter(|p| p.axis == 2).collect();
        let free = all.iter().copied().filter(|p| p.axis != 2);
        assert_eq!(anchors(&held, free, points.iter().copied()).len(), 3);
    }
}
