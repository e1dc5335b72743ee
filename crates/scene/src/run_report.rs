//! The report of a run: one HTML file that loads nothing, for light and dark, wide and narrow screens.

use crate::markup::{base64, escape};
use std::fmt::Write;

/// Everything a report shows. Empty parts are left out.
#[derive(Clone, Debug, Default)]
pub struct RunReport {
    /// Heading.
    pub title: String,
    /// What was run, in a sentence or a few; line breaks are kept.
    pub description: String,
    /// Name of the method.
    pub method: String,
    /// Settings by name.
    pub settings: Vec<(String, String)>,
    /// Results by name, shown first: nodes, elements, degrees of freedom, steps, wall time, …
    pub facts: Vec<(String, String)>,
    /// Warnings; none means that the run was healthy.
    pub health: Vec<String>,
    /// Captions with PNG files.
    pub pictures: Vec<(String, Vec<u8>)>,
    /// SVG texts as `plot::line_plot` writes them: the only part that is inserted as it is.
    pub plots: Vec<String>,
    /// Time spent in each stage (s).
    pub stage_times: Vec<(String, f64)>,
    /// Tables of results, after the facts.
    pub tables: Vec<ReportTable>,
}

/// A table of a report.
#[derive(Clone, Debug, Default)]
pub struct ReportTable {
    /// Heading.
    pub title: String,
    /// Names of the columns; the first is that of the rows.
    pub columns: Vec<String>,
    /// Rows; the first cell names the row, the others are numbers.
    pub rows: Vec<Vec<String>>,
    /// What the numbers are, in a sentence or two; may be empty.
    pub note: String,
}

const STYLE: &str = "\
:root{color-scheme:light dark;--paper:#f6f7f9;--card:#fff;--ink:#1f2328;--soft:#59636e;--line:#dfe3e8;--bar:#4f8fd0;\
--good:#1a7f37;--bad:#9a6700;--bad-paper:#fff8e1}\
@media(prefers-color-scheme:dark){:root{--paper:#0f1114;--card:#16191d;--ink:#e6e8ea;--soft:#a0a8b0;--line:#2d3238;\
--bar:#4f8fd0;--good:#57ab5a;--bad:#e3b341;--bad-paper:#29230f}}\
*{box-sizing:border-box}\
body{margin:0;background:var(--paper);color:var(--ink);\
font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}\
main{max-width:1040px;margin:0 auto;padding:24px 16px 48px}\
h1{font-size:1.7rem;line-height:1.2;margin:0 0 4px}h2{font-size:1.1rem;margin:32px 0 12px}\
.soft{color:var(--soft)}.description{white-space:pre-line;margin:12px 0 0;max-width:46em}\
.tag{display:inline-block;border:1px solid var(--line);background:var(--card);border-radius:99px;padding:1px 12px;\
font-size:.85rem;margin-top:6px}\
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:10px;margin:24px 0 0}\
.facts div{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:10px 14px}\
.facts dt{color:var(--soft);font-size:.82rem}\
.facts dd{margin:0;font-size:1.2rem;font-weight:600;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}\
.health{margin:20px 0 0;border-left:4px solid var(--bad);background:var(--bad-paper);border-radius:4px;padding:10px 16px}\
.health.good{border-color:var(--good);background:var(--card)}.health ul{margin:4px 0 0;padding-left:20px}\
.media{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,460px),1fr));gap:16px}\
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:8px;overflow:hidden}\
figure img{display:block;width:100%;height:auto}figure svg{display:block;width:100%;height:auto}\
figcaption{padding:8px 14px;font-size:.9rem;color:var(--soft)}\
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:8px}\
table{border-collapse:collapse;width:100%;font-size:.92rem}\
th,td{text-align:left;padding:6px 14px;border-top:1px solid var(--line);vertical-align:top}\
tr:first-child>*{border-top:0}th{font-weight:600}td{overflow-wrap:anywhere}\
tbody th{font-weight:400;color:var(--soft)}\
.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\
.share{width:40%;min-width:90px}.bar{height:10px;margin-top:7px;border-radius:3px;background:var(--bar);min-width:1px}\
@media print{body{background:#fff}figure,tr{break-inside:avoid}}";

