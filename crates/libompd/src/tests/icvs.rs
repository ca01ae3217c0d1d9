//! Internal control variables: their enumeration, and their values in each scope.

use core::ffi::c_void;
use core::mem::MaybeUninit;
use std::collections::BTreeSet;

use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::{ompd_icv_id_t, ompd_rc_t, ompd_scope_t};

use super::api::{
    ompd_enumerate_icvs, ompd_get_curr_parallel_handle, ompd_get_curr_task_handle,
    ompd_get_enclosing_parallel_handle, ompd_get_icv_from_scope, ompd_get_icv_string_from_scope,
};
use super::debugger::{Debugger, ask, scopes, take_text};
use super::program::{PRIMARY, Program, SECOND};
use super::relations::thread;
use crate::icv::OF_LLVM;

/// A variable: its number, its name and its scope.
type Listed = (ompd_icv_id_t, String, ompd_scope_t);

fn after(debugger: &Debugger, current: ompd_icv_id_t) -> Result<(Listed, i32), ompd_rc_t> {
    let (mut name, mut more) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    let mut scope = MaybeUninit::uninit();
    // SAFETY: a handle and places are passed, and written.
    unsafe {
        let id = ask(|place| {
            let (name, more) = (name.as_mut_ptr(), more.as_mut_ptr());
            ompd_enumerate_icvs(debugger.space, current, place, name, scope.as_mut_ptr(), more)
        })?;
        Ok(((id, take_text(name.assume_init()), scope.assume_init()), more.assume_init()))
    }
}

/// All variables.
pub(crate) fn all(debugger: &Debugger) -> Vec<Listed> {
    let (mut found, mut more) = (Vec::<Listed>::new(), 1);
    while more == 1 {
        let listed;
        (listed, more) =
            after(debugger, found.last().map_or(0, |last| last.0)).expect("a variable");
        found.push(listed);
    }
    found
}

fn number(handle: *mut c_void, scope: ompd_scope_t, id: u64) -> Result<i64, ompd_rc_t> {
    ask(|place| ompd_get_icv_from_scope(handle, scope, id, place))
}

fn text(handle: *mut c_void, scope: ompd_scope_t, id: u64) -> Result<String, ompd_rc_t> {
    ask(|place| ompd_get_icv_string_from_scope(handle, scope, id, place)).map(take_text)
}

/// LLVM's variables, by number.
const LLVMS: [(&str, i32); OF_LLVM] = [
    ("dyn-var", 3),
    ("run-sched-var", 6),
    ("stacksize-var", 2),
    ("cancel-var", 2),
    ("max-task-priority-var", 2),
    ("debug-var", 2),
    ("nthreads-var", 3),
    ("display-affinity-var", 2),
    ("affinity-format-var", 2),
    ("default-device-var", 3),
    ("tool-var", 2),
    ("tool-libraries-var", 2),
    ("tool-verbose-init-var", 2),
    ("levels-var", 4),
    ("active-levels-var", 4),
    ("thread-limit-var", 6),
    ("max-active-levels-var", 6),
    ("bind-var", 6),
    ("num-procs-var", 2),
    ("ompd-num-procs-var", 2),
    ("thread-num-var", 3),
    ("ompd-thread-num-var", 3),
    ("final-task-var", 6),
    ("ompd-final-var", 6),
    ("ompd-final-task-var", 6),
    ("implicit-task-var", 6),
    ("ompd-implicit-var", 6),
    ("ompd-implicit-task-var", 6),
    ("team-size-var", 4),
    ("ompd-team-size-var", 4),
];

#[test]
fn llvms_variables_come_first_and_each_once() {
    let debugger = Debugger::start(Program::new(true).image);
    let found = all(&debugger);
    for (index, ((id, name, scope), expected)) in found.iter().zip(LLVMS).enumerate() {
        assert_eq!((*id, &**name, scope.0), (index as u64 + 1, expected.0, expected.1));
    }
    let distinct: BTreeSet<_> = found.iter().map(|(_, name, scope)| (name, scope)).collect();
    assert_eq!(distinct.len(), found.len());
    let last = found.len() as u64;
    let end = (0, String::new(), ompd_scope_t::GLOBAL);
    assert_eq!(after(&debugger, last), Ok((end, 0)));
    for unknown in [last + 1, 99, u64::MAX] {
        assert_eq!(after(&debugger, unknown), Err(ompd_rc_t::BAD_INPUT));
    }
}

