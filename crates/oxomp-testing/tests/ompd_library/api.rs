//! The functions of libompd.so, looked up as a debugger does.

use core::ffi::c_void;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::sync::OnceLock;

use oxomp_sys::ompd::ompd_rc_t;

use crate::debuggee::runtime;

macro_rules! functions {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {
        /// Every function of the library.
        #[derive(Debug)]
        pub(crate) struct Api {
            $(pub(crate) $name: unsafe extern "C" fn($($argument: $type),*) -> ompd_rc_t,)*
        }

        impl Api {
            /// The functions of the library at `path`.
            fn load(path: &std::path::Path) -> Self {
                let name = CString::new(path.as_os_str().as_bytes()).expect("no zero byte");
                // SAFETY: the library has no constructor that does anything.
                let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW) };
                assert!(!library.is_null(), "{} cannot be loaded", path.display());
                Api {
                    $($name: {
                        let name = CString::new(stringify!($name)).expect("no zero byte");
                        // SAFETY: the library is loaded, and stays so; each function has the type
                        // that the header declares.
                        unsafe {
                            let address = libc::dlsym(library, name.as_ptr());
                            assert!(!address.is_null(), "there is no {name:?}");
                            core::mem::transmute::<
                                *mut c_void,
                                unsafe extern "C" fn($($argument: $type),*) -> ompd_rc_t,
                            >(address)
                        }
                    },)*
                }
            }
        }
    };
}

oxomp_sys::ompd_functions!(functions);

/// The library beside the runtime under test.
pub(crate) fn api() -> &'static Api {
    static API: OnceLock<Api> = OnceLock::new();
    API.get_or_init(|| Api::load(&runtime().join("libompd.so")))
}
