//! Doacross loop nests (kmpc): ordered(n), with `source` and `sink`.

use oxomp_core::worksharing::{Dimension, await_iteration, post_iteration};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::kmpc::{ident_flag_t, kmp_dim};

use super::Loc;
use crate::argument::{List, Vector};

/// The loops of a nest. clang numbers the iterations from 0, and passes their number as the upper
/// bound; a sink with that value is outside of the nest. A program that calls the routines by hand,
/// without a compiler's location, passes bounds that are both included.
fn loops(loc: Loc, dims: &[kmp_dim]) -> impl Iterator<Item = Dimension> {
    let is_numbered =
        loc.has(ident_flag_t::KMPC) && dims.iter().all(|one| (one.lo, one.st) == (0, 1));
    dims.iter().map(move |one| {
        if is_numbered {
            Dimension::counted(one.up.cast_unsigned())
        } else {
            Dimension::inclusive(one.lo, one.up, one.st)
        }
    })
}

entry! {
    /// `void __kmpc_doacross_init(ident_t *loc, int gtid, int num_dims, const struct kmp_dim
    /// *dims)`
    ///
    /// # Safety
    /// A3: `count` is the list's.
    pub unsafe fn __kmpc_doacross_init(loc: Loc, _gtid: i32, count: i32, dims: List<kmp_dim>) {
        // SAFETY: A3: `count` is the list's.
        let dims = unsafe { dims.with(count) };
        Thread::current().begin_doacross(loops(loc, dims));
    }

    /// `void __kmpc_doacross_post(ident_t *loc, int gtid, const kmp_int64 *vec)`
    pub fn __kmpc_doacross_post(_loc: Loc, _gtid: i32, vector: Vector) {
        post_iteration(move |index| vector.element(index), CallSite::here());
    }

    /// `void __kmpc_doacross_wait(ident_t *loc, int gtid, const kmp_int64 *vec)`
    pub fn __kmpc_doacross_wait(_loc: Loc, _gtid: i32, vector: Vector) {
        await_iteration(move |index| vector.element(index), CallSite::here());
    }

    /// `void __kmpc_doacross_fini(ident_t *loc, int gtid)`: a loop whose chunks were handed out has
    /// ended with the last one.
    pub fn __kmpc_doacross_fini(_loc: Loc, _gtid: i32) {
        Thread::current().end_doacross();
    }
}
