//! Devices from begin to end: without traces, with refused and kept buffers, used by several
//! threads, used too late, used where they must not be.

mod fake;

use std::ffi::{CStr, c_int, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use fake::device::{self, Knows};
use fake::engine::{self, Made};
use ompt::trace::{
    BufferLimits, Content, DeviceTime, NativeFlags, Record, Records, TraceBuffers, TraceError,
};
use ompt::{Device, DeviceInitialize, EntryPoints, Event, Initialization, SetResult, Tool};
use oxomp_sys::ompt::{
    ompt_callbacks_t, ompt_record_arguments_t, ompt_record_ompt_t, ompt_record_target_kernel_t,
};

/// A function of the fake device's maker.
type SetFan = unsafe extern "C" fn(*mut c_void, c_int) -> c_int;

static ENTRY_POINTS: Mutex<Option<EntryPoints>> = Mutex::new(None);
static DEVICE: Mutex<Option<Device>> = Mutex::new(None);
static KERNELS: Mutex<Vec<u64>> = Mutex::new(Vec::new());
static ANSWERS: Mutex<Vec<TraceError>> = Mutex::new(Vec::new());
static CONTROLS: AtomicBool = AtomicBool::new(false);
static PANICS: AtomicBool = AtomicBool::new(false);
static ENDS_TOOL: AtomicBool = AtomicBool::new(false);
static HANDED: AtomicU32 = AtomicU32::new(0);

/// A tool without a method for the end of devices: the handles end all the same.
struct Watcher;

#[ompt::tool]
impl Tool for Watcher {
    fn initialize(initialization: &Initialization) -> Option<Self> {
        *ENTRY_POINTS.lock().unwrap() = Some(initialization.entry_points);
        Some(Self)
    }

    fn device_initialize(&self, event: &DeviceInitialize<'_>) {
        assert_eq!(event.device_type, Some(c"maker;model"));
        assert_eq!(event.documentation, Some(c"how to trace"));
        assert_eq!((event.device_num, event.device.number()), (device::NUMBER, device::NUMBER));
        *DEVICE.lock().unwrap() = Some(event.device);
    }

    fn trace_records(&self, records: Records<'_>) {
        HANDED.fetch_add(1, Ordering::Relaxed);
        let device = records.device();
        assert!(!PANICS.load(Ordering::Relaxed), "a panic as the test demands it");
        assert_eq!(device.time(), Some(DeviceTime(1000)), "questions are open here");
        if CONTROLS.load(Ordering::Relaxed) {
            control_in_records(device);
        }
        let kernels = records.filter_map(|record| match record {
            Record::Standard(record) => match record.content {
                Content::Kernel(kernel) => Some(kernel.host_op_id),
                _ => None,
            },
            _ => None,
        });
        KERNELS.lock().unwrap().extend(kernels);
        if ENDS_TOOL.load(Ordering::Relaxed) {
            ENTRY_POINTS.lock().unwrap().expect("the tool runs").end_tool();
        }
    }
}

ompt::ompt_tool!(Watcher);

fn control_in_records(device: Device) {
    ANSWERS.lock().unwrap().extend(
        [
            device.start_trace(TraceBuffers::default()),
            device.pause_trace(),
            device.resume_trace(),
            device.flush_trace(),
            device.stop_trace(),
        ]
        .map(|answer| answer.expect_err("refused")),
    );
    assert_eq!(device.record_all_events(true), SetResult::Error);
    assert_eq!(device.record_native(NativeFlags::DRIVER, true), SetResult::Error);
}

fn kernel(host_op_id: u64) -> Made {
    let target_kernel = ompt_record_target_kernel_t {
        host_op_id,
        requested_num_teams: 1,
        granted_num_teams: 1,
        end_time: 2,
    };
    Made::new(
        1,
        &ompt_record_ompt_t {
            event: ompt_callbacks_t::TARGET_SUBMIT,
            time: 1,
            thread_id: 0,
            target_id: 0,
            record: ompt_record_arguments_t { target_kernel },
        },
    )
}

fn handle() -> Device {
    DEVICE.lock().unwrap().expect("a device has begun")
}

/// A device that knows as much begins.
fn begin(knows: Knows) -> Device {
    device::DEVICE.lock().unwrap().knows = knows;
    device::initialize();
    device::take_calls();
    handle()
}

fn take_kernels() -> Vec<u64> {
    std::mem::take(&mut KERNELS.lock().unwrap())
}

/// One test, since there is one tool.
#[test]
fn a_device_lives() {
    assert!(fake::run());
    assert!(fake::registered().contains(&Event::DEVICE_FINALIZE), "for the end of handles");
    without_traces();
    questions_and_states();
    refused_buffers();
    kept_buffers();
    controls_in_records();
    ends_while_a_thread_flushes();
    used_too_late();
    panics();
    tools_end_in_records();
}

/// A device may have no look-up, one that knows no name, or one that lacks a name.
fn without_traces() {
    for knows in [Knows::NoLookUp, Knows::Nothing] {
        let device = begin(knows);
        assert!(device.is_ready() && !device.can_trace());
        assert_eq!(device.missing().count(), 15);
        assert_eq!((device.time(), device.num_procs()), (None, None));
        assert_eq!(device.translate_time(DeviceTime(1)), None);
        assert_eq!(device.buffer_limits(), None);
        let missing = |name: &'static CStr| Err(TraceError::Missing(name));
        assert_eq!(
            device.start_trace(TraceBuffers::default()),
            missing(c"ompt_advance_buffer_cursor")
        );
        assert_eq!(device.pause_trace(), missing(c"ompt_pause_trace"));
        assert_eq!(device.flush_trace(), missing(c"ompt_flush_trace"));
        assert_eq!(device.stop_trace(), missing(c"ompt_stop_trace"));
        assert_eq!(device.record_all_events(true), SetResult::Error);
        assert_eq!(device.record_native(NativeFlags::DRIVER, true), SetResult::Error);
        device::finalize();
    }
    for name in [c"ompt_get_record_type", c"ompt_start_trace", c"ompt_stop_trace"] {
        let device = begin(Knows::AllBut(name));
        assert!(device.missing().eq([name]) && !device.can_trace());
        let answer = device.start_trace(TraceBuffers::default());
        assert_eq!(answer, Err(TraceError::Missing(name)), "nobody could read or end the trace");
        assert_eq!(device::take_calls(), [""; 0]);
        assert_eq!(device.time(), Some(DeviceTime(1000)));
        device::finalize();
    }
    // Records of a format that the device cannot show are skipped, and no other one is.
    let device = begin(Knows::AllBut(c"ompt_get_record_ompt"));
    assert_eq!(device.start_trace(TraceBuffers::default()), Ok(()));
    device::make(kernel(1));
    assert_eq!((device.stop_trace(), take_kernels()), (Ok(()), vec![]));
    device::finalize();
}

fn questions_and_states() {
    let device = begin(Knows::Everything);
    assert!(device.can_trace() && device.missing().count() == 0);
    assert_eq!((device.num_procs(), device.time()), (Some(48), Some(DeviceTime(1000))));
    assert_eq!(device.translate_time(DeviceTime(2500)), Some(2.5));
    let limits = BufferLimits { max_buffers: 3, recommended_bytes: 4096 };
    assert_eq!(device.buffer_limits(), Some(limits));
    // SAFETY: functions of the fake device, one of which it does not have.
    unsafe {
        let fan = device.entry_point::<SetFan>(c"fake_set_fan").expect("it has one");
        assert_eq!(fan(device.raw(), 8), 4);
        assert!(device.entry_point::<SetFan>(c"fake_set_lamp").is_none());
    }
    device::take_calls();

    assert_eq!(device.flush_trace(), Err(TraceError::Refused), "no trace");
    assert_eq!(device.stop_trace(), Err(TraceError::Refused));
    assert_eq!(device.start_trace(TraceBuffers::default()), Ok(()));
    assert_eq!(device.start_trace(TraceBuffers::default()), Err(TraceError::Refused));
    assert_eq!((device.pause_trace(), device.resume_trace()), (Ok(()), Ok(())));
    device::make(kernel(1));
    assert_eq!(take_kernels(), []);
    assert_eq!((device.flush_trace(), take_kernels()), (Ok(()), vec![1]));
    device::make(kernel(2));
    assert_eq!((device.stop_trace(), take_kernels()), (Ok(()), vec![2]));
    let calls = ["flush", "stop", "start", "start", "pause 1", "pause 0", "flush", "time"];
    assert_eq!(device::take_calls()[..8], calls);
    let twin = handle();
    assert_eq!(device, twin);
    assert_eq!(format!("{device:?}"), "Device { number: 7, is_ready: true, .. }");
    device::finalize();
    assert_ne!(begin(Knows::Everything), twin, "begun again, another device");
    device::finalize();
}

fn refused_buffers() {
    let device = begin(Knows::Everything);
    let one = TraceBuffers::default().bytes(engine::room_for(&[kernel(0)])).at_most(0);
    assert_eq!(device.start_trace(one), Ok(()));
    device::make(kernel(1));
    assert_eq!((device.flush_trace(), take_kernels()), (Ok(()), vec![]));
    let status = device.trace_status();
    assert_eq!((status.requested, status.refused, status.returned), (1, 1, 0));
    device::make(kernel(2));
    assert_eq!(device.flush_trace(), Err(TraceError::Refused), "the device has stopped");

    // Started again, the device records again: one buffer at a time is enough.
    assert_eq!(device.start_trace(one.at_most(1)), Ok(()));
    [3, 4, 5].into_iter().for_each(|number| device::make(kernel(number)));
    assert_eq!((device.stop_trace(), take_kernels()), (Ok(()), vec![3, 4, 5]));
    let status = device.trace_status();
    assert_eq!((status.requested, status.refused, status.returned), (4, 1, 3));
    device::finalize();
}

/// A buffer that the device keeps is shown, and freed once it comes back.
fn kept_buffers() {
    let device = begin(Knows::Everything);
    assert_eq!(device.start_trace(TraceBuffers::default().bytes(512)), Ok(()));
    device::DEVICE.lock().unwrap().owned = false;
    device::make(kernel(1));
    assert_eq!((device.flush_trace(), take_kernels()), (Ok(()), vec![1]));
    let status = device.trace_status();
    assert_eq!((status.returned, status.outstanding, status.outstanding_bytes), (0, 1, 512));
    device::DEVICE.lock().unwrap().owned = true;

    device::give_back_kept();
    assert_eq!(take_kernels(), [1], "handed over twice, as the device did");
    let status = device.trace_status();
    assert_eq!((status.returned, status.outstanding), (1, 0));

    // A buffer that is not the tool's is not read, let alone freed.
    let handed = HANDED.load(Ordering::Relaxed);
    device::hand_over_alien();
    assert_eq!(HANDED.load(Ordering::Relaxed), handed);
    assert_eq!(device.stop_trace(), Ok(()));
    device::finalize();
}

/// Where records are handed over, the trace is not controlled.
fn controls_in_records() {
    let device = begin(Knows::Everything);
    assert_eq!(device.start_trace(TraceBuffers::default()), Ok(()));
    device::make(kernel(1));
    CONTROLS.store(true, Ordering::Relaxed);
    device::take_calls();
    assert_eq!((device.stop_trace(), take_kernels()), (Ok(()), vec![1]));
    CONTROLS.store(false, Ordering::Relaxed);
    assert_eq!(std::mem::take(&mut *ANSWERS.lock().unwrap()), [TraceError::InRecords; 5]);
    assert_eq!(device::take_calls(), ["stop", "time"], "nothing reached the device");
    device::finalize();
}

/// The end of a device waits for a call that is going on, and a thread that is handed records
/// meanwhile gets no answer.
fn ends_while_a_thread_flushes() {
    static HAS_FLUSHED: AtomicBool = AtomicBool::new(false);
    static IS_IN_FLUSH: AtomicBool = AtomicBool::new(false);
    let device = begin(Knows::Everything);
    assert_eq!(device.start_trace(TraceBuffers::default()), Ok(()));
    device::DEVICE.lock().unwrap().in_flush = Some(|| {
        IS_IN_FLUSH.store(true, Ordering::Relaxed);
        while handle().is_ready() {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(handle().time(), None, "the device is about to end");
    });
    let flusher = thread::spawn(move || {
        let flushed = device.flush_trace();
        HAS_FLUSHED.store(true, Ordering::Relaxed);
        flushed
    });
    while !IS_IN_FLUSH.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(1));
    }
    device::finalize();
    assert!(!device.is_ready());
    assert_eq!(flusher.join().expect("it returns"), Ok(()));
    assert!(HAS_FLUSHED.load(Ordering::Relaxed));
    device::take_calls();
    device::reset();
}

