//! Every record of a trace comes to the tool as the device has written it.

mod fake;

use std::ffi::c_uint;
use std::ptr::{null, without_provenance, without_provenance_mut};
use std::sync::Mutex;

use fake::device;
use fake::engine::{self, Made};
use ompt::trace::{
    Content, DataOpRecord, DeviceTime, KernelRecord, MapRecord, NativeFlags, NativeRecord,
    NativeView, Record, RecordClass, Records, StandardRecord, TargetRecord, TraceBuffers,
};
use ompt::{
    CancelFlags, CodePtr, DependenceKind, Device, DeviceAddress, DeviceInitialize, DispatchKind,
    Endpoint, Event, HostAddress, Initialization, MapItem, MutexKind, ParallelFlags, SetResult,
    Severity, SyncHint, SyncRegionKind, TargetDataOpKind, TargetKind, TargetMapFlags, TaskFlags,
    TaskStatus, ThreadKind, Tool, WaitId, WorkKind,
};
use oxomp_sys::ompt::{
    ompt_callbacks_t, ompt_cancel_flag_t, ompt_data_t, ompt_dependence_t, ompt_dependence_type_t,
    ompt_dispatch_t, ompt_mutex_t, ompt_parallel_flag_t, ompt_record_abstract_t,
    ompt_record_arguments_t, ompt_record_cancel_t, ompt_record_control_tool_t,
    ompt_record_dependences_t, ompt_record_dispatch_t, ompt_record_error_t, ompt_record_flush_t,
    ompt_record_implicit_task_t, ompt_record_masked_t, ompt_record_mutex_acquire_t,
    ompt_record_mutex_t, ompt_record_native_t, ompt_record_nest_lock_t, ompt_record_ompt_t,
    ompt_record_parallel_begin_t, ompt_record_parallel_end_t, ompt_record_sync_region_t,
    ompt_record_target_data_op_t, ompt_record_target_kernel_t, ompt_record_target_map_t,
    ompt_record_target_t, ompt_record_task_create_t, ompt_record_task_dependence_t,
    ompt_record_task_schedule_t, ompt_record_thread_begin_t, ompt_record_work_t,
    ompt_scope_endpoint_t, ompt_severity_t, ompt_sync_region_t, ompt_target_data_op_t,
    ompt_target_t, ompt_task_flag_t, ompt_task_status_t, ompt_thread_t, ompt_work_t,
};

static DEVICE: Mutex<Option<Device>> = Mutex::new(None);
static RECORDS: Mutex<Vec<Record>> = Mutex::new(Vec::new());
static BUFFERS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

struct Reader;

#[ompt::tool]
impl Tool for Reader {
    fn initialize(_: &Initialization) -> Option<Self> {
        Some(Self)
    }

    fn device_initialize(&self, event: &DeviceInitialize<'_>) {
        *DEVICE.lock().unwrap() = Some(event.device);
    }

    fn trace_records(&self, records: Records<'_>) {
        assert_eq!(Some(records.device()), *DEVICE.lock().unwrap());
        BUFFERS.lock().unwrap().push(records.buffer_bytes());
        RECORDS.lock().unwrap().extend(records);
    }
}

ompt::ompt_tool!(Reader);

const BEGIN: ompt_scope_endpoint_t = ompt_scope_endpoint_t::BEGIN;

/// A record of an event, with the time, thread and target that all have here, and what the tool
/// gets.
fn pair(
    event: ompt_callbacks_t,
    record: ompt_record_arguments_t,
    content: Content,
) -> (Made, Record) {
    let made = ompt_record_ompt_t { event, time: 100, thread_id: 11, target_id: 12, record };
    let standard = StandardRecord {
        event: Event::ALL.iter().copied().find(|known| known.raw() == event),
        time: Some(DeviceTime(100)),
        thread_id: 11,
        target_id: 12,
        content,
    };
    (Made::new(1, &made), Record::Standard(standard))
}

/// The code address of all records.
fn code() -> (*const std::ffi::c_void, CodePtr) {
    (without_provenance(0x4000), CodePtr(0x4000))
}

