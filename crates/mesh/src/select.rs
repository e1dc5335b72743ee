//! Choosing nodes by geometry, region or id. Closed comparisons allow 10⁻⁹ of the bounding-box diagonal,
//! so that a node meant to lie on a border is inside whatever its last digits are.

use crate::mesh::Mesh;
use crate::surface::Surface;
use pliant_linalg::Vec3;
use thiserror::Error;

/// Slack of closed comparisons as a fraction of the bounding-box diagonal.
const TOLERANCE: f64 = 1e-9;

/// A description of a set of nodes, independent of any mesh. Lengths in m.
#[derive(Clone, Debug, PartialEq)]
pub enum Selection {
    /// Every node.
    All,
    /// Nodes in the closed box.
    Box {
        /// Smallest coordinates.
        min: Vec3,
        /// Largest coordinates.
        max: Vec3,
    },
    /// Nodes on the side of the plane that `normal` points to, the plane included.
    HalfSpace {
        /// A point of the plane.
        point: Vec3,
        /// Its normal, of any length but zero.
        normal: Vec3,
    },
    /// Nodes at most `tolerance` away from a plane.
    Plane {
        /// A point of the plane.
        point: Vec3,
        /// Its normal, of any length but zero.
        normal: Vec3,
        /// Largest distance.
        tolerance: f64,
    },
    /// Nodes in the closed ball.
    Sphere {
        /// Centre.
        centre: Vec3,
        /// Radius.
        radius: f64,
    },
    /// Nodes of the elements of a region.
    Region(String),
    /// The node nearest to a point; the first of several.
    Nearest(Vec3),
    /// Nodes by the id of their source ([`Mesh::original_ids`]).
    Ids(Vec<u32>),
    /// Nodes on the boundary.
    Surface,
    /// Nodes in all of these.
    And(Vec<Selection>),
    /// Nodes in any of these.
    Or(Vec<Selection>),
    /// Nodes not in this.
    Not(Box<Selection>),
}

/// Why a selection cannot be resolved.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SelectionError {
    /// Nothing was selected.
    #[error("the selection holds no node; the mesh spans {low:?} to {high:?}")]
    Empty {
        /// Smallest coordinates of the mesh, m.
        low: [f64; 3],
        /// Largest coordinates of the mesh, m.
        high: [f64; 3],
    },
    /// No region of that name.
    #[error("there is no region \"{name}\"; the mesh has {known}")]
    UnknownRegion {
        /// The name asked for.
        name: String,
        /// The names that exist, quoted.
        known: String,
    },
    /// No node has that id.
    #[error(
        "there is no node with id {id}: ids run from {least} to {greatest}, and nodes of no element were removed"
    )]
    UnknownId {
        /// The id asked for.
        id: u32,
        /// Smallest id.
        least: u32,
        /// Largest id.
        greatest: u32,
    },
    /// A number that makes no sense.
    #[error("{0}")]
    BadNumber(String),
    /// Nodes where a part of space is needed.
    #[error(
        "this names nodes, not a part of space: use boxes, spheres, planes and half-spaces here"
    )]
    NoShape,
}

impl Selection {
    /// The selected nodes, ascending and distinct; never empty.
    pub fn resolve(&self, mesh: &Mesh) -> Result<Vec<u32>, SelectionError> {
        let chosen = self.mask(mesh)?;
        let nodes: Vec<u32> = (0..mesh.node_count() as u32)
            .filter(|&n| chosen[n as usize])
            .collect();
        if nodes.is_empty() {
            let (low, high) = mesh.bounds();
            return Err(SelectionError::Empty {
                low: low.to_array(),
                high: high.to_array(),
            });
        }
        Ok(nodes)
    }

    /// Distance by which points may be outside of a closed shape and still count as inside, m.
    pub fn slack(mesh: &Mesh) -> f64 {
        TOLERANCE * mesh.diagonal()
    }

    /// Whether a point lies in the shape that the selection describes, or outside by no more than `slack` (m). Regions, surfaces and
    /// nodes are no shapes.
    pub fn holds(&self, p: Vec3, slack: f64) -> Result<bool, SelectionError> {
        match self {
            Selection::All => Ok(true),
            Selection::Box { min, max } => {
                if !(0..3).all(|a| min[a] <= max[a]) {
                    return Err(SelectionError::BadNumber(format!(
                        "the box from {:?} to {:?} is inside out: give the smaller coordinates first",
                        min.to_array(),
                        max.to_array()
                    )));
                }
                Ok((0..3).all(|a| min[a] - slack <= p[a] && p[a] <= max[a] + slack))
            }
            Selection::HalfSpace { point, normal } => {
                let (point, normal) = (finite(*point)?, unit(*normal)?);
                Ok((p - point).dot(normal) >= -slack)
            }
            Selection::Plane {
                point,
                normal,
                tolerance,
            } => {
                let (point, normal) = (finite(*point)?, unit(*normal)?);
                let reach = not_negative("tolerance", *tolerance)? + slack;
                Ok((p - point).dot(normal).abs() <= reach)
            }
            Selection::Sphere { centre, radius } => {
                let centre = finite(*centre)?;
                let reach = not_negative("radius", *radius)? + slack;
                Ok((p - centre).norm() <= reach)
            }
            Selection::And(parts) => {
                let inside = parts.iter().map(|part| part.holds(p, slack));
                inside.reduce(|a, b| Ok(a? & b?)).unwrap_or(Ok(true))
            }
            Selection::Or(parts) => {
                let inside = parts.iter().map(|part| part.holds(p, slack));
                inside.reduce(|a, b| Ok(a? | b?)).unwrap_or(Ok(false))
            }
            Selection::Not(inner) => Ok(!inner.holds(p, slack)?),
            Selection::Region(_)
            | Selection::Nearest(_)
            | Selection::Ids(_)
            | Selection::Surface => Err(SelectionError::NoShape),
        }
    }

