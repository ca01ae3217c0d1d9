//! The objects of the runtime that a debugger can read, and their fields.
//!
//! A field's number has its object's number in the high byte and its own in the low byte. Numbers
//! are part of the format: a number that was once assigned is never assigned to another field.
//! Field 0 of an object is the object itself, with its size.

use crate::objects::objects;
use crate::shape::Shape;

objects! {
    /// Data that the process has once. The header of the table has their address.
    Process = 1 {
        /// *debug-var*: 1 if OMP_DEBUG=enabled. Only then are frames, outlined functions,
        /// generations, work, and the states and ends of workers' regions kept, and breakpoint
        /// functions reached.
        ProcessDebug = 1: Shape::Unsigned;
        /// `_OPENMP` of the version that the runtime implements.
        ProcessOpenmpVersion = 2: Shape::Unsigned;
        /// Name and version of the runtime.
        ProcessRuntimeVersion = 3: Shape::Text;
        /// Every thread that the runtime has known, the latest first. Blocks are never freed.
        ProcessThreads = 4: Shape::List(Object::Thread, Field::ThreadNext);
        /// The settings; 0 before the runtime has started.
        ProcessSettings = 5: Shape::Pointer(Object::Settings);
        /// The variables of the environment as the runtime understood them, bytes: `NAME=VALUE`,
        /// each with a zero byte after it. Only with *debug-var*.
        ProcessEnvironment = 6: Shape::Slice;
        /// The place list, in the order of place numbers. Only with *debug-var*.
        ProcessPlaces = 7: Shape::SliceOf(Object::Place);
        /// *affinity-format-var*, bytes.
        ProcessAffinityFormat = 8: Shape::Slice;
        /// *wait-policy-var*: 0 if the user has not said, 1 active, 2 passive.
        ProcessWaitPolicy = 9: Shape::Unsigned;
        /// *tool-var*: 1 if a tool may run.
        ProcessToolVar = 10: Shape::Unsigned;
        /// The word that the process's tool has for itself; 0 without a tool.
        ProcessToolData = 11: Shape::Pointer(Object::ToolData);
        /// Bytes of the stack of a thread that the runtime makes, where *stacksize-var* says
        /// nothing.
        ProcessDefaultStack = 12: Shape::Unsigned;
        /// *num-devices-var*, as the runtime has learnt it last: 0 before a routine or a construct
        /// of the program has asked. It is the host's number too (*device-num-var*).
        ProcessNumDevices = 13: Shape::Signed;
    }

    /// The settings, read once from environment and machine; internal control variables of the
    /// device.
    Settings = 2 {
        /// The variables that the initial tasks begin with.
        SettingsIcvs = 1: Shape::Embedded(Object::Icvs);
        /// *num-procs-var*.
        SettingsNumProcs = 2: Shape::Unsigned;
        /// *cancel-var*.
        SettingsCancel = 3: Shape::Unsigned;
        /// *max-task-priority-var*.
        SettingsMaxTaskPriority = 4: Shape::Unsigned;
        /// *nteams-var*; 0 if unset.
        SettingsNteams = 5: Shape::Unsigned;
        /// *teams-thread-limit-var*; 0 if unset.
        SettingsTeamsThreadLimit = 6: Shape::Unsigned;
        /// *stacksize-var*, bytes; 0 for the system's default.
        SettingsStacksize = 7: Shape::Unsigned;
        /// *target-offload-var*: 0 disabled, 1 default, 2 mandatory.
        SettingsTargetOffload = 8: Shape::Signed;
        /// *display-affinity-var*.
        SettingsDisplayAffinity = 9: Shape::Unsigned;
    }

    /// A native thread that the runtime knows, or has known: its block is used again for another.
    Thread = 3 {
        /// The next in the list of all threads.
        ThreadNext = 1: Shape::Pointer(Object::Thread);
        /// Its number in the process, from 0.
        ThreadNumber = 2: Shape::Unsigned;
        /// `ompt_thread_t`: 1 initial (the program made it), 2 worker.
        ThreadKind = 3: Shape::Signed;
        /// `pthread_t`; 0 while the block has no native thread.
        ThreadPthread = 4: Shape::Unsigned;
        /// The kernel's thread id (LWP); 0 while the block has no native thread.
        ThreadLwp = 5: Shape::Signed;
        /// Native threads that the block has had: a handle of another generation is stale.
        ThreadGeneration = 6: Shape::Unsigned;
        /// `ompt_state_t`.
        ThreadState = 7: Shape::Unsigned;
        /// In a state of waiting for a mutex or for an ordered region, the wait id of that. In
        /// barrier states the thread waits for `ParallelBarrier` of its current task's region.
        ThreadWaitId = 8: Shape::Unsigned;
        /// The tool's word.
        ThreadData = 9: Shape::Unsigned;
        /// The implicit or initial task that it executes; of an idle worker, the last one.
        ThreadImplicitTask = 10: Shape::Pointer(Object::ImplicitTask);
        /// The initial task of a thread that the program made.
        ThreadInitialTask = 11: Shape::Pointer(Object::ImplicitTask);
        /// The region that the thread begins or ends outside of its tasks, for the time of the
        /// breakpoint: if there is one it is the current region, else that of the current task is.
        ThreadRegion = 12: Shape::Pointer(Object::Parallel);
        /// The place that it is bound to; -1 for none.
        ThreadPlace = 13: Shape::Signed;
        /// The task that it executes. An implicit task is its beginning, so the addresses are the
        /// same where that is `ThreadImplicitTask`; else it is an explicit task of the same region.
        ThreadTask = 14: Shape::Pointer(Object::ExplicitTask);
        /// 1 if the mutex that the thread waits for in the state of locks is a nestable lock.
        ThreadWaitsForNestLock = 15: Shape::Unsigned;
        /// In a wait for a nestable lock: 1 if tasks own it, by `TaskOwnNumber`; 2 if threads do,
        /// by `ThreadNumber` plus 1, in OpenMP 2.5.
        ThreadNestLockOwner = 16: Shape::Unsigned;
        /// The memory of the explicit tasks that the thread has generated.
        ThreadTaskBlocks = 17: Shape::Embedded(Object::TaskBlocks);
    }

    /// A parallel region and its team. The block stays for the next region of the same task; the
    /// region at level 0 is the implicit one around an initial task.
    Parallel = 4 {
        /// Odd while a region runs, even between two: a handle of another generation is stale. 0
        /// without *debug-var*.
        ParallelGeneration = 1: Shape::Unsigned;
        /// Threads in the team (*team-size-var*).
        ParallelSize = 2: Shape::Unsigned;
        /// *levels-var*: enclosing parallel regions, itself included.
        ParallelLevel = 3: Shape::Unsigned;
        /// *active-levels-var*: those of them with more than one thread.
        ParallelActiveLevel = 4: Shape::Unsigned;
        /// The task that encountered it, whose region encloses it; 0 at level 0.
        ParallelEncountering = 5: Shape::Pointer(Object::ImplicitTask);
        /// The implicit tasks, by thread number. 0 for the moment in which the team grows.
        ParallelTasks = 6: Shape::Array(Object::ImplicitTask, Field::ParallelSize);
        /// The barrier of the team.
        ParallelBarrier = 7: Shape::Address;
        /// The tool's word.
        ParallelData = 8: Shape::Unsigned;
        /// The outlined function, which is the code of the implicit tasks. Only with *debug-var*.
        ParallelFunction = 9: Shape::Address;
        /// Where the construct's call returns to. Only with *debug-var* or a tool.
        ParallelReturnAddress = 10: Shape::Address;
        /// The task that encountered it, which may be an explicit one of `ParallelEncountering`'s
        /// region.
        ParallelEncounteringTask = 11: Shape::Pointer(Object::ExplicitTask);
        /// The constructs of the region that are cancelled: parallel, sections, loop, as bits of
        /// `ompt_cancel_flag_t`.
        ParallelCancelled = 12: Shape::Unsigned;
        /// The contention group of its threads.
        ParallelContentionGroup = 13: Shape::Pointer(Object::ContentionGroup);
        /// 1 for the implicit region around the initial task of a team of a league, which has the
        /// level of the task that encountered the league. Its `ParallelEncountering` is the member
        /// of the league that executes the initial task; the region of that member is the league,
        /// and the league's generation and tool's word count for this region too.
        ParallelIsOfLeague = 14: Shape::Unsigned;
        /// Teams of the league, if the region is one; 0 if it is not.
        ParallelLeagueSize = 15: Shape::Unsigned;
        /// The words of the team's barrier.
        ParallelBarrierWords = 16: Shape::Pointer(Object::Barrier);
    }

    /// An implicit task, or an initial one, and its number in the team.
    ImplicitTask = 5 {
        /// The part that tasks of every kind have.
        ImplicitTaskRecord = 1: Shape::Embedded(Object::Task);
        /// The region whose team it belongs to.
        ImplicitTaskParallel = 2: Shape::Pointer(Object::Parallel);
        /// *thread-num-var*.
        ImplicitTaskThreadNum = 3: Shape::Unsigned;
        /// The internal control variables of its data environment.
        ImplicitTaskIcvs = 4: Shape::Pointer(Object::Icvs);
        /// The thread that executes it; 0 for thread 0 of a team, which is the thread of the
        /// encountering task.
        ImplicitTaskThread = 5: Shape::Pointer(Object::Thread);
        /// The place of its thread; -1 for none.
        ImplicitTaskPlace = 6: Shape::Signed;
        /// *place-partition-var*.
        ImplicitTaskPartition = 7: Shape::Embedded(Object::Partition);
        /// The worksharing loop that it executes.
        ImplicitTaskLoop = 8: Shape::Embedded(Object::Loop);
        /// Its member's state for explicit tasks; 0 in a team of one thread.
        ImplicitTaskMemberTasks = 9: Shape::Pointer(Object::MemberTasks);
        /// 1 while it has the mutex of a reduction.
        ImplicitTaskHasReduction = 10: Shape::Unsigned;
        /// The partial results that it offers to the thread above it in the tree of a reduction; 0
        /// once that thread has taken them.
        ImplicitTaskOffer = 11: Shape::Address;
    }

    /// The part that tasks of every kind have. `TaskFlags` says of which kind the task is; of
    /// explicit tasks only with *debug-var* or a tool.
    Task = 6 {
        /// Odd while the task lives, even after: a handle of another generation is stale. 0 without
        /// *debug-var*.
        TaskGeneration = 1: Shape::Unsigned;
        /// `ompt_task_flag_t`, the whole word.
        TaskFlags = 2: Shape::Bits;
        /// It is an initial task.
        TaskIsInitial = 3: Shape::Bits;
        /// It is an implicit task.
        TaskIsImplicit = 4: Shape::Bits;
        /// It is an explicit task.
        TaskIsExplicit = 5: Shape::Bits;
        /// It is a target task.
        TaskIsTarget = 6: Shape::Bits;
        /// It is final (*final-task-var*).
        TaskIsFinal = 7: Shape::Bits;
        /// The tool's word.
        TaskData = 8: Shape::Unsigned;
        /// The runtime's frame that called the task's code; 0 while no frame of the runtime has
        /// called it.
        TaskExitFrame = 9: Shape::Address;
        /// The frame of the task's code that called the runtime; 0 while it is not in the runtime.
        TaskEnterFrame = 10: Shape::Address;
        /// `ompt_frame_flag_t` of the exit frame.
        TaskExitFrameFlags = 11: Shape::Signed;
        /// `ompt_frame_flag_t` of the enter frame.
        TaskEnterFrameFlags = 12: Shape::Signed;
        /// `ompt_work_t` of the worksharing region that it is in; 0 if no such region is known.
        /// Static loops of gcc's programs are not known: the compiler expands them. Only with
        /// *debug-var*.
        TaskWork = 13: Shape::Signed;
        /// Iterations of that loop, or sections.
        TaskWorkIterations = 14: Shape::Unsigned;
        /// The first iteration of the chunk at hand, counted from 0; of a section, where its call
        /// returns to.
        TaskChunkStart = 15: Shape::Unsigned;
        /// How many it has; 0 before the first chunk.
        TaskChunkIterations = 16: Shape::Unsigned;
    }

    /// The internal control variables of a data environment.
    Icvs = 7 {
        /// *nthreads-var*, the element for this level.
        IcvsNthreads = 1: Shape::Unsigned;
        /// *nthreads-var*, the elements for the levels below, 4 bytes each.
        IcvsNthreadsDeeper = 2: Shape::Slice;
        /// *max-active-levels-var*.
        IcvsMaxActiveLevels = 3: Shape::Unsigned;
        /// *thread-limit-var*.
        IcvsThreadLimit = 4: Shape::Unsigned;
        /// *default-device-var*.
        IcvsDefaultDevice = 5: Shape::Signed;
        /// *run-sched-var*, the kind: `omp_sched_t` without modifier.
        IcvsRunSchedKind = 6: Shape::Unsigned;
        /// *run-sched-var*, the modifier: 0 unspecified, 1 monotonic, 2 nonmonotonic.
        IcvsRunSchedModifier = 7: Shape::Unsigned;
        /// *run-sched-var*, the chunk size; 0 if unspecified.
        IcvsRunSchedChunk = 8: Shape::Unsigned;
        /// *bind-var* for this level: `omp_proc_bind_t`.
        IcvsBind = 9: Shape::Unsigned;
        /// *bind-var* for the levels below, 1 byte each.
        IcvsBindDeeper = 10: Shape::Slice;
        /// *dyn-var*.
        IcvsDynamic = 11: Shape::Unsigned;
        /// *def-allocator-var* of an implicit task: `omp_allocator_handle_t`.
        IcvsDefAllocator = 12: Shape::Unsigned;
    }

    /// A place: a set of processors.
    Place = 8 {
        /// Words of 8 bytes; processor n is bit n % 64 of word n / 64.
        PlaceProcessors = 1: Shape::Slice;
    }

    /// Neighbours in the place list.
    Partition = 9 {
        /// Number of the first place.
        PartitionFirst = 1: Shape::Unsigned;
        /// How many places.
        PartitionLength = 2: Shape::Unsigned;
    }

    /// An explicit task, or the beginning of an implicit one, as its flags say.
    ExplicitTask = 10 {
        /// The part that tasks of every kind have.
        ExplicitTaskRecord = 1: Shape::Embedded(Object::Task);
        /// The task that generated it; 0 for an implicit task.
        ExplicitTaskGenerating = 2: Shape::Pointer(Object::ExplicitTask);
        /// Of an explicit task that a thread executes: the task that the thread left for it, and
        /// goes on with afterwards. 0 for an implicit task.
        ExplicitTaskScheduling = 3: Shape::Pointer(Object::ExplicitTask);
        /// The region that it is bound to.
        ExplicitTaskParallel = 4: Shape::Pointer(Object::Parallel);
        /// The internal control variables of its data environment.
        ExplicitTaskIcvs = 5: Shape::Pointer(Object::Icvs);
        /// The compiler's function, which is its code; 0 for an implicit task.
        ExplicitTaskFunction = 6: Shape::Address;
        /// It is an implicit or an initial task, whether or not a debugger is expected.
        ExplicitTaskIsImplicit = 7: Shape::Bits;
        /// It is final (*final-task-var*), whether or not a debugger is expected.
        ExplicitTaskIsFinal = 8: Shape::Bits;
        /// It is a target task whose work is done elsewhere, whether or not a debugger is expected.
        ExplicitTaskIsTarget = 9: Shape::Bits;
        /// It is a target task whose work is its body, whether or not a debugger is expected.
        ExplicitTaskIsTargetOnHost = 10: Shape::Bits;
        /// The innermost taskgroup that it is in.
        ExplicitTaskTaskgroup = 11: Shape::Pointer(Object::Taskgroup);
        /// Children that it has made since it began.
        ExplicitTaskChildrenMade = 12: Shape::Unsigned;
        /// Of these, those that ended on top of it, on its thread: complete ones in the low 32
        /// bits.
        ExplicitTaskChildrenHome = 13: Shape::Unsigned;
        /// The others that ended: complete ones in the low 32 bits. The high 32 bits are a negative
        /// number when the task is complete, and its block only waits for its children.
        ExplicitTaskChildrenAway = 14: Shape::Unsigned;
        /// Its predecessors and successors, if `ExplicitTaskIsDependent` or the task is undeferred;
        /// else those of an earlier task in the block.
        ExplicitTaskTies = 15: Shape::Pointer(Object::Ties);
        /// The event of a detachable task.
        ExplicitTaskEvent = 16: Shape::Embedded(Object::Event);
        /// State that few tasks have.
        ExplicitTaskOwn = 17: Shape::Pointer(Object::TaskOwn);
        /// It is complete only when its event is fulfilled.
        ExplicitTaskIsDetachable = 18: Shape::Bits;
        /// The generating task waits for it.
        ExplicitTaskIsUndeferred = 19: Shape::Bits;
        /// It is counted as unfinished in its region: it has been generated.
        ExplicitTaskIsCounted = 20: Shape::Bits;
        /// It has ties to other tasks by its depend clause.
        ExplicitTaskIsDependent = 21: Shape::Bits;
        /// It takes turns with others (mutexinoutset).
        ExplicitTaskTakesTurns = 22: Shape::Bits;
        /// It is a taskwait with dependences, which has no body.
        ExplicitTaskIsEmpty = 23: Shape::Bits;
    }

    /// The threads under one initial task.
    ContentionGroup = 11 {
        /// *thread-limit-var* of the initial task when it began.
        ContentionGroupLimit = 1: Shape::Unsigned;
        /// *team-num-var*: the number of the initial task's team in its league.
        ContentionGroupTeamNum = 2: Shape::Unsigned;
        /// *league-size-var*; 0 outside of leagues.
        ContentionGroupNumTeams = 3: Shape::Unsigned;
    }

    /// The word that a tool has for itself.
    ToolData = 12 {
        /// `ompt_data_t`.
        ToolDataWord = 1: Shape::Unsigned;
    }

    /// A taskgroup region.
    Taskgroup = 13 {
        /// The taskgroup around it.
        TaskgroupOuter = 1: Shape::Pointer(Object::Taskgroup);
        /// The task that encountered it; 0 for the taskgroup of a region's reduction.
        TaskgroupEncountering = 2: Shape::Pointer(Object::ExplicitTask);
        /// 1 if it is cancelled.
        TaskgroupIsCancelled = 3: Shape::Unsigned;
    }

    /// The blocks of memory for the explicit tasks that a thread generates. A block that is in none
    /// of these lists of any thread has a task.
    TaskBlocks = 14 {
        /// The pieces of memory that blocks were cut from.
        TaskBlocksPieces = 1: Shape::List(Object::TaskPiece, Field::TaskPieceNext);
        /// Free blocks of the first size.
        TaskBlocksFree1 = 2: Shape::List(Object::ExplicitTask, Field::ExplicitTaskScheduling);
        /// Free blocks of the second size.
        TaskBlocksFree2 = 3: Shape::List(Object::ExplicitTask, Field::ExplicitTaskScheduling);
        /// Free blocks of the third size.
        TaskBlocksFree3 = 4: Shape::List(Object::ExplicitTask, Field::ExplicitTaskScheduling);
        /// Free blocks of the fourth size.
        TaskBlocksFree4 = 5: Shape::List(Object::ExplicitTask, Field::ExplicitTaskScheduling);
        /// Free blocks of the fifth size.
        TaskBlocksFree5 = 6: Shape::List(Object::ExplicitTask, Field::ExplicitTaskScheduling);
        /// Free blocks of another thread that this one is going to return.
        TaskBlocksOutgoing = 7: Shape::List(Object::ExplicitTask, Field::ExplicitTaskScheduling);
        /// Free blocks that other threads have returned.
        TaskBlocksReturned = 8: Shape::List(Object::ExplicitTask, Field::ExplicitTaskScheduling);
    }

    /// A piece of memory that blocks of one size were cut from.
    TaskPiece = 15 {
        /// The next piece of the thread.
        TaskPieceNext = 1: Shape::Pointer(Object::TaskPiece);
        /// The first block.
        TaskPieceFirst = 2: Shape::Pointer(Object::ExplicitTask);
        /// Bytes from one block to the next.
        TaskPieceStep = 3: Shape::Unsigned;
        /// How many blocks there are.
        TaskPieceCount = 4: Shape::Unsigned;
    }

    /// State that few tasks have.
    TaskOwn = 16 {
        /// The number by which the task owns nestable locks; 0 while none has been asked for.
        TaskOwnNumber = 1: Shape::Unsigned;
        /// The handle of a target task's work on a device; 0 if no such work is left to do.
        TaskOwnDeviceWork = 2: Shape::Address;
    }

    /// The dependences of a task.
    Ties = 17 {
        /// The generations that the task waits for, and 1 more while it is being generated.
        TiesWaiting = 1: Shape::Unsigned;
        /// The task; 0 if these are the ties of a task for which the generating thread waits.
        TiesTask = 2: Shape::Pointer(Object::ExplicitTask);
        /// How many dependences there are.
        TiesLength = 3: Shape::Unsigned;
        /// The dependences, one after the other, if they do not fit `TiesInline`.
        TiesElsewhere = 4: Shape::Pointer(Object::Tie);
        /// The dependence, if there is one only.
        TiesInline = 5: Shape::Embedded(Object::Tie);
    }

    /// A dependence of a task on a storage location.
    Tie = 18 {
        /// The generation of tasks of the location that the task belongs to.
        TieGeneration = 1: Shape::Pointer(Object::Generation);
    }

    /// Tasks that may run concurrently, and for which later ones wait: members by their `Tie`.
    Generation = 19 {
        /// The first wait of a later task; 1 when the generation is over.
        GenerationWaits = 1: Shape::Pointer(Object::DependenceWait);
        /// The first wait of a member for its turn (mutexinoutset); 1 after the last. 0 if no
        /// member has the turn.
        GenerationTurns = 2: Shape::Pointer(Object::DependenceWait);
        /// 1 if the members take turns.
        GenerationIsExclusive = 3: Shape::Unsigned;
    }

    /// The wait of one dependence, in a list.
    DependenceWait = 20 {
        /// The next in the list.
        DependenceWaitNext = 1: Shape::Pointer(Object::DependenceWait);
        /// The ties of the task that waits.
        DependenceWaitTies = 2: Shape::Pointer(Object::Ties);
    }

    /// The state of a member of a team for explicit tasks.
    MemberTasks = 21 {
        /// The kernel's id of the member's thread while it looks for tasks of the team or executes
        /// one that it has found; 0 while it waits and has found none, and outside of task
        /// scheduling points.
        MemberTasksExecutor = 1: Shape::Signed;
        /// 1 while the member's thread executes tasks in a barrier at which it was not the last to
        /// arrive.
        MemberTasksHelping = 2: Shape::Unsigned;
    }

    /// The worksharing loop of an implicit task.
    Loop = 22 {
        /// The first iteration, counted from 0, of the chunk of an ordered loop.
        LoopOrderedStart = 1: Shape::Unsigned;
        /// The number of its iterations; 0 for no chunk of an ordered loop.
        LoopOrderedIterations = 2: Shape::Unsigned;
        /// The iteration of a doacross loop nest that the thread waits for: 8 bytes for each loop
        /// of the nest, as the program passed them. Empty while it waits for no such iteration.
        LoopAwaited = 3: Shape::Slice;
    }

    /// The barrier of a team.
    Barrier = 23 {
        /// The address of the groups in which threads arrive: of each group of threads, in the
        /// order of the threads' numbers, then of each group of groups.
        BarrierGroups = 1: Shape::Unsigned;
    }

    /// A group of a barrier.
    BarrierGroup = 24 {
        /// Those that have arrived; 0 again once all have.
        BarrierGroupArrived = 1: Shape::Unsigned;
        /// Those that have to arrive.
        BarrierGroupExpected = 2: Shape::Unsigned;
    }

    /// The event of a detachable task.
    Event = 25 {
        /// 1 once it is fulfilled.
        EventIsFulfilled = 1: Shape::Bits;
        /// 1 once the body of the task is over.
        EventBodyIsOver = 2: Shape::Bits;
        /// The serial number of the task in its block.
        EventSerial = 3: Shape::Bits;
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, Object, Shape};
    use std::collections::BTreeSet;

    #[test]
    fn numbers_are_unique_and_lead_back() {
        let mut seen = BTreeSet::new();
        for &field in Field::ALL {
            assert!(seen.insert(field as u16), "{field:?}");
            assert_eq!(Field::from_number(field as u16), Some(field));
            assert_eq!(field as u16 >> 8, field.object() as u16, "{field:?}");
        }
        for &object in Object::ALL {
            assert_eq!(Object::from_number(object as u8), Some(object));
            assert_eq!(object.whole().object(), object);
        }
        assert_eq!(Field::from_number(0), None);
        assert_eq!(Object::from_number(0), None);
    }

    #[test]
    fn lists_and_arrays_are_walked_by_fields_of_the_right_object() {
        for &field in Field::ALL {
            match field.shape() {
                Shape::List(object, next) => assert_eq!(next.object(), object),
                Shape::Array(_, count) => assert_eq!(count.object(), field.object()),
                _ => {}
            }
        }
    }
}
