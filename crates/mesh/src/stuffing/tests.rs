//! The published bounds over random shapes, real surfaces, and surfaces that are not surfaces.

use super::*;
use crate::aabb::Aabb;
use crate::generate::{ball, torus};
use pliant_linalg::{Mat3, vec3};
use std::path::{Path, PathBuf};

/// Numbers in 0..1 from a fixed sequence.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn vector(&mut self) -> Vec3 {
        vec3(self.next(), self.next(), self.next()) * 2.0 - vec3(1.0, 1.0, 1.0)
    }
}

/// A shape given by a function, negative inside, that changes by at most `change(r)` within a distance r.
struct Implicit<F, G> {
    value: F,
    change: G,
    size: f64,
}

impl<F: Fn(Vec3) -> f64 + Sync, G: Fn(f64) -> f64 + Sync> Solid for Implicit<F, G> {
    fn bounds(&self) -> Aabb {
        Aabb::of(&[Vec3::ZERO]).grown(self.size)
    }
    fn inside(&self, p: Vec3) -> bool {
        (self.value)(p) < 0.0
    }
    fn boundary_near(&self, bounds: &Aabb) -> bool {
        (self.value)(bounds.centre()).abs() <= (self.change)(0.5 * bounds.diagonal())
    }
}

pub(super) fn check_bounds(mesh: &Mesh, what: &str) {
    let quality = Quality::of(mesh);
    let (low, high) = (
        quality.min_angle.to_degrees(),
        quality.max_angle.to_degrees(),
    );
    assert!(quality.min_angle >= MIN_DIHEDRAL, "{what}: {low}");
    assert!(quality.max_angle <= MAX_DIHEDRAL, "{what}: {high}");
    assert!((0..mesh.element_count()).all(|e| mesh.volume(e) > 0.0));
    let surface = Surface::of(mesh);
    assert_eq!(surface.overshared_faces, 0, "{what}");
    let enclosed = surface.enclosed_volume(&mesh.positions);
    assert!(
        (mesh.total_volume() / enclosed - 1.0).abs() < 1e-9,
        "{what}"
    );
}

/// Inside and outside at random, with crossings anywhere: every stencil with every extreme warp.
struct Chaos {
    seed: u64,
    share_inside: f64,
}

impl Chaos {
    fn random(&self, p: Vec3) -> f64 {
        let mut noise = Noise(self.seed);
        for x in p.to_array() {
            noise.0 ^= (x * 1e6).round() as i64 as u64;
            noise.next();
            noise.next();
        }
        noise.next()
    }
}

impl Solid for Chaos {
    fn bounds(&self) -> Aabb {
        Aabb::of(&[Vec3::ZERO]).grown(1.0)
    }
    fn inside(&self, p: Vec3) -> bool {
        p.max_abs() < 0.9 && self.random(p) < self.share_inside
    }
    fn crossing(&self, inside: Vec3, outside: Vec3) -> Vec3 {
        // often just before or behind a limit of warping, where angles are extreme
        let pick = self.random(inside * 0.3 + outside * 0.7);
        let limits = [0.0, cut::ALPHA_LONG, cut::ALPHA_SHORT];
        let limit = limits[(pick * 3.0) as usize];
        let nudge = if pick * 30.0 % 1.0 < 0.5 { 1e-6 } else { -1e-6 };
        let t = (limit + nudge).clamp(0.0, 1.0);
        let t = if pick * 300.0 % 1.0 < 0.5 { t } else { 1.0 - t };
        inside + (outside - inside) * t
    }
    fn boundary_near(&self, _: &Aabb) -> bool {
        true
    }
}

#[test]
fn angles_reach_but_never_pass_the_published_bounds() {
    let (mut least, mut greatest) = (f64::INFINITY, 0.0f64);
    for seed in 0..10 {
        let share_inside = 0.1 + 0.08 * seed as f64;
        let chaos = Chaos { seed, share_inside };
        let mesh = compact(stuff(&chaos, 0.1, Vec3::ZERO, 0, 1 << 20).unwrap()).unwrap();
        check_bounds(&mesh, &format!("chaos {seed}"));
        let quality = Quality::of(&mesh);
        least = least.min(quality.min_angle.to_degrees());
        greatest = greatest.max(quality.max_angle.to_degrees());
    }
    println!("extreme angles: {least} {greatest}");
    // sharp: the bounds are almost met, so other warping parameters or diagonals would break them
    assert!(least < 10.9, "{least}");
    assert!(greatest > 155.0, "{greatest}");
}

