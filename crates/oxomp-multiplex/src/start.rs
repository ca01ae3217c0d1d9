//! The exported symbol, and the initializer and finalizer of the multiplexer as a tool.

use std::cell::UnsafeCell;
use std::env;
use std::ffi::{CStr, c_char, c_int, c_uint};
use std::ptr::null_mut;
use std::sync::Mutex;
use std::sync::atomic::{
    AtomicU32,
    Ordering::{AcqRel, Acquire, Release},
};

use ompt::raw::c::{ompt_data_t, ompt_function_lookup_t, ompt_start_tool_result_t};

use crate::entry::LOOK_UP;
use crate::load::{Answer as Asked, Question, Tool};
use crate::log::{Log, warn};
use crate::tools::{self, MAX_TOOLS, Phase};
use crate::words::ARENA;
use crate::{fork, list, registration, report_2015, running, runtime, shard};

const LIST: &str = "OXOMP_MULTIPLEX_TOOLS";

/// The process whose runtime has the multiplexer's answer; 0 if no runtime has it. A child of that
/// process may start a runtime of its own.
static STARTED_IN: AtomicU32 = AtomicU32::new(0);

/// The tools that want to run, and the runtime's version, from `ompt_start_tool` to the
/// initializer.
static CANDIDATES: Mutex<(Vec<Candidate>, &CStr)> = Mutex::new((Vec::new(), c""));

struct Candidate(Tool);

// SAFETY: the pointer is the tool's answer for the runtime, which may use it on any thread.
unsafe impl Send for Candidate {}

/// The structure that the runtime gets, and into which it writes its word for the tool.
struct Answer(UnsafeCell<ompt_start_tool_result_t>);

// SAFETY: only the runtime uses the structure, as OpenMP allows.
unsafe impl Sync for Answer {}

static ANSWER: Answer = Answer(UnsafeCell::new(ompt_start_tool_result_t {
    initialize: Some(initialize),
    finalize: Some(finalize),
    tool_data: ompt_data_t::NONE,
}));

/// The symbol by which an OMPT runtime finds the multiplexer.
///
/// # Safety
/// Called by an OpenMP runtime: `runtime_version` is null or a string that stays.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ompt_start_tool(
    omp_version: c_uint,
    runtime_version: *const c_char,
) -> *mut ompt_start_tool_result_t {
    if is_privileged() {
        warn("no tool is loaded: the program has more rights than its user");
        return null_mut();
    }
    let mut log = Log::open();
    let process = std::process::id();
    if report_2015::is_running() || STARTED_IN.swap(process, AcqRel) == process {
        log.line("another OpenMP runtime of the process runs the tools");
        return null_mut();
    }
    let (tools, of_report) = search(Question { omp_version, runtime_version }, &mut log);
    if tools.is_empty() {
        log.line("no tool runs by OpenMP's interface");
        STARTED_IN.store(0, Release);
        report_2015::offer(of_report, runtime_version);
        return null_mut();
    }
    report_2015::decline(of_report);
    let mut candidates = CANDIDATES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let version = match runtime_version.is_null() {
        true => c"",
        // SAFETY: a string that stays (`# Safety`).
        false => unsafe { CStr::from_ptr(runtime_version) },
    };
    *candidates = (tools.into_iter().map(Candidate).collect(), version);
    ANSWER.0.get()
}

/// The tools of OpenMP's interface that want to run; and, from the other entries of the list, the
/// tools that may want to run as tools of the 2015 report.
fn search(question: Question, log: &mut Log) -> (Vec<Tool>, Vec<Vec<report_2015::Candidate>>) {
    let list = env::var_os(LIST).unwrap_or_default();
    let entries = list::parse(&list);
    if entries.is_empty() {
        warn(&format!("{LIST} names no tool"));
    } else {
        log.line(&format!("{LIST} = {}", list.display()));
    }
    let mut tools: Vec<Tool> = Vec::new();
    let mut of_report = Vec::new();
    for alternatives in entries {
        if tools.len() == MAX_TOOLS {
            warn(&format!("{LIST}: {MAX_TOOLS} tools run, the others do not"));
            break;
        }
        let tool = match question.ask_first(&alternatives, log) {
            Asked::OpenMp(tool) => tool,
            Asked::Report(candidates) => {
                of_report.push(candidates);
                continue;
            }
        };
        if tools.iter().any(|other| other.result == tool.result) {
            warn(&format!("{LIST}: {} is named twice, and runs once", tool.name));
            continue;
        }
        tools.push(tool);
    }
    (tools, of_report)
}

/// # Safety
/// Called by the runtime that `ompt_start_tool` has answered.
unsafe extern "C" fn initialize(
    lookup: ompt_function_lookup_t,
    initial_device_num: c_int,
    _: *mut ompt_data_t,
) -> c_int {
    let mut candidates = CANDIDATES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut tools: Vec<Tool> = candidates.0.drain(..).map(|candidate| candidate.0).collect();
    let version = candidates.1;
    drop(candidates);
    // SAFETY: the look-up is the runtime's.
    if !unsafe { runtime::enter(lookup, version) } {
        return leave();
    }
    shard::count_processors();
    // A second start may have more tools than the first, but no wider blocks.
    let width = ARENA.set_width(tools.len());
    tools.truncate(width);
    tools::seat(&tools.iter().map(|tool| tool.result).collect::<Vec<_>>());
    fork::watch();
    registration::start();
    let mut log = Log::open();
    for (at, tool) in tools.iter().enumerate() {
        tools::set_phase(at, Phase::Initializing);
        // SAFETY: the runtime initializes its tool, and the look-up is this tool's.
        if unsafe { tools::initialize(at, LOOK_UP[at], initial_device_num) } {
            // A tool may have ended in its initializer.
            tools::change_phase(at, Phase::Initializing, Phase::Active);
            log.line(&format!("{}: runs", tool.name));
        } else {
            tools::depart(at);
            registration::unregister_all(at);
            tools::set_phase(at, Phase::Absent);
            log.line(&format!("{}: did not start", tool.name));
        }
    }
    match (0..tools.len()).any(|tool| tools::phase(tool) == Phase::Active) {
        true => 1,
        false => leave(),
    }
}

/// No tool runs: another runtime may ask again.
fn leave() -> c_int {
    STARTED_IN.store(0, Release);
    0
}

/// Ends the tools that have not ended, the last of the list first.
///
/// # Safety
/// Called by the runtime after the last event.
unsafe extern "C" fn finalize(_: *mut ompt_data_t) {
    let runs = |tool: &usize| {
        tools::change_phase(*tool, Phase::Active, Phase::Ending)
            || tools::change_phase(*tool, Phase::Initializing, Phase::Ending)
    };
    let ending: Vec<usize> = (0..tools::count()).rev().filter(runs).collect();
    // A callback that another thread still runs must not call a tool that is finalized.
    for tool in &ending {
        registration::forget_all(*tool);
    }
    running::wait_for_others();
    for tool in ending {
        tools::finalize(tool);
        tools::set_phase(tool, Phase::Absent);
    }
    if ARENA.is_exhausted() {
        warn("memory was short: what tools stored about some objects was lost");
    }
    if STARTED_IN.load(Acquire) == std::process::id() {
        leave();
    }
}

/// Whether the program has more rights than the user who set its environment.
fn is_privileged() -> bool {
    // SAFETY: the call only reads the auxiliary vector.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}
