//! Quantities with units: `"50 kPa"`, `"1/60 s"`, `"9.81 m/s2"`. Plain numbers are in SI units.
//!
//! A unit may be written with `·`, `²`, `³`, `^`, `µ` and `°`; case matters (`mm` is not `Mm`). Values whose unit
//! is a power of ten below one are divided, so that `"5 ms"` is the double nearest to 0.005.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;
use thiserror::Error;

/// Largest magnitude of a quantity in SI units: its square and cube are finite.
const LARGEST: f64 = 1e100;

/// A unit of a dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// How it is written.
    pub symbol: &'static str,
    /// How it relates to the SI unit.
    pub scale: Scale,
}

/// Relation to the SI unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// So many SI units.
    Times(f64),
    /// So many of them make the SI unit.
    Over(f64),
}

impl Scale {
    fn to_si(self, number: f64) -> f64 {
        match self {
            Scale::Times(factor) => number * factor,
            Scale::Over(divisor) => number / divisor,
        }
    }
}

/// A physical dimension and its units, the SI unit first.
pub trait Dimension: 'static {
    /// The type's name in the schema.
    const NAME: &'static str;
    /// With an article, for messages: "a length".
    const PHRASE: &'static str;
    /// A typical value.
    const EXAMPLE: &'static str;
    /// Known units; an empty symbol stands for a plain number.
    const UNITS: &'static [Unit];
}

/// A finite number of SI units of a dimension.
pub struct Quantity<D> {
    /// The value in SI units.
    pub si: f64,
    dimension: PhantomData<D>,
}

/// A string or number that is not a quantity of the wanted dimension.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum QuantityError {
    /// No number at the beginning.
    #[error("`{text}` does not begin with a number: write {phrase} like \"{example}\"")]
    NoNumber {
        /// What was given.
        text: String,
        /// The dimension.
        phrase: &'static str,
        /// A good value.
        example: &'static str,
    },
    /// A unit of another dimension, or none at all.
    #[error("`{text}` is not {phrase}: use one of {units}")]
    Unit {
        /// What was given.
        text: String,
        /// The dimension.
        phrase: &'static str,
        /// The units that would do.
        units: String,
    },
    /// Infinite or not a number.
    #[error("{phrase} must be a finite number, not `{text}`")]
    NotFinite {
        /// What was given.
        text: String,
        /// The dimension.
        phrase: &'static str,
    },
    /// Beyond anything that can be computed with.
    #[error("`{text}` is out of range for {phrase}: write at most {LARGEST:e} in SI units")]
    TooLarge {
        /// What was given.
        text: String,
        /// The dimension.
        phrase: &'static str,
    },
}

impl<D: Dimension> Quantity<D> {
    /// From SI units; refuses numbers that are not finite, or beyond 1e100.
    pub fn new(si: f64) -> Result<Self, QuantityError> {
        Quantity::checked(si, || format!("{si:e}"))
    }

    /// A quantity that was written as `text`.
    fn checked(si: f64, text: impl Fn() -> String) -> Result<Self, QuantityError> {
        let phrase = D::PHRASE;
        if !si.is_finite() {
            let text = text();
            return Err(QuantityError::NotFinite { text, phrase });
        }
        if si.abs() > LARGEST {
            let text = text();
            return Err(QuantityError::TooLarge { text, phrase });
        }
        Ok(Quantity::constant(si))
    }
}

impl<D> Quantity<D> {
    /// From SI units that are known to be finite.
    pub(crate) const fn constant(si: f64) -> Self {
        Quantity {
            si,
            dimension: PhantomData,
        }
    }
}

impl<D: Dimension> FromStr for Quantity<D> {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let Some((number, rest)) = split_number(text.trim()) else {
            return Err(QuantityError::NoNumber {
                text: shorten(text),
                phrase: D::PHRASE,
                example: D::EXAMPLE,
            });
        };
        let written = normalise(rest);
        // without a unit the number is SI, as it would be outside a string
        let unit = D::UNITS.iter().find(|u| u.symbol == written);
        let scale = match unit {
            Some(unit) => unit.scale,
            None if written.is_empty() => Scale::Times(1.0),
            None => {
                return Err(QuantityError::Unit {
                    text: shorten(text),
                    phrase: D::PHRASE,
                    units: unit_list::<D>(),
                });
            }
        };
        Quantity::checked(scale.to_si(number), || shorten(text))
    }
}

