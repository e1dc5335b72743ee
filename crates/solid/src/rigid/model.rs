//! Rigid bodies and chains as given by the user, and the check that a model makes sense.

use super::state::Pose;
use crate::drive::Motion;
use crate::profile::Profile;
use pliant_linalg::{Mat3, Vec3};
use thiserror::Error;

/// A rigid body.
#[derive(Clone, Debug)]
pub struct RigidBody {
    /// Name for reports.
    pub name: String,
    /// Mass, kg; not read when fixed or kinematic.
    pub mass: f64,
    /// Inertia about the centre in rest axes, kg·m²; not read when fixed or kinematic.
    pub inertia: Mat3,
    /// Centre of mass at rest in the world, m; rest axes are the world's.
    pub centre: Vec3,
    /// How it moves.
    pub mobility: Mobility,
    /// Initial velocity of the centre of a free body, m/s.
    pub velocity: Vec3,
    /// Initial spin of a free body, rad/s.
    pub spin: Vec3,
}

/// How a rigid body moves.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // bodies are few
pub enum Mobility {
    /// By the forces on it.
    Free,
    /// Not at all.
    Fixed,
    /// By a known motion of the rest pose, without twist.
    Kinematic(Motion),
    /// With a joint of a chain.
    Link {
        /// The chain.
        chain: usize,
        /// The link of the chain whose body this is.
        link: usize,
    },
}

/// Links that turn about each other, a tree rooted in the ground.
#[derive(Clone, Debug)]
pub struct Chain {
    /// Name for reports.
    pub name: String,
    /// The links, each after its parent.
    pub links: Vec<Link>,
}

/// A body and the revolute joint that ties it to its parent. At angle 0 both are as at rest.
#[derive(Clone, Debug)]
pub struct Link {
    /// The body that turns.
    pub body: usize,
    /// The earlier link of the chain that carries the joint; none is the ground.
    pub parent: Option<usize>,
    /// Unit axis at rest in the world; the angle is right-handed about it.
    pub axis: Vec3,
    /// A point of the axis at rest in the world, m.
    pub point: Vec3,
    /// Initial angle, rad.
    pub angle: f64,
    /// Initial rate, rad/s.
    pub rate: f64,
    /// Least and greatest angle, rad.
    pub limits: Option<[f64; 2]>,
    /// Torque against the rate, N·m·s/rad.
    pub damping: f64,
    /// Torque towards `rest_angle`, N·m/rad.
    pub stiffness: f64,
    /// Angle without spring torque, rad.
    pub rest_angle: f64,
    /// Driving torque in time, N·m.
    pub torque: Profile,
}

/// All rigid bodies and chains.
#[derive(Clone, Debug, Default)]
pub struct RigidModel {
    /// The bodies.
    pub bodies: Vec<RigidBody>,
    /// The chains.
    pub chains: Vec<Chain>,
}

