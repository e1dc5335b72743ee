//! One step of everything rigid: free velocities, what constraints need to couple to them, and the advance.

use super::chain::Posture;
use super::dense::{Cholesky, dot, product};
use super::model::{Chain, Mobility, RigidModel, pose_at};
use super::rotation::{exponential, mean_spin, orthonormalized};
use super::state::{Pose, RigidState, Twist, Wrench};
use pliant_linalg::{Mat3, Vec3, flat, flat_mut};
use std::ops::Range;

/// Most sweeps of the implicit inertia torques of a chain.
const INERTIA_SWEEPS: usize = 30;

/// A joint near or beyond a limit: gap + h · sign · rate ≥ 0 is to hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimit {
    /// The chain.
    pub chain: usize,
    /// The link whose joint it is.
    pub link: usize,
    /// Block of the generalised velocity that holds the rate.
    pub block: usize,
    /// Entry of that block.
    pub row: usize,
    /// 1 at the least angle, −1 at the greatest.
    pub sign: f64,
    /// Angle left at the start of the step, rad; negative beyond the limit.
    pub gap: f64,
}

/// Torques of a joint about its axis on the link at the end of the step, N·m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointTorque {
    /// Driving torque.
    pub applied: f64,
    /// Spring.
    pub spring: f64,
    /// Damping.
    pub damping: f64,
}

/// Where a body's motion comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// Known over the step.
    Known { twist: Twist, end: Pose },
    /// System of a free body.
    Free { system: usize },
    /// System of a chain, and the link.
    Link { system: usize, link: usize },
}

#[derive(Clone, Debug)]
struct System {
    blocks: Range<usize>,
    matter: Matter,
}

#[derive(Clone, Debug)]
enum Matter {
    Body {
        inverse_mass: f64,
        /// In world axes at the start, kg·m² and its inverse.
        inertia: Mat3,
        inverse_inertia: Mat3,
    },
    Chain(Box<ChainSystem>),
}

#[derive(Clone, Debug, Default)]
struct ChainSystem {
    chain: usize,
    first_joint: usize,
    posture: Posture,
    /// M at the start by rows.
    mass: Vec<f64>,
    /// Factor of M + h D + h² K.
    factor: Cholesky,
    angles: Vec<f64>,
    limits: Vec<Option<[f64; 2]>>,
    applied: Vec<f64>,
    damping: Vec<f64>,
    /// Stiffness and rest angle.
    springs: Vec<(f64, f64)>,
    /// Whether the implicit inertia torques were found; else the bodies' momenta are carried over instead.
    is_resolved: bool,
}

/// The rigid system of one step.
#[derive(Clone, Debug, Default)]
pub struct RigidStep {
    h: f64,
    sources: Vec<Source>,
    poses: Vec<Pose>,
    systems: Vec<System>,
    /// System of each block.
    system_of: Vec<usize>,
    velocity: Vec<Vec3>,
}

