//! Some elements of a set with other numbers for their nodes, in the packs that they have there: far cheaper than packing them anew.

use super::{
    CHUNK_NODES, Chunk, Element, ElementPack, ElementSet, chunk_runs, distinct_nodes, packed,
};
use pliant_linalg::lanes::LANES;
use rayon::prelude::*;

/// Chunks that one thread works on together.
const BATCH: usize = 8;

impl ElementSet {
    /// Of these chunks of linear elements, ascending, the elements that are `taken`; `number` gives a corner of an element its node among `node_count` others.
    pub(crate) fn part(
        &self,
        chunks: &[u32],
        taken: impl Fn(u32) -> bool + Sync,
        number: impl Fn(u32, u32) -> u32 + Sync,
        node_count: usize,
    ) -> ElementSet {
        let of_chunk = |&index: &u32| {
            let chunk = &self.chunks[index as usize];
            let packs = &self.packs[chunk.packs.clone()];
            let whole = || {
                packs
                    .iter()
                    .all(|pack| pack.used().iter().all(|&e| taken(e)))
            };
            match renumbered(chunk, packs, &number).filter(|_| whole()) {
                Some(made) => vec![made],
                None => repacked(chunk, packs, &taken, &number),
            }
        };
        let made: Vec<_> = (chunks.par_iter().with_min_len(BATCH))
            .map(of_chunk)
            .collect();
        let (mut packs, mut own): (Vec<ElementPack>, Vec<Chunk>) = Default::default();
        for (mut chunk, part) in made.into_iter().flatten() {
            chunk.packs = packs.len()..packs.len() + part.len();
            packs.extend(part);
            own.push(chunk);
        }
        ElementSet::of_chunks(packs, own, self.body_chunks.len(), node_count)
    }
}

impl ElementPack {
    /// Elements of the lanes in use.
    fn used(&self) -> &[u32] {
        &self.elements[..self.count]
    }
}

/// A chunk whose elements all stay, if all of them give a node the same number.
fn renumbered(
    chunk: &Chunk,
    packs: &[ElementPack],
    number: impl Fn(u32, u32) -> u32,
) -> Option<(Chunk, Vec<ElementPack>)> {
    let mut nodes = vec![u32::MAX; chunk.nodes.len()];
    for pack in packs {
        for lane in 0..pack.count {
            for (local, node) in pack.local.iter().zip(&pack.nodes) {
                let known = &mut nodes[local[lane] as usize];
                let new = number(pack.elements[lane], node[lane]);
                if *known != u32::MAX && *known != new {
                    return None;
                }
                *known = new;
            }
        }
    }
    let renamed = |pack: &ElementPack| ElementPack {
        nodes: (pack.local).map(|corner| corner.map(|local| nodes[local as usize])),
        ..pack.clone()
    };
    let packs = packs.iter().map(renamed).collect();
    Some((
        Chunk {
            nodes,
            ..chunk.clone()
        },
        packs,
    ))
}

/// The elements that stay, along the same curve.
fn repacked(
    chunk: &Chunk,
    packs: &[ElementPack],
    taken: impl Fn(u32) -> bool,
    number: impl Fn(u32, u32) -> u32,
) -> Vec<(Chunk, Vec<ElementPack>)> {
    let mut elements: Vec<Element> = Vec::new();
    // a run along the curve fills a lane of all packs before the next, see `packed`
    for lane in 0..LANES {
        let own = packs.iter().filter(|pack| lane < pack.count);
        for pack in own.filter(|pack| taken(pack.elements[lane])) {
            let mut element = pack.element(lane, chunk);
            element.nodes = element.nodes.map(|node| number(element.number, node));
            elements.push(element);
        }
    }
    if elements.is_empty() {
        return Vec::new();
    }
    let all: Vec<u32> = (0..elements.len() as u32).collect();
    let nodes = distinct_nodes(&all, &elements);
    let runs = match nodes.len() <= CHUNK_NODES {
        true => vec![&all[..]],
        false => chunk_runs(&all, &elements, 1),
    };
    let made = runs.into_iter().map(|run| {
        let nodes = distinct_nodes(run, &elements);
        let packs = packed(run, &elements, 1, &nodes);
        let chunk = Chunk {
            nodes,
            ..chunk.clone()
        };
        (chunk, packs)
    });
    made.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{MaterialModel, MaterialSpecification};
    use crate::model::{BodySpecification, Model};
    use pliant_linalg::{Vec3, vec3};
    use pliant_mesh::generate;

    #[test]
    fn a_part_has_the_elements_with_their_shapes_and_new_nodes() {
        let mesh = generate::bar(vec3(0.4, 0.1, 0.1), [16, 4, 4], generate::Split::Six).unwrap();
        let soft = MaterialSpecification::new(MaterialModel::NeoHookean, 1e6, 0.35, 1000.0);
        let body = BodySpecification::uniform("bar", mesh, soft);
        let model = Model::build(vec![body], Vec::new(), Vec3::ZERO).unwrap();
        let set = &model.elements;
        assert!(set.chunks.len() > 2);
        // every chunk but the second, whole or in part; elements of odd number only from the third on
        let chunks: Vec<u32> = (0..set.chunks.len() as u32).filter(|&c| c != 1).collect();
        let places = set.places(model.element_count());
        let taken = |e: u32| places[e as usize].is_some_and(|[chunk, ..]| chunk < 2 || e % 2 == 1);
        let count = 2 * model.node_count();
        // a node of elements below the tenth is another one to them
        let number = |e: u32, node: u32| 2 * node + u32::from(e < 10);
        let part = set.part(&chunks, taken, number, count);
        let expected: Vec<Element> = (set.unpacked().into_iter())
            .filter(|e| {
                places[e.number as usize].is_some_and(|[chunk, ..]| chunk != 1) && taken(e.number)
            })
            .map(|e| Element {
                nodes: e.nodes.map(|node| number(e.number, node)),
                ..e
            })
            .collect();
        let found = part.unpacked();
        assert_eq!(found.len(), expected.len());
        assert_eq!(part.element_count, expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(format!("{found:?}"), format!("{expected:?}"));
        }
        // chunks know their nodes, and those of one colour share none
        for chunk in &part.chunks {
            for pack in &part.packs[chunk.packs.clone()] {
                let of_local = pack
                    .local
                    .map(|corner| corner.map(|l| chunk.nodes[l as usize]));
                for lane in 0..pack.count {
                    assert_eq!(of_local.map(|c| c[lane]), pack.nodes.map(|c| c[lane]));
                }
            }
        }
        for colour in &part.colours {
            let mut seen = std::collections::BTreeSet::new();
            let mut nodes = (colour.iter()).flat_map(|&c| &part.chunks[c as usize].nodes);
            assert!(nodes.all(|node| seen.insert(node)));
        }
        let in_colours: usize = part.colours.iter().map(Vec::len).sum();
        assert_eq!(in_colours, part.chunks.len());
    }
}
