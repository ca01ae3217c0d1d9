//! The start of the runtime, at the first call that needs it.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use oxomp_base::{memory, os, settings};
use oxomp_protocol::yield_now;

use super::{fork, root, stop};
use crate::affinity_format;
use crate::block::{Alone, Native, Thread, register_by};
use crate::consistency;
use crate::devices;
use crate::ompd;
use crate::ompt::tool;
use crate::pool;

/// Phases of the start: no thread has begun it, a thread executes it, it is done.
const NOT_STARTED: u32 = 0;
const STARTING: u32 = 1;
const STARTED: u32 = 2;
static PHASE: AtomicU32 = AtomicU32::new(NOT_STARTED);

/// Makes `register_root` the function by which native threads become roots. What it needs of the
/// system is registered before: a fork(2) during the start finds it complete.
extern "C" fn install() {
    fork::watch();
    root::make_exit_key();
    register_by(register_root);
}

#[used]
#[unsafe(link_section = ".init_array.00101")]
static INSTALL: extern "C" fn() = install;

/// The native thread that executes the start; it has the same number in the child of a fork(2).
static STARTER: AtomicU64 = AtomicU64::new(0);

/// Initializes the runtime, with the calling thread as a root, unless it has been initialized.
pub fn initialize() {
    let _ = Thread::current();
}

/// A routine that needs no thread of the runtime is called: starts the runtime if a tool waits for
/// the first or next use of OpenMP. A tool that has not been initialized when the library was
/// loaded is initialized before the first routine completes (the report of 2015 §7.2; OpenMP 5.2
/// §19.2.2).
#[inline]
pub fn start_for_tool() {
    if tool::may_wait() {
        start_if_waiting();
    }
}

#[cold]
fn start_if_waiting() {
    if tool::waits_for_use() && (tool::is_waiting() || !tool::declines_a_routine()) {
        initialize();
        tool::resume();
    }
}

/// The calling native thread meets OpenMP for the first time: it becomes a root with an initial
/// task. A root that has met it before comes here again if a tool may have to start again.
#[cold]
#[inline(never)]
fn register_root() -> &'static Thread {
    if let Some(thread) = root::reveal() {
        tool::resume();
        return thread;
    }
    let first = is_to_start();
    if first {
        tool::find();
        if ompd::start() {
            os::at_exit::register(stop::at_exit);
        }
        // Threads that sleep on locks need it. It takes 3 µs now, and 10 ms with other threads.
        if os::has_one_thread() {
            os::prepare_fence_of_all_threads();
        }
        memory::keep_freed();
    }
    let thread = Thread::known().unwrap_or_else(enter_root);
    if first {
        if settings::get().globals.consistency_check {
            consistency::start();
        }
        affinity_format::set_display(settings::get().globals.display_affinity_var);
        tool::start(TOOL_HOOKS);
        PHASE.store(STARTED, Release);
    } else {
        tool::resume();
    }
    if !tool::is_starting() {
        root::announce(thread);
    }
    thread
}

/// Makes the calling native thread a root, unless it became one during the search for a tool: the
/// constructor of a library that the search has loaded may have called the runtime.
fn enter_root() -> &'static Thread {
    let native = Native::enter(pool::root());
    let thread = native.thread();
    if let Some(task) = thread.initial.get() {
        thread.begin_root(task);
    }
    root::count_in(native);
    thread
}

/// The tool's start was put off until the program's images are registered.
static WAITS_FOR_IMAGES: AtomicBool = AtomicBool::new(false);

/// Runs when the library is loaded. With a tool of OpenMP 5 or 6 in sight its initializer is called
/// now, so that it sees the program from its first line. The runtime itself starts with the first
/// call, tool or not: programs set variables of the environment before.
///
/// If the program offloads, its images are registered later, by the first of its constructors. The
/// tool, which is told the number of the host, begins then: that number is the one of devices.
pub fn at_load() {
    if devices::may_come() {
        // Relaxed: the loader runs constructors one after the other.
        WAITS_FOR_IMAGES.store(true, Relaxed);
    } else {
        start_waiting_tool();
    }
}

/// An image of the program has been registered: starts a tool that waits for that.
pub fn image_registered() {
    // Relaxed: constructors register the images, and the loader runs them one after the other.
    if WAITS_FOR_IMAGES.load(Relaxed) && WAITS_FOR_IMAGES.swap(false, Relaxed) {
        start_waiting_tool();
    }
}

/// Starts a tool of OpenMP 5 or 6, if one is in sight, before the runtime starts.
fn start_waiting_tool() {
    if tool::look_for_tool() {
        start_tool();
    } else if let Some(thread) = Thread::known() {
        // The thread became a root during a search that found no tool.
        root::announce(thread);
    }
}

/// Starts the tool that `tool::find` found, if it starts before the runtime does. Called when the
/// library is loaded.
pub fn start_tool() {
    tool::start_at_load(TOOL_HOOKS);
}

/// The functions of this room that the tool's room calls.
const TOOL_HOOKS: tool::Hooks =
    tool::Hooks { announce: root::announce, shut_down: stop::shut_down };

/// Whether the calling thread is to start the runtime. Otherwise waits until another thread has
/// started it, which does not happen if the caller forks meanwhile, in a signal handler. The
/// starting thread itself does not wait: a tool may call the API on it while the start lasts.
fn is_to_start() -> bool {
    loop {
        match PHASE.compare_exchange(NOT_STARTED, STARTING, AcqRel, Acquire) {
            Ok(_) => {
                STARTER.store(os::native_thread(), Release);
                return true;
            }
            Err(STARTING) if !is_starter() => yield_now(),
            Err(_) => return false,
        }
    }
}

fn is_starter() -> bool {
    STARTER.load(Acquire) == os::native_thread()
}

/// In the child of a fork(2) that another thread than the starting one has called: the start has no
/// end, so the next call begins it anew.
pub(super) fn after_fork_in_child(_: &Alone) {
    if PHASE.load(Acquire) == STARTING && !is_starter() {
        STARTER.store(0, Release);
        PHASE.store(NOT_STARTED, Release);
    }
}
