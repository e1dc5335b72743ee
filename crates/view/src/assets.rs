//! The page: built from `viewer/` by `viewer/build` and part of the program.

/// A file that is served.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Path that it is asked for by.
    pub path: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// Its content.
    pub content: &'static [u8],
}

/// All that is served; there is nothing else, so no path can lead out of it.
pub const ASSETS: &[Asset] = &[
    Asset {
        path: "/",
        kind: "text/html; charset=utf-8",
        content: include_bytes!("../../../viewer/page/index.html"),
    },
    Asset {
        path: "/viewer.css",
        kind: "text/css; charset=utf-8",
        content: include_bytes!("../../../viewer/page/viewer.css"),
    },
    Asset {
        path: "/viewer.js",
        kind: "text/javascript; charset=utf-8",
        content: include_bytes!("../../../viewer/page/viewer.js"),
    },
    Asset {
        path: "/favicon.ico",
        kind: "image/svg+xml",
        content: include_bytes!("../../../viewer/page/icon.svg"),
    },
];

/// The file with a path.
pub fn find(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}
