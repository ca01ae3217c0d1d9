//! A tool of OpenMP 5 that is attached while the program runs (`oxomp_sys::attach`).
//!
//! Where no tool was found, the listener here is the tool's. No event reaches it until the request
//! has added events to the mask from outside. The thread of the first event after that loads the
//! library and initializes the tool; events of other threads meanwhile are not heard.
//!
//! The tool's callbacks assume that they see begins before ends, so a thread is hidden until it
//! begins something new: a root, when it begins a construct outside of regions; a worker, when it
//! begins its part in a region whose begin was reported; a new thread, at once. Its first event is
//! its begin. What was under way is not reported, until it ends.

use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use oxomp_sys::attach::{
    ATTACHED, CLOSED, FAILED, LEAVING, OPEN, REQUESTED, STARTING, TAKEN, oxomp_attach_t,
};

use super::found_tool::{self, FoundTool};
use super::phase::{self, INACTIVE, PENDING, STATE, is_active};
use super::request::{request, variable};
use super::{search, session, start_and_end};
use crate::block::{Alone, Thread};
use crate::ompt::event::{Endpoint, Event, Hear, Listener, ThreadKind, emit, set_mask, set_tool};

/// There is no tool: one can be attached.
pub(super) fn open() {
    if let Some(variable) = variable() {
        set_tool(&LISTENER);
        // Release: a request finds the listener.
        variable.state.store(OPEN, Release);
    }
}

/// The tool that a search has found starts: no other one can be attached.
pub(super) fn take() {
    if let Some(variable) = variable()
        && variable.state.load(Acquire) == CLOSED
    {
        variable.state.store(TAKEN, Release);
    }
}

/// The process ends: no tool can be attached any more.
pub(super) fn close() {
    if let Some(variable) = variable() {
        variable.state.swap(CLOSED, AcqRel);
    }
}

/// The listener of the tool, if it is an attached one.
pub(super) fn listener() -> Option<&'static Listener> {
    request().map(|_| &LISTENER)
}

static LISTENER: Listener = Listener::of::<Attachable>();

struct Attachable;

impl Hear for Attachable {
    #[inline(always)]
    fn hear(event: &Event<'_>) {
        let event = *event;
        hear(&event);
    }
}

#[inline(never)]
fn hear(event: &Event<'_>) {
    if !is_active() {
        start();
    }
    let Some(thread) = Thread::known().filter(|_| is_active()) else { return };
    let session = session::current();
    let is_known = is_known(thread, session, event);
    if let Event::ParallelBegin { parallel, .. } = event {
        parallel.session.set(if is_known { session } else { 0 });
    }
    if is_known && let Some(tool) = found_tool::get() {
        tool.listener().pass(event);
    }
}

/// In the word of a thread's session: the thread's begin was reported, and it is in a region whose
/// begin was not.
const HIDDEN: u32 = 1 << 31;

/// Whether the tool is to hear the event of the thread.
fn is_known(thread: &Thread, session: u32, event: &Event<'_>) -> bool {
    let state = &thread.ompt.session;
    match event {
        // A worker that has been in a region of one root may go on with a region of another.
        Event::ImplicitTaskBegin { parallel, .. }
            if state.get() == session
                && thread.initial.get().is_none()
                && parallel.session.get() != session =>
        {
            state.set(session | HIDDEN);
            false
        }
        Event::ThreadEnd { .. } => state.get() & !HIDDEN == session,
        _ => state.get() == session || joins(thread, session, event),
    }
}

/// Starts the tool that is requested, if one is.
fn start() {
    let Some(variable) = variable() else { return };
    let state = &variable.state;
    if state.compare_exchange(REQUESTED, STARTING, AcqRel, Acquire).is_err() {
        return;
    }
    start_and_end::become_starter();
    let started = load(variable).and_then(|tool| {
        found_tool::keep(Some(tool));
        let hooks = phase::hooks()
            .filter(|_| STATE.compare_exchange(INACTIVE, PENDING, AcqRel, Acquire).is_ok());
        let is_active = hooks.is_some_and(start_and_end::start);
        if is_active { Ok(()) } else { Err("the tool does not want to run".to_owned()) }
    });
    match started {
        Ok(()) => state.store(ATTACHED, Release),
        Err(reason) => {
            set_mask(0);
            set_tool(&LISTENER);
            let bytes = reason.bytes().chain([0]);
            for (place, byte) in variable.text.iter().zip(bytes) {
                place.store(byte, Relaxed);
            }
            state.store(FAILED, Release);
        }
    }
}

/// Loads the library of the request, and asks the tool in it.
fn load(variable: &oxomp_attach_t) -> Result<FoundTool, String> {
    let path: Vec<u8> = variable.strings().next().into_iter().flatten().collect();
    search::attached(&PathBuf::from(OsString::from_vec(path)))
}

/// Whether the thread, of which the tool does not know, begins something with this event; reports
/// the begin of the thread then.
fn joins(thread: &Thread, session: u32, event: &Event<'_>) -> bool {
    match (event, thread.initial.get()) {
        (Event::ThreadBegin { .. }, _) => thread.ompt.session.set(session),
        (_, Some(initial)) if ptr::eq(thread.implicit_task(), initial) && begins(event) => {
            let Some(hooks) = phase::hooks() else { return false };
            thread.ompt.session.set(session);
            thread.ompt.is_announced.set(false);
            (hooks.announce)(thread);
        }
        (Event::ImplicitTaskBegin { parallel, .. }, None) if parallel.session.get() == session => {
            if thread.ompt.session.replace(session) != session | HIDDEN {
                thread.ompt.data.set(0);
                emit::thread_begin(&thread.ompt, ThreadKind::Worker);
            }
        }
        _ => return false,
    }
    true
}

/// Whether a construct begins with the event.
fn begins(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::ParallelBegin { .. }
            | Event::TaskCreate { .. }
            | Event::MutexAcquire { .. }
            | Event::TargetEmi { endpoint: Endpoint::Begin, .. }
            | Event::SyncRegion { endpoint: Endpoint::Begin, .. }
            | Event::Work { endpoint: Endpoint::Begin, .. }
    )
}

/// The tool has ended: another one can be attached.
pub(super) fn reopen() {
    if let Some(variable) = variable()
        && matches!(variable.state.load(Acquire), ATTACHED | LEAVING)
    {
        open();
    }
}

/// In the child of a fork(2), to which no request was made: it has no tool, but can get one. If the
/// calling thread is just starting the tool, it goes on with that.
pub(super) fn after_fork_in_child(_: &Alone) {
    let Some(variable) = variable() else { return };
    match variable.state.load(Acquire) {
        STARTING if start_and_end::is_starter() => return,
        REQUESTED | STARTING | ATTACHED | LEAVING => {}
        _ => return,
    }
    match found_tool::get() {
        Some(tool) => tool.clear(),
        None => set_mask(0),
    }
    found_tool::keep(None);
    STATE.store(INACTIVE, Release);
    open();
}
