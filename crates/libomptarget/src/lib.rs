//! The shared object that answers to `libomptarget.so.19.1` and `libomptarget.so.22.1`: each
//! exported function converts its arguments, calls `oxomp-target`, and converts the answer back.
//!
//! `README.md` lists the symbols, and those that answer with an error.

#[macro_use]
mod export;

pub mod absent;
pub mod arguments;
pub mod data;
pub mod devices;
pub mod extensions;
pub mod gcc;
pub mod interop;
pub mod kernel;
pub mod legacy;
pub mod mapper;
pub mod memory;
pub mod registration;
pub mod tools;
mod transfer;

use once_cell::race::OnceBox;
use oxomp_target::fork;
use oxomp_target::host_runtime::HostRuntime;
use oxomp_target::offload::Offload;
use oxomp_target::plugin::Plugin;
use oxomp_target_host::HostPlugin;

// The language aborts where a panic would leave an `extern "C"` function. So the unwinding of a
// development build, which it has in common with the tests, never reaches the program.
#[cfg(not(any(panic = "abort", debug_assertions, test)))]
compile_error!(
    "libomptarget must be built with panic=\"abort\" (profiles testing and release are): \
     a panic ends the process in any case, and unwinding would only make the library larger"
);

/// A routine of OpenMP is called: a tool of the host runtime that waits for the first use of OpenMP
/// is initialized before the routine returns.
fn start_for_tool() {
    HostRuntime::get().start_for_tool();
}

static OFFLOAD: OnceBox<Offload> = OnceBox::new();

/// The offload runtime of the process. Threads may make it at the same time: the first one's stays.
fn offload() -> &'static Offload {
    OFFLOAD.get_or_init(|| {
        let mut plugins: Vec<Box<dyn Plugin>> = vec![Box::new(HostPlugin::from_environment())];
        plugins.extend(oxomp_target_gcc::plugins());
        Box::new(Offload::new(plugins))
    })
}

/// Runs when the library is loaded.
extern "C" fn at_load() {
    fork::watch(|| OFFLOAD.get());
}

#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;

/// Runs when the process ends.
extern "C" fn at_end() {
    oxomp_target_gcc::finish();
}

#[used]
#[unsafe(link_section = ".fini_array")]
static AT_END: extern "C" fn() = at_end;
