//! Abaqus `.inp`: nodes, tetrahedra of four or ten nodes and triangles, element sets. Keywords begin with `*`, comments with `**`,
//! case does not count. One part is read, as it stands; what other keywords say is passed over.
//!
//! Element sets make the regions. Where sets overlap, the first section (`*SOLID SECTION` and the like) that an
//! element is in decides, then the first set in the order of the file. Names that are no labels stand in comments
//! (`regions.rs`).

use super::abaqus_types::element_type;
use super::error::{ReadError, excerpt};
use super::input::Input;
use super::kind::ElementKind;
use super::lines::{Lines, parse};
use super::raw::{Cells, RawMesh};
use super::regions::{self, Groups, LabelledGroups, is_word};
use super::write::WriteError;
use crate::mesh::DEFAULT_REGION;
use pliant_linalg::Vec3;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::str::FromStr;

/// Most memberships of elements in sets that are followed: sets may overlap many times.
const MEMBERSHIP_LIMIT: usize = 1 << 28;

/// Keywords that open a file.
const OPENING: [&str; 7] = [
    "*HEADING",
    "*NODE",
    "*PART",
    "*PREPRINT",
    "*ELEMENT",
    "*RESTART",
    "*ASSEMBLY",
];

/// Keywords that make or move nodes and elements in ways that are not followed.
const GENERATING: [&str; 7] = [
    "NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SYSTEM",
];

/// Whether a file begins like this.
pub fn begins(head: &[u8]) -> bool {
    let mut lines = head.split(|&b| b == b'\n').map(<[u8]>::trim_ascii);
    let line = lines
        .find(|l| !l.is_empty() && !l.starts_with(b"**"))
        .unwrap_or_default();
    let word = line
        .split(|&b| b == b',')
        .next()
        .unwrap_or_default()
        .trim_ascii();
    OPENING
        .iter()
        .any(|o| word.eq_ignore_ascii_case(o.as_bytes()))
}

/// Reads a file.
pub fn read(input: &Input) -> Result<RawMesh, ReadError> {
    let mut reader = Reader {
        lines: Lines::new(input)?,
        mesh: RawMesh::new(input.name()),
        labels: LabelledGroups::default(),
        sets: Vec::new(),
        set_index: BTreeMap::new(),
        sections: Vec::new(),
        in_assembly: false,
        part: 0,
        home: None,
        instances: 0,
        parameters: Vec::new(),
    };
    reader.keywords()?;
    reader.finish()
}

/// What a set lists.
enum Item {
    /// First, last and step of element ids.
    Ids(u64, u64, u64),
    /// Another set, in upper case.
    Set(String),
}

struct Set {
    label: String,
    items: Vec<Item>,
    line: usize,
}

impl Set {
    fn push(&mut self, id: u64) {
        match self.items.last_mut() {
            Some(Item::Ids(_, last, 1)) if last.checked_add(1) == Some(id) => *last = id,
            _ => self.items.push(Item::Ids(id, id, 1)),
        }
    }
}

struct Reader<'a> {
    lines: Lines<'a>,
    mesh: RawMesh,
    labels: LabelledGroups,
    /// In the order of the file.
    sets: Vec<Set>,
    set_index: BTreeMap<String, usize>,
    /// Sets that a section is given to, with their lines.
    sections: Vec<(String, usize)>,
    /// Inside the assembly but in none of its instances, where only reference points are.
    in_assembly: bool,
    /// Counts parts; 0 outside of parts.
    part: usize,
    /// The part that holds the mesh.
    home: Option<usize>,
    instances: usize,
    /// Names (upper case) and values of the current keyword.
    parameters: Vec<(String, String)>,
}

/// Fields of a line between commas; a comma at the end makes no field.
fn fields(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = text.strip_suffix(b",").unwrap_or(text);
    text.split(|&b| b == b',').map(<[u8]>::trim_ascii)
}

