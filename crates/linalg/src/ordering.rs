//! Fill-reducing elimination order of the node graph: nested dissection, then a postorder of the elimination tree.
//!
//! The postorder keeps the fill and makes every subtree, so every supernode, a run of consecutive columns.
//! Permutations map new to old indices.

use crate::block_matrix::BlockPattern;
use crate::error::SolveError;
use feral_metis::{CscPattern, MetisOptions, metis_order_full};

/// Marks a tree node without a parent.
pub(crate) const NONE: u32 = u32::MAX;

/// Nested dissection with minimum degree on the leaves, postordered; new → old.
pub fn elimination_order(pattern: &BlockPattern) -> Result<Vec<u32>, SolveError> {
    Ok(postordered(pattern, &nested_dissection(pattern)?))
}

/// The same elimination tree with every subtree in consecutive columns; new → old.
pub(crate) fn postordered(pattern: &BlockPattern, order: &[u32]) -> Vec<u32> {
    let parents = elimination_tree(pattern, order);
    let places = postorder(&parents);
    places.iter().map(|&k| order[k as usize]).collect()
}

fn nested_dissection(pattern: &BlockPattern) -> Result<Vec<u32>, SolveError> {
    let n = pattern.row_count();
    if n == 0 {
        return Ok(Vec::new());
    }
    let signed = |count: u32| {
        i32::try_from(count).map_err(|_| SolveError::TooLarge {
            what: "blocks",
            count: count as usize,
        })
    };
    let starts = pattern
        .row_starts()
        .iter()
        .map(|&s| signed(s))
        .collect::<Result<Vec<_>, _>>()?;
    let columns = pattern
        .columns()
        .iter()
        .map(|&c| signed(c))
        .collect::<Result<Vec<_>, _>>()?;
    let failed = |reason: String| SolveError::Ordering { reason };
    let graph = CscPattern::new(n, &starts, &columns)
        .ok_or_else(|| failed("the pattern is malformed".to_string()))?;
    let (order, _, _) = metis_order_full(&graph, &MetisOptions::default())
        .map_err(|error| failed(error.to_string()))?;
    // the library is young: trust, but check that every node comes once
    let mut seen = vec![false; n];
    for &old in &order {
        match seen.get_mut(old as usize) {
            Some(seen) if !*seen => *seen = true,
            _ => return Err(failed("the order is not a permutation".to_string())),
        }
    }
    if order.len() != n {
        return Err(failed("the order is not a permutation".to_string()));
    }
    Ok(order.into_iter().map(|old| old as u32).collect())
}

/// old → new from new → old.
pub(crate) fn invert(permutation: &[u32]) -> Vec<u32> {
    let mut inverse = vec![0; permutation.len()];
    for (new, &old) in permutation.iter().enumerate() {
        inverse[old as usize] = new as u32;
    }
    inverse
}

/// The elimination tree of the permuted pattern: the parent of j is the first row below j in column j of L.
///
/// Rows are added one at a time; paths to the current root are compressed.
pub(crate) fn elimination_tree(pattern: &BlockPattern, permutation: &[u32]) -> Vec<u32> {
    let inverse = invert(permutation);
    let mut parents = vec![NONE; permutation.len()];
    let mut ancestors = parents.clone();
    for i in 0..permutation.len() as u32 {
        for &old in pattern.row(permutation[i as usize] as usize) {
            let mut j = inverse[old as usize];
            while j < i {
                let next = std::mem::replace(&mut ancestors[j as usize], i);
                if next == NONE {
                    parents[j as usize] = i;
                    break;
                }
                j = next;
            }
        }
    }
    parents
}

