//! Barriers inside regions; locks and criticals.

use serde::Serialize;

use super::WorkKind;
use super::site::SiteId;
use super::written::written_by_name;

/// A barrier inside regions, the ones at regions' ends excepted.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Barrier {
    /// The barrier; null if the runtime did not tell.
    #[serde(rename = "place")]
    pub site: Option<SiteId>,
    /// The region in which it was met; null if unknown.
    pub region: Option<SiteId>,
    /// Why the barrier is there: `explicit`, `workshare`, `parallel`, `teams`, `implementation` or
    /// `unspecified`.
    pub kind: BarrierKind,
    /// Kind of the worksharing construct that it ends; null if it ends none, or if the runtime did
    /// not tell.
    pub ends: Option<WorkKind>,
    /// Times a thread passed it.
    pub passes: u64,
    /// Sum over threads of the wait, without tasks executed in it, ns: the three parts below.
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
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unreached {
    /// The barrier; null for that at the end of the region, or if the runtime did not tell.
    #[serde(rename = "place")]
    pub site: Option<SiteId>,
    /// The region; null if unknown.
    pub region: Option<SiteId>,
    /// How many threads waited.
    pub waiting: u32,
    /// Sum of their waits until the end of the recording, ns.
    pub time_ns: u64,
    /// How many threads of the team had ended in the region.
    pub ended: u32,
}

/// Why a barrier is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
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
    #[default]
    Unspecified,
}

written_by_name!(BarrierKind, MutexKind);

impl BarrierKind {
    /// The kind of OMPT's synchronization region of this number.
    #[must_use]
    pub fn of_number(number: u8) -> Self {
        match number {
            3 => BarrierKind::Explicit,
            4 => BarrierKind::Implementation,
            8 => BarrierKind::Workshare,
            9 => BarrierKind::Parallel,
            10 => BarrierKind::Teams,
            _ => BarrierKind::Unspecified,
        }
    }

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

/// Mutual exclusion as asked for at one place.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Lock"))]
pub struct Mutex {
    /// Where the waiting threads asked for it; null if the runtime did not tell.
    #[serde(rename = "place")]
    pub site: Option<SiteId>,
    /// Kind of mutual exclusion: `lock`, `nest lock`, `critical`, `atomic`, `ordered` or `mutex`.
    pub kind: MutexKind,
    /// Distinct locks that were asked for at the place.
    pub locks: u64,
    /// Acquisitions at the place, over all threads.
    pub acquisitions: u64,
    /// Acquisitions during whose wait another thread held the lock.
    pub contended: u64,
    /// Sum over threads of the waits, ns: that of `holders`, `handoff_ns` and `unattributed_ns`.
    pub wait_ns: u64,
    /// The longest wait, ns.
    pub max_wait_ns: u64,
    /// Sum of the holds acquired at the place, ns.
    pub hold_ns: u64,
    /// The longest hold, ns.
    pub max_hold_ns: u64,
    /// The places whose holds overlapped the waits, by time, largest first.
    pub holders: Vec<Holder>,
    /// Part of the wait in which no thread held the lock, ns: the hand-off, and the call itself.
    pub handoff_ns: u64,
    /// Part of the wait whose holder is not known, ns.
    pub unattributed_ns: u64,
    /// Of the acquisitions, those that were only counted, since they came too fast to be timed
    /// each: the times are estimated from the others, the longest ones are those of the others.
    pub counted: u64,
    /// Standard error of `wait_ns` because of that, ns.
    pub wait_error_ns: u64,
    /// Standard error of `hold_ns` because of that, ns.
    pub hold_error_ns: u64,
    /// Tests of the lock at the place that failed (`omp_test_lock`), as far as the thread tested it
    /// again directly afterwards: a number.
    pub failed: u64,
    /// Sum of the times from the first of such tests to the last one in a row, ns.
    pub tested_ns: u64,
    /// The part of it in which threads spin and can do nothing else, ns: it is in the class of
    /// locks. 0 where there is more between two tests.
    pub spin_ns: u64,
    /// What the waits here cost in wall time, ns: where `bounds.hold`, an upper bound of what could
    /// be won if no thread waited here.
    // The place's part of `Gain::mutex_ns` of the regions in which threads waited.
    pub gain_ns: u64,
}

impl Mutex {
    /// What threads lose at the site, ns: their waits, and the time in which they spin.
    #[must_use]
    pub fn lost_ns(&self) -> u64 {
        self.wait_ns.saturating_add(self.spin_ns)
    }
}

/// The part of the waits that the holds of one place caused.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Holder {
    /// Where the holder had acquired the lock; null if the runtime did not tell.
    #[serde(rename = "place")]
    pub site: Option<SiteId>,
    /// Sum of the waits that fell into its holds, ns.
    pub blame_ns: u64,
}

/// OMPT's kinds of mutual exclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum MutexKind {
    /// A lock of `omp_set_lock` and `omp_test_lock`.
    #[default]
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
