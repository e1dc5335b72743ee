//! Base64 (RFC 4648) as VTK writes it: standard alphabet, padded.

/// Not a character of the alphabet.
const BAD: u8 = 0xFF;

/// Character to its six bits.
const VALUES: [u8; 256] = {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut values = [BAD; 256];
    let mut i = 0;
    while i < 64 {
        values[alphabet[i] as usize] = i as u8;
        i += 1;
    }
    values
};

/// Characters that `bytes` bytes take.
pub fn encoded_length(bytes: u64) -> Option<u64> {
    bytes.div_ceil(3).checked_mul(4)
}

/// Appends the bytes of whole groups of four characters; false when a character does not belong there. Padding is
/// only possible in the last group.
pub fn decode(text: &[u8], out: &mut Vec<u8>) -> bool {
    if !text.len().is_multiple_of(4) {
        return false;
    }
    let padding = text
        .iter()
        .rev()
        .take(2)
        .take_while(|&&c| c == b'=')
        .count();
    let whole = if padding > 0 {
        text.len() - 4
    } else {
        text.len()
    };
    let (body, tail) = text.split_at(whole);
    out.reserve(text.len() / 4 * 3);
    let start = out.len();
    out.resize(start + body.len() / 4 * 3, 0);
    let mut worst = 0;
    for (group, bytes) in body.chunks_exact(4).zip(out[start..].chunks_exact_mut(3)) {
        let [a, b, c, d] = [group[0], group[1], group[2], group[3]].map(|c| VALUES[c as usize]);
        worst |= a | b | c | d;
        bytes[0] = a << 2 | b >> 4;
        bytes[1] = b << 4 | c >> 2;
        bytes[2] = c << 6 | d;
    }
    // six-bit values never have the top bits set
    if worst > 63 {
        return false;
    }
    if let &[a, b, c, _] = tail {
        let [a, b] = [a, b].map(|c| VALUES[c as usize]);
        let c = if padding == 2 { 0 } else { VALUES[c as usize] };
        if a | b | c > 63 {
            return false;
        }
        out.push(a << 2 | b >> 4);
        if padding == 1 {
            out.push(b << 4 | c >> 2);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_rfc_4648() {
        for (text, wanted) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ] {
            let mut out = Vec::new();
            assert!(decode(text.as_bytes(), &mut out));
            assert_eq!(out, wanted.as_bytes());
            assert_eq!(encoded_length(wanted.len() as u64), Some(text.len() as u64));
        }
        for text in [
            "Zg=",
            "Z===",
            "Zg==Zg==",
            "Zm9 ",
            "Zm9v\nZg=",
            "====",
            "=Zg=",
        ] {
            assert!(!decode(text.as_bytes(), &mut Vec::new()), "{text}");
        }
    }
}
