//! Solids of revolution about z.

use super::sweep::prism;
use super::{GenerateError, at_least, check_size, finish};
use crate::mesh::{Elements, Mesh};
use pliant_linalg::{Vec3, vec3};
use std::f64::consts::TAU;

/// A solid of revolution about z. `profile` = points (radius, height), m, upwards; each makes one layer of nodes.
/// A radius of 0 at the first or last point makes a pole, a single node. `segments` = s nodes around,
/// `rings` = r rings of nodes between axis and surface.
///
/// Nodes: 1 + s·r a layer and 1 a pole, numbered upwards. Tetrahedra: 3·s·(2r−1) between two layers, s·(2r−1)
/// between a layer and a pole.
pub fn lathe(profile: &[[f64; 2]], segments: usize, rings: usize) -> Result<Mesh, GenerateError> {
    at_least("points of the profile", 2, profile.len())?;
    at_least("segments", 3, segments)?;
    at_least("rings", 1, rings)?;
    check_profile(profile)?;
    check_size(&[profile.len(), segments, rings, 6])?;

    let last = profile.len() - 1;
    let disc = disc(segments, rings);
    let layer = 1 + segments * rings;
    let mut positions = Vec::with_capacity(profile.len() * layer);
    let mut tetrahedra = Vec::with_capacity(profile.len() * disc.len() * 3);
    for (index, &[radius, height]) in profile.iter().enumerate() {
        let start = positions.len() as u32;
        positions.push(vec3(0.0, 0.0, height));
        let pole = radius == 0.0;
        if !pole {
            positions.extend(ring_nodes(radius, height, segments, rings));
        }
        if index == 0 {
            continue;
        }
        let below_is_pole = index == 1 && profile[0][0] == 0.0;
        for triangle in &disc {
            let shifted = |by: u32| triangle.map(|n| n + by);
            if below_is_pole {
                let [a, b, c] = shifted(start);
                tetrahedra.push([a, c, b, start - 1]);
            } else if index == last && pole {
                let [a, b, c] = shifted(start - layer as u32);
                tetrahedra.push([a, b, c, start]);
            } else {
                tetrahedra.extend(prism(shifted(start - layer as u32), layer as u32));
            }
        }
    }
    finish(positions, Elements::Tetrahedra(tetrahedra))
}

/// Refuses profiles that do not go upwards, or touch or cross the axis between their ends.
fn check_profile(profile: &[[f64; 2]]) -> Result<(), GenerateError> {
    let bad = |point: usize, problem: String| GenerateError::BadProfile {
        point: point + 1,
        problem,
    };
    let last = profile.len() - 1;
    for (index, &[radius, height]) in profile.iter().enumerate() {
        if !radius.is_finite() || !height.is_finite() {
            return Err(bad(index, "is not finite".to_string()));
        }
        let end = index == 0 || index == last;
        if radius < 0.0 || (radius == 0.0 && !end) {
            let problem =
                format!("has radius {radius}; only the first and the last may be 0, none less");
            return Err(bad(index, problem));
        }
        if index > 0 && height <= profile[index - 1][1] {
            let problem = format!("at height {height} is not above the one before");
            return Err(bad(index, problem));
        }
    }
    if profile.iter().all(|p| p[0] == 0.0) {
        let problem = "needs one with a radius above 0 between it and the other pole".to_string();
        return Err(bad(0, problem));
    }
    Ok(())
}

/// Triangles of one layer, counter-clockwise seen from above: node 0 on the axis, then ring after ring.
fn disc(segments: usize, rings: usize) -> Vec<[u32; 3]> {
    let node = |ring: usize, around: usize| (1 + ring * segments + around % segments) as u32;
    let mut triangles = Vec::with_capacity(segments * (2 * rings - 1));
    for j in 0..segments {
        triangles.push([0, node(0, j), node(0, j + 1)]);
    }
    for ring in 1..rings {
        for j in 0..segments {
            let (a, b) = (node(ring - 1, j), node(ring - 1, j + 1));
            let (c, d) = (node(ring, j), node(ring, j + 1));
            triangles.push([a, c, d]);
            triangles.push([a, d, b]);
        }
    }
    triangles
}

