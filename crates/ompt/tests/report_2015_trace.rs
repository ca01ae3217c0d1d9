//! Traces of devices in the 2015 report: every record as it was written, buffers, the end.

#[path = "fake/device_2015.rs"]
mod device;
#[path = "fake/engine.rs"]
#[allow(dead_code, reason = "the other interface's test uses the rest")]
mod engine;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::{transmute, transmute_copy};
use std::ptr::{null, null_mut, without_provenance_mut};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use engine::Made;
use ompt::CodePtr;
use ompt::raw::report_2015::c::{
    self, OMPT_VERSION, ompt_callback_t, ompt_event_t, ompt_initialize_fn_t, ompt_interface_fn_t,
    ompt_record_arguments_t, ompt_record_correlation_t, ompt_record_native_abstract_t,
    ompt_record_native_class_t, ompt_record_ompt_t, ompt_record_parallel_begin_t,
    ompt_record_parallel_t, ompt_record_task_begin_t, ompt_record_task_pair_t, ompt_record_task_t,
    ompt_record_thread_t, ompt_record_thread_type_t, ompt_record_wait_id_t,
    ompt_record_workshare_begin_t, ompt_thread_type_t,
};
use ompt::report_2015::trace::{
    Content, Correlation, DeviceTime, NativeFlags, NativeRecord, Record, RecordClass, Records,
    StandardRecord, TraceBuffers, TraceError,
};
use ompt::report_2015::{
    ActivityId, Construct, Device, EntryPoints, Event, EventSet, Initialization, Mutex as MutexOf,
    ParallelId, Region, SetResult, Task, TaskId, Thread, ThreadId, ThreadKind, Tool, WaitId,
};

static ENTRY_POINTS: Mutex<Option<EntryPoints>> = Mutex::new(None);
static RECORDS: Mutex<Vec<Record>> = Mutex::new(Vec::new());
static BUFFERS: Mutex<Vec<usize>> = Mutex::new(Vec::new());
static CONTROLS: AtomicBool = AtomicBool::new(false);

struct Reader;

#[ompt::report_2015::tool]
impl Tool for Reader {
    fn initialize(initialization: &Initialization) -> Option<Self> {
        *ENTRY_POINTS.lock().unwrap() = Some(initialization.entry_points);
        Some(Self)
    }

    fn trace_records(&self, records: Records<'_>) {
        let device = records.device();
        assert_eq!((device.number(), device.time()), (device::NUMBER, Some(DeviceTime(1000))));
        BUFFERS.lock().unwrap().push(records.buffer_bytes());
        if CONTROLS.load(Ordering::Relaxed) {
            assert_eq!(device.stop_trace(), Err(TraceError::InRecords));
            assert_eq!(device.pause_trace(), Err(TraceError::InRecords));
            let answer = device.start_trace(TraceBuffers::default());
            assert_eq!(answer, Err(TraceError::InRecords));
            assert_eq!(device.record_all_events(true), SetResult::Error);
        }
        RECORDS.lock().unwrap().extend(records);
    }
}

ompt::report_2015::ompt_tool!(Reader);

unsafe extern "C" {
    #[link_name = "ompt_tool"]
    fn exported() -> Option<ompt_initialize_fn_t>;
}

static SHUTDOWN: Mutex<Option<ompt_callback_t>> = Mutex::new(None);

unsafe extern "C" fn set_callback(
    event: ompt_event_t,
    callback: Option<ompt_callback_t>,
) -> c::SetResult {
    if event == Event::RUNTIME_SHUTDOWN.raw() {
        *SHUTDOWN.lock().unwrap() = callback;
    }
    c::SetResult::ALWAYS
}

unsafe extern "C" fn lookup(name: *const c_char) -> Option<ompt_interface_fn_t> {
    // SAFETY: the SDK passes a string.
    let function = match unsafe { CStr::from_ptr(name) }.to_str().unwrap() {
        "ompt_set_callback" => set_callback as *const c_void,
        "ompt_target_get_device_info" => device::get_device_info as *const c_void,
        _ => return None,
    };
    // SAFETY: the SDK calls a function by the signature that belongs to its name.
    Some(unsafe { transmute::<*const c_void, ompt_interface_fn_t>(function) })
}

fn start() {
    // SAFETY: the tool's own functions.
    unsafe { exported().expect("wanted")(lookup, c"fake".as_ptr(), OMPT_VERSION) };
}

