//! A part of a core file, which may be shorter than it should be.

use std::fs::File;
use std::os::unix::fs::FileExt;

/// As much of `length` bytes at `offset` as the file has.
pub(super) fn up_to(file: &File, offset: u64, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    let mut have = 0;
    while have < length {
        match file.read_at(&mut bytes[have..], offset.saturating_add(have as u64)) {
            Ok(read) if read > 0 => have += read,
            _ => break,
        }
    }
    bytes.truncate(have);
    bytes
}
