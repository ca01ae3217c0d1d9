//! Questions to the MPI library, under the names that no tool stands before.

use std::ffi::{c_int, c_void};

use crate::bytes::Word;
use crate::next::Next;

/// What a function returns that no library of the process has: an error in both ABIs.
pub(crate) const MISSING: c_int = 16;

/// The answer of a function that takes a handle and the address of an `int`; 0 if it fails.
pub(crate) fn ask(function: &Next, handle: Word) -> c_int {
    let mut answer = 0;
    if call(function, [handle, (&raw mut answer).addr()]) { answer } else { 0 }
}

/// Whether MPI has been initialized in the process, by `MPI_Init` or `MPI_Init_thread`.
pub(crate) fn is_initialized() -> bool {
    static INITIALIZED: Next = Next::new(c"PMPI_Initialized");
    let mut flag: c_int = 0;
    call(&INITIALIZED, [(&raw mut flag).addr()]) && flag != 0
}

/// Calls a function whose arguments are `words`. Returns false if no library has it, or if it
/// fails.
pub(crate) fn call<const N: usize>(function: &Next, words: [Word; N]) -> bool {
    let address = function.address();
    if address.is_null() {
        return false;
    }
    // SAFETY: the callers pass what the function takes, each a word or less, and handles that the
    // library has accepted before. A function that takes fewer words ignores those behind.
    let result = unsafe {
        let function = std::mem::transmute::<
            *mut c_void,
            unsafe extern "C" fn(Word, Word, Word, Word, Word) -> c_int,
        >(address);
        let word = |index: usize| words.get(index).copied().unwrap_or(0);
        function(word(0), word(1), word(2), word(3), word(4))
    };
    result == 0
}
