//! Elements in packs of eight, ready for vector kernels.
//!
//! Linear tetrahedra: F = Σₐ xₐ gₐᵀ with constant shape gradients g (METHODS 0.2). A plane-strain triangle is a
//! tetrahedron whose fourth corner repeats the first with a zero gradient, plus F_zz = 1: one kernel serves both.
//! All lanes of a pack share the energy and the fibre kind; moduli, densities and directions are per element.
//! Octets (see [`crate::octet`]) are as many elements as they have parts or points; those of eight octets are packs that follow each other.
//! Packs hold elements of one body and follow a space-filling curve; chunks of packs are coloured so that two chunks of a colour share no node.

use crate::material::{FibreCoefficients, FibreKind, MaterialModel};
use crate::octet::Formulation;
use pliant_linalg::lanes::{LANES, Pack};
use pliant_linalg::{BlockPattern, Mat3, SolveError, Vec3};
use std::ops::Range;

mod part;

/// Packs in a chunk, the unit of parallel work. Fixed, so that no result depends on the number of threads.
const CHUNK_PACKS: usize = 16;

/// Most different nodes of a chunk, so that a byte can number them.
pub const CHUNK_NODES: usize = 256;

/// Rest shape and material of one element, before packing.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its number in the model, where rigid bodies have elements too.
    pub number: u32,
    /// The body it belongs to.
    pub body: u32,
    /// Global nodes; a triangle repeats its first node.
    pub nodes: [u32; 4],
    /// Shape gradients g₁, g₂, g₃ (g₀ = −Σ), 1/m; g₃ = 0 for a triangle.
    pub gradients: [Vec3; 3],
    /// Rest volume, m³ (triangles: area times thickness).
    pub volume: f64,
    /// Plane-strain triangle.
    pub planar: bool,
    /// Energy.
    pub model: MaterialModel,
    /// Coefficients of the energy.
    pub coefficients: [f64; 3],
    /// α₁, s.
    pub stiffness_damping: f64,
    /// Fibre.
    pub fibre: Option<ElementFibre>,
    /// The octet that it is a part or a point of.
    pub octet: Option<ElementOctet>,
}

/// What an element knows of its octet.
#[derive(Clone, Copy, Debug)]
pub struct ElementOctet {
    /// How the octet is used; never linear.
    pub formulation: Formulation,
    /// Its ten global nodes.
    pub nodes: [u32; 10],
    /// Which part or point the element is.
    pub part: usize,
    /// Its share of the octet's volume.
    pub share: f64,
}

/// Fibre of one element.
#[derive(Clone, Copy, Debug)]
pub struct ElementFibre {
    /// Passive response.
    pub kind: FibreKind,
    /// Unit rest direction.
    pub direction: Vec3,
    /// Passive modulus, Pa.
    pub modulus: f64,
    /// Fung exponent.
    pub exponent: f64,
    /// Active modulus, Pa.
    pub active: f64,
    /// Active rest stretch.
    pub active_length: f64,
    /// Index of its activation.
    pub channel: usize,
}

/// Eight elements of one kind. Unused lanes of a last pack repeat lane 0 with zero volume.
#[derive(Clone, Debug)]
pub struct ElementPack {
    /// Global node of corner c in lane l: `nodes[c][l]`.
    pub nodes: [[u32; LANES]; 4],
    /// The same in the chunk's own numbers.
    pub local: [[u8; LANES]; 4],
    /// Element in each lane.
    pub elements: [u32; LANES],
    /// Lanes in use.
    pub count: usize,
    /// Components of g₁, g₂, g₃.
    pub gradients: [[Pack; 3]; 3],
    /// Rest volume.
    pub volume: Pack,
    /// F_zz of plane strain, 1 for triangles and 0 for tetrahedra.
    pub plane: f64,
    /// Coefficients of the energy.
    pub coefficients: [Pack; 3],
    /// α₁.
    pub stiffness_damping: Pack,
    /// Fibre, where the elements have one.
    pub fibre: Option<Box<FibreCoefficients>>,
    /// Octets, where the elements are parts or points of them.
    pub octet: Option<Box<OctetPack>>,
}

