//! `[[drive]]`: what holds, moves, loads or pulls a body.

use crate::file::{ProfileValue, SelectTable, Vector};
use crate::units::{
    Acceleration, Angle, Damping, Force, Length, Number, Pressure, Stiffness, Time, TwistRate,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// An action on nodes of a body: exactly one of `fix`, `move`, `force`, `accelerate`, `traction`, `spring`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriveTable {
    /// Name, unlike that of any other drive; default "drive N".
    pub name: Option<String>,
    /// Name of the body; may be left out when there is only one.
    pub body: Option<String>,
    /// The nodes.
    pub select: SelectTable,
    /// Hold the nodes at their rest positions: `true`, or a table.
    pub fix: Option<FixValue>,
    /// Move the nodes from their rest positions.
    pub r#move: Option<MoveTable>,
    /// Pull the nodes with a total force.
    pub force: Option<ForceTable>,
    /// Push each node with its mass times this acceleration, m/s², constant or changing.
    pub accelerate: Option<ProfileValue<Vector<Acceleration>>>,
    /// Load the surface whose facets have all their nodes selected.
    pub traction: Option<TractionTable>,
    /// Tie each node by a spring to a point that starts at its rest position.
    pub spring: Option<SpringTable>,
}

/// `true`, or a table with `axes` and `release`.
#[derive(Clone, Debug)]
pub enum FixValue {
    /// All axes, for ever; `false` is refused when the scene is built.
    Switch(bool),
    /// Some axes, or released at a time.
    Table(FixTable),
}

/// Nodes held at their rest positions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixTable {
    /// Axes that are held; default "xyz".
    #[serde(default)]
    pub axes: Axes,
    /// Time at which the nodes are let go, s; default never.
    pub release: Option<Time>,
}

/// Nodes that follow a motion: twist, then rotation, then translation of their rest positions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveTable {
    /// Translation, m, constant or changing.
    pub translate: Option<ProfileValue<Vector<Length>>>,
    /// Rotation about an axis.
    pub rotate: Option<TurnTable>,
    /// Rotation that grows along its axis.
    pub twist: Option<TwistTable>,
    /// Axes that follow; the others are free; default "xyz".
    #[serde(default)]
    pub axes: Axes,
    /// Time at which the nodes are let go, s; default never.
    pub release: Option<Time>,
}

/// Rotation about an axis.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnTable {
    /// Direction of the axis, of any length but zero.
    pub axis: Vector<Number>,
    /// A point of the axis, m; default the mean of the selected nodes.
    pub centre: Option<Vector<Length>>,
    /// Angle, rad, right-handed, constant or changing.
    pub angle: ProfileValue<Angle>,
}

/// Rotation that grows along its axis.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TwistTable {
    /// Direction of the axis, of any length but zero.
    pub axis: Vector<Number>,
    /// The point of the axis where the angle is zero, m.
    pub centre: Vector<Length>,
    /// Angle per length along the axis, rad/m, constant or changing.
    pub rate: ProfileValue<TwistRate>,
}

/// A force shared equally by the nodes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForceTable {
    /// Sum over the nodes, N.
    pub total: Vector<Force>,
    /// Factor in time; default 1.
    pub profile: Option<ProfileValue<Number>>,
}

/// A load on a surface; at least one of `load` and `pressure`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TractionTable {
    /// Force per rest area, Pa, fixed in direction.
    pub load: Option<Vector<Pressure>>,
    /// Pressure, Pa, along the normal of the present shape; positive pushes inwards.
    pub pressure: Option<Pressure>,
    /// Factor in time; default 1.
    pub profile: Option<ProfileValue<Number>>,
}

/// A spring to a moving target.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpringTable {
    /// Stiffness of each node's spring, N/m.
    pub stiffness: Stiffness,
    /// Damping of each node's spring, N·s/m; default 0.
    pub damping: Option<Damping>,
    /// Translation of the targets, m, constant or changing.
    pub translate: Option<ProfileValue<Vector<Length>>>,
    /// Rotation of the targets.
    pub rotate: Option<TurnTable>,
    /// Twist of the targets.
    pub twist: Option<TwistTable>,
    /// Time from which the spring acts, s; default 0.
    pub from: Option<Time>,
    /// Time until which the spring acts, s; default for ever.
    pub until: Option<Time>,
}

/// A set of axes, written "x", "xy", "xyz", …
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes(pub [bool; 3]);

impl Default for Axes {
    fn default() -> Self {
        Axes([true; 3])
    }
}

impl<'de> Deserialize<'de> for Axes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut axes = [false; 3];
        for letter in text.chars() {
            match "xyz".find(letter) {
                Some(axis) if !axes[axis] => axes[axis] = true,
                _ => {
                    return Err(de::Error::custom(format!(
                        "`{text}` is not a set of axes: write letters of \"xyz\", each at most once"
                    )));
                }
            }
        }
        if axes == [false; 3] {
            return Err(de::Error::custom(
                "the set of axes is empty: write \"x\", \"xy\", \"xyz\", …",
            ));
        }
        Ok(Axes(axes))
    }
}

impl Serialize for Axes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let letters = "xyz".chars().zip(self.0);
        let text: String = letters.filter(|(_, on)| *on).map(|(c, _)| c).collect();
        serializer.serialize_str(&text)
    }
}

impl JsonSchema for Axes {
    fn schema_name() -> Cow<'static, str> {
        "Axes".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A set of axes.",
            "type": "string",
            "enum": ["x", "y", "z", "xy", "xz", "yz", "xyz"],
        })
    }
}

impl<'de> Deserialize<'de> for FixValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SwitchOrTable;

        impl<'de> Visitor<'de> for SwitchOrTable {
            type Value = FixValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`true`, or a table with `axes` and `release`")
            }

            fn visit_bool<E: de::Error>(self, value: bool) -> Result<FixValue, E> {
                Ok(FixValue::Switch(value))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<FixValue, A::Error> {
                FixTable::deserialize(MapAccessDeserializer::new(map)).map(FixValue::Table)
            }
        }

        deserializer.deserialize_any(SwitchOrTable)
    }
}

impl JsonSchema for FixValue {
    fn schema_name() -> Cow<'static, str> {
        "Fix".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let table = generator.subschema_for::<FixTable>();
        json_schema!({ "anyOf": [{ "const": true }, table] })
    }
}
