//! Dependent tasks are queued nowhere while they wait, so that no full deque stops the thread that
//! makes them. Past a number of unfinished children it helps before it makes more.

use smallvec::SmallVec;

use super::scheduler;
use super::state::depend::table::MostChildren;
use crate::block::{Team, Thread};
use crate::os;
use crate::settings;

/// Processor time that each thread with a task gets to complete a child before the generating
/// thread goes on: the children may wait for what that does next, as in the test
/// task/slow_predecessor.c.
const FAIR_SHARE_NS: u64 = 1_000_000;
/// The same where no thread has a task: the children wait for events.
const LONGEST_FOR_NOBODY_NS: u64 = 1_000_000;
/// The same where a thread with a task uses no processor: one that sleeps in its task cannot be told
/// from one that has lost its processor, but for a program that needs both so long.
const LONGEST_NS: u64 = 100_000_000;
/// What the time between two looks counts at most: a generating thread that has lost its own
/// processor has not waited meanwhile.
const LONGEST_LOOK_NS: u64 = 1_000_000;
/// Time between looks at other threads' clocks, which are system calls.
const BETWEEN_CLOCKS_NS: u64 = 200_000;

/// Called when the current task has made a task that cannot run yet (`memory`: 200,000 dependent
/// tasks in 2 MB).
#[inline(always)]
pub(super) fn throttle(thread: &'static Thread) {
    if thread.team().size() == 1 {
        // Nobody else runs tasks, so those that are there wait for what this one does next.
        return;
    }
    let task = thread.task();
    if let Some(most) = task.most_children()
        && task.children.pending() > most.get()
        && settings::throttles_tasks()
    {
        catch_up(thread, most);
    }
}

/// Helps until half of the `most` children are left. If that leads nowhere, twice as many may be
/// there before the next try.
#[cold]
fn catch_up(thread: &'static Thread, most: MostChildren) {
    let task = thread.task();
    let enough = most.get() / 2;
    let mut stall = Stall::new(thread.team(), thread.implicit_task().thread_num());
    scheduler::run_while(thread, || {
        let pending = task.children.pending();
        pending > enough && !stall.is_hopeless(pending)
    });
    let pending = task.children.pending();
    let next = match pending > enough {
        true => MostChildren::new(pending.saturating_mul(2)),
        false => MostChildren::default(),
    };
    task.set_most_children(next);
}

/// The time in which no child was completed. README.md beside this file, When the generating task goes on.
struct Stall {
    team: &'static Team,
    thread_num: u32,
    /// The fewest unfinished children so far.
    least: u32,
    last_look: u64,
    waited: u64,
    /// `waited` at the next look at clocks.
    next_clocks: u64,
    /// The other threads that have been seen with a task.
    others: SmallVec<[Other; 8]>,
}

/// A thread with a task.
struct Other {
    thread_num: u32,
    lwp: i32,
    /// Its processor time when it was first seen.
    used: u64,
}

impl Stall {
    fn new(team: &'static Team, thread_num: u32) -> Self {
        let least = u32::MAX;
        Stall {
            team,
            thread_num,
            least,
            last_look: 0,
            waited: 0,
            next_clocks: 0,
            others: SmallVec::new(),
        }
    }

    /// Whether to give up. `pending` children are unfinished.
    fn is_hopeless(&mut self, pending: u32) -> bool {
        let now = os::monotonic_ns();
        let since = (now - self.last_look).min(LONGEST_LOOK_NS);
        self.last_look = now;
        if pending < self.least {
            self.least = pending;
            self.waited = 0;
            self.next_clocks = BETWEEN_CLOCKS_NS;
            self.others.clear();
            return false;
        }
        self.waited += since;
        if self.waited < self.next_clocks {
            return false;
        }
        self.next_clocks = self.waited + BETWEEN_CLOCKS_NS;
        self.waited >= LONGEST_NS
            || self.others_had_their_share() && self.waited >= LONGEST_FOR_NOBODY_NS
    }

    /// Whether every other thread that has a task has had its share of processor time since it was
    /// first seen with one.
    fn others_had_their_share(&mut self) -> bool {
        let (team, me) = (self.team, self.thread_num);
        let executor = |thread_num| team.workbench(thread_num).executor.lwp();
        for thread_num in (0..team.size()).filter(|thread_num| *thread_num != me) {
            if let Some(lwp) = executor(thread_num)
                && !self.others.iter().any(|other| other.lwp == lwp)
                && let Some(used) = os::processor_ns(lwp)
            {
                self.others.push(Other { thread_num, lwp, used });
            }
        }
        self.others.iter().all(|other| {
            // A thread that has its task behind it waits as the generating thread does.
            executor(other.thread_num) != Some(other.lwp)
                || os::processor_ns(other.lwp).is_none_or(|now| now - other.used >= FAIR_SHARE_NS)
        })
    }
}
