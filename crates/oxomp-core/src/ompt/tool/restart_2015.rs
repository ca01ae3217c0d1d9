//! The second and later sessions of a tool of the 2015 report.
//!
//! A session lasts from the tool's initializer to the callback of the end of the runtime. The
//! report allows the runtime to start again after its end, and to call the initializer again
//! (§3.1); in the child of a fork(2) it is to ask `ompt_tool` again (§7.1). So after
//! `omp_pause_resource` with the hard kind, and in a child, the tool waits for the next use of
//! OpenMP: all events are enabled, and their listener, here, starts the tool at the first one. The
//! thread that called the routine, or that is left in the child, also starts it at its next call,
//! unless it is in a region (`process::root::hide`).

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicI32};

use oxomp_base::os;
use oxomp_protocol::yield_now;

use super::found_tool::{self, FoundTool, is_report_2015};
use super::phase::{self, INACTIVE, NOT_SEARCHED, PENDING, STATE, is_active};
use super::search::{has_asked_2015, may_find_tool};
use super::start_and_end::{end, forget_search, is_searching, start};
use super::{offload, report_2015, session};
use crate::block::{Alone, Thread};
use crate::ompt::event::{ACTIVE, Event, Hear, Listener, ThreadKind, emit, set_mask, set_tool};

/// Values of `WAITING` other than the kernel's id of the thread that starts the tool again: no tool
/// waits, or one waits for the next use of OpenMP.
///
/// `wait` makes it `YES`. Of the threads that find `YES`, the one whose exchange succeeds starts
/// the tool; the others wait until the word is not that thread's id any more, and then see the
/// phase that `start` has stored (Release and Acquire). At exit(3) `close` makes it `NO` without a
/// start. If a thread starts the tool just before, its session lasts until the process is gone, and
/// the tool is not told of an end: no event of exit follows.
const NO: i32 = 0;
const YES: i32 = -1;
static WAITING: AtomicI32 = AtomicI32::new(NO);

/// exit(3) has ended the tool: the process, and its children, have no other session.
static IS_OVER: AtomicBool = AtomicBool::new(false);

/// Whether a tool waits for the next use of OpenMP.
pub(crate) fn is_waiting() -> bool {
    WAITING.load(Acquire) == YES
}

/// Whether a tool may wait for a routine that needs no thread. False from the call of
/// `waits_for_use` by a routine until `wait`.
///
/// `wait` comes after the phase `PENDING`. If a routine's exchange follows this store in the order
/// of the word, it acquires that phase; if it precedes the store, it is overwritten. So the word is
/// never false while there is a waiting tool that no routine has found.
static MAY_WAIT: AtomicBool = AtomicBool::new(true);

/// Whether a tool may wait for a routine that needs no thread, as far as is known without a search.
pub fn may_wait() -> bool {
    MAY_WAIT.load(Relaxed)
}

/// Whether a tool may wait for the first use of OpenMP, or waits for the next one. Notes that a
/// routine has asked, so that later ones need not.
pub(crate) fn waits_for_use() -> bool {
    MAY_WAIT.swap(false, AcqRel);
    match STATE.load(Acquire) {
        NOT_SEARCHED => is_waiting() || may_find_tool(),
        PENDING => true,
        _ => false,
    }
}

/// Makes the next event start a tool.
fn wait() {
    // Release: pairs with the exchange in `waits_for_use`.
    MAY_WAIT.store(true, Release);
    WAITING.store(YES, Release);
    set_tool(&LISTENER);
    set_mask(emit::EMITTED | ACTIVE);
}

/// The listener of the tool's events in the session of that number: there may be threads of earlier
/// sessions. `None` if the tool has its usual one.
pub(super) fn listener(session: u32) -> Option<&'static Listener> {
    (session > 1 && is_report_2015()).then_some(&LISTENER)
}

/// Whether the tool's session can end before the process does: that of a tool of the report.
pub(crate) fn is_restartable() -> bool {
    is_active() && is_report_2015()
}

