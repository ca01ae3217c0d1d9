//! Waits in the runtime that belong to no lock: for other iterations of a doacross loop nest, and
//! for turns in reductions.

use oxomp_analysis::summary::{Cause, Region, Summary};

/// What a region loses to such waits, in wall time. A summary counts it in the region's
/// [`mutex_ns`](oxomp_analysis::summary::Gain::mutex_ns), where no row of a lock has it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RuntimeWaits {
    /// Waits for other iterations of a doacross loop nest, ns.
    pub iterations_ns: f64,
    /// Waits for turns to combine the parts of a reduction, ns.
    pub turns_ns: f64,
}

impl RuntimeWaits {
    /// The name of waits for other iterations, as a part of the wall time.
    pub const ITERATIONS: &str = "waiting for iterations";
    /// The name of waits for turns in reductions, as a part of the wall time.
    pub const TURNS: &str = "turns in reductions";

    /// The waits in `region`: time of all threads divided by the team, at most all that the region
    /// loses in its class.
    #[must_use]
    pub fn of(region: &Region, summary: &Summary) -> Self {
        let here = summary.blocked.iter().filter(|one| one.region == region.site);
        let team = f64::from(region.team.1.max(1));
        let of = |cause: Cause| -> f64 {
            here.clone().filter(|one| one.cause == cause).map(|one| one.time_ns as f64 / team).sum()
        };
        let waits = Self { iterations_ns: of(Cause::Doacross), turns_ns: of(Cause::Reduction) };
        let (all, most) = (waits.sum_ns(), region.gain.mutex_ns as f64);
        if all > most { waits.times(most / all) } else { waits }
    }

    /// Both together, ns.
    #[must_use]
    pub fn sum_ns(&self) -> f64 {
        self.iterations_ns + self.turns_ns
    }

    /// The waits of two regions together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            iterations_ns: self.iterations_ns + other.iterations_ns,
            turns_ns: self.turns_ns + other.turns_ns,
        }
    }

    /// The waits times `factor`.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { iterations_ns: self.iterations_ns * factor, turns_ns: self.turns_ns * factor }
    }
}
