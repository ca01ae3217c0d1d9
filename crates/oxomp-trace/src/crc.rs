//! CRC-32 as in IEEE 802.3, eight bytes a step. By hand, since the collector computes it as a part
//! of the recorded program, into which it brings few crates of others.

static TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0u32; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut table = 1;
    while table < 8 {
        let mut byte = 0;
        while byte < 256 {
            let previous = tables[table - 1][byte];
            tables[table][byte] = (previous >> 8) ^ tables[0][(previous & 0xff) as usize];
            byte += 1;
        }
        table += 1;
    }
    tables
}

/// A checksum of the bytes so far.
#[derive(Debug, Clone, Copy)]
pub struct Crc32(u32);

impl Default for Crc32 {
    fn default() -> Self {
        Self::new()
    }
}

impl Crc32 {
    /// The state before any byte.
    #[must_use]
    pub const fn new() -> Self {
        Self(!0)
    }

    /// Continues with `bytes`.
    #[must_use]
    pub fn update(self, bytes: &[u8]) -> Self {
        let mut crc = self.0;
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            let low = crc ^ u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
            crc = TABLES[7][(low & 0xff) as usize]
                ^ TABLES[6][(low >> 8 & 0xff) as usize]
                ^ TABLES[5][(low >> 16 & 0xff) as usize]
                ^ TABLES[4][(low >> 24) as usize]
                ^ TABLES[3][usize::from(word[4])]
                ^ TABLES[2][usize::from(word[5])]
                ^ TABLES[1][usize::from(word[6])]
                ^ TABLES[0][usize::from(word[7])];
        }
        for &byte in words.remainder() {
            crc = (crc >> 8) ^ TABLES[0][((crc ^ u32::from(byte)) & 0xff) as usize];
        }
        Self(crc)
    }

    /// The checksum of the bytes that have been added.
    #[must_use]
    pub const fn finish(self) -> u32 {
        !self.0
    }
}

/// The checksum of `bytes`.
#[must_use]
pub fn crc32(bytes: &[u8]) -> u32 {
    Crc32::new().update(bytes).finish()
}

#[cfg(test)]
mod tests {
    use super::{Crc32, crc32};

    #[test]
    fn agrees_with_the_published_check_value() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn does_not_depend_on_where_the_input_is_cut() {
        let bytes: Vec<u8> = (0..100u8).collect();
        for cut in 0..bytes.len() {
            let parts = Crc32::new().update(&bytes[..cut]).update(&bytes[cut..]);
            assert_eq!(parts.finish(), crc32(&bytes));
        }
    }
}
