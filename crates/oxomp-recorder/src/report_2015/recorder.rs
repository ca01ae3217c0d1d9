//! The tool of the report's interface: every callback makes one record, and some a few details.

use std::process;
use std::sync::OnceLock;

use ompt::report_2015::{
    Atomic, Construct, Control, DependenceFlags, Dependences, EntryPoints, Event, EventSet, Flush,
    Frame, Idle, Initialization, Lock, MapFlags, MapId, Mutex, ParallelBegin, ParallelEnd,
    ParallelId, Region, Registration, TargetDataBegin, TargetDataMapBegin, TargetDataMapEnd,
    TargetTaskBegin, Task, TaskBegin, TaskDependencePair, TaskId, TaskSwitch, Thread, ThreadId,
    Tool, WaitId,
};

use super::header::Header;
use crate::record::values;
use crate::recording::Recording;
use crate::settings::{Interface, Settings};
use crate::value::{Numbered, Value};

const MAX_LEVELS: u32 = 8;

/// The process that has started the tool first: its children start it anew.
static STARTED_IN: OnceLock<u32> = OnceLock::new();

/// The recorder of the report's events.
#[derive(Debug)]
pub(crate) struct Recorder {
    recording: Recording<Header, EventSet>,
    entry_points: EntryPoints,
}

fn region(id: Option<ParallelId>) -> Value {
    Value::id(Numbered::Parallel, id.map(ParallelId::get))
}

fn task(id: Option<TaskId>) -> Value {
    Value::id(Numbered::Task, id.map(TaskId::get))
}

fn wait_id(id: Option<WaitId>) -> Value {
    Value::id(Numbered::Wait, id.map(WaitId::get))
}

fn map(id: MapId) -> Value {
    Value::Number(Numbered::Map, id.0)
}

/// The address in a task's frame.
fn address(address: Option<u64>) -> Value {
    match address {
        None => Value::Bits(0, |_| "none".to_owned()),
        Some(address) => Value::Bits(address, |address| format!("set@{address:#x}")),
    }
}

fn exit(frame: Option<Frame<'_>>) -> Value {
    address(frame.and_then(|frame| frame.exit()))
}

fn reenter(frame: Option<Frame<'_>>) -> Value {
    address(frame.and_then(|frame| frame.reenter()))
}

/// The kind of a dependence.
fn dependence(flags: DependenceFlags) -> Value {
    Value::Bits(flags.0.into(), |bits| match DependenceFlags(bits as u32) {
        flags @ (DependenceFlags::IN | DependenceFlags::OUT | DependenceFlags::INOUT) => {
            flags.to_string()
        }
        DependenceFlags(other) => format!("{other:#x}"),
    })
}

