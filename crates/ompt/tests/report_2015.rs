//! A tool of the 2015 report, driven by a runtime of the test's own: start, registration,
//! arguments, entry points, shutdown.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::{transmute, transmute_copy};
use std::ptr::{null, null_mut, without_provenance_mut};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ompt::raw::report_2015::c::{
    self, OMPT_VERSION, ompt_atomic_callback_t, ompt_callback_t, ompt_control_callback_t,
    ompt_event_t, ompt_frame_t, ompt_initialize_fn_t, ompt_interface_fn_t, ompt_invoker_t,
    ompt_lock_callback_t, ompt_parallel_begin_callback_t, ompt_parallel_callback_t,
    ompt_parallel_id_t, ompt_state_t, ompt_target_data_map_begin_callback_t,
    ompt_target_map_entry_t, ompt_target_map_flag_t, ompt_task_dependence_flag_t,
    ompt_task_dependence_t, ompt_task_dependences_callback_t, ompt_task_id_t,
    ompt_task_pair_callback_t, ompt_task_type_t, ompt_thread_callback_t,
    ompt_thread_type_callback_t, ompt_thread_type_t, ompt_wait_id_t,
};
use ompt::report_2015::{
    Atomic, Control, DependenceFlags, Dependences, EntryPoints, Event, EventSet, Idle,
    Initialization, Invoker, Lock, MapFlags, ParallelBegin, ParallelId, Region, Registration,
    SetResult, State, TargetDataMapBegin, Task, TaskId, TaskKind, TaskSwitch, Thread, ThreadId,
    ThreadKind, Tool, WaitId,
};

/// The command that makes the tool panic.
const PANIC: u64 = 99;

struct Notebook {
    entry_points: EntryPoints,
}

static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());
static IS_WANTED: AtomicBool = AtomicBool::new(true);
static IS_MADE: AtomicBool = AtomicBool::new(true);
static ENTRY_POINTS: Mutex<Option<EntryPoints>> = Mutex::new(None);

fn note(text: String) {
    NOTES.lock().unwrap().push(text);
}

fn take_notes() -> Vec<String> {
    std::mem::take(&mut NOTES.lock().unwrap())
}

#[ompt::report_2015::tool]
impl Tool for Notebook {
    fn wanted() -> bool {
        IS_WANTED.load(Ordering::Relaxed)
    }

    fn initialize(initialization: &Initialization) -> Option<Self> {
        assert_eq!(initialization.runtime_version, c"fake 1");
        let entry_points = initialization.entry_points;
        *ENTRY_POINTS.lock().unwrap() = Some(entry_points);
        IS_MADE.load(Ordering::Relaxed).then_some(Self { entry_points })
    }

    fn events(&self) -> EventSet {
        // A method, but not asked for; and asked for, but no method.
        Self::METHODS
            .without(EventSet::of(&[Event::WAIT_BARRIER_END, Event::TASK_END]))
            .union(EventSet::of(&[Event::FLUSH]))
    }

    fn registered(&self, registration: &Registration) {
        assert_eq!(registration.result(Event::PARALLEL_BEGIN), Some(SetResult::Always));
        assert_eq!(registration.result(Event::WAIT_ATOMIC), Some(SetResult::Convenient));
        assert_eq!(registration.result(Event::TASK_END), None, "not asked for");
        assert_eq!(registration.result(Event::FLUSH), None, "without a method");
        assert_eq!(registration.without_method(), EventSet::of(&[Event::FLUSH]));
        assert_eq!(registration.partial(), EventSet::of(&[Event::WAIT_ATOMIC]));
        assert_eq!(registration.refused(), EventSet::of(&[Event::TARGET_DATA_MAP_BEGIN]));
        assert_eq!(registration.iter().count(), Event::ALL.iter().filter(|e| is_set(**e)).count());
        assert!(self.entry_points.is_registered(Event::PARALLEL_BEGIN));
        assert!(!self.entry_points.is_registered(Event::FLUSH));
    }

    fn runtime_shutdown(&self) {
        note(format!("shutdown of {:?}", self.entry_points.thread_id()));
    }

