//! A silhouette drawn as text, extruded along y.
//!
//! A character is a rectangular cell of the x–z plane. Cells are cut into two triangles along the diagonal that
//! gives the larger smallest angle, the Kuhn split's where both are equal, and swept into prisms.

use super::outline::round_off;
use super::sweep::prism;
use super::{GenerateError, at_least, check_size, finish_regions, positive};
use crate::mesh::{Elements, Mesh};
use pliant_linalg::vec3;

/// A drawing and the sizes of its cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extrusion {
    /// Rows from top to bottom (−z), columns along x. A space or `.` is empty, anything else a filled cell.
    /// Cells drawn with the same character make a region of that name.
    pub picture: Vec<String>,
    /// Width of each column along x, m.
    pub widths: Vec<f64>,
    /// Height of each row along z, from the top, m.
    pub heights: Vec<f64>,
    /// Depth of each layer of cells along y, m.
    pub depths: Vec<f64>,
    /// Sweeps that round off the outline; 0 leaves the staircase, more than 1000 change nothing more.
    pub smooth: usize,
}

impl Extrusion {
    /// Cells of one size, `layers` of them filling `depth`, m; no rounding.
    pub fn uniform(
        picture: Vec<String>,
        cell: [f64; 2],
        depth: f64,
        layers: usize,
    ) -> Result<Extrusion, GenerateError> {
        at_least("layers", 1, layers)?;
        let [columns, rows] = picture_size(&picture);
        check_size(&[columns, rows, layers])?;
        Ok(Extrusion {
            picture,
            widths: vec![cell[0]; columns],
            heights: vec![cell[1]; rows],
            depths: vec![depth / layers as f64; layers],
            smooth: 0,
        })
    }
}

/// Columns and rows of a picture, empty ones at its sides included.
pub fn picture_size(picture: &[String]) -> [usize; 2] {
    let columns = picture.iter().map(|row| row.chars().count()).max();
    [columns.unwrap_or(0), picture.len()]
}

/// The silhouette's cells extruded; the bounding box is centred at the origin.
///
/// Nodes: those of the silhouette times (layers + 1), x fastest, then z upwards, then y. Tetrahedra: 6 a filled
/// cell and layer.
pub fn extrude(drawing: &Extrusion) -> Result<Mesh, GenerateError> {
    let [columns, rows] = picture_size(&drawing.picture);
    at_least("rows of the picture", 1, rows)?;
    at_least("columns of the picture", 1, columns)?;
    for (what, list, wanted) in [
        ("widths (one a column)", &drawing.widths, columns),
        ("heights (one a row)", &drawing.heights, rows),
    ] {
        if list.len() != wanted {
            let found = list.len();
            return Err(GenerateError::WrongCount {
                what,
                wanted,
                found,
            });
        }
    }
    at_least("layers", 1, drawing.depths.len())?;
    for (what, list) in [
        ("width", &drawing.widths),
        ("height", &drawing.heights),
        ("depth", &drawing.depths),
    ] {
        list.iter().try_for_each(|&size| positive(what, size))?;
    }
    check_size(&[columns, rows, drawing.depths.len(), 6])?;

    visible(&drawing.picture)?;
    let grid = Grid::of(&drawing.picture);
    grid.check()?;
    let mut flat = Silhouette::of(&grid, &drawing.widths, &drawing.heights);
    round_off(&mut flat.nodes, &flat.cells, drawing.smooth);
    swept(&flat, &drawing.depths)
}

/// Refuses tabs, line breaks and other characters that would be cells which nobody sees.
fn visible(picture: &[String]) -> Result<(), GenerateError> {
    let unseen = |c: char| c.is_control() || (c.is_whitespace() && c != ' ');
    for (row, text) in (1..).zip(picture) {
        if let Some(before) = text.chars().position(unseen) {
            return Err(GenerateError::BadPicture {
                row,
                column: before + 1,
                problem: "is a tab, a line break or the like; write a space or . for an empty cell, and each row as a string of its own",
            });
        }
    }
    Ok(())
}

/// The picture with its rows upwards.
struct Grid {
    columns: usize,
    rows: usize,
    /// Character of each filled cell, column index fastest, from the lowest row.
    cells: Vec<Option<char>>,
}

