//! The runtime of another process as the layout shows it: threads, their tasks, regions.

use oxomp_ompd_layout::{Field, Memory, Reader};

/// `ompt_state_t`.
pub(crate) const IDLE: u64 = 0x100;

/// A native thread that the runtime knows.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) lwp: u64,
    pub(crate) pthread: u64,
    pub(crate) generation: u64,
    pub(crate) number: u64,
    pub(crate) kind: u64,
    pub(crate) state: u64,
    pub(crate) wait_id: u64,
    pub(crate) data: u64,
    /// The region of a breakpoint.
    pub(crate) region: Option<Parallel>,
    /// The current task, which may be an explicit one: address and generation.
    pub(crate) executes: Option<(u64, u64)>,
    /// The current implicit task and those around it, innermost first.
    pub(crate) tasks: Vec<Task>,
}

/// An implicit or initial task.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) address: u64,
    pub(crate) generation: u64,
    pub(crate) is_initial: bool,
    pub(crate) is_implicit: bool,
    pub(crate) is_explicit: bool,
    pub(crate) is_final: bool,
    pub(crate) thread_num: u64,
    pub(crate) exit_frame: u64,
    pub(crate) enter_frame: u64,
    pub(crate) data: u64,
    pub(crate) work: u64,
    pub(crate) iterations: u64,
    pub(crate) chunk: (u64, u64),
    pub(crate) place: i64,
    pub(crate) icvs: Icvs,
    pub(crate) parallel: Parallel,
}

/// A parallel region.
#[derive(Clone, Debug)]
pub(crate) struct Parallel {
    pub(crate) address: u64,
    pub(crate) generation: u64,
    pub(crate) size: u64,
    pub(crate) level: u64,
    pub(crate) active_level: u64,
    pub(crate) function: u64,
    pub(crate) barrier: u64,
    pub(crate) data: u64,
    pub(crate) encountering: Option<u64>,
    /// Addresses of the implicit tasks, and of the threads that execute them where these are said.
    pub(crate) members: Vec<(u64, Option<u64>)>,
}

/// Internal control variables of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Icvs {
    pub(crate) nthreads: u64,
    pub(crate) nthreads_deeper: Vec<u64>,
    pub(crate) dynamic: u64,
    pub(crate) schedule: (u64, u64),
    pub(crate) max_active_levels: u64,
    pub(crate) thread_limit: u64,
    pub(crate) default_device: u64,
    pub(crate) bind: u64,
    pub(crate) bind_deeper: Vec<u64>,
    pub(crate) def_allocator: u64,
}

/// The answer of a read that must succeed; an error fails the test.
pub(crate) struct Eye<'a, M>(pub(crate) &'a Reader<M>);

