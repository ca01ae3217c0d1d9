//! Barriers, locks and serial code in the document.

use oxomp_analysis::summary;
use serde::Serialize;

use super::places::{Place, Places};

/// A barrier inside regions, the ones at regions' ends excepted.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Barrier {
    /// Identifies the row, in every run of the same binary.
    id: String,
    /// The barrier; null if the runtime did not tell.
    place: Option<Place>,
    /// The region in which it was met; null if unknown.
    region: Option<Place>,
    /// Why the barrier is there: `explicit`, `workshare`, `parallel`, `teams`, `implementation` or
    /// `unspecified`.
    kind: &'static str,
    /// Kind of the worksharing construct that it ends; null if it ends none, or if the runtime did
    /// not tell.
    ends: Option<&'static str>,
    /// Times a thread passed it.
    passes: u64,
    /// Sum over threads of the wait, without tasks executed in it, ns: the three parts below.
    wait_ns: u64,
    /// Part of the wait until the last thread arrived, ns.
    imbalance_ns: u64,
    /// Part of the wait after the last thread arrived, ns.
    cost_ns: u64,
    /// Part of the wait during which tasks were under way, none of them ready, ns.
    starved_ns: u64,
}

impl Barrier {
    pub(super) fn new(barrier: &summary::Barrier, places: &mut Places<'_>) -> Self {
        let (region, site) = (places.id_of(barrier.region), places.id_of(barrier.site));
        let kind = barrier.kind.name();
        Self {
            id: places.id(&["barrier", &region, &site, kind]),
            place: places.place(barrier.site),
            region: places.place(barrier.region),
            kind,
            ends: barrier.ends.map(|work| work.name()),
            passes: barrier.passes,
            wait_ns: barrier.wait_ns,
            imbalance_ns: barrier.imbalance_ns,
            cost_ns: barrier.cost_ns,
            starved_ns: barrier.starved_ns,
        }
    }
}

/// A barrier at which threads waited when the recording ended, since not all threads of their team
/// had reached it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Unreached {
    /// Identifies the row, in every run of the same binary.
    id: String,
    /// The barrier; null for that at the end of the region, or if the runtime did not tell.
    place: Option<Place>,
    /// The region; null if unknown.
    region: Option<Place>,
    /// How many threads waited.
    waiting: u32,
    /// Sum of their waits until the end of the recording, ns.
    time_ns: u64,
    /// How many threads of the team had ended in the region.
    ended: u32,
}

impl Unreached {
    pub(super) fn new(barrier: &summary::Unreached, places: &mut Places<'_>) -> Self {
        let (region, site) = (places.id_of(barrier.region), places.id_of(barrier.site));
        Self {
            id: places.id(&["unreached", &region, &site]),
            place: places.place(barrier.site),
            region: places.place(barrier.region),
            waiting: barrier.waiting,
            time_ns: barrier.time_ns,
            ended: barrier.ended,
        }
    }
}

/// Mutual exclusion as asked for at one place.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Lock {
    /// Identifies the row, in every run of the same binary.
    id: String,
    /// Where the waiting threads asked for it; null if the runtime did not tell.
    place: Option<Place>,
    /// Kind of mutual exclusion: `lock`, `nest lock`, `critical`, `atomic`, `ordered` or `mutex`.
    kind: &'static str,
    /// Distinct locks that were asked for at the place.
    locks: u64,
    /// Acquisitions at the place, over all threads.
    acquisitions: u64,
    /// Acquisitions during whose wait another thread held the lock.
    contended: u64,
    /// Sum over threads of the waits, ns: that of `holders`, `handoff_ns` and `unattributed_ns`.
    wait_ns: u64,
    /// The longest wait, ns.
    max_wait_ns: u64,
    /// Sum of the holds acquired at the place, ns.
    hold_ns: u64,
    /// The longest hold, ns.
    max_hold_ns: u64,
    /// The places whose holds overlapped the waits, by time, largest first.
    holders: Vec<Holder>,
    /// Part of the wait in which no thread held the lock, ns: the hand-off, and the call itself.
    handoff_ns: u64,
    /// Part of the wait whose holder is not known, ns.
    unattributed_ns: u64,
    /// Of the acquisitions, those that were only counted, since they came too fast to be timed
    /// each: the times are estimated from the others, the longest ones are those of the others.
    counted: u64,
    /// Standard error of `wait_ns` because of that, ns.
    wait_error_ns: u64,
    /// Standard error of `hold_ns` because of that, ns.
    hold_error_ns: u64,
    /// Tests of the lock at the place that failed (`omp_test_lock`), as far as the thread tested it
    /// again directly afterwards: a number.
    failed: u64,
    /// Sum of the times from the first of such tests to the last one in a row, ns.
    tested_ns: u64,
    /// The part of it in which threads spin and can do nothing else, ns: it is in the class of
    /// locks. 0 where there is more between two tests.
    spin_ns: u64,
    /// What the waits here cost in wall time, ns: where `bounds.hold`, an upper bound of what could
    /// be won if no thread waited here.
    gain_ns: u64,
}

