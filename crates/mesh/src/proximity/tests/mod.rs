//! Scenes whose contacts are known, and random ones against brute force.

mod brute_force;
mod fast;
mod folded;
mod known;
mod own_surface;

use super::*;
use crate::generate::{self, Split};
use crate::surface_mesh::SurfaceMesh;
use pliant_linalg::{Mat3, vec3};

/// Several surfaces with their points in one list.
#[derive(Clone, Default)]
struct World {
    positions: Vec<Vec3>,
    surfaces: Vec<ProximitySurface>,
}

impl World {
    fn of(meshes: impl IntoIterator<Item = SurfaceMesh>) -> World {
        let mut world = World::default();
        for mesh in meshes {
            let first = world.positions.len() as u32;
            world.positions.extend(mesh.positions);
            world.surfaces.push(ProximitySurface {
                facets: mesh
                    .triangles
                    .iter()
                    .map(|t| t.map(|v| v + first))
                    .collect(),
                ..ProximitySurface::default()
            });
        }
        world
    }

    fn itself(mesh: SurfaceMesh) -> World {
        let mut world = World::of([mesh]);
        world.surfaces[0].touches_itself = true;
        world
    }

    fn finder(&self) -> Proximity {
        Proximity::new(self.surfaces.clone(), self.positions.len()).unwrap()
    }

    fn find(&self, alarm: f64) -> Vec<Near> {
        self.find_moving(&[], alarm)
    }

    fn find_moving(&self, displacements: &[Vec3], alarm: f64) -> Vec<Near> {
        let found = self
            .finder()
            .find(&self.positions, displacements, alarm)
            .to_vec();
        check(&found, &self.positions);
        found
    }

    fn moved(&self, turn: &Mat3, shift: Vec3) -> World {
        World {
            positions: self.positions.iter().map(|&p| *turn * p + shift).collect(),
            surfaces: self.surfaces.clone(),
        }
    }

    /// Every point of surface `s` displaced by `d`, the others at rest.
    fn displace(&self, s: usize, d: Vec3) -> Vec<Vec3> {
        let mut displacements = vec![Vec3::ZERO; self.positions.len()];
        for &p in self.surfaces[s].facets.as_flattened() {
            displacements[p as usize] = d;
        }
        displacements
    }
}

/// What must hold for every contact.
fn check(found: &[Near], positions: &[Vec3]) {
    for near in found {
        assert!((near.normal.norm() - 1.0).abs() < 1e-12, "{near:?}");
        let gap = near.along_normal(positions);
        assert!((near.gap - gap).abs() < 1e-14, "{near:?}");
        let own = if near.kind == NearKind::EdgeEdge {
            2
        } else {
            1
        };
        let (a, b) = near.weights.split_at(own);
        assert!((a.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{near:?}");
        assert!((b.iter().sum::<f64>() + 1.0).abs() < 1e-12, "{near:?}");
        assert!(
            a.iter().all(|&w| w >= -1e-9) && b.iter().all(|&w| w <= 1e-9),
            "{near:?}"
        );
        for i in near.count..4 {
            assert_eq!((near.points[i], near.weights[i]), (near.points[0], 0.0));
        }
    }
}

fn shifted(mut mesh: SurfaceMesh, shift: Vec3) -> SurfaceMesh {
    for p in &mut mesh.positions {
        *p += shift;
    }
    mesh
}

fn turned(mut mesh: SurfaceMesh, axis: Vec3, angle: f64) -> SurfaceMesh {
    let turn = Mat3::rotation(axis, angle);
    for p in &mut mesh.positions {
        *p = turn * *p;
    }
    mesh
}

/// Inside out: a cavity.
fn reversed(mut mesh: SurfaceMesh) -> SurfaceMesh {
    for t in &mut mesh.triangles {
        t.swap(1, 2);
    }
    mesh
}

/// A box from `low` with the given size.
fn block(low: Vec3, size: Vec3, cells: [usize; 3]) -> SurfaceMesh {
    let mesh = generate::bar(size, cells, Split::Six).unwrap();
    shifted(SurfaceMesh::of(&mesh).unwrap(), low)
}

fn ball(radius: f64, divisions: usize, centre: Vec3) -> SurfaceMesh {
    let mesh = generate::ball(radius, divisions).unwrap();
    shifted(SurfaceMesh::of(&mesh).unwrap(), centre)
}

fn noise(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
}

fn noise_vector(seed: &mut u64) -> Vec3 {
    vec3(noise(seed), noise(seed), noise(seed))
}

fn random_turn(seed: &mut u64) -> Mat3 {
    Mat3::rotation(
        noise_vector(seed).normalized().unwrap_or(Vec3::AXES[0]),
        6.0 * noise(seed),
    )
}

fn of_kind(found: &[Near], kind: NearKind) -> Vec<Near> {
    found.iter().copied().filter(|n| n.kind == kind).collect()
}
