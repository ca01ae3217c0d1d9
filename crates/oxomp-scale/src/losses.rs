//! Where a run loses its time against ideal scaling: serial code, and the parts of all regions.

use crate::part::Part;
use crate::point::Point;
use crate::region::RegionScale;

/// What loses time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Code outside of regions, which no number of threads makes faster.
    Serial,
    /// A part of the region at this position.
    Region(usize, Part),
}

/// Wall time beyond that of ideal scaling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loss {
    /// What loses it.
    pub source: Source,
    /// How much, ns; less than 0 if it is faster than that.
    pub ns: f64,
}

/// The losses at the point `index`, largest first: they sum to the median run's wall time beyond
/// the ideal one.
pub(crate) fn losses(points: &[Point], regions: &[RegionScale], index: usize) -> Vec<Loss> {
    let (base, point) = (&points[0], &points[index]);
    let serial = point.run().serial_ns - base.run().serial_ns / point.ideal;
    let parts = regions.iter().enumerate().flat_map(|(number, region)| {
        let parts = region.at[index].parts.iter();
        parts.map(move |lost| Loss { source: Source::Region(number, lost.part), ns: lost.wall_ns })
    });
    let mut losses: Vec<Loss> =
        [Loss { source: Source::Serial, ns: serial }].into_iter().chain(parts).collect();
    losses.retain(|loss| loss.ns.abs() >= 0.5);
    losses.sort_by(|one, other| other.ns.total_cmp(&one.ns));
    losses
}
