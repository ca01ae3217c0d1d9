//! The numbers by which the report's interface names objects.

use core::fmt;
use core::num::NonZeroU64;

use oxomp_sys::report_2015::{ompt_dev_task_none, ompt_target_activity_id_t};

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident;)*) => {$(
        $(#[$meta])*
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(NonZeroU64);

        impl $name {
            /// The id with this number in C; `None` for 0.
            #[inline]
            pub const fn new(number: u64) -> Option<Self> {
                match NonZeroU64::new(number) {
                    Some(number) => Some(Self(number)),
                    None => None,
                }
            }

            /// The number in C.
            #[inline]
            pub const fn get(self) -> u64 {
                self.0.get()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    )*};
}

ids! {
    /// A thread of the run. Numbers are not used again, and need not be small or consecutive.
    ThreadId;
    /// A parallel region of the run. Numbers are not used again.
    ParallelId;
    /// A task of the run: an explicit, implicit, initial or target task. Numbers are not used
    /// again.
    TaskId;
    /// The mutex for which a thread waits: the same number in all events of one mutex.
    WaitId;
}

/// One mapping of data to a device or back.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MapId(pub ompt_target_activity_id_t);

/// One activity on a device, such as a copy of data or a kernel. A
/// [`Correlation`](super::trace::Correlation) says which target task of the host has caused the
/// activity, which may be the mapping with the [`MapId`] of this number.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ActivityId(pub ompt_target_activity_id_t);

impl ActivityId {
    /// The activity with this number; `None` for the two numbers that mean "no activity": 0, by
    /// §6.5 of the report, and all bits set, by its appendix (`ompt_dev_task_none`).
    pub(super) fn new(number: ompt_target_activity_id_t) -> Option<Self> {
        (number != 0 && number != ompt_dev_task_none).then_some(Self(number))
    }
}
