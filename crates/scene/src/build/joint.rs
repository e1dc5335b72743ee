//! Joints: attachments, distances, slides, hinges, cables, cavities.

use super::drive::motion;
use super::point::Places;
use super::profile::profile;
use super::{direction, select, vector};
use crate::error::{KeyPath, Problem};
use crate::file::{
    AttachTable, BoundName, CableTable, CavityTable, DistanceTable, HingeTable, SceneTable,
    SlideTable,
};
use crate::units::Number;
use pliant_linalg::Vec3;
use pliant_mesh::Surface;
use pliant_mesh::components::root;
use pliant_solid::drive::Faces;
use pliant_solid::joint::{
    Anchor, Bound, CableControl, CavityControl, Curve, Frame, Joint, JointKind,
};
use pliant_solid::profile::Profile;

/// All joints of a scene with the places of their tables.
pub fn joints(table: &SceneTable, places: &Places) -> Result<Vec<(Joint, KeyPath)>, Problem> {
    let mut found = Vec::new();
    each(&table.attach, "attach", &mut found, |t, at| {
        let common = (&t.name, t.compliance, t.correction);
        attach(t, at, places).map(|kind| (kind, common))
    })?;
    each(&table.distance, "distance", &mut found, |t, at| {
        let common = (&t.name, t.compliance, t.correction);
        distance(t, at, places).map(|kind| (kind, common))
    })?;
    each(&table.slide, "slide", &mut found, |t, at| {
        let common = (&t.name, t.compliance, t.correction);
        slide(t, at, places).map(|kind| (kind, common))
    })?;
    each(&table.hinge, "hinge", &mut found, |t, at| {
        let common = (&t.name, t.compliance, t.correction);
        hinge(t, at, places).map(|kind| (kind, common))
    })?;
    each(&table.cable, "cable", &mut found, |t, at| {
        let common = (&t.name, t.compliance, t.correction);
        cable(t, at, places).map(|kind| (kind, common))
    })?;
    each(&table.cavity, "cavity", &mut found, |t, at| {
        let common = (&t.name, t.compliance, t.correction);
        cavity(t, at, places).map(|kind| (kind, common))
    })?;
    Ok(found)
}

type Common<'a> = (&'a Option<String>, Option<Number>, Option<Number>);

fn each<'a, T>(
    tables: &'a [T],
    key: &str,
    into: &mut Vec<(Joint, KeyPath)>,
    build: impl Fn(&'a T, &KeyPath) -> Result<(JointKind, Common<'a>), Problem>,
) -> Result<(), Problem> {
    for (index, table) in tables.iter().enumerate() {
        let at = KeyPath::root().key(key).index(index);
        let (kind, (name, compliance, correction)) = build(table, &at)?;
        let default = || format!("{key} {}", index + 1);
        let mut joint = Joint::new(name.clone().unwrap_or_else(default), kind);
        joint.compliance = compliance.map_or(joint.compliance, |c| c.si);
        joint.correction = correction.map_or(joint.correction, |c| c.si);
        into.push((joint, at));
    }
    Ok(())
}

fn attach(table: &AttachTable, at: &KeyPath, places: &Places) -> Result<JointKind, Problem> {
    let body = places.body(table.body.as_deref(), at, "body")?;
    let placed = &places.bodies[body];
    let nodes = select::nodes(&table.select, placed, &at.key("select"))?;
    let rest: Vec<Vec3> = (nodes.iter())
        .map(|&n| placed.mesh.positions[n as usize])
        .collect();
    let middle = placed.middle(&nodes);
    let others: Vec<Anchor> = match &table.to {
        None => {
            let motion = Box::new(motion(&table.translate, &table.rotate, &None, middle, at)?);
            let fixed = |&point: &Vec3| Anchor::World {
                point,
                motion: motion.clone(),
            };
            rest.iter().map(fixed).collect()
        }
        Some(name) => {
            world_only(table.translate.is_some(), table.rotate.is_some(), at)?;
            let other = places.body(Some(name), at, "to")?;
            if other == body {
                return Err(
                    Problem::new(at.key("to"), "a body cannot be attached to itself")
                        .help("name another body, or use [[distance]] or [[cable]] within one"),
                );
            }
            places.points(other, &rest, table.gap.map(|g| g.si), &at.key("to"))?
        }
    };
    let own = nodes.iter().map(|n| Anchor::Node(n + placed.node_offset));
    Ok(JointKind::Attachment {
        pairs: own.zip(others).map(|(a, b)| [a, b]).collect(),
    })
}

