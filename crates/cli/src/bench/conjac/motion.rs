//! A body that is pulled and let go: whether the run is stable, and how much motion is left.
//!
//! A run is *stable*, as the paper's runs are to the eye, when it does not blow up:
//! - no step fails (and none is halved), all numbers are finite,
//! - no node is farther than three diagonals of the body from its place at rest,
//! - at the end no element is inverted, and mechanical energy (kinetic + elastic + gravitational) is below that at the release; nothing
//!   does work after it.
//!
//! The first that is broken ends the run.
//!
//! A stable run is *calm* when moreover energy never exceeds that at the release by more than a tenth of what is stored then. Stored is the
//! energy at the release less the lowest potential energy before it. The tenth is for the phase between positions and velocities in
//! schemes with small β (ωh/2 of the energy of a mode). Runs that are stable but not calm have elements around a node that
//! was let go turn inside out and recover.
//!
//! The motion of a node is the diagonal of the box that its path fills, from the release to the end and, since the way back from the
//! pulled shape is that of any method, in the second half of that time (*late*). That of the body is the root of the mean square over
//! nodes, weighted by mass.

use super::case::{Case, Way};
use super::{Row, row};
use crate::bench::timing::time;
use anyhow::Result;
use pliant_linalg::Vec3;
use pliant_solid::Simulation;
use serde_json::{Value, json};

/// Diagonals of the body that a node may be from its place at rest.
const FARTHEST: f64 = 3.0;

/// Share of the stored energy by which it may grow after the release.
const GROWTH: f64 = 0.1;

/// What is noted of a run.
#[derive(Clone, Debug)]
pub struct Motion {
    pub way: Way,
    pub body: String,
    /// When it was let go, s.
    pub release: f64,
    /// Why it is not stable; none if it is.
    pub broken: Option<&'static str>,
    /// When the run ended, s.
    pub end: f64,
    pub steps: usize,
    /// Time of all steps, s.
    pub seconds: f64,
    /// Largest distance of a node from its place at rest, diagonals.
    pub farthest: f64,
    /// Stored at the release, J, and the largest growth after it as a share.
    pub stored: f64,
    pub growth: f64,
    pub inverted_end: usize,
    pub inverted_most: usize,
    pub whole: Swing,
    pub late: Swing,
    /// Time and position of the marked node, from the start.
    pub path: Vec<(f64, Vec3)>,
}

/// Peak to peak in a window of time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Swing {
    /// Of the marked node and of all, m.
    pub marked: f64,
    pub body: f64,
    /// Of the kinetic energy, and its mean, J.
    pub kinetic: f64,
    pub kinetic_mean: f64,
}

impl Motion {
    pub fn is_stable(&self) -> bool {
        self.broken.is_none()
    }

    /// Stable, and energy never grew.
    pub fn is_calm(&self) -> bool {
        self.is_stable() && self.growth <= GROWTH
    }

    /// A row with the given part.
    pub fn row(&self, part: &str) -> Row {
        let mut row = row(json!({
            "part": part,
            "body": self.body,
            "stable": self.is_stable(),
            "calm": self.is_calm(),
            "broken": self.broken,
            "end": self.end,
            "steps": self.steps,
            "seconds": self.seconds,
            "farthest_diagonals": finite(self.farthest),
            "stored_energy": finite(self.stored),
            "energy_growth": finite(self.growth),
            "inverted_end": self.inverted_end,
            "inverted_most": self.inverted_most,
        }));
        row.extend(super::row(self.way.facts()));
        if self.is_stable() {
            for (name, swing) in [("whole", &self.whole), ("late", &self.late)] {
                row.insert(format!("swing_{name}"), json!(swing.marked));
                row.insert(format!("swing_body_{name}"), json!(swing.body));
                row.insert(format!("kinetic_{name}"), json!(swing.kinetic));
                row.insert(format!("kinetic_mean_{name}"), json!(swing.kinetic_mean));
            }
        }
        row
    }
}

fn finite(value: f64) -> Value {
    match value.is_finite() {
        true => json!(value),
        false => Value::Null,
    }
}

/// Runs a case one way.
pub fn follow(case: &Case, way: &Way) -> Result<Motion> {
    let mut run = Run::new(case, way)?;
    while !run.is_over() {
        run.step();
    }
    Ok(run.motion())
}

/// Runs a case several ways in turns that simulate the same time, so that whatever else the machine does hits all alike.
pub fn race(case: &Case, ways: &[Way]) -> Result<Vec<Motion>> {
    let runs = ways.iter().map(|way| Run::new(case, way));
    let mut runs = runs.collect::<Result<Vec<_>>>()?;
    let turn = ways.iter().map(|way| way.h).fold(0.0, f64::max);
    let mut until = 0.0;
    while runs.iter().any(|run| !run.is_over()) {
        until += turn;
        for run in &mut runs {
            while !run.is_over() && run.time() < until - 0.5 * run.way.h {
                run.step();
            }
        }
    }
    Ok(runs.iter().map(Run::motion).collect())
}

/// A run under way.
struct Run<'a> {
    case: &'a Case,
    way: Way,
    simulation: Simulation,
    last_step: usize,
    motion: Motion,
    /// Lowest potential energy so far, and mechanical energy at the release, J.
    lowest: f64,
    released: Option<f64>,
    windows: [Window; 2],
}

