//! The slots of the calling thread: its log and its sampler.

oxomp_arch::thread_slot! {
    "oxomp_collect_current";
    /// The calling thread's slot; null at first.
    pub(crate) fn thread_slot;
    /// Sets the calling thread's slot.
    pub(crate) fn set_thread_slot;
}

oxomp_arch::thread_slot! {
    "oxomp_collect_sampler";
    /// The calling thread's slot for its sampler; null at first.
    pub(crate) fn sampler_slot;
    /// Sets the calling thread's slot for its sampler.
    pub(crate) fn set_sampler_slot;
}