impl Recorder {
    /// Records one event.
    fn record<const N: usize>(
        &self,
        event: Event,
        values: [(&'static str, Value); N],
    ) -> Option<u64> {
        let state_and_wait = || {
            let (state, wait) = self.entry_points.state_and_wait_id();
            (state.into(), wait.map_or(Value::NONE, |wait| wait_id(Some(wait))))
        };
        self.recording.event(event.name(), state_and_wait, || values)
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
            let size = size.map_or((-1).into(), Value::from);
            let values = values! { level: level, parallel: region(parallel), size: size };
            self.recording.detail(seq, "parallel_info", values);
        }
        for level in 0..MAX_LEVELS {
            let info = self.entry_points.task_info(level, |info| {
                values! {
                    level: level,
                    type: info.kind,
                    task: task(info.task),
                    parallel: region(info.parallel),
                    exit_frame: exit(info.frame),
                    reenter_frame: reenter(info.frame),
                }
            });
            let Some(values) = info else { break };
            self.recording.detail(seq, "task_info", values);
        }
    }

    /// The id of a thread, to be compared with the runtime's answer.
    fn thread_id(&self, id: Option<ThreadId>) -> Value {
        Value::ThreadId(id, self.entry_points.thread_id())
    }

    fn thread(&self, event: Event, thread: &Thread) {
        let thread_id = self.thread_id(thread.thread);
        self.record(event, values! { type: thread.kind, thread_id: thread_id });
    }

    fn idle(&self, event: Event, idle: &Idle) {
        self.record(event, values! { thread_id: self.thread_id(idle.thread) });
    }

    fn record_flush(&self, event: Event, flush: &Flush) {
        self.record(event, values! { thread_id: self.thread_id(flush.thread) });
    }

    fn parallel(&self, event: Event, begin: &ParallelBegin<'_>) {
        let seq = self.record(
            event,
            values! {
                parallel: region(begin.parallel),
                parent: task(begin.parent),
                exit_frame: exit(begin.parent_frame),
                reenter_frame: reenter(begin.parent_frame),
                requested: begin.requested_team_size,
                function: begin.function,
                invoker: begin.invoker,
            },
        );
        self.record_levels(seq);
    }

    fn parallel_over(&self, event: Event, end: &ParallelEnd) {
        let seq = self.record(
            event,
            values! {
                parallel: region(end.parallel),
                task: task(end.task),
                invoker: end.invoker,
            },
        );
        self.record_levels(seq);
    }

    fn new_task(&self, event: Event, begin: &TaskBegin<'_>) {
        self.record(
            event,
            values! {
                task: task(begin.task),
                parent: task(begin.parent),
                exit_frame: exit(begin.parent_frame),
                reenter_frame: reenter(begin.parent_frame),
                function: begin.function,
            },
        );
    }

    fn task(&self, event: Event, of: &Task) {
        self.record(event, values! { task: task(of.task) });
    }

    fn region(&self, event: Event, of: &Region) {
        let seq =
            self.record(event, values! { parallel: region(of.parallel), task: task(of.task) });
        if event == Event::IMPLICIT_TASK_BEGIN {
            self.record_levels(seq);
        }
    }

    fn construct(&self, event: Event, construct: &Construct) {
        self.record(
            event,
            values! {
                parallel: region(construct.parallel),
                task: task(construct.task),
                codeptr: construct.codeptr_ra,
            },
        );
    }

    fn mutex(&self, event: Event, mutex: &Mutex) {
        self.record(event, values! { wait_id: wait_id(mutex.wait_id) });
    }

    fn lock(&self, event: Event, lock: &Lock) {
        self.record(
            event,
            values! { wait_id: wait_id(lock.wait_id), hint: lock.hint, type: lock.lock_type },
        );
    }

    fn atomic(&self, event: Event, atomic: &Atomic) {
        self.record(event, values! { wait_id: wait_id(atomic.wait_id), type: atomic.atomic_type });
    }

    fn switch(&self, event: Event, switch: &TaskSwitch) {
        self.record(event, values! { first: task(switch.suspended), second: task(switch.resumed) });
    }

    fn dependence_pair(&self, event: Event, pair: &TaskDependencePair) {
        self.record(event, values! { first: task(pair.producer), second: task(pair.consumer) });
    }

    fn dependences(&self, event: Event, of: &Dependences<'_>) {
        let values = values! { task: task(of.task), count: of.dependences.len() };
        let Some(seq) = self.record(event, values) else { return };
        for one in of.dependences {
            let variable = Value::Number(Numbered::Variable, one.variable());
            let values = values! { type: dependence(one.flags()), variable: variable };
            self.recording.detail(seq, "dependence", values);
        }
    }

    fn target_task(&self, event: Event, begin: &TargetTaskBegin<'_>) {
        self.record(
            event,
            values! {
                task: task(begin.task),
                parent: task(begin.parent),
                exit_frame: exit(begin.parent_frame),
                reenter_frame: reenter(begin.parent_frame),
                device: begin.device_num,
                function: begin.function,
                type: begin.kind,
            },
        );
    }

    fn target_data(&self, event: Event, begin: &TargetDataBegin) {
        self.record(
            event,
            values! {
                task: task(begin.task),
                device: begin.device_num,
                codeptr: begin.codeptr_ra,
            },
        );
    }

    fn map(&self, event: Event, begin: &TargetDataMapBegin<'_>) {
        let values = values! {
            task: task(begin.task),
            device: begin.device_num,
            map: map(begin.map),
            count: begin.items.len(),
        };
        let Some(seq) = self.record(event, values) else { return };
        for item in begin.items {
            let flags = item.flags();
            let map_type =
                Value::Bits(flags.0.into(), |bits| MapFlags(bits as u32).map_type().to_string());
            let is_sync = flags.contains(MapFlags::SYNC);
            let values = values! { type: map_type, sync: is_sync, bytes: item.bytes() };
            self.recording.detail(seq, "map", values);
        }
    }

    fn map_over(&self, event: Event, end: &TargetDataMapEnd) {
        self.record(event, values! { device: end.device_num, map: map(end.map) });
    }

    fn obey(&self, event: Event, control: &Control) {
        let seq =
            self.record(event, values! { command: control.command, modifier: control.modifier });
        self.record_levels(seq);
        let recording = &self.recording;
        match control.command {
            _ if recording.has_ended() => {}
            Control::START => recording.pause(false),
            Control::PAUSE => recording.pause(true),
            Control::FLUSH if recording.has_file() => recording.write(),
            Control::END => recording.end(),
            _ => {}
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
        let started_in = *STARTED_IN.get_or_init(process::id);
        Some(Self {
            recording: Recording::new(settings, Header::new(initialization), started_in),
            entry_points: initialization.entry_points,
        })
    }

    fn events(&self) -> EventSet {
        self.recording.events()
    }

    fn registered(&self, registration: &Registration) {
        self.recording.change_header(|header| header.registration = Some(*registration));
    }

    fn runtime_shutdown(&self) {
        self.record(Event::RUNTIME_SHUTDOWN, values! {});
        if !self.recording.has_ended() {
            self.recording.write();
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
