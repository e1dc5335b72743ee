//! Drives.

use super::profile::{profile, profiles};
use super::{PlacedBody, direction, select, vector};
use crate::error::{KeyPath, Problem};
use crate::file::{
    DriveTable, FixTable, FixValue, ProfileValue, TractionTable, TurnTable, TwistTable, Vector,
};
use crate::suggest::did_you_mean;
use crate::units::{Length, Number, Time};
use pliant_linalg::Vec3;
use pliant_mesh::Surface;
use pliant_solid::drive::{Action, Drive, Faces, Motion, Turn};
use pliant_solid::profile::Profile;

/// The drive of one table.
pub fn drive(
    table: &DriveTable,
    index: usize,
    at: &KeyPath,
    bodies: &[PlacedBody],
) -> Result<Drive, Problem> {
    let body = body_of(table, at, bodies)?;
    let local = select::nodes(&table.select, body, &at.key("select"))?;
    let nodes: Vec<u32> = local.iter().map(|n| n + body.node_offset).collect();
    let middle = body.middle(&local);
    let given = [
        table.fix.is_some(),
        table.r#move.is_some(),
        table.force.is_some(),
        table.accelerate.is_some(),
        table.traction.is_some(),
        table.spring.is_some(),
    ];
    if given.iter().filter(|&&g| g).count() != 1 {
        return Err(Problem::new(
            at.clone(),
            "a drive needs exactly one of `fix`, `move`, `force`, `accelerate`, `traction`, `spring`",
        ));
    }
    let action = if let Some(fix) = &table.fix {
        let at = at.key("fix");
        let table = match fix {
            FixValue::Switch(true) => FixTable {
                axes: Default::default(),
                release: None,
            },
            FixValue::Switch(false) => {
                return Err(Problem::new(at, "fix = false does nothing")
                    .help("remove the drive, or write fix = true"));
            }
            FixValue::Table(table) => table.clone(),
        };
        Action::Prescribe {
            nodes,
            axes: table.axes.0,
            motion: Motion::default(),
            release: instant(table.release, &at.key("release"))?,
        }
    } else if let Some(table) = &table.r#move {
        let at = at.key("move");
        let motion = motion(&table.translate, &table.rotate, &table.twist, middle, &at)?;
        if motion.is_rest() {
            return Err(Problem::new(at, "this motion moves nothing")
                .help("add `translate`, `rotate` or `twist`, or use `fix`"));
        }
        Action::Prescribe {
            nodes,
            axes: table.axes.0,
            motion,
            release: instant(table.release, &at.key("release"))?,
        }
    } else if let Some(table) = &table.force {
        Action::Force {
            nodes,
            force: vector(table.total),
            profile: factor(&table.profile, &at.key("force"))?,
        }
    } else if let Some(value) = &table.accelerate {
        Action::Accelerate {
            nodes,
            acceleration: profiles(value, &at.key("accelerate"))?,
        }
    } else if let Some(table) = &table.traction {
        traction(table, &local, body, &at.key("traction"))?
    } else if let Some(table) = &table.spring {
        let at = at.key("spring");
        let damping = table.damping.map_or(0.0, |d| d.si);
        for (key, value) in [("stiffness", table.stiffness.si), ("damping", damping)] {
            if value < 0.0 {
                return Err(Problem::new(
                    at.key(key),
                    format!("the {key} of a spring must not be negative, not {value}"),
                ));
            }
        }
        let from = table.from.map_or(0.0, |t| t.si);
        let until = table.until.map_or(f64::INFINITY, |t| t.si);
        if until <= from {
            return Err(Problem::new(
                at.key("until"),
                format!("the spring ends at {until} s, before it begins at {from} s"),
            ));
        }
        Action::Spring {
            nodes,
            motion: motion(&table.translate, &table.rotate, &table.twist, middle, &at)?,
            stiffness: table.stiffness.si,
            damping,
            from,
            until,
        }
    } else {
        return Err(Problem::new(at.clone(), "a drive needs an action"));
    };
    Ok(Drive {
        name: table
            .name
            .clone()
            .unwrap_or_else(|| format!("drive {}", index + 1)),
        action,
    })
}

