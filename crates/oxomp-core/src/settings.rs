//! What is read once when the runtime starts: the environment, the machine, the wait policy.

use std::sync::OnceLock;

use crate::diag;
use crate::icv::{DisplayEnv, GlobalIcvs, Icvs, display, env};
use crate::os;
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
    /// Nanoseconds that a waiting thread spins and yields before it sleeps.
    blocktime: u64,
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();

/// The settings; reads the environment at the first call.
#[inline]
pub fn get() -> &'static Settings {
    SETTINGS.get_or_init(read)
}

#[cold]
fn read() -> Settings {
    let processors = os::available_processors();
    let variables = std::env::vars_os()
        .map(|(name, value)| {
            (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
        })
        .collect::<Vec<_>>();
    let (icvs, globals, warnings) = env::read(&variables, processors);
    for warning in warnings {
        diag::warning(&warning.to_string());
    }
    if globals.display_env != DisplayEnv::No {
        display::print(&icvs, &globals, globals.display_env == DisplayEnv::Verbose);
    }
    let blocktime = globals.blocktime_nanoseconds();
    Settings { icvs, globals, processors, blocktime }
}

impl Settings {
    /// How a thread waits when `concurrency` threads may run at once.
    pub(crate) fn patience(&self, concurrency: u32) -> Patience {
        let spins =
            if concurrency > self.processors { Patience::CROWDED_SPINS } else { Patience::SPINS };
        Patience { spins, nanoseconds: self.blocktime }
    }
}