impl RigidStep {
    /// Sets up the step of length `h` from `time`: masses at the start, velocities at the end without constraints,
    /// known motion of kinematic bodies as the chord of the step. `loads` has one wrench per body, or is empty.
    pub fn begin(
        &mut self,
        model: &RigidModel,
        state: &RigidState,
        gravity: Vec3,
        loads: &[Wrench],
        time: f64,
        h: f64,
    ) {
        let load = |body: usize| loads.get(body).copied().unwrap_or_default();
        self.h = h;
        self.sources.clear();
        self.systems.clear();
        self.velocity.clear();
        self.poses.clone_from(&state.poses);
        for (index, body) in model.bodies.iter().enumerate() {
            let (pose, twist) = (state.poses[index], state.twists[index]);
            let source = match &body.mobility {
                Mobility::Fixed => Source::Known {
                    twist: Twist::default(),
                    end: pose,
                },
                Mobility::Kinematic(motion) => {
                    let end = pose_at(motion, body.centre, time + h);
                    let spin = motion.rotation.as_ref().map_or(Vec3::ZERO, |turn| {
                        turn.axis * ((turn.angle.at(time + h) - turn.angle.at(time)) / h)
                    });
                    let velocity = (end.centre - pose.centre) / h;
                    Source::Known {
                        twist: Twist { velocity, spin },
                        end,
                    }
                }
                Mobility::Free => {
                    let Wrench { force, torque } = load(index);
                    let (r, turn_back) = (pose.rotation, pose.rotation.transpose());
                    let inverse = body.inertia.inverse().unwrap_or(Mat3::ZERO);
                    let inverse_inertia = (r * inverse * turn_back).symmetric_part();
                    self.velocity
                        .push(twist.velocity + (gravity + force / body.mass) * h);
                    self.velocity
                        .push(twist.spin + inverse_inertia * torque * h);
                    self.systems.push(System {
                        blocks: self.velocity.len() - 2..self.velocity.len(),
                        matter: Matter::Body {
                            inverse_mass: 1.0 / body.mass,
                            inertia: turned_inertia(&r, &body.inertia),
                            inverse_inertia,
                        },
                    });
                    Source::Free {
                        system: self.systems.len() - 1,
                    }
                }
                // the system is known below; a link without a chain stays where it is
                Mobility::Link { .. } => Source::Known {
                    twist: Twist::default(),
                    end: pose,
                },
            };
            self.sources.push(source);
        }
        for (index, chain) in model.chains.iter().enumerate() {
            let first = model.first_joint(index);
            let joints = first..first + chain.links.len();
            let mut system = ChainSystem {
                chain: index,
                first_joint: first,
                ..ChainSystem::default()
            };
            let angles = &state.angles[joints.clone()];
            system.prepare(model, chain, angles, time + h, h);
            let wrench = |link: usize| load(chain.links[link].body);
            let rates = system.free_rates(&state.rates[joints], wrench, gravity, h);
            for (link, entry) in chain.links.iter().enumerate() {
                self.sources[entry.body] = Source::Link {
                    system: self.systems.len(),
                    link,
                };
            }
            let start = self.velocity.len();
            self.velocity
                .resize(start + chain.links.len().div_ceil(3), Vec3::ZERO);
            flat_mut(&mut self.velocity[start..])[..rates.len()].copy_from_slice(&rates);
            self.systems.push(System {
                blocks: start..self.velocity.len(),
                matter: Matter::Chain(Box::new(system)),
            });
        }
        self.system_of.clear();
        for (index, system) in self.systems.iter().enumerate() {
            self.system_of.extend(system.blocks.clone().map(|_| index));
        }
    }

    /// Number of 3-blocks.
    pub fn block_count(&self) -> usize {
        self.velocity.len()
    }

    /// The generalised velocity u that moves the step.
    pub fn velocity(&self) -> &[Vec3] {
        &self.velocity
    }

    /// The generalised velocity, for constraints to change; padding entries of chains must stay zero.
    pub fn velocity_mut(&mut self) -> &mut [Vec3] {
        &mut self.velocity
    }

    /// Number of systems, one per free body and chain; blocks of different systems are uncoupled.
    pub fn system_count(&self) -> usize {
        self.systems.len()
    }

    /// Blocks of a system.
    pub fn blocks_of(&self, system: usize) -> Range<usize> {
        self.systems[system].blocks.clone()
    }

    /// System of a block.
    pub fn system_of_block(&self, block: usize) -> usize {
        self.system_of[block]
    }

    /// Number of chains that turn too far in this step for their inertia to be resolved; those lose energy.
    pub fn unresolved_count(&self) -> usize {
        let unresolved = |s: &&System| matches!(&s.matter, Matter::Chain(c) if !c.is_resolved);
        self.systems.iter().filter(unresolved).count()
    }

    /// Pose of a body at the start of the step.
    pub fn pose(&self, body: usize) -> Pose {
        self.poses[body]
    }

    /// Whether the body has generalised velocities; others have known motion.
    pub fn is_dynamic(&self, body: usize) -> bool {
        !matches!(self.sources[body], Source::Known { .. })
    }

