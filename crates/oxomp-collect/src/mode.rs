//! Whether events are recorded: one word for every callback to look at.

use std::sync::atomic::{AtomicU8, Ordering};

/// What the program and the recording's own life ask for. Whether there is a recording yet is
/// another question: a child of fork may want one and have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Mode {
    /// Nothing is recorded: not yet, or not any more.
    Off,
    /// Events are recorded, as soon as there is a recording.
    On,
    /// The program said pause.
    Paused,
}

/// A mode that threads share. Relaxed: a callback that runs at the same time as a change may be on
/// either side of it, and what it writes to is found through another word.
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

    /// The recording begins.
    pub(crate) fn begin(&self) {
        self.0.store(Mode::On as u8, Ordering::Relaxed);
    }

    /// False if events were not recorded.
    pub(crate) fn pause(&self) -> bool {
        self.change(Mode::On, Mode::Paused)
    }

    /// False if there was no pause.
    pub(crate) fn resume(&self) -> bool {
        self.change(Mode::Paused, Mode::On)
    }

    /// The recording ends, or never begins; for good.
    pub(crate) fn end(&self) {
        self.0.store(Mode::Off as u8, Ordering::Relaxed);
    }

    fn change(&self, from: Mode, to: Mode) -> bool {
        let (from, to) = (from as u8, to as u8);
        self.0.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}
