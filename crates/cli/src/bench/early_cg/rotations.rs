//! One warm sweep against the singular value decomposition, on deformation gradients of the scenes.
//!
//! Sweeps start from the exact rotation one step earlier. Chunks of elements are worked on again and again, so that they
//! are in the cache, as they are in a force pass, which has just computed them; `streamed` rows go through a whole scene instead.

use super::cost::Visit;
use crate::bench::timing::{Effort, interleave, time};
use anyhow::Result;
use pliant_linalg::lanes::{LANES, LaneMat3, LaneVec3, Pack, Simd};
use pliant_linalg::polar::{exact_rotation, follow_rotation, polar_sweep};
use pliant_linalg::{Mat3, each, vectorize};
use pliant_scene::Scene;
use pliant_solid::settings::EarlyCgSettings;
use pliant_solid::state::State;
use serde_json::{Map, Value, json};
use std::hint::black_box;

type Row = Map<String, Value>;

/// A matrix of each of eight elements, column after column.
type Matrices = [Pack; 9];

/// Packs worked on together in the cache: 28 kB of gradients, start and result each 9 kB.
const CHUNK: usize = 16;

/// Passes over a chunk.
const PASSES: usize = 20;

/// What is done to a gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kernel {
    Sweep,
    TwoSweeps,
    /// One sweep and the test whether it was enough, as in a step.
    Checked,
    Decomposition,
}

const KERNELS: [(Kernel, &str); 4] = [
    (Kernel::Sweep, "one sweep"),
    (Kernel::TwoSweeps, "two sweeps"),
    (Kernel::Checked, "one sweep, checked"),
    (Kernel::Decomposition, "svd"),
];

/// One row for each kernel, in the cache and streamed, and the errors of the sweeps.
pub fn rows(scene: &Scene, visits: &[Visit], effort: Effort) -> Result<Vec<Row>> {
    let mut errors = [0.0_f64; 2];
    let mut data = Vec::new();
    for visit in visits {
        let before = gradients(scene, &visit.before);
        let after = gradients(scene, &visit.after);
        let [start, exact] = [&before, &after].map(|f| {
            let mut rotations = f.clone();
            apply(Kernel::Decomposition, f, f, &mut rotations);
            rotations
        });
        let mut swept = after.clone();
        for (error, kernel) in errors.iter_mut().zip([Kernel::Sweep, Kernel::TwoSweeps]) {
            apply(kernel, &after, &start, &mut swept);
            *error = error.max(largest_difference(&swept, &exact));
        }
        data.push((after, start));
    }
    // the state in the middle stands for all
    let (gradients, start) = data.swap_remove(data.len() / 2);
    let mut results = gradients.clone();
    let elements = (gradients.len() * LANES) as f64;
    let mut rows = Vec::new();
    for streamed in [false, true] {
        let timings = interleave(KERNELS.len(), effort, |k| {
            let kernel = KERNELS[k].0;
            let (seconds, passes) = match streamed {
                true => (
                    time(|| apply(kernel, &gradients, &start, &mut results)).0,
                    1,
                ),
                false => {
                    let chunks = gradients.chunks(CHUNK).zip(start.chunks(CHUNK));
                    let chunks = chunks.zip(results.chunks_mut(CHUNK));
                    let work = |((f, q), result): ((&[Matrices], &[Matrices]), &mut [Matrices])| {
                        for _ in 0..PASSES {
                            apply(kernel, f, q, black_box(&mut *result));
                        }
                    };
                    (time(|| chunks.for_each(work)).0, PASSES)
                }
            };
            Ok(seconds / passes as f64 / elements)
        })?;
        for ((kernel, name), timing) in KERNELS.into_iter().zip(timings) {
            let mut row = timing.row(json!({
                "part": "rotation",
                "scene": scene.name,
                "kernel": name,
                "data": if streamed { "streamed" } else { "in cache" },
                "elements": scene.model.element_count(),
                "states": visits.len(),
            }));
            row.insert("ns_per_element".into(), json!(timing.minimum * 1e9));
            let error = match kernel {
                Kernel::Sweep => Some(errors[0]),
                Kernel::TwoSweeps => Some(errors[1]),
                _ => None,
            };
            row.insert("max_rotation_error".into(), json!(error));
            rows.push(row);
        }
    }
    Ok(rows)
}

