//! A thread's stream of records.
//!
//! A log belongs to the thread whose thread-local pointer names it, from its thread-begin to its
//! thread-end; no other thread touches it. Logs lie in a table made at the start, so that a thread
//! that begins allocates nothing. A thread that takes the slot of an ended one continues its
//! stream: otherwise programs of many short threads would fill the file with chunks that are nearly
//! empty.

use std::cell::{Cell, UnsafeCell};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::{io, ptr, slice};

use oxomp_sys::unreported::oxomp_unreported_t;
use oxomp_trace::info::EventClass;
use oxomp_trace::layout::{CHUNK_PAYLOAD, ChunkKind, RECORD_SIZE};
use oxomp_trace::{EventKind, Record};

use crate::arch;
use crate::beside::Beside;
use crate::clock;
use crate::context::{Context, InitialTasks};
use crate::costs::Costs;
use crate::fold::{self, Sinks};
use crate::loops::Chunks;
use crate::offload::Offload;
use crate::overhead::Meter;
use crate::pages::Pages;
use crate::scheduler::Looked;
use crate::seen::Seen;
use crate::store::{Chunk, Exhausted, Store};
use crate::sums::{Sums, Tables};
use crate::tasks::{Creations, Node, Nodes, Returned, ShortTasks};
use crate::team::Team;
use crate::unreported::Unreported;
use crate::visible::{InUserCode, Visible, Waiting};

/// The most threads that can be recorded at the same time.
const SLOTS: usize = 4096;
/// The most nested regions of one thread that have a [`Team`].
pub(crate) const LEVELS: usize = 8;

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
        arch::thread_slot().cast()
    }

    #[inline(always)]
    fn set(log: *mut Log) {
        arch::set_thread_slot(log.cast());
    }

    #[inline(always)]
    fn replace(log: *mut Log) -> *mut Log {
        let before = Self::get();
        Self::set(log);
        before
    }
}

/// The stream of one thread at a time.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Log {
    /// Number of the stream.
    pub(crate) number: u32,
    /// Position of the next chunk in the thread's stream.
    sequence: u32,
    chunk: Option<Chunk>,
    /// Bytes of the chunk that are used.
    used: usize,
    /// Which of the stream's threads this one is, from 0.
    pub(crate) life: u64,
    /// Regions begun by this thread.
    regions: u32,
    /// The initial tasks that the thread is in.
    pub(crate) initial_tasks: InitialTasks,
    /// The chunks that the thread was given since the last worksharing construct began.
    pub(crate) chunks: Chunks,
    /// The sinks that it has met in its iteration of a doacross loop nest.
    pub(crate) sinks: Sinks,
    /// The construct for a device that the thread is in.
    pub(crate) offload: Offload,
    /// What its events take.
    pub(crate) meter: Meter,
    /// The thread's use of processors.
    pub(crate) looked: Looked,
    /// What the helper sees of it.
    pub(crate) visible: &'static Visible,
    /// Where the thread has met regions.
    pub(crate) seen: Seen,
    /// Folded sums.
    pub(crate) sums: Sums,
    /// Cost curves of loops.
    pub(crate) costs: Costs,
    /// The thread's nested activities.
    pub(crate) context: Context,
    /// The mutexes that the thread may acquire without events.
    pub(crate) unreported: Unreported,
    /// The task that the thread executes, if it has a node.
    pub(crate) running: Option<&'static Node>,
    /// The tasks that it has created last.
    pub(crate) creations: Creations,
    /// Its tasks that are only counted.
    pub(crate) short_tasks: ShortTasks,
    /// When the last task ended on the thread.
    pub(crate) task_ended: u64,
    /// The nodes of the tasks that it creates.
    pub(crate) nodes: &'static Nodes,
    /// Free nodes of tasks that another thread created.
    pub(crate) returned: Returned,
    /// The teams of the regions it begins.
    pub(crate) teams: &'static [Team; LEVELS],
}

