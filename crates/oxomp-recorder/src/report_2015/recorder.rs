//! The tool: every callback makes one record, and some a few details.

use std::process;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex as StdMutex, OnceLock};
use std::time::Instant;

use ompt::report_2015::{
    Atomic, Construct, Control, Dependences, EntryPoints, Event, EventSet, Flush, Idle,
    Initialization, Lock, Mutex, ParallelBegin, ParallelEnd, Region, Registration, State,
    TargetDataBegin, TargetDataMapBegin, TargetDataMapEnd, TargetTaskBegin, Task, TaskBegin,
    TaskDependencePair, TaskSwitch, Thread, Tool,
};

use super::entry::{Entry, Frames, Record};
use super::log::{self, Header};
use crate::buffer::Buffers;
use crate::settings::{Interface, Settings};

const MAX_LEVELS: u32 = 8;

/// The process that has started the tool first: its children start it anew.
static STARTED_IN: OnceLock<u32> = OnceLock::new();

/// The recorder of the report's events.
#[derive(Debug)]
pub(crate) struct Recorder {
    settings: Settings<EventSet>,
    header: StdMutex<Header>,
    entry_points: EntryPoints,
    started: Instant,
    started_in: u32,
    sequence: AtomicU64,
    buffers: Buffers<Record>,
    /// Whether the program has told the recorder to pause, or to end for good.
    paused: AtomicBool,
    ended: AtomicBool,
}

impl Recorder {
    /// Records one event. The number is taken first, so that what the callback does afterwards
    /// does not change the order.
    fn record(&self, entry: Entry) -> Option<u64> {
        if self.paused.load(Ordering::Relaxed) {
            return None;
        }
        let seq = self.sequence.fetch_add(1, Ordering::Relaxed);
        let time = u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let (state, wait) = self.entry_points.state_and_wait_id();
        let thread = self.entry_points.thread_id();
        self.buffers.push(Record { seq, time, state, wait, thread, entry });
        Some(seq)
    }

    fn detail(&self, seq: u64, entry: Entry) {
        let state = State::Undefined;
        self.buffers.push(Record { seq, time: 0, state, wait: None, thread: None, entry });
    }

    /// Records the regions and tasks around the caller, as the entry points show them.
    fn record_levels(&self, seq: Option<u64>) {
        let Some(seq) = seq else { return };
        for level in 0..MAX_LEVELS {
            let parallel = self.entry_points.parallel_id(level);
            let size = self.entry_points.team_size(level);
            if parallel.is_none() && size.is_none() {
                break;
            }
            self.detail(seq, Entry::ParallelLevel { level, parallel, size });
        }
        for level in 0..MAX_LEVELS {
            let task = self.entry_points.task_info(level, |info| Entry::TaskLevel {
                level,
                kind: info.kind,
                task: info.task,
                parallel: info.parallel,
                frames: Frames::of(info.frame),
            });
            let Some(task) = task else { break };
            self.detail(seq, task);
        }
    }

    fn thread(&self, event: Event, thread: &Thread) {
        self.record(Entry::Thread { event, kind: thread.kind, thread: thread.thread });
    }

    fn idle(&self, event: Event, idle: &Idle) {
        self.record(Entry::OfThread { event, thread: idle.thread });
    }

    fn record_flush(&self, event: Event, flush: &Flush) {
        self.record(Entry::OfThread { event, thread: flush.thread });
    }

    fn parallel(&self, _: Event, begin: &ParallelBegin<'_>) {
        let seq = self.record(Entry::ParallelBegin {
            parallel: begin.parallel,
            parent: begin.parent,
            frames: Frames::of(begin.parent_frame),
            requested: begin.requested_team_size,
            function: begin.function,
            invoker: begin.invoker,
        });
        self.record_levels(seq);
    }

    fn parallel_over(&self, _: Event, end: &ParallelEnd) {
        let ParallelEnd { parallel, task, invoker } = *end;
        let seq = self.record(Entry::ParallelEnd { parallel, task, invoker });
        self.record_levels(seq);
    }

    fn new_task(&self, _: Event, begin: &TaskBegin<'_>) {
        self.record(Entry::TaskBegin {
            task: begin.task,
            parent: begin.parent,
            frames: Frames::of(begin.parent_frame),
            function: begin.function,
        });
    }

    fn task(&self, event: Event, task: &Task) {
        self.record(Entry::Task { event, task: task.task });
    }

    fn region(&self, event: Event, region: &Region) {
        let Region { parallel, task } = *region;
        let seq = self.record(Entry::Region { event, parallel, task });
        if event == Event::IMPLICIT_TASK_BEGIN {
            self.record_levels(seq);
        }
    }

    fn construct(&self, event: Event, construct: &Construct) {
        let Construct { parallel, task, codeptr_ra: codeptr } = *construct;
        self.record(Entry::Construct { event, parallel, task, codeptr });
    }

