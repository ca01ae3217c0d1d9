//! The first region that stops scaling.

use oxomp_compare::Construct;
use serde::Serialize;

use crate::part::Part;
use crate::point::Point;
use crate::region::RegionScale;

/// A region has stopped scaling if, from one number of threads to the next, it gains less than this
/// part of what the added threads could give.
const LEAST_GAIN: f64 = 0.5;
/// A region whose loss is a smaller part of the run's wall time is of no interest.
const LEAST_SHARE: f64 = 0.02;

/// A region that stops scaling.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stop {
    /// The region.
    // Its position among the regions, as that of the point among the points.
    pub region: usize,
    /// The number of threads at which it no longer scales.
    pub point: usize,
    /// The part of the possible gain that the step from the number before had; 0 or less: none.
    // From the medians; less than 0: it became slower.
    pub gained: f64,
    /// The part that is to blame; null if none is known.
    #[serde(rename = "part")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub blame: Option<Part>,
}

/// The position of the first point at which the region no longer scales. More threads than
/// processors make nothing faster, so points beyond them say nothing about the program.
pub(crate) fn stops_at(region: &RegionScale, points: &[Point]) -> Option<usize> {
    let construct = &region.construct;
    (1..points.len()).find(|&index| {
        let (before, here) = (&points[index - 1], &points[index]);
        let (earlier, at) = (&region.at[index - 1], &region.at[index]);
        let is_there = earlier.measured.calls > 0 && at.measured.calls > 0;
        let is_large = at.lost_ns >= LEAST_SHARE * here.wall_ns;
        let times = 1.0 - LEAST_GAIN * (1.0 - before.ideal / here.ideal);
        !here.is_beyond
            && is_there
            && !at.measured.is_nested
            && is_large
            && here.exceeds(before, times, |run| cost(construct, run))
    })
}

fn cost(construct: &Construct, run: &crate::measured::Measured) -> f64 {
    run.regions.get(construct).map_or(0.0, crate::measured::MeasuredRegion::cost_ns)
}

/// Of the regions that stop scaling at the fewest threads, the one that loses most there.
pub(crate) fn first_stop(regions: &[RegionScale], points: &[Point]) -> Option<Stop> {
    let stops = regions
        .iter()
        .enumerate()
        .filter_map(|(number, region)| Some((region.stops_at?, number, region)));
    let (point, region, scale) = stops.min_by(|one, other| {
        let lost = |(point, _, region): &(usize, usize, &RegionScale)| region.at[*point].lost_ns;
        one.0.cmp(&other.0).then(lost(other).total_cmp(&lost(one)))
    })?;
    let (before, here) = (&points[point - 1], &points[point]);
    let construct = &scale.construct;
    let (earlier, now) = (
        oxomp_compare::median(&before.values(|run| cost(construct, run))),
        oxomp_compare::median(&here.values(|run| cost(construct, run))),
    );
    let possible = earlier * (1.0 - before.ideal / here.ideal);
    let gained = if possible > 0.0 { (earlier - now) / possible } else { 0.0 };
    Some(Stop { region, point, gained, blame: scale.at[point].blame() })
}
