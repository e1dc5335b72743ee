//! Mends what can be mended in a mesh and says what it did, and what is left.

use super::check::{FARTHEST, duplicates};
use super::coincident::coincident;
use super::reconnect::{Marked, reconnect};
use super::relax::relax;
use super::{Kind, SLIVER, State, bounds, state, unchecked};
use crate::file::RawMesh;
use crate::file::raw::Cells;
use crate::mesh::Elements;
use std::collections::BTreeMap;

/// Rounds of moving nodes and changing connections.
const ROUNDS: usize = 4;

/// What may be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepairOptions {
    /// Join nodes in the same place.
    pub join: bool,
    /// Move nodes inside the body, and change connections, to improve slivers.
    pub relax: bool,
}

impl Default for RepairOptions {
    fn default() -> Self {
        RepairOptions {
            join: true,
            relax: true,
        }
    }
}

/// A mended mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    /// The mesh.
    pub mesh: RawMesh,
    /// What was done, one sentence each.
    pub done: Vec<String>,
}

/// Mends a mesh.
pub fn repair(raw: &RawMesh, options: RepairOptions) -> Repaired {
    let mut mesh = raw.clone();
    let mut done = Vec::new();
    if options.join {
        join(&mut mesh, &mut done);
    }
    let kind = Kind::of(&mesh);
    remove(&mut mesh, &mut done, "listed a node twice", |mesh| {
        let repeats = |nodes: &[u32]| (1..nodes.len()).any(|i| nodes[..i].contains(&nodes[i]));
        select(mesh, |mesh, e| repeats(nodes_of(mesh, e)))
    });
    remove(
        &mut mesh,
        &mut done,
        "had the same nodes as another one",
        |mesh| duplicates(&elements_of(mesh)),
    );
    match kind {
        Kind::Surface => orient_surface(&mut mesh, &mut done),
        Kind::Solid | Kind::Plane => turn_round(&mut mesh, &mut done),
        Kind::Nothing => {}
    }
    if options.relax && kind == Kind::Solid {
        improve(&mut mesh, &mut done);
    }
    remove(&mut mesh, &mut done, "had no volume", |mesh| {
        let (checked, _) = unchecked(mesh);
        (0..checked.element_count())
            .filter(|&e| state(&checked, e) == State::Flat)
            .collect()
    });
    drop_unreferenced(&mut mesh, &mut done);
    move_to_origin(&mut mesh, &mut done);
    Repaired { mesh, done }
}

fn elements_of(mesh: &RawMesh) -> Elements {
    match mesh.tetrahedra.is_empty() {
        true => Elements::Triangles(mesh.triangles.nodes.clone()),
        false => Elements::Tetrahedra(mesh.tetrahedra.nodes.clone()),
    }
}

fn nodes_of(mesh: &RawMesh, e: usize) -> &[u32] {
    match mesh.tetrahedra.is_empty() {
        true => &mesh.triangles.nodes[e],
        false => &mesh.tetrahedra.nodes[e],
    }
}

fn select(mesh: &RawMesh, wanted: impl Fn(&RawMesh, usize) -> bool) -> Vec<usize> {
    let count = match mesh.tetrahedra.is_empty() {
        true => mesh.triangles.len(),
        false => mesh.tetrahedra.len(),
    };
    (0..count).filter(|&e| wanted(mesh, e)).collect()
}

/// Replaces nodes by the first in the same place.
fn join(mesh: &mut RawMesh, done: &mut Vec<String>) {
    let first = coincident(&mesh.positions);
    let count = (0..first.len()).filter(|&n| first[n] != n as u32).count();
    if count == 0 {
        return;
    }
    let tetrahedra = mesh.tetrahedra.nodes.as_flattened_mut().iter_mut();
    for n in tetrahedra.chain(mesh.triangles.nodes.as_flattened_mut()) {
        *n = first[*n as usize];
    }
    done.push(format!(
        "joined {count} node(s) with another one in the same place"
    ));
}

