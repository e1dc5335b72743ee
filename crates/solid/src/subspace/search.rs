//! Spreads from touched nodes along edges [TMDK15, §4.2].

use super::domain::Domains;
use crate::model::Model;
use std::collections::VecDeque;

/// A breadth-first search that carries along the start it came from; keeps its memory.
pub(crate) struct Search {
    /// Distance at rest to the nearest start that reached a node, m.
    nearest: Vec<f64>,
    queue: VecDeque<(u32, u32)>,
    /// Nodes reached, in the order of their discovery.
    pub reached: Vec<u32>,
}

impl Search {
    pub fn new(model: &Model) -> Search {
        Search {
            nearest: vec![f64::INFINITY; model.node_count()],
            queue: VecDeque::new(),
            reached: Vec::new(),
        }
    }

    /// Finds the nodes within `radius` sizes of their bodies around any of these, at rest and straight, along edges that stay within.
    /// A node is reached from the nearest start whose search comes by.
    pub fn spread(
        &mut self,
        model: &Model,
        domains: &Domains,
        starts: &[u32],
        radius: f64,
    ) -> &[u32] {
        for &node in &self.reached {
            self.nearest[node as usize] = f64::INFINITY;
        }
        self.reached.clear();
        for &node in starts {
            if self.nearest[node as usize] > 0.0 {
                self.nearest[node as usize] = 0.0;
                self.reached.push(node);
                self.queue.push_back((node, node));
            }
        }
        while let Some((node, start)) = self.queue.pop_front() {
            let Some(body) = model.body_index_of_node(start as usize) else {
                continue;
            };
            let limit = radius * domains.sizes[body];
            let from = model.rest[start as usize];
            for &next in domains.neighbours.row(node as usize) {
                let distance = (model.rest[next as usize] - from).norm();
                let known = &mut self.nearest[next as usize];
                if distance <= limit && distance < *known {
                    if *known == f64::INFINITY {
                        self.reached.push(next);
                    }
                    *known = distance;
                    self.queue.push_back((next, start));
                }
            }
        }
        &self.reached
    }
}
