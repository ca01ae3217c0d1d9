//! The trait that a tool implements, with a method per event.

use core::ffi::CStr;

use oxomp_sys::ompt::ompt_function_lookup_t;

use crate::data::hooks::Hooks;
use crate::raw::entry_point;
use crate::trace::Records;
use crate::{
    Cancel, ControlResult, ControlTool, Dependences, DeviceFinalize, DeviceInitialize, DeviceLoad,
    DeviceUnload, Dispatch, EntryPoints, ErrorDirective, EventSet, Flush, ImplicitTask, Masked,
    Model, Mutex, MutexAcquire, NestLock, ParallelBegin, ParallelEnd, Raw, Registration, Runtime,
    SyncRegion, Target, TargetDataOp, TargetDataOpEmi, TargetEmi, TargetMap, TargetMapEmi,
    TargetSubmit, TargetSubmitEmi, TaskCreate, TaskDependence, TaskSchedule, ThreadBegin,
    ThreadEnd, Work,
};

/// The facts that a tool is started with.
#[derive(Clone, Copy, Debug)]
pub struct Initialization<D: Model = Raw> {
    /// The runtime that starts the tool.
    pub runtime: Runtime,
    /// The runtime's entry points.
    pub entry_points: EntryPoints<D>,
    /// The host's device number.
    pub initial_device_num: i32,
    pub(crate) lookup: ompt_function_lookup_t,
}

impl<D: Model> Initialization<D> {
    /// The runtime's function `name`, which OpenMP does not define, as a function of type `F`;
    /// `None` if the runtime lacks it.
    ///
    /// # Safety
    /// `F` is the type that every runtime which knows the name gives the function, a function
    /// pointer.
    #[must_use]
    pub unsafe fn extension<F: Copy>(&self, name: &CStr) -> Option<F> {
        // SAFETY: the look-up function is the runtime's; the type is right, as the caller promises.
        unsafe { entry_point(self.lookup, name) }
    }
}

