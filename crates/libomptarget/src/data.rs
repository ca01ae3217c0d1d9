//! Constructs that only move data.

use core::ffi::c_void;
use core::ptr;

use oxomp_argument::List;
use oxomp_sys::kmpc::kmp_depend_info_t;
use oxomp_target::construct::{DataConstruct, data};
use oxomp_target::item::ItemArrays;
use oxomp_target::location::Location;
use oxomp_target::tool::CallSite;

use crate::arguments::{Loc, wait_for};
use crate::offload;

/// Defines the function of a construct. In brackets: the source location, names and mappers, which
/// older forms lack, and the dependences of nowait.
macro_rules! construct {
    (
        $(#[$meta:meta])*
        $name:ident = $kind:ident; [$($loc:ident)?] [$($names:ident, $mappers:ident)?]
            [$($dc:ident, $dl:ident, $oc:ident, $ol:ident)?]
    ) => {
        export! {
            $(#[$meta])*
            ///
            /// # Safety
            /// T2: the arrays have `count` elements. A3: each other number is the length of the
            /// list behind it.
            pub (unsafe) fn $name(
                $($loc: Loc,)?
                device: i64,
                count: i32,
                bases: *mut *mut c_void,
                begins: *mut *mut c_void,
                sizes: *const i64,
                types: *const i64,
                $($names: *mut *mut c_void, $mappers: *mut *mut c_void,)?
                $($dc: i32, $dl: List<kmp_depend_info_t>, $oc: i32, $ol: List<kmp_depend_info_t>)?
            ) {
                let none = ptr::null_mut();
                let site = CallSite::here();
                // The first of each list is the argument, where the form has it.
                let place = [$($loc.called_at(site),)? Location::default().called_at(site)][0];
                let [names, mappers] = [$([$names, $mappers],)? [none; 2]][0];
                let count = usize::try_from(count).unwrap_or(0);
                let arrays = ItemArrays { count, bases, begins, sizes, types, names, mappers };
                // SAFETY: A3 and T2 of the arguments.
                unsafe {
                    let is_nowait = [$({ wait_for($dc, $dl, $oc, $ol); true },)? false][0];
                    let items = arrays.read();
                    data(offload(), DataConstruct::$kind, place, device, &items, is_nowait);
                }
            }
        }
    };
}

/// Defines the functions of constructs, and those of their forms with nowait. In brackets: what
/// older forms lack.
macro_rules! constructs {
    ($loc:tt $names:tt $($(#[$meta:meta])* $name:ident, $nowait:ident = $kind:ident;)*) => {
        $(
            construct! { $(#[$meta])* $name = $kind; $loc $names [] }
            construct! {
                /// The same with nowait, in the body of a target task; the dependences are waited
                /// for.
                $nowait = $kind; $loc $names [dc, dl, oc, ol]
            }
        )*
    };
}

constructs! { [loc] [names, mappers]
    /// `void __tgt_target_data_begin_mapper(ident_t *loc, int64_t device, int32_t n, void **base,
    /// void **begin, int64_t *sizes, int64_t *types, void **names, void **mappers)`
    __tgt_target_data_begin_mapper, __tgt_target_data_begin_nowait_mapper = Begin;
    /// `void __tgt_target_data_end_mapper(…)`, as the one for the begin
    __tgt_target_data_end_mapper, __tgt_target_data_end_nowait_mapper = End;
    /// `void __tgt_target_data_update_mapper(…)`, as the one for the begin
    __tgt_target_data_update_mapper, __tgt_target_data_update_nowait_mapper = Update;
}

constructs! { [] []
    /// `void __tgt_target_data_begin(int64_t device, int32_t n, void **base, void **begin,
    /// int64_t *sizes, int64_t *types)`: the older form.
    __tgt_target_data_begin, __tgt_target_data_begin_nowait = Begin;
    /// `void __tgt_target_data_end(…)`, as the older one for the begin
    __tgt_target_data_end, __tgt_target_data_end_nowait = End;
    /// `void __tgt_target_data_update(…)`, as the older one for the begin
    __tgt_target_data_update, __tgt_target_data_update_nowait = Update;
}
