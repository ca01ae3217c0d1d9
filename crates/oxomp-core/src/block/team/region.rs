//! The state of a team's present region.

use core::ffi::c_void;
use core::ptr;

use oxomp_base::icv::Icvs;
use oxomp_base::settings;
use oxomp_base::word::Word;
use oxomp_protocol::barrier::Barrier;
use oxomp_protocol::patience::Patience;

use super::super::shared::Shared;
use super::idle::SetBetweenRegions;
use crate::cancel::CancelledConstructs;
use crate::task::{Task, Taskgroup};
use crate::worksharing::WorksharingLoop;

/// The state that a worker reads when it begins and ends a region; most regions leave it unchanged.
/// Any thread may read the words at any time, as the routines do that return the team size of
/// another level.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Region {
    pub(super) size: Word<u32>,
    pub(super) active_level: Word<u32>,
    /// The number of threads that would run if every task of the enclosing teams formed a team of
    /// this size.
    pub(super) concurrency: Word<u32>,
    /// Polls before a waiting thread's first yield (`Patience::spins`).
    spins: Word<u32>,
    /// Nanoseconds before a waiting thread sleeps; `IN_FORCE` for the blocktime that is in force
    /// when it waits.
    nanoseconds: Word<u64>,
    /// A nested region has more threads than there are processors, so this region's threads must
    /// not spin for each other either. The primary thread of the nested region sets it.
    pub(super) crowded_below: Word<bool>,
    /// Whether the region's threads display their affinity.
    pub(super) displays_affinity: Word<bool>,
    /// The constructs of the region that have been cancelled.
    pub(super) cancelled: CancelledConstructs,
    pub(super) barrier: Word<Option<&'static Barrier>>,
    pub(super) icvs: SetBetweenRegions<Icvs>,
    /// The taskgroup in which the region's implicit tasks begin, if it reduces for their tasks.
    pub(super) taskgroup: Word<Option<&'static Taskgroup>>,
    /// The loop with which each thread of the region begins, if the construct was combined with
    /// one.
    pub(super) combined_loop: SetBetweenRegions<Option<WorksharingLoop>>,
}

/// A target region, as `ompt_get_target_info` tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ToldTarget {
    /// The id of the region (`ompt_id_t`); 0 if no tool listens.
    pub(crate) id: u64,
    /// The number of the device that executes it.
    pub(crate) device_num: u32,
}

impl ToldTarget {
    /// No tool listens.
    pub(crate) const UNTOLD: Self = Self { id: 0, device_num: 0 };
}

/// The state that changes with each region, on a cache line that no worker reads.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct Encounter {
    /// Counts the regions of the team.
    pub(super) number: Word<u32>,
    /// Whether `parallel::begin` opened the region, so that `parallel::end` ends it.
    pub(super) has_call_to_end: Word<bool>,
    /// The number of teams of the league, if the region is one; 0 if it is not.
    pub(super) league_size: Word<u32>,
    /// The id of the target region that the initial task of the team executes, for tools
    /// (`ompt_id_t`); 0 if no tool listens.
    pub(super) target_id: Word<u64>,
    /// The number of the device that executes that target region.
    pub(super) target_device: Word<u32>,
    /// *teams-thread-limit-var* in that target region; 0 if the host's value holds.
    pub(super) teams_thread_limit: Word<u32>,
    /// The task that encountered the region.
    pub(super) task: Word<Option<Shared<Task>>>,
    /// The region's outlined function, noted only for a debugger.
    pub(super) outlined: Word<*const c_void>,
    /// The return address of the construct's call, noted only for tools and debuggers.
    pub(super) return_address: Word<*const c_void>,
}

impl Encounter {
    /// The state before the first region.
    pub(super) fn none() -> Self {
        Encounter {
            number: Word::<u32>::new(0),
            has_call_to_end: Word::<bool>::new(false),
            league_size: Word::<u32>::new(0),
            target_id: Word::<u64>::new(0),
            target_device: Word::<u32>::new(0),
            teams_thread_limit: Word::<u32>::new(0),
            task: Word::of(None),
            outlined: Word::<*const c_void>::new(ptr::null()),
            return_address: Word::<*const c_void>::new(ptr::null()),
        }
    }
}

/// Value of `Region::nanoseconds`: no blocktime is given. No thread waits that long.
const IN_FORCE: u64 = u64::MAX - 1;

impl Region {
    /// A region of one thread, for a team whose enclosing team has this active level and
    /// concurrency.
    pub(super) fn new(active_level: u32, concurrency: u32, icvs: Icvs) -> Self {
        let region = Region {
            size: Word::<u32>::new(1),
            active_level: Word::<u32>::new(active_level),
            concurrency: Word::<u32>::new(concurrency),
            spins: Word::<u32>::new(0),
            nanoseconds: Word::<u64>::new(0),
            crowded_below: Word::<bool>::new(false),
            displays_affinity: Word::<bool>::new(false),
            cancelled: CancelledConstructs::none(),
            barrier: Word::of(None),
            icvs: SetBetweenRegions::new(icvs),
            taskgroup: Word::of(None),
            combined_loop: SetBetweenRegions::new(None),
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

    /// Whether the region itself has more threads than there are processors.
    pub(super) fn is_crowded(&self) -> bool {
        self.spins.get() == Patience::CROWDED_SPINS
    }
}
