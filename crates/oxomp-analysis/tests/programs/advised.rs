//! Whether a report advises first what a program needs.

use oxomp_analysis::report::{Names, TryFirst, try_first};
use oxomp_analysis::summary::Summary;
use oxomp_analysis::symbols::Place;

/// The first advice has all of `parts`. Where the report says that the gains are not firm, their
/// order says little, and any of its pieces of advice may be the one.
pub(crate) fn advises(
    summary: &Summary,
    places: &[Place],
    parts: &[&str],
    text: &str,
) -> Result<(), String> {
    let TryFirst { doubt, advices, .. } = try_first(summary, Names { places });
    let equal = if doubt.is_some() { advices.len() } else { 1 };
    let texts: Vec<&str> = advices.iter().take(equal).map(|one| one.text.as_str()).collect();
    if texts.iter().any(|text| parts.iter().all(|part| text.contains(part))) {
        return Ok(());
    }
    Err(format!("{parts:?} are not in {texts:?}, {doubt:?}:\n{text}"))
}
