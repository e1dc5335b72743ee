//! Connected components: elements that share a node hang together.

use crate::mesh::Mesh;

/// Which piece every node and element belongs to. Pieces are numbered by their smallest node.
#[derive(Clone, Debug, PartialEq)]
pub struct Components {
    /// Number of pieces.
    pub count: usize,
    /// Piece of each node.
    pub of_node: Vec<u32>,
    /// Piece of each element.
    pub of_element: Vec<u32>,
}

impl Components {
    /// Finds the pieces of `mesh`.
    pub fn of(mesh: &Mesh) -> Components {
        // union–find in which the smaller node is always the root
        let mut parent: Vec<u32> = (0..mesh.node_count() as u32).collect();
        for nodes in mesh.elements.iter() {
            for &n in &nodes[1..] {
                let (a, b) = (root(&mut parent, nodes[0]), root(&mut parent, n));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        let mut of_node: Vec<u32> = vec![0; parent.len()];
        let mut count = 0;
        for n in 0..parent.len() {
            let top = root(&mut parent, n as u32) as usize;
            of_node[n] = if top == n {
                count += 1;
                count - 1
            } else {
                of_node[top]
            };
        }
        let of_element = mesh
            .elements
            .iter()
            .map(|nodes| of_node[nodes[0] as usize])
            .collect();
        Components {
            count: count as usize,
            of_node,
            of_element,
        }
    }
}

/// The root of `n` in a forest of parents (roots are their own), halving the path on the way.
pub fn root(parent: &mut [u32], mut n: u32) -> u32 {
    while parent[n as usize] != n {
        parent[n as usize] = parent[parent[n as usize] as usize];
        n = parent[n as usize];
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Split, bar};
    use crate::mesh::Elements;
    use pliant_linalg::vec3;

    #[test]
    fn two_bars_are_two_pieces_until_they_share_a_node() {
        let a = bar(vec3(1.0, 1.0, 1.0), [2, 2, 2], Split::Six).unwrap();
        assert_eq!(Components::of(&a).count, 1);
        let b = a.clone().translated(vec3(1.0, 1.0, 1.0));
        let offset = a.node_count() as u32;
        let Elements::Tetrahedra(mut list) = a.elements.clone() else {
            unreachable!()
        };
        list.extend(list.clone().iter().map(|t| t.map(|n| n + offset)));
        let positions = [a.positions.clone(), b.positions].concat();
        let both = Mesh::single_region(positions.clone(), Elements::Tetrahedra(list.clone()));
        let pieces = Components::of(&both.unwrap().0);
        assert_eq!(pieces.count, 2);
        assert_eq!(pieces.of_node[0], 0);
        assert_eq!(pieces.of_node[27], 1);
        assert_eq!(pieces.of_element.iter().filter(|&&c| c == 1).count(), 48);
        // weld the first bar's last corner (node 26) to the second bar's first (node 27)
        for t in &mut list {
            *t = t.map(|n| if n == 27 { 26 } else { n });
        }
        let welded = Mesh::single_region(positions, Elements::Tetrahedra(list))
            .unwrap()
            .0;
        assert_eq!(Components::of(&welded).count, 1);
    }
}