    /// Jacobian of linear · (velocity of the material point at the centre plus `arm`) + angular · spin with respect
    /// to the blocks, in increasing order; `arm` in world axes at the start. Nothing for known motion.
    pub fn jacobian(
        &self,
        body: usize,
        arm: Vec3,
        linear: &Mat3,
        angular: &Mat3,
        push: &mut impl FnMut(usize, Mat3),
    ) {
        match self.sources[body] {
            Source::Known { .. } => {}
            Source::Free { system } => {
                let first = self.systems[system].blocks.start;
                push(first, *linear);
                push(first + 1, *angular - *linear * Mat3::cross_matrix(arm));
            }
            Source::Link { system, link } => {
                let (blocks, posture) = (self.blocks_of(system), &self.chain(system).posture);
                let x = posture.poses[link].centre + arm;
                let mut joints = posture.paths[link].iter().peekable();
                while let Some(&&first) = joints.peek() {
                    let block = first / 3;
                    let mut matrix = Mat3::ZERO;
                    while let Some(&joint) = joints.next_if(|&&j| j / 3 == block) {
                        matrix.columns[joint % 3] =
                            *linear * posture.column(joint, x) + *angular * posture.axes[joint];
                    }
                    push(blocks.start + block, matrix);
                }
            }
        }
    }

    /// Twist of a body from the present generalised velocity, or the known one.
    pub fn twist(&self, body: usize) -> Twist {
        match self.sources[body] {
            Source::Known { twist, .. } => twist,
            Source::Free { system } => {
                let first = self.systems[system].blocks.start;
                Twist {
                    velocity: self.velocity[first],
                    spin: self.velocity[first + 1],
                }
            }
            Source::Link { system, link } => {
                let rates = flat(&self.velocity[self.blocks_of(system)]);
                self.chain(system).posture.twist(link, rates)
            }
        }
    }

    /// Velocity over the step of the material point at the centre plus `arm`: the exact chord for known motion,
    /// linear in the generalised velocity otherwise.
    pub fn point_velocity(&self, body: usize, arm: Vec3) -> Vec3 {
        match self.sources[body] {
            Source::Known { end, .. } => {
                let start = self.poses[body];
                let end_arm = end.rotation * (start.rotation.transpose() * arm);
                (end.centre + end_arm - start.centre - arm) / self.h
            }
            _ => self.twist(body).at(arm),
        }
    }

    /// A⁻¹ in place for the blocks of one system: the mass matrix, of chains with implicit damping and springs.
    pub fn apply_inverse(&self, system: usize, blocks: &mut [Vec3]) {
        match &self.systems[system].matter {
            Matter::Body {
                inverse_mass,
                inverse_inertia,
                ..
            } => {
                blocks[0] = blocks[0] * *inverse_mass;
                blocks[1] = *inverse_inertia * blocks[1];
            }
            Matter::Chain(chain) => {
                let flat = flat_mut(blocks);
                flat[chain.angles.len()..].fill(0.0);
                chain.factor.solve(flat);
            }
        }
    }

    /// Limits that a joint is beyond or within `margin` rad of, now or at the end of the step as it stands.
    pub fn joint_limits(&self, margin: f64) -> Vec<JointLimit> {
        let mut found = Vec::new();
        for system in &self.systems {
            let Matter::Chain(chain) = &system.matter else {
                continue;
            };
            let rates = flat(&self.velocity[system.blocks.clone()]);
            for (link, limits) in chain.limits.iter().enumerate() {
                let Some([lower, upper]) = *limits else {
                    continue;
                };
                let angle = chain.angles[link];
                for (sign, gap) in [(1.0, angle - lower), (-1.0, upper - angle)] {
                    if gap.min(gap + self.h * sign * rates[link]) <= margin {
                        found.push(JointLimit {
                            chain: chain.chain,
                            link,
                            block: system.blocks.start + link / 3,
                            row: link % 3,
                            sign,
                            gap,
                        });
                    }
                }
            }
        }
        found
    }

