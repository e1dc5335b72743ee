//! `pliant train`: full solutions of poses or runs, then bases and cubature, then one model file.

mod solve;

use crate::args::{self, Cli, TrainArgs};
use crate::failure::Failure;
use crate::stepping;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pliant_linalg::{CubatureMethod, Keep};
use pliant_scene::Scene;
use pliant_scene::trained::{EXTENSION, SolvedPoses, TrainedFile};
use pliant_solid::subspace::TrainedContact;
use pliant_solid::subspace::train::{
    DomainReport, Rigged, Snapshot, Training, TrainingSettings, Unskinned, train,
};
use serde_json::{Value, json};
use solve::{Solved, Solver, Task};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Trains a body for a study, with solutions kept beside this file until all are there; the seconds of solutions and of learning.
pub fn for_study(
    scene: &Scene,
    body: usize,
    threads: usize,
    file: &Path,
) -> Result<(TrainedFile, Vec<DomainReport>, [f64; 2]), Failure> {
    let bar = ProgressBar::hidden();
    let work = SolvedPoses::beside(file);
    let tasks = solve::tasks(scene, body);
    let started = Instant::now();
    let solver = Solver {
        scene,
        body,
        work: &work,
        bar: &bar,
    };
    let solved = solver.solve(&tasks, threads)?;
    let solve_seconds = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let snapshots: Vec<Snapshot> = (solved.into_iter())
        .flat_map(|solved| solved.pose.snapshots)
        .collect();
    let (file, reports) =
        stepping::on_threads(threads, || learn(scene, body, &tasks, &snapshots, &bar))?;
    let learn_seconds = started.elapsed().as_secs_f64();
    let _ = work.remove(); // it only takes room
    Ok((file, reports, [solve_seconds, learn_seconds]))
}

/// Trains a scene's body.
pub fn run(args: &TrainArgs, cli: &Cli) -> Result<Value, Failure> {
    let threads = args::threads(args.threads)?;
    let (_, scene) = stepping::load_from(&args.scene, args.assets.as_deref())?;
    stepping::print_notices(&scene, cli);
    let out = (args.out.clone()).unwrap_or_else(|| default_name(&args.scene));
    check_folder(&out)?;
    let body = scene.training.body.ok_or_else(|| {
        Failure::usage("it is not clear which body to train", None)
            .help("name a soft body in the scene: [training] body = \"…\"")
    })?;
    let work = SolvedPoses::beside(&out);
    let tasks = solve::tasks(&scene, body);
    let started = Instant::now();
    let bar = progress(cli, tasks.iter().map(|t| t.steps).sum());
    let solver = Solver {
        scene: &scene,
        body,
        work: &work,
        bar: &bar,
    };
    let solved = solver.solve(&tasks, threads)?;
    bar.finish_and_clear();
    let solve_seconds = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let snapshots: Vec<Snapshot> = (solved.iter())
        .flat_map(|s| s.pose.snapshots.iter().cloned())
        .collect();
    let bar = domain_progress(cli, domain_count(&scene, body) as u64);
    let (file, reports) =
        stepping::on_threads(threads, || learn(&scene, body, &tasks, &snapshots, &bar))?;
    bar.finish_and_clear();
    let train_seconds = started.elapsed().as_secs_f64();
    file.write(&out).map_err(|e| {
        Failure::usage(e.to_string(), None).help("name a file in a folder that can be written")
    })?;
    if !args.keep_work {
        // the model is there; what is left of the work files only takes room
        let _ = work.remove();
    }
    let value = report(
        &scene,
        &out,
        &tasks,
        &solved,
        (&reports, &file.model.contacts),
        [solve_seconds, train_seconds],
    );
    if !cli.quiet && !cli.json {
        let contacts = &file.model.contacts;
        print(
            &out,
            &snapshots,
            (&reports, contacts),
            [solve_seconds, train_seconds],
        );
    }
    Ok(value)
}

/// The scene's name in the present folder.
fn default_name(scene: &str) -> PathBuf {
    let name = Path::new(scene).file_stem().unwrap_or_default();
    PathBuf::from(name).with_extension(EXTENSION)
}