/// Removes the elements that `find` lists.
fn remove(
    mesh: &mut RawMesh,
    done: &mut Vec<String>,
    why: &str,
    find: impl Fn(&RawMesh) -> Vec<usize>,
) {
    let list = find(mesh);
    if list.is_empty() {
        return;
    }
    if mesh.tetrahedra.is_empty() {
        remove_cells(&mut mesh.triangles, &list);
    } else {
        remove_cells(&mut mesh.tetrahedra, &list);
    }
    done.push(format!("removed {} element(s) that {why}", list.len()));
}

/// Removes elements given in ascending order.
fn remove_cells<const N: usize>(cells: &mut Cells<N>, list: &[usize]) {
    let kept: Vec<usize> = (0..cells.len())
        .filter(|e| list.binary_search(e).is_err())
        .collect();
    cells.nodes = kept.iter().map(|&e| cells.nodes[e]).collect();
    cells.regions = kept.iter().map(|&e| cells.regions[e]).collect();
    cells.ids = kept
        .iter()
        .map(|&e| cells.ids.get(e).unwrap_or(e as u64))
        .collect();
    cells.lines = kept.iter().filter_map(|&e| cells.lines.get(e)).collect();
}

/// Swaps the last two nodes of inverted elements.
fn turn_round(mesh: &mut RawMesh, done: &mut Vec<String>) {
    let (checked, _) = unchecked(mesh);
    let list: Vec<usize> = (0..checked.element_count())
        .filter(|&e| state(&checked, e) == State::Inverted)
        .collect();
    if list.is_empty() {
        return;
    }
    for &e in &list {
        match mesh.tetrahedra.is_empty() {
            true => mesh.triangles.nodes[e].swap(1, 2),
            false => mesh.tetrahedra.nodes[e].swap(2, 3),
        }
    }
    done.push(format!(
        "turned {} element(s) with negative orientation round",
        list.len()
    ));
}

/// Moves nodes inside the body and changes connections, in turn, as long as that helps.
fn improve(mesh: &mut RawMesh, done: &mut Vec<String>) {
    let (mut body, kept) = unchecked(mesh);
    body.regions.clone_from(&mesh.tetrahedra.regions);
    // triangles beside the tetrahedra mark faces that somebody wants to keep
    let mut new_index = vec![u32::MAX; mesh.positions.len()];
    for (new, &old) in kept.iter().enumerate() {
        new_index[old as usize] = new as u32;
    }
    let triangles = mesh.triangles.nodes.iter();
    let marked = Marked::new(triangles.map(|t| t.map(|n| new_index[n as usize])));
    let first = relax(&mut body, SLIVER);
    let (mut after, mut moved, mut changes) = (first.after, first.moved, 0);
    for _ in 0..ROUNDS {
        if after == 0 {
            break;
        }
        let changed = reconnect(&mut body, SLIVER, &marked);
        let next = relax(&mut body, SLIVER);
        changes += changed;
        moved = moved.max(next.moved);
        let gained = next.after < after;
        after = next.after;
        if changed == 0 || !gained {
            break;
        }
    }
    if moved == 0 && changes == 0 {
        return;
    }
    for (node, &position) in kept.iter().zip(&body.positions) {
        mesh.positions[*node as usize] = position;
    }
    if changes > 0
        && let Elements::Tetrahedra(list) = &body.elements
    {
        // new elements have no id in the file
        let nodes = list.iter().map(|t| t.map(|n| kept[n as usize])).collect();
        let names = std::mem::take(&mut mesh.tetrahedra.region_names);
        mesh.tetrahedra = Cells::counted(nodes, body.regions, names);
    }
    done.push(format!(
        "moved {moved} node(s) inside the body and changed connections {changes} times: {} element(s) with an angle below 5° became {after}",
        first.before
    ));
}