impl Grid {
    fn of(picture: &[String]) -> Grid {
        let [columns, rows] = picture_size(picture);
        let mut cells = Vec::with_capacity(columns * rows);
        for row in picture.iter().rev() {
            let filled = row.chars().map(|c| (c != ' ' && c != '.').then_some(c));
            cells.extend(filled.chain(std::iter::repeat(None)).take(columns));
        }
        Grid {
            columns,
            rows,
            cells,
        }
    }

    fn at(&self, column: usize, row: usize) -> Option<char> {
        self.cells[column + self.columns * row]
    }

    /// Refuses what is not one piece held together by cell sides. Messages count from the top left, from 1.
    fn check(&self) -> Result<(), GenerateError> {
        let bad = |column: usize, row: usize, problem: &'static str| GenerateError::BadPicture {
            row: self.rows - row,
            column: column + 1,
            problem,
        };
        for row in 1..self.rows {
            for column in 1..self.columns {
                let filled = |c: usize, r: usize| self.at(c, r).is_some();
                let rising = [filled(column - 1, row - 1), filled(column, row)];
                let falling = [filled(column, row - 1), filled(column - 1, row)];
                if rising != falling && rising[0] == rising[1] && falling[0] == falling[1] {
                    let problem = "touches another cell in a corner only; fill a cell beside both, or move them apart";
                    return Err(bad(column - usize::from(falling[0]), row, problem));
                }
            }
        }
        let Some(first) = self.cells.iter().position(Option::is_some) else {
            let problem = "and all others are empty; draw cells with #";
            return Err(bad(0, self.rows - 1, problem));
        };
        let mut reached = vec![false; self.cells.len()];
        let mut open = vec![first];
        reached[first] = true;
        while let Some(cell) = open.pop() {
            let (column, row) = (cell % self.columns, cell / self.columns);
            let beside = [
                (column > 0).then(|| cell - 1),
                (column + 1 < self.columns).then(|| cell + 1),
                (row > 0).then(|| cell - self.columns),
                (row + 1 < self.rows).then(|| cell + self.columns),
            ];
            for next in beside.into_iter().flatten() {
                if self.cells[next].is_some() && !reached[next] {
                    reached[next] = true;
                    open.push(next);
                }
            }
        }
        let lost = (0..self.cells.len()).find(|&c| self.cells[c].is_some() && !reached[c]);
        match lost {
            None => Ok(()),
            Some(cell) => {
                let problem = "is not connected with the rest; fill the gap, or make each part a body of its own";
                Err(bad(cell % self.columns, cell / self.columns, problem))
            }
        }
    }
}

/// The plane mesh of quadrilaterals.
struct Silhouette {
    /// (x, z), m.
    nodes: Vec<[f64; 2]>,
    /// Corners counter-clockwise with x to the right and z upwards, from the lower left.
    cells: Vec<[u32; 4]>,
    /// Region of each cell.
    regions: Vec<u32>,
    names: Vec<String>,
}

impl Silhouette {
    fn of(grid: &Grid, widths: &[f64], heights: &[f64]) -> Silhouette {
        let mut names: Vec<char> = grid.cells.iter().flatten().copied().collect();
        names.sort_unstable();
        names.dedup();
        let edges = |sizes: &mut dyn Iterator<Item = &f64>| {
            let mut at = vec![0.0];
            at.extend(sizes.scan(0.0, |sum, size| {
                *sum += size;
                Some(*sum)
            }));
            at
        };
        let (x, z) = (edges(&mut widths.iter()), edges(&mut heights.iter().rev()));

        let points = grid.columns + 1;
        let mut used = vec![false; points * (grid.rows + 1)];
        let corners = |column: usize, row: usize| {
            let low = column + points * row;
            [low, low + 1, low + 1 + points, low + points]
        };
        let mut filled = Vec::new();
        for row in 0..grid.rows {
            for column in 0..grid.columns {
                if let Some(character) = grid.at(column, row) {
                    filled.push((corners(column, row), character));
                    for corner in corners(column, row) {
                        used[corner] = true;
                    }
                }
            }
        }
        let mut number = vec![0; used.len()];
        let mut nodes = Vec::new();
        for point in (0..used.len()).filter(|&p| used[p]) {
            number[point] = nodes.len() as u32;
            nodes.push([x[point % points], z[point / points]]);
        }
        Silhouette {
            nodes,
            cells: filled.iter().map(|f| f.0.map(|p| number[p])).collect(),
            regions: filled
                .iter()
                .map(|f| names.partition_point(|&n| n < f.1) as u32)
                .collect(),
            names: names.iter().map(char::to_string).collect(),
        }
    }
}

