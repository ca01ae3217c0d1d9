//! The OMPT tool: one record per event.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ompt::{
    Cancel, CancelFlags, CodePtr, ControlResult, ControlTool, DataWord, Dependence, DependenceKind,
    Dependences, DeviceInitialize, Dispatch, DispatchInstance, Endpoint, EntryPoints, Event,
    EventSet, ImplicitTask, Initialization, Mutex, MutexAcquire, MutexKind, ParallelBegin,
    ParallelEnd, ParallelFlags, Registration, Runtime, SyncRegion, SyncRegionKind, Target,
    TargetDataOp, TargetDataOpEmi, TargetEmi, TargetKind, TargetSubmit, TargetSubmitEmi,
    TaskCreate, TaskFlags, TaskSchedule, TaskStatus, ThreadBegin, ThreadEnd, Tool, Work,
};
use oxomp_trace::fold::left_out;
use oxomp_trace::info::EventClass;
use oxomp_trace::offload::HOST;
use oxomp_trace::{EventKind, FileHeader, Record};

use crate::context::Asked;
use crate::fold::Word;
use crate::log::{self, Log, record};
use crate::mode::Mode;
use crate::offload::{Operation, OperationKind, device_number};
use crate::recording::{self, Origin, Recording};
use crate::settings::{self, Settings};
use crate::store::{Exhausted, Store};
use crate::tasks::{self, End, Node, is_explicit};
use crate::{census, child, clock, message, sample, unreported};

/// The collector.
#[derive(Debug)]
pub(crate) struct Collector {
    entry_points: EntryPoints,
    /// The host's device number.
    host: i32,
}

ompt::ompt_tool!(Collector);

impl Collector {
    fn start(initialization: &Initialization) -> Result<Self, String> {
        let settings = Settings::read();
        clock::choose();
        let (pair, ticks_per_second) = clock::measure();
        let header = FileHeader {
            pid: std::process::id(),
            start_tick: pair.0,
            start_monotonic_ns: pair.1,
            start_unix_ns: clock::read(libc::CLOCK_REALTIME),
            ticks_per_second,
        };
        let cpus = initialization.entry_points.num_procs().filter(|&cpus| cpus > 0);
        let cpus = cpus.unwrap_or_else(allowed_cpus);
        let origin = Origin {
            settings,
            runtime: initialization.runtime,
            allowed_cpus: u64::from(cpus),
            ticks_per_second,
            age: census::age(),
        };
        sample::prepare(initialization.entry_points);
        unreported::prepare(initialization);
        child::watch_forks();
        let recording = Recording::create(origin, &header)?;
        recording.begin_sampling();
        recording::begin();
        let entry_points = initialization.entry_points;
        Ok(Self { entry_points, host: initialization.initial_device_num })
    }

    /// Handles an event that needs no time, unless it is in a region that is only
    /// counted.
    #[inline]
    fn untimed_event(
        &self,
        class: EventClass,
        act: impl FnOnce(&mut Log, &Store) -> Result<(), Exhausted>,
    ) {
        if recording::is_on()
            && !log::only_counts()
            && let Some(recording) = recording::current()
        {
            recording.with_log(|log, store| {
                if !log.meter.is_due(class) {
                    return act(log, store);
                }
                let begin = clock::now();
                let result = act(log, store);
                log.meter.tell(class, begin);
                result
            });
        }
    }

