//! What a page has no section for, because nothing of it was recorded: a list among the facts on
//! the data, so that a reader who looks for it finds why it is not there.

use crate::view::View;

/// Sentences on what is missing. If the page quotes no source, `source` says why.
pub(crate) fn list(view: &View<'_>, source: Option<String>) -> Vec<String> {
    let summary = view.summary;
    let mut absent = Vec::new();
    if summary.regions.is_empty() {
        absent.push("No parallel region was recorded.".to_owned());
    }
    let parts = [
        ("explicit tasks", summary.tasks.is_empty()),
        ("locks, criticals, ordered and atomic", summary.mutexes.is_empty()),
        ("barriers inside regions", summary.barriers.is_empty()),
        ("serial code worth a row", summary.serial.is_empty()),
    ];
    let parts = parts.into_iter().filter(|(_, is_empty)| *is_empty);
    let parts: Vec<&str> = parts.map(|(name, _)| name).collect();
    if !parts.is_empty() {
        absent.push(format!("Not recorded, or not there: {}.", parts.join("; ")));
    }
    if view.analysis.calls.nodes.iter().all(|node| node.own == 0)
        && summary.quality.unsampled.is_none()
    {
        absent.push(
            "The recording holds no samples, so there is no flame graph: the program was too short, \
             ran without sampling, or used no processor time where it was sampled."
                .to_owned(),
        );
    }
    absent.extend(source);
    absent
}
