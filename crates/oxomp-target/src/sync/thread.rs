//! A thread that calls functions of the tool, which may end it by pthread_exit(3).
//!
//! The forced unwinding of pthread_exit passes the frames of this library, which have nothing to do
//! then: they are compiled without unwinding. The frames of std's threads have, and end the process
//! instead; so the thread is not one of std's.

use core::ffi::c_void;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ptr;

/// A thread; dropped, it is detached.
#[derive(Debug)]
pub(crate) struct Thread(libc::pthread_t);

impl Thread {
    /// A thread that blocks all signals; none if the system has none.
    pub(crate) fn spawn(run: fn()) -> Option<Self> {
        let mut thread = MaybeUninit::uninit();
        let signals = block_signals();
        // SAFETY: the place is this function's own, and `start` takes a function as a pointer.
        let error = unsafe {
            libc::pthread_create(thread.as_mut_ptr(), ptr::null(), start, run as *mut c_void)
        };
        restore_signals(&signals);
        // SAFETY: without an error the thread is there.
        (error == 0).then(|| Self(unsafe { thread.assume_init() }))
    }

    /// Waits for the end of the thread.
    pub(crate) fn join(self) {
        let thread = ManuallyDrop::new(self);
        // SAFETY: the thread has been neither joined nor detached.
        unsafe { libc::pthread_join(thread.0, ptr::null_mut()) };
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        // SAFETY: as for `join`.
        unsafe { libc::pthread_detach(self.0) };
    }
}

extern "C" fn start(run: *mut c_void) -> *mut c_void {
    // SAFETY: the calling thread and a name; `run` is the function that `spawn` has got.
    unsafe {
        libc::pthread_setname_np(libc::pthread_self(), c"oxomp-trace".as_ptr());
        core::mem::transmute::<*mut c_void, fn()>(run)();
    }
    ptr::null_mut()
}

/// Blocks all signals of the calling thread, and returns which were blocked.
fn block_signals() -> libc::sigset_t {
    let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::zeroed());
    // SAFETY: the places are this function's own; sigfillset fills the first. A set of zeros is
    // valid, should the second not be written.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
        before.assume_init()
    }
}

fn restore_signals(before: &libc::sigset_t) {
    // SAFETY: a set that `block_signals` returned.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, ptr::null_mut()) };
}
