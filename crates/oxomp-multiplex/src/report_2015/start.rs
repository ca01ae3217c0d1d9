//! The exported symbol, the initializer, and the end of a session.

use std::ffi::{c_char, c_uint};
use std::ptr::null_mut;
use std::sync::atomic::{
    AtomicPtr, AtomicU32,
    Ordering::{AcqRel, Acquire, Release},
};
use std::sync::{Mutex, MutexGuard};

use ompt::raw::entry_point;
use ompt::raw::report_2015::c::{
    ompt_event_t, ompt_function_lookup_t, ompt_initialize_fn_t, ompt_set_callback_t, ompt_tool_t,
};

use super::client;
use super::entry::LOOK_UP;
use crate::load::runtime_has_report;
use crate::log::{Log, warn};
use crate::tools::MAX_TOOLS;

/// A tool that may want to run: one with `ompt_tool` that declined as a tool of OpenMP's, or is
/// none.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) name: String,
    pub(crate) ompt_tool: ompt_tool_t,
    /// Whether only its answer tells that it is a tool of the report: a library of both interfaces
    /// may decline both, and the next `ompt_tool` in the address space may be a runtime's.
    pub(crate) is_doubtful: bool,
}

impl Candidate {
    /// Asks the tool; its initializer if it wants to run.
    fn ask(&self) -> Option<ompt_initialize_fn_t> {
        // SAFETY: the report gives the function of that name this type (§7.1).
        unsafe { (self.ompt_tool)() }
    }
}

/// The candidates of each entry of the list, from the search on.
static CANDIDATES: Mutex<Vec<Vec<Candidate>>> = Mutex::new(Vec::new());

/// The tools that want to run: asked anew by each `ompt_tool`, and initialized by each session.
static CLIENTS: Mutex<Vec<(String, ompt_initialize_fn_t)>> = Mutex::new(Vec::new());

/// The process in which a session runs; 0 if none does.
static RUNS_IN: AtomicU32 = AtomicU32::new(0);

/// The look-up of the runtime, and the entry point that the multiplexer stands in front of.
#[derive(Debug)]
pub(super) struct Runtime {
    pub(super) lookup: ompt_function_lookup_t,
    pub(super) set_callback: ompt_set_callback_t,
}

static RUNTIME: AtomicPtr<Runtime> = AtomicPtr::new(null_mut());

/// The runtime of the present session, or of the last one. Signal-safe.
pub(super) fn runtime() -> Option<&'static Runtime> {
    // SAFETY: null, or a value that is never freed.
    unsafe { RUNTIME.load(Acquire).as_ref() }
}

/// Whether a session runs in this process.
pub(crate) fn is_running() -> bool {
    RUNS_IN.load(Acquire) == std::process::id()
}

/// Keeps the candidates for `ompt_tool`, which a runtime that has the report's interface asks next;
/// about any other runtime, says that these tools do not run.
pub(crate) fn offer(entries: Vec<Vec<Candidate>>, runtime_version: *const c_char) {
    if !runtime_has_report(runtime_version) {
        name_each(&entries, "whose interface this runtime does not have");
        return;
    }
    *lock(&CANDIDATES) = entries;
}

/// Says of each tool of the report that it does not run beside tools of OpenMP's interface.
pub(crate) fn decline(entries: Vec<Vec<Candidate>>) {
    lock(&CANDIDATES).clear();
    name_each(&entries, "and one interface runs at a time: the tools of OpenMP's do");
}

fn name_each(entries: &[Vec<Candidate>], reason: &str) {
    let wants = |one: &&Candidate| !one.is_doubtful || one.ask().is_some();
    for tool in entries.iter().filter_map(|alternatives| alternatives.iter().find(wants)) {
        warn(&format!("{} does not run: it is a tool of the 2015 report, {reason}", tool.name));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The symbol by which a runtime with the report's interface finds the multiplexer.
///
/// Such a runtime has asked `ompt_start_tool` before, which has searched for the tools.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ompt_tool() -> Option<ompt_initialize_fn_t> {
    let mut log = Log::open();
    if is_running() {
        log.line("another OpenMP runtime of the process runs the tools");
        return None;
    }
    let entries = lock(&CANDIDATES).clone();
    let mut clients: Vec<(String, ompt_initialize_fn_t)> = Vec::new();
    for alternatives in entries {
        let wanting = alternatives.into_iter().find_map(|one| {
            let initialize = one.ask();
            let said = if initialize.is_some() { "wants" } else { "does not want" };
            log.line(&format!("{}: {said} to run as a tool of the 2015 report", one.name));
            Some((one.name, initialize?))
        });
        let Some((name, initialize)) = wanting else { continue };
        if clients.iter().any(|(_, other)| *other as usize == initialize as usize) {
            warn(&format!("{name} is named twice, and runs once"));
        } else if clients.len() == MAX_TOOLS {
            warn(&format!("{name} does not run: {MAX_TOOLS} tools do"));
        } else {
            clients.push((name, initialize));
        }
    }
    let answer = (!clients.is_empty()).then_some(initialize as ompt_initialize_fn_t);
    *lock(&CLIENTS) = clients;
    answer
}

/// Begins a session: the first, or a later one of a runtime that has shut down.
///
/// # Safety
/// Called by the runtime that `ompt_tool` has answered.
unsafe extern "C" fn initialize(
    lookup: ompt_function_lookup_t,
    runtime_version: *const c_char,
    ompt_version: c_uint,
) {
    // SAFETY: the look-up is the runtime's, and the type is that of the name.
    let Some(set_callback) = (unsafe { entry_point(lookup, c"ompt_set_callback") }) else { return };
    let process = std::process::id();
    if RUNS_IN.swap(process, AcqRel) == process {
        return;
    }
    // A late handler may still read the runtime of an earlier session, which is never freed.
    RUNTIME.store(Box::into_raw(Box::new(Runtime { lookup, set_callback })), Release);
    let clients = lock(&CLIENTS).clone();
    client::seat(clients.len());
    client::register(ompt_event_t::RUNTIME_SHUTDOWN, set_callback);
    let mut log = Log::open();
    for (at, (name, initialize)) in clients.into_iter().enumerate() {
        client::set_initializing(at, true);
        // SAFETY: the runtime initializes its tool; the look-up is this client's.
        unsafe { initialize(LOOK_UP[at], runtime_version, ompt_version) };
        client::set_initializing(at, false);
        log.line(&format!("{name}: runs"));
    }
}

/// The runtime has shut down: the session is over, and another one may begin.
pub(super) fn end() {
    client::clear();
    RUNS_IN.store(0, Release);
}
