//! The tool of OpenMP's interface: every callback makes one record, and some a few details.

use std::cell::Cell;
use std::process;

use ompt::{
    Cancel, ControlResult, ControlTool, DataWord, DependenceKind, Dependences, DeviceFinalize,
    DeviceInitialize, DeviceLoad, Dispatch, DispatchInstance, DispatchKind, Endpoint, EntryPoints,
    ErrorDirective, Event, EventSet, Flush, ImplicitTask, Info, Initialization, Masked, Mutex,
    MutexAcquire, NestLock, ParallelBegin, ParallelEnd, Registration, Runtime, SyncRegion, Target,
    TargetDataOp, TargetDataOpEmi, TargetEmi, TargetSubmit, TargetSubmitEmi, TaskCreate,
    TaskDependence, TaskSchedule, ThreadBegin, ThreadEnd, Tool, Work,
};

use crate::header::Header;
use crate::ids::{Announced, Kind, Numbers, Word};
use crate::record::values;
use crate::recording::Recording;
use crate::settings::{Interface, Settings};
use crate::value::{Numbered, Value};

const MAX_LEVELS: u32 = 8;

thread_local! {
    /// The word given to this thread at its begin.
    static THREAD_WORD: Cell<Word> = const { Cell::new(Word::ZERO) };
}

/// The recorder.
#[derive(Debug)]
pub(crate) struct Recorder {
    recording: Recording<Header, EventSet>,
    entry_points: EntryPoints,
    parallels: Numbers,
    tasks: Numbers,
    threads: Numbers,
}