fn unit_list<D: Dimension>() -> String {
    let symbols = D::UNITS.iter().map(|u| u.symbol);
    let named: Vec<&str> = symbols.filter(|s| !s.is_empty()).collect();
    named.join(", ")
}

fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.chars().count() <= LONGEST {
        return text.to_string();
    }
    let head: String = text.chars().take(LONGEST).collect();
    format!("{head}…")
}

/// The number (or fraction such as `1/60`) at the beginning, and what follows.
fn split_number(text: &str) -> Option<(f64, &str)> {
    let end = number_length(text)?;
    let number: f64 = text[..end].parse().ok()?;
    let rest = &text[end..];
    if let Some(below) = rest.strip_prefix('/')
        && let Some(length) = number_length(below)
    {
        let divisor: f64 = below[..length].parse().ok()?;
        return Some((number / divisor, &below[length..]));
    }
    Some((number, rest))
}

/// Bytes of the longest prefix that is a decimal number.
fn number_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let start = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let whole = digits(start);
    let mut end = whole;
    if bytes.get(whole) == Some(&b'.') {
        end = digits(whole + 1);
    }
    if end == start || &text[start..end] == "." {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    Some(end)
}

fn normalise(unit: &str) -> String {
    let mut plain = String::new();
    for c in unit.chars() {
        match c {
            '·' | '⋅' => plain.push('*'),
            '²' => plain.push('2'),
            '³' => plain.push('3'),
            'µ' | 'μ' => plain.push('u'),
            '°' => plain.push_str("deg"),
            '^' => {}
            c => plain.push(c),
        }
    }
    // spaces may surround operators only
    for operator in ["*", "/"] {
        let parts: Vec<&str> = plain.split(operator).map(str::trim).collect();
        plain = parts.join(operator);
    }
    if plain.starts_with('/') {
        plain.insert(0, '1');
    }
    plain
}

impl<D: Dimension> fmt::Display for Quantity<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match D::UNITS.first() {
            Some(unit) if !unit.symbol.is_empty() => write!(f, "{} {}", self.si, unit.symbol),
            _ => write!(f, "{}", self.si),
        }
    }
}

impl<D: Dimension> fmt::Debug for Quantity<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<D> Clone for Quantity<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Quantity<D> {}

impl<D> PartialEq for Quantity<D> {
    fn eq(&self, other: &Self) -> bool {
        self.si == other.si
    }
}

impl<D> Serialize for Quantity<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.si)
    }
}

impl<'de, D: Dimension> Deserialize<'de> for Quantity<D> {
    fn deserialize<R: Deserializer<'de>>(deserializer: R) -> Result<Self, R::Error> {
        struct NumberOrText<D>(PhantomData<D>);

        impl<D: Dimension> Visitor<'_> for NumberOrText<D> {
            type Value = Quantity<D>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} such as \"{}\"", D::PHRASE, D::EXAMPLE)
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Quantity<D>, E> {
                Quantity::new(value).map_err(E::custom)
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Quantity<D>, E> {
                self.visit_f64(value as f64)
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Quantity<D>, E> {
                self.visit_f64(value as f64)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Quantity<D>, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_any(NumberOrText(PhantomData))
    }
}

impl<D: Dimension> JsonSchema for Quantity<D> {
    fn schema_name() -> Cow<'static, str> {
        D::NAME.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let units = unit_list::<D>();
        let si = D::UNITS.first().map_or("", |u| u.symbol);
        let description = if units.is_empty() {
            format!("{}: a plain number.", D::PHRASE)
        } else if si.is_empty() {
            format!(
                "{}: a plain number, or a string with a unit ({units}).",
                D::PHRASE
            )
        } else {
            format!(
                "{}: a number in {si}, or a string with a unit ({units}).",
                D::PHRASE
            )
        };
        json_schema!({
            "description": description,
            "anyOf": [{ "type": "number" }, { "type": "string" }],
            "examples": [D::EXAMPLE],
        })
    }
}

