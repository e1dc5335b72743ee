//! `report.html`: pictures, plots and figures of a run, made from the files in its folder, so that a resumed run
//! reports the whole.

use crate::output::{RECORDING, SERIES};
use anyhow::{Context, Result};
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::Aabb;
use pliant_scene::export::Skin;
use pliant_scene::picture::{
    Camera, Colours, Ground, OBSTACLE, Rgb, Role, Shape, Style, body_colour, drawn_obstacles,
    field_colours, floor_height, render_with, state_colour,
};
use pliant_scene::plot::{Series, line_plot};
use pliant_scene::png::encode_rgb;
use pliant_scene::recording::{Look, RecordedFrame, RecordingHeader, RecordingReader};
use pliant_scene::run_report::{RunReport, html};
use std::fs;
use std::path::Path;

const WIDTH: usize = 960;
const HEIGHT: usize = 540;
/// Moments shown, as shares of the recording.
const MOMENTS: [f64; 4] = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0];

/// Adds pictures and plots to `report` and writes it.
pub fn write(folder: &Path, mut report: RunReport) -> Result<()> {
    report.pictures = pictures(&folder.join(RECORDING))?;
    report.plots = plots(&folder.join(SERIES))?;
    fs::write(folder.join("report.html"), html(&report)).context("cannot write report.html")
}

fn pictures(path: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let mut recording = RecordingReader::open(path)?;
    let last = recording.frame_count().saturating_sub(1);
    let mut indices: Vec<usize> = MOMENTS
        .iter()
        .map(|share| (share * last as f64).round() as usize)
        .collect();
    indices.dedup();
    let frames = indices
        .iter()
        .map(|&i| recording.frame(i))
        .collect::<Result<Vec<_>, _>>()?;
    let header = recording.header();
    let shapes: Vec<Vec<Vec3>> = frames
        .iter()
        .map(|frame| positions(header, frame))
        .collect();

    let times: Vec<f64> = frames.iter().map(|f| f.time).collect();
    let (camera, style) = scenery(header, &shapes, &times);

    let mut result = Vec::new();
    for (frame, x) in frames.iter().zip(&shapes) {
        let png = draw(header, frame.time, x, None, &camera, &style);
        result.push((format!("t = {:.3} s", frame.time), png));
        if let Some(states) = frame.states.as_ref().filter(|s| s.iter().any(|&s| s > 0)) {
            let colours = colours_of_states(header, states);
            let png = draw(header, frame.time, x, Some(&colours), &camera, &style);
            let text = "parts that are rigid, or full in a trained body, in colours";
            result.push((format!("t = {:.3} s, {text}", frame.time), png));
        }
    }
    if let (Some((stress, time)), Some(x)) = (
        frames
            .last()
            .and_then(|f| Some((f.von_mises.as_ref()?, f.time))),
        shapes.last(),
    ) {
        let nodal = nodal_means(header, stress);
        // a few corners carry most of the stress: let them saturate so that the rest can be told apart
        let mut sorted = nodal.clone();
        sorted.sort_by(f64::total_cmp);
        let high = sorted.get(sorted.len() * 98 / 100).copied().unwrap_or(0.0);
        let colours = field_colours(&nodal, 0.0, high);
        let png = draw(header, time, x, Some(&colours), &camera, &style);
        result.push((
            format!("the end, coloured by von Mises stress from 0 to {high:.2e} Pa and more"),
            png,
        ));
    }
    Ok(result)
}

/// One camera for all moments, from the front and a little above; what lies in the plane z = 0 from straight above. And the ground.
pub fn scenery(header: &RecordingHeader, shapes: &[Vec<Vec3>], times: &[f64]) -> (Camera, Style) {
    let planar = header.info.bodies.iter().any(|b| b.planar);
    let direction = if planar {
        vec3(0.0, 0.0, 1.0)
    } else {
        vec3(-0.45, -1.0, 0.35)
    };
    let every = shapes.iter().flatten();
    let bodies = every.fold(Aabb::EMPTY, |b, &x| b.with(x));
    let near = near_obstacles(header, times, &bodies);
    let camera = Camera::fitting(
        shapes.iter().flatten().chain(&near).copied(),
        direction,
        WIDTH as f64 / HEIGHT as f64,
    );
    let lowest = near.iter().fold(bodies.low.z, |z, x| z.min(x.z));
    let style = Style {
        ground: if planar {
            Ground::None
        } else {
            Ground::At(floor_height(&header.obstacles).unwrap_or(lowest))
        },
        wireframe: true,
        ..Style::default()
    };
    (camera, style)
}

/// Vertices of the obstacles that a picture should hold: those that are not much larger than the bodies' whole path.
fn near_obstacles(header: &RecordingHeader, times: &[f64], bodies: &Aabb) -> Vec<Vec3> {
    let obstacles = &header.obstacles;
    let solid = |&index: &usize| obstacles.list[index].look == Look::Solid;
    let mut near = Vec::new();
    for index in (0..obstacles.list.len()).filter(solid) {
        for &time in times {
            let vertices = obstacles.vertices_at(index, time);
            if Aabb::of(&vertices).union(bodies).diagonal() < 2.0 * bodies.diagonal() {
                near.extend(vertices);
            }
        }
    }
    near
}

