//! What the element types of Abaqus are, from their names: family, number of nodes, letters for variants.

use super::kind::ElementKind;

/// Kind and number of nodes; where the number is not told, a comma at the end of a line continues an element.
pub fn element_type(code: &str) -> (ElementKind, Option<usize>) {
    // C3D10M: family C3D, 10 nodes, variant M
    let base = code.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let family = base.trim_end_matches(|c: char| c.is_ascii_digit());
    let count: usize = base[family.len()..].parse().unwrap_or(0);
    match family {
        "C3D" | "DC3D" | "AC3D" | "SC" | "COH3D" => match count {
            4 => (ElementKind::Tetrahedron, Some(4)),
            10 => (ElementKind::HigherTetrahedron, Some(10)),
            8 | 20 | 27 => (ElementKind::Hexahedron, Some(count)),
            6 | 15 => (ElementKind::Prism, Some(count)),
            5 | 13 => (ElementKind::Pyramid, Some(count)),
            _ => (ElementKind::OtherSolid, None),
        },
        "CPS" | "CPE" | "CAX" | "CPEG" | "CGAX" | "S" | "STRI" | "M3D" | "R3D" | "SFM3D" | "DS"
        | "F3D" | "DC2D" | "AC2D" | "DCAX" | "ACAX" => match count {
            3 => (ElementKind::Triangle, Some(3)),
            6 | 65 => (ElementKind::HigherTriangle, Some(6)),
            4 | 8 | 9 => (ElementKind::Polygon, Some(count)),
            _ => (ElementKind::Polygon, None),
        },
        "S4R" | "S8R" | "S9R" => (ElementKind::Polygon, None),
        "B" | "PIPE" | "FRAME" | "T2D" | "T3D" | "R2D" | "RAX" | "SAX" | "MAX" | "CONN3D"
        | "CONN2D" | "SPRING" | "DASHPOT" | "ELBOW" => (ElementKind::Line, None),
        _ => match code {
            "MASS" | "ROTARYI" | "HEATCAP" => (ElementKind::Point, None),
            "SPRINGA" | "DASHPOTA" | "GAPUNI" => (ElementKind::Line, None),
            _ => (ElementKind::Unknown, None),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_common_types() {
        for (code, kind, count) in [
            ("C3D4", ElementKind::Tetrahedron, Some(4)),
            ("C3D4H", ElementKind::Tetrahedron, Some(4)),
            ("C3D10MH", ElementKind::HigherTetrahedron, Some(10)),
            ("C3D8R", ElementKind::Hexahedron, Some(8)),
            ("C3D20", ElementKind::Hexahedron, Some(20)),
            ("C3D6", ElementKind::Prism, Some(6)),
            ("CPS3", ElementKind::Triangle, Some(3)),
            ("CPE3T", ElementKind::Triangle, Some(3)),
            ("STRI3", ElementKind::Triangle, Some(3)),
            ("STRI65", ElementKind::HigherTriangle, Some(6)),
            ("S4R5", ElementKind::Polygon, None),
            ("CPS8R", ElementKind::Polygon, Some(8)),
            ("B31", ElementKind::Line, None),
            ("T3D2", ElementKind::Line, None),
            ("MASS", ElementKind::Point, None),
            ("SPRINGA", ElementKind::Line, None),
            ("U1", ElementKind::Unknown, None),
            ("", ElementKind::Unknown, None),
        ] {
            assert_eq!(element_type(code), (kind, count), "{code}");
        }
    }
}
