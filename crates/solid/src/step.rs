//! One step, top to bottom. Read [`Stepper::step`] first.
//!
//! The unknown is the velocity at the end of the step. Nothing in the state changes before the step has succeeded.

mod delay;
mod evaluation;
mod interface;
mod linear;
mod repeat;
mod response;

use crate::assembly::{ElementTangents, Follow, Forces, RotationPack};
use crate::constraint::{NearRows, Resolver};
use crate::contact::{Coupling, Response, Touch};
use crate::drive::Loads;
use crate::integrator::Scheme;
use crate::joint::{JointLoads, JointRows};
use crate::model::Model;
use crate::readout;
use crate::reduction::{ReducedSpace, Reduction, StepContext, StepOutcome};
use crate::report::{Stage, StageTimes, StepError, StepFailure, StepReport};
use crate::rigid::{Mobility, RigidState, RigidStep};
use crate::settings::{Integrator, Settings};
use crate::solver::{LinearSolver, StepStart};
use crate::state::{Previous, State};
use crate::strategy::{Method, Parts};
use crate::system::{Form, System};
use pliant_linalg::{SolveError, Vec3};
use repeat::Rest;
use std::time::Instant;

/// Most diagonals of the model that a node may move in a step.
pub(crate) const FARTHEST: f64 = 1e3;

/// Steps a model; owns every buffer, so that a step allocates nothing once all sizes are known.
pub struct Stepper {
    pub(crate) settings: Settings,
    pub(crate) reduction: Box<dyn Reduction>,
    pub(crate) solver: Box<dyn LinearSolver>,
    pub(crate) scheme: Scheme,
    pub(crate) loads: Loads,
    pub(crate) activations: Vec<f64>,
    pub(crate) system: System,
    pub(crate) forces: Forces,
    /// Elastic energies of chunks of elements.
    pub(crate) energies: Vec<f64>,
    /// Positions and activations at which `forces` was evaluated, and chunks that were.
    evaluated: (Vec<Vec3>, Vec<f64>, Vec<Vec<u32>>),
    /// How rotations are followed, and those at the end of the step.
    follow: Option<Follow>,
    rotations: Vec<RotationPack>,
    /// Contacts of the step, and all its constraints.
    pub(crate) touch: Touch,
    pub(crate) resolver: Resolver,
    /// Whether the velocities they start from contain impulses of the step before.
    foresees: bool,
    /// How often, at most, they are solved again with velocities that obey the present matrix, where the factor is older, and the
    /// relative residual that is not worth it.
    corrections: (u32, f64),
    near: NearRows,
    /// Nodes that joints hold.
    joined: Vec<u32>,
    /// Joints among them, and those that are loads.
    pub(crate) joints: JointRows,
    pub(crate) joint_loads: JointLoads,
    /// Their impulses on the nodes, which Newton's method holds; empty where it need not.
    pub(crate) held_impulses: Vec<Vec3>,
    /// Rigid bodies during the step, and at its end.
    pub(crate) rigid: RigidStep,
    pub(crate) rigid_end: RigidState,
    /// Tangents at the start of the step, for the damping force, and whether they are there.
    start_tangents: (ElementTangents, bool),
    /// Diagonal blocks, one a node.
    diagonal: Vec<[f64; 8]>,
    /// Reduced velocity.
    pub(crate) z: Vec<Vec3>,
    /// Full velocity and position at the end of the step.
    pub(crate) v: Vec<Vec3>,
    pub(crate) x: Vec<Vec3>,
    /// Nodal work vector.
    pub(crate) nodal: Vec<Vec3>,
    /// Reduced work vector.
    pub(crate) residual: Vec<Vec3>,
    /// What old factors have left of each body with rows, relative.
    delays: Vec<f64>,
    /// Damping force C v.
    pub(crate) damping: Vec<Vec3>,
    pub(crate) newton: crate::newton::Workspace,
    pub(crate) report: StepReport,
    /// What acted in the last step, if nothing moved in it.
    rest: Option<Rest>,
    /// Mechanical energy at the start of the simulation, J.
    pub(crate) initial_energy: f64,
    /// Length of the diagonal of the model at rest, m.
    pub(crate) size: f64,
    clock: Clock,
}

