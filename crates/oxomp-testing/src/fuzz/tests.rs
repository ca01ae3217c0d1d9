//! The model on the log of one program, and on the same log with one thing wrong at a time.

use super::accept::{self, Run};
use super::check;
use super::program::text;
use super::program::tree::{Construct, Depend, Loop, Node, Program, Schedule, SingleEnding, Task};
use super::violation::Violation;
use crate::compiler::Family;
use crate::trace::log::parse;

/// What clang's program of [`program`] caused on a team of two threads.
const LOG: &str = include_str!("tests/team.log");

fn node(id: u32, construct: Construct) -> Node {
    Node { id, construct }
}

fn task(kind: Depend) -> Construct {
    Construct::Task(Task {
        is_if_false: false,
        is_final: false,
        is_untied: false,
        is_mergeable: false,
        has_priority: false,
        detach: None,
        depend: vec![(kind, 0)],
        body: Vec::new(),
    })
}

/// A region with a loop, a single that generates tasks, a nest lock and a barrier.
fn program() -> Program {
    let critical = Construct::Critical { name: 10, hint: 0, body: Vec::new() };
    let worksharing = Construct::Loop(Loop {
        schedule: Schedule::Dynamic,
        chunk: Some(2),
        iterations: (5, None),
        is_ordered: false,
        nowait: true,
        reduction: false,
        body: vec![node(1, critical)],
    });
    let tasks =
        vec![node(3, task(Depend::Out)), node(4, task(Depend::In)), node(5, Construct::Taskwait)];
    let single = Construct::Single { ending: SingleEnding::Barrier, body: tasks };
    let lock = Construct::NestLock { lock: 1, is_test: false, depth: 2, body: Vec::new() };
    let body = vec![
        node(2, worksharing),
        node(6, single),
        node(7, lock),
        node(8, Construct::Masked { filter: 0, body: Vec::new() }),
        node(9, Construct::Barrier),
    ];
    let region = Construct::Parallel { threads: 2, is_if_false: false, reduction: false, body };
    Program {
        seed: 0,
        max_active_levels: 1,
        schedule: (Schedule::Static, 1),
        body: vec![node(10, region)],
        natives: Vec::new(),
    }
}

fn judged(text: &str) -> Vec<Violation> {
    let program = program();
    let (_, lines) = text::file(std::slice::from_ref(&program), Family::Clang);
    let log = parse(text).expect("a log");
    let (history, mut found) = check::check(&log);
    let run = Run {
        program: &program,
        compiler: Family::Clang,
        lines: &lines[0],
        source: None,
        module: "team.exe",
        has_jumps: false,
    };
    found.extend(accept::check(run, &log, &history));
    found
}

/// The log with the event `seq` changed, and the others as they were.
fn changed(seq: u32, from: &str, to: &str) -> String {
    let start = format!("{seq} thread=");
    let mut is_changed = false;
    let lines = LOG.lines().map(|line| {
        if !line.starts_with(&start) {
            return line.to_owned();
        }
        is_changed = line.contains(from);
        line.replacen(from, to, 1)
    });
    let text: Vec<String> = lines.collect();
    assert!(is_changed, "event {seq} has no {from}");
    text.join("\n")
}

/// The log without the event `seq` and what stands below it.
fn without(seq: u32) -> String {
    let start = format!("{seq} thread=");
    let mut is_out = false;
    let lines = LOG.lines().filter(|line| {
        is_out = line.starts_with(&start) || is_out && line.starts_with('+');
        !is_out
    });
    lines.collect::<Vec<_>>().join("\n").replace("events=123", "events=122")
}

/// The log with the first answer below the event `seq` that has `from` changed.
fn answer(seq: u32, from: &str, to: &str) -> String {
    let start = LOG.find(&format!("\n{seq} thread=")).expect("the event");
    let at = LOG[start..].find(from).expect("the answer") + start;
    format!("{}{to}{}", &LOG[..at], &LOG[at + from.len()..])
}

fn finds(text: &str, clause: &str, said: &str) {
    let found = judged(text);
    let is_it = |one: &Violation| one.clause.contains(clause) && one.said.contains(said);
    let shown: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert!(found.iter().any(is_it), "{clause}: {said}: {shown:#?}");
}

#[test]
fn a_right_log_agrees_with_the_model() {
    assert_eq!(judged(LOG), []);
}

#[test]
fn an_event_that_is_missing_is_missed() {
    // All but the events of locks around the program.
    for seq in (10..112).filter(|seq| ![63].contains(seq)) {
        assert_ne!(judged(&without(seq)), [], "nobody misses event {seq}");
    }
    finds(&without(120), "thread_end", "no end");
    finds(&without(63), "native-thread-begin", "before its thread_begin");
}

