//! A tool of OpenMP 5 that is attached while the program runs (`oxomp_sys::attach`).
//!
//! If the search has found no tool, the listener of this room takes the tool's place. No event
//! reaches it until the command has added events to the mask from outside. The first event after
//! that begins a thread of the runtime's own, which loads the library and initializes the tool: the
//! thread of the event may hold the loader's lock, and goes on. Events until the tool is active are
//! not reported.
//!
//! The tool's callbacks assume that they see begins before ends, so a thread is hidden until it
//! begins something new: a root, when it begins a construct outside of regions; a worker, when it
//! begins its part in a region whose begin was reported; a new thread, at once. Its first event is
//! its begin. What was under way is not reported, until it ends; unless the tool has asked for it
//! (`under_way`): then a thread joins with its next event of any kind, and the tool is told of the
//! regions that the thread is in.

use core::ffi::c_void;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use core::sync::atomic::fence;
use core::{mem, ptr};
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use oxomp_base::os;
use oxomp_sys::attach::{ATTACHED, CLOSED, ENDING, FAILED, OPEN, STARTING, TAKEN, oxomp_attach_t};

use super::found_tool::{self, FoundTool};
use super::phase::{self, INACTIVE, PENDING, STATE, is_active};
use super::request::{request, variable};
use super::under_way::{self, Regions};
use super::{callbacks, search, session, start_and_end};
use crate::block::{Alone, Thread};
use crate::ompt::event::flags::TASK_INITIAL;
use crate::ompt::event::{Endpoint, Event, Hear, Listener, ThreadKind, emit, set_tool};

/// There is no tool: one can be attached.
pub(super) fn open() {
    if let Some(variable) = variable() {
        set_tool(&LISTENER);
        // Release: a wish finds the listener.
        variable.state.store(OPEN, Release);
    }
}

/// The tool that a search has found starts: no other one can be attached.
pub(super) fn take() {
    go(CLOSED, TAKEN);
}

/// The process ends, and with it the tool that was attached.
pub(super) fn begin_end() {
    for (from, to) in [(ATTACHED, ENDING), (OPEN, CLOSED), (FAILED, CLOSED)] {
        go(from, to);
    }
}

/// The process has ended the tool: none can be attached any more.
pub(super) fn close() {
    if let Some(variable) = variable() {
        variable.state.store(CLOSED, Release);
    }
}

/// Goes from one state to another; false in any other state.
fn go(from: u32, to: u32) -> bool {
    variable()
        .is_some_and(|variable| variable.state.compare_exchange(from, to, AcqRel, Acquire).is_ok())
}

/// The listener of the tool, if it is an attached one.
pub(super) fn listener() -> Option<&'static Listener> {
    request().map(|_| &LISTENER)
}

/// Bytes of the stack of the thread that starts the tool.
const STACK: usize = 512 << 10;

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
        return answer();
    }
    let Some(thread) = Thread::known() else { return };
    let session = session::current();
    let is_known = is_known(thread, session, event);
    if let Event::ParallelBegin { parallel, .. } = event {
        parallel.session.set(if is_known { session } else { 0 });
    }
    if is_known && let Some(tool) = found_tool::get() {
        if under_way::is_heard() {
            under_way::adopt_tasks(event, session);
        }
        tool.listener().pass(event);
    }
}

/// In the word of a thread's session: the thread's begin was reported, and it is in a region whose
/// begin was not.
const HIDDEN: u32 = 1 << 31;

/// In the word of a thread's session: the thread's begin was not reported, and it waits at the end
/// of a region whose begin was not, where it may execute tasks.
const LEAVING: u32 = 1 << 30;

