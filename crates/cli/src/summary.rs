//! What a run amounts to: for the terminal, for `--json`, for the report in the output folder.

use crate::assets;
use crate::contacts;
use crate::failure::Failure;
use crate::health::Health;
use crate::output::RECORDING;
use crate::report;
use pliant_scene::run_report::RunReport;
use pliant_scene::{AssetUse, Scene};
use pliant_solid::Simulation;
use pliant_solid::report::{Stage, StageTimes};
use pliant_solid::strategy::Method;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Gathers figures while a run goes on.
pub struct Summary {
    scene: String,
    title: String,
    description: String,
    settings: Vec<(String, String)>,
    assets: Vec<AssetUse>,
    method: String,
    step_length: f64,
    threads: usize,
    first_step: u64,
    pub wall_seconds: f64,
    stages: StageTimes,
    step_seconds: Vec<f64>,
    linear_iterations: usize,
    newton_iterations: u64,
    worst_residual: f64,
    unconverged: u64,
    /// Whether stopping short of a tolerance is the method's intention.
    stops_early: bool,
    most_energy_left: f64,
    most_contacts: usize,
    max_penetration: f64,
    most_constraints: usize,
    constraint_iterations: usize,
    unconverged_constraints: u64,
    worst_constraint_residual: f64,
    worst_force_balance: f64,
    halved_steps: u64,
    most_inverted: usize,
    step_iterations: Vec<usize>,
    oldest_factor: u32,
    factors: u64,
    failed_factors: u64,
    touched_nodes: u64,
    solved_nodes: u64,
    worst_delay: f64,
    max_von_mises: f64,
    max_displacement: f64,
    health: Health,
}

impl Summary {
    pub fn new(scene: &Scene, simulation: &Simulation, threads: usize) -> Summary {
        Summary {
            scene: scene.name.clone(),
            title: scene.title.clone(),
            description: scene.description.clone(),
            settings: vec![
                ("scene".to_string(), scene.name.clone()),
                ("time step".to_string(), format!("{} s", scene.settings.h)),
                (
                    "integrator".to_string(),
                    format!("{:?}", scene.settings.integrator),
                ),
                (
                    "linear solver".to_string(),
                    match scene.method {
                        Method::Full => format!("{:?}", scene.settings.solver),
                        Method::EarlyCg => format!("{:?}", scene.settings.early_cg),
                        Method::Isodof => format!("{:?}", scene.settings.isodof),
                        Method::Conjac => format!("{:?}", scene.settings.conjac),
                        Method::Rigidify => format!("{:?}", scene.settings.rigidify),
                        Method::Subspace => format!("{:?}", scene.settings.subspace),
                    },
                ),
            ],
            assets: scene.assets.clone(),
            method: scene.method.name().to_string(),
            step_length: scene.settings.h,
            threads,
            first_step: simulation.step_number(),
            wall_seconds: 0.0,
            stages: StageTimes::default(),
            step_seconds: Vec::new(),
            linear_iterations: 0,
            newton_iterations: 0,
            worst_residual: 0.0,
            unconverged: 0,
            stops_early: scene.method == Method::EarlyCg,
            most_energy_left: 0.0,
            most_contacts: 0,
            max_penetration: 0.0,
            most_constraints: 0,
            constraint_iterations: 0,
            unconverged_constraints: 0,
            worst_constraint_residual: 0.0,
            worst_force_balance: 0.0,
            halved_steps: 0,
            most_inverted: 0,
            step_iterations: Vec::new(),
            oldest_factor: 0,
            factors: 0,
            failed_factors: 0,
            touched_nodes: 0,
            solved_nodes: 0,
            worst_delay: 0.0,
            max_von_mises: 0.0,
            max_displacement: 0.0,
            health: Health::new(&scene.model, &scene.settings),
        }
    }

