//! Addresses without a handle, null places, and handles of the wrong kind, for every function.

use core::ffi::c_void;
use core::ptr;

use oxomp_sys::ompd::{ompd_rc_t, ompd_scope_t};

use super::api::{
    ompd_enumerate_icvs, ompd_enumerate_states, ompd_get_curr_parallel_handle,
    ompd_get_curr_task_handle, ompd_get_device_from_thread, ompd_get_device_thread_id_kinds,
    ompd_get_display_control_vars, ompd_get_enclosing_parallel_handle,
    ompd_get_generating_task_handle, ompd_get_icv_from_scope, ompd_get_icv_string_from_scope,
    ompd_get_omp_version, ompd_get_omp_version_string, ompd_get_scheduling_task_handle,
    ompd_get_state, ompd_get_task_frame, ompd_get_task_function, ompd_get_task_in_parallel,
    ompd_get_task_parallel_handle, ompd_get_thread_handle, ompd_get_thread_id,
    ompd_get_thread_in_parallel, ompd_get_tool_data, ompd_parallel_handle_compare,
    ompd_rel_address_space_handle, ompd_rel_parallel_handle, ompd_rel_task_handle,
    ompd_rel_thread_handle, ompd_task_handle_compare, ompd_thread_handle_compare,
};
use super::debugger::{Debugger, ask};
use super::program::{PRIMARY, Program};
use super::relations::thread;

/// A function with a handle, and otherwise sound arguments, or null for the first result.
type Call = fn(handle: *mut c_void, has_place: bool) -> ompd_rc_t;

/// A place for any result, or null.
macro_rules! place {
    ($has_place:expr) => {
        if $has_place { (&raw mut PLACE).cast() } else { ptr::null_mut() }
    };
}

/// Room for every result: the answers below write none.
static mut PLACE: [u64; 8] = [0; 8];

macro_rules! calls {
    ($($name:ident($handle:ident, $place:ident) => $call:expr;)*) => {
        &[$((stringify!($name), (|$handle, has_place| {
            #[allow(unused_variables, reason = "some functions have no result")]
            let $place = has_place;
            { $call }
        }) as Call)),*]
    };
}

const OF_SPACES: &[(&str, Call)] = calls! {
    version(h, p) => ompd_get_omp_version(h.cast(), place!(p));
    string(h, p) => ompd_get_omp_version_string(h.cast(), place!(p));
    vars(h, p) => ompd_get_display_control_vars(h.cast(), place!(p));
    thread(h, p) => ompd_get_thread_handle(h.cast(), 1, 8, (&raw const PLACE).cast(), place!(p));
    kinds(h, p) => ompd_get_device_thread_id_kinds(
        h.cast(), place!(p), place!(true), place!(true));
    states(h, p) => ompd_enumerate_states(h.cast(), 0x102, place!(p), place!(true), place!(true));
    icvs(h, p) => ompd_enumerate_icvs(
        h.cast(), 0, place!(p), place!(true), place!(true), place!(true));
    number(h, p) => ompd_get_icv_from_scope(h, ompd_scope_t::ADDRESS_SPACE, 19, place!(p));
    text(h, p) => ompd_get_icv_string_from_scope(h, ompd_scope_t::ADDRESS_SPACE, 19, place!(p));
    data(h, p) => ompd_get_tool_data(h, ompd_scope_t::GLOBAL, place!(p), place!(true));
};

const OF_THREADS: &[(&str, Call)] = calls! {
    id(h, p) => ompd_get_thread_id(h.cast(), 1, 8, place!(p));
    device(h, p) => ompd_get_device_from_thread(h.cast(), place!(p));
    parallel(h, p) => ompd_get_curr_parallel_handle(h.cast(), place!(p));
    task(h, p) => ompd_get_curr_task_handle(h.cast(), place!(p));
    state(h, p) => ompd_get_state(h.cast(), place!(p), place!(true));
    compare(h, p) => ompd_thread_handle_compare(h.cast(), h.cast(), place!(p));
    number(h, p) => ompd_get_icv_from_scope(h, ompd_scope_t::THREAD, 21, place!(p));
    data(h, p) => ompd_get_tool_data(h, ompd_scope_t::THREAD, place!(p), place!(true));
};

const OF_REGIONS: &[(&str, Call)] = calls! {
    thread(h, p) => ompd_get_thread_in_parallel(h.cast(), 0, place!(p));
    task(h, p) => ompd_get_task_in_parallel(h.cast(), 0, place!(p));
    enclosing(h, p) => ompd_get_enclosing_parallel_handle(h.cast(), place!(p));
    compare(h, p) => ompd_parallel_handle_compare(h.cast(), h.cast(), place!(p));
    number(h, p) => ompd_get_icv_from_scope(h, ompd_scope_t::PARALLEL, 14, place!(p));
    data(h, p) => ompd_get_tool_data(h, ompd_scope_t::PARALLEL, place!(p), place!(true));
};

