//! Random damage to good scenes: an error or a scene, never a panic, never a huge allocation.

use crate::features::EVERYTHING;
use pliant_scene::{EMBEDDED, build_limited, parse};

/// A small deterministic generator (xorshift64*).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n.max(1)
    }
}

const FRAGMENTS: &[&str] = &[
    "0",
    "-1",
    "1e308",
    "-1e-308",
    "nan",
    "inf",
    "99999999999",
    "18446744073709551616",
    "\"\"",
    "\"5 ms\"",
    "[]",
    "{}",
    "[[body]]",
    "[[drive]]",
    "true",
    "=",
    "\n",
    "\"",
    "'",
    ".",
    ",",
    "[",
    "]",
    "{",
    "}",
    "é",
    "1979-05-27",
    "\"1/0 s\"",
    "x",
    "all",
    "fix",
];

/// Where a value, key or bracket begins: damage at token borders goes deeper than damage to letters.
fn borders(text: &str) -> Vec<usize> {
    let breaks = |c: char| c.is_whitespace() || "[]{}=,.\"".contains(c);
    let starts = text
        .char_indices()
        .filter(|&(_, c)| breaks(c))
        .map(|(i, c)| i + c.len_utf8());
    std::iter::once(0).chain(starts).collect()
}

fn damage(text: &str, random: &mut Random) -> String {
    let mut text = text.to_string();
    for _ in 0..1 + random.below(4) / 3 {
        let borders = borders(&text);
        let (a, b) = (random.below(borders.len()), 1 + random.below(3));
        let start = borders[a];
        let end = borders[(a + b).min(borders.len() - 1)].max(start);
        let piece = match random.below(4) {
            0 => String::new(),
            1 => text[start..end].repeat(2),
            2 => {
                let c = random.below(borders.len().saturating_sub(1));
                text[borders[c]..borders[(c + 1).min(borders.len() - 1)]].to_string()
            }
            _ => FRAGMENTS[random.below(FRAGMENTS.len())].to_string(),
        };
        text.replace_range(start..end, &piece);
    }
    text
}

#[test]
fn damaged_scenes_never_panic() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut parsed, mut built) = (0, 0);
    for round in 0..6000 {
        let source = match round % 8 {
            0 => EMBEDDED[random.below(EMBEDDED.len())].text,
            _ => EVERYTHING,
        };
        let text = damage(source, &mut random);
        let file = match parse(&text, "damaged.toml") {
            Ok(file) => file,
            Err(error) => {
                assert!(error.line > 0 && !error.message.is_empty(), "{error}");
                continue;
            }
        };
        parsed += 1;
        match build_limited(&file, None, 2000) {
            Ok(_) => built += 1,
            Err(error) => assert!(error.line > 0 && !error.message.is_empty(), "{error}"),
        }
    }
    // the damage must neither spare nor spoil everything
    assert!(
        parsed > 400 && built > 100 && built < 3000,
        "{parsed} parsed, {built} built"
    );
}

#[test]
fn random_bytes_never_panic() {
    let mut random = Random(7);
    for _ in 0..500 {
        let mut text: Vec<char> = EVERYTHING.chars().collect();
        for _ in 0..4 {
            let at = random.below(text.len());
            text[at] = char::from(random.below(128) as u8);
        }
        let text: String = text.into_iter().collect();
        if let Ok(file) = parse(&text, "damaged.toml") {
            let _ = build_limited(&file, None, 2000);
        }
    }
    let deep = format!("title = {}1{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(parse(&deep, "deep.toml").is_err());
    let deep = format!(
        "title = \"t\"\n[[drive]]\nselect = {}\"all\"{}",
        "{ not = ".repeat(5000),
        "}".repeat(5000)
    );
    assert!(parse(&deep, "deep.toml").is_err());
}
