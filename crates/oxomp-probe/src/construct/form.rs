//! The compiler whose calls a probe makes.

use std::ffi::CStr;

use crate::runtime;
use crate::verdict::Fault;

/// Whose calls a probe makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// clang's and flang's, `__kmpc_*`.
    Clang,
    /// gcc's and gfortran's, `GOMP_*`.
    Gcc,
}

impl Form {
    /// A function without which no program of this compiler runs.
    fn entry(self) -> &'static CStr {
        match self {
            Self::Clang => c"__kmpc_fork_call",
            Self::Gcc => c"GOMP_parallel",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Clang => "clang",
            Self::Gcc => "gcc",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [Self::Clang, Self::Gcc].into_iter().find(|form| form.name() == name)
    }

    /// The form for a name of the checks' list; a fault if the runtime lacks this form.
    pub(crate) fn on_runtime(name: &str) -> Result<Self, Fault> {
        let is_there = |form: &Self| runtime::symbol(form.entry()).is_some();
        let form = match Self::from_name(name) {
            Some(form) => form,
            None => [Self::Clang, Self::Gcc].into_iter().find(is_there).unwrap_or(Self::Gcc),
        };
        if is_there(&form) {
            return Ok(form);
        }
        Err(Fault::Skipped(format!(
            "no program of {} runs on this runtime: it does not export {}",
            form.name(),
            form.entry().to_string_lossy()
        )))
    }
}
