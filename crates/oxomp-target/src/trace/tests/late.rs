//! Operations that the device does later, by its own clock.

use core::ffi::c_void;
use std::sync::atomic::Ordering::{Relaxed, Release};

use super::tool::{Traced, data_op};
use crate::plugin::{Address, Plugin};
use crate::testing::device::{LatePlugin, let_go};
use crate::trace::moment::Moment;
use crate::trace::queue::MOST;

/// A copy of no bytes in a queue of the device, and its moments.
fn copy(device: &Traced, number: u64) {
    let mut queue = device.tracer.device().queue().expect("the device has queues");
    let begin = device.tracer.begin().expect("it is recorded");
    let from = Moment::of(device.tracer.device(), &mut *queue);
    let mut place = 0_u64;
    let host = (&raw mut place).cast::<c_void>();
    // SAFETY: no bytes are copied.
    unsafe { queue.copy_to_device(Address(host.addr()), host, 0) }.expect("it is queued");
    let to = Moment::of(device.tracer.device(), &mut *queue);
    device.tracer.operation(data_op(number), begin.session, (from, to));
}

#[test]
fn an_operation_is_recorded_when_it_is_done_with_the_times_of_the_device() {
    let device = Traced::new();
    assert!(device.start());
    device.deeds.clock.store(100, Relaxed);
    copy(&device, 1);
    device.deeds.is_held.store(true, Release);
    copy(&device, 2);
    copy(&device, 3);
    device.deeds.clock.store(200, Relaxed);
    device.operate(4);
    assert!(device.tracer.flush());
    assert_eq!(device.delivered(), [1, 4]);
    device.deeds.clock.store(300, Relaxed);
    let_go(&device.deeds);
    device.operate(5);
    assert!(device.tracer.flush());
    assert_eq!(device.delivered(), [1, 4, 2, 3, 5]);
    let times =
        device.tool(|tool| tool.operations.iter().map(|it| (it.time, it.end)).collect::<Vec<_>>());
    assert_eq!(times, [(100, 100), (200, 200), (300, 300), (300, 300), (300, 300)]);
    assert!(device.tracer.stop());
}

#[test]
fn what_is_not_done_at_the_end_of_a_trace_is_not_recorded() {
    let device = Traced::new();
    assert!(device.start());
    device.deeds.is_held.store(true, Release);
    copy(&device, 1);
    assert!(device.tracer.stop());
    assert!(device.start());
    let_go(&device.deeds);
    device.operate(2);
    assert!(device.tracer.stop());
    assert_eq!(device.delivered(), [2]);
}

#[test]
fn what_is_done_before_a_pause_is_recorded_and_what_begins_in_it_is_not() {
    let device = Traced::new();
    assert!(device.start());
    device.deeds.is_held.store(true, Release);
    copy(&device, 1);
    device.deeds.clock.store(10, Relaxed);
    let_go(&device.deeds);
    assert!(device.tracer.pause(true));
    device.deeds.clock.store(50, Relaxed);
    device.operate(2);
    assert!(device.tracer.pause(false));
    device.operate(3);
    assert!(device.tracer.stop());
    assert_eq!(device.delivered(), [1, 3]);
    device.tool(|tool| assert_eq!((tool.operations[0].end, tool.operations[1].end), (10, 50)));
}

#[test]
fn an_end_is_never_before_its_begin() {
    let device = Traced::new();
    assert!(device.start());
    device.deeds.clock.store(500, Relaxed);
    let begin = device.tracer.begin().expect("it is recorded");
    let moments = (Moment::At(500), Moment::At(400));
    device.tracer.operation(data_op(1), begin.session, moments);
    assert!(device.tracer.stop());
    device.tool(|tool| assert_eq!((tool.operations[0].time, tool.operations[0].end), (500, 500)));
}

#[test]
fn operations_that_are_never_done_are_as_many_as_there_is_room_for() {
    let device = Traced::new();
    assert!(device.start());
    device.deeds.is_held.store(true, Release);
    (0..MOST as u64).for_each(|number| copy(&device, number));
    assert!(device.tracer.begin().is_some());
    copy(&device, MOST as u64);
    assert!(device.tracer.begin().is_none(), "the trace is starved");
    assert!(device.tracer.stop());
    assert!(device.delivered().is_empty());
}

#[test]
fn an_operation_that_lasts_keeps_the_records_of_other_queues_back_until_they_are_many_or_due() {
    let device = Traced::new();
    let held = LatePlugin::default();
    held.0.is_held.store(true, Release);
    let other = Box::leak(held.devices().pop().expect("the plug-in has a device"));
    assert!(device.start());
    let begin = device.tracer.begin().expect("it is recorded");
    let mut queue = other.queue().expect("the device has queues");
    let lasting = Moment::of(other, &mut *queue);
    device.tracer.operation(data_op(0), begin.session, (Moment::At(0), lasting));
    device.deeds.is_held.store(true, Release);
    (1..4).for_each(|number| copy(&device, number));
    let_go(&device.deeds);
    device.operate(4);
    assert!(device.tracer.flush());
    assert_eq!(device.delivered(), [4, 1, 2, 3]);
    let_go(&held.0);
    assert!(device.tracer.stop());
    assert_eq!(device.delivered(), [4, 1, 2, 3, 0]);
}
