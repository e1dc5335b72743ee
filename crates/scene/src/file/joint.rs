//! `[[attach]]`, `[[distance]]`, `[[slide]]`, `[[hinge]]`, `[[cable]]` and `[[cavity]]`: what ties bodies to each other and to
//! the world.

use crate::file::{ProfileValue, SelectTable, TurnTable, Vector};
use crate::units::{Damping, Force, Length, Number, Pressure};
use schemars::JsonSchema;
use serde::Deserialize;

/// Nodes of a body that stay where they are on another body, or in the world.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttachTable {
    /// Name, unlike that of any other attachment; default "attach N".
    pub name: Option<String>,
    /// The body whose nodes are tied; may be left out when there is only one.
    pub body: Option<String>,
    /// Its nodes.
    pub select: SelectTable,
    /// The body, soft or rigid, that they are tied to; default the world.
    pub to: Option<String>,
    /// Largest distance between a node and the body it is tied to, m; it is kept. Default a millionth of that body's size.
    pub gap: Option<Length>,
    /// Motion of the world's points, m.
    pub translate: Option<ProfileValue<Vector<Length>>>,
    /// Turn of the world's points.
    pub rotate: Option<TurnTable>,
    /// Softness, m/N; default 0, rigid.
    pub compliance: Option<Number>,
    /// Share of an error that a step removes; default 1.
    pub correction: Option<Number>,
}

/// A point of a body or of the world.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointTable {
    /// The body, soft or rigid; default the world.
    pub body: Option<String>,
    /// Where the point is at rest, m; in a soft body it must lie in an element.
    pub at: Vector<Length>,
    /// Take the node of the body that is nearest instead; default false.
    pub snap: Option<bool>,
    /// Motion of a point of the world, m.
    pub translate: Option<ProfileValue<Vector<Length>>>,
    /// Turn of a point of the world.
    pub rotate: Option<TurnTable>,
}

/// Two points that keep a distance.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DistanceTable {
    /// Name, unlike that of any other distance; default "distance N".
    pub name: Option<String>,
    /// The first point.
    pub from: PointTable,
    /// The second point.
    pub to: PointTable,
    /// The distance, m, constant or changing; default that at rest.
    pub length: Option<ProfileValue<Length>>,
    /// Which distances are allowed; default "equal".
    #[serde(default)]
    pub bound: BoundName,
    /// Softness, m/N; default 0, rigid.
    pub compliance: Option<Number>,
    /// Share of an error that a step removes; default 1.
    pub correction: Option<Number>,
}

/// Which distances are allowed.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum BoundName {
    /// Exactly the length: a rod.
    #[default]
    Equal,
    /// At most the length: a rope.
    AtMost,
    /// At least the length: a spacer.
    AtLeast,
}

/// Points that slide along a line or polyline: give `body` and `select`, or `points`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlideTable {
    /// Name, unlike that of any other slide; default "slide N".
    pub name: Option<String>,
    /// The body of the selected nodes; may be left out when there is only one.
    pub body: Option<String>,
    /// Nodes that slide.
    pub select: Option<SelectTable>,
    /// Points that slide.
    pub points: Option<Vec<PointTable>>,
    /// Corners of the curve at rest, m; two make a line. It goes on straight beyond its ends.
    pub curve: Vec<Vector<Length>>,
    /// The rigid body that carries the curve; default the world.
    pub on: Option<String>,
    /// Motion of a curve of the world, m.
    pub translate: Option<ProfileValue<Vector<Length>>>,
    /// Turn of a curve of the world.
    pub rotate: Option<TurnTable>,
    /// Whether the ends of the curve hold the points; default false.
    #[serde(default)]
    pub stops: bool,
    /// Force against sliding over its speed, of each point, N·s/m; default 0.
    pub drag: Option<Damping>,
    /// Softness across the curve, m/N; default 0, rigid.
    pub compliance: Option<Number>,
    /// Share of an error that a step removes; default 1.
    pub correction: Option<Number>,
}

/// A rigid body that turns about an axis of another rigid body or of the world.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HingeTable {
    /// Name, unlike that of any other hinge; default "hinge N".
    pub name: Option<String>,
    /// The rigid body that turns.
    pub body: String,
    /// The rigid body with the axis; default the world.
    pub to: Option<String>,
    /// A point of the axis at rest, m.
    pub point: Vector<Length>,
    /// Direction of the axis at rest, of any length but zero.
    pub axis: Vector<Number>,
    /// Softness, m/N and rad/(N·m); default 0, rigid.
    pub compliance: Option<Number>,
    /// Share of an error that a step removes; default 1.
    pub correction: Option<Number>,
}

/// A cable that runs through points without friction: exactly one of `length`, `ratio`, `tension`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CableTable {
    /// Name, unlike that of any other cable; default "cable N".
    pub name: Option<String>,
    /// The points from end to end, two at least.
    pub through: Vec<PointTable>,
    /// Greatest length, m, constant or changing; shorter it is slack.
    pub length: Option<ProfileValue<Length>>,
    /// Greatest length over that at rest, constant or changing.
    pub ratio: Option<ProfileValue<Number>>,
    /// Tension, N, constant or changing.
    pub tension: Option<ProfileValue<Force>>,
    /// Softness, m/N; default 0, rigid.
    pub compliance: Option<Number>,
    /// Share of an error that a step removes; default 1.
    pub correction: Option<Number>,
}

/// A fluid in the hollow of a body: exactly one of `volume`, `pressure`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CavityTable {
    /// Name, unlike that of any other cavity; default "cavity N".
    pub name: Option<String>,
    /// The body; may be left out when there is only one.
    pub body: Option<String>,
    /// Nodes of the walls: facets of the surface with all their nodes selected; default the only hollow of the body.
    pub select: Option<SelectTable>,
    /// Volume over that at rest, constant or changing.
    pub volume: Option<ProfileValue<Number>>,
    /// Pressure above that outside, Pa, constant or changing.
    pub pressure: Option<ProfileValue<Pressure>>,
    /// Softness of a volume: displacement of the walls over the force on them, m/N; default 0, incompressible.
    pub compliance: Option<Number>,
    /// Share of an error that a step removes; default 1.
    pub correction: Option<Number>,
}
