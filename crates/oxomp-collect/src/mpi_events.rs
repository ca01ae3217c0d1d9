//! What a thread does in messages and collective operations of MPI: a stream of its own in the
//! file.

use oxomp_trace::MpiEvent;
use oxomp_trace::layout::ChunkKind;
use oxomp_trace::mpi_events::{MPI_EVENT_SIZE, MPI_EVENTS_PER_CHUNK};

use crate::store::{Chunk, Store};

/// The events of one thread; the first chunk is taken with the first one.
#[derive(Debug)]
pub(crate) struct MpiEvents {
    chunk: Option<Chunk>,
    /// Events in the chunk.
    used: usize,
    /// Position of the next chunk in the stream.
    sequence: u32,
}

impl MpiEvents {
    pub(crate) const NONE: Self = Self { chunk: None, used: 0, sequence: 0 };

    /// Appends an event to the stream `owner`. Returns false if there is no room, which is so when
    /// half of the file is used.
    pub(crate) fn push(&mut self, store: &Store, owner: u32, event: &MpiEvent) -> bool {
        if (self.chunk.is_none() || self.used == MPI_EVENTS_PER_CHUNK) && !self.turn(store, owner) {
            return false;
        }
        let Some(chunk) = self.chunk else { return false };
        let bytes = event.encode();
        // SAFETY: the payload has room for so many events; this thread is the chunk's writer.
        unsafe {
            let place = chunk.payload().add(self.used * MPI_EVENT_SIZE);
            place.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        self.used += 1;
        chunk.commit(self.used * MPI_EVENT_SIZE);
        true
    }

    /// Releases the full chunk and takes the next.
    #[cold]
    fn turn(&mut self, store: &Store, owner: u32) -> bool {
        // Of the last seconds, the oldest are given back before that.
        let in_use = match store.recycles() {
            true => 4 * store.in_use_by(ChunkKind::MpiEvents),
            false => store.in_use(),
        };
        if in_use >= store.capacity() / 2 {
            return false;
        }
        let Ok(chunk) = store.take(ChunkKind::MpiEvents, owner, self.sequence) else {
            return false;
        };
        self.close(store);
        self.chunk = Some(chunk);
        self.sequence += 1;
        self.used = 0;
        true
    }

    /// Releases the chunk.
    pub(crate) fn close(&mut self, store: &Store) {
        if let Some(chunk) = self.chunk.take() {
            store.release(chunk);
        }
    }
}
