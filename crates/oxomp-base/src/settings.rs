//! The settings that the runtime reads once when it starts: environment, machine, places, wait
//! policy.

use core::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicUsize, Ordering::Relaxed};

use oxomp_ompd_layout::{Record, fields};
use oxomp_protocol::Alone;
use oxomp_protocol::chain::Chain;
use oxomp_protocol::once::Once;
use oxomp_protocol::patience::{Patience, blocktime, set_blocktime};

use crate::allocators::of_environment;
use crate::diag;
use crate::icv::{
    Blocktime, Deeper, DisplayEnv, GlobalIcvs, Icvs, Library, ProcBind, TargetOffload, display, env,
};
use crate::os;
use crate::places::{self, Places, ProcSet};

/// The device's internal control variables and what follows from them.
#[derive(Debug)]
pub struct Settings {
    /// The initial task's variables.
    pub icvs: Icvs,
    /// Variables of device scope.
    pub globals: GlobalIcvs,
    /// The number of threads that can run at once for long: *num-procs-var*, or fewer if a control
    /// group has a quota of processor time.
    pub processors: u32,
    /// The processors that the process uses.
    pub available: ProcSet,
    /// Whether `available` is a proper subset of the processors that the process was given, so that
    /// threads without a place are bound to this subset.
    pub is_confined: bool,
    /// The place list; empty if the user has not asked for places.
    pub places: Places,
    /// The variables of `globals` that the program can change.
    changeable: Changeable,
}

/// The fields that a debugger reads.
pub const FIELDS: &[Record] = fields!(Settings {
    icvs => SettingsIcvs,
    processors => SettingsNumProcs,
    globals.cancel_var => SettingsCancel,
    globals.max_task_priority_var => SettingsMaxTaskPriority,
    globals.display_affinity_var => SettingsDisplayAffinity,
    changeable.nteams => SettingsNteams,
    changeable.teams_thread_limit => SettingsTeamsThreadLimit,
    changeable.stack_bytes => SettingsStacksize,
    changeable.target_offload => SettingsTargetOffload,
});

/// Variables of device scope that routines of the kmp interface set.
#[derive(Debug)]
struct Changeable {
    stack_bytes: AtomicUsize,
    /// In the form of `Library::to_kmp`.
    library: AtomicI32,
    /// In the form of `TargetOffload::to_kmp`.
    target_offload: AtomicI32,
    nteams: AtomicU32,
    teams_thread_limit: AtomicU32,
}

/// The smallest stack size that the runtime can work with, in bytes.
pub const LEAST_STACK: usize = env::LEAST_STACK;

static SETTINGS: Once<Settings> = Once::new();

/// Variables that the program set before the environment has been read, the latest first.
static EARLY: Chain<(String, String)> = Chain::new();

/// Makes the runtime read its settings as if `variables` were set in the environment; of two with
/// the same name the last counts.
pub fn set_early(variables: Vec<(String, String)>) {
    for variable in variables {
        EARLY.add(variable);
    }
}

/// The settings; reads the environment at the first call.
#[inline]
pub fn get() -> &'static Settings {
    match SETTINGS.get() {
        Some(settings) => settings,
        None => make(),
    }
}

#[cold]
fn make() -> &'static Settings {
    SETTINGS.get_or_make(os::native_thread(), read)
}

/// The settings if they have been read. Safe in a signal handler.
#[inline]
pub fn known() -> Option<&'static Settings> {
    SETTINGS.get()
}

/// In the child of a fork(2): if a thread that is gone was reading the settings, the child reads
/// them itself.
pub fn after_fork_in_child(alone: &Alone) {
    SETTINGS.after_fork(os::native_thread(), alone);
}

#[cold]
fn read() -> Settings {
    let mut machine = Machine::found();
    let variables = variables();
    let (mut icvs, globals, warnings) = env::read(&variables, |asked| machine.confine(asked));
    diag::set_warnings(globals.warnings);
    diag::set_strict(globals.consistency_check);
    for warning in warnings {
        diag::bad_value(&warning.to_string());
    }
    let Machine { available, is_confined, concurrency: processors } = machine;
    let places = place_list(&mut icvs, &globals, &available);
    icvs.def_allocator_var = of_environment(&globals.def_allocator_var);
    if globals.settings {
        display::print_settings(&icvs, &globals, &variables);
    }
    if globals.display_env != DisplayEnv::No {
        display::print(&icvs, &globals, globals.display_env == DisplayEnv::Verbose);
    }
    if globals.affinity.verbose {
        diag::info(&format!(
            "KMP_AFFINITY: processors {available}: {}",
            places::describe(&available)
        ));
    }
    set_blocktime(globals.blocktime_nanoseconds(), globals.blocktime.is_some());
    HOT.set(&globals, processors);
    let changeable = Changeable {
        stack_bytes: AtomicUsize::new(globals.stack_bytes()),
        library: AtomicI32::new(globals.library.to_kmp()),
        target_offload: AtomicI32::new(globals.target_offload_var.to_kmp()),
        nteams: AtomicU32::new(globals.nteams_var),
        teams_thread_limit: AtomicU32::new(globals.teams_thread_limit_var),
    };
    Settings { icvs, globals, processors, available, is_confined, places, changeable }
}

