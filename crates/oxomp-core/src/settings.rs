//! What is read once when the runtime starts: the environment, the machine, places, the wait policy.

use std::sync::OnceLock;

use crate::affinity_format;
use crate::diag;
use crate::icv::{Deeper, DisplayEnv, GlobalIcvs, Icvs, ProcBind, display, env};
use crate::os;
use crate::places::{Places, ProcSet};
use crate::sync::Patience;

/// The device's internal control variables and what follows from them.
#[derive(Debug)]
pub struct Settings {
    /// The initial task's variables.
    pub icvs: Icvs,
    /// Variables of device scope.
    pub globals: GlobalIcvs,
    /// Processors of the process when it started (num-procs-var).
    pub processors: u32,
    /// The place list; empty if nobody has asked for places.
    pub places: Places,
    /// Nanoseconds that a waiting thread spins and yields before it sleeps.
    blocktime: u64,
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();

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
    let variables = std::env::vars_os()
        .map(|(name, value)| {
            (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
        })
        .collect::<Vec<_>>();
    let (mut icvs, globals, warnings) = env::read(&variables, processors);
    for warning in warnings {
        diag::warning(&warning.to_string());
    }
    let places = place_list(&mut icvs, &globals, &available);
    if globals.display_env != DisplayEnv::No {
        display::print(&icvs, &globals, globals.display_env == DisplayEnv::Verbose);
    }
    affinity_format::set_display(globals.display_affinity_var);
    let blocktime = globals.blocktime_nanoseconds();
    Settings { icvs, globals, processors, places, blocktime }
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
    if globals.warnings && !missing.is_empty() {
        let variable = globals.place_list_variable;
        let rest = if places.is_empty() { "no place is left" } else { "places are made without" };
        diag::warning(&format!(
            "{variable}: this process may not use processors {missing}; {rest}"
        ));
    } else if globals.warnings && unbound {
        diag::warning("OMP_PROC_BIND: the system does not say which processors there are");
    }
    places
}

impl Settings {
    /// How a thread waits when `concurrency` threads may run at once.
    pub(crate) fn patience(&self, concurrency: u32) -> Patience {
        let spins =
            if concurrency > self.processors { Patience::CROWDED_SPINS } else { Patience::SPINS };
        Patience { spins, nanoseconds: self.blocktime }
    }
}