    /// Torques of all joints, chain after chain, with the present generalised velocity.
    pub fn joint_torques(&self) -> Vec<JointTorque> {
        let mut torques = Vec::new();
        for system in &self.systems {
            let Matter::Chain(chain) = &system.matter else {
                continue;
            };
            let rates = flat(&self.velocity[system.blocks.clone()]);
            for (joint, &applied) in chain.applied.iter().enumerate() {
                let (stiffness, rest) = chain.springs[joint];
                torques.push(JointTorque {
                    applied,
                    spring: stiffness * (rest - chain.angles[joint] - self.h * rates[joint]),
                    damping: -chain.damping[joint] * rates[joint],
                });
            }
        }
        torques
    }

    /// Moves everything by the present generalised velocity, from the `state` given to `begin` into `next`.
    pub fn finish(&self, model: &RigidModel, state: &RigidState, next: &mut RigidState) {
        next.clone_from(state);
        for (index, source) in self.sources.iter().enumerate() {
            match *source {
                Source::Known { twist, end } => {
                    next.poses[index] = end;
                    next.twists[index] = twist;
                }
                Source::Free { system } => {
                    let System { blocks, matter } = &self.systems[system];
                    let Matter::Body { inertia, .. } = matter else {
                        continue;
                    };
                    let (velocity, spin) =
                        (self.velocity[blocks.start], self.velocity[blocks.start + 1]);
                    let rest = model.bodies[index].inertia;
                    let (pose, end_spin) =
                        spun(&state.poses[index], *inertia * spin, &rest, self.h);
                    next.poses[index] = Pose {
                        centre: pose.centre + velocity * self.h,
                        ..pose
                    };
                    next.twists[index] = Twist {
                        velocity,
                        spin: end_spin,
                    };
                }
                Source::Link { .. } => {}
            }
        }
        let (mut posture, mut mass, mut factor) = Default::default();
        for system in &self.systems {
            let Matter::Chain(chain) = &system.matter else {
                continue;
            };
            let rates = &flat(&self.velocity[system.blocks.clone()])[..chain.angles.len()];
            chain.advance(
                model,
                rates,
                self.h,
                (&mut posture, &mut mass, &mut factor),
                next,
            );
        }
    }

    fn chain(&self, system: usize) -> &ChainSystem {
        match &self.systems[system].matter {
            Matter::Chain(chain) => chain,
            Matter::Body { .. } => unreachable!("sources of links name chains"),
        }
    }
}

/// Inertia in world axes.
fn turned_inertia(rotation: &Mat3, inertia: &Mat3) -> Mat3 {
    (*rotation * *inertia * rotation.transpose()).symmetric_part()
}

/// Free rotation over h with the angular momentum `l`: the pose with the same centre, and the spin of l there.
fn spun(pose: &Pose, l: Vec3, inertia: &Mat3, h: f64) -> (Pose, Vec3) {
    let inverse = inertia.inverse().unwrap_or(Mat3::ZERO);
    let mean = mean_spin(pose.rotation.transpose() * l, &inverse, h);
    let rotation = orthonormalized(pose.rotation * exponential(mean * h));
    let solve = |l: Vec3| rotation * (inverse * (rotation.transpose() * l));
    // one refinement: a defect of the inverse would be the same in every step and add up
    let spin = solve(l);
    let spin = spin + solve(l - turned_inertia(&rotation, inertia) * spin);
    let centre = pose.centre;
    (Pose { rotation, centre }, spin)
}

impl ChainSystem {
    /// Posture, masses and joint parameters for the step that ends at `end`.
    fn prepare(&mut self, model: &RigidModel, chain: &Chain, angles: &[f64], end: f64, h: f64) {
        let links = chain.links.iter();
        self.angles = angles.to_vec();
        self.limits = links.clone().map(|l| l.limits).collect();
        self.applied = links.clone().map(|l| l.torque.at(end)).collect();
        self.damping = links.clone().map(|l| l.damping).collect();
        self.springs = links.map(|l| (l.stiffness, l.rest_angle)).collect();
        self.posture.place(model, chain, angles);
        self.posture.mass_matrix(&mut self.mass);
        let mut system = self.mass.clone();
        let n = angles.len();
        for j in 0..n {
            system[j * n + j] += h * self.damping[j] + h * h * self.springs[j].0;
        }
        self.factor.factor(&system, n);
    }

