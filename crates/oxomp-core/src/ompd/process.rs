//! The root of all that a debugger reads: the list of threads, the settings, and texts made for it.

use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicI32, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize};

use oxomp_base::icv::tool::ToolIcvs;
use oxomp_base::icv::{WaitPolicy, display};
use oxomp_base::settings::Settings;
use oxomp_base::{os, version};
use oxomp_ompd_layout::{Kind, Readable, Record, fields};

/// The state of the process for a debugger.
#[derive(Debug)]
pub struct Process {
    debug: AtomicU8,
    openmp_version: AtomicU32,
    runtime_version: AtomicPtr<u8>,
    /// The first block of the linked list of threads.
    threads: AtomicPtr<()>,
    settings: AtomicPtr<Settings>,
    environment: Slice<u8, 1>,
    places: Slice<Place, { size_of::<Place>() as u16 }>,
    affinity_format: Slice<u8, 1>,
    wait_policy: AtomicU8,
    tool_var: AtomicU8,
    tool_data: AtomicPtr<()>,
    default_stack: AtomicUsize,
    num_devices: AtomicI32,
}

/// The fields that a debugger reads.
pub(crate) const FIELDS: &[Record] = fields!(Process {
    debug => ProcessDebug,
    openmp_version => ProcessOpenmpVersion,
    runtime_version => ProcessRuntimeVersion,
    threads => ProcessThreads,
    settings => ProcessSettings,
    environment => ProcessEnvironment,
    places => ProcessPlaces,
    affinity_format => ProcessAffinityFormat,
    wait_policy => ProcessWaitPolicy,
    tool_var => ProcessToolVar,
    tool_data => ProcessToolData,
    default_stack => ProcessDefaultStack,
    num_devices => ProcessNumDevices,
});

/// The fields of the tool's own word that a debugger reads.
pub(crate) const TOOL_DATA_FIELDS: &[Record] = fields!(ToolData {
    word => ToolDataWord,
});

/// The word that a tool has for itself, `ompt_data_t`.
#[repr(transparent)]
struct ToolData {
    word: u64,
}

/// The fields of a place that a debugger reads.
pub(crate) const PLACE_FIELDS: &[Record] = fields!(Place {
    processors => PlaceProcessors,
});

/// An array of elements of `ELEMENT` bytes each, which is never freed.
#[derive(Debug)]
#[repr(C)]
struct Slice<T, const ELEMENT: u16> {
    address: AtomicPtr<T>,
    length: AtomicUsize,
}

impl<T, const ELEMENT: u16> Readable for Slice<T, ELEMENT> {
    const KIND: Kind = Kind::Slice { element: ELEMENT };
}

impl<T, const ELEMENT: u16> Slice<T, ELEMENT> {
    const fn empty() -> Self {
        Slice { address: AtomicPtr::new(ptr::null_mut()), length: AtomicUsize::new(0) }
    }

    /// Publishes these elements. A debugger that stops the process in between sees none.
    fn show(&self, elements: &[T]) {
        self.length.store(0, Release);
        self.address.store(elements.as_ptr().cast_mut(), Release);
        self.length.store(elements.len(), Release);
    }
}

/// A place of the place list.
#[derive(Debug)]
struct Place {
    processors: Slice<u64, 8>,
}

pub(crate) static PROCESS: Process = Process {
    debug: AtomicU8::new(0),
    openmp_version: AtomicU32::new(version::OPENMP_VERSION),
    runtime_version: AtomicPtr::new(version::RUNTIME_VERSION.as_ptr().cast::<u8>().cast_mut()),
    threads: AtomicPtr::new(ptr::null_mut()),
    settings: AtomicPtr::new(ptr::null_mut()),
    environment: Slice::empty(),
    places: Slice::empty(),
    affinity_format: Slice::empty(),
    wait_policy: AtomicU8::new(0),
    tool_var: AtomicU8::new(0),
    tool_data: AtomicPtr::new(ptr::null_mut()),
    default_stack: AtomicUsize::new(0),
    num_devices: AtomicI32::new(0),
};

/// Publishes the address of the word that the tool has for itself; null for none.
pub(crate) fn show_tool_data(word: *mut ()) {
    PROCESS.tool_data.store(word, Release);
}

/// Publishes the number of non-host devices.
pub(crate) fn show_num_devices(number: i32) {
    PROCESS.num_devices.store(number, Relaxed);
}

/// The number of non-host devices that was published last. Async-signal-safe.
pub(crate) fn shown_num_devices() -> i32 {
    PROCESS.num_devices.load(Relaxed)
}

/// The first of the list of all threads.
pub(crate) fn first_thread() -> *mut () {
    // Acquire: pairs with the Release in `set_first_thread`.
    PROCESS.threads.load(Acquire)
}

/// Makes the block at `thread` the first of the list of all threads.
pub(crate) fn set_first_thread(thread: *mut ()) {
    // Release: the block is complete for a thread, or a debugger, that finds it.
    PROCESS.threads.store(thread, Release);
}

/// Publishes *affinity-format-var*; `format` stays valid until the next call.
pub(crate) fn show_affinity_format(format: &[u8]) {
    PROCESS.affinity_format.show(format);
}

/// Publishes the settings; with *debug-var* also the places and texts, which are made for it.
pub(crate) fn show(settings: &'static Settings) {
    PROCESS.affinity_format.show(settings.globals.affinity_format_var.as_bytes());
    let policy = match settings.globals.wait_policy_var {
        None => 0,
        Some(WaitPolicy::Active) => 1,
        Some(WaitPolicy::Passive) => 2,
    };
    PROCESS.wait_policy.store(policy, Relaxed);
    PROCESS.default_stack.store(os::default_stack_bytes(), Relaxed);
    // An invalid OMP_TOOL has already ended the program.
    let tool = ToolIcvs::of_process().ok();
    let may_have_tool = tool.as_ref().is_some_and(|tool| tool.tool_var);
    PROCESS.tool_var.store(u8::from(may_have_tool), Relaxed);
    PROCESS.settings.store(ptr::from_ref(settings).cast_mut(), Release);
    if !settings.globals.debug_var {
        return;
    }
    let places = settings.places.as_slice().iter().map(|place| {
        let processors = Slice::empty();
        processors.show(place.words());
        Place { processors }
    });
    PROCESS.places.show(Vec::leak(places.collect()));
    if let Some(tool) = tool {
        PROCESS.environment.show(Vec::leak(environment(settings, &tool)));
    }
    PROCESS.debug.store(1, Release);
}

/// The text of every variable that has a value, each followed by a zero byte.
fn environment(settings: &Settings, tool: &ToolIcvs) -> Vec<u8> {
    let mut bytes = Vec::new();
    for assignment in display::assignments(&settings.icvs, &settings.globals, tool) {
        bytes.extend_from_slice(assignment.as_bytes());
        bytes.push(0);
    }
    bytes
}
