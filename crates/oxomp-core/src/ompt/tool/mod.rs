//! OMPT's side to the tool: finds the tool, calls it, and serves its calls. README.md lists the
//! places where a tool is found, and what becomes of it however the process ends.
//!
//! A tool's life: `find` asks which tool wants to run, before the runtime reads anything; `start`
//! calls the tool's initializer, when the runtime is complete; the encoder of the tool's interface
//! turns events into callbacks; `finish` calls the tool's finalizer, after the last event. This
//! room has the encoder and the entry points of OpenMP 5 and 6. Those of the report of 2015 will be
//! separate files, on the same events.

mod activation;
mod ancestry;
mod attribution;
mod callbacks;
mod encoder_5x;
mod entry_points;
mod in_flight;
mod life;
mod log;
mod offload;
mod report_2015;
#[cfg(test)]
mod tests;

use core::ffi::{c_int, c_void};
use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use core::sync::atomic::{AtomicI32, AtomicPtr};

use oxomp_protocol::yield_now;
use oxomp_sys::ompt::{ompt_data_t, ompt_start_tool_result_t};

pub use activation::ask_next;
use in_flight::{Ending, InFlight};
pub use life::is_active;
use life::{
    ACTIVE, INACTIVE, INITIALIZING, NOT_SEARCHED, PENDING, SEARCHING, STATE, accepts_callbacks,
    shut_down,
};
pub(crate) use life::{Hooks, is_starting};
pub use offload::connect;

use crate::arch::CallSite;
use crate::block::{Alone, Thread};
use crate::ompt::event::{EnterFrame, Event, Hear, Listener, SyncRegion, set_tool};
use crate::os;
use crate::race_detector;

/// The result of the tool's `ompt_start_tool`; valid from `PENDING` on.
static TOOL: AtomicPtr<ompt_start_tool_result_t> = AtomicPtr::new(ptr::null_mut());

/// The kernel's id of the thread that searches for a tool.
static SEARCHER: AtomicI32 = AtomicI32::new(0);

/// `omp_get_initial_device()` without devices.
const INITIAL_DEVICE: c_int = 0;

/// Results of `omp_control_tool` without a callback of the tool (OpenMP 5.2 §18.14).
const CONTROL_NO_TOOL: i32 = -2;
const CONTROL_NO_CALLBACK: i32 = -1;

/// Whether there is a tool, so that the runtime has to start at once. Called by the library's
/// constructor: reads three variables and asks the loader, and searches for a tool only if there
/// may be one.
pub fn look_for_tool() -> bool {
    if STATE.load(Acquire) != NOT_SEARCHED || !activation::may_start_at_load() {
        return false;
    }
    find();
    STATE.load(Acquire) == PENDING
}

/// Searches for a tool, once: the first step of the runtime's start, before it reads its
/// environment, which the tool may still change. Returns when the search is over, on whichever
/// thread it runs.
///
/// A call during the search, by a library that is loaded for it, returns at once.
pub fn find() {
    if STATE.load(Acquire) >= PENDING {
        return;
    }
    find_first();
}

#[cold]
fn find_first() {
    let me = os::thread_id();
    if STATE.compare_exchange(NOT_SEARCHED, SEARCHING, Acquire, Acquire).is_ok() {
        SEARCHER.store(me, Release);
        let tool = activation::search();
        TOOL.store(tool.map_or(ptr::null_mut(), ptr::NonNull::as_ptr), Release);
        STATE.store(if tool.is_some() { PENDING } else { INACTIVE }, Release);
        return;
    }
    while STATE.load(Acquire) == SEARCHING && SEARCHER.load(Acquire) != me {
        yield_now();
    }
}

/// Starts the tool that `find` found: calls its initializer and enables events. Called when the
/// library is loaded, or as the last step of the runtime's start, before any event. Returns whether
/// a tool is active.
pub(crate) fn start(hooks: Hooks) -> bool {
    find();
    if STATE.compare_exchange(PENDING, INITIALIZING, Acquire, Acquire).is_err() {
        // Without a tool this empties the mask, except for a debugger and the consistency check.
        callbacks::publish();
        return is_active();
    }
    life::keep(hooks);
    in_flight::prepare();
    race_detector::prepare();
    // SAFETY: the tool's structure lives as long as the tool (5.2 §19.2.1), and no other thread
    // accesses it: only one thread passes the exchange above.
    let initialize = unsafe { (*TOOL.load(Acquire)).initialize };
    set_tool(&LISTENER_5X);
    // SAFETY: the tool's initializer gets the arguments that 5.2 §19.2.1 specifies: the look-up
    // function and the tool's own word.
    let goes_on = initialize.is_some_and(|initialize| unsafe {
        initialize(entry_points::look_up, INITIAL_DEVICE, tool_data()) != 0
    });
    // Otherwise the tool has ended itself in the meantime.
    let wanted = if goes_on { ACTIVE } else { INACTIVE };
    let stays = STATE.compare_exchange(INITIALIZING, wanted, AcqRel, Acquire).is_ok();
    let goes_on = goes_on && stays;
    if goes_on {
        os::at_exit::register(at_exit);
        callbacks::publish();
    } else {
        callbacks::clear();
    }
    if let Some(root) = Thread::known() {
        // The thread became a root before the tool was active: at the runtime's start, or by a call
        // of the initializer.
        (hooks.announce)(root);
    }
    goes_on
}

