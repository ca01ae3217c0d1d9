//! The end of the tool: at exit, and at its own wish.

use std::sync::atomic::{AtomicUsize, Ordering};

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_task_flag_t};

use super::check::{Forms, Group, check};
use crate::construct::{Form, parallel};
use crate::recorded::start;
use crate::tool::{self, log};
use crate::verdict::{Fault, Verdict, demand, missing, tell, wrong};

pub(super) const GROUP: Group = Group {
    title: "The end",
    checks: &[
        check(
            "exit-finalize",
            Forms::Either,
            "5.1 §4.5.1.2, 6.0 §34.1.2",
            "at the program's end the finalizer is called, after the last event",
            at_exit,
        ),
        check(
            "exit-threads",
            Forms::Either,
            "6.0 §14.13, §34.2.2",
            "at the program's end every thread has its thread_end",
            threads_at_exit,
        ),
        check(
            "exit-initial-task",
            Forms::Either,
            "6.0 §14.13",
            "at the program's end the initial task ends, before its thread",
            initial_task_at_exit,
        ),
        check(
            "finalize-tool",
            Forms::Either,
            "5.0 §4.6.1.20, 6.0 §36.20",
            "ompt_finalize_tool calls the finalizer, and no event follows",
            finalize_tool,
        ),
        check(
            "finalize-in-callback",
            Forms::Both,
            "6.0 §36.20",
            "ompt_finalize_tool in a callback: the program goes on",
            finalize_in_callback,
        ),
    ],
};

/// Leaves the verdict to the finalizer: until it is called, `fault` is the verdict.
fn decide_at_finalize(fault: Fault, decide: fn()) -> Verdict {
    *tool::AT_FINALIZE.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(decide);
    Err(fault)
}

fn not_called() -> Fault {
    Fault::Missing("the finalizer is not called".to_owned())
}

fn at_exit(form: Form) -> Verdict {
    start(form)?;
    parallel(form, 2, |_| {});
    decide_at_finalize(not_called(), || {
        // An event after this call changes the verdict at once.
        EVENTS_AT_FINALIZE.store(log::mark(), Ordering::Relaxed);
        tell(&Ok(()));
        // SAFETY: registers a function of ours; exit handlers may register further ones.
        unsafe { libc::atexit(look_for_later_events) };
    })
}

static EVENTS_AT_FINALIZE: AtomicUsize = AtomicUsize::new(0);

extern "C" fn look_for_later_events() {
    let later = log::since(EVENTS_AT_FINALIZE.load(Ordering::Relaxed));
    if let Some(event) = later.first() {
        tell(&wrong(format!("{event} comes after the finalizer")));
    }
}

fn threads_at_exit(form: Form) -> Verdict {
    start(form)?;
    parallel(form, 3, |_| {});
    decide_at_finalize(not_called(), || {
        let all = log::all();
        let threads = |kind: ompt_callbacks_t| {
            let mut words: Vec<_> =
                all.iter().filter(|event| event.is(kind)).map(|event| event.task).collect();
            words.sort_unstable();
            words
        };
        let begun = threads(ompt_callbacks_t::THREAD_BEGIN);
        let ended = threads(ompt_callbacks_t::THREAD_END);
        tell(&demand(begun == ended, || {
            format!("{} threads have begun, {} have ended", begun.len(), ended.len())
        }));
    })
}

fn initial_task_at_exit(form: Form) -> Verdict {
    start(form)?;
    decide_at_finalize(not_called(), || {
        let all = log::all();
        let task = all.iter().position(|event| {
            event.is(ompt_callbacks_t::IMPLICIT_TASK)
                && event.ends()
                && event.flags as u32 & ompt_task_flag_t::INITIAL.0 != 0
        });
        let thread = all.iter().position(|event| event.is(ompt_callbacks_t::THREAD_END));
        tell(&match (task, thread) {
            (None, _) => missing("the initial task has no end"),
            (_, None) => missing("the initial thread has no end"),
            (Some(task), Some(thread)) => {
                demand(task < thread, || "the initial thread ends before its task".to_owned())
            }
        });
    })
}

fn finalize_tool(form: Form) -> Verdict {
    start(form)?;
    parallel(form, 2, |_| {});
    let Some(end) = tool::finalize_tool() else { return missing("no ompt_finalize_tool") };
    // SAFETY: the call is outside every region, as 6.0 wants.
    unsafe { end() };
    demand(tool::started().finalized == 1, || {
        format!("the finalizer is called {} times", tool::started().finalized)
    })?;
    let mark = log::mark();
    parallel(form, 2, |_| {});
    match log::since(mark).first() {
        Some(event) => wrong(format!("{event} is delivered afterwards")),
        None => Ok(()),
    }
}

fn finalize_in_callback(form: Form) -> Verdict {
    start(form)?;
    static RAN: AtomicUsize = AtomicUsize::new(0);
    tool::end_at(tool::Hook::ImplicitTask);
    let count = |_| {
        RAN.fetch_add(1, Ordering::Relaxed);
    };
    parallel(form, 2, count);
    let mark = log::mark();
    parallel(form, 2, count);
    demand(RAN.load(Ordering::Relaxed) == 4, || "the program's regions do not run".to_owned())?;
    demand(tool::started().finalized == 1, || {
        format!("the finalizer is called {} times", tool::started().finalized)
    })?;
    match log::since(mark).first() {
        Some(event) => wrong(format!("{event} is delivered afterwards")),
        None => Ok(()),
    }
}