/// The records of what a host's threads do too.
fn of_regions() -> Vec<(Made, Record)> {
    use ompt_callbacks_t as E;
    use ompt_record_arguments_t as R;
    let (codeptr_ra, code) = code();
    let parallel_begin = ompt_record_parallel_begin_t {
        encountering_task_id: 1,
        parallel_id: 2,
        requested_parallelism: 3,
        flags: ompt_parallel_flag_t::TEAM,
        codeptr_ra,
    };
    let parallel_end = ompt_record_parallel_end_t {
        parallel_id: 2,
        encountering_task_id: 1,
        flags: ompt_parallel_flag_t::LEAGUE,
        codeptr_ra,
    };
    let work = ompt_record_work_t {
        work_type: ompt_work_t::SECTIONS,
        endpoint: BEGIN,
        parallel_id: 2,
        task_id: 3,
        count: 1 << 40,
        codeptr_ra,
    };
    let dispatch = ompt_record_dispatch_t {
        parallel_id: 2,
        task_id: 3,
        kind: ompt_dispatch_t::WS_LOOP_CHUNK,
        instance: ompt_data_t { value: 0xD000 },
    };
    let implicit_task = ompt_record_implicit_task_t {
        endpoint: ompt_scope_endpoint_t::END,
        parallel_id: 2,
        task_id: 3,
        actual_parallelism: 4,
        index: 1,
        flags: ompt_task_flag_t::IMPLICIT,
    };
    let masked = ompt_record_masked_t { endpoint: BEGIN, parallel_id: 2, task_id: 3, codeptr_ra };
    let sync_region = ompt_record_sync_region_t {
        kind: ompt_sync_region_t::TASKWAIT,
        endpoint: BEGIN,
        parallel_id: 2,
        task_id: 3,
        codeptr_ra,
    };
    let sync_content = Content::SyncRegion {
        kind: SyncRegionKind::Taskwait,
        endpoint: Endpoint::Begin,
        parallel: 2,
        task: 3,
        codeptr_ra: code,
    };
    let cancel = ompt_record_cancel_t { task_id: 3, flags: ompt_cancel_flag_t::LOOP, codeptr_ra };
    vec![
        pair(
            E::THREAD_BEGIN,
            R { thread_begin: ompt_record_thread_begin_t { thread_type: ompt_thread_t::WORKER } },
            Content::ThreadBegin { kind: ThreadKind::Worker },
        ),
        pair(
            E::THREAD_END,
            R { thread_begin: ompt_record_thread_begin_t { thread_type: ompt_thread_t(0) } },
            Content::ThreadEnd,
        ),
        pair(
            E::PARALLEL_BEGIN,
            R { parallel_begin },
            Content::ParallelBegin {
                encountering_task: 1,
                parallel: 2,
                requested_parallelism: 3,
                flags: ParallelFlags::TEAM,
                codeptr_ra: code,
            },
        ),
        pair(
            E::PARALLEL_END,
            R { parallel_end },
            Content::ParallelEnd {
                parallel: 2,
                encountering_task: 1,
                flags: ParallelFlags::LEAGUE,
                codeptr_ra: code,
            },
        ),
        pair(
            E::WORK,
            R { work },
            Content::Work {
                kind: WorkKind::Sections,
                endpoint: Endpoint::Begin,
                parallel: 2,
                task: 3,
                count: 1 << 40,
                codeptr_ra: code,
            },
        ),
        pair(
            E::DISPATCH,
            R { dispatch },
            Content::Dispatch {
                parallel: 2,
                task: 3,
                kind: DispatchKind::WsLoopChunk,
                instance: 0xD000,
            },
        ),
        pair(
            E::IMPLICIT_TASK,
            R { implicit_task },
            Content::ImplicitTask {
                endpoint: Endpoint::End,
                parallel: 2,
                task: 3,
                actual_parallelism: 4,
                index: 1,
                flags: TaskFlags::IMPLICIT,
            },
        ),
        pair(
            E::MASKED,
            R { masked },
            Content::Masked { endpoint: Endpoint::Begin, parallel: 2, task: 3, codeptr_ra: code },
        ),
        pair(E::SYNC_REGION, R { sync_region }, sync_content.clone()),
        pair(E::SYNC_REGION_WAIT, R { sync_region }, sync_content.clone()),
        pair(E::REDUCTION, R { sync_region }, sync_content),
        pair(
            E::CANCEL,
            R { cancel },
            Content::Cancel { task: 3, flags: CancelFlags::LOOP, codeptr_ra: code },
        ),
        pair(
            E::FLUSH,
            R { flush: ompt_record_flush_t { codeptr_ra } },
            Content::Flush { codeptr_ra: code },
        ),
    ]
}

