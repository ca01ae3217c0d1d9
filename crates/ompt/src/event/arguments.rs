//! The arguments of callbacks by their names in C, made of the table of all callbacks.
#![allow(non_camel_case_types, reason = "the names of the callbacks' types in C")]

use core::ffi::{c_char, c_int, c_uint, c_void};

use oxomp_sys::for_each_callback;
use oxomp_sys::ompt as c;

macro_rules! define_arguments {
    ($(
        $(#[$doc:meta])*
        $callback:ident(
            $($role:ident $argument:ident: $type:ty),* $(,)? $(=> $answer:ty)?
        ) { $($event:tt;)* }
    )*) => {$(
        #[doc = concat!("The arguments of a `", stringify!($callback), "`.")]
        #[allow(dead_code, reason = "events do not show all that C passes")]
        pub(crate) struct $callback {
            $(pub(crate) $argument: $type,)*
        }
    )*};
}

for_each_callback!(define_arguments);