/// Every thread's log.
#[derive(Debug)]
pub(crate) struct Logs {
    slots: &'static [Slot],
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
    /// The teams of the thread's regions. They outlive the thread, since late members of its last
    /// team may still read them.
    teams: [Team; LEVELS],
    /// The nodes of the tasks that the thread creates, which outlive it, too.
    nodes: Nodes,
    /// What the thread shows to the helper.
    visible: Visible,
    /// Where the thread's folded sums are, and its cost curves.
    tables: Tables,
    curves: Pages,
    /// What the runtime counts for the thread.
    unreported: oxomp_unreported_t,
}

// SAFETY: a slot's log is used only by the thread that took it.
unsafe impl Sync for Slot {}

impl Logs {
    pub(crate) fn new() -> io::Result<Self> {
        // Mapped directly: for so strict an alignment an allocator would write the zeros itself,
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
        // SAFETY: that many slots of zeros, which are valid, aligned to a page, never unmapped.
        let slots = unsafe { slice::from_raw_parts(table.cast::<Slot>(), SLOTS) };
        Ok(Self { slots, streams: AtomicU32::new(0) })
    }

    /// Gives the calling thread a log; false if there are too many threads.
    pub(crate) fn begin_thread(&self) -> bool {
        for slot in self.slots {
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
                place.write(Log::new(number, slot))
            };
            Current::set(log);
            return true;
        }
        false
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
        if let Some(slot) = self.slots.iter().find(place) {
            slot.begun.store(true, Ordering::Relaxed);
            // Release: pairs with the Acquire in `begin_thread`.
            slot.taken.store(false, Ordering::Release);
        }
    }

    /// Releases the chunks of the streams that no thread continues.
    pub(crate) fn close(&self, store: &Store) {
        for slot in self.slots.iter().take(self.streams() as usize) {
            if slot.take() && slot.begun.load(Ordering::Relaxed) {
                // SAFETY: this thread has taken the slot, so no other uses it, and `begun` says
                // that the log is initialized.
                unsafe { (*slot.log.get()).assume_init_mut() }.close(store);
            }
        }
    }

    /// The threads that are in user code, by their slots.
    pub(crate) fn in_user_code(&self) -> impl Iterator<Item = (usize, InUserCode)> {
        let slots = self.slots.iter().take(self.streams() as usize).enumerate();
        slots.filter_map(|(number, slot)| Some((number, slot.visible.see()?)))
    }

    /// The threads that are in regions but not in user code.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = Waiting> {
        let slots = self.slots.iter().take(self.streams() as usize);
        let slots = slots.filter(|slot| slot.taken.load(Ordering::Relaxed));
        slots.filter_map(|slot| slot.visible.see_waiting())
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

/// Whether `act` handles an event of a class with the thread's log. One that it does not handle is
/// not counted: it is when [`crate::tool`] handles it otherwise.
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

/// The team in whose region the calling thread is as one of the workers, unless the thread is in a
/// callback. Signal-safe.
pub(crate) fn member_of() -> Option<&'static Team> {
    // SAFETY: null, or this thread's log. No code of this thread is changing it, since that hides
    // it from here first.
    let log = unsafe { Current::get().cast_const().as_ref() }?;
    let context = &log.context;
    if context.member_of.is_some() {
        return context.member_of.filter(|_| context.counted.is_none());
    }
    let frame = context.regions.iter().next_back()?;
    Some(frame.team).filter(|_| !frame.primary)
}

