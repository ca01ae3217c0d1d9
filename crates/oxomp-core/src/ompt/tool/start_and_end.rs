//! A session of the tool: the search for it, its initialization and its end.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use core::sync::atomic::{AtomicBool, AtomicU64};

use oxomp_base::os;
use oxomp_protocol::yield_now;

use super::found_tool::{self, FoundTool};
use super::phase::{
    self, ACTIVE, Hooks, INACTIVE, INITIALIZING, NOT_SEARCHED, PENDING, SEARCHING, STATE,
    is_active, shut_down,
};
use super::running_callbacks::{self, Ending};
use super::search::{Moment, Outcome};
use super::{attach, callbacks, offload, restart_2015, search, session};
use crate::block::{Alone, Thread};
use crate::ompt::event::set_tool;
use crate::race_detector;

/// The native thread that searches for a tool, and then the one that initializes it; a thread has
/// the same number in the child of a fork(2). 0 if a search at load has found no tool.
static SEARCHER: AtomicU64 = AtomicU64::new(0);

/// Whether there is a tool that starts when the library is loaded. Called by the library's
/// constructor: reads three variables and asks the loader, and searches for a tool only if there
/// may be one. If the search finds none, the first use of OpenMP searches again.
pub fn look_for_tool() -> bool {
    if STATE.load(Acquire) != NOT_SEARCHED || !search::may_start_at_load() {
        return false;
    }
    search(Moment::Load);
    STATE.load(Acquire) == PENDING && starts_at_load()
}

fn starts_at_load() -> bool {
    found_tool::get().is_some_and(FoundTool::starts_at_load)
}

/// Searches for a tool unless one has been found: the first step of the runtime's start, before it
/// reads its environment, which the tool may still change. This is the last search. Returns when
/// the search is over, on whichever thread it runs.
///
/// A call during the search, by a library that is loaded for it, returns at once.
pub fn find() {
    if STATE.load(Acquire) >= PENDING {
        return;
    }
    search(Moment::FirstUse);
}

#[cold]
fn search(moment: Moment) {
    let me = os::native_thread();
    while STATE.compare_exchange(NOT_SEARCHED, SEARCHING, Acquire, Acquire).is_err() {
        // A thread that waits for a search at load makes its own if that one has found no tool.
        while STATE.load(Acquire) == SEARCHING && SEARCHER.load(Acquire) != me {
            yield_now();
        }
        if STATE.load(Acquire) != NOT_SEARCHED {
            return;
        }
    }
    SEARCHER.store(me, Release);
    let (tool, next) = match search::for_tool(moment) {
        Outcome::Tool(tool) => (Some(tool), PENDING),
        Outcome::Nothing => (None, INACTIVE),
        Outcome::NothingYet => (None, NOT_SEARCHED),
    };
    found_tool::keep(tool);
    if next == NOT_SEARCHED {
        forget_search();
    } else {
        STATE.store(next, Release);
    }
}

/// The next search may run on another thread, for which the thread of the last one has to wait.
pub(super) fn forget_search() {
    SEARCHER.store(0, Release);
    STATE.store(NOT_SEARCHED, Release);
}

/// Searches for a tool that the call of a routine which needs no thread is to start. Returns
/// whether all tools that were asked decline. Then other routines do not ask again, and the first
/// construct makes the last search: a tool may wait for what `main` does between the two.
pub(crate) fn declines_a_routine() -> bool {
    if STATE.load(Acquire) == NOT_SEARCHED {
        search(Moment::Load);
    }
    STATE.load(Acquire) == NOT_SEARCHED
}

/// Starts the tool that a search finds now or has found, before the runtime starts: this applies
/// only to an interface whose tools start that early. Called when a library is loaded.
pub(crate) fn start_at_load(hooks: Hooks) {
    if STATE.load(Acquire) < PENDING {
        search(Moment::Load);
    }
    match STATE.load(Acquire) {
        NOT_SEARCHED => {}
        PENDING if !starts_at_load() => {}
        _ => {
            start(hooks);
        }
    }
}

