//! The callbacks of a tool, in a table by the numbers of their events.

use core::mem::transmute;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering::SeqCst};

use oxomp_protocol::yield_now;
use oxomp_sys::ompt::ompt_callback_t;

/// At most one callback for each number below `N`. Numbers that are not those of events have none.
pub(super) struct Slots<const N: usize>([AtomicPtr<()>; N]);

impl<const N: usize> Slots<N> {
    /// A table without callbacks.
    pub(super) const fn new() -> Self {
        Self([const { AtomicPtr::new(ptr::null_mut()) }; N])
    }

    /// The callback of the event with the number `code`, as an address.
    #[inline]
    pub(super) fn address(&self, code: usize) -> Option<*mut ()> {
        // SeqCst, for the order that `running_callbacks` describes. It acquires too, so that the
        // thread sees the state that the tool prepared before it registered the callback.
        let callback = self.0[code].load(SeqCst);
        (!callback.is_null()).then_some(callback)
    }

    /// The callback of the event with the number `code`.
    pub(super) fn get(&self, code: usize) -> Option<ompt_callback_t> {
        let callback = self.address(code)?;
        // SAFETY: `set` and `clear` are the only writers, and store null or a function.
        Some(unsafe { transmute::<*mut (), ompt_callback_t>(callback) })
    }

    /// Stores the callback of the event with the number `code`; `None` removes it.
    pub(super) fn set(&self, code: usize, callback: Option<ompt_callback_t>) {
        let callback = callback.map_or(ptr::null_mut(), |callback| callback as *mut ());
        self.0[code].store(callback, SeqCst);
    }

    /// Empties the table.
    pub(super) fn clear(&self) {
        for code in 0..N {
            self.set(code, None);
        }
    }

    /// Waits until the thread that ends the tool has emptied the table.
    pub(super) fn wait_until_clear(&self) {
        while (0..N).any(|code| self.address(code).is_some()) {
            yield_now();
        }
    }
}

/// For the rows of a table of events: defines the module `registered`, which has for each event a
/// function of its name. It returns the callback in the table `CALLBACKS` beside the module, with
/// the type of the event's function.
macro_rules! typed_callbacks {
    ($((
        $code:literal, $c_name:literal, $constant:ident, $name:ident, $callback:ty, $facts:tt
    );)*) => {
        /// The registered callback of each event, with the type of its function.
        #[allow(dead_code, reason = "the table has all events, the encoder those that happen")]
        pub(super) mod registered {
            $(pub(in super::super) fn $name() -> Option<$callback> {
                let callback = super::CALLBACKS.address($code);
                // SAFETY: a tool registers for an event a function of the event's type (OpenMP 5.2
                // §19.6.1.3, the 2015 report §7.2).
                callback.map(|callback| unsafe {
                    core::mem::transmute::<*mut (), $callback>(callback)
                })
            })*
        }
    };
}

pub(super) use typed_callbacks;
