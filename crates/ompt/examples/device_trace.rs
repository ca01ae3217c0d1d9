//! A whole tool: a line on stderr for each kernel and each transfer of each device, with its time
//! and bandwidth, and their sums at the end of the device.
//!
//! ```text
//! cargo build --release -p ompt --example device_trace
//! OMP_TOOL_LIBRARIES=target/release/examples/libdevice_trace.so ./program
//! ```
//!
//! If the device has a trace, the times are the device's. Otherwise they are the host's, around the
//! operation; for a kernel, around its submission only.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use ompt::trace::{Content, Record, Records, TraceBuffers};
use ompt::{
    DataWord, Device, DeviceFinalize, DeviceInitialize, Endpoint, Event, EventSet, Initialization,
    TargetDataOpEmi, TargetDataOpKind, TargetEmi, TargetSubmitEmi, Tool,
};

/// The events with records of which the tool prints lines.
const TRACED: EventSet = EventSet::of(&[Event::TARGET_DATA_OP_EMI, Event::TARGET_SUBMIT_EMI]);

/// What a device has done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Work {
    Kernel,
    ToDevice,
    FromDevice,
    Transfer,
}

impl Work {
    fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::ToDevice => "to device",
            Self::FromDevice => "from device",
            Self::Transfer => "transfer",
        }
    }

    /// The kind of a data operation; `None` for an operation that moves no data.
    fn of(kind: TargetDataOpKind) -> Option<Self> {
        use TargetDataOpKind as Kind;
        match kind {
            Kind::TransferToDevice | Kind::TransferToDeviceAsync => Some(Self::ToDevice),
            Kind::TransferFromDevice | Kind::TransferFromDeviceAsync => Some(Self::FromDevice),
            Kind::Transfer | Kind::TransferAsync | Kind::TransferRect | Kind::TransferRectAsync => {
                Some(Self::Transfer)
            }
            _ => None,
        }
    }

    /// The device of a transfer: of source and destination, the one that is not, or need not be,
    /// the host.
    fn device(self, source: i32, destination: i32) -> i32 {
        if self == Self::FromDevice { source } else { destination }
    }
}

/// How often, how many bytes, how many seconds.
#[derive(Clone, Copy, Default)]
struct Sum {
    count: u64,
    bytes: usize,
    seconds: f64,
}

/// What the tool knows of a device.
struct Known {
    /// The handle, if the device is traced.
    traced: Option<Device>,
    /// The host's time at which the device began, as the device translates it.
    origin: f64,
    sums: BTreeMap<Work, Sum>,
}

struct DeviceTrace {
    start: Instant,
    devices: Mutex<BTreeMap<i32, Known>>,
}

impl DeviceTrace {
    /// Calls `work` with what is known of a device; `None` if the device has not begun.
    fn with_device<R>(&self, number: i32, work: impl FnOnce(&mut Known) -> R) -> Option<R> {
        self.devices.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&number).map(work)
    }

    /// Prints a line: the seconds since the begin of the device, or of the tool, and for how long.
    fn line(&self, number: i32, (at, seconds): (f64, f64), work: Work, bytes: usize, more: &str) {
        self.with_device(number, |device| {
            let sum = device.sums.entry(work).or_default();
            sum.count += 1;
            sum.bytes += bytes;
            sum.seconds += seconds;
        });
        let rate = rate(bytes, seconds);
        eprintln!("device {number}: {at:.6} s: {} {more}in {seconds:.9} s{rate}", work.name());
    }

    /// The seconds since the tool began.
    fn now(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Notes the begin of an operation in its word, in nanoseconds, or reads it at the end.
    fn times(&self, endpoint: Endpoint, word: Option<&DataWord>) -> Option<(f64, f64)> {
        let (now, word) = (self.now(), word?);
        match endpoint {
            Endpoint::Begin => word.set((now * 1e9) as u64),
            Endpoint::End => {
                let begin = word.get() as f64 / 1e9;
                return Some((begin, now - begin));
            }
            _ => (),
        }
        None
    }

    fn is_traced(&self, number: i32) -> bool {
        self.with_device(number, |device| device.traced.is_some()).unwrap_or(false)
    }
}

/// Bytes and bandwidth of a transfer.
fn rate(bytes: usize, seconds: f64) -> String {
    match (bytes, seconds > 0.0) {
        (0, _) => String::new(),
        (_, true) => format!(", {bytes} bytes, {:.3} GB/s", bytes as f64 / seconds / 1e9),
        (_, false) => format!(", {bytes} bytes"),
    }
}

