//! What both interfaces of the recorder have in common: records, and when they are written.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::buffer::Buffers;
use crate::output;
use crate::record::{Record, Values};
use crate::settings::{Events, Settings};
use crate::value::Value;

/// The records of a run of the tool, with the header `H` of their log; `E` are sets of events.
#[derive(Debug)]
pub(crate) struct Recording<H, E> {
    settings: Settings<E>,
    header: Mutex<H>,
    started: Instant,
    started_in: u32,
    sequence: AtomicU64,
    buffers: Buffers<Record>,
    /// Whether the program has told the recorder to pause, or to end for good.
    is_paused: AtomicBool,
    has_ended: AtomicBool,
}

impl<H: Display, E: Events + Copy> Recording<H, E> {
    /// A recording without records. `started_in` is the process that has started the tool first.
    pub(crate) fn new(settings: Settings<E>, header: H, started_in: u32) -> Self {
        Self {
            header: Mutex::new(header),
            started: Instant::now(),
            started_in,
            sequence: AtomicU64::new(0),
            buffers: Buffers::new(settings.capacity),
            settings,
            is_paused: AtomicBool::new(false),
            has_ended: AtomicBool::new(false),
        }
    }

    /// The events to register.
    pub(crate) fn events(&self) -> E {
        self.settings.events
    }

    /// Completes the header.
    pub(crate) fn change_header(&self, change: impl FnOnce(&mut H)) {
        change(&mut self.header.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Records one event, unless the recording pauses. The number is taken first, so that what the
    /// callback does afterwards does not change the order. `values` is called even in a pause, so
    /// that new objects get their words.
    pub(crate) fn event<const N: usize>(
        &self,
        name: &'static str,
        state_and_wait: impl FnOnce() -> (Value, Value),
        values: impl FnOnce() -> [(&'static str, Value); N],
    ) -> Option<u64> {
        let is_recording = !self.is_paused.load(Ordering::Relaxed);
        let seq = self.sequence.fetch_add(1, Ordering::Relaxed);
        let time = u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let (state, wait) = state_and_wait();
        let values = Values::of(values());
        is_recording.then(|| {
            let is_detail = false;
            self.buffers.push(Record { seq, is_detail, name, values, time, state, wait });
            seq
        })
    }

    /// Records a detail of the event with the number `seq`.
    pub(crate) fn detail<const N: usize>(
        &self,
        seq: u64,
        name: &'static str,
        values: [(&'static str, Value); N],
    ) {
        let (values, none) = (Values::of(values), Value::NONE);
        let (is_detail, time) = (true, 0);
        self.buffers.push(Record { seq, is_detail, name, values, time, state: none, wait: none });
    }

    /// Whether the log has a file, so that it can be written several times.
    pub(crate) fn has_file(&self) -> bool {
        self.settings.file.is_some()
    }

    /// Stops recording for a while, or goes on.
    pub(crate) fn pause(&self, is_paused: bool) {
        self.is_paused.store(is_paused, Ordering::Relaxed);
    }

    /// Writes the log, and stops recording for good.
    pub(crate) fn end(&self) {
        self.pause(true);
        self.has_ended.store(true, Ordering::Relaxed);
        self.write();
    }

    /// Whether the program has ended the recording.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::Relaxed)
    }

    /// Writes everything recorded so far.
    pub(crate) fn write(&self) {
        let file = self.settings.file_for_process(self.started_in);
        let header = self.header.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = output::write(&*header, &self.buffers, file.as_deref()) {
            let name = file.map_or("stderr".into(), |file| file.display().to_string());
            eprintln!("oxomp-recorder: OXOMP_RECORD: cannot write {name}: {error}");
        }
    }
}
