//! What tools are told: the events, independent of the generation of the tool, and the facts of
//! constructs, operations and submissions.

mod construct;
mod operation;
mod reported;
mod scope;
mod submission;

use core::ffi::CStr;

use oxomp_sys::ompt::{ompt_scope_endpoint_t, ompt_target_map_flag_t};

use crate::device::{Image, TargetDevice};
use crate::plugin::Address;
use crate::trace::MapItemRecord;

pub(crate) use construct::{ConstructKind, Executor, Region};
pub(in crate::tool) use operation::OperationRecord;
pub(crate) use operation::{DataOpKind, MemoryPlace};
pub(in crate::tool) use reported::{Reported, Role};
pub(in crate::tool) use scope::ScopeRecord;
pub(in crate::tool) use submission::SubmissionRecord;

/// An event.
#[derive(Clone, Copy, Debug)]
pub(in crate::tool) enum ToolEvent<'a> {
    /// A target construct begins or ends.
    Target {
        /// The construct.
        scope: &'a ScopeRecord,
        /// Which of the two.
        endpoint: ompt_scope_endpoint_t,
    },
    /// A data operation begins, ends, or is done at once.
    DataOperation {
        operation: &'a OperationRecord<'a>,
        /// Which of the three.
        endpoint: ompt_scope_endpoint_t,
    },
    /// The submission of a kernel begins or ends.
    Submission {
        submission: &'a SubmissionRecord<'a>,
        /// Which of the two.
        endpoint: ompt_scope_endpoint_t,
    },
    /// A construct has mapped list items.
    Map {
        /// The construct.
        scope: &'a ScopeRecord,
        /// What it has mapped.
        mappings: &'a [Mapping],
    },
    /// A device is ready for use.
    DeviceInitialize {
        device: &'static TargetDevice,
        /// What it is.
        description: &'a CStr,
    },
    /// A device is used no more.
    DeviceFinalize { device: &'static TargetDevice },
    /// A device has loaded an image.
    DeviceLoad {
        /// The number of the device.
        device: i32,
        image: Image,
    },
    /// A device is about to unload an image.
    DeviceUnload {
        /// The number of the device.
        device: i32,
        /// Which image.
        module: u64,
    },
}

/// A list item that a construct has mapped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mapping {
    /// The host's memory.
    pub(crate) host: usize,
    /// The counterpart of the host's memory.
    pub(crate) device: Address,
    /// The number of mapped bytes.
    pub(crate) bytes: usize,
    /// How it is mapped.
    pub(crate) flags: ompt_target_map_flag_t,
}

impl Mapping {
    /// The item in a record of a trace.
    pub(in crate::tool) fn record(&self) -> MapItemRecord {
        let &Self { host, device, bytes, flags } = self;
        MapItemRecord { host, device: device.0, bytes, flags: flags.0 }
    }
}
