//! What the sections of a page have in common.

use std::collections::HashMap;

use oxomp_analysis::Analysis;
use oxomp_analysis::report::{Names, Notes};
use oxomp_analysis::summary::{SiteId, Summary};

use crate::limits::Limits;
use crate::text::shown;

/// Characters of the command line.
const COMMAND: usize = 2_000;

/// A recording on its way to a page.
#[derive(Debug)]
pub(crate) struct View<'a> {
    pub(crate) analysis: &'a Analysis,
    pub(crate) summary: &'a Summary,
    pub(crate) names: Names<'a>,
    pub(crate) notes: &'a Notes,
    pub(crate) limits: Limits,
    /// Positions in [`Summary::regions`] by code address.
    pub(crate) region_of_code: HashMap<u64, usize>,
    /// By position in [`Summary::regions`], the calls whose events were recorded.
    pub(crate) recorded_calls: HashMap<usize, u64>,
}

impl<'a> View<'a> {
    pub(crate) fn new(analysis: &'a Analysis, notes: &'a Notes, limits: Limits) -> Self {
        let summary = &analysis.summary;
        let regions = summary.regions.iter().enumerate();
        let region_of_code: HashMap<u64, usize> = regions
            .map(|(position, region)| {
                let site = region.site.and_then(|site| summary.sites.get(site.0 as usize));
                (site.map_or(0, |site| site.codeptr), position)
            })
            .collect();
        let names = Names { places: &analysis.places };
        let mut recorded_calls = HashMap::new();
        for region in &analysis.model.regions {
            if let Some(&position) = region_of_code.get(&region.code) {
                *recorded_calls.entry(position).or_default() += 1;
            }
        }
        Self { analysis, summary, names, notes, limits, region_of_code, recorded_calls }
    }

    /// `text` as the page may show it.
    pub(crate) fn shown(&self, text: &str) -> String {
        shown(text, self.limits.name)
    }

    /// The command line as one text.
    pub(crate) fn command(&self) -> String {
        let header = &self.summary.header;
        let command = if header.command.is_empty() {
            header.executable.clone()
        } else {
            header.command.join(" ")
        };
        if command.is_empty() { "(unknown program)".to_owned() } else { shown(&command, COMMAND) }
    }

    /// `solver.c:118`, or the closest thing known.
    pub(crate) fn place(&self, site: Option<SiteId>) -> String {
        self.shown(&self.names.compact(site))
    }

    /// The function of a place, and the place; either may be empty.
    pub(crate) fn columns(&self, site: Option<SiteId>) -> (String, String) {
        let (function, place) = self.names.columns(site);
        (self.shown(&function), self.shown(&place))
    }

    /// The whole path and line of a place, else where its code lies.
    pub(crate) fn whole_place(&self, site: Option<SiteId>) -> String {
        let Some(place) = self.names.place(site) else { return "(unknown place)".to_owned() };
        let code = place.module.as_deref().unwrap_or("address");
        let code = format!("{code}+{:#x}", place.offset);
        self.shown(&match &place.line {
            Some((file, line)) => format!("{file}:{line}, {code}"),
            None => code,
        })
    }
}
