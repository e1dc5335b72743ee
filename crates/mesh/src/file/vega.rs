//! Vega `.veg`, text: `*VERTICES`, `*ELEMENTS`, and materials given to element sets by `*REGION`. A region is called
//! like its set, and like its material where the set is all elements; of regions that overlap the last counts, as in
//! Vega. Elements of no region are in the default one.

use super::error::ReadError;
use super::format::first_word;
use super::input::Input;
use super::kind::ElementKind;
use super::lines::{Lines, parse};
use super::raw::{NodeLookup, RawMesh};
use super::regions::{self, Groups, LabelledGroups, is_word};
use super::write::WriteError;
use crate::mesh::DEFAULT_REGION;
use pliant_linalg::vec3;
use std::collections::BTreeMap;
use std::io::Write;

/// The set that Vega knows without a definition.
const ALL: &str = "allElements";

/// Most memberships of elements in regions that are followed: sets may name an element many times.
const MEMBERSHIP_LIMIT: usize = 1 << 28;

/// Whether a file begins like this.
pub fn begins(head: &[u8]) -> bool {
    let is = |word: &[u8], keyword: &[u8]| {
        word.get(..keyword.len())
            .is_some_and(|w| w.eq_ignore_ascii_case(keyword))
    };
    let first = first_word(head, b'#');
    first.starts_with(b"*")
        && (is(first, b"*ELEMENTS")
            || head
                .split(|&b| b == b'\n')
                .any(|line| is(line, b"*VERTICES")))
}

/// First and last element of a range of ids.
type Range = (u64, u64);

/// Reads a file.
pub fn read(input: &Input) -> Result<RawMesh, ReadError> {
    let mut reader = Reader {
        lines: Lines::new(input)?,
        mesh: RawMesh::new(input.name()),
        sets: BTreeMap::new(),
        regions: Vec::new(),
        groups: LabelledGroups::default(),
        has_nodes: false,
    };
    reader.sections()?;
    reader.finish()
}

struct Reader<'a> {
    lines: Lines<'a>,
    mesh: RawMesh,
    sets: BTreeMap<String, Vec<Range>>,
    /// Set, material and line.
    regions: Vec<(String, String, usize)>,
    groups: LabelledGroups,
    has_nodes: bool,
}