    /// The thread goes from the task of the data word `prior` to that of `next`; a word is 0 if
    /// there is no such task. Neither task is only counted.
    fn switch_tasks(&self, event: &TaskSchedule<'_>, prior: u64, next: u64, completes: bool) {
        let end = completes.then_some(match event.status {
            TaskStatus::Detach => End::OfCode,
            _ => End::Whole,
        });
        let explicit = is_explicit(next);
        if !explicit && !is_explicit(prior) {
            return;
        }
        self.inner_event(EventClass::Tasks, |log, store, now| {
            log.change_task(store, now, prior, next, end);
            // The word is reset, so that a second end, which some runtime may report, finds no
            // node. If the task waits for its detach event, the event's fulfilment has yet to find
            // the node.
            let awaits = Node::of_word(prior).is_some_and(Node::is_awaiting);
            let is_over = end.is_some() && is_explicit(prior) && !awaits;
            if let Some(word) = event.prior.filter(|_| is_over) {
                word.set(tasks::WITHOUT_NODE);
            }
            let code = Node::of_word(next).map_or(0, |node| node.code.load(Ordering::Relaxed));
            let switch = Record {
                code: if explicit { code } else { 0 },
                sub: event.status.raw().0 as u8,
                aux: u32::from(explicit),
                ..record(EventKind::TaskSwitch, now)
            };
            log.switch_task(store, switch, completes || !explicit)
        });
    }

    /// Handles an event inside a region as [`Self::event`] does, unless the region is one that is
    /// only counted. Events of mutexes are handled all the same, since their sums are exact.
    #[inline]
    fn inner_event(
        &self,
        class: EventClass,
        act: impl FnOnce(&mut Log, &Store, u64) -> Result<(), Exhausted>,
    ) {
        if log::only_counts() {
            return;
        }
        self.event(class, act);
    }

    /// Whether the device of this number is the host, whose number is the number of devices: 0 if
    /// there are none.
    fn is_host(&self, device: i32) -> bool {
        let has_none = !HAS_DEVICES.load(Ordering::Relaxed);
        device == 0 && has_none && self.entry_points.num_devices() == Some(0)
    }

    /// The construct of the number `id` begins or ends.
    fn target_construct(&self, id: u64, endpoint: Endpoint, what: (TargetKind, i32, CodePtr)) {
        let (kind, device, code) = what;
        let device = if self.is_host(device) { HOST } else { device_number(device) };
        let what = (kind.raw().0 as u8, device, code.0 as u64);
        self.event(EventClass::Devices, |log, store, now| match endpoint {
            Endpoint::Begin => log.begin_target(store, now, id, what),
            Endpoint::End => log.end_target(store, now, id),
            _ => Ok(()),
        });
    }

    /// A device begins or ends an operation.
    fn operation(&self, operation: Operation, endpoint: Endpoint) {
        self.event(EventClass::Devices, |log, store, now| match endpoint {
            Endpoint::Begin => log.begin_operation(store, now, operation),
            Endpoint::End => log.end_operation(store, now, operation, true),
            _ => log.end_operation(store, now, operation, false),
        });
    }

    /// The construct that the calling thread is in submits a kernel.
    fn kernel(&self, teams: u32, endpoint: Endpoint) {
        let construct = log::with_current(|log| (log.offload.code(), log.offload.device()));
        let Some((code, device)) = construct else { return };
        let kind = OperationKind::Kernel { teams };
        self.operation(Operation { kind, device, code }, endpoint);
    }

    /// The thread asks for a mutex, and does more than count that. Not part of the callback, whose
    /// common case needs few registers; the same is true of the two functions below.
    #[inline(never)]
    fn time_request(&self, event: &MutexAcquire) {
        let (kind, code) = (event.kind.raw().0 as u8, event.codeptr_ra.0 as u64);
        self.event(EventClass::Locks, |log, store, now| {
            let id = event.wait_id.0;
            let asked = Asked { id, tick: now, paused: 0, code, kind, weight: 1, seen: None };
            log.ask(store, asked, event.implementation)
        });
    }

    /// The thread tests a lock. It has acquired the lock only if the next event says so.
    #[inline(never)]
    fn test(&self, event: &MutexAcquire) {
        let (id, code) = (event.wait_id.0, event.codeptr_ra.0 as u64);
        let kind = event.kind.raw().0 as u8;
        self.event(EventClass::Locks, |log, store, now| {
            log.test_lock(store, now, (id, code, kind));
            if log.counts_request(id, code, event.kind) {
                return Ok(());
            }
            let asked = Asked { id, tick: now, paused: 0, code, kind, weight: 1, seen: None };
            log.ask(store, asked, event.implementation)
        });
    }

