//! Regions that make teams: `parallel`, and `teams` on the host.

use std::ffi::{c_long, c_uint, c_void};
use std::ptr::NonNull;

use oxomp_sys::gomp::gomp_fn;
use oxomp_sys::kmpc::ident_t;

use super::form::Form;
use super::location::PLAIN;
use crate::runtime::{call, function};

/// A thread of a team, as its code knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) form: Form,
    /// The thread's number in clang's calls.
    pub(crate) gtid: i32,
    /// The address of a variable of the region's code: below it lie the frames that the code calls,
    /// above it the runtime's that called it.
    pub(crate) local: usize,
}

/// The stack around the call of a construct.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The address of a variable of the function that has called the construct's function.
    pub(crate) above: usize,
}

type Body<'a> = &'a (dyn Fn(Member) + Sync);

/// The argument of an outlined function.
struct Packet<'a> {
    form: Form,
    body: Body<'a>,
}

unsafe extern "C" fn outlined_by_clang(gtid: *mut i32, _bound: *mut i32, packet: *mut c_void) {
    // SAFETY: the runtime passes the thread's number by reference.
    let gtid = unsafe { *gtid };
    // SAFETY: the word is the one that the fork call was given, a packet that outlives the region.
    enter(unsafe { &*packet.cast::<Packet<'_>>() }, gtid);
}

unsafe extern "C" fn outlined_by_gcc(packet: *mut c_void) {
    // SAFETY: the word is the one that the call was given, a packet that outlives the region.
    enter(unsafe { &*packet.cast::<Packet<'_>>() }, 0);
}

fn enter(packet: &Packet<'_>, gtid: i32) {
    let here = 0u8;
    let local = (&raw const here).addr();
    (packet.body)(Member { form: packet.form, gtid, local });
}

/// A parallel region of `threads` threads; 0 leaves the number to the runtime.
#[inline(never)]
pub(crate) fn parallel(form: Form, threads: u32, body: impl Fn(Member) + Sync) -> Place {
    let above = 0u8;
    let packet = Packet { form, body: &body };
    match form {
        Form::Clang => fork_by_clang(threads, &packet),
        Form::Gcc => fork_by_gcc(threads, &packet),
    }
    Place { above: (&raw const above).addr() }
}

type ForkCall = unsafe extern "C" fn(
    *const ident_t,
    i32,
    unsafe extern "C" fn(*mut i32, *mut i32, *mut c_void),
    ...
);

#[inline(never)]
fn fork_by_clang(threads: u32, packet: &Packet<'_>) {
    let gtid = thread_number();
    if threads != 0 {
        call!(__kmpc_push_num_threads(&raw const PLAIN => *const ident_t, gtid => i32, threads as i32 => i32));
    }
    // SAFETY: the type is as in the compilers' interface.
    let fork = unsafe { function::<ForkCall>("__kmpc_fork_call") };
    // SAFETY: one word follows, as said; it outlives the region.
    unsafe { fork(&raw const PLAIN, 1, outlined_by_clang, NonNull::from(packet).as_ptr()) };
    std::hint::black_box(packet);
}

#[inline(never)]
fn fork_by_gcc(threads: u32, packet: &Packet<'_>) {
    call!(GOMP_parallel(
        outlined_by_gcc => gomp_fn,
        NonNull::from(packet).as_ptr().cast() => *mut c_void,
        threads => c_uint,
        0 => c_uint,
    ));
    std::hint::black_box(packet);
}

/// The outlined function of a combined loop.
unsafe extern "C" fn outlined_loop(_data: *mut c_void) {
    let (mut low, mut high): (c_long, c_long) = (0, 0);
    while call!(GOMP_loop_dynamic_next(
        &raw mut low => *mut c_long, &raw mut high => *mut c_long) -> bool)
    {}
    call!(GOMP_loop_end_nowait());
}

/// gcc's `parallel for schedule(dynamic, 3)` over 0..count in one call.
pub(crate) fn parallel_loop_by_gcc(threads: u32, count: i32) {
    call!(GOMP_parallel_loop_dynamic(
        outlined_loop => gomp_fn,
        std::ptr::null_mut() => *mut c_void,
        threads => c_uint,
        0 => c_long,
        count.into() => c_long,
        1 => c_long,
        3 => c_long,
        0 => c_uint,
    ));
}

/// A host `teams` region.
pub(crate) fn league(form: Form, teams: u32, body: impl Fn(Member) + Sync) {
    let packet = Packet { form, body: &body };
    match form {
        Form::Clang => {
            let gtid = thread_number();
            call!(__kmpc_push_num_teams(
                &raw const PLAIN => *const ident_t,
                gtid => i32,
                teams as i32 => i32,
                1 => i32,
            ));
            // SAFETY: the type is as in the compilers' interface.
            let fork = unsafe { function::<ForkCall>("__kmpc_fork_teams") };
            // SAFETY: one word follows, as said; it outlives the region.
            unsafe {
                fork(&raw const PLAIN, 1, outlined_by_clang, NonNull::from(&packet).as_ptr());
            }
        }
        Form::Gcc => call!(GOMP_teams_reg(
            outlined_by_gcc => gomp_fn,
            NonNull::from(&packet).as_ptr().cast() => *mut c_void,
            teams => c_uint,
            1 => c_uint,
            0 => c_uint,
        )),
    }
    std::hint::black_box(&packet);
}

/// The calling thread's number in clang's calls.
pub(super) fn thread_number() -> i32 {
    call!(__kmpc_global_thread_num(&raw const PLAIN => *const ident_t) -> i32)
}

impl Member {
    /// A thread outside every region.
    pub(crate) fn outside(form: Form) -> Self {
        let here = 0u8;
        let gtid = if form == Form::Clang { thread_number() } else { 0 };
        Self { form, gtid, local: (&raw const here).addr() }
    }

    /// `omp_get_thread_num`.
    pub(crate) fn number(self) -> i32 {
        call!(omp_get_thread_num() -> i32)
    }
}