fn body_of<'a>(
    table: &DriveTable,
    at: &KeyPath,
    bodies: &'a [PlacedBody],
) -> Result<&'a PlacedBody, Problem> {
    let known: Vec<&str> = bodies.iter().map(|b| b.name.as_str()).collect();
    match (&table.body, bodies) {
        (None, [only]) => Ok(only),
        (None, _) => Err(
            Problem::new(at.clone(), "this drive does not say which body it acts on")
                .help(format!("add body = \"…\"; known are {}", known.join(", "))),
        ),
        (Some(name), _) => bodies.iter().find(|b| b.name == *name).ok_or_else(|| {
            Problem::new(at.key("body"), format!("there is no body `{name}`"))
                .help(did_you_mean(name, &known))
        }),
    }
}

fn instant(time: Option<Time>, at: &KeyPath) -> Result<Option<f64>, Problem> {
    match time {
        Some(time) if time.si < 0.0 => Err(Problem::new(
            at.clone(),
            format!("this time must not be negative, not {time}"),
        )),
        time => Ok(time.map(|t| t.si)),
    }
}

/// The factor in time of a load, 1 by default.
fn factor(value: &Option<ProfileValue<Number>>, at: &KeyPath) -> Result<Profile, Problem> {
    match value {
        None => Ok(Profile::Constant(1.0)),
        Some(value) => profile(value, &at.key("profile")),
    }
}

/// The motion of nodes or of an obstacle; rotations without a centre are about `middle`.
pub fn motion(
    translate: &Option<ProfileValue<Vector<Length>>>,
    rotate: &Option<TurnTable>,
    twist: &Option<TwistTable>,
    middle: Vec3,
    at: &KeyPath,
) -> Result<Motion, Problem> {
    let translation = match translate {
        None => None,
        Some(value) => Some(profiles(value, &at.key("translate"))?),
    };
    let rotation = match rotate {
        None => None,
        Some(turn) => {
            let at = at.key("rotate");
            Some(Turn {
                axis: direction(turn.axis, &at.key("axis"))?,
                centre: turn.centre.map_or(middle, vector),
                angle: profile(&turn.angle, &at.key("angle"))?,
            })
        }
    };
    let twist = match twist {
        None => None,
        Some(twist) => {
            let at = at.key("twist");
            Some(Turn {
                axis: direction(twist.axis, &at.key("axis"))?,
                centre: vector(twist.centre),
                angle: profile(&twist.rate, &at.key("rate"))?,
            })
        }
    };
    Ok(Motion {
        translation,
        rotation,
        twist,
    })
}

fn traction(
    table: &TractionTable,
    selected: &[u32],
    body: &PlacedBody,
    at: &KeyPath,
) -> Result<Action, Problem> {
    if table.load.is_none() && table.pressure.is_none() {
        return Err(Problem::new(
            at.clone(),
            "a traction needs `load` or `pressure`",
        ));
    }
    let surface = Surface::of(&body.mesh);
    let faces = if body.mesh.is_planar() {
        Faces::Edges(
            loaded(&surface.edges, &surface.owners, selected, body),
            body.thickness,
        )
    } else {
        Faces::Triangles(loaded(&surface.triangles, &surface.owners, selected, body))
    };
    let empty = match &faces {
        Faces::Triangles(list) => list.is_empty(),
        Faces::Edges(list, _) => list.is_empty(),
    };
    if empty {
        return Err(Problem::new(
            at.clone(),
            "no facet of the surface has all its nodes in the selection",
        )
        .help("select the nodes of at least one whole facet"));
    }
    Ok(Action::Traction {
        faces,
        traction: table.load.map_or(Vec3::ZERO, vector),
        pressure: table.pressure.map_or(0.0, |p| p.si),
        profile: factor(&table.profile, at)?,
    })
}

/// Facets with all their nodes selected, in the numbers of the model.
fn loaded<const N: usize>(
    facets: &[[u32; N]],
    owners: &[u32],
    selected: &[u32],
    body: &PlacedBody,
) -> Vec<[u32; N]> {
    let chosen = |f: &[u32; N]| f.iter().all(|n| selected.binary_search(n).is_ok());
    let facets = facets.iter().zip(owners).filter(|(f, _)| chosen(f));
    let opened = facets.map(|(&f, &owner)| body.opened(owner, f));
    opened.map(|f| f.map(|n| n + body.node_offset)).collect()
}
