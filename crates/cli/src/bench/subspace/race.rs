//! Both full solvers and the method with several radii through one scene, step by step in turns.

use super::case::{Case, Full, Solver};
use super::{Row, row};
use crate::bench::timing::time;
use anyhow::Result;
use pliant_linalg::Vec3;
use pliant_solid::Simulation;
use serde_json::json;
use std::time::Instant;

/// How far to go.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Last part of the scene's name.
    pub scene: &'static str,
    /// What is full.
    pub full: Vec<Full>,
    /// Most steps; the scene may have fewer.
    pub steps: usize,
    /// No step of the first pass is begun after so long.
    pub seconds: f64,
    /// Whether sparse factors of all nodes take part, or else conjugate gradients with better blocks; errors are distances from it.
    pub direct: bool,
    /// Passes over the same steps, of whose times the least counts.
    pub passes: usize,
}

/// A step of a candidate.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    seconds: f64,
    /// Share of nodes that were full.
    active: f64,
    newton: u32,
    linear: usize,
    residual: f64,
    converged: bool,
    /// Whether nodes became full or stopped.
    changed: bool,
    contacts: usize,
    /// Distance from `full` and of `full` from rest: roots of sums of squares, m.
    error: f64,
    moved: f64,
    /// Largest motion of a node in the step, m.
    jump: f64,
}

/// One way to step the scene.
struct Candidate {
    full: Option<Full>,
    /// Whether the better of the full solvers here is the one with sparse factors.
    direct: bool,
    simulation: Simulation,
    samples: Vec<Sample>,
    last: Vec<Vec3>,
    failed: Option<String>,
}

fn candidates(case: &Case, plan: &Plan) -> Result<Vec<Candidate>> {
    let candidate = |full: Option<Full>, simulation: Simulation| Candidate {
        full,
        direct: plan.direct,
        last: simulation.state().positions.clone(),
        simulation,
        samples: Vec::new(),
        failed: None,
    };
    let best = match plan.direct {
        true => case.full(Solver::Factors)?,
        false => case.full(Solver::Blocks)?,
    };
    let mut all = vec![
        candidate(None, best),
        candidate(None, case.full(Solver::Jacobi)?),
    ];
    for &full in &plan.full {
        all.push(candidate(Some(full), case.subspace(full)?));
    }
    Ok(all)
}

/// The rows of a scene.
pub fn rows(case: &Case, plan: &Plan) -> Result<Vec<Row>> {
    let start = Instant::now();
    let mut all = candidates(case, plan)?;
    let most = (case.scene.step_count() as usize).min(plan.steps);
    let mut steps = 0;
    while steps < most && start.elapsed().as_secs_f64() < plan.seconds {
        for candidate in &mut all {
            candidate.step(case.scene.model.node_count());
        }
        let (reference, others) = all.split_at_mut(1);
        for candidate in others {
            candidate.compare(&reference[0], &case.scene.model.rest);
        }
        steps += 1;
    }
    for _ in 1..plan.passes.max(1) {
        let mut again = candidates(case, plan)?;
        for step in 0..steps {
            for (candidate, first) in again.iter_mut().zip(&mut all) {
                candidate.step(case.scene.model.node_count());
                let seconds = candidate.samples.get(step).map(|s| s.seconds);
                if let (Some(first), Some(seconds)) = (first.samples.get_mut(step), seconds) {
                    first.seconds = first.seconds.min(seconds);
                }
            }
        }
    }
    let own = all.iter().filter(|c| c.full.is_some());
    Ok(own.map(|c| c.row(case, &all)).collect())
}

impl Candidate {
    fn step(&mut self, nodes: usize) {
        if self.failed.is_some() {
            return;
        }
        let (seconds, result) = time(|| self.simulation.step().map(|_| ()));
        if let Err(error) = result {
            self.failed = Some(error.to_string());
            return;
        }
        let report = self.simulation.report();
        let own = report.subspace;
        self.samples.push(Sample {
            seconds,
            active: own.full_nodes as f64 / nodes as f64,
            newton: report.newton_iterations,
            linear: report.linear_iterations,
            residual: report.newton_residual,
            converged: report.solve.converged,
            changed: own.entered + own.left > 0,
            contacts: report.contacts,
            ..Sample::default()
        });
        let x = &self.simulation.state().positions;
        let moves = x.iter().zip(&self.last).map(|(a, b)| (*a - *b).norm());
        let jump = moves.fold(0.0, f64::max);
        self.last.clone_from(x);
        if let Some(sample) = self.samples.last_mut() {
            sample.jump = jump;
        }
    }

    /// How far the last step is from that of a full solver.
    fn compare(&mut self, reference: &Candidate, rest: &[Vec3]) {
        let size = |a: &[Vec3], b: &[Vec3]| {
            let squares = a.iter().zip(b).map(|(a, b)| (*a - *b).norm_squared());
            squares.sum::<f64>().sqrt()
        };
        if self.samples.len() == reference.samples.len()
            && let Some(sample) = self.samples.last_mut()
        {
            sample.error = size(&self.last, &reference.last);
            sample.moved = size(&reference.last, rest);
        }
    }

