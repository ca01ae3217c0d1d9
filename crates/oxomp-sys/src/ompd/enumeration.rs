//! The enumerations of the debugger interface.

use core::ffi::c_int;

c_enum! {
    /// What a function of the library, or a callback of the debugger, returns.
    pub struct ompd_rc_t(c_int);
    /// The call has done what it should.
    OK = 0 => c"ompd_rc_ok",
    /// The value or object asked for does not exist now.
    UNAVAILABLE = 1 => c"ompd_rc_unavailable",
    /// The handle, or context, denotes nothing any more.
    STALE_HANDLE = 2 => c"ompd_rc_stale_handle",
    /// An argument is wrong.
    BAD_INPUT = 3 => c"ompd_rc_bad_input",
    /// Any other failure.
    ERROR = 4 => c"ompd_rc_error",
    /// The library, or the runtime, cannot do that.
    UNSUPPORTED = 5 => c"ompd_rc_unsupported",
    /// The program runs without *debug-var*, so the runtime does not keep the value.
    NEEDS_STATE_TRACKING = 6 => c"ompd_rc_needs_state_tracking",
    /// The library does not fit the program; or the scope or the handle is not of the right kind.
    INCOMPATIBLE = 7 => c"ompd_rc_incompatible",
    /// Memory of the program cannot be read.
    DEVICE_READ_ERROR = 8 => c"ompd_rc_device_read_error",
    /// Memory of the program cannot be written.
    DEVICE_WRITE_ERROR = 9 => c"ompd_rc_device_write_error",
    /// The debugger has no memory left.
    NOMEM = 10 => c"ompd_rc_nomem",
    /// The result is the first part of the value (5.1).
    INCOMPLETE = 11 => c"ompd_rc_incomplete",
    /// A callback of the debugger has failed (5.1).
    CALLBACK_ERROR = 12 => c"ompd_rc_callback_error",
    /// The handle is not of the scope (6.0).
    INCOMPATIBLE_HANDLE = 13 => c"ompd_rc_incompatible_handle",
}

c_enum! {
    /// The scopes of internal control variables and of a tool's data.
    pub struct ompd_scope_t(c_int);
    /// The process; an address space handle of the host.
    GLOBAL = 1 => c"ompd_scope_global",
    /// A device; an address space handle.
    ADDRESS_SPACE = 2 => c"ompd_scope_address_space",
    /// A thread handle.
    THREAD = 3 => c"ompd_scope_thread",
    /// A parallel handle.
    PARALLEL = 4 => c"ompd_scope_parallel",
    /// The task handle of an implicit task.
    IMPLICIT_TASK = 5 => c"ompd_scope_implicit_task",
    /// A task handle.
    TASK = 6 => c"ompd_scope_task",
    /// The parallel handle of a teams region (6.0).
    TEAMS = 7 => c"ompd_scope_teams",
    /// The task handle of a target task (6.0).
    TARGET = 8 => c"ompd_scope_target",
}

c_enum! {
    /// The construct that formed a team (6.0).
    pub struct ompd_team_generator_t(c_int);
    /// No construct: it is the team of an initial thread.
    PROGRAM = 0 => c"ompd_generator_program",
    /// A parallel construct.
    PARALLEL = 1 => c"ompd_generator_parallel",
    /// A teams construct.
    TEAMS = 2 => c"ompd_generator_teams",
    /// A target construct.
    TARGET = 3 => c"ompd_generator_target",
}

/// Kinds of native thread ids; the numbers that debuggers and libraries agree upon.
pub mod thread_id_kind {
    /// `pthread_t`.
    pub const PTHREAD: u64 = 0;
    /// The kernel's thread id.
    pub const LWP: u64 = 1;
    /// A thread of Windows.
    pub const WINTHREAD: u64 = 2;
    /// The coordinates of a thread in CUDA.
    pub const CUDALOGICAL: u64 = 3;
}

/// Kinds of devices; the numbers that debuggers and libraries agree upon.
pub mod device_kind {
    /// The host.
    pub const HOST: u64 = 1;
    /// A device of CUDA.
    pub const CUDA: u64 = 2;
}

const _: () = {
    assert!(size_of::<ompd_rc_t>() == 4);
    assert!(size_of::<ompd_scope_t>() == 4);
    assert!(size_of::<ompd_team_generator_t>() == 4);
};
