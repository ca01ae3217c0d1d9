//! A target region on the host (OpenMP 5.2 §13.8): the calling thread executes it as an initial
//! task, which its current task encounters.
//!
//! The variables of the initial task are the initial ones of the device, which the environment has
//! set: a device does not see what the program has set on the host. OpenMP 5.2 §2.4 demands this
//! for a region that another device executes, such as a kernel of libomptarget. For a region that
//! the host executes itself, as in gcc's programs, it demands the variables of the encountering
//! task; but these programs know such regions from libgomp, which gives them the initial variables
//! too.

use core::ffi::c_void;
use core::ptr;

use oxomp_arch::CallSite;
use oxomp_base::icv::Icvs;
use oxomp_base::settings::{self, Settings};

use crate::barrier::meet_at_end;
use crate::block::{IdleTeam, Thread, ToldTarget};
use crate::ompd::stops;
use crate::ompt::event::{Audience, State, flags};
use crate::task;

/// The number of the device in regions of gcc's code, which the host executes whatever device they
/// are for: no device has this number.
pub(super) const HOST: u32 = u32::MAX;

/// The code of a target region, and the clauses that its initial task depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    /// The outlined function, a `void (void *addresses)`.
    pub(super) function: *const c_void,
    /// The code of the region for tools and debuggers: the outlined function, or the kernel that it
    /// calls.
    pub(super) code: *const c_void,
    /// The addresses of the variables, which the function takes.
    pub(super) addresses: *mut c_void,
    /// The number of the device that executes it, or `HOST`.
    pub(super) device: u32,
    /// The thread_limit clause; 0 for none.
    pub(super) thread_limit: u32,
    /// The region as `ompt_get_target_info` tells it.
    pub(super) told: ToldTarget,
}

impl Region {
    /// A region of the host with the code `function` and without clauses; tools are not told of it.
    pub(super) fn new(function: *const c_void, addresses: *mut c_void) -> Self {
        let told = ToldTarget::UNTOLD;
        Self { function, code: function, addresses, device: HOST, thread_limit: 0, told }
    }

    /// The variables of its initial task, and *teams-thread-limit-var*; 0 if the host's value
    /// holds.
    fn icvs(&self) -> (Icvs, u32) {
        let Settings { icvs, globals, .. } = settings::get();
        let mut thread_limit_var = globals.target_thread_limit.on(self.device);
        if self.thread_limit != 0 {
            // "an implementation defined value between one and the value specified in the clause"
            thread_limit_var = thread_limit_var.min(self.thread_limit);
        }
        let of_teams = globals.target_teams_thread_limit.on(self.device);
        (Icvs { thread_limit_var, ..*icvs }, of_teams)
    }
}

/// Executes the region on the calling thread, whose current task encounters it.
///
/// # Safety
/// The function is the one that the compiler made for variables at these addresses.
pub(super) unsafe fn execute(
    audience: impl Audience,
    thread: &'static Thread,
    region: &Region,
    site: CallSite,
) {
    let (outer, encountering) = (thread.implicit_task(), thread.task());
    let mut idle = outer.take_target();
    idle.set_outer_state(thread.set_state(State::Overhead));
    let (icvs, teams_thread_limit) = region.icvs();
    idle.prepare_for_target(&icvs, teams_thread_limit, region.told);
    idle.set_encountering(encountering);
    idle.set_has_call_to_end(false);
    if audience.is_listening() {
        audience.begin_records(Some(idle.team().record()), None);
        idle.note_code(site.return_address(), region.code);
    }
    let task = idle.primary();
    task.assign_as(outer);
    task.thread.set(Some(thread.shared()));
    let team = idle.begin();
    task::begin_initial(audience, thread, task, 1);
    if audience.is_listening() {
        stops::target_begins();
    }
    // SAFETY: the function is for these addresses (`# Safety`).
    unsafe {
        oxomp_arch::call_gomp(region.function, region.addresses, task.ompt.frame.exit.as_ptr())
    };
    task.ompt.frame.exit.set(ptr::null_mut());
    thread.set_state(State::Overhead);
    meet_at_end(thread, task);
    if audience.is_listening() {
        stops::target_ends();
    }
    audience.implicit_task_end(&task.ompt, 1, flags::TASK_INITIAL);
    // SAFETY: the calling thread is the only member of the team, and has passed `meet_at_end`.
    let mut idle = unsafe { IdleTeam::after_region(team) };
    thread.go_on_with(outer, encountering);
    thread.set_state(idle.outer_state());
    outer.give_target_back(idle);
}