/// Elements that HTML never closes.
#[cfg(test)]
const VOID: [&str; 3] = ["meta", "img", "!doctype"];

/// The report as one HTML file. The same report gives the same bytes.
pub fn html(report: &RunReport) -> String {
    let mut page = String::new();
    let out = &mut page;
    // writing into a string does not fail
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none';img-src data:;style-src 'unsafe-inline'\">\n\
         <title>{0}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<header>\n<h1>{0}</h1>\n",
        escape(&report.title)
    );
    if !report.method.is_empty() {
        let _ = writeln!(
            out,
            "<span class=\"tag\"><span class=\"soft\">method</span> {}</span>",
            escape(&report.method)
        );
    }
    if !report.description.is_empty() {
        let _ = writeln!(
            out,
            "<p class=\"description\">{}</p>",
            escape(&report.description)
        );
    }
    out.push_str("</header>\n");
    facts(out, &report.facts);
    health(out, &report.health);
    report.tables.iter().for_each(|table| add_table(out, table));
    media(out, report);
    stage_times(out, &report.stage_times);
    settings(out, &report.settings);
    out.push_str("</main>\n</body>\n</html>\n");
    page
}

fn facts(out: &mut String, facts: &[(String, String)]) {
    if facts.is_empty() {
        return;
    }
    out.push_str("<dl class=\"facts\">\n");
    for (name, value) in facts {
        let _ = writeln!(
            out,
            "<div><dt>{}</dt><dd>{}</dd></div>",
            escape(name),
            escape(value)
        );
    }
    out.push_str("</dl>\n");
}

fn health(out: &mut String, warnings: &[String]) {
    if warnings.is_empty() {
        out.push_str("<section class=\"health good\">No warnings.</section>\n");
        return;
    }
    let count = warnings.len();
    let _ = write!(
        out,
        "<section class=\"health\"><strong>{count} warning{}</strong>\n<ul>\n",
        if count == 1 { "" } else { "s" }
    );
    for warning in warnings {
        let _ = writeln!(out, "<li>{}</li>", escape(warning));
    }
    out.push_str("</ul></section>\n");
}

fn media(out: &mut String, report: &RunReport) {
    if !report.pictures.is_empty() {
        out.push_str("<h2>Pictures</h2>\n<div class=\"media\">\n");
        for (caption, png) in &report.pictures {
            let caption = escape(caption);
            let _ = writeln!(
                out,
                "<figure><img alt=\"{caption}\" src=\"data:image/png;base64,{}\">\
                 <figcaption>{caption}</figcaption></figure>",
                base64(png)
            );
        }
        out.push_str("</div>\n");
    }
    if !report.plots.is_empty() {
        out.push_str("<h2>Plots</h2>\n<div class=\"media\">\n");
        for svg in &report.plots {
            let _ = writeln!(out, "<figure>{svg}</figure>");
        }
        out.push_str("</div>\n");
    }
}

