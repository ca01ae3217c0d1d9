//! Waiting, stacks, the execution mode, warnings, and variables set by the program (kmp).

use core::ffi::c_int;

use oxomp_base::icv::{Blocktime, Library};
use oxomp_base::{diag, os, settings};
use oxomp_core::{Thread, defaults, threads_known};

use crate::argument::{List, Text, by_reference};
use crate::ignored::ignored;

/// The `int` nearest to a number of bytes.
fn narrow(bytes: usize) -> c_int {
    c_int::try_from(bytes).unwrap_or(c_int::MAX)
}

/// Sets the execution mode, outside of parallel regions. Serial is one thread a region.
fn set_library(library: Library) {
    let thread = Thread::current();
    if thread.team().level() > 0 {
        return ignored("kmp_set_library", "mode", library.to_kmp(), "to be set inside a region");
    }
    let settings = settings::get();
    settings.set_library(library);
    let threads = match library {
        Library::Serial => 1,
        Library::Turnaround | Library::Throughput => settings.icvs.nthreads_var,
    };
    thread.task().change_icvs(|icvs| icvs.nthreads_var = threads);
}

entry! {
    /// `void kmp_set_blocktime(int arg)`: milliseconds, `INT_MAX` for no sleep at all.
    pub fn kmp_set_blocktime | kmpc_set_blocktime(milliseconds: c_int) {
        settings::get().set_blocktime(Blocktime::from_millis(milliseconds));
    }

    /// `int kmp_get_blocktime(void)`: milliseconds, `INT_MAX` for no sleep at all.
    pub fn kmp_get_blocktime | kmp_get_blocktime_() -> c_int {
        settings::get().blocktime().as_millis()
    }

    /// `void kmp_set_stacksize_s(size_t arg)`: bytes, for threads that start from now on.
    pub fn kmp_set_stacksize_s | kmpc_set_stacksize_s(bytes: usize) {
        settings::get().set_stack_bytes(bytes.max(settings::LEAST_STACK));
    }

    /// `size_t kmp_get_stacksize_s(void)`
    pub fn kmp_get_stacksize_s | kmp_get_stacksize_s_() -> usize {
        match settings::get().stack_bytes() {
            0 => os::default_stack_bytes(),
            bytes => bytes,
        }
    }

    /// `void kmp_set_stacksize(int arg)`: bytes, for threads that start from now on.
    pub fn kmp_set_stacksize | kmpc_set_stacksize(bytes: c_int) {
        match usize::try_from(bytes) {
            Ok(bytes) => kmp_set_stacksize_s(bytes),
            Err(_) => ignored("kmp_set_stacksize", "size", bytes, "a number of bytes"),
        }
    }

    /// `int kmp_get_stacksize(void)`
    pub fn kmp_get_stacksize | kmp_get_stacksize_() -> c_int {
        narrow(kmp_get_stacksize_s())
    }

    /// `void kmp_set_library(int arg)`: 1 serial, 2 turnaround, 3 throughput.
    pub fn kmp_set_library | kmpc_set_library(mode: c_int) {
        match Library::from_kmp(mode) {
            Some(library) => set_library(library),
            None => ignored("kmp_set_library", "mode", mode, "1, 2 or 3"),
        }
    }

    /// `int kmp_get_library(void)`
    pub fn kmp_get_library | kmp_get_library_() -> c_int {
        settings::get().library().to_kmp()
    }

    /// `void kmp_set_library_serial(void)`
    pub fn kmp_set_library_serial | kmp_set_library_serial_() {
        set_library(Library::Serial);
    }

    /// `void kmp_set_library_turnaround(void)`
    pub fn kmp_set_library_turnaround | kmp_set_library_turnaround_() {
        set_library(Library::Turnaround);
    }

    /// `void kmp_set_library_throughput(void)`
    pub fn kmp_set_library_throughput | kmp_set_library_throughput_() {
        set_library(Library::Throughput);
    }

    /// `void kmp_set_warnings_on(void)`
    pub fn kmp_set_warnings_on | kmp_set_warnings_on_() {
        settings::get();
        diag::set_warnings(true);
    }

    /// `void kmp_set_warnings_off(void)`
    pub fn kmp_set_warnings_off | kmp_set_warnings_off_() {
        settings::get();
        diag::set_warnings(false);
    }

    /// `void kmp_set_defaults(const char *str)`: `NAME=value`, several with `|` between them.
    pub fn kmp_set_defaults | kmpc_set_defaults(text: Text) {
        if let Some(text) = text.get() {
            defaults::set(&text.to_string_lossy());
        }
    }

    /// `kmp_set_defaults` called from Fortran.
    ///
    /// # Safety
    /// A3: `length` is the text's.
    pub unsafe fn kmp_set_defaults_(text: List<u8>, length: c_int) {
        // SAFETY: A3 of the arguments.
        defaults::set(&String::from_utf8_lossy(unsafe { text.with(length) }));
    }

    /// `void kmp_set_disp_num_buffers(int arg)`: loops that may be in flight at once. Here they are
    /// eight, a thread further ahead waits, and the number changes nothing.
    pub fn kmp_set_disp_num_buffers | kmpc_set_disp_num_buffers(buffers: c_int) {
        if !(1..=4096).contains(&buffers) {
            ignored("kmp_set_disp_num_buffers", "number", buffers, "between 1 and 4096");
        }
    }

    /// `int kmp_get_num_known_threads(void)`: threads that the runtime has known so far.
    pub fn kmp_get_num_known_threads | kmp_get_num_known_threads_() -> c_int {
        settings::get();
        threads_known().cast_signed()
    }
}

by_reference! {
    kmp_set_blocktime(c_int): kmp_set_blocktime_;
    kmp_set_stacksize(c_int): kmp_set_stacksize_;
    kmp_set_stacksize_s(usize): kmp_set_stacksize_s_;
    kmp_set_library(c_int): kmp_set_library_;
    kmp_set_disp_num_buffers(c_int): kmp_set_disp_num_buffers_;
}
