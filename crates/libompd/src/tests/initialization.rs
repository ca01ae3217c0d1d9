//! Initialization, versions, address spaces, and the end.

use core::ffi::CStr;
use core::ptr;

use oxomp_sys::ompd::{ompd_callbacks_t, ompd_rc_t};

use super::api::{
    ompd_device_initialize, ompd_finalize, ompd_get_api_version, ompd_get_device_thread_id_kinds,
    ompd_get_display_control_vars, ompd_get_omp_version, ompd_get_omp_version_string,
    ompd_get_version_string, ompd_initialize, ompd_process_initialize,
    ompd_rel_address_space_handle, ompd_rel_display_control_vars,
};
use super::debugger::{
    CALLBACKS, Debuggee, Debugger, LEFT, VERSION, ask, context, process, take, take_text, turn,
};
use super::image::{Image, Machine, TABLE};
use super::program::Program;

#[test]
fn versions_are_told_before_the_initialization() {
    let _turn = turn();
    // SAFETY: places are passed; the string is static.
    unsafe {
        assert_eq!(ask(|place| ompd_get_api_version(place)), Ok(202_411));
        let text = ask(|place| ompd_get_version_string(place)).expect("it has one");
        assert!(CStr::from_ptr(text).to_bytes().starts_with(b"oxomp "));
        assert_eq!(ompd_get_api_version(ptr::null_mut()), ompd_rc_t::BAD_INPUT);
        assert_eq!(ompd_get_version_string(ptr::null_mut()), ompd_rc_t::BAD_INPUT);
    }
}

#[test]
fn every_version_from_5_0_on_is_spoken() {
    let _turn = turn();
    for version in [201_811, 202_011, 202_111, 202_411] {
        assert_eq!(ompd_initialize(version, &CALLBACKS), ompd_rc_t::OK);
    }
    for version in [0, -1, 150_847, 201_511, 202_412] {
        assert_eq!(ompd_initialize(version, &CALLBACKS), ompd_rc_t::UNSUPPORTED);
    }
    assert_eq!(ompd_initialize(VERSION, ptr::null()), ompd_rc_t::BAD_INPUT);
    assert_eq!(ompd_finalize(), ompd_rc_t::OK);
    assert_eq!(ompd_finalize(), ompd_rc_t::UNSUPPORTED);
}

#[test]
fn a_table_without_a_necessary_callback_is_bad_input() {
    let _turn = turn();
    let without = [
        ompd_callbacks_t { alloc_memory: None, ..CALLBACKS },
        ompd_callbacks_t { free_memory: None, ..CALLBACKS },
        ompd_callbacks_t { sizeof_type: None, ..CALLBACKS },
        ompd_callbacks_t { symbol_addr_lookup: None, ..CALLBACKS },
        ompd_callbacks_t { read_memory: None, ..CALLBACKS },
    ];
    for table in &without {
        let code = { ompd_initialize(VERSION, table) };
        assert_eq!(code, ompd_rc_t::BAD_INPUT);
    }
    assert_eq!({ ompd_finalize() }, ompd_rc_t::UNSUPPORTED);
}

#[test]
fn nothing_works_before_the_initialization() {
    let _turn = turn();
    let process = process(Program::new(true).image);
    let opened = ask(|place| ompd_process_initialize(context(&process), place));
    assert_eq!(opened, Err(ompd_rc_t::UNSUPPORTED));
    let version = ask(|place| ompd_get_omp_version(ptr::null_mut(), place));
    assert_eq!(version, Err(ompd_rc_t::UNSUPPORTED));
}

#[test]
fn a_process_that_is_none_of_ours_is_incompatible() {
    let program = || Program::new(true).image;
    let with = |at: usize, value: u8| {
        let mut image = program();
        image.pieces.get_mut(&TABLE).expect("the table")[at] = value;
        image
    };
    // Another magic, byte order, version and word size; a record of a wrong encoding.
    for image in [with(0, b'x'), with(8, 9), with(12, 2), with(14, 4), with(42, 77)] {
        let started = Debugger::try_start(image, VERSION);
        assert_eq!(started.err(), Some(ompd_rc_t::INCOMPATIBLE));
    }
    let mut image = Image::new(Machine::HERE);
    image.pieces.remove(&TABLE);
    assert_eq!(Debugger::try_start(image, VERSION).err(), Some(ompd_rc_t::CALLBACK_ERROR));
}

