//! Nodes that may be dynamic.

use super::{PlacedBody, region, select, vector};
use crate::error::{KeyPath, Problem};
use crate::file::{BodyTable, DynamicTable, RegionsValue};
use crate::suggest::did_you_mean;
use pliant_linalg::Vec3;
use pliant_mesh::{EdgeGraph, farthest_nodes};
use pliant_solid::drive::Drive;
use pliant_solid::model::BodySpecification;

/// Gives each body the nodes that its table names.
pub fn representatives(
    tables: &[BodyTable],
    placed: &[PlacedBody],
    drives: &[Drive],
    bodies: &mut [BodySpecification],
) -> Result<(), Problem> {
    for (index, (table, body)) in tables.iter().zip(bodies).enumerate() {
        let Some(dynamic) = &table.dynamic else {
            continue;
        };
        let at = KeyPath::root().key("body").index(index).key("dynamic");
        if body.rigid.is_some() {
            return Err(
                Problem::new(at, "a rigid body has no dynamic nodes").help("remove this table")
            );
        }
        let nodes = Nodes::new(&placed[index], drives);
        body.representatives = Some(nodes.of(dynamic, table, body, &at)?);
    }
    Ok(())
}

/// The nodes of a body that may be chosen.
struct Nodes<'a> {
    body: &'a PlacedBody,
    held: Vec<u32>,
    free: Vec<bool>,
}

impl<'a> Nodes<'a> {
    fn new(body: &'a PlacedBody, drives: &[Drive]) -> Nodes<'a> {
        let count = body.mesh.node_count();
        let mut free = vec![true; count];
        for &node in drives.iter().flat_map(Drive::held) {
            let local = node.checked_sub(body.node_offset).map(|n| n as usize);
            if let Some(flag) = local.and_then(|n| free.get_mut(n)) {
                *flag = false;
            }
        }
        let held = (0..count as u32).filter(|&n| !free[n as usize]).collect();
        Nodes { body, held, free }
    }

    fn of(
        &self,
        table: &DynamicTable,
        body: &BodyTable,
        specification: &BodySpecification,
        at: &KeyPath,
    ) -> Result<Vec<u32>, Problem> {
        let mut list = Chosen::new(self.free.len());
        let points = table.at.iter().flatten().enumerate();
        for (index, &point) in points {
            let at = at.key("at").index(index);
            let node = self.nearest(vector(point), |_| true, &at)?;
            if !list.take(node) {
                return Err(
                    Problem::new(at, "an earlier point has the same nearest node")
                        .help("move it away from there, or leave it out"),
                );
            }
        }
        if let Some(value) = &table.regions {
            let mut regions = region::Names::default();
            regions.add(body, specification);
            for (region, at) in chosen_regions(value, &regions, body, &at.key("regions"))? {
                list.take(self.middle(&regions, region, &at)?);
            }
        }
        if let Some(selection) = &table.select {
            let at = at.key("select");
            let nodes = select::nodes(selection, self.body, &at)?;
            if nodes.iter().all(|&n| !self.free[n as usize]) {
                return Err(self.nothing_free(at));
            }
            for node in nodes.into_iter().filter(|&n| self.free[n as usize]) {
                list.take(node);
            }
        }
        let Some(count) = table.count else {
            if list.nodes.is_empty() {
                return Err(
                    Problem::new(at.clone(), "this table chooses no node").help(
                        "give `at`, `regions`, `select` or `count`; count = 0 makes all of them follow quasi-statically",
                    ),
                );
            }
            return Ok(list.nodes);
        };
        let free = self.free.len() - self.held.len();
        if count < list.nodes.len() || count > free {
            let message = format!(
                "{count} dynamic nodes are {}",
                if count > free {
                    format!("too many: {free} nodes of the body are free")
                } else {
                    format!("fewer than the {} that are named", list.nodes.len())
                }
            );
            return Err(Problem::new(at.key("count"), message)
                .help("`count` is the number in all, named ones included"));
        }
        let graph = EdgeGraph::of(&self.body.mesh);
        Ok(farthest_nodes(&graph, &list.nodes, &self.held, count))
    }

    /// The free node nearest to a point among those that are wanted.
    fn nearest(
        &self,
        point: Vec3,
        wanted: impl Fn(usize) -> bool,
        at: &KeyPath,
    ) -> Result<u32, Problem> {
        let distance = |n: usize| (self.body.mesh.positions[n] - point).norm_squared();
        let candidates = (0..self.free.len()).filter(|&n| self.free[n] && wanted(n));
        let nearest = candidates.min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        nearest
            .map(|n| n as u32)
            .ok_or_else(|| self.nothing_free(at.clone()))
    }

    /// The free node of a region that is nearest to its centroid.
    fn middle(&self, regions: &region::Names, region: u32, at: &KeyPath) -> Result<u32, Problem> {
        let mesh = &self.body.mesh;
        let mut inside = vec![false; mesh.node_count()];
        let (mut moment, mut volume) = (Vec3::ZERO, 0.0);
        let elements = regions.of_elements.iter().enumerate();
        for (e, _) in elements.filter(|&(_, &r)| r == region) {
            let share = mesh.volume(e);
            moment += mesh.centroid(e) * share;
            volume += share;
            for &n in mesh.nodes_of(e) {
                inside[n as usize] = true;
            }
        }
        self.nearest(moment / volume, |n| inside[n], at)
    }

    fn nothing_free(&self, at: KeyPath) -> Problem {
        Problem::new(at, "all of these nodes are held by drives")
            .help("choose nodes that can move on their own")
    }
}

/// The regions that are meant, with the places that name them; all of them have elements.
fn chosen_regions(
    value: &RegionsValue,
    regions: &region::Names,
    body: &BodyTable,
    at: &KeyPath,
) -> Result<Vec<(u32, KeyPath)>, Problem> {
    let used = |id: &u32| regions.of_elements.contains(id);
    let known: Vec<u32> = (0..regions.names.len() as u32).filter(used).collect();
    let names = match value {
        RegionsValue::Switch(true) => {
            return Ok(known.into_iter().map(|id| (id, at.clone())).collect());
        }
        RegionsValue::Switch(false) => {
            return Err(Problem::new(at.clone(), "regions = false does nothing")
                .help("remove it, or write true or names of regions"));
        }
        RegionsValue::Names(names) => names,
    };
    if names.is_empty() {
        return Err(Problem::new(at.clone(), "this list of regions is empty")
            .help("name a region, or write regions = true for all"));
    }
    let find = |(index, name): (usize, &String)| {
        let at = at.index(index);
        let found = known
            .iter()
            .find(|&&id| regions.names[id as usize] == *name);
        found.map(|&id| (id, at.clone())).ok_or_else(|| {
            let known: Vec<&str> = (known.iter())
                .map(|&id| regions.names[id as usize].as_str())
                .collect();
            let message = format!("body `{}` has no elements of a region `{name}`", body.name);
            Problem::new(at, message).help(did_you_mean(name, &known))
        })
    };
    names.iter().enumerate().map(find).collect()
}

/// Nodes in the order in which they were taken, each once.
struct Chosen {
    nodes: Vec<u32>,
    taken: Vec<bool>,
}

impl Chosen {
    fn new(count: usize) -> Chosen {
        Chosen {
            nodes: Vec::new(),
            taken: vec![false; count],
        }
    }

    /// Whether the node was not there before.
    fn take(&mut self, node: u32) -> bool {
        let new = !self.taken[node as usize];
        if new {
            self.taken[node as usize] = true;
            self.nodes.push(node);
        }
        new
    }
}
