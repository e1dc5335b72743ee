//! `pliant export`: a recording in the formats of other programs.

use crate::args::{Cli, ExportArgs};
use crate::failure::Failure;
use crate::output::RECORDING;
use indicatif::{ProgressBar, ProgressDrawTarget};
use pliant_scene::export::{
    Choice, Encoding, ExportError, Format, FrameRange, Options, Source, Up, expected_bytes, export,
};
use pliant_scene::recording::RecordingError;
use pliant_scene::suggest::did_you_mean;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Files larger than this are announced before they are written, bytes.
const LARGE: u64 = 50_000_000;

/// Exports a recording. Nothing is written before the request has been understood and the recording opened.
pub fn run(args: &ExportArgs, cli: &Cli) -> Result<Value, Failure> {
    let format = format(&args.to)?;
    let options = options(args, format)?;
    let choice = Choice {
        frames: args
            .frames
            .as_deref()
            .map_or(Ok(FrameRange::default()), frame_range)?,
        every: args.every,
        bodies: args.body.clone(),
    };
    let path = recording_path(&args.recording);
    let mut source = Source::open(&path, &choice).map_err(|e| failure(e, &path))?;

    let (frames, recorded) = (source.frame_count(), source.recorded_count());
    if !source.is_complete() && !cli.quiet {
        eprintln!(
            "note: the recording was not finished: it holds {recorded} whole frames, up to where the run stopped or has got so far"
        );
    }
    if let Some(bytes) = expected_bytes(&source, format, &options)
        && bytes > LARGE
        && !cli.quiet
    {
        let fewer = 10.min(frames);
        eprintln!(
            "note: this will be about {} MB, since glTF stores every frame as a morph target; --every {fewer} makes it about {} MB",
            bytes / 1_000_000,
            bytes / 1_000_000 / fewer as u64
        );
    }
    let progress = ProgressBar::new(frames as u64);
    if cli.quiet {
        progress.set_draw_target(ProgressDrawTarget::hidden()); // and hidden by itself when not a terminal
    }
    let complete = source.is_complete();
    let done = export(
        &mut source,
        format,
        args.out.as_deref(),
        &options,
        &mut || {
            progress.inc(1);
        },
    );
    progress.finish_and_clear();
    let done = done.map_err(|e| failure(e, &path))?;
    if !cli.quiet
        && !cli.json
        && let Some(first) = done.files.first()
    {
        println!(
            "{} ({} frames, {} {}, {:.1} MB)",
            first.display(),
            done.frames,
            done.files.len(),
            if done.files.len() == 1 {
                "file"
            } else {
                "files"
            },
            done.bytes as f64 / 1e6
        );
    }
    let files: Vec<String> = done.files.iter().map(|p| p.display().to_string()).collect();
    Ok(json!({
        "format": format.name(),
        "recording": path.display().to_string(),
        "complete": complete,
        "frames": done.frames,
        "files": files,
        "bytes": done.bytes,
    }))
}

/// The file itself, or the recording in the folder of a run.
fn recording_path(given: &Path) -> PathBuf {
    match given.is_dir() {
        true => given.join(RECORDING),
        false => given.to_path_buf(),
    }
}

fn format(name: &str) -> Result<Format, Failure> {
    Format::from_name(name).ok_or_else(|| {
        let names = Format::ALL.map(Format::name);
        Failure::usage(format!("there is no format `{name}`"), None)
            .help(did_you_mean(name, &names))
    })
}

/// The options, after checking that those given mean something to the format.
fn options(args: &ExportArgs, format: Format) -> Result<Options, Failure> {
    use Format::*;
    let turned: &[Format] = &[Usd, Obj, Pc2, Mdd];
    let given: [(&str, bool, &[Format]); 8] = [
        ("--up", args.up.is_some(), turned),
        ("--encoding", args.encoding.is_some(), &[Vtu]),
        ("--compress", args.compress, &[Vtu]),
        ("--surface", args.surface, &[Vtu]),
        ("--normals", args.normals, &[Gltf, Glb]),
        ("--stepped", args.stepped, &[Gltf, Glb]),
        (
            "--per-node",
            args.per_node || !args.nodes.is_empty(),
            &[Csv],
        ),
        ("--fps", args.fps.is_some(), &[Usd]),
    ];
    for (name, given, formats) in given {
        if given && !formats.contains(&format) {
            let names: Vec<&str> = formats.iter().map(|f| f.name()).collect();
            let what = format!("{name} means nothing to the format {}", format.name());
            return Err(Failure::usage(what, None)
                .help(format!("leave it out; it is for {}", names.join(", "))));
        }
    }
    let wrong = |option: &str, value: &str, allowed: &[&str]| {
        Failure::usage(format!("{option} `{value}` is not possible"), None)
            .help(did_you_mean(value, allowed))
    };
    let up = match args.up.as_deref() {
        None | Some("z" | "Z") => Up::Z,
        Some("y" | "Y") => Up::Y,
        Some(other) => return Err(wrong("--up", other, &["y", "z"])),
    };
    let encoding = match args.encoding.as_deref() {
        None | Some("appended") => Encoding::Appended,
        Some("ascii") => Encoding::Ascii,
        Some("base64") => Encoding::Base64,
        Some(other) => {
            return Err(wrong("--encoding", other, &["appended", "ascii", "base64"]));
        }
    };
    if args.compress && encoding == Encoding::Ascii {
        return Err(Failure::usage(
            "text cannot be compressed",
            Some("leave out --compress, or use another --encoding".into()),
        ));
    }
    if let Some(fps) = args.fps
        && !(fps.is_finite() && fps > 0.0)
    {
        return Err(Failure::usage(
            format!("--fps {fps} is not possible"),
            Some("give a positive number".into()),
        ));
    }
    Ok(Options {
        up,
        encoding,
        compress: args.compress,
        surface: args.surface,
        normals: args.normals,
        stepped: args.stepped,
        per_node: args.per_node,
        nodes: node_numbers(&args.nodes)?,
        rate: args.fps,
        force: args.force,
    })
}

