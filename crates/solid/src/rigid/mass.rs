//! Mass, centre and inertia of a solid of constant density: exact integrals over tetrahedra, or over the
//! tetrahedra that a closed surface spans with one point (the divergence theorem).

use super::model::RigidError;
use pliant_linalg::{Mat3, Vec3};

/// What a rigid body needs to know of its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass, m.
    pub centre: Vec3,
    /// Inertia about the centre, kg·m².
    pub inertia: Mat3,
}

/// Mass properties of tetrahedra given by their corners (positively oriented), of `density` in kg/m³.
pub fn mass_properties(
    tetrahedra: impl Iterator<Item = [Vec3; 4]> + Clone,
    density: f64,
) -> Result<MassProperties, RigidError> {
    let reference = tetrahedra.clone().next().map_or(Vec3::ZERO, |t| t[0]);
    integrate(tetrahedra, reference, density)
}

impl MassProperties {
    /// Both together (parallel axes).
    pub fn with(self, other: MassProperties) -> MassProperties {
        let mass = self.mass + other.mass;
        let centre = (self.centre * self.mass + other.centre * other.mass) / mass;
        let about = |part: &MassProperties| {
            let arm = part.centre - centre;
            let spread = Mat3::IDENTITY * arm.norm_squared() - Mat3::outer(arm, arm);
            part.inertia + spread * part.mass
        };
        MassProperties {
            mass,
            centre,
            inertia: about(&self) + about(&other),
        }
    }
}

/// Mass properties of the inside of a closed surface of outward triangles, of `density` in kg/m³.
pub fn surface_mass_properties(
    triangles: impl Iterator<Item = [Vec3; 3]> + Clone,
    density: f64,
) -> Result<MassProperties, RigidError> {
    // a point near the surface keeps the signed volumes small
    let (mut sum, mut count) = (Vec3::ZERO, 0.0);
    let (mut vector, mut area) = (Vec3::ZERO, 0.0);
    for [a, b, c] in triangles.clone() {
        sum += a;
        count += 1.0;
        let normal = (b - a).cross(c - a) * 0.5;
        vector += normal;
        area += normal.norm();
    }
    // the area vectors of a closed surface sum to zero
    if vector.norm() > 1e-6 * area {
        return Err(RigidError::OpenSurface);
    }
    let reference = sum / f64::max(count, 1.0);
    let cones = triangles.map(move |[a, b, c]| [reference, a, b, c]);
    integrate(cones, reference, density)
}

