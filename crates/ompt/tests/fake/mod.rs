//! A runtime of the tests' own: one tool, its callbacks, and the words of the calling thread.

#![allow(dead_code, reason = "each test uses a part")]

pub(crate) mod device;
pub(crate) mod engine;

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::mem::{transmute, transmute_copy};
use std::ptr::{null, null_mut};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use ompt::Event;
use oxomp_sys::ompt::{
    ompt_callback_cancel_t, ompt_callback_control_tool_t, ompt_callback_implicit_task_t,
    ompt_callback_parallel_begin_t, ompt_callback_parallel_end_t, ompt_callback_sync_region_t,
    ompt_callback_t, ompt_callback_task_create_t, ompt_callback_task_schedule_t,
    ompt_callback_thread_begin_t, ompt_callback_thread_end_t, ompt_callbacks_t, ompt_cancel_flag_t,
    ompt_data_t, ompt_finalize_t, ompt_frame_t, ompt_interface_fn_t, ompt_parallel_flag_t,
    ompt_scope_endpoint_t, ompt_set_result_t, ompt_start_tool_result_t, ompt_sync_region_t,
    ompt_task_flag_t, ompt_task_status_t, ompt_thread_t,
};

unsafe extern "C" {
    fn ompt_start_tool(
        omp_version: c_uint,
        runtime_version: *const c_char,
    ) -> *mut ompt_start_tool_result_t;
}

static CALLBACKS: Mutex<[Option<ompt_callback_t>; Event::ALL.len() + 1]> =
    Mutex::new([None; Event::ALL.len() + 1]);

/// Whether the runtime says that it is not oxomp.
pub(crate) static IS_FOREIGN: AtomicBool = AtomicBool::new(false);

/// The events for which the tool passed a null pointer.
pub(crate) static NULLS: Mutex<Vec<Event>> = Mutex::new(Vec::new());

static FINALIZE: Mutex<Option<ompt_finalize_t>> = Mutex::new(None);

thread_local! {
    static THREAD: Cell<*mut ompt_data_t> = const { Cell::new(null_mut()) };
    static TASK: Cell<*mut ompt_data_t> = const { Cell::new(null_mut()) };
    static FINALIZER: Cell<Option<fn()>> = const { Cell::new(None) };
}

/// A word of an object, which any thread of the test may pass to the tool.
#[derive(Debug)]
pub(crate) struct Word(Box<Cell<ompt_data_t>>);

// SAFETY: the tool uses words as atomics.
unsafe impl Send for Word {}
// SAFETY: as above.
unsafe impl Sync for Word {}

impl Word {
    pub(crate) fn new() -> Self {
        Self(Box::new(Cell::new(ompt_data_t::NONE)))
    }

    pub(crate) fn raw(&self) -> *mut ompt_data_t {
        self.0.as_ptr()
    }

    pub(crate) fn value(&self) -> u64 {
        self.0.get().value
    }
}

/// Starts the tool; its result structure, if it wants to run.
pub(crate) fn start() -> Option<&'static mut ompt_start_tool_result_t> {
    let version = if IS_FOREIGN.load(Ordering::Relaxed) { c"foreign" } else { c"oxomp fake" };
    // SAFETY: the tool's own function; the structure stays.
    unsafe { ompt_start_tool(202111, version.as_ptr()).as_mut() }
}

/// Starts and initializes the tool; whether it runs.
pub(crate) fn run() -> bool {
    start().is_some_and(initialize)
}

pub(crate) fn initialize(result: &mut ompt_start_tool_result_t) -> bool {
    *FINALIZE.lock().unwrap() = result.finalize;
    // SAFETY: the tool's own function.
    unsafe { result.initialize.expect("a function")(lookup, 0, &mut result.tool_data) != 0 }
}

/// Ends the tool that was initialized last.
pub(crate) fn finalize() {
    let finalize = FINALIZE.lock().unwrap().expect("a function");
    // SAFETY: the tool's own function.
    unsafe { finalize(&mut { ompt_data_t::NONE }) };
}

