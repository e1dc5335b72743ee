//! What a frame shows of running simulations: positions, colours, contacts, marked nodes.

use crate::message::{Field, View};
use crate::packet::Packet;
use crate::pane::Pane;
use crate::section::Section;
use crate::shape::Shape;
use pliant_linalg::Vec3;
use pliant_solid::Simulation;
use pliant_solid::strategy::Method;
use serde_json::json;

/// Most contacts in a frame: more arrows than that show nothing.
const MOST_CONTACTS: usize = 4000;
/// State of the elements of the first rigid body.
const RIGID: u8 = 255;

/// Largest distance of a node from where the first simulation has it, m.
pub fn largest_error(panes: &[Pane]) -> f64 {
    let [first, others @ ..] = panes else {
        return 0.0;
    };
    if others.is_empty() {
        return 0.0;
    }
    let reference = &first.simulation.state().positions;
    let far = |(a, b): (&Vec3, &Vec3)| (*a - *b).norm_squared();
    let squares = others.iter().flat_map(|pane| {
        let positions = &pane.simulation.state().positions;
        reference.iter().zip(positions).map(far)
    });
    squares.fold(0.0, f64::max).sqrt()
}

/// A frame with what a page wants to see.
pub fn frame(panes: &[Pane], shape: &Shape, view: View) -> Packet {
    let mut packet = Packet::new("frame");
    let carried = view.embedded && shape.has_carried;
    let reference = &panes[0].simulation;
    packet.set("step", panes[0].steps);
    packet.set("time", reference.time());
    packet.set("carried", carried);
    packet.set("view", serde_json::to_value(view).unwrap_or_default());
    let error = largest_error(panes);
    let mut heads = Vec::new();
    for (index, pane) in panes.iter().enumerate() {
        let simulation = &pane.simulation;
        let state = simulation.state();
        let positions = shape.positions(carried, |n| state.positions[n]);
        packet.f32(&format!("x{index}"), &positions);
        let scalar = scalar(simulation, reference, shape, view.field);
        if let Some(scalar) = &scalar {
            packet.f32(&format!("s{index}"), &shape.scalars(carried, scalar));
        }
        let states = match view.field {
            Field::State => states(simulation),
            _ => None,
        };
        if let Some(states) = &states {
            let states = shape.triangle_states(carried, states);
            packet.u8(&format!("t{index}"), &states);
        }
        if let Some(plane) = view.section {
            let place = |n: usize| state.positions[n];
            let section = Section::new(shape, plane, place);
            let (states, scalar) = (states.as_deref(), scalar.as_deref());
            section.add(&mut packet, index, shape, place, states, scalar);
        }
        if view.contacts {
            packet.f32(&format!("c{index}"), &contacts(simulation));
        }
        if view.markers || view.field == Field::State {
            packet.f32(&format!("m{index}"), &markers(simulation, pane.method));
        }
        let report = simulation.report();
        heads.push(json!({
            "method": pane.method.name(),
            "steps": pane.steps,
            "wall": pane.last,
            "total": pane.total,
            "dofs": report.active_dofs,
            "contacts": report.contacts,
            "iterations": report.linear_iterations,
            "stress": report.max_von_mises.0,
            "fullNodes": report.subspace.full_nodes,
            "cubature": report.subspace.cubature_elements,
            "error": if index == 0 { 0.0 } else { error },
        }));
    }
    packet.set("panes", heads);
    packet.set("diagonal", shape.diagonal());
    packet
}

/// The field that colours stand for, at the nodes.
fn scalar<'a>(
    simulation: &'a Simulation,
    reference: &'a Simulation,
    shape: &'a Shape,
    field: Field,
) -> Option<Box<dyn Fn(usize) -> f64 + 'a>> {
    let state = simulation.state();
    Some(match field {
        Field::Body | Field::State => return None,
        Field::Displacement => Box::new(|n| (state.positions[n] - shape.rest[n]).norm()),
        Field::Speed => Box::new(|n| state.velocities[n].norm()),
        Field::Stress => {
            let stress = &simulation.forces().stress;
            let of = |e: usize| stress.get(e).map_or(0.0, |s| s.von_mises);
            let nodal = shape.at_nodes(of);
            Box::new(move |n| nodal[n])
        }
        Field::Error => {
            let other = &reference.state().positions;
            Box::new(|n| (state.positions[n] - other[n]).norm())
        }
    })
}

/// What the method does with each element; rigid bodies of the scene have numbers of their own from [`RIGID`] downwards. None where
/// there is nothing to tell apart.
fn states(simulation: &Simulation) -> Option<Vec<u8>> {
    let model = simulation.model();
    let rigid = model.bodies.iter().filter(|body| body.rigid.is_some());
    let mut states = simulation.element_states();
    for (index, body) in rigid.enumerate() {
        let states = states.get_or_insert_with(|| vec![0; model.element_count()]);
        states[body.elements.clone()].fill(RIGID - (index % 64) as u8);
    }
    states
}

/// Points and forces of contacts that push, six numbers each: m, N.
fn contacts(simulation: &Simulation) -> Vec<f32> {
    let readout = simulation.contacts();
    let mut numbers = Vec::new();
    let pushing = readout.contacts.iter().filter(|c| c.normal_force > 0.0);
    for contact in pushing.take(MOST_CONTACTS) {
        let force = contact.normal * contact.normal_force + contact.friction;
        let all = contact.point.to_array().into_iter().chain(force.to_array());
        numbers.extend(all.map(|v| v as f32));
    }
    numbers
}

/// Nodes and elements that the method has chosen, four numbers each: where, m, and what: 0 quasi-static, 1 dynamic, 2 cubature, 3 a
/// node outside of the trained space.
fn markers(simulation: &Simulation, method: Method) -> Vec<f32> {
    let (model, state) = (simulation.model(), simulation.state());
    let mut numbers = Vec::new();
    let mut mark = |x: Vec3, kind: f32| {
        numbers.extend([x.x as f32, x.y as f32, x.z as f32, kind]);
    };
    for (node, dynamic) in simulation.dynamic_nodes().unwrap_or_default() {
        mark(state.positions[node as usize], f32::from(u8::from(dynamic)));
    }
    for active in &state.subspace.active {
        mark(state.positions[active.node as usize], 3.0);
    }
    for trained in (model.trained.iter()).filter(|_| method == Method::Subspace) {
        let body = model.bodies.iter().find(|b| b.name == trained.model.body);
        let first = body.map_or(0, |b| b.elements.start);
        for &(element, _) in trained.model.domains.iter().flat_map(|d| &d.cubature) {
            let Some(nodes) = model.element_nodes.get(first + element as usize) else {
                continue;
            };
            let corners = nodes.iter().map(|&n| state.positions[n as usize]);
            mark(corners.fold(Vec3::ZERO, |s, x| s + x) * 0.25, 2.0);
        }
    }
    numbers
}
