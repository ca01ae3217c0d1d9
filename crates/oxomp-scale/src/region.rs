//! A region at every number of threads, and the wall time that it loses against ideal scaling.

use oxomp_analysis::summary::Class;
use oxomp_compare::Construct;

use crate::measured::{Measured, MeasuredRegion};
use crate::numbers::ratio;
use crate::part::Part;
use crate::point::Point;

/// A region at one number of threads.
#[derive(Debug, Clone, PartialEq)]
pub struct RegionPoint {
    /// The numbers of the median run; without calls if the region was not executed.
    pub measured: MeasuredRegion,
    /// How many times as fast as at the fewest threads; 0 if it was not executed at one of the two.
    pub speed_up: f64,
    /// The wall time beyond that of ideal scaling, ns: the sum of the parts.
    pub lost_ns: f64,
    /// By cause, largest first, without those that are 0. Less than 0: it is faster than that.
    pub parts: Vec<(Part, f64)>,
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
        parts.retain(|(_, ns)| ns.abs() >= 0.5);
        parts.sort_by(|one, other| other.1.total_cmp(&one.1));
        Self {
            speed_up: ratio(base.cost_ns(), here.cost_ns()),
            lost_ns: here.cost_ns() - base.cost_ns() / ideal,
            parts,
            measured: here.clone(),
        }
    }

    /// The largest part that is lost.
    #[must_use]
    pub fn blame(&self) -> Option<(Part, f64)> {
        self.parts.first().copied().filter(|(_, ns)| *ns > 0.0)
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
) -> Vec<(Part, f64)> {
    let (before, after) = (base.useful_ns(), here.useful_ns());
    let workers = if here.workers > 0.0 { here.workers } else { ideal * base.workers.max(1.0) };
    let workers_before = if base.workers > 0.0 { base.workers } else { workers / ideal };
    let team = before * (1.0 / workers - 1.0 / (ideal * workers_before));
    let team_part =
        if is_beyond && team < 0.0 { Part::Class(Class::Scheduler) } else { Part::SmallTeam };
    let mut parts: Vec<(Part, f64)> = Class::ALL
        .into_iter()
        .map(|class| {
            let index = class as usize;
            (Part::Class(class), here.losses[index] - base.losses[index] / ideal)
        })
        .collect();
    let waits = base.waits.times(-1.0 / ideal).plus(here.waits);
    parts.push((Part::Iterations, waits.iterations_ns));
    parts.push((Part::Turns, waits.turns_ns));
    parts.push((Part::WorkInflation, (after - before) / workers));
    match parts.iter_mut().find(|(part, _)| *part == team_part) {
        Some((_, ns)) => *ns += team,
        None => parts.push((team_part, team)),
    }
    parts
}
