//! Barriers, mutual exclusion, `masked`, `flush`, reductions, cancellation.

use std::cell::UnsafeCell;
use std::ffi::{c_char, c_int, c_void};

use oxomp_sys::kmpc::{ident_t, kmp_critical_name, kmp_dim, kmpc_reduce_func};

use super::form::Form;
use super::location::{ATOMIC_REDUCTION, EXPLICIT_BARRIER, PLAIN};
use super::region::Member;
use crate::runtime::call;

/// The common symbols behind the critical constructs.
struct CriticalName(UnsafeCell<kmp_critical_name>);

// SAFETY: only the runtime uses the words, as the interface wants.
unsafe impl Sync for CriticalName {}

static CRITICAL: CriticalName = CriticalName(UnsafeCell::new([0; 8]));
static REDUCTION: CriticalName = CriticalName(UnsafeCell::new([0; 8]));

unsafe extern "C" fn combine(_left: *mut c_void, _right: *mut c_void) {}

impl Member {
    /// `barrier`.
    pub(crate) fn barrier(self) {
        match self.form {
            Form::Clang => call!(__kmpc_barrier(
                &raw const EXPLICIT_BARRIER => *const ident_t, self.gtid => i32)),
            Form::Gcc => call!(GOMP_barrier()),
        }
    }

    /// `critical(name)`, with a hint where the compiler passes one.
    pub(crate) fn critical(self, hint: u32, body: impl FnOnce()) {
        let name = CRITICAL.0.get();
        match self.form {
            Form::Clang => {
                call!(__kmpc_critical_with_hint(
                    &raw const PLAIN => *const ident_t,
                    self.gtid => i32,
                    name => *mut kmp_critical_name,
                    hint => u32,
                ));
                body();
                call!(__kmpc_end_critical(
                    &raw const PLAIN => *const ident_t,
                    self.gtid => i32,
                    name => *mut kmp_critical_name,
                ));
            }
            Form::Gcc => {
                call!(GOMP_critical_name_start(name.cast() => *mut *mut c_void));
                body();
                call!(GOMP_critical_name_end(name.cast() => *mut *mut c_void));
            }
        }
    }

    /// An atomic construct that compilers turn into a lock, as for long doubles.
    pub(crate) fn atomic(self, body: impl FnOnce()) {
        match self.form {
            Form::Clang => {
                call!(__kmpc_atomic_start());
                body();
                call!(__kmpc_atomic_end());
            }
            Form::Gcc => {
                call!(GOMP_atomic_start());
                body();
                call!(GOMP_atomic_end());
            }
        }
    }

    /// The `ordered` block of an iteration.
    pub(crate) fn ordered(self, body: impl FnOnce()) {
        match self.form {
            Form::Clang => {
                call!(__kmpc_ordered(&raw const PLAIN => *const ident_t, self.gtid => i32));
                body();
                call!(__kmpc_end_ordered(&raw const PLAIN => *const ident_t, self.gtid => i32));
            }
            Form::Gcc => {
                call!(GOMP_ordered_start());
                body();
                call!(GOMP_ordered_end());
            }
        }
    }

    /// `masked`; gcc makes no call for it.
    pub(crate) fn masked(self, body: impl FnOnce()) {
        let chosen = call!(__kmpc_masked(
            &raw const PLAIN => *const ident_t, self.gtid => i32, 0 => i32) -> i32);
        if chosen != 0 {
            body();
            call!(__kmpc_end_masked(&raw const PLAIN => *const ident_t, self.gtid => i32));
        }
    }

    /// `flush`; gcc makes no call for it.
    pub(crate) fn flush(self) {
        call!(__kmpc_flush(&raw const PLAIN => *const ident_t));
    }

    /// The end of a construct with a reduction of one variable and nowait; gcc makes no call.
    pub(crate) fn reduce(self, variable: &mut u64) {
        let mut list = [std::ptr::from_mut(variable).cast::<c_void>()];
        let lock = REDUCTION.0.get();
        let method = call!(__kmpc_reduce_nowait(
            &raw const ATOMIC_REDUCTION => *const ident_t,
            self.gtid => i32,
            1 => i32,
            size_of_val(&list) => usize,
            list.as_mut_ptr().cast() => *mut c_void,
            combine => kmpc_reduce_func,
            lock => *mut kmp_critical_name,
        ) -> i32);
        if method == 1 {
            call!(__kmpc_end_reduce_nowait(
                &raw const ATOMIC_REDUCTION => *const ident_t,
                self.gtid => i32,
                lock => *mut kmp_critical_name,
            ));
        }
    }

    /// A doacross loop of two iterations in a team of two: thread 0 posts the first, and thread 1
    /// waits for it; gcc's calls need a schedule besides.
    pub(crate) fn doacross_of_two(self) {
        let dimension = kmp_dim { lo: 0, up: 2, st: 1 };
        call!(__kmpc_doacross_init(
            &raw const PLAIN => *const ident_t,
            self.gtid => i32,
            1 => i32,
            &raw const dimension => *const kmp_dim,
        ));
        let first = 0i64;
        if self.number() == 0 {
            call!(__kmpc_doacross_post(
                &raw const PLAIN => *const ident_t, self.gtid => i32, &raw const first => *const i64));
        } else {
            call!(__kmpc_doacross_wait(
                &raw const PLAIN => *const ident_t, self.gtid => i32, &raw const first => *const i64));
        }
        call!(__kmpc_doacross_fini(&raw const PLAIN => *const ident_t, self.gtid => i32));
    }

    /// `cancel`; the number is clang's: 1 parallel, 4 taskgroup.
    pub(crate) fn cancel(self, what: i32) -> bool {
        match self.form {
            Form::Clang => {
                call!(__kmpc_cancel(
                    &raw const PLAIN => *const ident_t, self.gtid => i32, what => i32) -> i32)
                    != 0
            }
            Form::Gcc => {
                let what = if what == 4 { 8 } else { what };
                call!(GOMP_cancel(what => c_int, true => bool) -> bool)
            }
        }
    }

    /// `error at(execution) severity(warning)`.
    pub(crate) fn warn(self, message: &'static std::ffi::CStr) {
        match self.form {
            Form::Clang => call!(__kmpc_error(
                &raw const PLAIN => *const ident_t,
                1 => c_int,
                message.as_ptr() => *const c_char,
            )),
            Form::Gcc => call!(GOMP_warning(
                message.as_ptr() => *const c_char,
                message.to_bytes().len() => usize,
            )),
        }
    }
}
