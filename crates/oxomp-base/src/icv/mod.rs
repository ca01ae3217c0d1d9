//! Internal control variables (OpenMP 5.2 chapter 2).
//!
//! [`Icvs`] holds the variables of a data environment: each implicit task has its own, and inherits
//! [`Icvs::of_region`] from the encountering task. [`GlobalIcvs`] holds the variables of a device
//! or of the whole program, which do not change after the runtime has read them. [`mod@env`] reads
//! both from the environment, [`display`] prints them, and [`num_threads`] computes team sizes from
//! them.

mod allocator;
mod allocator_handle;
mod by_device;
mod deeper;
pub mod display;
mod display_env;
pub mod env;
pub mod hw_subset;
mod kmp_affinity;
mod kmp_schedule;
pub mod num_threads;
pub mod place_list;
mod proc_bind;
mod processor_list;
pub mod schedule_kind;
mod table;
mod target_offload;
pub mod tool;
mod value;
mod waiting;

use oxomp_ompd_layout::{Kind, Readable, Record, fields};

use hw_subset::HwSubset;
use place_list::PlaceList;

pub use allocator::{DefAllocator, Source};
pub use allocator_handle::AllocatorHandle;
pub use by_device::ByDevice;
pub use deeper::Deeper;
pub use display_env::DisplayEnv;
pub use kmp_affinity::AffinityModifiers;
pub use kmp_schedule::KmpSchedule;
pub use proc_bind::ProcBind;
pub use schedule_kind::{Schedule, ScheduleKind, ScheduleModifier};
pub use target_offload::TargetOffload;
pub use value::UNLIMITED;
pub use waiting::{Blocktime, Library, WaitPolicy};

/// The variables of a data environment (OpenMP 5.2 table 2.3) that a program can change.
///
/// *levels-var*, *active-levels-var*, *thread-num-var*, *team-size-var* and similar variables are
/// properties of teams and tasks, and stored there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Icvs {
    /// *nthreads-var* for this level: the size of a region without a num_threads clause, at
    /// least 1.
    pub nthreads_var: u32,
    /// *max-active-levels-var*: the number of nested regions that may have more than one thread.
    pub max_active_levels_var: u32,
    /// *thread-limit-var*: the limit on threads in the contention group, at least 1.
    pub thread_limit_var: u32,
    /// Whether the thread_limit clause of a target construct has set *thread-limit-var*, which the
    /// device then gets with the construct.
    pub thread_limit_is_clause: bool,
    /// *default-device-var*.
    pub default_device_var: i32,
    /// *run-sched-var*: the schedule of schedule(runtime).
    pub run_sched_var: Schedule,
    /// *nthreads-var* for nested levels.
    pub nthreads_deeper: Deeper<u32>,
    /// *bind-var* for nested levels.
    pub bind_deeper: Deeper<ProcBind>,
    /// *bind-var* for this level.
    pub bind_var: ProcBind,
    /// *dyn-var*: whether regions may get fewer threads than requested.
    pub dyn_var: bool,
    /// Whether the user has set *nthreads-var*. Otherwise the teams of a league share the
    /// processors.
    pub nthreads_is_set: bool,
    /// *def-allocator-var*, of the implicit task: other tasks' copies are not used
    /// (`allocator::default_allocator` of `oxomp-core`).
    pub def_allocator_var: AllocatorHandle,
}

impl Icvs {
    /// The value of *default-device-var* if OMP_TARGET_OFFLOAD is mandatory and the user has set no
    /// default device: the first non-host device, or no device if there are no others than the host
    /// (OpenMP 5.2 §2.4).
    pub const NO_DEFAULT_DEVICE: i32 = i32::MIN;

    /// The values before the environment is read, for a machine of `num_procs` processors.
    #[must_use]
    pub const fn new(num_procs: u32) -> Self {
        Self {
            nthreads_var: num_procs,
            max_active_levels_var: 1,
            thread_limit_var: UNLIMITED,
            thread_limit_is_clause: false,
            default_device_var: 0,
            run_sched_var: Schedule::STATIC,
            nthreads_deeper: Deeper::NONE,
            bind_deeper: Deeper::NONE,
            bind_var: ProcBind::False,
            dyn_var: false,
            nthreads_is_set: false,
            def_allocator_var: AllocatorHandle::DEFAULT_MEM,
        }
    }

    /// The variables of the implicit tasks of a parallel region that a task with these variables
    /// encounters.
    ///
    /// OpenMP 5.2 §2.5: they lack the first element of *nthreads-var* and of *bind-var*, if the
    /// list has more than one.
    #[must_use]
    #[inline]
    pub fn of_region(&self) -> Self {
        let mut icvs = *self;
        if let Some((&first, deeper)) = self.nthreads_deeper.split() {
            (icvs.nthreads_var, icvs.nthreads_deeper) = (first, deeper);
        }
        if let Some((&first, deeper)) = self.bind_deeper.split() {
            (icvs.bind_var, icvs.bind_deeper) = (first, deeper);
        }
        icvs
    }
}

