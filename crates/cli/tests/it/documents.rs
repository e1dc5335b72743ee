//! Documents state only what is true: paths exist, citations resolve.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn paths_named_in_the_documents_exist() {
    for document in [
        "ARCHITECTURE.md",
        "README.md",
        "docs/dependencies.md",
        "docs/scenes.md",
    ] {
        let text = read(document);
        let mut found = 0;
        for quoted in text.split('`').skip(1).step_by(2) {
            let first = quoted.split('/').next().unwrap_or("");
            if ["crates", "docs", "scenes", "benches"].contains(&first) && !quoted.contains(' ') {
                assert!(
                    root().join(quoted).exists(),
                    "{document} names `{quoted}`, which does not exist"
                );
                found += 1;
            }
        }
        assert!(found > 0, "{document} names no path at all");
    }
}

fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|e| e == "rs" || e == "md") {
            all.push(path);
        }
    }
}

/// Keys such as AB12 or ABCD12 in square brackets, alone or before a comma.
fn citations(text: &str) -> BTreeSet<String> {
    let is_key = |s: &str| {
        let letters = s.trim_end_matches(|c: char| c.is_ascii_digit());
        s.len() == letters.len() + 2
            && (2..=4).contains(&letters.len())
            && letters.chars().all(|c| c.is_ascii_uppercase())
    };
    let inside = |part: &str| part.split([']', ',']).next().unwrap_or("").to_string();
    text.split('[')
        .skip(1)
        .map(inside)
        .filter(|key| is_key(key))
        .collect()
}

#[test]
fn citations_and_bibliography_agree() {
    let entries: BTreeSet<String> = read("docs/references.bib")
        .lines()
        .filter_map(|line| {
            line.strip_prefix('@')?
                .split_once('{')?
                .1
                .split(',')
                .next()
                .map(str::to_string)
        })
        .collect();
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    sources(&root().join("docs"), &mut files);
    let mut cited = BTreeSet::new();
    for file in files {
        cited.extend(citations(&std::fs::read_to_string(file).unwrap()));
    }
    assert_eq!(
        cited, entries,
        "cited keys (left) and entries of docs/references.bib (right)"
    );
}

#[test]
fn the_guide_s_example_is_a_scene() {
    let guide = read("docs/scenes.md");
    let example = guide
        .split("```toml")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .unwrap();
    let file = pliant_scene::parse(example, "docs/scenes.md").unwrap_or_else(|e| panic!("{e}"));
    pliant_scene::build(&file, None).unwrap_or_else(|e| panic!("{e}"));
}
