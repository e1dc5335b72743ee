//! One step of the method `subspace`, top to bottom. Read [`SubspaceStepper::step`] first.
//!
//! Nothing of the size of the mesh is visited while no region is active: nodes of the cubature, nodes of surfaces where contact is
//! possible, and loaded nodes are. Nodal arrays here are as long as the mesh, but only the entries that a step asks for are written.

use super::domain::{Domains, Trained};
use super::frame::Pose;
use super::known::KnownContacts;
use super::memory::Reduced;
use super::newton::{Newton, Trouble};
use super::oracle::{ContactOracle, DynamicsOracle, Oracle, ResidualOracle};
use super::patch::Patch;
use super::present::Present;
use super::problem::{Mixed, Problem};
use super::reduce::Slot;
use super::refuse::{self, SubspaceError};
use super::region::Region;
use super::residual::Sentinels;
use super::search::Search;
use super::watch::Watch;
use crate::contact::{Contact, Coupling, Detector};
use crate::drive::Loads;
use crate::integrator::Scheme;
use crate::model::Model;
use crate::reduction::ReducedSpace;
use crate::report::{Stage, StepError, StepFailure, StepReport};
use crate::settings::{Integrator, Settings};
use crate::state::State;
use crate::step::{Clock, fail};
use pliant_linalg::Vec3;
use std::collections::BTreeMap;

/// Steps a model in trained spaces; owns every buffer.
pub struct SubspaceStepper {
    pub(super) settings: Settings,
    pub(super) domains: Domains,
    /// Chunk, pack and lane of every element.
    pub(super) places: Vec<Option<[u32; 3]>>,
    pub(super) problem: Problem,
    pub(super) newton: Newton,
    pub(super) detector: Option<Detector>,
    /// Says where to look for contacts; none where all surfaces are looked at.
    pub(super) watch: Option<Watch>,
    /// Contacts that were seen in training.
    pub(super) known: KnownContacts,
    /// Contacts that act in the step, how many of them are new and come first, and the terms that they add to its equations.
    pub(super) contacts: Vec<Contact>,
    pub(super) new_contacts: usize,
    pub(super) couplings: Vec<Coupling>,
    pub(super) loads: Loads,
    /// Nodes of drives that push, ascending.
    pub(super) loaded: Vec<u32>,
    /// Drives that prescribe a node.
    pub(super) prescribed: BTreeMap<u32, Vec<usize>>,
    /// Prescribed nodes that the basis does not carry along.
    pub(super) uncarried: Vec<u32>,
    /// Nodes of bodies without a basis.
    pub(super) untrained: Vec<u32>,
    pub(super) oracles: Vec<Box<dyn Oracle>>,
    pub(super) sentinels: Option<Sentinels>,
    pub(super) search: Search,
    /// Positions and velocities at the start of the step, of the nodes that were asked for.
    pub(super) scheme: Scheme,
    /// Place of each full node of the state, counted from one; zero for the others, and the nodes that have one.
    pub(super) active: (Vec<u32>, Vec<u32>),
    /// Zero everywhere between uses.
    pub(super) mark: Vec<u32>,
    /// Poses a step before the state, at it and at the end of the step.
    pub(super) poses: [Pose; 3],
    /// What the step starts from, and will have led to.
    pub(super) memory: Reduced,
    pub(super) report: StepReport,
    pub(super) max_penetration: f64,
    pub(super) space: ReducedSpace,
    /// Length of the diagonal of the model at rest, m.
    pub(super) size: f64,
    pub(super) clock: Clock,
}

