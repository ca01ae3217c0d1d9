//! The affinity that a thread has displayed last.

use oxomp_base::places::PlaceNum;
use oxomp_base::word::Word;

/// The part of a thread's affinity that may change from region to region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Displayed {
    pub(super) level: u32,
    pub(super) size: u32,
    pub(super) place: PlaceNum,
}

/// The affinity that a native thread has displayed last. The thread writes it in a region; the
/// primary thread that forms the next region reads it after the barrier at the end of the thread's
/// region.
#[derive(Debug)]
pub(crate) struct LastDisplayed {
    level: Word<u32>,
    /// 0 if the thread has displayed nothing: a team has a thread at least.
    size: Word<u32>,
    place: Word<PlaceNum>,
}

impl Default for LastDisplayed {
    fn default() -> Self {
        LastDisplayed { level: Word::of(0), size: Word::of(0), place: Word::of(PlaceNum::NONE) }
    }
}

impl LastDisplayed {
    /// Whether the thread has displayed `now` last.
    pub(super) fn is(&self, now: Displayed) -> bool {
        (self.level.get(), self.size.get()) == (now.level, now.size)
            && self.place.get() == now.place
    }

    /// The thread has displayed `now`.
    pub(super) fn set(&self, now: Displayed) {
        self.level.set(now.level);
        self.size.set(now.size);
        self.place.set(now.place);
    }

    /// The block's next native thread has displayed nothing.
    pub(crate) fn forget(&self) {
        self.size.set(0);
    }
}