impl Reader<'_> {
    /// The next line that is no comment, without what follows a `#`, in words; false at the end of the file.
    fn next(&mut self) -> Result<bool, ReadError> {
        while self.lines.next_line()? {
            if let Some(comment) = self.lines.text().strip_prefix(b"#") {
                self.groups.comment(comment);
                continue;
            }
            self.lines
                .split_by(|b| b.is_ascii_whitespace() || b == b',');
            if self.lines.word_count() > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn expect(&mut self, expected: impl Fn() -> String) -> Result<(), ReadError> {
        match self.next()? {
            true => Ok(()),
            false => Err(self.lines.truncated(&expected())),
        }
    }

    fn sections(&mut self) -> Result<(), ReadError> {
        let mut at_keyword = self.next()?;
        while at_keyword {
            let keyword = self.lines.word(0).unwrap_or_default().to_ascii_uppercase();
            self.lines.section =
                String::from_utf8_lossy(&keyword[..keyword.len().min(40)]).into_owned();
            at_keyword = match keyword.as_slice() {
                b"*VERTICES" => self.vertices()?,
                b"*ELEMENTS" => self.elements()?,
                b"*SET" => self.set()?,
                b"*REGION" => self.region()?,
                b"*MATERIAL" => self.material()?,
                b"*INCLUDE" => {
                    let message = "*INCLUDE is not read: other files are not opened";
                    return Err(self
                        .lines
                        .error(message)
                        .help("put everything into one file"));
                }
                _ => {
                    return Err(self
                        .lines
                        .unexpected("*VERTICES, *ELEMENTS, *SET, *MATERIAL or *REGION"));
                }
            };
        }
        if !self.has_nodes {
            return Err(self.lines.truncated("*VERTICES"));
        }
        Ok(())
    }

    fn vertices(&mut self) -> Result<bool, ReadError> {
        if self.has_nodes {
            return Err(self.lines.error("expected only one section *VERTICES"));
        }
        self.has_nodes = true;
        self.expect(|| "the number of nodes and coordinates".to_string())?;
        let count: usize = self.lines.number(0, "the number of nodes")?;
        if self
            .lines
            .number::<usize>(1, "the number of coordinates, 3")?
            != 3
        {
            return Err(self.lines.unexpected("nodes with 3 coordinates"));
        }
        if count >= u32::MAX as usize {
            return Err(self
                .lines
                .error("there are too many nodes for 32-bit indices"));
        }
        self.mesh
            .positions
            .reserve(count.min(self.lines.remaining() / 8));
        for i in 0..count {
            self.expect(|| format!("node {} of {count}", i + 1))?;
            let id = self.lines.number(0, "the number of a node")?;
            let position = vec3(
                self.lines.coordinate(1)?,
                self.lines.coordinate(2)?,
                self.lines.coordinate(3)?,
            );
            self.mesh.positions.push(position);
            self.mesh.node_ids.push(id);
        }
        self.next()
    }

    fn elements(&mut self) -> Result<bool, ReadError> {
        self.expect(|| "TET or CUBIC".to_string())?;
        let kind = self.lines.word(0).unwrap_or_default().to_ascii_uppercase();
        let cubes = match kind.as_slice() {
            b"TET" | b"TETS" => false,
            b"CUBIC" | b"CUBE" | b"CUBES" => true,
            _ => return Err(self.lines.unexpected("TET or CUBIC")),
        };
        let nodes_each = if cubes { 8 } else { 4 };
        self.expect(|| "the number of elements and the nodes of each".to_string())?;
        let count: usize = self.lines.number(0, "the number of elements")?;
        if self
            .lines
            .number::<usize>(1, "the number of nodes of each")?
            != nodes_each
        {
            return Err(self
                .lines
                .unexpected(&format!("elements with {nodes_each} nodes")));
        }
        if !cubes {
            self.mesh
                .tetrahedra
                .nodes
                .reserve(count.min(self.lines.remaining() / 10));
        }
        for i in 0..count {
            self.expect(|| format!("element {} of {count}", i + 1))?;
            let id = self.lines.number(0, "the number of an element")?;
            let line = self.lines.line;
            if cubes {
                for k in 1..=nodes_each {
                    self.lines.number::<u32>(k, "a node number")?;
                }
                self.mesh
                    .skip(ElementKind::Hexahedron, 1, Some(line), "CUBIC");
                continue;
            }
            let mut nodes = [0; 4];
            for (k, node) in nodes.iter_mut().enumerate() {
                *node = self.lines.number(1 + k, "a node number")?;
            }
            self.mesh.tetrahedra.push(nodes, id, line);
        }
        self.next()
    }

    /// The rest of a keyword line or of a region line.
    fn word_text(&self, index: usize, expected: &str) -> Result<String, ReadError> {
        match self.lines.word(index) {
            Some(word) => Ok(String::from_utf8_lossy(word).into_owned()),
            None => Err(self
                .lines
                .expected(expected, "the end of the line".to_string())),
        }
    }

    fn set(&mut self) -> Result<bool, ReadError> {
        let name = self.word_text(1, "the name of a set")?;
        let mut ranges = Vec::new();
        let mut more = self.next()?;
        while more && !self.lines.text().starts_with(b"*") {
            for k in 0..self.lines.word_count() {
                let word = self.lines.word(k).unwrap_or_default();
                match parse_range(word) {
                    Some((first, last)) => match ranges.last_mut() {
                        Some((_, end)) if first == last && *end + 1 == first => *end = last,
                        _ => ranges.push((first, last)),
                    },
                    None => {
                        let found = super::error::excerpt(word);
                        return Err(self.lines.expected("element numbers", found));
                    }
                }
            }
            more = self.next()?;
        }
        if self.sets.insert(name.clone(), ranges).is_some() {
            return Err(self.lines.error(format!("the set {name} is defined twice")));
        }
        Ok(more)
    }

    fn region(&mut self) -> Result<bool, ReadError> {
        let mut more = self.next()?;
        while more && !self.lines.text().starts_with(b"*") {
            let set = self.word_text(0, "the name of a set")?;
            let material = self.word_text(1, "the name of a material")?;
            self.regions.push((set, material, self.lines.line));
            more = self.next()?;
        }
        Ok(more)
    }

    /// Passes over a material.
    fn material(&mut self) -> Result<bool, ReadError> {
        self.word_text(1, "the name of a material")?;
        let mut more = self.next()?;
        while more && !self.lines.text().starts_with(b"*") {
            more = self.next()?;
        }
        Ok(more)
    }

    fn finish(mut self) -> Result<RawMesh, ReadError> {
        self.mesh.resolve_ids()?;
        let lookup = NodeLookup::new(&self.mesh.tetrahedra.ids).map_err(|id| {
            ReadError::new(
                &self.mesh.name,
                format!("the file defines element {id} twice"),
            )
        })?;
        let mut group_of = vec![0; self.mesh.tetrahedra.len()];
        let mut memberships = 0;
        for (set, material, line) in std::mem::take(&mut self.regions) {
            self.lines.section = "*REGION".to_string();
            self.lines.line = line;
            if set == ALL {
                let group = self.groups.group(&material);
                memberships += group_of.len();
                group_of.fill(group);
            } else {
                let Some(ranges) = self.sets.get(&set) else {
                    return Err(self
                        .lines
                        .expected("the name of a set", format!("\"{set}\"")));
                };
                let group = self.groups.group(&set);
                for &(first, last) in ranges {
                    // a range ends where the elements end: no more is looked up than there are
                    let last = last.min(first.saturating_add(group_of.len() as u64));
                    for id in first..=last {
                        memberships += 1;
                        match lookup.find(id) {
                            Some(element) => group_of[element as usize] = group,
                            // an element of another kind
                            None if !self.mesh.skipped.is_empty() => {}
                            None => {
                                let message = format!(
                                    "the set {set} names element {id}, which the file does not define"
                                );
                                return Err(self.lines.error(message));
                            }
                        }
                        if memberships > MEMBERSHIP_LIMIT {
                            break;
                        }
                    }
                }
            }
            if memberships > MEMBERSHIP_LIMIT {
                return Err(self
                    .lines
                    .error("the sets name the elements too many times"));
            }
        }
        let mut groups = Groups::default();
        group_of.iter().for_each(|&g| groups.push(g));
        regions::assign(
            &mut self.mesh,
            &groups,
            &Groups::default(),
            &self.groups.names,
        );
        Ok(self.mesh)
    }
}

/// `7` or `7-12`.
fn parse_range(word: &[u8]) -> Option<Range> {
    if let Some(id) = parse(word) {
        return (id < u64::MAX).then_some((id, id));
    }
    let dash = word.iter().position(|&b| b == b'-')?;
    let (first, last) = (parse(&word[..dash])?, parse(&word[dash + 1..])?);
    (first <= last && last < u64::MAX).then_some((first, last))
}

/// Writes a mesh. Vega has no place for triangles: those beside tetrahedra are left out. Its files need materials, for
/// which placeholders are written.
pub fn write(mesh: &RawMesh, out: &mut dyn Write) -> Result<(), WriteError> {
    if mesh.tetrahedra.is_empty() {
        return Err(WriteError::CannotHold {
            format: "Vega",
            what: "meshes without tetrahedra",
            instead: "write Gmsh .msh, VTU or OBJ",
        });
    }
    let cells = &mesh.tetrahedra;
    let plain = |name: &str| is_word(name) && !name.eq_ignore_ascii_case(ALL);
    let labels = regions::labels(&cells.region_names, "region", plain);
    let single = cells.region_names == [DEFAULT_REGION];
    if !single {
        for (label, name) in labels.iter().zip(&cells.region_names) {
            writeln!(out, "{}", regions::comment("#", label, name))?;
        }
    }
    writeln!(out, "*VERTICES\n{} 3 0 0", mesh.positions.len())?;
    for (i, p) in mesh.positions.iter().enumerate() {
        writeln!(out, "{} {:?} {:?} {:?}", i + 1, p.x, p.y, p.z)?;
    }
    writeln!(out, "\n*ELEMENTS\nTET\n{} 4 0", cells.len())?;
    for (e, nodes) in cells.nodes.iter().enumerate() {
        let [a, b, c, d] = nodes.map(|n| n + 1);
        writeln!(out, "{} {a} {b} {c} {d}", e + 1)?;
    }
    writeln!(
        out,
        "\n# placeholders: density, Young's modulus and Poisson's ratio are not in a mesh"
    )?;
    for label in &labels {
        writeln!(out, "*MATERIAL {label}\nENU, 1000, 1000000, 0.45")?;
    }
    if single {
        writeln!(out, "*REGION\n{ALL}, {}", labels[0])?;
        return Ok(());
    }
    let mut members = vec![Vec::new(); labels.len()];
    for (e, &region) in cells.regions.iter().enumerate() {
        members[region as usize].push((e + 1).to_string());
    }
    for (label, members) in labels.iter().zip(&members) {
        writeln!(out, "\n*SET {label}")?;
        for row in members.chunks(8) {
            writeln!(out, "{},", row.join(", "))?;
        }
    }
    for label in &labels {
        writeln!(out, "\n*REGION\n{label}, {label}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::Vec3;

    fn read_text(text: &str) -> Result<RawMesh, ReadError> {
        read(&Input::from_bytes(text.as_bytes(), "t.veg"))
    }

    const SMALL: &str =
        "# Vega mesh file.\n# region inner \"weiches Inneres\"\n# region gone \"nobody\"
*VERTICES\n5 3 0 0\n1 0 0 0\n2, 1, 0, 0\n3 0 1 0\n\n4 0 0 1\n5 1 1 1
*ELEMENTS\nTET\n4 4 0\n1 1 2 3 4\n2 2 3 4 5\n3 1 2 3 5\n4 1 2 4 5\n
*MATERIAL m\nENU, 1000, 1e9, 0.45\n*SET outer\n1, 2,\n3,\n*SET inner\n2-3\n*SET empty
*REGION\nouter, m\n*region\ninner, m\nempty, m\n";

    #[test]
    fn the_last_region_counts() {
        let mesh = read_text(SMALL).unwrap();
        assert_eq!(mesh.tetrahedra.nodes[1], [1, 2, 3, 4]);
        let names = &mesh.tetrahedra.region_names;
        assert_eq!(
            *names,
            ["default", "weiches Inneres", "nobody", "outer", "empty"]
        );
        assert_eq!(mesh.tetrahedra.regions, [3, 1, 1, 0]);
        assert_eq!(mesh.positions[1], Vec3::from([1.0, 0.0, 0.0]));
        let all = read_text(&SMALL.replace("empty, m", "allElements, m")).unwrap();
        assert!(
            all.tetrahedra
                .regions
                .iter()
                .all(|&r| all.tetrahedra.region_names[r as usize] == "m")
        );
    }

    #[test]
    fn cubes_are_left_out() {
        let text = SMALL.replace(
            "TET\n4 4 0\n",
            "CUBIC\n1 8 0\n9 1 2 3 4 5 1 2 3\n*ELEMENTS\nTET\n4 4 0\n",
        );
        let mesh = read_text(&text).unwrap();
        assert_eq!(mesh.skipped[&ElementKind::Hexahedron].count, 1);
        assert_eq!(mesh.tetrahedra.len(), 4);
    }

    #[test]
    fn errors_say_where_and_what() {
        for (from, to, wanted) in [
            (
                "3 0 1 0",
                "3 0 one 0",
                "t.veg, line 8, *VERTICES: expected a coordinate, found \"one\"",
            ),
            (
                "5 3 0 0",
                "6 3 0 0",
                "expected the number of a node, found \"*ELEMENTS\"",
            ),
            ("5 3 0 0", "5 2 0 0", "expected nodes with 3 coordinates"),
            ("5 3 0 0", "4 3 0 0", "expected *VERTICES, *ELEMENTS"),
            ("\nTET", "\nTETRA", "expected TET or CUBIC, found \"TETRA\""),
            ("4 4 0", "4 10 0", "expected elements with 4 nodes"),
            ("2 2 3 4 5", "2 2 3 4 6", "line 16: element 2 uses node 6"),
            ("2 2 3 4 5", "1 2 3 4 5", "defines element 1 twice"),
            (
                "2-3",
                "2-x",
                "line 26, *SET: expected element numbers, found \"2-x\"",
            ),
            (
                "2-3",
                "2-9",
                "names element 5, which the file does not define",
            ),
            (
                "outer, m",
                "other, m",
                "*REGION: expected the name of a set, found \"other\"",
            ),
            (
                "outer, m",
                "outer",
                "expected the name of a material, found the end of the line",
            ),
            ("*MATERIAL m", "*INCLUDE other.veg", "*INCLUDE is not read"),
            ("*SET empty", "*SET outer", "the set outer is defined twice"),
        ] {
            assert!(SMALL.contains(from), "{from}");
            let found = read_text(&SMALL.replacen(from, to, 1))
                .unwrap_err()
                .to_string();
            assert!(found.contains(wanted), "{to:?} gave {found}");
        }
        assert!(
            read_text("*ELEMENTS\nTET\n0 4 0\n")
                .unwrap_err()
                .message
                .contains("*VERTICES")
        );
        let huge = SMALL.replace("2-3", "1-18446744073709551614");
        assert!(
            read_text(&huge)
                .unwrap_err()
                .message
                .contains("names element 5")
        );
        assert!(begins(SMALL.as_bytes()) && !begins(b"*NODE\n1, 0, 0, 0\n"));
    }
}
