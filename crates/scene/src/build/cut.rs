//! Cuts: bodies that are split along planes from the start and come apart at some time.

use super::{PlacedBody, direction, select, vector};
use crate::error::{KeyPath, Problem};
use crate::file::{CutTable, SceneTable};
use crate::suggest::did_you_mean;
use pliant_linalg::Vec3;
use pliant_mesh::{CutError, CutMesh, CutOptions, Elements, Mesh, Plane, Selection};
use pliant_solid::model::BodySpecification;
use pliant_solid::octet::Formulation;
use pliant_solid::seam::Seam;

/// The cuts of a scene in the order of their times, which is the order in which they act on the meshes.
pub struct Cuts<'a> {
    list: Vec<Planned<'a>>,
}

/// A cut before and after its body has been split.
struct Planned<'a> {
    table: &'a CutTable,
    /// Its place in the file.
    at: KeyPath,
    /// Its body, by place.
    body: usize,
    seam: Seam,
}

/// What is known of the mesh of a body that is cut.
pub struct SplitMesh {
    /// The elements with all cuts open.
    elements: Elements,
    /// The node that stands for each node while all are closed.
    leaders: Vec<u32>,
}

impl<'a> Cuts<'a> {
    /// Reads the tables.
    pub fn new(scene: &'a SceneTable) -> Result<Cuts<'a>, Problem> {
        let mut list = Vec::new();
        for (index, table) in scene.cut.iter().enumerate() {
            let at = KeyPath::root().key("cut").index(index);
            let time = table.time.si;
            if time < 0.0 {
                return Err(Problem::new(
                    at.key("time"),
                    format!("the time of a cut must not be negative, not {}", table.time),
                ));
            }
            let default = || format!("cut {}", index + 1);
            list.push(Planned {
                body: body_of(table, scene, &at)?,
                table,
                at,
                seam: Seam {
                    name: table.name.clone().unwrap_or_else(default),
                    time,
                    pairs: Vec::new(),
                },
            });
        }
        list.sort_by(|a, b| a.seam.time.total_cmp(&b.seam.time));
        Ok(Cuts { list })
    }

    /// Splits a body, given by its place, whose nodes are numbered from `node_offset` on in the model. Returns the mesh with all cuts
    /// closed under the numbers of the split one; none if nothing cuts the body.
    pub fn split(
        &mut self,
        body: usize,
        node_offset: u32,
        specification: &mut BodySpecification,
    ) -> Result<Option<(Mesh, SplitMesh)>, Problem> {
        let own = |cut: &Planned| cut.body == body;
        let Some(first) = self.list.iter().position(own) else {
            return Ok(None);
        };
        if specification.rigid.is_some() {
            let name = &specification.name;
            let at = self.list[first].at.key("body");
            return Err(
                Problem::new(at, format!("body `{name}` is rigid and cannot be cut"))
                    .help("remove the cut, or `rigid` from the body"),
            );
        }
        if specification.formulation != Formulation::Linear {
            let (name, element) = (&specification.name, specification.formulation.name());
            let message = format!("body `{name}` has the element {element}, which cannot be cut");
            return Err(Problem::new(self.list[first].at.key("body"), message)
                .help("give the body the element \"tet4\""));
        }
        let mut mesh = CutMesh::new(specification.mesh.clone());
        let mut order = Vec::new();
        for (place, cut) in self.list.iter().enumerate().filter(|(_, cut)| own(cut)) {
            cut.act(&mut mesh, &specification.name)?;
            order.push(place);
        }
        for twin in &mesh.twins {
            let pair = [twin.master, twin.twin].map(|n| n + node_offset);
            let cut = &mut self.list[order[twin.cut as usize]];
            cut.seam.pairs.push(pair);
        }

        let of_parents = mesh.parents.iter().map(|&e| e as usize);
        specification.material_of = of_parents
            .clone()
            .map(|e| specification.material_of[e])
            .collect();
        if !specification.fibres.is_empty() {
            specification.fibres = of_parents.map(|e| specification.fibres[e]).collect();
        }
        let joined = mesh.joined(0);
        let split = SplitMesh {
            leaders: mesh.leaders(0),
            elements: mesh.mesh.elements.clone(),
        };
        specification.mesh = mesh.mesh;
        Ok(Some((joined, split)))
    }

    /// The seams of the model.
    pub fn seams(&self) -> Vec<Seam> {
        self.list.iter().map(|cut| cut.seam.clone()).collect()
    }

    /// Where the cut of a seam is written.
    pub fn place(&self, seam: &str) -> KeyPath {
        let found = self.list.iter().find(|cut| cut.seam.name == seam);
        found.map_or_else(KeyPath::root, |cut| cut.at.clone())
    }
}

impl Planned<'_> {
    /// Cuts the mesh of a body called `name`.
    fn act(&self, mesh: &mut CutMesh, name: &str) -> Result<(), Problem> {
        let (table, at) = (self.table, &self.at);
        let plane = Plane {
            point: vector(table.point),
            normal: direction(table.normal, &at.key("normal"))?,
        };
        let within = match &table.within {
            None => Selection::All,
            Some(within) => select::selection(within, &mesh.mesh, &at.key("within"))?,
        };
        let options = CutOptions {
            tolerance: (table.tolerance).map_or(CutOptions::default().tolerance, |t| t.si),
            within,
        };
        let done = mesh.cut(&plane, &options);
        done.map(|_| ()).map_err(|error| match error {
            CutError::NoPlane => Problem::new(at.key("normal"), error.to_string()),
            CutError::Tolerance(_) => Problem::new(at.key("tolerance"), error.to_string()),
            CutError::Within(_) | CutError::TooSmall => {
                Problem::new(at.key("within"), error.to_string())
            }
            CutError::TooManyElements(_) => Problem::new(at.clone(), error.to_string()),
            CutError::Missed { low, high } => Problem::new(
                at.key("point"),
                format!("the plane separates nothing of body `{name}`"),
            )
            .help(format!(
                "the body spans {low:?} m to {high:?} m; the plane must go through it, and not along an earlier cut"
            )),
        })
    }
}