/// A handle that a tool has kept does nothing after the end of its device.
fn used_too_late() {
    let old = begin(Knows::Everything);
    device::finalize();
    for _ in 0..2 {
        assert!(!old.is_ready());
        assert_eq!((old.time(), old.num_procs(), old.buffer_limits()), (None, None, None));
        assert_eq!(old.translate_time(DeviceTime(1)), None);
        assert_eq!(old.start_trace(TraceBuffers::default()), Err(TraceError::Ended));
        assert_eq!(old.flush_trace(), Err(TraceError::Ended));
        assert_eq!(old.stop_trace(), Err(TraceError::Ended));
        assert_eq!(old.record_all_events(false), SetResult::Error);
        // SAFETY: not called.
        assert!(unsafe { old.entry_point::<SetFan>(c"fake_set_fan") }.is_none());
        assert_eq!(device::take_calls(), [""; 0], "nothing has reached the device");
        // The same device, begun again, is another one.
        assert!(begin(Knows::Everything).is_ready());
    }
    // Begun again without an end, too.
    let former = handle();
    assert!(begin(Knows::Everything).is_ready() && !former.is_ready());
    device::finalize();

    // Nor does one that outlives the tool's wish for the event.
    let entry_points = ENTRY_POINTS.lock().unwrap().expect("the tool runs");
    let device = begin(Knows::Everything);
    ompt::unregister(&entry_points, Event::DEVICE_FINALIZE);
    device::finalize();
    assert!(!device.is_ready());
}