/// The two triangles of a cell and their smallest angle, rad; negative when one of them is turned over.
pub(super) fn best_cut(nodes: &[[f64; 2]], cell: [u32; 4]) -> ([[u32; 3]; 2], f64) {
    let [a, b, c, d] = cell;
    let cuts = [[[a, b, c], [a, c, d]], [[b, c, d], [b, d, a]]];
    let quality = cuts.map(|cut| {
        let angles = cut.map(|t| smallest_angle(t.map(|n| nodes[n as usize])));
        angles[0].min(angles[1])
    });
    // a rectangle's cuts differ by rounding only: the first one then
    let second = usize::from(quality[1] > quality[0] + 1e-9);
    (cuts[second], quality[second])
}

fn smallest_angle(points: [[f64; 2]; 3]) -> f64 {
    let side = |from: usize, to: usize| {
        let (p, q) = (points[from], points[to]);
        [q[0] - p[0], q[1] - p[1]]
    };
    let angle = |corner: usize| {
        let (u, v) = (
            side(corner, (corner + 1) % 3),
            side(corner, (corner + 2) % 3),
        );
        (u[0] * v[1] - u[1] * v[0]).atan2(u[0] * v[0] + u[1] * v[1])
    };
    angle(0).min(angle(1)).min(angle(2))
}

