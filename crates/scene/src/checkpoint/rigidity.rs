//! What is rigid, in a checkpoint.

use super::lists::{list, put_list};
use crate::bytes::{Put, Reader};
use pliant_linalg::{Mat3, Vec3};
use pliant_solid::constraint::Remembered;
use pliant_solid::reduction::{ClumpMotion, NO_CLUMP, Rigidity, Tested};
use std::sync::Arc;

pub(super) fn put_rigidity(body: &mut Vec<u8>, rigidity: &Rigidity) {
    let Rigidity {
        clump_of,
        shape,
        pinned,
        motions,
        quiet,
        tested,
        urge,
        calm,
        anchors,
    } = rigidity;
    put_list(body, clump_of, |body, clump| body.put_u32(*clump));
    body.put_vectors(shape);
    body.put_vectors(urge);
    put_list(body, pinned, |body, pinned| body.push(u8::from(*pinned)));
    for ClumpMotion {
        origin,
        rotation,
        velocity,
        spin,
    } in motions
    {
        body.put_vectors(&[*origin]);
        body.put_vectors(&rotation.columns);
        body.put_vectors(&[*velocity, *spin]);
    }
    put_list(body, quiet, |body, quiet| body.push(*quiet));
    put_list(body, tested, |body, tested| {
        let Tested {
            largest,
            forces,
            totals,
            spin,
        } = tested;
        body.put_f64(*largest);
        put_list(body, forces, put_remembered);
        put_list(body, totals, |body, total| body.put_vectors(&[*total]));
        body.put_vectors(&[*spin]);
    });
    put_list(body, calm, |body, steps| body.put_u32(u32::from(*steps)));
    body.put_vectors(anchors);
}

/// None where clumps and nodes do not fit each other.
pub(super) fn rigidity(reader: &mut Reader, nodes: usize) -> Option<Rigidity> {
    let clump_of = list(reader, Reader::u32)?;
    if !clump_of.is_empty() && clump_of.len() != nodes {
        return None;
    }
    let nodes_known = clump_of.len();
    let (shape, urge) = (vectors(reader, nodes_known)?, vectors(reader, nodes_known)?);
    let pinned = list(reader, |r| match r.u8()? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    })?;
    let motion = |r: &mut Reader| {
        Some(ClumpMotion {
            origin: r.vector()?,
            rotation: Mat3::from_columns(r.vector()?, r.vector()?, r.vector()?),
            velocity: r.vector()?,
            spin: r.vector()?,
        })
    };
    let motions = pinned.iter().map(|_| motion(reader));
    let motions = motions.collect::<Option<Vec<ClumpMotion>>>()?;
    let known = |&clump: &u32| clump == NO_CLUMP || (clump as usize) < motions.len();
    if !clump_of.iter().all(known) {
        return None;
    }
    Some(Rigidity {
        clump_of: Arc::new(clump_of),
        shape: Arc::new(shape),
        urge: Arc::new(urge),
        pinned,
        motions,
        quiet: list(reader, Reader::u8)?,
        tested: Arc::new(list(reader, |r| {
            Some(Tested {
                largest: r.f64()?,
                forces: list(r, remembered)?,
                totals: list(r, Reader::vector)?,
                spin: r.vector()?,
            })
        })?),
        calm: list(reader, |r| u16::try_from(r.u32()?).ok())?,
        anchors: Arc::new(vectors(reader, nodes_known)?),
    })
}

fn vectors(reader: &mut Reader, count: usize) -> Option<Vec<Vec3>> {
    (0..count).map(|_| reader.vector()).collect()
}

pub(super) fn put_remembered(body: &mut Vec<u8>, remembered: &Remembered) {
    let Remembered { identity, force } = remembered;
    identity.iter().for_each(|&part| body.put_u32(part));
    body.put_vectors(&[*force]);
}

pub(super) fn remembered(r: &mut Reader) -> Option<Remembered> {
    let identity = [r.u32()?, r.u32()?, r.u32()?, r.u32()?, r.u32()?];
    let force = r.vector()?;
    Some(Remembered { identity, force })
}
