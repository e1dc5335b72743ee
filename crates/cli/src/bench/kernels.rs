//! `pliant bench kernels`: element passes of every material, and the sparse kernels on the matrix of a step.
//!
//! Element passes run at a bent and twisted bar, where part of the tangents needs clamping (`clamped_share` says how
//! many). The tangent includes zeroing the matrix and scattering into it. Sparse kernels use M + h²H of that bar.

use super::bar;
use super::table::{self, plain, scaled};
use super::timing::{Effort, Timing, interleave, thread_pools, time};
use super::{Options, machine, study};
use anyhow::{Result, anyhow};
use pliant_linalg::{
    BlockMatrix, Llt, LltSymbolic, Mat3, Pcg, PcgSettings, Preconditioner, SolveScratch, Vec3,
    flat, vec3,
};
use pliant_solid::Simulation;
use pliant_solid::assembly::{Forces, TangentInput, TangentWeights, assemble_tangent};
use pliant_solid::element::tetrahedron_shape;
use pliant_solid::material::{FibreKind, FibreSpecification, MaterialModel, MaterialSpecification};
use pliant_solid::profile::Profile;
use pliant_solid::settings::SolverChoice;
use rayon::ThreadPool;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Time step of the matrix M + h²H, s.
const H: f64 = 5e-3;

/// Right-hand sides of the larger solve.
const COLUMNS: usize = 31;

/// Iterations of one PCG measurement.
const PCG_ITERATIONS: usize = 40;

type Row = Map<String, Value>;

/// What is measured.
struct Plan {
    small: [usize; 3],
    large: [usize; 3],
    /// Whether the large matrix is factorised too.
    factor_large: bool,
    elements: Effort,
    sparse: Effort,
}

/// The study.
pub fn run(options: &Options) -> Result<Value> {
    let effort = |rounds, seconds| Effort { rounds, seconds };
    let plan = Plan {
        small: bar::SMALL,
        large: bar::LARGE,
        factor_large: !options.quick,
        elements: match options.quick {
            true => effort(15, 8.0),
            false => effort(60, 60.0),
        },
        sparse: match options.quick {
            true => effort(30, 4.0),
            false => effort(80, 20.0),
        },
    };
    measure(options, &plan)
}

fn measure(options: &Options, plan: &Plan) -> Result<Value> {
    let machine = machine::describe(options);
    let pools = thread_pools(options.threads)?;

    eprintln!("element passes of {} materials", materials().len());
    let mut rows = element_rows(plan, &pools)?;
    let columns = [
        plain("material", "material"),
        plain("kernel", "kernel"),
        plain("threads", "threads"),
        plain("ns/tet", "ns_per_tet"),
        scaled("min ms", "seconds_min", 1e3),
        scaled("median ms", "seconds_median", 1e3),
        scaled("clamped %", "clamped_share", 1e2),
    ];
    table::print("element passes", &columns, &rows);
    let element_row_count = rows.len();

    for (cells, factor) in [(plan.small, true), (plan.large, plan.factor_large)] {
        eprintln!("sparse kernels, {cells:?} cells");
        rows.extend(sparse_rows(cells, factor, plan.sparse, &pools)?);
    }
    let columns = [
        plain("kernel", "kernel"),
        plain("nodes", "nodes"),
        plain("threads", "threads"),
        scaled("min ms", "seconds_min", 1e3),
        scaled("median ms", "seconds_median", 1e3),
        plain("GB/s", "gb_per_s"),
        plain("GFlop/s", "gflop_per_s"),
    ];
    table::print("sparse kernels", &columns, &rows[element_row_count..]);
    let summary = summarise(&rows, pools.len())?;
    Ok(study("kernels", machine, rows, summary))
}

/// Every energy alone, and the stable neo-Hookean one with each passive fibre, partly activated.
fn materials() -> Vec<(String, MaterialSpecification)> {
    let plain = MaterialModel::ALL.map(|model| (model.name().to_owned(), bar::material(model)));
    let fibre = |kind, suffix: &str| {
        let model = MaterialModel::StableNeoHookean;
        let mut material = bar::material(model);
        material.fibre = Some(FibreSpecification {
            kind,
            modulus: 5e4,
            exponent: 1.0,
            active_modulus: 2e4,
            active_length: 0.9,
            activation: Profile::Constant(0.5),
        });
        (format!("{} + {suffix}", model.name()), material)
    };
    let fibres = [
        fibre(FibreKind::StVenantKirchhoff, "astvk"),
        fibre(FibreKind::Fung, "afung"),
    ];
    plain.into_iter().chain(fibres).collect()
}

