//! The nodes that a skeleton holds: those inside the body of tetrahedra that a bone passes through [TMDK15, Section 4.1].

use super::error::RigError;
use super::skeleton::Skeleton;
use crate::aabb::Aabb;
use crate::adjacency::TETRAHEDRON_FACES;
use crate::bvh::Bvh;
use crate::mesh::{Elements, Mesh};
use crate::surface::Surface;
use pliant_linalg::Vec3;

/// Bones this share of a length outside of a tetrahedron still meet it: they often lie in faces and edges of regular meshes.
const OUTSIDE: f64 = 1e-9;

/// Nodes of tetrahedra that a bone meets, without those on the surface; sorted. At least one, or an error.
pub fn nodes_at_bones(mesh: &Mesh, skeleton: &Skeleton) -> Result<Vec<u32>, RigError> {
    let Elements::Tetrahedra(list) = &mesh.elements else {
        return Err(RigError::Planar);
    };
    let corners = |e: usize| list[e].map(|n| mesh.positions[n as usize]);
    let boxes: Vec<Aabb> = (0..list.len()).map(|e| Aabb::of(&corners(e))).collect();
    let tree = Bvh::new(&boxes);
    let mut held = vec![false; mesh.node_count()];
    let mut near = Vec::new();
    for bone in 0..skeleton.bone_count() {
        let [start, end] = skeleton.segment(bone);
        near.clear();
        // not by the segment: one along an edge of a box is neither in it nor outside
        let around = Aabb::of(&[start, end]).grown(OUTSIDE * mesh.diagonal());
        tree.near_box(&around, &mut near);
        for &e in &near {
            if meets(&corners(e as usize), start, end) {
                for &node in &list[e as usize] {
                    held[node as usize] = true;
                }
            }
        }
    }
    for &node in &Surface::of(mesh).nodes {
        held[node as usize] = false;
    }
    let nodes: Vec<u32> = (0..held.len() as u32)
        .filter(|&n| held[n as usize])
        .collect();
    if nodes.is_empty() {
        return Err(RigError::Outside);
    }
    Ok(nodes)
}

/// Whether the segment meets the tetrahedron: what the planes of its faces leave of the segment is not empty.
fn meets(corners: &[Vec3; 4], start: Vec3, end: Vec3) -> bool {
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for face in TETRAHEDRON_FACES {
        let [a, b, c] = face.map(|i| corners[i]);
        let normal = (b - a).cross(c - a);
        let margin = OUTSIDE * normal.norm() * (b - a).norm();
        let height = normal.dot(start - a) - margin;
        let climb = normal.dot(end - start);
        if climb.abs() <= margin * OUTSIDE {
            if height > 0.0 {
                return false;
            }
        } else if climb > 0.0 {
            high = high.min(-height / climb);
        } else {
            low = low.max(-height / climb);
        }
    }
    low <= high
}