/// The variables of the runtime that the program set early, and those of the environment. Of two
/// with the same name the first counts.
fn variables() -> Vec<(String, String)> {
    EARLY.iter().cloned().chain(os::variables(env::is_of_openmp)).collect()
}

/// The place list that the runtime would have if it started now, for tools that ask before it
/// starts. Changes nothing and warns of nothing: the program may still set variables.
#[cold]
pub fn places_ahead() -> Places {
    let mut machine = Machine::found();
    let own = machine.available.clone();
    let (icvs, globals, _) = env::read(&variables(), |asked| machine.confine(asked));
    // KMP_AFFINITY=norespect has given the calling thread all processors.
    let _ = os::set_affinity(own.words());
    Places::of_machine(globals.place_list.as_ref(), icvs.bind_var, &machine.available).0
}

/// The processors that the process may use.
struct Machine {
    available: ProcSet,
    is_confined: bool,
    concurrency: u32,
}

impl Machine {
    /// The processors of the thread that starts the runtime, before it is bound to a place.
    fn found() -> Self {
        let mask = ProcSet::from_words(os::affinity(&mut [0; 1024]));
        // If a sandbox refuses the query, all processors of the machine.
        let unknown = || places::online().unwrap_or_else(|| [0].into_iter().collect());
        let available = if mask.is_empty() { unknown() } else { mask };
        Self { available, is_confined: false, concurrency: 1 }
    }

    /// Reduces the processors to those that the user asks for.
    fn confine(&mut self, asked: &env::Confinement) -> env::Processors {
        if !asked.respects_mask
            && let Some(online) = places::online()
            && os::set_affinity(online.words()).is_ok()
        {
            *self = Self::found();
        }
        let mut refused = None;
        if let Some(subset) = &asked.hw_subset {
            match places::confine(&self.available, subset) {
                Ok(part) => {
                    self.is_confined = part.len() < self.available.len();
                    self.available = part;
                }
                Err(problem) => refused = Some(problem),
            }
        }
        let num_procs = (self.available.len() as u32).max(1);
        self.concurrency = places::cpu_quota().unwrap_or(u32::MAX).min(num_procs);
        env::Processors { num_procs, concurrency: self.concurrency, refused }
    }
}

/// Copies of the settings that constructs read each time, so that they need one plain load. Set
/// when the settings are read, which is before a thread can encounter a construct.
struct Hot {
    processors: AtomicU32,
    resets_affinity: AtomicBool,
    static_is_greedy: AtomicBool,
    is_reduction_deterministic: AtomicBool,
    throttles_tasks: AtomicBool,
    is_cancellable: AtomicBool,
}

static HOT: Hot = Hot {
    processors: AtomicU32::new(1),
    resets_affinity: AtomicBool::new(false),
    static_is_greedy: AtomicBool::new(false),
    is_reduction_deterministic: AtomicBool::new(false),
    throttles_tasks: AtomicBool::new(true),
    is_cancellable: AtomicBool::new(false),
};

impl Hot {
    fn set(&self, globals: &GlobalIcvs, processors: u32) {
        // Relaxed: the start of the runtime publishes the copies.
        self.processors.store(processors, Relaxed);
        self.resets_affinity.store(globals.affinity.reset, Relaxed);
        self.static_is_greedy.store(globals.kmp_schedule.greedy, Relaxed);
        self.is_reduction_deterministic.store(globals.deterministic_reduction, Relaxed);
        self.throttles_tasks.store(globals.task_throttling, Relaxed);
        self.is_cancellable.store(globals.cancel_var, Relaxed);
    }
}

/// `Settings::processors`.
#[inline(always)]
pub fn processors() -> u32 {
    HOT.processors.load(Relaxed)
}

/// Whether the end of an outermost region unbinds its primary thread (KMP_AFFINITY).
#[inline(always)]
pub fn resets_affinity() -> bool {
    HOT.resets_affinity.load(Relaxed)
}

/// Whether the first threads get blocks of ⌈n/p⌉ iterations of a static loop without a chunk size
/// (KMP_SCHEDULE).
#[inline(always)]
pub fn static_is_greedy() -> bool {
    HOT.static_is_greedy.load(Relaxed)
}

