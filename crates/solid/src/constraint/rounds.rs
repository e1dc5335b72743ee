//! Newton's method (`descent.rs`, `closed.rs`) in rounds: on the constraints that push or are broken, then on those that
//! this breaks as well. Of the contacts that take part most stay open; their rates are needed once a round only.

use super::closed::{Closed, ClosedBuffers};
use super::cone::Kind;
use super::descent::{Buffers, Descent, Laws};
use super::law::{ConstraintReport, ConstraintSettings, Law, Problem};
use pliant_linalg::{BlockRows, Vec3};

/// Sweeps before the first round: they settle most of what opens and closes.
const FIRST_SWEEPS: usize = 3;
/// Steps without progress after which to give up.
const HOPELESS: usize = 8;
/// Most rounds.
const MOST_ROUNDS: usize = 12;
/// Open contacts take part as well if so small a part of the largest impulse would close them.
const NEAR: f64 = 0.01;

/// Buffers that are kept between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct RoundsBuffers {
    whole: Buffers,
    part: Buffers,
    closed: ClosedBuffers,
    /// Who takes part in the round.
    chosen: Vec<bool>,
    members: Members,
}

/// The problem of a round.
#[derive(Clone, Debug, Default)]
struct Members {
    indices: Vec<u32>,
    /// Place of each constraint among them.
    places: Vec<u32>,
    delassus: BlockRows,
    laws: Vec<Law>,
    rates: Vec<Vec3>,
    compliance: Vec<f64>,
    impulses: Vec<Vec3>,
    /// u at them.
    start: Vec<Vec3>,
}

/// Leaves impulses and their residual, infinite if something was not finite.
pub(super) fn solve_in_rounds(
    problem: &Problem,
    impulses: &mut [Vec3],
    settings: &ConstraintSettings,
    buffers: &mut RoundsBuffers,
    report: &mut ConstraintReport,
) {
    buffers.chosen.clear();
    buffers.chosen.resize(impulses.len(), false);
    let mut laws = Laws {
        laws: problem.laws,
        rates: problem.rates,
        compliance: problem.compliance,
        start: problem.start,
    };
    let mut sweeps = FIRST_SWEEPS;
    for _ in 0..MOST_ROUNDS {
        let mut machine = Closed::new(problem.delassus, &mut buffers.closed);
        let whole = &mut buffers.whole;
        let mut descent = Descent::new(&mut machine, &laws, impulses, settings, whole, report);
        let residual = descent.begin(sweeps).residual;
        let largest_rate = descent.largest_rate;
        report.residual = residual;
        laws.start = None; // the impulses have moved
        if residual <= settings.tolerance || !residual.is_finite() {
            return;
        }
        sweeps = 0;
        buffers.choose(impulses);
        if 3 * buffers.members.indices.len() > 2 * impulses.len() {
            break;
        }
        let members = &mut buffers.members;
        members.gather(problem, impulses, &buffers.whole);
        let part = Laws {
            laws: &members.laws,
            rates: &members.rates,
            compliance: &members.compliance,
            start: Some(&members.start),
        };
        let mut machine = Closed::new(&members.delassus, &mut buffers.closed);
        let mut descent = Descent::new(
            &mut machine,
            &part,
            &mut members.impulses,
            settings,
            &mut buffers.part,
            report,
        );
        descent.largest_rate = largest_rate;
        descent.run(HOPELESS);
        let failed = report.residual > settings.tolerance || report.residual.is_nan();
        for (&member, &impulse) in members.indices.iter().zip(&members.impulses) {
            impulses[member as usize] = impulse;
        }
        if failed {
            return;
        }
    }
    let mut machine = Closed::new(problem.delassus, &mut buffers.closed);
    let whole = &mut buffers.whole;
    Descent::new(&mut machine, &laws, impulses, settings, whole, report).run(HOPELESS);
}

impl RoundsBuffers {
    /// Adds those that push, are broken or nearly so.
    fn choose(&mut self, impulses: &[Vec3]) {
        let members = &mut self.members;
        members.indices.clear();
        members.places.clear();
        let near = NEAR * impulses.iter().fold(0.0_f64, |m, l| m.max(l.x));
        let at = self.whole.locals().iter().zip(self.whole.rates());
        for (i, ((local, u), lambda)) in at.zip(impulses).enumerate() {
            let bilateral = matches!(local.kind, Kind::Equality { .. });
            let pushes = lambda.x > local.scale.x * u.x - near;
            self.chosen[i] |= bilateral || pushes || *lambda != Vec3::ZERO;
            members.places.push(members.indices.len() as u32);
            if self.chosen[i] {
                members.indices.push(i as u32);
            }
        }
    }
}

impl Members {
    /// Copies what the members have to do with each other; all others have no impulse.
    fn gather(&mut self, problem: &Problem, impulses: &[Vec3], whole: &Buffers) {
        self.laws.clear();
        self.rates.clear();
        self.compliance.clear();
        self.impulses.clear();
        self.start.clear();
        let w = &mut self.delassus;
        w.starts.clear();
        w.columns.clear();
        w.blocks.clear();
        w.starts.push(0);
        for &member in &self.indices {
            let member = member as usize;
            self.laws.push(problem.laws[member]);
            self.rates.push(problem.rates[member]);
            self.compliance.push(problem.compliance[member]);
            self.impulses.push(impulses[member]);
            let own = whole.locals()[member].compliance.scale(impulses[member]);
            self.start.push(whole.rates()[member] - own);
            let (columns, blocks) = problem.delassus.row(member);
            if columns.len() == impulses.len() {
                w.columns.extend(0..self.indices.len() as u32);
                let chosen = self.indices.iter().map(|&j| blocks[j as usize]);
                w.blocks.extend(chosen);
            } else {
                for (&column, &block) in columns.iter().zip(blocks) {
                    let place = self.places[column as usize];
                    if self.indices.get(place as usize) == Some(&column) {
                        w.columns.push(place);
                        w.blocks.push(block);
                    }
                }
            }
            w.starts.push(w.columns.len());
        }
    }
}
