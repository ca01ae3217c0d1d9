//! Changes of the code in which threads meet in memory, and which of them are beyond the error of
//! sampling.

use crate::comparison::{LEAST_OF_WALL, Verdict};
use crate::construct::Construct;
use crate::contention::{ContendedCode, Contention};
use crate::matching::Pair;
use crate::noise::{Noise, median};
use crate::run::{Run, RunSet};

/// The number of standard errors that have a confidence of 99 %, if the samples are normally
/// distributed.
const SURE: f64 = 2.58;
/// The change of a part of the samples below which it does not count.
const LEAST: f64 = 0.05;
/// Samples of a region below which parts of them say nothing.
const ENOUGH: f64 = 20.0;

/// The part of a region's samples at code of one kind, before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct ContentionChange {
    /// The region, which both sides have.
    pub region: Pair,
    /// The kind of code.
    pub code: Contention,
    /// Before: all runs together.
    pub before: ContendedCode,
    /// After: all runs together.
    pub after: ContendedCode,
    /// The standard error of the difference, as a part of the samples.
    pub error: f64,
    /// Whether it counts.
    pub verdict: Verdict,
}

impl ContentionChange {
    /// `new`, `gone`, `grown`, `shrunk`; empty if the change does not count.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self.verdict {
            Verdict::Same => "",
            Verdict::More if self.before.share == 0.0 => "new",
            Verdict::More => "grown",
            Verdict::Less if self.after.share == 0.0 => "gone",
            Verdict::Less => "shrunk",
        }
    }

    /// The place that has most of the samples: after, or before if the code is gone.
    #[must_use]
    pub fn place(&self) -> &str {
        if self.after.place.is_empty() { &self.before.place } else { &self.after.place }
    }

    /// By how much the part has grown, from -1 to 1.
    #[must_use]
    pub fn by(&self) -> f64 {
        self.after.share - self.before.share
    }
}

/// The changes in the regions that both sides have, largest first; empty if a run has no samples.
pub(crate) fn changes(pairs: &[Pair], before: &RunSet, after: &RunSet) -> Vec<ContentionChange> {
    let mut all = Vec::new();
    for pair in pairs {
        let (Some(one), Some(other)) = pair else { continue };
        for code in [Contention::SharedLines, Contention::AtomicUpdates, Contention::Spinning] {
            let sides = (Side::of(before, one, code), Side::of(after, other, code));
            let (Some(one), Some(other)) = sides else { continue };
            if one.code.share > 0.0 || other.code.share > 0.0 {
                all.push(change(pair.clone(), code, one, other));
            }
        }
    }
    all.sort_by(|one, other| other.by().abs().total_cmp(&one.by().abs()));
    all
}

/// A region's code of one kind in all runs of a side.
struct Side {
    code: ContendedCode,
    shares: Vec<f64>,
    /// The median part of the wall time that the region is.
    of_wall: f64,
}

impl Side {
    /// `None` if the region has no samples in one of the runs.
    fn of(set: &RunSet, region: &Construct, code: Contention) -> Option<Self> {
        let key = (region.clone(), code);
        let mut sum = ContendedCode::default();
        let (mut hits, mut shares, mut of_wall) = (0.0, Vec::new(), Vec::new());
        for run in &set.runs {
            let expected = run.samples.get(region)?;
            let found = run.contention.get(&key);
            let share = found.map_or(0.0, |found| found.share);
            let samples = found.map_or(*expected, |found| found.samples);
            hits += share * samples;
            sum.samples += samples;
            if let Some(found) = found.filter(|_| sum.place.is_empty()) {
                sum.place.clone_from(&found.place);
            }
            shares.push(share);
            of_wall.push(part_of_wall(run, region));
        }
        sum.share = if sum.samples > 0.0 { hits / sum.samples } else { 0.0 };
        Some(Self { code: sum, shares, of_wall: median(&of_wall) })
    }
}

fn part_of_wall(run: &Run, region: &Construct) -> f64 {
    let wall_ns = run.constructs.get(region).map_or(0.0, |measure| measure.wall_ns);
    if run.wall_ns > 0.0 { wall_ns / run.wall_ns } else { 0.0 }
}

/// Judges a change by the test of two proportions, and, with enough runs, by their noise.
fn change(region: Pair, code: Contention, before: Side, after: Side) -> ContentionChange {
    let (one, other) = (&before.code, &after.code);
    let (all, hits) =
        (one.samples + other.samples, one.share * one.samples + other.share * other.samples);
    let both = if all > 0.0 { hits / all } else { 0.0 };
    let per_sample = 1.0 / one.samples.max(1.0) + 1.0 / other.samples.max(1.0);
    let error = (both * (1.0 - both) * per_sample).sqrt();
    let by = other.share - one.share;
    let noise = Noise::of(before.shares.len(), after.shares.len());
    let is_beyond_noise = noise
        .interval(&before.shares, &after.shares)
        .is_none_or(|range| range.low > 0.0 || range.high < 0.0);
    let is_known = one.samples >= ENOUGH && other.samples >= ENOUGH;
    let is_large = by.abs() >= LEAST && before.of_wall.max(after.of_wall) >= LEAST_OF_WALL;
    let verdict = match by {
        by if !(is_known && is_large && is_beyond_noise && by.abs() > SURE * error) => {
            Verdict::Same
        }
        by if by > 0.0 => Verdict::More,
        _ => Verdict::Less,
    };
    ContentionChange { region, code, before: before.code, after: after.code, error, verdict }
}
