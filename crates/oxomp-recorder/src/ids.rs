//! The contents of the recorder's data words: the kind of an object, and its number.

use std::sync::atomic::{AtomicU64, Ordering};

use ompt::DataWord;

/// The kinds of objects that have a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Parallel,
    Task,
    Thread,
}

impl Kind {
    /// The top byte of the word, by which a foreign or mixed-up word is recognized.
    const fn tag(self) -> u64 {
        match self {
            Self::Parallel => 0x70,
            Self::Task => 0x74,
            Self::Thread => 0x68,
        }
    }
}

const TAG_SHIFT: u32 = 56;

/// A data word as a callback saw it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Word(u64);

impl Word {
    /// The pointer to the word was null.
    pub(crate) const NULL: Self = Self(u64::MAX);
    /// No event announced the object.
    pub(crate) const ZERO: Self = Self(0);

    /// The word behind a callback's argument.
    pub(crate) fn of(word: Option<&DataWord>) -> Self {
        word.map_or(Self::NULL, |word| Self(word.get()))
    }

    /// Whether this is one of our words for that kind of object.
    pub(crate) fn is(self, kind: Kind) -> bool {
        self != Self::NULL && self.0 >> TAG_SHIFT == kind.tag()
    }

    /// The word itself.
    pub(crate) fn value(self) -> u64 {
        self.0
    }
}

/// A new object's word, and what stood there before: 0 if the runtime initialized it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Announced {
    pub(crate) word: Word,
    pub(crate) dirty: u64,
}

/// Numbers for new objects.
#[derive(Debug)]
pub(crate) struct Numbers(AtomicU64);

impl Numbers {
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(1))
    }

    fn next(&self, kind: Kind) -> u64 {
        kind.tag() << TAG_SHIFT | self.0.fetch_add(1, Ordering::Relaxed)
    }

    /// Gives a new object its word.
    pub(crate) fn announce(&self, word: Option<&DataWord>, kind: Kind) -> Announced {
        match word {
            None => Announced { word: Word::NULL, dirty: 0 },
            Some(word) => {
                let dirty = word.get();
                let new = self.next(kind);
                word.set(new);
                Announced { word: Word(new), dirty }
            }
        }
    }

    /// The word of an object that other threads may meet at the same time; gives the object a word
    /// if it has none.
    pub(crate) fn announce_once(&self, word: Option<&DataWord>, kind: Kind) -> Word {
        match word {
            None => Word::NULL,
            Some(word) => match word.get() {
                0 => {
                    let new = self.next(kind);
                    Word(word.compare_exchange(0, new).map_or_else(|other| other, |()| new))
                }
                value => Word(value),
            },
        }
    }
}
