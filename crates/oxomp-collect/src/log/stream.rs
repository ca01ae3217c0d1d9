//! Records in chunks of the file, one after the other.

use oxomp_trace::Record;
use oxomp_trace::layout::{CHUNK_PAYLOAD, ChunkKind, RECORD_SIZE};

use crate::store::{Chunk, Exhausted, Store};

/// The records of one kind of chunk.
#[derive(Debug)]
pub(super) struct Stream {
    kind: ChunkKind,
    /// Position of the next chunk.
    sequence: u32,
    chunk: Option<Chunk>,
    /// Bytes of the chunk that are used.
    used: usize,
}

impl Stream {
    pub(super) const fn of(kind: ChunkKind) -> Self {
        Self { kind, sequence: 0, chunk: None, used: 0 }
    }

    /// Whether the next record needs another chunk.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.chunk.is_none() || self.used == CHUNK_PAYLOAD
    }

    /// Appends a record, for which there is room.
    #[inline]
    pub(super) fn push(&mut self, record: Record) -> Result<(), Exhausted> {
        let Some(chunk) = self.chunk else { return Err(Exhausted::Limit) };
        // SAFETY: `used` is a multiple of the record's size below the payload's, and the payload
        // is aligned; this thread is the chunk's writer.
        unsafe { chunk.payload().add(self.used).cast::<Record>().write(record) };
        self.used += RECORD_SIZE;
        chunk.commit(self.used);
        Ok(())
    }

    /// Releases the full chunk and takes the next, of thread `owner`.
    pub(super) fn turn(&mut self, store: &Store, owner: u32) -> Result<(), Exhausted> {
        self.close(store);
        self.chunk = Some(store.take(self.kind, owner, self.sequence)?);
        self.sequence += 1;
        self.used = 0;
        Ok(())
    }

    /// Releases the chunk.
    pub(super) fn close(&mut self, store: &Store) {
        if let Some(chunk) = self.chunk.take() {
            store.release(chunk);
        }
    }
}
