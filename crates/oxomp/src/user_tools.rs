//! The user's own OMPT tools, and how the collector runs beside them.
//!
//! A runtime runs one tool: it asks the tool of the address space, then the tools of
//! `OMP_TOOL_LIBRARIES`, and runs the first that wants to run. Where the user has a tool, the
//! multiplexer is the runtime's tool, and runs both the collector and the tool that the user would
//! have got. The runtime finds a tool in a library that the program loads before every list, so
//! there the multiplexer is preloaded: then the runtime finds it before that tool. A tool in the
//! program itself is found before preloaded libraries, and nothing comes before it.
//!
//! A tool of the 2015 report has another interface; a runtime with both interfaces runs a tool of
//! one of them. In the program or in a library that it loads, such a tool is found before every
//! list, too, but after every `ompt_start_tool` of the address space. There the multiplexer is
//! preloaded for its `ompt_start_tool`, so that the collector runs; the user's tool does not run,
//! and the user is told so.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::elf::{self, DefinedSymbols, LoaderSays};
use crate::failure::Failure;
use crate::locate::Installation;
use crate::program::{Kind, Program};
use crate::runtime_choice::Family;
use crate::variables::{Variables, reject_separators};

const LIBRARIES: &str = "OMP_TOOL_LIBRARIES";
const MULTIPLEXED: &str = "OXOMP_MULTIPLEX_TOOLS";

/// The tools that the program would have without the collector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UserTools {
    /// The user has switched tools off.
    is_disabled: bool,
    /// The tool in the program itself.
    in_program: bool,
    /// A library with a tool that the program loads at its start.
    in_library: Option<PathBuf>,
    /// The program or library with a tool of the 2015 report, which would run if nothing had an
    /// `ompt_start_tool`.
    of_report: Option<PathBuf>,
    /// The value of `OMP_TOOL_LIBRARIES`; empty if the variable is not set.
    libraries: OsString,
    /// The list of the multiplexer, if the user runs it already.
    multiplexed: Option<OsString>,
}

/// How the collector gets into the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Company {
    /// The collector is the only tool.
    Alone,
    /// The multiplexer runs it beside the user's tool; its name.
    Beside(String),
    /// The tool in the program comes first, and nothing is recorded.
    Behind,
    /// The user's tool in this file does not run, since it is a tool of the 2015 report.
    InsteadOf(PathBuf),
}

impl UserTools {
    /// Looks at the program, the libraries that it loads, and the environment. If the user has
    /// disabled tools, only a tool in the program counts.
    pub(crate) fn find(program: &Program, loader: Option<&LoaderSays>) -> Self {
        let in_program = matches!(&program.kind, Kind::Elf(elf) if elf.defined.ompt_start_tool);
        let variable = |name| env::var_os(name).unwrap_or_default();
        let switch = variable("OMP_TOOL");
        let is_disabled = switch.as_bytes().trim_ascii().eq_ignore_ascii_case(b"disabled");
        let preloaded = variable("LD_PRELOAD").into_vec();
        let preloaded = preloaded.split(|byte| b": \t\n".contains(byte));
        let preloaded = preloaded.map(|name| PathBuf::from(OsStr::from_bytes(name)));
        let loaded = loader.iter().flat_map(|says| &says.libraries);
        let loaded = loaded.filter_map(|library| library.path.clone());
        let files: Vec<PathBuf> = preloaded
            .chain(loaded)
            .filter(|path| !path.ends_with(Installation::MULTIPLEXER))
            .collect();
        // The program may have switched tools off; for the collector they are switched on.
        let of_report = match &program.kind {
            Kind::Elf(elf) if elf.defined.ompt_tool && !elf.contains_runtime => {
                Some(program.path.clone())
            }
            _ => files.iter().find(|path| is_old_tool(path)).cloned(),
        };
        if is_disabled {
            let libraries = OsString::new();
            let (in_library, multiplexed) = (None, None);
            return Self { is_disabled, in_program, in_library, of_report, libraries, multiplexed };
        }
        let in_library = files.into_iter().find(|path| is_tool(path));
        let libraries = OsString::from_vec(variable(LIBRARIES).as_bytes().trim_ascii().to_vec());
        let is_multiplexer =
            |name: &[u8]| Path::new(OsStr::from_bytes(name)).ends_with(Installation::MULTIPLEXER);
        let runs_it = libraries.as_bytes().split(|&byte| byte == b':').any(is_multiplexer);
        let multiplexed = runs_it.then(|| variable(MULTIPLEXED));
        Self { is_disabled, in_program, in_library, of_report, libraries, multiplexed }
    }