fn distance(table: &DistanceTable, at: &KeyPath, places: &Places) -> Result<JointKind, Problem> {
    let (from, a) = places.point(&table.from, &at.key("from"))?;
    let (to, b) = places.point(&table.to, &at.key("to"))?;
    let length = match &table.length {
        Some(length) => profile(length, &at.key("length"))?,
        None => Profile::Constant((b - a).norm()),
    };
    Ok(JointKind::Distance {
        ends: [from, to],
        length,
        bound: match table.bound {
            BoundName::Equal => Bound::Equal,
            BoundName::AtMost => Bound::AtMost,
            BoundName::AtLeast => Bound::AtLeast,
        },
    })
}

fn slide(table: &SlideTable, at: &KeyPath, places: &Places) -> Result<JointKind, Problem> {
    let points: Vec<Anchor> = match (&table.select, &table.points) {
        (Some(selection), None) => {
            let body = &places.bodies[places.body(table.body.as_deref(), at, "body")?];
            let nodes = select::nodes(selection, body, &at.key("select"))?;
            let anchors = nodes.iter().map(|n| Anchor::Node(n + body.node_offset));
            anchors.collect()
        }
        (None, Some(points)) if table.body.is_none() => {
            let at = at.key("points");
            let each = points.iter().enumerate();
            each.map(|(i, point)| Ok(places.point(point, &at.index(i))?.0))
                .collect::<Result<_, Problem>>()?
        }
        _ => {
            return Err(Problem::new(
                at.clone(),
                "a slide needs either `body` and `select`, or `points`",
            ));
        }
    };
    let corners: Vec<Vec3> = table.curve.iter().map(|&p| vector(p)).collect();
    let frame = match &table.on {
        Some(name) => {
            world_only(table.translate.is_some(), table.rotate.is_some(), at)?;
            Frame::Rigid(places.rigid(name, at, "on")?)
        }
        None => {
            let middle = mean(&corners);
            let motion = motion(&table.translate, &table.rotate, &None, middle, at)?;
            Frame::World(Box::new(motion))
        }
    };
    Ok(JointKind::Slide {
        points,
        curve: Curve {
            points: corners,
            frame,
        },
        stops: table.stops,
        drag: table.drag.map_or(0.0, |d| d.si),
    })
}

fn hinge(table: &HingeTable, at: &KeyPath, places: &Places) -> Result<JointKind, Problem> {
    let second = match &table.to {
        None => None,
        Some(name) => Some(places.rigid(name, at, "to")?),
    };
    Ok(JointKind::Hinge {
        first: places.rigid(&table.body, at, "body")?,
        second,
        point: vector(table.point),
        axis: direction(table.axis, &at.key("axis"))?,
    })
}

fn cable(table: &CableTable, at: &KeyPath, places: &Places) -> Result<JointKind, Problem> {
    let through = at.key("through");
    let mut points = Vec::new();
    let (mut rest, mut before) = (0.0, None);
    for (index, point) in table.through.iter().enumerate() {
        let (anchor, x) = places.point(point, &through.index(index))?;
        rest += before.map_or(0.0, |b: Vec3| (x - b).norm());
        before = Some(x);
        points.push(anchor);
    }
    let control = match (&table.length, &table.ratio, &table.tension) {
        (Some(length), None, None) => CableControl::Length(profile(length, &at.key("length"))?),
        (None, Some(ratio), None) => {
            CableControl::Length(profile(ratio, &at.key("ratio"))?.scaled(rest))
        }
        (None, None, Some(tension)) => CableControl::Tension(profile(tension, &at.key("tension"))?),
        _ => {
            return Err(Problem::new(
                at.clone(),
                "a cable needs exactly one of `length`, `ratio`, `tension`",
            )
            .help(format!("through its points it is {rest:.6} m long at rest")));
        }
    };
    Ok(JointKind::Cable { points, control })
}

