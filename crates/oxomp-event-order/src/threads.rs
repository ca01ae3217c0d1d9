//! Native threads: their first events, and their last.

use oxomp_sys::ompt::ompt_callbacks_t;

use crate::event::Event;
use crate::rule::Rule;
use crate::run::Run;

/// Checks that the event lies between the begin and the end of its thread.
pub(crate) fn check(run: &mut Run<'_>, event: &Event) {
    let is_new = !run.threads.contains_key(&event.thread);
    if is_new != (event.code == ompt_callbacks_t::THREAD_BEGIN) {
        let what = if is_new { "has an event before its thread_begin" } else { "begins twice" };
        run.say(Rule::ThreadBegin, format!("a thread {what}"));
    }
    if run.threads.entry(event.thread).or_default().is_over {
        run.say(Rule::ThreadEnd, "an event after the thread's thread_end");
    }
}

/// Ends a thread.
pub(crate) fn end(run: &mut Run<'_>, event: &Event) {
    let thread = run.threads.entry(event.thread).or_default();
    thread.is_over = true;
    if !thread.stack.is_empty() {
        run.say(Rule::ThreadEnd, "a thread ends inside a task");
    }
}

/// Checks that every thread has ended.
pub(crate) fn at_end(run: &mut Run<'_>) {
    let open = run.threads.iter().filter(|(_, thread)| !thread.is_over);
    for thread in open.map(|(name, _)| *name).collect::<Vec<_>>() {
        run.say_of(Rule::ThreadUnended, format!("thread {thread} has no end"), &[]);
    }
}
