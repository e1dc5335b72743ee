//! Figures 9 and 10: time of W against the number of constraints and against that of degrees of freedom.
//!
//! All ways are given the same factor and the same columns, those of contacts that are near. "Kept" is the share of touched nodes
//! whose columns an earlier step has left; the others lie at the front, as when a body rolls on.

use super::super::contact::compliance::{columns, factor};
use super::super::timing::{Effort, Timing, interleave, time};
use super::Row;
use super::case::{Body, Case};
use anyhow::{Result, bail};
use pliant_linalg::{BlockRows, Llt, NodeCompliance, SolveScratch, SparseColumns, Vec3};
use pliant_solid::Simulation;
use pliant_solid::constraint::{ByParts, Compliance, DenseSolves};
use pliant_solid::contact::{Contact, Detector, Moving};
use serde_json::json;

/// How W is made, and how many of a hundred nodes are there already.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    Dense,
    Isolated { kept: usize },
}

/// Those compared.
pub const WAYS: [Way; 4] = [
    Way::Dense,
    Way::Isolated { kept: 0 },
    Way::Isolated { kept: 95 },
    Way::Isolated { kept: 100 },
];

impl Way {
    pub fn name(self) -> &'static str {
        match self {
            Way::Dense => "dense-sts",
            Way::Isolated { kept: 0 } => "isodof",
            Way::Isolated { kept: 100 } => "reuse",
            Way::Isolated { .. } => "reuse, 95 %",
        }
    }
}

/// Figure 9.
pub struct ConstraintPlan {
    pub body: Body,
    /// Steps until the body lies on the plane.
    pub steps: usize,
    /// Contacts of each point, from the middle of the touched area outwards; no more than there are.
    pub contacts: Vec<usize>,
    pub effort: Effort,
}

/// Figure 10.
pub struct SizePlan {
    /// Nodes of blocks.
    pub nodes: Vec<usize>,
    /// Contacts, spread over the underside.
    pub contacts: usize,
    pub effort: Effort,
}

/// A body's factor and near contacts.
pub struct Moment {
    pub case: Case,
    pub simulation: Simulation,
    pub factor: Llt,
    /// From the middle of the touched area outwards.
    pub contacts: Vec<Contact>,
}

impl Moment {
    pub fn new(body: Body, steps: usize) -> Result<Moment> {
        let case = Case::new(body)?;
        let simulation = case.after(steps.max(1))?;
        let factor = factor(&simulation, case.h())?;
        let contacts = near(&simulation, case.h());
        if contacts.is_empty() {
            bail!("{}: nothing touches after {steps} steps", case.name);
        }
        Ok(Moment {
            case,
            simulation,
            factor,
            contacts,
        })
    }

    /// A row for each way, of some contacts.
    fn rows(&self, figure: &str, contacts: &[Contact], effort: Effort) -> Result<Vec<Row>> {
        let mut bench = Bench::new(&self.simulation, contacts);
        let timings = interleave(WAYS.len(), effort, |way| {
            bench.seconds(WAYS[way], &self.factor)
        })?;
        let row = |(way, timing): (&Way, &Timing)| {
            timing.row(json!({
                "part": "compliance",
                "figure": figure,
                "body": self.case.name,
                "dofs": 3 * self.factor.symbolic().row_count(),
                "contacts": contacts.len(),
                "constraints": 3 * contacts.len(),
                "touched_nodes": bench.nodes.len(),
                "way": way.name(),
                "speedup": timings[0].minimum / timing.minimum,
            }))
        };
        Ok(WAYS.iter().zip(&timings).map(row).collect())
    }
}

/// Columns, and the work space of every way.
struct Bench {
    columns: SparseColumns,
    /// Rows that the columns touch, from the back to the front.
    nodes: Vec<u32>,
    dense: ByParts<DenseSolves>,
    isolated: [NodeCompliance; 3],
    w: BlockRows,
}

impl Bench {
    fn new(simulation: &Simulation, contacts: &[Contact]) -> Bench {
        let columns = columns(simulation, contacts);
        let place = |row: u32| {
            let node = simulation.space().kept()[row as usize] as usize;
            simulation.state().positions[node].x
        };
        let mut nodes = columns.rows.clone();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.sort_by(|&a, &b| place(a).total_cmp(&place(b)));
        Bench {
            columns,
            nodes,
            dense: ByParts::default(),
            isolated: Default::default(),
            w: BlockRows::default(),
        }
    }

    fn seconds(&mut self, way: Way, factor: &Llt) -> Result<f64> {
        let (columns, w) = (&self.columns, &mut self.w);
        let (seconds, done) = match way {
            Way::Dense => time(|| self.dense.delassus(columns, factor, w)),
            Way::Isolated { kept } => {
                let own = &mut self.isolated[match kept {
                    0 => 0,
                    100 => 1,
                    _ => 2,
                }];
                if kept < 100 {
                    own.clear();
                }
                own.couple(factor, &self.nodes[..self.nodes.len() * kept / 100])?;
                time(|| own.gram(factor, columns, w))
            }
        };
        done?;
        Ok(seconds)
    }
}

/// Figure 9.
pub fn constraint_rows(plan: &ConstraintPlan) -> Result<Vec<Row>> {
    let moment = Moment::new(plan.body, plan.steps)?;
    let mut rows = Vec::new();
    let mut last = 0;
    for &count in &plan.contacts {
        let count = count.min(moment.contacts.len());
        if count > last {
            rows.extend(moment.rows("9", &moment.contacts[..count], plan.effort)?);
        }
        last = count;
    }
    Ok(rows)
}

/// Figure 10.
pub fn size_rows(plan: &SizePlan) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for &nodes in &plan.nodes {
        let moment = Moment::new(Body::Block { nodes }, 1)?;
        let found = moment.contacts.len();
        if found < plan.contacts {
            bail!("a block of {nodes} nodes has only {found} contacts");
        }
        let spread: Vec<Contact> = (0..plan.contacts)
            .map(|i| moment.contacts[i * found / plan.contacts])
            .collect();
        rows.extend(moment.rows("10", &spread, plan.effort)?);
    }
    Ok(rows)
}

/// Time of one solve with the whole factor, s: what an iteration of the unbuilt scheme costs beyond a sweep.
pub fn solve_timing(moment: &Moment, effort: Effort) -> Result<Timing> {
    let mut scratch = SolveScratch::new();
    let ones = vec![Vec3::new(1.0, 1.0, 1.0); moment.factor.symbolic().row_count()];
    let timings = interleave(1, effort, |_| {
        let mut x = ones.clone();
        let (seconds, solved) = time(|| moment.factor.solve(&mut x, &mut scratch));
        solved?;
        Ok(seconds)
    })?;
    Ok(timings[0])
}

/// The contacts of the coming step, from the middle outwards.
fn near(simulation: &Simulation, h: f64) -> Vec<Contact> {
    let (model, state) = (simulation.model(), simulation.state());
    let mut detector = Detector::new(model);
    let at = Moving {
        positions: &state.positions,
        velocities: &state.velocities,
        time: state.time,
        h,
    };
    let mut contacts = detector.detect(model, at).to_vec();
    let place = |c: &Contact| state.positions[c.nodes[0] as usize];
    let sum = (contacts.iter()).fold(Vec3::ZERO, |sum, c| sum + place(c));
    let middle = sum / contacts.len().max(1) as f64;
    contacts.sort_by(|a, b| {
        let [a, b] = [a, b].map(|c| (place(c) - middle).norm());
        a.total_cmp(&b)
    });
    contacts
}
