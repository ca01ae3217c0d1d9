//! The regions of a process: one for each construct and activity at a place.

use std::collections::HashMap;

use oxomp_analysis::Analysis;

use super::role::{Paradigm, Role};
use super::shared::{Region, Shared};
use super::stays::Stay;
use crate::timeline::{Namer, Slice, what};

/// The numbers of the regions that the process has entered: to look one up takes no name.
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
    pub(super) fn of_slice(&mut self, slice: &Slice, shared: &mut Shared) -> u32 {
        let (role, code) = (Role::of(slice, self.analysis), Namer::code(slice, self.analysis));
        let key = (what(slice, self.analysis), code, role);
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let name = self.namer.name(slice, self.analysis);
        self.define(key, name, Paradigm::of(slice, role), shared)
    }

    /// The number of the region of a stay in a barrier.
    pub(super) fn of_stay(&mut self, stay: Stay, shared: &mut Shared) -> u32 {
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
        self.define(key, name, Paradigm::OpenMp, shared)
    }

    fn define(
        &mut self,
        key: (&'static str, Option<u64>, Role),
        name: String,
        paradigm: Paradigm,
        shared: &mut Shared,
    ) -> u32 {
        let (_, code, role) = key;
        let place = code.and_then(|code| self.namer.place(code));
        let place = shared.place(place.and_then(|place| place.line.as_ref()));
        let number = shared.region(Region { name, place, role, paradigm });
        self.numbers.insert(key, number);
        number
    }
}
