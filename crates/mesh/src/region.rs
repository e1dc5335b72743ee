//! Naming parts of a mesh. Elements are taken by their centroid, so a border between regions follows
//! element faces. Later assignments overwrite earlier ones.

use crate::mesh::Mesh;
use pliant_linalg::Vec3;
use thiserror::Error;

/// Why a region cannot be assigned.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RegionError {
    /// No element centroid lies inside.
    #[error(
        "region \"{name}\" would be empty: no element centroid lies in it; the mesh spans {low:?} to {high:?}"
    )]
    Empty {
        /// The region.
        name: String,
        /// Smallest coordinates of the mesh, m.
        low: [f64; 3],
        /// Largest coordinates of the mesh, m.
        high: [f64; 3],
    },
    /// An axis other than 0, 1, 2.
    #[error("axis {0} does not exist: use 0 (x), 1 (y) or 2 (z)")]
    BadAxis(usize),
    /// Layers that cannot be laid.
    #[error("{0}")]
    BadLayers(String),
    /// A normal of length zero.
    #[error("the normal of a half-space must not be zero")]
    ZeroNormal,
}

/// How thick layers are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Layers {
    /// This many layers of equal thickness.
    Count(usize),
    /// Layers of this thickness (m) from the lower end; the last one may be thinner.
    Thickness(f64),
}

/// Most layers that make sense; a smaller thickness is a slip of units.
const LAYER_LIMIT: f64 = 1e6;

impl Mesh {
    /// Index of the region called `name`, added if new.
    pub fn region_index(&mut self, name: &str) -> u32 {
        let found = self.region_names.iter().position(|n| n == name);
        found.unwrap_or_else(|| {
            self.region_names.push(name.to_string());
            self.region_names.len() - 1
        }) as u32
    }

    /// Puts the elements whose centroid satisfies `inside` into region `name`; returns how many.
    pub fn assign_region(
        &mut self,
        name: &str,
        inside: impl Fn(Vec3) -> bool,
    ) -> Result<usize, RegionError> {
        let chosen: Vec<usize> = (0..self.element_count())
            .filter(|&e| inside(self.centroid(e)))
            .collect();
        if chosen.is_empty() {
            let (low, high) = self.bounds();
            return Err(RegionError::Empty {
                name: name.to_string(),
                low: low.to_array(),
                high: high.to_array(),
            });
        }
        let index = self.region_index(name);
        for &e in &chosen {
            self.regions[e] = index;
        }
        Ok(chosen.len())
    }

    /// [`Mesh::assign_region`] for centroids in the closed box from `min` to `max`, m.
    pub fn assign_region_in_box(
        &mut self,
        name: &str,
        min: Vec3,
        max: Vec3,
    ) -> Result<usize, RegionError> {
        self.assign_region(name, |c| (0..3).all(|a| min[a] <= c[a] && c[a] <= max[a]))
    }

    /// [`Mesh::assign_region`] for centroids on the side of the plane through `point` that `normal` points to.
    pub fn assign_region_in_half_space(
        &mut self,
        name: &str,
        point: Vec3,
        normal: Vec3,
    ) -> Result<usize, RegionError> {
        let normal = normal.normalized().ok_or(RegionError::ZeroNormal)?;
        self.assign_region(name, |c| (c - point).dot(normal) >= 0.0)
    }

    /// Cuts the mesh into layers along an axis (0, 1, 2), naming them by turns from the lower end. Every
    /// element is assigned; names whose layers hold no centroid stay without elements.
    pub fn assign_layers(
        &mut self,
        axis: usize,
        layers: Layers,
        names: &[&str],
    ) -> Result<(), RegionError> {
        if axis > 2 {
            return Err(RegionError::BadAxis(axis));
        }
        if names.is_empty() {
            return Err(RegionError::BadLayers(
                "layers need at least one region name".to_string(),
            ));
        }
        let (low, high) = self.bounds();
        let extent = high[axis] - low[axis];
        let thickness = match layers {
            Layers::Count(0) => {
                return Err(RegionError::BadLayers(
                    "the number of layers must be at least 1".to_string(),
                ));
            }
            Layers::Count(n) => extent / n as f64,
            Layers::Thickness(t) => t,
        };
        if !(thickness > 0.0 && extent > 0.0 && extent / thickness <= LAYER_LIMIT) {
            return Err(RegionError::BadLayers(format!(
                "layers of {thickness} m do not fit the mesh, which is {extent} m long along axis {axis}"
            )));
        }
        let indices: Vec<u32> = names.iter().map(|n| self.region_index(n)).collect();
        for e in 0..self.element_count() {
            let layer = ((self.centroid(e)[axis] - low[axis]) / thickness).floor() as usize;
            self.regions[e] = indices[layer % indices.len()];
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Split, bar};
    use pliant_linalg::vec3;

    fn column() -> Mesh {
        bar(vec3(1.0, 1.0, 4.0), [2, 2, 8], Split::Six).unwrap()
    }

    fn count(mesh: &Mesh, name: &str) -> usize {
        (0..mesh.element_count())
            .filter(|&e| mesh.region_of(e) == name)
            .count()
    }

    #[test]
    fn layers_alternate() {
        let mut mesh = column();
        mesh.assign_layers(2, Layers::Count(4), &["stiff", "soft"])
            .unwrap();
        assert_eq!((count(&mesh, "stiff"), count(&mesh, "soft")), (96, 96));
        let mut by_thickness = column();
        by_thickness
            .assign_layers(2, Layers::Thickness(1.0), &["stiff", "soft"])
            .unwrap();
        assert_eq!(mesh, by_thickness);
        // 0–1.5 stiff, 1.5–3 soft, 3–4 stiff
        mesh.assign_layers(2, Layers::Thickness(1.5), &["stiff", "soft"])
            .unwrap();
        assert_eq!((count(&mesh, "stiff"), count(&mesh, "soft")), (120, 72));
    }

    #[test]
    fn boxes_half_spaces_and_predicates() {
        let mut mesh = column();
        let low = vec3(0.0, 0.0, 0.0);
        assert_eq!(
            mesh.assign_region_in_box("foot", low, vec3(1.0, 1.0, 0.5)),
            Ok(24)
        );
        let middle = vec3(0.0, 0.0, 2.0);
        assert_eq!(
            mesh.assign_region_in_half_space("top", middle, vec3(0.0, 0.0, 3.0)),
            Ok(96)
        );
        assert_eq!(mesh.assign_region("left", |c| c.x < 0.5), Ok(96));
        assert_eq!(count(&mesh, "default") + count(&mesh, "foot"), 48);
        assert_eq!(count(&mesh, "foot"), 12);
    }

    #[test]
    fn empty_and_senseless_regions_are_refused() {
        let mut mesh = column();
        let error = mesh.assign_region("nowhere", |_| false).unwrap_err();
        assert!(error.to_string().contains("[1.0, 1.0, 4.0]"), "{error}");
        assert_eq!(mesh.region_names, ["default"]);
        assert!(mesh.assign_layers(3, Layers::Count(1), &["a"]).is_err());
        assert!(mesh.assign_layers(2, Layers::Count(0), &["a"]).is_err());
        assert!(mesh.assign_layers(2, Layers::Count(2), &[]).is_err());
        for bad in [0.0, -1.0, f64::NAN, 1e-9] {
            assert!(
                mesh.assign_layers(2, Layers::Thickness(bad), &["a"])
                    .is_err()
            );
        }
        let error = mesh.assign_region_in_half_space("a", Vec3::ZERO, Vec3::ZERO);
        assert_eq!(error, Err(RegionError::ZeroNormal));
    }
}
