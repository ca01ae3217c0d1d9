//! The tree of a random program.

use crate::compiler::Family;

/// A random program.
#[derive(Debug, Clone)]
pub struct Program {
    /// The seed that it was drawn from.
    pub seed: u64,
    /// `OMP_MAX_ACTIVE_LEVELS` of its run.
    pub max_active_levels: u32,
    /// `OMP_SCHEDULE` of its run.
    pub schedule: (Schedule, u32),
    /// The code of the initial thread.
    pub body: Block,
    /// The code of native threads that the program makes before it executes `body`.
    pub natives: Vec<Block>,
}

/// Code in order.
pub type Block = Vec<Node>;

/// A construct of the program, with the number by which its probes name it.
#[derive(Debug, Clone)]
pub struct Node {
    /// The construct's number in the program.
    pub id: u32,
    pub construct: Construct,
}

/// What a node is.
#[derive(Debug, Clone)]
pub enum Construct {
    /// A call of `omp_control_tool`, which shows the program's own view.
    Probe,
    /// `parallel`, also in its serialized forms.
    Parallel { threads: u32, is_if_false: bool, reduction: bool, body: Block },
    /// `teams` on the host.
    Teams { teams: u32, body: Block },
    /// `distribute`.
    Distribute { iterations: u32, chunk: Option<u32>, body: Block },
    /// `for`.
    Loop(Loop),
    /// `sections`.
    Sections { nowait: bool, sections: Vec<Block> },
    /// `single`.
    Single { ending: SingleEnding, body: Block },
    /// `masked`.
    Masked { filter: u32, body: Block },
    /// `scope`.
    Scope { nowait: bool, body: Block },
    /// `critical`: the name 0 means a critical without a name; the hint is a value of
    /// `omp_sync_hint_*`.
    Critical { name: u32, hint: u32, body: Block },
    /// A lock that is set around a block.
    Lock { lock: u32, is_test: bool, body: Block },
    /// A nest lock that is set `depth` times around a block.
    NestLock { lock: u32, is_test: bool, depth: u32, body: Block },
    /// `atomic`.
    Atomic,
    /// `flush`.
    Flush,
    /// `barrier`.
    Barrier,
    /// `taskwait`.
    Taskwait,
    /// `taskyield`.
    Taskyield,
    /// `error at(execution) severity(warning)`.
    Error,
    /// `taskgroup`.
    Taskgroup { body: Block },
    /// `task`.
    Task(Task),
    /// `taskloop`.
    Taskloop(Taskloop),
    /// `ordered`, in a loop that is.
    Ordered { body: Block },
    /// A loop that its iteration `at` cancels.
    CancelledLoop { schedule: Schedule, iterations: u32, at: u32 },
    /// A taskgroup of `tasks` tasks; the task with the number `at` cancels it.
    CancelledGroup { tasks: u32, at: u32 },
    /// A loop each of whose iterations waits for the one before.
    Doacross { schedule: Schedule, iterations: u32 },
    /// `parallel for` in one construct.
    ParallelLoop { threads: u32, construct: Loop },
    /// `parallel sections` in one construct.
    ParallelSections { threads: u32, sections: Vec<Block> },
    /// `taskwait depend`.
    TaskwaitDepend { depend: (Depend, u32) },
    /// Sections; the section with the number `at` cancels them.
    CancelledSections { sections: u32, at: u32 },
    /// A region that its thread `at` cancels between two probes.
    CancelledParallel { threads: u32, at: u32 },
    /// A construct that moves data to or from a device, which is the host.
    TargetData(TargetData),
    /// `target`, which the host executes.
    Target { body: Block },
}

/// The constructs that move data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetData {
    /// `target enter data`.
    Enter,
    /// `target exit data`.
    Exit,
    /// `target update`.
    Update,
}

/// The end of a `single` construct.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SingleEnding {
    /// The implicit barrier.
    Barrier,
    /// None.
    Nowait,
    /// Every thread gets a value of the executing one.
    Copyprivate,
}

/// A worksharing loop.
#[derive(Debug, Clone)]
pub struct Loop {
    /// The clause `schedule`.
    pub schedule: Schedule,
    /// The schedule's chunk size.
    pub chunk: Option<u32>,
    /// The iterations of one loop, or of two collapsed ones.
    pub iterations: (u32, Option<u32>),
    /// The clause `ordered`.
    pub is_ordered: bool,
    /// The clause `nowait`.
    pub nowait: bool,
    /// The clause `reduction`.
    pub reduction: bool,
    /// The code of an iteration.
    pub body: Block,
}