    /// u of (M + h D + h² K) u = M q̇ + h (τ + Jᵀ f + K (rest − q) + ∂T/∂q(u)).
    ///
    /// ∂T/∂q at u itself makes the map (q, p) → (q⁺, p⁺) symplectic. Where its fixed point is not reached (links that
    /// turn too far in a step), ∂T/∂q is left out here and `advance` carries the inertia over.
    fn free_rates(
        &mut self,
        rates: &[f64],
        wrench: impl Fn(usize) -> Wrench,
        gravity: Vec3,
        h: f64,
    ) -> Vec<f64> {
        let mut torque = self.applied.clone();
        self.posture.add_torques(wrench, gravity, &mut torque);
        let mut known = Vec::new();
        product(&self.mass, rates, &mut known);
        for (j, (stiffness, rest)) in self.springs.iter().enumerate() {
            known[j] += h * (torque[j] + stiffness * (rest - self.angles[j]));
        }
        let found = self.implicit_rates(&known, rates, h);
        self.is_resolved = found.is_some();
        found.unwrap_or_else(|| {
            self.factor.solve(&mut known);
            known
        })
    }

    /// Fixed point u ← A⁻¹ (known + h ∂T/∂q(u)) from q̇. Newton's method would find roots where this diverges, but
    /// they are other ones, of any energy: the contraction is what tells that the step resolves the motion.
    fn implicit_rates(&self, known: &[f64], rates: &[f64], h: f64) -> Option<Vec<f64>> {
        let mut u = rates.to_vec();
        let mut last = f64::INFINITY;
        for sweep in 0..INERTIA_SWEEPS {
            let mut update = known.to_vec();
            self.posture.add_inertia_torques(&u, h, &mut update);
            self.factor.solve(&mut update);
            u.iter_mut().zip(&update).for_each(|(u, new)| *u -= new);
            let change = dot(&u, &u).sqrt();
            let size = dot(&update, &update).sqrt();
            u = update;
            if change <= 1e-12 * size {
                return Some(u);
            }
            if sweep > 4 && (change >= last || !change.is_finite()) {
                return None;
            }
            last = change;
        }
        None
    }

    /// Turns the joints by h u and keeps the rates that belong to the same momentum M u at the new posture.
    ///
    /// Unresolved, the momenta of the bodies are projected to the new posture, J(q⁺)ᵀ diag(m, I) J(q) u, which is
    /// M u + h ∂T/∂q to first order, loses energy where links turn far, and cannot gain any.
    fn advance(
        &self,
        model: &RigidModel,
        u: &[f64],
        h: f64,
        (posture, mass, factor): (&mut Posture, &mut Vec<f64>, &mut Cholesky),
        next: &mut RigidState,
    ) {
        let joints = self.first_joint..self.first_joint + u.len();
        let chain = &model.chains[self.chain];
        for (angle, (start, rate)) in next.angles[joints.clone()]
            .iter_mut()
            .zip(self.angles.iter().zip(u))
        {
            *angle = start + h * rate;
        }
        posture.place(model, chain, &next.angles[joints.clone()]);
        posture.mass_matrix(mass);
        factor.factor(mass, u.len());
        let mut rates = Vec::new();
        product(&self.mass, u, &mut rates);
        if self.is_resolved {
            factor.solve(&mut rates);
        } else {
            let energy = dot(u, &rates);
            let mut momentum = vec![0.0; u.len()];
            posture.add_torques(
                |link| self.posture.momentum(link, u),
                Vec3::ZERO,
                &mut momentum,
            );
            rates.clone_from(&momentum);
            factor.solve(&mut rates);
            let gain = dot(&rates, &momentum) / energy;
            if gain > 1.0 {
                rates.iter_mut().for_each(|rate| *rate /= gain.sqrt());
            }
        }
        posture.write(chain, &rates, &mut next.poses, &mut next.twists);
        next.rates[joints].copy_from_slice(&rates);
    }
}
