//! Devices of a program that offloads through libomptarget.

use super::check::{Forms, Group, check};
use crate::construct::Form;
use crate::offload::{self, Memory};
use crate::recorded::start;
use crate::tool::device::{self, Device};
use crate::tool::{self, log};
use crate::verdict::{Fault, Verdict, demand, missing};

pub(super) const GROUP: Group = Group {
    title: "Devices",
    checks: &[
        check(
            "initial-device-offload",
            Forms::Clang,
            "5.1 §4.5.1.1, 6.0 §34.1.1",
            "the initializer is given the initial device of a program that offloads",
            initial_device,
        )
        .offloading(),
        check(
            "device-functions",
            Forms::Clang,
            "5.2 §19.2.5, 6.0 §32.2.5",
            "device_initialize brings a look-up with every function of traces",
            functions,
        )
        .offloading(),
        check(
            "device-trace",
            Forms::Clang,
            "5.2 §19.2.5, 6.0 §32.2.5",
            "start_trace to stop_trace: a transfer to the device has a record",
            trace,
        )
        .offloading(),
    ],
};

/// The first device, which exists wherever one does.
const DEVICE: i32 = 0;
const BYTES: usize = 4096;

fn initial_device(form: Form) -> Verdict {
    offload::begin()?;
    start(form)?;
    let (told, number) = (tool::started().initial_device, offload::initial_device()?);
    demand(told == number, || {
        format!("initial_device_num is {told}, omp_get_initial_device() is {number}")
    })
}

/// A device that has been used, so that the tool has been told of it.
fn used(form: Form) -> Result<(Device, Memory), Fault> {
    offload::begin()?;
    start(form)?;
    let memory = Memory::of(DEVICE, BYTES)?;
    memory.fill(&[1; BYTES])?;
    Ok((device::met(DEVICE)?, memory))
}

fn functions(form: Form) -> Verdict {
    used(form)?.0.require_functions()
}

fn trace(form: Form) -> Verdict {
    let (device, memory) = used(form)?;
    device.traced(|| memory.fill(&[2; BYTES]))?;
    log::wait_until(|| !device::transfers().is_empty());
    let transfers = device::transfers();
    let [transfer] = transfers.as_slice() else {
        return missing(format!("{} records of one transfer", transfers.len()));
    };
    demand(transfer.bytes == BYTES && transfer.device == DEVICE, || {
        format!("the record of {BYTES} bytes to device {DEVICE} is {transfer:?}")
    })?;
    demand(transfer.begin <= transfer.end, || format!("it ends before it begins: {transfer:?}"))
}
