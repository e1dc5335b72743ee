//! One step, top to bottom. Read [`Stepper::step`] first.
//!
//! The unknown is the velocity at the end of the step. Nothing in the state changes before the step has succeeded.

use crate::assembly::{
    ElementTangents, Follow, FollowedRotations, Forces, RotationPack, TangentInput, TangentWeights,
    assemble_tangent,
};
use crate::constraint::{NearRows, Resolver};
use crate::contact::{ContactReadout, Coupling, PenaltyFriction, Response, Touch, filter_friction};
use crate::drive::Loads;
use crate::integrator::Scheme;
use crate::joint::{JointLoads, JointRows, Settling};
use crate::model::Model;
use crate::readout;
use crate::reduction::{NO_CLUMP, ReducedSpace, Reduction, StepContext, StepOutcome};
use crate::report::{Stage, StageTimes, StepError, StepFailure, StepReport};
use crate::rigid::{Mobility, RigidState, RigidStep};
use crate::settings::{Guess, Integrator, Settings};
use crate::solver::{LinearSolver, StepStart};
use crate::state::{Previous, State};
use crate::stepping::Stepping;
use crate::strategy::{Method, Parts};
use crate::system::{Form, Freedom, System, SystemOperator};
use pliant_linalg::reduce::norm_squared;
use pliant_linalg::{LinearOperator, Mat3, SMALLEST_PART, SolveError, Vec3};
use std::ops::Range;
use std::time::Instant;

/// Most diagonals of the model that a node may move in a step.
pub(crate) const FARTHEST: f64 = 1e3;

