//! TetGen and Triangle: `.node` holds the nodes, `.ele` tetrahedra (or triangles of a plane mesh), `.face` triangles.
//! Whichever is opened, the others are looked for beside it. Nodes count from 0 or from 1, as the first one says.
//! Regions are the first attribute of `.ele` and the marker of `.face`; their names stand in comments (`regions.rs`).

use super::error::{Place, ReadError};
use super::input::Input;
use super::kind::ElementKind;
use super::lines::{Lines, parse};
use super::raw::{Cells, NodeLookup, RawMesh};
use super::regions::{self, Groups, Numbers};
use super::write::WriteError;
use pliant_linalg::vec3;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// Reads the files beside `input`, which is any of the three.
pub fn read(input: &Input) -> Result<RawMesh, ReadError> {
    let extension = Path::new(input.name()).extension().and_then(|e| e.to_str());
    let extension = extension.unwrap_or_default().to_ascii_lowercase();
    let sibling = |extension: &str| -> Result<Option<Input>, ReadError> {
        match input.sibling(extension) {
            Some(path) if path.is_file() => Input::open(&path).map(Some),
            _ => Ok(None),
        }
    };
    let (node, ele, face) = (sibling("node")?, sibling("ele")?, sibling("face")?);
    match extension.as_str() {
        "ele" => read_parts(node.as_ref(), Some(input), face.as_ref()),
        "face" => read_parts(node.as_ref(), ele.as_ref(), Some(input)),
        _ => read_parts(Some(input), ele.as_ref(), face.as_ref()),
    }
}

/// Reads a mesh from its files.
pub fn read_parts(
    node: Option<&Input>,
    ele: Option<&Input>,
    face: Option<&Input>,
) -> Result<RawMesh, ReadError> {
    let Some(main) = ele.or(face) else {
        let name = node.map_or("", |n| n.name());
        if let Some(node) = node {
            // what is wrong with the file comes before what is missing beside it
            read_nodes(node, &mut RawMesh::new(name))?;
        }
        return Err(ReadError::new(
            name,
            "there is neither an .ele nor a .face file beside these nodes",
        )
        .help("copy the other files of the mesh to the same folder, or export Gmsh .msh"));
    };
    let Some(node) = node else {
        return Err(
            ReadError::new(main.name(), "there is no .node file beside these elements")
                .help("copy the other files of the mesh to the same folder, or export Gmsh .msh"),
        );
    };
    let mut mesh = RawMesh::new(main.name());
    read_nodes(node, &mut mesh)?;
    let lookup = NodeLookup::new(&mesh.node_ids)
        .map_err(|id| ReadError::new(node.name(), format!("the file defines node {id} twice")))?;
    let mut names = BTreeMap::new();
    let (mut tetrahedra, mut triangles) = (Groups::default(), Groups::default());
    let mut plane = false;
    if let Some(ele) = ele {
        let mut reader = Elements::start(ele, &mut names)?;
        match reader.header()? {
            (count, 4, _) => {
                reader.read(count, 4, &mut mesh.tetrahedra, &mut tetrahedra)?;
                resolve(
                    &mut mesh.tetrahedra,
                    &lookup,
                    &mesh.node_ids.single(),
                    ele,
                    node,
                )?;
            }
            (count, 3, _) => {
                plane = true;
                reader.read(count, 3, &mut mesh.triangles, &mut triangles)?;
                resolve(
                    &mut mesh.triangles,
                    &lookup,
                    &mesh.node_ids.single(),
                    ele,
                    node,
                )?;
            }
            (count, nodes @ (6 | 10), _) => {
                plane = nodes == 6;
                let kind = match plane {
                    true => ElementKind::HigherTriangle,
                    false => ElementKind::HigherTetrahedron,
                };
                let line = reader.skip(count, nodes)?;
                if count > 0 {
                    mesh.skip(kind, count, line, &format!("{nodes} nodes"));
                }
            }
            (_, nodes, _) => {
                let expected = "3, 4, 6 or 10 nodes for each element";
                return Err(reader.lines.expected(expected, nodes.to_string()));
            }
        }
    }
    if let (Some(face), false) = (face, plane) {
        let mut reader = Elements::start(face, &mut names)?;
        let (count, _, _) = reader.header()?;
        reader.read(count, 3, &mut mesh.triangles, &mut triangles)?;
        resolve(
            &mut mesh.triangles,
            &lookup,
            &mesh.node_ids.single(),
            face,
            node,
        )?;
        if ele.is_some() {
            // element lines are known for one file only
            mesh.triangles.lines = Default::default();
        }
    }
    regions::assign(&mut mesh, &tetrahedra, &triangles, &names);
    Ok(mesh)
}