impl Readable for Icvs {
    const KIND: Kind = Kind::Structure;
}

/// The fields of a data environment that a debugger reads.
pub const FIELDS: &[Record] = fields!(Icvs {
    nthreads_var => IcvsNthreads,
    nthreads_deeper => IcvsNthreadsDeeper,
    max_active_levels_var => IcvsMaxActiveLevels,
    thread_limit_var => IcvsThreadLimit,
    default_device_var => IcvsDefaultDevice,
    run_sched_var.kind => IcvsRunSchedKind,
    run_sched_var.modifier => IcvsRunSchedModifier,
    run_sched_var.chunk => IcvsRunSchedChunk,
    bind_var => IcvsBind,
    bind_deeper => IcvsBindDeeper,
    dyn_var => IcvsDynamic,
    def_allocator_var => IcvsDefAllocator,
});

const _: () = assert!(size_of::<Icvs>() <= 64, "a data environment's variables fit a cache line");

/// The variables of global and of device scope (OpenMP 5.2 table 2.3), including extensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalIcvs {
    /// *num-procs-var*: the number of processors that the process may run on, at least 1.
    pub num_procs_var: u32,
    /// *stacksize-var*: the stack size in bytes of each thread that the runtime creates; `None` for
    /// the default, which is the limit on the stack of the process, or 64 MiB if there is no limit.
    pub stacksize_var: Option<usize>,
    /// *wait-policy-var*, if the user has set it.
    pub wait_policy_var: Option<WaitPolicy>,
    /// How long idle threads stay awake, if the user has set it by KMP_BLOCKTIME, GOMP_SPINCOUNT,
    /// KMP_LIBRARY or OMP_WAIT_POLICY.
    pub blocktime: Option<Blocktime>,
    /// KMP_LIBRARY.
    pub library: Library,
    /// *cancel-var*.
    pub cancel_var: bool,
    /// *max-task-priority-var*, at most `i32::MAX`.
    pub max_task_priority_var: u32,
    /// *nteams-var*; 0 if unset.
    pub nteams_var: u32,
    /// *teams-thread-limit-var*; 0 if unset.
    pub teams_thread_limit_var: u32,
    /// The initial *thread-limit-var* of target regions, on host devices and on the host, at
    /// least 1.
    pub target_thread_limit: ByDevice,
    /// *teams-thread-limit-var* in target regions; 0 if the user has set no value for devices, so
    /// that the host's value holds.
    pub target_teams_thread_limit: ByDevice,
    /// *target-offload-var*.
    pub target_offload_var: TargetOffload,
    /// The limit on threads of the whole process, roots included (KMP_DEVICE_THREAD_LIMIT,
    /// KMP_ALL_THREADS).
    pub device_thread_limit: u32,
    /// The place list, if the user has set one by OMP_PLACES or an equivalent.
    pub place_list: Option<PlaceList>,
    /// The variable that set the place list.
    pub place_list_variable: &'static str,
    /// Whether the policy `ProcBind::True` spreads threads, as OMP_PROC_BIND=true does. Otherwise
    /// they get the places in turn, as GOMP_CPU_AFFINITY and KMP_AFFINITY promise.
    pub true_is_spread: bool,
    /// The modifiers of KMP_AFFINITY.
    pub affinity: AffinityModifiers,
    /// KMP_HW_SUBSET, if the user has set it.
    pub hw_subset: Option<HwSubset>,
    /// The initial *def-allocator-var* as the user describes it.
    pub def_allocator_var: DefAllocator,
    /// KMP_SCHEDULE.
    pub kmp_schedule: KmpSchedule,
    /// The limit on the threads of all teams of a league together, if the user has set one
    /// (KMP_TEAMS_THREAD_LIMIT).
    pub kmp_teams_thread_limit: Option<u32>,
    /// The policy by which the initial threads of a league are bound (KMP_TEAMS_PROC_BIND).
    pub kmp_teams_proc_bind: ProcBind,
    /// Whether teams of the same size combine a reduction in the same order
    /// (KMP_DETERMINISTIC_REDUCTION). It has no effect where compiled code combines, as gcc's does.
    pub deterministic_reduction: bool,
    /// Whether a thread whose deque is full executes the tasks that it generates at once
    /// (KMP_ENABLE_TASK_THROTTLING).
    pub task_throttling: bool,
    /// Whether the program's mistakes with locks and constructs end it (KMP_CONSISTENCY_CHECK).
    pub consistency_check: bool,
    /// KMP_DUPLICATE_LIB_OK. It has no effect: a process has one copy of this runtime.
    pub duplicate_lib_ok: bool,
    /// LIBOMP_USE_HIDDEN_HELPER_TASK. This runtime has no hidden team: the variable decides whether
    /// the device work of target tasks goes on after their bodies if no other thread could execute
    /// them (`task/README.md` of `oxomp-core`).
    pub use_hidden_helper_task: bool,
    /// Whether the runtime prints all variables at its start (KMP_SETTINGS).
    pub settings: bool,
    /// *debug-var*: whether the runtime keeps the state that a debugger reads.
    pub debug_var: bool,
    /// OMP_DISPLAY_ENV.
    pub display_env: DisplayEnv,
    /// *display-affinity-var*.
    pub display_affinity_var: bool,
    /// *affinity-format-var* before `omp_set_affinity_format`.
    pub affinity_format_var: String,
    /// Whether the runtime prints warnings (KMP_WARNINGS).
    pub warnings: bool,
}

