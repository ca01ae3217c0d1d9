//! The OMPT tool: one record per event.

use ompt::{
    ControlResult, ControlTool, Dispatch, Endpoint, Event, EventSet, ImplicitTask, Initialization,
    Mutex, MutexAcquire, ParallelBegin, ParallelEnd, ParallelFlags, Runtime, SyncRegion,
    TaskCreate, TaskFlags, TaskSchedule, ThreadBegin, ThreadEnd, Tool, Work,
};
use oxomp_trace::{EventKind, FileHeader, Record};

use crate::log::record;
use crate::recording::{self, Recording};
use crate::settings::{self, Settings};
use crate::{clock, message, place};

/// Mark in the data word of an explicit task; other tasks have 0.
const EXPLICIT: u64 = 1;

/// The collector.
#[derive(Debug)]
pub(crate) struct Collector {
    recording: &'static Recording,
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
        let (store, path) = place::create(&settings, &header)?;
        if settings.verbose {
            let runtime = initialization.runtime.version.to_string_lossy();
            message::print(&format!("recording {runtime} to {}", path.display()));
        }
        let cpus = initialization.entry_points.num_procs().filter(|&cpus| cpus > 0);
        let cpus = cpus.unwrap_or_else(allowed_cpus);
        let recording = Recording::start(store, &initialization.runtime, u64::from(cpus))?;
        Ok(Self { recording })
    }

    /// Records an event of now if the recording is on.
    #[inline]
    fn event(&self, kind: EventKind, fill: impl FnOnce(&mut Record)) {
        if recording::is_on() {
            let mut event = record(kind, clock::now());
            fill(&mut event);
            self.recording.push(event);
        }
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

impl Tool for Collector {
    fn wanted(_: &Runtime) -> bool {
        !recording::is_forked() && settings::wanted()
    }

    fn initialize(initialization: &Initialization) -> Option<Self> {
        Self::start(initialization)
            .map_err(|error| message::print(&format!("nothing is recorded: {error}")))
            .ok()
    }

    fn events(&self) -> EventSet {
        EventSet::of(&[
            Event::THREAD_BEGIN,
            Event::THREAD_END,
            Event::PARALLEL_BEGIN,
            Event::PARALLEL_END,
            Event::IMPLICIT_TASK,
            Event::TASK_CREATE,
            Event::TASK_SCHEDULE,
            Event::SYNC_REGION_WAIT,
            Event::WORK,
            Event::DISPATCH,
            Event::MUTEX_ACQUIRE,
            Event::MUTEX_ACQUIRED,
            Event::MUTEX_RELEASED,
            Event::CONTROL_TOOL,
        ])
    }

    fn finalize(&self) {
        self.recording.end();
    }

    fn thread_begin(&self, event: &ThreadBegin<'_>) {
        if self.recording.begin_thread() {
            let mut begin = record(EventKind::ThreadBegin, clock::now());
            begin.sub = event.kind.raw().0 as u8;
            // SAFETY: a call without arguments that always succeeds.
            begin.value = unsafe { libc::gettid() }.unsigned_abs().into();
            self.recording.push(begin);
        }
    }

    fn thread_end(&self, _: &ThreadEnd<'_>) {
        if recording::is_alive() {
            self.recording.push(record(EventKind::ThreadEnd, clock::now()));
            self.recording.end_thread();
        }
    }

    #[inline]
    fn parallel_begin(&self, event: &ParallelBegin<'_>) {
        if !recording::is_on() {
            return;
        }
        let tick = clock::now();
        self.recording.with_log(|log| {
            let region = log.next_region();
            if let Some(word) = event.parallel {
                word.set(region);
            }
            let league = event.flags.contains(ParallelFlags::LEAGUE);
            self.recording.push_to(
                log,
                Record {
                    code: event.codeptr_ra.0 as u64,
                    value: region,
                    aux: event.requested_parallelism,
                    sub: u8::from(league),
                    ..record(EventKind::ParallelBegin, tick)
                },
            );
        });
    }

    #[inline]
    fn parallel_end(&self, event: &ParallelEnd<'_>) {
        self.event(EventKind::ParallelEnd, |end| {
            end.value = event.parallel.map_or(0, |word| word.get());
            end.code = event.codeptr_ra.0 as u64;
        });
    }

    #[inline]
    fn implicit_task(&self, event: &ImplicitTask<'_>) {
        if !recording::is_on() {
            return;
        }
        let tick = clock::now();
        let initial = event.flags.contains(TaskFlags::INITIAL);
        self.recording.with_log(|log| {
            if event.endpoint == Endpoint::Begin {
                // The initial task that stands outside every construct is the thread itself.
                if initial && event.actual_parallelism <= 1 && event.index == 1 {
                    return;
                }
                log.leagues += u32::from(initial);
                self.recording.push_to(
                    log,
                    Record {
                        code: u64::from(event.index),
                        value: event.parallel.map_or(0, |word| word.get()),
                        aux: event.actual_parallelism,
                        ..record(EventKind::ImplicitBegin, tick)
                    },
                );
            } else {
                if initial {
                    if log.leagues == 0 {
                        return;
                    }
                    log.leagues -= 1;
                }
                self.recording.push_to(log, record(EventKind::ImplicitEnd, tick));
            }
        });
    }

    #[inline]
    fn sync_region_wait(&self, event: &SyncRegion<'_>) {
        let kind = match event.endpoint {
            Endpoint::Begin => EventKind::WaitBegin,
            _ => EventKind::WaitEnd,
        };
        self.event(kind, |wait| {
            wait.sub = event.kind.raw().0 as u8;
            wait.code = event.codeptr_ra.0 as u64;
        });
    }

    #[inline]
    fn work(&self, event: &Work<'_>) {
        if !recording::is_on() {
            return;
        }
        let tick = clock::now();
        self.recording.with_log(|log| {
            let begins = event.endpoint == Endpoint::Begin;
            let kind = if begins { EventKind::WorkBegin } else { EventKind::WorkEnd };
            let mut work = record(kind, tick);
            work.sub = event.kind.raw().0 as u8;
            work.code = event.codeptr_ra.0 as u64;
            if begins {
                work.value = event.count;
                log.chunks = 0;
            } else {
                work.value = if log.chunks == 0 { u64::MAX } else { log.chunks };
            }
            self.recording.push_to(log, work);
        });
    }

    #[inline]
    fn dispatch(&self, _: &Dispatch<'_>) {
        if recording::is_on() {
            self.recording.with_log(|log| log.chunks += 1);
        }
    }

    #[inline]
    fn mutex_acquire(&self, event: &MutexAcquire) {
        self.event(EventKind::MutexAcquire, |acquire| {
            acquire.sub = event.kind.raw().0 as u8;
            acquire.value = event.wait_id.0;
            acquire.aux = event.implementation;
            acquire.code = event.codeptr_ra.0 as u64;
        });
    }

    #[inline]
    fn mutex_acquired(&self, event: &Mutex) {
        self.event(EventKind::MutexAcquired, |acquired| {
            acquired.sub = event.kind.raw().0 as u8;
            acquired.value = event.wait_id.0;
            acquired.code = event.codeptr_ra.0 as u64;
        });
    }

    #[inline]
    fn mutex_released(&self, event: &Mutex) {
        self.event(EventKind::MutexReleased, |released| {
            released.sub = event.kind.raw().0 as u8;
            released.value = event.wait_id.0;
            released.code = event.codeptr_ra.0 as u64;
        });
    }

    #[inline]
    fn task_create(&self, event: &TaskCreate<'_>) {
        if event.flags.contains(TaskFlags::EXPLICIT)
            && let Some(word) = event.task
        {
            word.set(EXPLICIT);
        }
    }

    #[inline]
    fn task_schedule(&self, event: &TaskSchedule<'_>) {
        self.event(EventKind::TaskSwitch, |switch| {
            switch.sub = event.status.raw().0 as u8;
            switch.aux = u32::from(event.next.is_some_and(|word| word.get() == EXPLICIT));
        });
    }

    fn control_tool(&self, event: &ControlTool) -> ControlResult {
        const START: u64 = 1;
        const PAUSE: u64 = 2;
        const FLUSH: u64 = 3;
        const END: u64 = 4;
        let changed = match event.command {
            START => {
                let resumed = recording::resume();
                if resumed {
                    self.recording.push(record(EventKind::Resume, clock::now()));
                }
                resumed
            }
            PAUSE => {
                let paused = recording::pause();
                if paused {
                    self.recording.push(record(EventKind::Pause, clock::now()));
                }
                paused
            }
            // Whatever was recorded is in the file already.
            FLUSH => recording::is_alive(),
            END => {
                let alive = recording::is_alive();
                if alive {
                    self.recording.end();
                }
                alive
            }
            _ => false,
        };
        if changed { ControlResult::SUCCESS } else { ControlResult::IGNORED }
    }
}
