//! States of threads, and their enumeration.

use core::mem::MaybeUninit;
use core::ptr;

use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::{ompd_rc_t, ompd_word_t};
use oxomp_sys::ompt::ompt_state_t;

use super::api::{ompd_enumerate_states, ompd_get_state};
use super::debugger::{Debugger, ask, take_text};
use super::program::{IDLE, LOCK, PRIMARY, Program, SECOND};
use super::relations::thread;

fn state(debugger: &Debugger, lwp: u64) -> (ompt_state_t, u64) {
    let thread = thread(debugger, lwp).expect("a thread");
    let mut wait_id = MaybeUninit::uninit();
    // SAFETY: a handle and places are passed, and written.
    unsafe {
        let state = ask(|place| ompd_get_state(thread, place, wait_id.as_mut_ptr()));
        let alone = ask(|place| ompd_get_state(thread, place, ptr::null_mut()));
        assert_eq!(state, alone);
        (ompt_state_t(state.expect("a state") as i32), wait_id.assume_init())
    }
}

/// A wait id belongs to a wait. A worker between two regions is idle with generations and without.
#[test]
fn threads_have_states_and_what_they_wait_for() {
    for debug in [true, false] {
        let debugger = Debugger::start(Program::new(debug).image);
        assert_eq!(state(&debugger, PRIMARY), (ompt_state_t::WORK_PARALLEL, 0));
        assert_eq!(state(&debugger, SECOND), (ompt_state_t::WAIT_LOCK, LOCK));
        assert_eq!(state(&debugger, IDLE), (ompt_state_t::IDLE, 0));
    }
}

/// The runtime uses the block of a larger team again for a smaller one.
#[test]
fn a_worker_of_a_larger_team_before_is_idle() {
    let mut program = Program::new(false);
    program.image.set(program.last, Field::ImplicitTaskParallel, program.region);
    program.image.set(program.last, Field::ImplicitTaskThreadNum, 2);
    let debugger = Debugger::start(program.image);
    assert_eq!(state(&debugger, IDLE), (ompt_state_t::IDLE, 0));
}

fn after(debugger: &Debugger, current: ompd_word_t) -> Result<(i64, String, i64), ompd_rc_t> {
    let (mut name, mut more) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: a handle and places are passed, and written.
    unsafe {
        let next = ask(|place| {
            let (name, more) = (name.as_mut_ptr(), more.as_mut_ptr());
            ompd_enumerate_states(debugger.space, current, place, name, more)
        })?;
        Ok((next, take_text(name.assume_init()), more.assume_init()))
    }
}

#[test]
fn the_enumeration_has_every_state_once() {
    let debugger = Debugger::start(Program::new(true).image);
    let mut found = Vec::new();
    let (mut current, mut more) = (ompt_state_t::UNDEFINED.0.into(), 1);
    while more == 1 {
        let name;
        (current, name, more) = after(&debugger, current).expect("a state");
        found.push((current, name));
    }
    let expected: Vec<_> = ompt_state_t::NAMES
        .iter()
        .filter(|(state, _)| *state != ompt_state_t::UNDEFINED)
        .map(|(state, name)| (state.0.into(), name.to_str().expect("ASCII").to_owned()))
        .collect();
    assert_eq!(found, expected);
    let end = (ompt_state_t::UNDEFINED.0.into(), String::new(), 0);
    assert_eq!(after(&debugger, current), Ok(end));
    for unknown in [-1, 5, 0x103, i64::MAX] {
        assert_eq!(after(&debugger, unknown), Err(ompd_rc_t::BAD_INPUT));
    }
}
