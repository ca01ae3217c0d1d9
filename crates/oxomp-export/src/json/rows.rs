//! Rows of the summary in the document, with ids, and with what a row says besides.

use oxomp_analysis::Analysis;
use oxomp_analysis::report::spare_ns;
use oxomp_analysis::summary::{
    self, Barrier, Loop, MpiCalls, Mutex, RepeatedTransfer, SerialStretch, TargetConstruct,
    TaskChain, TaskConstruct, Tasking, Transfer, Unreached, Worksharing,
};
use serde::Serialize;

use super::places::Places;

// No comment of three slashes: the schema has the comment of the row itself.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "{T}"))]
pub(super) struct Row<'a, T> {
    /// Identifies the row, in every run of the same binary.
    id: String,
    #[serde(flatten)]
    row: &'a T,
}

impl<'a, T: Identified> Row<'a, T> {
    /// Each of `rows` with its id.
    pub(super) fn all(rows: &'a [T], places: &mut Places<'_>) -> Vec<Self> {
        rows.iter().map(|row| Self { id: places.unique(row.id(places)), row }).collect()
    }
}

/// A row of the summary that has an id.
pub(super) trait Identified {
    /// The same id in every run of the same binary; rows with the same one are numbered.
    fn id(&self, places: &Places<'_>) -> String;
}

/// Gives rows their ids: the name of the table, then what tells the rows apart.
macro_rules! identified {
    ($($row:ty: $table:literal, |$it:ident, $places:ident| [$($part:expr),+];)+) => {
        $(impl Identified for $row {
            fn id(&self, $places: &Places<'_>) -> String {
                let $it = self;
                [$table.to_owned(), $($part.into()),+].join("/")
            }
        })+
    };
}

identified! {
    summary::Region: "region", |it, places| [places.id_of(it.site)];
    Loop: "loop", |it, places| [places.id_of(it.region), places.id_of(it.site), it.kind.name()];
    TaskConstruct: "task", |it, places| [places.id_of(it.region), places.id_of(it.site)];
    TaskChain: "chain", |it, places| [places.id_of(it.region)];
    Barrier: "barrier",
        |it, places| [places.id_of(it.region), places.id_of(it.site), it.kind.name()];
    Unreached: "unreached", |it, places| [places.id_of(it.region), places.id_of(it.site)];
    Mutex: "lock", |it, places| [places.id_of(it.site), it.kind.name()];
    SerialStretch: "serial", |it, places| [places.id_of_end(it.after), places.id_of_end(it.before)];
    MpiCalls: "mpi", |it, places| [places.id_of(it.region), it.function.clone()];
    TargetConstruct: "target",
        |it, places| [places.id_of(it.site), it.kind.name(), device(it.device)];
    Transfer: "transfer",
        |it, places| [places.id_of(it.site), it.direction.name(), device(it.device)];
    RepeatedTransfer: "repeated",
        |it, places| [places.id_of(it.site), it.direction.name(), data(it)];
}

fn device(device: Option<u32>) -> String {
    device.map_or_else(|| "host".to_owned(), |number| number.to_string())
}

fn data(it: &RepeatedTransfer) -> String {
    it.variable.clone().unwrap_or_else(|| format!("{:#x}", it.address))
}

/// All instances of one parallel construct.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Region<'a> {
    /// Identifies the row, in every run of the same binary.
    id: String,
    #[serde(flatten)]
    row: &'a summary::Region,
    /// For how long threads of the program's largest team idle beside smaller teams of the region,
    /// divided by the size of that team, ns; 0 where which threads idle is not known.
    spare_ns: u64,
    /// What is lost in wall time, by cause: upper bounds of what could be won where `bounds.hold`.
    gain: Gain<'a>,
    /// The worksharing constructs in it, by executions, most first.
    worksharing: &'a [Worksharing],
    /// When explicit tasks ran in the instances whose events were recorded; null if none of these
    /// has tasks.
    tasking: Option<&'a Tasking>,
}

/// What is lost in wall time: the lost time of the team's threads divided by their number. Where
/// `bounds.hold`, upper bounds of what a change wins that takes waiting away and no work.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Gain<'a> {
    /// All parts together, ns.
    total_ns: u64,
    #[serde(flatten)]
    parts: &'a summary::Gain,
}

impl<'a> Region<'a> {
    pub(super) fn all(analysis: &'a Analysis, places: &mut Places<'_>) -> Vec<Self> {
        let summary = &analysis.summary;
        let regions = summary.regions.iter().map(|row| Self {
            id: places.unique(row.id(places)),
            row,
            spare_ns: spare_ns(row, summary),
            gain: Gain { total_ns: row.gain.total_ns(), parts: &row.gain },
            worksharing: &row.worksharing,
            tasking: row.tasking.as_ref(),
        });
        regions.collect()
    }
}

/// Constructs for devices, what they copied, and what the host did meanwhile. The times of kernels
/// and transfers are those for which the thread in the construct waited.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Offload<'a> {
    /// Constructs by place, kind and device, by time, largest first.
    constructs: Vec<Row<'a, TargetConstruct>>,
    /// Transfers by place, direction and device, by time, largest first.
    transfers: Vec<TransferRow<'a>>,
    /// Data that were copied although another transfer copied them too, by time, largest first.
    repeated: Vec<Row<'a, RepeatedTransfer>>,
    /// Work of the host beside the constructs; null if no construct was recorded.
    overlap: Option<summary::Overlap>,
}

/// The transfers of one place.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Transfer"))]
struct TransferRow<'a> {
    #[serde(flatten)]
    row: Row<'a, Transfer>,
    /// Bandwidth of those that are not small, in bytes per nanosecond, which is GB/s; null if there
    /// is none, or as `time_ns`.
    bandwidth: Option<f64>,
}

impl<'a> Offload<'a> {
    /// `None` for a program that used no device.
    pub(super) fn new(offload: &'a summary::Offload, places: &mut Places<'_>) -> Option<Self> {
        if offload.is_empty() {
            return None;
        }
        let transfers = Row::all(&offload.transfers, places).into_iter();
        Some(Self {
            constructs: Row::all(&offload.constructs, places),
            transfers: transfers
                .map(|row| TransferRow { bandwidth: row.row.bandwidth(), row })
                .collect(),
            repeated: Row::all(&offload.repeated, places),
            overlap: offload.overlap,
        })
    }
}
