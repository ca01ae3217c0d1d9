//! Traces of devices in the 2015 report (§6): what happens on a device, with the times of its own
//! clock.
//!
//! No event says that a device begins: a tool asks for it by its number, with
//! [`EntryPoints::device`](super::EntryPoints::device), as early as it can, and again at an event
//! that names the device if there was no answer; oxomp answers once the program has met its first
//! target construct. The tool chooses what the device records, starts the trace, and gets the
//! [`Records`] in [`Tool::trace_records`](super::Tool::trace_records). All that [`crate::trace`]
//! says of buffers, threads and order holds here too, with these differences:
//!
//! - The interface has no flush; [`Device::stop_trace`] is the way to the last records. A buffer
//!   that is handed over is always given back.
//! - A record of the device names an activity, and a [`Record::Correlation`], which may come before
//!   or after, says which target task of the host has caused the activity. One task may have caused
//!   many activities.
//! - Data operations and kernels have native records only: the standard format has no record for
//!   the events of target constructs (App. A.6).
//! - The report gives the results of start, pause and stop no meaning; as in OpenMP 5.0, 0 stands
//!   for [`TraceError::Refused`] here.
//! - A device ends with the tool, in [`Tool::runtime_shutdown`](super::Tool::runtime_shutdown).
//!
//! ```
//! use std::collections::BTreeSet;
//! use std::sync::Mutex;
//!
//! use ompt::report_2015::trace::{NativeFlags, Record, Records, TraceBuffers};
//! use ompt::report_2015::{EntryPoints, Initialization, TargetDataBegin, TargetTaskBegin, Tool};
//!
//! struct Natives {
//!     entry_points: EntryPoints,
//!     known: Mutex<BTreeSet<i32>>,
//! }
//!
//! impl Natives {
//!     /// Starts the trace of a device when a construct names it for the first time.
//!     fn meet(&self, number: i32) {
//!         let Some(device) = self.entry_points.device(number) else { return };
//!         if self.known.lock().unwrap().insert(number) {
//!             let kernels = NativeFlags::KERNEL_EXECUTION;
//!             device.record_native(kernels | NativeFlags::DATA_MOTION_EXPLICIT, true);
//!             if let Err(error) = device.start_trace(TraceBuffers::default()) {
//!                 eprintln!("{number} {:?}: {error}", device.kind());
//!             }
//!         }
//!     }
//! }
//!
//! #[ompt::report_2015::tool]
//! impl Tool for Natives {
//!     fn initialize(initialization: &Initialization) -> Option<Self> {
//!         let entry_points = initialization.entry_points;
//!         Some(Self { entry_points, known: Mutex::default() })
//!     }
//!
//!     fn target_task_begin(&self, event: &TargetTaskBegin<'_>) {
//!         self.meet(event.device_num);
//!     }
//!
//!     fn target_data_begin(&self, event: &TargetDataBegin) {
//!         self.meet(event.device_num);
//!     }
//!
//!     fn trace_records(&self, records: Records<'_>) {
//!         for record in records {
//!             match record {
//!                 Record::Native(native) => eprintln!("{native:?}"),
//!                 Record::Correlation(link) => eprintln!("{:?}: {:?}", link.activity, link.task),
//!                 _ => (),
//!             }
//!         }
//!     }
//! }
//!
//! ompt::report_2015::ompt_tool!(Natives);
//! # fn main() {}
//! ```

mod callback;
mod control;
mod device;
mod functions;
mod native;
mod read;
mod record;
mod records;
mod time;

pub(super) use callback::callbacks;
pub use device::Device;
pub(super) use functions::{BufferCallbacks, State as DeviceState};
pub use native::{NativeFlags, NativeRecord, RecordClass};
pub use record::{Content, Correlation, Record, StandardRecord};
pub use records::Records;

pub use crate::trace::{DeviceTime, TraceBuffers, TraceError, TraceStatus};
