//! Protocol buffer messages, as far as traces and profiles need them.

/// A message being written. Fields are encoded as they are added.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Message {
    bytes: Vec<u8>,
}

/// Wire types.
const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const LENGTH: u64 = 2;

impl Message {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn raw(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn key(&mut self, field: u32, wire: u64) {
        self.raw(u64::from(field) << 3 | wire);
    }

    /// A number, a boolean or an enumeration. A negative number is cast.
    pub(crate) fn number(&mut self, field: u32, value: u64) -> &mut Self {
        self.key(field, VARINT);
        self.raw(value);
        self
    }

    /// A `fixed64`.
    pub(crate) fn fixed(&mut self, field: u32, value: u64) -> &mut Self {
        self.key(field, FIXED64);
        self.bytes.extend(value.to_le_bytes());
        self
    }

    /// A `double`.
    pub(crate) fn double(&mut self, field: u32, value: f64) -> &mut Self {
        self.fixed(field, value.to_bits())
    }

    pub(crate) fn text(&mut self, field: u32, value: &str) -> &mut Self {
        self.data(field, value.as_bytes())
    }

    pub(crate) fn message(&mut self, field: u32, value: &Message) -> &mut Self {
        self.data(field, &value.bytes)
    }

    /// Repeated numbers, packed.
    pub(crate) fn numbers(&mut self, field: u32, values: &[u64]) -> &mut Self {
        let mut packed = Self::new();
        for value in values {
            packed.raw(*value);
        }
        self.data(field, &packed.bytes)
    }

    fn data(&mut self, field: u32, value: &[u8]) -> &mut Self {
        self.key(field, LENGTH);
        self.raw(value.len() as u64);
        self.bytes.extend(value);
        self
    }

    /// Fields of another message of the same type.
    pub(crate) fn append(&mut self, other: &Message) -> &mut Self {
        self.bytes.extend(&other.bytes);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::Message;

    #[test]
    fn the_examples_of_the_encodings_documentation() {
        let mut message = Message::new();
        message.number(1, 150).text(2, "testing");
        let expected = [0x08, 0x96, 0x01, 0x12, 0x07, b't', b'e', b's', b't', b'i', b'n', b'g'];
        assert_eq!(message.bytes(), expected);
        let mut packed = Message::new();
        packed.numbers(4, &[3, 270, 86942]);
        assert_eq!(packed.bytes(), [0x22, 6, 3, 0x8e, 2, 0x9e, 0xa7, 5]);
        let mut outer = Message::new();
        outer.message(3, Message::new().number(1, 150)).fixed(20, 1);
        assert_eq!(outer.bytes(), [0x1a, 3, 0x08, 0x96, 1, 0xa1, 1, 1, 0, 0, 0, 0, 0, 0, 0]);
    }
}