    fn thread_begin(&self, event: &Thread) {
        assert_eq!(event.kind, ThreadKind::Worker);
        note(format!("thread {:?}", event.thread.map(ThreadId::get)));
    }

    fn idle_end(&self, event: &Idle) {
        note(format!("idle end {:?}", event.thread.map(ThreadId::get)));
    }

    fn wait_barrier_begin(&self, event: &Region) {
        let ids = (event.parallel.map(ParallelId::get), event.task.map(TaskId::get));
        note(format!("waits {ids:?}"));
    }

    fn wait_barrier_end(&self, _: &Region) {
        unreachable!("registered for the other end only");
    }

    fn task_end(&self, _: &Task) {
        unreachable!("not asked for");
    }

    fn parallel_begin(&self, event: &ParallelBegin<'_>) {
        let frame = event.parent_frame.expect("a frame was passed");
        assert_eq!((frame.exit(), frame.reenter()), (None, Some(0x77)));
        assert_eq!((event.invoker, event.function.0), (Invoker::Runtime, 0x1000));
        let ids = (event.parent.map(TaskId::get), event.parallel.map(ParallelId::get));
        note(format!("parallel {ids:?} of {}", event.requested_team_size));
    }

    fn task_switch(&self, event: &TaskSwitch) {
        let ids = (event.suspended.map(TaskId::get), event.resumed.map(TaskId::get));
        note(format!("switch {ids:?}"));
    }

    fn task_dependences(&self, event: &Dependences<'_>) {
        for dependence in event.dependences {
            note(format!("{} {:#x}", dependence.flags(), dependence.variable()));
        }
        assert!(event.dependences.iter().any(|one| one.flags().contains(DependenceFlags::OUT)));
    }

    fn init_lock(&self, event: &Lock) {
        let Lock { wait_id, hint, lock_type } = event;
        note(format!("lock {:?} {hint} {lock_type}", wait_id.map(WaitId::get)));
    }

    fn wait_atomic(&self, event: &Atomic) {
        note(format!("atomic {:?} {}", event.wait_id, event.atomic_type));
    }

    fn control(&self, event: &Control) {
        assert!(event.command != PANIC, "a panic as the program demands it");
        note(format!("control {} {}", event.command, event.modifier));
    }

    fn target_data_map_begin(&self, event: &TargetDataMapBegin<'_>) {
        for item in event.items {
            let addresses = (item.host_address().0, item.device_address().0, item.bytes());
            assert_eq!(item.flags().map_type(), MapFlags::TOFROM);
            assert!(item.flags().contains(MapFlags::SYNC));
            note(format!("map {} {addresses:?} {}", event.map.0, event.device_num));
        }
    }
}

ompt::report_2015::ompt_tool!(Notebook);

unsafe extern "C" {
    #[link_name = "ompt_tool"]
    fn exported() -> Option<ompt_initialize_fn_t>;
}

static CALLBACKS: Mutex<[Option<ompt_callback_t>; 71]> = Mutex::new([None; 71]);
static FRAME: FrameOfTask = FrameOfTask(ompt_frame_t {
    exit_runtime_frame: null_mut(),
    reenter_runtime_frame: without_provenance_mut(0x77),
});

struct FrameOfTask(ompt_frame_t);

// SAFETY: the test only reads it, and addresses in it lead nowhere.
unsafe impl Sync for FrameOfTask {}

fn is_set(event: Event) -> bool {
    CALLBACKS.lock().unwrap()[event.raw().0 as usize].is_some()
}

/// The registered callback of an event.
///
/// # Safety
/// `F` is the signature of the event's callback.
unsafe fn callback<F>(event: Event) -> F {
    let callback = CALLBACKS.lock().unwrap()[event.raw().0 as usize].expect("it is registered");
    // SAFETY: a function pointer, of this signature as the caller promises.
    unsafe { transmute_copy(&callback) }
}

