//! How much energy a run gains or loses that no force accounts for.

use pliant_solid::report::Energies;

/// What closes the balance of energies, and what it is small or large against.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyBalance {
    /// Gravitational energy after the first step, J: where it is zero says nothing.
    base: Option<f64>,
    /// Largest kinetic + elastic + |gravitational since the first step|, J.
    pub scale: f64,
    /// Largest |integrator loss|, J.
    missing: f64,
}

impl EnergyBalance {
    /// Takes a step into account.
    pub fn note(&mut self, energies: &Energies) {
        let base = *self.base.get_or_insert(energies.gravitational);
        let fallen = (energies.gravitational - base).abs();
        self.scale = self.scale.max(energies.kinetic + energies.elastic + fallen);
        self.missing = self.missing.max(energies.integrator_loss.abs());
    }

    /// Largest |integrator loss| over a scale, that of the reference; none before the first step or where nothing moves.
    pub fn drift(&self, scale: f64) -> Option<f64> {
        (self.base.is_some() && scale > 0.0).then(|| self.missing / scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_steps_by_hand() {
        let mut balance = EnergyBalance::default();
        assert_eq!(balance.drift(1.0), None);
        balance.note(&Energies {
            kinetic: 1.0,
            elastic: 2.0,
            gravitational: -100.0,
            integrator_loss: 0.5,
            ..Energies::default()
        });
        // 4 J higher than before
        balance.note(&Energies {
            kinetic: 0.0,
            elastic: 1.0,
            gravitational: -96.0,
            integrator_loss: -0.25,
            ..Energies::default()
        });
        assert_eq!(balance.scale, 5.0);
        assert_eq!(balance.drift(balance.scale), Some(0.1));
        assert_eq!(balance.drift(0.0), None);
    }
}
