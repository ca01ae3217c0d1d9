//! Places of the program in the document.

use std::collections::HashMap;

use oxomp_analysis::Analysis;
use oxomp_analysis::report::Names;
use oxomp_analysis::summary::{Site, SiteId};
use oxomp_analysis::symbols;
use serde::Serialize;

/// A place in the program: the construct whose call into the runtime returns there.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Place {
    /// Module and offset, the same in every run of the same binary: `solver+0x11d2`.
    pub(super) id: String,
    #[serde(flatten)]
    pub(super) location: Location,
    /// Path of the mapped file at run time; null for code of no file.
    pub(super) module_path: Option<String>,
    /// GNU build id of the mapped file in hexadecimal digits; null if it has none.
    pub(super) build_id: Option<String>,
    /// The return address as an offset in the module, in bytes; an address of the process where
    /// no module is known.
    pub(super) offset: u64,
}

/// A place in a program that several processes execute.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Place"))]
pub(super) struct Location {
    /// The place as the text summary prints it: `solver.c:118`, a function, or module and offset.
    pub(super) label: String,
    /// The user's function, an outlined one as that which it was outlined from; null if unknown.
    pub(super) function: Option<String>,
    /// Source file as the compiler recorded it; null without line information.
    pub(super) file: Option<String>,
    /// Line in `file`, from 1; null without line information.
    pub(super) line: Option<u32>,
    /// Short name of the mapped file; null for code of no file.
    pub(super) module: Option<String>,
}

impl Location {
    /// The location of `place`, which the text summary prints as `label`.
    pub(super) fn new(place: &symbols::Place, label: String) -> Self {
        Self {
            label,
            function: place.function.clone(),
            file: place.line.as_ref().map(|(file, _)| file.clone()),
            line: place.line.as_ref().map(|(_, line)| *line),
            module: place.module.clone(),
        }
    }
}

/// Makes places, and the ids of rows.
#[derive(Debug)]
pub(super) struct Places<'a> {
    analysis: &'a Analysis,
    names: Names<'a>,
    given: HashMap<String, u32>,
}

impl<'a> Places<'a> {
    pub(super) fn new(analysis: &'a Analysis) -> Self {
        let names = Names { places: &analysis.places };
        Self { analysis, names, given: HashMap::new() }
    }

    /// Everything about each place, by [`SiteId`]; `None` if it is not known.
    pub(super) fn all(&self) -> Vec<Option<Place>> {
        let sites = (0..).zip(&self.analysis.summary.sites);
        sites.map(|(number, site)| self.place(SiteId(number), site)).collect()
    }

    fn place(&self, id: SiteId, site: &Site) -> Option<Place> {
        let module = site.module.as_ref();
        let site = Some(id);
        let place = self.names.place(site)?;
        let build_id = module.map(|module| {
            module.build_id.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        });
        Some(Place {
            id: self.id_of(site),
            location: Location::new(place, self.names.compact(site)),
            module_path: module.map(|module| module.path.clone()),
            build_id: build_id.filter(|id| !id.is_empty()),
            offset: place.offset,
        })
    }

    /// `id`, with a number if an earlier row has it already.
    pub(super) fn unique(&mut self, id: String) -> String {
        let number = self.given.entry(id.clone()).or_default();
        *number += 1;
        if *number == 1 { id } else { format!("{id}#{number}") }
    }

    /// The id of a place; `?` if it is not known.
    pub(super) fn id_of(&self, site: Option<SiteId>) -> String {
        let Some(place) = self.names.place(site) else { return "?".to_owned() };
        match &place.module {
            Some(module) => format!("{module}+{:#x}", place.offset),
            None => format!("{:#x}", place.offset),
        }
    }

    /// The id of the place at which a stretch of serial code begins or ends, if that is not the
    /// begin or end of its thread.
    pub(super) fn id_of_end(&self, site: Option<SiteId>) -> String {
        site.map_or_else(|| "end".to_owned(), |_| self.id_of(site))
    }
}