impl Stepper {
    /// A stepper for one model.
    pub fn new(model: &Model, settings: Settings, method: Method) -> Result<Stepper, SolveError> {
        let Parts {
            reduction,
            solver,
            follow,
            compliance,
            foresees,
            corrections,
        } = method.parts(model, &settings)?;
        let nodes = vec![Vec3::ZERO; model.node_count()];
        let system = System::new(model, reduction.space(), solver.form());
        let rotations = match follow {
            Some(_) => vec![RotationPack::IDENTITY; model.elements.packs.len()],
            None => Vec::new(),
        };
        Ok(Stepper {
            settings,
            reduction,
            solver,
            scheme: Scheme::default(),
            loads: Loads::default(),
            activations: Vec::new(),
            system,
            forces: Forces::default(),
            energies: Vec::new(),
            evaluated: Default::default(),
            follow,
            rotations,
            touch: Touch::new(model),
            resolver: Resolver::new(compliance),
            foresees,
            corrections,
            near: NearRows::new(model),
            joined: Vec::new(),
            joints: JointRows::default(),
            joint_loads: JointLoads::default(),
            held_impulses: Vec::new(),
            rigid: RigidStep::default(),
            rigid_end: RigidState::initial(&model.rigid),
            start_tangents: Default::default(),
            diagonal: Vec::new(),
            z: Vec::new(),
            v: nodes.clone(),
            x: nodes.clone(),
            nodal: nodes.clone(),
            residual: Vec::new(),
            delays: Vec::new(),
            damping: nodes,
            newton: Default::default(),
            report: StepReport::default(),
            rest: None,
            initial_energy: 0.0,
            size: model.diagonal(),
            clock: Clock::start(),
        })
    }

