//! A right hand: a palm of rods from the wrist to the knuckles, four fingers of three bones, a thumb of two.

use super::{Creature, Drawing};
use crate::rig::RigError;
use pliant_linalg::{Vec3, vec3};

/// Half the thickness of palm and finger roots, m.
const THICK: f64 = 0.115;

/// Name, knuckle (x, y), tip (x, y), radius at knuckle and tip, m.
type Finger = (&'static str, [f64; 2], [f64; 2], [f64; 2]);

/// Fingers lie in the plane z = 0, a little apart.
const FINGERS: [Finger; 4] = [
    ("index", [-0.30, 0.12], [-0.49, 0.80], [0.090, 0.062]),
    ("middle", [-0.09, 0.18], [-0.14, 0.97], [0.092, 0.064]),
    ("ring", [0.12, 0.14], [0.20, 0.86], [0.088, 0.062]),
    ("little", [0.32, 0.04], [0.50, 0.60], [0.078, 0.054]),
];

/// Where the joints of a finger are on the way from knuckle to tip.
const JOINTS: [f64; 3] = [0.42, 0.72, 0.97];

pub(super) fn figure() -> Result<Creature, RigError> {
    let mut drawing = Drawing::default();
    let wrist = vec3(0.0, -0.58, 0.0);
    let root = drawing.joint("wrist", wrist, None);
    drawing.limb(&[[0.0, -0.72, 0.0, 0.17], [0.0, -0.5, 0.0, 0.16]]);
    for (name, [kx, ky], [tx, ty], [thick, thin]) in FINGERS {
        let (knuckle, tip) = (vec3(kx, ky, 0.0), vec3(tx, ty, 0.0));
        drawing.limb(&[
            [0.35 * kx, -0.5, 0.0, THICK + 0.02],
            [kx, ky - 0.04, 0.0, THICK],
        ]);
        drawing.limb(&[[kx, ky, 0.0, thick], [tx, ty, 0.0, thin]]);
        let at = |s: f64| knuckle + (tip - knuckle) * s;
        let mut links = vec![(format!("{name} palm"), knuckle)];
        for (number, s) in JOINTS.iter().enumerate() {
            links.push((format!("{name} {}", number + 1), at(*s)));
        }
        drawing.chain(root, &links);
    }
    // the thumb leaves the palm sideways and a little forwards
    let thumb: [Vec3; 3] = [
        vec3(-0.30, -0.30, 0.07),
        vec3(-0.56, -0.10, 0.12),
        vec3(-0.73, 0.10, 0.14),
    ];
    drawing.limb(&[[-0.05, -0.5, 0.0, 0.13], [-0.30, -0.30, 0.07, 0.125]]);
    let [a, b, c] = thumb.map(Vec3::to_array);
    drawing.limb(&[
        [a[0], a[1], a[2], 0.115],
        [b[0], b[1], b[2], 0.092],
        [c[0], c[1], c[2], 0.068],
    ]);
    drawing.chain(
        root,
        &[
            ("thumb palm".to_string(), thumb[0]),
            ("thumb 1".to_string(), thumb[1]),
            ("thumb 2".to_string(), thumb[2]),
        ],
    );
    drawing.figure(0.06)
}
