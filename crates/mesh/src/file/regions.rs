//! Regions of formats that know them only by a number or by a plain label. What such a format cannot say stands in
//! comment lines `region LABEL "name"`, which other programs pass over.

use super::raw::{Cells, RawMesh};
use crate::mesh::DEFAULT_REGION;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// Largest number that every reader of such formats takes for a group.
const LARGEST: u64 = i32::MAX as u64;

/// Groups of elements in a row, as [`Cells::set_regions`] wants them.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    runs: Vec<(u64, usize)>,
}

impl Groups {
    /// Appends the group of one element.
    pub fn push(&mut self, group: u64) {
        match self.runs.last_mut() {
            Some((last, count)) if *last == group => *count += 1,
            _ => self.runs.push((group, 1)),
        }
    }

    /// The groups that occur.
    pub fn distinct(&self) -> BTreeSet<u64> {
        self.runs.iter().map(|r| r.0).collect()
    }
}

/// Group numbers of a signed kind: negative ones go by their sign and digits.
pub fn signed_group(number: i64, names: &mut BTreeMap<u64, String>) -> u64 {
    let group = number as u64;
    if number < 0 {
        names.entry(group).or_insert_with(|| number.to_string());
    }
    group
}

/// Turns groups into regions. A name holds for all elements of its group; a name that no element bears is a region
/// of the tetrahedra, or of the triangles where these are the body.
pub fn assign(
    mesh: &mut RawMesh,
    tetrahedra: &Groups,
    triangles: &Groups,
    names: &BTreeMap<u64, String>,
) {
    let (solid, plane) = (tetrahedra.distinct(), triangles.distinct());
    let solid_is_body = !(mesh.tetrahedra.is_empty() && mesh.ten_nodes.is_empty());
    let chosen = |own: &BTreeSet<u64>, other: &BTreeSet<u64>, is_body: bool| {
        let keep = |g: &u64| own.contains(g) || (is_body && !other.contains(g));
        let kept = names.iter().filter(|(g, _)| keep(g));
        kept.map(|(g, n)| (*g, n.clone()))
            .collect::<BTreeMap<u64, String>>()
    };
    if solid_is_body {
        let names = chosen(&solid, &plane, true);
        match mesh.ten_nodes.is_empty() {
            true => mesh.tetrahedra.set_regions(&tetrahedra.runs, &names),
            false => mesh.ten_nodes.set_regions(&tetrahedra.runs, &names),
        }
    }
    if !mesh.triangles.is_empty() {
        mesh.triangles
            .set_regions(&triangles.runs, &chosen(&plane, &solid, !solid_is_body));
    }
}

/// Numbers for the regions of a mesh: those their names consist of where possible, else counted. The numbers of
/// tetrahedra and triangles differ wherever a comment names them.
pub struct Numbers {
    /// For each region of the tetrahedra.
    pub tetrahedra: Vec<u64>,
    /// For each region of the triangles.
    pub triangles: Vec<u64>,
}

impl Numbers {
    /// Numbers for `mesh`.
    pub fn of(mesh: &RawMesh) -> Numbers {
        let names = &mesh.tetrahedra.region_names;
        let tetrahedra = natural(names).unwrap_or_else(|| counted(names, 0));
        let mut taken = names
            .iter()
            .zip(&tetrahedra)
            .filter(|(n, g)| **n != unnamed(**g));
        let names = &mesh.triangles.region_names;
        let apart = |g: &Vec<u64>| !taken.any(|(_, t)| g.contains(t));
        let triangles = natural(names)
            .filter(apart)
            .unwrap_or_else(|| counted(names, tetrahedra.iter().max().copied().unwrap_or(0)));
        Numbers {
            tetrahedra,
            triangles,
        }
    }

    /// Writes the comments that a reader needs to find the names again.
    pub fn write_comments(
        &self,
        mesh: &RawMesh,
        sign: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        comments(&mesh.tetrahedra, &self.tetrahedra, true, sign, out)?;
        comments(
            &mesh.triangles,
            &self.triangles,
            mesh.tetrahedra.is_empty(),
            sign,
            out,
        )
    }
}

/// What a region of that number is called when nobody names it.
fn unnamed(number: u64) -> String {
    match number {
        0 => DEFAULT_REGION.to_string(),
        number => number.to_string(),
    }
}

/// The numbers that the names are, if all are and ascend.
fn natural(names: &[String]) -> Option<Vec<u64>> {
    let number = |name: &String| match name.as_str() {
        DEFAULT_REGION => Some(0),
        name => name
            .parse()
            .ok()
            .filter(|&n| n > 0 && n <= LARGEST && unnamed(n) == name),
    };
    let numbers: Vec<u64> = names.iter().map(number).collect::<Option<_>>()?;
    numbers.windows(2).all(|w| w[0] < w[1]).then_some(numbers)
}

/// Numbers after `last`; a leading default region of its own keeps 0.
fn counted(names: &[String], last: u64) -> Vec<u64> {
    let first = match names.first() {
        Some(name) if name == DEFAULT_REGION && last == 0 => 0,
        _ => last + 1,
    };
    (first..).take(names.len()).collect()
}

