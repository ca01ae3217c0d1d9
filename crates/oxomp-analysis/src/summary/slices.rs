//! The run by slices of time.

use serde::Serialize;

use super::class::{Class, Classes};
use super::written::as_one;

/// What the threads did in one slice of time.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SliceSums {
    /// Its begin, ns since the start of the process.
    pub from_ns: u64,
    /// Its end, ns since the start of the process.
    pub to_ns: u64,
    /// The threads' time by class in the slice, all threads together, ns.
    // By position in `Class::ALL`.
    #[serde(rename = "classes", serialize_with = "as_one::<Classes, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "Classes"))]
    pub by_class: [u64; Class::COUNT],
}

impl SliceSums {
    /// `slices` as at most `most` of nearly the same number of slices each.
    #[must_use]
    pub fn fewer(slices: &[Self], most: usize) -> Vec<Self> {
        let each = slices.len().div_ceil(most.max(1)).max(1);
        let together = |slices: &[Self]| {
            let (first, last) = (slices.first()?, slices.last()?);
            let mut by_class = [0_u64; Class::COUNT];
            for slice in slices {
                let sums = by_class.iter_mut().zip(slice.by_class);
                sums.for_each(|(sum, ns)| *sum = sum.saturating_add(ns));
            }
            Some(Self { from_ns: first.from_ns, to_ns: last.to_ns, by_class })
        };
        slices.chunks(each).filter_map(together).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::SliceSums;
    use crate::summary::Class;

    #[test]
    fn slices_put_together_have_the_time_of_all() {
        let slice = |number: u64| SliceSums {
            from_ns: number * 10,
            to_ns: number * 10 + 10,
            by_class: [number; Class::COUNT],
        };
        let slices: Vec<SliceSums> = (0..7).map(slice).collect();
        assert_eq!(SliceSums::fewer(&slices, 9), slices);
        let fewer = SliceSums::fewer(&slices, 3);
        let ends: Vec<(u64, u64)> = fewer.iter().map(|one| (one.from_ns, one.to_ns)).collect();
        assert_eq!(ends, [(0, 30), (30, 60), (60, 70)]);
        let sums: Vec<u64> = fewer.iter().map(|one| one.by_class[0]).collect();
        assert_eq!(sums, [3, 12, 6]);
        assert!(SliceSums::fewer(&[], 3).is_empty());
    }
}
