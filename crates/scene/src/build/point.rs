//! Points of bodies and of the world, as joints name them.

use super::drive::motion;
use super::joint::world_only;
use super::{PlacedBody, vector};
use crate::error::{KeyPath, Problem};
use crate::file::PointTable;
use crate::suggest::did_you_mean;
use pliant_linalg::Vec3;
use pliant_mesh::triangle::closest_on_triangle;
use pliant_mesh::{Elements, Embedding, Mesh, Selection, Surface, SurfaceMesh};
use pliant_solid::joint::Anchor;

/// Distance from a body that counts as none, as a share of its size.
const TOUCHING: f64 = 1e-6;
/// A point this near to a node, as a share of the body's size, is the node.
const COINCIDING: f64 = 1e-9;

/// The bodies of a scene.
pub struct Places<'a> {
    pub bodies: &'a [PlacedBody],
}

impl Places<'_> {
    /// Place of the body that the table at `at` names by `key`; the only one where it names none.
    pub fn body(&self, name: Option<&str>, at: &KeyPath, key: &str) -> Result<usize, Problem> {
        let known: Vec<&str> = self.bodies.iter().map(|b| b.name.as_str()).collect();
        match (name, self.bodies.len()) {
            (None, 1) => Ok(0),
            (None, _) => Err(Problem::new(
                at.clone(),
                format!("this does not say which body it means: `{key}` is missing"),
            )
            .help(format!("add {key} = \"…\"; known are {}", known.join(", ")))),
            (Some(name), _) => known.iter().position(|k| *k == name).ok_or_else(|| {
                Problem::new(at.key(key), format!("there is no body `{name}`"))
                    .help(did_you_mean(name, &known))
            }),
        }
    }

    /// The rigid body that is named.
    pub fn rigid(&self, name: &str, at: &KeyPath, key: &str) -> Result<usize, Problem> {
        let body = self.body(Some(name), at, key)?;
        self.bodies[body].rigid.ok_or_else(|| {
            Problem::new(
                at.key(key),
                format!("body `{name}` is soft, but must be rigid here"),
            )
            .help("give its [[body]] the key `rigid`, or use [[attach]]")
        })
    }

    /// A point and where it is at rest.
    pub fn point(&self, table: &PointTable, at: &KeyPath) -> Result<(Anchor, Vec3), Problem> {
        let point = vector(table.at);
        let snap = table.snap.unwrap_or(false);
        let Some(name) = &table.body else {
            if snap {
                return Err(
                    Problem::new(at.key("snap"), "the world has no nodes to snap to")
                        .help("add `body`, or remove `snap`"),
                );
            }
            let motion = Box::new(motion(&table.translate, &table.rotate, &None, point, at)?);
            return Ok((Anchor::World { point, motion }, point));
        };
        world_only(table.translate.is_some(), table.rotate.is_some(), at)?;
        let body = self.body(Some(name), at, "body")?;
        let PlacedBody {
            mesh, node_offset, ..
        } = &self.bodies[body];
        if snap {
            let nearest = Selection::Nearest(point).resolve(mesh);
            let nearest = nearest.map_err(|e| Problem::new(at.key("at"), e.to_string()))?;
            let node = nearest[0];
            let anchor = Anchor::Node(node + node_offset);
            return Ok((anchor, mesh.positions[node as usize]));
        }
        let mut anchors = self.points(body, &[point], None, &at.key("at"))?;
        Ok((anchors.remove(0), point))
    }

    /// The points of a body that rest at given places, which may be `gap` (m) outside of it.
    pub fn points(
        &self,
        body: usize,
        places: &[Vec3],
        gap: Option<f64>,
        at: &KeyPath,
    ) -> Result<Vec<Anchor>, Problem> {
        let placed = &self.bodies[body];
        let PlacedBody {
            mesh,
            node_offset,
            name,
            ..
        } = placed;
        if let Some(rigid) = placed.rigid {
            let anchor = |&point: &Vec3| Anchor::Rigid { body: rigid, point };
            return Ok(places.iter().map(anchor).collect());
        }
        let size = mesh.diagonal();
        let gap = gap.unwrap_or(TOUCHING * size);
        let (elements, weights) = carriers(mesh, places, at)?;
        let surface = Surface::of(mesh);
        let mut anchors = Vec::with_capacity(places.len());
        for ((&place, &element), weights) in places.iter().zip(&elements).zip(&weights) {
            let corners = placed.corners(element as usize);
            let inside = weights.iter().all(|&w| w >= -1e-12);
            let distance = if inside {
                0.0
            } else {
                outside(mesh, &surface, place)
            };
            if distance > gap {
                return Err(Problem::new(
                    at.clone(),
                    format!(
                        "the point {:?} m lies {distance:.3e} m outside of body `{name}`",
                        place.to_array()
                    ),
                )
                .help("move it inside, or let `gap` (of [[attach]]) or `snap` (of a point) bridge that"));
            }
            let near =
                |n: &&u32| (mesh.positions[**n as usize] - place).norm() <= COINCIDING * size;
            anchors.push(match corners.iter().find(near) {
                Some(&node) => Anchor::Node(node + node_offset),
                None => Anchor::Element {
                    nodes: std::array::from_fn(|c| {
                        node_offset + corners.get(c).copied().unwrap_or(corners[0])
                    }),
                    weights: *weights,
                },
            });
        }
        Ok(anchors)
    }
}

/// The element that holds each place, or the one behind the nearest part of the boundary, and barycentric weights in it.
fn carriers(
    mesh: &Mesh,
    places: &[Vec3],
    at: &KeyPath,
) -> Result<(Vec<u32>, Vec<[f64; 4]>), Problem> {
    if let Elements::Triangles(triangles) = &mesh.elements {
        let best = places.iter().map(|&p| {
            let weights = triangles.iter().map(|t| in_triangle(mesh, t, p));
            let depth = |w: &[f64; 4]| w[0].min(w[1]).min(w[2]);
            let deepest = |a: (usize, [f64; 4]), b: (usize, [f64; 4])| {
                if depth(&b.1) > depth(&a.1) { b } else { a }
            };
            let (element, weights) = weights.enumerate().reduce(deepest).unwrap_or_default();
            (element as u32, weights)
        });
        return Ok(best.unzip());
    }
    let cloud = SurfaceMesh {
        positions: places.to_vec(),
        triangles: Vec::new(),
    };
    let found = Embedding::new(mesh, &cloud);
    let found = found.map_err(|e| Problem::new(at.clone(), e.to_string()))?;
    Ok((found.elements, found.weights))
}

/// Barycentric weights in the plane of x and y.
fn in_triangle(mesh: &Mesh, corners: &[u32; 3], p: Vec3) -> [f64; 4] {
    let [a, b, c] = corners.map(|n| mesh.positions[n as usize]);
    let area = |a: Vec3, b: Vec3, c: Vec3| (b - a).cross(c - a).z;
    let all = area(a, b, c);
    let [v, w] = [area(a, p, c) / all, area(a, b, p) / all];
    [1.0 - v - w, v, w, 0.0]
}

/// Distance of a point from the boundary, m.
fn outside(mesh: &Mesh, surface: &Surface, p: Vec3) -> f64 {
    let distances = (0..surface.facet_count()).map(|f| {
        let corners = surface.facet(f);
        let x = |i: usize| mesh.positions[corners[i % corners.len()] as usize];
        closest_on_triangle([x(0), x(1), x(2)], p).distance_squared
    });
    distances.fold(f64::INFINITY, f64::min).sqrt()
}
