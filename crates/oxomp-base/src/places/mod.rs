//! The places to which threads are bound (OpenMP 5.2 §2.3 *place-partition-var*, §10.1.3).
//!
//! [`Places`] is the place list, made once from OMP_PLACES, the machine (`topology`) and the
//! processors that the process may use. [`proc_bind`] assigns a place to each thread of a team. An
//! implicit task has a place and a partition; a thread binds itself when it starts a task with
//! another place than its own.

mod cpu_quota;
#[cfg(test)]
pub(crate) mod fake_tree;
mod hw_subset;
pub mod proc_bind;
mod proc_set;
mod topology;

use std::path::Path;

use crate::icv::ProcBind;
use crate::icv::hw_subset::HwSubset;
use crate::icv::place_list::{PlaceKind, PlaceList};

pub use proc_bind::{Arrangement, FIELDS, Partition, PlaceNum};
pub use proc_set::ProcSet;
use topology::LinuxCoreSorts;
pub use topology::Topology;

/// The folder in which Linux describes its processors.
const SYSTEM: &str = "/sys/devices/system";

/// The processors of the machine that are online; `None` if the system does not tell.
pub(crate) fn online() -> Option<ProcSet> {
    let text = std::fs::read_to_string(Path::new(SYSTEM).join("cpu/online")).ok()?;
    ProcSet::parse(&text).filter(|set| !set.is_empty())
}

/// The processor time that the process may use, in processors; `None` for no limit.
pub(crate) fn cpu_quota() -> Option<u32> {
    cpu_quota::cpu_quota(Path::new("/"))
}

/// The processors of `available` that `subset` selects.
///
/// # Errors
/// The reason why the machine has no such part.
pub(crate) fn confine(available: &ProcSet, subset: &HwSubset) -> Result<ProcSet, String> {
    let system = Path::new(SYSTEM);
    let topology = Topology::read(system, available);
    hw_subset::select(&topology, subset, &LinuxCoreSorts { system })
}

/// The number of parts of each kind among `available`, in words.
pub(crate) fn describe(available: &ProcSet) -> String {
    let topology = Topology::read(Path::new(SYSTEM), available);
    let count = |kind| topology.parts(kind).len();
    format!(
        "sockets: {}, NUMA domains: {}, last-level caches: {}, cores: {}, hardware threads: {}",
        count(PlaceKind::Sockets),
        count(PlaceKind::NumaDomains),
        count(PlaceKind::LlCaches),
        count(PlaceKind::Cores),
        count(PlaceKind::Threads),
    )
}

/// The place list. It never changes, so that a signal handler may read it.
#[derive(Debug, Default)]
pub struct Places {
    places: Vec<ProcSet>,
}

impl Places {
    /// The list that the user has `asked` for on this machine, limited to the processors
    /// `available`, and the requested processors that are not available. If the user asks for no
    /// list, there is one only if threads are to be bound: a place for each core.
    pub(crate) fn of_machine(
        asked: Option<&PlaceList>,
        bind_var: ProcBind,
        available: &ProcSet,
    ) -> (Self, ProcSet) {
        const CORES: PlaceList = PlaceList::Abstract { kind: PlaceKind::Cores, count: None };
        match asked {
            Some(list) => Self::new(list, available, Path::new(SYSTEM)),
            None if bind_var == ProcBind::False => (Self::default(), ProcSet::default()),
            None => Self::new(&CORES, available, Path::new(SYSTEM)),
        }
    }

    /// The list and the unavailable processors, for a machine that `system` describes.
    fn new(asked: &PlaceList, available: &ProcSet, system: &Path) -> (Self, ProcSet) {
        let mut missing = ProcSet::default();
        let places = match asked {
            PlaceList::Abstract { kind, count } => {
                let mut places = Topology::read(system, available).parts(*kind);
                places.truncate(count.map_or(usize::MAX, |count| count as usize));
                places
            }
            PlaceList::PerThread { granularity, order, offset } => {
                let mut places = Topology::read(system, available).per_thread(*granularity, *order);
                let front = *offset as usize % places.len().max(1);
                places.rotate_left(front);
                places
            }
            PlaceList::Explicit(places) => places
                .iter()
                .map(|place| {
                    let (usable, other): (ProcSet, ProcSet) =
                        place.iter().copied().partition(|&processor| available.contains(processor));
                    missing.extend(other.iter());
                    usable
                })
                .filter(|place| !place.is_empty())
                .collect(),
        };
        (Self { places }, missing)
    }

