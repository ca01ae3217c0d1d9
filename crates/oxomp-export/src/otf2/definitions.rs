//! The global definitions: what the numbers in events mean.

use std::collections::HashMap;
use std::io::{self, Write};

use super::chunks::{Chunks, DEFINITION_CHUNK};
use super::record::Record;

/// Types of definitions.
pub(super) mod kind {
    pub(in crate::otf2) const CLOCK: u8 = 5;
    pub(in crate::otf2) const PARADIGM: u8 = 6;
    pub(super) const TEXT: u8 = 10;
    pub(in crate::otf2) const SYSTEM_TREE_NODE: u8 = 12;
    pub(in crate::otf2) const LOCATION_GROUP: u8 = 13;
    pub(in crate::otf2) const LOCATION: u8 = 14;
    pub(in crate::otf2) const REGION: u8 = 15;
    pub(in crate::otf2) const GROUP: u8 = 18;
    pub(in crate::otf2) const COMMUNICATOR: u8 = 22;
}

/// A reference to nothing.
pub(super) const UNDEFINED: u32 = u32::MAX;

/// Definitions in the order in which they are written: each after those to which it refers.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    records: Vec<Vec<u8>>,
    texts: HashMap<String, u32>,
}

impl Definitions {
    /// The number of a text.
    pub(super) fn text(&mut self, text: &str) -> u32 {
        if let Some(number) = self.texts.get(text) {
            return *number;
        }
        let number = u32::try_from(self.texts.len()).unwrap_or(UNDEFINED);
        self.add(Record::new(kind::TEXT).number(number).text(text));
        self.texts.insert(text.to_owned(), number);
        number
    }

    pub(super) fn add(&mut self, record: &Record) {
        self.records.push(record.with_length());
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.records.len() as u64
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut chunks = Chunks::new(DEFINITION_CHUNK, out);
        for record in &self.records {
            chunks.definition(record)?;
        }
        chunks.finish().map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::{Definitions, Record, UNDEFINED, kind};

    #[test]
    fn a_text_is_defined_once_and_before_its_use() {
        let mut definitions = Definitions::default();
        assert_eq!(definitions.text(""), 0);
        let name = definitions.text("root node");
        assert_eq!((name, definitions.text("root node"), definitions.count()), (1, 1, 2));
        let mut node = Record::new(kind::SYSTEM_TREE_NODE);
        definitions.add(node.number(0).number(name).number(0).number(UNDEFINED));
        let mut bytes = Vec::new();
        definitions.write(&mut bytes).unwrap();
        let expected = b"\x0a\x02\0\0\x0a\x0c\x01\x01root node\0\x0c\x05\0\x01\x01\0\xff\x02\x01";
        assert_eq!(bytes[18..], expected[..]);
    }
}
