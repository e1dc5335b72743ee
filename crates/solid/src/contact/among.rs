//! Contacts with obstacles among parts of the surfaces only, for a caller that knows the rest to be clear of them.

use super::detect::{Search, Seen, can_move, extend_once, meets_facets};
use super::{Contact, Detector, Moving, PosedObstacle};
use crate::model::Model;
use pliant_linalg::Vec3;
use rayon::prelude::*;

/// Candidates that one thread looks at together. Fixed, so that no result depends on the number of threads.
const BATCH: usize = 256;

/// Parts of the surfaces that may touch an obstacle: (body, place in its list of surface nodes) and (body, facet), both ascending.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Candidates {
    pub nodes: Vec<[u32; 2]>,
    pub facets: Vec<[u32; 2]>,
}

impl Candidates {
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.facets.clear();
    }

    /// In the order of an exhaustive search, each once.
    pub fn sort(&mut self) {
        for list in [&mut self.nodes, &mut self.facets] {
            list.sort_unstable();
            list.dedup();
        }
    }
}

impl Detector {
    /// Whether obstacles are all that is looked for, and only where they are penetrated: then [`Detector::detect_among`] can stand for
    /// [`Detector::detect`].
    pub(crate) fn sees_obstacles_only(&self) -> bool {
        self.interiors.is_empty() && self.proximity.is_none() && self.reach == 0.0
    }

    /// What [`Detector::detect`] would find, if nothing but these candidates penetrates an obstacle. Nothing else is visited, and `at` need not
    /// know it.
    pub(crate) fn detect_among(
        &mut self,
        model: &Model,
        at: Moving<'_>,
        obstacles: &[PosedObstacle<'_>],
        candidates: &Candidates,
    ) -> &[Contact] {
        self.contacts.clear();
        self.seen = Seen::default(); // what another kind of search has seen is not this
        let h = at.h;
        let moving = |body: u32| can_move(model, &model.bodies[body as usize]);
        let node_of =
            |body: u32, local: u32| model.bodies[body as usize].nodes.start as u32 + local;
        let mut displace = |body: u32, node: u32| {
            let gravity = match moving(body) {
                true => model.gravity * (h * h),
                false => Vec3::ZERO,
            };
            self.displacements[node as usize] = at.velocities[node as usize] * h + gravity;
        };
        for &[body, place] in &candidates.nodes {
            let local = model.bodies[body as usize].surface.nodes[place as usize];
            displace(body, node_of(body, local));
        }
        for &[body, facet] in &candidates.facets {
            for &local in model.bodies[body as usize].surface.facet(facet as usize) {
                displace(body, node_of(body, local));
            }
        }
        let search = Search {
            model,
            contact: &model.contact,
            obstacles,
            interiors: &[],
            displacements: &self.displacements,
            reach: self.reach,
            at,
        };
        let all: Vec<u32> = (0..obstacles.len() as u32).collect();
        let small = all.iter().copied();
        let small: Vec<u32> = small
            .filter(|&o| meets_facets(&obstacles[o as usize]))
            .collect();
        let of_nodes = |part: &[[u32; 2]]| {
            let mut found = Vec::new();
            for &[body, place] in part.iter().filter(|c| moving(c[0])) {
                let local = model.bodies[body as usize].surface.nodes[place as usize];
                search.against_obstacles(node_of(body, local), &all, &mut found);
            }
            found
        };
        let alarm = self.alarm;
        let of_facets = |part: &[[u32; 2]]| {
            let mut found = Vec::new();
            for &[body, facet] in part.iter().filter(|c| moving(c[0])) {
                let body = &model.bodies[body as usize];
                search.facet_against_obstacles(body, facet as usize, &small, alarm, &mut found);
            }
            found
        };
        let nodes: Vec<Vec<Contact>> = in_batches(&candidates.nodes, of_nodes);
        let facets: Vec<Vec<Contact>> = match small.is_empty() {
            false => in_batches(&candidates.facets, of_facets),
            true => Vec::new(),
        };
        self.contacts.extend(nodes.into_iter().flatten());
        extend_once(&mut self.contacts, facets.into_iter().flatten());
        &self.contacts
    }
}

fn in_batches(
    list: &[[u32; 2]],
    find: impl Fn(&[[u32; 2]]) -> Vec<Contact> + Send + Sync,
) -> Vec<Vec<Contact>> {
    match list.len() {
        0..=BATCH => vec![find(list)],
        _ => list.par_chunks(BATCH).map(find).collect(),
    }
}
