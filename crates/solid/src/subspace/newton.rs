//! Newton's method with line search on the mixed problem; one iteration of it from the start of the step is the linearised step.

use super::domain::Domains;
use super::linear::MixedSolver;
use super::problem::{Mixed, Problem};
use super::settings::SubspaceSettings;
use crate::assembly::ElementFault;
use crate::model::Model;
use crate::settings::NewtonSettings;
use crate::solver::SolveReport;
use pliant_linalg::{SolveError, Vec3};

/// Share of the predicted decrease that a step must achieve (Armijo).
const SUFFICIENT_DECREASE: f64 = 1e-4;
/// Halvings of the search step before giving up.
const MAX_BACKTRACKS: u32 = 30;
/// A stalled iteration is accepted as converged to rounding below this residual.
const ROUNDING_RESIDUAL: f64 = 1e-5;

/// How much looser than asked for conjugate gradients may stop.
const LOOSE: f64 = 10.0;
/// Share of the goal that is aimed at when a solve is to be the last.
const LAST: f64 = 0.3;

/// Relative residual for conjugate gradients: no more than the iteration can make use of [EW96, Choice 2]. Where it converges slowly, the
/// matrix of the next iteration is another anyway; where it is near its goal, that is all that is asked for.
fn forcing(tolerance: f64, goal: f64, before: f64, residual: f64) -> f64 {
    let rate = 0.9 * (residual / before).powi(2);
    let enough = LAST * goal / residual;
    let wanted = match before.is_finite() {
        true => rate.max(enough),
        false => f64::INFINITY,
    };
    wanted.clamp(tolerance, LOOSE * tolerance)
}

/// Why there is no solution.
#[derive(Debug)]
pub(crate) enum Trouble {
    Element(ElementFault),
    Solve(SolveError),
    Stalled { iterations: u32, residual: f64 },
}

impl From<ElementFault> for Trouble {
    fn from(fault: ElementFault) -> Self {
        Trouble::Element(fault)
    }
}

impl From<SolveError> for Trouble {
    fn from(error: SolveError) -> Self {
        Trouble::Solve(error)
    }
}

/// How it ended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NewtonReport {
    pub iterations: u32,
    pub residual: f64,
    pub linear_iterations: usize,
    pub solve: SolveReport,
}

/// Vectors of the iteration.
#[derive(Default)]
pub(crate) struct Newton {
    pub solver: MixedSolver,
    accepted: Mixed,
    rhs: Mixed,
    direction: Mixed,
}

impl Newton {
    /// One linear solve from the trial in `problem`, which is where the equations are linearised.
    pub fn solve_linearised(
        &mut self,
        model: &Model,
        domains: &Domains,
        problem: &mut Problem,
        settings: &SubspaceSettings,
    ) -> Result<NewtonReport, Trouble> {
        problem.evaluate(model, domains)?;
        problem.find_gradient(model, domains);
        // known motion acts through the matrix, as everything does in this step
        let mut known = Mixed {
            x: problem.full.iter().map(|node| node.known).collect(),
            q: vec![0.0; domains.rank],
        };
        if known.x.iter().any(|&x| x != Vec3::ZERO) {
            problem.assemble(domains);
            let mut force = Mixed::default();
            self.solver.multiply(domains, problem, &known, &mut force);
            problem.gradient.add_scaled(1.0, &force);
        }
        let solve = self.find_direction(domains, problem, settings, settings.tolerance)?;
        known.add_scaled(1.0, &self.direction);
        problem.at.add_scaled(1.0, &known);
        Ok(NewtonReport {
            iterations: 1,
            residual: 0.0,
            linear_iterations: solve.iterations,
            solve,
        })
    }

    /// From the trial in `problem`; from `standing` where that turns an element inside out.
    pub fn solve(
        &mut self,
        model: &Model,
        domains: &Domains,
        problem: &mut Problem,
        settings: &SubspaceSettings,
        newton: NewtonSettings,
        standing: &Mixed,
    ) -> Result<NewtonReport, Trouble> {
        if problem.evaluate(model, domains).is_err() {
            problem.at.copy_from(standing);
            problem.evaluate(model, domains)?;
        }
        let mut report = NewtonReport {
            solve: SolveReport {
                converged: true,
                ..SolveReport::default()
            },
            ..NewtonReport::default()
        };
        let mut before = f64::INFINITY;
        loop {
            report.residual = problem.find_gradient(model, domains);
            if report.residual <= newton.relative_tolerance
                || report.iterations == newton.max_iterations
            {
                return Ok(report);
            }
            let goal = newton.relative_tolerance;
            let tolerance = forcing(settings.tolerance, goal, before, report.residual);
            before = report.residual;
            report.solve = self.find_direction(domains, problem, settings, tolerance)?;
            report.linear_iterations += report.solve.iterations;
            report.iterations += 1;
            let slope = problem.gradient.dot(&self.direction);
            if !self.line_search(model, domains, problem, slope) {
                if report.residual < ROUNDING_RESIDUAL {
                    return Ok(report);
                }
                return Err(Trouble::Stalled {
                    iterations: report.iterations,
                    residual: report.residual,
                });
            }
        }
    }

    /// A δ = −gradient.
    fn find_direction(
        &mut self,
        domains: &Domains,
        problem: &mut Problem,
        settings: &SubspaceSettings,
        tolerance: f64,
    ) -> Result<SolveReport, SolveError> {
        problem.assemble(domains);
        self.rhs.copy_from(&problem.gradient);
        self.rhs.x.iter_mut().for_each(|g| *g = -*g);
        self.rhs.q.iter_mut().for_each(|g| *g = -*g);
        self.solver.solve(
            domains,
            problem,
            settings,
            tolerance,
            &self.rhs,
            &mut self.direction,
        )
    }

    fn line_search(
        &mut self,
        model: &Model,
        domains: &Domains,
        problem: &mut Problem,
        slope: f64,
    ) -> bool {
        let start = problem.value(domains);
        let rounding = 1e-13 * (start.abs() + problem.elastic_energy().abs());
        self.accepted.copy_from(&problem.at);
        let mut length = 1.0;
        for _ in 0..MAX_BACKTRACKS {
            problem.at.copy_from(&self.accepted);
            problem.at.add_scaled(length, &self.direction);
            if problem.evaluate(model, domains).is_ok()
                && problem.value(domains) <= start + SUFFICIENT_DECREASE * length * slope + rounding
            {
                return true;
            }
            length *= 0.5;
        }
        problem.at.copy_from(&self.accepted);
        let _ = problem.evaluate(model, domains); // succeeded before at this very point
        false
    }
}
