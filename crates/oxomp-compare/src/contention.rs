//! Code of regions in which threads meet in memory. Its time counts as useful work, and samples
//! tell how much of it there is.

use std::collections::BTreeMap;

use oxomp_analysis::report::{atomic_update_place, shared_lines_places, spin_loop_place};
use oxomp_analysis::summary::{SiteId, Summary};

use crate::construct::Construct;

/// The kind of such code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Contention {
    /// Cache lines that threads use at the same time, while one writes.
    SharedLines,
    /// Atomic updates.
    AtomicUpdates,
    /// Loops that wait for another thread to change a variable.
    Spinning,
}

impl Contention {
    /// A short name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SharedLines => "shared cache lines",
            Self::AtomicUpdates => "atomic updates",
            Self::Spinning => "loops that wait for a variable",
        }
    }
}

/// All code of one kind in a region.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContendedCode {
    /// The part of the region's samples that are there, from 0 to 1.
    pub share: f64,
    /// How many samples of the region tell that part.
    pub samples: f64,
    /// The place that has most of them, in words.
    pub place: String,
}

impl ContendedCode {
    /// Adds other code of the region, which has fewer samples.
    fn add(&mut self, other: Self) {
        self.share = (self.share + other.share).min(1.0);
        self.samples = self.samples.max(other.samples);
        if self.place.is_empty() {
            self.place = other.place;
        }
    }
}

/// The code in the regions of `summary`, which `region` names.
pub(crate) fn contended(
    summary: &Summary,
    region: impl Fn(Option<SiteId>) -> Construct,
) -> BTreeMap<(Construct, Contention), ContendedCode> {
    let mut all: BTreeMap<(Construct, Contention), ContendedCode> = BTreeMap::new();
    let mut add = |site, kind, (samples, taken, of): (u64, u64, u64), place| {
        if samples == 0 || of == 0 {
            return;
        }
        let share = (samples as f64 / of as f64).min(1.0);
        // A sample that stands for others tells no more than one.
        let told = of as f64 * taken.clamp(1, samples) as f64 / samples as f64;
        let code = ContendedCode { share, samples: told, place };
        all.entry((region(site), kind)).or_default().add(code);
    };
    for one in &summary.shared_lines {
        let place = shared_lines_places(&one.places);
        let samples = (one.samples, one.taken, one.of);
        add(one.region, Contention::SharedLines, samples, place);
    }
    for one in &summary.atomics {
        let samples = (one.samples, one.samples, one.of);
        add(one.region, Contention::AtomicUpdates, samples, atomic_update_place(one));
    }
    for one in &summary.spins {
        let samples = (one.samples, one.samples, one.of);
        add(one.region, Contention::Spinning, samples, spin_loop_place(one));
    }
    all
}

/// The number of samples to expect in each region of `summary`, by its useful time: a region
/// without such code has no row that tells its samples.
pub(crate) fn expected_samples(
    summary: &Summary,
    region: impl Fn(Option<SiteId>) -> Construct,
) -> BTreeMap<Construct, f64> {
    let mut all: BTreeMap<Construct, f64> = BTreeMap::new();
    let Some(sampled) = summary.sampled.as_ref().filter(|it| it.period_ns > 0) else { return all };
    let taken = sampled.taken as f64 / sampled.taken.saturating_add(sampled.lost).max(1) as f64;
    for one in &summary.regions {
        let samples = one.useful_ns as f64 / sampled.period_ns as f64 * taken;
        *all.entry(region(one.site)).or_default() += samples;
    }
    all
}
