//! The memory of events: one buffer per thread with one writer each, all linked in a list.

use std::cell::{Cell, UnsafeCell};
use std::fmt;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

/// One thread's records. Only that thread appends; any thread may read what is published.
pub(crate) struct Buffer<R> {
    records: Box<[UnsafeCell<MaybeUninit<R>>]>,
    /// Records below this index are written and do not change any more.
    published: AtomicUsize,
    dropped: AtomicU64,
    next: AtomicPtr<Buffer<R>>,
}

// SAFETY: records are written by the buffer's thread, at indices from `published` on, and read by
// others below it; the Release store and Acquire load of `published` order the two.
unsafe impl<R: Send + Sync> Sync for Buffer<R> {}
// SAFETY: a buffer holds records and a pointer to another buffer.
unsafe impl<R: Send> Send for Buffer<R> {}

impl<R: Copy> Buffer<R> {
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
    fn push(&self, record: R) {
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
    pub(crate) fn records(&self) -> impl Iterator<Item = &R> {
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
pub(crate) struct Buffers<R> {
    /// A number that tells the runs of the tool in this process apart; never 0.
    run: u64,
    capacity: usize,
    head: AtomicPtr<Buffer<R>>,
}

static RUNS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// This thread's buffer, and the run it belongs to, which determines the type of its records.
    static CURRENT: Cell<(u64, *const ())> = const { Cell::new((0, ptr::null())) };
}

impl<R: Copy + Send + Sync + 'static> Buffers<R> {
    pub(crate) fn new(capacity: usize) -> Self {
        let run = RUNS.fetch_add(1, Ordering::Relaxed) + 1;
        Self { run, capacity, head: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Appends a record to the calling thread's buffer.
    pub(crate) fn push(&self, record: R) {
        let buffer = match CURRENT.get() {
            // SAFETY: `add_thread` has stored the address of a leaked buffer of this run.
            (run, buffer) if run == self.run => unsafe { &*buffer.cast::<Buffer<R>>() },
            _ => self.add_thread(),
        };
        buffer.push(record);
    }

    #[cold]
    fn add_thread(&self) -> &'static Buffer<R> {
        let buffer: &'static Buffer<R> = Box::leak(Box::new(Buffer::new(self.capacity)));
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
        CURRENT.set((self.run, ptr::from_ref(buffer).cast()));
        buffer
    }

    /// Every thread's buffer, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static Buffer<R>> {
        // SAFETY: the list holds leaked buffers; Acquire orders their making before this.
        let follow = |link: &AtomicPtr<Buffer<R>>| unsafe {
            link.load(Ordering::Acquire).cast_const().as_ref::<'static>()
        };
        std::iter::successors(follow(&self.head), move |buffer| follow(&buffer.next))
    }
}

impl<R> fmt::Debug for Buffers<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffers").field("run", &self.run).finish_non_exhaustive()
    }
}
