//! The one place where threads write into the same array.
//!
//! Chunks of a colour touch disjoint entries (`element::colour`), which the borrow checker cannot see. The accesses
//! below are sound because of that and of nothing else; `assembly::tests::colours_share_no_node` checks it.

#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ops::AddAssign;

/// A mutable slice that several threads may write, each to its own entries.
pub(super) struct SharedSlice<'a, T> {
    start: *mut T,
    length: usize,
    borrow: PhantomData<&'a mut [T]>,
}

// SAFETY: entries are plain data that may move between threads; the callers in `assembly` give every entry to at
// most one thread at a time (disjoint nodes within a colour, a barrier between colours).
unsafe impl<T: Send> Sync for SharedSlice<'_, T> {}

impl<'a, T> SharedSlice<'a, T> {
    /// Shares a slice for the time of one pass.
    pub fn new(slice: &'a mut [T]) -> Self {
        SharedSlice {
            start: slice.as_mut_ptr(),
            length: slice.len(),
            borrow: PhantomData,
        }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.length
    }
}

impl<T: Copy> SharedSlice<'_, T> {
    /// Overwrites an entry.
    #[inline(always)]
    pub fn set(&self, index: usize, value: T) {
        assert!(index < self.length);
        // SAFETY: in bounds by the assertion; no other thread has this entry, see the file header.
        unsafe { *self.start.add(index) = value }
    }

    /// Adds to an entry.
    #[inline(always)]
    pub fn add(&self, index: usize, value: T)
    where
        T: AddAssign,
    {
        assert!(index < self.length);
        // SAFETY: as in `set`.
        unsafe { *self.start.add(index) += value }
    }

    /// Exclusive use of an entry.
    #[inline(always)]
    #[allow(clippy::mut_from_ref)] // exclusive by the colouring, see the file header
    pub fn entry(&self, index: usize) -> &mut T {
        assert!(index < self.length);
        // SAFETY: as in `set`; callers drop the reference before the next call.
        unsafe { &mut *self.start.add(index) }
    }

    /// Nine consecutive entries, one block of a matrix.
    #[inline(always)]
    #[allow(clippy::mut_from_ref)] // exclusive by the colouring, see the file header
    pub fn nine(&self, start: usize) -> &mut [T; 9] {
        assert!(self.length >= 9 && start <= self.length - 9);
        // SAFETY: as in `set`, for all nine entries; callers drop the reference before the next call.
        unsafe { &mut *self.start.add(start).cast::<[T; 9]>() }
    }
}
