//! The start of the tool: what `ompt_start_tool`, the initializer and the finalizer do.

use std::ffi::{CStr, c_char, c_int, c_uint};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use oxomp_sys::ompt::{
    EventRow, ompt_callbacks_t, ompt_data_t, ompt_function_lookup_t, ompt_set_result_t,
    ompt_start_tool_result_t,
};

use super::entry_points::{NAMES, registered_for, set_callback};
use super::started::record;
use super::{callbacks, entry_points};

/// The next result of `ompt_start_tool` is NULL.
pub(crate) static REFUSES: AtomicBool = AtomicBool::new(false);
/// The initializer returns 0.
pub(crate) static DECLINES: AtomicBool = AtomicBool::new(false);
/// The initializer registers everything but `control_tool`.
pub(crate) static WITHOUT_CONTROL: AtomicBool = AtomicBool::new(false);
/// Called by the finalizer.
pub(crate) static AT_FINALIZE: Mutex<Option<fn()>> = Mutex::new(None);

struct ResultCell(std::cell::UnsafeCell<ompt_start_tool_result_t>);

// SAFETY: only the runtime writes to it, as the interface wants.
unsafe impl Sync for ResultCell {}

static RESULT: ResultCell = ResultCell(std::cell::UnsafeCell::new(ompt_start_tool_result_t {
    initialize: Some(initialize),
    finalize: Some(finalize),
    tool_data: ompt_data_t::NONE,
}));

/// Asked for by the runtime under test.
///
/// # Safety
///
/// `runtime_version` is null or a C string.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ompt_start_tool(
    omp_version: c_uint,
    runtime_version: *const c_char,
) -> *mut ompt_start_tool_result_t {
    let version = (!runtime_version.is_null()).then(|| {
        // SAFETY: the runtime passes a C string.
        unsafe { CStr::from_ptr(runtime_version) }.to_string_lossy().into_owned()
    });
    record(|started| {
        started.omp_version = omp_version;
        started.runtime_version = version;
        started.start_calls += 1;
    });
    if REFUSES.load(Ordering::Relaxed) { ptr::null_mut() } else { RESULT.0.get() }
}

unsafe extern "C" fn initialize(
    lookup: ompt_function_lookup_t,
    initial_device: c_int,
    tool_data: *mut ompt_data_t,
) -> c_int {
    entry_points::keep(lookup);
    let known = |name: &CStr| {
        // SAFETY: the name is a C string.
        unsafe { lookup(name.as_ptr()) }.is_some()
    };
    let unknown: Vec<String> = NAMES
        .iter()
        .filter(|name| !known(name))
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    // SAFETY: only the field's address is taken.
    let own_word = unsafe { &raw mut (*RESULT.0.get()).tool_data };
    let knows_nonsense = known(c"ompt_no_such_entry_point");
    record(|started| {
        started.initialized = true;
        started.initial_device = initial_device;
        started.data_is_ours = tool_data == own_word;
        started.unknown = unknown;
        started.knows_nonsense = knows_nonsense;
    });
    register_all();
    c_int::from(!DECLINES.load(Ordering::Relaxed))
}

/// Registers a callback for each event, and then takes back the callbacks of the superseded target
/// events: a tool may not have these beside their successors.
fn register_all() {
    let Some(set) = set_callback() else { return };
    let mut answers = Vec::new();
    let mut forgotten = Vec::new();
    for row in EventRow::ALL {
        let callback = callbacks::for_event(row.event);
        let registered = callback.unwrap_or(callbacks::placeholder);
        // SAFETY: the callback has the event's signature, or is taken back before an event.
        answers.push((row.event, unsafe { set(row.event, Some(registered)) }));
        if answers.last().is_some_and(|(_, answer)| answer.0 > ompt_set_result_t::NEVER.0)
            && registered_for(row.event) != Some(registered as usize)
        {
            forgotten.push(row.event);
        }
        let is_superfluous =
            row.event == ompt_callbacks_t::CONTROL_TOOL && WITHOUT_CONTROL.load(Ordering::Relaxed);
        if callback.is_none() || is_superfluous {
            // SAFETY: NULL takes the callback back.
            unsafe { set(row.event, None) };
        }
    }
    record(|started| {
        started.answers = answers;
        started.forgotten = forgotten;
    });
}

unsafe extern "C" fn finalize(_tool_data: *mut ompt_data_t) {
    record(|started| started.finalized += 1);
    let action = *AT_FINALIZE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(action) = action {
        action();
    }
}
