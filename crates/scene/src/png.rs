//! Writes PNG: 8 bits a channel, one IDAT, the filter of each row by the least sum of absolute differences.

use flate2::{Compression, write::ZlibEncoder};
use std::io::Write;

const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a];

/// An RGB image, row by row from the top left. Missing bytes are black, surplus ones ignored, a zero side becomes 1.
pub fn encode_rgb(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    encode(width, height, 3, pixels)
}

/// An RGBA image (alpha not premultiplied), otherwise as [`encode_rgb`].
pub fn encode_rgba(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    encode(width, height, 4, pixels)
}

fn encode(width: u32, height: u32, channels: usize, pixels: &[u8]) -> Vec<u8> {
    let (width, height) = (width.max(1), height.max(1));
    let mut header = Vec::with_capacity(13);
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // depth 8, colour type, deflate, the five adaptive filters, not interlaced
    header.extend([8, if channels == 4 { 6 } else { 2 }, 0, 0, 0]);

    let mut file = SIGNATURE.to_vec();
    chunk(&mut file, b"IHDR", &header);
    chunk(&mut file, b"sRGB", &[0]);
    chunk(
        &mut file,
        b"IDAT",
        &compressed(width, height, channels, pixels),
    );
    chunk(&mut file, b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(kind);
    file.extend(data);
    // the sum covers kind and data, not the length
    let sum = crc32fast::hash(&file[start..]);
    file.extend(sum.to_be_bytes());
}

fn compressed(width: u32, height: u32, channels: usize, pixels: &[u8]) -> Vec<u8> {
    let stride = width as usize * channels;
    let mut above = vec![0; stride];
    let mut row = vec![0; stride];
    let mut trial = vec![0; stride];
    let mut best = vec![0; stride];
    let mut stream = ZlibEncoder::new(Vec::new(), Compression::new(6));
    for y in 0..height as usize {
        let start = y.saturating_mul(stride).min(pixels.len());
        let given = &pixels[start..pixels.len().min(start.saturating_add(stride))];
        row[..given.len()].copy_from_slice(given);
        row[given.len()..].fill(0);

        let mut least = u64::MAX;
        let mut chosen = 0;
        for kind in 0..5 {
            filter(kind, channels, &above, &row, &mut trial);
            // a byte is a signed difference here
            let cost = trial
                .iter()
                .map(|&b| u64::from((b as i8).unsigned_abs()))
                .sum();
            if cost < least {
                least = cost;
                chosen = kind;
                std::mem::swap(&mut trial, &mut best);
            }
        }
        // writing into memory does not fail
        let _ = stream.write_all(&[chosen]);
        let _ = stream.write_all(&best);
        std::mem::swap(&mut above, &mut row);
    }
    stream.finish().unwrap_or_default()
}

/// Filters 0 to 4 of the standard: none, left, above, their mean, Paeth.
fn filter(kind: u8, channels: usize, above: &[u8], row: &[u8], out: &mut [u8]) {
    match kind {
        0 => out.copy_from_slice(row),
        2 => {
            for ((out, &x), &b) in out.iter_mut().zip(row).zip(above) {
                *out = x.wrapping_sub(b);
            }
        }
        _ => {
            for i in 0..row.len() {
                let (a, c) = match i.checked_sub(channels) {
                    Some(left) => (row[left], above[left]),
                    None => (0, 0),
                };
                let b = above[i];
                let guess = match kind {
                    1 => a,
                    3 => ((u16::from(a) + u16::from(b)) / 2) as u8,
                    _ => paeth(a, b, c),
                };
                out[i] = row[i].wrapping_sub(guess);
            }
        }
    }
}

/// Whichever of left, above, above-left lies nearest to left + above − above-left; ties in that order.
fn paeth(a: u8, b: u8, c: u8) -> u8 {
    let guess = i16::from(a) + i16::from(b) - i16::from(c);
    let [da, db, dc] = [a, b, c].map(|v| (guess - i16::from(v)).abs());
    if da <= db && da <= dc {
        a
    } else if db <= dc {
        b
    } else {
        c
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    /// (width, height, channels, pixels, filters used), checking every sum on the way.
    fn decode(file: &[u8]) -> (u32, u32, usize, Vec<u8>, Vec<u8>) {
        assert_eq!(file[..8], SIGNATURE);
        let word = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().unwrap());
        let (mut at, mut header, mut data, mut kinds) = (8, vec![], vec![], vec![]);
        while at < file.len() {
            let length = word(at) as usize;
            let kind = &file[at + 4..at + 8];
            let body = &file[at + 8..at + 8 + length];
            assert_eq!(
                word(at + 8 + length),
                crc32fast::hash(&file[at + 4..at + 8 + length])
            );
            match kind {
                b"IHDR" => header.extend(body),
                b"IDAT" => data.extend(body),
                _ => {}
            }
            kinds.push(String::from_utf8(kind.to_vec()).unwrap());
            at += 12 + length;
        }
        assert_eq!(kinds, ["IHDR", "sRGB", "IDAT", "IEND"]);
        let side = |i: usize| u32::from_be_bytes(header[i..i + 4].try_into().unwrap());
        let (width, height) = (side(0), side(4));
        let channels = if header[9] == 6 { 4 } else { 3 };
        let mut raw = vec![];
        flate2::read::ZlibDecoder::new(&data[..])
            .read_to_end(&mut raw)
            .unwrap();
        let stride = width as usize * channels;
        assert_eq!(raw.len(), (stride + 1) * height as usize);
        let (mut pixels, mut filters) = (vec![0u8; stride], vec![]);
        for line in raw.chunks(stride + 1) {
            filters.push(line[0]);
            for i in 0..stride {
                let here = pixels.len();
                let b = i32::from(pixels[here - stride]);
                let (a, c) = if i >= channels {
                    (
                        i32::from(pixels[here - channels]),
                        i32::from(pixels[here - channels - stride]),
                    )
                } else {
                    (0, 0)
                };
                let guess = match line[0] {
                    0 => 0,
                    1 => a,
                    2 => b,
                    3 => (a + b) / 2,
                    _ => *[a, b, c]
                        .iter()
                        .min_by_key(|v| (a + b - c - **v).abs())
                        .unwrap(),
                };
                pixels.push(line[1 + i].wrapping_add(guess as u8));
            }
        }
        (width, height, channels, pixels.split_off(stride), filters)
    }

    /// Rows that favour different filters: flat, ramps both ways, noise.
    fn picture(width: usize, height: usize, channels: usize) -> Vec<u8> {
        let mut seed = 12345u32;
        (0..width * height * channels)
            .map(|i| {
                let (x, y) = (i / channels % width, i / channels / width);
                seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
                match y % 5 {
                    0 => 200,
                    1 => (x * 3) as u8,
                    2 => (x * 3 + y) as u8,
                    3 => (seed >> 24) as u8,
                    _ => (x * x / 7 + y * 11 + i % channels) as u8,
                }
            })
            .collect()
    }

    #[test]
    fn round_trip() {
        for (width, height) in [(1, 1), (7, 3), (64, 41), (1, 30), (300, 2)] {
            for channels in [3, 4] {
                let pixels = picture(width, height, channels);
                let file = encode(width as u32, height as u32, channels, &pixels);
                let back = decode(&file);
                assert_eq!(
                    (back.0, back.1, back.2),
                    (width as u32, height as u32, channels)
                );
                assert_eq!(back.3, pixels);
            }
        }
    }

    #[test]
    fn filters_are_chosen_by_row() {
        let mut used = decode(&encode_rgb(64, 40, &picture(64, 40, 3))).4;
        used.sort_unstable();
        used.dedup();
        assert!(used.len() >= 3, "only filters {used:?}");
        // a smooth ramp must shrink well below its raw size
        let ramp: Vec<u8> = (0..256 * 256 * 3).map(|i| (i / 3 % 256) as u8).collect();
        assert!(encode_rgb(256, 256, &ramp).len() < 4000);
    }

    #[test]
    fn wrong_lengths_do_not_panic() {
        assert_eq!(
            decode(&encode_rgb(2, 2, &[9; 4])).3,
            [9, 9, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0]
        );
        assert_eq!(decode(&encode_rgba(1, 1, &[1, 2, 3, 4, 5])).3, [1, 2, 3, 4]);
        assert_eq!(decode(&encode_rgb(0, 0, &[])).3, [0, 0, 0]);
    }
}
