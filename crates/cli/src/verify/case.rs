//! A case and what it finds.

use anyhow::Result;
use serde_json::{Map, Value, json};

/// Computes some values.
pub struct Case {
    pub family: &'static str,
    /// With finer meshes where asked.
    pub run: fn(bool) -> Result<Findings>,
}

impl Case {
    pub const fn new(family: &'static str, run: fn(bool) -> Result<Findings>) -> Case {
        Case { family, run }
    }
}

/// A value of ours beside that of a reference.
#[derive(Clone, Debug)]
pub struct Check {
    pub name: String,
    pub value: f64,
    pub reference: f64,
    pub unit: &'static str,
    /// Largest difference, as a share of the reference; absolute where that is zero.
    pub tolerance: f64,
    /// Where the reference comes from.
    pub source: String,
    /// Order of convergence that was measured, and that it should have at least.
    pub order: Option<[f64; 2]>,
}

/// What may be missing of an order: meshes are finite.
const ORDER_SLACK: f64 = 0.4;

impl Check {
    pub fn new(
        name: impl Into<String>,
        value: f64,
        reference: f64,
        tolerance: f64,
        source: impl Into<String>,
    ) -> Check {
        Check {
            name: name.into(),
            value,
            reference,
            unit: "",
            tolerance,
            source: source.into(),
            order: None,
        }
    }

    pub fn unit(self, unit: &'static str) -> Check {
        Check { unit, ..self }
    }

    pub fn order(self, measured: f64, expected: f64) -> Check {
        let order = Some([measured, expected]);
        Check { order, ..self }
    }

    pub fn passes(&self) -> bool {
        let scale = if self.reference == 0.0 {
            1.0
        } else {
            self.reference.abs()
        };
        let near = (self.value - self.reference).abs() <= self.tolerance * scale;
        near && self
            .order
            .is_none_or(|[measured, expected]| measured >= expected - ORDER_SLACK)
    }

    pub fn row(&self) -> Map<String, Value> {
        let row = json!({
            "name": self.name,
            "value": self.value,
            "reference": self.reference,
            "unit": self.unit,
            "tolerance": self.tolerance,
            "order": self.order.map(|[measured, _]| measured),
            "order_expected": self.order.map(|[_, expected]| expected),
            "source": self.source,
            "pass": self.passes(),
            "verdict": if self.passes() { "ok" } else { "MISSED" },
        });
        row.as_object().cloned().unwrap_or_default()
    }
}

/// Errors over sizes, for a plot.
#[derive(Clone, Debug)]
pub struct Ladder {
    pub title: String,
    /// What sizes are.
    pub size: &'static str,
    /// (size, relative error).
    pub points: Vec<(f64, f64)>,
}

impl Ladder {
    /// From sizes and values against a reference.
    pub fn new(title: &str, size: &'static str, reference: f64, values: &[(f64, f64)]) -> Ladder {
        let error = |&(size, value): &(f64, f64)| (size, (value / reference - 1.0).abs());
        Ladder {
            title: title.into(),
            size,
            points: values.iter().map(error).collect(),
        }
    }

    /// Order between the last two points.
    pub fn order(&self) -> f64 {
        match self.points[..] {
            [.., (a, e), (b, f)] => (e / f).ln() / (a / b).ln(),
            _ => f64::NAN,
        }
    }
}

/// What cases found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    pub checks: Vec<Check>,
    pub ladders: Vec<Ladder>,
}

impl Findings {
    /// Adds those of a family.
    pub fn take(&mut self, family: &str, mut other: Findings) {
        for check in &mut other.checks {
            check.name = format!("{family}: {}", check.name);
        }
        for ladder in &mut other.ladders {
            ladder.title = format!("{family}: {}", ladder.title);
        }
        self.checks.append(&mut other.checks);
        self.ladders.append(&mut other.ladders);
    }
}

/// The limit of values at sizes that halve, from the last two by a known order or from the last three by what those suggest (Richardson);
/// and the order that these suggest.
pub fn extrapolated(values: &[f64], order: Option<f64>) -> [f64; 2] {
    let [.., a, b, c] = values else {
        return [f64::NAN; 2];
    };
    let factor = (b - a) / (c - b);
    let used = order.map_or(factor, |order| 2f64.powf(order));
    [c + (c - b) / (used - 1.0), factor.log2()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_and_orders_are_found() {
        let values = [1.0, 0.5, 0.25].map(|h: f64| 3.0 + 2.0 * h * h);
        for known in [None, Some(2.0)] {
            let [limit, order] = extrapolated(&values, known);
            assert!((limit - 3.0).abs() < 1e-12 && (order - 2.0).abs() < 1e-12);
        }
        let points = [(1.0, 3.3), (0.5, 3.075)];
        let ladder = Ladder::new("x", "h", 3.0, &points);
        assert!((ladder.order() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_check_can_fail() {
        let check = |value, tolerance| Check::new("x", value, 2.0, tolerance, "us");
        assert!(check(2.01, 0.01).passes());
        assert!(!check(2.03, 0.01).passes() && !check(f64::NAN, 0.01).passes());
        assert!(!check(2.0, 0.01).order(1.2, 2.0).passes());
        assert!(!Check::new("zero", 1e-3, 0.0, 1e-4, "us").passes());
    }
}
