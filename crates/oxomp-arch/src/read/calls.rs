//! How machine code calls functions, and hands them the addresses of others, as it shows in the
//! bytes of one instruction.
//!
//! `code` is the code of a function that begins at the address `base`; `at` and `end` are positions
//! in it. Registers have the numbers that instructions have for them. An answer may be wrong where
//! the bytes at a position are not the beginning of an instruction, so its user compares it with
//! the functions that there are.

use core::ops::Range;

/// The calls of one processor's code.
pub trait Calls: Sync {
    /// The register of the argument with this number, from 0, of a function of integers and
    /// pointers; one of the first four.
    fn argument(&self, number: usize) -> u8;

    /// The function that the call calls which ends at `end`, if that names the function itself.
    fn called(&self, code: &[u8], end: usize, base: u64) -> Option<u64>;

    /// Where the call begins that ends at `end`, if there is one.
    fn begin_of_call(&self, code: &[u8], end: usize) -> Option<usize>;

    /// The target of the jump with which `code` ends.
    fn jump_at_end(&self, code: &[u8], base: u64) -> Option<u64>;

    /// The position in `code` to which the unconditional jump at `at` goes.
    fn jump_within(&self, code: &[u8], at: usize) -> Option<usize>;

    /// Whether the instruction at `at` jumps out of `function`, the addresses of `code`.
    fn leaves(&self, code: &[u8], at: usize, function: Range<u64>) -> bool;

    /// Whether the instruction at `at` may be a call, or one after which the address in one of
    /// `registers` is not known: it comes from memory, or is one of two.
    fn hides(&self, code: &[u8], at: usize, registers: &[u8]) -> bool;

    /// The address that the instruction at `at` puts into `register`, perhaps from a part of it
    /// that an earlier instruction of the function has put into a register.
    fn address_into(&self, code: &[u8], at: usize, base: u64, register: u8) -> Option<u64>;

    /// The lengths of the instructions of which [`Self::address_into`] tells, the longest first.
    fn lengths_of_address_into(&self) -> &'static [usize];

    /// The register that the instruction at `at` copies into `register`, an argument's.
    fn copied_into(&self, code: &[u8], at: usize, register: u8) -> Option<u8>;

    /// The bytes before the address to which a call returns that [`Self::callee`] reads: the call,
    /// and on some processors the instructions that load its pointer.
    fn longest_call(&self) -> usize;

    /// What the call with which `code` ends calls. It returns to the address `end`. `code` has
    /// [`Self::longest_call`] bytes.
    fn callee(&self, code: &[u8], end: u64) -> Option<Target>;

    /// The most bytes of a linkage table's entry that [`Self::linked`] reads.
    fn longest_entry(&self) -> usize;

    /// The address of the pointer through which the entry of a procedure linkage table jumps that
    /// begins with `code` and is at the address `base`. `code` has [`Self::longest_entry`] bytes.
    fn linked(&self, code: &[u8], base: u64) -> Option<u64>;

    /// Whether a function whose code up to some instruction is `code`, perhaps with that of other
    /// functions before it, has stored its return address beside its caller's frame pointer there,
    /// as far as the code shows.
    fn has_frame(&self, code: &[u8]) -> bool;

    /// The most bytes of a call of any kind.
    fn longest_call_of_any_kind(&self) -> usize;

    /// Whether `code` may end with a call of any kind. It has [`Self::longest_call_of_any_kind`]
    /// bytes.
    fn may_end_with_call(&self, code: &[u8]) -> bool;
}

/// What a call calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The code at this address.
    Function(u64),
    /// The code to which the pointer at this address points.
    Through(u64),
}
