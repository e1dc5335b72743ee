//! `[solver.early_cg]`.

use super::preconditioner;
use crate::error::{KeyPath, Problem};
use crate::file::{EarlyCgTable, GuessName, GuessValue, ProductName, UnknownName};
use pliant_solid::settings::{EarlyCgSettings, Guess, Product, Unknown};

pub(super) fn settings(table: &EarlyCgTable, at: &KeyPath) -> Result<EarlyCgSettings, Problem> {
    let defaults = EarlyCgSettings::default();
    let in_range = |key: &str, value: f64, low: f64, high: f64, range: &str| {
        if (low..=high).contains(&value) {
            return Ok(value);
        }
        let found = if value.abs() < 1e6 {
            value.to_string()
        } else {
            format!("{value:e}")
        };
        let message = format!("{key} must be {range}, not {found}");
        Err(Problem::new(at.key(key), message))
    };
    let number =
        |given: Option<crate::units::Number>, default: f64| given.map_or(default, |n| n.si);
    if table.budget == Some(0) {
        return Err(Problem::new(at.key("budget"), "budget must be at least 1"));
    }
    let guess = match &table.guess {
        None => defaults.guess,
        Some(GuessValue::Name(GuessName::Zero)) => Guess::ZERO,
        Some(GuessValue::Name(GuessName::Velocity)) => Guess::VELOCITY,
        Some(GuessValue::Name(GuessName::VelocityAndForce)) => Guess::VELOCITY_AND_FORCE,
        Some(GuessValue::Blend(table)) => {
            let share = table.blend.si;
            if !(0.0..=1.0).contains(&share) {
                let message = format!("blend must lie between 0 and 1, not {share}");
                return Err(Problem::new(at.key("guess").key("blend"), message));
            }
            Guess::blend(share)
        }
    };
    Ok(EarlyCgSettings {
        budget: table.budget.unwrap_or(defaults.budget),
        tolerance: in_range(
            "tolerance",
            number(table.tolerance, defaults.tolerance),
            0.0,
            1.0,
            "between 0 and 1",
        )?,
        energy_tolerance: in_range(
            "energy_tolerance",
            number(table.energy_tolerance, defaults.energy_tolerance),
            0.0,
            1.0,
            "between 0 and 1",
        )?,
        fresh_factor: in_range(
            "fresh_factor",
            number(table.fresh_factor, defaults.fresh_factor),
            1.0,
            1e6,
            "between 1 and 1e6",
        )?,
        guess,
        turn_guess: table.turn_guess.unwrap_or(defaults.turn_guess),
        preconditioner: (table.preconditioner)
            .map_or(defaults.preconditioner, |name| preconditioner(name.into())),
        unknown: match table.unknown {
            None | Some(UnknownName::Velocity) => Unknown::Velocity,
            Some(UnknownName::Increment) => Unknown::Increment,
        },
        product: match table.product {
            None | Some(ProductName::Automatic) => Product::Automatic,
            Some(ProductName::Assembled) => Product::Assembled,
            Some(ProductName::MatrixFree) => Product::MatrixFree,
        },
        sweeps: in_range(
            "sweeps",
            f64::from(table.sweeps.unwrap_or(defaults.sweeps)),
            0.0,
            100.0,
            "between 0 and 100",
        )? as u32,
        symmetry_tolerance: in_range(
            "symmetry_tolerance",
            number(table.symmetry_tolerance, defaults.symmetry_tolerance),
            0.0,
            1.0,
            "between 0 and 1",
        )?,
        restore_momentum: table.restore_momentum.unwrap_or(defaults.restore_momentum),
    })
}
