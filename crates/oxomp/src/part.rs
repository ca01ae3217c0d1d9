//! The parts of an installation, by the names that users have for them.

/// A file or a folder of an installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Command,
    Lib,
    Include,
    Runtime,
    Offload,
    Ompd,
    Collector,
    Mpi,
    Multiplexer,
    Probe,
    PkgConfig,
    Cmake,
}

impl Part {
    /// All parts, in the order in which they are shown.
    pub(crate) const ALL: [Self; 12] = [
        Self::Command,
        Self::Lib,
        Self::Include,
        Self::Runtime,
        Self::Offload,
        Self::Ompd,
        Self::Collector,
        Self::Mpi,
        Self::Multiplexer,
        Self::Probe,
        Self::PkgConfig,
        Self::Cmake,
    ];

    /// The word that stands for the part on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Lib => "lib",
            Self::Include => "include",
            Self::Runtime => "runtime",
            Self::Offload => "offload",
            Self::Ompd => "ompd",
            Self::Collector => "collector",
            Self::Mpi => "mpi",
            Self::Multiplexer => "multiplexer",
            Self::Probe => "probe",
            Self::PkgConfig => "pkgconfig",
            Self::Cmake => "cmake",
        }
    }

    /// The part of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }

    /// The part in a few words.
    pub(crate) fn what(self) -> &'static str {
        match self {
            Self::Command => "the command line",
            Self::Lib => "the folder of the libraries",
            Self::Include => "the folder of the headers",
            Self::Runtime => "the OpenMP runtime",
            Self::Offload => "the offload library",
            Self::Ompd => "the library that debuggers load",
            Self::Collector => "the tool of `oxomp profile`",
            Self::Mpi => "the library that times MPI's calls",
            Self::Multiplexer => "the tool that runs several tools",
            Self::Probe => "the program that `oxomp doctor` starts",
            Self::PkgConfig => "the folder of pkg-config's file",
            Self::Cmake => "the folder of CMake's package",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Part;

    #[test]
    fn each_name_stands_for_one_part() {
        for part in Part::ALL {
            assert_eq!(Part::named(part.name()), Some(part));
        }
        assert_eq!(Part::named("library"), None);
    }
}