/// Eight octets, as the pack of one of their parts or points sees them.
#[derive(Clone, Debug)]
pub struct OctetPack {
    /// Their global nodes.
    pub nodes: [[u32; LANES]; 10],
    /// The same in the chunk's own numbers.
    pub local: [[u8; LANES]; 10],
    /// Which part or point.
    pub part: usize,
    /// Whether it is a point.
    pub is_quadratic: bool,
    /// Its share of the octet's volume; in unused lanes that of lane 0.
    pub share: Pack,
}

/// A run of packs of one body with one energy.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Their body.
    pub body: u32,
    /// Its packs.
    pub packs: Range<usize>,
    /// Their nodes in the order of the chunk's own numbers; at most [`CHUNK_NODES`].
    pub nodes: Vec<u32>,
    /// Their energy.
    pub model: MaterialModel,
    /// Whether they have fibres.
    pub has_fibres: bool,
    /// How they see their nodes.
    pub formulation: Formulation,
}

/// All elements of a model.
#[derive(Clone, Debug)]
pub struct ElementSet {
    /// Packs, chunk after chunk.
    pub packs: Vec<ElementPack>,
    /// Chunks.
    pub chunks: Vec<Chunk>,
    /// Chunks by colour: those of one colour share no node.
    pub colours: Vec<Vec<u32>>,
    /// The same for each body alone.
    pub body_colours: Vec<Vec<Vec<u32>>>,
    /// The chunks of each body.
    pub body_chunks: Vec<Range<u32>>,
    /// Number of elements.
    pub element_count: usize,
    /// Whether any α₁ is positive.
    pub has_stiffness_damping: bool,
    /// First parts of quadratic octets, ascending: the four inner parts of an octet are in no pack.
    pub quadratic: Vec<u32>,
}

