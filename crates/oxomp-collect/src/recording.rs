//! The recording: its beginning, its helper thread, its end. The README has its states.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::{io, mem, process, ptr};

use ompt::ThreadKind;
use oxomp_trace::info::Unfinished;
use oxomp_trace::{EventKind, FileHeader, Record};

use crate::facts::Facts;
use crate::log::{self, Log, Logs, record};
use crate::mode::{MODE, Mode};
use crate::origin::Origin;
use crate::own_thread::own_thread;
use crate::present::Teller;
use crate::sample::{Host, Maker, Samples, Watcher};
use crate::store::{Exhausted, Recycler, Store};
use crate::under_way::RegionsUnderWay;
use crate::{
    census, clock, fold, last, message, overhead, phases, place, priority, sample, scheduler,
    slow_regions, thread_end,
};

/// The process's recording. Null before it starts, and in a child until it has one of its own.
static CURRENT: AtomicPtr<Recording> = AtomicPtr::new(ptr::null_mut());

/// How long the helper sleeps if no thread rings, ms.
const IDLE_MS: u64 = 1000;
/// After this many rounds the helper sleeps longer, since clocks drift slowly.
const FREQUENT_ROUNDS: u32 = 60;
const IDLE_LATER_MS: u64 = 10_000;
/// The least and the longest pause between two looks whether other threads are left, ms.
const LEAST_LOOK_MS: u64 = 1;
const LONGEST_LOOK_MS: u64 = 100;
/// When the second pair of clocks is read, ms: early, for short programs.
const FIRST_MS: u64 = 20;
/// Chunks kept ready at the start.
const FIRST_CHUNKS: u32 = 4;

/// A recording, made once and never dropped.
#[derive(Debug)]
pub(crate) struct Recording {
    store: Store,
    /// The file's path, for messages.
    path: PathBuf,
    origin: Origin,
    /// The recorded process.
    pid: u32,
    /// The tick at which it began.
    start: u64,
    logs: Logs,
    /// The regions that were under way then, of an attached collector.
    under_way: Option<RegionsUnderWay>,
    samples: Samples,
    facts: Mutex<Facts>,
    helper: Mutex<Option<JoinHandle<()>>>,
    ending: AtomicBool,
    /// The main thread's use of OpenMP is over: perhaps it leaves the process to other threads.
    main_ends: AtomicBool,
    ended: AtomicBool,
    /// Chunks that were handed out by the end.
    used: AtomicU32,
    /// 0, or the tick at which recording stopped by itself.
    stopped: AtomicU64,
    /// Why recording stopped: an [`Exhausted`] as a number.
    reason: AtomicI32,
    /// The number of events of threads without a log.
    homeless: AtomicU64,
}

#[inline]
pub(crate) fn mode() -> Mode {
    MODE.get()
}

/// Whether events are recorded.
#[inline]
pub(crate) fn is_on() -> bool {
    MODE.is(Mode::On)
}

/// Whether there is a recording that has not ended, or there may be one later. True in a pause,
/// too, since threads begin and end in it.
pub(crate) fn is_wanted() -> bool {
    !MODE.is(Mode::Off)
}

/// As [`is_wanted`], for the thread that has just set [`current`].
#[cold]
pub(crate) fn is_wanted_after_start() -> bool {
    // Either this thread sees that the mode is off, or the thread that has turned it off finds the
    // recording (`give_up_or_end`).
    fence(Ordering::SeqCst);
    is_wanted()
}

/// From now on events go to [`current`].
pub(crate) fn begin() {
    MODE.begin();
}

/// Turns the recording off, for good.
pub(crate) fn give_up() {
    MODE.end();
}

/// Turns the recording off where there is none yet. Another thread may be making it: ends it if it
/// is there by now.
#[cold]
pub(crate) fn give_up_or_end() {
    give_up();
    // Pairs with the fence in `is_wanted_after_start`.
    fence(Ordering::SeqCst);
    if let Some(recording) = current() {
        recording.end();
    }
}

/// Pauses the recording at tick `now`; false if it was not on.
pub(crate) fn pause(now: u64) -> bool {
    MODE.pause(now)
}

