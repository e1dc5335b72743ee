//! Early-terminated conjugate gradients [DB19]: every body its own iteration, stopped by a budget.
//!
//! Bodies that touch are coupled and iterate together, as an island; islands run in parallel. Besides the budget an island
//! stops at a residual, or when an iteration hardly lowers its energy. What it gave up by stopping is bounded from above
//! [MT13]. A truncated solution does not conserve momentum: translations and rotations are in the matrix's null space but
//! not in the Krylov space, so the error is put back as a rigid motion of the island. The same mends the angular momentum that
//! linearised steps lose even when solved exactly, and the small moment of element forces whose rotation is only followed.

use crate::factors::Factors;
use crate::settings::{EarlyCgSettings, Guess, PreconditionerChoice, Unknown};
use crate::solver::{InverseOperator, LinearSolver, SolveReport};
use crate::system::{Form, Freedom, RowCoupling, System};
use pliant_linalg::{
    LinearOperator, Mat3, Pcg, PcgReport, PcgSettings, Preconditioner, SolveError, Vec3,
};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Mutex;

/// See the file header.
pub struct EarlyCg {
    settings: EarlyCgSettings,
    form: Form,
    islands: Vec<Island>,
    /// For the compliance of constraints.
    factors: Factors,
}

/// Bodies that are solved together, their rows one after the other.
struct Island {
    bodies: Vec<Member>,
    couplings: Vec<RowCoupling>,
    fresh: bool,
    freedom: Freedom,
    pcg: Pcg,
    preconditioner: Preconditioner,
    eigenvalue_bound: f64,
    mass: Vec<f64>,
    diagonal: Vec<Mat3>,
    rhs: Vec<Vec3>,
    x: Vec<Vec3>,
    /// First guess x₀ and r − A x₀, where the increment is the unknown.
    start: Vec<Vec3>,
    difference: Vec<Vec3>,
    report: PcgReport,
    /// Work space of products.
    second: Vec<Vec3>,
}

/// A body of an island.
#[derive(Clone, Debug)]
struct Member {
    body: usize,
    /// Its rows in the system …
    rows: Range<usize>,
    /// … and in the island.
    local: Range<usize>,
}

impl EarlyCg {
    /// A solver that wants systems in the given form.
    pub fn new(settings: EarlyCgSettings, form: Form) -> EarlyCg {
        EarlyCg {
            settings,
            form,
            islands: Vec::new(),
            factors: Factors::default(),
        }
    }

    /// Sorts bodies and couplings into islands; memory of earlier islands is used again.
    fn arrange(&mut self, system: &System) {
        let moving = system.bodies.iter().filter(|part| !part.rows.is_empty());
        let mut heads: Vec<u32> = moving.map(|part| part.island).collect();
        heads.sort_unstable();
        heads.dedup();
        let choice = self.settings.preconditioner;
        self.islands
            .resize_with(heads.len(), || Island::new(choice));
        for (island, &head) in self.islands.iter_mut().zip(&heads) {
            island.gather(system, head);
        }
    }
}

impl LinearSolver for EarlyCg {
    fn form(&self) -> Form {
        self.form
    }

    fn guess(&self) -> (Guess, bool) {
        (self.settings.guess, self.settings.turn_guess)
    }

    fn prepare(&mut self, system: &System) -> Result<(), SolveError> {
        self.arrange(system);
        self.islands
            .par_iter_mut()
            .map(|island| island.prepare(system))
            .collect()
    }

    fn solve(&mut self, system: &System, x: &mut [Vec3]) -> Result<SolveReport, SolveError> {
        let settings = self.settings;
        for island in &mut self.islands {
            island.load(x);
        }
        self.islands
            .par_iter_mut()
            .map(|island| {
                island.solve(system, &settings)?;
                if settings.restore_momentum && island.freedom != Freedom::Held {
                    island.restore_momentum(system);
                }
                Ok(())
            })
            .collect::<Result<(), _>>()?;
        let mut report = SolveReport {
            converged: true,
            ..SolveReport::default()
        };
        for island in &self.islands {
            island.store(x);
            let r = &island.report;
            report.iterations = report.iterations.max(r.iterations);
            report.relative_residual = report.relative_residual.max(r.relative_residual);
            report.converged &= r.converged;
            report.energy_decrease += r.energy_decrease;
            report.energy_left += r.energy_left;
        }
        Ok(report)
    }

