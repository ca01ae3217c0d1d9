//! Groups of locations, and communicators: sets of threads or processes in one paradigm.

use super::definitions::{Definitions, UNDEFINED, kind};
use super::record::Record;
use super::role::Paradigm;

/// Types of groups: all locations of a paradigm, and a part of them.
const ALL_LOCATIONS: u8 = 4;
const SOME_LOCATIONS: u8 = 5;
/// The type that groups had in the first version; readers of today ignore it.
const FORMER_TYPE: u8 = 0;
const NO_FLAGS: u32 = 0;

/// The groups that are defined so far.
#[derive(Debug, Default)]
pub(super) struct Groups {
    count: u32,
}

impl Groups {
    /// Defines the group of all `locations` of a paradigm, which are defined.
    pub(super) fn all(
        &mut self,
        paradigm: Paradigm,
        name: &str,
        locations: &[u64],
        definitions: &mut Definitions,
    ) {
        self.group((paradigm, ALL_LOCATIONS), name, locations, definitions);
    }

    /// Defines a communicator of that number, of these positions in the group of all.
    pub(super) fn communicator(
        &mut self,
        (paradigm, number): (Paradigm, u32),
        name: &str,
        members: &[u64],
        definitions: &mut Definitions,
    ) {
        let group = self.group((paradigm, SOME_LOCATIONS), name, members, definitions);
        let name = definitions.text(name);
        let mut communicator = Record::new(kind::COMMUNICATOR);
        communicator.number(number).number(name).number(group).number(UNDEFINED).number(NO_FLAGS);
        definitions.add(&communicator);
    }

    fn group(
        &mut self,
        (paradigm, group_type): (Paradigm, u8),
        name: &str,
        members: &[u64],
        definitions: &mut Definitions,
    ) -> u32 {
        let number = self.count;
        self.count += 1;
        let mut group = Record::new(kind::GROUP);
        group.number(number).number(definitions.text(name)).byte(FORMER_TYPE);
        group.number(u32::try_from(members.len()).unwrap_or(UNDEFINED));
        for member in members {
            group.long(*member);
        }
        group.byte(group_type).byte(paradigm as u8).number(NO_FLAGS);
        definitions.add(&group);
        number
    }
}
