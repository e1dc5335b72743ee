//! External forces, and what a finished step reports: energies, momentum, reactions.

use crate::constraint::rate;
use crate::drive::Loads;
use crate::joint;
use crate::model::{Body, Model};
use crate::report::{Energies, Momentum, StepReport};
use crate::rigid::{Mobility, RigidState};
use crate::state::{Ledger, State};
use crate::step::Stepper;
use crate::system::Freedom;
use pliant_linalg::Vec3;

/// Gravity, dead loads, springs (with the part of their dampers that follows the target) at positions `x`, N.
pub(crate) fn external_forces(model: &Model, loads: &Loads, x: &[Vec3], f: &mut [Vec3]) {
    for (i, f) in f.iter_mut().enumerate() {
        *f = model.gravity * model.mass[i] + loads.force[i];
    }
    for s in &loads.springs {
        let node = s.node as usize;
        f[node] += (s.target - x[node]) * s.stiffness + s.target_velocity * s.damping;
    }
}

/// Potential of [`external_forces`], J.
pub(crate) fn external_potential(model: &Model, loads: &Loads, x: &[Vec3]) -> f64 {
    let mut potential = 0.0;
    for (i, &x) in x.iter().enumerate() {
        potential -= (model.gravity * model.mass[i] + loads.force[i]).dot(x);
    }
    for s in &loads.springs {
        let x = x[s.node as usize];
        potential += 0.5 * s.stiffness * (x - s.target).norm_squared()
            - s.damping * s.target_velocity.dot(x);
    }
    potential
}

/// Kinetic, elastic and gravitational energy, that of the elements given, and the momenta.
pub(crate) fn energies_and_momenta(
    model: &Model,
    x: &[Vec3],
    v: &[Vec3],
    rigid: &RigidState,
    elastic: f64,
) -> (Energies, Momentum) {
    let mut energies = Energies {
        elastic,
        ..Energies::default()
    };
    let mut momentum = Momentum::default();
    let mut total = 0.0;
    // one pass: sums that do not wait for each other
    for ((&x, &v), &mass) in x.iter().zip(v).zip(&model.mass) {
        energies.kinetic += 0.5 * mass * v.norm_squared();
        energies.gravitational -= mass * model.gravity.dot(x);
        let p = v * mass;
        momentum.linear += p;
        momentum.angular += x.cross(p);
        momentum.centre += x * mass;
        total += mass;
    }
    energies.kinetic += rigid.kinetic_energy(&model.rigid);
    energies.gravitational += rigid.gravitational_energy(&model.rigid, model.gravity);
    energies.elastic += rigid.spring_energy(&model.rigid);
    let of_rigid = rigid.momentum(&model.rigid);
    momentum.linear += of_rigid.linear;
    momentum.angular += of_rigid.angular;
    for (body, pose, _) in rigid.moving(&model.rigid) {
        momentum.centre += pose.centre * body.mass;
        total += body.mass;
    }
    momentum.centre = momentum.centre / total;
    (energies, momentum)
}

/// Sums over the nodes for a step to positions x with velocities v: what damping takes and loads do, J, and the square of the largest
/// change of a velocity, (m/s)².
fn exchange(stepper: &Stepper, state: &State, x: &[Vec3], v: &[Vec3], h: f64) -> (f64, f64, f64) {
    let (mut loss, mut work, mut change) = (0.0, 0.0, 0.0f64);
    let before = state.positions.iter().zip(&state.velocities);
    let acting = stepper.damping.iter().zip(&stepper.loads.force);
    let nodes = x.iter().zip(v).zip(before).zip(acting);
    for (((&x, &v), (&start, &velocity)), (&damping, &force)) in nodes {
        loss += h * v.dot(damping);
        work += force.dot(x - start);
        change = change.max((v - velocity).norm_squared());
    }
    (loss, work, change)
}