/// Why a rigid model is refused.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RigidError {
    /// A number is NaN or infinite.
    #[error("rigid body or joint \"{name}\": {quantity} must be finite")]
    NotFinite {
        /// Body or joint.
        name: String,
        /// What.
        quantity: &'static str,
    },
    /// A moving body without mass.
    #[error(
        "rigid body \"{name}\" moves by forces but has mass {mass} kg: give it a positive mass, or make it fixed or kinematic"
    )]
    Mass {
        /// Body.
        name: String,
        /// Its mass, kg.
        mass: f64,
    },
    /// A moving body with an inertia that is none.
    #[error(
        "rigid body \"{name}\": the inertia must be symmetric and positive definite: take it from mass_properties, or give a line some thickness"
    )]
    Inertia {
        /// Body.
        name: String,
    },
    /// A kinematic body that is told to twist.
    #[error(
        "rigid body \"{name}\": a twist deforms, a rigid body cannot follow it: use a rotation and a translation"
    )]
    Twist {
        /// Body.
        name: String,
    },
    /// An axis that is not a unit vector.
    #[error("\"{name}\": the axis must have length 1, not {length}: divide it by its length")]
    Axis {
        /// Body or joint.
        name: String,
        /// Its length.
        length: f64,
    },
    /// Keys out of order or not finite.
    #[error(
        "\"{name}\": the keyframes of {quantity} must be finite, at least one, in increasing time"
    )]
    Profile {
        /// Body or joint.
        name: String,
        /// What.
        quantity: &'static str,
    },
    /// A chain of nothing.
    #[error("chain \"{chain}\" has no links: give it one or remove it")]
    Empty {
        /// Chain.
        chain: String,
    },
    /// A link's body and that body's mobility disagree.
    #[error(
        "chain \"{chain}\", link {link}: body {body} must exist, have mobility Link with this chain and link, and belong to no other link"
    )]
    Body {
        /// Chain.
        chain: String,
        /// Link.
        link: usize,
        /// Body it names.
        body: usize,
    },
    /// A body is said to be a link of a chain that does not have it.
    #[error(
        "rigid body \"{name}\" is said to be link {link} of chain {chain}, which has another body or does not exist"
    )]
    Stray {
        /// Body.
        name: String,
        /// Chain.
        chain: usize,
        /// Link.
        link: usize,
    },
    /// A parent that does not come before its child.
    #[error(
        "chain \"{chain}\", link {link}: the parent {parent} must be an earlier link: order the links from the ground outwards"
    )]
    Parent {
        /// Chain.
        chain: String,
        /// Link.
        link: usize,
        /// Parent it names.
        parent: usize,
    },
    /// Limits in the wrong order.
    #[error("joint of \"{name}\": limits [{lower}, {upper}] must be [least, greatest]")]
    Limits {
        /// Body.
        name: String,
        /// Least angle, rad.
        lower: f64,
        /// Greatest angle, rad.
        upper: f64,
    },
    /// A joint that would gain energy.
    #[error("joint of \"{name}\": {quantity} must be zero or positive")]
    Negative {
        /// Body.
        name: String,
        /// What.
        quantity: &'static str,
    },
    /// A density that is none.
    #[error("the density of a rigid body must be positive, not {0} kg/m³")]
    Density(f64),
    /// A shape that encloses nothing.
    #[error(
        "the shape of a rigid body has volume {0} m³: tetrahedra must be positive and triangles face outwards"
    )]
    NoVolume(f64),
    /// A surface with a hole.
    #[error("the surface of a rigid body is not closed: fill its holes, or give it tetrahedra")]
    OpenSurface,
}

impl RigidModel {
    /// Refuses what would break a step, and says what to do.
    pub fn check(&self) -> Result<(), RigidError> {
        for body in &self.bodies {
            body.check()?;
            if let Mobility::Link { chain, link } = body.mobility {
                let link_body = self
                    .chains
                    .get(chain)
                    .and_then(|c| c.links.get(link))
                    .and_then(|l| self.bodies.get(l.body));
                if !link_body.is_some_and(|b| std::ptr::eq(b, body)) {
                    return Err(RigidError::Stray {
                        name: body.name.clone(),
                        chain,
                        link,
                    });
                }
            }
        }
        for (c, chain) in self.chains.iter().enumerate() {
            if chain.links.is_empty() {
                return Err(RigidError::Empty {
                    chain: chain.name.clone(),
                });
            }
            for (l, link) in chain.links.iter().enumerate() {
                let expected = |body: &RigidBody| matches!(body.mobility, Mobility::Link { chain, link } if (chain, link) == (c, l));
                let Some(body) = self.bodies.get(link.body).filter(|b| expected(b)) else {
                    return Err(RigidError::Body {
                        chain: chain.name.clone(),
                        link: l,
                        body: link.body,
                    });
                };
                if let Some(parent) = link.parent.filter(|&p| p >= l) {
                    return Err(RigidError::Parent {
                        chain: chain.name.clone(),
                        link: l,
                        parent,
                    });
                }
                link.check(&body.name)?;
            }
        }
        Ok(())
    }

    /// Number of joints of all chains.
    pub fn joint_count(&self) -> usize {
        self.chains.iter().map(|c| c.links.len()).sum()
    }

    /// Index of a chain's first joint in [`super::RigidState::angles`].
    pub fn first_joint(&self, chain: usize) -> usize {
        self.chains[..chain].iter().map(|c| c.links.len()).sum()
    }
}