/// Whether the tool is to hear the event of the thread.
fn is_known(thread: &Thread, session: u32, event: &Event<'_>) -> bool {
    let state = &thread.ompt.session;
    match event {
        // A region whose begin was not reported is told as one that was under way.
        Event::ImplicitTaskBegin { parallel, flags, .. }
            if under_way::is_heard()
                && flags & TASK_INITIAL == 0
                && thread.initial.get().is_none()
                && parallel.session.get() != session =>
        {
            tell_under_way(thread, session, event);
            false
        }
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

/// Answers the wish for a tool, if there is one: begins the thread that loads the tool.
fn answer() {
    let Some(variable) = variable() else { return };
    let wish = variable.wish.load(Acquire);
    if wish == 0 || wish == variable.answered.load(Acquire) {
        return forget_events(variable);
    }
    if !go(OPEN, STARTING) && !go(FAILED, STARTING) {
        return;
    }
    // The command withdraws a wish and then looks at the state: either it sees that the tool
    // starts, or this thread sees that the wish is gone, whose text the command may change.
    fence(SeqCst);
    if variable.wish.load(Acquire) != wish {
        variable.state.store(OPEN, Release);
        return;
    }
    variable.answered.store(wish, Release);
    variable.reason[0].store(0, Relaxed);
    if let Err(error) = begin_starter() {
        fail(variable, &format!("the process cannot have another thread: {error}"));
    }
}

/// No command wishes for a tool, so constructs need not raise events for one.
#[cold]
fn forget_events(variable: &oxomp_attach_t) {
    if matches!(variable.state.load(Acquire), OPEN | FAILED) {
        callbacks::publish();
    }
}

/// Begins the thread that starts the tool, with all signals blocked: they are the program's. Takes
/// no lock of the loader's, which the calling thread's team may wait for.
#[cold]
fn begin_starter() -> io::Result<()> {
    // SAFETY: the sets have room for the answers; the thread's function needs no argument.
    let begun = unsafe {
        let mut all = mem::zeroed::<libc::sigset_t>();
        let mut before = mem::zeroed::<libc::sigset_t>();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let begun = os::spawn(starter, ptr::null_mut(), STACK);
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut());
        begun
    };
    begun.map(drop).map_err(io::Error::from_raw_os_error)
}

/// The function of the thread that starts the tool.
extern "C" fn starter(_: *mut c_void) -> *mut c_void {
    if let Some(variable) = variable() {
        start(variable);
    }
    ptr::null_mut()
}

/// Starts the tool that is wished for.
fn start(variable: &oxomp_attach_t) {
    start_and_end::become_starter();
    let tool = match load(variable) {
        Ok(tool) => tool,
        Err(reason) => return fail(variable, &reason),
    };
    found_tool::keep(Some(tool));
    let is_pending = STATE.compare_exchange(INACTIVE, PENDING, AcqRel, Acquire).is_ok();
    match phase::hooks() {
        Some(hooks) if is_pending && start_and_end::start(hooks) => {
            go(STARTING, ATTACHED);
        }
        _ => fail(variable, "the tool does not want to run"),
    }
}

/// There is no tool, for this reason, if the tool has told no other.
fn fail(variable: &oxomp_attach_t, reason: &str) {
    found_tool::keep(None);
    under_way::forget();
    callbacks::publish();
    set_tool(&LISTENER);
    variable.tell(reason);
    go(STARTING, FAILED);
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
        (Event::ImplicitTaskBegin { .. }, Some(_)) | (Event::ParallelEnd { .. }, _) => {
            return false;
        }
        (Event::ImplicitTaskBegin { parallel, .. }, None) if parallel.session.get() == session => {
            if thread.ompt.session.replace(session) != session | HIDDEN {
                thread.ompt.data.set(0);
                emit::thread_begin(&thread.ompt, ThreadKind::Worker);
            }
        }
        _ => return under_way::is_heard() && tell_under_way(thread, session, event),
    }
    true
}

/// Tells the tool of the thread's regions, which were under way when the tool was attached, and of
/// the thread's begin if the tool does not know it. Returns whether the tool hears the thread's
/// events from now on: false outside of regions, and in those that the thread waits to leave.
#[cold]
fn tell_under_way(thread: &Thread, session: u32, event: &Event<'_>) -> bool {
    let state = &thread.ompt.session;
    let begins = matches!(event, Event::ImplicitTaskBegin { .. });
    if !begins && (state.get() == session | LEAVING || under_way::is_leaving(thread)) {
        state.set(session | LEAVING);
        return false;
    }
    let Some(regions) = Regions::of(thread) else { return false };
    let is_known = state.replace(session) & !HIDDEN == session;
    if thread.initial.get().is_none() {
        // Its state stays that of the wait or work that it is in.
        thread.left.come_back();
        if !is_known {
            thread.ompt.data.set(0);
            emit::thread_begin(&thread.ompt, ThreadKind::Worker);
        }
    } else if !is_known && let Some(hooks) = phase::hooks() {
        thread.ompt.is_announced.set(false);
        (hooks.announce)(thread);
    }
    regions.tell(thread, event);
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
        && variable.state.load(Acquire) == ATTACHED
    {
        under_way::forget();
        set_tool(&LISTENER);
        go(ATTACHED, OPEN);
    }
}

/// In the child of a fork(2), for which no command has wished anything: it has no tool, but can get
/// one. If the calling thread is just starting the tool, it goes on with that.
pub(super) fn after_fork_in_child(_: &Alone) {
    let Some(variable) = variable() else { return };
    let state = variable.state.load(Acquire);
    if state == STARTING && start_and_end::is_starter() {
        return;
    }
    variable.answered.store(variable.wish.load(Acquire), Release);
    // Without a tool of the parent's, another kind of tool may wait for the child's first use.
    if !matches!(state, STARTING | ATTACHED | ENDING) {
        return;
    }
    match found_tool::get() {
        Some(tool) => tool.clear(),
        None => callbacks::publish(),
    }
    found_tool::keep(None);
    under_way::forget();
    STATE.store(INACTIVE, Release);
    open();
}