/// The element passes of one material.
struct ElementCase {
    name: String,
    simulation: Simulation,
    positions: Vec<Vec3>,
    activations: Vec<f64>,
    forces: Forces,
    matrix: BlockMatrix,
    rhs: Vec<Vec3>,
    clamped_share: f64,
}

const PASSES: [&str; 3] = ["force", "tangent", "force + tangent"];

impl ElementCase {
    fn new(cells: [usize; 3], name: String, material: MaterialSpecification) -> Result<Self> {
        let coefficients = material.coefficients();
        let energy = material.model;
        let simulation = bar::simulation(cells, material, SolverChoice::Direct)?;
        let model = simulation.model();
        let positions = bar::bent_and_twisted(&model.rest);
        Ok(ElementCase {
            name,
            activations: model.activations.iter().map(|a| a.at(0.0)).collect(),
            forces: Forces::default(),
            matrix: BlockMatrix::new(simulation.space().pattern().clone()),
            rhs: vec![Vec3::ZERO; simulation.space().row_count()],
            clamped_share: clamped_share(&simulation, &positions, energy, coefficients),
            simulation,
            positions,
        })
    }

    fn force(&mut self) -> Result<()> {
        let model = self.simulation.model();
        let evaluated = self
            .forces
            .evaluate(model, &self.positions, &self.activations, false);
        evaluated.map_err(|fault| anyhow!("{}: element {} is unusable", self.name, fault.element))
    }

    fn tangent(&mut self) {
        let weights = TangentWeights {
            stiffness: H * H,
            damping: 0.0,
        };
        let space = self.simulation.space();
        self.matrix.set_zero();
        assemble_tangent(
            &self.simulation.model().elements,
            TangentInput {
                positions: &self.positions,
                activations: &self.activations,
                rotations: &[],
            },
            weights,
            space.scatter(),
            space.row_of(),
            None,
            &mut self.matrix,
            &mut self.rhs,
        );
    }

    fn pass(&mut self, kind: usize) -> Result<()> {
        if kind != 1 {
            self.force()?;
        }
        if kind != 0 {
            self.tangent();
        }
        Ok(())
    }
}

/// Share of the elements whose isotropic tangent the projection changes, from a sample of one in five.
fn clamped_share(
    simulation: &Simulation,
    positions: &[Vec3],
    energy: MaterialModel,
    coefficients: [f64; 3],
) -> f64 {
    let model = simulation.model();
    let clamped = |nodes: &[u32; 4]| -> Option<bool> {
        let (g, _) = tetrahedron_shape(nodes.map(|n| model.rest[n as usize]))?;
        let x = nodes.map(|n| positions[n as usize]);
        let f = (0..3).fold(Mat3::ZERO, |f, a| f + Mat3::outer(x[a + 1] - x[0], g[a]));
        let response = energy.respond(&f, coefficients);
        let entries = response.tangent.as_flattened().iter();
        let scale = entries.clone().fold(0.0, |m: f64, v| m.max(v.abs()));
        let projected = response.tangent_projected.as_flattened();
        Some(
            entries
                .zip(projected)
                .any(|(a, b)| (a - b).abs() > 1e-9 * scale),
        )
    };
    let sample: Vec<bool> = (model.element_nodes.iter())
        .step_by(5)
        .filter_map(clamped)
        .collect();
    sample.iter().filter(|c| **c).count() as f64 / sample.len().max(1) as f64
}

fn element_rows(plan: &Plan, pools: &[ThreadPool]) -> Result<Vec<Row>> {
    let mut cases = (materials().into_iter())
        .map(|(name, material)| ElementCase::new(plan.small, name, material))
        .collect::<Result<Vec<_>>>()?;
    let per_case = PASSES.len() * pools.len();
    let timings = interleave(cases.len() * per_case, plan.elements, |candidate| {
        let case = &mut cases[candidate / per_case];
        let (pass, pool) = (
            candidate % PASSES.len(),
            candidate % per_case / PASSES.len(),
        );
        let (seconds, done) = pools[pool].install(|| time(|| case.pass(pass)));
        done.map(|()| seconds)
    })?;
    let rows = timings.iter().enumerate().map(|(candidate, timing)| {
        let case = &cases[candidate / per_case];
        let model = case.simulation.model();
        timing.row(json!({
            "kernel": PASSES[candidate % PASSES.len()],
            "material": case.name,
            "threads": pools[candidate % per_case / PASSES.len()].current_num_threads(),
            "nodes": model.node_count(),
            "elements": model.element_count(),
            "ns_per_tet": 1e9 * timing.minimum / model.element_count() as f64,
            "clamped_share": case.clamped_share,
        }))
    });
    Ok(rows.collect())
}

