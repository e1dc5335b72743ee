//! Identifiers of a body's rest shape and materials, so that a trained model is not used with another body.

use crate::element::ElementPack;
use crate::model::Model;
use crate::rig::Rig;

/// Hashes (FNV-1a, 64 bits) of what a trained model depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    /// Rest positions and corners of elements.
    pub mesh: u64,
    /// Energies, coefficients, fibres; not densities or damping, on which no basis or weight depends.
    pub materials: u64,
    /// Joints, weights and held nodes of the rig, zero without one; not its motion.
    pub rig: u64,
}

/// FNV-1a.
#[derive(Clone, Copy, Debug)]
pub struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    /// Takes bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Takes a number.
    pub fn number(&mut self, value: u64) {
        self.bytes(&value.to_le_bytes());
    }

    /// Takes a number by its bits.
    pub fn real(&mut self, value: f64) {
        self.number(value.to_bits());
    }

    /// The hash of all that it took.
    pub fn value(self) -> u64 {
        self.0
    }
}

impl Fingerprint {
    /// Of a body of a model.
    pub fn of_body(model: &Model, body: usize) -> Fingerprint {
        let body_index = body as u32;
        let body = &model.bodies[body];
        let mut mesh = Hash::default();
        mesh.number(body.nodes.len() as u64);
        for x in &model.rest[body.nodes.clone()] {
            x.to_array().into_iter().for_each(|c| mesh.real(c));
        }
        mesh.number(body.elements.len() as u64);
        let first = body.nodes.start as u32;
        for corners in &model.element_nodes[body.elements.clone()] {
            let own = corners.iter().map(|&node| u64::from(node - first));
            own.for_each(|node| mesh.number(node));
        }

        // the order of packs follows from the mesh alone
        let mut materials = Hash::default();
        for chunk in (model.elements.chunks.iter()).filter(|c| c.body == body_index) {
            materials.bytes(format!("{:?}", chunk.model).as_bytes());
            for pack in &model.elements.packs[chunk.packs.clone()] {
                add_material(pack, &mut materials);
            }
        }
        Fingerprint {
            mesh: mesh.value(),
            materials: materials.value(),
            rig: body.rig.as_ref().map_or(0, |rig| rig_hash(rig)),
        }
    }
}

fn rig_hash(rig: &Rig) -> u64 {
    let mut hash = Hash::default();
    for joint in rig.skeleton.joints() {
        let coordinates = joint.position.to_array();
        coordinates.into_iter().for_each(|c| hash.real(c));
        hash.number(joint.parent.map_or(u64::MAX, |parent| parent as u64));
    }
    for start in &rig.weights.starts {
        hash.number(u64::from(*start));
    }
    for (bone, weight) in &rig.weights.entries {
        hash.number(u64::from(*bone));
        hash.real(*weight);
    }
    rig.held
        .iter()
        .for_each(|&node| hash.number(u64::from(node)));
    hash.value()
}

fn add_material(pack: &ElementPack, hash: &mut Hash) {
    for lane in 0..pack.count {
        for coefficient in &pack.coefficients {
            hash.real(coefficient.0[lane]);
        }
        hash.real(pack.volume.0[lane]);
        if let Some(fibre) = &pack.fibre {
            hash.bytes(format!("{:?}", fibre.kind).as_bytes());
            let direction = fibre.direction.iter();
            let all = direction.chain([
                &fibre.modulus,
                &fibre.exponent,
                &fibre.active,
                &fibre.active_length,
            ]);
            all.for_each(|value| hash.real(value.0[lane]));
        }
    }
}
