//! A word that one thread writes and any thread may read at any time.
//!
//! A word is in no order with others, but for what a reference in one leads to. A reader may see an old value, never a torn one. To the writer it is a [`Cell`](core::cell::Cell):
//! reading and writing cost what they cost there.

use core::fmt;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64};

use oxomp_ompd_layout::{Kind, Readable};

/// A type whose values fit an atomic word.
pub trait Atom: Copy {
    /// The word that holds a value.
    type Word;

    /// A word that holds `value`.
    fn word(value: Self) -> Self::Word;

    /// The value in the word.
    fn load(word: &Self::Word) -> Self;

    /// Puts a value into the word.
    fn store(word: &Self::Word, value: Self);
}

macro_rules! atoms {
    ($($type:ty => $atomic:ty,)*) => {$(
        impl Atom for $type {
            type Word = $atomic;

            #[inline(always)]
            fn word(value: Self) -> Self::Word {
                <$atomic>::new(value)
            }

            #[inline(always)]
            fn load(word: &Self::Word) -> Self {
                word.load(Relaxed)
            }

            #[inline(always)]
            fn store(word: &Self::Word, value: Self) {
                word.store(value, Relaxed);
            }
        }

        impl Word<$type> {
            /// A word that holds `value`.
            pub const fn new(value: $type) -> Self {
                Word(<$atomic>::new(value))
            }

            /// The word's address, for code that is not Rust.
            #[inline(always)]
            pub const fn as_ptr(&self) -> *mut $type {
                self.0.as_ptr()
            }
        }
    )*};
}

atoms! {
    bool => AtomicBool,
    i32 => AtomicI32,
    u32 => AtomicU32,
    u64 => AtomicU64,
}

impl<T> Atom for *mut T {
    type Word = AtomicPtr<T>;

    #[inline(always)]
    fn word(value: Self) -> Self::Word {
        AtomicPtr::new(value)
    }

    #[inline(always)]
    fn load(word: &Self::Word) -> Self {
        word.load(Relaxed)
    }

    #[inline(always)]
    fn store(word: &Self::Word, value: Self) {
        word.store(value, Relaxed);
    }
}

impl<T> Atom for *const T {
    type Word = AtomicPtr<T>;

    #[inline(always)]
    fn word(value: Self) -> Self::Word {
        AtomicPtr::new(value.cast_mut())
    }

    #[inline(always)]
    fn load(word: &Self::Word) -> Self {
        word.load(Relaxed)
    }

    #[inline(always)]
    fn store(word: &Self::Word, value: Self) {
        word.store(value.cast_mut(), Relaxed);
    }
}

impl<T: Sync> Atom for Option<&'static T> {
    type Word = AtomicPtr<T>;

    #[inline(always)]
    fn word(value: Self) -> Self::Word {
        AtomicPtr::new(value.map_or(ptr::null_mut(), |value| ptr::from_ref(value).cast_mut()))
    }

    #[inline(always)]
    fn load(word: &Self::Word) -> Self {
        // SAFETY: only `word` and `store` write here, null or a reference that lives for ever.
        // Acquire: what the writer knew of the value is seen.
        unsafe { word.load(Acquire).as_ref() }
    }

    #[inline(always)]
    fn store(word: &Self::Word, value: Self) {
        let value = value.map_or(ptr::null_mut(), |value| ptr::from_ref(value).cast_mut());
        // Release: pairs with the Acquire in `load`.
        word.store(value, Release);
    }
}

/// One word, written by one thread at a time and read by any.
#[repr(transparent)]
pub struct Word<T: Atom>(T::Word);

impl<T> Word<*mut T> {
    /// A word that holds `value`.
    pub const fn new(value: *mut T) -> Self {
        Word(AtomicPtr::new(value))
    }

    /// The word's address, for code that is not Rust.
    #[inline(always)]
    pub const fn as_ptr(&self) -> *mut *mut T {
        self.0.as_ptr()
    }
}

impl<T> Word<*const T> {
    /// A word that holds `value`.
    pub const fn new(value: *const T) -> Self {
        Word(AtomicPtr::new(value.cast_mut()))
    }
}

impl<T: Atom> Word<T> {
    /// A word that holds `value`, where no constant is wanted.
    pub fn of(value: T) -> Self {
        Word(T::word(value))
    }

    /// The value, which may be an old one where another thread writes.
    #[inline(always)]
    pub fn get(&self) -> T {
        T::load(&self.0)
    }

    /// Puts `value` in.
    #[inline(always)]
    pub fn set(&self, value: T) {
        T::store(&self.0, value);
    }

    /// Puts `value` in unless it is there: a store would take the line away from other threads.
    #[inline(always)]
    pub fn keep(&self, value: T)
    where
        T: PartialEq,
    {
        if self.get() != value {
            self.set(value);
        }
    }

    /// Puts `value` in and returns the value before. No other thread writes meanwhile.
    #[inline(always)]
    pub fn replace(&self, value: T) -> T {
        let before = self.get();
        self.set(value);
        before
    }
}

impl<T: Atom + Default> Default for Word<T> {
    fn default() -> Self {
        Word(T::word(T::default()))
    }
}

impl<T: Atom + Readable> Readable for Word<T> {
    const KIND: Kind = T::KIND;
}

impl<T: Atom + fmt::Debug> fmt::Debug for Word<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::Word;

    #[test]
    fn a_word_is_a_cell_to_its_writer() {
        let word = Word::<u32>::new(1);
        assert_eq!((word.replace(2), word.get()), (1, 2));
        let mut value = 5;
        let pointer = Word::<*mut i32>::new(core::ptr::null_mut());
        pointer.set(&raw mut value);
        assert_eq!(pointer.get(), &raw mut value);
        assert_eq!(format!("{word:?}"), "2");
    }

    #[test]
    fn a_word_is_shared_between_threads() {
        fn is_sync<T: Sync>(_: &T) {}
        is_sync(&Word::<*const u8>::new(core::ptr::null()));
    }
}
