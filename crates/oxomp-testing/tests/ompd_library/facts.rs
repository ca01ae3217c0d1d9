//! What the programs print of themselves.

use std::collections::BTreeMap;

/// `key=value …` of a line.
pub(crate) struct Facts(BTreeMap<String, String>);

impl Facts {
    pub(crate) fn parse(line: &str) -> Self {
        let pairs = line.split_whitespace().filter_map(|word| word.split_once('='));
        Facts(pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
    }

    pub(crate) fn text(&self, key: &str) -> &str {
        self.0.get(key).unwrap_or_else(|| panic!("no {key} in {:?}", self.0))
    }

    pub(crate) fn number(&self, key: &str) -> u64 {
        let text = self.text(key);
        text.parse().unwrap_or_else(|_| panic!("{key}={text} is no number"))
    }
}
