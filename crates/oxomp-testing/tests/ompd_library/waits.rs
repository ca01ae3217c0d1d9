//! Threads of nested regions, each in a wait of its own; idle workers; the tool's words.

use std::collections::{BTreeMap, BTreeSet};

use oxomp_sys::ompd::{ompd_rc_t, ompd_scope_t};
use oxomp_testing::compiler::Family;

use crate::FAMILIES;
use crate::debuggee::{Debuggee, Mapped, command, compile, lwps, wait_until};
use crate::debugger::{Debugger, Region, Thread, ask};
use crate::facts::Facts;
use crate::target::Stopped;

/// Lines of `waits`.
const FACTS: usize = 9;
const IDLE: i64 = 0x100;
/// `ompt_state_wait_barrier` to `ompt_state_wait_barrier_teams`.
const BARRIERS: std::ops::RangeInclusive<i64> = 0x010..=0x017;

/// Whether a thread of that role waits in `state`.
fn is_state_of(role: &str, state: i64) -> bool {
    match role {
        "barrier" => state == 0x014,
        "lock" | "nest_lock" => state == 0x041,
        "critical" => state == 0x042,
        "ordered" => state == 0x044,
        "holder" => state == 0x001,
        other => panic!("{other} is no role"),
    }
}

/// The program, when each of its threads waits where it said, one that says nothing waits at the
/// end of its region, and two are idle; and what they said.
pub(crate) fn waiting(family: Family, variables: &[(&str, &str)]) -> (Debuggee, Vec<Facts>) {
    let mut program = Debuggee::start(&mut command(&compile(family, "waits"), variables));
    let facts: Vec<Facts> = (0..FACTS).map(|_| Facts::parse(&program.line())).collect();
    let inside: Vec<_> = facts.iter().filter(|fact| fact.text("role") != "initial").collect();
    wait_until("each thread waits where it said", || {
        let debugger = Debugger::start(Stopped::new(program.pid()));
        let state = |fact: &&Facts| {
            let thread = debugger.thread(fact.number("lwp")).expect("a thread");
            is_state_of(fact.text("role"), debugger.state(thread).0)
        };
        let silent = silent(&debugger, &facts, program.pid());
        let count = |wanted: &dyn Fn(i64) -> bool| {
            let states = silent.iter().flatten().map(|thread| debugger.state(*thread).0);
            states.filter(|state| wanted(*state)).count()
        };
        inside.iter().all(state)
            && silent.len() == 3
            && count(&|state| state == IDLE) == 2
            && count(&|state| BARRIERS.contains(&state)) == 1
    });
    (program, facts)
}

/// The threads of the process that print nothing; `None` for a thread that the runtime does not
/// know yet.
fn silent(debugger: &Debugger, facts: &[Facts], pid: u32) -> Vec<Option<Thread>> {
    let known: BTreeSet<u64> = facts.iter().map(|fact| fact.number("lwp")).collect();
    let silent = lwps(pid).into_iter().filter(|lwp| !known.contains(lwp));
    silent.map(|lwp| debugger.thread(lwp).ok()).collect()
}

#[test]
fn threads_that_wait_are_seen_as_they_see_themselves() {
    for family in FAMILIES {
        for debug in ["enabled", "disabled"] {
            let variables =
                [("OMP_NUM_THREADS", "6,4"), ("OMP_THREAD_LIMIT", "50"), ("OMP_DEBUG", debug)];
            let (program, facts) = waiting(family, &variables);
            println!("{family:?}, OMP_DEBUG={debug}");
            let executable = Mapped::find(program.pid(), "waits-");
            let debugger = Debugger::start(Stopped::new(program.pid()));
            let is_debugged = debug == "enabled";
            let inside = facts.iter().filter(|fact| fact.text("role") != "initial");
            for fact in inside {
                check(&debugger, fact, &executable, is_debugged);
            }
            check_teams(&debugger, &facts);
            check_idle(&debugger, &facts, program.pid());
            check_process(&debugger, is_debugged);
            drop(debugger);
            program.finish();
        }
    }
}

/// `number/size` of the thread in each region that it is in, from the outermost.
fn ancestors(debugger: &Debugger, thread: Thread) -> Vec<String> {
    let mut task = debugger.current_task(thread).expect("a task");
    let mut found = Vec::new();
    loop {
        let region = debugger.region_of(task).expect("a region");
        // The number of the task's thread; in 5.0's scope of the variable.
        let (number, _) = debugger.number_in(task, ompd_scope_t::TASK, 31).expect("a number");
        let size = debugger.value(region, "team-size-var");
        found.push(format!("{number}/{size}"));
        match debugger.generating(task) {
            Ok(encountering) => task = encountering,
            Err(code) => {
                assert_eq!(code, ompd_rc_t::UNAVAILABLE);
                found.reverse();
                return found;
            }
        }
    }
}

