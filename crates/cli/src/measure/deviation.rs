//! How far the nodes of one simulation are from those of another.
//!
//! Distances are fractions of the diagonal of the bounding box that the node's body has at rest, so that a large body does not
//! hide a small one.

use pliant_linalg::Vec3;
use pliant_solid::model::Model;

/// Distances over all nodes and frames so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deviation {
    largest: f64,
    /// Sum of squares.
    squares: f64,
    count: u64,
    last: f64,
}

impl Deviation {
    /// Takes a frame into account; `diagonals` are those of [`diagonals`]. The largest distance in it.
    pub fn note(&mut self, positions: &[Vec3], reference: &[Vec3], diagonals: &[f64]) -> f64 {
        self.last = 0.0;
        for ((&x, &other), diagonal) in positions.iter().zip(reference).zip(diagonals) {
            let distance = (x - other).norm() / diagonal;
            self.last = self.last.max(distance);
            self.squares += distance * distance;
            self.count += 1;
        }
        self.largest = self.largest.max(self.last);
        self.last
    }

    /// The largest over all nodes and frames; none before the first frame.
    pub fn largest(&self) -> Option<f64> {
        (self.count > 0).then_some(self.largest)
    }

    /// Root of the mean square over all nodes and frames.
    pub fn root_mean_square(&self) -> Option<f64> {
        (self.count > 0).then(|| (self.squares / self.count as f64).sqrt())
    }

    /// The largest over the nodes of the last frame.
    pub fn last(&self) -> Option<f64> {
        (self.count > 0).then_some(self.last)
    }
}

/// For each node the diagonal of its body's bounding box at rest, m.
pub fn diagonals(model: &Model) -> Vec<f64> {
    let mut diagonals = vec![1.0; model.node_count()];
    for body in &model.bodies {
        let nodes = &model.rest[body.nodes.clone()];
        let low = nodes.iter().copied().reduce(Vec3::min).unwrap_or_default();
        let high = nodes.iter().copied().reduce(Vec3::max).unwrap_or_default();
        diagonals[body.nodes.clone()].fill((high - low).norm());
    }
    diagonals
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vec3;

    #[test]
    fn two_nodes_in_two_frames_by_hand() {
        let mut deviation = Deviation::default();
        assert_eq!(deviation.largest(), None);
        assert_eq!(deviation.root_mean_square(), None);
        assert_eq!(deviation.last(), None);

        // bodies with diagonals of 10 m and 1 m
        let diagonals = [10.0, 1.0];
        let reference = [vec3(1.0, 1.0, 1.0), vec3(0.0, 0.0, 2.0)];
        // 5 m and 0.25 m away: 0.5 and 0.25 of the bodies
        let first = [vec3(4.0, 5.0, 1.0), vec3(0.0, 0.0, 1.75)];
        assert_eq!(deviation.note(&first, &reference, &diagonals), 0.5);
        // 0 and 0.25
        let second = [reference[0], vec3(0.25, 0.0, 2.0)];
        assert_eq!(deviation.note(&second, &reference, &diagonals), 0.25);

        assert_eq!(deviation.largest(), Some(0.5));
        assert_eq!(deviation.last(), Some(0.25));
        // (1/4 + 1/16 + 0 + 1/16) / 4 = 3/32
        let expected = (3.0_f64 / 32.0).sqrt();
        assert_eq!(deviation.root_mean_square(), Some(expected));
    }
}
