//! A scene that is simulated while pages look at it, with one method or two side by side.

use crate::hand::{self, Hand};
use crate::message::{Command, View};
use crate::packet::Packet;
use crate::pane::Pane;
use crate::picture;
use crate::series;
use crate::shape::Shape;
use crate::source::{Change, Source};
use crate::tape::Tape;
use crate::transfer;
use pliant_linalg::Vec3;
use pliant_scene::recording::RecordingHeader;
use pliant_scene::{EMBEDDED, Scene, SceneFile, Sources, build_from};
use pliant_solid::Simulation;
use pliant_solid::state::State;
use pliant_solid::strategy::Method;
use serde_json::{Value, json};

/// Range of the time steps that pages may ask for, s.
const STEPS: [f64; 2] = [1e-5, 0.1];
/// Range of the factors of stiffness.
const STIFFNESS: [f64; 2] = [0.01, 100.0];
/// Most cuts by hand.
const MOST_CUTS: usize = 24;

/// Finds a scene by name.
pub type Loader = Box<dyn Fn(&str) -> Result<(SceneFile, Sources), String> + Send>;

/// See the file header.
pub struct Live {
    loader: Loader,
    /// The name that it was started with, which may be a path: pages may come back to it.
    first: String,
    sources: Sources,
    /// As it was read, and with all that was changed.
    original: SceneFile,
    file: SceneFile,
    scene: Scene,
    shape: Shape,
    panes: Vec<Pane>,
    playing: bool,
    speed: f64,
    stiffness: f64,
    cuts: usize,
    /// The hand of each simulation, and where it is.
    hands: Option<(Vec<Option<Hand>>, Vec3)>,
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
        let mut scene = build_from(&file, &sources).map_err(|e| e.to_string())?;
        if let Some(method) = method {
            scene.set_method(method);
        }
        let method = scene.method;
        let panes = vec![start(&mut scene, method, None)?];
        Ok(Live {
            loader,
            first: name.to_string(),
            sources,
            shape: Shape::new(RecordingHeader::new(&scene)),
            original: file.clone(),
            file,
            scene,
            panes,
            playing,
            speed: 1.0,
            stiffness: 1.0,
            cuts: 0,
            hands: None,
            rows: Vec::new(),
            tape: Tape::default(),
        })
    }

    /// The simulations.
    pub fn panes(&self) -> &[Pane] {
        &self.panes
    }

    /// What the file header says of another method for one of the simulations; the state goes on.
    fn set_method(&mut self, pane: usize, name: &str) -> Result<Change, String> {
        let method = Method::from_name(name).ok_or("there is no such method")?;
        if pane >= self.panes.len() {
            return Err("there is no such simulation".into());
        }
        let h = self.scene.settings.h;
        self.release();
        let state = transfer::carried(&self.scene.model, self.panes[pane].simulation.state(), h);
        self.panes[pane] = start(&mut self.scene, method, Some(state))?;
        self.scene.method = self.panes[0].method;
        Ok(Change::scene())
    }

    /// All simulations with the scene as `file` and the time step have it now. States go on, interpolated where the meshes were cut.
    fn rebuild(&mut self, file: SceneFile, h: f64, cut: bool) -> Result<Change, String> {
        self.release();
        let mut scene = build_from(&file, &self.sources).map_err(|e| e.to_string())?;
        scene.method = self.scene.method;
        scene.settings.h = h;
        let mut panes = Vec::new();
        for pane in &self.panes {
            let state = pane.simulation.state();
            let state = if cut {
                // the seams are open in the model of a simulation that has begun
                let opened = start(&mut scene, pane.method, None)?;
                let old = pane.simulation.model();
                transfer::interpolated(opened.simulation.model(), old, state, h)
                    .ok_or("the cut meshes do not fit the old ones")?
            } else {
                transfer::carried(&scene.model, state, h)
            };
            panes.push(start(&mut scene, pane.method, Some(state))?);
        }
        self.file = file;
        if cut {
            self.tape.stop();
        }
        self.replace(scene, panes);
        Ok(Change::scene())
    }

    fn replace(&mut self, scene: Scene, panes: Vec<Pane>) {
        self.shape = Shape::new(RecordingHeader::new(&scene));
        self.scene = scene;
        self.panes = panes;
        self.hands = None;
    }

    fn set_scene(&mut self, name: &str) -> Result<Change, String> {
        let known = name == self.first || EMBEDDED.iter().any(|s| s.name == name);
        if !known {
            return Err(format!("there is no scene `{name}`"));
        }
        let (file, sources) = (self.loader)(name)?;
        let mut scene = build_from(&file, &sources).map_err(|e| e.to_string())?;
        let method = scene.method;
        let pane = start(&mut scene, method, None);
        let (pane, notice) = match pane {
            Ok(pane) => (pane, None),
            // such as one whose training is still to be done
            Err(why) => {
                let pane = start(&mut scene, Method::Full, None)?;
                (pane, Some(format!("{why} Shown with the method full.")))
            }
        };
        self.original = file.clone();
        self.file = file;
        self.sources = sources;
        self.stiffness = 1.0;
        self.cuts = 0;
        self.tape.stop();
        self.replace(scene, vec![pane]);
        Ok(Change {
            notice,
            ..Change::scene()
        })
    }

    fn reset(&mut self) -> Result<Change, String> {
        let h = self.scene.settings.h;
        let file = self.original.with_stiffness(self.stiffness);
        let mut scene = build_from(&file, &self.sources).map_err(|e| e.to_string())?;
        scene.settings.h = h;
        scene.method = self.scene.method;
        let methods: Vec<Method> = self.panes.iter().map(|p| p.method).collect();
        let panes = methods.iter().map(|&m| start(&mut scene, m, None));
        let panes = panes.collect::<Result<Vec<_>, _>>()?;
        self.file = file;
        self.cuts = 0;
        self.tape.stop();
        self.replace(scene, panes);
        Ok(Change::scene())
    }

    fn compare(&mut self, method: Option<&str>) -> Result<Change, String> {
        self.release();
        let Some(name) = method else {
            self.panes.truncate(1);
            return Ok(Change::scene());
        };
        let second = Method::from_name(name).ok_or("there is no such method")?;
        // both from the state of the first: what differs from here on is the method
        let h = self.scene.settings.h;
        let state = transfer::carried(&self.scene.model, self.panes[0].simulation.state(), h);
        let first = start(&mut self.scene, self.panes[0].method, Some(state.clone()))?;
        let second = start(&mut self.scene, second, Some(state))?;
        self.panes = vec![first, second];
        Ok(Change::scene())
    }

    fn set_stiffness(&mut self, factor: f64) -> Result<Change, String> {
        let factor = factor.clamp(STIFFNESS[0], STIFFNESS[1]);
        // what was cut by hand is in the file already
        let file = self.file.with_stiffness(factor / self.stiffness);
        let change = self.rebuild(file, self.scene.settings.h, false)?;
        self.stiffness = factor;
        Ok(change)
    }

    fn cut(&mut self, plane: [Vec3; 2]) -> Result<Change, String> {
        if self.cuts >= MOST_CUTS {
            return Err(format!("{MOST_CUTS} cuts are enough: reset to begin again"));
        }
        let simulation = &self.panes[0].simulation;
        let (model, state) = (simulation.model(), simulation.state());
        let mut file = self.file.clone();
        let mut bodies = 0;
        for (index, body) in model.bodies.iter().enumerate() {
            if body.rigid.is_some() {
                continue;
            }
            let met = transfer::plane_at_rest(model, index, &state.positions, plane);
            if let Some([point, normal]) = met {
                file = file.with_cut(&body.name, point, normal);
                bodies += 1;
            }
        }
        if bodies == 0 {
            return Err("the plane meets no soft body".into());
        }
        let change = self.rebuild(file, self.scene.settings.h, true)?;
        self.cuts += 1;
        Ok(change)
    }

    fn grab(&mut self, vertex: u32, embedded: bool, point: Vec3) -> Result<Change, String> {
        let embedded = embedded && self.shape.has_carried;
        let panes = self.panes.iter();
        let hands: Vec<Option<Hand>> = panes
            .map(|pane| Hand::grab(&pane.simulation, &self.shape, vertex, embedded, point))
            .collect();
        if hands.iter().all(Option::is_none) {
            return Err("this body cannot be moved".into());
        }
        self.hands = Some((hands, point));
        Ok(Change::default())
    }

    fn release(&mut self) {
        if self.hands.take().is_some() {
            for pane in &mut self.panes {
                Hand::release(&mut pane.simulation);
            }
        }
    }

    fn pull(&mut self) {
        let h = self.scene.settings.h;
        if let Some((hands, point)) = &self.hands {
            for (pane, hand) in self.panes.iter_mut().zip(hands) {
                if let Some(hand) = hand {
                    hand.pull(&mut pane.simulation, *point, h);
                }
            }
        }
    }
}

