//! The mode: one word that tells every callback whether events are recorded.

use std::sync::atomic::{AtomicU8, Ordering};

/// Whether events are to be recorded, by the program's commands and the recording's state. The mode
/// does not say whether there is a recording yet: a child of fork(2) may be in mode `On` without
/// one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Mode {
    /// Events are not recorded: not yet, or not any more.
    Off,
    /// Events are recorded, as soon as there is a recording.
    On,
    /// The program has paused the recording.
    Paused,
}

/// A mode that threads share. Relaxed: a callback that runs at the same time as a change may be on
/// either side of it, and it finds the memory that it writes to through another word.
#[derive(Debug)]
pub(crate) struct ModeWord(AtomicU8);

impl ModeWord {
    pub(crate) const fn new() -> Self {
        Self(AtomicU8::new(Mode::Off as u8))
    }

    #[inline]
    pub(crate) fn is(&self, mode: Mode) -> bool {
        self.0.load(Ordering::Relaxed) == mode as u8
    }

    /// Begins the recording.
    pub(crate) fn begin(&self) {
        self.0.store(Mode::On as u8, Ordering::Relaxed);
    }

    /// Pauses. Returns false if events were not recorded.
    pub(crate) fn pause(&self) -> bool {
        self.change(Mode::On, Mode::Paused)
    }

    /// Resumes. Returns false if there was no pause.
    pub(crate) fn resume(&self) -> bool {
        self.change(Mode::Paused, Mode::On)
    }

    /// Ends the recording for good, or before it begins.
    pub(crate) fn end(&self) {
        self.0.store(Mode::Off as u8, Ordering::Relaxed);
    }

    fn change(&self, from: Mode, to: Mode) -> bool {
        let (from, to) = (from as u8, to as u8);
        self.0.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}
