//! Places with what the user wrote there.

use super::names::Names;
use crate::summary::{Directive, SiteId, Summary};

/// The place of `site` with the directive that stands there and `fits`, if the source was at hand,
/// and with its line if it begins above the code of the site:
/// `solver.c:118 (line 116: omp parallel for)`.
pub(super) fn named(
    site: Option<SiteId>,
    summary: &Summary,
    names: Names<'_>,
    fits: fn(&Directive) -> bool,
) -> String {
    let place = names.compact(site);
    let line = names.place(site).and_then(|place| Some(place.line.as_ref()?.1));
    match summary.directive(site, fits) {
        Some(directive) if line == Some(directive.line) => {
            format!("{place} ({})", directive.shown())
        }
        Some(directive) => format!("{place} (line {}: {})", directive.line, directive.shown()),
        None => place,
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
