//! The kinds of elements that files hold, of which two are simulated.

/// What an element of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ElementKind {
    /// A node alone.
    Point,
    /// An edge of any order, or a row of them.
    Line,
    /// A linear triangle.
    Triangle,
    /// A triangle with nodes on its edges.
    HigherTriangle,
    /// A face of four or more corners, of any order.
    Polygon,
    /// A linear tetrahedron.
    Tetrahedron,
    /// A tetrahedron with nodes on its edges.
    HigherTetrahedron,
    /// A hexahedron or voxel of any order.
    Hexahedron,
    /// A prism (wedge) of any order.
    Prism,
    /// A pyramid of any order.
    Pyramid,
    /// Some other solid.
    OtherSolid,
    /// A type that this program does not know.
    Unknown,
}

impl ElementKind {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            ElementKind::Point => "point",
            ElementKind::Line => "line",
            ElementKind::Triangle => "triangle",
            ElementKind::HigherTriangle => "higher-order triangle",
            ElementKind::Polygon => "quadrangle",
            ElementKind::Tetrahedron => "tetrahedron",
            ElementKind::HigherTetrahedron => "higher-order tetrahedron",
            ElementKind::Hexahedron => "hexahedron",
            ElementKind::Prism => "prism",
            ElementKind::Pyramid => "pyramid",
            ElementKind::OtherSolid => "other solid",
            ElementKind::Unknown => "unknown",
        }
    }

    /// 0 to 3; unknown elements may be solids.
    pub fn dimension(self) -> usize {
        match self {
            ElementKind::Point => 0,
            ElementKind::Line => 1,
            ElementKind::Triangle | ElementKind::HigherTriangle | ElementKind::Polygon => 2,
            _ => 3,
        }
    }
}