/// Products, PCG, and where asked factorisation and solves with the matrix of a step.
fn sparse_rows(
    cells: [usize; 3],
    factor: bool,
    effort: Effort,
    pools: &[ThreadPool],
) -> Result<Vec<Row>> {
    let energy = MaterialModel::StableNeoHookean;
    let mut case = ElementCase::new(cells, String::new(), bar::material(energy))?;
    case.tangent();
    let ElementCase {
        simulation,
        mut matrix,
        ..
    } = case;
    let nodes = simulation.model().node_count();
    for (row, &node) in simulation.space().kept().iter().enumerate() {
        let mass = simulation.model().mass[node as usize];
        matrix.add_diagonal(row, Mat3::IDENTITY * mass);
    }
    let matrix = &matrix;
    let rows = matrix.row_count();
    let rhs = wavy(rows, 0);
    let mut x = vec![Vec3::ZERO; rows];
    let mut result = Vec::new();
    let mut add = |kernel: &str, timings: &[Timing], facts: &dyn Fn(f64) -> Row| {
        for (pool, timing) in pools.iter().zip(timings) {
            let mut row = timing.row(json!({
                "kernel": kernel,
                "threads": pool.current_num_threads(),
                "nodes": nodes,
            }));
            row.extend(facts(timing.minimum));
            result.push(row);
        }
    };

    // a product reads a block's values and column once, and a row's start, x and y once
    let bytes = (matrix.pattern().block_count() * 76 + rows * 52) as f64;
    let many = Effort {
        rounds: 10 * effort.rounds,
        ..effort
    };
    let timings = interleave(pools.len(), many, |k| {
        Ok(pools[k]
            .install(|| time(|| matrix.multiply(&rhs, &mut x)))
            .0)
    })?;
    add("spmv", &timings, &|s| fact("gb_per_s", 1e-9 * bytes / s));

    let mut preconditioner = Preconditioner::block_jacobi();
    preconditioner.prepare(matrix.diagonal_blocks(), &[])?;
    let settings = PcgSettings {
        relative_tolerance: 0.0,
        max_iterations: PCG_ITERATIONS,
        ..PcgSettings::default()
    };
    let mut pcg = Pcg::new();
    let timings = interleave(pools.len(), effort, |k| {
        x.fill(Vec3::ZERO);
        let work = || pcg.solve(matrix, &preconditioner, &rhs, &mut x, &settings);
        let (seconds, report) = pools[k].install(|| time(work));
        Ok(seconds / report?.iterations.max(1) as f64)
    })?;
    add("pcg iteration", &timings, &|_| Row::new());

    if !factor {
        return Ok(result);
    }
    let symbolic = Arc::new(LltSymbolic::new(matrix.pattern())?);
    let mut llt = Llt::new(Arc::clone(&symbolic));
    let mut scratch = SolveScratch::new();
    let flops = symbolic.factor_flops();
    let solve_flops = 4.0 * symbolic.factor_entries() as f64;
    let bytes = 16.0 * symbolic.factor_entries() as f64;
    let timings = interleave(pools.len(), effort, |k| {
        let (seconds, done) = pools[k].install(|| time(|| llt.factorize(matrix)));
        Ok(done.map(|()| seconds)?)
    })?;
    add("factor", &timings, &|s| {
        let mut row = fact("gflop_per_s", 1e-9 * flops / s);
        row.extend(fact("gflop", 1e-9 * flops));
        row.extend(fact("factor_entries", symbolic.factor_entries() as f64));
        row
    });
    let timings = interleave(pools.len(), effort, |k| {
        x.copy_from_slice(&rhs);
        let (seconds, done) = pools[k].install(|| time(|| llt.solve(&mut x, &mut scratch)));
        Ok(done.map(|()| seconds)?)
    })?;
    add("solve 1", &timings, &|s| {
        let mut row = fact("gflop_per_s", 1e-9 * solve_flops / s);
        row.extend(fact("gb_per_s", 1e-9 * bytes / s));
        row
    });
    let columns: Vec<f64> = (0..COLUMNS)
        .flat_map(|c| flat(&wavy(rows, c)).to_vec())
        .collect();
    let mut xs = columns.clone();
    let timings = interleave(pools.len(), effort, |k| {
        xs.copy_from_slice(&columns);
        let work = || llt.solve_many(COLUMNS, &mut xs, &mut scratch);
        let (seconds, done) = pools[k].install(|| time(work));
        Ok(done.map(|()| seconds)?)
    })?;
    add("solve 31", &timings, &|s| {
        fact("gflop_per_s", 1e-9 * solve_flops * COLUMNS as f64 / s)
    });
    Ok(result)
}

