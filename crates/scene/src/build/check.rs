//! Checks of a scene as a whole that cost nothing: names, counts.

use crate::error::{KeyPath, Problem};
use crate::file::{CreatureTable, MeshTable, SceneTable, TriangleSplitName};
use pliant_mesh::CreatureKind;

/// Refuses scenes without bodies, empty names and names used twice.
pub fn names(table: &SceneTable) -> Result<(), Problem> {
    let root = KeyPath::root();
    if table.body.is_empty() {
        return Err(Problem::new(root, "the scene has no body")
            .help("add a [[body]] with name, mesh and material"));
    }
    let bodies = table.body.iter().map(|b| Some(b.name.as_str()));
    let drives = table.drive.iter().map(|d| d.name.as_deref());
    unique("body", bodies.collect())?;
    unique("drive", drives.collect())?;
    macro_rules! joints {
        ($($kind:ident),*) => {
            $(unique(stringify!($kind), table.$kind.iter().map(|j| j.name.as_deref()).collect())?;)*
        };
    }
    let cuts = table.cut.iter().map(|c| c.name.as_deref());
    unique("cut", cuts.collect())?;
    joints!(attach, distance, slide, hinge, cable, cavity);
    Ok(())
}

/// Refuses empty names and names used twice among the tables of a kind; `None` stands for a table without.
pub fn unique(kind: &str, names: Vec<Option<&str>>) -> Result<(), Problem> {
    let mut sorted: Vec<(&str, usize)> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let Some(name) = name else { continue };
        if name.trim().is_empty() {
            let at = KeyPath::root().key(kind).index(index).key("name");
            let vowel = kind.starts_with(['a', 'e', 'i', 'o', 'u']);
            let article = if vowel { "an" } else { "a" };
            return Err(Problem::new(
                at,
                format!("the name of {article} {kind} must not be empty"),
            ));
        }
        sorted.push((name, index));
    }
    sorted.sort_unstable();
    match sorted.windows(2).find(|w| w[0].0 == w[1].0) {
        None => Ok(()),
        Some(pair) => {
            let at = KeyPath::root().key(kind).index(pair[1].1).key("name");
            Err(Problem::new(
                at,
                format!(
                    "two of the scene's {kind} tables are called `{}`",
                    pair[0].0
                ),
            )
            .help("give each a name of its own"))
        }
    }
}

/// Refuses scenes of more than `limit` generated elements before any is made.
pub fn sizes(table: &SceneTable, limit: u128) -> Result<(), Problem> {
    let mut total = 0u128;
    let bodies = table.body.iter().map(|b| Some(&b.mesh)).enumerate();
    let obstacles = table.obstacle.iter().map(|o| o.mesh.as_ref()).enumerate();
    let all = bodies
        .map(|found| ("body", found))
        .chain(obstacles.map(|found| ("obstacle", found)));
    for (kind, (index, mesh)) in all {
        total = total.saturating_add(mesh.map_or(0, element_count));
        if total > limit {
            let at = KeyPath::root().key(kind).index(index).key("mesh");
            return Err(Problem::new(
                at,
                format!("the scene would have {total} elements or more, but the limit is {limit}"),
            )
            .help("use fewer cells"));
        }
    }
    Ok(())
}

/// Elements the generator will make; files are counted when they are read.
fn element_count(mesh: &MeshTable) -> u128 {
    let product = |factors: &[usize]| {
        factors
            .iter()
            .fold(1u128, |p, &f| p.saturating_mul(f as u128))
    };
    let doubled = |d: usize| d.saturating_mul(2);
    let figure = |kind: CreatureKind, table: &CreatureTable| {
        let [edge, grading] = super::body::fineness(kind, table);
        let solid = kind.solid(edge, grading);
        solid.map_or(0, |s| s.estimated_elements() as u128)
    };
    match mesh {
        MeshTable::Bar(b) | MeshTable::Box(b) => product(&b.cells).saturating_mul(6),
        MeshTable::Ball(b) => product(&[b.divisions, b.divisions, b.divisions, 48]),
        MeshTable::Capsule(c) => product(&[
            c.divisions,
            c.divisions,
            doubled(c.divisions).saturating_add(c.layers),
            24,
        ]),
        MeshTable::Cylinder(c) => product(&[c.divisions, c.divisions, c.layers, 24]),
        MeshTable::Torus(t) => product(&[t.divisions, t.divisions, t.segments, 24]),
        MeshTable::Tube(t) => product(&t.cells).saturating_mul(6),
        MeshTable::Ring(r) => product(&r.cells).saturating_mul(6),
        MeshTable::Lathe(l) => product(&[l.profile.len(), l.segments, l.rings.unwrap_or(1), 6]),
        MeshTable::Extrude(x) => {
            let filled = |c: &char| !matches!(c, ' ' | '.');
            let cells = x
                .picture
                .iter()
                .map(|row| row.chars().filter(filled).count());
            let layers = x.depths.as_ref().map_or(x.layers.unwrap_or(1), Vec::len);
            product(&[cells.sum(), layers, 6])
        }
        MeshTable::Rectangle(r) => {
            let per_cell = if r.split == TriangleSplitName::Crossed {
                4
            } else {
                2
            };
            product(&r.cells).saturating_mul(per_cell)
        }
        MeshTable::Band(b) => product(&b.cells).saturating_mul(2),
        MeshTable::Blob(b) => super::body::rounded(b).estimated_elements() as u128,
        MeshTable::Hand(c) => figure(CreatureKind::Hand, c),
        MeshTable::Humanoid(c) => figure(CreatureKind::Humanoid, c),
        MeshTable::Giant(c) => figure(CreatureKind::Giant, c),
        MeshTable::File(_) => 0,
        MeshTable::Asset(a) => a.otherwise.as_deref().map_or(0, element_count),
    }
}
