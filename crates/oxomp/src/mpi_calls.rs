//! Whether the calls of MPI are timed, and the library that does it.
//!
//! The library stands before MPI's, and before another tool of the same kind, so it is the first
//! one that is preloaded. Where MPI is linked into the program itself nothing can stand before it.

use std::fmt;

use oxomp_trace::Rank;

use crate::elf::LoaderSays;
use crate::failure::Failure;
use crate::locate::Installation;
use crate::part::Part;
use crate::program::{Kind, Program};
use crate::runtime_choice::file_name;
use crate::variables::Variables;

/// Programs that start the processes of a job, whose variables those inherit.
const LAUNCHERS: [&str; 10] = [
    "mpirun", "mpiexec", "orterun", "prterun", "prun", "srun", "aprun", "jsrun", "flux", "palsrun",
];

/// Why the calls of MPI are timed, or that they are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MpiCalls {
    /// The program is a rank of a job.
    OfRank,
    /// The program, or a library that it loads, links MPI's library.
    OfLibrary,
    /// The program starts the processes of a job.
    OfLauncher,
    /// Nothing tells of MPI, or nothing can be preloaded.
    Untimed,
}

impl fmt::Display for MpiCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OfRank => "timed, since the process is a rank",
            Self::OfLibrary => "timed, since the program links MPI",
            Self::OfLauncher => "timed in the processes that the program starts",
            Self::Untimed => "not timed",
        })
    }
}

impl MpiCalls {
    fn of(program: &Program, loader: Option<&LoaderSays>, rank: Option<&Rank>) -> Self {
        if let Kind::Elf(elf) = &program.kind
            && (elf.is_static || !elf.is_native)
        {
            return Self::Untimed;
        }
        let is_mpi = |name: &str| file_name(name).starts_with("libmpi");
        let mut loaded = loader.iter().flat_map(|says| &says.libraries);
        if program.is_privileged {
            Self::Untimed
        } else if rank.is_some() {
            Self::OfRank
        } else if loaded.any(|library| is_mpi(&library.name)) {
            Self::OfLibrary
        } else if is_launcher(program) {
            Self::OfLauncher
        } else {
            Self::Untimed
        }
    }

    /// Decides, and puts the variable that it takes into `variables`.
    pub(crate) fn time(
        program: &Program,
        loader: Option<&LoaderSays>,
        rank: Option<&Rank>,
        installation: &Installation,
        variables: &mut Variables,
    ) -> Result<Self, Failure> {
        let calls = Self::of(program, loader, rank);
        if calls != Self::Untimed {
            variables.prepend_preload(&installation.existing(Part::Mpi)?)?;
        }
        Ok(calls)
    }
}

fn is_launcher(program: &Program) -> bool {
    // `mpirun.openmpi` and the like are the same by another name.
    let name = program.path.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    LAUNCHERS.contains(&stem)
}
