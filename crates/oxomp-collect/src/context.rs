//! A thread's nested activities, and the sums of its waits.
//!
//! They are kept for every thread from its begin to its end, whether its events are recorded
//! besides or not.

use crate::beside::Outside;
use crate::fold::{CountedRegion, MemberCounts, Tested};
use crate::holds::{Seen, Ticket};
use crate::mode::MODE;
use crate::tasks::Node;
use crate::team::{Around, Region, Team};
use crate::turns::Turns;
use crate::wait_class::WAIT_CLASSES;

/// The most regions and worksharing constructs that a thread can be in at once, and mutexes that it
/// can hold.
const DEPTH: usize = 16;
/// The most waits and tasks inside each other: tasks that recurse nest deeply.
const WAITS: usize = 256;

/// A thread's part in a region, or a region that it has begun.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RegionFrame {
    /// The team, which the primary thread owns.
    pub(crate) team: &'static Team,
    /// Copies of the team's.
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
    /// Of the primary thread: by how much sooner the barriers inside would have been reached
    /// without waits for locks.
    pub(crate) lock_gain: u64,
    /// What the thread did not compute of its user code in the region: it was blocked, or lacked a
    /// processor.
    pub(crate) uncomputed: u64,
    /// Waits since the begin.
    pub(crate) inner: [u64; WAIT_CLASSES],
    /// The part of [`Self::inner`], and the time of regions inside, since the thread's time was
    /// added up last, which was at `mark`.
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
    /// The thread's part in the region of `team`, which begins at `begin`; 0: only the region does.
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

/// A wait, or a task inside one.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wait {
    /// `tasks`: ticks of the tasks executed in it.
    Barrier {
        begin: u64,
        tasks: u64,
        phase: u32,
    },
    Taskwait {
        begin: u64,
        tasks: u64,
    },
    Task {
        begin: u64,
    },
}

/// The initial tasks that a thread is in: of leagues, and of target regions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InitialTasks {
    /// A bit for each, the innermost the lowest: it is a league's.
    of_leagues: u64,
}

impl InitialTasks {
    pub(crate) const NONE: Self = Self { of_leagues: 0 };

    /// An initial task begins.
    pub(crate) fn begin(&mut self, of_league: bool) {
        self.of_leagues = self.of_leagues << 1 | u64::from(of_league);
    }

    /// The innermost one ends: whether it is a league's. The thread's own has no bit.
    pub(crate) fn end(&mut self) -> bool {
        let of_league = self.of_leagues & 1 != 0;
        self.of_leagues >>= 1;
        of_league
    }
}

/// A worksharing construct, or a taskloop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Work {
    /// OMPT's work type.
    pub(crate) kind: u8,
    /// Iterations, as the runtime told at its begin.
    pub(crate) iterations: u64,
}

impl Work {
    /// OMPT's work type of a single region, for the thread that executes it.
    pub(crate) const SINGLE_EXECUTOR: u8 = 3;
}

/// A request for a mutex.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) id: u64,
    /// 0: the clock is not read yet.
    pub(crate) tick: u64,
    /// The ticks of all pauses of the recording until then.
    pub(crate) paused: u64,
    pub(crate) code: u64,
    pub(crate) kind: u8,
    /// For how many acquisitions this one stands.
    pub(crate) weight: u64,
    pub(crate) seen: Option<Seen>,
}

/// A request for a mutex that is only counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counting {
    /// 0: there is none.
    pub(crate) id: u64,
    pub(crate) code: u64,
    pub(crate) slot: u32,
    pub(crate) kind: u8,
}

impl Counting {
    pub(crate) const NOTHING: Self = Self { id: 0, code: 0, slot: 0, kind: 0 };
}

/// A mutex that is held since an acquisition that was only counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedHold {
    pub(crate) id: u64,
    pub(crate) ticket: Ticket,
}

/// A mutex that is held.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held {
    pub(crate) id: u64,
    pub(crate) code: u64,
    /// The code address of the region in which it was acquired.
    pub(crate) region: u64,
    pub(crate) kind: u8,
    /// For how many holds this one stands.
    pub(crate) weight: u64,
    pub(crate) since: u64,
    pub(crate) ticket: Option<Ticket>,
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

/// A small stack that counts the items for which it has no room, rather than grow.
#[derive(Debug)]
pub(crate) struct Stack<T, const N: usize> {
    items: [Option<T>; N],
    depth: usize,
    /// How many items were pushed above the others without room.
    missed: usize,
}

impl<T: Copy, const N: usize> Stack<T, N> {
    const fn new() -> Self {
        Self { items: [None; N], depth: 0, missed: 0 }
    }

    /// False if there is no room.
    #[inline]
    pub(crate) fn push(&mut self, item: T) -> bool {
        match self.items.get_mut(self.depth) {
            Some(place) if self.missed == 0 => {
                *place = Some(item);
                self.depth += 1;
                true
            }
            _ => {
                self.missed += 1;
                false
            }
        }
    }

