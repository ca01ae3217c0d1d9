//! The slot that holds the block of the calling native thread.

oxomp_arch::thread_slot! {
    "oxomp_current";
    /// The calling thread's slot: null, or the address of its block.
    pub(super) fn current_slot;
    /// Sets the calling thread's slot.
    pub(super) fn set_current_slot;
}
