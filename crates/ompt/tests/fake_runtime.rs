//! A tool driven by a runtime of the test's own: start, registration, arguments, entry points.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::mem::{transmute, transmute_copy};
use std::ptr::{null, null_mut, without_provenance_mut};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ompt::{
    ControlResult, ControlTool, Dependences, Dispatch, DispatchInstance, EntryPoints, Event,
    EventSet, Flush, Info, Initialization, Masked, ParallelBegin, Registration, SetResult, State,
    SyncRegion, SyncRegionKind, Tool, WaitId,
};
use oxomp_sys::ompt::{
    ompt_callback_control_tool_t, ompt_callback_dependences_t, ompt_callback_dispatch_t,
    ompt_callback_parallel_begin_t, ompt_callback_sync_region_t, ompt_callback_t, ompt_callbacks_t,
    ompt_data_t, ompt_dependence_t, ompt_dependence_type_t, ompt_dispatch_chunk_t, ompt_dispatch_t,
    ompt_frame_flag_t, ompt_frame_t, ompt_interface_fn_t, ompt_parallel_flag_t,
    ompt_scope_endpoint_t, ompt_set_result_t, ompt_start_tool_result_t, ompt_state_t,
    ompt_sync_region_t, ompt_task_flag_t, ompt_wait_id_t,
};

struct Notebook {
    entry_points: EntryPoints,
}

static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());
static FINALIZED: AtomicUsize = AtomicUsize::new(0);

fn note(text: String) {
    NOTES.lock().unwrap().push(text);
}

fn take_notes() -> Vec<String> {
    std::mem::take(&mut NOTES.lock().unwrap())
}

#[ompt::tool]
impl Tool for Notebook {
    fn initialize(initialization: &Initialization) -> Option<Self> {
        assert_eq!(initialization.runtime.omp_version, 202111);
        assert_eq!(initialization.runtime.version, c"fake");
        assert_eq!(initialization.initial_device_num, 3);
        Some(Self { entry_points: initialization.entry_points })
    }

    fn events(&self) -> EventSet {
        let named = [Event::CONTROL_TOOL, Event::DEPENDENCES, Event::DISPATCH, Event::FLUSH];
        let others = [Event::MASKED, Event::PARALLEL_BEGIN, Event::SYNC_REGION];
        assert_eq!(Self::METHODS.without(EventSet::of(&others)), EventSet::of(&named));
        Self::METHODS.without(EventSet::of(&[Event::MASKED])).union(EventSet::of(&[Event::ERROR]))
    }

    fn registered(&self, registration: &Registration) {
        assert_eq!(registration.result(Event::PARALLEL_BEGIN), Some(SetResult::Always));
        assert_eq!(registration.result(Event::FLUSH), Some(SetResult::Never));
        assert_eq!(registration.result(Event::CANCEL), None);
        assert_eq!(registration.result(Event::MASKED), None, "not asked for");
        assert_eq!(registration.result(Event::ERROR), None, "without a method");
        assert_eq!(registration.without_method(), EventSet::of(&[Event::ERROR]));
        assert_eq!(registration.refused(), EventSet::of(&[Event::FLUSH]));
        assert_eq!(registration.partial(), EventSet::of(&[Event::DISPATCH]));
        assert_eq!(registration.iter().count(), 6);
        note("registered".into());
    }

    fn finalize(&self) {
        FINALIZED.fetch_add(1, Ordering::Relaxed);
    }

    fn control_tool(&self, event: &ControlTool) -> ControlResult {
        ControlResult(event.command as i32 + event.modifier as i32)
    }

    fn parallel_begin(&self, event: &ParallelBegin<'_>) {
        let frame = event.encountering_frame.expect("a frame was passed");
        assert_eq!(frame.exit(), None);
        let enter = frame.enter().expect("the enter frame is set");
        event.parallel.expect("a word was passed").set(77);
        note(format!(
            "parallel_begin {:?} enter {:#x} {:?} requested {} at {:#x}",
            event.encountering_task.map(|word| word.get()),
            enter.address,
            enter.flags,
            event.requested_parallelism,
            event.codeptr_ra.0,
        ));
    }

    fn sync_region(&self, event: &SyncRegion<'_>) {
        let (state, wait_id) = self.entry_points.state_and_wait_id();
        note(format!("{:?} {:?} {state:?} {wait_id:?}", event.kind, event.parallel.is_some()));
    }

    fn flush(&self, _: &Flush<'_>) {
        unreachable!("the runtime never delivers it");
    }

    fn masked(&self, _: &Masked<'_>) {
        unreachable!("not asked for");
    }

