//! A data operation, as tools see it.

use core::ops::Range;

use oxomp_sys::ompt::{ompt_id_t, ompt_scope_endpoint_t, ompt_target_data_op_t};

use super::event::ToolEvent;
use super::scope::{Scope, ScopeRecord};
use super::session::tell;
use crate::device::TargetDevice;
use crate::plugin::{Address, Queue};
use crate::trace::{self, DataOp, Times};

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
    /// Host memory gets a counterpart that is there already.
    Associate,
    /// Host memory loses such a counterpart.
    Disassociate,
}

impl DataOpKind {
    /// `ompt_target_data_op_t`.
    fn kind(self, is_async: bool) -> ompt_target_data_op_t {
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
    fn is_instant(self) -> bool {
        matches!(self, Self::Associate | Self::Disassociate)
    }
}

/// An address in a memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryPlace {
    /// The address; 0 for none.
    pub(crate) address: usize,
    /// Whose memory it is; none for the host's.
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

impl Scope {
    /// A data operation begins; it ends when the guard is dropped. `is_async` says that the device
    /// may do it later.
    #[inline]
    pub(crate) fn operation(
        &self,
        operation: DataOpKind,
        from: MemoryPlace,
        to: MemoryPlace,
        bytes: usize,
        is_async: bool,
    ) -> DataOperation<'_> {
        DataOperation::begin(self.0.as_deref(), operation, (from, to, bytes), is_async)
    }

    /// Data of the host at `host` are about to go to `address` of `device`.
    pub(crate) fn to_device(
        &self,
        (device, is_async): (&'static TargetDevice, bool),
        host: usize,
        address: Address,
        bytes: usize,
    ) -> DataOperation<'_> {
        let (from, to) = (self.host(host), MemoryPlace::on(device, address));
        self.operation(DataOpKind::ToDevice, from, to, bytes, is_async)
    }

    /// Data are about to come from `address` of `device` to the host's memory at `host`.
    #[allow(clippy::wrong_self_convention, reason = "it is the data that come from a device")]
    pub(crate) fn from_device(
        &self,
        (device, is_async): (&'static TargetDevice, bool),
        host: usize,
        address: Address,
        bytes: usize,
    ) -> DataOperation<'_> {
        let (from, to) = (MemoryPlace::on(device, address), self.host(host));
        self.operation(DataOpKind::FromDevice, from, to, bytes, is_async)
    }

    /// Memory of `device` is about to be allocated, for that of the host at `host` or for none.
    pub(crate) fn allocation(
        &self,
        device: &'static TargetDevice,
        host: usize,
        bytes: usize,
    ) -> DataOperation<'_> {
        let to = MemoryPlace::on(device, Address(0));
        self.operation(DataOpKind::Allocate, self.host(host), to, bytes, false)
    }

    /// Memory of `device` is about to be freed.
    pub(crate) fn deletion(
        &self,
        device: &'static TargetDevice,
        host: usize,
        address: Address,
        bytes: usize,
    ) -> DataOperation<'_> {
        let to = MemoryPlace::on(device, address);
        self.operation(DataOpKind::Delete, self.host(host), to, bytes, false)
    }

    /// Host memory has got a counterpart that was there already.
    pub(crate) fn association(
        &self,
        device: &'static TargetDevice,
        host: &Range<usize>,
        address: Address,
    ) {
        self.relation(DataOpKind::Associate, device, host, address);
    }

    /// Host memory loses such a counterpart.
    pub(crate) fn disassociation(
        &self,
        device: &'static TargetDevice,
        host: &Range<usize>,
        address: Address,
    ) {
        self.relation(DataOpKind::Disassociate, device, host, address);
    }

    /// One event tells of begin and end.
    fn relation(
        &self,
        operation: DataOpKind,
        device: &'static TargetDevice,
        host: &Range<usize>,
        address: Address,
    ) {
        let (from, to) = (self.host(host.start), MemoryPlace::on(device, address));
        drop(self.operation(operation, from, to, host.len(), false));
    }

    /// A place in the host's memory.
    pub(crate) fn host(&self, address: usize) -> MemoryPlace {
        MemoryPlace {
            address,
            device: None,
            number: self.0.as_ref().map_or(-1, |it| it.executor.host),
        }
    }
}