const OF_TASKS: &[(&str, Call)] = calls! {
    region(h, p) => ompd_get_task_parallel_handle(h.cast(), place!(p));
    generating(h, p) => ompd_get_generating_task_handle(h.cast(), place!(p));
    scheduling(h, p) => ompd_get_scheduling_task_handle(h.cast(), place!(p));
    function(h, p) => ompd_get_task_function(h.cast(), place!(p));
    frame(h, p) => ompd_get_task_frame(h.cast(), place!(p), place!(true));
    compare(h, p) => ompd_task_handle_compare(h.cast(), h.cast(), place!(p));
    number(h, p) => ompd_get_icv_from_scope(h, ompd_scope_t::TASK, 18, place!(p));
    data(h, p) => ompd_get_tool_data(h, ompd_scope_t::TASK, place!(p), place!(true));
};

const RELEASES: &[(&str, Call)] = calls! {
    space(h, p) => ompd_rel_address_space_handle(h.cast());
    thread(h, p) => ompd_rel_thread_handle(h.cast());
    region(h, p) => ompd_rel_parallel_handle(h.cast());
    task(h, p) => ompd_rel_task_handle(h.cast());
};

/// Handles of each kind, in the order of the tables.
fn handles(debugger: &Debugger) -> [*mut c_void; 4] {
    let thread = thread(debugger, PRIMARY).expect("a thread");
    let (region, task) = {
        (
            ask(|place| ompd_get_curr_parallel_handle(thread, place)).expect("a region"),
            ask(|place| ompd_get_curr_task_handle(thread, place)).expect("a task"),
        )
    };
    [debugger.space.cast(), thread.cast(), region.cast(), task.cast()]
}

const TABLES: [&[(&str, Call)]; 4] = [OF_SPACES, OF_THREADS, OF_REGIONS, OF_TASKS];

#[test]
fn what_is_no_handle_is_a_stale_one() {
    let debugger = Debugger::start(Program::new(true).image);
    let released = handles(&debugger)[1];
    assert_eq!({ ompd_rel_thread_handle(released.cast()) }, ompd_rc_t::OK);
    let nowhere =
        [ptr::null_mut(), ptr::without_provenance_mut(8), released, (&raw mut PLACE).cast()];
    for (name, call) in TABLES.iter().copied().chain([RELEASES]).flatten() {
        for handle in nowhere {
            assert_eq!(call(handle, true), ompd_rc_t::STALE_HANDLE, "{name} {handle:?}");
        }
    }
}

#[test]
fn a_result_without_a_place_is_bad_input() {
    let debugger = Debugger::start(Program::new(true).image);
    for (table, handle) in TABLES.into_iter().zip(handles(&debugger)) {
        for (name, call) in table {
            assert_eq!(call(handle, false), ompd_rc_t::BAD_INPUT, "{name}");
        }
    }
}

#[test]
fn a_handle_of_another_kind_is_incompatible() {
    for (version, wrong) in
        [(201_811, ompd_rc_t::INCOMPATIBLE), (202_411, ompd_rc_t::INCOMPATIBLE_HANDLE)]
    {
        let started = Debugger::try_start(Program::new(true).image, version);
        let debugger = started.expect("the image is a process on the runtime");
        let handles = handles(&debugger);
        for (of, table) in TABLES.iter().enumerate() {
            for (kind, handle) in handles.iter().enumerate().filter(|(kind, _)| *kind != of) {
                for (name, call) in *table {
                    assert_eq!(call(*handle, true), wrong, "{name}, {kind} for {of}");
                }
                assert_eq!(RELEASES[of].1(*handle, true), wrong);
            }
        }
    }
}

#[test]
fn handles_end_with_their_address_space() {
    let debugger = Debugger::start(Program::new(true).image);
    let [space, others @ ..] = handles(&debugger);
    assert_eq!({ ompd_rel_address_space_handle(space.cast()) }, ompd_rc_t::OK);
    for (table, handle) in TABLES[1..].iter().zip(others) {
        for (name, call) in *table {
            assert_eq!(call(handle, true), ompd_rc_t::STALE_HANDLE, "{name}");
        }
    }
    // They can still be released.
    for (kind, handle) in others.into_iter().enumerate() {
        assert_eq!(RELEASES[kind + 1].1(handle, true), ompd_rc_t::OK);
    }
}
