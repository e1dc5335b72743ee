//! Waits for a quiet machine, and tells how quiet it was: other programs spoil the rows with several threads first.
//!
//! Reads Linux's /proc; elsewhere it neither waits nor tells.

use std::time::{Duration, Instant};

/// CPU time in clock ticks: all that was not idle, and this process's.
#[derive(Clone, Copy, Debug)]
pub struct CpuTicks {
    busy: u64,
    idle: u64,
    own: u64,
}

impl CpuTicks {
    /// As of now.
    pub fn now() -> Option<CpuTicks> {
        let stat = std::fs::read_to_string("/proc/stat").ok()?;
        // user nice system idle iowait irq softirq steal
        let words = stat.lines().next()?.split_whitespace().skip(1);
        let all: Vec<u64> = words.filter_map(|word| word.parse().ok()).collect();
        let own = std::fs::read_to_string("/proc/self/stat").ok()?;
        // after the name in brackets, user and system time are words 12 and 13
        let mut own = own.rsplit(')').next()?.split_whitespace().skip(11);
        let mut own_ticks = || own.next()?.parse::<u64>().ok();
        let idle = all.get(3)? + all.get(4)?;
        Some(CpuTicks {
            busy: all.iter().take(8).sum::<u64>() - idle,
            idle,
            own: own_ticks()? + own_ticks()?,
        })
    }

    /// Share of all cores that other programs took since `start`.
    pub fn others_since(self, start: CpuTicks) -> f64 {
        let busy = self.busy.saturating_sub(start.busy);
        let others = busy.saturating_sub(self.own.saturating_sub(start.own));
        others as f64 / (busy + self.idle.saturating_sub(start.idle)).max(1) as f64
    }
}

/// Waits until other programs take less than a tenth of the machine for half a second; false after `limit`.
pub fn wait(limit: Duration) -> bool {
    let start = Instant::now();
    while let (Some(before), true) = (CpuTicks::now(), start.elapsed() < limit) {
        std::thread::sleep(Duration::from_millis(500));
        if CpuTicks::now().is_some_and(|now| now.others_since(before) < 0.1) {
            return true;
        }
    }
    false
}
