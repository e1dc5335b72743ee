//! Colours of bodies and scalar fields, laid out in OKLCh (Ottosson 2020), where equal steps look equal.

/// 8-bit sRGB.
pub type Rgb = [u8; 3];

/// One colour for everything, one a node, or one a triangle.
#[derive(Clone, Copy, Debug)]
pub enum Colours<'a> {
    /// The same colour everywhere.
    Uniform(Rgb),
    /// One colour a node, blended across triangles; missing ones are grey.
    PerVertex(&'a [Rgb]),
    /// One colour a triangle; missing ones are grey.
    PerFace(&'a [Rgb]),
}

/// What stands in for a missing colour or a value that is not a number.
pub const GREY: Rgb = [150, 150, 150];

/// The colour of obstacles.
pub const OBSTACLE: Rgb = [190, 188, 183];

/// (lightness, chroma, hue in degrees): neighbours in the list differ in hue and lightness.
const BODIES: [[f64; 3]; 8] = [
    [0.66, 0.125, 248.0],
    [0.73, 0.145, 54.0],
    [0.68, 0.120, 158.0],
    [0.63, 0.160, 22.0],
    [0.62, 0.130, 300.0],
    [0.85, 0.140, 101.0],
    [0.80, 0.090, 198.0],
    [0.76, 0.120, 350.0],
];

/// The colour of the `index`-th body; eight different ones, then again from the start.
pub fn body_colour(index: usize) -> Rgb {
    let [lightness, chroma, hue] = BODIES[index % BODIES.len()];
    oklch(lightness, chroma, hue)
}

/// The colour of what has an element state: pale where it is 0, elastic; clumps apart from each other in hue and lightness.
pub fn state_colour(state: u8) -> Rgb {
    if state == 0 {
        return oklch(0.93, 0.012, 95.0);
    }
    // the golden angle never comes back near a hue that was used a few numbers ago
    let clump = f64::from(state - 1);
    let lightness = 0.56 + 0.08 * (clump % 3.0);
    oklch(lightness, 0.13, (248.0 + 137.508 * clump) % 360.0)
}

/// Dark blue at 0, through teal and green, to light yellow at 1. Lightness grows linearly, so the map also reads in
/// grey. Values outside are clamped; NaN is [`GREY`].
pub fn colour_map(value: f64) -> Rgb {
    if value.is_nan() {
        return GREY;
    }
    let t = value.clamp(0.0, 1.0);
    let lightness = 0.28 + 0.65 * t;
    // sRGB shows least chroma in the teals, near t = 0.38; this parabola stays just inside its gamut
    let chroma = 0.092 + 0.2 * (t - 0.38).powi(2);
    let hue = 290.0 - 188.0 * t;
    oklch(lightness, chroma, hue)
}

/// Colours of a nodal field between `low` and `high`; a range without width maps to the middle.
pub fn field_colours(values: &[f64], low: f64, high: f64) -> Vec<Rgb> {
    let width = high - low;
    values
        .iter()
        .map(|&v| {
            colour_map(if width > 0.0 || v.is_nan() {
                (v - low) / width
            } else {
                0.5
            })
        })
        .collect()
}

/// OKLCh to sRGB through OKLab and linear RGB; what sRGB cannot show loses chroma, not hue or lightness.
fn oklch(lightness: f64, chroma: f64, hue_degrees: f64) -> Rgb {
    let (sin, cos) = hue_degrees.to_radians().sin_cos();
    let mut chroma = chroma;
    loop {
        let linear = oklab_to_linear(lightness, chroma * cos, chroma * sin);
        let inside = linear.iter().all(|c| (-1e-4..=1.0 + 1e-4).contains(c));
        if inside || chroma < 1e-3 {
            return linear.map(|c| (encode_srgb(c.clamp(0.0, 1.0)) * 255.0).round() as u8);
        }
        chroma *= 0.98;
    }
}

fn oklab_to_linear(lightness: f64, a: f64, b: f64) -> [f64; 3] {
    let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
    ]
}

/// The sRGB transfer curve, 0..1 to 0..1.
pub(super) fn encode_srgb(linear: f64) -> f64 {
    if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    }
}

/// Inverse of [`encode_srgb`].
pub(super) fn decode_srgb(encoded: f64) -> f64 {
    if encoded <= 0.040_45 {
        encoded / 12.92
    } else {
        ((encoded + 0.055) / 1.055).powf(2.4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_states_can_be_told_apart() {
        let distance = |a: u8, b: u8| {
            let (a, b) = (state_colour(a), state_colour(b));
            let squares = (0..3).map(|k| (f64::from(a[k]) - f64::from(b[k])).powi(2));
            squares.sum::<f64>().sqrt()
        };
        for a in 0..=20u8 {
            for b in a + 1..a + 6 {
                assert!(distance(a, b) > 35.0, "{a} {b}: {}", distance(a, b));
            }
        }
    }

    /// CIE relative luminance.
    fn luminance(colour: Rgb) -> f64 {
        let [r, g, b] = colour.map(|c| decode_srgb(f64::from(c) / 255.0));
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    #[test]
    fn map_runs_from_dark_blue_to_light_yellow() {
        let (low, high) = (colour_map(0.0), colour_map(1.0));
        assert!(low[2] > low[0] && low[2] > low[1], "{low:?}");
        assert!(luminance(low) < 0.04, "{low:?}");
        assert!(high[0] > 220 && high[1] > 220 && high[2] < 180, "{high:?}");
        assert_eq!(colour_map(-5.0), low);
        assert_eq!(colour_map(f64::INFINITY), high);
        assert_eq!(colour_map(f64::NAN), GREY);
    }

    #[test]
    fn map_grows_lighter_without_jumps() {
        for i in 0..200 {
            let (a, b) = (
                colour_map(f64::from(i) / 200.0),
                colour_map(f64::from(i + 1) / 200.0),
            );
            assert!(luminance(b) >= luminance(a) - 1e-3, "at {i}: {a:?} {b:?}");
            assert!(
                (0..3).all(|k| a[k].abs_diff(b[k]) <= 6),
                "at {i}: {a:?} {b:?}"
            );
        }
    }

    #[test]
    fn bodies_differ() {
        for i in 0..8 {
            for j in 0..i {
                let (a, b) = (body_colour(i), body_colour(j));
                let apart: u32 = (0..3).map(|k| u32::from(a[k].abs_diff(b[k]))).sum();
                assert!(apart > 60, "{i} {a:?} and {j} {b:?}");
            }
        }
        assert_eq!(body_colour(9), body_colour(1));
    }

    #[test]
    fn fields_without_width_take_the_middle() {
        assert_eq!(field_colours(&[3.0, 3.0], 3.0, 3.0), [colour_map(0.5); 2]);
        assert_eq!(
            field_colours(&[1.0, 2.0, f64::NAN], 1.0, 2.0),
            [colour_map(0.0), colour_map(1.0), GREY]
        );
    }
}
