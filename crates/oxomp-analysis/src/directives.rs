//! The directives of constructs in their source, where that is at hand: what the user wrote.

use std::collections::BTreeMap;

use crate::summary::{Blocked, Cause, Directive, SiteId, in_source};
use crate::symbols::{Place, Symbols};

/// The directives at `places`, which name the sites of a summary in their order: of each site those
/// at its line and a little above, the nearest first.
#[must_use]
pub fn directives(places: &[Place], symbols: &mut Symbols) -> BTreeMap<SiteId, Vec<Directive>> {
    let mut found = BTreeMap::new();
    for (place, number) in places.iter().zip(0..) {
        let Some((file, line)) = &place.line else { continue };
        let above = directives_at(file, *line, symbols);
        if !above.is_empty() {
            found.insert(SiteId(number), above);
        }
    }
    found
}

/// Names the waits for other iterations by the user's clause, which says for which iteration a
/// thread waits: `ordered depend(sink: i - 1)`.
pub(crate) fn name_sinks(waits: &mut [Blocked], symbols: &mut Symbols) {
    for wait in waits.iter_mut().filter(|wait| wait.cause == Cause::Doacross) {
        let Some((file, line)) = &wait.line else { continue };
        let sink = directives_at(file, *line, symbols).into_iter().find(Directive::is_sink);
        if let Some(sink) = sink {
            wait.function = sink.text;
        }
    }
}

fn directives_at(file: &str, line: u32, symbols: &mut Symbols) -> Vec<Directive> {
    let read = |source: &str| {
        let found = in_source(source, line).into_iter();
        found.map(|directive| (directive.line, directive.text)).collect()
    };
    let found = symbols.in_source(file, line, read).into_iter();
    found.map(|(line, text)| Directive { line, text }).collect()
}
