//! The buffers of a device's trace: memory of the SDK that the device writes records into.

use core::ptr::NonNull;
use core::sync::atomic::{AtomicU64, Ordering};
use std::alloc::{Layout, alloc, dealloc};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::vec::Vec;

use crate::trace::{TraceBuffers, TraceStatus};

/// The size of a buffer if neither the tool nor the device names one: some 2500 records.
const DEFAULT_BYTES: usize = 256 << 10;

/// The alignment of a buffer: that of a cache line, for what a device may write there.
const ALIGNMENT: usize = 64;

/// The buffers of one device.
#[derive(Debug)]
pub(crate) struct Buffers {
    lent: Mutex<Lent>,
    requested: AtomicU64,
    refused: AtomicU64,
    returned: AtomicU64,
}

#[derive(Debug)]
struct Lent {
    bytes: usize,
    most: usize,
    /// The size that the device recommends; a minimum that the device asks for and that is larger
    /// makes no sense.
    recommended: usize,
    buffers: Vec<Buffer>,
}

/// A buffer, whose memory is freed when this value is dropped.
#[derive(Debug)]
pub(crate) struct Buffer {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: memory that belongs to the value, whichever thread has it.
unsafe impl Send for Buffer {}

impl Buffer {
    fn new(bytes: usize) -> Option<Self> {
        let layout = Layout::from_size_align(bytes, ALIGNMENT).ok().filter(|_| bytes != 0)?;
        // SAFETY: the size is not 0.
        let start = NonNull::new(unsafe { alloc(layout) })?;
        Some(Self { start, layout })
    }

    pub(crate) fn start(&self) -> NonNull<u8> {
        self.start
    }

    pub(crate) fn bytes(&self) -> usize {
        self.layout.size()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: allocated by `new` with this layout, and the runtime has given it back.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

impl Buffers {
    pub(crate) fn new() -> Self {
        Self {
            lent: Mutex::new(Lent {
                bytes: DEFAULT_BYTES,
                most: usize::MAX,
                recommended: 0,
                buffers: Vec::new(),
            }),
            requested: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            returned: AtomicU64::new(0),
        }
    }

    fn lent(&self) -> MutexGuard<'_, Lent> {
        self.lent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the buffers of the next trace; `recommended` is the size that the device recommends.
    pub(crate) fn set(&self, wanted: TraceBuffers, recommended: Option<usize>) {
        let mut lent = self.lent();
        lent.bytes = wanted.size().or(recommended).unwrap_or(DEFAULT_BYTES);
        lent.most = wanted.most().unwrap_or(usize::MAX);
        lent.recommended = recommended.unwrap_or(0);
    }

    /// A new buffer for the runtime: address and size, which is `minimum` at least, unless that is
    /// more than the device recommends. `None` if the tool has set a limit that is reached, or
    /// without memory.
    pub(crate) fn lend(&self, minimum: usize) -> Option<(NonNull<u8>, usize)> {
        self.requested.fetch_add(1, Ordering::Relaxed);
        let mut lent = self.lent();
        let minimum = if minimum <= lent.recommended { minimum } else { 0 };
        let buffer = match lent.buffers.len() < lent.most {
            true => Buffer::new(lent.bytes.max(minimum)),
            false => None,
        };
        let Some(buffer) = buffer else {
            self.refused.fetch_add(1, Ordering::Relaxed);
            return None;
        };
        let place = (buffer.start(), buffer.bytes());
        lent.buffers.push(buffer);
        Some(place)
    }

    /// The size of a buffer that the runtime has; `None` if it has no such buffer.
    pub(crate) fn size_of(&self, start: *const u8) -> Option<usize> {
        let lent = self.lent();
        let buffer = lent.buffers.iter().find(|buffer| buffer.start.as_ptr().cast_const() == start);
        buffer.map(Buffer::bytes)
    }

    /// A buffer that the runtime gives back; `None` if it has no such buffer.
    pub(crate) fn take_back(&self, start: *const u8) -> Option<Buffer> {
        let mut lent = self.lent();
        let is_it = |buffer: &Buffer| buffer.start.as_ptr().cast_const() == start;
        let at = lent.buffers.iter().position(is_it)?;
        self.returned.fetch_add(1, Ordering::Relaxed);
        Some(lent.buffers.swap_remove(at))
    }

    pub(crate) fn status(&self) -> TraceStatus {
        let lent = self.lent();
        TraceStatus {
            requested: self.requested.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
            returned: self.returned.load(Ordering::Relaxed),
            outstanding: lent.buffers.len(),
            outstanding_bytes: lent.buffers.iter().map(Buffer::bytes).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Buffers, DEFAULT_BYTES};
    use crate::trace::TraceBuffers;

    #[test]
    fn a_buffer_is_given_back_once() {
        let buffers = Buffers::new();
        let (start, bytes) = buffers.lend(0).expect("no limit");
        assert_eq!((bytes, start.as_ptr().addr() % 64), (DEFAULT_BYTES, 0));
        assert_eq!(buffers.size_of(start.as_ptr()), Some(DEFAULT_BYTES));
        assert_eq!(buffers.size_of(start.as_ptr().wrapping_add(1)), None);
        assert!(buffers.take_back(start.as_ptr().wrapping_add(1)).is_none());
        assert!(buffers.take_back(start.as_ptr()).is_some());
        assert!(buffers.take_back(start.as_ptr()).is_none());
        let status = buffers.status();
        assert_eq!((status.requested, status.refused, status.returned), (1, 0, 1));
        assert_eq!((status.outstanding, status.outstanding_bytes), (0, 0));
    }

    #[test]
    fn sizes_and_limits_are_the_tools() {
        let buffers = Buffers::new();
        buffers.set(TraceBuffers::default().bytes(100).at_most(3), Some(200));
        let sizes = [10, 200, 201, 10].map(|minimum| buffers.lend(minimum).map(|(_, bytes)| bytes));
        assert_eq!(sizes, [Some(100), Some(200), Some(100), None]);
        assert_eq!(buffers.status().refused, 1);
        assert_eq!(buffers.status().outstanding_bytes, 400);

        buffers.set(TraceBuffers::default(), Some(7));
        assert_eq!(buffers.lend(0).map(|(_, bytes)| bytes), Some(7), "the device's own");
        buffers.set(TraceBuffers::default().bytes(0), Some(7));
        assert!(buffers.lend(0).is_none(), "no memory of no size");
        buffers.set(TraceBuffers::default().bytes(usize::MAX), None);
        assert!(buffers.lend(0).is_none(), "no such memory");
    }
}
