//! ParaView: a `.vtu` for each frame and a `.pvd` that gives their times.

use super::source::{Moment, Source, narrowed};
use super::target::{OutFile, Target};
use super::{ExportError, Options};
use crate::markup::escape;
use crate::recording::RecordingHeader;
use pliant_linalg::Vec3;
use pliant_mesh::file::vtu_write::{Array, Cells, Values, Vtu, VtuOptions, name_list, write_vtu};
use std::io::Write;

/// What is the same in every frame.
struct Constant {
    cells: Cells,
    /// Number of the body of each cell.
    bodies: Vec<u32>,
    /// Region of each cell; empty for surfaces.
    regions: Vec<u32>,
    body_names: Vec<u8>,
    region_names: Vec<u8>,
}

/// What a frame adds; each list may be empty.
#[derive(Default)]
struct Changing {
    points: Vec<Vec3>,
    displacements: Vec<[f32; 3]>,
    velocities: Vec<[f32; 3]>,
    stresses: Vec<f32>,
    states: Vec<u8>,
}

pub fn write(
    source: &mut Source,
    target: &mut Target,
    options: &Options,
    progress: &mut dyn FnMut(),
) -> Result<(), ExportError> {
    let series = target.series(source.frame_count(), "vtu");
    let collection = target.file("pvd");
    let mut files = series.clone();
    files.push(collection.clone());
    target.prepare(&files, Some("vtu"))?;

    let times = source.times();
    let constant = match options.surface {
        true => Constant::surfaces(source),
        false => Constant::elements(source),
    };
    for (i, path) in series.iter().enumerate() {
        let moment = source.moment(i)?;
        let changing = match options.surface {
            true => Changing::surfaces(source, &moment),
            false => Changing::elements(source, &moment),
        };
        let mut file = OutFile::create(path)?;
        let header = source.header();
        file.put(|out| grid(out, &constant, &changing, times[i], options, header))?;
        target.add(file)?;
        progress();
    }

    let mut index = OutFile::create(&collection)?;
    index.put(|out| {
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(
            out,
            "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>"
        )?;
        for (time, path) in times.iter().zip(&series) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = escape(&name);
            writeln!(
                out,
                "<DataSet timestep=\"{time}\" group=\"\" part=\"0\" file=\"{name}\"/>"
            )?;
        }
        writeln!(out, "</Collection>\n</VTKFile>")
    })?;
    target.add_first(index)
}

fn grid(
    out: impl Write,
    constant: &Constant,
    changing: &Changing,
    time: f64,
    options: &Options,
    header: &RecordingHeader,
) -> std::io::Result<()> {
    let array = |name, components, values| Array {
        name,
        components,
        values,
    };
    let mut point_data = vec![array(
        "displacement",
        3,
        Values::F32(changing.displacements.as_flattened()),
    )];
    if header.info.velocities {
        let values = Values::F32(changing.velocities.as_flattened());
        point_data.push(array("velocity", 3, values));
    }
    let mut cell_data = Vec::new();
    if header.info.stress {
        let stress = array("von_mises", 1, Values::F32(&changing.stresses));
        match options.surface {
            true => point_data.push(stress),
            false => cell_data.push(stress),
        }
    }
    cell_data.push(array("body", 1, Values::Index(&constant.bodies)));
    let time = [time];
    let mut field_data = vec![
        array("TimeValue", 1, Values::F64(&time)),
        array("body_names", 1, Values::U8(&constant.body_names)),
    ];
    if !options.surface {
        cell_data.push(array("region", 1, Values::Index(&constant.regions)));
        cell_data.push(array("element_state", 1, Values::U8(&changing.states)));
        field_data.push(array("region_names", 1, Values::U8(&constant.region_names)));
    }
    let grid = Vtu {
        points: &changing.points,
        cells: &constant.cells,
        point_data: &point_data,
        cell_data: &cell_data,
        field_data: &field_data,
    };
    let how = VtuOptions {
        encoding: options.encoding,
        compress: options.compress,
    };
    write_vtu(out, &grid, how)
}

impl Constant {
    fn new(source: &Source) -> Constant {
        let info = &source.header().info;
        Constant {
            cells: Cells::default(),
            bodies: Vec::new(),
            regions: Vec::new(),
            body_names: name_list(info.bodies.iter().map(|b| b.name.as_str())),
            region_names: name_list(info.regions.iter().map(String::as_str)),
        }
    }

    fn elements(source: &Source) -> Constant {
        let mut constant = Constant::new(source);
        let header = source.header();
        let mut first_point = 0;
        for (number, body) in source.bodies() {
            let moved = |n: u32| n - body.nodes[0] as u32 + first_point;
            for e in body.elements[0]..body.elements[1] {
                let [a, b, c, d] = header.elements[e].map(moved);
                match body.planar {
                    true => constant.cells.push_triangle([a, b, c]),
                    false => constant.cells.push_tetrahedron([a, b, c, d]),
                }
                constant.bodies.push(number as u32);
                constant.regions.push(header.regions[e]);
            }
            first_point += (body.nodes[1] - body.nodes[0]) as u32;
        }
        constant
    }

    fn surfaces(source: &Source) -> Constant {
        let mut constant = Constant::new(source);
        let mut first_point = 0;
        for skin in source.skins() {
            for triangle in &skin.triangles {
                let moved = triangle.map(|v| v + first_point);
                constant.cells.push_triangle(moved);
                constant.bodies.push(skin.body as u32);
            }
            first_point += skin.vertex_count() as u32;
        }
        constant
    }
}

impl Changing {
    fn elements(source: &Source, moment: &Moment) -> Changing {
        let frame = &moment.frame;
        let mut changing = Changing::default();
        for (_, body) in source.bodies() {
            let nodes = body.nodes[0]..body.nodes[1];
            let elements = body.elements[0]..body.elements[1];
            let points = &moment.positions[nodes.clone()];
            changing.points.extend_from_slice(points);
            let moved = &frame.displacements[nodes.clone()];
            changing.displacements.extend_from_slice(moved);
            if let Some(velocities) = &frame.velocities {
                changing.velocities.extend_from_slice(&velocities[nodes]);
            }
            if let Some(stresses) = &frame.von_mises {
                let own = &stresses[elements.clone()];
                changing.stresses.extend_from_slice(own);
            }
            match &frame.states {
                Some(states) => changing.states.extend_from_slice(&states[elements]),
                None => changing
                    .states
                    .resize(changing.states.len() + elements.len(), 0),
            }
        }
        changing
    }

    fn surfaces(source: &Source, moment: &Moment) -> Changing {
        let mut changing = Changing::default();
        for skin in source.skins() {
            changing.points.extend(moment.place(skin));
            let moved = moment.displacements(skin);
            changing
                .displacements
                .extend(moved.into_iter().map(narrowed));
            if let Some(velocities) = moment.velocities(skin) {
                changing
                    .velocities
                    .extend(velocities.into_iter().map(narrowed));
            }
            if let Some(stresses) = &moment.frame.von_mises {
                let nodal = skin.element_values(source.header(), stresses);
                changing.stresses.extend(nodal);
            }
        }
        changing
    }
}
