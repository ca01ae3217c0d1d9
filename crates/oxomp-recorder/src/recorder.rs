//! The tool: every callback makes one record, and some a few details.

use std::cell::Cell;
use std::num::NonZeroU64;
use std::process;
use std::sync::Mutex as StdMutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use ompt::{
    Cancel, ControlResult, ControlTool, DataWord, Dependences, DeviceFinalize, DeviceInitialize,
    DeviceLoad, Dispatch, Endpoint, EntryPoints, ErrorDirective, EventSet, Flush, ImplicitTask,
    Info, Initialization, Masked, Mutex, MutexAcquire, NestLock, ParallelBegin, ParallelEnd,
    Registration, Runtime, SyncRegion, Target, TargetDataOp, TargetDataOpEmi, TargetEmi,
    TargetSubmit, TargetSubmitEmi, TaskCreate, TaskDependence, TaskSchedule, ThreadBegin,
    ThreadEnd, Tool, Work,
};

use crate::buffer::Buffers;
use crate::entry::{
    AcquireEvent, Entry, Frames, MESSAGE_LEN, MutexEvent, Record, SyncEvent, TaskLevel, ThreadWord,
};
use crate::ids::{Announced, Kind, Numbers, Word};
use crate::log::{self, Header};
use crate::settings::{Interface, Settings};

const MAX_LEVELS: u32 = 8;

thread_local! {
    /// The word given to this thread at its begin.
    static THREAD_WORD: Cell<Word> = const { Cell::new(Word::ZERO) };
}

/// The recorder.
#[derive(Debug)]
pub(crate) struct Recorder {
    settings: Settings<EventSet>,
    header: StdMutex<Header>,
    entry_points: EntryPoints,
    started: Instant,
    started_in: u32,
    sequence: AtomicU64,
    buffers: Buffers<Record>,
    parallels: Numbers,
    tasks: Numbers,
    threads: Numbers,
    /// Whether the program has told the recorder to pause, or to end for good.
    paused: AtomicBool,
    ended: AtomicBool,
}

impl Recorder {
    /// Records one event. The number is taken first, so that what the callback does afterwards
    /// does not change the order.
    fn record(&self, entry: impl FnOnce() -> Entry) -> Option<u64> {
        let recording = !self.paused.load(Ordering::Relaxed);
        let seq = self.sequence.fetch_add(1, Ordering::Relaxed);
        let time = u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let (state, wait_id) = self.entry_points.state_and_wait_id();
        let wait = wait_id.and_then(|wait_id| NonZeroU64::new(wait_id.0));
        // Made even in a pause, so that new objects get their words.
        let entry = entry();
        recording.then(|| {
            self.buffers.push(Record { seq, time, state, wait, entry });
            seq
        })
    }

    fn detail(&self, seq: u64, entry: Entry) {
        let state = ompt::State::Undefined;
        self.buffers.push(Record { seq, time: 0, state, wait: None, entry });
    }

    /// Records the regions and tasks around the caller, as the entry points show them.
    fn record_levels(&self, seq: Option<u64>) {
        let Some(seq) = seq else { return };
        for level in 0..MAX_LEVELS {
            let region = match self
                .entry_points
                .parallel_info(level, |region| (Word::of(region.parallel), region.team_size))
            {
                Info::Available(region) => Some(region),
                Info::Unavailable => None,
                Info::None => break,
            };
            self.detail(seq, Entry::ParallelLevel { level, region });
        }
        for level in 0..MAX_LEVELS {
            let task = match self.entry_points.task_info(level, |task| TaskLevel {
                task: Word::of(task.task),
                flags: task.flags,
                parallel: Word::of(task.parallel),
                thread_num: task.thread_num,
                frames: Frames::of(task.frame),
            }) {
                Info::Available(task) => Some(task),
                Info::Unavailable => None,
                Info::None => break,
            };
            self.detail(seq, Entry::TaskLevel { level, task });
        }
    }

    fn record_sync(&self, event: SyncEvent, region: &SyncRegion<'_>) {
        self.record(|| Entry::Sync {
            event,
            kind: region.kind,
            endpoint: region.endpoint,
            parallel: Word::of(region.parallel),
            task: Word::of(region.task),
            codeptr: region.codeptr_ra,
        });
    }

    fn record_acquire(&self, event: AcquireEvent, mutex: &MutexAcquire) {
        self.record(|| Entry::Acquire {
            event,
            kind: mutex.kind,
            hint: mutex.hint.0,
            implementation: mutex.implementation,
            wait_id: mutex.wait_id,
            codeptr: mutex.codeptr_ra,
        });
    }

