//! Skeleton files: lines of `index x y z parent`, and the Trivial Graph Format with joints, then bones.

use super::error::RigError;
use super::skeleton::{Joint, Skeleton};
use pliant_linalg::{Vec3, vec3};

/// Most joints of a skeleton.
const JOINT_LIMIT: usize = 100_000;

fn problem(line: usize, problem: impl Into<String>) -> RigError {
    RigError::Line {
        line: line + 1,
        problem: problem.into(),
    }
}

/// Lines that are neither empty nor comments, with their numbers from 0.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    lines.map(|(n, line)| (n, line.trim()))
}

fn number(word: Option<&str>, line: usize, what: &str) -> Result<f64, RigError> {
    let word = word.ok_or_else(|| problem(line, format!("{what} is missing")))?;
    let value = word.parse::<f64>().ok().filter(|v| v.is_finite());
    value.ok_or_else(|| {
        problem(
            line,
            format!("{what} must be a finite number, not `{word}`"),
        )
    })
}

fn whole(word: Option<&str>, line: usize, what: &str) -> Result<i64, RigError> {
    let word = word.ok_or_else(|| problem(line, format!("{what} is missing")))?;
    let value = word.parse::<i64>().ok();
    value.ok_or_else(|| problem(line, format!("{what} must be a whole number, not `{word}`")))
}

fn place<'w>(words: &mut impl Iterator<Item = &'w str>, line: usize) -> Result<Vec3, RigError> {
    let mut next = |what: &str| number(words.next(), line, what);
    Ok(vec3(next("x")?, next("y")?, next("z")?))
}

/// A joint a line, `index x y z parent`: indices from 0 in order, −1 for the parent of a root, lengths in m. Names are `joint N`;
/// a word after the parent is taken for a name. `#` begins a comment.
pub fn read_skeleton(text: &str) -> Result<Skeleton, RigError> {
    let mut joints: Vec<Joint> = Vec::new();
    for (line, words) in lines(text) {
        let content = words.split('#').next().unwrap_or_default();
        if content.trim().is_empty() {
            continue;
        }
        let mut words = content.split_whitespace();
        let index = whole(words.next(), line, "the index of the joint")?;
        if index != joints.len() as i64 {
            let expected = joints.len();
            return Err(problem(
                line,
                format!(
                    "joints are numbered from 0 in order: {expected} should follow, not {index}"
                ),
            ));
        }
        let position = place(&mut words, line)?;
        let parent = whole(words.next(), line, "the parent (−1 for none)")?;
        let name = words
            .next()
            .map_or_else(|| format!("joint {index}"), str::to_string);
        if words.next().is_some() {
            return Err(problem(line, "there are words after the name"));
        }
        joints.push(Joint {
            name,
            position,
            parent: match parent {
                -1 => None,
                0.. => Some(parent as usize),
                _ => {
                    return Err(problem(
                        line,
                        format!("the parent is −1 for none or an index, not {parent}"),
                    ));
                }
            },
        });
        if joints.len() > JOINT_LIMIT {
            return Err(problem(line, "this is no skeleton: too many joints"));
        }
    }
    Skeleton::new(joints)
}

/// TGF: lines `number x y z …` of joints (numbered from 1, further columns are ignored), a line `#`, lines `start end` of bones,
/// and possibly more after another `#`. Bones lead away from the first joint that is the end of none, whatever their direction.
pub fn read_tgf(text: &str) -> Result<Skeleton, RigError> {
    let mut positions: Vec<Vec3> = Vec::new();
    let mut links: Vec<(usize, [usize; 2])> = Vec::new();
    let mut section = 0;
    for (line, content) in lines(text) {
        if content.starts_with('#') {
            section += 1;
            continue;
        }
        let mut words = content.split_whitespace();
        match section {
            _ if content.is_empty() => {}
            0 => {
                let index = whole(words.next(), line, "the number of the joint")?;
                if index != positions.len() as i64 + 1 || positions.len() >= JOINT_LIMIT {
                    let expected = positions.len() + 1;
                    return Err(problem(
                        line,
                        format!(
                            "joints are numbered from 1 in order: {expected} should follow, not {index}"
                        ),
                    ));
                }
                positions.push(place(&mut words, line)?);
            }
            1 => {
                let mut end = |what: &str| {
                    let joint = whole(words.next(), line, what)?;
                    let known = joint >= 1 && joint <= positions.len() as i64;
                    if !known {
                        let count = positions.len();
                        return Err(problem(
                            line,
                            format!("there is no joint {joint}: there are {count}"),
                        ));
                    }
                    Ok(joint as usize - 1)
                };
                links.push((line, [end("the start of the bone")?, end("its end")?]));
            }
            // pseudo edges and cages are of no use here
            _ => break,
        }
    }
    let parents = tree(positions.len(), &links)?;
    let joints = positions.into_iter().zip(parents).enumerate();
    Skeleton::new(
        joints
            .map(|(index, (position, parent))| Joint {
                name: format!("joint {}", index + 1),
                position,
                parent,
            })
            .collect(),
    )
}

/// Parents of the joints when the links are followed away from roots: in each connected part the first joint that is no link's end.
fn tree(count: usize, links: &[(usize, [usize; 2])]) -> Result<Vec<Option<usize>>, RigError> {
    let mut neighbours = vec![Vec::new(); count];
    let mut is_end = vec![false; count];
    for &(line, [a, b]) in links {
        if a == b {
            return Err(problem(line, "this bone starts and ends at one joint"));
        }
        neighbours[a].push((b, line));
        neighbours[b].push((a, line));
        is_end[b] = true;
    }
    let mut parents = vec![None; count];
    let mut seen = vec![false; count];
    let firsts = (0..count).filter(|&j| !is_end[j]);
    for root in firsts.chain(0..count) {
        if seen[root] {
            continue;
        }
        seen[root] = true;
        let mut open = vec![(root, usize::MAX)];
        while let Some((joint, from)) = open.pop() {
            for &(other, line) in &neighbours[joint] {
                if line == from {
                    continue;
                }
                if seen[other] {
                    return Err(problem(
                        line,
                        "this bone closes a circle: a skeleton is a tree",
                    ));
                }
                seen[other] = true;
                parents[other] = Some(joint);
                open.push((other, line));
            }
        }
    }
    Ok(parents)
}
