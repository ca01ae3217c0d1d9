//! The functions that the other tests do not need: versions, kinds of ids, devices, states by name,
//! and the end of handles.

use core::ffi::CStr;
use core::ptr;
use std::collections::BTreeMap;

use oxomp_sys::ompd::ompd_rc_t;
use oxomp_testing::compiler::Family;

use crate::api::api;
use crate::debugger::{Debugger, allocations, ask, free, take_text};
use crate::target::Stopped;
use crate::waits::waiting;

#[test]
fn the_library_tells_its_versions_first() {
    let api = api();
    // SAFETY: places are passed; the string is the library's.
    unsafe {
        assert_eq!(ask(|place| (api.ompd_get_api_version)(place)), Ok(202_411));
        let text = ask(|place| (api.ompd_get_version_string)(place)).expect("a string");
        assert!(CStr::from_ptr(text).to_bytes().starts_with(b"oxomp libompd "));
    }
}

#[test]
fn states_have_names() {
    let (program, facts) = waiting(Family::Gcc, &[("OMP_DEBUG", "enabled")]);
    let debugger = Debugger::start(Stopped::new(program.pid()));
    let mut names = BTreeMap::new();
    let (mut state, mut more) = (0x102, 1);
    while more == 1 {
        let mut name = ptr::null();
        // SAFETY: a handle and places are passed.
        let next = ask(|place| unsafe {
            let (name, more) = (&raw mut name, &raw mut more);
            (debugger.api.ompd_enumerate_states)(debugger.space, state, place, name, more)
        });
        state = next.expect("a state");
        names.insert(state, take_text(name));
    }
    for fact in facts.iter().filter(|fact| fact.text("role") != "initial") {
        let thread = debugger.thread(fact.number("lwp")).expect("a thread");
        let name = &names[&debugger.state(thread).0];
        let wanted = match fact.text("role") {
            "lock" | "nest_lock" => "ompt_state_wait_lock",
            "critical" => "ompt_state_wait_critical",
            "ordered" => "ompt_state_wait_ordered",
            "barrier" => "ompt_state_wait_barrier_explicit",
            _ => "ompt_state_work_parallel",
        };
        assert!(name.starts_with(wanted), "{name} is not {wanted}");
    }
    drop(debugger);
    program.finish();
}

#[test]
fn devices_and_kinds_of_ids_are_told() {
    let (program, facts) = waiting(Family::Clang, &[("OMP_DEBUG", "enabled")]);
    let debugger = Debugger::start(Stopped::new(program.pid()));
    let api = debugger.api;
    let thread = debugger.thread(facts[0].number("lwp")).expect("a thread");
    let (mut kinds, mut sizes, mut count) = (ptr::null_mut(), ptr::null_mut(), 0);
    let mut id = 0_u64;
    // SAFETY: handles and places are passed; the arrays have as many elements as is said, and are
    // freed once, by what has allocated them.
    unsafe {
        let code = (api.ompd_get_device_thread_id_kinds)(
            debugger.space,
            &raw mut kinds,
            &raw mut sizes,
            &raw mut count,
        );
        assert_eq!((code, count), (ompd_rc_t::OK, 2));
        assert_eq!(core::slice::from_raw_parts(kinds, 2), [0, 1]);
        assert_eq!(core::slice::from_raw_parts(sizes, 2), [8, 4]);
        free(kinds.cast());
        free(sizes.cast());
        let host = ask(|place| (api.ompd_get_device_from_thread)(thread, place)).expect("it");
        assert_eq!(ask(|place| (api.ompd_get_omp_version)(host, place)), Ok(202_111));
        assert_eq!((api.ompd_rel_address_space_handle)(host), ompd_rc_t::OK);
        let context = ptr::from_ref(&debugger).cast_mut().cast();
        let id = (&raw mut id).cast();
        let device =
            ask(|place| (api.ompd_device_initialize)(debugger.space, context, 2, 8, id, place));
        assert_eq!(device, Err(ompd_rc_t::UNSUPPORTED));
    }
    drop(debugger);
    program.finish();
}

/// The state is a number: what the library needs to find it is memory of the debugger too.
#[test]
fn temporaries_are_memory_of_the_debugger() {
    let (program, facts) = waiting(Family::Clang, &[]);
    let debugger = Debugger::start(Stopped::new(program.pid()));
    let thread = debugger.thread(facts[0].number("lwp")).expect("a thread");
    let before = allocations();
    debugger.state(thread);
    assert!(allocations() > before);
    drop(debugger);
    program.finish();
}

#[test]
fn released_handles_are_stale() {
    let (program, facts) = waiting(Family::Gcc, &[("OMP_DEBUG", "enabled")]);
    let debugger = Debugger::start(Stopped::new(program.pid()));
    let api = debugger.api;
    let thread = debugger.thread(facts[0].number("lwp")).expect("a thread");
    let region = debugger.current_region(thread).expect("a region");
    let task = debugger.current_task(thread).expect("a task");
    // SAFETY: handles are passed, which the library checks.
    unsafe {
        for wanted in [ompd_rc_t::OK, ompd_rc_t::STALE_HANDLE] {
            assert_eq!((api.ompd_rel_parallel_handle)(region), wanted);
            assert_eq!((api.ompd_rel_task_handle)(task), wanted);
            assert_eq!((api.ompd_rel_thread_handle)(thread), wanted);
        }
    }
    assert_eq!(debugger.region_of(task), Err(ompd_rc_t::STALE_HANDLE));
    assert_eq!(debugger.current_task(thread), Err(ompd_rc_t::STALE_HANDLE));
    drop(debugger);
    program.finish();
}
