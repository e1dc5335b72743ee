//! Elements with a material of their own.

use super::select::coordinate;
use super::{direction, vector};
use crate::error::{KeyPath, Problem};
use crate::file::{AxisName, BodyTable, LayersTable, RegionTable, WhereTable};
use crate::suggest::did_you_mean;
use pliant_linalg::Vec3;
use pliant_mesh::Mesh;
use pliant_solid::model::BodySpecification;

/// Most layers that make sense; a smaller thickness is a slip of units.
const LAYER_LIMIT: f64 = 1e6;

/// The regions of all bodies under one numbering; regions of the same name share a number.
#[derive(Default)]
pub struct Names {
    pub names: Vec<String>,
    pub of_elements: Vec<u32>,
}

impl Names {
    /// Adds a body: a region of the scene file that sets an element's material comes before that of the mesh.
    pub fn add(&mut self, table: &BodyTable, body: &BodySpecification) {
        let of_mesh: Vec<u32> = body.mesh.region_names.iter().map(|n| self.id(n)).collect();
        let named = |(index, region): (usize, &RegionTable)| {
            let name = region.name.clone();
            name.unwrap_or_else(|| format!("region {}", index + 1))
        };
        let names: Vec<String> = table.region.iter().enumerate().map(named).collect();
        let of_scene: Vec<u32> = names.iter().map(|n| self.id(n)).collect();
        let ids = body.material_of.iter().zip(&body.mesh.regions);
        self.of_elements
            .extend(ids.map(|(&material, &region)| match material {
                0 => of_mesh[region as usize],
                m => of_scene[m as usize - 1],
            }));
    }

    fn id(&mut self, name: &str) -> u32 {
        let known = self.names.iter().position(|n| n == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_string());
            self.names.len() - 1
        }) as u32
    }
}

/// The elements of `mesh` that the table takes by their centroids; never empty.
pub fn elements(table: &WhereTable, mesh: &Mesh, at: &KeyPath) -> Result<Vec<usize>, Problem> {
    let filter = |inside: &dyn Fn(Vec3) -> bool| -> Vec<usize> {
        (0..mesh.element_count())
            .filter(|&e| inside(mesh.centroid(e)))
            .collect()
    };
    let found = match table {
        WhereTable::Box(table) => {
            let (min, max) = (vector(table.min), vector(table.max));
            filter(&|c| (0..3).all(|a| min[a] <= c[a] && c[a] <= max[a]))
        }
        WhereTable::Layers(layers) => {
            let take = Layers::new(layers, mesh, &at.key("layers"))?;
            filter(&|c| take.holds(c))
        }
        WhereTable::HalfSpace(half) => {
            let normal = direction(half.normal, &at.key("half_space").key("normal"))?;
            let point = vector(half.point);
            filter(&|c| (c - point).dot(normal) >= 0.0)
        }
        WhereTable::Above(table) => {
            let (axis, value) = coordinate(table, &at.key("above"))?;
            filter(&|c| c[axis] >= value)
        }
        WhereTable::Below(table) => {
            let (axis, value) = coordinate(table, &at.key("below"))?;
            filter(&|c| c[axis] <= value)
        }
        WhereTable::Sphere(sphere) => {
            let (centre, radius) = (vector(sphere.centre), sphere.radius.si);
            filter(&|c| (c - centre).norm() <= radius)
        }
        WhereTable::Around(around) => {
            let axis = direction(around.axis, &at.key("around").key("axis"))?;
            let (point, radius) = (vector(around.point), around.radius.si);
            filter(&|c| (c - point).cross(axis).norm() <= radius)
        }
        WhereTable::Region(name) => {
            let Some(region) = mesh.region_names.iter().position(|n| n == name) else {
                let known: Vec<&str> = mesh.region_names.iter().map(String::as_str).collect();
                return Err(Problem::new(
                    at.key("region"),
                    format!("the mesh has no region `{name}`"),
                )
                .help(did_you_mean(name, &known)));
            };
            (0..mesh.element_count())
                .filter(|&e| mesh.regions[e] as usize == region)
                .collect()
        }
    };
    if found.is_empty() {
        let (low, high) = mesh.bounds();
        return Err(
            Problem::new(at.clone(), "no element has its centroid in this region").help(format!(
                "the body spans {:?} m to {:?} m",
                low.to_array(),
                high.to_array()
            )),
        );
    }
    Ok(found)
}

struct Layers {
    axis: usize,
    low: f64,
    thickness: f64,
    last: usize,
    take: Vec<usize>,
}

impl Layers {
    fn new(table: &LayersTable, mesh: &Mesh, at: &KeyPath) -> Result<Self, Problem> {
        let axis = match table.axis {
            AxisName::X => 0,
            AxisName::Y => 1,
            AxisName::Z => 2,
        };
        let (low, high) = mesh.bounds();
        let extent = high[axis] - low[axis];
        let thickness = match (table.count, table.thickness) {
            (Some(count), None) if count > 0 => extent / count as f64,
            (Some(_), None) => {
                return Err(Problem::new(
                    at.key("count"),
                    "the number of layers must be at least 1",
                ));
            }
            (None, Some(thickness)) => thickness.si,
            _ => {
                return Err(Problem::new(
                    at.clone(),
                    "layers need either `count` or `thickness`",
                ));
            }
        };
        let layers = extent / thickness;
        if !(thickness > 0.0 && layers > 0.0 && layers <= LAYER_LIMIT) {
            let key = if table.count.is_some() {
                "count"
            } else {
                "thickness"
            };
            return Err(Problem::new(
                at.key(key),
                format!(
                    "layers of {thickness} m do not fit the body, which is {extent} m long there"
                ),
            ));
        }
        let last = table.count.unwrap_or((layers.ceil() as usize).max(1));
        if let Some(i) = table.take.iter().position(|&l| l == 0 || l > last) {
            return Err(Problem::new(
                at.key("take").index(i),
                format!("there is no layer {}", table.take[i]),
            )
            .help(format!(
                "layers are counted from 1 at the lower end to {last}"
            )));
        }
        let mut take = table.take.clone();
        take.sort_unstable();
        Ok(Layers {
            axis,
            low: low[axis],
            thickness,
            last,
            take,
        })
    }

    fn holds(&self, centroid: Vec3) -> bool {
        let layer = ((centroid[self.axis] - self.low) / self.thickness).floor() as usize + 1;
        self.take.binary_search(&layer.min(self.last)).is_ok()
    }
}
