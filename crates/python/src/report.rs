//! What a step reports, as values for Python.

use pliant_solid::Simulation;
use pliant_solid::report::Stage;
use serde_json::{Map, Value, json};

/// Everything that the last step reports but its contacts.
pub fn report(simulation: &Simulation) -> Value {
    let (model, r) = (simulation.model(), simulation.report());
    let (e, m) = (&r.energies, &r.momentum);
    let reactions = model.drives.iter().zip(&r.reactions);
    let reactions: Map<String, Value> = reactions
        .map(|(drive, force)| (drive.name.clone(), json!(force.to_array())))
        .collect();
    let columns = model.joint_columns();
    let joints: Map<String, Value> = (columns.iter().zip(&r.joints))
        .map(|((kind, name, quantities), reading)| {
            let values = quantities.iter().zip(reading.values());
            let mut values: Map<String, Value> =
                values.map(|(q, v)| (q.to_string(), json!(v))).collect();
            values.insert("kind".into(), json!(kind));
            (name.clone(), Value::Object(values))
        })
        .collect();
    let seconds: Map<String, Value> = (Stage::ALL.iter())
        .map(|&s| (s.name().to_string(), json!(r.times.seconds(s))))
        .collect();
    json!({
        "step": r.step,
        "time": r.time,
        "energies": {
            "kinetic": e.kinetic,
            "elastic": e.elastic,
            "gravitational": e.gravitational,
            "external_work": e.external_work,
            "damping_loss": e.damping_loss,
            "contact_work": e.contact_work,
            "integrator_loss": e.integrator_loss,
        },
        "momentum": {
            "linear": m.linear.to_array(),
            "angular": m.angular.to_array(),
            "centre": m.centre.to_array(),
        },
        "reactions": reactions,
        "joints": joints,
        "max_von_mises": r.max_von_mises.0,
        "max_von_mises_element": r.max_von_mises.1,
        "inverted_elements": r.inverted_elements,
        "active_dofs": r.active_dofs,
        "newton_iterations": r.newton_iterations,
        "newton_residual": r.newton_residual,
        "linear_iterations": r.linear_iterations,
        "linear_residual": r.solve.relative_residual,
        "linear_converged": r.solve.converged,
        "contacts": r.contacts,
        "max_penetration": r.max_penetration,
        "constraints": r.constraints,
        "constraint_iterations": r.constraint_solve.iterations,
        "constraint_residual": r.constraint_solve.residual,
        "force_balance": r.force_balance,
        "delay_residual": r.delay_residual,
        "halvings": r.halvings,
        "stage_seconds": seconds,
    })
}
