//! Poses in time.

use super::error::RigError;
use super::pose::Pose;
use super::skeleton::Skeleton;

/// A pose and when it is taken.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyedPose {
    /// s.
    pub time: f64,
    /// The pose.
    pub pose: Pose,
}

/// A motion from key to key: bones turn at constant speed by the shortest way, or begin and end each turn slowly.
#[derive(Clone, Debug, PartialEq)]
pub struct SkeletonMotion {
    keys: Vec<KeyedPose>,
    smooth: bool,
    repeats: bool,
}

impl SkeletonMotion {
    /// Checks the keys. A motion that repeats starts anew at its last key.
    pub fn new(
        skeleton: &Skeleton,
        keys: Vec<KeyedPose>,
        smooth: bool,
        repeats: bool,
    ) -> Result<SkeletonMotion, RigError> {
        let mut before = f64::NEG_INFINITY;
        let mut checked = Vec::with_capacity(keys.len());
        for (key, KeyedPose { time, pose }) in keys.into_iter().enumerate() {
            if !(time > before && time.is_finite()) {
                return Err(RigError::BadKeys { key });
            }
            before = time;
            let pose = pose.checked(skeleton)?;
            checked.push(KeyedPose { time, pose });
        }
        if checked.is_empty() {
            return Err(RigError::BadKeys { key: 0 });
        }
        Ok(SkeletonMotion {
            repeats: repeats && checked.len() > 1,
            keys: checked,
            smooth,
        })
    }

    /// No motion.
    pub fn at_rest(skeleton: &Skeleton) -> SkeletonMotion {
        SkeletonMotion::held(Pose::rest(skeleton))
    }

    /// One pose at all times.
    pub fn held(pose: Pose) -> SkeletonMotion {
        SkeletonMotion {
            keys: vec![KeyedPose { time: 0.0, pose }],
            smooth: false,
            repeats: false,
        }
    }

    /// From one pose to another within `seconds`, then held; turns of nearly 180° and more go the shortest way.
    pub fn ramp(from: Pose, to: Pose, seconds: f64) -> SkeletonMotion {
        let key = |time: f64, pose: Pose| KeyedPose { time, pose };
        SkeletonMotion {
            keys: vec![key(0.0, from), key(seconds, to)],
            smooth: false,
            repeats: false,
        }
    }

    /// The keys.
    pub fn keys(&self) -> &[KeyedPose] {
        &self.keys
    }

    /// The same motion with other keys, which must pose as many bones and follow each other in time as before.
    pub fn with_keys(&self, change: impl Fn(&KeyedPose) -> KeyedPose) -> SkeletonMotion {
        SkeletonMotion {
            keys: self.keys.iter().map(change).collect(),
            ..*self
        }
    }

    /// Whether no key moves anything.
    pub fn is_rest(&self) -> bool {
        self.keys.iter().all(|key| key.pose.is_rest())
    }

    /// The pose at time `t`, s: that of the first key before it, that of the last after it.
    pub fn at(&self, t: f64) -> Pose {
        // there is at least one key
        let (first, last) = (&self.keys[0], &self.keys[self.keys.len() - 1]);
        let t = if self.repeats && t > last.time {
            first.time + (t - first.time).rem_euclid(last.time - first.time)
        } else {
            t
        };
        let after = self.keys.partition_point(|key| key.time <= t);
        match (after.checked_sub(1), self.keys.get(after)) {
            (None, _) => first.pose.clone(),
            (Some(_), None) => last.pose.clone(),
            (Some(before), Some(next)) => {
                let from = &self.keys[before];
                let s = (t - from.time) / (next.time - from.time);
                let s = if self.smooth {
                    s * s * (3.0 - 2.0 * s)
                } else {
                    s
                };
                from.pose.between(&next.pose, s)
            }
        }
    }
}
