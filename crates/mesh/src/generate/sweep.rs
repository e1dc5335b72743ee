//! Prisms between layers of equal plane triangulations, cut into tetrahedra.
//!
//! Each quadrilateral between two layers is cut by the diagonal that starts at its node with the smallest number.
//! Both prisms beside it follow this rule, so shared faces match whatever the triangulation is.

/// The three tetrahedra of the prism between triangle `foot` and the same triangle `above` numbers higher.
/// Positive where `foot` is counter-clockwise seen from the layer above.
pub(crate) fn prism(foot: [u32; 3], above: u32) -> [[u32; 4]; 3] {
    let mut sorted = foot;
    sorted.sort_unstable();
    let [a, b, c] = sorted;
    // sorting three nodes that only had to be turned round keeps the orientation
    let turned = [[a, b, c], [b, c, a], [c, a, b]].contains(&foot);
    let mut list = [
        [a, b, c, c + above],
        [a, b, c + above, b + above],
        [a, b + above, c + above, a + above],
    ];
    if !turned {
        for tetrahedron in &mut list {
            tetrahedron.swap(1, 2);
        }
    }
    list
}
