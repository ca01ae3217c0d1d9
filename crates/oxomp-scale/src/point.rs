//! The runs with one number of threads.

use oxomp_compare::{Noise, median};
use serde::{Serialize, Serializer};

use crate::measured::Measured;
use crate::numbers::ratio;

/// The runs with one number of threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    /// The number of threads that was asked for by OMP_NUM_THREADS.
    pub threads: u32,
    /// True if that is more than there are processors.
    #[serde(rename = "beyond_processors")]
    pub is_beyond: bool,
    /// How many runs there were.
    // The runs themselves, at least one; documents have their number.
    #[serde(serialize_with = "as_number")]
    #[cfg_attr(feature = "schema", schemars(with = "usize"))]
    pub runs: Vec<Measured>,
    /// The run of median wall time, from which all parts are taken.
    #[serde(skip)]
    pub median: usize,
    /// The median of the runs' wall times, ns; without pauses.
    pub wall_ns: f64,
    /// The shortest wall time, ns.
    pub least_wall_ns: f64,
    /// The longest wall time, ns.
    pub most_wall_ns: f64,
    /// The median of the processor times, ns; null if it is not known of every run.
    pub cpu_ns: Option<f64>,
    /// How many times as fast as the first number of threads.
    pub speed_up: f64,
    /// How many times as fast the processors of the threads could make it.
    // Processors beyond those that there are do not count.
    #[serde(rename = "ideal_speed_up")]
    pub ideal: f64,
    /// How many times as fast it could be by Amdahl's law, with the serial part as measured.
    #[serde(rename = "amdahl_speed_up")]
    pub amdahl: f64,
}

/// Writes how many runs there are.
fn as_number<S: Serializer>(runs: &[Measured], serializer: S) -> Result<S::Ok, S::Error> {
    runs.len().serialize(serializer)
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
            least_wall_ns: walls[order[0]],
            most_wall_ns: walls[order[order.len() - 1]],
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

    /// How far the runs differ, ns.
    pub(crate) fn range_ns(&self) -> f64 {
        self.most_wall_ns - self.least_wall_ns
    }

    /// How far the runs differ, as a part of the median.
    #[must_use]
    pub fn spread(&self) -> f64 {
        ratio(self.range_ns(), self.wall_ns)
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