impl<M: Memory> Eye<'_, M> {
    pub(crate) fn number(&self, object: u64, field: Field) -> u64 {
        self.0.number(object, field).unwrap_or_else(|error| panic!("{field:?}: {error}"))
    }

    fn numbers(&self, object: u64, field: Field) -> Vec<u64> {
        self.0.numbers(object, field).unwrap_or_else(|error| panic!("{field:?}: {error}"))
    }

    pub(crate) fn process(&self, field: Field) -> u64 {
        self.number(self.0.process(), field)
    }

    /// Addresses of all threads, those included that have ended.
    pub(crate) fn threads(&self) -> Vec<u64> {
        self.0
            .objects(self.0.process(), Field::ProcessThreads)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// The threads that are alive.
    pub(crate) fn alive(&self) -> Vec<Thread> {
        let all = self.threads().into_iter().map(|address| self.thread(address));
        all.filter(|thread| thread.lwp != 0).collect()
    }

    pub(crate) fn thread(&self, at: u64) -> Thread {
        let number = |field| self.number(at, field);
        let follow = |at, field| self.0.follow(at, field).unwrap_or_else(|error| panic!("{error}"));
        let mut tasks = Vec::new();
        let mut next = follow(at, Field::ThreadImplicitTask);
        while let Some(address) = next {
            assert!(tasks.len() < 100, "tasks without an end");
            let task = self.task(address);
            next = task.parallel.encountering;
            tasks.push(task);
        }
        let executes = follow(at, Field::ThreadTask).map(|task| {
            let record = self.0.object(task, Field::ExplicitTaskRecord);
            let record = record.unwrap_or_else(|error| panic!("{error}"));
            (task, self.number(record, Field::TaskGeneration))
        });
        Thread {
            executes,
            lwp: number(Field::ThreadLwp),
            pthread: number(Field::ThreadPthread),
            generation: number(Field::ThreadGeneration),
            number: number(Field::ThreadNumber),
            kind: number(Field::ThreadKind),
            state: number(Field::ThreadState),
            wait_id: number(Field::ThreadWaitId),
            data: number(Field::ThreadData),
            region: follow(at, Field::ThreadRegion).map(|at| self.parallel(at)),
            tasks,
        }
    }

    fn task(&self, at: u64) -> Task {
        let object = |field| self.0.object(at, field).unwrap_or_else(|error| panic!("{error}"));
        let record = object(Field::ImplicitTaskRecord);
        let number = |field| self.number(record, field);
        Task {
            address: at,
            generation: number(Field::TaskGeneration),
            is_initial: number(Field::TaskIsInitial) == 1,
            is_implicit: number(Field::TaskIsImplicit) == 1,
            is_explicit: number(Field::TaskIsExplicit) == 1,
            is_final: number(Field::TaskIsFinal) == 1,
            thread_num: self.number(at, Field::ImplicitTaskThreadNum),
            exit_frame: number(Field::TaskExitFrame),
            enter_frame: number(Field::TaskEnterFrame),
            data: number(Field::TaskData),
            work: number(Field::TaskWork),
            iterations: number(Field::TaskWorkIterations),
            chunk: (number(Field::TaskChunkStart), number(Field::TaskChunkIterations)),
            place: self.number(at, Field::ImplicitTaskPlace).cast_signed(),
            icvs: self.icvs(object(Field::ImplicitTaskIcvs)),
            parallel: self.parallel(object(Field::ImplicitTaskParallel)),
        }
    }

    fn parallel(&self, at: u64) -> Parallel {
        let number = |field| self.number(at, field);
        let members = self.0.objects(at, Field::ParallelTasks);
        let thread = |task| {
            let thread = self.0.follow(task, Field::ImplicitTaskThread);
            (task, thread.unwrap_or_else(|error| panic!("{error}")))
        };
        Parallel {
            address: at,
            generation: number(Field::ParallelGeneration),
            size: number(Field::ParallelSize),
            level: number(Field::ParallelLevel),
            active_level: number(Field::ParallelActiveLevel),
            function: number(Field::ParallelFunction),
            barrier: number(Field::ParallelBarrier),
            data: number(Field::ParallelData),
            encountering: self
                .0
                .follow(at, Field::ParallelEncountering)
                .unwrap_or_else(|error| panic!("{error}")),
            members: members
                .unwrap_or_else(|error| panic!("{error}"))
                .into_iter()
                .map(thread)
                .collect(),
        }
    }

    pub(crate) fn icvs(&self, at: u64) -> Icvs {
        let number = |field| self.number(at, field);
        Icvs {
            nthreads: number(Field::IcvsNthreads),
            nthreads_deeper: self.numbers(at, Field::IcvsNthreadsDeeper),
            dynamic: number(Field::IcvsDynamic),
            schedule: (number(Field::IcvsRunSchedKind), number(Field::IcvsRunSchedChunk)),
            max_active_levels: number(Field::IcvsMaxActiveLevels),
            thread_limit: number(Field::IcvsThreadLimit),
            default_device: number(Field::IcvsDefaultDevice),
            bind: number(Field::IcvsBind),
            bind_deeper: self.numbers(at, Field::IcvsBindDeeper),
            def_allocator: number(Field::IcvsDefAllocator),
        }
    }

    /// The text of a slice of bytes or of a string.
    pub(crate) fn text(&self, field: Field) -> String {
        let bytes = self.0.bytes(self.0.process(), field).unwrap_or_else(|error| panic!("{error}"));
        String::from_utf8(bytes).expect("what the test has set is text")
    }
}