    #[cfg(not(test))]
    fn cancel(&self, _: &ompt::Cancel<'_>) {}

    fn dispatch(&self, event: &Dispatch<'_>) {
        note(format!("{:?}", event.instance));
    }

    fn dependences(&self, event: &Dependences<'_>) {
        for dependence in event.dependences {
            note(format!("{:?} {}", dependence.kind(), dependence.variable()));
        }
    }
}

ompt::ompt_tool!(Notebook);

unsafe extern "C" {
    fn ompt_start_tool(
        omp_version: c_uint,
        runtime_version: *const c_char,
    ) -> *mut ompt_start_tool_result_t;
}

/// The numbers of events, and 0, which no event has.
const EVENTS: usize = Event::ALL.len() + 1;

static CALLBACKS: Mutex<[Option<ompt_callback_t>; EVENTS]> = Mutex::new([None; EVENTS]);

unsafe extern "C" fn set_callback(
    event: ompt_callbacks_t,
    callback: Option<ompt_callback_t>,
) -> ompt_set_result_t {
    CALLBACKS.lock().unwrap()[event.0 as usize] = callback;
    match event {
        ompt_callbacks_t::FLUSH => ompt_set_result_t::NEVER,
        ompt_callbacks_t::DISPATCH => ompt_set_result_t::SOMETIMES,
        _ => ompt_set_result_t::ALWAYS,
    }
}

unsafe extern "C" fn get_state(wait_id: *mut ompt_wait_id_t) -> ompt_state_t {
    if !wait_id.is_null() {
        // SAFETY: not null, so a variable of the tool.
        unsafe { *wait_id = 9 };
    }
    ompt_state_t::WAIT_CRITICAL
}

static mut TASK_WORD: ompt_data_t = ompt_data_t { value: 42 };

unsafe extern "C" fn get_task_info(
    level: c_int,
    flags: *mut ompt_task_flag_t,
    task_data: *mut *mut ompt_data_t,
    _frame: *mut *mut ompt_frame_t,
    parallel_data: *mut *mut ompt_data_t,
    thread_num: *mut c_int,
) -> c_int {
    if level == 0 {
        // SAFETY: the SDK passes variables.
        unsafe {
            *flags = ompt_task_flag_t::IMPLICIT;
            *task_data = &raw mut TASK_WORD;
            // As libomp does: an offset in a team that is not there.
            *parallel_data = without_provenance_mut(0x220);
            *thread_num = 5;
        }
    }
    [2, 1, 0][level as usize]
}

unsafe extern "C" fn lookup(name: *const c_char) -> Option<ompt_interface_fn_t> {
    // SAFETY: the SDK passes a string.
    let name = unsafe { CStr::from_ptr(name) };
    // SAFETY: the SDK calls a function by the signature that belongs to its name.
    unsafe {
        Some(match name.to_str().unwrap() {
            "ompt_set_callback" => {
                transmute::<*const c_void, ompt_interface_fn_t>(set_callback as *const c_void)
            }
            "ompt_get_state" => {
                transmute::<*const c_void, ompt_interface_fn_t>(get_state as *const c_void)
            }
            "ompt_get_task_info" => {
                transmute::<*const c_void, ompt_interface_fn_t>(get_task_info as *const c_void)
            }
            _ => return None,
        })
    }
}

/// The registered callback of an event.
///
/// # Safety
/// `F` is the signature of the event's callback.
unsafe fn callback<F>(event: ompt_callbacks_t) -> F {
    let callback = CALLBACKS.lock().unwrap()[event.0 as usize].expect("registered");
    // SAFETY: a function pointer, of this signature as the caller promises.
    unsafe { transmute_copy(&callback) }
}

#[test]
fn a_tool_lives_through_a_run() {
    // SAFETY: this test is the runtime and keeps its promises.
    unsafe {
        let result = &mut *ompt_start_tool(202111, c"fake".as_ptr());
        let initialize = result.initialize.expect("initialize is set");
        assert_eq!(initialize(lookup, 3, &mut result.tool_data), 1);
        assert_eq!(take_notes(), ["registered"]);
        assert_eq!(CALLBACKS.lock().unwrap().iter().flatten().count(), 6);

        raise_events();
        assert_eq!(
            take_notes(),
            [
                "parallel_begin Some(5) enter 0x100 application|cfa requested 4 at 0x200",
                "BarrierImplicitParallel true WaitCritical Some(WaitId(9))",
                "Unknown(99) false WaitCritical Some(WaitId(9))",
                "WsLoopChunk(Chunk { start: 8, iterations: 2 })",
                "Unknown { kind: 5, instance: 0 }",
                "Sink 3",
            ]
        );

        let control_tool = callback::<ompt_callback_control_tool_t>(ompt_callbacks_t::CONTROL_TOOL);
        assert_eq!(control_tool(70, 5, null_mut(), null()), 75);

        result.finalize.expect("finalize is set")(&mut result.tool_data);
        assert_eq!(FINALIZED.load(Ordering::Relaxed), 1);
        entry_points_answer();
    }
}

/// Calls the callbacks that the tool has registered, as a runtime does.
fn raise_events() {
    // SAFETY: this test is the runtime and keeps its promises.
    unsafe {
        let mut task = ompt_data_t { value: 5 };
        let mut parallel = ompt_data_t::NONE;
        let frame = ompt_frame_t {
            enter_frame: ompt_data_t { value: 0x100 },
            enter_frame_flags: ompt_frame_flag_t::APPLICATION | ompt_frame_flag_t::CFA,
            ..ompt_frame_t::NONE
        };
        let flags = ompt_parallel_flag_t::TEAM | ompt_parallel_flag_t::INVOKER_RUNTIME;
        callback::<ompt_callback_parallel_begin_t>(ompt_callbacks_t::PARALLEL_BEGIN)(
            &mut task,
            &frame,
            &mut parallel,
            4,
            flags,
            std::ptr::without_provenance(0x200),
        );
        assert_eq!(parallel.value, 77);

        let sync_region = callback::<ompt_callback_sync_region_t>(ompt_callbacks_t::SYNC_REGION);
        let begin = ompt_scope_endpoint_t::BEGIN;
        let kind = ompt_sync_region_t::BARRIER_IMPLICIT_PARALLEL;
        sync_region(kind, begin, &mut parallel, &mut task, null());
        sync_region(ompt_sync_region_t(99), begin, null_mut(), null_mut(), null());

        let dispatch = callback::<ompt_callback_dispatch_t>(ompt_callbacks_t::DISPATCH);
        let chunk = ompt_dispatch_chunk_t { start: 8, iterations: 2 };
        let word = ompt_data_t::from_ptr(&chunk);
        dispatch(&mut parallel, &mut task, ompt_dispatch_t::WS_LOOP_CHUNK, word);
        let none = ompt_data_t::NONE;
        dispatch(&mut parallel, &mut task, ompt_dispatch_t::DISTRIBUTE_CHUNK, none);

        let dependence = ompt_dependence_t {
            variable: ompt_data_t { value: 3 },
            dependence_type: ompt_dependence_type_t::SINK,
        };
        let dependences = callback::<ompt_callback_dependences_t>(ompt_callbacks_t::DEPENDENCES);
        dependences(&mut task, &dependence, 1);
        dependences(&mut task, null(), -1);
    }
}

fn entry_points_answer() {
    struct Asked;
    // SAFETY: a slot of this type's own.
    unsafe impl ompt::Registered for Asked {
        fn slot() -> &'static ompt::Slot<Self> {
            static SLOT: ompt::Slot<Asked> = ompt::Slot::new();
            &SLOT
        }
    }
    #[ompt::tool]
    impl Tool for Asked {
        fn initialize(initialization: &Initialization) -> Option<Self> {
            let ask = &initialization.entry_points;
            assert_eq!(ask.missing().count(), 16);
            assert_eq!(ask.state(), State::WaitCritical);
            assert_eq!(ask.state_and_wait_id().1, Some(WaitId(9)));
            let first = ask.task_info(0, |task| {
                let word = task.task.map(|word| word.get());
                (word, task.thread_num, task.parallel.is_none())
            });
            assert_eq!(first, Info::Available((Some(42), 5, true)));
            assert_eq!(ask.task_info(1, |_| ()), Info::Unavailable);
            assert_eq!(ask.task_info(2, |_| ()), Info::None);
            assert_eq!(ask.parallel_info(0, |_| ()), Info::None);
            assert_eq!(ask.thread_data(|_| ()), None);
            assert_eq!(ask.num_procs(), None);
            None
        }
    }
    // SAFETY: this test is the runtime and keeps its promises.
    unsafe {
        let result = ompt::start_tool::<Asked>(0, null()).cast::<ompt_start_tool_result_t>();
        let initialize = (*result).initialize.expect("initialize is set");
        assert_eq!(initialize(lookup, 0, null_mut()), 0, "the tool declined");
    }
}

#[test]
fn names_are_those_of_the_specification() {
    let kind = SyncRegionKind::BarrierImplicitParallel;
    assert_eq!(kind.name(), Some("barrier_implicit_parallel"));
    assert_eq!(ompt::TaskStatus::TaskwaitComplete.name(), Some("taskwait_complete"));
    assert_eq!(State::Unknown(0x2AB).name(), None);
    assert_eq!(State::Unknown(0x2AB).to_string(), "0x2ab");
    assert_eq!(format!("{kind:>26}"), " barrier_implicit_parallel");
    assert_eq!(DispatchInstance::Iteration(1), DispatchInstance::Iteration(1));
}