/// Place of the body that a table names.
fn body_of(table: &CutTable, scene: &SceneTable, at: &KeyPath) -> Result<usize, Problem> {
    let known: Vec<&str> = scene.body.iter().map(|b| b.name.as_str()).collect();
    match (&table.body, known.len()) {
        (None, 1) => Ok(0),
        (None, _) => Err(
            Problem::new(at.clone(), "this cut does not say which body it acts on")
                .help(format!("add body = \"…\"; known are {}", known.join(", "))),
        ),
        (Some(name), _) => known.iter().position(|k| k == name).ok_or_else(|| {
            Problem::new(at.key("body"), format!("there is no body `{name}`"))
                .help(did_you_mean(name, &known))
        }),
    }
}

impl PlacedBody {
    /// Nodes of an element with all cuts open.
    pub fn corners(&self, element: usize) -> &[u32] {
        match &self.split {
            None => self.mesh.nodes_of(element),
            Some(split) => split.elements.nodes_of(element),
        }
    }

    /// A facet of the closed mesh with the nodes that it has when all cuts are open, `owner` being the element behind it.
    pub fn opened<const N: usize>(&self, owner: u32, facet: [u32; N]) -> [u32; N] {
        let Some(split) = &self.split else {
            return facet;
        };
        let corners = split.elements.nodes_of(owner as usize);
        let leads = |leader: u32, n: u32| split.leaders[n as usize] == leader;
        facet.map(|leader| {
            let own = corners.iter().find(|&&n| leads(leader, n));
            own.copied().unwrap_or(leader)
        })
    }

    /// Nodes with all their copies, ascending.
    pub fn with_copies(&self, nodes: Vec<u32>) -> Vec<u32> {
        let Some(split) = &self.split else {
            return nodes;
        };
        let mut chosen = vec![false; split.leaders.len()];
        for &n in &nodes {
            chosen[split.leaders[n as usize] as usize] = true;
        }
        let copy = |n: &u32| chosen[split.leaders[*n as usize] as usize];
        (0..split.leaders.len() as u32).filter(copy).collect()
    }

    /// Whether a cut doubles one of the nodes.
    pub fn is_cut_at(&self, nodes: &[u32]) -> bool {
        let copies = self.with_copies(nodes.to_vec());
        self.once(&copies).count() < copies.len()
    }

    /// Middle of the places where nodes rest, m; copies count once.
    pub fn middle(&self, nodes: &[u32]) -> Vec3 {
        let places = || self.once(nodes).map(|n| self.mesh.positions[n as usize]);
        places().fold(Vec3::ZERO, |sum, p| sum + p) / places().count().max(1) as f64
    }

    /// The nodes that stand for themselves while all cuts are closed.
    fn once(&self, nodes: &[u32]) -> impl Iterator<Item = u32> {
        let leads = |n: &u32| match &self.split {
            None => true,
            Some(split) => split.leaders[*n as usize] == *n,
        };
        nodes.iter().copied().filter(leads)
    }
}
