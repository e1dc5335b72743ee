//! The colour of a sample: lights on a face, or the ground and the background behind it.

use super::colour::{decode_srgb, encode_srgb};
use super::raster::{Face, NOTHING, SAMPLES, View};
use super::shadow::ShadowMap;
use super::{Colours, GREY, Ground, Rgb, Role, Shape, Style};
use pliant_linalg::{Vec3, vec3};

/// Cosine of the angle between triangles beyond which their common edge stays sharp (about 40°).
const CREASE: f64 = 0.77;
const KEY: f64 = 0.78;
const FILL: f64 = 0.16;
const AMBIENT: f64 = 0.30;
const GLOSS: f64 = 0.10;
const GLOSS_POWER: i32 = 32;
/// Part of the ambient light that a point in full shadow of the key light still gets on the ground.
const GROUND_SHADE: f64 = 0.42;
/// Linear RGB at the top and the bottom of the picture.
const TOP: Vec3 = vec3(0.80, 0.82, 0.85);
const BOTTOM: Vec3 = vec3(0.92, 0.925, 0.93);
/// Entries of the table that turns linear light into bytes.
const CURVE: usize = 4096;

pub struct Shader<'a> {
    shapes: &'a [Shape<'a>],
    faces: &'a [Face],
    view: &'a View,
    normals: Vec<Vec<[Vec3; 3]>>,
    shadow: Option<ShadowMap>,
    wireframe: bool,
    ground: Option<Grid>,
    /// Middle and half the diagonal of what is drawn, without planes (m).
    centre: Vec3,
    radius: f64,
    key: Vec3,
    fill: Vec3,
    decode: Vec<f64>,
    encode: Vec<u8>,
}

struct Grid {
    height: f64,
    spacing: f64,
}

