//! A thread that calls functions of the tool, which may end it by pthread_exit(3).
//!
//! The forced unwinding of pthread_exit passes the frames of this library, which are compiled
//! without unwinding and so do nothing. The frames of a thread of std would end the process
//! instead; so this thread is not made by std.

use core::ffi::c_void;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ptr;

use once_cell::race::OnceBox;

/// A thread; dropped, it is detached.
#[derive(Debug)]
pub(crate) struct Thread(libc::pthread_t);

/// What a thread does, and what it does if pthread_exit ends it meanwhile.
struct Work {
    run: fn(),
    at_exit: fn(),
}

impl Thread {
    /// A thread that blocks all signals and does `run`; if pthread_exit(3) ends it in `run`, it
    /// does `at_exit`. `None` if the system has no further thread.
    pub(crate) fn spawn(run: fn(), at_exit: fn()) -> Option<Self> {
        key()?;
        let mut thread = MaybeUninit::uninit();
        let work = Box::into_raw(Box::new(Work { run, at_exit })).cast::<c_void>();
        let signals = block_signals();
        // SAFETY: the place is this function's own, and `start` takes the work.
        let error = unsafe { libc::pthread_create(thread.as_mut_ptr(), ptr::null(), start, work) };
        restore_signals(&signals);
        if error != 0 {
            // SAFETY: no thread has taken the work.
            drop(unsafe { Box::from_raw(work.cast::<Work>()) });
            return None;
        }
        // SAFETY: without an error the thread is there.
        Some(Self(unsafe { thread.assume_init() }))
    }

    /// If the calling thread is such a thread, makes it do nothing at its end: in the child of its
    /// own fork(2) it is no longer this library's thread.
    pub(crate) fn forget_end() {
        if let Some(key) = key() {
            // SAFETY: the key is valid.
            unsafe { libc::pthread_setspecific(key, ptr::null()) };
        }
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

/// The key whose value is the work of the calling thread while it goes on. Its destructor runs at
/// the end of a thread only; destructors of Rust's thread-locals run in exit(3), too.
fn key() -> Option<libc::pthread_key_t> {
    static KEY: OnceBox<Key> = OnceBox::new();
    KEY.get_or_init(|| Box::new(Key::new())).0
}

/// A key, if the system has one. If two threads make a key at once, one key is dropped, unused.
struct Key(Option<libc::pthread_key_t>);

impl Key {
    fn new() -> Self {
        let mut key = 0;
        // SAFETY: the place is this function's own, and the destructor takes the key's values.
        let error = unsafe { libc::pthread_key_create(&raw mut key, Some(ended)) };
        Self((error == 0).then_some(key))
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        if let Some(key) = self.0 {
            // SAFETY: the key is valid, and no thread has given it a value.
            unsafe { libc::pthread_key_delete(key) };
        }
    }
}

/// # Safety
/// `work` is what `start` has set.
unsafe extern "C" fn ended(work: *mut c_void) {
    // SAFETY: the thread has ended in `run`, which leaves the work.
    let work = unsafe { Box::from_raw(work.cast::<Work>()) };
    (work.at_exit)();
}

extern "C" fn start(work: *mut c_void) -> *mut c_void {
    let Some(key) = key() else { return ptr::null_mut() };
    // SAFETY: the calling thread and a name; `work` is what `spawn` has made, and stays until the
    // thread ends; the key is valid.
    unsafe {
        libc::pthread_setname_np(libc::pthread_self(), c"oxomp-trace".as_ptr());
        libc::pthread_setspecific(key, work);
        ((*work.cast::<Work>()).run)();
        libc::pthread_setspecific(key, ptr::null());
        drop(Box::from_raw(work.cast::<Work>()));
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