    /// Sets the variables with which the program runs the collector too.
    pub(crate) fn add_collector(
        &self,
        installation: &Installation,
        variables: &mut Variables,
    ) -> Result<Company, Failure> {
        let collector = installation.collector()?;
        reject_separators(LIBRARIES, &collector, b":|")?;
        // Nothing of the report comes before an `ompt_start_tool` of the address space.
        let replaced = self.of_report.as_ref().filter(|_| self.in_library.is_none());
        if self.in_library.is_none() && self.libraries.is_empty() && replaced.is_none() {
            variables.set(LIBRARIES, collector);
            return Ok(if self.in_program { Company::Behind } else { Company::Alone });
        }
        let multiplexer = installation.multiplexer()?;
        reject_separators(LIBRARIES, &multiplexer, b":")?;
        if self.in_library.is_some() || replaced.is_some() {
            variables.prepend_preload(&multiplexer)?;
        }
        variables.set(LIBRARIES, multiplexer);
        let theirs = self.alternatives()?;
        let shown = match &self.in_library {
            Some(library) => library.display().to_string(),
            None => theirs.display().to_string(),
        };
        let all = [theirs.as_os_str(), collector.as_os_str()];
        let named: Vec<_> = all.into_iter().filter(|names| !names.is_empty()).collect();
        variables.set(MULTIPLEXED, named.join(OsStr::new(":")));
        Ok(match (self.in_program, replaced) {
            (true, _) => Company::Behind,
            (false, Some(_)) if self.is_disabled => Company::Alone,
            (false, Some(file)) => Company::InsteadOf(file.clone()),
            (false, None) => Company::Beside(shown),
        })
    }

    /// The tools among which the runtime would have run the first that wants to.
    fn alternatives(&self) -> Result<OsString, Failure> {
        if let Some(multiplexed) = &self.multiplexed {
            return Ok(multiplexed.clone());
        }
        if self.libraries.as_bytes().contains(&b'|') {
            return Err(Failure::own(format!(
                "{LIBRARIES}={}: a tool whose path contains `|` cannot run beside oxomp's",
                self.libraries.display()
            )));
        }
        let next: &[u8] = if self.in_library.is_some() { b"@next" } else { b"" };
        let names = self.libraries.as_bytes().split(|&byte| byte == b':');
        let names: Vec<_> = [next].into_iter().chain(names).filter(|it| !it.is_empty()).collect();
        Ok(OsString::from_vec(names.join(&b'|')))
    }
}

/// Whether a library has a tool of OpenMP's interface. Runtimes have the tool's symbol too, for
/// other reasons.
pub(crate) fn is_tool(path: &Path) -> bool {
    defines(path, |symbols| symbols.ompt_start_tool)
}

/// Whether a library has a tool of the 2015 report's interface only.
pub(crate) fn is_old_tool(path: &Path) -> bool {
    defines(path, |symbols| symbols.ompt_tool && !symbols.ompt_start_tool)
}

fn defines(path: &Path, has: impl FnOnce(&DefinedSymbols) -> bool) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Family::of(&name).is_none()
        && elf::read(path)
            .is_ok_and(|file| file.is_native && has(&file.defined) && !file.contains_runtime)
}

impl fmt::Display for Company {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Alone => f.write_str("oxomp's collector"),
            Self::Beside(theirs) => write!(f, "{theirs} and oxomp's collector, side by side"),
            Self::Behind => f.write_str("the program's own"),
            Self::InsteadOf(file) => {
                write!(f, "oxomp's collector, in place of {}", file.display())
            }
        }
    }
}
