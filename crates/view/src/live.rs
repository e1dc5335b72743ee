//! A scene that is simulated while pages look at it.

use crate::hand::Grip;
use crate::message::{Command, View};
use crate::packet::Packet;
use crate::picture;
use crate::series;
use crate::source::{Change, Source};
use crate::tape::Tape;
use crate::world::World;
use pliant_linalg::Vec3;
use pliant_scene::{EMBEDDED, MaterialChange, SceneFile, Sources};
use pliant_solid::strategy::Method;
use serde_json::{Value, json};

/// Finds a scene by name.
pub type Loader = Box<dyn Fn(&str) -> Result<(SceneFile, Sources), String> + Send>;

/// See the file header.
pub struct Live {
    loader: Loader,
    /// The name that it was started with, which may be a path: pages may come back to it.
    first: String,
    world: World,
    playing: bool,
    speed: f64,
    grip: Option<Grip>,
    rows: Vec<Vec<f32>>,
    tape: Tape,
}

impl Live {
    /// Loads a scene; nothing moves yet.
    pub fn new(
        loader: Loader,
        name: &str,
        method: Option<Method>,
        playing: bool,
    ) -> Result<Live, String> {
        let (file, sources) = loader(name)?;
        Ok(Live {
            world: World::new(file, sources, method)?,
            loader,
            first: name.to_string(),
            playing,
            speed: 1.0,
            grip: None,
            rows: Vec::new(),
            tape: Tape::default(),
        })
    }

    /// Another scene: its words, if it cannot be shown as it wants to be.
    fn set_scene(&mut self, name: &str) -> Result<Option<String>, String> {
        let known = name == self.first || EMBEDDED.iter().any(|s| s.name == name);
        if !known {
            return Err(format!("there is no scene `{name}`"));
        }
        let (file, sources) = (self.loader)(name)?;
        match World::new(file.clone(), sources.clone(), None) {
            Ok(world) => {
                self.world = world;
                Ok(None)
            }
            // such as one whose training is still to be done
            Err(why) => {
                self.world = World::new(file, sources, Some(Method::Full))?;
                Ok(Some(format!("{why} Shown with the method full.")))
            }
        }
    }

    /// Requests that change what is simulated: none for all others.
    fn change(&mut self, command: &Command) -> Option<Result<Change, String>> {
        self.release();
        let world = &mut self.world;
        let done = match command {
            Command::Reset => world.reset().map(|()| None),
            Command::Scene { name } => self.set_scene(name),
            Command::Method { pane, name } => world.set_method(*pane, name).map(|()| None),
            Command::TimeStep { seconds } => world.set_step(*seconds).map(|()| None),
            Command::Material {
                stiffness,
                density,
                drag,
            } => {
                let wanted = MaterialChange {
                    stiffness: *stiffness,
                    density: *density,
                    drag: *drag,
                };
                world.set_materials(wanted).map(|()| None)
            }
            Command::Cut { point, normal } => {
                world.cut([vector(*point), vector(*normal)]).map(|()| None)
            }
            Command::Compare { method } => world.compare(method.as_deref()).map(|()| None),
            _ => return None,
        };
        Some(done.map(|notice| {
            // a recording has one mesh and goes forwards
            if matches!(
                command,
                Command::Reset | Command::Scene { .. } | Command::Cut { .. }
            ) {
                self.tape.stop();
            }
            Change {
                notice,
                ..Change::scene()
            }
        }))
    }

    fn release(&mut self) {
        if let Some(grip) = self.grip.take() {
            grip.release(&mut self.world.panes);
        }
    }
}

fn vector(v: [f64; 3]) -> Vec3 {
    Vec3::new(v[0], v[1], v[2])
}