/// Makes neighbouring triangles look to the same side, the side of most of them, and the whole outwards.
fn orient_surface(mesh: &mut RawMesh, done: &mut Vec<String>) {
    let triangles = &mut mesh.triangles.nodes;
    // (edge, triangle, whether the triangle runs along it from the smaller node)
    let mut sides: Vec<([u32; 2], u32, bool)> = Vec::with_capacity(3 * triangles.len());
    for (t, nodes) in triangles.iter().enumerate() {
        for i in 0..3 {
            let (a, b) = (nodes[i], nodes[(i + 1) % 3]);
            sides.push(([a.min(b), a.max(b)], t as u32, a < b));
        }
    }
    sides.sort_unstable();
    // neighbours across edges of exactly two triangles, and whether one of the two must be turned
    let mut neighbours: BTreeMap<u32, Vec<(u32, bool)>> = BTreeMap::new();
    for group in sides.chunk_by(|a, b| a.0 == b.0) {
        if let [a, b] = group {
            let disagree = a.2 == b.2;
            neighbours.entry(a.1).or_default().push((b.1, disagree));
            neighbours.entry(b.1).or_default().push((a.1, disagree));
        }
    }
    let mut turn: Vec<Option<bool>> = vec![None; triangles.len()];
    let mut turned = 0;
    for start in 0..triangles.len() {
        if turn[start].is_some() {
            continue;
        }
        turn[start] = Some(false);
        let mut part = vec![start as u32];
        let mut next = 0;
        while next < part.len() {
            let t = part[next];
            next += 1;
            let this = turn[t as usize].unwrap_or(false);
            for &(other, disagree) in neighbours.get(&t).map_or(&[][..], Vec::as_slice) {
                if turn[other as usize].is_none() {
                    turn[other as usize] = Some(this != disagree);
                    part.push(other);
                }
            }
        }
        let flips = part
            .iter()
            .filter(|&&t| turn[t as usize] == Some(true))
            .count();
        // the majority is right
        let inverse = 2 * flips > part.len();
        for &t in &part {
            if turn[t as usize] == Some(!inverse) {
                triangles[t as usize].swap(1, 2);
                turned += 1;
            }
        }
    }
    if turned > 0 {
        done.push(format!(
            "turned {turned} triangle(s) to the side of their neighbours"
        ));
    }
    let volume: f64 = triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|n| mesh.positions[n as usize]);
            a.dot(b.cross(c))
        })
        .sum();
    let is_closed = sides
        .chunk_by(|a, b| a.0 == b.0)
        .all(|group| group.len() == 2);
    if volume < 0.0 && is_closed {
        triangles.iter_mut().for_each(|t| t.swap(1, 2));
        done.push("turned the whole surface outwards".to_string());
    }
}

fn drop_unreferenced(mesh: &mut RawMesh, done: &mut Vec<String>) {
    let mut used = vec![false; mesh.positions.len()];
    let all = mesh.tetrahedra.nodes.as_flattened().iter();
    for &n in all.chain(mesh.triangles.nodes.as_flattened()) {
        used[n as usize] = true;
    }
    let count = used.iter().filter(|u| !**u).count();
    if count == 0 {
        return;
    }
    let mut new_index = vec![0; used.len()];
    let kept: Vec<usize> = (0..used.len()).filter(|&n| used[n]).collect();
    for (new, &old) in kept.iter().enumerate() {
        new_index[old] = new as u32;
    }
    mesh.positions = kept.iter().map(|&n| mesh.positions[n]).collect();
    mesh.node_ids = kept
        .iter()
        .map(|&n| mesh.node_ids.get(n).unwrap_or(n as u64))
        .collect();
    let all = mesh.tetrahedra.nodes.as_flattened_mut().iter_mut();
    for n in all.chain(mesh.triangles.nodes.as_flattened_mut()) {
        *n = new_index[*n as usize];
    }
    done.push(format!("removed {count} node(s) that no element uses"));
}

fn move_to_origin(mesh: &mut RawMesh, done: &mut Vec<String>) {
    let (low, high) = bounds(&mesh.positions);
    let distance = low.max_abs().max(high.max_abs());
    if distance <= FARTHEST * (high - low).norm() {
        return;
    }
    let centre = (low + high) / 2.0;
    mesh.positions.iter_mut().for_each(|p| *p -= centre);
    let [x, y, z] = centre.to_array();
    done.push(format!(
        "moved the mesh by ({:?}, {:?}, {:?}) to the origin",
        -x, -y, -z
    ));
}
