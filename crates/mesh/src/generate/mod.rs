//! Meshes made from formulas, with node and element counts known beforehand.
//!
//! Solids are structured grids of hexahedral cells, bent into shape and cut into tetrahedra, or layers of plane
//! triangulations with prisms between them. All are conforming, positively oriented and refuse more than [`ELEMENT_LIMIT`] elements before allocating.

mod ball;
mod band;
mod bar;
mod cylinder;
mod extrude;
mod grid;
mod lathe;
mod outline;
mod rectangle;
mod sweep;
mod torus;

pub use ball::{ball, capsule};
pub use band::band;
pub use bar::bar;
pub use cylinder::{cylinder, tube};
pub use extrude::{Extrusion, extrude, picture_size};
pub use grid::Split;
pub use lathe::lathe;
pub use rectangle::{TriangleSplit, rectangle};
pub use torus::{ring, torus};

use crate::error::MeshError;
use crate::mesh::{ELEMENT_LIMIT, Elements, Mesh};
use pliant_linalg::Vec3;
use thiserror::Error;

/// Why a shape cannot be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum GenerateError {
    /// A count is too small.
    #[error("{what} must be at least {least}, not {found}")]
    TooFew {
        /// Which count.
        what: &'static str,
        /// Smallest allowed.
        least: usize,
        /// What was asked for.
        found: usize,
    },
    /// Too many elements.
    #[error("{elements} elements are too many: the limit is {ELEMENT_LIMIT}; use fewer cells")]
    TooMany {
        /// What was asked for.
        elements: u128,
    },
    /// A length is not a positive number, or two lengths do not fit together.
    #[error("{what} must be {must}, not {found}")]
    BadLength {
        /// Which length.
        what: &'static str,
        /// The condition.
        must: String,
        /// What was asked for, m.
        found: f64,
    },
    /// A list has too few or too many entries.
    #[error("{what}: {wanted} numbers are needed, not {found}")]
    WrongCount {
        /// Which list.
        what: &'static str,
        /// Entries needed.
        wanted: usize,
        /// What was given.
        found: usize,
    },
    /// A profile that cannot be turned.
    #[error("point {point} of the profile {problem}")]
    BadProfile {
        /// Which point, from 1.
        point: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// A picture that is not one solid piece.
    #[error("the cell in row {row}, column {column} of the picture {problem}")]
    BadPicture {
        /// Row from the top, from 1.
        row: usize,
        /// Column from the left, from 1.
        column: usize,
        /// What is wrong with it and what to do.
        problem: &'static str,
    },
    /// The shape folds over itself, or its elements are flat.
    #[error("these proportions make bad elements ({0}): use more cells or less extreme lengths")]
    Folded(String),
}

/// Refuses a length that is not positive and finite.
fn positive(what: &'static str, found: f64) -> Result<(), GenerateError> {
    between(what, found, 0.0, f64::INFINITY)
}

/// Refuses a length outside the open interval.
fn between(what: &'static str, found: f64, low: f64, high: f64) -> Result<(), GenerateError> {
    if found > low && found < high {
        return Ok(());
    }
    let must = if high.is_finite() {
        format!("between {low} and {high} (both excluded)")
    } else {
        format!("a finite number above {low}")
    };
    Err(GenerateError::BadLength { what, must, found })
}

/// Refuses a count below `least`.
fn at_least(what: &'static str, least: usize, found: usize) -> Result<(), GenerateError> {
    if found < least {
        return Err(GenerateError::TooFew { what, least, found });
    }
    Ok(())
}

/// Refuses a product of counts above [`ELEMENT_LIMIT`].
fn check_size(factors: &[usize]) -> Result<(), GenerateError> {
    let elements = factors
        .iter()
        .fold(1u128, |n, &f| n.saturating_mul(f as u128));
    if elements > ELEMENT_LIMIT as u128 {
        return Err(GenerateError::TooMany { elements });
    }
    Ok(())
}

/// Checks a generated mesh; a generator must not need any repair.
fn finish(positions: Vec<Vec3>, elements: Elements) -> Result<Mesh, GenerateError> {
    finish_regions(positions, elements, Vec::new(), Vec::new())
}

/// [`finish`] for a mesh with regions.
fn finish_regions(
    positions: Vec<Vec3>,
    elements: Elements,
    regions: Vec<u32>,
    names: Vec<String>,
) -> Result<Mesh, GenerateError> {
    let folded = |e: MeshError| GenerateError::Folded(e.to_string());
    let (mesh, notices) = Mesh::new(positions, elements, regions, names).map_err(folded)?;
    if notices.reoriented > 0 {
        let what = format!("{} inverted elements", notices.reoriented);
        return Err(GenerateError::Folded(what));
    }
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::Components;
    use crate::quality::Quality;
    use crate::surface::Surface;

    /// Counts, conformity, a closed boundary of `pieces` pieces that encloses the volume, and shape.
    pub fn check(mesh: &Mesh, nodes: usize, tets: usize, least_degrees: f64, pieces: usize) {
        assert_eq!((mesh.node_count(), mesh.element_count()), (nodes, tets));
        let surface = Surface::of(mesh);
        assert_eq!(surface.overshared_faces, 0);
        assert!(surface.is_closed_manifold());
        let (volume, enclosed) = (
            mesh.total_volume(),
            surface.enclosed_volume(&mesh.positions),
        );
        assert!(
            (volume - enclosed).abs() < 1e-12 * volume,
            "{volume} {enclosed}"
        );
        assert_eq!(Components::of(mesh).count, 1);
        let least = Quality::of(mesh).min_angle.to_degrees();
        assert!(least > least_degrees, "smallest dihedral angle {least}°");
        // the boundary as a mesh of its own, flattened: only its connectivity matters
        let flat = Mesh {
            positions: mesh.positions.clone(),
            elements: Elements::Triangles(surface.triangles.clone()),
            regions: vec![0; surface.triangles.len()],
            region_names: vec![String::new()],
            original_ids: Vec::new(),
            octets: false,
        };
        let mut found = Components::of(&flat).of_element;
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), pieces);
    }

    /// The volume approaches `exact` from below with the square of the cell size.
    pub fn converges(exact: f64, shape: impl Fn(usize) -> Result<Mesh, GenerateError>) {
        let error = |d: usize| 1.0 - shape(d).unwrap().total_volume() / exact;
        let (coarse, fine) = (error(4), error(8));
        assert!(fine > 0.0 && fine < 0.02, "relative volume error {fine}");
        let order = (coarse / fine).log2();
        assert!((order - 2.0).abs() < 0.15, "order {order}");
    }
}
