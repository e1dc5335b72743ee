//! Line plots as SVG text: readable on light and dark pages, no scripts, no identifiers that could clash on a page.

use crate::markup::escape;
use crate::picture::body_colour;
use std::fmt::Write;

/// One line of a plot.
#[derive(Clone, Copy, Debug)]
pub struct Series<'a> {
    /// Name in the legend.
    pub name: &'a str,
    /// (x, y) in drawing order; the line breaks where one of them is not finite.
    pub points: &'a [(f64, f64)],
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 350.0;
/// Mean width of a character at 14 px (px): text stays readable when the plot shrinks to a phone.
const CHARACTER: f64 = 7.6;
/// Larger values are left out like infinities, so that ranges stay finite.
const LARGEST: f64 = 1e300;

const STYLE: &str = "\
.pliant-plot{font:14px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;max-width:100%;height:auto;\
--paper:#fff;--ink:#1f2328;--soft:#59636e;--grid:#e4e7eb}\
@media(prefers-color-scheme:dark){.pliant-plot{--paper:#16191d;--ink:#e6e8ea;--soft:#a0a8b0;--grid:#2d3238}}\
.pliant-plot .paper{fill:var(--paper)}.pliant-plot text{fill:var(--soft)}\
.pliant-plot .title{fill:var(--ink);font-size:16px;font-weight:600}\
.pliant-plot .grid{stroke:var(--grid)}.pliant-plot .axis{stroke:var(--soft)}\
.pliant-plot .line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}";

/// Draws the series over common axes. Labels carry their units, as in "time (s)"; powers of ten that ticks share
/// are added to them. Without any finite point the axes stay empty and say so.
pub fn line_plot(title: &str, x_label: &str, y_label: &str, series: &[Series]) -> String {
    let drawn = |p: &&(f64, f64)| p.0.abs() <= LARGEST && p.1.abs() <= LARGEST;
    let points = || series.iter().flat_map(|s| s.points.iter()).filter(drawn);
    let empty = points().next().is_none();
    let x_values = || points().map(|p| p.0);
    let x_axis = [8.0, 5.0, 3.0]
        .map(|count| Axis::over(x_values(), count, false))
        .into_iter()
        .find(|axis| axis.label_width() * axis.ticks.len() as f64 <= 0.75 * WIDTH)
        .unwrap_or_else(|| Axis::over(x_values(), 1.5, false));
    let y_axis = Axis::over(points().map(|p| p.1), 6.0, true);

    let legend = legend_places(series);
    let legend_rows = legend.last().map_or(0, |place| place.1 + 1);
    let top = if legend_rows == 0 {
        48.0
    } else {
        60.0 + 20.0 * legend_rows as f64
    };
    // legends of very many series push the frame down, and the picture grows
    let height = HEIGHT.max(top + 200.0);
    let frame = Frame {
        left: 34.0 + y_axis.label_width(),
        right: WIDTH - 24.0,
        top,
        bottom: height - 56.0,
    };

    let mut svg = String::new();
    let out = &mut svg;
    // writing into a string does not fail
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pliant-plot\" viewBox=\"0 0 {WIDTH} {height}\" \
         width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-label=\"{}\"><style>{STYLE}</style>\
         <rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\" rx=\"8\"/>",
        escape(title)
    );
    text(out, "title", 20.0, 30.0, "start", &short(title));
    frame.axes(out, &x_axis, &y_axis);
    frame.labels(out, &x_axis.titled(x_label), &y_axis.titled(y_label));
    for (i, s) in series.iter().enumerate() {
        frame.line(out, &x_axis, &y_axis, s, &stroke(i));
        let (x, row) = legend[i];
        let y = 54.0 + 20.0 * row as f64;
        let _ = write!(
            out,
            "<path class=\"line\" {} d=\"M{x} {y}h22\"/>",
            stroke(i)
        );
        text(out, "", x + 28.0, y + 5.0, "start", &short(s.name));
    }
    if empty {
        let (x, y) = (
            0.5 * (frame.left + frame.right),
            0.5 * (frame.top + frame.bottom),
        );
        text(out, "", x, y, "middle", "no finite data");
    }
    svg.push_str("</svg>");
    svg
}

