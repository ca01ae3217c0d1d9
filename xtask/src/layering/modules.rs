//! The arrows between the modules of `oxomp-core`, and between the ABI families of `oxomp-abi`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::Breach;
use super::paths::mentions;
use crate::files::{files_below, is_rust};

/// The floors of `oxomp-core`, the lowest first. A module may use its own floor and those below.
const FLOORS: [&[&str]; 5] = [
    &["arch", "os", "diag", "memory", "race_detector", "version"],
    &["icv", "places", "settings", "ompt::event", "ompd::breakpoint"],
    &[
        "affinity_format",
        "allocator",
        "barrier",
        "cancel",
        "consistency",
        "contention_group",
        "copyprivate",
        "defaults",
        "devices",
        "error_directive",
        "implicit_task",
        "mutex",
        "native",
        "num_threads_clause",
        "ompd",
        "pool",
        "reduction",
        "task",
        "team",
        "thread",
        "threadprivate",
        "worksharing",
    ],
    &["league", "parallel"],
    &["ompt::tool", "runtime", "fork"],
];

/// The arrows that point up, each with the reason.
const EXCEPTIONS: [(&str, &str); 1] = [
    // A native thread that has no block yet gets it from the runtime's start.
    ("thread", "runtime"),
];

/// The modules of `oxomp-abi` that know one family of compilers each, or the user's routines, or what
/// tools and debuggers look for.
const FAMILIES: [&str; 6] = ["kmpc", "gomp", "omp", "kmp", "ompt", "ompd"];

/// Checks each file under `source`, the `src` folder of `oxomp-core`.
pub fn check_core(source: &Path) -> Result<Vec<Breach>> {
    let macros = macros(source)?;
    check(source, |from, to| {
        let is_macro = matches!(to, [name] if macros.contains(name));
        if from.is_empty() || to.is_empty() || is_macro || is_exception(from, to) {
            return None;
        }
        let Some(to_floor) = floor(to) else {
            return Some(format!(
                "`{}` is in no floor of the core: name the module that defines it",
                to.join("::")
            ));
        };
        // A module that only holds others, such as `ompt` itself, uses nothing.
        let Some(from_floor) = floor(from) else {
            let inside = to.starts_with(from);
            return (!inside).then(|| format!("`{}` has no floor in the core", from.join("::")));
        };
        (to_floor > from_floor).then(|| {
            format!(
                "`{}` (floor {from_floor}) may not use `{}` (floor {to_floor}): arrows go down",
                from.join("::"),
                to.join("::")
            )
        })
    })
}

/// Checks each file under `source`, the `src` folder of `oxomp-abi`.
pub fn check_abi(source: &Path) -> Result<Vec<Breach>> {
    check(source, |from, to| {
        let family = |path: &[String]| {
            FAMILIES.iter().position(|name| path.first().is_some_and(|first| first == name))
        };
        let (from_family, to_family) = (family(from)?, family(to)?);
        (from_family != to_family).then(|| {
            format!(
                "`{}` may not use `{}`: what both need belongs to the core or beside them",
                from.join("::"),
                to.join("::")
            )
        })
    })
}

fn is_exception(from: &[String], to: &[String]) -> bool {
    EXCEPTIONS.iter().any(|(user, used)| from[0] == *user && to[0] == *used)
}

/// The names of the macros that the files under `source` define: they live at the crate's root.
fn macros(source: &Path) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for file in files_below(source, is_rust)? {
        let text =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let definitions = text.lines().filter_map(|line| line.trim().strip_prefix("macro_rules! "));
        names.extend(definitions.map(|rest| rest.trim_end_matches([' ', '{']).to_owned()));
    }
    Ok(names)
}

/// The floor of the module that `path` names or lies in.
fn floor(path: &[String]) -> Option<usize> {
    FLOORS.iter().position(|modules| {
        modules.iter().any(|module| {
            let mut segments = module.split("::");
            let mut path = path.iter();
            segments.all(|segment| path.next().is_some_and(|name| name == segment))
        })
    })
}

/// Applies `rule` to each pair (module of a file, path mentioned in it) below `source`.
fn check(
    source: &Path,
    rule: impl Fn(&[String], &[String]) -> Option<String>,
) -> Result<Vec<Breach>> {
    let mut breaches = Vec::new();
    for file in files_below(source, is_rust)? {
        let text =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let module = module_of(source, &file);
        let found = mentions(&text, &module).with_context(|| file.display().to_string())?;
        breaches.extend(found.into_iter().filter_map(|mention| {
            rule(&module, &mention.path).map(|rule| Breach {
                file: file.clone(),
                line: mention.line,
                rule,
            })
        }));
    }
    Ok(breaches)
}

/// `barrier/dock.rs` → `["barrier", "dock"]`, `lib.rs` → `[]`.
fn module_of(source: &Path, file: &Path) -> Vec<String> {
    let relative = file.strip_prefix(source).unwrap_or(file).with_extension("");
    let mut module: Vec<String> =
        relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib")) {
        module.pop();
    }
    module
}

#[cfg(test)]
mod tests {
    use super::{Breach, check_abi, check_core};
    use std::fs;

    fn core(files: &[(&str, &str)]) -> Vec<Breach> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
            fs::write(path, text).expect("writable");
        }
        check_core(folder.path()).expect("readable")
    }

    #[test]
    fn arrows_down_and_beside_pass() {
        let breaches = core(&[
            ("lib.rs", "pub mod team;\npub use crate::ompt::tool::X;"),
            ("team.rs", "use crate::thread::Thread;\nuse crate::ompt::event::Mask;"),
            ("ompt/mod.rs", "pub mod event;\npub mod tool;"),
            ("ompt/tool/mod.rs", "use crate::parallel::run;"),
        ]);
        assert_eq!(breaches, []);
    }

    #[test]
    fn an_arrow_up_names_file_line_and_rule() {
        let breaches = core(&[("team.rs", "\nuse crate::{\n    os,\n    parallel::run,\n};")]);
        assert_eq!(breaches.len(), 1);
        assert!(breaches[0].file.ends_with("team.rs"));
        assert_eq!(breaches[0].line, 4);
        assert!(
            breaches[0].rule.contains("`team` (floor 2) may not use `parallel::run` (floor 3)")
        );
    }

    #[test]
    fn a_macro_at_the_root_is_no_module() {
        let source = "macro_rules! gather {\n () => {} }\npub use crate::gather;";
        assert_eq!(core(&[("arch.rs", source)]), []);
    }

    #[test]
    fn only_the_listed_arrow_points_up() {
        assert_eq!(core(&[("thread.rs", "use crate::runtime;")]), []);
        assert_eq!(core(&[("team.rs", "use crate::runtime;")]).len(), 1);
    }

    #[test]
    fn the_event_leaf_does_not_reach_the_tool_room() {
        let breaches = core(&[("ompt/event/emit.rs", "use super::super::tool::call;")]);
        assert_eq!(breaches.len(), 1);
    }

    #[test]
    fn a_reexport_at_the_root_hides_no_arrow() {
        let breaches = core(&[("team.rs", "use crate::Run;")]);
        assert!(breaches[0].rule.contains("`Run` is in no floor"));
    }

    #[test]
    fn compiler_families_do_not_meet() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir(folder.path().join("kmpc")).expect("writable");
        fs::write(
            folder.path().join("kmpc/fork.rs"),
            "use crate::gomp::parallel;\nuse crate::entry;",
        )
        .expect("writable");
        let breaches = check_abi(folder.path()).expect("readable");
        assert_eq!(breaches.len(), 1);
        assert_eq!(breaches[0].line, 1);
    }
}