    fn inverse(&mut self, system: &System) -> Result<&dyn InverseOperator, SolveError> {
        self.factors.update(system)?;
        Ok(&self.factors)
    }
}

impl Island {
    fn new(choice: PreconditionerChoice) -> Island {
        Island {
            bodies: Vec::new(),
            couplings: Vec::new(),
            fresh: false,
            freedom: Freedom::Space,
            pcg: Pcg::new(),
            preconditioner: choice.preconditioner(),
            eigenvalue_bound: 0.0,
            mass: Vec::new(),
            diagonal: Vec::new(),
            rhs: Vec::new(),
            x: Vec::new(),
            start: Vec::new(),
            difference: Vec::new(),
            report: PcgReport::default(),
            second: Vec::new(),
        }
    }

    /// The bodies whose island is `head`.
    fn gather(&mut self, system: &System, head: u32) {
        self.bodies.clear();
        self.mass.clear();
        self.rhs.clear();
        self.fresh = false;
        let mut freedoms = Vec::new();
        for (body, part) in system.bodies.iter().enumerate() {
            if part.island != head || part.rows.is_empty() {
                continue;
            }
            let start = self.mass.len();
            self.mass.extend_from_slice(&system.mass[part.rows.clone()]);
            self.rhs.extend_from_slice(&system.rhs[part.rows.clone()]);
            self.fresh |= part.fresh;
            freedoms.push(part.freedom);
            self.bodies.push(Member {
                body,
                rows: part.rows.clone(),
                local: start..self.mass.len(),
            });
        }
        self.freedom = match freedoms.as_slice() {
            all if all.iter().all(|f| *f == Freedom::Space) => Freedom::Space,
            all if all.iter().all(|f| *f == Freedom::Plane) => Freedom::Plane,
            _ => Freedom::Held,
        };
        self.couplings.clear();
        for coupling in &system.couplings {
            if self.holds(coupling.rows[0] as usize) {
                let rows = coupling.rows.map(|row| self.place(row as usize) as u32);
                self.couplings.push(RowCoupling { rows, ..*coupling });
            }
        }
    }

    fn holds(&self, row: usize) -> bool {
        self.bodies.iter().any(|member| member.rows.contains(&row))
    }

    /// Row of the system → row of the island.
    fn place(&self, row: usize) -> usize {
        let index = self.bodies.partition_point(|m| m.rows.end <= row);
        let member = &self.bodies[index];
        row - member.rows.start + member.local.start
    }

    fn prepare(&mut self, system: &System) -> Result<(), SolveError> {
        self.diagonal.clear();
        for member in &self.bodies {
            let blocks = &system.diagonal[member.rows.clone()];
            self.diagonal.extend_from_slice(blocks);
        }
        let diagonal = || self.diagonal.iter().copied();
        self.preconditioner.prepare(diagonal(), &self.mass)?;
        self.eigenvalue_bound = self.preconditioner.eigenvalue_bound(diagonal(), &self.mass);
        Ok(())
    }

    fn load(&mut self, x: &[Vec3]) {
        self.x.clear();
        for member in &self.bodies {
            self.x.extend_from_slice(&x[member.rows.clone()]);
        }
    }

    fn store(&self, x: &mut [Vec3]) {
        for member in &self.bodies {
            x[member.rows.clone()].copy_from_slice(&self.x[member.local.clone()]);
        }
    }

    fn solve(&mut self, system: &System, settings: &EarlyCgSettings) -> Result<(), SolveError> {
        let operator = IslandOperator {
            system,
            bodies: &self.bodies,
            couplings: &self.couplings,
            rows: self.mass.len(),
            second: Mutex::new(&mut self.second),
        };
        let factor = if self.fresh {
            settings.fresh_factor
        } else {
            1.0
        };
        let limits = PcgSettings {
            relative_tolerance: settings.tolerance,
            // a float too large for the type becomes its largest value
            max_iterations: (settings.budget as f64 * factor).ceil() as usize,
            energy_tolerance: settings.energy_tolerance,
            eigenvalue_bound: self.eigenvalue_bound,
        };
        let Island {
            pcg,
            preconditioner,
            rhs,
            x,
            start,
            difference,
            ..
        } = self;
        let solved = match settings.unknown {
            Unknown::Velocity => pcg.solve(&operator, preconditioner, rhs, x, &limits),
            Unknown::Increment => {
                start.clone_from(x);
                difference.resize(rhs.len(), Vec3::ZERO);
                operator.apply(start, difference);
                for (d, &r) in difference.iter_mut().zip(rhs.iter()) {
                    *d = r - *d;
                }
                x.fill(Vec3::ZERO);
                let solved = pcg.solve(&operator, preconditioner, difference, x, &limits);
                for (x, &start) in x.iter_mut().zip(start.iter()) {
                    *x += start;
                }
                solved
            }
        };
        self.report = solved?;
        Ok(())
    }

