//! The tools, their phases, and the callbacks that they have registered.

use std::ffi::c_int;
use std::ptr::null_mut;
use std::sync::atomic::{
    AtomicPtr, AtomicU8, AtomicU32, AtomicUsize,
    Ordering::{Relaxed, SeqCst},
};

use ompt::raw::c::{EventRow, ompt_callbacks_t, ompt_data_t, ompt_start_tool_result_t};

/// The largest number of tools.
pub(crate) const MAX_TOOLS: usize = 16;

/// The instances of a generic function for the tools, by their positions in the list: C's functions
/// know nothing of their caller, so each tool has a copy of each.
macro_rules! for_each_tool {
    ($function:ident) => {
        [
            $function::<0>,
            $function::<1>,
            $function::<2>,
            $function::<3>,
            $function::<4>,
            $function::<5>,
            $function::<6>,
            $function::<7>,
            $function::<8>,
            $function::<9>,
            $function::<10>,
            $function::<11>,
            $function::<12>,
            $function::<13>,
            $function::<14>,
            $function::<15>,
        ]
    };
}

pub(crate) use for_each_tool;

/// Length of a table with a place for every event, by the number in C; no event has the number 0.
pub(crate) const EVENTS: usize = EventRow::ALL.len() + 1;

/// The phase of a tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Phase {
    /// The place has no tool, or the tool did not want to run, or it has ended.
    Absent,
    /// The tool's initializer has not been called.
    Waiting,
    /// The tool's initializer runs.
    Initializing,
    Active,
    /// The tool's finalizer runs, or a thread waits for the tool's callbacks.
    Ending,
}

const PHASES: [Phase; 5] =
    [Phase::Absent, Phase::Waiting, Phase::Initializing, Phase::Active, Phase::Ending];

/// A tool's place in the list.
#[derive(Debug)]
struct Seat {
    phase: AtomicU8,
    /// The structure that the tool's `ompt_start_tool` returned.
    result: AtomicPtr<ompt_start_tool_result_t>,
}

static SEATS: [Seat; MAX_TOOLS] = [const {
    Seat { phase: AtomicU8::new(Phase::Absent as u8), result: AtomicPtr::new(null_mut()) }
}; MAX_TOOLS];

/// The tools that have neither ended nor begun to end, a bit for each. A tool begins to end when
/// the thread that ends it takes its bit away; the tool that leaves no bit is the last.
static LIVE: AtomicU32 = AtomicU32::new(0);

const _: () = assert!(MAX_TOOLS < 32);

/// Tools of the present start, ended ones included.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// The registered callbacks, by event and tool.
static CALLBACKS: [[AtomicPtr<()>; MAX_TOOLS]; EVENTS] =
    [const { [const { AtomicPtr::new(null_mut()) }; MAX_TOOLS] }; EVENTS];

/// Takes these tools for a start, in this order.
pub(crate) fn seat(results: &[*mut ompt_start_tool_result_t]) {
    for callback in CALLBACKS.iter().flatten() {
        callback.store(null_mut(), SeqCst);
    }
    for (seat, result) in SEATS.iter().zip(results) {
        seat.result.store(*result, SeqCst);
        seat.phase.store(Phase::Waiting as u8, SeqCst);
    }
    LIVE.store((1 << results.len()) - 1, SeqCst);
    COUNT.store(results.len(), SeqCst);
}

/// The number of tools of the present start, ended ones included.
pub(crate) fn count() -> usize {
    COUNT.load(Relaxed)
}

/// The phase of a tool.
pub(crate) fn phase(tool: usize) -> Phase {
    PHASES[usize::from(SEATS[tool].phase.load(SeqCst))]
}

/// Puts a tool into another phase.
pub(crate) fn set_phase(tool: usize, phase: Phase) {
    SEATS[tool].phase.store(phase as u8, SeqCst);
}