    /// Advances `state` by `h`, or leaves it as it is and says why.
    pub fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        h: f64,
    ) -> Result<&StepReport, StepError> {
        self.clock = Clock::start();
        self.start_tangents.1 = false;
        self.gather_drives(model, state, h); // loads and activations at the end of the step
        if self.repeats(model, state, h) {
            return Ok(self.repeat(state, h)); // everything sleeps, and nothing has changed
        }
        check_finite(model, state, &state.positions, &state.velocities)?;
        self.scheme.begin(self.settings.integrator, state, h); // x̃, ṽ and ĥ
        self.recall(model, state)?; // what the method has chosen so far
        self.begin_rigid(model, state, h)?; // rigid bodies as if nothing held them
        self.find_constraints(model, state, h); // contacts at the start of the step, attachments
        self.note_initial_energy(model, state)?;
        self.adapt(model, state, h)?; // which velocities are free: v = G z + b
        self.begin_solver(model, state)?; // a factor that was made in the background, if one is due
        if self.scheme.linear {
            self.solve_linearised(model, state)?; // one linear system for z
            self.resolve_constraints(model, state, true)?; // impulses that make z obey the constraints
            self.correct_delay(model, state)?; // what an old factor has left
        } else {
            self.solve_newton_and_constraints(model, state)?; // Newton's method on z, in turns with them
        }
        self.filter_friction(model, state)?; // of penalty contacts, where it is asked for
        self.advance(model, state)?; // v = G z + b, x⁺ = x̃ + ĥ v

        self.evaluate_with_stress(model, state)?; // refuses positions without usable forces
        readout::fill_report(self, model, state, h);
        self.note_rest(model, state, h);
        self.commit(state, h);
        self.clock.lap(Stage::ReadOut);
        self.report.times = self.clock.times;
        Ok(&self.report)
    }

    /// The space of the present step.
    pub fn space(&self) -> &ReducedSpace {
        self.reduction.space()
    }

    /// Contacts of the last step that push; penalties always do.
    pub(crate) fn pushing_contacts(&self, model: &Model) -> usize {
        let contacts = self.touch.contacts().len();
        let constrained = self.resolver.impulses.iter().take(contacts);
        match model.contact.response {
            Response::Penalty => contacts,
            Response::Constraint => constrained.filter(|impulse| impulse.x > 0.0).count(),
        }
    }

    fn gather_drives(&mut self, model: &Model, state: &State, h: f64) {
        let end = state.time + h;
        self.loads.gather(model, &state.positions, end, h);
        self.joint_loads.gather(model, state, end, &mut self.loads);
        self.activations.clear();
        self.activations
            .extend(model.activations.iter().map(|a| a.at(end)));
    }

    fn begin_rigid(&mut self, model: &Model, state: &State, h: f64) -> Result<(), StepError> {
        if model.rigid.bodies.is_empty() {
            return Ok(());
        }
        let integrator = self.settings.integrator;
        if matches!(integrator, Integrator::Bdf2 | Integrator::QuasiStatic) {
            let moves = |m: &Mobility| matches!(m, Mobility::Free | Mobility::Link { .. });
            let bodies = &model.rigid.bodies;
            if let Some(body) = bodies.iter().find(|b| moves(&b.mobility)) {
                let body = body.name.clone();
                return Err(fail(
                    state,
                    Stage::Adapt,
                    StepFailure::RigidIntegrator { body },
                ));
            }
        }
        let loads = &self.joint_loads.wrenches;
        self.rigid.begin(
            &model.rigid,
            &state.rigid,
            model.gravity,
            loads,
            state.time,
            h,
        );
        Ok(())
    }

    fn find_constraints(&mut self, model: &Model, state: &State, h: f64) {
        self.clock.lap(Stage::Adapt);
        self.touch.find(model, state, &self.scheme, &self.loads, h);
        let set = &mut self.touch.set;
        (self.joints).constrain(model, state, &self.scheme, &self.rigid, h, set);
        self.resolver
            .begin(set, &state.constraint_forces, self.scheme.h);
        self.report.constraint_passes = 0;
        self.held_impulses.clear();
        self.clock.lap(Stage::Detect);
    }

    fn recall(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        let begun = (self.reduction).begin(model, state, &mut self.forces, &self.activations);
        begun.map_err(|source| self.solve_error(model, state, Stage::Adapt, source))
    }

    fn adapt(&mut self, model: &Model, state: &State, h: f64) -> Result<(), StepError> {
        if self.reduction.predicts() {
            self.evaluate(model, state, &state.positions)?;
            self.prepare_start_tangents(model, state);
        }
        let mut context = StepContext {
            model,
            scheme: &self.scheme,
            rigid: &self.rigid,
            step: state.step,
            end_time: state.time + h,
            cliques: match self.solver.form() {
                Form::Matrix | Form::Stiffness => &self.touch.cliques,
                Form::Bodies | Form::Elements => &[],
            },
            loads: &self.loads,
            couplings: &self.touch.couplings,
            set: &self.touch.set,
            impulses: &self.resolver.impulses,
            activations: &self.activations,
            forces: &mut self.forces,
            tangents: &self.start_tangents.0,
        };
        let adapted = self.reduction.adapt(&mut context);
        adapted.map_err(|source| self.solve_error(model, state, Stage::Adapt, source))?;
        let space = self.reduction.space();
        if self.system.revision != space.revision() {
            self.start_tangents.1 &= self.evaluated.2 == space.chunks();
            self.system = System::new(model, space, self.solver.form());
        }
        self.resolver.set_aside(&self.touch.set, space);
        self.z.resize(space.row_count(), Vec3::ZERO);
        space.first_guess(&self.scheme.velocity, &mut self.z);
        for (body, part) in self.system.bodies.iter_mut().enumerate() {
            part.island = self.touch.islands[body];
            part.fresh = self.touch.fresh[body];
        }
        self.clock.lap(Stage::Adapt);
        Ok(())
    }

    fn begin_solver(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        let space = self.reduction.space();
        if self.solver.wants_near() {
            self.near.find(&self.touch.set, space);
        }
        self.touch.set.joined_nodes(&mut self.joined);
        let start = StepStart {
            model,
            space,
            h: self.scheme.h,
            positions: &state.positions,
            memory: &state.factors,
            near: &self.near.rows,
            joined: &self.joined,
            activity: &state.activity,
            linear: self.scheme.linear,
        };
        let begun = self.solver.begin(&start);
        begun.map_err(|source| self.solve_error(model, state, Stage::Factor, source))?;
        self.clock.lap(Stage::Factor);
        Ok(())
    }

    /// The base of the energy balance, once.
    fn note_initial_energy(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        self.initial_energy = match state.ledger.initial_energy {
            Some(energy) => energy,
            None => {
                self.evaluate(model, state, &state.positions)?;
                let (x, v) = (&state.positions, &state.velocities);
                let elastic = self.forces.energy;
                let (energies, _) =
                    readout::energies_and_momenta(model, x, v, &state.rigid, elastic);
                energies.mechanical()
            }
        };
        Ok(())
    }

    /// (M + ĥC + βĥ²H) v = M ṽ + ĥ f(x), restricted to the space.
    fn solve_linearised(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        self.evaluate(model, state, &state.positions)?;
        let h = self.scheme.h;
        readout::external_forces(model, &self.loads, &state.positions, &mut self.nodal);
        for (i, r) in self.nodal.iter_mut().enumerate() {
            *r = self.scheme.velocity[i] * model.mass[i] + *r * h;
        }
        let couplings = &self.touch.couplings;
        push(&mut self.nodal, couplings.iter().filter(|c| c.external));
        let space = self.reduction.space();
        space.restrict(&self.nodal, &mut self.system.external);
        push(&mut self.nodal, couplings.iter().filter(|c| !c.external));
        for (r, &elastic) in self.nodal.iter_mut().zip(&self.forces.nodal) {
            *r += elastic * h;
        }
        self.guess(model, &state.positions);
        self.clock.lap(Stage::Forces);
        let rotations = self.known_rotations(state);
        self.assemble(model, &state.positions, rotations, true);
        self.foresee();
        self.clock.lap(Stage::Assemble);
        self.factor_and_solve(model, state)?;
        self.report.newton_iterations = 1;
        self.report.newton_residual = self.report.solve.relative_residual;
        self.report.linear_iterations = self.report.solve.iterations;
        Ok(())
    }

    pub(crate) fn lap(&mut self, stage: Stage) {
        self.clock.lap(stage);
    }

    /// Positions and velocities at the end of the step; refuses what is not finite.
    fn advance(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        self.reduction.space().prolong(&self.z, &mut self.v);
        self.scheme.positions(&self.v, &mut self.x);
        self.take_shift(model, state)?;
        let outcome = StepOutcome {
            z: &self.z,
            h: self.scheme.h,
            start: &state.positions,
        };
        self.reduction.carry(&outcome, &mut self.x, &mut self.v);
        if !self.scheme.inertia {
            self.v.fill(Vec3::ZERO); // a sequence of equilibria has no velocity
        }
        self.advance_rigid(model, state);
        model.carry(&self.rigid_end, &mut self.x, &mut self.v);
        self.clock.lap(Stage::Advance);
        check_finite(model, state, &self.x, &self.v)?;
        self.check_reach(model, state)?;
        (self.reduction).observe(model, state, &self.x, self.scheme.h);
        self.clock.lap(Stage::Adapt);
        Ok(())
    }

    /// Poses at the end of the step.
    fn advance_rigid(&mut self, model: &Model, state: &State) {
        if !model.rigid.bodies.is_empty() {
            (self.rigid).finish(&model.rigid, &state.rigid, &mut self.rigid_end);
        }
    }

    /// Refuses a step that flings nodes far out of the scene: finite, but no motion any more.
    fn check_reach(&self, model: &Model, state: &State) -> Result<(), StepError> {
        let moved = |(x, start): (&Vec3, &Vec3)| (*x - *start).norm_squared();
        let most = (FARTHEST * self.size).powi(2);
        let mut distances = self.x.iter().zip(&state.positions).map(moved);
        let Some(node) = distances.position(|distance| distance > most) else {
            return Ok(());
        };
        let body = model.body_of_node(node);
        let failure = StepFailure::Diverged {
            body: body.map_or_else(String::new, |b| b.name.clone()),
            node: node - body.map_or(0, |b| b.nodes.start),
            distance: moved((&self.x[node], &state.positions[node])).sqrt(),
        };
        Err(fail(state, Stage::Advance, failure))
    }

    pub(crate) fn solve_error(
        &self,
        model: &Model,
        state: &State,
        stage: Stage,
        source: SolveError,
    ) -> StepError {
        let row = match source {
            SolveError::NotPositiveDefinite { node, .. } => self.space().kept().get(node),
            _ => None,
        };
        let place = row.and_then(|&node| {
            let body = model.body_of_node(node as usize)?;
            Some(format!(
                "body `{}`, node {}",
                body.name,
                node as usize - body.nodes.start
            ))
        });
        fail(
            state,
            stage,
            StepFailure::Solve {
                place: place.unwrap_or_else(|| "linear system".into()),
                source,
            },
        )
    }

    /// The only place where the state changes.
    fn commit(&mut self, state: &mut State, h: f64) {
        if self.settings.integrator == Integrator::Bdf2 {
            let previous = state.previous.get_or_insert_with(|| Previous {
                h,
                positions: state.positions.clone(),
                velocities: state.velocities.clone(),
            });
            previous.h = h;
            previous.positions.copy_from_slice(&state.positions);
            previous.velocities.copy_from_slice(&state.velocities);
        }
        if self.follow.is_some() {
            std::mem::swap(&mut state.rotations, &mut self.rotations);
            // after the first step the state's were empty
            self.rotations
                .resize(state.rotations.len(), RotationPack::IDENTITY);
        } else {
            state.rotations.clear(); // they would no longer belong to the positions
        }
        state.positions.copy_from_slice(&self.x);
        state.velocities.copy_from_slice(&self.v);
        std::mem::swap(&mut state.rigid, &mut self.rigid_end);
        self.rigid_end.clone_from(&state.rigid);
        (self.resolver).remember(&self.touch.set, self.scheme.h, &mut state.constraint_forces);
        state.factors = self.solver.memory();
        state.activity = self.solver.activity();
        match self.reduction.rigidity() {
            Some(rigidity) => state.rigidity = rigidity,
            None if state.rigidity.clump_of.is_empty() => {}
            None => state.rigidity = Default::default(), // another method's
        }
        if !state.subspace.coordinates.is_empty() {
            state.subspace = Default::default(); // another method's too
        }
        state.ledger = readout::ledger(&self.report, self.initial_energy);
        self.tick(state, h);
    }

    fn tick(&mut self, state: &mut State, h: f64) {
        state.time += h;
        state.step += 1;
        self.report.step = state.step;
        self.report.time = state.time;
    }
}

