//! Times the engines block by block in turn, so that all see the same disturbances, and follows the tips.

use crate::pliant_bar;
use crate::quiet::{self, CpuTicks};
use crate::rapier_bar::{double, single};
use crate::scenario::{Bar, Engine, ITERATION_LIMIT};
use pliant_solid::material::MaterialModel;
use pliant_solid::settings::{Integrator, SolverChoice};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::error::Error;
use std::time::{Duration, Instant};

/// Steps of one engine before it is another one's turn.
const BLOCK: usize = 20;

/// An engine in one setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Configuration {
    /// Pliant with the exact or the frozen corotated tangent, conjugate gradients or factorisation.
    Pliant {
        /// Leaves ∂R/∂F out of the tangent, as rapier does.
        frozen: bool,
        /// Factorisation.
        direct: bool,
    },
    /// rapier in single or double precision.
    Rapier {
        /// Double precision.
        double: bool,
    },
}

/// All that are compared.
pub const CONFIGURATIONS: [Configuration; 6] = [
    Configuration::Rapier { double: false },
    Configuration::Rapier { double: true },
    Configuration::Pliant {
        frozen: false,
        direct: false,
    },
    Configuration::Pliant {
        frozen: false,
        direct: true,
    },
    Configuration::Pliant {
        frozen: true,
        direct: false,
    },
    Configuration::Pliant {
        frozen: true,
        direct: true,
    },
];

impl Configuration {
    /// Name of the engine.
    pub fn engine(self) -> &'static str {
        match self {
            Configuration::Pliant { .. } => "pliant",
            Configuration::Rapier { .. } => "rapier3d",
        }
    }

    /// Name of the setting.
    pub fn name(self) -> &'static str {
        match self {
            Configuration::Rapier { double: false } => "f32 pcg",
            Configuration::Rapier { double: true } => "f64 pcg",
            Configuration::Pliant {
                frozen: false,
                direct: false,
            } => "exact pcg",
            Configuration::Pliant {
                frozen: false,
                direct: true,
            } => "exact direct",
            Configuration::Pliant {
                frozen: true,
                direct: false,
            } => "frozen pcg",
            Configuration::Pliant {
                frozen: true,
                direct: true,
            } => "frozen direct",
        }
    }

    fn build(self, bar: &Bar) -> Result<Box<dyn Engine>, Box<dyn Error>> {
        Ok(match self {
            Configuration::Pliant { frozen, direct } => {
                let material = match frozen {
                    true => MaterialModel::CorotatedFrozen,
                    false => MaterialModel::Corotated,
                };
                let solver = match direct {
                    true => SolverChoice::Direct,
                    false => pliant_bar::pcg(),
                };
                Box::new(pliant_bar::build(
                    bar,
                    material,
                    solver,
                    pliant_bar::LINEARISED,
                )?)
            }
            Configuration::Rapier { double: false } => {
                Box::new(single::build(bar, ITERATION_LIMIT))
            }
            Configuration::Rapier { double: true } => Box::new(double::build(bar, ITERATION_LIMIT)),
        })
    }
}

/// What was measured of one configuration with one number of threads.
pub struct Row {
    /// The configuration.
    pub configuration: Configuration,
    /// Threads of the pool it ran in.
    pub threads: usize,
    /// Seconds of every step, one list per repeat.
    pub times: Vec<Vec<f64>>,
    /// Mean z displacement of the free end after every step, m.
    pub tip: Vec<f64>,
    /// Linear iterations of every step, where known.
    pub iterations: Vec<usize>,
    /// Median seconds of every stage in the last repeat, where known.
    pub stages: Vec<(&'static str, f64)>,
    /// Share of the machine that other programs took during each block, where known.
    pub others: Vec<f64>,
}

impl Row {
    /// Fastest step, ms.
    pub fn min_ms(&self) -> f64 {
        1e3 * self
            .times
            .iter()
            .flatten()
            .copied()
            .fold(f64::INFINITY, f64::min)
    }

    /// Median over all steps of all repeats, ms.
    pub fn median_ms(&self) -> f64 {
        1e3 * median(self.times.iter().flatten().copied().collect())
    }

    /// Median over the steps of each step's fastest repeat, ms: every repeat does the same work, so this drops most
    /// of what other programs took.
    pub fn quiet_median_ms(&self) -> f64 {
        let steps = self.times.first().map_or(0, Vec::len);
        let fastest = |step: usize| {
            let times = self.times.iter().map(|repeat| repeat[step]);
            times.fold(f64::INFINITY, f64::min)
        };
        1e3 * median((0..steps).map(fastest).collect())
    }

    /// Mean share of the machine that other programs took.
    pub fn mean_others(&self) -> Option<f64> {
        let sum: f64 = self.others.iter().sum();
        (!self.others.is_empty()).then(|| sum / self.others.len() as f64)
    }

