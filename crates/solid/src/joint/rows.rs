//! The rows of joints in the constraints of a step.
//!
//! With x̃ and ĥ of the scheme a row asks for g(x̃ + ĥ v) = (1 − c) g(x̃), c being the joint's share of correction, or for
//! g ≥ 0. Linearised at x̃ that is u = J v + c g(x̃)/ĥ = 0. Once v is known the bias is shifted by what the linearisation missed,
//! g(x̃ + ĥ v)/ĥ − u, and the impulses are solved again: Newton's method with the Jacobian of the first pass.

use super::{Bound, Configuration, Curve, Frame, Joint, JointKind, cavity};
use super::{CableControl, CavityControl};
use crate::constraint::{Constraint, ConstraintSet, Law, RigidEntry, contact_frame, rate};
use crate::contact::pull;
use crate::integrator::Scheme;
use crate::model::Model;
use crate::rigid::RigidStep;
use crate::state::State;
use pliant_linalg::{Mat3, Vec3, vec3};

/// First numbers of the identities.
const OF_JOINT: u32 = 16;
const OF_LIMIT: u32 = 17;
/// Joints of chains nearer to a limit get a row, rad.
const LIMIT_MARGIN: f64 = 0.5;

/// What a row belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    /// A pair of an attachment.
    Pair(usize),
    Distance,
    /// A point of a slide, and the directions across the curve at rest.
    Across {
        point: usize,
        normals: [Vec3; 2],
    },
    /// A point of a slide, whether it is held back from the far end, and where to.
    Stop {
        point: usize,
        far: bool,
        direction: Vec3,
    },
    /// Linear, along a direction.
    Drag(Vec3),
    HingePoint,
    /// Directions across the axis at rest, which the first body carries.
    HingeAxis([Vec3; 2]),
    Cable,
    Volume,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub joint: usize,
    pub part: Part,
    /// Place among the constraints.
    pub index: usize,
    /// Defect that is to be left, m.
    left: Vec3,
}

/// A limit of a chain's joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    /// Joint of the chains.
    pub joint: usize,
    /// 1 at the least angle, −1 at the greatest.
    pub sign: f64,
    pub index: usize,
}

/// The rows of all joints in a step.
#[derive(Default)]
pub(crate) struct JointRows {
    pub(super) rows: Vec<Row>,
    pub(super) limits: Vec<Limit>,
    /// Time at the end of the step, s.
    pub end: f64,
    /// What [`Self::measure`] found missing from the biases, and what was added last.
    missing: Vec<Vec3>,
    added: Vec<Vec3>,
}

impl JointRows {
    /// Whether any row is not linear.
    pub fn can_miss(&self) -> bool {
        !self.rows.is_empty()
    }

    /// Adds the rows of the step of length `h` to its constraints.
    pub fn constrain(
        &mut self,
        model: &Model,
        state: &State,
        scheme: &Scheme,
        rigid: &RigidStep,
        h: f64,
        set: &mut ConstraintSet,
    ) {
        self.rows.clear();
        self.limits.clear();
        self.end = state.time + h;
        let at = Configuration {
            model,
            positions: &scheme.base,
            poses: &state.rigid.poses,
            time: self.end,
        };
        for (index, joint) in model.joints.iter().enumerate() {
            let mut builder = Builder {
                rows: &mut self.rows,
                set,
                state,
                scheme,
                at,
                h,
                joint,
                index,
                part: 0,
            };
            builder.add();
        }
        if !model.rigid.chains.is_empty() {
            self.add_limits(model, state, rigid, scheme.h, set);
        }
    }

    /// A joint's rate is the spin of its link less that of the parent, along the axis.
    fn add_limits(
        &mut self,
        model: &Model,
        state: &State,
        rigid: &RigidStep,
        h: f64,
        set: &mut ConstraintSet,
    ) {
        for limit in rigid.joint_limits(LIMIT_MARGIN) {
            let chain = &model.rigid.chains[limit.chain];
            let link = &chain.links[limit.link];
            let joint = model.rigid.first_joint(limit.chain) + limit.link;
            self.limits.push(Limit {
                joint,
                sign: limit.sign,
                index: set.len(),
            });
            set.push(Constraint {
                identity: [OF_LIMIT, joint as u32, u32::from(limit.sign < 0.0), 0, 0],
                law: Law::Inequality,
                bias: vec3(limit.gap / h, 0.0, 0.0),
                compliance: 0.0,
                frame: Mat3::IDENTITY,
            });
            // the axis is the same in the axes of the link and of its parent
            let axis = state.rigid.poses[link.body].rotation * link.axis * limit.sign;
            turn(set, link.body, first_row(axis));
            if let Some(parent) = link.parent {
                turn(set, chain.links[parent].body, first_row(-axis));
            }
        }
    }

