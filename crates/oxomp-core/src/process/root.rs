//! How native threads that the program made join the runtime and leave it.

use core::ffi::c_void;
use core::sync::atomic::Ordering::{AcqRel, Relaxed};
use core::sync::atomic::{AtomicBool, AtomicU32};
use std::sync::OnceLock;

use crate::block::Native;
use crate::block::Thread;
use crate::ompt::event::{State, ThreadKind, emit, flags};
use crate::os;
use crate::parallel;
use crate::pool;
use crate::threadprivate;

/// Tells the runtime when the native thread of a root ends; none if the system has no key left.
static EXIT_KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();

/// The first events of a root. If it became one in the tool's initializer they come after that.
pub(super) fn announce(thread: &Thread) {
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

/// One root more: its end will be noticed.
pub(super) fn count_in(native: Native) {
    if os::thread_id() == os::process_id() {
        MAIN_IS_ROOT.store(true, Relaxed);
    }
    ROOTS.fetch_add(1, Relaxed);
    watch_exit(native);
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
    parallel::dismiss_workers(task);
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
pub(super) fn end_root(thread: &Thread) {
    let task = thread.implicit_task();
    emit::implicit_task_end(&task.ompt, 1, flags::TASK_INITIAL);
    emit::thread_end(&thread.ompt);
    thread.set_state(State::Undefined);
    thread.ompt.is_announced.set(false);
}

/// In the child of a fork(2): the calling thread is the only one, and `is_root` says of what kind.
pub(super) fn forget_roots(is_root: bool) {
    ROOTS.store(u32::from(is_root), Relaxed);
    MAIN_IS_ROOT.store(is_root, Relaxed);
}
