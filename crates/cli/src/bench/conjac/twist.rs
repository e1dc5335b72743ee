//! TWIST of [WKS20] beside `full`: corrections, placement and number of dynamic nodes; and a bar that is twisted at once.

use super::Row;
use super::beside::{Candidate, rows as beside};
use super::case::{Body, Case, Way, extent};
use anyhow::Result;
use pliant_linalg::testing::Random;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::{EdgeGraph, farthest_nodes};
use pliant_solid::drive::{Action, Drive, Motion, Turn};
use pliant_solid::profile::Profile;
use pliant_solid::strategy::Method;
use serde_json::{Value, json};

/// What is compared.
pub struct Plan {
    pub body: Body,
    /// Steps of the scene that are taken.
    pub steps: usize,
    pub corrections: Vec<u32>,
    pub placements: Vec<Placement>,
    /// Dynamic nodes that are placed at random, and how often.
    pub random_nodes: Vec<usize>,
    pub seeds: u64,
    /// Steps of the bar that is twisted at once; of them the reading of the angle is drawn.
    pub torsion_steps: usize,
}

/// Where the paper has its dynamic nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Placement {
    /// So many on the axis.
    Axis(usize),
    /// At the corners of so many slices, four each.
    Slices(usize),
}

impl Placement {
    /// The six of the paper.
    pub const ALL: [Placement; 6] = [
        Placement::Axis(1),
        Placement::Axis(2),
        Placement::Axis(4),
        Placement::Slices(2),
        Placement::Slices(4),
        Placement::Slices(8),
    ];

    fn name(self) -> &'static str {
        match self {
            Placement::Axis(_) => "axis",
            Placement::Slices(_) => "slices",
        }
    }

    fn nodes(self, case: &Case) -> Vec<u32> {
        let points: Vec<Vec3> = match self {
            Placement::Axis(count) => (stations(count).iter())
                .map(|&x| vec3(x, 0.015, 0.015))
                .collect(),
            Placement::Slices(count) => {
                let corners = [(0.0, 0.0), (0.03, 0.0), (0.0, 0.03), (0.03, 0.03)];
                let slice = |&x: &f64| corners.map(|(y, z)| vec3(x, y, z));
                stations(count).iter().flat_map(slice).collect()
            }
        };
        let mut nodes: Vec<u32> = points.iter().map(|&p| case.nearest(p)).collect();
        nodes.dedup(); // on a mesh that is too coarse for all of them
        nodes
    }
}

/// Where nodes or slices are along the bar, m: as evenly as its 20 cells allow.
fn stations(count: usize) -> &'static [f64] {
    match count {
        1 => &[0.05],
        2 => &[0.035, 0.065],
        4 => &[0.02, 0.04, 0.06, 0.08],
        _ => &[0.01, 0.02, 0.035, 0.045, 0.055, 0.065, 0.08, 0.09],
    }
}

/// Rows of all parts, and the angles of the bar that is twisted at once: names, times and values.
pub fn rows(plan: &Plan) -> Result<(Vec<Row>, Vec<Curve>)> {
    let case = Case::new(plan.body)?;
    let mut candidates = corrected(&case, plan);
    candidates.extend(plan.placements.iter().map(|&p| placed(&case, p, "nodes")));
    candidates.extend(spread(&case, plan));
    let (mut rows, _) = beside(&case, &candidates, plan.steps, |_| 0.0)?;
    let (torsion, curves) = torsion(case, plan)?;
    rows.extend(torsion);
    Ok((rows, curves))
}

fn candidate(case: &Case, facts: Value, order: Vec<u32>) -> Candidate {
    Candidate {
        facts,
        way: case.way(Method::Conjac, order.len()),
        order,
    }
}

fn placed(case: &Case, placement: Placement, part: &str) -> Candidate {
    let facts = json!({ "part": part, "placement": placement.name() });
    candidate(case, facts, placement.nodes(case))
}

/// The scene's own nodes with more and more corrections.
fn corrected(case: &Case, plan: &Plan) -> Vec<Candidate> {
    let with = |&corrections: &u32| {
        let plain = candidate(case, json!({ "part": "corrections" }), case.order.clone());
        let mut conjac = plain.way.conjac;
        conjac.corrections = corrections;
        Candidate {
            way: Way {
                conjac,
                ..plain.way
            },
            ..plain
        }
    };
    plan.corrections.iter().map(with).collect()
}

/// Nodes as far apart as possible, and nodes at random.
fn spread(case: &Case, plan: &Plan) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let free = case.free_nodes();
    let (movable, held): (Vec<u32>, Vec<u32>) =
        (0..free.len() as u32).partition(|&node| free[node as usize]);
    let graph = EdgeGraph::new(&case.model.rest, case.model.element_nodes.iter());
    for &count in &plan.random_nodes {
        let farthest = farthest_nodes(&graph, &[], &held, count);
        let facts = json!({ "part": "placement", "placement": "farthest" });
        candidates.push(candidate(case, facts, farthest));
        for seed in 1..=plan.seeds {
            let mut random = Random::new(seed);
            let mut chosen: Vec<u32> = Vec::new();
            while chosen.len() < count.min(movable.len()) {
                let node = movable[random.below(movable.len())];
                if !chosen.contains(&node) {
                    chosen.push(node);
                }
            }
            let facts = json!({ "part": "placement", "placement": "random", "seed": seed });
            candidates.push(candidate(case, facts, chosen));
        }
    }
    candidates
}

