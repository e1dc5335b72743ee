//! Rotations: the exponential map, repair of round-off, and the free rotation of a rigid body over one step.

use pliant_linalg::{Mat3, Vec3};

/// exp([θ]×), the rotation by |θ| about θ.
pub(crate) fn exponential(theta: Vec3) -> Mat3 {
    let k = Mat3::cross_matrix(theta);
    let (s, c, _) = coefficients(theta.norm());
    Mat3::IDENTITY + k * s + k * k * c
}

/// The left Jacobian: exp(θ + δ) = exp(Jₗ δ) exp(θ) to first order.
fn left_jacobian(theta: Vec3) -> Mat3 {
    let k = Mat3::cross_matrix(theta);
    let (_, c, b) = coefficients(theta.norm());
    Mat3::IDENTITY + k * c + k * k * b
}

/// sin θ/θ, (1 − cos θ)/θ², (θ − sin θ)/θ³.
fn coefficients(angle: f64) -> (f64, f64, f64) {
    let square = angle * angle;
    if angle < 0.02 {
        // the series' next terms are below 1e-16
        let s = 1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0));
        let c = 0.5 - square / 24.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0));
        let b = 1.0 / 6.0 - square / 120.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0));
        (s, c, b)
    } else {
        let half = (0.5 * angle).sin();
        let c = 2.0 * half * half / square;
        (
            angle.sin() / angle,
            c,
            (angle - angle.sin()) / (square * angle),
        )
    }
}

/// One Newton step towards the nearest rotation, R (3 I − Rᵀ R)/2: takes a round-off defect ε to ε².
pub(crate) fn orthonormalized(r: Mat3) -> Mat3 {
    r * (Mat3::IDENTITY * 3.0 - r.transpose() * r) * 0.5
}

/// Mean spin ω̄ (in the body's axes) of a step of free rotation from the angular momentum `l` in the body's axes:
/// R⁺ = R exp(h ω̄), l⁺ = exp(−h ω̄) l, ω̄ = J⁻¹ (l + l⁺)/2.
///
/// A rotation of l about any axis a changes it by 2 tan(θ/2) l̄ × a with l̄ = (l + l⁺)/2, and the energy ½ l·J⁻¹l by
/// J⁻¹l̄ · (l⁺ − l). Both vanish together when a is parallel to J⁻¹l̄: energy and |l| are kept exactly for every h, and
/// the map is symmetric in time. The length of ω̄ makes spin about a principal axis exact. Newton; where it fails
/// (h|ω| far above 1) the spin at the start is used, whose energy still lies between the principal bounds of |l|.
pub(crate) fn mean_spin(l: Vec3, inverse_inertia: &Mat3, h: f64) -> Vec3 {
    let start = *inverse_inertia * l;
    let mut w = start;
    for _ in 0..30 {
        let end = exponential(w * -h) * l;
        let residual = w - *inverse_inertia * (l + end) * 0.5;
        let derivative = Mat3::IDENTITY
            - *inverse_inertia * Mat3::cross_matrix(end) * left_jacobian(w * -h) * (0.5 * h);
        let Some(inverse) = derivative.inverse() else {
            return start;
        };
        let change = inverse * residual;
        w -= change;
        if !w.is_finite() {
            return start;
        }
        // quadratic convergence: what remains after a change of 1e-9 is below round-off
        if change.norm() <= 1e-9 * w.norm() {
            return w;
        }
    }
    start
}
