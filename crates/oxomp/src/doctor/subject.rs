//! The report on a program, or on the system's runtimes.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::examined::Examined;
use super::probe::Probe;
use super::tool_variables::{Circumstances, Remark, remarks};
use crate::elf::{self, ElfProgram, LoaderSays, ask_loader};
use crate::failure::Failure;
use crate::locate::Installation;
use crate::program::{Kind, Program};
use crate::runtime_choice::Family;
use crate::verbose::describe;

/// The names under which programs ask for a runtime.
const SONAMES: [&str; 3] = ["libomp.so.5", "libiomp5.so", "libgomp.so.1"];

/// The lines written so far, and whether one was a warning.
#[derive(Debug, Default)]
struct Lines {
    has_warned: bool,
}

impl Lines {
    fn say(&self, what: &str, text: &str) {
        // A reader that has gone, such as `head`, changes nothing about the exit status.
        writeln!(io::stdout(), "{what:<10} {text}").ok();
    }

    fn warn(&mut self, text: &str) {
        self.has_warned = true;
        self.say("warning", text);
    }

    fn status(&self) -> ExitCode {
        ExitCode::from(u8::from(self.has_warned))
    }
}

/// A runtime that the program gets when it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Loaded {
    /// The name by which something asks for it.
    name: String,
    path: Option<PathBuf>,
}

/// Reports on the program `name`.
pub(crate) fn program(name: &OsStr) -> Result<ExitCode, Failure> {
    let program = Program::find(name)?;
    let installation = Installation::find()?;
    let probe = Probe::find(&installation)?;
    let mut lines = Lines::default();
    lines.say("program", &format!("{} ({})", program.path.display(), describe(&program)));
    if program.is_privileged {
        lines.warn(
            "it runs with the rights of another user: the loader ignores LD_LIBRARY_PATH and \
             LD_PRELOAD, and no tool is loaded",
        );
    }
    let circumstances = Circumstances { has_ompt: false, is_privileged: program.is_privileged };
    let has_ompt = match &program.kind {
        Kind::Script { interpreter } => {
            lines.say(
                "runtime",
                &format!(
                    "unknown: a script for {} may load one later, such as the libgomp that a \
                     Python wheel bundles; `oxomp run -v` shows which",
                    interpreter.display()
                ),
            );
            true
        }
        Kind::Elf(elf) => report_runtimes(&mut lines, &program, elf, &installation, &probe)?,
    };
    for remark in remarks(Circumstances { has_ompt, ..circumstances }) {
        match remark {
            Remark::Note(text) => lines.say("variable", &text),
            Remark::Warning(text) => lines.warn(&text),
        }
    }
    Ok(lines.status())
}