/// The handle of the program's entity in a scope.
struct Handles {
    space: *mut c_void,
    thread: *mut c_void,
    parallel: *mut c_void,
    implicit: *mut c_void,
    explicit: *mut c_void,
}

impl Handles {
    fn of(debugger: &Debugger) -> Self {
        let thread = thread(debugger, PRIMARY).expect("a thread");
        let parallel = ask(|place| ompd_get_curr_parallel_handle(thread, place));
        let parallel = parallel.expect("a region");
        let explicit = ask(|place| ompd_get_curr_task_handle(thread, place)).expect("a task");
        // Of the region; where a test makes that a league, it has no initial tasks.
        let second = self::thread(debugger, SECOND).expect("a thread");
        let implicit = ask(|place| ompd_get_curr_task_handle(second, place));
        Handles {
            space: debugger.space.cast(),
            thread: thread.cast(),
            parallel: parallel.cast(),
            implicit: implicit.expect("a task").cast(),
            explicit: explicit.cast(),
        }
    }

    fn in_scope(&self, scope: ompd_scope_t) -> *mut c_void {
        match scope {
            ompd_scope_t::GLOBAL | ompd_scope_t::ADDRESS_SPACE => self.space,
            ompd_scope_t::THREAD => self.thread,
            ompd_scope_t::PARALLEL => self.parallel,
            ompd_scope_t::IMPLICIT_TASK => self.implicit,
            _ => self.explicit,
        }
    }
}

/// The answers for the variable of this name in its own scope, as a number and as a text.
fn both(debugger: &Debugger, wanted: &str) -> (Result<i64, ompd_rc_t>, Result<String, ompd_rc_t>) {
    let handles = Handles::of(debugger);
    let (id, _, scope) = all(debugger)
        .into_iter()
        .find(|(_, name, _)| name == wanted)
        .unwrap_or_else(|| panic!("there is no {wanted}"));
    let handle = handles.in_scope(scope);
    (number(handle, scope, id), text(handle, scope, id))
}

#[test]
fn values_are_numbers_and_texts() {
    let debugger = Debugger::start(Program::new(true).image);
    let of = |name| both(&debugger, name);
    let text = |value: &str| Ok(value.to_owned());
    assert_eq!(of("dyn-var"), (Ok(1), text("TRUE")));
    assert_eq!(of("run-sched-var"), (Err(ompd_rc_t::INCOMPLETE), text("dynamic,7")));
    assert_eq!(of("cancel-var"), (Ok(1), text("TRUE")));
    assert_eq!(of("debug-var"), (Ok(1), text("TRUE")));
    assert_eq!(of("nthreads-var"), (Err(ompd_rc_t::INCOMPLETE), text("12,4")));
    assert_eq!(of("bind-var"), (Err(ompd_rc_t::INCOMPLETE), text("primary,close")));
    assert_eq!(of("affinity-format-var"), (Err(ompd_rc_t::INCOMPATIBLE), text("host %H")));
    assert_eq!(of("tool-libraries-var"), (Err(ompd_rc_t::INCOMPATIBLE), text("/a.so:/b.so")));
    assert_eq!(of("tool-verbose-init-var"), (Err(ompd_rc_t::INCOMPATIBLE), text("")));
    assert_eq!(of("default-device-var"), (Ok(-1), text("-1")));
    assert_eq!(of("levels-var"), (Ok(1), text("1")));
    assert_eq!(of("team-size-var"), (Ok(2), text("2")));
    assert_eq!(of("thread-limit-var"), (Ok(50), text("50")));
    assert_eq!(of("max-active-levels-var"), (Ok(3), text("3")));
    assert_eq!(of("num-procs-var"), (Ok(6), text("6")));
    assert_eq!(of("thread-num-var"), (Ok(0), text("0")));
    assert_eq!(of("final-task-var"), (Ok(1), text("TRUE")));
    assert_eq!(of("implicit-task-var"), (Ok(0), text("FALSE")));
    assert_eq!(of("explicit-task-var"), (Ok(1), text("TRUE")));
    assert_eq!(of("def-allocator-var"), (Ok(1), text("omp_default_mem_alloc")));
    assert_eq!(of("place-partition-var"), (Ok(2), text("{0,1},{2}")));
    assert_eq!(of("place-assignment-var"), (Ok(0), text("0")));
    assert_eq!(of("target-offload-var"), (Ok(2), text("MANDATORY")));
    assert_eq!(of("wait-policy-var"), (Ok(0), text("PASSIVE")));
    assert_eq!(of("league-size-var"), (Ok(1), text("1")));
    assert_eq!(of("team-num-var"), (Ok(0), text("0")));
    assert_eq!(of("team-generator-var"), (Ok(1), text("parallel")));
}