    /// The last test of the thread has not failed.
    #[inline(never)]
    fn end_tests(&self, event: &Mutex) {
        self.event(EventClass::Locks, |log, store, now| {
            log.end_tests(store, now);
            if log.counts_acquisition(event.wait_id.0) {
                return Ok(());
            }
            log.acquire(store, mutex_record(EventKind::MutexAcquired, now, event))
        });
    }

    /// The thread has acquired a mutex.
    #[inline(never)]
    fn time_acquisition(&self, event: &Mutex) {
        self.event(EventClass::Locks, |log, store, now| {
            log.acquire(store, mutex_record(EventKind::MutexAcquired, now, event))
        });
    }

    /// The thread has released a mutex.
    #[inline(never)]
    fn time_release(&self, event: &Mutex) {
        self.event(EventClass::Locks, |log, store, now| {
            log.release_mutex(store, mutex_record(EventKind::MutexReleased, now, event))
        });
    }

    /// The thread has met a sink of a doacross loop nest.
    fn sink(&self, vector: &[Dependence]) {
        if recording::is_on() && !log::only_counts() {
            log::handles(EventClass::Loops, |log| {
                log.sinks.meet(vector);
                true
            });
        }
    }

    /// The thread is at the source of an iteration of a doacross loop nest.
    fn source(&self, vector: &[Dependence]) {
        self.untimed_event(EventClass::Loops, |log, store| {
            log.post(store, vector);
            Ok(())
        });
    }

    /// Handles an event at the current tick with the thread's log, if the recording is on.
    #[inline]
    fn event(
        &self,
        class: EventClass,
        act: impl FnOnce(&mut Log, &Store, u64) -> Result<(), Exhausted>,
    ) {
        if recording::is_on() {
            self.event_in_any_mode(class, act);
        }
    }

    /// Handles the end of a region, or of a thread's part in it, as [`Self::event`] does, but also
    /// in a pause, in which what began before it may end.
    #[inline]
    fn end(
        &self,
        class: EventClass,
        act: impl FnOnce(&mut Log, &Store, u64) -> Result<(), Exhausted>,
    ) {
        if recording::is_wanted() {
            self.event_in_any_mode(class, act);
        }
    }

    #[inline]
    fn event_in_any_mode(
        &self,
        class: EventClass,
        act: impl FnOnce(&mut Log, &Store, u64) -> Result<(), Exhausted>,
    ) {
        if let Some(recording) = recording::current() {
            let now = clock::now();
            recording.with_log(|log, store| {
                let is_due = log.meter.is_due(class);
                let result = act(log, store, now);
                if is_due {
                    log.meter.tell(class, now);
                }
                result
            });
        }
    }

    /// Handles the begin of a region, or of a thread's part in it, as [`Self::event`] does; `hide`
    /// notes it in a pause, so that its end is known for what it is.
    #[inline]
    fn begin(
        &self,
        act: impl FnOnce(&mut Log, &Store, u64) -> Result<(), Exhausted>,
        hide: impl FnOnce(&mut Log),
    ) {
        match recording::mode() {
            Mode::On => self.event_in_any_mode(EventClass::Regions, act),
            Mode::Paused => {
                log::with_current(hide);
            }
            Mode::Off => {}
        }
    }
}

/// Whether a library has initialized a device; the runtime itself may not know of the device.
static HAS_DEVICES: AtomicBool = AtomicBool::new(false);

/// Events of devices that stand for both ends of an operation, or that newer events have replaced.
const WITHOUT_ENDS: [Event; 3] = [Event::TARGET, Event::TARGET_DATA_OP, Event::TARGET_SUBMIT];

/// The address of a data word; 0 without a data word.
fn address(word: Option<&DataWord>) -> usize {
    word.map_or(0, |word| ptr::from_ref(word).addr())
}