    /// Takes the last step into account.
    pub fn note(&mut self, simulation: &Simulation) {
        let report = simulation.report();
        self.stages.merge(&report.times);
        self.step_seconds.push(report.times.total());
        self.linear_iterations += report.linear_iterations;
        self.newton_iterations += u64::from(report.newton_iterations);
        self.worst_residual = self.worst_residual.max(report.newton_residual);
        self.unconverged += u64::from(!report.solve.converged);
        let left = report.solve.energy_left;
        if left.is_finite() {
            self.most_energy_left = self.most_energy_left.max(left); // else no bound is known
        }
        self.most_contacts = self.most_contacts.max(report.contacts);
        self.max_penetration = self.max_penetration.max(report.max_penetration);
        let solve = &report.constraint_solve;
        self.most_constraints = self.most_constraints.max(report.constraints);
        self.constraint_iterations += solve.iterations;
        self.unconverged_constraints += u64::from(report.constraints > 0 && !solve.converged);
        self.worst_constraint_residual = self.worst_constraint_residual.max(solve.residual);
        self.worst_force_balance = self.worst_force_balance.max(report.force_balance);
        self.halved_steps += u64::from(report.halvings > 0);
        self.most_inverted = self.most_inverted.max(report.inverted_elements);
        self.step_iterations.push(report.solve.iterations);
        self.failed_factors += u64::from(report.factor.failed);
        self.oldest_factor = self.oldest_factor.max(report.factor.age);
        self.factors += u64::from(report.factor.arrived);
        self.touched_nodes += report.isolated.touched as u64;
        self.solved_nodes += report.isolated.solved as u64;
        self.worst_delay = self.worst_delay.max(report.delay_residual);
        self.max_von_mises = self.max_von_mises.max(report.max_von_mises.0);
        self.max_displacement = self.max_displacement.max(displacement(simulation));
        self.health.note(simulation);
    }

    fn steps(&self) -> u64 {
        self.step_seconds.len() as u64
    }

    fn median_step(&self) -> f64 {
        let mut sorted = self.step_seconds.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
    }

    fn median_iterations(&self) -> usize {
        let mut sorted = self.step_iterations.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().unwrap_or(0)
    }

    /// Simulated time over wall time.
    fn real_time_ratio(&self) -> f64 {
        if self.wall_seconds > 0.0 {
            self.steps() as f64 * self.step_length / self.wall_seconds
        } else {
            0.0
        }
    }

    /// The object that `--json` prints.
    pub fn to_json(&self, simulation: &Simulation, folder: &Path) -> Value {
        let (model, state, report) = (simulation.model(), simulation.state(), simulation.report());
        let e = &report.energies;
        let m = &report.momentum;
        let reactions: serde_json::Map<String, Value> = model
            .drives
            .iter()
            .zip(&report.reactions)
            .map(|(drive, force)| (drive.name.clone(), json!(force.to_array())))
            .collect();
        let joints: Vec<Value> = (model.joint_columns().iter())
            .zip(&report.joints)
            .map(|((kind, name, quantities), reading)| {
                let mut values: serde_json::Map<String, Value> = (quantities.iter())
                    .zip(reading.values())
                    .map(|(quantity, value)| (quantity.to_string(), json!(value)))
                    .collect();
                values.insert("kind".to_string(), json!(kind));
                values.insert("name".to_string(), json!(name));
                Value::Object(values)
            })
            .collect();
        let stages: serde_json::Map<String, Value> = Stage::ALL
            .iter()
            .map(|&s| (s.name().to_string(), json!(self.stages.seconds(s))))
            .collect();
        json!({
            "scene": self.scene,
            "title": self.title,
            "method": self.method,
            "assets": assets::to_json(&self.assets),
            "bodies": model.bodies.len(),
            "nodes": model.node_count(),
            "elements": model.element_count(),
            "active_dofs": report.active_dofs,
            "time_step": self.step_length,
            "first_step": self.first_step,
            "steps": self.steps(),
            "last_step": state.step,
            "time": state.time,
            "threads": self.threads,
            "wall_seconds": self.wall_seconds,
            "real_time_ratio": self.real_time_ratio(),
            "step_seconds": {
                "min": self.step_seconds.iter().copied().fold(f64::INFINITY, f64::min),
                "median": self.median_step(),
            },
            "stage_seconds": stages,
            "energies": {
                "kinetic": e.kinetic,
                "elastic": e.elastic,
                "gravitational": e.gravitational,
                "external_work": e.external_work,
                "damping_loss": e.damping_loss,
                "contact_work": e.contact_work,
                "integrator_loss": e.integrator_loss,
            },
            "momentum": { "linear": m.linear.to_array(), "angular": m.angular.to_array(), "centre": m.centre.to_array() },
            "reactions": reactions,
            "joints": joints,
            "max_displacement": self.max_displacement,
            "max_von_mises": self.max_von_mises,
            "inverted_elements": self.most_inverted,
            "newton_iterations": self.newton_iterations,
            "linear_iterations": self.linear_iterations,
            "worst_residual": self.worst_residual,
            "unconverged_solves": self.unconverged,
            "max_solver_energy_left": self.most_energy_left,
            "max_contacts": self.most_contacts,
            "max_penetration": self.max_penetration,
            "penetration": report.max_penetration,
            "contact_force_balance": report.force_balance,
            "worst_force_balance": self.worst_force_balance,
            "contact_forces": contacts::pairs(model, &simulation.contacts()),
            "max_constraints": self.most_constraints,
            "constraint_iterations": self.constraint_iterations,
            "unconverged_constraint_solves": self.unconverged_constraints,
            "worst_constraint_residual": self.worst_constraint_residual,
            "median_linear_iterations": self.median_iterations(),
            "oldest_factor": self.oldest_factor,
            "factors": self.factors,
            "touched_nodes": self.touched_nodes,
            "solved_nodes": self.solved_nodes,
            "worst_delay_residual": self.worst_delay,
            "halved_steps": self.halved_steps,
            "health": self.health.to_json(),
            "out": folder.display().to_string(),
            "recording": folder.join(RECORDING).display().to_string(),
        })
    }

