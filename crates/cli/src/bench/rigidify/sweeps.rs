//! Figure 5: error against speed-up of the cantilever over τ_E. Figure 4: beams over τ_E, damping, resolution and stiffness. Ours: scenes
//! with an error that is asked for in place of thresholds.

use super::case::Case;
use super::{Row, numbers, race, row};
use anyhow::{Context, Result};
use pliant_scene::file::{BarTable, BodyTable, MaterialTable, MeshTable, SceneTable};
use pliant_scene::units::Quantity;
use serde_json::json;

/// τ_R of the cantilever as a share of τ_E; of the beams.
const CANTILEVER_SHARE: f64 = 0.1;
const BEAM_SHARE: f64 = 0.01;
/// τ_E of the beams where it is not what varies, 1/s².
const BEAM_ELASTIC_ABOVE: f64 = 1e-5;

/// Most time for a scene with an error that is asked for, s.
const ERROR_SECONDS: f64 = 150.0;

/// What is varied.
pub struct Plan {
    /// τ_E of the cantilever, 1/s².
    pub cantilever: Vec<f64>,
    pub beams: Vec<Beam>,
    /// Scenes and errors to ask for.
    pub errors: Vec<(&'static str, f64)>,
    pub race: race::Plan,
}

/// A beam that differs from that of the scene in one thing.
#[derive(Clone, Copy, Debug)]
pub enum Beam {
    /// τ_E, 1/s².
    Threshold(f64),
    /// α₁, s.
    Damping(f64),
    /// Cells along the three edges of a grid in place of the mesh.
    Resolution([usize; 3]),
    /// E, Pa.
    Stiffness(f64),
}

impl Beam {
    /// What is varied and its value.
    fn facts(self) -> (&'static str, f64) {
        match self {
            Beam::Threshold(value) => ("threshold", value),
            Beam::Damping(value) => ("damping", value),
            Beam::Resolution(cells) => ("resolution", cells.iter().product::<usize>() as f64),
            Beam::Stiffness(value) => ("stiffness", value),
        }
    }

    fn case(self) -> Result<Case> {
        let edit = |table: &mut SceneTable| {
            for body in &mut table.body {
                self.edit(body);
            }
        };
        let threshold = match self {
            Beam::Threshold(value) => value,
            _ => BEAM_ELASTIC_ABOVE,
        };
        Ok(Case::edited("beam", edit)?.with_thresholds(threshold, BEAM_SHARE))
    }

    fn edit(self, body: &mut BodyTable) {
        let material = |body: &mut BodyTable, set: &dyn Fn(&mut MaterialTable)| {
            body.material.iter_mut().for_each(set);
        };
        match self {
            Beam::Threshold(_) => {}
            Beam::Damping(seconds) => material(body, &|m| {
                if let Ok(value) = Quantity::new(seconds) {
                    m.stiffness_damping = value;
                }
            }),
            Beam::Stiffness(pascals) => material(body, &|m| {
                if let Ok(value) = Quantity::new(pascals) {
                    m.young = value;
                }
            }),
            Beam::Resolution(cells) => {
                // the stand-in of the scene is a grid
                if let MeshTable::Asset(asset) = &body.mesh
                    && let Some(MeshTable::Box(bar)) = asset.otherwise.as_deref()
                {
                    let grid = BarTable {
                        cells,
                        ..bar.clone()
                    };
                    body.mesh = MeshTable::Box(grid);
                }
            }
        }
    }
}

/// A row for each τ_E of the cantilever.
pub fn cantilever_rows(plan: &Plan) -> Result<Vec<Row>> {
    let of = |&elastic_above: &f64| {
        let case = Case::new("cantilever-2d")?.with_thresholds(elastic_above, CANTILEVER_SHARE);
        measured(&case, &plan.race, row(json!({ "part": "cantilever" })))
    };
    plan.cantilever.iter().map(of).collect()
}

/// A row for each beam.
pub fn beam_rows(plan: &Plan) -> Result<Vec<Row>> {
    let of = |&beam: &Beam| {
        let (varied, value) = beam.facts();
        let facts = row(json!({ "part": "beam", "varied": varied, "value": value }));
        measured(&beam.case()?, &plan.race, facts).with_context(|| format!("{beam:?}"))
    };
    plan.beams.iter().map(of).collect()
}

/// A row for each error that is asked for, over the whole scene.
pub fn error_rows(plan: &Plan) -> Result<Vec<Row>> {
    let of = |&(scene, error): &(&'static str, f64)| {
        let case = Case::new(scene)?.with_error(error);
        let race = race::Plan {
            seconds: ERROR_SECONDS,
            steps: usize::MAX,
            ..plan.race
        };
        measured(&case, &race, row(json!({ "part": "error" }))).context(scene)
    };
    plan.errors.iter().map(of).collect()
}

fn measured(case: &Case, plan: &race::Plan, mut facts: Row) -> Result<Row> {
    let race = race::run(case, plan, |_, _| {})?;
    facts.extend(numbers::facts(case, &race));
    Ok(facts)
}
