//! Whole numbers in a row, stored as runs that count up by one: the ids and line numbers of a file, which
//! nearly always do.

/// A list of numbers, cheap where they count up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runs {
    /// Index and value at which each run starts.
    starts: Vec<(usize, u64)>,
    count: usize,
}

impl Runs {
    /// `count` numbers counting up from `first`.
    pub fn counting(first: u64, count: usize) -> Runs {
        let mut runs = Runs::default();
        runs.push_run(first, count);
        runs
    }

    /// Appends a number.
    pub fn push(&mut self, value: u64) {
        self.push_run(value, 1);
    }

    /// Appends `count` numbers counting up from `first`.
    pub fn push_run(&mut self, first: u64, count: usize) {
        if count == 0 {
            return;
        }
        let continues = self.starts.last().is_some_and(|&(index, value)| {
            value.wrapping_add((self.count - index) as u64) == first
        });
        if !continues {
            self.starts.push((self.count, first));
        }
        self.count += count;
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Number `index`, if there is one.
    pub fn get(&self, index: usize) -> Option<u64> {
        if index >= self.count {
            return None;
        }
        let run = self.starts.partition_point(|&(first, _)| first <= index) - 1;
        let (first, value) = self.starts[run];
        Some(value.wrapping_add((index - first) as u64))
    }

    /// The first number, if all the others count up from it.
    pub fn single(&self) -> Option<u64> {
        match self.starts[..] {
            [(_, first)] => Some(first),
            _ => None,
        }
    }

    /// The numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let ends = self.starts.iter().skip(1).map(|s| s.0);
        let runs = self.starts.iter().zip(ends.chain([self.count]));
        runs.flat_map(|(&(first, value), end)| {
            (0..(end - first) as u64).map(move |i| value.wrapping_add(i))
        })
    }
}

impl FromIterator<u64> for Runs {
    fn from_iter<I: IntoIterator<Item = u64>>(values: I) -> Runs {
        let mut runs = Runs::default();
        for value in values {
            runs.push(value);
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_comes_back() {
        let values = [5, 6, 7, 7, 8, 1, 900, 901, 0];
        let runs: Runs = values.into_iter().collect();
        assert_eq!(runs.starts.len(), 5);
        assert_eq!(runs.iter().collect::<Vec<_>>(), values);
        for (i, &v) in values.iter().enumerate() {
            assert_eq!(runs.get(i), Some(v));
        }
        assert_eq!(runs.get(values.len()), None);
        assert_eq!(runs.single(), None);
        assert_eq!(
            Runs::counting(3, 4).iter().collect::<Vec<_>>(),
            [3, 4, 5, 6]
        );
        assert_eq!(Runs::counting(3, 4).single(), Some(3));
    }
}
