//! The thread affinity policies: the place of each thread of a team (OpenMP 5.2 §10.1.3).

use oxomp_ompd_layout::{Kind, Readable, Record, fields};

use crate::icv::ProcBind;
use crate::word::Atom;

/// The number of a place in the place list, or `NONE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct PlaceNum(i32);

impl PlaceNum {
    /// Not bound to a place.
    pub const NONE: Self = Self(-1);

    /// Place `index` of the list.
    #[inline]
    pub fn new(index: u32) -> Self {
        Self(index.cast_signed())
    }

    /// The number that the API returns: -1 for none.
    #[inline]
    pub fn to_omp(self) -> i32 {
        self.0
    }

    /// The index in the place list; `None` if there is no place.
    #[inline]
    pub fn index(self) -> Option<u32> {
        u32::try_from(self.0).ok()
    }
}

/// *place-partition-var*: neighbours in the place list.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The number of the first place.
    pub first: u32,
    /// The number of places.
    pub len: u32,
}

impl Partition {
    /// No place.
    pub const EMPTY: Self = Self { first: 0, len: 0 };

    /// The numbers of the places.
    #[inline]
    pub fn places(self) -> core::ops::Range<u32> {
        self.first..self.first + self.len
    }
}

impl Atom for PlaceNum {
    type Word = <i32 as Atom>::Word;

    #[inline(always)]
    fn word(value: Self) -> Self::Word {
        i32::word(value.0)
    }

    #[inline(always)]
    fn load(word: &Self::Word) -> Self {
        PlaceNum(i32::load(word))
    }

    #[inline(always)]
    fn store(word: &Self::Word, value: Self) {
        i32::store(word, value.0);
    }
}

/// The first place is the lower half of the word, as in the structure that debuggers read.
impl Atom for Partition {
    type Word = <u64 as Atom>::Word;

    #[inline(always)]
    fn word(value: Self) -> Self::Word {
        u64::word(value.bits())
    }

    #[inline(always)]
    fn load(word: &Self::Word) -> Self {
        let bits = u64::load(word);
        Partition { first: bits as u32, len: (bits >> 32) as u32 }
    }

    #[inline(always)]
    fn store(word: &Self::Word, value: Self) {
        u64::store(word, value.bits());
    }
}

impl Partition {
    #[inline]
    fn bits(self) -> u64 {
        u64::from(self.first) | u64::from(self.len) << 32
    }
}

impl Readable for PlaceNum {
    const KIND: Kind = Kind::Signed;
}

impl Readable for Partition {
    const KIND: Kind = Kind::Structure;
}

/// The fields of a partition that a debugger reads.
pub const FIELDS: &[Record] = fields!(Partition {
    first => PartitionFirst,
    len => PartitionLength,
});

/// The inputs of a team's assignment to places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// The policy of the region.
    pub policy: ProcBind,
    /// The number of threads in the team.
    pub size: u32,
    /// The place of the thread that encounters the region.
    pub place: PlaceNum,
    /// The partition of the encountering task.
    pub partition: Partition,
}

impl Arrangement {
    /// The arrangement of a team whose threads have no places yet.
    pub const NONE: Self = Self {
        policy: ProcBind::False,
        size: 0,
        place: PlaceNum::NONE,
        partition: Partition::EMPTY,
    };

    /// The place of thread `thread_num`, and the partition of its implicit task. The primary thread
    /// stays where it is.
    ///
    /// The specification leaves three choices to the runtime. If there are more threads than
    /// places, each place gets ⌊T/P⌋ or ⌈T/P⌉ threads of consecutive numbers, with the larger
    /// groups spread evenly. Spread makes subpartitions of ⌊P/T⌋ or ⌈P/T⌉ places. `true` assigns
    /// the places round-robin, as GOMP_CPU_AFFINITY promises.
    pub fn assign(&self, thread_num: u32) -> (PlaceNum, Partition) {
        let whole = self.partition;
        let places = u64::from(whole.len);
        if places == 0 {
            return (self.place, whole);
        }
        let (size, number) = (u64::from(self.size), u64::from(thread_num));
        let offset = match self.place.index() {
            Some(index) if whole.places().contains(&index) => u64::from(index - whole.first),
            _ => 0,
        };
        let at = |offset: u64| PlaceNum::new(whole.first + (offset % places) as u32);
        // If there are more threads than places, consecutive threads share one.
        let group = if size <= places { number } else { number * places / size };
        match self.policy {
            ProcBind::False | ProcBind::Primary => (at(offset), whole),
            ProcBind::True => (at(offset + number), whole),
            ProcBind::Close => (at(offset + group), whole),
            ProcBind::Spread if size > places => {
                let place = at(offset + group);
                (place, Partition { first: place.index().unwrap_or(0), len: 1 })
            }
            ProcBind::Spread => {
                let start = |subpartition: u64| subpartition * places / size;
                // The last subpartition that starts at the primary thread's place or before it.
                let own = ((offset + 1) * size - 1) / places;
                let subpartition = (own + number) % size;
                let first = start(subpartition);
                let partition = Partition {
                    first: whole.first + first as u32,
                    len: (start(subpartition + 1) - first) as u32,
                };
                (at(if number == 0 { offset } else { first }), partition)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Arrangement, Partition, PlaceNum};
    use crate::icv::ProcBind;
    use proptest::prelude::{Just, Strategy, prop_assert, prop_assert_eq, prop_oneof, proptest};

    fn arrangement(policy: ProcBind, size: u32, places: (u32, u32), place: u32) -> Arrangement {
        let partition = Partition { first: places.0, len: places.1 };
        Arrangement { policy, size, place: PlaceNum::new(place), partition }
    }

    fn numbers(arrangement: Arrangement) -> Vec<i32> {
        (0..arrangement.size).map(|thread| arrangement.assign(thread).0.to_omp()).collect()
    }

    fn partitions(arrangement: Arrangement) -> Vec<(u32, u32)> {
        let partition = |thread| arrangement.assign(thread).1;
        (0..arrangement.size).map(partition).map(|part| (part.first, part.len)).collect()
    }

    /// The examples of the specification (OpenMP Examples, "Affinity"): eight places; the primary
    /// thread runs on p0.
    #[test]
    fn the_examples_of_the_specification() {
        let spread = arrangement(ProcBind::Spread, 4, (0, 8), 0);
        assert_eq!(numbers(spread), [0, 2, 4, 6]);
        assert_eq!(partitions(spread), [(0, 2), (2, 2), (4, 2), (6, 2)]);
        let spread = arrangement(ProcBind::Spread, 16, (0, 8), 0);
        assert_eq!(numbers(spread), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]);
        assert_eq!(partitions(spread)[15], (7, 1));
        assert_eq!(numbers(arrangement(ProcBind::Close, 4, (0, 8), 0)), [0, 1, 2, 3]);
        let close = arrangement(ProcBind::Close, 16, (0, 8), 0);
        assert_eq!(numbers(close), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]);
        assert_eq!(partitions(close)[15], (0, 8));
        assert_eq!(numbers(arrangement(ProcBind::Primary, 4, (0, 8), 0)), [0; 4]);
    }