fn mutex_record(kind: EventKind, tick: u64, event: &Mutex) -> Record {
    Record {
        sub: event.kind.raw().0 as u8,
        value: event.wait_id.0,
        code: event.codeptr_ra.0 as u64,
        ..record(kind, tick)
    }
}

/// Processors the calling thread may use; 0 if the system does not say.
fn allowed_cpus() -> u32 {
    // SAFETY: zeros are an empty set, which the call fills in.
    unsafe {
        let mut set = std::mem::zeroed::<libc::cpu_set_t>();
        match libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) {
            0 => libc::CPU_COUNT(&set).unsigned_abs(),
            _ => 0,
        }
    }
}

#[ompt::tool]
impl Tool for Collector {
    fn wanted(_: &Runtime) -> bool {
        settings::wanted()
    }

    fn initialize(initialization: &Initialization) -> Option<Self> {
        Self::start(initialization)
            .map_err(|error| message::print(&format!("nothing is recorded: {error}")))
            .ok()
    }

    fn events(&self) -> EventSet {
        Self::METHODS.without(WITHOUT_ENDS.iter().copied().collect())
    }

    fn registered(&self, registration: &Registration) {
        // A runtime before 5.1 has the older events only.
        if registration.refused().contains(Event::TARGET_EMI) {
            for event in WITHOUT_ENDS {
                ompt::register::<Self>(&self.entry_points, event);
            }
        }
    }

    fn finalize(&self) {
        if let Some(recording) = recording::current() {
            recording.end();
        }
    }

    fn thread_begin(&self, event: &ThreadBegin<'_>) {
        child::begin_thread(event.kind);
    }

    fn thread_end(&self, _: &ThreadEnd<'_>) {
        if recording::is_wanted()
            && let Some(recording) = recording::current()
        {
            recording.leave_thread();
        }
    }

    #[inline]
    fn parallel_begin(&self, event: &ParallelBegin<'_>) {
        child::enter_region();
        let act = |log: &mut Log, store: &Store, now| {
            let begin = Record {
                code: event.codeptr_ra.0 as u64,
                aux: event.requested_parallelism,
                sub: u8::from(event.flags.contains(ParallelFlags::LEAGUE)),
                ..record(EventKind::ParallelBegin, now)
            };
            let region = log.begin_region(store, begin, address(event.parallel))?;
            // A word that is not written stays in the caches of the members.
            if let Some(word) = event.parallel
                && !matches!(region, Word::Hidden)
            {
                word.set(region.encode());
            }
            Ok(())
        };
        self.begin(act, Log::hide_region);
    }

    #[inline]
    fn parallel_end(&self, event: &ParallelEnd<'_>) {
        self.end(EventClass::Regions, |log, store, now| {
            if let Some((team, outer)) = log.asked_for_fork() {
                sample::tell_fork(store, team, outer);
            }
            let code = log.ending_region();
            log.end_region(store, now, event.codeptr_ra.0 as u64)?;
            log.leave_region(code);
            Ok(())
        });
    }

    #[inline]
    fn implicit_task(&self, event: &ImplicitTask<'_>) {
        let initial = event.flags.contains(TaskFlags::INITIAL);
        if event.endpoint == Endpoint::End
            && !initial
            && (recording::is_on() || log::only_counts())
            && log::handles(EventClass::Regions, Log::end_left_member)
        {
            return;
        }
        let place = address(event.parallel);
        if event.endpoint == Endpoint::Begin
            && recording::is_on()
            && log::handles(EventClass::Regions, |log| {
                log.continues_series(place, || recording::current().map(Recording::store))
            })
        {
            return;
        }
        if event.endpoint == Endpoint::End {
            return self.end(EventClass::Regions, |log, store, now| {
                if initial {
                    if !log.initial_tasks.end() {
                        log.end_initial_task();
                        return Ok(());
                    }
                    log.context.team_num = 0;
                }
                log.end_member(store, now)
            });
        }
        // The initial task outside every construct is the thread itself, and the initial task of a
        // target region is part of the task around it.
        if initial && event.actual_parallelism <= 1 && event.index == 1 {
            log::with_current(Log::begin_initial_task);
            return;
        }
        let act = |log: &mut Log, store: &Store, now| {
            // Most often the team of the thread's last region. The runtime's data word, which names
            // the team, is in a cache line for which the thread has to wait.
            if let Some(last) = log.context.last {
                last.team.prefetch();
            }
            if initial {
                log.initial_tasks.begin(true);
                log.context.team_num = event.index;
            }
            let begin = Record {
                code: u64::from(event.index),
                aux: event.actual_parallelism,
                ..record(EventKind::ImplicitBegin, now)
            };
            let word = Word::decode(event.parallel.map_or(0, |word| word.get()));
            if let Word::Counted(team) = word {
                return log.begin_series(store, team, place, now);
            }
            log.begin_member(store, word, begin)
        };
        self.begin(act, |log| {
            if initial {
                log.initial_tasks.begin(true);
            }
            log.hide_member();
        });
    }