    /// The places, in the order of their numbers.
    #[inline]
    pub fn as_slice(&self) -> &[ProcSet] {
        &self.places
    }

    /// Number of places.
    #[inline]
    pub fn len(&self) -> u32 {
        self.places.len() as u32
    }

    /// Whether there is no place.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The processors of a place; `None` if there is no such place.
    #[inline]
    pub fn get(&self, place_num: i32) -> Option<&ProcSet> {
        self.places.get(usize::try_from(place_num).ok()?)
    }

    /// All places: the partition of an initial task.
    #[inline]
    pub fn partition(&self) -> Partition {
        Partition { first: 0, len: self.len() }
    }

    /// The number of processors in the places of a partition.
    pub fn processors(&self, partition: Partition) -> u32 {
        let mut all = ProcSet::default();
        for place in partition.places() {
            all.extend(self.places[place as usize].iter());
        }
        all.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::{Places, ProcSet};
    use crate::icv::ProcBind;
    use crate::icv::place_list::{PlaceKind, PlaceList, ThreadOrder};
    use std::path::Path;

    fn list(asked: &PlaceList, available: &str) -> (Vec<String>, String) {
        let available = ProcSet::parse(available).expect("processors");
        let (places, missing) = Places::new(asked, &available, Path::new("/nowhere"));
        let texts = places.as_slice().iter().map(ToString::to_string).collect();
        (texts, missing.to_string())
    }

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn explicit_places_keep_the_processors_that_the_process_may_use() {
        let asked = PlaceList::Explicit(vec![vec![3, 2], vec![9], vec![1, 8, 9], vec![2]]);
        assert_eq!(list(&asked, "0-3"), (strings(&["2-3", "1", "2"]), "8-9".to_owned()));
        assert_eq!(list(&asked, "64").0, strings(&[]));
    }

    #[test]
    fn abstract_places_are_as_many_as_there_are_or_as_asked() {
        let asked = |count| PlaceList::Abstract { kind: PlaceKind::Threads, count };
        assert_eq!(list(&asked(None), "4-6").0, strings(&["4", "5", "6"]));
        assert_eq!(list(&asked(Some(2)), "4-6").0, strings(&["4", "5"]));
        assert_eq!(list(&asked(Some(9)), "4-6"), (strings(&["4", "5", "6"]), String::new()));
    }

    #[test]
    fn an_offset_turns_the_list() {
        let (granularity, order) = (PlaceKind::Threads, ThreadOrder::Compact(0));
        let asked = |offset| PlaceList::PerThread { granularity, order, offset };
        assert_eq!(list(&asked(4), "0-2").0, strings(&["1", "2", "0"]));
        assert!(list(&asked(4), "").0.is_empty());
    }

    #[test]
    fn places_are_there_if_somebody_wants_them() {
        let available = ProcSet::parse("0").expect("processors");
        let threads = PlaceList::Abstract { kind: PlaceKind::Threads, count: None };
        let len = |asked, bind_var| Places::of_machine(asked, bind_var, &available).0.len();
        assert_eq!(len(None, ProcBind::False), 0);
        assert_eq!(len(None, ProcBind::Close), 1);
        assert_eq!(len(Some(&threads), ProcBind::False), 1);
    }

    #[test]
    fn what_there_is_can_be_asked() {
        let asked = PlaceList::Explicit(vec![vec![0, 1], vec![1, 2]]);
        let available = ProcSet::parse("0-7").expect("processors");
        let (places, _) = Places::new(&asked, &available, Path::new("/nowhere"));
        assert_eq!(places.processors(places.partition()), 3);
        assert_eq!(places.get(1).map(ToString::to_string).as_deref(), Some("1-2"));
        assert!(places.get(2).is_none() && places.get(-1).is_none());
    }
}
