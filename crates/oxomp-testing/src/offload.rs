//! The programs under `tests/offload`, which clang builds for the host device: a trial for each
//! configuration on each pair of a libomptarget and a runtime.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use oxomp_prerequisites::skipped::{has_all, skip};
use oxomp_prerequisites::{File, HOST_DEVICE, Prerequisite};

use crate::case::{Case, expand};
use crate::compiler::{Executables, Family, Recipe};
use crate::directives::{Directives, Source, parse};
use crate::file::{TestFile, below};
use crate::process::{run, shown};
use crate::reference::{find, link};
use crate::runtime::{check_loaded, check_offload_loaded};
use crate::settings::{PROGRAMS, Settings, Subject};
use crate::trial::{
    command, ended_as_expected, failure, may_have, printed_as_expected, processors_for,
};

/// The name under which programs of clang 22 ask for libomptarget.
const LIBRARY: &str = "libomptarget.so.22.1";

/// Names under which programs and libomptarget itself ask for the runtime.
const RUNTIMES: [&str; 2] = ["libomp.so.5", "libomp.so"];

/// The variable that tells a program where the library lies that it opens.
const OPENED: &str = "TEST_LIBRARY";

/// Who wrote a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Maker {
    /// LLVM.
    Stock,
    /// This project.
    Ours,
}

/// A libomptarget and the runtime below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pair {
    library: Maker,
    runtime: Maker,
}

impl Pair {
    const ALL: [Self; 4] = [
        Self { library: Maker::Stock, runtime: Maker::Stock },
        Self { library: Maker::Stock, runtime: Maker::Ours },
        Self { library: Maker::Ours, runtime: Maker::Stock },
        Self { library: Maker::Ours, runtime: Maker::Ours },
    ];

    /// The part of a trial's name that names this pair.
    fn name(self) -> &'static str {
        match (self.library, self.runtime) {
            (Maker::Stock, Maker::Stock) => "stock-on-libomp",
            (Maker::Stock, Maker::Ours) => "stock-on-oxomp",
            (Maker::Ours, Maker::Stock) => "ours-on-libomp",
            (Maker::Ours, Maker::Ours) => "ours-on-oxomp",
        }
    }

    /// Whether a part of it is known not to pass a program with these directives.
    fn fails(self, directives: &Directives) -> bool {
        self.library == Maker::Stock && directives.stock_fails.is_some()
            || self.runtime == Maker::Stock && directives.libomp_fails.is_some()
    }
}

/// The data that all trials of a run share.
#[derive(Debug)]
struct Offload {
    settings: Settings,
    executables: Executables,
}

/// One trial per pair of libraries and configuration of every program under `tests/offload`; with
/// `only`, the trials of the program to which the trial of this name belongs.
///
/// # Errors
///
/// A folder that cannot be made or read.
pub fn trials(settings: Settings, only: Option<&str>) -> Result<Vec<Trial>, String> {
    let files = below(&settings.tests.join("offload"), "")?;
    let include = settings.tests.join("include");
    let executables = Executables::new(settings.cache.join(PROGRAMS), include)?;
    let offload = Arc::new(Offload { settings, executables });
    let mut trials = Vec::new();
    for file in files.into_iter().filter(|file| may_have(&file.name, only)) {
        let text = file.text()?;
        let TestFile { name, source } = file;
        match parse(&text) {
            Ok(Source::Part) => {}
            Ok(Source::Test(directives)) => {
                for case in expand(&name, &source, &Arc::new(of_offload(*directives))) {
                    trials.extend(Pair::ALL.map(|pair| Offload::trial(&offload, &case, pair)));
                }
            }
            Err(mistake) => trials.push(Trial::test(name, move || Err(Failed::from(mistake)))),
        }
    }
    Ok(trials)
}

/// The directives, completed by what holds for all programs that offload.
fn of_offload(directives: Directives) -> Directives {
    let apart = || Some("the runtime's own tests do that".to_owned());
    // gcc may compile a part.
    let mut flags_of = directives.flags_of.clone();
    let target = format!("-fopenmp-targets={HOST_DEVICE}");
    flags_of.push((Family::Clang, target));
    Directives {
        compilers: vec![Family::Clang],
        flags_of,
        not_recorded: apart(),
        not_jittered: apart(),
        ..directives
    }
}

impl Offload {
    fn trial(offload: &Arc<Self>, case: &Case, pair: Pair) -> Trial {
        let references_only = offload.settings.subject == Subject::Reference;
        let other = references_only && pair != Pair::ALL[0];
        let ignored = other || pair.fails(&case.directives);
        let (offload, case) = (Arc::clone(offload), case.clone());
        Trial::test(format!("{}::{}", case.name, pair.name()), move || {
            offload.perform(&case, pair).map_err(Failed::from)
        })
        .with_ignored_flag(ignored)
    }

