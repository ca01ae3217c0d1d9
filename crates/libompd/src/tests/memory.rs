//! Memory: the debugger's callbacks provide all of it, each allocation may be refused, and nothing
//! leaks.

use core::ffi::{c_char, c_void};
use core::ptr;

use oxomp_sys::ompd::{
    ompd_parallel_handle_t, ompd_rc_t, ompd_scope_t, ompd_task_handle_t, ompd_thread_handle_t,
};

use super::api::{
    ompd_device_initialize, ompd_enumerate_icvs, ompd_enumerate_states, ompd_finalize,
    ompd_get_api_version, ompd_get_curr_parallel_handle, ompd_get_curr_task_handle,
    ompd_get_device_from_thread, ompd_get_device_thread_id_kinds, ompd_get_display_control_vars,
    ompd_get_enclosing_parallel_handle, ompd_get_generating_task_handle, ompd_get_icv_from_scope,
    ompd_get_icv_string_from_scope, ompd_get_omp_version, ompd_get_omp_version_string,
    ompd_get_scheduling_task_handle, ompd_get_state, ompd_get_task_frame, ompd_get_task_function,
    ompd_get_task_in_parallel, ompd_get_task_parallel_handle, ompd_get_thread_handle,
    ompd_get_thread_id, ompd_get_thread_in_parallel, ompd_get_tool_data, ompd_get_version_string,
    ompd_initialize, ompd_parallel_handle_compare, ompd_process_initialize,
    ompd_rel_address_space_handle, ompd_rel_display_control_vars, ompd_rel_parallel_handle,
    ompd_rel_task_handle, ompd_rel_thread_handle, ompd_task_handle_compare,
    ompd_thread_handle_compare,
};
use super::debugger::{
    CALLBACKS, Debugger, LEFT, REFUSALS, REFUSED, VERSION, allocated, context, process, take, turn,
};
use super::program::{PRIMARY, Program};

/// Handles to ask with, and places for results.
struct Question<'a> {
    debugger: &'a Debugger,
    thread: *mut ompd_thread_handle_t,
    region: *mut ompd_parallel_handle_t,
    task: *mut ompd_task_handle_t,
    implicit: *mut ompd_task_handle_t,
    /// Results, or `UNTOUCHED`.
    results: [u64; 12],
}
/// The word in the place of a result before a call, which no function gives.
/// A code that no function gives.
const UNTOUCHED: u64 = 0x5a5a_a5a5_5a5a_a5a5;

impl Question<'_> {
    /// The place of a result. Places are 24 bytes apart: no result is larger.
    fn place<T>(&mut self, index: usize) -> *mut T {
        (&raw mut self.results[3 * index]).cast()
    }

    /// The address that stands in a place.
    fn given<T>(&self, index: usize) -> *mut T {
        ptr::with_exposed_provenance_mut(self.results[3 * index] as usize)
    }
}

