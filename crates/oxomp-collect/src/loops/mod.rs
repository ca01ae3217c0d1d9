//! The chunks of worksharing constructs: counted and timed as they are handed out, in every mode.
//!
//! An event says that a chunk is about to begin. So the time from one event to the next covers the
//! chunk and handing out the next one, and is an upper bound of the cost of handing out one.

mod state;

use oxomp_trace::FoldKind;
use oxomp_trace::fold::{Extremes, chunks, left_out, share};

use crate::costs::Curve;
use crate::log::Log;
use crate::store::Store;
use state::{LOOP_STATIC, PARTS};

pub(crate) use state::{Chunks, prepare};

impl Log {
    /// A worksharing construct begins, and its chunks are to be counted.
    #[inline]
    pub(crate) fn begin_chunks(
        &mut self,
        store: &Store,
        kind: u8,
        code: u64,
        count: u64,
        now: u64,
    ) {
        self.chunks.begin(kind, code, count, now);
        self.sinks.forget();
        if self.chunks.is_asked_for() && count > 0 {
            let key = [self.region_code(), code];
            self.chunks.curve = self.curve(store, (kind, key), count);
            if self.chunks.curve.is_none() {
                self.leave_out(store, left_out::CURVES);
            }
        }
    }

    /// The cost curve of a loop of `count` iterations, whose number is kept beside its sums.
    fn curve(&mut self, store: &Store, loop_: (u8, [u64; 2]), count: u64) -> Option<Curve> {
        let mut sums = self.entry_beside(store, FoldKind::Chunks, loop_.0, loop_.1)?;
        // SAFETY: an entry of this thread's sums, to which there is no other reference until this
        // function returns.
        let place = &mut unsafe { sums.as_mut() }.key[2];
        self.costs.curve(store, self.number, loop_, count, place)
    }

    /// The worksharing construct ends, and its chunks were counted.
    #[inline]
    pub(crate) fn end_chunks(&mut self, store: &Store, now: u64) {
        let kind = std::mem::take(&mut self.chunks.kind);
        if kind == 0 || self.chunks.handed == 0 {
            return;
        }
        self.add_chunks(store, kind, now);
    }

    fn add_chunks(&mut self, store: &Store, kind: u8, now: u64) {
        self.chunks.end(kind, now);
        let mut run = self.chunks;
        run.kind = kind;
        let region = self.region_code();
        let Some(values) = self.beside(store, FoldKind::Chunks, kind, [region, run.code]) else {
            return;
        };
        values[chunks::EXECUTIONS] += 1;
        values[chunks::ITERATIONS] += run.iterations;
        values[chunks::CHUNKS] += run.handed;
        values[chunks::TIME] += now.saturating_sub(run.begin);
        values[chunks::LONGEST] = values[chunks::LONGEST].max(run.longest);
        let (least, most) = run.sizes;
        Extremes { least, most }.add_to(&mut values[chunks::SIZES]);
        for (sum, time) in values[chunks::PARTS..][..PARTS].iter_mut().zip(run.times) {
            *sum += time;
        }
        values[chunks::DISPATCH] += run.dispatch;
        values[chunks::COUNT] = values[chunks::COUNT].max(run.count);
        if run.kind == LOOP_STATIC {
            self.add_share(store, &run, region, now.saturating_sub(run.begin));
        }
    }

    /// Adds a thread's part of a loop of static schedule, which took `ticks`.
    fn add_share(&mut self, store: &Store, run: &Chunks, region: u64, ticks: u64) {
        let key = [region, run.code];
        let Some(values) = self.beside(store, FoldKind::Share, run.kind, key) else { return };
        let part = [run.chunk.0, run.iterations, run.handed];
        if values[share::EXECUTIONS] == 0 {
            values[share::START..=share::CHUNKS].copy_from_slice(&part);
            values[share::COUNT] = run.count;
            values[share::SHORTEST] = ticks;
        }
        if values[share::START..=share::CHUNKS] != part || values[share::COUNT] != run.count {
            values[share::OTHERS] += 1;
            return;
        }
        values[share::EXECUTIONS] += 1;
        values[share::TIME] += ticks;
        values[share::SHORTEST] = values[share::SHORTEST].min(ticks);
        values[share::LONGEST] = values[share::LONGEST].max(ticks);
    }
}
