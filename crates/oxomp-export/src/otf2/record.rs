//! The bytes of one record: its type, its length and its values.

/// The length byte that announces a length of eight bytes.
const LONG: u8 = 0xff;
/// The most bytes of a text: a record has to fit into a chunk.
const LONGEST_TEXT: usize = 64 << 10;

/// A record being made. Values are encoded as they are added.
#[derive(Debug, Clone)]
pub(super) struct Record {
    kind: u8,
    values: Vec<u8>,
}

impl Record {
    /// A record of the type `kind`, without values.
    pub(super) fn new(kind: u8) -> Self {
        Self { kind, values: Vec::new() }
    }

    /// A number of one byte.
    pub(super) fn byte(&mut self, value: u8) -> &mut Self {
        self.values.push(value);
        self
    }

    /// A number of 32 bits, compressed.
    pub(super) fn number(&mut self, value: u32) -> &mut Self {
        compress(&mut self.values, u64::from(value), value == u32::MAX);
        self
    }

    /// A number of 64 bits, compressed.
    pub(super) fn long(&mut self, value: u64) -> &mut Self {
        compress(&mut self.values, value, value == u64::MAX);
        self
    }

    /// A text, up to its first NUL.
    pub(super) fn text(&mut self, value: &str) -> &mut Self {
        put_text(&mut self.values, value);
        self
    }

    /// The record with its length.
    pub(super) fn with_length(&self) -> Vec<u8> {
        let mut bytes = vec![self.kind];
        match u8::try_from(self.values.len()) {
            Ok(length) if length < LONG => bytes.push(length),
            _ => {
                bytes.push(LONG);
                bytes.extend((self.values.len() as u64).to_le_bytes());
            }
        }
        bytes.extend(&self.values);
        bytes
    }

    /// The record without a length, as readers expect it of some types.
    pub(super) fn bare(&self) -> Vec<u8> {
        let mut bytes = vec![self.kind];
        bytes.extend(&self.values);
        bytes
    }
}

/// Adds a text, up to its first NUL, and the NUL that ends it.
pub(super) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    let end = text.find('\0').unwrap_or(text.len());
    bytes.extend(text[..text.floor_char_boundary(end.min(LONGEST_TEXT))].bytes());
    bytes.push(0);
}

/// Adds a number: how many bytes it needs, and these bytes, the lowest first. Zero and the
/// `largest` number of the type, which means "undefined", are a single byte.
fn compress(bytes: &mut Vec<u8>, value: u64, largest: bool) {
    if value == 0 || largest {
        bytes.push(if largest { 0xff } else { 0 });
        return;
    }
    let length = 8 - value.leading_zeros() as usize / 8;
    bytes.push(length as u8);
    bytes.extend(&value.to_le_bytes()[..length]);
}

#[cfg(test)]
mod tests {
    use super::Record;

    #[test]
    fn numbers_have_as_many_bytes_as_they_need() {
        let values = |record: &mut Record| record.bare()[1..].to_vec();
        let number = |value| values(Record::new(0).number(value));
        let long = |value| values(Record::new(0).long(value));
        assert_eq!((number(0), number(u32::MAX)), (vec![0], vec![0xff]));
        assert_eq!((number(5), number(255)), (vec![1, 5], vec![1, 0xff]));
        assert_eq!(number(70_000), [3, 0x70, 0x11, 1]);
        assert_eq!(number(u32::MAX - 1), [4, 0xfe, 0xff, 0xff, 0xff]);
        assert_eq!((long(0), long(u64::MAX)), (vec![0], vec![0xff]));
        assert_eq!(long(u64::from(u32::MAX)), [4, 0xff, 0xff, 0xff, 0xff]);
        assert_eq!(long(1_000_000_000), [4, 0, 0xca, 0x9a, 0x3b]);
        assert_eq!(long(1 << 56), [8, 0, 0, 0, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn a_record_has_its_length_before_its_values() {
        let bytes = Record::new(10).number(1).text("root node").with_length();
        assert_eq!(bytes, b"\x0a\x0c\x01\x01root node\0");
        let long = Record::new(10).number(1).text(&"x".repeat(252)).with_length();
        assert_eq!(long[..12], [10, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!(long.len(), 10 + 255);
    }

    #[test]
    fn a_text_ends_at_its_first_nul_and_is_cut_between_characters() {
        assert_eq!(Record::new(0).text("a\0b").bare(), [0, b'a', 0]);
        let long = Record::new(0).text(&"ä".repeat(64 << 10)).bare();
        assert_eq!(long.len(), 1 + (64 << 10) + 1);
    }
}
