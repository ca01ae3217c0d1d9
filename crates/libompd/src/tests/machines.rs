//! Processes of other machines: another byte order, and addresses of four bytes. The debugger's
//! table has no callback that converts numbers: the layout's table tells how they are stored.

use core::mem::MaybeUninit;

use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::{ompd_rc_t, ompd_scope_t};

use super::api::{
    ompd_get_curr_parallel_handle, ompd_get_curr_task_handle, ompd_get_device_thread_id_kinds,
    ompd_get_icv_from_scope, ompd_get_icv_string_from_scope, ompd_get_omp_version, ompd_get_state,
    ompd_get_task_frame, ompd_get_task_function, ompd_get_task_in_parallel, ompd_get_thread_handle,
    ompd_get_thread_id,
};
use super::debugger::{Debugger, VERSION, ask, take, take_text};
use super::everything::ask_everything;
use super::image::Machine;
use super::program::{LOCK, PRIMARY, Program, SECOND, TASK_ENTRY};
use super::relations::thread;

/// Each byte order with each size of addresses.
pub(crate) const MACHINES: [Machine; 4] = [
    Machine::HERE,
    Machine { word: 8, is_swapped: true },
    Machine { word: 4, is_swapped: false },
    Machine { word: 4, is_swapped: true },
];

#[test]
fn a_process_of_another_byte_order_has_the_same_answers() {
    for debug in [true, false] {
        let here = ask_everything(&Debugger::start(Program::new(debug).image));
        let swapped = Machine { word: 8, is_swapped: true };
        let there = ask_everything(&Debugger::start(Program::on(swapped, debug).image));
        assert!(here == there, "with debug-var {debug}");
    }
}

#[test]
fn numbers_addresses_and_lists_of_other_machines_are_read() {
    for machine in MACHINES {
        let debugger = Debugger::start(Program::on(machine, true).image);
        assert_eq!(ask(|place| ompd_get_omp_version(debugger.space, place)), Ok(202_111));
        let [primary, second] =
            [PRIMARY, SECOND].map(|lwp| thread(&debugger, lwp).expect("a thread"));
        let mut wait_id = 0;
        let state = ask(|place| ompd_get_state(second, place, &raw mut wait_id));
        assert_eq!((state, wait_id), (Ok(0x041), LOCK), "{machine:?}");
        let region = ask(|place| ompd_get_curr_parallel_handle(primary, place)).expect("a region");
        assert!(ask(|place| ompd_get_task_in_parallel(region, 1, place)).is_ok());
        let task = ask(|place| ompd_get_curr_task_handle(primary, place)).expect("a task");
        let function = ask(|place| ompd_get_task_function(task, place)).expect("its code");
        assert_eq!(function.address, TASK_ENTRY);
        let mut enter = MaybeUninit::uninit();
        let exit = ask(|place| ompd_get_task_frame(task, place, enter.as_mut_ptr()));
        let exit = exit.expect("frames");
        assert_eq!((exit.frame_address.address, exit.frame_flag), (0x7fff_0000, 0x11));

        let text = |id| {
            let task = task.cast();
            ask(|place| ompd_get_icv_string_from_scope(task, ompd_scope_t::TASK, id, place))
        };
        // run-sched-var, bind-var and place-partition-var.
        for (id, wanted) in [(2, "dynamic,7"), (18, "primary,close"), (34, "{0,1},{2}")] {
            assert_eq!(text(id).map(take_text), Ok(wanted.to_owned()), "{machine:?}");
        }
        // default-device-var, which is negative.
        let thread = primary.cast();
        let device = ask(|place| ompd_get_icv_from_scope(thread, ompd_scope_t::THREAD, 10, place));
        assert_eq!(device, Ok(-1), "{machine:?}");
    }
}

/// `pthread_t` has the size of an address of the process.
#[test]
fn the_size_of_a_pthread_is_that_of_an_address() {
    for machine in MACHINES {
        let mut program = Program::on(machine, true);
        program.image.set(program.second, Field::ThreadPthread, 0x8765_4321);
        let debugger = Debugger::start(program.image);
        let (mut sizes, mut count) = (MaybeUninit::uninit(), 0);
        let kinds = ask(|place| {
            let sizes = sizes.as_mut_ptr();
            ompd_get_device_thread_id_kinds(debugger.space, place, sizes, &raw mut count)
        });
        // SAFETY: the library has written the result, an array of two numbers.
        let sizes = unsafe { sizes.assume_init() };
        // SAFETY: the array has two numbers, and only `take` frees it.
        assert_eq!(unsafe { *sizes }, u64::from(machine.word));
        take(kinds.expect("the kinds"));
        take(sizes);
        let second = thread(&debugger, SECOND).expect("a thread");
        for size in [0, 1, 4, 8, 16] {
            let id = |place: *mut u64| ompd_get_thread_id(second, 0, size, place.cast());
            let mut place = 0;
            let code = id(&raw mut place);
            let found = ask(|handle| {
                let id = (&raw const place).cast();
                ompd_get_thread_handle(debugger.space, 0, size, id, handle)
            });
            if size == u64::from(machine.word) {
                let bytes = &place.to_ne_bytes()[..size as usize];
                let number = bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
                assert_eq!((code, number), (ompd_rc_t::OK, 0x8765_4321));
                assert!(found.is_ok());
            } else {
                assert_eq!((code, place), (ompd_rc_t::BAD_INPUT, 0));
                assert_eq!(found, Err(ompd_rc_t::BAD_INPUT));
            }
        }
    }
}

/// A table of another version, in any byte order, may mean anything.
#[test]
fn a_layout_of_another_version_is_incompatible() {
    for machine in MACHINES {
        for version in [0, oxomp_ompd_layout::VERSION + 1, u16::MAX] {
            let mut image = Program::on(machine, true).image;
            let bytes = if machine.is_swapped { version.swap_bytes() } else { version };
            let table = image.pieces.get_mut(&super::image::TABLE).expect("the table");
            table[12..14].copy_from_slice(&bytes.to_ne_bytes());
            let started = Debugger::try_start(image, VERSION);
            assert_eq!(started.err(), Some(ompd_rc_t::INCOMPATIBLE), "version {version}");
        }
    }
}
