//! A debugger reads a running program by the layout table alone, and finds the facts that the
//! program prints about itself; and the program stops at its breakpoints (OpenMP 5.2 chapter 20).
//!
//! The reader uses the table's symbol and the process's memory, nothing else of the runtime. Needs
//! `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

mod breakpoints;
mod cancelled;
mod debuggee;
mod league;
mod target;
mod tasks;
mod view;
mod waits;

use std::collections::{BTreeMap, BTreeSet};

use debuggee::{Debuggee, Mapped, command, compile, lwps, reader, wait_until};
use oxomp_ompd_layout::{Field, Memory};
use oxomp_testing::compiler::Family;
use oxomp_testing::needs::processors;
use view::{Eye, IDLE, Thread};

const FAMILIES: [Family; 2] = [Family::Gcc, Family::Clang];

/// Lines of `waits`.
const FACTS: usize = 9;

/// `key=value …` of a line that the program prints.
struct Facts(BTreeMap<String, String>);

impl Facts {
    fn parse(line: &str) -> Self {
        let pairs = line.split_whitespace().filter_map(|word| word.split_once('='));
        Facts(pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
    }

    fn text(&self, key: &str) -> &str {
        self.0.get(key).unwrap_or_else(|| panic!("no {key} in {:?}", self.0))
    }

    fn number(&self, key: &str) -> u64 {
        let text = self.text(key);
        text.parse().unwrap_or_else(|_| panic!("{key}={text} is no number"))
    }
}

/// Whether a thread of that role waits in `state`. A barrier of gcc's code may be the directive's
/// or the end of a construct, so its state is the general one.
fn is_state_of(role: &str, state: u64) -> bool {
    match role {
        "barrier" => matches!(state, 0x010 | 0x014),
        "lock" | "nest_lock" => state == 0x041,
        "critical" => state == 0x042,
        "ordered" => state == 0x044,
        "holder" => state == 0x001,
        other => panic!("{other} is no role"),
    }
}

fn thread_of(threads: &[Thread], lwp: u64) -> &Thread {
    threads.iter().find(|thread| thread.lwp == lwp).unwrap_or_else(|| panic!("no thread {lwp}"))
}

/// The first processor that this process may use.
fn a_processor() -> u64 {
    processors().expect("the kernel says")[0].into()
}

#[test]
fn threads_that_wait_are_seen_as_they_see_themselves() {
    for family in FAMILIES {
        threads_that_wait(family, true);
    }
}

/// Without OMP_DEBUG, everything that the runtime keeps anyway can be read.
#[test]
fn a_program_that_nobody_expected_to_debug_can_be_read() {
    for family in FAMILIES {
        threads_that_wait(family, false);
    }
}

fn threads_that_wait(family: Family, debug: bool) {
    let place = format!("{{{}}}", a_processor());
    let mut variables = vec![
        ("OMP_NUM_THREADS", "6,4"),
        ("OMP_PLACES", &place),
        ("OMP_PROC_BIND", "false"),
        ("OMP_THREAD_LIMIT", "50"),
    ];
    if debug {
        variables.push(("OMP_DEBUG", "enabled"));
    }
    let mut program = Debuggee::start(&mut command(&compile(family, "waits"), &variables));
    let facts: Vec<Facts> = (0..FACTS).map(|_| Facts::parse(&program.line())).collect();
    let (initial, facts): (Vec<Facts>, Vec<Facts>) =
        facts.into_iter().partition(|fact| fact.text("role") == "initial");
    let reader = reader(program.pid());
    let eye = Eye(&reader);
    wait_until("each thread waits where it said", || {
        let threads = eye.alive();
        let idle = threads.iter().filter(|thread| thread.state == IDLE).count();
        let wait = facts
            .iter()
            .map(|fact| (thread_of(&threads, fact.number("lwp")).state, fact.text("role")))
            .all(|(state, role)| is_state_of(role, state));
        // The kernel may list a thread that has been joined for a moment yet.
        let known: BTreeSet<u64> = threads.iter().map(|thread| thread.lwp).collect();
        wait && (idle == 2 || !debug) && known == lwps(program.pid())
    });

    assert_eq!(eye.process(Field::ProcessDebug), u64::from(debug));
    let threads = eye.alive();
    check_numbers(&eye, &threads, program.pid());
    println!("{family:?}");
    check_waits(&threads, &facts, program.pid(), debug);
    check_initial(&threads, &initial[0], debug);
    if debug {
        check_others(&threads, &facts);
        check_environment(&eye);
    }
    check_settings(&eye);
    program.finish();
}

/// Ids, numbers and kinds of the process's threads.
fn check_numbers<M: Memory>(eye: &Eye<'_, M>, threads: &[Thread], pid: u32) {
    // The kernel knows the same threads; a thread that has ended has left its block.
    let known = threads.iter().map(|thread| thread.lwp).collect::<BTreeSet<_>>();
    assert_eq!(known, lwps(pid));
    assert_eq!(eye.threads().len(), threads.len() + 1);
    // Two more came and went: one of them has, or had, a block that another had too.
    let generations = eye.threads().into_iter().map(|at| eye.thread(at).generation);
    assert_eq!(generations.sum::<u64>(), threads.len() as u64 + 2);
    let numbers: BTreeSet<u64> = threads.iter().map(|thread| thread.number).collect();
    assert_eq!(numbers.len(), threads.len());
    for thread in threads {
        let is_main = thread.lwp == u64::from(pid);
        assert_eq!(thread.kind, if is_main { 1 } else { 2 });
        assert!(thread.data == 0 && thread.region.is_none());
    }
}

/// The threads of inner regions, each in the wait of its role.
fn check_waits(threads: &[Thread], facts: &[Facts], pid: u32, debug: bool) {
    let executable = Mapped::find(pid, "waits-");
    let mut functions = BTreeSet::new();
    for fact in facts {
        let thread = thread_of(threads, fact.number("lwp"));
        println!("{:?}", fact.0);
        check_thread(thread, fact, debug);
        let mutex = match fact.text("role") {
            "lock" | "nest_lock" => Some(fact.number("wait_id")),
            "critical" => {
                executable.address(|name| name.contains("gomp_critical_user_held_by_first"))
            }
            _ => None,
        };
        if let Some(mutex) = mutex {
            assert_eq!(thread.wait_id, mutex);
        }
        let is_ordered = fact.text("role") == "ordered";
        assert_eq!(mutex.is_some() || is_ordered, matches!(thread.state, 0x041..=0x044));
        assert!(!is_ordered || thread.wait_id != 0);
        if debug {
            let name = executable.name(thread.tasks[0].parallel.function).expect("a function");
            assert!(name.contains("omp_outlined") || name.contains("_omp_fn"), "{name}");
            functions.insert(thread.tasks[0].parallel.function);
        }
    }
    assert_eq!(functions.len(), if debug { 3 } else { 0 });
}

/// The thread without an iteration, which waits at the end of its region, and the idle workers.
fn check_others(threads: &[Thread], facts: &[Facts]) {
    let known: BTreeSet<u64> = facts.iter().map(|fact| fact.number("lwp")).collect();
    let others: Vec<&Thread> = threads.iter().filter(|it| !known.contains(&it.lwp)).collect();
    let at_end: Vec<_> = others.iter().filter(|thread| thread.state != IDLE).collect();
    assert_eq!(at_end.len(), 1, "{others:?}");
    assert_eq!((at_end[0].state, at_end[0].tasks[0].thread_num), (0x011, 2));
    // Tasks of idle workers are over.
    for thread in others.iter().filter(|thread| thread.state == IDLE) {
        assert_eq!(thread.tasks[0].generation % 2, 0, "{thread:?}");
    }
}

/// The environment and the place list, which the runtime keeps with OMP_DEBUG.
fn check_environment<M: Memory>(eye: &Eye<'_, M>) {
    let reader = eye.0;
    let environment = eye.text(Field::ProcessEnvironment);
    let shown: Vec<&str> = environment.split_terminator('\0').collect();
    for assignment in ["OMP_DEBUG=enabled", "OMP_NUM_THREADS=6,4", "OMP_THREAD_LIMIT=50"] {
        assert!(shown.contains(&assignment), "{shown:?}");
    }
    let places = reader.objects(reader.process(), Field::ProcessPlaces).expect("readable");
    let processor = a_processor() as usize;
    let mut words = vec![0; processor / 64 + 1];
    words[processor / 64] = 1 << (processor % 64);
    assert_eq!(places.len(), 1);
    assert_eq!(reader.numbers(places[0], Field::PlaceProcessors), Ok(words));
}

/// Versions and settings.
fn check_settings<M: Memory>(eye: &Eye<'_, M>) {
    let reader = eye.0;
    assert!(eye.text(Field::ProcessRuntimeVersion).starts_with("oxomp "));
    assert_eq!(eye.process(Field::ProcessOpenmpVersion), 202_111);
    assert!(eye.text(Field::ProcessAffinityFormat).starts_with("OMP: pid %P"));
    let settings = reader.object(reader.process(), Field::ProcessSettings).expect("started");
    let icvs = reader.object(settings, Field::SettingsIcvs).expect("inside");
    assert_eq!((eye.icvs(icvs).nthreads, eye.icvs(icvs).nthreads_deeper), (6, vec![4]));
    assert!(eye.number(settings, Field::SettingsNumProcs) >= 1);
}

/// A thread in an inner region.
fn check_thread(thread: &Thread, fact: &Facts, debug: bool) {
    assert_eq!(thread.pthread, fact.number("pthread"));
    assert!(is_state_of(fact.text("role"), thread.state), "{:#x}", thread.state);
    let ancestors: Vec<String> = thread
        .tasks
        .iter()
        .rev()
        .map(|task| format!("{}/{}", task.thread_num, task.parallel.size))
        .collect();
    assert_eq!(ancestors.join(","), fact.text("ancestors"));
    let task = &thread.tasks[0];
    assert!(task.is_implicit && !task.is_initial && !task.is_explicit && !task.is_final);
    assert_eq!(task.parallel.active_level, fact.number("active_level"));
    let icvs = &task.icvs;
    assert_eq!(icvs.nthreads, fact.number("nthreads"));
    assert_eq!(icvs.dynamic, fact.number("dyn"));
    assert_eq!(icvs.schedule, (fact.number("sched"), fact.number("chunk")));
    assert_eq!(icvs.max_active_levels, fact.number("max_active_levels"));
    assert_eq!(icvs.thread_limit, fact.number("thread_limit"));
    assert_eq!(icvs.default_device, fact.number("device"));
    assert_eq!(icvs.bind, fact.number("bind"));
    assert_eq!(icvs.def_allocator, 1);
    assert_eq!((task.place, task.data), (-1, 0));
    for (depth, task) in thread.tasks.iter().enumerate() {
        let (parallel, level) = (&task.parallel, thread.tasks.len() - 1 - depth);
        assert_eq!(parallel.level, level as u64);
        assert_eq!(parallel.members.len() as u64, parallel.size);
        assert_eq!(parallel.members[task.thread_num as usize].0, task.address);
        assert!(parallel.barrier != 0 && parallel.data == 0);
        // Generations are counted only with OMP_DEBUG=enabled.
        assert_eq!((parallel.generation % 2, task.generation % 2), (debug.into(), debug.into()));
        assert!(debug || (parallel.generation, task.generation) == (0, 0));
    }
    let waits = fact.text("role") != "holder";
    assert_eq!(task.enter_frame, if debug && waits { fact.number("frame") } else { 0 });
    let above = task.exit_frame.wrapping_sub(fact.number("frame"));
    assert!((1..1 << 16).contains(&above), "exit frame {above} bytes above");
    // A thread of a team has the task, but for the primary, whose thread has the task around it.
    let (_, member) = task.parallel.members[task.thread_num as usize];
    assert_eq!(member.is_some(), task.thread_num != 0);
}

/// The initial task, around the regions of all.
fn check_initial(threads: &[Thread], fact: &Facts, debug: bool) {
    for thread in threads {
        let task = thread.tasks.last().expect("an initial task");
        assert!(task.is_initial && task.parallel.encountering.is_none());
        assert_eq!((task.parallel.level, task.parallel.size, task.thread_num), (0, 1, 0));
        assert_eq!(task.enter_frame, if debug { fact.number("frame") } else { 0 });
        assert_eq!(task.exit_frame, 0);
        let main = thread_of(threads, fact.number("lwp")).tasks.last().expect("its initial task");
        assert_eq!((task.address, task.parallel.address), (main.address, main.parallel.address));
    }
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
        let mut program = Debuggee::start(&mut command(&compile(family, "waits"), &variables));
        let facts: Vec<Facts> = (0..FACTS).map(|_| Facts::parse(&program.line())).collect();
        let reader = reader(program.pid());
        let threads = Eye(&reader).alive();
        let inside = facts.iter().filter(|fact| fact.text("role") != "initial");
        let mut words = BTreeMap::new();
        for fact in inside {
            let thread = thread_of(&threads, fact.number("lwp"));
            assert!(words.insert(thread.data, thread.number).is_none(), "{thread:?}");
            for task in &thread.tasks {
                let of_task = words.insert(task.data, task.address);
                assert!(of_task.is_none_or(|address| address == task.address), "{task:?}");
                let region = &task.parallel;
                let of_region = words.insert(region.data, region.address);
                assert!(of_region.is_none_or(|address| address == region.address), "{region:?}");
            }
        }
        // 8 threads; 8 inner, 3 outer tasks and the initial one; 3 inner regions, the outer one and
        // the region around the program.
        assert_eq!(words.len(), 8 + 8 + 3 + 1 + 3 + 1 + 1, "{words:?}");
        assert!(!words.contains_key(&0));
        program.finish();
    }
}

