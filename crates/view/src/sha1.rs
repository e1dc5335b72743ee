//! SHA-1 (RFC 3174), which the opening handshake of a WebSocket asks for. It protects nothing here.

/// The digest of a message.
pub fn sha1(message: &[u8]) -> [u8; 20] {
    let mut state = [
        0x6745_2301u32,
        0xefcd_ab89,
        0x98ba_dcfe,
        0x1032_5476,
        0xc3d2_e1f0,
    ];
    let mut padded = message.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend_from_slice(&(8 * message.len() as u64).to_be_bytes());
    for block in padded.chunks_exact(64) {
        add_block(&mut state, block);
    }
    let mut digest = [0; 20];
    for (out, word) in digest.chunks_exact_mut(4).zip(state) {
        out.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

fn add_block(state: &mut [u32; 5], block: &[u8]) {
    let mut words = [0u32; 80];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    for i in 16..80 {
        words[i] = (words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16]).rotate_left(1);
    }
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    for (i, &word) in words.iter().enumerate() {
        let (mix, constant) = match i / 20 {
            0 => ((b & c) | (!b & d), 0x5a82_7999),
            1 => (b ^ c ^ d, 0x6ed9_eba1),
            2 => ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc),
            _ => (b ^ c ^ d, 0xca62_c1d6u32),
        };
        let next = a.rotate_left(5).wrapping_add(mix).wrapping_add(e);
        let next = next.wrapping_add(word).wrapping_add(constant);
        (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
    }
    for (sum, part) in state.iter_mut().zip([a, b, c, d, e]) {
        *sum = sum.wrapping_add(part);
    }
}

/// Base64 with padding (RFC 4648, section 4).
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let at = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = (at(0) << 16) | (at(1) << 8) | at(2);
        for i in 0..4 {
            let digit = DIGITS[((bits >> (18 - 6 * i)) & 63) as usize];
            text.push(if i <= group.len() { digit.into() } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digests() {
        let hex = |m: &[u8]| -> String { sha1(m).iter().map(|b| format!("{b:02x}")).collect() };
        assert_eq!(hex(b"abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert_eq!(hex(b""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        let long = vec![b'a'; 1_000_000];
        assert_eq!(hex(&long), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
    }

    #[test]
    fn the_handshake_of_the_standard() {
        let key = b"dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
        assert_eq!(base64(&sha1(key)), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }
}