fn read_nodes(input: &Input, mesh: &mut RawMesh) -> Result<(), ReadError> {
    let mut lines = Lines::new(input)?.ignoring_comments(b'#');
    lines.section = "header".to_string();
    lines.split_line(|| "the numbers of nodes, coordinates, attributes and markers".to_string())?;
    let count: usize = lines.number(0, "the number of nodes")?;
    let dimension: usize = lines.number(1, "the number of coordinates, 2 or 3")?;
    if !(2..=3).contains(&dimension) {
        return Err(lines.expected("2 or 3 coordinates", dimension.to_string()));
    }
    lines.section = "nodes".to_string();
    if count >= u32::MAX as usize {
        return Err(lines.error("there are too many nodes for 32-bit indices"));
    }
    mesh.positions.reserve(count.min(lines.remaining() / 6));
    for i in 0..count {
        lines.split_line(|| format!("node {} of {count}", i + 1))?;
        let id: u64 = lines.number(0, "the number of a node")?;
        let z = if dimension == 3 {
            lines.coordinate(3)?
        } else {
            0.0
        };
        mesh.positions
            .push(vec3(lines.coordinate(1)?, lines.coordinate(2)?, z));
        mesh.node_ids.push(id);
    }
    expect_end(&mut lines)
}

fn expect_end(lines: &mut Lines) -> Result<(), ReadError> {
    if lines.next_line()? {
        return Err(lines.unexpected("the end of the file, as its header promises no more"));
    }
    Ok(())
}

/// Reads `.ele` and `.face`.
struct Elements<'a> {
    lines: Lines<'a>,
    names: &'a mut BTreeMap<u64, String>,
    /// Groups of attributes that are no whole numbers.
    fractions: BTreeMap<u64, u64>,
}

impl<'a> Elements<'a> {
    fn start(
        input: &'a Input<'a>,
        names: &'a mut BTreeMap<u64, String>,
    ) -> Result<Self, ReadError> {
        let mut lines = Lines::new(input)?;
        while lines.next_line()? {
            let Some(comment) = lines.text().strip_prefix(b"#") else {
                break;
            };
            if let Some((label, name)) = regions::parse_comment(comment)
                && let Ok(number) = label.parse::<i64>()
            {
                names.insert(number as u64, name);
            }
        }
        let lines = Lines::new(input)?.ignoring_comments(b'#');
        Ok(Elements {
            lines,
            names,
            fractions: BTreeMap::new(),
        })
    }

    /// Count, nodes each, attributes each; `.face` has a count and whether there are markers.
    fn header(&mut self) -> Result<(usize, usize, usize), ReadError> {
        self.lines.section = "header".to_string();
        self.lines
            .split_line(|| "the number of elements and the nodes of each".to_string())?;
        let count = self.lines.number(0, "the number of elements")?;
        let nodes = self.lines.number(1, "the number of nodes of each")?;
        let attributes = match self.lines.word_count() {
            0..=2 => 0,
            _ => self.lines.number(2, "the number of attributes")?,
        };
        self.lines.section = "elements".to_string();
        Ok((count, nodes, attributes))
    }

