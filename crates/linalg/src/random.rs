//! Random numbers that are the same on every machine: splitmix64, from a seed.

/// A small deterministic generator (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator from a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [-1, 1).
    pub fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Uniform in 0..n.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Mean zero, deviation one: a sum of twelve uniform numbers, which needs no function that differs between platforms.
    pub fn normal(&mut self) -> f64 {
        // a uniform number in [-1, 1) has the variance 1/3
        (0..12).map(|_| self.signed()).sum::<f64>() * 0.5
    }

    /// `count` different numbers below `n`, ascending; all of them when there are no more.
    pub fn choose(&mut self, count: usize, n: usize) -> Vec<usize> {
        if count >= n {
            return (0..n).collect();
        }
        // Floyd: for each of the last `count` numbers j, one of 0..=j, or j where that one is taken
        let mut chosen = std::collections::BTreeSet::new();
        for j in n - count..n {
            let pick = self.below(j + 1);
            if !chosen.insert(pick) {
                chosen.insert(j);
            }
        }
        chosen.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_different_and_evenly_spread() {
        let mut random = Random::new(3);
        let mut hits = [0; 20];
        for _ in 0..4000 {
            let chosen = random.choose(5, 20);
            assert!(chosen.len() == 5 && chosen.windows(2).all(|w| w[0] < w[1]));
            chosen.iter().for_each(|&c| hits[c] += 1);
        }
        // 1000 expected, deviation 27
        assert!(hits.iter().all(|h| (850..1150).contains(h)), "{hits:?}");
        assert_eq!(random.choose(9, 4), [0, 1, 2, 3]);
    }

    #[test]
    fn normal_numbers_have_mean_zero_and_deviation_one() {
        let mut random = Random::new(4);
        let list: Vec<f64> = (0..20_000).map(|_| random.normal()).collect();
        let mean = list.iter().sum::<f64>() / 2e4;
        let square = list.iter().map(|x| x * x).sum::<f64>() / 2e4;
        assert!(
            mean.abs() < 0.03 && (square - 1.0).abs() < 0.04,
            "{mean} {square}"
        );
    }
}
