//! MDD point caches: a file for each body, and its rest shape as OBJ beside it.
//!
//! Big-endian: frames (i32), points (i32), the time of each frame in s (f32), then 3 × f32 a point.

use super::pc2::{count, write_caches};
use super::source::{Skin, Source};
use super::target::Target;
use super::{ExportError, Options};

pub fn write(
    source: &mut Source,
    target: &mut Target,
    options: &Options,
    progress: &mut dyn FnMut(),
) -> Result<(), ExportError> {
    let times = source.times();
    let header = |skin: &Skin| -> Result<Vec<u8>, ExportError> {
        let mut bytes = count(times.len())?.to_be_bytes().to_vec();
        bytes.extend(count(skin.vertex_count())?.to_be_bytes());
        bytes.extend(times.iter().flat_map(|&t| (t as f32).to_be_bytes()));
        Ok(bytes)
    };
    write_caches(source, target, options, progress, "mdd", &header, |v| {
        v.to_be_bytes()
    })
}