/// Ends the session of the tool, which starts again at the next use of OpenMP.
///
/// Between the end and `wait` no thread starts the tool: `resume` finds no tool that waits.
pub(crate) fn pause() {
    let has_ended = end(PENDING);
    // Otherwise the tool has forked in the callback of its end, and this is the child, in which
    // `after_fork_in_child` has called `wait`.
    if has_ended && STATE.load(Acquire) == PENDING {
        wait();
    }
}

/// Starts the tool if it waits for the use of OpenMP. If another thread is starting it, waits for
/// that.
pub(crate) fn resume() {
    if WAITING.load(Acquire) == NO {
        return;
    }
    let me = os::thread_id();
    if WAITING.compare_exchange(YES, me, AcqRel, Acquire).is_ok() {
        if let Some(hooks) = phase::hooks() {
            start(hooks);
        }
        // In the child of a fork(2) by the initializer the tool waits again.
        let _ = WAITING.compare_exchange(me, NO, AcqRel, Acquire);
        return;
    }
    while ![NO, YES, me].contains(&WAITING.load(Acquire)) {
        yield_now();
    }
}

/// The listener that starts the tool again, and that makes each thread join the session.
static LISTENER: Listener = Listener::of::<Again>();

struct Again;

impl Hear for Again {
    #[inline(always)]
    fn hear(event: &Event<'_>) {
        let event = *event;
        hear(&event);
    }
}

#[inline(never)]
fn hear(event: &Event<'_>) {
    // An event of a thread that ends or has no work is not a use of OpenMP.
    let ends = matches!(
        event,
        Event::ThreadEnd { .. } | Event::ImplicitTaskEnd { .. } | Event::Idle { .. }
    );
    if !is_active() && !ends {
        // A thread that is hidden, or new, comes back or becomes a root.
        let _ = Thread::current();
        resume();
    }
    if !is_active() {
        return;
    }
    join(event);
    if let Some(tool) = found_tool::get() {
        tool.listener().pass(event);
    }
}

/// Reports the begin of the calling thread to this session, before the thread's first event in it.
fn join(event: &Event<'_>) {
    let Some(thread) = Thread::known() else { return };
    let session = session::current();
    if thread.ompt.session.replace(session) == session || matches!(event, Event::ThreadBegin { .. })
    {
        return;
    }
    match (thread.initial.get(), phase::hooks()) {
        (Some(_), Some(hooks)) => {
            thread.ompt.is_announced.set(false);
            (hooks.announce)(thread);
        }
        _ => emit::thread_begin(&thread.ompt, ThreadKind::Worker),
    }
}

/// Whether the children of the process search for a tool of their own: if `ompt_tool` has been
/// asked, and no tool of OpenMP 5 or 6 was found.
fn is_forgotten_by_children() -> bool {
    let goes_on = matches!(found_tool::get(), Some(FoundTool::OpenMp5(_)));
    // A tool that calls fork(2) when it is asked goes on with the answer, in the child too.
    has_asked_2015() && !goes_on && !is_searching() && !IS_OVER.load(Relaxed)
}

/// In the child of a fork(2): the child does not continue the session of the parent's tool.
pub(super) fn after_fork_in_child(_: &Alone) {
    // A thread that is gone may have been starting the tool: no thread waits for that start.
    if !is_searching() && WAITING.load(Acquire) != YES {
        WAITING.store(NO, Release);
    }
    if is_forgotten_by_children() {
        report_2015::clear();
        offload::forget_begin();
        found_tool::keep(None);
        forget_search();
        // Otherwise the start of the runtime, which is to come, begins with the search.
        if phase::hooks().is_some() {
            wait();
        }
    }
}

/// The process ends, and the tool has ended before: no tool starts any more.
pub(super) fn close() {
    IS_OVER.store(true, Relaxed);
    if WAITING.compare_exchange(YES, NO, AcqRel, Acquire).is_ok() {
        STATE.store(INACTIVE, Release);
        set_mask(0);
    }
}