    fn mutex(&self, event: Event, mutex: &Mutex) {
        self.record(Entry::Mutex { event, wait_id: mutex.wait_id });
    }

    fn lock(&self, event: Event, lock: &Lock) {
        let Lock { wait_id, hint, lock_type } = *lock;
        self.record(Entry::Lock { event, wait_id, hint: hint.0, lock_type });
    }

    fn atomic(&self, _: Event, atomic: &Atomic) {
        let Atomic { wait_id, atomic_type } = *atomic;
        self.record(Entry::Atomic { wait_id, atomic_type });
    }

    fn switch(&self, event: Event, switch: &TaskSwitch) {
        self.record(Entry::Pair { event, first: switch.suspended, second: switch.resumed });
    }

    fn dependence_pair(&self, event: Event, pair: &TaskDependencePair) {
        self.record(Entry::Pair { event, first: pair.producer, second: pair.consumer });
    }

    fn dependences(&self, _: Event, dependences: &Dependences<'_>) {
        let count = dependences.dependences.len();
        let seq = self.record(Entry::Dependences { task: dependences.task, count });
        let Some(seq) = seq else { return };
        for dependence in dependences.dependences {
            let (flags, variable) = (dependence.flags(), dependence.variable());
            self.detail(seq, Entry::Dependence { flags, variable });
        }
    }

    fn target_task(&self, _: Event, begin: &TargetTaskBegin<'_>) {
        self.record(Entry::TargetTaskBegin {
            task: begin.task,
            parent: begin.parent,
            frames: Frames::of(begin.parent_frame),
            device: begin.device_num,
            function: begin.function,
            kind: begin.kind,
        });
    }

    fn target_data(&self, _: Event, begin: &TargetDataBegin) {
        let TargetDataBegin { task, device_num: device, codeptr_ra: codeptr } = *begin;
        self.record(Entry::TargetDataBegin { task, device, codeptr });
    }

    fn map(&self, _: Event, begin: &TargetDataMapBegin<'_>) {
        let seq = self.record(Entry::MapBegin {
            task: begin.task,
            device: begin.device_num,
            map: begin.map,
            count: begin.items.len(),
        });
        let Some(seq) = seq else { return };
        for item in begin.items {
            self.detail(seq, Entry::MapItem { flags: item.flags(), bytes: item.bytes() });
        }
    }

    fn map_over(&self, _: Event, end: &TargetDataMapEnd) {
        self.record(Entry::MapEnd { device: end.device_num, map: end.map });
    }

    fn obey(&self, _: Event, control: &Control) {
        let Control { command, modifier } = *control;
        let seq = self.record(Entry::Control { command, modifier });
        self.record_levels(seq);
        match command {
            _ if self.ended.load(Ordering::Relaxed) => {}
            Control::START => self.paused.store(false, Ordering::Relaxed),
            Control::PAUSE => self.paused.store(true, Ordering::Relaxed),
            Control::FLUSH if self.settings.file.is_some() => self.write(),
            Control::END => {
                self.paused.store(true, Ordering::Relaxed);
                self.ended.store(true, Ordering::Relaxed);
                self.write();
            }
            _ => {}
        }
    }

    /// Writes everything recorded so far.
    fn write(&self) {
        let file = self.settings.file_for_process(self.started_in);
        let header = self.header.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Err(error) = log::write(&header, &self.buffers, file.as_deref()) {
            let name = file.map_or("stderr".into(), |file| file.display().to_string());
            eprintln!("oxomp-recorder: OXOMP_RECORD: cannot write {name}: {error}");
        }
    }
}

/// The methods of events that are recorded in the same manner, and the set of all their events.
macro_rules! recorded {
    ($($record:ident($arguments:ty): $($method:ident $event:ident),+;)*) => {
        const METHODS: EventSet = EventSet::of(&[$($(Event::$event),+),*])
            .union(EventSet::of(&[Event::RUNTIME_SHUTDOWN]));

        $($(
            fn $method(&self, event: &$arguments) {
                self.$record(Event::$event, event);
            }
        )+)*
    };
}

const _: () = assert!(matches!(
    Recorder::METHODS.without(EventSet::ALL).union(EventSet::ALL.without(Recorder::METHODS)),
    EventSet::NONE
));

impl Tool for Recorder {
    fn wanted() -> bool {
        // If a setting is wrong, the recorder has said so as a tool of the other interface.
        Interface::from_env() == Ok(Interface::Report2015)
            && Settings::<EventSet>::from_env()
                .inspect_err(|message| eprintln!("oxomp-recorder: {message}"))
                .is_ok()
    }

