//! Solves the same laws without W: only products y = W x and the diagonal blocks are known. The unbuilt scheme of [ZCC22],
//! not with sweeps but with the Newton method of `descent.rs`, whose steps are found by GMRES [SS86], preconditioned by
//! the blocks of closed constraints. One product is one iteration.

use super::cone::Local;
use super::descent::{Buffers, Descent, Laws, Machine, System, add, add_compliance};
use super::krylov::Gmres;
use super::law::{ConstraintReport, ConstraintSettings, Law, is_well_formed};
use pliant_linalg::{Mat3, Vec3};

/// Most products of one inner iteration.
const MOST_INNER: usize = 60;

/// W as a linear map.
pub trait DelassusOperator {
    /// Number of constraints.
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// y = W x, impulses to velocities.
    fn apply(&mut self, x: &[Vec3], y: &mut [Vec3]);
    /// The block of a constraint on the diagonal of W.
    fn diagonal(&self, i: usize) -> Mat3;
}

/// Buffers that are kept between calls.
#[derive(Clone, Debug, Default)]
pub struct UnbuiltWorkspace {
    descent: Buffers,
    inner: Inner,
}

/// As [`super::solve`] without W. `ConstraintReport::iterations` counts products; `settings.solver` is not looked at.
pub fn solve_unbuilt(
    operator: &mut dyn DelassusOperator,
    laws: &[Law],
    rates: &[Vec3],
    compliance: &[f64],
    impulses: &mut [Vec3],
    settings: &ConstraintSettings,
    workspace: &mut UnbuiltWorkspace,
) -> ConstraintReport {
    let mut report = ConstraintReport::default();
    if is_well_formed(operator.len(), laws, rates, compliance, impulses) {
        let mut machine = Unbuilt {
            operator,
            inner: &mut workspace.inner,
        };
        let buffers = &mut workspace.descent;
        let problem = Laws {
            laws,
            rates,
            compliance,
            start: None,
        };
        Descent::new(
            &mut machine,
            &problem,
            impulses,
            settings,
            buffers,
            &mut report,
        )
        .run(usize::MAX);
    } else {
        report.residual = f64::INFINITY;
    }
    if !report.residual.is_finite() {
        impulses.fill(Vec3::ZERO);
        report.residual = f64::INFINITY;
    }
    report.converged = report.residual <= settings.tolerance;
    report
}

#[derive(Clone, Debug, Default)]
struct Inner {
    gmres: Gmres,
    scales: Vec<f64>,
    rhs: Vec<f64>,
    /// Inverse blocks of the scaled system.
    inverses: Vec<Mat3>,
    /// Impulses of the preconditioned basis, and A times them.
    moves: Vec<Vec<Vec3>>,
    responses: Vec<Vec<Vec3>>,
}

struct Unbuilt<'a> {
    operator: &'a mut dyn DelassusOperator,
    inner: &'a mut Inner,
}

impl Machine for Unbuilt<'_> {
    fn diagonal(&self, i: usize) -> Mat3 {
        self.operator.diagonal(i)
    }

    fn product(&mut self, x: &[Vec3], y: &mut [Vec3]) -> usize {
        self.operator.apply(x, y);
        1
    }

    fn newton(
        &mut self,
        system: &System,
        forcing: f64,
        most: usize,
        direction: &mut [Vec3],
        response: &mut [Vec3],
    ) -> usize {
        let mut products = 0;
        response.fill(Vec3::ZERO);
        if direction.iter().any(|d| *d != Vec3::ZERO) {
            self.operator.apply(direction, response);
            add_compliance(&system.locals, direction, response);
            products += 1;
        }
        let inner = &mut *self.inner;
        system.scales(&mut inner.scales);
        system.right_hand_side(response, &inner.scales, &mut inner.rhs);
        inner.invert_blocks(system);
        let Inner {
            gmres,
            scales,
            rhs,
            inverses,
            moves,
            responses,
        } = inner;
        let operator = &mut *self.operator;
        products += gmres.solve(rhs, forcing, most.min(MOST_INNER), |k, basis, product| {
            if moves.len() == k {
                moves.push(Vec::new());
                responses.push(Vec::new());
            }
            let (moves, responses) = (&mut moves[k], &mut responses[k]);
            moves.clear();
            responses.clear();
            responses.resize(system.tangents.len(), Vec3::ZERO);
            for (i, tangent) in system.tangents.iter().enumerate() {
                let places = system.starts[i]..system.starts[i] + tangent.width;
                let mut v = Vec3::ZERO;
                for (r, at) in places.clone().enumerate() {
                    v[r] = basis[at];
                }
                let v = inverses[i] * v;
                let mut q = [0.0; 3];
                for (r, at) in places.enumerate() {
                    q[r] = v[r] * scales[at];
                    product[at] = scales[at] * tangent.own[r] * q[r];
                }
                moves.push(tangent.expand(&q));
            }
            operator.apply(moves, responses);
            add_compliance(&system.locals, moves, responses);
            for (i, tangent) in system.tangents.iter().enumerate() {
                for r in 0..tangent.width {
                    let at = system.starts[i] + r;
                    product[at] += scales[at] * tangent.rows[r].dot(responses[i]);
                }
            }
        });
        for (k, &part) in gmres.parts.iter().enumerate() {
            add(direction, part, &moves[k]);
            add(response, part, &responses[k]);
        }
        products
    }

    /// All at once, as far along as lowers the energy ½ λᵀAλ + λᵀu₀ most.
    fn relax(&mut self, locals: &[Local], impulses: &mut [Vec3], rates: &mut [Vec3]) -> usize {
        let change = |((local, &lambda), &u): ((&Local, &Vec3), &Vec3)| {
            local.solve(u - local.block * lambda) - lambda
        };
        let all = locals.iter().zip(impulses.iter()).zip(rates.iter());
        let direction: Vec<Vec3> = all.map(change).collect();
        let mut response = vec![Vec3::ZERO; direction.len()];
        self.operator.apply(&direction, &mut response);
        add_compliance(locals, &direction, &mut response);
        let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
        let curvature = dot(&direction, &response);
        let length = -dot(&direction, rates) / curvature;
        let length = if length.is_finite() {
            length.clamp(0.05, 1.0)
        } else {
            1.0
        };
        add(impulses, length, &direction);
        add(rates, length, &response);
        1
    }
}

impl Inner {
    fn invert_blocks(&mut self, system: &System) {
        self.inverses.clear();
        let all = system.locals.iter().zip(&system.tangents);
        for ((local, tangent), &start) in all.zip(&system.starts) {
            let mut block = tangent.diagonal(&local.block);
            for r in 0..tangent.width {
                for c in 0..tangent.width {
                    let scale = self.scales[start + r] * self.scales[start + c];
                    block.set(r, c, block.at(r, c) * scale);
                }
            }
            // a block of redundant rows is left to the iteration
            let inverse = block.inverse().filter(|i| i.max_abs() < 1e4);
            self.inverses.push(inverse.unwrap_or(Mat3::IDENTITY));
        }
    }
}
