//! Roots: how native threads that the program created join the runtime and leave it.

use core::ffi::c_void;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use oxomp_base::os;

use crate::block::{Alone, Native, Thread};
use crate::ompt::event::{State, ThreadKind, emit, flags};
use crate::parallel;
use crate::pool;
use crate::threadprivate;

/// 1 plus the pthread key whose destructor notices the end of a root's native thread; 0 if the
/// system had no key left.
static EXIT_KEY: AtomicU64 = AtomicU64::new(0);

/// Makes the key. Called when the library is loaded, before the program can call it.
pub(super) fn make_exit_key() {
    let mut key = 0;
    // SAFETY: `key` is there to be written; the destructor is a function of this library, which is
    // never unloaded.
    if unsafe { libc::pthread_key_create(&mut key, Some(root_exits)) } == 0 {
        EXIT_KEY.store(u64::from(key) + 1, Release);
    }
}

fn exit_key() -> Option<libc::pthread_key_t> {
    EXIT_KEY.load(Acquire).checked_sub(1).map(|key| key as libc::pthread_key_t)
}

/// Emits the first events of a root; for one that became a root in the tool's initializer, after
/// the initializer.
pub(super) fn announce(thread: &Thread) {
    let Some(task) = thread.initial.get() else { return };
    if thread.ompt.is_announced.replace(true) {
        return;
    }
    // A tool that starts again may hear of the root first in a region.
    let is_outside = core::ptr::eq(thread.implicit_task(), task);
    if is_outside {
        // The end of an earlier session has left the thread in the state of one without a task.
        thread.set_state(State::Overhead);
        emit::begin_records(Some(task.team().record()), Some(&task.ompt));
    }
    thread.ompt.data.set(0);
    emit::thread_begin(&thread.ompt, ThreadKind::Initial);
    emit::implicit_task_begin(task.team().record(), &task.ompt, 1, 1, flags::TASK_INITIAL);
    if is_outside {
        thread.set_state(State::WorkSerial);
    }
}

/// Counts a new root, and makes the runtime notice its end.
pub(super) fn count_in(native: Native) {
    if os::thread_id() == os::process_id() {
        MAIN_IS_ROOT.store(true, Relaxed);
    }
    ROOTS.fetch_add(1, Relaxed);
    watch_exit(native);
}

fn watch_exit(native: Native) {
    // Without a key the thread's block is not used again; nothing else is lost.
    if let Some(key) = exit_key() {
        // SAFETY: `pthread_key_create` made the key, and it is never deleted.
        unsafe { libc::pthread_setspecific(key, native.into_raw()) };
    }
}

/// Makes the next call of the calling thread run `register_root`, where a tool may start again. For
/// a root outside of regions only: constructs go on with the thread that began them.
pub(super) fn hide(thread: &Thread) {
    let Some(task) = thread.initial.get() else { return };
    if core::ptr::eq(thread.implicit_task(), task) && exit_key().is_some() {
        // In the child of a fork(2) it has been announced to the parent's tool.
        thread.ompt.is_announced.set(false);
        Native::hide();
    }
}

/// The calling thread, if it is a root that `hide` has hidden; it is known again.
pub(super) fn reveal() -> Option<&'static Thread> {
    let key = exit_key()?;
    // SAFETY: the key is never deleted.
    let native = unsafe { libc::pthread_getspecific(key) };
    // SAFETY: a value of the key is what `watch_exit` made with `into_raw` on the calling thread;
    // the C library resets the key's value before `root_exits` takes it back.
    (!native.is_null()).then(|| unsafe { Native::reveal(native) })
}

/// Roots whose native thread has not ended.
static ROOTS: AtomicU32 = AtomicU32::new(0);
/// The main thread is a root. Otherwise the runtime does not notice when it ends by
/// pthread_exit(3). The process then ends with its last thread, which must not be an idle worker.
static MAIN_IS_ROOT: AtomicBool = AtomicBool::new(false);

/// The native thread of a root ends: its workers go to the pool, and its block to the next root,
/// unless tasks that wait for an event still refer to it.
unsafe extern "C" fn root_exits(native: *mut c_void) {
    // SAFETY: `native` is the value that `watch_exit` made with `into_raw` on the calling thread.
    // The C library has set the key's value to null before this call, so the right is taken back
    // once.
    let native = unsafe { Native::from_raw(native) };
    let thread = native.thread();
    let Some(task) = thread.initial.get() else { return };
    if !core::ptr::eq(thread.implicit_task(), task) {
        // It left from within a region (pthread_exit): its team waits for it in vain, and cannot be
        // repaired.
        return;
    }
    parallel::dismiss_workers(task);
    threadprivate::end_copies(thread);
    end_root(thread);
    let is_vacant = thread.task().end_initial();
    pool::leave_root(native.leave(), is_vacant);
    if os::thread_id() == os::process_id() {
        MAIN_IS_ROOT.store(false, Relaxed);
    }
    // AcqRel: the last root to leave sees what the main thread, which left before it, wrote to
    // `MAIN_IS_ROOT`.
    if ROOTS.fetch_sub(1, AcqRel) == 1 && !MAIN_IS_ROOT.load(Relaxed) {
        parallel::quit(&pool::take_idle());
    }
}

/// Whether the calling thread is the only root, and in no region.
pub(super) fn is_alone(thread: &Thread) -> bool {
    let is_outside = |task: &_| core::ptr::eq(thread.implicit_task(), task);
    // Relaxed: another thread that becomes a root now might as well do so a moment later.
    ROOTS.load(Relaxed) == 1 && thread.initial.get().is_some_and(is_outside)
}

/// Emits the last events of a root.
pub(super) fn end_root(thread: &Thread) {
    let task = thread.implicit_task();
    // Before the events: a callback may finalize the tool, which comes here again.
    thread.ompt.is_announced.set(false);
    emit::implicit_task_end(&task.ompt, 1, flags::TASK_INITIAL);
    emit::thread_end(&thread.ompt, thread.kind());
    thread.set_state(State::Undefined);
}

/// In the child of a fork(2): the calling thread is the only one; `is_root`: it is a root.
pub(super) fn forget_roots(is_root: bool, _: &Alone) {
    ROOTS.store(u32::from(is_root), Relaxed);
    MAIN_IS_ROOT.store(is_root, Relaxed);
}
