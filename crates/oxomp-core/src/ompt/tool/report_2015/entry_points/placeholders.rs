//! Functions that tools written before the 2015 report ask for, to compare their addresses with
//! those on a call stack. The runtime calls none of them.

macro_rules! placeholders {
    ($($(#[$doc:meta])* $name:ident = $address:literal;)*) => {$(
        $(#[$doc])*
        pub(super) unsafe extern "C" fn $name() {
            // Functions of equal code may get one address.
            core::hint::black_box($address);
        }
    )*};
}

placeholders! {
    /// `ompt_idle`
    idle = 1;
    /// `ompt_overhead`
    overhead = 2;
    /// `ompt_barrier_wait`
    barrier_wait = 3;
    /// `ompt_task_wait`
    task_wait = 4;
    /// `ompt_mutex_wait`
    mutex_wait = 5;
}