/// The records of tasks, of mutexes and of the program's calls.
fn of_tasks_and_mutexes() -> Vec<(Made, Record)> {
    use ompt_callbacks_t as E;
    use ompt_record_arguments_t as R;
    let (codeptr_ra, code) = code();
    let task_create = ompt_record_task_create_t {
        encountering_task_id: 3,
        new_task_id: 4,
        flags: ompt_task_flag_t::EXPLICIT,
        has_dependences: 1,
        codeptr_ra,
    };
    let dependence = ompt_dependence_t {
        variable: ompt_data_t { value: 0x50 },
        dependence_type: ompt_dependence_type_t::INOUT,
    };
    let dependences = ompt_record_dependences_t { task_id: 4, dep: dependence, ndeps: 2 };
    let task_dependence = ompt_record_task_dependence_t { src_task_id: 4, sink_task_id: 5 };
    let task_schedule = ompt_record_task_schedule_t {
        prior_task_id: 3,
        prior_task_status: ompt_task_status_t::YIELD,
        next_task_id: 4,
    };
    let mutex_acquire = ompt_record_mutex_acquire_t {
        kind: ompt_mutex_t::CRITICAL,
        hint: 2,
        implementation: 1,
        wait_id: 9,
        codeptr_ra,
    };
    let acquire = Content::MutexAcquire {
        kind: MutexKind::Critical,
        hint: SyncHint(2),
        implementation: 1,
        wait_id: WaitId(9),
        codeptr_ra: code,
    };
    let mutex = ompt_record_mutex_t { kind: ompt_mutex_t::LOCK, wait_id: 9, codeptr_ra };
    let mutex_content =
        Content::Mutex { kind: MutexKind::Lock, wait_id: WaitId(9), codeptr_ra: code };
    let nest_lock = ompt_record_nest_lock_t { endpoint: BEGIN, wait_id: 9, codeptr_ra };
    let control_tool = ompt_record_control_tool_t { command: 64, modifier: 5, codeptr_ra };
    let message = |message, length| ompt_record_error_t {
        severity: ompt_severity_t::WARNING,
        message,
        length,
        codeptr_ra,
    };
    let error = |message: &[u8]| Content::Error {
        severity: Severity::Warning,
        message: message.into(),
        codeptr_ra: code,
    };
    vec![
        pair(
            E::TASK_CREATE,
            R { task_create },
            Content::TaskCreate {
                encountering_task: 3,
                task: 4,
                flags: TaskFlags::EXPLICIT,
                has_dependences: true,
                codeptr_ra: code,
            },
        ),
        pair(
            E::DEPENDENCES,
            R { dependences },
            Content::Dependence { task: 4, kind: DependenceKind::Inout, variable: 0x50, count: 2 },
        ),
        pair(
            E::TASK_DEPENDENCE,
            R { task_dependence },
            Content::TaskDependence { source: 4, sink: 5 },
        ),
        pair(
            E::TASK_SCHEDULE,
            R { task_schedule },
            Content::TaskSchedule { prior: 3, status: TaskStatus::Yield, next: 4 },
        ),
        pair(E::LOCK_INIT, R { mutex_acquire }, acquire.clone()),
        pair(E::MUTEX_ACQUIRE, R { mutex_acquire }, acquire),
        pair(E::LOCK_DESTROY, R { mutex }, mutex_content.clone()),
        pair(E::MUTEX_ACQUIRED, R { mutex }, mutex_content.clone()),
        pair(E::MUTEX_RELEASED, R { mutex }, mutex_content),
        pair(
            E::NEST_LOCK,
            R { nest_lock },
            Content::NestLock { endpoint: Endpoint::Begin, wait_id: WaitId(9), codeptr_ra: code },
        ),
        pair(
            E::CONTROL_TOOL,
            R { control_tool },
            Content::ControlTool { command: 64, modifier: 5, codeptr_ra: code },
        ),
        pair(E::ERROR, R { error: message(c"slow".as_ptr(), 4) }, error(b"slow")),
        pair(E::ERROR, R { error: message(null(), 4) }, error(b"")),
    ]
}

