//! Places with what the user wrote there.

use super::names::Names;
use crate::summary::{Directive, SiteId, Summary};

/// The place of `site` with the directive that stands there and `fits`, if the source was at hand:
/// then its line is the directive's, which may be a little above the code of the site.
pub(super) fn named(
    site: Option<SiteId>,
    summary: &Summary,
    names: Names<'_>,
    fits: fn(&Directive) -> bool,
) -> String {
    match summary.directive(site, fits) {
        Some(directive) => {
            format!("{} ({})", names.at_line(site, directive.line), directive.shown())
        }
        None => names.compact(site),
    }
}

/// Whether a directive makes a region.
pub(super) fn is_of_region(directive: &Directive) -> bool {
    ["parallel", "teams", "target"].iter().any(|name| directive.has(name))
}

/// Whether a directive makes a worksharing construct.
pub(super) fn is_of_work(directive: &Directive) -> bool {
    directive.is_loop()
        || ["sections", "single", "workshare", "distribute"].iter().any(|name| directive.has(name))
}

/// Whether a directive makes tasks.
pub(super) fn is_of_tasks(directive: &Directive) -> bool {
    directive.has("task") || directive.has("taskloop")
}
