//! The call of a kernel: a C function of as many words as the target region has arguments.

use core::ffi::c_void;

use oxomp_arch::{WORDS_IN_REGISTERS, call_words, words_return_to};

/// The launch environment of a kernel without one.
const NO_ENVIRONMENT: u64 = u64::MAX;

/// The call of a kernel.
#[derive(Debug)]
pub(crate) struct KernelCall {
    function: *const c_void,
    /// The arguments, filled up to at least as many words as there are registers; the kernel takes
    /// the first ones.
    words: Vec<u64>,
}

impl KernelCall {
    /// The call of the kernel at `function`.
    pub(crate) fn new(function: *const c_void, with_environment: bool, arguments: &[u64]) -> Self {
        let mut words = Vec::with_capacity(WORDS_IN_REGISTERS.max(arguments.len() + 1));
        if with_environment {
            words.push(NO_ENVIRONMENT);
        }
        words.extend_from_slice(arguments);
        words.resize(words.len().max(WORDS_IN_REGISTERS), 0);
        Self { function, words }
    }

    /// Where calls of kernels return to.
    pub(crate) fn returns_to() -> *const c_void {
        words_return_to()
    }

    /// Performs the call whose address `this` is.
    ///
    /// # Safety
    /// `this` is the address of a call, and its kernel takes these arguments.
    pub(crate) unsafe extern "C" fn perform(this: *mut c_void) {
        // SAFETY: the caller's own promise (`# Safety`).
        let Self { function, words } = unsafe { &*this.cast::<Self>() };
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { call_words(*function, words.as_ptr(), words.len() - WORDS_IN_REGISTERS) };
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    use core::ffi::c_void;

    use super::KernelCall;

    /// # Safety
    /// As for `KernelCall::perform`.
    unsafe fn kernel(function: *const c_void, with_environment: bool, arguments: &[u64]) {
        let mut call = KernelCall::new(function, with_environment, arguments);
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { KernelCall::perform((&raw mut call).cast()) };
    }

    thread_local! {
        static SUM: Cell<u64> = const { Cell::new(0) };
    }

    extern "C" fn of_two(environment: u64, first: u64) {
        assert_eq!(environment, u64::MAX);
        SUM.set(first);
    }

    extern "C" fn of_nine(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64, h: u64, i: u64) {
        SUM.set([a, b, c, d, e, f, g, h, i].iter().fold(0, |sum, word| sum * 10 + word));
    }

    #[test]
    fn arguments_arrive_in_registers_and_on_the_stack() {
        // SAFETY: the functions take these arguments.
        unsafe { kernel(of_two as *const _, true, &[7]) };
        assert_eq!(SUM.get(), 7);
        // SAFETY: as above.
        unsafe { kernel(of_nine as *const _, false, &[1, 2, 3, 4, 5, 6, 7, 8, 9]) };
        assert_eq!(SUM.get(), 123_456_789);
    }

    #[test]
    fn an_odd_number_of_words_on_the_stack_arrives_too() {
        extern "C" fn of_seven(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64) {
            SUM.set([a, b, c, d, e, f, g].iter().fold(0, |sum, word| sum * 10 + word));
        }
        // SAFETY: the function takes these arguments.
        unsafe { kernel(of_seven as *const _, false, &[1, 2, 3, 4, 5, 6, 7]) };
        assert_eq!(SUM.get(), 1_234_567);
    }
}
