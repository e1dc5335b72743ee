use super::*;
use pliant_linalg::vec3;

const RED: Rgb = [220, 40, 40];
const BLUE: Rgb = [40, 40, 220];

fn looking_down() -> Camera {
    Camera {
        eye: vec3(0.0, 0.0, 10.0),
        target: Vec3::ZERO,
        up: vec3(0.0, 1.0, 0.0),
        field_of_view: 0.4,
    }
}

fn sphere(radius: f64, rings: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let around = 2 * rings;
    let mut nodes = vec![];
    for i in 0..=rings {
        let polar = std::f64::consts::PI * f64::from(i) / f64::from(rings);
        for j in 0..around {
            let turn = std::f64::consts::TAU * f64::from(j) / f64::from(around);
            nodes.push(
                vec3(
                    polar.sin() * turn.cos(),
                    polar.sin() * turn.sin(),
                    polar.cos(),
                ) * radius,
            );
        }
    }
    let mut triangles = vec![];
    for i in 0..rings {
        for j in 0..around {
            let [a, b] = [i * around + j, i * around + (j + 1) % around];
            let [c, d] = [a + around, b + around];
            triangles.extend([[a, c, d], [a, d, b]]);
        }
    }
    (nodes, triangles)
}

/// The picture of a triangle of this half size at height z, seen from above.
fn plate(z: f64, half: f64) -> Vec<Vec3> {
    vec![
        vec3(-half, -half, z),
        vec3(half, -half, z),
        vec3(0.0, half, z),
    ]
}

fn pixel(picture: &[u8], width: usize, x: usize, y: usize) -> [i32; 3] {
    let at = 3 * (y * width + x);
    [0, 1, 2].map(|k| i32::from(picture[at + k]))
}

#[test]
fn silhouette_of_a_sphere_has_the_right_area() {
    let (nodes, triangles) = sphere(1.0, 64);
    let shape = Shape {
        positions: &nodes,
        triangles: &triangles,
        colours: Colours::Uniform(RED),
        role: Role::Body,
    };
    let (width, height) = (320, 240);
    let mut camera = looking_down();
    camera.eye = vec3(3.0, -5.0, 4.0);
    let picture = render(&[shape], &camera, width, height);
    let covered = picture
        .chunks(3)
        .filter(|p| i32::from(p[0]) - i32::from(p[2]) > 20)
        .count();
    // the outline is a cone of half angle asin(R/d), a circle since the axis meets the centre
    let focal = 0.5 * height as f64 / (0.2_f64).tan();
    let tangent = (1.0 / camera.eye.norm()).asin().tan();
    let exact = std::f64::consts::PI * (focal * tangent).powi(2);
    assert!(
        (covered as f64 / exact - 1.0).abs() < 0.02,
        "{covered} instead of {exact}"
    );
}

#[test]
fn nearer_hides_farther_in_any_order() {
    let (low, high) = (plate(0.0, 1.5), plate(1.0, 0.6));
    let shapes = [(&low, BLUE), (&high, RED)].map(|(nodes, colour)| Shape {
        positions: nodes,
        triangles: &[[0, 1, 2]],
        colours: Colours::Uniform(colour),
        role: Role::Body,
    });
    for order in [shapes, [shapes[1], shapes[0]]] {
        let picture = render(&order, &looking_down(), 101, 101);
        let [r, _, b] = pixel(&picture, 101, 50, 52);
        assert!(r > b + 50, "the near one is red: {r} {b}");
        let [r, _, b] = pixel(&picture, 101, 50, 75);
        assert!(b > r + 50, "the far one is blue: {r} {b}");
        let [r, _, b] = pixel(&picture, 101, 2, 2);
        assert!(
            (r - b).abs() < 30 && r > 200,
            "the background is light: {r} {b}"
        );
    }
}

#[test]
fn crossing_triangles_are_split_by_depth() {
    // red rises to the right, blue to the left; they meet at x = 0
    let ramp = |s: f64| {
        vec![
            vec3(-1.0, -1.0, -s),
            vec3(1.0, -1.0, s),
            vec3(1.0, 1.0, s),
            vec3(-1.0, 1.0, -s),
        ]
    };
    let (up, down) = (ramp(0.5), ramp(-0.5));
    let triangles = [[0, 1, 2], [0, 2, 3]];
    let shapes = [(&up, RED), (&down, BLUE)].map(|(nodes, colour)| Shape {
        positions: nodes,
        triangles: &triangles,
        colours: Colours::PerFace(if colour == RED {
            &[RED, RED]
        } else {
            &[BLUE, BLUE]
        }),
        role: Role::Body,
    });
    let picture = render(&shapes, &looking_down(), 101, 101);
    let (left, right) = (pixel(&picture, 101, 40, 50), pixel(&picture, 101, 60, 50));
    assert!(
        left[2] > left[0] + 40 && right[0] > right[2] + 40,
        "{left:?} {right:?}"
    );
}

