//! Nodes in the same place.

use pliant_linalg::Vec3;

/// Nodes nearer to each other than this fraction of the size of the mesh are in the same place. Rounding to single
/// precision in a file moves nodes by some 1e-7; parts that were meshed apart agree to about 1e-12.
pub const TOLERANCE: f64 = 1e-9;

/// For each node the first node in the same place, itself if it is the first.
pub fn coincident(positions: &[Vec3]) -> Vec<u32> {
    let mut first: Vec<u32> = (0..positions.len() as u32).collect();
    let start = positions.first().copied().unwrap_or_default();
    let (low, high) = positions
        .iter()
        .fold((start, start), |(l, h), &p| (l.min(p), h.max(p)));
    let tolerance = TOLERANCE * (high - low).norm();
    if tolerance <= 0.0 {
        // all nodes are in one place
        first.fill(0);
        return first;
    }
    // two points within the tolerance share a cell of twice that size in one of eight grids, each shifted by half a
    // cell along some axes
    let cell = 2.0 * tolerance;
    let mut keys: Vec<([i64; 3], u32)> = Vec::with_capacity(positions.len());
    for shift in 0..8u8 {
        let half = |axis: u8| if shift >> axis & 1 == 1 { 0.5 } else { 0.0 };
        let offset = [half(0), half(1), half(2)];
        keys.clear();
        keys.extend(positions.iter().zip(0..).map(|(&p, n)| {
            let [x, y, z] = ((p - low) / cell).to_array();
            let key = [x + offset[0], y + offset[1], z + offset[2]].map(|c| c.floor() as i64);
            (key, n)
        }));
        keys.sort_unstable();
        for group in keys.chunk_by(|a, b| a.0 == b.0) {
            for pair in group.windows(2) {
                let (a, b) = (pair[0].1, pair[1].1);
                let distance = (positions[a as usize] - positions[b as usize]).norm();
                if distance <= tolerance {
                    join(&mut first, a, b);
                }
            }
        }
    }
    (0..first.len()).map(|n| root(&first, n as u32)).collect()
}

fn root(first: &[u32], mut n: u32) -> u32 {
    while first[n as usize] != n {
        n = first[n as usize];
    }
    n
}

fn join(first: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(first, a), root(first, b));
    first[a.max(b) as usize] = a.min(b);
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vec3;

    #[test]
    fn pairs_across_cell_walls_are_found() {
        let mut positions = vec![vec3(0.0, 0.0, 0.0), vec3(1.0, 1.0, 1.0)];
        let tolerance = TOLERANCE * 3f64.sqrt();
        // pairs on all sides of the walls of the first grid, and pairs just too far apart
        let mut pairs = 0;
        for i in 1..50 {
            let wall = (i as f64 * 1000.0).round() * 2.0 * tolerance;
            let near = vec3(wall - 0.3 * tolerance, wall, wall + 0.2 * tolerance);
            positions.push(near);
            positions.push(near + vec3(0.5, 0.3, -0.5) * tolerance);
            positions.push(near + vec3(3.0, 0.0, 0.0) * tolerance);
            pairs += 1;
        }
        let first = coincident(&positions);
        let moved = first
            .iter()
            .enumerate()
            .filter(|(i, f)| **f != *i as u32)
            .count();
        assert_eq!(moved, pairs);
        assert_eq!((first[3], first[4]), (2, 4));
    }
}
