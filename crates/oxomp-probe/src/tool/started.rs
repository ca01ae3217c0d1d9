//! What the checks learn of the start of the tool.

use std::sync::{Mutex, PoisonError};

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_set_result_t};

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

/// The facts that the runtime told; the default values if it never asked for the tool.
pub(crate) fn started() -> Started {
    let started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    started.clone().unwrap_or_default()
}

/// Notes what the runtime has told.
pub(super) fn record(change: impl FnOnce(&mut Started)) {
    let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    change(started.get_or_insert_default());
}