macro_rules! dimensions {
    ($($(#[$doc:meta])* $name:ident, $phrase:literal, $example:literal, [$($symbol:literal $scale:ident $factor:expr),* $(,)?];)*) => {
        /// Markers of the dimensions.
        pub mod dimension {
            use super::{Dimension, Scale, Unit};
            $(
                $(#[$doc])*
                pub enum $name {}
                impl Dimension for $name {
                    const NAME: &'static str = stringify!($name);
                    const PHRASE: &'static str = $phrase;
                    const EXAMPLE: &'static str = $example;
                    const UNITS: &'static [Unit] = &[
                        $(Unit { symbol: $symbol, scale: Scale::$scale($factor) }),*
                    ];
                }
            )*
        }
        $($(#[$doc])* pub type $name = Quantity<dimension::$name>;)*

        #[cfg(test)]
        macro_rules! for_each_dimension {
            ($check:ident) => { $($check::<dimension::$name>();)* };
        }
    };
}

dimensions! {
    /// Length, m.
    Length, "a length", "10 cm",
        ["m" Times 1.0, "km" Times 1e3, "dm" Over 10.0, "cm" Over 1e2, "mm" Over 1e3, "um" Over 1e6, "in" Times 0.0254, "ft" Times 0.3048];
    /// Time, s.
    Time, "a time", "5 ms", ["s" Times 1.0, "ms" Over 1e3, "us" Over 1e6, "ns" Over 1e9, "min" Times 60.0, "h" Times 3600.0];
    /// Mass density, kg/m³.
    Density, "a density", "1000 kg/m3", ["kg/m3" Times 1.0, "g/cm3" Times 1e3, "kg/l" Times 1e3, "g/l" Times 1.0, "t/m3" Times 1e3];
    /// Pressure, stress or modulus, Pa.
    Pressure, "a pressure", "50 kPa",
        ["Pa" Times 1.0, "kPa" Times 1e3, "MPa" Times 1e6, "GPa" Times 1e9, "N/m2" Times 1.0, "N/cm2" Times 1e4, "N/mm2" Times 1e6,
         "mbar" Times 1e2, "bar" Times 1e5, "psi" Times 6_894.757_293_168];
    /// Acceleration, m/s².
    Acceleration, "an acceleration", "9.81 m/s2", ["m/s2" Times 1.0, "cm/s2" Over 1e2, "mm/s2" Over 1e3, "g0" Times 9.80665];
    /// Velocity, m/s.
    Velocity, "a velocity", "0.5 m/s", ["m/s" Times 1.0, "cm/s" Over 1e2, "mm/s" Over 1e3, "km/h" Over 3.6];
    /// Plane angle, rad.
    Angle, "an angle", "30 deg",
        ["rad" Times 1.0, "mrad" Over 1e3, "deg" Times std::f64::consts::PI / 180.0, "turn" Times std::f64::consts::TAU, "turns" Times std::f64::consts::TAU];
    /// Angular velocity, rad/s.
    AngularVelocity, "an angular velocity", "90 deg/s",
        ["rad/s" Times 1.0, "deg/s" Times std::f64::consts::PI / 180.0, "rpm" Times std::f64::consts::TAU / 60.0, "turn/s" Times std::f64::consts::TAU, "turns/s" Times std::f64::consts::TAU];
    /// Angle per length, rad/m.
    TwistRate, "an angle per length", "90 deg/m",
        ["rad/m" Times 1.0, "rad/cm" Times 1e2, "deg/m" Times std::f64::consts::PI / 180.0, "deg/cm" Times std::f64::consts::PI / 1.8, "turn/m" Times std::f64::consts::TAU];
    /// Frequency, Hz.
    Frequency, "a frequency", "2 Hz", ["Hz" Times 1.0, "kHz" Times 1e3, "mHz" Over 1e3, "1/s" Times 1.0, "1/min" Over 60.0, "rpm" Over 60.0];
    /// Rate, 1/s.
    Rate, "a rate", "0.5 1/s", ["1/s" Times 1.0, "1/ms" Times 1e3, "1/min" Over 60.0, "Hz" Times 1.0];
    /// Force, N.
    Force, "a force", "0.5 N", ["N" Times 1.0, "mN" Over 1e3, "kN" Times 1e3, "MN" Times 1e6, "uN" Over 1e6];
    /// Stiffness of a spring, N/m.
    Stiffness, "a spring stiffness", "50 N/m", ["N/m" Times 1.0, "N/cm" Times 1e2, "N/mm" Times 1e3, "kN/m" Times 1e3, "mN/m" Over 1e3];
    /// Damping of a spring, N·s/m.
    Damping, "a spring damping", "0.1 N*s/m", ["N*s/m" Times 1.0, "kN*s/m" Times 1e3, "mN*s/m" Over 1e3, "kg/s" Times 1.0];
    /// Torque, N·m.
    Torque, "a torque", "0.2 N*m", ["N*m" Times 1.0, "kN*m" Times 1e3, "mN*m" Over 1e3, "N*cm" Over 1e2, "N*mm" Over 1e3];
    /// Stiffness of a turn, N·m/rad.
    TurnStiffness, "a torque per angle", "2 N*m/rad", ["N*m/rad" Times 1.0, "mN*m/rad" Over 1e3, "N*m/deg" Times 180.0 / std::f64::consts::PI];
    /// Damping of a turn, N·m·s/rad.
    TurnDamping, "a torque per angular velocity", "0.1 N*m*s/rad", ["N*m*s/rad" Times 1.0, "mN*m*s/rad" Over 1e3, "N*m*s/deg" Times 180.0 / std::f64::consts::PI];
    /// A number without dimension.
    Number, "a number", "0.5", ["" Times 1.0, "%" Over 1e2];
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn si<D: Dimension>(text: &str) -> f64 {
        text.parse::<Quantity<D>>().unwrap().si
    }

    #[test]
    fn units_by_hand() {
        use super::dimension as d;
        assert_eq!(si::<d::Pressure>("50 kPa"), 50_000.0);
        assert_eq!(si::<d::Pressure>("1.5e-3MPa"), 1500.0);
        assert_eq!(si::<d::Time>("5 ms"), 0.005);
        assert_eq!(si::<d::Time>("1/60 s"), 1.0 / 60.0);
        assert_eq!(si::<d::Time>("2 min"), 120.0);
        assert_eq!(si::<d::Length>("+10cm"), 0.1);
        assert_eq!(si::<d::Length>("3 µm"), 3e-6);
        assert_eq!(si::<d::Length>("0.25"), 0.25);
        assert_eq!(si::<d::Density>("1.2 g/cm³"), 1200.0);
        assert_eq!(si::<d::Acceleration>("-9.81 m/s^2"), -9.81);
        assert_eq!(si::<d::Angle>("180°"), std::f64::consts::PI);
        assert_eq!(si::<d::AngularVelocity>("60 rpm"), std::f64::consts::TAU);
        assert_eq!(si::<d::Damping>("2 N·s/m"), 2.0);
        assert_eq!(si::<d::Damping>("2 N * s / m"), 2.0);
        assert_eq!(si::<d::Rate>("0.5/s"), 0.5);
        assert_eq!(si::<d::Rate>("0.5 1/s"), 0.5);
        assert_eq!(si::<d::Number>("20 %"), 0.2);
    }

    #[test]
    fn errors_name_the_units() {
        let message = |t: &str| t.parse::<Length>().unwrap_err().to_string();
        assert_eq!(
            message("5 kg"),
            "`5 kg` is not a length: use one of m, km, dm, cm, mm, um, in, ft"
        );
        assert_eq!(
            message("long"),
            "`long` does not begin with a number: write a length like \"10 cm\""
        );
        for bad in [
            "", ".", "-", "e5 m", "5 m m", "0x10 m", "1_000 m", "5 M", "1e999 m", "1/0 m", "nan",
            "inf m", "-1e101 m",
        ] {
            assert!(bad.parse::<Length>().is_err(), "{bad}");
        }
        assert!(Length::new(f64::NAN).is_err());
    }

    #[test]
    fn every_symbol_is_found_once() {
        fn check<D: Dimension>() {
            for (i, unit) in D::UNITS.iter().enumerate() {
                assert_eq!(normalise(unit.symbol), unit.symbol);
                assert!(D::UNITS[..i].iter().all(|u| u.symbol != unit.symbol));
                let one: Quantity<D> = format!("1 {}", unit.symbol).parse().unwrap();
                assert_eq!(one.si, unit.scale.to_si(1.0));
            }
            assert_eq!(D::UNITS[0].scale, Scale::Times(1.0));
            D::EXAMPLE.parse::<Quantity<D>>().unwrap();
        }
        for_each_dimension!(check);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn printed_quantities_read_back(value in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO) {
            prop_assume!(value.abs() <= LARGEST);
            let length = Length::new(value).unwrap();
            let back: Length = length.to_string().parse().unwrap();
            prop_assert_eq!(back.si.to_bits(), value.to_bits());
            let number: Number = Number::new(value).unwrap().to_string().parse().unwrap();
            prop_assert_eq!(number.si.to_bits(), value.to_bits());
        }

        #[test]
        fn no_text_panics(text in ".{0,24}") {
            let _ = text.parse::<Pressure>();
        }
    }
}