/// Children before parents, each subtree consecutive, siblings in index order; new → old.
pub(crate) fn postorder(parents: &[u32]) -> Vec<u32> {
    // sibling lists, filled backwards so that they come out in index order
    let mut first_child = vec![NONE; parents.len()];
    let mut next_sibling = vec![NONE; parents.len()];
    let mut roots = Vec::new();
    for j in (0..parents.len()).rev() {
        match parents[j] {
            NONE => roots.push(j as u32),
            parent => {
                next_sibling[j] = first_child[parent as usize];
                first_child[parent as usize] = j as u32;
            }
        }
    }
    let mut order = Vec::with_capacity(parents.len());
    let mut stack = Vec::new();
    while let Some(root) = roots.pop() {
        stack.push(root);
        while let Some(&top) = stack.last() {
            let child = std::mem::replace(&mut first_child[top as usize], NONE);
            if child == NONE {
                order.push(top);
                stack.pop();
                let sibling = next_sibling[top as usize];
                if !stack.is_empty() && sibling != NONE {
                    stack.push(sibling);
                }
            } else {
                stack.push(child);
            }
        }
    }
    order
}

/// Blocks in each column of L, the diagonal included, by walking the row subtrees.
pub(crate) fn column_counts(
    pattern: &BlockPattern,
    permutation: &[u32],
    parents: &[u32],
) -> Vec<u32> {
    let inverse = invert(permutation);
    let mut counts = vec![1_u32; permutation.len()];
    let mut marks = vec![NONE; permutation.len()];
    for i in 0..permutation.len() as u32 {
        marks[i as usize] = i;
        for &old in pattern.row(permutation[i as usize] as usize) {
            let mut j = inverse[old as usize];
            while j < i && marks[j as usize] != i {
                marks[j as usize] = i;
                counts[j as usize] += 1;
                j = parents[j as usize];
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{grid_pattern, random_spd};

    /// Columns of L by dense elimination.
    fn dense_fill(pattern: &BlockPattern, permutation: &[u32]) -> Vec<Vec<usize>> {
        let n = permutation.len();
        let inverse = invert(permutation);
        let mut filled = vec![vec![false; n]; n];
        for i in 0..n {
            for &j in pattern.row(i) {
                filled[inverse[i] as usize][inverse[j as usize] as usize] = true;
            }
        }
        for k in 0..n {
            for i in k + 1..n {
                for j in k + 1..n {
                    filled[i][j] |= filled[i][k] && filled[k][j];
                }
            }
        }
        (0..n)
            .map(|j| (j + 1..n).filter(|&i| filled[i][j]).collect())
            .collect()
    }

    #[test]
    fn tree_and_counts_match_dense_elimination() {
        for (seed, n) in [(1, 1), (2, 2), (3, 17), (4, 60)] {
            let pattern = random_spd(n, seed).pattern().as_ref().clone();
            let mut identity: Vec<u32> = (0..n as u32).collect();
            for permutation in [elimination_order(&pattern).unwrap(), {
                identity.reverse();
                identity
            }] {
                let columns = dense_fill(&pattern, &permutation);
                let parents = elimination_tree(&pattern, &permutation);
                let counts = column_counts(&pattern, &permutation, &parents);
                for j in 0..n {
                    let parent = columns[j].first().map_or(NONE, |&i| i as u32);
                    assert_eq!(parents[j], parent);
                    assert_eq!(counts[j] as usize, columns[j].len() + 1);
                }
            }
        }
    }

    #[test]
    fn postorder_puts_each_subtree_in_a_run() {
        let parents = [4, 3, 3, 5, 5, NONE, 7, NONE];
        assert_eq!(postorder(&parents), [1, 2, 3, 0, 4, 5, 6, 7]);
        assert!(postorder(&[]).is_empty());
    }

    #[test]
    fn order_of_a_grid_is_postordered_and_better_than_natural() {
        let pattern = grid_pattern([8, 8, 8]);
        let order = elimination_order(&pattern).unwrap();
        let parents = elimination_tree(&pattern, &order);
        let run: Vec<u32> = (0..order.len() as u32).collect();
        assert_eq!(postorder(&parents), run);
        let fill = |order: &[u32]| {
            let parents = elimination_tree(&pattern, order);
            column_counts(&pattern, order, &parents).iter().sum::<u32>()
        };
        assert!(fill(&order) < fill(&run) * 3 / 4);
    }

    #[test]
    fn components_and_isolated_nodes_are_ordered() {
        let pattern = BlockPattern::from_edges(7, &[[0, 1], [3, 5], [5, 6]]).unwrap();
        let mut order = elimination_order(&pattern).unwrap();
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2, 3, 4, 5, 6]);
    }
}
