//! What values of an entry mean when those of two entries are put together.

use std::collections::HashMap;

use super::{
    Extremes, FoldEntry, FoldKind, chunks, instances, mpi, mutex, region, repeated, serial, share,
    target, tasks, thread, transfer,
};

/// How a value is put together with that of another entry with the same key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joining {
    /// It is a sum, to which the thread only ever adds.
    Sum,
    /// The larger one counts.
    Largest,
    /// The smaller one counts, unless it is 0.
    Least,
    /// Both are [`Extremes`], or 0.
    Extremes,
    /// Both are sets of bits.
    Bits,
    /// It describes what both share, or the last one: the later one counts.
    Later,
}

/// How the value of a kind at a position is put together with another one.
pub(super) fn joining(kind: FoldKind, position: usize) -> Joining {
    match (kind, position) {
        (FoldKind::Thread, thread::UNTIL)
        | (FoldKind::Mutex, mutex::MAX_WAIT | mutex::MAX_HOLD)
        | (FoldKind::Serial, serial::LONGEST)
        | (FoldKind::Chunks, chunks::LONGEST | chunks::COUNT)
        | (FoldKind::Tasks, tasks::LONGEST | tasks::DEPTH)
        | (FoldKind::Share, share::LONGEST)
        | (FoldKind::Mpi, mpi::LONGEST_NS)
        | (FoldKind::Target, target::LONGEST | target::LONGEST_KERNEL)
        | (FoldKind::Transfer, transfer::LONGEST) => Joining::Largest,
        (FoldKind::Share, share::SHORTEST) => Joining::Least,
        (FoldKind::Region, region::TEAM)
        | (FoldKind::Chunks, chunks::SIZES)
        | (FoldKind::Target, target::TEAMS) => Joining::Extremes,
        (FoldKind::Instances, instances::NESTS) => Joining::Bits,
        (FoldKind::Mutex, position) if position >= mutex::DISTINCT => Joining::Bits,
        (FoldKind::Share, share::START | share::ITERATIONS | share::CHUNKS | share::COUNT)
        | (FoldKind::Repeated, repeated::SIZE | repeated::DEVICE | repeated::OTHER) => {
            Joining::Later
        }
        _ => Joining::Sum,
    }
}

/// The entries with those of the same key put together.
pub(crate) fn joined(entries: impl IntoIterator<Item = FoldEntry>) -> Vec<FoldEntry> {
    let mut places = HashMap::new();
    let mut joined: Vec<FoldEntry> = Vec::new();
    for entry in entries {
        let at = *places.entry(entry.identity()).or_insert(joined.len());
        match joined.get_mut(at) {
            Some(earlier) => join(earlier, &entry),
            None => joined.push(entry),
        }
    }
    joined
}

/// Adds to `entry` what `later` has, which has the same key.
fn join(entry: &mut FoldEntry, later: &FoldEntry) {
    let Some(kind) = entry.fold_kind() else { return };
    entry.key[2] = match kind {
        // How many acquisitions were only counted.
        FoldKind::Mutex => entry.key[2].saturating_add(later.key[2]),
        // The region in which the thread was when the sums were last changed.
        FoldKind::Thread if entry.values[thread::UNTIL] > later.values[thread::UNTIL] => {
            entry.key[2]
        }
        _ => later.key[2],
    };
    for (position, (value, more)) in entry.values.iter_mut().zip(later.values).enumerate() {
        *value = match joining(kind, position) {
            Joining::Sum => value.saturating_add(more),
            Joining::Largest => more.max(*value),
            Joining::Least if *value == 0 || more == 0 => more.max(*value),
            Joining::Least => more.min(*value),
            Joining::Extremes if more == 0 => *value,
            Joining::Extremes => {
                Extremes::unpacked(more).add_to(value);
                *value
            }
            Joining::Bits => *value | more,
            Joining::Later => more,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::join;
    use crate::fold::{Extremes, FoldEntry, FoldKind, mutex, region, share, thread};

    fn entry(kind: FoldKind, key: u64, values: &[(usize, u64)]) -> FoldEntry {
        let mut entry = FoldEntry { kind: kind as u32, key: [0, 0, key], ..FoldEntry::default() };
        values.iter().for_each(|&(position, value)| entry.values[position] = value);
        entry
    }

    #[test]
    fn each_value_is_joined_as_its_meaning_asks() {
        let mut mutexes = entry(
            FoldKind::Mutex,
            3,
            &[(mutex::WAIT, 5), (mutex::MAX_WAIT, 4), (mutex::DISTINCT, 1)],
        );
        let more = [(mutex::WAIT, 6), (mutex::MAX_WAIT, 2), (mutex::DISTINCT, 2)];
        join(&mut mutexes, &entry(FoldKind::Mutex, 4, &more));
        assert_eq!(mutexes.key[2], 7);
        let joined = [mutex::WAIT, mutex::MAX_WAIT, mutex::DISTINCT].map(|at| mutexes.values[at]);
        assert_eq!(joined, [11, 4, 3]);

        let team = |size| Extremes::of(size).packed();
        let mut regions = entry(FoldKind::Region, 0, &[(region::TEAM, team(4))]);
        join(&mut regions, &entry(FoldKind::Region, 0, &[(region::TEAM, team(2))]));
        join(&mut regions, &entry(FoldKind::Region, 0, &[]));
        let extremes = Extremes { least: 2, most: 4 }.packed();
        assert_eq!(regions.values[region::TEAM], extremes);

        let mut parts = entry(FoldKind::Share, 0, &[(share::SHORTEST, 0), (share::START, 9)]);
        join(&mut parts, &entry(FoldKind::Share, 0, &[(share::SHORTEST, 7), (share::START, 8)]));
        join(&mut parts, &entry(FoldKind::Share, 0, &[(share::SHORTEST, 9), (share::START, 8)]));
        assert_eq!((parts.values[share::SHORTEST], parts.values[share::START]), (7, 8));
    }

    #[test]
    fn a_thread_is_where_its_later_entry_says() {
        let at = |code, until| entry(FoldKind::Thread, code, &[(thread::UNTIL, until)]);
        for (first, second) in [(at(2, 10), at(4, 20)), (at(4, 20), at(2, 10))] {
            let mut joined = first;
            join(&mut joined, &second);
            assert_eq!((joined.key[2], joined.values[thread::UNTIL]), (4, 20));
        }
    }
}
