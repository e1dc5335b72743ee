//! Makes the trees.

use super::ball::Ball;
use super::{NOT_THERE, Part, Watch};
use crate::contact::Candidates;
use crate::model::Model;
use crate::subspace::domain::Domains;
use crate::subspace::frame::Pose;
use pliant_linalg::Vec3;
use pliant_mesh::adjacency::Csr;
use std::collections::BTreeMap;

/// Nodes of a leaf at most.
const LEAF: usize = 24;

impl Watch {
    /// Of all surfaces; `pose` is any pose of the trained bodies.
    pub fn new(model: &Model, domains: &Domains, pose: &Pose) -> Watch {
        let mut places = vec![[0, NOT_THERE]; model.node_count()];
        let mut pairs = Vec::new();
        for (index, body) in model.bodies.iter().enumerate() {
            let node_of = |local: u32| body.nodes.start as u32 + local;
            for (place, &local) in body.surface.nodes.iter().enumerate() {
                places[node_of(local) as usize] = [index as u32, place as u32];
            }
            for facet in 0..body.surface.facet_count() {
                let corners = body.surface.facet(facet).iter();
                pairs.extend(corners.map(|&local| (node_of(local), facet as u32)));
            }
        }
        let facets_of = Csr::from_pairs(model.node_count(), pairs.into_iter());
        let mut watch = Watch {
            balls: Vec::new(),
            parts: Vec::new(),
            roots: Vec::new(),
            unwatched: Vec::new(),
            places,
            facets_of,
            found: Candidates::default(),
            relative: Vec::new(),
            placed: Vec::new(),
        };
        let mut groups: BTreeMap<(usize, u32), Vec<u32>> = BTreeMap::new();
        for node in 0..model.node_count() as u32 {
            if watch.places[node as usize][1] == NOT_THERE {
                continue;
            }
            match reference(domains, pose, node) {
                Some(key) => groups.entry(key).or_default().push(node),
                None => watch.unwatched.push(node),
            }
        }
        for (key, nodes) in groups {
            let root = watch.grow(model, domains, pose, key, nodes);
            watch.roots.push(root);
        }
        watch
    }

    /// A tree of these nodes, and the facets whose first corners they are; the number of its root.
    fn grow(
        &mut self,
        model: &Model,
        domains: &Domains,
        pose: &Pose,
        key: (usize, u32),
        mut nodes: Vec<u32>,
    ) -> u32 {
        let rest = |n: u32| model.rest[n as usize];
        let number = self.balls.len();
        self.balls.push(Ball::default());
        self.parts.push(Part::Inner([0; 2]));
        let points = if nodes.len() <= LEAF {
            let facets: Vec<[u32; 2]> = (nodes.iter())
                .flat_map(|&node| {
                    let body = self.places[node as usize][0];
                    let surface = &model.bodies[body as usize];
                    let first = move |&&f: &&u32| {
                        let corner = surface.surface.facet(f as usize)[0];
                        surface.nodes.start as u32 + corner == node
                    };
                    let own = self.facets_of.row(node as usize).iter().filter(first);
                    own.map(move |&f| [body, f])
                })
                .collect();
            let corners = facets.iter().flat_map(|&[body, f]| {
                let body = &model.bodies[body as usize];
                let corners = body.surface.facet(f as usize).iter();
                corners.map(|&local| body.nodes.start as u32 + local)
            });
            let mut points: Vec<u32> = nodes.iter().copied().chain(corners).collect();
            points.sort_unstable();
            points.dedup();
            let nodes = nodes.iter().map(|&n| self.places[n as usize]).collect();
            self.parts[number] = Part::Leaf {
                nodes,
                facets,
                points: points.clone(),
            };
            points
        } else {
            let places = || nodes.iter().map(|&n| rest(n));
            let low = places().reduce(Vec3::min).unwrap_or_default();
            let high = places().reduce(Vec3::max).unwrap_or_default();
            let extent = high - low;
            let axis = (0..3).fold(0, |best, a| if extent[a] > extent[best] { a } else { best });
            nodes.sort_by(|&a, &b| rest(a)[axis].total_cmp(&rest(b)[axis]).then(a.cmp(&b)));
            let upper = nodes.split_off(nodes.len() / 2);
            let children = [nodes, upper].map(|part| self.grow(model, domains, pose, key, part));
            self.parts[number] = Part::Inner(children);
            let mut points = Vec::new();
            self.points_of(children[0], &mut points);
            self.points_of(children[1], &mut points);
            points.sort_unstable();
            points.dedup();
            points
        };
        self.balls[number] = around(model, domains, pose, key, &points);
        number as u32
    }

    pub(super) fn points_of(&self, ball: u32, into: &mut Vec<u32>) {
        match &self.parts[ball as usize] {
            Part::Leaf { points, .. } => into.extend_from_slice(points),
            Part::Inner(children) => children.iter().for_each(|&c| self.points_of(c, into)),
        }
    }
}

/// Trained body and largest bone of a node; none where its motion has no bound.
fn reference(domains: &Domains, pose: &Pose, node: u32) -> Option<(usize, u32)> {
    let &(domain, place) = domains.copies(node).first()?;
    let domain = &domains.list[domain as usize];
    let local = domain.basis().nodes[place as usize] as usize;
    let bone = match pose.skin(domain.body) {
        None => 0,
        Some(skin) => skin.blend()?.1.of(local).first()?.0,
    };
    Some((domain.body, bone))
}

/// The constants of a ball around these nodes.
fn around(
    model: &Model,
    domains: &Domains,
    pose: &Pose,
    (body, reference): (usize, u32),
    points: &[u32],
) -> Ball {
    let mut bones: BTreeMap<u32, f64> = BTreeMap::new();
    let mut modes: BTreeMap<u32, f64> = BTreeMap::new();
    for &node in points {
        for &(index, place) in domains.copies(node) {
            let domain = &domains.list[index as usize];
            let block = domain.basis().block(place as usize);
            for m in 0..domain.rank {
                let column = [0, 1, 2].map(|axis| block[axis * domain.rank + m]);
                let most = modes.entry((domain.offset + m) as u32).or_default();
                *most = most.max(Vec3::from(column).norm());
            }
            let local = domain.basis().nodes[place as usize] as usize;
            let weights = pose.skin(body).and_then(|skin| skin.blend());
            let weights = weights.map_or(&[][..], |(_, weights)| weights.of(local));
            for &(bone, weight) in weights.iter().filter(|w| w.0 != reference) {
                let most = bones.entry(bone).or_default();
                *most = most.max(weight);
            }
        }
    }
    let rest = || points.iter().map(|&n| model.rest[n as usize]);
    let low = rest().reduce(Vec3::min).unwrap_or_default();
    let high = rest().reduce(Vec3::max).unwrap_or_default();
    Ball {
        body,
        reference,
        middle: (low + high) * 0.5,
        bones: bones.into_iter().collect(),
        modes: modes.into_iter().filter(|m| m.1 > 0.0).collect(),
        ..Ball::default()
    }
}
