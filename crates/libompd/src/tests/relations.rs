//! Threads, regions and tasks, and how they lead to one another.

use core::ptr;

use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::{
    ompd_parallel_handle_t, ompd_rc_t, ompd_scope_t, ompd_task_handle_t, ompd_thread_handle_t,
};

use super::api::{
    ompd_get_curr_parallel_handle, ompd_get_curr_task_handle, ompd_get_device_from_thread,
    ompd_get_enclosing_parallel_handle, ompd_get_generating_task_handle, ompd_get_omp_version,
    ompd_get_scheduling_task_handle, ompd_get_task_frame, ompd_get_task_function,
    ompd_get_task_in_parallel, ompd_get_task_parallel_handle, ompd_get_thread_handle,
    ompd_get_thread_id, ompd_get_thread_in_parallel, ompd_get_tool_data,
    ompd_parallel_handle_compare, ompd_rel_address_space_handle, ompd_task_handle_compare,
    ompd_thread_handle_compare,
};
use super::debugger::{Debugger, ask};
use super::program::{IDLE, OUTLINED, PRIMARY, Program, SECOND, TASK_ENTRY};

type Answer<T> = Result<T, ompd_rc_t>;

/// The thread with this kernel id.
pub(crate) fn thread(debugger: &Debugger, lwp: u64) -> Answer<*mut ompd_thread_handle_t> {
    let id = (&raw const lwp).cast();
    ask(|place| ompd_get_thread_handle(debugger.space, 1, 8, id, place))
}

fn task(thread: *mut ompd_thread_handle_t) -> Answer<*mut ompd_task_handle_t> {
    ask(|place| ompd_get_curr_task_handle(thread, place))
}

fn region(thread: *mut ompd_thread_handle_t) -> Answer<*mut ompd_parallel_handle_t> {
    ask(|place| ompd_get_curr_parallel_handle(thread, place))
}

fn same_task(one: *mut ompd_task_handle_t, other: *mut ompd_task_handle_t) -> bool {
    ask(|place| ompd_task_handle_compare(one, other, place)) == Ok(0)
}

fn same_region(one: *mut ompd_parallel_handle_t, other: *mut ompd_parallel_handle_t) -> bool {
    ask(|place| ompd_parallel_handle_compare(one, other, place)) == Ok(0)
}

fn lwp(thread: *mut ompd_thread_handle_t) -> Answer<u32> {
    ask(|place: *mut u32| ompd_get_thread_id(thread, 1, 4, place.cast()))
}

