//! Rigid bodies and chains.

use super::profile::profile;
use super::{PlacedBody, check, direction, drive, vector};
use crate::error::{KeyPath, Problem};
use crate::file::{BodyTable, ChainTable, LinkTable, MaterialTable, RigidName, RigidValue};
use crate::suggest::did_you_mean;
use pliant_linalg::Vec3;
use pliant_mesh::Mesh;
use pliant_solid::model::BodySpecification;
use pliant_solid::profile::Profile;
use pliant_solid::rigid::{Chain, Link, Mobility};

/// The material of a body: a soft one must give it, a rigid one may give a density instead.
pub fn material(table: &BodyTable, at: &KeyPath) -> Result<MaterialTable, Problem> {
    match (&table.material, table.density, &table.rigid) {
        (Some(_), Some(_), Some(_)) => Err(Problem::new(
            at.key("density"),
            "the material already has a density",
        )
        .help("remove one of `material` and `density`")),
        (_, Some(_), None) => Err(Problem::new(
            at.key("density"),
            "only rigid bodies have a density beside their material",
        )
        .help("write it into `material`, or add rigid = \"free\"")),
        (Some(material), None, _) => Ok(material.clone()),
        (None, density, Some(_)) => Ok(MaterialTable::of_density(density)),
        (None, None, None) => Err(Problem::new(at.clone(), "the key `material` is missing")
            .help("add `material` here, or make the body rigid")),
    }
}

/// How a rigid body moves; links get their chain by [`chains`].
pub fn mobility(table: &BodyTable, mesh: &Mesh, at: &KeyPath) -> Result<Option<Mobility>, Problem> {
    let Some(rigid) = &table.rigid else {
        return Ok(None);
    };
    let mobility = match rigid {
        RigidValue::Name(RigidName::Free) => return Ok(Some(Mobility::Free)),
        RigidValue::Name(RigidName::Fixed) => Mobility::Fixed,
        RigidValue::Name(RigidName::Link) => Mobility::Link {
            chain: usize::MAX,
            link: usize::MAX,
        },
        RigidValue::Table(table) => {
            let at = at.key("rigid").key("move");
            let count = mesh.positions.len().max(1) as f64;
            let middle = mesh.positions.iter().fold(Vec3::ZERO, |s, &x| s + x) / count;
            let motion = &table.r#move;
            let motion = drive::motion(&motion.translate, &motion.rotate, &None, middle, &at)?;
            if motion.is_rest() {
                return Err(Problem::new(at, "this motion moves nothing")
                    .help("add `translate` or `rotate`, or write rigid = \"fixed\""));
            }
            Mobility::Kinematic(motion)
        }
    };
    for (key, given) in [
        ("velocity", table.velocity.is_some()),
        ("spin", table.spin.is_some()),
    ] {
        if given {
            return Err(Problem::new(
                at.key(key),
                format!("this rigid body is not free, so its {key} is not its own"),
            )
            .help("remove it; a link has a `rate`"));
        }
    }
    Ok(Some(mobility))
}

/// The chains, with the bodies that are their links told so.
pub fn chains(
    tables: &[ChainTable],
    placed: &[PlacedBody],
    bodies: &mut [BodySpecification],
) -> Result<Vec<Chain>, Problem> {
    let root = KeyPath::root();
    let mut chains = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        let at = root.key("chain").index(index);
        let name = table.name.clone();
        let name = name.unwrap_or_else(|| format!("chain {}", index + 1));
        if table.link.is_empty() {
            return Err(Problem::new(at, format!("the chain `{name}` has no link"))
                .help("add [[chain.link]] with body, axis and point"));
        }
        let mut links = Vec::new();
        for (number, link) in table.link.iter().enumerate() {
            let at = at.key("link").index(number);
            let body = body_of(link, placed, bodies, &at)?;
            bodies[body].rigid = Some(Mobility::Link {
                chain: index,
                link: number,
            });
            let rigid_before = bodies[..body].iter().filter(|b| b.rigid.is_some()).count();
            let parent = parent_of(link, &table.link[..number], &at)?;
            links.push(self::link(link, rigid_before, parent, &at)?);
        }
        chains.push(Chain { name, links });
    }
    let names = chains.iter().map(|c| Some(c.name.as_str()));
    check::unique("chain", names.collect())?;
    match bodies.iter().position(is_unclaimed) {
        None => Ok(chains),
        Some(body) => Err(Problem::new(
            root.key("body").index(body).key("rigid"),
            format!("no chain has the body `{}` as a link", bodies[body].name),
        )
        .help("name it in a [[chain.link]], or write rigid = \"free\"")),
    }
}