/// Sets the task that the calling thread executes.
pub(crate) fn execute(task: &Word) {
    TASK.set(task.raw());
}

/// Sets what `ompt_finalize_tool` does on this thread.
pub(crate) fn on_finalize_tool(act: fn()) {
    FINALIZER.set(Some(act));
}

pub(crate) fn registered() -> Vec<Event> {
    let callbacks = CALLBACKS.lock().unwrap();
    let is_set = |event: &Event| callbacks[event.raw().0 as usize].is_some();
    Event::ALL.iter().copied().filter(is_set).collect()
}

/// Forgets all callbacks and the calling thread, as a runtime that has shut down.
pub(crate) fn forget() {
    *CALLBACKS.lock().unwrap() = [None; Event::ALL.len() + 1];
    THREAD.set(null_mut());
    TASK.set(null_mut());
}

unsafe extern "C" fn set_callback(
    event: ompt_callbacks_t,
    callback: Option<ompt_callback_t>,
) -> ompt_set_result_t {
    if callback.is_none() {
        NULLS.lock().unwrap().extend(Event::ALL.iter().filter(|known| known.raw() == event));
    }
    CALLBACKS.lock().unwrap()[event.0 as usize] = callback;
    ompt_set_result_t::ALWAYS
}

unsafe extern "C" fn get_callback(
    event: ompt_callbacks_t,
    callback: *mut Option<ompt_callback_t>,
) -> c_int {
    let registered = CALLBACKS.lock().unwrap()[event.0 as usize];
    // SAFETY: the SDK passes a variable.
    unsafe { *callback = registered };
    c_int::from(registered.is_some())
}

unsafe extern "C" fn get_thread_data() -> *mut ompt_data_t {
    THREAD.get()
}

unsafe extern "C" fn get_task_info(
    level: c_int,
    _flags: *mut ompt_task_flag_t,
    task_data: *mut *mut ompt_data_t,
    _frame: *mut *mut ompt_frame_t,
    _parallel_data: *mut *mut ompt_data_t,
    _thread_num: *mut c_int,
) -> c_int {
    if level != 0 || TASK.get().is_null() {
        return 0;
    }
    // SAFETY: the SDK passes a variable.
    unsafe { *task_data = TASK.get() };
    2
}

unsafe extern "C" fn finalize_tool() {
    FINALIZER.get().expect("the test says what happens")();
    *CALLBACKS.lock().unwrap() = [None; Event::ALL.len() + 1];
}

unsafe extern "C" fn lookup(name: *const c_char) -> Option<ompt_interface_fn_t> {
    // SAFETY: the SDK passes a string.
    let function = match unsafe { CStr::from_ptr(name) }.to_str().unwrap() {
        "ompt_set_callback" => set_callback as *const c_void,
        "ompt_get_callback" => get_callback as *const c_void,
        "ompt_get_thread_data" => get_thread_data as *const c_void,
        "ompt_get_task_info" => get_task_info as *const c_void,
        "ompt_finalize_tool" => finalize_tool as *const c_void,
        _ => return None,
    };
    // SAFETY: the SDK calls a function by the signature that belongs to its name.
    Some(unsafe { transmute::<*const c_void, ompt_interface_fn_t>(function) })
}

/// The registered callback of an event.
///
/// # Safety
/// `F` is the signature of the event's callback.
pub(crate) unsafe fn callback<F>(event: Event) -> Option<F> {
    let callback = CALLBACKS.lock().unwrap()[event.raw().0 as usize]?;
    // SAFETY: a function pointer, of this signature as the caller promises.
    Some(unsafe { transmute_copy(&callback) })
}

/// Calls an event's callback if there is one.
macro_rules! raise {
    ($event:ident, $signature:ty, $($argument:expr),*) => {
        // SAFETY: the signature is the event's, and the words are alive.
        if let Some(callback) = unsafe { callback::<$signature>(Event::$event) } {
            // SAFETY: as above.
            unsafe { callback($($argument),*) };
        }
    };
}

