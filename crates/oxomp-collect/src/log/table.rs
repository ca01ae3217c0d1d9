//! The table of logs, and which one is the calling thread's.
//!
//! Logs lie in a table made at the start, so that a thread that begins allocates nothing. A thread
//! that takes the slot of an ended one continues its stream: otherwise programs of many short
//! threads would fill the file with chunks that are nearly empty.

use std::cell::{Cell, UnsafeCell};
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::{io, ptr, slice};

use oxomp_trace::info::EventClass;

use super::{Lasting, Log};
use crate::store::Store;
use crate::visible::{InUserCode, Waiting};
use crate::{clock, slot};

/// Bytes of a page, or of several: the largest of Linux's page sizes on the processors that oxomp
/// knows.
const PAGE: usize = 64 << 10;
/// The most threads that can be recorded at the same time.
const SLOTS: usize = 4096;

thread_local! {
    /// The log of a thread that is executing fork(2). Without a destructor, so that using it
    /// registers nothing.
    static HIDDEN: Cell<*mut Log> = const { Cell::new(ptr::null_mut()) };
}

/// The calling thread's log, or null.
struct Current;

impl Current {
    #[inline(always)]
    fn get() -> *mut Log {
        slot::thread_slot().cast()
    }

    #[inline(always)]
    fn set(log: *mut Log) {
        slot::set_thread_slot(log.cast());
    }

    #[inline(always)]
    fn replace(log: *mut Log) -> *mut Log {
        let before = Self::get();
        Self::set(log);
        before
    }
}

/// Every thread's log.
#[derive(Debug)]
pub(crate) struct Logs {
    /// The table, of which the first `count` slots are mapped.
    table: NonNull<Slot>,
    count: AtomicUsize,
    /// Streams begun.
    streams: AtomicU32,
}

/// All zeros are a valid slot: the table comes from the system untouched.
#[derive(Debug)]
struct Slot {
    taken: AtomicBool,
    /// Whether the log is initialized, with a stream to continue. Belongs to the thread that took
    /// the slot.
    begun: AtomicBool,
    /// The log; initialized if `begun` is set. Belongs to the thread that took the slot.
    log: UnsafeCell<MaybeUninit<Log>>,
    lasting: Lasting,
}

// SAFETY: a slot's log is used only by the thread that took it.
unsafe impl Sync for Slot {}
// SAFETY: the table stays as long as the process, and may be used by any thread.
unsafe impl Send for Logs {}
// SAFETY: as above; slots are `Sync`.
unsafe impl Sync for Logs {}

/// Slots that stay beyond those in use when a recording ends: a thread may be taking one.
const MARGIN: usize = 64;

impl Logs {
    pub(crate) fn new() -> io::Result<Self> {
        // Mapped directly: an allocator would write the zeros itself for so strict an alignment,
        // tens of megabytes for threads that never begin. SAFETY: a new mapping; the kernel chooses
        // the place.
        let table = unsafe {
            libc::mmap(
                ptr::null_mut(),
                size_of::<[Slot; SLOTS]>(),
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if table == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let table = NonNull::new(table.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { table, count: AtomicUsize::new(SLOTS), streams: AtomicU32::new(0) })
    }

    fn slots(&self) -> &'static [Slot] {
        // SAFETY: so many slots, zeros at first, which are valid, are mapped for as long as the
        // process; `give_back` has lessened the count before it unmaps others.
        unsafe { slice::from_raw_parts(self.table.as_ptr(), self.count.load(Ordering::Acquire)) }
    }

    /// Closes what threads have open, and gives back the slots that none has taken. For the end of
    /// the tool, after which no callback runs, though threads go on.
    pub(crate) fn give_back(&self) {
        let used = self.streams() as usize;
        for slot in self.slots().iter().take(used) {
            if slot.taken.load(Ordering::Acquire) {
                // SAFETY: a slot that is taken has a log, and its thread is in no callback.
                let log = unsafe { (*slot.log.get()).assume_init_mut() };
                log.looked.close_of(slot.lasting.visible.tid());
            }
        }
        let kept = (used + MARGIN).min(SLOTS);
        if self.count.swap(kept, Ordering::AcqRel) > kept {
            // Pages that hold a part of the last slot that is kept stay.
            let (begin, end) = (kept * size_of::<Slot>(), SLOTS * size_of::<Slot>());
            let begin = begin.next_multiple_of(PAGE);
            // SAFETY: a part of our own mapping, in which no slot is in use any more.
            unsafe { libc::munmap(self.table.as_ptr().byte_add(begin).cast(), end - begin) };
        }
    }

    /// Gives the calling thread a log; false if there are too many threads.
    pub(crate) fn begin_thread(&self) -> bool {
        for slot in self.slots() {
            if !slot.take() {
                continue;
            }
            // SAFETY: this thread has just taken the slot, so no other uses it.
            let place = unsafe { &mut *slot.log.get() };
            let log = if slot.begun.load(Ordering::Relaxed) {
                // SAFETY: `begun` says so.
                let log = unsafe { place.assume_init_mut() };
                log.begin_anew();
                log
            } else {
                let number = self.streams.fetch_add(1, Ordering::Relaxed);
                place.write(Log::new(number, &slot.lasting))
            };
            Current::set(log);
            return true;
        }
        false
    }

    /// Whether the calling thread has a log of this table: it may have one of a recording that has
    /// ended.
    pub(crate) fn has_current(&self) -> bool {
        let own = Current::get().addr();
        self.slots().as_ptr_range().contains(&ptr::without_provenance(own))
    }

    /// Ends the calling thread's use of its log.
    pub(crate) fn end_thread(&self) {
        let log = Current::replace(ptr::null_mut());
        // SAFETY: the pointer is null or names this thread's log, a slot of a table that stays.
        let Some(log) = (unsafe { log.as_mut() }) else { return };
        log.returned.give_back();
        log.meter.close();
        log.unreported.close();
        log.looked.close();
        log.visible.show_since(0);
        let own: *const Log = log;
        let place = |slot: &&Slot| ptr::addr_eq(slot.log.get(), own);
        if let Some(slot) = self.slots().iter().find(place) {
            slot.begun.store(true, Ordering::Relaxed);
            // Release: pairs with the Acquire in `begin_thread`.
            slot.taken.store(false, Ordering::Release);
        }
    }

    /// Releases the chunks of the streams that no thread continues.
    pub(crate) fn close(&self, store: &Store) {
        for slot in self.slots().iter().take(self.streams() as usize) {
            if slot.take() && slot.begun.load(Ordering::Relaxed) {
                // SAFETY: this thread has taken the slot, so no other uses it, and `begun` says
                // that the log is initialized.
                unsafe { (*slot.log.get()).assume_init_mut() }.close(store);
            }
        }
    }

    /// The threads that are in user code, by their slots.
    pub(crate) fn in_user_code(&self) -> impl Iterator<Item = (usize, InUserCode)> {
        let slots = self.slots().iter().take(self.streams() as usize).enumerate();
        slots.filter_map(|(number, slot)| Some((number, slot.lasting.visible.see()?)))
    }

    /// The threads that are in regions but not in user code.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = Waiting> {
        let slots = self.slots().iter().take(self.streams() as usize);
        let slots = slots.filter(|slot| slot.taken.load(Ordering::Relaxed));
        slots.filter_map(|slot| slot.lasting.visible.see_waiting())
    }

