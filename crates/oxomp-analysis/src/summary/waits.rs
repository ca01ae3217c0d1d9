//! Barriers inside regions; locks and criticals.

use super::WorkKind;
use super::site::SiteId;

/// A barrier inside regions.
#[derive(Debug, Clone, PartialEq)]
pub struct Barrier {
    /// The barrier; `None` if the runtime did not tell.
    pub site: Option<SiteId>,
    /// Why the barrier is there.
    pub kind: BarrierKind,
    /// The region it was met in.
    pub region: Option<SiteId>,
    /// Times a thread passed it.
    pub passes: u64,
    /// The worksharing construct that it ends, where the runtime tells.
    pub ends: Option<WorkKind>,
    /// Σ over threads of the wait, task execution in it subtracted, ns: imbalance + cost +
    /// starved.
    pub wait_ns: u64,
    /// Part of the wait until the last thread arrived, ns.
    pub imbalance_ns: u64,
    /// Part of the wait after the last thread arrived, ns.
    pub cost_ns: u64,
    /// Part of the wait during which tasks were under way, none of them ready, ns.
    pub starved_ns: u64,
}

impl Barrier {
    /// What the barrier is, as `end of loop`.
    #[must_use]
    pub fn words(&self) -> String {
        let words = match (self.kind, self.ends) {
            (BarrierKind::Explicit, _) => "barrier",
            (BarrierKind::Workshare, Some(kind)) if kind.is_loop() => "end of loop",
            (BarrierKind::Workshare, Some(kind)) => return format!("end of {}", kind.name()),
            (BarrierKind::Workshare, None) => "end of worksharing",
            (BarrierKind::Parallel, _) => "end of region",
            (BarrierKind::Teams, _) => "end of teams",
            (BarrierKind::Implementation, _) => "of the runtime",
            (BarrierKind::Unspecified, _) => "barrier (kind unknown)",
        };
        words.to_owned()
    }
}

/// A barrier at which threads waited when the recording ended, since not all threads of their team
/// had reached it.
#[derive(Debug, Clone, PartialEq)]
pub struct Unreached {
    /// The barrier; `None` for that at the end of the region, or if the runtime did not tell.
    pub site: Option<SiteId>,
    /// The region.
    pub region: Option<SiteId>,
    /// How many threads waited.
    pub waiting: u32,
    /// Sum of their waits until the end of the recording, ns.
    pub time_ns: u64,
    /// How many threads of the team had ended in the region.
    pub ended: u32,
}

/// Why a barrier is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BarrierKind {
    /// The directive.
    Explicit,
    /// The end of a worksharing construct.
    Workshare,
    /// The end of a region.
    Parallel,
    /// The end of a teams region.
    Teams,
    /// One the runtime added.
    Implementation,
    /// The runtime did not say.
    Unspecified,
}

impl BarrierKind {
    /// The kind in one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            BarrierKind::Explicit => "explicit",
            BarrierKind::Workshare => "workshare",
            BarrierKind::Parallel => "parallel",
            BarrierKind::Teams => "teams",
            BarrierKind::Implementation => "implementation",
            BarrierKind::Unspecified => "unspecified",
        }
    }
}

/// Waiting for locks at one site.
#[derive(Debug, Clone, PartialEq)]
pub struct Mutex {
    /// The kind of mutual exclusion.
    pub kind: MutexKind,
    /// Where the waiting threads asked for it.
    pub site: Option<SiteId>,
    /// Distinct locks asked for at the site.
    pub locks: u64,
    /// Acquisitions at the site, over all threads.
    pub acquisitions: u64,
    /// Acquisitions during whose wait another thread held the lock.
    pub contended: u64,
    /// Σ over threads of (acquired − asked), ns: Σ holders + handoff + unattributed.
    pub wait_ns: u64,
    /// The longest wait, ns.
    pub max_wait_ns: u64,
    /// Σ over holds acquired at this site, ns.
    pub hold_ns: u64,
    /// The longest hold, ns.
    pub max_hold_ns: u64,
    /// The sites whose holds overlapped the waits, by time, largest first.
    pub holders: Vec<Holder>,
    /// Part of the wait in which no thread held the lock: the hand-off, and the call itself, ns.
    pub handoff_ns: u64,
    /// Part of the wait whose holder was no longer known, ns.
    pub unattributed_ns: u64,
    /// The acquisitions that were only counted, since they came too fast for each to be timed.
    /// Their times are estimated from the other acquisitions; the longest times are of the others
    /// only.
    pub counted: u64,
    /// Standard error of the wait because of that, ns.
    pub wait_error_ns: u64,
    /// Standard error of the hold because of that, ns.
    pub hold_error_ns: u64,
    /// Tests of the lock at the site that failed (`omp_test_lock`), as far as the thread tested it
    /// again directly afterwards.
    pub failed: u64,
    /// Σ of the times from the first of such tests to the last one in a row, ns.
    pub tested_ns: u64,
    /// The part of it in which threads spin and can do nothing else, ns: it is in
    /// [`Class::Mutex`](super::Class::Mutex). 0 where there is more between two tests.
    pub spin_ns: u64,
    /// Upper bound of what could be won in wall time if no thread waited here, ns: the site's part
    /// of [`Gain::mutex_ns`](super::Gain::mutex_ns) of the regions in which threads waited.
    pub gain_ns: u64,
}

impl Mutex {
    /// What threads lose at the site, ns: their waits, and the time in which they spin.
    #[must_use]
    pub fn lost_ns(&self) -> u64 {
        self.wait_ns.saturating_add(self.spin_ns)
    }
}

/// The part of the waits at one site that the holds acquired at another site caused.
#[derive(Debug, Clone, PartialEq)]
pub struct Holder {
    /// Where the holder had acquired it.
    pub site: Option<SiteId>,
    /// Σ of the waits that fell into its holds, ns.
    pub blame_ns: u64,
}

/// OMPT's kinds of mutual exclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MutexKind {
    /// A lock of `omp_set_lock` and `omp_test_lock`.
    Lock,
    /// A nestable lock.
    NestLock,
    /// `critical`.
    Critical,
    /// `atomic`, where the runtime takes a lock for it.
    Atomic,
    /// `ordered`.
    Ordered,
    /// A number this version does not know.
    Other(u8),
}

impl MutexKind {
    /// The routine that tests such a lock.
    #[must_use]
    pub fn test(self) -> &'static str {
        if self == MutexKind::NestLock { "omp_test_nest_lock" } else { "omp_test_lock" }
    }

    /// The routine that waits for such a lock.
    #[must_use]
    pub fn set(self) -> &'static str {
        if self == MutexKind::NestLock { "omp_set_nest_lock" } else { "omp_set_lock" }
    }

    /// As the specification calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            MutexKind::Lock => "lock",
            MutexKind::NestLock => "nest lock",
            MutexKind::Critical => "critical",
            MutexKind::Atomic => "atomic",
            MutexKind::Ordered => "ordered",
            MutexKind::Other(_) => "mutex",
        }
    }
}