/// Fills the report of the step from `state` to the stepper's x and v; `state` is still the one before.
pub(crate) fn fill_report(stepper: &mut Stepper, model: &Model, state: &State, h: f64) {
    let (x, v) = (
        std::mem::take(&mut stepper.x),
        std::mem::take(&mut stepper.v),
    );
    let end = state.time + h;
    let moved = |i: usize| x[i] - state.positions[i];
    stepper.damping_force(model, state, &v);
    let (mut damping_loss, mut work, change) = exchange(stepper, state, &x, &v, h);

    let mut report = std::mem::take(&mut stepper.report);
    report.reactions.clone_from(&stepper.loads.totals);
    for s in &stepper.loads.springs {
        // what a damper takes from the body is work of the drive, not damping of the body
        let i = s.node as usize;
        let force = (s.target - x[i]) * s.stiffness + (s.target_velocity - v[i]) * s.damping;
        report.reactions[s.drive] += force;
        work += force.dot(moved(i));
        damping_loss -= h * s.damping * v[i].norm_squared();
    }

    for (index, wrench) in stepper.joint_loads.wrenches.iter().enumerate() {
        let twist = stepper.rigid.twist(index);
        work += h * (wrench.force.dot(twist.velocity) + wrench.torque.dot(twist.spin));
    }

    // prescribed motion adds what the balance at the end of the step lacks: M(v−ṽ)/ĥ + C v − f
    external_forces(model, &stepper.loads, &x, &mut stepper.nodal);
    let mut contact_work = 0.0;
    for (index, coupling) in stepper.touch.couplings.iter().enumerate() {
        let filtered = stepper.touch.friction.get(index).copied();
        let impulse = coupling.impulse_at(&v) + filtered.unwrap_or_default();
        contact_work += impulse.dot(coupling.combine(&v));
        for (node, w) in coupling.ends() {
            stepper.nodal[node] += impulse * (w / stepper.scheme.h);
        }
    }
    let set = &stepper.touch.set;
    for (index, constraint) in set.constraints().iter().enumerate() {
        let impulse = stepper.resolver.impulses[index];
        let relative = rate(set, index, &v, &stepper.rigid) - constraint.bias;
        contact_work += impulse.dot(relative);
        for entry in set.nodes_of(index) {
            let node = entry.node as usize;
            stepper.nodal[node] += entry.block.transpose() * impulse / stepper.scheme.h;
        }
        for entry in set.rigids_of(index) {
            let body = entry.body as usize;
            if !stepper.rigid.is_dynamic(body) {
                // what a constraint does to a body of known motion, its motion gives
                let along = entry.linear * stepper.rigid.point_velocity(body, entry.arm);
                let about = entry.angular * stepper.rigid.twist(body).spin;
                work -= impulse.dot(along + about);
            }
        }
    }
    let angles = stepper.rigid_end.angles.iter().zip(&state.rigid.angles);
    for (torque, (end, start)) in stepper.rigid.joint_torques().iter().zip(angles) {
        work += torque.applied * (end - start);
        damping_loss -= torque.damping * (end - start);
    }
    for (index, drive) in model.drives.iter().enumerate() {
        let Some((nodes, axes)) = drive.action.prescribed() else {
            continue;
        };
        if !drive.action.prescribes_at(end) {
            continue;
        }
        for &node in nodes {
            let i = node as usize;
            let acceleration = (v[i] - stepper.scheme.velocity[i]) / stepper.scheme.h;
            // a clump that holds a prescribed node does not turn
            let frozen = stepper.forces.frozen.get(i).copied().unwrap_or_default();
            let acting = stepper.nodal[i] + stepper.forces.nodal[i] + frozen;
            let force = acceleration * model.mass[i] + stepper.damping[i] - acting;
            for axis in (0..3).filter(|&axis| axes[axis]) {
                report.reactions[index][axis] += force[axis];
                work += force[axis] * moved(i)[axis];
            }
        }
    }

    let elastic = stepper.forces.energy;
    let (mut energies, momentum) = energies_and_momenta(model, &x, &v, &stepper.rigid_end, elastic);
    let before = &state.ledger;
    energies.external_work = before.external_work + work;
    energies.damping_loss = before.damping_loss + damping_loss;
    energies.contact_work = before.contact_work + contact_work;
    let start = before.initial_energy.unwrap_or(stepper.initial_energy);
    let gained = energies.external_work + energies.contact_work - energies.damping_loss;
    energies.integrator_loss = start + gained - energies.mechanical();
    report.energies = energies;
    report.momentum = momentum;
    report.max_von_mises =
        (stepper.forces.stress.iter().enumerate()).fold((0.0, 0), |most, (e, s)| {
            if s.von_mises > most.0 {
                (s.von_mises, e as u32)
            } else {
                most
            }
        });
    // half the difference of an implicit and an explicit step, that of the first from the trapezoidal rule
    report.step_error = 0.5 * h * change.sqrt() / stepper.size;
    report.inverted_elements = stepper.forces.inverted_elements;
    report.active_dofs = (stepper.solver).unknown_count(stepper.reduction.space().dim());
    report.contacts = stepper.pushing_contacts(model);
    report.max_penetration = stepper.touch.max_penetration;
    report.constraints = stepper.resolver.active_count();
    report.constraint_solve = stepper.resolver.report;
    report.isolated = stepper.resolver.isolated;
    report.factor = stepper.solver.factor_report();
    joint::readings(stepper, model, &x, &mut report.joints);
    report.force_balance = force_balance(stepper, model, state, &v);
    stepper.report = report;
    (stepper.x, stepper.v) = (x, v);
}