impl Reader<'_> {
    /// The next line that is no comment; false at the end of the file.
    fn next(&mut self) -> Result<bool, ReadError> {
        while self.lines.next_line()? {
            match self.lines.text().strip_prefix(b"**") {
                Some(comment) => self.labels.comment(comment),
                None => return Ok(true),
            }
        }
        Ok(false)
    }

    fn at_keyword(&self) -> bool {
        self.lines.text().starts_with(b"*")
    }

    fn keywords(&mut self) -> Result<(), ReadError> {
        let mut more = self.next()?;
        while more {
            if !self.at_keyword() {
                return Err(self.lines.unexpected("a keyword such as *NODE").help(
                    "if this is no Abaqus file, although it is called .inp, export Gmsh .msh or Abaqus",
                ));
            }
            let keyword = self.keyword_line()?;
            self.lines.section = format!("*{}", keyword.chars().take(40).collect::<String>());
            let elsewhere =
                self.parameter("INPUT").is_some() && matches!(keyword.as_str(), "NODE" | "ELEMENT");
            if elsewhere || keyword == "INCLUDE" {
                let message = "the data are in another file, which is not opened";
                return Err(self
                    .lines
                    .error(message)
                    .help("put everything into one file"));
            }
            if GENERATING.contains(&keyword.as_str()) {
                let message = format!("*{keyword} is not followed: the mesh would be incomplete");
                let help = "export the mesh with every node and element written out";
                return Err(self.lines.error(message).help(help));
            }
            more = match keyword.as_str() {
                "NODE" if !self.in_assembly => self.nodes()?,
                "ELEMENT" if !self.in_assembly => self.elements()?,
                "ELSET" => self.element_set()?,
                "INSTANCE" => self.instance()?,
                "PART" => {
                    self.part += 1;
                    self.pass()?
                }
                "ASSEMBLY" | "END INSTANCE" => {
                    self.in_assembly = true;
                    self.pass()?
                }
                "END ASSEMBLY" => {
                    self.in_assembly = false;
                    self.pass()?
                }
                _ => {
                    if keyword.ends_with(" SECTION")
                        && let Some(set) = self.parameter("ELSET")
                    {
                        let section = (set.to_ascii_uppercase(), self.lines.line);
                        self.sections.push(section);
                    }
                    self.pass()?
                }
            };
        }
        Ok(())
    }

    /// Takes a keyword line apart, with the lines that continue it after a comma; returns the keyword in upper case.
    fn keyword_line(&mut self) -> Result<String, ReadError> {
        let mut text = String::from_utf8_lossy(self.lines.text()).into_owned();
        while text.ends_with(',') && self.next()? {
            text.push_str(&String::from_utf8_lossy(self.lines.text()));
        }
        let mut parts = split_outside_quotes(&text[1..]).into_iter();
        let keyword = parts.next().unwrap_or_default().to_ascii_uppercase();
        let keyword = keyword.split_whitespace().collect::<Vec<_>>().join(" ");
        self.parameters.clear();
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let value = value.trim();
            let inner = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
            let name = name.trim().to_ascii_uppercase();
            self.parameters
                .push((name, inner.unwrap_or(value).to_string()));
        }
        Ok(keyword)
    }

    fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters
            .iter()
            .find(|p| p.0 == name)
            .map(|p| p.1.as_str())
    }

    /// Passes over data lines; like every method that reads data, returns whether there is another keyword line.
    fn pass(&mut self) -> Result<bool, ReadError> {
        while self.next()? {
            if self.at_keyword() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn number<T: FromStr>(&self, field: &[u8], expected: &str) -> Result<T, ReadError> {
        parse(field).ok_or_else(|| self.lines.expected(expected, excerpt(field)))
    }

    /// Sees to it that all nodes and elements are in one part.
    fn enter(&mut self) -> Result<(), ReadError> {
        if *self.home.get_or_insert(self.part) == self.part {
            return Ok(());
        }
        Err(self
            .lines
            .error("the file has several parts with nodes of their own; one is read")
            .help("export a single part, or merge the instances to one part before the export"))
    }

    fn nodes(&mut self) -> Result<bool, ReadError> {
        self.enter()?;
        if self
            .parameter("SYSTEM")
            .is_some_and(|s| !s.eq_ignore_ascii_case("R"))
        {
            let message = "expected rectangular coordinates (SYSTEM=R)";
            return Err(self
                .lines
                .error(message)
                .help("export the nodes in rectangular coordinates"));
        }
        while self.next()? {
            if self.at_keyword() {
                return Ok(true);
            }
            let mut values = fields(self.lines.text());
            let id: u32 = self.number(values.next().unwrap_or_default(), "a node number")?;
            let mut position = [0.0_f64; 3];
            // a field that is left out counts as 0; further fields are direction cosines
            for (coordinate, field) in position.iter_mut().zip(values) {
                if !field.is_empty() {
                    *coordinate = self.number(field, "a coordinate")?;
                }
                if !coordinate.is_finite() {
                    return Err(self.lines.expected("a finite coordinate", excerpt(field)));
                }
            }
            if self.mesh.positions.len() >= u32::MAX as usize {
                return Err(self
                    .lines
                    .error("there are too many nodes for 32-bit indices"));
            }
            self.mesh.positions.push(Vec3::from(position));
            self.mesh.node_ids.push(u64::from(id));
        }
        Ok(false)
    }

    fn elements(&mut self) -> Result<bool, ReadError> {
        self.enter()?;
        let Some(code) = self.parameter("TYPE").map(str::to_ascii_uppercase) else {
            return Err(self
                .lines
                .error("expected the type of the elements, such as TYPE=C3D4"));
        };
        let (kind, wanted) = element_type(&code);
        let set = self
            .parameter("ELSET")
            .map(str::to_string)
            .map(|label| self.set(&label));
        let mut ids: Vec<u32> = Vec::new();
        let mut more = self.next()?;
        while more && !self.at_keyword() {
            let line = self.lines.line;
            ids.clear();
            loop {
                for field in fields(self.lines.text()) {
                    ids.push(self.number(field, "an element number and node numbers")?);
                }
                let goes_on =
                    self.lines.text().ends_with(b",") && wanted.is_none_or(|n| ids.len() <= n);
                more = self.next()?;
                if !goes_on {
                    break;
                }
                if !more {
                    return Err(self.lines.truncated("the rest of an element"));
                }
                if self.at_keyword() {
                    return Err(self
                        .lines
                        .unexpected("the rest of an element after a comma"));
                }
            }
            if let Some(wanted) = wanted
                && ids.len() != wanted + 1
            {
                let expected = format!("an element of type {code}: its number and {wanted} nodes");
                self.lines.line = line;
                return Err(self
                    .lines
                    .expected(&expected, format!("{} values", ids.len())));
            }
            let id = u64::from(ids[0]);
            match kind {
                ElementKind::Tetrahedron => {
                    self.mesh
                        .tetrahedra
                        .push([ids[1], ids[2], ids[3], ids[4]], id, line)
                }
                ElementKind::Triangle => {
                    self.mesh.triangles.push([ids[1], ids[2], ids[3]], id, line)
                }
                ElementKind::HigherTetrahedron => {
                    let nodes = std::array::from_fn(|k| ids[k + 1]);
                    self.mesh.ten_nodes.push(nodes, id, line);
                }
                other => self.mesh.skip(other, 1, Some(line), &code),
            }
            if let Some(set) = set {
                self.sets[set].push(id);
            }
        }
        Ok(more)
    }

    /// The index of a set, which is made if it is new.
    fn set(&mut self, label: &str) -> usize {
        let next = self.sets.len();
        let index = *self
            .set_index
            .entry(label.to_ascii_uppercase())
            .or_insert(next);
        if index == next {
            let label = label.to_string();
            self.sets.push(Set {
                label,
                items: Vec::new(),
                line: self.lines.line,
            });
        }
        index
    }

    fn element_set(&mut self) -> Result<bool, ReadError> {
        let Some(label) = self.parameter("ELSET").map(str::to_string) else {
            return Err(self.lines.error("expected the name of the set: ELSET=name"));
        };
        let set = self.set(&label);
        let generate = self.parameter("GENERATE").is_some();
        while self.next()? {
            if self.at_keyword() {
                return Ok(true);
            }
            let mut items = Vec::new();
            if generate {
                let mut numbers = [0, 0, 1];
                for (number, field) in numbers.iter_mut().zip(fields(self.lines.text())) {
                    *number = self.number(field, "first, last and step of element numbers")?;
                }
                let [first, last, step] = numbers;
                if first > last || step == 0 {
                    return Err(self
                        .lines
                        .unexpected("first, last and step of element numbers"));
                }
                items.push(Item::Ids(first, last, step));
            } else {
                for field in fields(self.lines.text()).filter(|f| !f.is_empty()) {
                    match parse::<u64>(field) {
                        Some(id) => items.push(Item::Ids(id, id, 1)),
                        None if field[0].is_ascii_alphabetic() || field[0] == b'"' => {
                            let label = String::from_utf8_lossy(field);
                            items.push(Item::Set(label.trim_matches('"').to_ascii_uppercase()));
                        }
                        None => {
                            return Err(self
                                .lines
                                .expected("element numbers or names of sets", excerpt(field)));
                        }
                    }
                }
            }
            for item in items {
                match item {
                    Item::Ids(id, last, 1) if id == last => self.sets[set].push(id),
                    item => self.sets[set].items.push(item),
                }
            }
        }
        Ok(false)
    }

    /// One instance without a transformation is the part itself.
    fn instance(&mut self) -> Result<bool, ReadError> {
        self.instances += 1;
        self.in_assembly = false;
        let help = "export a single part, or merge the instances to one part before the export";
        if self.instances > 1 {
            let message = "the assembly has several instances; one is read";
            return Err(self.lines.error(message).help(help));
        }
        while self.next()? {
            if self.at_keyword() {
                return Ok(true);
            }
            let is_zero = |field| field == b"" || parse::<f64>(field) == Some(0.0);
            if !fields(self.lines.text()).all(is_zero) {
                let message = "the instance is moved or turned, which is not followed";
                return Err(self.lines.error(message).help(help));
            }
        }
        Ok(false)
    }

    fn finish(mut self) -> Result<RawMesh, ReadError> {
        self.mesh.resolve_ids()?;
        let mesh = &self.mesh;
        // no file with both kinds of tetrahedra is accepted
        let solids = mesh.tetrahedra.len() + mesh.ten_nodes.len();
        let slots = solids + mesh.triangles.len();
        let ids = mesh.tetrahedra.ids.iter().chain(mesh.ten_nodes.ids.iter());
        let ids = ids.chain(mesh.triangles.ids.iter());
        let mut by_id: Vec<(u64, usize)> = ids.zip(0..).collect();
        by_id.sort_unstable();
        // 0 for none, else 1 + index of the set
        let mut set_of = vec![0; slots];
        let mut memberships = 0;
        let mut order = Vec::with_capacity(self.sections.len() + self.sets.len());
        for (label, line) in &self.sections {
            match self.set_index.get(label) {
                Some(&set) => order.push(set),
                None => {
                    self.lines.line = *line;
                    self.lines.section = "section".to_string();
                    return Err(self
                        .lines
                        .expected("the name of an element set", excerpt(label.as_bytes())));
                }
            }
        }
        order.extend(0..self.sets.len());
        for &set in &order {
            self.assign(set, &by_id, &mut set_of, &mut memberships)?;
        }
        let used: BTreeSet<usize> = set_of.iter().copied().filter(|&s| s > 0).collect();
        let mut group_of_set = vec![0; self.sets.len() + 1];
        for set in used {
            group_of_set[set] = self.labels.group(&self.sets[set - 1].label);
        }
        let (mut tetrahedra, mut triangles) = (Groups::default(), Groups::default());
        for (slot, &set) in set_of.iter().enumerate() {
            let groups = if slot < solids {
                &mut tetrahedra
            } else {
                &mut triangles
            };
            groups.push(group_of_set[set]);
        }
        regions::assign(&mut self.mesh, &tetrahedra, &triangles, &self.labels.names);
        Ok(self.mesh)
    }

    /// Gives the elements of a set, and of the sets in it, that have none yet to the set.
    fn assign(
        &mut self,
        set: usize,
        by_id: &[(u64, usize)],
        set_of: &mut [usize],
        memberships: &mut usize,
    ) -> Result<(), ReadError> {
        let mut visited = BTreeSet::from([set]);
        let mut stack = vec![set];
        while let Some(current) = stack.pop() {
            for item in &self.sets[current].items {
                *memberships += 1;
                match item {
                    Item::Ids(first, last, step) => {
                        let start = by_id.partition_point(|e| e.0 < *first);
                        for &(id, slot) in by_id[start..].iter().take_while(|e| e.0 <= *last) {
                            *memberships += 1;
                            if (id - first) % step == 0 && set_of[slot] == 0 {
                                set_of[slot] = set + 1;
                            }
                        }
                    }
                    Item::Set(label) => match self.set_index.get(label) {
                        Some(&inner) if visited.insert(inner) => stack.push(inner),
                        Some(_) => {}
                        None => {
                            self.lines.line = self.sets[current].line;
                            self.lines.section = "*ELSET".to_string();
                            let found = excerpt(label.as_bytes());
                            return Err(self.lines.expected("the name of an element set", found));
                        }
                    },
                }
                if *memberships > MEMBERSHIP_LIMIT {
                    return Err(self.lines.error("the element sets overlap too many times"));
                }
            }
        }
        Ok(())
    }
}

/// Splits at commas that are not between quotation marks.
fn split_outside_quotes(text: &str) -> Vec<&str> {
    let mut inside = false;
    text.split(|c| {
        inside ^= c == '"';
        c == ',' && !inside
    })
    .collect()
}

/// Writes a mesh: a block of elements for each row of elements of one region, so that their order is kept.
pub fn write(mesh: &RawMesh, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut names = mesh.tetrahedra.region_names.clone();
    for name in &mesh.triangles.region_names {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let labels = regions::labels(&names, "REGION-", is_word);
    writeln!(out, "*HEADING\nmesh")?;
    if names != [DEFAULT_REGION] {
        for (label, name) in labels.iter().zip(&names) {
            writeln!(out, "{}", regions::comment("**", label, name))?;
        }
    }
    writeln!(out, "*NODE")?;
    for (id, p) in node_numbers(mesh).zip(&mesh.positions) {
        writeln!(out, "{id}, {:?}, {:?}, {:?}", p.x, p.y, p.z)?;
    }
    let labels: BTreeMap<&str, &str> = names
        .iter()
        .map(String::as_str)
        .zip(labels.iter().map(String::as_str))
        .collect();
    let plane = mesh.tetrahedra.is_empty() && mesh.positions.iter().all(|p| p.z == 0.0);
    write_elements(
        if plane { "CPS3" } else { "S3" },
        mesh,
        &mesh.triangles,
        1,
        &labels,
        out,
    )?;
    let first = 1 + mesh.triangles.len();
    match mesh.joined_ten_nodes() {
        Some(ten) => write_elements("C3D10", mesh, &ten, first, &labels, out),
        None => write_elements("C3D4", mesh, &mesh.tetrahedra, first, &labels, out),
    }
}

/// The numbers of the nodes: those of the mesh if Abaqus takes them, else counted from 1.
fn node_numbers(mesh: &RawMesh) -> Box<dyn Iterator<Item = u64> + '_> {
    let count = mesh.positions.len();
    let fits = |id: u64| (1..1_000_000_000).contains(&id);
    match mesh.node_ids.len() == count && mesh.node_ids.iter().all(fits) {
        true => Box::new(mesh.node_ids.iter()),
        false => Box::new(1..=count as u64),
    }
}

fn write_elements<const N: usize>(
    code: &str,
    mesh: &RawMesh,
    cells: &Cells<N>,
    first: usize,
    labels: &BTreeMap<&str, &str>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let numbers: Vec<u64> = node_numbers(mesh).collect();
    let mut previous = None;
    for (e, (nodes, &region)) in cells.nodes.iter().zip(&cells.regions).enumerate() {
        if previous != Some(region) {
            previous = Some(region);
            let name = cells.region_names[region as usize].as_str();
            match labels.get(name) {
                Some(label) if labels.len() > 1 || name != DEFAULT_REGION => {
                    writeln!(out, "*ELEMENT, TYPE={code}, ELSET={label}")?;
                }
                _ => writeln!(out, "*ELEMENT, TYPE={code}")?,
            }
        }
        write!(out, "{}", first + e)?;
        for &node in nodes {
            write!(out, ", {}", numbers[node as usize])?;
        }
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vec3;

    fn read_text(text: &str) -> Result<RawMesh, ReadError> {
        read(&Input::from_bytes(text.as_bytes(), "t.inp"))
    }

    const NODES: &str =
        "*Node, nset=all\n 10, 0, 0, 0\n20, 1., 0.\n30, , 1e0\n40, 0, 0, 1d0\n5, 1, 1, 1, 0.5\n";

    const SMALL: &str = "*Heading\n anything, at all\n** Job name: x\n*Preprint, echo=NO\n*Part, name=P
*Node\n10, 0, 0, 0\n20, 1., 0.\n** a comment\n30, , 1e0\n40, 0, 0, 1d0\n5, 1, 1, 1
*Element, type=C3D4H,\n elset=\"my set\"\n1, 10, 20, 30,\n40\n7, 20, 30, 40, 5
*ELEMENT, TYPE=C3D4\n8, 10, 20, 30, 5\n9, 10, 20, 40, 5
*Element, type=S3R, elset=Skin\n11, 10, 20, 30
*Element, type=C3D8\n12, 1, 2, 3, 4, 5,\n6, 7, 8
*Elset, elset=odd, generate\n1, 11, 2\n*Elset, elset=Both\nodd, 8\n*Elset, elset=last\n8, 9
*Solid Section, elset=LAST, material=m\n1.,\n*Nset, nset=foo\n5\n*End Part
*Assembly, name=A\n*Instance, name=I, part=P\n0., 0., 0.\n*End Instance\n*Node\n1, 9, 9, 9\n*End Assembly\n*Step\n";

    #[test]
    fn sections_then_the_first_set() {
        let mesh = read_text(SMALL).unwrap();
        assert_eq!(mesh.positions[1], vec3(1.0, 0.0, 0.0));
        assert_eq!(mesh.positions[2], vec3(0.0, 1.0, 0.0));
        assert_eq!(mesh.positions.len(), 5);
        let cells = &mesh.tetrahedra;
        assert_eq!(cells.nodes[..2], [[0, 1, 2, 3], [1, 2, 3, 4]]);
        let name_of = |e: usize| cells.region_names[cells.regions[e] as usize].as_str();
        // 8 and 9 are in the section of "last", though "odd" and "Both" come first
        assert_eq!(
            [0, 1, 2, 3].map(name_of),
            ["my set", "my set", "last", "last"]
        );
        assert_eq!(mesh.triangles.region_names, ["Skin"]);
        assert_eq!(mesh.skipped[&ElementKind::Hexahedron].count, 1);
    }

    #[test]
    fn the_first_set_wins_without_sections() {
        let text = format!(
            "{NODES}*ELEMENT, TYPE=C3D4\n1, 10, 20, 30, 40\n2, 20, 30, 40, 5\n3, 10, 20, 30, 5\n4, 10, 20, 40, 5
*ELSET, ELSET=loop\nouter, 4\n*ELSET, ELSET=outer\nloop, inner\n*ELSET, ELSET=inner, GENERATE\n2, 18446744073709551615\n"
        );
        let mesh = read_text(&text).unwrap();
        assert_eq!(mesh.tetrahedra.region_names, ["default", "loop"]);
        assert_eq!(mesh.tetrahedra.regions, [0, 1, 1, 1]);
    }

    #[test]
    fn errors_say_where_and_what() {
        let element = "7, 20, 30, 40, 5";
        for (from, to, wanted) in [
            (
                "30, , 1e0",
                "30, , one",
                "t.inp, line 10, *NODE: expected a coordinate, found \"one\"",
            ),
            (
                "30, , 1e0",
                "-30, , 1",
                "expected a node number, found \"-30\"",
            ),
            ("30, , 1e0", "30, , inf", "expected a finite coordinate"),
            (
                element,
                "7, 20, 30, 40",
                "line 17, *ELEMENT: expected an element of type C3D4H: its number and 4 nodes, found 4 values",
            ),
            (element, "7, 20, 30, 40, 5, 6", "found 6 values"),
            (
                element,
                "7, 20, 30, 40, 6",
                "line 17: element 7 uses node 6, which the file does not define",
            ),
            (
                element,
                "7, 20, 30, x, 5",
                "expected an element number and node numbers, found \"x\"",
            ),
            (
                "TYPE=C3D4\n",
                "ELSET=a\n",
                "expected the type of the elements",
            ),
            (
                "elset=LAST",
                "elset=nobody",
                "expected the name of an element set, found \"NOBODY\"",
            ),
            (
                "odd, 8",
                "even, 8",
                "*ELSET: expected the name of an element set, found \"EVEN\"",
            ),
            (
                "odd, 8",
                "?, 8",
                "expected element numbers or names of sets, found \"?\"",
            ),
            ("1, 11, 2", "1, 11, 0", "first, last and step"),
            ("0., 0., 0.\n", "0., 1., 0.\n", "moved or turned"),
            (
                "*End Instance",
                "*End Instance\n*Instance, name=J, part=P",
                "several instances",
            ),
            (
                "*End Part",
                "*End Part\n*Part, name=Q\n*Node\n1, 0, 0, 0\n*End Part",
                "several parts",
            ),
            ("*Nset, nset=foo", "*NGEN", "*NGEN is not followed"),
            (
                "*Nset, nset=foo",
                "*Include, input=x.inp",
                "in another file",
            ),
            ("10, 0, 0, 0", "20, 0, 0, 0", "defines node 20 twice"),
        ] {
            assert!(SMALL.contains(from), "{from}");
            let found = read_text(&SMALL.replacen(from, to, 1))
                .unwrap_err()
                .to_string();
            assert!(found.contains(wanted), "{to:?} gave {found}");
        }
        let other = read_text("8 6 0 0 0\n1 0 0 0\n").unwrap_err();
        assert!(
            other
                .to_string()
                .contains("expected a keyword such as *NODE")
                && other.help.is_some()
        );
        assert!(
            begins(SMALL.as_bytes()) && begins(b"** c\n*NODE,NSET=a\n") && !begins(b"*VERTICES\n")
        );
    }
}