impl Recorder {
    /// Records one event.
    fn record<const N: usize>(
        &self,
        event: Event,
        values: impl FnOnce() -> [(&'static str, Value); N],
    ) -> Option<u64> {
        let state_and_wait = || {
            let (state, wait_id) = self.entry_points.state_and_wait_id();
            let wait_id = wait_id.filter(|wait_id| wait_id.0 != 0);
            (state.into(), wait_id.map_or(Value::NONE, Value::from))
        };
        self.recording.event(event.name(), state_and_wait, values)
    }

    /// Records the regions and tasks around the caller, as the entry points show them.
    fn record_levels(&self, seq: Option<u64>) {
        let Some(seq) = seq else { return };
        for level in 0..MAX_LEVELS {
            let name = "parallel_info";
            match self.entry_points.parallel_info(level, |info| {
                values! {
                    level: level,
                    result: 2,
                    parallel: region(info.parallel),
                    size: info.team_size,
                }
            }) {
                Info::Available(values) => self.recording.detail(seq, name, values),
                Info::Unavailable => {
                    self.recording.detail(seq, name, values! { level: level, result: 1 });
                }
                Info::None => break,
            }
        }
        for level in 0..MAX_LEVELS {
            let name = "task_info";
            match self.entry_points.task_info(level, |info| {
                values! {
                    level: level,
                    result: 2,
                    task: task(info.task),
                    flags: info.flags,
                    parallel: region(info.parallel),
                    thread_num: info.thread_num,
                    exit_frame: info.frame.and_then(|frame| frame.exit()),
                    enter_frame: info.frame.and_then(|frame| frame.enter()),
                }
            }) {
                Info::Available(values) => self.recording.detail(seq, name, values),
                Info::Unavailable => {
                    self.recording.detail(seq, name, values! { level: level, result: 1 });
                }
                Info::None => break,
            }
        }
    }

    fn record_sync(&self, event: Event, region_of: &SyncRegion<'_>) {
        self.record(event, || {
            values! {
                kind: region_of.kind,
                endpoint: region_of.endpoint,
                parallel: region(region_of.parallel),
                task: task(region_of.task),
                codeptr: region_of.codeptr_ra,
            }
        });
    }

    fn record_acquire(&self, event: Event, mutex: &MutexAcquire) {
        self.record(event, || {
            values! {
                kind: mutex.kind,
                hint: mutex.hint,
                impl: mutex.implementation,
                wait_id: mutex.wait_id,
                codeptr: mutex.codeptr_ra,
            }
        });
    }

    fn record_mutex(&self, event: Event, mutex: &Mutex) {
        self.record(event, || {
            values! { kind: mutex.kind, wait_id: mutex.wait_id, codeptr: mutex.codeptr_ra }
        });
    }
}

/// The word of a region.
fn region(word: Option<&DataWord>) -> Value {
    Value::Word(Kind::Parallel, Word::of(word))
}

/// The word of a task.
fn task(word: Option<&DataWord>) -> Value {
    Value::Word(Kind::Task, Word::of(word))
}

/// The check of a thread's data word: it must be the one given at the thread's begin.
fn thread(word: Option<&DataWord>) -> Value {
    const ANSWERS: [&str; 3] = ["ok", "null", "wrong"];
    let answer = match Word::of(word) {
        Word::NULL => 1,
        word if word.is(Kind::Thread) && word == THREAD_WORD.get() => 0,
        _ => 2,
    };
    Value::Bits(answer, |answer| ANSWERS[answer as usize].to_owned())
}

/// The kind of a dispatch event, and what it is about.
fn dispatched(instance: DispatchInstance) -> (DispatchKind, Value) {
    match instance {
        DispatchInstance::Iteration(number) => (DispatchKind::Iteration, number.into()),
        DispatchInstance::Section(codeptr) => (DispatchKind::Section, codeptr.into()),
        DispatchInstance::WsLoopChunk(chunk) => {
            (DispatchKind::WsLoopChunk, Value::Chunk(chunk.start, chunk.iterations))
        }
        DispatchInstance::TaskloopChunk(chunk) => {
            (DispatchKind::TaskloopChunk, Value::Chunk(chunk.start, chunk.iterations))
        }
        DispatchInstance::DistributeChunk(chunk) => {
            (DispatchKind::DistributeChunk, Value::Chunk(chunk.start, chunk.iterations))
        }
        DispatchInstance::Unknown { kind, instance } => {
            (DispatchKind::Unknown(kind), Value::hex(instance))
        }
    }
}

/// Every event that the recorder may register has a method, by which it gets into the log.
const _: () = assert!(matches!(EventSet::of(Event::ALL).without(Recorder::METHODS), NOT_RECORDED));

/// The events that the recorder does not register: the runtime does not raise them.
const NOT_RECORDED: EventSet =
    EventSet::of(&[Event::DEVICE_UNLOAD, Event::TARGET_MAP, Event::TARGET_MAP_EMI]);

#[ompt::tool]
impl Tool for Recorder {
    fn wanted(_runtime: &Runtime) -> bool {
        let settings = Interface::from_env()
            .and_then(|interface| Ok((interface, Settings::<EventSet>::from_env()?)));
        match settings {
            Ok((interface, _)) => interface == Interface::OpenMp,
            Err(message) => {
                eprintln!("oxomp-recorder: {message}");
                false
            }
        }
    }

    fn initialize(initialization: &Initialization) -> Option<Self> {
        let settings = Settings::from_env().ok()?;
        Some(Self {
            recording: Recording::new(settings, Header::new(initialization), process::id()),
            entry_points: initialization.entry_points,
            parallels: Numbers::new(),
            tasks: Numbers::new(),
            threads: Numbers::new(),
        })
    }

    fn events(&self) -> EventSet {
        self.recording.events()
    }

    fn registered(&self, registration: &Registration) {
        self.recording.change_header(|header| header.registration = Some(*registration));
    }

    fn finalize(&self) {
        if !self.recording.has_ended() {
            self.recording.write();
        }
    }

    fn thread_begin(&self, event: &ThreadBegin<'_>) {
        self.record(Event::THREAD_BEGIN, || {
            let Announced { word, dirty } = self.threads.announce(event.thread, Kind::Thread);
            THREAD_WORD.set(word);
            values! { type: event.kind, dirty: Value::Dirty(dirty) }
        });
    }

    fn thread_end(&self, event: &ThreadEnd<'_>) {
        self.record(Event::THREAD_END, || values! { thread_data: thread(event.thread) });
    }

    fn parallel_begin(&self, event: &ParallelBegin<'_>) {
        let seq = self.record(Event::PARALLEL_BEGIN, || {
            let Announced { word, dirty } = self.parallels.announce(event.parallel, Kind::Parallel);
            values! {
                parallel: Value::Word(Kind::Parallel, word),
                encountering_task: task(event.encountering_task),
                exit_frame: event.encountering_frame.and_then(|frame| frame.exit()),
                enter_frame: event.encountering_frame.and_then(|frame| frame.enter()),
                requested: event.requested_parallelism,
                flags: event.flags,
                codeptr: event.codeptr_ra,
                dirty: Value::Dirty(dirty),
            }
        });
        self.record_levels(seq);
    }

    fn parallel_end(&self, event: &ParallelEnd<'_>) {
        let seq = self.record(Event::PARALLEL_END, || {
            values! {
                parallel: region(event.parallel),
                encountering_task: task(event.encountering_task),
                flags: event.flags,
                codeptr: event.codeptr_ra,
            }
        });
        self.record_levels(seq);
    }

    fn implicit_task(&self, event: &ImplicitTask<'_>) {
        let begin = event.endpoint == Endpoint::Begin;
        let seq = self.record(Event::IMPLICIT_TASK, || {
            // The initial task's region begins without an event.
            let parallel = match begin {
                true => self.parallels.announce_once(event.parallel, Kind::Parallel),
                false => Word::of(event.parallel),
            };
            let task = match begin {
                true => self.tasks.announce(event.task, Kind::Task),
                false => Announced { word: Word::of(event.task), dirty: 0 },
            };
            values! {
                endpoint: event.endpoint,
                parallel: Value::Word(Kind::Parallel, parallel),
                task: Value::Word(Kind::Task, task.word),
                parallelism: event.actual_parallelism,
                index: event.index,
                flags: event.flags,
                dirty: Value::Dirty(task.dirty),
            }
        });
        if begin {
            self.record_levels(seq);
        }
    }

    fn work(&self, event: &Work<'_>) {
        self.record(Event::WORK, || {
            values! {
                type: event.kind,
                endpoint: event.endpoint,
                parallel: region(event.parallel),
                task: task(event.task),
                count: event.count,
                codeptr: event.codeptr_ra,
            }
        });
    }

    fn dispatch(&self, event: &Dispatch<'_>) {
        self.record(Event::DISPATCH, || {
            let (kind, instance) = dispatched(event.instance);
            values! {
                kind: kind,
                parallel: region(event.parallel),
                task: task(event.task),
                instance: instance,
            }
        });
    }

    fn sync_region(&self, event: &SyncRegion<'_>) {
        self.record_sync(Event::SYNC_REGION, event);
    }

    fn sync_region_wait(&self, event: &SyncRegion<'_>) {
        self.record_sync(Event::SYNC_REGION_WAIT, event);
    }

    fn reduction(&self, event: &SyncRegion<'_>) {
        self.record_sync(Event::REDUCTION, event);
    }

    fn masked(&self, event: &Masked<'_>) {
        self.record(Event::MASKED, || {
            values! {
                endpoint: event.endpoint,
                parallel: region(event.parallel),
                task: task(event.task),
                codeptr: event.codeptr_ra,
            }
        });
    }

    fn lock_init(&self, event: &MutexAcquire) {
        self.record_acquire(Event::LOCK_INIT, event);
    }

    fn mutex_acquire(&self, event: &MutexAcquire) {
        self.record_acquire(Event::MUTEX_ACQUIRE, event);
    }

    fn lock_destroy(&self, event: &Mutex) {
        self.record_mutex(Event::LOCK_DESTROY, event);
    }

    fn mutex_acquired(&self, event: &Mutex) {
        self.record_mutex(Event::MUTEX_ACQUIRED, event);
    }

    fn mutex_released(&self, event: &Mutex) {
        self.record_mutex(Event::MUTEX_RELEASED, event);
    }

    fn nest_lock(&self, event: &NestLock) {
        self.record(Event::NEST_LOCK, || {
            values! {
                endpoint: event.endpoint,
                wait_id: event.wait_id,
                codeptr: event.codeptr_ra,
            }
        });
    }

    fn flush(&self, event: &Flush<'_>) {
        self.record(Event::FLUSH, || {
            values! { thread_data: thread(event.thread), codeptr: event.codeptr_ra }
        });
    }

    fn task_create(&self, event: &TaskCreate<'_>) {
        self.record(Event::TASK_CREATE, || {
            let Announced { word, dirty } = self.tasks.announce(event.task, Kind::Task);
            values! {
                task: Value::Word(Kind::Task, word),
                encountering_task: task(event.encountering_task),
                exit_frame: event.encountering_frame.and_then(|frame| frame.exit()),
                enter_frame: event.encountering_frame.and_then(|frame| frame.enter()),
                flags: event.flags,
                has_dependences: event.has_dependences,
                codeptr: event.codeptr_ra,
                dirty: Value::Dirty(dirty),
            }
        });
    }

    fn task_schedule(&self, event: &TaskSchedule<'_>) {
        self.record(Event::TASK_SCHEDULE, || {
            values! { prior: task(event.prior), status: event.status, next: task(event.next) }
        });
    }

    fn dependences(&self, event: &Dependences<'_>) {
        let seq = self.record(Event::DEPENDENCES, || {
            values! { task: task(event.task), count: event.dependences.len() }
        });
        let Some(seq) = seq else { return };
        for dependence in event.dependences {
            let (kind, variable) = (dependence.kind(), dependence.variable());
            let variable = match kind {
                DependenceKind::Source | DependenceKind::Sink => variable.into(),
                _ => Value::Number(Numbered::Variable, variable),
            };
            let values = values! { type: kind, variable: variable };
            self.recording.detail(seq, "dependence", values);
        }
    }

    fn task_dependence(&self, event: &TaskDependence<'_>) {
        self.record(Event::TASK_DEPENDENCE, || {
            values! { source: task(event.source), sink: task(event.sink) }
        });
    }

    fn cancel(&self, event: &Cancel<'_>) {
        self.record(Event::CANCEL, || {
            values! { task: task(event.task), flags: event.flags, codeptr: event.codeptr_ra }
        });
    }

    fn error(&self, event: &ErrorDirective<'_>) {
        self.record(Event::ERROR, || {
            let [first, second, third] = Value::message(event.message);
            values! {
                severity: event.severity,
                length: event.message.len(),
                codeptr: event.codeptr_ra,
                message: first,
                message: second,
                message: third,
            }
        });
    }

    fn device_initialize(&self, event: &DeviceInitialize<'_>) {
        self.record(Event::DEVICE_INITIALIZE, || values! { device: event.device_num });
    }

    fn device_finalize(&self, event: &DeviceFinalize) {
        self.record(Event::DEVICE_FINALIZE, || values! { device: event.device_num });
    }

    fn device_load(&self, event: &DeviceLoad<'_>) {
        self.record(Event::DEVICE_LOAD, || values! { device: event.device_num });
    }

    fn target(&self, event: &Target<'_>) {
        self.record(Event::TARGET, || {
            values! {
                kind: event.kind,
                endpoint: event.endpoint,
                device: event.device_num,
                task: task(event.task),
                codeptr: event.codeptr_ra,
            }
        });
    }

    fn target_emi(&self, event: &TargetEmi<'_>) {
        self.record(Event::TARGET_EMI, || {
            values! {
                kind: event.kind,
                endpoint: event.endpoint,
                device: event.device_num,
                task: task(event.task),
                target_task: task(event.target_task),
                codeptr: event.codeptr_ra,
            }
        });
    }

    fn target_data_op(&self, event: &TargetDataOp) {
        self.record(Event::TARGET_DATA_OP, || {
            values! {
                kind: event.kind,
                src: Value::Place(event.src_addr.0 != 0, event.src_device_num),
                dest: Value::Place(event.dest_addr.0 != 0, event.dest_device_num),
                bytes: event.bytes,
                codeptr: event.codeptr_ra,
            }
        });
    }

    fn target_data_op_emi(&self, event: &TargetDataOpEmi<'_>) {
        self.record(Event::TARGET_DATA_OP_EMI, || {
            values! {
                endpoint: event.endpoint,
                target_task: task(event.target_task),
                kind: event.kind,
                src: Value::Place(event.src_addr.0 != 0, event.src_device_num),
                dest: Value::Place(event.dest_addr.0 != 0, event.dest_device_num),
                bytes: event.bytes,
                codeptr: event.codeptr_ra,
            }
        });
    }

    fn target_submit(&self, event: &TargetSubmit) {
        self.record(Event::TARGET_SUBMIT, || values! { teams: event.requested_num_teams });
    }

    fn target_submit_emi(&self, event: &TargetSubmitEmi<'_>) {
        self.record(Event::TARGET_SUBMIT_EMI, || {
            values! { endpoint: event.endpoint, teams: event.requested_num_teams }
        });
    }

    fn control_tool(&self, event: &ControlTool) -> ControlResult {
        let seq = self.record(Event::CONTROL_TOOL, || {
            let arg = match event.arg.addr() as u64 {
                0 => Value::Bits(0, |_| "null".to_owned()),
                arg => Value::hex(arg),
            };
            values! {
                command: event.command,
                modifier: event.modifier,
                arg: arg,
                codeptr: event.codeptr_ra,
            }
        });
        self.record_levels(seq);
        let recording = &self.recording;
        match event.command {
            _ if recording.has_ended() => return ControlResult::IGNORED,
            ControlTool::START => recording.pause(false),
            ControlTool::PAUSE => recording.pause(true),
            ControlTool::FLUSH if !recording.has_file() => return ControlResult::IGNORED,
            ControlTool::FLUSH => recording.write(),
            ControlTool::END => recording.end(),
            ControlTool::FIRST_OWN.. => {}
            _ => return ControlResult::IGNORED,
        }
        ControlResult::SUCCESS
    }
}
