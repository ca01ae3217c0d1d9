//! The exported symbol, and the initializer.

use std::ffi::{c_char, c_uint};
use std::sync::{Mutex, MutexGuard};

use ompt::raw::entry_point;
use ompt::raw::report_2015::c::{ompt_event_t, ompt_function_lookup_t, ompt_initialize_fn_t};

use super::candidate::Candidate;
use super::entry::LOOK_UP;
use super::session::{self, Runtime};
use super::{client, registration};
use crate::load::runtime_has_report;
use crate::log::{Log, warn};
use crate::tools::MAX_TOOLS;

/// The candidates of each entry of the list, from the search on.
static CANDIDATES: Mutex<Vec<Vec<Candidate>>> = Mutex::new(Vec::new());

/// The tools that want to run: asked anew by each `ompt_tool`, and initialized by each session.
static CLIENTS: Mutex<Vec<(String, ompt_initialize_fn_t)>> = Mutex::new(Vec::new());

/// Keeps the candidates for `ompt_tool`, which a runtime that has the report's interface calls
/// next. On any other runtime, says that these tools do not run.
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
    if session::is_running() {
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
    if !session::begin(Runtime { lookup, set_callback }) {
        return;
    }
    let clients = lock(&CLIENTS).clone();
    registration::forget();
    client::seat(clients.len());
    registration::register(ompt_event_t::RUNTIME_SHUTDOWN, set_callback);
    let mut log = Log::open();
    for (at, (name, initialize)) in clients.into_iter().enumerate() {
        registration::set_initializing(at, true);
        // SAFETY: the runtime initializes its tool; the look-up is this client's.
        unsafe { initialize(LOOK_UP[at], runtime_version, ompt_version) };
        registration::set_initializing(at, false);
        log.line(&format!("{name}: runs"));
    }
}
