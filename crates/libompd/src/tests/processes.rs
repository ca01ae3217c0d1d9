//! Several processes at once, and debuggers one after the other.

use core::ptr;

use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::{
    ompd_address_space_handle_t, ompd_callbacks_t, ompd_rc_t, ompd_thread_handle_t,
};

use super::api::{
    ompd_finalize, ompd_get_curr_task_handle, ompd_get_display_control_vars, ompd_get_omp_version,
    ompd_get_state, ompd_get_thread_handle, ompd_initialize, ompd_process_initialize,
    ompd_rel_address_space_handle, ompd_rel_task_handle, ompd_rel_thread_handle,
    ompd_thread_handle_compare,
};
use super::debugger::{
    CALLBACKS, Debuggee, Debugger, VERSION, allocated, ask, context, process, turn,
};
use super::image::Machine;
use super::program::{PRIMARY, Program};

/// A process whose first thread is in this state.
fn with_state(machine: Machine, state: u64) -> Box<Debuggee> {
    let mut program = Program::on(machine, true);
    program.image.set(program.primary, Field::ThreadState, state);
    process(program.image)
}

fn open(debuggee: &Debuggee) -> *mut ompd_address_space_handle_t {
    ask(|place| ompd_process_initialize(context(debuggee), place)).expect("it is a process")
}

fn primary(space: *mut ompd_address_space_handle_t) -> *mut ompd_thread_handle_t {
    let id = (&raw const PRIMARY_ID).cast();
    ask(|place| ompd_get_thread_handle(space, 1, 8, id, place)).expect("a thread")
}

static PRIMARY_ID: u64 = PRIMARY;

fn state(thread: *mut ompd_thread_handle_t) -> Result<i64, ompd_rc_t> {
    ask(|place| ompd_get_state(thread, place, ptr::null_mut()))
}

#[test]
fn each_process_answers_for_itself() {
    let _turn = turn();
    assert_eq!(ompd_initialize(VERSION, &CALLBACKS), ompd_rc_t::OK);
    let states = [(8, false, 0x000), (8, true, 0x001), (4, true, 0x101)];
    let debuggees =
        states.map(|(word, is_swapped, state)| with_state(Machine { word, is_swapped }, state));
    let spaces = debuggees.each_ref().map(|debuggee| open(debuggee));
    let threads = spaces.map(primary);
    for (thread, (.., wanted)) in threads.iter().zip(states) {
        assert_eq!(state(*thread), Ok(wanted as i64));
    }
    // The addresses of the objects are the same in each process; the threads differ all the same.
    for (index, one) in threads.iter().enumerate() {
        for (other_index, other) in threads.iter().enumerate() {
            let order = ask(|place| ompd_thread_handle_compare(*one, *other, place));
            assert_eq!(order, Ok(index.cmp(&other_index) as i32));
        }
    }
    // The end of one process does not touch the handles of the others.
    assert_eq!(ompd_rel_address_space_handle(spaces[0]), ompd_rc_t::OK);
    assert_eq!(state(threads[0]), Err(ompd_rc_t::STALE_HANDLE));
    let order = ask(|place| ompd_thread_handle_compare(threads[0], threads[1], place));
    assert_eq!(order, Err(ompd_rc_t::STALE_HANDLE));
    assert_eq!((state(threads[1]), state(threads[2])), (Ok(0x001), Ok(0x101)));
    assert_eq!(ask(|place| ompd_get_omp_version(spaces[2], place)), Ok(202_111));
    assert_eq!(ompd_finalize(), ompd_rc_t::OK);
    assert_eq!(allocated(), 0);
}

/// A process may be opened twice, each time with a handle of its own.
#[test]
fn two_handles_of_one_process_are_two() {
    let debugger = Debugger::start(Program::new(true).image);
    let second = open(&debugger.debuggee);
    assert_ne!(debugger.space, second);
    let threads = [debugger.space, second].map(primary);
    assert_eq!(ompd_rel_address_space_handle(debugger.space), ompd_rc_t::OK);
    assert_eq!(state(threads[0]), Err(ompd_rc_t::STALE_HANDLE));
    assert_eq!(state(threads[1]), Ok(0x001));
}

/// The second initialization replaces the first one, version and callbacks; what is open stays so,
/// and all ends with the one end.
#[test]
fn a_second_initialization_keeps_what_is_open() {
    let debugger = Debugger::start(Program::new(true).image);
    let thread = primary(debugger.space);
    assert_eq!(ompd_initialize(202_411, &CALLBACKS), ompd_rc_t::OK);
    assert_eq!(state(thread), Ok(0x001));
    // A version or a table that is refused changes nothing.
    assert_eq!(ompd_initialize(1, &CALLBACKS), ompd_rc_t::UNSUPPORTED);
    let without = ompd_callbacks_t { read_memory: None, ..CALLBACKS };
    assert_eq!(ompd_initialize(VERSION, &without), ompd_rc_t::BAD_INPUT);
    let task = ask(|place| ompd_get_curr_task_handle(thread, place)).expect("a task");
    // 6.0's code for a handle of another kind.
    assert_eq!(ompd_rel_thread_handle(task.cast()), ompd_rc_t::INCOMPATIBLE_HANDLE);
    assert_eq!(ompd_rel_task_handle(task), ompd_rc_t::OK);
}

/// After the end of one debugger's use nothing of it is left for the next one.
#[test]
fn handles_end_with_the_library() {
    let _turn = turn();
    let debuggee = process(Program::new(true).image);
    assert_eq!(ompd_initialize(VERSION, &CALLBACKS), ompd_rc_t::OK);
    let space = open(&debuggee);
    let thread = primary(space);
    assert!(ask(|place| ompd_get_display_control_vars(space, place)).is_ok());
    assert_eq!(ompd_finalize(), ompd_rc_t::OK);
    assert_eq!(allocated(), 0);
    assert_eq!(state(thread), Err(ompd_rc_t::UNSUPPORTED));
    assert_eq!(ompd_initialize(VERSION, &CALLBACKS), ompd_rc_t::OK);
    assert_eq!(state(thread), Err(ompd_rc_t::STALE_HANDLE));
    assert_eq!(ompd_rel_address_space_handle(space), ompd_rc_t::STALE_HANDLE);
    assert_eq!(ompd_finalize(), ompd_rc_t::OK);
}
