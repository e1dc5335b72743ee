//! A child with a large head and ears, with the joints of the usual human skeleton of 17 bones [BP07].

use super::{Creature, Drawing};
use crate::rig::RigError;
use pliant_linalg::{Vec3, vec3};

/// The plane of symmetry, m.
const MIDDLE: f64 = 0.49;

/// Depth of the trunk, m.
const DEPTH: f64 = 0.47;

pub(super) fn figure() -> Result<Creature, RigError> {
    let mut drawing = Drawing::default();
    let centre = |y: f64| vec3(MIDDLE, y, DEPTH);
    let shoulders = drawing.joint("shoulders", centre(0.51), None);
    let back = drawing.joint("back", centre(0.42), Some(shoulders));
    let hips = drawing.joint("hips", centre(0.365), Some(back));
    drawing.joint("head", centre(0.73), Some(shoulders));
    drawing.limb(&[
        [MIDDLE, 0.355, DEPTH, 0.095],
        [MIDDLE, 0.42, DEPTH, 0.100],
        [MIDDLE, 0.51, DEPTH, 0.080],
    ]);
    drawing.limb(&[[MIDDLE, 0.51, DEPTH, 0.070], [MIDDLE, 0.69, DEPTH, 0.158]]);
    // legs, then arms, left before right as seen by the figure's viewer
    for (side, sign) in [("l", -1.0), ("r", 1.0)] {
        let at = |x: f64, y: f64, z: f64| vec3(MIDDLE + sign * x, y, z);
        let places: [(&str, Vec3, f64); 4] = [
            ("thigh", at(0.052, 0.335, DEPTH), 0.062),
            ("knee", at(0.066, 0.225, DEPTH + 0.003), 0.052),
            ("ankle", at(0.068, 0.10, DEPTH), 0.045),
            ("foot", at(0.070, 0.085, DEPTH + 0.085), 0.038),
        ];
        let links = places.map(|(name, place, _)| (format!("{side}{name}"), place));
        drawing.chain(hips, &links);
        let points = places.map(|(_, p, radius)| [p.x, p.y, p.z, radius]);
        drawing.limb(&points);
    }
    for (side, sign) in [("l", -1.0), ("r", 1.0)] {
        let at = |x: f64, y: f64, z: f64| vec3(MIDDLE + sign * x, y, z);
        let places: [(&str, Vec3, f64); 3] = [
            ("shoulder", at(0.075, 0.495, DEPTH), 0.052),
            ("elbow", at(0.17, 0.385, DEPTH - 0.005), 0.042),
            ("hand", at(0.24, 0.305, DEPTH + 0.02), 0.040),
        ];
        let links = places.map(|(name, place, _)| (format!("{side}{name}"), place));
        drawing.chain(shoulders, &links);
        let points = places.map(|(_, p, radius)| [p.x, p.y, p.z, radius]);
        drawing.limb(&points);
        let ear = at(0.285, 0.745, DEPTH - 0.01);
        let root = at(0.12, 0.72, DEPTH);
        drawing.limb(&[[root.x, root.y, root.z, 0.05], [ear.x, ear.y, ear.z, 0.105]]);
    }
    drawing.figure(0.03)
}