/// A panic does not cross into the runtime.
fn panics() {
    let device = begin(Knows::Everything);
    assert_eq!(device.start_trace(TraceBuffers::default()), Ok(()));
    device::make(kernel(1));
    let status = fake::in_forked_child(|| {
        // The records of the parent's trace are the parent's.
        assert_eq!((device.stop_trace(), take_kernels()), (Ok(()), vec![]));
    });
    assert_eq!(status, 0);
    let status = fake::in_forked_child(|| {
        device::reset();
        let device = begin(Knows::Everything);
        assert_eq!(device.start_trace(TraceBuffers::default()), Ok(()));
        device::make(kernel(1));
        PANICS.store(true, Ordering::Relaxed);
        let _ = device.stop_trace();
    });
    assert!(libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGABRT, "no unwinding");
    assert_eq!((device.stop_trace(), take_kernels()), (Ok(()), vec![1]));
    device::finalize();
}

/// The tool ends where it is handed records: of the buffers that follow it is handed none, and
/// they are freed.
fn tools_end_in_records() {
    let device = begin(Knows::Everything);
    fake::on_finalize_tool(fake::finalize);
    let tiny = TraceBuffers::default().bytes(engine::room_for(&[kernel(0)]));
    assert_eq!(device.start_trace(tiny), Ok(()));
    [1, 2, 3].into_iter().for_each(|number| device::make(kernel(number)));
    ENDS_TOOL.store(true, Ordering::Relaxed);
    let before = device.trace_status().returned;
    assert_eq!((device.stop_trace(), take_kernels()), (Ok(()), vec![1]));
    let status = device.trace_status();
    assert_eq!((status.returned - before, status.outstanding), (3, 0));
    assert!(!device.is_ready());
    assert_eq!(device.flush_trace(), Err(TraceError::Ended));
}
