//! Arrays that show a simulation's state.
//!
//! Each is made once, belongs to numpy and is filled again in place, only while the interpreter is held: so an array stays valid however
//! long it is kept, whatever becomes of the simulation, no other Python thread can see it half filled, and looking at it neither copies
//! nor allocates. What users get is a read-only view.

use numpy::{Element, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// A quantity with `width` columns, or a plain list where that is 0.
pub struct Shown<T> {
    /// The memory, and the view of it that is handed out.
    made: Option<(Memory<T>, Py<PyAny>)>,
    width: usize,
    /// Whether the state has changed since it was filled.
    stale: bool,
}

enum Memory<T> {
    List(Py<PyArray1<T>>),
    Rows(Py<PyArray2<T>>),
}

impl<T: Element + Copy> Shown<T> {
    /// Nothing is made before somebody looks.
    pub fn new(width: usize) -> Shown<T> {
        Shown {
            made: None,
            width,
            stale: true,
        }
    }

    /// The state has changed.
    pub fn outdate(&mut self) {
        self.stale = true;
    }

    /// There are other nodes or elements now: arrays that somebody still has keep what they show.
    pub fn forget(&mut self) {
        self.made = None;
        self.stale = true;
    }

    /// Whether somebody has looked, so that the array is to follow the state.
    pub fn is_wanted(&self) -> bool {
        self.made.is_some()
    }

    /// The array, filled if it is not up to date.
    pub fn show(
        &mut self,
        py: Python<'_>,
        length: usize,
        fill: impl FnOnce(&mut [T]) -> PyResult<()>,
    ) -> PyResult<Py<PyAny>> {
        let (memory, view) = match &self.made {
            Some(made) => made,
            None => self.made.insert(make(py, length, self.width)?),
        };
        if self.stale {
            match memory {
                Memory::List(list) => fill(list.bind(py).readwrite().as_slice_mut()?)?,
                Memory::Rows(rows) => fill(rows.bind(py).readwrite().as_slice_mut()?)?,
            }
            self.stale = false;
        }
        Ok(view.clone_ref(py))
    }
}

fn make<T: Element + Copy>(
    py: Python<'_>,
    length: usize,
    width: usize,
) -> PyResult<(Memory<T>, Py<PyAny>)> {
    let (memory, array) = match width {
        0 => {
            let list = PyArray1::<T>::zeros(py, length, false);
            (Memory::List(list.clone().unbind()), list.into_any())
        }
        _ => {
            let rows = PyArray2::<T>::zeros(py, [length, width], false);
            (Memory::Rows(rows.clone().unbind()), rows.into_any())
        }
    };
    let view = array.call_method0("view")?;
    view.getattr("flags")?.setattr("writeable", false)?;
    Ok((memory, view.unbind()))
}
