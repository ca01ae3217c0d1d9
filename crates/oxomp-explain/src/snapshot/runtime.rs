//! The OpenMP runtime of a process.

use std::fmt;

use oxomp_debuggee::{AddressSpace, Source};
use oxomp_inspect::{Image, ProcessMemory};
use oxomp_ompd_layout::{Field, Memory, SYMBOL};

/// The OpenMP runtime of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Runtime {
    /// oxomp.
    Oxomp {
        /// Name and version.
        version: String,
        /// Whether the program has met OpenMP.
        has_started: bool,
    },
    /// oxomp of a build that this one cannot read, with the reason.
    Unreadable(String),
    /// Another runtime: the file name of its library.
    Other(String),
    /// No runtime of OpenMP is loaded.
    None,
}

impl fmt::Display for Runtime {
    /// A sentence for people, with what they can do; nothing for a runtime that is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Runtime::Oxomp { has_started: true, .. } => Ok(()),
            Runtime::Oxomp { .. } => {
                f.write_str("The program has reached no OpenMP construct yet.")
            }
            Runtime::Unreadable(reason) => write!(
                f,
                "The process runs an oxomp runtime that this command cannot read: {reason}. Use \
                 the command that was installed with that runtime."
            ),
            Runtime::Other(library) => write!(
                f,
                "The process runs on another OpenMP runtime, {library}, which does not tell a \
                 debugger its state: start the program with `oxomp debug -- ./app`, or with `oxomp \
                 run ./app` to attach later."
            ),
            Runtime::None => f.write_str("The process has loaded no OpenMP runtime."),
        }
    }
}

/// The runtimes of others, by the beginnings of their files' names.
const OTHERS: [&str; 4] = ["libgomp.so", "libomp.so", "libiomp5.so", "libgomp-"];

/// The memory of a process as the reader of debuggees wants it.
struct Bytes(ProcessMemory);

impl Memory for Bytes {
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        self.0.read(address, buffer)
    }
}

impl Source for Bytes {}

/// The runtime of the process, how to read it, and the index of its module.
pub(super) fn find(image: &Image) -> (Runtime, Option<AddressSpace>, Option<usize>) {
    let Some(table) = image.definitions(SYMBOL).first().copied() else {
        let other = image
            .modules()
            .iter()
            .position(|module| OTHERS.iter().any(|name| module.name().starts_with(name)));
        let runtime = match other {
            Some(index) => Runtime::Other(image.modules()[index].name().to_owned()),
            None => Runtime::None,
        };
        return (runtime, None, other);
    };
    match AddressSpace::open(Bytes(image.memory()), table.address) {
        Ok(space) => {
            let version = space.bytes(space.process(), Field::ProcessRuntimeVersion);
            let version = String::from_utf8_lossy(&version.unwrap_or_default()).into_owned();
            let has_started = space.settings().is_ok();
            (Runtime::Oxomp { version, has_started }, Some(space), Some(table.module))
        }
        Err(error) => (Runtime::Unreadable(error.to_string()), None, Some(table.module)),
    }
}
