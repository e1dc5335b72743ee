//! Sees the size of every allocation, to prove that none is sized by an unchecked header.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Watching;

thread_local! {
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

fn note(size: usize) {
    // fails only while a thread ends, when nothing is measured any more
    let _ = LARGEST.try_with(|largest| largest.set(largest.get().max(size)));
}

// SAFETY: every call goes to the system allocator with the same arguments; noting a size neither allocates (the
// thread-local value is constant-initialised and has no destructor) nor unwinds.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        // SAFETY: the caller keeps the contract of `realloc`
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

/// What `run` returns, and the bytes of the largest single allocation that this thread made for it.
pub fn largest_allocation<T>(run: impl FnOnce() -> T) -> (T, usize) {
    LARGEST.set(0);
    let result = run();
    (result, LARGEST.get())
}

#[test]
fn allocations_are_seen() {
    let (list, largest) = largest_allocation(|| vec![1u8; 12_345]);
    assert_eq!(list.len(), 12_345);
    assert!((12_345..20_000).contains(&largest), "{largest}");
    assert!(largest_allocation(|| vec![0u64; 1 << 20]).1 >= 8 << 20);
}
