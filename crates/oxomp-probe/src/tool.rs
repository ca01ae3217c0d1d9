//! The tool: what `ompt_start_tool` and the initializer do, and the entry points they found.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::mem::transmute;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use oxomp_sys::ompt::{
    EventRow, ompt_callback_t, ompt_callbacks_t, ompt_data_t, ompt_enumerate_mutex_impls_t,
    ompt_enumerate_states_t, ompt_finalize_tool_t, ompt_function_lookup_t, ompt_get_callback_t,
    ompt_get_num_devices_t, ompt_get_num_places_t, ompt_get_num_procs_t, ompt_get_parallel_info_t,
    ompt_get_place_num_t, ompt_get_place_proc_ids_t, ompt_get_proc_id_t, ompt_get_state_t,
    ompt_get_target_info_t, ompt_get_task_info_t, ompt_get_task_memory_t, ompt_get_thread_data_t,
    ompt_get_unique_id_t, ompt_interface_fn_t, ompt_set_callback_t, ompt_set_result_t,
    ompt_start_tool_result_t, ompt_wait_id_t,
};

use crate::callbacks;

/// The 19 names that a runtime knows (6.0 §36.1).
pub(crate) const NAMES: [&CStr; 19] = [
    c"ompt_enumerate_states",
    c"ompt_enumerate_mutex_impls",
    c"ompt_set_callback",
    c"ompt_get_callback",
    c"ompt_get_thread_data",
    c"ompt_get_num_places",
    c"ompt_get_place_proc_ids",
    c"ompt_get_place_num",
    c"ompt_get_partition_place_nums",
    c"ompt_get_proc_id",
    c"ompt_get_state",
    c"ompt_get_parallel_info",
    c"ompt_get_task_info",
    c"ompt_get_task_memory",
    c"ompt_get_num_devices",
    c"ompt_get_num_procs",
    c"ompt_get_target_info",
    c"ompt_get_unique_id",
    c"ompt_finalize_tool",
];

/// The next result of `ompt_start_tool` is NULL.
pub(crate) static REFUSES: AtomicBool = AtomicBool::new(false);
/// The initializer returns 0.
pub(crate) static DECLINES: AtomicBool = AtomicBool::new(false);
/// The initializer registers everything but `control_tool`.
pub(crate) static WITHOUT_CONTROL: AtomicBool = AtomicBool::new(false);
/// Called by the finalizer.
pub(crate) static AT_FINALIZE: Mutex<Option<fn()>> = Mutex::new(None);
/// The moment at which the tool ends itself.
static HOOK: AtomicI32 = AtomicI32::new(0);

/// Where a callback ends the tool.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hook {
    /// At the begin of an implicit task of a region, on whatever thread.
    ImplicitTask = 1,
}

/// The facts that the runtime told the tool while it started.
#[derive(Clone, Debug, Default)]
pub(crate) struct Started {
    pub(crate) omp_version: u32,
    /// `None`: a null pointer.
    pub(crate) runtime_version: Option<String>,
    pub(crate) start_calls: usize,
    pub(crate) initialized: bool,
    pub(crate) initial_device: i32,
    /// `tool_data` is the address of the field in the tool's structure.
    pub(crate) data_is_ours: bool,
    pub(crate) finalized: usize,
    /// The answers of `ompt_set_callback`, by event.
    pub(crate) answers: Vec<(ompt_callbacks_t, ompt_set_result_t)>,
    /// Events for which `ompt_get_callback` did not give back what was registered before.
    pub(crate) forgotten: Vec<ompt_callbacks_t>,
    /// Names that the lookup function does not know.
    pub(crate) unknown: Vec<String>,
    /// The lookup function gives something for a name that does not exist.
    pub(crate) knows_nonsense: bool,
}

static STARTED: Mutex<Option<Started>> = Mutex::new(None);
static LOOKUP: OnceLock<ompt_function_lookup_t> = OnceLock::new();
/// `ompt_get_state`, looked up beforehand for use in signal handlers.
static GET_STATE: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// The facts that the runtime told; none if it never asked for the tool.
pub(crate) fn started() -> Started {
    let started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    started.clone().unwrap_or_default()
}

fn record(change: impl FnOnce(&mut Started)) {
    let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    change(started.get_or_insert_default());
}

/// Ends the tool in the next callback of that kind.
pub(crate) fn end_at(hook: Hook) {
    HOOK.store(hook as i32, Ordering::Release);
}

/// Called by callbacks: ends the tool if this is the moment.
pub(crate) fn fire_hook(hook: Hook) {
    let armed = hook as i32;
    if HOOK.compare_exchange(armed, 0, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        && let Some(end) = finalize_tool()
    {
        // SAFETY: 6.0 §36.20 allows the call in a callback.
        unsafe { end() };
    }
}

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
    LOOKUP.set(lookup).ok();
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
    let state = find(c"ompt_get_state").map_or(ptr::null_mut(), |entry| entry as *mut c_void);
    GET_STATE.store(state, Ordering::Release);
    register_all();
    c_int::from(!DECLINES.load(Ordering::Relaxed))
}

