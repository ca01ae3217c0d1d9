//! Records that wait, and the thread that delivers them.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::thread;
use std::time::{Duration, Instant};

use super::tool::{Tool, Traced};
use crate::trace::delivery;
use crate::trace::operation::Ids;
use crate::trace::queue::MOST;
use crate::trace::record::MapItemRecord;

/// Longer than a test takes.
const LONG: Duration = Duration::from_secs(3600);

#[test]
fn a_tool_that_hangs_holds_up_nobody_and_loses_nothing() {
    const OPERATIONS: u64 = 5000;
    let device = Traced::new();
    assert!(device.start());
    device.while_tool_hangs(|| (0..OPERATIONS).for_each(|number| device.operate(number)));
    assert!(device.tracer.stop());
    assert_eq!(device.delivered(), (0..OPERATIONS).collect::<Vec<_>>());
    device.tool(|tool| assert_eq!(tool.back, tool.given));
}

#[test]
fn a_flush_returns_when_the_tool_has_got_what_was_collected_before() {
    let device = Traced::new();
    assert!(device.start());
    assert!(device.tracer.flush());
    device.tool(|tool| assert_eq!(tool.given, 0));
    (0..3).for_each(|number| device.operate(number));
    let is_flushed = AtomicBool::new(false);
    thread::scope(|scope| {
        device.while_tool_hangs(|| {
            scope.spawn(|| {
                assert!(device.tracer.flush());
                is_flushed.store(true, Release);
            });
            thread::sleep(std::time::Duration::from_millis(20));
            assert!(!is_flushed.load(Acquire));
        });
    });
    assert_eq!(device.delivered(), [0, 1, 2]);
    device.tool(|tool| assert_eq!((tool.given, tool.back), (2, 2)));
    assert!(device.tracer.stop());
}

#[test]
fn threads_that_flush_and_stop_at_once_get_every_record_once() {
    const THREADS: u64 = 4;
    const OPERATIONS: u64 = 2000;
    let device = Traced::new();
    assert!(device.start());
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let device = &device;
            scope.spawn(move || {
                for number in 0..OPERATIONS {
                    device.operate(thread * OPERATIONS + number);
                    if number % 100 == thread {
                        assert!(device.tracer.flush());
                    }
                }
            });
        }
    });
    let stops = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                if device.tracer.stop() {
                    assert!(!stops.swap(true, Release), "one thread stops the trace");
                }
            });
        }
    });
    let delivered = device.delivered();
    for thread in 0..THREADS {
        let of_thread = |number: &&u64| **number / OPERATIONS == thread;
        let own: Vec<u64> = delivered.iter().filter(of_thread).copied().collect();
        assert_eq!(own, (thread * OPERATIONS..(thread + 1) * OPERATIONS).collect::<Vec<_>>());
    }
}

#[test]
fn a_refusal_drops_what_waits_and_the_next_start_goes_on() {
    let device = Traced::new();
    device.tool(|tool| tool.refuses_from = Some(2));
    assert!(device.start());
    // More than the thread takes at a time.
    device.while_tool_hangs(|| (0..3000).for_each(|number| device.operate(number)));
    assert!(device.tracer.flush());
    // A buffer of the tests has room for two.
    assert_eq!(device.delivered().len(), 4);
    device.operate(3000);
    assert!(device.tracer.flush());
    // A tool that has refused is not asked again.
    device.tool(|tool| assert_eq!(tool.requests, 3));
    device.tool(|tool| tool.refuses_from = None);
    assert!(device.start());
    assert!(!device.start());
    device.operate(3001);
    assert!(device.tracer.stop());
    assert_eq!(device.delivered(), [0, 1, 2, 3, 3001]);
}

#[test]
fn a_tool_that_is_far_too_late_gets_what_there_was_room_for() {
    let device = Traced::new();
    assert!(device.start());
    let numbers = 0..2 * MOST as u64;
    device.while_tool_hangs(|| numbers.for_each(|number| device.operate(number)));
    assert!(device.tracer.flush());
    let delivered = device.delivered();
    // The records that the thread had taken before the tool hung do not count as waiting.
    assert!((MOST..MOST + 1024).contains(&delivered.len()), "{} records", delivered.len());
    assert!(delivered.iter().copied().eq(0..delivered.len() as u64));
    assert!(device.start(), "the trace is starved");
    device.operate(7);
    assert!(device.tracer.stop());
    assert_eq!(device.delivered().last(), Some(&7));
}

#[test]
fn what_began_in_another_trace_is_not_in_this_one() {
    let device = Traced::new();
    assert!(device.start());
    let begin = device.tracer.begin().expect("it is recorded");
    assert!(device.tracer.stop());
    assert!(device.start());
    let moment = || crate::trace::moment::Moment::At(begin.time);
    device.tracer.operation(super::tool::data_op(1), begin.session, (moment(), moment()));
    assert!(device.tracer.stop());
    assert!(device.delivered().is_empty());
    assert!(device.tracer.begin().is_none());
}

#[test]
fn the_end_of_a_tool_ends_the_traces_of_all_devices_that_it_knows() {
    let device = Traced::new();
    crate::trace::handle(device.tracer);
    assert!(device.start());
    device.operate(1);
    crate::trace::finalize(Instant::now() + LONG);
    assert_eq!(device.delivered(), [1]);
    assert!(device.tracer.begin().is_none() && !device.tracer.stop());
}

#[test]
fn a_tool_that_has_ended_is_called_no_more() {
    let device = Traced::new();
    assert!(device.start());
    device.while_tool_hangs(|| {
        (0..3000).for_each(|number| device.operate(number));
        // The call does not wait for the tool, whose function runs.
        device.tracer.discard();
    });
    delivery::join(Some(Instant::now() + LONG));
    device.tool(|tool| assert!(tool.given <= 1 && tool.back == 0));
    device.tool(|tool| *tool = Tool::default());
    assert!(!device.tracer.flush() && !device.tracer.stop());
    device.tracer.select(|selection| selection.set_5x(true, 9));
    assert!(device.start());
    (1..4).for_each(|number| device.operate(number));
    assert!(device.tracer.stop());
    assert_eq!(device.delivered(), [1, 2, 3]);
    device.tool(|tool| assert_eq!(tool.back, tool.given));
}

#[test]
fn an_end_with_a_deadline_does_not_wait_for_a_tool_that_hangs() {
    let device = Traced::new();
    assert!(device.start());
    device.while_tool_hangs(|| {
        device.operate(1);
        device.tracer.finalize(Instant::now() + Duration::from_millis(20));
    });
    delivery::join(Some(Instant::now() + LONG));
    assert_eq!(device.delivered(), [1]);
}

#[test]
fn list_items_that_wait_count_as_records() {
    let device = Traced::new();
    device.tracer.select(|selection| selection.set_5x(true, 22));
    assert!(device.start());
    let item = MapItemRecord::default();
    device.while_tool_hangs(|| {
        device.tracer.map(&Ids::default(), (0..MOST - 1).map(|_| item));
        assert!(device.tracer.begin().is_some());
        device.tracer.map(&Ids::default(), (0..2).map(|_| item));
        assert!(device.tracer.begin().is_none(), "the trace is starved");
        device.tracer.discard();
    });
}
