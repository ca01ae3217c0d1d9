//! The variables by which a person asks for tools and debuggers, and whether they have an effect.

use std::env;
use std::path::{Path, PathBuf};

use crate::elf::{self, NotAProgram};

/// A line of the report; a warning if the variable does not do what it seems to ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Remark {
    Note(String),
    Warning(String),
}

/// Where tools are loaded at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Circumstances {
    /// The runtime that wins has OMPT.
    pub(crate) has_ompt: bool,
    /// The program runs with other rights than its user's.
    pub(crate) is_privileged: bool,
}

/// Remarks on the variables that a program started now would inherit.
pub(crate) fn remarks(circumstances: Circumstances) -> Vec<Remark> {
    let value = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let tool = value("OMP_TOOL").map(|value| value.to_string_lossy().into_owned());
    let libraries = value("OMP_TOOL_LIBRARIES");
    let log = value("OMP_TOOL_VERBOSE_INIT").map(|value| value.to_string_lossy().into_owned());
    let debug = value("OMP_DEBUG").map(|value| value.to_string_lossy().into_owned());

    let mut remarks = vec![tool_remark(tool.as_deref(), circumstances)];
    let is_disabled = tool.as_deref().is_some_and(|value| is(value, "disabled"));
    if let Some(list) = &libraries {
        let reason = if is_disabled {
            Some("OMP_TOOL is disabled")
        } else if circumstances.is_privileged {
            Some("the program runs with the rights of another user, and loads no tool")
        } else if !circumstances.has_ompt {
            Some("the runtime has no OMPT")
        } else {
            None
        };
        if let Some(reason) = reason {
            remarks.push(Remark::Warning(format!("OMP_TOOL_LIBRARIES has no effect: {reason}")));
        }
        remarks.extend(env::split_paths(list).map(|entry| library_remark(&entry)));
    }
    remarks.extend(log.map(|value| log_remark(&value)));
    remarks.extend(debug.map(|value| debug_remark(&value)));
    remarks
}

fn is(value: &str, word: &str) -> bool {
    value.trim().eq_ignore_ascii_case(word)
}

fn tool_remark(value: Option<&str>, circumstances: Circumstances) -> Remark {
    let search = match circumstances.has_ompt && !circumstances.is_privileged {
        true => "a tool is looked for",
        false => "no tool is loaded here",
    };
    match value {
        None => Remark::Note(format!("OMP_TOOL is not set: {search}")),
        Some(value) if is(value, "enabled") => Remark::Note(format!("OMP_TOOL=enabled: {search}")),
        Some(value) if is(value, "disabled") => {
            Remark::Note("OMP_TOOL=disabled: no tool is looked for".to_owned())
        }
        Some(value) => Remark::Warning(format!(
            "OMP_TOOL={value}: neither enabled nor disabled (6.0 §4.5.1); oxomp ends the program \
             then, and libomp loads no tool"
        )),
    }
}

/// A library of the list; the loader looks for a name without a slash.
fn library_remark(entry: &Path) -> Remark {
    let shown = entry.display();
    if entry.as_os_str().is_empty() {
        return Remark::Warning("OMP_TOOL_LIBRARIES has an empty entry".to_owned());
    }
    // A name without a slash may be elsewhere too.
    let is_here = entry.as_os_str().to_string_lossy().contains('/') && entry.exists();
    if is_here && !entry.is_file() {
        return Remark::Warning(format!("OMP_TOOL_LIBRARIES: {shown}: no regular file"));
    }
    let Some(file) = located(entry) else {
        return Remark::Warning(format!("OMP_TOOL_LIBRARIES: {shown}: no such file"));
    };
    match elf::read(&file) {
        Ok(library) if !library.is_native => {
            Remark::Warning(format!("OMP_TOOL_LIBRARIES: {shown}: of another word size"))
        }
        Ok(library) if library.defined.ompt_start_tool => {
            Remark::Note(format!("OMP_TOOL_LIBRARIES: {shown}: a tool, with ompt_start_tool"))
        }
        Ok(library) if library.defined.ompt_tool => Remark::Note(format!(
            "OMP_TOOL_LIBRARIES: {shown}: a tool of the 2015 report, with ompt_tool; runs where \
             the runtime looks for that"
        )),
        Ok(_) => Remark::Warning(format!(
            "OMP_TOOL_LIBRARIES: {shown}: no tool, it does not define ompt_start_tool"
        )),
        Err(NotAProgram::NotElf) => {
            Remark::Warning(format!("OMP_TOOL_LIBRARIES: {shown}: no shared library"))
        }
        Err(NotAProgram::OtherMachine(machine)) => {
            Remark::Warning(format!("OMP_TOOL_LIBRARIES: {shown}: a library for {machine}"))
        }
        Err(NotAProgram::OtherKind(kind)) => {
            Remark::Warning(format!("OMP_TOOL_LIBRARIES: {shown}: {kind}"))
        }
        Err(NotAProgram::Damaged(reason)) => {
            Remark::Warning(format!("OMP_TOOL_LIBRARIES: {shown}: cannot be read: {reason}"))
        }
    }
}

