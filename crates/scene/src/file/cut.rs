//! `[[cut]]`: planes along which bodies come apart.

use crate::file::{SelectTable, Vector};
use crate::units::{Length, Number, Time};
use schemars::JsonSchema;
use serde::Deserialize;

/// A plane along which a body is cut at some time.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CutTable {
    /// Name, unlike that of any other cut; default "cut N".
    pub name: Option<String>,
    /// Name of the body; may be left out when there is only one.
    pub body: Option<String>,
    /// When it is cut, s: before the first step that begins at this time or later.
    pub time: Time,
    /// A point of the plane, in the body at rest, m.
    pub point: Vector<Length>,
    /// Its normal, of any length but zero.
    pub normal: Vector<Number>,
    /// The part of space in which the plane cuts: boxes, spheres, planes, half-spaces, sides and combinations of these. Default
    /// everywhere.
    pub within: Option<SelectTable>,
    /// Nodes nearer to the plane than this share of their shortest edge count as lying on it; default 0.1.
    pub tolerance: Option<Number>,
}
