//! Threads in the document, and the classes of their time.

use oxomp_analysis::summary::{self, Class};
use serde::Serialize;

/// A thread that OpenMP knew.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Thread {
    /// Number of the thread in the order of appearance, from 0.
    number: u32,
    /// The system's thread id; 0 if the thread's begin was not recorded.
    tid: u32,
    /// True for an initial thread: the program's first, or a foreign one that met OpenMP.
    initial: bool,
    /// First event of the thread, ns since the start of the process.
    begin_ns: u64,
    /// End of the thread or of the recording, ns since the start of the process.
    end_ns: u64,
    /// The thread's time by class, ns; the classes sum to `end_ns - begin_ns`.
    classes: Classes,
}

impl Thread {
    pub(super) fn new(thread: &summary::Thread) -> Self {
        Self {
            number: thread.number,
            tid: thread.tid,
            initial: thread.initial,
            begin_ns: thread.begin_ns,
            end_ns: thread.end_ns,
            classes: Classes::new(&thread.by_class),
        }
    }
}

/// Time by class. The classes do not overlap.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Classes {
    /// User code inside a parallel region, tasks included, ns.
    useful_ns: u64,
    /// User code of an initial thread outside every region, ns.
    serial_ns: u64,
    /// An initial thread outside every region that neither computed nor lacked a processor: it
    /// waited for input, a child or another thread, ns.
    serial_wait_ns: u64,
    /// User code inside a parallel region that neither computed nor lacked a processor: it waited
    /// in a system call, or for a page of memory, ns.
    blocked_ns: u64,
    /// Waiting at a barrier for threads that had not arrived yet, ns.
    imbalance_ns: u64,
    /// At a barrier that all threads had reached: its own cost, ns.
    barrier_ns: u64,
    /// Waiting for a lock, critical, ordered or atomic, or for another iteration (doacross), ns.
    mutex_ns: u64,
    /// Waiting in taskwait or at the end of a taskgroup, ns.
    taskwait_ns: u64,
    /// At a barrier while tasks were under way, none of them ready for the thread, ns.
    starved_ns: u64,
    /// Handing out chunks of loops, ns.
    dispatch_ns: u64,
    /// User code without a processor, and waiting at the end of regions for such a thread, ns.
    scheduler_ns: u64,
    /// Starting and ending regions, ns.
    fork_join_ns: u64,
    /// A worker without work while no region ran at all, ns.
    serial_idle_ns: u64,
    /// A worker without work while a region ran to which it did not belong, ns.
    spare_idle_ns: u64,
    /// The program had paused the recording, ns.
    paused_ns: u64,
}

impl Classes {
    pub(super) fn new(by_class: &[u64; Class::COUNT]) -> Self {
        let of = |class: Class| by_class[class as usize];
        Self {
            useful_ns: of(Class::Useful),
            serial_ns: of(Class::Serial),
            serial_wait_ns: of(Class::SerialWait),
            blocked_ns: of(Class::Blocked),
            imbalance_ns: of(Class::Imbalance),
            barrier_ns: of(Class::Barrier),
            mutex_ns: of(Class::Mutex),
            taskwait_ns: of(Class::Taskwait),
            starved_ns: of(Class::Starved),
            dispatch_ns: of(Class::Dispatch),
            scheduler_ns: of(Class::Scheduler),
            fork_join_ns: of(Class::ForkJoin),
            serial_idle_ns: of(Class::SerialIdle),
            spare_idle_ns: of(Class::SpareIdle),
            paused_ns: of(Class::Paused),
        }
    }
}