impl Loop {
    /// The iterations of the collapsed loops.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.iterations.0 * self.iterations.1.unwrap_or(1)
    }
}

/// The kinds of the clause `schedule`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// No clause.
    None,
    /// `static`.
    Static,
    /// `dynamic`.
    Dynamic,
    /// `guided`.
    Guided,
    /// `auto`.
    Auto,
    /// `runtime`.
    Runtime,
}

/// A `task` construct.
#[derive(Debug, Clone)]
pub struct Task {
    /// `if(0)`.
    pub is_if_false: bool,
    /// `final(1)`.
    pub is_final: bool,
    /// `untied`.
    pub is_untied: bool,
    /// `mergeable`.
    pub is_mergeable: bool,
    /// `priority(1)`.
    pub has_priority: bool,
    /// The clause `detach`, and who fulfils the event.
    pub detach: Option<Fulfiller>,
    /// The clauses `depend`: kind and number of the variable.
    pub depend: Vec<(Depend, u32)>,
    /// The task's code.
    pub body: Block,
}

/// The thread or task that fulfils the event of a detachable task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fulfiller {
    /// The task itself.
    Itself,
    /// The generating task, right after it has generated the task.
    Generator,
}

/// The kinds of the clause `depend`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depend {
    /// `in`.
    In,
    /// `out`.
    Out,
    /// `inout`.
    Inout,
    /// `mutexinoutset`.
    Mutexinoutset,
    /// `inoutset`.
    Inoutset,
}

impl Depend {
    /// The kind that programs of `compiler` have instead: GCC 12 does not know `inoutset`.
    #[must_use]
    pub fn for_compiler(self, compiler: Family) -> Self {
        match (self, compiler) {
            (Self::Inoutset, Family::Gcc) => Self::Inout,
            _ => self,
        }
    }

    /// The name in the clause, and in OMPT.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Out => "out",
            Self::Inout => "inout",
            Self::Mutexinoutset => "mutexinoutset",
            Self::Inoutset => "inoutset",
        }
    }
}

/// A `taskloop` construct.
#[derive(Debug, Clone)]
pub struct Taskloop {
    /// The number of the loop's iterations.
    pub iterations: u32,
    /// The clause that says how many tasks there are.
    pub grain: Grain,
    /// The clause `nogroup`.
    pub nogroup: bool,
    /// `if(0)`.
    pub is_if_false: bool,
    /// The code of an iteration.
    pub body: Block,
}

/// The tasks of a taskloop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grain {
    /// `grainsize`.
    Size(u32),
    /// `num_tasks`.
    Tasks(u32),
    /// No clause.
    Any,
}

impl Construct {
    /// The blocks inside the construct.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Self::Parallel { body, .. }
            | Self::Teams { body, .. }
            | Self::Distribute { body, .. }
            | Self::Single { body, .. }
            | Self::Masked { body, .. }
            | Self::Scope { body, .. }
            | Self::Critical { body, .. }
            | Self::Lock { body, .. }
            | Self::NestLock { body, .. }
            | Self::Taskgroup { body }
            | Self::Ordered { body }
            | Self::Target { body } => vec![body],
            Self::Loop(construct) | Self::ParallelLoop { construct, .. } => {
                vec![&mut construct.body]
            }
            Self::Task(construct) => vec![&mut construct.body],
            Self::Taskloop(construct) => vec![&mut construct.body],
            Self::Sections { sections, .. } | Self::ParallelSections { sections, .. } => {
                sections.iter_mut().collect()
            }
            Self::Probe
            | Self::Atomic
            | Self::Flush
            | Self::Barrier
            | Self::Taskwait
            | Self::Taskyield
            | Self::Error
            | Self::CancelledLoop { .. }
            | Self::CancelledGroup { .. }
            | Self::TaskwaitDepend { .. }
            | Self::CancelledSections { .. }
            | Self::CancelledParallel { .. }
            | Self::TargetData(_)
            | Self::Doacross { .. } => Vec::new(),
        }
    }
}
