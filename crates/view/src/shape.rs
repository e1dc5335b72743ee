//! What is drawn of a scene: vertices that move with nodes or ride on elements, their triangles, obstacles.

use crate::packet::Packet;
use pliant_linalg::Vec3;
use pliant_scene::recording::RecordingHeader;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Triangles of all bodies and what their vertices follow.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The node of each vertex of the surfaces.
    pub nodes: Vec<u32>,
    /// Triangles of the surfaces.
    pub triangles: Vec<[u32; 3]>,
    /// The element behind each triangle.
    pub owners: Vec<u32>,
    /// Elements and weights of the vertices of surfaces that are carried along; bodies without one show their own here too.
    pub riders: Vec<(u32, [f64; 4])>,
    /// Triangles of these.
    pub carried: Vec<[u32; 3]>,
    /// The element behind each of these triangles.
    pub carried_owners: Vec<u32>,
    /// Whether a body carries a surface along.
    pub has_carried: bool,
    /// Rest positions of the nodes, m.
    pub rest: Vec<Vec3>,
    /// Corners of the elements.
    pub elements: Vec<[u32; 4]>,
    bodies: Vec<Value>,
    header: RecordingHeader,
}

impl Shape {
    /// From what a recording would say of the scene.
    pub fn new(header: RecordingHeader) -> Shape {
        let mut shape = Shape {
            nodes: Vec::new(),
            triangles: Vec::new(),
            owners: Vec::new(),
            riders: Vec::new(),
            carried: Vec::new(),
            carried_owners: Vec::new(),
            has_carried: header.info.bodies.iter().any(|b| b.has_render_surface()),
            rest: header.rest.clone(),
            elements: header.elements.clone(),
            bodies: Vec::new(),
            header,
        };
        let owners = face_owners(&shape.elements);
        let mut vertex_of = vec![u32::MAX; shape.rest.len()];
        for index in 0..shape.header.info.bodies.len() {
            shape.add_body(index, &owners, &mut vertex_of);
        }
        shape
    }

    fn add_body(&mut self, index: usize, owners: &HashMap<[u32; 3], u32>, vertex_of: &mut [u32]) {
        let body = self.header.info.bodies[index].clone();
        let first = [self.nodes.len(), self.triangles.len()];
        let faces: Vec<([u32; 3], u32)> = match body.planar {
            true => (body.elements[0]..body.elements[1])
                .map(|e| {
                    let [a, b, c, _] = self.elements[e];
                    ([a, b, c], e as u32)
                })
                .collect(),
            false => self.header.triangles[body.triangles[0]..body.triangles[1]]
                .iter()
                .map(|&t| (t, owners.get(&sorted(t)).copied().unwrap_or(0)))
                .collect(),
        };
        for (face, owner) in faces {
            let triangle = face.map(|node| {
                let vertex = &mut vertex_of[node as usize];
                if *vertex == u32::MAX {
                    *vertex = self.nodes.len() as u32;
                    self.nodes.push(node);
                }
                *vertex
            });
            self.triangles.push(triangle);
            self.owners.push(owner);
        }
        let first_carried = [self.riders.len(), self.carried.len()];
        if self.has_carried {
            self.add_carried(index, first);
        }
        self.bodies.push(json!({
            "name": body.name,
            "planar": body.planar,
            "vertices": [first[0], self.nodes.len()],
            "triangles": [first[1], self.triangles.len()],
            "carriedVertices": [first_carried[0], self.riders.len()],
            "carriedTriangles": [first_carried[1], self.carried.len()],
        }));
    }

