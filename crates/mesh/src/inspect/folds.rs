//! Elements that overlap a neighbour: both lie on the same side of the face that they share. The order in which their
//! nodes are listed does not matter, so this tells a mesh that is folded from one that is only numbered the other way.

use super::{State, state};
use crate::adjacency::{NO_NEIGHBOUR, element_neighbours};
use crate::mesh::{Elements, Mesh};

/// Elements of tetrahedra or plane triangles that overlap the element across one of their faces, ascending. Flat elements
/// have no side and are left out.
pub fn folded(mesh: &Mesh) -> Vec<usize> {
    let neighbours = element_neighbours(mesh);
    let mut is_folded = vec![false; neighbours.len()];
    for (e, across) in neighbours.iter().enumerate() {
        for (local, &n) in across.iter().enumerate() {
            let n = n as usize;
            if n == NO_NEIGHBOUR as usize || n <= e || (is_folded[e] && is_folded[n]) {
                continue;
            }
            if same_side(mesh, e, local, n)
                && state(mesh, e) != State::Flat
                && state(mesh, n) != State::Flat
            {
                is_folded[e] = true;
                is_folded[n] = true;
            }
        }
    }
    let elements = is_folded.iter().enumerate().filter(|f| *f.1);
    elements.map(|(e, _)| e).collect()
}

/// Whether node `local` of element `e` and the node of `n` that is not on the face between them are on the same side of it.
fn same_side(mesh: &Mesh, e: usize, local: usize, n: usize) -> bool {
    let nodes = mesh.nodes_of(e);
    let mut face = nodes.iter().filter(|&&m| m != nodes[local]);
    let Some(&far) = mesh
        .nodes_of(n)
        .iter()
        .find(|m| **m == nodes[local] || !nodes.contains(m))
    else {
        return false;
    };
    let mut corner = || face.next().map(|&m| mesh.positions[m as usize]);
    let (Some(a), Some(b)) = (corner(), corner()) else {
        return false;
    };
    let side = |node: u32| {
        let p = mesh.positions[node as usize] - a;
        (b - a).cross(p)
    };
    let (near, far) = (side(nodes[local]), side(far));
    match &mesh.elements {
        Elements::Triangles(_) => near.z * far.z > 0.0,
        // (b − a) × p · (c − a) has the sign of the side of p
        Elements::Tetrahedra(_) => corner().is_some_and(|c| {
            let c = c - a;
            near.dot(c) * far.dot(c) > 0.0
        }),
    }
}
