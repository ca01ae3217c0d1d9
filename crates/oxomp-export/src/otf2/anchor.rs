//! The anchor file: the first that readers open.

use std::io::{self, Write};

use super::chunks::{BEGIN, DEFINITION_CHUNK, END, EVENT_CHUNK};
use super::record::put_text;

/// The version of the anchor's own format.
const ANCHOR_FORMAT: u8 = 3;
/// The version of the format of the other files.
const TRACE_FORMAT: u8 = 2;
/// The version of OTF2 whose records the archive has.
const OTF2_VERSION: [u8; 3] = [3, 0, 0];
/// The files lie in a folder of the file system.
const POSIX: u8 = 1;
const NOT_COMPRESSED: u8 = 1;

/// What the anchor says of an archive.
#[derive(Debug)]
pub(super) struct Anchor<'a> {
    pub(super) locations: u64,
    /// Records of global definitions.
    pub(super) definitions: u64,
    /// The name of the machine on which the program ran.
    pub(super) machine: &'a str,
    /// The program that wrote the archive.
    pub(super) creator: &'a str,
    pub(super) description: &'a str,
    /// A number that other archives do not have.
    pub(super) id: u64,
}

impl Anchor<'_> {
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut bytes = BEGIN.to_vec();
        put_text(&mut bytes, "OTF2");
        bytes.extend([ANCHOR_FORMAT, TRACE_FORMAT]);
        bytes.extend(OTF2_VERSION);
        bytes.extend((EVENT_CHUNK as u64).to_le_bytes());
        bytes.extend((DEFINITION_CHUNK as u64).to_le_bytes());
        bytes.extend([POSIX, NOT_COMPRESSED]);
        bytes.extend(self.locations.to_le_bytes());
        bytes.extend(self.definitions.to_le_bytes());
        for text in [self.machine, self.creator, self.description] {
            put_text(&mut bytes, text);
        }
        // Properties.
        bytes.extend(0_u32.to_le_bytes());
        bytes.extend(self.id.to_le_bytes());
        // Snapshots and thumbnails.
        bytes.extend(0_u32.to_le_bytes());
        bytes.extend(0_u32.to_le_bytes());
        bytes.extend(END);
        bytes.push(0);
        out.write_all(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::Anchor;

    #[test]
    fn the_anchor_is_the_one_that_libotf2_writes() {
        let mut bytes = Vec::new();
        let anchor = Anchor {
            locations: 1,
            definitions: 8,
            machine: "",
            creator: "",
            description: "",
            id: 0x71c0_0b17_8127_2c73,
        };
        anchor.write(&mut bytes).unwrap();
        let expected: Vec<u8> = [
            // libotf2 3.0.2 has 2 as the last part of the version.
            &b"\x03\x42OTF2\0\x03\x02\x03\0\0\0\0\x10\0\0\0\0\0\0\0\x40\0\0\0\0\0\x01\x01"[..],
            b"\x01\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x73\x2c\x27\x81\x17\x0b\xc0\x71\0",
            b"\0\0\0\0\0\0\0\x02\x01\0",
        ]
        .concat();
        assert_eq!(bytes[..], expected[..]);
    }
}