/// Variables of the device and of the process.
#[test]
fn settings_are_numbers_and_texts() {
    let debugger = Debugger::start(Program::new(true).image);
    let of = |name| both(&debugger, name);
    let text = |value: &str| Ok(value.to_owned());
    assert_eq!(of("stacksize-var"), (Ok(14 << 10), text("14K")));
    assert_eq!(of("max-task-priority-var"), (Ok(11), text("11")));
    assert_eq!(of("display-affinity-var"), (Ok(1), text("TRUE")));
    assert_eq!(of("tool-var"), (Ok(1), text("TRUE")));
    assert_eq!(of("def-sched-var"), (Ok(1), text("static")));
    assert_eq!(of("nteams-var"), (Ok(12), text("12")));
    assert_eq!(of("teams-thread-limit-var"), (Ok(13), text("13")));
    assert_eq!(of("num-devices-var"), (Ok(2), text("2")));
    assert_eq!(of("device-num-var"), (Ok(2), text("2")));
}

/// The system's stacks have a size too.
#[test]
fn a_stack_size_that_nobody_has_set_is_the_systems() {
    let mut program = Program::new(true);
    let settings = program.settings;
    program.image.set(settings, Field::SettingsStacksize, 0);
    let debugger = Debugger::start(program.image);
    assert_eq!(both(&debugger, "stacksize-var"), (Ok(8 << 20), Ok("8M".to_owned())));
}

/// OMPD's own names of variables (OpenMP 5.0 Table 5.2, 5.1 §5.5.9), and the names that later
/// versions gave them.
#[test]
fn variables_of_two_names_have_one_value() {
    let debugger = Debugger::start(Program::new(true).image);
    let of = |name| both(&debugger, name);
    assert_eq!(of("ompd-num-procs-var"), of("num-procs-var"));
    assert_eq!(of("ompd-thread-num-var"), of("thread-num-var"));
    assert_eq!(of("ompd-final-var"), of("final-task-var"));
    assert_eq!(of("ompd-final-task-var"), of("final-task-var"));
    assert_eq!(of("ompd-implicit-var"), of("implicit-task-var"));
    assert_eq!(of("ompd-implicit-task-var"), of("implicit-task-var"));
    assert_eq!(of("ompd-team-size-var"), of("team-size-var"));
    // The runtime has no free agents: all threads of the limit are structured ones.
    assert_eq!(of("structured-thread-limit-var"), of("thread-limit-var"));
    assert_eq!(of("free-agent-thread-limit-var"), (Ok(0), Ok("0".to_owned())));
    assert_eq!(of("free-agent-var"), (Ok(0), Ok("FALSE".to_owned())));
}

/// The first element of a list is written although the list has others.
#[test]
fn an_incomplete_value_is_the_first_part() {
    let debugger = Debugger::start(Program::new(true).image);
    let handles = Handles::of(&debugger);
    let mut value = 0;
    let code = { ompd_get_icv_from_scope(handles.thread, ompd_scope_t::THREAD, 7, &raw mut value) };
    assert_eq!((code, value), (ompd_rc_t::INCOMPLETE, 12));
}

