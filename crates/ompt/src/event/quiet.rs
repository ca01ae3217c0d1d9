//! Callbacks that do nothing, for events that are not wanted any more on a runtime that must not be
//! given a null pointer: LLVM's and Intel's test whether an event is registered and load the
//! pointer again for the call, so that a thread between the test and the load would call address 0.

use core::ffi::c_int;
use core::mem::transmute;

use oxomp_sys::ompt::ompt_callback_t;

use crate::{ControlResult, Event};

/// A callback's signature.
trait Signature {
    /// A function of this signature that does nothing.
    const QUIET: Self;
}

/// What a callback returns.
trait Answer {
    /// The answer of a tool that does nothing.
    const OF_NO_TOOL: Self;
}

impl Answer for () {
    const OF_NO_TOOL: Self = ();
}

/// The answer of the callback for `omp_control_tool`.
impl Answer for c_int {
    const OF_NO_TOOL: Self = ControlResult::IGNORED.0;
}

macro_rules! signatures {
    ($(($($argument:ident)*))*) => {
        $(
            impl<R: Answer, $($argument),*> Signature
                for unsafe extern "C" fn($($argument),*) -> R
            {
                const QUIET: Self = {
                    unsafe extern "C" fn quiet<R: Answer, $($argument),*>(
                        $(_: $argument),*
                    ) -> R {
                        R::OF_NO_TOOL
                    }
                    quiet::<R, $($argument),*>
                };
            }
        )*
    };
}

signatures! {
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E F)
    (A B C D E F G)
    (A B C D E F G H)
    (A B C D E F G H I)
    (A B C D E F G H I J)
    (A B C D E F G H I J K)
}

macro_rules! define_of {
    ($((
        $code:literal, $c_name:literal, $constant:ident, $name:ident, $callback:ty, $facts:tt
    );)*) => {
        /// The callback of an event that does nothing; its signature is the event's.
        pub(crate) fn of(event: Event) -> ompt_callback_t {
            match event {
                $(Event::$constant => {
                    let callback = <$callback as Signature>::QUIET;
                    // SAFETY: function pointers have one size; the runtime calls it by the
                    // event's signature, which the line above names.
                    unsafe { transmute::<$callback, ompt_callback_t>(callback) }
                })*
                _ => unreachable!("{event:?} is not in the table"),
            }
        }
    };
}

oxomp_sys::for_each_event!(define_of);
