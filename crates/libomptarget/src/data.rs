//! Constructs that only move data.

use core::ffi::c_void;

use oxomp_target::construct::{DataConstruct, data};
use oxomp_target::tool::CallSite;

use crate::arguments::{Loc, Pointers, items, location, wait_for};
use crate::offload;

/// Defines the function of a construct and the one of its form with nowait.
macro_rules! constructs {
    ($($(#[$meta:meta])* $name:ident, $nowait:ident = $kind:ident;)*) => {
        $(export! {
            $(#[$meta])*
            ///
            /// # Safety
            /// The compiler made the arguments for the construct that makes the call.
            pub (unsafe) fn $name(
                loc: Loc,
                device: i64,
                count: i32,
                bases: Pointers,
                begins: Pointers,
                sizes: *const i64,
                types: *const i64,
                names: Pointers,
                mappers: Pointers,
            ) {
                // SAFETY: the caller's own promise (`# Safety`).
                unsafe {
                    let items = items(count, bases, begins, sizes, types, names, mappers);
                    let place = location(loc, CallSite::here());
                    data(offload(), DataConstruct::$kind, place, device, &items, false);
                }
            }

            /// The same with nowait, in the body of a target task; the dependences are waited for.
            ///
            /// # Safety
            /// As without nowait.
            pub (unsafe) fn $nowait(
                loc: Loc,
                device: i64,
                count: i32,
                bases: Pointers,
                begins: Pointers,
                sizes: *const i64,
                types: *const i64,
                names: Pointers,
                mappers: Pointers,
                depend_count: i32,
                depend_list: *const c_void,
                other_count: i32,
                other_list: *const c_void,
            ) {
                // SAFETY: the caller's own promise (`# Safety`).
                unsafe {
                    wait_for(depend_count, depend_list, other_count, other_list);
                    let items = items(count, bases, begins, sizes, types, names, mappers);
                    let place = location(loc, CallSite::here());
                    data(offload(), DataConstruct::$kind, place, device, &items, true);
                }
            }
        })*
    };
}

constructs! {
    /// `void __tgt_target_data_begin_mapper(ident_t *loc, int64_t device, int32_t n, void **base,
    /// void **begin, int64_t *sizes, int64_t *types, void **names, void **mappers)`
    __tgt_target_data_begin_mapper, __tgt_target_data_begin_nowait_mapper = Begin;
    /// `void __tgt_target_data_end_mapper(…)`, as the one for the begin
    __tgt_target_data_end_mapper, __tgt_target_data_end_nowait_mapper = End;
    /// `void __tgt_target_data_update_mapper(…)`, as the one for the begin
    __tgt_target_data_update_mapper, __tgt_target_data_update_nowait_mapper = Update;
}