#[test]
fn random_blobs_keep_the_bounds_at_any_grading() {
    let mut noise = Noise(11);
    for round in 0..24 {
        // a ball with waves of random direction on it: smooth at first, wilder than the lattice later
        let roughness = 0.02 * f64::from(round % 12);
        let waves: Vec<(Vec3, f64, f64)> = (0..4)
            .map(|_| {
                let direction = noise.vector() * 12.0;
                (direction, noise.next() * 6.0, noise.next() * roughness)
            })
            .collect();
        let shift = noise.vector() * 0.1;
        let wave = |p: Vec3| waves.iter().map(move |w| w.2 * (w.0.dot(p) + w.1).sin());
        let change = |r: f64| {
            waves
                .iter()
                .map(|w| w.2 * (w.0.norm() * r).min(2.0))
                .sum::<f64>()
        };
        let blob = Implicit {
            value: |p: Vec3| (p - shift).norm() - 0.6 + wave(p).sum::<f64>(),
            change: |r: f64| r + change(r),
            size: 1.6,
        };
        let raw = stuff(&blob, 0.1, shift * 0.3, round as u32 % 4, 1 << 20).unwrap();
        check_bounds(&compact(raw).unwrap(), &format!("blob {round}"));
    }
}

#[test]
fn smooth_shapes_become_manifolds_with_their_volume() {
    let mut noise = Noise(5);
    for _ in 0..6 {
        let shift = noise.vector() * 0.1;
        let axis = noise.vector().normalized().unwrap();
        let turn = Mat3::rotation(axis, noise.next() * 6.0);
        let sphere = Implicit {
            value: |p: Vec3| (p - shift).norm() - 0.8,
            change: |r| r,
            size: 1.0,
        };
        let ring = Implicit {
            value: |p: Vec3| {
                let q = turn * (p - shift);
                let round = (q.x * q.x + q.y * q.y).sqrt() - 0.6;
                (round * round + q.z * q.z).sqrt() - 0.25
            },
            change: |r| r,
            size: 1.1,
        };
        let volume_of_ball = 4.0 / 3.0 * std::f64::consts::PI * 0.8f64.powi(3);
        let volume_of_ring = 2.0 * std::f64::consts::PI.powi(2) * 0.6 * 0.25 * 0.25;
        let balls = stuff(&sphere, 0.1, Vec3::ZERO, 2, 1 << 20).unwrap();
        let rings = stuff(&ring, 0.06, Vec3::ZERO, 2, 1 << 20).unwrap();
        for (raw, volume) in [(balls, volume_of_ball), (rings, volume_of_ring)] {
            let mesh = compact(raw).unwrap();
            check_bounds(&mesh, "smooth");
            assert!(Surface::of(&mesh).is_closed_manifold());
            assert_eq!(Components::of(&mesh).count, 1);
            let ratio = mesh.total_volume() / volume;
            assert!((ratio - 1.0).abs() < 0.04, "{ratio}");
        }
    }
}

#[test]
fn grading_saves_elements() {
    let skin = SurfaceMesh::of(&ball(1.0, 12).unwrap()).unwrap();
    let stuffed = |grading: f64| {
        let options = StuffingOptions {
            grading,
            ..StuffingOptions::with_edge(0.08)
        };
        tetrahedralize(&skin, &options).unwrap().mesh
    };
    let (uniform, graded) = (stuffed(1.0), stuffed(4.0));
    assert!(graded.element_count() * 4 < uniform.element_count() * 3);
    check_bounds(&uniform, "uniform");
    check_bounds(&graded, "graded");
    let (mut a, mut b) = (Surface::of(&uniform), Surface::of(&graded));
    assert_eq!(a.triangles.len(), b.triangles.len());
    (a.nodes, b.nodes) = (Vec::new(), Vec::new());
    assert!((a.total_area(&uniform.positions) - b.total_area(&graded.positions)).abs() < 1e-9);
}

fn meshes() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes");
    if !folder.is_dir() {
        println!("no ../shared/meshes: nothing tested");
        return None;
    }
    Some(folder)
}