    /// How far the defects at `at`, which the velocities lead to, are from those of the linearised rows, m (rad). Rows that
    /// are slack either way do not count.
    pub fn measure(
        &mut self,
        set: &ConstraintSet,
        impulses: &[Vec3],
        v: &[Vec3],
        rigid: &RigidStep,
        at: Configuration,
        h: f64,
    ) -> f64 {
        self.missing.clear();
        let mut largest = 0.0f64;
        for row in &self.rows {
            let joint = &at.model.joints[row.joint];
            let Some(defect) = defect(joint, row.part, at) else {
                self.missing.push(Vec3::ZERO);
                continue;
            };
            let wanted = (defect - row.left) / h;
            let linear = rate(set, row.index, v, rigid);
            self.missing.push(wanted - linear);
            let slack = set.constraints()[row.index].law == Law::Inequality
                && impulses[row.index].x == 0.0
                && wanted.x > 0.0
                && linear.x > 0.0;
            if !slack {
                let missed = (wanted - linear).norm() * h;
                largest = if missed.is_finite() {
                    largest.max(missed)
                } else {
                    f64::INFINITY
                };
            }
        }
        largest
    }

    /// Adds to the biases what the last measurement found missing.
    pub fn shift(&mut self, set: &mut ConstraintSet) {
        for (row, &missing) in self.rows.iter().zip(&self.missing) {
            set.shift_bias(row.index, missing);
        }
        std::mem::swap(&mut self.missing, &mut self.added);
    }

    /// Takes back the last shift.
    pub fn unshift(&mut self, set: &mut ConstraintSet) {
        for (row, &added) in self.rows.iter().zip(&self.added) {
            set.shift_bias(row.index, -added);
        }
    }
}

/// g of a row; none where the row is linear.
fn defect(joint: &Joint, part: Part, at: Configuration) -> Option<Vec3> {
    let single = |value: f64| Some(vec3(value, 0.0, 0.0));
    match (&joint.kind, part) {
        (JointKind::Attachment { pairs }, Part::Pair(pair)) => {
            let [a, b] = &pairs[pair];
            Some(a.position(at) - b.position(at))
        }
        (
            JointKind::Distance {
                ends,
                length,
                bound,
            },
            _,
        ) => {
            let distance = (ends[1].position(at) - ends[0].position(at)).norm();
            let room = length.at(at.time) - distance;
            single(if *bound == Bound::AtLeast {
                -room
            } else {
                room
            })
        }
        (JointKind::Slide { points, curve, .. }, Part::Across { point, normals }) => {
            let q = curve.frame.to_rest(points[point].position(at), at);
            let off = q - curve.foot(q).point;
            Some(vec3(normals[0].dot(off), normals[1].dot(off), 0.0))
        }
        (JointKind::Slide { points, curve, .. }, Part::Stop { point, far, .. }) => {
            let q = curve.frame.to_rest(points[point].position(at), at);
            single(room_to_end(curve, q, far))
        }
        (
            JointKind::Hinge {
                first,
                second,
                point,
                axis,
            },
            part,
        ) => {
            let other = second.map(|body| at.poses[body].rotation);
            match part {
                Part::HingeAxis(normals) => {
                    let axis = other.unwrap_or(Mat3::IDENTITY) * *axis;
                    let across = normals.map(|n| (at.poses[*first].rotation * n).dot(axis));
                    Some(vec3(across[0], across[1], 0.0))
                }
                _ => {
                    let held = second.map_or(*point, |body| at.rigid_point(body, *point));
                    Some(at.rigid_point(*first, *point) - held)
                }
            }
        }
        (JointKind::Cable { points, control }, _) => {
            let CableControl::Length(length) = control else {
                return None;
            };
            single(length.at(at.time) - cable_length(points, at))
        }
        (JointKind::Cavity { walls, control }, _) => {
            let CavityControl::Volume(ratio) = control else {
                return None;
            };
            let rest = |n: u32| at.model.rest[n as usize];
            let wanted = ratio.at(at.time) * cavity::volume(walls, rest);
            let volume = cavity::volume(walls, |n| at.node(n as usize));
            // in metres and newtons, as the other rows: over the area at rest
            single((volume - wanted) / cavity::area(walls, rest))
        }
        _ => None,
    }
}

/// Length left along a curve before its far or near end, m.
fn room_to_end(curve: &Curve, q: Vec3, far: bool) -> f64 {
    let along = curve.foot(q).along;
    if far { curve.length() - along } else { along }
}