/// Starts the trace of a device; an error is the reason why the device is not traced.
fn start(device: Device) -> Result<(), String> {
    if !device.can_trace() {
        return Err("it has no tracing interface".into());
    }
    let refused = device.record_events(TRACED).refused();
    if refused != EventSet::NONE {
        return Err(format!("it does not record {refused:?}"));
    }
    device.start_trace(TraceBuffers::default()).map_err(|error| error.to_string())
}

#[ompt::tool]
impl Tool for DeviceTrace {
    fn initialize(_: &Initialization) -> Option<Self> {
        Some(Self { start: Instant::now(), devices: Mutex::default() })
    }

    fn device_initialize(&self, event: &DeviceInitialize<'_>) {
        let (number, device) = (event.device_num, event.device);
        let origin = device.time().and_then(|now| device.translate_time(now)).unwrap_or(0.0);
        let known = Known { traced: None, origin, sums: BTreeMap::new() };
        self.devices.lock().unwrap_or_else(PoisonError::into_inner).insert(number, known);
        let kind = event.device_type.unwrap_or_default().to_string_lossy();
        match start(device) {
            Ok(()) => {
                self.with_device(number, |known| known.traced = Some(device));
                eprintln!("device {number}: {kind}: times of the device");
            }
            Err(reason) => eprintln!("device {number}: {kind}: times of the host, for {reason}"),
        }
    }

    fn trace_records(&self, records: Records<'_>) {
        let device = records.device();
        let number = device.number();
        let origin = self.with_device(number, |known| known.origin).unwrap_or(0.0);
        for record in records {
            let Record::Standard(record) = record else { continue };
            let (work, end, bytes, more) = match record.content {
                Content::Kernel(kernel) => {
                    let teams = kernel.granted_num_teams;
                    let plural = if teams == 1 { "" } else { "s" };
                    (Work::Kernel, kernel.end, 0, format!("of {teams} team{plural} "))
                }
                Content::DataOp(operation) => match Work::of(operation.kind) {
                    Some(work) => (work, operation.end, operation.bytes, String::new()),
                    None => continue,
                },
                _ => continue,
            };
            let translated = |time| device.translate_time(time);
            let begin = record.time.and_then(translated);
            let (Some(begin), Some(end)) = (begin, end.and_then(translated)) else { continue };
            self.line(number, (begin - origin, end - begin), work, bytes, &more);
        }
    }

    /// The event of a kernel's submission does not name the device; the event of its target
    /// construct does.
    fn target_emi(&self, event: &TargetEmi<'_>) {
        if let (Endpoint::Begin, Some(word)) = (event.endpoint, event.target) {
            word.set(u64::from(event.device_num.cast_unsigned()) + 1);
        }
    }

    fn target_data_op_emi(&self, event: &TargetDataOpEmi<'_>) {
        let Some(work) = Work::of(event.kind) else { return };
        let number = work.device(event.src_device_num, event.dest_device_num);
        if !self.is_traced(number)
            && let Some(times) = self.times(event.endpoint, event.host_op_id)
        {
            self.line(number, times, work, event.bytes, "");
        }
    }

    fn target_submit_emi(&self, event: &TargetSubmitEmi<'_>) {
        let word = event.target.map_or(0, DataWord::get);
        let number = word.checked_sub(1).and_then(|number| u32::try_from(number).ok());
        let Some(number) = number.map(u32::cast_signed) else { return };
        if !self.is_traced(number)
            && let Some(times) = self.times(event.endpoint, event.host_op_id)
        {
            self.line(number, times, Work::Kernel, 0, "submitted ");
        }
    }

    fn device_finalize(&self, event: &DeviceFinalize) {
        let number = event.device_num;
        if let Some(device) = self.with_device(number, |known| known.traced).flatten() {
            // The runtime has stopped the trace already, if it does as the specification says.
            let _ = device.stop_trace();
        }
        let sums = self.with_device(number, |known| std::mem::take(&mut known.sums));
        for (work, Sum { count, bytes, seconds }) in sums.into_iter().flatten() {
            let (name, rate) = (work.name(), rate(bytes, seconds));
            eprintln!("device {number}: all: {count} times {name}, {seconds:.9} s{rate}");
        }
    }
}

ompt::ompt_tool!(DeviceTrace);