/// Nodes of one layer other than that on the axis.
fn ring_nodes(
    radius: f64,
    height: f64,
    segments: usize,
    rings: usize,
) -> impl Iterator<Item = Vec3> {
    (0..rings).flat_map(move |ring| {
        let r = radius * ((ring + 1) as f64 / rings as f64);
        (0..segments).map(move |j| {
            let (sin, cos) = (TAU * j as f64 / segments as f64).sin_cos();
            vec3(r * cos, r * sin, height)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;
    use std::f64::consts::PI;

    /// Volume of the faceted solid: frustums over a regular polygon.
    fn faceted_volume(profile: &[[f64; 2]], segments: usize) -> f64 {
        let n = segments as f64;
        let polygon = 0.5 * n * (TAU / n).sin();
        let frustum = |w: &[[f64; 2]]| {
            let (r, s) = (w[0][0], w[1][0]);
            (w[1][1] - w[0][1]) * (r * r + r * s + s * s) / 3.0
        };
        polygon * profile.windows(2).map(frustum).sum::<f64>()
    }

    #[test]
    fn counts_and_volumes() {
        let open: &[[f64; 2]] = &[[0.2, -0.1], [0.3, 0.1], [0.1, 0.25], [0.15, 0.4]];
        let spindle: &[[f64; 2]] = &[[0.0, 0.0], [0.2, 0.1], [0.3, 0.3], [0.2, 0.5], [0.0, 0.6]];
        let cone: &[[f64; 2]] = &[[0.3, 0.0], [0.0, 0.4]];
        let cup: &[[f64; 2]] = &[[0.0, 0.0], [0.3, 0.2], [0.3, 0.4]];
        for (segments, rings) in [(3, 1), (6, 1), (7, 2), (12, 3)] {
            let (layer, disc) = (1 + segments * rings, segments * (2 * rings - 1));
            for (profile, layers, poles) in
                [(open, 4, 0), (spindle, 3, 2), (cone, 1, 1), (cup, 2, 1)]
            {
                let mesh = lathe(profile, segments, rings).unwrap();
                let tets = disc * (3 * (layers - 1) + poles);
                check(&mesh, layer * layers + poles, tets, 3.0, 1);
                let (found, exact) = (mesh.total_volume(), faceted_volume(profile, segments));
                assert!((found / exact - 1.0).abs() < 1e-12, "{found} {exact}");
            }
        }
    }

    #[test]
    fn a_turned_ball() {
        let layers = 40;
        let profile: Vec<[f64; 2]> = (0..=layers)
            .map(|i| {
                let angle = PI * f64::from(i) / f64::from(layers);
                let radius = if i % layers == 0 { 0.0 } else { angle.sin() };
                [radius, -angle.cos()]
            })
            .collect();
        let mesh = lathe(&profile, 40, 4).unwrap();
        assert_eq!(mesh.node_count(), 161 * 39 + 2);
        let volume = mesh.total_volume() / (4.0 / 3.0 * PI);
        assert!(volume < 1.0 && volume > 0.99, "{volume}");
    }

    #[test]
    fn bad_profiles() {
        let says = |profile: &[[f64; 2]], words: &str| {
            let error = lathe(profile, 6, 1).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        };
        says(&[[0.1, 0.0]], "at least 2");
        says(&[[0.1, 0.0], [0.1, 0.0]], "point 2");
        says(&[[0.1, 0.0], [0.0, 0.1], [0.1, 0.2]], "point 2");
        says(&[[0.1, 0.0], [-0.1, 0.1]], "point 2");
        says(&[[0.0, 0.0], [0.0, 0.1]], "point 1");
        says(&[[0.1, f64::NAN], [0.1, 0.1]], "point 1");
        let tube = [[0.1, 0.0], [0.1, 0.1]];
        assert!(lathe(&tube, 2, 1).is_err());
        assert!(lathe(&tube, 3, 0).is_err());
        assert!(lathe(&tube, usize::MAX, usize::MAX).is_err());
    }
}
