//! The phases of the program.

use serde::Serialize;

use super::class::{Class, Classes};
use super::written::as_one;

/// A phase that the program marked, with those inside it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PhaseSums {
    /// Its name, behind those of the phases around it and slashes; empty for the time outside
    /// every phase.
    pub path: String,
    /// How often it began; 0 for the time outside every phase.
    pub count: u64,
    /// For how long it was under way, ns.
    pub wall_ns: u64,
    /// The longest time from a begin to its end, ns; null for the time outside every phase, and if
    /// the phase never ended.
    pub longest_ns: Option<u64>,
    /// The threads' time by class while it was under way, all threads together, ns.
    // By position in `Class::ALL`.
    #[serde(rename = "classes", serialize_with = "as_one::<Classes, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "Classes"))]
    pub by_class: [u64; Class::COUNT],
}

impl PhaseSums {
    /// The part of the threads' time that is useful and serial work, from 0 to 1.
    #[must_use]
    pub fn work_share(&self) -> f64 {
        self.share_of(Class::Useful) + self.share_of(Class::Serial)
    }

    /// The class that took most of the threads' time beside work, with its part of that time;
    /// `None` below a hundredth.
    #[must_use]
    pub fn most_lost(&self) -> Option<(Class, f64)> {
        let is_loss =
            |class: &Class| !matches!(class, Class::Useful | Class::Serial | Class::Paused);
        let classes = Class::ALL.into_iter().filter(is_loss);
        let most = classes.max_by_key(|class| self.by_class[*class as usize])?;
        Some((most, self.share_of(most))).filter(|(_, share)| *share >= 0.01)
    }

    /// The part of the threads' recorded time.
    fn share_of(&self, class: Class) -> f64 {
        let recorded = Class::ALL.into_iter().filter(|class| *class != Class::Paused);
        let all: u64 = recorded.map(|class| self.by_class[class as usize]).sum();
        if all == 0 { 0.0 } else { self.by_class[class as usize] as f64 / all as f64 }
    }
}
