//! The arguments of callbacks by their names in C, made of the table of all callbacks.
#![allow(non_camel_case_types, reason = "the names of the callbacks' types in C")]

use core::ffi::{c_int, c_void};

use oxomp_sys::for_each_callback_2015;
use oxomp_sys::report_2015 as c;

macro_rules! define_arguments {
    ($(
        $(#[$doc:meta])*
        $callback:ident($($argument:ident: $type:ty),* $(,)?) { $($event:tt;)* }
    )*) => {$(
        #[doc = concat!("The arguments of a `", stringify!($callback), "`.")]
        #[allow(dead_code, reason = "the shutdown has no arguments")]
        pub(crate) struct $callback {
            $(pub(crate) $argument: $type,)*
        }
    )*};
}

for_each_callback_2015!(define_arguments);
