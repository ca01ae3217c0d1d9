//! The header of a log of the report's interface.

use std::fmt;

use ompt::report_2015::{Initialization, Registration};

use crate::form::graphic;

/// The facts before the events.
#[derive(Debug)]
pub(crate) struct Header {
    lines: String,
    /// The runtime's answers, once it has given them.
    pub(crate) registration: Option<Registration>,
}

impl Header {
    pub(crate) fn new(initialization: &Initialization) -> Self {
        let entry_points = &initialization.entry_points;
        let runtime = graphic(initialization.runtime_version.to_bytes());
        let mut lines = format!("# recorder 2015\n# runtime {runtime}\n");
        for name in entry_points.missing() {
            lines += &format!("# entry_point_missing {}\n", name.to_string_lossy());
        }
        entry_points.enumerate_states(|state, name| {
            lines += &format!("# state {} {:#x}\n", graphic(name.to_bytes()), state.raw().0);
        });
        entry_points.enumerate_lock_types(|number, name| {
            lines += &format!("# lock_type {} {number}\n", graphic(name.to_bytes()));
        });
        entry_points.enumerate_atomic_types(|number, name| {
            lines += &format!("# atomic_type {} {number}\n", graphic(name.to_bytes()));
        });
        Self { lines, registration: None }
    }
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines)?;
        for (event, result) in self.registration.iter().flat_map(Registration::iter) {
            writeln!(f, "# set_callback {event} {result}")?;
        }
        Ok(())
    }
}
