//! Functions of time.

use crate::error::{KeyPath, Problem};
use crate::file::{ProfileValue, Vector};
use crate::units::Quantity;
use pliant_solid::profile::Profile;

/// A value with N components.
pub trait Components<const N: usize>: Copy {
    fn components(&self) -> [f64; N];
}

impl<D> Components<1> for Quantity<D> {
    fn components(&self) -> [f64; 1] {
        [self.si]
    }
}

impl<D> Components<3> for Vector<Quantity<D>> {
    fn components(&self) -> [f64; 3] {
        self.map(|q| q.si)
    }
}

/// One profile for each component.
pub fn profiles<const N: usize, V: Components<N>>(
    value: &ProfileValue<V>,
    at: &KeyPath,
) -> Result<[Profile; N], Problem> {
    let varying = match value {
        ProfileValue::Constant(v) => return Ok(v.components().map(Profile::Constant)),
        ProfileValue::Varying(varying) => varying,
    };
    match (&varying.keys, &varying.sine) {
        (Some(keys), None) => {
            let at = at.key("keys");
            if keys.is_empty() {
                return Err(Problem::new(at, "a list of keyframes must not be empty")
                    .help("write [[\"0 s\", value], …]"));
            }
            if let Some(i) = (1..keys.len()).find(|&i| keys[i - 1].0.si >= keys[i].0.si) {
                let (before, time) = (keys[i - 1].0, keys[i].0);
                return Err(Problem::new(
                    at.index(i),
                    format!("the keyframe at {time} follows one at {before}"),
                )
                .help("keyframe times must increase"));
            }
            let smooth = varying.smooth.unwrap_or(false);
            Ok(std::array::from_fn(|axis| Profile::Keyframes {
                keys: keys
                    .iter()
                    .map(|(t, v)| (t.si, v.components()[axis]))
                    .collect(),
                smooth,
            }))
        }
        (None, Some(sine)) => {
            if varying.smooth.is_some() {
                return Err(
                    Problem::new(at.key("smooth"), "`smooth` is only used with `keys`")
                        .help("remove it"),
                );
            }
            let amplitude = sine.amplitude.components();
            let offset = sine.offset.map_or([0.0; N], |o| o.components());
            Ok(std::array::from_fn(|axis| Profile::Sine {
                offset: offset[axis],
                amplitude: amplitude[axis],
                frequency: sine.frequency.si,
                phase: sine.phase.map_or(0.0, |p| p.si),
            }))
        }
        _ => Err(Problem::new(
            at.clone(),
            "a value that changes with time needs either `keys` or `sine`",
        )),
    }
}

/// The profile of a single number.
pub fn profile<D>(value: &ProfileValue<Quantity<D>>, at: &KeyPath) -> Result<Profile, Problem> {
    let [profile] = profiles(value, at)?;
    Ok(profile)
}
