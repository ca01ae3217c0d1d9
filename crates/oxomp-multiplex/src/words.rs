//! The tools' words of an object, found through the runtime's word for it.

use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{
    AtomicU64, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed},
};

use ompt::raw::c::ompt_data_t;

use crate::arena::{Arena, Block, Id};
use crate::shard::{self, SHARDS, Shards};
use crate::tools::MAX_TOOLS;

/// The blocks of all objects.
pub(crate) static ARENA: Arena = Arena::new();

/// Addresses below this count as null: libomp 19 and libiomp5 2026 may answer with a word at some
/// offset from a null pointer to a team.
const FIRST_MAPPED: usize = 4096;

/// The tools' words of one object: one per tool, side by side. Null if the runtime passed no word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words(*mut ompt_data_t);

impl Words {
    const NONE: Self = Self(null_mut());

    fn of_block(block: Block<'_>) -> Self {
        Self(block.words().as_ptr().cast())
    }

    /// The word of a tool; null if the runtime passed no word.
    #[inline]
    pub(crate) fn of(self, tool: usize) -> *mut ompt_data_t {
        match self.0.is_null() {
            true => null_mut(),
            false => self.0.wrapping_add(tool),
        }
    }
}

/// The runtime's word of an object.
///
/// Threads may use the word of one region at once, hence the atomic operations (Invariant 5).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a>(Option<&'a AtomicU64>);

impl<'a> Word<'a> {
    /// The word at an address that the runtime passed.
    ///
    /// # Safety
    /// `word` is null, or one of the addresses at which no memory is mapped, or points to a word of
    /// the runtime that is alive for `'a`, and that the runtime does not write meanwhile.
    #[inline]
    pub(crate) unsafe fn new<T>(word: *mut T) -> Self {
        const { assert!(size_of::<T>() == size_of::<u64>()) };
        match word.addr() < FIRST_MAPPED {
            true => Self(None),
            // SAFETY: the word is alive for `'a` (`# Safety`), and the layouts are the same.
            false => Self(NonNull::new(word.cast()).map(|word| unsafe { word.as_ref() })),
        }
    }

    /// The words of an object that exists. Signal-safe.
    ///
    /// Makes the words if the object has none yet: the runtime may show an object before its begin
    /// event, or without such an event. An object that is over gets words that no other call uses
    /// now.
    #[inline]
    pub(crate) fn find(self) -> Words {
        let Some(word) = self.0 else { return Words::NONE };
        let value = word.load(Acquire);
        if let Some(block) = ARENA.get(Id::from_value(value)) {
            return Words::of_block(block);
        }
        if value == 0 { self.make(0).map_or_else(spare, Words::of_block) } else { spare() }
    }

    /// The words of an object that begins: new ones, unless the runtime has shown the object before
    /// its begin.
    #[inline]
    pub(crate) fn begin(self) -> Words {
        self.begin_block().map_or(Words::NONE, |block| block.map_or_else(spare, Words::of_block))
    }

    /// As [`Word::begin`], but returns the block: `None` without a word, `Some(None)` without
    /// memory.
    pub(crate) fn begin_block(self) -> Option<Option<Block<'static>>> {
        let value = self.0?.load(Acquire);
        let present = ARENA.get(Id::from_value(value)).filter(|block| !block.is_over());
        Some(present.or_else(|| self.make(value)))
    }

    /// The block of an object that has words.
    pub(crate) fn block(self) -> Option<Block<'static>> {
        ARENA.get(Id::from_value(self.0?.load(Acquire)))
    }

    /// The object is over. Its words stay as they are for a while: workers may have their last
    /// events of a region later, and runtimes still show a task that has just ended.
    #[inline]
    pub(crate) fn end(self) {
        if let Some(block) = self.block() {
            end_block(block);
        }
    }

    /// Makes words and stores their name in the runtime's word in place of `value`, unless another
    /// thread has done that; `None` without memory.
    fn make(self, value: u64) -> Option<Block<'static>> {
        let word = self.0?;
        let block = ARENA.allocate()?;
        // Release: the thread that finds the name sees the words as 0.
        match word.compare_exchange(value, block.id().value(), AcqRel, Acquire) {
            Ok(_) => Some(block),
            Err(present) => {
                ARENA.free(block.id());
                ARENA.get(Id::from_value(present))
            }
        }
    }
}

