//! The memory of a process that is stopped or has ended.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use oxomp_ompd_layout::Memory;

use super::core_memory::CoreMemory;

/// Reads a process's memory. Copies read the same process, on any thread.
///
/// The memory of a live process can be read as long as it is the program that it was: after
/// execve(2), or when it has ended, nothing can be read any more.
#[derive(Debug, Clone)]
pub struct ProcessMemory(Arc<Source>);

#[derive(Debug)]
enum Source {
    /// `/proc/PID/mem`.
    Live(File),
    Core(CoreMemory),
}

impl ProcessMemory {
    pub(crate) fn live(file: File) -> Self {
        Self(Arc::new(Source::Live(file)))
    }

    pub(crate) fn core(memory: CoreMemory) -> Self {
        Self(Arc::new(Source::Core(memory)))
    }

    /// Whether this is the memory of a process, not of a core file.
    pub(crate) fn is_live(&self) -> bool {
        matches!(*self.0, Source::Live(_))
    }

    /// `length` bytes at `address`, if all of them can be read.
    #[must_use]
    pub fn bytes(&self, address: u64, length: usize) -> Option<Vec<u8>> {
        let mut buffer = vec![0; length];
        self.read(address, &mut buffer).then_some(buffer)
    }

    /// The word of eight bytes at `address`.
    #[must_use]
    pub fn word(&self, address: u64) -> Option<u64> {
        let mut buffer = [0; 8];
        self.read(address, &mut buffer).then(|| u64::from_le_bytes(buffer))
    }

    /// The characters at `address` up to a zero byte, at most `limit` of them.
    #[must_use]
    pub fn c_string(&self, address: u64, limit: usize) -> Option<Vec<u8>> {
        /// Small enough that a string at the end of a page costs few attempts.
        const PIECE: usize = 64;
        let mut found = Vec::new();
        while found.len() < limit {
            let at = address.checked_add(found.len() as u64)?;
            // A piece never crosses the end of a page, behind which nothing may be mapped.
            let until_page_end = PIECE - (at as usize % PIECE);
            let piece = self.bytes(at, until_page_end)?;
            if let Some(end) = piece.iter().position(|&byte| byte == 0) {
                found.extend(&piece[..end]);
                return (found.len() <= limit).then_some(found);
            }
            found.extend(piece);
        }
        None
    }
}

impl Memory for ProcessMemory {
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        if address.checked_add(buffer.len() as u64).is_none() {
            return false;
        }
        match &*self.0 {
            Source::Live(file) => file.read_exact_at(buffer, address).is_ok(),
            Source::Core(memory) => memory.read(address, buffer),
        }
    }
}
