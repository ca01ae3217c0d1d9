//! The directives of constructs in their source, where that is at hand: what the user wrote.

use std::collections::{BTreeMap, HashMap};
use std::fs;

use crate::summary::{Directive, SiteId, in_source};
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
