use super::{ConstraintReport, ConstraintSettings, Law};
use pliant_linalg::{Mat3, Vec3};
#[derive(Default)]
pub struct UnbuiltWorkspace;
pub trait DelassusOperator {
    fn len(&self) -> usize;
    fn apply(&mut self, x: &[Vec3], y: &mut [Vec3]);
    fn diagonal(&self, i: usize) -> Mat3;
}
pub fn solve_unbuilt(
    _: &mut dyn DelassusOperator,
    _: &[Law],
    _: &[Vec3],
    _: &[f64],
    _: &mut [Vec3],
    _: &ConstraintSettings,
    _: &mut UnbuiltWorkspace,
) -> ConstraintReport {
    ConstraintReport::default()
}