#[test]
fn a_wrong_argument_is_found() {
    for (seq, from, to, clause, said) in [
        (10, "encountering_task=t1", "encountering_task=t4", "encountering task", "executes"),
        (10, "requested=2", "requested=3", "order of events", "requested=2"),
        (10, "runtime,team", "runtime,league", "implicit_task", "in a league"),
        (10, "codeptr=team.exe", "codeptr=libomp.so", "codeptr_ra", "not in the program"),
        (11, "index=0", "index=1", "implicit_task", "one number"),
        (11, "parallelism=2", "parallelism=3", "implicit_task", "said 3"),
        (13, "loop_dynamic", "loop_static", "order of events", "type=loop_dynamic"),
        (13, "count=5", "count=4", "order of events", "count=5"),
        (13, "parallel=p2", "parallel=p1", "parallel_data", "p1"),
        (13, "task=t2", "task=t1", "task_data", "executes"),
        (14, "0+2", "1+2", "dispatch", "in no chunk"),
        (36, "4+1", "4+2", "dispatch", "are not the 5 iterations"),
        (15, "arg=0x100010102000000", "arg=0x100010102000001", "iterations", "[1, 1, 2"),
        (15, "arg=0x100010102000000", "arg=0x100010102010000", "omp_get_thread_num", "sees"),
        (15, "work_parallel", "work_serial", "ompt_state_t", "work_serial"),
        (17, "w9", "w3", "mutex_acquire", "asked for"),
        (19, "w9", "w3", "mutex_acquire", "nobody holds"),
        (16, "hint=0", "hint=2", "order of events", "hint=0"),
        (43, "single_executor", "single_other", "order of events", "single_other"),
        (45, "flags=explicit", "flags=explicit,untied", "ompt_task_flag_t", "untied"),
        (45, "has_dependences=1", "has_dependences=0", "order of events", "has_dependences=1"),
        (46, "task=t3", "task=t4", "depend", "no event tells them"),
        (49, "source=t3", "source=t4", "task_dependence", "earlier sibling"),
        (49, "task_dependence", "flush", "task_dependence", "no event tells"),
        (52, "next=t3", "next=t4", "depend", "before t3 is complete"),
        (52, "wait_taskwait", "wait_taskgroup", "ompt_state_t", "wait_taskgroup"),
        (54, "complete", "switch", "task-complete", "never completed"),
        (54, "prior=t3", "prior=t2", "task_schedule", "prior_task_data"),
        (57, "next=t2", "next=t5", "task_schedule", "nothing has created"),
        (62, "barrier_implicit_workshare", "barrier_explicit", "order of events", "workshare"),
        (68, "single_other", "single_executor", "order of events", "modifier=6"),
        (75, "w4", "w6", "mutex_acquire", "asked for"),
        (79, "w4", "w6", "mutex_acquire", "not set twice"),
        (81, "codeptr=team.exe+0x1747", "codeptr=null", "codeptr_ra", "null"),
        (92, "task=t2", "task=t5", "task_data", "executes"),
        (106, "parallel=null", "parallel=p2", "parallel_data", "NULL"),
        (107, "parallelism=0", "parallelism=2", "implicit_task", "0 at an end"),
        (107, "parallel=null", "parallel=p2", "implicit_task", "NULL at an end"),
        (107, "index=1", "index=0", "implicit_task", "those of the begin"),
        (111, "encountering_task=t1", "encountering_task=t2", "encountering task", "executes"),
        (111, "runtime,team", "runtime,league", "parallel_end", "other flags"),
        (112, "kind=lock", "kind=nest_lock", "mutex_acquire", "lock_init said"),
        (120, "thread_data=ok", "thread_data=wrong", "thread_data", "wrong"),
    ] {
        finds(&changed(seq, from, to), clause, said);
    }
}

#[test]
fn a_wrong_answer_of_an_entry_point_is_found() {
    for (seq, from, to, clause, said) in [
        (53, "task=t3", "task=t2", "ompt_get_task_info", "the tasks are"),
        (53, "flags=explicit", "flags=implicit", "ompt_get_task_info", "is explicit"),
        (53, "parallel=p2 thread_num", "parallel=p1 thread_num", "task_info", "of the region p1"),
        (53, "thread_num=0", "thread_num=1", "ompt_get_task_info", "another thread number"),
        (53, "parallel=p2 size=2", "parallel=p2 size=1", "ompt_get_parallel_info", "sizes"),
        (
            53,
            "exit_frame=set:runtime,framepointer@0x7ffd15825670",
            "exit_frame=none",
            "ompt_frame_t",
            "none",
        ),
        (53, "enter_frame=set:application", "enter_frame=set:runtime", "ompt_frame_t", "enter"),
        (53, "@0x7ffd", "@0x8ffd", "ompt_frame_t", "below an inner one"),
        (111, "result=2 task=t1", "result=2 task=t2", "ompt_get_task_info", "the tasks are"),
    ] {
        finds(&answer(seq, from, to), clause, said);
    }
}

#[test]
fn a_barrier_left_early_is_found() {
    // One thread arrives at the explicit barrier after the other has left it.
    let is_late = |line: &&str| line.starts_with("81 ") || line.starts_with("82 ");
    let late: Vec<&str> = LOG.lines().filter(is_late).collect();
    let mut text = Vec::new();
    for line in LOG.lines().filter(|line| !is_late(line)) {
        text.push(line);
        if line.starts_with("98 ") {
            text.extend(&late);
        }
    }
    let renumbered = (0..).zip(text).map(|(number, line)| match line.split_once(' ') {
        Some((seq, rest)) if seq.parse::<u32>().is_ok() => format!("{number} {rest}"),
        _ => line.to_owned(),
    });
    finds(&renumbered.collect::<Vec<_>>().join("\n"), "barriers", "before all have come");
}
