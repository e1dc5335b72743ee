//! One domain of elements for each bone [TMDK15, Section 4.3].

use super::weights::SkinWeights;

/// A node of several domains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterfaceNode {
    /// The node.
    pub node: u32,
    /// Its domains, in order.
    pub domains: Vec<u32>,
}

/// A partition of the elements by bones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domains {
    /// For each element its bone.
    pub of_element: Vec<u32>,
    /// For each bone its elements, in order; a bone may have none.
    pub elements: Vec<Vec<u32>>,
    /// For each bone the nodes of its elements, in order.
    pub nodes: Vec<Vec<u32>>,
    /// Nodes of several domains, in order.
    pub interface: Vec<InterfaceNode>,
}

/// Gives each element to the bone to which most of its nodes belong; of equals to the one with the larger weights, then the first.
pub fn split_into_domains(
    element_nodes: impl Iterator<Item = impl AsRef<[u32]>>,
    weights: &SkinWeights,
    bone_count: usize,
) -> Domains {
    let mut of_element = Vec::new();
    let mut elements = vec![Vec::new(); bone_count];
    let mut nodes: Vec<Vec<u32>> = vec![Vec::new(); bone_count];
    for (e, corners) in element_nodes.enumerate() {
        let corners = corners.as_ref();
        let bone = elected(corners, weights);
        of_element.push(bone);
        elements[bone as usize].push(e as u32);
        nodes[bone as usize].extend_from_slice(corners);
    }
    let mut domains_of = vec![Vec::new(); weights.node_count()];
    for (bone, list) in nodes.iter_mut().enumerate() {
        list.sort_unstable();
        list.dedup();
        for &node in list.iter() {
            domains_of[node as usize].push(bone as u32);
        }
    }
    let shared = domains_of.into_iter().enumerate();
    let interface = shared
        .filter(|(_, domains)| domains.len() > 1)
        .map(|(node, domains)| InterfaceNode {
            node: node as u32,
            domains,
        })
        .collect();
    Domains {
        of_element,
        elements,
        nodes,
        interface,
    }
}

fn elected(corners: &[u32], weights: &SkinWeights) -> u32 {
    let votes = |bone: u32| {
        let voters = corners
            .iter()
            .filter(|&&n| weights.bone_of(n as usize) == bone);
        voters.count()
    };
    let sum = |bone: u32| -> f64 {
        let all = corners.iter().flat_map(|&n| weights.of(n as usize));
        all.filter(|w| w.0 == bone).map(|w| w.1).sum()
    };
    let candidates = corners.iter().map(|&n| weights.bone_of(n as usize));
    let better = |a: u32, b: u32| {
        let order = (votes(a).cmp(&votes(b)))
            .then(sum(a).total_cmp(&sum(b)))
            .then(b.cmp(&a));
        if order.is_ge() { a } else { b }
    };
    candidates.reduce(better).unwrap_or(0)
}
