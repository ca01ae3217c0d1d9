//! Constructs for devices, their kernels and transfers, in the document.

use oxomp_analysis::summary;
use serde::Serialize;

use super::places::{Place, Places};

/// Constructs for devices, what they copied, and what the host did meanwhile. The times of kernels
/// and transfers are those for which the thread in the construct waited.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Offload {
    /// Constructs by place, kind and device, by time, largest first.
    constructs: Vec<Construct>,
    /// Transfers by place, direction and device, by time, largest first.
    transfers: Vec<Transfer>,
    /// Data that were copied although another transfer copied them too, by time, largest first.
    repeated: Vec<Repeated>,
    /// Work of the host beside the constructs; null if no construct was recorded.
    overlap: Option<Overlap>,
}

/// The executions of one construct for a device.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Construct {
    /// Identifies the row, in every run of the same binary.
    id: String,
    /// The construct; null if the runtime did not tell.
    place: Option<Place>,
    /// Kind of construct: `target`, `enter data` (the begin of `target data`, too), `exit data`
    /// (its end), `update`, each of them with ` nowait` where the runtime tells, or
    /// `target (kind unknown)`.
    kind: &'static str,
    /// The device's number; null for the host.
    device: Option<u32>,
    /// How often it was executed.
    calls: u64,
    /// Sum of the times from begin to end on the thread that executed its host part, ns.
    time_ns: u64,
    /// The longest time, ns.
    longest_ns: u64,
    /// Kernels that it submitted.
    kernels: u64,
    /// Least number of teams that its kernels were asked to have; 0: the runtime chooses.
    teams_min: u32,
    /// Largest number of teams that its kernels were asked to have; 0: the runtime chooses.
    teams_max: u32,
    /// Part of the time in kernels, with what it takes to start them, ns; null if the runtime does
    /// not report the ends of operations.
    kernel_ns: Option<u64>,
    /// The longest kernel, ns; null as `kernel_ns`.
    longest_kernel_ns: Option<u64>,
    /// Part of the time in transfers to the device, ns; null as `kernel_ns`.
    to_ns: Option<u64>,
    /// Part of the time in transfers from the device, ns; null as `kernel_ns`.
    from_ns: Option<u64>,
    /// The rest of the time, ns: allocation, release, and the runtime itself; null as `kernel_ns`.
    other_ns: Option<u64>,
    /// Bytes that were copied to the device.
    to_bytes: u64,
    /// Bytes that were copied from the device.
    from_bytes: u64,
    /// The part of `time_ns` of which events were recorded, ns; null if there is none.
    recorded_ns: Option<u64>,
    /// The part of `recorded_ns` in which at least one thread of the host worked, ns.
    host_worked_ns: Option<u64>,
    /// Those of the executions that had not ended when the recording did, as where the program was
    /// killed; the numbers above have them as far as they came. Null if all had.
    unfinished: Option<Unfinished>,
}

/// Executions of a construct that had not ended when the recording did.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Unfinished {
    /// How many there are.
    calls: u64,
    /// Those of them that were in a kernel.
    in_kernel: u64,
    /// The longest time that one of them had taken by then, ns.
    longest_ns: u64,
}

/// The transfers of one place.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Transfer {
    /// Identifies the row, in every run of the same binary.
    id: String,
    /// The construct, or the call, that copied; null if the runtime did not tell.
    place: Option<Place>,
    /// `to device`, `from device` or `between devices`.
    direction: &'static str,
    /// The device's number; null for the host.
    device: Option<u32>,
    /// Number of transfers.
    count: u64,
    /// Bytes of all of them.
    bytes: u64,
    /// Sum of their times, ns; null if the runtime does not report their ends.
    time_ns: Option<u64>,
    /// The longest, ns; null as `time_ns`.
    longest_ns: Option<u64>,
    /// Number of small ones, of at most 65536 bytes: starting them takes most of their time.
    small: u64,
    /// Bytes of the small ones.
    small_bytes: u64,
    /// Sum of the times of the small ones, ns; null as `time_ns`.
    small_ns: Option<u64>,
    /// Bandwidth of those that are not small, in bytes per nanosecond, which is GB/s; null if there
    /// is none, or as `time_ns`.
    bandwidth: Option<f64>,
}

