//! The directives of constructs in their source, where that is at hand: what the user wrote.

use std::collections::{BTreeMap, HashMap};
use std::fs;

use crate::summary::{Blocked, Cause, Directive, SiteId, in_source};
use crate::symbols::Place;

/// The directives at `places`, which name the sites of a summary in their order: of each site those
/// at its line and a little above, the nearest first.
#[must_use]
pub fn directives(places: &[Place]) -> BTreeMap<SiteId, Vec<Directive>> {
    let mut sources = HashMap::<&str, Option<String>>::new();
    let mut found = BTreeMap::new();
    for (place, number) in places.iter().zip(0..) {
        let Some((file, line)) = &place.line else { continue };
        let source = sources.entry(file).or_insert_with(|| fs::read_to_string(file).ok());
        let above = source.as_ref().map(|source| in_source(source, *line)).unwrap_or_default();
        if !above.is_empty() {
            found.insert(SiteId(number), above);
        }
    }
    found
}

/// Names the waits for other iterations by the user's clause, which says for which iteration a
/// thread waits: `ordered depend(sink: i - 1)`.
pub(crate) fn name_sinks(waits: &mut [Blocked]) {
    for wait in waits.iter_mut().filter(|wait| wait.cause == Cause::Doacross) {
        let Some((file, line)) = &wait.line else { continue };
        let source = fs::read_to_string(file).unwrap_or_default();
        let sink = in_source(&source, *line).into_iter().find(Directive::is_sink);
        if let Some(sink) = sink {
            wait.function = sink.text;
        }
    }
}
