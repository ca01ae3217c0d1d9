//! Native threads: their first and last events, and their data words.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_task_flag_t, ompt_thread_t};

use super::check::{Forms, Group, check};
use crate::construct::Form;
use crate::recorded::{region, shown, start};
use crate::runtime::call;
use crate::tool::event::word;
use crate::tool::{self, log};
use crate::verdict::{Verdict, demand, missing, wrong};

pub(super) const GROUP: Group = Group {
    title: "Threads",
    checks: &[
        check(
            "initial-thread",
            Forms::Either,
            "6.0 §14.13, §34.3",
            "the initial thread begins with thread_begin and its initial task",
            initial_thread,
        ),
        check(
            "worker-begins",
            Forms::Either,
            "6.0 §34.2.1",
            "a worker's first event is thread_begin of the worker kind",
            worker_begins,
        ),
        check(
            "foreign-thread",
            Forms::Either,
            "6.0 §14.13",
            "a native thread that meets OpenMP later begins too",
            foreign_thread,
        ),
        check(
            "thread-data",
            Forms::Either,
            "5.0 §4.6.1.5, 6.0 §36.13",
            "ompt_get_thread_data gives the thread's word, NULL on a foreign thread",
            thread_data,
        ),
    ],
};

fn initial_thread(form: Form) -> Verdict {
    start(form)?;
    let events = log::all();
    let [begin, task, ..] = events.as_slice() else {
        return missing(format!("only {} events", events.len()));
    };
    if !begin.is(ompt_callbacks_t::THREAD_BEGIN) || begin.kind != ompt_thread_t::INITIAL.0 {
        return wrong(format!("the first event is {begin}"));
    }
    demand(begin.was_fresh, || "the thread's data word is not zero at first".to_owned())?;
    if !task.is(ompt_callbacks_t::IMPLICIT_TASK) || !task.begins() {
        return wrong(format!("the second event is {task}"));
    }
    let flags = task.flags as u32;
    demand(flags & ompt_task_flag_t::INITIAL.0 != 0, || {
        format!("the initial task's flags are {flags:#x}")
    })?;
    if (task.count, task.index) != (1, 1) {
        return wrong(format!(
            "the initial task has actual_parallelism {} and index {}, not 1 and 1",
            task.count, task.index
        ));
    }
    demand(task.was_fresh, || "the initial task's data word is not zero at first".to_owned())
}

fn worker_begins(form: Form) -> Verdict {
    let region = region(form, 2, |_| {})?;
    let Some(worker) = region.by_index.get(&1).and_then(|events| events.first()) else {
        return missing("no worker");
    };
    let all = log::all();
    let Some(first) = all.iter().find(|event| event.thread == worker.thread) else {
        return missing("no event of a worker");
    };
    if !first.is(ompt_callbacks_t::THREAD_BEGIN) || first.kind != ompt_thread_t::WORKER.0 {
        return wrong(format!("a worker's first event is {first}"));
    }
    demand(first.was_fresh, || "the thread's data word is not zero at first".to_owned())
}

fn foreign_thread(form: Form) -> Verdict {
    start(form)?;
    let mark = log::mark();
    thread::spawn(move || crate::construct::parallel(form, 2, |_| {})).join().ok();
    let events = log::since(mark);
    match events.first() {
        None => missing("a region on a second native thread has no event"),
        Some(first) if first.is(ompt_callbacks_t::THREAD_BEGIN) => Ok(()),
        Some(first) => wrong(format!("the second native thread's first event is {first}")),
    }
}

fn thread_data(form: Form) -> Verdict {
    start(form)?;
    let Some(get) = tool::get_thread_data() else { return missing("no ompt_get_thread_data") };
    let Some(begin) = log::all().into_iter().next() else { return missing("no thread_begin") };
    // SAFETY: the entry point is valid from the initializer on.
    let seen = word(unsafe { get() });
    if seen != begin.task {
        return wrong(format!(
            "thread_begin has {}, the entry point gives {}",
            shown(begin.task),
            shown(seen)
        ));
    }
    static IS_NULL: AtomicBool = AtomicBool::new(false);
    thread::spawn(move || {
        // SAFETY: the entry point is valid from the initializer on, also on a thread that has not
        // met OpenMP.
        IS_NULL.store(unsafe { get() }.is_null(), Ordering::Relaxed);
    })
    .join()
    .ok();
    call!(omp_get_max_threads() -> i32);
    demand(IS_NULL.load(Ordering::Relaxed), || {
        "not NULL on a thread that has not met OpenMP".to_owned()
    })
}