/// Length of the way through points, m.
pub(super) fn cable_length(points: &[super::Anchor], at: Configuration) -> f64 {
    let mut length = 0.0;
    let mut before: Option<Vec3> = None;
    for point in points {
        let x = point.position(at);
        length += before.map_or(0.0, |b| (x - b).norm());
        before = Some(x);
    }
    length
}

/// Sum of the unit vectors from each point of a cable to its neighbours: the force of a tension of 1 N.
pub(super) fn cable_pulls(points: &[super::Anchor], at: Configuration) -> Vec<Vec3> {
    let mut pulls = vec![Vec3::ZERO; points.len()];
    for i in 1..points.len() {
        let step = points[i].position(at) - points[i - 1].position(at);
        // coinciding points have no direction and need none
        if let Some(direction) = step.normalized() {
            pulls[i - 1] += direction;
            pulls[i] -= direction;
        }
    }
    pulls
}

/// A block whose first row is `row`.
fn first_row(row: Vec3) -> Mat3 {
    Mat3::outer(Vec3::AXES[0], row)
}

/// The last constraint acts on the spin of a rigid body.
fn turn(set: &mut ConstraintSet, body: usize, angular: Mat3) {
    set.pull_rigid(RigidEntry {
        body: body as u32,
        arm: Vec3::ZERO,
        linear: Mat3::ZERO,
        angular,
    });
}

/// Adds the rows of one joint.
struct Builder<'a> {
    rows: &'a mut Vec<Row>,
    set: &'a mut ConstraintSet,
    state: &'a State,
    scheme: &'a Scheme,
    /// Base positions, poses at the start, time at the end.
    at: Configuration<'a>,
    h: f64,
    joint: &'a Joint,
    index: usize,
    /// Rows so far.
    part: u32,
}

impl<'a> Builder<'a> {
    fn add(&mut self) {
        let model = self.at.model;
        let joint: &'a Joint = self.joint;
        match &joint.kind {
            JointKind::Attachment { pairs } => {
                for (index, [a, b]) in pairs.iter().enumerate() {
                    let law = Law::Equality { rows: 3 };
                    self.push(Part::Pair(index), law, Mat3::IDENTITY);
                    a.pull(model, self.state, self.set, Mat3::IDENTITY);
                    b.pull(model, self.state, self.set, -Mat3::IDENTITY);
                }
            }
            JointKind::Distance { ends, bound, .. } => {
                let step = ends[1].position(self.at) - ends[0].position(self.at);
                let along = step.normalized().unwrap_or(Vec3::AXES[0]);
                let law = match bound {
                    Bound::Equal => Law::Equality { rows: 1 },
                    Bound::AtMost | Bound::AtLeast => Law::Inequality,
                };
                let along = if *bound == Bound::AtLeast {
                    -along
                } else {
                    along
                };
                self.push(Part::Distance, law, Mat3::IDENTITY);
                ends[0].pull(model, self.state, self.set, first_row(along));
                ends[1].pull(model, self.state, self.set, first_row(-along));
            }
            JointKind::Slide {
                points,
                curve,
                stops,
                drag,
            } => {
                for point in 0..points.len() {
                    self.add_slide(points, point, curve, *stops, *drag);
                }
            }
            JointKind::Hinge {
                first,
                second,
                point,
                axis,
            } => self.add_hinge(*first, *second, *point, *axis),
            JointKind::Cable { points, control } => {
                if matches!(control, CableControl::Tension(_)) {
                    return; // a load
                }
                self.push(Part::Cable, Law::Inequality, Mat3::IDENTITY);
                for (point, pull) in points.iter().zip(cable_pulls(points, self.at)) {
                    point.pull(model, self.state, self.set, first_row(pull));
                }
            }
            JointKind::Cavity { walls, control } => {
                if matches!(control, CavityControl::Pressure(_)) {
                    return; // a load
                }
                self.push(Part::Volume, Law::Equality { rows: 1 }, Mat3::IDENTITY);
                let area = cavity::area(walls, |n| model.rest[n as usize]);
                let mut corners: Vec<(u32, Vec3)> = Vec::new();
                let present = |n: u32| self.at.node(n as usize);
                cavity::gradient(walls, present, |node, part| corners.push((node, part)));
                corners.sort_by_key(|&(node, _)| node);
                for corner in corners.chunk_by(|a, b| a.0 == b.0) {
                    let sum = corner.iter().fold(Vec3::ZERO, |sum, (_, part)| sum + *part);
                    let block = first_row(sum / area);
                    pull(model, self.state, self.set, corner[0].0 as usize, block);
                }
            }
        }
    }

