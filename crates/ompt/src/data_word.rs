//! The words that runtime and tool exchange: data words, wait ids, code addresses.

use core::ffi::c_void;
use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};

use oxomp_sys::ompt::ompt_data_t;

/// A word that belongs to the tool, kept by the runtime beside a thread, a region or a task.
///
/// It starts as 0. Threads may use the same region's word at once, hence the atomic operations;
/// reading and writing are plain loads and stores on every machine (relaxed ordering).
#[repr(transparent)]
#[derive(Debug)]
pub struct DataWord(AtomicU64);

impl DataWord {
    /// The word behind a callback's argument; `None` for a null pointer.
    ///
    /// # Safety
    /// `word` is null or points to a data word that is alive for `'a` and which the runtime does
    /// not write meanwhile.
    pub(crate) unsafe fn from_raw<'a>(word: *mut ompt_data_t) -> Option<&'a Self> {
        // SAFETY: the layouts are the same (8 bytes, aligned to 8), and the caller guarantees the
        // lifetime.
        unsafe { word.cast::<Self>().as_ref() }
    }

    /// Reads the tool's value.
    #[inline]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Sets the tool's value.
    #[inline]
    pub fn set(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }

    /// Sets the value if it is still `current`; otherwise returns the value that the word has.
    #[inline]
    pub fn compare_exchange(&self, current: u64, new: u64) -> Result<(), u64> {
        self.0.compare_exchange(current, new, Ordering::AcqRel, Ordering::Acquire).map(drop)
    }

    /// The value as a pointer that the tool has stored; null at first.
    ///
    /// Acquire: pairs with [`DataWord::set_ptr`] of another thread.
    #[inline]
    pub fn ptr<T>(&self) -> *mut T {
        core::ptr::with_exposed_provenance_mut(self.0.load(Ordering::Acquire) as usize)
    }

    /// Stores a pointer. Release: publishes what the thread wrote behind it.
    #[inline]
    pub fn set_ptr<T>(&self, ptr: *mut T) {
        self.0.store(ptr.expose_provenance() as u64, Ordering::Release);
    }
}

/// The identity of a mutex: the same value in all events about one mutex, and in the state of a
/// thread that waits for it. 0 means that there is no mutex.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WaitId(pub u64);

/// An address in the program's code: where the call that implements a construct returns to. 0 if
/// the runtime cannot tell.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CodePtr(pub usize);

impl fmt::Display for WaitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl CodePtr {
    #[inline]
    pub(crate) fn new(codeptr_ra: *const c_void) -> Self {
        Self(codeptr_ra.addr())
    }

    /// Whether the runtime could not tell the address.
    pub const fn is_null(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for CodePtr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}