/// Name, and (time, angle in degrees).
pub type Curve = (String, Vec<(f64, f64)>);

/// Time in which the end is turned, s, and by how much, rad.
const RAMP: f64 = 0.05;
const ANGLE: f64 = std::f64::consts::FRAC_PI_2;

/// The end is turned by a quarter of a turn at once and held; a wave runs along the bar. Rows tell how far the middle turns beyond
/// where it comes to rest, beside `full`.
fn torsion(mut case: Case, plan: &Plan) -> Result<(Vec<Row>, Vec<Curve>)> {
    let (low, high) = extent(&case.model.rest);
    let length = high.x - low.x;
    case.model.gravity = Vec3::ZERO;
    let motion = Motion {
        twist: Some(Turn {
            axis: vec3(1.0, 0.0, 0.0),
            centre: (low + vec3(low.x, high.y, high.z)) * 0.5,
            angle: Profile::Keyframes {
                keys: vec![(0.0, 0.0), (RAMP, ANGLE / length)],
                smooth: true,
            },
        }),
        ..Motion::default()
    };
    let moved = |drive: &&mut Drive| drive.name == "moved end";
    for drive in case.model.drives.iter_mut().filter(moved) {
        if let Action::Prescribe { motion: own, .. } = &mut drive.action {
            own.clone_from(&motion);
        }
    }
    let candidates: Vec<Candidate> = (plan.placements.iter())
        .map(|&placement| placed(&case, placement, "torsion"))
        .collect();
    let section = Section::new(&case, 0.5 * (low.x + high.x));
    let h = case.settings.h;
    let (mut rows, angles) = beside(&case, &candidates, plan.torsion_steps, |x| section.angle(x))?;
    // by symmetry the middle ends at half the angle; what goes beyond is the wave
    let settled = 0.5 * ANGLE;
    let overshoot = |angles: &[f64]| angles.iter().fold(0.0f64, |most, a| most.max(a - settled));
    let reference = overshoot(&angles[0]);
    for (row, own) in rows.iter_mut().zip(&angles[1..]) {
        let pairs = own.iter().zip(&angles[0]);
        let squares: f64 = pairs.map(|(a, b)| (a - b) * (a - b)).sum();
        let rms = (squares / own.len().max(1) as f64).sqrt();
        row.extend(super::row(json!({
            "angle_rms_error": rms / settled,
            "overshoot_degrees": overshoot(own).to_degrees(),
            "overshoot_full_degrees": reference.to_degrees(),
            "wave": overshoot(own) / reference,
        })));
    }
    let names = std::iter::once("full".to_string());
    let names = names.chain(candidates.iter().map(|candidate| {
        let placement = candidate.facts["placement"].as_str().unwrap_or_default();
        format!("{} ({placement})", candidate.way.nodes)
    }));
    let curve = |angles: Vec<f64>| {
        let timed = angles.into_iter().enumerate();
        timed
            .map(|(step, angle)| ((step + 1) as f64 * h, angle.to_degrees()))
            .collect()
    };
    Ok((rows, names.zip(angles.into_iter().map(curve)).collect()))
}

/// The nodes of a slice of a bar along x.
struct Section {
    nodes: Vec<usize>,
    /// From their middle at rest, m.
    arms: Vec<Vec3>,
}

impl Section {
    /// Those nearest to a station.
    fn new(case: &Case, x: f64) -> Section {
        let rest = &case.model.rest;
        let nearest = rest
            .iter()
            .map(|p| (p.x - x).abs())
            .fold(f64::INFINITY, f64::min);
        let inside = |&n: &usize| (rest[n].x - x).abs() < nearest + 1e-9;
        let nodes: Vec<usize> = (0..rest.len()).filter(inside).collect();
        Section {
            arms: arms(&nodes, rest),
            nodes,
        }
    }

    /// How far it has turned about x, rad.
    fn angle(&self, positions: &[Vec3]) -> f64 {
        let (mut sine, mut cosine) = (0.0, 0.0);
        for (a, b) in self.arms.iter().zip(arms(&self.nodes, positions)) {
            sine += a.y * b.z - a.z * b.y;
            cosine += a.y * b.y + a.z * b.z;
        }
        sine.atan2(cosine)
    }
}

fn arms(nodes: &[usize], positions: &[Vec3]) -> Vec<Vec3> {
    let sum = nodes.iter().fold(Vec3::ZERO, |sum, &n| sum + positions[n]);
    let middle = sum / nodes.len().max(1) as f64;
    nodes.iter().map(|&n| positions[n] - middle).collect()
}
