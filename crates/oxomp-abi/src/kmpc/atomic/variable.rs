//! A variable of an atomic construct: a word of the processor, or memory under the atomic lock.

use core::marker::PhantomData;
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

use oxomp_core::CallSite;
use oxomp_core::mutex::atomic;

/// An integer that the processor updates in one step.
pub trait Word {
    /// The plain integer.
    type Bits: Copy + Eq;

    fn load(&self) -> Self::Bits;
    fn store(&self, bits: Self::Bits);
    fn swap(&self, bits: Self::Bits) -> Self::Bits;
    /// Returns the value before, as `Ok` if `new` was stored. The weak form may fail though the
    /// value is `old`.
    fn compare_exchange(&self, old: Self::Bits, new: Self::Bits) -> Result<Self::Bits, Self::Bits>;
    fn compare_exchange_weak(
        &self,
        old: Self::Bits,
        new: Self::Bits,
    ) -> Result<Self::Bits, Self::Bits>;

    /// Replaces the value by the one that `update` makes of it, and returns the value before.
    #[inline(always)]
    fn update(&self, mut update: impl FnMut(Self::Bits) -> Self::Bits) -> Self::Bits {
        let mut old = self.load();
        loop {
            match self.compare_exchange_weak(old, update(old)) {
                Ok(old) => return old,
                Err(newer) => old = newer,
            }
        }
    }
}

macro_rules! words {
    ($($word:ident $bits:ident)*) => {
        $(impl Word for $word {
            type Bits = $bits;

            // The routines are called for every memory order: the strongest serves all. Where the
            // processor keeps accesses in order, only a store costs more.
            #[inline(always)]
            fn load(&self) -> $bits {
                $word::load(self, SeqCst)
            }

            #[inline(always)]
            fn store(&self, bits: $bits) {
                $word::store(self, bits, SeqCst);
            }

            #[inline(always)]
            fn swap(&self, bits: $bits) -> $bits {
                $word::swap(self, bits, SeqCst)
            }

            #[inline(always)]
            fn compare_exchange(&self, old: $bits, new: $bits) -> Result<$bits, $bits> {
                $word::compare_exchange(self, old, new, SeqCst, SeqCst)
            }

            #[inline(always)]
            fn compare_exchange_weak(&self, old: $bits, new: $bits) -> Result<$bits, $bits> {
                // Relaxed: a value that has changed is only the start of the next try.
                $word::compare_exchange_weak(self, old, new, SeqCst, Relaxed)
            }
        })*
    };
}

words! { AtomicU8 u8 AtomicU16 u16 AtomicU32 u32 AtomicU64 u64 }

/// The word of a type that is larger than all words: no value of `NoWord` exists.
#[derive(Debug)]
pub enum NoWord {}

impl Word for NoWord {
    type Bits = ();

    fn load(&self) {
        match *self {}
    }

    fn store(&self, (): ()) {
        match *self {}
    }

    fn swap(&self, (): ()) {
        match *self {}
    }

    fn compare_exchange(&self, (): (), (): ()) -> Result<(), ()> {
        match *self {}
    }

    fn compare_exchange_weak(&self, (): (), (): ()) -> Result<(), ()> {
        match *self {}
    }
}

/// The value of a variable.
pub trait Value: Copy {
    /// The word that it fills.
    type Word: Word;

    fn to_bits(self) -> <Self::Word as Word>::Bits;
    fn from_bits(bits: <Self::Word as Word>::Bits) -> Self;
}

macro_rules! integers {
    ($($integer:ident $word:ident $bits:ident)*) => {
        $(impl Value for $integer {
            type Word = $word;

            #[inline(always)]
            fn to_bits(self) -> $bits {
                self as $bits
            }

            #[inline(always)]
            fn from_bits(bits: $bits) -> Self {
                bits as $integer
            }
        })*
    };
}

integers! {
    i8 AtomicU8 u8 u8 AtomicU8 u8 i16 AtomicU16 u16 u16 AtomicU16 u16
    i32 AtomicU32 u32 u32 AtomicU32 u32 i64 AtomicU64 u64 u64 AtomicU64 u64
}

macro_rules! floats {
    ($($float:ident $word:ident $bits:ident)*) => {
        $(impl Value for $float {
            type Word = $word;

            #[inline(always)]
            fn to_bits(self) -> $bits {
                $float::to_bits(self)
            }

            #[inline(always)]
            fn from_bits(bits: $bits) -> Self {
                $float::from_bits(bits)
            }
        })*
    };
}

