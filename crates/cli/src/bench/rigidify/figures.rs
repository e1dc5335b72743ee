//! Figures 3, 5 and 6 as SVG.

use super::{Row, number};
use crate::bench::rows::stacked;
use pliant_scene::plot::{Series, line_plot};
use serde_json::Value;

/// An SVG by file name.
pub type Figure = (&'static str, String);

type Curve = (String, Vec<(f64, f64)>);

/// Those that there are rows for.
pub fn figures(rows: &[Row]) -> Vec<Figure> {
    let part =
        |name: &str| -> Vec<&Row> { rows.iter().filter(|row| row["part"] == name).collect() };
    let (scenes, cantilever, beams) = (part("scene"), part("cantilever"), part("beam"));
    let mut figures = Vec::new();
    if !scenes.is_empty() {
        figures.push(("figure-3.svg", speedups(&scenes)));
        figures.push(("unknowns.svg", unknowns(&scenes)));
        figures.push(("figure-6.svg", histograms(&scenes)));
    }
    if !beams.is_empty() {
        figures.push(("figure-4.svg", rest(&beams)));
    }
    if !cantilever.is_empty() {
        figures.push(("figure-5.svg", errors(&cantilever)));
    }
    figures
}

/// Over the share of the run that was stepped, since durations differ.
fn over_run(rows: &[&Row], column: usize, value: impl Fn(f64) -> f64) -> Vec<Curve> {
    let curve = |row: &&Row| {
        let points: Vec<&Vec<Value>> = (row["curve"].as_array().into_iter().flatten())
            .filter_map(Value::as_array)
            .collect();
        let of = |point: &[Value], k: usize| point.get(k).and_then(Value::as_f64);
        let end = points.last().and_then(|p| of(p, 0)).unwrap_or(1.0);
        let points = points
            .iter()
            .filter_map(|p| Some((of(p, 0)? / end, value(of(p, column)?))));
        (name(row), points.collect())
    };
    rows.iter().map(curve).collect()
}

fn name(row: &Row) -> String {
    row["scene"].as_str().unwrap_or_default().to_string()
}

fn speedups(scenes: &[&Row]) -> String {
    let curves = over_run(scenes, 1, |x| x.max(1e-3).log10());
    let title = "Figure 3: speed-up of steps";
    plot(title, "share of the run", "log₁₀ of the speed-up", &curves)
}

fn unknowns(scenes: &[&Row]) -> String {
    let curves = over_run(scenes, 2, |x| 100.0 * x);
    plot(
        "Unknowns of a step",
        "share of the run",
        "% of those of full",
        &curves,
    )
}

/// When beams come to rest: one above the other would say little, so a line for each kind.
fn rest(beams: &[&Row]) -> String {
    let kinds = ["threshold", "damping", "resolution", "stiffness"];
    let curve = |kind: &str| {
        let own = beams.iter().filter(|row| row["varied"] == kind);
        let points = own.filter_map(|row| {
            let share = number(row, "unknowns_share")?;
            Some((number(row, "value")?.log10(), 100.0 * share))
        });
        (kind.to_string(), points.collect())
    };
    let curves: Vec<Curve> = kinds.into_iter().map(curve).collect();
    let title = "Figure 4: unknowns of beams, mean over the run";
    plot(
        title,
        "log₁₀ of what is varied",
        "% of those of full",
        &curves,
    )
}

/// Error and inverse speed-up over τ_E.
fn errors(rows: &[&Row]) -> String {
    let curve = |name: &str, value: &dyn Fn(&Row) -> Option<f64>| {
        let points = rows.iter().filter_map(|row| {
            let threshold = number(row, "elastic_above")?.log10();
            Some((threshold, value(row)?.max(1e-12).log10()))
        });
        (name.to_string(), points.collect())
    };
    let curves = [
        curve("max vertex error", &|row| number(row, "max_vertex_error")),
        curve("time as a share of full", &|row| {
            Some(1.0 / number(row, "speedup_total")?)
        }),
    ];
    plot(
        "Figure 5: cantilever, error and time",
        "log₁₀ of τ_E",
        "log₁₀",
        &curves,
    )
}

/// Strain rates of the exact step: those of rigid elements right of the threshold were missed. Of elements that the oracle was asked
/// about also what it has predicted.
fn histograms(scenes: &[&Row]) -> String {
    let panels = scenes.iter().map(|row| {
        let counts = |key: &str| -> Vec<f64> {
            let counts = row[key].as_array().into_iter().flatten();
            counts.filter_map(Value::as_f64).collect()
        };
        let [lowest, width] =
            ["histogram_lowest", "histogram_width"].map(|key| number(row, key).unwrap_or(f64::NAN));
        let curve = |name: &str, key: &str| -> Curve {
            let points = counts(key).into_iter().enumerate();
            let points =
                points.map(|(bin, n)| (lowest + (bin as f64 + 0.5) * width, (n + 1.0).log10()));
            (name.to_string(), points.collect())
        };
        let mut curves = vec![
            curve("elastic", "histogram_elastic"),
            curve("rigid", "histogram_rigid"),
            curve("asked", "histogram_asked_exact"),
            curve("asked, predicted", "histogram_asked_predicted"),
        ];
        let top = curves
            .iter()
            .flat_map(|c| &c.1)
            .map(|p| p.1)
            .fold(0.0, f64::max);
        let threshold = number(row, "elastic_above").unwrap_or(f64::NAN).log10();
        curves.push(("τ_E".into(), vec![(threshold, 0.0), (threshold, top)]));
        let title = format!("Figure 6: strain rates of the exact step, {}", name(row));
        plot(&title, "log₁₀ of ‖Ė‖²", "log₁₀ of 1 + elements", &curves)
    });
    stacked(&panels.collect::<Vec<_>>())
}

fn plot(title: &str, x_label: &str, y_label: &str, curves: &[Curve]) -> String {
    let series: Vec<Series> = curves
        .iter()
        .map(|(name, points)| Series { name, points })
        .collect();
    line_plot(title, x_label, y_label, &series)
}
