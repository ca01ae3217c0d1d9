//! Counters of processor and kernel (perf_event_open(2)), read with each sample of a thread. The
//! README beside `lib.rs` has the argument.

mod attribution;
mod choice;
mod event;
mod fake;
mod kernel;
mod processor;
mod reading;
mod source;
mod table;

use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

use oxomp_trace::counters::{Counter, CounterKey};

use attribution::Attribution;
use choice::{Choice, refusal};
use source::Source;
use table::Table;

use crate::store::Store;

pub(crate) use attribution::Place;
pub(crate) use fake::Fake;
pub(crate) use source::Opener;

/// The counters of a recording's threads.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    choice: Choice,
    /// Threads whose counters could not be opened, and the error of the last one.
    refused: AtomicU32,
    error: AtomicI32,
}

/// The counters of one thread, and where it keeps what they count.
#[derive(Debug)]
pub(crate) struct Counting {
    source: Source,
    attribution: Attribution,
    tid: u32,
}

/// What a stream keeps of its threads' counters, one after another.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    table: Table,
    /// The counters of the present thread.
    thread: Option<Counting>,
}

impl Counters {
    /// Chooses the counters by their names in `list`.
    pub(crate) fn choose(list: &str, opener: Opener) -> Self {
        Self { choice: Choice::of(list, opener), ..Self::default() }
    }

    /// The counters that were asked for, and why some are not there.
    pub(crate) fn told(&self) -> &[Counter] {
        &self.choice.counters
    }

    /// Nothing is counted, for the reason `why`.
    pub(crate) fn refuse_all(&mut self, why: &str) {
        self.choice.refuse_all(why);
    }

    /// A message about threads whose counters could not be opened, once.
    pub(crate) fn remark(&self) -> Option<String> {
        let refused = self.refused.swap(0, Ordering::Relaxed);
        let event = self.choice.events.first()?;
        let error = std::io::Error::from_raw_os_error(self.error.load(Ordering::Relaxed));
        (refused > 0).then(|| {
            format!("{refused} threads are without counters: {}", refusal(event, &error, None))
        })
    }
}

impl Stream {
    /// The calling thread, whose number the system gives, continues the stream `number`, after so
    /// many ticks of pauses of the recording.
    pub(crate) fn begin(&mut self, counters: &Counters, number: u32, tid: u32, paused: u64) {
        self.table.begin(number);
        if counters.choice.events.is_empty() {
            return;
        }
        match counters.choice.open_thread() {
            Ok(source) => {
                let begin = source.read().unwrap_or_default();
                let attribution = Attribution::begin(begin, paused);
                self.thread = Some(Counting { source, attribution, tid });
            }
            Err(error) => {
                counters.refused.fetch_add(1, Ordering::Relaxed);
                counters.error.store(error.raw_os_error().unwrap_or(0), Ordering::Relaxed);
            }
        }
    }

    /// Whether the present thread counts.
    #[inline]
    pub(crate) fn counts(&self) -> bool {
        self.thread.is_some()
    }

    /// Reads the counters at `place`. Signal-safe, but that it may change errno.
    pub(crate) fn read(&mut self, store: &Store, place: Place, paused: u64) {
        let Some(thread) = &mut self.thread else { return };
        let Some(reading) = thread.source.read() else { return };
        if let Some((key, counts)) = thread.attribution.take(&reading, place, paused) {
            self.table.add(store, key, &counts);
            self.table.add(store, CounterKey::Thread { tid: thread.tid }, &counts);
        }
    }

    /// The present thread ends: what it has counted since its last sample is in its sum alone.
    pub(crate) fn end(&mut self, store: &Store, paused: u64) {
        let Some(mut thread) = self.thread.take() else { return };
        if let Some(reading) = thread.source.read()
            && let Some(counts) = thread.attribution.advance(&reading, paused)
        {
            self.table.add(store, CounterKey::Thread { tid: thread.tid }, &counts);
        }
    }

    /// Releases the chunk.
    pub(crate) fn close(&mut self, store: &Store) {
        self.table.close(store);
    }
}
