//! What the events of all locations refer to.

use std::collections::HashMap;

use super::definitions::{Definitions, UNDEFINED, kind};
use super::record::Record;
use super::role::{Paradigm, Role};
use super::tasks::Names;
use super::teams::TeamNumbers;

/// The type that regions had before they had roles; readers of today ignore it.
const FORMER_TYPE: u8 = 0;
const NO_FLAGS: u32 = 0;

/// A region that threads enter and leave: the same in all processes that execute it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Region {
    pub(super) name: String,
    /// The number of the source file's text, and the line.
    pub(super) place: (u32, u32),
    pub(super) role: Role,
    pub(super) paradigm: Paradigm,
}

/// The definitions, and what is defined by numbers that events name.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) definitions: Definitions,
    regions: HashMap<Region, u32>,
    pub(super) teams: TeamNumbers,
    /// Those of explicit tasks.
    pub(super) tasks: Names,
}

impl Shared {
    /// For an archive in which the communicators below `first_team` are not teams of threads.
    pub(super) fn new(first_team: u32) -> Self {
        Self { teams: TeamNumbers::new(first_team), ..Self::default() }
    }

    /// The number of a source file and line.
    pub(super) fn place(&mut self, line: Option<&(String, u32)>) -> (u32, u32) {
        match line {
            Some((file, line)) => (self.definitions.text(file), *line),
            None => (UNDEFINED, 0),
        }
    }

    /// The number of a region, which is defined at its first use.
    pub(super) fn region(&mut self, region: Region) -> u32 {
        let number = u32::try_from(self.regions.len()).unwrap_or(UNDEFINED);
        if let Some(known) = self.regions.get(&region) {
            return *known;
        }
        let Self { definitions, .. } = self;
        let (name, description) = (definitions.text(&region.name), definitions.text(""));
        let mut record = Record::new(kind::REGION);
        record.number(number).number(name).number(description).byte(FORMER_TYPE);
        record.number(region.place.0).number(region.place.1).number(0).number(name);
        record.byte(region.role as u8).byte(region.paradigm as u8).number(NO_FLAGS);
        definitions.add(&record);
        self.regions.insert(region, number);
        number
    }
}