/// A simulation of the scene with a method, from its start or from a state.
fn start(scene: &mut Scene, method: Method, state: Option<State>) -> Result<Pane, String> {
    scene.load_trained(method).map_err(|e| e.to_string())?;
    let model = scene.model.clone().with_hands(hand::NODES);
    let state = state.unwrap_or_else(|| model.initial_state());
    let simulation = Simulation::resume(model, scene.settings.clone(), method, state);
    let why = |e| format!("The method {} cannot start: {e}.", method.name());
    Ok(Pane::new(simulation.map_err(why)?, method))
}

impl Source for Live {
    fn apply(&mut self, command: Command) -> Change {
        let vector = |v: [f64; 3]| Vec3::new(v[0], v[1], v[2]);
        let result = match command {
            Command::Play | Command::Pause => {
                self.playing = command == Command::Play;
                Ok(Change::default())
            }
            Command::Step => {
                self.playing = false;
                Ok(self.step())
            }
            Command::Reset => self.reset(),
            Command::Scene { name } => self.set_scene(&name),
            Command::Method { pane, name } => self.set_method(pane, &name),
            Command::TimeStep { seconds } => {
                let h = seconds.clamp(STEPS[0], STEPS[1]);
                self.rebuild(self.file.clone(), h, false)
            }
            Command::Stiffness { factor } => self.set_stiffness(factor),
            Command::Speed { ratio } => {
                self.speed = ratio.clamp(0.0, 100.0);
                Ok(Change::default())
            }
            Command::Grab {
                vertex,
                embedded,
                point,
            } => self.grab(vertex, embedded, vector(point)),
            Command::Pull { point } => {
                if let Some((_, at)) = &mut self.hands {
                    *at = vector(point);
                }
                Ok(Change::default())
            }
            Command::Release => {
                self.release();
                Ok(Change::default())
            }
            Command::Cut { point, normal } => self.cut([vector(point), vector(normal)]),
            Command::Compare { method } => self.compare(method.as_deref()),
            Command::Record { on: true } => self.tape.start(&self.scene),
            Command::Record { on: false } => {
                self.tape.stop();
                Ok(Change::default())
            }
            Command::Seek { .. } => Err("there is no time line: this is live".into()),
            Command::Ready | Command::View(_) | Command::Take => Ok(Change::default()),
        };
        result.unwrap_or_else(Change::notice)
    }

