//! The limit on dependent tasks. They are in no queue while they wait, so no full deque stops the
//! thread that generates them. Instead a thread whose task has many unfinished children executes
//! tasks before it generates more.

use oxomp_base::{os, settings};
use smallvec::SmallVec;

use super::scheduler;
use super::state::depend::table::MostChildren;
use crate::block::{Team, Thread};
use crate::ompt::event::State;

/// The processor time in which each thread with a task may complete a child before the generating
/// thread goes on: the children may wait for the next action of that thread, as in the test
/// task/slow_predecessor.c.
const FAIR_SHARE_NS: u64 = 1_000_000;
/// The time without a completed child after which the generating thread goes on if no other thread
/// has a task: then the children wait for events.
const LONGEST_FOR_NOBODY_NS: u64 = 1_000_000;
/// The time without a completed child after which the generating thread goes on in any case: a
/// thread with a task that uses no processor may have lost it, or it may sleep in its task until
/// the generating thread goes on, and the two cannot be told apart.
const LONGEST_NS: u64 = 100_000_000;
/// The most that the time between two checks counts: a generating thread that has lost its own
/// processor has not waited in the meantime.
const LONGEST_LOOK_NS: u64 = 1_000_000;
/// The time between two readings of other threads' clocks, each of which is a system call.
const BETWEEN_CLOCKS_NS: u64 = 200_000;

/// Called after the current task has generated a task that cannot run yet: executes tasks if too
/// many children are unfinished (`memory`: 200,000 dependent tasks in 2 MB).
#[inline(always)]
pub(super) fn throttle(thread: &'static Thread) {
    if thread.team().size() == 1 {
        // No other thread executes tasks, so the children that wait need the next action of this
        // thread.
        return;
    }
    let task = thread.task();
    if let Some(most) = task.most_children()
        && task.own_children().pending() > most.get()
        && settings::throttles_tasks()
    {
        catch_up(thread, most);
    }
}

/// Executes tasks until half of the `most` children are left. If that is hopeless, the current task
/// may generate children until twice as many are unfinished before the next attempt.
#[cold]
fn catch_up(thread: &'static Thread, most: MostChildren) {
    let task = thread.task();
    let enough = most.get() / 2;
    let mut stall = Stall::new(thread.team(), thread.implicit_task().thread_num());
    thread.ompt.in_state(State::Overhead, || {
        scheduler::run_while(thread, || {
            let pending = task.own_children().pending();
            pending > enough && !stall.is_hopeless(pending)
        });
    });
    let pending = task.own_children().pending();
    let next = match pending > enough {
        true => MostChildren::new(pending.saturating_mul(2)),
        false => MostChildren::default(),
    };
    task.set_most_children(next);
}

/// The time in which no child was completed. README.md in this folder, When the generating task
/// goes on, has the rules.
struct Stall {
    team: &'static Team,
    thread_num: u32,
    /// The fewest unfinished children so far.
    least: u32,
    last_look: u64,
    waited: u64,
    /// The value of `waited` from which the clocks are read again.
    next_clocks: u64,
    /// The other threads that were found with a task.
    others: SmallVec<[Other; 8]>,
}

/// Another thread of the team that was found with a task.
struct Other {
    thread_num: u32,
    lwp: i32,
    /// The thread's processor time when it was first found.
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

    /// Whether the generating thread should go on, with `pending` unfinished children.
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

    /// Whether each other thread that has a task has used its share of processor time since it was
    /// first found with one.
    fn others_had_their_share(&mut self) -> bool {
        let (team, me) = (self.team, self.thread_num);
        let executor = |thread_num| team.member_tasks(thread_num).executor();
        for thread_num in (0..team.size()).filter(|thread_num| *thread_num != me) {
            if let Some(lwp) = executor(thread_num)
                && !self.others.iter().any(|other| other.lwp == lwp)
                && let Some(used) = os::processor_ns(lwp)
            {
                self.others.push(Other { thread_num, lwp, used });
            }
        }
        self.others.iter().all(|other| {
            // A thread that has no task any more waits, as the generating thread does.
            executor(other.thread_num) != Some(other.lwp)
                || os::processor_ns(other.lwp).is_none_or(|now| now - other.used >= FAIR_SHARE_NS)
        })
    }
}
