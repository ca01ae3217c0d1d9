//! Start and stop of the runtime, and how native threads join and leave it.
//!
//! The runtime starts at the first call that needs it, or when the library is loaded if a tool is
//! there. Nothing here is on a hot path.

use core::ffi::c_void;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicU32};
use std::sync::OnceLock;

use oxomp_protocol::yield_now;

use crate::affinity_format;
use crate::consistency;
use crate::fork;
use crate::native::Native;
use crate::ompd;
use crate::ompt::event::{State, ThreadKind, emit, flags, is_debugged};
use crate::ompt::tool;
use crate::os;
use crate::parallel;
use crate::pool;
use crate::settings;
use crate::thread::Thread;
use crate::threadprivate;

/// Steps of the start: nobody has begun; a thread is at it; done.
const NOT_STARTED: u32 = 0;
const STARTING: u32 = 1;
const STARTED: u32 = 2;
static PHASE: AtomicU32 = AtomicU32::new(NOT_STARTED);

/// The native thread that is at the start.
static STARTER: AtomicI32 = AtomicI32::new(0);

/// Tells the runtime when the native thread of a root ends; none if the system has no key left.
static EXIT_KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();

/// Initializes the runtime, with the calling thread as a root, unless that has happened.
pub fn initialize() {
    let _ = Thread::current();
}

/// The calling native thread meets OpenMP for the first time: it becomes a root with an initial task.
#[cold]
#[inline(never)]
pub(crate) fn register_root() -> &'static Thread {
    let first = PHASE.compare_exchange(NOT_STARTED, STARTING, AcqRel, Acquire).is_ok();
    if first {
        STARTER.store(os::thread_id(), Release);
        tool::find();
        if ompd::start() {
            os::at_exit::register(at_exit);
        }
    }
    let native = Native::enter(pool::root());
    let thread = native.thread();
    if let Some(task) = thread.initial.get() {
        thread.begin_root(task);
    }
    if first {
        if settings::get().globals.consistency_check {
            consistency::start();
        }
        affinity_format::set_display(settings::get().globals.display_affinity_var);
        fork::watch();
        tool::start();
        PHASE.store(STARTED, Release);
    } else {
        wait_for_start();
    }
    if os::thread_id() == os::process_id() {
        MAIN_IS_ROOT.store(true, Relaxed);
    }
    ROOTS.fetch_add(1, Relaxed);
    watch_exit(native);
    if !tool::is_initializing() {
        announce(thread);
    }
    thread
}

/// The first events of a root. If it became one in the tool's initializer they come after that.
pub(crate) fn announce(thread: &Thread) {
    if thread.initial.get().is_none() || thread.ompt.is_announced.replace(true) {
        return;
    }
    let task = thread.implicit_task();
    emit::begin_records(Some(task.team().record()), Some(&task.ompt));
    thread.ompt.data.set(0);
    emit::thread_begin(&thread.ompt, ThreadKind::Initial);
    emit::implicit_task_begin(task.team().record(), &task.ompt, 1, 1, flags::TASK_INITIAL);
    thread.set_state(State::WorkSerial);
}

/// Returns when another thread has started the runtime. A tool that calls the API while it is being
/// started, on the thread that does it, goes on.
fn wait_for_start() {
    if STARTER.load(Acquire) == os::thread_id() {
        return;
    }
    while PHASE.load(Acquire) != STARTED {
        yield_now();
    }
}

fn watch_exit(native: Native) {
    let key = EXIT_KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: writes the key; the destructor is a function of ours.
        let error = unsafe { libc::pthread_key_create(&mut key, Some(root_exits)) };
        (error == 0).then_some(key)
    });
    // Without a key the thread's block is not used again, no more.
    if let Some(key) = key {
        // SAFETY: a key of ours.
        unsafe { libc::pthread_setspecific(*key, native.into_raw()) };
    }
}

/// Roots whose native thread has not ended.
static ROOTS: AtomicU32 = AtomicU32::new(0);
/// The main thread is a root. If it is none, nobody tells us when it ends by pthread_exit(3): then the
/// process ends with its last thread, which must not be an idle worker of ours.
static MAIN_IS_ROOT: AtomicBool = AtomicBool::new(false);

/// The native thread of a root ends: its workers go to the pool, its block to the next root, unless
/// it leaves tasks behind that wait for an event.
unsafe extern "C" fn root_exits(native: *mut c_void) {
    // SAFETY: the key's value, of the calling thread; it is null by now, and is not set to this right again.
    let native = unsafe { Native::from_raw(native) };
    let thread = native.thread();
    let Some(task) = thread.initial.get() else { return };
    if !core::ptr::eq(thread.implicit_task(), task) {
        // It left from within a region (pthread_exit): its team waits for it, nothing can be saved.
        return;
    }
    task.dismiss_workers();
    threadprivate::end_copies(thread);
    end_root(thread);
    let is_vacant = thread.task().end_initial();
    pool::leave_root(native.leave(), is_vacant);
    if os::thread_id() == os::process_id() {
        MAIN_IS_ROOT.store(false, Relaxed);
    }
    // AcqRel: the last to leave sees the mark of the main thread, which left before it.
    if ROOTS.fetch_sub(1, AcqRel) == 1 && !MAIN_IS_ROOT.load(Relaxed) {
        parallel::quit(&pool::take_idle());
    }
}

/// The last events of a root.
fn end_root(thread: &Thread) {
    let task = thread.implicit_task();
    emit::implicit_task_end(&task.ompt, 1, flags::TASK_INITIAL);
    emit::thread_end(&thread.ompt);
    thread.set_state(State::Undefined);
    thread.ompt.is_announced.set(false);
}

/// Ends the idle workers that can be ended: those of the pool, and those under the calling root if it
/// is not in a region. With a tool they report their ends first.
pub fn end_workers() {
    if let Some(thread) = Thread::known()
        && let Some(task) = thread.initial.get()
        && core::ptr::eq(thread.task(), &**task)
    {
        task.dismiss_workers();
    }
    parallel::quit(&pool::take_idle());
}

/// The process ends; may come twice.
extern "C" fn at_exit() {
    shut_down();
}

/// The process ends, or the tool wants no more: the last events that can be delivered, then the tool's
/// finalizer. Without a tool and a debugger there is nothing to do.
pub fn shut_down() {
    if !tool::is_active() && !is_debugged() {
        return;
    }
    end_workers();
    if let Some(thread) = Thread::known()
        && thread.ompt.is_announced.get()
        && let Some(task) = thread.initial.get()
        && core::ptr::eq(thread.implicit_task(), task)
    {
        end_root(thread);
    }
    tool::finish();
}

/// In the child of a fork(2): the calling thread is the only one, and `is_root` says of what kind.
pub(crate) fn forget_roots(is_root: bool) {
    ROOTS.store(u32::from(is_root), Relaxed);
    MAIN_IS_ROOT.store(is_root, Relaxed);
}