/// How often contacts that the response closes are added.
const MAX_CHOICES: usize = 4;

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
        check_finite(model, state, &state.positions, &state.velocities)?;
        self.scheme.begin(self.settings.integrator, state, h); // x̃, ṽ and ĥ
        self.gather_drives(model, state, h); // loads and activations at the end of the step
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
                let mut energies = readout::energies(model, x, v, self.forces.energy);
                readout::add_rigid_energies(model, &state.rigid, &mut energies);
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

    /// The first guess: a share of ṽ, turned with bodies that spin, and a share of what the impulses in `nodal` would add.
    fn guess(&mut self, model: &Model, positions: &[Vec3]) {
        let (Guess { velocity, force }, turn) = self.solver.guess();
        if (velocity, force, turn) == (1.0, 0.0, false) {
            return; // z holds it already
        }
        self.v.copy_from_slice(&self.scheme.velocity);
        if turn {
            for (body, part) in model.bodies.iter().zip(&self.system.bodies) {
                if part.freedom != Freedom::Held {
                    let nodes = body.nodes.clone();
                    let mass = &model.mass[nodes.clone()];
                    turn_velocities(
                        mass,
                        &positions[nodes.clone()],
                        &mut self.v[nodes],
                        self.scheme.h,
                    );
                }
            }
        }
        for (i, guess) in self.v.iter_mut().enumerate() {
            let gained = self.nodal[i] / model.mass[i] - self.scheme.velocity[i];
            *guess = *guess * velocity + gained * force;
        }
        self.reduction.space().first_guess(&self.v, &mut self.z);
    }

    /// Lets the velocities contain the impulses of the step before, so that constraints and old factors have only their change to
    /// deal with.
    fn foresee(&mut self) {
        if self.foresees && !self.touch.set.is_empty() {
            let (set, space) = (&self.touch.set, self.reduction.space());
            (self.resolver).foresee(set, space, &mut self.rigid, &mut self.system.foreseen);
            let pairs = self.system.rhs.iter_mut().zip(&self.system.foreseen);
            pairs.for_each(|(rhs, &impulse)| *rhs += impulse);
        }
    }

    /// Fills the system: the matrix at positions `x`, and the restriction of `nodal` (minus A b) as right-hand side.
    pub(crate) fn assemble(
        &mut self,
        model: &Model,
        x: &[Vec3],
        rotations: &[RotationPack],
        with_drift: bool,
    ) {
        let Scheme {
            h, beta, inertia, ..
        } = self.scheme;
        let space = self.reduction.space();
        let system = &mut self.system;
        let input = TangentInput {
            positions: x,
            activations: &self.activations,
            rotations,
        };
        let apart = system.form == Form::Stiffness;
        (system.beta, system.damping_weight) = (beta, if inertia { h } else { 0.0 });
        system.weights = TangentWeights {
            stiffness: beta * h * h,
            damping: if apart { 0.0 } else { system.damping_weight },
        };
        let drift = if with_drift { space.drift() } else { None };
        system.foreseen.clear();
        system.keep_drift(drift.filter(|_| apart));
        space.restrict(&self.nodal, &mut system.rhs);
        system.fill_nodes(
            model,
            space,
            x,
            &self.loads,
            &self.touch.couplings,
            &self.scheme,
        );
        let by_elements = system.form == Form::Elements;
        if !by_elements || self.solver.wants_matrix() {
            system.matrix.set_zero();
            let (matrix, rhs, row_of) = match (&mut system.unfolded, space.slaves()) {
                (Some((matrix, rhs)), Some(slaves)) => {
                    matrix.set_zero();
                    rhs.fill(Vec3::ZERO);
                    (matrix, rhs, slaves.row_of())
                }
                _ if apart => (&mut system.matrix, &mut system.pull, space.row_of()),
                _ => (&mut system.matrix, &mut system.rhs, space.row_of()),
            };
            let (scatter, drift) = (space.scatter(), drift.filter(|_| !by_elements));
            assemble_tangent(
                &model.elements,
                input,
                system.weights,
                scatter,
                row_of,
                drift,
                matrix,
                rhs,
            );
            system.complete_matrix(space);
        }
        let all = &model.elements.colours;
        if apart && model.elements.has_stiffness_damping {
            system.tangents.prepare(&model.elements, all, input);
        }
        if by_elements {
            system.tangents.prepare(&model.elements, all, input);
            system.fill_diagonal(space, &mut self.diagonal);
            if let Some(drift) = drift {
                let known = &mut self.damping;
                known.fill(Vec3::ZERO);
                (system.tangents).add_product(&model.elements, all, system.weights, drift, known);
                for (rhs, &node) in system.rhs.iter_mut().zip(space.kept()) {
                    *rhs -= known[node as usize];
                }
            }
        }
        if let Some(drift) = drift {
            system.subtract_coupled_drift(space, &self.touch.couplings, drift);
        }
        space.mask(&mut system.rhs);
        if !system.pull.is_empty() {
            space.mask(&mut system.pull);
        }
    }

    /// Solves the system for `z`, started from what `z` holds.
    pub(crate) fn factor_and_solve(
        &mut self,
        model: &Model,
        state: &State,
    ) -> Result<(), StepError> {
        let prepared = self.solver.prepare(&self.system);
        prepared.map_err(|source| self.solve_error(model, state, Stage::Factor, source))?;
        self.clock.lap(Stage::Factor);
        let solved = self.solver.solve(&self.system, &mut self.z);
        self.report.solve =
            solved.map_err(|source| self.solve_error(model, state, Stage::Solve, source))?;
        self.clock.lap(Stage::Solve);
        Ok(())
    }

    /// Impulses of the constraints for the velocities that the last solve gave, and their response: z and the velocities of rigid
    /// bodies obey the constraints afterwards. `anew` unless the compliance of the last call still holds. Returns how far the
    /// impulses changed, as a share of the largest.
    pub(crate) fn resolve_constraints(
        &mut self,
        model: &Model,
        state: &State,
        anew: bool,
    ) -> Result<f64, StepError> {
        if self.touch.set.is_empty() {
            return Ok(0.0);
        }
        let space = self.reduction.space();
        let (set, resolver) = (&mut self.touch.set, &mut self.resolver);
        space.prolong(&self.z, &mut self.v);
        let all = model.contact.constraint.all_near;
        let mut changed = resolver.choose(set, &self.v, &self.rigid, all) || anew;
        if resolver.active_count() == 0 {
            self.clock.lap(Stage::Jacobian);
            return Ok(0.0); // everything stays open
        }
        let settings = &model.contact.constraint.solver;
        let mut resolve = || {
            let inverse = self.solver.inverse(&self.system)?;
            self.clock.lap(Stage::Delassus);
            let mut change = 0.0f64;
            for choice in 1..=MAX_CHOICES {
                if changed {
                    resolver.fill_columns(set, space, &self.rigid);
                    self.clock.lap(Stage::Jacobian);
                    resolver.fill_delassus(&self.rigid, inverse)?;
                    self.clock.lap(Stage::Delassus);
                }
                change =
                    change.max(resolver.solve(set, &self.v, &self.rigid, inverse, settings)?);
                self.clock.lap(Stage::Constraints);
                resolver.respond(space, &mut self.rigid, inverse, &mut self.z)?;
                space.prolong(&self.z, &mut self.v);
                self.clock.lap(Stage::Response);
                if choice == MAX_CHOICES {
                    break; // what was chosen now would have no compliance
                }
                changed = resolver.choose(set, &self.v, &self.rigid, all);
                if !changed {
                    break;
                }
            }
            if !self.joints.can_miss() {
                return Ok(change);
            }
            let mut settling = Settling {
                model,
                state,
                scheme: &self.scheme,
                space,
                settings,
                inverse,
                size: self.size,
                set,
                resolver,
                rigid: &mut self.rigid,
                rigid_end: &mut self.rigid_end,
                v: &mut self.v,
                x: &mut self.x,
                z: &mut self.z,
            };
            Ok(change.max(settling.settle(&mut self.joints)?))
        };
        let change = resolve();
        let change =
            change.map_err(|source| self.solve_error(model, state, Stage::Delassus, source))?;
        if !self.scheme.linear {
            self.held_impulses.clear();
            self.held_impulses.resize(self.v.len(), Vec3::ZERO);
            let held = &mut self.held_impulses;
            self.resolver.add_nodal_impulses(&self.touch.set, held);
        }
        self.report.constraint_passes += 1;
        self.clock.lap(Stage::Response);
        Ok(change)
    }

    /// How far z is from A z = r + Jᵀλ, which a factor of another matrix has not solved; and, as often as is asked for, z that
    /// solves it with the impulses as they are, and impulses that suit it.
    fn correct_delay(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        self.report.delay_residual = 0.0;
        if self.resolver.active_count() == 0 || !self.solver.is_lagged() {
            return Ok(());
        }
        for corrected in 0.. {
            self.include_impulses();
            self.report.delay_residual = self.delay();
            if corrected == 0 {
                self.solver.note_delay(&self.delays);
            }
            let (most, tolerance) = self.corrections;
            if corrected == most || self.report.delay_residual <= tolerance {
                break;
            }
            let solved = self.solver.solve(&self.system, &mut self.z);
            let report =
                solved.map_err(|source| self.solve_error(model, state, Stage::Solve, source))?;
            self.report.linear_iterations += report.iterations;
            self.clock.lap(Stage::Solve);
            self.resolve_constraints(model, state, false)?;
        }
        self.clock.lap(Stage::Response);
        Ok(())
    }

    /// Puts the present impulses into the right-hand side, in place of those before.
    fn include_impulses(&mut self) {
        let System { rhs, foreseen, .. } = &mut self.system;
        for (rhs, &before) in rhs.iter_mut().zip(foreseen.iter()) {
            *rhs -= before;
        }
        foreseen.clear();
        foreseen.resize(rhs.len(), Vec3::ZERO);
        self.resolver.add_reduced_impulses(foreseen);
        for (rhs, &now) in rhs.iter_mut().zip(foreseen.iter()) {
            *rhs += now;
        }
    }

    /// ‖A z − rhs‖ of a system given by elements, relative to the larger part of rhs, with and without impulses: that of the body
    /// where it is largest; all go to `delays`.
    fn delay(&mut self) -> f64 {
        let operator = SystemOperator::new(&self.system);
        let (rhs, image) = (&self.system.rhs, &mut self.residual);
        image.resize(rhs.len(), Vec3::ZERO);
        operator.apply(&self.z, image);
        for (image, &rhs) in image.iter_mut().zip(rhs) {
            *image -= rhs;
        }
        // at rest the impulses and the rest of rhs cancel
        let pushed = &self.system.foreseen;
        let size = |rows: Range<usize>| {
            let pairs = rhs[rows.clone()].iter().zip(&pushed[rows.clone()]);
            let given: f64 = pairs.map(|(&all, &part)| (all - part).norm_squared()).sum();
            given.max(norm_squared(&pushed[rows]))
        };
        // of a body with less than that the solver leaves more than a share
        let least = size(0..rhs.len()) * SMALLEST_PART * SMALLEST_PART;
        self.delays.clear();
        let rows = self.system.bodies.iter().map(|body| body.rows.clone());
        for rows in rows.filter(|rows| !rows.is_empty()) {
            let missed = norm_squared(&image[rows.clone()]);
            self.delays.push(share(missed, size(rows).max(least)));
        }
        self.delays.iter().copied().fold(0.0, f64::max)
    }

    fn filter_friction(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        let wanted = model.contact.penalty_friction == PenaltyFriction::Filter;
        if !wanted || !self.scheme.inertia || self.touch.couplings.is_empty() {
            return Ok(());
        }
        let space = self.reduction.space();
        let shift = match self.solver.shift(&[]) {
            Ok(shift) => shift.to_vec(),
            Err(source) => return Err(self.solve_error(model, state, Stage::Response, source)),
        };
        let pairs = self.z.iter_mut().zip(&shift);
        pairs.for_each(|(z, &shift)| *z -= shift);
        space.prolong(&self.z, &mut self.v);
        let mut friction = std::mem::take(&mut self.touch.friction);
        filter_friction(
            model,
            space,
            self.touch.contacts(),
            &self.touch.couplings,
            &mut self.v,
            &mut self.z,
            &mut friction,
        );
        self.touch.friction = friction;
        self.solver.project(&self.system, &mut self.z);
        let pairs = self.z.iter_mut().zip(&shift);
        pairs.for_each(|(z, &shift)| *z += shift);
        Ok(())
    }

    /// Forces at `x`, kept from the step before where nothing has changed since.
    pub(crate) fn evaluate(
        &mut self,
        model: &Model,
        state: &State,
        x: &[Vec3],
    ) -> Result<(), StepError> {
        let chunks = self.reduction.space().chunks();
        let (positions, activations, visited) = &self.evaluated;
        if positions == x && *activations == self.activations && visited == chunks {
            return Ok(());
        }
        self.evaluated.0.clear();
        // where rotations are followed, `x` is the start of the step
        let rotations = FollowedRotations {
            known: self.known_rotations(state),
            ..FollowedRotations::default()
        };
        let (forces, activations) = (&mut self.forces, &self.activations);
        let evaluated = forces.evaluate_some(model, chunks, x, activations, false, rotations);
        evaluated
            .map_err(|fault| fail(state, Stage::Forces, StepFailure::element(model, fault)))?;
        self.remember_evaluation(x);
        Ok(())
    }

    /// Forces and stresses at the end of the step.
    fn evaluate_with_stress(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        self.evaluated.0.clear();
        let rotations = match self.follow {
            Some(follow) => FollowedRotations {
                known: &state.rotations,
                found: &mut self.rotations,
                follow,
            },
            None => FollowedRotations::default(),
        };
        let (forces, activations) = (&mut self.forces, &self.activations);
        let chunks = self.reduction.space().chunks();
        let evaluated = forces.evaluate_some(model, chunks, &self.x, activations, true, rotations);
        evaluated
            .map_err(|fault| fail(state, Stage::Forces, StepFailure::element(model, fault)))?;
        let x = std::mem::take(&mut self.x);
        self.remember_evaluation(&x);
        self.x = x;
        self.clock.lap(Stage::Forces);
        Ok(())
    }

    /// Rotations at the start of the step, where they are followed; those of another method are of no use.
    fn known_rotations<'a>(&self, state: &'a State) -> &'a [RotationPack] {
        match self.follow {
            Some(_) => &state.rotations,
            None => &[],
        }
    }

    fn remember_evaluation(&mut self, x: &[Vec3]) {
        self.evaluated.0.extend_from_slice(x);
        self.evaluated.1.clone_from(&self.activations);
        let chunks = self.reduction.space().chunks();
        if self.evaluated.2 != chunks {
            self.evaluated.2 = chunks.to_vec();
        }
    }

    /// Tangents at the start of the step, in the chunks of the present space.
    fn prepare_start_tangents(&mut self, model: &Model, state: &State) {
        let input = TangentInput {
            positions: &state.positions,
            activations: &self.activations,
            rotations: self.known_rotations(state),
        };
        let chunks = self.reduction.space().chunks();
        self.start_tangents
            .0
            .prepare(&model.elements, chunks, input);
        self.start_tangents.1 = true;
    }

    /// C v with C at the positions of the step's start: Rayleigh damping and spring dampers.
    pub(crate) fn damping_force(&mut self, model: &Model, state: &State, v: &[Vec3]) {
        for ((c, &v), &rate) in self.damping.iter_mut().zip(v).zip(&model.mass_damping) {
            *c = v * rate;
        }
        for spring in &self.loads.springs {
            let node = spring.node as usize;
            self.damping[node] += v[node] * spring.damping;
        }
        if !model.elements.has_stiffness_damping {
            return;
        }
        let kept = self.scheme.linear && self.system.form == Form::Elements;
        if !kept && !self.start_tangents.1 {
            self.prepare_start_tangents(model, state);
        }
        let tangents = match kept {
            true => &self.system.tangents,
            false => &self.start_tangents.0,
        };
        let weights = TangentWeights {
            stiffness: 0.0,
            damping: 1.0,
        };
        let chunks = self.reduction.space().chunks();
        tangents.add_product(&model.elements, chunks, weights, v, &mut self.damping);
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
        (self.reduction).observe(model, &state.positions, &self.x, self.scheme.h);
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
        let moved = |(x, start): (&Vec3, &Vec3)| (*x - *start).norm();
        let mut distances = self.x.iter().zip(&state.positions).map(moved);
        let Some(node) = distances.position(|distance| distance > FARTHEST * self.size) else {
            return Ok(());
        };
        let body = model.body_of_node(node);
        let failure = StepFailure::Diverged {
            body: body.map_or_else(String::new, |b| b.name.clone()),
            node: node - body.map_or(0, |b| b.nodes.start),
            distance: moved((&self.x[node], &state.positions[node])),
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
        state.time += h;
        state.step += 1;
        self.report.step = state.step;
        self.report.time = state.time;
    }
}