/// Reads OFF, OBJ and ASCII PLY as far as these tests need; polygons become fans.
fn read_surface(path: &Path) -> SurfaceMesh {
    let bytes = std::fs::read(path).unwrap();
    let text = String::from_utf8_lossy(&bytes).to_string();
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    let mut fan = |corners: &[u32]| {
        for k in 1..corners.len() - 1 {
            triangles.push([corners[0], corners[k], corners[k + 1]]);
        }
    };
    let numbers = |line: &str| -> Vec<f64> {
        line.split_whitespace()
            .filter_map(|w| w.parse().ok())
            .collect()
    };
    if text.contains("binary_little_endian") {
        let start = bytes
            .windows(11)
            .position(|w| w == b"end_header\n")
            .unwrap()
            + 11;
        let count = |what: &str| {
            let line = text.lines().find(|l| l.starts_with(what)).unwrap();
            numbers(line)[0] as usize
        };
        let mut at = start;
        for _ in 0..count("element vertex") {
            let n = [0, 8, 16]
                .map(|k| f64::from_le_bytes(bytes[at + k..at + k + 8].try_into().unwrap()));
            positions.push(Vec3::from(n));
            at += 24;
        }
        let wide = text.contains("list int");
        for _ in 0..count("element face") {
            let n = bytes[at] as usize;
            at += if wide { 4 } else { 1 };
            let corners: Vec<u32> = (0..n)
                .map(|k| u32::from_le_bytes(bytes[at + 4 * k..at + 4 * k + 4].try_into().unwrap()))
                .collect();
            at += 4 * n;
            fan(&corners);
        }
    } else if path.extension().unwrap() == "obj" {
        for line in text.lines() {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("v") => {
                    let n = numbers(line);
                    positions.push(vec3(n[0], n[1], n[2]));
                }
                Some("f") => {
                    let corners: Vec<u32> = words
                        .map(|w| w.split('/').next().unwrap().parse::<u32>().unwrap() - 1)
                        .collect();
                    fan(&corners);
                }
                _ => {}
            }
        }
    } else {
        let header = if path.extension().unwrap() == "ply" {
            let count = |what: &str| {
                let line = text.lines().find(|l| l.starts_with(what)).unwrap();
                numbers(line)[0] as usize
            };
            let skip = text.lines().position(|l| l.trim() == "end_header").unwrap() + 1;
            (count("element vertex"), count("element face"), skip)
        } else {
            let mut lines = text.lines().enumerate();
            let (skip, n) = lines
                .find_map(|(i, l)| (numbers(l).len() >= 2).then(|| (i + 1, numbers(l))))
                .unwrap();
            (n[0] as usize, n[1] as usize, skip)
        };
        let mut rows = text
            .lines()
            .skip(header.2)
            .map(numbers)
            .filter(|n| !n.is_empty());
        for _ in 0..header.0 {
            let n = rows.next().unwrap();
            positions.push(vec3(n[0], n[1], n[2]));
        }
        for _ in 0..header.1 {
            let n = rows.next().unwrap();
            let corners: Vec<u32> = n[1..=n[0] as usize].iter().map(|&x| x as u32).collect();
            fan(&corners);
        }
    }
    SurfaceMesh::new(positions, triangles).unwrap()
}

/// Fills a surface, prints a line of numbers and checks the bounds.
fn accept(name: &str, surface: &SurfaceMesh, edge: f64) -> Stuffed {
    let start = std::time::Instant::now();
    let stuffed = tetrahedralize(surface, &StuffingOptions::with_edge(edge)).unwrap();
    let report = &stuffed.report;
    println!(
        "{name}: {} triangles, edge {edge:.4}, {} tets, {:.2}..{:.2} deg, volume ratio {:.4}, {} piece(s), \
         {} crumb(s), manifold {}, closed {}, {:.2} s; {:?}",
        surface.triangles.len(),
        stuffed.mesh.element_count(),
        report.min_dihedral.to_degrees(),
        report.max_dihedral.to_degrees(),
        report.volume / report.surface_volume,
        report.pieces,
        report.crumbs,
        report.manifold,
        report.closed,
        start.elapsed().as_secs_f64(),
        report.warnings,
    );
    check_bounds(&stuffed.mesh, name);
    stuffed
}

