//! The machine of the models: loom's atomics, and a kernel made of a mutex and a condition
//! variable. When a protocol loses a wake-up, the sleeper stays asleep, and loom reports the
//! deadlock.

use core::sync::atomic::Ordering::{Relaxed, SeqCst};

pub(crate) use loom::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64, fence};
use loom::sync::{Condvar, Mutex};

loom::lazy_static! {
    static ref KERNEL: (Mutex<()>, Condvar) = (Mutex::new(()), Condvar::new());
    static ref LOCKS: AtomicU32 = AtomicU32::new(0);
    static ref YIELDS: core::sync::atomic::AtomicU32 = core::sync::atomic::AtomicU32::new(0);
}

/// How many yields, of all threads in one run of a model, may pass before loom stops branching:
/// where several threads poll in turn, it would explore that for ever.
const MOST_YIELDS: u32 = 24;

/// A run of a model with this number of yields is taken for endless: without branches every thread
/// gets its turn, and a wait is over within a few yields.
const ENDLESS: u32 = 10_000;

/// Lets another thread run.
pub fn yield_now() {
    match YIELDS.fetch_add(1, Relaxed) {
        MOST_YIELDS => loom::skip_branch(),
        ENDLESS => panic!("threads look in turn, and none finds what it waits for"),
        _ => {}
    }
    loom::thread::yield_now();
}

/// A poll found nothing: lets the other threads run.
pub fn pause() {
    yield_now();
}

/// Sleeps while `*word == expected`, until a `wake`.
pub(crate) fn sleep_on(word: &AtomicU32, expected: u32) {
    let guard = KERNEL.0.lock().unwrap();
    // Relaxed: the kernel compares the word, which publishes nothing.
    if word.load(Relaxed) == expected {
        drop(KERNEL.1.wait(guard).unwrap());
    }
}

/// A sleep whose time is over at once: models have no clock.
pub(crate) fn nap_on(_word: &AtomicU32, _expected: u32, _nanoseconds: u64) {
    yield_now();
}

/// Wakes up to `count` threads. All words share one condition variable, so a model that wakes a
/// single thread may have one word only.
pub(crate) fn wake(_word: *const AtomicU32, count: i32) {
    let _guard = KERNEL.0.lock().unwrap();
    if count == 1 {
        KERNEL.1.notify_one();
    } else {
        KERNEL.1.notify_all();
    }
}

/// The frequent half of an asymmetric fence: in a model, a fence like the other half.
pub(crate) fn fence_lightly() {
    fence(SeqCst);
}

/// The rare half of an asymmetric fence: every thread that needs it has one of its own, so that a
/// fence of the calling thread is enough.
pub(crate) fn fence_of_all_threads() {
    fence(SeqCst);
}

/// All locks share one entry for their sleepers.
pub(crate) const LOCK_ENTRIES: usize = 1;

/// The entry for sleepers on locks.
pub(crate) fn lock_entry(_index: usize) -> &'static AtomicU32 {
    &LOCKS
}

/// The end of a wait that is limited in time. Models have no clock: the time is over at the first
/// sleep, before it begins (0 nanoseconds), or with the wake-up that ends it (any other number).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    sleeps: bool,
}

impl Deadline {
    pub(crate) fn after(nanoseconds: u64) -> Self {
        Deadline { sleeps: nanoseconds != 0 }
    }

    pub(crate) fn sleep_on(self, word: &AtomicU32, expected: u32) -> bool {
        if self.sleeps {
            sleep_on(word, expected);
        }
        false
    }
}

/// A function that makes an atomic: loom's cannot be made in a constant.
macro_rules! const_unless_model {
    ($(#[$meta:meta])* $visibility:vis fn $($rest:tt)*) => {
        $(#[$meta])* $visibility fn $($rest)*
    };
}

/// An atomic of which a table may consist (`zeroed`).
pub(crate) trait Entry: Default {
    /// Sets the value to 0.
    fn clear(&self);
}

impl Entry for AtomicU8 {
    fn clear(&self) {
        self.store(0, Relaxed);
    }
}

impl Entry for AtomicU64 {
    fn clear(&self) {
        self.store(0, Relaxed);
    }
}

/// A table of `count` entries that are 0.
pub(crate) fn zeroed<T: Entry>(count: usize) -> *mut T {
    let table: Box<[T]> = (0..count).map(|_| T::default()).collect();
    Box::into_raw(table).cast::<T>()
}

/// Frees a table.
///
/// # Safety
/// `zeroed` made it with this `count`, and no thread uses it any more.
pub(crate) unsafe fn free<T: Entry>(first: *mut T, count: usize) {
    // SAFETY: `zeroed` made it of a box of this length, and no thread uses it (`# Safety`).
    drop(unsafe { Box::from_raw(core::ptr::slice_from_raw_parts_mut(first, count)) });
}