    fn row(&self, case: &Case, all: &[Candidate]) -> Row {
        // full solvers come first, the better one before that of the paper
        let (reference, pcg) = (&all[0], &all[1]);
        let direct = Some(reference).filter(|c| c.direct);
        let chosen = Some(reference).filter(|c| !c.direct);
        let steps = [&self.samples, &reference.samples, &pcg.samples].map(Vec::len);
        let count = steps.into_iter().min().unwrap_or(0);
        let own = &self.samples[..count];
        let total = |samples: &[Sample]| samples.iter().map(|s| s.seconds).sum::<f64>();
        let ratios = |full: &Candidate| {
            let both = full.samples.iter().zip(own);
            let mut ratios: Vec<(f64, f64)> = both
                .map(|(full, own)| (full.seconds / own.seconds, own.active))
                .collect();
            ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
            let average = total(&full.samples[..count]) / total(own);
            (average, ratios.last().copied(), ratios.first().copied())
        };
        let by_pcg = ratios(pcg);
        let by_direct = direct.map(ratios);
        let by_blocks = chosen.map(ratios);
        // all measured over the same steps
        let touching: Vec<&Sample> = (own.iter().zip(&reference.samples))
            .filter(|(own, full)| own.contacts > 0 || full.contacts > 0)
            .map(|(own, _)| own)
            .collect();
        let errors: Vec<f64> = touching.iter().map(|s| s.error / s.moved).collect();
        let mean = |values: &[f64]| {
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        let most = |values: &mut dyn Iterator<Item = f64>| values.reduce(f64::max);
        let regions: Vec<&Sample> = own.iter().filter(|s| s.active > 0.0).collect();
        let solves: u32 = regions.iter().map(|s| s.newton).sum();
        let iterations: usize = regions.iter().map(|s| s.linear).sum();
        let each = |s: &&&Sample| s.linear as f64 / f64::from(s.newton.max(1));
        let changes = || {
            own.iter()
                .zip(&reference.samples)
                .filter(|(own, _)| own.changed)
        };
        let jumps = [
            most(&mut changes().map(|(own, _)| own.jump)),
            most(&mut changes().map(|(_, full)| full.jump)),
        ];
        let free: Vec<f64> = (own.iter().filter(|s| s.active == 0.0))
            .map(|s| s.seconds)
            .collect();
        let curve: Vec<[f64; 4]> = (own.iter().zip(&pcg.samples).zip(&reference.samples))
            .map(|((own, pcg), best)| [own.active, own.seconds, pcg.seconds, best.seconds])
            .collect();
        let (kind, radius) = match self.full {
            Some(Full::Radius(radius)) => ("radius", Some(radius)),
            Some(Full::Everything) => ("everything", None),
            _ => ("nothing", None),
        };
        row(json!({
            "part": "scene",
            "scene": case.name,
            "label": case.label,
            "full": self.full.map(Full::name),
            "kind": kind,
            "radius": radius,
            "nodes": case.scene.model.node_count(),
            "steps": count,
            "steps_of_scene": case.scene.step_count(),
            "failed": self.failed.as_ref().or(reference.failed.as_ref()).or(pcg.failed.as_ref()),
            "seconds_mean": total(own) / count.max(1) as f64,
            "seconds_free": mean(&free),
            "seconds_full_pcg": total(&pcg.samples[..count]) / count.max(1) as f64,
            "seconds_full_direct": direct.map(|d| total(&d.samples[..count]) / count.max(1) as f64),
            "speedup_average": by_pcg.0,
            "speedup_best": by_pcg.1.map(|r| r.0),
            "speedup_worst": by_pcg.2.map(|r| r.0),
            "active_average": mean(&own.iter().map(|s| s.active).collect::<Vec<_>>()),
            "active_best": by_pcg.1.map(|r| r.1),
            "active_worst": by_pcg.2.map(|r| r.1),
            "active_most": most(&mut own.iter().map(|s| s.active)),
            "seconds_full_blocks": chosen.map(|c| total(&c.samples[..count]) / count.max(1) as f64),
            "speedup_average_blocks": by_blocks.map(|d| d.0),
            "speedup_best_blocks": by_blocks.and_then(|d| d.1).map(|r| r.0),
            "speedup_worst_blocks": by_blocks.and_then(|d| d.2).map(|r| r.0),
            "speedup_average_direct": by_direct.map(|d| d.0),
            "speedup_best_direct": by_direct.and_then(|d| d.1).map(|r| r.0),
            "speedup_worst_direct": by_direct.and_then(|d| d.2).map(|r| r.0),
            "active_best_direct": by_direct.and_then(|d| d.1).map(|r| r.1),
            "active_worst_direct": by_direct.and_then(|d| d.2).map(|r| r.1),
            "contact_steps": touching.len(),
            "error_mean": mean(&errors),
            "error_most": most(&mut errors.iter().copied()),
            "jump_ratio": jumps[0].zip(jumps[1]).map(|(own, full)| own / full),
            "iterations_average": (solves > 0).then(|| iterations as f64 / f64::from(solves)),
            "iterations_most": most(&mut regions.iter().map(|s| each(&s))),
            "iterations_full_pcg": mean(
                &pcg.samples.iter().map(|s| s.linear as f64 / f64::from(s.newton.max(1))).collect::<Vec<_>>(),
            ),
            "newton_average": mean(&own.iter().map(|s| f64::from(s.newton)).collect::<Vec<_>>()),
            "worst_residual": most(&mut own.iter().map(|s| s.residual)),
            "unconverged": own.iter().filter(|s| !s.converged).count(),
            "curve": curve,
        }))
    }
}