/// Refuses a place that could not be written before anything long begins.
fn check_folder(out: &Path) -> Result<(), Failure> {
    let folder = out.parent().filter(|p| !p.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if !folder.is_dir() || out.is_dir() || out.file_name().is_none() {
        let message = format!("the model cannot be written to `{}`", out.display());
        return Err(Failure::usage(message, None).help("name a file in a folder that exists"));
    }
    Ok(())
}

fn domain_count(scene: &Scene, body: usize) -> usize {
    let rig = scene.model.bodies[body].rig.as_ref();
    rig.map_or(1, |rig| rig.skeleton.bone_count())
}

fn learn(
    scene: &Scene,
    body: usize,
    tasks: &[Task],
    snapshots: &[Snapshot],
    bar: &ProgressBar,
) -> Result<(TrainedFile, Vec<DomainReport>), Failure> {
    let model = &scene.model;
    let all = 0..model.bodies[body].elements.len() as u32;
    let domains = match model.domains(body) {
        Some(domains) => domains.elements,
        None => vec![all.collect()],
    };
    let rig = model.bodies[body].rig.as_ref();
    let rigged = rig.map(|rig| Rigged {
        skinnings: (tasks.iter())
            .flat_map(|task| task.skinnings(scene, body))
            .collect(),
        weights: &rig.weights,
    });
    let of_task = |task: &Task| vec![task.touches(); task.snapshot_count()];
    let with_contact: Vec<bool> = tasks.iter().flat_map(of_task).collect();
    let touching: Vec<usize> = (0..with_contact.len())
        .filter(|&s| with_contact[s])
        .collect();
    let training = Training {
        model,
        body,
        snapshots,
        skinned: match &rigged {
            Some(rigged) => rigged,
            None => &Unskinned,
        },
        domains: &domains,
        held: &solve::held_nodes(model, body),
        weights: rig.map(|rig| (*rig.weights).clone()),
        touching: &touching,
    };
    let settings = &scene.training.settings;
    let (trained, reports) = train(&training, settings, |_, _| bar.inc(1))
        .map_err(|e| Failure::simulation(format!("training failed: {e}")))?;
    let file = TrainedFile {
        model: trained,
        scene: scene.name.clone(),
        digest: scene.digest,
        settings: settings_text(settings),
    };
    Ok((file, reports))
}

fn settings_text(settings: &TrainingSettings) -> String {
    let keep = match settings.keep {
        Keep::Variance(share) => format!("variance {share}"),
        Keep::Rank(rank) => format!("rank {rank}"),
    };
    let method = match settings.cubature.method {
        CubatureMethod::Thresholding => "nn-htp",
        CubatureMethod::Greedy => "greedy",
    };
    let c = &settings.cubature;
    let rigid = if settings.rigid_modes {
        ", rigid modes"
    } else {
        ""
    };
    format!(
        "{keep}{rigid}; cubature {method}, at most {} points, tolerance {}, seed {}",
        c.points, c.tolerance, c.seed
    )
}

fn progress(cli: &Cli, steps: u64) -> ProgressBar {
    let bar = stepping::progress_bar(cli, steps);
    if let Ok(style) =
        ProgressStyle::with_template("solving   {bar:40} {pos}/{len} steps  {eta} left")
    {
        bar.set_style(style);
    }
    bar
}

fn domain_progress(cli: &Cli, domains: u64) -> ProgressBar {
    let bar = ProgressBar::new(domains);
    if let Ok(style) = ProgressStyle::with_template("learning  {bar:40} {pos}/{len} domains") {
        bar.set_style(style);
    }
    if cli.quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    bar
}

fn report(
    scene: &Scene,
    out: &Path,
    tasks: &[Task],
    solved: &[Solved],
    (reports, contacts): (&[DomainReport], &[TrainedContact]),
    [solve_seconds, train_seconds]: [f64; 2],
) -> Value {
    let runs: Vec<Value> = (tasks.iter().zip(solved))
        .map(|(task, solved)| {
            json!({
                "name": task.name,
                "steps": solved.pose.steps,
                "snapshots": solved.pose.snapshots.len(),
                "residual": solved.pose.residual,
                "reused": solved.reused,
            })
        })
        .collect();
    let domains: Vec<Value> = (reports.iter())
        .map(|r| {
            json!({
                "nodes": r.nodes,
                "elements": r.elements,
                "rank": r.rank,
                "rigid_modes": r.rigid_modes,
                "variance": r.variance,
                "projection_error": r.projection_error,
                "samples": r.samples,
                "cubature": r.points,
                "error": r.error,
                "iterations": r.iterations,
            })
        })
        .collect();
    let contacts: Vec<Value> = (contacts.iter())
        .map(|c| {
            json!({
                "domains": c.domains,
                "nodes": c.nodes.len(),
                "points": c.points.len(),
                "error": c.error,
            })
        })
        .collect();
    let worst = reports.iter().map(|r| r.error).fold(0.0, f64::max);
    json!({
        "command": "train",
        "scene": scene.name,
        "model": out.display().to_string(),
        "settings": settings_text(&scene.training.settings),
        "runs": runs,
        "domains": domains,
        "rank": reports.iter().map(|r| r.rank).sum::<usize>(),
        "cubature": reports.iter().map(|r| r.points).sum::<usize>(),
        "largest_error": worst,
        "contacts": contacts,
        "solve_seconds": solve_seconds,
        "train_seconds": train_seconds,
    })
}

fn print(
    out: &Path,
    snapshots: &[Snapshot],
    (reports, contacts): (&[DomainReport], &[TrainedContact]),
    seconds: [f64; 2],
) {
    println!(
        "{} snapshots in {:.1} s, {} domains in {:.1} s",
        snapshots.len(),
        seconds[0],
        reports.len(),
        seconds[1]
    );
    println!("domain    nodes elements  modes  missed   points   force error");
    for (index, r) in reports.iter().enumerate() {
        println!(
            "{index:>6} {:>8} {:>8} {:>6} {:>7.3}% {:>7} {:>12.2}%",
            r.nodes,
            r.elements,
            r.rank,
            100.0 * r.projection_error,
            r.points,
            100.0 * r.error
        );
    }
    for contact in contacts {
        let [a, b] = contact.domains;
        println!(
            "domains {a} and {b} touch: {} points on {} nodes, force error {:.2}%",
            contact.points.len(),
            contact.nodes.len(),
            100.0 * contact.error
        );
    }
    println!("model in {}", out.display());
}
