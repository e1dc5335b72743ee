//! Damages files, the same way on every machine.

/// A small generator of pseudo-random numbers (xorshift64*).
pub struct Random(u64);

impl Random {
    /// The seed must not be 0.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }
}

/// Words that readers stumble over.
const WORDS: [&[u8]; 26] = [
    b"-1",
    b"0",
    b"1",
    b"1e999",
    b"nan",
    b"-inf",
    b"2147483648",
    b"4294967295",
    b"4294967296",
    b"1000000",
    b"9223372036854775807",
    b"18446744073709551615",
    b"99999999999999999999",
    b"\n",
    b" ",
    b"\"",
    b"$",
    b"*",
    b",",
    b"#",
    b"<",
    b"/>",
    b"\\",
    b"\xff\xfe",
    b"\0",
    b"1-99999999999",
];

/// Whole numbers that make trouble in binary files.
const NUMBERS: [u64; 8] = [
    0,
    1,
    1_000_000,
    0x7fff_ffff,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    u64::MAX,
    0x3fff_ffff_ffff_ffff,
];

/// A damaged copy.
pub fn mutate(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..1 + random.below(4) {
        if bytes.is_empty() {
            bytes.push(b'1');
        }
        let at = random.below(bytes.len());
        let end = (at + 1 + random.below(40)).min(bytes.len());
        match random.below(12) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = b'0' + random.below(10) as u8,
            3 => drop(bytes.drain(at..end)),
            4 => bytes.truncate(at),
            // a piece once more, elsewhere
            5 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                drop(bytes.splice(to..to, piece));
            }
            // a block of lines once more
            6 => {
                let end = (at + 1 + random.below(1000)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                drop(bytes.splice(end..end, piece));
            }
            7 => drop(bytes.splice(at..at, WORDS[random.below(WORDS.len())].iter().copied())),
            // another number, whole, in place of one
            8 | 9 => {
                let is_digit = |b: &u8| b.is_ascii_digit();
                let skip = bytes[at..].iter().take_while(|b| !is_digit(b)).count();
                let from = at + skip;
                let word = bytes[from..].iter().take_while(|b| is_digit(b)).count();
                let with = WORDS[random.below(13)].iter().copied();
                drop(bytes.splice(from..from + word, with));
            }
            // a binary number
            10 => {
                let number = NUMBERS[random.below(NUMBERS.len())];
                let (little, big) = (number.to_le_bytes(), number.to_be_bytes());
                let width = [2, 4, 8][random.below(3)].min(bytes.len() - at);
                let source = if random.below(2) == 0 {
                    &little[..width]
                } else {
                    &big[8 - width..]
                };
                bytes[at..at + width].copy_from_slice(source);
            }
            // two lines change places
            _ => {
                let breaks: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i] == b'\n').collect();
                if breaks.len() > 2 {
                    let first = random.below(breaks.len() - 2);
                    let (a, b, c) = (breaks[first], breaks[first + 1], breaks[first + 2]);
                    bytes[a + 1..c + 1].rotate_left(b - a);
                }
            }
        }
    }
    bytes
}
