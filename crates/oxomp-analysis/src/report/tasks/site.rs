//! Where tasks are created.

use crate::report::names::Names;
use crate::summary::{SiteId, Summary, TaskConstruct, WorkKind};

/// Where the tasks are created: at the taskloop of their region if the runtime does not tell, or
/// else the region itself.
pub(in crate::report) fn site(one: &TaskConstruct, summary: &Summary) -> Option<SiteId> {
    one.site.or_else(|| {
        let region = summary.regions.iter().find(|region| region.site == one.region);
        let works = region.into_iter().flat_map(|region| &region.worksharing);
        let mut taskloops = works.filter(|work| work.kind == WorkKind::Taskloop);
        taskloops.next().and_then(|work| work.site).or(one.region)
    })
}

/// ` (solver.c:118)`; empty without a site.
pub(super) fn in_brackets(site: Option<SiteId>, names: Names<'_>) -> String {
    site.map_or_else(String::new, |site| format!(" ({})", names.compact(Some(site))))
}