impl<'a> Shader<'a> {
    pub fn new(shapes: &'a [Shape<'a>], faces: &'a [Face], view: &'a View, style: &Style) -> Self {
        let triangles = shapes
            .iter()
            .filter(|shape| shape.role != Role::Plane)
            .flat_map(|shape| shape.triangles.iter().filter_map(|&t| shape.corners(t)));
        let (mut low, mut high) = (
            vec3(1.0, 1.0, 1.0) * f64::INFINITY,
            vec3(1.0, 1.0, 1.0) * f64::NEG_INFINITY,
        );
        for point in triangles.clone().flatten() {
            low = low.min(point);
            high = high.max(point);
        }
        let height = match style.ground {
            Ground::None => None,
            Ground::Lowest => Some(low.z),
            Ground::At(z) => Some(z),
        };
        let radius = 0.5 * (high - low).norm();
        let ground = height
            .filter(|&z| z.is_finite() && radius > 0.0 && radius.is_finite() && view.eye.z > z)
            .map(|height| Grid {
                height,
                spacing: round_step(radius / 5.0),
            });

        // the key light stands behind the left shoulder and high, so that shadows fall away from the camera
        let zenith = vec3(0.0, 0.0, 1.0);
        let unit = |v: Vec3| v.normalized().unwrap_or(zenith);
        let key = unit(zenith * 1.0 - view.right * 0.5 - view.forward * 0.55 + view.up * 0.25);
        let fill = unit(view.right * 0.9 - view.forward * 0.5 + view.up * 0.1);
        Shader {
            shapes,
            faces,
            view,
            normals: shapes.iter().map(corner_normals).collect(),
            shadow: style.shadows.then(|| ShadowMap::new(key, triangles)),
            wireframe: style.wireframe,
            ground,
            centre: 0.5 * (low + high),
            radius,
            key,
            fill,
            decode: (0..256)
                .map(|i| decode_srgb(f64::from(i) / 255.0))
                .collect(),
            encode: (0..CURVE)
                .map(|i| (encode_srgb(i as f64 / (CURVE - 1) as f64) * 255.0).round() as u8)
                .collect(),
        }
    }

    /// The colour of the pixel whose samples at (x, y), (x+1, y), (x, y+1), (x+1, y+1) see these faces.
    pub fn pixel(&self, x: usize, y: usize, seen: [u32; 4]) -> Rgb {
        let (x, y) = (x as f64, y as f64);
        let light = if seen.iter().all(|&face| face == seen[0]) {
            self.sample(x + 1.0, y + 1.0, seen[0])
        } else {
            let at = |i: usize| {
                self.sample(x + 0.5 + (i & 1) as f64, y + 0.5 + (i >> 1) as f64, seen[i])
            };
            (at(0) + at(1) + at(2) + at(3)) * 0.25
        };
        light
            .to_array()
            .map(|c| self.encode[(c.clamp(0.0, 1.0) * (CURVE - 1) as f64 + 0.5) as usize])
    }

    fn sample(&self, x: f64, y: f64, seen: u32) -> Vec3 {
        if seen == NOTHING {
            return self.backdrop(x, y);
        }
        let face = &self.faces[seen as usize];
        let mut weights = face.weights(x, y);
        let depth = 1.0 / (weights[0] + weights[1] + weights[2]);
        weights = weights.map(|e| e * depth);
        if let Some(ground) = &self.ground {
            // a body lying flat on the ground is not hidden by it
            let ahead = ground.depth(self.view, x, y);
            if ahead > 0.0 && ahead < depth * (1.0 - 1e-3) {
                return self.backdrop(x, y);
            }
        }
        let mix = |v: [Vec3; 3]| v[0] * weights[0] + v[1] * weights[1] + v[2] * weights[2];
        let [s, t] = [face.shape as usize, face.triangle as usize];
        let albedo = self.albedo(&self.shapes[s], t, mix);
        let side = if face.backwards { -1.0 } else { 1.0 };
        let normal = (mix(self.normals[s][t]) * side)
            .normalized()
            .unwrap_or(-self.view.forward);
        let ray = self.view.ray(x, y);
        let point = self.view.eye + ray * depth;
        let light = self.lit(albedo, point, normal, ray);
        match self.shapes[s].role {
            Role::Body if self.wireframe => light * (1.0 - 0.55 * wire(face, x, y)),
            Role::Body | Role::Obstacle => light,
            Role::Plane => {
                let fade = self.fade(point);
                light * fade + self.backdrop(x, y) * (1.0 - fade)
            }
        }
    }

    fn albedo(&self, shape: &Shape, t: usize, mix: impl Fn([Vec3; 3]) -> Vec3) -> Vec3 {
        let linear = |c: Rgb| {
            let [r, g, b] = c.map(|c| self.decode[usize::from(c)]);
            vec3(r, g, b)
        };
        match shape.colours {
            Colours::Uniform(colour) => linear(colour),
            Colours::PerFace(colours) => linear(*colours.get(t).unwrap_or(&GREY)),
            Colours::PerVertex(colours) => {
                mix(shape.triangles[t]
                    .map(|node| linear(*colours.get(node as usize).unwrap_or(&GREY))))
            }
        }
    }

    /// Ambient light from above and below, two lights of which the key casts shadows, and a little gloss.
    fn lit(&self, albedo: Vec3, point: Vec3, normal: Vec3, ray: Vec3) -> Vec3 {
        let ambient = AMBIENT * (0.78 + 0.22 * normal.z);
        let fill = FILL * normal.dot(self.fill).max(0.0);
        let facing = normal.dot(self.key);
        let (mut key, mut gloss) = (0.0, 0.0);
        if facing > 0.0 {
            let reaching = match &self.shadow {
                Some(shadow) => shadow.light(point, normal),
                None => 1.0,
            };
            key = KEY * facing * reaching;
            let half = (self.key - ray / ray.norm()).normalized().unwrap_or(normal);
            gloss = GLOSS * reaching * normal.dot(half).max(0.0).powi(GLOSS_POWER);
        }
        albedo * (ambient + fill + key) + vec3(gloss, gloss, gloss)
    }

    fn backdrop(&self, x: f64, y: f64) -> Vec3 {
        let t = (y / (2.0 * self.view.centre[1])).clamp(0.0, 1.0);
        let plain = TOP * (1.0 - t) + BOTTOM * t;
        match &self.ground {
            Some(ground) => plain * (1.0 - self.ground_tint(ground, x, y)),
            None => plain,
        }
    }

    /// 1 near what is drawn, 0 far from it.
    fn fade(&self, point: Vec3) -> f64 {
        1.0 - smooth(1.0, 3.6, (point - self.centre).norm() / self.radius)
    }

    /// How much darker than the background the ground is, 0 to 1.
    fn ground_tint(&self, ground: &Grid, x: f64, y: f64) -> f64 {
        let depth = ground.depth(self.view, x, y);
        if depth <= 0.0 {
            return 0.0;
        }
        let point = self.view.eye + self.view.ray(x, y) * depth;
        let fade = self.fade(point);
        if fade <= 0.0 {
            return 0.0;
        }
        // how far the point moves from one pixel to the next
        let pixel = SAMPLES as f64;
        let moved = [(x + pixel, y), (x, y + pixel)].map(|(x, y)| {
            self.view.eye + self.view.ray(x, y) * ground.depth(self.view, x, y) - point
        });
        let mut line = 0.0_f64;
        for k in 0..2 {
            let width = (moved[0][k].powi(2) + moved[1][k].powi(2)).sqrt();
            for (spacing, strength) in [(ground.spacing, 0.10), (5.0 * ground.spacing, 0.16)] {
                let off = (point[k] / spacing - (point[k] / spacing).round()).abs() * spacing;
                let cover = (1.1 - off / width).clamp(0.0, 1.0);
                line = line.max(strength * cover * (1.0 - smooth(0.1, 0.4, width / spacing)));
            }
        }
        let shade = self
            .shadow
            .as_ref()
            .map_or(0.0, |shadow| 1.0 - shadow.light(point, vec3(0.0, 0.0, 1.0)));
        let dark = 1.0 - (1.0 - line) * (1.0 - GROUND_SHADE * shade);
        dark * fade
    }
}