    /// Writes `summary.json` and the report.
    pub fn write_files(
        &self,
        simulation: &Simulation,
        folder: &Path,
        value: &Value,
    ) -> Result<(), Failure> {
        let fail = |e: String| {
            Failure::usage(format!("cannot write to `{}`: {e}", folder.display()), None)
        };
        fs::write(folder.join("summary.json"), format!("{value:#}\n"))
            .map_err(|e| fail(e.to_string()))?;
        if contacts::are_possible(simulation) {
            let table = contacts::table(simulation.model(), &simulation.contacts());
            fs::write(folder.join("contacts.csv"), table).map_err(|e| fail(e.to_string()))?;
        }
        report::write(folder, self.report(simulation)).map_err(|e| fail(format!("{e:#}")))
    }

    fn report(&self, simulation: &Simulation) -> RunReport {
        let (model, last) = (simulation.model(), simulation.report());
        let pair = |name: &str, value: String| (name.to_string(), value);
        RunReport {
            title: self.title.clone(),
            description: self.description.clone(),
            method: self.method.clone(),
            settings: (self.settings.iter().cloned())
                .chain(
                    self.assets
                        .iter()
                        .map(|used| pair("mesh", assets::line(used))),
                )
                .collect(),
            facts: vec![
                pair("bodies", model.bodies.len().to_string()),
                pair("nodes", model.node_count().to_string()),
                pair("elements", model.element_count().to_string()),
                pair("unknowns", last.active_dofs.to_string()),
                pair("steps", self.steps().to_string()),
                pair("wall time", format!("{:.2} s", self.wall_seconds)),
                pair("median step", format!("{:.2} ms", 1e3 * self.median_step())),
                pair("real-time ratio", format!("{:.2}", self.real_time_ratio())),
                pair("threads", self.threads.to_string()),
                pair("worst residual", format!("{:.1e}", self.worst_residual)),
                pair(
                    "largest displacement",
                    format!("{:.4e} m", self.max_displacement),
                ),
                pair(
                    "largest von Mises stress",
                    format!("{:.4e} Pa", self.max_von_mises),
                ),
            ],
            health: self.warnings(),
            pictures: Vec::new(),
            plots: Vec::new(),
            stage_times: Stage::ALL
                .iter()
                .map(|&s| (s.name().to_string(), self.stages.seconds(s)))
                .collect(),
            tables: Vec::new(),
        }
    }