impl Stepping for Stepper {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<&StepReport, StepError> {
        Stepper::step(self, model, state, h)
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn report(&self) -> &StepReport {
        &self.report
    }

    fn report_mut(&mut self) -> &mut StepReport {
        &mut self.report
    }

    fn forces(&self) -> Option<&Forces> {
        Some(&self.forces)
    }

    fn contacts(&self, model: &Model, state: &State) -> ContactReadout {
        ContactReadout::new(self, model, &state.positions, &state.velocities)
    }

    fn element_states(&self, model: &Model, state: &State) -> Option<Vec<u8>> {
        let clump_of = &state.rigidity.clump_of;
        let inside = |nodes: &[u32; 4]| {
            let clump = clump_of[nodes[0] as usize];
            let same = nodes.iter().all(|&node| clump_of[node as usize] == clump);
            match same && clump != NO_CLUMP {
                true => (clump % 255) as u8 + 1,
                false => 0,
            }
        };
        let elements = model.element_nodes.iter();
        (!clump_of.is_empty()).then(|| elements.map(inside).collect())
    }

    fn space(&self) -> &ReducedSpace {
        self.reduction.space()
    }

    fn predictions(&self) -> Option<&[f64]> {
        self.reduction.predictions()
    }

    fn dynamic_nodes(&self) -> Option<Vec<(u32, bool)>> {
        self.solver.dynamic_nodes(self.reduction.space())
    }