/// The file of an entry: itself, or the one in a folder of `LD_LIBRARY_PATH` or of the system.
fn located(entry: &Path) -> Option<PathBuf> {
    if entry.as_os_str().to_string_lossy().contains('/') {
        return entry.is_file().then(|| entry.to_owned());
    }
    let path = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let system = ["/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib"].map(PathBuf::from);
    let multiarch = [format!("/usr/lib/{}-linux-gnu", env::consts::ARCH)].map(PathBuf::from);
    env::split_paths(&path)
        .chain(system)
        .chain(multiarch)
        .map(|folder| folder.join(entry))
        .find(|file| file.is_file())
}

fn log_remark(value: &str) -> Remark {
    if is(value, "disabled") {
        return Remark::Note("OMP_TOOL_VERBOSE_INIT=disabled: no log of the search".to_owned());
    }
    if is(value, "stdout") || is(value, "stderr") {
        return Remark::Note(format!(
            "OMP_TOOL_VERBOSE_INIT: the log of the search goes to {value}"
        ));
    }
    let folder = Path::new(value).parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Remark::Warning(format!(
            "OMP_TOOL_VERBOSE_INIT: {value}: no such folder; the log of the search goes to stderr"
        )),
        _ => Remark::Note(format!(
            "OMP_TOOL_VERBOSE_INIT: the log of the search goes to the file {value}"
        )),
    }
}

fn debug_remark(value: &str) -> Remark {
    match value {
        "enabled" => {
            Remark::Note("OMP_DEBUG=enabled: the runtime keeps what OMPD reads".to_owned())
        }
        "disabled" => Remark::Note("OMP_DEBUG=disabled: OMPD may see less".to_owned()),
        other => {
            Remark::Warning(format!("OMP_DEBUG={other}: neither enabled nor disabled (6.0 §4.5.4)"))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Circumstances, Remark, debug_remark, library_remark, log_remark, tool_remark};

    const NORMAL: Circumstances = Circumstances { has_ompt: true, is_privileged: false };

    fn is_warning(remark: &Remark) -> bool {
        matches!(remark, Remark::Warning(_))
    }

    #[test]
    fn bad_values_are_named() {
        for remark in
            [tool_remark(Some("yes"), NORMAL), debug_remark("on"), log_remark("/none/such/log")]
        {
            assert!(is_warning(&remark), "{remark:?}");
        }
        for remark in [
            tool_remark(None, NORMAL),
            tool_remark(Some(" Enabled "), NORMAL),
            tool_remark(Some("disabled"), NORMAL),
            debug_remark("enabled"),
            log_remark("STDERR"),
            log_remark("log"),
        ] {
            assert!(!is_warning(&remark), "{remark:?}");
        }
    }

    #[test]
    fn a_library_that_is_no_tool_is_named() {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        for (path, part) in [
            ("/none/such/tool.so", "no such file"),
            (manifest, "no shared library"),
            (env!("CARGO_MANIFEST_DIR"), "no regular file"),
            ("libc.so.6", "does not define ompt_start_tool"),
            ("", "empty entry"),
        ] {
            let Remark::Warning(text) = library_remark(Path::new(path)) else {
                panic!("{path} is no tool")
            };
            assert!(text.contains(part), "{text}");
        }
    }
}
