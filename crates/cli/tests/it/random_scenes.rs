//! Thousands of random scenes are parsed, built and stepped: each is refused in words, or gives finite results. They run in processes
//! of their own, with a limit to memory; one that ends in any other way, or hangs, fails the test with its seed.
//!
//! `PLIANT_SEED=N cargo test --release -p pliant --test it random_scenes -- --nocapture` shows and steps one scene.

mod generate;

use generate::{Mood, scene};
use pliant_scene::{build_limited, parse};
use pliant_solid::Simulation;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

const SCENES: u64 = 5000;
const PROCESSES: u64 = 2;
const STEPS: u64 = 2;
const MOST_ELEMENTS: u128 = 250;
/// Memory of a process, KiB: threads' stacks and buffers included, for scenes of some hundred elements.
const MEMORY: u64 = 3 << 20;
/// Longest time for a scene. The longest takes a second; the machine may be busy.
const HANG: Duration = Duration::from_secs(120);

#[derive(Debug, Default)]
struct Tally {
    refused: u64,
    unstarted: u64,
    failed: u64,
    stepped: u64,
    /// Seconds and seed of the slowest.
    slowest: (f64, u64),
}

impl Tally {
    fn add(&mut self, how: &str) {
        *match how {
            "refused" => &mut self.refused,
            "unstarted" => &mut self.unstarted,
            "failed" => &mut self.failed,
            _ => &mut self.stepped,
        } += 1;
    }
}

/// One scene to its end; the word for how it ended.
fn attempt(seed: u64, show: bool) -> &'static str {
    let (mood, text) = scene(seed);
    if show {
        println!("{text}# {mood:?}");
    }
    let file = match parse(&text, "random.toml") {
        Ok(file) => file,
        Err(error) => {
            assert!(!error.message.is_empty());
            assert!(mood != Mood::Sane, "a sane scene is no scene: {error}");
            return "refused";
        }
    };
    let scene = match build_limited(&file, None, MOST_ELEMENTS) {
        Ok(scene) => scene,
        Err(error) => {
            assert!(error.line > 0 && !error.message.is_empty(), "{error}");
            if show {
                println!("{error}");
            }
            return "refused";
        }
    };
    let start = Simulation::new(scene.model, scene.settings, scene.method);
    let mut simulation = match start {
        Ok(simulation) => simulation,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return "unstarted";
        }
    };
    for _ in 0..STEPS {
        let before = simulation.state().clone();
        match simulation.step() {
            Ok(report) => {
                assert!(report.energies.kinetic >= 0.0, "{:?}", report.energies);
                let state = simulation.state();
                let all = state.positions.iter().chain(&state.velocities);
                assert!(all.into_iter().all(|v| v.is_finite()));
                let rigid = state.rigid.poses.iter().map(|p| p.centre);
                assert!(rigid.into_iter().all(|v| v.is_finite()));
            }
            Err(error) => {
                assert!(error.to_string().len() > 10);
                let now = simulation.state();
                assert!(
                    now.positions == before.positions && now.step == before.step,
                    "a failed step changed the state: {error}"
                );
                if show {
                    println!("{error}");
                }
                return "failed";
            }
        }
    }
    "stepped"
}

/// What a process of the test does: the scenes from a seed on, a line before and after each.
#[test]
#[ignore = "run by the other test"]
fn worker() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let (Some(first), Some(end)) = (number("PLIANT_FIRST"), number("PLIANT_END")) else {
        return;
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.unwrap().install(|| {
        for seed in first..end {
            println!("seed {seed}");
            let started = std::time::Instant::now();
            let ended = attempt(seed, false);
            println!(
                "ended {ended} after {:.3} s",
                started.elapsed().as_secs_f64()
            );
        }
    });
}

fn watch(first: u64, end: u64) -> Tally {
    let program = std::env::current_exe().unwrap();
    let mut child = Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\""))
        .arg(program)
        .args([
            "random_scenes::worker",
            "--exact",
            "--ignored",
            "--nocapture",
        ])
        .env("PLIANT_FIRST", first.to_string())
        .env("PLIANT_END", end.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (send, lines) = mpsc::channel();
    let output = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || {
        for line in output.lines().map_while(Result::ok) {
            let _ = send.send(line);
        }
    });
    let mut errors = child.stderr.take().unwrap();
    let said = std::thread::spawn(move || std::io::read_to_string(&mut errors));
    let mut tally = Tally::default();
    let mut seed = first;
    loop {
        match lines.recv_timeout(HANG) {
            Ok(line) => match line.split(' ').collect::<Vec<_>>()[..] {
                ["seed", number] => seed = number.parse().unwrap(),
                ["ended", how, "after", seconds, "s"] => {
                    tally.add(how);
                    let seconds: f64 = seconds.parse().unwrap();
                    if seconds > tally.slowest.0 {
                        tally.slowest = (seconds, seed);
                    }
                }
                _ => {}
            },
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                child.kill().unwrap();
                panic!("PLIANT_SEED={seed} hangs:\n{}", scene(seed).1);
            }
        }
    }
    let status = child.wait().unwrap();
    let said = said.join().unwrap().unwrap();
    assert!(
        status.success(),
        "PLIANT_SEED={seed} ({status}): {said}\n{}",
        scene(seed).1
    );
    tally
}

#[test]
fn random_scenes_are_refused_or_step() {
    if let Ok(seed) = std::env::var("PLIANT_SEED") {
        println!("{}", attempt(seed.parse().unwrap(), true));
        return;
    }
    attempt_all(0, SCENES);
}

/// Other ones than every day.
#[test]
#[ignore = "minutes"]
fn long_more_random_scenes() {
    attempt_all(1_000_000, 10 * SCENES);
}

fn attempt_all(first: u64, count: u64) {
    let share = count.div_ceil(PROCESSES);
    let workers = (0..PROCESSES).map(|w| {
        let end = ((w + 1) * share).min(count);
        std::thread::spawn(move || watch(first + w * share, first + end))
    });
    let workers: Vec<_> = workers.collect();
    let mut all = Tally::default();
    for worker in workers {
        let tally = worker.join().expect("a message with the seed is above");
        all.refused += tally.refused;
        all.unstarted += tally.unstarted;
        all.failed += tally.failed;
        all.stepped += tally.stepped;
        all.slowest = if tally.slowest.0 > all.slowest.0 {
            tally.slowest
        } else {
            all.slowest
        };
    }
    println!("{all:?}");
    assert_eq!(
        all.refused + all.unstarted + all.failed + all.stepped,
        count
    );
    // the scenes must neither all be possible nor all be nonsense
    assert!(all.stepped > count * 2 / 5, "{all:?}");
    assert!(all.refused > count / 10 && all.failed > 0, "{all:?}");
}