    /// Adds the rigid motion that makes linear and angular momentum what the external impulses leave of them.
    ///
    /// With R the rigid motions about the start positions and A_ext the part of A that does not come from elements, the
    /// condition is Rᵀ A_ext v = Rᵀ r_ext: elastic forces have neither a sum nor a moment, or should not where rotations are
    /// followed. Moments about the positions at the start give the angular momentum at the end, for x⁺ × v⁺ = (x + h v⁺) × v⁺ = x × v⁺.
    fn restore_momentum(&mut self, system: &System) {
        let mut weight = 0.0;
        let mut centre = Vec3::ZERO;
        for member in &self.bodies {
            let positions = &system.positions[member.rows.clone()];
            let weights = &system.node_weights[member.rows.clone()];
            for (&position, &w) in positions.iter().zip(weights) {
                weight += w;
                centre += position * w;
            }
        }
        let centre = centre / weight;
        // A_ext is the weight and block of each node; couplings between the island's bodies have no sum and no moment
        let mut defect = [Vec3::ZERO; 2];
        let mut inertia = Mat3::ZERO;
        for member in &self.bodies {
            let positions = &system.positions[member.rows.clone()];
            let weights = &system.node_weights[member.rows.clone()];
            let external = &system.external[member.rows.clone()];
            let x = &self.x[member.local.clone()];
            for (((&position, &w), &r), &x) in positions.iter().zip(weights).zip(external).zip(x) {
                let arm = position - centre;
                let lacking = r - x * w;
                defect[0] += lacking;
                defect[1] += arm.cross(lacking);
                inertia += (Mat3::IDENTITY * arm.norm_squared() - Mat3::outer(arm, arm)) * w;
            }
        }
        let mut matrix = [[0.0; 6]; 6];
        for axis in 0..3 {
            matrix[axis][axis] = weight;
            for other in 0..3 {
                matrix[3 + axis][3 + other] = inertia.at(axis, other);
            }
        }
        for member in &self.bodies {
            for &(row, block) in system.node_blocks_of(&member.rows) {
                let row = row as usize;
                let arm = system.positions[row] - centre;
                let lacking = block * self.x[row - member.rows.start + member.local.start];
                defect[0] -= lacking;
                defect[1] -= arm.cross(lacking);
                for column in 0..6 {
                    let push = block * rigid_motion(column, arm);
                    let moment = arm.cross(push);
                    for axis in 0..3 {
                        matrix[axis][column] += push[axis];
                        matrix[3 + axis][column] += moment[axis];
                    }
                }
            }
        }
        let external = system.couplings.iter().filter(|c| c.external);
        for coupling in external.filter(|c| self.holds(c.rows[0] as usize)) {
            let ends = || coupling.rows.iter().zip(&coupling.weights);
            let combined = |of: &dyn Fn(usize) -> Vec3| {
                ends().fold(Vec3::ZERO, |sum, (&row, &w)| sum + of(row as usize) * w)
            };
            let arm = |row: usize| system.positions[row] - centre;
            let lacking = coupling.block * combined(&|row| self.x[self.place(row)]);
            let (total, lever) = (coupling.weights.iter().sum::<f64>(), combined(&arm));
            defect[0] -= lacking * total;
            defect[1] -= lever.cross(lacking);
            for column in 0..6 {
                let push = coupling.block * combined(&|row| rigid_motion(column, arm(row)));
                let moment = lever.cross(push);
                for axis in 0..3 {
                    matrix[axis][column] += push[axis] * total;
                    matrix[3 + axis][column] += moment[axis];
                }
            }
        }
        let mut motion = [defect[0], defect[1]].map(|v| v.to_array()).concat();
        let allowed: [bool; 6] = match self.freedom {
            Freedom::Plane => [true, true, false, false, false, true],
            _ => [true; 6],
        };
        for k in (0..6).filter(|&k| !allowed[k]) {
            motion[k] = 0.0;
            for j in 0..6 {
                matrix[k][j] = 0.0;
                matrix[j][k] = 0.0;
            }
            matrix[k][k] = 1.0;
        }
        if !solve_six(&mut matrix, &mut motion) {
            return; // a single node or a needle has no moment of inertia: nothing to turn
        }
        let velocity = Vec3::new(motion[0], motion[1], motion[2]);
        let spin = Vec3::new(motion[3], motion[4], motion[5]);
        for member in &self.bodies {
            let positions = &system.positions[member.rows.clone()];
            for (x, &position) in self.x[member.local.clone()].iter_mut().zip(positions) {
                *x += velocity + spin.cross(position - centre);
            }
        }
    }
}