/// Colour, and a dash pattern once the colours repeat.
fn stroke(index: usize) -> String {
    let [r, g, b] = body_colour(index);
    let dash = match index / 8 % 3 {
        0 => "",
        1 => " stroke-dasharray=\"7 4\"",
        _ => " stroke-dasharray=\"2 4\"",
    };
    format!("stroke=\"#{r:02x}{g:02x}{b:02x}\"{dash}")
}

/// A text that fits into one row.
fn short(name: &str) -> String {
    const LONGEST: usize = 58;
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_string(),
    }
}

/// (x, row) of each legend entry, filling rows from the left.
fn legend_places(series: &[Series]) -> Vec<(f64, usize)> {
    let (mut x, mut row) = (20.0, 0);
    series
        .iter()
        .map(|s| {
            let width = 46.0 + CHARACTER * short(s.name).chars().count() as f64;
            if x > 20.0 && x + width > WIDTH - 10.0 {
                (x, row) = (20.0, row + 1);
            }
            let place = (x, row);
            x += width;
            place
        })
        .collect()
}

fn text(out: &mut String, class: &str, x: f64, y: f64, anchor: &str, content: &str) {
    let _ = write!(
        out,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
        escape(content)
    );
}

/// A range with ticks at 1, 2 or 5 times a power of ten.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
    ticks: Vec<f64>,
    /// Labels show value / 10^exponent.
    exponent: i32,
}