impl Grid {
    /// Depth of the ground in this direction, negative or infinite where it is not in sight.
    fn depth(&self, view: &View, x: f64, y: f64) -> f64 {
        let depth = (self.height - view.eye.z) / view.ray(x, y).z;
        if depth.is_finite() { depth } else { -1.0 }
    }
}

/// Unit normals of every corner: the mean of the triangles around its node that meet this one at less than the
/// crease angle, weighted by area.
fn corner_normals(shape: &Shape) -> Vec<[Vec3; 3]> {
    let areas: Vec<Vec3> = shape
        .triangles
        .iter()
        .map(|&t| match shape.corners(t) {
            Some([a, b, c]) => (b - a).cross(c - a),
            None => Vec3::ZERO,
        })
        .collect();
    let units: Vec<Vec3> = areas
        .iter()
        .map(|a| a.normalized().unwrap_or(Vec3::ZERO))
        .collect();

    // triangles around each node, ascending
    let mut starts = vec![0u32; shape.positions.len() + 1];
    let drawn = |t: usize| units[t] != Vec3::ZERO;
    for (_, nodes) in shape
        .triangles
        .iter()
        .enumerate()
        .filter(|(t, _)| drawn(*t))
    {
        nodes.iter().for_each(|&n| starts[n as usize + 1] += 1);
    }
    for n in 1..starts.len() {
        starts[n] += starts[n - 1];
    }
    let mut around = vec![0u32; starts.last().map_or(0, |&n| n as usize)];
    let mut next = starts.clone();
    for (t, nodes) in shape
        .triangles
        .iter()
        .enumerate()
        .filter(|(t, _)| drawn(*t))
    {
        for &n in nodes {
            around[next[n as usize] as usize] = t as u32;
            next[n as usize] += 1;
        }
    }

    let corner = |t: usize, node: u32| {
        let list = starts[node as usize] as usize..starts[node as usize + 1] as usize;
        let mut sum = Vec3::ZERO;
        for &other in &around[list] {
            if units[other as usize].dot(units[t]) > CREASE {
                sum += areas[other as usize];
            }
        }
        sum.normalized().unwrap_or(units[t])
    };
    shape
        .triangles
        .iter()
        .enumerate()
        .map(|(t, nodes)| {
            if drawn(t) {
                nodes.map(|n| corner(t, n))
            } else {
                [Vec3::ZERO; 3]
            }
        })
        .collect()
}

/// Cover of the lines along the edges of a face, 0 to 1.
fn wire(face: &Face, x: f64, y: f64) -> f64 {
    let mut cover = 0.0_f64;
    for (edge, weight) in face.edges.iter().zip(face.weights(x, y)) {
        let slope = edge.x.hypot(edge.y);
        let off = weight / slope / SAMPLES as f64;
        cover = cover.max((0.95 - off).clamp(0.0, 0.75));
    }
    // the smallest height of the triangle decides whether lines would run together
    let sum: Vec3 = face.edges[0] + face.edges[1] + face.edges[2];
    let nearness = sum.x * x + sum.y * y + sum.z;
    let least = face
        .edges
        .iter()
        .map(|e| nearness / e.x.hypot(e.y) / SAMPLES as f64)
        .fold(f64::INFINITY, f64::min);
    cover * smooth(2.0, 9.0, least)
}

/// 0 below `from`, 1 above `to`, without a kink between.
fn smooth(from: f64, to: f64, x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The largest 1, 2 or 5 times a power of ten that does not exceed `length`.
fn round_step(length: f64) -> f64 {
    let power = 10f64.powf(length.log10().floor());
    let part = length / power;
    power
        * if part >= 5.0 {
            5.0
        } else if part >= 2.0 {
            2.0
        } else {
            1.0
        }
}