impl<'a> Run<'a> {
    fn new(case: &'a Case, way: &Way) -> Result<Run<'a>> {
        let release = case.release();
        let nodes = case.model.node_count();
        let middle = 0.5 * (release + case.duration);
        Ok(Run {
            case,
            way: *way,
            simulation: case.simulation(way)?,
            last_step: case.steps(way.h),
            motion: Motion {
                way: *way,
                body: case.name.clone(),
                release,
                broken: None,
                end: 0.0,
                steps: 0,
                seconds: 0.0,
                farthest: 0.0,
                stored: 0.0,
                growth: f64::NEG_INFINITY,
                inverted_end: 0,
                inverted_most: 0,
                whole: Swing::default(),
                late: Swing::default(),
                path: Vec::new(),
            },
            lowest: f64::INFINITY,
            released: None,
            windows: [release, middle].map(|from| Window::new(from, nodes)),
        })
    }

    fn time(&self) -> f64 {
        self.simulation.state().time
    }

    fn is_over(&self) -> bool {
        self.motion.broken.is_some() || self.motion.steps == self.last_step
    }

    fn step(&mut self) {
        let (seconds, stepped) = time(|| self.simulation.step().map(|_| ()));
        self.motion.seconds += seconds;
        if stepped.is_err() {
            self.motion.broken = Some("failed step");
            return;
        }
        self.note();
    }

    fn note(&mut self) {
        let (report, state) = (self.simulation.report(), self.simulation.state());
        let (model, motion) = (&self.case.model, &mut self.motion);
        motion.steps += 1;
        motion.end = state.time;
        let marked = self.case.order.first().map_or(0, |&n| n as usize);
        motion.path.push((state.time, state.positions[marked]));
        motion.inverted_end = report.inverted_elements;
        motion.inverted_most = motion.inverted_most.max(report.inverted_elements);
        let away = state.positions.iter().zip(&model.rest);
        let away = away
            .map(|(&x, &rest)| (x - rest).norm())
            .fold(0.0, f64::max);
        motion.farthest = motion.farthest.max(away / model.diagonal());
        let energies = &report.energies;
        // half a step of room: times are multiples of h
        if state.time < motion.release + 0.5 * self.way.h {
            self.lowest = self.lowest.min(energies.elastic + energies.gravitational);
            self.released = Some(energies.mechanical());
            motion.stored = energies.mechanical() - self.lowest;
        } else if let Some(released) = self.released {
            let growth = (energies.mechanical() - released) / motion.stored;
            motion.growth = motion.growth.max(growth);
            for window in &mut self.windows {
                window.note(
                    state.time - 0.5 * self.way.h,
                    &state.positions,
                    energies.kinetic,
                );
            }
        }
        if !(motion.farthest <= FARTHEST && energies.mechanical().is_finite()) {
            motion.broken = Some("far away");
        } else if motion.steps == self.last_step && motion.inverted_end > 0 {
            motion.broken = Some("inverted at the end");
        } else if motion.steps == self.last_step
            && self.released.is_some_and(|e| energies.mechanical() > e)
        {
            motion.broken = Some("gained energy");
        }
    }

    fn motion(&self) -> Motion {
        let marked = self.case.order.first().map_or(0, |&n| n as usize);
        let [whole, late] = [0, 1].map(|k| self.windows[k].swing(&self.case.model.mass, marked));
        Motion {
            whole,
            late,
            ..self.motion.clone()
        }
    }
}

/// Boxes that the paths of nodes fill from a time on.
struct Window {
    from: f64,
    low: Vec<Vec3>,
    high: Vec<Vec3>,
    kinetic: [f64; 2],
    sum: f64,
    count: usize,
}

impl Window {
    fn new(from: f64, nodes: usize) -> Window {
        let far = Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY);
        Window {
            from,
            low: vec![far; nodes],
            high: vec![-far; nodes],
            kinetic: [f64::INFINITY, f64::NEG_INFINITY],
            sum: 0.0,
            count: 0,
        }
    }

    fn note(&mut self, time: f64, positions: &[Vec3], kinetic: f64) {
        if time < self.from {
            return;
        }
        for (node, &x) in positions.iter().enumerate() {
            self.low[node] = self.low[node].min(x);
            self.high[node] = self.high[node].max(x);
        }
        self.kinetic = [self.kinetic[0].min(kinetic), self.kinetic[1].max(kinetic)];
        self.sum += kinetic;
        self.count += 1;
    }

    fn swing(&self, mass: &[f64], marked: usize) -> Swing {
        if self.count == 0 {
            return Swing::default();
        }
        let reach = |node: usize| (self.high[node] - self.low[node]).norm();
        let squares = mass
            .iter()
            .enumerate()
            .map(|(n, m)| m * reach(n) * reach(n));
        Swing {
            marked: reach(marked),
            body: (squares.sum::<f64>() / mass.iter().sum::<f64>()).sqrt(),
            kinetic: self.kinetic[1] - self.kinetic[0],
            kinetic_mean: self.sum / self.count as f64,
        }
    }
}