fn cavity(table: &CavityTable, at: &KeyPath, places: &Places) -> Result<JointKind, Problem> {
    let body = &places.bodies[places.body(table.body.as_deref(), at, "body")?];
    let control = match (&table.volume, &table.pressure) {
        (Some(volume), None) => CavityControl::Volume(profile(volume, &at.key("volume"))?),
        (None, Some(pressure)) => CavityControl::Pressure(profile(pressure, &at.key("pressure"))?),
        _ => {
            return Err(Problem::new(
                at.clone(),
                "a cavity needs exactly one of `volume`, `pressure`",
            ));
        }
    };
    let surface = Surface::of(&body.mesh);
    let chosen: Vec<usize> = match &table.select {
        Some(selection) => {
            let nodes = select::nodes(selection, body, &at.key("select"))?;
            let selected = |f: &usize| {
                let mut corners = surface.facet(*f).iter();
                corners.all(|n| nodes.binary_search(n).is_ok())
            };
            (0..surface.facet_count()).filter(selected).collect()
        }
        None => {
            let mut hollows = hollows(&surface, &body.mesh.positions);
            if hollows.len() != 1 {
                let count = hollows.len();
                let found = if count == 0 {
                    "none".into()
                } else {
                    count.to_string()
                };
                return Err(Problem::new(
                    at.clone(),
                    format!(
                        "body `{}` should have one hollow, but has {found}",
                        body.name
                    ),
                )
                .help("select the nodes around the one that is meant"));
            }
            hollows.remove(0)
        }
    };
    let corners = chosen.iter().flat_map(|&f| surface.facet(f));
    let corners: Vec<u32> = corners.copied().collect();
    if body.is_cut_at(&corners) {
        return Err(Problem::new(
            at.clone(),
            format!(
                "a cut of body `{}` goes through the walls of this cavity",
                body.name
            ),
        )
        .help(
            "a cavity cannot leak: cut elsewhere, limit the cut by `within`, or remove the cavity",
        ));
    }
    let offset = body.node_offset;
    let walls = if body.mesh.is_planar() {
        let edges = chosen.iter().map(|&f| surface.edges[f].map(|n| n + offset));
        Faces::Edges(edges.collect(), body.thickness)
    } else {
        let triangles = chosen
            .iter()
            .map(|&f| surface.triangles[f].map(|n| n + offset));
        Faces::Triangles(triangles.collect())
    };
    Ok(JointKind::Cavity { walls, control })
}

/// Facets of each connected part of a surface that faces inwards, in the order of their first facets.
fn hollows(surface: &Surface, positions: &[Vec3]) -> Vec<Vec<usize>> {
    let mut parent: Vec<u32> = (0..positions.len() as u32).collect();
    let facets = || (0..surface.facet_count()).map(|f| (f, surface.facet(f)));
    for (_, corners) in facets() {
        for pair in corners.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|n| root(&mut parent, n));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    let mut parts: Vec<(u32, f64, Vec<usize>)> = Vec::new();
    for (f, corners) in facets() {
        let head = root(&mut parent, corners[0]);
        let x = |i: usize| positions[corners[i] as usize] - positions[head as usize];
        let outwards = match corners.len() {
            3 => x(0).dot(x(1).cross(x(2))),
            _ => x(0).cross(x(1)).z,
        };
        match parts.iter_mut().find(|(known, ..)| *known == head) {
            Some((_, volume, list)) => {
                *volume += outwards;
                list.push(f);
            }
            None => parts.push((head, outwards, vec![f])),
        }
    }
    let inwards = parts.into_iter().filter(|(_, volume, _)| *volume < 0.0);
    inwards.map(|(_, _, list)| list).collect()
}

fn mean(points: &[Vec3]) -> Vec3 {
    let sum = points.iter().fold(Vec3::ZERO, |sum, &p| sum + p);
    sum / points.len().max(1) as f64
}

/// Refuses a motion of what a body carries.
pub(super) fn world_only(translate: bool, rotate: bool, at: &KeyPath) -> Result<(), Problem> {
    for (key, given) in [("translate", translate), ("rotate", rotate)] {
        if given {
            return Err(Problem::new(
                at.key(key),
                format!("`{key}` moves points of the world, but a body carries these"),
            )
            .help("remove it"));
        }
    }
    Ok(())
}
