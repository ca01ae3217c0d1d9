//! Mutexes that a thread acquires and releases without events: a private interface between oxomp's
//! runtime and oxomp's collector.
//!
//! The three callbacks of an acquisition take several times what an uncontended mutex does. The
//! collector counts acquisitions and times some of them, chosen at random; of the others it wants
//! to know the number only. So it may lend a thread a table, in which the runtime counts
//! acquisitions of the mutexes that the table names, instead of reporting them. A thread that does
//! not get the mutex at its first attempt reports the acquisition as always. A thread that gets a
//! mutex also reports it if another thread waits for the mutex and wants to know of its owners.
//!
//! The collector gets the function [`oxomp_lend_unreported_t`] from the look-up function that its
//! initializer is passed, under the name `oxomp_lend_unreported`. Other runtimes do not know the
//! name. Neither does the multiplexer of tools, since another tool wants the events. The runtime
//! refuses the table if it listens to mutexes itself.

use core::ffi::c_int;
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};

/// The number of mutexes in a table.
pub const OXOMP_UNREPORTED_PLACES: usize = 16;

/// The most mutexes that a thread may hold at the same time with an unreported acquisition.
pub const OXOMP_UNREPORTED_HELD: usize = 8;

/// What threads know of the owner of a mutex. The thread that owns the mutex writes the first two
/// fields.
#[repr(C)]
#[derive(Debug)]
pub struct oxomp_mutex_owner_t {
    /// Twice the number of acquisitions, plus 1 while the last owner is thought to have the mutex.
    /// An owner that notes its release late leaves the number alone if the next owner has written
    /// it already, unless both write in the same moment.
    pub acquisition: AtomicU64,
    /// The `codeptr_ra` of the last owner's acquisition.
    pub codeptr_ra: AtomicU64,
    /// How many threads wait for the mutex and want to know when an owner releases it.
    pub wanted: AtomicU32,
}

/// A mutex that a thread may acquire at some place of the program without reporting it. The thread
/// alone reads and writes the words.
#[repr(C)]
#[derive(Debug)]
pub struct oxomp_unreported_place_t {
    /// The mutex's wait id; 0 if no mutex is named here.
    pub wait_id: AtomicU64,
    /// The `codeptr_ra` of the acquisition.
    pub codeptr_ra: AtomicU64,
    /// How many further acquisitions the runtime leaves unreported. The runtime counts it down.
    pub left: AtomicU64,
    /// The mutex's owner; not null while `left` is not 0. It is valid as long as the process lives.
    pub owner: AtomicPtr<oxomp_mutex_owner_t>,
}

/// A mutex that a thread has acquired without reporting it.
#[repr(C)]
#[derive(Debug)]
pub struct oxomp_unreported_hold_t {
    /// The mutex's wait id.
    pub wait_id: AtomicU64,
    /// The number of the acquisition, as it is in `acquisition` of the owner.
    pub acquisition: AtomicU64,
    /// The mutex's owner.
    pub owner: AtomicPtr<oxomp_mutex_owner_t>,
}

/// The table of a thread, which alone reads and writes it; valid as long as the process lives.
/// All zeros are a table that names no mutex, and reports every acquisition.
#[repr(C)]
#[derive(Debug)]
pub struct oxomp_unreported_t {
    /// The address of a word, valid as long as the process lives. The thread reports every
    /// acquisition while the word is 0, or while this address is null. Any thread may write the
    /// word.
    pub is_open: AtomicPtr<AtomicU32>,
    /// How many mutexes of `held` the thread holds, in the order in which it has acquired them.
    pub depth: AtomicU64,
    /// The number of releases that were not reported.
    pub released: AtomicU64,
    /// The wait id of a mutex in `held` whose release the thread reports now, since another thread
    /// wants to know of it; else 0.
    pub wanted: AtomicU64,
    /// The mutexes that the thread holds and whose acquisition it has not reported.
    pub held: [oxomp_unreported_hold_t; OXOMP_UNREPORTED_HELD],
    /// The mutexes that it may acquire: each one at [`oxomp_unreported_place`] or nowhere.
    pub places: [oxomp_unreported_place_t; OXOMP_UNREPORTED_PLACES],
}

/// Lends the calling thread a table, or takes its table away (null). Returns 1, or 0 if the runtime
/// does not know the thread or has to report every acquisition.
pub type oxomp_lend_unreported_t = unsafe extern "C" fn(table: *mut oxomp_unreported_t) -> c_int;

/// The place of a mutex in a table.
#[inline(always)]
#[must_use]
pub const fn oxomp_unreported_place(wait_id: u64, codeptr_ra: u64) -> usize {
    let mixed = (wait_id >> 3).wrapping_add(codeptr_ra);
    (mixed ^ mixed >> 5) as usize % OXOMP_UNREPORTED_PLACES
}

/// What the runtime and the collector do alike. All accesses are relaxed: the mutex orders one
/// owner's stores before the next owner's, and a thread that waits may read either.
impl oxomp_mutex_owner_t {
    /// The calling thread owns the mutex, which it has acquired at `codeptr_ra`: the number of its
    /// acquisition.
    #[inline(always)]
    pub fn own(&self, codeptr_ra: u64) -> u64 {
        let acquisition = (self.acquisition.load(Relaxed) | 1) + 2;
        self.acquisition.store(acquisition, Relaxed);
        self.codeptr_ra.store(codeptr_ra, Relaxed);
        acquisition
    }

    /// The owner of that number has released the mutex. If the next one has told before, that
    /// stands; one that tells between the comparison and the store is taken to have left, too.
    #[inline(always)]
    pub fn leave(&self, acquisition: u64) {
        if self.acquisition.load(Relaxed) == acquisition {
            self.acquisition.store(acquisition & !1, Relaxed);
        }
    }

    /// Whether a thread waits for the mutex that wants to know of its owners.
    #[inline(always)]
    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Relaxed) > 0
    }
}

impl Default for oxomp_mutex_owner_t {
    /// The owner of no acquisition yet.
    fn default() -> Self {
        Self {
            acquisition: AtomicU64::new(0),
            codeptr_ra: AtomicU64::new(0),
            wanted: AtomicU32::new(0),
        }
    }
}

impl Default for oxomp_unreported_t {
    fn default() -> Self {
        Self {
            is_open: AtomicPtr::new(ptr::null_mut()),
            depth: AtomicU64::new(0),
            released: AtomicU64::new(0),
            wanted: AtomicU64::new(0),
            held: [const {
                oxomp_unreported_hold_t {
                    wait_id: AtomicU64::new(0),
                    acquisition: AtomicU64::new(0),
                    owner: AtomicPtr::new(ptr::null_mut()),
                }
            }; OXOMP_UNREPORTED_HELD],
            places: [const {
                oxomp_unreported_place_t {
                    wait_id: AtomicU64::new(0),
                    codeptr_ra: AtomicU64::new(0),
                    left: AtomicU64::new(0),
                    owner: AtomicPtr::new(ptr::null_mut()),
                }
            }; OXOMP_UNREPORTED_PLACES],
        }
    }
}
