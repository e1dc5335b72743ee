//! What can be wrong with mesh data, and what was repaired while accepting it.

use thiserror::Error;

/// Why a set of nodes and elements is not a usable mesh. Elements and nodes are counted from 0 in
/// the order they were given.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MeshError {
    /// No element at all.
    #[error("the mesh has no elements")]
    Empty,
    /// More elements than 32-bit adjacency tables can index.
    #[error("{count} elements are too many: the limit is {limit}")]
    TooManyElements {
        /// Elements asked for.
        count: usize,
        /// [`crate::mesh::ELEMENT_LIMIT`].
        limit: usize,
    },
    /// An element names a node that does not exist.
    #[error("element {element} uses node {node}, but there are only {node_count} nodes")]
    NodeOutOfRange {
        /// The element.
        element: usize,
        /// The node index it holds.
        node: u32,
        /// Number of nodes.
        node_count: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("node {node} has a coordinate that is not a finite number")]
    NonFinite {
        /// The node.
        node: usize,
    },
    /// Coordinates so large that volumes overflow.
    #[error("element {element} is so large that its volume overflows: scale the mesh to metres")]
    Overflow {
        /// The element.
        element: usize,
    },
    /// An element lists a node twice.
    #[error("element {element} lists node {node} twice: remove that element")]
    RepeatedNode {
        /// The element.
        element: usize,
        /// The repeated node index.
        node: u32,
    },
    /// An element without volume (area in 2D).
    #[error(
        "element {element} has no volume ({relative:.1e} of its longest edge to the power of the dimension; \
         {count} such element(s) in all): remove or remesh them"
    )]
    ZeroVolume {
        /// The first such element.
        element: usize,
        /// |det| divided by the longest edge cubed (squared in 2D).
        relative: f64,
        /// How many there are.
        count: usize,
    },
    /// Two elements with the same nodes: their stiffness would count twice.
    #[error("element {element} has the same nodes as element {first}: remove one of the two")]
    DuplicateElement {
        /// The later one.
        element: usize,
        /// The earlier one.
        first: usize,
    },
    /// A triangle mesh that does not lie in a plane z = constant.
    #[error(
        "a triangle mesh must lie in a plane z = constant, but node {node} has z = {z} where others have {expected}: \
         rotate the mesh into the xy plane, or, if it is the surface of a solid, fill it with tetrahedra (`pliant mesh tetrahedralize`)"
    )]
    NotPlanar {
        /// The offending node.
        node: usize,
        /// Its height.
        z: f64,
        /// Height of the first node in use.
        expected: f64,
    },
    /// The region list is not as long as the element list.
    #[error("{found} region indices were given for {expected} elements")]
    RegionCount {
        /// Length of the region list.
        found: usize,
        /// Number of elements.
        expected: usize,
    },
    /// A region index without a name.
    #[error("element {element} is in region {region}, but only {names} regions have a name")]
    RegionOutOfRange {
        /// The element.
        element: usize,
        /// Its region index.
        region: u32,
        /// Number of names.
        names: usize,
    },
    /// Two regions with one name.
    #[error("two regions are called \"{name}\"")]
    DuplicateRegionName {
        /// The name.
        name: String,
    },
    /// A rotation matrix that is not one, or a scale factor that is not positive.
    #[error("{what}")]
    BadTransform {
        /// What was wrong with it.
        what: String,
    },
}

impl MeshError {
    /// The element at fault, if it is one element's fault.
    pub fn element(&self) -> Option<usize> {
        match *self {
            MeshError::NodeOutOfRange { element, .. }
            | MeshError::Overflow { element }
            | MeshError::RepeatedNode { element, .. }
            | MeshError::ZeroVolume { element, .. }
            | MeshError::DuplicateElement { element, .. }
            | MeshError::RegionOutOfRange { element, .. } => Some(element),
            _ => None,
        }
    }
}

/// What was changed to make the input usable; the user should be told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshNotices {
    /// Elements whose orientation was negative and whose last two nodes were swapped.
    pub reoriented: usize,
    /// Nodes used by no element, removed.
    pub unreferenced_nodes: usize,
    /// Elements of a file that are not part of the mesh: kind and count.
    pub skipped: Vec<(String, usize)>,
}

impl MeshNotices {
    /// Whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        self.reoriented == 0 && self.unreferenced_nodes == 0 && self.skipped.is_empty()
    }

    /// One sentence for each kind of change.
    pub fn messages(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.reoriented > 0 {
            lines.push(format!(
                "{} element(s) had negative orientation and were turned round",
                self.reoriented
            ));
        }
        if self.unreferenced_nodes > 0 {
            lines.push(format!(
                "{} node(s) used by no element were removed",
                self.unreferenced_nodes
            ));
        }
        for (kind, count) in &self.skipped {
            lines.push(format!(
                "{count} {kind} element(s) are not part of the mesh and were skipped"
            ));
        }
        lines
    }
}
