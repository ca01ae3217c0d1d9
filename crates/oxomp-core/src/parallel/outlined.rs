//! The body of a parallel region, and its encoding in the workers' orders.

use core::ffi::c_void;
use core::ptr;

use crate::barrier::order::INLINE_WORDS;
use crate::block::{ImplicitTask, Thread, ToWorker};

/// The body of a region: the function that the compiler outlined, and its arguments.
#[derive(Clone, Copy, Debug)]
pub enum Outlined {
    /// clang, flang: `function(&gtid, &bound, words…)`.
    Kmpc {
        /// The address of the outlined function.
        function: *const c_void,
        /// The number of argument words.
        argc: u32,
        /// The argument words, which stay until the region is over; each is a pointer or a value.
        words: *const usize,
    },
    /// gcc, gfortran: `function(data)`.
    Gomp {
        /// The address of the outlined function.
        function: *const c_void,
        /// The function's only argument: the struct of the region's shared variables.
        data: *mut c_void,
    },
}

/// Bit of `Order::code`: the outlined function has gcc's form, with one argument word.
const GOMP: u32 = 1 << 31;
/// Bit of `Order::code`: each thread begins the region's combined loop first.
pub(super) const COMBINED_LOOP: u32 = 1 << 30;
/// Bit of `Order::code`: the region is a league.
pub(super) const LEAGUE: u32 = 1 << 29;
/// Value of `Order::code`: the worker ends.
pub(super) const QUIT: u32 = u32::MAX;
/// Value of `Order::code`: the worker ends, as the only thread in the child of a fork(2).
pub(super) const QUIT_ALONE: u32 = u32::MAX - 1;
/// Bits of `Order::code`: the number of argument words.
const ARGC: u32 = LEAGUE - 1;

impl Outlined {
    pub(super) fn function(&self) -> *const c_void {
        match *self {
            Outlined::Kmpc { function, .. } | Outlined::Gomp { function, .. } => function,
        }
    }

    /// The order for all workers; the releasing thread adds the region's number and each worker's
    /// `member`.
    #[inline(always)]
    pub(super) fn order(&self, combined_loop: bool) -> ToWorker {
        self.order_with(if combined_loop { COMBINED_LOOP } else { 0 })
    }

    /// The order of a league.
    pub(super) fn order_of_league(&self) -> ToWorker {
        self.order_with(LEAGUE)
    }

    #[inline(always)]
    fn order_with(&self, bits: u32) -> ToWorker {
        let mut words = [0; INLINE_WORDS];
        let (kind, function) = match *self {
            Outlined::Gomp { function, data } => {
                words[0] = data as usize;
                (GOMP, function)
            }
            Outlined::Kmpc { function, argc, words: from } => {
                if argc as usize <= INLINE_WORDS {
                    for (index, word) in words.iter_mut().enumerate().take(argc as usize) {
                        // SAFETY: the compiler passed `argc` words at `words`.
                        *word = unsafe { *from.add(index) };
                    }
                } else {
                    words[0] = from as usize;
                }
                (argc, function)
            }
        };
        ToWorker { code: kind | bits, region: 0, outlined: function, words, member: None }
    }
}

/// Runs the order's outlined function on the calling thread, in the implicit task `task`.
///
/// # Safety
/// The order was made by `Outlined::order` for a region that is not over.
#[inline(always)]
pub(super) unsafe fn call(order: &ToWorker, thread: &Thread, task: &ImplicitTask) {
    let exit_frame = task.ompt.frame.exit.as_ptr();
    // SAFETY: the compiler made the function for these words, which are there until the region is
    // over (`# Safety`); the frame belongs to `task`, which the calling thread executes.
    unsafe {
        if order.code & GOMP != 0 {
            oxomp_arch::call_gomp(order.outlined, order.words[0] as *mut c_void, exit_frame);
        } else {
            let mut gtid = thread.number() as i32;
            let mut bound = task.thread_num() as i32;
            let argc = (order.code & ARGC) as usize;
            let words = if argc <= INLINE_WORDS {
                order.words.as_ptr()
            } else {
                order.words[0] as *const usize
            };
            oxomp_arch::call_kmpc(order.outlined, &mut gtid, &mut bound, argc, words, exit_frame);
        }
    }
    task.ompt.frame.exit.set(ptr::null_mut());
}
