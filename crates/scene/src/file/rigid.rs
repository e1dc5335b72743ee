//! `rigid` of a body, and `[[chain]]`: rigid bodies that turn about each other.

use crate::file::drive::TurnTable;
use crate::file::{ProfileValue, Vector};
use crate::units::{Angle, AngularVelocity, Length, Number, Torque, TurnDamping, TurnStiffness};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// How a rigid body moves.
#[derive(Clone, Debug)]
pub enum RigidValue {
    /// By a word.
    Name(RigidName),
    /// By a known motion.
    Table(Box<RigidTable>),
}

/// How a rigid body moves.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum RigidName {
    /// By the forces on it.
    Free,
    /// Not at all.
    Fixed,
    /// With its joint of a `[[chain]]`.
    Link,
}

/// A rigid body with a known motion.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RigidTable {
    /// The motion.
    pub r#move: RigidMoveTable,
}

/// Motion from where the body is given: rotation, then translation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RigidMoveTable {
    /// Translation, m, constant or changing.
    pub translate: Option<ProfileValue<Vector<Length>>>,
    /// Rotation about an axis; the default of its centre is the mean of all nodes.
    pub rotate: Option<TurnTable>,
}

/// Rigid bodies that turn about each other, beginning at the ground.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChainTable {
    /// Name, unlike that of any other chain; default "chain N".
    pub name: Option<String>,
    /// The links, each after its parent; at least one.
    #[serde(default)]
    pub link: Vec<LinkTable>,
}

/// A rigid body and the joint that ties it to its parent. At angle 0 both are where their tables put them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkTable {
    /// Name of the body, which has rigid = "link".
    pub body: String,
    /// Body of the earlier link of this chain that carries the joint; default the ground.
    pub parent: Option<String>,
    /// Direction of the axis, of any length but zero; angles are right-handed about it.
    pub axis: Vector<Number>,
    /// A point of the axis, m.
    pub point: Vector<Length>,
    /// Initial angle, rad; default 0.
    pub angle: Option<Angle>,
    /// Initial rate, rad/s; default 0.
    pub rate: Option<AngularVelocity>,
    /// Least and greatest angle, rad; default none.
    pub limits: Option<[Angle; 2]>,
    /// Torque against the rate, N·m·s/rad; default 0.
    pub damping: Option<TurnDamping>,
    /// Torque towards `rest_angle`, N·m/rad; default 0.
    pub stiffness: Option<TurnStiffness>,
    /// Angle without spring torque, rad; default 0.
    pub rest_angle: Option<Angle>,
    /// Driving torque, N·m, constant or changing; default 0.
    pub torque: Option<ProfileValue<Torque>>,
}

impl<'de> Deserialize<'de> for RigidValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrTable;

        impl<'de> Visitor<'de> for NameOrTable {
            type Value = RigidValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"free\", \"fixed\", \"link\", or a table with `move`")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<RigidValue, E> {
                RigidName::deserialize(StrDeserializer::new(name)).map(RigidValue::Name)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RigidValue, A::Error> {
                let table = RigidTable::deserialize(MapAccessDeserializer::new(map))?;
                Ok(RigidValue::Table(Box::new(table)))
            }
        }

        deserializer.deserialize_any(NameOrTable)
    }
}

impl JsonSchema for RigidValue {
    fn schema_name() -> Cow<'static, str> {
        "Rigid".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let name = generator.subschema_for::<RigidName>();
        let table = generator.subschema_for::<RigidTable>();
        json_schema!({
            "description": "How a rigid body moves: \"free\", \"fixed\", \"link\", or a table with `move`.",
            "anyOf": [name, table],
        })
    }
}