/// Whether forces move it.
pub(super) fn is_dynamic(mobility: &Mobility) -> bool {
    matches!(mobility, Mobility::Free | Mobility::Link { .. })
}

/// Where a motion without twist puts a body with rest centre `centre` at time `t`.
pub(super) fn pose_at(motion: &Motion, centre: Vec3, t: f64) -> Pose {
    Pose {
        rotation: motion.rotation.as_ref().map_or(Mat3::IDENTITY, |turn| {
            Mat3::rotation(turn.axis, turn.angle.at(t))
        }),
        centre: motion.at(centre, t),
    }
}

fn finite(name: &str, quantity: &'static str, is_finite: bool) -> Result<(), RigidError> {
    if is_finite {
        return Ok(());
    }
    Err(RigidError::NotFinite {
        name: name.to_owned(),
        quantity,
    })
}

fn unit(name: &str, axis: Vec3) -> Result<(), RigidError> {
    let length = axis.norm();
    if (length - 1.0).abs() <= 1e-12 {
        return Ok(());
    }
    Err(RigidError::Axis {
        name: name.to_owned(),
        length,
    })
}

fn valid(name: &str, quantity: &'static str, profile: &Profile) -> Result<(), RigidError> {
    if profile.is_valid() {
        return Ok(());
    }
    Err(RigidError::Profile {
        name: name.to_owned(),
        quantity,
    })
}

impl RigidBody {
    fn check(&self) -> Result<(), RigidError> {
        let name = &self.name;
        finite(name, "the centre", self.centre.is_finite())?;
        finite(name, "the initial velocity", self.velocity.is_finite())?;
        finite(name, "the initial spin", self.spin.is_finite())?;
        if is_dynamic(&self.mobility) {
            if !(self.mass > 0.0 && self.mass.is_finite()) {
                return Err(RigidError::Mass {
                    name: name.clone(),
                    mass: self.mass,
                });
            }
            // leading minors; the last against the size of the matrix, so that a line without thickness is found
            let (i, size) = (&self.inertia, self.inertia.max_abs());
            let asymmetry = (*i - i.transpose()).max_abs();
            let minor = i.at(0, 0) * i.at(1, 1) - i.at(0, 1) * i.at(1, 0);
            let positive = i.at(0, 0) > 0.0
                && minor > 0.0
                && i.determinant() > 1e-12 * size * size * size
                && i.is_finite();
            if !positive || asymmetry > 1e-9 * size {
                return Err(RigidError::Inertia { name: name.clone() });
            }
        }
        let Mobility::Kinematic(motion) = &self.mobility else {
            return Ok(());
        };
        if motion.twist.is_some() {
            return Err(RigidError::Twist { name: name.clone() });
        }
        if let Some(turn) = &motion.rotation {
            unit(name, turn.axis)?;
            finite(name, "the centre of rotation", turn.centre.is_finite())?;
            valid(name, "the rotation", &turn.angle)?;
        }
        for path in motion.translation.iter().flatten() {
            valid(name, "the translation", path)?;
        }
        Ok(())
    }
}

impl Link {
    fn check(&self, name: &str) -> Result<(), RigidError> {
        unit(name, self.axis)?;
        finite(name, "the joint's point", self.point.is_finite())?;
        let initial = self.angle.is_finite() && self.rate.is_finite();
        finite(name, "the joint's angle and rate", initial)?;
        let spring = self.stiffness.is_finite() && self.rest_angle.is_finite();
        finite(name, "the joint's spring", spring)?;
        finite(name, "the joint's damping", self.damping.is_finite())?;
        valid(name, "the joint's torque", &self.torque)?;
        for (quantity, value) in [("damping", self.damping), ("stiffness", self.stiffness)] {
            if value < 0.0 {
                return Err(RigidError::Negative {
                    name: name.to_owned(),
                    quantity,
                });
            }
        }
        // one side may be infinite
        match self.limits {
            Some([lower, upper]) if lower.is_nan() || upper.is_nan() || lower > upper => {
                Err(RigidError::Limits {
                    name: name.to_owned(),
                    lower,
                    upper,
                })
            }
            _ => Ok(()),
        }
    }
}
