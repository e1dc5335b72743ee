//! Figures 9, 10 and 11 as SVG.

use super::compliance::WAYS;
use super::stages::GROUPS;
use super::{Row, number};
use pliant_scene::plot::{Series, line_plot};
use std::fmt::Write;

/// An SVG by file name.
pub type Figure = (&'static str, String);

/// Those that there are rows for.
pub fn figures(rows: &[Row]) -> Vec<Figure> {
    let mut figures = Vec::new();
    let constraints = curves(rows, "9", |row| number(row, "constraints"));
    if let Some((dofs, lines)) = constraints {
        let title = format!("Figure 9: time of W, {dofs:.0} degrees of freedom");
        let svg = plot(&title, "constraints", &lines);
        figures.push(("figure-9.svg", svg));
    }
    let sizes = curves(rows, "10", |row| number(row, "dofs").map(f64::log10));
    if let Some((_, lines)) = sizes {
        let contacts = rows.iter().find(|row| is_of(row, "10"));
        let contacts = contacts.and_then(|row| number(row, "contacts"));
        let title = format!(
            "Figure 10: time of W, {:.0} touched nodes",
            contacts.unwrap_or(0.0)
        );
        figures.push((
            "figure-10.svg",
            plot(&title, "log₁₀ of degrees of freedom", &lines),
        ));
    }
    let standing: Vec<&Row> = (rows.iter())
        .filter(|row| row["part"] == "stages" && row["mode"] == "standing")
        .collect();
    if let Some(first) = standing.first() {
        let body = &first["body"];
        let rows: Vec<&Row> = (standing.iter().copied())
            .filter(|row| row["body"] == *body)
            .collect();
        figures.push(("figure-11.svg", shares(&rows)));
    }
    figures
}

fn is_of(row: &Row, figure: &str) -> bool {
    row["part"] == "compliance" && row["figure"] == figure
}

type Curves = Vec<(&'static str, Vec<(f64, f64)>)>;

/// log₁₀ of milliseconds of every way, and the degrees of freedom of the last row.
fn curves(rows: &[Row], figure: &str, x: impl Fn(&Row) -> Option<f64>) -> Option<(f64, Curves)> {
    let of_figure = || rows.iter().filter(|row| is_of(row, figure));
    let dofs = number(of_figure().next_back()?, "dofs")?;
    let curve = |name: &'static str| {
        let own = of_figure().filter(|row| row["way"] == name);
        let points = own.filter_map(|row| {
            let milliseconds = 1e3 * number(row, "seconds_min")?;
            Some((x(row)?, milliseconds.log10()))
        });
        (name, points.collect())
    };
    Some((dofs, WAYS.map(|way| curve(way.name())).to_vec()))
}

fn plot(title: &str, x_label: &str, lines: &Curves) -> String {
    let series: Vec<Series> = (lines.iter())
        .map(|(name, points)| Series { name, points })
        .collect();
    line_plot(title, x_label, "log₁₀ of milliseconds", &series)
}

const WIDTH: f64 = 560.0;
/// Left and right end of the bars, px.
const BARS: [f64; 2] = [92.0, 470.0];
const BAR: f64 = 34.0;
/// Of the groups of stages, then of the rest.
const COLOURS: [&str; GROUPS.len() + 1] = [
    "#8c8c8c", "#4477aa", "#66ccee", "#ee6677", "#ccbb44", "#228833", "#bbbbbb",
];

/// Shares of the stages in a step, a bar for each variant.
fn shares(rows: &[&Row]) -> String {
    let height = 96.0 + BAR * rows.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         role=\"img\" aria-label=\"Shares of the stages in a step\" font-family=\"system-ui,sans-serif\" font-size=\"13\">\
         <rect width=\"{WIDTH}\" height=\"{height}\" rx=\"8\" fill=\"#fff\"/>\
         <text x=\"20\" y=\"28\" font-size=\"16\" font-weight=\"600\" fill=\"#1f2328\">Figure 11: stages of a step</text>"
    );
    let out = &mut svg;
    let names = GROUPS.iter().map(|group| group.0).chain(["rest"]);
    for (place, (name, colour)) in names.clone().zip(COLOURS).enumerate() {
        let x = 20.0 + 76.0 * place as f64;
        let name = if name == "w" { "W" } else { name };
        // writing into a string does not fail
        let _ = write!(
            out,
            "<rect x=\"{x}\" y=\"44\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"55\" fill=\"#59636e\">{name}</text>",
            x + 17.0
        );
    }
    for (place, row) in rows.iter().enumerate() {
        let y = 76.0 + BAR * place as f64;
        let step = number(row, "step_seconds_median").unwrap_or(f64::NAN);
        let variant = row["variant"].as_str().unwrap_or_default();
        let _ = write!(
            out,
            "<text x=\"20\" y=\"{}\" fill=\"#1f2328\">{variant}</text>",
            y + 17.0
        );
        let mut x = BARS[0];
        for (name, colour) in names.clone().zip(COLOURS) {
            let seconds = number(row, &format!("{name}_seconds_median")).unwrap_or(0.0);
            // medians of parts need not add up to the median of the whole
            let width = (seconds / step * (BARS[1] - BARS[0])).clamp(0.0, BARS[1] - x);
            let _ = write!(
                out,
                "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"24\" fill=\"{colour}\"/>"
            );
            x += width;
        }
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{}\" fill=\"#59636e\">{:.1} ms</text>",
            BARS[1] + 8.0,
            y + 17.0,
            1e3 * step
        );
    }
    svg.push_str("</svg>");
    svg
}