/// The regions that the thread is in, from the innermost.
fn regions(debugger: &Debugger, thread: Thread) -> Vec<Region> {
    let mut found = vec![debugger.current_region(thread).expect("a region")];
    while let Some(around) = found.last().and_then(|region| debugger.enclosing(*region).ok()) {
        found.push(around);
    }
    found
}

/// A thread in an inner region.
fn check(debugger: &Debugger, fact: &Facts, executable: &Mapped, is_debugged: bool) {
    let thread = debugger.thread(fact.number("lwp")).expect("a thread");
    let (state, wait_id) = debugger.state(thread);
    assert!(is_state_of(fact.text("role"), state), "{state:#x}");
    match fact.text("role") {
        "lock" | "nest_lock" => assert_eq!(wait_id, fact.number("wait_id")),
        "critical" => {
            let mutex =
                executable.address(|name| name.contains("gomp_critical_user_held_by_first"));
            assert_eq!(Some(wait_id), mutex);
        }
        "ordered" => assert_ne!(wait_id, 0),
        _ => assert_eq!(wait_id, 0),
    }
    // SAFETY: handles, ids and places are passed.
    unsafe {
        let pthread =
            ask(|place: *mut u64| (debugger.api.ompd_get_thread_id)(thread, 0, 8, place.cast()));
        assert_eq!(pthread, Ok(fact.number("pthread")));
        let id = fact.number("pthread");
        let by_pthread = ask(|place| {
            let id = (&raw const id).cast();
            (debugger.api.ompd_get_thread_handle)(debugger.space, 0, 8, id, place)
        });
        assert!(debugger.same_thread(thread, by_pthread.expect("the thread")));
    }
    assert_eq!(ancestors(debugger, thread).join(","), fact.text("ancestors"));
    let regions = regions(debugger, thread);
    let levels: Vec<u64> =
        regions.iter().map(|region| debugger.value(*region, "levels-var")).collect();
    assert_eq!(levels, [2, 1, 0]);
    assert_eq!(debugger.value(regions[0], "active-levels-var"), fact.number("active_level"));
    check_variables(debugger, thread, fact);
    let task = debugger.current_task(thread).expect("a task");
    let number = debugger.value(thread, "thread-num-var") as i32;
    let member = debugger.task_in(regions[0], number).expect("an implicit task");
    assert!(debugger.same_task(task, member));
    let same = debugger.thread_in(regions[0], number).expect("a thread");
    assert!(debugger.same_thread(thread, same));
    assert_eq!(debugger.scheduling(task), Err(ompd_rc_t::UNAVAILABLE));
    let [exit, enter] = debugger.frames(task);
    let waits = fact.text("role") != "holder";
    assert_eq!(enter.0, if is_debugged && waits { fact.number("frame") } else { 0 });
    let above = exit.0.wrapping_sub(fact.number("frame"));
    assert!((1..1 << 16).contains(&above), "exit frame {above} bytes above");
    // `ompt_frame_framepointer` of the runtime and of the application.
    assert_eq!((exit.1 & 0xf0, enter.1 & 0xf), (0x20, 0x1), "{:#x} {:#x}", exit.1, enter.1);
    match debugger.function(task) {
        Ok(function) => {
            let name = executable.name(function).expect("a function");
            assert!(name.contains("omp_outlined") || name.contains("_omp_fn"), "{name}");
        }
        Err(code) => {
            assert!(!is_debugged);
            assert_eq!(code, ompd_rc_t::NEEDS_STATE_TRACKING);
        }
    }
}

/// The variables of the thread's data environment.
fn check_variables(debugger: &Debugger, thread: Thread, fact: &Facts) {
    let task = debugger.current_task(thread).expect("a task");
    for (name, key) in
        [("nthreads-var", "nthreads"), ("dyn-var", "dyn"), ("default-device-var", "device")]
    {
        assert_eq!(debugger.value(thread, name), fact.number(key), "{name}");
    }
    for (name, key) in [
        ("max-active-levels-var", "max_active_levels"),
        ("thread-limit-var", "thread_limit"),
        ("bind-var", "bind"),
        ("run-sched-var", "sched"),
    ] {
        assert_eq!(debugger.value(task, name), fact.number(key), "{name}");
    }
    let schedule = debugger.text(task, "run-sched-var").expect("a text");
    assert!(schedule.ends_with(&format!(",{}", fact.text("chunk"))), "{schedule}");
    assert_eq!(debugger.text(task, "def-allocator-var"), Ok("omp_default_mem_alloc".to_owned()));
    let truths = ["final-task-var", "implicit-task-var", "explicit-task-var"];
    assert_eq!(truths.map(|name| debugger.value(task, name)), [0, 1, 0]);
}

