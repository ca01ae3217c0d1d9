//! Explicit tasks: the task that a thread executes, the task that the thread left for it, and the
//! generating task.

use oxomp_ompd_layout::{Field, Memory};

use crate::debuggee::{Debuggee, Mapped, command, compile, reader};
use crate::view::Eye;
use crate::{FAMILIES, Facts};

/// An explicit task, or the beginning of an implicit one.
#[derive(Debug)]
struct Seen {
    address: u64,
    is_explicit: bool,
    is_final: bool,
    generation: u64,
    exit_frame: u64,
    enter_frame: u64,
    generating: Option<u64>,
    parallel: u64,
    nthreads: u64,
    function: u64,
}

/// The tasks that stand on the thread's stack in its present region, innermost first.
fn tasks_of<M: Memory>(eye: &Eye<'_, M>, thread: u64) -> Vec<Seen> {
    let follow = |at, field| eye.0.follow(at, field).unwrap_or_else(|error| panic!("{error}"));
    let object = |at, field| eye.0.object(at, field).unwrap_or_else(|error| panic!("{error}"));
    let mut tasks = Vec::new();
    let mut next = follow(thread, Field::ThreadTask);
    while let Some(at) = next {
        assert!(tasks.len() < 100, "tasks without an end");
        let record = object(at, Field::ExplicitTaskRecord);
        let number = |field| eye.number(record, field);
        let is_explicit = number(Field::TaskIsExplicit) == 1;
        tasks.push(Seen {
            address: at,
            is_explicit,
            is_final: number(Field::TaskIsFinal) == 1,
            generation: number(Field::TaskGeneration),
            exit_frame: number(Field::TaskExitFrame),
            enter_frame: number(Field::TaskEnterFrame),
            generating: follow(at, Field::ExplicitTaskGenerating),
            parallel: object(at, Field::ExplicitTaskParallel),
            nthreads: eye.number(object(at, Field::ExplicitTaskIcvs), Field::IcvsNthreads),
            function: eye.number(at, Field::ExplicitTaskFunction),
        });
        next = follow(at, Field::ExplicitTaskScheduling);
        assert_eq!(next.is_some(), is_explicit);
    }
    tasks
}

#[test]
fn explicit_tasks_lead_to_those_that_they_came_from() {
    for family in FAMILIES {
        let variables = [("OMP_DEBUG", "enabled"), ("OMP_NUM_THREADS", "3")];
        let executable = compile(family, "tasks");
        let mut program = Debuggee::start(&mut command(&executable, &variables));
        let facts = [Facts::parse(&program.line()), Facts::parse(&program.line())];
        let reader = reader(program.pid());
        let eye = Eye(&reader);
        let mapped = Mapped::find(program.pid(), "tasks-");
        let thread_of = |role: &str| {
            let fact = facts.iter().find(|fact| fact.text("role") == role).expect(role);
            let lwp = fact.number("lwp");
            let mut threads = eye.threads().into_iter();
            let at = threads.find(|at| eye.number(*at, Field::ThreadLwp) == lwp).expect(role);
            (at, fact)
        };
        let implicit = |thread| {
            reader.object(thread, Field::ThreadImplicitTask).expect("a thread of the team")
        };

        let (primary, fact) = thread_of("final");
        let tasks = tasks_of(&eye, primary);
        println!("{family:?} {tasks:#x?}");
        let [inner, outer, around] = &tasks[..] else { panic!("three tasks, not {tasks:?}") };
        assert!(inner.is_explicit && inner.is_final);
        assert!(outer.is_explicit && !outer.is_final);
        assert!(!around.is_explicit && around.generating.is_none() && around.function == 0);
        assert_eq!(around.address, implicit(primary));
        assert_eq!(inner.generating, Some(outer.address));
        assert_eq!(outer.generating, Some(around.address));
        assert_eq!([inner.nthreads, outer.nthreads, around.nthreads], [9, 8, 3]);
        assert_eq!(fact.number("nthreads"), 9);
        // The body runs above the frame that it is called from; those around are in the runtime.
        assert!(inner.exit_frame > fact.number("frame") && inner.enter_frame == 0);
        assert!(outer.exit_frame > inner.exit_frame && outer.enter_frame != 0);

        let (other, _) = thread_of("stolen");
        let stolen = tasks_of(&eye, other);
        let [task, below] = &stolen[..] else { panic!("two tasks, not {stolen:?}") };
        assert!(task.is_explicit && !task.is_final);
        // Made by the one thread, executed by the other between its own.
        assert_eq!(task.generating, Some(around.address));
        assert_eq!(below.address, implicit(other));
        assert_ne!(below.address, around.address);
        for seen in tasks.iter().chain(&stolen) {
            assert_eq!(seen.generation % 2, 1, "{seen:?}");
            assert_eq!(seen.parallel, around.parallel);
        }
        let functions = [inner, outer, task].map(|task| task.function);
        for function in functions {
            let name = mapped.name(function).expect("a function");
            assert!(name.contains("omp_task_entry") || name.contains("_omp_fn"), "{name}");
        }
        assert!(functions[0] != functions[1] && functions[1] != functions[2]);
        program.finish();
    }
}