#[test]
fn the_chunk_at_hand_is_known() {
    for family in FAMILIES {
        for (what, kind) in [("dynamic", 11), ("guided", 12), ("static", 10), ("none", 0)] {
            let variables = [("OMP_DEBUG", "enabled"), ("OMP_PROC_BIND", "close,primary,spread")];
            let executable = compile(family, "work");
            let mut program = Debuggee::start(command(&executable, &variables).arg(what));
            let facts = [Facts::parse(&program.line()), Facts::parse(&program.line())];
            let reader = reader(program.pid());
            let threads = Eye(&reader).alive();
            // gcc's code divides a static loop without a call.
            let is_inline = what == "static" && family == Family::Gcc;
            for fact in facts {
                let task = &thread_of(&threads, fact.number("lwp")).tasks[0];
                println!("{family:?} {what} {:?}", fact.0);
                if is_inline || what == "none" {
                    assert_eq!(task.work, 0);
                } else {
                    assert_eq!((task.work, task.iterations), (kind, 20));
                    assert_eq!(task.chunk.0, fact.number("first"));
                    let length = match what {
                        "dynamic" => 5,
                        "static" => 10,
                        _ => task.chunk.1,
                    };
                    assert_eq!(task.chunk.1, length);
                    assert!((1..=20).contains(&length));
                }
                assert_eq!((task.icvs.bind, &*task.icvs.bind_deeper), (2, &[4][..]));
                assert!(task.place >= 0);
            }
            program.finish();
        }
    }
}

#[test]
fn a_forked_child_has_its_own_threads() {
    for family in FAMILIES {
        let variables = [("OMP_DEBUG", "enabled")];
        let mut program = Debuggee::start(&mut command(&compile(family, "forked"), &variables));
        let child = Facts::parse(&program.line()).number("pid");
        let child = u32::try_from(child).expect("a process id");
        let reader = reader(child);
        let threads = Eye(&reader).alive();
        let seen: BTreeSet<u64> = threads.iter().map(|thread| thread.lwp).collect();
        assert_eq!(seen, lwps(child));
        assert_eq!(seen.len(), 2);
        for thread in &threads {
            assert_eq!((thread.tasks[0].parallel.size, thread.tasks[0].parallel.level), (2, 1));
        }
        program.finish();
    }
}
