//! The parts of a check.

use crate::construct::Form;
use crate::verdict::Verdict;

/// Whose calls a check can be made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forms {
    /// Once with clang's calls and once with gcc's.
    Both,
    Clang,
    Gcc,
    /// With those that the runtime has: the subject does not depend on the compiler.
    Either,
}

impl Forms {
    pub(super) fn names(self) -> &'static [&'static str] {
        match self {
            Self::Both => &["clang", "gcc"],
            Self::Clang => &["clang"],
            Self::Gcc => &["gcc"],
            Self::Either => &["either"],
        }
    }
}

/// One line of the report per form.
#[derive(Debug)]
pub(crate) struct Check {
    /// Names it on the command line of the probe.
    pub(crate) id: &'static str,
    /// The demand, as one reads it in the report.
    pub(crate) title: &'static str,
    /// Version and section of the specification.
    pub(crate) clause: &'static str,
    pub(crate) forms: Forms,
    /// Variables that are set before the runtime is loaded, beside the usual ones.
    pub(crate) environment: &'static [(&'static str, &'static str)],
    /// Called before the runtime is loaded.
    pub(crate) prepare: fn(),
    /// The program offloads.
    pub(crate) offloads: bool,
    pub(crate) run: fn(Form) -> Verdict,
}

/// A check in its usual form: nothing prepared.
pub(crate) const fn check(
    id: &'static str,
    forms: Forms,
    clause: &'static str,
    title: &'static str,
    run: fn(Form) -> Verdict,
) -> Check {
    Check { id, title, clause, forms, environment: &[], prepare: || {}, offloads: false, run }
}

impl Check {
    /// With these variables.
    pub(crate) const fn with(self, environment: &'static [(&'static str, &'static str)]) -> Self {
        Self { environment, ..self }
    }

    /// With this before the runtime is loaded.
    pub(crate) const fn after(self, prepare: fn()) -> Self {
        Self { prepare, ..self }
    }

    /// The same check, made in a program that offloads.
    pub(crate) const fn offloading(self) -> Self {
        Self { offloads: true, ..self }
    }
}

/// A heading of the report with its checks.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) title: &'static str,
    pub(crate) checks: &'static [Check],
}
