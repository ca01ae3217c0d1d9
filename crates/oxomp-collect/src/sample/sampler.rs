//! A thread's sampler: the source of its signals, and the memory in which it walks.

use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use framehop::{CacheNative, MustNotAllocateDuringUnwind};
use oxomp_arch::call_on_stack;

use super::alternate;
use super::offers;
use super::python::{self, Codes, LONGEST, Python, Walked};
use super::registers::Registers;
use super::source::Source;
use super::stack::Reader;
use super::tree::Tree;
use crate::counters::Stream;
use crate::own_thread::own_thread;
use crate::store::Store;
use crate::{clock, slot, zeros};

/// Native frames of a path that are kept: the innermost ones.
pub(super) const FRAMES: usize = 512;

/// Bytes of a sampler's stack, of which a walk takes a third.
const STACK_BYTES: usize = 64 << 10;

/// What a thread's walk needs.
pub(super) type Cache = CacheNative<MustNotAllocateDuringUnwind>;

/// The memory in which a sampler walks.
#[repr(C, align(16))]
struct Stack([u8; STACK_BYTES]);

/// One thread's sampler. It begins as zeros, in which [`map_sampler`] writes the fields that are
/// not numbers.
///
/// The handler interrupts its own thread anywhere and has a shared reference, and so may the code
/// that it interrupts. So what changes is in cells: `busy` tells which of the two may use `walk`
/// and `stack`. The other fields change only while the handler does not find the sampler: before
/// the thread's slot names it, and afterwards.
pub(crate) struct Sampler {
    pub(super) source: Option<Source>,
    /// The file of the thread's recording.
    pub(super) store: Option<&'static Store>,
    /// Whether code outside the handler uses `walk` and `stack`.
    pub(super) busy: AtomicBool,
    /// Signals that came meanwhile.
    pub(super) missed: AtomicU32,
    /// Whether the thread's alternate stack is too small for a signal, so that none is asked for.
    halted: AtomicBool,
    /// The thread's number.
    pub(super) tid: u32,
    /// Whether OpenMP does not know the thread.
    pub(super) is_guest: bool,
    stack: UnsafeCell<Stack>,
    walk: UnsafeCell<Walk>,
}

/// What a walk needs and changes.
pub(super) struct Walk {
    pub(super) cache: Option<Box<Cache>>,
    /// When this walk last asked the helper to look for modules.
    asked: u64,
    pub(super) reader: Reader,
    /// The path, the innermost frame first: of native frames, until functions of Python are added.
    pub(super) frames: [u64; LONGEST],
    /// Where each native frame ends on the stack.
    pub(super) ends: [u64; FRAMES],
    pub(super) python: Python,
    pub(super) tree: Tree,
    pub(super) registers: Registers,
    pub(super) counters: Stream,
    /// Whether the thread has been found in OpenMP's hands: from then on it is in a callback where
    /// its log is not found.
    pub(super) has_log: bool,
}

impl Sampler {
    /// The calling thread's sampler. Signal-safe.
    pub(super) fn of_thread<'a>() -> Option<&'a Self> {
        // SAFETY: null, or this thread's sampler, which is never unmapped, and to which there is no
        // exclusive reference while the slot names it.
        unsafe { slot::sampler_slot().cast_const().cast::<Self>().as_ref() }
    }

    /// The sampler that is offered to the calling thread, which has it from now on. Signal-safe.
    pub(super) fn accept<'a>() -> Option<&'a Self> {
        if !offers::are_there() {
            return None;
        }
        let tid = own_thread().unsigned_abs();
        let Some(sampler) = offers::take(tid) else {
            offers::miss(tid);
            return None;
        };
        slot::set_sampler_slot(sampler.cast::<c_void>());
        Self::of_thread()
    }

    /// Calls `act` on the sampler's own stack: a walk takes some 20 KiB, which coroutines and
    /// alternate stacks may not have.
    ///
    /// # Safety
    /// The sampler is the calling thread's. The thread does not run on the sampler's stack: it is
    /// in the handler and found `busy` not set, or outside the handler and has set `busy`.
    pub(super) unsafe fn walk(&self, act: impl FnOnce(&mut Walk)) {
        unsafe extern "C" fn call<A: FnOnce(&mut Walk)>(data: *mut c_void) {
            // SAFETY: the pair below, used once.
            unsafe {
                let pair = &mut *data.cast::<(*mut Walk, Option<A>)>();
                if let Some(act) = pair.1.take() {
                    act(&mut *pair.0);
                }
            }
        }
        fn caller_of<A: FnOnce(&mut Walk)>(_: &A) -> unsafe extern "C" fn(*mut c_void) {
            call::<A>
        }
        let caller = caller_of(&act);
        let mut pair = (self.walk.get(), Some(act));
        // SAFETY: the stack is the sampler's, aligned as its type, and only this call uses it and
        // the walk, as the caller promises. A panic aborts.
        unsafe {
            let top = self.stack.get().add(1).cast::<u8>();
            call_on_stack(top, caller, (&raw mut pair).cast());
        }
    }

