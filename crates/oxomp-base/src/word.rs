//! A word that one thread writes and any thread may read at any time.
//!
//! Accesses of a word are relaxed, except that a thread that reads a reference also sees the value
//! to which it leads. A reader may see an old value, never a torn one. For the writer, reading and
//! writing cost as much as with a [`Cell`](core::cell::Cell).

use core::fmt;
use core::ptr::{self, NonNull};
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

    /// Stores a value in the word.
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
            #[inline]
            pub const fn new(value: $type) -> Self {
                Word(<$atomic>::new(value))
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

impl Word<u64> {
    /// The address of a tool's word, for the tool.
    #[inline]
    pub const fn as_ptr(&self) -> *mut u64 {
        self.0.as_ptr()
    }

    /// The value; if it is 0, first stores the result of `value`. Several threads, or a signal
    /// handler, may call it at once: all get the same value.
    pub fn get_or_set(&self, value: impl FnOnce() -> u64) -> u64 {
        match self.get() {
            0 => {
                let new = value();
                self.0.compare_exchange(0, new, Relaxed, Relaxed).map_or_else(|old| old, |_| new)
            }
            value => value,
        }
    }
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

/// A reference to a value that is never freed, which a word holds by the value's address.
pub trait Reference: Copy + Send {
    /// The type of the value.
    type To;

    /// The value's address.
    fn address(self) -> NonNull<Self::To>;

    /// The reference to the value at `address`.
    ///
    /// # Safety
    /// `address` is the address of a reference of this type.
    unsafe fn at(address: NonNull<Self::To>) -> Self;
}

impl<T: Sync> Reference for &'static T {
    type To = T;

    #[inline(always)]
    fn address(self) -> NonNull<T> {
        NonNull::from(self)
    }

    #[inline(always)]
    unsafe fn at(address: NonNull<T>) -> Self {
        // SAFETY: the address is that of a `'static` reference (`# Safety`).
        unsafe { address.as_ref() }
    }
}

impl<R: Reference> Atom for Option<R> {
    type Word = AtomicPtr<R::To>;

    #[inline(always)]
    fn word(value: Self) -> Self::Word {
        AtomicPtr::new(value.map_or(ptr::null_mut(), |value| value.address().as_ptr()))
    }

    #[inline(always)]
    fn load(word: &Self::Word) -> Self {
        // Acquire: pairs with the Release in `store`, so that the reader sees the value that the
        // reference leads to.
        let address = NonNull::new(word.load(Acquire))?;
        // SAFETY: only `word` and `store` write the word: null, or the address of a reference.
        Some(unsafe { R::at(address) })
    }

    #[inline(always)]
    fn store(word: &Self::Word, value: Self) {
        let address = value.map_or(ptr::null_mut(), |value| value.address().as_ptr());
        // Release: pairs with the Acquire in `load`.
        word.store(address, Release);
    }
}

impl<R: Reference> Word<Option<R>> {
    /// A word without a reference.
    pub const fn empty() -> Self {
        Word(AtomicPtr::new(ptr::null_mut()))
    }
}

/// A word that one thread at a time writes and any thread reads.
#[repr(transparent)]
pub struct Word<T: Atom>(T::Word);

impl<T> Word<*mut T> {
    /// A word that holds `value`.
    pub const fn new(value: *mut T) -> Self {
        Word(AtomicPtr::new(value))
    }

    /// The word's address, for assembly and compiled code.
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
    /// A word that holds `value`, outside of constants.
    pub fn of(value: T) -> Self {
        Word(T::word(value))
    }

    /// The value; an old one if another thread is writing.
    #[inline(always)]
    pub fn get(&self) -> T {
        T::load(&self.0)
    }

    /// Stores `value`.
    #[inline(always)]
    pub fn set(&self, value: T) {
        T::store(&self.0, value);
    }

    /// Stores `value` if the word has another one: a store would invalidate the cache line in other
    /// cores.
    #[inline(always)]
    pub fn keep(&self, value: T)
    where
        T: PartialEq,
    {
        if self.get() != value {
            self.set(value);
        }
    }

    /// Stores `value` and returns the previous one. Not atomic: no other thread may write
    /// meanwhile.
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
    fn a_word_is_set_once() {
        let word = Word::<u64>::new(0);
        assert_eq!((word.get_or_set(|| 3), word.get_or_set(|| 4), word.get()), (3, 3, 3));
    }

    #[test]
    fn a_word_is_shared_between_threads() {
        fn is_sync<T: Sync>(_: &T) {}
        is_sync(&Word::<*const u8>::new(core::ptr::null()));
    }
}
