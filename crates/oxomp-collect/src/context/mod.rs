//! A thread's nested activities, and the sums of its waits.
//!
//! They are kept for every thread from its begin to its end, whether its events are recorded
//! besides or not.

mod frame;
mod initial_tasks;
mod mutexes;
mod stack;

use stack::Stack;

use crate::fold::{CountedRegion, MemberCounts, Tested};
use crate::team::Team;
use crate::turns::Turns;

pub(crate) use frame::{Last, RegionFrame};
pub(crate) use initial_tasks::InitialTasks;
pub(crate) use mutexes::{Asked, CountedHold, Counting, Held};

/// The most regions and worksharing constructs that a thread can be in at once, and mutexes that it
/// can hold.
const DEPTH: usize = 16;
/// The most waits and tasks inside each other: tasks that recurse nest deeply.
const WAITS: usize = 256;

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

/// The activities of one thread, and the sums of its waits.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) regions: Stack<RegionFrame, DEPTH>,
    pub(crate) waits: Stack<Wait, WAITS>,
    /// The topmost of these, or one below, is a task that was under way when the recording began.
    pub(crate) is_in_task_under_way: bool,
    pub(crate) asked: Option<Asked>,
    pub(crate) held: Stack<Held, DEPTH>,
    pub(crate) counting: Counting,
    pub(crate) counted_holds: Stack<CountedHold, DEPTH>,
    /// The thread's last tests of a lock.
    pub(crate) tested: Tested,
    pub(crate) initial: bool,
    /// The thread's events are not recorded at present; its stream says so.
    pub(crate) events_ended: bool,
    /// The number of the window in which the thread has begun to record events.
    pub(crate) window: u16,
    /// Whether it is to begin anew with its next outermost region, of the last seconds: it has
    /// taken another chunk since it has begun, and the one before may be given back.
    pub(crate) has_turned: bool,
    /// The thread's time when its events ended: that of [`oxomp_trace::fold::thread`], and of short
    /// regions.
    pub(crate) time_told: [[u64; 12]; 2],
    /// Which short regions are timed.
    pub(crate) turns: Turns,
    /// Which acquisitions of mutexes are timed: turns for mutexes that seem free, for mutexes that
    /// seem held, and the same two in regions that are only counted.
    pub(crate) lock_turns: [Turns; 4],
    /// The shortest wait for a mutex among those that stand for others.
    pub(crate) least_wait: u64,
    /// Ticks of waits for locks that stand for others, as far as they exceed the time that has
    /// passed.
    pub(crate) owed: u64,
    /// The region that this thread has begun and that is only counted.
    pub(crate) counted: Option<CountedRegion>,
    /// The team of the region that is only counted and in which the thread is.
    pub(crate) member_of: Option<&'static Team>,
    /// A worker's regions that were only counted.
    pub(crate) member_counts: MemberCounts,
    /// Regions that this thread has begun inside folded ones, or in a pause, and its implicit tasks
    /// in such regions.
    pub(crate) hidden_regions: u32,
    pub(crate) hidden_tasks: u32,
    /// The ticks of all pauses of the recording, as far as the thread has seen them.
    pub(crate) paused: u64,
    /// A worker's last region.
    pub(crate) last: Option<Last>,
    /// The begin of the time that is in no sum yet: an initial thread's serial time, a worker's
    /// idle time before its first region.
    pub(crate) since: u64,
    /// The ticks of all pauses of the recording before `since`.
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
            is_in_task_under_way: false,
            asked: None,
            held: Stack::new(),
            counting: Counting::NOTHING,
            counted_holds: Stack::new(),
            tested: Tested::NOTHING,
            initial: false,
            events_ended: false,
            window: 0,
            has_turned: false,
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
        self.is_in_task_under_way = false;
        self.asked = None;
        self.held = Stack::new();
        self.counting = Counting::NOTHING;
        self.counted_holds = Stack::new();
    }
}
