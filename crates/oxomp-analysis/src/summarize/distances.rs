//! How far away the iterations of doacross loop nests are for which others wait.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use oxomp_trace::fold::{FoldEntry, sinks};
use oxomp_trace::{FoldKind, Profile};

use crate::calls::CallTree;
use crate::constructs::Constructs;
use crate::summary::Distance;
use crate::sums::raise;

/// The loop nests with sinks, by the code addresses of their worksharing constructs, each copy of a
/// construct by itself.
#[derive(Debug, Default)]
pub(super) struct Nests {
    by_code: BTreeMap<u64, Nest>,
}

#[derive(Debug, Default)]
struct Nest {
    /// The code addresses of the regions in which threads executed it; 0: in several.
    regions: BTreeSet<u64>,
    /// File and line of the construct.
    line: Option<(String, u32)>,
    /// How often threads met sinks, by the distance; empty: others.
    counts: BTreeMap<Vec<i64>, u64>,
}

impl Nests {
    /// The loop nests of a profile.
    pub(super) fn of(profile: &Profile, constructs: &Constructs, calls: &CallTree) -> Self {
        let mut nests = Self::default();
        let entries = profile.threads.iter().flat_map(|thread| &thread.folded);
        for entry in entries.filter(|entry| entry.fold_kind() == Some(FoldKind::Sinks)) {
            nests.add(entry, constructs, calls);
        }
        nests
    }

    fn add(&mut self, entry: &FoldEntry, constructs: &Constructs, calls: &CallTree) {
        let nest = self.by_code.entry(entry.key[0]).or_default();
        nest.regions.insert(constructs.name(entry.key[2]));
        nest.line = calls.nests.get(&entry.key[0]).cloned();
        let steps = sinks::unpacked(entry.key[1], entry.sub as usize).unwrap_or_default();
        raise(nest.counts.entry(steps).or_default(), entry.values[sinks::COUNT]);
    }

    /// The iterations for which the iterations with a sink at the line `sink` wait, in `region`, or
    /// in any region if that is 0: the most frequent first, and the iterations without known steps
    /// at the end.
    pub(super) fn distances(&self, region: u64, sink: Option<&(String, u32)>) -> Vec<Distance> {
        let in_region = |nest: &&Nest| {
            region == 0 || nest.regions.contains(&0) || nest.regions.contains(&region)
        };
        let of_region = || self.by_code.values().filter(in_region);
        // The loops of a sink are the last ones that begin before it, since no others may be
        // around it. Compilers do not keep this order in the code.
        let line_before = |nest: &Nest| {
            let ((file, line), (of_sink, at)) = (nest.line.as_ref()?, sink?);
            Some(*line).filter(|line| file == of_sink && line <= at)
        };
        let last = of_region().filter_map(line_before).max();
        let mut counts = BTreeMap::<&[i64], u64>::new();
        for nest in of_region().filter(|nest| last.is_none() || line_before(nest) == last) {
            for (steps, &count) in &nest.counts {
                raise(counts.entry(steps).or_default(), count);
            }
        }
        let mut all: Vec<Distance> = counts
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(steps, count)| Distance { steps: steps.to_vec(), count })
            .collect();
        all.sort_by_key(|one| (one.steps.is_empty(), Reverse(one.count)));
        all
    }
}

#[cfg(test)]
mod tests {
    use oxomp_trace::fold::{FoldEntry, FoldKind, sinks};

    use super::Nests;
    use crate::calls::CallTree;
    use crate::constructs::Constructs;

    /// Sinks of the loops at `nest` in `region`: `count` at the distance `steps`.
    fn entry(nest: u64, region: u64, steps: &[i64], count: u64) -> FoldEntry {
        let mut values = [0; 12];
        values[sinks::COUNT] = count;
        let key = [nest, sinks::packed(steps).unwrap_or_default(), region];
        let sub = u32::try_from(steps.len()).unwrap();
        FoldEntry { kind: FoldKind::Sinks as u32, sub, key, values }
    }

    fn found(nests: &Nests, region: u64, sink: Option<(&str, u32)>) -> Vec<(Vec<i64>, u64)> {
        let sink = sink.map(|(file, line)| (file.to_owned(), line));
        let all = nests.distances(region, sink.as_ref()).into_iter();
        all.map(|one| (one.steps, one.count)).collect()
    }

    #[test]
    fn a_sink_has_the_distances_of_the_loops_that_begin_before_it() {
        let lines = [(0x150, "a.c", 20), (0x110, "a.c", 10), (0x120, "a.c", 10), (0x310, "b.c", 5)];
        let lines = lines.map(|(code, file, line)| (code, (file.to_owned(), line)));
        let calls = CallTree { nests: lines.into(), ..CallTree::default() };
        let mut nests = Nests::default();
        for one in [
            entry(0x110, 0x100, &[-1], 3),
            entry(0x120, 0x100, &[-1], 4),
            entry(0x150, 0x100, &[-1, 0], 5),
            entry(0x150, 0x100, &[], 9),
            entry(0x150, 0x100, &[0, -1], 5),
            entry(0x150, 0x100, &[0, -1], 1),
            entry(0x210, 0x200, &[-2], 1),
            entry(0x310, 0, &[-3], 2),
        ] {
            nests.add(&one, &Constructs::default(), &calls);
        }
        let second = [(vec![0, -1], 6), (vec![-1, 0], 5), (vec![], 9)];
        assert_eq!(found(&nests, 0x100, Some(("a.c", 19))), [(vec![-1], 7)], "both copies");
        assert_eq!(found(&nests, 0x100, Some(("a.c", 20))), second, "others are last");
        assert_eq!(found(&nests, 0x100, Some(("b.c", 9))), [(vec![-3], 2)], "of several regions");
        assert_eq!(found(&nests, 0x100, Some(("a.c", 2))).len(), 5, "its loops are not known");
        assert_eq!(found(&nests, 0x100, None).len(), 5, "nor here");
        assert_eq!(found(&nests, 0x200, Some(("a.c", 22))), [(vec![-3], 2), (vec![-2], 1)]);
        assert_eq!(found(&nests, 0, Some(("a.c", 12))), [(vec![-1], 7)], "nor is the region");
        assert_eq!(found(&nests, 0x900, None), [(vec![-3], 2)]);
        assert!(found(&Nests::default(), 0x100, None).is_empty());
    }
}
