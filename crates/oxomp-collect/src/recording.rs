//! The recording as a whole: its state, its helper thread, its end.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread::{self, JoinHandle};
use std::{io, mem, process, ptr};

use ompt::ThreadKind;
use oxomp_trace::{EventKind, FileHeader, Record};

use crate::facts::Facts;
use crate::log::{self, Log, Logs, record};
use crate::settings::Settings;
use crate::store::{Exhausted, Store};
use crate::{clock, fold, message, place};

/// Nothing is recorded: not yet, or not any more.
const OFF: u8 = 0;
/// Events are recorded.
const ON: u8 = 1;
/// The program said pause.
const PAUSED: u8 = 2;
/// A child made by fork, of a process that was recorded: its first region starts a recording of its
/// own. Most children have none.
const FORKED: u8 = 3;
/// The same, in a pause.
const FORKED_PAUSED: u8 = 4;
/// A thread of such a child starts the recording; others wait for it.
const STARTING: u8 = 5;

/// One word for every callback to look at. Relaxed: a callback that runs at the same time as a
/// change may be on either side of it.
static MODE: AtomicU8 = AtomicU8::new(OFF);
/// The process's recording. Null before it starts, and in a child until it has one of its own.
static CURRENT: AtomicPtr<Recording> = AtomicPtr::new(ptr::null_mut());
/// The parent's recording, in a child: what its own is made after.
static PARENTS: AtomicPtr<Recording> = AtomicPtr::new(ptr::null_mut());
/// Whether there may be threads that had begun before the recording: in a child.
static IS_CHILD: AtomicBool = AtomicBool::new(false);
/// In a child, when it was forked: the tick and `CLOCK_MONOTONIC`'s nanoseconds.
static FORK_TICK: AtomicU64 = AtomicU64::new(0);
static FORK_NS: AtomicU64 = AtomicU64::new(0);

/// How long the helper sleeps if nothing rings, ms.
const IDLE_MS: u64 = 1000;
/// After this many rounds it sleeps longer: clocks drift slowly.
const FREQUENT_ROUNDS: u32 = 60;
const IDLE_LATER_MS: u64 = 10_000;
/// The first second pair of clocks comes early, for short programs.
const FIRST_MS: u64 = 20;
/// Chunks kept ready at the start.
const FIRST_CHUNKS: u32 = 4;

/// Reasons to stop that are no errno.
const SIZE_LIMIT: i32 = -1;
const FILE_SIZE_LIMIT: i32 = -2;

/// What recordings of a process and of its children have in common.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    /// With the folder that the first recording went to.
    pub(crate) settings: Settings,
    pub(crate) runtime: ompt::Runtime,
    pub(crate) allowed_cpus: u64,
    pub(crate) ticks_per_second: u64,
}

/// A recording, made once and never dropped.
#[derive(Debug)]
pub(crate) struct Recording {
    store: Store,
    /// The file's path, for messages.
    path: PathBuf,
    origin: Origin,
    /// The recorded process.
    pid: u32,
    logs: Logs,
    facts: Mutex<Facts>,
    helper: Mutex<Option<JoinHandle<()>>>,
    ending: AtomicBool,
    ended: AtomicBool,
    /// 0, or the tick at which recording stopped by itself.
    stopped: AtomicU64,
    /// Why: [`SIZE_LIMIT`], [`FILE_SIZE_LIMIT`], or an errno.
    reason: AtomicI32,
    /// Events of threads without a log.
    homeless: AtomicU64,
}

/// Whether events are recorded.
#[inline]
pub(crate) fn is_on() -> bool {
    MODE.load(Ordering::Relaxed) == ON
}

/// Whether there is a recording that has not ended: threads come and go in a pause too.
pub(crate) fn is_alive() -> bool {
    matches!(MODE.load(Ordering::Relaxed), ON | PAUSED)
}

/// Whether there may be a recording later, or is one that has not ended.
pub(crate) fn is_wanted() -> bool {
    MODE.load(Ordering::Relaxed) != OFF
}

