//! Shadows of one distant light: a depth map along its rays, read with a soft edge.

use pliant_linalg::{Vec3, vec3};

/// Texels along each side.
const SIDE: usize = 1024;
/// Texels averaged on each side of a lookup.
const REACH: isize = 3;
/// Texels along a tile, more than a lookup reaches across.
const TILE: usize = 16;
/// How far a receiver is lifted off its own surface, in texels.
const LIFT: f64 = 2.5;

/// Heights towards the light of what it sees first.
pub struct ShadowMap {
    towards: Vec3,
    across: [Vec3; 2],
    origin: [f64; 2],
    texel: f64,
    heights: Vec<f32>,
    /// The greatest height in each tile: most lookups end here.
    tiles: Vec<f32>,
}

impl ShadowMap {
    /// The map of `triangles` under a light in direction `towards` (unit length).
    pub fn new(towards: Vec3, triangles: impl Iterator<Item = [Vec3; 3]> + Clone) -> ShadowMap {
        let helper = if towards.z.abs() < 0.9 {
            vec3(0.0, 0.0, 1.0)
        } else {
            vec3(1.0, 0.0, 0.0)
        };
        let first = helper.cross(towards).normalized().unwrap_or(Vec3::AXES[0]);
        let across = [first, towards.cross(first)];
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in triangles.clone().flatten() {
            for k in 0..2 {
                let x = point.dot(across[k]);
                low[k] = low[k].min(x);
                high[k] = high[k].max(x);
            }
        }
        let extent = (high[0] - low[0]).max(high[1] - low[1]);
        // one texel of margin all round
        let texel = if extent > 0.0 && extent.is_finite() {
            extent / (SIDE - 2) as f64
        } else {
            1.0
        };
        let mut map = ShadowMap {
            towards,
            across,
            origin: low.map(|x| x - texel),
            texel,
            heights: vec![f32::NEG_INFINITY; SIDE * SIDE],
            tiles: vec![f32::NEG_INFINITY; (SIDE / TILE).pow(2)],
        };
        for triangle in triangles {
            map.draw(triangle);
        }
        for (i, &height) in map.heights.iter().enumerate() {
            let tile = &mut map.tiles[i / SIDE / TILE * (SIDE / TILE) + i % SIDE / TILE];
            *tile = tile.max(height);
        }
        map
    }

    /// Texel coordinates and height (m) of a point.
    fn place(&self, point: Vec3) -> Vec3 {
        let [u, v] = [0, 1].map(|k| (point.dot(self.across[k]) - self.origin[k]) / self.texel);
        vec3(u, v, point.dot(self.towards))
    }

    fn draw(&mut self, triangle: [Vec3; 3]) {
        let [a, b, c] = triangle.map(|p| self.place(p));
        let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        if area.abs() < 1e-12 || !area.is_finite() {
            return;
        }
        let range = |p: f64, q: f64, r: f64| {
            let low = (p.min(q).min(r) - 0.5).ceil().max(0.0) as usize;
            let high = ((p.max(q).max(r) - 0.5).floor() + 1.0).clamp(0.0, SIDE as f64);
            low..high as usize
        };
        for row in range(a.y, b.y, c.y) {
            let y = row as f64 + 0.5;
            for column in range(a.x, b.x, c.x) {
                let x = column as f64 + 0.5;
                let to_b = ((x - a.x) * (c.y - a.y) - (c.x - a.x) * (y - a.y)) / area;
                let to_c = ((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) / area;
                if to_b >= 0.0 && to_c >= 0.0 && to_b + to_c <= 1.0 {
                    let height = a.z + to_b * (b.z - a.z) + to_c * (c.z - a.z);
                    let held = &mut self.heights[row * SIDE + column];
                    *held = held.max(height as f32);
                }
            }
        }
    }

    /// The part of the light, 0 to 1, that reaches a point of a surface with this (unit) normal.
    pub fn light(&self, point: Vec3, normal: Vec3) -> f64 {
        let p = self.place(point + normal * (LIFT * self.texel));
        let (x, y) = ((p.x - 0.5).floor(), (p.y - 0.5).floor());
        let limit = SIDE as f64 + REACH as f64;
        if !(x.abs() < limit && y.abs() < limit) {
            return 1.0;
        }
        // a square tent: whole weight inside, the outer texels shared with the next lookup
        let weight = |offset: isize, fraction: f64| match offset {
            o if o == -REACH => 1.0 - fraction,
            o if o == REACH => fraction,
            _ => 1.0,
        };
        let (fx, fy) = (p.x - 0.5 - x, p.y - 0.5 - y);
        let height = (p.z + LIFT * self.texel) as f32;
        let tile = |texel: isize| texel.clamp(0, SIDE as isize - 1) as usize / TILE;
        let ends = |middle: f64| [tile(middle as isize - REACH), tile(middle as isize + REACH)];
        let highest = ends(y)
            .into_iter()
            .flat_map(|row| ends(x).map(|column| self.tiles[row * (SIDE / TILE) + column]))
            .fold(f32::NEG_INFINITY, f32::max);
        if highest <= height {
            return 1.0;
        }
        let mut dark = 0.0;
        for j in -REACH..=REACH {
            let row = y as isize + j;
            if !(0..SIDE as isize).contains(&row) {
                continue;
            }
            let mut sum = 0.0;
            for i in -REACH..=REACH {
                let column = x as isize + i;
                if (0..SIDE as isize).contains(&column)
                    && self.heights[row as usize * SIDE + column as usize] > height
                {
                    sum += weight(i, fx);
                }
            }
            dark += sum * weight(j, fy);
        }
        1.0 - dark / (4 * REACH * REACH) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plate_shades_what_lies_under_it() {
        let corner = |x: f64, y: f64| vec3(x, y, 1.0);
        let plate = [
            [corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0)],
            [corner(0.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)],
        ];
        let up = vec3(0.0, 0.0, 1.0);
        let map = ShadowMap::new(up, plate.into_iter());
        let light = |x: f64, y: f64, z: f64| map.light(vec3(x, y, z), up);
        assert_eq!(light(0.5, 0.4, 0.0), 0.0);
        assert_eq!(light(0.5, 0.4, 1.0), 1.0);
        assert_eq!(light(2.5, 0.4, 0.0), 1.0);
        assert_eq!(light(f64::NAN, 0.4, 0.0), 1.0);
        // half at the rim
        assert!((light(1.0, 0.5, 0.0) - 0.5).abs() < 0.1);
    }
}