    /// The table on the terminal.
    pub fn print(&self, simulation: &Simulation, folder: &Path) {
        let (model, state, report) = (simulation.model(), simulation.state(), simulation.report());
        let total = self.stages.total().max(f64::MIN_POSITIVE);
        let row = |name: &str, value: String| eprintln!("  {name:<22}{value}");
        eprintln!("{} ({}, method {})", self.title, self.scene, self.method);
        row(
            "size",
            format!(
                "{}, {} nodes, {} elements, {} unknowns",
                counted(model.bodies.len(), "body", "bodies"),
                model.node_count(),
                model.element_count(),
                report.active_dofs
            ),
        );
        row(
            "steps",
            format!(
                "{} of {} s, to t = {:.4} s",
                self.steps(),
                self.step_length,
                state.time
            ),
        );
        row(
            "wall time",
            format!(
                "{:.2} s with {}, {:.2} × real time, median step {:.2} ms",
                self.wall_seconds,
                counted(self.threads, "thread", "threads"),
                self.real_time_ratio(),
                1e3 * self.median_step()
            ),
        );
        let shares: Vec<String> = Stage::ALL
            .iter()
            .map(|&s| {
                format!(
                    "{} {:.0} %",
                    s.name(),
                    100.0 * self.stages.seconds(s) / total
                )
            })
            .collect();
        row("stages", shares.join(", "));
        let e = &report.energies;
        row(
            "energy",
            format!(
                "kinetic {:.4e}, elastic {:.4e}, gravitational {:.4e} J",
                e.kinetic, e.elastic, e.gravitational
            ),
        );
        row(
            "since the start",
            format!(
                "work {:.4e}, damping {:.4e}, contact {:.4e}, integrator {:.4e} J",
                e.external_work, e.damping_loss, e.contact_work, e.integrator_loss
            ),
        );
        row(
            "largest displacement",
            format!("{:.4e} m", self.max_displacement),
        );
        row(
            "largest von Mises",
            format!("{:.4e} Pa", self.max_von_mises),
        );
        row(
            "solver",
            format!(
                "{} Newton and {} linear iterations, worst residual {:.1e}",
                self.newton_iterations, self.linear_iterations, self.worst_residual
            ),
        );
        if self.stops_early && self.unconverged > 0 {
            let (stopped, energy) = (self.unconverged, self.most_energy_left);
            row(
                "stopped early",
                format!("{stopped} steps, giving up at most {energy:.1e} J in one"),
            );
        }
        if self.factors > 0 {
            let share = 100.0 * self.solved_nodes as f64 / self.touched_nodes.max(1) as f64;
            row(
                "factors",
                format!(
                    "{} arrived, at most {} steps old, {} iterations in the median step; {:.1} % of touched nodes solved; \
                     the delay leaves at most {:.1e} of the equations",
                    self.factors,
                    self.oldest_factor,
                    self.median_iterations(),
                    share,
                    self.worst_delay
                ),
            );
        }
        if self.most_contacts > 0 {
            row(
                "contact",
                format!(
                    "up to {}, deepest {:.2e} m; forces balance to {:.1e}",
                    counted(self.most_contacts, "contact", "contacts"),
                    self.max_penetration,
                    simulation.report().force_balance
                ),
            );
        }
        if self.most_constraints > 0 {
            row(
                "constraints",
                format!(
                    "up to {}, {} iterations in all, worst residual {:.1e}",
                    self.most_constraints,
                    self.constraint_iterations,
                    self.worst_constraint_residual
                ),
            );
        }
        for ((kind, name, quantities), reading) in model.joint_columns().iter().zip(&report.joints)
        {
            let values = quantities.iter().zip(reading.values());
            let values: Vec<String> = values.map(|(q, v)| format!("{q} {v:.4e}")).collect();
            row(&format!("{kind} {name}"), values.join(", "));
        }
        row("health", self.health.line());
        for warning in self.warnings() {
            eprintln!("  warning: {warning}");
        }
        row("results", format!("{}/", folder.display()));
    }

    /// What a careful user would want to know.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.unconverged_constraints > 0 {
            warnings.push(format!(
                "{} of {} steps ended with contacts or joints short of their tolerance, worst residual {:.1e}",
                self.unconverged_constraints,
                self.steps(),
                self.worst_constraint_residual
            ));
        }
        if self.halved_steps > 0 {
            warnings.push(format!(
                "{} steps failed and were redone in smaller parts",
                self.halved_steps
            ));
        }
        if self.unconverged > 0 && !self.stops_early {
            warnings.push(format!(
                "{} steps ended before the linear solver reached its tolerance",
                self.unconverged
            ));
        }
        if self.failed_factors > 0 {
            warnings.push(format!(
                "{} factorisations in the background failed, and older factors stayed in use",
                self.failed_factors
            ));
        }
        if self.most_inverted > 0 {
            warnings.push(format!(
                "up to {} elements were inside out at the end of a step",
                self.most_inverted
            ));
        }
        warnings.extend(self.health.advice());
        warnings
    }
}

fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Largest distance of a node from its rest position now, m.
fn displacement(simulation: &Simulation) -> f64 {
    let (x, rest) = (&simulation.state().positions, &simulation.model().rest);
    x.iter()
        .zip(rest)
        .map(|(&x, &r)| (x - r).norm())
        .fold(0.0, f64::max)
}