impl Axis {
    /// About `count` ticks; `widen` moves the ends outwards to ticks.
    fn over(values: impl Iterator<Item = f64>, count: f64, widen: bool) -> Axis {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for v in values {
            low = low.min(v);
            high = high.max(v);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let most = low.abs().max(high.abs());
        // constant, or so nearly that ticks could not be told apart
        if high - low <= most * 1e-10 || high - low < 1e-290 {
            let half = if most > 1e-280 { 0.5 * most } else { 0.5 };
            (low, high) = (low - half, high + half);
        }
        let raw = (high - low) / count;
        let power = 10f64.powf(raw.log10().floor());
        let part = raw / power;
        let step = power
            * [1.0, 2.0, 5.0, 10.0]
                .into_iter()
                .find(|s| part <= s * 1.001)
                .unwrap_or(10.0);
        if widen {
            low = (low / step + 1e-9).floor() * step;
            high = (high / step - 1e-9).ceil() * step;
        }
        let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
        let ticks = (0..=(last - first).clamp(0.0, 40.0) as usize)
            .map(|i| (first + i as f64) * step)
            .collect();
        let most = low.abs().max(high.abs());
        let exponent = if (1e-2..1e5).contains(&most) {
            0
        } else {
            // thousands, as units come
            (most.log10() / 3.0).floor() as i32 * 3
        };
        Axis {
            low,
            high,
            step,
            ticks,
            exponent,
        }
    }

    fn label(&self, value: f64) -> String {
        // in two factors, since 10^-exponent alone can overflow
        let scaled = |v: f64| {
            v / 10f64.powi(self.exponent / 2) / 10f64.powi(self.exponent - self.exponent / 2)
        };
        let decimals = (-scaled(self.step).log10().floor()).clamp(0.0, 12.0) as usize;
        let label = format!("{:.decimals$}", scaled(value));
        match label.strip_prefix('-') {
            Some(digits) if digits.chars().all(|c| c == '0' || c == '.') => digits.to_string(),
            Some(digits) => format!("−{digits}"),
            None => label,
        }
    }

    /// Room that the longest label takes (px).
    fn label_width(&self) -> f64 {
        let longest = self
            .ticks
            .iter()
            .map(|t| self.label(*t).chars().count())
            .max();
        CHARACTER * (longest.unwrap_or(0) + 2) as f64
    }

    /// The label of the axis, with the power of ten of its ticks.
    fn titled(&self, label: &str) -> String {
        if self.exponent == 0 {
            return label.to_string();
        }
        let raised: String = self
            .exponent
            .to_string()
            .chars()
            .map(|c| match c {
                '-' => '⁻',
                '1' => '¹',
                '2' => '²',
                '3' => '³',
                digit => char::from_u32(0x2070 + digit as u32 - '0' as u32).unwrap_or(digit),
            })
            .collect();
        format!("{label} ×10{raised}")
    }

    /// 0 at the low end, 1 at the high one.
    fn fraction(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

/// The rectangle between the axes (px, y down).
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Frame {
    fn x(&self, axis: &Axis, value: f64) -> f64 {
        self.left + (self.right - self.left) * axis.fraction(value)
    }

    fn y(&self, axis: &Axis, value: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * axis.fraction(value)
    }

    fn axes(&self, out: &mut String, x_axis: &Axis, y_axis: &Axis) {
        let Frame {
            left,
            right,
            top,
            bottom,
        } = self;
        for &tick in &y_axis.ticks {
            let y = self.y(y_axis, tick);
            let _ = write!(
                out,
                "<path class=\"grid\" d=\"M{left:.1} {y:.1}H{right:.1}\"/>"
            );
            text(out, "", left - 8.0, y + 5.0, "end", &y_axis.label(tick));
        }
        for &tick in &x_axis.ticks {
            let x = self.x(x_axis, tick);
            let _ = write!(
                out,
                "<path class=\"grid\" d=\"M{x:.1} {top:.1}V{bottom:.1}\"/>"
            );
            text(out, "", x, bottom + 20.0, "middle", &x_axis.label(tick));
        }
        let _ = write!(
            out,
            "<path class=\"axis\" fill=\"none\" d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\"/>"
        );
    }

    fn labels(&self, out: &mut String, x_label: &str, y_label: &str) {
        text(
            out,
            "",
            0.5 * (self.left + self.right),
            self.bottom + 44.0,
            "middle",
            x_label,
        );
        let (x, y) = (22.0, 0.5 * (self.top + self.bottom));
        let _ = write!(
            out,
            "<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 {x} {y:.1})\">{}</text>",
            escape(y_label)
        );
    }

    /// One path; points alone between gaps become dots.
    fn line(&self, out: &mut String, x_axis: &Axis, y_axis: &Axis, series: &Series, stroke: &str) {
        let mut path = String::new();
        for run in series
            .points
            .split(|p| !(p.0.abs() <= LARGEST && p.1.abs() <= LARGEST))
        {
            let screen = run
                .iter()
                .map(|p| (self.x(x_axis, p.0), self.y(y_axis, p.1)));
            for (i, (x, y)) in thinned(screen).into_iter().enumerate() {
                let _ = write!(path, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' });
            }
            if run.len() == 1 {
                path.push_str("h0");
            }
        }
        if !path.is_empty() {
            let _ = write!(out, "<path class=\"line\" {stroke} d=\"{path}\"/>");
        }
    }
}

/// Keeps the first, lowest, highest and last of the points that fall into the same pixel column one after another:
/// the line looks the same and stays small.
fn thinned(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    let mut column: Vec<(f64, f64)> = Vec::new();
    let close = |column: &mut Vec<(f64, f64)>, kept: &mut Vec<(f64, f64)>| {
        if column.len() <= 4 {
            kept.append(column);
            return;
        }
        let (mut low, mut high) = (0, 0);
        for (i, p) in column.iter().enumerate() {
            if p.1 < column[low].1 {
                low = i;
            }
            if p.1 > column[high].1 {
                high = i;
            }
        }
        let mut picks = [0, low, high, column.len() - 1];
        picks.sort_unstable();
        for (i, &pick) in picks.iter().enumerate() {
            if i == 0 || pick != picks[i - 1] {
                kept.push(column[pick]);
            }
        }
        column.clear();
    };
    for p in points {
        if column
            .last()
            .is_some_and(|last| last.0.floor() != p.0.floor())
        {
            close(&mut column, &mut kept);
        }
        column.push(p);
    }
    close(&mut column, &mut kept);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::assert_well_formed;

    fn plot(points: &[(f64, f64)]) -> String {
        line_plot("t", "x (s)", "y (m)", &[Series { name: "a", points }])
    }

    #[test]
    fn degenerate_data_gives_a_well_formed_plot_without_nan() {
        let huge = f64::MAX;
        let tiny = f64::MIN_POSITIVE;
        let cases: &[&[(f64, f64)]] = &[
            &[],
            &[(1.0, 2.0)],
            &[(0.0, 0.0), (0.0, 0.0)],
            &[(0.0, 5.0), (1.0, 5.0), (2.0, 5.0)],
            &[(f64::NAN, 1.0), (1.0, f64::INFINITY)],
            &[
                (0.0, 1.0),
                (1.0, f64::NAN),
                (2.0, 3.0),
                (f64::NEG_INFINITY, 0.0),
                (3.0, 1.0),
            ],
            &[(-huge, -huge), (huge, huge)],
            &[(-1e300, -1e300), (1e300, 1e300)],
            &[(0.0, tiny), (1.0, 2.0 * tiny)],
            &[(0.0, 1e12), (1.0, 1e12 + 1e-3)],
            &[(0.0, -1e-7), (1.0, 3e-7)],
        ];
        for points in cases {
            let svg = plot(points);
            assert_well_formed(&svg, &[]);
            assert!(
                !svg.contains("NaN") && !svg.contains("inf\""),
                "{points:?}: {svg}"
            );
            assert!(svg.contains("</svg>"));
        }
        assert_well_formed(&line_plot("", "", "", &[]), &[]);
        assert!(plot(&[(f64::NAN, 1.0)]).contains("no finite data"));
    }

    #[test]
    fn text_is_escaped() {
        let svg = line_plot(
            "<script>",
            "a & b",
            "\"y\"",
            &[Series {
                name: "<&>",
                points: &[(0.0, 1.0)],
            }],
        );
        assert_well_formed(&svg, &[]);
        assert!(!svg.contains("<script"));
        assert!(svg.contains("a &amp; b"));
    }

    #[test]
    fn ticks_are_round_and_cover_the_data() {
        let axis = Axis::over([0.3, 9.7].into_iter(), 6.0, true);
        assert_eq!(axis.ticks, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!((axis.low, axis.high), (0.0, 10.0));
        let axis = Axis::over([-2e-6, 3e-6].into_iter(), 6.0, true);
        assert_eq!(axis.titled("y (m)"), "y (m) ×10⁻⁶");
        assert_eq!(axis.label(-2e-6), "−2");
        let axis = Axis::over([0.0, 123_456.0].into_iter(), 6.0, true);
        assert_eq!(axis.titled("E (J)"), "E (J) ×10³");
        assert!(axis.high >= 123_456.0);
    }

    #[test]
    fn gaps_split_the_line_and_many_points_stay_small() {
        let svg = plot(&[
            (0.0, 1.0),
            (1.0, 2.0),
            (2.0, f64::NAN),
            (3.0, 1.0),
            (4.0, 2.0),
        ]);
        let path = svg.split("class=\"line\"").nth(1).unwrap();
        assert_eq!(
            path.split("d=\"")
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap()
                .matches('M')
                .count(),
            2
        );
        let many: Vec<(f64, f64)> = (0..200_000)
            .map(|i| (f64::from(i), (f64::from(i) * 0.37).sin()))
            .collect();
        assert!(plot(&many).len() < 60_000);
    }

    #[test]
    fn thinning_keeps_the_extremes() {
        let column: Vec<(f64, f64)> = (0..9)
            .map(|i| {
                (
                    0.1 * f64::from(i),
                    f64::from([5, 4, 9, 3, 1, 2, 8, 6, 7][i as usize]),
                )
            })
            .collect();
        let kept: Vec<f64> = thinned(column.into_iter())
            .into_iter()
            .map(|p| p.1)
            .collect();
        assert_eq!(kept, [5.0, 9.0, 1.0, 7.0]);
    }
}