unsafe extern "C" fn set_callback(
    event: ompt_event_t,
    callback: Option<ompt_callback_t>,
) -> c::SetResult {
    CALLBACKS.lock().unwrap()[event.0 as usize] = callback;
    match event {
        ompt_event_t::WAIT_ATOMIC => c::SetResult::CONVENIENT,
        ompt_event_t::TARGET_DATA_MAP_BEGIN => c::SetResult::NEVER,
        _ => c::SetResult::ALWAYS,
    }
}

unsafe extern "C" fn get_callback(
    event: ompt_event_t,
    callback: *mut Option<ompt_callback_t>,
) -> c_int {
    let registered = CALLBACKS.lock().unwrap()[event.0 as usize];
    // SAFETY: the SDK passes a variable.
    unsafe { *callback = registered };
    c_int::from(registered.is_some())
}

unsafe extern "C" fn get_thread_id() -> u64 {
    9
}

static STATE: AtomicU64 = AtomicU64::new(0);

unsafe extern "C" fn get_state(wait_id: *mut ompt_wait_id_t) -> ompt_state_t {
    if !wait_id.is_null() {
        // SAFETY: the SDK passes a variable or null.
        unsafe { *wait_id = 5 };
    }
    ompt_state_t(STATE.load(Ordering::Relaxed) as i32)
}

unsafe extern "C" fn get_parallel_id(level: c_int) -> ompt_parallel_id_t {
    [12, 11].get(level as usize).copied().unwrap_or(0)
}

unsafe extern "C" fn get_team_size(level: c_int) -> c_int {
    [4, 2].get(level as usize).copied().unwrap_or(-1)
}

unsafe extern "C" fn get_task_info(
    level: c_int,
    kind: *mut ompt_task_type_t,
    task: *mut ompt_task_id_t,
    frame: *mut *mut ompt_frame_t,
    parallel: *mut ompt_parallel_id_t,
) -> u32 {
    if level != 0 {
        return 0;
    }
    // SAFETY: the SDK passes variables.
    unsafe {
        *kind = ompt_task_type_t::EXPLICIT;
        *task = 21;
        *frame = (&raw const FRAME.0).cast_mut();
        *parallel = 12;
    }
    1
}

unsafe extern "C" fn enumerate_state(
    current: ompt_state_t,
    next: *mut ompt_state_t,
    name: *mut *const c_char,
) -> c_int {
    let (state, text) = match current {
        ompt_state_t::FIRST => (ompt_state_t::IDLE, c"idle"),
        ompt_state_t::IDLE => (ompt_state_t(0x90), c"own"),
        _ => return 0,
    };
    // SAFETY: the SDK passes variables.
    unsafe { (*next, *name) = (state, text.as_ptr()) };
    1
}

unsafe extern "C" fn enumerate_lock_type(
    current: u32,
    next: *mut u32,
    name: *mut *const c_char,
) -> c_int {
    if current == 2 {
        return 0;
    }
    // SAFETY: the SDK passes variables.
    unsafe { (*next, *name) = (current + 1, c"spin".as_ptr()) };
    1
}

unsafe extern "C" fn lookup(name: *const c_char) -> Option<ompt_interface_fn_t> {
    // SAFETY: the SDK passes a string.
    let function = match unsafe { CStr::from_ptr(name) }.to_str().unwrap() {
        "ompt_set_callback" => set_callback as *const c_void,
        "ompt_get_callback" => get_callback as *const c_void,
        "ompt_get_thread_id" => get_thread_id as *const c_void,
        "ompt_get_state" => get_state as *const c_void,
        "ompt_get_parallel_id" => get_parallel_id as *const c_void,
        "ompt_get_parallel_team_size" => get_team_size as *const c_void,
        "ompt_get_task_info" => get_task_info as *const c_void,
        "ompt_enumerate_state" => enumerate_state as *const c_void,
        "ompt_enumerate_lock_type" => enumerate_lock_type as *const c_void,
        _ => return None,
    };
    // SAFETY: the SDK calls a function by the signature that belongs to its name.
    Some(unsafe { transmute::<*const c_void, ompt_interface_fn_t>(function) })
}