#[test]
fn threads_are_found_by_each_kind_of_id() {
    let debugger = Debugger::start(Program::new(true).image);
    let find = |kind, size, id: u64| {
        let id = (&raw const id).cast();
        ask(|place| ompd_get_thread_handle(debugger.space, kind, size, id, place))
    };
    let by_lwp = find(1, 4, SECOND).expect("a thread");
    let by_long_lwp = find(1, 8, SECOND).expect("a thread");
    let by_pthread = find(0, 8, SECOND << 32).expect("a thread");
    let compare = |one, other| ask(|place| ompd_thread_handle_compare(one, other, place));
    assert_eq!(compare(by_lwp, by_pthread), Ok(0));
    assert_eq!(compare(by_lwp, by_long_lwp), Ok(0));
    let primary = find(1, 4, PRIMARY).expect("a thread");
    let order = compare(by_lwp, primary).expect("an order");
    assert_ne!(order, 0);
    assert_eq!(compare(primary, by_lwp), Ok(-order));

    assert_eq!(find(1, 4, 999), Err(ompd_rc_t::UNAVAILABLE));
    assert_eq!(find(1, 4, 0), Err(ompd_rc_t::UNAVAILABLE));
    for (kind, size) in [(1, 7), (1, 0), (0, 4), (0, u64::MAX)] {
        assert_eq!(find(kind, size, SECOND), Err(ompd_rc_t::BAD_INPUT));
    }
    for kind in [2, 3, 4, 1_000_000] {
        assert_eq!(find(kind, 8, SECOND), Err(ompd_rc_t::UNSUPPORTED));
    }
    assert_eq!(lwp(by_pthread), Ok(SECOND as u32));
    let id =
        |kind, size| ask(|place: *mut u64| ompd_get_thread_id(by_lwp, kind, size, place.cast()));
    assert_eq!((id(1, 8), id(0, 8)), (Ok(SECOND), Ok(SECOND << 32)));
    assert_eq!((id(0, 7), id(4, 7)), (Err(ompd_rc_t::BAD_INPUT), Err(ompd_rc_t::UNSUPPORTED)));
    let code = ompd_get_thread_id(by_lwp, 1, 4, ptr::null_mut());
    assert_eq!(code, ompd_rc_t::BAD_INPUT);
    let code = ompd_get_thread_handle(debugger.space, 1, 4, ptr::null(), ptr::null_mut());
    assert_eq!(code, ompd_rc_t::BAD_INPUT);
    // The device's handle is another handle of the same address space.
    let device = ask(|place| ompd_get_device_from_thread(by_lwp, place)).expect("the host");
    assert_eq!(ompd_rel_address_space_handle(debugger.space), ompd_rc_t::OK);
    assert_eq!(ask(|place| ompd_get_omp_version(device, place)), Ok(202_111));
    assert_eq!(lwp(by_lwp), Ok(SECOND as u32));
    assert_eq!(ompd_rel_address_space_handle(device), ompd_rc_t::OK);
    assert_eq!(lwp(by_lwp), Err(ompd_rc_t::STALE_HANDLE));
}

/// With generations and without.
#[test]
fn tasks_and_regions_lead_to_one_another() {
    for debug in [true, false] {
        let debugger = Debugger::start(Program::new(debug).image);
        let [primary, second] =
            [PRIMARY, SECOND].map(|lwp| thread(&debugger, lwp).expect("a thread"));
        let inner = region(primary).expect("the region");
        assert!(same_region(inner, region(second).expect("the region")));
        let outer = ask(|place| ompd_get_enclosing_parallel_handle(inner, place));
        let outer = outer.expect("the region around the program");
        assert!(!same_region(outer, inner));
        let none = ask(|place| ompd_get_enclosing_parallel_handle(outer, place));
        assert_eq!(none, Err(ompd_rc_t::UNAVAILABLE));

        let member = |region, number| ask(|place| ompd_get_task_in_parallel(region, number, place));
        let thread_of = |region, number| {
            ask(|place| ompd_get_thread_in_parallel(region, number, place)).and_then(lwp)
        };
        for number in [-1, 2, 199, i32::MIN, i32::MAX] {
            assert_eq!(member(inner, number), Err(ompd_rc_t::BAD_INPUT));
            assert_eq!(thread_of(inner, number), Err(ompd_rc_t::BAD_INPUT));
        }
        let members = [0, 1].map(|number| member(inner, number).expect("an implicit task"));
        assert_eq!(thread_of(inner, 0), Ok(PRIMARY as u32));
        assert_eq!(thread_of(inner, 1), Ok(SECOND as u32));
        assert_eq!(thread_of(outer, 0), Ok(PRIMARY as u32));
        assert!(same_task(task(second).expect("its task"), members[1]));

        let explicit = task(primary).expect("the explicit task");
        assert!(!same_task(explicit, members[0]));
        let generating = |task| ask(|place| ompd_get_generating_task_handle(task, place));
        let scheduling = |task| ask(|place| ompd_get_scheduling_task_handle(task, place));
        let around = |task| ask(|place| ompd_get_task_parallel_handle(task, place));
        assert!(same_task(generating(explicit).expect("a task"), members[0]));
        assert!(same_task(scheduling(explicit).expect("a task"), members[0]));
        assert_eq!(scheduling(members[0]), Err(ompd_rc_t::UNAVAILABLE));
        let initial = member(outer, 0).expect("the initial task");
        assert!(same_task(generating(members[1]).expect("the encountering task"), initial));
        assert_eq!(generating(initial), Err(ompd_rc_t::UNAVAILABLE));
        assert!(same_region(around(explicit).expect("a region"), inner));
        assert!(same_region(around(members[1]).expect("a region"), inner));
        assert!(same_region(around(initial).expect("a region"), outer));

        let function =
            |task| ask(|place| ompd_get_task_function(task, place)).map(|entry| entry.address);
        assert_eq!(function(explicit), Ok(TASK_ENTRY));
        let unnoted = Err(ompd_rc_t::NEEDS_STATE_TRACKING);
        assert_eq!(function(members[0]), if debug { Ok(OUTLINED) } else { unnoted });
        let none = Err(ompd_rc_t::UNAVAILABLE);
        assert_eq!(function(initial), if debug { none } else { unnoted });
        let idle = thread(&debugger, IDLE).expect("a thread");
        assert_eq!(task(idle), Err(ompd_rc_t::UNAVAILABLE));
        assert_eq!(region(idle), Err(ompd_rc_t::UNAVAILABLE));
    }
}