/// A link that no chain has named yet.
fn is_unclaimed(body: &BodySpecification) -> bool {
    matches!(body.rigid, Some(Mobility::Link { chain, .. }) if chain == usize::MAX)
}

fn body_of(
    link: &LinkTable,
    placed: &[PlacedBody],
    bodies: &[BodySpecification],
    at: &KeyPath,
) -> Result<usize, Problem> {
    let at = at.key("body");
    let name = &link.body;
    let Some(body) = placed.iter().position(|b| b.name == *name) else {
        let known: Vec<&str> = placed.iter().map(|b| b.name.as_str()).collect();
        return Err(
            Problem::new(at, format!("there is no body `{name}`")).help(did_you_mean(name, &known))
        );
    };
    match bodies[body].rigid {
        _ if is_unclaimed(&bodies[body]) => Ok(body),
        Some(Mobility::Link { .. }) => Err(Problem::new(
            at,
            format!("the body `{name}` is a link already"),
        )
        .help("give each link a body of its own")),
        _ => Err(Problem::new(at, format!("the body `{name}` is no link"))
            .help("write rigid = \"link\" in its table")),
    }
}

fn parent_of(
    link: &LinkTable,
    earlier: &[LinkTable],
    at: &KeyPath,
) -> Result<Option<usize>, Problem> {
    let Some(parent) = &link.parent else {
        return Ok(None);
    };
    let found = earlier.iter().position(|l| l.body == *parent);
    found.map(Some).ok_or_else(|| {
        let known: Vec<&str> = earlier.iter().map(|l| l.body.as_str()).collect();
        let problem = Problem::new(
            at.key("parent"),
            format!("no earlier link of this chain has the body `{parent}`"),
        );
        problem.help(match known.is_empty() {
            true => "the first link hangs on the ground: remove `parent`".to_string(),
            false => did_you_mean(parent, &known),
        })
    })
}

fn link(
    table: &LinkTable,
    body: usize,
    parent: Option<usize>,
    at: &KeyPath,
) -> Result<Link, Problem> {
    let damping = table.damping.map_or(0.0, |d| d.si);
    let stiffness = table.stiffness.map_or(0.0, |s| s.si);
    for (key, value) in [("damping", damping), ("stiffness", stiffness)] {
        if value < 0.0 {
            return Err(Problem::new(
                at.key(key),
                format!("the {key} of a joint must not be negative, not {value}"),
            ));
        }
    }
    let angle = table.angle.map_or(0.0, |a| a.si);
    let limits = table.limits.map(|l| l.map(|a| a.si));
    if let Some([least, greatest]) = limits {
        if least > greatest {
            return Err(Problem::new(
                at.key("limits"),
                format!("the limits of a joint are [least, greatest], not [{least}, {greatest}]"),
            ));
        }
        if angle < least || angle > greatest {
            let key = if table.angle.is_some() {
                "angle"
            } else {
                "limits"
            };
            return Err(Problem::new(
                at.key(key),
                format!(
                    "the joint begins at {angle} rad, outside its limits [{least}, {greatest}]"
                ),
            )
            .help("change `angle` or `limits`"));
        }
    }
    if table.rest_angle.is_some() && table.stiffness.is_none() {
        return Err(Problem::new(
            at.key("rest_angle"),
            "a joint without `stiffness` has no spring",
        )
        .help("add `stiffness`, or remove `rest_angle`"));
    }
    Ok(Link {
        body,
        parent,
        axis: direction(table.axis, &at.key("axis"))?,
        point: vector(table.point),
        angle,
        rate: table.rate.map_or(0.0, |r| r.si),
        limits,
        damping,
        stiffness,
        rest_angle: table.rest_angle.map_or(0.0, |a| a.si),
        torque: match &table.torque {
            None => Profile::Constant(0.0),
            Some(torque) => profile(torque, &at.key("torque"))?,
        },
    })
}