    fn perform(&self, case: &Case, pair: Pair) -> Result<(), String> {
        let files = [File::Libomptarget, File::OffloadBinary, File::ClangLinkerWrapper];
        let mut needed: Vec<Prerequisite> = files.map(Prerequisite::from).to_vec();
        needed.extend(case.recipe.programs().into_iter().map(Prerequisite::from));
        if !has_all(&needed) {
            return Ok(());
        }
        let Some(processors) = processors_for(case) else { return Ok(()) };
        let library = match pair.library {
            Maker::Stock => find("OXOMP_REFERENCE_LIBOMPTARGET", File::Libomptarget)?,
            Maker::Ours => self.settings.runtime.join(LIBRARY),
        };
        if !library.exists() {
            skip(&format!("{}: there is no {}", case.name, library.display()));
            return Ok(());
        }
        let folder = self.folder(pair, &library)?;
        let executable = self.executables.get(&case.recipe)?;
        let opened = match &case.directives.library {
            Some(name) => Some(self.executables.get(&as_library(&case.recipe, name))?),
            None => None,
        };
        for _ in 0..case.directives.repeat {
            once(case, &executable, opened.as_deref(), &folder, &processors)?;
        }
        Ok(())
    }

    /// The folder in which the program finds the pair.
    fn folder(&self, pair: Pair, library: &Path) -> Result<PathBuf, String> {
        let runtime = match pair.runtime {
            Maker::Stock => find("OXOMP_REFERENCE_LIBOMP", File::Libomp)?,
            Maker::Ours => self.settings.runtime.join(RUNTIMES[0]),
        };
        let folder = self.settings.cache.join("pairs").join(pair.name());
        for name in RUNTIMES {
            link(&folder, name, &runtime)?;
        }
        link(&folder, LIBRARY, library)?;
        Ok(folder)
    }
}

/// The recipe of the library that is made of the source `name` of the same folder.
fn as_library(program: &Recipe, name: &str) -> Recipe {
    let mut recipe = Recipe { parts: Vec::new(), ..program.clone() };
    recipe.source = program.source.with_file_name(name);
    recipe.flags.extend(["-shared", "-fPIC"].map(str::to_owned));
    recipe
}

/// One run of `case` with the libraries in `folder`, on `processors` if there are any.
fn once(
    case: &Case,
    executable: &Path,
    opened: Option<&Path>,
    folder: &Path,
    processors: &[u32],
) -> Result<(), String> {
    let scratch = tempfile::tempdir().map_err(|error| format!("temporary folder: {error}"))?;
    let mut command = command(executable, case, folder, processors);
    if let Some(opened) = opened {
        command.env(OPENED, opened);
    }
    let repeat = shown(&command);
    command.env("LD_DEBUG", "files").env("LD_DEBUG_OUTPUT", scratch.path().join("ld"));
    let outcome = run(&mut command, case.directives.timeout)
        .map_err(|error| format!("{}: {error}", executable.display()))?;
    let report = scratch.path().join(format!("ld.{}", outcome.pid));
    let report = fs::read_to_string(report).unwrap_or_default();
    check_loaded(&report, folder)
        .and_then(|()| check_offload_loaded(&report, folder))
        .and_then(|()| ended_as_expected(&case.directives, &outcome))
        .and_then(|()| printed_as_expected(case, &outcome, processors))
        .map_err(|reason| failure(&reason, &repeat, &outcome))
}

#[cfg(test)]
mod tests {
    use oxomp_prerequisites::HOST_DEVICE;

    use super::{Pair, as_library, of_offload};
    use crate::case::expand;
    use crate::directives::{Directives, Source, parse};
    use std::path::Path;
    use std::sync::Arc;

    fn directives(text: &str) -> Directives {
        let Ok(Source::Test(directives)) = parse(text) else { panic!("right directives") };
        of_offload(*directives)
    }

    #[test]
    fn clang_builds_for_the_host_device_once() {
        let directives = Arc::new(directives("//#Flags:-Wno-a\n//#Library:image.c\n"));
        let cases = expand("a/b.c", Path::new("/t/a/b.c"), &directives);
        assert_eq!(cases.len(), 1);
        let target = format!("-fopenmp-targets={HOST_DEVICE}");
        assert_eq!(cases[0].recipe.flags, ["-Wno-a".to_owned(), target]);
        let library = as_library(&cases[0].recipe, "image.c");
        assert_eq!(library.source, Path::new("/t/a/image.c"));
        assert!(library.flags.ends_with(&["-shared".to_owned(), "-fPIC".to_owned()]));
    }

    #[test]
    fn what_a_library_cannot_pass_is_not_asked_of_it() {
        let failing = |text: &str| {
            let directives = directives(text);
            let names = Pair::ALL.iter().filter(|pair| pair.fails(&directives));
            names.map(|pair| pair.name()).collect::<Vec<_>>()
        };
        assert!(failing("").is_empty());
        assert_eq!(failing("//#StockFails:it leaks\n"), ["stock-on-libomp", "stock-on-oxomp"]);
        assert_eq!(failing("//#LibompFails:asserts\n"), ["stock-on-libomp", "ours-on-libomp"]);
    }
}
