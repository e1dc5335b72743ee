//! The face that a plane cuts through the elements of solid bodies, so that a cross-section is closed and shows what is inside.

use crate::packet::Packet;
use crate::shape::Shape;
use pliant_linalg::Vec3;

/// A point on an edge: its nodes, and how far along it is from the first to the second.
type Crossing = (u32, u32, f64);

/// Triangles where elements meet the plane.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// Three for each triangle.
    crossings: Vec<Crossing>,
    /// The element behind each triangle.
    owners: Vec<u32>,
}

impl Section {
    /// Where the plane n · x + d = 0, given as n and d, meets the elements with their nodes at these places.
    pub fn new(shape: &Shape, [x, y, z, d]: [f64; 4], position: impl Fn(usize) -> Vec3) -> Section {
        let normal = Vec3::new(x, y, z);
        let heights = (0..shape.rest.len()).map(|n| position(n).dot(normal) + d);
        let heights: Vec<f64> = heights.collect();
        let mut section = Section::default();
        for (element, corners) in shape.elements.iter().enumerate() {
            if corners[3] == corners[0] {
                continue; // of a planar body, which has no inside
            }
            let (mut above, mut below) = (Vec::with_capacity(4), Vec::with_capacity(4));
            for &node in corners {
                match heights[node as usize] > 0.0 {
                    true => above.push(node),
                    false => below.push(node),
                }
            }
            let cross = |a: u32, b: u32| {
                let (ha, hb) = (heights[a as usize], heights[b as usize]);
                (a, b, ha / (ha - hb))
            };
            let triangles: &[[Crossing; 3]] = &match (&above[..], &below[..]) {
                ([a], [b, c, d]) | ([b, c, d], [a]) => {
                    vec![[cross(*a, *b), cross(*a, *c), cross(*a, *d)]]
                }
                ([a, b], [c, d]) => {
                    let [p, q] = [cross(*a, *c), cross(*b, *d)];
                    vec![[p, cross(*a, *d), q], [q, cross(*b, *c), p]]
                }
                _ => continue,
            };
            for &[p, q, r] in triangles {
                // they look to the side that n points away from, which is cut off
                let [a, b, c] = [p, q, r].map(|crossing| place(crossing, &position));
                let turned = (b - a).cross(c - a).dot(normal) > 0.0;
                section
                    .crossings
                    .extend(if turned { [p, r, q] } else { [p, q, r] });
                section.owners.push(element as u32);
            }
        }
        section
    }

    /// Adds the triangles to a frame, for a simulation: places of their corners, and what colours may follow.
    pub fn add(
        &self,
        packet: &mut Packet,
        pane: usize,
        shape: &Shape,
        position: impl Fn(usize) -> Vec3,
        states: Option<&[u8]>,
        scalar: Option<&dyn Fn(usize) -> f64>,
    ) {
        let mut places = Vec::with_capacity(3 * self.crossings.len());
        for &crossing in &self.crossings {
            let x = place(crossing, &position);
            places.extend([x.x as f32, x.y as f32, x.z as f32]);
        }
        packet.f32(&format!("k{pane}"), &places);
        packet.u8(&format!("kb{pane}"), &shape.bodies_of(&self.owners));
        if let Some(regions) = shape.regions_of(&self.owners) {
            packet.u8(&format!("kr{pane}"), &regions);
        }
        if let Some(states) = states {
            let of = |e: &u32| states.get(*e as usize).copied().unwrap_or(0);
            packet.u8(
                &format!("kt{pane}"),
                &self.owners.iter().map(of).collect::<Vec<_>>(),
            );
        }
        if let Some(scalar) = scalar {
            let between = |&(a, b, share): &Crossing| {
                let (from, to) = (scalar(a as usize), scalar(b as usize));
                (from + (to - from) * share) as f32
            };
            let values: Vec<f32> = self.crossings.iter().map(between).collect();
            packet.f32(&format!("ks{pane}"), &values);
        }
    }
}

fn place((a, b, share): Crossing, position: impl Fn(usize) -> Vec3) -> Vec3 {
    let (from, to) = (position(a as usize), position(b as usize));
    from + (to - from) * share
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_scene::recording::RecordingHeader;
    use pliant_scene::{build, embedded};

    #[test]
    fn the_face_of_a_bar_has_its_area() {
        let file = embedded("cantilever").unwrap().parse().unwrap();
        let scene = build(&file, None).unwrap();
        let shape = Shape::new(RecordingHeader::new(&scene));
        let bounds = pliant_mesh::Aabb::of(&shape.rest);
        let size = bounds.high - bounds.low;
        // across and along, not through nodes and through them
        for (axis, area) in [
            (0, size.y * size.z),
            (1, size.x * size.z),
            (2, size.x * size.y),
        ] {
            for share in [0.37, 0.5] {
                let mut plane = [0.0; 4];
                plane[axis] = -1.0;
                let at = (bounds.low + size * share).to_array()[axis];
                plane[3] = at;
                let position = |n: usize| shape.rest[n];
                let section = Section::new(&shape, plane, position);
                let mut sum = 0.0;
                for triangle in section.crossings.chunks_exact(3) {
                    let [p, q, r] = [0, 1, 2].map(|k| place(triangle[k], position));
                    assert!((p.to_array()[axis] - at).abs() < 1e-12);
                    // n points to smaller coordinates, so faces look to larger ones
                    sum += 0.5 * (q - p).cross(r - p).to_array()[axis];
                }
                assert!(
                    (sum - area).abs() < 1e-9 * area,
                    "{axis} {share}: {sum} {area}"
                );
            }
        }
    }
}