/// Data of one host address that a place copied although a transfer before or after copied them
/// too. An enclosing `target data` saves the transfers if the host does not change the data in
/// between, or, from the device, does not read them; no event tells whether it does.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Repeated {
    /// Identifies the row, in every run in which the data have the same address.
    id: String,
    /// The construct that copied; null if the runtime did not tell.
    place: Option<Place>,
    /// The construct that copied the same data before or after, the last time; null if unknown.
    other: Option<Place>,
    /// `to device` or `from device`.
    direction: &'static str,
    /// The device's number; null for the host.
    device: Option<u32>,
    /// The host address; null for many that are not told apart.
    address: Option<u64>,
    /// The variable, where it is one of static storage; null otherwise.
    variable: Option<String>,
    /// Bytes of one transfer, the last.
    size: u64,
    /// Number of the transfers that would be saved.
    count: u64,
    /// Bytes of all of them.
    bytes: u64,
    /// Sum of their times, and of the times in which memory on the device was allocated and freed
    /// for them, ns: an upper bound of what saving them wins; null if the runtime does not report
    /// the ends of transfers.
    time_ns: Option<u64>,
}

/// Constructs for devices and work of the host, as far as events were recorded.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Overlap {
    /// Time in which at least one construct was under way, ns.
    constructs_ns: u64,
    /// Part of `constructs_ns` in which at least one thread of the host worked, ns.
    both_ns: u64,
    /// Time between the first construct's begin and the last one's end in which no construct was
    /// under way and at least one thread of the host worked, ns.
    host_ns: u64,
}

impl Offload {
    /// `None` for a program that used no device.
    pub(super) fn new(offload: &summary::Offload, places: &mut Places<'_>) -> Option<Self> {
        if offload.is_empty() {
            return None;
        }
        let overlap = offload.overlap.map(|it| Overlap {
            constructs_ns: it.constructs_ns,
            both_ns: it.both_ns,
            host_ns: it.host_ns,
        });
        Some(Self {
            constructs: offload.constructs.iter().map(|it| Construct::new(it, places)).collect(),
            transfers: offload.transfers.iter().map(|it| Transfer::new(it, places)).collect(),
            repeated: offload.repeated.iter().map(|it| Repeated::new(it, places)).collect(),
            overlap,
        })
    }
}

/// A device as a part of an id.
fn device_id(device: Option<u32>) -> String {
    device.map_or_else(|| "host".to_owned(), |number| number.to_string())
}

impl Construct {
    fn new(it: &summary::TargetConstruct, places: &mut Places<'_>) -> Self {
        let (site, kind) = (places.id_of(it.site), it.kind.name());
        Self {
            id: places.id(&["target", &site, kind, &device_id(it.device)]),
            place: places.place(it.site),
            kind,
            device: it.device,
            calls: it.calls,
            time_ns: it.time_ns,
            longest_ns: it.longest_ns,
            kernels: it.kernels,
            teams_min: it.teams.0,
            teams_max: it.teams.1,
            kernel_ns: it.parts.map(|parts| parts.kernel_ns),
            longest_kernel_ns: it.parts.map(|parts| parts.longest_kernel_ns),
            to_ns: it.parts.map(|parts| parts.to_ns),
            from_ns: it.parts.map(|parts| parts.from_ns),
            other_ns: it.parts.map(|parts| parts.other_ns),
            to_bytes: it.to_bytes,
            from_bytes: it.from_bytes,
            recorded_ns: it.beside.map(|beside| beside.recorded_ns),
            host_worked_ns: it.beside.map(|beside| beside.worked_ns),
            unfinished: it.unfinished.map(|it| Unfinished {
                calls: it.calls,
                in_kernel: it.in_kernel,
                longest_ns: it.longest_ns,
            }),
        }
    }
}

impl Transfer {
    fn new(it: &summary::Transfer, places: &mut Places<'_>) -> Self {
        let (site, direction) = (places.id_of(it.site), it.direction.name());
        Self {
            id: places.id(&["transfer", &site, direction, &device_id(it.device)]),
            place: places.place(it.site),
            direction,
            device: it.device,
            count: it.count,
            bytes: it.bytes,
            time_ns: it.time_ns,
            longest_ns: it.longest_ns,
            small: it.small,
            small_bytes: it.small_bytes,
            small_ns: it.small_ns,
            bandwidth: it.bandwidth(),
        }
    }
}

impl Repeated {
    fn new(it: &summary::RepeatedTransfer, places: &mut Places<'_>) -> Self {
        let (site, direction) = (places.id_of(it.site), it.direction.name());
        let data = it.variable.clone().unwrap_or_else(|| format!("{:#x}", it.address));
        Self {
            id: places.id(&["repeated", &site, direction, &data]),
            place: places.place(it.site),
            other: places.place(it.other),
            direction,
            device: it.device,
            address: Some(it.address).filter(|address| *address != 0),
            variable: it.variable.clone(),
            size: it.size,
            count: it.count,
            bytes: it.bytes,
            time_ns: it.time_ns,
        }
    }
}
