//! What a runtime, loaded in a process of the probe, answers about itself, and what its file tells.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::probe::{Outcome, Probe};
use crate::elf::{self, ElfProgram};
use crate::failure::Failure;

/// A runtime that was loaded once.
#[derive(Debug, Default)]
pub(crate) struct Examined {
    /// The file that the loader took; `None` if it took none.
    pub(crate) file: Option<PathBuf>,
    /// Why the process did not tell everything.
    pub(crate) defect: Option<String>,
    pub(crate) has_ompt: bool,
    /// As `ompt_start_tool` was told.
    version: Option<String>,
    openmp: Option<String>,
    /// How many callbacks it promises to call, and the names of the others.
    events: Option<(String, String)>,
    /// `ompd_dll_locations` is there.
    has_ompd_symbol: bool,
    ompd_libraries: Vec<String>,
}

impl Examined {
    /// Loads `name`, a path or a name for the loader's search, which begins in `folder`.
    pub(crate) fn of(probe: &Probe, name: &OsStr, folder: Option<&Path>) -> Result<Self, Failure> {
        let outcome = probe.run(&[OsStr::new("identify"), name], folder)?;
        let mut this = Self::default();
        let mut never = String::new();
        for line in outcome.lines() {
            let Some((key, value)) = line.split_once('\t') else { continue };
            match key {
                "unloadable" => this.defect = Some(value.to_owned()),
                "path" => this.file = Some(PathBuf::from(value)),
                "ompt" => this.has_ompt = value == "yes",
                "version" => this.version = Some(value.to_owned()),
                "openmp" => this.openmp = Some(value.to_owned()),
                "events" => this.events = Some((value.to_owned(), String::new())),
                "never" => never = value.to_owned(),
                "ompd" => this.ompd_libraries.push(value.to_owned()),
                "ompd_symbol" => this.has_ompd_symbol = true,
                _ => {}
            }
        }
        if let Some((_, refused)) = &mut this.events {
            *refused = never;
        }
        let ended_well = matches!(&outcome, Outcome::Exited(status, _) if status.success());
        if !ended_well {
            this.defect = Some(format!("a process that loads it {}", outcome.end()));
        }
        Ok(this)
    }

    /// Whose runtime it is, and which version.
    pub(crate) fn version_line(&self) -> String {
        let openmp = self
            .openmp
            .as_deref()
            .map_or_else(String::new, |version| format!(", of OpenMP {version}"));
        match (&self.version, self.headers().and_then(|file| file.defined.newest_gomp)) {
            (Some(version), _) => format!("{version}{openmp}"),
            (None, Some(node)) => format!("gcc's runtime, with the interface up to {node}"),
            (None, None) => "a runtime that does not say its version".to_owned(),
        }
    }

    /// Whether tools work there, in a sentence.
    pub(crate) fn ompt_line(&self) -> String {
        match &self.events {
            Some((number, never)) if self.has_ompt => {
                let rest = if never.is_empty() { String::new() } else { format!("; not {never}") };
                format!("yes, with {number} kinds of events{rest}")
            }
            _ if self.has_ompt => "yes".to_owned(),
            _ => "no: the runtime never looks for a tool".to_owned(),
        }
    }

    /// Whether tools of the 2015 report work there, in a sentence: a runtime that asks for them
    /// defines their function, for programs without one.
    pub(crate) fn report_line(&self) -> &'static str {
        match self.headers() {
            None => "unknown",
            Some(headers) if headers.defined.ompt_tool => "yes, the runtime looks for ompt_tool",
            Some(_) => "no: the runtime never looks for ompt_tool",
        }
    }

    /// Whether debuggers see OpenMP there, in a sentence.
    pub(crate) fn ompd_line(&self) -> String {
        let Some(headers) = self.headers() else { return "unknown".to_owned() };
        if !self.has_ompd_symbol && !headers.defined.ompd_dll_locations {
            let stripped = if headers.defined.has_symbol_table { "" } else { ", and is stripped" };
            return format!("no: the runtime has no ompd_dll_locations{stripped}");
        }
        if self.ompd_libraries.is_empty() {
            return "no: ompd_dll_locations names no library, so OMPD is not offered".to_owned();
        }
        let beside = self.file.as_deref().and_then(Path::parent);
        let present = self.ompd_libraries.iter().find(|name| {
            let path = Path::new(name);
            path.is_absolute() && path.exists()
                || beside.is_some_and(|folder| folder.join(path).exists())
        });
        let Some(present) = present else {
            let names = self.ompd_libraries.join(", ");
            return format!("no: ompd_dll_locations names {names}, and there is no such file");
        };
        if !headers.defined.has_symbol_table && !self.is_ours() {
            return format!(
                "doubtful: {present} is there, but the runtime is stripped of the symbols that a \
                 debugger's library reads"
            );
        }
        let without = if self.is_ours() { "; without a debugger: `oxomp debug`" } else { "" };
        format!("yes, by {present}; set OMP_DEBUG=enabled for all of it{without}")
    }

    /// Whether it is oxomp. oxomp's symbols for debuggers are dynamic symbols, which no stripping
    /// removes.
    pub(crate) fn is_ours(&self) -> bool {
        self.version.as_deref().is_some_and(|version| version.starts_with("oxomp"))
    }

    fn headers(&self) -> Option<ElfProgram> {
        elf::read(self.file.as_deref()?).ok()
    }
}
