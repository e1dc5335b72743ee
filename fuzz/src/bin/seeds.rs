//! Writes files for every target to begin with: `cargo run --release --bin seeds`.

use pliant_mesh::Layers;
use pliant_mesh::file::{Format, RawMesh, tetgen};
use pliant_mesh::generate::{Split, TriangleSplit, bar, rectangle};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let mut solid = bar([0.1, 0.2, 0.3].into(), [1, 1, 2], Split::Five)?;
    solid.assign_layers(2, Layers::Count(2), &["hard shell", "soft"])?;
    let plane = rectangle([0.3, 0.1], [2, 1], TriangleSplit::Crossed)?;
    for (title, mesh) in [("solid", RawMesh::from(solid)), ("plane", RawMesh::from(plane))] {
        for (number, format) in Format::all().enumerate() {
            let mut bytes = Vec::new();
            if format == Format::TetGen {
                for (_, write) in tetgen::PARTS {
                    write(&mesh, &mut bytes)?;
                    bytes.push(0);
                }
            } else if format.write(&mesh, &mut bytes).is_err() {
                // read only, or without a place for this mesh
                continue;
            }
            let target = match format {
                Format::Stl => "stl",
                Format::Ply => "ply",
                Format::Vtk => "vtk",
                other if other.name().starts_with("vtu") => "vtu",
                other if other.name().starts_with("gmsh") => "gmsh_binary",
                _ => "",
            };
            let name = format!("{title}-{}", format.name());
            if !target.is_empty() {
                save(Path::new("corpus").join(target), &name, &bytes)?;
            }
            bytes.insert(0, number as u8);
            save(Path::new("corpus").join("any_format"), &name, &bytes)?;
        }
    }
    Ok(())
}

fn save(folder: impl AsRef<Path>, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.as_ref().join(name), bytes)
}