/// Nothing is recorded any more.
pub(crate) fn give_up() {
    MODE.store(OFF, Ordering::Relaxed);
}

/// Pauses the recording; false if it was not on.
pub(crate) fn pause() -> bool {
    change(ON, PAUSED) || change(FORKED, FORKED_PAUSED)
}

/// Resumes the recording; false if it was not paused.
pub(crate) fn resume() -> bool {
    change(PAUSED, ON) || change(FORKED_PAUSED, FORKED)
}

fn change(from: u8, to: u8) -> bool {
    MODE.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed).is_ok()
}

/// The recording of the process, if one has started.
#[inline]
pub(crate) fn current() -> Option<&'static Recording> {
    // Acquire: pairs with the Release in `Recording::start`.
    // SAFETY: null or a recording that is never dropped.
    unsafe { CURRENT.load(Ordering::Acquire).as_ref() }
}

/// The calling thread begins. In a child the runtime's own handler of fork, which may run before
/// ours, begins its thread anew: that is why the process is looked at here.
pub(crate) fn begin_thread(kind: ThreadKind) {
    if current().is_some_and(|recording| recording.pid != process::id()) {
        detach();
    }
    // Not in a handler of fork: other threads of a child have it behind them.
    if MODE.load(Ordering::Relaxed) == FORKED && !is_main_thread() {
        start_in_child();
    }
    if let Some(recording) = current() {
        recording.begin_thread(kind, clock::now());
    }
}

/// The calling thread encounters a region: in a child that may be the first thing it does that is
/// worth a recording, and the thread may be older than that.
#[inline]
pub(crate) fn enter_region() {
    if IS_CHILD.load(Ordering::Relaxed) {
        adopt_thread();
    }
}

#[cold]
fn adopt_thread() {
    if MODE.load(Ordering::Relaxed) == FORKED || MODE.load(Ordering::Relaxed) == STARTING {
        start_in_child();
    }
    if let Some(recording) = current()
        && !log::has_current()
    {
        let begin = if is_main_thread() { FORK_TICK.load(Ordering::Relaxed) } else { clock::now() };
        recording.begin_thread(ThreadKind::Initial, begin);
    }
}

/// Starts the recording of a child, unless another thread has.
#[cold]
fn start_in_child() {
    if !change(FORKED, STARTING) {
        while MODE.load(Ordering::Acquire) == STARTING {
            thread::yield_now();
        }
        return;
    }
    // SAFETY: a child has had a parent with a recording, which is never dropped.
    let Some(parents) = (unsafe { PARENTS.load(Ordering::Relaxed).as_ref() }) else { return };
    let origin = parents.origin.clone();
    let header = FileHeader {
        pid: process::id(),
        start_tick: FORK_TICK.load(Ordering::Relaxed),
        start_monotonic_ns: FORK_NS.load(Ordering::Relaxed),
        start_unix_ns: clock::read(libc::CLOCK_REALTIME),
        ticks_per_second: origin.ticks_per_second,
    };
    fold::begin_anew();
    let started = Recording::create(origin, &header);
    if let Err(error) = started {
        give_up();
        message::print(&format!("process {} is not recorded: {error}", header.pid));
    }
}

/// Whether the calling thread is the first of its process: in a child the one that forked.
fn is_main_thread() -> bool {
    // SAFETY: calls without arguments that always succeed.
    unsafe { libc::gettid() == libc::getpid() }
}

/// Before fork(2), on the forking thread.
unsafe extern "C" fn before_fork() {
    log::hide_current();
}

/// After it, in the parent.
unsafe extern "C" fn in_parent() {
    log::show_current();
}

/// After it, in the child, where only the forking thread exists and none of the mapped file.
unsafe extern "C" fn in_child() {
    detach();
}

