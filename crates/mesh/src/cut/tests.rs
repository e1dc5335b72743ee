use super::*;
use crate::components::Components;
use crate::generate::{Split, TriangleSplit, ball, bar, rectangle};
use crate::mesh::FLATNESS;
use crate::surface::Surface;
use pliant_linalg::vec3;
use proptest::prelude::*;

const X: Vec3 = Vec3::AXES[0];

fn plane(point: Vec3, normal: Vec3) -> Plane {
    Plane { point, normal }
}

fn beam() -> CutMesh {
    CutMesh::new(bar(vec3(1.0, 0.5, 0.5), [4, 2, 2], Split::Six).unwrap())
}

/// A bar whose inner nodes are moved about by up to a share of the cell.
fn jittered(cells: [usize; 3], split: Split, seed: u64, share: f64) -> Mesh {
    let size = vec3(1.0, 0.7, 0.6);
    let mut mesh = bar(size, cells, split).unwrap();
    let mut bits = seed | 1;
    let mut random = || {
        bits = bits
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let inside = |v: f64, size: f64| v > 1e-9 && v < size - 1e-9;
    for p in &mut mesh.positions {
        let shift = [random(), random(), random()];
        for axis in 0..3 {
            if inside(p[axis], size[axis]) {
                p[axis] += share * shift[axis] * size[axis] / cells[axis] as f64;
            }
        }
    }
    assert!((0..mesh.element_count()).all(|e| mesh.volume(e) > 0.0));
    mesh
}

/// All that must hold of a mesh after any cuts, whichever of them are open.
fn check(original: &Mesh, cut: &CutMesh, planes: &[Plane]) {
    let mesh = &cut.mesh;
    let old = original.node_count();
    assert_eq!(mesh.positions[..old], original.positions[..]);
    // parts fill their parents, and none is flat
    let mut volumes = vec![0.0; original.element_count()];
    for (e, &parent) in cut.parents.iter().enumerate() {
        let (determinant, longest) = mesh.determinant(e);
        let power = if mesh.is_planar() { 1.0 } else { 1.5 };
        assert!(determinant > FLATNESS * longest.powf(power), "element {e}");
        assert_eq!(mesh.region_of(e), original.region_of(parent as usize));
        volumes[parent as usize] += mesh.volume(e);
    }
    for (parent, &sum) in volumes.iter().enumerate() {
        let whole = original.volume(parent);
        assert!((sum - whole).abs() <= 1e-12 * whole, "{sum} {whole}");
    }
    // all nodes are used, and twins rest at their masters
    let mut used = vec![false; mesh.node_count()];
    mesh.elements
        .iter()
        .flatten()
        .for_each(|&n| used[n as usize] = true);
    assert!(used.iter().all(|&u| u));
    for pair in cut.twins.windows(2) {
        assert!(pair[0].twin < pair[1].twin);
    }
    for t in &cut.twins {
        assert!(t.master < t.twin && (t.cut as usize) < cut.cuts);
        assert_eq!(
            mesh.positions[t.master as usize],
            mesh.positions[t.twin as usize]
        );
    }

    let whole = Surface::of(original);
    let all_closed = cut.leaders(0);
    for open in 0..=cut.cuts {
        let joined = cut.joined(open);
        let surface = Surface::of(&joined);
        assert_eq!(surface.overshared_faces, 0);
        assert_eq!(surface, Surface::of(mesh).joined(&cut.leaders(open)));
        let x = &joined.positions;
        let (volume, expected) = (surface.enclosed_volume(x), original.total_volume());
        assert!((volume - expected).abs() < 1e-12 * expected);
        if open == 0 {
            // faces without a neighbour would add to the boundary
            let area = whole.total_area(&original.positions);
            assert!((surface.total_area(x) - area).abs() < 1e-12 * area);
            assert!(surface.is_closed_manifold());
        }
        // what is boundary now but was not, lies on one of the open cuts
        let key = |nodes: &[u32]| {
            let mut key: Vec<u32> = nodes.iter().map(|&n| all_closed[n as usize]).collect();
            key.sort_unstable();
            key
        };
        let closed = Surface::of(&cut.joined(0));
        let mut outside: Vec<Vec<u32>> = (0..closed.facet_count())
            .map(|f| key(closed.facet(f)))
            .collect();
        outside.sort_unstable();
        let doubled: Vec<Vec<u32>> = (0..open as u32)
            .map(|c| {
                let twins = cut.twins.iter().filter(|t| t.cut == c);
                let mut nodes: Vec<u32> = twins.map(|t| all_closed[t.master as usize]).collect();
                nodes.sort_unstable();
                nodes
            })
            .collect();
        for f in 0..surface.facet_count() {
            let key = key(surface.facet(f));
            // of an incision the faces at its border open too, by one or two of their nodes
            let on_cut = |nodes: &Vec<u32>| {
                let mut found = key.iter().map(|n| nodes.binary_search(n).is_ok());
                if planes.is_empty() {
                    found.any(|f| f)
                } else {
                    found.all(|f| f)
                }
            };
            assert!(outside.binary_search(&key).is_ok() || doubled.iter().any(on_cut));
        }
        // no piece reaches to both sides of an open cut
        let pieces = Components::of(&joined);
        let reach = 0.1 * original.diagonal();
        for plane in planes.iter().take(open) {
            let mut sides = vec![[false; 2]; pieces.count];
            for n in joined.elements.iter().flatten().map(|&n| n as usize) {
                let height = (x[n] - plane.point).dot(plane.normal.normalized().unwrap());
                let sides = &mut sides[pieces.of_node[n] as usize];
                sides[0] |= height < -reach;
                sides[1] |= height > reach;
            }
            assert!(sides.iter().all(|s| *s != [true; 2]), "open {open}");
        }
    }
}

#[test]
fn a_plane_of_the_grid_changes_no_element() {
    let mut cut = beam();
    let before = cut.mesh.clone();
    let middle = plane(vec3(0.5, 0.0, 0.0), X * 2.0);
    let part = cut.cut(&middle, &CutOptions::default()).unwrap();
    assert!(part.points.is_empty());
    assert_eq!(part.twins.len(), 9);
    assert_eq!(cut.mesh.node_count(), before.node_count() + 9);
    assert_eq!(cut.joined(0).elements, before.elements);
    assert_eq!(cut.joined(1), cut.mesh);
    check(&before, &cut, &[middle]);
    let pieces = Components::of(&cut.mesh);
    assert_eq!(pieces.count, 2);
    // the positive side has the twins
    for &e in &part.elements {
        assert!(cut.mesh.centroid(e as usize).x > 0.5);
        assert!(
            cut.mesh
                .nodes_of(e as usize)
                .iter()
                .any(|n| part.twins.contains(n))
        );
    }
    // the two faces of the cut
    let area = |mesh: &Mesh| Surface::of(mesh).total_area(&mesh.positions);
    assert!((area(&cut.mesh) - area(&before) - 0.5).abs() < 1e-12);
}

#[test]
fn tetrahedra_by_hand() {
    let corners = vec![
        Vec3::ZERO,
        vec3(1.0, 0.0, 0.0),
        vec3(0.0, 1.0, 0.0),
        vec3(0.0, 0.0, 1.0),
    ];
    let mesh = Mesh::single_region(corners, Elements::Tetrahedra(vec![[0, 1, 2, 3]]));
    let mesh = mesh.unwrap().0;
    // one corner from three, two from two, and through corners and edges
    for (point, normal, elements, nodes) in [
        (vec3(0.5, 0.0, 0.0), X, 4, 4 + 3 + 3),
        (vec3(0.25, 0.25, 0.0), vec3(1.0, 1.0, 0.0), 6, 4 + 4 + 4),
        (vec3(0.0, 0.0, 0.0), vec3(1.0, -1.0, 0.0), 2, 4 + 1 + 3),
        (vec3(0.0, 0.0, 0.0), vec3(1.0, 1.0, -1.5), 3, 4 + 2 + 3),
    ] {
        let mut cut = CutMesh::new(mesh.clone());
        let plane = plane(point, normal);
        let part = cut.cut(&plane, &CutOptions::default()).unwrap();
        assert_eq!(cut.mesh.element_count(), elements, "{normal:?}");
        assert_eq!(cut.mesh.node_count(), nodes, "{normal:?}");
        check(&mesh, &cut, &[plane]);
        for (i, point) in part.points.iter().enumerate() {
            let at = cut.mesh.positions[4 + i];
            assert_eq!(point.position(&cut.mesh.positions), at);
            assert!((at - plane.point).dot(normal).abs() < 1e-15);
        }
    }
    // a plane that only touches separates nothing
    let mut cut = CutMesh::new(mesh.clone());
    let touching = plane(vec3(0.0, 0.0, 0.0), X);
    let error = cut.cut(&touching, &CutOptions::default()).unwrap_err();
    assert!(matches!(error, CutError::Missed { .. }), "{error}");
    assert_eq!(cut, CutMesh::new(mesh));
}

#[test]
fn crossing_cuts_make_four_copies() {
    for point in [vec3(0.5, 0.25, 0.25), vec3(0.43, 0.21, 0.2)] {
        let mut cut = beam();
        let before = cut.mesh.clone();
        let planes = [plane(point, X), plane(point, Vec3::AXES[1])];
        for plane in &planes {
            cut.cut(plane, &CutOptions::default()).unwrap();
        }
        check(&before, &cut, &planes);
        let copies = |open| {
            let leaders = cut.leaders(0);
            let now = cut.leaders(open);
            let mut most = 0;
            for leader in 0..leaders.len() as u32 {
                let mut kinds: Vec<u32> = (0..leaders.len())
                    .filter(|&n| leaders[n] == leader)
                    .map(|n| now[n])
                    .collect();
                kinds.sort_unstable();
                kinds.dedup();
                most = most.max(kinds.len());
            }
            most
        };
        assert_eq!([copies(0), copies(1), copies(2)], [1, 2, 4]);
        let pieces = |open| {
            let mesh = cut.joined(open);
            let of_element = Components::of(&mesh).of_element;
            let mut kinds = of_element.clone();
            kinds.sort_unstable();
            kinds.dedup();
            kinds.len()
        };
        assert_eq!([pieces(0), pieces(1), pieces(2)], [1, 2, 4]);
    }
}

#[test]
fn incisions_end_inside() {
    let mesh = bar(vec3(1.0, 0.6, 0.6), [8, 6, 6], Split::Six).unwrap();
    for x in [0.5, 0.46] {
        let mut cut = CutMesh::new(mesh.clone());
        let plane = plane(vec3(x, 0.0, 0.0), X);
        let options = CutOptions {
            within: Selection::HalfSpace {
                point: vec3(0.0, 0.0, 0.25),
                normal: vec3(0.0, 0.0, 1.0),
            },
            ..CutOptions::default()
        };
        let part = cut.cut(&plane, &options).unwrap();
        check(&mesh, &cut, &[]);
        assert_eq!(Components::of(&cut.mesh).count, 1);
        assert!(Surface::of(&cut.mesh).is_closed_manifold());
        let heights = part.twins.clone().map(|n| cut.mesh.positions[n as usize].z);
        let least = heights.fold(f64::INFINITY, f64::min);
        assert!((0.25..0.5).contains(&least), "{least}");
        // elements below are as they were
        let untouched = (0..cut.mesh.element_count()).filter(|&e| cut.mesh.centroid(e).z < 0.2);
        let untouched =
            untouched.filter(|&e| cut.mesh.nodes_of(e) == mesh.nodes_of(cut.parents[e] as usize));
        let below = (0..mesh.element_count()).filter(|&e| mesh.centroid(e).z < 0.2);
        assert_eq!(untouched.count(), below.count());
        // a second cut right through it, so that copies of edges with ends that are none are bisected
        let through = super::Plane {
            point: vec3(0.5, 0.31, 0.3),
            normal: vec3(0.3, 1.0, 0.2),
        };
        cut.cut(&through, &CutOptions::default()).unwrap();
        check(&mesh, &cut, &[]);
    }
    let mut cut = CutMesh::new(mesh);
    let small = CutOptions {
        within: Selection::Sphere {
            centre: vec3(0.5, 0.3, 0.3),
            radius: 0.05,
        },
        ..CutOptions::default()
    };
    let error = cut.cut(&plane(vec3(0.5, 0.3, 0.3), X), &small).unwrap_err();
    assert_eq!(error, CutError::TooSmall);
    let surface = CutOptions {
        within: Selection::Surface,
        ..CutOptions::default()
    };
    let error = cut.cut(&plane(vec3(0.5, 0.3, 0.3), X), &surface);
    assert_eq!(error, Err(CutError::Within(SelectionError::NoShape)));
}

#[test]
fn senseless_cuts_are_refused() {
    let mut cut = beam();
    let middle = vec3(0.5, 0.0, 0.0);
    let no_plane = cut.cut(&plane(middle, Vec3::ZERO), &CutOptions::default());
    assert_eq!(no_plane, Err(CutError::NoPlane));
    let no_point = cut.cut(&plane(vec3(f64::NAN, 0.0, 0.0), X), &CutOptions::default());
    assert_eq!(no_point, Err(CutError::NoPlane));
    let beside = cut.cut(&plane(vec3(2.0, 0.0, 0.0), X), &CutOptions::default());
    let text = beside.unwrap_err().to_string();
    assert!(text.contains("[1.0, 0.5, 0.5]"), "{text}");
    let rough = CutOptions {
        tolerance: 0.7,
        ..CutOptions::default()
    };
    assert_eq!(
        cut.cut(&plane(middle, X), &rough),
        Err(CutError::Tolerance(0.7))
    );
    // the same plane again finds nothing to separate
    cut.cut(&plane(middle, X), &CutOptions::default()).unwrap();
    let again = cut.cut(&plane(middle, X), &CutOptions::default());
    assert!(matches!(again, Err(CutError::Missed { .. })));
    assert_eq!(cut.cuts, 1);
}

fn vector() -> impl Strategy<Value = Vec3> {
    let signed = || -1.0..1.0f64;
    (signed(), signed(), signed()).prop_map(|(x, y, z)| vec3(x, y, z))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

    /// Up to three planes, anywhere or exactly through nodes, edges and faces, through meshes of all sorts.
    #[test]
    fn any_planes_through_any_mesh(
        seed: u64,
        five: bool,
        round: bool,
        jitter in prop_oneof![Just(0.0), Just(0.15)],
        normals in prop::collection::vec(vector(), 1..4),
        through in prop::collection::vec((0usize..1000, 0usize..4), 3),
        tolerance in prop_oneof![Just(0.1), 1e-6..0.4f64],
    ) {
        let split = if five { Split::Five } else { Split::Six };
        let mut mesh = match round {
            true => ball(0.5, 2).unwrap(),
            false => jittered([4, 3, 3], split, seed, jitter),
        };
        mesh.assign_region("half", |c| c.x > 0.5 * mesh_middle(round)).unwrap();
        let mut cut = CutMesh::new(mesh.clone());
        let mut planes = Vec::new();
        for (normal, &(e, kind)) in normals.iter().zip(&through) {
            let nodes = mesh.nodes_of(e % mesh.element_count());
            let x = |i: usize| mesh.positions[nodes[i] as usize];
            let normal = if normal.norm() < 0.1 { X } else { *normal };
            let plane = match kind {
                0 => plane((x(0) + x(1) + x(2) + x(3)) / 4.0, normal),
                1 => plane(x(0), normal),
                2 => plane(x(1), (x(2) - x(1)).cross(normal)),
                _ => plane(x(1), (x(2) - x(1)).cross(x(3) - x(1))),
            };
            let options = CutOptions { tolerance, ..CutOptions::default() };
            match cut.cut(&plane, &options) {
                Ok(_) => planes.push(plane),
                // along the boundary, or along a former cut
                Err(CutError::Missed { .. }) => {}
                Err(error) => prop_assert!(false, "{error}"),
            }
        }
        // with a large tolerance the seam is no plane, so only the finest cuts are asked to separate
        let planes = if tolerance <= 0.1 { planes } else { Vec::new() };
        check(&mesh, &cut, &planes);
    }

    #[test]
    fn any_lines_through_a_plate(
        kind in 0usize..3,
        points in prop::collection::vec((0.1..0.9f64, 0.1..0.5f64, 0.0..6.3f64), 1..4),
    ) {
        let split = [TriangleSplit::Parallel, TriangleSplit::Alternating, TriangleSplit::Crossed];
        let mesh = rectangle([1.0, 0.6], [5, 3], split[kind]).unwrap();
        let mut cut = CutMesh::new(mesh.clone());
        let mut planes = Vec::new();
        for &(x, y, angle) in &points {
            let plane = plane(vec3(x, y, 0.0), vec3(angle.cos(), angle.sin(), 0.0));
            if cut.cut(&plane, &CutOptions::default()).is_ok() {
                planes.push(plane);
            }
        }
        check(&mesh, &cut, &planes);
    }

    /// Incisions leave meshes that conform, closed and open.
    #[test]
    fn any_incisions(
        seed: u64,
        normals in prop::collection::vec(vector(), 1..4),
        centres in prop::collection::vec(vector(), 3),
        radius in 0.2..0.5f64,
    ) {
        let mesh = jittered([5, 4, 4], Split::Six, seed, 0.15);
        let mut cut = CutMesh::new(mesh.clone());
        for (normal, centre) in normals.iter().zip(&centres) {
            let centre = vec3(0.5, 0.35, 0.3) + *centre * 0.3;
            let plane = plane(centre, if normal.norm() < 0.1 { X } else { *normal });
            let within = Selection::Sphere { centre, radius };
            let options = CutOptions { within, ..CutOptions::default() };
            match cut.cut(&plane, &options) {
                Ok(_) | Err(CutError::TooSmall) => {}
                Err(error) => prop_assert!(false, "{error}"),
            }
        }
        check(&mesh, &cut, &[]);
    }
}

/// Middle of the meshes above along x, doubled.
fn mesh_middle(round: bool) -> f64 {
    if round { 0.0 } else { 1.0 }
}
