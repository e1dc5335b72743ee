//! What a page may ask for: one JSON object a message. Anything else closes its connection.

use serde::{Deserialize, Serialize};

/// How surfaces are coloured.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Field {
    /// By body.
    #[default]
    Body,
    /// By distance from the rest position, m.
    Displacement,
    /// By speed, m/s.
    Speed,
    /// By von Mises stress, Pa.
    Stress,
    /// By what the method does with elements.
    State,
    /// By distance from where the other method has it, m.
    Error,
}

/// What a page looks at; frames hold that and no more.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct View {
    /// Colours.
    pub field: Field,
    /// Whether surfaces that bodies carry along are shown, rather than their own.
    pub embedded: bool,
    /// Whether contact forces are wanted.
    pub contacts: bool,
    /// Whether nodes and elements that the method chose are wanted.
    pub markers: bool,
    /// A plane n · x + d = 0, as n and d, whose face in the bodies is wanted.
    pub section: Option<[f64; 4]>,
}

/// A request of a page.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// A frame has been shown: another may come. For everybody.
    Ready,
    /// Show something else. For everybody.
    View(View),
    /// Steer, from now on. For everybody.
    Take,
    /// Go on.
    Play,
    /// Hold on.
    Pause,
    /// One step, or one frame of a recording.
    Step,
    /// Back to the start.
    Reset,
    /// Another scene, one of those that are built in, or the one that was asked for at the start.
    Scene {
        /// Its name.
        name: String,
    },
    /// Another method from here on, keeping the state.
    Method {
        /// Which of the simulations that are side by side.
        pane: usize,
        /// Its name.
        name: String,
    },
    /// Another time step.
    TimeStep {
        /// Its length, s.
        seconds: f64,
    },
    /// Other materials.
    Material {
        /// Young's moduli, as a multiple of the scene's.
        stiffness: f64,
        /// Densities, as a multiple of the scene's.
        density: f64,
        /// Damping by mass that is added, 1/s.
        drag: f64,
    },
    /// How fast time may run.
    Speed {
        /// Simulated over real time; 0 for as fast as it goes.
        ratio: f64,
    },
    /// Take hold of a body.
    Grab {
        /// Vertex of the surface.
        vertex: u32,
        /// Whether it is one of the surface that is carried along.
        embedded: bool,
        /// Where the hand is, m.
        point: [f64; 3],
    },
    /// Move the hand.
    Pull {
        /// Where to, m.
        point: [f64; 3],
    },
    /// Let go.
    Release,
    /// Cut all bodies that a plane meets.
    Cut {
        /// A point of the plane, m.
        point: [f64; 3],
        /// Its normal.
        normal: [f64; 3],
    },
    /// Two methods side by side from the start on, or only the first.
    Compare {
        /// The second method.
        method: Option<String>,
    },
    /// A frame of a recording.
    Seek {
        /// Its number.
        frame: usize,
    },
    /// Begin or end a recording.
    Record {
        /// Which.
        on: bool,
    },
}

impl Command {
    /// Whether pages that only watch may ask for it.
    pub fn is_for_everybody(&self) -> bool {
        matches!(self, Command::Ready | Command::View(_) | Command::Take)
    }

    /// Whether all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        let all = |numbers: &[f64]| numbers.iter().all(|v| v.is_finite());
        match self {
            Command::TimeStep { seconds: number } | Command::Speed { ratio: number } => {
                number.is_finite()
            }
            Command::Material {
                stiffness,
                density,
                drag,
            } => all(&[*stiffness, *density, *drag]),
            Command::View(view) => view.section.is_none_or(|plane| all(&plane)),
            Command::Grab { point, .. } | Command::Pull { point } => all(point),
            Command::Cut { point, normal } => all(point) && all(normal),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands() {
        let read = |text: &str| serde_json::from_str::<Command>(text);
        assert_eq!(read(r#"{"do":"play"}"#).unwrap(), Command::Play);
        let view = r#"{"do":"view","field":"stress","contacts":true}"#;
        let Command::View(view) = read(view).unwrap() else {
            panic!("not a view");
        };
        assert_eq!((view.field, view.contacts), (Field::Stress, true));
        let endless = View {
            section: Some([f64::NAN, 0.0, 0.0, 0.0]),
            ..view
        };
        assert!(Command::View(view).is_finite() && !Command::View(endless).is_finite());
        for bad in [
            "",
            "{}",
            "[]",
            "null",
            r#"{"do":"explode"}"#,
            r#"{"do":"grab","vertex":-1,"embedded":false,"point":[0,0,0]}"#,
            r#"{"do":"pull","point":[0,0]}"#,
            r#"{"do":"scene"}"#,
            r#"{"do":"seek","frame":1.5}"#,
            r#"{"do":"method","pane":0,"name":"full","extra":1}"#,
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