/// `A..B`, `A..`, `..B` or one number.
fn frame_range(text: &str) -> Result<FrameRange, Failure> {
    let number = |part: &str| part.trim().parse::<usize>().ok();
    let range = match text.split_once("..") {
        None => number(text).and_then(|first| Some((first, Some(first.checked_add(1)?)))),
        Some((first, end)) => {
            let first = match first.trim() {
                "" => Some(0),
                first => number(first),
            };
            match end.trim() {
                "" => first.map(|first| (first, None)),
                end => first.zip(number(end).map(Some)),
            }
        }
    };
    let (first, end) = range.ok_or_else(|| {
        Failure::usage(format!("--frames `{text}` is not a range of frames"), None)
            .help("write A..B for the frames from A to before B, counted from 0; A.., ..B and a single number work too")
    })?;
    Ok(FrameRange { first, end })
}

/// Numbers and ranges `A..B`.
fn node_numbers(parts: &[String]) -> Result<Vec<usize>, Failure> {
    const MOST: usize = 1_000_000;
    let mut nodes = Vec::new();
    for part in parts {
        let range = match part.split_once("..") {
            None => part.parse().ok().map(|n: usize| n..n.saturating_add(1)),
            Some((a, b)) => a.parse().ok().zip(b.parse().ok()).map(|(a, b)| a..b),
        };
        let range = range
            .filter(|r| !r.is_empty() && r.len() <= MOST - nodes.len())
            .ok_or_else(|| {
                Failure::usage(format!("--nodes `{part}` is not a list of nodes"), None)
                    .help("write numbers and ranges such as 3,7,10..20, counted from 0 within the body; --per-node takes all")
            })?;
        nodes.extend(range);
    }
    Ok(nodes)
}

fn failure(error: ExportError, path: &Path) -> Failure {
    let shown = path.display();
    match error {
        ExportError::Recording(RecordingError::Io(e)) => {
            Failure::usage(format!("cannot read the recording `{shown}`: {e}"), None)
                .help("give a recording (recording.pliant) or the folder of a run that has one")
        }
        ExportError::Recording(error @ RecordingError::NotARecording) => {
            Failure::usage(format!("`{shown}`: {error}"), None)
                .help("give a recording (recording.pliant) or the folder of a run")
        }
        ExportError::Recording(error) => Failure::usage(format!("`{shown}`: {error}"), None),
        other => Failure::usage(other.to_string(), None),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot go on should stop here
mod tests {
    use super::*;

    #[test]
    fn ranges_of_frames() {
        let range = |first, end| FrameRange { first, end };
        for (text, expected) in [
            ("3..7", range(3, Some(7))),
            ("3..", range(3, None)),
            ("..7", range(0, Some(7))),
            ("..", range(0, None)),
            ("5", range(5, Some(6))),
        ] {
            assert_eq!(frame_range(text).unwrap(), expected);
        }
        for text in ["", "a", "1...", "-1..3", "1..x", "18446744073709551615"] {
            assert!(frame_range(text).is_err(), "{text}");
        }
    }

    #[test]
    fn lists_of_nodes() {
        let list = |parts: &[&str]| {
            let parts: Vec<String> = parts.iter().map(|p| p.to_string()).collect();
            node_numbers(&parts)
        };
        assert_eq!(list(&["4", "1..3"]).unwrap(), [4, 1, 2]);
        for bad in ["", "x", "3..3", "0..10000000000", "3.."] {
            assert!(list(&[bad]).is_err(), "{bad}");
        }
    }
}