#[test]
fn the_region_that_begins_is_current() {
    let mut program = Program::new(true);
    program.image.set(program.second, Field::ThreadRegion, program.outer);
    let debugger = Debugger::start(program.image);
    let [primary, second] = [PRIMARY, SECOND].map(|lwp| thread(&debugger, lwp).expect("a thread"));
    let (begins, around) = (region(second).expect("it"), region(primary).expect("the other"));
    assert!(!same_region(begins, around));
    let enclosing = ask(|place| ompd_get_enclosing_parallel_handle(begins, place));
    assert_eq!(enclosing, Err(ompd_rc_t::UNAVAILABLE));
}

#[test]
fn frames_have_addresses_and_flags() {
    let debugger = Debugger::start(Program::new(true).image);
    let task = task(thread(&debugger, PRIMARY).expect("a thread")).expect("a task");
    let mut enter = core::mem::MaybeUninit::uninit();
    // SAFETY: a handle and two places are passed; the result is there.
    unsafe {
        let exit = ask(|place| ompd_get_task_frame(task, place, enter.as_mut_ptr()));
        let (exit, enter) = (exit.expect("a frame"), enter.assume_init());
        assert_eq!((exit.frame_address.address, exit.frame_flag), (0x7fff_0000, 0x11));
        assert_eq!((enter.frame_address.address, enter.frame_flag), (0x7ffe_0000, 0x10));
        assert_eq!((exit.frame_address.segment, enter.frame_address.segment), (0, 0));
        let code = ompd_get_task_frame(task, ptr::null_mut(), ptr::null_mut());
        assert_eq!(code, ompd_rc_t::BAD_INPUT);
    }
}

