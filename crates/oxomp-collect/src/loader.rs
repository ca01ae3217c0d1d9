//! Walks over the loaded modules, for which forks wait.
//!
//! The loader's lock of its list of modules stays locked in a child of fork(2) if another thread of
//! the parent held it: the C library frees it in no child. So a thread that forks lets a walk of
//! ours end first, and none begins before the fork is over. A child that was forked in the middle
//! of a walk all the same must not walk: it would wait for ever.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The loader's callback: facts of a module, their size, and the data of the walk.
type Visit = unsafe extern "C" fn(*mut libc::dl_phdr_info, usize, *mut c_void) -> c_int;

/// The thread that walks or forks, by its pthread_self, which is the same in the child; 0: none.
static HOLDER: AtomicUsize = AtomicUsize::new(0);

/// A walk takes milliseconds. It may wait for the loader's lock, and a program may fork with that
/// lock in its hands: so a fork waits so long at most.
const PATIENCE: Duration = Duration::from_millis(500);
/// Between two looks at the holder.
const PAUSE: Duration = Duration::from_micros(50);

/// Calls `visit` with each module and `data`.
///
/// # Safety
///
/// `visit` may be called with `data`.
pub(crate) unsafe fn walk<T>(visit: Visit, data: &mut T) {
    let is_held = hold();
    // SAFETY: the caller's promise; `data` lives meanwhile.
    unsafe { libc::dl_iterate_phdr(Some(visit), std::ptr::from_mut(data).cast()) };
    if is_held {
        release();
    }
}

/// Before fork(2), on the forking thread.
pub(crate) fn before_fork() {
    hold();
}

/// After fork(2), in the parent, on the forking thread.
pub(crate) fn after_fork() {
    release();
}

/// After fork(2), in the child. Returns false if another thread of the parent was walking.
pub(crate) fn begin_child() -> bool {
    let holder = HOLDER.swap(0, Ordering::Relaxed);
    holder == 0 || holder == this_thread()
}

/// Makes the calling thread the holder, unless another one is it for too long.
fn hold() -> bool {
    let begin = Instant::now();
    // Acquire, and Release in `release`: the holder's walk is over.
    while HOLDER.compare_exchange(0, this_thread(), Ordering::Acquire, Ordering::Relaxed).is_err() {
        if begin.elapsed() >= PATIENCE {
            return false;
        }
        thread::sleep(PAUSE);
    }
    true
}

/// Ends the calling thread's hold, if it has one.
fn release() {
    let own = this_thread();
    HOLDER.compare_exchange(own, 0, Ordering::Release, Ordering::Relaxed).ok();
}

fn this_thread() -> usize {
    // SAFETY: always safe to call.
    unsafe { libc::pthread_self() as usize }
}
