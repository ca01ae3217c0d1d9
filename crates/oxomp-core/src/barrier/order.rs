//! What a worker is told at its dock.

use core::ffi::c_void;

use oxomp_protocol::barrier::Dock;

/// Argument words that travel in the dock's line; more are read where the primary keeps them.
pub(crate) const INLINE_WORDS: usize = 4;

/// What a released worker does next; `M` is a member of a team. With the dock's release word it fills one cache line, so that
/// the worker of a hot team misses once.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Order<M> {
    /// Kind of the outlined function and number of argument words, or a command; `parallel` says.
    pub(crate) code: u32,
    /// The number of the region in its team: here, so that the worker need not touch the line of the
    /// team that the primary writes for each region.
    pub(crate) region: u32,
    /// The outlined function.
    pub(crate) outlined: *const c_void,
    /// Its first words, or, if there are more than `INLINE_WORDS`, in word 0 where they lie.
    pub(crate) words: [usize; INLINE_WORDS],
    /// The member of the team that the worker is in this region.
    pub(crate) member: Option<M>,
}

impl<M> Order<M> {
    /// What has a code only.
    pub(crate) fn command(code: u32) -> Self {
        Order {
            code,
            region: 0,
            outlined: core::ptr::null(),
            words: [0; INLINE_WORDS],
            member: None,
        }
    }
}

// SAFETY: the outlined function, its words and the team's place are there for every thread until
// the region that the order begins is over.
unsafe impl<M: Send> Send for Order<M> {}

/// Order and release word share a line.
const _: () = {
    type Any = Order<core::ptr::NonNull<()>>;
    assert!(size_of::<Any>() + 8 <= 64 && size_of::<Dock<Any>>() == 128);
};