/// Unit translation (0 to 2) or rotation (3 to 5).
fn rigid_motion(column: usize, arm: Vec3) -> Vec3 {
    let axis = Vec3::AXES[column % 3];
    if column < 3 { axis } else { axis.cross(arm) }
}

/// Cholesky solution of a 6×6 system; false when the matrix is not safely positive definite.
fn solve_six(a: &mut [[f64; 6]; 6], b: &mut [f64]) -> bool {
    let scale: [f64; 6] = std::array::from_fn(|i| a[i][i]);
    for j in 0..6 {
        for k in 0..j {
            for i in j..6 {
                a[i][j] -= a[i][k] * a[j][k];
            }
        }
        if a[j][j].is_nan() || a[j][j] <= 1e-12 * scale[j] {
            return false;
        }
        let root = a[j][j].sqrt();
        for row in a.iter_mut().skip(j) {
            row[j] /= root;
        }
    }
    for i in 0..6 {
        for k in 0..i {
            b[i] -= a[i][k] * b[k];
        }
        b[i] /= a[i][i];
    }
    for i in (0..6).rev() {
        for k in i + 1..6 {
            b[i] -= a[k][i] * b[k];
        }
        b[i] /= a[i][i];
    }
    true
}

/// The matrix of an island.
struct IslandOperator<'a> {
    system: &'a System,
    bodies: &'a [Member],
    couplings: &'a [RowCoupling],
    rows: usize,
    /// Work space of products; one at a time needs it.
    second: Mutex<&'a mut Vec<Vec3>>,
}

impl LinearOperator for IslandOperator<'_> {
    fn row_count(&self) -> usize {
        self.rows
    }

    fn apply(&self, x: &[Vec3], y: &mut [Vec3]) {
        let system = self.system;
        let mut second = match self.second.lock() {
            Ok(second) => second,
            Err(poisoned) => poisoned.into_inner(), // every product overwrites it
        };
        for member in self.bodies {
            let (x, y) = (&x[member.local.clone()], &mut y[member.local.clone()]);
            match system.form {
                Form::Elements => {
                    let weights = &system.node_weights[member.rows.clone()];
                    for ((y, &x), &weight) in y.iter_mut().zip(x).zip(weights) {
                        *y = x * weight;
                    }
                    for &(row, block) in system.node_blocks_of(&member.rows) {
                        let i = row as usize - member.rows.start;
                        y[i] += block * x[i];
                    }
                    system.tangents.add_body_product(
                        &system.elements,
                        member.body,
                        &system.row_map,
                        system.weights,
                        x,
                        y,
                        &mut second,
                    );
                }
                Form::Matrix | Form::Bodies | Form::Stiffness => {
                    system.matrix.multiply_part(member.rows.clone(), x, y)
                }
            }
        }
        for coupling in self.couplings {
            coupling.add_product(|row| row as usize, x, y);
        }
        for member in self.bodies {
            // directions never leave the unknowns that are free
            let masked = |row: usize| {
                system
                    .masked
                    .partition_point(|&dof| (dof as usize) < 3 * row)
            };
            for &dof in &system.masked[masked(member.rows.start)..masked(member.rows.end)] {
                let row = dof as usize / 3 - member.rows.start + member.local.start;
                y[row][dof as usize % 3] = 0.0;
            }
        }
    }
}
