//! The tool that the search has found, by the interface to which it was written: its functions have
//! the types of that interface, and its callbacks stand in the table of that interface.

use core::mem::transmute;
use core::ptr::{self, NonNull};
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{Acquire, Release};

use oxomp_base::version::RUNTIME_VERSION;
use oxomp_sys::ompt::{ompt_data_t, ompt_finalize_t, ompt_start_tool_result_t};
use oxomp_sys::report_2015::{OMPT_VERSION, ompt_callback_t, ompt_initialize_fn_t};

use super::{callbacks, encoder_5x, entry_points, report_2015};
use crate::devices;
use crate::ompd::process;
use crate::ompt::event::Listener;

/// A tool that wants to run, by what it returned to the search.
#[derive(Clone, Copy, Debug)]
pub(super) enum FoundTool {
    /// OpenMP 5 and 6: the structure that `ompt_start_tool` returned, which lives as long as the
    /// tool (5.2 §19.2.1).
    OpenMp5(NonNull<ompt_start_tool_result_t>),
    /// The report of 2015: the initializer that `ompt_tool` returned.
    Report2015(ompt_initialize_fn_t),
}

use FoundTool::{OpenMp5, Report2015};

/// The structure that `ompt_start_tool` returned; null if the tool is not one of OpenMP 5 or 6.
static RESULT: AtomicPtr<ompt_start_tool_result_t> = AtomicPtr::new(ptr::null_mut());
/// The initializer that `ompt_tool` returned; null if the tool is not one of the report.
static INITIALIZER: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// Keeps the result of the search. Called by the one thread that searches, or is alone.
///
/// A thread that asks for the tool meanwhile gets the former result, the new one, or none: each
/// word has values of one type, so their order does not matter. Threads that act on the tool have
/// seen the phase that the searching thread stores afterwards.
pub(super) fn keep(tool: Option<FoundTool>) {
    let (result, initializer) = match tool {
        None => (ptr::null_mut(), ptr::null_mut()),
        Some(OpenMp5(result)) => (result.as_ptr(), ptr::null_mut()),
        Some(Report2015(initialize)) => (ptr::null_mut(), initialize as *mut ()),
    };
    RESULT.store(result, Release);
    INITIALIZER.store(initializer, Release);
}

/// The tool that the search has found.
pub(super) fn get() -> Option<FoundTool> {
    // Acquire: pairs with the Release in `keep`; shows the structure as the tool has filled it.
    if let Some(result) = NonNull::new(RESULT.load(Acquire)) {
        return Some(OpenMp5(result));
    }
    let initializer = NonNull::new(INITIALIZER.load(Acquire))?;
    // SAFETY: `keep` is the only writer, and stores null or an initializer.
    Some(Report2015(unsafe { transmute::<NonNull<()>, ompt_initialize_fn_t>(initializer) }))
}

/// Whether the tool is one of the report of 2015.
pub(super) fn is_report_2015() -> bool {
    matches!(get(), Some(Report2015(_)))
}

/// The function that tells the tool of its end.
pub(super) enum Finalizer {
    OpenMp5(Option<ompt_finalize_t>, *mut ompt_data_t),
    Report2015(Option<ompt_callback_t>),
}

impl Finalizer {
    /// Tells the tool of its end. Called once for each initialization.
    pub(super) fn call(self) {
        match self {
            // SAFETY: the tool's finalizer gets the tool's own word (5.2 §19.2.1).
            Finalizer::OpenMp5(Some(finalize), data) => unsafe { finalize(data) },
            // SAFETY: the callback of the end of the runtime has no arguments (the report §3.1).
            Finalizer::Report2015(Some(shut_down)) => unsafe { shut_down() },
            Finalizer::OpenMp5(None, _) | Finalizer::Report2015(None) => {}
        }
    }
}

impl FoundTool {
    /// Whether the tool is initialized when the library is loaded, so that it sees the program from
    /// its first line. The report requires that the initializer is called right after the
    /// initialization of the runtime, which is part of the program's first call.
    pub(super) fn starts_at_load(self) -> bool {
        matches!(self, OpenMp5(_))
    }

    /// The listener of events for the tool.
    pub(super) fn listener(self) -> &'static Listener {
        match self {
            OpenMp5(_) => &encoder_5x::LISTENER,
            Report2015(_) => &report_2015::LISTENER,
        }
    }

    /// Calls the tool's initializer; returns whether the tool wants to go on. A tool of the report
    /// cannot refuse any more.
    pub(super) fn initialize(self) -> bool {
        match self {
            OpenMp5(result) => {
                process::show_tool_data(data_of(result).cast());
                let host = devices::initial_device_num();
                // SAFETY: the structure lives as long as the tool (5.2 §19.2.1), and no other
                // thread accesses it: one thread initializes the tool.
                let initialize = unsafe { (*result.as_ptr()).initialize };
                // SAFETY: the tool's initializer gets the arguments that 5.2 §19.2.1 specifies: the
                // look-up function and the tool's own word.
                initialize.is_some_and(|initialize| unsafe {
                    initialize(entry_points::look_up, host, data_of(result)) != 0
                })
            }
            Report2015(initialize) => {
                report_2015::begin();
                devices::prepare_entry_points();
                // SAFETY: the arguments are those that the report specifies (§7.2): the look-up
                // function, a string that is never freed, and the version of the interface.
                unsafe {
                    initialize(report_2015::look_up, RUNTIME_VERSION.as_ptr(), OMPT_VERSION);
                }
                true
            }
        }
    }

    /// Enables the events that the tool has registered.
    pub(super) fn publish(self) {
        match self {
            OpenMp5(_) => callbacks::publish(),
            Report2015(_) => report_2015::publish(),
        }
    }

    /// Unregisters all callbacks and disables all events.
    pub(super) fn clear(self) {
        process::show_tool_data(ptr::null_mut());
        match self {
            OpenMp5(_) => callbacks::clear(),
            Report2015(_) => report_2015::clear(),
        }
    }

    /// Waits until the thread that ends the tool has unregistered all callbacks.
    pub(super) fn wait_until_clear(self) {
        match self {
            OpenMp5(_) => callbacks::wait_until_clear(),
            Report2015(_) => report_2015::wait_until_clear(),
        }
    }

    /// The function that tells the tool of its end, read before `clear`: in the report it is a
    /// callback.
    pub(super) fn finalizer(self) -> Finalizer {
        match self {
            OpenMp5(result) => {
                // SAFETY: the structure lives as long as the tool, and is only read.
                let finalize = unsafe { (*result.as_ptr()).finalize };
                Finalizer::OpenMp5(finalize, data_of(result))
            }
            Report2015(_) => Finalizer::Report2015(report_2015::shutdown_callback()),
        }
    }
}

/// The address of the tool's own word.
fn data_of(result: NonNull<ompt_start_tool_result_t>) -> *mut ompt_data_t {
    // SAFETY: the structure lives as long as the tool; makes no reference.
    unsafe { &raw mut (*result.as_ptr()).tool_data }
}
