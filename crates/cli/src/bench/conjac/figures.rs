//! Pictures of the study: Figures 2 and 10 of [WKS20], the swing after the release, the wave in a twisted bar.

use super::motion::Motion;
use super::stages::GROUPS;
use super::twist::Curve;
use super::{Row, number};
use crate::bench::rows::stacked;
use pliant_scene::plot::{Series, line_plot};
use serde_json::Value;
use std::fmt::Write;

/// An SVG by file name.
pub type Figure = (&'static str, String);

/// Figures 2 and 10, from rows.
pub fn figures(rows: &[Row]) -> Vec<Figure> {
    let mut figures = Vec::new();
    let stages: Vec<&Row> = rows.iter().filter(|row| row["part"] == "stages").collect();
    if !stages.is_empty() {
        figures.push(("figure-2.svg", bars(&stages)));
    }
    let curves: Vec<&Row> = (rows.iter())
        .filter(|row| row["part"] == "adaptivity")
        .collect();
    if !curves.is_empty() {
        figures.push(("figure-10.svg", activity(&curves)));
    }
    figures
}

/// Height of the marked node after the release, each way with its smallest stable β.
pub fn swings(motions: &[Motion]) -> Figure {
    let lines: Vec<Curve> = (motions.iter())
        .map(|motion| {
            let name = format!("{}, β = {}", motion.way.name(), motion.way.beta);
            let late = motion.path.iter().filter(|p| p.0 >= motion.release);
            let points = late.map(|&(time, x)| (time, 1e3 * x.z));
            (name, points.collect())
        })
        .collect();
    let title = "Height of the marked node after the release";
    ("swing.svg", plot(title, "time (s)", "z (mm)", &lines))
}

/// Angle of the middle of a bar whose end was turned at once.
pub fn torsion(curves: &[Curve]) -> Figure {
    let title = "Angle of the middle of a bar, its end turned at once";
    ("torsion.svg", plot(title, "time (s)", "angle (°)", curves))
}

fn plot(title: &str, x_label: &str, y_label: &str, lines: &[Curve]) -> String {
    let series: Vec<Series> = (lines.iter())
        .map(|(name, points)| Series { name, points })
        .collect();
    line_plot(title, x_label, y_label, &series)
}

/// For each threshold the metrics, and below them when representatives are dynamic; one under the other.
fn activity(rows: &[&Row]) -> String {
    let mut thresholds: Vec<f64> = rows.iter().filter_map(|r| number(r, "threshold")).collect();
    thresholds.dedup();
    let mut panels = Vec::new();
    for threshold in thresholds {
        let own = || {
            rows.iter()
                .filter(|r| number(r, "threshold") == Some(threshold))
        };
        let name = |row: &Row| format!("{}", number(row, "representative").unwrap_or(0.0) + 1.0);
        let mut metrics: Vec<Curve> = own().map(|row| (name(row), metric(row))).collect();
        let end = metrics.iter().flat_map(|m| m.1.last()).map(|p| p.0);
        let end = end.fold(0.0, f64::max);
        let level = threshold.log10();
        metrics.push(("threshold".into(), vec![(0.0, level), (end, level)]));
        let title = format!("Figure 10: mean |Ṡ|, threshold {threshold} 1/s");
        panels.push(plot(&title, "time (s)", "log₁₀ of 1/s", &metrics));
        let active: Vec<Curve> = own().map(|row| (name(row), intervals(row, end))).collect();
        let title = format!("dynamic representatives, threshold {threshold} 1/s");
        panels.push(plot(&title, "time (s)", "representative", &active));
    }
    stacked(&panels)
}

/// (time, log₁₀ of the metric).
fn metric(row: &Row) -> Vec<(f64, f64)> {
    let h = number(row, "h").unwrap_or(f64::NAN);
    let values = row["metric"].as_array().into_iter().flatten();
    let values = values.filter_map(Value::as_f64).enumerate();
    values
        .map(|(step, value)| ((step + 1) as f64 * h, value.max(1e-6).log10()))
        .collect()
}

/// A line at the number of the representative, with gaps while it is quasi-static.
fn intervals(row: &Row, end: f64) -> Vec<(f64, f64)> {
    let level = number(row, "representative").unwrap_or(0.0) + 1.0;
    // so that all axes are alike
    let mut points = vec![(0.0, level), (f64::NAN, level)];
    for interval in row["intervals"].as_array().into_iter().flatten() {
        let ends = interval.as_array().into_iter().flatten();
        points.extend(ends.filter_map(Value::as_f64).map(|time| (time, level)));
        points.push((f64::NAN, level));
    }
    points.push((end, level));
    points
}

const WIDTH: f64 = 560.0;
/// Left and right end of the bars, px.
const BARS: [f64; 2] = [92.0, 480.0];
const BAR: f64 = 34.0;
/// Of the groups of stages, then of the rest.
const COLOURS: [&str; GROUPS.len() + 1] = ["#4477aa", "#ee6677", "#228833", "#bbbbbb"];

/// Milliseconds of the stages of a step, a bar for each way.
fn bars(rows: &[&Row]) -> String {
    let height = 96.0 + BAR * rows.len() as f64;
    let body = rows[0]["body"].as_str().unwrap_or_default();
    let title = format!("Figure 2: time of a step, {body}");
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{title}\" font-family=\"system-ui,sans-serif\" font-size=\"13\">\
         <rect width=\"{WIDTH}\" height=\"{height}\" rx=\"8\" fill=\"#fff\"/>\
         <text x=\"20\" y=\"28\" font-size=\"16\" font-weight=\"600\" fill=\"#1f2328\">{title}</text>"
    );
    let out = &mut svg;
    let names = GROUPS.iter().map(|group| group.0).chain(["other"]);
    for (place, (name, colour)) in names.clone().zip(COLOURS).enumerate() {
        let x = 20.0 + 76.0 * place as f64;
        // writing into a string does not fail
        let _ = write!(
            out,
            "<rect x=\"{x}\" y=\"44\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"55\" fill=\"#59636e\">{name}</text>",
            x + 17.0
        );
    }
    let seconds = |row: &Row, name: &str| number(row, &format!("{name}_seconds_median"));
    let longest = rows.iter().filter_map(|row| seconds(row, "step"));
    let longest = longest.fold(f64::MIN_POSITIVE, f64::max);
    for (place, row) in rows.iter().enumerate() {
        let y = 76.0 + BAR * place as f64;
        let way = row["way"].as_str().unwrap_or_default();
        let _ = write!(
            out,
            "<text x=\"20\" y=\"{}\" fill=\"#1f2328\">{way}</text>",
            y + 17.0
        );
        let mut x = BARS[0];
        for (name, colour) in names.clone().zip(COLOURS) {
            let share = seconds(row, name).unwrap_or(0.0) / longest;
            // medians of parts need not add up to the median of the whole
            let width = (share * (BARS[1] - BARS[0])).clamp(0.0, BARS[1] - x);
            let _ = write!(
                out,
                "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"24\" fill=\"{colour}\"/>"
            );
            x += width;
        }
        let _ = write!(
            out,
            "<text x=\"{:.1}\" y=\"{}\" fill=\"#59636e\">{:.1} ms</text>",
            x + 8.0,
            y + 17.0,
            1e3 * seconds(row, "step").unwrap_or(f64::NAN)
        );
    }
    svg.push_str("</svg>");
    svg
}
