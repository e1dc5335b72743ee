//! A plate whose surface has 30 972 triangles: recorded in waves, or carried by a few elements that are simulated.

use crate::view::loader;
use anyhow::{Context, Result};
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::generate::{self, Split};
use pliant_mesh::{Format, Surface};
use pliant_scene::recording::{Frame, RecordingHeader, RecordingWriter};
use pliant_view::{Live, Player};
use std::fmt::Write;
use std::path::Path;

const SIZE: Vec3 = vec3(1.0, 1.0, 0.02);
const CELLS: [usize; 3] = [87, 87, 1];

const RECORDED: &str = r#"
title = "plate"
[time]
step = "5 ms"
duration = "1 s"
[[body]]
name = "plate"
mesh.box = { size = ["1 m", "1 m", "20 mm"], cells = [87, 87, 1] }
[body.material]
young = "100 kPa"
poisson = 0.3
"#;

const CARRIED: &str = r#"
title = "carried plate"
[time]
step = "10 ms"
duration = "1 s"
[[body]]
name = "plate"
mesh.file = { path = "cage.msh", render = "plate.obj" }
[body.material]
young = "100 kPa"
poisson = 0.3
[[drive]]
select.side = "-x"
fix = true
"#;

/// A recording of the plate in waves, two seconds at 60 frames a second.
pub fn recorded(folder: &Path) -> Result<Player> {
    let path = folder.join("plate.pliant");
    let scene = pliant_scene::build(&pliant_scene::parse(RECORDED, "plate")?, None)?;
    let mut writer = RecordingWriter::create(&path, &RecordingHeader::new(&scene))?;
    let rest = &scene.model.rest;
    let still = vec![Vec3::ZERO; rest.len()];
    let stress = vec![0.0; scene.model.element_count()];
    for step in 0..120u64 {
        let time = step as f64 / 60.0;
        let lift = |x: &Vec3| *x + vec3(0.0, 0.0, 0.05 * (12.0 * x.x + 6.0 * time).sin());
        let positions: Vec<Vec3> = rest.iter().map(lift).collect();
        writer.frame(Frame {
            step,
            time,
            positions: &positions,
            velocities: &still,
            von_mises: &stress,
            states: None,
        })?;
    }
    writer.finish()?;
    Ok(Player::open(&path, true)?)
}

/// The plate held at one side, in a cage of 12 × 12 cells, live.
pub fn carried(folder: &Path) -> Result<Live> {
    let fine = generate::bar(SIZE, CELLS, Split::Six)?;
    let surface = Surface::of(&fine);
    let mut text = String::new();
    for x in &fine.positions {
        writeln!(text, "v {} {} {}", x.x, x.y, x.z)?;
    }
    for [a, b, c] in surface.triangles.iter().map(|t| t.map(|n| n + 1)) {
        writeln!(text, "f {a} {b} {c}")?;
    }
    std::fs::write(folder.join("plate.obj"), text)?;
    let mut cage = generate::bar(SIZE * 1.02, [12, 12, 1], Split::Six)?;
    let centre = |x: &[Vec3]| x.iter().fold(Vec3::ZERO, |s, &x| s + x) / x.len() as f64;
    let away = centre(&fine.positions) - centre(&cage.positions);
    cage.positions.iter_mut().for_each(|x| *x += away);
    pliant_mesh::write_file(&cage.into(), Format::Gmsh41, &folder.join("cage.msh"))?;
    let path = folder.join("plate.toml");
    std::fs::write(&path, CARRIED)?;
    let name = path.to_str().context("a path that is no text")?;
    Live::new(loader(None), name, None, true).map_err(anyhow::Error::msg)
}
