//! All methods through the scene, in turns, each frame compared as soon as it is there.

use super::entrant::Entrant;
use super::files::ErrorFile;
use crate::failure::Failure;
use crate::measure::deviation::diagonals;
use indicatif::ProgressBar;
use pliant_linalg::Vec3;
use pliant_scene::Scene;

/// Steps of a turn where a method works in the background: such work is paid for at the end of a turn, but a run of its own
/// does it beside its steps. So a turn is longer than what is under way usually takes.
const LONG_TURN: u64 = 32;

/// Steps all entrants from the start of the scene to its end; the first is the reference. Memory does not grow with the number of steps.
pub fn run(
    scene: &Scene,
    entrants: &mut [Entrant],
    mut file: Option<&mut ErrorFile>,
    progress: &ProgressBar,
) -> Result<(), Failure> {
    for entrant in entrants.iter_mut() {
        entrant.begin(scene);
    }
    let background = entrants.iter().any(Entrant::works_in_background);
    let turn = if background { LONG_TURN } else { 1 };
    let diagonals = diagonals(&scene.model);
    let steps = scene.step_count();
    let before = progress.position();
    let methods = entrants.len() as u64;
    let mut frames: Vec<Vec<Vec3>> = Vec::new(); // of the reference in this turn
    let mut done = 0;
    while done < steps && entrants.iter().any(Entrant::is_running) {
        let count = turn.min(steps - done);
        let mut known = 0;
        for (index, entrant) in entrants.iter_mut().enumerate() {
            entrant.take_turn(count, |step, simulation, deviation| {
                let positions = &simulation.state().positions;
                if index == 0 {
                    known = step + 1;
                    frames.resize_with(known.max(frames.len()), Vec::new);
                    frames[step].clone_from(positions);
                }
                progress.inc(1);
                // none where the reference has failed
                let frame = frames[..known].get(step)?;
                Some(deviation.note(positions, frame, &diagonals))
            });
        }
        if let Some(file) = &mut file {
            let time = |step: usize| (done + step as u64 + 1) as f64 * scene.settings.h;
            for step in 0..known {
                file.row(time(step), entrants, step)?;
            }
        }
        done += count;
        progress.set_position(before + done * methods); // also for those that have stopped
    }
    entrants.iter_mut().for_each(Entrant::end);
    Ok(())
}
