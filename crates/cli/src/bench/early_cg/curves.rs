//! Figures 3 and 4 of [DB19]: kinetic energy of the iterate against the iteration, one solve at a moment of collision.
//!
//! The iterates are the velocities of steps with budgets 0, 1, 2 … from one state; a budget of 0 keeps the first guess.

use super::candidate::{
    CONVERGED, Candidate, PRECONDITIONERS, guess_name, guesses, preconditioner_name,
};
use anyhow::{Context, Result, anyhow};
use pliant_scene::Scene;
use pliant_scene::plot::{Series, line_plot};
use pliant_solid::contact::{Detector, Moving};
use pliant_solid::settings::{EarlyCgSettings, Guess, PreconditionerChoice};
use pliant_solid::state::State;
use rayon::prelude::*;
use serde_json::{Map, Value, json};

type Row = Map<String, Value>;

/// Steps from the first contact between bodies to the moment of the figures.
const INTO_COLLISION: usize = 3;

/// No scene takes longer to its first collision.
const LONGEST_WAIT: usize = 400;

/// An SVG by file name.
pub type Figure = (String, String);

/// The state a few steps after two bodies have touched for the first time.
pub fn collision(scene: &Scene, walker: Candidate) -> Result<State> {
    let mut simulation = walker.simulation(scene)?;
    let mut detector = Detector::new(&scene.model);
    let mut remaining = None;
    for _ in 0..LONGEST_WAIT {
        simulation.step().with_context(|| scene.name.clone())?;
        let state = simulation.state();
        if remaining.is_none() {
            let at = Moving {
                positions: &state.positions,
                velocities: &state.velocities,
                time: state.time,
                h: EarlyCgSettings::STEP,
            };
            let contacts = detector.detect(&scene.model, at);
            if contacts.iter().any(|c| c.obstacle.is_none()) {
                remaining = Some(INTO_COLLISION);
            }
        }
        match &mut remaining {
            Some(0) => return Ok(state.clone()),
            Some(steps) => *steps -= 1,
            None => {}
        }
    }
    Err(anyhow!(
        "{}: no bodies touched within {LONGEST_WAIT} steps",
        scene.name
    ))
}

/// Figure 3: all first guesses, Jacobi.
pub fn guess_curves(scene: &Scene, state: &State, last: usize) -> Result<(Vec<Row>, Figure)> {
    let candidates: Vec<Candidate> = guesses().map(|g| jacobi(0).guess(g)).into_iter().collect();
    let rows = curves(scene, state, &candidates, last, "3")?;
    let names: Vec<&str> = candidates.iter().map(|c| guess_name(c.guess)).collect();
    let title = format!("{}: first guesses, Jacobi", scene.name);
    let svg = plot(&title, &names, &rows);
    Ok((rows, (format!("figure-3-{}.svg", scene.name), svg)))
}

/// Figure 4: all preconditioners, one first guess.
pub fn preconditioner_curves(
    scene: &Scene,
    state: &State,
    guess: Guess,
    last: usize,
) -> Result<(Vec<Row>, Figure)> {
    let candidates: Vec<Candidate> = PRECONDITIONERS
        .map(|p| Candidate::paper(0).guess(guess).preconditioner(p))
        .into_iter()
        .collect();
    let rows = curves(scene, state, &candidates, last, "4")?;
    let names: Vec<&str> = (candidates.iter())
        .map(|c| preconditioner_name(c.preconditioner))
        .collect();
    let title = format!(
        "{}: preconditioners, guess {}",
        scene.name,
        guess_name(guess)
    );
    let svg = plot(&title, &names, &rows);
    let guess = guess_name(guess).replace('+', "-");
    Ok((rows, (format!("figure-4-{}-{guess}.svg", scene.name), svg)))
}

fn jacobi(budget: usize) -> Candidate {
    Candidate::paper(budget).preconditioner(PreconditionerChoice::Jacobi)
}

fn curves(
    scene: &Scene,
    state: &State,
    candidates: &[Candidate],
    last: usize,
    figure: &str,
) -> Result<Vec<Row>> {
    let solution = kinetic_energy(
        scene,
        state,
        Candidate {
            budget: CONVERGED,
            tolerance: 1e-12,
            ..candidates[0]
        },
    )?;
    let curve = |candidate: &Candidate| -> Result<Row> {
        let energies = (0..=last)
            .into_par_iter()
            .map(|budget| {
                let truncated = Candidate {
                    budget,
                    tolerance: 0.0,
                    restore_momentum: false,
                    ..*candidate
                };
                kinetic_energy(scene, state, truncated)
            })
            .collect::<Result<Vec<f64>>>()?;
        let close = (energies.iter()).rposition(|e| (e / solution - 1.0).abs() > 0.01);
        let row = json!({
            "part": "curve",
            "figure": figure,
            "scene": scene.name,
            "time": state.time,
            "guess": guess_name(candidate.guess),
            "preconditioner": preconditioner_name(candidate.preconditioner),
            "kinetic_energy_solution": solution,
            // null: not within the iterations shown
            "iterations_to_one_percent": match close {
                None => Some(0),
                Some(k) if k < last => Some(k + 1),
                Some(_) => None,
            },
            "kinetic_energy": energies,
        });
        Ok(row.as_object().cloned().unwrap_or_default())
    };
    candidates.iter().map(curve).collect()
}

/// Of the velocities after one step, J.
fn kinetic_energy(scene: &Scene, state: &State, candidate: Candidate) -> Result<f64> {
    let mut simulation = candidate.resume(scene, state.clone())?;
    let report = simulation.step().with_context(|| scene.name.clone())?;
    Ok(report.energies.kinetic)
}

fn plot(title: &str, names: &[&str], rows: &[Row]) -> String {
    let points: Vec<Vec<(f64, f64)>> = (rows.iter())
        .map(|row| {
            let energies = row["kinetic_energy"].as_array().into_iter().flatten();
            let energies = energies.filter_map(Value::as_f64).enumerate();
            energies.map(|(k, energy)| (k as f64, energy)).collect()
        })
        .collect();
    let mut series: Vec<Series> = (names.iter().zip(&points))
        .map(|(name, points)| Series { name, points })
        .collect();
    let solution = rows
        .first()
        .and_then(|row| row["kinetic_energy_solution"].as_f64());
    let last = points.first().map_or(0, |p| p.len().saturating_sub(1));
    let level = solution.map(|energy| [(0.0, energy), (last as f64, energy)]);
    let points = level.as_ref().map_or(&[][..], |level| &level[..]);
    series.push(Series {
        name: "solution",
        points,
    });
    line_plot(title, "iteration", "kinetic energy (J)", &series)
}