    /// Whether each node is in the selection, which may be empty.
    fn mask(&self, mesh: &Mesh) -> Result<Vec<bool>, SelectionError> {
        match self {
            Selection::All
            | Selection::Box { .. }
            | Selection::HalfSpace { .. }
            | Selection::Plane { .. }
            | Selection::Sphere { .. } => {
                let slack = Selection::slack(mesh);
                let points = mesh.positions.iter();
                points.map(|&p| self.holds(p, slack)).collect()
            }
            Selection::Region(name) => region_mask(mesh, name),
            Selection::Nearest(point) => {
                let point = finite(*point)?;
                let distance = |n: usize| (mesh.positions[n] - point).norm_squared();
                let nearest =
                    (0..mesh.node_count()).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
                Ok(mask_of(mesh, nearest.into_iter()))
            }
            Selection::Ids(ids) => ids_mask(mesh, ids),
            Selection::Surface => {
                let nodes = Surface::of(mesh).nodes;
                Ok(mask_of(mesh, nodes.iter().map(|&n| n as usize)))
            }
            Selection::And(parts) => combine(mesh, parts, true, |a, b| a & b),
            Selection::Or(parts) => combine(mesh, parts, false, |a, b| a | b),
            Selection::Not(inner) => Ok(inner.mask(mesh)?.into_iter().map(|b| !b).collect()),
        }
    }
}

fn combine(
    mesh: &Mesh,
    parts: &[Selection],
    start: bool,
    join: impl Fn(bool, bool) -> bool,
) -> Result<Vec<bool>, SelectionError> {
    let mut chosen = vec![start; mesh.node_count()];
    for part in parts {
        for (a, b) in chosen.iter_mut().zip(part.mask(mesh)?) {
            *a = join(*a, b);
        }
    }
    Ok(chosen)
}

fn mask_of(mesh: &Mesh, nodes: impl Iterator<Item = usize>) -> Vec<bool> {
    let mut chosen = vec![false; mesh.node_count()];
    for n in nodes {
        chosen[n] = true;
    }
    chosen
}

fn region_mask(mesh: &Mesh, name: &str) -> Result<Vec<bool>, SelectionError> {
    let Some(region) = mesh.region_names.iter().position(|n| n == name) else {
        let names: Vec<String> = mesh
            .region_names
            .iter()
            .map(|n| format!("\"{n}\""))
            .collect();
        return Err(SelectionError::UnknownRegion {
            name: name.to_string(),
            known: names.join(", "),
        });
    };
    let elements = (0..mesh.element_count()).filter(|&e| mesh.regions[e] as usize == region);
    let nodes = elements.flat_map(|e| mesh.nodes_of(e).iter().map(|&n| n as usize));
    Ok(mask_of(mesh, nodes))
}

fn ids_mask(mesh: &Mesh, ids: &[u32]) -> Result<Vec<bool>, SelectionError> {
    let mut by_id: Vec<(u32, u32)> = mesh.original_ids.iter().copied().zip(0..).collect();
    by_id.sort_unstable();
    let ends = (by_id.first(), by_id.last());
    let mut nodes = Vec::with_capacity(ids.len());
    for &id in ids {
        match by_id.binary_search_by_key(&id, |&(key, _)| key) {
            Ok(slot) => nodes.push(by_id[slot].1 as usize),
            Err(_) => {
                return Err(SelectionError::UnknownId {
                    id,
                    least: ends.0.map_or(0, |e| e.0),
                    greatest: ends.1.map_or(0, |e| e.0),
                });
            }
        }
    }
    Ok(mask_of(mesh, nodes.into_iter()))
}

fn finite(point: Vec3) -> Result<Vec3, SelectionError> {
    if point.is_finite() {
        return Ok(point);
    }
    Err(SelectionError::BadNumber(format!(
        "the point {:?} has a coordinate that is not finite",
        point.to_array()
    )))
}

fn unit(normal: Vec3) -> Result<Vec3, SelectionError> {
    normal.normalized().ok_or_else(|| {
        SelectionError::BadNumber(format!(
            "the normal {:?} has no direction",
            normal.to_array()
        ))
    })
}