impl SubspaceStepper {
    /// A stepper for a model with trained bodies.
    pub fn new(model: &Model, settings: Settings) -> Result<SubspaceStepper, SubspaceError> {
        refuse::check(model, &settings)?;
        let own = settings.subspace;
        let domains = Domains::new(model, &model.trained, own.mass_samples);
        let places = model.elements.places(model.element_count());
        let (points, sampled) = cubature(model, &model.trained, &domains);
        let rest: Vec<Vec3> = (sampled.iter())
            .map(|s| model.rest[domains.list[s.domain as usize].node(s.place) as usize])
            .collect();
        let mut order: Vec<(u32, u32)> = points.iter().map(|p| p.0).zip(0..).collect();
        order.sort_unstable();
        let number = |e: u32, node: u32| {
            let index = order.partition_point(|&(other, _)| other < e);
            let corners = model.element_nodes[e as usize];
            let corner = corners.iter().position(|&n| n == node).unwrap_or(0);
            4 * order[index].1 + corner as u32
        };
        let patch = Patch::new(model, &places, &points, &rest, number)?;
        let present = Present::new(model, &domains, own.interface_stiffness);
        let region = Region::empty(model)?;
        let possible = model.contact.is_active(model.bodies.len());
        let detector = possible.then(|| Detector::new(model));
        let mut oracles: Vec<Box<dyn Oracle>> = vec![
            Box::new(ContactOracle),
            Box::new(DynamicsOracle {
                speed: own.calm_speed,
                acceleration: own.calm_acceleration,
            }),
        ];
        if let Some(error) = own.error {
            oracles.push(Box::new(ResidualOracle { error }));
        }
        let mut loaded: Vec<u32> = Vec::new();
        let mut prescribed: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (index, drive) in model.drives.iter().enumerate() {
            match drive.action.prescribed() {
                Some((nodes, _)) => {
                    for &node in nodes {
                        prescribed.entry(node).or_default().push(index);
                    }
                }
                None => loaded.extend(drive.action.parts().0),
            }
        }
        loaded.sort_unstable();
        loaded.dedup();
        let untrained = (0..model.node_count() as u32).filter(|&n| domains.copies(n).is_empty());
        let nodes = vec![Vec3::ZERO; model.node_count()];
        Ok(SubspaceStepper {
            uncarried: refuse::uncarried(model, &domains),
            untrained: untrained.collect(),
            sentinels: match own.error {
                Some(error) => Some(Sentinels::new(
                    model,
                    &domains,
                    &places,
                    &prescribed,
                    error,
                )?),
                None => None,
            },
            settings,
            places,
            problem: Problem::new(patch, sampled, points, region, present),
            newton: Newton::default(),
            watch: (detector.as_ref())
                .filter(|detector| detector.sees_obstacles_only())
                .map(|_| Watch::new(model, &domains, &domains.pose(0.0))),
            detector,
            known: match own.trained_contacts {
                true => KnownContacts::new(model, &model.trained, &domains),
                false => KnownContacts::default(),
            },
            contacts: Vec::new(),
            new_contacts: 0,
            couplings: Vec::new(),
            loads: Loads {
                force: nodes.clone(),
                ..Loads::default()
            },
            loaded,
            prescribed,
            oracles,
            search: Search::new(model),
            scheme: Scheme {
                base: nodes.clone(),
                velocity: nodes,
                ..Scheme::default()
            },
            active: (vec![0; model.node_count()], Vec::new()),
            mark: vec![0; model.node_count()],
            poses: Default::default(),
            memory: Reduced::default(),
            report: StepReport::default(),
            max_penetration: 0.0,
            space: ReducedSpace::nothing(model)?,
            size: model.diagonal(),
            clock: Clock::start(),
            domains,
        })
    }

    /// Adds an oracle to those that the settings ask for.
    pub fn add_oracle(&mut self, oracle: Box<dyn Oracle>) {
        self.oracles.push(oracle);
    }

