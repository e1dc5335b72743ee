//! Binary messages to a page: a JSON object and the arrays that it lists.
//!
//! Layout, little-endian: length of the JSON text (u32), the text, zeros up to a multiple of four, then the arrays, each at a
//! multiple of four. Its key `arrays` lists name, type (f32, u32, u8), first byte after the text and its zeros, and count.

use serde_json::{Map, Value, json};

/// A message that is put together.
#[derive(Clone, Debug)]
pub struct Packet {
    head: Map<String, Value>,
    arrays: Vec<Value>,
    bytes: Vec<u8>,
}

impl Packet {
    /// An empty message of some kind.
    pub fn new(kind: &str) -> Packet {
        let mut head = Map::new();
        head.insert("kind".into(), kind.into());
        Packet {
            head,
            arrays: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// Adds a value.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.head.insert(key.into(), value.into());
    }

    /// Adds numbers.
    pub fn f32(&mut self, name: &str, values: &[f32]) {
        self.array(name, "f32", bytemuck::cast_slice(values), values.len());
    }

    /// Adds indices.
    pub fn u32(&mut self, name: &str, values: &[u32]) {
        self.array(name, "u32", bytemuck::cast_slice(values), values.len());
    }

    /// Adds bytes.
    pub fn u8(&mut self, name: &str, values: &[u8]) {
        self.array(name, "u8", values, values.len());
    }

    fn array(&mut self, name: &str, kind: &str, bytes: &[u8], count: usize) {
        let at = self.bytes.len();
        self.arrays
            .push(json!({ "name": name, "type": kind, "at": at, "count": count }));
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    /// The bytes of the message.
    pub fn finish(mut self) -> Vec<u8> {
        self.head.insert("arrays".into(), self.arrays.into());
        let text = Value::from(self.head).to_string();
        let mut message = Vec::with_capacity(8 + text.len() + self.bytes.len());
        message.extend_from_slice(&(text.len() as u32).to_le_bytes());
        message.extend_from_slice(text.as_bytes());
        message.resize(message.len().next_multiple_of(4), 0);
        message.extend_from_slice(&self.bytes);
        message
    }
}

/// A message that was received; for tests and measurements.
#[derive(Clone, Debug)]
pub struct Received {
    /// The JSON object.
    pub head: Value,
    payload: Vec<u8>,
}

impl Received {
    /// From its bytes; none if they are no packet.
    pub fn read(message: &[u8]) -> Option<Received> {
        let (length, rest) = message.split_at_checked(4)?;
        let length = u32::from_le_bytes(length.try_into().ok()?) as usize;
        let head = serde_json::from_slice(rest.get(..length)?).ok()?;
        let payload = message.get((4 + length).next_multiple_of(4)..)?.to_vec();
        Some(Received { head, payload })
    }

    /// What kind of message it is.
    pub fn kind(&self) -> &str {
        self.head["kind"].as_str().unwrap_or("")
    }

    /// An array of numbers.
    pub fn f32(&self, name: &str) -> Option<Vec<f32>> {
        self.array(name, f32::from_le_bytes)
    }

    /// An array of indices.
    pub fn u32(&self, name: &str) -> Option<Vec<u32>> {
        self.array(name, u32::from_le_bytes)
    }

    fn array<T>(&self, name: &str, read: fn([u8; 4]) -> T) -> Option<Vec<T>> {
        let list = self.head["arrays"].as_array()?;
        let entry = list.iter().find(|a| a["name"] == name)?;
        let at = entry["at"].as_u64()? as usize;
        let count = entry["count"].as_u64()? as usize;
        let bytes = self.payload.get(at..at + 4 * count)?;
        let number = |b: &[u8]| read([b[0], b[1], b[2], b[3]]);
        Some(bytes.chunks_exact(4).map(number).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_come_back() {
        let mut packet = Packet::new("test");
        packet.set("answer", 42);
        packet.u8("bytes", &[1, 2, 3]);
        packet.f32("numbers", &[0.5, -2.0]);
        packet.u32("indices", &[7]);
        let received = Received::read(&packet.finish()).unwrap();
        assert_eq!(received.kind(), "test");
        assert_eq!(received.head["answer"], 42);
        assert_eq!(received.f32("numbers").unwrap(), [0.5, -2.0]);
        assert_eq!(received.u32("indices").unwrap(), [7]);
        assert!(received.f32("others").is_none());
        assert!(Received::read(&[255, 255, 255, 255, 0]).is_none());
    }
}