#[test]
fn triangle_through_the_eye_plane_is_cut_not_mirrored() {
    // runs from far ahead to far behind the camera, below it
    let nodes = [
        vec3(-1.0, -100.0, -1.0),
        vec3(1.0, -100.0, -1.0),
        vec3(0.0, 100.0, -1.0),
    ];
    let shape = Shape {
        positions: &nodes,
        triangles: &[[0, 1, 2]],
        colours: Colours::Uniform(RED),
        role: Role::Body,
    };
    let camera = Camera {
        eye: Vec3::ZERO,
        target: vec3(0.0, 1.0, 0.0),
        up: vec3(0.0, 0.0, 1.0),
        field_of_view: 1.5,
    };
    let picture = render(&[shape], &camera, 64, 64);
    assert!(pixel(&picture, 64, 32, 60)[0] > pixel(&picture, 64, 32, 60)[2] + 20);
    for y in 0..31 {
        let [r, _, b] = pixel(&picture, 64, 32, y);
        assert!(r <= b, "nothing above the horizon, row {y}");
    }
}

#[test]
fn node_colours_blend() {
    let nodes = plate(0.0, 1.5);
    let shape = Shape {
        positions: &nodes,
        triangles: &[[0, 1, 2]],
        colours: Colours::PerVertex(&[RED, BLUE, RED]),
        role: Role::Body,
    };
    let picture = render(&[shape], &looking_down(), 101, 101);
    let (left, right) = (pixel(&picture, 101, 20, 84), pixel(&picture, 101, 80, 84));
    assert!(
        left[0] > left[2] + 40 && right[2] > right[0] + 40,
        "{left:?} {right:?}"
    );
}

#[test]
fn shadow_falls_on_the_ground_and_grid_shows() {
    let (nodes, triangles) = sphere(1.0, 24);
    let shape = Shape {
        positions: &nodes,
        triangles: &triangles,
        colours: Colours::Uniform(RED),
        role: Role::Body,
    };
    let camera = Camera::framing(
        (vec3(-2.0, -2.0, -1.0), vec3(2.0, 2.0, 1.0)),
        vec3(0.0, -2.0, 1.0),
    );
    let style = |ground, shadows| Style {
        wireframe: false,
        ground,
        shadows,
    };
    let darkness = |style: &Style| {
        let picture = render_with(&[shape], &camera, 160, 90, style);
        picture.iter().map(|&b| 255 - u64::from(b)).sum::<u64>()
    };
    let bare = darkness(&style(Ground::None, false));
    let grid = darkness(&style(Ground::Lowest, false));
    let shadow = darkness(&style(Ground::At(-1.0), true));
    assert!(bare < grid && grid < shadow, "{bare} {grid} {shadow}");
}

#[test]
fn both_sides_are_lit_as_seen() {
    // the key light is behind the camera, so a plate across the view is bright whichever way its corners run
    let nodes = plate(0.0, 1.5);
    for triangle in [[0, 1, 2], [0, 2, 1]] {
        let shape = Shape {
            positions: &nodes,
            triangles: &[triangle],
            colours: Colours::Uniform([128; 3]),
            role: Role::Body,
        };
        let [r, ..] = pixel(&render(&[shape], &looking_down(), 101, 101), 101, 50, 60);
        assert!((110..175).contains(&r), "{triangle:?}: {r}");
    }
}

#[test]
fn wireframe_darkens_edges_only() {
    let nodes = plate(0.0, 1.5);
    let shape = Shape {
        positions: &nodes,
        triangles: &[[0, 1, 2]],
        colours: Colours::Uniform(RED),
        role: Role::Body,
    };
    let draw = |wireframe| {
        render_with(
            &[shape],
            &looking_down(),
            101,
            101,
            &Style {
                wireframe,
                ..Style::default()
            },
        )
    };
    let (plain, wired) = (draw(false), draw(true));
    assert_eq!(pixel(&plain, 101, 50, 60), pixel(&wired, 101, 50, 60));
    let darker = plain
        .chunks(3)
        .zip(wired.chunks(3))
        .filter(|(p, w)| w[0].saturating_add(15) < p[0])
        .count();
    // about the outline: base 74 px, two sides of 83 px
    assert!((120..480).contains(&darker), "{darker}");
}

#[test]
fn bad_input_is_left_out() {
    let nodes = [
        vec3(f64::NAN, 0.0, 0.0),
        vec3(1.0, 0.0, 0.0),
        vec3(0.0, 1.0, 0.0),
        vec3(1.0, 0.0, 0.0),
    ];
    let shape = |colours| Shape {
        positions: &nodes,
        triangles: &[[0, 1, 2], [1, 2, 9], [1, 1, 2], [1, 2, 3]],
        colours,
        role: Role::Body,
    };
    let camera = looking_down();
    let style = Style {
        wireframe: true,
        ground: Ground::Lowest,
        shadows: true,
    };
    let empty = render_with(&[], &camera, 20, 10, &style);
    assert_eq!(empty.len(), 600);
    for colours in [
        Colours::Uniform(RED),
        Colours::PerVertex(&[]),
        Colours::PerFace(&[]),
    ] {
        assert_eq!(
            render_with(&[shape(colours)], &camera, 20, 10, &style).len(),
            600
        );
    }
    assert!(render(&[], &camera, 0, 10).is_empty());
    assert!(render(&[], &camera, 10, LARGEST_SIDE + 1).is_empty());
    let broken = Camera {
        eye: vec3(f64::NAN, 0.0, 0.0),
        ..camera
    };
    assert_eq!(
        render(&[shape(Colours::Uniform(RED))], &broken, 4, 4).len(),
        48
    );
}

