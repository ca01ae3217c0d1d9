//! Places in the user's code.

use std::fmt;

/// A frame of the user's in a call path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Where it is.
    pub place: Place,
    /// The function of the runtime that it calls, for the innermost frame; else `None`.
    pub calls: Option<String>,
}

/// A place in the program.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// The user's function.
    pub function: Option<String>,
    /// Source file, and line from 1.
    pub line: Option<(String, u32)>,
    /// Short name of the module.
    pub module: Option<String>,
    /// Offset in the module, or the address where no module is known.
    pub offset: u64,
}

impl fmt::Display for Place {
    /// `app.c:31 in worker`, else `worker`, else `app+0x1234`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.line, &self.function) {
            (Some((file, line)), Some(function)) => {
                write!(f, "{}:{line} in {function}", file_name(file))
            }
            (Some((file, line)), None) => write!(f, "{}:{line}", file_name(file)),
            (None, Some(function)) => match &self.module {
                Some(module) => write!(f, "{function} ({module}+{:#x})", self.offset),
                None => f.write_str(function),
            },
            (None, None) => f.write_str(&self.short()),
        }
    }
}

impl Place {
    /// `at app.c:31`, else `in worker`, else `at app+0x1234`.
    #[must_use]
    pub fn at(&self) -> String {
        match (&self.line, &self.function) {
            (None, Some(function)) => format!("in {function}"),
            _ => format!("at {}", self.short()),
        }
    }

    /// `app.c:31`, else `worker`, else `app+0x1234`.
    #[must_use]
    pub fn short(&self) -> String {
        match (&self.line, &self.function, &self.module) {
            (Some((file, line)), ..) => format!("{}:{line}", file_name(file)),
            (None, Some(function), _) => function.clone(),
            (None, None, Some(module)) => format!("{module}+{:#x}", self.offset),
            (None, None, None) => format!("{:#x}", self.offset),
        }
    }
}

/// The last part of a path.
#[must_use]
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
