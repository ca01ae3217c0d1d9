//! Constructs that only move data: target data, target enter data, target exit data, target update.

use super::Construct;
use crate::info;
use crate::item::MapItem;
use crate::location::Location;
use crate::offload::{Destination, Offload};
use crate::policy;
use crate::report::Mistake;
use crate::tool;
use crate::tool::{Region, Scope};

/// What a construct does with its items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataConstruct {
    /// The begin of target data, and target enter data.
    Begin,
    /// The end of target data, and target exit data.
    End,
    /// target update.
    Update,
}

impl DataConstruct {
    fn construct(self, items: &[MapItem]) -> tool::ConstructKind {
        let region = || Region {
            arrays: items.first().map_or(0, MapItem::array),
            is_certain: items.iter().any(|it| it.map_type.is_from() || it.map_type.is_returned()),
        };
        match self {
            Self::Begin => tool::ConstructKind::EnterData(region()),
            Self::End => tool::ConstructKind::ExitData(region()),
            Self::Update => tool::ConstructKind::Update,
        }
    }

    fn heading(self) -> &'static str {
        match self {
            // "being_mapper" is LLVM's spelling, for which scripts look.
            Self::Begin => "Entering OpenMP data region with being_mapper",
            Self::End => "Exiting OpenMP data region with end_mapper",
            Self::Update => "Updating OpenMP data",
        }
    }
}

/// Executes a construct on the device `number`. A mistake ends the program.
pub fn data(
    offload: &Offload,
    kind: DataConstruct,
    location: Location<'_>,
    number: i64,
    items: &[MapItem],
    is_nowait: bool,
) {
    let device = match offload.destination(number) {
        Ok(Destination::Host) => None,
        Ok(Destination::Device(device)) => Some(device),
        Err(mistake) => policy::fail(None, &mistake, &location),
    };
    let executor = offload.executor(device);
    let scope = Scope::construct(|| kind.construct(items), is_nowait, executor, location.site());
    let Some(device) = device else { return };
    info::construct(device, kind.heading(), items, &location);
    let execute = || -> Result<(), Mistake> {
        let mut construct = Construct::new(offload, device, location, scope)?;
        match kind {
            DataConstruct::Begin => construct.begin(items)?,
            DataConstruct::End => {
                construct.end(items)?;
                construct.tell_mappings();
            }
            DataConstruct::Update => construct.update(items)?,
        }
        if is_nowait {
            construct.finish_later()?
        } else {
            construct.finish()?
        }
        info::table_after(device, &location);
        Ok(())
    };
    if let Err(mistake) = execute() {
        policy::fail(Some(device), &mistake, &location);
    }
}
