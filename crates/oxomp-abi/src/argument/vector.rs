//! Vectors of doacross loop nests: a word for each loop of the nest.

use core::marker::PhantomData;

use oxomp_arch::WORDS_IN_REGISTERS;

/// The address of an iteration's vector: as many words as the doacross loop nest that the calling
/// thread is in has loops (rule A18).
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Vector<'a> {
    first: *const u64,
    lives: PhantomData<&'a u64>,
}

impl Vector<'_> {
    /// The word of loop number `index`, from 0, of the nest that the calling thread is in.
    #[inline(always)]
    pub(crate) fn element(self, index: usize) -> u64 {
        // SAFETY: A18: the vector has a word for each loop of the nest.
        unsafe { self.first.add(index).read() }
    }
}

/// An iteration's vector as the words of a variadic call, which assembly has put into memory (rules
/// A16 and A18).
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// The words that the caller may have passed in registers.
    first: *const u64,
    /// The words behind them.
    rest: *const u64,
    lives: PhantomData<&'a u64>,
}

impl Words<'_> {
    /// The words of a call.
    ///
    /// # Safety
    /// A16: assembly passes the two addresses, and the words stay until the call returns.
    #[inline(always)]
    pub(crate) unsafe fn new(first: *const u64, rest: *const u64) -> Self {
        Words { first, rest, lives: PhantomData }
    }

    /// The word of loop number `index`, from 0, of the nest that the calling thread is in.
    #[inline(always)]
    pub(crate) fn element(self, index: usize) -> u64 {
        let (from, at) = match index.checked_sub(WORDS_IN_REGISTERS) {
            None => (self.first, index),
            Some(at) => (self.rest, at),
        };
        // SAFETY: A18: the caller has passed a word for each loop of the nest, the first ones in
        // registers, which the assembly has stored (`Words::new`).
        unsafe { from.add(at).read() }
    }
}