    fn read<const N: usize>(
        &mut self,
        count: usize,
        nodes_each: usize,
        cells: &mut Cells<N>,
        groups: &mut Groups,
    ) -> Result<(), ReadError> {
        cells
            .nodes
            .reserve(count.min(self.lines.remaining() / (2 * N)));
        for i in 0..count {
            self.lines
                .split_line(|| format!("element {} of {count}", i + 1))?;
            let id = self.lines.number(0, "the number of an element")?;
            let mut nodes = [0; N];
            for (k, node) in nodes.iter_mut().enumerate() {
                *node = self.lines.number(1 + k, "a node number")?;
            }
            cells.push(nodes, id, self.lines.line);
            groups.push(match self.lines.word_count() > 1 + nodes_each {
                true => self.group(1 + nodes_each)?,
                false => 0,
            });
        }
        expect_end(&mut self.lines)
    }

    /// The group that an attribute means.
    fn group(&mut self, word: usize) -> Result<u64, ReadError> {
        let value: f64 = self.lines.number(word, "an attribute")?;
        if value.fract() == 0.0 && value.abs() < 1e15 {
            return Ok(regions::signed_group(value as i64, self.names));
        }
        // beyond every whole number above
        let next = (1 << 60) + self.fractions.len() as u64;
        let group = *self.fractions.entry(value.to_bits()).or_insert(next);
        let text = self.lines.word(word).unwrap_or_default();
        let text = String::from_utf8_lossy(text).into_owned();
        self.names.entry(group).or_insert(text);
        Ok(group)
    }

    /// Passes over elements; returns the line of the first.
    fn skip(&mut self, count: usize, nodes: usize) -> Result<Option<usize>, ReadError> {
        let mut first = None;
        for i in 0..count {
            self.lines
                .split_line(|| format!("element {} of {count}", i + 1))?;
            first.get_or_insert(self.lines.line);
            let complete = self.lines.word_count() > nodes
                && (0..=nodes)
                    .all(|k| parse::<u64>(self.lines.word(k).unwrap_or_default()).is_some());
            if !complete {
                let expected =
                    format!("element {} of {count}: its number and {nodes} nodes", i + 1);
                return Err(self.lines.unexpected(&expected));
            }
        }
        expect_end(&mut self.lines)?;
        Ok(first)
    }
}

/// Replaces node numbers by indices.
fn resolve<const N: usize>(
    cells: &mut Cells<N>,
    lookup: &NodeLookup,
    first_node: &Option<u64>,
    file: &Input,
    node_file: &Input,
) -> Result<(), ReadError> {
    let mut indices = Vec::with_capacity(cells.len());
    for (e, nodes) in cells.nodes.iter().enumerate() {
        let mut resolved = [0; N];
        for (index, &id) in resolved.iter_mut().zip(nodes) {
            let Some(found) = lookup.find(u64::from(id)) else {
                let line = cells.line(e).unwrap_or(0);
                let place = Place::Line {
                    line,
                    section: "elements".to_string(),
                };
                return Err(wrong_node(cells, id, first_node, node_file, file.name()).at(place));
            };
            *index = found;
        }
        indices.push(resolved);
    }
    cells.nodes = indices;
    Ok(())
}

/// The error for a node that is not there. Counting from different numbers is the usual reason.
fn wrong_node<const N: usize>(
    cells: &Cells<N>,
    id: u32,
    first_node: &Option<u64>,
    node_file: &Input,
    name: &str,
) -> ReadError {
    let all = || cells.nodes.iter().flatten().copied();
    let (least, greatest) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    let nodes = node_file.name();
    let bases = match first_node {
        Some(1) if least == 0 => Some((0, 1)),
        Some(0) if least > 0 => Some((1, 0)),
        _ => None,
    };
    if let Some((here, there)) = bases {
        let message = format!(
            "this file counts nodes from {here} (it uses nodes {least} to {greatest}), but {nodes} counts from {there}"
        );
        return ReadError::new(name, message).help(
            "the two files do not belong together: export both again, or renumber one of them",
        );
    }
    ReadError::new(
        name,
        format!("node {id} is used, which {nodes} does not define"),
    )
    .help("the two files do not belong together: export both again")
}

