//! `oxomp paths`: where the parts of the installation lie, for people and for scripts.

use std::io::{Write, stdout};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::ExitCode;

use crate::failure::Failure;
use crate::locate::Installation;
use crate::output::{Output, written};
use crate::part::Part;
use crate::props::PathsProps;

/// Prints the path of one part, or a table of all parts.
pub(crate) fn paths(props: &PathsProps) -> Result<ExitCode, Failure> {
    let installation = Installation::find()?;
    match props.part {
        Some(part) => print(&installation.existing(part)?)?,
        None => table(&installation)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the path as the system has it, whether it is text or not.
fn print(path: &Path) -> Result<(), Failure> {
    let mut line = path.as_os_str().as_bytes().to_vec();
    line.push(b'\n');
    let mut stdout = stdout().lock();
    written(stdout.write_all(&line).and_then(|()| stdout.flush()))
}

fn table(installation: &Installation) -> Result<(), Failure> {
    let mut output = Output::default();
    let width = |text: fn(Part) -> &'static str| {
        Part::ALL.into_iter().map(|part| text(part).len()).max().unwrap_or_default()
    };
    let (names, whats) = (width(Part::name), width(Part::what));
    for part in Part::ALL {
        let place = installation.place(part)?;
        let remark = if place.is_there() { "" } else { "  (missing)" };
        let (name, what) = (part.name(), part.what());
        output.line(&format!("{name:<names$}  {what:<whats$}  {}{remark}", place.path.display()));
    }
    output.end()
}
