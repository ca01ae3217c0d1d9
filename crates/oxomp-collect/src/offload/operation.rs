//! Operations of devices, as OMPT reports them.

use ompt::{TargetDataOp, TargetDataOpEmi, TargetDataOpKind};
use oxomp_trace::offload::{HOST, operation_kind};

/// The way of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Direction {
    To = operation_kind::TO_DEVICE,
    From = operation_kind::FROM_DEVICE,
}

/// An operation of a device.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operation {
    pub(crate) kind: OperationKind,
    pub(crate) device: u32,
    pub(crate) code: u64,
}

/// The kind of an operation, and what it is done with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OperationKind {
    Kernel {
        teams: u32,
    },
    Copy {
        direction: Direction,
        /// Host address.
        address: u64,
        bytes: u64,
    },
    /// From one device to another, or from a place of the host to another.
    Between {
        bytes: u64,
    },
    Alloc {
        /// Host address of the data that the memory is for; 0: the memory is for no data of the
        /// host.
        address: u64,
        device_address: u64,
        bytes: u64,
    },
    Delete {
        device_address: u64,
    },
    /// Of OMPT's kind of data operation.
    Other(u8),
}

impl OperationKind {
    /// OMPT's number of the kind of data operation, or that of a kernel.
    pub(super) fn number(self) -> u8 {
        let number = |kind: TargetDataOpKind| kind.raw().0 as u8;
        match self {
            Self::Kernel { .. } => operation_kind::KERNEL,
            Self::Alloc { .. } => number(TargetDataOpKind::Alloc),
            Self::Copy { direction, .. } => direction as u8,
            Self::Delete { .. } => number(TargetDataOpKind::Delete),
            Self::Between { .. } => number(TargetDataOpKind::Transfer),
            Self::Other(number) => number,
        }
    }

    /// The number that stands beside the kind in a record.
    pub(super) fn value(self) -> u64 {
        match self {
            Self::Kernel { teams } => teams.into(),
            Self::Copy { bytes, .. } | Self::Between { bytes } | Self::Alloc { bytes, .. } => bytes,
            Self::Delete { .. } | Self::Other(_) => 0,
        }
    }
}

/// An address and the number of the device it belongs to.
#[derive(Debug, Clone, Copy)]
struct End {
    address: u64,
    device: i32,
}

impl Operation {
    /// The data operation of `event`; `host` is the host's device number.
    pub(crate) fn of_data(event: &TargetDataOpEmi<'_>, host: i32) -> Self {
        let source = End { address: event.src_addr.0, device: event.src_device_num };
        let target = End { address: event.dest_addr.0, device: event.dest_device_num };
        Self::new(event.kind, source, target, event.bytes, event.codeptr_ra.0, host)
    }

    /// The data operation of an event without endpoints.
    pub(crate) fn of_single(event: &TargetDataOp, host: i32) -> Self {
        let source = End { address: event.src_addr.0, device: event.src_device_num };
        let target = End { address: event.dest_addr.0, device: event.dest_device_num };
        Self::new(event.kind, source, target, event.bytes, event.codeptr_ra.0, host)
    }

    fn new(
        kind: TargetDataOpKind,
        source: End,
        target: End,
        bytes: usize,
        code: usize,
        host: i32,
    ) -> Self {
        use TargetDataOpKind as Kind;
        let is_host = |end: End| end.device < 0 || end.device == host;
        let bytes = bytes as u64;
        let to = Self::copy(Direction::To, source, bytes);
        let from = Self::copy(Direction::From, target, bytes);
        let (kind, device) = match kind {
            Kind::TransferToDevice | Kind::TransferToDeviceAsync => (to, target.device),
            Kind::TransferFromDevice | Kind::TransferFromDeviceAsync => (from, source.device),
            Kind::Transfer | Kind::TransferAsync => match (is_host(source), is_host(target)) {
                (true, false) => (to, target.device),
                (false, true) => (from, source.device),
                _ => (OperationKind::Between { bytes }, target.device),
            },
            Kind::Alloc | Kind::AllocAsync => {
                let (address, device_address) = (source.address, target.address);
                (OperationKind::Alloc { address, device_address, bytes }, target.device)
            }
            Kind::Delete | Kind::DeleteAsync => {
                (OperationKind::Delete { device_address: source.address }, source.device)
            }
            other => (OperationKind::Other(other.raw().0 as u8), target.device),
        };
        Self { kind, device: device_number(device), code: code as u64 }
    }