/// How well force equals change of momentum for the bodies that nothing but gravity, loads and contacts act on, as a share of
/// their weight (of the contact forces where there is none). `nodal` holds all forces but elastic ones and damping.
fn force_balance(stepper: &Stepper, model: &Model, state: &State, v: &[Vec3]) -> f64 {
    let scheme = &stepper.scheme;
    let mut missing = Vec3::ZERO;
    let (mut weight, mut pushes) = (0.0, 0.0);
    let sprung = |body: &Body| {
        let mut springs = stepper.loads.springs.iter();
        springs.any(|s| body.nodes.contains(&(s.node as usize)))
    };
    let parts = model.bodies.iter().zip(&stepper.system.bodies);
    let free = parts.filter(|(b, part)| part.freedom != Freedom::Held && !sprung(b));
    for (body, _) in free {
        for i in body.nodes.clone() {
            let gained = (v[i] - scheme.velocity[i]) * (model.mass[i] / scheme.h);
            let gained = if scheme.inertia { gained } else { Vec3::ZERO };
            missing += gained + stepper.damping[i] - stepper.nodal[i] - stepper.forces.nodal[i];
            weight += model.mass[i] * model.gravity.norm();
            pushes += (stepper.nodal[i] - model.gravity * model.mass[i]).norm();
        }
    }
    for (index, body) in model.rigid.bodies.iter().enumerate() {
        if matches!(body.mobility, Mobility::Free) {
            let velocity = stepper.rigid.twist(index).velocity;
            let gained = (velocity - state.rigid.twists[index].velocity) / scheme.h;
            missing += (gained - model.gravity) * body.mass;
            if let Some(wrench) = stepper.joint_loads.wrenches.get(index) {
                missing -= wrench.force;
                pushes += wrench.force.norm();
            }
            weight += body.mass * model.gravity.norm();
        }
    }
    let set = &stepper.touch.set;
    for (index, &impulse) in stepper.resolver.impulses.iter().enumerate() {
        for entry in set.rigids_of(index) {
            let mobility = &model.rigid.bodies[entry.body as usize].mobility;
            if matches!(mobility, Mobility::Free) {
                let push = entry.linear.transpose() * impulse / scheme.h;
                missing -= push;
                pushes += push.norm();
            }
        }
    }
    let scale = if weight > 0.0 { weight } else { pushes };
    if scale > 0.0 {
        missing.norm() / scale
    } else {
        0.0
    }
}

/// The ledger after a step, from its report.
pub(crate) fn ledger(report: &StepReport, initial_energy: f64) -> Ledger {
    let e = &report.energies;
    Ledger {
        external_work: e.external_work,
        damping_loss: e.damping_loss,
        contact_work: e.contact_work,
        integrator_loss: e.integrator_loss,
        initial_energy: Some(initial_energy),
    }
}
