//! The places of the runtime, the tools, the probe and the headers: beside the `bin/` that holds
//! this program, or below `OXOMP_HOME`.
//!
//! A folder of oxomp's own has them in `lib/` and `include/`. In folders that oxomp shares with
//! other packages, as `/usr/lib`, they lie in a folder `oxomp` of their own, so that no program
//! gets oxomp's runtime unasked.

use std::env;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::messages::reason;
use crate::part::Part;

/// Variable that names the folder with `lib/`, when it is not beside the program.
const HOME_VARIABLE: &str = "OXOMP_HOME";

/// The library by which a folder is known to be oxomp's: other runtimes have a `libomp.so` too.
const COLLECTOR: &str = "liboxomp_collect.so";

/// The runtime and the offload library, by the names of the files that have their code.
const RUNTIME: &str = "libomp.so";
const OFFLOAD: &str = "libomptarget.so";

/// The header by which a folder is known to be oxomp's: compilers have an `omp.h` too.
const HEADER: &str = "ompt.h";

/// What `cargo xtask dist` or a package has put onto the machine.
#[derive(Debug)]
pub(crate) struct Installation {
    lib: PathBuf,
    include: PathBuf,
    /// How the folder was found, for messages.
    origin: String,
}

impl Installation {
    /// Looks below `OXOMP_HOME`, else beside the running program.
    pub(crate) fn find() -> Result<Self, Failure> {
        if let Some(home) = env::var_os(HOME_VARIABLE).filter(|home| !home.is_empty()) {
            let home = PathBuf::from(home);
            let home = std::path::absolute(&home).unwrap_or(home);
            return Ok(Self::below(&home, format!("{HOME_VARIABLE} is set to it")));
        }
        let program = program()?;
        let root = program.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
        Ok(Self::below(root, format!("beside the folder of {}", program.display())))
    }

    /// The installation in the folder `root`.
    fn below(root: &Path, origin: String) -> Self {
        let (lib, include) = (root.join("lib"), root.join("include"));
        let shared = [lib.join("oxomp"), lib.join(triplet()).join("oxomp")];
        let own = include.join("oxomp");
        Self {
            lib: first_with(COLLECTOR, lib, shared),
            include: first_with(HEADER, include, [own]),
            origin,
        }
    }

    /// The folder of the shared objects.
    pub(crate) fn lib(&self) -> &Path {
        &self.lib
    }

    /// The OpenMP runtime.
    pub(crate) fn runtime(&self) -> Result<PathBuf, Failure> {
        self.existing(Part::Runtime)
    }

    /// The OMPT tool that records.
    pub(crate) fn collector(&self) -> Result<PathBuf, Failure> {
        self.existing(Part::Collector)
    }

    /// The file name of the multiplexer.
    pub(crate) const MULTIPLEXER: &str = "liboxomp_multiplex.so";

    /// The OMPT tool that runs several tools.
    pub(crate) fn multiplexer(&self) -> Result<PathBuf, Failure> {
        self.existing(Part::Multiplexer)
    }

    /// The program that makes the checks of `oxomp doctor`.
    pub(crate) fn probe(&self) -> Result<PathBuf, Failure> {
        self.existing(Part::Probe)
    }

    /// The path of `part`, which is there.
    pub(crate) fn existing(&self, part: Part) -> Result<PathBuf, Failure> {
        let place = self.place(part)?;
        if place.is_there() {
            return Ok(place.path);
        }
        Err(Failure::own(format!(
            "{} is missing: there is no {} ({}); install it, build it with `cargo xtask dist`, or \
             set {HOME_VARIABLE} to the folder that holds lib/",
            part.what(),
            place.evidence().display(),
            self.origin,
        )))
    }

    /// Where `part` lies, or would lie.
    pub(crate) fn place(&self, part: Part) -> Result<Place, Failure> {
        Ok(match part {
            Part::Command => Place::of_file(program()?),
            Part::Lib => Place::of_folder(self.lib.clone(), COLLECTOR),
            Part::Include => Place::of_folder(self.include.clone(), HEADER),
            Part::Runtime => Place::of_file(self.lib.join(RUNTIME)),
            Part::Offload => Place::of_file(self.lib.join(OFFLOAD)),
            Part::Ompd => Place::of_file(self.lib.join("libompd.so")),
            Part::Collector => Place::of_file(self.lib.join(COLLECTOR)),
            Part::Mpi => Place::of_file(self.lib.join("liboxomp_mpi.so")),
            Part::Multiplexer => Place::of_file(self.lib.join(Self::MULTIPLEXER)),
            Part::Probe => Place::of_file(self.lib.join("oxomp-probe")),
            Part::PkgConfig => self.beside_lib("pkgconfig", "oxomp.pc"),
            Part::Cmake => self.beside_lib("cmake/oxomp", "oxompConfig.cmake"),
        })
    }

