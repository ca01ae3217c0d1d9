//! The start of the runtime, at the first call that needs it.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use core::sync::atomic::{AtomicI32, AtomicU32};

use oxomp_protocol::yield_now;

use super::{fork, root, stop};
use crate::affinity_format;
use crate::block::Native;
use crate::block::Thread;
use crate::block::register_by;
use crate::consistency;
use crate::ompd;
use crate::ompt::tool;
use crate::os;
use crate::pool;
use crate::settings;

/// Steps of the start: nobody has begun; a thread is at it; done.
const NOT_STARTED: u32 = 0;
const STARTING: u32 = 1;
const STARTED: u32 = 2;
static PHASE: AtomicU32 = AtomicU32::new(NOT_STARTED);

/// Native threads become roots by `register_root`.
extern "C" fn install() {
    register_by(register_root);
}

#[used]
#[unsafe(link_section = ".init_array")]
static INSTALL: extern "C" fn() = install;

/// The native thread that is at the start.
static STARTER: AtomicI32 = AtomicI32::new(0);

/// Initializes the runtime, with the calling thread as a root, unless that has happened.
pub fn initialize() {
    let _ = Thread::current();
}

/// The calling native thread meets OpenMP for the first time: it becomes a root with an initial task.
#[cold]
#[inline(never)]
fn register_root() -> &'static Thread {
    let first = PHASE.compare_exchange(NOT_STARTED, STARTING, AcqRel, Acquire).is_ok();
    if first {
        STARTER.store(os::thread_id(), Release);
        tool::find();
        if ompd::start() {
            os::at_exit::register(stop::at_exit);
        }
    }
    let native = Native::enter(pool::root());
    let thread = native.thread();
    if let Some(task) = thread.initial.get() {
        thread.begin_root(task);
    }
    if first {
        if settings::get().globals.consistency_check {
            consistency::start();
        }
        affinity_format::set_display(settings::get().globals.display_affinity_var);
        fork::watch();
        start_tool();
        PHASE.store(STARTED, Release);
    } else {
        wait_for_start();
    }
    root::count_in(native);
    if !tool::is_initializing() {
        root::announce(thread);
    }
    thread
}

/// Starts the tool that `tool::find` found: as the last step of the runtime's start, or when the library
/// is loaded.
pub fn start_tool() {
    // The order in which the functions of `.init_array` are called is the linker's.
    install();
    tool::start(TOOL_HOOKS);
}

/// What the tool's room asks of the process.
const TOOL_HOOKS: tool::Hooks =
    tool::Hooks { announce: root::announce, shut_down: stop::shut_down };

/// Returns when another thread has started the runtime. A tool that calls the API while it is being
/// started, on the thread that does it, goes on.
fn wait_for_start() {
    if STARTER.load(Acquire) == os::thread_id() {
        return;
    }
    while PHASE.load(Acquire) != STARTED {
        yield_now();
    }
}
