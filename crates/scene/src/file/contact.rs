//! `[contact]`: how bodies touch.

use crate::units::{Number, Time};
use schemars::JsonSchema;
use serde::Deserialize;

/// How bodies touch each other and obstacles. Without this table they touch obstacles only.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContactTable {
    /// Whether bodies touch each other; default true. A body does not touch itself.
    pub bodies: Option<bool>,
    /// Coulomb's coefficient between bodies, and of obstacles without one of their own; default 0.5.
    pub friction: Option<Number>,
    /// Stiffness of a contact as a multiple of the elastic stiffness of the node; default 1.
    pub stiffness: Option<Number>,
    /// Damping over stiffness of a contact, s; default 0.
    pub damping: Option<Time>,
}
