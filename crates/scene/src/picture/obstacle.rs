//! Obstacles of a recording as things to draw.
//!
//! Planes are drawn larger than whatever else is seen, and fade; a level floor is the ground of the picture instead.
//! Of a hollow only the far side is drawn. Plane scenes are looked at along z, where a wall would be seen as a line:
//! there the strip behind it is drawn.

use super::Role;
use crate::recording::{Look, RecordedObstacle, RecordedObstacles};
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::Aabb;

/// Cosine of the angle up to which a floor counts as level.
const LEVEL: f64 = 0.9999;
/// How far planes reach, in diagonals of what is drawn besides.
const REACH: f64 = 4.0;

/// An obstacle at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnObstacle {
    /// Vertices (m).
    pub positions: Vec<Vec3>,
    /// Triangles in these vertices.
    pub triangles: Vec<[u32; 3]>,
    /// What it is.
    pub role: Role,
}

/// Height of the highest level floor that stands still, if there is one.
pub fn floor_height(obstacles: &RecordedObstacles) -> Option<f64> {
    let floors = obstacles.list.iter().filter_map(level_floor);
    floors.reduce(f64::max)
}

fn level_floor(obstacle: &RecordedObstacle) -> Option<f64> {
    let [point, normal] = obstacle.plane?;
    (obstacle.motion.is_none() && normal[2] > LEVEL).then_some(point[2])
}

/// The obstacles at a time, seen from `eye`, around bodies within `scene`; `planar` for scenes in the plane of x and
/// y. Level floors are left out where they are the ground.
pub fn drawn_obstacles(
    obstacles: &RecordedObstacles,
    time: f64,
    scene: &Aabb,
    eye: Vec3,
    planar: bool,
) -> Vec<DrawnObstacle> {
    let mut drawn = Vec::new();
    for (index, obstacle) in obstacles.list.iter().enumerate() {
        if let Some([point, normal]) = obstacle.plane {
            if !planar && level_floor(obstacle).is_some() {
                continue;
            }
            let pose = obstacle.pose(time);
            let point = pose.to_world(Vec3::from(point));
            let normal = pose.rotation * Vec3::from(normal);
            drawn.extend(patch(point, normal, scene, planar));
            continue;
        }
        let positions = obstacles.vertices_at(index, time);
        let mut triangles = obstacles.triangles_of(index);
        if obstacle.look == Look::Hollow {
            triangles.retain(|t| {
                let [a, b, c] = t.map(|v| positions[v as usize]);
                (b - a).cross(c - a).dot(eye - a) > 0.0
            });
        }
        drawn.push(DrawnObstacle {
            positions,
            triangles,
            role: match obstacle.look {
                // a hollow reaches round everything: its shadow would be all there is
                Look::Hollow | Look::Plane => Role::Plane,
                Look::Solid => Role::Obstacle,
            },
        });
    }
    drawn
}

/// A square of a plane around the scene, or the strip behind a wall of a plane scene.
fn patch(point: Vec3, normal: Vec3, scene: &Aabb, planar: bool) -> Option<DrawnObstacle> {
    let middle = scene.centre();
    let half = REACH * scene.diagonal();
    let foot = middle - normal * normal.dot(middle - point);
    let [u, v, foot] = if planar {
        let flat = vec3(normal.x, normal.y, 0.0).normalized()?;
        let along = vec3(-flat.y, flat.x, 0.0);
        // from the line into the wall, and just below the bodies
        let below = vec3(foot.x, foot.y, -1e-3 * half);
        [along, flat * -0.5, below - flat * (0.5 * half)]
    } else {
        let reference = if normal.z.abs() < 0.9 {
            Vec3::AXES[2]
        } else {
            Vec3::AXES[0]
        };
        let u = reference.cross(normal).normalized()?;
        [u, normal.cross(u), foot]
    };
    let corner = |s: f64, t: f64| foot + (u * s + v * t) * half;
    let positions = vec![
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
    ];
    let whole = positions.iter().all(|x| x.is_finite());
    whole.then_some(DrawnObstacle {
        positions,
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        role: Role::Plane,
    })
}
