//! Numbers from bytes, in either order. Slices must be long enough: callers cut them to size.

/// Which end of a number comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// The low byte (x86, ARM).
    Little,
    /// The high byte (VTK legacy files).
    Big,
}

macro_rules! readers {
    ($($name:ident: $type:ty, $what:literal;)*) => {
        impl ByteOrder {
            $(
                #[doc = concat!("The ", $what, " at the start of `bytes`.")]
                #[inline(always)]
                pub fn $name(self, bytes: &[u8]) -> $type {
                    let mut array = [0; size_of::<$type>()];
                    array.copy_from_slice(&bytes[..size_of::<$type>()]);
                    match self {
                        ByteOrder::Little => <$type>::from_le_bytes(array),
                        ByteOrder::Big => <$type>::from_be_bytes(array),
                    }
                }
            )*
        }
    };
}

readers! {
    u16: u16, "unsigned 16-bit number";
    i16: i16, "signed 16-bit number";
    u32: u32, "unsigned 32-bit number";
    i32: i32, "signed 32-bit number";
    u64: u64, "unsigned 64-bit number";
    i64: i64, "signed 64-bit number";
    f32: f32, "single-precision number";
    f64: f64, "double-precision number";
}
