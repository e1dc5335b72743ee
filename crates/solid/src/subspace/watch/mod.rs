//! Which parts of trained bodies' surfaces may touch an obstacle, found without a look at the rest.
//!
//! Surface nodes and facets are leaves of trees of balls, one tree for each bone, that contain them wherever coordinates and pose put them
//! ([`ball`]). A ball that is clear of all obstacles ends the search there. Leaves are fitted anew to their nodes when they have grown too
//! much to be of use, and the others to their children. Full and fading nodes are elsewhere than the basis says: they are always looked
//! at, with their facets.
//!
//! Balls depend on when they were fitted last. Which contacts are found does not: all that penetrate are among the candidates.

mod ball;
mod build;
#[cfg(test)]
mod tests;

use super::domain::Domains;
use super::frame::Pose;
use super::memory::Reduced;
use crate::contact::{Candidates, PosedObstacle};
use crate::model::Model;
use ball::{Ball, Bone};
use pliant_linalg::Vec3;
use pliant_mesh::adjacency::Csr;
use pliant_mesh::rig::Quaternion;

/// A ball that has grown by more than this share of its radius is fitted anew if it is not clear.
const GROWN: f64 = 0.2;

/// Relative size of what rounding may move a node by.
const ROUNDING: f64 = 1e-9;

/// See the file header.
pub(super) struct Watch {
    balls: Vec<Ball>,
    /// What is in each ball.
    parts: Vec<Part>,
    roots: Vec<u32>,
    /// Nodes that no ball contains, always looked at.
    unwatched: Vec<u32>,
    /// Body and place in its list of surface nodes, of every node of the model; `NOT_THERE` inside.
    places: Vec<[u32; 2]>,
    /// Facets of each node, in the numbers of its body.
    facets_of: Csr,
    found: Candidates,
    /// Memory for bones as seen from another, and for nodes of a leaf.
    relative: Vec<(Quaternion, Vec3)>,
    placed: Vec<(Vec3, Vec3)>,
}

/// Of a node inside.
const NOT_THERE: u32 = u32::MAX;

/// What is in a ball.
#[derive(Clone, Debug)]
enum Part {
    Inner([u32; 2]),
    Leaf {
        /// As candidates name them.
        nodes: Vec<[u32; 2]>,
        facets: Vec<[u32; 2]>,
        /// The nodes, and other corners of the facets, ascending.
        points: Vec<u32>,
    },
}

/// Where everything is that balls contain.
pub(super) struct Now<'a> {
    pub model: &'a Model,
    pub domains: &'a Domains,
    pub pose: &'a Pose,
    pub memory: &'a Reduced,
    pub obstacles: &'a [PosedObstacle<'a>],
}

/// A ball as it is now, if anything is known.
#[derive(Clone, Copy, Debug)]
struct Seen {
    centre: Vec3,
    radius: f64,
    extent: f64,
}

impl Watch {
    /// Candidates for contact with obstacles.
    pub fn search(&mut self, now: &Now<'_>) -> &Candidates {
        self.found.clear();
        let bones = Bone::of_pose(now.domains, now.pose);
        for index in 0..self.roots.len() {
            self.visit(now, &bones, self.roots[index] as usize);
        }
        let full = now.memory.active.iter().map(|a| a.node);
        let fading = now.memory.fading.iter().map(|f| f.node);
        for node in full.chain(fading).chain(self.unwatched.iter().copied()) {
            let [body, place] = self.places[node as usize];
            if place != NOT_THERE {
                self.found.nodes.push([body, place]);
                let facets = self.facets_of.row(node as usize).iter();
                self.found.facets.extend(facets.map(|&f| [body, f]));
            }
        }
        self.found.sort();
        &self.found
    }

    /// Adds what is in a ball unless that is clear; the ball as it is now.
    fn visit(&mut self, now: &Now<'_>, bones: &[Vec<Bone>], index: usize) -> Option<Seen> {
        let ball = &self.balls[index];
        let (own, q) = (&bones[ball.body], &now.memory.coordinates);
        let slack = ball.slack(own, q, &mut self.relative);
        let seen = slack.map(|slack| ball.seen(own, slack.all, slack.shape));
        if seen.is_some_and(|seen| seen.is_clear(now)) {
            return seen;
        }
        let grown = slack.is_none_or(|slack| slack.all > GROWN * ball.radius);
        match &self.parts[index] {
            &Part::Inner(children) => {
                let parts = children.map(|child| self.visit(now, bones, child as usize));
                let [Some(a), Some(b)] = parts else {
                    return seen;
                };
                if grown {
                    let middles = children.map(|child| self.balls[child as usize].middle);
                    let ball = &mut self.balls[index];
                    ball.join([a, b], middles, own);
                    ball.note(own, q);
                    return ball.valid.then(|| ball.seen(own, 0.0, 0.0));
                }
                seen
            }
            Part::Leaf {
                nodes,
                facets,
                points,
            } => {
                if grown {
                    let place = |&node: &u32| {
                        let shape = now.domains.shape(now.model, node, q);
                        (now.domains.frame(now.pose, node).place(shape), shape)
                    };
                    self.placed.clear();
                    self.placed.extend(points.iter().map(place));
                    let ball = &mut self.balls[index];
                    ball.fit(own, q, &self.placed);
                    let fresh = ball.seen(own, 0.0, 0.0);
                    let known = ball.valid.then_some(fresh);
                    if fresh.is_clear(now) {
                        return known;
                    }
                    self.found.nodes.extend_from_slice(nodes);
                    self.found.facets.extend_from_slice(facets);
                    return known;
                }
                self.found.nodes.extend_from_slice(nodes);
                self.found.facets.extend_from_slice(facets);
                seen
            }
        }
    }
}

impl Seen {
    fn is_clear(&self, now: &Now<'_>) -> bool {
        let radius = self.radius + ROUNDING * (self.radius + self.extent + self.centre.norm());
        let mut obstacles = now.obstacles.iter();
        obstacles.all(|obstacle| obstacle.is_clear_of(self.centre, radius))
    }
}

impl Ball {
    /// Where it is, grown by so much, of which so much is deformation.
    fn seen(&self, bones: &[Bone], grown: f64, shape: f64) -> Seen {
        Seen {
            centre: bones[self.reference as usize].frame.place(self.centre),
            radius: self.radius + grown,
            extent: self.extent + shape,
        }
    }

    /// Around two others with these middles at rest.
    fn join(&mut self, parts: [Seen; 2], middles: [Vec3; 2], bones: &[Bone]) {
        let own = bones[self.reference as usize].frame;
        let [a, b] = parts;
        let (big, small) = if a.radius >= b.radius { (a, b) } else { (b, a) };
        let apart = small.centre - big.centre;
        let distance = apart.norm();
        let (centre, radius) = match distance + small.radius <= big.radius {
            true => (big.centre, big.radius),
            false => {
                let radius = 0.5 * (distance + big.radius + small.radius);
                (
                    big.centre + apart * ((radius - big.radius) / distance),
                    radius,
                )
            }
        };
        self.centre = own.pull_back(centre);
        self.radius = radius * (1.0 + ROUNDING);
        let farthest = |i: usize| (middles[i] - self.middle).norm() + parts[i].extent;
        self.extent = farthest(0).max(farthest(1));
    }
}