/// This process is a child of the recorded one, whose recording goes on without us.
fn detach() {
    let parents = CURRENT.swap(ptr::null_mut(), Ordering::Relaxed);
    if !parents.is_null() {
        PARENTS.store(parents, Ordering::Relaxed);
        let (tick, nanoseconds) = clock::pair();
        FORK_TICK.store(tick, Ordering::Relaxed);
        FORK_NS.store(nanoseconds, Ordering::Relaxed);
    }
    log::lose_current();
    IS_CHILD.store(true, Ordering::Relaxed);
    let mode = match MODE.load(Ordering::Relaxed) {
        OFF => OFF,
        PAUSED | FORKED_PAUSED => FORKED_PAUSED,
        _ => FORKED,
    };
    MODE.store(mode, Ordering::Relaxed);
}

impl Recording {
    /// Starts to record into a new file.
    pub(crate) fn create(mut origin: Origin, header: &FileHeader) -> Result<(), String> {
        let (store, path) = place::create(&origin.settings, header)?;
        if origin.settings.verbose {
            let runtime = origin.runtime.version.to_string_lossy();
            message::print(&format!("recording {runtime} to {}", path.display()));
        }
        origin.settings.out = path.parent().map(Path::to_owned);
        Self::start(store, path, origin)
    }

