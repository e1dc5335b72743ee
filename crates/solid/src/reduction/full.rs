//! No reduction: every node is kept unless a drive prescribes it, a rigid body carries it or it is the twin of a closed seam.

use super::graph::NodeGraph;
use super::space::Choice;
use super::{ReducedSpace, Reduction, StepContext};
use crate::integrator::Scheme;
use crate::model::Model;
use crate::rigid::RigidStep;
use pliant_linalg::{SolveError, Vec3};

/// The full space.
pub struct Full {
    graph: NodeGraph,
    space: ReducedSpace,
    prescribed: Vec<[bool; 3]>,
    wanted: Vec<[bool; 3]>,
    cliques: Vec<[u32; 4]>,
}

impl Full {
    /// For a model at time zero.
    pub fn new(model: &Model) -> Result<Full, SolveError> {
        let mut prescribed = Vec::new();
        mark_prescribed(model, 0.0, &mut prescribed);
        let graph = NodeGraph::new(model, &[])?;
        let space = full_space(model, &graph, &prescribed, 0)?;
        Ok(Full {
            graph,
            space,
            wanted: prescribed.clone(),
            prescribed,
            cliques: Vec::new(),
        })
    }
}

impl Reduction for Full {
    fn adapt(&mut self, context: &mut StepContext<'_>) -> Result<(), SolveError> {
        let StepContext {
            model,
            scheme,
            rigid,
            end_time,
            cliques,
            ..
        } = *context;
        mark_prescribed(model, end_time, &mut self.wanted);
        if self.wanted != self.prescribed || self.cliques != cliques {
            if self.cliques != cliques {
                self.graph = NodeGraph::new(model, cliques)?;
                self.cliques.clear();
                self.cliques.extend_from_slice(cliques);
            }
            let revision = self.space.revision() + 1;
            self.space = full_space(model, &self.graph, &self.wanted, revision)?;
            self.prescribed.clone_from(&self.wanted);
        }

        set_drift(&mut self.space, model, scheme, rigid, end_time);
        Ok(())
    }

    fn space(&self) -> &ReducedSpace {
        &self.space
    }
}

/// The space of all nodes but the prescribed ones.
fn full_space(
    model: &Model,
    graph: &NodeGraph,
    prescribed: &[[bool; 3]],
    revision: u64,
) -> Result<ReducedSpace, SolveError> {
    let choice = Choice {
        prescribed,
        clumps: Vec::new(),
        chunks: &model.elements.colours,
        ranks: None,
    };
    ReducedSpace::new(model, graph, choice, revision)
}

/// Known velocities of the step that ends at `end_time`.
pub(super) fn set_drift(
    space: &mut ReducedSpace,
    model: &Model,
    scheme: &Scheme,
    rigid: &RigidStep,
    end_time: f64,
) {
    // b carries each prescribed coordinate from x̃ to its target in one step
    space.drifts = false;
    for drive in model
        .drives
        .iter()
        .filter(|d| d.action.prescribes_at(end_time))
    {
        let Some((_, axes)) = drive.action.prescribed() else {
            continue;
        };
        (drive.action).targets(&model.rest, end_time, |node, target| {
            let velocity = (target - scheme.base[node]) / scheme.h;
            for axis in (0..3).filter(|&axis| axes[axis]) {
                space.drift[node][axis] = velocity[axis];
                space.drifts |= velocity[axis] != 0.0;
            }
        });
    }
    // nodes of rigid bodies are in front of what is coupled to them by penalties; only known motion can be
    for (body, index) in (model.bodies.iter()).filter_map(|b| Some((b, b.rigid?))) {
        if rigid.is_dynamic(index) {
            continue;
        }
        for node in body.nodes.clone() {
            let arm = scheme.base[node] - rigid.pose(index).centre;
            let velocity = rigid.point_velocity(index, arm);
            space.drift[node] = velocity;
            space.drifts |= velocity != Vec3::ZERO;
        }
    }
}

/// Coordinates that are not unknowns of the elastic system at time `t`: prescribed ones, z of planar bodies, rigid bodies,
/// twins of closed seams.
pub(super) fn mark_prescribed(model: &Model, t: f64, prescribed: &mut Vec<[bool; 3]>) {
    prescribed.clear();
    prescribed.resize(model.node_count(), [false; 3]);
    for body in model.bodies.iter().filter(|b| b.planar) {
        for node in body.nodes.clone() {
            prescribed[node][2] = true;
        }
    }
    for body in model.bodies.iter().filter(|b| b.rigid.is_some()) {
        prescribed[body.nodes.clone()].fill([true; 3]);
    }
    for [twin, _] in model.seams.followers() {
        prescribed[*twin as usize] = [true; 3];
    }
    for drive in model.drives.iter().filter(|d| d.action.prescribes_at(t)) {
        if let Some((nodes, axes)) = drive.action.prescribed() {
            for &node in nodes {
                for axis in 0..3 {
                    prescribed[node as usize][axis] |= axes[axis];
                }
            }
        }
    }
}