fn fact(key: &str, value: f64) -> Row {
    Row::from_iter([(key.to_owned(), json!(value))])
}

/// A vector with something in every eigenvector.
fn wavy(rows: usize, seed: usize) -> Vec<Vec3> {
    let entry = |i: usize| {
        let s = (i + 17 * seed) as f64;
        vec3((1.3 * s).sin(), (2.1 * s + 0.4).cos(), (0.7 * s).sin())
    };
    (0..rows).map(entry).collect()
}

/// One thread for the element passes, all threads for the sparse kernels.
fn summarise(rows: &[Row], pool_count: usize) -> Result<Value> {
    // rows of one kernel and case follow each other, one a thread count
    let find = |key: &str, kernel: &str, material: Option<&str>, threads: usize| {
        let mut found = rows.iter().filter(|row| {
            row["kernel"] == kernel && row.get("material").and_then(Value::as_str) == material
        });
        found
            .nth(threads)
            .and_then(|row| row.get(key)?.as_f64())
            .ok_or_else(|| anyhow!("no {key} of {kernel}"))
    };
    let all = pool_count - 1;
    let snh = Some(MaterialModel::StableNeoHookean.name());
    let per_tet = |kernel, threads| find("ns_per_tet", kernel, snh, threads);
    let sparse = |key, kernel| find(key, kernel, None, all);
    let speedup = |kernel, material| -> Result<f64> {
        let seconds = |threads| find("seconds_min", kernel, material, threads);
        Ok(seconds(0)? / seconds(all)?)
    };
    Ok(json!({
        "snh_tangent_ns_per_tet": per_tet(PASSES[2], 0)?,
        "snh_force_ns_per_tet": per_tet(PASSES[0], 0)?,
        "snh_tangent_ns_per_tet_all_threads": per_tet(PASSES[2], all)?,
        "snh_clamped_share": find("clamped_share", PASSES[2], snh, 0)?,
        "spmv_gb_per_s": sparse("gb_per_s", "spmv")?,
        "pcg_iteration_seconds_4961": sparse("seconds_min", "pcg iteration")?,
        "factor_seconds_4961": sparse("seconds_min", "factor")?,
        "factor_gflop_per_s_4961": sparse("gflop_per_s", "factor")?,
        "solve_seconds_4961": sparse("seconds_min", "solve 1")?,
        "solve31_seconds_4961": sparse("seconds_min", "solve 31")?,
        "thread_speedup": {
            "snh_force": speedup(PASSES[0], snh)?,
            "snh_tangent": speedup(PASSES[1], snh)?,
            "spmv": speedup("spmv", None)?,
            "pcg_iteration": speedup("pcg iteration", None)?,
            "factor": speedup("factor", None)?,
            "solve": speedup("solve 1", None)?,
            "solve31": speedup("solve 31", None)?,
        },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tiny_study_has_all_keys_and_positive_numbers() {
        let effort = Effort {
            rounds: 3,
            seconds: 0.0,
        };
        let plan = Plan {
            small: [4, 2, 2],
            large: [5, 2, 2],
            factor_large: true,
            elements: effort,
            sparse: effort,
        };
        let options = Options {
            quick: true,
            threads: 2,
            out: None,
            only: Vec::new(),
        };
        let result = measure(&options, &plan).unwrap();
        assert_eq!(result["study"], "kernels");
        assert_eq!(result["machine"]["threads"], 2);
        // 3 passes of every material and 5 sparse kernels of two bars, with one and two threads
        let rows = result["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 2 * 3 * materials().len() + 2 * 2 * 5);
        for row in rows {
            let (min, median) = (&row["seconds_min"], &row["seconds_median"]);
            assert!(min.as_f64().unwrap() > 0.0 && median.as_f64() >= min.as_f64());
        }
        for key in [
            "snh_tangent_ns_per_tet",
            "snh_force_ns_per_tet",
            "spmv_gb_per_s",
            "factor_seconds_4961",
            "solve_seconds_4961",
            "solve31_seconds_4961",
        ] {
            assert!(result["summary"][key].as_f64().unwrap() > 0.0, "{key}");
        }
        let clamped = result["summary"]["snh_clamped_share"].as_f64().unwrap();
        assert!(clamped > 0.05 && clamped < 0.95, "{clamped}");
    }
}