fn add_table(out: &mut String, table: &ReportTable) {
    let _ = writeln!(
        out,
        "<h2>{}</h2>\n<div class=\"scroll\"><table>\n<thead><tr>",
        escape(&table.title)
    );
    for (index, name) in table.columns.iter().enumerate() {
        let class = if index == 0 { "" } else { " class=\"number\"" };
        let _ = write!(out, "<th{class}>{}</th>", escape(name));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (index, cell) in row.iter().enumerate() {
            let _ = match index {
                0 => write!(out, "<th>{}</th>", escape(cell)),
                _ => write!(out, "<td class=\"number\">{}</td>", escape(cell)),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    if !table.note.is_empty() {
        let _ = writeln!(out, "<p class=\"soft\">{}</p>", escape(&table.note));
    }
}

fn stage_times(out: &mut String, stages: &[(String, f64)]) {
    if stages.is_empty() {
        return;
    }
    let spent = |seconds: f64| {
        if seconds.is_finite() {
            seconds.max(0.0)
        } else {
            0.0
        }
    };
    let total: f64 = stages.iter().map(|s| spent(s.1)).sum();
    out.push_str(
        "<h2>Where the time went</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th>Stage</th>\
         <th class=\"number\">Time</th><th class=\"number\">Share</th><th class=\"share\"></th></tr></thead>\n<tbody>\n",
    );
    for (name, seconds) in stages {
        let percent = if total > 0.0 {
            100.0 * spent(*seconds) / total
        } else {
            0.0
        };
        let _ = writeln!(
            out,
            "<tr><th>{}</th><td class=\"number\">{}</td><td class=\"number\">{percent:.1} %</td>\
             <td class=\"share\"><div class=\"bar\" style=\"width:{percent:.1}%\"></div></td></tr>",
            escape(name),
            duration(*seconds)
        );
    }
    let _ = write!(
        out,
        "<tr><th><strong>Total</strong></th><td class=\"number\"><strong>{}</strong></td><td></td><td></td></tr>\n\
         </tbody></table></div>\n",
        duration(total)
    );
}

fn settings(out: &mut String, settings: &[(String, String)]) {
    if settings.is_empty() {
        return;
    }
    out.push_str("<h2>Settings</h2>\n<div class=\"scroll\"><table><tbody>\n");
    for (name, value) in settings {
        let _ = writeln!(
            out,
            "<tr><th>{}</th><td>{}</td></tr>",
            escape(name),
            escape(value)
        );
    }
    out.push_str("</tbody></table></div>\n");
}

/// A time in the unit that keeps it between 1 and 1000, to three digits.
fn duration(seconds: f64) -> String {
    if !seconds.is_finite() {
        return "?".to_string();
    }
    let (value, unit) = match seconds.abs() {
        s if s >= 1.0 || s == 0.0 => (seconds, "s"),
        s if s >= 1e-3 => (seconds * 1e3, "ms"),
        _ => (seconds * 1e6, "µs"),
    };
    let decimals = match value.abs() {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        _ => 2,
    };
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::assert_well_formed;

    fn full() -> RunReport {
        let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
        RunReport {
            title: "<b>Bar & \"ball\"</b>".into(),
            description: "two lines\n<script>alert(1)</script>".into(),
            method: "full<".into(),
            settings: vec![pair("h & k", "0.01 s"), pair("<i>", "'x'")],
            facts: vec![pair("nodes", "12 <")],
            health: vec!["energy > 0 && rising".into()],
            pictures: vec![("\" onerror=\"x".into(), vec![1, 2, 3])],
            plots: vec![crate::plot::line_plot("p", "x", "y", &[])],
            stage_times: vec![
                ("assemble <A>".into(), 0.3),
                ("solve".into(), 0.7),
                ("odd".into(), f64::NAN),
            ],
            tables: vec![ReportTable {
                title: "<A> of b".into(),
                columns: vec!["what".into(), "<i>".into()],
                rows: vec![vec!["<b>".into(), "1 & 2".into()]],
                note: "full<<".into(),
            }],
        }
    }

    #[test]
    fn every_text_is_escaped() {
        let page = html(&full());
        assert_well_formed(&page, &VOID);
        for leak in ["<b>", "<script", "<i>", "<A>", "full<<", "\" onerror=\"x"] {
            assert!(!page.contains(leak), "{leak} leaks");
        }
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        assert!(page.contains("energy &gt; 0 &amp;&amp; rising"));
    }

    #[test]
    fn nothing_is_loaded() {
        let page = html(&full());
        assert!(page.contains("data:image/png;base64,AQID"));
        let addresses = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        assert!(!addresses.contains("http:") && !addresses.contains("https:"));
        assert!(!addresses.contains("url(") && !addresses.contains("@import"));
    }

    #[test]
    fn empty_and_odd_reports_stay_well_formed() {
        let page = html(&RunReport::default());
        assert_well_formed(&page, &VOID);
        assert!(page.contains("No warnings."));
        let page = html(&full());
        assert!(page.contains("70.0 %") && page.contains("700 ms") && page.contains("1.00 s"));
        assert!(!page.contains("NaN"));
        assert_eq!(html(&full()), page);
    }

    #[test]
    fn durations_keep_three_digits() {
        let shown = [0.0, 0.012_34, 1.5, 12.34, 4.2e-6, 1234.0, f64::NAN].map(duration);
        assert_eq!(
            shown,
            [
                "0.00 s", "12.3 ms", "1.50 s", "12.3 s", "4.20 µs", "1234 s", "?"
            ]
        );
    }
}
