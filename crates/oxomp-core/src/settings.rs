//! What is read once when the runtime starts: the environment, the machine, places, the wait policy.

use core::sync::atomic::{AtomicI32, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::diag;
use crate::icv::{
    Blocktime, Deeper, DisplayEnv, GlobalIcvs, Icvs, Library, ProcBind, TargetOffload, display, env,
};
use crate::os;
use crate::places::{Places, ProcSet};
use crate::sync::{Patience, blocktime, set_blocktime};

/// The device's internal control variables and what follows from them.
#[derive(Debug)]
pub struct Settings {
    /// The initial task's variables.
    pub icvs: Icvs,
    /// Variables of device scope.
    pub globals: GlobalIcvs,
    /// Processors of the process when it started (num-procs-var).
    pub processors: u32,
    /// The processors themselves.
    pub available: ProcSet,
    /// The place list; empty if nobody has asked for places.
    pub places: Places,
    /// What the program can change of `globals`.
    changeable: Changeable,
}

/// Variables of device scope that routines of the kmp interface set.
#[derive(Debug)]
struct Changeable {
    stack_bytes: AtomicUsize,
    /// As `Library::to_kmp`.
    library: AtomicI32,
    /// As `TargetOffload::to_kmp`.
    target_offload: AtomicI32,
}

/// The least stack that the runtime gets along with, bytes.
pub const LEAST_STACK: usize = env::LEAST_STACK;

static SETTINGS: OnceLock<Settings> = OnceLock::new();

/// Variables that the program set before the environment has been read, the latest first.
static EARLY: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

fn early() -> MutexGuard<'static, Vec<(String, String)>> {
    EARLY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The settings will be read as if `variables` were set in the environment, the last of a name.
pub(crate) fn set_early(variables: Vec<(String, String)>) {
    early().splice(0..0, variables.into_iter().rev());
}

/// The settings; reads the environment at the first call.
#[inline]
pub fn get() -> &'static Settings {
    SETTINGS.get_or_init(read)
}

/// The settings if they have been read. Safe in a signal handler.
pub(crate) fn known() -> Option<&'static Settings> {
    SETTINGS.get()
}

#[cold]
fn read() -> Settings {
    // Before the thread that starts the runtime is bound to its place.
    let available = ProcSet::from_words(os::affinity(&mut [0; 1024]));
    let processors = (available.len() as u32).max(1);
    // Of two variables of a name the first holds.
    let mut variables = core::mem::take(&mut *early());
    variables.extend(std::env::vars_os().map(|(name, value)| {
        (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
    }));
    let (mut icvs, globals, warnings) = env::read(&variables, processors);
    diag::set_warnings(globals.warnings);
    for warning in warnings {
        diag::warning(&warning.to_string());
    }
    let places = place_list(&mut icvs, &globals, &available);
    if globals.display_env != DisplayEnv::No {
        display::print(&icvs, &globals, globals.display_env == DisplayEnv::Verbose);
    }
    set_blocktime(globals.blocktime_nanoseconds(), globals.blocktime.is_some());
    let changeable = Changeable {
        stack_bytes: AtomicUsize::new(globals.stack_bytes()),
        library: AtomicI32::new(globals.library.to_kmp()),
        target_offload: AtomicI32::new(globals.target_offload_var.to_kmp()),
    };
    Settings { icvs, globals, processors, available, places, changeable }
}

/// The places of the machine that the user asks for. If there are none, threads are not bound.
fn place_list(icvs: &mut Icvs, globals: &GlobalIcvs, available: &ProcSet) -> Places {
    let (places, missing) =
        Places::of_machine(globals.place_list.as_ref(), icvs.bind_var, available);
    let unbound = icvs.bind_var != ProcBind::False && places.is_empty();
    if unbound {
        icvs.bind_var = ProcBind::False;
        icvs.bind_deeper = Deeper::NONE;
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
    /// How a thread waits when `concurrency` threads may run at once.
    pub(crate) fn patience(&self, concurrency: u32) -> Patience {
        let spins =
            if concurrency > self.processors { Patience::CROWDED_SPINS } else { Patience::SPINS };
        Patience { spins, nanoseconds: None }
    }

    /// How long an idle thread stays awake.
    pub fn blocktime(&self) -> Blocktime {
        Blocktime::from_nanos(blocktime())
    }

    /// Changes it, for waits that begin from now on.
    pub fn set_blocktime(&self, time: Blocktime) {
        set_blocktime(time.as_nanos(), true);
    }

    /// Bytes of stack for each thread that we make; 0 for the system's default.
    pub fn stack_bytes(&self) -> usize {
        self.changeable.stack_bytes.load(Relaxed)
    }

    /// Changes it, for threads that are made from now on.
    pub fn set_stack_bytes(&self, bytes: usize) {
        self.changeable.stack_bytes.store(bytes, Relaxed);
    }

    /// The execution mode of LLVM's runtime.
    pub fn library(&self) -> Library {
        Library::from_kmp(self.changeable.library.load(Relaxed)).unwrap_or(self.globals.library)
    }

    /// Changes it, and the blocktime with it. Number of threads of regions is the caller's business.
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

    /// *target-offload-var*, as `TargetOffload::to_kmp`.
    pub fn target_offload(&self) -> i32 {
        self.changeable.target_offload.load(Relaxed)
    }

    pub(crate) fn set_target_offload(&self, offload: TargetOffload) {
        self.changeable.target_offload.store(offload.to_kmp(), Relaxed);
    }
}
