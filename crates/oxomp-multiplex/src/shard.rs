//! Data that is divided by processor, so that threads seldom write the same cache line.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The largest number of parts.
pub(crate) const SHARDS: usize = 64;

/// A word on cache lines of its own: processors fetch lines in pairs.
#[repr(align(128))]
#[derive(Debug)]
pub(crate) struct Shard(pub(crate) AtomicU64);

/// As many words as there may be parts.
pub(crate) type Shards = [Shard; SHARDS];

/// Words with value 0.
pub(crate) const fn zeros() -> Shards {
    [const { Shard(AtomicU64::new(0)) }; SHARDS]
}

/// The number of parts in use; see [`count_processors`].
static IN_USE: AtomicUsize = AtomicUsize::new(SHARDS);

/// Uses as many parts as the machine has processors.
pub(crate) fn count_processors() {
    // SAFETY: the call reads the system's configuration.
    let processors = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_CONF) };
    let parts = usize::try_from(processors).unwrap_or(SHARDS).clamp(1, SHARDS);
    IN_USE.store(parts, Relaxed);
}

/// Uses one part, whichever processor a test's thread is on.
#[cfg(test)]
pub(crate) fn use_one() {
    IN_USE.store(1, Relaxed);
}

/// The number of parts in use.
pub(crate) fn in_use() -> usize {
    IN_USE.load(Relaxed)
}

/// The part of the processor that the calling thread runs on. Signal-safe.
#[inline]
pub(crate) fn here() -> usize {
    // SAFETY: the call reads the thread's own area, or asks the kernel.
    let processor = unsafe { libc::sched_getcpu() };
    usize::try_from(processor).unwrap_or(0) % in_use()
}