    fn works_in_background(&self) -> bool {
        self.solver.is_lagged()
    }

    fn settle(&self) {
        self.solver.settle();
    }
}

/// Turns a velocity field with the mean rotation of its body for the time `h`: v ← v + h ω × (v − v̄). Of a rigid motion
/// that is the change of v itself, the centripetal acceleration.
fn turn_velocities(mass: &[f64], x: &[Vec3], v: &mut [Vec3], h: f64) {
    let total: f64 = mass.iter().sum();
    let mean = |field: &[Vec3]| {
        let weighted = field.iter().zip(mass);
        weighted.fold(Vec3::ZERO, |sum, (&f, &m)| sum + f * (m / total))
    };
    let (centre, velocity) = (mean(x), mean(v));
    let (mut moment, mut inertia) = (Vec3::ZERO, Mat3::ZERO);
    for ((&m, &x), &v) in mass.iter().zip(x).zip(v.iter()) {
        let arm = x - centre;
        moment += arm.cross(v) * m;
        inertia += (Mat3::IDENTITY * arm.norm_squared() - Mat3::outer(arm, arm)) * m;
    }
    // a needle has no inertia about its own axis, and nothing to turn there
    let Some(inverse) = inertia.inverse().filter(Mat3::is_finite) else {
        return;
    };
    let turn = inverse * moment * h;
    for v in v {
        *v += turn.cross(*v - velocity);
    }
}

/// √(part/whole) of squares, zero of nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 {
        (part / whole).sqrt()
    } else {
        0.0
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
