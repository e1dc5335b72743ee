//! Which formats there are, and which one a file has: by its content, then by its extension.

use super::error::{Place, ReadError};
use super::gmsh;
use super::input::Input;
use super::raw::RawMesh;
use super::vtu_write::Encoding;
use super::write::WriteError;
use super::{abaqus, medit, obj, off, ply, stl, tetgen, tobj, vega};
use super::{vtk, vtu};
use std::io::Write;
use std::path::Path;

/// A file format for meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Gmsh MSH 4.1, text.
    Gmsh41,
    /// Gmsh MSH 4.1, binary.
    Gmsh41Binary,
    /// Gmsh MSH 2.2, text.
    Gmsh22,
    /// Gmsh MSH 2.2, binary.
    Gmsh22Binary,
    /// VTK's XML unstructured grid with appended bytes.
    Vtu,
    /// The same, compressed with zlib.
    VtuCompressed,
    /// The same as text.
    VtuText,
    /// VTK's legacy format.
    Vtk,
    /// Medit, text.
    Medit,
    /// TetGen and Triangle.
    TetGen,
    /// Vega.
    Vega,
    /// Abaqus.
    Abaqus,
    /// Tetrahedra in the manner of OBJ.
    Tobj,
    /// Wavefront OBJ.
    Obj,
    /// STL.
    Stl,
    /// PLY.
    Ply,
    /// OFF.
    Off,
}

type WriteFunction = fn(&RawMesh, &mut dyn Write) -> Result<(), WriteError>;

/// What is known about a format.
struct Entry {
    format: Format,
    /// The name on the command line.
    name: &'static str,
    /// For people.
    title: &'static str,
    /// The first format of the table with an extension is the one that is written for it.
    extensions: &'static [&'static str],
    /// Whether a file begins like this format; formats that only their extension tells never do.
    begins: fn(&[u8]) -> bool,
    read: fn(&Input) -> Result<RawMesh, ReadError>,
    /// None where files are only read.
    write: Option<WriteFunction>,
}

const TABLE: &[Entry] = &[
    Entry {
        format: Format::Gmsh41,
        name: "gmsh",
        title: "Gmsh 4.1",
        extensions: &["msh"],
        begins: gmsh::begins,
        read: gmsh::read,
        write: Some(|mesh, out| gmsh::write(mesh, gmsh::Version::V4_1, false, out)),
    },
    Entry {
        format: Format::Gmsh41Binary,
        name: "gmsh-binary",
        title: "Gmsh 4.1, binary",
        extensions: &[],
        begins: |_| false,
        read: gmsh::read,
        write: Some(|mesh, out| gmsh::write(mesh, gmsh::Version::V4_1, true, out)),
    },
    Entry {
        format: Format::Gmsh22,
        name: "gmsh22",
        title: "Gmsh 2.2",
        extensions: &[],
        begins: |_| false,
        read: gmsh::read,
        write: Some(|mesh, out| gmsh::write(mesh, gmsh::Version::V2_2, false, out)),
    },
    Entry {
        format: Format::Gmsh22Binary,
        name: "gmsh22-binary",
        title: "Gmsh 2.2, binary",
        extensions: &[],
        begins: |_| false,
        read: gmsh::read,
        write: Some(|mesh, out| gmsh::write(mesh, gmsh::Version::V2_2, true, out)),
    },
    Entry {
        format: Format::Vtu,
        name: "vtu",
        title: "VTU",
        extensions: &["vtu"],
        begins: vtu::begins,
        read: vtu::read,
        write: Some(|mesh, out| vtu::write(mesh, Encoding::Appended, false, out)),
    },
    Entry {
        format: Format::VtuCompressed,
        name: "vtu-compressed",
        title: "VTU, compressed",
        extensions: &[],
        begins: |_| false,
        read: vtu::read,
        write: Some(|mesh, out| vtu::write(mesh, Encoding::Appended, true, out)),
    },
    Entry {
        format: Format::VtuText,
        name: "vtu-text",
        title: "VTU, text",
        extensions: &[],
        begins: |_| false,
        read: vtu::read,
        write: Some(|mesh, out| vtu::write(mesh, Encoding::Ascii, false, out)),
    },
    Entry {
        format: Format::Vtk,
        name: "vtk",
        title: "VTK legacy",
        extensions: &["vtk"],
        begins: vtk::begins,
        read: vtk::read,
        write: Some(vtk::write),
    },
    Entry {
        format: Format::Medit,
        name: "medit",
        title: "Medit",
        extensions: &["mesh"],
        begins: medit::begins,
        read: medit::read,
        write: Some(medit::write),
    },
    Entry {
        format: Format::TetGen,
        name: "tetgen",
        title: "TetGen",
        extensions: &["node", "ele", "face"],
        begins: |_| false,
        read: tetgen::read,
        write: Some(tetgen::write),
    },
    Entry {
        format: Format::Vega,
        name: "vega",
        title: "Vega",
        extensions: &["veg"],
        begins: vega::begins,
        read: vega::read,
        write: Some(vega::write),
    },
    Entry {
        format: Format::Abaqus,
        name: "abaqus",
        title: "Abaqus",
        extensions: &["inp"],
        begins: abaqus::begins,
        read: abaqus::read,
        write: Some(abaqus::write),
    },
    Entry {
        format: Format::Tobj,
        name: "tobj",
        title: "tetrahedral OBJ",
        extensions: &["tobj"],
        begins: |_| false,
        read: tobj::read,
        write: None,
    },
    Entry {
        format: Format::Ply,
        name: "ply",
        title: "PLY",
        extensions: &["ply"],
        begins: ply::begins,
        read: ply::read,
        write: Some(ply::write),
    },
    Entry {
        format: Format::Off,
        name: "off",
        title: "OFF",
        extensions: &["off"],
        begins: off::begins,
        read: off::read,
        write: Some(off::write),
    },
    Entry {
        format: Format::Obj,
        name: "obj",
        title: "OBJ",
        extensions: &["obj"],
        begins: obj::begins,
        read: obj::read,
        write: Some(obj::write),
    },
    Entry {
        format: Format::Stl,
        name: "stl",
        title: "STL",
        extensions: &["stl"],
        begins: stl::begins,
        read: stl::read,
        write: Some(stl::write),
    },
];

