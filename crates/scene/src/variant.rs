//! Scenes with something changed that somebody turned a knob for: materials, a cut by hand.

use crate::file::CutTable;
use crate::parse::SceneFile;
use crate::units::Quantity;
use pliant_linalg::Vec3;

/// What is changed about all soft materials of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialChange {
    /// Young's moduli times this, those of regions and fibres included.
    pub stiffness: f64,
    /// Densities times this.
    pub density: f64,
    /// Added to the damping by mass α₀, 1/s.
    pub drag: f64,
}

impl Default for MaterialChange {
    fn default() -> Self {
        MaterialChange {
            stiffness: 1.0,
            density: 1.0,
            drag: 0.0,
        }
    }
}

impl SceneFile {
    /// The scene with other materials.
    pub fn with_materials(&self, change: MaterialChange) -> SceneFile {
        let mut file = self.clone();
        for body in &mut file.table.body {
            if let Some(material) = &mut body.material {
                scale(&mut material.young, change.stiffness);
                scale(&mut material.density, change.density);
                material.mass_damping.si += change.drag;
                if let Some(modulus) = material.fibre.as_mut().and_then(|f| f.modulus.as_mut()) {
                    scale(modulus, change.stiffness);
                }
            }
            for region in &mut body.region {
                if let Some(young) = &mut region.young {
                    scale(young, change.stiffness);
                }
                if let Some(density) = &mut region.density {
                    scale(density, change.density);
                }
                if let Some(damping) = &mut region.mass_damping {
                    damping.si += change.drag;
                }
                if let Some(modulus) = region.fibre.as_mut().and_then(|f| f.modulus.as_mut()) {
                    scale(modulus, change.stiffness);
                }
            }
        }
        file
    }

    /// The scene with a body, by name, that is cut from the start, after all other cuts that are: the plane is in the body at rest.
    pub fn with_cut(&self, body: &str, point: Vec3, normal: Vec3) -> SceneFile {
        let mut file = self.clone();
        let named = |name: &str| {
            self.table
                .cut
                .iter()
                .any(|c| c.name.as_deref() == Some(name))
        };
        let mut numbers = 1..;
        let name = numbers.find_map(|n| {
            let name = format!("cut by hand {n}");
            (!named(&name)).then_some(name)
        });
        file.table.cut.push(CutTable {
            name,
            body: Some(body.to_string()),
            time: Quantity::constant(0.0),
            point: point.to_array().map(Quantity::constant),
            normal: normal.to_array().map(Quantity::constant),
            within: None,
            tolerance: None,
        });
        file
    }
}

fn scale<D>(quantity: &mut Quantity<D>, factor: f64) {
    quantity.si *= factor;
}

#[cfg(test)]
mod tests {
    use super::MaterialChange;
    use crate::{build, embedded};
    use pliant_linalg::vec3;

    #[test]
    fn other_materials_are_stiffer_and_heavier_by_their_factors() {
        let file = embedded("cantilever").unwrap().parse().unwrap();
        let before = build(&file, None).unwrap();
        let change = MaterialChange {
            stiffness: 3.0,
            density: 2.0,
            drag: 0.5,
        };
        let after = build(&file.with_materials(change), None).unwrap();
        let ratio = |a: &[f64], b: &[f64]| b[0] / a[0];
        let stiffer = ratio(&before.model.node_stiffness, &after.model.node_stiffness);
        let heavier = ratio(&before.model.mass, &after.model.mass);
        assert!((stiffer - 3.0).abs() < 1e-9, "{stiffer}");
        assert!((heavier - 2.0).abs() < 1e-9, "{heavier}");
        let none = file.with_materials(MaterialChange::default());
        let none = build(&none, None).unwrap();
        assert_eq!(none.model.node_stiffness, before.model.node_stiffness);
        assert_eq!(none.model.mass, before.model.mass);
    }

    #[test]
    fn two_cuts_by_hand_are_two_seams() {
        let file = embedded("cantilever").unwrap().parse().unwrap();
        let whole = build(&file, None).unwrap();
        let body = whole.model.bodies[0].name.clone();
        let low = whole
            .model
            .rest
            .iter()
            .map(|x| x.x)
            .fold(f64::MAX, f64::min);
        let high = whole
            .model
            .rest
            .iter()
            .map(|x| x.x)
            .fold(f64::MIN, f64::max);
        let at = |share: f64| vec3(low + share * (high - low), 0.0, 0.0);
        let x = vec3(1.0, 0.0, 0.0);
        let cut = file
            .with_cut(&body, at(0.31), x)
            .with_cut(&body, at(0.73), x);
        let cut = build(&cut, None).unwrap();
        assert_eq!(cut.model.seams.all().len(), 2);
        assert!(cut.model.node_count() > whole.model.node_count());
    }
}