    /// Removes the topmost item if it is one that had no room.
    #[inline]
    pub(crate) fn pop_missed(&mut self) -> bool {
        let missed = self.missed > 0;
        self.missed -= usize::from(missed);
        missed
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<T> {
        self.depth = self.depth.checked_sub(1)?;
        self.items[self.depth].take()
    }

    /// Removes the topmost item, if there is one.
    #[inline]
    pub(crate) fn discard(&mut self) {
        if let Some(depth) = self.depth.checked_sub(1) {
            self.depth = depth;
            self.items[depth] = None;
        }
    }

    #[inline]
    pub(crate) fn top(&mut self) -> Option<&mut T> {
        self.items[self.depth.checked_sub(1)?].as_mut()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.depth == 0
    }

    /// Whether a further item has room.
    pub(crate) fn has_room(&self) -> bool {
        self.missed == 0 && self.depth < N
    }

    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Removes the topmost item that `matches`: most often the topmost of all.
    #[inline]
    pub(crate) fn take(&mut self, matches: impl Fn(&T) -> bool) -> Option<T> {
        match self.top() {
            Some(top) if matches(top) => self.pop(),
            _ => self.take_below(matches),
        }
    }

    #[cold]
    fn take_below(&mut self, matches: impl Fn(&T) -> bool) -> Option<T> {
        let index = self.items[..self.depth]
            .iter()
            .rposition(|item| item.as_ref().is_some_and(&matches))?;
        self.items[index..self.depth].rotate_left(1);
        self.pop()
    }

    /// Removes the topmost item that `matches`, and those above it, which have ended with it.
    pub(crate) fn take_with_inner(&mut self, matches: impl Fn(&T) -> bool) -> Option<T> {
        let mut items = self.items[..self.depth].iter();
        let index = items.rposition(|item| item.as_ref().is_some_and(&matches))?;
        while self.depth > index + 1 {
            self.discard();
        }
        self.pop()
    }

    /// Removes all items.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.missed = 0;
        while self.depth > 0 {
            self.discard();
        }
    }

    /// The items, topmost last.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.items[..self.depth].iter().flatten()
    }
}

/// The activities of one thread, and the sums of its waits.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) regions: Stack<RegionFrame, DEPTH>,
    pub(crate) waits: Stack<Wait, WAITS>,
    pub(crate) asked: Option<Asked>,
    pub(crate) held: Stack<Held, DEPTH>,
    pub(crate) counting: Counting,
    pub(crate) counted_holds: Stack<CountedHold, DEPTH>,
    /// The thread's last tests of a lock.
    pub(crate) tested: Tested,
    pub(crate) initial: bool,
    /// The thread's events are not recorded at present; its stream says so.
    pub(crate) events_ended: bool,
    /// The thread's time when its events ended: that of [`thread`], and of short regions.
    pub(crate) time_told: [[u64; 12]; 2],
    /// Which short regions are timed.
    pub(crate) turns: Turns,
    /// Which acquisitions of mutexes are timed: those of mutexes that seem free, and that seem
    /// held; the same in regions that are only counted.
    pub(crate) lock_turns: [Turns; 4],
    /// The shortest wait for a mutex among those that stand for others.
    pub(crate) least_wait: u64,
    /// Ticks of waits for locks that stand for others, and for which too little time has passed.
    pub(crate) owed: u64,
    /// The region that this thread has begun and that is only counted.
    pub(crate) counted: Option<CountedRegion>,
    /// The team of the region that is only counted and in which the thread is.
    pub(crate) member_of: Option<&'static Team>,
    /// A worker's regions that were only counted.
    pub(crate) member_counts: MemberCounts,
    /// Regions inside folded ones, or in a pause, that this thread has begun, and implicit tasks in
    /// such.
    pub(crate) hidden_regions: u32,
    pub(crate) hidden_tasks: u32,
    /// The ticks of all pauses of the recording, as far as the thread has seen them.
    pub(crate) paused: u64,
    /// A worker's last region.
    pub(crate) last: Option<Last>,
    /// The begin of the time that is in no sum yet: an initial thread's serial time, a worker's
    /// idle time before its first region.
    pub(crate) since: u64,
    /// The ticks of all pauses of the recording before that.
    pub(crate) since_paused: u64,
    /// The region before the serial time.
    pub(crate) after: u64,
    /// Waits outside every region.
    pub(crate) loose: u64,
    /// The worksharing constructs that the thread is in.
    pub(crate) works: Stack<Work, DEPTH>,
    /// The number of the thread's team in the league whose initial task it executes; 0 without one.
    pub(crate) team_num: u32,
    /// OMPT's work type of the last worksharing construct of the implicit task; 0: it had none.
    pub(crate) last_work: u8,
}

impl Context {
    pub(crate) const fn new() -> Self {
        Self {
            regions: Stack::new(),
            waits: Stack::new(),
            asked: None,
            held: Stack::new(),
            counting: Counting::NOTHING,
            counted_holds: Stack::new(),
            tested: Tested::NOTHING,
            initial: false,
            events_ended: false,
            time_told: [[0; 12]; 2],
            turns: Turns::NEW,
            lock_turns: [Turns::NEW; 4],
            least_wait: u64::MAX,
            owed: 0,
            counted: None,
            member_of: None,
            member_counts: MemberCounts::NONE,
            hidden_regions: 0,
            hidden_tasks: 0,
            paused: 0,
            last: None,
            since: 0,
            since_paused: 0,
            after: 0,
            loose: 0,
            works: Stack::new(),
            team_num: 0,
            last_work: 0,
        }
    }

    /// Empties the stacks of waits and holds.
    #[cold]
    pub(crate) fn forget_waits(&mut self) {
        self.waits = Stack::new();
        self.asked = None;
        self.held = Stack::new();
        self.counting = Counting::NOTHING;
        self.counted_holds = Stack::new();
    }
}

#[cfg(test)]
mod tests {
    use super::InitialTasks;

    #[test]
    fn initial_tasks_end_in_the_reverse_order() {
        let mut tasks = InitialTasks::NONE;
        tasks.begin(true);
        tasks.begin(false);
        tasks.begin(true);
        assert_eq!([tasks.end(), tasks.end(), tasks.end()], [true, false, true]);
        assert!(!tasks.end(), "that of the thread itself");
    }
}
