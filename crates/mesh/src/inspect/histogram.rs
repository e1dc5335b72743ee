//! Counts of values in equal bins.

/// A histogram over [low, high).
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// Left end of the first bin.
    pub low: f64,
    /// Right end of the last bin.
    pub high: f64,
    /// Values in each bin; those beyond an end are in the outermost.
    pub counts: Vec<usize>,
}

impl Histogram {
    /// Sorts values into `bins` equal bins.
    pub fn new(values: impl Iterator<Item = f64>, low: f64, high: f64, bins: usize) -> Histogram {
        let mut counts = vec![0; bins];
        for value in values {
            let at = (value - low) / (high - low) * bins as f64;
            // NaN goes to the first bin: it is the worst there is
            let bin = (at.max(0.0) as usize).min(bins - 1);
            counts[bin] += 1;
        }
        Histogram { low, high, counts }
    }

    /// Ends of bin `b`.
    pub fn bin(&self, b: usize) -> (f64, f64) {
        let width = (self.high - self.low) / self.counts.len() as f64;
        (
            self.low + b as f64 * width,
            self.low + (b + 1) as f64 * width,
        )
    }

    /// Lines of text with bars of at most `width` characters.
    pub fn lines(&self, width: usize, label: impl Fn(f64, f64) -> String) -> Vec<String> {
        let most = self.counts.iter().copied().max().unwrap_or(0).max(1);
        let line = |(b, &count): (usize, &usize)| {
            let (from, to) = self.bin(b);
            // eighths of a character; anything at all shows
            let eighths = (count * width * 8).div_ceil(most);
            let mut bar = "█".repeat(eighths / 8);
            if eighths % 8 > 0 {
                bar.push(['▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8 - 1]);
            }
            let gap = " ".repeat(width - bar.chars().count().min(width));
            format!("{} │{bar}{gap} {count}", label(from, to))
        };
        self.counts.iter().enumerate().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fall_into_their_bins() {
        let histogram = Histogram::new(
            [-1.0, 0.0, 0.5, 1.0, 1.99, 2.0, 9.0].into_iter(),
            0.0,
            2.0,
            2,
        );
        assert_eq!(histogram.counts, [3, 4]);
        assert_eq!(histogram.bin(1), (1.0, 2.0));
        let lines = histogram.lines(4, |a, b| format!("{a}-{b}"));
        assert_eq!(lines, ["0-1 │███  3", "1-2 │████ 4"]);
    }
}
