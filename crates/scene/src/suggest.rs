//! The nearest of several known names, for messages about unknown ones.

/// Number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// The candidate that `name` is probably meant to be: the first of the least distant, if at most a
/// third of the letters (and at least one) differ, not counting case and the choice between `-` and `_`.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 64;
    let plain = |s: &str| s.to_lowercase().replace('_', "-");
    let wanted = plain(name);
    let length = wanted.chars().count();
    if length > LONGEST {
        return None;
    }
    let allowed = (length / 3).max(1);
    candidates
        .into_iter()
        .map(|c| (edit_distance(&wanted, &plain(c)), c))
        .filter(|(distance, _)| *distance <= allowed && *distance < length)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, c)| c)
}

/// "did you mean `x`? known: `x`, `y`", or only the list when nothing is near.
pub fn did_you_mean(name: &str, candidates: &[&str]) -> String {
    let known: Vec<String> = candidates.iter().map(|c| format!("`{c}`")).collect();
    let list = match known.len() {
        0 => "there is none".to_string(),
        1 => format!("there is only {}", known[0]),
        _ => format!("known are {}", known.join(", ")),
    };
    match nearest(name, candidates.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? {list}"),
        None => list,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_by_hand() {
        for (a, b, d) in [
            ("", "abc", 3),
            ("young", "yuong", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(edit_distance(a, b), d);
            assert_eq!(edit_distance(b, a), d);
        }
    }

    #[test]
    fn near_names_only() {
        let names = ["young", "poisson", "mass_damping"];
        assert_eq!(nearest("yonug", names), Some("young"));
        assert_eq!(nearest("Mass-Damping", names), Some("mass_damping"));
        assert_eq!(nearest("colour", names), None);
        assert_eq!(nearest(&"y".repeat(10_000), names), None);
        assert_eq!(
            did_you_mean("ful", &["full"]),
            "did you mean `full`? there is only `full`"
        );
    }
}