/// A data operation that goes on; nothing if no tool listens. Its drop is its end.
#[derive(Debug)]
pub(crate) struct DataOperation<'a>(Option<OperationRecord<'a>>);

/// The facts of an operation.
#[derive(Debug)]
pub(crate) struct OperationRecord<'a> {
    pub(super) scope: &'a ScopeRecord,
    pub(super) operation: DataOpKind,
    pub(super) kind: ompt_target_data_op_t,
    pub(super) from: MemoryPlace,
    pub(super) to: MemoryPlace,
    pub(super) bytes: usize,
    /// Whether it may be done later than its end says.
    pub(super) is_async: bool,
    /// The operation's number.
    pub(super) id: ompt_id_t,
    /// Begin and end by the device's clock.
    times: Times,
}

impl OperationRecord<'_> {
    /// Reports the operation to the trace of its device.
    fn trace(&mut self) {
        let mut times = core::mem::take(&mut self.times);
        times.report(|| {
            trace::Operation::DataOp(DataOp {
                ids: self.scope.ids(self.scope.operation_id(self.id)),
                kind: self.kind,
                from: (self.from.address, self.from.number),
                to: (self.to.address, self.to.number),
                bytes: self.bytes,
                is_explicit: self.scope.is_explicit(),
            })
        });
    }

    /// The device that does the operation: of two, the one that the data go to; none for the host.
    pub(crate) fn device(&self) -> Option<&'static TargetDevice> {
        self.to.device.or(self.from.device)
    }
}

impl<'a> DataOperation<'a> {
    #[inline]
    pub(super) fn begin(
        scope: Option<&'a ScopeRecord>,
        operation: DataOpKind,
        data: (MemoryPlace, MemoryPlace, usize),
        is_async: bool,
    ) -> Self {
        match scope {
            None => Self(None),
            Some(scope) => Self::observed(scope, operation, data, is_async),
        }
    }

    #[cold]
    #[inline(never)]
    fn observed(
        scope: &'a ScopeRecord,
        operation: DataOpKind,
        (from, to, bytes): (MemoryPlace, MemoryPlace, usize),
        is_async: bool,
    ) -> Self {
        let is_async = is_async || scope.is_async;
        let kind = operation.kind(is_async);
        let id = scope.begins_operation();
        let times = Times::default();
        let mut record =
            OperationRecord { scope, operation, kind, from, to, bytes, is_async, id, times };
        let endpoint = match operation.is_instant() {
            true => ompt_scope_endpoint_t::BEGINEND,
            false => ompt_scope_endpoint_t::BEGIN,
        };
        tell(scope.tool, &ToolEvent::DataOperation { operation: &record, endpoint });
        scope.initiates(scope.operation_id(id));
        record.times = Times::begin(record.device().map(|device| &device.tracer));
        Self(Some(record))
    }

    /// The operation is about to get into the queue.
    pub(crate) fn begin_in(&mut self, queue: &mut dyn Queue) {
        if let Some(record) = &mut self.0 {
            record.times.begin_in(queue);
        }
    }

    /// The operation has got into the queue.
    pub(crate) fn end_in(&mut self, queue: &mut dyn Queue) {
        if let Some(record) = &mut self.0 {
            record.times.end_in(queue);
        }
    }

    /// The memory that the operation has allocated, or null.
    pub(crate) fn allocated(&mut self, address: Option<Address>) {
        if let Some(record) = &mut self.0 {
            record.to.address = address.map_or(0, |address| address.0);
        }
    }
}

impl Drop for DataOperation<'_> {
    #[inline]
    fn drop(&mut self) {
        let Some(record) = &mut self.0 else { return };
        record.trace();
        if !record.operation.is_instant() {
            let endpoint = ompt_scope_endpoint_t::END;
            tell(record.scope.tool, &ToolEvent::DataOperation { operation: record, endpoint });
        }
        if let Some(record) = &self.0 {
            record.scope.initiates(0);
        }
    }
}
