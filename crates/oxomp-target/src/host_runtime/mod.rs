//! The functions of the host's OpenMP runtime that this library calls: its C interface, found by
//! name, so that any runtime with that interface serves. What only oxomp's libomp has, this library
//! uses if both have the same version of their private interface (`version`).

mod version;

use core::ffi::{CStr, c_int, c_void};
use core::ops::Range;
use core::ptr::{self, NonNull};
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

use once_cell::race::OnceBox;
use oxomp_sys::connection::{
    oxomp_execute_kernel_t, oxomp_image_registered_t, oxomp_kernel_t, oxomp_start_for_tool_t,
};
use oxomp_sys::kmpc::{ident_t, kmp_depend_info_t, kmp_routine_entry_t, kmp_task_t};
use oxomp_sys::ompt::ompt_start_tool_result_t;

use self::version::Interface;
use crate::loader::{self, LoadedObject, symbol};

type TaskAlloc = unsafe extern "C" fn(
    *const ident_t,
    i32,
    i32,
    usize,
    usize,
    kmp_routine_entry_t,
    i64,
) -> *mut kmp_task_t;
type TaskWithDeps = unsafe extern "C" fn(
    *const ident_t,
    i32,
    *mut kmp_task_t,
    i32,
    *const kmp_depend_info_t,
    i32,
    *const kmp_depend_info_t,
) -> i32;
type WaitDeps = unsafe extern "C" fn(
    *const ident_t,
    i32,
    i32,
    *const kmp_depend_info_t,
    i32,
    *const kmp_depend_info_t,
);

type Taskgroup = unsafe extern "C" fn(*const ident_t, i32);

type Connect = unsafe extern "C" fn(*mut ompt_start_tool_result_t);

/// The functions; `None` for a function that the runtime lacks.
#[derive(Clone, Debug)]
pub struct HostRuntime {
    target_offload: Option<unsafe extern "C" fn() -> c_int>,
    default_device: Option<unsafe extern "C" fn() -> c_int>,
    global_thread_num: Option<unsafe extern "C" fn(*const ident_t) -> i32>,
    task_alloc: Option<TaskAlloc>,
    task_with_deps: Option<TaskWithDeps>,
    wait_deps: Option<WaitDeps>,
    has_task_team: Option<unsafe extern "C" fn(i32) -> bool>,
    async_handle: Option<unsafe extern "C" fn(i32) -> *mut *mut c_void>,
    execute_kernel: Option<oxomp_execute_kernel_t>,
    num_threads: Option<unsafe extern "C" fn() -> c_int>,
    taskgroup: [Option<Taskgroup>; 2],
    connect: Option<Connect>,
    /// Where the runtime's code lies, if `is_oxomp`; empty for a runtime that tells of no tool.
    code: Range<usize>,
    wall_time: Option<unsafe extern "C" fn() -> f64>,
    /// The runtime is oxomp, with the private interface of this library.
    is_oxomp: bool,
    start_for_tool: Option<oxomp_start_for_tool_t>,
    max_teams: Option<unsafe extern "C" fn() -> c_int>,
    teams_thread_limit: Option<unsafe extern "C" fn() -> c_int>,
}

/// The functions that this library gives to the runtime, so that the runtime tells of its tool. The
/// runtime does not change the structure.
pub(crate) struct Connection(ompt_start_tool_result_t);

// SAFETY: no thread writes the structure. Calling its functions is unsafe.
unsafe impl Sync for Connection {}

impl Connection {
    /// A connection with these functions, which any thread may call.
    pub(crate) const fn new(functions: ompt_start_tool_result_t) -> Self {
        Self(functions)
    }

    /// The address that the runtime keeps.
    pub(crate) fn as_ptr(&'static self) -> *mut ompt_start_tool_result_t {
        (&raw const self.0).cast_mut()
    }
}

/// *target-offload-var*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetOffload {
    /// All target regions run on the host.
    Disabled,
    /// Target regions run on the host if the device is not available.
    Default,
    /// Target regions that cannot run on their device end the program.
    Mandatory,
}

/// The file that has the functions if the process shows none: a program's shared object may have
/// loaded the runtime for itself alone.
const RUNTIME: &CStr = c"libomp.so.5";

/// An address in the runtime that has loaded this library, or null: the process need not show that
/// runtime.
static PLACE: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// Tells oxomp's libomp, if the process shows it, that a library has been registered. Other
/// runtimes do not need the call, and a runtime that is not loaded has no tool that waits.
pub fn image_registered() {
    let process = libc::RTLD_DEFAULT;
    // SAFETY: a handle of the loader. In this version of the interface the function of this name
    // has this type, and no precondition.
    unsafe {
        if Interface::of(process).0 == Interface::Same {
            let function: Option<oxomp_image_registered_t> =
                symbol(process, c"oxomp_image_registered");
            function.inspect(|function| function());
        }
    }
}