    /// What a walk needs, of a sampler that no handler finds.
    pub(super) fn own_walk(&mut self) -> &mut Walk {
        self.walk.get_mut()
    }

    /// Makes the cache of the walks, which is built on a stack and then moved: on the sampler's
    /// own, since threads may have little.
    pub(super) fn make_cache(&mut self) {
        const { assert!(size_of::<Cache>() <= STACK_BYTES / 3) };
        // SAFETY: the exclusive reference shows that no handler uses the sampler, and that its
        // stack is not the thread's.
        unsafe {
            self.walk(|walk| {
                walk.cache.get_or_insert_with(Box::default);
            });
        }
    }

    /// Asks for the next signal, if the thread's alternate stack has room for it.
    pub(super) fn arm(&self) {
        let Some(source) = &self.source else { return };
        let fits = alternate::has_room();
        self.halted.store(!fits, Ordering::Relaxed);
        if fits {
            source.arm();
        }
    }

    /// Looks at the thread's alternate stack again.
    fn look_at_stack(&self) {
        let Some(source) = &self.source else { return };
        let (fits, halted) = (alternate::has_room(), self.halted.load(Ordering::Relaxed));
        if fits == halted {
            // Before it asks: the handler may be there at once.
            self.halted.store(!fits, Ordering::Relaxed);
            if fits { source.arm() } else { source.disarm() }
        }
    }
}

/// Looks whether the program has given the calling thread an alternate stack on which a signal
/// would end it.
#[cold]
pub(crate) fn look_at_stack() {
    if let Some(sampler) = Sampler::of_thread() {
        // SAFETY: errno is this thread's, and the program's, which a callback must not change.
        let errno = unsafe { *libc::__errno_location() };
        sampler.look_at_stack();
        // SAFETY: as above.
        unsafe { *libc::__errno_location() = errno };
    }
}

impl Walk {
    /// Puts functions of Python into the path of so many frames, which is whole if the pair says
    /// so, of the thread whose pthread_self is `thread`. Its stack begins at `begin`, and it does
    /// not run. Returns the length of the path, and whether it is whole.
    #[inline]
    pub(super) fn add_python(
        &mut self,
        store: &Store,
        (depth, is_whole): (usize, bool),
        begin: u64,
        thread: u64,
    ) -> (usize, bool) {
        if !python::is_there() {
            return (depth, is_whole);
        }
        let walked = Walked { begin, ends: &self.ends[..depth], is_whole, thread };
        self.python.add(&mut self.reader, store, &mut self.frames, walked)
    }

    /// Asks the helper to look for new modules, but not for each sample of code outside all known
    /// modules.
    pub(super) fn look_for_modules(&mut self, store: &Store) {
        const PAUSE_TICKS: u64 = 100_000_000;
        let now = clock::now();
        if now.saturating_sub(self.asked) > PAUSE_TICKS {
            self.asked = now;
            store.look_at_modules();
        }
    }
}

/// A new sampler, which belongs to no thread yet and is never unmapped; null without memory.
pub(super) fn map_sampler() -> *mut Sampler {
    let Ok(sampler) = zeros::map(size_of::<Sampler>()) else { return ptr::null_mut() };
    let sampler = sampler.as_ptr().cast::<Sampler>();
    // SAFETY: the mapping is ours, large enough, aligned to a page, and never unmapped.
    unsafe { prepare(sampler) };
    sampler
}

/// Makes `sampler`, which is null or was used by a recording that has ended, a new one.
///
/// # Safety
/// The caller alone uses it.
pub(super) unsafe fn anew(sampler: *mut Sampler) -> Option<*mut Sampler> {
    // SAFETY: null, or a sampler that the caller alone uses.
    let own = unsafe { sampler.as_mut() }?;
    let cache = own.own_walk().cache.take();
    // SAFETY: a mapping of this size, which becomes zeros again.
    let is_zero =
        unsafe { libc::madvise(sampler.cast(), size_of::<Sampler>(), libc::MADV_DONTNEED) == 0 };
    if !is_zero {
        return None;
    }
    // SAFETY: zeros of the caller's.
    unsafe { prepare(sampler) };
    own.own_walk().cache = cache;
    Some(sampler)
}

/// Makes zeros a sampler.
///
/// # Safety
/// `sampler` points to zeros of its size and alignment that only the caller uses.
unsafe fn prepare(sampler: *mut Sampler) {
    // SAFETY: as the caller promises; the other fields are numbers, for which zeros are valid.
    unsafe {
        (&raw mut (*sampler).source).write(None);
        (&raw mut (*sampler).store).write(None);
        let walk = (*sampler).walk.get();
        (&raw mut (*walk).cache).write(None);
        Tree::prepare(&raw mut (*walk).tree);
        Registers::prepare(&raw mut (*walk).registers);
        (&raw mut (*walk).counters).write(Stream::default());
        Codes::prepare(&raw mut (*walk).python.codes);
    }
}
