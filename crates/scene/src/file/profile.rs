//! Values that change with time: `"2 cm"`, `{ keys = [["0 s", 0], ["1 s", "2 cm"]], smooth = true }`, `{ sine = {…} }`.

use crate::units::{Angle, Frequency, Time};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{self, Deserialize, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A value (a number or a vector) as a function of time.
#[derive(Clone, Debug)]
pub enum ProfileValue<V> {
    /// The same at all times.
    Constant(V),
    /// Keyframes or a sine.
    Varying(KeysOrSine<V>),
}

/// A function of time: give `keys` or `sine`.
#[derive(Clone, Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "KeysOrSine_{V}")]
pub struct KeysOrSine<V> {
    /// Keyframes [time, value] in increasing time; constant before the first and after the last.
    pub keys: Option<Vec<(Time, V)>>,
    /// Zero slope at every key instead of straight lines; default false.
    pub smooth: Option<bool>,
    /// A sine.
    pub sine: Option<SineTable<V>>,
}

/// offset + amplitude · sin(2π · frequency · t + phase).
#[derive(Clone, Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SineTable_{V}")]
pub struct SineTable<V> {
    /// Amplitude.
    pub amplitude: V,
    /// Frequency, Hz.
    pub frequency: Frequency,
    /// Phase, rad; default 0.
    pub phase: Option<Angle>,
    /// Added constant; default 0.
    pub offset: Option<V>,
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for ProfileValue<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ConstantOrTable<V>(PhantomData<V>);

        impl<'de, V: Deserialize<'de>> Visitor<'de> for ConstantOrTable<V> {
            type Value = ProfileValue<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a constant, or a table with `keys` or `sine`")
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
                V::deserialize(value.into_deserializer()).map(ProfileValue::Constant)
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
                V::deserialize(value.into_deserializer()).map(ProfileValue::Constant)
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<Self::Value, E> {
                V::deserialize(value.into_deserializer()).map(ProfileValue::Constant)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                V::deserialize(SeqAccessDeserializer::new(seq)).map(ProfileValue::Constant)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                KeysOrSine::deserialize(MapAccessDeserializer::new(map)).map(ProfileValue::Varying)
            }
        }

        deserializer.deserialize_any(ConstantOrTable(PhantomData))
    }
}

impl<V: JsonSchema> JsonSchema for ProfileValue<V> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}OverTime", name_of::<V>()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let constant = generator.subschema_for::<V>();
        let varying = generator.subschema_for::<KeysOrSine<V>>();
        json_schema!({ "anyOf": [constant, varying] })
    }
}

fn name_of<V: JsonSchema>() -> String {
    V::schema_name().replace("Array_size_3_of_", "Vector_")
}