/// ∫dV = V, ∫x dV = V/4 Σxᵢ, ∫x xᵀ dV = V/20 (Σ xᵢxᵢᵀ + Σxᵢ Σxᵢᵀ) for each tetrahedron, about `reference`.
fn integrate(
    tetrahedra: impl Iterator<Item = [Vec3; 4]> + Clone,
    reference: Vec3,
    density: f64,
) -> Result<MassProperties, RigidError> {
    if !(density > 0.0 && density.is_finite()) {
        return Err(RigidError::Density(density));
    }
    let volume_of = |[a, b, c, d]: [Vec3; 4]| (b - a).dot((c - a).cross(d - a)) / 6.0;
    let (mut volume, mut first) = (0.0, Vec3::ZERO);
    for corners in tetrahedra.clone() {
        let v = volume_of(corners);
        volume += v;
        first += corners.iter().fold(Vec3::ZERO, |s, &x| s + (x - reference)) * (0.25 * v);
    }
    if !(volume > 0.0 && volume.is_finite() && first.is_finite()) {
        return Err(RigidError::NoVolume(volume));
    }
    let centre = reference + first / volume;
    let mut second = Mat3::ZERO;
    for corners in tetrahedra {
        let arms = corners.map(|x| x - centre);
        let sum = arms.iter().fold(Vec3::ZERO, |s, &r| s + r);
        let squares = arms
            .iter()
            .fold(Mat3::outer(sum, sum), |m, &r| m + Mat3::outer(r, r));
        second += squares * (volume_of(corners) / 20.0);
    }
    let inertia = (Mat3::IDENTITY * second.trace() - second).symmetric_part() * density;
    Ok(MassProperties {
        mass: density * volume,
        centre,
        inertia,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vec3;
    use std::f64::consts::{PI, TAU};

    /// Two triangles of a quadrilateral.
    fn quad([a, b, c, d]: [Vec3; 4]) -> [[Vec3; 3]; 2] {
        [[a, b, c], [a, c, d]]
    }

    fn box_surface(size: Vec3, at: Vec3) -> Vec<[Vec3; 3]> {
        let mut triangles = Vec::new();
        for axis in 0..3 {
            let (n, u, v) = (
                Vec3::AXES[axis],
                Vec3::AXES[(axis + 1) % 3],
                Vec3::AXES[(axis + 2) % 3],
            );
            for side in [-0.5, 0.5] {
                let corner = |s: f64, t: f64| at + (n * side + u * s + v * t).scale(size);
                let mut ring = [
                    corner(-0.5, -0.5),
                    corner(0.5, -0.5),
                    corner(0.5, 0.5),
                    corner(-0.5, 0.5),
                ];
                if side < 0.0 {
                    ring.reverse();
                }
                triangles.extend(quad(ring));
            }
        }
        triangles
    }

    fn close(a: &Mat3, b: &Mat3, tolerance: f64) -> bool {
        (*a - *b).max_abs() <= tolerance * b.max_abs()
    }

    #[test]
    fn a_turned_box_far_from_the_origin_has_its_closed_form() {
        let (size, at, density) = (vec3(0.2, 0.5, 1.1), vec3(30.0, -20.0, 10.0), 700.0);
        let turn = Mat3::rotation(vec3(0.6, 0.0, 0.8), 0.7);
        let triangles = box_surface(size, Vec3::ZERO)
            .into_iter()
            .map(|t| t.map(|x| at + turn * x));
        let found = surface_mass_properties(triangles, density).unwrap();
        let mass = density * size.x * size.y * size.z;
        let s = size.scale(size);
        let rest = Mat3::diagonal(vec3(s.y + s.z, s.z + s.x, s.x + s.y) * (mass / 12.0));
        assert!((found.mass / mass - 1.0).abs() < 1e-13);
        assert!((found.centre - at).norm() < 1e-13);
        assert!(close(
            &found.inertia,
            &(turn * rest * turn.transpose()),
            1e-12
        ));
    }

    #[test]
    fn tetrahedra_and_their_surface_agree_with_the_closed_form_of_a_corner() {
        // corner tetrahedron with legs a, b, c: centre at a quarter, I about the corner m/10 (b² + c²), …
        let legs = vec3(0.3, 0.7, 1.3);
        let o = vec3(1.0, 2.0, 3.0);
        let [a, b, c] = [0, 1, 2].map(|i| o + Vec3::AXES[i] * legs[i]);
        let solid = mass_properties([[o, a, b, c]].into_iter(), 2.0).unwrap();
        let faces = [[o, b, a], [o, a, c], [o, c, b], [a, b, c]];
        let surface = surface_mass_properties(faces.into_iter(), 2.0).unwrap();
        assert!((solid.mass - 2.0 * legs.x * legs.y * legs.z / 6.0).abs() < 1e-15);
        assert!((solid.centre - (o + legs * 0.25)).norm() < 1e-15);
        let arm = legs * 0.25;
        let steiner = Mat3::IDENTITY * arm.norm_squared() - Mat3::outer(arm, arm);
        let about_corner = solid.inertia + steiner * solid.mass;
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let moment = solid.mass / 10.0 * (legs[j] * legs[j] + legs[k] * legs[k]);
            assert!((about_corner.at(i, i) / moment - 1.0).abs() < 1e-13);
            let product = -solid.mass / 20.0 * legs[i] * legs[j];
            assert!((about_corner.at(i, j) / product - 1.0).abs() < 1e-13);
        }
        assert!((surface.centre - solid.centre).norm() < 1e-14);
        assert!(close(&surface.inertia, &solid.inertia, 1e-13));
    }

    #[test]
    fn sphere_and_cylinder_converge_to_their_closed_forms() {
        let sphere = |n: usize| {
            let at = |i: usize, j: usize| {
                let (t, p) = (
                    PI * i as f64 / n as f64,
                    TAU * (j % (2 * n)) as f64 / (2 * n) as f64,
                );
                vec3(t.sin() * p.cos(), t.sin() * p.sin(), t.cos())
            };
            let mut triangles = Vec::new();
            for (i, j) in (0..n).flat_map(|i| (0..2 * n).map(move |j| (i, j))) {
                triangles.extend(quad([
                    at(i, j),
                    at(i + 1, j),
                    at(i + 1, j + 1),
                    at(i, j + 1),
                ]));
            }
            surface_mass_properties(triangles.into_iter(), 1.0).unwrap()
        };
        let errors = [16, 32].map(|n| {
            let found = sphere(n);
            assert!(found.centre.norm() < 1e-14);
            let moment = 8.0 * PI / 15.0; // 2/5 m r²
            let expected = Mat3::IDENTITY * moment;
            (found.inertia - expected).max_abs() / moment
        });
        assert!(
            errors[1] < 0.012 && (3.5..4.5).contains(&(errors[0] / errors[1])),
            "{errors:?}"
        );

        // a prism over a regular n-gon of radius r: I_zz = m r²/6 (2 + cos 2π/n) is exact
        let (n, r, height) = (12, 0.4, 1.5);
        let rim = |j: usize, z: f64| {
            let p = TAU * (j % n) as f64 / n as f64;
            vec3(r * p.cos(), r * p.sin(), z)
        };
        let (low, high) = (vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, height));
        let mut triangles = Vec::new();
        for j in 0..n {
            triangles.extend(quad([
                rim(j, 0.0),
                rim(j + 1, 0.0),
                rim(j + 1, height),
                rim(j, height),
            ]));
            triangles.push([low, rim(j + 1, 0.0), rim(j, 0.0)]);
            triangles.push([high, rim(j, height), rim(j + 1, height)]);
        }
        let found = surface_mass_properties(triangles.into_iter(), 3.0).unwrap();
        let axial = found.mass * r * r / 6.0 * (2.0 + (TAU / n as f64).cos());
        let across = 0.5 * axial + found.mass * height * height / 12.0;
        let expected = Mat3::diagonal(vec3(across, across, axial));
        assert!((found.centre - high * 0.5).norm() < 1e-14);
        assert!(close(&found.inertia, &expected, 1e-13));
    }

    #[test]
    fn bad_shapes_are_refused() {
        let mut triangles = box_surface(vec3(1.0, 1.0, 1.0), Vec3::ZERO);
        let inwards = triangles.iter().map(|&[a, b, c]| [a, c, b]);
        let found = surface_mass_properties(inwards, 1.0);
        assert!(matches!(found, Err(RigidError::NoVolume(_))));
        assert!(surface_mass_properties(triangles.iter().copied(), 0.0).is_err());
        triangles.pop();
        let found = surface_mass_properties(triangles.into_iter(), 1.0);
        assert!(matches!(found, Err(RigidError::OpenSurface)));
        assert!(mass_properties(std::iter::empty(), 1.0).is_err());
        let flat = [Vec3::AXES[0], Vec3::AXES[1], Vec3::ZERO, Vec3::AXES[0]];
        assert!(mass_properties([flat].into_iter(), 1.0).is_err());
        let wild = [
            Vec3::ZERO,
            Vec3::AXES[0],
            Vec3::AXES[1],
            Vec3::AXES[2] * f64::NAN,
        ];
        assert!(mass_properties([wild].into_iter(), 1.0).is_err());
    }
}