    fn add_slide(
        &mut self,
        points: &[super::Anchor],
        index: usize,
        curve: &Curve,
        stops: bool,
        drag: f64,
    ) {
        let (model, state, at) = (self.at.model, self.state, self.at);
        let point = &points[index];
        let turned = curve.frame.rotation(at);
        // the curve where the point is about to be, so that corners are rounded in time
        let p = point.position(at);
        let carried = |x: Vec3| match curve.frame {
            Frame::Rigid(body) => {
                let (pose, twist) = (state.rigid.poses[body], state.rigid.twists[body]);
                twist.at(x - pose.centre)
            }
            Frame::World(_) => Vec3::ZERO, // its end of the step is in `at`
        };
        let ahead = p + (point.velocity(model, state) - carried(p)) * self.scheme.h;
        let foot = curve.foot(curve.frame.to_rest(ahead, at));
        let across = contact_frame(foot.tangent);
        let normals = [across.row(1), across.row(2)];
        let tangent = turned * foot.tangent;
        let frame = Mat3::from_columns(turned * normals[0], turned * normals[1], tangent);
        let frame = frame.transpose();
        let mut block = frame;
        for column in 0..3 {
            block.set(2, column, 0.0);
        }
        let pull_both = |set: &mut ConstraintSet, block: Mat3| {
            point.pull(model, state, set, block);
            if let Frame::Rigid(body) = curve.frame {
                set.pull_rigid(RigidEntry {
                    body: body as u32,
                    arm: p - state.rigid.poses[body].centre,
                    linear: -block,
                    angular: Mat3::ZERO,
                });
            }
        };
        let part = Part::Across {
            point: index,
            normals,
        };
        self.push(part, Law::Equality { rows: 2 }, frame);
        pull_both(self.set, block);
        if stops {
            let far = foot.along > 0.5 * curve.length();
            let direction = if far { -tangent } else { tangent };
            let part = Part::Stop {
                point: index,
                far,
                direction,
            };
            self.push(part, Law::Inequality, Mat3::IDENTITY);
            pull_both(self.set, first_row(direction));
        }
        if drag > 0.0 && self.scheme.inertia {
            self.push(
                Part::Drag(tangent),
                Law::Equality { rows: 1 },
                Mat3::IDENTITY,
            );
            let before = Configuration {
                time: state.time,
                ..at
            };
            let moved = match curve.frame {
                Frame::Rigid(_) => Vec3::ZERO, // among the unknowns
                Frame::World(_) => {
                    let q = curve.frame.to_rest(p, at);
                    p - curve.frame.to_present(q, before)
                }
            };
            let slip = -tangent.dot(moved) / self.h;
            self.set.set_softness(slip, 1.0 / (drag * self.scheme.h));
            pull_both(self.set, first_row(tangent));
        }
    }

    fn add_hinge(&mut self, first: usize, second: Option<usize>, point: Vec3, axis: Vec3) {
        let (model, state) = (self.at.model, self.state);
        self.push(Part::HingePoint, Law::Equality { rows: 3 }, Mat3::IDENTITY);
        let rigid = |body| super::Anchor::Rigid { body, point };
        rigid(first).pull(model, state, self.set, Mat3::IDENTITY);
        if let Some(body) = second {
            rigid(body).pull(model, state, self.set, -Mat3::IDENTITY);
        }
        // b·a' of a normal b of the first and the axis a' of the second changes by (ω₁ − ω₂)·(b × a')
        let across = contact_frame(axis);
        let normals = [across.row(1), across.row(2)];
        let law = Law::Equality { rows: 2 };
        self.push(Part::HingeAxis(normals), law, Mat3::IDENTITY);
        let rotation = |body: usize| self.at.poses[body].rotation;
        let axis = second.map_or(Mat3::IDENTITY, rotation) * axis;
        let [a, b] = normals.map(|n| (rotation(first) * n).cross(axis));
        let block = Mat3::from_columns(a, b, Vec3::ZERO).transpose();
        turn(self.set, first, block);
        if let Some(body) = second {
            turn(self.set, body, -block);
        }
    }

    /// A constraint without entries, with bias and compliance of the joint.
    fn push(&mut self, part: Part, law: Law, frame: Mat3) {
        let (joint, h) = (self.joint, self.scheme.h);
        let start = defect(joint, part, self.at).unwrap_or_default();
        let slack = law == Law::Inequality && start.x > 0.0;
        let share = if slack { 1.0 } else { joint.correction };
        self.rows.push(Row {
            joint: self.index,
            part,
            index: self.set.len(),
            left: start * (1.0 - share),
        });
        self.set.push(Constraint {
            identity: [OF_JOINT, self.index as u32, self.part, 0, 0],
            law,
            bias: start * (share / h),
            compliance: joint.compliance / (h * h),
            frame,
        });
        self.part += 1;
    }
}