    /// The surface that a body carries along, or its own once more.
    fn add_carried(&mut self, index: usize, [first_vertex, first_triangle]: [usize; 2]) {
        let body = &self.header.info.bodies[index];
        let offset = self.riders.len() as u32;
        if body.has_render_surface() {
            let render = &self.header.render;
            let [first, end] = body.render_vertices;
            let riders = render.elements[first..end]
                .iter()
                .zip(&render.weights[first..end]);
            self.riders.extend(riders.map(|(&e, &w)| (e, w)));
            for triangle in &render.triangles[body.render_triangles[0]..body.render_triangles[1]] {
                self.carried_owners
                    .push(render.elements[triangle[0] as usize]);
                self.carried
                    .push(triangle.map(|v| v - first as u32 + offset));
            }
            return;
        }
        let own = &self.triangles[first_triangle..];
        let mut on = vec![None; self.nodes.len() - first_vertex];
        for (triangle, &owner) in own.iter().zip(&self.owners[first_triangle..]) {
            for &vertex in triangle {
                on[vertex as usize - first_vertex] = Some(owner);
            }
        }
        for (vertex, owner) in on.iter().enumerate() {
            let element = owner.unwrap_or(0);
            let node = self.nodes[first_vertex + vertex];
            let corners = self.elements[element as usize];
            let place = corners.iter().position(|&c| c == node).unwrap_or(0);
            let mut weights = [0.0; 4];
            weights[place] = 1.0;
            self.riders.push((element, weights));
        }
        let moved = own
            .iter()
            .map(|t| t.map(|v| v - first_vertex as u32 + offset));
        self.carried.extend(moved);
        self.carried_owners
            .extend_from_slice(&self.owners[first_triangle..]);
    }

    /// The node that moves most like a vertex.
    pub fn node_of(&self, vertex: u32, carried: bool) -> Option<u32> {
        if !carried {
            return self.nodes.get(vertex as usize).copied();
        }
        let (element, weights) = self.riders.get(vertex as usize)?;
        let best = (0..4).max_by(|&a, &b| weights[a].total_cmp(&weights[b]))?;
        Some(self.elements[*element as usize][best])
    }

    /// Values at vertices from those at nodes.
    pub fn scalars(&self, carried: bool, of_node: impl Fn(usize) -> f64) -> Vec<f32> {
        if !carried {
            return self
                .nodes
                .iter()
                .map(|&n| of_node(n as usize) as f32)
                .collect();
        }
        let riders = self.riders.iter();
        riders
            .map(|(element, weights)| {
                let corners = self.elements[*element as usize];
                let parts = corners.iter().zip(weights);
                parts.map(|(&n, w)| w * of_node(n as usize)).sum::<f64>() as f32
            })
            .collect()
    }

    /// Positions of the vertices from those of the nodes, three numbers each.
    pub fn positions(&self, carried: bool, of_node: impl Fn(usize) -> Vec3) -> Vec<f32> {
        let mut out = Vec::new();
        let mut push = |x: Vec3| out.extend([x.x as f32, x.y as f32, x.z as f32]);
        if !carried {
            self.nodes.iter().for_each(|&n| push(of_node(n as usize)));
            return out;
        }
        for (element, weights) in &self.riders {
            let corners = self.elements[*element as usize];
            let parts = corners.iter().zip(weights);
            push(parts.fold(Vec3::ZERO, |sum, (&n, &w)| sum + of_node(n as usize) * w));
        }
        out
    }

    /// Values of elements at nodes: means over the elements around.
    pub fn at_nodes(&self, of_element: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut sums = vec![(0.0, 0u32); self.rest.len()];
        for (element, corners) in self.elements.iter().enumerate() {
            let value = of_element(element);
            let count = if corners[3] == corners[0] { 3 } else { 4 };
            for &node in &corners[..count] {
                sums[node as usize].0 += value;
                sums[node as usize].1 += 1;
            }
        }
        sums.iter()
            .map(|(sum, n)| sum / f64::from((*n).max(1)))
            .collect()
    }

    /// States of the elements behind the triangles.
    pub fn triangle_states(&self, carried: bool, states: &[u8]) -> Vec<u8> {
        let owners = if carried {
            &self.carried_owners
        } else {
            &self.owners
        };
        owners
            .iter()
            .map(|&e| states.get(e as usize).copied().unwrap_or(0))
            .collect()
    }