/// Starts the tool that `find` found: calls its initializer and enables events. Called by
/// `start_at_load`, or as the last step of the runtime's start, before any event. Returns whether a
/// tool is active.
pub(crate) fn start(hooks: Hooks) -> bool {
    phase::keep(hooks);
    find();
    let tool = found_tool::get();
    match tool {
        Some(tool) if STATE.compare_exchange(PENDING, INITIALIZING, Acquire, Acquire).is_ok() => {
            SEARCHER.store(os::native_thread(), Release);
            attach::take();
            initialize(tool, hooks)
        }
        Some(tool) => {
            tool.publish();
            is_active()
        }
        None => {
            // This empties the mask, except for a debugger and the consistency check.
            callbacks::publish();
            attach::open();
            false
        }
    }
}

/// Calls the tool's initializer, in the phase `INITIALIZING`.
fn initialize(tool: FoundTool, hooks: Hooks) -> bool {
    running_callbacks::prepare();
    race_detector::prepare();
    let session = session::begin();
    let listener = attach::listener().or_else(|| restart_2015::listener(session));
    set_tool(listener.unwrap_or_else(|| tool.listener()));
    let goes_on = tool.initialize();
    // Otherwise the tool has ended itself in the meantime, or forked, and this is the child.
    let wanted = if goes_on { ACTIVE } else { INACTIVE };
    let stays = STATE.compare_exchange(INITIALIZING, wanted, AcqRel, Acquire).is_ok();
    let goes_on = goes_on && stays;
    if goes_on {
        // A session that is not the first one ends with the first one's registration.
        static REGISTERED: AtomicBool = AtomicBool::new(false);
        if !REGISTERED.swap(true, AcqRel) {
            os::at_exit::register(at_exit);
        }
        tool.publish();
        offload::tell_all();
    } else if !restart_2015::is_waiting() {
        tool.clear();
    }
    if let Some(root) = Thread::known() {
        // The thread became a root before the tool was active: at the runtime's start, or by a call
        // of the initializer.
        (hooks.announce)(root);
    }
    goes_on
}

/// The process ends. May be called twice.
extern "C" fn at_exit() {
    attach::begin_end();
    if !offload::ends_tool() {
        shut_down();
        phase::wait_for_end();
        restart_2015::close();
        attach::close();
    }
}

/// Ends the tool after the last event, if one is active or its initializer runs: unregisters its
/// callbacks, waits for those that run, and calls its finalizer. If another thread ends the tool,
/// returns when no callback can begin any more; the finalizer may then still run.
pub fn finish() {
    end(INACTIVE);
}

/// As `finish`, after which the tool is in the phase `next`. Returns whether the caller has ended
/// the tool.
pub(super) fn end(next: u32) -> bool {
    let _ending = Ending::enter();
    let tool = found_tool::get();
    let Some(tool) = tool.filter(|_| phase::begin_end()) else {
        if let Some(tool) = tool
            && phase::is_ended_by_another()
        {
            tool.wait_until_clear();
            running_callbacks::wait_for_those_that_stay();
        }
        return false;
    };
    let finalizer = tool.finalizer();
    offload::disconnect();
    tool.clear();
    running_callbacks::wait_for_others();
    finalizer.call();
    phase::end_as(next);
    attach::reopen();
    true
}

/// Whether the calling thread searches for a tool, perhaps since before a fork(2) that the tool has
/// called.
pub(super) fn is_searching() -> bool {
    STATE.load(Acquire) == SEARCHING && SEARCHER.load(Acquire) == os::native_thread()
}

/// The calling thread is about to load a tool, and then starts it.
pub(super) fn become_starter() {
    SEARCHER.store(os::native_thread(), Release);
}

/// Whether the calling thread was the last to begin the search for a tool, or the initialization of
/// one.
pub(super) fn is_starter() -> bool {
    SEARCHER.load(Acquire) == os::native_thread()
}

/// In the child of a fork(2): if a thread that is gone was making a search, or executing the
/// initialization, that never ends; the child makes its own.
pub(super) fn after_fork_in_child(_: &Alone) {
    let is_begun = matches!(STATE.load(Acquire), SEARCHING | INITIALIZING);
    if is_begun && SEARCHER.load(Acquire) != os::native_thread() {
        if let Some(tool) = found_tool::get() {
            tool.clear();
        }
        found_tool::keep(None);
        forget_search();
    }
}