    /// Advances `state` by `h`, or leaves it as it is and says why.
    pub fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        h: f64,
    ) -> Result<&StepReport, StepError> {
        self.clock = Clock::start();
        self.recall(model, state); // coordinates and regions, fitted to positions before the first step
        self.begin(state, h); // poses and kind of the step
        self.gather_loads(model, state, h); // at its end
        self.find_contacts(model, state, h); // at its start
        let chosen = self.choose_trusting(model, state); // who is full, who leaves
        let chosen = self.take_over(model, state, chosen, h)?; // coordinates of what leaves, positions of what enters
        self.set_up(model, state, &chosen, h); // the potential of the step
        self.solve(model, state)?; // positions of full nodes and coordinates
        self.check(model, state)?; // finite and not flung away
        self.remember(model, state, chosen, h); // what the step has led to
        self.fill_report(model, state, h);
        self.commit(state, h);
        self.clock.lap(Stage::ReadOut);
        self.report.times = self.clock.times;
        Ok(&self.report)
    }

    /// Kind of the step, and the poses it needs.
    fn begin(&mut self, state: &State, h: f64) {
        let integrator = self.settings.integrator;
        self.scheme.h = h;
        self.scheme.inertia = integrator != Integrator::QuasiStatic;
        self.scheme.linear = matches!(integrator, Integrator::LinearImplicit { .. });
        self.scheme.beta = match integrator {
            Integrator::LinearImplicit { beta } => beta,
            _ => 1.0,
        };
        let times = [
            state.time - self.memory.last_step,
            state.time,
            state.time + h,
        ];
        self.poses = times.map(|time| self.domains.pose(time));
        self.report.subspace = Default::default();
        self.problem.cubature.evaluations = 0;
        self.problem.region.patch.evaluations = 0;
    }

    fn solve(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        let SubspaceStepper {
            problem,
            newton,
            domains,
            settings,
            ..
        } = self;
        let own = &settings.subspace;
        let solved = match self.scheme.linear {
            true => newton.solve_linearised(model, domains, problem, own),
            false => {
                let standing = Mixed {
                    x: problem.standing(),
                    q: problem.start.clone(),
                };
                newton.solve(model, domains, problem, own, settings.newton, &standing)
            }
        };
        self.clock.lap(Stage::Solve);
        let found = solved.map_err(|trouble| {
            let failure = match trouble {
                Trouble::Element(fault) => StepFailure::element(model, fault),
                Trouble::Solve(source) => StepFailure::Solve {
                    place: "mixed system of full nodes and coordinates".into(),
                    source,
                },
                Trouble::Stalled {
                    iterations,
                    residual,
                } => StepFailure::Stalled {
                    iterations,
                    residual,
                },
            };
            fail(state, Stage::Solve, failure)
        })?;
        if self.scheme.linear {
            // energies at the end of the step, and whether it can go on from there
            let ended = self.problem.evaluate(model, &self.domains);
            ended
                .map_err(|fault| fail(state, Stage::Advance, StepFailure::element(model, fault)))?;
        }
        self.report.solve = found.solve;
        self.report.linear_iterations = found.linear_iterations;
        self.report.newton_iterations = found.iterations;
        self.report.newton_residual = found.residual;
        Ok(())
    }

    /// Time since the last call goes to a stage.
    pub(super) fn lap(&mut self, stage: Stage) {
        self.clock.lap(stage);
    }

    /// The coordinates of all domains, and how many there are.
    pub fn rank(&self) -> usize {
        self.domains.rank
    }
}

/// Elements and weights of all cubature, domain by domain, and the copies of nodes that their corners are.
fn cubature(model: &Model, trained: &[Trained], domains: &Domains) -> (Vec<(u32, f64)>, Vec<Slot>) {
    let mut points = Vec::new();
    for Trained { model: own, .. } in trained {
        let Some(body) = model.bodies.iter().find(|b| b.name == own.body) else {
            continue; // refused before
        };
        let all = own.domains.iter().flat_map(|d| &d.cubature);
        points.extend(all.map(|&(e, w)| (body.elements.start as u32 + e, w)));
    }
    let slot = |e: u32, node: u32| {
        let domain = domains.domain_of[e as usize];
        Slot {
            domain,
            place: domains.copy_in(node, domain).unwrap_or(0), // its own domain has it
            frame: super::frame::Frame::IDENTITY,
            offset: Vec3::ZERO,
        }
    };
    let corners = points.iter().flat_map(|&(e, _)| {
        let nodes = model.element_nodes[e as usize];
        nodes.map(|node| slot(e, node))
    });
    let slots = corners.collect();
    (points, slots)
}
