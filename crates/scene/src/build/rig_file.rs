//! Files of skeletons and poses: text, TGF, JSON.

use super::asset::{AssetUse, Files, find_named, mixed};
use crate::error::{KeyPath, Problem};
use pliant_mesh::rig::{Joint, Pose, Quaternion, RigError, Skeleton, read_skeleton, read_tgf};
use serde::Deserialize;
use std::path::Path;

/// Longest file that is read, bytes.
const LARGEST: u64 = 256 << 20;

/// Where a table says that a file is.
pub struct Named<'t> {
    pub asset: Option<&'t str>,
    pub file: Option<&'t str>,
}

/// A file that was found.
pub struct RigFile {
    name: String,
    extension: String,
    text: String,
    at: KeyPath,
}

/// What JSON files hold.
#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    joints: Vec<JsonJoint>,
    #[serde(default)]
    frames: Vec<Vec<[f64; 4]>>,
}

#[derive(Deserialize)]
struct JsonJoint {
    index: usize,
    name: Option<String>,
    position: [f64; 3],
    parent: i64,
}

/// The file that a table names; none if it is an asset that is absent though there is something to use instead.
pub fn find(
    named: &Named,
    spare: bool,
    owner: &str,
    at: &KeyPath,
    files: &mut Files,
) -> Result<Option<RigFile>, Problem> {
    let (name, path, at) = match (named.asset, named.file) {
        (Some(name), None) => {
            let at = at.key("asset");
            let Some(path) = find_named(name, &at, files)? else {
                if spare {
                    note(name, owner, None, &[], files);
                    return Ok(None);
                }
                return Err(Problem::new(
                    at,
                    format!("the file `{name}` is in no folder of assets"),
                )
                .help("name the folder that holds it with --assets or PLIANT_ASSETS"));
            };
            (name, path, at)
        }
        (None, Some(name)) => {
            let at = at.key("file");
            let Some(base) = files.base() else {
                return Err(Problem::new(at, "an embedded scene cannot name a file")
                    .help("use an asset, or write joints and keys into the scene"));
            };
            (name, base.join(name), at)
        }
        _ => {
            return Err(Problem::new(
                at.clone(),
                "give exactly one of `asset` and `file`",
            ));
        }
    };
    let unreadable = |why: String| {
        Problem::new(
            at.clone(),
            format!("the file `{name}` cannot be read: {why}"),
        )
    };
    let size = std::fs::metadata(&path)
        .map_err(|e| unreadable(e.to_string()))?
        .len();
    if size > LARGEST {
        return Err(unreadable(format!(
            "it has {size} bytes, and the limit is {LARGEST}"
        )));
    }
    let text = std::fs::read_to_string(&path).map_err(|e| unreadable(e.to_string()))?;
    note(name, owner, Some(&path), text.as_bytes(), files);
    let extension = Path::new(name).extension().and_then(|e| e.to_str());
    Ok(Some(RigFile {
        name: name.to_string(),
        extension: extension.unwrap_or_default().to_lowercase(),
        text,
        at,
    }))
}

/// Says what was used. Poses and skeletons belong to the identity of a scene as meshes do.
fn note(name: &str, owner: &str, file: Option<&Path>, content: &[u8], files: &mut Files) {
    files.notices.push(match file {
        Some(file) => format!("{owner} is from {}", file.display()),
        None => format!(
            "{owner} is that of the scene, as there is no {name}; --assets names a folder with it"
        ),
    });
    let digest = mixed(0xcbf2_9ce4_8422_2325, content);
    files
        .assets
        .push(AssetUse::other(owner, name, file, digest));
}

impl RigFile {
    fn problem(&self, message: String) -> Problem {
        Problem::new(self.at.clone(), format!("`{}`: {message}", self.name))
    }

    fn content(&self) -> Result<Content, Problem> {
        serde_json::from_str(&self.text).map_err(|e| self.problem(e.to_string()))
    }

    /// Its joints.
    pub fn skeleton(&self) -> Result<Skeleton, Problem> {
        let refuse = |e: RigError| self.problem(e.to_string());
        match self.extension.as_str() {
            "tgf" => read_tgf(&self.text).map_err(refuse),
            "json" => {
                let mut joints = Vec::new();
                for (place, joint) in self.content()?.joints.into_iter().enumerate() {
                    if joint.index != place {
                        let found = joint.index;
                        return Err(self.problem(format!(
                            "joints are numbered from 0 in order: {place} should follow, not {found}"
                        )));
                    }
                    joints.push(Joint {
                        name: joint.name.unwrap_or_else(|| format!("joint {place}")),
                        position: joint.position.into(),
                        parent: usize::try_from(joint.parent).ok(),
                    });
                }
                Skeleton::new(joints).map_err(refuse)
            }
            _ => read_skeleton(&self.text).map_err(refuse),
        }
    }

    /// Its frames, for a skeleton.
    pub fn poses(&self, skeleton: &Skeleton) -> Result<Vec<Pose>, Problem> {
        let frames = self.content()?.frames;
        if frames.is_empty() {
            return Err(self.problem("it has no `frames`".to_string()));
        }
        let pose = |(index, frame): (usize, Vec<[f64; 4]>)| {
            let rotations = frame
                .into_iter()
                .map(|[w, x, y, z]| Quaternion::new(w, x, y, z));
            let pose = Pose {
                rotations: rotations.collect(),
                ..Pose::rest(skeleton)
            };
            pose.checked(skeleton)
                .map_err(|e| self.problem(format!("frame {index}: {e}")))
        };
        frames.into_iter().enumerate().map(pose).collect()
    }
}
