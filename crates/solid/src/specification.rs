//! All that a model is built of, before anything is derived from it: what can be turned, scaled or renumbered as a whole.

use crate::contact::ContactModel;
use crate::drive::Drive;
use crate::joint::Joint;
use crate::model::{BodySpecification, Model, ModelError};
use crate::rigid::Chain;
use crate::seam::Seam;
use pliant_linalg::Vec3;

/// See the file header. Drives, joints and seams name nodes as if the bodies were concatenated and all seams open.
#[derive(Clone, Debug)]
pub struct ModelSpecification {
    /// Bodies.
    pub bodies: Vec<BodySpecification>,
    /// Chains of rigid bodies; their links are bodies whose mobility says so.
    pub chains: Vec<Chain>,
    /// What acts from outside.
    pub drives: Vec<Drive>,
    /// Gravitational acceleration, m/s².
    pub gravity: Vec3,
    /// What bodies may touch.
    pub contact: ContactModel,
    /// What ties them.
    pub joints: Vec<Joint>,
    /// Cuts to come, in the order of their times.
    pub seams: Vec<Seam>,
}

impl ModelSpecification {
    /// Checks and assembles everything.
    pub fn build(self) -> Result<Model, ModelError> {
        Model::build_articulated(self.bodies, self.chains, self.drives, self.gravity)?
            .with_contact(self.contact)?
            .with_joints(self.joints)?
            .with_seams(self.seams)
    }
}
