//! Tells a reader that follows the recording what the threads do: `oxomp_trace::present` has the
//! form. The helper does, from what threads show of themselves; no thread takes part.

use std::sync::atomic::{AtomicU64, Ordering};

use oxomp_trace::layout::{CHUNK_PAYLOAD, ChunkKind, PROCESS};
use oxomp_trace::present::{Doing, MOST_PRESENT, PRESENT_HEADER, PRESENT_SIZE, Present};

use crate::clock;
use crate::log::Logs;
use crate::scheduler::{is_long, not_computed};
use crate::store::{Chunk, Store};

/// The time between two looks at the threads, ns.
const PERIOD_NS: u64 = 100_000_000;

/// The helper's part in being followed.
#[derive(Debug)]
pub(crate) struct Teller {
    /// Whether a reader follows, and the file had room.
    is_wanted: bool,
    chunk: Option<Chunk>,
    /// When it tells next, ns.
    due: u64,
}

impl Teller {
    /// Tells if `is_wanted` says so.
    pub(crate) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, chunk: None, due: 0 }
    }

    /// Tells what the threads of `logs` do, if its time has come at `now`. Returns after how many
    /// milliseconds to call this again; `None`: never.
    pub(crate) fn tell(&mut self, store: &Store, logs: &Logs, now: u64) -> Option<u64> {
        if !self.is_wanted {
            return None;
        }
        if now >= self.due {
            self.due = now + PERIOD_NS;
            if self.chunk.is_none() {
                self.chunk = store.take(ChunkKind::Present, PROCESS, 0).ok();
                // All of it counts from now on; entries behind the last one have no meaning.
                self.chunk.inspect(|chunk| chunk.commit(CHUNK_PAYLOAD));
            }
            self.is_wanted = self.chunk.is_some();
            self.write(logs);
        }
        Some(self.due.saturating_sub(now) / 1_000_000 + 1)
    }

    fn write(&self, logs: &Logs) {
        let Some(chunk) = self.chunk else { return };
        let tick = clock::now();
        let computing = logs.in_user_code().map(|(_, thread)| {
            let length = tick.saturating_sub(thread.since);
            let not_computed = is_long(length).then(|| not_computed(&thread, tick));
            let (taken, blocked) = not_computed.flatten().unwrap_or_default();
            Present {
                since: thread.since,
                code: thread.code,
                tid: thread.tid,
                doing: Doing::Computes,
                taken,
                blocked,
            }
        });
        let waiting = logs.waiting().map(|thread| Present {
            since: thread.left,
            code: thread.code,
            tid: thread.tid,
            doing: Doing::Waits,
            taken: 0,
            blocked: 0,
        });
        let payload = chunk.payload();
        // SAFETY: the chunk is this teller's, its payload is aligned and longer than the two words
        // and the most entries, and nobody else in this process uses it.
        unsafe {
            let moment = AtomicU64::from_ptr(payload.cast());
            moment.store(0, Ordering::Release);
            let mut count = 0_u64;
            let mut place = payload.add(PRESENT_HEADER);
            for present in computing.chain(waiting).take(MOST_PRESENT) {
                let bytes = present.encode();
                place.copy_from_nonoverlapping(bytes.as_ptr(), PRESENT_SIZE);
                place = place.add(PRESENT_SIZE);
                count += 1;
            }
            payload.add(8).cast::<u64>().write(count.to_le());
            moment.store(tick.to_le(), Ordering::Release);
        }
    }

    /// Releases the chunk.
    pub(crate) fn close(&mut self, store: &Store) {
        self.is_wanted = false;
        if let Some(chunk) = self.chunk.take() {
            store.release(chunk);
        }
    }
}
