//! The rows that constraints touch, and the surface around them, which they may touch next.

use super::ConstraintSet;
use crate::assembly::NO_ROW;
use crate::model::Model;
use crate::reduction::ReducedSpace;

/// See the file header.
#[derive(Debug)]
pub(crate) struct NearRows {
    on_surface: Vec<bool>,
    /// What is touched, ascending, then what is around it.
    pub rows: Vec<u32>,
    marked: Vec<bool>,
}

impl NearRows {
    pub fn new(model: &Model) -> NearRows {
        let mut on_surface = vec![false; model.node_count()];
        for body in &model.bodies {
            for &node in &body.surface.nodes {
                on_surface[body.nodes.start + node as usize] = true;
            }
        }
        NearRows {
            on_surface,
            rows: Vec::new(),
            marked: Vec::new(),
        }
    }

    /// Of the constraints of a step.
    pub fn find(&mut self, set: &ConstraintSet, space: &ReducedSpace) {
        let rows = &mut self.rows;
        rows.clear();
        for index in 0..set.len() {
            let touched = set.nodes_of(index).iter();
            let touched = touched.map(|entry| space.row_of()[entry.node as usize]);
            rows.extend(touched.filter(|&row| row != NO_ROW));
        }
        rows.sort_unstable();
        rows.dedup();
        self.marked.clear();
        self.marked.resize(space.row_count(), false);
        for &row in rows.iter() {
            self.marked[row as usize] = true;
        }
        for at in 0..rows.len() {
            for &row in space.pattern().row(rows[at] as usize) {
                let marked = &mut self.marked[row as usize];
                if !*marked && self.on_surface[space.kept()[row as usize] as usize] {
                    *marked = true;
                    rows.push(row);
                }
            }
        }
    }
}