/// One of the files of a mesh.
type Part = fn(&RawMesh, &mut dyn Write) -> Result<(), WriteError>;

/// The files that hold a mesh: their extensions, and what writes them. `.face` is written even without triangles, lest
/// an older file of that name be taken for a part of the mesh.
pub const PARTS: [(&str, Part); 3] = [
    ("node", write_node),
    ("ele", write_ele),
    ("face", write_face),
];

/// Says that one stream is not enough.
pub fn write(_: &RawMesh, _: &mut dyn Write) -> Result<(), WriteError> {
    Err(WriteError::CannotHold {
        format: "TetGen",
        what: "a mesh in a single file",
        instead: "write to a path, beside which .node, .ele and .face are made",
    })
}

fn is_plane(mesh: &RawMesh) -> bool {
    mesh.tetrahedra.is_empty()
        && !mesh.triangles.is_empty()
        && mesh.positions.iter().all(|p| p.z.to_bits() == 0)
}

fn write_node(mesh: &RawMesh, out: &mut dyn Write) -> Result<(), WriteError> {
    let plane = is_plane(mesh);
    writeln!(
        out,
        "{} {} 0 0",
        mesh.positions.len(),
        if plane { 2 } else { 3 }
    )?;
    for (i, p) in mesh.positions.iter().enumerate() {
        if plane {
            writeln!(out, "{} {:?} {:?}", i + 1, p.x, p.y)?;
        } else {
            writeln!(out, "{} {:?} {:?} {:?}", i + 1, p.x, p.y, p.z)?;
        }
    }
    Ok(())
}

fn write_ele(mesh: &RawMesh, out: &mut dyn Write) -> Result<(), WriteError> {
    let numbers = Numbers::of(mesh);
    numbers.write_comments(mesh, "#", out)?;
    if is_plane(mesh) {
        writeln!(out, "{} 3 1", mesh.triangles.len())?;
        write_cells(&mesh.triangles, &numbers.triangles, out)
    } else {
        writeln!(out, "{} 4 1", mesh.tetrahedra.len())?;
        write_cells(&mesh.tetrahedra, &numbers.tetrahedra, out)
    }
}

fn write_face(mesh: &RawMesh, out: &mut dyn Write) -> Result<(), WriteError> {
    if is_plane(mesh) {
        writeln!(out, "0 1")?;
        return Ok(());
    }
    writeln!(out, "{} 1", mesh.triangles.len())?;
    write_cells(&mesh.triangles, &Numbers::of(mesh).triangles, out)
}

