//! The places of the runtime, the tools and the probe: `lib/` beside the `bin/` that holds this
//! program, or below `OXOMP_HOME`.

use std::env;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::messages::reason;

/// Variable that names the folder with `lib/`, when it is not beside the program.
const HOME_VARIABLE: &str = "OXOMP_HOME";

/// The folder that `cargo xtask dist` fills.
#[derive(Debug)]
pub(crate) struct Installation {
    lib: PathBuf,
    /// How the folder was found, for messages.
    origin: String,
}

impl Installation {
    /// Looks at `OXOMP_HOME`, else beside the running program.
    pub(crate) fn find() -> Result<Self, Failure> {
        if let Some(home) = env::var_os(HOME_VARIABLE).filter(|home| !home.is_empty()) {
            let lib = Path::new(&home).join("lib");
            let lib = std::path::absolute(&lib).unwrap_or(lib);
            return Ok(Self { lib, origin: format!("{HOME_VARIABLE} is set to it") });
        }
        let program = env::current_exe().map_err(|error| {
            Failure::own(format!("cannot tell where oxomp lies: {}", reason(&error)))
        })?;
        let root = program.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
        let origin = format!("beside the folder of {}", program.display());
        Ok(Self { lib: root.join("lib"), origin })
    }

    /// The folder of the shared objects.
    pub(crate) fn lib(&self) -> &Path {
        &self.lib
    }

    /// The OpenMP runtime.
    pub(crate) fn runtime(&self) -> Result<PathBuf, Failure> {
        self.existing("libomp.so", "runtime")
    }

    /// The OMPT tool that records.
    pub(crate) fn collector(&self) -> Result<PathBuf, Failure> {
        self.existing("liboxomp_collect.so", "collector")
    }

    /// The file name of the multiplexer.
    pub(crate) const MULTIPLEXER: &str = "liboxomp_multiplex.so";

    /// The OMPT tool that runs several tools.
    pub(crate) fn multiplexer(&self) -> Result<PathBuf, Failure> {
        self.existing(Self::MULTIPLEXER, "multiplexer")
    }

    /// The program that makes the checks of `oxomp doctor`.
    pub(crate) fn probe(&self) -> Result<PathBuf, Failure> {
        self.existing("oxomp-probe", "probe")
    }

    fn existing(&self, name: &str, what: &str) -> Result<PathBuf, Failure> {
        let path = self.lib.join(name);
        if path.is_file() {
            return Ok(path);
        }
        Err(Failure::own(format!(
            "oxomp's {what} is missing: there is no {} ({}); build it with `cargo xtask dist` or \
             set {HOME_VARIABLE} to the folder that holds lib/",
            path.display(),
            self.origin,
        )))
    }
}
