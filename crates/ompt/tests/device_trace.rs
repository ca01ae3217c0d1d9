//! The example `device_trace`, driven by a fake device: with a trace, and without.

/// The example, which exports the tool.
#[path = "../examples/device_trace.rs"]
#[allow(dead_code, reason = "the SDK uses it")]
mod example;
mod fake;

use std::env;
use std::process::Command;
use std::ptr::{null, null_mut, without_provenance_mut};
use std::thread;
use std::time::Duration;

use fake::device::{self, Knows};
use fake::engine::Made;
use fake::{Word, callback};
use ompt::Event;
use oxomp_sys::ompt::{
    ompt_callback_target_data_op_emi_t, ompt_callback_target_emi_t,
    ompt_callback_target_submit_emi_t, ompt_callbacks_t, ompt_record_arguments_t,
    ompt_record_ompt_t, ompt_record_target_data_op_t, ompt_record_target_kernel_t,
    ompt_scope_endpoint_t, ompt_target_data_op_t, ompt_target_t,
};

/// The variable that says whether the device of the child has a trace.
const TRACED: &str = "DEVICE_TRACE_TEST";

/// The number of the host.
const HOST: i32 = 8;

const ENDS: [ompt_scope_endpoint_t; 2] = [ompt_scope_endpoint_t::BEGIN, ompt_scope_endpoint_t::END];

/// What the example says in a child that runs [`drive`].
fn lines(traced: &str) -> Vec<String> {
    let child = Command::new(env::current_exe().expect("this program"))
        .args(["--exact", "drive", "--ignored", "--nocapture"])
        .env(TRACED, traced)
        .output()
        .expect("it starts");
    assert!(child.status.success(), "{child:?}");
    let said = String::from_utf8(child.stderr).expect("text");
    said.lines().filter(|line| line.starts_with("device ")).map(str::to_owned).collect()
}

/// The runtime, in a child.
#[test]
#[ignore = "the other tests run it in a process of its own"]
fn drive() {
    let traced = env::var_os(TRACED).expect("started by the other tests");
    let is_traced = traced == "yes";
    device::DEVICE.lock().unwrap().knows =
        if is_traced { Knows::Everything } else { Knows::Nothing };
    assert!(fake::run());
    device::initialize();
    for (bytes, kind) in [
        (3000, ompt_target_data_op_t::TRANSFER_TO_DEVICE),
        (0, ompt_target_data_op_t::ALLOC),
        (500, ompt_target_data_op_t::TRANSFER_FROM_DEVICE_ASYNC),
    ] {
        transfer(kind, bytes);
    }
    submit();
    device::finalize();
    fake::finalize();
}

fn record(event: ompt_callbacks_t, time: u64, record: ompt_record_arguments_t) {
    let made = ompt_record_ompt_t { event, time, thread_id: 0, target_id: 0, record };
    device::make(Made::new(1, &made));
}

/// A data operation of one second: its events, and its record.
fn transfer(optype: ompt_target_data_op_t, bytes: usize) {
    let (target, id) = (Word::new(), Word::new());
    let is_back = optype == ompt_target_data_op_t::TRANSFER_FROM_DEVICE_ASYNC;
    let (source, destination) =
        if is_back { (device::NUMBER, HOST) } else { (HOST, device::NUMBER) };
    let nowhere = without_provenance_mut(usize::MAX);
    for endpoint in ENDS {
        // SAFETY: the event's signature, and words that are alive.
        unsafe {
            let raise = callback::<ompt_callback_target_data_op_emi_t>(Event::TARGET_DATA_OP_EMI);
            raise.expect("registered")(
                endpoint,
                null_mut(),
                target.raw(),
                id.raw().cast(),
                optype,
                nowhere,
                source,
                nowhere,
                destination,
                bytes,
                null(),
            );
        }
        thread::sleep(Duration::from_millis(2));
    }
    let target_data_op = ompt_record_target_data_op_t {
        host_op_id: 0,
        optype,
        src_addr: nowhere,
        src_device_num: source,
        dest_addr: nowhere,
        dest_device_num: destination,
        bytes,
        end_time: 3000,
        codeptr_ra: null(),
    };
    let arguments = ompt_record_arguments_t { target_data_op };
    record(ompt_callbacks_t::TARGET_DATA_OP_EMI, 2000, arguments);
}

/// A kernel of half a second.
fn submit() {
    let (task, target, id) = (Word::new(), Word::new(), Word::new());
    // SAFETY: the events' signatures, and words that are alive.
    unsafe {
        let raise = callback::<ompt_callback_target_emi_t>(Event::TARGET_EMI).expect("registered");
        let begin = ompt_scope_endpoint_t::BEGIN;
        let (kind, number) = (ompt_target_t::TARGET, device::NUMBER);
        raise(kind, begin, number, task.raw(), null_mut(), target.raw(), null());
        for endpoint in ENDS {
            let raise = callback::<ompt_callback_target_submit_emi_t>(Event::TARGET_SUBMIT_EMI);
            raise.expect("registered")(endpoint, target.raw(), id.raw().cast(), 4);
        }
    }
    let target_kernel = ompt_record_target_kernel_t {
        host_op_id: 0,
        requested_num_teams: 4,
        granted_num_teams: 3,
        end_time: 4500,
    };
    let arguments = ompt_record_arguments_t { target_kernel };
    record(ompt_callbacks_t::TARGET_SUBMIT_EMI, 4000, arguments);
}

#[test]
fn a_trace_has_the_times_of_the_device() {
    // The device's clock has 1000 units a second, and it is 1 second when the device begins.
    let expected = [
        "device 7: maker;model: times of the device",
        "device 7: 1.000000 s: to device in 1.000000000 s, 3000 bytes, 0.000 GB/s",
        "device 7: 1.000000 s: from device in 1.000000000 s, 500 bytes, 0.000 GB/s",
        "device 7: 3.000000 s: kernel of 3 teams in 0.500000000 s",
        "device 7: all: 1 times kernel, 0.500000000 s",
        "device 7: all: 1 times to device, 1.000000000 s, 3000 bytes, 0.000 GB/s",
        "device 7: all: 1 times from device, 1.000000000 s, 500 bytes, 0.000 GB/s",
    ];
    assert_eq!(lines("yes"), expected);
}

#[test]
fn without_a_trace_the_times_are_the_hosts() {
    let lines = lines("no");
    let expected = [
        "device 7: maker;model: times of the host, for it has no tracing interface",
        "to device in ",
        "from device in ",
        "kernel submitted in ",
        "all: 1 times kernel, ",
        "all: 1 times to device, ",
        "all: 1 times from device, ",
    ];
    assert_eq!(lines.len(), expected.len(), "{lines:#?}");
    assert!(lines.iter().zip(expected).all(|(line, part)| line.contains(part)), "{lines:#?}");
    let seconds = |line: &str| -> f64 {
        let (_, rest) = line.split_once(" in ").expect("a time");
        rest.split(' ').next().expect("a number").parse().expect("seconds")
    };
    assert!(seconds(&lines[1]) >= 0.002, "{lines:#?}");
    assert!(seconds(&lines[3]) >= 0.0, "{lines:#?}");
}
