//! Scenes with something changed that somebody turned a knob for: stiffness, a cut by hand.

use crate::file::CutTable;
use crate::parse::SceneFile;
use crate::units::Quantity;
use pliant_linalg::Vec3;

impl SceneFile {
    /// The scene with Young's modulus of all materials times `factor`, those of regions and fibres included.
    pub fn with_stiffness(&self, factor: f64) -> SceneFile {
        let mut file = self.clone();
        for body in &mut file.table.body {
            if let Some(material) = &mut body.material {
                scale(&mut material.young, factor);
                if let Some(modulus) = material.fibre.as_mut().and_then(|f| f.modulus.as_mut()) {
                    scale(modulus, factor);
                }
            }
            for region in &mut body.region {
                if let Some(young) = &mut region.young {
                    scale(young, factor);
                }
                if let Some(modulus) = region.fibre.as_mut().and_then(|f| f.modulus.as_mut()) {
                    scale(modulus, factor);
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
    use crate::{build, embedded};
    use pliant_linalg::vec3;

    #[test]
    fn stiffer_scenes_have_stiffer_nodes() {
        let file = embedded("cantilever").unwrap().parse().unwrap();
        let soft = build(&file, None).unwrap();
        let stiff = build(&file.with_stiffness(3.0), None).unwrap();
        let ratio = stiff.model.node_stiffness[0] / soft.model.node_stiffness[0];
        assert!((ratio - 3.0).abs() < 1e-9, "{ratio}");
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
