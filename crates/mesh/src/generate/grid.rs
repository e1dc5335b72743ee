//! A structured grid of hexahedral cells, open or closed on itself along each axis, cut into tetrahedra.
//!
//! Six: the Kuhn split, one tetrahedron for each order in which the three axes are walked from one corner
//! of the cell to the opposite one. An axis may be walked backwards in part of its cells; since the
//! direction depends only on the index along that axis, shared faces still carry the same diagonal.
//! Five: a tetrahedron on four alternate corners and one at each of the other four, mirrored from cell to
//! cell so that face diagonals match.

use pliant_linalg::Vec3;

/// How a cell of eight nodes is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Split {
    /// Six tetrahedra around one diagonal, the same in every cell (Kuhn split).
    #[default]
    Six,
    /// Five tetrahedra, mirrored in neighbouring cells.
    Five,
}

impl Split {
    /// Tetrahedra a cell.
    pub fn tetrahedra_per_cell(self) -> usize {
        match self {
            Split::Six => 6,
            Split::Five => 5,
        }
    }
}

/// Orders of the axes, with whether the order is an odd permutation.
const WALKS: [([usize; 3], bool); 6] = [
    ([0, 1, 2], false),
    ([1, 2, 0], false),
    ([2, 0, 1], false),
    ([0, 2, 1], true),
    ([1, 0, 2], true),
    ([2, 1, 0], true),
];

/// Corners of the five-way split of an even cell, as bits x = 1, y = 2, z = 4.
const FIVE: [[usize; 4]; 5] = [
    [0, 3, 6, 5],
    [1, 0, 5, 3],
    [2, 0, 3, 6],
    [4, 0, 6, 5],
    [7, 3, 5, 6],
];

/// One axis of the grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    /// Cells along the axis.
    pub cells: usize,
    /// Whether the last cell joins the first; needs three cells or more.
    pub closed: bool,
    /// Cells below this index are walked backwards.
    pub backwards_below: usize,
}

impl Axis {
    /// An open axis walked forwards.
    pub fn open(cells: usize) -> Axis {
        Axis {
            cells,
            closed: false,
            backwards_below: 0,
        }
    }

    /// A closed axis walked forwards.
    pub fn closed(cells: usize) -> Axis {
        Axis {
            closed: true,
            ..Axis::open(cells)
        }
    }

    /// An open axis walked away from node plane `centre` on both sides.
    pub fn outward(cells: usize, centre: usize) -> Axis {
        Axis {
            backwards_below: centre,
            ..Axis::open(cells)
        }
    }

    /// Node planes across the axis.
    pub fn planes(&self) -> usize {
        self.cells + usize::from(!self.closed)
    }
}

/// Nodes with the first index fastest, placed by `place`.
pub(crate) fn nodes(axes: &[Axis; 3], place: impl Fn([usize; 3]) -> Vec3) -> Vec<Vec3> {
    let [nx, ny, nz] = axes.map(|a| a.planes());
    let mut positions = Vec::with_capacity(nx * ny * nz);
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                positions.push(place([i, j, k]));
            }
        }
    }
    positions
}

/// The tetrahedra, cell after cell, first index fastest. Positive where (i, j, k) map to a right-handed frame.
/// [`Split::Five`] needs open axes.
pub(crate) fn tetrahedra(axes: &[Axis; 3], split: Split) -> Vec<[u32; 4]> {
    let planes = axes.map(|a| a.planes());
    let node = |cell: [usize; 3], corner: usize| -> u32 {
        let at = |a: usize| (cell[a] + (corner >> a & 1)) % planes[a];
        (at(0) + planes[0] * (at(1) + planes[1] * at(2))) as u32
    };
    let [nx, ny, nz] = axes.map(|a| a.cells);
    let mut list = Vec::with_capacity(nx * ny * nz * split.tetrahedra_per_cell());
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                let cell = [i, j, k];
                // mirror: corner bits to flip; an odd number of flips turns orientation over
                match split {
                    Split::Six => {
                        let mirror = (0..3).fold(0, |m, a| {
                            m | usize::from(cell[a] < axes[a].backwards_below) << a
                        });
                        for (walk, odd) in WALKS {
                            let second = 1 << walk[0];
                            let third = second | 1 << walk[1];
                            let mut corners = [0, second, third, 7];
                            if odd != (mirror.count_ones() % 2 == 1) {
                                corners.swap(1, 2);
                            }
                            list.push(corners.map(|c| node(cell, c ^ mirror)));
                        }
                    }
                    Split::Five => {
                        let mirror = (i + j + k) % 2;
                        for mut corners in FIVE {
                            if mirror == 1 {
                                corners.swap(2, 3);
                            }
                            list.push(corners.map(|c| node(cell, c ^ mirror)));
                        }
                    }
                }
            }
        }
    }
    list
}