fn positions(header: &RecordingHeader, frame: &RecordedFrame) -> Vec<Vec3> {
    let moved = |(x, d): (&Vec3, &[f32; 3])| *x + Vec3::from(d.map(f64::from));
    header
        .rest
        .iter()
        .zip(&frame.displacements)
        .map(moved)
        .collect()
}

/// Colours of nodes by what the elements around them are: those of a clump share no element state but its own.
fn colours_of_states(header: &RecordingHeader, states: &[u8]) -> Vec<Rgb> {
    let mut colours = vec![state_colour(0); header.rest.len()];
    for (nodes, &state) in header.elements.iter().zip(states).filter(|(_, s)| **s > 0) {
        for &node in nodes {
            colours[node as usize] = state_colour(state);
        }
    }
    colours
}

/// All obstacles and bodies, these in their own colours or in colours of the nodes.
pub fn draw(
    header: &RecordingHeader,
    time: f64,
    x: &[Vec3],
    of_nodes: Option<&[Rgb]>,
    camera: &Camera,
    style: &Style,
) -> Vec<u8> {
    struct Drawn {
        skin: Skin,
        positions: Vec<Vec3>,
        colours: Option<Vec<Rgb>>,
    }
    let drawn = |index: usize| {
        let skin = Skin::new(header, index);
        let colours = of_nodes.map(|colours| {
            let at_vertices = skin.at_vertices(|n| Vec3::from(colours[n].map(f64::from)));
            let rounded = |v: Vec3| [v.x, v.y, v.z].map(|c| c.round().clamp(0.0, 255.0) as u8);
            at_vertices.into_iter().map(rounded).collect()
        });
        Drawn {
            positions: skin.at_vertices(|n| x[n]),
            skin,
            colours,
        }
    };
    let bodies: Vec<Drawn> = (0..header.info.bodies.len()).map(drawn).collect();
    let planar = header.info.bodies.iter().any(|b| b.planar);
    let obstacles = drawn_obstacles(&header.obstacles, time, &Aabb::of(x), camera.eye, planar);
    let mut shapes: Vec<Shape> = obstacles
        .iter()
        .map(|obstacle| Shape {
            positions: &obstacle.positions,
            triangles: &obstacle.triangles,
            colours: Colours::Uniform(OBSTACLE),
            role: obstacle.role,
        })
        .collect();
    for (index, body) in bodies.iter().enumerate() {
        shapes.push(Shape {
            positions: &body.positions,
            triangles: &body.skin.triangles,
            colours: match &body.colours {
                Some(colours) => Colours::PerVertex(colours),
                None => Colours::Uniform(body_colour(index)),
            },
            role: Role::Body,
        });
    }
    let pixels = render_with(&shapes, camera, WIDTH, HEIGHT, style);
    encode_rgb(WIDTH as u32, HEIGHT as u32, &pixels)
}

/// Mean of an element field around each node.
fn nodal_means(header: &RecordingHeader, values: &[f32]) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); header.rest.len()];
    for (nodes, &value) in header.elements.iter().zip(values) {
        for &node in nodes {
            sums[node as usize].0 += f64::from(value);
            sums[node as usize].1 += 1.0;
        }
    }
    sums.into_iter()
        .map(|(sum, count): (f64, f64)| if count > 0.0 { sum / count } else { 0.0 })
        .collect()
}

fn plots(path: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(path).context("cannot read the time series")?;
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let rows: Vec<Vec<f64>> = lines
        .map(|line| {
            line.split(',')
                .map(|v| v.parse().unwrap_or(f64::NAN))
                .collect()
        })
        .collect();
    let column = |name: &str| -> Vec<(f64, f64)> {
        let index = names.iter().position(|n| *n == name);
        let value = |row: &Vec<f64>| Some((*row.get(1)?, *row.get(index?)?));
        rows.iter().filter_map(value).collect()
    };
    let plot = |title: &str, unit: &str, wanted: &[(&str, &str)]| {
        let data: Vec<Vec<(f64, f64)>> = wanted.iter().map(|(_, name)| column(name)).collect();
        let series: Vec<Series> = wanted
            .iter()
            .zip(&data)
            .map(|((label, _), points)| Series {
                name: label,
                points,
            })
            .collect();
        line_plot(title, "time (s)", unit, &series)
    };
    Ok(vec![
        plot(
            "Energy",
            "energy (J)",
            &[
                ("kinetic", "kinetic_energy"),
                ("elastic", "elastic_energy"),
                ("gravitational", "gravitational_energy"),
            ],
        ),
        plot(
            "Work and losses since the start",
            "energy (J)",
            &[
                ("work of drives", "external_work"),
                ("lost to damping", "damping_loss"),
                ("work of contacts", "contact_work"),
                ("lost to the integrator", "integrator_loss"),
            ],
        ),
        plot(
            "Largest von Mises stress",
            "stress (Pa)",
            &[("largest", "max_von_mises")],
        ),
    ])
}
