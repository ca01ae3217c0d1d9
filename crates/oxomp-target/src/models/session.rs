//! The end of a tool: no callback runs when it is over.

use super::tool::{at_load, begin, end, heard};
use super::{check, on_threads};
use crate::device::{Image, TargetDevice};
use crate::testing::library::runtime;
use crate::tool::{self, HostTool};

/// An event for the tool.
fn tell(tool: &'static HostTool, device: &TargetDevice) {
    tool::loaded(tool, device, Image { module: 1, host: 0, bytes: 0, device: None });
}

/// Threads tell the tool of events while it ends: a callback runs before the end is over, or not at
/// all. I8.
#[test]
fn no_callback_runs_after_the_end_of_the_tool() {
    check(3, || {
        let (_, device, _) = runtime();
        begin();
        on_threads(3, move |me| match me {
            0 => end(),
            _ => {
                if let Some(tool) = tool::listener() {
                    tell(tool, device);
                }
            }
        });
        assert!(heard().len() <= 2);
    });
}

/// A thread that has met the first tool tells it of an event when the second tool has begun:
/// neither tool gets the event. The second tool gets the events that it is told of. I8, I9.
#[test]
fn the_event_of_one_tool_is_not_told_to_the_next() {
    check(3, || {
        let (_, device, _) = runtime();
        begin();
        let first = tool::listener().expect("it listens");
        let other = loom::thread::spawn(move || {
            tell(first, device);
            let second = tool::listener().filter(|now| !core::ptr::eq(*now, first));
            if let Some(second) = second {
                tell(second, device);
            }
            usize::from(second.is_some())
        });
        end();
        begin();
        let told = other.join().unwrap();
        assert_eq!(heard(), vec!["loads"; told], "since the second tool's begin");
        end();
    });
}

/// The tool ends in its own callback, while another thread is in a callback: the end waits only for
/// the other thread's. I8.
#[test]
fn a_tool_that_ends_in_its_callback_waits_for_the_others() {
    check(3, || {
        let (_, device, _) = runtime();
        begin();
        at_load(end);
        on_threads(2, move |_| {
            if let Some(tool) = tool::listener() {
                tell(tool, device);
            }
        });
        assert!(tool::listener().is_none());
    });
}

/// The first use of a device while the tool ends: the device has begun and ended for the tool, or
/// it never has. I8, I10.
#[test]
fn a_device_that_begins_for_a_tool_ends_for_it() {
    check(3, || {
        let (offload, ..) = runtime();
        begin();
        on_threads(2, move |me| match me {
            0 => end(),
            _ => assert!(offload.device(0).is_some()),
        });
        let heard = heard();
        assert!(heard.is_empty() || heard == ["begins", "ends"], "{heard:?}");
    });
}
