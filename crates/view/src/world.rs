//! A scene and the simulations of it, one or two side by side, and what can be changed while they run: every change builds a new
//! model and carries the states over ([`crate::transfer`]).

use crate::pane::Pane;
use crate::shape::Shape;
use crate::transfer;
use pliant_linalg::Vec3;
use pliant_scene::recording::RecordingHeader;
use pliant_scene::{MaterialChange, Scene, SceneFile, Sources, build_from};
use pliant_solid::strategy::Method;

/// Range of the time steps that pages may ask for, s.
const STEPS: [f64; 2] = [1e-5, 0.1];
/// Range of the factors of stiffness and density.
const FACTORS: [f64; 2] = [0.01, 100.0];
/// Strongest drag, 1/s.
const MOST_DRAG: f64 = 100.0;
/// Most cuts by hand.
const MOST_CUTS: usize = 24;

/// See the file header.
pub struct World {
    sources: Sources,
    /// As it was read, and with cuts by hand.
    original: SceneFile,
    file: SceneFile,
    /// The scene.
    pub scene: Scene,
    /// What is drawn of it.
    pub shape: Shape,
    /// The simulations.
    pub panes: Vec<Pane>,
    /// What is changed about its materials.
    pub materials: MaterialChange,
    /// Cuts by hand.
    pub cuts: usize,
}

impl World {
    /// A scene before its first step, with a method or its own.
    pub fn new(file: SceneFile, sources: Sources, method: Option<Method>) -> Result<World, String> {
        let mut scene = build_from(&file, &sources).map_err(|e| e.to_string())?;
        if let Some(method) = method {
            scene.set_method(method);
        }
        let method = scene.method;
        Ok(World {
            panes: vec![Pane::start(&mut scene, method, None)?],
            sources,
            shape: Shape::new(RecordingHeader::new(&scene)),
            original: file.clone(),
            file,
            scene,
            materials: MaterialChange::default(),
            cuts: 0,
        })
    }

    /// Another method for one of the simulations; the state goes on.
    pub fn set_method(&mut self, pane: usize, name: &str) -> Result<(), String> {
        let method = find(name)?;
        if pane >= self.panes.len() {
            return Err("there is no such simulation".into());
        }
        let h = self.scene.settings.h;
        let state = transfer::carried(&self.scene.model, self.panes[pane].simulation.state(), h);
        self.panes[pane] = Pane::start(&mut self.scene, method, Some(state))?;
        self.scene.method = self.panes[0].method;
        Ok(())
    }

    /// Another time step, s.
    pub fn set_step(&mut self, h: f64) -> Result<(), String> {
        let h = h.clamp(STEPS[0], STEPS[1]);
        self.rebuild(self.file.clone(), self.materials, h, false)
    }

    /// Other materials.
    pub fn set_materials(&mut self, wanted: MaterialChange) -> Result<(), String> {
        let materials = MaterialChange {
            stiffness: wanted.stiffness.clamp(FACTORS[0], FACTORS[1]),
            density: wanted.density.clamp(FACTORS[0], FACTORS[1]),
            drag: wanted.drag.clamp(0.0, MOST_DRAG),
        };
        self.rebuild(self.file.clone(), materials, self.scene.settings.h, false)
    }

    /// Cuts all soft bodies that a plane meets.
    pub fn cut(&mut self, plane: [Vec3; 2]) -> Result<(), String> {
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
        self.rebuild(file, self.materials, self.scene.settings.h, true)?;
        self.cuts += 1;
        Ok(())
    }

    /// Two methods from the state of the first on, or only the first: what differs from here on is the method.
    pub fn compare(&mut self, method: Option<&str>) -> Result<(), String> {
        let Some(name) = method else {
            self.panes.truncate(1);
            return Ok(());
        };
        let second = find(name)?;
        let h = self.scene.settings.h;
        let state = transfer::carried(&self.scene.model, self.panes[0].simulation.state(), h);
        let first = Pane::start(&mut self.scene, self.panes[0].method, Some(state.clone()))?;
        let second = Pane::start(&mut self.scene, second, Some(state))?;
        self.panes = vec![first, second];
        Ok(())
    }

    /// Back to the start; cuts heal, methods, time step and materials stay.
    pub fn reset(&mut self) -> Result<(), String> {
        let h = self.scene.settings.h;
        let file = self.original.clone();
        let mut scene = self.build(&file, self.materials, h)?;
        let methods = self.panes.iter().map(|pane| pane.method);
        let panes = methods.map(|m| Pane::start(&mut scene, m, None));
        let panes = panes.collect::<Result<Vec<_>, _>>()?;
        self.cuts = 0;
        self.replace(file, scene, panes);
        Ok(())
    }

    fn build(&self, file: &SceneFile, materials: MaterialChange, h: f64) -> Result<Scene, String> {
        let file = file.with_materials(materials);
        let mut scene = build_from(&file, &self.sources).map_err(|e| e.to_string())?;
        scene.method = self.scene.method;
        scene.settings.h = h;
        Ok(scene)
    }

    /// All simulations with another file, materials and time step. States go on, interpolated where the meshes were cut.
    fn rebuild(
        &mut self,
        file: SceneFile,
        materials: MaterialChange,
        h: f64,
        cut: bool,
    ) -> Result<(), String> {
        let mut scene = self.build(&file, materials, h)?;
        let mut panes = Vec::new();
        for pane in &self.panes {
            let state = pane.simulation.state();
            let state = if cut {
                // the seams are open in the model of a simulation that has begun
                let opened = Pane::start(&mut scene, pane.method, None)?;
                let old = pane.simulation.model();
                transfer::interpolated(opened.simulation.model(), old, state, h)
                    .ok_or("the cut meshes do not fit the old ones")?
            } else {
                transfer::carried(&scene.model, state, h)
            };
            panes.push(Pane::start(&mut scene, pane.method, Some(state))?);
        }
        self.materials = materials;
        self.replace(file, scene, panes);
        Ok(())
    }

    fn replace(&mut self, file: SceneFile, scene: Scene, panes: Vec<Pane>) {
        self.file = file;
        self.shape = Shape::new(RecordingHeader::new(&scene));
        self.scene = scene;
        self.panes = panes;
    }
}

fn find(name: &str) -> Result<Method, String> {
    Method::from_name(name).ok_or_else(|| "there is no such method".into())
}
