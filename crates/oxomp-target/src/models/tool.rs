//! The tool of the models: it hears of devices and images, and has data of its own from its begin
//! to its end.

use core::cell::RefCell;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::{take, transmute};
use core::sync::atomic::Ordering::Relaxed;

use oxomp_sys::ompt::{
    ompt_callback_device_finalize_t, ompt_callback_device_initialize_t,
    ompt_callback_device_load_t, ompt_callback_t, ompt_callbacks_t, ompt_function_lookup_t,
    ompt_get_callback_t, ompt_interface_fn_t,
};

use super::Data;
use crate::sync::AtomicUsize;

statics! {
    /// The data of the tool: not 0 while it listens.
    static DATA: Data = Data::default();
    /// How much the tool has heard: it tells loom that `heard` depends on events.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
}

std::thread_local! {
    /// What the tool has heard. All threads of a model are the same thread of the process.
    static HEARD: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
    /// What the tool does when it hears of an image, once.
    static AT_LOAD: RefCell<Option<fn()>> = const { RefCell::new(None) };
}

/// A tool begins; what an earlier one has heard is forgotten.
pub(super) fn begin() {
    heard();
    DATA.set(1);
    // SAFETY: the look-up is as a host runtime's.
    assert!(unsafe { crate::tool::begin(look_up, true) });
}

/// The tool ends, and frees its data.
pub(super) fn end() {
    crate::tool::end();
    DATA.set(0);
}

/// What the tool has heard since this was asked.
pub(super) fn heard() -> Vec<&'static str> {
    COUNT.load(Relaxed);
    HEARD.with_borrow_mut(take)
}

/// Lets the tool call `act` when it hears of an image, once.
pub(super) fn at_load(act: fn()) {
    AT_LOAD.replace(Some(act));
}

fn hear(what: &'static str) {
    assert_eq!(DATA.get(), 1, "the tool has ended");
    COUNT.fetch_add(1, Relaxed);
    HEARD.with_borrow_mut(|heard| heard.push(what));
}

unsafe extern "C" fn on_initialize(
    _device: c_int,
    _type: *const c_char,
    _handle: *mut c_void,
    _look_up: Option<ompt_function_lookup_t>,
    _documentation: *const c_char,
) {
    hear("begins");
}

unsafe extern "C" fn on_finalize(_device: c_int) {
    hear("ends");
}

#[allow(clippy::too_many_arguments, reason = "the callback has them")]
unsafe extern "C" fn on_load(
    _device: c_int,
    _file: *const c_char,
    _offset: i64,
    _in_file: *mut c_void,
    _bytes: usize,
    _host: *mut c_void,
    _on_device: *mut c_void,
    _module: u64,
) {
    hear("loads");
    if let Some(act) = AT_LOAD.take() {
        act();
    }
}

unsafe extern "C" fn get_callback(
    event: ompt_callbacks_t,
    callback: *mut Option<ompt_callback_t>,
) -> c_int {
    // SAFETY: the library converts the functions back to these types.
    let found = unsafe {
        match event {
            ompt_callbacks_t::DEVICE_INITIALIZE => {
                transmute::<ompt_callback_device_initialize_t, ompt_callback_t>(on_initialize)
            }
            ompt_callbacks_t::DEVICE_FINALIZE => {
                transmute::<ompt_callback_device_finalize_t, ompt_callback_t>(on_finalize)
            }
            ompt_callbacks_t::DEVICE_LOAD => {
                transmute::<ompt_callback_device_load_t, ompt_callback_t>(on_load)
            }
            _ => return 0,
        }
    };
    // SAFETY: the library's place for the callback.
    unsafe { callback.write(Some(found)) };
    1
}

unsafe extern "C" fn look_up(name: *const c_char) -> Option<ompt_interface_fn_t> {
    // SAFETY: the library passes strings, and converts the function back to this type.
    unsafe {
        (CStr::from_ptr(name) == c"ompt_get_callback")
            .then(|| transmute::<ompt_get_callback_t, ompt_interface_fn_t>(get_callback))
    }
}