/// The records of target constructs, each with both numbers of its event.
fn of_targets() -> Vec<(Made, Record)> {
    use ompt_callbacks_t as E;
    use ompt_record_arguments_t as R;
    static HOST: [usize; 2] = [0x10, 0x20];
    static ON_DEVICE: [usize; 2] = [0x30, 0x40];
    static BYTES: [usize; 2] = [8, 16];
    static FLAGS: [c_uint; 2] = [1, 0x8000_0002];
    let (codeptr_ra, code) = code();
    let target = ompt_record_target_t {
        kind: ompt_target_t::ENTER_DATA_NOWAIT,
        endpoint: BEGIN,
        device_num: 7,
        task_id: 3,
        target_id: 12,
        codeptr_ra,
    };
    let target_content = Content::Target(TargetRecord {
        kind: TargetKind::EnterDataNowait,
        endpoint: Endpoint::Begin,
        device_num: 7,
        task: 3,
        target_id: 12,
        codeptr_ra: code,
    });
    let target_data_op = ompt_record_target_data_op_t {
        host_op_id: 21,
        optype: ompt_target_data_op_t(77),
        src_addr: without_provenance_mut(0x10),
        src_device_num: 8,
        dest_addr: without_provenance_mut(0x30),
        dest_device_num: 7,
        bytes: 1 << 33,
        end_time: 150,
        codeptr_ra,
    };
    let data_op = Content::DataOp(DataOpRecord {
        host_op_id: 21,
        kind: TargetDataOpKind::Unknown(77),
        src_addr: DeviceAddress(0x10),
        src_device_num: 8,
        dest_addr: DeviceAddress(0x30),
        dest_device_num: 7,
        bytes: 1 << 33,
        end: Some(DeviceTime(150)),
        codeptr_ra: code,
    });
    let target_map = ompt_record_target_map_t {
        target_id: 12,
        nitems: 2,
        host_addr: (&raw const HOST).cast_mut().cast(),
        device_addr: (&raw const ON_DEVICE).cast_mut().cast(),
        bytes: (&raw const BYTES).cast_mut().cast(),
        mapping_flags: (&raw const FLAGS).cast_mut().cast(),
        codeptr_ra,
    };
    let item = |host, device, bytes, flags| MapItem {
        host: HostAddress(host),
        device: DeviceAddress(device),
        bytes,
        flags,
    };
    let map = Content::Map(MapRecord {
        target_id: 12,
        items: Box::new([
            item(0x10, 0x30, 8, TargetMapFlags::TO),
            item(0x20, 0x40, 16, TargetMapFlags(0x8000_0002)),
        ]),
        codeptr_ra: code,
    });
    let target_kernel = ompt_record_target_kernel_t {
        host_op_id: 22,
        requested_num_teams: 0,
        granted_num_teams: 108,
        end_time: 0,
    };
    let kernel = Content::Kernel(KernelRecord {
        host_op_id: 22,
        requested_num_teams: 0,
        granted_num_teams: 108,
        end: None,
    });
    vec![
        pair(E::TARGET, R { target }, target_content.clone()),
        pair(E::TARGET_EMI, R { target }, target_content),
        pair(E::TARGET_DATA_OP, R { target_data_op }, data_op.clone()),
        pair(E::TARGET_DATA_OP_EMI, R { target_data_op }, data_op),
        pair(E::TARGET_MAP, R { target_map }, map.clone()),
        pair(E::TARGET_MAP_EMI, R { target_map }, map),
        pair(E::TARGET_SUBMIT, R { target_kernel }, kernel.clone()),
        pair(E::TARGET_SUBMIT_EMI, R { target_kernel }, kernel),
    ]
}

/// Native records, and those that the SDK has no name for.
fn of_other_formats() -> Vec<(Made, Record)> {
    let view = ompt_record_abstract_t {
        rclass: ompt_record_native_t::EVENT,
        kind: c"queue".as_ptr(),
        start_time: 5,
        end_time: 9,
        hwid: 0,
    };
    let native =
        |host_op_id, view: ompt_record_abstract_t| Made { host_op_id, ..Made::new(2, &view) };
    let event = NativeRecord {
        host_op_id: 21,
        view: Some(NativeView {
            class: RecordClass::Event,
            kind: Some(c"queue".into()),
            start: Some(DeviceTime(5)),
            end: Some(DeviceTime(9)),
            hwid: None,
        }),
    };
    let info = NativeRecord {
        host_op_id: 0,
        view: Some(NativeView {
            class: RecordClass::Unknown(8),
            kind: None,
            start: None,
            end: None,
            hwid: Some(6),
        }),
    };
    let other = ompt_record_abstract_t {
        rclass: ompt_record_native_t(8),
        kind: null(),
        start_time: 0,
        end_time: 0,
        hwid: 6,
    };
    let flush = ompt_record_arguments_t { flush: ompt_record_flush_t { codeptr_ra: null() } };
    let no_time = ompt_record_ompt_t {
        event: ompt_callbacks_t(99),
        time: 0,
        thread_id: 0,
        target_id: 0,
        record: flush,
    };
    let unnamed = StandardRecord {
        event: None,
        time: None,
        thread_id: 0,
        target_id: 0,
        content: Content::Unknown(99),
    };
    vec![
        (native(21, view), Record::Native(event)),
        (native(0, other), Record::Native(info)),
        (Made::new(1, &no_time), Record::Standard(unnamed)),
        pair(ompt_callbacks_t::DEVICE_LOAD, flush, Content::Unknown(14)),
        (Made::new(9, &0u64), Record::Unknown(9)),
    ]
}

