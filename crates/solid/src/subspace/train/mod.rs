//! Training: from snapshots of a body to a basis and cubature for each of its domains. Pure functions of their arguments.
//!
//! Snapshots are pulled back through the skinning, ū = Rᵀ(x − t) − X, so that the basis has only what the skinning misses; the
//! principal components of each domain's part are its modes, with rigid modes on request [TMDK15, §4]. The forces of the
//! domain's elements in those modes, at samples near the snapshots, then choose its cubature; where the body touches itself in them, vertices
//! are chosen that stand for those contacts.

mod basis;
mod columns;
mod samples;
#[cfg(test)]
mod tests;
mod touching;

pub use columns::reduced_forces;

use super::fingerprint::Fingerprint;
use super::trained::{TrainedDomain, TrainedModel, interface_of};
use crate::element::Element;
use crate::model::Model;
use crate::octet::Formulation;
use columns::DomainColumns;
use pliant_linalg::{CubatureSettings, Keep, PrincipalError, Vec3, select_cubature};
use pliant_mesh::rig::{NodeFrame, SkinWeights, Skinning};
use samples::Samples;
use thiserror::Error;

/// What the skinning does to a node in a snapshot: x = R (X + ū) + t.
pub trait Skinned: Sync {
    /// R and t of a node of the body.
    fn frame(&self, snapshot: usize, node: usize) -> NodeFrame;
    /// Whether all frames are the identity, so that nobody needs to ask.
    fn is_identity(&self) -> bool {
        false
    }
}

/// A body without a rig.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unskinned;

impl Skinned for Unskinned {
    fn frame(&self, _: usize, _: usize) -> NodeFrame {
        NodeFrame::IDENTITY
    }
    fn is_identity(&self) -> bool {
        true
    }
}

/// A body with a rig: the skinning of each snapshot, and the weights of all nodes.
#[derive(Clone, Debug)]
pub struct Rigged<'a> {
    /// Of each snapshot.
    pub skinnings: Vec<Skinning>,
    /// Of each node of the body.
    pub weights: &'a SkinWeights,
}

impl Skinned for Rigged<'_> {
    fn frame(&self, snapshot: usize, node: usize) -> NodeFrame {
        self.skinnings[snapshot].frame(self.weights.of(node))
    }
}

/// A state of the body that training learns from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Positions of the body's nodes, m.
    pub positions: Vec<Vec3>,
    /// Activations of all channels of the model; those beyond its end are zero.
    pub activations: Vec<f64>,
}

/// What is trained.
pub struct Training<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its body.
    pub body: usize,
    /// What was seen of it.
    pub snapshots: &'a [Snapshot],
    /// How it was skinned then.
    pub skinned: &'a dyn Skinned,
    /// Elements of each domain, the body's own numbers; every element in one domain.
    pub domains: &'a [Vec<u32>],
    /// Nodes that something holds: rigid modes are zero there.
    pub held: &'a [u32],
    /// Skinning weights to keep with the result.
    pub weights: Option<SkinWeights>,
    /// Snapshots of states with contact: of these it is learnt where the body touches itself.
    pub touching: &'a [usize],
}

/// How training goes about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingSettings {
    /// How many modes stay.
    pub keep: Keep,
    /// Appends translations and infinitesimal rotations to each basis.
    pub rigid_modes: bool,
    /// The search for points; its seed seeds everything random here.
    pub cubature: CubatureSettings,
    /// Most samples of a domain: beyond, snapshots are left out evenly.
    pub samples: usize,
    /// Samples around each snapshot besides itself.
    pub perturbations: usize,
    /// Deviation of those in a mode, relative to the root mean square of the mode's coordinate in all snapshots.
    pub deviation: f64,
}

impl Default for TrainingSettings {
    fn default() -> Self {
        TrainingSettings {
            keep: Keep::default(),
            rigid_modes: false,
            cubature: CubatureSettings::default(),
            samples: 200,
            perturbations: 1,
            deviation: 0.3,
        }
    }
}

/// Why nothing was trained.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TrainingError {
    /// No snapshots.
    #[error("there is no snapshot to train from: give training loads, times or poses")]
    NoSnapshots,
    /// A snapshot of something else.
    #[error("snapshot {snapshot} has {found} nodes where the body has {expected}")]
    Size {
        /// Which.
        snapshot: usize,
        /// Its nodes.
        found: usize,
        /// The body's.
        expected: usize,
    },
    /// The body is rigid.
    #[error("the body `{0}` is rigid: only soft bodies are trained")]
    Rigid(String),
    /// A body of elements that cannot be weighed one by one.
    #[error(
        "body `{0}` has the element {1}: only bodies of linear elements can be trained, give it the element tet4"
    )]
    Element(String, &'static str),
    /// Domains that do not part the elements.
    #[error("element {0} is in no domain or in several: domains must part the elements")]
    Domains(u32),
    /// Snapshots without a basis.
    #[error("domain {domain}: {source}")]
    Basis {
        /// Which.
        domain: usize,
        /// Why.
        source: PrincipalError,
    },
    /// Forces that cannot be evaluated.
    #[error(
        "domain {domain}: at no sample all of its elements have finite forces; train with smaller loads or a material that \
         withstands inversion"
    )]
    Forces {
        /// Which.
        domain: usize,
    },
}