/// Shape gradients g₁…g₃ and volume of a tetrahedron; the volume is negative when it is inverted.
pub fn tetrahedron_shape(x: [Vec3; 4]) -> Option<([Vec3; 3], f64)> {
    let dm = Mat3::from_columns(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
    let inverse = dm.inverse()?;
    Some((
        [inverse.row(0), inverse.row(1), inverse.row(2)],
        dm.determinant() / 6.0,
    ))
}

/// Shape gradients g₁, g₂ and area of a triangle in the plane of x and y.
pub fn triangle_shape(x: [Vec3; 3]) -> Option<([Vec3; 3], f64)> {
    let (a, b) = (x[1] - x[0], x[2] - x[0]);
    let determinant = a.x * b.y - a.y * b.x;
    if determinant == 0.0 || !determinant.is_finite() {
        return None;
    }
    let g1 = Vec3::new(b.y, -b.x, 0.0) / determinant;
    let g2 = Vec3::new(-a.y, a.x, 0.0) / determinant;
    Some(([g1, g2, Vec3::ZERO], 0.5 * determinant))
}

impl ElementSet {
    /// Packs and colours the elements of `body_count` bodies; `rest` are the rest positions of all nodes.
    pub fn build(elements: &[Element], rest: &[Vec3], body_count: usize) -> ElementSet {
        let mut order: Vec<u32> = (0..elements.len() as u32).collect();
        let curve = curve_positions(elements, rest);
        order.sort_by_key(|&e| (kind_key(&elements[e as usize]), curve[e as usize], e));

        let mut packs = Vec::with_capacity(elements.len().div_ceil(LANES));
        let mut chunks: Vec<Chunk> = Vec::new();
        for run in order
            .chunk_by(|&a, &b| kind_key(&elements[a as usize]) == kind_key(&elements[b as usize]))
        {
            let formulation = elements[run[0] as usize].formulation();
            let parts = formulation.parts();
            for lanes in chunk_runs(run, elements, parts) {
                let nodes = distinct_nodes(lanes, elements);
                let first = packs.len();
                packs.extend(packed(lanes, elements, parts, &nodes));
                chunks.push(Chunk {
                    body: elements[lanes[0] as usize].body,
                    packs: first..packs.len(),
                    nodes,
                    model: elements[lanes[0] as usize].model,
                    has_fibres: elements[lanes[0] as usize].fibre.is_some(),
                    formulation,
                });
            }
        }
        let quadratic = elements.iter().filter(|e| {
            let octet = e.octet.filter(|o| o.part == 0);
            octet.is_some_and(|o| o.formulation == Formulation::Quadratic)
        });
        ElementSet {
            quadratic: quadratic.map(|e| e.number).collect(),
            element_count: elements.len(),
            ..ElementSet::of_chunks(packs, chunks, body_count, rest.len())
        }
    }

    /// Of packs in chunks, body after body; none with quadratic octets.
    fn of_chunks(
        packs: Vec<ElementPack>,
        chunks: Vec<Chunk>,
        body_count: usize,
        node_count: usize,
    ) -> ElementSet {
        let before = |body: u32| chunks.partition_point(|chunk| chunk.body < body) as u32;
        let body_chunks = (0..body_count as u32)
            .map(|b| before(b)..before(b + 1))
            .collect();
        let damps = |pack: &ElementPack| pack.stiffness_damping.0.iter().any(|&a| a > 0.0);
        let mut set = ElementSet {
            element_count: packs.iter().map(|pack| pack.count).sum(),
            has_stiffness_damping: packs.iter().any(damps),
            packs,
            chunks,
            colours: Vec::new(),
            body_colours: vec![Vec::new(); body_count],
            body_chunks,
            quadratic: Vec::new(),
        };
        set.colour(node_count);
        set
    }

    /// The elements as they were before packing, ascending numbers; those of rigid bodies are not among them.
    pub fn unpacked(&self) -> Vec<Element> {
        let mut elements = Vec::with_capacity(self.element_count);
        for chunk in &self.chunks {
            for pack in &self.packs[chunk.packs.clone()] {
                elements.extend((0..pack.count).map(|lane| pack.element(lane, chunk)));
            }
        }
        elements.sort_unstable_by_key(|e| e.number);
        elements
    }

    /// The same packs with every node replaced by its leader: nodes can only become fewer, so that chunks stay chunks.
    pub fn joined(&self, leaders: &[u32]) -> ElementSet {
        let mut set = self.clone();
        let lead = |node: &mut u32| *node = leaders[*node as usize];
        for chunk in &mut set.chunks {
            chunk.nodes.iter_mut().for_each(lead);
            chunk.nodes.sort_unstable();
            chunk.nodes.dedup();
            for pack in &mut set.packs[chunk.packs.clone()] {
                pack.nodes.as_flattened_mut().iter_mut().for_each(lead);
                pack.local = local_numbers(&pack.nodes, &chunk.nodes);
            }
        }
        set.colour(leaders.len());
        set
    }

    /// Calls `visit` with all nodes that an element of some chunks couples: its corners, or the ten nodes of an octet.
    pub fn for_each_clique(
        &self,
        chunks: impl IntoIterator<Item = u32>,
        mut visit: impl FnMut(&[u32]),
    ) {
        for chunk in chunks {
            let chunk = &self.chunks[chunk as usize];
            let packs = self.packs[chunk.packs.clone()].iter();
            for pack in packs.step_by(chunk.formulation.parts()) {
                for lane in 0..pack.count {
                    match &pack.octet {
                        None => visit(&pack.nodes.map(|corner| corner[lane])),
                        Some(octet) => visit(&octet.nodes.map(|node| node[lane])),
                    }
                }
            }
        }
    }

    /// The pattern of a matrix over `nodes` nodes that all elements and further lists of nodes couple.
    pub fn pattern(&self, nodes: usize, further: &[[u32; 4]]) -> Result<BlockPattern, SolveError> {
        let (mut flat, mut ends) = (Vec::with_capacity(4 * self.element_count), Vec::new());
        self.for_each_clique(0..self.chunks.len() as u32, |nodes| {
            flat.extend_from_slice(nodes);
            ends.push(flat.len());
        });
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let lists = starts.zip(&ends).map(|(start, &end)| &flat[start..end]);
        let further = further.iter().map(|nodes| &nodes[..]);
        BlockPattern::from_cliques(nodes, lists.chain(further))
    }

    /// Calls `visit` with the number of each element of a chunk, those that are in no pack among them.
    pub fn for_each_number(&self, chunk: &Chunk, mut visit: impl FnMut(u32)) {
        for pack in &self.packs[chunk.packs.clone()] {
            for &number in &pack.elements[..pack.count] {
                visit(number);
                if chunk.formulation == Formulation::Quadratic {
                    visit(number + 4);
                }
            }
        }
    }

    /// Chunk, pack and lane of every element, by its number in a model with `count` elements; none for elements that are not here.
    pub(crate) fn places(&self, count: usize) -> Vec<Option<[u32; 3]>> {
        let mut places = vec![None; count];
        for (index, chunk) in self.chunks.iter().enumerate() {
            for pack in chunk.packs.clone() {
                let own = &self.packs[pack];
                for lane in 0..own.count {
                    let place = [index as u32, pack as u32, lane as u32];
                    places[own.elements[lane] as usize] = Some(place);
                }
            }
        }
        places
    }

    /// The element in a place, as it was before packing.
    pub(crate) fn element(&self, [chunk, pack, lane]: [u32; 3]) -> Element {
        self.packs[pack as usize].element(lane as usize, &self.chunks[chunk as usize])
    }

    /// Colours the chunks, and those of each body.
    fn colour(&mut self, node_count: usize) {
        let chunks = &self.chunks;
        self.colours = colour(chunks, node_count);
        self.body_colours.iter_mut().for_each(Vec::clear);
        for colour in &self.colours {
            for run in colour.chunk_by(|&a, &b| chunks[a as usize].body == chunks[b as usize].body)
            {
                self.body_colours[chunks[run[0] as usize].body as usize].push(run.to_vec());
            }
        }
    }
}

impl Element {
    fn formulation(&self) -> Formulation {
        self.octet.map_or(Formulation::Linear, |o| o.formulation)
    }

    /// The nodes that it is coupled with.
    fn all_nodes(&self) -> &[u32] {
        match &self.octet {
            Some(octet) => &octet.nodes,
            None => &self.nodes,
        }
    }
}

impl ElementPack {
    /// The octets, where this is a quadrature point of them: its gradient needs all ten nodes.
    #[inline(always)]
    pub fn point(&self) -> Option<&OctetPack> {
        self.octet.as_deref().filter(|octet| octet.is_quadratic)
    }

    /// The element in a lane.
    fn element(&self, lane: usize, chunk: &Chunk) -> Element {
        let vector = |packs: &[Pack; 3]| {
            let [x, y, z] = packs;
            Vec3::new(x.0[lane], y.0[lane], z.0[lane])
        };
        Element {
            number: self.elements[lane],
            body: chunk.body,
            nodes: self.nodes.map(|corner| corner[lane]),
            gradients: [0, 1, 2].map(|a| vector(&self.gradients[a])),
            volume: self.volume.0[lane],
            planar: self.plane != 0.0,
            model: chunk.model,
            coefficients: self.coefficients.map(|c| c.0[lane]),
            stiffness_damping: self.stiffness_damping.0[lane],
            fibre: self.fibre.as_ref().map(|f| ElementFibre {
                kind: f.kind,
                direction: vector(&f.direction),
                modulus: f.modulus.0[lane],
                exponent: f.exponent.0[lane],
                active: f.active.0[lane],
                active_length: f.active_length.0[lane],
                channel: f.channel,
            }),
            octet: self.octet.as_ref().map(|octet| ElementOctet {
                formulation: chunk.formulation,
                nodes: octet.nodes.map(|node| node[lane]),
                part: octet.part,
                share: octet.share.0[lane],
            }),
        }
    }

    fn new(ids: &[u32], elements: &[Element], chunk_nodes: &[u32]) -> ElementPack {
        let lane = |l: usize| &elements[*ids.get(l).unwrap_or(&ids[0]) as usize];
        let pack = |value: &dyn Fn(&Element) -> f64| Pack(std::array::from_fn(|l| value(lane(l))));
        let mut volume = pack(&|e| e.volume);
        volume.0[ids.len()..].fill(0.0);
        let fibre = lane(0).fibre.map(|first| {
            let of = |value: &dyn Fn(&ElementFibre) -> f64| {
                pack(&|e| e.fibre.as_ref().map_or(0.0, value))
            };
            Box::new(FibreCoefficients {
                kind: first.kind,
                direction: [
                    of(&|f| f.direction.x),
                    of(&|f| f.direction.y),
                    of(&|f| f.direction.z),
                ],
                modulus: of(&|f| f.modulus),
                exponent: of(&|f| f.exponent),
                active: of(&|f| f.active),
                active_length: of(&|f| f.active_length),
                channel: first.channel,
            })
        });
        let nodes: [[u32; LANES]; 4] =
            std::array::from_fn(|c| std::array::from_fn(|l| lane(l).nodes[c]));
        let octet = lane(0).octet.map(|first| {
            let of = |l: usize| lane(l).octet.as_ref().unwrap_or(&first);
            let nodes: [[u32; LANES]; 10] =
                std::array::from_fn(|n| std::array::from_fn(|l| of(l).nodes[n]));
            Box::new(OctetPack {
                local: local_numbers(&nodes, chunk_nodes),
                nodes,
                part: first.part,
                is_quadratic: first.formulation == Formulation::Quadratic,
                share: Pack(std::array::from_fn(|l| of(l).share)),
            })
        });
        ElementPack {
            local: local_numbers(&nodes, chunk_nodes),
            octet,
            nodes,
            elements: std::array::from_fn(|l| lane(l).number),
            count: ids.len(),
            gradients: std::array::from_fn(|g| {
                std::array::from_fn(|c| pack(&|e| e.gradients[g][c]))
            }),
            volume,
            plane: if lane(0).planar { 1.0 } else { 0.0 },
            coefficients: std::array::from_fn(|i| pack(&|e| e.coefficients[i])),
            stiffness_damping: pack(&|e| e.stiffness_damping),
            fibre,
        }
    }
}

/// Nodes of some elements, ascending.
fn distinct_nodes(lanes: &[u32], elements: &[Element]) -> Vec<u32> {
    let all = lanes.iter().flat_map(|&e| elements[e as usize].all_nodes());
    let mut nodes: Vec<u32> = all.copied().collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// Packs of a run of elements along the curve. Neighbours go to the same lane of consecutive packs, not to the lanes of one: their
/// common nodes would be added to eight times in a row, each addition waiting for the one before.
fn packed(lanes: &[u32], elements: &[Element], parts: usize, nodes: &[u32]) -> Vec<ElementPack> {
    let count = lanes.len().div_ceil(LANES * parts);
    let pack = |pack: usize| {
        let units = lanes.chunks(parts).skip(pack / parts).step_by(count);
        let ids: Vec<u32> = units.map(|unit| unit[pack % parts]).collect();
        ElementPack::new(&ids, elements, nodes)
    };
    (0..count * parts).map(pack).collect()
}

/// Places of nodes in a chunk's list, which has all of them and is short enough for a byte.
fn local_numbers<const N: usize>(
    nodes: &[[u32; LANES]; N],
    chunk_nodes: &[u32],
) -> [[u8; LANES]; N] {
    let local = |node| chunk_nodes.partition_point(|&n| n < node) as u8;
    nodes.map(|corner| corner.map(local))
}

/// Cuts a run of elements into chunks of at most [`CHUNK_PACKS`] packs and [`CHUNK_NODES`] nodes, without cutting `parts` apart.
fn chunk_runs<'a>(run: &'a [u32], elements: &'a [Element], parts: usize) -> Vec<&'a [u32]> {
    let mut chunks = Vec::with_capacity(run.len().div_ceil(LANES * CHUNK_PACKS));
    for part in run.chunks(LANES * CHUNK_PACKS) {
        let mut rest = part;
        while !rest.is_empty() {
            let mut nodes: Vec<u32> = Vec::with_capacity(CHUNK_NODES + 10);
            let fits = |unit: &&[u32]| {
                for &node in elements[unit[0] as usize].all_nodes() {
                    if let Err(place) = nodes.binary_search(&node) {
                        nodes.insert(place, node);
                    }
                }
                nodes.len() <= CHUNK_NODES
            };
            let count = parts * rest.chunks(parts).take_while(fits).count();
            let (chunk, after) = rest.split_at(count);
            chunks.push(chunk);
            rest = after;
        }
    }
    chunks
}

/// Elements may share a pack when this is equal.
fn kind_key(
    e: &Element,
) -> (
    u32,
    Formulation,
    MaterialModel,
    bool,
    Option<(FibreKind, usize)>,
) {
    let fibre = e.fibre.map(|f| (f.kind, f.channel));
    (e.body, e.formulation(), e.model, e.planar, fibre)
}

/// Position of each element's centre along a Z-order curve through the model's bounding box.
fn curve_positions(elements: &[Element], rest: &[Vec3]) -> Vec<u64> {
    let low = rest.iter().copied().reduce(Vec3::min).unwrap_or_default();
    let high = rest.iter().copied().reduce(Vec3::max).unwrap_or_default();
    let size = (high - low).max_abs().max(f64::MIN_POSITIVE);
    let spread = |v: f64| {
        // 21 bits with two zeros between neighbours
        let mut b = (v * ((1 << 21) - 1) as f64) as u64;
        b = (b | b << 32) & 0x001f_0000_0000_ffff;
        b = (b | b << 16) & 0x001f_0000_ff00_00ff;
        b = (b | b << 8) & 0x100f_00f0_0f00_f00f;
        b = (b | b << 4) & 0x10c3_0c30_c30c_30c3;
        (b | b << 2) & 0x1249_2492_4924_9249
    };
    elements
        .iter()
        .map(|e| {
            let nodes = e.all_nodes();
            let sum = (nodes.iter()).fold(Vec3::ZERO, |s, &n| s + rest[n as usize]);
            let c = (sum / nodes.len() as f64 - low) / size;
            spread(c.x) | spread(c.y) << 1 | spread(c.z) << 2
        })
        .collect()
}

/// Greedy colouring of chunks, each taking the least used colour that none of its nodes has.
fn colour(chunks: &[Chunk], node_count: usize) -> Vec<Vec<u32>> {
    const MASK_COLOURS: usize = 128;
    let mut used = vec![0u128; node_count];
    let mut colours: Vec<Vec<u32>> = Vec::new();
    for (index, chunk) in chunks.iter().enumerate() {
        let nodes = &chunk.nodes;
        let taken = (nodes.iter()).fold(0u128, |mask, &n| mask | used[n as usize]);
        let free = (0..colours.len().min(MASK_COLOURS)).filter(|c| taken & (1 << c) == 0);
        let chosen = free
            .min_by_key(|&c| colours[c].len())
            .unwrap_or(colours.len());
        if chosen == colours.len() {
            colours.push(Vec::new());
        }
        colours[chosen].push(index as u32);
        if chosen < MASK_COLOURS {
            for &n in nodes {
                used[n as usize] |= 1 << chosen;
            }
        }
        // a colour beyond the mask is never offered again, so it holds one chunk and cannot conflict
    }
    colours
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vec3;

    #[test]
    fn gradients_reproduce_linear_fields() {
        let x = [
            vec3(0.1, 0.2, 0.3),
            vec3(1.2, 0.1, 0.0),
            vec3(0.3, 1.4, 0.2),
            vec3(0.0, 0.3, 1.1),
        ];
        let (g, volume) = tetrahedron_shape(x).unwrap();
        let g0 = -(g[0] + g[1] + g[2]);
        let all = [g0, g[0], g[1], g[2]];
        let f = (0..4).fold(Mat3::ZERO, |f, a| f + Mat3::outer(x[a], all[a]));
        assert!((f - Mat3::IDENTITY).max_abs() < 1e-14 && volume > 0.0);
        // the outward area normal opposite corner a is −3V gₐ (METHODS 0.2)
        let normal0 = (x[2] - x[1]).cross(x[3] - x[1]) * 0.5;
        assert!((normal0 - g0 * (-3.0 * volume)).norm() < 1e-14);

        let t = [
            vec3(0.0, 0.0, 0.0),
            vec3(2.0, 0.5, 0.0),
            vec3(0.3, 1.0, 0.0),
        ];
        let (g, area) = triangle_shape(t).unwrap();
        assert!((g[0].dot(t[1] - t[0]) - 1.0).abs() < 1e-15 && g[0].dot(t[2] - t[0]).abs() < 1e-15);
        assert!((area - 0.5 * (2.0 - 0.15)).abs() < 1e-15);
    }
}