#[test]
fn real_surfaces_are_filled() {
    let Some(folder) = meshes() else { return };
    for name in [
        "subspace-condensation/cheburashka.off",
        "isolated-dofs/raptor_8kp.obj",
        "adaptive-rigidification/fatBowl.obj",
        "adaptive-rigidification/pachinko1Model.obj",
    ] {
        let surface = read_surface(&folder.join(name));
        let stuffed = accept(name, &surface, default_edge(&surface));
        // the boxes of the pachinko board overlap, so their union is less than their sum
        if !name.contains("pachinko") {
            assert_volume(name, &stuffed);
        }
    }
    for name in [
        "conjac/bunny_6k.msh",
        "conjac/dragon_10k.msh",
        "conjac/armadillo_5k.msh",
    ] {
        let (raw, _) = crate::read_file(&folder.join(name)).unwrap();
        let mesh = raw.into_mesh().unwrap().0;
        let surface = SurfaceMesh::of(&mesh).unwrap();
        assert_volume(name, &accept(name, &surface, default_edge(&surface)));
    }
}

fn assert_volume(name: &str, stuffed: &Stuffed) {
    let ratio = stuffed.report.volume / stuffed.report.surface_volume;
    assert!((ratio - 1.0).abs() < 0.02, "{name}: {ratio}");
    assert!(
        (10_000..60_000).contains(&stuffed.mesh.element_count()),
        "{name}"
    );
    assert!(stuffed.report.manifold, "{name}");
}

#[test]
fn dirty_surfaces_are_filled_or_refused_with_a_reason() {
    let Some(folder) = meshes() else { return };
    for name in [
        "two-boxes-bad-self-union.ply",
        "non_manifold_vertex.off",
        "fused_vertices.off",
        "cube_with_fold.ply",
        "degenerated.obj",
        "nm_closed_cubes.off",
    ] {
        let surface = read_surface(&folder.join("nasty").join(name));
        let topology = surface.topology();
        match tetrahedralize(
            &surface,
            &StuffingOptions::with_edge(default_edge(&surface)),
        ) {
            Ok(stuffed) => {
                check_bounds(&stuffed.mesh, name);
                println!(
                    "{name}: {topology:?} {} tets, {:?}",
                    stuffed.mesh.element_count(),
                    stuffed.report
                );
            }
            Err(e) => println!("{name}: {topology:?} {e}"),
        }
    }
}

#[test]
fn torus_surface_with_a_hole_warns_and_is_filled() {
    let mut skin = SurfaceMesh::of(&torus(1.0, 0.4, 4, 32).unwrap()).unwrap();
    let whole = skin.enclosed_volume();
    skin.triangles.drain(40..48);
    let stuffed = tetrahedralize(&skin, &StuffingOptions::with_edge(0.08)).unwrap();
    check_bounds(&stuffed.mesh, "hole");
    assert!(!stuffed.report.closed);
    assert!(
        stuffed
            .report
            .warnings
            .iter()
            .any(|w| w.contains("not closed"))
    );
    assert!((stuffed.report.volume / whole - 1.0).abs() < 0.05);
}

/// A box surface turned and shifted.
fn turned_box(size: Vec3, seed: u64) -> SurfaceMesh {
    let mesh = crate::generate::bar(size, [1, 1, 1], crate::generate::Split::Six).unwrap();
    let mut skin = SurfaceMesh::of(&mesh).unwrap();
    let mut noise = Noise(seed);
    let axis = noise.vector().normalized().unwrap();
    let turn = Mat3::rotation(axis, 6.0 * noise.next());
    let shift = noise.vector();
    skin.positions
        .iter_mut()
        .for_each(|p| *p = turn * *p + shift);
    skin
}