impl Source for Live {
    fn apply(&mut self, command: Command) -> Change {
        let nothing = Ok(Change::default());
        let result = match command {
            Command::Play | Command::Pause => {
                self.playing = command == Command::Play;
                nothing
            }
            Command::Step => {
                self.playing = false;
                Ok(self.step())
            }
            Command::Speed { ratio } => {
                self.speed = ratio.clamp(0.0, 100.0);
                nothing
            }
            Command::Grab {
                vertex,
                embedded,
                point,
            } => {
                self.release();
                let World { panes, shape, .. } = &self.world;
                self.grip = Grip::take(panes, shape, (vertex, embedded), vector(point));
                match &self.grip {
                    Some(_) => Ok(Change::picture()),
                    None => Err("this body cannot be moved".into()),
                }
            }
            Command::Pull { point } => {
                if let Some(grip) = &mut self.grip {
                    grip.point = vector(point);
                }
                nothing
            }
            Command::Release => {
                self.release();
                Ok(Change::picture())
            }
            Command::Record { on: true } => self.tape.start(&self.world.scene),
            Command::Record { on: false } => {
                self.tape.stop();
                nothing
            }
            Command::Seek { .. } => Err("there is no time line: this is live".into()),
            Command::Ready | Command::View(_) | Command::Take => nothing,
            change => self.change(&change).unwrap_or(nothing),
        };
        result.unwrap_or_else(Change::notice)
    }

    fn is_playing(&self) -> bool {
        self.playing
    }

    fn time(&self) -> f64 {
        self.world.panes[0].simulation.time()
    }

    fn speed(&self) -> f64 {
        self.speed
    }

    fn step(&mut self) -> Change {
        let panes = &mut self.world.panes;
        if let Some(grip) = &self.grip {
            grip.pull(panes, self.world.scene.settings.h);
        }
        for pane in panes.iter_mut() {
            if let Err(error) = pane.step() {
                self.playing = false;
                let why = format!("{error} (paused; reset, or try a smaller time step)");
                return Change::picture().saying(why);
            }
        }
        let error = picture::largest_error(panes);
        for (index, pane) in panes.iter().enumerate() {
            let error = if index == 0 { 0.0 } else { error };
            self.rows.push(series::row(index, pane, error));
        }
        match self.tape.step(&panes[0].simulation) {
            Ok(()) => Change::picture(),
            Err(why) => Change::picture().saying(why),
        }
    }

    fn rows(&mut self) -> Vec<Vec<f32>> {
        std::mem::take(&mut self.rows)
    }

    fn scene(&self) -> Packet {
        let World {
            scene,
            shape,
            panes,
            ..
        } = &self.world;
        let mut packet = Packet::new("scene");
        shape.describe(&mut packet);
        let panes = panes.iter().map(|pane| {
            json!({
                "method": pane.method.name(),
                "thresholds": series::thresholds(pane.method, &pane.simulation, &scene.settings),
            })
        });
        packet.set("panes", panes.collect::<Vec<_>>());
        packet.set("live", true);
        packet.set("notices", scene.notices.clone());
        packet
    }

    fn frame(&mut self, view: View) -> Packet {
        let mut packet = picture::frame(&self.world.panes, &self.world.shape, view);
        if let Some(grip) = &self.grip {
            packet.set("hand", grip.point.to_array().to_vec());
        }
        packet
    }

    fn status(&self) -> Value {
        let World {
            scene,
            panes,
            materials,
            cuts,
            ..
        } = &self.world;
        let methods = panes.iter().map(|pane| pane.method.name());
        json!({
            "live": true,
            "playing": self.playing,
            "speed": self.speed,
            "scene": scene.name,
            "methods": methods.collect::<Vec<_>>(),
            "timeStep": scene.settings.h,
            "stiffness": materials.stiffness,
            "density": materials.density,
            "drag": materials.drag,
            "cuts": cuts,
            "recording": self.tape.is_running(),
            "recorded": self.tape.frames(),
        })
    }

    fn recording(&self) -> Option<Vec<u8>> {
        self.tape.bytes()
    }
}