#[test]
fn scopes_and_handles_must_match() {
    for (version, wrong_kind) in
        [(202_111, ompd_rc_t::INCOMPATIBLE), (202_411, ompd_rc_t::INCOMPATIBLE_HANDLE)]
    {
        let started = Debugger::try_start(Program::new(true).image, version);
        let debugger = started.expect("the image is a process on the runtime");
        let handles = Handles::of(&debugger);
        // thread-num-var is of the thread and, as the table has it, of the task.
        assert_eq!(number(handles.thread, ompd_scope_t::THREAD, 21), Ok(0));
        assert_eq!(number(handles.implicit, ompd_scope_t::IMPLICIT_TASK, 21), Ok(1));
        assert_eq!(number(handles.explicit, ompd_scope_t::TASK, 21), Ok(0));
        let in_region = number(handles.parallel, ompd_scope_t::PARALLEL, 21);
        assert_eq!(in_region, Err(ompd_rc_t::INCOMPATIBLE));
        let of_region = number(handles.parallel, ompd_scope_t::THREAD, 21);
        assert_eq!(of_region, Err(wrong_kind));
        let explicit = number(handles.explicit, ompd_scope_t::IMPLICIT_TASK, 21);
        assert_eq!(explicit, Err(wrong_kind));
        for unknown in [0, 99, u64::MAX] {
            let answer = number(handles.space, ompd_scope_t::ADDRESS_SPACE, unknown);
            assert_eq!(answer, Err(ompd_rc_t::BAD_INPUT));
        }
        for scope in [0, 9, -1] {
            let answer = number(handles.space, ompd_scope_t(scope), 19);
            assert_eq!(answer, Err(ompd_rc_t::BAD_INPUT));
        }
    }
}

/// Every variable in every scope gives a value or says why not, the same for both forms.
#[test]
fn each_variable_is_readable_in_its_scope() {
    let debugger = Debugger::start(Program::new(true).image);
    let handles = Handles::of(&debugger);
    for (id, name, own) in all(&debugger) {
        assert!(matches!(own.0, 2 | 3 | 4 | 6), "LLVM's plug-in has no handle for {name}");
        for scope in scopes() {
            let answer = text(handles.in_scope(scope), scope, id);
            if scope == own {
                assert!(answer.is_ok(), "{name}: {answer:?}");
            }
            let as_number = number(handles.in_scope(scope), scope, id);
            let is_same = match (&answer, as_number) {
                (Ok(_), Ok(_) | Err(ompd_rc_t::INCOMPLETE | ompd_rc_t::INCOMPATIBLE)) => true,
                (Err(one), Err(other)) => *one == other,
                _ => false,
            };
            assert!(is_same, "{name} in {scope:?}: {answer:?}, {as_number:?}");
        }
    }
}

#[test]
fn what_is_kept_for_a_debugger_only_is_said_to_be() {
    let debugger = Debugger::start(Program::new(false).image);
    let needs = Err(ompd_rc_t::NEEDS_STATE_TRACKING);
    assert_eq!(both(&debugger, "tool-libraries-var").1, needs);
    assert_eq!(both(&debugger, "place-partition-var"), (Ok(2), needs));
    assert_eq!(both(&debugger, "debug-var").0, Ok(0));
}

#[test]
fn leagues_and_targets_form_teams() {
    let generator = |change: fn(&mut Program)| {
        let mut program = Program::new(true);
        change(&mut program);
        let debugger = Debugger::start(program.image);
        both(&debugger, "team-generator-var").1
    };
    let league: fn(&mut Program) =
        |program| program.image.set(program.region, Field::ParallelLeagueSize, 3);
    let target: fn(&mut Program) =
        |program| program.image.set(program.region, Field::ParallelLevel, 0);
    assert_eq!(generator(league), Ok("teams".to_owned()));
    assert_eq!(generator(target), Ok("target".to_owned()));
    let debugger = Debugger::start(Program::new(true).image);
    let handles = Handles::of(&debugger);
    let find = all(&debugger).into_iter().find(|(_, name, _)| name == "team-generator-var");
    let (id, _, scope) = find.expect("the variable");
    let outer = ask(|place| ompd_get_enclosing_parallel_handle(handles.parallel.cast(), place));
    let outer = outer.expect("the region around the program").cast();
    assert_eq!(text(outer, scope, id), Ok("program".to_owned()));
}
