//! The nodal vectors that one chunk of elements works on, copied together.
//!
//! A chunk has at most 256 different nodes, so a byte numbers them and no index needs a check. Vectors are padded to four
//! numbers: a corner of eight elements is eight loads or additions of whole vectors, turned between "a node" and "a component
//! of eight nodes" in registers.

use super::shared::SharedSlice;
use crate::element::CHUNK_NODES;
use fearless_simd::{Simd, f64x4, prelude::*};
use pliant_linalg::lanes::{LANES, LaneVec3, Lanes, splat};
use pliant_linalg::{Vec3, flat};
use std::cell::RefCell;

/// x, y, z and a zero.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Quad([f64; 4]);

/// A vector for each node of a chunk, by the chunk's own numbers.
pub(super) struct LocalField([Quad; CHUNK_NODES]);

thread_local! {
    /// What a kernel reads and what it adds to; kept, so that only the entries of a chunk are cleared.
    static FIELDS: RefCell<[LocalField; 2]> = const { RefCell::new([LocalField::ZERO; 2]) };
}

/// Calls `work` with this thread's two local fields, which hold anything.
pub(super) fn with_fields<R>(work: impl FnOnce(&mut [LocalField; 2]) -> R) -> R {
    FIELDS.with(|fields| match fields.try_borrow_mut() {
        Ok(mut fields) => work(&mut fields),
        // a kernel that waits and takes up another chunk meanwhile: none does, but it would be right
        Err(_) => work(&mut [LocalField::ZERO; 2]),
    })
}

impl LocalField {
    /// Zero everywhere.
    pub const ZERO: LocalField = LocalField([Quad([0.0; 4]); CHUNK_NODES]);

    /// Zero at the first `count` nodes.
    #[inline(always)]
    pub fn clear(&mut self, count: usize) {
        for quad in self.0.iter_mut().take(count) {
            quad.0 = [0.0; 4];
        }
    }

    /// Takes the values of a nodal field; zero where a number is beyond its end.
    #[inline(always)]
    pub fn load(&mut self, nodes: &[u32], field: &[Vec3]) {
        for (quad, &node) in self.0.iter_mut().zip(nodes) {
            // by slices: written by components, the compiler would gather eight nodes at a time, which is slower
            match field.get(node as usize) {
                Some(v) => quad.0[..3].copy_from_slice(flat(std::slice::from_ref(v))),
                None => quad.0 = [0.0; 4],
            }
        }
    }

    /// Adds the values to a nodal field; numbers beyond its end are left out.
    #[inline(always)]
    pub fn add_to(&self, nodes: &[u32], field: &SharedSlice<'_, Vec3>) {
        for (quad, &node) in self.0.iter().zip(nodes) {
            if (node as usize) < field.len() {
                field.add(node as usize, Vec3::new(quad.0[0], quad.0[1], quad.0[2]));
            }
        }
    }

    /// The vectors of eight nodes, by component.
    ///
    /// Number the 32 entries by (register, place). Pairs of nodes make a register, so node l, component c starts at
    /// (l₂l₁ | l₀c₁c₀) in bits; each round of deinterleaving makes the last bit the first: two give (c₁c₀ | l₂l₁l₀).
    #[inline(always)]
    pub fn gather<S: Simd>(&self, simd: S, nodes: &[u8; LANES]) -> LaneVec3<S> {
        let load = |lane: usize| f64x4::from_slice(simd, &self.0[nodes[lane] as usize].0);
        let pair = |first: usize| -> Lanes<S> { load(first).combine(load(first + 1)) };
        let (e0, o0) = pair(0).deinterleave(pair(2));
        let (e1, o1) = pair(4).deinterleave(pair(6));
        let (x, z) = e0.deinterleave(e1);
        let (y, _) = o0.deinterleave(o1);
        LaneVec3([x, y, z])
    }

    /// Adds the vectors of eight nodes, given by component; the inverse of [`LocalField::gather`].
    #[inline(always)]
    pub fn scatter<S: Simd>(&mut self, simd: S, v: &LaneVec3<S>, nodes: &[u8; LANES]) {
        let (e0, e1) = v.0[0].interleave(v.0[2]);
        let (o0, o1) = v.0[1].interleave(splat(simd, 0.0));
        let (r0, r1) = e0.interleave(o0);
        let (r2, r3) = e1.interleave(o1);
        for (k, row) in [r0, r1, r2, r3].into_iter().enumerate() {
            let (first, second): (f64x4<S>, f64x4<S>) = row.split();
            for (node, addend) in [(nodes[2 * k], first), (nodes[2 * k + 1], second)] {
                let entry = &mut self.0[node as usize].0;
                let sum = f64x4::from_slice(simd, entry) + addend;
                sum.store_slice(entry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vectorize;

    #[test]
    fn gathered_and_scattered_in_place() {
        let value = |i: u32| Vec3::new(f64::from(i), 100.0 + f64::from(i), 200.0 + f64::from(i));
        let field: Vec<Vec3> = (0..40).map(value).collect();
        let chunk_nodes: Vec<u32> = (0..20).map(|i| 2 * i).chain([99]).collect();
        let nodes = [3, 1, 4, 15, 9, 20, 6, 5];
        vectorize!(simd => {
            let mut local = LocalField::ZERO;
            local.load(&chunk_nodes, &field);
            let v = local.gather(simd, &nodes);
            for (lane, &node) in nodes.iter().enumerate() {
                let found = Vec3::new(v.0[0][lane], v.0[1][lane], v.0[2][lane]);
                let expected = if node == 20 { Vec3::ZERO } else { value(2 * u32::from(node)) };
                assert_eq!(found, expected);
            }
            let (mut sum, mut added) = (LocalField::ZERO, field.clone());
            sum.scatter(simd, &v, &nodes);
            sum.scatter(simd, &v, &nodes);
            sum.add_to(&chunk_nodes, &SharedSlice::new(&mut added));
            for (i, (sum, &start)) in added.iter().zip(&field).enumerate() {
                let touched = i % 2 == 0 && nodes.contains(&(i as u8 / 2));
                assert_eq!(*sum, start * if touched { 3.0 } else { 1.0 });
            }
        });
    }
}
