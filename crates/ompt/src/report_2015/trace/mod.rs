//! Traces of devices in the 2015 report (§6): what happens on a device, with the times of its own
//! clock.
//!
//! No event says that a device begins: a tool asks for it by its number, with
//! [`EntryPoints::device`](super::EntryPoints::device), as soon as it is initialized. It chooses
//! what the device records, starts the trace, and gets the [`Records`] in
//! [`Tool::trace_records`](super::Tool::trace_records). All that [`crate::trace`] says of buffers,
//! threads and order holds here too, with these differences:
//!
//! - There is no flush; [`Device::stop_trace`] is the way to the last records. A buffer that is
//!   handed over is always given back.
//! - A record of the device names an activity, and a [`Record::Correlation`], which may come
//!   before or after, says which target task of the host has caused the activity. One task may have
//!   many.
//! - Native records are where data operations and kernels are: the standard format has no record
//!   for the events of target constructs (App. A.6).
//! - A device ends with the tool, in [`Tool::runtime_shutdown`](super::Tool::runtime_shutdown).
//!
//! ```
//! use ompt::report_2015::trace::{NativeFlags, Record, Records, TraceBuffers};
//! use ompt::report_2015::{EntryPoints, Initialization, Registration, Task, Tool};
//!
//! struct Natives {
//!     entry_points: EntryPoints,
//! }
//!
//! #[ompt::report_2015::tool]
//! impl Tool for Natives {
//!     fn initialize(initialization: &Initialization) -> Option<Self> {
//!         Some(Self { entry_points: initialization.entry_points })
//!     }
//!
//!     fn registered(&self, _: &Registration) {
//!         let count = self.entry_points.num_devices().unwrap_or(0);
//!         let numbers = (0..count).filter_map(|number| i32::try_from(number).ok());
//!         for device in numbers.filter_map(|number| self.entry_points.device(number)) {
//!             let kernels = NativeFlags::KERNEL_EXECUTION;
//!             device.record_native(kernels | NativeFlags::DATA_MOTION_EXPLICIT, true);
//!             if let Err(error) = device.start_trace(TraceBuffers::default()) {
//!                 eprintln!("{} {:?}: {error}", device.number(), device.kind());
//!             }
//!         }
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
mod native;
mod read;
mod record;
mod records;

pub(super) use callback::callbacks;
pub use device::Device;
pub(super) use device::{BufferCallbacks, State as DeviceState};
pub use native::{NativeFlags, NativeRecord, RecordClass};
pub use record::{Content, Correlation, Record, StandardRecord};
pub use records::Records;

pub use crate::trace::{DeviceTime, TraceBuffers, TraceError, TraceStatus};