/// Each region has its threads, which are in it.
fn check_teams(debugger: &Debugger, facts: &[Facts]) {
    let inside = facts.iter().filter(|fact| fact.text("role") != "initial");
    for fact in inside {
        let thread = debugger.thread(fact.number("lwp")).expect("a thread");
        let region = debugger.current_region(thread).expect("a region");
        let size = debugger.value(region, "team-size-var") as i32;
        for number in 0..size {
            let member = debugger.thread_in(region, number).expect("a thread");
            let around = debugger.current_region(member).expect("a region");
            assert!(debugger.same_region(region, around), "thread {number}");
        }
        assert_eq!(debugger.thread_in(region, size), Err(ompd_rc_t::BAD_INPUT));
    }
}

/// Two workers have nothing to do: they execute no task, and are in no region.
fn check_idle(debugger: &Debugger, facts: &[Facts], pid: u32) {
    let others: Vec<Thread> = silent(debugger, facts, pid).into_iter().flatten().collect();
    let idle: Vec<_> = others.iter().filter(|thread| debugger.state(**thread).0 == IDLE).collect();
    assert_eq!((others.len(), idle.len()), (3, 2));
    for thread in idle {
        assert_eq!(debugger.current_task(*thread), Err(ompd_rc_t::UNAVAILABLE));
        assert_eq!(debugger.current_region(*thread), Err(ompd_rc_t::UNAVAILABLE));
    }
}

/// Versions, settings, and each variable of the address space.
fn check_process(debugger: &Debugger, is_debugged: bool) {
    // SAFETY: a handle and places are passed.
    unsafe {
        let version = ask(|place| (debugger.api.ompd_get_omp_version)(debugger.space, place));
        assert_eq!(version, Ok(202_111));
        let text = ask(|place| (debugger.api.ompd_get_omp_version_string)(debugger.space, place));
        let text = crate::debugger::take_text(text.expect("a text"));
        assert!(text.starts_with("oxomp "), "{text}");
        let mut vars =
            ask(|place| (debugger.api.ompd_get_display_control_vars)(debugger.space, place));
        match &mut vars {
            Ok(vars) => {
                let first = core::ffi::CStr::from_ptr(**vars).to_str().expect("text");
                assert!(first.contains('='), "{first}");
                let code = (debugger.api.ompd_rel_display_control_vars)(vars);
                assert_eq!(code, ompd_rc_t::OK);
            }
            Err(code) => assert_eq!(*code, ompd_rc_t::NEEDS_STATE_TRACKING),
        }
        assert_eq!(vars.is_ok(), is_debugged);
    }
    let space = debugger.space;
    assert_eq!(debugger.value(space, "debug-var"), u64::from(is_debugged));
    assert_eq!(debugger.value(space, "tool-var"), 1);
    assert_eq!(debugger.text(space, "wait-policy-var"), Ok("PASSIVE".to_owned()));
    assert!(debugger.value(space, "num-procs-var") >= 1);
    for (name, scope) in debugger.variables() {
        if scope == ompd_scope_t::ADDRESS_SPACE {
            let text = debugger.text(space, &name);
            let is_kept = is_debugged || !name.starts_with("tool-");
            assert!(text.is_ok() || !is_kept, "{name}: {text:?}");
        }
    }
    let unkept = debugger.text(space, "tool-libraries-var");
    assert_eq!(unkept.is_ok(), is_debugged);
}

/// The words of a tool: one of its own for each thread, task and region.
#[test]
fn words_of_a_tool_are_seen() {
    let recorder = std::env::var("OXOMP_RECORDER")
        .expect("OXOMP_RECORDER names no recorder: run `cargo xtask test`");
    for (family, debug) in FAMILIES.into_iter().zip(["enabled", "disabled"]) {
        let variables = [
            ("OMP_TOOL_LIBRARIES", &*recorder),
            ("OXOMP_RECORD", "/dev/null"),
            ("OMP_DEBUG", debug),
        ];
        let (program, facts) = waiting(family, &variables);
        let debugger = Debugger::start(Stopped::new(program.pid()));
        assert!(debugger.data(debugger.space, ompd_scope_t::GLOBAL).is_ok());
        let mut words = BTreeMap::new();
        for fact in facts.iter().filter(|fact| fact.text("role") != "initial") {
            let thread = debugger.thread(fact.number("lwp")).expect("a thread");
            let word = debugger.data(thread, ompd_scope_t::THREAD).expect("a word");
            assert!(words.insert(word, 0).is_none(), "a thread's word is its own");
            let mut task = debugger.current_task(thread);
            while let Ok(this) = task {
                let region = debugger.region_of(this).expect("a region");
                let of_task = debugger.data(this, ompd_scope_t::IMPLICIT_TASK).expect("a word");
                let of_region = debugger.data(region, ompd_scope_t::PARALLEL).expect("a word");
                words.insert(of_task, 1);
                words.insert(of_region, 2);
                task = debugger.generating(this);
            }
        }
        // 8 threads; 8 inner, 3 outer tasks and the initial one; 3 inner regions, the outer one and
        // the region around the program.
        assert_eq!(words.len(), 8 + 8 + 3 + 1 + 3 + 1 + 1, "{words:?}");
        assert!(!words.contains_key(&0));
        drop(debugger);
        program.finish();
    }
}
