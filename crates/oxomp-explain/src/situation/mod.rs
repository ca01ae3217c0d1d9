//! A stopped OpenMP process as plain data: threads, regions and tasks, what each thread does, and
//! what the waiting ones wait for.
//!
//! The snapshot fills this from the memory of a process, tests fill it by hand; graph and text know
//! nothing else.

mod label;
mod place;
mod wait;

pub use label::{Labels, list, numbered};
pub use place::{Frame, Place, file_name};
pub use wait::{Construct, Member, Mutex, MutexKind, Owner, TaskConstruct, Turn, Wait};

/// A thread of [`Situation::threads`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadId(pub usize);

/// A region of [`Situation::regions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(pub usize);

/// A task of [`Situation::tasks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub usize);

/// A stopped process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    /// Every native thread, and those that the runtime knows and that could not be found.
    pub threads: Vec<Thread>,
    /// Every region that runs; one that encloses another stands before it.
    pub regions: Vec<Region>,
    /// The explicit tasks that are known and not complete.
    pub tasks: Vec<Task>,
    /// The parts that could not be read, and what is unusual about the process, one sentence each.
    pub unread: Vec<String>,
}

/// A native thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its number in the runtime; `None` for a thread that the runtime does not know.
    pub number: Option<u64>,
    /// The kernel's id.
    pub lwp: Option<u64>,
    /// Its name in the kernel.
    pub name: String,
    /// The role of the thread.
    pub kind: ThreadKind,
    /// The innermost region of which it executes an implicit task, and its number there.
    pub member: Option<(RegionId, u64)>,
    /// What it does.
    pub activity: Activity,
    /// Whether a wait is known to last: the thread sleeps in the kernel, or has used processor time
    /// since an earlier look without leaving the wait. A thread that was stopped between the end
    /// of its wait and the note of that end looks like a waiting one, so no deadlock follows from
    /// waits that are not settled.
    pub settled: bool,
    /// The system call in which it stands, or the signal that stopped it.
    pub stands: Stands,
    /// The user's frames, innermost first.
    pub path: Vec<Frame>,
    /// The explicit tasks on its stack, innermost first.
    pub tasks: Vec<TaskId>,
}

/// The role of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadKind {
    /// A thread of the program with an initial task.
    Initial,
    /// A thread that the runtime made.
    Worker,
    /// A thread of the program or of a library that has not met OpenMP.
    Foreign,
}

/// What a thread does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Activity {
    /// It executes code of the user or of a library, a system call of those included.
    Runs,
    /// A worker outside of all regions.
    Idle,
    /// It waits in the runtime.
    Waits(Wait),
    /// What it does could not be read.
    Unknown,
}

/// Where the kernel has a thread.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Stands {
    /// In its own code, or unknown.
    #[default]
    Code,
    /// In this call, for people behind the word "in": `usleep()`, `read(0) of /dev/tty`.
    SystemCall(String),
    /// At this signal, which stopped it.
    Signal(String),
}

/// A parallel region, a league of teams, or the region around an initial task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The construct.
    pub kind: RegionKind,
    /// Threads of the team; initial teams of a league.
    pub size: u64,
    /// The region around it; `None` for the outermost.
    pub parent: Option<RegionId>,
    /// Number, in the enclosing region, of the thread that encountered the construct.
    pub encountered_by: Option<u64>,
    /// Where the construct stands.
    pub place: Option<Place>,
    /// Its threads by number; `None` where one could not be found.
    pub members: Vec<Option<ThreadId>>,
}

/// The construct that began a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// The implicit region around an initial task.
    Initial,
    /// `parallel`.
    Parallel,
    /// `teams`.
    League,
}

/// An explicit task that is not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The region to which the task is bound.
    pub region: Option<RegionId>,
    /// The code of the task.
    pub place: Option<Place>,
    /// What it waits for, if no thread executes it.
    pub state: TaskState,
    /// Tells it from other tasks: the address of its block.
    pub block: u64,
    /// The blocks of the explicit tasks from which it descends; `None` if they could not be read.
    pub ancestors: Option<Vec<u64>>,
    /// The thread whose implicit task generated it, or one of its ancestors.
    pub root: Option<ThreadId>,
}

/// What an explicit task does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskState {
    /// On the stack of this thread: executed, or suspended there.
    On(ThreadId),
    /// A thread of the team may begin it.
    Ready,
    /// Its dependences on these tasks are not fulfilled.
    Blocked(Vec<TaskId>),
    /// Its code is over, and its event is not fulfilled.
    Detached,
    /// Its work on a device is not done.
    OnDevice,
    /// What it does could not be read.
    Unknown,
}

impl Situation {
    /// The thread.
    #[must_use]
    pub fn thread(&self, id: ThreadId) -> &Thread {
        &self.threads[id.0]
    }

    /// The region.
    #[must_use]
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.0]
    }

    /// The task.
    #[must_use]
    pub fn task(&self, id: TaskId) -> &Task {
        &self.tasks[id.0]
    }

    /// Every thread's id.
    pub fn thread_ids(&self) -> impl Iterator<Item = ThreadId> + use<> {
        (0..self.threads.len()).map(ThreadId)
    }

    /// Every task's id.
    pub fn task_ids(&self) -> impl Iterator<Item = TaskId> + use<> {
        (0..self.tasks.len()).map(TaskId)
    }

    /// Whether the explicit task descends from the explicit task `ancestor`, or may do so.
    #[must_use]
    pub fn may_descend(&self, task: TaskId, ancestor: TaskId) -> bool {
        let block = self.task(ancestor).block;
        self.task(task).ancestors.as_ref().is_none_or(|ancestors| ancestors.contains(&block))
    }
}

impl Thread {
    /// What it waits for.
    #[must_use]
    pub fn wait(&self) -> Option<&Wait> {
        match &self.activity {
            Activity::Waits(wait) => Some(wait),
            _ => None,
        }
    }

    /// Where it is: its innermost frame of the user's.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        self.path.first().map(|frame| &frame.place)
    }
}
