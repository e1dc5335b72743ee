//! How the command fails: one clear message, the right exit code.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use pliant_scene::SceneError;
use serde_json::{Value, json};
use std::process::ExitCode;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub struct Failure {
    kind: Kind,
    message: String,
    help: Option<String>,
    /// Place in a scene, with the scene's text for the excerpt.
    scene: Option<Box<(SceneError, String)>>,
    /// What was found in spite of it, an object.
    result: Option<Box<Value>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Exit code 1: the simulation failed.
    Simulation,
    /// Exit code 2: bad usage, scene, mesh or file.
    Usage,
    /// Exit code 130: somebody pressed Ctrl-C, as shells count it (128 and the signal's number).
    Interrupted,
}

impl Failure {
    /// The request is at fault: exit code 2.
    pub fn usage(message: impl Into<String>, help: Option<String>) -> Failure {
        Failure {
            kind: Kind::Usage,
            message: message.into(),
            help,
            scene: None,
            result: None,
        }
    }

    /// The simulation failed: exit code 1.
    pub fn simulation(message: impl Into<String>) -> Failure {
        Failure {
            kind: Kind::Simulation,
            message: message.into(),
            help: None,
            scene: None,
            result: None,
        }
    }

    /// Somebody stopped the command, which ended in order: exit code 130.
    pub fn interrupted(message: impl Into<String>) -> Failure {
        Failure {
            kind: Kind::Interrupted,
            ..Failure::simulation(message)
        }
    }

    /// The scene is at fault: exit code 2, with an excerpt of its text.
    pub fn scene(error: SceneError, text: String) -> Failure {
        Failure {
            kind: Kind::Usage,
            message: error.message.clone(),
            help: error.help.clone(),
            scene: Some(Box::new((error, text))),
            result: None,
        }
    }

    /// Adds what to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Failure {
        self.help = Some(help.into());
        self
    }

    /// Adds an object that `--json` prints although something failed, with the error beside its own keys.
    pub fn with_result(mut self, result: Value) -> Failure {
        self.result = Some(Box::new(result));
        self
    }

    /// What went wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// 1, 2 or 130.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self.kind {
            Kind::Simulation => 1,
            Kind::Usage => 2,
            Kind::Interrupted => 130,
        })
    }

    /// Prints the message on standard error, with the lines of the scene that it is about.
    pub fn print(&self) {
        if let Some((error, text)) = self.scene.as_deref()
            && let Some(span) = error.span.clone().filter(|s| text.get(s.clone()).is_some())
        {
            // the place in the form that editors understand, then the excerpt
            eprintln!("{}:{}:{}", error.file, error.line, error.column);
            let snippet = Snippet::source(text.as_str())
                .path(error.file.as_str())
                .annotation(AnnotationKind::Primary.span(span));
            let mut group = Level::ERROR
                .primary_title(self.message.as_str())
                .element(snippet);
            if let Some(help) = &self.help {
                group = group.element(Level::HELP.message(help.as_str()));
            }
            eprintln!("{}", Renderer::plain().render(&[group]));
            return;
        }
        let place = self
            .scene
            .as_deref()
            .map_or_else(String::new, |(e, _)| format!("{}: ", e.file));
        eprintln!("error: {place}{}", self.message);
        if let Some(help) = &self.help {
            eprintln!("  help: {help}");
        }
    }

    /// For `--json`.
    pub fn to_json(&self) -> Value {
        let mut error = json!({ "message": self.message });
        if let Some(help) = &self.help {
            error["help"] = json!(help);
        }
        if let Some((scene, _)) = self.scene.as_deref() {
            error["file"] = json!(scene.file);
            error["line"] = json!(scene.line);
            error["column"] = json!(scene.column);
        }
        let mut object = self.result.as_deref().cloned().unwrap_or(json!({}));
        object["error"] = error;
        object
    }
}