/// A function: its call, and how the debugger gives back what it has got.
type Function = (&'static str, fn(&mut Question<'_>) -> ompd_rc_t, fn(&mut Question<'_>));

macro_rules! functions {
    ($($name:ident($q:ident => $($argument:expr),*) $back:expr;)*) => {
        &[$((
            stringify!($name),
            |$q: &mut Question<'_>| $name($($argument),*),
            $back,
        )),*]
    };
}

fn nothing(_: &mut Question<'_>) {}
fn text(q: &mut Question<'_>) {
    take(q.given::<c_char>(1));
}
fn thread(q: &mut Question<'_>) {
    assert_eq!(ompd_rel_thread_handle(q.given(0)), ompd_rc_t::OK);
}
fn region(q: &mut Question<'_>) {
    assert_eq!(ompd_rel_parallel_handle(q.given(0)), ompd_rc_t::OK);
}
fn task(q: &mut Question<'_>) {
    assert_eq!(ompd_rel_task_handle(q.given(0)), ompd_rc_t::OK);
}
fn space(q: &mut Question<'_>) {
    assert_eq!(ompd_rel_address_space_handle(q.given(0)), ompd_rc_t::OK);
}
fn arrays(q: &mut Question<'_>) {
    take(q.given::<u64>(0));
    take(q.given::<u64>(1));
}
fn vector(q: &mut Question<'_>) {
    assert_eq!(ompd_rel_display_control_vars(q.place(0)), ompd_rc_t::OK);
}

static LWP: u64 = PRIMARY;

/// The kernel's id of a thread.
fn lwp() -> *const c_void {
    (&raw const LWP).cast()
}

const AS: ompd_scope_t = ompd_scope_t::ADDRESS_SPACE;

/// Every function that asks of a process.
const FUNCTIONS: &[Function] = functions! {
    ompd_get_api_version(q => q.place(0)) nothing;
    ompd_get_version_string(q => q.place(0)) nothing;
    ompd_initialize(q => { let _ = q; VERSION }, &CALLBACKS) nothing;
    ompd_process_initialize(q => context(&q.debugger.debuggee), q.place(0)) space;
    ompd_device_initialize(q =>
        q.debugger.space, context(&q.debugger.debuggee), 1, 8, lwp().cast_mut(), q.place(0)
    ) nothing;
    ompd_get_device_thread_id_kinds(q =>
        q.debugger.space, q.place(0), q.place(1), q.place(2)
    ) arrays;
    ompd_get_omp_version(q => q.debugger.space, q.place(0)) nothing;
    ompd_get_omp_version_string(q => q.debugger.space, q.place(1)) text;
    ompd_get_thread_in_parallel(q => q.region, 1, q.place(0)) thread;
    ompd_get_thread_handle(q => q.debugger.space, 1, 8, lwp(), q.place(0)) thread;
    ompd_thread_handle_compare(q => q.thread, q.thread, q.place(0)) nothing;
    ompd_get_thread_id(q => q.thread, 1, 8, q.place(0)) nothing;
    ompd_get_device_from_thread(q => q.thread, q.place(0)) space;
    ompd_get_curr_parallel_handle(q => q.thread, q.place(0)) region;
    ompd_get_enclosing_parallel_handle(q => q.region, q.place(0)) region;
    ompd_get_task_parallel_handle(q => q.task, q.place(0)) region;
    ompd_parallel_handle_compare(q => q.region, q.region, q.place(0)) nothing;
    ompd_get_curr_task_handle(q => q.thread, q.place(0)) task;
    ompd_get_generating_task_handle(q => q.task, q.place(0)) task;
    ompd_get_scheduling_task_handle(q => q.task, q.place(0)) task;
    ompd_get_task_in_parallel(q => q.region, 1, q.place(0)) task;
    ompd_task_handle_compare(q => q.task, q.task, q.place(0)) nothing;
    ompd_get_task_function(q => q.task, q.place(0)) nothing;
    ompd_get_task_frame(q => q.task, q.place(0), q.place(1)) nothing;
    ompd_enumerate_states(q => q.debugger.space, 0x102, q.place(0), q.place(1), q.place(2)) text;
    ompd_get_state(q => q.thread, q.place(0), q.place(1)) nothing;
    ompd_get_display_control_vars(q => q.debugger.space, q.place(0)) vector;
    ompd_enumerate_icvs(q =>
        q.debugger.space, 0, q.place(0), q.place(1), q.place(2), q.place(3)
    ) text;
    ompd_get_icv_from_scope(q => q.debugger.space.cast(), AS, 19, q.place(0)) nothing;
    // A list, a place partition, and a text.
    ompd_get_icv_string_from_scope(q => q.task.cast(), ompd_scope_t::TASK, 18, q.place(1)) text;
    ompd_get_icv_string_from_scope(q => q.task.cast(), ompd_scope_t::TASK, 34, q.place(1)) text;
    ompd_get_icv_string_from_scope(q => q.debugger.space.cast(), AS, 12, q.place(1)) text;
    ompd_get_tool_data(q => q.thread.cast(), ompd_scope_t::THREAD, q.place(0), q.place(1)) nothing;
    ompd_get_tool_data(q =>
        q.implicit.cast(), ompd_scope_t::IMPLICIT_TASK, q.place(0), q.place(1)
    ) nothing;
};

fn question(debugger: &Debugger) -> Question<'_> {
    let mut question = Question {
        debugger,
        thread: ptr::null_mut(),
        region: ptr::null_mut(),
        task: ptr::null_mut(),
        implicit: ptr::null_mut(),
        results: [UNTOUCHED; 12],
    };
    let (thread, region, task) =
        (&raw mut question.thread, &raw mut question.region, &raw mut question.task);
    assert_eq!(ompd_get_thread_handle(debugger.space, 1, 8, lwp(), thread), ompd_rc_t::OK);
    assert_eq!(ompd_get_curr_parallel_handle(question.thread, region), ompd_rc_t::OK);
    assert_eq!(ompd_get_curr_task_handle(question.thread, task), ompd_rc_t::OK);
    let implicit = &raw mut question.implicit;
    assert_eq!(ompd_get_task_in_parallel(question.region, 0, implicit), ompd_rc_t::OK);
    question
}

/// Calls the function once for each allocation that it makes, which `refuse` refuses; the call
/// without a refusal is the last one. Returns how many allocations the function makes.
fn refuse_each(function: &Function, refuse: fn(Option<usize>)) -> usize {
    let (name, call, give_back) = function;
    let debugger = Debugger::start(Program::new(true).image);
    let mut question = question(&debugger);
    let held = debugger.held();
    for allocation in 0.. {
        question.results = [UNTOUCHED; 12];
        refuse(Some(allocation));
        let code = call(&mut question);
        refuse(None);
        if REFUSALS.take() == 0 {
            let sound = [ompd_rc_t::OK, ompd_rc_t::INCOMPLETE, ompd_rc_t::UNSUPPORTED];
            assert!(sound.contains(&code), "{name} without a refusal: {code:?}");
            give_back(&mut question);
            assert_eq!(debugger.held(), held, "{name} leaks");
            return allocation;
        }
        assert_eq!(code, ompd_rc_t::NOMEM, "{name} without allocation {allocation}");
        assert_eq!(question.results, [UNTOUCHED; 12], "{name} writes a result");
        assert_eq!(debugger.held(), held, "{name} leaks without allocation {allocation}");
    }
    unreachable!("a function makes finitely many allocations")
}

#[test]
fn every_allocation_may_be_refused_alone() {
    for function in FUNCTIONS {
        refuse_each(function, |nth| REFUSED.set(nth));
    }
}

#[test]
fn every_allocation_may_be_refused_with_all_after_it() {
    for function in FUNCTIONS {
        refuse_each(function, |nth| LEFT.set(nth.unwrap_or(usize::MAX)));
    }
}

/// The read that fails ends the call, which gives and leaves nothing.
#[test]
fn every_read_may_fail() {
    for (name, call, give_back) in FUNCTIONS {
        let debugger = Debugger::start(Program::new(true).image);
        let mut question = question(&debugger);
        let held = debugger.held();
        for failing in 0.. {
            question.results = [UNTOUCHED; 12];
            debugger.debuggee.reads.set(0);
            debugger.debuggee.fails_at.set(Some(failing));
            let code = call(&mut question);
            debugger.debuggee.fails_at.set(None);
            if debugger.debuggee.reads.get() <= failing {
                give_back(&mut question);
                break;
            }
            assert_eq!(code, ompd_rc_t::CALLBACK_ERROR, "{name} without read {failing}");
            assert_eq!(question.results, [UNTOUCHED; 12], "{name} writes a result");
            assert_eq!(debugger.held(), held, "{name} leaks without read {failing}");
        }
    }
}

/// A handle, a text and an array need one piece of memory each: all others are for temporaries.
#[test]
fn temporaries_are_memory_of_the_debugger() {
    let allocations = |wanted: &str| {
        let function = FUNCTIONS.iter().find(|(name, ..)| *name == wanted);
        refuse_each(function.expect("a function"), |nth| REFUSED.set(nth))
    };
    assert_eq!(allocations("ompd_get_api_version"), 0);
    assert_eq!(allocations("ompd_initialize"), 0);
    assert!(allocations("ompd_get_omp_version") > 0);
    assert!(allocations("ompd_get_state") > 0);
    assert!(allocations("ompd_process_initialize") > 10);
    assert!(allocations("ompd_get_icv_string_from_scope") > 5);
}

#[test]
fn nothing_is_allocated_before_a_process_is_opened() {
    let _turn = turn();
    let mut place = 0_u64;
    LEFT.set(0);
    assert_eq!(ompd_get_api_version((&raw mut place).cast()), ompd_rc_t::OK);
    assert_eq!(ompd_get_version_string((&raw mut place).cast()), ompd_rc_t::OK);
    assert_eq!(ompd_initialize(VERSION, &CALLBACKS), ompd_rc_t::OK);
    assert_eq!(ompd_initialize(VERSION, &CALLBACKS), ompd_rc_t::OK);
    assert_eq!(ompd_finalize(), ompd_rc_t::OK);
    LEFT.set(usize::MAX);
    assert_eq!(allocated(), 0);
}

/// The last release ends what the library has for the process; `ompd_finalize` has nothing to add.
#[test]
fn releases_give_all_memory_back() {
    let _turn = turn();
    let debuggee = process(Program::new(true).image);
    let (mut space, mut thread) = (ptr::null_mut(), ptr::null_mut());
    assert_eq!(ompd_initialize(VERSION, &CALLBACKS), ompd_rc_t::OK);
    assert_eq!(ompd_process_initialize(context(&debuggee), &raw mut space), ompd_rc_t::OK);
    assert!(allocated() > 2, "the library keeps the layout in memory of the debugger");
    assert_eq!(ompd_get_thread_handle(space, 1, 8, lwp(), &raw mut thread), ompd_rc_t::OK);
    assert_eq!(ompd_rel_thread_handle(thread), ompd_rc_t::OK);
    assert_eq!(ompd_rel_address_space_handle(space), ompd_rc_t::OK);
    assert_eq!(allocated(), 0);
    assert_eq!(ompd_finalize(), ompd_rc_t::OK);
}
