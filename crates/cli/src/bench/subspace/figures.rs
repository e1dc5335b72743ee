//! Figures 7 and 9 as SVG, speed-ups along the run, and steps over sizes.

use super::{Row, number};
use pliant_scene::plot::{Series, line_plot};
use serde_json::Value;

/// An SVG by file name.
pub type Figure = (&'static str, String);

type Curve = (String, Vec<(f64, f64)>);

/// All of them.
pub fn figures(rows: &[Row]) -> Vec<Figure> {
    let part =
        |name: &str| -> Vec<&Row> { rows.iter().filter(|row| row["part"] == name).collect() };
    let (scenes, sizes) = (part("scene"), part("size"));
    vec![
        ("figure-7.svg", errors(&scenes)),
        ("figure-9.svg", shares(&scenes)),
        ("speed-ups.svg", speedups(&scenes)),
        ("sizes.svg", steps(&sizes)),
    ]
}

/// Mean error over ρ, a line for each scene.
fn errors(rows: &[&Row]) -> String {
    let mut curves: Vec<Curve> = Vec::new();
    for row in rows {
        let point = number(row, "radius").zip(number(row, "error_mean"));
        let Some((radius, error)) = point else {
            continue;
        };
        let name = row["scene"].as_str().unwrap_or_default().to_string();
        let point = (radius, 100.0 * error);
        match curves.iter_mut().find(|c| c.0 == name) {
            Some(curve) => curve.1.push(point),
            None => curves.push((name, vec![point])),
        }
    }
    let title = "Figure 7: error in contact";
    plot(
        title,
        "ρ, in sizes of the body",
        "% of the displacement",
        &curves,
    )
}

/// Time of a step over the share of full nodes, ascending.
fn shares(rows: &[&Row]) -> String {
    let curve = |row: &&Row| {
        let mut points: Vec<(f64, f64)> = steps_of(row)
            .filter(|s| s[0] > 0.0)
            .map(|s| (100.0 * s[0], 1e3 * s[1]))
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        (label(row), points)
    };
    let curves: Vec<Curve> = rows
        .iter()
        .filter(|r| r["kind"] == "radius")
        .map(curve)
        .collect();
    plot(
        "Figure 9: steps with a region",
        "% of the nodes full",
        "ms",
        &curves,
    )
}

fn speedups(rows: &[&Row]) -> String {
    let curve = |row: &&Row| {
        let points = steps_of(row).enumerate();
        let points = points.map(|(step, s)| (step as f64 + 1.0, (s[2] / s[1]).log10()));
        (label(row), points.collect())
    };
    let curves: Vec<Curve> = rows.iter().map(curve).collect();
    let title = "Speed-up over Newton's method with Jacobi-preconditioned conjugate gradients";
    plot(title, "step", "log₁₀ of the speed-up", &curves)
}

fn steps(rows: &[&Row]) -> String {
    let curve = |name: &str, key: &str| {
        let points = rows.iter().filter_map(|row| {
            let point = number(row, "nodes")?.log10();
            Some((point, (1e6 * number(row, key)?).log10()))
        });
        (name.to_string(), points.collect())
    };
    let curves = [
        curve("without contact", "seconds"),
        curve("with detection", "seconds_detecting"),
    ];
    let title = "Steps without a region, same modes and points";
    plot(title, "log₁₀ of the nodes", "log₁₀ of µs", &curves)
}

/// Share of full nodes, and seconds of a step of the method and of the full solvers.
fn steps_of(row: &Row) -> impl Iterator<Item = [f64; 4]> {
    let steps = row["curve"].as_array().into_iter().flatten();
    steps.filter_map(|step| {
        let step = step.as_array()?;
        let of = |k: usize| step.get(k).and_then(Value::as_f64);
        Some([of(0)?, of(1)?, of(2)?, of(3)?])
    })
}

fn label(row: &Row) -> String {
    let of = |key: &str| row[key].as_str().unwrap_or_default();
    format!("{}, {}", of("scene"), of("full"))
}

fn plot(title: &str, x_label: &str, y_label: &str, curves: &[Curve]) -> String {
    let series: Vec<Series> = curves
        .iter()
        .map(|(name, points)| Series { name, points })
        .collect();
    line_plot(title, x_label, y_label, &series)
}