/// The part of the waits that the holds of one place caused.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Holder {
    /// Where the holder had acquired the lock; null if the runtime did not tell.
    place: Option<Place>,
    /// Sum of the waits that fell into its holds, ns.
    blame_ns: u64,
}

impl Lock {
    pub(super) fn new(mutex: &summary::Mutex, places: &mut Places<'_>) -> Self {
        let site = places.id_of(mutex.site);
        let holders = mutex
            .holders
            .iter()
            .map(|holder| Holder { place: places.place(holder.site), blame_ns: holder.blame_ns });
        let holders = holders.collect();
        Self {
            id: places.id(&["lock", &site, mutex.kind.name()]),
            place: places.place(mutex.site),
            kind: mutex.kind.name(),
            locks: mutex.locks,
            acquisitions: mutex.acquisitions,
            contended: mutex.contended,
            wait_ns: mutex.wait_ns,
            max_wait_ns: mutex.max_wait_ns,
            hold_ns: mutex.hold_ns,
            max_hold_ns: mutex.max_hold_ns,
            holders,
            handoff_ns: mutex.handoff_ns,
            unattributed_ns: mutex.unattributed_ns,
            counted: mutex.counted,
            wait_error_ns: mutex.wait_error_ns,
            hold_error_ns: mutex.hold_error_ns,
            failed: mutex.failed,
            tested_ns: mutex.tested_ns,
            spin_ns: mutex.spin_ns,
            gain_ns: mutex.gain_ns,
        }
    }
}

/// Code that an initial thread executed outside every region, named by its surroundings.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Serial {
    /// Identifies the row, in every run of the same binary.
    id: String,
    /// The region that ended before it; null at the start of the thread.
    after: Option<Place>,
    /// The region that began after it; null at the end of the thread.
    before: Option<Place>,
    /// How often a thread went from the one region to the other.
    count: u64,
    /// Sum of these stretches, ns.
    total_ns: u64,
    /// The longest of them, ns.
    max_ns: u64,
    /// The part of them in which the thread did not compute but waited, ns; a lower bound.
    waited_ns: u64,
    /// The time that it would take less, without what it waited for, if it were divided among all
    /// threads, ns: where `bounds.hold`, an upper bound of what running it in parallel could win.
    gain_ns: u64,
}

impl Serial {
    pub(super) fn new(stretch: &summary::SerialStretch, places: &mut Places<'_>) -> Self {
        let end = |site| match site {
            Some(_) => places.id_of(site),
            None => "end".to_owned(),
        };
        let (after, before) = (end(stretch.after), end(stretch.before));
        Self {
            id: places.id(&["serial", &after, &before]),
            after: places.place(stretch.after),
            before: places.place(stretch.before),
            count: stretch.count,
            total_ns: stretch.total_ns,
            max_ns: stretch.max_ns,
            waited_ns: stretch.waited_ns,
            gain_ns: stretch.gain_ns,
        }
    }
}