/// F of all elements; the lanes of the last pack that belong to none repeat the last.
fn gradients(scene: &Scene, state: &State) -> Vec<Matrices> {
    let model = &scene.model;
    let edges = |x: &[pliant_linalg::Vec3], nodes: &[u32; 4]| {
        let corner = |k: usize| x[nodes[k] as usize];
        Mat3::from_columns(
            corner(1) - corner(0),
            corner(2) - corner(0),
            corner(3) - corner(0),
        )
    };
    let gradient = |nodes: &[u32; 4]| {
        let rest = edges(&model.rest, nodes).inverse();
        edges(&state.positions, nodes) * rest.unwrap_or(Mat3::IDENTITY)
    };
    let pack = |nodes: &[[u32; 4]]| {
        let mut pack = [Pack::default(); 9];
        for lane in 0..LANES {
            let f = gradient(&nodes[lane.min(nodes.len() - 1)]);
            for (k, entry) in pack.iter_mut().enumerate() {
                entry.0[lane] = f.at(k % 3, k / 3);
            }
        }
        pack
    };
    model.element_nodes.chunks(LANES).map(pack).collect()
}

/// Rotations of `gradients`, started from `start`.
fn apply(kernel: Kernel, gradients: &[Matrices], start: &[Matrices], result: &mut [Matrices]) {
    vectorize!(simd => run(simd, kernel, gradients, start, result));
}

#[inline(always)]
fn run<S: Simd>(
    simd: S,
    kernel: Kernel,
    gradients: &[Matrices],
    start: &[Matrices],
    result: &mut [Matrices],
) {
    let tolerance = EarlyCgSettings::default().symmetry_tolerance;
    match kernel {
        Kernel::Sweep => each_pack(
            simd,
            gradients,
            start,
            result,
            #[inline(always)]
            |f, q| {
                polar_sweep(simd, f, q);
            },
        ),
        Kernel::TwoSweeps => each_pack(
            simd,
            gradients,
            start,
            result,
            #[inline(always)]
            |f, q| {
                polar_sweep(simd, f, q);
                polar_sweep(simd, f, q);
            },
        ),
        Kernel::Checked => each_pack(
            simd,
            gradients,
            start,
            result,
            #[inline(always)]
            |f, q| {
                follow_rotation(simd, f, q, 1, tolerance);
            },
        ),
        Kernel::Decomposition => each_pack(
            simd,
            gradients,
            start,
            result,
            #[inline(always)]
            |f, q| {
                *q = exact_rotation(simd, f);
            },
        ),
    }
}

#[inline(always)]
fn each_pack<S: Simd>(
    simd: S,
    gradients: &[Matrices],
    start: &[Matrices],
    result: &mut [Matrices],
    work: impl Fn(&LaneMat3<S>, &mut LaneMat3<S>),
) {
    for ((f, q), result) in gradients.iter().zip(start).zip(result) {
        let mut rotation = load(simd, q);
        work(&load(simd, f), &mut rotation);
        for c in 0..3 {
            for r in 0..3 {
                result[3 * c + r].store(rotation.at(r, c));
            }
        }
    }
}

#[inline(always)]
fn load<S: Simd>(simd: S, matrices: &Matrices) -> LaneMat3<S> {
    LaneMat3(each!(c in 3 => LaneVec3(each!(r in 3 => matrices[3 * c + r].load(simd)))))
}

/// Largest Frobenius norm of the difference between matrices of the same element.
fn largest_difference(a: &[Matrices], b: &[Matrices]) -> f64 {
    let mut largest = 0.0_f64;
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            let squares = a
                .iter()
                .zip(b)
                .map(|(a, b)| (a.0[lane] - b.0[lane]).powi(2));
            largest = largest.max(squares.sum());
        }
    }
    largest.sqrt()
}
