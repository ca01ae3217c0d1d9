//! What a thread waits for.

use super::{RegionId, TaskId, ThreadId};

/// What a thread waits for, and who has to act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// A mutex.
    Mutex(Mutex),
    /// A barrier of its team.
    Barrier {
        /// The team.
        region: RegionId,
        /// The construct that has the barrier.
        construct: Construct,
        /// The members that have not arrived.
        missing: Vec<Member>,
        /// The tasks of the team that are not complete; the barrier waits for them, too.
        tasks: Vec<TaskId>,
    },
    /// The end of a thread (`pthread_join`).
    End {
        /// The thread.
        of: ThreadId,
    },
    /// The end of tasks.
    Tasks {
        /// The construct that waits.
        construct: TaskConstruct,
        /// The tasks that are not complete.
        tasks: Vec<TaskId>,
    },
    /// Its turn in an ordered region, or an iteration that another thread posts.
    Turn {
        /// The construct, for people: "for its turn in the ordered region", "for iteration 3".
        what: String,
        /// The thread that has the turn, or will post.
        turn: Turn,
        /// Whether the memory does not tell that the wait is over: the thread may sleep on after
        /// another one has posted, until it looks again.
        is_polled: bool,
    },
    /// Something that this version does not know; described for people behind the word "waits".
    Other(String),
}

/// A mutex for which a thread waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutex {
    /// The construct or routine.
    pub kind: MutexKind,
    /// Its address; the wait id.
    pub address: u64,
    /// The name of the variable, where a symbol table has it.
    pub name: Option<String>,
    /// The holder.
    pub owner: Owner,
}

/// The construct or routine that has a mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutexKind {
    /// `omp_set_lock`.
    Lock,
    /// `omp_set_nest_lock`.
    NestLock,
    /// `critical`.
    Critical,
    /// `atomic`, by a mutex of the runtime.
    Atomic,
    /// The end of a reduction, by a mutex of the runtime.
    Reduction,
    /// `pthread_mutex_lock`, also that of `std::mutex` and `mtx_lock`.
    Pthread,
    /// `pthread_rwlock_rdlock` and `pthread_rwlock_wrlock`, while a thread writes.
    ReaderWriter,
}

/// The holder of a mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// This thread.
    Thread(ThreadId),
    /// A thread that has ended.
    Ended,
    /// A thread that could not be found: it may have ended.
    NotFound,
    /// No thread: the waiting one is about to take it.
    Free,
    /// The mutex is destroyed, or was never initialized.
    Unsound,
    /// It could not be read.
    Unknown,
}

/// A member of a team that a barrier misses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its number in the team.
    pub number: u64,
    /// Its thread, where it is known and has not ended.
    pub thread: Option<ThreadId>,
    /// Whether it never arrives, since its thread has ended.
    pub has_ended: bool,
}

/// The construct that has a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Construct {
    /// `barrier`.
    Barrier,
    /// The end of a parallel region.
    Parallel,
    /// The end of a worksharing construct.
    Worksharing,
    /// The end of a teams region.
    Teams,
    /// The combination of the partial results of a reduction.
    Reduction,
    /// One of those, unknown.
    Other,
}

/// A construct that waits for tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskConstruct {
    /// `taskwait`, without or with dependences, or an undeferred task with dependences.
    Taskwait,
    /// The end of a `taskgroup`, or of a `taskloop`.
    Taskgroup,
    /// The predecessors of an undeferred task, or of a taskwait with dependences.
    Undeferred,
}

/// The thread that acts next where threads take turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// One of these threads: the one that has the turn, or those that may execute the iteration.
    OneOf(Vec<ThreadId>),
    /// No thread will act: every iteration that could is over.
    Nobody,
    /// It could not be found.
    Unknown,
}
