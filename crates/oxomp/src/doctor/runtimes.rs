//! The report on the runtimes that a program gets when it starts.

use std::env;
use std::path::{Path, PathBuf};

use super::examined::Examined;
use super::lines::Lines;
use super::probe::Probe;
use crate::elf::{ElfProgram, LoaderSays};
use crate::failure::Failure;
use crate::locate::Installation;
use crate::ours::implementation;
use crate::program::Program;
use crate::runtime_choice::{Family, file_name};
use crate::user_tools::{is_old_tool, is_tool};

/// A runtime that the program gets when it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Loaded {
    /// The name by which something asks for it.
    name: String,
    path: Option<PathBuf>,
}

/// Reports the runtimes of an ELF program; tells whether the one that wins has OMPT.
pub(super) fn of_program(
    lines: &mut Lines,
    program: &Program,
    elf: &ElfProgram,
    installation: &Installation,
    probe: &Probe,
) -> Result<bool, Failure> {
    if let Some(has_ompt) = without_loader(lines, elf) {
        return Ok(has_ompt);
    }
    let Some(loader) = program.ask_loader(&[]) else {
        lines.warn("the program's dynamic loader does not tell what it would load");
        return Ok(false);
    };
    for complaint in &loader.complaints {
        lines.warn(&format!("the loader says: {complaint}"));
    }
    for file in tools_of(program, elf, &loader) {
        lines.say(
            "tool",
            &format!(
                "{} defines ompt_start_tool: it is asked first, and OMP_TOOL_LIBRARIES only if \
                 it returns NULL",
                file.display()
            ),
        );
    }
    for file in old_tools_of(program, elf, &loader) {
        lines.say(
            "tool",
            &format!(
                "{} defines ompt_tool, as tools of the 2015 report do: a runtime that has their \
                 interface asks it before OMP_TOOL_LIBRARIES",
                file.display()
            ),
        );
    }
    let loaded = runtimes_of(&loader);
    if loaded.is_empty() && !elf.contains_runtime {
        lines.say("runtime", "none is linked; the program may load one later");
        return Ok(true);
    }
    let mut has_ompt = elf.contains_runtime;
    let files = files_of(lines, &loaded);
    let others = usize::from(elf.contains_runtime);
    for (at, (file, names)) in files.iter().enumerate() {
        let wins = at == 0 && others == 0;
        let note = how_found(&loaded, file, names, installation);
        let examined = Examined::of(probe, file.as_os_str(), file.parent())?;
        lines.say("runtime", &format!("{} => {}{note}", names.join(", "), file.display()));
        describe(lines, &examined);
        if wins {
            has_ompt = examined.has_ompt;
            if files.len() > 1 {
                lines.say("", "wins: the loader finds its symbols first");
            }
        }
    }
    if files.len() + others > 1 {
        lines.warn(
            "two runtimes in one program: each has threads of its own, so that twice as many \
             compete for the processors, a lock or a critical of one does not exclude the \
             threads of the other, and calls may go to the wrong one; `oxomp run` puts one \
             runtime in the place of both",
        );
    }
    Ok(has_ompt)
}

/// Reports what the program's own file tells of runtimes. If the loader has nothing to add, tells
/// whether tools may work.
fn without_loader(lines: &mut Lines, elf: &ElfProgram) -> Option<bool> {
    if elf.contains_runtime {
        lines.say(
            "runtime",
            "linked into the program, as its symbols tell; the loader has no say in it",
        );
        if elf.is_static {
            return Some(true);
        }
    } else if elf.is_static {
        lines.say(
            "runtime",
            "none is seen; the program is statically linked, and if it is stripped, a runtime in \
             it cannot be told",
        );
        return Some(false);
    }
    if elf.is_native {
        return None;
    }
    lines.say("runtime", "not looked at: the program is of another word size");
    Some(false)
}

