//! A region at every number of threads, and the wall time that it loses against ideal scaling.

use oxomp_analysis::summary::Class;
use oxomp_compare::Construct;
use serde::Serialize;

use crate::measured::{Measured, MeasuredRegion};
use crate::numbers::ratio;
use crate::part::Part;
use crate::point::Point;

/// A region at one number of threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ScaleRegionPoint"))]
pub struct RegionPoint {
    /// The numbers of the median run; without calls if the region was not executed.
    #[serde(flatten)]
    pub measured: MeasuredRegion,
    /// The part of the run's wall time that it is, ns.
    pub wall_ns: f64,
    /// How many times as fast as at the first number of threads; null if it was not executed at
    /// both.
    pub speed_up: Option<f64>,
    /// Useful time of all threads, ns; null for a nested region.
    pub useful_ns: Option<f64>,
    /// Wall time beyond that of ideal scaling, ns: the sum of `lost`.
    pub lost_ns: f64,
    /// The same by cause, largest first.
    // Without those that are 0.
    #[serde(rename = "lost")]
    pub parts: Vec<PartLoss>,
}

/// A part of what a region loses.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ScalePart"))]
pub struct PartLoss {
    /// `work inflation`, `teams do not grow`, `waiting for iterations`, `turns in reductions`, or
    /// the class of the lost time.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub part: Part,
    /// How much, ns; less than 0 if it is faster than the ideal.
    pub wall_ns: f64,
}

/// A region at every number of threads.
#[derive(Debug, Clone, PartialEq)]
pub struct RegionScale {
    /// The region.
    pub construct: Construct,
    /// In the order of the points.
    pub at: Vec<RegionPoint>,
    /// Position of the first point at which it no longer scales; `None` if it does as far as was
    /// measured.
    pub stops_at: Option<usize>,
}

impl RegionPoint {
    fn of(base: &MeasuredRegion, here: &MeasuredRegion, ideal: f64, is_beyond: bool) -> Self {
        let mut parts = parts(base, here, ideal, is_beyond);
        parts.retain(|lost| lost.wall_ns.abs() >= 0.5);
        parts.sort_by(|one, other| other.wall_ns.total_cmp(&one.wall_ns));
        let wall_ns = here.cost_ns();
        Self {
            wall_ns,
            speed_up: Some(ratio(base.cost_ns(), wall_ns)).filter(|times| *times > 0.0),
            useful_ns: (!here.is_nested).then(|| here.useful_ns()),
            lost_ns: wall_ns - base.cost_ns() / ideal,
            parts,
            measured: here.clone(),
        }
    }

    /// What is lost to `part`, ns; 0 without that part.
    #[must_use]
    pub fn lost_to(&self, part: Part) -> f64 {
        self.parts.iter().find(|lost| lost.part == part).map_or(0.0, |lost| lost.wall_ns)
    }

    /// The largest part that is lost.
    #[must_use]
    pub fn blame(&self) -> Option<Part> {
        self.parts.first().filter(|lost| lost.wall_ns > 0.0).map(|lost| lost.part)
    }
}

impl RegionScale {
    pub(crate) fn of(construct: &Construct, points: &[Point]) -> Self {
        let at = |run: &Measured| run.regions.get(construct).cloned().unwrap_or_default();
        let base = at(points[0].run());
        let point =
            |point: &Point| RegionPoint::of(&base, &at(point.run()), point.ideal, point.is_beyond);
        Self {
            construct: construct.clone(),
            at: points.iter().map(point).collect(),
            stops_at: None,
        }
    }

    /// Whether it was met inside other regions.
    #[must_use]
    pub fn is_nested(&self) -> bool {
        self.at.iter().any(|at| at.measured.is_nested)
    }

    /// The size of its teams, if they are not those that were asked for at any number of threads.
    #[must_use]
    pub fn own_team(&self, points: &[Point]) -> Option<u32> {
        let executed: Vec<_> =
            self.at.iter().zip(points).filter(|(at, _)| at.measured.calls > 0).collect();
        let team = executed.first()?.0.measured.team.1;
        let asked = |(at, point): &(&RegionPoint, &Point)| at.measured.team.1 == point.threads;
        let is_fixed = executed.iter().all(|(at, _)| at.measured.team.1 == team);
        let is_own = executed.len() > 1 && executed.iter().filter(|one| asked(one)).count() < 2;
        (is_own && is_fixed && !self.is_nested()).then_some(team)
    }

    /// Iterations of its loops at the fewest and at `point` threads, if there are half as many
    /// again: then the program gives more threads more work.
    #[must_use]
    pub fn more_work(&self, point: usize) -> Option<(u64, u64)> {
        let (few, many) =
            (self.at.first()?.measured.iterations, self.at[point].measured.iterations);
        (few > 0 && many >= few + few / 2).then_some((few, many))
    }
}

/// The parts by which `here` takes longer than `base` divided by `ideal`: they sum to exactly that.
///
/// Useful time counts the same on every thread. Work inflation is the part of the work's wall time
/// that additional work costs. The part that it costs because the threads that do it have not
/// become `ideal` times as many counts for the teams' sizes. Where there are more threads than
/// processors, the latter is less than 0 (the work of each thread becomes less, its waits for a
/// processor more) and counts for the class of those waits.
fn parts(
    base: &MeasuredRegion,
    here: &MeasuredRegion,
    ideal: f64,
    is_beyond: bool,
) -> Vec<PartLoss> {
    let (before, after) = (base.useful_ns(), here.useful_ns());
    let workers = if here.workers > 0.0 { here.workers } else { ideal * base.workers.max(1.0) };
    let workers_before = if base.workers > 0.0 { base.workers } else { workers / ideal };
    let team = before * (1.0 / workers - 1.0 / (ideal * workers_before));
    let team_part =
        if is_beyond && team < 0.0 { Part::Class(Class::Scheduler) } else { Part::SmallTeam };
    let mut parts: Vec<PartLoss> = Class::ALL
        .into_iter()
        .map(|class| {
            let index = class as usize;
            let wall_ns = here.losses[index] - base.losses[index] / ideal;
            PartLoss { part: Part::Class(class), wall_ns }
        })
        .collect();
    let mut add = |part, wall_ns| parts.push(PartLoss { part, wall_ns });
    let waits = base.waits.times(-1.0 / ideal).plus(here.waits);
    add(Part::Iterations, waits.iterations_ns);
    add(Part::Turns, waits.turns_ns);
    add(Part::WorkInflation, (after - before) / workers);
    match parts.iter_mut().find(|lost| lost.part == team_part) {
        Some(lost) => lost.wall_ns += team,
        None => parts.push(PartLoss { part: team_part, wall_ns: team }),
    }
    parts
}