/// The listener for tools of OpenMP 5 and 6: calls the tool's callback.
static LISTENER_5X: Listener = Listener::of::<Encoder5x>();

struct Encoder5x;

impl Hear for Encoder5x {
    #[inline(always)]
    fn hear(event: &Event<'_>) {
        let _in_flight = InFlight::enter();
        let _frame = enter_frame(event);
        encoder_5x::deliver(event);
    }
}

/// Marks the task as inside the runtime while a tool hears of a construct that neither waits nor
/// switches to another task: the others have set the enter frame themselves.
#[inline(always)]
fn enter_frame<'a>(event: &Event<'a>) -> Option<EnterFrame<'a>> {
    match *event {
        Event::Work { task, site, .. }
        | Event::Dispatch { task, site, .. }
        | Event::Masked { task, site, .. }
        | Event::Reduction { task, site, .. }
        | Event::Cancel { task, site, .. }
        | Event::SyncRegion { kind: SyncRegion::Taskgroup, task, site, .. } => {
            Some(EnterFrame::new(task, site))
        }
        _ => None,
    }
}

/// The process ends. May be called twice.
extern "C" fn at_exit() {
    if !offload::ends_tool() {
        shut_down();
        life::wait_for_end();
    }
}

/// The address of the tool's own word.
fn tool_data() -> *mut ompt_data_t {
    // SAFETY: called only if there is a tool, whose structure lives as long as the tool; makes no
    // reference.
    unsafe { &raw mut (*TOOL.load(Acquire)).tool_data }
}

/// Ends the tool after the last event, if one is active or its initializer runs: unregisters its
/// callbacks, waits for those that run, and calls its finalizer. If another thread ends the tool,
/// returns when no callback can begin any more; the finalizer may then still run.
pub fn finish() {
    let _ending = Ending::enter();
    if !life::begin_end() {
        if life::is_ending() {
            callbacks::wait_until_clear();
            in_flight::wait_for_those_that_stay();
        }
        return;
    }
    callbacks::clear();
    in_flight::wait_for_others();
    offload::disconnect();
    // SAFETY: the tool's structure lives as long as the tool; only one thread passes the exchange
    // in `begin_end`, once.
    let finalize = unsafe { (*TOOL.load(Acquire)).finalize };
    if let Some(finalize) = finalize {
        // SAFETY: the tool's finalizer gets the tool's own word (5.2 §19.2.1).
        unsafe { finalize(tool_data()) };
    }
    STATE.store(INACTIVE, Release);
}

/// In the child of a fork(2): no callback of a thread that is gone runs any more.
pub(crate) fn after_fork_in_child(alone: &Alone) {
    in_flight::forget_elsewhere(alone);
}

/// `omp_control_tool`: returns the result of the tool's callback, -2 without a tool, -1 without a
/// callback. Starts the runtime if there is a tool and the runtime has not started.
#[allow(clippy::not_unsafe_ptr_arg_deref, reason = "`arg` is handed on, not read")]
pub fn control(command: i32, modifier: i32, arg: *mut c_void, site: CallSite) -> i32 {
    find();
    if !life::is_in_sight() {
        return CONTROL_NO_TOOL;
    }
    // Starts the tool if this is the first call of the runtime.
    let thread = Thread::current();
    // The tool may have refused to run, or have been ended.
    if !accepts_callbacks() {
        return CONTROL_NO_TOOL;
    }
    let _in_flight = InFlight::enter();
    let Some(callback) = callbacks::registered::control_tool() else {
        return if is_active() { CONTROL_NO_CALLBACK } else { CONTROL_NO_TOOL };
    };
    let _frame = EnterFrame::new(&thread.task().ompt, site);
    // A negative number keeps its value in 64 bits, as C's conversion does.
    let (command, modifier) =
        (i64::from(command).cast_unsigned(), i64::from(modifier).cast_unsigned());
    // SAFETY: the tool registered the function as the callback of this event; the program and the
    // tool agree on the use of `arg`.
    unsafe { callback(command, modifier, arg, site.return_address()) }
}
