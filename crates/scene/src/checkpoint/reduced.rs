//! Coordinates of trained bases and what is full, in a checkpoint.

use super::lists::{list, put_list};
use crate::bytes::{Put, Reader};
use pliant_solid::subspace::{Active, Fading, Reduced};

pub(super) fn put_reduced(body: &mut Vec<u8>, reduced: &Reduced) {
    let Reduced {
        coordinates,
        rates,
        last_step,
        active,
        fading,
        failing,
        behind,
    } = reduced;
    put_list(body, coordinates, |body, q| body.put_f64(*q));
    put_list(body, rates, |body, rate| body.put_f64(*rate));
    body.put_f64(*last_step);
    put_list(body, active, |body, active| {
        let Active {
            node,
            idle,
            speed,
            acceleration,
        } = active;
        body.put_u32(*node);
        body.put_u32(*idle);
        body.put_f64(*speed);
        body.put_f64(*acceleration);
    });
    put_list(body, fading, |body, fading| {
        let Fading {
            node,
            domain,
            left,
            offset,
        } = fading;
        body.put_u32(*node);
        body.put_u32(*domain);
        body.put_u32(*left);
        body.put_vectors(&[*offset]);
    });
    put_list(body, failing, |body, node| body.put_u32(*node));
    body.push(u8::from(*behind));
}

/// None where nodes and coordinates do not fit each other.
pub(super) fn reduced(reader: &mut Reader, nodes: usize) -> Option<Reduced> {
    let reduced = Reduced {
        coordinates: list(reader, Reader::f64)?,
        rates: list(reader, Reader::f64)?,
        last_step: reader.f64()?,
        active: list(reader, |r| {
            Some(Active {
                node: r.u32()?,
                idle: r.u32()?,
                speed: r.f64()?,
                acceleration: r.f64()?,
            })
        })?,
        fading: list(reader, |r| {
            Some(Fading {
                node: r.u32()?,
                domain: r.u32()?,
                left: r.u32()?,
                offset: r.vector()?,
            })
        })?,
        failing: list(reader, Reader::u32)?,
        behind: match reader.u8()? {
            0 => false,
            1 => true,
            _ => return None,
        },
    };
    let active = reduced.active.iter().map(|a| a.node);
    let fading = reduced.fading.iter().map(|f| f.node);
    let mut named = active
        .clone()
        .chain(fading)
        .chain(reduced.failing.iter().copied());
    let ascending = reduced.active.is_sorted_by(|a, b| a.node < b.node)
        && (reduced.fading).is_sorted_by_key(|f| (f.node, f.domain));
    let fits = reduced.coordinates.len() == reduced.rates.len();
    (fits && ascending && named.all(|n| (n as usize) < nodes)).then_some(reduced)
}
