//! Triangles of obstacles, for pictures and exports. Curved shapes are cut into facets.

use super::Shape;
use super::primitive::across;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::{Aabb, SurfaceMesh};
use std::f64::consts::{PI, TAU};

/// Facets around an axis.
const AROUND: usize = 64;

/// Facets from pole to pole, and around the section of a torus.
const UP: usize = 32;

/// Points along the side of a height field that are shown at most.
const SHOWN: usize = 512;

impl Shape {
    /// The boundary, seen counter-clockwise from the free side. Half-spaces are shown as a square that reaches
    /// beyond `scene` on every side, height fields without the ground beyond their rectangle.
    pub fn surface(&self, scene: &Aabb) -> SurfaceMesh {
        match self {
            &Shape::HalfSpace { point, normal } => patch(point, normal, scene),
            &Shape::Sphere {
                centre,
                radius,
                hollow,
            } => {
                let arc = arc([0.0, 0.0], radius, -0.5 * PI, 0.5 * PI);
                let mut surface = revolved(centre, Vec3::AXES[2], &arc, false);
                if hollow {
                    surface.triangles.iter_mut().for_each(|t| t.swap(1, 2));
                }
                surface
            }
            Shape::Box {
                centre,
                half,
                rotation,
            } => {
                let sign = |i: usize, k: usize| if i >> k & 1 == 1 { 1.0 } else { -1.0 };
                let corner = |i: usize| half.scale(vec3(sign(i, 0), sign(i, 1), sign(i, 2)));
                let positions = (0..8).map(|i| *centre + *rotation * corner(i));
                let sides: [[u32; 4]; 6] = [
                    [0, 2, 3, 1],
                    [4, 5, 7, 6],
                    [0, 1, 5, 4],
                    [2, 6, 7, 3],
                    [0, 4, 6, 2],
                    [1, 3, 7, 5],
                ];
                let halves = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
                SurfaceMesh {
                    positions: positions.collect(),
                    triangles: sides.into_iter().flat_map(halves).collect(),
                }
            }
            &Shape::Capsule { a, b, radius } => {
                let half = 0.5 * (b - a).norm();
                let axis = (b - a).normalized().unwrap_or(Vec3::AXES[2]);
                let mut profile = arc([0.0, -half], radius, -0.5 * PI, 0.0);
                profile.extend(arc([0.0, half], radius, 0.0, 0.5 * PI));
                revolved((a + b) * 0.5, axis, &profile, false)
            }
            &Shape::Cylinder { a, b, radius } => {
                let half = 0.5 * (b - a).norm();
                let axis = (b - a).normalized().unwrap_or(Vec3::AXES[2]);
                let profile = [[0.0, -half], [radius, -half], [radius, half], [0.0, half]];
                revolved((a + b) * 0.5, axis, &profile, false)
            }
            &Shape::Pipe { a, b, inner, outer } => {
                let half = 0.5 * (b - a).norm();
                let axis = (b - a).normalized().unwrap_or(Vec3::AXES[2]);
                let profile = [[inner, -half], [outer, -half], [outer, half], [inner, half]];
                revolved((a + b) * 0.5, axis, &profile, true)
            }
            &Shape::Torus {
                centre,
                axis,
                major,
                minor,
            } => {
                let mut circle = arc([major, 0.0], minor, 0.0, TAU);
                circle.pop();
                revolved(centre, axis, &circle, true)
            }
            Shape::HeightField(field) => {
                let chosen = field.counts().map(shown);
                let [columns, rows] = &chosen;
                let across = columns.len() as u32;
                let mut surface = SurfaceMesh {
                    positions: Vec::new(),
                    triangles: Vec::new(),
                };
                for &j in rows {
                    let row = columns.iter().map(|&i| field.point(i, j));
                    surface.positions.extend(row);
                }
                for j in 0..rows.len() as u32 - 1 {
                    for i in 0..across - 1 {
                        let a = j * across + i;
                        let [b, c, d] = [a + 1, a + across, a + across + 1];
                        surface.triangles.extend([[a, b, d], [a, d, c]]);
                    }
                }
                surface
            }
            Shape::Mesh(solid) => solid.surface().clone(),
        }
    }
}

/// Points of a grid line that are shown: all, or every so many and the last.
fn shown(count: usize) -> Vec<usize> {
    let stride = count.div_ceil(SHOWN).max(1);
    let mut chosen: Vec<usize> = (0..count - 1).step_by(stride).collect();
    chosen.push(count - 1);
    chosen
}

/// A square of the plane around the foot of the scene's middle.
fn patch(point: Vec3, normal: Vec3, scene: &Aabb) -> SurfaceMesh {
    let whole = scene.low.is_finite() && scene.high.is_finite();
    let (middle, size) = match whole {
        true => (scene.centre(), scene.diagonal()),
        false => (point, 1.0),
    };
    let foot = middle - normal * normal.dot(middle - point);
    let away = (middle - foot).norm();
    let half = 1.5 * size.max(away).max(f64::MIN_POSITIVE);
    // sides along the axes of the world where the plane holds one
    let u = across(normal);
    let v = normal.cross(u);
    let corner = |s: f64, t: f64| foot + (u * s + v * t) * half;
    SurfaceMesh {
        positions: vec![
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
        ],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    }
}

/// Points (radius, height) of an arc around `centre`, both ends included.
fn arc(centre: [f64; 2], radius: f64, from: f64, to: f64) -> Vec<[f64; 2]> {
    let steps = ((to - from) / PI * UP as f64).round().max(1.0) as usize;
    let at = |k: usize| from + (to - from) * k as f64 / steps as f64;
    (0..=steps)
        .map(|k| {
            let (sin, cos) = at(k).sin_cos();
            [
                (centre[0] + radius * cos).max(0.0),
                centre[1] + radius * sin,
            ]
        })
        .collect()
}

/// The surface of revolution of points (radius, height), the solid on their left; ends at the axis become poles.
fn revolved(centre: Vec3, axis: Vec3, profile: &[[f64; 2]], closed: bool) -> SurfaceMesh {
    let u = across(axis);
    let v = axis.cross(u);
    let largest = profile.iter().fold(0f64, |m, p| m.max(p[0]));
    let is_pole = |p: [f64; 2]| p[0] <= 1e-12 * largest;
    let mut positions = Vec::new();
    let mut rings: Vec<(u32, bool)> = Vec::new();
    for &[radius, height] in profile {
        let pole = is_pole([radius, height]);
        rings.push((positions.len() as u32, pole));
        let middle = centre + axis * height;
        if pole {
            positions.push(middle);
            continue;
        }
        positions.extend((0..AROUND).map(|j| {
            let (sin, cos) = (TAU * j as f64 / AROUND as f64).sin_cos();
            middle + (u * cos + v * sin) * radius
        }));
    }
    let vertex = |(first, pole): (u32, bool), j: usize| match pole {
        true => first,
        false => first + (j % AROUND) as u32,
    };
    let mut triangles = Vec::new();
    let count = rings.len();
    for i in 0..if closed { count } else { count - 1 } {
        let (below, above) = (rings[i], rings[(i + 1) % count]);
        for j in 0..AROUND {
            let [a, b] = [vertex(below, j), vertex(below, j + 1)];
            let [d, c] = [vertex(above, j), vertex(above, j + 1)];
            if a != b {
                triangles.push([a, b, c]);
            }
            if c != d {
                triangles.push([a, c, d]);
            }
        }
    }
    SurfaceMesh {
        positions,
        triangles,
    }
}
