//! Traces of devices: what happens on a device, with the times of its own clock.
//!
//! Events say what a program asks of a device, on the threads of the host. A device may also record
//! what it does, when, and by which of its threads, and hand the records over in buffers. A
//! [`Device`] comes with [`Tool::device_initialize`](crate::Tool::device_initialize); the tool
//! chooses what it records, starts the trace, and gets the [`Records`] in
//! [`Tool::trace_records`](crate::Tool::trace_records). This tool prints the times of kernels:
//!
//! ```
//! use ompt::trace::{Content, Record, Records, TraceBuffers};
//! use ompt::{DeviceInitialize, Event, EventSet, Initialization, Tool};
//!
//! struct Kernels;
//!
//! #[ompt::tool]
//! impl Tool for Kernels {
//!     fn initialize(_: &Initialization) -> Option<Self> {
//!         Some(Self)
//!     }
//!
//!     fn device_initialize(&self, event: &DeviceInitialize<'_>) {
//!         let device = event.device;
//!         device.record_events(EventSet::of(&[Event::TARGET_SUBMIT_EMI]));
//!         if let Err(error) = device.start_trace(TraceBuffers::default()) {
//!             eprintln!("device {} is not traced: {error}", device.number());
//!         }
//!     }
//!
//!     fn trace_records(&self, records: Records<'_>) {
//!         let device = records.device();
//!         for record in records {
//!             if let Record::Standard(record) = record
//!                 && let Content::Kernel(kernel) = record.content
//!                 && let (Some(begin), Some(end)) = (record.time, kernel.end)
//!             {
//!                 // Seconds of `omp_get_wtime`; the device may lack the entry point.
//!                 let (begin, end) = (device.translate_time(begin), device.translate_time(end));
//!                 eprintln!("{} teams, from {begin:?} to {end:?}", kernel.granted_num_teams);
//!             }
//!         }
//!     }
//! }
//!
//! ompt::ompt_tool!(Kernels);
//! # fn main() {}
//! ```
//!
//! # What a record says
//!
//! A [`StandardRecord`] is an event on the device with its arguments. A data operation and a kernel
//! are one record each, which has the begin and the end; for everything else, begin and end are
//! records of their own. Times are by the device's clock, in units that only
//! [`translate_time`](Device::translate_time) knows. [`StandardRecord::target_id`], and the
//! `host_op_id` of an operation, are the values that the tool has stored in the words of the events
//! [`TARGET_EMI`](crate::Event::TARGET_EMI),
//! [`TARGET_DATA_OP_EMI`](crate::Event::TARGET_DATA_OP_EMI) and
//! [`TARGET_SUBMIT_EMI`](crate::Event::TARGET_SUBMIT_EMI) on the host, so that a record finds its
//! event. A tool that does not listen to these events finds the runtime's own ids there.
//!
//! A [`NativeRecord`] is in the device's own words: its kinds are explained in the documentation of
//! the device, [`DeviceInitialize::documentation`](crate::DeviceInitialize).
//!
//! # Buffers
//!
//! The SDK allocates a buffer when the device asks for one, and frees it when the device gives it
//! back. If a runtime hands a buffer over without giving it back (*buffer_owned* 0, for a buffer
//! that devices share), the SDK reads the buffer, and the runtime keeps it. A buffer that never
//! comes back is never freed: the device might be writing. [`TraceBuffers`] sets sizes and a limit.
//! A device gets no buffer beyond that limit, or without memory. It then drops records until
//! [`Device::start_trace`] is called again; [`Device::trace_status`] counts these refusals.
//!
//! # Threads
//!
//! The runtime hands records over on any thread, most often one of its own that OpenMP does not
//! know; several devices may do so at once. There, the tool may read the records and ask the device
//! ([`time`](Device::time), [`translate_time`](Device::translate_time),
//! [`num_procs`](Device::num_procs)). A call that controls a trace is refused there
//! ([`TraceError::InRecords`]): a flush or a stop returns when all records have been handled, so it
//! would wait for itself. Every other thread may use all calls. The thread that is handed records
//! may not call OpenMP routines, as in every callback, and signal handlers may call nothing of a
//! device.
//!
//! # The end of a device
//!
//! [`Device`] is a handle that may be kept. It answers until
//! [`Tool::device_finalize`](crate::Tool::device_finalize) has returned, and does not answer
//! afterwards; the SDK first waits for calls that are going on in other threads. The runtime has
//! handed over all records before that event (6.0 §32.2.5). The end of the tool, when
//! [`Tool::finalize`](crate::Tool::finalize) has returned, ends its devices too.
//!
//! # Order
//!
//! Records come in no order that the specification promises, neither between buffers nor between
//! threads of the device: sort them by [`StandardRecord::time`]. Ids of regions, tasks and threads
//! of a device are unique within one target region (6.0 §32.2.5).
//!
//! Sources: OpenMP 6.0 chapters 33 (records), 35.5 and 35.6 (buffers), 37 (entry points); OpenMP
//! 5.0 §4.6.2. [`report_2015::trace`](crate::report_2015::trace) is the same for the 2015 report.

pub(crate) mod callback;
mod control;
mod device;
mod error;
mod functions;
mod native;
mod read;
mod record;
mod records;
mod settings;
mod time;

pub use device::Device;
pub use error::TraceError;
pub(crate) use functions::State as DeviceState;
pub use native::{NativeFlags, NativeRecord, NativeView, RecordClass};
pub use record::{
    Content, DataOpRecord, KernelRecord, MapRecord, Record, StandardRecord, TargetRecord,
};
pub use records::Records;
pub use settings::{BufferLimits, TraceBuffers, TraceStatus};
pub use time::DeviceTime;
