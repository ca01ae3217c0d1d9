//! The memory of events: one buffer per thread with one writer each, all linked in a list.

use std::cell::{Cell, UnsafeCell};
use std::fmt;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use crate::entry::Record;

/// One thread's records. Only that thread appends; any thread may read what is published.
pub(crate) struct Buffer {
    records: Box<[UnsafeCell<MaybeUninit<Record>>]>,
    /// Records below this index are written and do not change any more.
    published: AtomicUsize,
    dropped: AtomicU64,
    next: AtomicPtr<Buffer>,
}

// SAFETY: records are written by the buffer's thread, at indices from `published` on, and read by
// others below it; the Release store and Acquire load of `published` order the two.
unsafe impl Sync for Buffer {}
// SAFETY: a buffer holds plain data and a pointer to another buffer.
unsafe impl Send for Buffer {}

impl Buffer {
    fn new(capacity: usize) -> Self {
        let mut records = Vec::with_capacity(capacity);
        // SAFETY: the elements may be uninitialized, and there is room for `capacity` of them. The
        // elements stay unwritten, so that the system gives pages memory only when records come.
        unsafe { records.set_len(capacity) };
        Self {
            records: records.into_boxed_slice(),
            published: AtomicUsize::new(0),
            dropped: AtomicU64::new(0),
            next: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Appends a record, or counts it as dropped; called by the buffer's thread only.
    fn push(&self, record: Record) {
        let at = self.published.load(Ordering::Relaxed);
        let Some(place) = self.records.get(at) else {
            self.dropped.fetch_add(1, Ordering::Relaxed);
            return;
        };
        // SAFETY: not published, so this thread is the only one to touch it.
        unsafe { (*place.get()).write(record) };
        self.published.store(at + 1, Ordering::Release);
    }

    /// The records below the published index.
    pub(crate) fn records(&self) -> impl Iterator<Item = &Record> {
        let published = self.published.load(Ordering::Acquire);
        self.records[..published].iter().map(|place| {
            // SAFETY: published, so written and not changed any more.
            unsafe { (*place.get()).assume_init_ref() }
        })
    }

    /// How many records found the buffer full.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }
}

/// The buffers of all threads of one run of the tool.
///
/// Buffers stay until the process ends: a thread's last event may come at any time.
pub(crate) struct Buffers {
    /// Tells the runs of the tool in this process apart; never 0.
    run: u64,
    capacity: usize,
    head: AtomicPtr<Buffer>,
}

static RUNS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// This thread's buffer, and the run it belongs to.
    static CURRENT: Cell<(u64, Option<&'static Buffer>)> = const { Cell::new((0, None)) };
}

impl Buffers {
    pub(crate) fn new(capacity: usize) -> Self {
        let run = RUNS.fetch_add(1, Ordering::Relaxed) + 1;
        Self { run, capacity, head: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Appends a record to the calling thread's buffer.
    pub(crate) fn push(&self, record: Record) {
        let buffer = match CURRENT.get() {
            (run, Some(buffer)) if run == self.run => buffer,
            _ => self.add_thread(),
        };
        buffer.push(record);
    }

    #[cold]
    fn add_thread(&self) -> &'static Buffer {
        let buffer: &'static Buffer = Box::leak(Box::new(Buffer::new(self.capacity)));
        let pointer = ptr::from_ref(buffer).cast_mut();
        let mut head = self.head.load(Ordering::Relaxed);
        loop {
            buffer.next.store(head, Ordering::Relaxed);
            // Release: pairs with the Acquire in `iter`; publishes the buffer.
            match self.head.compare_exchange_weak(
                head,
                pointer,
                Ordering::Release,
                Ordering::Relaxed,
            ) {
                Ok(_) => break,
                Err(other) => head = other,
            }
        }
        CURRENT.set((self.run, Some(buffer)));
        buffer
    }

    /// Every thread's buffer, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static Buffer> {
        // SAFETY: the list holds leaked buffers; Acquire orders their making before this.
        let follow = |link: &AtomicPtr<Buffer>| unsafe {
            link.load(Ordering::Acquire).cast_const().as_ref::<'static>()
        };
        std::iter::successors(follow(&self.head), move |buffer| follow(&buffer.next))
    }
}

impl fmt::Debug for Buffers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffers").field("run", &self.run).finish_non_exhaustive()
    }
}
