//! A stout creature: spine, neck, head, a tail, arms with three fingers and legs with five toes.

use super::{Creature, Drawing};
use crate::rig::RigError;
use pliant_linalg::{Vec3, vec3};

pub(super) fn figure() -> Result<Creature, RigError> {
    let mut drawing = Drawing::default();
    // five bones of the spine upwards from the pelvis, two of the neck, one of the head
    let pelvis = drawing.joint("pelvis", vec3(0.0, 0.80, 0.0), None);
    let spine: Vec<(String, Vec3)> = (1..=5)
        .map(|n| {
            (
                format!("spine {n}"),
                vec3(0.0, 0.80 + 0.11 * f64::from(n), 0.0),
            )
        })
        .collect();
    let chest = drawing.chain(pelvis, &spine);
    drawing.chain(
        chest,
        &[
            ("neck 1".to_string(), vec3(0.0, 1.45, 0.02)),
            ("neck 2".to_string(), vec3(0.0, 1.55, 0.04)),
            ("head".to_string(), vec3(0.0, 1.80, 0.08)),
        ],
    );
    drawing.limb(&[
        [0.0, 0.78, 0.0, 0.30],
        [0.0, 0.98, 0.06, 0.36],
        [0.0, 1.26, 0.02, 0.29],
    ]);
    drawing.limb(&[[0.0, 1.35, 0.0, 0.17], [0.0, 1.55, 0.04, 0.16]]);
    drawing.limb(&[[0.0, 1.70, 0.05, 0.225], [0.0, 1.80, 0.06, 0.20]]);
    drawing.limb(&[[0.0, 1.66, 0.22, 0.12], [0.0, 1.64, 0.30, 0.09]]);
    tail(&mut drawing, pelvis);
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        arm(&mut drawing, chest, side, sign);
        leg(&mut drawing, pelvis, side, sign);
    }
    drawing.figure(0.05)
}

/// Six bones backwards and down, that taper.
fn tail(drawing: &mut Drawing, pelvis: usize) {
    let at = |n: usize| {
        let s = n as f64 / 6.0;
        vec3(0.0, 0.70 - 0.42 * s, -0.18 - 0.80 * s)
    };
    let links: Vec<(String, Vec3)> = (1..=6).map(|n| (format!("tail {n}"), at(n))).collect();
    drawing.chain(pelvis, &links);
    let point = |n: usize| {
        let [x, y, z] = at(n).to_array();
        [x, y, z, 0.17 - 0.017 * n as f64]
    };
    let points: Vec<[f64; 4]> = (0..=6).map(point).collect();
    drawing.limb(&points);
}

/// Collarbone, upper arm, forearm, palm and three fingers of two bones.
fn arm(drawing: &mut Drawing, chest: usize, side: &str, sign: f64) {
    let at = |x: f64, y: f64, z: f64| vec3(sign * x, y, z);
    let places: [(&str, Vec3, f64); 4] = [
        ("collar", at(0.27, 1.33, 0.0), 0.165),
        ("elbow", at(0.62, 1.12, 0.0), 0.125),
        ("wrist", at(0.92, 0.94, 0.05), 0.100),
        ("palm", at(1.04, 0.87, 0.07), 0.105),
    ];
    let links = places.map(|(name, place, _)| (format!("{side} {name}"), place));
    let palm = drawing.chain(chest, &links);
    drawing.limb(&places.map(|(_, p, radius)| [p.x, p.y, p.z, radius]));
    for (finger, [dy, dz]) in [
        ("thumb", [0.06, 0.19]),
        ("index", [-0.04, 0.08]),
        ("ring", [-0.10, -0.12]),
    ] {
        let start = places[3].1;
        let reach = at(if finger == "thumb" { 0.06 } else { 0.20 }, dy - 0.06, dz);
        let (middle, tip) = (start + reach * 0.62, start + reach);
        drawing.chain(
            palm,
            &[
                (format!("{side} {finger} 1"), middle),
                (format!("{side} {finger} 2"), tip),
            ],
        );
        let base = start + reach * 0.25;
        drawing.limb(&[
            [base.x, base.y, base.z, 0.060],
            [tip.x, tip.y, tip.z, 0.044],
        ]);
    }
}

/// Hip, thigh, shin, foot and five toes of one bone.
fn leg(drawing: &mut Drawing, pelvis: usize, side: &str, sign: f64) {
    let at = |x: f64, y: f64, z: f64| vec3(sign * x, y, z);
    let places: [(&str, Vec3, f64); 4] = [
        ("hip", at(0.20, 0.70, 0.0), 0.21),
        ("knee", at(0.27, 0.42, 0.03), 0.155),
        ("ankle", at(0.29, 0.14, -0.02), 0.125),
        ("foot", at(0.31, 0.10, 0.14), 0.100),
    ];
    let links = places.map(|(name, place, _)| (format!("{side} {name}"), place));
    let foot = drawing.chain(pelvis, &links);
    drawing.limb(&places.map(|(_, p, radius)| [p.x, p.y, p.z, radius]));
    for toe in 0..5 {
        let spread = f64::from(toe) - 2.0;
        let tip = at(0.31 + 0.078 * spread, 0.055, 0.30 - 0.012 * spread * spread);
        drawing.joint(format!("{side} toe {}", toe + 1), tip, Some(foot));
        let start = at(0.31 + 0.045 * spread, 0.08, 0.17);
        drawing.limb(&[
            [start.x, start.y, start.z, 0.050],
            [tip.x, tip.y, tip.z, 0.038],
        ]);
    }
}
