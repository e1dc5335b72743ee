//! States that go on under another model or method: nothing is kept but where everything is and how it moves.

use pliant_linalg::Vec3;
use pliant_mesh::{Aabb, Bvh};
use pliant_solid::model::Model;
use pliant_solid::state::State;

/// The state of `model`, which has the nodes of the model that `state` is of, whatever method made it. With steps of length `h` the
/// time is rounded to whole steps.
pub fn carried(model: &Model, state: &State, h: f64) -> State {
    let mut next = model.initial_state();
    next.positions.clone_from(&state.positions);
    next.velocities.clone_from(&state.velocities);
    finish(next, state, h)
}

fn finish(mut next: State, state: &State, h: f64) -> State {
    next.rigid.clone_from(&state.rigid);
    next.step = (state.time / h).round() as u64;
    next.time = next.step as f64 * h;
    next
}

/// The state of `model`, whose elements are those of `old` or parts of them: each node is where the old element carries it that
/// its own lies in. None if an element lies in none.
pub fn interpolated(model: &Model, old: &Model, state: &State, h: f64) -> Option<State> {
    let mut next = model.initial_state();
    let mut done = vec![false; model.node_count()];
    for (body, old_body) in model.bodies.iter().zip(&old.bodies) {
        let elements = &old.element_nodes[old_body.elements.clone()];
        let corners = |e: usize| elements[e].map(|n| old.rest[n as usize]);
        let boxes: Vec<Aabb> = (0..elements.len()).map(|e| Aabb::of(&corners(e))).collect();
        let slack = 1e-9 * old.diagonal();
        let tree = Bvh::new(&boxes);
        let mut near = Vec::new();
        for element in body.elements.clone() {
            let nodes = model.element_nodes[element];
            let planar = nodes[3] == nodes[0];
            let count = if planar { 3 } else { 4 };
            if nodes.iter().all(|&n| done[n as usize]) {
                continue;
            }
            let sum = nodes[..count]
                .iter()
                .fold(Vec3::ZERO, |s, &n| s + model.rest[n as usize]);
            let centre = sum / count as f64;
            near.clear();
            let around = Aabb {
                low: centre,
                high: centre,
            };
            tree.near_box(&around.grown(slack), &mut near);
            let inside = |e: u32| {
                let weights = barycentric(corners(e as usize), planar, centre);
                weights.iter().fold(f64::INFINITY, |m, &w| m.min(w))
            };
            let home = near
                .iter()
                .copied()
                .max_by(|&a, &b| inside(a).total_cmp(&inside(b)));
            let home = home.filter(|&e| inside(e) > -1e-6)? as usize;
            for &node in &nodes[..count] {
                let node = node as usize;
                if std::mem::replace(&mut done[node], true) {
                    continue;
                }
                let weights = barycentric(corners(home), planar, model.rest[node]);
                let carry = |values: &[Vec3]| {
                    let parts = elements[home].iter().zip(weights);
                    parts.fold(Vec3::ZERO, |s, (&n, w)| s + values[n as usize] * w)
                };
                next.positions[node] = carry(&state.positions);
                next.velocities[node] = carry(&state.velocities);
            }
        }
    }
    Some(finish(next, state, h))
}

/// Barycentric coordinates in a tetrahedron, or in the first three corners of a triangle in the plane z = constant.
fn barycentric([a, b, c, d]: [Vec3; 4], planar: bool, p: Vec3) -> [f64; 4] {
    let (u, v, x) = (b - a, c - a, p - a);
    let w = match planar {
        true => Vec3::new(0.0, 0.0, 1.0),
        false => d - a,
    };
    let whole = u.dot(v.cross(w));
    let s = x.dot(v.cross(w)) / whole;
    let t = x.dot(w.cross(u)) / whole;
    let last = match planar {
        true => 0.0,
        false => x.dot(u.cross(v)) / whole,
    };
    [1.0 - s - t - last, s, t, last]
}