    #[test]
    fn wraps_around_within_the_partition_of_the_primary_thread() {
        assert_eq!(numbers(arrangement(ProcBind::Close, 3, (2, 4), 5)), [5, 2, 3]);
        assert_eq!(numbers(arrangement(ProcBind::Close, 6, (2, 4), 4)), [4, 4, 5, 2, 2, 3]);
        assert_eq!(numbers(arrangement(ProcBind::True, 6, (2, 4), 4)), [4, 5, 2, 3, 4, 5]);
        let spread = arrangement(ProcBind::Spread, 2, (2, 5), 5);
        assert_eq!(numbers(spread), [5, 2]);
        assert_eq!(partitions(spread), [(4, 3), (2, 2)]);
    }

    #[test]
    fn without_places_nothing_is_assigned() {
        let nothing = Arrangement { partition: Partition::EMPTY, ..Arrangement::NONE };
        assert_eq!(nothing.assign(3), (PlaceNum::NONE, Partition::EMPTY));
    }

    fn arrangements() -> impl Strategy<Value = Arrangement> {
        let policies = prop_oneof![
            Just(ProcBind::True),
            Just(ProcBind::Primary),
            Just(ProcBind::Close),
            Just(ProcBind::Spread)
        ];
        (policies, 1u32..200, 0u32..50, 1u32..120).prop_flat_map(|(policy, size, first, len)| {
            (first..first + len)
                .prop_map(move |place| arrangement(policy, size, (first, len), place))
        })
    }

    proptest! {
        #[test]
        fn everybody_gets_a_place_of_the_partition_and_the_primary_stays(region in arrangements()) {
            prop_assert_eq!(region.assign(0).0, region.place);
            for thread in 0..region.size {
                let (place, partition) = region.assign(thread);
                let place = place.index().expect("a place");
                prop_assert!(region.partition.places().contains(&place));
                prop_assert!(partition.places().contains(&place));
                prop_assert!(partition.first >= region.partition.first);
                prop_assert!(partition.places().end <= region.partition.places().end);
            }
        }

        #[test]
        fn places_have_as_many_threads_each(region in arrangements()) {
            let (size, places) = (region.size, region.partition.len);
            let mut threads = vec![0; (region.partition.first + places) as usize];
            for place in numbers(region) {
                threads[place as usize] += 1;
            }
            let threads = &threads[region.partition.first as usize..];
            let most = if region.policy == ProcBind::Primary { size } else { size.div_ceil(places) };
            prop_assert_eq!(*threads.iter().max().expect("places"), most);
            if region.policy != ProcBind::Primary {
                prop_assert!(threads.iter().all(|&count| count >= size / places));
            }
        }

        #[test]
        fn close_threads_are_neighbours(region in arrangements()) {
            let close = Arrangement { policy: ProcBind::Close, ..region };
            for pair in numbers(close).windows(2) {
                let next = close.partition.first.cast_signed()
                    + (pair[0] + 1 - close.partition.first.cast_signed())
                        % close.partition.len.cast_signed();
                let stays = pair[1] == pair[0] && close.size > close.partition.len;
                prop_assert!(pair[1] == next || stays);
                prop_assert_eq!(close.assign(0).1, close.partition);
            }
        }

        #[test]
        fn spread_divides_the_partition(region in arrangements()) {
            let spread = Arrangement { policy: ProcBind::Spread, ..region };
            let mut parts = partitions(spread);
            parts.sort_unstable();
            parts.dedup();
            // Each place is in one subpartition, and there are as many of these as possible.
            prop_assert_eq!(parts.len() as u32, spread.size.min(spread.partition.len));
            let mut next = spread.partition.first;
            for (first, len) in parts {
                prop_assert_eq!(first, next);
                prop_assert!(len >= (spread.partition.len / spread.size).max(1));
                next += len;
            }
            prop_assert_eq!(next, spread.partition.places().end);
        }
    }
}