/// Adds the impulses of contacts at rest relative to each other.
fn push<'a>(nodal: &mut [Vec3], couplings: impl Iterator<Item = &'a Coupling>) {
    for coupling in couplings {
        for (node, w) in coupling.ends() {
            nodal[node] += coupling.impulse * w;
        }
    }
}

/// Refuses positions and velocities that are not finite.
fn check_finite(model: &Model, state: &State, x: &[Vec3], v: &[Vec3]) -> Result<(), StepError> {
    let bad = x
        .iter()
        .zip(v)
        .position(|(x, v)| !x.is_finite() || !v.is_finite());
    let Some(node) = bad else { return Ok(()) };
    let body = model.body_of_node(node);
    let failure = StepFailure::NonFinite {
        body: body.map_or_else(String::new, |b| b.name.clone()),
        node: node - body.map_or(0, |b| b.nodes.start),
    };
    Err(fail(state, Stage::Advance, failure))
}

/// An error about the step that starts at `state`.
pub(crate) fn fail(state: &State, stage: Stage, failure: StepFailure) -> StepError {
    StepError {
        step: state.step + 1,
        time: state.time,
        stage,
        failure,
    }
}

/// Attributes the time between laps to stages.
pub(crate) struct Clock {
    last: Instant,
    pub(crate) times: StageTimes,
}

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock {
            last: Instant::now(),
            times: StageTimes::default(),
        }
    }

    pub(crate) fn lap(&mut self, stage: Stage) {
        let now = Instant::now();
        self.times.add(stage, now - self.last);
        self.last = now;
    }
}
