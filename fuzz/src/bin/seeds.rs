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
    others()
}

/// Seeds of everything that is no mesh.
fn others() -> Result<(), Box<dyn Error>> {
    use pliant_fuzz::files;
    let corpus = Path::new("corpus");
    for scene in pliant_scene::EMBEDDED {
        save(corpus.join("scene"), &scene.name.replace('/', "-"), scene.text.as_bytes())?;
    }
    let everything = std::fs::read("../crates/scene/tests/it/everything.toml")?;
    save(corpus.join("scene"), "everything", &everything)?;
    let checkpoint = files::good_checkpoint();
    save(corpus.join("checkpoint"), "small", files::content(&checkpoint))?;
    save(corpus.join("model"), "small", files::content(&files::good_model()))?;
    let recording = files::good_recording();
    save(corpus.join("recording"), "chunks", &files::unpacked(&recording))?;
    save(corpus.join("recording"), "file", &recording)?;
    for (number, text) in MESSAGES.iter().enumerate() {
        save(corpus.join("message"), &number.to_string(), text.as_bytes())?;
    }
    Ok(())
}

const MESSAGES: [&str; 6] = [
    r#"{"do":"view","field":"stress","contacts":true,"section":[1,0,0,0.5]}"#,
    r#"{"do":"grab","vertex":3,"embedded":false,"point":[0,1e-3,0]}"#,
    r#"{"do":"material","stiffness":2,"density":1,"drag":0}"#,
    r#"{"do":"method","pane":0,"name":"full"}"#,
    r#"{"do":"cut","point":[0,0,0],"normal":[0,0,1]}"#,
    r#"{"do":"seek","frame":12}"#,
];

fn save(folder: impl AsRef<Path>, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.as_ref().join(name), bytes)
}
