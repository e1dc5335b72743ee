//! Older factors and those that are coming, in a checkpoint.

use super::lists::{list, put_list};
use crate::bytes::{Put, Reader};
use pliant_linalg::Mat3;
use pliant_solid::lagged::{Coming, FactorMemory, Snapshot};
use std::sync::Arc;

pub(super) fn put_factors(body: &mut Vec<u8>, factors: &FactorMemory) {
    let FactorMemory {
        current,
        age,
        coming,
        lag,
        iterations,
        delay,
    } = factors;
    let put_snapshot = |body: &mut Vec<u8>, snapshot: &Snapshot| {
        let Snapshot {
            blocks,
            rotations,
            pattern,
            h,
        } = snapshot;
        put_list(body, blocks, |body, block| body.put_vectors(&block.columns));
        put_list(body, rotations, |body, r| body.put_vectors(&r.columns));
        body.put_u64(*pattern);
        body.put_f64(*h);
    };
    body.push(u8::from(current.is_some()));
    if let Some(current) = current {
        put_snapshot(body, current);
    }
    body.put_u32(*age);
    body.push(u8::from(coming.is_some()));
    if let Some(Coming {
        snapshot,
        age,
        due,
        prefetch,
    }) = coming
    {
        put_snapshot(body, snapshot);
        body.put_u32(*age);
        body.put_u32(*due);
        put_list(body, prefetch, |body, row| body.put_u32(*row));
    }
    body.put_u32(*lag);
    body.put_u32(*iterations);
    body.put_f64(*delay);
}

pub(super) fn factors(reader: &mut Reader<'_>) -> Option<FactorMemory> {
    let matrix = |r: &mut Reader<'_>| {
        let [a, b, c] = [r.vector()?, r.vector()?, r.vector()?];
        Some(Mat3::from_columns(a, b, c))
    };
    let snapshot = |reader: &mut Reader<'_>| {
        Some(Arc::new(Snapshot {
            blocks: list(reader, matrix)?,
            rotations: list(reader, matrix)?,
            pattern: reader.u64()?,
            h: reader.f64()?,
        }))
    };
    let current = match reader.u8()? {
        0 => None,
        1 => Some(snapshot(reader)?),
        _ => return None,
    };
    let age = reader.u32()?;
    let coming = match reader.u8()? {
        0 => None,
        1 => Some(Coming {
            snapshot: snapshot(reader)?,
            age: reader.u32()?,
            due: reader.u32()?,
            prefetch: Arc::new(list(reader, Reader::u32)?),
        }),
        _ => return None,
    };
    Some(FactorMemory {
        current,
        age,
        coming,
        lag: reader.u32()?,
        iterations: reader.u32()?,
        delay: reader.f64()?,
    })
}
