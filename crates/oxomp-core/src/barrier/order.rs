//! The order that a worker gets at its dock.

use core::ffi::c_void;

use oxomp_protocol::barrier::Dock;

/// The number of argument words that fit the dock's cache line; a worker reads a longer list where
/// the primary thread keeps it.
pub(crate) const INLINE_WORDS: usize = 4;

/// The order of a released worker; `M` is a member of a team. Order and release word of a dock fill
/// one cache line, so that the worker of a hot team has one cache miss.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Order<M> {
    /// Form of the outlined function and number of argument words, or a command: the constants are
    /// in `parallel::outlined`.
    pub(crate) code: u32,
    /// The number of the region in its team. The order carries it so that the worker does not read
    /// the cache line of the team that the primary thread writes for each region.
    pub(crate) region: u32,
    /// The outlined function.
    pub(crate) outlined: *const c_void,
    /// The argument words; of more than `INLINE_WORDS`, word 0 holds the address.
    pub(crate) words: [usize; INLINE_WORDS],
    /// The member of the team whose implicit task the worker executes.
    pub(crate) member: Option<M>,
}

impl<M> Order<M> {
    /// An order that has a code only.
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

// SAFETY: the outlined function is code of the program, its argument words are there until the
// region that the order begins is over, and any thread may use both; a member is `Send`.
unsafe impl<M: Send> Send for Order<M> {}

/// Order and release word share a cache line.
const _: () = {
    type Any = Order<core::ptr::NonNull<()>>;
    assert!(size_of::<Any>() + 8 <= 64 && size_of::<Dock<Any>>() == 128);
};