fn start(version: u32) -> bool {
    *CALLBACKS.lock().unwrap() = [None; 71];
    // SAFETY: the tool's own functions; the version string is gone when they have returned.
    unsafe {
        let Some(initialize) = exported() else { return false };
        let text = c"fake 1".to_owned();
        initialize(lookup, text.as_ptr(), version);
    }
    true
}

fn shut_down() {
    // SAFETY: the event's signature.
    unsafe { callback::<ompt_callback_t>(Event::RUNTIME_SHUTDOWN)() };
}

/// One test, since the process has one tool.
#[test]
fn a_tool_of_the_report_sees_its_events() {
    IS_WANTED.store(false, Ordering::Relaxed);
    assert!(!start(OMPT_VERSION), "the tool declines");
    IS_WANTED.store(true, Ordering::Relaxed);

    assert!(start(1));
    assert!(!is_set(Event::RUNTIME_SHUTDOWN), "another version of the interface");

    IS_MADE.store(false, Ordering::Relaxed);
    assert!(start(OMPT_VERSION));
    assert!(!is_set(Event::RUNTIME_SHUTDOWN), "the tool was not made");
    assert_eq!(ENTRY_POINTS.lock().unwrap().unwrap().thread_id(), None);
    IS_MADE.store(true, Ordering::Relaxed);

    assert!(start(OMPT_VERSION));
    // SAFETY: the tool's own function.
    assert!(unsafe { exported() }.is_none(), "a runtime of the process has the tool");
    registered();
    events();
    entry_points();
    panics();
    shut_down();
    assert_eq!(take_notes(), ["shutdown of Some(ThreadId(9))"]);
    let entry_points = ENTRY_POINTS.lock().unwrap().unwrap();
    assert_eq!((entry_points.thread_id(), entry_points.state()), (None, State::Undefined));

    assert!(start(OMPT_VERSION), "a runtime that starts again");
    shut_down();
    assert_eq!(take_notes(), ["shutdown of Some(ThreadId(9))"]);
}

fn registered() {
    let registered: Vec<&str> =
        Event::ALL.iter().copied().filter(|event| is_set(*event)).map(Event::name).collect();
    let expected = [
        "parallel_begin",
        "thread_begin",
        "control",
        "runtime_shutdown",
        "idle_begin",
        "idle_end",
        "wait_barrier_begin",
        "wait_barrier_end",
        "task_switch",
        "wait_atomic",
        "init_lock",
        "target_data_map_begin",
        "task_dependences",
    ];
    assert_eq!(registered, expected);
}

fn events() {
    let dependences =
        [(0x10, 1), (0x20, 2), (0x30, 3)].map(|(address, flags)| ompt_task_dependence_t {
            variable_addr: without_provenance_mut(address),
            dependence_flags: ompt_task_dependence_flag_t(flags),
        });
    let item = ompt_target_map_entry_t {
        host_addr: without_provenance_mut(1),
        device_addr: without_provenance_mut(2),
        bytes: 3,
        mapping_flags: ompt_target_map_flag_t(3 | 8),
    };
    // SAFETY: the signatures are the events', and what pointers lead to is alive.
    unsafe {
        callback::<ompt_thread_type_callback_t>(Event::THREAD_BEGIN)(ompt_thread_type_t::WORKER, 3);
        callback::<ompt_thread_callback_t>(Event::IDLE_BEGIN)(3);
        callback::<ompt_thread_callback_t>(Event::IDLE_END)(3);
        callback::<ompt_parallel_begin_callback_t>(Event::PARALLEL_BEGIN)(
            1,
            &raw const FRAME.0,
            2,
            4,
            without_provenance_mut(0x1000),
            ompt_invoker_t::RUNTIME,
        );
        callback::<ompt_parallel_callback_t>(Event::WAIT_BARRIER_BEGIN)(2, 7);
        callback::<ompt_parallel_callback_t>(Event::WAIT_BARRIER_END)(2, 7);
        callback::<ompt_task_pair_callback_t>(Event::TASK_SWITCH)(0, 7);
        callback::<ompt_task_dependences_callback_t>(Event::TASK_DEPENDENCES)(
            7,
            dependences.as_ptr(),
            3,
        );
        callback::<ompt_lock_callback_t>(Event::INIT_LOCK)(40, 2, 1);
        callback::<ompt_atomic_callback_t>(Event::WAIT_ATOMIC)(0, 6);
        callback::<ompt_control_callback_t>(Event::CONTROL)(64, 1);
        callback::<ompt_target_data_map_begin_callback_t>(Event::TARGET_DATA_MAP_BEGIN)(
            7, 5, &item, 1, 8,
        );
        callback::<ompt_target_data_map_begin_callback_t>(Event::TARGET_DATA_MAP_BEGIN)(
            7,
            5,
            null(),
            1,
            8,
        );
    }
    // Of the pairs, the end that the tool does not ask for does nothing.
    let expected = [
        "thread Some(3)",
        "idle end Some(3)",
        "parallel (Some(1), Some(2)) of 4",
        "waits (Some(2), Some(7))",
        "switch (None, Some(7))",
        "out 0x10",
        "in 0x20",
        "inout 0x30",
        "lock Some(40) contended 1",
        "atomic None 6",
        "control 64 1",
        "map 8 (1, 2, 3) 5",
    ];
    assert_eq!(take_notes(), expected);
}

