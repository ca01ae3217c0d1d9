//! Constructs that concern a device (OpenMP 5.2 §5.8, §13): what they do with their list items, one
//! step a file, and the queue that they put operations into.

mod arguments;
mod attach;
mod begin;
mod cleanup;
mod counted;
mod data;
mod end;
mod kernel;
mod observed;
mod pending;
mod refused;
mod sections;
mod transfer;
mod update;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::device::TargetDevice;
use crate::item::MapItem;
use crate::location::Location;
use crate::mapping::{CountKind, Match, Shared};
use crate::offload::Offload;
use crate::plugin::Queue;
use crate::report::Mistake;
use crate::tool::{Mapping, Scope};

use self::cleanup::Cleanup;
use self::counted::Counted;

pub use data::{DataConstruct, data};
pub use kernel::{TargetRegion, target};
pub use pending::query;

/// A construct on a device.
#[derive(Debug)]
pub struct Construct<'a> {
    device: &'static TargetDevice,
    location: Location<'a>,
    is_memory_unified: bool,
    queue: Box<dyn Queue>,
    cleanup: Cleanup,
    /// The construct's number among all constructs of the process.
    number: u64,
    /// The entries whose data this construct brings.
    filling: Vec<Arc<Shared>>,
    /// The entries whose data other constructs bring.
    awaited: Vec<Arc<Shared>>,
    /// The entries to which the construct has taken a reference.
    counted: Counted,
    /// The items that attach pointers; they come after all others.
    attaches: Vec<MapItem>,
    /// What the tool is to be told of the items; `None` if no tool is to be told, or it has been
    /// told already.
    mappings: Option<Vec<Mapping>>,
    /// The construct as the tool sees it.
    scope: Scope,
}

/// A number that no other construct has; never 0.
fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    // Relaxed: only the difference counts.
    NEXT.fetch_add(1, Relaxed)
}

/// The host memory of an item.
fn memory(item: &MapItem) -> Range<usize> {
    item.begin..item.begin.saturating_add(item.bytes)
}

fn count_kind(item: &MapItem) -> CountKind {
    if item.map_type.is_hold() { CountKind::Hold } else { CountKind::Dynamic }
}

/// The entry that serves an item: for an implicit mapping an entry with a part of the item is
/// enough (OpenMP 5.2 §5.8.3).
fn serving(found: Match, item: &MapItem) -> Option<usize> {
    match found {
        Match::Within(key) => Some(key),
        Match::Partly(key) if item.map_type.is_implicit() => Some(key),
        Match::Partly(_) | Match::Absent => None,
    }
}

impl<'a> Construct<'a> {
    /// A construct at `location` on `device`, which tools see as `scope`.
    pub(crate) fn new(
        offload: &Offload,
        device: &'static TargetDevice,
        location: Location<'a>,
        scope: Scope,
    ) -> Result<Self, Mistake> {
        let queue = device.device.queue()?;
        Ok(Self {
            device,
            location,
            is_memory_unified: offload.is_memory_unified(),
            queue,
            cleanup: Cleanup::default(),
            number: next_number(),
            filling: Vec::new(),
            awaited: Vec::new(),
            counted: Counted::default(),
            attaches: Vec::new(),
            mappings: scope.is_observed().then(Vec::new),
            scope,
        })
    }
}
