//! What commands that step a scene share: finding it, how far to go, threads, progress.

use crate::args::{Cli, SteppingArgs};
use crate::assets;
use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pliant_scene::suggest::did_you_mean;
use pliant_scene::units::Time;
use pliant_scene::{EMBEDDED, Scene, SceneFile, Sources, build_from, embedded, parse};
use pliant_solid::Simulation;
use pliant_solid::state::State;
use pliant_solid::strategy::Method;
use std::fs;
use std::path::Path;

/// A scene by built-in name or by path.
pub fn load(name: &str, args: &SteppingArgs) -> Result<(SceneFile, Scene), Failure> {
    load_from(name, args.assets.as_deref())
}

/// [`load`] with a folder of assets.
pub fn load_from(name: &str, assets: Option<&Path>) -> Result<(SceneFile, Scene), Failure> {
    let (file, sources) = find(name, assets)?;
    let scene = build_from(&file, &sources).map_err(|e| Failure::scene(e, file.text.clone()))?;
    Ok((file, scene))
}

/// A scene by built-in name or by path, not yet built, and where its files are.
pub fn find(name: &str, assets: Option<&Path>) -> Result<(SceneFile, Sources), Failure> {
    let assets = assets::folders(assets)?;
    let path = Path::new(name);
    let is_embedded = EMBEDDED.iter().any(|s| s.name == name);
    let looks_like_file = path.extension().is_some_and(|e| e == "toml") || path.exists();
    let (text, base) = if !is_embedded && looks_like_file {
        let text = fs::read_to_string(path).map_err(|e| {
            Failure::usage(format!("cannot read the scene `{name}`: {e}"), None)
                .help("give the path of a scene file, or a name that `pliant scenes` lists")
        })?;
        (
            text,
            Some(path.parent().unwrap_or(Path::new("")).to_path_buf()),
        )
    } else {
        let scene = embedded(name).map_err(|e| Failure::scene(e, String::new()))?;
        (scene.text.to_string(), None)
    };
    let file = parse(&text, name).map_err(|e| Failure::scene(e, text.clone()))?;
    Ok((file, Sources { base, assets }))
}

/// Reads the trained model of a scene where a method needs one.
pub fn load_trained(scene: &mut Scene, method: Method) -> Result<(), Failure> {
    let loaded = scene.load_trained(method);
    loaded.map_err(|error| Failure::usage(error.to_string(), None))
}

/// A simulation of a scene with its method from a state on.
pub fn start(scene: &Scene, state: State) -> Result<Simulation, Failure> {
    let (model, settings) = (scene.model.clone(), scene.settings.clone());
    Simulation::resume(model, settings, scene.method, state).map_err(|e| {
        let name = scene.method.name();
        Failure::simulation(format!("the method `{name}` cannot start: {e}"))
    })
}

/// A method by name.
pub fn method(name: &str) -> Result<Method, Failure> {
    Method::from_name(name).ok_or_else(|| {
        let known = Method::ALL.map(Method::name);
        Failure::usage(format!("there is no method `{name}`"), None)
            .help(did_you_mean(name, &known))
    })
}

/// Applies the length that was asked for; the scene has its time step already.
pub fn set_length(args: &SteppingArgs, scene: &mut Scene) -> Result<(), Failure> {
    if let Some(text) = &args.duration {
        let duration: Time = text
            .parse()
            .map_err(|e| Failure::usage(format!("--duration: {e}"), None))?;
        if duration.si < scene.settings.h {
            return Err(Failure::usage(
                format!(
                    "--duration {text} is shorter than one step of {} s",
                    scene.settings.h
                ),
                None,
            ));
        }
        scene.duration = duration.si;
    }
    match args.steps {
        Some(0) => {
            return Err(Failure::usage(
                "--steps 0 leaves nothing to do",
                Some("take at least one step".into()),
            ));
        }
        Some(steps) => scene.duration = steps as f64 * scene.settings.h,
        None => {}
    }
    Ok(())
}

/// Tells the user what is remarkable about the scene though nothing is wrong.
pub fn print_notices(scene: &Scene, cli: &Cli) {
    if !cli.quiet {
        for notice in &scene.notices {
            eprintln!("note: {notice}");
        }
    }
}

/// Does all the work in a pool of its own, so that no step pays for entering it.
pub fn on_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|e| Failure::usage(format!("cannot start {threads} threads: {e}"), None))?;
    pool.install(work)
}

/// On a terminal, and not with `--quiet`.
pub fn progress_bar(cli: &Cli, steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    let template = "{bar:40} {pos}/{len} steps  {per_sec}  {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    if cli.quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden()); // and hidden by itself when not a terminal
    }
    bar
}
