//! Constructs for devices: their kernels and transfers, and what the host did meanwhile.

use oxomp_trace::offload::{operation_kind, target_kind};

use super::site::SiteId;

/// Everything about devices; empty if the program used no device.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Offload {
    /// Constructs by place, kind and device, by time, largest first.
    pub constructs: Vec<TargetConstruct>,
    /// Transfers by place, direction and device, by time, largest first.
    pub transfers: Vec<Transfer>,
    /// Data that were copied again, by time, largest first.
    pub repeated: Vec<RepeatedTransfer>,
    /// The work of the host beside the constructs that a device executed; `None` if none of these
    /// was recorded.
    pub overlap: Option<Overlap>,
}

impl Offload {
    /// Whether events of all constructs for devices were recorded, but for a small part of their
    /// time: the overlap is of the recorded ones.
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        let add = |sum: u64, ns: u64| sum.saturating_add(ns);
        let of_devices = || self.constructs.iter().filter(|one| one.device.is_some());
        let all = of_devices().map(|one| one.time_ns).fold(0, add);
        let beside = of_devices().filter_map(|one| one.beside);
        beside.map(|one| one.recorded_ns).fold(0, add) >= all - all / 20
    }

    /// Whether the program used no device.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.constructs.is_empty() && self.transfers.is_empty()
    }
}

/// The executions of one construct for a device. The times are of the thread that executed its host
/// part; this thread waits for each operation.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetConstruct {
    /// The construct; `None` if the runtime did not tell.
    pub site: Option<SiteId>,
    /// The kind of construct.
    pub kind: TargetKind,
    /// The device's number; `None` for the host.
    pub device: Option<u32>,
    /// How often it was executed.
    pub calls: u64,
    /// Sum of the times from begin to end, ns.
    pub time_ns: u64,
    /// The longest time, ns.
    pub longest_ns: u64,
    /// Kernels that it submitted.
    pub kernels: u64,
    /// The parts of the time; `None` if the runtime does not report the ends of operations.
    pub parts: Option<TargetParts>,
    /// Bytes that were copied to the device.
    pub to_bytes: u64,
    /// Bytes that were copied from the device.
    pub from_bytes: u64,
    /// Least and largest number of teams that the kernels were asked to have; 0: the runtime
    /// chooses.
    pub teams: (u32, u32),
    /// The recorded part of the time, and of it the part in which at least one thread of the host
    /// worked; `None` if no event of the construct was recorded, or if the host executed it.
    pub beside: Option<Beside>,
    /// The executions that had not ended when the recording did, for instance because the program
    /// was killed. The other numbers include what these had done by then; `None` if all had ended.
    pub unfinished: Option<Unfinished>,
}

/// Executions of a construct that had not ended when the recording did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unfinished {
    /// How many there are.
    pub calls: u64,
    /// The executions that were in a kernel.
    pub in_kernel: u64,
    /// The longest time that one of the executions had taken by then, ns.
    pub longest_ns: u64,
}

impl TargetConstruct {
    /// Mean time of an execution, ns.
    #[must_use]
    pub fn mean_ns(&self) -> u64 {
        self.time_ns / self.calls.max(1)
    }

    /// Mean time of a kernel, ns; `None` if it is not known, or if no kernel ran.
    #[must_use]
    pub fn mean_kernel_ns(&self) -> Option<u64> {
        self.parts?.kernel_ns.checked_div(self.kernels)
    }

    /// Estimate of the time in which the encountering thread waited while no thread of the host
    /// worked, ns: the time in the recorded part, scaled up to the construct's whole time.
    #[must_use]
    pub fn alone_ns(&self) -> Option<u64> {
        let Beside { recorded_ns, worked_ns } = self.beside.filter(|one| one.recorded_ns > 0)?;
        let alone = 1.0 - worked_ns as f64 / recorded_ns as f64;
        Some((self.time_ns as f64 * alone) as u64)
    }
}

/// What a construct's time was spent for, ns: the sum is at most the construct's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetParts {
    /// Kernels, with what it takes to start them.
    pub kernel_ns: u64,
    /// The longest kernel.
    pub longest_kernel_ns: u64,
    /// Transfers to the device.
    pub to_ns: u64,
    /// Transfers from the device.
    pub from_ns: u64,
    /// The rest: allocation, release, and the runtime itself.
    pub other_ns: u64,
}

/// Work of the host during a construct, ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beside {
    /// The part of the construct's time with recorded events.
    pub recorded_ns: u64,
    /// The part of this time in which at least one thread of the host worked.
    pub worked_ns: u64,
}

/// The kind of a construct for a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TargetKind {
    /// `target`.
    Target,
    /// `target enter data`, or the begin of `target data`.
    EnterData,
    /// `target exit data`, or the end of `target data`.
    ExitData,
    /// `target update`.
    Update,
    /// `target nowait`.
    TargetNowait,
    /// `target enter data nowait`.
    EnterDataNowait,
    /// `target exit data nowait`.
    ExitDataNowait,
    /// `target update nowait`.
    UpdateNowait,
    /// A number this version does not know.
    Other(u8),
}