fn write_cells<const N: usize>(
    cells: &Cells<N>,
    numbers: &[u64],
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    for (e, (nodes, &region)) in cells.nodes.iter().zip(&cells.regions).enumerate() {
        write!(out, "{}", e + 1)?;
        for node in nodes {
            write!(out, " {}", node + 1)?;
        }
        writeln!(out, " {}", numbers[region as usize])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_texts(node: &str, ele: &str, face: Option<&str>) -> Result<RawMesh, ReadError> {
        let input = |text: &'static str, name| Input::from_bytes(text.as_bytes(), name);
        let leak = |text: &str| -> &'static str { Box::leak(text.to_string().into_boxed_str()) };
        let face = face.map(|f| input(leak(f), "t.face"));
        read_parts(
            Some(&input(leak(node), "t.node")),
            Some(&input(leak(ele), "t.ele")),
            face.as_ref(),
        )
    }

    const NODE: &str =
        "# nodes\n5 3 1 1\n0 0 0 0 0.5 1\n1 1 0 0 0.5 1 # last\n2 0 1 0 0.5\n\n3 0 0 1\n4 1 1 1\n";
    const ELE: &str = "# region 2 \"zwei Wörter\"\n2 4 1\n1 0 1 2 3 -1\n2 1 2 3 4 2.0\n";

    #[test]
    fn attributes_and_markers_are_regions() {
        let mesh = read_texts(NODE, ELE, Some("3 1\n1 0 1 2 7\n2 0 1 3 0\n3 1 2 3\n")).unwrap();
        assert_eq!(mesh.tetrahedra.nodes, [[0, 1, 2, 3], [1, 2, 3, 4]]);
        assert_eq!(mesh.tetrahedra.region_names, ["zwei Wörter", "-1"]);
        assert_eq!(mesh.tetrahedra.regions, [1, 0]);
        assert_eq!(mesh.triangles.region_names, ["default", "7"]);
        assert_eq!(mesh.triangles.regions, [1, 0, 0]);
        let fractions = read_texts(NODE, "2 4 1\n1 0 1 2 3 0.5\n2 1 2 3 4 0.25\n", None).unwrap();
        assert_eq!(fractions.tetrahedra.region_names, ["0.5", "0.25"]);
    }

    #[test]
    fn other_element_sizes() {
        let plane = read_texts("3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n", "1 3 0\n1 1 2 3\n", None).unwrap();
        assert_eq!(plane.triangles.nodes, [[0, 1, 2]]);
        assert_eq!(plane.triangles.region_names, ["default"]);
        let higher = read_texts(NODE, "1 10 0\n1 0 1 2 3 4 0 1 2 3 4\n", None).unwrap();
        assert_eq!(
            higher.skipped[&ElementKind::HigherTetrahedron].line,
            Some(2)
        );
    }

    #[test]
    fn errors_say_where_and_what() {
        let message = |node: &str, ele: &str| read_texts(node, ele, None).unwrap_err().to_string();
        let from_one = NODE
            .replace("\n4 1 1 1", "\n5 1 1 1")
            .replace("\n3 0 0 1", "\n4 0 0 1");
        let from_one = from_one
            .replace("\n2 0", "\n3 0")
            .replace("\n1 1", "\n2 1")
            .replace("\n0 0", "\n1 0");
        for (node, ele, wanted) in [
            (
                from_one.as_str(),
                ELE,
                "t.ele, line 3, elements: this file counts nodes from 0 (it uses nodes 0 to 4), but t.node counts from 1",
            ),
            (
                NODE,
                "1 4 0\n1 1 2 3 5\n",
                "counts nodes from 1 (it uses nodes 1 to 5), but t.node counts from 0",
            ),
            (
                NODE,
                "1 4 0\n1 0 2 3 5\n",
                "node 5 is used, which t.node does not define",
            ),
            (
                NODE,
                "2 4 0\n1 0 2 3 4\n",
                "ends where element 2 of 2 was expected",
            ),
            (
                NODE,
                "1 4 0\n1 0 2 3 4\n2 0 1 2 3\n",
                "line 3, elements: expected the end of the file",
            ),
            (
                NODE,
                "1 5 0\n1 0 2 3 4 1\n",
                "expected 3, 4, 6 or 10 nodes for each element, found 5",
            ),
            (
                NODE,
                "1 4 0\n1 0 2 3\n",
                "expected a node number, found the end of the line",
            ),
            ("1 4 0 0\n", ELE, "expected 2 or 3 coordinates, found 4"),
            (
                "2 3 0 0\n1 0 0 0\n1 0 0 1\n",
                ELE,
                "t.node: the file defines node 1 twice",
            ),
            (
                "1 3 0 0\n1 0 0\n",
                ELE,
                "t.node, line 2, nodes: expected a coordinate, found the end of the line",
            ),
            ("99999999999 3 0 0\n", ELE, "too many nodes"),
            (
                "4294967290 3 0 0\n1 0 0 0",
                ELE,
                "ends where node 2 of 4294967290 was expected",
            ),
        ] {
            let found = message(node, ele);
            assert!(found.contains(wanted), "{ele:?} gave {found}");
        }
        let alone = read(&Input::from_bytes(NODE.as_bytes(), "t.node")).unwrap_err();
        assert!(alone.message.contains("neither an .ele nor a .face"));
        let alone = read(&Input::from_bytes(ELE.as_bytes(), "t.ele")).unwrap_err();
        assert!(alone.message.contains("no .node file"));
    }
}