/// The calling thread's place in a region; `None` in a callback. Signal-safe.
pub(crate) fn beside_others() -> Option<Beside> {
    // SAFETY: as in `member_of`.
    unsafe { Current::get().cast_const().as_ref() }?.beside_others()
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

impl Log {
    fn new(number: u32, slot: &'static Slot) -> Self {
        Self {
            number,
            sequence: 0,
            chunk: None,
            used: 0,
            life: 0,
            regions: 0,
            initial_tasks: InitialTasks::NONE,
            chunks: Chunks::NONE,
            sinks: Sinks::NONE,
            offload: Offload::NONE,
            meter: Meter::NEW,
            looked: Looked::NEVER,
            visible: &slot.visible,
            seen: Seen::new(),
            sums: Sums::new(&slot.tables),
            costs: Costs::new(&slot.curves),
            context: Context::new(),
            unreported: Unreported::new(&slot.unreported),
            running: None,
            creations: Creations::NONE,
            short_tasks: ShortTasks::NONE,
            task_ended: 0,
            nodes: &slot.nodes,
            returned: Returned::NONE,
            teams: &slot.teams,
        }
    }

    /// Another thread continues the stream.
    fn begin_anew(&mut self) {
        self.life += 1;
        self.initial_tasks = InitialTasks::NONE;
        self.chunks = Chunks::NONE;
        self.sinks.forget();
        self.offload = Offload::NONE;
        self.looked = Looked::NEVER;
        self.running = None;
        self.creations = Creations::NONE;
        self.short_tasks = ShortTasks::NONE;
        self.task_ended = 0;
        self.context = Context::new();
    }

    /// Releases the log's chunks.
    fn close(&mut self, store: &Store) {
        if let Some(chunk) = self.chunk.take() {
            store.release(chunk);
        }
        self.sums.close(store);
        self.costs.close(store);
    }

    /// A number for a new region, unique in the process and never 0.
    #[inline]
    pub(crate) fn next_region(&mut self) -> u64 {
        self.regions = self.regions.wrapping_add(1);
        (u64::from(self.number) << 32 | u64::from(self.regions)) + 1
    }

    /// The team of the region that the thread ends as its primary thread, and the number of the
    /// region around it, if samples ask for the call path that led to the region.
    #[inline]
    pub(crate) fn asked_for_fork(&self) -> Option<(&'static Team, u64)> {
        // The region that ends lies inside the one of the team, whose path is another.
        if self.context.hidden_regions > 0 {
            return None;
        }
        if let Some(counted) = &self.context.counted {
            return Some((counted.team, 0)).filter(|(team, _)| team.is_asked());
        }
        let mut regions = self.context.regions.iter().rev();
        let frame = regions.next()?;
        let team = Some(frame.team).filter(|team| team.is_asked())?;
        let outer = regions.next().map(|outer| outer.team);
        Some((team, outer.map_or(0, |team| team.id.load(Ordering::Relaxed))))
    }

    /// Appends a record.
    #[inline]
    pub(crate) fn push(&mut self, store: &Store, record: Record) -> Result<(), Exhausted> {
        if self.chunk.is_none() || self.used == CHUNK_PAYLOAD {
            self.turn(store, record.tick)?;
        }
        let Some(chunk) = self.chunk else { return Err(Exhausted::Limit) };
        // SAFETY: `used` is a multiple of the record's size below the payload's, and the payload
        // is aligned; this thread is the chunk's writer.
        unsafe { chunk.payload().add(self.used).cast::<Record>().write(record) };
        self.used += RECORD_SIZE;
        chunk.commit(self.used);
        Ok(())
    }

    /// Releases the full chunk and takes the next.
    #[cold]
    fn turn(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        if let Some(chunk) = self.chunk.take() {
            store.release(chunk);
        }
        fold::judge(store.taken(), store.capacity(), now);
        self.chunk = Some(store.take(ChunkKind::Events, self.number, self.sequence)?);
        self.sequence += 1;
        self.used = 0;
        Ok(())
    }
}

/// A record of `kind` at `tick`; the caller fills in the other fields that the kind defines.
#[inline]
pub(crate) fn record(kind: EventKind, tick: u64) -> Record {
    Record { tick, kind: kind as u8, ..Record::default() }
}