/// The object of this block is over. The block is freed after the threads of this processor have
/// ended 1024 further blocks (Invariant 6).
#[inline]
pub(crate) fn end_block(block: Block<'_>) {
    const KEPT: usize = 1024;
    static ENDED: [[AtomicU64; KEPT]; SHARDS] =
        [const { [const { AtomicU64::new(0) }; KEPT] }; SHARDS];
    static NEXT: Shards = shard::zeros();
    block.set_over();
    let part = shard::here();
    let at = NEXT[part].0.fetch_add(1, Relaxed) as usize % KEPT;
    ARENA.free(Id::from_value(ENDED[part][at].swap(block.id().value(), AcqRel)));
}

/// Words for an object that has no block, since it is over, or since there was no memory for a
/// block. Their values are 0 now. Later calls get other words, so a value that a tool stores there
/// is soon lost.
#[cold]
fn spare() -> Words {
    const KEPT: usize = 64;
    static SPARE: [[AtomicU64; MAX_TOOLS]; KEPT] =
        [const { [const { AtomicU64::new(0) }; MAX_TOOLS] }; KEPT];
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let words = &SPARE[NEXT.fetch_add(1, Relaxed) % KEPT];
    for word in words {
        word.store(0, Relaxed);
    }
    Words(words.as_ptr().cast_mut().cast())
}

#[cfg(test)]
mod tests {
    use std::ptr::null_mut;
    use std::thread;

    use super::{ARENA, Word, Words, shard};

    fn prepare() {
        ARENA.set_width(2);
    }

    fn of(word: &mut u64) -> Word<'_> {
        // SAFETY: the variable outlives the result.
        unsafe { Word::new(word) }
    }

    fn value(words: Words, tool: usize) -> u64 {
        // SAFETY: the tests use words of live objects.
        unsafe { (*words.of(tool)).value }
    }

    fn set(words: Words, tool: usize, value: u64) {
        // SAFETY: as above.
        unsafe { (*words.of(tool)).value = value };
    }

    #[test]
    fn each_tool_has_a_word_of_its_own() {
        prepare();
        let mut word = 0;
        let words = of(&mut word).begin();
        set(words, 0, 7);
        set(words, 1, 9);
        let words = of(&mut word).find();
        assert_eq!((value(words, 0), value(words, 1)), (7, 9));
    }

    #[test]
    fn no_word_is_passed_on_as_none() {
        prepare();
        for address in [null_mut::<u64>(), std::ptr::without_provenance_mut(16)] {
            // SAFETY: no memory is at these addresses.
            let word = unsafe { Word::new(address) };
            assert!(word.find().of(1).is_null() && word.begin().of(0).is_null());
            word.end();
        }
    }

    #[test]
    fn an_object_that_is_over_keeps_its_words_for_a_while() {
        prepare();
        shard::use_one();
        let mut word = 0;
        set(of(&mut word).begin(), 1, 5);
        let mut copy = word;
        of(&mut word).end();
        for word in [&mut word, &mut copy] {
            assert_eq!(value(of(word).find(), 1), 5);
        }
        // Other tests of this process may end some, too.
        for _ in 0..5000 {
            let mut other = 0;
            of(&mut other).begin();
            of(&mut other).end();
        }
        for word in [&mut word, &mut copy] {
            assert_eq!(value(of(word).find(), 1), 0);
        }
    }

    #[test]
    fn an_object_that_begins_has_new_words_though_the_runtime_has_not_reset_its_own() {
        prepare();
        let mut word = 0;
        set(of(&mut word).begin(), 0, 5);
        of(&mut word).end();
        let words = of(&mut word).begin();
        assert_eq!(value(words, 0), 0);
        set(words, 0, 6);
        assert_eq!(value(of(&mut word).find(), 0), 6);
    }

    #[test]
    fn an_object_shown_before_its_begin_keeps_what_a_tool_stored() {
        prepare();
        let mut word = 0;
        set(of(&mut word).find(), 1, 8);
        assert_eq!(value(of(&mut word).begin(), 1), 8);
    }

    #[test]
    fn threads_that_find_a_word_at_once_find_the_same() {
        prepare();
        for _ in 0..200 {
            let mut word = 0_u64;
            let address = (&raw mut word).expose_provenance();
            let addresses = thread::scope(|scope| {
                let find = || {
                    let word = std::ptr::with_exposed_provenance_mut::<u64>(address);
                    // SAFETY: the variable outlives the threads.
                    unsafe { Word::new(word) }.find().of(0).addr()
                };
                let threads = [scope.spawn(find), scope.spawn(find), scope.spawn(find)];
                threads.map(|thread| thread.join().unwrap())
            });
            assert!(addresses.iter().all(|found| *found == addresses[0]));
        }
    }
}
