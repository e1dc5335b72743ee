//! Text inside HTML and SVG, and bytes inside their addresses.

/// Escapes text for element content and double-quoted attributes; characters that XML forbids become U+FFFD.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(c),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

/// Base64 with padding (RFC 4648, section 4).
pub(crate) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let at = |i: usize| u32::from(*group.get(i).unwrap_or(&0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for i in 0..4 {
            if i <= group.len() {
                out.push(DIGITS[(bits >> (18 - 6 * i) & 63) as usize].into());
            } else {
                out.push('=');
            }
        }
    }
    out
}

/// Panics unless tags nest, attributes are quoted and every `&` starts an entity: enough to catch text that leaks.
#[cfg(test)]
pub(crate) fn assert_well_formed(text: &str, void_elements: &[&str]) {
    let mut open: Vec<&str> = vec![];
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&']) {
        assert!(!rest[..at].contains('\0'));
        if rest[at..].starts_with('&') {
            let end = rest[at..].find(';').expect("entity ends");
            let name = &rest[at + 1..at + end];
            assert!(
                name.len() <= 6 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '#'),
                "entity {name:?}"
            );
            rest = &rest[at + end..];
            continue;
        }
        let end = at + rest[at..].find('>').expect("tag ends");
        let tag = &rest[at + 1..end];
        assert!(!tag.contains('<'), "tag {tag:?}");
        assert_eq!(tag.matches('"').count() % 2, 0, "tag {tag:?}");
        let name = tag
            .split([' ', '\n', '/'])
            .find(|n| !n.is_empty())
            .expect("tag has a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "closing {tag:?}");
        } else if !tag.ends_with('/') && !tag.starts_with('!') && !void_elements.contains(&name) {
            open.push(name);
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "left open: {open:?}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_matches_the_test_vectors_of_rfc_4648() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
        assert_eq!(base64(&[0xff, 0xef, 0xbe]), "/+++");
    }

    #[test]
    fn escape_leaves_nothing_special() {
        assert_eq!(
            escape("<a href=\"x\">'&'\0</a>"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;\u{fffd}&lt;/a&gt;"
        );
        assert_eq!(escape("σ ≤ 3 µm\n"), "σ ≤ 3 µm\n");
    }
}
