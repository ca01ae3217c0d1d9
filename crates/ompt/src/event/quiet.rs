//! Callbacks that do nothing, for events that are not wanted any more on a runtime that must not be
//! given a null pointer: LLVM's and Intel's test whether an event is registered and load the
//! pointer again for the call, so that a thread between the test and the load would call address 0.

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::mem::transmute;

use oxomp_sys::for_each_callback;
use oxomp_sys::ompt::{self as c, ompt_callback_t};

use crate::{ControlResult, Event};

/// A function that does nothing, with this signature. The one callback with an answer is that of
/// `omp_control_tool`.
macro_rules! quiet {
    ($callback:ident ($($role:ident $argument:ident: $type:ty),* $(,)? $(=> $answer:ty)?)) => {{
        unsafe extern "C" fn quiet($(_: $type),*) $(-> $answer)? {
            $(<$answer>::from(ControlResult::IGNORED.0))?
        }
        // SAFETY: function pointers have one size; the runtime calls it by the event's signature,
        // which the types name.
        unsafe { transmute::<c::$callback, ompt_callback_t>(quiet) }
    }};
}

macro_rules! define_of {
    ($(
        $(#[$doc:meta])*
        $callback:ident $arguments:tt {
            $(($code:literal, $c_name:literal, $constant:ident, $name:ident, $facts:tt);)*
        }
    )*) => {
        /// The callback of an event that does nothing; its signature is the event's.
        pub(crate) fn of(event: Event) -> ompt_callback_t {
            match event {
                $($(Event::$constant)|* => quiet!($callback $arguments),)*
                _ => unreachable!("{event:?} is not in the table"),
            }
        }
    };
}

for_each_callback!(define_of);