fn shut_down() {
    let callback = SHUTDOWN.lock().unwrap().expect("registered");
    // SAFETY: the event's signature.
    unsafe { transmute_copy::<ompt_callback_t, unsafe extern "C" fn()>(&callback)() };
}

fn device_with(number: c_int) -> Option<Device> {
    ENTRY_POINTS.lock().unwrap().expect("the tool runs").device(number)
}

fn standard(event: Option<Event>, content: Content) -> Record {
    Record::Standard(StandardRecord {
        event,
        time: Some(DeviceTime(0)),
        thread: ThreadId::new(11),
        activity: Some(ActivityId(12)),
        content,
    })
}

fn made(event: ompt_event_t, record: ompt_record_arguments_t) -> Made {
    let made = ompt_record_ompt_t { event, time: 0, thread_id: 11, dev_task_id: 12, record };
    Made::new(0, &made)
}

/// What the device writes for each event, and what the tool gets.
fn of_event(event: Event) -> (Made, Record) {
    use ompt_record_arguments_t as R;
    let codeptr = without_provenance_mut(0x4000);
    let region = ompt_record_parallel_t { parallel_id: 2, task_id: 3 };
    let (parallel, task) = (ParallelId::new(2), TaskId::new(3));
    let name = event.name();
    let is_region_end = |name: &str| {
        ["loop", "sections", "single_in_block", "workshare", "master", "barrier", "taskwait"]
            .iter()
            .chain(&["taskgroup", "parallel"])
            .any(|construct| name.strip_prefix(construct).is_some_and(|rest| rest == "_end"))
    };
    let is_pair_of_waits = |name: &str| {
        ["wait_barrier", "wait_taskwait", "wait_taskgroup", "implicit_task", "single_others"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
    };
    let is_mutex = |name: &str| {
        let verbs = ["release", "wait", "acquired", "init", "destroy"];
        let kinds = ["lock", "nest_lock", "critical", "atomic", "ordered"];
        verbs.iter().any(|verb| {
            let rest = name.strip_prefix(verb).and_then(|rest| rest.strip_prefix('_'));
            rest.is_some_and(|rest| kinds.iter().any(|kind| rest.starts_with(kind)))
        })
    };
    let (record, content) = match name {
        "thread_begin" | "thread_end" => {
            let kind = ompt_thread_type_t::OTHER;
            let thread = Thread { kind: ThreadKind::Other, thread: ThreadId::new(5) };
            let thread_type = ompt_record_thread_type_t { thread_type: kind, thread_id: 5 };
            (R { thread_type }, Content::Thread(thread))
        }
        "idle_begin" | "idle_end" | "flush" => {
            let thread = ompt_record_thread_t { thread_id: 5 };
            (R { thread }, Content::ThreadId(ThreadId::new(5)))
        }
        "parallel_begin" => {
            let new_parallel = ompt_record_parallel_begin_t {
                parent_task_id: 1,
                parent_frame: null_mut(),
                parallel_id: 2,
                requested_team_size: 64,
                codeptr_ofn: codeptr,
            };
            let content = Content::ParallelBegin {
                parent: TaskId::new(1),
                parallel,
                requested_team_size: 64,
                function: CodePtr(0x4000),
            };
            (R { new_parallel }, content)
        }
        "task_begin" => {
            let new_task = ompt_record_task_begin_t {
                parent_task_id: 0,
                parent_task_frame: null_mut(),
                new_task_id: 3,
                codeptr_ofn: codeptr,
            };
            let function = CodePtr(0x4000);
            (R { new_task }, Content::TaskBegin { parent: None, task, function })
        }
        "task_end" | "initial_task_begin" | "initial_task_end" | "target_task_end"
        | "target_data_end" => {
            (R { task: ompt_record_task_t { task_id: 3 } }, Content::Task(Task { task }))
        }
        "task_switch" | "task_dependence_pair" => {
            let pair = ompt_record_task_pair_t { first_task_id: 3, second_task_id: 4 };
            let content = Content::TaskPair { first: task, second: TaskId::new(4) };
            (R { task_switch: pair }, content)
        }
        name if is_pair_of_waits(name) || is_region_end(name) => {
            (R { parallel: region }, Content::Region(Region { parallel, task }))
        }
        name if is_mutex(name) => {
            let waitid = ompt_record_wait_id_t { wait_id: 9 };
            (R { waitid }, Content::Mutex(MutexOf { wait_id: WaitId::new(9) }))
        }
        name if name.ends_with("_begin") && !name.starts_with("target") => {
            let new_workshare =
                ompt_record_workshare_begin_t { parallel_id: 2, task_id: 3, codeptr_ra: codeptr };
            let codeptr_ra = CodePtr(0x4000);
            let content = Content::Construct(Construct { parallel, task, codeptr_ra });
            (R { new_workshare }, content)
        }
        _ => (R { parallel: region }, Content::Unknown(event.raw().0)),
    };
    (made(event.raw(), record), standard(Some(event), content))
}

fn of_other_formats() -> Vec<(Made, Record)> {
    let correlation = ompt_record_correlation_t { host_task_id: 21, dev_task_id: 12 };
    let no_one = ompt_record_correlation_t { host_task_id: 0, dev_task_id: !0 };
    let view = ompt_record_native_abstract_t {
        rclass: ompt_record_native_class_t::EVENT,
        kind: c"copy".as_ptr(),
        start_time: 0,
        end_time: 9,
        dev_task_id: 12,
        hwid: 0,
    };
    let bare = ompt_record_native_abstract_t {
        rclass: ompt_record_native_class_t::INFO,
        kind: null(),
        start_time: !0,
        end_time: !0,
        dev_task_id: !0,
        hwid: !0,
    };
    let native = NativeRecord {
        class: RecordClass::Event,
        kind: Some(c"copy".into()),
        start: Some(DeviceTime(0)),
        end: Some(DeviceTime(9)),
        activity: Some(ActivityId(12)),
        hwid: Some(0),
    };
    let info = NativeRecord {
        class: RecordClass::Info,
        kind: None,
        start: None,
        end: None,
        activity: None,
        hwid: None,
    };
    let link = Correlation { task: TaskId::new(21), activity: Some(ActivityId(12)) };
    let unnamed = ompt_record_arguments_t { waitid: ompt_record_wait_id_t { wait_id: 0 } };
    vec![
        (Made::new(1, &correlation), Record::Correlation(link)),
        (Made::new(1, &no_one), Record::Correlation(Correlation { task: None, activity: None })),
        (Made::new(2, &view), Record::Native(Some(native))),
        (Made::new(2, &bare), Record::Native(Some(info))),
        (Made { host_op_id: 1, ..Made::new(2, &bare) }, Record::Native(None)),
        (made(ompt_event_t(99), unnamed), standard(None, Content::Unknown(99))),
        (Made::new(9, &0u64), Record::Unknown(9)),
    ]
}

/// One test, since the process has one tool.
#[test]
fn a_device_is_traced() {
    start();
    without_traces();
    let device = device_with(device::NUMBER).expect("a device");
    assert_eq!(Some(device), device_with(device::NUMBER), "asked twice, one device");
    assert_eq!((device.kind(), device.can_trace()), (c"fake kind", true));
    assert_eq!(device.missing().count(), 0);
    questions(device);
    records(device);
    buffers(device);
    end(device);
}

fn without_traces() {
    assert_eq!(device_with(3), None);
    for number in [0, 1] {
        let device = device_with(number).expect("a device");
        assert!(device.is_ready() && !device.can_trace());
        assert_eq!((device.missing().count(), device.time()), (13, None));
        let missing = Err(TraceError::Missing(c"ompt_target_advance_buffer_cursor"));
        assert_eq!(device.start_trace(TraceBuffers::default()), missing);
        let missing = Err(TraceError::Missing(c"ompt_target_stop_trace"));
        assert_eq!(device.stop_trace(), missing);
        assert_eq!(device.record_all_events(true), SetResult::Error);
    }
}

fn questions(device: Device) {
    assert_eq!(device.time(), Some(DeviceTime(1000)));
    assert_eq!(device.translate_time(DeviceTime(2500)), Some(2.5));
    type GetTime = unsafe extern "C" fn(*mut c_void) -> u64;
    // SAFETY: functions of the fake device, one of which it does not have.
    unsafe {
        let get_time = device.entry_point::<GetTime>(c"ompt_target_get_time").expect("it has one");
        assert_eq!(get_time(device.raw()), 1000);
        assert!(device.entry_point::<GetTime>(c"fake_get_time").is_none());
    }
    device::take_calls();
    assert_eq!(device.time(), Some(DeviceTime(1000)));
    assert_eq!(device.translate_time(DeviceTime(2500)), Some(2.5));
    let events = EventSet::of(&[Event::PARALLEL_BEGIN, Event::TASK_END]);
    let answers = device.record_events(events);
    assert_eq!(answers.result(Event::PARALLEL_BEGIN), Some(SetResult::Impossible));
    assert_eq!(answers.refused(), EventSet::of(&[Event::PARALLEL_BEGIN]));
    assert_eq!(answers.partial(), EventSet::of(&[Event::TASK_END]));
    device.drop_events(EventSet::of(&[Event::TASK_END]));
    assert_eq!(device.record_all_events(true), SetResult::Convenient);
    let flags = NativeFlags::DRIVER | NativeFlags::OVERHEAD;
    assert_eq!(device.record_native(flags, false), SetResult::Always);
    let end = Event::TASK_END.raw().0;
    let expected = [
        "time".to_owned(),
        "translate 2500".into(),
        "ompt 1 1".into(),
        format!("ompt 1 {end}"),
        format!("ompt 0 {end}"),
        "ompt 1 0".into(),
        "native 0 80".into(),
    ];
    assert_eq!(device::take_calls(), expected);
}

fn trace(device: Device, buffers: TraceBuffers, made: &[Made]) -> Vec<Record> {
    assert_eq!(device.start_trace(buffers), Ok(()));
    made.iter().cloned().for_each(device::make);
    assert_eq!(device.stop_trace(), Ok(()));
    let status = device.trace_status();
    assert_eq!((status.outstanding, status.outstanding_bytes), (0, 0));
    std::mem::take(&mut RECORDS.lock().unwrap())
}

fn records(device: Device) {
    let events = Event::ALL.iter().map(|event| of_event(*event));
    let (made, expected): (Vec<Made>, Vec<Record>) = events.chain(of_other_formats()).unzip();
    assert_eq!(trace(device, TraceBuffers::default(), &made), expected);
    assert_eq!(std::mem::take(&mut *BUFFERS.lock().unwrap()), [256 << 10]);
    let without_arguments = expected.iter().filter(|record| {
        matches!(
            record,
            Record::Standard(StandardRecord { event: Some(_), content: Content::Unknown(_), .. })
        )
    });
    // The program's control, the shutdown, three begins and the end of targets and maps, and the
    // list of dependences.
    assert_eq!(without_arguments.count(), 7);

    let largest = made.iter().map(|one| engine::room_for(std::slice::from_ref(one))).max();
    let tiny = TraceBuffers::default().bytes(largest.expect("records"));
    CONTROLS.store(true, Ordering::Relaxed);
    assert_eq!(trace(device, tiny, &made), expected);
    CONTROLS.store(false, Ordering::Relaxed);
    assert!(BUFFERS.lock().unwrap().len() >= made.len() / 2, "one or two records a buffer");
}

fn buffers(device: Device) {
    let (one, _) = of_event(Event::FLUSH);
    let refused = TraceBuffers::default().at_most(0);
    assert_eq!(trace(device, refused, std::slice::from_ref(&one)), []);
    assert_eq!(device.trace_status().refused, 1);

    assert_eq!(device.start_trace(TraceBuffers::default()), Ok(()));
    assert_eq!(device.start_trace(TraceBuffers::default()), Err(TraceError::Refused));
    assert_eq!((device.pause_trace(), device.resume_trace()), (Ok(()), Ok(())));
    let returned = device.trace_status().returned;
    device::hand_over_nothing();
    assert_eq!(*RECORDS.lock().unwrap(), []);
    assert_eq!(device.trace_status().returned, returned + 1, "given back once");
}

/// The runtime ends the tool while a trace runs: what it hands over late is freed, and read by
/// nobody. A tool that starts again has a device of its own.
fn end(device: Device) {
    let (one, record) = of_event(Event::FLUSH);
    device::make(one.clone());
    shut_down();
    assert!(!device.is_ready());
    assert_eq!((device.time(), device.stop_trace()), (None, Err(TraceError::Ended)));
    assert!(device::hand_over());
    assert_eq!(*RECORDS.lock().unwrap(), []);
    assert_eq!(device.trace_status().outstanding, 0);

    start();
    let again = device_with(device::NUMBER).expect("a device");
    assert!(again != device && again.is_ready() && !device.is_ready());
    device::make(one);
    assert_eq!(again.stop_trace(), Ok(()), "the trace of the fake device still runs");
    assert_eq!(*RECORDS.lock().unwrap(), [record]);
    shut_down();
}