/// Puts a tool from one phase into another; false if it is not in the first.
pub(crate) fn change_phase(tool: usize, from: Phase, to: Phase) -> bool {
    SEATS[tool].phase.compare_exchange(from as u8, to as u8, SeqCst, SeqCst).is_ok()
}

/// Whether the entry points of a tool answer: from its initializer to the end of its finalizer.
pub(crate) fn answers(tool: usize) -> bool {
    !matches!(phase(tool), Phase::Absent | Phase::Waiting)
}

/// Whether the tool that begins to end is one of several, or the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Departure {
    OneOfSeveral,
    Last,
}

/// Begins the end of a tool; `None` if its end has begun before. If several tools end at the same
/// time, exactly one is the last.
pub(crate) fn depart(tool: usize) -> Option<Departure> {
    let before = LIVE.fetch_and(!(1 << tool), SeqCst);
    match (before & 1 << tool != 0, before & !(1 << tool) != 0) {
        (false, _) => None,
        (true, true) => Some(Departure::OneOfSeveral),
        (true, false) => Some(Departure::Last),
    }
}

/// Calls a tool's initializer, and returns whether the tool wants to run.
///
/// # Safety
/// The runtime initializes its tool now, with this device number, and `lookup` is the tool's.
pub(crate) unsafe fn initialize(
    tool: usize,
    lookup: ompt::raw::c::ompt_function_lookup_t,
    initial_device_num: c_int,
) -> bool {
    let result = SEATS[tool].result.load(SeqCst);
    // SAFETY: the tool returned the structure, for the runtime to use until it finalizes the tool.
    unsafe {
        let Some(initialize) = (*result).initialize else { return false };
        initialize(lookup, initial_device_num, &raw mut (*result).tool_data) != 0
    }
}

/// Calls a tool's finalizer.
pub(crate) fn finalize(tool: usize) {
    let result = SEATS[tool].result.load(SeqCst);
    // SAFETY: as in `initialize`; the tool was active, and its callbacks have returned.
    unsafe {
        if let Some(finalize) = (*result).finalize {
            let data: *mut ompt_data_t = &raw mut (*result).tool_data;
            finalize(data);
        }
    }
}

/// The position of an event in tables; `None` if no event has this number.
pub(crate) fn position(event: ompt_callbacks_t) -> Option<usize> {
    EventRow::of(event).map(|row| row.event.0 as usize)
}

/// The callback that a tool has registered; null if it has registered no callback.
#[inline]
pub(crate) fn callback(event: usize, tool: usize) -> *mut () {
    // SeqCst, for the order that `running` describes. The load also acquires, so that the thread
    // sees the state that the tool prepared before it registered the callback.
    CALLBACKS[event][tool].load(SeqCst)
}

/// Sets the callback of a tool.
pub(crate) fn set_callback(event: usize, tool: usize, callback: *mut ()) {
    CALLBACKS[event][tool].store(callback, SeqCst);
}

/// Removes all callbacks of a tool.
pub(crate) fn clear_callbacks(tool: usize) {
    for callbacks in &CALLBACKS {
        callbacks[tool].store(null_mut(), SeqCst);
    }
}

/// Whether a tool has registered a callback for an event.
pub(crate) fn is_wanted(event: usize) -> bool {
    CALLBACKS[event].iter().any(|callback| !callback.load(SeqCst).is_null())
}

/// The order in which the tools get an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// The order of the list.
    List,
    /// The reverse order, for events that end something, so that the tools' intervals are nested.
    Reverse,
}

/// Shows `act` each tool that has registered a callback for the event, with the callback.
#[inline]
pub(crate) fn each(event: ompt_callbacks_t, order: Order, mut act: impl FnMut(usize, *mut ())) {
    let event = event.0 as usize;
    let count = count();
    for at in 0..count {
        let tool = if order == Order::List { at } else { count - 1 - at };
        let callback = callback(event, tool);
        if !callback.is_null() {
            act(tool, callback);
        }
    }
}