/// The files of the runtimes, each with the names that lead to it; reports names without a file.
fn files_of(lines: &mut Lines, loaded: &[Loaded]) -> Vec<(PathBuf, Vec<String>)> {
    let mut files: Vec<(PathBuf, Vec<String>)> = Vec::new();
    for runtime in loaded {
        let Some(path) = &runtime.path else {
            lines.warn(&format!("{} is not found: the program does not start", runtime.name));
            continue;
        };
        let real = implementation(path).unwrap_or_else(|| path.clone());
        match files.iter_mut().find(|(file, _)| *file == real) {
            Some((_, names)) => names.push(runtime.name.clone()),
            None => files.push((real, vec![runtime.name.clone()])),
        }
    }
    files
}

/// The files in the program's address space that are tools: itself, or libraries but the runtimes.
fn tools_of(program: &Program, elf: &ElfProgram, loader: &LoaderSays) -> Vec<PathBuf> {
    let itself = (elf.defined.ompt_start_tool && !elf.contains_runtime).then_some(&program.path);
    let libraries = loader.libraries.iter().filter_map(|library| library.path.as_ref());
    itself.into_iter().chain(libraries.filter(|path| is_tool(path))).cloned().collect()
}

/// The files in the program's address space that are tools of the 2015 report and no others.
fn old_tools_of(program: &Program, elf: &ElfProgram, loader: &LoaderSays) -> Vec<PathBuf> {
    let is_itself = elf.defined.ompt_tool && !elf.defined.ompt_start_tool && !elf.contains_runtime;
    let libraries = loader.libraries.iter().filter_map(|library| library.path.as_ref());
    let itself = is_itself.then_some(&program.path);
    itself.into_iter().chain(libraries.filter(|path| is_old_tool(path))).cloned().collect()
}

/// The runtimes among the libraries, in the order in which symbols are looked up.
fn runtimes_of(loader: &LoaderSays) -> Vec<Loaded> {
    let is_runtime = |name: &str| Family::of(file_name(name)).is_some();
    loader
        .libraries
        .iter()
        .filter(|library| is_runtime(&library.name))
        .map(|library| Loaded { name: library.name.clone(), path: library.path.clone() })
        .collect()
}

/// Notes on how the program gets the file: oxomp's, preloaded, by a link, a bundled copy.
fn how_found(
    loaded: &[Loaded],
    file: &Path,
    names: &[String],
    installation: &Installation,
) -> String {
    let mut notes = Vec::new();
    let ours = installation.runtime().ok().and_then(|path| implementation(&path));
    if ours.as_deref() == Some(file) {
        notes.push("oxomp's");
    }
    let preload = env::var_os("LD_PRELOAD").unwrap_or_default();
    let preload = preload.to_string_lossy();
    let is_preloaded = |name: &String| {
        preload.split([':', ' ']).any(|entry| !entry.is_empty() && *entry == **name)
    };
    if names.iter().any(is_preloaded) {
        notes.push("preloaded");
    }
    let is_link = loaded
        .iter()
        .filter(|runtime| names.contains(&runtime.name))
        .filter_map(|runtime| runtime.path.as_deref())
        .any(|path| leads_elsewhere(path, file));
    if is_link {
        notes.push("by a link of another name");
    }
    let bundled = |name: &String| {
        let file = file_name(name);
        file.starts_with("libgomp-") || file.starts_with("libomp-") || file.contains("iomp5-")
    };
    if names.iter().any(bundled) {
        notes.push("a bundled copy");
    }
    if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) }
}

/// Whether `path` names another library than the `file` that it leads to, unlike `libgomp.so.1`,
/// which leads to `libgomp.so.1.0.0`.
fn leads_elsewhere(path: &Path, file: &Path) -> bool {
    let stem = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.split(".so").next().unwrap_or_default().to_owned()
    };
    stem(path) != stem(file)
}

/// Reports what a runtime says of itself.
pub(super) fn describe(lines: &mut Lines, examined: &Examined) {
    if let Some(defect) = &examined.defect {
        lines.warn(&format!("it cannot be loaded alone: {defect}"));
        return;
    }
    lines.say("", &format!("version: {}", examined.version_line()));
    lines.say("", &format!("OMPT: {}", examined.ompt_line()));
    lines.say("", &format!("tools of 2015: {}", examined.report_line()));
    lines.say("", &format!("OMPD: {}", examined.ompd_line()));
}