#[test]
fn boxes_keep_their_edges() {
    for seed in 0..6 {
        let skin = turned_box(vec3(1.0, 0.8, 0.5), seed);
        let options = StuffingOptions {
            features: Some(0.7),
            ..StuffingOptions::with_edge(0.06)
        };
        let stuffed = tetrahedralize(&skin, &options).unwrap();
        let ratio = stuffed.report.volume / stuffed.report.surface_volume;
        check_bounds(&stuffed.mesh, "box");
        assert!((ratio - 1.0).abs() < 0.005, "{ratio}");
        let features = stuffed.report.features.unwrap();
        assert_eq!((features.corners, features.corners_met), (8, 8));
        // straight edges: every facet lies in one of the six planes
        let planes: Vec<(Vec3, Vec3)> = (0..12)
            .map(|t| {
                let [a, b, c] = skin.corners(t);
                (a, (b - a).cross(c - a).normalized().unwrap())
            })
            .collect();
        let boundary = Surface::of(&stuffed.mesh);
        let off = boundary.triangles.iter().filter(|t| {
            !planes.iter().any(|(p, normal)| {
                t.iter()
                    .all(|&n| (stuffed.mesh.positions[n as usize] - *p).dot(*normal).abs() < 1e-9)
            })
        });
        assert_eq!(off.count(), 0);
    }
}

fn joined(parts: &[SurfaceMesh]) -> SurfaceMesh {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for part in parts {
        let n = positions.len() as u32;
        positions.extend_from_slice(&part.positions);
        triangles.extend(part.triangles.iter().map(|t| t.map(|v| v + n)));
    }
    SurfaceMesh::new(positions, triangles).unwrap()
}

fn sphere(radius: f64, centre: Vec3) -> SurfaceMesh {
    let mut skin = SurfaceMesh::of(&ball(radius, 6).unwrap()).unwrap();
    skin.positions.iter_mut().for_each(|p| *p += centre);
    skin
}

#[test]
fn cavities_and_many_pieces_are_kept() {
    let mut cavity = sphere(0.5, vec3(0.1, 0.0, 0.0));
    cavity.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    let hollow = joined(&[sphere(1.0, Vec3::ZERO), cavity]);
    let stuffed = tetrahedralize(&hollow, &StuffingOptions::with_edge(0.1)).unwrap();
    check_bounds(&stuffed.mesh, "hollow");
    let report = &stuffed.report;
    assert!((report.volume / hollow.enclosed_volume() - 1.0).abs() < 0.02);
    assert!(report.manifold && report.pieces == 1 && report.warnings.is_empty());

    let many: Vec<SurfaceMesh> = (0..27)
        .map(|k| {
            let at = [k % 3, k / 3 % 3, k / 9].map(|x| 3.0 * f64::from(x));
            sphere(1.0, Vec3::from(at))
        })
        .collect();
    let stuffed = tetrahedralize(&joined(&many), &StuffingOptions::with_edge(0.25)).unwrap();
    check_bounds(&stuffed.mesh, "many");
    assert_eq!(stuffed.report.pieces, 27);
}

#[test]
fn units_do_not_matter() {
    let skin = turned_box(vec3(1.0, 0.7, 0.4), 9);
    let options = |edge: f64| StuffingOptions {
        features: Some(0.7),
        ..StuffingOptions::with_edge(edge)
    };
    let counts = [1.0, 2f64.powi(-30), 2f64.powi(30)].map(|scale| {
        let mut scaled = skin.clone();
        scaled.positions.iter_mut().for_each(|p| *p = *p * scale);
        let stuffed = tetrahedralize(&scaled, &options(0.08 * scale)).unwrap();
        check_bounds(&stuffed.mesh, "scaled");
        (stuffed.mesh.element_count(), stuffed.mesh.node_count())
    });
    assert_eq!(counts[0], counts[1]);
    assert_eq!(counts[0], counts[2]);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let skin = joined(&[sphere(1.0, Vec3::ZERO), turned_box(vec3(1.5, 1.0, 0.7), 2)]);
    let options = StuffingOptions {
        features: Some(0.7),
        ..StuffingOptions::with_edge(0.1)
    };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap()
            .install(|| tetrahedralize(&skin, &options).unwrap())
    };
    let one = run(1);
    assert!(one.report.self_intersections > 0);
    assert_eq!(one, run(3));
}