    fn copy(direction: Direction, host: End, bytes: u64) -> OperationKind {
        OperationKind::Copy { direction, address: host.address, bytes }
    }
}

/// The number of a device as the file has it.
pub(crate) fn device_number(number: i32) -> u32 {
    u32::try_from(number).unwrap_or(HOST)
}

#[cfg(test)]
mod tests {
    use ompt::TargetDataOpKind as Kind;
    use ompt::TargetKind;
    use oxomp_trace::offload::{operation_kind, target_kind};

    use super::{Direction, End, Operation, OperationKind};

    const HOST: End = End { address: 64, device: 4 };
    const DEVICE: End = End { address: 4096, device: 1 };

    fn operation(kind: Kind, source: End, target: End) -> (OperationKind, u32) {
        let operation = Operation::new(kind, source, target, 8, 7, 4);
        (operation.kind, operation.device)
    }

    #[test]
    fn a_copy_has_the_hosts_address_and_the_devices_number() {
        let copy = |direction| OperationKind::Copy { direction, address: 64, bytes: 8 };
        let to = (copy(Direction::To), 1);
        let from = (copy(Direction::From), 1);
        assert_eq!(operation(Kind::TransferToDevice, HOST, DEVICE), to);
        assert_eq!(operation(Kind::TransferToDeviceAsync, HOST, DEVICE), to);
        assert_eq!(operation(Kind::Transfer, HOST, DEVICE), to);
        assert_eq!(operation(Kind::Transfer, End { device: -1, ..HOST }, DEVICE), to);
        assert_eq!(operation(Kind::TransferFromDevice, DEVICE, HOST), from);
        assert_eq!(operation(Kind::TransferAsync, DEVICE, HOST), from);
        let between = (OperationKind::Between { bytes: 8 }, 1);
        assert_eq!(operation(Kind::Transfer, End { device: 2, ..DEVICE }, DEVICE), between);
    }

    #[test]
    fn memory_belongs_to_its_device() {
        let alloc = OperationKind::Alloc { address: 64, device_address: 4096, bytes: 8 };
        assert_eq!(operation(Kind::Alloc, HOST, DEVICE), (alloc, 1));
        let none = End { address: 0, device: -1 };
        let delete = OperationKind::Delete { device_address: 4096 };
        assert_eq!(operation(Kind::Delete, DEVICE, none), (delete, 1));
    }

    #[test]
    fn numbers_of_the_file_are_those_of_the_interface() {
        let kinds = [
            (TargetKind::Target, target_kind::TARGET),
            (TargetKind::EnterData, target_kind::ENTER_DATA),
            (TargetKind::ExitData, target_kind::EXIT_DATA),
            (TargetKind::Update, target_kind::UPDATE),
            (TargetKind::TargetNowait, target_kind::TARGET_NOWAIT),
            (TargetKind::EnterDataNowait, target_kind::ENTER_DATA_NOWAIT),
            (TargetKind::ExitDataNowait, target_kind::EXIT_DATA_NOWAIT),
            (TargetKind::UpdateNowait, target_kind::UPDATE_NOWAIT),
        ];
        for (kind, number) in kinds {
            assert_eq!(i64::from(kind.raw().0), i64::from(number), "{kind:?}");
        }
        let operations = [
            (Kind::Alloc, operation_kind::ALLOC),
            (Kind::TransferToDevice, operation_kind::TO_DEVICE),
            (Kind::TransferFromDevice, operation_kind::FROM_DEVICE),
            (Kind::Delete, operation_kind::DELETE),
            (Kind::Transfer, operation_kind::TRANSFER),
        ];
        for (kind, number) in operations {
            assert_eq!(i64::from(kind.raw().0), i64::from(number), "{kind:?}");
        }
    }
}
