//! Little-endian numbers in and out of byte strings; reading never allocates more than the bytes there are.

use pliant_linalg::{Vec3, flat};

/// Appends numbers to a byte string.
pub(crate) trait Put {
    fn put_u32(&mut self, value: u32);
    fn put_u64(&mut self, value: u64);
    fn put_f64(&mut self, value: f64);
    fn put_text(&mut self, text: &str);
    fn put_vectors(&mut self, list: &[Vec3]);
}

impl Put for Vec<u8> {
    fn put_u32(&mut self, value: u32) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn put_u64(&mut self, value: u64) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn put_f64(&mut self, value: f64) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn put_text(&mut self, text: &str) {
        self.put_u64(text.len() as u64);
        self.extend_from_slice(text.as_bytes());
    }

    fn put_vectors(&mut self, list: &[Vec3]) {
        for &value in flat(list) {
            self.put_f64(value);
        }
    }
}

/// Takes numbers from a byte string; `None` when it ends too early.
pub(crate) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(count)?;
        self.0 = tail;
        Some(head)
    }

    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn f64(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }

    pub fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.u64()?).ok()?;
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }

    pub fn vector(&mut self) -> Option<Vec3> {
        Some(Vec3::new(self.f64()?, self.f64()?, self.f64()?))
    }

    pub fn vectors(&mut self, count: usize) -> Option<Vec<Vec3>> {
        let bytes = self.take(count.checked_mul(24)?)?;
        let mut rest = Reader(bytes);
        let mut list = Vec::with_capacity(count);
        for _ in 0..count {
            list.push(Vec3::new(rest.f64()?, rest.f64()?, rest.f64()?));
        }
        Some(list)
    }

    /// Numbers to the end.
    pub fn numbers(&mut self) -> Option<Vec<f64>> {
        let mut list = Vec::with_capacity(self.0.len() / 8);
        for _ in 0..self.0.len() / 8 {
            list.push(self.f64()?);
        }
        self.0.is_empty().then_some(list)
    }

    /// Groups of `N` node numbers, to the end.
    pub fn index_groups<const N: usize>(&mut self) -> Option<Vec<[u32; N]>> {
        let count = self.0.len() / (4 * N);
        let mut list = Vec::with_capacity(count);
        for _ in 0..count {
            let mut group = [0; N];
            for slot in &mut group {
                *slot = self.u32()?;
            }
            list.push(group);
        }
        self.0.is_empty().then_some(list)
    }
}