    /// Streams begun so far: at least as many as threads lived at the same time.
    pub(crate) fn streams(&self) -> u32 {
        self.streams.load(Ordering::Relaxed)
    }
}

impl Slot {
    /// Takes the slot; false if it is taken.
    fn take(&self) -> bool {
        // Acquire: pairs with the Release in `end_thread`; the log is ours from here.
        !self.taken.load(Ordering::Relaxed) && !self.taken.swap(true, Ordering::Acquire)
    }
}

/// Calls `act` with the calling thread's log. Returns `None` if it has none, or is inside such a
/// call already: in a signal handler that executes OpenMP constructs.
#[inline]
pub(crate) fn with_current<R>(act: impl FnOnce(&mut Log) -> R) -> Option<R> {
    let own = Current::get();
    if own.is_null() {
        return None;
    }
    Current::set(ptr::null_mut());
    // SAFETY: the pointer is null or names this thread's log, which only this thread uses, and a
    // signal handler on this thread does not find it meanwhile.
    let result = unsafe { own.as_mut() }.map(act);
    Current::set(own);
    result
}

/// Whether `act` handles an event of a class with the thread's log. An event that `act` does not
/// handle is not counted here, but where [`crate::tool`] handles it otherwise.
#[inline]
pub(crate) fn handles(class: EventClass, act: impl FnOnce(&mut Log) -> bool) -> bool {
    let handled = with_current(|log| {
        let begin = log.meter.is_due(class).then(clock::now);
        let handled = act(log);
        match begin {
            _ if !handled => log.meter.take_back(class),
            Some(begin) => log.meter.tell(class, begin),
            None => {}
        }
        handled
    });
    handled == Some(true)
}

/// Whether the calling thread is in a region that is only counted.
#[inline]
pub(crate) fn only_counts() -> bool {
    // SAFETY: null, or this thread's log. No code of this thread is changing it, since that hides
    // it from here first.
    unsafe { Current::get().cast_const().as_ref() }.is_some_and(Log::only_counts)
}

/// What `look` finds in the calling thread's log; `None` without one, or in a callback.
/// Signal-safe if `look` is.
pub(crate) fn peek<R>(look: impl FnOnce(&Log) -> Option<R>) -> Option<R> {
    // SAFETY: null, or this thread's log. No code of this thread is changing it, since that hides
    // it from here first.
    look(unsafe { Current::get().cast_const().as_ref() }?)
}

/// Hides the calling thread's log while it forks: the child has the thread but not the memory of
/// the chunks, and runtimes report events in the child before our handler runs there.
pub(crate) fn hide_current() {
    HIDDEN.set(Current::replace(ptr::null_mut()));
}

/// The log of a thread that has forked stays with the parent.
pub(crate) fn lose_current() {
    Current::set(ptr::null_mut());
    HIDDEN.set(ptr::null_mut());
}

/// Whether the calling thread has a log.
pub(crate) fn has_current() -> bool {
    !Current::get().is_null()
}

/// Shows the log again, in the parent after fork(2).
pub(crate) fn show_current() {
    Current::set(HIDDEN.replace(ptr::null_mut()));
}
