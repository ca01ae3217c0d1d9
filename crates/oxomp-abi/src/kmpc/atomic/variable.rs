//! A variable of an atomic construct: a word of the processor, or memory under the atomic lock.

use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

use oxomp_core::CallSite;
use oxomp_core::mutex::atomic;

/// An integer that the processor updates in one step.
pub(super) trait Word {
    /// The plain integer.
    type Bits: Copy + Eq;

    fn load(&self) -> Self::Bits;
    fn store(&self, bits: Self::Bits);
    fn swap(&self, bits: Self::Bits) -> Self::Bits;
    /// The value before, `Ok` if `new` was stored. The weak form fails at times for no reason.
    fn compare_exchange(&self, old: Self::Bits, new: Self::Bits) -> Result<Self::Bits, Self::Bits>;
    fn compare_exchange_weak(
        &self,
        old: Self::Bits,
        new: Self::Bits,
    ) -> Result<Self::Bits, Self::Bits>;

    /// Replaces the value by what `update` makes of it; the value before.
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

            // The routines are called for every memory order: the strongest serves all, and costs
            // nothing more on x86_64 but for a store.
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

/// The word of a type that is larger than all words: there is none.
pub(super) enum NoWord {}

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

/// What a variable holds.
pub(super) trait Value: Copy {
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

/// The variable as a word, if it is one.
///
/// # Safety
/// `x` points to a variable that lives, and that is changed by atomic routines only while others use it.
#[inline(always)]
unsafe fn word<'a, X: Value>(x: *mut X) -> Option<&'a X::Word> {
    let word = x.cast::<X::Word>();
    let fits = size_of::<X>() == size_of::<X::Word>() && word.is_aligned();
    // SAFETY: as large and as aligned as a word is; by contract.
    if fits { Some(unsafe { &*word }) } else { None }
}

/// `body` on a variable that nobody else updates meanwhile.
#[inline(never)]
#[cold]
fn locked<R>(site: CallSite, body: impl FnOnce() -> R) -> R {
    atomic::enter(site);
    let result = body();
    atomic::leave(site);
    result
}

/// Replaces `*x` by what `with_word`, or on memory `compute`, makes of it; the value before.
///
/// # Safety
/// As for `word`.
#[inline(always)]
pub(super) unsafe fn update<X: Value>(
    x: *mut X,
    with_word: impl FnOnce(&X::Word) -> <X::Word as Word>::Bits,
    compute: impl FnOnce(X) -> X,
    site: CallSite,
) -> X {
    // SAFETY: by contract.
    if let Some(word) = unsafe { word(x) } {
        return X::from_bits(with_word(word));
    }
    // SAFETY: by contract; the lock excludes all other updates.
    locked(site, || unsafe {
        let old = x.read_unaligned();
        x.write_unaligned(compute(old));
        old
    })
}

/// The value of `*x`.
///
/// # Safety
/// As for `word`.
#[inline(always)]
pub(super) unsafe fn read<X: Value>(x: *mut X, site: CallSite) -> X {
    // SAFETY: by contract.
    unsafe { update(x, Word::load, |old| old, site) }
}

/// `*x = value`.
///
/// # Safety
/// As for `word`.
#[inline(always)]
pub(super) unsafe fn write<X: Value>(x: *mut X, value: X, site: CallSite) {
    let store = |word: &X::Word| {
        let bits = value.to_bits();
        word.store(bits);
        bits
    };
    // SAFETY: by contract.
    unsafe { update(x, store, |_| value, site) };
}

/// `*x = value`; the value before.
///
/// # Safety
/// As for `word`.
#[inline(always)]
pub(super) unsafe fn swap<X: Value>(x: *mut X, value: X, site: CallSite) -> X {
    // SAFETY: by contract.
    unsafe { update(x, |word| word.swap(value.to_bits()), |_| value, site) }
}

/// `if *x == expected { *x = desired }`; the value before.
///
/// # Safety
/// As for `word`.
#[inline(always)]
pub(super) unsafe fn compare_and_swap<X: Value + PartialEq>(
    x: *mut X,
    expected: X,
    desired: X,
    site: CallSite,
) -> X {
    let exchange =
        |word: &X::Word| match word.compare_exchange(expected.to_bits(), desired.to_bits()) {
            Ok(old) | Err(old) => old,
        };
    let compute = |old| if old == expected { desired } else { old };
    // SAFETY: by contract.
    unsafe { update(x, exchange, compute, site) }
}
