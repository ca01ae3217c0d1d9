//! The header of a log of OpenMP's interface.

use std::fmt;

use ompt::{Initialization, Registration};

use crate::form::graphic;

/// The facts before the events.
#[derive(Debug)]
pub(crate) struct Header {
    runtime: String,
    omp_version: u32,
    initial_device: i32,
    missing: Vec<String>,
    /// The runtime's answers, once it has given them.
    pub(crate) registration: Option<Registration>,
}

impl Header {
    pub(crate) fn new(initialization: &Initialization) -> Self {
        Self {
            runtime: graphic(initialization.runtime.version.to_bytes()),
            omp_version: initialization.runtime.omp_version,
            initial_device: initialization.initial_device_num,
            missing: initialization
                .entry_points
                .missing()
                .map(|name| name.to_string_lossy().into_owned())
                .collect(),
            registration: None,
        }
    }
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# recorder 1")?;
        writeln!(f, "# runtime {}", self.runtime)?;
        writeln!(f, "# omp_version {}", self.omp_version)?;
        writeln!(f, "# initial_device {}", self.initial_device)?;
        for name in &self.missing {
            writeln!(f, "# entry_point_missing {name}")?;
        }
        for (event, result) in self.registration.iter().flat_map(Registration::iter) {
            writeln!(f, "# set_callback {} {result}", event.name())?;
        }
        Ok(())
    }
}
