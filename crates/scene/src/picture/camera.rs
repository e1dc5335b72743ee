//! The perspective camera and the view that just fits a scene.

use pliant_linalg::{Vec3, vec3};

/// A pinhole camera. z points up in the world; plane bodies lie in xy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where the camera stands (m).
    pub eye: Vec3,
    /// What it looks at (m).
    pub target: Vec3,
    /// What points up in the picture; need not be perpendicular to the view.
    pub up: Vec3,
    /// Vertical opening angle (radians).
    pub field_of_view: f64,
}

/// Opening angle of a fitted camera (radians): little distortion, still some depth.
const FITTED_VIEW: f64 = 0.5;
/// Part of the half picture that a fitted scene fills.
const FILL: f64 = 0.86;

impl Camera {
    /// Fits a box (least and greatest corner) into a 16:9 picture, seen from the side that `direction` points to:
    /// (0, 0, 1) looks down from above with y up in the picture.
    pub fn framing(bounds: (Vec3, Vec3), direction: Vec3) -> Camera {
        let ends = [bounds.0, bounds.1];
        let corners =
            (0..8).map(|i: usize| vec3(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z));
        Camera::fitting(corners, direction, 16.0 / 9.0)
    }

    /// The nearest camera that sees all (finite) `points` in a picture of `aspect` = width / height, centred.
    pub fn fitting(points: impl IntoIterator<Item = Vec3>, direction: Vec3, aspect: f64) -> Camera {
        let back = direction.normalized().unwrap_or(vec3(0.0, 0.0, 1.0));
        // seen along z, y is up
        let up = if back.z.abs() > 0.999 {
            vec3(0.0, 1.0, 0.0)
        } else {
            vec3(0.0, 0.0, 1.0)
        };
        let forward = -back;
        let right = forward.cross(up).normalized().unwrap_or(Vec3::AXES[0]);
        let above = right.cross(forward);
        let aspect = if aspect.is_finite() && aspect > 0.0 {
            aspect
        } else {
            1.0
        };
        let tan = (0.5 * FITTED_VIEW).tan() * FILL;
        let slopes = [tan * aspect, tan];

        // with p in view coordinates, |p_k − e_k| ≤ s_k (p_f − e_f) is two half planes a point in (e_k, e_f);
        // only the tightest of each side matters
        let mut tightest = [[f64::NEG_INFINITY; 2]; 2];
        let mut depths = (f64::INFINITY, f64::NEG_INFINITY);
        for p in points.into_iter().filter(|p| p.is_finite()) {
            let f = p.dot(forward);
            depths = (depths.0.min(f), depths.1.max(f));
            for (k, axis) in [right, above].into_iter().enumerate() {
                let x = p.dot(axis);
                tightest[k][0] = tightest[k][0].max(x - slopes[k] * f);
                tightest[k][1] = tightest[k][1].max(-x - slopes[k] * f);
            }
        }
        if depths.0 > depths.1 {
            (tightest, depths) = ([[0.5; 2]; 2], (0.0, 0.0));
        }
        let mut depth = depths.0;
        for k in 0..2 {
            depth = depth.min(-(tightest[k][0] + tightest[k][1]) / (2.0 * slopes[k]));
        }
        // a single point fits from anywhere: keep some distance
        let size = (depths.1 - depths.0).max(depths.0.abs() * 1e-6).max(1e-9);
        depth = depth.min(depths.0 - 1e-3 * size);
        let [x, y] = [0, 1].map(|k| 0.5 * (tightest[k][0] - tightest[k][1]));
        let eye = right * x + above * y + forward * depth;
        Camera {
            eye,
            target: eye + forward * (0.5 * (depths.0 + depths.1) - depth),
            up,
            field_of_view: FITTED_VIEW,
        }
    }

    /// Unit vectors to the right, up and forward; a degenerate camera looks down.
    pub(super) fn frame(&self) -> [Vec3; 3] {
        let forward = (self.target - self.eye)
            .normalized()
            .unwrap_or(vec3(0.0, 0.0, -1.0));
        let right = [self.up, vec3(0.0, 0.0, 1.0), vec3(0.0, 1.0, 0.0)]
            .into_iter()
            .filter_map(Vec3::normalized)
            .map(|up| forward.cross(up))
            .find(|r| r.norm() > 1e-6)
            .and_then(Vec3::normalized)
            .unwrap_or(Vec3::AXES[0]);
        [right, right.cross(forward), forward]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn framing_touches_the_margin_and_no_more() {
        let bounds = (vec3(-1.0, 2.0, 0.0), vec3(4.0, 3.0, 1.5));
        for direction in [
            vec3(1.0, -2.0, 0.7),
            vec3(0.0, 0.0, 1.0),
            vec3(0.0, -1.0, 0.0),
        ] {
            let camera = Camera::framing(bounds, direction);
            let [right, up, forward] = camera.frame();
            let tan = (0.5 * camera.field_of_view).tan();
            let mut most = [0.0_f64; 2];
            for x in [-1.0, 4.0] {
                for y in [2.0, 3.0] {
                    for z in [0.0, 1.5] {
                        let q = vec3(x, y, z) - camera.eye;
                        let w = q.dot(forward);
                        assert!(w > 0.0);
                        most[0] = most[0].max(q.dot(right).abs() / (w * tan * 16.0 / 9.0));
                        most[1] = most[1].max(q.dot(up).abs() / (w * tan));
                    }
                }
            }
            assert!((most[0].max(most[1]) - FILL).abs() < 1e-9, "{most:?}");
        }
    }

    #[test]
    fn degenerate_input_still_gives_a_camera() {
        let point = vec3(1.0, 2.0, 3.0);
        for camera in [
            Camera::framing((point, point), Vec3::ZERO),
            Camera::fitting([], vec3(1.0, 0.0, 0.0), f64::NAN),
            Camera::fitting([vec3(f64::NAN, 0.0, 0.0)], vec3(0.0, 0.0, -1.0), 1.0),
        ] {
            assert!(camera.eye.is_finite() && camera.target.is_finite());
            assert!(
                camera
                    .frame()
                    .iter()
                    .all(|v| (v.norm() - 1.0).abs() < 1e-12)
            );
        }
    }
}