#[test]
fn senseless_wishes_are_refused_with_advice() {
    let skin = sphere(1.0, Vec3::ZERO);
    let wish = |edge: f64| tetrahedralize(&skin, &StuffingOptions::with_edge(edge));
    assert!(matches!(wish(0.0), Err(StuffingError::BadEdge(_))));
    assert!(matches!(wish(f64::NAN), Err(StuffingError::BadEdge(_))));
    for edge in [1e-9, 1e-4] {
        assert!(matches!(wish(edge), Err(StuffingError::TooFine { .. })));
    }
    // refused before anything is built, and after; the advice works
    for edge in [0.01, 0.1] {
        let options = StuffingOptions {
            element_limit: 20_000,
            ..StuffingOptions::with_edge(edge)
        };
        let Err(StuffingError::TooFine { fitting, .. }) = tetrahedralize(&skin, &options) else {
            panic!("{edge} was not refused");
        };
        let advised = StuffingOptions {
            edge: fitting,
            ..options
        };
        assert!(
            tetrahedralize(&skin, &advised)
                .unwrap()
                .mesh
                .element_count()
                > 5_000
        );
    }
    let coarse = wish(10.0).unwrap_err();
    assert!(matches!(coarse, StuffingError::Nothing { .. }), "{coarse}");
    let options = StuffingOptions {
        grading: 0.5,
        ..StuffingOptions::with_edge(0.1)
    };
    assert_eq!(
        tetrahedralize(&skin, &options),
        Err(StuffingError::BadGrading(0.5))
    );
    let point = SurfaceMesh::new(vec![Vec3::ZERO; 3], vec![[0, 1, 2]]).unwrap();
    assert_eq!(
        tetrahedralize(&point, &StuffingOptions::with_edge(0.1)),
        Err(StuffingError::NoExtent)
    );
}

#[test]
fn what_is_no_solid_never_hangs_or_panics() {
    let mut noise = Noise(23);
    let sheet = turned_box(vec3(1.0, 1.0, 0.01), 3);
    let mut lid_off = turned_box(vec3(1.0, 0.8, 0.6), 4);
    lid_off.triangles.truncate(10);
    let half = {
        let mut skin = sphere(1.0, Vec3::ZERO);
        skin.triangles.truncate(skin.triangles.len() / 2);
        skin
    };
    let soup = SurfaceMesh::new(
        (0..300).map(|_| noise.vector()).collect(),
        (0..100).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect(),
    )
    .unwrap();
    let one = SurfaceMesh::new(
        vec![Vec3::ZERO, vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0)],
        vec![[0, 1, 2]],
    )
    .unwrap();
    for (name, surface) in [
        ("sheet", sheet),
        ("lid off", lid_off),
        ("half", half),
        ("soup", soup),
        ("one", one),
    ] {
        for features in [None, Some(0.7)] {
            let options = StuffingOptions {
                features,
                ..StuffingOptions::with_edge(0.12)
            };
            match tetrahedralize(&surface, &options) {
                Ok(stuffed) => {
                    println!("{name}: {:?}", stuffed.report);
                    check_bounds(&stuffed.mesh, name);
                    assert!(!stuffed.report.warnings.is_empty(), "{name}");
                }
                Err(e) => println!("{name}: {e}"),
            }
        }
    }
}

#[test]
fn thin_rims_have_no_teeth() {
    // a lens whose rim is much thinner than the lattice
    let edge = 0.1;
    let mut skin = SurfaceMesh::of(&ball(1.0, 12).unwrap()).unwrap();
    let mut rim: Vec<Vec3> = Vec::new();
    let turn = Mat3::rotation(vec3(0.48, 0.6, 0.64), 0.7);
    for p in &mut skin.positions {
        let is_rim = p.z.abs() < 0.2;
        *p = turn * vec3(p.x, p.y, 0.15 * p.z);
        if is_rim {
            rim.push(*p);
        }
    }
    let stuffed = tetrahedralize(&skin, &StuffingOptions::with_edge(edge)).unwrap();
    check_bounds(&stuffed.mesh, "lens");
    let filled = SurfaceMesh::of(&stuffed.mesh).unwrap();
    let solid = SurfaceSolid::new(&filled, true);
    let gaps = rim.iter().map(|&p| {
        let (nearest, _) = solid.closest(p, f64::INFINITY).unwrap();
        (nearest - p).norm() / edge
    });
    let mean = gaps.sum::<f64>() / rim.len() as f64;
    let ratio = stuffed.report.volume / stuffed.report.surface_volume;
    // 0.07 edges; 0.21 with teeth
    assert!(mean < 0.12, "{mean}");
    assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
}
