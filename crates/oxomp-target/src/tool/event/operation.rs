//! The facts of a data operation.

use oxomp_sys::ompt::{ompt_id_t, ompt_target_data_op_t};

use super::scope::ScopeRecord;
use crate::device::TargetDevice;
use crate::plugin::Address;

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DataOpKind {
    /// Memory of a device is allocated.
    Allocate,
    /// Data go to a device.
    ToDevice,
    /// Data come from a device.
    FromDevice,
    /// Data go from a device to a device, which may be the same.
    BetweenDevices,
    /// Memory is filled.
    Fill,
    /// Memory of a device is freed.
    Delete,
    /// Host memory gets a counterpart that the program has allocated.
    Associate,
    /// Host memory loses such a counterpart.
    Disassociate,
}

impl DataOpKind {
    /// `ompt_target_data_op_t`.
    pub(in crate::tool) fn kind(self, is_async: bool) -> ompt_target_data_op_t {
        use ompt_target_data_op_t as T;
        match (self, is_async) {
            (Self::Allocate, false) => T::ALLOC,
            (Self::Allocate, true) => T::ALLOC_ASYNC,
            (Self::ToDevice, false) => T::TRANSFER_TO_DEVICE,
            (Self::ToDevice, true) => T::TRANSFER_TO_DEVICE_ASYNC,
            (Self::FromDevice, false) => T::TRANSFER_FROM_DEVICE,
            (Self::FromDevice, true) => T::TRANSFER_FROM_DEVICE_ASYNC,
            (Self::BetweenDevices, false) => T::TRANSFER,
            (Self::BetweenDevices, true) => T::TRANSFER_ASYNC,
            (Self::Fill, false) => T::MEMSET,
            (Self::Fill, true) => T::MEMSET_ASYNC,
            (Self::Delete, false) => T::DELETE,
            (Self::Delete, true) => T::DELETE_ASYNC,
            (Self::Associate, _) => T::ASSOCIATE,
            (Self::Disassociate, _) => T::DISASSOCIATE,
        }
    }

    /// Whether begin and end are one event.
    pub(in crate::tool) fn is_instant(self) -> bool {
        matches!(self, Self::Associate | Self::Disassociate)
    }
}

/// An address in a memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryPlace {
    /// The address; 0 without an address.
    pub(crate) address: usize,
    /// The device whose memory it is; `None` for the host's memory.
    pub(crate) device: Option<&'static TargetDevice>,
    /// The number of the device, or of the host.
    pub(crate) number: i32,
}

impl MemoryPlace {
    /// An address of a device.
    pub(crate) fn on(device: &'static TargetDevice, address: Address) -> Self {
        Self { address: address.0, device: Some(device), number: device.number }
    }
}

/// The facts of an operation.
#[derive(Debug)]
pub(crate) struct OperationRecord<'a> {
    pub(in crate::tool) scope: &'a ScopeRecord,
    pub(in crate::tool) operation: DataOpKind,
    pub(in crate::tool) kind: ompt_target_data_op_t,
    pub(in crate::tool) from: MemoryPlace,
    pub(in crate::tool) to: MemoryPlace,
    pub(in crate::tool) bytes: usize,
    /// Whether the device may do the operation after the event of its end.
    pub(in crate::tool) is_async: bool,
    /// The operation's number.
    pub(in crate::tool) id: ompt_id_t,
}

impl OperationRecord<'_> {
    /// The device that does the operation: of two, the one that the data go to; `None` for the
    /// host.
    pub(crate) fn device(&self) -> Option<&'static TargetDevice> {
        self.to.device.or(self.from.device)
    }
}
