//! The regions that threads enter and leave: one for each construct and activity at a place.

use std::collections::HashMap;

use oxomp_analysis::Analysis;

use super::definitions::{Definitions, UNDEFINED, kind};
use super::record::Record;
use super::role::{Paradigm, Role};
use super::stays::Stay;
use crate::timeline::{Namer, Slice, what};

/// The type that regions had before they had roles; readers of today ignore it.
const FORMER_TYPE: u8 = 0;
const NO_FLAGS: u32 = 0;

/// The numbers of regions that are defined.
#[derive(Debug)]
pub(super) struct Regions<'a> {
    analysis: &'a Analysis,
    namer: Namer<'a>,
    numbers: HashMap<(&'static str, Option<u64>, Role), u32>,
}

impl<'a> Regions<'a> {
    pub(super) fn new(analysis: &'a Analysis) -> Self {
        Self { analysis, namer: Namer::new(analysis), numbers: HashMap::new() }
    }

    /// The number of the region of a slice, which is defined at its first use.
    pub(super) fn of_slice(&mut self, slice: &Slice, definitions: &mut Definitions) -> u32 {
        let (role, code) = (Role::of(slice, self.analysis), Namer::code(slice, self.analysis));
        let key = (what(slice, self.analysis), code, role);
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let name = self.namer.name(slice, self.analysis);
        self.define(key, &name, Paradigm::of(slice, role), definitions)
    }

    /// The number of the region of a stay in a barrier.
    pub(super) fn of_stay(&mut self, stay: Stay, definitions: &mut Definitions) -> u32 {
        let (what, role) = match stay.is_explicit {
            true => ("barrier", Role::Barrier),
            false => ("implicit barrier", Role::ImplicitBarrier),
        };
        let key = (what, stay.code, role);
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let name = match self.namer.label(stay.code) {
            "" => what.to_owned(),
            place => format!("{what} {place}"),
        };
        self.define(key, &name, Paradigm::OpenMp, definitions)
    }

    fn define(
        &mut self,
        key: (&'static str, Option<u64>, Role),
        name: &str,
        paradigm: Paradigm,
        definitions: &mut Definitions,
    ) -> u32 {
        let (_, code, role) = key;
        let number = u32::try_from(self.numbers.len()).unwrap_or(UNDEFINED);
        let place = code.and_then(|code| self.namer.place(code));
        let (file, line) = match place.and_then(|place| place.line.as_ref()) {
            Some((file, line)) => (definitions.text(file), *line),
            None => (UNDEFINED, 0),
        };
        let (name, description) = (definitions.text(name), definitions.text(""));
        let mut region = Record::new(kind::REGION);
        region.number(number).number(name).number(description).byte(FORMER_TYPE);
        region.number(file).number(line).number(0).number(name);
        region.byte(role as u8).byte(paradigm as u8).number(NO_FLAGS);
        definitions.add(&region);
        self.numbers.insert(key, number);
        number
    }
}
