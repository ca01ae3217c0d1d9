//! What the threads of a team know of the region at hand.

use core::ffi::c_void;
use core::ptr;

use oxomp_protocol::barrier::Barrier;
use oxomp_protocol::patience::Patience;

use super::Shared;
use super::idle::Between;
use crate::icv::Icvs;
use crate::settings;
use crate::task::{Task, Taskgroup};
use crate::word::Word;
use crate::worksharing::WorksharingLoop;

/// What a worker reads when it begins and ends a region; most regions leave it as it is. Words are
/// read by any thread at any time: the routines that ask for another level's size do.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Region {
    pub(super) size: Word<u32>,
    pub(super) active_level: Word<u32>,
    /// How many threads would run if every task of the enclosing teams formed such a team.
    pub(super) concurrency: Word<u32>,
    /// Looks before a waiting thread's first yield (`Patience::spins`).
    spins: Word<u32>,
    /// Nanoseconds before it sleeps; `IN_FORCE` for the blocktime in force then.
    nanoseconds: Word<u64>,
    /// Regions within the current one have more threads than there are processors: its threads must
    /// not spin for each other either. Set by the primary threads of those.
    pub(super) crowded_below: Word<bool>,
    /// Whether the region's threads display their affinity.
    pub(super) displays_affinity: Word<bool>,
    pub(super) barrier: Word<Option<&'static Barrier>>,
    pub(super) icvs: Between<Icvs>,
    /// The taskgroup in which the region's implicit tasks begin, if it reduces for their tasks.
    pub(super) taskgroup: Word<Option<&'static Taskgroup>>,
    /// The loop that each thread of the region begins with, if it was combined with one.
    pub(super) combined_loop: Between<Option<WorksharingLoop>>,
}

/// What changes from region to region, on a line of its own: no worker reads it.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct Encounter {
    /// Counts the regions of the team.
    pub(super) number: Word<u32>,
    /// The task that encountered the region.
    pub(super) task: Word<Option<Shared<Task>>>,
    /// The region's outlined function, if a debugger is expected.
    pub(super) outlined: Word<*const c_void>,
    /// Where the construct's call returns to, if a tool is attached.
    pub(super) return_address: Word<*const c_void>,
}

impl Encounter {
    /// No region yet.
    pub(super) fn none() -> Self {
        Encounter {
            number: Word::<u32>::new(0),
            task: Word::of(None),
            outlined: Word::<*const c_void>::new(ptr::null()),
            return_address: Word::<*const c_void>::new(ptr::null()),
        }
    }
}

/// `Region::nanoseconds`: none are given. Nobody waits so long.
const IN_FORCE: u64 = u64::MAX - 1;

impl Region {
    /// A region of one thread, for a team within one of that active level and concurrency.
    pub(super) fn new(active_level: u32, concurrency: u32, icvs: Icvs) -> Self {
        let region = Region {
            size: Word::<u32>::new(1),
            active_level: Word::<u32>::new(active_level),
            concurrency: Word::<u32>::new(concurrency),
            spins: Word::<u32>::new(0),
            nanoseconds: Word::<u64>::new(0),
            crowded_below: Word::<bool>::new(false),
            displays_affinity: Word::<bool>::new(false),
            barrier: Word::of(None),
            icvs: Between::new(icvs),
            taskgroup: Word::of(None),
            combined_loop: Between::new(None),
        };
        region.set_patience(settings::get().patience(1));
        region
    }

    /// How long the region's threads wait before they yield and sleep.
    #[inline(always)]
    pub(super) fn patience(&self) -> Patience {
        let nanoseconds = Some(self.nanoseconds.get()).filter(|time| *time != IN_FORCE);
        let is_crowded = self.crowded_below.get();
        let spins = if is_crowded { Patience::CROWDED_SPINS } else { self.spins.get() };
        Patience { spins, nanoseconds }
    }

    pub(super) fn set_patience(&self, patience: Patience) {
        self.spins.set(patience.spins);
        self.nanoseconds.set(patience.nanoseconds.unwrap_or(IN_FORCE));
    }

    /// Whether the region's own threads are more than the processors.
    pub(super) fn is_crowded(&self) -> bool {
        self.spins.get() == Patience::CROWDED_SPINS
    }
}