/// Bytes at the start of a file that tell its format.
const HEAD: usize = 4096;

impl Format {
    /// Every format, in the order of the table.
    pub fn all() -> impl Iterator<Item = Format> {
        TABLE.iter().map(|e| e.format)
    }

    /// Those that can be written.
    pub fn writable() -> impl Iterator<Item = Format> {
        TABLE.iter().filter(|e| e.write.is_some()).map(|e| e.format)
    }

    fn entry(self) -> &'static Entry {
        // the table holds every format: a test sees to it
        TABLE.iter().find(|e| e.format == self).unwrap_or(&TABLE[0])
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The name for people.
    pub fn title(self) -> &'static str {
        self.entry().title
    }

    /// Its extensions, without the dot.
    pub fn extensions(self) -> &'static [&'static str] {
        self.entry().extensions
    }

    /// The format of that name.
    pub fn by_name(name: &str) -> Option<Format> {
        TABLE.iter().find(|e| e.name == name).map(|e| e.format)
    }

    /// The format that a path's extension asks for.
    pub fn by_extension(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        let found = TABLE
            .iter()
            .find(|e| e.extensions.contains(&extension.as_str()));
        found.map(|e| e.format)
    }

    /// The format of a file: by content, then by the extension of its name.
    pub fn of(input: &Input) -> Result<Format, ReadError> {
        let mut head = [0; HEAD];
        let length = input.read_at(0, &mut head)?;
        let head = &head[..length];
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        if head.is_empty() {
            return Err(ReadError::new(input.name(), "the file is empty"));
        }
        if let Some(entry) = TABLE.iter().find(|e| (e.begins)(head)) {
            return Ok(entry.format);
        }
        Format::by_extension(Path::new(input.name())).ok_or_else(|| {
            let known: Vec<&str> = TABLE.iter().flat_map(|e| e.extensions).copied().collect();
            let message = "neither the content nor the extension tells the format of this file";
            ReadError::new(input.name(), message).help(format!(
                "files that are read: {}; Gmsh .msh is a good choice to export",
                known.join(", ")
            ))
        })
    }

    /// Whether files of this format hold surfaces only.
    pub fn is_surface(self) -> bool {
        matches!(self, Format::Obj | Format::Stl | Format::Ply | Format::Off)
    }

    /// Reads a file of this format.
    pub fn read(self, input: &Input) -> Result<RawMesh, ReadError> {
        let read = (self.entry().read)(input).and_then(|mut raw| {
            raw.split_ten_nodes()?;
            Ok(raw)
        });
        read.map_err(|error| {
            // errors about the file as a whole say what to do themselves
            if error.help.is_some() || error.place == Place::File {
                return error;
            }
            let instead = if self.is_surface() {
                "PLY or STL"
            } else {
                "Gmsh .msh or VTU"
            };
            error.help(format!(
                "export the mesh again, as {} or as {instead}",
                self.title()
            ))
        })
    }

    /// Writes a mesh in this format.
    pub fn write(self, mesh: &RawMesh, out: &mut dyn Write) -> Result<(), WriteError> {
        match self.entry().write {
            Some(write) => write(mesh, out),
            None => Err(WriteError::ReadOnly {
                format: self.title(),
            }),
        }
    }
}

/// The first word of a text file after lines that begin with `comment`.
pub fn first_word(head: &[u8], comment: u8) -> &[u8] {
    let mut lines = head.split(|&b| b == b'\n').map(|l| l.trim_ascii());
    let line = lines.find(|l| !l.is_empty() && l[0] != comment);
    let words = line.unwrap_or_default().split(|b| b.is_ascii_whitespace());
    words.into_iter().next().unwrap_or_default()
}