    fn is_playing(&self) -> bool {
        self.playing
    }

    fn time(&self) -> f64 {
        self.panes[0].simulation.time()
    }

    fn speed(&self) -> f64 {
        self.speed
    }

    fn stride(&self) -> f64 {
        self.scene.settings.h
    }

    fn step(&mut self) -> Change {
        self.pull();
        for pane in &mut self.panes {
            if let Err(error) = pane.step() {
                self.playing = false;
                return Change {
                    notice: Some(format!(
                        "{error} (paused; reset, or try a smaller time step)"
                    )),
                    ..Change::picture()
                };
            }
        }
        let error = picture::largest_error(&self.panes);
        for (index, pane) in self.panes.iter().enumerate() {
            let error = if index == 0 { 0.0 } else { error };
            let of = (&pane.simulation, pane.method);
            self.rows
                .push(series::row(index, of, pane.steps, pane.last, error));
        }
        match self.tape.step(&self.panes[0].simulation) {
            Ok(()) => Change::picture(),
            Err(why) => Change {
                notice: Some(why),
                ..Change::picture()
            },
        }
    }

    fn rows(&mut self) -> Vec<Vec<f32>> {
        std::mem::take(&mut self.rows)
    }

    fn scene(&self) -> Packet {
        let mut packet = Packet::new("scene");
        self.shape.describe(&mut packet);
        let panes = self.panes.iter().map(|pane| {
            json!({
                "method": pane.method.name(),
                "thresholds": series::thresholds(pane.method, &self.scene.settings),
            })
        });
        packet.set("panes", panes.collect::<Vec<_>>());
        packet.set("live", true);
        packet.set("gravity", self.scene.model.gravity.to_array().to_vec());
        let notices = self.scene.notices.clone();
        packet.set("notices", notices);
        packet
    }

    fn frame(&mut self, view: View) -> Packet {
        let mut packet = picture::frame(&self.panes, &self.shape, view);
        if let Some((_, point)) = &self.hands {
            packet.set("hand", point.to_array().to_vec());
        }
        packet
    }

    fn status(&self) -> Value {
        let panes = self.panes.iter().map(|pane| pane.method.name());
        json!({
            "live": true,
            "playing": self.playing,
            "speed": self.speed,
            "scene": self.scene.name,
            "methods": panes.collect::<Vec<_>>(),
            "timeStep": self.scene.settings.h,
            "stiffness": self.stiffness,
            "cuts": self.cuts,
            "recording": self.tape.is_running(),
            "recorded": self.tape.frames(),
        })
    }

    fn recording(&self) -> Option<Vec<u8>> {
        self.tape.bytes()
    }
}
