//! Regions that took longer than a limit, told to a reader that follows the recording:
//! `oxomp_trace::slow_regions` has the form. The thread that ends such a region tells it.
//!
//! A thread takes a number by an atomic addition, which gives it a place in the chunk; only where
//! more than all places are written at the same time do two threads write the same one, and then
//! the reader finds one of the regions, or parts of both.

use std::ptr;
use std::sync::atomic::Ordering::{Relaxed, Release};
use std::sync::atomic::{AtomicPtr, AtomicU64};

use oxomp_trace::layout::{CHUNK_PAYLOAD, ChunkKind, PROCESS};
use oxomp_trace::slow_regions::{MOST_SLOW, REQUEST, SLOW_SIZE};

use crate::store::Store;

/// Regions that took more ticks are told.
static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
/// How many have been told.
static COUNT: AtomicU64 = AtomicU64::new(0);
/// The payload of the chunk; null without one.
static PAYLOAD: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());

const WORDS: usize = SLOW_SIZE / 8;

/// A recording begins into a new file: regions that take more than `limit` ticks are told, or none.
/// Requests of the program are told if the recording `is_followed`.
pub(crate) fn begin_anew(store: &Store, limit: Option<u64>, is_followed: bool) {
    LIMIT.store(u64::MAX, Relaxed);
    COUNT.store(0, Relaxed);
    PAYLOAD.store(ptr::null_mut(), Relaxed);
    if limit.is_none() && !is_followed {
        return;
    }
    // Without room the reader learns of no region.
    let Ok(chunk) = store.take(ChunkKind::SlowRegions, PROCESS, 0) else { return };
    chunk.commit(CHUNK_PAYLOAD);
    PAYLOAD.store(chunk.payload(), Relaxed);
    // A thread that sees the limit and no payload yet tells nothing.
    LIMIT.store(limit.unwrap_or(u64::MAX), Relaxed);
}

/// Tells that the program asks for the recording of the last seconds to be written, at tick `now`.
pub(crate) fn request(now: u64) {
    tell(REQUEST, 0, now);
}

/// Tells a region that took `ticks` until tick `end`, if that is long.
#[inline]
pub(crate) fn see(code: u64, ticks: u64, end: u64) {
    if ticks > LIMIT.load(Relaxed) {
        tell(code, ticks, end);
    }
}

#[cold]
fn tell(code: u64, ticks: u64, end: u64) {
    let number = COUNT.fetch_add(1, Relaxed) + 1;
    let place = number as usize % MOST_SLOW * WORDS;
    let payload = PAYLOAD.load(Relaxed).cast::<u64>();
    if payload.is_null() {
        return;
    }
    let words = [number, code, end.saturating_sub(ticks), end];
    let entry: [&AtomicU64; WORDS] = std::array::from_fn(|word| {
        // SAFETY: the payload is aligned, has room for all places, and stays mapped; all threads
        // write to it by atomic stores alone.
        unsafe { AtomicU64::from_ptr(payload.add(place + word)) }
    });
    entry[0].store(0, Relaxed);
    // Release, each: a reader that sees the number sees the rest.
    for (word, value) in entry.iter().zip(words).skip(1) {
        word.store(value.to_le(), Release);
    }
    entry[0].store(number.to_le(), Release);
}
