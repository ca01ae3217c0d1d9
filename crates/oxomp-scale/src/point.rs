//! The runs with one number of threads.

use oxomp_compare::{Noise, median};

use crate::measured::Measured;
use crate::numbers::ratio;

/// The runs with one number of threads.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The number of threads that was asked for.
    pub threads: u32,
    /// Whether that is more than there are processors.
    pub is_beyond: bool,
    /// At least one.
    pub runs: Vec<Measured>,
    /// The run of median wall time, from which all parts are taken.
    pub median: usize,
    /// The median wall time, ns.
    pub wall_ns: f64,
    /// The shortest and the longest, ns.
    pub range_ns: (f64, f64),
    /// The median CPU time, ns; `None` if it is not known of every run.
    pub cpu_ns: Option<f64>,
    /// How many times as fast as the runs of the fewest threads.
    pub speed_up: f64,
    /// How many times as fast they could be: processors beyond those that there are do not count.
    pub ideal: f64,
    /// How many times as fast they could be by Amdahl's law, with the serial part as measured.
    pub amdahl: f64,
}

impl Point {
    /// The runs of `threads` threads; there is at least one.
    pub(crate) fn of(threads: u32, runs: Vec<Measured>, processors: u32) -> Self {
        let walls: Vec<f64> = runs.iter().map(|run| run.wall_ns).collect();
        let cpu: Option<Vec<f64>> = runs.iter().map(|run| run.cpu_ns).collect();
        let mut order: Vec<usize> = (0..runs.len()).collect();
        order.sort_by(|&one, &other| walls[one].total_cmp(&walls[other]));
        Self {
            threads,
            is_beyond: threads > processors,
            median: order[(order.len() - 1) / 2],
            wall_ns: median(&walls),
            range_ns: (walls[order[0]], walls[order[order.len() - 1]]),
            cpu_ns: cpu.map(|cpu| median(&cpu)),
            speed_up: 1.0,
            ideal: 1.0,
            amdahl: 1.0,
            runs,
        }
    }

    /// The part of the ideal speed-up that was reached.
    #[must_use]
    pub fn efficiency(&self) -> f64 {
        ratio(self.speed_up, self.ideal)
    }

    /// How far the runs differ, as a part of the median.
    #[must_use]
    pub fn spread(&self) -> f64 {
        ratio(self.range_ns.1 - self.range_ns.0, self.wall_ns)
    }

    /// The run of median wall time.
    #[must_use]
    pub fn run(&self) -> &Measured {
        &self.runs[self.median]
    }

    /// `of` of every run.
    pub(crate) fn values(&self, of: impl Fn(&Measured) -> f64) -> Vec<f64> {
        self.runs.iter().map(of).collect()
    }

    /// Whether `of` is here more than `times` its value at `before`, by more than the noise that
    /// the runs show.
    pub(crate) fn exceeds(&self, before: &Self, times: f64, of: impl Fn(&Measured) -> f64) -> bool {
        let there: Vec<f64> = before.values(&of).iter().map(|value| value * times).collect();
        let here = self.values(&of);
        let noise = Noise::of(there.len(), here.len());
        median(&here) > median(&there)
            && noise.interval(&there, &here).is_none_or(|range| range.low > 0.0)
    }
}
