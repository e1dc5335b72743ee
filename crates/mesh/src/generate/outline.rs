//! Rounds off the outline of a plane mesh of quadrilaterals.
//!
//! In a sweep each outline node goes half way to the middle between its two neighbours along the outline, which
//! puts the nodes of a staircase on one line. Unlimited, this would shrink any shape to a point: no node goes further
//! than half the shortest side beside it, which is as much as a staircase needs. A move that would spoil a cell is
//! halved, thrice at most, then left out.

use super::extrude::best_cut;

/// Smallest angle of a triangle that a move may leave, rad (20°), where the cell had twice as much.
const LEAST_ANGLE: f64 = 0.35;

/// More sweeps than this are not made.
const MOST_SWEEPS: usize = 1000;

/// Moves the nodes at sides that only one cell has. Every outline node must have two such sides.
pub(super) fn round_off(nodes: &mut [[f64; 2]], cells: &[[u32; 4]], sweeps: usize) {
    if sweeps == 0 {
        return;
    }
    let beside = neighbours(nodes.len(), cells);
    let mut cells_of = vec![Vec::new(); nodes.len()];
    for (index, cell) in cells.iter().enumerate() {
        for &node in cell {
            cells_of[node as usize].push(index);
        }
    }
    let drawn = nodes.to_vec();
    let reach = reaches(nodes, cells);
    let least: Vec<f64> = cells
        .iter()
        .map(|&cell| (0.5 * best_cut(nodes, cell).1).min(LEAST_ANGLE))
        .collect();
    for _ in 0..sweeps.min(MOST_SWEEPS) {
        let start = nodes.to_vec();
        for (node, pair) in beside.iter().enumerate() {
            let Some([before, after]) = *pair else {
                continue;
            };
            let wanted = [0, 1].map(|axis| {
                let middle = 0.5 * (start[before][axis] + start[after][axis]);
                0.5 * (middle + start[node][axis]) - drawn[node][axis]
            });
            let within = (reach[node] / wanted[0].hypot(wanted[1])).min(1.0);
            let shift = [0, 1].map(|a| drawn[node][a] + within * wanted[a] - start[node][a]);
            for part in [1.0, 0.5, 0.25, 0.125] {
                nodes[node] = [0, 1].map(|axis| start[node][axis] + part * shift[axis]);
                let good = |&cell: &usize| best_cut(nodes, cells[cell]).1 >= least[cell];
                if cells_of[node].iter().all(good) {
                    break;
                }
                nodes[node] = start[node];
            }
        }
    }
}

/// Half the shortest side at each node.
fn reaches(nodes: &[[f64; 2]], cells: &[[u32; 4]]) -> Vec<f64> {
    let mut reach = vec![f64::INFINITY; nodes.len()];
    for cell in cells {
        for i in 0..4 {
            let (a, b) = (cell[i] as usize, cell[(i + 1) % 4] as usize);
            let half = 0.5 * (nodes[a][0] - nodes[b][0]).hypot(nodes[a][1] - nodes[b][1]);
            reach[a] = reach[a].min(half);
            reach[b] = reach[b].min(half);
        }
    }
    reach
}

/// The two outline neighbours of each outline node.
fn neighbours(count: usize, cells: &[[u32; 4]]) -> Vec<Option<[usize; 2]>> {
    let mut sides: Vec<[u32; 2]> = Vec::with_capacity(4 * cells.len());
    for cell in cells {
        sides.extend((0..4).map(|i| {
            let (a, b) = (cell[i], cell[(i + 1) % 4]);
            [a.min(b), a.max(b)]
        }));
    }
    sides.sort_unstable();
    let mut beside = vec![Vec::new(); count];
    for side in sides.chunk_by(|a, b| a == b).filter(|g| g.len() == 1) {
        let [a, b] = side[0].map(|n| n as usize);
        beside[a].push(b);
        beside[b].push(a);
    }
    let pair = |list: Vec<usize>| list.try_into().ok();
    beside.into_iter().map(pair).collect()
}
