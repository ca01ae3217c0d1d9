//! Whether the code that calls the runtime keeps a frame pointer, as its unwinding tables say.
//!
//! Optimized code leaves the register as its caller had it, or uses it for data. The register then
//! leads to the frame of another function, and its value does not show this: to the frame of the
//! runtime's function that called the outlined function, or to one of the program or of the C
//! library that is farther away.

use core::ffi::{c_int, c_void};
use core::ptr;
use core::sync::atomic::AtomicUsize;
use core::sync::atomic::Ordering::Relaxed;

use crate::own::run::frame_is_kept;

// The unwinder of the platform, on which Rust's standard library relies.
unsafe extern "C" {
    fn _Unwind_Backtrace(
        step: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;

    /// The stack pointer of a function at the call that it executes.
    fn _Unwind_GetCFA(context: *mut c_void) -> usize;
}

const CONTINUE: c_int = 0;
const STOP: c_int = 5;

/// The number of answers that are kept: many times the calls of the runtime in a program's hot
/// code.
const ANSWERS: usize = 4096;

/// The answers, each in the place that its return address determines: the return address times two,
/// plus one if the code keeps a frame pointer. A new answer replaces another one in its place.
static KNOWN: [AtomicUsize; ANSWERS] = [const { AtomicUsize::new(0) }; ANSWERS];

/// Whether the function whose call returns to `return_address` keeps a frame pointer. `frame` is
/// the value in the register at that call, and `stack` the stack pointer.
///
/// The answer is a property of the code, so it is kept. If a library is unloaded and another one
/// takes its place, an answer may belong to the code that is gone.
#[inline(never)]
pub(super) fn keeps_frame_pointer(return_address: usize, frame: usize, stack: usize) -> bool {
    const BITS: u32 = ANSWERS.trailing_zeros();
    // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
    let place = return_address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (usize::BITS - BITS);
    let known = &KNOWN[place];
    let question = return_address << 1;
    // Relaxed: the word is the whole answer.
    let answer = known.load(Relaxed);
    if answer & !1 == question {
        return answer & 1 != 0;
    }
    let is_kept = end_of_frame(stack).is_some_and(|end| frame_is_kept(frame, stack, end));
    known.store(question | usize::from(is_kept), Relaxed);
    is_kept
}

/// A walk up the calling thread's stack, to the caller of the function that is looked for.
struct Walk {
    stack: usize,
    is_inside: bool,
    end: Option<usize>,
}

/// The end of the frame of the function that has called the runtime with the stack pointer `stack`:
/// this is the stack pointer of its caller. `None` if there are no tables for the function.
#[cold]
fn end_of_frame(stack: usize) -> Option<usize> {
    let mut walk = Walk { stack, is_inside: false, end: None };
    // SAFETY: `step` gets the walk, which outlives the call.
    unsafe { _Unwind_Backtrace(step, ptr::from_mut(&mut walk).cast()) };
    walk.end
}

/// # Safety
/// The unwinder calls it with the `Walk` of `end_of_frame`.
unsafe extern "C" fn step(context: *mut c_void, walk: *mut c_void) -> c_int {
    // SAFETY: see above; nothing else uses the walk meanwhile.
    let walk = unsafe { &mut *walk.cast::<Walk>() };
    // SAFETY: the unwinder's own context.
    let stack = unsafe { _Unwind_GetCFA(context) };
    if walk.is_inside {
        walk.end = Some(stack);
        return STOP;
    }
    // The frames of the runtime are below.
    walk.is_inside = stack >= walk.stack;
    CONTINUE
}