/// A panic does not cross into the runtime.
fn panics() {
    // SAFETY: the child calls the tool's function, and ends there or at once; the signature is the
    // event's.
    let status = unsafe {
        let child = libc::fork();
        if child == 0 {
            let control = callback::<ompt_control_callback_t>(Event::CONTROL);
            let _ = std::panic::catch_unwind(|| control(PANIC, 0));
            libc::_exit(0);
        }
        let mut status = 0;
        libc::waitpid(child, &mut status, 0);
        status
    };
    assert!(libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGABRT, "no unwinding");
}

fn entry_points() {
    let entry_points = ENTRY_POINTS.lock().unwrap().unwrap();
    assert_eq!(entry_points.thread_id(), ThreadId::new(9));
    for (number, state, wait) in [
        (0x01, State::WorkParallel, None),
        (0x60, State::WaitLock, WaitId::new(5)),
        (0x64, State::WaitOrdered, WaitId::new(5)),
        (0x50, State::WaitTaskwait, None),
        (0x90, State::Unknown(0x90), None),
    ] {
        STATE.store(number, Ordering::Relaxed);
        assert_eq!(entry_points.state(), state);
        assert_eq!(entry_points.state_and_wait_id(), (state, wait));
    }
    assert_eq!([0, 1, 2].map(|level| entry_points.team_size(level)), [Some(4), Some(2), None]);
    let regions = [0, 1, 2].map(|level| entry_points.parallel_id(level).map(ParallelId::get));
    assert_eq!(regions, [Some(12), Some(11), None]);
    let task = entry_points.task_info(0, |task| {
        assert_eq!(task.frame.and_then(|frame| frame.reenter()), Some(0x77));
        (task.kind, task.task.map(TaskId::get), task.parallel.map(ParallelId::get))
    });
    assert_eq!(task, Some((TaskKind::Explicit, Some(21), Some(12))));
    assert!(entry_points.task_info(1, |_| ()).is_none());

    let mut states = Vec::new();
    entry_points.enumerate_states(|state, name| states.push((state, name)));
    assert_eq!(states, [(State::Idle, c"idle"), (State::Unknown(0x90), c"own")]);
    let mut types = Vec::new();
    entry_points.enumerate_lock_types(|number, name| types.push((number, name)));
    assert_eq!(types, [(1, c"spin"), (2, c"spin")]);
    entry_points.enumerate_atomic_types(|_, _| unreachable!("the runtime lacks it"));
    assert_eq!(entry_points.num_devices(), None);
    assert!(entry_points.device(0).is_none());
    assert!(entry_points.missing().any(|name| name == c"ompt_target_get_device_info"));
    assert_eq!(entry_points.missing().count(), 4);
}