/// The function `name` of the private interface, if the runtime `has_interface`.
///
/// # Safety
/// As for [`symbol`].
unsafe fn private<F: Copy>(library: *mut c_void, has_interface: bool, name: &CStr) -> Option<F> {
    // SAFETY: the caller's own promise (`# Safety`).
    has_interface.then(|| unsafe { symbol(library, name) })?
}

/// The segment that contains `address`; an empty range if no object does.
fn segment_of(address: usize) -> Range<usize> {
    let segment = |object: LoadedObject<'_>| object.segments().find(|it| it.contains(&address));
    loader::search(segment).unwrap_or_default()
}

impl HostRuntime {
    /// The runtime of the process. Several threads may search for it at the same time. The search
    /// takes the loader's lock, whose holder may want the runtime, too, in a constructor, and so
    /// must not wait for another thread's search.
    pub fn get() -> &'static Self {
        static RUNTIME_OF_PROCESS: OnceBox<HostRuntime> = OnceBox::new();
        RUNTIME_OF_PROCESS.get_or_init(|| Box::new(Self::search()))
    }

    /// The runtime has code at `address`, and has loaded this library.
    pub fn lies_at(address: *const c_void) {
        PLACE.store(address.cast_mut(), Relaxed);
    }

    #[cold]
    fn search() -> Self {
        // Relaxed: the runtime has stored the address before it makes any other call.
        let place = PLACE.load(Relaxed);
        let mut library = loader::library_at(place).unwrap_or(libc::RTLD_DEFAULT);
        // SAFETY: a handle of the loader, and a string.
        if unsafe { libc::dlsym(library, c"__kmpc_global_thread_num".as_ptr()) }.is_null() {
            // SAFETY: the runtime may be loaded like any library.
            let opened = unsafe { libc::dlopen(RUNTIME.as_ptr(), libc::RTLD_LAZY) };
            library = if opened.is_null() { libc::RTLD_DEFAULT } else { opened };
        }
        // SAFETY: a handle of the loader.
        let (interface, place) = unsafe { Interface::of(library) };
        interface.warn(place);
        let is_oxomp = interface == Interface::Same;
        // SAFETY: a handle of the loader. The kmpc interface gives the functions of these names
        // these types, and so does this version of the private interface with its own.
        unsafe {
            let connect: Option<Connect> = symbol(library, c"ompt_libomp_connect");
            Self {
                target_offload: symbol(library, c"__kmpc_get_target_offload"),
                default_device: symbol(library, c"omp_get_default_device"),
                global_thread_num: symbol(library, c"__kmpc_global_thread_num"),
                task_alloc: symbol(library, c"__kmpc_omp_target_task_alloc"),
                task_with_deps: symbol(library, c"__kmpc_omp_task_with_deps"),
                wait_deps: symbol(library, c"__kmpc_omp_wait_deps"),
                has_task_team: symbol(library, c"__kmpc_omp_has_task_team"),
                async_handle: symbol(library, c"__kmpc_omp_get_target_async_handle_ptr"),
                execute_kernel: private(library, is_oxomp, c"oxomp_execute_kernel"),
                num_threads: symbol(library, c"omp_get_num_threads"),
                taskgroup: [c"__kmpc_taskgroup", c"__kmpc_end_taskgroup"]
                    .map(|name| symbol(library, name)),
                connect,
                code: connect.filter(|_| is_oxomp).map_or(0..0, |it| segment_of(it as usize)),
                wall_time: symbol(library, c"omp_get_wtime"),
                is_oxomp,
                start_for_tool: private(library, is_oxomp, c"oxomp_start_for_tool"),
                max_teams: symbol(library, c"omp_get_max_teams"),
                teams_thread_limit: symbol(library, c"omp_get_teams_thread_limit"),
            }
        }
    }

    /// Whether the code at that address is the runtime's, and the runtime is oxomp: oxomp's
    /// functions keep frame pointers; of other runtimes this is not known.
    pub(crate) fn has_code(&self, address: usize) -> bool {
        self.code.contains(&address)
    }

    /// Asks the runtime to tell the connection of its tool, now or when the runtime gets one.
    pub(crate) fn connect_tool(&self, connection: &'static Connection) {
        if let Some(connect) = self.connect {
            // SAFETY: the connection stays as it is.
            unsafe { connect(connection.as_ptr()) };
        }
    }

    /// *target-offload-var*.
    #[must_use]
    pub fn target_offload(&self) -> TargetOffload {
        // SAFETY: the function has no precondition.
        match self.target_offload.map(|function| unsafe { function() }) {
            Some(0) => TargetOffload::Disabled,
            Some(2) => TargetOffload::Mandatory,
            _ => TargetOffload::Default,
        }
    }

    /// *default-device-var* of the current task.
    #[must_use]
    pub fn default_device(&self) -> i64 {
        // SAFETY: the function has no precondition.
        self.default_device.map_or(0, |function| i64::from(unsafe { function() }))
    }

    /// `omp_get_wtime`; `None` if the runtime lacks it.
    #[must_use]
    pub fn wall_time(&self) -> Option<f64> {
        // SAFETY: the function has no precondition.
        self.wall_time.map(|function| unsafe { function() })
    }

    /// A routine of this library is called: starts the runtime if a tool waits for the first use of
    /// OpenMP. LLVM's libomp has no function for that, and calls routines while it starts itself.
    pub fn start_for_tool(&self) {
        if let Some(start) = self.start_for_tool {
            // SAFETY: the function has no precondition.
            unsafe { start() };
        }
    }

    /// Whether the runtime is oxomp, with the private interface of this library.
    #[must_use]
    pub fn is_oxomp(&self) -> bool {
        self.is_oxomp
    }

    /// *nteams-var* and *teams-thread-limit-var*; 0 where nothing is set.
    #[must_use]
    pub fn league_limits(&self) -> [u32; 2] {
        [self.max_teams, self.teams_thread_limit].map(|function| {
            // SAFETY: the functions have no precondition.
            let limit = function.map_or(0, |function| unsafe { function() });
            u32::try_from(limit).unwrap_or(0)
        })
    }

    /// The runtime's number of the calling thread.
    #[must_use]
    pub fn thread_number(&self) -> i32 {
        // SAFETY: the function takes a null location.
        self.global_thread_num.map_or(0, |function| unsafe { function(ptr::null()) })
    }

    /// Where the current task keeps the handle of work that outlives its body; `None` if the work
    /// must not outlive it.
    #[must_use]
    pub fn async_handle(&self) -> Option<NonNull<*mut c_void>> {
        let (has_task_team, async_handle) = (self.has_task_team?, self.async_handle?);
        let thread = self.thread_number();
        // SAFETY: the number is that of the calling thread.
        unsafe { has_task_team(thread).then(|| NonNull::new(async_handle(thread)))? }
    }

    /// Executes the kernel on the calling thread; returns when all of its tasks are complete.
    ///
    /// oxomp executes it as an initial task. Other runtimes execute it in the current task, whose
    /// team may have other threads, which could execute the kernel's tasks later: so this function
    /// puts a taskgroup around the kernel there.
    ///
    /// # Safety
    /// The kernel's function takes its data.
    pub unsafe fn execute_kernel(&self, kernel: &oxomp_kernel_t) {
        if let Some(execute) = self.execute_kernel {
            // SAFETY: the caller's own promise (`# Safety`).
            return unsafe { execute(kernel) };
        }
        // SAFETY: the function has no precondition.
        let has_others = self.num_threads.is_some_and(|function| unsafe { function() } > 1);
        let thread = if has_others { self.thread_number() } else { 0 };
        let [begin, end] = self.taskgroup.map(|function| function.filter(|_| has_others));
        // SAFETY: the number is that of the calling thread; the taskgroup ends where it began. The
        // function takes the data (`# Safety`).
        unsafe {
            if let Some(begin) = begin {
                begin(ptr::null(), thread);
            }
            (kernel.function)(kernel.data);
            if let Some(end) = end {
                end(ptr::null(), thread);
            }
        }
    }

    /// Waits for the dependences, whose addresses the runtime only compares.
    pub fn wait_for(&self, dependences: &[kmp_depend_info_t]) {
        let Some(wait_deps) = self.wait_deps.filter(|_| !dependences.is_empty()) else { return };
        let (count, first) = (dependences.len() as i32, dependences.as_ptr());
        // SAFETY: the number is that of the calling thread; count and address are the list's.
        unsafe { wait_deps(ptr::null(), self.thread_number(), count, first, 0, ptr::null()) };
    }

    /// Allocates a target task with `bytes` of data behind its header. `None` if the runtime has no
    /// tasks.
    pub fn allocate_task(
        &self,
        bytes: usize,
        routine: kmp_routine_entry_t,
        device: i64,
    ) -> Option<NonNull<kmp_task_t>> {
        let (allocate, size) = (self.task_alloc?, size_of::<kmp_task_t>() + bytes);
        self.task_with_deps?;
        let (thread, flags) = (self.thread_number(), oxomp_sys::kmpc::task_flag::TIED);
        // SAFETY: the number is that of the calling thread, and the size has room for the header.
        NonNull::new(unsafe { allocate(ptr::null(), thread, flags, size, 0, routine, device) })
    }

    /// Starts a task.
    ///
    /// # Safety
    /// `allocate_task` returned the task to the calling thread, and its data are complete.
    pub unsafe fn start_task(&self, task: NonNull<kmp_task_t>, dependences: &[kmp_depend_info_t]) {
        let Some(start) = self.task_with_deps else { return };
        let (count, first) = (dependences.len() as i32, dependences.as_ptr());
        let thread = self.thread_number();
        // SAFETY: the task is complete (`# Safety`); count and address are those of the list.
        unsafe { start(ptr::null(), thread, task.as_ptr(), count, first, 0, ptr::null()) };
    }
}