    #[inline]
    fn sync_region_wait(&self, event: &SyncRegion<'_>) {
        let begins = event.endpoint == Endpoint::Begin;
        let sub = event.kind.raw().0 as u8;
        let code = event.codeptr_ra.0 as u64;
        let taskwait = event.kind == SyncRegionKind::Taskwait;
        self.inner_event(EventClass::Regions, |log, store, now| {
            let last = matches!(
                event.kind,
                SyncRegionKind::BarrierImplicitParallel | SyncRegionKind::BarrierTeams
            );
            match begins {
                true if !last => log.stop_task(now),
                false if !last => log.resume_task(now, !taskwait),
                _ => {}
            }
            match (event.kind, begins) {
                (SyncRegionKind::BarrierImplicitParallel | SyncRegionKind::BarrierTeams, true) => {
                    log.arrive(store, now)?;
                }
                (SyncRegionKind::BarrierImplicitParallel | SyncRegionKind::BarrierTeams, _) => {
                    log.leave(now);
                }
                (SyncRegionKind::Taskwait | SyncRegionKind::Taskgroup, true) => {
                    log.begin_taskwait(store, now);
                }
                (SyncRegionKind::Taskwait | SyncRegionKind::Taskgroup, _) => {
                    log.end_taskwait(store, now)?;
                }
                (SyncRegionKind::Reduction, _) => return Ok(()),
                (_, true) => log.begin_barrier(store, now),
                (_, _) => log.end_barrier(store, now, sub, code)?,
            }
            let kind = if begins { EventKind::WaitBegin } else { EventKind::WaitEnd };
            log.record(store, Record { sub, code, ..record(kind, now) })?;
            if begins || last || taskwait || event.kind == SyncRegionKind::Taskgroup {
                return Ok(());
            }
            log.pass_barrier(store, now)
        });
    }

    #[inline]
    fn work(&self, event: &Work<'_>) {
        let sub = event.kind.raw().0 as u8;
        let code = event.codeptr_ra.0 as u64;
        self.inner_event(EventClass::Loops, |log, store, now| {
            if event.endpoint == Endpoint::Begin {
                log.begin_chunks(store, sub, code, event.count, now);
                return log.begin_work(store, (sub, code), event.count, now);
            }
            log.end_work(store, (sub, code), now)?;
            log.end_chunks(store, now);
            Ok(())
        });
    }

    #[inline]
    fn dispatch(&self, event: &Dispatch<'_>) {
        let (start, iterations) = match event.instance {
            DispatchInstance::WsLoopChunk(chunk) | DispatchInstance::DistributeChunk(chunk) => {
                (chunk.start, chunk.iterations)
            }
            DispatchInstance::Iteration(start) => (start, 1),
            // Sections are handed out in their order.
            DispatchInstance::Section(_) => (u64::MAX, 1),
            _ => return,
        };
        if recording::is_on() && !log::only_counts() {
            log::handles(EventClass::Loops, |log| {
                log.sinks.forget();
                log.chunks.hand_out(start, iterations, clock::now);
                true
            });
        }
    }

