//! Obstacles of a recording: their triangles once, and how they move.

use crate::build::Scene;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::Aabb;
use pliant_solid::contact::{Obstacle, Pose, Shape};
use pliant_solid::drive::{Motion, Turn};
use pliant_solid::profile::Profile;
use serde::{Deserialize, Serialize};

/// All obstacles of a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedObstacles {
    /// The obstacles.
    pub list: Vec<RecordedObstacle>,
    /// Vertices at rest, m.
    pub vertices: Vec<Vec3>,
    /// Triangles, counter-clockwise from the free side, vertices numbered through all obstacles.
    pub triangles: Vec<[u32; 3]>,
}

/// One obstacle: ranges [first, end) of its vertices and triangles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedObstacle {
    /// Name.
    pub name: String,
    /// How to show it.
    pub look: Look,
    /// Its vertices.
    pub vertices: [usize; 2],
    /// Its triangles.
    pub triangles: [usize; 2],
    /// A point of the plane and its normal, if the triangles are a patch of a plane without end.
    #[serde(default)]
    pub plane: Option<[[f64; 3]; 2]>,
    /// How it moves from there.
    #[serde(default)]
    pub motion: Option<RecordedMotion>,
}

/// What an obstacle looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Look {
    /// A closed thing, or ground.
    Solid,
    /// A plane without end.
    Plane,
    /// A hollow that holds the bodies: only its far side is shown.
    Hollow,
}

/// A motion: rotation, then translation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedMotion {
    /// Translation, m.
    pub translation: Option<[RecordedProfile; 3]>,
    /// Rotation.
    pub rotation: Option<RecordedTurn>,
}

/// A rotation in time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedTurn {
    /// Unit axis.
    pub axis: [f64; 3],
    /// A point of the axis, m.
    pub centre: [f64; 3],
    /// Angle, rad.
    pub angle: RecordedProfile,
}

/// A function of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordedProfile {
    /// The same at all times.
    Constant(f64),
    /// (time in s, value) in increasing time.
    Keys {
        /// The pairs.
        keys: Vec<(f64, f64)>,
        /// Zero slope at every key instead of straight lines.
        smooth: bool,
    },
    /// offset + amplitude · sin(2π·frequency·t + phase).
    Sine {
        /// Added constant.
        offset: f64,
        /// Amplitude.
        amplitude: f64,
        /// Frequency, Hz.
        frequency: f64,
        /// Phase, rad.
        phase: f64,
    },
}

impl RecordedObstacles {
    /// The obstacles of a scene; planes are shown as patches around everything else.
    pub fn new(scene: &Scene) -> RecordedObstacles {
        let model = &scene.model;
        let extent = model
            .contact
            .obstacles
            .iter()
            .filter_map(|o| shown_bounds(&o.shape))
            .fold(Aabb::of(&model.rest), |all, b| all.union(&b));
        let mut all = RecordedObstacles::default();
        for obstacle in &model.contact.obstacles {
            all.add(obstacle, &extent);
        }
        all
    }

    fn add(&mut self, obstacle: &Obstacle, extent: &Aabb) {
        let surface = obstacle.shape.surface(extent);
        let (first_vertex, first_triangle) = (self.vertices.len(), self.triangles.len());
        let moved = surface.triangles.iter();
        self.triangles
            .extend(moved.map(|t| t.map(|v| v + first_vertex as u32)));
        self.vertices.extend(surface.positions);
        let (look, plane) = match obstacle.shape {
            Shape::HalfSpace { point, normal } => {
                (Look::Plane, Some([point.to_array(), normal.to_array()]))
            }
            Shape::Sphere { hollow: true, .. } => (Look::Hollow, None),
            _ => (Look::Solid, None),
        };
        self.list.push(RecordedObstacle {
            name: obstacle.name.clone(),
            look,
            vertices: [first_vertex, self.vertices.len()],
            triangles: [first_triangle, self.triangles.len()],
            plane,
            motion: obstacle.motion.as_ref().map(RecordedMotion::from),
        });
    }

