//! The stencils: what remains of a lattice tetrahedron inside the boundary [LS07].
//!
//! A face of the lattice with two inside corners A, B and one outside corner O leaves a quadrilateral, whose
//! diagonal both tetrahedra at the face must choose alike. With one long and one short edge to O it ends at the cut
//! point of the long edge; with two short ones it starts at the corner that has an even number of coordinates greater
//! than those of O (the parity rule), which never gives the two faces at AB the same corner.

use super::cut::{Cut, Side, is_long};
use super::lattice::{Key, Lattice, half_cells};

/// Tetrahedra of the mesh, in no particular orientation: indices into [`Cut::positions`].
pub(super) fn fill(lattice: &Lattice, cut: &Cut) -> Vec<[u32; 4]> {
    let mut tetrahedra = Vec::new();
    for t in &lattice.tetrahedra {
        let (mut inside, mut on, mut outside) = (Vec4::new(), Vec4::new(), Vec4::new());
        for &v in t {
            match cut.sides[v as usize] {
                Side::Inside => inside.push(v),
                Side::On => on.push(v),
                Side::Outside => outside.push(v),
            }
        }
        let carrier = |a: u32, b: u32, o: u32| -> u32 {
            let [ka, kb, ko] = [a, b, o].map(|v| lattice.vertices[v as usize]);
            match (is_long(ka, ko), is_long(kb, ko)) {
                (true, false) => b,
                (false, true) => a,
                _ if is_even(ka, ko) => a,
                _ => b,
            }
        };
        match (inside.slice(), on.slice(), outside.slice()) {
            ([], _, _) => {}
            (_, _, []) => tetrahedra.push(*t),
            (&[a], zeros, outs) => {
                let mut corners = Vec4::new();
                corners.push(a);
                zeros.iter().for_each(|&z| corners.push(z));
                outs.iter().for_each(|&o| corners.push(cut.point(a, o)));
                tetrahedra.push(corners.items);
            }
            (&[a, b], &[z], &[o]) => {
                let from = carrier(a, b, o);
                let to = a + b - from;
                let (near, far) = (cut.point(from, o), cut.point(to, o));
                tetrahedra.push([z, from, near, far]);
                tetrahedra.push([z, from, far, to]);
            }
            (&[a, b], _, &[o, q]) => {
                let columns = [
                    [a, b],
                    [cut.point(a, o), cut.point(b, o)],
                    [cut.point(a, q), cut.point(b, q)],
                ];
                // the quadrilateral of cut points is on the boundary: its diagonal only must not close a circle
                let (first, second) = (carrier(a, b, o) == a, carrier(a, b, q) == a);
                prism(columns, [first, !first, !second], &mut tetrahedra);
            }
            (&[a, b, c], _, &[o]) => {
                let columns = [a, b, c].map(|v| [v, cut.point(v, o)]);
                let starts = [
                    carrier(a, b, o) == a,
                    carrier(b, c, o) == b,
                    carrier(c, a, o) == c,
                ];
                prism(columns, starts, &mut tetrahedra);
            }
            _ => {}
        }
    }
    tetrahedra
}

/// Up to four numbers without an allocation.
struct Vec4 {
    items: [u32; 4],
    count: usize,
}

impl Vec4 {
    fn new() -> Vec4 {
        Vec4 {
            items: [0; 4],
            count: 0,
        }
    }

    fn push(&mut self, v: u32) {
        self.items[self.count] = v;
        self.count += 1;
    }

    fn slice(&self) -> &[u32] {
        &self.items[..self.count]
    }
}

/// Whether an even number of coordinates of `a` exceed those of `o`.
fn is_even(a: Key, o: Key) -> bool {
    let (p, q) = (half_cells(a), half_cells(o));
    (0..3).filter(|&k| p[k] > q[k]).count() % 2 == 0
}

/// Three tetrahedra of a prism with the given columns [bottom, top]. `starts[k]` says that the diagonal of the side
/// between columns k and k+1 starts at the bottom of column k, otherwise at the bottom of column k+1. The three
/// diagonals must not run round in a circle.
fn prism(columns: [[u32; 2]; 3], starts: [bool; 3], out: &mut Vec<[u32; 4]>) {
    for k in 0..3 {
        let (next, last) = ((k + 1) % 3, (k + 2) % 3);
        // both diagonals at column k start at its bottom
        if !starts[k] || starts[last] {
            continue;
        }
        let ([x, x_top], [y, y_top], [z, z_top]) = (columns[k], columns[next], columns[last]);
        out.push([x, x_top, y_top, z_top]);
        if starts[next] {
            out.push([x, y, y_top, z_top]);
            out.push([x, y, z_top, z]);
        } else {
            out.push([x, z, z_top, y_top]);
            out.push([x, z, y_top, y]);
        }
        return;
    }
    debug_assert!(false, "diagonals run in a circle");
}