    /// The folder `name`, which holds `file`: in the folder of the libraries, or, if that one is a
    /// folder of their own among other packages' libraries, in the folder around it.
    fn beside_lib(&self, name: &str, file: &'static str) -> Place {
        let around = self.lib.parent().map(|around| around.join(name));
        Place::of_folder(first_with(file, self.lib.join(name), around), file)
    }
}

/// Where a part of the installation lies, or would lie.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) path: PathBuf,
    /// A file that the folder holds, if the part is one.
    holds: Option<&'static str>,
}

impl Place {
    fn of_file(path: PathBuf) -> Self {
        Self { path, holds: None }
    }

    fn of_folder(path: PathBuf, holds: &'static str) -> Self {
        Self { path, holds: Some(holds) }
    }

    pub(crate) fn is_there(&self) -> bool {
        self.evidence().is_file()
    }

    /// The file by which the part is known to be there.
    fn evidence(&self) -> PathBuf {
        self.holds.map_or_else(|| self.path.clone(), |file| self.path.join(file))
    }
}

/// The running program.
fn program() -> Result<PathBuf, Failure> {
    env::current_exe()
        .map_err(|error| Failure::own(format!("cannot tell where oxomp lies: {}", reason(&error))))
}

/// Debian's name of this machine, which it gives to folders of libraries.
fn triplet() -> String {
    format!("{}-linux-gnu", env::consts::ARCH)
}

/// The first of the folders that holds `file`, `usual` before `others`; `usual` if none does.
fn first_with(file: &str, usual: PathBuf, others: impl IntoIterator<Item = PathBuf>) -> PathBuf {
    if usual.join(file).is_file() {
        return usual;
    }
    others.into_iter().find(|folder| folder.join(file).is_file()).unwrap_or(usual)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{COLLECTOR, HEADER, Installation, triplet};
    use crate::part::Part;

    fn touch(path: PathBuf) {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
        fs::write(path, "").expect("a new file");
    }

    fn look(root: &Path) -> Installation {
        Installation::below(root, String::new())
    }

    fn is_there(root: &Path, part: Part) -> bool {
        look(root).place(part).expect("a place").is_there()
    }

    #[test]
    fn the_first_folder_with_the_collector_is_ours() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        assert_eq!(look(root).lib(), root.join("lib"));
        // Another runtime's file does not make a folder ours.
        touch(root.join("lib/libomp.so"));
        let of_debian = root.join("lib").join(triplet()).join("oxomp");
        touch(of_debian.join(COLLECTOR));
        assert_eq!(look(root).lib(), of_debian);
        touch(root.join("lib/oxomp").join(COLLECTOR));
        assert_eq!(look(root).lib(), root.join("lib/oxomp"));
        touch(root.join("lib").join(COLLECTOR));
        assert_eq!(look(root).lib(), root.join("lib"));
    }

    #[test]
    fn headers_lie_in_a_folder_of_their_own_among_those_of_others() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        touch(root.join("include/omp.h"));
        assert!(!is_there(root, Part::Include));
        touch(root.join("include/oxomp").join(HEADER));
        assert_eq!(look(root).existing(Part::Include), Ok(root.join("include/oxomp")),);
        touch(root.join("include").join(HEADER));
        assert_eq!(look(root).existing(Part::Include), Ok(root.join("include")));
    }

    #[test]
    fn files_for_builds_lie_in_the_folder_of_the_libraries_or_beside_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        touch(root.join("lib/oxomp").join(COLLECTOR));
        touch(root.join("lib/cmake/oxomp/oxompConfig.cmake"));
        assert_eq!(look(root).existing(Part::Cmake), Ok(root.join("lib/cmake/oxomp")));
        assert!(!is_there(root, Part::PkgConfig));
        touch(root.join("lib/oxomp/pkgconfig/oxomp.pc"));
        assert_eq!(look(root).existing(Part::PkgConfig), Ok(root.join("lib/oxomp/pkgconfig")));
    }
}