floats! { f32 AtomicU32 u32 f64 AtomicU64 u64 }

/// A variable of an atomic construct (rule A12).
#[repr(transparent)]
#[derive(Debug)]
pub struct Variable<'a, X> {
    address: *mut X,
    lives: PhantomData<&'a X>,
}

#[cfg(test)]
impl<'a, X> From<&'a mut X> for Variable<'a, X> {
    fn from(variable: &'a mut X) -> Self {
        Variable { address: variable, lives: PhantomData }
    }
}

/// Runs `body` on a variable that no other routine updates meanwhile.
#[inline(never)]
#[cold]
fn locked<R>(site: CallSite, body: impl FnOnce() -> R) -> R {
    atomic::enter(site);
    let result = body();
    atomic::leave(site);
    result
}

impl<X: Value> Variable<'_, X> {
    /// The variable as a word, if it is one.
    #[inline(always)]
    fn word(&self) -> Option<&X::Word> {
        let word = self.address.cast::<X::Word>();
        let fits = size_of::<X>() == size_of::<X::Word>() && word.is_aligned();
        // SAFETY: as large and as aligned as a word is; A12: only atomic routines access it.
        if fits { Some(unsafe { &*word }) } else { None }
    }

    /// Replaces the value by the one that `with_word`, or on memory `compute`, makes of it. Returns
    /// the value before.
    #[inline(always)]
    pub(super) fn update(
        &self,
        with_word: impl FnOnce(&X::Word) -> <X::Word as Word>::Bits,
        compute: impl FnOnce(X) -> X,
        site: CallSite,
    ) -> X {
        if let Some(word) = self.word() {
            return X::from_bits(with_word(word));
        }
        // SAFETY: A12: only atomic routines access the variable, and the lock excludes the others.
        locked(site, || unsafe {
            let old = self.address.read_unaligned();
            self.address.write_unaligned(compute(old));
            old
        })
    }

    /// Reads the value atomically.
    #[inline(always)]
    pub(super) fn read(&self, site: CallSite) -> X {
        self.update(Word::load, |old| old, site)
    }

    /// Stores a value atomically.
    #[inline(always)]
    pub(super) fn write(&self, value: X, site: CallSite) {
        let store = |word: &X::Word| {
            let bits = value.to_bits();
            word.store(bits);
            bits
        };
        self.update(store, |_| value, site);
    }

    /// Stores a value, and returns the value before.
    #[inline(always)]
    pub(super) fn swap(&self, value: X, site: CallSite) -> X {
        self.update(|word| word.swap(value.to_bits()), |_| value, site)
    }

    /// Stores `desired` if the value is `expected`. Returns the value before.
    #[inline(always)]
    pub(super) fn compare_and_swap(&self, expected: X, desired: X, site: CallSite) -> X
    where
        X: PartialEq,
    {
        let exchange =
            |word: &X::Word| match word.compare_exchange(expected.to_bits(), desired.to_bits()) {
                Ok(old) | Err(old) => old,
            };
        let compute = |old| if old == expected { desired } else { old };
        self.update(exchange, compute, site)
    }
}

#[cfg(test)]
mod tests {
    use super::Variable;
    use core::marker::PhantomData;
    use oxomp_core::CallSite;

    #[test]
    fn aligned_words_are_updated_by_instructions() {
        let mut number = 3_i32;
        let variable = Variable::from(&mut number);
        assert!(variable.word().is_some());
        assert_eq!(variable.swap(5, CallSite::none()), 3);
        assert_eq!(variable.compare_and_swap(4, 9, CallSite::none()), 5);
        assert_eq!(variable.compare_and_swap(5, 6, CallSite::none()), 5);
        assert_eq!(variable.read(CallSite::none()), 6);
        variable.write(-1, CallSite::none());
        assert_eq!(number, -1);
    }

    #[test]
    fn unaligned_variables_are_updated_under_the_lock() {
        let mut bytes = [0_u32; 3];
        let address = bytes.as_mut_ptr().wrapping_byte_add(1).cast::<u64>();
        let variable = Variable { address, lives: PhantomData };
        assert!(variable.word().is_none());
        variable.write(7, CallSite::none());
        assert_eq!(variable.swap(8, CallSite::none()), 7);
        assert_eq!(variable.read(CallSite::none()), 8);
    }
}
