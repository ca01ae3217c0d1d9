//! Symbols that debuggers look for: breakpoint functions, the name of the OMPD library, the layout
//! of the runtime's data (OpenMP 5.2 §20.2, §20.6).

use core::arch::naked_asm;
use core::ffi::c_char;
use core::ptr;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Release;

use oxomp_base::breakpoint::{self, Functions};
use oxomp_core::ompd::{LayoutTable, layout_table, library};

/// Empty functions. The compiler would merge equal functions into one, so each has a body of
/// assembly with its name in it, and thereby an address of its own.
macro_rules! empty {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        entry! {
            $(
                $(#[$doc])*
                pub naked fn $name() {
                    naked_asm!(concat!("ret /* ", stringify!($name), " */"))
                }
            )*
        }
    };
}

empty! {
    /// `void ompd_bp_thread_begin(void)`
    ompd_bp_thread_begin;
    /// `void ompd_bp_thread_end(void)`
    ompd_bp_thread_end;
    /// `void ompd_bp_parallel_begin(void)`
    ompd_bp_parallel_begin;
    /// `void ompd_bp_parallel_end(void)`
    ompd_bp_parallel_end;
    /// `void ompd_bp_task_begin(void)`
    ompd_bp_task_begin;
    /// `void ompd_bp_task_end(void)`
    ompd_bp_task_end;
    /// `void ompd_bp_teams_begin(void)`
    ompd_bp_teams_begin;
    /// `void ompd_bp_teams_end(void)`
    ompd_bp_teams_end;
    /// `void ompd_bp_target_begin(void)`
    ompd_bp_target_begin;
    /// `void ompd_bp_target_end(void)`
    ompd_bp_target_end;
    /// `void ompd_bp_device_begin(void)`, which nothing reaches: no device has an environment of
    /// this runtime's.
    ompd_bp_device_begin;
    /// `void ompd_bp_device_end(void)`, which nothing reaches, as `ompd_bp_device_begin`.
    ompd_bp_device_end;
    /// `void ompd_dll_locations_valid(void)`
    ompd_dll_locations_valid;
}

data! {
    /// `const char **ompd_dll_locations`: the path of libompd.so beside the runtime, and null, from
    /// the load of the runtime on. The libraries of other runtimes do not know this one.
    pub static ompd_dll_locations: AtomicPtr<*const c_char> = AtomicPtr::new(ptr::null_mut());

    /// Where the runtime's data lie: `oxomp-ompd-layout` has the format.
    pub static oxomp_ompd_layout: LayoutTable = layout_table();
}

/// In the order of `Breakpoint`.
static FUNCTIONS: Functions = [
    ompd_bp_thread_begin,
    ompd_bp_thread_end,
    ompd_bp_parallel_begin,
    ompd_bp_parallel_end,
    ompd_bp_task_begin,
    ompd_bp_task_end,
    ompd_bp_teams_begin,
    ompd_bp_teams_end,
    ompd_bp_target_begin,
    ompd_bp_target_end,
];

/// Runs when the library is loaded, before a tool may start the runtime.
extern "C" fn at_load() {
    breakpoint::install(&FUNCTIONS);
    if let Some(path) = library::path() {
        let names = Box::leak(Box::new([path.into_raw().cast_const(), ptr::null()]));
        // Release: the names are complete for a debugger that finds them.
        ompd_dll_locations.store(names.as_mut_ptr(), Release);
        ompd_dll_locations_valid();
    }
}

#[used]
#[unsafe(link_section = ".init_array.00101")]
static AT_LOAD: extern "C" fn() = at_load;