fn trace(buffers: TraceBuffers, made: &[Made]) -> Vec<Record> {
    let device = DEVICE.lock().unwrap().expect("a device");
    assert_eq!(device.start_trace(buffers), Ok(()));
    made.iter().cloned().for_each(device::make);
    assert_eq!(device.stop_trace(), Ok(()));
    let status = device.trace_status();
    assert_eq!((status.refused, status.outstanding, status.outstanding_bytes), (0, 0, 0));
    std::mem::take(&mut RECORDS.lock().unwrap())
}

/// One test, since there is one tool.
#[test]
fn records_come_as_they_were_written() {
    let pairs: Vec<(Made, Record)> =
        [of_regions(), of_tasks_and_mutexes(), of_targets(), of_other_formats()].concat();
    let (made, expected): (Vec<Made>, Vec<Record>) = pairs.into_iter().unzip();
    let numbers = expected.iter().filter_map(|record| match record {
        Record::Standard(record) => record.event,
        _ => None,
    });
    let missing: Vec<Event> =
        Event::ALL.iter().copied().filter(|event| !numbers.clone().any(|n| n == *event)).collect();
    let of_devices = [Event::DEVICE_INITIALIZE, Event::DEVICE_FINALIZE, Event::DEVICE_UNLOAD];
    assert_eq!(missing, of_devices, "an event without a record here");

    assert!(fake::run());
    device::initialize();
    assert_eq!(trace(TraceBuffers::default().bytes(1 << 20), &made), expected);
    assert_eq!(std::mem::take(&mut *BUFFERS.lock().unwrap()), [1 << 20]);

    // The device's own size, and buffers with room for one record.
    device::DEVICE.lock().unwrap().limits = (0, 1024);
    assert_eq!(trace(TraceBuffers::default(), &made), expected);
    let sizes = std::mem::take(&mut *BUFFERS.lock().unwrap());
    assert!(sizes.len() > 2 && sizes.iter().all(|bytes| *bytes == 1024), "{sizes:?}");

    let largest = made.iter().map(|one| engine::room_for(std::slice::from_ref(one))).max();
    let tiny = largest.expect("records");
    assert_eq!(trace(TraceBuffers::default().bytes(tiny), &made), expected);
    assert!(BUFFERS.lock().unwrap().len() >= made.len() / 2, "one or two records a buffer");

    // A buffer that the tool makes too small is as large as the device demands.
    device::DEVICE.lock().unwrap().limits = (tiny, 1024);
    assert_eq!(trace(TraceBuffers::default().bytes(1), &made), expected);

    contents_are_chosen();
    fake::finalize();
}

/// What a device records, and its answers.
fn contents_are_chosen() {
    let device = DEVICE.lock().unwrap().expect("a device");
    device::take_calls();
    let events = ompt::EventSet::of(&[Event::WORK, Event::TARGET_EMI, Event::DEVICE_INITIALIZE]);
    let answers = device.record_events(events);
    assert_eq!(answers.result(Event::TARGET_EMI), Some(SetResult::Always));
    assert_eq!(answers.result(Event::MASKED), None);
    assert_eq!(answers.refused(), ompt::EventSet::of(&[Event::DEVICE_INITIALIZE]));
    assert_eq!(answers.partial(), ompt::EventSet::of(&[Event::WORK]));
    assert_eq!(answers.iter().count(), 3);
    device.drop_events(ompt::EventSet::of(&[Event::WORK]));
    assert_eq!(device.record_all_events(true), SetResult::Always);
    let flags = NativeFlags::DRIVER | NativeFlags::OVERHEAD;
    assert_eq!(device.record_native(flags, false), SetResult::Sometimes);
    let calls = ["ompt 1 12", "ompt 1 20", "ompt 1 33", "ompt 0 20", "ompt 1 0", "native 0 80"];
    assert_eq!(device::take_calls(), calls);
}
