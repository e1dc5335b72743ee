//! `[body.dynamic]`: the nodes of a body that may keep their inertia when a method takes it from the others.

use crate::file::{SelectTable, Vector};
use crate::units::Length;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// Nodes of a body that may be dynamic, those of `at` first, then of `regions`, `select` and `count`; each counts once.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DynamicTable {
    /// Points, m: the free node nearest to each.
    pub at: Option<Vec<Vector<Length>>>,
    /// Regions: of each the free node nearest to its centroid.
    pub regions: Option<RegionsValue>,
    /// All free nodes of a selection.
    pub select: Option<SelectTable>,
    /// How many in all: the others are spread as far as possible from these and from held nodes. 0 alone: none.
    pub count: Option<usize>,
}

/// `true` for all regions of a body, or a list of their names.
#[derive(Clone, Debug)]
pub enum RegionsValue {
    /// All of them; `false` is refused when the scene is built.
    Switch(bool),
    /// Some, by the names of `[[body.region]]` or of the mesh.
    Names(Vec<String>),
}

impl<'de> Deserialize<'de> for RegionsValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SwitchOrNames;

        impl<'de> Visitor<'de> for SwitchOrNames {
            type Value = RegionsValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`true`, or a list of names of regions")
            }

            fn visit_bool<E: de::Error>(self, value: bool) -> Result<RegionsValue, E> {
                Ok(RegionsValue::Switch(value))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<RegionsValue, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(list)).map(RegionsValue::Names)
            }
        }

        deserializer.deserialize_any(SwitchOrNames)
    }
}

impl Serialize for RegionsValue {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            RegionsValue::Switch(all) => serializer.serialize_bool(*all),
            RegionsValue::Names(names) => names.serialize(serializer),
        }
    }
}

impl JsonSchema for RegionsValue {
    fn schema_name() -> Cow<'static, str> {
        "Regions".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "`true` for all regions of the body, or a list of their names.",
            "anyOf": [
                { "type": "boolean" },
                { "type": "array", "items": { "type": "string" } },
            ],
        })
    }
}