fn not_negative(what: &str, value: f64) -> Result<f64, SelectionError> {
    if value >= 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(SelectionError::BadNumber(format!(
        "the {what} must be a number of at least 0, not {value}"
    )))
}

#[cfg(test)]
mod tests {
    use super::Selection::*;
    use super::*;
    use crate::generate::{Split, bar};
    use crate::mesh::Elements;
    use pliant_linalg::vec3;

    fn column() -> Mesh {
        bar(vec3(0.3, 0.2, 0.1), [3, 2, 1], Split::Six).unwrap()
    }

    fn count(selection: Selection) -> usize {
        selection.resolve(&column()).unwrap().len()
    }

    fn end_box() -> Selection {
        // 0.1 + 0.2 misses 0.3 by one bit; the tolerance closes the gap
        Box {
            min: vec3(0.1 + 0.2, 0.0, 0.0),
            max: vec3(1.0, 1.0, 1.0),
        }
    }

    #[test]
    fn shapes_by_hand() {
        assert_eq!(count(All), 24);
        assert_eq!(count(end_box()), 6);
        let (point, normal) = (vec3(0.2, 0.0, 0.0), vec3(-2.0, 0.0, 0.0));
        assert_eq!(count(HalfSpace { point, normal }), 18);
        let plane = |tolerance| Plane {
            point,
            normal,
            tolerance,
        };
        assert_eq!(count(plane(0.0)), 6);
        assert_eq!(count(plane(0.1)), 18);
        let sphere = Sphere {
            centre: Vec3::ZERO,
            radius: 0.1,
        };
        assert_eq!(sphere.resolve(&column()).unwrap(), [0, 1, 4, 12]);
        assert_eq!(count(Surface), 24);
        assert_eq!(
            Nearest(vec3(9.0, 0.0, 0.0)).resolve(&column()).unwrap(),
            [3]
        );
        assert_eq!(Ids(vec![5, 2, 5]).resolve(&column()).unwrap(), [2, 5]);
    }

    #[test]
    fn sets_combine() {
        let low_end = || {
            let (point, normal) = (Vec3::ZERO, vec3(1.0, 0.0, 0.0));
            Plane {
                point,
                normal,
                tolerance: 0.0,
            }
        };
        assert_eq!(count(Or(vec![end_box(), low_end()])), 12);
        assert_eq!(count(Not(std::boxed::Box::new(end_box()))), 18);
        let floor = Plane {
            point: Vec3::ZERO,
            normal: vec3(0.0, 0.0, 1.0),
            tolerance: 0.0,
        };
        assert_eq!(count(And(vec![end_box(), floor])), 3);
        // an empty part is no error as long as the whole is not empty
        let nothing = And(vec![end_box(), low_end()]);
        assert_eq!(count(Or(vec![nothing, low_end()])), 6);
    }

    #[test]
    fn regions_and_ids_follow_the_source() {
        let mut mesh = column();
        mesh.assign_region("head", |c| c.x > 0.2).unwrap();
        assert_eq!(Region("head".into()).resolve(&mesh).unwrap().len(), 12);
        let error = Region("haed".into()).resolve(&mesh).unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no region \"haed\"; the mesh has \"default\", \"head\""
        );
        let mut positions = vec![vec3(7.0, 7.0, 7.0)];
        positions.extend([Vec3::ZERO].iter().chain(&Vec3::AXES));
        let list = Elements::Tetrahedra(vec![[1, 2, 3, 4]]);
        let mesh = Mesh::single_region(positions, list).unwrap().0;
        assert_eq!(Ids(vec![1, 4]).resolve(&mesh).unwrap(), [0, 3]);
        let error = Ids(vec![0]).resolve(&mesh).unwrap_err();
        assert!(matches!(
            error,
            SelectionError::UnknownId {
                id: 0,
                least: 1,
                greatest: 4
            }
        ));
    }

    #[test]
    fn senseless_selections_are_refused() {
        let mesh = column();
        let empty = Box {
            min: vec3(5.0, 5.0, 5.0),
            max: vec3(6.0, 6.0, 6.0),
        };
        let error = empty.resolve(&mesh).unwrap_err();
        assert!(error.to_string().contains("[0.0, 0.0, 0.0]"), "{error}");
        for bad in [
            Box {
                min: vec3(1.0, 0.0, 0.0),
                max: Vec3::ZERO,
            },
            HalfSpace {
                point: Vec3::ZERO,
                normal: Vec3::ZERO,
            },
            Plane {
                point: Vec3::ZERO,
                normal: Vec3::AXES[0],
                tolerance: -1.0,
            },
            Sphere {
                centre: Vec3::ZERO,
                radius: f64::NAN,
            },
            Nearest(vec3(f64::NAN, 0.0, 0.0)),
        ] {
            assert!(
                matches!(bad.resolve(&mesh), Err(SelectionError::BadNumber(_))),
                "{bad:?}"
            );
        }
    }
}
