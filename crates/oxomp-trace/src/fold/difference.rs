//! What a thread's sums have grown by between two moments.

use super::joining::{Joining, joining};
use super::{FoldEntry, FoldKind};

/// What has been added to `earlier` by the time of `later`, which has the same key. A longest or
/// shortest time, an extreme or a set of bits is that of `later`, since it cannot be taken apart.
pub(crate) fn difference(earlier: &FoldEntry, later: &FoldEntry) -> FoldEntry {
    let mut grown = *later;
    let Some(kind) = later.fold_kind() else { return grown };
    for (position, value) in grown.values.iter_mut().enumerate() {
        if is_sum(kind, position) {
            *value = value.saturating_sub(earlier.values[position]);
        }
    }
    // How many acquisitions were only counted.
    if kind == FoldKind::Mutex {
        grown.key[2] = grown.key[2].saturating_sub(earlier.key[2]);
    }
    grown
}

/// Whether nothing was added to any sum of the entry.
pub(crate) fn is_unchanged(entry: &FoldEntry) -> bool {
    let Some(kind) = entry.fold_kind() else { return true };
    let sums = (0..entry.values.len()).filter(|&position| is_sum(kind, position));
    sums.map(|position| entry.values[position]).all(|value| value == 0)
}

/// Whether the value is a sum, to which the thread only ever adds.
fn is_sum(kind: FoldKind, position: usize) -> bool {
    joining(kind, position) == Joining::Sum
}

#[cfg(test)]
mod tests {
    use super::{difference, is_unchanged};
    use crate::fold::{FoldEntry, FoldKind, mutex, thread};

    #[test]
    fn sums_are_subtracted_and_extremes_kept() {
        let mut earlier = FoldEntry { kind: FoldKind::Mutex as u32, ..FoldEntry::default() };
        earlier.key = [3, 4, 10];
        earlier.values = [5; 12];
        let mut later = earlier;
        later.key[2] = 12;
        later.values = [7; 12];
        let grown = difference(&earlier, &later);
        assert_eq!(grown.key, [3, 4, 2]);
        assert_eq!(grown.values[mutex::WAIT], 2);
        assert_eq!(grown.values[mutex::MAX_WAIT], 7);
        assert_eq!(grown.values[mutex::DISTINCT], 7);
        assert!(!is_unchanged(&grown));
        assert!(is_unchanged(&difference(&later, &later)), "extremes alone are no change");
    }

    #[test]
    fn the_moment_of_a_threads_time_is_no_sum() {
        let mut entry = FoldEntry { kind: FoldKind::Thread as u32, ..FoldEntry::default() };
        entry.values[thread::UNTIL] = 9;
        assert_eq!(difference(&entry, &entry).values[thread::UNTIL], 9);
    }
}