/// What became of one domain.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DomainReport {
    /// Nodes and elements.
    pub nodes: usize,
    /// Elements.
    pub elements: usize,
    /// Modes, rigid ones included.
    pub rank: usize,
    /// Rigid modes among them.
    pub rigid_modes: usize,
    /// Share of the snapshots' variance that the modes hold.
    pub variance: f64,
    /// Largest distance of a snapshot from the space, relative to the largest snapshot.
    pub projection_error: f64,
    /// Samples that the cubature was trained with.
    pub samples: usize,
    /// Points.
    pub points: usize,
    /// Relative error of the reduced forces at the samples.
    pub error: f64,
    /// Iterations of the search.
    pub iterations: usize,
}

/// Trains all domains, one after the other; `done` hears of each.
pub fn train(
    training: &Training<'_>,
    settings: &TrainingSettings,
    mut done: impl FnMut(usize, &DomainReport),
) -> Result<(TrainedModel, Vec<DomainReport>), TrainingError> {
    let Training { model, body, .. } = training;
    check(training)?;
    let elements = model.elements.unpacked();
    let (mut domains, mut reports) = (Vec::new(), Vec::new());
    for index in 0..training.domains.len() {
        let (domain, report) = train_domain(training, index, &elements, settings)?;
        done(index, &report);
        domains.push(domain);
        reports.push(report);
    }
    let lists: Vec<&[u32]> = domains
        .iter()
        .map(|d: &TrainedDomain| &d.nodes[..])
        .collect();
    let mut trained = TrainedModel {
        body: model.bodies[*body].name.clone(),
        fingerprint: Fingerprint::of_body(model, *body),
        interface: interface_of(&lists),
        domains,
        weights: training.weights.clone(),
        contacts: Vec::new(),
    };
    trained.contacts = touching::learn(training, &trained, &settings.cubature);
    Ok((trained, reports))
}

fn check(training: &Training<'_>) -> Result<(), TrainingError> {
    let body = &training.model.bodies[training.body];
    if body.rigid.is_some() {
        return Err(TrainingError::Rigid(body.name.clone()));
    }
    if body.formulation != Formulation::Linear {
        let element = body.formulation.name();
        return Err(TrainingError::Element(body.name.clone(), element));
    }
    if training.snapshots.is_empty() {
        return Err(TrainingError::NoSnapshots);
    }
    let expected = body.nodes.len();
    for (snapshot, state) in training.snapshots.iter().enumerate() {
        let found = state.positions.len();
        if found != expected {
            return Err(TrainingError::Size {
                snapshot,
                found,
                expected,
            });
        }
    }
    let mut times = vec![0_u32; body.elements.len()];
    for &e in training.domains.iter().flatten() {
        match times.get_mut(e as usize) {
            Some(times) => *times += 1,
            None => return Err(TrainingError::Domains(e)),
        }
    }
    match times.iter().position(|&times| times != 1) {
        Some(e) => Err(TrainingError::Domains(e as u32)),
        None => Ok(()),
    }
}

/// Basis, then cubature.
fn train_domain(
    training: &Training<'_>,
    index: usize,
    elements: &[Element],
    settings: &TrainingSettings,
) -> Result<(TrainedDomain, DomainReport), TrainingError> {
    let body = &training.model.bodies[training.body];
    let mut own = training.domains[index].clone();
    own.sort_unstable();
    // soft elements are numbered without gaps within a body
    let first = elements.partition_point(|e| (e.number as usize) < body.elements.start);
    let of_domain: Vec<&Element> = own.iter().map(|&e| &elements[first + e as usize]).collect();
    let (mut domain, mut report) =
        basis::build(training, own, &of_domain, settings).map_err(|source| {
            TrainingError::Basis {
                domain: index,
                source,
            }
        })?;
    let seed = settings.cubature.seed.wrapping_add(index as u64);
    if domain.rank > 0 {
        let samples = Samples::new(training, &domain, settings, seed);
        let Some(columns) = DomainColumns::new(training, &domain, &of_domain, samples) else {
            return Err(TrainingError::Forces { domain: index });
        };
        let search = CubatureSettings {
            seed,
            ..settings.cubature
        };
        let cubature = select_cubature(&columns, columns.target(), &search);
        report.samples = columns.sample_count();
        report.points = cubature.points.len();
        report.error = cubature.error;
        report.iterations = cubature.iterations;
        domain.error = cubature.error;
        let numbered = cubature.points.into_iter();
        domain.cubature = numbered.map(|(k, w)| (domain.elements[k], w)).collect();
    }
    Ok((domain, report))
}
