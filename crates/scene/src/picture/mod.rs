//! Still pictures without a graphics card: triangles, a depth buffer, a key and a fill light, shadows, a ground grid.
//!
//! Samples are 2×2 a pixel for edges; a pixel inside one triangle is shaded once. Light adds in linear RGB.
//! Normals are area-weighted means over the triangles around a node, but not across a crease.

mod camera;
mod colour;
mod obstacle;
mod raster;
mod shade;
mod shadow;
#[cfg(test)]
mod tests;

pub use camera::Camera;
pub use colour::{
    Colours, GREY, OBSTACLE, Rgb, body_colour, colour_map, field_colours, state_colour,
};
pub use obstacle::{DrawnObstacle, drawn_obstacles, floor_height};

use pliant_linalg::Vec3;
use raster::{Band, Face, SAMPLES, View};
use shade::Shader;

/// Something to draw: a surface, or the triangles of a plane body. Triangles with a missing or non-finite corner
/// are left out.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// Nodes (m).
    pub positions: &'a [Vec3],
    /// Corners, counter-clockwise from outside; both sides are drawn.
    pub triangles: &'a [[u32; 3]],
    /// Colours of nodes or triangles.
    pub colours: Colours<'a>,
    /// What it is.
    pub role: Role,
}

/// What is drawn how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// A body: with lines along its edges, if those are wanted.
    #[default]
    Body,
    /// An obstacle: without lines.
    Obstacle,
    /// A patch of a plane without end: it casts no shadow and fades away at a distance from everything else.
    Plane,
}

impl Shape<'_> {
    fn corners(&self, triangle: [u32; 3]) -> Option<[Vec3; 3]> {
        let mut corners = [Vec3::ZERO; 3];
        for (corner, node) in corners.iter_mut().zip(triangle) {
            *corner = *self.positions.get(node as usize)?;
        }
        corners.iter().all(|c| c.is_finite()).then_some(corners)
    }
}

/// Where the ground grid lies; it is seen from above only.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Ground {
    /// No ground.
    #[default]
    None,
    /// At the lowest drawn node.
    Lowest,
    /// At this height z (m).
    At(f64),
}

/// What is drawn besides the shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Thin lines along the edges of triangles; they fade out where triangles are only a few pixels large.
    pub wireframe: bool,
    /// The ground grid.
    pub ground: Ground,
    /// Shadows of the key light.
    pub shadows: bool,
}

impl Default for Style {
    fn default() -> Self {
        Style {
            wireframe: false,
            ground: Ground::None,
            shadows: true,
        }
    }
}

/// Largest side of a picture (pixels).
pub const LARGEST_SIDE: usize = 16_384;
/// Pixel rows drawn together.
const BAND: usize = 16;

/// [`render_with`] in the default style.
pub fn render(shapes: &[Shape], camera: &Camera, width: usize, height: usize) -> Vec<u8> {
    render_with(shapes, camera, width, height, &Style::default())
}

/// Draws shapes: 3·`width`·`height` bytes RGB from the top left, as `png::encode_rgb` takes them.
/// Empty when a side is zero or above [`LARGEST_SIDE`].
pub fn render_with(
    shapes: &[Shape],
    camera: &Camera,
    width: usize,
    height: usize,
    style: &Style,
) -> Vec<u8> {
    if [width, height]
        .iter()
        .any(|side| !(1..=LARGEST_SIDE).contains(side))
    {
        return Vec::new();
    }
    let view = View::new(camera, width, height);
    let faces = faces(shapes, &view, [width, height]);

    // the faces that touch each band, in drawing order
    let mut bins = vec![Vec::new(); height.div_ceil(BAND)];
    let band_rows = BAND * SAMPLES;
    for (index, face) in faces.iter().enumerate() {
        for bin in &mut bins[face.y[0] / band_rows..face.y[1].div_ceil(band_rows)] {
            bin.push(index as u32);
        }
    }

    let shader = Shader::new(shapes, &faces, &view, style);
    let samples = width * SAMPLES;
    let mut band = Band::new(samples, band_rows);
    let mut pixels = vec![0; 3 * width * height];
    for ((number, bin), rows) in bins
        .iter()
        .enumerate()
        .zip(pixels.chunks_mut(3 * width * BAND))
    {
        let first_row = number * band_rows;
        band.clear(first_row);
        for &index in bin {
            band.draw(&view, index, &faces[index as usize]);
        }
        for (row, line) in rows.chunks_mut(3 * width).enumerate() {
            let y = first_row + row * SAMPLES;
            let above = &band.seen[row * SAMPLES * samples..][..samples];
            let below = &band.seen[(row * SAMPLES + 1) * samples..][..samples];
            for (column, pixel) in line.chunks_mut(3).enumerate() {
                let x = column * SAMPLES;
                let seen = [above[x], above[x + 1], below[x], below[x + 1]];
                pixel.copy_from_slice(&shader.pixel(x, y, seen));
            }
        }
    }
    pixels
}

fn faces(shapes: &[Shape], view: &View, size: [usize; 2]) -> Vec<Face> {
    let mut faces = Vec::new();
    for (s, shape) in shapes.iter().enumerate() {
        for (t, &triangle) in shape.triangles.iter().enumerate() {
            if let Some(corners) = shape.corners(triangle) {
                faces.extend(Face::new(view, size, s as u32, t as u32, corners));
            }
        }
    }
    faces
}
