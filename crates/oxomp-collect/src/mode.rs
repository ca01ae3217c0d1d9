//! The mode: one word that tells every callback whether events are recorded.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

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

/// The process's mode.
pub(crate) static MODE: ModeWord = ModeWord::new();

/// A mode that threads share, and how long the recording was paused: one word, so that no thread
/// can see half of a change. A callback reads it relaxed: one that runs at the same time as a
/// change may be on either side of it, and it finds the memory that it writes to through another
/// word.
#[derive(Debug)]
pub(crate) struct ModeWord {
    word: AtomicU64,
    /// 1 in mode `On`, for the runtime: changed after the word, so that a thread which sees the old
    /// value counts a little longer, or begins a little later.
    is_on: AtomicU32,
}

/// The mode is in the lowest bits of the word. Above it are ticks: outside a pause, how many all
/// pauses took; in a pause, the tick of its begin less the ticks of the earlier pauses.
const MODE_BITS: u32 = 2;
const MODE_MASK: u64 = (1 << MODE_BITS) - 1;

impl ModeWord {
    pub(crate) const fn new() -> Self {
        Self { word: AtomicU64::new(Mode::Off as u64), is_on: AtomicU32::new(0) }
    }

    /// A word that is 1 while the mode is `On`, else 0.
    pub(crate) fn shown(&self) -> &AtomicU32 {
        &self.is_on
    }

    /// Another thread may change the word meanwhile: the last thread that shows it sees the last
    /// change. SeqCst, here and at the changes: the other thread's change precedes the value that
    /// it shows, this thread's value replaces that one and precedes this thread's second look.
    fn show(&self) {
        let is_on = || self.word.load(Ordering::SeqCst) & MODE_MASK == Mode::On as u64;
        loop {
            let shown = is_on();
            self.is_on.store(shown.into(), Ordering::SeqCst);
            if is_on() == shown {
                return;
            }
        }
    }

    #[inline]
    pub(crate) fn is(&self, mode: Mode) -> bool {
        self.word.load(Ordering::Relaxed) & MODE_MASK == mode as u64
    }

    #[inline]
    pub(crate) fn get(&self) -> Mode {
        match self.word.load(Ordering::Relaxed) & MODE_MASK {
            mode if mode == Mode::On as u64 => Mode::On,
            mode if mode == Mode::Paused as u64 => Mode::Paused,
            _ => Mode::Off,
        }
    }

    /// The ticks of all pauses until `now`.
    #[inline]
    pub(crate) fn paused_until(&self, now: u64) -> u64 {
        let word = self.word.load(Ordering::Relaxed);
        let ticks = word >> MODE_BITS;
        if word & MODE_MASK == Mode::Paused as u64 { now.saturating_sub(ticks) } else { ticks }
    }

    /// Begins the recording.
    pub(crate) fn begin(&self) {
        self.word.store(Mode::On as u64, Ordering::SeqCst);
        self.show();
    }

    /// Pauses at tick `now`. Returns false if events were not recorded.
    pub(crate) fn pause(&self, now: u64) -> bool {
        self.change(Mode::On, Mode::Paused, now)
    }

    /// Resumes at tick `now`. Returns false if there was no pause.
    pub(crate) fn resume(&self, now: u64) -> bool {
        self.change(Mode::Paused, Mode::On, now)
    }

    /// Ends the recording for good, or before it begins.
    pub(crate) fn end(&self) {
        self.word.store(Mode::Off as u64, Ordering::SeqCst);
        self.show();
    }

    fn change(&self, from: Mode, to: Mode, now: u64) -> bool {
        // `now` less what earlier pauses took; or less that difference: the ticks of all pauses.
        let changed = |word: u64| {
            let ticks = now.saturating_sub(word >> MODE_BITS);
            (word & MODE_MASK == from as u64).then_some(ticks << MODE_BITS | to as u64)
        };
        let word = &self.word;
        let has_changed = word.fetch_update(Ordering::SeqCst, Ordering::Relaxed, changed).is_ok();
        self.show();
        has_changed
    }
}

#[cfg(test)]
mod tests {
    use super::{Mode, ModeWord};

    #[test]
    fn pauses_add_up() {
        let mode = ModeWord::new();
        assert!(!mode.pause(5), "nothing is recorded yet");
        mode.begin();
        assert!(!mode.resume(10) && mode.is(Mode::On));
        let shown = || mode.shown().load(std::sync::atomic::Ordering::Relaxed);
        assert_eq!(shown(), 1);
        assert_eq!(mode.paused_until(50), 0);
        assert!(mode.pause(100) && !mode.pause(110) && mode.is(Mode::Paused));
        assert_eq!(shown(), 0);
        assert_eq!(mode.paused_until(130), 30);
        assert!(mode.resume(140) && !mode.resume(150) && mode.is(Mode::On));
        assert_eq!(mode.paused_until(1000), 40);
        assert!(mode.pause(2000));
        assert_eq!(mode.paused_until(2005), 45);
        assert_eq!(mode.paused_until(1990), 30, "a moment before, on another processor");
        assert!(mode.resume(2010));
        assert_eq!(mode.paused_until(3000), 50);
        mode.end();
        assert!(mode.is(Mode::Off) && !mode.pause(4000) && !mode.resume(4000));
    }
}