    #[inline]
    fn mutex_acquire(&self, event: &MutexAcquire) {
        let (id, code) = (event.wait_id.0, event.codeptr_ra.0 as u64);
        if matches!(event.kind, MutexKind::TestLock | MutexKind::TestNestLock) {
            return self.test(event);
        }
        if recording::is_on()
            && log::handles(EventClass::Locks, |log| log.counts_request(id, code, event.kind))
        {
            return;
        }
        self.time_request(event);
    }

    #[inline]
    fn mutex_acquired(&self, event: &Mutex) {
        if matches!(event.kind, MutexKind::TestLock | MutexKind::TestNestLock) {
            return self.end_tests(event);
        }
        if recording::is_on()
            && log::handles(EventClass::Locks, |log| log.counts_acquisition(event.wait_id.0))
        {
            return;
        }
        self.time_acquisition(event);
    }

    #[inline]
    fn mutex_released(&self, event: &Mutex) {
        if recording::is_on()
            && log::handles(EventClass::Locks, |log| log.counts_release(event.wait_id.0))
        {
            return;
        }
        self.time_release(event);
    }

    #[inline]
    fn task_create(&self, event: &TaskCreate<'_>) {
        let Some(word) = event.task else { return };
        if event.flags.contains(TaskFlags::TARGET) {
            word.set(tasks::PART_OF_TASK);
        }
        if !event.flags.contains(TaskFlags::EXPLICIT) {
            return;
        }
        word.set(tasks::WITHOUT_NODE);
        let code = event.codeptr_ra.0 as u64;
        if event.flags.contains(TaskFlags::UNDEFERRED) {
            self.untimed_event(EventClass::Tasks, |log, store| {
                log.create_undeferred(store, code);
                Ok(())
            });
        }
        let encountering = event.encountering_task;
        let around = encountering.map_or(tasks::WITHOUT_NODE, |word| word.get());
        let counts = |log: &mut Log| log.counts_task(code, around, clock::now);
        if recording::is_on()
            && !event.has_dependences
            && !log::only_counts()
            && log::handles(EventClass::Tasks, counts)
        {
            word.set(tasks::counted_word(code));
            return;
        }
        self.inner_event(EventClass::Tasks, |log, store, now| {
            let keep = |node| {
                if let Some(encountering) = encountering {
                    encountering.set(node);
                }
            };
            word.set(log.create_task(store, now, code, around, keep));
            Ok(())
        });
    }

    #[inline]
    fn dependences(&self, event: &Dependences<'_>) {
        match event.dependences.first().map(Dependence::kind) {
            Some(DependenceKind::Sink) => return self.sink(event.dependences),
            Some(DependenceKind::Source) => return self.source(event.dependences),
            _ => {}
        }
        let Some(node) = event.task.and_then(|word| Node::of_word(word.get())) else { return };
        if !node.is_explicit() {
            return;
        }
        let accesses = event.dependences.iter().map(|dependence| match dependence.kind() {
            DependenceKind::In => dependence.variable() | 1,
            _ => dependence.variable() & !1,
        });
        if event.dependences.len() <= tasks::DEPENDENCES {
            node.set_dependences(accesses, || None);
            return;
        }
        self.event(EventClass::Tasks, |log, store, _| {
            let without_room = node.set_dependences(accesses, || log.nodes.take());
            if without_room > 0 {
                log.leave_out_more(store, left_out::DEPENDENCES, without_room);
            }
            Ok(())
        });
    }