#[test]
fn the_tool_has_a_word_in_every_scope() {
    let debugger = Debugger::start(Program::new(true).image);
    let primary = thread(&debugger, PRIMARY).expect("a thread");
    let (region, explicit) = (region(primary).expect("it"), task(primary).expect("it"));
    // SAFETY: handles and places are passed.
    unsafe {
        let implicit = ask(|place| ompd_get_task_in_parallel(region, 1, place)).expect("a task");
        let word = |handle: *mut core::ffi::c_void, scope| {
            let mut pointer = core::mem::MaybeUninit::uninit();
            let value = ask(|place| ompd_get_tool_data(handle, scope, place, pointer.as_mut_ptr()));
            if let Ok(value) = value {
                assert_eq!(pointer.assume_init().address, value as u64);
            }
            value
        };
        let wrong = Err(ompd_rc_t::INCOMPATIBLE);
        assert_eq!(word(debugger.space.cast(), ompd_scope_t::GLOBAL), Ok(0x99));
        assert_eq!(word(debugger.space.cast(), ompd_scope_t::ADDRESS_SPACE), Ok(0x99));
        assert_eq!(word(primary.cast(), ompd_scope_t::THREAD), Ok(0x1000 + PRIMARY as i64));
        assert_eq!(word(region.cast(), ompd_scope_t::PARALLEL), Ok(0x81));
        assert_eq!(word(explicit.cast(), ompd_scope_t::TASK), Ok(0x7e));
        assert_eq!(word(implicit.cast(), ompd_scope_t::TASK), Ok(0x71));
        assert_eq!(word(implicit.cast(), ompd_scope_t::IMPLICIT_TASK), Ok(0x71));
        assert_eq!(word(explicit.cast(), ompd_scope_t::IMPLICIT_TASK), wrong);
        assert_eq!(word(explicit.cast(), ompd_scope_t::TARGET), wrong);
        assert_eq!(word(region.cast(), ompd_scope_t::TEAMS), wrong);
        assert_eq!(word(region.cast(), ompd_scope_t::TASK), wrong);
        assert_eq!(word(region.cast(), ompd_scope_t(0)), Err(ompd_rc_t::BAD_INPUT));
        assert_eq!(word(region.cast(), ompd_scope_t(9)), Err(ompd_rc_t::BAD_INPUT));
    }
}

/// What handles denote ends while the debugger holds them.
#[test]
fn handles_of_what_is_over_are_stale() {
    let mut program = Program::new(true);
    let explicit_record = program.image.inside(program.explicit, Field::ExplicitTaskRecord);
    let mut debugger = Debugger::start(program.image.clone());
    let primary = thread(&debugger, PRIMARY).expect("a thread");
    let (region, explicit) = (region(primary).expect("it"), task(primary).expect("it"));
    let image = &mut program.image;
    // Another task has the block; another region runs; the native thread is another one.
    image.set(explicit_record, Field::TaskGeneration, 5);
    image.set(program.region, Field::ParallelGeneration, 6);
    image.set(program.primary, Field::ThreadGeneration, 2);
    debugger.debuggee.image = program.image.clone();
    let function = ask(|place| ompd_get_task_function(explicit, place));
    assert_eq!(function.err(), Some(ompd_rc_t::STALE_HANDLE));
    let member = ask(|place| ompd_get_task_in_parallel(region, 0, place));
    assert_eq!(member, Err(ompd_rc_t::STALE_HANDLE));
    assert_eq!(lwp(primary), Err(ompd_rc_t::STALE_HANDLE));
    assert_eq!(task(primary), Err(ompd_rc_t::STALE_HANDLE));
}

/// The implicit tasks of a region are there before their threads begin them, and while the region
/// lasts.
#[test]
fn an_implicit_task_is_one_of_its_region_before_it_begins() {
    let mut program = Program::new(true);
    let record = program.image.inside(program.members[1], Field::ExplicitTaskRecord);
    program.image.set(record, Field::TaskGeneration, 6);
    let mut debugger = Debugger::start(program.image.clone());
    let inner = region(thread(&debugger, PRIMARY).expect("a thread")).expect("the region");
    let second = |region| ask(|place| ompd_get_task_in_parallel(region, 1, place));
    let function = |task| ask(|place| ompd_get_task_function(task, place)).map(|it| it.address);
    let waits = second(inner).expect("the task that waits");
    assert_eq!(function(waits), Ok(OUTLINED));
    // It begins.
    program.image.set(record, Field::TaskGeneration, 7);
    debugger.debuggee.image = program.image.clone();
    assert!(same_task(waits, second(inner).expect("the same")));
    // It is over, and so is its region; the next region has begun.
    program.image.set(record, Field::TaskGeneration, 8);
    program.image.set(program.region, Field::ParallelGeneration, 7);
    debugger.debuggee.image = program.image;
    assert_eq!(function(waits), Err(ompd_rc_t::STALE_HANDLE));
}