impl TargetKind {
    /// The kind of OMPT's number.
    #[must_use]
    pub fn of_number(number: u8) -> Self {
        match number {
            target_kind::TARGET => Self::Target,
            target_kind::ENTER_DATA => Self::EnterData,
            target_kind::EXIT_DATA => Self::ExitData,
            target_kind::UPDATE => Self::Update,
            target_kind::TARGET_NOWAIT => Self::TargetNowait,
            target_kind::ENTER_DATA_NOWAIT => Self::EnterDataNowait,
            target_kind::EXIT_DATA_NOWAIT => Self::ExitDataNowait,
            target_kind::UPDATE_NOWAIT => Self::UpdateNowait,
            other => Self::Other(other),
        }
    }

    /// In the words of the directive.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Target => "target",
            Self::EnterData => "enter data",
            Self::ExitData => "exit data",
            Self::Update => "update",
            Self::TargetNowait => "target nowait",
            Self::EnterDataNowait => "enter data nowait",
            Self::ExitDataNowait => "exit data nowait",
            Self::UpdateNowait => "update nowait",
            Self::Other(_) => "target (kind unknown)",
        }
    }

    /// Whether its thread waits until the device is done.
    #[must_use]
    pub fn waits(self) -> bool {
        matches!(self, Self::Target | Self::EnterData | Self::ExitData | Self::Update)
    }
}

/// The way of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// From the host to a device.
    To,
    /// From a device to the host.
    From,
    /// From one device to another.
    Between,
}

impl Direction {
    /// The direction of OMPT's kind of data operation.
    #[must_use]
    pub fn of_number(number: u8) -> Self {
        match number {
            operation_kind::TO_DEVICE => Self::To,
            operation_kind::FROM_DEVICE => Self::From,
            _ => Self::Between,
        }
    }

    /// The direction in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::To => "to device",
            Self::From => "from device",
            Self::Between => "between devices",
        }
    }
}

/// The transfers of one place.
#[derive(Debug, Clone, PartialEq)]
pub struct Transfer {
    /// The construct, or the call, that copied; `None` if the runtime did not tell.
    pub site: Option<SiteId>,
    /// The way.
    pub direction: Direction,
    /// The device's number; `None` for the host.
    pub device: Option<u32>,
    /// Number of transfers.
    pub count: u64,
    /// Bytes of all of them.
    pub bytes: u64,
    /// Sum of their times, ns; `None` if the runtime does not report their ends.
    pub time_ns: Option<u64>,
    /// The longest, ns.
    pub longest_ns: Option<u64>,
    /// Transfers of at most [`Transfer::SMALL_BYTES`]: they take time to start rather than to copy.
    pub small: u64,
    /// Bytes of the small ones.
    pub small_bytes: u64,
    /// Sum of the times of the small ones, ns.
    pub small_ns: Option<u64>,
}

impl Transfer {
    /// The most bytes of a small transfer.
    pub const SMALL_BYTES: u64 = oxomp_trace::fold::transfer::SMALL_BYTES;

    /// Bytes per nanosecond, which is GB/s, of the transfers that are not small; `None` if all are
    /// small.
    #[must_use]
    pub fn bandwidth(&self) -> Option<f64> {
        let time = self.time_ns?.saturating_sub(self.small_ns?);
        let bytes = self.bytes.saturating_sub(self.small_bytes);
        (time > 0 && bytes > 0).then(|| bytes as f64 / time as f64)
    }
}

/// Data of one host address that a place copied although a transfer before or after copied them
/// too. An enclosing `target data` saves the transfer if the host does not change the data in
/// between, or, for data copied from the device, does not read them. No event tells whether the
/// host does.
#[derive(Debug, Clone, PartialEq)]
pub struct RepeatedTransfer {
    /// The construct that copied; `None` if the runtime did not tell.
    pub site: Option<SiteId>,
    /// The construct that copied the same data before or after, the last time.
    pub other: Option<SiteId>,
    /// The way.
    pub direction: Direction,
    /// The device's number; `None` for the host.
    pub device: Option<u32>,
    /// The host address; 0 for many, which are not told apart.
    pub address: u64,
    /// The name of the variable, where it is one of static storage.
    pub variable: Option<String>,
    /// Bytes of one transfer, the last.
    pub size: u64,
    /// Number of the transfers that would be saved.
    pub count: u64,
    /// Bytes of all of them.
    pub bytes: u64,
    /// Sum of their times, and of the times in which memory on the device was allocated and freed
    /// for them, ns; `None` if the runtime does not report the ends of transfers.
    pub time_ns: Option<u64>,
}

/// When constructs for devices were under way, and when threads of the host worked, as far as
/// events were recorded, ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// At least one construct was under way.
    pub constructs_ns: u64,
    /// The part of this time in which at least one thread of the host worked.
    pub both_ns: u64,
    /// From the first construct's begin to the last one's end, a thread of the host worked, and no
    /// construct was under way.
    pub host_ns: u64,
}
