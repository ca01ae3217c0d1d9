//! Models of traces: the program's threads, which record, and the thread that delivers.

use core::cell::RefCell;
use core::ffi::{c_int, c_void};
use core::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use oxomp_sys::ompt::ompt_target_data_op_t;

use super::callbacks::Callbacks;
use super::delivery;
use super::layout::{LEAST_BYTES, Slot};
use super::moment::Moment;
use super::operation::{DataOp, Ids, Operation};
use super::tracer::Tracer;
use crate::models::{Data, LONG, check, on_threads};
use crate::plugin::Plugin;
use crate::sync::AtomicUsize;
use crate::testing::device::LatePlugin;

statics! {
    /// The data of two tools: not 0 while they listen.
    static DATA: [Data; 2] = [Data::default(), Data::default()];
    /// How many operations the tool has got: it tells loom that `got` depends on deliveries.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
}

std::thread_local! {
    /// The numbers of the operations that the tool has got. All threads of a model are the same
    /// thread of the process.
    static GOT: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// What the tool has got since this was asked.
fn got() -> Vec<u64> {
    COUNT.load(Relaxed);
    GOT.take()
}

/// Whether the tool has got the operation of this number.
fn has(number: u64) -> bool {
    COUNT.load(Relaxed);
    GOT.with_borrow(|got| got.contains(&number))
}

unsafe extern "C" fn request<const TOOL: usize>(
    _device: c_int,
    buffer: *mut *mut c_void,
    bytes: *mut usize,
) {
    assert_eq!(DATA[TOOL].get(), 1, "the tool has ended");
    // SAFETY: the places are the runtime's; malloc has no precondition.
    unsafe {
        *bytes = 2 * LEAST_BYTES;
        *buffer = libc::malloc(*bytes);
    }
}

unsafe extern "C" fn complete<const TOOL: usize>(
    _device: c_int,
    buffer: *mut c_void,
    _bytes: usize,
    begin: u64,
    _is_owned: c_int,
) {
    assert_eq!(DATA[TOOL].get(), 1, "the tool has ended");
    let mut cursor = Some(begin);
    while let Some(at) = cursor {
        // SAFETY: a buffer of `request`, which the runtime has filled.
        let slot = unsafe { Slot::at(buffer.cast(), at) }.expect("a right cursor");
        let record = slot.data_op().expect("an operation");
        COUNT.fetch_add(1, Relaxed);
        GOT.with_borrow_mut(|got| got.push(record.host_op_id));
        cursor = slot.next;
    }
    // SAFETY: memory of `request`.
    unsafe { libc::free(buffer) };
}

/// The trace of a device.
fn tracer(number: c_int) -> &'static Tracer {
    let device = Box::leak(LatePlugin::default().devices().remove(0));
    Box::leak(Box::new(Tracer::new(number, device)))
}

/// A tool begins.
fn begin() {
    got();
    DATA[0].set(1);
}

fn start(tracer: &'static Tracer) -> bool {
    start_for::<0>(tracer)
}

/// The tool of this number starts the trace, for data operations.
fn start_for<const TOOL: usize>(tracer: &'static Tracer) -> bool {
    tracer.select(|selection| selection.set_5x(true, 9));
    tracer.start(Callbacks::Openmp5 { request: request::<TOOL>, complete: complete::<TOOL> })
}

/// An operation of this number, if the device is traced.
fn operate(tracer: &'static Tracer, number: u64) {
    let Some(begin) = tracer.begin() else { return };
    let operation = Operation::DataOp(DataOp {
        ids: Ids { operation: number, ..Ids::default() },
        kind: ompt_target_data_op_t::TRANSFER_TO_DEVICE,
        from: (0, 1),
        to: (0, 0),
        bytes: 64,
        is_explicit: false,
    });
    let now = || Moment::At(begin.time);
    tracer.operation(operation, begin.session, (now(), now()));
}

/// A thread flushes while another records: the flush returns when the tool has got what the
/// flushing thread itself has recorded; the stop returns when the tool has got all records. I11,
/// I12.
#[test]
fn a_flush_and_a_stop_leave_no_record_behind() {
    check(2, || {
        begin();
        let tracer = tracer(0);
        assert!(start(tracer));
        on_threads(2, move |me| {
            operate(tracer, me as u64);
            if me == 0 {
                assert!(tracer.flush());
                assert!(has(0));
            }
        });
        assert!(tracer.stop());
        let mut all = got();
        all.sort_unstable();
        assert_eq!(all, [0, 1]);
    });
}

/// Two threads flush at the same time, each for its own record: one thread schedules the delivery,
/// which looks again for the other thread. I11.
#[test]
fn two_flushes_at_once_both_end() {
    check(2, || {
        begin();
        let tracer = tracer(0);
        assert!(start(tracer));
        on_threads(2, move |me| {
            operate(tracer, me as u64);
            assert!(tracer.flush());
            assert!(has(me as u64));
        });
        assert!(tracer.stop());
        assert_eq!(got().len(), 2);
    });
}

/// A stop while another thread records: the tool gets what was recorded, and the stop ends. I11,
/// I12.
#[test]
fn a_stop_while_others_record_gives_the_tool_what_was_recorded() {
    check(2, || {
        begin();
        let tracer = tracer(0);
        assert!(start(tracer));
        operate(tracer, 0);
        on_threads(2, move |me| match me {
            0 => assert!(tracer.stop()),
            _ => operate(tracer, 1),
        });
        DATA[0].set(0);
        let got = got();
        assert!(got == [0] || got == [0, 1], "{got:?}");
    });
}

/// The traces of two devices start and stop at the same time: the thread is there for each of them,
/// and each stop ends. I13.
#[test]
fn traces_of_two_devices_come_and_go() {
    check(2, || {
        begin();
        let tracers = [tracer(0), tracer(1)];
        on_threads(2, move |me| {
            assert!(start(tracers[me]));
            operate(tracers[me], me as u64);
            assert!(tracers[me].stop());
            assert!(has(me as u64));
        });
        DATA[0].set(0);
        assert_eq!(got().len(), 2);
    });
}

/// A trace stops and starts again while another trace starts: a delivery thread that is about to
/// end, or a new one, serves what starts meanwhile. I13.
#[test]
fn a_trace_that_starts_again_has_a_thread() {
    check(2, || {
        begin();
        let tracers = [tracer(0), tracer(1)];
        on_threads(2, move |me| {
            for number in 0..2 - me as u64 {
                assert!(start(tracers[me]));
                operate(tracers[me], number);
                assert!(tracers[me].stop());
            }
        });
        DATA[0].set(0);
        assert_eq!(got().len(), 3);
    });
}

/// The tool ends while its records are delivered: after the wait for the thread, no function of the
/// tool is called any more, not even for a buffer that is still open when the next tool traces.
/// I13, I14.
#[test]
fn a_tool_that_has_ended_is_called_no_more() {
    check(2, || {
        begin();
        let tracer = tracer(0);
        assert!(start(tracer));
        on_threads(2, move |me| match me {
            0 => {
                tracer.discard();
                delivery::join(Some(Instant::now() + LONG));
                DATA[0].set(0);
            }
            _ => {
                operate(tracer, 1);
                tracer.flush();
            }
        });
        assert!(got().len() <= 1);
        DATA[1].set(1);
        assert!(start_for::<1>(tracer));
        operate(tracer, 2);
        assert!(tracer.stop());
        assert_eq!(got(), [2]);
    });
}
