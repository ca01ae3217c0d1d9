//! Constructs for devices: their kernels and transfers, and what the host did meanwhile.

use oxomp_trace::offload::{operation_kind, target_kind};
use serde::{Serialize, Serializer};

use super::site::SiteId;
use super::written::{as_one, written_by_name};

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

/// The executions of one construct for a device.
// The thread in the construct waits for each operation.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Construct"))]
pub struct TargetConstruct {
    /// The construct; null if the runtime did not tell.
    #[serde(rename = "place")]
    pub site: Option<SiteId>,
    /// Kind of construct: `target`, `enter data` (the begin of `target data`, too), `exit data`
    /// (its end), `update`, each of them with ` nowait` where the runtime tells, or
    /// `target (kind unknown)`.
    pub kind: TargetKind,
    /// The device's number; null for the host.
    pub device: Option<u32>,
    /// How often it was executed.
    pub calls: u64,
    /// Sum of the times from begin to end on the thread that executed its host part, ns.
    pub time_ns: u64,
    /// The longest time, ns.
    pub longest_ns: u64,
    /// Kernels that it submitted.
    pub kernels: u64,
    /// Least and largest number of teams that the kernels were asked to have.
    #[serde(flatten, serialize_with = "as_one::<AskedTeams, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "AskedTeams"))]
    pub teams: (u32, u32),
    /// The parts of the time; `None` if the runtime does not report the ends of operations.
    #[serde(flatten, serialize_with = "as_one::<TargetParts<Option<u64>>, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "TargetParts<Option<u64>>"))]
    pub parts: Option<TargetParts>,
    /// Bytes that were copied to the device.
    pub to_bytes: u64,
    /// Bytes that were copied from the device.
    pub from_bytes: u64,
    /// Work of the host meanwhile; `None` if no event of the construct was recorded, or if the host
    /// executed it.
    #[serde(flatten, serialize_with = "as_one::<Beside<Option<u64>>, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "Beside<Option<u64>>"))]
    pub beside: Option<Beside>,
    /// Those of the executions that had not ended when the recording did, as where the program was
    /// killed; the numbers above have them as far as they came. Null if all had.
    pub unfinished: Option<Unfinished>,
}

/// Least and largest number of teams that kernels were asked to have.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AskedTeams {
    /// Least number of teams that its kernels were asked to have; 0: the runtime chooses.
    teams_min: u32,
    /// Largest number of teams that its kernels were asked to have; 0: the runtime chooses.
    teams_max: u32,
}

impl From<&(u32, u32)> for AskedTeams {
    fn from(&(teams_min, teams_max): &(u32, u32)) -> Self {
        Self { teams_min, teams_max }
    }
}

/// Executions of a construct that had not ended when the recording did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unfinished {
    /// How many there are.
    pub calls: u64,
    /// Those of them that were in a kernel.
    pub in_kernel: u64,
    /// The longest time that one of them had taken by then, ns.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TargetParts<T = u64> {
    /// Part of the time in kernels, with what it takes to start them, ns; null if the runtime does
    /// not report the ends of operations.
    pub kernel_ns: T,
    /// The longest kernel, ns; null as `kernel_ns`.
    pub longest_kernel_ns: T,
    /// Part of the time in transfers to the device, ns; null as `kernel_ns`.
    pub to_ns: T,
    /// Part of the time in transfers from the device, ns; null as `kernel_ns`.
    pub from_ns: T,
    /// The rest of the time, ns: allocation, release, and the runtime itself; null as `kernel_ns`.
    pub other_ns: T,
}

impl From<&Option<TargetParts>> for TargetParts<Option<u64>> {
    fn from(parts: &Option<TargetParts>) -> Self {
        Self {
            kernel_ns: parts.map(|parts| parts.kernel_ns),
            longest_kernel_ns: parts.map(|parts| parts.longest_kernel_ns),
            to_ns: parts.map(|parts| parts.to_ns),
            from_ns: parts.map(|parts| parts.from_ns),
            other_ns: parts.map(|parts| parts.other_ns),
        }
    }
}

/// Work of the host during a construct, ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Beside<T = u64> {
    /// The part of `time_ns` of which events were recorded, ns; null if there is none.
    pub recorded_ns: T,
    /// The part of `recorded_ns` in which at least one thread of the host worked, ns.
    #[serde(rename = "host_worked_ns")]
    pub worked_ns: T,
}

impl From<&Option<Beside>> for Beside<Option<u64>> {
    fn from(beside: &Option<Beside>) -> Self {
        Self {
            recorded_ns: beside.map(|beside| beside.recorded_ns),
            worked_ns: beside.map(|beside| beside.worked_ns),
        }
    }
}

/// The kind of a construct for a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum TargetKind {
    /// `target`.
    #[default]
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

written_by_name!(TargetKind, Direction);

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Direction {
    /// From the host to a device.
    #[default]
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
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Transfer {
    /// The construct, or the call, that copied; null if the runtime did not tell.
    #[serde(rename = "place")]
    pub site: Option<SiteId>,
    /// `to device`, `from device` or `between devices`.
    pub direction: Direction,
    /// The device's number; null for the host.
    pub device: Option<u32>,
    /// Number of transfers.
    pub count: u64,
    /// Bytes of all of them.
    pub bytes: u64,
    /// Sum of their times, ns; null if the runtime does not report their ends.
    pub time_ns: Option<u64>,
    /// The longest, ns; null as `time_ns`.
    pub longest_ns: Option<u64>,
    /// Number of small ones, of at most 65536 bytes: starting them takes most of their time.
    // `Transfer::SMALL_BYTES`.
    pub small: u64,
    /// Bytes of the small ones.
    pub small_bytes: u64,
    /// Sum of the times of the small ones, ns; null as `time_ns`.
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
/// too. An enclosing `target data` saves the transfers if the host does not change the data in
/// between, or, from the device, does not read them; no event tells whether it does. Data without a
/// name are identified by their address, which changes from run to run.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Repeated"))]
pub struct RepeatedTransfer {
    /// The construct that copied; null if the runtime did not tell.
    #[serde(rename = "place")]
    pub site: Option<SiteId>,
    /// The construct that copied the same data before or after, the last time; null if unknown.
    pub other: Option<SiteId>,
    /// `to device` or `from device`.
    pub direction: Direction,
    /// The device's number; null for the host.
    pub device: Option<u32>,
    /// The host address; null for many that are not told apart.
    // These have 0.
    #[serde(serialize_with = "unless_zero")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<u64>"))]
    pub address: u64,
    /// The variable, where it is one of static storage; null otherwise.
    pub variable: Option<String>,
    /// Bytes of one transfer, the last.
    pub size: u64,
    /// Number of the transfers that would be saved.
    pub count: u64,
    /// Bytes of all of them.
    pub bytes: u64,
    /// Sum of their times, and of the times in which memory on the device was allocated and freed
    /// for them, ns: an upper bound of what saving them wins; null if the runtime does not report
    /// the ends of transfers.
    pub time_ns: Option<u64>,
}

fn unless_zero<S: Serializer>(address: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    Some(address).filter(|address| **address != 0).serialize(serializer)
}

/// Constructs for devices and work of the host, as far as events were recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Overlap {
    /// Time in which at least one construct was under way, ns.
    pub constructs_ns: u64,
    /// Part of `constructs_ns` in which at least one thread of the host worked, ns.
    pub both_ns: u64,
    /// Time between the first construct's begin and the last one's end in which no construct was
    /// under way and at least one thread of the host worked, ns.
    pub host_ns: u64,
}