/// The plane in a body at rest that comes nearest to a plane in the world, as its present shape meets it: a point and a normal. None
/// where it does not meet the body.
pub fn plane_at_rest(
    model: &Model,
    body: usize,
    positions: &[Vec3],
    [point, normal]: [Vec3; 2],
) -> Option<[Vec3; 2]> {
    let body = &model.bodies[body];
    let normal = normal.normalized()?;
    let height = |n: u32| (positions[n as usize] - point).dot(normal);
    let mut crossings = Vec::new();
    for nodes in &model.element_nodes[body.elements.clone()] {
        for (i, &a) in nodes.iter().enumerate() {
            for &b in &nodes[..i] {
                let (ha, hb) = (height(a), height(b));
                if (ha < 0.0) != (hb < 0.0) {
                    let share = ha / (ha - hb);
                    let (xa, xb) = (model.rest[a as usize], model.rest[b as usize]);
                    crossings.push(xa + (xb - xa) * share);
                }
            }
        }
    }
    if crossings.len() < 3 {
        return None;
    }
    let sum = crossings.iter().fold(Vec3::ZERO, |s, &x| s + x);
    let centre = sum / crossings.len() as f64;
    let mut covariance = [0.0; 9];
    for x in &crossings {
        let arm = (*x - centre).to_array();
        for r in 0..3 {
            for c in 0..3 {
                covariance[3 * r + c] += arm[r] * arm[c];
            }
        }
    }
    if body.planar {
        // points on a line: the normal lies in the plane of the body
        covariance[8] = f64::MAX
            .sqrt()
            .min(1e6 * (covariance[0] + covariance[4]) + 1.0);
    }
    let eigen = pliant_linalg::symmetric_eigen::symmetric_eigen(&covariance, 3)?;
    let least = (0..3).min_by(|&a, &b| eigen.values[a].total_cmp(&eigen.values[b]))?;
    let vector = &eigen.vectors[least];
    Some([centre, Vec3::new(vector[0], vector[1], vector[2])])
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vec3;
    use pliant_scene::{build, embedded};
    use pliant_solid::Simulation;

    #[test]
    fn a_cut_leaves_everything_where_it_is() {
        for (name, normal) in [
            ("cantilever", vec3(1.0, 0.1, 0.0)),
            ("cantilever-2d", vec3(1.0, 0.2, 0.0)),
        ] {
            let file = embedded(name).unwrap().parse().unwrap();
            let scene = build(&file, None).unwrap();
            let (settings, method) = (scene.settings.clone(), scene.method);
            let mut run = Simulation::new(scene.model.clone(), settings.clone(), method).unwrap();
            for _ in 0..5 {
                run.step().unwrap();
            }
            let state = run.state();
            let low = state.positions.iter().fold(f64::MAX, |m, x| m.min(x.x));
            let point = vec3(low + 0.4 * scene.model.diagonal(), 0.0, 0.0);
            let plane = plane_at_rest(run.model(), 0, &state.positions, [point, normal]).unwrap();
            assert!(
                plane[1]
                    .normalized()
                    .unwrap()
                    .dot(normal.normalized().unwrap())
                    .abs()
                    > 0.99
            );
            let body = &run.model().bodies[0].name;
            let cut = build(&file.with_cut(body, plane[0], plane[1]), None).unwrap();
            // opens the seams
            let opened = Simulation::new(cut.model, settings.clone(), method).unwrap();
            let next = interpolated(opened.model(), run.model(), state, settings.h).unwrap();
            assert!(next.positions.len() > state.positions.len());
            // all nodes that were there are still there, moving as they did
            for (x, v) in state.positions.iter().zip(&state.velocities) {
                let near = |y: &Vec3| (*y - *x).norm() < 1e-9;
                let at = next.positions.iter().position(near).unwrap();
                assert!((next.velocities[at] - *v).norm() < 1e-9);
            }
            let model = opened.model().clone();
            let mut run = Simulation::resume(model, settings, method, next).unwrap();
            run.step().unwrap();
        }
    }
}
