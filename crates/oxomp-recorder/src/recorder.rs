//! The tool of OpenMP's interface: every callback makes one record, and some a few details.
//!
//! The keys of each event stand in the order in which its method gives them to `values!`; a test of
//! `oxomp-testing` compares the tables with the methods.
//!
//! | event | keys |
//! |---|---|
//! | `thread_begin` | `type` |
//! | `thread_end` | `thread_data` |
//! | `parallel_begin` | `parallel encountering_task exit_frame enter_frame` |
//! | | `requested flags codeptr` |
//! | `parallel_end` | `parallel encountering_task flags codeptr` |
//! | `implicit_task` | `endpoint parallel task parallelism index flags` |
//! | `work` | `type endpoint parallel task count codeptr` |
//! | `dispatch` | `kind parallel task instance` |
//! | `sync_region`, `sync_region_wait`, `reduction` | `kind endpoint parallel task codeptr` |
//! | `masked` | `endpoint parallel task codeptr` |
//! | `mutex_acquire`, `lock_init` | `kind hint impl wait_id codeptr` |
//! | `mutex_acquired`, `mutex_released`, `lock_destroy` | `kind wait_id codeptr` |
//! | `nest_lock` | `endpoint wait_id codeptr` |
//! | `flush` | `thread_data codeptr` |
//! | `task_create` | `task encountering_task exit_frame enter_frame` |
//! | | `flags has_dependences codeptr` |
//! | `task_schedule` | `prior status next` |
//! | `dependences` | `task count`; a detail `dependence type variable` for each |
//! | `task_dependence` | `source sink` |
//! | `cancel` | `task flags codeptr` |
//! | `error` | `severity length codeptr message` |
//! | `target` | `kind endpoint device task codeptr` |
//! | `target_data_op` | `kind src dest bytes codeptr` |
//! | `target_submit` | `teams` |
//! | `target_emi` | `kind endpoint device task target_task codeptr` |
//! | `target_data_op_emi` | `endpoint target_task kind src dest bytes codeptr` |
//! | `target_submit_emi` | `endpoint teams` |
//! | `device_initialize`, `device_finalize`, `device_load` | `device` |
//! | `control_tool` | `command modifier arg codeptr` |
//!
//! `target`, `target_data_op` and `target_submit`, which the `_emi` events replace, are registered
//! only if they are named.
//!
//! Numbers are decimal unless the table says otherwise.
//!
//! | key | meaning |
//! |---|---|
//! | `arg` | third argument of `omp_control_tool`, a hexadecimal address or `null` |
//! | `bytes` | size of the memory of a data operation, in bytes |
//! | `codeptr` | code address: where the construct is, or the program's call of a routine |
//! | `command`, `modifier` | first two arguments of `omp_control_tool`, numbers without sign |
//! | `count` | `work`: iterations of the whole loop, sections, or units of work; may be 0 at the |
//! | | end; `dependences`: how many details follow |
//! | `device` | number of the device |
//! | `encountering_task` | task that met the construct |
//! | `endpoint` | `begin`, `end` or `beginend` |
//! | `enter_frame`, `exit_frame` | two addresses of the frame of the encountering task, in |
//! | | `task_info` of the task |
//! | `flags` | flags of the region, task or cancellation |
//! | `has_dependences` | 1 if the task has dependences, else 0 |
//! | `hint` | program's hint, the number of an `omp_sync_hint_t` |
//! | `impl` | runtime's number of the mutex's implementation |
//! | `index` | number of the thread in the team, or of the team in the league; 1 for an initial |
//! | | task |
//! | `instance` | an iteration's number, a section's code address, or a chunk as |
//! | | `start+iterations`: its first iteration and how many it has |
//! | `kind` | kind of mutex, of synchronization, of dispatched work, of target construct or of |
//! | | data operation |
//! | `length` | length of the whole message in bytes |
//! | `level` | nesting level of the region or task, from 0, the innermost |
//! | `message` | first 64 bytes of the message, all but graphic ASCII as `\xNN` |
//! | `parallel` | region: the new or ending one, otherwise that of the task |
//! | `parallelism` | begin: threads of the team, or teams of the league; end: 0 |
//! | `prior`, `next` | task that stops, completes or is fulfilled; task that starts or resumes |
//! | `requested` | threads or teams that the program asked for |
//! | `result` | the entry point's answer: 2 with a description, 1 without |
//! | `severity` | severity of the directive |
//! | `size` | threads of the team |
//! | `source`, `sink` | task that must complete first; task that waits for it |
//! | `src`, `dest` | `set` or `null` for the address, `@`, and the number of the device |
//! | `status` | reason for the event: what has become of the prior task |
//! | `target_task` | target task of the construct |
//! | `task` | task: the new one, otherwise the one that the event is about |
//! | `teams` | teams that the program asked for |
//! | `thread_data` | `ok` if the thread's word is the one of its begin, else `null` or `wrong` |
//! | `thread_num` | number of the thread in the team |
//! | `type` | kind of thread, of worksharing or of dependence |
//! | `variable` | dependence variable; for `source` and `sink` a number, an element of the |
//! | | iteration vector |
//! | `wait_id` | wait id of the mutex |

use std::cell::Cell;
use std::process;

use ompt::{
    Cancel, ControlResult, ControlTool, DataWord, DependenceKind, Dependences, DeviceFinalize,
    DeviceInitialize, DeviceLoad, Dispatch, DispatchInstance, DispatchKind, Endpoint, EntryPoints,
    ErrorDirective, Event, EventSet, Flush, ImplicitTask, Initialization, Masked, Mutex,
    MutexAcquire, NestLock, ParallelBegin, ParallelEnd, Registration, Runtime, SyncRegion, Target,
    TargetDataOp, TargetDataOpEmi, TargetEmi, TargetSubmit, TargetSubmitEmi, TaskCreate,
    TaskDependence, TaskSchedule, ThreadBegin, ThreadEnd, Tool, Work,
};

use crate::header::Header;
use crate::ids::{Announced, Kind, Numbers, Word};
use crate::levels;
use crate::record::values;
use crate::recording::Recording;
use crate::settings::{Interface, Settings};
use crate::value::{Numbered, Value, region, task};

thread_local! {
    /// The word given to this thread at its begin.
    static THREAD_WORD: Cell<Word> = const { Cell::new(Word::ZERO) };
}

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
        if let Some(seq) = seq {
            levels::record(&self.recording, &self.entry_points, seq);
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