macro_rules! events {
    ($($(#[$meta:meta])* $name:ident: $event:ty;)*) => {
        $(
            $(#[$meta])*
            #[inline]
            fn $name(&self, event: &$event) {
                let _ = event;
            }
        )*
    };
}

/// A tool. Methods are called on the thread where the event happens, on many threads at once.
///
/// `#[ompt::tool]` stands before the implementation: it makes [`Tool::METHODS`] of the methods that
/// are written, and the runtime is asked for those events.
/// [`ompt_tool!`](crate::ompt_tool) makes a type the tool of its library.
pub trait Tool: Send + Sync + Sized + 'static {
    /// How events show the tool's data: [`Raw`], which `#[ompt::tool]` fills in, or
    /// [`Typed<Self>`](crate::Typed).
    type Model: Hooks<Self>;

    /// The events that the tool has methods for. `#[ompt::tool]` writes this; a list written by
    /// hand may forget a method, which the runtime would then never call.
    const METHODS: EventSet;

    /// Whether the tool wants to run at all; called before the runtime is ready, so keep it small.
    fn wanted(runtime: &Runtime) -> bool {
        let _ = runtime;
        true
    }

    /// Makes the tool; called when the runtime is ready and before any event. `None`: the tool does
    /// not run.
    fn initialize(initialization: &Initialization<Self::Model>) -> Option<Self>;

    /// The events to register, of those that the tool has methods for; others cost nothing. Called
    /// once, after [`Tool::initialize`]. By default all of them; a tool may choose while it starts.
    ///
    /// An event without a method is not registered, and the SDK says so on stderr.
    fn events(&self) -> EventSet {
        Self::METHODS
    }

    /// Called with the runtime's answers to the registration of [`Tool::events`], still before any
    /// event.
    fn registered(&self, registration: &Registration) {
        let _ = registration;
    }

    /// The run is over; called after the last event.
    fn finalize(&self) {}

    /// The program called `omp_control_tool`.
    #[inline]
    fn control_tool(&self, event: &ControlTool) -> ControlResult {
        let _ = event;
        ControlResult::IGNORED
    }

    /// A device hands over records of its trace, which
    /// [`Device::start_trace`](crate::Device::start_trace) has started.
    ///
    /// Called on a thread of the runtime, perhaps for several devices at once. The module
    /// [`trace`](crate::trace) says what may be called there.
    fn trace_records(&self, records: Records<'_>) {
        let _ = records;
    }

    events! {
        /// A thread begins.
        thread_begin: ThreadBegin<'_, Self::Model>;
        /// A thread ends.
        thread_end: ThreadEnd<'_, Self::Model>;
        /// A parallel or teams region begins.
        parallel_begin: ParallelBegin<'_, Self::Model>;
        /// A parallel or teams region ends.
        parallel_end: ParallelEnd<'_, Self::Model>;
        /// A task is created.
        task_create: TaskCreate<'_, Self::Model>;
        /// A thread switches tasks.
        task_schedule: TaskSchedule<'_, Self::Model>;
        /// An implicit or initial task begins or ends.
        implicit_task: ImplicitTask<'_, Self::Model>;
        /// Waiting in a synchronization region begins or ends.
        sync_region_wait: SyncRegion<'_, Self::Model>;
        /// A mutex was released.
        mutex_released: Mutex;
        /// A task has dependences.
        dependences: Dependences<'_, Self::Model>;
        /// A dependence between two tasks was seen.
        task_dependence: TaskDependence<'_, Self::Model>;
        /// A worksharing, distribute or taskloop region begins or ends.
        work: Work<'_, Self::Model>;
        /// A masked region begins or ends.
        masked: Masked<'_, Self::Model>;
        /// A synchronization region begins or ends.
        sync_region: SyncRegion<'_, Self::Model>;
        /// A lock was initialized.
        lock_init: MutexAcquire;
        /// A lock is destroyed.
        lock_destroy: Mutex;
        /// A mutex is about to be acquired.
        mutex_acquire: MutexAcquire;
        /// A mutex was acquired.
        mutex_acquired: Mutex;
        /// A nest lock's owner acquired it again, or released it and still owns it.
        nest_lock: NestLock;
        /// A thread encountered a flush construct.
        flush: Flush<'_, Self::Model>;
        /// Cancellation was activated or detected.
        cancel: Cancel<'_, Self::Model>;
        /// A reduction begins or ends.
        reduction: SyncRegion<'_, Self::Model>;
        /// A chunk, an iteration or a section is about to run.
        dispatch: Dispatch<'_, Self::Model>;
        /// An error directive is executed.
        error: ErrorDirective<'_>;
        /// A device is ready. This is the time to start its trace.
        device_initialize: DeviceInitialize<'_>;
        /// A device is about to be finalized. Its handle ends when this has returned.
        device_finalize: DeviceFinalize;
        /// Code was loaded on a device.
        device_load: DeviceLoad<'_>;
        /// Code is about to be unloaded from a device.
        device_unload: DeviceUnload;
        /// A target construct begins or ends (before 5.1); do not register with `target_emi`.
        target: Target<'_, Self::Model>;
        /// A target construct begins or ends.
        target_emi: TargetEmi<'_, Self::Model>;
        /// A data operation (before 5.1); do not register with `target_data_op_emi`.
        target_data_op: TargetDataOp;
        /// A data operation begins or ends.
        target_data_op_emi: TargetDataOpEmi<'_, Self::Model>;
        /// A kernel is submitted (before 5.1); do not register with `target_submit_emi`.
        target_submit: TargetSubmit;
        /// The submission of a kernel begins or ends.
        target_submit_emi: TargetSubmitEmi<'_>;
        /// Variables are mapped (before 5.1); do not register with `target_map_emi`.
        target_map: TargetMap<'_>;
        /// Variables are mapped.
        target_map_emi: TargetMapEmi<'_>;
    }
}