    /// Regions of elements, a byte each: colours repeat anyway. None where there is only one.
    pub fn regions_of(&self, elements: &[u32]) -> Option<Vec<u8>> {
        let region = |e: &u32| self.header.regions[*e as usize] as u8;
        (self.header.info.regions.len() > 1).then(|| elements.iter().map(region).collect())
    }

    /// Bodies of elements, a byte each.
    pub fn bodies_of(&self, elements: &[u32]) -> Vec<u8> {
        let bodies = &self.header.info.bodies;
        let of = |e: &u32| bodies.partition_point(|body| body.elements[1] <= *e as usize) as u8;
        elements.iter().map(of).collect()
    }

    /// Adds everything that stays the same to a message.
    pub fn describe(&self, packet: &mut Packet) {
        let info = &self.header.info;
        packet.set("bodies", self.bodies.clone());
        packet.set("title", info.title.as_str());
        packet.set("description", info.description.as_str());
        packet.set("scene", info.scene.as_str());
        packet.set("nodes", info.nodes);
        packet.set("elements", info.elements);
        packet.set("carried", self.has_carried);
        packet.f32("rest", &self.positions(false, |n| self.rest[n]));
        packet.u32("triangles", self.triangles.as_flattened());
        if self.has_carried {
            packet.f32("carriedRest", &self.positions(true, |n| self.rest[n]));
            packet.u32("carriedTriangles", self.carried.as_flattened());
        }
        if let Some(regions) = self.regions_of(&self.owners) {
            packet.u8("regions", &regions);
            let carried = self.regions_of(&self.carried_owners);
            packet.u8("carriedRegions", &carried.unwrap_or_default());
        }
        let obstacles = &self.header.obstacles;
        let list = serde_json::to_value(&obstacles.list).unwrap_or_default();
        packet.set("obstacles", list);
        let flat = obstacles.vertices.iter().flat_map(|x| x.to_array());
        let flat: Vec<f32> = flat.map(|v| v as f32).collect();
        packet.f32("obstacleVertices", &flat);
        packet.u32("obstacleTriangles", obstacles.triangles.as_flattened());
    }

    /// Length of the diagonal of everything at rest, m.
    pub fn diagonal(&self) -> f64 {
        pliant_mesh::Aabb::of(&self.rest).diagonal()
    }
}

fn sorted(mut face: [u32; 3]) -> [u32; 3] {
    face.sort_unstable();
    face
}

/// The last element with each face; looked up only, never walked through.
fn face_owners(elements: &[[u32; 4]]) -> HashMap<[u32; 3], u32> {
    let mut owners = HashMap::with_capacity(2 * elements.len());
    for (index, &[a, b, c, d]) in elements.iter().enumerate() {
        for face in [[a, b, c], [a, b, d], [a, c, d], [b, c, d]] {
            owners.insert(sorted(face), index as u32);
        }
    }
    owners
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_scene::{build, embedded};

    fn shape(name: &str) -> Shape {
        let file = embedded(name).unwrap().parse().unwrap();
        Shape::new(RecordingHeader::new(&build(&file, None).unwrap()))
    }

    #[test]
    fn owners_have_the_corners_of_their_triangles() {
        for name in ["cantilever", "cantilever-2d", "demo"] {
            let shape = shape(name);
            assert_eq!(shape.owners.len(), shape.triangles.len());
            for (triangle, &owner) in shape.triangles.iter().zip(&shape.owners) {
                let corners = shape.elements[owner as usize];
                assert!(
                    triangle
                        .iter()
                        .all(|&v| corners.contains(&shape.nodes[v as usize]))
                );
            }
        }
    }

    #[test]
    fn constant_fields_stay_constant() {
        let shape = shape("demo");
        let nodal = shape.at_nodes(|_| 3.0);
        let at_vertices = shape.scalars(false, |n| nodal[n]);
        assert_eq!(at_vertices.len(), shape.nodes.len());
        assert!(at_vertices.iter().all(|v| *v == 3.0));
    }
}