    fn initialize(initialization: &Initialization) -> Option<Self> {
        let settings = Settings::from_env().ok()?;
        Some(Self {
            header: StdMutex::new(Header::new(initialization)),
            entry_points: initialization.entry_points,
            started: Instant::now(),
            started_in: *STARTED_IN.get_or_init(process::id),
            sequence: AtomicU64::new(0),
            buffers: Buffers::new(settings.capacity),
            settings,
            paused: AtomicBool::new(false),
            ended: AtomicBool::new(false),
        })
    }

    fn events(&self) -> EventSet {
        self.settings.events
    }

    fn registered(&self, registration: &Registration) {
        let mut header = self.header.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        header.registration = Some(*registration);
    }

    fn runtime_shutdown(&self) {
        self.record(Entry::Shutdown);
        if !self.ended.load(Ordering::Relaxed) {
            self.write();
        }
    }

    recorded! {
        thread(Thread): thread_begin THREAD_BEGIN, thread_end THREAD_END;
        idle(Idle): idle_begin IDLE_BEGIN, idle_end IDLE_END;
        record_flush(Flush): flush FLUSH;
        parallel(ParallelBegin<'_>): parallel_begin PARALLEL_BEGIN;
        parallel_over(ParallelEnd): parallel_end PARALLEL_END;
        new_task(TaskBegin<'_>): task_begin TASK_BEGIN;
        task(Task): task_end TASK_END, initial_task_begin INITIAL_TASK_BEGIN,
            initial_task_end INITIAL_TASK_END, target_task_end TARGET_TASK_END,
            target_data_end TARGET_DATA_END;
        region(Region): wait_barrier_begin WAIT_BARRIER_BEGIN, wait_barrier_end WAIT_BARRIER_END,
            wait_taskwait_begin WAIT_TASKWAIT_BEGIN, wait_taskwait_end WAIT_TASKWAIT_END,
            wait_taskgroup_begin WAIT_TASKGROUP_BEGIN, wait_taskgroup_end WAIT_TASKGROUP_END,
            implicit_task_begin IMPLICIT_TASK_BEGIN, implicit_task_end IMPLICIT_TASK_END,
            loop_end LOOP_END, sections_end SECTIONS_END,
            single_in_block_end SINGLE_IN_BLOCK_END, single_others_begin SINGLE_OTHERS_BEGIN,
            single_others_end SINGLE_OTHERS_END, workshare_end WORKSHARE_END,
            master_end MASTER_END, barrier_end BARRIER_END, taskwait_end TASKWAIT_END,
            taskgroup_end TASKGROUP_END;
        construct(Construct): loop_begin LOOP_BEGIN, sections_begin SECTIONS_BEGIN,
            single_in_block_begin SINGLE_IN_BLOCK_BEGIN, workshare_begin WORKSHARE_BEGIN,
            master_begin MASTER_BEGIN, barrier_begin BARRIER_BEGIN,
            taskwait_begin TASKWAIT_BEGIN, taskgroup_begin TASKGROUP_BEGIN;
        mutex(Mutex): release_lock RELEASE_LOCK, release_nest_lock_last RELEASE_NEST_LOCK_LAST,
            release_critical RELEASE_CRITICAL, release_atomic RELEASE_ATOMIC,
            release_ordered RELEASE_ORDERED, release_nest_lock_prev RELEASE_NEST_LOCK_PREV,
            wait_lock WAIT_LOCK, wait_nest_lock WAIT_NEST_LOCK, wait_ordered WAIT_ORDERED,
            acquired_lock ACQUIRED_LOCK, acquired_nest_lock_first ACQUIRED_NEST_LOCK_FIRST,
            acquired_nest_lock_next ACQUIRED_NEST_LOCK_NEXT,
            acquired_critical ACQUIRED_CRITICAL, acquired_atomic ACQUIRED_ATOMIC,
            acquired_ordered ACQUIRED_ORDERED, destroy_lock DESTROY_LOCK,
            destroy_nest_lock DESTROY_NEST_LOCK;
        lock(Lock): wait_critical WAIT_CRITICAL, init_lock INIT_LOCK,
            init_nest_lock INIT_NEST_LOCK;
        atomic(Atomic): wait_atomic WAIT_ATOMIC;
        switch(TaskSwitch): task_switch TASK_SWITCH;
        dependence_pair(TaskDependencePair): task_dependence_pair TASK_DEPENDENCE_PAIR;
        dependences(Dependences<'_>): task_dependences TASK_DEPENDENCES;
        target_task(TargetTaskBegin<'_>): target_task_begin TARGET_TASK_BEGIN;
        target_data(TargetDataBegin): target_data_begin TARGET_DATA_BEGIN;
        map(TargetDataMapBegin<'_>): target_data_map_begin TARGET_DATA_MAP_BEGIN;
        map_over(TargetDataMapEnd): target_data_map_end TARGET_DATA_MAP_END;
        obey(Control): control CONTROL;
    }
}
