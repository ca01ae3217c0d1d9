//! A profile's numbers: plain data, ready to be printed, in nanoseconds.
//!
//! [`crate::summarize`] forms them from the [model](crate::model); [`crate::report`] renders them,
//! and [`crate::symbols`] names addresses. A quantity that was not measured is `None` or absent,
//! never zero.
//!
//! The types are serialized as they are. The comment of a field that is written describes the
//! property in the schema of documents, too, so that it says null for `None`, and stands alone;
//! what concerns this crate alone is a comment of two slashes below it.

use std::collections::BTreeMap;

mod atomics;
mod blocked;
mod class;
mod counters;
mod directive;
mod expected;
mod header;
mod iterations;
mod mpi;
mod offload;
mod phases;
mod python;
mod quality;
mod region;
mod sampled;
mod scope;
mod serial;
mod shared_lines;
mod site;
mod slices;
mod spins;
mod tasks;
mod waits;
mod worksharing;
pub(crate) mod written;

pub use atomics::AtomicUpdate;
pub use blocked::{Blocked, Cause, Distance, REDUCTION, SINK};
pub use class::{Budget, Class, Classes, Thread, most_lost, work_share};
pub use counters::{
    BANDWIDTH_BOUND, CountedActivity, CountedPlace, CountedThread, CounterTotal, Counters,
    PlaceCount,
};
pub use directive::{Directive, in_source};
pub use expected::ExpectedGain;
pub use header::Header;
pub use iterations::Iterations;
pub use mpi::{MpiCalls, MpiKind};
pub use offload::{
    Beside, Direction, Offload, Overlap, RepeatedTransfer, TargetConstruct, TargetKind,
    TargetParts, Transfer, Unfinished,
};
pub use oxomp_symbols::{Site, SiteModule};
pub use phases::PhaseSums;
pub use python::PythonCall;
pub use quality::{MUCH_RECORDING, Quality, RecordingCost};
pub use region::{Gain, Region, Tasking};
pub use sampled::{HotCode, HotStretch, Sampled};
pub use scope::{Scope, Window};
pub use serial::SerialStretch;
pub use shared_lines::{LineSharing, MemoryObject, SharedLines, SharedPlace};
pub use site::SiteId;
pub use slices::SliceSums;
pub use spins::SpinLoop;
pub use tasks::{TaskChain, TaskConstruct};
pub use waits::{Barrier, BarrierKind, Holder, Mutex, MutexKind, Unreached};
pub use worksharing::{Loop, WorkKind, Worksharing, work_kind};

/// A whole profile.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Facts about the run.
    pub header: Header,
    /// Where the threads' time went.
    pub budget: Budget,
    /// Every thread that OpenMP knew, by number.
    pub threads: Vec<Thread>,
    /// By potential gain, largest first.
    pub regions: Vec<Region>,
    /// Loops and sections by region and construct, as their chunks were handed out, by time,
    /// largest first.
    pub loops: Vec<Loop>,
    /// Gains of other schedules that a replay predicts; empty without a replay.
    pub expected: Vec<ExpectedGain>,
    /// Explicit tasks by construct and region, by time, largest first.
    pub tasks: Vec<TaskConstruct>,
    /// Regions with explicit tasks: their work and their longest chains, by time, largest first.
    pub chains: Vec<TaskChain>,
    /// Explicit barriers and those that end worksharing constructs, by wait, largest first. The
    /// barriers that end regions are in [`Region::gain`].
    pub barriers: Vec<Barrier>,
    /// Barriers that not all threads had reached when the recording ended, by wait, largest first.
    pub unreached: Vec<Unreached>,
    /// Locks, criticals, ordered and atomic by waiting site, by wait, largest first.
    pub mutexes: Vec<Mutex>,
    /// Atomic updates in regions at which samples are, most samples first.
    pub atomics: Vec<AtomicUpdate>,
    /// Loops in regions at which samples are and that wait for another thread to change a variable,
    /// most samples first.
    pub spins: Vec<SpinLoop>,
    /// Cache lines that threads of a region use at the same time, most samples first.
    pub shared_lines: Vec<SharedLines>,
    /// Where user code blocked, and where it waited for other iterations of a doacross loop nest,
    /// by time, largest first.
    pub blocked: Vec<Blocked>,
    /// Code that initial threads executed outside every region, by time, largest first.
    pub serial: Vec<SerialStretch>,
    /// Constructs for devices, their kernels and transfers.
    pub offload: Offload,
    /// Calls of MPI by function and region, by time, largest first; empty if the process called
    /// none, or if they were not timed.
    pub mpi: Vec<MpiCalls>,
    /// The iterations of the program's time loop; `None` if no regions repeat, or their events were
    /// not recorded.
    pub iterations: Option<Iterations>,
    /// The phases that the program marked, by path, and the time outside of them; empty if it
    /// marked none.
    pub phases: Vec<PhaseSums>,
    /// The run by slices of time, rising; empty if it was recorded without.
    pub slices: Vec<SliceSums>,
    /// What the threads counted; `None` if the recording was asked for no counters.
    pub counters: Option<Counters>,
    /// The sampled code; `None` without samples.
    pub sampled: Option<Sampled>,
    /// How far the numbers can be trusted.
    pub quality: Quality,
    /// Every site named above.
    pub sites: Vec<Site>,
    /// The directives at the sites and a little above, of each site the nearest first; empty where
    /// no source was at hand, or none was searched.
    pub directives: BTreeMap<SiteId, Vec<Directive>>,
}

impl Summary {
    /// The directive at `site`, or the nearest one above that `fits`; `None` if it is not known.
    #[must_use]
    pub fn directive(
        &self,
        site: Option<SiteId>,
        fits: impl Fn(&Directive) -> bool,
    ) -> Option<&Directive> {
        self.directives.get(&site?)?.iter().find(|one| fits(one))
    }

    /// The explicit tasks that the threads of `region` executed, by time, longest first.
    pub fn tasks_of(&self, region: &Region) -> impl Iterator<Item = &TaskConstruct> + Clone {
        let region = region.site;
        self.tasks.iter().filter(move |one| one.region == region)
    }

    /// Whether the threads of `region` executed explicit tasks.
    #[must_use]
    pub fn has_tasks(&self, region: &Region) -> bool {
        self.tasks_of(region).next().is_some()
    }
}