#[test]
fn same_bytes_every_time() {
    let (nodes, triangles) = sphere(1.0, 12);
    let shape = Shape {
        positions: &nodes,
        triangles: &triangles,
        colours: Colours::Uniform(BLUE),
        role: Role::Body,
    };
    let style = Style {
        wireframe: true,
        ground: Ground::Lowest,
        shadows: true,
    };
    let draw = || render_with(&[shape], &looking_down(), 90, 70, &style);
    assert_eq!(draw(), draw());
}

/// A ball above a bowl of obstacles: what each of them changes in the picture.
#[test]
fn obstacles_are_seen_and_take_shadows() {
    use crate::recording::{RecordedObstacles, RecordingHeader};
    use pliant_mesh::Aabb;
    let obstacles = |text: &str| -> RecordedObstacles {
        let scene = format!(
            "title = \"t\"\ntime.duration = 1\n[[body]]\nname = \"ball\"\nmesh.ball = {{ radius = 1, divisions = 2 }}\n\
             material = {{ young = 1e5, poisson = 0.4 }}\n[[obstacle]]\n{text}\n"
        );
        let scene = crate::build::build(&crate::parse::parse(&scene, "t").unwrap(), None).unwrap();
        RecordingHeader::new(&scene).obstacles
    };
    let (nodes, triangles) = sphere(0.5, 16);
    let extent = Aabb::of(&nodes);
    let camera = Camera::fitting(
        [vec3(-2.0, -2.0, -2.0), vec3(2.0, 2.0, 2.0)],
        vec3(-0.4, -1.0, 0.5),
        4.0 / 3.0,
    );
    let picture = |drawn: &[DrawnObstacle], shadows: bool| {
        let mut shapes: Vec<Shape> = drawn
            .iter()
            .map(|o| Shape {
                positions: &o.positions,
                triangles: &o.triangles,
                colours: Colours::Uniform(OBSTACLE),
                role: o.role,
            })
            .collect();
        shapes.push(Shape {
            positions: &nodes,
            triangles: &triangles,
            colours: Colours::Uniform(RED),
            role: Role::Body,
        });
        let style = Style {
            shadows,
            ..Style::default()
        };
        render_with(&shapes, &camera, 160, 120, &style)
    };
    let changed = |a: &[u8], b: &[u8]| a.chunks(3).zip(b.chunks(3)).filter(|(p, q)| p != q).count();
    let alone = picture(&[], true);
    for (text, least) in [
        ("box = { centre = [0, 0, -1.2], size = [3, 3, 0.4] }", 1000),
        (
            "torus = { centre = [0, 0, -1], axis = [0, 0, 1], major = 1, minor = 0.3 }",
            500,
        ),
        (
            "half_space = { point = [0, 0, -1], normal = [0.3, 0, 1] }",
            2000,
        ),
        (
            "sphere = { centre = [0, 0, 0], radius = 1.5, hollow = true }",
            2000,
        ),
    ] {
        let found = obstacles(text);
        let drawn = drawn_obstacles(&found, 0.0, &extent, camera.eye, false);
        assert_eq!(drawn.len(), 1, "{text}");
        let with = picture(&drawn, true);
        assert!(
            changed(&alone, &with) > least,
            "{text}: {}",
            changed(&alone, &with)
        );
        // nothing hides the ball above or in it
        let red = |p: &[u8]| p.chunks(3).filter(|p| p[0] > 2 * p[2]).count();
        assert!(2 * red(&with) > red(&alone), "{text}");
        assert!(
            changed(&with, &picture(&drawn, false)) > 50,
            "{text}: no shadow"
        );
    }
    // a level floor is the ground of the picture
    let floor = obstacles("half_space = { point = [0, 0, -1], normal = [0, 0, 1] }");
    assert_eq!(floor_height(&floor), Some(-1.0));
    assert!(drawn_obstacles(&floor, 0.0, &extent, camera.eye, false).is_empty());
    // unless it moves, and then it is where its motion says
    let lift = obstacles(
        "half_space = { point = [0, 0, -1], normal = [0, 0, 1] }\nmove.translate = { keys = [[0, [0, 0, 0]], [1, [0, 0, 2]]] }",
    );
    assert_eq!(floor_height(&lift), None);
    let drawn = drawn_obstacles(&lift, 0.5, &extent, camera.eye, false);
    assert!(drawn[0].positions.iter().all(|x| x.z.abs() < 1e-12));
    // seen along z, a wall is the strip behind it
    let wall = obstacles("half_space = { point = [1, 0, 0], normal = [-1, 0, 0] }");
    let drawn = drawn_obstacles(&wall, 0.0, &extent, vec3(0.0, 0.0, 9.0), true);
    assert!(drawn[0].positions.iter().all(|x| x.x > 1.0 - 1e-12));
}