/// Resumes the recording at tick `now`; false if it was not paused.
pub(crate) fn resume(now: u64) -> bool {
    MODE.resume(now)
}

/// The recording of the process, if one has started.
#[inline]
pub(crate) fn current() -> Option<&'static Recording> {
    // Acquire: pairs with the Release in `Recording::start`.
    // SAFETY: null or a recording that is never dropped.
    unsafe { CURRENT.load(Ordering::Acquire).as_ref() }
}

/// The calling thread has ended inside a region.
fn leave_inside_region() {
    if log::has_current()
        && let Some(recording) = current()
    {
        recording.leave_thread();
    }
}

/// Takes the recording away from a process that has only inherited it.
pub(crate) fn take() -> Option<&'static Recording> {
    // SAFETY: null or a recording that is never dropped.
    unsafe { CURRENT.swap(ptr::null_mut(), Ordering::Relaxed).as_ref() }
}

impl Recording {
    /// Makes a recording into a new file the process's recording.
    pub(crate) fn create(mut origin: Origin, header: &FileHeader) -> Result<&'static Self, String> {
        let (store, path) = place::create(&origin.settings, header)?;
        if origin.settings.verbose {
            let runtime = origin.runtime.version.to_string_lossy();
            message::print(&format!("recording {runtime} to {}", path.display()));
        }
        origin.settings.out = path.parent().map(Path::to_owned);
        Self::start(store, path, origin, header.start_tick)
    }

    /// A recording that begins at tick `start`, into `store`, the file at `path`.
    fn start(
        store: Store,
        path: PathBuf,
        origin: Origin,
        start: u64,
    ) -> Result<&'static Self, String> {
        fold::begin_anew(
            origin.settings.events,
            origin.ticks(origin.settings.last_ns).unwrap_or(0),
        );
        overhead::begin_anew();
        fold::prepare(start, origin.ticks_per_second);
        clock::set_rate(origin.ticks_per_second);
        scheduler::prepare(origin.ticks_per_second);
        let samples = Samples::new(&origin.settings);
        if origin.settings.verbose {
            message::print(&samples.announcement());
        }
        let mut facts = Facts::of(origin.settings.rank.as_ref());
        // Fewer chunks suffice for now: the helper reports it if there is no room for more.
        let _ = store.reserve_ahead(FIRST_CHUNKS);
        facts
            .start(
                &store,
                &origin.runtime,
                origin.allowed_cpus,
                origin.age,
                origin.attached.is_some(),
            )
            .and_then(|()| facts.sampling(&store, samples.period_ns, &samples.description()))
            .and_then(|()| facts.counters(&store, samples.counters(), origin.settings.bandwidth))
            .and_then(|()| match origin.settings.last_ns {
                Some(kept_ns) => facts.kept(&store, kept_ns),
                None => Ok(()),
            })
            .map_err(|exhausted| format!("{}: {exhausted}", path.display()))?;
        phases::begin_anew(&store, start);
        let is_followed = origin.settings.last_ns.is_some();
        slow_regions::begin_anew(&store, origin.ticks(origin.settings.slow_ns), is_followed);
        let logs = Logs::new().map_err(|error| format!("table of threads: {error}"))?;
        let under_way = origin.attached.and_then(|_| RegionsUnderWay::new().ok());
        let recording: &'static Self = Box::leak(Box::new(Self {
            store,
            path,
            origin,
            pid: process::id(),
            start,
            logs,
            under_way,
            samples,
            facts: Mutex::new(facts),
            helper: Mutex::new(None),
            ending: AtomicBool::new(false),
            main_ends: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            used: AtomicU32::new(0),
            stopped: AtomicU64::new(0),
            reason: AtomicI32::new(0),
            homeless: AtomicU64::new(0),
        }));
        thread_end::prepare(leave_inside_region);
        let helper = spawn_helper(recording).map_err(|error| format!("helper thread: {error}"))?;
        *lock(&recording.helper) = Some(helper);
        // Release: a thread that sees the pointer sees the whole recording.
        CURRENT.store(ptr::from_ref(recording).cast_mut(), Ordering::Release);
        Ok(recording)
    }

    /// The file.
    #[inline]
    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Samples the calling thread from now on, before OpenMP knows it, if it is the program's main
    /// thread.
    pub(crate) fn begin_sampling(&'static self) {
        if last::is_main_thread() {
            self.samples.begin_thread(&self.store);
        }
    }

    /// The regions that were under way when the recording began; `None` if the collector was there
    /// from the start, and if there is no memory for them.
    pub(crate) fn under_way(&self) -> Option<&RegionsUnderWay> {
        self.under_way.as_ref()
    }

    /// The tick at which the recording began.
    pub(crate) fn began_at(&self) -> u64 {
        self.start
    }

    /// The recorded process.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// Makes this process, a child of the recorded one, discard the record that its thread may be
    /// writing.
    pub(crate) fn leave(&self) {
        self.store.stand_in();
    }

    /// The data from which a child's recording is made.
    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Calls `act` with the calling thread's log, if it has one, at `tick`.
    #[inline]
    pub(crate) fn with_log(&self, act: impl FnOnce(&mut Log, &Store) -> Result<(), Exhausted>) {
        match log::with_current(|log| act(log, &self.store)) {
            Some(Ok(())) => {}
            Some(Err(exhausted)) => self.stop(clock::now(), exhausted),
            None => {
                self.homeless.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Appends the begin or end of a pause to the calling thread's log.
    pub(crate) fn push_pause(&self, record: Record) {
        self.with_log(|log, store| log.push_life(store, record));
    }

    /// The program changes its phase on the calling thread, as `change` does; false if that does
    /// nothing.
    pub(crate) fn change_phase(&self, change: impl FnOnce(&Store) -> bool) -> bool {
        let mut change = Some(change);
        let mut apply = || change.take().is_some_and(|change| change(&self.store));
        match log::with_current(|log| log.change_phase(&self.store, &mut apply)) {
            Some(has_changed) => has_changed,
            None => apply(),
        }
    }

    /// Whether the calling thread has a log of this recording.
    #[inline]
    pub(crate) fn has_log(&self) -> bool {
        self.logs.has_current()
    }

    /// Gives the calling thread a log that begins at `tick`.
    pub(crate) fn begin_thread(&'static self, kind: ThreadKind, tick: u64) {
        if !is_wanted() || !self.logs.begin_thread() {
            return;
        }
        thread_end::watch_thread();
        self.samples.begin_thread(&self.store);
        let seen = tick;
        let tick = if self.was_there() { self.start } else { tick };
        let mut begin = record(EventKind::ThreadBegin, tick);
        begin.sub = kind.raw().0 as u8;
        begin.value = own_thread().unsigned_abs().into();
        let initial = kind != ThreadKind::Worker;
        let is_first = initial && begin.value == u64::from(process::id());
        self.with_log(|log, store| {
            log.start((tick, seen), initial);
            if is_first && self.origin.attached.is_none() {
                log.begin_late(store, census::waited_by_thread());
            }
            log.push_life(store, begin)
        });
    }

    /// Whether the calling thread, which has just got its log, is older than the recording of an
    /// attached collector: its time counts from the recording's begin on. Not if its log continues
    /// that of another thread.
    fn was_there(&self) -> bool {
        self.origin.attached.is_some()
            && census::was_there(own_thread().unsigned_abs().into())
            && log::peek(|log| Some(log.life == 0)) == Some(true)
    }

    /// The calling thread ends.
    pub(crate) fn leave_thread(&self) {
        let now = clock::now();
        self.with_log(|log, store| {
            log.end_user_code(store, now);
            log.end_time(store, now)?;
            let value = census::used_by_thread();
            log.push_life(store, Record { value, ..record(EventKind::ThreadEnd, now) })
        });
        self.end_thread();
    }

    /// Ends the calling thread's use of its log.
    pub(crate) fn end_thread(&self) {
        self.samples.end_thread();
        self.logs.end_thread();
        if last::is_main_thread() {
            self.main_ends.store(true, Ordering::Release);
            self.store.ring();
        }
    }

    /// There is no more room: all threads stop recording, and the helper reports it.
    #[cold]
    fn stop(&self, tick: u64, exhausted: Exhausted) {
        MODE.end();
        // The first thread's reason counts. It is stored before the tick, and read after it.
        if self.stopped.load(Ordering::Relaxed) == 0 {
            self.reason.store(exhausted.code(), Ordering::Relaxed);
            // Release: pairs with the Acquire in `report_stop`.
            let _ =
                self.stopped.compare_exchange(0, tick.max(1), Ordering::Release, Ordering::Relaxed);
        }
        self.store.ring();
    }

    /// Ends the recording. Called once by the runtime; callbacks may still come.
    pub(crate) fn end(&self) {
        if self.ended.swap(true, Ordering::Relaxed) {
            return;
        }
        let tick = clock::now();
        // Of the threads in user code; there are some if one of them calls exit(3).
        log::with_current(|log| {
            log.end_user_code(&self.store, tick);
            log.end_tests(&self.store, tick);
            // Without room in the file these sums are missing, as the thread's other sums are.
            let _ = log.end_unreported(&self.store);
        });
        let computing = self.logs.in_user_code().filter_map(|(_, thread)| {
            let (taken, blocked) = scheduler::not_computed(&thread, tick)?;
            Some(Unfinished { taken, blocked, ..Unfinished::of(thread.tid, thread.code) })
        });
        let waiting = self.logs.waiting().map(|thread| Unfinished {
            waits: tick.saturating_sub(thread.left),
            ..Unfinished::of(thread.tid, thread.code)
        });
        let unfinished: Vec<Unfinished> = computing.chain(waiting).collect();
        MODE.end();
        self.ending.store(true, Ordering::Release);
        self.store.ring();
        let helper = lock(&self.helper).take();
        if let Some(helper) = helper {
            // The helper cannot panic; if it was killed there is nothing to wait for.
            let _ = helper.join();
        }
        self.end_thread();
        if let Some(text) = self.samples.remark() {
            message::print(&text);
        }
        self.logs.close(&self.store);
        phases::close(&self.store);
        self.samples.part_from_ended();
        self.samples.close(&self.store);
        let mut facts = lock(&self.facts);
        let lost = self.homeless.load(Ordering::Relaxed);
        // Facts for which there is no room are missing in the report; nothing else can be done.
        let _ = facts.refresh(&self.store).and_then(|()| {
            for one in unfinished {
                facts.unfinished(&self.store, one)?;
            }
            facts.end(&self.store, tick, lost)
        });
        facts.close(&self.store);
        self.store.seal();
        self.store.trim();
        let used = self.store.close();
        self.used.store(used, Ordering::Release);
    }

    /// Gives back what the recording, which has ended, has of the system, since the process goes
    /// on. For the end of the tool, after which no callback runs.
    pub(crate) fn give_back(&self) {
        if self.origin.attached.is_some() && self.ended.load(Ordering::Relaxed) {
            self.store.give_back(self.used.load(Ordering::Acquire));
            self.logs.give_back();
        }
    }

    /// The helper thread's work, until the recording ends or no other thread is left.
    fn help(&'static self) {
        let mut said = false;
        // When the helper learned that the main thread may leave.
        let mut leaving_since = None;
        let mut rounds = 0;
        let mut taken = 0;
        let mut maker = Maker::default();
        let mut watcher = Watcher::new(self.samples.are_wanted());
        let mut host = Host::new();
        let mut teller = Teller::new(self.origin.settings.live);
        let recycler = self.origin.ticks(self.origin.settings.last_ns);
        let mut recycler = recycler.map(|kept| Recycler::new(&self.store, kept));
        self.refresh_samples(&mut maker);
        let mut attached = self.origin.attached;
        let mut facts_due = clock::read(libc::CLOCK_MONOTONIC) + FIRST_MS * 1_000_000;
        loop {
            let bell = self.store.bell.load(Ordering::Acquire);
            if self.ending.load(Ordering::Acquire) {
                if !said {
                    self.report_stop();
                }
                watcher.close(&self.store);
                teller.close(&self.store);
                return;
            }
            // Keep as many chunks ready as there are threads, or as the last round took.
            let threads = self.logs.streams().min(64);
            let margin = FIRST_CHUNKS.max(threads).max(2 * (self.store.taken() - taken)).min(256);
            taken = self.store.taken();
            if is_wanted()
                && let Err(error) = self.store.reserve_ahead(margin)
            {
                let errno = error.raw_os_error().unwrap_or(0);
                self.stop(clock::now(), Exhausted::Disk(errno));
            }
            self.store.seal();
            if let Some(recycler) = &mut recycler {
                recycler.pass(&self.store);
            }
            if !said {
                said = self.report_stop();
            }
            if self.store.are_modules_due() {
                let _ = lock(&self.facts).modules(&self.store);
                self.refresh_samples(&mut maker);
            }
            let now = clock::read(libc::CLOCK_MONOTONIC);
            if now >= facts_due {
                let _ = lock(&self.facts).refresh(&self.store);
                self.refresh_samples(&mut maker);
                rounds += 1;
                let pause = if rounds < FREQUENT_ROUNDS { IDLE_MS } else { IDLE_LATER_MS };
                facts_due = now + pause * 1_000_000;
                leaving_since = leaving_since.or(last::main_thread_has_left().then_some(now));
            }
            if self.main_ends.load(Ordering::Acquire) {
                leaving_since.get_or_insert(now);
            }
            let mut sleep = (facts_due.saturating_sub(now)) / 1_000_000 + 1;
            if let Some(wait) = teller.tell(&self.store, &self.logs, now) {
                sleep = sleep.min(wait);
            }
            if let Some(wait) = host.look(&self.samples, &self.store, now) {
                sleep = sleep.min(wait);
            }
            if let Some(request) = attached {
                sleep = sleep.min(LONGEST_LOOK_MS);
                // If there is no thread for it, the next round tries again.
                if request.is_to_leave() && request.leave().is_ok() {
                    attached = None;
                }
            }
            if is_on()
                && let Some(wait) = self.open_window()
            {
                sleep = sleep.min(wait);
            }
            if let Some(since) = leaving_since {
                if last::is_last_thread() {
                    // The recording's end does not wait for this thread, since this thread executes
                    // it.
                    watcher.close(&self.store);
                    teller.close(&self.store);
                    drop(lock(&self.helper).take());
                    return;
                }
                let passed = now.saturating_sub(since) / 1_000_000;
                sleep = sleep.min((passed / 8).clamp(LEAST_LOOK_MS, LONGEST_LOOK_MS));
            }
            watcher.listen(&self.store, (&self.logs, &self.samples), bell, sleep);
        }
    }

    /// Opens the next window of events if its time has come. Returns after how many milliseconds to
    /// call this again.
    fn open_window(&self) -> Option<u64> {
        let ticks = fold::open_next(fold::Used::of(&self.store), clock::now())?;
        Some(ticks.saturating_mul(1000) / self.origin.ticks_per_second.max(1) + 1)
    }

    fn refresh_samples(&self, maker: &mut Maker) {
        if let Some(text) = self.samples.refresh(maker) {
            message::print(&text);
        }
        if let Some(found) = sample::python_found() {
            // Without room for it, the interpreter's own functions are shown.
            let _ = lock(&self.facts).python(&self.store, found);
        }
    }

    /// Reports to the user and in the file why recording stopped. Returns false if it has not.
    fn report_stop(&self) -> bool {
        // Acquire: pairs with the Release in `stop`.
        let tick = self.stopped.load(Ordering::Acquire);
        if tick == 0 {
            return false;
        }
        let why = Exhausted::from_code(self.reason.load(Ordering::Relaxed)).to_string();
        let path = self.path.display();
        message::print(&format!("recording to {path} stopped, the program goes on: {why}"));
        let _ = lock(&self.facts).stopped(&self.store, tick, &why);
        true
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the helper thread with all signals blocked: they are the program's.
fn spawn_helper(recording: &'static Recording) -> io::Result<JoinHandle<()>> {
    // SAFETY: the sets have room for the answers.
    unsafe {
        let mut all = mem::zeroed::<libc::sigset_t>();
        let mut before = mem::zeroed::<libc::sigset_t>();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let helper = thread::Builder::new()
            .name("oxomp-collect".to_owned())
            .stack_size(256 << 10)
            .spawn(move || {
                priority::step_back();
                recording.help();
                // If this is the last thread, it executes the program's exit handlers.
                libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut());
            });
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut());
        helper
    }
}