/// Layers along y of the silhouette, centred.
fn swept(flat: &Silhouette, depths: &[f64]) -> Result<Mesh, GenerateError> {
    let middle = |axis: usize| {
        let values = flat.nodes.iter().map(|n| n[axis]);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
            (l.min(v), h.max(v))
        });
        0.5 * (low + high)
    };
    let (x, z) = (middle(0), middle(1));
    let mut y = -0.5 * depths.iter().sum::<f64>();
    let layer = flat.nodes.len();
    let mut positions = Vec::with_capacity(layer * (depths.len() + 1));
    for depth in std::iter::once(&0.0).chain(depths) {
        y += depth;
        positions.extend(flat.nodes.iter().map(|n| vec3(n[0] - x, y, n[1] - z)));
    }
    let mut tetrahedra = Vec::with_capacity(flat.cells.len() * depths.len() * 6);
    let mut regions = Vec::with_capacity(tetrahedra.capacity());
    for below in 0..depths.len() {
        let start = (below * layer) as u32;
        for (cell, region) in flat.cells.iter().zip(&flat.regions) {
            for [a, b, c] in best_cut(&flat.nodes, *cell).0 {
                // x to the right and z upwards look along +y: the other way round from there
                tetrahedra.extend(prism([a, c, b].map(|n| n + start), layer as u32));
                regions.extend([*region; 3]);
            }
        }
    }
    finish_regions(
        positions,
        Elements::Tetrahedra(tetrahedra),
        regions,
        flat.names.clone(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::grid::Split;
    use super::super::tests::check;
    use super::*;

    fn drawing(rows: &[&str]) -> Extrusion {
        let picture = rows.iter().map(|r| r.to_string()).collect();
        Extrusion::uniform(picture, [0.2, 0.1], 0.6, 3).unwrap()
    }

    #[test]
    fn a_full_picture_is_a_bar() {
        let mesh = extrude(&drawing(&["###", "###", " "])).unwrap();
        let bar = super::super::bar(vec3(0.6, 0.6, 0.2), [3, 3, 2], Split::Six).unwrap();
        check(&mesh, 48, 108, 20.0, 1);
        assert!((mesh.total_volume() / bar.total_volume() - 1.0).abs() < 1e-12);
        let (low, high) = mesh.bounds();
        assert!((low - vec3(-0.3, -0.3, -0.1)).max_abs() < 1e-12);
        assert!((high - vec3(0.3, 0.3, 0.1)).max_abs() < 1e-12);
    }

    #[test]
    fn shapes_regions_and_gradings() {
        // a frame: one hole, so that the boundary is a torus
        let frame = extrude(&drawing(&["####", "#..#", "####"])).unwrap();
        check(&frame, 20 * 4, 10 * 3 * 6, 20.0, 1);
        let mut car = drawing(&["  rr", "######", " o  o"]);
        let mesh = extrude(&car).unwrap();
        assert_eq!(mesh.region_names, ["#", "o", "r"]);
        let volume_of = |mesh: &Mesh, name: &str| -> f64 {
            let own = (0..mesh.element_count()).filter(|&e| mesh.region_of(e) == name);
            own.map(|e| mesh.volume(e)).sum()
        };
        assert!((volume_of(&mesh, "o") - 2.0 * 0.2 * 0.1 * 0.6).abs() < 1e-15);
        car.widths = vec![0.1, 0.2, 0.3, 0.2, 0.1, 0.05];
        car.heights = vec![0.3, 0.1, 0.05];
        car.depths = vec![0.1, 0.4];
        let graded = extrude(&car).unwrap();
        assert!((volume_of(&graded, "r") - 0.5 * 0.3 * 0.5).abs() < 1e-15);
        assert!((volume_of(&graded, "o") - 0.3 * 0.05 * 0.5).abs() < 1e-15);
    }

    #[test]
    fn rounding_keeps_elements_good() {
        for rows in [
            ["...##...", "..####..", ".######.", "########"],
            ["#..##..#", "########", "#.####.#", "#..##..#"],
            ["########", "#..##..#", "#..##..#", "########"],
        ] {
            let mut picture = drawing(&rows);
            picture.widths = vec![0.1; 8];
            let stairs = extrude(&picture).unwrap();
            for smooth in [1, 2, 5, 50] {
                picture.smooth = smooth;
                let mesh = extrude(&picture).unwrap();
                check(&mesh, stairs.node_count(), stairs.element_count(), 5.0, 1);
                assert!(mesh.positions != stairs.positions);
                let volume = mesh.total_volume() / stairs.total_volume();
                assert!(
                    volume > 0.75 && volume < 1.25,
                    "{volume} after {smooth} sweeps"
                );
            }
        }
        // the slope of a staircase becomes straight: all its inner nodes on one line
        let mut stairs = drawing(&["#.....", "##....", "###...", "####..", "#####.", "######"]);
        stairs.heights = vec![0.2; 6];
        stairs.smooth = 1;
        let mesh = extrude(&stairs).unwrap();
        // node 8 is inside and stays; its diagonals lie at whole cells, the slope half way between two of them
        let inner = mesh.positions[8];
        let on_line = |p: &pliant_linalg::Vec3| {
            let diagonals = (p.x + p.z - inner.x - inner.z) / 0.2;
            (diagonals - 4.5).abs() < 1e-9
        };
        let count = mesh.positions.iter().filter(|p| on_line(p)).count();
        assert!(count >= 4 * 9, "{count}");
    }

    #[test]
    fn bad_pictures() {
        let says = |drawing: &Extrusion, words: &str| {
            let error = extrude(drawing).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        };
        says(&drawing(&["..#", "##."]), "row 1, column 3");
        says(&drawing(&["#..", ".##"]), "row 1, column 1");
        says(&drawing(&["##.##"]), "not connected");
        says(
            &drawing(&["...", "   "]),
            "row 1, column 1 of the picture and all others are empty",
        );
        says(&drawing(&[]), "rows of the picture must be at least 1");
        says(
            &drawing(&["", ""]),
            "columns of the picture must be at least 1",
        );
        says(
            &drawing(&["##", "#\t#"]),
            "row 2, column 2 of the picture is a tab",
        );
        says(
            &drawing(&["##\n##"]),
            "row 1, column 3 of the picture is a tab, a line break",
        );
        says(&drawing(&["#\u{a0}#"]), "row 1, column 2");
        let good = drawing(&["##"]);
        let with = |change: fn(&mut Extrusion)| {
            let mut other = good.clone();
            change(&mut other);
            other
        };
        assert!(extrude(&with(|d| d.smooth = usize::MAX)).is_ok());
        says(&with(|d| d.widths.truncate(1)), "widths");
        says(&with(|d| d.heights.push(1.0)), "heights");
        says(&with(|d| d.depths.clear()), "layers");
        says(&with(|d| d.widths[1] = 0.0), "width");
        says(&with(|d| d.depths[0] = f64::NAN), "depth");
        let huge = Extrusion::uniform(vec!["#".to_string()], [0.1, 0.1], 1.0, usize::MAX);
        assert!(matches!(huge, Err(GenerateError::TooMany { .. })));
    }
}