    /// Mean linear iterations per step.
    pub fn mean_iterations(&self) -> Option<f64> {
        let sum: usize = self.iterations.iter().sum();
        (!self.iterations.is_empty()).then(|| sum as f64 / self.iterations.len() as f64)
    }
}

/// Tip curve of backward Euler solved by Newton's method to the end, which both linearised forms approximate.
pub fn backward_euler(bar: &Bar, steps: usize) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut simulation = pliant_bar::build(
        bar,
        MaterialModel::Corotated,
        SolverChoice::Direct,
        Integrator::ImplicitEuler,
    )?;
    (0..steps)
        .map(|_| {
            Engine::step(&mut simulation)?;
            Ok(simulation.tip(bar))
        })
        .collect()
}

/// Largest difference between two tip curves, over the peak deflection of the second.
pub fn tip_difference(tip: &[f64], other: &[f64]) -> f64 {
    let peak = other.iter().fold(0.0, |peak: f64, z| peak.max(z.abs()));
    let apart = tip.iter().zip(other).map(|(a, b)| (a - b).abs());
    apart.fold(0.0, f64::max) / peak
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 0 => 0.5 * (values[middle - 1] + values[middle]),
        _ => values[middle],
    }
}

/// Runs `configurations` with 1 thread and with all of them, `repeats` times for `steps` steps; every block waits up
/// to `patience` for a quiet machine.
pub fn measure(
    bar: &Bar,
    configurations: &[Configuration],
    steps: usize,
    repeats: usize,
    patience: Duration,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let all = std::thread::available_parallelism()?.get();
    let mut counts = vec![1, all];
    counts.dedup();
    let pools: Vec<ThreadPool> = (counts.iter())
        .map(|&threads| ThreadPoolBuilder::new().num_threads(threads).build())
        .collect::<Result<_, _>>()?;
    let mut rows: Vec<(usize, Row)> = Vec::new();
    for &configuration in configurations {
        for (pool, &threads) in counts.iter().enumerate() {
            let row = Row {
                configuration,
                threads,
                times: Vec::new(),
                tip: Vec::new(),
                iterations: Vec::new(),
                stages: Vec::new(),
                others: Vec::new(),
            };
            rows.push((pool, row));
        }
    }
    for repeat in 0..repeats {
        let mut engines = (rows.iter())
            .map(|(pool, row)| {
                pools[*pool].install(|| row.configuration.build(bar).map_err(|e| e.to_string()))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let mut stages: Vec<Vec<Vec<(&'static str, f64)>>> = vec![Vec::new(); rows.len()];
        rows.iter_mut()
            .for_each(|(_, row)| row.times.push(Vec::new()));
        let mut done = 0;
        while done < steps {
            let count = BLOCK.min(steps - done);
            for (((pool, row), engine), stages) in
                rows.iter_mut().zip(&mut engines).zip(&mut stages)
            {
                quiet::wait(patience);
                let before = CpuTicks::now();
                pools[*pool].install(|| -> Result<(), String> {
                    for _ in 0..count {
                        let start = Instant::now();
                        engine.step()?;
                        let time = start.elapsed().as_secs_f64();
                        if let Some(times) = row.times.last_mut() {
                            times.push(time);
                        }
                        stages.push(engine.stages());
                        if repeat == 0 {
                            row.tip.push(engine.tip(bar));
                            row.iterations.extend(engine.iterations());
                        }
                    }
                    Ok(())
                })?;
                if let (Some(before), Some(after)) = (before, CpuTicks::now()) {
                    row.others.push(after.others_since(before));
                }
            }
            done += count;
            eprint!(
                "\r{} nodes, repeat {} of {repeats}: step {done} of {steps}   ",
                bar.mesh.node_count(),
                repeat + 1
            );
        }
        for ((_, row), stages) in rows.iter_mut().zip(stages) {
            let names: Vec<&'static str> = stages
                .first()
                .map_or(Vec::new(), |s| s.iter().map(|s| s.0).collect());
            row.stages = (names.iter().enumerate())
                .map(|(k, &name)| (name, median(stages.iter().map(|step| step[k].1).collect())))
                .collect();
        }
    }
    eprintln!();
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// Most conjugate-gradient iterations that rapier (double precision) needs in any step: the least limit that
/// leaves the motion as it is, bit for bit. rapier counts them but does not tell.
pub fn rapier_iterations(bar: &Bar, steps: usize) -> usize {
    let run = |limit: usize| {
        let mut world = double::build(bar, limit);
        let mut tip = Vec::new();
        for _ in 0..steps {
            if world.step().is_err() {
                break;
            }
            tip.push(world.tip(bar).to_bits());
        }
        tip
    };
    let free = run(ITERATION_LIMIT);
    let (mut too_few, mut enough) = (0, 1024);
    while enough - too_few > 1 {
        let middle = (too_few + enough) / 2;
        match run(middle) == free {
            true => enough = middle,
            false => too_few = middle,
        }
    }
    enough
}
