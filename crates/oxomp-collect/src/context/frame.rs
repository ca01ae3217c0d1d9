//! A thread's part in a region.

use crate::beside::Outside;
use crate::mode::MODE;
use crate::tasks::Node;
use crate::team::{Around, Region, Team};
use crate::wait_class::WAIT_CLASSES;

/// A thread's part in a region, or a region that it has begun.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RegionFrame {
    /// The team, which the primary thread owns.
    pub(crate) team: &'static Team,
    /// The region's number, code address and begin, copied from the team.
    pub(crate) region: Region,
    pub(crate) short: bool,
    pub(crate) outer_threads: u64,
    pub(crate) outermost: u64,
    pub(crate) primary: bool,
    /// When the thread's implicit task began; 0: not yet.
    pub(crate) begin: u64,
    /// The ticks of all pauses of the recording before the region, or the thread's part in it.
    pub(crate) paused: u64,
    /// When the thread arrived at the region's end; 0: not yet.
    pub(crate) arrival: u64,
    /// The primary thread's end of the last barrier; 0: not yet.
    pub(crate) release: u64,
    /// The thread's number in the team, and the team's threads.
    pub(crate) index: u32,
    pub(crate) size: u32,
    /// Barriers met inside, and whether the thread is in the last of them.
    pub(crate) barriers: u32,
    pub(crate) in_barrier: bool,
    /// When the last arrival was at the barrier before; the region's begin before the first.
    pub(crate) phase: u64,
    /// Waits for locks since that barrier.
    pub(crate) locks: u64,
    /// On the primary thread: by how much sooner the team would have reached the barriers inside
    /// without waits for locks.
    pub(crate) lock_gain: u64,
    /// The part of the thread's user code in the region in which it did not compute: it was
    /// blocked, or lacked a processor.
    pub(crate) uncomputed: u64,
    /// Waits since the begin.
    pub(crate) inner: [u64; WAIT_CLASSES],
    /// The part of [`Self::inner`], and the time of regions inside, since `mark`, when the thread's
    /// time was added up last.
    pub(crate) waited: u64,
    pub(crate) mark: u64,
    /// What the thread is in around the region.
    pub(crate) outside: Outside,
    /// Tasks executed after the arrival, ticks.
    pub(crate) tail_tasks: u64,
    /// Of [`RegionFrame::tail_tasks`], the waits of the task that runs.
    pub(crate) tail_waits: u64,
    /// Of [`RegionFrame::tail_tasks`], the regions that the task that runs has executed.
    pub(crate) tail_regions: u64,
    /// The implicit task's node, once it has created a task.
    pub(crate) node: Option<&'static Node>,
    /// The initial tasks of target constructs that the thread is in, directly in this region, and
    /// the task around them.
    pub(crate) initial_tasks: u32,
    pub(crate) interrupted: Option<&'static Node>,
}

impl RegionFrame {
    /// The thread's part in the region of `team`. The part begins at `begin`; 0: only the region
    /// begins.
    pub(crate) fn new(team: &'static Team, begin: u64, paused: u64, outside: Outside) -> Self {
        let region = team.region();
        Self {
            team,
            region,
            short: team.is_short(),
            outer_threads: team.outer_threads(),
            outermost: team.outermost(),
            primary: false,
            begin,
            paused,
            arrival: 0,
            release: 0,
            index: 0,
            size: 0,
            barriers: 0,
            in_barrier: false,
            phase: region.begin,
            locks: 0,
            lock_gain: 0,
            uncomputed: 0,
            inner: [0; WAIT_CLASSES],
            waited: 0,
            mark: begin,
            outside,
            tail_tasks: 0,
            tail_waits: 0,
            tail_regions: 0,
            node: None,
            initial_tasks: 0,
            interrupted: None,
        }
    }

    /// The barrier that ends the present phase of the thread, by its number in the region.
    #[inline]
    pub(crate) fn present_phase(&self) -> u32 {
        self.barriers.wrapping_sub(u32::from(self.in_barrier))
    }

    /// What is around a region inside this one.
    pub(crate) fn around(&self) -> Around {
        let threads = self.outer_threads * u64::from(self.size.max(1));
        Around { threads, outermost: self.outermost }
    }

    /// The tick of an event at `now`, if the recording had not been paused in the region. So the
    /// time of a pause in a region follows the region: readers take pauses out of the time outside
    /// regions.
    #[inline]
    pub(crate) fn without_pauses(&self, now: u64) -> u64 {
        now.saturating_sub(MODE.paused_until(now).saturating_sub(self.paused))
    }
}

/// A worker's last region.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Last {
    pub(crate) team: &'static Team,
    pub(crate) id: u64,
    pub(crate) arrival: u64,
    pub(crate) tail_tasks: u64,
    pub(crate) short: bool,
}