    #[inline]
    fn task_schedule(&self, event: &TaskSchedule<'_>) {
        let word = |word: Option<&DataWord>| word.map_or(0, DataWord::get);
        let (prior, next) = (word(event.prior), word(event.next));
        if [prior, next].contains(&tasks::PART_OF_TASK) {
            return;
        }
        let completes = match event.status {
            TaskStatus::Complete | TaskStatus::Cancel | TaskStatus::Detach => true,
            TaskStatus::Switch | TaskStatus::Yield => false,
            TaskStatus::LateFulfill => {
                if let Some(word) = event.prior {
                    tasks::fulfil(word, clock::now());
                }
                return;
            }
            _ => return,
        };
        let ended = tasks::counted_code(prior).filter(|_| completes);
        if ended.is_none() && tasks::counted_code(next).is_none() {
            return self.switch_tasks(event, prior, next, completes);
        }
        if let (Some(word), Some(code)) = (event.prior, ended) {
            word.set(tasks::WITHOUT_NODE);
            if event.status == TaskStatus::Detach {
                tasks::time_all(code);
            }
        }
        self.untimed_event(EventClass::Tasks, |log, store| log.change_counted(store, ended, next));
        // The other one of the two tasks may be timed.
        if ended.is_some() && tasks::has_not_begun(next) {
            self.switch_tasks(event, 0, next, false);
        } else if ended.is_none() && completes {
            self.switch_tasks(event, prior, 0, true);
        }
    }

    /// LLVM's runtime reports the end of a discarded task after this event, too.
    fn cancel(&self, event: &Cancel<'_>) {
        let Some(word) = event.task.filter(|_| event.flags.contains(CancelFlags::DISCARDED_TASK))
        else {
            return;
        };
        let task = word.get();
        word.set(tasks::PART_OF_TASK);
        if tasks::counted_code(task).is_some() || tasks::has_not_begun(task) {
            self.untimed_event(EventClass::Tasks, |log, store| {
                log.discard_task(store, task);
                Ok(())
            });
        }
    }

    fn device_initialize(&self, _: &DeviceInitialize<'_>) {
        HAS_DEVICES.store(true, Ordering::Relaxed);
    }

    fn target_emi(&self, event: &TargetEmi<'_>) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let what = (event.kind, event.device_num, event.codeptr_ra);
        if let (Some(word), Endpoint::Begin) = (event.target, event.endpoint) {
            word.set(NEXT.fetch_add(1, Ordering::Relaxed));
        }
        self.target_construct(event.target.map_or(0, DataWord::get), event.endpoint, what);
    }

    fn target(&self, event: &Target<'_>) {
        let what = (event.kind, event.device_num, event.codeptr_ra);
        self.target_construct(event.target_id, event.endpoint, what);
    }

    fn target_data_op_emi(&self, event: &TargetDataOpEmi<'_>) {
        self.operation(Operation::of_data(event, self.host), event.endpoint);
    }

    fn target_data_op(&self, event: &TargetDataOp) {
        self.operation(Operation::of_single(event, self.host), Endpoint::BeginEnd);
    }

    fn target_submit_emi(&self, event: &TargetSubmitEmi<'_>) {
        self.kernel(event.requested_num_teams, event.endpoint);
    }

    fn target_submit(&self, event: &TargetSubmit) {
        self.kernel(event.requested_num_teams, Endpoint::BeginEnd);
    }

    fn control_tool(&self, event: &ControlTool) -> ControlResult {
        let changed = match event.command {
            ControlTool::START => {
                let now = clock::now();
                let resumed = recording::resume(now);
                if let (true, Some(recording)) = (resumed, recording::current()) {
                    recording.push(record(EventKind::Resume, now));
                }
                resumed
            }
            ControlTool::PAUSE => {
                let now = clock::now();
                let paused = recording::pause(now);
                if let (true, Some(recording)) = (paused, recording::current()) {
                    recording.push(record(EventKind::Pause, now));
                }
                paused
            }
            // All records are in the file already.
            ControlTool::FLUSH => recording::is_wanted(),
            ControlTool::END => {
                let alive = recording::is_wanted();
                match recording::current() {
                    Some(recording) if alive => recording.end(),
                    _ => recording::give_up(),
                }
                alive
            }
            _ => false,
        };
        if changed { ControlResult::SUCCESS } else { ControlResult::IGNORED }
    }
}