/// Whether a team combines partial results in the same order each time
/// (KMP_DETERMINISTIC_REDUCTION).
#[inline(always)]
pub fn is_reduction_deterministic() -> bool {
    HOT.is_reduction_deterministic.load(Relaxed)
}

/// Whether a thread executes a new task at once if enough of its tasks are queued
/// (KMP_ENABLE_TASK_THROTTLING).
#[inline(always)]
pub fn throttles_tasks() -> bool {
    HOT.throttles_tasks.load(Relaxed)
}

/// *cancel-var*: whether constructs can be cancelled (OMP_CANCELLATION).
#[inline(always)]
pub fn is_cancellable() -> bool {
    HOT.is_cancellable.load(Relaxed)
}

/// The place list that the user asks for. If it is empty, threads are not bound.
fn place_list(icvs: &mut Icvs, globals: &GlobalIcvs, available: &ProcSet) -> Places {
    let (places, missing) =
        Places::of_machine(globals.place_list.as_ref(), icvs.bind_var, available);
    let unbound = icvs.bind_var != ProcBind::False && places.is_empty();
    if unbound {
        icvs.bind_var = ProcBind::False;
        icvs.bind_deeper = Deeper::NONE;
    }
    if !globals.affinity.warnings {
        return places;
    }
    if !missing.is_empty() {
        let variable = globals.place_list_variable;
        let rest = if places.is_empty() { "no place is left" } else { "places are made without" };
        diag::warning(&format!(
            "{variable}: this process may not use processors {missing}; {rest}"
        ));
    } else if unbound {
        diag::warning("OMP_PROC_BIND: the system does not say which processors there are");
    }
    places
}

impl Settings {
    /// The patience of a waiting thread if `concurrency` threads may run at once.
    #[inline]
    pub fn patience(&self, concurrency: u32) -> Patience {
        let spins =
            if concurrency > self.processors { Patience::CROWDED_SPINS } else { Patience::SPINS };
        Patience { spins, nanoseconds: None }
    }

    /// How long an idle thread stays awake.
    pub fn blocktime(&self) -> Blocktime {
        Blocktime::from_nanos(blocktime())
    }

    /// Sets the blocktime, for waits that begin from now on.
    pub fn set_blocktime(&self, time: Blocktime) {
        set_blocktime(time.as_nanos(), true);
    }

    /// The stack size in bytes of each thread that the runtime creates; 0 for the system's default.
    pub fn stack_bytes(&self) -> usize {
        self.changeable.stack_bytes.load(Relaxed)
    }

    /// Sets the stack size, for threads that are created from now on.
    pub fn set_stack_bytes(&self, bytes: usize) {
        self.changeable.stack_bytes.store(bytes, Relaxed);
    }

    /// The execution mode of LLVM's runtime.
    pub fn library(&self) -> Library {
        Library::from_kmp(self.changeable.library.load(Relaxed)).unwrap_or(self.globals.library)
    }

    /// Sets the execution mode of LLVM's runtime, and the blocktime with it. The caller sets the
    /// number of threads of regions.
    pub fn set_library(&self, library: Library) {
        self.changeable.library.store(library.to_kmp(), Relaxed);
        match library {
            Library::Serial => {}
            Library::Turnaround => self.set_blocktime(Blocktime::Infinite),
            Library::Throughput if self.blocktime() == Blocktime::Infinite => {
                self.set_blocktime(Blocktime::DEFAULT);
            }
            Library::Throughput => {}
        }
    }

    /// *nteams-var*; 0 if unset.
    #[inline]
    pub fn nteams(&self) -> u32 {
        self.changeable.nteams.load(Relaxed)
    }

    /// Sets *nteams-var*, for the device.
    pub fn set_nteams(&self, teams: u32) {
        self.changeable.nteams.store(teams, Relaxed);
    }

    /// *teams-thread-limit-var*; 0 if unset.
    #[inline]
    pub fn teams_thread_limit(&self) -> u32 {
        self.changeable.teams_thread_limit.load(Relaxed)
    }

    /// Sets *teams-thread-limit-var*, for the device.
    pub fn set_teams_thread_limit(&self, threads: u32) {
        self.changeable.teams_thread_limit.store(threads, Relaxed);
    }

    /// *target-offload-var*, as `TargetOffload::to_kmp`.
    #[inline]
    pub fn target_offload(&self) -> i32 {
        self.changeable.target_offload.load(Relaxed)
    }

    /// Sets *target-offload-var*, for the process.
    pub fn set_target_offload(&self, offload: TargetOffload) {
        self.changeable.target_offload.store(offload.to_kmp(), Relaxed);
    }
}
