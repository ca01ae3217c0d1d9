//! Reports of the program's mistakes with allocators and their blocks: one line each, and the
//! program goes on.

use core::fmt;
use core::hint::black_box;
use core::ptr::NonNull;

use oxomp_base::diag;
use oxomp_base::icv::AllocatorHandle;

use super::header::Header;
use crate::block::Thread;

/// Starts the runtime, which reads from the environment what it reports, and reports the mistake.
#[cold]
fn report(what: fmt::Arguments<'_>, instead: &str) {
    Thread::current();
    diag::misuse("allocator", what, instead);
}

/// Keeps the caller's frame until this call: so the call that reports a mistake is not the last
/// thing that the caller does, and a walk along the frames finds the routine that the program has
/// called.
#[inline(always)]
pub(super) fn in_this_frame() {
    black_box(());
}

/// Reports a pointer at which no block begins.
#[cold]
#[inline(never)]
pub(super) fn no_block(block: NonNull<u8>, instead: &str) {
    let what = format_args!("{block:p} is no block of an allocator, or has been freed before");
    report(what, instead);
}

/// Reports a block that is freed with an allocator that has not allocated it.
#[cold]
#[inline(never)]
pub(super) fn wrong_allocator(block: NonNull<u8>, named: AllocatorHandle, header: &Header) {
    let what = format_args!("{block:p} was allocated by {}, not by {named}", header.requested);
    report(what, "the block's own allocator is used");
}

/// Reports a handle that no allocator has.
#[cold]
#[inline(never)]
pub(super) fn no_allocator(handle: usize, instead: &str) {
    report(format_args!("{handle:#x} is no allocator, or has been destroyed"), instead);
}

/// Reports a predefined allocator that is to be destroyed.
#[cold]
#[inline(never)]
pub(super) fn predefined(allocator: AllocatorHandle) {
    report(format_args!("{allocator} is predefined"), "it is not destroyed");
}

/// Reports an alignment that is not a power of two.
#[cold]
#[inline(never)]
pub(super) fn no_alignment(alignment: usize) {
    let what = format_args!("the alignment {alignment} is not a power of two");
    report(what, "nothing is allocated");
}

/// Reports a memory space or a trait that does not exist, or too many allocators.
#[cold]
#[inline(never)]
pub(super) fn not_created(problem: &str) {
    report(format_args!("{problem}"), "no allocator is created");
}