impl GlobalIcvs {
    /// LLVM's default format, which scripts of its users parse.
    pub const AFFINITY_FORMAT: &str = "OMP: pid %P tid %i thread %n bound to OS proc set {%A}";

    /// The number of threads that a target region may have on any machine. Code that is written for
    /// GPUs asks for hundreds of threads in each team, which the thread limit trims to what the
    /// processors carry; a program that asks for a few threads may expect to get them, even on
    /// fewer processors. A kernel of 1000 teams of 256 threads takes 2.4 s on two processors
    /// without limit, 1.2 s with 64 threads in a team, and 0.2 s with 16, as on LLVM's runtime,
    /// which has two teams of one thread.
    pub const FEW_THREADS: u32 = 16;

    /// The values before the environment is read, for a machine of `num_procs` processors.
    #[must_use]
    pub fn new(num_procs: u32) -> Self {
        Self {
            num_procs_var: num_procs.max(1),
            stacksize_var: None,
            wait_policy_var: None,
            blocktime: None,
            library: Library::Throughput,
            cancel_var: false,
            max_task_priority_var: 0,
            nteams_var: 0,
            teams_thread_limit_var: 0,
            target_thread_limit: ByDevice::all(num_procs.max(Self::FEW_THREADS)),
            target_teams_thread_limit: ByDevice::all(0),
            target_offload_var: TargetOffload::Default,
            device_thread_limit: UNLIMITED,
            place_list: None,
            place_list_variable: "OMP_PLACES",
            true_is_spread: true,
            affinity: AffinityModifiers::DEFAULT,
            hw_subset: None,
            def_allocator_var: DefAllocator::DEFAULT,
            kmp_schedule: KmpSchedule::DEFAULT,
            kmp_teams_thread_limit: None,
            kmp_teams_proc_bind: ProcBind::Spread,
            deterministic_reduction: false,
            task_throttling: true,
            consistency_check: false,
            duplicate_lib_ok: false,
            use_hidden_helper_task: true,
            settings: false,
            debug_var: false,
            display_env: DisplayEnv::No,
            display_affinity_var: false,
            affinity_format_var: Self::AFFINITY_FORMAT.to_owned(),
            warnings: true,
        }
    }

    /// The stack size in bytes of each thread that the runtime creates; 0 for the system's default.
    #[must_use]
    pub fn stack_bytes(&self) -> usize {
        self.stacksize_var.unwrap_or(0)
    }

    /// The nanoseconds that an idle thread stays awake; `u64::MAX` if it never sleeps.
    #[must_use]
    pub fn blocktime_nanoseconds(&self) -> u64 {
        self.blocktime.unwrap_or(Blocktime::DEFAULT).as_nanos()
    }
}

#[cfg(test)]
mod tests {
    use super::{Deeper, Icvs, ProcBind};

    #[test]
    fn lists_lose_their_first_element_at_each_level_and_keep_the_last() {
        let outer = Icvs {
            nthreads_var: 4,
            nthreads_deeper: Deeper::new(vec![3, 2]),
            bind_var: ProcBind::Spread,
            bind_deeper: Deeper::new(vec![ProcBind::Close]),
            ..Icvs::new(8)
        };
        let second = outer.of_region();
        let third = second.of_region();
        assert_eq!((second.nthreads_var, second.bind_var), (3, ProcBind::Close));
        assert_eq!((third.nthreads_var, third.bind_var), (2, ProcBind::Close));
        assert_eq!(third.of_region(), third);
        assert_ne!(second, third);
    }

    #[test]
    fn a_program_that_sets_the_first_element_keeps_the_others() {
        let outer = Icvs { nthreads_deeper: Deeper::new(vec![3]), ..Icvs::new(8) };
        assert_eq!(Icvs { nthreads_var: 5, ..outer }.of_region().nthreads_var, 3);
    }
}
