//! What was under way on a thread when a tool was attached: a private interface between oxomp's
//! runtime and oxomp's collector.
//!
//! A tool that is attached to a running process hears no begin of the parallel regions that are
//! under way. So the runtime hides their threads from a tool that has not asked for them, until
//! each thread begins something new. A tool that has asked hears all events of such a thread:
//!
//! * Before the first one, the runtime reports the thread's begin, and the begin of the initial
//!   task if the thread is a root. Then it calls the tool's [`oxomp_under_way_t`], which gets the
//!   regions that the thread is in.
//! * The ends of these regions and of their implicit tasks are reported, and the end of the barrier
//!   or taskwait in which the thread waits.
//! * A task that was generated before has the data word that the tool has chosen for that, and an
//!   implicit task that was under way has the word 0. The data word of a region that was under way
//!   has no meaning: [`oxomp_region_under_way_t::region`] identifies the region.
//!
//! Hidden remain threads in a league of teams, and threads that were waiting at the end of their
//! region: until they begin something new. What the runtime does not know, it does not tell:
//! worksharing constructs, mutexes that a thread holds, and the ends of tasks that had begun.
//!
//! The collector gets the function [`oxomp_hear_under_way_t`] from the look-up function that its
//! initializer is passed, under the name `oxomp_hear_under_way`. Other runtimes do not know the
//! name.

use core::ffi::{c_int, c_void};

use crate::ompt::ompt_state_t;

/// The most regions that a thread's call of [`oxomp_under_way_t`] tells of: the outermost ones are
/// left out where there are more.
pub const OXOMP_UNDER_WAY_LEVELS: usize = 8;

/// A parallel region that was under way when the tool was attached: one that a thread is in, or one
/// around it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct oxomp_region_under_way_t {
    /// The address of the region's data word, by which the threads of the region know it.
    pub region: *const c_void,
    /// The frame from which the runtime has called the region's outlined function on the primary
    /// thread, and which lasts as long as a thread of the region has not arrived at its end. Each
    /// function of the runtime that it leads to keeps a frame pointer. Null if the program itself
    /// has called the function.
    pub exit_frame: *const c_void,
    /// The same of the task that encountered the region, on the same stack: if `exit_frame` leads
    /// to this frame through functions of the runtime alone, the program has begun the region by a
    /// jump. Null if that is an initial task.
    pub outer_exit_frame: *const c_void,
    /// Whether the thread is in the region: 0 for one around these, in which the thread that has
    /// begun the next one is.
    pub is_in: u32,
    /// The number of threads of the region.
    pub team_size: u32,
    /// The number of the thread in the region; 0 if it is not in it.
    pub thread_num: u32,
    /// The number of barriers of the region at which the thread has arrived, plus a number that is
    /// the same for all threads of the region; 0 if the thread is not in it.
    pub barriers: u32,
    /// The product of the sizes of the regions around this one, whether the thread is in them or
    /// not.
    pub outer_threads: u32,
}

/// Tells the tool, on a thread that it has not heard of before, in which regions the thread is: as
/// many as `count` at `regions`, with those around, the outermost first. The thread is in the last
/// one. It has begun those in which it has the number 0. `state` is the thread's state in the
/// innermost region, and `in_task` is 1 if the thread executes an explicit task there.
pub type oxomp_under_way_t = unsafe extern "C" fn(
    regions: *const oxomp_region_under_way_t,
    count: u32,
    state: ompt_state_t,
    in_task: c_int,
);

/// Makes the runtime tell what was under way, by `tell`, and gives explicit tasks that were
/// generated before the data word `task`. To be called by the initializer of a tool that is being
/// attached; returns 0, without effect, if another tool calls it.
pub type oxomp_hear_under_way_t =
    unsafe extern "C" fn(tell: Option<oxomp_under_way_t>, task: u64) -> c_int;