    /// Starts to record into `store`, the file at `path`.
    fn start(store: Store, path: PathBuf, origin: Origin) -> Result<(), String> {
        static WATCH_FORK: Once = Once::new();
        fold::prepare();
        let mut facts = Facts::default();
        // Where there is less room, what there is will do until the helper says so.
        let _ = store.reserve_ahead(FIRST_CHUNKS);
        facts
            .start(&store, &origin.runtime, origin.allowed_cpus)
            .map_err(|exhausted| format!("{}: {}", path.display(), explain(exhausted)))?;
        let logs = Logs::new().map_err(|error| format!("table of threads: {error}"))?;
        let recording: &'static Self = Box::leak(Box::new(Self {
            store,
            path,
            origin,
            pid: process::id(),
            logs,
            facts: Mutex::new(facts),
            helper: Mutex::new(None),
            ending: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            stopped: AtomicU64::new(0),
            reason: AtomicI32::new(0),
            homeless: AtomicU64::new(0),
        }));
        WATCH_FORK.call_once(|| {
            // SAFETY: the handlers only store to atomics and to their own thread's variables.
            unsafe { libc::pthread_atfork(Some(before_fork), Some(in_parent), Some(in_child)) };
        });
        let helper = spawn_helper(recording).map_err(|error| format!("helper thread: {error}"))?;
        *lock(&recording.helper) = Some(helper);
        // Release: who finds it finds it whole.
        CURRENT.store(ptr::from_ref(recording).cast_mut(), Ordering::Release);
        MODE.store(ON, Ordering::Release);
        Ok(())
    }

    /// Calls `act` with the calling thread's log, if it has one, at `tick`.
    #[inline]
    pub(crate) fn with_log(
        &self,
        tick: u64,
        act: impl FnOnce(&mut Log, &Store) -> Result<(), Exhausted>,
    ) {
        match log::with_current(|log| act(log, &self.store)) {
            Some(Ok(())) => {}
            Some(Err(exhausted)) => self.stop(tick, exhausted),
            None => {
                self.homeless.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Appends a record to the calling thread's log.
    #[inline]
    pub(crate) fn push(&self, record: Record) {
        self.with_log(record.tick, |log, store| log.push(store, record));
    }

    /// Gives the calling thread a log that begins at `tick`.
    fn begin_thread(&self, kind: ThreadKind, tick: u64) {
        if !is_alive() || !self.logs.begin_thread() {
            return;
        }
        let mut begin = record(EventKind::ThreadBegin, tick);
        begin.sub = kind.raw().0 as u8;
        // SAFETY: a call without arguments that always succeeds.
        begin.value = unsafe { libc::gettid() }.unsigned_abs().into();
        let initial = kind != ThreadKind::Worker;
        self.with_log(tick, |log, store| {
            log.start(tick, initial);
            log.push(store, begin)
        });
    }

    /// Takes the log from the calling thread.
    pub(crate) fn end_thread(&self) {
        self.logs.end_thread(&self.store);
    }

    /// No room any more: everybody stops, and the helper says so.
    #[cold]
    fn stop(&self, tick: u64, exhausted: Exhausted) {
        MODE.store(OFF, Ordering::Relaxed);
        let reason = match exhausted {
            Exhausted::Limit => SIZE_LIMIT,
            Exhausted::FileSize => FILE_SIZE_LIMIT,
            Exhausted::Disk(errno) => errno,
        };
        // The first one counts; the reason is looked at after the tick.
        if self.stopped.load(Ordering::Relaxed) == 0 {
            self.reason.store(reason, Ordering::Relaxed);
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
        MODE.store(OFF, Ordering::Relaxed);
        self.ending.store(true, Ordering::Release);
        self.store.ring();
        let helper = lock(&self.helper).take();
        if let Some(helper) = helper {
            // The helper cannot panic; if it was killed there is nothing to wait for.
            let _ = helper.join();
        }
        self.end_thread();
        self.logs.close(&self.store);
        let mut facts = lock(&self.facts);
        let lost = self.homeless.load(Ordering::Relaxed);
        // Facts that find no room are missing from the report, which is all there is to do.
        let _ = facts.refresh(&self.store).and_then(|()| facts.end(&self.store, tick, lost));
        facts.close(&self.store);
        self.store.seal();
        self.store.trim();
    }

    /// What the helper thread does until the end.
    fn help(&self) {
        let mut said = false;
        let mut rounds = 0;
        let mut taken = 0;
        let mut facts_due = clock::read(libc::CLOCK_MONOTONIC) + FIRST_MS * 1_000_000;
        loop {
            let bell = self.store.bell.load(Ordering::Acquire);
            if self.ending.load(Ordering::Acquire) {
                if !said {
                    self.report_stop();
                }
                return;
            }
            // As many chunks ready as there are threads, or as the last round took.
            let threads = self.logs.streams().min(64);
            let margin = FIRST_CHUNKS.max(threads).max(2 * (self.store.taken() - taken)).min(256);
            taken = self.store.taken();
            if is_alive()
                && let Err(error) = self.store.reserve_ahead(margin)
            {
                let errno = error.raw_os_error().unwrap_or(0);
                self.stop(clock::now(), Exhausted::Disk(errno));
            }
            self.store.seal();
            if !said {
                said = self.report_stop();
            }
            let now = clock::read(libc::CLOCK_MONOTONIC);
            if now >= facts_due {
                let _ = lock(&self.facts).refresh(&self.store);
                rounds += 1;
                let pause = if rounds < FREQUENT_ROUNDS { IDLE_MS } else { IDLE_LATER_MS };
                facts_due = now + pause * 1_000_000;
            }
            self.store.listen(bell, (facts_due.saturating_sub(now)) / 1_000_000 + 1);
        }
    }

    /// Tells the user and the file why recording stopped; false if it has not.
    fn report_stop(&self) -> bool {
        // Acquire: pairs with the Release in `stop`.
        let tick = self.stopped.load(Ordering::Acquire);
        if tick == 0 {
            return false;
        }
        let why = match self.reason.load(Ordering::Relaxed) {
            SIZE_LIMIT => explain(Exhausted::Limit),
            FILE_SIZE_LIMIT => explain(Exhausted::FileSize),
            errno => explain(Exhausted::Disk(errno)),
        };
        let path = self.path.display();
        message::print(&format!("recording to {path} stopped, the program goes on: {why}"));
        let _ = lock(&self.facts).stopped(&self.store, tick, &why);
        true
    }
}

/// What to tell the user.
fn explain(exhausted: Exhausted) -> String {
    match exhausted {
        Exhausted::Limit => "the file has the size that OXOMP_MAX_SIZE allows".to_owned(),
        Exhausted::FileSize => {
            "the file has the size that the system's limit of file sizes allows (ulimit -f)"
                .to_owned()
        }
        Exhausted::Disk(errno) => format!("no room: {}", io::Error::from_raw_os_error(errno)),
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
            .spawn(|| recording.help());
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut());
        helper
    }
}