/// Reports the runtimes of an ELF program; tells whether the one that wins has OMPT.
fn report_runtimes(
    lines: &mut Lines,
    program: &Program,
    elf: &ElfProgram,
    installation: &Installation,
    probe: &Probe,
) -> Result<bool, Failure> {
    if elf.contains_runtime {
        lines.say(
            "runtime",
            "linked into the program, as its symbols tell; the loader has no say in it",
        );
        if elf.is_static {
            return Ok(true);
        }
    } else if elf.is_static {
        lines.say(
            "runtime",
            "none is seen; the program is statically linked, and if it is stripped, a runtime in \
             it cannot be told",
        );
        return Ok(false);
    }
    if !elf.is_native {
        lines.say("runtime", "not looked at: the program is of another word size");
        return Ok(false);
    }
    let Some(loader) = loader_says(program, elf) else {
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
    let loaded = runtimes_of(&loader);
    if loaded.is_empty() && !elf.contains_runtime {
        lines.say("runtime", "none is linked; the program may load one later");
        return Ok(true);
    }
    let mut has_ompt = elf.contains_runtime;
    let mut files: Vec<(PathBuf, Vec<String>)> = Vec::new();
    for runtime in &loaded {
        let Some(path) = &runtime.path else {
            lines.warn(&format!("{} is not found: the program does not start", runtime.name));
            continue;
        };
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        match files.iter_mut().find(|(file, _)| *file == real) {
            Some((_, names)) => names.push(runtime.name.clone()),
            None => files.push((real, vec![runtime.name.clone()])),
        }
    }
    let others = usize::from(elf.contains_runtime);
    for (at, (file, names)) in files.iter().enumerate() {
        let wins = at == 0 && others == 0;
        let note = how_found(&loaded, file, names, installation);
        let examined = Examined::of(probe, file.as_os_str(), file.parent())?;
        lines.say("runtime", &format!("{} => {}{note}", names.join(", "), file.display()));
        describe_runtime(lines, &examined);
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

fn loader_says(program: &Program, elf: &ElfProgram) -> Option<LoaderSays> {
    ask_loader(elf.interpreter.as_deref()?, &program.path, &[])
}

/// The files in the program's address space that are tools: itself, or libraries but the runtimes.
fn tools_of(program: &Program, elf: &ElfProgram, loader: &LoaderSays) -> Vec<PathBuf> {
    let is_tool = |path: &&PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Family::of(&name).is_none()
            && elf::read(path)
                .is_ok_and(|file| file.defined.ompt_start_tool && !file.contains_runtime)
    };
    let itself = (elf.defined.ompt_start_tool && !elf.contains_runtime).then_some(&program.path);
    let libraries = loader.libraries.iter().filter_map(|library| library.path.as_ref());
    itself.into_iter().chain(libraries.filter(is_tool)).cloned().collect()
}

/// The runtimes among the libraries, in the order in which symbols are looked up.
fn runtimes_of(loader: &LoaderSays) -> Vec<Loaded> {
    let is_runtime = |name: &str| Family::of(name.rsplit('/').next().unwrap_or(name)).is_some();
    loader
        .libraries
        .iter()
        .filter(|library| is_runtime(&library.name))
        .map(|library| Loaded { name: library.name.clone(), path: library.path.clone() })
        .collect()
}

/// Preloaded, oxomp's, a copy that something bundles.
fn how_found(
    loaded: &[Loaded],
    file: &Path,
    names: &[String],
    installation: &Installation,
) -> String {
    let mut notes = Vec::new();
    let ours = installation.runtime().ok().and_then(|path| path.canonicalize().ok());
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
        let file = name.rsplit('/').next().unwrap_or(name);
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

fn describe_runtime(lines: &mut Lines, examined: &Examined) {
    if let Some(defect) = &examined.defect {
        lines.warn(&format!("it cannot be loaded alone: {defect}"));
        return;
    }
    lines.say("", &format!("version: {}", examined.version_line()));
    lines.say("", &format!("OMPT: {}", examined.ompt_line()));
    lines.say("", &format!("OMPD: {}", examined.ompd_line()));
}

/// Reports the runtimes that the loader finds by the names that programs ask for, and ours.
pub(crate) fn system() -> Result<ExitCode, Failure> {
    let installation = Installation::find()?;
    let probe = Probe::find(&installation)?;
    let mut lines = Lines::default();
    let mut names: Vec<OsString> = SONAMES.iter().map(OsString::from).collect();
    names.push(installation.runtime()?.into_os_string());
    for name in names {
        let examined = Examined::of(&probe, &name, None)?;
        let shown = name.display();
        match &examined.file {
            Some(file) if *file == *name => lines.say("runtime", &format!("{shown} (oxomp's)")),
            Some(file) => lines.say("runtime", &format!("{shown} => {}", file.display())),
            None => {
                lines.say("runtime", &format!("{shown}: the loader finds none"));
                continue;
            }
        }
        describe_runtime(&mut lines, &examined);
    }
    for remark in remarks(Circumstances { has_ompt: true, is_privileged: false }) {
        match remark {
            Remark::Note(text) => lines.say("variable", &text),
            Remark::Warning(text) => lines.warn(&text),
        }
    }
    Ok(lines.status())
}
