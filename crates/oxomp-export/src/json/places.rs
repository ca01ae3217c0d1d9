//! Places of the program in the document.

use std::collections::HashMap;

use oxomp_analysis::Analysis;
use oxomp_analysis::report::Names;
use oxomp_analysis::summary::SiteId;
use oxomp_analysis::symbols;
use serde::Serialize;

/// A place in the program: the construct whose call into the runtime returns there.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Place {
    /// Module and offset, the same in every run of the same binary: `solver+0x11d2`.
    id: String,
    #[serde(flatten)]
    location: Location,
    /// Path of the mapped file at run time; null for code of no file.
    module_path: Option<String>,
    /// GNU build id of the mapped file in hexadecimal digits; null if it has none.
    build_id: Option<String>,
    /// The return address as an offset in the module, in bytes; an address of the process where
    /// no module is known.
    offset: u64,
}

/// A place in a program that several processes execute.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Place"))]
pub(super) struct Location {
    /// The place as the text summary prints it: `solver.c:118`, a function, or module and offset.
    label: String,
    /// The user's function, an outlined one as that which it was outlined from; null if unknown.
    function: Option<String>,
    /// Source file as the compiler recorded it; null without line information.
    file: Option<String>,
    /// Line in `file`, from 1; null without line information.
    line: Option<u32>,
    /// Short name of the mapped file; null for code of no file.
    module: Option<String>,
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

    /// Everything about a place; `None` if it is not known.
    pub(super) fn place(&self, site: Option<SiteId>) -> Option<Place> {
        let place = self.names.place(site)?;
        let module = self.analysis.summary.sites.get(site?.0 as usize)?.module.as_ref();
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

    /// The id of a row: its `parts` are the same in every run of the same binary.
    pub(super) fn id(&mut self, parts: &[&str]) -> String {
        let id = parts.join("/");
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
}
