//! A data operation, as tools see it.

use core::ops::Range;

use oxomp_sys::ompt::ompt_scope_endpoint_t;

use super::scope::Scope;
use crate::device::TargetDevice;
use crate::plugin::{Address, Queue};
use crate::tool::event::{DataOpKind, MemoryPlace, OperationRecord, ScopeRecord, ToolEvent};
use crate::tool::present::tell;
use crate::trace::{self, DataOp, Times};

impl Scope {
    /// A data operation begins; it ends when the guard is dropped. `is_async` says that the device
    /// may do the operation later.
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

    /// Memory of `device` is about to be allocated, for host memory at `host`, or (0) for no host
    /// memory.
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

    /// Host memory has got a counterpart that the program had allocated.
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
pub(crate) struct DataOperation<'a>(Option<Observed<'a>>);

/// An operation of which a tool is told.
#[derive(Debug)]
struct Observed<'a> {
    record: OperationRecord<'a>,
    /// The operation's begin and end by the device's clock.
    times: Times,
}

impl Observed<'_> {
    /// Reports the operation to the trace of its device.
    fn trace(&mut self) {
        let OperationRecord { scope, kind, from, to, bytes, id, .. } = self.record;
        self.times.report(|| {
            trace::Operation::DataOp(DataOp {
                ids: scope.ids(scope.operation_id(id)),
                kind,
                from: (from.address, from.number),
                to: (to.address, to.number),
                bytes,
                is_explicit: scope.is_explicit(),
            })
        });
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
        let record = OperationRecord { scope, operation, kind, from, to, bytes, is_async, id };
        let endpoint = match operation.is_instant() {
            true => ompt_scope_endpoint_t::BEGINEND,
            false => ompt_scope_endpoint_t::BEGIN,
        };
        tell(scope.tool, &ToolEvent::DataOperation { operation: &record, endpoint });
        scope.initiates(scope.operation_id(id));
        let times = Times::begin(record.device().map(|device| &device.tracer));
        Self(Some(Observed { record, times }))
    }

    /// The operation is about to get into the queue.
    pub(crate) fn begin_in(&mut self, queue: &mut dyn Queue) {
        if let Some(it) = &mut self.0 {
            it.times.begin_in(queue);
        }
    }

    /// The operation has got into the queue.
    pub(crate) fn end_in(&mut self, queue: &mut dyn Queue) {
        if let Some(it) = &mut self.0 {
            it.times.end_in(queue);
        }
    }

    /// The memory that the operation has allocated, or null.
    pub(crate) fn allocated(&mut self, address: Option<Address>) {
        if let Some(Observed { record, .. }) = &mut self.0 {
            record.to.address = address.map_or(0, |address| address.0);
        }
    }
}

impl Drop for DataOperation<'_> {
    #[inline]
    fn drop(&mut self) {
        let Some(observed) = &mut self.0 else { return };
        observed.trace();
        let record = &observed.record;
        if !record.operation.is_instant() {
            let endpoint = ompt_scope_endpoint_t::END;
            tell(record.scope.tool, &ToolEvent::DataOperation { operation: record, endpoint });
        }
        record.scope.initiates(0);
    }
}