    fn record_mutex(&self, event: MutexEvent, mutex: &Mutex) {
        self.record(|| Entry::Mutex {
            event,
            kind: mutex.kind,
            wait_id: mutex.wait_id,
            codeptr: mutex.codeptr_ra,
        });
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

fn thread_word(word: Option<&DataWord>) -> ThreadWord {
    match Word::of(word) {
        Word::NULL => ThreadWord::Null,
        word if word.is(Kind::Thread) && word == THREAD_WORD.get() => ThreadWord::Ok,
        _ => ThreadWord::Wrong,
    }
}

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
            header: StdMutex::new(Header::new(initialization)),
            entry_points: initialization.entry_points,
            started: Instant::now(),
            started_in: process::id(),
            sequence: AtomicU64::new(0),
            buffers: Buffers::new(settings.capacity),
            settings,
            parallels: Numbers::new(),
            tasks: Numbers::new(),
            threads: Numbers::new(),
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

    fn finalize(&self) {
        if !self.ended.load(Ordering::Relaxed) {
            self.write();
        }
    }

    fn thread_begin(&self, event: &ThreadBegin<'_>) {
        self.record(|| {
            let announced = self.threads.announce(event.thread, Kind::Thread);
            THREAD_WORD.set(announced.word);
            Entry::ThreadBegin { kind: event.kind, dirty: announced.dirty }
        });
    }

    fn thread_end(&self, event: &ThreadEnd<'_>) {
        self.record(|| Entry::ThreadEnd { thread: thread_word(event.thread) });
    }

    fn parallel_begin(&self, event: &ParallelBegin<'_>) {
        let seq = self.record(|| Entry::ParallelBegin {
            parallel: self.parallels.announce(event.parallel, Kind::Parallel),
            encountering_task: Word::of(event.encountering_task),
            frames: Frames::of(event.encountering_frame),
            requested: event.requested_parallelism,
            flags: event.flags,
            codeptr: event.codeptr_ra,
        });
        self.record_levels(seq);
    }

    fn parallel_end(&self, event: &ParallelEnd<'_>) {
        let seq = self.record(|| Entry::ParallelEnd {
            parallel: Word::of(event.parallel),
            encountering_task: Word::of(event.encountering_task),
            flags: event.flags,
            codeptr: event.codeptr_ra,
        });
        self.record_levels(seq);
    }

    fn implicit_task(&self, event: &ImplicitTask<'_>) {
        let begin = event.endpoint == Endpoint::Begin;
        let seq = self.record(|| Entry::ImplicitTask {
            endpoint: event.endpoint,
            // The initial task's region begins without an event.
            parallel: match begin {
                true => self.parallels.announce_once(event.parallel, Kind::Parallel),
                false => Word::of(event.parallel),
            },
            task: match begin {
                true => self.tasks.announce(event.task, Kind::Task),
                false => Announced { word: Word::of(event.task), dirty: 0 },
            },
            parallelism: event.actual_parallelism,
            index: event.index,
            flags: event.flags,
        });
        if begin {
            self.record_levels(seq);
        }
    }

    fn work(&self, event: &Work<'_>) {
        self.record(|| Entry::Work {
            kind: event.kind,
            endpoint: event.endpoint,
            parallel: Word::of(event.parallel),
            task: Word::of(event.task),
            count: event.count,
            codeptr: event.codeptr_ra,
        });
    }

    fn dispatch(&self, event: &Dispatch<'_>) {
        self.record(|| Entry::Dispatch {
            parallel: Word::of(event.parallel),
            task: Word::of(event.task),
            instance: event.instance,
        });
    }

    fn sync_region(&self, event: &SyncRegion<'_>) {
        self.record_sync(SyncEvent::SyncRegion, event);
    }

    fn sync_region_wait(&self, event: &SyncRegion<'_>) {
        self.record_sync(SyncEvent::SyncRegionWait, event);
    }

    fn reduction(&self, event: &SyncRegion<'_>) {
        self.record_sync(SyncEvent::Reduction, event);
    }

    fn masked(&self, event: &Masked<'_>) {
        self.record(|| Entry::Masked {
            endpoint: event.endpoint,
            parallel: Word::of(event.parallel),
            task: Word::of(event.task),
            codeptr: event.codeptr_ra,
        });
    }

    fn lock_init(&self, event: &MutexAcquire) {
        self.record_acquire(AcquireEvent::LockInit, event);
    }

    fn mutex_acquire(&self, event: &MutexAcquire) {
        self.record_acquire(AcquireEvent::MutexAcquire, event);
    }

    fn lock_destroy(&self, event: &Mutex) {
        self.record_mutex(MutexEvent::LockDestroy, event);
    }

    fn mutex_acquired(&self, event: &Mutex) {
        self.record_mutex(MutexEvent::MutexAcquired, event);
    }

    fn mutex_released(&self, event: &Mutex) {
        self.record_mutex(MutexEvent::MutexReleased, event);
    }

    fn nest_lock(&self, event: &NestLock) {
        self.record(|| Entry::NestLock {
            endpoint: event.endpoint,
            wait_id: event.wait_id,
            codeptr: event.codeptr_ra,
        });
    }

    fn flush(&self, event: &Flush<'_>) {
        self.record(|| Entry::Flush {
            thread: thread_word(event.thread),
            codeptr: event.codeptr_ra,
        });
    }

    fn task_create(&self, event: &TaskCreate<'_>) {
        self.record(|| Entry::TaskCreate {
            task: self.tasks.announce(event.task, Kind::Task),
            encountering_task: Word::of(event.encountering_task),
            frames: Frames::of(event.encountering_frame),
            flags: event.flags,
            has_dependences: event.has_dependences,
            codeptr: event.codeptr_ra,
        });
    }

    fn task_schedule(&self, event: &TaskSchedule<'_>) {
        self.record(|| Entry::TaskSchedule {
            prior: Word::of(event.prior),
            status: event.status,
            next: Word::of(event.next),
        });
    }

    fn dependences(&self, event: &Dependences<'_>) {
        let seq = self.record(|| Entry::Dependences {
            task: Word::of(event.task),
            count: event.dependences.len(),
        });
        let Some(seq) = seq else { return };
        for dependence in event.dependences {
            let (kind, variable) = (dependence.kind(), dependence.variable());
            self.detail(seq, Entry::Dependence { kind, variable });
        }
    }

    fn task_dependence(&self, event: &TaskDependence<'_>) {
        self.record(|| Entry::TaskDependence {
            source: Word::of(event.source),
            sink: Word::of(event.sink),
        });
    }

    fn cancel(&self, event: &Cancel<'_>) {
        self.record(|| Entry::Cancel {
            task: Word::of(event.task),
            flags: event.flags,
            codeptr: event.codeptr_ra,
        });
    }

    fn error(&self, event: &ErrorDirective<'_>) {
        let mut message = [0; MESSAGE_LEN];
        let kept = event.message.len().min(MESSAGE_LEN);
        message[..kept].copy_from_slice(&event.message[..kept]);
        self.record(|| Entry::Error {
            severity: event.severity,
            length: event.message.len(),
            message,
            codeptr: event.codeptr_ra,
        });
    }

    fn device_initialize(&self, event: &DeviceInitialize<'_>) {
        self.record(|| Entry::Device { begins: true, device: event.device_num });
    }

    fn device_finalize(&self, event: &DeviceFinalize) {
        self.record(|| Entry::Device { begins: false, device: event.device_num });
    }

    fn device_load(&self, event: &DeviceLoad<'_>) {
        self.record(|| Entry::DeviceLoad { device: event.device_num });
    }

    fn target(&self, event: &Target<'_>) {
        self.record(|| Entry::Target {
            is_emi: false,
            kind: event.kind,
            endpoint: event.endpoint,
            device: event.device_num,
            task: Word::of(event.task),
            target_task: Word::NULL,
            codeptr: event.codeptr_ra,
        });
    }

    fn target_emi(&self, event: &TargetEmi<'_>) {
        self.record(|| Entry::Target {
            is_emi: true,
            kind: event.kind,
            endpoint: event.endpoint,
            device: event.device_num,
            task: Word::of(event.task),
            target_task: Word::of(event.target_task),
            codeptr: event.codeptr_ra,
        });
    }

    fn target_data_op(&self, event: &TargetDataOp) {
        self.record(|| Entry::TargetDataOp {
            endpoint: None,
            kind: event.kind,
            target_task: Word::NULL,
            source: (event.src_addr.0 != 0, event.src_device_num),
            destination: (event.dest_addr.0 != 0, event.dest_device_num),
            bytes: event.bytes,
            codeptr: event.codeptr_ra,
        });
    }

    fn target_data_op_emi(&self, event: &TargetDataOpEmi<'_>) {
        self.record(|| Entry::TargetDataOp {
            endpoint: Some(event.endpoint),
            kind: event.kind,
            target_task: Word::of(event.target_task),
            source: (event.src_addr.0 != 0, event.src_device_num),
            destination: (event.dest_addr.0 != 0, event.dest_device_num),
            bytes: event.bytes,
            codeptr: event.codeptr_ra,
        });
    }

    fn target_submit(&self, event: &TargetSubmit) {
        let num_teams = event.requested_num_teams;
        self.record(|| Entry::TargetSubmit { endpoint: None, num_teams });
    }

    fn target_submit_emi(&self, event: &TargetSubmitEmi<'_>) {
        let num_teams = event.requested_num_teams;
        self.record(|| Entry::TargetSubmit { endpoint: Some(event.endpoint), num_teams });
    }

    fn control_tool(&self, event: &ControlTool) -> ControlResult {
        let seq = self.record(|| Entry::ControlTool {
            command: event.command,
            modifier: event.modifier,
            arg: event.arg.addr(),
            codeptr: event.codeptr_ra,
        });
        self.record_levels(seq);
        let ended = self.ended.load(Ordering::Relaxed);
        match event.command {
            _ if ended => return ControlResult::IGNORED,
            ControlTool::START => self.paused.store(false, Ordering::Relaxed),
            ControlTool::PAUSE => self.paused.store(true, Ordering::Relaxed),
            ControlTool::FLUSH if self.settings.file.is_none() => return ControlResult::IGNORED,
            ControlTool::FLUSH => self.write(),
            ControlTool::END => {
                self.paused.store(true, Ordering::Relaxed);
                self.ended.store(true, Ordering::Relaxed);
                self.write();
            }
            ControlTool::FIRST_OWN.. => {}
            _ => return ControlResult::IGNORED,
        }
        ControlResult::SUCCESS
    }
}
