//! The functions as the header declares them. They are safe in the tests, which pass only places of
//! the right types: the library follows no handle, and checks places for null.

use oxomp_sys::ompd::ompd_rc_t;

macro_rules! declare {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {
        unsafe extern "C" {
            $(pub(crate) safe fn $name($($argument: $type),*) -> ompd_rc_t;)*
        }
    };
}

oxomp_sys::ompd_functions!(declare);