    /// The vertices of an obstacle at a time, m.
    pub fn vertices_at(&self, index: usize, time: f64) -> Vec<Vec3> {
        let obstacle = &self.list[index];
        let [first, end] = obstacle.vertices;
        let pose = obstacle.pose(time);
        let rest = self.vertices[first..end].iter();
        rest.map(|&x| pose.to_world(x)).collect()
    }

    /// The triangles of an obstacle in its own vertices.
    pub fn triangles_of(&self, index: usize) -> Vec<[u32; 3]> {
        let obstacle = &self.list[index];
        let [first, end] = obstacle.triangles;
        let offset = obstacle.vertices[0] as u32;
        let own = self.triangles[first..end].iter();
        own.map(|t| t.map(|v| v - offset)).collect()
    }

    /// Whether ranges and numbers fit together.
    pub(super) fn is_consistent(&self) -> bool {
        let within = |[first, end]: [usize; 2], count: usize| first <= end && end <= count;
        self.list.iter().all(|o| {
            within(o.vertices, self.vertices.len())
                && within(o.triangles, self.triangles.len())
                && self.triangles[o.triangles[0]..o.triangles[1]]
                    .as_flattened()
                    .iter()
                    .all(|&v| (o.vertices[0]..o.vertices[1]).contains(&(v as usize)))
        })
    }
}

/// The box of what is shown of a shape, `None` for planes.
fn shown_bounds(shape: &Shape) -> Option<Aabb> {
    match shape {
        Shape::HalfSpace { .. } => None,
        Shape::Sphere { centre, radius, .. } => {
            let reach = vec3(*radius, *radius, *radius);
            Some(Aabb {
                low: *centre - reach,
                high: *centre + reach,
            })
        }
        Shape::HeightField(_) => Some(shape.surface(&Aabb::EMPTY).bounds()),
        bounded => bounded.bounds(),
    }
}

impl RecordedObstacle {
    /// Where it is at a time.
    pub fn pose(&self, time: f64) -> Pose {
        match &self.motion {
            None => Pose::REST,
            Some(motion) => Pose::of(&motion.to_motion(), time),
        }
    }
}

impl From<&Motion> for RecordedMotion {
    fn from(motion: &Motion) -> Self {
        let translation = motion.translation.as_ref();
        RecordedMotion {
            translation: translation.map(|path| path.each_ref().map(RecordedProfile::from)),
            rotation: motion.rotation.as_ref().map(|turn| RecordedTurn {
                axis: turn.axis.to_array(),
                centre: turn.centre.to_array(),
                angle: RecordedProfile::from(&turn.angle),
            }),
        }
    }
}

impl RecordedMotion {
    /// As the solver has it.
    pub fn to_motion(&self) -> Motion {
        let translation = self.translation.as_ref();
        Motion {
            translation: translation.map(|path| path.each_ref().map(RecordedProfile::to_profile)),
            rotation: self.rotation.as_ref().map(|turn| Turn {
                axis: Vec3::from(turn.axis),
                centre: Vec3::from(turn.centre),
                angle: turn.angle.to_profile(),
            }),
            twist: None,
        }
    }
}

impl From<&Profile> for RecordedProfile {
    fn from(profile: &Profile) -> Self {
        match profile {
            Profile::Constant(value) => RecordedProfile::Constant(*value),
            Profile::Keyframes { keys, smooth } => RecordedProfile::Keys {
                keys: keys.clone(),
                smooth: *smooth,
            },
            &Profile::Sine {
                offset,
                amplitude,
                frequency,
                phase,
            } => RecordedProfile::Sine {
                offset,
                amplitude,
                frequency,
                phase,
            },
        }
    }
}

impl RecordedProfile {
    fn to_profile(&self) -> Profile {
        match self {
            RecordedProfile::Constant(value) => Profile::Constant(*value),
            RecordedProfile::Keys { keys, smooth } => Profile::Keyframes {
                keys: keys.clone(),
                smooth: *smooth,
            },
            &RecordedProfile::Sine {
                offset,
                amplitude,
                frequency,
                phase,
            } => Profile::Sine {
                offset,
                amplitude,
                frequency,
                phase,
            },
        }
    }
}
