//! Numbers that change with time: amplitudes of loads, angles and paths of prescribed motion, activations.

/// A function of time.
#[derive(Clone, Debug, PartialEq)]
pub enum Profile {
    /// The same at all times.
    Constant(f64),
    /// Keyframes (time in s, value), in increasing time; constant before the first and after the last.
    Keyframes {
        /// (time, value) pairs.
        keys: Vec<(f64, f64)>,
        /// Smooth (zero slope at every key) instead of straight lines.
        smooth: bool,
    },
    /// offset + amplitude · sin(2π·frequency·t + phase).
    Sine {
        /// Added constant.
        offset: f64,
        /// Amplitude.
        amplitude: f64,
        /// Frequency, Hz.
        frequency: f64,
        /// Phase, rad.
        phase: f64,
    },
}

impl Profile {
    /// The value at time `t`.
    pub fn at(&self, t: f64) -> f64 {
        match self {
            Profile::Constant(value) => *value,
            Profile::Keyframes { keys, smooth } => {
                let after = keys.partition_point(|(time, _)| *time <= t);
                match (after.checked_sub(1).map(|i| keys[i]), keys.get(after)) {
                    (None, None) => 0.0,
                    (None, Some(first)) => first.1,
                    (Some(last), None) => last.1,
                    (Some((t0, a)), Some(&(t1, b))) => {
                        let s = (t - t0) / (t1 - t0);
                        a + (b - a) * if *smooth { s * s * (3.0 - 2.0 * s) } else { s }
                    }
                }
            }
            Profile::Sine {
                offset,
                amplitude,
                frequency,
                phase,
            } => offset + amplitude * (std::f64::consts::TAU * frequency * t + phase).sin(),
        }
    }

    /// The same with all values multiplied by a factor.
    pub fn scaled(self, factor: f64) -> Profile {
        match self {
            Profile::Constant(value) => Profile::Constant(value * factor),
            Profile::Keyframes { mut keys, smooth } => {
                keys.iter_mut().for_each(|key| key.1 *= factor);
                Profile::Keyframes { keys, smooth }
            }
            Profile::Sine {
                offset,
                amplitude,
                frequency,
                phase,
            } => Profile::Sine {
                offset: offset * factor,
                amplitude: amplitude * factor,
                frequency,
                phase,
            },
        }
    }

    /// Whether the keys are finite and their times increase.
    pub fn is_valid(&self) -> bool {
        match self {
            Profile::Constant(v) => v.is_finite(),
            Profile::Keyframes { keys, .. } => {
                !keys.is_empty()
                    && keys.iter().all(|(t, v)| t.is_finite() && v.is_finite())
                    && keys.windows(2).all(|w| w[0].0 < w[1].0)
            }
            Profile::Sine {
                offset,
                amplitude,
                frequency,
                phase,
            } => [offset, amplitude, frequency, phase]
                .iter()
                .all(|v| v.is_finite()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keyframes_interpolate_and_hold() {
        let keys = vec![(1.0, 0.0), (3.0, 4.0)];
        let line = Profile::Keyframes {
            keys: keys.clone(),
            smooth: false,
        };
        let smooth = Profile::Keyframes { keys, smooth: true };
        for p in [&line, &smooth] {
            assert_eq!(
                (p.at(0.0), p.at(1.0), p.at(2.0), p.at(3.0), p.at(9.0)),
                (0.0, 0.0, 2.0, 4.0, 4.0)
            );
        }
        assert_eq!(line.at(1.5), 1.0);
        assert_eq!(smooth.at(1.5), 4.0 * (3.0 / 16.0 - 2.0 / 64.0));
    }

    #[test]
    fn disordered_keys_are_invalid() {
        assert!(
            !Profile::Keyframes {
                keys: vec![(1.0, 0.0), (1.0, 2.0)],
                smooth: false
            }
            .is_valid()
        );
        assert!(
            !Profile::Keyframes {
                keys: vec![],
                smooth: false
            }
            .is_valid()
        );
    }
}