fn comments<const N: usize>(
    cells: &Cells<N>,
    numbers: &[u64],
    keep_empty: bool,
    sign: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let used: BTreeSet<u32> = cells.regions.iter().copied().collect();
    for (region, (name, &number)) in cells.region_names.iter().zip(numbers).enumerate() {
        let is_used = used.contains(&(region as u32));
        if (is_used && *name != unnamed(number)) || (!is_used && keep_empty) {
            writeln!(out, "{}", comment(sign, &number.to_string(), name))?;
        }
    }
    Ok(())
}

/// The line that names a region, without line break.
pub fn comment(sign: &str, label: &str, name: &str) -> String {
    format!("{sign} region {label} {}", quoted(name))
}

/// Label and name of a comment line `region LABEL "name"`, given without its comment sign.
pub fn parse_comment(text: &[u8]) -> Option<(String, String)> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let (label, name) = text.strip_prefix("region ")?.trim_start().split_once(' ')?;
    Some((label.to_string(), unquoted(name.trim())?))
}

/// A name in quotation marks on one line.
pub fn quoted(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 2);
    text.push('"');
    for c in name.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            c => text.push(c),
        }
    }
    text.push('"');
    text
}

fn unquoted(text: &str) -> Option<String> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut name = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next()? {
                'n' => name.push('\n'),
                'r' => name.push('\r'),
                other => name.push(other),
            },
            c => name.push(c),
        }
    }
    Some(name)
}

/// A label for each name: the name itself where `is_plain` allows it, else `prefix` and a number. Labels differ even
/// where case does not count.
pub fn labels(names: &[String], prefix: &str, is_plain: fn(&str) -> bool) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut labels = Vec::with_capacity(names.len());
    for (i, name) in names.iter().enumerate() {
        let mut label = name.clone();
        let mut number = i + 1;
        while !is_plain(&label) || !taken.insert(label.to_ascii_uppercase()) {
            label = format!("{prefix}{number}");
            number += names.len();
        }
        labels.push(label);
    }
    labels
}

/// Whether a name is a word that the keyword formats take for a label.
pub fn is_word(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let goes_on = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    starts && name.len() <= 80 && name.bytes().all(goes_on)
}

/// Names of labelled groups. Labels that a comment names come first, in the order of the comments; case does not
/// count.
#[derive(Debug, Default)]
pub struct LabelledGroups {
    groups: BTreeMap<String, u64>,
    /// Group and name.
    pub names: BTreeMap<u64, String>,
}

impl LabelledGroups {
    /// Takes in a comment line, given without its comment sign; others are ignored.
    pub fn comment(&mut self, text: &[u8]) {
        if let Some((label, name)) = parse_comment(text) {
            let group = self.group(&label);
            self.names.insert(group, name);
        }
    }

    /// The number of a label, from 1.
    pub fn group(&mut self, label: &str) -> u64 {
        let next = self.groups.len() as u64 + 1;
        let group = *self
            .groups
            .entry(label.to_ascii_uppercase())
            .or_insert(next);
        self.names.entry(group).or_insert_with(|| label.to_string());
        group
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_quotation() {
        for name in [
            "a",
            "",
            "two words",
            "say \"no\"",
            "back\\slash",
            "line\nbreak\r",
            "Größe µ",
        ] {
            let line = comment("#", "12", name);
            assert!(!line.contains('\n'));
            let found = parse_comment(line.strip_prefix('#').unwrap().as_bytes());
            assert_eq!(found, Some(("12".to_string(), name.to_string())));
        }
        for other in [
            "regional 1 \"a\"",
            "region 1 a",
            "region 1",
            "region",
            "",
            "region 1 \"\\",
        ] {
            assert_eq!(parse_comment(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn numbers_are_those_of_the_names() {
        let names = |list: &[&str]| list.iter().map(|n| n.to_string()).collect::<Vec<_>>();
        let mut mesh = RawMesh::new("t");
        let mut numbers = |solid: &[&str], plane: &[&str]| {
            mesh.tetrahedra.region_names = names(solid);
            mesh.triangles.region_names = names(plane);
            let numbers = Numbers::of(&mesh);
            (numbers.tetrahedra, numbers.triangles)
        };
        assert_eq!(
            numbers(&["default", "3", "7"], &["3"]),
            (vec![0, 3, 7], vec![3])
        );
        assert_eq!(numbers(&["a", "3"], &["default"]), (vec![1, 2], vec![0]));
        assert_eq!(numbers(&["a", "b"], &["2"]), (vec![1, 2], vec![3]));
        assert_eq!(numbers(&["default", "b"], &["skin"]), (vec![0, 1], vec![2]));
        assert_eq!(numbers(&["7", "3"], &[]), (vec![1, 2], vec![]));
        assert_eq!(numbers(&["007"], &[]), (vec![1], vec![]));
        assert_eq!(numbers(&["99999999999"], &[]), (vec![1], vec![]));
    }

    #[test]
    fn labels_differ() {
        let names = ["soft", "SOFT", "two words", "R3", ""].map(String::from);
        assert_eq!(
            labels(&names, "R", is_word),
            ["soft", "R2", "R3", "R4", "R5"]
        );
    }
}
