//! Functions that older compilers call for target regions: the current one with its arguments one
//! by one, some without a source location, names and mappers.

use core::ffi::{c_int, c_void};
use core::ptr;

use oxomp_argument::{Address, List};
use oxomp_sys::kmpc::kmp_depend_info_t;
use oxomp_sys::offload::KernelArgs;
use oxomp_target::location::Location;
use oxomp_target::tool::CallSite;

use crate::arguments::{Loc, wait_for};
use crate::kernel::RegionArguments;

/// An array of pointers.
type Pointers = *mut *mut c_void;

/// No teams construct.
const NO_TEAMS: i32 = -1;
/// The version of these kernels' arguments: no launch environment.
const VERSION: u32 = 1;

/// The arguments of a target region.
fn arguments(
    count: i32,
    [bases, begins, names, mappers]: [Pointers; 4],
    sizes: *mut i64,
    types: *mut i64,
) -> KernelArgs {
    KernelArgs {
        version: VERSION,
        num_args: count.max(0) as u32,
        arg_base_ptrs: bases,
        arg_ptrs: begins,
        arg_sizes: sizes,
        arg_types: types,
        arg_names: names,
        arg_mappers: mappers,
        tripcount: 0,
        flags: 0,
        num_teams: [0; 3],
        thread_limit: [0; 3],
        dyn_cgroup_mem: 0,
    }
}

/// Defines the functions for target regions. In brackets: the source location, names and mappers
/// that later forms have, the clauses of teams, the dependences of nowait.
macro_rules! regions {
    ($(
        $name:ident([$($loc:ident)?] [$($names:ident, $mappers:ident)?]
            [$($teams:ident, $limit:ident)?] [$($dc:ident, $dl:ident, $oc:ident, $ol:ident)?]);
    )*) => {
        $(export! {
            /// A target region in an older form; as `__tgt_target_kernel`.
            ///
            /// # Safety
            /// T3: the arrays have `count` elements, and are those of the region. A3: each other
            /// number is the length of the list behind it.
            pub (unsafe) fn $name(
                $($loc: Loc,)?
                device: i64,
                region: Address,
                count: i32,
                bases: Pointers,
                begins: Pointers,
                sizes: *mut i64,
                types: *mut i64,
                $($names: Pointers, $mappers: Pointers,)?
                $($teams: i32, $limit: i32,)?
                $($dc: i32, $dl: List<kmp_depend_info_t>, $oc: i32, $ol: List<kmp_depend_info_t>)?
            ) -> c_int {
                let none = ptr::null_mut();
                let site = CallSite::here();
                // The first of each list is the argument, where the form has it.
                let place = [$($loc.called_at(site),)? Location::default().called_at(site)][0];
                let [names, mappers] = [$([$names, $mappers],)? [none; 2]][0];
                let [teams, limit] = [$([$teams, $limit],)? [NO_TEAMS, 0]][0];
                let arguments = arguments(count, [bases, begins, names, mappers], sizes, types);
                // SAFETY: A3 and T3 of the arguments.
                let arguments = unsafe {
                    $(wait_for($dc, $dl, $oc, $ol);)?
                    RegionArguments::new(arguments)
                };
                arguments.execute(place, device, teams, limit, region)
            }
        })*
    };
}

regions! {
    __tgt_target([] [] [] []);
    __tgt_target_nowait([] [] [] [dc, dl, oc, ol]);
    __tgt_target_teams([] [] [num_teams, thread_limit] []);
    __tgt_target_teams_nowait([] [] [num_teams, thread_limit] [dc, dl, oc, ol]);
    __tgt_target_mapper([loc] [arg_names, arg_mappers] [] []);
    __tgt_target_nowait_mapper([loc] [arg_names, arg_mappers] [] [dc, dl, oc, ol]);
    __tgt_target_teams_mapper([loc] [arg_names, arg_mappers] [num_teams, thread_limit] []);
    __tgt_target_teams_nowait_mapper(
        [loc] [arg_names, arg_mappers] [num_teams, thread_limit] [dc, dl, oc, ol]
    );
}

export! {
    /// `void __kmpc_push_target_tripcount(int64_t device, uint64_t tripcount)`: a hint.
    pub fn __kmpc_push_target_tripcount(_device: i64, _trip_count: u64) {}

    /// `void __kmpc_push_target_tripcount_mapper(ident_t *loc, int64_t device, uint64_t tripcount)`
    pub fn __kmpc_push_target_tripcount_mapper(_loc: Loc, _device: i64, _trip_count: u64) {}
}