/// Calls the callback as the program's `omp_control_tool` does; `None` if no callback is
/// registered.
pub(crate) fn control_tool() -> Option<c_int> {
    // SAFETY: the signature is the event's.
    let callback = unsafe { callback::<ompt_callback_control_tool_t>(Event::CONTROL_TOOL) }?;
    // SAFETY: as above; the tool does not look at the pointers.
    Some(unsafe { callback(1, 0, null_mut(), null()) })
}

pub(crate) fn thread_begin(word: &Word) {
    THREAD.set(word.raw());
    raise!(THREAD_BEGIN, ompt_callback_thread_begin_t, ompt_thread_t::WORKER, word.raw());
}

pub(crate) fn thread_end(word: *mut ompt_data_t) {
    raise!(THREAD_END, ompt_callback_thread_end_t, word);
}

/// Ends the calling thread.
pub(crate) fn own_thread_end() {
    thread_end(THREAD.get());
}

pub(crate) fn parallel_begin(region: &Word) {
    let flags = ompt_parallel_flag_t::TEAM | ompt_parallel_flag_t::INVOKER_RUNTIME;
    raise!(
        PARALLEL_BEGIN,
        ompt_callback_parallel_begin_t,
        TASK.get(),
        null(),
        region.raw(),
        2,
        flags,
        null()
    );
}

pub(crate) fn parallel_end(region: &Word) {
    let flags = ompt_parallel_flag_t::TEAM | ompt_parallel_flag_t::INVOKER_RUNTIME;
    raise!(PARALLEL_END, ompt_callback_parallel_end_t, region.raw(), TASK.get(), flags, null());
}

pub(crate) fn implicit_begin(region: *mut ompt_data_t, task: &Word) {
    let (begin, flags) = (ompt_scope_endpoint_t::BEGIN, ompt_task_flag_t::IMPLICIT);
    TASK.set(task.raw());
    raise!(IMPLICIT_TASK, ompt_callback_implicit_task_t, begin, region, task.raw(), 2, 0, flags);
}

pub(crate) fn implicit_end(task: &Word) {
    let (end, flags) = (ompt_scope_endpoint_t::END, ompt_task_flag_t::IMPLICIT);
    let region = null_mut();
    raise!(IMPLICIT_TASK, ompt_callback_implicit_task_t, end, region, task.raw(), 0, 0, flags);
}

/// The end of the region's barrier, at which the runtime has no word of the region any more.
pub(crate) fn barrier_end(task: &Word) {
    let (kind, end) = (ompt_sync_region_t::BARRIER_IMPLICIT_PARALLEL, ompt_scope_endpoint_t::END);
    let region = null_mut();
    raise!(SYNC_REGION, ompt_callback_sync_region_t, kind, end, region, task.raw(), null());
}

pub(crate) fn task_create(task: &Word, flags: ompt_task_flag_t) {
    raise!(
        TASK_CREATE,
        ompt_callback_task_create_t,
        TASK.get(),
        null(),
        task.raw(),
        flags,
        0,
        null()
    );
}

pub(crate) fn task_schedule(prior: &Word, status: ompt_task_status_t, next: Option<&Word>) {
    let next = next.map_or(null_mut(), Word::raw);
    if !next.is_null() {
        TASK.set(next);
    }
    raise!(TASK_SCHEDULE, ompt_callback_task_schedule_t, prior.raw(), status, next);
}

pub(crate) fn discard(task: &Word) {
    let flags = ompt_cancel_flag_t::DISCARDED_TASK | ompt_cancel_flag_t::TASKGROUP;
    raise!(CANCEL, ompt_callback_cancel_t, task.raw(), flags, null());
}

/// Acts in a forked child; its status.
pub(crate) fn in_forked_child(act: impl FnOnce()) -> libc::c_int {
    // SAFETY: the child runs `act`, whose locks no other thread holds, and ends.
    match unsafe { libc::fork() } {
        0 => {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(act));
            // SAFETY: ends the child without the test harness's own end.
            unsafe { libc::_exit(i32::from(result.is_err())) }
        }
        child => {
            let mut status = 1;
            // SAFETY: a child of ours, and a variable of ours.
            assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
            status
        }
    }
}
