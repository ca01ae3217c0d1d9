//! The sites that a summary names.

use std::collections::HashMap;

use oxomp_trace::Info;

use crate::constructs::site;
use crate::summary::{Site, SiteId};

/// The sites named so far.
pub(super) struct Sites<'a> {
    info: &'a Info,
    sites: Vec<Site>,
    by_code: HashMap<u64, SiteId>,
}

impl<'a> Sites<'a> {
    /// No sites yet, of the run that `info` describes.
    pub(super) fn new(info: &'a Info) -> Self {
        Self { info, sites: Vec::new(), by_code: HashMap::new() }
    }

    /// All sites, by id.
    pub(super) fn into_vec(self) -> Vec<Site> {
        self.sites
    }

    /// The site of a code address; `None` for 0.
    pub(super) fn id(&mut self, codeptr: u64) -> Option<SiteId> {
        if codeptr == 0 {
            return None;
        }
        Some(*self.by_code.entry(codeptr).or_insert_with(|| {
            self.sites.push(site(self.info, codeptr));
            SiteId(u32::try_from(self.sites.len() - 1).unwrap_or(u32::MAX))
        }))
    }

    /// The site of a code address; `None` for 0, and for code of the runtime, which some runtimes
    /// name where the program jumps to them instead of calling.
    pub(super) fn of_program(&mut self, codeptr: u64) -> Option<SiteId> {
        let runtime = self.info.runtime_address.and_then(|address| self.info.module_of(address));
        let inside = runtime.is_some_and(|runtime| (runtime.begin..runtime.end).contains(&codeptr));
        self.id(if inside { 0 } else { codeptr })
    }
}