#[test]
fn what_the_debugger_says_of_a_process_counts() {
    let debugger = Debugger::start(Program::new(true).image);
    let mut other = process(Program::new(true).image);
    let open = |other: &Debuggee| ask(|place| ompd_process_initialize(context(other), place));
    other.table = None;
    assert_eq!(open(&other), Err(ompd_rc_t::INCOMPATIBLE));
    // An address in the table, one of other data, and two without memory.
    for lie in [TABLE + 8, debugger.debuggee.image.process] {
        other.table = Some(lie);
        assert_eq!(open(&other), Err(ompd_rc_t::INCOMPATIBLE), "{lie:#x}");
    }
    for lie in [1, u64::MAX] {
        other.table = Some(lie);
        assert_eq!(open(&other), Err(ompd_rc_t::CALLBACK_ERROR), "{lie:#x}");
    }
    other.table = Some(0);
    assert_eq!(open(&other), Err(ompd_rc_t::INCOMPATIBLE));
    other.table = Some(TABLE);
    for lie in [0, 1, 4, 9, u8::MAX] {
        other.pointer = lie;
        assert_eq!(open(&other), Err(ompd_rc_t::INCOMPATIBLE), "addresses of {lie} bytes");
    }
    other.pointer = 8;
    other.is_gone = true;
    assert_eq!(open(&other), Err(ompd_rc_t::STALE_HANDLE));
    other.is_gone = false;
    LEFT.set(0);
    assert_eq!(open(&other), Err(ompd_rc_t::NOMEM));
    LEFT.set(usize::MAX);
    let second = open(&other).expect("it is a process on the runtime");
    assert_ne!(second, debugger.space);
    assert_eq!(ompd_rel_address_space_handle(second), ompd_rc_t::OK);
    assert_eq!(ompd_rel_address_space_handle(second), ompd_rc_t::STALE_HANDLE);
    assert_eq!(ask(|place| ompd_get_omp_version(debugger.space, place)), Ok(202_111));
    let nobody = ompd_process_initialize(ptr::null_mut(), ptr::null_mut());
    assert_eq!(nobody, ompd_rc_t::BAD_INPUT);
    let nobody = ask(|place| ompd_process_initialize(ptr::null_mut(), place));
    assert_eq!(nobody, Err(ompd_rc_t::BAD_INPUT));
}

#[test]
fn the_runtime_says_its_version_and_its_variables() {
    let debugger = Debugger::start(Program::new(true).image);
    let space = debugger.space;
    // SAFETY: places and handles are passed; the vector ends with null.
    unsafe {
        assert_eq!(ask(|place| ompd_get_omp_version(space, place)), Ok(202_111));
        let text = ask(|place| ompd_get_omp_version_string(space, place)).expect("a string");
        assert_eq!(take_text(text), "oxomp of the test");
        let mut vector = ask(|place| ompd_get_display_control_vars(space, place)).expect("some");
        let texts: Vec<_> = (0..)
            .map(|index| *vector.add(index))
            .take_while(|text| !text.is_null())
            .map(|text| CStr::from_ptr(text).to_str().expect("text"))
            .collect();
        let expected =
            ["OMP_DEBUG=enabled", "OMP_TOOL_LIBRARIES=/a.so:/b.so", "OMP_NUM_THREADS=8,4"];
        assert_eq!(texts, expected);
        assert!(debugger.held() > 0);
        assert_eq!(ompd_rel_display_control_vars(&raw mut vector), ompd_rc_t::OK);
        assert_eq!(debugger.held(), 0);
        assert_eq!(ompd_rel_display_control_vars(&raw mut vector), ompd_rc_t::BAD_INPUT);
        assert_eq!(ompd_rel_display_control_vars(ptr::null_mut()), ompd_rc_t::BAD_INPUT);
    }
}

#[test]
fn the_variables_are_not_kept_where_no_debugger_is_expected() {
    let debugger = Debugger::start(Program::new(false).image);
    let vector = { ask(|place| ompd_get_display_control_vars(debugger.space, place)) };
    assert_eq!(vector, Err(ompd_rc_t::NEEDS_STATE_TRACKING));
}

#[test]
fn no_device_has_an_address_space_of_its_own() {
    let debugger = Debugger::start(Program::new(true).image);
    let device = context(&debugger.debuggee);
    let mut id = 0_u64;
    let id = (&raw mut id).cast();
    for kind in [1, 2, 3, 1_000_000] {
        let opened =
            ask(|place| ompd_device_initialize(debugger.space, device, kind, 8, id, place));
        assert_eq!(opened, Err(ompd_rc_t::UNSUPPORTED));
    }
    let null = ptr::null_mut();
    let code = ompd_device_initialize(debugger.space, device, 1, 8, id, null);
    assert_eq!(code, ompd_rc_t::BAD_INPUT);
    let opened = ask(|place| ompd_device_initialize(ptr::null_mut(), device, 1, 8, id, place));
    assert_eq!(opened, Err(ompd_rc_t::STALE_HANDLE));
}

#[test]
fn the_kinds_of_thread_ids_are_told() {
    let debugger = Debugger::start(Program::new(true).image);
    let (mut kinds, mut sizes, mut count) = (ptr::null_mut(), ptr::null_mut(), 0);
    // SAFETY: places and a handle are passed; the arrays have as many elements as is said.
    unsafe {
        let code = ompd_get_device_thread_id_kinds(
            debugger.space,
            &raw mut kinds,
            &raw mut sizes,
            &raw mut count,
        );
        assert_eq!((code, count), (ompd_rc_t::OK, 2));
        assert_eq!(core::slice::from_raw_parts(kinds, 2), [0, 1]);
        assert_eq!(core::slice::from_raw_parts(sizes, 2), [8, 4]);
        take(kinds);
        take(sizes);
    }
}