/// Registers a callback for each event, and takes those of the superseded target events back: a
/// tool may not have them beside their successors.
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

/// The address that `ompt_get_callback` gives for an event; `None` if it says there is none.
pub(crate) fn registered_for(event: ompt_callbacks_t) -> Option<usize> {
    let get = get_callback()?;
    let mut found: Option<ompt_callback_t> = None;
    // SAFETY: `found` is writable and has a pointer's layout.
    let status = unsafe { get(event, &raw mut found) };
    (status == 1).then(|| found.map_or(0, |callback| callback as usize))
}

unsafe extern "C" fn finalize(_tool_data: *mut ompt_data_t) {
    record(|started| started.finalized += 1);
    let action = *AT_FINALIZE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(action) = action {
        action();
    }
}

fn find(name: &CStr) -> Option<ompt_interface_fn_t> {
    // SAFETY: the name is a C string; the lookup function stays valid (6.0 §32.2.3.1).
    LOOKUP.get().and_then(|lookup| unsafe { lookup(name.as_ptr()) })
}

/// Defines a function per entry point, which looks it up.
macro_rules! entry_points {
    ($($name:ident: $symbol:literal => $signature:ty;)*) => {$(
        #[doc = concat!("`", stringify!($symbol), "`; `None` if the runtime lacks it.")]
        pub(crate) fn $name() -> Option<$signature> {
            find($symbol).map(|entry| {
                let entry = entry as *mut c_void;
                // SAFETY: the entry point of that name has that signature.
                unsafe { transmute::<*mut c_void, $signature>(entry) }
            })
        }
    )*};
}

entry_points! {
    set_callback: c"ompt_set_callback" => ompt_set_callback_t;
    get_callback: c"ompt_get_callback" => ompt_get_callback_t;
    enumerate_states: c"ompt_enumerate_states" => ompt_enumerate_states_t;
    enumerate_mutex_impls: c"ompt_enumerate_mutex_impls" => ompt_enumerate_mutex_impls_t;
    get_thread_data: c"ompt_get_thread_data" => ompt_get_thread_data_t;
    get_num_procs: c"ompt_get_num_procs" => ompt_get_num_procs_t;
    get_num_places: c"ompt_get_num_places" => ompt_get_num_places_t;
    get_place_proc_ids: c"ompt_get_place_proc_ids" => ompt_get_place_proc_ids_t;
    get_place_num: c"ompt_get_place_num" => ompt_get_place_num_t;
    get_proc_id: c"ompt_get_proc_id" => ompt_get_proc_id_t;
    get_parallel_info: c"ompt_get_parallel_info" => ompt_get_parallel_info_t;
    get_task_info: c"ompt_get_task_info" => ompt_get_task_info_t;
    get_task_memory: c"ompt_get_task_memory" => ompt_get_task_memory_t;
    get_target_info: c"ompt_get_target_info" => ompt_get_target_info_t;
    get_num_devices: c"ompt_get_num_devices" => ompt_get_num_devices_t;
    get_unique_id: c"ompt_get_unique_id" => ompt_get_unique_id_t;
    finalize_tool: c"ompt_finalize_tool" => ompt_finalize_tool_t;
}

/// `ompt_get_state` of the calling thread, and the wait id; may be called in a signal handler.
pub(crate) fn state() -> Option<(i32, ompt_wait_id_t)> {
    let entry = GET_STATE.load(Ordering::Acquire);
    if entry.is_null() {
        return None;
    }
    // SAFETY: the pointer is that of `ompt_get_state`, which has this signature.
    let get = unsafe { transmute::<*mut c_void, ompt_get_state_t>(entry) };
    let mut wait_id = 0;
    // SAFETY: `wait_id` is writable; the function is async-signal-safe.
    let state = unsafe { get(&raw mut wait_id) };
    Some((state.0, wait_id))
}

/// The enumerators that one of the two enumerating entry points gives, each with its name; at most
/// a thousand, so that a circle ends.
pub(crate) fn enumerate(
    mut step: impl FnMut(i32) -> Option<(i32, *const c_char)>,
    start: i32,
) -> Vec<(i32, CString)> {
    let mut all = Vec::new();
    let mut current = start;
    while let Some((next, name)) = step(current)
        && all.len() < 1000
    {
        // SAFETY: the entry point gives NULL or a static C string.
        let name = if name.is_null() { c"" } else { unsafe { CStr::from_ptr(name) } };
        all.push((next, name.to_owned()));
        current = next;
    }
    all
}
