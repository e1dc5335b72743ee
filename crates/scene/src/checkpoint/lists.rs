//! Lists in a checkpoint.

use crate::bytes::{Put, Reader};
use pliant_linalg::Vec3;

pub(super) fn put_list<T>(body: &mut Vec<u8>, list: &[T], put: impl Fn(&mut Vec<u8>, &T)) {
    body.put_u64(list.len() as u64);
    list.iter().for_each(|item| put(body, item));
}

/// A list with its length before it; it grows as far as there are bytes.
pub(super) fn list<'a, T>(
    reader: &mut Reader<'a>,
    item: impl Fn(&mut Reader<'a>) -> Option<T>,
) -> Option<Vec<T>> {
    let count = reader.u64()?;
    let mut list = Vec::new();
    for _ in 0..count {
        list.push(item(reader)?);
    }
    Some(list)
}

pub(super) fn vectors(reader: &mut Reader<'_>) -> Option<Vec<Vec3>> {
    let count = usize::try_from(reader.u64()?).ok()?;
    reader.vectors(count)
}
