//! Which OpenMP runtime the program runs on, and by which means.
//!
//! Programs of libgomp find ours by the library path, as it answers to their soname. A run path
//! that comes before the library path (`DT_RPATH`, a name with a slash) is noticed by asking the
//! loader, and then ours is preloaded: symbols of preloaded objects are found first. Only a
//! preloaded runtime takes the place of one that a program loads later by itself, such as the copy
//! of libgomp in a Python wheel.

use std::fmt;
use std::path::Path;

use crate::elf::LoaderSays;
use crate::failure::Failure;
use crate::locate::Installation;
use crate::ours::is_ours;
use crate::program::{Kind, Program};
use crate::props::RuntimePolicy;
use crate::variables::Variables;

/// How a runtime gets under a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Means {
    /// The program's own runtime stays.
    Keep,
    /// Ours, found by its soname.
    LibraryPath,
    /// Ours, before every other object.
    Preload,
}

/// The decision.
#[derive(Debug)]
pub(crate) struct Choice {
    pub(crate) means: Means,
    /// Why, for people: "the program links libgomp.so.1, which has no OMPT".
    pub(crate) reason: String,
    /// The libraries that the loader will load, where it could be asked.
    pub(crate) loader: Option<LoaderSays>,
}

/// The runtimes that exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// gcc's; it has no OMPT.
    Gomp,
    /// LLVM's or Intel's, or ours under one of their names; they have OMPT.
    Kmpc,
}

impl Family {
    /// Tells a runtime by its file name: `libgomp.so.1`, `libgomp-24e2ab19.so.1.0.0`,
    /// `libomp.so.5`, `libiomp5.so`.
    pub(crate) fn of(file_name: &str) -> Option<Self> {
        let stem = file_name.split(".so").next().filter(|stem| stem.len() < file_name.len())?;
        let is = |name: &str| stem == name || stem.starts_with(&format!("{name}-"));
        if is("libgomp") {
            Some(Self::Gomp)
        } else if ["libomp", "libomp5", "libiomp5", "libiomp5md"].into_iter().any(is) {
            Some(Self::Kmpc)
        } else {
            None
        }
    }
}

/// The last part of the name by which a program asks for a library.
pub(crate) fn file_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

impl fmt::Display for Means {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Keep => "kept",
            Self::LibraryPath => "by library path",
            Self::Preload => "preloaded",
        })
    }
}

/// Decides, and puts the variables that the decision needs into `variables`.
pub(crate) fn choose(
    policy: RuntimePolicy,
    program: &Program,
    installation: &Installation,
    variables: &mut Variables,
) -> Result<Choice, Failure> {
    if policy == RuntimePolicy::Keep {
        return Ok(keep(program, variables, "--runtime keep".to_owned()));
    }
    if let Some(obstacle) = obstacle(program) {
        return Err(Failure::own(format!(
            "{}: {obstacle} (`oxomp profile --runtime keep` runs it as it is)",
            program.path.display()
        )));
    }
    let links = linked_runtimes(program);
    let names = |family: Family| -> Vec<&str> {
        links.iter().filter(|link| link.1 == family).map(|link| link.0.as_str()).collect()
    };
    let (gomp, kmpc) = (names(Family::Gomp), names(Family::Kmpc));
    if policy == RuntimePolicy::Auto && gomp.is_empty() {
        if !kmpc.is_empty() {
            let reason = format!("the program links {}, which tools can watch", kmpc.join(", "));
            return Ok(keep(program, variables, reason));
        }
        if statically_linked_kmpc(program) {
            let reason = "a runtime is linked into the program".to_owned();
            return Ok(keep(program, variables, reason));
        }
    }

    let runtime = installation.runtime()?;
    variables.prepend_library_path(installation.lib())?;
    if !links.is_empty() {
        let all: Vec<&str> = links.iter().map(|link| link.0.as_str()).collect();
        let loader = ask(program, variables);
        let ours_everywhere = match &loader {
            Some(says) => all.iter().all(|name| resolves_to(says, name, &runtime)),
            None => all.iter().all(|name| !name.contains('/')),
        };
        if ours_everywhere {
            let reason = format!("the program links {}", all.join(", "));
            return Ok(Choice { means: Means::LibraryPath, reason, loader });
        }
        variables.prepend_preload(&runtime)?;
        let reason =
            format!("the program links {}, and finds it by a path of its own", all.join(", "));
        return Ok(Choice { means: Means::Preload, reason, loader: ask(program, variables) });
    }

    variables.prepend_preload(&runtime)?;
    let reason = match &program.kind {
        Kind::Script { interpreter } => {
            format!("a script for {}; what it starts may use OpenMP", interpreter.display())
        }
        Kind::Elf(_) => "the program links no OpenMP runtime; it may load one later".to_owned(),
    };
    Ok(Choice { means: Means::Preload, reason, loader: ask(program, variables) })
}

fn keep(program: &Program, variables: &Variables, reason: String) -> Choice {
    Choice { means: Means::Keep, reason, loader: ask(program, variables) }
}

/// Why no runtime can be put under the program.
fn obstacle(program: &Program) -> Option<&'static str> {
    if program.is_privileged {
        return Some(
            "runs with the rights of another user, so the dynamic loader ignores oxomp's settings",
        );
    }
    let Kind::Elf(elf) = &program.kind else { return None };
    if elf.is_static {
        return Some(
            "is statically linked, so its OpenMP runtime cannot be replaced; link it dynamically",
        );
    }
    if !elf.is_native {
        return Some("is a 32-bit program, and oxomp's runtime is a 64-bit one");
    }
    None
}

/// Names and families of the runtimes the program would load at its start, own choice or not.
fn linked_runtimes(program: &Program) -> Vec<(String, Family)> {
    let Kind::Elf(elf) = &program.kind else { return Vec::new() };
    let names = match ask(program, &Variables::new()) {
        Some(says) => says.libraries.into_iter().map(|library| library.name).collect(),
        None => elf.needed.clone(),
    };
    names
        .into_iter()
        .filter_map(|name| {
            let family = Family::of(file_name(&name))?;
            Some((name, family))
        })
        .collect()
}

fn statically_linked_kmpc(program: &Program) -> bool {
    matches!(&program.kind, Kind::Elf(elf) if elf.contains_runtime)
}

fn resolves_to(says: &LoaderSays, name: &str, runtime: &Path) -> bool {
    says.libraries
        .iter()
        .filter(|library| library.name == name)
        .all(|library| library.path.as_deref().is_some_and(|path| is_ours(path, runtime)))
}

fn ask(program: &Program, variables: &Variables) -> Option<LoaderSays> {
    program.ask_loader(variables.as_slice())
}

#[cfg(test)]
mod tests {
    use super::Family;

    #[test]
    fn runtimes_are_told_by_their_file_names() {
        for name in ["libgomp.so.1", "libgomp.so", "libgomp-24e2ab19.so.1.0.0"] {
            assert_eq!(Family::of(name), Some(Family::Gomp), "{name}");
        }
        for name in ["libomp.so.5", "libomp.so", "libiomp5.so", "libomp5.so", "libomp-19.so.5"] {
            assert_eq!(Family::of(name), Some(Family::Kmpc), "{name}");
        }
        for name in ["libompd.so", "libgomp", "libgompx.so", "libomptarget.so.19", "libm.so.6"] {
            assert_eq!(Family::of(name), None, "{name}");
        }
    }
}
